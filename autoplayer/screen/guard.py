"""The guard: every gesture goes through it. Nothing else in the program may use a hand.

Before each press it checks that the window exists, has the size of the picture that was read, and is what a press at
this point reaches. Before every event, and at least every 20 ms while it waits, it checks that nobody wants it to stop.
However a gesture ends, buttons and keys are released. Before the first gesture it claims the display, which one bot at
a time may own.

What stops it: a request (Ctrl-C, SIGTERM, ``autoplayer stop`` from another terminal, :meth:`Stop.request`), the stop
key, the pointer in a corner of a monitor, a hand on the mouse, or the window closed, covered or resized. After a stop
by hand (mouse or key) it goes on only when the person asks for that (:meth:`Guard.wait_until_asked`).
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from autoplayer.core.errors import AutoplayerError, StoppedError
from autoplayer.core.frame import Box, Point
from autoplayer.core.gestures import Button, Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen.claim import Claim
from autoplayer.screen.hands import Hand, check_key
from autoplayer.screen.held import HeldKeys
from autoplayer.screen.monitors import Monitors
from autoplayer.screen.motion import (
    HOVER,
    LONGEST_IN_DOUBLE,
    LONGEST_KEY,
    LONGEST_MOTION,
    LONGEST_PAUSE,
    MOVING,
    stretch,
)
from autoplayer.screen.pointer import Pointer
from autoplayer.screen.stopkey import StopKey
from autoplayer.screen.stopping import Stop
from autoplayer.screen.targets import Target

LOOK = 0.01
"""Seconds between two checks of the stop conditions while the guard waits."""

LOST_BEFORE = 0.1
"""A window that is being minimised may lose the keyboard this many seconds before it is reported as minimised."""

PAUSED_LOOK = 0.05
"""Seconds between two checks while it waits to be asked to go on."""

BY_COMMAND = "Stopped: `autoplayer stop` was called."


class RefusedError(AutoplayerError):
    """A gesture would have left the window, and was not made."""


class ChangedError(AutoplayerError):
    """The window's size differs from that of the picture from which the gestures were planned: look again."""


class CoveredError(StoppedError):
    """Another window covers this one and did not go away."""


