"""Only one bot uses a display at a time, and a bot can be stopped from another terminal. Which events arrived is taken
from the window's log."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autoplayer.cli import main, stop
from autoplayer.core.errors import MachineError, StoppedError
from autoplayer.core.gestures import Click, Pace
from autoplayer.screen import claim
from autoplayer.screen.claim import Holder, TakenError, ask_to_stop, holders, is_at_work, is_there, take
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.hands import XTestHand
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, StartBot, buttons, keys, until

pytestmark = pytest.mark.usefixtures("own_runtime")
QUICK = Pace(0.02, 0.03, 0.01)

OTHER = """
import sys, time
from autoplayer.screen.claim import take
mine = take(sys.argv[1], "hashi", sys.argv[2])
print("taken", flush=True)
time.sleep(600)
"""


@pytest.fixture
def other(request: pytest.FixtureRequest) -> Any:
    """Starts a process that claims a display, without opening it."""

    def start(display: str, title: str = "Bridges") -> subprocess.Popen[str]:
        process = subprocess.Popen([sys.executable, "-c", OTHER, display, title], stdout=subprocess.PIPE, text=True)

        def end() -> None:
            process.kill()
            process.communicate()

        request.addfinalizer(end)
        assert process.stdout is not None
        assert process.stdout.readline() == "taken\n"
        return process

    return start


# One bot a display


def test_the_second_bot_is_told_who_has_the_display(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen, bot: StartBot
) -> None:
    pane = open_window("A slow game")
    first = bot(pane, "rest")
    pane.wait("release")
    hand = XTestHand(x11)
    before = hand.position()
    said = (
        rf"process {first.pid}\), which plays slow-game in 'A slow game' on .* "
        r"since (\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d)?\. .*autoplayer stop"  # around midnight with the day
    )
    with pytest.raises(TakenError, match=said) as taken:
        open_screen(pane)
    assert taken.value.exit_code == 5
    # A screen that only looks may be open beside it; it cannot press either.
    looking = open_screen(pane, bring_to_front=False)
    looking.grab()
    for act in (lambda: looking.perform([Click((9, 9))], QUICK), lambda: looking.park((9, 9))):
        with pytest.raises(TakenError, match=str(first.pid)):
            act()
    second = bot(pane, "click")
    assert second.wait(120) == 5
    assert second.communicate()[0].startswith("TakenError: One bot at a time")
    assert hand.position() == before
    assert pane.names() == ["press", "release"]
    # The first one ends, and the display is free.
    first.send_signal(signal.SIGTERM)
    first.wait(120)
    open_screen(pane).perform([Click((9, 9))], QUICK)
    assert pane.names() == ["press", "release"] * 2


def test_a_bot_that_was_killed_blocks_nobody(
    open_window: OpenWindow, open_screen: OpenScreen, bot: StartBot, own_runtime: Path
) -> None:
    pane = open_window()
    process = bot(pane, "rest")
    pane.wait("release")
    (file,) = own_runtime.iterdir()
    process.kill()
    process.wait()
    # The file says still that it runs; the lock went with it.
    assert json.loads(file.read_bytes()[claim.RECORD].split(b"\0")[0])["pid"] == process.pid
    assert holders() == []
    open_screen(pane).perform([Click((9, 9))], QUICK)
    assert [holder.pid for holder in holders()] == [os.getpid()]


def test_a_stale_file_with_the_number_of_a_living_process_blocks_nobody(other: Any) -> None:
    process = other(":70")
    (holder,) = holders()
    kept = holder.path.read_bytes()
    process.kill()
    process.wait()
    holder.path.write_bytes(kept.replace(str(process.pid).encode(), str(os.getppid()).encode()))
    assert holders() == []
    assert not is_there(holder)
    mine = take(":70")
    mine.release()


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 4096, b"{" * 4096, b"\xff" * 9999], ids=["empty", "zeros", "text", "long"]
)
def test_a_damaged_file_blocks_nobody(content: bytes, own_runtime: Path) -> None:
    own_runtime.mkdir(mode=0o700)
    (own_runtime / "%3A70.claim").write_bytes(content)
    assert holders() == []
    mine = take(":70.0", "hashi", "Bridges")
    (holder,) = holders()
    assert (holder.display, holder.pid, holder.game, holder.window) == (":70.0", os.getpid(), "hashi", "Bridges")
    mine.release()
    assert holders() == []


def test_each_display_has_a_bot_of_its_own(other: Any) -> None:
    first, second = other(":70"), other(":71", 'A "strange"\ntitle\1 ' + "ü語😀" * 300)
    mine = take(":72")
    found = {holder.display: holder.pid for holder in holders()}
    assert found == {":70": first.pid, ":71": second.pid, ":72": os.getpid()}
    mine.release()


def test_the_screens_of_one_process_share_the_display(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    one, other = open_screen(pane), open_screen(pane)
    one.perform([Click((9, 9))], QUICK)
    one.close()
    assert len(holders()) == 1
    other.perform([Click((9, 9))], QUICK)
    other.close()
    assert holders() == []
    assert pane.names() == ["press", "release"] * 2


def test_a_request_that_comes_too_late_does_not_stop_the_next_bot() -> None:
    first = take(":70")
    (old,) = holders()
    first.release()
    second = take(":70")
    ask_to_stop(old)
    assert not second.asked_to_stop
    assert not is_there(old)
    (new,) = holders()
    ask_to_stop(new)
    assert second.asked_to_stop
    second.release()
    ask_to_stop(new)  # nobody is there any more, which is no fault
    new.path.unlink()
    ask_to_stop(new)


def test_whether_a_bot_is_at_work_is_seen_from_outside() -> None:
    mine = take(":70")
    (holder,) = holders()
    assert not is_at_work(holder)
    mine.at_work(True)
    assert is_at_work(holder)
    mine.release()
    assert not is_at_work(holder)


def test_a_runtime_folder_that_cannot_be_used_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    (tmp_path / "file").touch()
    monkeypatch.setattr(platformdirs, "user_runtime_path", lambda *_, **__: tmp_path / "file" / "autoplayer")
    with pytest.raises(MachineError, match=r"cannot be used .*Not a directory.* XDG_RUNTIME_DIR"):
        take(":70")


def test_a_file_that_cannot_be_written_is_a_sentence(own_runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own_runtime / "%3A70.claim").mkdir(parents=True)
    own_runtime.chmod(0o700)
    with pytest.raises(MachineError, match=r"Is a directory.*nothing is played"):
        take(":70")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(MachineError, match=r"No space left.*nothing is played"):
        take(":71")
    monkeypatch.undo()
    take(":71").release()


@pytest.mark.parametrize("first", [True, False])
def test_windows_locks_a_byte_behind_the_page(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its library is stood in for by locks on the same byte of this system."""

    def locking(file: int, mode: int, count: int) -> None:
        assert os.lseek(file, 0, os.SEEK_CUR) == claim.LOCKED
        fcntl.lockf(file, fcntl.LOCK_UN if mode == 0 else fcntl.LOCK_EX | fcntl.LOCK_NB, count, claim.LOCKED)

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, LK_UNLCK=0, locking=locking))
    file = os.open(claim._path(":70"), os.O_RDWR | os.O_CREAT)
    child = os.fork()
    if child == 0:  # another process, which has the byte until it is killed
        fcntl.lockf(file, fcntl.LOCK_EX if first else fcntl.LOCK_UN, 1, claim.LOCKED)
        os.write(file, b"!")
        signal.pause()
    try:
        until(lambda: os.fstat(file).st_size, "the other process")
        monkeypatch.setattr(sys, "platform", "win32")
        assert claim._lock(file, shared=False) is not first
        if not first:
            claim._unlock(file)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(file)


