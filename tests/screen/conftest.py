"""Real windows on the tests' own display, each a process that logs the events it receives."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.windows import Window
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, Pane, StartBot, until


@pytest.fixture
def x11(display: VirtualDisplay) -> Iterator[X11]:
    system = X11(display.name)
    yield system
    system.close()


@pytest.fixture
def open_window(display: VirtualDisplay, x11: X11) -> Iterator[OpenWindow]:
    """Opens windows that are there, painted and at rest when the call returns; closes them after the test."""
    panes: list[Pane] = []

    def opened(
        title: str = "A game",
        box: tuple[int, int, int, int] = (200, 150, 400, 300),
        colour: str = "204080",
        kind: str = "window",
        on: str | None = None,
    ) -> Pane:
        pane = Pane(on or display.name, title, box, colour, kind)
        panes.append(pane)
        if on is None:
            until(lambda: x11.area(pane.id), f"{title} on the screen")
        return pane

    yield opened
    for pane in panes:
        pane.close()
    # The next test finds an empty desktop.
    ids = {pane.id for pane in panes}
    until(lambda: not ids & {w.id for w in x11.windows()}, "the windows to go")


@pytest.fixture
def open_screen(x11: X11) -> Iterator[OpenScreen]:
    """Opens screens on the tests' display; closes them after the test. They are patient: a window manager on a busy
    machine takes its time to raise a window or to give it the keyboard. Where that would be in vain, ``patience`` is
    given."""
    screens: list[DesktopScreen] = []

    def opened(pane: Pane, **options: Any) -> DesktopScreen:
        window = x11.window(pane.id)
        assert isinstance(window, Window)
        screens.append(DesktopScreen(window, **{"system": x11, "patience": 60.0, **options}))
        return screens[-1]

    yield opened
    for screen in screens:
        screen.close()


@pytest.fixture(scope="session")
def bare_display() -> Iterator[VirtualDisplay]:
    """A display without a window manager."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed (apt-get install xvfb)")
    with start_xvfb((800, 600), window_manager=False, set_environment=False) as running:
        yield running


@pytest.fixture
def bot() -> Iterator[StartBot]:
    """Starts bots in processes of their own (``bot_program``); what is left of them is ended after the test."""
    started: list[subprocess.Popen[str]] = []

    def start(pane: Pane, what: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.screen.bot_program", str(pane.id), what]
        root = Path(__file__).parents[2]
        started.append(subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture
def own_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime folder of the test's own, so that it meets, and stops, no bots but its own; returns where the claims
    are."""
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder / "autoplayer"
