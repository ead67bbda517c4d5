"""The islands that no guess contained: looked for at the free places of a known lattice, by the islands' outline and
their colours."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, largest_channel
from autoplayer.games.hashi.seeing.places.chart import (
    COUNTS,
    SAME_LINE,
    Chart,
    charted,
    extended,
    on_grid,
    trimmed,
)
from autoplayer.games.hashi.seeing.places.looks import (
    Looks,
    emptiness,
    free_cells,
    is_bare,
    learn,
    likeness,
    nearest_like,
)
from autoplayer.games.hashi.seeing.places.numbers import LEGIBLE, Island, read
from autoplayer.games.hashi.seeing.places.outline import MOST_PROMISING, Outline, View, climbed, presence
from autoplayer.vision import ink

VERY_LIKE = 0.72
"""The correlation with the outline, as a share of the usual one, where nothing else speaks for an island: its number
cannot be read, or it stands beside the lattice."""

HALF_LIKE = 0.5
"""The least correlation of such an island: on a texture even the usual one is low."""


def free_places(seen: View, chart: Chart) -> tuple[list[Cell], Floats, Floats]:
    """The free places of the lattice in which something is drawn; the position in each at which the outline matches
    best, shape ``(N, 2)``; and how well, relative to the usual match."""
    places, height = itertools.product(range(len(chart.ys)), range(len(chart.xs))), chart.number_height
    free = [cell for cell in places if cell not in chart.islands and is_drawn(seen, chart, cell, height)]
    if not free:
        return [], np.zeros((0, 2)), np.zeros(0)
    centres, like = climbed(seen, chart.outline, np.array([(chart.xs[c], chart.ys[r]) for r, c in free]), (1, 1))
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    return free, centres, like / max(usual, 1e-6)


def is_drawn(seen: View, chart: Chart, cell: Cell, height: float) -> bool:
    """Whether there is an edge in the middle of a place: without one, no number of this height stands there."""
    reach = max(2, round(0.25 * height))
    x, y = round(chart.xs[cell[1]]), round(chart.ys[cell[0]])
    middle = seen.strength[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
    return bool(middle.size) and cv2.minMaxLoc(middle)[1] > ink.FAINTEST / 2 + 3 * seen.noise


def by_looks(seen: View, chart: Chart) -> Chart:
    """``chart`` corrected by its islands' colours: without illegible places that do not look like islands, and without
    places that show nothing but water around them and are pale, beside the board, or perhaps a piece of a line; with
    the free places that look like islands and hold a number."""
    chart = without_headings(seen, chart, FAINTLY_LIKE)
    looks = learn(seen, chart)
    if looks is None:
        return without_headings(seen, chart, FAINTLY_LIKE)
    kept = _without_crossings(seen, chart, looks)
    if len(kept.islands) < len(chart.islands):  # how islands look was learned from crossings as well
        looks = learn(seen, kept) or looks
        kept = _without_crossings(seen, kept, looks)
    islands = _alike(seen, kept, looks)
    free = list(free_cells(kept))
    places = np.array([(chart.xs[c], chart.ys[r]) for r, c in free]).reshape(-1, 2)
    chosen = np.flatnonzero(likeness(seen, looks, places) >= LOOKS_LIKE)
    added: dict[Cell, Island] = {}
    for k, one in zip(chosen, read(seen, places[chosen], chart.core, chart.outline.round), strict=True):
        legible = one.probability > LEGIBLE and is_number(one, chart.number_height)
        if legible and has_room(one, kept.islands.values(), chart.outline):
            added[free[k]] = one
    crossing = _crossing(seen, looks, chart, list(added.values()), [*kept.islands.values(), *added.values()])
    islands |= {cell: one for (cell, one), crosses in zip(added.items(), crossing, strict=True) if not crosses}
    if islands.keys() != chart.islands.keys() and len(islands) >= FEWEST_KEPT:
        chart = trimmed(replace(chart, islands=dict(sorted(islands.items()))))
    return _with_distant(seen, chart, looks)


def without_headings(seen: View, chart: Chart, least: float) -> Chart:
    """``chart`` without the numbers of headings: they show less of the outline than all others (``least``: of the
    usual), stand outside these, and on another colour; or they show hardly any outline and stand in a line of text. On
    the lattice of a few islands, each number of a heading may have a place."""
    islands = list(chart.islands.items())
    if not chart.outline.drawn or len(islands) > FEW:
        return chart
    like = presence(seen, chart.outline, np.array([one.centre for _, one in islands]))
    like = like / max(float(np.median(like)), 1e-6)
    grounds = np.stack([one.content.ground for _, one in islands])
    rest, bare = like >= max(ALL_OF_IT, least), like < least
    if not bare.any() or not (rest | bare).all() or bare.sum() > rest.sum():
        return chart
    other = np.abs(grounds[:, None] - grounds[None, rest]).max(axis=2) > OTHER_GROUND
    # If islands are coloured by their numbers, a colour of its own is no evidence.
    states = sum(bool(row[:k].all()) for k, row in enumerate(other[rest]))
    away = other.all(axis=1) & (states <= MOST_STATES)
    away |= [like[k] < HALF_LIKE and _in_a_line(seen, one) for k, (_, one) in enumerate(islands)]
    board = np.array([one.centre for (_, one), whole in zip(islands, rest, strict=True) if whole])
    away &= [_outside(one, board, chart.size) for _, one in islands]
    kept = [one for (_, one), gone in zip(islands, bare & away, strict=True) if not gone]
    fewer = charted(kept, chart.outline) if len(kept) < len(islands) else None
    return chart if fewer is None else on_grid(seen, replace(fewer, scale=chart.scale))


MOST_STATES = 2
"""The number of colours of islands if these depend on the state, and not on the number: open, and complete."""

FEW, ALL_OF_IT, LESS, OTHER_GROUND = 12, 0.75, 0.9, 8.0
"""The largest small board, in islands; the share of the usual outline that each of its islands shows; the share below
which a number may be no island if the board has no solution with it; and the difference in grey levels from which the
ground of a heading has another colour."""


def _in_a_line(seen: View, one: Island) -> bool:
    """Whether something as high as a number stands right beside it: a letter, or another digit."""
    box, room = one.content.box, max(2, round(WORD_SPACE * one.content.box.height))
    above = round(RISES * box.height)
    top = max(box.y - 2 * above, 0)
    for left, right in ((box.x - 1 - room, box.x - 1), (box.x + box.width + 1, box.x + box.width + 1 + room)):
        beside = seen.image[top : box.y + box.height, max(left, 0) : max(right, 0)].astype(np.float32)
        drawn = largest_channel(np.abs(beside - one.content.ground)) > 2 * ink.FAINTEST + 3 * seen.noise
        if drawn[box.y - top :].any() and not drawn[: max(box.y - above - top, 0)].any():
            return True
    return False


WORD_SPACE, RISES = 0.9, 0.25
"""Of a number's height: the largest distance to the next letter of a line, and how far letters rise above it."""


