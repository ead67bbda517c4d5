"""A rival: Cross Set as one OR-tools CP-SAT model, exactly one of everything."""

from __future__ import annotations

import time
from typing import Any

from autoplayer.games.base import Outcome
from autoplayer.games.cross_set.puzzle import Puzzle, Solution
from bench.solving.cp_sat import search


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

    def take(solver: Any) -> Solution:
        chosen = {(r, c): n for (r, c, n), variable in holds.items() if solver.value(variable)}
        model.add_bool_or([holds[r, c, n].negated() for (r, c), n in chosen.items()])
        return tuple(tuple(chosen[r, c] for c in range(puzzle.size)) for r in range(puzzle.size))

    return search(model, take, began=began, time_limit=time_limit, most=most)
