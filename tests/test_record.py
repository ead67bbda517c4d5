"""``autoplayer record``: pictures of a window while a person plays, for `autoplayer replay`."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer import games, layout
from autoplayer.cli import main, output, record, truths
from autoplayer.cli.record import QUIET, Keeper, Reader, Watcher
from autoplayer.core.errors import MachineError, UsageError
from autoplayer.core.frame import Box, Frame, Image
from autoplayer.core.gestures import Click, Pace
from autoplayer.layout import Layout
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.recording import LINES
from autoplayer.screen.windows import Window
from autoplayer.screen.x11 import X11
from tests.bundled import bundled
from tests.screen.panes import Pane, until

NULL = games.load("null")


def lamps(text: str) -> Image:
    return NULL.draw(NULL.parse(text))


def kept(frames: list[tuple[float, Image]], every: float = 0.1) -> list[float]:
    """When a picture is kept, of frames with their times."""
    watcher = Watcher(every)
    times = []
    for time, image in frames:
        if watcher.wants(image, time):
            watcher.keep(image, time)
            times.append(time)
    return times


def shown(*parts: tuple[float, Image]) -> list[tuple[float, Image]]:
    """Ten frames a second, each picture for so many seconds."""
    frames: list[tuple[float, Image]] = []
    for seconds, image in parts:
        frames += [(len(frames) / 10 + n / 10, image) for n in range(round(seconds * 10))]
    return frames


# Which pictures


def test_a_picture_is_kept_once_when_it_has_become_still() -> None:
    times = kept(shown((2, lamps("1 0 1")), (2, lamps("0 0 1"))))
    assert len(times) == 2
    assert QUIET <= times[0] < 1
    assert 2 + QUIET <= times[1] < 3


def test_what_moves_is_not_kept() -> None:
    moving = [lamps("1 0 1"), lamps("0 0 1"), lamps("1 1 1")]
    assert kept([(n / 10, moving[n % 3]) for n in range(40)]) == []


def test_what_was_kept_before_is_not_kept_again() -> None:
    """A person takes a move back."""
    one, other = lamps("1 0 1"), lamps("0 0 1")
    assert len(kept(shown((1, one), (1, other), (1, one), (1, other)))) == 2


def test_no_more_than_one_in_the_time_asked_for() -> None:
    frames = shown(*((1.0, lamps(text)) for text in ("1 0 1", "0 0 1", "1 1 1", "1 1 0")))
    assert len(kept(frames)) == 4
    assert len(kept(frames, every=1.9)) == 2


def test_a_window_that_changes_its_size_is_something_new() -> None:
    small = cv2.resize(lamps("1 0 1"), None, fx=0.5, fy=0.5)
    assert len(kept(shown((1, lamps("1 0 1")), (1, np.asarray(small, np.uint8))))) == 2


# What is written


def test_pictures_and_texts_are_written_under_names_that_are_free(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "still-0001.txt").write_text("1 1 1\n", encoding="utf-8")
    Keeper(tmp_path, Reader(NULL, Layout(game="null")), True).keep(lamps("1 0 1"))
    said = json.loads(capsys.readouterr().out)
    assert said == {"file": str(tmp_path / "still-0002.png"), "size": [*said["size"]], "text": True, "error": None}
    assert (tmp_path / "still-0001.txt").read_text(encoding="utf-8") == "1 1 1\n"
    truth = truths.load(tmp_path / "still-0002.txt")
    assert truth == truths.Truth("1 0 1", "null", False, None)
    assert NULL.read(cv2.imread(str(tmp_path / "still-0002.png")), Layout(game="null")).puzzle == NULL.parse("1 0 1")
    assert not list(tmp_path.glob(".*"))


def test_the_layout_that_was_named_lies_beside_the_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own_home: None
) -> None:
    """Incident: the texts named the layout as the person had, by its path, which replay refuses to follow."""
    known = Layout(game="null", name="mine", title="Lamps")
    (tmp_path / "layout.toml").write_text("# of another window\n", encoding="utf-8")
    for number in (1, 2):
        keeper = Keeper(tmp_path, Reader(NULL, known, named=True), False)
        assert keeper.keep(lamps("1 0 1" if number == 1 else "0 0 1"))
        assert truths.load(tmp_path / f"still-000{number}.txt").layout == "layout-2.toml"
    assert [path.name for path in sorted(tmp_path.glob("*.toml"))] == ["layout-2.toml", "layout.toml"]
    assert layout.load(str(tmp_path / "layout-2.toml"), "null") == known
    stranger = shutil.copytree(tmp_path, tmp_path / "elsewhere")
    capsys.readouterr()
    assert main(["replay", str(stranger), "--json"]) == 0
    assert [json.loads(line)["status"] for line in capsys.readouterr().out.splitlines()] == ["exact", "exact"]


def test_the_layout_counts_among_what_the_pictures_may_have(tmp_path: Path) -> None:
    picture, known = lamps("1 0 1"), Layout(game="null")
    room = len(output.png(picture)) + len(layout.dumps(known))
    assert not Keeper(tmp_path, Reader(NULL, known, named=True), False, room - 1).keep(picture)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    truth = tmp_path / "still-0001.txt"
    truth.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists"):
        output.write(truth, b"yours", new=True)
    assert truth.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == [truth.name]


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_lack_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    def full(_: int) -> None:
        raise OSError(fault, os.strerror(fault))

    old = tmp_path / "report.html"
    old.write_text("mine", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MachineError, match="cannot be written"):
        output.write(old, b"yours")
    assert old.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == [old.name]


def test_what_is_not_read_gets_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Keeper(tmp_path, Reader(NULL, Layout(game="null")), False).keep(np.zeros((50, 50, 3), np.uint8))
    assert [path.name for path in tmp_path.iterdir()] == ["still-0001.png"]
    said = capsys.readouterr()
    assert said.out == f"{tmp_path / 'still-0001.png'}\n"
    assert "no lamps" in said.err


# Bad input


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param([], 2, "expected one of --window", id="nothing to keep"),
        pytest.param(["--window", "x", "--region", "0,0,9,9"], 2, "expected one of --window", id="two things"),
        pytest.param(["--region", "0,0,9"], 2, "X,Y,W,H", id="half a region"),
        pytest.param(["--window", "x", "--every", "0"], 2, "--every", id="no time"),
        pytest.param(["--window", "x", "--game", "hashy"], 2, "did you mean 'hashi'", id="no such game"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", str(tmp_path / "new"), *arguments]) == code
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "new").exists()


# A real window


@contextmanager
def recording(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, on the tests' display."""
    command = [sys.executable, "-m", "autoplayer", "record", str(folder), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def x11(display: VirtualDisplay) -> Iterator[X11]:
    system = X11(display.name)
    yield system
    system.close()


def press(window: Window, x11: X11, at: tuple[int, int]) -> None:
    """What the person does."""
    screen = DesktopScreen(window, system=x11, patience=2.0)
    try:
        screen.still(3.0)
        screen.perform([Click(at)], Pace())
    finally:
        screen.close()


def test_a_person_plays_and_the_stills_replay(
    display: VirtualDisplay, x11: X11, own_home: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every picture is the inside of the window, the texts are the reader's word, and `replay` says so."""
    folder = tmp_path / "stills"
    with (
        bundled(tmp_path, "--advance", "stay", title="Lamps", game="null") as opened,
        recording(folder, "--window", "Lamps", "--game", "null", "--limit", "2") as process,
    ):
        until((folder / "still-0001.txt").exists, "the first picture")
        first = NULL.read(cv2.imread(str(folder / "still-0001.png")), Layout(game="null"))
        lit = next(cell for cell in first.places if first.puzzle.lamps[cell[1]])
        press(opened.window, x11, first.places[lit].centre)
        until(lambda: process.poll() is not None, "the end of the recording")
        assert process.returncode == 0
        area = opened.window.area
    assert sorted(path.name for path in folder.iterdir()) == [
        "still-0001.png",
        "still-0001.txt",
        "still-0002.png",
        "still-0002.txt",
    ]
    images = [cv2.imread(str(path)) for path in sorted(folder.glob("*.png"))]
    assert {image.shape[1::-1] for image in images} == {(area.width, area.height)}
    texts = [truths.load(path) for path in sorted(folder.glob("*.txt"))]
    assert texts[0].text != texts[1].text
    assert [each.checked for each in texts] == [False, False]
    capsys.readouterr()
    assert main(["replay", "--json", str(folder)]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["status"], each["checked"], each["named"]) for each in said] == [("exact", False, "text")] * 2


def test_it_ends_with_the_window_or_with_ctrl_c(display: VirtualDisplay, own_home: None, tmp_path: Path) -> None:
    with (
        bundled(tmp_path, title="Lamps", game="null") as opened,
        recording(tmp_path / "one", "--window", "Lamps") as one,
        recording(tmp_path / "two", "--window", "Lamps") as two,
    ):
        for name, each in (("one", one), ("two", two)):
            assert each.stdout is not None
            assert each.stdout.readline().strip() == str(tmp_path / name / "still-0001.png")
        two.send_signal(signal.SIGINT)
        until(lambda: two.poll() is not None, "the end after Ctrl-C")
        opened.process.terminate()
        until(lambda: one.poll() is not None, "the end with the window")
        assert (one.returncode, two.returncode) == (0, 0)
        assert one.stderr is not None
        assert two.stderr is not None
        assert "the window was closed: 1 picture kept" in one.stderr.read()
        assert "stopped: 1 picture kept" in two.stderr.read()


def test_what_lies_over_the_window_is_not_kept(display: VirtualDisplay, x11: X11, tmp_path: Path) -> None:
    below = Pane(display.name, "Below", (200, 150, 400, 300), "204080", "window")
    until(lambda: x11.area(below.id), "the window")
    above = Pane(display.name, "Above", (300, 250, 150, 100), "a02020", "window")
    until(lambda: x11.covering(below.id, (370, 300)), "the window above it")
    try:
        with recording(tmp_path / "stills", "--window", "Below", "--limit", "1") as process:
            assert process.stderr is not None
            assert "'Above' lies over the window" in process.stderr.readline()
            assert not list((tmp_path / "stills").iterdir())
            above.close()
            until(lambda: process.poll() is not None, "the picture")
    finally:
        above.close()
        below.close()
    image = cv2.imread(str(tmp_path / "stills" / "still-0001.png"))
    assert (image == image[0, 0]).all()


def test_what_lay_over_the_window_is_not_kept_though_it_is_gone_when_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear, covered = np.full((40, 60, 3), 90, np.uint8), np.full((40, 60, 3), 90, np.uint8)
    covered[10:30, 20:50] = 200

    class Screen:
        """Something lies over the window until it is asked what does."""

        shown, time = covered, 0.0

        def grab(self) -> Frame:
            self.time += record.LOOK
            return Frame(self.shown, (0, 0), self.time)

        def lies_over(self, boxes: list[Box]) -> str | None:
            self.shown = clear
            return None

        def hidden(self) -> list[Box]:
            return []

    monkeypatch.setattr(record, "time", SimpleNamespace(sleep=lambda seconds: None))
    window = Window(1, "Below", Box(0, 0, 60, 40), True)
    why = record._follow(Screen(), None, window, Keeper(tmp_path, None, False), 1, 0.1)  # type: ignore[arg-type]
    assert why == "the limit of 1 is reached"
    image = cv2.imread(str(tmp_path / "still-0001.png"))
    assert (image == clear).all()


def test_a_folder_of_something_else_is_refused(display: VirtualDisplay, x11: X11, tmp_path: Path) -> None:
    (tmp_path / LINES).write_text("{}\n", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    pane = Pane(display.name, "Below", (200, 150, 400, 300), "204080", "window")
    try:
        until(lambda: x11.area(pane.id), "the window")
        said: list[Any] = []
        for folder in (tmp_path, tmp_path / "file"):
            with recording(folder, "--window", "Below") as process:
                assert process.wait(120) == 2
                assert process.stderr is not None
                said.append(process.stderr.read())
        assert "holds a recorded session" in said[0]
        assert "this is a file" in said[1]
    finally:
        pane.close()
