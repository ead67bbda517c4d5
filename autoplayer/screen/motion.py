"""How gestures take their time, whatever their pace: for how long a key or a button is down, and where the pointer is
on the way from one point of a drag to the next."""

from __future__ import annotations

import math

from autoplayer.core.frame import Point

LONGEST_KEY = 0.12
"""Seconds for which a key is held at most, however slow the pace: games repeat one that is held, from a sixth of a
second on, and ten looks a second at the keyboard do not miss it."""

LONGEST_IN_DOUBLE = 0.08
"""Seconds for which the button is down at most in a double click, and up between the two, however slow the pace: many
windows count two clicks as one where they come within a quarter of a second."""

HOVER = 0.3
"""Of the pace's step, how long the pointer rests on a point before the press: games that light up the cell under the
pointer must have seen it there."""

STRIDE = 8
"""Pixels between two pointer events of a drag, at most (within ``MOST_EVENTS``): shorter than any cell is wide."""
FEWEST_EVENTS, MOST_EVENTS = 4, 32
"""Pointer events between two points of a drag."""

MOVING = 0.6
"""Of a step, the part in which the pointer moves; it rests on the reached point for the remainder, so that a game
that looks once a frame sees it there."""

LONGEST_MOTION, LONGEST_PAUSE = 0.08, 0.04
"""Seconds that the pointer moves in a step at most, and that it is beside the reached point: what is left of a slow
step is a rest, for some windows take a point only once the pointer has been still there."""


def stretch(start: Point, end: Point) -> list[Point]:
    """The points of the pointer's way from ``start`` (left out) to ``end`` (the last), along a straight line."""
    count = min(max(math.ceil(math.dist(start, end) / STRIDE), FEWEST_EVENTS + 1), MOST_EVENTS)
    return [
        (
            start[0] + round((end[0] - start[0]) * n / count),
            start[1] + round((end[1] - start[1]) * n / count),
        )
        for n in range(1, count + 1)
    ]
