"""Evidence of a failed session: every file exists and can be opened, shows only the game's window, and contains no
personal data."""

from __future__ import annotations

import getpass
import json
import os
import resource
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from Xlib import X
from Xlib.ext import shape

from autoplayer.cli import doctor, main, pictures
from autoplayer.core.errors import MachineError, StoppedError
from autoplayer.core.frame import Box, Frame, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.x11 import X11
from autoplayer.session import Session, evidence, limits
from autoplayer.session.anonymous import cleaner
from autoplayer.session.evidence import keep
from autoplayer.session.witness import Witness
from tests.bundled import bundled
from tests.screen.panes import Pane, until
from tests.simulated import Look, Simulated

LEVEL = "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"
LAYOUT = Layout(game="cardinal-chains")
RED = (0, 0, 255)


def failed(hidden: Sequence[Box] = (), **habits: Any) -> Witness:
    """A session that was not won, in a simulated window."""
    window = Simulated([LEVEL], Look(pitch=80, origin=(120, 60)), **{"deaf": True, **habits})
    witness = Witness(window, lambda: hidden, lambda: ["Letters to Anna"], GAME, LAYOUT)
    results = list(Session(GAME, witness, LAYOUT, listeners=[witness.listen]).play(1))
    assert results[0].status in ("failed", "stopped")
    return witness


def kept(witness: Witness, parent: Path, **more: Any) -> Path:
    facts = [{"what": "display", "found": "X11 :1"}]
    versions = {"autoplayer": "1", "Python": "3"}
    return keep(witness, parent, **{"draw": pictures.overlay, "machine": lambda: facts, "versions": versions, **more})


def texts(folder: Path) -> dict[str, str]:
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.suffix in (".md", ".json", ".jsonl", ".txt")
    }


def images(folder: Path) -> list[Image]:
    found = [cv2.imread(str(path)) for path in sorted(folder.rglob("*.png"))]
    assert all(image is not None for image in found)
    return [np.asarray(image, np.uint8) for image in found]


# What is in it


def test_every_file_is_there_and_can_be_opened(tmp_path: Path) -> None:
    folder = kept(failed(), tmp_path / "new" / "evidence")
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    frames = {name for name in names if name.startswith("frames/")}
    assert frames
    assert names - frames == {
        "report.md",
        "overlay.png",
        "reading.json",
        "progress.json",
        "log.jsonl",
        "layout.json",
        "versions.json",
        "doctor.json",
    }
    *_, overlay = images(folder)
    assert {image.shape for image in images(folder)} == {overlay.shape} == {(480, 640, 3)}
    said = {name: json.loads(text) for name, text in texts(folder).items() if name.endswith(".json")}
    assert GAME.parse(said["reading.json"]["puzzle"]) == GAME.parse(LEVEL)
    assert len(said["reading.json"]["places"]) == 16
    puzzle = GAME.parse(said["reading.json"]["puzzle"])
    assert not GAME.check(puzzle, GAME.solution_from_json(said["progress.json"]["expected"]["solution"]))
    assert said["progress.json"]["seen after the last move"]["done"] == 0
    assert said["versions.json"]["autoplayer"] == "1"
    assert said["doctor.json"][0]["what"] == "display"
    assert Layout.model_validate(said["layout.json"]) == LAYOUT
    log = [json.loads(line) for line in texts(folder)["log.jsonl"].splitlines()]
    performed = [each for each in log if each["what"] == "perform"]
    assert performed[0]["gestures"][0]["do"] in ("drag", "click")
    assert [each["time"] for each in log] == sorted(each["time"] for each in log)
    assert log[-1]["what"] == "result"
    report = texts(folder)["report.md"]
    assert "nothing" in report  # what it said
    assert all(name.split("/")[0] in report for name in names - {"report.md"})


def test_the_last_frames_are_kept_and_no_two_of_them_are_alike(tmp_path: Path) -> None:
    class Slides(Simulated):
        def grab(self) -> Frame:
            return Frame(np.full((20, 30, 3), self.shown.pop(0), np.uint8), (0, 0), self.now())

    slides = Slides([LEVEL])
    slides.shown = [1, 1, 2, *range(1, 15), 14, 13]  # type: ignore[attr-defined]
    witness = Witness(slides)
    for _ in range(19):
        witness.grab()
    found = [image[0, 0, 0] for image in images(kept(witness, tmp_path))]
    assert found == [7, 8, 9, 10, 11, 12, 14, 13]


