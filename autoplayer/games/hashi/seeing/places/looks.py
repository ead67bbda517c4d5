"""The colours of a board's islands and of its water: they tell an island whose outline is hidden (by a pointer,
bridges, neighbours that touch it, a cursor around it) from crossing lines. Knows no numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.numbers import LEGIBLE
from autoplayer.games.hashi.seeing.places.outline import View, pixels, some_of


@dataclass(frozen=True)
class Kind:
    """The look of the islands of one state. ``colours``: BGR at each offset, shape ``(M, 3)``. ``told``: the offsets at
    which all of them show that colour, and the water another; shape ``(M,)``. ``close``: the tolerance for a colour
    there, shape ``(M,)``."""

    colours: Floats
    told: NDArray[np.bool_]
    close: Floats


@dataclass(frozen=True)
class Looks:
    """``offsets``: ``(dx, dy)`` from an island's centre, shape ``(M, 2)``. ``water``: the colour there at a place
    without an island, shape ``(M, 3)``; ``free``: the colours at some such places, shape ``(F, M, 3)``. ``usual``: how
    much of their kind's look islands usually show."""

    offsets: NDArray[np.int32]
    water: Floats
    free: Floats
    kinds: tuple[Kind, ...]
    usual: float


def learn(seen: View, chart: Chart) -> Looks | None:
    """The looks of the legible islands; None if there are too few of them, or no water to compare with."""
    islands = tuple((cell, one.centre, one.probability > LEGIBLE) for cell, one in chart.islands.items())
    key = islands, chart.xs, chart.ys, chart.width, chart.height, chart.core
    if key not in seen.learned:
        seen.learned[key] = _learned(seen, chart)
    return cast("Looks | None", seen.learned[key])


