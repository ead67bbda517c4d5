"""A page that is larger than its window, which a press has scrolled: what leads on may have come into view, and the
board must come back into view."""

from __future__ import annotations

from typing import Generic

from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Wheel
from autoplayer.games.base import Move, P, S
from autoplayer.session import limits
from autoplayer.session.ending import Ending
from autoplayer.session.events import Sight
from autoplayer.session.looking.moved import scrolled
from autoplayer.session.next_level.arrivals import Arrivals
from autoplayer.session.next_level.presses import Presses
from autoplayer.session.window import INTERRUPTIONS

MOST_NOTCHES = 60
"""How often the wheel is turned: a page moves by a line or more each time."""


class Scrolling(Generic[P, S]):
    """Waits for the next level after a press, and where that has scrolled the page, presses what leads on there and
    scrolls back."""

    def __init__(self, arrivals: Arrivals[P, S], presses: Presses[P, S]) -> None:
        self._window, self._arrivals, self._presses = arrivals.window, arrivals, presses

    def wait(self, end: Ending[P, S], before: Frame) -> tuple[Sight[P, S] | None, bool]:
        """As ``Arrivals.wait``, after a press in ``before``, which may have scrolled the page."""
        found, gone = self._arrivals.wait(end, before, limits.PRESS_LIMIT)
        if gone and found is None and self._brought(end, before):
            return self._arrivals.wait(end, None, limits.PRESS_LIMIT)
        return found, gone

    def _brought(self, end: Ending[P, S], before: Frame) -> bool:
        """Whether the page was scrolled since ``before``. Then what has come into view below and leads on by its words
        is pressed, and the page is scrolled back."""
        now = self._window.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)
        by = scrolled(before.image, now.image)
        if not by:
            return False
        new = now.size[1] - by if by > 0 else now.size[1]
        for box in self._presses.named(now):
            if box.y >= new and not self._presses.spared(end.board, box.centre):
                self._presses.click(box.centre, now)
                break
        self._back(by)
        return True

    def _back(self, by: int) -> None:
        """Scroll a page back that was scrolled down by ``by`` pixels (up, where negative)."""
        frame = self._window.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)
        spot = self._window.spot
        at = spot[0] if spot and spot[1] == frame.size else (frame.size[0] // 2, frame.size[1] - 1)
        way = 1 if by > 0 else -1
        for _ in range(MOST_NOTCHES):
            try:
                self._window.perform(Move("scrolling back", (Wheel(at, way),)), frame)
            except INTERRUPTIONS as fault:
                self._window.clear((), fault)
            now = self._window.still(limits.MOVE_LIMIT, unlike=frame, quiet=limits.PATIENT)
            step = scrolled(frame.image, now.image)
            by, frame = by + step, now
            if not step or by * way <= 0:
                return
