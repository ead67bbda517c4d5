"""A rival: Hashi as one OR-tools CP-SAT model, in which a flow from the first island reaches all the others."""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.hashi.puzzle import MOST_LINKS, Link, Puzzle, Solution
from bench.solving.cp_sat import search


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
    """One worker, as all others here have one; a second solution is looked for with the first forbidden."""
    from ortools.sat.python import cp_model

    began = time.perf_counter()
    model = cp_model.CpModel()
    count = len(puzzle.islands)
    links = [model.new_int_var(0, MOST_LINKS, "") for _ in puzzle.bridges]
    stands = [model.new_bool_var("") for _ in puzzle.bridges]
    flows: list[Any] = []
    for k in range(len(puzzle.bridges)):
        model.add(links[k] >= 1).only_enforce_if(stands[k])
        model.add(links[k] == 0).only_enforce_if(stands[k].negated())
        flows.append(model.new_int_var(1 - count, count - 1, ""))
        model.add(flows[k] == 0).only_enforce_if(stands[k].negated())
        for other in puzzle.crossings[k]:
            if other > k:
                model.add_at_most_one([stands[k], stands[other]])
    for i, (island, number) in enumerate(puzzle.islands.items()):
        here = puzzle.at[island]
        model.add(sum(links[k] for k in here) == number)
        # The first island sends one unit to each of the others, which keep one of what comes in.
        out = sum(flows[k] if puzzle.bridges[k].a == island else -flows[k] for k in here)
        model.add(out == (count - 1 if i == 0 else -1))

    def take(solver: Any) -> Solution:
        values = [solver.value(variable) for variable in links]
        _forbid(model, links, values)
        return tuple(Link(*puzzle.bridges[k], value) for k, value in enumerate(values) if value)

    return search(model, take, began=began, time_limit=time_limit, most=most)


def _forbid(model: Any, links: list[Any], values: list[int]) -> None:
    """Some bridge carries another number of links than in ``values``."""
    others = []
    for variable, value in zip(links, values, strict=True):
        other = model.new_bool_var("")
        model.add(variable != value).only_enforce_if(other)
        others.append(other)
    model.add_bool_or(others)
