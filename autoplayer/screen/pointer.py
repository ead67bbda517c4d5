"""The pointer of the mouse, which the bot and the person share: where the bot left it, and whether a hand moves it.

A person stops the bot with the mouse: by moving it, or by pushing the pointer into a corner of a monitor.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from autoplayer.core.frame import Point
from autoplayer.screen.hands import Hand
from autoplayer.screen.monitors import Monitors
from autoplayer.screen.stopping import Stop

TOLERANCE = 5
"""Pixels that the pointer may be moved by others (a shaken table) before that is a hand on the mouse."""

CALM = 1.0
"""Seconds in which what has been moved by others is forgotten by half."""

ARRIVAL = 0.25
"""Seconds in which a pointer that stirs is where it was sent."""

FROZEN = 10.0
"""Seconds in which one stirs at all: a window manager that looks at every press first holds all events after it back,
and on a busy machine it may have to wait for its turn. A hand on the mouse moves it; this is none."""


class Pointer:
    """Moved by ``hand``; what others do to it becomes a request to ``stop``. Points are in screen units."""

    def __init__(self, hand: Hand, monitors: Monitors, stop: Stop) -> None:
        self._hand = hand
        self._monitors = monitors
        self._stop = stop
        self.left: Point | None = None
        """Where the bot left it; None before it first moved it."""
        self._sent: Point | None = None
        """Where the bot sent it last: held back meanwhile, it arrives there late."""
        self._drift = 0.0
        """How far others have moved it of late."""
        self._looked = 0.0

    def forget(self) -> None:
        """Take it from where it is now: the person has moved it, and asked the bot to go on."""
        self.left = self._sent = None
        self._drift = 0.0

    def check(self) -> None:
        """Raises StoppedError where the person stops the bot with it."""
        at, now = self._hand.position(), time.perf_counter()
        # Only what was seen before fades: a hand that came during a long thought has just been there.
        self._drift *= 0.5 ** ((now - self._looked) / CALM) if self._looked else 1.0
        self._looked = now
        own = at in (self.left, self._sent)
        if self.left is not None and not own:
            # It is taken from where it is: a slow hand that the bot's own moves pull back counts, too.
            self._drift += math.dist(at, self.left)
        by_bot, self.left = self.left, at if self.left is not None else None
        if not own and by_bot is not None and self._monitors.changed():
            self._drift = 0.0  # a pointer on what is no screen any more is moved by the system
            return
        if not own and self._monitors.in_corner(at):
            self._halt("Stopped: the pointer is in a corner of a monitor, which stops the bot. Move it away to go on.")
        if self._drift > TOLERANCE:
            self._halt(f"Stopped: a hand moved the mouse (the pointer was left at {by_bot} and is at {at}).")

    def send(self, place: Callable[[], Point], heed: Callable[[], None]) -> None:
        """Move it to ``place()``, which may be another one once the monitors have changed; returns when it is there.
        ``heed`` is called meanwhile, and raises where the bot is to stop."""
        point = place()
        before = self._hand.position()
        self._sent = point
        self._hand.move(point)
        began = time.perf_counter()
        end = began + ARRIVAL
        while (reached := self._hand.position()) != point:
            heed()
            now = time.perf_counter()
            # One that has not stirred may be held back, however near it is.
            if math.dist(reached, point) <= TOLERANCE and (reached != before or now > end):
                break
            if now > end:
                end = now + ARRIVAL
                if self._monitors.changed():
                    self.left = reached
                    point = place()  # which may be elsewhere now, or not on the screen any more
                    self._sent = point
                    self._hand.move(point)
                    began = now
                elif reached != before or now > began + FROZEN:
                    self._halt(
                        f"Stopped: the pointer was sent to {point} but is at {reached}; a hand is on the mouse, or "
                        "another program holds the pointer."
                    )
            time.sleep(0.002)
        self.left = reached  # what the system made of it: it may round

    def _halt(self, reason: str) -> None:
        self._stop.request(reason, by_hand=True)
        self._stop.check()
