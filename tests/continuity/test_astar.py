"""The engine under the planner, on graphs of its own."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from autoplayer.core.deadline import Deadline
from autoplayer.search import astar
from autoplayer.search.astar import FAR, Ints, distances, shortest

Edge = tuple[int, int, int]


class Graph:
    """A directed graph: edges ``(from, to, cost)``; the goals; what each node is estimated to cost."""

    def __init__(self, size: int, edges: list[Edge], goals: set[int], exact: bool) -> None:
        self.size = size
        self.edges = edges
        self.goals = goals
        # Exact distances are the sharpest estimate that is allowed, 0 the bluntest.
        self.left = np.array(_backwards(size, edges, goals) if exact else [0] * size, np.int64)

    def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
        moves = [(at, b, cost) for at, state in enumerate(states.tolist()) for a, b, cost in self.edges if a == state]
        columns = np.array(moves, np.int64).reshape(-1, 3)
        yield columns[:, 0], columns[:, 1], columns[:, 2]

    def before(self, state: int) -> Iterator[tuple[int, int]]:
        return ((a, cost) for a, b, cost in self.edges if b == state)

    def estimate(self, states: Ints) -> Ints:
        found: Ints = self.left[states]
        return found

    def goal(self, states: Ints) -> NDArray[np.bool_]:
        return np.isin(states, sorted(self.goals))


def _backwards(size: int, edges: list[Edge], goals: set[int]) -> list[int]:
    cost = [FAR] * size
    queue = [(0, goal) for goal in goals]
    while queue:
        total, node = heapq.heappop(queue)
        if total < cost[node]:
            cost[node] = total
            for a, b, extra in edges:
                if b == node:
                    heapq.heappush(queue, (total + extra, a))
    return cost


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 12))
    nodes = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(nodes, nodes, st.integers(0, 6)), max_size=40))
    return Graph(size, edges, draw(st.sets(nodes, max_size=2)), draw(st.booleans()))


def _cost(path: tuple[int, ...], edges: list[Edge]) -> int:
    return sum(min(cost for a, b, cost in edges if (a, b) == step) for step in itertools.pairwise(path))


@settings(max_examples=200, deadline=None)
@given(graph=graphs(), width=st.integers(1, 4), hashed=st.booleans())
def test_paths_are_cheapest(graph: Graph, width: int, hashed: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if hashed:
            patch.setattr(astar, "MOST_DENSE", 0)
        found = shortest(graph, 0, Deadline(60), width=width)
    best = _backwards(graph.size, graph.edges, graph.goals)[0]
    if best >= FAR:
        assert (found.cost, found.path, found.bound) == (None, (), FAR)
    else:
        assert (found.cost, found.bound) == (best, best)
        assert found.path[0] == 0
        assert found.path[-1] in graph.goals
        assert _cost(found.path, graph.edges) == best


@settings(max_examples=100, deadline=None)
@given(graph=graphs(), weight=st.sampled_from([1.25, 1.5, 2, 4]), width=st.integers(1, 6))
def test_weighted_paths_cost_at_most_so_many_times_the_least(graph: Graph, weight: float, width: int) -> None:
    found = shortest(graph, 0, Deadline(60), weight=weight, width=width)
    best = _backwards(graph.size, graph.edges, graph.goals)[0]
    if found.cost is None:
        assert best >= FAR
    else:
        assert _cost(found.path, graph.edges) == found.cost
        assert found.bound <= best <= found.cost <= weight * best


@settings(max_examples=100, deadline=None)
@given(graph=graphs(), most=st.integers(0, 5), width=st.integers(1, 9), weight=st.sampled_from([1, 1.5]))
def test_an_unfinished_search_gives_a_true_bound_and_a_true_path(
    graph: Graph, most: int, width: int, weight: float
) -> None:
    found = shortest(graph, 0, Deadline(60), most=most, width=width, weight=weight)
    assert found.bound <= _backwards(graph.size, graph.edges, graph.goals)[0]
    if found.cost is not None:
        assert found.path[0] == 0
        assert found.path[-1] in graph.goals
        assert _cost(found.path, graph.edges) <= found.cost


def test_a_search_that_is_broken_off_tells_what_its_path_costs() -> None:
    """The goal is reached over a state to which a cheaper way is found later, before the search ends."""
    edges = [(0, 1, 5), (1, 4, 1), (0, 2, 1), (2, 3, 1), (3, 1, 1), (1, 5, 9)]
    for most in range(6):
        found = shortest(Graph(6, edges, {4}, exact=False), 0, Deadline(60), most=most, width=100)
        if found.cost is not None:
            assert found.path in ((0, 1, 4), (0, 2, 3, 1, 4))
            assert found.cost == _cost(found.path, edges)


@settings(max_examples=100, deadline=None)
@given(graph=graphs(), enough=st.integers(0, 11))
def test_distances_are_right_as_far_as_they_must_be(graph: Graph, enough: int) -> None:
    state = min(enough, graph.size - 1)
    start = 0
    turned = [(b, a, cost) for a, b, cost in graph.edges]
    true = np.array(_backwards(graph.size, turned, {start}))
    found = distances(graph, np.array([start]), enough=state)
    assert found[state] == true[state]
    assert (found <= true).all()
    near = true <= true[state]
    assert (found[near] == true[near]).all()


def test_a_long_hashed_search_grows_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of 2,000 nodes far apart, from a table of 16 places that doubles on the way."""

    class Line:
        size = 1 << 60

        def after(self, states: Ints) -> Iterator[tuple[Ints, Ints, Ints | int]]:
            yield np.arange(len(states)), states + 12_345_678_901, 1
            yield np.arange(len(states)), states + 24_691_357_802, np.full(len(states), 3)

        def before(self, state: int) -> Iterator[tuple[int, int]]:
            yield state - 12_345_678_901, 1

        def estimate(self, states: Ints) -> Ints:
            return np.zeros(len(states), np.int64)

        def goal(self, states: Ints) -> NDArray[np.bool_]:
            found: NDArray[np.bool_] = states == 2_000 * 12_345_678_901
            return found

    monkeypatch.setattr(astar._Hashed, "FIRST", 16)
    found = shortest(Line(), 0, Deadline(60))
    assert (found.cost, found.bound, len(found.path)) == (2_000, 2_000, 2_001)


@pytest.mark.parametrize(
    "first", [0, 1 << 60], ids=["small numbers", "numbers that leave no room for a cost beside them"]
)
def test_of_a_state_the_least_cost_is_kept(first: int) -> None:
    states = np.array([2, 1, 2, 3, 1], np.int64) + first
    found, costs = astar._cheapest(states, np.array([7, 5, 4, 9, 6], np.int64))
    assert (found - first).tolist() == [1, 2, 3]
    assert costs.tolist() == [5, 4, 9]
