"""What the tests of the arcade share: a window without a screen, and a running window on a screen of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.arcade.log import Log
from autoplayer.arcade.options import read
from autoplayer.screen.display import VirtualDisplay

Records = list[dict[str, Any]]


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL draws into memory."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("pygame", reason="pygame-ce is not installed (the arcade extra)")


@pytest.fixture
def offline(no_screen: None, tmp_path: Path) -> Callable[..., tuple[Any, Callable[[], Records]]]:
    """A maker of windows in this process: ``(window, records)`` for a game's name, level text and options."""

    def make(name: str, text: str, *argv: str) -> tuple[Any, Callable[[], Records]]:
        from autoplayer.arcade.window import Window

        levels, log = tmp_path / "levels.txt", tmp_path / "log.jsonl"
        levels.write_text(text, encoding="utf-8")
        game = find(name)
        options = read(game, ["--levels", str(levels), "--log", str(log), *argv])
        window = Window(game, load(levels, game.parse), options, Log(log))
        return window, lambda: [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

    return make


def wait_for(what: Callable[[], Any], limit: float = 120.0) -> Any:
    """Look until ``what()`` is true and return it; fails after ``limit`` seconds."""
    end = time.monotonic() + limit
    while not (found := what()):
        assert time.monotonic() < end, f"nothing came within {limit} seconds"
        time.sleep(0.01)
    return found


class Running:
    """A window in a process of its own, with the display that it is on."""

    def __init__(self, display: str, log: Path, *argv: str) -> None:
        self.display, self.log = display, log
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autoplayer.arcade", *argv, "--log", str(log)],
            env={**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"},
            stderr=subprocess.PIPE,
            text=True,
        )

    def records(self, event: str | None = None) -> Records:
        if not self.log.exists():
            return []
        lines = self.log.read_text(encoding="utf-8").splitlines(keepends=True)
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        return [record for record in found if event in (None, record["event"])]

    def await_event(self, event: str, count: int = 1) -> dict[str, Any]:
        """The newest record of ``event``, once there are ``count`` of them."""

        def enough() -> Records:
            assert self.process.poll() is None or len(self.records(event)) >= count, self.process.communicate()[1]
            found = self.records(event)
            return found if len(found) >= count else []

        newest: dict[str, Any] = wait_for(enough)[-1]
        return newest

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=120)


@pytest.fixture
def running(display: VirtualDisplay, tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """A maker of running windows; all are closed at the end."""
    pytest.importorskip("pygame", reason="pygame-ce is not installed (the arcade extra)")
    windows: list[Running] = []

    def make(*argv: str) -> Running:
        windows.append(Running(display.name, tmp_path / f"log{len(windows)}.jsonl", *argv))
        return windows[-1]

    yield make
    for window in windows:
        window.close()
