"""Recorded sessions are replayed: no difference where nothing has changed, and a named one where a digit has."""

from __future__ import annotations

import json
import re
import shutil
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer import games, layout
from autoplayer.cli import main, sessions
from autoplayer.core.frame import Box, Frame
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from autoplayer.screen.recording import LINES, Recorder, load_recording
from autoplayer.session import Session
from tests.simulated import Look, Simulated
from tests.test_menus import Menued

LEVELS = ("X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3", "3 3 2\n1 1 2\n2 X X")
LAYOUT = Layout(game="cardinal-chains")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two levels played in a simulated window, read by the real reader."""
    folder = tmp_path_factory.mktemp("recordings") / "two levels"
    window = Simulated(LEVELS, Look(pitch=80, origin=(120, 60)), advance="stay")
    window.advance, window.flash = "auto", 0.8
    facts = {"game": "cardinal-chains", "levels": 1, "layout": LAYOUT.model_dump(mode="json")}
    recorder = Recorder(window, folder, facts)
    session = Session(GAME, recorder, LAYOUT, listeners=[sessions.notes(GAME, recorder)])
    results = list(session.play(1))
    assert [result.status for result in results] == ["won"]
    sessions.note_frames(GAME, LAYOUT, recorder)
    recorder.close()
    return folder


@pytest.fixture
def copy(recorded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(recorded, tmp_path / "copy"))


def replay(capsys: pytest.CaptureFixture[str], *folders: Path | str) -> tuple[int, list[dict[str, Any]]]:
    code = main(["replay", "--json", *map(str, folders)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_fresh_recording_replays_without_a_difference(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, [said] = replay(capsys, recorded)
    assert code == 0
    assert said["status"] == "same"
    assert said["differences"] == []
    assert said["levels"] == 1
    assert said["decided"]
    assert said["frames"] >= 3


@pytest.mark.usefixtures("own_home")
def test_a_recording_made_with_a_layout_of_ones_own_replays_where_nobody_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    window = Simulated(LEVELS, Look(pitch=80, origin=(120, 60)), flash=0.8)
    pictures = layout.home() / "templates" / "mine" / layout.PICTURES
    pictures.mkdir(parents=True)
    area = Box(120, 60, 80, 80)
    cv2.imwrite(str(pictures / "anchor-1.png"), area.crop(window.image()))
    place = (area.x / 640, area.y / 480, area.width / 640, area.height / 480)
    anchor = layout.AreaTable(place=place, picture="anchor-1.png")
    known = LAYOUT.model_copy(
        update={"name": "mine", "templates": "mine", "size": (640, 480), "anchors": (anchor,), "version": 2}
    )
    folder = tmp_path / "recording"
    remembered = sessions.Pictures(known, folder, None)
    facts = {"game": "cardinal-chains", "levels": 1, "layout": known.model_dump(mode="json")}
    recorder = Recorder(window, folder, facts)
    remembered.keep()
    assert remembered.size > 0
    [result] = Session(GAME, recorder, known, listeners=[sessions.notes(GAME, recorder)]).play(1)
    assert result.status == "won"
    sessions.note_frames(GAME, known, recorder)
    recorder.close()
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "somebody else's"))
    code, [said] = replay(capsys, folder)
    assert (code, said["status"], said["error"]) == (0, "same", None)
    shutil.rmtree(folder / "templates")
    assert replay(capsys, folder)[1][0]["error"], "without them it cannot be decided"


def test_of_pictures_that_take_too_much_of_a_recording_none_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "templates" / "mine"
    folder.mkdir(parents=True)
    (folder / "1-1.png").write_bytes(b"x" * 1000)
    known = LAYOUT.model_copy(update={"templates": "mine"})
    with layout.lent(tmp_path):
        assert sessions.Pictures(known, tmp_path / "recording", 3999).size == 0
        assert sessions.Pictures(known, tmp_path / "recording", 4000).size == 1000


def test_what_was_pressed_by_leave_is_pressed_in_the_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Incident: a session with --menus was recorded, and replayed as one without."""
    window = Menued(LEVELS, Look(pitch=80, origin=(120, 60)), advance="stay", titled=False)
    facts = {"game": "cardinal-chains", "levels": 1, "layout": LAYOUT.model_dump(mode="json"), "menus": True}
    recorder = Recorder(window, tmp_path / "menus", facts)
    [result] = Session(GAME, recorder, LAYOUT, listeners=[sessions.notes(GAME, recorder)], menus=True).play(1)
    assert result.status == "won"
    recorder.close()
    code, [said] = replay(capsys, tmp_path / "menus")
    assert (code, said["differences"]) == (0, [])


