"""Whether a window's program still responds, asked as window managers do (_NET_WM_PING of the Extended Window Manager
Hints): a request goes into the queue of the window's events, behind every press made before, and the program returns it
when it comes to it. So the answer also proves that those presses have been received.

Only X11 has this. A program that does not support it, or supports it but has never answered yet, counts as responding.
"""

from __future__ import annotations

import itertools
import os
import time
from contextlib import suppress
from typing import Any

from autoplayer.core.errors import AutoplayerError
from autoplayer.screen.interrupts import whole
from autoplayer.screen.xconnection import interruptible


class LateError(AutoplayerError):
    """The window did not respond for a while, so nothing was pressed. Earlier presses may have been received only now:
    look again."""


def pulse(name: str, window_id: int) -> Pulse | None:
    """The pulse of a window of the X display ``name``; None where no further connection to the display can be
    opened."""
    from Xlib import error

    try:
        return Pulse(name, window_id)
    except (error.DisplayError, error.ConnectionClosedError, error.XauthError, OSError):
        return None


class Pulse:
    """Asks one window of the X display ``name``, over a separate connection. A lost display is not reported here:
    others do."""

    def __init__(self, name: str, window_id: int) -> None:
        from Xlib import X, display, error

        self._x: Any = X
        self._lost = (error.ConnectionClosedError, OSError)
        self._error: Any = error.XError
        self._display = display.Display(name)
        interruptible(self._display)
        self._display.display.error_classes.update({1: error.BadRequest, 2: error.BadValue})  # as in x11
        self._display.set_error_handler(lambda *_: None)
        self._root: Any = self._display.screen().root
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask)  # the answers are sent there
        self._protocols, self._ping = (self._display.intern_atom(a) for a in ("WM_PROTOCOLS", "_NET_WM_PING"))
        # Window managers number their own requests from 1 or by the clock; these numbers collide with neither for a
        # long time.
        self._numbers = itertools.count(0x40000000 + os.getpid() % 0x10000 * 0x1000)
        self._id = -1
        self.follow(window_id)

    def follow(self, window_id: int) -> None:
        """Ask this window from now on."""
        if window_id == self._id:
            return
        self._id = window_id
        self._asked: tuple[int, float] | None = None
        """The number of the unanswered request, and when it was sent."""
        self._answers = False
        self._says_so: bool | None = None

    @whole
    def ask(self) -> None:
        """Send a request now, unless one is unanswered."""
        from Xlib.protocol import event

        try:
            self._hear()
            window = self._display.create_resource_object("window", self._id)
            if self._says_so is None:
                self._says_so = self._declared(window)
            if not self._says_so or self._asked is not None:
                return
            number = next(self._numbers)
            data = (32, [self._ping, number, self._id, 0, 0])
            window.send_event(event.ClientMessage(window=window, client_type=self._protocols, data=data), event_mask=0)
            self._display.flush()
            self._asked = number, time.perf_counter()
        except self._lost:
            self._asked = None

    def silent_for(self) -> float:
        """For how many seconds an answer has been missing; 0 where none is, or where the window never gave one."""
        try:
            self._hear()
        except self._lost:
            return 0.0
        return time.perf_counter() - self._asked[1] if self._asked is not None and self._answers else 0.0

    def close(self) -> None:
        with suppress(*self._lost):
            self._display.close()

    @whole
    def _hear(self) -> None:
        """Process the events that have come. Most are about other windows, and must not pile up."""
        while self._display.pending_events():
            heard = self._display.next_event()
            if heard.type != self._x.ClientMessage or heard.client_type != self._protocols or self._asked is None:
                continue
            kind, values = heard.data
            if kind == 32 and values[0] == self._ping and values[1] == self._asked[0]:
                self._asked, self._answers = None, True

    def _declared(self, window: Any) -> bool:
        try:
            found = window.get_full_property(self._protocols, self._x.AnyPropertyType)
        except self._error:
            return False
        return found is not None and found.format == 32 and self._ping in found.value
