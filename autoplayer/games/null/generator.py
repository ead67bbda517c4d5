"""Generates rows of lamps."""

from __future__ import annotations

import random

from autoplayer.core.errors import UsageError
from autoplayer.games.null.puzzle import FEWEST, MOST, Puzzle


def generate(rows: int, columns: int, seed: int) -> Puzzle:
    """A row of ``columns`` lamps of which at least one is lit; the same arguments give the same row.

    Raises UsageError for more than one row, or a length that the game does not have.
    """
    if rows != 1 or not FEWEST <= columns <= MOST:
        raise UsageError(f"expected a size from {FEWEST}x1 to {MOST}x1 (lamps x 1), but found {columns}x{rows}")
    chance = random.Random(f"null {columns} {seed}")
    always = chance.randrange(columns)
    return Puzzle(tuple(i == always or chance.random() < 0.5 for i in range(columns)))
