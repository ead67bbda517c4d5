"""Habits of bad days that any window can be given: it answers late, loses presses, lays a hint over the board. Here is
only what time and counting make of them; the picture of the hint, too."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pygame

from autoplayer.arcade.glyphs import caption
from autoplayer.arcade.stage import Stage
from autoplayer.arcade.themes import DARK_INK, Colour
from autoplayer.core.frame import Box, Point

Deed = Callable[[float], None]
"""Something that the hand has done, to be carried out; it is given the time at which that happens."""

BUBBLE_GESTURE = 2
"""The gesture of a level with which its hint comes once more."""

PAPER: Colour = (255, 244, 190)


class Late:
    """Holds back what the hand does for ``delay`` seconds; in order."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._waiting: deque[tuple[float, Deed]] = deque()

    def put(self, deed: Deed, now: float) -> None:
        if self._delay:
            self._waiting.append((now + self._delay, deed))
        else:
            deed(now)

    def tick(self, now: float) -> None:
        """Carry out what is due."""
        while self._waiting and self._waiting[0][0] <= now:
            self._waiting.popleft()[1](now)

    @property
    def deadline(self) -> float | None:
        """When ``tick`` has something to do next."""
        return self._waiting[0][0] if self._waiting else None


class Bubble:
    """A hint that lies over the middle of the board for ``lasts`` seconds when a level has come, and once more when it
    is being played. A press on it takes it away."""

    def __init__(self, lasts: float) -> None:
        self._lasts = lasts
        self._until: float | None = None
        self._again = False

    def level_came(self, now: float) -> None:
        if self._lasts:
            self._until, self._again = now + self._lasts, True

    def gestures(self, count: int, now: float) -> None:
        """``count`` gestures have been made in this level."""
        if self._again and count >= BUBBLE_GESTURE:
            self._until, self._again = now + self._lasts, False

    def tick(self, now: float) -> bool:
        """Whether it has just gone away."""
        if self._until is None or now < self._until:
            return False
        self._until = None
        return True

    @property
    def deadline(self) -> float | None:
        return self._until

    def take(self, at: Point, stage: Stage) -> bool:
        """Whether a press at ``at`` hits it; it goes away then."""
        if self._until is None or not self.box(stage).contains(at):
            return False
        self._until = None
        return True

    @staticmethod
    def box(stage: Stage) -> Box:
        """Where it lies: over three cells in width and two in height, askew to the lattice."""
        width, height = round(stage.pitch * 2.4), round(stage.pitch * 1.2)
        x, y = stage.board.centre
        return Box(x - width // 3, y - height // 2, width, height)

    def paint(self, surface: pygame.Surface, stage: Stage) -> None:
        if self._until is None:
            return
        box = self.box(stage)
        rectangle = pygame.Rect(box.x, box.y, box.width, box.height)
        radius = max(stage.pitch // 6, 2)
        pygame.draw.rect(surface, PAPER, rectangle, border_radius=radius)
        pygame.draw.rect(surface, DARK_INK, rectangle, max(stage.pitch // 30, 1), border_radius=radius)
        caption(surface, "Try this corner first", box, round(stage.pitch * 0.3), DARK_INK)
