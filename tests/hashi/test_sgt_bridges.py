"""Hashi in the real program `sgt-bridges`: what stands in its window at the end is judged by the independent checker
against the puzzle of the game's own description, and by the test's own eye for lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autoplayer.cli import main
from autoplayer.core.frame import Point
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, check, format_puzzle, parse
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.session import limits
from tests.hashi import sgt
from tests.screen.panes import until

pytestmark = [pytest.mark.usefixtures("display", "own_home"), sgt.needs_program]

QUICK = """\
version = 1
game = "hashi"
pace = { press = 0.02, step = 0.02, release = 0.01 }
"""

SURE = Pace(0.06, 0.06, 0.04)
"""The test's own hand is slower than the program could miss."""

Played = tuple[int, dict[str, Any], str]


@pytest.fixture(autouse=True)
def short_flash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's flash is over sooner than a celebration may last elsewhere."""
    monkeypatch.setattr(limits, "FLASH_LIMIT", 1.5)


@pytest.fixture
def gestures(monkeypatch: pytest.MonkeyPatch) -> list[Gesture]:
    """Everything that is done to the window."""
    made: list[Gesture] = []
    perform = DesktopScreen.perform

    def noted(self: DesktopScreen, some: Sequence[Gesture], pace: Pace) -> None:
        made.extend(some)
        perform(self, some, pace)

    monkeypatch.setattr(DesktopScreen, "perform", noted)
    return made


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Played]:
    """Runs `autoplayer play` here on one board, quickly unless other options are given; returns the exit code, the
    JSON object, and what it said as errors."""
    profile = tmp_path / "quick.toml"
    profile.write_text(QUICK, encoding="utf-8")

    def call(*options: str) -> Played:
        options = options or ("--layout", str(profile))
        code = main(["play", "hashi", "--window", "Bridges", "--levels", "1", "--json", *options])
        said = capsys.readouterr()
        return code, json.loads(said.out.splitlines()[-1]), said.err

    return call


def assert_done(window: sgt.Bridges, played: Played, status: str = "played") -> None:
    code, result, said = played
    assert (code, result["status"], result["error"]) == (0, status, None), said
    assert result["puzzle"] == format_puzzle(window.puzzle)
    assert check(window.puzzle, window.solution()) == []
    assert window.locked() == []


def pressed(gestures: Sequence[Gesture]) -> list[Point]:
    return [
        point
        for gesture in gestures
        for point in (gesture.path if isinstance(gesture, Drag) else [gesture.at] if isinstance(gesture, Click) else [])
    ]


def on_board(window: sgt.Bridges, point: Point) -> bool:
    """Whether a point lies on the board, islands' rings and all."""
    tile, (x, y) = window.geometry()
    right, bottom = x + (window.puzzle.width - 1) * tile, y + (window.puzzle.height - 1) * tile
    return x - 0.6 * tile <= point[0] <= right + 0.6 * tile and y - 0.6 * tile <= point[1] <= bottom + 0.6 * tile


def hand(window: sgt.Bridges, *some: Gesture) -> None:
    """The test's own hand: what a person did before."""
    screen = DesktopScreen(window.now())
    try:
        screen.perform(some, SURE)
        screen.park((2, window.now().area.height - 3))
        screen.still(2.0, quiet=0.2)
    finally:
        screen.close()


def drag(window: sgt.Bridges, bridge: Bridge, button: Any = "left") -> Drag:
    return Drag((window.middle(bridge.a), window.middle(bridge.b)), button)


def build(window: sgt.Bridges, links: dict[Bridge, int]) -> None:
    """Drag until so many links stand: on a busy machine the program may lose a drag."""
    for _ in range(6):
        stands = window.links()
        missing = [bridge for bridge, n in links.items() for _ in range((n - stands[bridge]) % 3)]
        if not missing:
            return
        hand(window, *(drag(window, bridge) for bridge in missing))
    raise AssertionError(f"the test's own hand could not build {links}")


def solution(window: sgt.Bridges) -> dict[Bridge, int]:
    """For every bridge, what belongs there."""
    found = GAME.solve(window.puzzle, time_limit=10).solution
    assert found is not None
    return dict.fromkeys(window.puzzle.bridges, 0) | {Bridge(link.a, link.b): link.links for link in found}


def test_a_description_is_decoded() -> None:
    assert sgt.decode("7x7m2:3d4h4a5b6h4b2a4c4c23d1a") == parse(
        "3....4.\n.......\n4.5..6.\n.......\n4..2.4.\n..4...2\n3....1."
    )


