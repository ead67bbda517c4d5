"""How fast the gestures are made: slower when the window loses cells, quicker while it loses none. Only arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autoplayer.core.gestures import Pace

LOOK_SECONDS = 0.5
"""What a lost cell costs: another look and another press. Slowing costs ``step`` for every cell, so it pays where the
losses cost more than that; a window that drops one step in twenty at any speed is repaired, not crawled through."""


@dataclass(frozen=True)
class Pacing:
    """The pace, and what is known about it. ``slowest_lost``: the slowest ``step`` (seconds) that lost cells often
    enough to be given up; no quickening reaches it again. ``steps``, ``losses``: at this pace so far."""

    pace: Pace
    slowest_lost: float | None = None
    steps: int = 0
    losses: int = 0

    @property
    def proven(self) -> bool:
        """Whether this pace has carried at least one level's worth of cells without a loss."""
        return self.steps >= 20 and not self.losses

    def after_move(self, steps: int, *, lost: bool, gained: bool) -> Pacing:
        """``steps``: how many cells the move was to change; ``lost``: whether some of them did not; ``gained``:
        whether any did."""
        counted = replace(self, steps=self.steps + steps, losses=self.losses + lost)
        if not lost or (gained and counted.losses * LOOK_SECONDS <= counted.steps * self.pace.step):
            return counted
        slower = self.pace.slower()
        if slower == self.pace:
            return counted
        return Pacing(slower, max(self.pace.step, self.slowest_lost or 0.0))

    def after_clean_level(self) -> Pacing:
        """A level without any loss: the next one may go quicker."""
        quicker = self.pace.quicker()
        if quicker.step >= self.pace.step and quicker.press >= self.pace.press:
            return self
        if self.slowest_lost is not None and quicker.step <= self.slowest_lost:
            return self
        return Pacing(quicker, self.slowest_lost)
