"""What the tables of all games share: running a solver over puzzles, checking what it says, and a row of figures.

Every solution is checked by the game's own checker, and where two solvers both came to an answer they must agree.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autoplayer.games.base import Outcome

LEVELS = Path(__file__).resolve().parents[3] / "shared" / "levels"
"""Level packs that are not part of the project; what is not there is said and left out."""

Solver = Callable[..., Outcome[Any]]


@dataclass(frozen=True)
class Run:
    """One solver over one set of puzzles. ``times``: CPU seconds of each, which a busy machine distorts less than a
    clock does; a puzzle that was not answered counts with the time it took to give up, so that a ratio to it is a lower
    bound."""

    times: Sequence[float]
    answered: int
    outcomes: Sequence[Outcome[Any]]


@dataclass(frozen=True)
class Table:
    """The table of one game: how its puzzles are parsed and checked, and how long each solver has.

    ``cap``: seconds a puzzle; ``budget``: seconds after which a rival's row ends; ``most``: solutions looked for;
    ``first``: a small puzzle that each solver solves before it is timed, so that its engine is loaded.
    """

    parse: Callable[[str], Any]
    check: Callable[[Any, Any], list[str]]
    ours: Solver
    cap: float
    budget: float
    first: Any
    most: int = 2

    def heading(self) -> None:
        print(
            f"{'puzzles':<30} {'solver':<14} {'answered':>9} {'CPU s':>10} {'median':>10} {'slowest':>10} {'ratio':>14}"
        )

    def load(self, pack: str) -> list[Any] | None:
        """The puzzles of a pack (``game/file``), in which blank lines part them; None where it is not there."""
        path = LEVELS / pack
        if not path.exists():
            print(f"{path.name:<30} skipped: {path} is not there")
            return None
        return [self.parse(block) for block in path.read_text(encoding="utf-8").split("\n\n") if block.strip()]

    def compare(self, name: str, puzzles: Sequence[Any], rivals: dict[str, Solver], cap: float | None = None) -> Run:
        """A row for the project's own solver and one for each rival; the first of them is returned."""
        best = self._run(self.ours, puzzles, cap or self.cap, float("inf"))
        _row(name, "autoplayer", best, len(puzzles), None)
        for what, solve in rivals.items():
            result = self._run(solve, puzzles, cap or self.cap, self.budget)
            _agree(best, result)
            _row(name, what, result, len(puzzles), best)
        sys.stdout.flush()
        return best

    def _run(self, solve: Solver, puzzles: Sequence[Any], cap: float, budget: float) -> Run:
        """Solve them all, each within ``cap`` seconds; the rest is left out once ``budget`` seconds are spent."""
        solve(self.first, time_limit=self.cap, most=self.most)
        outcomes: list[Outcome[Any]] = []
        times: list[float] = []
        for given in puzzles:
            if sum(times) > budget:
                break
            # What one solver has the puzzle work out about itself is no gift to the next.
            puzzle = replace(given)
            began = time.process_time()
            outcome = solve(puzzle, time_limit=cap, most=self.most)
            times.append(time.process_time() - began)
            if outcome.solution is not None:
                faults = self.check(puzzle, outcome.solution)
                assert not faults, faults
            outcomes.append(outcome)
        return Run(times, sum(outcome.status != "timeout" for outcome in outcomes), outcomes)


def _agree(left: Run, right: Run) -> None:
    """Two solvers that both answered say the same."""
    for one, other in zip(left.outcomes, right.outcomes, strict=False):
        if "timeout" not in (one.status, other.status):
            assert one.status == other.status, (one, other)
            assert None in (one.unique, other.unique) or one.unique == other.unique, (one, other)


def _row(name: str, what: str, result: Run, puzzles: int, best: Run | None) -> None:
    done = len(result.outcomes)
    note = "" if done == puzzles else f"  (stopped after {done})"
    ratio = ""
    if best is not None:
        # Compare what both did: the time of the same puzzles.
        same = sum(best.times[:done])
        bound = ">= " if result.answered < done else ""
        ratio = f"{bound}{sum(result.times) / same:,.1f}x"
    print(
        f"{name:<30} {what:<14} {result.answered:>4}/{done:<4} {sum(result.times):>10.4f} "
        f"{statistics.median(result.times):>10.4f} {max(result.times):>10.4f} {ratio:>14}{note}",
        flush=True,
    )
