"""Cells of Cross Set in which lines part the numbers: below a heading, from wall to wall, beside it, in a list."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing.lattice.separators import without_separators
from autoplayer.layout import Layout

BOARD = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
SIDE = 88
GROUND, WALL, INK, PALE = (255, 250, 242), (150, 140, 120), (40, 30, 30), (120, 110, 100)


def window(look: str, text: str = BOARD) -> Image:
    """``look``: where the lines of a cell stand."""
    rows = [line.split() for line in text.splitlines()]
    picture = Picture.new("RGB", (len(rows) * SIDE + 120, len(rows) * SIDE + 100), (236, 228, 214))
    pen, large, small = ImageDraw.Draw(picture), ImageFont.load_default(34), ImageFont.load_default(17)
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            left, top = 60 + c * SIDE, 50 + r * SIDE
            pen.rectangle((left, top, left + SIDE - 5, top + SIDE - 5), fill=GROUND, outline=WALL, width=2)
            x, y, rest = left + SIDE / 2 - 2, top + SIDE / 2 - 2, cell[1:]
            if look == "list":
                for k, number in enumerate(cell):
                    at = y + 16 * (k - (len(cell) - 1) / 2)
                    if k:
                        pen.line((left + 18, at - 8, left + SIDE - 24, at - 8), fill=WALL)
                    pen.text((x, at), number, fill=(190, 40, 30) if k == 0 else INK, font=small, anchor="mm")
            elif look == "in the middle":
                if rest:
                    pen.line((left + 41, top, left + 41, top + SIDE - 5), fill=WALL, width=2)
                for k, number in enumerate(cell[:4]):
                    place = left + 20 + 42 * (k // 2), top + 22 + 38 * (k % 2)
                    pen.text(place, number, fill=INK if k == 0 else (130, 120, 110), font=large, anchor="mm")
            elif not rest and look != "in every cell":
                pen.text((x, y), cell, fill=INK, font=large, anchor="mm")
            elif look == "beside":
                pen.text((x - 12, y), cell[0], fill=INK, font=large, anchor="mm")
                pen.line((left + 56, top, left + 56, top + SIDE - 5), fill=WALL, width=2)
                for k, number in enumerate(rest):
                    at = y + 18 * (k - (len(rest) - 1) / 2)
                    pen.text((left + 70, at), number, fill=PALE, font=small, anchor="mm")
            else:
                pen.text((x, top + 28), cell[0], fill=INK, font=large, anchor="mm")
                begin, end = (left, left + SIDE - 5) if look == "from wall to wall" else (left + 14, left + SIDE - 20)
                pen.line((begin, top + 54, end, top + 54), fill=WALL, width=2)
                pen.text((x, top + 68), " ".join(rest), fill=PALE, font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize("look", ["below", "from wall to wall", "beside", "list", "in every cell"])
def test_lines_between_the_numbers_of_a_cell_are_left_out(look: str) -> None:
    reading = GAME.read(window(look), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts


def test_cells_that_a_line_from_wall_to_wall_halves() -> None:
    """Their halves are alike, and stand closer to each other than to the next: such a board was refused, or read from
    the first five halves of each row."""
    text = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 1235"
    reading = GAME.read(window("in the middle", text), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == text
    assert not reading.doubts


def test_a_later_picture_of_divided_cells_says_how_they_are_turned() -> None:
    reading = GAME.read(window("from wall to wall"), Layout(game="cross-set"))
    clicked = BOARD.replace("142 32", "421 23")
    now = turning.state(window("from wall to wall", clicked), reading, reading.puzzle)
    assert now.rows == parse(clicked).rows
    assert not now.doubtful


def test_a_line_below_the_number_that_is_active_is_none_between_numbers() -> None:
    picture = Picture.new("RGB", (500, 400), GROUND)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(22)
    boxes = {}
    for k in range(9):
        r, c = divmod(k, 3)
        x, y = 80 + 130 * c, 30 + 120 * r
        boxes[r, c] = Box(x - 40, y - 20, 80, 108)
        for i, number in enumerate("312"):
            pen.text((x, y + 34 * i), number, fill=INK, font=font, anchor="mm")
        at = y + 34 * (k % 3) + 11
        pen.line((x - 7, at, x + 7, at), fill=INK, width=2)
    assert without_separators(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), boxes, 0.0) is None


def test_a_bracket_behind_the_active_number_is_no_line_between_numbers() -> None:
    """It is thin and higher than all numbers, but its ends are no part of a line: it was erased, and the bracket before
    the number was read as a 1, in many cells without a doubt."""
    picture = Picture.new("RGB", (660, 660), GROUND)
    pen, font, blue = ImageDraw.Draw(picture), ImageFont.load_default(23), (30, 90, 180)
    for r, row in enumerate(BOARD.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 40 + 116 * c, 40 + 116 * r
            pen.rectangle((x, y, x + 116, y + 116), outline=WALL, width=2)
            left, middle = x + 58 - 9.5 * len(cell), y + 58
            for at, end in ((left - 6, left - 3), (left + 20, left + 17)):
                pen.line((at, middle - 12, at, middle + 12), fill=blue, width=2)
                for tip in (middle - 12, middle + 12):
                    pen.line((min(at, end), tip, max(at, end), tip), fill=blue)
            for i, number in enumerate(cell):
                place = left + 7 + 17 * i + 8 * (i > 0), middle
                pen.text(place, number, fill=PALE if i else INK, font=font, anchor="mm")
    reading = GAME.read(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts
