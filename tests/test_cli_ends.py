"""How the command line ends: by Ctrl-C, by streams that are closed, by a full disk, by a fault of the program."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import cv2
import pytest
import typer

from autoplayer.__main__ import main as program
from autoplayer.cli import play
from autoplayer.core.errors import StoppedError
from autoplayer.games.null import GAME as NULL
from autoplayer.screen import desktop
from autoplayer.screen.windows import Region
from autoplayer.session.events import Event


def test_ctrl_c_is_exit_4_and_a_word(tmp_path: Path) -> None:
    """Ctrl-C while the command waits for its input."""
    fifo = tmp_path / "input"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "autoplayer", "solve", "null", str(fifo)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
        open(fifo, "w", encoding="utf-8"),  # opens when the command has opened its end, so it runs by now
    ):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 4
    assert (out, err.strip()) == ("", "autoplayer: stopped")


class Interrupted:
    """Ctrl-C comes while the module ``name`` is looked for."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, *_: object) -> None:
        if name == self.name:
            raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["autoplayer.cli", "typer", "autoplayer.cli.games"])
def test_ctrl_c_is_exit_4_and_a_word_while_the_program_is_loaded(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["autoplayer", "games"])
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(name), *sys.meta_path])
    assert program() == 4
    assert capsys.readouterr() == ("", "autoplayer: stopped\n")


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


def interrupted_command(name: Annotated[str, typer.Option(callback=interrupt)] = "") -> None:
    pass


def test_ctrl_c_is_exit_4_and_a_word_while_the_arguments_are_read(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer itself would end without a message."""
    monkeypatch.setattr("autoplayer.cli.games.games", interrupted_command)
    assert run("games") == (4, "", "autoplayer: stopped\n")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "autoplayer", "generate", "null", "--size", "5x1", "--count", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith("#")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(120) == 0


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["games", "generate null --size 5x1"])
def test_a_standard_stream_that_is_closed_is_no_error(closed: str, command: str) -> None:
    line = f"'{sys.executable}' -m autoplayer {command} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_closed_standard_input_holds_no_puzzle() -> None:
    line = f"'{sys.executable}' -m autoplayer solve null <&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "expected at least one puzzle" in done.stderr


def test_what_was_found_is_told_where_its_picture_cannot_be_written(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cv2.imwrite(str(tmp_path / "lamps.png"), NULL.draw(NULL.parse("1 0 1")))
    monkeypatch.setattr("autoplayer.cli.output.os.fsync", full)
    code, out, err = run("solve", "null", "--json", "--picture", str(tmp_path / "out.png"), stdin="1 0")
    assert (code, json.loads(out)["status"]) == (5, "solved")
    assert "out.png" in err
    code, out, _ = run("read", "null", str(tmp_path / "lamps.png"), "--overlay", str(tmp_path / "out.png"))
    assert (code, out.strip()) == (5, "1 0 1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lamps.png"]


def test_a_fault_of_the_program_is_a_sentence_too(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("somewhere")

    monkeypatch.setattr(type(NULL), "parse", broken)
    monkeypatch.delenv("AUTOPLAYER_DEBUG", raising=False)
    code, _, err = run("solve", "null", stdin="1 0")
    assert code == 1
    assert "ZeroDivisionError: somewhere" in err
    assert "AUTOPLAYER_DEBUG=1" in err
    monkeypatch.setenv("AUTOPLAYER_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("solve", "null", stdin="1 0")


def test_what_the_bot_waits_for_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was said while a window was covered or minimised."""
    tell, over = play._teller(), "Clock lies over the board"
    events = (Event("move", 1, "a link", 1.0), Event("wait", 1, over, 2.0), Event("wait", 1, over, 3.0))
    for event in (*events, Event("moved", 1, "not said", 4.0)):
        tell(event)
    said = [line.split("s  ", 1)[1] for line in capsys.readouterr().err.splitlines()]
    assert said == ["a link", over]


def test_a_sentence_with_the_place_of_the_evidence_has_one_full_stop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It read "Move it away to go on.; the evidence …"."""

    def stopped(*_: object) -> None:
        raise StoppedError("Stopped: the pointer is in a corner.")

    monkeypatch.setattr(play, "_session", stopped)
    monkeypatch.setattr(play, "_leave", lambda *_: "the evidence is there")
    monkeypatch.setattr(desktop, "DesktopScreen", lambda *_, **__: SimpleNamespace(hidden=None, title=""))
    asked: Any = SimpleNamespace(dry_run=True, stop_key="none", proof=tmp_path)
    wanted: Any = SimpleNamespace(games=())
    system: Any = SimpleNamespace(windows=list)
    with pytest.raises(StoppedError, match=r"in a corner; the evidence is there$"):
        play._play(wanted, None, Region(0, 0, 9, 9), system, asked)
