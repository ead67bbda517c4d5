"""The whole loop against the bundled window, by clicks and by keys. Its log is asked, not the bot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoplayer.cli import main
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from tests.bundled import Bundled, bundled

LEVELS = f"{format_puzzle(GAME.generate(4, 4, 1))}\n\n{format_puzzle(GAME.generate(5, 5, 2))}\n"

pytestmark = pytest.mark.usefixtures("display")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned about windows goes into a folder of the test's own."""
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "home"))


@pytest.fixture
def levels(tmp_path: Path) -> str:
    path = tmp_path / "levels.txt"
    path.write_text(LEVELS)
    return str(path)


def play(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """Runs `autoplayer play cross-set` here; returns the exit code, the JSON objects, and what it said as errors."""
    code = main(["play", "cross-set", "--json", *arguments])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


def fewest(window: Bundled) -> int:
    """The rotations that the window's levels want, by its own log of what it showed."""
    total = 0
    for event in window.events("level"):
        puzzle = parse(event["puzzle"])
        solution = GAME.solve(puzzle, time_limit=10).solution
        assert solution is not None
        total += sum(
            cell.index(number)
            for row, numbers in zip(puzzle.rows, solution, strict=True)
            for cell, number in zip(row, numbers, strict=True)
        )
    return total


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--theme", "light", "--animate", "300"), id="clicks, slow turns"),
        pytest.param(
            ("--controls", "keys", "--theme", "dark", "--look", "below", "--cells", "framed", "--glyphs", "font"),
            id="keys",
        ),
        pytest.param(("--look", "slots", "--cells", "grid", "--advance", "button"), id="clicks, slots"),
        pytest.param(("--drop-every", "4", "--look", "bright", "--singles", "open"), id="every fourth click lost"),
    ],
)
def test_levels_are_won_by_the_windows_own_log(
    options: tuple[str, ...], levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing tells the bot how this window is played, and it makes no rotation more than needed."""
    title = "Squares under test"
    with bundled(tmp_path, "--levels", levels, *options, title=title, game="cross-set") as window:
        code, results, err = play(capsys, "--window", title, "--levels", "2")
        assert window.all_released()
        assert ([each["status"] for each in results], window.won) == (["won", results[-1]["status"]], 2), err
        assert results[-1]["status"] in ("won", "played"), "after the last level nothing comes that could say so"
        assert code == 0
        assert window.stray == []
        assert len(window.events("rotated")) == fewest(window)
        assert window.events("locked", "unlocked") == []


def test_a_dry_run_presses_nothing(levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bundled(tmp_path, "--levels", levels, title="Squares, dry", game="cross-set") as window:
        code, results, _ = play(capsys, "--window", "Squares, dry", "--dry-run")
        assert code == 0
        assert results[0]["puzzle"] == LEVELS.split("\n\n", maxsplit=1)[0]
        assert window.events("press") == []