@pytest.mark.parametrize(
    ("game", "tile"),
    [
        pytest.param("7x7m2d0#1", 40, id="7x7"),
        pytest.param("15x15i15e20m2d1#7", 32, id="15x15"),
    ],
)
def test_a_board_is_done_and_nothing_else_is_pressed(
    game: str, tile: int, play: Callable[..., Played], gestures: list[Gesture]
) -> None:
    with sgt.bridges(game, tile) as window:
        assert_done(window, play())
        assert len(gestures) >= sum(window.links().values())
        assert all(on_board(window, point) for point in pressed(gestures))
        assert not [gesture for gesture in gestures if isinstance(gesture, Keys)]


def test_without_a_profile_it_is_found_out_that_links_are_dragged(tmp_path: Path, play: Callable[..., Played]) -> None:
    with sgt.bridges("7x7m2d0#5", 24) as window:
        assert_done(window, play("--layout", "none"))
    (learned,) = (tmp_path / "home" / "learned").glob("*.toml")
    assert 'controls = "drag"' in learned.read_text(encoding="utf-8")
    assert 'kind = "unknown"' in learned.read_text(encoding="utf-8")


def test_a_window_of_twice_its_size(play: Callable[..., Played]) -> None:
    with sgt.bridges("7x7m2d2#9", 32) as window:
        window.resize(2)
        assert_done(window, play())
        assert window.geometry()[0] == 64


def test_wrong_links_are_taken_away_and_the_rest_is_finished(play: Callable[..., Played]) -> None:
    with sgt.bridges("10x10m2d1#3", 32) as window:
        wanted = solution(window)
        right = [bridge for bridge, n in wanted.items() if n][:6]
        across = {k for bridge in right for k in window.puzzle.crossings[window.puzzle.bridges.index(bridge)]}
        wrong = [b for k, (b, n) in enumerate(wanted.items()) if not n and k not in across][:3]
        build(window, dict.fromkeys(right, 1) | dict(zip(wrong, (2, 1, 1), strict=True)))
        assert_done(window, play())


def test_a_locked_island_is_unlocked(play: Callable[..., Played]) -> None:
    with sgt.bridges("7x7m2d0#2", 40) as window:
        wanted = solution(window)
        first = next(bridge for bridge, n in wanted.items() if n)
        hand(window, drag(window, first), Click(window.middle(first.a)))
        until(lambda: window.locked() == [first.a], "the island to be locked")
        hand(window, drag(window, first))
        assert window.links()[first] == 1, "a locked island takes no further link"
        assert_done(window, play())


def test_a_mark_against_a_wanted_bridge_is_removed(play: Callable[..., Played]) -> None:
    with sgt.bridges("7x7m2d0#4", 40) as window:
        first = next(bridge for bridge, n in solution(window).items() if n)
        bare = window.grab()
        hand(window, drag(window, first, "right"))
        until(lambda: not np.array_equal(window.grab(), bare), "the mark")
        marked = window.grab()
        hand(window, drag(window, first))
        assert np.array_equal(window.grab(), marked), "a marked place takes no link"
        assert_done(window, play())


def test_islands_locked_by_lost_moves_are_unlocked(
    play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every fifth drag loses its moves, and becomes a click."""
    perform = DesktopScreen.perform
    counted = {"drags": 0}

    def losing(self: DesktopScreen, some: Sequence[Gesture], pace: Pace) -> None:
        made: list[Gesture] = []
        for gesture in some:
            counted["drags"] += isinstance(gesture, Drag)
            lost = isinstance(gesture, Drag) and counted["drags"] % 5 == 0
            made.append(Click(gesture.path[0]) if lost and isinstance(gesture, Drag) else gesture)
        perform(self, made, pace)

    monkeypatch.setattr(DesktopScreen, "perform", losing)
    with sgt.bridges("7x7m2d0#6", 32) as window:
        assert_done(window, play())
    assert counted["drags"] >= 5


def test_new_games_are_played_one_after_another(
    tmp_path: Path, gestures: list[Gesture], capsys: pytest.CaptureFixture[str]
) -> None:
    with sgt.bridges("7x7m2d0#8", 32) as window:
        arguments = ["--window", "Bridges", "--layout", "sgt-bridges", "--levels", "3", "--json"]
        code = main(["play", "hashi", *arguments])
        results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert all(on_board(window, point) for point in pressed(gestures))
    assert code == 0
    assert [result["status"] for result in results] == ["won"] * 3
    puzzles = [result["puzzle"] for result in results]
    assert puzzles[0] == format_puzzle(window.puzzle)
    assert len(set(puzzles)) == 3
    for result in results:
        assert check(parse(result["puzzle"]), GAME.solution_from_json(result["solution"])) == []
    assert [gesture for gesture in gestures if isinstance(gesture, Keys)] == [Keys(("n",))] * 3
