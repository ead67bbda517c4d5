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
