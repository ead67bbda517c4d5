"""The whole loop against the bundled window, by clicks and by keys. Its log is asked, not the bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoplayer.core.gestures import Click, Pace
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle, Solution, format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.screen.desktop import DesktopScreen
from tests.bundled import Bundled, bundled, play_json

LEVELS = [format_puzzle(GAME.generate(size, size, seed)) for size, seed in ((4, 1), (5, 2))]

pytestmark = pytest.mark.usefixtures("display", "own_home")


@pytest.fixture
def levels(tmp_path: Path) -> str:
    path = tmp_path / "levels.txt"
    path.write_text("\n\n".join(LEVELS) + "\n", encoding="utf-8")
    return str(path)


def fewest(window: Bundled, levels: int) -> int:
    """The rotations that the window's first levels want, by its own log of what it showed."""
    total = 0
    for event in window.events("level")[:levels]:
        puzzle = parse(event["puzzle"])
        for row, numbers in zip(puzzle.rows, solved(puzzle), strict=True):
            total += sum(cell.index(number) for cell, number in zip(row, numbers, strict=True))
    return total


def solved(puzzle: Puzzle) -> Solution:
    solution = GAME.solve(puzzle, time_limit=10).solution
    assert solution is not None
    return solution


@pytest.mark.parametrize(
    ("levels_played", "options"),
    [
        pytest.param(2, ("--theme", "light", "--animate", "300"), id="clicks, slow turns"),
        pytest.param(
            1,
            ("--controls", "keys", "--theme", "dark", "--look", "below", "--cells", "framed", "--glyphs", "font"),
            id="keys",
        ),
        pytest.param(1, ("--look", "slots", "--cells", "grid", "--advance", "button"), id="clicks, slots"),
        pytest.param(1, ("--drop-every", "4", "--look", "bright", "--singles", "open"), id="every fourth click lost"),
    ],
)
def test_levels_are_won_by_the_windows_own_log(
    levels_played: int, options: tuple[str, ...], levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing tells the bot how this window is played, and it makes no rotation more than needed."""
    title = "Squares under test"
    with bundled(tmp_path, "--levels", levels, *options, title=title, game="cross-set") as window:
        code, results, err = play_json(capsys, "cross-set", "--window", title, "--levels", str(levels_played))
        assert window.all_released()
        assert window.won == len(results) == levels_played, err
        # After the file's last level nothing comes that could say that it was won.
        assert {each["status"] for each in results[: len(LEVELS) - 1]} == {"won"}, err
        assert {each["status"] for each in results} <= {"won", "played"}
        assert code == 0
        assert window.stray == []
        assert len(window.events("rotated")) == fewest(window, levels_played)
        assert window.events("locked", "unlocked") == []


def test_a_board_with_numbers_of_two_digits_is_won_by_the_windows_own_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--theme", "light", "--look", "slots", "--cells", "grid", "--size", "1000x900")
    levels = tmp_path / "levels.txt"
    levels.write_text(f"{format_puzzle(GAME.generate(10, 10, 2))}\n\n{LEVELS[0]}\n", encoding="utf-8")
    title = "Large squares under test"
    with bundled(tmp_path, "--levels", str(levels), *options, title=title, game="cross-set") as window:
        code, results, err = play_json(capsys, "cross-set", "--window", title, "--levels", "1")
        assert window.all_released()
        assert (code, window.won, len(results)) == (0, 1, 1), err
        assert window.stray == []
        assert len(window.events("rotated")) == fewest(window, 1)


def test_a_half_played_board_is_finished_and_wrong_locks_are_opened(
    levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A person has turned some cells, one of them too far, and locked two, one of them wrongly."""
    puzzle = GAME.generate(4, 4, 1)
    turns = {
        (r, c): cell.index(solved(puzzle)[r][c]) for r, row in enumerate(puzzle.rows) for c, cell in enumerate(row)
    }
    done, locked, too_far = [cell for cell, n in turns.items() if n][:3]
    title = "Squares, half played"
    with bundled(tmp_path, "--levels", levels, title=title, game="cross-set") as window:
        with DesktopScreen(window.window) as screen:
            places = GAME.read(screen.still().image, Layout(game="cross-set")).places
            clicks = {done: turns[done], too_far: turns[too_far] + 1}
            gestures = [Click(places[cell].centre) for cell, n in clicks.items() for _ in range(n)]
            gestures += [Click(places[cell].centre, "right") for cell in (done, locked)]
            screen.perform(gestures, Pace())
        before = len(window.events("rotated"))
        assert before == sum(clicks.values())
        code, results, err = play_json(capsys, "cross-set", "--window", title, "--levels", "1")
        assert (code, [each["status"] for each in results], window.won) == (0, ["won"], 1), err
        around = len(puzzle.rows[too_far[0]][too_far[1]]) - 1
        left = sum(turns.values()) - turns[done] - turns[too_far] + around
        assert len(window.events("rotated")) - before == left
        assert [tuple(event["cell"]) for event in window.events("unlocked")] == [locked]
        assert [tuple(event["cell"]) for event in window.events("locked")] == [done, locked]


def test_a_dry_run_presses_nothing(levels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bundled(tmp_path, "--levels", levels, title="Squares, dry", game="cross-set") as window:
        code, results, _ = play_json(capsys, "cross-set", "--window", "Squares, dry", "--dry-run")
        assert code == 0
        assert results[0]["puzzle"] == LEVELS[0]
        assert window.events("press") == []