class Guard:
    """Makes gestures with ``hand`` inside ``target``, and nowhere else."""

    def __init__(
        self,
        target: Target,
        hand: Hand,
        monitors: Callable[[], list[Box]],
        *,
        stop: Stop | None = None,
        patience: float = 2.0,
        claim: Callable[[], Claim] | None = None,
        stop_key: Callable[[], StopKey | None] | None = None,
    ) -> None:
        """``monitors`` is called for the monitors now and then; ``patience``: seconds to wait for a covering window to
        go away. ``claim`` claims the display and ``stop_key`` watches the stop key, both from :meth:`begin` on."""
        self.stop = stop or Stop()
        self.scale = 1.0
        """Window pixels per screen unit: 2 on a Retina screen, where pictures have more pixels than the mouse
        counts."""
        self._target = target
        self._hand = hand
        self._monitors = Monitors(monitors)
        self._patience = patience
        self._pointer = Pointer(hand, self._monitors, self.stop)
        self._size: tuple[int, int] | None = None
        self._pressed = False
        """Whether a button is down. (Keys go to the window wherever the pointer is.)"""
        self._held = HeldKeys(hand)
        self._held_by: ExitStack | None = None
        """What is to be undone when the keys held by :meth:`hold` are released."""
        self._take_claim, self._watch_key = claim, stop_key
        self._begun = False
        self._claim: Claim | None = None
        self._key: StopKey | None = None

    # What the screen calls

    def begin(self) -> None:
        """Claim the display; from now on the bot can be stopped by key and from another terminal. The first gesture
        does this automatically. Raises TakenError where another bot owns the display."""
        if self._begun:
            return
        if self._take_claim is not None and self._claim is None:
            self._claim = self._take_claim()
        if self._watch_key is not None:
            self._key = self._watch_key()
        self._begun = True

    def close(self) -> None:
        """Release everything, and give the display up."""
        with suppress(StoppedError):
            self._drop()
        self._hand.release_all()
        if self._key is not None:
            self._key.close()
        if self._claim is not None:
            self._claim.release()
        self._key = self._claim = None
        self._begun = False

    def perform(self, gestures: Sequence[Gesture], pace: Pace, size: tuple[int, int] | None = None) -> None:
        """Make the gestures. ``size``: the width and height, in screen units, of the window for which they were
        planned. Nothing is pressed unless every point of every gesture lies inside the window.

        Raises RefusedError, ChangedError, CoveredError, StoppedError, NotFoundError (the window is gone); buttons and
        keys are released in every case.
        """
        self._drop()
        try:
            with self._working():
                try:
                    area = self._target.area()
                    self._size = size or (area.width, area.height)
                    self._examine(gestures)
                    self.check()
                    for gesture in gestures:
                        self._make(gesture, pace)
                finally:
                    self._hand.release_all()
        finally:
            self._size = None
            self._pressed = False

    def answer(self, dialog: Target, keys: tuple[str, ...], pace: Pace) -> None:
        """Press ``keys`` in a dialog of the window's own program. Raises as :meth:`perform`; NotFoundError where the
        dialog closes during the key press."""
        own, self._target = self._target, dialog
        try:
            self.perform((Keys(keys),), pace)
        finally:
            self._target = own

    def hold(self, keys: Collection[str], size: tuple[int, int] | None = None) -> None:
        """Hold exactly these keys until the next call; ``size`` as in :meth:`perform`. While any is held, signals
        become stop requests, and :meth:`watch` must be called often: after ``held.UNWATCHED`` seconds without it
        the keys are released until the next call (on X11). Raises as :meth:`perform`, with all keys up."""
        with self._held.lock:
            try:
                for key in keys:
                    check_key(key)
                if keys and self._held_by is None:
                    with ExitStack() as stack:
                        stack.enter_context(self._working())
                        area = self._target.area()
                        self._size = size or (area.width, area.height)
                        self._held.looked()
                        stack.callback(self._held.release_in_time().set)
                        self._held_by = stack.pop_all()
                self._held.change(keys, self._key_down)
            except BaseException:
                self._drop()
                raise
            if not keys:
                self._drop()
            self._held.looked()

    def watch(self, seconds: float) -> None:
        """Wait, checking everything that stops the bot, and while keys are held the window and the keyboard focus as
        well. Raises as :meth:`perform`, with all keys up."""
        with self._held.lock:
            try:
                self.check()
                self._keep_keyboard()
                if self._held.lapsed:
                    self.hold(tuple(self._held.keys))
                self._wait(seconds)
                self._keep_keyboard()
            except BaseException:
                self._drop()
                raise
            self._held.looked()

    def _keep_keyboard(self) -> None:
        """Raises CoveredError where keys are held and another window has the keyboard."""
        if self._held.keys and not self._target.has_focus():
            self._area()  # a closed window has no keyboard either
            raise CoveredError(
                f"Stopped with keys held: the keyboard went to another window than {self._target.title!r}. "
                "Click the game's window, then start again."
            )

    def _drop(self) -> None:
        """Release the held keys."""
        with self._held.lock:
            held_by, self._held_by = self._held_by, None
            self._held.forget()
            if held_by is not None:
                self._hand.release_all()
                self._size = None
                held_by.close()

    def park(self, at: Point) -> None:
        """Move the pointer to ``at``, a point inside the window, without a press. Raises as :meth:`perform`."""
        with self._working():
            self.check()
            self._move(at)

    @property
    def stop_key(self) -> str | None:
        """The key that stops the bot and, after a stop by hand, resumes it; None where none is watched."""
        return self._key.key if self._key is not None else None

    def resume(self) -> None:
        """Cancel the stop, and accept the pointer's present position. Only when the person has asked for it."""
        self.stop.resume()
        self._pointer.forget()

    def wait_until_asked(self, asked: Callable[[], bool] = lambda: False) -> None:
        """After a stop by hand: wait, with nothing held and nothing moved, until the person asks the bot to go on, with
        the stop key (again twice) or through ``asked``, which is polled a few times a second; then :meth:`resume`.

        Raises StoppedError when it is asked to end meanwhile (``autoplayer stop``), KeyboardInterrupt for Ctrl-C.
        """
        self._hand.release_all()
        if self._key is not None:
            self._key.pressed()  # discard the presses that led to the stop
        while True:
            if self._claim is not None and self._claim.asked_to_stop:
                raise StoppedError(BY_COMMAND)
            if (self._key is not None and self._key.pressed()) or asked():
                self.resume()
                return
            time.sleep(PAUSED_LOOK)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """While gestures are made: signals become stop requests, and others can see that something may be held down."""
        self.begin()
        try:
            if self._claim is not None:
                self._claim.at_work(True)
            with self.stop.listening():
                yield
        finally:
            if self._claim is not None:
                self._claim.at_work(False)

    def _heed(self) -> None:
        """Raises StoppedError when a stop was requested in any way other than with the pointer."""
        if self._claim is not None and self._claim.asked_to_stop:
            self.stop.request(BY_COMMAND)
        if self._key is not None and self._key.pressed():
            self.stop.request(f"Stopped: the stop key ({self._key.key}) was pressed twice.", by_hand=True)
        self.stop.check()

    def check(self) -> None:
        """Raises StoppedError when the person wants the bot to stop."""
        self._heed()
        self._pointer.check()

    # Gestures

    def _examine(self, gestures: Sequence[Gesture]) -> None:
        """Raises RefusedError for all of the gestures when one of them cannot be made."""
        for gesture in gestures:
            match gesture:
                case Click(at) | Wheel(at):
                    self._screen_point(at)
                case Drag(path):
                    if not path:
                        raise RefusedError("A drag without a point was planned; nothing was pressed.")
                    for at in path:
                        self._screen_point(at)
                case Keys(keys) | Hold(keys):
                    for key in keys:
                        check_key(key)

    def _make(self, gesture: Gesture, pace: Pace) -> None:
        match gesture:
            case Click(at, button, times):
                self._press(at, button, pace)
                for _ in range(times - 1):
                    self._wait(min(pace.press, LONGEST_IN_DOUBLE))
                    self._release(button)
                    self._wait(min(pace.release, LONGEST_IN_DOUBLE))
                    self._press(at, button, Pace(0, 0, 0))
                self._wait(pace.press if times == 1 else min(pace.press, LONGEST_IN_DOUBLE))
                self._release(button)
                self._wait(pace.release)
            case Drag(path, button):
                self._drag(path, button, pace)
            case Wheel(at, notches):
                for _ in range(abs(notches)):
                    self._bring(at, pace)
                    self._hand.turn(notches > 0)
                    self._wait(pace.step)
                self._wait(pace.release)
            case Keys(keys):
                for key in keys:
                    self._key_down(key)
                    self._wait(min(pace.press, LONGEST_KEY))
                    self._hand.key_up(key)
                    self._wait(pace.step)
                self._wait(pace.release)
            case Hold(keys, seconds):
                for key in keys:
                    self._key_down(key)
                self._wait(seconds)
                for key in reversed(keys):
                    self._hand.key_up(key)
                self._wait(pace.release)

    def _drag(self, path: Sequence[Point], button: Button, pace: Pace) -> None:
        self._press(path[0], button, pace)
        self._wait(pace.press)
        moving = min(pace.step * MOVING, LONGEST_MOTION)
        reached = moving + min((pace.step - moving) / 2, LONGEST_PAUSE)
        for start, end in itertools.pairwise(path):
            began = time.perf_counter()
            points = stretch(start, end)
            for n, point in enumerate(points, 1):
                self._move(point)
                self._wait_until(began + moving * n / len(points))
            # A window that loses one motion event still hears of this point: it is moved to from one pixel beside it,
            # and again.
            self._move(self._beside(end))
            self._wait_until(began + reached)
            self._move(end)
            self._wait_until(began + pace.step)
        self._wait(pace.release)
        self._release(button)
        self._wait(pace.release)

    def _press(self, at: Point, button: Button, pace: Pace) -> None:
        """Bring the pointer to ``at`` and press there."""
        self._bring(at, pace)
        self._hand.press(button)
        self._pressed = True

    def _bring(self, at: Point, pace: Pace) -> None:
        """Move the pointer to ``at``; returns once a press there reaches the window."""
        self._move(at)
        self._wait(pace.step * HOVER)
        end = math.inf
        late = False
        while True:
            self.check()
            # Both are asked together and last: the window may have moved while the pointer rested.
            point = self._screen_point(at)
            what = self._target.covering(point)
            if what is None and point == self._pointer.left:
                return
            if point != self._pointer.left:
                self._move(at)
            elif late:
                self._area()
                raise CoveredError(
                    f"Nothing was pressed: {what} lies over {self._target.title!r} at {at[0]},{at[1]}. "
                    "Bring the game's window to the front."
                )
            else:
                now = time.perf_counter()
                end = min(end, now + self._patience)
                late = now > end  # it is checked once more in any case: much time may have passed since the last check
                self._wait(LOOK)

    def _release(self, button: Button) -> None:
        self._hand.release(button)
        self._pressed = False

    def _key_down(self, key: str) -> None:
        """Press a key once keys go to the window."""
        self._ready_for_keys()
        if self._key is not None and self._key.key in check_key(key):
            self._key.own()
        self._hand.key_down(key)

    def _ready_for_keys(self) -> None:
        """Make sure that keys go to the window; requests the keyboard focus where another window has it."""
        self.check()
        self._area()
        if self._target.has_focus():
            return
        # A window that is being minimised loses the focus first, and requesting it would restore the window.
        self._wait(LOST_BEFORE)
        self._area()
        end = time.perf_counter() + self._patience
        late = False
        if not self._target.has_focus():
            self._target.activate()
        while not self._target.has_focus():
            if late:
                self._area()
                raise CoveredError(
                    f"No key was pressed: the keyboard belongs to another window than {self._target.title!r}. "
                    "Click the game's window, then start again."
                )
            late = time.perf_counter() > end
            self._wait(LOOK)

    # Places

    def _area(self) -> Box:
        area = self._target.area()
        if self._size is not None and (area.width, area.height) != self._size:
            raise ChangedError(
                f"The window {self._target.title!r} was {self._size[0]}x{self._size[1]} when it was looked at and is "
                f"{area.width}x{area.height} now; the gestures were stopped."
            )
        return area

    def _screen_point(self, at: Point) -> Point:
        """The screen coordinates of a window's point, as the window is now. Raises RefusedError outside of it."""
        area = self._area()
        point = area.x + math.floor(at[0] / self.scale), area.y + math.floor(at[1] / self.scale)
        if not area.contains(point):
            raise RefusedError(
                f"A gesture at {at[0]},{at[1]} was refused: the window {self._target.title!r} is only "
                f"{round(area.width * self.scale)} pixels wide and {round(area.height * self.scale)} high."
            )
        if not self._monitors.show(point):
            raise RefusedError(
                f"A gesture at {at[0]},{at[1]} was refused: that part of the window {self._target.title!r} lies "
                "outside the screen. Move the window wholly onto it."
            )
        return point

    def _move(self, at: Point) -> None:
        self.check()
        self._pointer.send(lambda: self._screen_point(at), self._heed)

    def _beside(self, at: Point) -> Point:
        """A point one pixel beside ``at``, inside the window."""
        step = max(1, math.ceil(self.scale))
        return (at[0] - step, at[1]) if at[0] >= step else (at[0] + step, at[1])

    # Time

    def _wait(self, seconds: float) -> None:
        self._wait_until(time.perf_counter() + seconds)

    def _wait_until(self, end: float) -> None:
        """Sleep until ``end`` on the performance counter, checking the stop conditions all the while."""
        while (rest := end - time.perf_counter()) > 0:
            time.sleep(min(rest, LOOK))
            self.check()
            self._watch_window()

    def _watch_window(self) -> None:
        """While gestures are made the window must stay where and as it is, and while a button is down also
        uncovered."""
        area, at = self._area(), self._pointer.left
        if self._pressed and at is not None and area.contains(at) and (what := self._target.covering(at)):
            self.check()  # if a hand has moved the pointer meanwhile, that is the reason to report
            self._area()  # or that the window was closed or resized between the two questions
            raise CoveredError(f"Stopped in the middle of a gesture: {what} came to lie over {self._target.title!r}.")
