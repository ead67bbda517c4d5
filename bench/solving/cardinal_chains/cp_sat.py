"""A rival: Cardinal Chains as one OR-tools CP-SAT model with a multi-circuit constraint."""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution


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
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    found: list[Solution] = []
    exhausted = False
    while len(found) < most and not exhausted:
        left = time_limit - (time.perf_counter() - began)
        if left <= 0:
            break
        solver.parameters.max_time_in_seconds = left
        status = solver.solve(model)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            links = {a: b for (a, b), taken in steps.items() if solver.value(taken)}
            found.append(_chains(puzzle, links))
            model.add_bool_or([steps[step].negated() for step in links.items()])
        elif status == cp_model.INFEASIBLE:
            exhausted = True
        else:
            break
    unique = False if len(found) > 1 else True if found and exhausted else None
    answer = "solved" if found else "no-solution" if exhausted else "timeout"
    seconds = time.perf_counter() - began
    return Outcome(answer, found[0] if found else None, unique, seconds, len(found), exhausted)  # type: ignore[arg-type]


def _chains(puzzle: Puzzle, links: dict[Any, Any]) -> Solution:
    chains = []
    for start in puzzle.starts:
        chain = [start]
        while chain[-1] in links:
            chain.append(links[chain[-1]])
        chains.append(tuple(chain))
    return tuple(chains)
