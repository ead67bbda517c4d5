"""Lists of levels right beside a board: boxes whose numbers count on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains.seeing.lattice.level_lists import counts_on
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


def test_a_place_that_may_hold_any_of_many_numbers_is_counted_as_its_likeliest() -> None:
    """Incident: an IndexError where each of 41 numbers was less probable than what counts as possible."""
    nothing = ink.Content(np.zeros(3, np.float32), np.ones((8, 8), np.float32), Box(2, 2, 8, 8), np.zeros(3), 0.0, BOX)
    any_number = tuple((str(n), 1 / 41) for n in range(60, 101))
    places = {(0, c): Place(nothing, BOX, ((str(c + 1), 0.99),) if c != 2 else any_number, c, False) for c in range(5)}
    assert counts_on(places) == 0
