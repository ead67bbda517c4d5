"""A whole `autoplayer play` in which a person takes the mouse back. The bundled window's log and the X server are
checked, not the bot's report."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from autoplayer.cli import main, stop
from autoplayer.screen.claim import ask_to_stop, holders
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.hands import XTestHand
from autoplayer.screen.x11 import X11
from tests.bundled import Bundled, bundled
from tests.screen.panes import buttons, until

pytestmark = pytest.mark.usefixtures("display", "own_home", "own_runtime", "no_terminal")

LEVELS = """\
X 3 4 4
2 3 2 3
2 3 X 3
2 3 4 3

. 2 2 1 2
X 1 3 X 2
4 3 X 1 2
4 3 2 1 2
4 2 2 3 2
"""


@pytest.fixture
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody presses Enter here, also where the tests run in a terminal."""
    monkeypatch.setattr(sys, "stdin", None)


@pytest.fixture
def window(tmp_path: Path, x11: X11) -> Iterator[Bundled]:
    levels = tmp_path / "levels.txt"
    levels.write_text(LEVELS, encoding="utf-8")
    with bundled(tmp_path, "--levels", str(levels), "--advance", "stay") as opened:
        yield opened


@contextmanager
def playing(*options: str) -> Iterator[subprocess.Popen[str]]:
    """`autoplayer play` in a process of its own."""
    command = [sys.executable, "-m", "autoplayer", "play", "cardinal-chains", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()


def pressed(window: Bundled, process: subprocess.Popen[str]) -> None:
    """Waits for the first press; what the program said where it ended before that."""

    def come() -> bool:
        assert process.poll() is None, f"it ended before the first press: {process.communicate()}"
        return bool(window.events("press"))

    until(come, "the first press")


def test_play_is_stopped_from_another_terminal(window: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    with playing() as process:
        pressed(window, process)
        assert main(["stop"]) == 0
        assert f"stopped autoplayer (process {process.pid})" in capsys.readouterr().out
        assert window.all_released()
        presses = len(window.events("press"))
        _, said = process.communicate(timeout=120)
        assert process.returncode == 4
        assert "`autoplayer stop` was called" in said
        assert "Traceback" not in said
    assert len(window.events("press")) == presses  # none after the stop
    assert not window.stray


def test_a_second_play_is_told_who_has_the_mouse(window: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    with playing() as process:
        pressed(window, process)
        assert main(["play", "cardinal-chains", "--window", window.window.title]) == 5
        said = capsys.readouterr()
        assert f"belongs to autoplayer (process {process.pid})" in said.err
        assert "Traceback" not in said.err
        assert said.out == ""
        # Looking on is free.
        assert process.poll() is None


def test_a_play_that_is_killed_leaves_nothing_pressed(window: Bundled, x11: X11) -> None:
    with playing() as process:
        pressed(window, process)
        process.kill()
        process.wait()
        until(lambda: not buttons(x11), "the button to go up")
        assert window.all_released()
    # And the display is free again at once.
    assert holders() == []


def test_a_play_that_is_paused_by_hand_goes_on_when_asked(window: Bundled, x11: X11, display: Any) -> None:
    person = X11(display.name)
    hand = XTestHand(person)
    # Another stop key than Esc is the one that the person is told of.
    with playing("--resume", "--stop-key", "f9", "--levels", "1", "--json") as process:
        pressed(window, process)
        for _ in range(20):  # the bot may be about to move the pointer once more
            hand.move((1000, 900))
            time.sleep(0.01)
        assert process.stderr is not None
        assert process.stdout is not None
        asks = "Paused; to go on, press f9 twice. Ctrl-C ends it.\n"
        assert any(line == asks for line in iter(process.stderr.readline, ""))
        stopped = json.loads(process.stdout.readline())
        presses = len(window.events("press"))
        assert window.all_released()
        time.sleep(0.5)
        assert process.poll() is None
        assert len(window.events("press")) == presses  # nothing is pressed in the pause
        for _ in range(2):
            hand.key_down("f9")
            hand.key_up("f9")
        out, _ = process.communicate(timeout=120)
    hand.close()
    person.close()
    done = json.loads(out)
    assert (stopped["status"], done["status"]) == ("stopped", "played")
    assert "moved the mouse" in stopped["error"]
    assert stopped["puzzle"] == done["puzzle"]
    assert window.won == 1
    assert not window.stray


def test_a_pause_ends_when_the_bot_is_stopped_from_another_terminal(
    window: Bundled, x11: X11, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DesktopScreen(window.window, system=x11) as screen:
        screen.guard.begin()
        (holder,) = holders()
        ask_to_stop(holder)
        assert not stop.asked_to_go_on(screen.guard)

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with DesktopScreen(window.window, system=x11) as screen:
        monkeypatch.setattr(screen.guard, "wait_until_asked", interrupted)
        assert not stop.asked_to_go_on(screen.guard)


def test_where_nobody_could_ask_it_does_not_wait(window: Bundled, x11: X11, capsys: pytest.CaptureFixture[str]) -> None:
    with DesktopScreen(window.window, system=x11, stop_key=None) as screen:
        assert not stop.asked_to_go_on(screen.guard)
    assert capsys.readouterr().err == ""


ASKING = """
import sys, time
from autoplayer.cli import stop
class Guard:
    stop_key = None
    def wait_until_asked(self, asked):
        print("waiting", flush=True)
        while not asked():
            time.sleep(0.01)
print(stop.asked_to_go_on(Guard()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="its terminals are of another kind")
def test_enter_in_the_terminal_goes_on(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    said = tmp_path / "said"
    with said.open("w") as out:
        process = subprocess.Popen([sys.executable, "-c", ASKING], stdin=theirs, stdout=out, stderr=out)
    os.close(theirs)
    try:
        os.write(ours, b"typed before\n")
        until(lambda: "waiting" in said.read_text(encoding="utf-8"), "the pause")
        time.sleep(0.3)
        assert process.poll() is None
        os.write(ours, b"\n")
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert "Paused; to go on, press Enter here. Ctrl-C ends it." in said.read_text(encoding="utf-8")
    assert said.read_text(encoding="utf-8").endswith("True\n")


def test_a_terminal_that_is_closed_in_a_gesture_leaves_nothing_pressed(window: Bundled, x11: X11) -> None:
    with playing() as process:
        pressed(window, process)
        process.send_signal(signal.SIGHUP)
        process.wait(120)
        until(lambda: not buttons(x11), "the button to go up")
        assert window.all_released()
