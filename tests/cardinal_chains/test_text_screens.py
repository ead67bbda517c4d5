"""Boards on text screens: rows of characters among lines of text, as terminals show a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.core.gestures import Keys
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle, parse
from autoplayer.games.cardinal_chains.seeing.text.characters import set_apart
from autoplayer.games.cardinal_chains.seeing.text.screens import Cutting
from autoplayer.games.cardinal_chains.seeing.text.terminal import refuse_what_leaves_lines_over
from autoplayer.layout import Layout
from tests.cardinal_chains.text_screen import HEIGHT, WIDTH, text_screen

LAYOUT = Layout(game="cardinal-chains")


@pytest.mark.parametrize("step", [2, 3])
def test_a_board_on_a_text_screen_is_told_from_the_text(step: int) -> None:
    """Of terminals: the board starts at the window's very edge, text stands right below it in the same columns, and the
    character under the cursor stands in a filled block."""
    rows = ["X 1 1 2 X", "1 . 8 . 1", "1 2 2 3 1", "X 1 3 3 2"]
    starts = {(0, 0): (0, 0, 205), (0, 4): (0, 205, 0), (3, 0): (205, 205, 0)}
    image = text_screen(rows, starts, step=step, block=(0, 0))
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts
    assert reading.image is image
    for (r, c), box in reading.places.items():
        assert box.contains((c * step * WIDTH + WIDTH // 2, r * HEIGHT + HEIGHT // 2)), (r, c)


def test_a_prompt_right_below_a_board_is_no_row_of_it() -> None:
    """Of a terminal that prints its help first: the prompt stands in the line below the last row."""
    rows = ["X 1 1 2 3 X", "1 1 1 . 8 1", "1 2 2 2 3 1", "X 1 . 3 3 2"]
    reading = GAME.read(text_screen(rows, {(0, 0): (0, 0, 205)}, below=True), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts


def test_a_character_in_the_screens_own_colour_on_a_block_is_read() -> None:
    """Of a terminal: the active end stands black on a white block; it was drawn black on the black screen."""
    rows = ["X 1 1 2 X", "1 . 8 . 1", "1 2 2 3 1", "X 1 3 3 2"]
    image = text_screen(rows, {(0, 0): (0, 0, 0)}, block=(0, 0))
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts


def test_of_boards_printed_one_below_the_other_the_last_one_is_read() -> None:
    """Of a terminal that does not clear its screen: the answer to the prompt stands right above the board."""
    rows = ["X 1 1 2 X", "1 . 8 . 1", "1 2 2 3 1", "X 1 3 3 2"]
    one = text_screen(rows, {})
    upper, lower = one[: (len(rows) + 6) * HEIGHT].copy(), one
    cv2.putText(upper, "s", (5 * WIDTH, upper.shape[0] - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (225, 225, 225), 1)
    reading = GAME.read(np.vstack([upper, lower]), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert all(box.y > upper.shape[0] - HEIGHT for box in reading.places.values())


def test_characters_without_a_space_between_them_are_a_cell_each() -> None:
    """Of a terminal that prints a board as it is written: of its rows those with holes were read alone, as 32 and X,
    without a doubt, and boards without holes were refused. Under the cursor stands a block that touches the next."""
    rows = [". 3 2 . X", ". . 1 . 1", "X 1 2 . 3", ". . 3 . .", "X 1 2 3 ."]
    starts = {(0, 4): (0, 0, 205), (2, 0): (0, 205, 0), (4, 0): (205, 205, 0)}
    for cursor in ((0, 4), (2, 1)):
        colours = {(2, 1): (0, 0, 0)} if cursor == (2, 1) else {}
        reading = GAME.read(text_screen(rows, starts | colours, step=1, block=cursor), LAYOUT)
        assert format_puzzle(reading.puzzle).splitlines() == rows, cursor
        assert not reading.doubts
        assert all(box.contains((c * WIDTH + 6, r * HEIGHT + 13)) for (r, c), box in reading.places.items())


def test_points_on_a_text_screen_are_holes_and_the_zero_is_the_start() -> None:
    """Incident: of a terminal that prints a point for each hole only one column was read, without a doubt."""
    rows = ["X . . .", "1 . . .", "1 1 1 1"]
    image = text_screen(["0 . . .", *rows[1:]], {(0, 0): (0, 205, 0)}, step=3, dots=True)
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts


def test_a_frame_around_a_text_screens_board_is_none_of_its_characters() -> None:
    """Of a terminal with panels: a piece of the frame stands at both ends of each line, and the board was not seen."""
    rows = ["X 6 5", "2 2 1", "4 3 X"]
    image = text_screen(rows, {(0, 0): (0, 0, 205)}, framed=True)
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert reading.extra.get("text")


def test_a_zero_beside_starts_is_no_number_on_a_text_screen() -> None:
    """It may be a hole, a start, or where a chain has come to."""
    rows = ["0 3 2 . X", "2 . 1 . 1", "3 . X . 2", "X 1 2 . 3", "4 . 3 . .", "X 1 2 3 ."]
    with pytest.raises(UnreadableError):
        GAME.read(text_screen(rows, {}, dots=True), LAYOUT)


def test_a_board_that_leaves_characters_of_its_lines_over_is_none() -> None:
    """Incident: one column of a terminal's board was read as the whole of it, without a doubt."""
    image = text_screen(["X 1 1 2 X", "1 . 8 . 1", "1 2 2 3 1", "X 1 3 3 2"], {})
    reading = GAME.read(image, LAYOUT)
    refuse_what_leaves_lines_over(image, reading)
    column = {cell: box for cell, box in reading.places.items() if cell[1] == 0}
    with pytest.raises(UnreadableError, match="14 characters in the same lines"):
        refuse_what_leaves_lines_over(image, replace(reading, places=column))


