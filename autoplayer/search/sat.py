"""An incremental SAT engine that keeps a deadline, and enumeration with lazily added cuts on top of it.

What a model means, which cuts it breaks and when it is a solution, is the caller's business (see :class:`Verdict`).
Encodings that several games need are in :mod:`autoplayer.search.encode`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from autoplayer.core.deadline import Deadline, OutOfTime

T = TypeVar("T")
Clause = Sequence[int]
"""A disjunction of literals: ``v`` means that variable v is true, ``-v`` that it is false; variables count from 1."""
Model = list[int]
"""One literal a variable, in the order of the variables: ``model[v - 1]`` is ``v`` or ``-v``."""

ENGINE = "glucose4"
"""Measured on 313 small boards with lazy cuts: Glucose 4 and MiniSat 2.2 take 0.16 ms each, CaDiCaL 1.5.3 one and a
half times and 1.9.5 twice as long. On 120 boards that need hundreds of cuts, at most 5 s each: Glucose 4 takes 18 s in
all, MiniSat 2.2 takes 23 s, CaDiCaL 1.9.5 takes 33 s."""

SLICE_SECONDS = 0.04
"""Seconds that the engine runs between two looks at the clock; deadlines are kept to within about this."""
FIRST_SLICE = 200
"""Conflict budget of the first slice, while the engine's speed on this problem is unknown."""
LONGEST_SLICE = 20_000


class Sat:
    """A SAT problem that can grow: add clauses, solve, inspect the model, add more.

    Deadlines work with every engine of python-sat that supports conflict budgets: the engine runs in slices of about
    ``SLICE_SECONDS``, and keeps its learned clauses between them. Use it in a ``with`` statement.
    """

    def __init__(self, clauses: Iterable[Clause] = (), *, engine: str = ENGINE) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=engine, bootstrap_with=clauses)
        self._impossible = False
        self._slice = FIRST_SLICE

    def __enter__(self) -> Sat:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._solver.delete()

    def add(self, clauses: Iterable[Clause]) -> None:
        """Add clauses; an empty one makes the problem unsolvable."""
        for clause in clauses:
            if clause:
                self._solver.add_clause(clause)
            else:
                self._impossible = True

    def prefer(self, literals: Sequence[int]) -> None:
        """Set the preferred phases: these literals are tried first where the engine has a free choice."""
        self._solver.set_phases(literals)

    def solve(
        self, deadline: Deadline, *, assume: Sequence[int] = (), conflicts: int | None = None
    ) -> Model | bool | None:
        """A model; False where there is none; None where ``conflicts`` ran out first.

        Raises OutOfTime when the deadline passes.
        """
        if self._impossible:
            return False
        while True:
            deadline.check()
            budget = self._slice if conflicts is None else min(self._slice, conflicts)
            self._solver.conf_budget(budget)
            began = time.perf_counter()
            answer = self._solver.solve_limited(assumptions=list(assume))
            if answer is not None:
                return list(self._solver.get_model()) if answer else False
            if conflicts is not None:
                conflicts -= budget
                if conflicts <= 0:
                    return None
            took = max(time.perf_counter() - began, 1e-4)
            fitting = budget * min(SLICE_SECONDS, max(deadline.left, 0.001)) / took
            self._slice = int(min(max(fitting, 10), 2 * self._slice, LONGEST_SLICE))


@dataclass(frozen=True)
class Verdict(Generic[T]):
    """What a model turned out to be: the solutions found while it was examined, and the clauses to add.

    At least one of the clauses must be violated by the model (a cut that it breaks, or the clause that excludes a
    solution already found); otherwise the search would make no progress.
    """

    found: Sequence[T]
    clauses: Sequence[Clause]


PATIENT_CONFLICTS, PATIENT_ROUNDS = 300, 15
"""A problem is treated as hard once one round took more conflicts than this, or the search more rounds."""


def enumerate_solutions(
    sat: Sat,
    examine: Callable[[Model], Verdict[T]],
    deadline: Deadline,
    *,
    strengthen: Callable[[], Iterable[Clause]] | None = None,
) -> Iterator[T]:
    """Every solution once: solve, examine the model, add cuts, and repeat until no model is left.

    ``strengthen`` gives implied clauses that pay only on hard problems; they are added once, when one round has taken
    more than ``PATIENT_CONFLICTS`` or there have been more than ``PATIENT_ROUNDS``. Raises OutOfTime when the deadline
    passes (a caller may shorten it meanwhile); returns when there are no more solutions.
    """
    rounds = 0
    while True:
        model = sat.solve(deadline, conflicts=PATIENT_CONFLICTS if strengthen else None)
        rounds += 1
        if strengthen and (model is None or rounds > PATIENT_ROUNDS):
            sat.add(strengthen())
            strengthen = None
        if model is None:
            continue
        if model is False:
            return
        assert isinstance(model, list)
        verdict = examine(model)
        if not any(all(model[abs(x) - 1] != x for x in clause) for clause in verdict.clauses):
            raise ValueError("a verdict must hold a clause that the model breaks")
        sat.add(verdict.clauses)
        yield from verdict.found


__all__ = ["ENGINE", "Clause", "Deadline", "Model", "OutOfTime", "Sat", "Verdict", "enumerate_solutions"]
