"""The desktop as a screen: one window or region, captured and played through the guard.

Only the client area is captured, wherever the window is at that moment. A window that reaches outside the screen is
refused, because a board that is cut off at the edge could be read as a smaller one. Only a sliver, such as a maximised
window's frame pushes over the edge, is allowed, and is black in the picture.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from contextlib import ExitStack, suppress
from itertools import product

import cv2
import mss
import numpy as np

from autoplayer.core.errors import MachineError, NotFoundError
from autoplayer.core.frame import Box, Frame, Image, Point
from autoplayer.core.gestures import Gesture, Pace
from autoplayer.screen.claim import display_of, take
from autoplayer.screen.dialogs import Dialogs
from autoplayer.screen.guard import Guard
from autoplayer.screen.hands import Hand, best_hand
from autoplayer.screen.pulse import LateError, Pulse, pulse
from autoplayer.screen.shots import shots_of
from autoplayer.screen.stillness import Stillness
from autoplayer.screen.stopkey import StopKey, watch_key
from autoplayer.screen.stopping import Stop
from autoplayer.screen.targets import RegionTarget, Target, WindowTarget
from autoplayer.screen.windows import AwayError, Region, Window, WindowSystem, window_system
from autoplayer.screen.x11 import X11
from autoplayer.screen.xconnection import connected

QUICKEST, SLOWEST, BACK_OFF = 0.012, 0.2, 0.08
"""Seconds between two looks while waiting: at first the quickest, then a fraction (``BACK_OFF``) of the time waited so
far, at most the slowest (about six looks a second), so that a long wait costs a few hundredths of a core."""

CALM_LOOKS = 4
"""Looks in a row that must find no change: on a busy machine the whole quiet time may pass between two of them."""

GOLDEN = (math.sqrt(5) - 1) / 2
"""The fractional parts of its multiples are evenly spread and never repeat."""

ROWS = 4
"""While waiting, a look compares one row of pixels in this many, which is a quarter of the memory traffic."""

BOUNDS_KNOWN = 2.0
"""Seconds for which the screen's size is cached; after a failed capture it is asked for at once."""

SLIVER = 0.01
"""The share of the window's width or height that may lie outside the screen: less than half a cell of the largest
boards."""

AWAY_LOOK = 0.1
"""Seconds between two looks for a window that is not visible."""

SILENT = 1.0
"""Seconds without an answer after which a window's program is taken to hang: longer than a slow one draws a frame."""

ANSWER_LIMIT = 5.0
"""Seconds for which a gesture waits for a program that hangs."""

OVER_POINTS = 9
"""Points, across and down, that are probed for windows over the board, where the window system cannot report them."""

HIDDEN_POINTS = 8
"""Points, across and down, that are probed for windows over the whole window, where the window system cannot report
them."""

MOST_CHASES = 3
"""Captures of a window that moves during each of them, before the last one is accepted."""

RAISED_WITHIN = 0.5
"""Seconds in which a window that was asked to come to the front is expected there."""


