"""Waits until a window rests in which something always moves: clouds, grass, lamps, a figure that breathes. Where that
is known, only the rest of the picture is waited for."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Frame, Image
from autoplayer.core.gestures import Gesture, Pace
from autoplayer.games.base import Steerable
from autoplayer.games.continuity.piloting.comparing import apart, differing
from autoplayer.games.continuity.seeing.sight import Bools

BLOCKS = 32
"""Blocks along each side of a picture: those with motion, and the ones beside them, are where it may be a little
later."""
WATCHED, LOOKS = 1.1, 11
"""Seconds, and number of looks, in which it is observed what moves: a clock with seconds ticks once."""
MOST = 0.6
"""The largest share of a picture that may be left out."""
FEW = 0.0005
"""The share of a picture that may change besides, in a picture at rest: less than what a figure changes by a step."""
QUIET, PAUSE = 0.4, 0.04
"""Seconds for which the rest of the picture stands still, and between two looks."""
VIEWS = 3
"""How many views are remembered, and how often it is observed in vain what moves: it is elsewhere in each view."""


class Calming:
    """A window that waits for rest as ``window`` does, and learns what always moves in it."""

    def __init__(self, window: Steerable) -> None:
        self._window = window
        self.now, self.glance = window.now, window.glance
        self._moving: deque[Bools] = deque(maxlen=VIEWS)
        """Where something moves in each view, shape ``(height, width)``."""
        self._vain = 0
        """How often that was observed since it last helped."""

    def moving(self, frame: Frame) -> Bools | None:
        """Where something always moves in the views, or in the last one if that is too much of the picture, shape
        ``(height, width)`` as that of ``frame``; None if that is not known."""
        alike = [each for each in self._moving if each.shape == frame.image.shape[:2]]
        if not alike:
            return None
        union: Bools = np.logical_or.reduce(alike)
        return union if union.mean() <= MOST else alike[-1]

    def hold(self, keys: Collection[str]) -> None:
        self._window.hold(keys)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self._window.perform(gestures, pace)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        """As :meth:`autoplayer.games.base.Steerable.still`."""
        window = self._window
        end = window.now() + limit
        if self._moving and self._vain < VIEWS:
            frame, rests = self._calm(end, unlike)
        else:
            frame = window.still(limit, unlike=unlike, quiet=quiet)
            rests = window.now() < end or apart(frame, window.glance(PAUSE)) == 0
        return frame if rests or self._vain >= VIEWS else self._learn(frame)

    def _calm(self, end: float, unlike: Frame | None) -> tuple[Frame, bool]:
        """The picture at rest, and other than ``unlike``, besides what moves in one of the views, or the one at
        ``end``; and whether it rests."""
        frame = self._window.glance()
        union = self.moving(frame)  # clouds have drifted on meanwhile
        places = [*self._moving] if union is None else [*self._moving, union]
        since, rests = [frame] * len(places), False
        while self._window.now() < end:
            frame, rests = self._window.glance(PAUSE), False
            for n, moving in enumerate(places):
                if apart(since[n], frame, moving) > FEW:
                    since[n] = frame
                elif frame.time - since[n].time >= QUIET:
                    rests = True
                    if unlike is None or apart(unlike, frame, moving) > FEW:
                        self._keep(moving | _stirred([since[n].image, frame.image], moving), n)
                        self._vain = 0
                        return frame, True
        return frame, rests

    def _learn(self, frame: Frame) -> Frame:
        """Observe what moves in the view of ``frame``, while nothing is pressed. The last picture."""
        frames = watched(self._window, frame)
        moving = _stirred([each.image for each in frames])
        self._vain += 1
        if moving.any():
            self._keep(moving)
        return frames[-1]

    def _keep(self, moving: Bools, view: int = VIEWS) -> None:
        """Remember where something moves, in the last view or one that is known; not if it is too much of the
        picture."""
        if moving.mean() > MOST:
            return
        if view < len(self._moving):
            self._moving[view] = moving
        else:
            self._moving.append(moving)


def watched(window: Steerable, frame: Frame) -> list[Frame]:
    """``frame`` and the pictures of its size after it, while nothing is pressed."""
    later = [window.glance(WATCHED / LOOKS) for _ in range(LOOKS)]
    return [frame, *(each for each in later if each.size == frame.size)]


def _stirred(pictures: list[Image], among: Bools | None = None) -> Bools:
    """The blocks in which pictures of one size differ, as far as ``among`` is concerned, and those beside them: shape
    ``(height, width)``."""
    changed = differing(pictures)
    if among is not None:
        changed &= among
    height, width = changed.shape
    blocks = cv2.resize(255 * changed.astype(np.uint8), (BLOCKS, BLOCKS), interpolation=cv2.INTER_AREA) > 0
    beside = cv2.dilate(blocks.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(cv2.resize(beside, (width, height), interpolation=cv2.INTER_NEAREST)) > 0
