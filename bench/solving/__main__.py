"""``python -m bench.solving [--quick]``: one table of Cardinal Chains solvers, side by side in one run.

Every solution is checked by the game's own checker, and where two solvers both came to an answer they must agree.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autoplayer.games.base import Outcome
from autoplayer.games.cardinal_chains import solver as ours
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution, check, parse
from bench.solving import cp_sat, published

PACKS = Path(__file__).resolve().parents[3] / "shared" / "levels" / "cardinal-chains"

LEVEL_333 = parse(
    """
    3 . 3 3 3 3 .
    3 3 3 3 3 3 X
    3 3 3 3 3 3 .
    3 3 3 3 3 3 3
    3 3 3 3 3 3 3
    . 3 3 3 3 3 3
    """
)

Solver = Callable[..., Outcome[Solution]]


@dataclass(frozen=True)
class Run:
    """One solver over one set of puzzles. ``times``: CPU seconds of each, which a busy machine distorts less than a
    clock does; a puzzle that was not answered counts with the time it took to give up, so that a ratio to it is a lower
    bound."""

    times: Sequence[float]
    answered: int
    outcomes: Sequence[Outcome[Solution]]


def load(path: Path) -> list[Puzzle]:
    """The puzzles of a file, in which blank lines part them."""
    return [parse(block) for block in path.read_text().split("\n\n") if block.strip()]


def run(solve: Solver, puzzles: Sequence[Puzzle], cap: float, budget: float, most: int) -> Run:
    """Solve them all, each within ``cap`` seconds; the rest is left out once ``budget`` seconds are spent."""
    outcomes: list[Outcome[Solution]] = []
    times: list[float] = []
    for puzzle in puzzles:
        if sum(times) > budget:
            break
        began = time.process_time()
        outcome = solve(puzzle, time_limit=cap, most=most)
        times.append(time.process_time() - began)
        if outcome.solution is not None:
            faults = check(puzzle, outcome.solution)
            assert not faults, faults
        outcomes.append(outcome)
    return Run(times, sum(outcome.status != "timeout" for outcome in outcomes), outcomes)


def agree(left: Run, right: Run) -> None:
    """Two solvers that both answered say the same."""
    for one, other in zip(left.outcomes, right.outcomes, strict=False):
        if "timeout" not in (one.status, other.status):
            assert one.status == other.status, (one, other)
            assert None in (one.unique, other.unique) or one.unique == other.unique, (one, other)


def row(name: str, what: str, result: Run, puzzles: int, best: Run | None) -> None:
    done = len(result.outcomes)
    note = "" if done == puzzles else f"  (stopped after {done})"
    ratio = ""
    if best is not None:
        # Compare what both did: the time of the same puzzles.
        same = sum(best.times[:done])
        bound = ">= " if result.answered < done else ""
        ratio = f"{bound}{sum(result.times) / same:,.1f}x"
    print(
        f"{name:<30} {what:<12} {result.answered:>4}/{done:<4} {sum(result.times):>10.4f} {max(result.times):>10.4f} "
        f"{ratio:>14}{note}"
    )


def compare(name: str, puzzles: Sequence[Puzzle], rivals: dict[str, Solver], cap: float, budget: float) -> None:
    ours.solve(puzzles[0], time_limit=cap)  # the first call loads the engine
    best = run(ours.solve, puzzles, cap, float("inf"), 2)
    row(name, "autoplayer", best, len(puzzles), None)
    for what, solve in rivals.items():
        result = run(solve, puzzles, cap, budget, 2)
        agree(best, result)
        row(name, what, result, len(puzzles), best)
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.solving", description="Solvers side by side, in one table.")
    parser.add_argument("--quick", action="store_true", help="shorter caps and fewer puzzles: about half a minute")
    quick = parser.parse_args().quick
    cap, budget = (2.0, 6.0) if quick else (10.0, 40.0)
    both: dict[str, Solver] = {"CP-SAT": cp_sat.solve, "published": published.solve}
    print(
        f"Each puzzle has {cap:.0f} s, a rival {budget:.0f} s a row; solving includes whether there is a second "
        "solution, except for the published method, which stops at the first\nand gives up when it has listed "
        f"{published.MOST_PATHS:,} paths (1 GB). One thread each. Where a rival gave up, its ratio is a lower bound.\n"
    )
    print(f"{'puzzles':<30} {'solver':<12} {'answered':>9} {'CPU s':>10} {'slowest':>10} {'ratio':>14}")
    compare("level 333", [LEVEL_333], {"CP-SAT": cp_sat.solve}, cap, budget)
    compare("level 333, longer", [LEVEL_333], {"published": published.solve}, 5.0 if quick else 120.0, budget)
    for file in ("zx.txt", "clones.txt", "synthetic_hard.txt"):
        if (PACKS / file).exists():
            puzzles = load(PACKS / file)
            compare(file, puzzles, both if file != "synthetic_hard.txt" else {"CP-SAT": cp_sat.solve}, cap, budget)
        else:
            print(f"{file:<30} skipped: {PACKS / file} is not there")
    for side, count in ((7, 20), (12, 5)) if quick else ((7, 50), (12, 10), (20, 4)):
        made = [generate(side, side, seed) for seed in range(count)]
        compare(f"generated {side}x{side}", made, both if side == 7 else {"CP-SAT": cp_sat.solve}, cap, budget)
    open_boards = [
        Puzzle(tuple(tuple(0 if (r, c) == (0, 0) else 1 for c in range(side)) for r in range(side)))
        for side in ((16, 20) if quick else (16, 20, 25, 30))
    ]
    compare("all equal, 16x16 to 30x30", open_boards, {"CP-SAT": cp_sat.solve}, cap, budget)


if __name__ == "__main__":
    main()
