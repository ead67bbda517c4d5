"""Places that may hold islands although no number is read there: something covers them, or a bridge leads to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.hashi.puzzle import Bridge
from autoplayer.games.hashi.seeing.places.chart import Chart, extended, part_of
from autoplayer.games.hashi.seeing.places.looks import emptiness, is_bare, learn, likeness, with_room
from autoplayer.games.hashi.seeing.places.others import (
    FARTHEST_LED,
    HALF_LIKE,
    LOOKS_COVERED,
    LOOKS_LIKE,
    VERY_LIKE,
    clear_numbers,
    free_places,
    has_outline,
    is_drawn,
)
from autoplayer.games.hashi.seeing.places.outline import View, climbed, presence

FARTHEST = 3
"""Places beyond the last row or column at which an island may be the only one in its own."""

MOST_COVERED = 3
"""Islands that a pointer or a hint covers at most."""

COVERED = 0.45
"""The least correlation with the outline, relative to the usual one, of the visible part of a covered island."""

STANDS_OUT = 1.4
"""The least ratio of a covered island's look to that of any other place."""


def hidden(seen: View, chart: Chart) -> tuple[Chart, dict[Cell, float]]:
    """The places that may hold an island that something covers, with their similarity to an island: only they show much
    of the islands' colours, or of their outline. On the lattice of the returned chart, which may have more rows and
    columns than ``chart``. Empty if none or more than ``MOST_COVERED`` places show that much."""
    looks = learn(seen, chart)
    if looks is not None:
        wider = extended(chart, (seen.image.shape[1], seen.image.shape[0]), FARTHEST)
        free = with_room(wider)
        like = likeness(seen, looks, np.array([(wider.xs[c], wider.ys[r]) for r, c in free]))
        if count := _standing_out(like, LOOKS_COVERED):
            chosen = [(free[k], float(like[k])) for k in np.argsort(-like)[:count]]
            return fitted(wider, dict(chosen))
    cells, _, like = free_places(seen, chart)
    count = _standing_out(like, COVERED)
    return chart, {cells[k]: float(like[k]) for k in np.argsort(-like)[:count]}


def unread(seen: View, chart: Chart) -> tuple[Chart, dict[Cell, float]]:
    """As :func:`hidden`, for places that show the islands' colours, their outline, and something illegible in the
    middle: they are islands, even if a whole row is like that. Also a few places that show much of both: if a pointer
    lies on an island, the rest of the board may have a solution all the same."""
    looks = learn(seen, chart)
    if looks is None:
        return chart, {}
    wider, height = extended(chart, (seen.image.shape[1], seen.image.shape[0]), 1), chart.number_height
    free = [cell for cell in with_room(wider) if is_drawn(seen, wider, cell, height)]
    places = np.array([(wider.xs[c], wider.ys[r]) for r, c in free]).reshape(-1, 2)
    shown = likeness(seen, looks, places)
    chosen = np.flatnonzero(shown >= LOOKS_COVERED)
    if not len(chosen):
        return chart, {}
    _, like = climbed(seen, chart.outline, places[chosen], (1, 1))
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    whole = (shown[chosen] >= LOOKS_LIKE) & (like >= VERY_LIKE * usual)
    found = {free[k]: 1.0 for k in chosen[whole]}
    covered = chosen[~whole & (like >= MUCH_LIKE * usual)]
    if len(covered) <= MOST_COVERED:
        found |= {free[k]: float(shown[k]) for k in covered}
    return fitted(wider, dict(sorted(found.items()))) if found else (chart, {})


MUCH_LIKE = 0.4
"""The least correlation with the outline, relative to the usual one, of a covered island that shows much of the
islands' colours as well: on 132 boards only places with an island had so much of both."""


