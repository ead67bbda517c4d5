"""The bundled window of Continuity: its log, its pictures, its clock, and a real one that is played with real keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoplayer.arcade.__main__ import find, main
from autoplayer.arcade.levels import load
from autoplayer.arcade.log import Log
from autoplayer.arcade.match import FLASH
from autoplayer.arcade.options import read
from autoplayer.screen.display import VirtualDisplay
from tests.arcade.conftest import Records, Running, wait_for
from tests.arcade.test_arcade_window import hand

HALL = """\
# hall
+--------+--------+
|########|________|
|#......#|________|
|#......#|________|
|#......#|________|
|#......#|________|
|########|________|
+--------+--------+
|########|########|
|#.......|.......#|
|#.......|.......#|
|#.......|.......#|
|#.S..K..|..D....#|
|########|########|
+--------+--------+
"""
"""The way to the door leads along the lower tiles, two seconds' walk."""

LOOKS = find("continuity").looks
Make = Callable[..., tuple[Any, Callable[[], Records]]]


@pytest.fixture
def window(no_screen: None, tmp_path: Path) -> Make:
    """A maker of windows in this process: ``(window, records)`` for a level text and options."""

    def make(text: str, *argv: str) -> tuple[Any, Callable[[], Records]]:
        from autoplayer.arcade.live_window import LiveWindow

        levels, log = tmp_path / "levels.txt", tmp_path / f"log{len(list(tmp_path.iterdir()))}.jsonl"
        levels.write_text(text, encoding="utf-8")
        game = find("continuity")
        options = read(game, ["--levels", str(levels), "--log", str(log), *argv])
        made = LiveWindow(game, load(levels, game.parse), options, Log(log))
        made._draw(0.0)
        return made, lambda: [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

    return make


def key(name: str, *, down: bool = True) -> None:
    import pygame

    code = {"space": pygame.K_SPACE, "right": pygame.K_RIGHT, "up": pygame.K_UP, "r": pygame.K_r}[name]
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=code))


def turns(made: Any, seconds: float, frame: float = 1 / 60) -> None:
    """Frames of the window that take ``frame`` seconds each."""
    for _ in range(round(seconds / frame)):
        made.turn(0.0, frame)


def events(records: Records, *names: str) -> Records:
    return [record for record in records if record["event"] in names]


def pixels(made: Any) -> Any:
    import pygame

    return pygame.surfarray.array3d(made._surface).astype(int)


def test_the_log_tells_the_window_the_level_and_what_the_keys_do(window: Make) -> None:
    made, records = window(HALL)
    key("right")
    turns(made, 3.0)
    key("right", down=False)
    turns(made, 0.1)
    names = [record["event"] for record in records()]
    assert names == ["window", "level", "press", "landed", "key", "entered", "won", "release"]
    place, level = records()[:2]
    assert place["size"] == [800, 600]
    assert place["camera"] == "whole"
    boxes = {cell["tile"]: cell["walk"] for cell in place["cells"]}
    assert sorted(boxes) == [0, 1, 2, 3]
    assert boxes[2][0] + boxes[2][2] == boxes[3][0]  # no gap while walking
    assert all(cell["slide"][2] < cell["walk"][2] for cell in place["cells"])
    assert (level["index"], level["name"], level["of"], level["look"]) == (1, "hall", 1, "plain")
    assert level["puzzle"].count("+") == 9
    assert events(records(), "won")[0]["index"] == 1


@pytest.mark.parametrize("frame", [1 / 240, 1 / 60, 0.03, 0.08, 0.2])
def test_the_game_runs_at_one_speed_whatever_a_frame_takes(window: Make, frame: float) -> None:
    made, _ = window(HALL)
    turns(made, 1.2, frame)
    key("right")
    turns(made, 1.2, frame)
    walked = frame * round(1.2 / frame) * 5
    engine = made._play.engine
    assert engine.x + engine.width * (engine.tile == 2) == pytest.approx(2.5 + walked, abs=0.1)


