"""Figures with inertia: how soon they reach the walking speed, and come to rest from it, on the ground and in the air.
On the ground this is fitted to measured walks (``fitting.py``), in the air to flights during play.

Lengths are tile pixels, times seconds.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.flights import Bools, Floats

NEVER = 10.0
"""Seconds that stand for a speed that does not change while a figure can be seen in the air."""
AIR_TIMES = (0.0, 0.1, 0.2, 0.3, 0.45, 0.65, 1.0, NEVER)
"""Seconds that are tried: a tenth of a second is about the error of a hand."""
LATE = 1 / 60
"""The mean delay of a window's pictures in seconds if it draws thirty a second: smaller deviations from a curve may
come from it."""
BETTER = 0.6
"""The greatest share of the deviation from the supposed curve that remains with the right one."""
NEAR = 2.0
"""The greatest deviation from the right curve, as a multiple of that of late pictures: the truth lies between the times
that are tried. What no inertia explains has another cause, such as an unseen ceiling."""
FLIGHTS, FEWEST = 2, 10
"""The least number of flights, and of positions of the figure in them, from which something is learned."""

Air = tuple[Floats, Floats]


class Inertia(NamedTuple):
    """Seconds from rest to the speed of a walk while a key is held, and from it to rest while none is: on the ground,
    and in the air. All are 0 where a figure has its speed at once."""

    start: float = 0.0
    stop: float = 0.0
    air_start: float = 0.0
    air_stop: float = 0.0

    def words(self) -> str:
        """As the end of a sentence; empty where there is none."""
        return "" if self == Inertia() else f", has its speed in {self.start:g} s and loses it in {self.stop:g} s"

    def changed(
        self, going: Floats, wish: Floats, airborne: Bools, walk: float, seconds: float, air: Air | None = None
    ) -> Floats:
        """Speeds after ``seconds`` of steering towards the speeds ``wish``; ``air``: each figure's own ``air_start``
        and ``air_stop``."""
        air_start, air_stop = air or (self.air_start, self.air_stop)
        start, stop = np.where(airborne, air_start, self.start), np.where(airborne, air_stop, self.stop)
        times = np.maximum(np.where(wish == 0, stop, start), 1e-6)
        most = walk * seconds / times
        found: Floats = going + np.minimum(np.maximum(wish - going, -most), most)
        return found


NONE = Inertia()
AIR = tuple(itertools.product(AIR_TIMES, AIR_TIMES))
"""The candidate pairs of ``air_start`` and ``air_stop``."""


class Told(NamedTuple):
    """The evidence of a flight: the summed deviation, in pixels, of its positions with the supposed inertia (the first
    entry), and with each of ``AIR``; and the number of positions compared."""

    beside: Floats
    places: Floats


def learned(flights: Sequence[Told], inertia: Inertia, walk: float) -> Inertia | None:
    """The inertia in the air that explains flights much better than ``inertia``; None if there is none."""
    last = flights[-FLIGHTS:]
    if len(last) < FLIGHTS:
        return None
    places = np.sum([each.places for each in last], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        beside = np.sum([each.beside for each in last], axis=0) / places
    beside[places < FEWEST] = np.inf
    best = int(beside[1:].argmin())
    least = beside[1 + best]
    if not np.isfinite(beside[0]) or beside[0] < LATE * walk or least > min(BETTER * beside[0], NEAR * LATE * walk):
        return None
    return inertia._replace(air_start=AIR[best][0], air_stop=AIR[best][1])
