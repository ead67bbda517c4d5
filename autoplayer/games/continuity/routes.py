"""The figure's ways through a level, as far as they matter to a plan: from where it enters a tile, or stands at a key,
to the next key or the next side. What lies between is walked in one go, since no slide changes the inside of a tile.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from autoplayer.games.continuity.world import Crossing, Link, World
from autoplayer.search.deadline import Deadline, OutOfTime

Ways = tuple[Link | Crossing, ...]


class Stop(NamedTuple):
    """Where the figure is, and the bits of the keys that it holds."""

    place: int
    keys: int


class Hop(NamedTuple):
    """From a stop (by its number) to another: what is walked, then perhaps a side that is crossed. ``tile``, ``side``,
    ``into``: which tile must lie at which side of which for that; -1 where nothing must."""

    a: int
    b: int
    cost: int
    tile: int
    side: int
    into: int
    ways: Ways


@dataclass(frozen=True)
class Routes:
    """All stops that the figure may come to if every tile could lie beside every other, the start first; and the hops
    between them. ``goals``: the stops at the door with all keys."""

    world: World
    stops: tuple[Stop, ...]
    hops: tuple[Hop, ...]
    goals: tuple[int, ...]

    def tile(self, stop: int) -> int:
        return self.world.places[self.stops[stop].place][0]


MOST_HOPS = 1_500_000
"""A level with more of them is none that a person could play, and they would not find room in memory."""


def routes(world: World, deadline: Deadline | None = None) -> Routes:
    """The stops and hops of a level. Raises OutOfTime where the deadline passes, and where there are far too many."""
    deadline = deadline or Deadline(math.inf)
    number: dict[Stop, int] = {Stop(world.start, world.keys_at.get(world.start, 0)): 0}
    stops = list(number)
    hops: list[Hop] = []
    goals: list[int] = []
    inside = [0] * len(world.tiles)
    for place, bits in world.keys_at.items():
        inside[world.places[place][0]] |= bits
    walks: dict[tuple[Stop, bool], list[tuple[int, int, Ways]]] = {}
    at = 0
    while at < len(stops):
        deadline.check()
        if len(hops) > MOST_HOPS:
            raise OutOfTime
        here = stops[at]
        if here.keys == world.all_keys and here.place in world.finish:
            goals.append(at)
            at += 1
            continue
        # Inside a tile only the keys that are in it matter, and whether all are held.
        alike = Stop(here.place, here.keys & inside[world.places[here.place][0]]), here.keys == world.all_keys
        if alike not in walks:
            walks[alike] = _walks(world, here)
        for place, cost, ways in walks[alike]:
            keys = here.keys | world.keys_at.get(place, 0)
            halt = keys != here.keys or (keys == world.all_keys and place in world.finish)
            if halt:
                stop = Stop(place, keys)
                if stop not in number:
                    number[stop] = len(stops)
                    stops.append(stop)
                hops.append(Hop(at, number[stop], cost, -1, -1, -1, ways))
                continue
            for crossing in world.crossings_from.get(place, ()):
                stop = Stop(crossing.b, keys | world.keys_at.get(crossing.b, 0))
                if stop not in number:
                    number[stop] = len(stops)
                    stops.append(stop)
                tile, into = world.places[place][0], world.places[crossing.b][0]
                hop = Hop(at, number[stop], cost + crossing.cost, tile, crossing.side, into, (*ways, crossing))
                hops.append(hop)
        at += 1
    return _useful(_without_worse(_useful(Routes(world, tuple(stops), tuple(hops), tuple(goals))), deadline))


def _walks(world: World, here: Stop) -> list[tuple[int, int, Ways]]:
    """Where the figure can walk to inside its tile, with the cost and the links; through no key that it does not hold,
    because from there on it does, and not on from the door once that counts."""
    best: dict[int, int] = {here.place: 0}
    last: dict[int, Link] = {}
    queue = [(0, here.place)]
    found: list[tuple[int, int, Ways]] = []
    closed: set[int] = set()
    while queue:
        cost, place = heapq.heappop(queue)
        if place in closed:
            continue
        closed.add(place)
        ways: list[Link] = []
        back = place
        while back != here.place:
            ways.append(last[back])
            back = last[back].a
        found.append((place, cost, tuple(reversed(ways))))
        new = world.keys_at.get(place, 0) & ~here.keys
        if new or (here.keys == world.all_keys and place in world.finish):
            continue
        for link in world.links_from.get(place, ()):
            if cost + link.cost < best.get(link.b, cost + link.cost + 1):
                best[link.b] = cost + link.cost
                last[link.b] = link
                heapq.heappush(queue, (best[link.b], link.b))
    return found


def _without_worse(given: Routes, deadline: Deadline) -> Routes:
    """Without the hops to a stop where another hop, over the same side and not dearer, leads to a stop from which every
    hop of the first goes on, no dearer. A figure that comes flying in at several heights and speeds makes many such."""
    onward: list[dict[tuple[int, int], int]] = [{} for _ in given.stops]
    beside: dict[tuple[int, int, int, int], list[Hop]] = {}
    for hop in given.hops:
        onward[hop.a][hop.b, hop.side] = hop.cost
        kind = (hop.a, hop.side, hop.into, given.stops[hop.b].keys)
        beside.setdefault(kind, []).append(hop)
    goals = set(given.goals)

    @cache
    def serves(one: int, other: int) -> bool:
        """Whether whatever can be done from ``other`` can be done from ``one``, no dearer."""
        mine, theirs = onward[one], onward[other]
        return other not in goals and theirs.keys() <= mine.keys() and all(mine[to] <= theirs[to] for to in theirs)

    kept: list[Hop] = []
    for hops in beside.values():
        own: list[Hop] = []
        deadline.check()
        for hop in sorted(hops, key=lambda hop: hop.cost):
            if not any(serves(better.b, hop.b) for better in own):
                own.append(hop)
        kept += own
    return replace(given, hops=tuple(kept))


def _useful(given: Routes) -> Routes:
    """Without the stops that cannot be reached or from which no goal can, and with the cheapest hop of each kind
    only."""
    into: dict[int, list[int]] = {}
    for hop in given.hops:
        into.setdefault(hop.b, []).append(hop.a)
    onward: dict[int, list[int]] = {}
    for hop in given.hops:
        onward.setdefault(hop.a, []).append(hop.b)
    alive = _spread(list(given.goals), into) & _spread([0], onward)
    kept = [stop for stop in range(len(given.stops)) if stop in alive or not stop]
    number = {stop: n for n, stop in enumerate(kept)}
    cheapest: dict[tuple[int, int, int], Hop] = {}
    for hop in given.hops:
        if hop.a in alive and hop.b in alive:
            kind = (hop.a, hop.b, hop.side)
            if kind not in cheapest or hop.cost < cheapest[kind].cost:
                cheapest[kind] = hop._replace(a=number[hop.a], b=number[hop.b])
    return Routes(
        given.world,
        tuple(given.stops[stop] for stop in kept),
        tuple(cheapest.values()),
        tuple(number[goal] for goal in given.goals if goal in number),
    )


def _spread(stack: list[int], near: Mapping[int, Sequence[int]]) -> set[int]:
    """Everything that hangs together with the stops in ``stack``."""
    found = set(stack)
    while stack:
        for stop in near.get(stack.pop(), ()):
            if stop not in found:
                found.add(stop)
                stack.append(stop)
    return found


def cheapest(given: Routes, order: Sequence[int] = ()) -> tuple[int, list[Hop]] | None:
    """The cheapest way from the start to the door where every tile may lie beside every other; None where there is
    none. ``order``: take the keys with these numbers in this order."""
    wanted = [sum(1 << key for key in order[:n]) for n in range(len(order) + 1)]
    best: dict[int, tuple[int, Hop | None]] = {0: (0, None)}
    from_: dict[int, list[Hop]] = {}
    for hop in given.hops:
        if not order or given.stops[hop.b].keys in wanted:
            from_.setdefault(hop.a, []).append(hop)
    queue, closed = [(0, 0)], set()
    while queue:
        cost, stop = heapq.heappop(queue)
        if stop in closed:
            continue
        closed.add(stop)
        if stop in given.goals:
            hops: list[Hop] = []
            last = best[stop][1]
            while last is not None:
                hops.append(last)
                last = best[last.a][1]
            return cost, hops[::-1]
        for hop in from_.get(stop, ()):
            if hop.b not in best or cost + hop.cost < best[hop.b][0]:
                best[hop.b] = (cost + hop.cost, hop)
                heapq.heappush(queue, (cost + hop.cost, hop.b))
    return None