def clear_numbers(
    seen: View, chart: Chart, wider: Chart, asked: Sequence[Cell], *, no_lines: bool = False
) -> dict[Cell, Island]:
    """Those of the places ``asked``, cells of ``wider``, in which a number is as clear as the islands' numbers; it must
    be surer if it might be a piece of a line, unless there are ``no_lines``."""
    places = np.array([(wider.xs[c], wider.ys[r]) for r, c in asked]).reshape(-1, 2)
    return {
        cell: one
        for cell, one in zip(asked, read(seen, places, chart.core, chart.outline.round), strict=True)
        if one.probability > (SURELY if one.candidates[0][0] in LINES and not no_lines else CLEARLY)
        and is_number(one, chart.number_height)
        and not is_line(seen, one, chart.outline)
        and one.content.contrast >= PALE * chart.contrast
        and has_room(one, chart.islands.values(), chart.outline)
    }


SURELY = 0.99
"""The least probability of a number that looks like a piece of a line, without other evidence of an island."""


def _alike(seen: View, chart: Chart, looks: Looks) -> dict[Cell, Island]:
    """The islands of ``chart`` without illegible ones that do not look like the others, and without those that show
    nothing but water around them and are pale, beside the board, or perhaps a piece of a line."""
    centres = np.array([one.centre for one in chart.islands.values()])
    like, empty = likeness(seen, looks, centres), emptiness(seen, looks, centres)
    illegible = (like < LOOKS_COVERED) & [one.probability <= LEGIBLE for one in chart.islands.values()]
    bare = (empty >= EMPTY) & (like < UNLIKE)
    if not (illegible | bare).any():
        return dict(chart.islands)
    outlined = has_outline(seen, chart, centres)
    # A complete island may be drawn as a mere ring; one in a state of its own has the outline and shows no water.
    bare &= ~outlined
    illegible &= ~((empty < EMPTY / 2) & outlined)
    sure = centres[like >= LOOKS_LIKE]
    kept: dict[Cell, Island] = {}
    for k, (cell, one) in enumerate(chart.islands.items()):
        outside = len(sure) > 0 and _outside(one, sure, chart.size)
        pale = one.content.contrast < PALE * chart.contrast
        if not illegible[k] and not (bare[k] and (outside or pale or one.candidates[0][0] in COUNTS)):
            kept[cell] = one
    return kept


