"""The whole loop against the bundled window, in each way that it can be played. Its log is asked, not the bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bundled import bundled, play_json

LEVELS = """\
2.1..
.3..4
.....
.2.1.
2...3

1...
41.1
3.33
"""
"""Empty rows and columns; islands that touch."""

pytestmark = pytest.mark.usefixtures("display", "own_home")


@pytest.fixture
def levels(tmp_path: Path) -> str:
    path = tmp_path / "levels.txt"
    path.write_text(LEVELS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("levels_played", "options"),
    [
        pytest.param(1, ("--controls", "side", "--theme", "dark", "--look", "discs"), id="clicks beside discs"),
        pytest.param(
            1,
            ("--controls", "pair", "--theme", "colour-blind", "--look", "squares", "--glyphs", "font"),
            id="pairs of clicks on squares",
        ),
        pytest.param(
            2,
            ("--controls", "drag", "--theme", "light", "--drop-every", "6", "--advance", "button", "--grid", "dots"),
            id="drags between rings, every sixth link lost",
        ),
    ],
)
def test_levels_are_won_by_the_windows_own_log(
    levels_played: int, options: tuple[str, ...], levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing tells the bot how this window is played."""
    title = "Islands under test"
    with bundled(tmp_path, "--levels", levels, *options, title=title, game="hashi") as window:
        code, results, err = play_json(capsys, "hashi", "--window", title, "--levels", str(levels_played))
        assert window.all_released()
        assert window.won == len(results) == levels_played, err
        assert results[0]["status"] == "won", err
        assert results[-1]["status"] in ("won", "played"), "after the last level nothing comes that could say so"
        assert code == 0
        assert window.stray == []


def test_a_dry_run_presses_nothing(levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bundled(tmp_path, "--levels", levels, title="Islands, dry", game="hashi") as window:
        code, results, _ = play_json(capsys, "hashi", "--window", "Islands, dry", "--dry-run")
        assert code == 0
        assert results[0]["puzzle"].splitlines()[0].startswith("2.1")
        assert window.events("press") == []
