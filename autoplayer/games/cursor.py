"""A cursor that keys move over a board, which nobody describes: it looks different in every window, but always leaves
one place for another one, and these two are what has changed between two pictures. What keys do else is told by the
picture that comes after each press."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Image, largest_channel

Way = tuple[int, int]
"""A step as ``(rows, columns)``."""

WAYS: tuple[Way, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Right, down, left, up: a cursor starts at the top or on the left more often than not."""

FAMILIES: tuple[tuple[str, ...], ...] = (("right", "down", "left", "up"), tuple("dsaw"), tuple("ljhk"))
"""Keys for these ways that go together."""

CHANGED, OF_MOST = 1.5, 0.3
"""Grey levels by which a place has changed on average, at least; and of the change of the one that changed most."""

MOST_PROBES = 8
"""Presses in vain after which no cursor is looked for any more where the keys are known."""

TWICE = 2
"""How often each way to use a key is tried: one press may be lost."""

MOST_PRESSES = 24
"""Keys in a move: where one is lost all that come after it go wrong."""

K = TypeVar("K")
P = TypeVar("P")
S = TypeVar("S")


@dataclass(eq=False)
class Trail(Generic[K, P, S]):
    """What is ``known`` of a window's keys, learned press by press from what the pictures show."""

    known: K
    count: int = 0
    """Presses that were made."""
    _base: K | None = None
    _sent: tuple[P, S] | None = None
    """What was pressed last, and what stood before it; what it showed makes ``known`` of ``_base``."""
    _shown: S | None = None
    _sight: object = None
    """What ``_shown`` was seen in: two looks may show the same."""
    _asked: int = 0
    _planned: P | None = None

    def look(self, sight: object, shown: S, judged: Callable[[K, P, S, S], K]) -> None:
        """Learn from what is ``shown`` in this ``sight``; ``judged``: what is known after a press, by what was known
        before it and what stood before and after it."""
        if self._shown is not None and sight is self._sight:
            self._asked += 1
            return
        # A picture that was asked about once only was looked at too early: what was planned for it was not pressed.
        if self._shown is not None and self._planned is not None and (self._asked > 1 or self._sent is None):
            self._sent, self._base = (self._planned, self._shown), self.known
            self.count += 1
        self._shown, self._sight, self._asked, self._planned = shown, sight, 1, None
        if self._sent is not None and self._base is not None:
            self.known = judged(self._base, *self._sent, shown)

    def plan(self, press: P | None) -> P | None:
        """Remember what will be pressed next."""
        self._planned = press
        return press


def changes(places: Mapping[Cell, Box], before: Image, now: Image) -> dict[Cell, float]:
    """How much each place has changed: grey levels on average, in the channel that changed most."""
    if before.shape != now.shape:
        return {}
    whole = cv2.integral(np.asarray(largest_channel(cv2.absdiff(before, now)), np.uint8))
    height, width = now.shape[:2]
    found: dict[Cell, float] = {}
    for cell, box in places.items():
        left, top = max(box.x, 0), max(box.y, 0)
        right, bottom = min(box.x + box.width, width), min(box.y + box.height, height)
        if right > left and bottom > top:
            total = whole[bottom, right] - whole[top, right] - whole[bottom, left] + whole[top, left]
            found[cell] = float(total) / ((bottom - top) * (right - left))
    return found


def has_changed(changed: Mapping[Cell, float], cell: Cell) -> bool:
    """Whether a place is one of those that changed most."""
    return changed.get(cell, 0.0) >= max(CHANGED, OF_MOST * max(changed.values(), default=0.0))


def moved(
    changed: Mapping[Cell, float], way: Way, at: Cell | None, jumps: Callable[[Cell, Cell], bool]
) -> tuple[Cell | None, Cell] | None:
    """From where to where a cursor went: the two places on a line in this ``way`` that changed most; or the one in
    which it has come into sight. None where nothing shows. ``jumps``: whether it may go farther than a step from one
    place to another."""
    most = [cell for cell in changed if has_changed(changed, cell)]
    best: tuple[float, Cell, Cell] | None = None
    for a in most:
        for b in most:
            down, right = b[0] - a[0], b[1] - a[1]
            far = down * way[0] + right * way[1]
            if far <= 0 or down * way[1] or right * way[0] or (far > 1 and not jumps(a, b)):
                continue
            worth = min(changed[a], changed[b]) * (2 if a == at else 1)
            if best is None or worth > best[0]:
                best = worth, a, b
    if best is not None:
        return best[1], best[2]
    return (None, most[0]) if len(most) == 1 else None
