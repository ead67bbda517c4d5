"""What `games.base.Game` promises, tested for every registered game with puzzles that the game generates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer import games
from autoplayer.core.errors import PuzzleError, UnreadableError, UsageError
from autoplayer.core.frame import Image
from autoplayer.core.gestures import Click, Drag, Hold, Keys, Wheel
from autoplayer.games.base import Game, Progress, Reading, reads_windows, usual_size
from autoplayer.layout import Layout

SIZES = ((5, 5), (4, 6), (1, 6), (2, 2))
"""(rows, columns) that are tried: not every game has every size, but every game has some of these."""
SEEDS = (1, 2, 3)

AnyGame = Game[Any, Any]


@pytest.fixture(scope="module", params=games.names())
def game(request: pytest.FixtureRequest) -> AnyGame:
    return games.load(request.param)


def made(game: AnyGame) -> list[Any]:
    """Puzzles that ``game`` generates, one or more of each of its sizes."""
    found = []
    for rows, columns in SIZES:
        try:
            found += [game.generate(rows, columns, seed) for seed in SEEDS]
        except UsageError:
            continue
    assert found, f"{game.name} generates none of the sizes {SIZES}"
    return found


@pytest.fixture(scope="module")
def puzzles(game: AnyGame) -> list[Any]:
    return made(game)


@pytest.fixture(scope="module")
def readings(game: AnyGame, puzzles: list[Any]) -> list[tuple[Any, Image, Reading[Any]]]:
    """Each puzzle with the game's own picture of it, and what is read in that."""
    if not reads_windows(game):
        pytest.skip(f"{game.name} does not read windows yet, and says so")
    drawn = [(puzzle, game.draw(puzzle)) for puzzle in puzzles]
    return [(puzzle, image, game.read(image, Layout(game=game.name))) for puzzle, image in drawn]


def test_a_game_that_reads_no_windows_says_so(game: AnyGame, puzzles: list[Any]) -> None:
    if reads_windows(game):
        pytest.skip("it reads them")
    layout = Layout(game=game.name)
    solution = game.solve(puzzles[0], time_limit=20).solution
    image = game.draw(puzzles[0])
    reading: Reading[Any] = Reading(puzzles[0], {}, (), 1.0, image)
    seen = Progress(False, 0, 0, 0)
    for attempt in (
        lambda: game.read(image, layout),
        lambda: game.progress(reading, puzzles[0], solution, image),
        lambda: game.plan(reading, puzzles[0], solution, seen, layout),
    ):
        with pytest.raises(UnreadableError, match="windows are not read yet"):
            attempt()


def test_is_called_as_registered(game: AnyGame) -> None:
    assert games.load(game.name) is game
    assert game.title


def test_generates_the_same_again(game: AnyGame, puzzles: list[Any]) -> None:
    assert made(game) == puzzles
    assert len(set(puzzles)) > 1, "every seed gives the same puzzle"


def test_generates_a_puzzle_of_its_usual_size(game: AnyGame) -> None:
    """`autoplayer generate GAME` without a size is refused by no game."""
    puzzle = game.generate(*usual_size(game), 1)
    assert game.parse(game.format(puzzle)) == puzzle


@pytest.mark.parametrize("size", [(0, 5), (-1, 3), (5, 0), (100_000, 100_000)])
def test_refuses_sizes_that_cannot_be(game: AnyGame, size: tuple[int, int]) -> None:
    with pytest.raises(UsageError):
        game.generate(*size, 1)


def test_text_comes_back(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles:
        text = game.format(puzzle)
        assert game.parse(text) == puzzle
        assert game.format(game.parse(text)) == text
        assert game.parse(text + "\n") == puzzle
        assert "\n\n" not in text, "a blank line would end the puzzle in a file"


def test_solves_its_own_puzzles(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles:
        outcome = game.solve(puzzle, time_limit=20)
        assert outcome.status == "solved"
        assert outcome.solution is not None
        if game.promises_one_solution:
            assert outcome.unique is True, "generated puzzles have one solution"
            assert (outcome.found, outcome.exhausted) == (1, True)
        assert outcome.seconds >= 0
        assert game.check(puzzle, outcome.solution) == []
        assert game.faults(puzzle) == []
        assert game.show(puzzle, outcome.solution).strip()


def test_checker_sees_a_missing_part(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles:
        data = game.solution_to_json(game.solve(puzzle, time_limit=20).solution)
        assert isinstance(data, list)
        assert game.check(puzzle, game.solution_from_json(data[:-1]))


def test_checker_sees_another_puzzles_solution(game: AnyGame, puzzles: list[Any]) -> None:
    solutions = [game.solve(puzzle, time_limit=20).solution for puzzle in puzzles]
    for puzzle, own in zip(puzzles, solutions, strict=True):
        for other in solutions:
            assert bool(game.check(puzzle, other)) == (other != own)


def test_solution_comes_back_from_json(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles:
        solution = game.solve(puzzle, time_limit=20).solution
        assert game.solution_from_json(json.loads(json.dumps(game.solution_to_json(solution)))) == solution


@pytest.mark.parametrize("data", [None, 5, "text", {"a": 1}, [None], ["x"], [[["a", "b"]]], [[[[[1]]]]]])
def test_solution_of_another_shape_is_refused(game: AnyGame, data: Any) -> None:
    with pytest.raises(PuzzleError):
        game.solution_from_json(data)


def test_explains(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles:
        steps = game.explain(puzzle)
        assert steps == game.explain(puzzle)
        assert all(step.rule and step.text for step in steps)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=80) | st.text("X0123456789.- \n,#/", max_size=80))
def test_any_text_is_a_puzzle_or_a_puzzle_error(game: AnyGame, text: str) -> None:
    puzzle, fault = None, None
    try:
        puzzle = game.parse(text)
    except PuzzleError as error:
        fault = error
    if fault is None:
        assert game.parse(game.format(puzzle)) == puzzle
    else:
        assert str(fault)
        assert "\n" not in str(fault)
        assert fault.row >= 0
        assert fault.column >= 0


@pytest.mark.parametrize("text", ["", " \n\n ", "1 " * 3 + "9" * 300, "a b c\nd e f", "X 1 2\n1"])
def test_wrong_text_is_refused(game: AnyGame, text: str) -> None:
    with pytest.raises(PuzzleError):
        game.parse(text)


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.zeros((480, 640, 3), np.uint8), id="black"),
        pytest.param(np.full((480, 640, 3), 255, np.uint8), id="white"),
        pytest.param(np.full((1, 1, 3), 90, np.uint8), id="one pixel"),
        pytest.param(np.random.default_rng(1).integers(0, 256, (300, 400, 3), np.uint8), id="noise"),
        pytest.param(np.tile(np.arange(0, 256, dtype=np.uint8), (200, 1))[..., None].repeat(3, 2), id="gradient"),
    ],
)
def test_what_is_no_board_is_unreadable(game: AnyGame, image: np.ndarray[Any, Any]) -> None:
    before = image.copy()
    with pytest.raises(UnreadableError) as caught:
        game.read(image, Layout(game=game.name))
    assert str(caught.value)
    assert (image == before).all(), "reading changed the picture"


