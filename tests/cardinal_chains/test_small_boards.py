"""Boards of a few cells, as first levels are, among headings, scores and buttons that stand nearly on their lattice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout

LIGHT, NIGHT, TILE, INK, PALE = (238, 234, 233), (36, 30, 30), (60, 48, 46), (30, 30, 30), (230, 230, 230)
COLOURS = ((60, 60, 220), (220, 120, 50), (80, 170, 60))


def read(image: Image) -> tuple[list[str], bool]:
    """The board that is seen, and whether it is beyond doubt."""
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    return format_puzzle(reading.puzzle).replace(" ", "").split("\n"), not reading.doubts


def text(image: Image, said: str, x: float, y: float, colour: tuple[int, ...], size: float = 0.9) -> None:
    """Words or a number, their middle at a spot."""
    (w, h), _ = cv2.getTextSize(said, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    at = (round(x - w / 2), round(y + h / 2))
    cv2.putText(image, said, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)


def page(rows: list[str], pitch: int, colour: tuple[int, ...]) -> tuple[Image, list[tuple[int, int, str]]]:
    """A window, and the middle of each cell in it, ``(x, y, token)`` in pixels."""
    height, width = 150 + pitch * len(rows), 200 + pitch * len(rows[0])
    cells = [
        (100 + c * pitch + pitch // 2, 90 + r * pitch + pitch // 2, rows[r][c])
        for r, c in np.ndindex(len(rows), len(rows[0]))
    ]
    return np.full((height, width, 3), colour, np.uint8), [cell for cell in cells if cell[2] != "."]


def test_a_column_of_buttons_as_high_as_the_glyphs_does_not_hide_a_board_without_walls() -> None:
    """They stood closer than the rows do, and the lattice of both had no place for a row."""
    rows = ["1.X", "111"]
    image, cells = page(rows, 72, LIGHT)
    for x, y, token in cells:
        text(image, token, x, y, COLOURS[0] if token == "X" else INK, 1.1)
    for y in (112, 156, 208):
        cv2.fillPoly(image, [np.array([(21, y + 11), (39, y + 11), (30, y - 11)], np.int32)], INK, cv2.LINE_AA)
    assert read(image) == (rows, True)


def test_discs_as_starts_are_no_other_type_than_one_that_a_chain_runs_into() -> None:
    """Line and disc were one piece, more than twice as high as the crosses on the other discs: their column was left
    out, and nothing was in doubt."""
    rows, colours = ["342X", "2.3.", "X.2X"], iter(((180, 80, 170), (60, 130, 130), (70, 105, 170)))
    image, cells = page(rows, 110, (214, 230, 232))
    for x, y, token in cells:
        if token == "X":
            colour = next(colours)
            cv2.circle(image, (x, y), 48, colour, -1, cv2.LINE_AA)
            if x < 200:
                cv2.line(image, (x, y), (x, y - 120), (130, 190, 190), 28, cv2.LINE_AA)
    for x, y, token in cells:
        text(image, token, x, y, INK, 2.0)
    assert read(image) == (rows, True)


@pytest.mark.parametrize("rows", [["1", "X", "1", "X"], ["XX11"], ["X", "1", "X", "1", "1"]])
def test_as_many_marks_as_numbers_are_starts_where_each_has_a_colour_of_its_own(rows: list[str]) -> None:
    """They were too many for starts, as empty tiles are."""
    image, cells = page(rows, 60, NIGHT)
    colours = iter(COLOURS)
    for x, y, token in cells:
        cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), PALE, 1)
        if token == "X":
            cv2.circle(image, (x, y), 13, next(colours), -1, cv2.LINE_AA)
        else:
            text(image, token, x, y, PALE)
    assert read(image)[0] == rows


@pytest.mark.parametrize(
    ("kind", "rows", "score"),
    [
        pytest.param("discs", ["11", ".1", "X1"], ["31", "40"], id="a number above each disc"),
        pytest.param("tiles", ["X", "1", "X", "1"], ["40"], id="a number above a single column of tiles"),
    ],
)
def test_a_score_above_a_board_stands_in_no_cell_of_it(kind: str, rows: list[str], score: list[str]) -> None:
    """Numbers as high as the board's, one above each column."""
    image, cells = page(rows, 60, NIGHT)
    colours = iter(COLOURS)
    for x, y, token in cells:
        if kind == "discs":
            cv2.circle(image, (x, y), 27, TILE, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(image, (x - 27, y - 27), (x + 27, y + 27), TILE, -1)
        if token == "X":
            cv2.circle(image, (x, y), 13, next(colours), -1, cv2.LINE_AA)
        else:
            text(image, token, x, y, PALE)
    for column, said in enumerate(score):
        text(image, said, 130 + 60 * column, 62, PALE)
    assert read(image)[0] == rows


def test_a_block_of_colour_beside_another_one_only_is_a_start() -> None:
    """The board was read without it, and nothing was in doubt."""
    rows = ["X.2", "X11"]
    image, cells = page(rows, 60, LIGHT)
    colours = iter(COLOURS)
    for x, y, token in cells:
        if token == "X":
            cv2.rectangle(image, (x - 26, y - 26), (x + 26, y + 26), next(colours), -1)
        else:
            text(image, token, x, y, INK)
    assert read(image)[0] == rows


def test_signs_in_the_numbers_ink_are_starts_at_the_end_of_a_row_beside_a_hole() -> None:
    rows = ["X22", ".X2", "112"]
    image, cells = page(rows, 60, LIGHT)
    for x, y, token in cells:
        if token == "X":
            cv2.circle(image, (x, y), 12, INK, -1, cv2.LINE_AA)
        else:
            text(image, token, x, y, INK)
    assert read(image)[0] == rows


def test_a_level_number_above_a_board_without_walls_is_none_of_it() -> None:
    """It is much more than all numbers of the board."""
    rows = ["122", "X12", "112"]
    image, cells = page(rows, 60, LIGHT)
    for x, y, token in cells:
        text(image, token, x, y, COLOURS[1] if token == "X" else INK)
    for column, said in ((0, "26"), (1, "40"), (2, "55")):
        text(image, said, 130 + 60 * column, 60, INK)
    assert read(image)[0] == rows
