"""A window in which a clock runs: it never rests, and each key that is tried costs time."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Frame
from autoplayer.games.continuity.piloting.views import ANSWERS, Trial, Views
from autoplayer.layout import Layout


class Ticking:
    """A window whose clock changes ten times a second, and that hears no key."""

    time = 0.0

    def now(self) -> float:
        return self.time

    def glance(self, pause: float = 0.0) -> Frame:
        self.time += pause + 0.02
        image = np.full((60, 80, 3), 200, np.uint8)
        image[2:6, 2:14] = 40 + 20 * (round(10 * self.time) % 8)
        return Frame(image, (0, 0), self.time)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        self.time += limit
        return self.glance()

    def perform(self, gestures: object, pace: object) -> None:
        self.time += 0.1


def test_each_key_that_changes_nothing_costs_the_time_of_an_answer_once() -> None:
    """It was waited for twice: once for the window to rest, and once more for a change beside the clock."""
    window = Ticking()
    views = Views(window, Layout(game="continuity"))  # type: ignore[arg-type]
    trial = Trial(window.still(1.0))
    assert views._answer("x", trial) is None
    assert trial.idle is not None, "what changes by itself was observed"
    begun = window.now()
    assert views._answer("c", trial) is None
    assert window.now() - begun < 1.5 * ANSWERS
