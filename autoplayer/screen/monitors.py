"""The monitors of the screen, and whether they have just changed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from autoplayer.core.frame import Box, Point

CORNER = 2
"""Pixels from a monitor's corner within which a point lies in it."""

ASKED_AGAIN = 3.0
"""Seconds after which they are asked for again: somebody may plug one in."""

JUST = 1.0
"""Seconds for which they have just changed."""


class Monitors:
    """Asks ``ask`` for them now and then. Points and boxes are in screen units."""

    def __init__(self, ask: Callable[[], list[Box]]) -> None:
        self._ask = ask
        self._known: list[Box] = []
        self._asked = -math.inf
        self._rearranged = -math.inf
        """When they were found to be others than before."""

    def known(self) -> list[Box]:
        """The monitors as they were within the last seconds."""
        if time.perf_counter() - self._asked > ASKED_AGAIN:
            before, self._known = self._known, self._ask()
            self._asked = time.perf_counter()
            if before and before != self._known:
                self._rearranged = self._asked
        return self._known

    def changed(self) -> bool:
        """Whether they have just changed (a screen got another resolution)."""
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
