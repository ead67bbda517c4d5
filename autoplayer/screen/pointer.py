"""The mouse pointer, which the bot and the person share: where the bot left it, and whether the person moves it.

A person stops the bot with the mouse by moving it, or by pushing the pointer into a corner of a monitor.
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
"""Pixels that others may move the pointer (a shaken table) before it counts as a hand on the mouse."""

CALM = 1.0
"""Seconds in which the measured movement by others decays to half."""

ARRIVAL = 0.25
"""Seconds within which a pointer that has begun to move reaches its target."""

FROZEN = 10.0
"""Seconds within which it begins to move. A window manager that inspects every press holds all later events back, and
on a busy machine it may be scheduled late. A hand on the mouse would move the pointer; this does not."""


class Pointer:
    """The pointer, moved by ``hand``; movement by others becomes a request to ``stop``. Points are in screen units."""

    def __init__(self, hand: Hand, monitors: Monitors, stop: Stop) -> None:
        self._hand = hand
        self._monitors = monitors
        self._stop = stop
        self.left: Point | None = None
        """Where the bot left it; None before the bot first moved it."""
        self._sent: Point | None = None
        """Where the bot sent it last: it may arrive there late, after having been held back."""
        self._drift = 0.0
        """How far others have moved it recently."""
        self._looked = 0.0

    def forget(self) -> None:
        """Accept its present position: the person has moved it, and asked the bot to go on."""
        self.left = self._sent = None
        self._drift = 0.0

    def check(self) -> None:
        """Raises StoppedError where the person stops the bot with it."""
        at, now = self._hand.position(), time.perf_counter()
        # Only movement that was measured before decays: a hand that came during a long computation was there just now.
        self._drift *= 0.5 ** ((now - self._looked) / CALM) if self._looked else 1.0
        self._looked = now
        own = at in (self.left, self._sent)
        if self.left is not None and not own:
            # Measured from its present position, so that a slow hand that the bot's own moves pull back counts, too.
            self._drift += math.dist(at, self.left)
        by_bot, self.left = self.left, at if self.left is not None else None
        if not own and by_bot is not None and self._monitors.changed():
            self._drift = 0.0  # a pointer outside all monitors is moved by the system
            return
        if not own and self._monitors.in_corner(at):
            self._halt("Stopped: the pointer is in a corner of a monitor, which stops the bot. Move it away to go on.")
        if self._drift > TOLERANCE:
            self._halt(f"Stopped: a hand moved the mouse (the pointer was left at {by_bot} and is at {at}).")

    def send(self, place: Callable[[], Point], heed: Callable[[], None]) -> None:
        """Move it to ``place()``, which may change with the monitors; returns when it is there. ``heed`` is called
        meanwhile, and raises where the bot is to stop."""
        point = place()
        before = self._hand.position()
        self._sent = point
        self._hand.move(point)
        began = time.perf_counter()
        end = began + ARRIVAL
        while (reached := self._hand.position()) != point:
            heed()
            now = time.perf_counter()
            # A pointer that has not begun to move may be held back, however near it is.
            if math.dist(reached, point) <= TOLERANCE and (reached != before or now > end):
                break
            if now > end:
                end = now + ARRIVAL
                if self._monitors.changed():
                    self.left = reached
                    point = place()  # it may be elsewhere now, or outside the screen
                    self._sent = point
                    self._hand.move(point)
                    began = now
                elif reached != before or now > began + FROZEN:
                    self._halt(
                        f"Stopped: the pointer was sent to {point} but is at {reached}; a hand is on the mouse, or "
                        "another program holds the pointer."
                    )
            time.sleep(0.002)
        self.left = reached  # the system may round it

    def _halt(self, reason: str) -> None:
        self._stop.request(reason, by_hand=True)
        self._stop.check()
