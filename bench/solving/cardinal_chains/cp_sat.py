"""A rival: Cardinal Chains as one OR-tools CP-SAT model with a multi-circuit constraint."""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution
from bench.solving.cp_sat import search


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
    """All chains are one circuit through a depot: depot to each start, steps, and from any cell back to the depot.

    CP-SAT's own propagation of the circuit is used, with one worker as all others here have one; a second solution is
    looked for with the first forbidden.
    """
    from ortools.sat.python import cp_model

    began = time.perf_counter()
    number = {cell: place for place, cell in enumerate(puzzle.cells, 1)}
    model = cp_model.CpModel()
    arcs: list[tuple[int, int, Any]] = []
    steps: dict[tuple[Any, Any], Any] = {}
    for cell, targets in puzzle.steps.items():
        for target in targets:
            steps[cell, target] = model.new_bool_var("")
            arcs.append((number[cell], number[target], steps[cell, target]))
        arcs.append((number[cell], 0, model.new_bool_var("")))
    for start in puzzle.starts:
        first = model.new_bool_var("")
        model.add(first == 1)
        arcs.append((0, number[start], first))
    model.add_multiple_circuit(arcs)

    def take(solver: Any) -> Solution:
        links = {a: b for (a, b), taken in steps.items() if solver.value(taken)}
        model.add_bool_or([steps[step].negated() for step in links.items()])
        return _chains(puzzle, links)

    return search(model, take, began=began, time_limit=time_limit, most=most)


def _chains(puzzle: Puzzle, links: dict[Any, Any]) -> Solution:
    chains = []
    for start in puzzle.starts:
        chain = [start]
        while chain[-1] in links:
            chain.append(links[chain[-1]])
        chains.append(tuple(chain))
    return tuple(chains)
