"""A relaxed problem with few states: at most one tile is known, and the others are interchangeable. Its costs backwards
from the goals are lower bounds (heuristics) for the whole level."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autoplayer.games.continuity.routes import Routes
from autoplayer.games.continuity.world import BLANK, OPPOSITE, Board
from autoplayer.search.astar import Ints, distances

SLIDES_AT_ONCE = 2
"""States whose estimated totals differ by the cost of less than so many slides are expanded at once."""


class Fan:
    """The hops sorted by the stops that they begin at (or, backwards, end at): those of a stop are the numbers
    ``begin[stop]`` to ``begin[stop + 1]``, and ``hop`` gives their indices. ``to``: where they lead."""

    def __init__(self, routes: Routes, *, backwards: bool = False) -> None:
        hops = routes.hops
        ends, to = (hops.b, hops.a) if backwards else (hops.a, hops.b)
        self.hop: Ints = np.argsort(ends, kind="stable")
        self.to, self.cost, self.side, self.into = (v[self.hop] for v in (to, hops.cost, hops.side, hops.into))
        self.begin: Ints = np.searchsorted(ends[self.hop], np.arange(len(routes.stops) + 1))

    def of(self, stops: Ints) -> tuple[Ints, Ints]:
        """The hops of each stop: indices in ``stops``, and the hops' numbers here."""
        counts = self.begin[stops + 1] - self.begin[stops]
        origin = np.repeat(np.arange(len(stops)), counts)
        offset = np.arange(len(origin)) - np.repeat(np.cumsum(counts) - counts, counts)
        return origin, self.begin[stops][origin] + offset


class Sketch:
    """A state is the figure's cell, the empty cell, the cell of the known tile, and the stop. An unknown tile may be
    whatever the figure wishes. With ``known`` None there is no known tile. ``cost``: for each state a lower bound of
    the cost to a goal."""

    def __init__(self, routes: Routes, known: int | None) -> None:
        board = routes.world.board
        assert board is not None
        self.cells = board.rows * board.columns
        self.stops = len(routes.stops)
        self.known = known
        self.slide = board.slide
        self._bits = (len(routes.stops) - 1).bit_length()
        self.size = self.cells ** (2 if known is None else 3) << self._bits
        tile = np.array([routes.tile(stop) for stop in range(self.stops)], np.int64)
        self._fan = Fan(routes, backwards=True)
        self._kind: Ints = np.where(self._fan.side < 0, 4, self._fan.side) * 2 + (tile[self._fan.to] == known)
        goals = np.array(routes.goals, np.int64)
        figure, empty, other = (axis.ravel() for axis in np.indices((self.cells, self.cells, self.cells)))
        self._tabulate(board, figure, empty, other)
        if known is None:
            whole = self.code(figure[other == 0][:, None], empty[other == 0][:, None], None, goals[None, :])
            legal = np.broadcast_to((figure != empty)[other == 0][:, None], whole.shape)
        else:
            own = (tile[goals] == known)[None, :]
            whole = self.code(figure[:, None], empty[:, None], other[:, None], goals[None, :])
            legal = ((figure == other)[:, None] == own) & ((figure != empty) & (empty != other))[:, None]
        place = [np.array([board.cells.index(tile)]) for tile in (routes.tile(0), BLANK, 0 if known is None else known)]
        first = self.code(place[0], place[1], None if known is None else place[2], np.array([0]))
        self.cost = distances(self, whole[legal], enough=int(first[0]), width=max(SLIDES_AT_ONCE * self.slide, 1))

    def _tabulate(self, board: Board, figure: Ints, empty: Ints, other: Ints) -> None:
        """The targets of slides, and of hops backwards, for all arrangements; -1 for nowhere."""
        if self.known is None:
            figure, empty, other = (values[:: self.cells] for values in (figure, empty, other))
        beside = np.array([*board.beside], np.int64)

        def numbers(figure: Ints, empty: Ints, other: Ints) -> Ints:
            return self.code(figure, empty, None if self.known is None else other, np.zeros(1, np.int64)) >> self._bits

        near = beside[empty]
        slid = [np.where(values[:, None] == near, empty[:, None], values[:, None]) for values in (figure, other)]
        self._slid = np.where(near >= 0, numbers(slid[0], near, slid[1]), -1)
        """Shape ``(arrangements, 4)``: after the empty cell went to each side. A slide can be undone."""
        came = np.concatenate([beside[figure][:, list(OPPOSITE)], figure[:, None]], axis=1)
        where = numbers(came, empty[:, None], other[:, None])
        legal = (came >= 0) & (came != empty[:, None])
        known = (came == other[:, None]) & (self.known is not None)
        self._came = np.stack([np.where(legal & (known == own), where, -1) for own in (False, True)], axis=2)
        self._came = self._came.reshape(len(figure), 10)
        """For each side that is crossed (4 for none), and whether it was the known tile that was left."""

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
        states: Ints = (cells << self._bits) + stops
        return states

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        """Backwards, from the goals."""
        where, stops = states >> self._bits, states & ((1 << self._bits) - 1)
        slid = self._slid[where]
        origin, side = np.nonzero(slid >= 0)
        yield origin, (slid[origin, side] << self._bits) + stops[origin], self.slide
        origin, hops = self._fan.of(stops)
        came = self._came[where[origin], self._kind[hops]]
        legal = np.flatnonzero(came >= 0)
        hops = hops[legal]
        yield origin[legal], (came[legal] << self._bits) + self._fan.to[hops], self._fan.cost[hops]
