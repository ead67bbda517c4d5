"""A real window in a process of its own that logs its events, and a wait for a condition."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.x11 import X11

LIMIT = 120.0
"""Seconds after which a test gives up waiting for something that must come; nothing is asserted about time."""


def until(true: Callable[[], Any], what: str) -> Any:
    """Wait until ``true()`` is; returns its value."""
    end = time.monotonic() + LIMIT
    while not (value := true()):
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.01)
    return value


def on_top(x11: X11, pane: Pane, below: Pane, at: tuple[int, int]) -> None:
    """Raise ``pane``, and wait until it lies over ``below`` at a point of that one: a window manager may map a window
    first and raise it afterwards, or not at all."""
    area = x11.area(below.id)
    assert area is not None
    x11.activate(pane.id)
    until(lambda: x11.covering(below.id, (area.x + at[0], area.y + at[1])), f"{pane.title} on top")


class Pane:
    """A window of ``window_program`` and its log."""

    def __init__(self, display: str, title: str, box: tuple[int, int, int, int], colour: str, kind: str) -> None:
        program = Path(__file__).with_name("window_program.py")
        self.title = title
        self.process = subprocess.Popen(
            [sys.executable, str(program), title, *(str(n) for n in box), colour, kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "DISPLAY": display},
        )
        self.events: list[dict[str, Any]] = []
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.id = self.wait("window")["id"]
        self.wait("expose")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(json.loads(line))

    def wait(self, event: str) -> dict[str, Any]:
        """The next event of this name; those before it are kept in ``events``, too."""
        end = time.monotonic() + LIMIT
        while True:
            found = self._lines.get(timeout=max(0.01, end - time.monotonic()))
            self.events.append(found)
            if found["event"] == event:
                return found

    def tell(self, command: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def log(self) -> list[dict[str, Any]]:
        """Everything that has reached the window so far."""
        self.tell("sync")
        self.wait("synced")
        # What the server sent before it answered has been read by now, but perhaps not been looked at.
        self.tell("sync")
        self.wait("synced")
        return [e for e in self.events if e["event"] not in ("synced", "window", "expose")]

    def names(self) -> list[str]:
        return [e["event"] for e in self.log() if e["event"] != "motion"]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._listener.join(LIMIT)  # it has come to the end of the pipe, which is closed only then
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


OpenWindow = Callable[..., Pane]
OpenScreen = Callable[..., DesktopScreen]
StartBot = Callable[[Pane, str], "subprocess.Popen[str]"]

BUTTONS = 0x1F00
"""The bits of the five buttons in the pointer's state."""


def buttons(x11: X11) -> int:
    """The buttons that are down, as the X server says."""
    return int(x11.root.query_pointer().mask) & BUTTONS


def keys(x11: X11) -> list[int]:
    """The codes of the keys that are down, as the X server says."""
    state = x11.display.query_keymap()
    return [code for code in range(256) if state[code // 8] >> code % 8 & 1]
