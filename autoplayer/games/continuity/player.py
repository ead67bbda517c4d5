"""A plan to gestures. Without a reader there is no window to play in, so every attempt is refused in a sentence."""

from __future__ import annotations

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.continuity.puzzle import Puzzle, Solution
from autoplayer.layout import Layout


def progress(reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, image: Image) -> Progress:
    """Raises UnreadableError: Continuity's windows are not read yet."""
    raise UnreadableError("Continuity's windows are not read yet, so how far one has come is not seen")


def plan(
    reading: Reading[Puzzle], puzzle: Puzzle, solution: Solution, progress: Progress, layout: Layout, attempt: int = 0
) -> list[Move]:
    """Raises UnreadableError: Continuity's windows are not read yet."""
    raise UnreadableError("Continuity's windows are not read yet, so there is none to play in")