def test_a_frame_that_takes_for_ever_is_not_caught_up(window: Make) -> None:
    made, _ = window(HALL)
    key("right")
    made.turn(0.0, 100.0)
    assert made._play.engine.x == pytest.approx(2.5 + 5 * 0.25, abs=0.1)


def test_a_key_that_goes_down_and_up_within_a_frame_is_held_for_a_step(window: Make) -> None:
    made, records = window(HALL)
    turns(made, 0.1)
    key("up")
    key("up", down=False)
    turns(made, 0.2, 0.1)
    assert [each["event"] for each in events(records(), "jumped")] == ["jumped"]


def test_a_won_level_shows_its_sign_and_the_next_comes(window: Make) -> None:
    made, records = window(HALL + "\n" + HALL.replace("# hall", "# again"))
    key("right")
    turns(made, 3.0)
    assert events(records(), "won")
    before = pixels(made)
    made.turn(FLASH / 2, 0.02)
    sign = pixels(made)
    accent = made._theme.accent
    assert (abs(sign - accent).sum(axis=2) < 12).mean() > 0.01
    assert not (abs(before - accent).sum(axis=2) < 12).any()
    made.turn(FLASH + 0.1, 0.02)
    assert [each["name"] for each in events(records(), "level")] == ["hall", "again"]
    assert not made._play.engine.won
    assert made._play.engine.x == 2.5  # keys that were held for the last level do nothing in this one


def test_each_press_is_noted_with_its_release_also_while_a_win_is_celebrated(window: Make) -> None:
    """Incident: a press that came between a win and the next level was not noted, but its release was."""
    made, records = window(HALL)
    key("right")
    turns(made, 3.0)
    key("right", down=False)
    assert events(records(), "won")
    key("up")
    key("up", down=False)
    turns(made, 0.1)
    noted = [(each["event"], each["key"]) for each in events(records(), "press", "release")]
    assert noted == [("press", "right"), ("release", "right"), ("press", "up"), ("release", "up")]
    assert not events(records(), "jumped")


def test_a_press_that_is_lost_has_no_release(window: Make) -> None:
    made, records = window(HALL, "--lose-every", "2")
    for _ in range(2):
        key("up")
        key("up", down=False)
        turns(made, 1.5)
    noted = [(each["event"], each["key"]) for each in events(records(), "press", "lost", "release")]
    assert noted == [("press", "up"), ("release", "up"), ("lost", "up")]


def test_r_begins_the_level_anew(window: Make) -> None:
    made, records = window(HALL)
    key("right")
    turns(made, 1.0)
    assert made._play.engine.taken
    key("r")
    turns(made, 0.1)
    assert not made._play.engine.taken
    assert not made._play.engine.steps > 10
    assert events(records(), "reset")[0]["by"] == "key"
    assert len(events(records(), "level")) == 1


def test_frames_are_logged_on_demand_with_the_figures_pixels(window: Make) -> None:
    made, records = window(HALL, "--log-frames")
    key("right")
    turns(made, 0.5)
    frames = events(records(), "frame")
    assert len(frames) >= 30
    assert frames[-1]["x"] > 4.8
    assert frames[-1]["figure"][0] > frames[0]["figure"][0] + 50
    quiet, said = window(HALL)
    turns(quiet, 0.2)
    assert events(said(), "frame") == []


