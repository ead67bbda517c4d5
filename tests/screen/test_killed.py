"""A bot that is killed leaves no button or key pressed. The X server's state and the window's log are checked."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from Xlib import XK, display, error

from autoplayer.core.errors import MachineError
from autoplayer.core.gestures import Click, Drag, Hold, Keys, Pace
from autoplayer.screen import keeper, releaser
from autoplayer.screen.hands import PyAutoGuiHand, XTestHand
from autoplayer.screen.keeper import Keeper
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, StartBot, buttons, keys, until

QUICK = Pace(0.02, 0.03, 0.01)


def children(pid: int) -> list[int]:
    """The releasing processes of a bot."""
    found = []
    for task in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((task / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            if parent == pid and b"releaser.py" in (task / "cmdline").read_bytes():
                found.append(int(task.name))
        except OSError:
            continue
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_bot_killed_in_a_drag_lets_go_of_the_button(x11: X11, open_window: OpenWindow, bot: StartBot) -> None:
    pane = open_window()
    process = bot(pane, "drag")
    pane.wait("press")
    until(lambda: buttons(x11), "the button to be down")
    (releaser,) = children(process.pid)
    # While the bot lives, nothing is let go.
    time.sleep(1.0)
    assert buttons(x11)
    assert pane.names() == ["press"]
    process.kill()
    until(lambda: not buttons(x11), "the button to go up")
    assert process.wait() == -signal.SIGKILL
    pane.wait("release")
    assert pane.names() == ["press", "release"]
    until(lambda: not alive(releaser), "the releasing process to end")


def test_a_bot_killed_while_it_holds_keys_lets_go_of_them(x11: X11, open_window: OpenWindow, bot: StartBot) -> None:
    pane = open_window()
    before = keys(x11)
    process = bot(pane, "hold")
    until(lambda: len(keys(x11)) >= len(before) + 3, "left, shift and A to be down")
    process.kill()
    until(lambda: keys(x11) == before, "the keys to go up")
    log = pane.log()
    down = {e["key"] for e in log if e["event"] == "key down"}
    assert "Left" in down
    for key in down:
        assert [e["event"] for e in log if e.get("key") == key][-1] == "key up"


def test_a_bot_that_ended_well_leaves_no_process_and_no_further_release(
    x11: X11, open_window: OpenWindow, bot: StartBot
) -> None:
    pane = open_window()
    process = bot(pane, "click")
    assert process.wait(120) == 0
    # Now a person holds the button down; nobody takes it away.
    hand = XTestHand(x11)
    area = x11.area(pane.id)
    assert area is not None
    hand.move(area.centre)
    hand.press("left")
    assert children(process.pid) == []
    time.sleep(0.5)
    assert buttons(x11)
    assert pane.names() == ["press", "release", "press"]
    hand.close()


def test_a_bot_killed_between_gestures_releases_nothing(x11: X11, open_window: OpenWindow, bot: StartBot) -> None:
    pane = open_window()
    process = bot(pane, "rest")
    pane.wait("release")
    (releaser,) = children(process.pid)
    hand = XTestHand(x11)
    until(lambda: not buttons(x11), "the bot's button to be up")
    hand.press("left")
    process.kill()
    until(lambda: not alive(releaser), "the releasing process to end")
    assert buttons(x11)
    hand.close()
    assert pane.names() == ["press", "release"] * 2


def test_a_releasing_process_that_somebody_ended_is_started_again(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    hand = screen.hand
    assert isinstance(hand, XTestHand)
    assert hand.keeper.pid is None  # nothing runs before the first press
    screen.park((5, 5))
    assert hand.keeper.pid is None
    screen.perform([Click((10, 10))], QUICK)
    first = hand.keeper.pid
    assert first is not None
    screen.perform([Drag(((10, 10), (60, 60))), Keys(("a",))], QUICK)
    assert hand.keeper.pid == first
    os.kill(first, signal.SIGKILL)
    until(lambda: not alive(first), "the releasing process to be gone")
    screen.perform([Click((10, 10))], QUICK)
    assert hand.keeper.pid not in (None, first)
    assert [name for name in pane.names() if "key" not in name] == ["press", "release"] * 3


def test_without_a_releasing_process_nothing_is_pressed(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    monkeypatch.setattr(keeper.sys, "executable", "/nowhere/python")
    with pytest.raises(MachineError, match="No such file"):
        screen.perform([Click((10, 10))], QUICK)
    assert pane.names() == []


def test_where_the_display_lets_no_further_program_in_nothing_is_pressed(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window()
    screen = open_screen(pane)

    def full(name: str) -> None:
        raise error.DisplayConnectionError(name, "Maximum number of clients reached")

    monkeypatch.setattr(display, "Display", full)
    with pytest.raises(MachineError, match=r"lets no further program in.*Maximum number of clients"):
        screen.perform([Click((10, 10))], QUICK)
    assert pane.names() == []


def test_the_will_is_what_was_said_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The releasing process without a display: it writes what it would release into a file."""
    out = tmp_path / "released"
    program = tmp_path / "shown.py"
    code = f"import runpy; releaser = runpy.run_path({str(Path(keeper.__file__).with_name('releaser.py'))!r})\n"
    code += f"open({str(out)!r}, 'wb').write(releaser['last_will'](None))\n"
    program.write_text(code, encoding="utf-8")

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, str(program)], stdin=subprocess.PIPE, bufsize=0)

    for said, left in (
        ([b"button left"], b"button left"),
        ([b"button left", b"", b"key 7\n" * 30000], b"key 7\n" * 30000),  # longer than a pipe holds
        ([b"button left", b""], b""),
    ):
        link = Keeper(start)
        for will in said:
            link.will(will)
        process = link._process
        assert process is not None
        assert process.stdin is not None
        process.stdin.close()  # as the system does for a program that died
        assert process.wait(120) == 0
        assert out.read_bytes() == left


