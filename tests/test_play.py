"""`autoplayer play` in the bundled window on the tests' own display. Results are taken from the window's log, not from
the bot."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autoplayer.cli import demo, main, sessions
from autoplayer.games.cardinal_chains import GAME
from autoplayer.screen.claim import holders
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.hands import best_hand
from autoplayer.screen.recording import load_recording
from autoplayer.screen.windows import window_system
from tests import desktop
from tests.bundled import Bundled, Played, bundled, play_json

LEVELS = """\
X 3 4 4
2 3 2 3
2 3 X 3
2 3 4 3

3 3 2
1 1 2
2 X X

. 2 2 1 2
X 1 3 X 2
4 3 X 1 2
4 3 2 1 2
4 2 2 3 2

2 1 . 3 3
2 1 2 3 3
2 X 2 2 3
2 . X 2 3
"""

pytestmark = pytest.mark.usefixtures("display", "own_home")


@pytest.fixture
def levels(tmp_path: Path) -> str:
    path = tmp_path / "levels.txt"
    path.write_text(LEVELS, encoding="utf-8")
    return str(path)


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `autoplayer play` here; returns the exit code, the JSON objects, and what it said as errors."""

    def call(*arguments: str) -> Played:
        return play_json(capsys, "cardinal-chains", *arguments)

    return call


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(
            ("--theme", "dark", "--size", "600x900", "--look", "tiles", "--glyphs", "font"), id="dark, upright"
        ),
        pytest.param(("--theme", "alternate", "--advance", "button"), id="next button, themes in turn"),
        pytest.param(("--drop-every", "20"), id="every 20th step lost"),
        pytest.param(
            ("--theme", "light", "--size", "1000x700", "--sample", "--lose-instant-clicks", "--hint"),
            id="light, a slow window with a hint",
        ),
    ],
)
def test_levels_are_won_by_the_windows_own_log(
    options: tuple[str, ...], tmp_path: Path, levels: str, play: Any
) -> None:
    with bundled(tmp_path, "--levels", levels, *options) as window:
        code, results, _ = play("--levels", "2")
        assert window.won >= 2
        assert not window.stray
    assert code == 0
    assert [(r["level"], r["status"]) for r in results] == [(1, "won"), (2, "won")]
    assert all(r["solution"] and r["gestures"] and r["seconds"]["total"] > 0 for r in results)
    shown = [event["puzzle"] for event in window.events("level")][:2]
    # An upright window turns its board; what was read is what it showed.
    assert [r["puzzle"] for r in results] == [GAME.format(GAME.parse(text)) for text in shown]


def test_a_window_that_is_played_by_keys(tmp_path: Path, levels: str, play: Any) -> None:
    profile = tmp_path / "keys.toml"
    profile.write_text('version = 1\ngame = "cardinal-chains"\ncontrols = "keys"\n', encoding="utf-8")
    with bundled(tmp_path, "--levels", levels, "--controls", "keys") as window:
        code, _, _ = play("--levels", "2", "--layout", str(profile))
        assert window.won >= 2
        assert not window.events("press")
    assert code == 0


def test_what_was_learned_is_kept_for_the_window(tmp_path: Path, levels: str, play: Any) -> None:
    with bundled(tmp_path, "--levels", levels, "--advance", "button") as window:
        play("--levels", "2")
        learned = list((tmp_path / "home" / "learned").glob("*.toml"))
        assert len(learned) == 1
        assert 'kind = "click"' in learned[0].read_text(encoding="utf-8")
        code, results, _ = play("--levels", "1")
        assert code == 0
        assert [r["status"] for r in results] == ["won"]
        assert not window.stray


