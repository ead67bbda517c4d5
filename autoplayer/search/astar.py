"""Shortest paths in state spaces of many millions of states: A* with a bucket queue. All open states of one bucket
(equal cost) are expanded at once, as numpy arrays.

States are integers from 0 to ``size - 1`` of a space, costs are non-negative integers. Plain Python expands some 10^5
states a second; in this way, because a bucket holds thousands, it is some 10^7. (A*: Hart, Nilsson and Raphael 1968;
buckets: Dial 1969; several costs to a bucket: Meyer and Sanders' delta-stepping, 2003.)
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.deadline import Deadline

Ints = NDArray[np.int64]
FAR = 1 << 30
"""Infinity: more than any cost, for states that cannot be reached."""

BEYOND = 1.15
""":func:`distances` are exact up to this multiple of the distance of the state that the caller asked for."""


class Moves(Protocol):
    """A state space as far as its transitions go. Arrays have the shape ``(n,)``."""

    size: int

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        """The transitions from ``states`` (all different), one kind of move after another: the indices into ``states``
        of those that have such a move, the states that it leads to, and its cost (an array, or one number for all)."""


class Space(Moves, Protocol):
    """A state space with a goal."""

    def before(self, state: int) -> Iterable[tuple[int, int]]:
        """The predecessors of ``state``, each with the cost of the move from there."""

    def estimate(self, states: Ints) -> Ints:
        """A lower bound on the cost from each state to a goal; ``FAR`` where no goal can be reached. It must be
        consistent (it drops by no more than a move's cost along that move), so that no state is expanded twice."""

    def goal(self, states: Ints) -> NDArray[np.bool_]:
        """Which of ``states`` are goals."""


@dataclass(frozen=True)
class Found:
    """The result of a search. ``cost`` and ``path`` (the states from start to goal) are set where a goal was reached.
    ``bound``: a proven lower bound on the cost; equal to ``cost`` where that is proven optimal, ``FAR`` where no path
    exists. ``expanded``: how many states were expanded."""

    cost: int | None
    path: tuple[int, ...]
    bound: int
    expanded: int


class _Dense:
    """The cost of reaching each state, plus 1, in one array; 0 for states not reached. The operating system gives no
    memory to pages that are never touched."""

    def __init__(self, size: int) -> None:
        self._costs = np.zeros(size, np.uint32)

    def get(self, states: Ints) -> Ints:
        found: Ints = self._costs[states].astype(np.int64)
        return found

    def put(self, states: Ints, costs: Ints) -> None:
        self._costs[states] = costs

    full = False


class _Hashed:
    """The same for spaces too large for an array: a hash table with open addressing that is probed for whole arrays at
    once."""

    FIRST = 1 << 16

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._make(self.FIRST)

    def _make(self, size: int) -> None:
        self._mask = size - 1
        self._states = np.full(size, -1, np.int64)
        self._costs = np.zeros(size, np.uint32)

    def _slots(self, states: Ints) -> Ints:
        """For each state the slot that holds it, or the free slot where it is to be inserted."""
        # Fibonacci hashing (Knuth); the high bits of the product depend on all bits of the state.
        mixed = states.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        slots = ((mixed ^ (mixed >> np.uint64(29))) >> np.uint64(17)).astype(np.int64) & self._mask
        there = self._states[slots]
        open_ = np.flatnonzero((there != states) & (there != -1))
        while len(open_):
            following = (slots[open_] + 1) & self._mask
            slots[open_] = following
            there = self._states[following]
            open_ = open_[(there != states[open_]) & (there != -1)]
        return slots

    def get(self, states: Ints) -> Ints:
        found: Ints = self._costs[self._slots(states)].astype(np.int64)
        return found

    def put(self, states: Ints, costs: Ints) -> None:
        """``states`` are all different."""
        while 2 * (self._count + len(states)) > self._mask:
            self._grow()
        while len(states):
            slots = self._slots(states)
            new = self._states[slots] == -1
            self._states[slots] = states
            won = self._states[slots] == states  # two states may have hit the same free slot
            self._costs[slots[won]] = costs[won]
            self._count += int((new & won).sum())
            states, costs = states[~won], costs[~won]

    def _grow(self) -> None:
        kept = self._states >= 0
        states, costs = self._states[kept], self._costs[kept]
        self._make(2 * (self._mask + 1))
        self._count = 0
        self.put(states, costs.astype(np.int64))

    @property
    def full(self) -> bool:
        """Whether the table has reached the memory that it may use."""
        return self._count > self._most


class _Buckets:
    """Open states with their costs from the start, in buckets by their total estimate (cost so far plus estimate)."""

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
        """The smallest total estimate of any open state."""
        return self._heap[0] * self.width

    def __bool__(self) -> bool:
        return bool(self._heap)

    def take(self) -> tuple[Ints, Ints]:
        parts = self._lists.pop(heapq.heappop(self._heap))
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([states for states, _ in parts]), np.concatenate([costs for _, costs in parts])


MOST_DENSE = 2_000_000
"""Spaces of up to this many states use an array, four bytes a state. In a larger space, of which little is reached,
mapping new pages of memory would take longer than hash lookups do."""
MOST_AT_ONCE = 100_000
"""States expanded at once; their successors take some ten times as much memory."""
MOST_REACHED = 16_000_000
"""The most states that are expanded and, in larger spaces, reached: some 800 MB together with the open states."""


def shortest(
    space: Space, start: int, deadline: Deadline, *, width: int = 1, weight: float = 1, most: int = MOST_REACHED
) -> Found:
    """A cheapest path from ``start`` to a goal, or the best that is known when the deadline or the memory limit is
    reached.

    ``width``: how many consecutive totals share a bucket, so that buckets stay large where costs are fine-grained; the
    answer stays optimal. ``weight``: with more than 1 the estimates are multiplied by it (weighted A*), and the first
    path found is returned; it costs at most ``weight`` times the optimum (Pohl 1970). ``most``: how many states may be
    expanded, and reached where ``space.size`` is above ``MOST_DENSE``; when they are used up the search ends as at its
    deadline.
    """
    reached = _Dense(space.size) if space.size <= MOST_DENSE else _Hashed(most)
    first = np.array([start], np.int64)
    estimate = space.estimate(first)
    if int(estimate[0]) >= FAR:
        return Found(None, (), FAR, 0)
    open_ = _Buckets(width)
    open_.add(_weighed(estimate, weight), first, np.zeros(1, np.int64))
    reached.put(first, np.ones(1, np.int64))
    best, end, expanded, bound = FAR, -1, 0, int(estimate[0])
    while open_ and open_.least < best:
        if weight == 1:
            bound = max(bound, open_.least)
        if deadline.passed or reached.full or expanded > most:
            cost, path = _trace(space, reached, start, end)
            return Found(cost, path, min(bound, FAR if cost is None else cost), expanded)
        states, costs = open_.take()
        fresh = reached.get(states) == costs + 1
        if best < FAR:
            fresh &= costs + space.estimate(states) < best
        states, costs = states[fresh], costs[fresh]
        best, end = _nearest_goal(space, states, costs, best, end)
        expanded += len(states)
        for begin in range(0, len(states), MOST_AT_ONCE):
            part = slice(begin, begin + MOST_AT_ONCE)
            targets, totals = _moved(space, states[part], costs[part])
            known = reached.get(targets)
            better = np.flatnonzero((known == 0) | (totals + 1 < known))
            if len(better):
                targets, totals = _cheapest(targets[better], totals[better])
                _reach(space, reached, open_, targets, totals, weight)
                best, end = _nearest_goal(space, targets, totals, best, end)
    # By their weighted estimates no open state can lead to a better path.
    bound = best if weight == 1 or end < 0 else max(bound, math.ceil(best / weight - 1e-9))
    return Found(*_trace(space, reached, start, end), bound, expanded)


def _nearest_goal(space: Space, states: Ints, costs: Ints, best: int, end: int) -> tuple[int, int]:
    """The cost of the best goal so far, and that goal, after these states were reached."""
    done = np.flatnonzero(space.goal(states))
    if len(done):
        at = done[np.argmin(costs[done])]
        if int(costs[at]) < best:
            return int(costs[at]), int(states[at])
    return best, end


def _moved(space: Moves, states: Ints, costs: Ints) -> tuple[Ints, Ints]:
    """The successors of all states, and their costs from the start."""
    moves = list(space.after(states))
    return np.concatenate([to for _, to, _ in moves]), np.concatenate([costs[at] + cost for at, _, cost in moves])


def _reach(space: Space, reached: _Dense | _Hashed, open_: _Buckets, states: Ints, costs: Ints, weight: float) -> None:
    """Insert states (all different) whose costs are better than those known before."""
    reached.put(states, costs + 1)
    estimates = space.estimate(states)
    near = estimates < FAR
    if near.any():
        open_.add((costs + _weighed(estimates, weight))[near], states[near], costs[near])


def _weighed(estimates: Ints, weight: float) -> Ints:
    """The estimates multiplied by ``weight``."""
    return estimates if weight == 1 else (weight * estimates).astype(np.int64)


def _cheapest(states: Ints, costs: Ints) -> tuple[Ints, Ints]:
    """Each state once, with its smallest cost."""
    bits = int(costs.max()).bit_length()
    if int(states.max()).bit_length() + bits < 63:  # one packed integer sorts faster than two
        both = np.sort(states << bits | costs)
        states, costs = both >> bits, both & ((1 << bits) - 1)
    else:
        order = np.lexsort((costs, states))
        states, costs = states[order], costs[order]
    first = np.ones(len(states), np.bool_)
    first[1:] = states[1:] != states[:-1]
    return states[first], costs[first]


def _trace(space: Space, reached: _Dense | _Hashed, start: int, end: int) -> tuple[int | None, tuple[int, ...]]:
    """The cost and the states of a cheapest known path from ``start`` to ``end``; nothing where there is no ``end``. In
    a search that was cut short the cost may be below the one noted at ``end``: states on the path may have become
    cheaper since."""
    if end < 0:
        return None, ()
    path, seen, costs = [end], {end}, [0]
    while path[-1] != start:
        here = int(reached.get(np.array([path[-1]]))[0])
        for state, cost in space.before(path[-1]):
            if state in seen:
                continue
            known = int(reached.get(np.array([state]))[0])
            if known and known + cost <= here:
                path.append(state)
                costs.append(cost)
                seen.add(state)
                break
        else:
            path.pop()  # moves of cost 0 led around in a cycle
            costs.pop()
    return sum(costs), tuple(reversed(path))


def distances(space: Moves, starts: Ints, *, enough: int, width: int = 1) -> NDArray[np.int32]:
    """The distance of each state of ``space`` from the nearest of ``starts``, shape ``(size,)``; ``FAR`` where there is
    no path.

    The search ends once all distances up to ``BEYOND`` times that of the state ``enough`` are known; every state beyond
    gets the largest distance that is known. ``width``: as in :func:`shortest`.
    """
    found = np.full(space.size, FAR, np.int32)
    found[starts] = 0
    open_ = _Buckets(width)
    if len(starts):
        open_.add(np.zeros(len(starts), np.int64), starts, np.zeros(len(starts), np.int64))
    while open_:
        last = open_.least
        if last > BEYOND * int(found[enough]):
            return np.minimum(found, last)
        states, costs = open_.take()
        fresh = found[states] == costs
        targets, totals = _moved(space, states[fresh], costs[fresh])
        better = totals < found[targets]
        if better.any():
            new, least = _cheapest(targets[better], totals[better])
            found[new] = least
            open_.add(least, new, least)
    return found
