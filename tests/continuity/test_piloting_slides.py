"""How soon it is found out in which way a window moves its tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from autoplayer.core.gestures import Gesture, Hold, Pace
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.hands import SlidesBy
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.solver import Slide
from autoplayer.games.continuity.world import BLANK, OPPOSITE
from tests.continuity.steered import measured
from tests.continuity.test_piloting_habits import LEVELS, Otherwise, Placed


class Timed(Otherwise):
    """A window that loses the first ``deaf_to`` gestures that may move a tile. ``gestures``: when each was made;
    ``slid``: when the first tile moved."""

    deaf_to, slid = 0, 0.0

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.gestures: list[float] = []

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if self.engine.view == "slide" and not any(isinstance(gesture, Hold) for gesture in gestures):
            self.gestures.append(self.clock)
            if len(self.gestures) <= self.deaf_to:
                self._pass(pace.press)
                return
        super().perform(gestures, pace)

    def _note(self, events: Sequence[Any]) -> None:
        if any(event.event == "slide" for event in events):
            self.slid = self.slid or self.clock
        super()._note(events)


class Slowing(Otherwise):
    """A window whose tiles slow down: they are seen to have arrived while no key is heard for another moment.
    ``unheard``: how many gestures came then."""

    by, unheard, arrived = "tile", 0, -1.0

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if self.engine.view == "slide" and self.clock - self.arrived < 0.08:
            self.unheard += 1
            self._pass(pace.press)
        else:
            super().perform(gestures, pace)

    def _frame(self) -> None:
        super()._frame()
        if self.engine.sliding is not None:
            self.arrived = self.clock


def slides(by: SlidesBy, deaf_to: int = 0) -> Timed:
    """A window in which a level was played."""
    level = LEVELS[4].puzzle
    window = Timed(level)
    window.by, window.deaf_to = by, deaf_to
    eyes = Placed(window)
    pilot = Executor(Watch(window, eyes, Controls(), 0.02), Reach(rooms_of(eyes.board(), measured(level))))
    pilot.play()
    assert window.engine.won
    assert pilot.slides_by == by
    return window


def test_that_tiles_are_dragged_is_found_soon() -> None:
    """Each of the five ways before it was tried twice, for a second and a half: it took 16 s."""
    window = slides("drag")
    assert window.slid - window.gestures[0] < 6.0


@pytest.mark.parametrize(("by", "deaf_to"), [("tile", 1), ("click", 3), ("drag", 6)])
def test_a_first_press_that_is_lost_is_made_again(by: SlidesBy, deaf_to: int) -> None:
    slides(by, deaf_to)


def test_a_tile_that_slows_down_is_not_followed_by_the_next_one_too_soon() -> None:
    """The next key was not heard, and what it should do was waited for 3 s."""
    level = LEVELS[4].puzzle
    window = Slowing(level)
    eyes = Placed(window)
    pilot = Executor(Watch(window, eyes, Controls(), 0.02), Reach(rooms_of(eyes.board(), measured(level))))
    board = level.board
    empty = board.cells.index(BLANK)
    side, at = next((side, at) for side, at in enumerate(board.beside[empty]) if at >= 0)
    tile = board.cells[at]
    assert pilot.slide((Slide(tile, OPPOSITE[side]), Slide(tile, side), Slide(tile, OPPOSITE[side])))
    assert (window.unheard, pilot.tally.slides) == (0, 3)
    assert window.clock < 5.0