def test_large_frames_are_fewer() -> None:
    class Wall(Simulated):
        def grab(self) -> Frame:
            return Frame(np.full((3000, 4000, 3), self.clock, np.uint8), (0, 0), self.now())

    wall = Wall([LEVEL])
    witness = Witness(wall)
    for n in range(4):
        wall.clock = n
        witness.grab()
    assert len(witness.frames) == 2


def test_a_window_that_could_not_be_read_leaves_its_reason(tmp_path: Path) -> None:
    class Empty(Simulated):
        def grab(self) -> Frame:
            return Frame(np.full((100, 100, 3), 90, np.uint8), (0, 0), self.now())

        def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
            self.clock += limit
            return self.grab()

    witness = Witness(Empty([LEVEL]), game=GAME, layout=LAYOUT)
    [result] = Session(GAME, witness, LAYOUT, listeners=[witness.listen]).play(1)
    folder = kept(witness, tmp_path)
    said = json.loads(texts(folder)["reading.json"])
    assert said["puzzle"] is None
    assert said["unreadable"] in str(result.error)
    assert str(result.error) in texts(folder)["report.md"]


def test_a_fault_of_the_programs_own_leaves_its_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = failed()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a reader's own fault")

    monkeypatch.setattr(type(GAME), "show", broken)
    try:
        broken()
    except ZeroDivisionError as fault:
        folder = kept(witness, tmp_path, fault=fault)
    said = texts(folder)
    assert "ZeroDivisionError: a reader's own fault" in said["traceback.txt"]
    assert "ZeroDivisionError" in said["fault.txt"]  # and the rest is there all the same
    assert images(folder)


# What is not in it


def test_what_lies_over_the_window_is_black_and_the_session_sees_it(tmp_path: Path) -> None:
    window = Simulated([LEVEL], Look(pitch=80, origin=(120, 60)), deaf=True)
    frame = window.grab()
    frame.image[10:40, 10:60] = RED

    class Covered(Simulated):
        def grab(self) -> Frame:
            return frame

    hidden = [Box(10, 10, 50, 30), Box(-5, -5, 10, 10), Box(630, 470, 50, 50)]
    witness = Witness(Covered([LEVEL]), lambda: hidden, game=GAME, layout=LAYOUT)
    assert (witness.grab().image[20, 20] == RED).all()
    folder = kept(witness, tmp_path)
    for image in images(folder):
        assert not (image == RED).all(axis=2).any()
        assert not image[10:40, 10:60].any()
    assert "frame-1.png another window lay over it" in texts(folder)["report.md"]


def test_a_frame_of_which_it_is_not_known_what_hides_it_is_not_kept() -> None:
    def gone() -> Sequence[Box]:
        raise MachineError("the display went away")

    witness = Witness(Simulated([LEVEL]), gone)
    witness.grab()
    assert witness.frames == []


@pytest.fixture
def secret(display: VirtualDisplay) -> Iterator[tuple[X11, Pane, list[Pane]]]:
    """A game's window, a secret one next to it, and one over its corner."""
    system = X11(display.name)
    panes = [Pane(display.name, "The game", (200, 150, 400, 300), "204080", "window")]
    try:
        until(lambda: system.area(panes[0].id), "the game on the screen")
        for title, box, kind in (
            ("Letters to Anna", (700, 150, 200, 200), "window"),
            ("Bank account 4711", (560, 400, 80, 90), "popup"),
        ):
            panes.append(Pane(display.name, title, box, "ff0000", kind))
        yield system, panes[0], panes[1:]
    finally:
        for pane in panes:
            pane.close()
        until(lambda: not {pane.id for pane in panes} & {w.id for w in system.windows()}, "the windows to go")
        system.close()


def test_of_real_windows_next_to_and_over_the_game_nothing_is_kept(
    secret: tuple[X11, Pane, list[Pane]], tmp_path: Path
) -> None:
    system, pane, _ = secret
    window = system.window(pane.id)
    assert window is not None
    screen = DesktopScreen(window, system=system, bring_to_front=False)
    witness = Witness(screen, screen.hidden, lambda: [each.title for each in system.windows()], GAME, LAYOUT)
    try:
        shown = witness.grab().image
        over = witness.lies_over([Box(0, 0, 400, 300)])
        assert (shown == RED).all(axis=2).any()  # what a grab of a covered window shows
        assert over == "the window 'Bank account 4711'"
    finally:
        witness.close()
    fault = StoppedError(f"Stopped: {over} lies over the game; 'Letters to Anna' does not.")
    folder = kept(witness, tmp_path, fault=fault)
    [image] = images(folder)
    reds = (image[..., 2] > 200) & (image[..., 0] < 60)
    assert not reds.any()
    assert (image == (0x80, 0x40, 0x20)).all(axis=2).sum() > 0.9 * 400 * 300  # and the game is still there
    everything = "".join(texts(folder).values())
    assert "another window lies over the game" in everything
    for word in ("Anna", "4711", "Letters", "account"):
        assert word not in everything


