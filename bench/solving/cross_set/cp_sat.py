"""A rival: Cross Set as one OR-tools CP-SAT model, exactly one of everything."""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.cross_set.puzzle import Puzzle, Solution


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
    """One worker, as all others here have one; a second solution is looked for with the first forbidden.

    A Boolean for every candidate, and exactly one of them in a cell, and for a number in a row and in a column.
    """
    from ortools.sat.python import cp_model

    began = time.perf_counter()
    model = cp_model.CpModel()
    holds: dict[tuple[int, int, int], Any] = {}
    groups: dict[tuple[str, int, int], list[Any]] = {}
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            for n in cell:
                holds[r, c, n] = variable = model.new_bool_var("")
                for key in (("cell", r, c), ("row", r, n), ("column", c, n)):
                    groups.setdefault(key, []).append(variable)
    for group in groups.values():
        model.add_exactly_one(group)
    # A number that stands nowhere in a row or column has no group that could say so.
    if len(groups) < 3 * puzzle.size**2:
        return Outcome("no-solution", None, None, time.perf_counter() - began, 0, True)
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
            chosen = {(r, c): n for (r, c, n), variable in holds.items() if solver.value(variable)}
            found.append(tuple(tuple(chosen[r, c] for c in range(puzzle.size)) for r in range(puzzle.size)))
            model.add_bool_or([holds[r, c, n].negated() for (r, c), n in chosen.items()])
        elif status == cp_model.INFEASIBLE:
            exhausted = True
        else:
            break
    unique = False if len(found) > 1 else True if found and exhausted else None
    answer = "solved" if found else "no-solution" if exhausted else "timeout"
    seconds = time.perf_counter() - began
    return Outcome(answer, found[0] if found else None, unique, seconds, len(found), exhausted)  # type: ignore[arg-type]
