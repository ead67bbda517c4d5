"""Cardinal Chains: the project's solver beside CP-SAT and the published search."""

from __future__ import annotations

from autoplayer.games.cardinal_chains import solver as ours
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import Puzzle, check, parse
from bench.solving.cardinal_chains import cp_sat, published
from bench.solving.table import Solver, Table

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


def bench(quick: bool) -> None:
    cap, budget = (2.0, 6.0) if quick else (10.0, 40.0)
    table = Table(parse, check, ours.solve, cap, budget, parse("X 1 2"))
    both: dict[str, Solver] = {"CP-SAT": cp_sat.solve, "published": published.solve}
    one: dict[str, Solver] = {"CP-SAT": cp_sat.solve}
    print(
        f"Each puzzle has {cap:.0f} s, a rival {budget:.0f} s a row; solving includes whether there is a second "
        "solution, except for the published method, which stops at the first\nand gives up when it has listed "
        f"{published.MOST_PATHS:,} paths (1 GB). One thread each. Where a rival gave up, its ratio is a lower bound.\n"
    )
    table.heading()
    table.compare("level 333", [LEVEL_333], one)
    table.compare("level 333, longer", [LEVEL_333], {"published": published.solve}, 5.0 if quick else 120.0)
    for file in ("zx.txt", "clones.txt", "synthetic_hard.txt"):
        if puzzles := table.load(f"cardinal-chains/{file}"):
            table.compare(file, puzzles, one if file == "synthetic_hard.txt" else both)
    for side, count in ((7, 20), (12, 5)) if quick else ((7, 50), (12, 10), (20, 4)):
        made = [generate(side, side, seed) for seed in range(count)]
        table.compare(f"generated {side}x{side}", made, both if side == 7 else one)
    open_boards = [
        Puzzle(tuple(tuple(0 if (r, c) == (0, 0) else 1 for c in range(side)) for r in range(side)))
        for side in ((16, 20) if quick else (16, 20, 25, 30))
    ]
    table.compare("all equal, 16x16 to 30x30", open_boards, one)