def _learned(seen: View, chart: Chart) -> Looks | None:
    clear = np.array([one.centre for one in chart.islands.values() if one.probability > LEGIBLE])
    free = np.array([(chart.xs[c], chart.ys[r]) for r, c in free_cells(chart)]).reshape(-1, 2)
    if len(clear) < FEWEST or len(free) < FEWEST:
        return None
    offsets = _offsets(chart)
    bare = _colours(seen, offsets, free[:: max(1, len(free) // MOST_WATER)])
    water = np.median(bare, axis=0)
    shown = _colours(seen, offsets, clear)
    level = SAME + 3 * seen.noise
    beside = np.hypot(*offsets.T) > 0.5 * chart.core
    kinds = []
    for members in _states(shown, level):
        colours = np.median(shown[members], axis=0)
        agree = (_apart(shown[members], colours) < 2 * level).mean(axis=0)
        apart = _apart(colours, water)
        # Where only two or three look alike, their numbers may be the same.
        told = (agree >= STEADY) & (apart >= 2 * SAME) & (beside | (len(members) > 3))
        if told.sum() >= LEAST_TOLD * len(offsets):
            kinds.append(Kind(colours, told, np.minimum(level, CLOSER * apart)))
    if not kinds:
        return None
    found = Looks(offsets, np.asarray(water, np.float32), bare, tuple(kinds), 1.0)
    usual = float(np.median(likeness(seen, found, clear)))
    return replace(found, usual=usual) if usual >= LEAST_USUAL else None


def likeness(seen: View, looks: Looks, centres: Floats) -> Floats:
    """The share of an island's look that each of ``centres``, shape ``(N, 2)``, shows, relative to the usual share; for
    a centre near the picture's edge, of the part inside."""
    best = _shares(seen, looks, centres)
    # A place of the lattice may be a pixel off the island's centre.
    nearly = np.flatnonzero((best > PERHAPS[0] * looks.usual) & (best < PERHAPS[1] * looks.usual))
    for shift in SHIFTS if len(nearly) else ():
        best[nearly] = np.maximum(best[nearly], _shares(seen, looks, centres[nearly] + np.array(shift)))
    return np.asarray(best / looks.usual, np.float64)


def nearest_like(seen: View, looks: Looks, centres: Floats) -> tuple[Floats, Floats]:
    """``centres``, shape ``(N, 2)``, each moved by up to two pixels to where most of an island's look is shown, and the
    share of it relative to the usual one: far from the islands the lattice is known less well."""
    steps = np.array([(dx, dy) for dy in range(-2, 3) for dx in range(-2, 3)], np.float64)
    shares = np.stack([_shares(seen, looks, centres + step) for step in steps])
    best = shares.argmax(axis=0)
    return centres + steps[best], np.asarray(shares.max(axis=0) / looks.usual, np.float64)


def _shares(seen: View, looks: Looks, centres: Floats) -> Floats:
    """The share of the look of the best kind that each of ``centres`` shows."""
    best = np.zeros(len(centres))
    if not len(centres):
        return best
    shown = _colours(seen, looks.offsets, centres)
    spots = pixels(centres)
    low, high = spots.min(axis=0) + looks.offsets.min(axis=0), spots.max(axis=0) + looks.offsets.max(axis=0)
    if (low >= 0).all() and (high < seen.image.shape[1::-1]).all():
        inside = np.ones(shown.shape[:2], np.bool_)
    else:
        around = spots[:, None] + looks.offsets[None]
        inside = np.asarray(((around >= 0) & (around < seen.image.shape[1::-1])).all(axis=2), np.bool_)
    for kind in looks.kinds:
        here = inside[:, kind.told]
        close = (_apart(shown[:, kind.told], kind.colours[kind.told]) < kind.close[kind.told]) & here
        best = np.maximum(best, close.sum(axis=1) / np.maximum(here.sum(axis=1), 1))
    return best


def _apart(some: Floats, other: Floats) -> Floats:
    """The difference between colours (the last axis) in the channel that differs most."""
    away = np.abs(some - other)
    return np.asarray(np.maximum(np.maximum(away[..., 0], away[..., 1]), away[..., 2]), np.float32)


def emptiness(seen: View, looks: Looks, centres: Floats) -> Floats:
    """The share of the offsets at which each of ``centres`` shows water where an island of the commonest kind would
    not."""
    kind = looks.kinds[0]
    shown = _colours(seen, looks.offsets, centres)[:, kind.told]
    return np.asarray((_apart(shown, looks.water[kind.told]) < kind.close[kind.told]).mean(axis=1))


def is_bare(seen: View, looks: Looks, asked: Floats, others: Floats, size: float) -> NDArray[np.bool_]:
    """Whether each of the places ``asked``, shape ``(N, 2)``, is a crossing or a piece of a line between islands: apart
    from the lines that may run through it, and from its neighbours, which are among the ``others`` and ``size`` wide,
    it shows water wherever an island would not."""
    dx, dy = looks.offsets.T
    beside = looks.kinds[0].told & (np.minimum(np.abs(dx), np.abs(dy)) > LINES_WITHIN * size)
    close = looks.kinds[0].close[beside]
    shown = _colours(seen, looks.offsets, asked)
    like = np.zeros((len(asked), int(beside.sum())), np.bool_)
    for kind in looks.kinds:
        like |= ((_apart(shown, kind.colours) < kind.close) & kind.told)[:, beside]
    # Grid lines may be displaced by a pixel here compared with most other places.
    water = (_apart(shown[:, None, beside], looks.free[None, :, beside]) < close).mean(axis=1) >= MET_ELSEWHERE
    quarter = np.array([(dx * sx > 0) & (dy * sy > 0) for sx in (-1, 1) for sy in (-1, 1)])[:, beside]
    spots = pixels(asked)[:, None] + looks.offsets[beside][None]
    result = np.zeros(len(asked), np.bool_)
    for is_round in (True, False):
        own = np.ones(like.shape, np.bool_)
        for k, place in enumerate(asked):
            beyond = np.abs(others - place).max(axis=1)
            away = np.abs(spots[k][:, None] - others[(beyond > 0.5 * size) & (beyond < 2 * size)][None])
            distance = np.hypot(away[..., 0], away[..., 1]) if is_round else away.max(axis=2)
            own[k] = distance.min(axis=1, initial=np.inf) > 0.5 * size + 2
        here = own[:, None] & quarter[None]
        count = here.sum(axis=2)
        known = count >= LEAST_QUARTER
        shows = (water[:, None] & here).sum(axis=2) / np.maximum(count, 1)
        share = (like & own).sum(axis=1) / np.maximum(own.sum(axis=1), 1)
        for least in BARE:
            bare = (shows >= least).all(axis=1, where=known) & (known.sum(axis=1) >= 2)
            result |= bare & (share <= NOT_LIKE * least)
    return result


MET_ELSEWHERE = 0.2
"""The least share of the free places that show a colour at the same offset for it to be the water's or a grid's."""

LINES_WITHIN = 0.17
"""Of an island's size, on each side of its middle: bridges and grid lines run within."""

LEAST_QUARTER = 3
"""How many offsets are needed to decide whether a quarter of an island is there."""

BARE, NOT_LIKE = (0.75, 0.5), 0.3
"""The least share of the offsets that show water, and the largest share of an island's look for each such share:
crossing grid lines leave less water, but still nothing of an island."""


def free_cells(chart: Chart) -> Iterator[Cell]:
    """The places of the lattice without a known island."""
    for r in range(len(chart.ys)):
        for c in range(len(chart.xs)):
            if (r, c) not in chart.islands:
                yield r, c


def with_room(chart: Chart) -> list[Cell]:
    """The free places at which an island would not overlap a known one in the next column or row: between such islands
    no bridge would be seen. Where known ones are so close, they are taken for larger than they are."""
    beside: list[Cell] = []
    for y, x, overlap in ((1, 0, chart.height > chart.pitch_y), (0, 1, chart.width > chart.pitch_x)):
        if overlap and not any((r + y, c + x) in chart.islands for r, c in chart.islands):
            beside += [(y, x), (-y, -x)]
    return [(r, c) for r, c in free_cells(chart) if not any((r + y, c + x) in chart.islands for y, x in beside)]


FEWEST = 4
"""Islands, and free places, from which looks are learned at least."""

MOST_WATER = 30
"""Free places that are looked at to know the water: more say nothing new."""

SAME = 12.0
"""Grey levels by which what is drawn in one colour may differ, in a channel, without any noise."""

CLOSER = 0.45
"""Of the distance between an island's colour and the water's: what is closer to the island's is the island's."""

STEADY = 0.7
"""The least share of a kind's islands that must show the same colour at an offset: on the others something may lie over
it."""

LEAST_TOLD = 0.04
"""The least share of the offsets that must distinguish an island from water: a thin ring covers a tenth of them."""

LEAST_USUAL = 0.5
"""How much of their look islands must usually show, for a place that shows as much to be one: less on a texture."""

MOST_OFFSETS = 160

PERHAPS = 0.25, 0.9
"""The share of the look from which a place is also examined a pixel to each side: with less it is not an island, with
more it is one."""

MOST_KINDS = 8
"""States of islands, or colours by number."""

SHIFTS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Pixels by which a place of the lattice may be beside the island."""


def _offsets(chart: Chart) -> NDArray[np.int32]:
    """Offsets spread evenly over an island with its outline."""
    half = 0.5 * max(chart.width, chart.height)
    reach = int(half)
    dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = (np.hypot(dx, dy) if chart.outline.round else np.maximum(np.abs(dx), np.abs(dy))) <= half
    offsets = np.stack([dx[inside], dy[inside]], axis=1).astype(np.int32)
    return offsets if len(offsets) <= MOST_OFFSETS else offsets[some_of(len(offsets), MOST_OFFSETS)]


def _colours(seen: View, offsets: NDArray[np.int32], centres: Floats) -> Floats:
    """The colour at each offset from each centre, BGR, shape ``(N, M, 3)``; the nearest one outside the picture."""
    height, width = seen.image.shape[:2]
    (x, y), (dx, dy) = pixels(centres).T, offsets.T
    across, down = (np.clip(at[:, None] + more, 0, most - 1) for at, more, most in ((x, dx, width), (y, dy, height)))
    return np.asarray(seen.image.reshape(-1, 3).take(down * width + across, axis=0), np.float32)


def _states(shown: Floats, level: float) -> Iterator[NDArray[np.intp]]:
    """The groups of islands that look alike, the largest first; ``shown``: shape ``(N, M, 3)``. An island that looks
    like no other is not an example of anything."""
    left = np.arange(len(shown))
    for _ in range(MOST_KINDS):
        tries = left[:: max(1, len(left) // MOST_KINDS)]
        near = [left[(_apart(shown[left], shown[one]) < level).mean(axis=1) > 0.5] for one in tries.tolist()]
        group = max(near, key=len, default=left[:0])
        if len(group) < 2:
            return
        yield group
        left = np.setdiff1d(left, group)