@pytest.mark.parametrize("theme", ["light", "dark", "colour-blind"])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("size", ["320x240", "801x633"])
def test_every_look_shows_figure_key_door_walls_and_gaps(window: Make, look: str, theme: str, size: str) -> None:
    made, records = window(HALL, "--look", look, "--theme", theme, "--size", size, "--log-frames")
    shown = pixels(made)
    engine = made._play.engine
    cells = {cell["tile"]: cell for cell in events(records(), "window")[0]["cells"]}

    def part(tile: int, row: float, column: float, *, high: float = 1, wide: float = 1) -> Any:
        x, y, width, height = cells[tile]["walk"]
        a, b = width / engine.width, height / engine.height
        return shown[round(x + column * a) : round(x + (column + wide) * a),
                     round(y + row * b) : round(y + (row + high) * b)]  # fmt: skip

    wall, empty = part(2, 5, 3), part(2, 2, 3)
    for row, column, tile in ((4, 2, 2), (4, 5, 2), (4, 2, 3)):
        assert abs(part(tile, row, column) - part(tile, row - 2, column)).max() > 60, (row, column, tile)
    if look != "outlines":
        assert abs(wall.mean(axis=(0, 1)) - empty.mean(axis=(0, 1))).max() > 30
    key("space")
    turns(made, 0.5)
    frame = events(records(), "frame")[-1]
    assert (frame["view"], frame["zoom"]) == ("slide", 1.0)
    shown = pixels(made)
    (x, y, width, _), (right, *_) = cells[2]["slide"], cells[3]["slide"]
    gap = shown[x + width + 1 : right - 1, y + 3]
    assert len(gap) >= 2
    assert (gap == shown[1, -2]).all()


def test_the_camera_may_be_near_the_figures_tile(window: Make) -> None:
    made, records = window(HALL, "--camera", "tile", "--log-frames")
    _, said = window(HALL, "--log-frames")
    near = events(records(), "frame")
    assert events(said(), "frame")[0]["figure"][3] * 1.3 < near[0]["figure"][3]
    x, y, width, height = near[-1]["figure"]
    assert 0 < x < 800 - width
    assert 0 < y < 600 - height
    key("space")
    turns(made, 0.5)
    assert events(records(), "frame")[-1]["figure"][3] < near[0]["figure"][3] * 0.8


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--look", "walls"], ["--look", "bricks"]),
        (["--camera", "far"], ["--camera", "whole"]),
        (["--slow", "80"], ["--slow", "16-80", "'80'"]),
        (["--slow", "80-16"], ["--slow", "16-80"]),
        (["--gap", "90"], ["--gap", "from 0 to 20"]),
        (["--sample"], ["--sample"]),
        (["--advance", "button"], ["--advance", "stay"]),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(
    argv: list[str], words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["continuity", *argv]) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1
    assert all(word in error for word in words)


def test_a_level_in_the_graph_form_is_refused_in_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from autoplayer.games.continuity.puzzle import parse

    graph = (
        '{"squares": {"1": "AByz"}, "openings": {"a": 1, "b": 1, "y": 0, "z": 0}, "links": {}, '
        '"start": {"square": "1", "at": "A1"}, "keys": {}, "finish": {"square": "1", "at": "A1"}}'
    )
    parse(graph)
    path = tmp_path / "graph.txt"
    path.write_text(graph, encoding="utf-8")
    assert main(["continuity", "--levels", str(path)]) == 2
    assert "this one is a graph" in capfd.readouterr().err


@pytest.mark.parametrize("rough", [[], ["--slow", "16-80"]])
def test_a_real_window_is_won_with_real_keys(
    running: Callable[..., Running], display: VirtualDisplay, tmp_path: Path, rough: list[str]
) -> None:
    levels = tmp_path / "hall.txt"
    levels.write_text(HALL, encoding="utf-8")
    made = running("continuity", "--levels", str(levels), "--levels-limit", "1", *rough)
    made.await_event("landed")
    with hand(made.display) as do:
        from Xlib import XK, X
        from Xlib.ext import xtest

        wait_for(lambda: do("key", "Up") or made.records("press"))  # until the window hears keys
        do("key", "space")
        made.await_event("view")
        do("key", "Right")
        made.await_event("slide")
        do("key", "space")
        made.await_event("view", 2)
        right = do.server.keysym_to_keycode(XK.string_to_keysym("Right"))
        xtest.fake_input(do.server, X.KeyPress, right)
        do.server.sync()
        made.await_event("won")
        xtest.fake_input(do.server, X.KeyRelease, right)
        do.server.sync()
    assert made.await_event("closed")["wins"] == 1
    assert [each["tile"] for each in made.records("slide")] == ["1"]
