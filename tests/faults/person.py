"""Another user of the same desktop: moves, hides and closes windows, types, changes the resolution. Never uses the
mouse, because a moved mouse stops the bot. Talks to the window manager as pagers and taskbars do."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from Xlib import X
from Xlib.protocol import event

from autoplayer.screen.hands import XTestHand
from autoplayer.screen.x11 import X11
from tests.bundled import Bundled
from tests.screen.panes import until


class Person:
    """Windows are named by their ids; places and sizes are screen pixels."""

    def __init__(self, display: str) -> None:
        self.display = display
        self.x11 = X11(display)
        self._hand = XTestHand(self.x11)

    def close(self) -> None:
        self._hand.close()
        self.x11.close()

    def move(self, window: int, x: int, y: int) -> None:
        self._resource(window).configure(x=x, y=y)
        self.x11.display.sync()

    def resize(self, window: int, width: int, height: int) -> None:
        self._resource(window).configure(width=width, height=height)
        self.x11.display.sync()

    def minimise(self, window: int) -> None:
        self._ask(window, "WM_CHANGE_STATE", 3)
        until(lambda: self.x11.area(window) is None, "the window to be minimised")

    def bring_back(self, window: int) -> None:
        self._ask(window, "_NET_WM_DESKTOP", 0, 2)
        self.x11.activate(window)
        until(lambda: self.x11.area(window), "the window to come back")

    def send_to_workspace(self, window: int, number: int) -> None:
        self._ask(window, "_NET_WM_DESKTOP", number, 2)
        until(lambda: self.x11.area(window) is None, "the window to be on the other workspace")

    def close_window(self, window: int) -> None:
        self._ask(window, "_NET_CLOSE_WINDOW", 0, 2)

    def type(self, *keys: str) -> None:
        for key in keys:
            self._hand.key_down(key)
            self._hand.key_up(key)

    def choose_resolution(self, width: int, height: int) -> None:
        """Of an Xvfb, which knows no modes but its own until it is told of them. The frequencies mean nothing."""
        name = f"{width}x{height}"
        if name not in self._xrandr():
            timings = [str(side + extra) for side in (width, height) for extra in (0, 8, 16, 24)]
            self._xrandr("--newmode", name, "60", *timings)
            self._xrandr("--addmode", "screen", name)
        self._xrandr("--output", "screen", "--mode", name)

    def _xrandr(self, *arguments: str) -> str:
        command = ["xrandr", "-d", self.display, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def _resource(self, window: int) -> Any:
        return self.x11.display.create_resource_object("window", window)

    def _ask(self, window: int, what: str, *data: int) -> None:
        values = (32, [*data, *[0] * (5 - len(data))])
        message = event.ClientMessage(
            window=self._resource(window), client_type=self.x11.display.intern_atom(what), data=values
        )
        self.x11.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.x11.display.sync()


@contextmanager
def meanwhile(window: Bundled, act: Callable[[], object], after: int = 1) -> Iterator[None]:
    """While the body runs: ``act``, once the window has heard of ``after`` presses or keys. What it raises is raised
    here."""
    over = threading.Event()
    faults: list[BaseException] = []

    def wait_and_act() -> None:
        while len(window.events("press", "selected", "step")) < after:
            if over.wait(0.005):
                raise AssertionError("the bot was done before anything happened")
        act()

    def run() -> None:
        try:
            wait_and_act()
        except BaseException as fault:
            faults.append(fault)

    person = threading.Thread(target=run)
    person.start()
    try:
        yield
    finally:
        over.set()
        with suppress(RuntimeError):
            person.join(60)
    if faults:
        raise faults[0]