def test_a_message_that_lets_presses_through_is_hidden_and_a_compositors_overlay_is_not(
    secret: tuple[X11, Pane, list[Pane]],
) -> None:
    """The message is another program's content, so it is blacked out; the compositor's window is the whole desktop."""
    system, pane, _ = secret
    screen = system.display.screen()
    found: list[int] = []
    for x, y, width, height in ((300, 200, 50, 40), (0, 0, screen.width_in_pixels, screen.height_in_pixels)):
        window = screen.root.create_window(
            x, y, width, height, 0, screen.root_depth, X.InputOutput, X.CopyFromParent, override_redirect=True
        )
        window.shape_rectangles(shape.SO.Set, shape.SK.Input, 0, 0, 0, [])
        window.map()
        system.display.sync()
        assert system.over(pane.id, Box(250, 180, 200, 150)) is None
        found.append(system.hidden(pane.id, Box(250, 180, 200, 150)).count(Box(300, 200, 50, 40)))
        found.append(len(system.hidden(pane.id, Box(250, 180, 200, 150))))
        window.unmap()
        window.destroy()
        system.display.sync()
    assert found == [1, 1, 0, 0]


def test_names_and_folders_of_the_person_are_taken_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/annabel")
    monkeypatch.setattr(getpass, "getuser", lambda: "annabel")
    monkeypatch.setattr(socket, "gethostname", lambda: "annas-laptop")
    monkeypatch.setattr(sys, "prefix", "/home/annabel/py env")
    witness = failed()
    texts_of_machine = [{"found": "/home/annabel/py env/bin/python on annas-laptop", "of": ["annabel", 7, None, True]}]
    layout = Layout(game="cardinal-chains", templates="x")
    witness.layout = layout.model_copy(update={"title": "/home/annabel/My levels"})
    folder = kept(witness, tmp_path, machine=lambda: texts_of_machine, fault=MachineError("no /home/annabel/x.txt"))
    everything = "".join(texts(folder).values())
    assert "annabel" not in everything
    assert "annas-laptop" not in everything
    assert json.loads(texts(folder)["doctor.json"]) == [
        {"found": "<python>/bin/python on <host>", "of": ["<user>", 7, None, True]}
    ]
    assert "no ~/x.txt" in everything


@pytest.mark.parametrize(
    ("said", "clean"),
    [
        pytest.param("The window 'Hashi' is gone.", "The window 'Hashi' is gone.", id="the game's own title stays"),
        pytest.param("the window 'Mail to Bo' lies over it", "another window lies over it", id="another one goes"),
        pytest.param("""the window "Bo's mail" is""", "another window is", id="with a quotation mark in it"),
        pytest.param(r"the window 'a\'b\"c' is", "another window is", id="with both, as Python writes it"),
        pytest.param("'Notes', 'No' and Notes on Bo", "another window, 'No' and another window", id="listed, and bare"),
        pytest.param("'Hi' is quoted, Hi is a word", "another window is quoted, Hi is a word", id="a short title"),
        pytest.param("X 1 2 3", "X 1 2 3", id="a puzzle stays as it is"),
    ],
)
def test_titles_of_other_windows_are_taken_out(said: str, clean: str) -> None:
    others = ["Notes", "Notes on Bo", "Hi", "Hashi (2)", "X"]
    assert cleaner(others, ["Hashi", "Hashi", "hashi"])(said) == clean


