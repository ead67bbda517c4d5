"""The null game: known answers, and reading in windows of several sizes and themes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.core.errors import PuzzleError, UnreadableError
from autoplayer.core.frame import Image
from autoplayer.core.gestures import Click
from autoplayer.games.null import GAME, player, reader
from autoplayer.games.null.puzzle import Puzzle
from autoplayer.layout import Layout

LAYOUT = Layout(game="null")
ROWS = st.lists(st.booleans(), min_size=2, max_size=12).map(lambda lamps: Puzzle(tuple(lamps)))


def window(puzzle: Puzzle, pitch: int, colours: tuple[tuple[int, int, int], ...], square: bool = False) -> Image:
    """A row of lamps drawn otherwise than the game draws it. ``colours``: background, dark, lit, each BGR."""
    background, dark, light = colours
    image = np.full((pitch * 3, pitch * (len(puzzle.lamps) + 2), 3), background, np.uint8)
    for i, lit in enumerate(puzzle.lamps):
        x, y, half = pitch * (i + 1) + pitch // 2, pitch * 2, pitch // 3
        if square:
            cv2.rectangle(image, (x - half, y - half), (x + half, y + half), light if lit else dark, cv2.FILLED)
        else:
            cv2.circle(image, (x, y), half, light if lit else dark, cv2.FILLED, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("text", ["1 0 1", "0 0", "1 1 1 1 1 1 1 1 1 1 1 1", "0 1 0 0"])
@pytest.mark.parametrize("pitch", [14, 40, 133])
@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize(
    "colours",
    [
        pytest.param(((20, 20, 20), (80, 80, 80), (60, 220, 255)), id="dark theme"),
        pytest.param(((250, 250, 250), (90, 90, 90), (40, 170, 240)), id="light theme"),
    ],
)
def test_reads_windows_that_look_otherwise(
    text: str, pitch: int, square: bool, colours: tuple[tuple[int, int, int], ...]
) -> None:
    puzzle = GAME.parse(text)
    reading = GAME.read(window(puzzle, pitch, colours, square), LAYOUT)
    assert reading.puzzle == puzzle
    assert not reading.doubts
    for i in range(len(puzzle.lamps)):
        x, y = reading.places[0, i].centre
        assert abs(x - (pitch * (i + 1) + pitch // 2)) <= max(pitch // 10, 1)
        assert abs(y - pitch * 2) <= max(pitch // 10, 1)


def test_a_lamp_between_lit_and_dark_is_a_doubt() -> None:
    image = window(Puzzle((True, False, False)), 40, ((20, 20, 20), (80, 80, 80), (240, 240, 240)))
    cv2.circle(image, (40 * 2 + 20, 80), 40 // 3, (150, 150, 150), cv2.FILLED, cv2.LINE_AA)
    reading = GAME.read(image, LAYOUT)
    assert [doubt.cells for doubt in reading.doubts] == [((0, 1),)]
    assert {token for token, _ in reading.doubts[0].candidates} == {"0", "1"}
    assert reading.confidence < 0.75


@pytest.mark.parametrize(
    ("shapes", "why"),
    [
        pytest.param([(20, 20)], "expected 2 to 12", id="one shape is no row"),
        pytest.param([(20, 20), (60, 60), (100, 20)], "one row", id="not in one row"),
        pytest.param([(20, 20), (60, 20), (180, 20)], "unequal distances", id="a gap"),
    ],
)
def test_says_why_there_is_no_row(shapes: list[tuple[int, int]], why: str) -> None:
    image = np.full((120, 240, 3), 20, np.uint8)
    for centre in shapes:
        cv2.circle(image, centre, 12, (60, 220, 255), cv2.FILLED)
    with pytest.raises(UnreadableError, match=why):
        reader.lamps(image)


@pytest.mark.parametrize(
    ("text", "row", "column", "said"),
    [
        pytest.param("1 0 x", 1, 3, "found 'x'", id="a letter"),
        pytest.param("1 0\n0 1", 2, 0, "another", id="two rows"),
        pytest.param("1", 1, 0, "there are 1", id="too short"),
        pytest.param("1 " * 13, 1, 0, "there are 13", id="too long"),
        pytest.param("", 0, 0, "empty", id="nothing"),
    ],
)
def test_a_wrong_text_names_its_place(text: str, row: int, column: int, said: str) -> None:
    with pytest.raises(PuzzleError, match=said) as caught:
        GAME.parse(text)
    assert (caught.value.row, caught.value.column) == (row, column)


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        pytest.param((0,), "lamp 2 is lit, and is not pressed", id="one left out"),
        pytest.param((0, 1, 2), "lamp 1 is dark", id="a dark one"),
        pytest.param((0, 0, 2), "pressed 2 times", id="twice"),
        pytest.param((0, 2, 7), "no lamp 7", id="none there"),
    ],
)
def test_the_checker_names_each_fault(solution: tuple[int, ...], said: str) -> None:
    assert any(said in fault for fault in GAME.check(Puzzle((True, False, True)), solution))


@settings(max_examples=40, deadline=None)
@given(puzzle=ROWS)
def test_played_to_the_end_in_its_own_picture(puzzle: Puzzle) -> None:
    """Each move puts out the lamp that it clicks; after the last, nothing is left to do."""
    image = GAME.draw(puzzle)
    reading = GAME.read(image, LAYOUT)
    outcome = GAME.solve(reading.puzzle, time_limit=1)
    assert outcome.solution is not None
    lamps = list(puzzle.lamps)
    for turn in range(len(lamps) + 1):
        progress = player.progress(reading, puzzle, outcome.solution, GAME.draw(Puzzle(tuple(lamps))))
        assert progress.done == turn
        moves = player.plan(reading, puzzle, outcome.solution, progress, LAYOUT)
        if not moves:
            break
        (click,) = moves[0].gestures
        assert isinstance(click, Click)
        (hit,) = [i for i in range(len(lamps)) if reading.places[0, i].contains(click.at)]
        assert lamps[hit]
        lamps[hit] = False
    assert progress.complete
    assert not any(lamps)


def test_a_lamp_that_lit_up_is_wrong_and_pressed_again() -> None:
    puzzle = Puzzle((True, False, True))
    reading = GAME.read(GAME.draw(puzzle), LAYOUT)
    progress = player.progress(reading, puzzle, (0, 2), GAME.draw(Puzzle((False, True, True))))
    assert (progress.done, progress.wrong, progress.complete) == (1, 1, False)
    moves = player.plan(reading, puzzle, (0, 2), progress, LAYOUT)
    assert [move.cells for move in moves] == [((0, 1),), ((0, 2),)]
