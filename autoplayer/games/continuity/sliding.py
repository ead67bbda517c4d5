"""The state spaces of a level with a board: arrangements times stops, and smaller ones that its estimates come from.

An arrangement says which cell each tile lies in, and which is empty. A slide changes it and leaves the figure at its
stop; a hop changes the stop, and needs that two tiles lie beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.routes import Hop, Routes
from autoplayer.games.continuity.world import BLANK, OPPOSITE, Board
from autoplayer.search.astar import Ints, distances
from autoplayer.search.deadline import Deadline


class Arrangements:
    """All arrangements that sliding reaches from a board's own, which is number 0.

    ``where``: shape ``(arrangements, tiles + 1)``, the cell of each tile and, last, the empty one. ``next``: shape
    ``(arrangements, 4)``, the arrangement after the empty cell went to each side; -1 past the edge.
    """

    def __init__(self, board: Board, deadline: Deadline) -> None:
        cells = board.rows * board.columns
        tiles = cells - 1
        self.board = board
        beside = np.array(board.beside, np.int64)
        first = np.array([[board.cells.index(tile) for tile in [*range(tiles), BLANK]]], np.uint8)
        weights = np.left_shift(np.uint64(1), np.arange(tiles + 1, dtype=np.uint64) * np.uint64(4))

        def code(where: NDArray[np.uint8]) -> NDArray[np.uint64]:
            packed: NDArray[np.uint64] = (where.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64)
            return packed

        levels, codes = [first], [code(first)]
        before = np.zeros(0, np.uint64)
        while len(levels[-1]):
            deadline.check()
            last = levels[-1]
            moved = np.concatenate([_moved(last, beside[:, side])[1] for side in range(4)])
            new, at = np.unique(code(moved), return_index=True)
            # A slide can be undone: what is reached again was reached two slides before.
            fresh = ~np.isin(new, before, assume_unique=True)
            before = codes[-1]
            levels.append(moved[at[fresh]])
            codes.append(new[fresh])
        self.where: NDArray[np.uint8] = np.concatenate(levels)
        every = np.concatenate(codes)
        order = np.argsort(every)
        ordered = every[order]
        self.next: NDArray[np.int32] = np.full((len(every), 4), -1, np.int32)
        for side in range(4):
            has, moved = _moved(self.where, beside[:, side])
            self.next[has, side] = order[np.searchsorted(ordered, code(moved))]

    def __len__(self) -> int:
        return len(self.where)


def _moved(where: NDArray[np.uint8], beside: Ints) -> tuple[Ints, NDArray[np.uint8]]:
    """Arrangements after the empty cell went to one side: the indices of those where it can, and what they become."""
    to = beside[where[:, -1]]
    has = np.flatnonzero(to >= 0)
    moved = where[has].copy()
    new = to[has].astype(np.uint8)
    tile = np.argmax(moved[:, :-1] == new[:, None], axis=1)
    moved[np.arange(len(has)), tile] = moved[:, -1]
    moved[:, -1] = new
    return has, moved


class _Hops:
    """The hops as arrays, those from one stop together; ``begin[stop]`` to ``begin[stop + 1]``."""

    def __init__(self, routes: Routes, *, backwards: bool = False) -> None:
        self.list = sorted(routes.hops, key=lambda hop: hop.b if backwards else hop.a)
        self.backwards = backwards

        def column(values: Sequence[int]) -> Ints:
            return np.array(values, np.int64)

        self.to = column([hop.a if backwards else hop.b for hop in self.list])
        self.cost = column([hop.cost for hop in self.list])
        self.side = column([hop.side for hop in self.list])
        self.into = column([hop.into for hop in self.list])
        ends = column([hop.b if backwards else hop.a for hop in self.list])
        self.begin = np.searchsorted(ends, np.arange(len(routes.stops) + 1))

    def of(self, stops: Ints) -> tuple[Ints, Ints]:
        """The hops of each stop: indices in ``stops``, and the hops' numbers."""
        counts = self.begin[stops + 1] - self.begin[stops]
        origin = np.repeat(np.arange(len(stops)), counts)
        offset = np.arange(len(origin)) - np.repeat(np.cumsum(counts) - counts, counts)
        return origin, self.begin[stops][origin] + offset


