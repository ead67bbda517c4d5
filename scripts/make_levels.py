"""Makes the bundled levels of Cardinal Chains, on standard output:
``python scripts/make_levels.py > autoplayer/arcade/levels/cardinal-chains.txt``.

Boards grow from 3x2 to 9x9, and fewer chains on a board are harder than many. For each level some boards are generated,
each with one solution (proven by the generator, and again here), and the one is taken that leaves most choice.
"""

from __future__ import annotations

import sys
from math import log

from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import Puzzle, format_puzzle

# columns, rows, starts
LEVELS = (
    (3, 2, 1), (3, 3, 1), (3, 3, 2), (4, 3, 1), (4, 3, 2), (4, 4, 2), (4, 4, 1), (5, 4, 3), (5, 4, 2), (5, 4, 1),
    (5, 5, 3), (5, 5, 2), (5, 5, 1), (6, 5, 4), (6, 5, 2), (6, 6, 5), (6, 6, 3), (6, 6, 1), (7, 6, 4), (7, 6, 2),
    (7, 7, 6), (7, 7, 3), (7, 7, 1), (8, 7, 5), (8, 7, 2), (8, 8, 8), (8, 8, 3), (9, 8, 4), (9, 9, 10), (9, 9, 5),
)  # fmt: skip
TRIES = 8
"""Boards that each level is chosen from: enough to avoid the dull ones, and done in about a minute."""


def choice(puzzle: Puzzle) -> float:
    """How much is open at first sight: the mean over the cells of the logarithm of the ways on."""
    return sum(log(len(ways) + 1) for ways in puzzle.steps.values()) / len(puzzle.cells)


def main() -> None:
    lines = [
        "# Made by scripts/make_levels.py with the generator of autoplayer; each has exactly one solution, proven.",
        "",
    ]
    for columns, rows, starts in LEVELS:
        puzzle = max((generate(rows, columns, seed, starts=starts, highest=9) for seed in range(TRIES)), key=choice)
        outcome = GAME.solve(puzzle, time_limit=60)
        if not outcome.unique:
            sys.exit(f"a generated {columns}x{rows} board has not exactly one solution:\n{format_puzzle(puzzle)}")
        lines += [f"# {columns}x{rows}, {starts} chain{'s' * (starts > 1)}", format_puzzle(puzzle), ""]
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main()
