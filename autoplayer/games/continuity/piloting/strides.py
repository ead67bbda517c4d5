"""Corrects the walking speed during play: the measured walk may have been short, or the speed in the air may differ."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from autoplayer.games.continuity.piloting.watching import MOVED, Sample

STARTS = 0.15
"""Seconds, in addition to the lag, in which a figure reaches its speed."""
BRIEF, FEWEST = 0.2, 5
"""The least duration in seconds, and the least number of pictures, of a stride from which a speed is taken."""
EVENLY, LATE = 2.0, 0.03
"""Pixels by which its positions may deviate from uniform motion, and seconds by which its pictures may be late."""
LONG, KEPT = 0.8, 6
"""The total duration in seconds from which strides are believed, and how many of the last ones are kept."""
OTHER = 0.08
"""The least relative deviation between the speed of strides and the supposed one for the latter to be wrong."""


class Stride(NamedTuple):
    """A period of uniform motion in one direction: pixels a second, and for how many seconds it was seen."""

    speed: float
    seconds: float


def stride(samples: Iterable[Sample], since: float, until: float, way: int) -> Stride | None:
    """The stride of a figure while a key was held from ``since`` to ``until``, as far as pictures show it; ``way``: -1
    to the left, 1 to the right. None if too little was seen, or something was in the way."""
    seen = [each for each in samples if since + STARTS <= each.time <= until]
    if len(seen) < FEWEST or seen[-1].time - seen[0].time < BRIEF:
        return None
    if any((two.along - one.along) * way < MOVED for one, two in pairwise(seen)):
        return None
    half = len(seen) // 2
    speed = statistics.median(
        (two.along - one.along) / (two.time - one.time) for one, two in zip(seen, seen[half:], strict=False)
    )
    middle = statistics.median(each.along - speed * each.time for each in seen)
    if max(abs(each.along - speed * each.time - middle) for each in seen) > EVENLY + abs(speed) * LATE:
        return None
    return Stride(abs(speed), seen[-1].time - seen[0].time)


def learned(strides: Sequence[Stride], walk: float) -> float | None:
    """The speed that ``strides`` show, the last of them at the end, if it differs from ``walk``; None if it does not,
    or if they are too few or disagree."""
    last = strides[-KEPT:]
    seconds = sum(each.seconds for each in last)
    if len(last) < 2 or seconds < LONG:
        return None
    speed = sum(each.speed * each.seconds for each in last) / seconds
    even = all(abs(each.speed / speed - 1) <= OTHER for each in last)
    return speed if even and abs(speed / walk - 1) > OTHER else None
