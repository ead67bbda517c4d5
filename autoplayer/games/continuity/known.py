"""A relaxation of the level in which some tiles are known and the others interchangeable: few states if few tiles
matter, whatever the board.

Hopeful (optimistic): an unknown tile is whatever the figure wishes when it enters it, so a plan's cost is a lower bound
for every plan. Wary (pessimistic): the figure never enters an unknown tile, so each plan is a plan of the level itself.
If a hopeful plan enters known tiles only, both agree, and it is a cheapest plan of the level.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.routes import Routes
from autoplayer.games.continuity.sketch import Fan, Sketch
from autoplayer.games.continuity.world import BLANK, OPPOSITE
from autoplayer.search.astar import Ints

MOST_BITS = 62
"""The bits of the integers that encode states."""


def fits(routes: Routes, known: int) -> bool:
    """Whether states with so many known tiles fit into an integer."""
    stop, cell = _bits(routes)
    return stop + cell * (known + 2) <= MOST_BITS


def _bits(routes: Routes) -> tuple[int, int]:
    """How many bits a stop and a cell of the board take."""
    board = routes.world.board
    assert board is not None
    return (len(routes.stops) - 1).bit_length(), (board.rows * board.columns - 1).bit_length()


class Known:
    """A state is encoded, from the lowest bits on, as the stop, the figure's cell, the empty cell, and the cells of the
    known tiles."""

    def __init__(self, routes: Routes, known: Sequence[int], sketches: Sequence[Sketch], *, wary: bool) -> None:
        board = routes.world.board
        assert board is not None
        self.routes = routes
        self.known = list(known)
        self.wary = wary
        stop, self._bits = _bits(routes)
        self._shifts = [stop + n * self._bits for n in range(len(self.known) + 2)]
        self._stop = (1 << stop) - 1
        self.size = 1 << stop + self._bits * (len(self.known) + 2)
        self.slide = board.slide
        self.sketches = [sketch for sketch in sketches if sketch.known is None or sketch.known in self.known]
        self._beside = np.array(board.beside, np.int64)
        self._near = board.beside
        self._fan = Fan(routes)
        self._back = Fan(routes, backwards=True)
        self._goal = np.zeros(len(routes.stops), np.bool_)
        self._goal[list(routes.goals)] = True
        where = [board.cells.index(tile) for tile in [routes.tile(0), BLANK, *self.known]]
        self.start = self._together(0, where)

    def _split(self, states: Ints) -> tuple[Ints, list[Ints]]:
        """The stop; the figure's cell, the empty one, those of the known tiles."""
        cell = (1 << self._bits) - 1
        return states & self._stop, [states >> shift & cell for shift in self._shifts]

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        stops, cells = self._split(states)
        empty = cells[1]
        near = self._beside[empty]
        origin, side = np.nonzero(near >= 0)
        at = near[origin, side]
        away = at - empty[origin]
        # What a state grows by where all that lies in the cell goes on by one cell.
        there = np.zeros(len(origin), np.int64)
        for shift, cell in zip(self._shifts, cells, strict=True):
            if cell is not empty:
                there += (cell[origin] == at) << shift
        moved = states[origin] + away * ((1 << self._shifts[1]) - there)
        yield origin, moved, self.slide
        origin, hops = self._fan.of(stops)
        figure, side, into = cells[0][origin], self._fan.side[hops], self._fan.into[hops]
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
        moved = states[origin] + ((to - figure)[chosen] << self._shifts[0]) + self._fan.to[hops] - stops[origin]
        yield origin, moved, self._fan.cost[hops]

    def before(self, state: int) -> Iterator[tuple[int, int]]:
        stop, cells = self._taken_apart(state)
        figure, empty = cells[:2]
        # Of equal ways one is taken that hops late and far: it flies less.
        hops = self._back.hop[self._back.begin[stop] : self._back.begin[stop + 1]].tolist()
        for at in sorted(hops, key=lambda at: -int(self.routes.hops.cost[at])):
            a, _, cost, tile, side, _ = (int(values[at]) for values in self.routes.hops)
            came = figure
            if side >= 0:
                came = self._near[figure][OPPOSITE[side]]
                if came < 0 or came == empty or self._at(cells, came) not in (tile, self._other(tile)):
                    continue
                if tile in self.known and self._at(cells, came) != tile:
                    continue
            yield state + ((came - figure) << self._shifts[0]) + a - stop, cost
        for new in self._near[empty]:
            if new >= 0:
                yield self._together(stop, [self._swapped(cell, empty, new) for cell in cells]), self.slide

    @staticmethod
    def _swapped(cell: int, one: int, other: int) -> int:
        return other if cell == one else one if cell == other else cell

    def _other(self, tile: int) -> int:
        """The value of :meth:`_at` for a cell with an unknown tile."""
        return tile if tile in self.known else BLANK

    def _at(self, cells: Sequence[int], cell: int) -> int:
        """The known tile in a cell; ``BLANK`` if there is none."""
        return next((tile for tile, own in zip(self.known, cells[2:], strict=True) if own == cell), BLANK)

    def _taken_apart(self, state: int) -> tuple[int, list[int]]:
        cell = (1 << self._bits) - 1
        return state & self._stop, [state >> shift & cell for shift in self._shifts]

    def _together(self, stop: int, cells: Sequence[int]) -> int:
        for cell, shift in zip(cells, self._shifts, strict=True):
            stop |= cell << shift
        return stop

    def estimate(self, states: Ints) -> Ints:
        stops, cells = self._split(states)
        best = np.zeros(len(states), np.int64)
        for sketch in self.sketches:
            other = None if sketch.known is None else cells[2 + self.known.index(sketch.known)]
            np.maximum(best, sketch.cost[sketch.code(cells[0], cells[1], other, stops)], out=best)
        return best

    def goal(self, states: Ints) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._goal[states & self._stop]
        return found

    def moves(self, path: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The moves along a path: the direction of the empty cell, by the side's number, and -1; or -1 and a hop's
        number."""
        hops = self.routes.hops
        for one, other in itertools.pairwise(path):
            stop, cells = self._taken_apart(one)
            to, after = self._taken_apart(other)
            if cells[1] != after[1]:
                yield self._near[cells[1]].index(after[1]), -1
                continue
            between = self._fan.hop[self._fan.begin[stop] : self._fan.begin[stop + 1]].tolist()
            wanted = [hop for hop in between if hops.b[hop] == to]
            wanted = [
                hop
                for hop in wanted
                if after[0] == (cells[0] if hops.side[hop] < 0 else self._near[cells[0]][hops.side[hop]])
            ]
            yield -1, min(wanted, key=lambda hop: int(hops.cost[hop]))

    def visited(self, path: Sequence[int]) -> list[int]:
        """The tiles that the figure visits on a path, each once, in order."""
        return list(dict.fromkeys(self.routes.tile(state & self._stop) for state in path))
