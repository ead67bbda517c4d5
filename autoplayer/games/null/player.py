"""What is left to press, and the gestures for it."""

from __future__ import annotations

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.core.gestures import Click
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.null import reader
from autoplayer.games.null.puzzle import Puzzle, Solution
from autoplayer.layout import Layout


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """How many of the lamps to press are dark in ``image``; ``state``: the row as it is now.

    ``wrong`` counts the lamps that are lit and never were. The board is not there where no row, or a row of another
    length, is seen.
    """
    try:
        now = reader.read(image, Layout(game="null")).puzzle
    except UnreadableError:
        return Progress(False, 0, len(solution), 0)
    if len(now.lamps) != len(puzzle.lamps):
        return Progress(False, 0, len(solution), 0)
    done = sum(not now.lamps[i] for i in solution)
    wrong = sum(lit and not was for lit, was in zip(now.lamps, puzzle.lamps, strict=True))
    return Progress(True, done, len(solution), wrong, now)


def plan(
    reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, progress: Progress, layout: Layout, attempt: int = 0
) -> list[Move]:
    """One click for each lamp that is lit now."""
    now: Puzzle = progress.state or puzzle
    return [
        Move(f"press lamp {i + 1}", (Click(reading.places[0, i].centre),), ((0, i),))
        for i, lit in enumerate(now.lamps)
        if lit
    ]
