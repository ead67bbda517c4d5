"""Lists of levels right beside a board: boxes whose numbers count on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains.seeing.lattice.level_lists import counts_on, has_one_chosen
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import ink
from tests.cardinal_chains.test_first_levels import INK, middle, number, read

PITCH, BOX = 60, Box(0, 0, 12, 12)
BOARD = ["43222", "4XX12", "11111", "22211"]
TILE, PAGE = (205, 222, 232), (238, 234, 233)


def board(look: str, rows: list[str] = BOARD, width: int = 640) -> Image:
    """``look``: bare numbers, or tiles, or cells in frames."""
    image = np.full((520, width, 3), PAGE, np.uint8)
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            x, y = middle((row, column), PITCH)
            if look == "tiles":
                cv2.rectangle(image, (x - 27, y - 27), (x + 27, y + 27), TILE, -1)
            elif look == "frames":
                cv2.rectangle(image, (x - 30, y - 30), (x + 30, y + 30), INK, 2)
            number(image, (row, column), PITCH, text, (40, 60, 215) if text == "X" else INK)
    return image


def levels(image: Image, left: int, columns: int, rows: int, side: int, look: str) -> None:
    """Draws a list of levels, its boxes ``side`` pixels apart, from ``left`` on."""
    for k in range(columns * rows):
        x, y = left + (k % columns) * side, 80 + (k // columns) * side
        box = (x + 2, y + 2), (x + side - 4, y + side - 4)
        if look == "tiles":
            cv2.rectangle(image, *box, TILE, -1)
        cv2.rectangle(image, *box, (150, 150, 150), 1)
        text, size = str(k + 1), side / 70
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        at = x + (side - w) // 2, y + (side + h) // 2
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1 + (side > 50), cv2.LINE_AA)


@pytest.mark.parametrize(
    ("look", "gap", "columns", "rows", "side"),
    [
        pytest.param("bare", 16, 3, 6, 45, id="numbers-alone-beside-boxes-at-other-distances"),
        pytest.param("bare", 10, 2, 5, 60, id="ten-levels-at-the-boards-distances"),
        pytest.param("tiles", 6, 2, 5, 60, id="tiles-on-one-lattice"),
        pytest.param("frames", 6, 1, 5, 60, id="a-column-a-little-off-the-lattice"),
        pytest.param("bare", 10, 1, 5, 42, id="a-column-at-other-distances"),
    ],
)
def test_levels_beside_a_board_are_none_of_it(look: str, gap: int, columns: int, rows: int, side: int) -> None:
    image = board(look)
    levels(image, 90 + 5 * PITCH - 30 + gap, columns, rows, side, look)
    assert read(image) == ([" ".join(row) for row in BOARD], True)


def test_of_a_list_that_the_window_cuts_off_the_first_columns_are_seen() -> None:
    image = board("tiles", width=90 + 5 * PITCH - 30 + 6 + 2 * PITCH + 20)
    levels(image, 90 + 5 * PITCH - 30 + 6, 3, 4, PITCH, "tiles")
    assert read(image) == ([" ".join(row) for row in BOARD], True)


def test_a_part_of_a_board_that_counts_on_is_one_of_it() -> None:
    """In the order of reading, but with more beside it, and in a column at the board's own distances."""
    rows = ["X1231", "34562", "78913", "X1114", "X1115"]
    assert read(board("tiles", rows)) == ([" ".join(row) for row in rows], True)


@pytest.mark.parametrize("rows", [BOARD, ["11", "X1"]], ids=["larger", "smaller than the strip"])
def test_a_strip_of_levels_on_the_boards_lattice_is_none_of_it(rows: list[str]) -> None:
    """It was refused as a part of the board that no chain reaches."""
    count = 7
    image = np.vstack([np.full((120, 640, 3), PAGE, np.uint8), board("tiles", rows)])
    for k in range(count):
        x, y = middle((0, k), PITCH)
        cv2.rectangle(image, (x - 27, y - 27), (x + 27, y + 27), TILE if k else (80, 210, 250), -1)
        number(image, (0, k), PITCH, str(k + 1), INK)
    assert read(image) == ([" ".join(row) for row in rows], True)


