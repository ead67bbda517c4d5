"""The level with all tiles alike but one: a relaxed problem with few states, whose costs backwards from the goals are
estimates for the whole one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from autoplayer.games.continuity.routes import Routes
from autoplayer.games.continuity.world import BLANK, OPPOSITE
from autoplayer.search.astar import Ints, distances


class Hops:
    """The hops as arrays, those from one stop together; ``begin[stop]`` to ``begin[stop + 1]``."""

    def __init__(self, routes: Routes, *, backwards: bool = False) -> None:
        self.list = sorted(routes.hops, key=lambda hop: hop.b if backwards else hop.a)

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
    """A state is the figure's cell, the empty cell, the cell of the known tile, and the stop. Another tile may be
    whatever the figure wishes; the known one cannot. With ``known`` None there is no such tile. ``cost``: for each
    state what a goal costs from there at least."""

    def __init__(self, routes: Routes, known: int | None) -> None:
        board = routes.world.board
        assert board is not None
        self.cells = board.rows * board.columns
        self.stops = len(routes.stops)
        self.known = known
        self.slide = board.slide
        self.size = self.states(routes, known)
        self._beside = np.array(board.beside, np.int64)
        self._hops = Hops(routes, backwards=True)
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
        place = [np.array([board.cells.index(tile)]) for tile in (routes.tile(0), BLANK, 0 if known is None else known)]
        first = self.code(place[0], place[1], None if known is None else place[2], np.array([0]))
        self.cost = distances(self, whole[legal], enough=int(first[0]))

    @staticmethod
    def states(routes: Routes, known: int | None) -> int:
        """How many states a sketch has."""
        board = routes.world.board
        assert board is not None
        cells = board.rows * board.columns
        return cells ** (2 if known is None else 3) * len(routes.stops)

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
