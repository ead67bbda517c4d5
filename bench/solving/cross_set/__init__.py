"""Cross Set: the project's solver beside CP-SAT and a depth-first search with bitmasks."""

from __future__ import annotations

from random import Random

from autoplayer.games.cross_set import solver as ours
from autoplayer.games.cross_set.generator import generate, latin_square, maximal
from autoplayer.games.cross_set.puzzle import Puzzle, check, parse
from bench.solving.cross_set import cp_sat, depth_first
from bench.solving.table import Solver, Table

REAL = ("article.txt", "chalkpe.txt", "ncrossset.txt", "rahnoc.txt", "rahnoc_extra.txt")
MADE = ("gen_N6_maximal.txt", "gen_N8_maximal.txt", "gen_N9_maximal.txt")

SQUARE = parse("12 12\n12 12")
"""Two solutions: it takes a search, for which the engine is loaded."""
HOLES = 0.42
"""The share of holes at which completing a square is hardest (Gomes and Selman 1997)."""


def bench(quick: bool) -> None:
    cap, budget = (2.0, 6.0) if quick else (10.0, 40.0)
    rivals: dict[str, Solver] = {"CP-SAT": cp_sat.solve, "depth first": depth_first.solve}
    print(
        f"Each puzzle has {cap:.0f} s, a rival {budget:.0f} s a row. One thread each. Where a rival gave up, its ratio "
        "is a lower bound.\n"
    )
    print("A solution, and whether there is a second one:")
    table = Table(parse, check, ours.solve, cap, budget, SQUARE, 2)
    table.heading()
    for file in (*REAL, *MADE):
        if puzzles := table.load(f"cross-set/{file}"):
            table.compare(file, puzzles[:: 3 if quick and file in MADE else 1], rivals)
    for size, count in ((7, 20), (9, 20)) if quick else ((7, 50), (9, 50), (16, 10), (25, 5)):
        table.compare(f"generated {size}x{size}", [generate(size, size, seed) for seed in range(count)], rivals)
    made = [maximal(9, 9, seed) for seed in range(3 if quick else 20)]
    table.compare("generated 9x9, maximal", made, rivals)
    print(f"\nA solution of a random Latin square with {HOLES:.0%} holes:")
    table = Table(parse, check, ours.solve, cap, budget, SQUARE, 1)
    table.heading()
    for size, count in ((30, 5), (33, 3)) if quick else ((30, 10), (33, 10), (35, 10), (40, 10)):
        squares = [with_holes(size, HOLES, seed) for seed in range(count)]
        table.compare(f"quasigroup {size}x{size}", squares, rivals)


def with_holes(size: int, share: float, seed: int) -> Puzzle:
    """A random Latin square in which ``share`` of the cells may be anything; it may have many completions."""
    random = Random(f"holes {size} {share} {seed}")
    square = latin_square(size, random)
    cells = [(r, c) for r in range(size) for c in range(size)]
    holes = set(random.sample(cells, round(share * size**2)))
    every = tuple(range(1, size + 1))
    return Puzzle(tuple(tuple(every if (r, c) in holes else (square[r][c],) for c in range(size)) for r in range(size)))