class DesktopScreen:
    """One window (or region) of this desktop; implements :class:`autoplayer.screen.base.Screen`."""

    def __init__(
        self,
        target: Window | Region,
        *,
        system: WindowSystem | None = None,
        hand: Hand | None = None,
        stop: Stop | None = None,
        patience: float = 2.0,
        bring_to_front: bool = True,
        game: str = "",
        stop_key: str | None = "escape",
    ) -> None:
        """``system`` and ``hand`` default to this machine's; those given stay open after :meth:`close`. ``stop``: a
        stop request shared with others; ``patience``: seconds to wait for a covering window to go away;
        ``bring_to_front``: whether the window is raised once, now. ``game``: the name that other processes see in the
        claim; ``stop_key``: the key that stops the bot when the person presses it twice; None for none.

        Raises MachineError where the screen cannot be used, NotFoundError where the target does not exist, TakenError
        where another bot owns the display (where the window is not raised: with the first gesture).
        """
        self._owns_system, self._owns_hand = system is None, hand is None
        self.system: WindowSystem = system or window_system()
        self._target: Target = (
            WindowTarget(self.system, target) if isinstance(target, Window) else RegionTarget(self.system, target)
        )
        self.title = self._target.title
        self._target.area()
        try:
            self._shots = shots_of(self.system)
        except mss.ScreenShotError as fault:
            raise MachineError(f"The screen cannot be grabbed: {fault}.") from None
        self.hand: Hand = hand or best_hand(self.system)
        self.guard = Guard(
            self._target,
            self.hand,
            self.system.monitors,
            stop=stop,
            patience=patience,
            claim=lambda: take(display_of(self.system), game, self.title),
            stop_key=lambda: self._watch(stop_key),
        )
        self._closed = False
        self._start = time.perf_counter()
        self._stillness = Stillness()
        self._dialogs = Dialogs(self.system, self._target, self.guard, self.now)
        self._bounds = Box(0, 0, 0, 0)
        self._bounds_asked = -math.inf
        self._seen: tuple[int, int] | None = None
        """Width and height, in screen units, of the window in the last picture that was returned."""
        self._covers: list[tuple[str, Box]] = []
        """The windows that covered this one in that picture, where known: their names, and the covered boxes, relative
        to the window's corner in screen units."""
        self._pulse: Pulse | None = None
        if bring_to_front:
            try:
                self.guard.begin()
                self._bring_to_front()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Release everything, once. Buttons and keys are up afterwards, and the display is free for another bot."""
        if self._closed:
            return
        self._closed = True
        self._stillness = Stillness()  # in a reference cycle with the guard: Python frees its pictures late
        with suppress(MachineError):  # on a display that is gone nothing is held
            self._close()

    @connected
    def _close(self) -> None:
        with ExitStack() as last:  # run all of it, whatever fails
            if self._owns_system:
                last.callback(self.system.close)
            if self._owns_hand:
                last.callback(self.hand.close)
            last.callback(self._shots.close)
            if self._pulse is not None:
                last.callback(self._pulse.close)
            self.guard.close()

    def __enter__(self) -> DesktopScreen:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def title_now(self) -> str:
        """The window's title as it is now: many name the level, or the screen that is shown."""
        window = self.system.window(self._target.id) if self._target.id else None
        return window.title if window is not None else self.title

    def now(self) -> float:
        """Seconds since this screen was made, on a clock that only goes forward."""
        return time.perf_counter() - self._start

    # Looking

    def grab(self) -> Frame:
        """The client area as it is now. Raises NotFoundError when the window is gone, AwayError when it is hidden or
        reaches outside the screen."""
        self._covers = []
        for _ in range(MOST_CHASES):
            raw, area, size, when = self._shot()
            if self._target.area() == area:  # else another place was captured, or what lies behind
                break
        return self._frame(raw, area, size, when)

    @connected
    def glance(self, pause: float = 0.0) -> Frame:
        """The client area after ``pause`` seconds. Raises as :meth:`grab` and :meth:`hold`; keys are up then."""
        self.guard.watch(pause)
        try:
            return self.grab()
        except BaseException:
            self.guard.hold(())
            raise

    @connected
    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        """Wait until the picture has been still for ``quiet`` seconds and differs from ``unlike``; after ``limit``
        seconds the last picture is returned in any case.

        Small areas (together under 2 % of the window) that have kept changing for more than a second are ignored in
        both comparisons. A bigger endless animation is never still: such a wait ends after ``limit``. A window that is
        not visible is waited for as long, and one that was opened again under the same title is followed. Raises as
        :meth:`grab`, and StoppedError when the person stops the bot meanwhile.
        """
        began = self.now()
        watch = self._stillness
        watch.begin(began)
        before: bytearray | None = None
        looks = 0
        self._covers = []
        differs = unlike is None
        while True:
            self.guard.check()
            try:
                raw, area, size, when = self._shot()
            except NotFoundError:
                waited = self.now() - began
                if waited >= limit:
                    raise
                time.sleep(min(AWAY_LOOK, limit - waited))
                self._target.find_again()
                watch.begin(self.now())
                before, looks = None, 0
                continue
            looks += 1
            if before is not None and _same_rows(raw, before, size, looks):
                watch.unchanged(when)
            else:
                image = _bgr(raw, size)
                watch.see(image, when)
                if unlike is not None:
                    differs = watch.differs(unlike.image)
                before = raw
            if watch.looks == 1 and isinstance(self.system, X11):
                # What goes away between this question and the last picture changes the picture; asked afterwards it
                # would be missed.
                over = self.system.covers(self._target.id, area)
                self._covers = [(name, Box(b.x - area.x, b.y - area.y, b.width, b.height)) for name, b in over]
            calm = watch.calm_for()
            waited = when - began
            rests = calm >= quiet and watch.looks >= CALM_LOOKS
            if (differs and rests) or waited >= limit:
                return self._frame(raw, area, size, when)
            # While it moves, several looks must fall into the quiet time; once it rests, only a change is awaited.
            pause = min(max(QUICKEST, waited * BACK_OFF), SLOWEST if rests else quiet / CALM_LOOKS)
            # Irregular pauses, so that no animation of the same period looks still.
            pause *= 0.6 + 0.4 * (looks * GOLDEN % 1.0)
            if differs and not rests:
                pause = min(pause, max(quiet - calm, QUICKEST))
            time.sleep(max(min(pause, limit - waited), 0.001))

    def attend(self, box: Box | None) -> None:
        """As :func:`autoplayer.screen.base.attend`."""
        self._stillness.attend(box)

    # Playing

    @connected
    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        """Make the gestures, through the guard. Raises StoppedError (CoveredError when something lies over the
        window), RefusedError for a point outside the window, ChangedError when the window has another size than in
        the last picture, NotFoundError when it is gone, LateError when it did not answer for a while. Buttons and keys
        are up again in every case."""
        self._await_answer()
        self._dialogs.note()
        self.guard.perform(gestures, pace, self._seen)
        if self._pulse is not None:
            self._pulse.ask()

    @connected
    def answer_dialog(self, pace: Pace) -> str | None:
        """As :func:`autoplayer.screen.base.answer_dialog`."""
        return self._dialogs.answer(pace)

    @connected
    def hold(self, keys: Collection[str]) -> None:
        """Hold exactly these keys from now on, until told otherwise; through the guard. Raises as :meth:`perform`, with
        all keys up. Look often: :meth:`glance` notices what stops the bot."""
        self.guard.hold(keys, self._seen)

    @connected
    def park(self, at: Point) -> None:
        """Move the pointer, without a press, to a point inside the window. Raises as :meth:`perform`."""
        self.guard.park(at)

    def hidden(self) -> list[Box]:
        """The parts of the window, in window pixels, that other windows hide now: a picture of them does not show the
        game. On X11 they are exact; elsewhere points are probed, and each hidden point stands for a box around it. None
        where the window is not visible."""
        try:
            area, scale = self._target.area(), self.guard.scale
        except NotFoundError:
            return []
        if isinstance(self.system, X11):
            found = self.system.hidden(self._target.id, area)
        else:
            wide, high = math.ceil(area.width / HIDDEN_POINTS), math.ceil(area.height / HIDDEN_POINTS)
            corners = product(range(area.x, area.x + area.width, wide), range(area.y, area.y + area.height, high))
            # A window that covers a point extends into the neighbouring boxes as well.
            found = [
                Box(x - wide, y - high, 3 * wide, 3 * high)
                for x, y in corners
                if self._target.covering((x + wide // 2, y + high // 2))
            ]
        return [
            Box(
                math.floor((box.x - area.x) * scale),
                math.floor((box.y - area.y) * scale),
                math.ceil(box.width * scale) + 1,
                math.ceil(box.height * scale) + 1,
            )
            for box in found
        ]

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        """The name of a window that hides a part of the smallest box around ``boxes`` (window pixels), now or in the
        last still picture that was returned; None where none does, and where the window is not visible. A board that
        was read while something covered it may be only half a board."""
        try:
            area, scale = self._target.area(), self.guard.scale
        except NotFoundError:
            return None
        left, top = (min(edges) for edges in zip(*((box.x, box.y) for box in boxes), strict=True))
        right = max(box.x + box.width for box in boxes)
        bottom = max(box.y + box.height for box in boxes)
        x, y, width, height = (math.floor(v / scale) for v in (left, top, right - left, bottom - top))
        x, y = max(x, 0), max(y, 0)
        box = Box(area.x + x, area.y + y, min(width, area.width - x), min(height, area.height - y))
        if isinstance(self.system, X11):
            before = (
                name
                for name, part in self._covers
                if x < part.x + part.width
                and part.x < x + box.width
                and y < part.y + part.height
                and part.y < y + box.height
            )
            return self.system.over(self._target.id, box) or next(before, None)
        shares = [step / (OVER_POINTS - 1) for step in range(OVER_POINTS)]
        points = (
            (box.x + round((box.width - 1) * u), box.y + round((box.height - 1) * v))
            for u, v in product(shares, shares)
        )
        return next((what for point in points if (what := self._target.covering(point))), None)

    # Inside

    def _await_answer(self) -> None:
        """Wait for a window whose program hangs before anything is pressed there: it would receive the same gesture
        several times, all at once. Raises LateError where it hung, because it has received the last gesture only now,
        or still has not."""
        if not isinstance(self.system, X11):
            return
        if self._pulse is None:
            self._pulse = pulse(self.system.display_name, self._target.id)
            if self._pulse is None:
                return
            self._pulse.ask()  # asked early, so that it is known soon whether it answers at all
        self._pulse.follow(self._target.id)
        if self._pulse.silent_for() < SILENT:
            return
        end = self.now() + ANSWER_LIMIT
        while silent := self._pulse.silent_for():
            self.guard.check()
            if self.now() > end:
                raise LateError(
                    f"The window {self.title!r} has not answered for {silent:.0f} seconds: its program hangs. Nothing "
                    "was pressed meanwhile."
                )
            time.sleep(AWAY_LOOK)
        raise LateError(f"The window {self.title!r} did not answer for a while; nothing was pressed.")

    def _shot(self) -> tuple[bytearray, Box, tuple[int, int], float]:
        """The raw picture (BGRA), where it was taken, its ``(width, height)`` in pixels, and when."""
        area = self._target.area()
        visible = self._visible(area)
        try:
            shot = self._take(visible)
        except mss.ScreenShotError:
            # The window or the screen may have changed since it was asked: try once more with the present values.
            self._bounds_asked = -math.inf
            area = self._target.area()
            visible = self._visible(area)
            try:
                shot = self._take(visible)
            except mss.ScreenShotError as fault:
                raise MachineError(f"The screen cannot be grabbed: {fault}.") from None
        when = self.now()
        scale = self.guard.scale = shot.size.width / visible.width
        size = shot.size.width, shot.size.height
        if visible == area:
            return shot.raw, area, size, when
        size = round(area.width * scale), round(area.height * scale)
        whole = np.zeros((size[1], size[0], 4), np.uint8)
        left, top = round((visible.x - area.x) * scale), round((visible.y - area.y) * scale)
        part = np.frombuffer(shot.raw, np.uint8).reshape(shot.size.height, shot.size.width, 4)
        whole[top : top + part.shape[0], left : left + part.shape[1]] = part
        return bytearray(whole), area, size, when

    def _take(self, box: Box) -> mss.ScreenShot:
        return self._shots.grab({"left": box.x, "top": box.y, "width": box.width, "height": box.height})

    def _visible(self, area: Box) -> Box:
        """The part of ``area`` on the screen. Raises AwayError where more than a sliver lies outside."""
        if self.now() - self._bounds_asked > BOUNDS_KNOWN:
            self._bounds, self._bounds_asked = self.system.bounds(), self.now()
        bounds = self._bounds
        left, top = max(area.x, bounds.x), max(area.y, bounds.y)
        width = min(area.x + area.width, bounds.x + bounds.width) - left
        height = min(area.y + area.height, bounds.y + bounds.height) - top
        if width < area.width * (1 - SLIVER) or height < area.height * (1 - SLIVER):
            raise AwayError(
                f"{self.title!r} reaches outside the screen: it covers {area.x},{area.y} to {area.x + area.width},"
                f"{area.y + area.height}, the screen {bounds.x},{bounds.y} to {bounds.x + bounds.width},"
                f"{bounds.y + bounds.height}. Move it wholly onto the screen."
            )
        return Box(left, top, width, height)

    def _frame(self, raw: bytearray, area: Box, size: tuple[int, int], when: float) -> Frame:
        self._seen = area.width, area.height
        return Frame(_bgr(raw, size), (area.x, area.y), when)

    def _watch(self, key: str | None) -> StopKey | None:
        """The stop key; None where this display does not report keys: all other ways to stop the bot work."""
        if key is None:
            return None
        try:
            return watch_key(self.system, key)
        except MachineError:
            return None

    def _bring_to_front(self) -> None:
        """Raise the window, and wait a moment for it to come to the front; if it does not, the guard will report it."""
        self._target.activate()
        end = self.now() + RAISED_WITHIN
        while self.now() < end:
            area = self._target.area()
            inside = (area.x + math.floor(area.width * x) for x in (0.02, 0.5, 0.98))
            points = [(x, area.y + math.floor(area.height * y)) for x in inside for y in (0.02, 0.5, 0.98)]
            if not any(self._target.covering(point) for point in points):
                return
            time.sleep(0.02)


def _same_rows(raw: bytearray, before: bytearray, size: tuple[int, int], look: int) -> bool:
    """Whether every ``ROWS``-th row of two raw pictures is equal, another quarter of the rows at each ``look``: glyphs
    are higher than that, and the next looks compare the rows between."""
    if len(raw) != len(before):
        return False
    one, other = (np.frombuffer(data, np.uint32).reshape(-1, size[0])[look % ROWS :: ROWS] for data in (raw, before))
    return bool(np.array_equal(one, other))


def _bgr(raw: bytearray, size: tuple[int, int]) -> Image:
    """Shape ``(height, width, 3)``, BGR, from BGRA bytes."""
    pixels = np.frombuffer(raw, np.uint8).reshape(size[1], size[0], 4)
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), dtype=np.uint8)