def test_without_a_games_name_the_game_that_is_seen_is_played(
    tmp_path: Path, levels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with bundled(tmp_path, "--levels", levels) as window:
        assert main(["play", "--levels", "1", "--json"]) == 0
        assert window.won == 1
    said = capsys.readouterr()
    assert '"status": "won"' in said.out
    assert "the window shows Cardinal Chains" in said.err


def test_the_mouse_is_given_back_before_the_recording_is_looked_through(
    tmp_path: Path, display: VirtualDisplay, levels: str, play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: that took minutes, and for so long nobody else could play, and `autoplayer stop` waited in vain."""
    free = []
    real = sessions.note_frames
    monkeypatch.setattr(
        sessions,
        "note_frames",
        lambda *given: (free.append(all(each.pid != os.getpid() for each in holders())), real(*given)),
    )
    with bundled(tmp_path, "--levels", levels):
        code, results, _ = play("--levels", "1", "--record", str(tmp_path / "recording"))
    assert (code, [result["status"] for result in results]) == (0, ["won"])
    assert free == [True]
    assert any(step.name == sessions.SEEN for step in load_recording(tmp_path / "recording").steps)


def test_a_dry_run_moves_nothing(tmp_path: Path, levels: str, play: Any) -> None:
    system = window_system()
    hand = best_hand(system)
    try:
        with bundled(tmp_path, "--levels", levels) as window:
            before = hand.position()
            code, results, _ = play("--dry-run")
            assert code == 0
            assert results[0]["status"] == "dry-run"
            assert GAME.check(GAME.parse(results[0]["puzzle"]), GAME.solution_from_json(results[0]["solution"])) == []
            assert hand.position() == before
            assert not window.events("press", "step")
    finally:
        hand.close()
        system.close()


def test_a_hand_on_the_mouse_stops_it(tmp_path: Path, levels: str, play: Any) -> None:
    system = window_system()
    hand = best_hand(system)

    def grab_the_mouse(window: Bundled) -> None:
        end = time.monotonic() + 120
        while not window.events("step") and time.monotonic() < end:
            time.sleep(0.01)
        # A person holds on to the mouse; one short push may fall between two moves of a busy machine.
        while not over.wait(0.02) and time.monotonic() < end:
            x, y = hand.position()
            hand.move((x + 60 if x < 400 else x - 60, y + 60 if y < 400 else y - 60))

    over = threading.Event()
    try:
        with bundled(tmp_path, "--levels", levels) as window:
            person = threading.Thread(target=grab_the_mouse, args=(window,))
            person.start()
            code, results, said = play()
            over.set()
            person.join()
            assert code == 4
            assert results[-1]["status"] == "stopped"
            assert results[-1]["error"]
            assert window.all_released()
            assert "Traceback" not in said
    finally:
        hand.close()
        system.close()


def test_a_window_that_goes_away_is_said_to_be_gone(tmp_path: Path, levels: str, play: Any) -> None:
    with bundled(tmp_path, "--levels", levels, "--levels-limit", "1") as window:
        code, results, _ = play("--levels", "3")
        assert window.won == 1
    assert code in (3, 4)
    assert results[-1]["status"] == "stopped"


def test_without_a_window_that_shows_the_game_nothing_is_played(play: Any) -> None:
    code, results, said = play()
    assert code == 3
    assert results == []
    assert "Cardinal Chains" in said


def test_two_windows_that_show_the_game_are_listed(tmp_path: Path, levels: str, play: Any) -> None:
    (tmp_path / "other").mkdir()
    small = ("--levels", levels, "--size", "500x400")
    with bundled(tmp_path, *small, title="first") as one, bundled(tmp_path / "other", *small, title="second") as two:
        for window, x in ((one, 0), (two, 640)):
            desktop.configure(window.window.id, x=x, y=0)
        end = time.monotonic() + 120
        code, said = 0, ""
        while "2 windows" not in said and time.monotonic() < end:  # until the window manager has moved them
            code, _, said = play("--dry-run")
        assert code == 2
        assert "'first'" in said
        assert "'second'" in said
        assert not one.events("press")
        assert not two.events("press")


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("--window", "no such title"), 3, "no such title"),
        (("--window", "a", "--pick"), 2, "--pick"),
        (("--region", "1,2,3"), 2, "X,Y,W,H"),
        (("--layout", "nowhere"), 3, "nowhere"),
        (("--levels", "0"), 2, "--levels"),
        (("--dry-run", "--record", "x"), 2, "--record"),
    ],
)
def test_wrong_usage_is_one_sentence(play: Any, arguments: tuple[str, ...], code: int, word: str) -> None:
    got, results, said = play(*arguments)
    assert got == code
    assert results == []
    assert word in said


def test_a_region_is_played_like_a_window(tmp_path: Path, levels: str, play: Any) -> None:
    with bundled(tmp_path, "--levels", levels) as window:
        area = window.window.area
        code, results, _ = play("--region", f"{area.x},{area.y},{area.width},{area.height}", "--levels", "1")
        assert window.won == 1
    assert code == 0
    assert results[0]["status"] == "won"


def test_ctrl_c_stops_it_with_a_sentence(tmp_path: Path, levels: str) -> None:
    import signal

    with bundled(tmp_path, "--levels", levels, "--advance", "stay") as window:
        command = [sys.executable, "-m", "autoplayer", "play", "cardinal-chains"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 120
        while not window.events("press") and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=120)
        assert process.returncode == 4
        assert "Traceback" not in said + out
        assert window.all_released()


@pytest.fixture
def no_display(display: VirtualDisplay, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("DISPLAY")
    yield
    assert os.environ.get("DISPLAY") is None


def test_the_demo_brings_its_own_screen_and_leaves_its_pictures(
    no_display: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import cv2

    code = main(["demo", "--levels", "2", "--out", str(tmp_path / "out")])
    said = capsys.readouterr()
    assert code == 0
    assert "virtual" in said.err
    assert "2 of 2 levels won" in said.out
    picture = cv2.imread(str(tmp_path / "out" / "demo.png"))
    assert picture is not None
    assert picture.shape[1] > 2 * picture.shape[0]
    assert (tmp_path / "out" / "demo.gif").read_bytes()[:6] == b"GIF89a"


def test_the_demo_is_not_played_for_pictures_that_have_no_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    assert main(["demo", "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr() == ("", f"autoplayer: {tmp_path / 'out'}: expected a folder, but this is a file\n")


def test_the_demo_says_where_its_pictures_go_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / demo.OUT).write_text("a file", encoding="utf-8")
    folder = demo.usual_folder()
    assert folder.is_dir()
    assert (
        capsys.readouterr().err == f"demo-output: expected a folder, but this is a file; the pictures go to {folder}\n"
    )
    folder.rmdir()
