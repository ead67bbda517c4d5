"""Plays a drawn window by the keys that the player plans, as a session does."""

from __future__ import annotations

from typing import Protocol

from autoplayer.core.frame import Image
from autoplayer.core.gestures import Keys
from autoplayer.games.base import Progress, Reading
from autoplayer.games.cardinal_chains.player import plan, progress
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution
from autoplayer.layout import Layout

MOST_MOVES = 120


class Pressable(Protocol):
    """A window that hears keys."""

    def press(self, key: str) -> None: ...

    def image(self) -> Image: ...


def played(window: Pressable, reading: Reading[Puzzle], solution: Solution, layout: Layout) -> tuple[Progress, Layout]:
    """How far the window comes before nothing more is planned, and the layout with the controls that were found out."""
    puzzle = reading.puzzle
    now, attempt = progress(reading, puzzle, solution, window.image()), 0
    for _ in range(MOST_MOVES):
        moves = plan(reading, puzzle, solution, now, layout)
        moves = plan(reading, puzzle, solution, now, layout, attempt) if moves else []  # a session asks twice
        if not moves:
            break
        for gesture in moves[0].gestures:
            for key in gesture.keys if isinstance(gesture, Keys) else ():
                window.press(key)
        after = progress(reading, puzzle, solution, window.image())
        assert after.present
        gained = after.done > now.done or after.wrong < now.wrong
        if gained and moves[0].controls:
            table = layout.keys.model_copy(update=dict(moves[0].keys))
            layout = layout.model_copy(update={"controls": moves[0].controls, "keys": table})
        attempt, now = 0 if gained else attempt + 1, after
    return now, layout
