"""The named deductions of the null game. Each is a small function that states its argument in a sentence."""

from __future__ import annotations

import math

from autoplayer.games.base import Deduction
from autoplayer.games.null.puzzle import Puzzle


def lit_lamp(puzzle: Puzzle) -> list[Deduction]:
    """Every lit lamp must be pressed, so each that is seen is part of the solution.

    >>> [step.text for step in lit_lamp(Puzzle((False, True)))]
    ['lamp 2 is lit, so it is pressed']
    """
    return [
        Deduction("lit lamp", f"lamp {i + 1} is lit, so it is pressed", ((0, i),))
        for i, lit in enumerate(puzzle.lamps)
        if lit
    ]


def explain(puzzle: Puzzle, time_limit: float = math.inf) -> list[Deduction]:
    """All deductions in order. Here one rule settles the whole, in no time; other games repeat theirs until nothing
    follows, or ``time_limit`` seconds are over (``games/deducing.py`` helps)."""
    return lit_lamp(puzzle)
