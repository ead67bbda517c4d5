"""Finds the boundaries of the rooms of a board by the lattice of their walls.

Something around a board or around each of its tiles (the margin of a panel, a line, a mat) may look like a part of
them, and a narrow gap between tiles may not look like one. Then the walls' edges lie on no lattice of cells that
divides the tiles evenly; but they lie on one that divides the remainder after a strip along the sides is removed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from autoplayer.core.deadline import heed
from autoplayer.core.frame import Box, Floats
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.borders import Axis
from autoplayer.games.continuity.seeing.walls.cells import edge_weights

FEWEST, MOST = 4, 40
"""The least and the most cells along a side of a tile."""
FINEST = 7.0
"""The least size of a cell in pixels: smaller ones would fit any edges if their size is free."""
WIDEST = 0.09
"""The greatest width of a strip along a side, as a share of a tile's length."""
STRIP = 0.6
"""The same as a share of a cell: a broader strip has cells of its own."""
OUTSIDE, OUTSIDE_SHARE, OUTSIDE_CELL = 2, 0.015, 0.28
"""By how much a tile may be larger than it seemed, at each side: so many pixels; in a large one so much of its length,
because a line round it grows with it; and so much of a cell, if a frame of the page's colour hides a part of the
outermost cells."""
SLACK, SLACK_SHARE, SOFT_SHARE = 1.0, 0.035, 0.1
"""The tolerance of an edge beside the lattice: pixels; for large cells this share, because they may have been enlarged;
and the share if no lattice is found otherwise, because lines round enlarged walls are soft."""
LINE = 6
"""A line round walls that was not recognised as part of them takes at most one in so many parts of a cell; walls may
also seem a pixel larger than they are, if their edges are soft."""
FIT = 0.94
"""The share of all edges that lie on the lattice."""
PLACES, FEW_PLACES = 5, 3
"""The least number of its lines that must carry edges, and the same if the size of cells is known from the other
direction."""
SQUARE = 1.15
"""The greatest ratio between the sides of a cell."""
MOVED = 0.003
"""The penalty for moving a tile by a pixel, in pixels of deviation from the lattice."""
MOST_EDGES = 160
"""The number of the longest edges that are used."""
TRIED = 3
"""The number of lattices that are tried in each direction."""
MOST_LENGTHS = 8000
"""How many lengths of tiles are tried at most: rooms need a few hundred, and another game's board may need minutes."""


class _Fit(NamedTuple):
    """A lattice of so many cells in each tile: the first tile begins at ``begin`` pixels from where it seemed to, is
    ``length`` long, and ``step`` pixels from the next."""

    number: int
    begin: int
    length: float
    step: int


def trimmed(
    boxes: Sequence[Box],
    rows: int,
    columns: int,
    cells: Sequence[int],
    solid: Bools,
    coarser: float,
    finer: float = math.inf,
    *,
    soft: bool = False,
) -> tuple[Axis, Axis] | None:
    """The rows and columns of a board whose rooms lie on a lattice, if those of its tiles do not: ``boxes`` and
    ``cells`` row by row, a negative number for the empty place; ``solid``: shape ``(tiles, height, width)``. None if no
    such lattice is found with cells of ``coarser`` to ``finer`` pixels. ``soft``: whether to allow a larger tolerance
    if edges fit none closely."""
    tiles = np.array(cells).reshape(rows, columns)
    starts = [box.y for box in boxes[::columns]], [box.x for box in boxes[:columns]]
    weights = []
    for way in (0, 1):
        some: list[Floats] = []
        for line in tiles if way == 0 else tiles.T:
            masks = solid[[tile for tile in line if tile >= 0]]
            some.append(edge_weights(masks if way else masks.transpose(0, 2, 1)))
        weights.append(np.stack(some))
    tries = iter(range(MOST_LENGTHS))
    for slack in (SLACK_SHARE, SOFT_SHARE) if soft else (SLACK_SHARE,):
        found = [_fits(weights[way], starts[way], coarser, finer, PLACES, slack, tries) for way in (0, 1)]
        for way in (0, 1):
            if not found[way] and found[1 - way]:  # few edges say where cells are whose size is known
                high = found[1 - way][0].length / found[1 - way][0].number
                found[way] = _fits(weights[way], starts[way], high / SQUARE, high * SQUARE, FEW_PLACES, slack, tries)
        for down in found[0]:
            for across in found[1]:
                wide, high = across.length / across.number, down.length / down.number
                if 1 / SQUARE <= wide / high <= SQUARE:
                    return _axis(starts[0][0], rows, down), _axis(starts[1][0], columns, across)
    return None