def _without_crossings(seen: View, chart: Chart, looks: Looks) -> Chart:
    """``chart`` without places that are crossings, or pieces of lines, between islands."""
    islands = list(chart.islands.values())
    crossing = _crossing(seen, looks, chart, islands, islands)
    kept = {cell: one for (cell, one), crosses in zip(chart.islands.items(), crossing, strict=True) if not crosses}
    return replace(chart, islands=kept) if FEWEST_KEPT <= len(kept) < len(islands) else chart


def _crossing(
    seen: View, looks: Looks, chart: Chart, asked: Sequence[Island], others: Sequence[Island]
) -> NDArray[np.bool_]:
    """Which of ``asked`` are crossings or pieces of lines between the ``others``."""
    result = np.array([one.candidates[0][0] in LINES for one in asked], np.bool_)
    centres = np.array([one.centre for one in asked]).reshape(-1, 2)
    if result.any():
        around = np.array([one.centre for one in others])
        result[result] = is_bare(seen, looks, centres[result], around, max(chart.width, chart.height))
    if result.any():
        result[result] = ~has_outline(seen, chart, centres[result])
    return result


def has_outline(seen: View, chart: Chart, centres: Floats, least: float = VERY_LIKE) -> NDArray[np.bool_]:
    """Whether each of ``centres``, shape ``(N, 2)``, matches the islands' outline by at least ``least``, relative to
    the islands, on a board whose free places hardly match it: a grid may draw squares of the islands' size."""
    if not chart.outline.drawn:
        return np.zeros(len(centres), np.bool_)
    free = [(chart.xs[c], chart.ys[r]) for r, c in free_cells(chart)]
    known = [one.centre for one in chart.islands.values()]
    usual, other = (
        float(np.median(presence(seen, chart.outline, np.array(some)))) if some else 0.0 for some in (known, free)
    )
    return presence(seen, chart.outline, centres) >= max(least * usual, other / HALF_LIKE)


LINES = frozenset({"1", "4", "7", ""})
"""The digits that a piece of a line, or a crossing, looks like."""


