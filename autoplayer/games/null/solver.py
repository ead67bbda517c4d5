"""Solves and generates rows of lamps. The deductions settle every row, so there is nothing left to search."""

from __future__ import annotations

import random
import time

from autoplayer.core.errors import UsageError
from autoplayer.games.base import Outcome
from autoplayer.games.null.puzzle import FEWEST, MOST, Puzzle, Solution
from autoplayer.games.null.rules import explain


def solve(puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Solution]:
    """The lamps to press. There is always exactly one answer, and it takes no time worth limiting."""
    begin = time.perf_counter()
    solution = tuple(step.cells[0][1] for step in explain(puzzle))
    return Outcome("solved", solution, True, time.perf_counter() - begin, found=1, exhausted=True)


def generate(rows: int, columns: int, seed: int) -> Puzzle:
    """A row of ``columns`` lamps of which at least one is lit; the same arguments give the same row.

    Raises UsageError for more than one row, or a length that the game does not have.
    """
    if rows != 1 or not FEWEST <= columns <= MOST:
        raise UsageError(f"expected a size from {FEWEST}x1 to {MOST}x1 (lamps x 1), but found {columns}x{rows}")
    chance = random.Random(f"null {columns} {seed}")
    always = chance.randrange(columns)
    return Puzzle(tuple(i == always or chance.random() < 0.5 for i in range(columns)))
