"""Windows of Cross Set whose cells are drawn up, down or to the side, wheeled, or clicked twice, and whose candidates
show in which order they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from autoplayer.core.frame import Point
from autoplayer.core.gestures import Click, Drag, Gesture, Pace, Wheel
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import parse
from tests.cross_set.test_player import PUZZLE, UNKNOWN, Window, is_solved, session

DOUBLE = 0.35
"""Seconds in which the second click of a double one comes."""

FAR = 10
"""Pixels that a cell is drawn at least: a third of it."""


@dataclass
class Reels(Window):
    """``controls``: ``drag`` (up or down), ``swipe`` (to the side), ``wheel``, ``double`` or ``right`` (the right
    button); ``backwards``: the other way around. A third click that comes as soon as the second one does nothing."""

    first: float | None = None
    """When a cell was turned for the first time."""
    row: int = 0
    clicked: tuple[Point, float] = (-1, -1), -9.0

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            steps = self._steps(gesture)
            super().perform([gesture], pace)
            if steps:
                at = gesture.path[0] if isinstance(gesture, Drag) else getattr(gesture, "at", (0, 0))
                r, c = cell = next(cell for cell, box in self.places.items() if box.contains(at))
                self.turns[cell] += steps % len(self.puzzle.rows[r][c])
                self.first = self.first or self.clock

    def _steps(self, gesture: Gesture) -> int:
        """By how many candidates a cell goes on."""
        way = -1 if self.backwards else 1
        if isinstance(gesture, Wheel) and self.controls == "wheel":
            return -gesture.notches * way
        if isinstance(gesture, Drag) and self.controls in ("drag", "swipe"):
            (x, y), (u, v) = gesture.path[0], gesture.path[-1]
            along, across = (v - y, u - x) if self.controls == "drag" else (u - x, v - y)
            return 0 if abs(along) < max(FAR, abs(across)) else way if along < 0 else -way
        if isinstance(gesture, Click) and self.controls == "right":
            return way * (gesture.button == "right")
        if isinstance(gesture, Click) and self.controls == "double":
            (at, since), self.clicked = self.clicked, (gesture.at, self.clock)
            before = self.row if at == gesture.at and self.clock - since < DOUBLE else 0
            self.row = before + gesture.times
            return way * (before < 2 <= self.row)
        return 0


@pytest.mark.parametrize(
    ("by", "backwards"), [("drag", False), ("swipe", True), ("wheel", False), ("wheel", True), ("double", False)]
)
def test_what_moves_a_cell_is_found_out_soon(by: str, backwards: bool) -> None:
    """Several ways are tried in one move, each on a cell of its own."""
    window = Reels(PUZZLE, by, backwards=backwards)
    status, error, learned = session(window)
    assert (status, error, is_solved(window)) == ("played", None, True)
    assert learned.controls == by
    assert window.first is not None
    assert window.first < 40, "after the usual clicks and keys"
    again = Reels(GAME.generate(4, 4, 3), by, backwards=backwards)
    status, error, after = session(again, learned)
    assert (status, error, is_solved(again), after.controls) == ("played", None, True, by)


@pytest.mark.parametrize("by", ["drag", "swipe", "wheel", "double"])
def test_what_moves_a_cell_is_found_out_where_a_single_one_is_left(by: str) -> None:
    """There is no cell for each of the ways, so they are tried one after another."""
    window = Reels(parse("1 2 3\n2 3 1\n23 1 2"), by)
    status, error, learned = session(window, UNKNOWN)
    assert (status, error, is_solved(window), learned.controls) == ("played", None, True, by)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_window_of_which_only_the_right_button_turns_cells_is_played_in_the_end(backwards: bool) -> None:
    """The button comes after everything else, because it may open a menu."""
    window = Reels(PUZZLE, "right", backwards=backwards)
    status, error, learned = session(window)
    assert (status, error, is_solved(window), learned.controls) == ("played", None, True, "right")
    again = Reels(GAME.generate(4, 4, 3), "right", backwards=backwards)
    status, error, after = session(again, learned)
    assert (status, error, is_solved(again), after.controls) == ("played", None, True, "right")