def test_the_releasing_process_is_small() -> None:
    """It waits beside every session: an interpreter, and hardly anything in it."""
    program = Path(keeper.__file__).with_name("releaser.py")
    command = [sys.executable, "-I", "-S", "-X", "importtime", str(program), "windows"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=True)
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {"os", "select"} <= modules
    assert not modules & {"numpy", "Xlib", "socket", "subprocess", "ctypes", "typing", "site"}


# The other systems: their libraries are stood in for, and what is tried is what this program asks of them.


def test_the_portable_hand_makes_its_will_in_the_systems_own_codes(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    wills: list[bytes] = []
    hand = PyAutoGuiHand()
    assert hand.keeper is None  # on X11 another hand is used
    hand.keeper = SimpleNamespace(will=wills.append, close=lambda: None)  # type: ignore[assignment]
    screen = open_screen(open_window(), hand=hand)
    screen.perform([Drag(((20, 20), (60, 20))), Hold(("left", "A"), 0.01)], QUICK)
    codes = [x11.display.keysym_to_keycode(XK.string_to_keysym(name)) for name in ("Left", "a")]
    left, both = f"key {codes[0]}".encode(), f"key {codes[0]}\nkey {codes[1]}".encode()
    assert [will for will, before in zip(wills, [None, *wills], strict=False) if will != before] == [
        b"button left",
        b"",
        left,
        both,
        left,
        b"",
    ]
    hand.close()


def test_windows_is_asked_to_release_what_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    user = SimpleNamespace(mouse_event=lambda *a: asked.append(a), keybd_event=lambda *a: asked.append(a))
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: user, raising=False)
    releaser.release_windows(b"button left\nbutton right\nkey 65")
    assert asked == [(4, 0, 0, 0, 0), (16, 0, 0, 0, 0), (65, 0, 2, 0)]


def test_macos_is_asked_to_release_what_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    quartz = MagicMock()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: quartz)
    releaser.release_macos(b"button left\nkey 53")
    at = quartz.CGEventGetLocation.return_value
    quartz.CGEventCreateMouseEvent.assert_called_once_with(None, 2, at, 0)
    quartz.CGEventCreateKeyboardEvent.assert_called_once_with(None, 53, False)
    assert quartz.CGEventPost.call_count == 2
