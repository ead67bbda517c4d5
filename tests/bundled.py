"""Starts the bundled window of a game in a process of its own, for tests that play it and then read its log."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mss
import pytest

from autoplayer.cli import main
from autoplayer.core.frame import Box
from autoplayer.screen.windows import Window, list_windows

OPEN_LIMIT = 120.0
"""Seconds in which a program shows its window; a machine that also runs other tests is slow."""

END_LIMIT = 60.0
"""Seconds in which a program that was asked to end does."""


Played = tuple[int, list[dict[str, Any]], str]
"""The exit code, the JSON objects, and what was said as errors."""


def play_json(capsys: pytest.CaptureFixture[str], game: str, *arguments: str) -> Played:
    """Runs `autoplayer play GAME --json` in this process."""
    code = main(["play", game, "--json", *arguments])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


@dataclass
class Bundled:
    window: Window
    log: Path
    process: subprocess.Popen[bytes]

    def events(self, *names: str) -> list[dict[str, Any]]:
        lines = self.log.read_text(encoding="utf-8").split("\n")[:-1]
        return [event for event in map(json.loads, lines) if not names or event["event"] in names]

    @property
    def won(self) -> int:
        return len(self.events("won"))

    @property
    def stray(self) -> list[dict[str, Any]]:
        """Presses that hit neither a cell nor a button."""
        return [event for event in self.events("press") if event["on"] == "outside"]

    def all_released(self, limit: float = 60.0) -> bool:
        """Whether every press has been followed by its release; the window may be a moment behind."""
        end = time.monotonic() + limit
        while len(self.events("press")) != len(self.events("release")):
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True


def painted(area: Box) -> bool:
    """Whether a window has drawn itself: it is on the screen before its first picture is."""
    with mss.MSS() as screen:
        shot = screen.grab({"left": area.x, "top": area.y, "width": area.width, "height": area.height})
    return len(set(shot.raw[1::4])) > 1


@contextmanager
def bundled(
    folder: Path, *options: str, title: str = "Chains under test", game: str = "cardinal-chains"
) -> Iterator[Bundled]:
    """The bundled window of a game on the display that DISPLAY names, once its first level shows."""
    log = folder / "window.jsonl"
    command = [sys.executable, "-m", "autoplayer.arcade", game, "--title", title, "--log", str(log)]
    process = subprocess.Popen([*command, *options])
    try:
        end = time.monotonic() + OPEN_LIMIT
        while True:
            shown = [w for w in list_windows() if w.title == title and w.visible]
            found = [w for w in shown if w.pid in (None, process.pid)]  # else that of a test before
            opened = Bundled(found[0], log, process) if found and log.exists() else None
            if opened and opened.events("level") and painted(opened.window.area):
                yield opened
                return
            assert process.poll() is None, "the bundled window ended before it showed"
            assert time.monotonic() < end, "the bundled window did not show"
            time.sleep(0.05)
    finally:
        process.terminate()
        process.wait(END_LIMIT)
