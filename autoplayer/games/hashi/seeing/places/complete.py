"""Islands that show no number because they have all their links: blank discs, or discs with a tick.

Windows that draw these usually count down: the other numbers then say what remains, and not what the level asks for
(see ``remaining``).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image, largest_channel
from autoplayer.games.hashi.seeing.places.chart import Chart, extended
from autoplayer.games.hashi.seeing.places.looks import free_cells
from autoplayer.games.hashi.seeing.places.outline import View, climbed, pixels, presence

BEYOND = 2
"""Rows and columns beyond the islands that are known in which such islands are looked for."""

SHOWS = 30.0
"""Grey levels by which, in some channel, a bridge, or an island, differs from the water beside it at least."""

EVEN = 14.0
"""Grey levels by which the inside of a blank island differs from its middle at most."""

NEARLY, THE_SAME = 0.55, 0.8
"""The correlation with the outline, relative to the usual one, from which a place is examined closely, and that of an
island drawn as the others are."""

INSIDE, ROUND_OUTSIDE, SQUARE_OUTSIDE, LEADS = 0.3, 0.44, 0.57, 0.62
"""Of an island's size: a distance from its middle that is surely inside; one that is outside, in both directions at
once, for a round and for a square island; and one that is on a bridge that leads away from it."""

BESIDE = 0.42
"""Of an island's size: how far from the middle of its way there is water on both sides of a bridge, and not of the rim
of a board or of a button."""

FILLED, AS_FILLED = 5.0, 0.5
"""The difference in grey levels (three times the noise is added) between filled islands and the water around them; and
the share of the usual difference for a further one."""

LARGEST = 0.85
"""Of the pitch: between islands that are larger, their neighbours look like bridges, and their rims like an island."""

ASIDE, FARTHER = 0.14, 1.15
"""Of an island's size: the offset of one of two lines from the middle of their way; and a factor for the distance from
an island at which there must still be no line: a grid's line is thinner."""

_AXES = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float64)
_CORNERS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)], np.float64)
_WAYS = np.concatenate([LEADS * _AXES + k * ASIDE * _AXES[:, ::-1] for k in (-1, 0, 1)])
_BESIDE = np.concatenate([LEADS * _AXES + k * BESIDE * _AXES[:, ::-1] for k in (-1, 1)])


def without_numbers(seen: View, chart: Chart) -> tuple[Chart, list[Cell]]:
    """The places of the lattice without a number that show an island from which a bridge leads away, on the lattice of
    the returned chart, which may have more rows and columns than ``chart``."""
    size = seen.image.shape[1], seen.image.shape[0]
    wider = extended(chart, size, BEYOND)
    free = list(free_cells(wider))
    places = np.array([(wider.xs[c], wider.ys[r]) for r, c in free]).reshape(-1, 2)
    round_ = chart.outline.round
    far = (ROUND_OUTSIDE if round_ else SQUARE_OUTSIDE) * chart.size
    if not len(places) or chart.size > LARGEST * min(chart.pitch_x, chart.pitch_y):
        return wider, []
    water = _colours(seen.image, places, np.concatenate([far * _CORNERS, FARTHER * far * _CORNERS]))
    ways = _ways(seen.image, places, chart.size, water.mean(axis=1))
    leads = ways.any(axis=1)
    places, water, index = places[leads], water[leads], np.flatnonzero(leads)
    if not len(places):
        return wider, []
    spots = INSIDE * chart.size * np.concatenate([_AXES, 0.7 * _CORNERS])
    middle = _colours(seen.image, places, np.zeros((1, 2)))
    blank = (_away(_colours(seen.image, places, spots), middle[:, 0]) <= EVEN).all(axis=1)
    blank &= (_away(water, middle[:, 0]) >= SHOWS).all(axis=1)
    known = np.array([one.centre for one in chart.islands.values()])
    least = float(np.median(presence(seen, chart.outline, known)))
    likely = ~blank & (presence(seen, chart.outline, places) >= NEARLY * least)
    _, like = climbed(seen, chart.outline, places[likely], (1, 1))
    like[~_filled(seen, chart.size, known, places[likely], far)] = 0.0
    shown = [*index[blank], *index[likely][like >= THE_SAME * least]]
    at = dict(zip(wider.islands, _known_ways(seen, chart), strict=True))
    found = {free[int(k)]: ways[int(k)] for k in sorted(shown)}
    return wider, _reached(seen.image, wider, at, found)


def leads_away(seen: View, chart: Chart) -> bool:
    """Whether something leads away from an island, as a bridge does, even to where none is known."""
    return bool(_known_ways(seen, chart).any())


