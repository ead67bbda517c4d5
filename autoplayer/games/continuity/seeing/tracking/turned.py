"""Keys that stay where they are when they are taken, and show another look from then on; and keys that float."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.tracking.parts import seen_part

OTHER, SAME = 24.0, 4.0
"""Grey levels, on average, by which a key's look differs from its first one if it has changed; and by which two
pictures of one look differ at most."""
LASTING = 10
"""The number of pictures in which a key shows its new look: one that flickers or turns shows several."""
BEFORE = 8
"""The number of looks that are kept of a key before the figure is at it. From near thin strokes are drawn unlike the
enlarged ones of the map, and otherwise wherever the camera stands."""

FLOATS, LIKE = 0.8, 0.5
"""How far up and down a key floats at most, as a share of its height; and the greatest difference of its look there, as
a share of what it differs from its background."""


class Turned:
    """What keys looked like since the figure was at them."""

    def __init__(self) -> None:
        self._met: set[int] = set()
        self._looks: dict[int, tuple[NDArray[np.int16], int]] = {}
        self._before: defaultdict[int, deque[NDArray[np.int16]]] = defaultdict(lambda: deque(maxlen=BEFORE))

    def met(self, thing: int, now: bool) -> None:
        """Note whether the figure is at a key now."""
        if now:
            self._met.add(thing)
            self._looks.pop(thing, None)

    def turned(self, thing: int, look: NDArray[np.int16], ink: Bools, away: float) -> bool:
        """Whether a key has had another look, always the same, since the figure was at it. ``look``: its picture now,
        shape ``(height, width, 3)``; ``ink``: which pixels of it count; ``away``: their mean difference from its first
        look, grey levels."""
        before = self._before[thing]
        if thing not in self._met:
            before.append(look)
            return False
        away = min([away, *(_unlike(look, each, ink) for each in before if each.shape == look.shape)])
        if away < OTHER:
            self._met.discard(thing)
            return False
        last, seen = self._looks.get(thing, (look, 0))
        same = _unlike(look, last, ink) <= SAME
        self._looks[thing] = look, seen + 1 if same else 0
        return self._looks[thing][1] >= LASTING


def _unlike(look: NDArray[np.int16], other: NDArray[np.int16], ink: Bools) -> float:
    """The mean difference of two looks of a key, grey levels."""
    return float(largest_channel(np.abs(look - other))[ink].mean())


def floats(image: Image, box: Box, shown: Image, bare: Image, ink: Bools) -> bool:
    """Whether a key with the place ``box`` in ``image`` is seen a little above or below it, as keys float up and down.
    ``shown``: its picture; ``bare``: its background; ``ink``: which pixels count, all of the box's size."""
    key = shown.astype(np.int16)
    most = LIKE * _unlike(key, bare.astype(np.int16), ink)
    far = round(FLOATS * box.height)
    places = (replace(box, y=box.y + down) for down in range(-far, far + 1))
    return any(
        _unlike(place.crop(image).astype(np.int16), key, ink) < most
        for place in places
        if seen_part(place, image)[0] == place
    )