class Sketch:
    """The level with all tiles alike but one, and those that the figure is in: a relaxed problem with few states, whose
    costs backwards from the goals are estimates for the whole one.

    A state is the figure's cell, the empty cell, the cell of the known tile, and the stop. Another tile may be whatever
    the figure wishes; the known one cannot. With ``known`` None there is no such tile.
    """

    def __init__(self, routes: Routes, known: int | None) -> None:
        board = routes.world.board
        assert board is not None
        self.cells = board.rows * board.columns
        self.stops = len(routes.stops)
        self.known = known
        self.slide = board.slide
        self.size = self.cells**3 * self.stops if known is not None else self.cells**2 * self.stops
        self._beside = np.array(board.beside, np.int64)
        self._hops = _Hops(routes, backwards=True)
        self._tile = np.array([routes.tile(stop) for stop in range(self.stops)], np.int64)
        self._opposite = np.array(OPPOSITE, np.int64)
        goals = np.array(routes.goals, np.int64)
        figure, empty, other = (axis.ravel() for axis in np.indices((self.cells, self.cells, self.cells)))
        if known is None:
            whole = self.code(figure[other == 0][:, None], empty[other == 0][:, None], None, goals[None, :])
            legal = np.broadcast_to((figure != empty)[other == 0][:, None], whole.shape)
        else:
            own = (self._tile[goals] == known)[None, :]
            whole = self.code(figure[:, None], empty[:, None], other[:, None], goals[None, :])
            legal = ((figure == other)[:, None] == own) & ((figure != empty) & (empty != other))[:, None]
        # Goal states first, then backwards; a slide can be undone.
        self.cost = distances(self, whole[legal]).reshape(-1)

    def code(self, figure: Ints, empty: Ints, other: Ints | None, stops: Ints) -> Ints:
        cells = figure * self.cells + empty
        if other is not None:
            cells = cells * self.cells + other
        states: Ints = cells * self.stops + stops
        return states

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        cells, stops = np.divmod(states, self.stops)
        other = None
        if self.known is not None:
            cells, other = np.divmod(cells, self.cells)
        figure, empty = np.divmod(cells, self.cells)
        for towards in range(4):
            new = self._beside[empty, towards]
            has = np.flatnonzero(new >= 0)
            at, old = new[has], empty[has]
            carried = np.where(figure[has] == at, old, figure[has])
            swapped = None if other is None else np.where(other[has] == at, old, other[has])
            yield has, self.code(carried, at, swapped, stops[has]), self.slide
        origin, hops = self._hops.of(stops)
        side = self._hops.side[hops]
        crossing = side >= 0
        # Backwards: the figure was in the cell that lies at the other side.
        came = np.where(crossing, self._beside[figure[origin], self._opposite[side]], figure[origin])
        to = self._hops.to[hops]
        legal = (came >= 0) & (came != empty[origin])
        if other is not None:
            legal &= (came == other[origin]) == (self._tile[to] == self.known)
        origin, came, to, hops = origin[legal], came[legal], to[legal], hops[legal]
        where = None if other is None else other[origin]
        yield origin, self.code(came, empty[origin], where, to), self._hops.cost[hops]


class Sliding:
    """The whole problem: a state is ``arrangement * stops + stop``."""

    def __init__(self, routes: Routes, arrangements: Arrangements, known: Sequence[int]) -> None:
        self.routes = routes
        self.arrangements = arrangements
        self.stops = len(routes.stops)
        self.size = len(arrangements) * self.stops
        self.slide = arrangements.board.slide
        self._beside = np.array(arrangements.board.beside, np.int64)
        self._tile = np.array([routes.tile(stop) for stop in range(self.stops)], np.int64)
        self._hops = _Hops(routes)
        self._back = _Hops(routes, backwards=True)
        self._goal = np.zeros(self.stops, np.bool_)
        self._goal[list(routes.goals)] = True
        self._sketches = [Sketch(routes, None), *(Sketch(routes, tile) for tile in known)]

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        arranged, stops = np.divmod(states, self.stops)
        for towards in range(4):
            to = self.arrangements.next[arranged, towards]
            has = np.flatnonzero(to >= 0)
            yield has, to[has] * np.int64(self.stops) + stops[has], self.slide
        origin, hops = self._hops.of(stops)
        where = self.arrangements.where
        side, into = self._hops.side[hops], self._hops.into[hops]
        at = arranged[origin]
        figure = where[arranged, self._tile[stops]][origin]
        open_ = (side < 0) | (self._beside[figure, side] == where[at, into])
        origin, hops = origin[open_], hops[open_]
        yield origin, arranged[origin] * self.stops + self._hops.to[hops], self._hops.cost[hops]

    def before(self, state: int) -> Iterator[tuple[int, int]]:
        arranged, stop = divmod(state, self.stops)
        for hop in self._back.list[self._back.begin[stop] : self._back.begin[stop + 1]]:
            if hop.side < 0 or self._lies(arranged, hop.tile, hop.side, hop.into):
                yield arranged * self.stops + hop.a, hop.cost
        for to in self.arrangements.next[arranged].tolist():
            if to >= 0:
                yield to * self.stops + stop, self.slide

    def _lies(self, arranged: int, tile: int, side: int, into: int) -> bool:
        where = self.arrangements.where[arranged]
        return bool(self._beside[where[tile], side] == where[into])

    def move(self, state: int, other: int) -> tuple[int, int] | Hop:
        """What leads from a state to the next on a path: a slide, as the tile and the side it moves to, or the cheapest
        hop that is open."""
        (arranged, stop), (then, to) = divmod(state, self.stops), divmod(other, self.stops)
        if arranged == then:
            between = self._hops.list[self._hops.begin[stop] : self._hops.begin[stop + 1]]
            legal = (hop for hop in between if hop.side < 0 or self._lies(arranged, hop.tile, hop.side, hop.into))
            return min((hop for hop in legal if hop.b == to), key=lambda hop: hop.cost)
        side = self.arrangements.next[arranged].tolist().index(then)
        empty = self.arrangements.where[then, -1]
        return self.arrangements.where[arranged, :-1].tolist().index(empty), OPPOSITE[side]

    def estimate(self, states: Ints) -> Ints:
        arranged, stops = np.divmod(states, self.stops)
        where = self.arrangements.where
        figure = where[arranged, self._tile[stops]].astype(np.int64)
        empty = where[arranged, -1].astype(np.int64)
        best: Ints = self._sketches[0].cost[self._sketches[0].code(figure, empty, None, stops)].astype(np.int64)
        for sketch in self._sketches[1:]:
            other = where[arranged, sketch.known].astype(np.int64)
            np.maximum(best, sketch.cost[sketch.code(figure, empty, other, stops)], out=best)
        return best

    def goal(self, states: Ints) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._goal[states % self.stops]
        return found
