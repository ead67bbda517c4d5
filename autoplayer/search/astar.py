"""Shortest paths in state spaces of many millions: A* whose open states lie in buckets of equal cost, each bucket taken
and expanded at once as numpy arrays.

States are whole numbers from 0 below a space's ``size``, costs whole numbers from 0. Plain Python expands some 10^5
states a second; so, because a bucket holds thousands, it is some 10^7 (A*: Hart, Nilsson and Raphael 1968; buckets:
Dial 1969; several costs to a bucket: Meyer and Sanders' delta-stepping, 2003).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autoplayer.search.deadline import Deadline

Ints = NDArray[np.int64]
FAR = 1 << 30
"""More than any cost: no way is known."""


class Moves(Protocol):
    """A state space as far as it is walked through. Arrays are of shape ``(n,)``."""

    size: int

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        """The moves from ``states``, which are all different, kind by kind: the indices in ``states`` of those that
        have one, where it leads, and what it costs: one number only where no two of them lead to the same state."""


class Space(Moves, Protocol):
    """A state space with a goal."""

    def before(self, state: int) -> Iterable[tuple[int, int]]:
        """Where moves into ``state`` come from, and what each costs."""

    def estimate(self, states: Ints) -> Ints:
        """What the goal costs from each state at least; ``FAR`` where it is known to be out of reach. Never more than
        a move's cost above the estimate of where that leads, so that no state is expanded twice."""

    def goal(self, states: Ints) -> NDArray[np.bool_]:
        """Which of ``states`` are goals."""


@dataclass(frozen=True)
class Found:
    """What a search came to. ``cost`` and ``path`` (states from start to goal) where a goal was reached. ``bound``: no
    path costs less; equal to ``cost`` where that is proven to be the least, ``FAR`` where there is none.
    ``expanded``: states whose moves were looked at."""

    cost: int | None
    path: tuple[int, ...]
    bound: int
    expanded: int


class _Buckets:
    """Open states with their costs from the start, by the bucket that their least total falls into."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lists: dict[int, list[tuple[Ints, Ints]]] = {}
        self._heap: list[int] = []

    def add(self, totals: Ints, states: Ints, costs: Ints) -> None:
        keys = totals // self.width
        low, high = int(keys.min()), int(keys.max())
        if low == high:
            self._put(low, states, costs)
            return
        order = np.argsort(keys.astype(np.int32) - low, kind="stable")
        keys, states, costs = keys[order], states[order], costs[order]
        cuts = np.flatnonzero(np.diff(keys)) + 1
        for begin, end in zip([0, *cuts], [*cuts, len(keys)], strict=True):
            self._put(int(keys[begin]), states[begin:end], costs[begin:end])

    def _put(self, key: int, states: Ints, costs: Ints) -> None:
        if key not in self._lists:
            self._lists[key] = []
            heapq.heappush(self._heap, key)
        self._lists[key].append((states, costs))

    @property
    def least(self) -> int:
        """The least total that an open state may have."""
        return self._heap[0] * self.width

    def __bool__(self) -> bool:
        return bool(self._heap)

    def take(self) -> tuple[Ints, Ints]:
        parts = self._lists.pop(heapq.heappop(self._heap))
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([states for states, _ in parts]), np.concatenate([costs for _, costs in parts])


def shortest(space: Space, start: int, deadline: Deadline, *, width: int = 1) -> Found:
    """A cheapest path from ``start`` to a goal, or as far as the deadline allows.

    ``width``: how many different totals are taken for one, so that buckets stay large where costs are fine-grained; the
    answer is the same. Uses ``4 * size`` bytes of address space, of which what is never reached is never touched.
    """
    reached = np.zeros(space.size, np.uint32)  # the cost from the start, plus 1; 0: not yet reached
    first = np.array([start], np.int64)
    estimate = space.estimate(first)
    if int(estimate[0]) >= FAR:
        return Found(None, (), FAR, 0)
    open_ = _Buckets(width)
    open_.add(estimate, first, np.zeros(1, np.int64))
    reached[start] = 1
    best, end, expanded, bound = FAR, -1, 0, int(estimate[0])
    while open_ and open_.least < best:
        bound = max(bound, open_.least)
        if deadline.passed:
            return Found(None if end < 0 else best, _trace(space, reached, start, end), min(bound, best), expanded)
        states, costs = open_.take()
        fresh = reached[states] == costs + 1
        states, costs = states[fresh], costs[fresh]
        done = space.goal(states)
        if done.any():
            cheapest = int(np.argmin(np.where(done, costs, FAR)))
            if int(costs[cheapest]) < best:
                best, end = int(costs[cheapest]), int(states[cheapest])
        expanded += len(states)
        for origin, targets, cost in space.after(states):
            totals = costs[origin] + cost
            known = reached[targets]
            better = (known == 0) | (totals + 1 < known)
            _reach(space, reached, open_, targets[better], totals[better], once=isinstance(cost, int))
    return Found(None if end < 0 else best, _trace(space, reached, start, end), best, expanded)


def _reach(
    space: Space, reached: NDArray[np.uint32], open_: _Buckets, states: Ints, costs: Ints, *, once: bool
) -> None:
    """Take in states with costs that are better than what was known; ``once``: they are all different."""
    if not once:
        states, costs = _cheapest(states, costs)
    if not len(states):
        return
    reached[states] = costs + 1
    estimates = space.estimate(states)
    near = estimates < FAR
    if near.any():
        open_.add((costs + estimates)[near], states[near], costs[near])


def _cheapest(states: Ints, costs: Ints) -> tuple[Ints, Ints]:
    """Each state once, with the least of its costs."""
    order = np.lexsort((costs, states))
    states, costs = states[order], costs[order]
    first = np.ones(len(states), np.bool_)
    first[1:] = states[1:] != states[:-1]
    return states[first], costs[first]


def _trace(space: Space, reached: NDArray[np.uint32], start: int, end: int) -> tuple[int, ...]:
    """The states on a cheapest way from ``start`` to ``end``; empty where ``end`` is none."""
    if end < 0:
        return ()
    path, seen = [end], {end}
    while path[-1] != start:
        here = int(reached[path[-1]])
        for state, cost in space.before(path[-1]):
            if int(reached[state]) and int(reached[state]) + cost == here and state not in seen:
                path.append(state)
                seen.add(state)
                break
        else:
            path.pop()  # moves that cost nothing led around in a circle
    return tuple(reversed(path))


def distances(space: Moves, starts: Ints, *, width: int = 1) -> NDArray[np.int32]:
    """What each state of ``space`` costs from the nearest of ``starts``; ``FAR`` where there is no way. Shape
    ``(size,)``. Estimates and goals are not asked for."""
    found = np.full(space.size, FAR, np.int32)
    found[starts] = 0
    open_ = _Buckets(width)
    if len(starts):
        open_.add(np.zeros(len(starts), np.int64), starts, np.zeros(len(starts), np.int64))
    while open_:
        states, costs = open_.take()
        fresh = found[states] == costs
        states, costs = states[fresh], costs[fresh]
        for origin, targets, cost in space.after(states):
            totals = costs[origin] + cost
            better = totals < found[targets]
            new, least = _cheapest(targets[better], totals[better])
            if len(new):
                found[new] = least
                open_.add(least, new, least)
    return found
