"""The known way to the next level, from the layout or from an earlier level: a control, a key or a drop-down list."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic

import cv2

from autoplayer.core.frame import Box, Frame, Image, Point
from autoplayer.games.base import P, S
from autoplayer.layout import NextTable
from autoplayer.session import limits
from autoplayer.session.ending import Ended, Ending
from autoplayer.session.events import Sight
from autoplayer.session.looking.boxes import closed_lines, controls, differing
from autoplayer.session.looking.controls import lit
from autoplayer.session.next_level.aftermath import Aftermath
from autoplayer.session.next_level.arrivals import Arrivals
from autoplayer.session.next_level.entries import Entries
from autoplayer.session.next_level.interludes import Interludes, another
from autoplayer.session.next_level.presses import Presses, point_at
from autoplayer.session.next_level.scrolling import Scrolling

OTHER = 0.5
"""The share of a known control's surroundings that must differ for another control to be there."""

SAME = 0.1
"""The largest share of a control that may look different in a window of another size."""

ASLEEP = 0.5
"""A control that could not be pressed yet looked different from when it led on: the largest share of that difference
that remains once it can be pressed."""


class KnownWay(Generic[P, S]):
    """Takes the known way. ``learn`` is told where it is found, or turns out to be wrong."""

    def __init__(
        self,
        seen: Aftermath[P, S],
        arrivals: Arrivals[P, S],
        presses: Presses[P, S],
        interludes: Interludes[P, S],
        entries: Entries[P, S],
        scrolling: Scrolling[P, S],
        learn: Callable[[NextTable], None],
    ) -> None:
        self.window = seen.window
        self._seen, self._arrivals, self._presses = seen, arrivals, presses
        self._interludes, self._entries, self._scrolling = interludes, entries, scrolling
        self.learn = learn
        self.nowhere = 0
        """How many levels in a row it has failed."""
        self.proven = False
        """Whether it has led on in this session."""
        self._looked: tuple[Point, Image] | None = None
        """The position of the control that led on in this session, and how its surroundings look."""
        self._size: tuple[int, int] = (0, 0)
        """The size (width, height) of the window then."""
        self._label: Image | None = None
        """How the control itself looks."""

    def found(self, way: NextTable, at: Point, now: Frame, places: Collection[Box]) -> None:
        """The control at ``at`` of ``now`` has led on: it is the known way from now on."""
        self._looked = at, _around(now, at, places)
        boxes = [*(each.box for each in controls(now.image)), *closed_lines(now.image)]
        box = min((each for each in boxes if each.contains(at)), key=lambda each: each.width, default=None)
        self._size, self._label = now.size, None if box is None else box.crop(now.image).copy()
        self.proven = True
        self._entries.led_on(at, now)
        self.learn(way)

    def located(self, known: NextTable, now: Frame) -> NextTable:
        """The way ``known`` in ``now``: in a window that has another size since its control led on, the control is
        where it looks the same; an unknown way where it does so nowhere."""
        if known.place is None or self._label is None or now.size == self._size:
            return known
        high, wide = self._label.shape[:2]
        if high > now.size[1] or wide > now.size[0]:
            return NextTable()
        _, _, (x, y), _ = cv2.minMaxLoc(cv2.matchTemplate(now.image, self._label, cv2.TM_SQDIFF))
        if float(differing(self._label, Box(x, y, wide, high).crop(now.image)).mean()) > SAME:
            return NextTable()
        at = x + wide // 2, y + high // 2
        return known.model_copy(update={"place": (at[0] / now.size[0], at[1] / now.size[1])})

    def shown(self, end: Ending[P, S], known: NextTable) -> Frame | None:
        """The picture in which the way ``known`` can be taken, once its control has appeared; None where there is none,
        or another control is in its place."""
        if not known.pressed:
            return None
        if not end.complete and not self._seen.covered(end.board, end.drawn, end.after):
            return None
        if self._entries.tab_after(end.after) is not None:
            return None  # what led on was a tab, and is that of this level now
        shown = self._await_control(end, known)
        return None if self._is_other(known, shown) else shown

    def take(self, end: Ending[P, S], known: NextTable, shown: Frame) -> Ended[P, S] | None:
        """Press what ``known`` names in ``shown``. None where that does not lead on, and does not tell either how the
        level ended."""
        self._arrivals.say_done(end, shown, not end.complete or self._seen.covered(end.board, end.drawn, shown))
        self._presses.press(known, shown)
        found, gone = self._scrolling.wait(end, shown)
        at = point_at(known.place, shown.size) if known.place else None
        if found:
            self.nowhere, self.proven = 0, True
            if at is not None:
                self._entries.led_on(at, shown)
            return "won", self._entries.further(end, found, at, beside=True), True
        found = self._interludes.past(end, shown, at)
        if found:
            return "won", found, True
        lit_up = (
            at is not None
            and not self._seen.on_board(end.board, at)
            and lit(end.before.image, shown.image, at, end.places)
        )
        if gone:
            now = self.window.still(limits.MOVE_LIMIT)
            if self._seen.levels_listed(now) or another(shown, now, None):
                self._presses.led_away(end)
                return "won" if lit_up or self._seen.levels_listed() else "played", None, True
        elif known.kind != "list":  # a second choice would skip a level
            found = self._pressed_late(end, known, shown)
            if found is None and lit_up:  # it may have been words that announce a level which comes by itself
                found, _ = self._arrivals.wait(end, None, limits.FLASH_LIMIT - limits.PRESS_LIMIT)
            if found or lit_up:  # it lit up for the win: where it does not lead on, this was the last level
                return "won", found, found is not None
        self.nowhere += 1
        if self.nowhere > 1:  # it may have been learned in another window of that title
            self.learn(NextTable())
        return None

    def _await_control(self, end: Ending[P, S], known: NextTable) -> Frame:
        """Wait until the known control appears: some come only a while after the win, and a press on their place would
        hit something else until then. A window whose control never changes is not waited for long. Returns the last
        picture."""
        if known.place is None or known.kind == "list":
            return end.after
        at = point_at(known.place, end.after.size)
        # On the board, drawing has changed the picture there too: only a later change is the control.
        unlit = end.after if end.complete and self._seen.on_board(end.board, at) else end.before
        deadline = self.window.screen.now() + limits.LIT_LIMIT
        frame = end.after
        while not lit(unlit.image, frame.image, at, end.places):
            left = deadline - self.window.screen.now()
            if left <= 0 or frame.size != end.after.size:
                break
            # A dialog that still moves ignores presses.
            frame = self.window.still(left, unlike=frame, quiet=limits.PATIENT)
        return frame

    def _is_other(self, known: NextTable, now: Frame) -> bool:
        """Whether another control is in ``now`` where the known one was, by its looks when it was found: a press there
        might do anything."""
        if known.place is None or self._looked is None or self._looked[0] != point_at(known.place, now.size):
            return False
        at, before = self._looked
        high, wide = before.shape[:2]
        part = _part(now, at, wide, high)
        return part.shape == before.shape and float(differing(before, part).mean()) > OTHER

    def _pressed_late(self, end: Ending[P, S], known: NextTable, pressed: Frame) -> Sight[P, S] | None:
        """The level that a second press of the known way leads to: a key may have been pressed too soon, and what lit
        up in ``pressed``, before the first press, may have been a decoration at the place where the control was to
        appear. None where no level comes, or nothing has appeared since at that place."""
        now = self.window.still(limits.MOVE_LIMIT, quiet=limits.PATIENT)
        at = point_at(known.place, now.size) if known.place is not None else None
        if at is None or not self._seen.on_board(end.board, at):
            if not self.window.progress(end.board, now).complete:
                return None
            if at is not None and not lit(pressed.image, now.image, at, end.places):
                return None
        elif not self._woke(at, pressed, now):
            return None
        self._presses.press(known, now)
        found, _ = self._arrivals.wait(end, now, limits.PRESS_LIMIT)
        return found

    def _woke(self, at: Point, before: Frame, now: Frame) -> bool:
        """Whether the control at ``at``, which in ``before`` did not yet look as it did when it led on, does so in
        ``now``: on a dialog that counts stars one may have to wait for it."""
        if self._looked is None or self._looked[0] != at:
            return False
        looked = self._looked[1]
        high, wide = looked.shape[:2]
        parts = _part(before, at, wide, high), _part(now, at, wide, high)
        if any(part.shape != looked.shape for part in parts):
            return False
        asleep, awake = (float(differing(looked, part).mean()) for part in parts)
        return awake < ASLEEP * asleep


def _around(frame: Frame, at: Point, places: Collection[Box]) -> Image:
    """The part of ``frame`` within half a cell of ``at``."""
    side = 2 * (max(max(box.width, box.height) for box in places) // 2)
    return _part(frame, at, side, side)


def _part(frame: Frame, at: Point, wide: int, high: int) -> Image:
    """The part of ``frame`` of this size in pixels around ``at``."""
    return Box(at[0] - wide // 2, at[1] - high // 2, wide, high).crop(frame.image).copy()