def test_draws_a_picture(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles:
        image = game.draw(puzzle)
        assert image.dtype == np.uint8
        assert image.ndim == 3
        assert image.shape[2] == 3


def test_reads_its_own_picture(game: AnyGame, readings: list[tuple[Any, Image, Reading[Any]]]) -> None:
    for puzzle, image, reading in readings:
        assert game.format(reading.puzzle) == game.format(puzzle)
        assert 0 < reading.confidence <= 1
        height, width = image.shape[:2]
        for box in reading.places.values():
            assert box.x >= 0
            assert box.y >= 0
            assert box.x + box.width <= width
            assert box.y + box.height <= height


def test_draws_the_solution(game: AnyGame, puzzles: list[Any]) -> None:
    for puzzle in puzzles[:3]:
        solution = game.solve(puzzle, time_limit=20).solution
        if game.solution_to_json(solution):
            assert not np.array_equal(game.draw(puzzle), game.draw(puzzle, solution))


def test_plans_inside_the_window_until_nothing_is_left(
    game: AnyGame, readings: list[tuple[Any, Image, Reading[Any]]]
) -> None:
    """For a picture of the untouched board there are moves, and all their points are inside the window."""
    layout = Layout(game=game.name)
    for puzzle, image, reading in readings:
        solution = game.solve(puzzle, time_limit=20).solution
        progress = game.progress(reading, puzzle, solution, image)
        assert progress.present
        assert progress.wrong == 0
        assert 0 <= progress.done <= progress.total
        moves = game.plan(reading, puzzle, solution, progress, layout)
        assert bool(moves) == (not progress.complete)
        for move in moves:
            assert move.name
            assert move.gestures
            assert set(move.cells) <= set(reading.places)
            for gesture in move.gestures:
                match gesture:
                    case Click(at, _) | Wheel(at, _):
                        points: tuple[tuple[int, int], ...] = (at,)
                    case Drag(path, _):
                        assert len(path) > 1
                        points = path
                    case Keys(keys) | Hold(keys, _):
                        assert keys
                        points = ()
                for x, y in points:
                    assert 0 <= x < image.shape[1]
                    assert 0 <= y < image.shape[0]


READS = """
from autoplayer import games
from autoplayer.layout import Layout
for game in map(games.load, ("cardinal-chains", "cross-set", "hashi")):
    reading = game.read(game.draw(game.generate(6, 6, 1)), Layout(game=game.name))
    print(game.name, repr(reading.confidence), reading.doubts)
"""


def test_a_picture_is_read_alike_in_every_run() -> None:
    """To the last digit, also where Python orders sets of strings differently in another run."""
    seen = {
        subprocess.run(
            [sys.executable, "-c", READS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1, "\n".join(seen)


def test_a_black_window_is_not_the_board(game: AnyGame, readings: list[tuple[Any, Image, Reading[Any]]]) -> None:
    puzzle, image, reading = readings[0]
    solution = game.solve(puzzle, time_limit=20).solution
    progress = game.progress(reading, puzzle, solution, np.zeros_like(image))
    assert not progress.present
    assert not progress.complete


def test_a_token_can_be_replaced(game: AnyGame, puzzles: list[Any]) -> None:
    """Putting a cell's own token back, where the text is a grid of tokens, changes nothing."""
    for puzzle in puzzles:
        assert game.replace(puzzle, {}) == puzzle
        text = game.format(puzzle)
        # Tokens stand apart, or are a character each.
        token = text.split()[0] if " " in text else text[0]
        assert game.replace(puzzle, {(0, 0): token}) == puzzle
