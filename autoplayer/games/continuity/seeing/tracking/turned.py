"""Keys that stay where they are when they are taken, and show another look from then on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import largest_channel
from autoplayer.games.continuity.seeing.sight import Bools

OTHER, SAME = 24.0, 4.0
"""Grey levels, on average, by which a key's look differs from its first one if it has changed; and by which two
pictures of one look differ at most."""
LASTING = 10
"""The number of pictures in which a key shows its new look: one that flickers or turns shows several."""


class Turned:
    """What keys looked like since the figure was at them."""

    def __init__(self) -> None:
        self._met: set[int] = set()
        self._looks: dict[int, tuple[NDArray[np.int16], int]] = {}

    def met(self, thing: int, now: bool) -> None:
        """Note whether the figure is at a key now."""
        if now:
            self._met.add(thing)
            self._looks.pop(thing, None)

    def turned(self, thing: int, look: NDArray[np.int16], ink: Bools, away: float) -> bool:
        """Whether a key has had another look, always the same, since the figure was at it. ``look``: its picture now,
        shape ``(height, width, 3)``; ``ink``: which pixels of it count; ``away``: their mean difference from its first
        look, grey levels."""
        if thing not in self._met:
            return False
        if away < OTHER:
            self._met.discard(thing)
            return False
        before, seen = self._looks.get(thing, (look, 0))
        same = float(largest_channel(np.abs(look - before))[ink].mean()) <= SAME
        self._looks[thing] = look, seen + 1 if same else 0
        return self._looks[thing][1] >= LASTING