def test_frames_are_noted_from_all_parts_of_a_recording_as_long_as_there_is_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks: list[int] = []
    clock = iter(range(1000))
    monkeypatch.setattr(sessions, "NOTED_WITHIN", 3)
    monkeypatch.setattr(sessions, "time", SimpleNamespace(perf_counter=lambda: next(clock)))

    def look(*_: object) -> dict[str, Any]:
        looks.append(1)
        return {"puzzle": None, "unreadable": "not looked at"}

    monkeypatch.setattr(sessions, "look", look)
    facts = {"game": "cardinal-chains", "levels": 1, "layout": LAYOUT.model_dump(mode="json")}
    window = Simulated(LEVELS, Look(pitch=80, origin=(120, 60)))
    pictures = iter(np.full((20, 20, 3), shade, np.uint8) for shade in range(9))
    monkeypatch.setattr(window, "grab", lambda: Frame(next(pictures), (0, 0), 0.0))
    recorder = Recorder(window, tmp_path / "long", facts)
    for _ in range(9):
        recorder.grab()
    sessions.note_frames(GAME, LAYOUT, recorder)
    recorder.close()
    noted = [step.data for step in load_recording(tmp_path / "long").steps if step.name == sessions.SEEN]
    assert len(looks) == len(noted) == 3
    assert [each["frame"] for each in noted] == [f"frame-00000{n}.png" for n in (1, 5, 9)]
    assert replay(capsys, tmp_path / "long")[1][0]["frames"] == 9


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 100])
def test_numbers_are_spread_from_the_first_on(count: int) -> None:
    found = sessions.spread(count)
    assert sorted(found) == [*range(count)]
    for most in range(1, count):
        gaps = [b - a for a, b in pairwise([*sorted(found[:most]), count])]
        assert max(gaps) <= 4 * count / most


