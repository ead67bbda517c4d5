"""What the CP-SAT rivals of all games share: solving a model of OR-tools, and again with each answer forbidden."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

from autoplayer.games.base import Outcome, S


def search(model: Any, take: Callable[[Any], S], *, began: float, time_limit: float, most: int) -> Outcome[S]:
    """Up to ``most`` solutions of ``model``, with one worker, as all others here have one.

    ``take`` is given the solver when it has found one: it returns it, and forbids it in the model. ``began``: when the
    making of the model began, in seconds of ``time.perf_counter``; it counts.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    found: list[S] = []
    exhausted = False
    while len(found) < most and not exhausted:
        left = time_limit - (time.perf_counter() - began)
        if left <= 0:
            break
        solver.parameters.max_time_in_seconds = left
        status = solver.solve(model)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            found.append(take(solver))
        elif status == cp_model.INFEASIBLE:
            exhausted = True
        else:
            break
    unique = False if len(found) > 1 else True if found and exhausted else None
    answer: Literal["solved", "no-solution", "timeout"] = (
        "solved" if found else "no-solution" if exhausted else "timeout"
    )
    seconds = time.perf_counter() - began
    return Outcome(answer, found[0] if found else None, unique, seconds, len(found), exhausted)
