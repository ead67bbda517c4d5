"""The guard: the one place through which every gesture goes. Nothing else in the program may use a hand.

Before each press it makes sure that the window is there, has the size that was looked at, and is what a press at this
point reaches; before every event, and at least every 20 ms while it waits, that nobody wants it to stop. However a
gesture ends, buttons and keys go up. Before the first gesture it takes the display, which one bot at a time may have.

What stops it: a request (Ctrl-C, SIGTERM, ``autoplayer stop`` from another terminal, :meth:`Stop.request`), the stop
key, the pointer in a corner of a monitor, a hand on the mouse, the window gone, covered or resized. After a stop by
hand (mouse or key) it goes on only when the person asks for that (:meth:`Guard.wait_until_asked`).
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from autoplayer.core.errors import AutoplayerError, StoppedError
from autoplayer.core.frame import Box, Point
from autoplayer.core.gestures import Button, Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen.claim import Claim
from autoplayer.screen.hands import Hand, check_key
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
"""Seconds between two looks at the stop conditions while the guard waits."""

LOST_BEFORE = 0.1
"""Seconds by which a window may lose the keyboard before it is seen to be minimised."""

UNWATCHED = 0.14
"""Seconds without a look after which keys that are held go up: whoever wants the bot to stop is heard at a look."""

PAUSED_LOOK = 0.05
"""Seconds between two looks while it waits to be asked to go on."""

BY_COMMAND = "Stopped: `autoplayer stop` was called."


class RefusedError(AutoplayerError):
    """A gesture that would leave the window was not made."""


class ChangedError(AutoplayerError):
    """The window has another size than the picture that the gestures were planned from: look again."""


class CoveredError(StoppedError):
    """Something lies over the window and did not go away."""


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
        """``monitors`` is asked for the monitors now and then; ``patience`` is how many seconds the guard waits for
        something that covers the window to go away. ``claim`` takes the display and ``stop_key`` watches the stop key,
        both from :meth:`begin` on."""
        self.stop = stop or Stop()
        self.scale = 1.0
        """Window pixels a screen unit: 2 on a Retina screen, where pictures have more pixels than the mouse counts."""
        self._target = target
        self._hand = hand
        self._monitors = Monitors(monitors)
        self._patience = patience
        self._pointer = Pointer(hand, self._monitors, self.stop)
        self._size: tuple[int, int] | None = None
        self._pressed = False
        """Whether a button is down (keys go to the window wherever the pointer is)."""
        self._held: list[str] = []
        self._held_by: ExitStack | None = None
        """The keys that are held until told otherwise, and what is to be undone when there are none."""
        self._holding = threading.RLock()
        """Has it who presses or releases those keys."""
        self._watched = 0.0
        """When it was last looked while keys were held."""
        self._lapsed = False
        """Whether they went up because it was not."""
        self._take_claim, self._watch_key = claim, stop_key
        self._begun = False
        self._claim: Claim | None = None
        self._key: StopKey | None = None

    # What the screen calls

    def begin(self) -> None:
        """Take the display; from now on the bot can be stopped by key and from another terminal. The first gesture does
        this by itself. Raises TakenError where another bot has the display."""
        if self._begun:
            return
        if self._take_claim is not None and self._claim is None:
            self._claim = self._take_claim()
        if self._watch_key is not None:
            self._key = self._watch_key()
        self._begun = True

    def close(self) -> None:
        """Let go of everything, and give the display up."""
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
        """Make the gestures. ``size`` is the width and height, in screen units, of the window as it was when they
        were planned. Nothing is pressed unless every point of every gesture lies inside the window.

        Raises RefusedError, ChangedError, CoveredError, StoppedError, NotFoundError (the window is gone); buttons
        and keys are up again in every case.
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
        dialog closes under the key."""
        own, self._target = self._target, dialog
        try:
            self.perform((Keys(keys),), pace)
        finally:
            self._target = own

    def hold(self, keys: Collection[str], size: tuple[int, int] | None = None) -> None:
        """Hold exactly these keys until told otherwise; ``size`` as in :meth:`perform`. While any is held, signals are
        requests, and :meth:`watch` is to be called often: where it is not for UNWATCHED seconds, the keys go up until
        it is (on X11). Raises as :meth:`perform`, with all keys up."""
        with self._holding:
            try:
                for key in keys:
                    check_key(key)
                if keys and self._held_by is None:
                    with ExitStack() as stack:
                        stack.enter_context(self._working())
                        area = self._target.area()
                        self._size = size or (area.width, area.height)
                        self._watched = time.perf_counter()
                        stack.callback(self._timed().set)
                        self._held_by = stack.pop_all()
                if self._lapsed:
                    self._hand.release_all()
                    self._held, self._lapsed = [], False
                for key in [key for key in self._held if key not in keys]:
                    self._hand.key_up(key)
                    self._held.remove(key)
                for key in [key for key in keys if key not in self._held]:
                    self._ready_for_keys()
                    self._held.append(key)
                    self._key_down(key)
            except BaseException:
                self._drop()
                raise
            if not keys:
                self._drop()
            self._watched = time.perf_counter()

    def watch(self, seconds: float) -> None:
        """Wait, with an eye on everything that stops the bot, and while keys are held on the window and the keyboard as
        well. Raises as :meth:`perform`, with all keys up."""
        with self._holding:
            try:
                self.check()
                self._keep_keyboard()
                if self._lapsed:
                    self.hold(tuple(self._held))
                self._wait(seconds)
                self._keep_keyboard()
            except BaseException:
                self._drop()
                raise
            self._watched = time.perf_counter()

    def _keep_keyboard(self) -> None:
        """Raises CoveredError where keys are held and another window has the keyboard."""
        if self._held and not self._target.has_focus():
            self._area()  # a window that was closed has no keyboard either
            raise CoveredError(
                f"Stopped with keys held: the keyboard went to another window than {self._target.title!r}. "
                "Click the game's window, then start again."
            )

    def _timed(self) -> threading.Event:
        """Begins to let go of the held keys whenever it is not looked for long, until the event that is returned."""
        over = threading.Event()
        let_go: Callable[[], None] | None = getattr(self._hand, "let_go_aside", None)

        def beside() -> None:
            while not over.wait(LOOK):
                # Whoever has the lock presses, releases or looks just now.
                if time.perf_counter() - self._watched >= UNWATCHED and self._holding.acquire(blocking=False):
                    try:
                        if self._held and not self._lapsed and not over.is_set() and let_go is not None:
                            let_go()
                            self._lapsed = True
                    finally:
                        self._holding.release()

        if let_go is not None:
            threading.Thread(target=beside, daemon=True).start()
        return over

    def _drop(self) -> None:
        """Let go of the keys that are held."""
        with self._holding:
            held_by, self._held_by = self._held_by, None
            self._held, self._lapsed = [], False
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
        """The key that stops the bot and, after a stop by hand, lets it go on; None where none is watched."""
        return self._key.key if self._key is not None else None

    def resume(self) -> None:
        """Forget the stop, and take the pointer from where it is now. Only for a person who has asked for it."""
        self.stop.resume()
        self._pointer.forget()

    def wait_until_asked(self, asked: Callable[[], bool] = lambda: False) -> None:
        """After a stop by hand: wait, with nothing held and nothing moved, until the person asks the bot to go on, with
        the stop key (again twice) or through ``asked``, which is looked at a few times a second; then :meth:`resume`.

        Raises StoppedError when it is asked to end meanwhile (``autoplayer stop``), KeyboardInterrupt for Ctrl-C.
        """
        self._hand.release_all()
        if self._key is not None:
            self._key.pressed()  # what led to the stop does not end it
        while True:
            if self._claim is not None and self._claim.asked_to_stop:
                raise StoppedError(BY_COMMAND)
            if (self._key is not None and self._key.pressed()) or asked():
                self.resume()
                return
            time.sleep(PAUSED_LOOK)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """While gestures are made: signals are requests, and others can see that something may be held down."""
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
        """Raises StoppedError when somebody has asked the bot to stop, in whatever way but by the pointer."""
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
        """Refuses all of the gestures when one of them cannot be made."""
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
                    self._ready_for_keys()
                    self._key_down(key)
                    self._wait(min(pace.press, LONGEST_KEY))
                    self._hand.key_up(key)
                    self._wait(pace.step)
                self._wait(pace.release)
            case Hold(keys, seconds):
                for key in keys:
                    self._ready_for_keys()
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
            # A window that loses one motion event still hears of this point: from one pixel beside it, and again.
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
        """Bring the pointer to ``at``; returns once the window is what a press there reaches."""
        self._move(at)
        self._wait(pace.step * HOVER)
        end = math.inf
        late = False
        while True:
            self.check()
            # Asked together and last of all: the window may have moved while the pointer rested.
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
                late = now > end  # it is looked at once more all the same: much time may have passed since the look
                self._wait(LOOK)

    def _release(self, button: Button) -> None:
        self._hand.release(button)
        self._pressed = False

    def _key_down(self, key: str) -> None:
        if self._key is not None and self._key.key in check_key(key):
            self._key.own()
        self._hand.key_down(key)

    def _ready_for_keys(self) -> None:
        """Make sure that keys go to the window, asking for the keyboard where it is elsewhere."""
        self.check()
        self._area()
        if self._target.has_focus():
            return
        # A window that is being minimised loses the keyboard first, and asking for it would bring the window back.
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
        """The place of a window's point on the screen, as the window is now. Raises RefusedError outside of it."""
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
        """One pixel beside ``at``, inside the window."""
        step = max(1, math.ceil(self.scale))
        return (at[0] - step, at[1]) if at[0] >= step else (at[0] + step, at[1])

    # Time

    def _wait(self, seconds: float) -> None:
        self._wait_until(time.perf_counter() + seconds)

    def _wait_until(self, end: float) -> None:
        """Sleep until ``end`` on the performance counter, looking at the stop conditions all the while."""
        while (rest := end - time.perf_counter()) > 0:
            time.sleep(min(rest, LOOK))
            self.check()
            self._watch_window()

    def _watch_window(self) -> None:
        """While gestures are made the window must stay there as it is; under a pressed button, uncovered as well."""
        area, at = self._area(), self._pointer.left
        if self._pressed and at is not None and area.contains(at) and (what := self._target.covering(at)):
            self.check()  # where a hand has moved the pointer meanwhile, that is the reason
            self._area()  # or that the window was closed or resized between the two questions
            raise CoveredError(f"Stopped in the middle of a gesture: {what} came to lie over {self._target.title!r}.")