def test_of_a_game_with_a_pilot_the_frames_alone_are_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Incident: its session was decided anew from the few pictures that are kept, for minutes, and differed in all."""
    window = Simulated(LEVELS, Look(pitch=24, origin=(20, 20), size=(160, 160)))
    game, known = games.load("continuity"), Layout(game="continuity")
    facts = {"game": "continuity", "levels": 1, "layout": known.model_dump(mode="json")}
    recorder = Recorder(window, tmp_path / "rooms", facts)
    recorder.grab()
    recorder.note("result", {"level": 1, "status": "won", "error": None})
    sessions.note_frames(game, known, recorder)
    recorder.close()
    code, [said] = replay(capsys, tmp_path / "rooms")
    assert (code, said["status"], said["frames"], said["levels"]) == (0, "same", 1, 1)
    assert not said["decided"]
    lines = tmp_path / "rooms" / LINES
    lines.write_text(
        re.sub(
            r'"puzzle": ?(null|"[^"]*")',
            '"puzzle":"S"',
            re.sub(r'"unreadable": ?"[^"]*"', '"unreadable":null', lines.read_text(encoding="utf-8")),
        ),
        encoding="utf-8",
    )
    code, [said] = replay(capsys, tmp_path / "rooms")
    assert (code, said["status"]) == (1, "different")
    assert main(["replay", str(tmp_path / "rooms")]) == 1
    assert "its frames alone were read again" in capsys.readouterr().out


@pytest.mark.parametrize("which", ["first", "middle"])
def test_a_digit_that_was_changed_in_a_frame_is_named(
    which: str, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = sorted(copy.glob("*.png"))
    path = frames[0] if which == "first" else frames[1]
    image = cv2.imread(str(path))
    first = cv2.imread(str(frames[0]))
    places = GAME.read(first, LAYOUT).places
    # (1, 2) shows a 2 and is drawn late; put the 3 of (1, 3) there
    to, source = places[1, 2], places[1, 3]
    y, x = to.height // 5, to.width // 5
    image[to.y + y : to.y + to.height - y, to.x + x : to.x + to.width - x] = first[
        source.y + y : source.y + to.height - y, source.x + x : source.x + to.width - x
    ]
    cv2.imwrite(str(path), image)
    code, [said] = replay(capsys, copy)
    assert code == 1
    assert said["status"] == "different"
    assert any(path.name in text and "(1, 2)" in text and "was 2, is now 3" in text for text in said["differences"])


def test_ctrl_c_ends_the_replay_and_is_no_difference(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(GAME), "solve", interrupted)
    code, said = replay(capsys, recorded, recorded)
    assert (code, said) == (4, [])


def test_other_gestures_than_recorded_are_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (copy / LINES).read_text(encoding="utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == "perform")
    entry = json.loads(lines[at])
    entry["gestures"][0]["path"][0][0] += 7
    lines[at] = json.dumps(entry)
    (copy / LINES).write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, [said] = replay(capsys, copy)
    assert code == 1
    assert any("drag" in text for text in said["differences"])


def test_another_solution_than_recorded_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (copy / LINES).read_text(encoding="utf-8")
    notes = [json.loads(line) for line in text.splitlines()]
    read = next(entry for entry in notes if entry.get("name") == "read")
    changed = {**read, "data": {**read["data"], "solution": read["data"]["solution"][::-1]}}
    lines = [json.dumps(changed if entry is read else entry) for entry in notes]
    (copy / LINES).write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, [said] = replay(capsys, copy)
    assert code == 1
    assert any("solution" in text for text in said["differences"])


def test_what_is_no_recording_is_said_and_the_others_are_still_replayed(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / LINES).write_text('{"kind": "session", "version": 1, "title": "x"}\n{"kind"', encoding="utf-8")
    code, said = replay(capsys, tmp_path / "nowhere", tmp_path / "torn", recorded)
    assert code == 3
    assert [each["status"] for each in said] == ["invalid", "invalid", "same"]
    assert all(each["error"] for each in said[:2])


def test_a_recording_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorder = Recorder(Simulated(LEVELS), tmp_path / "bare")
    recorder.close()
    code, [said] = replay(capsys, tmp_path / "bare")
    assert code == 2
    assert "play --record" in said["error"]


def test_for_a_person_it_is_one_line_where_nothing_differs(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(recorded)]) == 0
    assert "no difference" in capsys.readouterr().out


def test_every_frame_of_a_recording_is_noted(recorded: Path) -> None:
    recording = load_recording(recorded)
    shown = {step.frame for step in recording.steps if step.frame}
    noted = {step.data["frame"] for step in recording.steps if step.name == sessions.SEEN}
    assert shown == noted


def test_recordings_that_belong_to_the_project_replay_without_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    folders = sorted(path.parent for path in Path("screenshots").rglob(LINES))
    if not folders:
        pytest.skip("no recorded session is in screenshots/ yet")
    code, said = replay(capsys, *folders)
    assert {each["recording"]: each["differences"] for each in said if each["status"] != "same"} == {}
    assert code == 0


def test_pictures_without_a_truth_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ending of a truth may be in capitals; a text of another name is no truth."""
    null = games.load("null")
    for name in "abcdefgh":
        cv2.imwrite(str(tmp_path / f"{name}.png"), null.draw(null.parse("1 0 1")))
    (tmp_path / "a.TXT").write_text("# game: null\n1 0 1\n", encoding="utf-8")
    (tmp_path / "bb.txt").write_text("# game: null\n1 0 1\n", encoding="utf-8")
    assert main(["replay", str(tmp_path)]) == 0
    assert (
        capsys.readouterr().err == "no truth lies beside these pictures: b.png, c.png, d.png, e.png, f.png and 2 more\n"
    )
