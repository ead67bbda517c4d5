"""How fast a figure goes, learned while it is played: the walk that was measured may have been short, or another one in
the air."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from autoplayer.games.continuity.piloting.watching import MOVED, Sample

STARTS = 0.15
"""Seconds, beside the lag, in which a figure comes up to its speed."""
BRIEF, FEWEST = 0.2, 5
"""Seconds, and pictures, of a stride that tells how fast it is."""
EVENLY, LATE = 2.0, 0.03
"""Pixels by which its places may be beside an even way, and seconds by which its pictures may be late."""
LONG, KEPT = 0.8, 6
"""Seconds of strides together that are believed, and how many of them, the last ones, are."""
OTHER = 0.08
"""The share by which the speed of strides differs from the one that is supposed, at least, where that is wrong."""


class Stride(NamedTuple):
    """A while in which the figure went evenly one way: pixels a second, and for how many seconds it was seen so."""

    speed: float
    seconds: float


def stride(samples: Iterable[Sample], since: float, until: float, way: int) -> Stride | None:
    """The stride of a figure for which a key was held from ``since`` to ``until`` as far as that shows in pictures;
    ``way``: -1 to the left, 1 to the right. None where too little was seen, or something was in the way."""
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
    """The speed that ``strides`` show, the last of them at the end, where it is another one than ``walk``; None where
    it is that, or where they are too few or of several speeds."""
    last = strides[-KEPT:]
    seconds = sum(each.seconds for each in last)
    if len(last) < 2 or seconds < LONG:
        return None
    speed = sum(each.speed * each.seconds for each in last) / seconds
    even = all(abs(each.speed / speed - 1) <= OTHER for each in last)
    return speed if even and abs(speed / walk - 1) > OTHER else None