def _axis(first: int, count: int, fit: _Fit) -> Axis:
    length = round(fit.length)
    starts = tuple(first + fit.begin + n * fit.step for n in range(count))
    return Axis(starts, length, fit.step > length)


def _fits(
    weights: Floats,
    places: Sequence[int],
    coarser: float,
    finer: float,
    least: int,
    slack: float,
    tries: Iterator[int],
) -> list[_Fit]:
    """Lattices on which edges lie, the coarsest first; ``weights``: for each of the places in a row, on each side of a
    wall, how many pixels of edges are at each distance from its beginning; ``coarser``, ``finer``: the least and the
    most pixels of a cell; ``least``: the least number of lines with edges; ``slack``: the tolerance as a share of a
    cell; ``tries``: an item for each length of a tile that may still be tried."""
    length = weights.shape[2] - 1
    step = round((places[-1] - places[0]) / (len(places) - 1))
    tile, side, at = np.nonzero(weights)
    heavy = weights[tile, side, at]
    inner = (at > 0) & (at < length)
    inner[np.argsort(-np.where(inner, heavy, 0.0))[MOST_EDGES:]] = False
    tile, side, at = tile[inner], side[inner], at[inner]
    # Where each tile was cut out is known to the pixel, where it should have been cut is sought.
    at = at + np.array(places)[tile] - places[0] - tile * step
    points = _Points(tile, side, at, heavy[inner], len(places), step, length, slack, tries)
    counts = range(max(FEWEST, math.ceil(length / finer)), min(MOST, int(length / max(FINEST, coarser))) + 1)
    for lines in ((0,), (-1,), None):
        found: list[_Fit] = []
        for count in counts:
            if len(found) < TRIED and not any(count % each.number == 0 for each in found):
                widths = lines or range(1, max(int(length / count / LINE), 1) + 1)
                fits = [fit for width in widths if (fit := points.fit(count, width, least))]
                found += [max(fits)[1]] if fits else []
        if found:
            return found
    return []


