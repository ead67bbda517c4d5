"""Cells of Cross Set whose active number is underlined, close enough for the line to touch it."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing.lattice.underlines import _is_a_foot, without_underlines
from autoplayer.layout import Layout
from autoplayer.settle import settle

BOARD = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
CLICKED = "421 23 52 21 3214\n12 351 14 24 1352\n3 423 245 534 513\n4532 314 153 5241 2\n42 15 3124 43 23541"
CLOSE = 0.85
"""How close the candidates of a cell stand: lines and numbers touch."""


def window(text: str, first: str, lines: bool = True, below: int = 0) -> tuple[Image, dict[tuple[int, int], Box]]:
    """``first``: how the candidates stand in a line, as text of the same form; the active one of ``text`` underlined,
    so many pixels ``below`` its foot. Also the inside of each cell."""
    picture = Picture.new("RGB", (640, 520), (236, 244, 250))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(20)
    boxes = {}
    for r, (row, standing) in enumerate(zip(text.splitlines(), first.splitlines(), strict=True)):
        for c, (cell, line) in enumerate(zip(row.split(), standing.split(), strict=True)):
            left, top = 60 + 100 * c, 50 + 84 * r
            boxes[r, c] = Box(left + 2, top + 2, 89, 73)
            pen.rectangle((left, top, left + 92, top + 76), outline=(40, 50, 60), width=2)
            x = left + 46 - round(CLOSE * font.getlength(line) / 2)
            for k, number in enumerate(line):
                at, end = (x + round(CLOSE * font.getlength(line[:n])) for n in (k, k + 1))
                pen.text((at, top + 45), number, fill=(40, 50, 60), font=font, anchor="ls")
                if lines and number == cell[0]:
                    pen.rectangle((at, top + below + 45, end - 1, top + below + 46), fill=(40, 50, 60))
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), boxes


@pytest.mark.parametrize("first", [BOARD, CLICKED], ids=["first", "elsewhere"])
@pytest.mark.parametrize("below", [0, 6], ids=["close", "apart"])
def test_an_underlined_number_is_the_active_one(first: str, below: int) -> None:
    """Incident: lines a third of a digit's height below the numbers, as a page's borders are, were read as numbers."""
    settled = settle(GAME, GAME.read(window(BOARD, first, below=below)[0], Layout(game="cross-set")))
    assert format_puzzle(settled.puzzle) == BOARD
    assert settled.certain


def test_a_later_picture_says_how_cells_are_turned() -> None:
    reading = GAME.read(window(BOARD, BOARD)[0], Layout(game="cross-set"))
    now = turning.state(window(CLICKED, BOARD)[0], reading, reading.puzzle)
    assert now.rows == parse(CLICKED).rows
    assert not now.doubtful


def test_numbers_without_lines_stay_as_they_are() -> None:
    image, boxes = window(BOARD, BOARD, lines=False)
    assert without_underlines(image, boxes, 0.0) is None


def test_a_short_bar_below_all_numbers_of_a_cell_says_nothing_of_the_middle_one() -> None:
    image, boxes = window(BOARD, BOARD, lines=False)
    for box in boxes.values():
        image[box.y + 47 : box.y + 49, box.x + 38 : box.x + 51] = (60, 50, 40)
    assert without_underlines(image, boxes, 0.0) is None


def test_the_feet_of_round_digits_are_no_lines() -> None:
    """A 3 ends in a straight stroke shorter than it is broad; in most cells it stood alone in the lower line, and
    the digits above it were given a colour of their own, which made others the active ones."""
    picture = Picture.new("RGB", (640, 520), (45, 51, 63))
    pen = ImageDraw.Draw(picture)
    boxes = {}
    for r in range(4):
        for c in range(4):
            left, top = 60 + 100 * c, 50 + 84 * r
            boxes[r, c] = Box(left, top, 70, 70)
            for x, y, colour in ((10, 10, (242, 242, 242)), (42, 10, (242, 242, 242)), (10, 40, (255, 176, 32))):
                if y < 40 or r != c:
                    pen.ellipse((left + x, top + y, left + x + 12, top + y + 17), outline=colour, width=2)
                    pen.rectangle((left + x + 3, top + y + 16, left + x + 9, top + y + 17), fill=colour)
    image = np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])
    assert without_underlines(image, boxes, 0.0) is None


def test_the_stem_of_a_bold_digit_is_no_line() -> None:
    """Incident: of a low bold 4 the stem below its bar was taken for a line, for its height was measured without it."""
    over = np.zeros((8, 14), bool)
    over[:, 7:10] = True
    over[5:8, 2:11] = True
    assert _is_a_foot(over, 7, 9, 3)
    assert not _is_a_foot(over, 2, 10, 3)  # as broad as the digit