# Stopped from another terminal


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """`autoplayer stop` with these arguments: its exit code, and what it said."""
    code = main(["stop", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_drag_is_stopped_with_the_button_up(
    x11: X11, open_window: OpenWindow, bot: StartBot, capsys: pytest.CaptureFixture[str]
) -> None:
    pane = open_window("A slow game")
    process = bot(pane, "drag")
    pane.wait("press")
    code, out, _ = ran(capsys)
    assert buttons(x11) == 0  # it is up when the command says so
    assert code == 0
    assert f"stopped autoplayer (process {process.pid}), which plays slow-game in 'A slow game'" in out
    assert process.wait(120) == 4
    assert process.communicate()[0] == "StoppedError: Stopped: `autoplayer stop` was called.\n"
    assert pane.names() == ["press", "release"]


def test_held_keys_are_let_go(
    x11: X11, open_window: OpenWindow, bot: StartBot, capsys: pytest.CaptureFixture[str]
) -> None:
    pane = open_window()
    before = keys(x11)
    process = bot(pane, "hold")
    until(lambda: len(keys(x11)) >= len(before) + 3, "left, shift and A to be down")
    code, out, _ = ran(capsys, "--json")
    assert keys(x11) == before
    told = json.loads(out)
    assert code == 0
    assert (told["pid"], told["game"], told["window"]) == (process.pid, "slow-game", "A game")
    assert told["released"] is True
    assert process.wait(120) == 4


def test_a_bot_that_looks_on_is_stopped(
    open_window: OpenWindow, bot: StartBot, capsys: pytest.CaptureFixture[str]
) -> None:
    pane = open_window()
    process = bot(pane, "rest")
    pane.wait("release")
    assert ran(capsys)[0] == 0
    assert process.wait(120) == 4
    assert pane.names() == ["press", "release"]


def test_a_bot_that_thinks_is_said_to_hold_nothing(
    open_window: OpenWindow, bot: StartBot, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop, "ENDED_WITHIN", 0.1)
    pane = open_window()
    bot(pane, "think")
    pane.wait("release")
    until(lambda: not is_at_work(holders()[0]), "the click to be over")
    code, out, _ = ran(capsys)
    assert code == 0
    assert "ends when it has thought" in out


def test_a_bot_that_does_not_answer_is_named_and_can_be_killed(
    x11: X11,
    open_window: OpenWindow,
    bot: StartBot,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stop, "RELEASED_WITHIN", 0.1)
    pane = open_window()
    process = bot(pane, "drag")
    pane.wait("press")
    process.send_signal(signal.SIGSTOP)
    code, out, err = ran(capsys)
    assert (code, out) == (1, "")
    assert f"`kill -9 {process.pid}`" in err
    process.kill()
    until(lambda: not buttons(x11), "the button to go up")


def test_where_no_bot_runs_it_says_so(
    display: VirtualDisplay, other: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = ran(capsys)
    assert (code, out) == (3, "")
    assert err == f"autoplayer: no bot of yours runs on the display {display.name}\n"
    monkeypatch.delenv("DISPLAY")
    code, _, err = ran(capsys)
    assert (code, err) == (3, "autoplayer: no bot of yours runs\n")


@pytest.mark.usefixtures("display")
def test_a_bot_on_another_display_is_named_and_stopped_only_when_asked_for(
    other: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop, "ENDED_WITHIN", 0.1)
    process = other(":71")

    def asked() -> bool:
        (holder,) = holders()
        return holder.path.read_bytes()[claim.REQUEST] == holder.token

    code, _, err = ran(capsys)
    assert code == 3
    assert f"elsewhere: autoplayer (process {process.pid}), which plays hashi in 'Bridges' on :71" in err
    assert "autoplayer stop --all" in err
    assert not asked()
    code, out, _ = ran(capsys, "--all")
    assert code == 0
    assert f"process {process.pid}" in out
    assert asked()
    # Over ssh there is no display; whoever wants to stop a bot then does not want to hear of DISPLAY.
    monkeypatch.delenv("DISPLAY")
    assert ran(capsys)[0] == 0


def test_a_stopped_bot_stays_stopped(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Click((9, 9))], QUICK)
    holder: Holder
    (holder,) = holders()
    ask_to_stop(holder)
    for act in (lambda: screen.perform([Click((9, 9))], QUICK), lambda: screen.park((9, 9)), screen.still):
        with pytest.raises(StoppedError, match="`autoplayer stop` was called"):
            act()
    screen.guard.resume()  # and nobody in this process can undo it
    with pytest.raises(StoppedError):
        screen.perform([Click((9, 9))], QUICK)
    assert pane.names() == ["press", "release"]
