"""The monitors of the screen, and whether their arrangement has just changed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from autoplayer.core.frame import Box, Point

CORNER = 2
"""A point within this many pixels of a monitor's corner is in the corner."""

ASKED_AGAIN = 3.0
"""Seconds after which the monitors are asked for again: somebody may plug one in."""

JUST = 1.0
"""Seconds for which a change counts as recent."""


class Monitors:
    """Calls ``ask`` for the monitors now and then. Points and boxes are in screen units."""

    def __init__(self, ask: Callable[[], list[Box]]) -> None:
        self._ask = ask
        self._known: list[Box] = []
        self._asked = -math.inf
        self._rearranged = -math.inf
        """When a change was last found."""

    def known(self) -> list[Box]:
        """The monitors, at most some seconds old."""
        if time.perf_counter() - self._asked > ASKED_AGAIN:
            before, self._known = self._known, self._ask()
            self._asked = time.perf_counter()
            if before and before != self._known:
                self._rearranged = self._asked
        return self._known

    def changed(self) -> bool:
        """Whether they have changed recently (as when a screen gets another resolution)."""
        self._asked = -math.inf
        self.known()
        return time.perf_counter() - self._rearranged < JUST

    def show(self, at: Point) -> bool:
        """Whether a point is on one of them."""
        return any(monitor.contains(at) for monitor in self.known())

    def in_corner(self, at: Point) -> bool:
        """Whether a point lies in a corner of one of them."""
        return any(
            min(at[0] - m.x, m.x + m.width - 1 - at[0]) <= CORNER
            and min(at[1] - m.y, m.y + m.height - 1 - at[1]) <= CORNER
            for m in self.known()
            if m.contains(at)
        )