def _with_distant(seen: View, chart: Chart, looks: Looks) -> Chart:
    """``chart`` with the islands beyond all others, in line with one of them, that have a number and the colours of the
    others."""
    wider = extended(chart, (seen.image.shape[1], seen.image.shape[0]), FARTHEST_LED)
    rows, columns = {r for r, _ in wider.islands}, {c for _, c in wider.islands}
    top, left, bottom, right = min(rows), min(columns), max(rows), max(columns)
    beyond = [(r, c) for r in rows for c in range(len(wider.xs)) if not left <= c <= right]
    beyond += [(r, c) for c in columns for r in range(len(wider.ys)) if not top <= r <= bottom]
    contrast, height = chart.contrast, chart.number_height
    drawn = [cell for cell in beyond if is_drawn(seen, wider, cell, height)]
    if not drawn:
        return chart
    centres, like = nearest_like(seen, looks, np.array([(wider.xs[c], wider.ys[r]) for r, c in drawn]))
    found: dict[Cell, Island] = {}
    chosen = np.flatnonzero(like >= DISTANT)
    for k, one in zip(chosen, read(seen, centres[chosen], chart.core, chart.outline.round), strict=True):
        clear = one.probability > CLEARLY and is_number(one, height) and one.content.contrast >= PALE * contrast
        if clear and emptiness(seen, looks, centres[k : k + 1])[0] < EMPTY / 2:
            found[drawn[k]] = one
    if not found:
        return chart
    return trimmed(replace(wider, islands=dict(sorted((wider.islands | found).items()))))


DISTANT = 0.55
"""The least share of the islands' look for an island that stands beyond all others."""


LOOKS_LIKE = 0.85
"""The least share of the islands' look, relative to the usual one, for a place to be an island: no free place in the
development side's windows had so much and was none."""

LOOKS_COVERED = 0.4
"""The least visible share of a covered island's look."""

FARTHEST_LED = 12
"""Places beyond the last row or column at which a bridge may lead to an island."""

EMPTY, UNLIKE = 0.7, 0.2
"""The least share of water, and the largest share of the islands' look, at a place that is no island though its ink
resembles a number: an island in a state of its own looks unlike the others, but not like water."""

PALE = 0.6
"""Of the numbers' usual contrast: crossings of a grid have less."""

FAINT = 0.25
"""Of the numbers' usual contrast: compression artefacts beside islands have less; islands that fade when they are
complete keep more."""

FEWEST_KEPT = 4


def _outside(one: Island, others: Floats, size: float) -> bool:
    """Whether an island lies beyond all the ``others``: their centres, shape ``(N, 2)``."""
    (left, top), (right, bottom) = others.min(axis=0) - size / 2, others.max(axis=0) + size / 2
    return not (left <= one.centre[0] <= right and top <= one.centre[1] <= bottom)


def with_others(seen: View, chart: Chart) -> Chart:
    """``chart`` with the islands that are drawn differently from most: a place of the lattice with a number as high as
    the others', and some of the outline around it."""
    outline = chart.outline
    free, centres, like = free_places(seen, chart)
    if not free:
        return chart
    chosen = np.flatnonzero(like >= FAINTLY_LIKE)[:MOST_PROMISING]
    found: dict[Cell, Island] = {}
    for k, one in zip(chosen, read(seen, centres[chosen], chart.core, outline.round), strict=True):
        x, y = one.content.box.centre
        central = max(abs(x - one.centre[0]), abs(y - one.centre[1])) < 0.2 * outline.inner
        room = central and has_room(one, chart.islands.values(), outline)
        legible = one.probability > (LEGIBLE if like[k] >= HALF_LIKE else CLEARLY)
        if room and legible and _is_another(seen, one, float(like[k]), chart):
            found[free[k]] = one
    return replace(chart, islands=dict(sorted((chart.islands | found).items()))) if found else chart