def led_to(
    seen: View, chart: Chart, ends: Sequence[tuple[Cell, tuple[int, int]]], links: Mapping[Bridge, int]
) -> tuple[Chart, dict[Cell, float]]:
    """As :func:`hidden`, for places to which ``ends`` lead: from each cell, in steps of so many rows and columns, to
    the first place that looks like an island, by its colours or, as a complete and paler one may, by its outline, or
    that holds a number as clear as the islands' (one in another state may hardly differ from the water). An end that
    leads to none is left out. Places on the way of a bridge that look like an island are included, by the
    ``links`` that stand."""
    if not ends and not any(links.values()):
        return chart, {}
    looks = learn(seen, chart)
    wider = extended(chart, (seen.image.shape[1], seen.image.shape[0]), FARTHEST_LED)
    top, left = (min(cell[k] for cell in wider.islands) - min(cell[k] for cell in chart.islands) for k in (0, 1))
    known = np.array([one.centre for one in chart.islands.values()])
    found = dict.fromkeys(_crossed(seen, chart, wider, links), 1.0)
    for (r, c), (dr, dc) in ends:
        cell = r + top + dr, c + left + dc
        while 0 <= cell[0] < len(wider.ys) and 0 <= cell[1] < len(wider.xs) and cell not in wider.islands:
            place = np.array([(wider.xs[cell[1]], wider.ys[cell[0]])])
            like = float(likeness(seen, looks, place)[0]) if looks else 0.0
            bare = looks is not None and is_bare(seen, looks, place, known, max(chart.width, chart.height))[0]
            least = VERY_LIKE if bare else HALF_LIKE  # a bridge that runs on has edges, too
            outlined = has_outline(seen, chart, climbed(seen, chart.outline, place, (1, 1))[0], least)[0]
            there = outlined or (like >= LOOKS_COVERED and not bare)
            if there or clear_numbers(seen, chart, wider, [cell]):
                found[cell] = max(like, 0.0)
                break
            cell = cell[0] + dr, cell[1] + dc
    return fitted(wider, found) if found else (chart, {})


def _crossed(seen: View, chart: Chart, wider: Chart, links: Mapping[Bridge, int]) -> list[Cell]:
    """The places on the ways of bridges that have the outline of an island, and hardly any water within it, by the
    cells of ``wider``: bridges end at islands, whatever these look like."""
    top, left = (min(cell[k] for cell in wider.islands) - min(cell[k] for cell in chart.islands) for k in (0, 1))
    cells = [
        (r, c)
        for (a, b), number in links.items()
        if number
        for r in range(a[0], b[0] + 1)
        for c in range(a[1], b[1] + 1)
        if (r, c) not in (a, b)
    ]
    looks = learn(seen, chart) if cells else None
    if looks is None:
        return []
    places = np.array([(chart.xs[c], chart.ys[r]) for r, c in cells])
    known = np.array([one.centre for one in chart.islands.values()])
    dry = emptiness(seen, looks, places) < DRY
    dry[dry] = ~is_bare(seen, looks, places[dry], known, chart.size)
    dry[dry] = has_outline(seen, chart, places[dry], HALF_LIKE)
    return [(r + top, c + left) for (r, c), there in zip(cells, dry, strict=True) if there]


DRY = 0.2
"""The largest share of water that an island of another colour shows at a place on a bridge: even a broad bridge covers
only half of an island, and a count on it less."""


def _standing_out(like: Floats, least: float) -> int:
    """How many of the most similar places are much more similar than all others, at most ``MOST_COVERED``; 0 if none
    are."""
    ordered = [*np.sort(like)[::-1].tolist(), 0.0]
    for count in range(1, min(MOST_COVERED, len(like)) + 1):
        if ordered[count - 1] > max(least, STANDS_OUT * ordered[count]):
            return count
    return 0


def fitted(chart: Chart, chosen: Mapping[Cell, float]) -> tuple[Chart, dict[Cell, float]]:
    """``chart`` without empty rows and columns around its islands and the ``chosen`` places, and the latter by their
    cells in it."""
    cells = [*chart.islands, *chosen]
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
    return part_of(chart, top, left, bottom, right), {(r - top, c - left): like for (r, c), like in chosen.items()}