def test_the_answer_to_a_prompt_above_a_board_is_no_cell_of_it() -> None:
    """Incident: an s that had been typed was read as a 5 above the board's first row, without a doubt."""
    rows = ["X 1 1 2 X", "1 . 8 . 1", "1 2 2 3 1", "X 1 3 3 2"]
    image = text_screen(rows, {})
    answered = image[: 10 * HEIGHT].copy()
    answered[9 * HEIGHT :] = 0
    cv2.putText(answered, "s", (1, 10 * HEIGHT - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (225, 225, 225), 1, cv2.LINE_AA)
    reading = GAME.read(np.vstack([answered, image]), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows


def test_a_row_with_a_strange_sign_is_no_prompt() -> None:
    """Where the lines cannot all be read, the first or the last one may be a prompt, but a row of the board is none."""
    with pytest.raises(UnreadableError):
        GAME.read(text_screen(["% 3 3 X", "X 1 1 2", "1 1 2 2"], {}), LAYOUT)


def test_of_levels_printed_one_below_the_other_the_last_one_is_read_though_it_is_smaller() -> None:
    """Incident: the solved level above the next one was taken for it, for it had more characters."""
    upper = text_screen(["X 1 1 2 X", "1 . 8 . 1", "1 2 2 3 1", "X 1 3 3 2"], {})[: 10 * HEIGHT]
    rows = ["3 2 X", "3 1 1"]
    reading = GAME.read(np.vstack([upper, text_screen(rows, {})]), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows


def drawn(rows: Sequence[str], *windows: Image) -> list[tuple[int, int, int]]:
    """What is seen in windows of one level, the first one that of its beginning: cells done, wrong and foreign."""
    puzzle = parse("\n".join(rows))
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    reading = GAME.read(windows[0], LAYOUT)
    assert reading.puzzle == puzzle
    seen = [GAME.progress(reading, puzzle, solution, window) for window in windows]
    return [(now.done, now.wrong, len(now.state.foreign)) for now in seen]


def test_an_end_in_a_block_without_a_colour_belongs_to_the_chain_that_it_hangs_together_with() -> None:
    """Incident: the block of a chain's end, black on white, was taken for the chain whose start stood beside it."""
    rows = ["X 6 5", "2 2 1", "4 3 X"]
    chain, black, blue, green = [(0, 0), (1, 0), (1, 1), (2, 1)], (0, 0, 0), (205, 0, 0), (0, 205, 0)
    windows = [
        text_screen(rows, {(2, 2): green} | dict.fromkeys(chain[:n], blue) | {chain[n]: black}, block=chain[n])
        for n in range(4)
    ]
    assert drawn(rows, *windows) == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]


def test_numbers_may_have_colours_of_their_own_and_a_chain_may_leave_its_starts_sign() -> None:
    """Of a terminal: each number has its colour, the largest the chain's own, and where the chain has been stands an X;
    a third of the board was taken for drawn, and the rest for another board."""
    rows = ["3 2 2 1", "3 6 5 1", "4 4 5 X"]
    inks = {"1": (0, 205, 205), "2": (0, 205, 0), "3": (205, 0, 205), "4": (0, 0, 205), "5": (205, 205, 0)}
    plain = {(r, c): inks.get(token, (238, 0, 0)) for r, row in enumerate(rows) for c, token in enumerate(row.split())}
    chain = [(2, 3), (1, 3), (0, 3), (0, 2)]
    windows = []
    for n in range(4):
        now = [
            ["X" if (r, c) in chain[: n + 1] else t for c, t in enumerate(row.split())] for r, row in enumerate(rows)
        ]
        colours = plain | dict.fromkeys(chain[: n + 1], (238, 0, 0))
        windows.append(text_screen([" ".join(row) for row in now], colours, step=1, block=chain[n]))
    assert drawn(rows, *windows) == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]


def test_in_a_terminal_nothing_is_dragged_or_clicked() -> None:
    """Incident: where no letter led on, drags selected the text, which looked like chains, and a level was won."""
    rows = ["X 1 1 2", "X 2 2 3", "1 1 3 3"]
    puzzle = parse("\n".join(rows))
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    reading = GAME.read(text_screen(rows, {}), LAYOUT)
    now = GAME.progress(reading, puzzle, solution, reading.image)
    tries = [GAME.plan(reading, puzzle, solution, now, LAYOUT, attempt) for attempt in range(80)]
    assert tries[10]
    assert not tries[-1]
    assert all(isinstance(gesture, Keys) for moves in tries for move in moves for gesture in move.gestures)


def test_lines_of_points_alone_are_no_characters() -> None:
    """Incident: where nothing but points stood between the words of a window, there was a traceback."""
    points = np.array([[20 * k, 30, 3, 3] for k in range(6)], np.int32)
    below = np.array([0, 24, 0, 0], np.int32)
    ground = np.array((255.0, 255.0, 255.0))
    cut = Cutting(
        np.full((80, 160, 3), 255, np.uint8), ground, (0, 0), (points, points + below), True, 14.0, 54.0, 24.0
    )
    assert set_apart(cut, close=True) is None


def test_a_character_within_another_one_is_in_no_column() -> None:
    """A ring around a number: their middles are the same, and what is no distance divides by nothing."""
    lines = [[[20, 20, 18, 14], [24, 22, 10, 10], [60, 20, 10, 14]], [[20, 44, 10, 14], [60, 44, 10, 14]]]
    boxes = tuple(np.array(line, np.int32) for line in lines)
    ground = np.array((255.0, 255.0, 255.0))
    cut = Cutting(np.full((80, 160, 3), 255, np.uint8), ground, (0, 0), boxes, True, 14.0, 54.0, 24.0)
    with np.errstate(all="raise"):
        assert set_apart(cut, close=True) is None


@pytest.mark.parametrize("cursor", [None, (0, 0), (1, 0)])
@pytest.mark.parametrize("rows", [["X 1 1 1"], ["X 1", "1 2"], ["1 1", "X 2"]])
def test_first_levels_of_one_or_two_lines_are_read(rows: list[str], cursor: Cell | None) -> None:
    """Incident: of a terminal game, whose first levels were refused. A cursor's block reaches below its line, and a
    prompt has nearly as many characters as such a board."""
    under = {} if cursor is None else {cursor: (0, 0, 0)}
    reading = GAME.read(text_screen(rows, under, block=cursor), LAYOUT)
    assert not reading.doubts
    assert format_puzzle(reading.puzzle).splitlines() == rows