def _known_ways(seen: View, chart: Chart) -> NDArray[np.bool_]:
    """Where something leads away from each island of ``chart``, as :func:`_ways`."""
    known = np.array([one.centre for one in chart.islands.values()])
    far = (ROUND_OUTSIDE if chart.outline.round else SQUARE_OUTSIDE) * chart.size
    around = _colours(seen.image, known, np.concatenate([far * _CORNERS, FARTHER * far * _CORNERS])).mean(axis=1)
    return _ways(seen.image, known, chart.size, around)


def _ways(image: Image, places: Floats, size: float, water: Floats) -> NDArray[np.bool_]:
    """Where something leads away from each of ``places`` with water, ``(N, 3)``, on both sides of it: to the right,
    down, to the left, up, shape ``(N, 4)``."""
    there = (_away(_colours(image, places, size * _WAYS), water) >= SHOWS).reshape(len(places), 3, 4).any(axis=1)
    beside = (_away(_colours(image, places, size * _BESIDE), water) >= SHOWS).reshape(len(places), 2, 4).any(axis=1)
    return np.asarray(there & ~beside)


def _reached(
    image: Image, chart: Chart, known: Mapping[Cell, NDArray[np.bool_]], found: Mapping[Cell, NDArray[np.bool_]]
) -> list[Cell]:
    """Those of the cells that were ``found`` to which ways lead from the ``known`` ones, or from one another: the way
    of one cell leads to the next cell in its direction, and that cell's way leads back."""
    every = {**known, **found}
    reached, open_ones = set(known), list(known)
    while open_ones:
        r, c = open_ones.pop()
        for way in np.flatnonzero(every[r, c]).tolist():
            dx, dy = _AXES[way].astype(int).tolist()
            ahead = [(a, b) for a, b in every if ((b - c) * dx > 0 and a == r) or ((a - r) * dy > 0 and b == c)]
            after = min(ahead, key=lambda cell: abs(cell[0] - r) + abs(cell[1] - c), default=(r, c))
            leads_back = after not in reached and every[after][(way + 2) % 4]
            if leads_back and _runs_on(image, chart, (r, c), after):
                reached.add(after)
                open_ones.append(after)
    return [cell for cell in found if cell in reached]


def _runs_on(image: Image, chart: Chart, one: Cell, other: Cell) -> bool:
    """Whether something is drawn halfway between every two consecutive places from one cell to another, in a row or a
    column."""
    count = abs(one[0] - other[0]) + abs(one[1] - other[1])
    ends = [np.array([chart.xs[c], chart.ys[r]]) for r, c in (one, other)]
    aside = (ends[1] - ends[0])[::-1] / max(float(np.linalg.norm(ends[1] - ends[0])), 1.0) * chart.size
    halfway = np.array([ends[0] + (k + 0.5) / count * (ends[1] - ends[0]) for k in range(count)])
    upon = _colours(image, halfway, np.array([k * ASIDE * aside for k in (-1, 0, 1)]))
    beside = _colours(image, halfway, np.array([k * BESIDE * aside for k in (-1, 1)]))
    return bool((_away(upon, beside.mean(axis=1)) >= SHOWS).any(axis=1).all())


def _filled(seen: View, size: float, known: Floats, places: Floats, far: float) -> NDArray[np.bool_]:
    """Those of ``places`` whose colour differs from the water around them, as that of the ``known`` islands does; all
    of them if that of the known islands does not. Measured on the diagonals, where no bridge runs."""

    def depth(of: Floats) -> Floats:
        inside = _colours(seen.image, of, INSIDE * size * 0.7 * _CORNERS)
        water = _colours(seen.image, of, FARTHER * far * _CORNERS)
        return np.asarray(np.median(largest_channel(np.abs(inside - water)), axis=1))

    usual = float(np.median(depth(known)))
    if usual < FILLED + 3 * seen.noise:
        return np.ones(len(places), bool)
    return np.asarray(depth(places) >= AS_FILLED * usual) if len(places) else np.zeros(0, bool)


def _colours(image: Image, places: Floats, offsets: NDArray[np.float64]) -> Floats:
    """The colours at ``offsets``, shape ``(M, 2)``, from each of ``places``, shape ``(N, 2)``, BGR: ``(N, M, 3)``."""
    spots = pixels(places[:, None] + offsets[None])
    xs, ys = np.clip(spots[..., 0], 0, image.shape[1] - 1), np.clip(spots[..., 1], 0, image.shape[0] - 1)
    return np.asarray(image[ys, xs], np.float64)


def _away(colours: Floats, from_: Floats) -> Floats:
    """How far ``colours``, shape ``(N, M, 3)``, are from one colour for each place, ``(N, 3)``, in the channel that
    differs most."""
    far: Floats = largest_channel(np.abs(colours - from_[:, None]))
    return far
