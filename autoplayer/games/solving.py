"""Shared by all solvers: counts the solutions that a search finds, keeps the time limit, and states what is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.base import Outcome, S

UNIQUENESS_SECONDS = 1.0
"""The default number of seconds for which a second solution is searched for after the first."""


def outcome(
    solutions: Callable[[Deadline], Iterator[S]], *, time_limit: float, most: int, second_limit: float | None = None
) -> Outcome[S]:
    """Up to ``most`` different solutions within ``time_limit`` seconds; the first one found is returned.

    ``solutions`` yields every solution once and raises OutOfTime when its deadline passes. ``second_limit``: the
    seconds allowed after the first solution for finding the others or proving that there are none; by default
    ``UNIQUENESS_SECONDS`` for ``most=2`` and no separate limit for more. When they run out the status is still
    "solved", and ``unique`` is None unless a second solution was found.
    """
    if second_limit is None:
        second_limit = UNIQUENESS_SECONDS if most <= 2 else math.inf
    deadline = Deadline(time_limit)
    found: list[S] = []
    exhausted = False
    try:
        for solution in solutions(deadline):
            found.append(solution)
            if len(found) >= most:
                break
            if len(found) == 1:
                deadline.shorten(second_limit)
        else:
            exhausted = True
    except OutOfTime:
        pass
    unique = False if len(found) > 1 else True if found and exhausted else None
    return Outcome(
        "solved" if found else "no-solution" if exhausted else "timeout",
        found[0] if found else None,
        unique,
        deadline.spent,
        len(found),
        exhausted,
    )
