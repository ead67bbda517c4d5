"""The speed of gestures: slower when the window loses cells, faster while it loses none. Arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass

from autoplayer.core.gestures import Pace

LOOK_SECONDS = 0.5
"""The cost of a lost cell: another look and another press. A slower pace costs ``step`` more for every cell, so it pays
only where losses are frequent: a window that drops one step in twenty at any speed is repaired, not played very
slowly."""

NOTHING = 3
"""A move of which nothing arrived counts as this many losses: the press was too short, not a single step."""

REMEMBERED = 200
"""After this many cells, older experience has half the weight."""


@dataclass(frozen=True)
class Pacing:
    """The pace, and what is known about it. ``slowest_lost``: the slowest ``step`` (seconds) that was given up for its
    losses; the pace never returns to it. ``steps``, ``losses``: experience, with decaying weight."""

    pace: Pace
    slowest_lost: float | None = None
    steps: float = 0.0
    losses: float = 0.0

    def for_attempt(self, attempt: int) -> Pace:
        """The pace for a move that was made ``attempt`` times without effect: each time twice as slow."""
        return self.pace.slower(2.0**attempt) if attempt else self.pace

    def after_move(self, steps: int, *, lost: bool, gained: bool) -> Pacing:
        """Update after a move. ``steps``: how many cells it was to change; ``lost``: whether some of them did not
        change; ``gained``: whether any did."""
        fading = 0.5 if self.steps > REMEMBERED else 1.0
        now = Pacing(
            self.pace,
            self.slowest_lost,
            self.steps * fading + max(steps, 1),
            self.losses * fading + (0 if not lost else 1 if gained else NOTHING),
        )
        if not lost or now.losses / now.steps * LOOK_SECONDS <= self.pace.step:
            return now
        slower = self.pace.slower()
        if slower == self.pace:
            return now
        # Losses at the faster pace have less weight for the slower one.
        return Pacing(slower, max(self.pace.step, self.slowest_lost or 0.0), now.steps / 2, now.losses / 2)

    def after_clean_level(self) -> Pacing:
        """Update after a level without any loss: the next one may be faster."""
        quicker = self.pace.quicker()
        if quicker.step >= self.pace.step and quicker.press >= self.pace.press:
            return self
        if self.slowest_lost is not None and quicker.step <= self.slowest_lost:
            return self
        return Pacing(quicker, self.slowest_lost, self.steps, self.losses)