def tabs(image: Image, count: int, chosen: int) -> None:
    """Draws a row of buttons with the levels' numbers above the board; the chosen one is filled with a colour."""
    for k in range(count):
        left = 160 + 44 * k
        cv2.rectangle(image, (left, 24), (left + 38, 62), (240, 90, 127) if k == chosen else (54, 31, 36), -1)
        ink = (255, 255, 255) if k == chosen else (170, 170, 170)
        cv2.putText(image, str(k + 1), (left + 12, 51), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)


DISCS = ["111", "11.", "X1.", "X11"]


def discs(rows: list[str], radius: int = 25) -> Image:
    """A dark page; numbers on discs that lines join, starts as empty rings."""
    image = np.full((520, 480, 3), (28, 17, 19), np.uint8)
    cells = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row) if text != "."}
    spot = {cell: (160 + 78 * cell[1], 140 + 78 * cell[0]) for cell in cells}
    for r, c in cells:
        for near in ((r, c + 1), (r + 1, c)):
            if near in cells:
                cv2.line(image, spot[r, c], spot[near], (66, 42, 46), 4, cv2.LINE_AA)
    rings = iter([(125, 182, 44), (6, 137, 255)])
    for cell, text in cells.items():
        start = text == "X"
        cv2.circle(image, spot[cell], radius, (28, 17, 19) if start else (66, 42, 46), -1, cv2.LINE_AA)
        if start:
            cv2.circle(image, spot[cell], radius, next(rings), 6, cv2.LINE_AA)
        else:
            at = spot[cell][0] - 8, spot[cell][1] + 9
            cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 255), 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_a_row_of_levels_with_the_chosen_one_marked_is_not_the_board(chosen: int) -> None:
    """Incident: above a board without walls, tabs with the numbers 1 to 3 were read as X 2 3."""
    image = discs(DISCS)
    tabs(image, 3, chosen)
    assert read(image) == ([" ".join(row) for row in DISCS], True)


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        pytest.param("X23", True, id="the first is chosen"),
        pytest.param("12X4", True, id="a later one is chosen"),
        pytest.param("5X7", True, id="the second page"),
        pytest.param("X123", False, id="a start before the 1"),
        pytest.param("X2", False, id="too few"),
        pytest.param("X22", False, id="not counting"),
        pytest.param("X2X", False, id="two starts"),
    ],
)
def test_what_counts_on_around_a_start_is_a_list(said: str, listed: bool) -> None:
    nothing = ink.Content(np.zeros(3, np.float32), np.ones((8, 8), np.float32), Box(2, 2, 8, 8), np.zeros(3), 0.0, BOX)
    places = {(0, c): Place(nothing, BOX, ((token, 0.99),), c, True) for c, token in enumerate(said)}
    assert has_one_chosen(places) == listed


def test_a_place_that_may_hold_any_of_many_numbers_is_counted_as_its_likeliest() -> None:
    """Incident: an IndexError where each of 41 numbers was less probable than what counts as possible."""
    nothing = ink.Content(np.zeros(3, np.float32), np.ones((8, 8), np.float32), Box(2, 2, 8, 8), np.zeros(3), 0.0, BOX)
    any_number = tuple((str(n), 1 / 41) for n in range(60, 101))
    places = {(0, c): Place(nothing, BOX, ((str(c + 1), 0.99),) if c != 2 else any_number, c, False) for c in range(5)}
    assert counts_on(places) == 0


def test_the_digits_of_a_score_beside_numbers_that_count_on_from_a_start_are_no_board() -> None:
    """Incident: the board was taken for levels, and the zero of a 290, one digit below the other, for a start."""
    page = Picture.fromarray(board("frames", ["X", "2", "3", "4"]))
    for k, digit in enumerate("290"):
        ImageDraw.Draw(page).text((420, 200 + 22 * k), digit, INK, ImageFont.load_default(18), anchor="mm")
    assert read(np.array(page)) == (["X", "2", "3", "4"], True)


@pytest.mark.parametrize("rows", [["X234"], ["X34"], ["X", "2", "3"]])
def test_numbers_that_count_on_from_an_x_are_a_board(rows: list[str]) -> None:
    """Incident: first levels like X 2 3 were refused, as levels of which the first is chosen."""
    assert read(board("frames", rows)) == ([" ".join(row) for row in rows], True)
