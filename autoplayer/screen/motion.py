"""The timing of gestures within a pace: how long a key or a button is held, and the pointer's path between two points
of a drag."""

from __future__ import annotations

import math

from autoplayer.core.frame import Point

LONGEST_KEY = 0.12
"""The most seconds that a key is held, however slow the pace: games repeat a held key, from a sixth of a second on, and
a game that polls the keyboard ten times a second does not miss it."""

LONGEST_IN_DOUBLE = 0.08
"""The most seconds that the button is down in a double click, and up between the two clicks, however slow the pace:
many windows count two clicks as one double click only within a quarter of a second."""

HOVER = 0.3
"""The time that the pointer rests on a point before the press, as a share of the pace's step: games that highlight the
cell under the pointer must have noticed it there."""

STRIDE = 8
"""The most pixels between two pointer events of a drag (within ``MOST_EVENTS``): less than the width of any cell."""
FEWEST_EVENTS, MOST_EVENTS = 4, 32
"""Pointer events between two points of a drag."""

MOVING = 0.6
"""The share of a step in which the pointer moves; for the rest it stays on the reached point, so that a game that
samples it once a frame sees it there."""

LONGEST_MOTION, LONGEST_PAUSE = 0.08, 0.04
"""The most seconds of a step in which the pointer moves, and in which it is beside the reached point: the remainder of
a slow step is a rest, because some windows accept a point only once the pointer has been still there."""


def stretch(start: Point, end: Point) -> list[Point]:
    """The points of a straight path from ``start`` (excluded) to ``end`` (included)."""
    count = min(max(math.ceil(math.dist(start, end) / STRIDE), FEWEST_EVENTS + 1), MOST_EVENTS)
    return [
        (
            start[0] + round((end[0] - start[0]) * n / count),
            start[1] + round((end[1] - start[1]) * n / count),
        )
        for n in range(1, count + 1)
    ]
