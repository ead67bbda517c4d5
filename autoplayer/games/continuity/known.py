"""The level with some of its tiles known and the others alike: few states where few tiles matter, whatever the board.

Hopeful, a tile that is not known is whatever the figure wishes when it comes there, so that a plan costs what every
plan costs at least. Wary, the figure never enters one, so that each plan is a plan of the level itself. Where a hopeful
plan enters known tiles only the two are one, and it is a cheapest plan of the level.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.routes import Hop, Routes
from autoplayer.games.continuity.sketch import Hops, Sketch
from autoplayer.games.continuity.world import BLANK, OPPOSITE
from autoplayer.search.astar import Ints

MOST_SIZE = 1 << 62
"""States are numbers of 63 bits."""


def fits(routes: Routes, known: int) -> bool:
    """Whether so many known tiles make states that fit into a number."""
    board = routes.world.board
    assert board is not None
    size: int = (board.rows * board.columns) ** (known + 2) * len(routes.stops)
    return size < MOST_SIZE


class Known:
    """A state is, from its least part on, the stop, the figure's cell, the empty cell, and the cells of the known
    tiles."""

    def __init__(self, routes: Routes, known: Sequence[int], sketches: Sequence[Sketch], *, wary: bool) -> None:
        board = routes.world.board
        assert board is not None
        self.routes = routes
        self.known = list(known)
        self.wary = wary
        self.cells = board.rows * board.columns
        self.stops = len(routes.stops)
        self.size: int = self.cells ** (len(self.known) + 2) * self.stops
        self.slide = board.slide
        self.sketches = [sketch for sketch in sketches if sketch.known is None or sketch.known in self.known]
        self._weights: list[int] = [self.stops * self.cells**n for n in range(len(self.known) + 2)]
        self._beside = np.array(board.beside, np.int64)
        self._near = board.beside
        self._hops = Hops(routes)
        self._back = Hops(routes, backwards=True)
        self._goal = np.zeros(self.stops, np.bool_)
        self._goal[list(routes.goals)] = True
        where = [board.cells.index(tile) for tile in [routes.tile(0), BLANK, *self.known]]
        self.start = sum(cell * weight for cell, weight in zip(where, self._weights, strict=True))

    def _split(self, states: Ints) -> tuple[Ints, list[Ints]]:
        """The stop; the figure's cell, the empty one, those of the known tiles."""
        rest, stops = np.divmod(states, self.stops)
        cells = []
        for _ in range(len(self.known) + 1):
            rest, cell = np.divmod(rest, self.cells)
            cells.append(cell)
        return stops, [*cells, rest]

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        stops, cells = self._split(states)
        empty = cells[1]
        for towards in range(4):
            new = self._beside[empty, towards]
            has = np.flatnonzero(new >= 0)
            at, old = new[has], empty[has]
            moved = states[has] + (at - old) * self._weights[1]
            for weight, cell in zip(self._weights, cells, strict=True):
                if cell is not empty:
                    moved += np.where(cell[has] == at, (old - at) * weight, 0)
            yield has, moved, self.slide
        origin, hops = self._hops.of(stops)
        figure, side, into = cells[0][origin], self._hops.side[hops], self._hops.into[hops]
        crossing = side >= 0
        to = np.where(crossing, self._beside[figure, side], figure)
        legal = (to >= 0) & (to != empty[origin])
        strange = crossing.copy()
        for tile, cell in zip(self.known, cells[2:], strict=True):
            own = into == tile
            legal &= ~crossing | ((cell[origin] == to) == own)
            strange &= ~own
        if self.wary:
            legal &= ~strange
        chosen = np.flatnonzero(legal)
        origin, hops = origin[chosen], hops[chosen]
        moved = states[origin] + (to - figure)[chosen] * self._weights[0] + self._hops.to[hops] - stops[origin]
        yield origin, moved, self._hops.cost[hops]

    def before(self, state: int) -> Iterator[tuple[int, int]]:
        stop, cells = self._taken_apart(state)
        figure, empty = cells[:2]
        for hop in self._back.list[self._back.begin[stop] : self._back.begin[stop + 1]]:
            came = figure
            if hop.side >= 0:
                came = self._near[figure][OPPOSITE[hop.side]]
                if came < 0 or came == empty or self._at(cells, came) not in (hop.tile, self._other(hop.tile)):
                    continue
                if hop.tile in self.known and self._at(cells, came) != hop.tile:
                    continue
            yield state + (came - figure) * self._weights[0] + hop.a - stop, hop.cost
        for new in self._near[empty]:
            if new >= 0:
                yield self._together(stop, [self._swapped(cell, empty, new) for cell in cells]), self.slide

    @staticmethod
    def _swapped(cell: int, one: int, other: int) -> int:
        return other if cell == one else one if cell == other else cell

    def _other(self, tile: int) -> int:
        """What :meth:`_at` says of a cell in which such a tile lies."""
        return tile if tile in self.known else BLANK

    def _at(self, cells: Sequence[int], cell: int) -> int:
        """The known tile in a cell; ``BLANK`` where none is."""
        return next((tile for tile, own in zip(self.known, cells[2:], strict=True) if own == cell), BLANK)

    def _taken_apart(self, state: int) -> tuple[int, list[int]]:
        rest, stop = divmod(state, self.stops)
        cells = []
        for _ in range(len(self.known) + 1):
            rest, cell = divmod(rest, self.cells)
            cells.append(cell)
        return stop, [*cells, rest]

    def _together(self, stop: int, cells: Sequence[int]) -> int:
        for cell, weight in zip(cells, self._weights, strict=True):
            stop += cell * weight
        return stop

    def estimate(self, states: Ints) -> Ints:
        stops, cells = self._split(states)
        best = np.zeros(len(states), np.int64)
        for sketch in self.sketches:
            other = None if sketch.known is None else cells[2 + self.known.index(sketch.known)]
            np.maximum(best, sketch.cost[sketch.code(cells[0], cells[1], other, stops)], out=best)
        return best

    def goal(self, states: Ints) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._goal[states % self.stops]
        return found

    def moves(self, path: Sequence[int]) -> Iterator[int | Hop]:
        """What leads along a path: the direction in which the empty cell goes, by the side's number, or a hop."""
        for one, other in itertools.pairwise(path):
            stop, cells = self._taken_apart(one)
            to, after = self._taken_apart(other)
            if cells[1] != after[1]:
                yield self._near[cells[1]].index(after[1])
                continue
            between = self._hops.list[self._hops.begin[stop] : self._hops.begin[stop + 1]]
            wanted = [hop for hop in between if hop.b == to]
            wanted = [
                hop for hop in wanted if after[0] == (cells[0] if hop.side < 0 else self._near[cells[0]][hop.side])
            ]
            yield min(wanted, key=lambda hop: hop.cost)

    def visited(self, path: Sequence[int]) -> list[int]:
        """The tiles that the figure is in on a path, each once, in their order."""
        return list(dict.fromkeys(self.routes.tile(state % self.stops) for state in path))