def _is_another(seen: View, one: Island, like: float, chart: Chart) -> bool:
    """Whether the legible content of a free place of the lattice is the number of an island; ``like``: how well the
    outline matches there, relative to the usual match. It may also be a count on a bridge, a piece of a line, which
    looks like a 1, a crossing of grid lines, which looks like a 4 and is paler than the numbers, or a compression
    artefact between two islands, which may look like any number and is far paler."""
    number, height = one.candidates[0][0], chart.number_height
    grounds = np.array([other.content.ground for other in chart.islands.values()])
    same_ground = float(np.abs(np.median(grounds, axis=0) - one.content.ground).max()) < SAME_GROUND
    if number == "1" and (not same_ground or is_line(seen, one, chart.outline)):
        return False
    too_pale = one.content.contrast < (PALE if number in LINES else FAINT) * chart.contrast
    if too_pale or (number in COUNTS and (number == "1" or not same_ground)):
        return like >= HALF_LIKE and is_number(one, height)
    return like >= FAINTLY_LIKE and is_number(one, height)


def is_line(seen: View, one: Island, outline: Outline) -> bool:
    """Whether a 1 is really a piece of a vertical line: there is no ground above and below it, as far as an island's
    outline would be."""
    if one.candidates[0][0] != "1" or one.content.bare:
        return False
    box, far = one.content.box, OUTSIDE * outline.inner
    height, width = seen.image.shape[:2]
    x = min(max(round(box.x + (box.width - 1) / 2), 0), width - 1)
    above = np.arange(round(one.centre[1] - far), box.y - 1)
    below = np.arange(box.y + box.height + 1, round(one.centre[1] + far) + 1)
    column = seen.image[np.clip(np.concatenate([above, below]), 0, height - 1), x].astype(np.float32)
    to_ground = np.abs(column - one.content.ground).max(axis=1)
    # Other colours are the rim of the island to which the line leads, and one pixel may be a mixture of both.
    ground = (to_ground < np.abs(column - one.content.colour).max(axis=1)) & (to_ground < 0.5 * one.content.contrast)
    sides = ground[: len(above)], ground[len(above) :]
    return not any((side[1:] & side[:-1]).any() or len(side) == side.sum() == 1 for side in sides)


OUTSIDE = 0.62
"""Of the width of an island's inside: positions farther from its centre than this are outside."""

FAINTLY_LIKE = 0.25
"""The least correlation with the outline, relative to the usual one, of an island in another state: its rim is still at
the same position, though a frame around it may be far stronger."""

SAME_GROUND = 25.0
"""Grey levels by which the grounds of two islands of one state differ at most."""

CLEARLY = 0.9
"""How probable a number must be that makes an island without the islands' own outline."""


def is_number(one: Island, height: float) -> bool:
    """Whether the ink of an island is about as high as the other numbers: a line that runs through it is higher."""
    return NUMBER[0] * height <= one.content.box.height <= NUMBER[1] * height


NUMBER = (0.7, 1.35)
"""The least and the greatest height of a number, in the usual one's: old-style numerals differ that much."""


def neighbours(one: Island, chart: Chart) -> int:
    """On how many of its four sides an island touches another island of ``chart``, or nearly so."""
    x, y = one.centre
    found = set()
    for other in chart.islands.values():
        across, down = other.centre[0] - x, other.centre[1] - y
        if abs(down) < SAME_LINE * chart.height and 0 < abs(across) < TOUCHING * chart.width:
            found.add((across > 0, False))
        if abs(across) < SAME_LINE * chart.width and 0 < abs(down) < TOUCHING * chart.height:
            found.add((down > 0, True))
    return len(found)


TOUCHING = 1.2
"""Of an island's size: within this distance, the side of the next island may be taken for a side of this one."""


def has_room(one: Island, islands: Iterable[Island], outline: Outline) -> bool:
    """Whether no island next to it in its row or column covers a part of it: the sides of islands that touch at their
    corners form a box of the same size."""
    for other in islands:
        across, down = abs(one.centre[0] - other.centre[0]), abs(one.centre[1] - other.centre[1])
        if min(across, down) < SAME_LINE * outline.inner and max(across, down) < 0.95 * outline.inner:
            return False
    return True