def test_the_doctor_tells_a_stranger_how_many_bots_run_and_not_what_they_play(
    display: VirtualDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autoplayer.screen import claim

    monkeypatch.setattr(claim, "holders", lambda: ["a bot (process 7), which plays hashi in 'Letters'", "another one"])
    found = {each["what"]: each["found"] for each in doctor.facts()}
    assert found["running bots"] == "2 running"
    assert "Letters" not in json.dumps(found)


# Where it goes


def test_old_folders_go_and_what_is_not_its_own_stays(tmp_path: Path) -> None:
    witness = failed()
    mine = [tmp_path / "evidence-20200101-000000-failed", tmp_path / "evidence of mine", tmp_path / ".evidence-new"]
    for folder in mine:  # the first has a name like its own, and no report in it
        folder.mkdir()
        (folder / "text").write_text("mine", encoding="utf-8")
    first = kept(witness, tmp_path)
    for _ in range(evidence.MOST_KEPT["stopped"] + 2):
        kept(witness, tmp_path, by_person=True)
    assert first.is_dir()  # what the person stopped does not push it out
    for _ in range(evidence.MOST_KEPT["failed"]):
        kept(witness, tmp_path)
    names = {path.name for path in tmp_path.iterdir()} - {path.name for path in mine}
    assert sum("failed" in name for name in names) == evidence.MOST_KEPT["failed"]
    assert sum("stopped" in name for name in names) == evidence.MOST_KEPT["stopped"]
    assert not first.exists()
    assert all((folder / "text").read_text(encoding="utf-8") == "mine" for folder in mine)


def test_another_program_may_take_the_name_of_the_same_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.exists

    def exists(path: Path) -> bool:
        if path.name.startswith("evidence-") and not list(tmp_path.glob("evidence-*")):
            path.mkdir()
            (path / "report.md").write_text("the other program's", encoding="utf-8")
            return False
        return real(path)

    monkeypatch.setattr(Path, "exists", exists)
    folder = kept(failed(), tmp_path)
    assert folder.name.endswith("-2")
    assert len(list(tmp_path.iterdir())) == 2


def test_another_program_may_remove_an_old_folder_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(evidence.MOST_KEPT, "failed", 1)
    first = kept(failed(), tmp_path)
    real = Path.is_file

    def is_file(path: Path) -> bool:
        found = real(path)
        if path.parent == first:
            shutil.rmtree(first)
        return found

    monkeypatch.setattr(Path, "is_file", is_file)
    second = kept(failed(), tmp_path)
    assert list(tmp_path.iterdir()) == [second]


def test_what_a_killed_program_left_half_done_is_cleared_away(tmp_path: Path) -> None:
    half = tmp_path / ".evidence-half"
    half.mkdir()
    os.utime(half, (0, 0))
    kept(failed(), tmp_path)
    assert not half.exists()


def test_on_a_full_disk_nothing_is_left_behind(tmp_path: Path) -> None:
    """A limit on file sizes replaces the full disk: a write fails half way in both cases."""
    witness = failed()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            kept(witness, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert list(tmp_path.iterdir()) == []


# The command


@pytest.mark.usefixtures("display", "own_home")
def test_play_says_where_the_evidence_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))  # only its own bot is there
    monkeypatch.setattr(limits, "READ_LIMIT", 1.0)
    with bundled(tmp_path, "--size", "500x400", title="Bridges", game="hashi"):
        assert main(["play", "null", "--window", "Bridges", "--levels", "1", "--json"]) == 1
    said = capsys.readouterr()
    results = [json.loads(line) for line in said.out.splitlines()]
    assert [each["status"] for each in results] == ["failed"]
    assert set(results[0]) == {"level", "status", "puzzle", "solution", "gestures", "seconds", "error"}
    [folder] = (tmp_path / "home" / "evidence").iterdir()
    assert said.err.splitlines()[-1].endswith(f" is in {folder}")
    assert results[0]["error"] in texts(folder)["report.md"]
    assert str(Path.home()) + "/" not in "".join(texts(folder).values())
    assert images(folder)
    facts = {each["what"]: each for each in json.loads(texts(folder)["doctor.json"])}
    assert facts["display"]["state"] == "ok"
    assert facts["running bots"]["found"] == "none"  # the mouse was given back before


@pytest.mark.usefixtures("display", "own_home")
def test_the_first_error_is_told_where_no_evidence_can_be_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READ_LIMIT", 0.5)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with bundled(tmp_path, "--size", "300x200", "--levels-limit", "1", title="Small"):
        code = main(["play", "null", "--window", "Small", "--dry-run", "--evidence", str(tmp_path / "file")])
        said = capsys.readouterr().err
        assert code == 1
        assert "no Null level could be read" in said
        assert f"no evidence could be kept in {tmp_path / 'file'}" in said
        assert main(["play", "null", "--window", "Small", "--dry-run", "--no-evidence"]) == 1
        assert "evidence" not in capsys.readouterr().err


def test_evidence_and_none_of_it_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "hashi", "--evidence", "x", "--no-evidence"]) == 2
    assert "give one of them" in capsys.readouterr().err
