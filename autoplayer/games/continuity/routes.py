"""The figure's ways through a level, as far as they matter to a plan: from where it enters a tile, or stands at a key,
to the next key or the next side. Everything between is walked in one go, since no slide changes the inside of a tile.

The ways inside a tile do not depend on the keys of other tiles, so they are computed once for all sets of these.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.continuity.world import Crossing, Link, World

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Ways = tuple[Link | Crossing, ...]

MOST_HOPS = 1_500_000
"""A level with more hops could not be played by a person, and they would not fit into memory."""
MOST_AT_ONCE = 4_000_000
"""The most entries of a table of ways that is computed at once."""
NO_WAY = 1 << 40


class Stop(NamedTuple):
    """A place of the figure, and the bits of the keys that it holds."""

    place: int
    keys: int


class Hops(NamedTuple):
    """From stops (by their numbers) to others: a walk, then perhaps the crossing of a side; an entry each. ``tile``,
    ``side``, ``into``: the condition that ``into`` lies at ``side`` of ``tile``; -1 for no condition."""

    a: Ints
    b: Ints
    cost: Ints
    tile: Ints
    side: Ints
    into: Ints


@dataclass(frozen=True)
class Routes:
    """All stops that the figure could reach if every tile could lie beside every other, the start first; and the hops
    between them. ``goals``: the stops at the door with all keys."""

    world: World
    stops: tuple[Stop, ...]
    hops: Hops
    goals: tuple[int, ...]
    _walked: dict[int, _Walks] = field(default_factory=dict, repr=False)

    def tile(self, stop: int) -> int:
        return self.world.places[self.stops[stop].place][0]

    def ways(self, hop: int) -> Ways:
        """What is walked and crossed in a hop, by its number."""
        a, b, side = int(self.hops.a[hop]), int(self.hops.b[hop]), int(self.hops.side[hop])
        if a not in self._walked:
            self._walked[a] = _Walks(self.world, self.stops[a])
        walks, place = self._walked[a], self.stops[b].place
        if side < 0:
            return tuple(walks.to(place))
        over = [
            (walks.cost[way.a] + way.cost, way)
            for at in walks.cost
            if at not in walks.halts
            for way in self.world.crossings_from.get(at, ())
            if (way.b, way.side) == (place, side)
        ]
        crossing = min(over, key=lambda each: each[0])[1]
        return (*walks.to(crossing.a), crossing)


class _Walks:
    """Where the figure can walk to inside its tile, with the costs. It does not pass a key that it does not hold,
    because from there on it holds it, nor the door once that counts."""

    def __init__(self, world: World, here: Stop) -> None:
        self.start = here.place
        self.cost: dict[int, int] = {}
        self.halts: set[int] = set()
        self._last: dict[int, Link] = {}
        best = {here.place: 0}
        queue = [(0, here.place)]
        while queue:
            cost, place = heapq.heappop(queue)
            if place in self.cost:
                continue
            self.cost[place] = cost
            new = world.keys_at.get(place, 0) & ~here.keys
            if new or (here.keys == world.all_keys and place in world.finish):
                self.halts.add(place)
                continue
            for link in world.links_from.get(place, ()):
                if cost + link.cost < best.get(link.b, NO_WAY):
                    best[link.b] = cost + link.cost
                    self._last[link.b] = link
                    heapq.heappush(queue, (best[link.b], link.b))

    def to(self, place: int) -> list[Link]:
        """The links to a place."""
        found: list[Link] = []
        while place != self.start:
            found.append(self._last[place])
            place = self._last[place].a
        return found[::-1]


class _Entries:
    """The places where stops may be, numbered: where the figure starts or comes in, and where keys and the door are."""

    def __init__(self, world: World) -> None:
        places = {world.start, *world.keys_at, *world.finish, *(way.b for way in world.crossings)}
        self.places = sorted(places)
        self.number = {place: at for at, place in enumerate(self.places)}
        self.keys = np.array([world.keys_at.get(place, 0) for place in self.places], np.int64)
        self.finish = np.isin(self.places, world.finish)
        self.tile = np.array([world.places[place][0] for place in self.places], np.int64)


class _Inside:
    """The hops from the entries of one tile, for each set of its keys that may be held."""

    def __init__(self, world: World, entries: _Entries, tile: int, deadline: Deadline) -> None:
        self.world, self.entries, self.deadline = world, entries, deadline
        self.own = np.flatnonzero(entries.tile == tile)
        """The entries of this tile."""
        places = [place for place, (t, _) in enumerate(world.places) if t == tile]
        self.local = {place: at for at, place in enumerate(places)}
        self.keys = np.array([world.keys_at.get(place, 0) for place in places], np.int64)
        self.finish = np.isin(places, world.finish)
        self.all_keys = int(np.bitwise_or.reduce(self.keys, initial=0))
        links = sorted(
            (self.local[way.b], self.local[way.a], way.cost) for at in places for way in world.links_from.get(at, ())
        )
        self._links = np.array(links, np.int64).reshape(-1, 3)
        crossings = [way for at in places for way in world.crossings_from.get(at, ())]
        rows = sorted((entries.number[way.b], way.side, self.local[way.a], way.cost) for way in crossings)
        self._crossings = np.array(rows, np.int64).reshape(-1, 4)
        self.tables: dict[tuple[int, bool], tuple[Ints, Ints, Ints]] = {}

    def table(self, held: int, ending: bool) -> tuple[Ints, Ints, Ints]:
        """The costs of hops while the figure holds these keys, and has all or not; ``NO_WAY`` if there is none: shape
        ``(own entries, ends)``; and each end's entry and side."""
        kind = held & self.all_keys, ending and bool(self.finish.any())
        if kind not in self.tables:
            self.tables[kind] = self._table(*kind)
        return self.tables[kind]

    def _table(self, held: int, ending: bool) -> tuple[Ints, Ints, Ints]:
        halts = (self.keys & ~held) != 0
        if ending:
            halts |= self.finish
        into, come, cost = self._links[~halts[self._links[:, 1]]].T
        over = self._crossings[~halts[self._crossings[:, 2]]]
        first = np.flatnonzero(np.diff(over[:, 0] * 4 + over[:, 1], prepend=-1))
        stands = np.flatnonzero(halts)
        places = list(self.local)
        ends = np.concatenate([over[first, 0], [self.entries.number[places[at]] for at in stands]]).astype(np.int64)
        sides = np.concatenate([over[first, 1], np.full(len(stands), -1)]).astype(np.int64)
        if len(self.own) * len(ends) > 8 * MOST_HOPS:
            raise OutOfTime
        own = np.array([self.local[self.entries.places[entry]] for entry in self.own.tolist()], np.int64)
        at_once = max(MOST_AT_ONCE // max(len(cost), len(over), 1), 1)
        parts = []
        for begin in range(0, len(own), at_once):
            walked = self._walked(own[begin : begin + at_once], halts, into, come, cost)
            crossed = walked[:, over[:, 2]] + over[:, 3]
            crossed = np.minimum.reduceat(crossed, first, axis=1) if len(first) else crossed
            parts.append(np.concatenate([crossed, walked[:, stands]], axis=1))
        found = np.concatenate(parts) if parts else np.zeros((0, len(ends)), np.int64)
        found[halts[own]] = NO_WAY  # what is held already stops nobody, and at the open door it ends
        return np.minimum(found, NO_WAY), ends, sides

    def _walked(self, starts: Ints, halts: Bools, into: Ints, come: Ints, cost: Ints) -> Ints:
        """The costs of walks from some places to all (Bellman and Ford's algorithm, all starts at once)."""
        found = np.full((len(starts), len(halts)), NO_WAY)
        found[np.arange(len(starts)), starts] = 0
        first = np.flatnonzero(np.diff(into, prepend=-1))
        ends = into[first]
        while len(ends):
            self.deadline.check()
            better = np.minimum.reduceat(found[:, come] + cost, first, axis=1)
            if (better >= found[:, ends]).all():
                break
            found[:, ends] = np.minimum(found[:, ends], better)
        return found


class _Net:
    """All hops between entries, for the keys held."""

    def __init__(self, world: World, deadline: Deadline) -> None:
        self.world, self.deadline = world, deadline
        self.entries = _Entries(world)
        self.tiles = [_Inside(world, self.entries, tile, deadline) for tile in range(len(world.tiles))]
        self.left_out: dict[int, Bools] = {}
        self._of: dict[int, Hops] = {}

    def of(self, held: int) -> Hops:
        """The hops of a figure with these keys; ``a`` and ``b`` are entries."""
        if held not in self._of:
            self.deadline.check()
            ending = held == self.world.all_keys
            self._of[held] = self._hops([inside.table(held, ending) for inside in self.tiles])
            if sum(len(hops.a) for hops in self._of.values()) > MOST_HOPS:
                raise OutOfTime
        return self._of[held]

    def _hops(self, tables: Sequence[tuple[Ints, Ints, Ints]]) -> Hops:
        """The hops in one table for each tile."""
        parts = [Hops(*np.zeros((6, 0), np.int64))]
        for number, (table, ends, sides) in enumerate(tables):
            row, column = np.nonzero(table < NO_WAY)
            b, side = ends[column], sides[column]
            tile, into = (np.where(side >= 0, values, -1) for values in (number, self.entries.tile[b]))
            parts.append(Hops(self.tiles[number].own[row], b, table[row, column], tile, side, into))
        return Hops(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def without_worse(self, useful: Bools) -> None:
        """Leave out hops that are dominated by others, whichever keys are held. ``useful``: the entries that matter at
        all."""
        tables = {(n, *kind): table for n, inside in enumerate(self.tiles) for kind, table in inside.tables.items()}
        serves = [self._serving(list(inside.tables.values()), inside.own, useful, True) for inside in self.tiles]
        for table, ends, sides in tables.values():
            table[:, ~useful[ends]] = NO_WAY
            self._leave_out(table, ends, sides, serves)
        self._of.clear()

    def with_keys(self, useful: dict[int, Bools]) -> None:
        """The same again for each set of keys held, when fewer hops matter."""
        serves: dict[int, list[Bools]] = {}
        thin: dict[int, list[tuple[Ints, Ints, Ints]]] = {}
        for held, good in useful.items():
            thin[held] = []
            for inside in self.tiles:
                table, ends, sides = inside.table(held, held == self.world.all_keys)
                after = self.entries.keys[ends] | held
                some = np.flatnonzero(
                    [keys in useful and useful[keys][b] for keys, b in zip(after.tolist(), ends.tolist(), strict=True)]
                )
                table = np.where(good[inside.own][:, None], table, NO_WAY)[:, some]
                thin[held].append((table, ends[some], sides[some]))
            serves[held] = [
                self._serving([table], inside.own, good, held == self.world.all_keys)
                for inside, table in zip(self.tiles, thin[held], strict=True)
            ]
        self._of.clear()
        for held, tables in thin.items():
            for table, ends, sides in tables:
                after = self.entries.keys[ends] | held
                for keys in np.unique(after).tolist():
                    some = np.flatnonzero(after == keys)
                    part = table[:, some]
                    self._leave_out(part, ends[some], sides[some], serves[keys])
                    table[:, some] = part
            self._of[held] = self._hops(tables)

    def _leave_out(self, table: Ints, ends: Ints, sides: Ints, serves: Sequence[Bools]) -> None:
        """Remove from a table the hops to an entry if another hop, over the same side and not dearer, leads to one that
        dominates it. A figure that enters flying at several heights and speeds creates many such."""
        kinds = self.entries.tile[ends] * 5 + sides + 1
        for kind in np.unique(kinds).tolist():
            columns = np.flatnonzero(kinds == kind)
            at = np.searchsorted(self.tiles[kind // 5].own, ends[columns])
            better = serves[kind // 5][at][:, at]
            costs = table[:, columns]
            for n in np.flatnonzero(better.any(axis=1)).tolist():
                others = np.flatnonzero(better[n])
                mine, theirs = costs[:, [n]], costs[:, others]
                worse = (mine < theirs) | ((mine == theirs) & (n < others))
                rows, which = np.nonzero(worse & (mine < NO_WAY))
                table[rows, columns[others[which]]] = NO_WAY

    def _serving(self, tables: Sequence[tuple[Ints, Ints, Ints]], own: Ints, useful: Bools, ending: bool) -> Bools:
        """Whether one entry of a tile dominates another: whatever can be done from the other can be done from the one,
        no dearer, by all of these tables; shape ``(own entries, own entries)``, the dominating one first."""
        keys, good = self.entries.keys[own], np.flatnonzero(useful[own])
        done = self.entries.finish[own] & ending
        found = np.zeros((len(own), len(own)), np.bool_)
        reduced = [table[:, (table < NO_WAY).any(axis=0)] for table, _, _ in tables]
        for one in good.tolist():
            self.deadline.check()
            others = good[(keys[good] == keys[one]) & (done[good] <= done[one]) & (good != one)]
            for table in reduced:
                others = others[(table[one] <= table[others]).all(axis=1)]
            found[one, others] = True
        return found

    def reached(self) -> dict[int, Bools]:
        """The entries that the figure reaches, for each set of keys that it may hold there."""
        first = self.entries.number[self.world.start]
        found = {int(self.entries.keys[first]): np.zeros(len(self.entries.places), np.bool_)}
        next(iter(found.values()))[first] = True
        done: set[int] = set()
        while left := found.keys() - done:
            held = min(left, key=lambda keys: (keys.bit_count(), keys))
            done.add(held)
            hops, here = self.of(held), found[held]
            new = self.entries.keys[hops.b] & ~held
            here |= _spread(here, hops.a[new == 0], hops.b[new == 0])
            taking = here[hops.a] & (new != 0)
            for more in np.unique(new[taking]).tolist():
                there = found.setdefault(held | more, np.zeros(len(here), np.bool_))
                there[hops.b[taking & (new == more)]] = True
        return found

    def useful(self) -> dict[int, Bools]:
        """Those of them from which the figure reaches the door with all keys."""
        found: dict[int, Bools] = {}
        reached = self.reached()
        for held in sorted(reached, key=lambda keys: -keys.bit_count()):
            hops = self.of(held)
            good = self.entries.finish & (held == self.world.all_keys)
            new = self.entries.keys[hops.b] & ~held
            for more in np.unique(new[new != 0]).tolist():
                if held | more in found:
                    taking = new == more
                    good[hops.a[taking][found[held | more][hops.b[taking]]]] = True
            found[held] = _spread(good, hops.b[new == 0], hops.a[new == 0]) & reached[held]
        return found


def _spread(begin: Bools, a: Ints, b: Ints) -> Bools:
    """``begin`` with everything reachable from it by the edges from ``a`` to ``b``."""
    found = begin.copy()
    count = -1
    while count != (count := int(found.sum())):
        found[b[found[a]]] = True
    return found


def routes(world: World, deadline: Deadline | None = None) -> Routes:
    """The stops and hops of a level. Raises OutOfTime if the deadline passes, and if there are far too many."""
    net = _Net(world, deadline or Deadline(math.inf))
    useful = net.useful()
    some = np.logical_or.reduce(list(useful.values()))
    if some.any():
        net.without_worse(some)
        useful = net.useful()
        net.with_keys(useful)
        useful = net.useful()
    start = Stop(world.start, world.keys_at.get(world.start, 0))
    stops = [start]
    number: dict[int, Ints] = {}
    for held, good in useful.items():
        number[held] = np.full(len(good), -1)
        for entry in np.flatnonzero(good).tolist():
            stop = Stop(net.entries.places[entry], held)
            number[held][entry] = 0 if stop == start else len(stops)
            if stop != start:
                stops.append(stop)
    parts = [Hops(*np.zeros((6, 0), np.int64))]
    for held in useful:
        hops = net.of(held)
        keys = held | net.entries.keys[hops.b]
        for after in np.unique(keys).tolist():
            if after in number:
                a, b = number[held][hops.a], number[after][hops.b]
                kept = (a >= 0) & (b >= 0) & (keys == after)
                parts.append(Hops(a[kept], b[kept], *(values[kept] for values in hops[2:])))
    every = Hops(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    finish = set(world.finish)
    goals = [n for n, stop in enumerate(stops) if stop.keys == world.all_keys and stop.place in finish]
    return Routes(world, tuple(stops), every, tuple(goals))


def cheapest(given: Routes, order: Sequence[int] = ()) -> tuple[int, list[int]] | None:
    """The cheapest way from the start to the door where every tile may lie beside every other, as the numbers of its
    hops; None where there is none. ``order``: take the keys with these numbers in this order."""
    wanted = [sum(1 << key for key in order[:n]) for n in range(len(order) + 1)]
    best: dict[int, tuple[int, int]] = {0: (0, -1)}
    from_: dict[int, list[tuple[int, int, int]]] = {}
    for hop, (a, b, price) in enumerate(zip(*(values.tolist() for values in given.hops[:3]), strict=True)):
        if not order or given.stops[b].keys in wanted:
            from_.setdefault(a, []).append((b, price, hop))
    queue, closed = [(0, 0)], set()
    while queue:
        cost, stop = heapq.heappop(queue)
        if stop in closed:
            continue
        closed.add(stop)
        if stop in given.goals:
            hops: list[int] = []
            while best[stop][1] >= 0:
                hops.append(best[stop][1])
                stop = int(given.hops.a[hops[-1]])
            return cost, hops[::-1]
        for b, price, hop in from_.get(stop, ()):
            if b not in best or cost + price < best[b][0]:
                best[b] = (cost + price, hop)
                heapq.heappush(queue, (cost + price, b))
    return None