class _Points(NamedTuple):
    """Edges: the index of their tile, which side of a wall they are, their position relative to the tile's beginning if
    all tiles were ``step`` apart, and their length. ``slack``: the tolerance as a share of a cell; ``tries``: an item
    for each length that may still be tried."""

    tile: NDArray[np.int64]
    side: NDArray[np.int64]
    at: NDArray[np.int64]
    weight: Floats
    tiles: int
    step: int
    length: int
    slack: float
    tries: Iterator[int]

    def outside(self, count: int) -> int:
        """Pixels by which a tile of so many cells may be larger than it seemed, at each side."""
        return max(OUTSIDE, int(OUTSIDE_SHARE * self.length), round(OUTSIDE_CELL * self.length / count))

    def fit(self, count: int, line: int, least: int) -> tuple[float, _Fit] | None:
        """How good the best lattice of so many cells in each tile is, and which; ``line``: how wide a line round walls
        is that belongs to them and was not seen as a part of them, less than 0 where more was; ``least``: so many of
        its lines are met."""
        at = self.at + np.where(self.side > 0, -line, line)
        most = max(round(WIDEST * self.length), 3)
        longest = np.arange(self.length - 2 * most, self.length + 2 * self.outside(count) + 1)
        longest = longest[self._may_fit(at, count, longest, most)]
        heavy = np.zeros((at.max(initial=0) - at.min(initial=0) + 1, self.tiles))
        np.add.at(heavy, (at - at.min(initial=0), self.tile), self.weight)
        fits = (
            self._placed(at, heavy, count, float(long), most, least)
            for _, long in zip(self.tries, longest, strict=False)
        )
        return max((fit for fit in fits if fit), default=None)

    def _may_fit(self, at: NDArray[np.int64], count: int, longest: NDArray[np.int64], most: int) -> Bools:
        """The possible lengths of a lattice, by the periodicity of each tile's edges: the phases of edges on
        equidistant lines point in one direction. Edges near a tile's ends may not belong to the lattice."""
        pitch = longest / count
        inner = (at[:, None] > most + 0.3 * pitch) & (at[:, None] < longest - self.outside(count) - 0.3 * pitch)
        turned = np.where(inner, self.weight[:, None], 0.0) * np.exp(2j * np.pi * at[:, None] / pitch)
        owner = self.tile[:, None] == np.arange(self.tiles)
        together = np.abs(owner.T @ turned).sum(axis=0)
        inside = (inner * self.weight[:, None]).sum(axis=0)
        missed = (1 - FIT) * self.weight.sum()
        found: Bools = (
            together
            >= np.cos(np.minimum(2 * np.pi * np.maximum(SLACK / pitch, self.slack), np.pi)) * (inside - missed) - missed
        )
        return found

    def _placed(
        self, at: NDArray[np.int64], heavy: Floats, count: int, long: float, most: int, least: int
    ) -> tuple[float, _Fit] | None:
        """The best place of tiles of this length. ``heavy``: the length of edges at each position from the first one on
        in each tile, shape ``(positions, tiles)``."""
        heed()
        pitch, numbers = long / count, np.arange(self.tiles)
        slack = max(SLACK, self.slack * pitch)
        most, outside = min(most, round(STRIP * pitch)), self.outside(count)
        reach = most * (self.tiles - 1) + max(most, outside)
        begins = np.arange(-reach, reach + 1)
        # How far an edge is from a line depends on its distance from the tile's beginning only.
        cells = np.arange(at.min(initial=0) - reach, at.min(initial=0) + len(heavy) + reach) / pitch
        beside = np.abs(cells - np.round(cells)) * pitch
        inside = (cells > 0.3) & (cells < count - 0.3)
        each = np.stack([inside & (beside <= slack), inside, inside * np.minimum(beside, slack)])
        hits, totals, off = sliding_window_view(each, len(heavy), axis=1)[:, ::-1] @ heavy
        if hits.max(axis=0).sum() < FIT * totals.min(axis=0).sum():
            return None
        more, first = np.arange(-most, most + 1)[:, None], np.arange(-outside, most + 1)
        end = (self.tiles - 1) * more + first + long - self.length
        step, widest = self.step + more, long + self.step - self.length + 2 * most
        fits = (end >= -most) & (end <= outside) & (step >= long - 1) & (step <= widest)
        places = (first + reach)[:, None] + more[..., None] * numbers
        total = totals[places, numbers].sum(axis=2)
        fits &= (hits[places, numbers].sum(axis=2) >= FIT * total) & (total > 0)
        if not fits.any():
            return None
        worth = -off[places, numbers].sum(axis=2) / np.maximum(total, 1)
        worth -= MOVED * (np.abs(first) + np.abs(end) + np.abs(more))
        worth[~fits] = -np.inf
        for row in np.argsort(-worth.max(axis=1), kind="stable"):
            n = int(worth[row].argmax())
            if not fits[row, n]:
                break
            lines = (at - begins[places[row, n]][self.tile]) / pitch
            if len(np.unique(np.round(lines)[np.abs(lines - np.round(lines)) * pitch <= slack])) >= least:
                return float(worth[row, n]), _Fit(count, int(first[n]), long, int(step[row, 0]))
        return None
