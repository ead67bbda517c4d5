"""Bars on the walls of a cell of Cross Set, which mark the active number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.ordering.upon_walls import marked_upon_walls
from autoplayer.layout import Layout
from autoplayer.vision.pieces import Piece

BOARD = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
INCREASING = "241 23 25 12 4123\n12 135 41 24 2351\n3 342 452 453 351\n2345 341 513 1245 2\n24 51 4123 34 12345"
"""The active number first, and those behind it in an increasing line, around its end."""

PITCH, SIDE = 100, 90


def window(side: str) -> Image:
    """A board whose candidates stand in increasing order, with a bar on one side of each cell at the active one."""
    picture = Picture.new("RGB", (5 * PITCH + 80, 5 * PITCH + 80), (240, 240, 236))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(17)
    for r, row in enumerate(INCREASING.splitlines()):
        for c, cell in enumerate(row.split()):
            left, top = 40 + PITCH * c, 40 + PITCH * r
            pen.rounded_rectangle((left, top, left + SIDE, top + SIDE), 5, outline=(150, 150, 160), width=2)
            for k, number in enumerate(sorted(cell)):
                along = round(SIDE / 2 + (k - (len(cell) - 1) / 2) * 16)
                x, y = (left + SIDE // 2, top + along) if side == "left" else (left + along, top + SIDE // 2)
                pen.text((x, y), number, fill=(30, 30, 40), font=font, anchor="mm")
                if number == cell[0]:
                    half = 6
                    bars = {
                        "below": (x - half, top + SIDE - 4, x + half, top + SIDE),
                        "below, beyond the wall": (x - half, top + SIDE - 1, x + half, top + SIDE + 3),
                        "above": (x - half, top, x + half, top + 4),
                        "left": (left, y - half, left + 4, y + half),
                    }
                    pen.rectangle(bars[side], fill=(210, 90, 20))
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize("side", ["below", "below, beyond the wall", "above", "left"])
def test_a_bar_on_a_wall_marks_the_number_that_it_is_at(side: str) -> None:
    """Incident: bars upon the lower walls were left out with them, and the first number was taken for the active one,
    without a doubt."""
    reading = GAME.read(window(side), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == INCREASING
    assert not reading.doubts


def four_cells(
    bars: list[tuple[int, int, int, int]], count: int = 4, width: int = 12
) -> tuple[Image, dict[Cell, list[Glyph]], dict[Cell, Box]]:
    """Cells of 80x80 with two numbers so broad, 12 pixels apart, and one bar each: left, upper, right and lower end,
    exclusive, from the corner of the cell's inside."""
    image = np.full((120, 40 + 100 * count, 3), 250, np.uint8)
    seen, boxes = {}, {}
    for c, (x0, y0, x1, y1) in enumerate(bars[:count]):
        left = 20 + 100 * c
        image[20 + y0 : 20 + y1, left + x0 : left + x1] = (30, 90, 200)
        boxes[0, c] = Box(left, 20, 80, 80)
        places = [Box(left + 34 - width, 50, width, 20), Box(left + 46, 50, width, 20)]
        ink, black = np.ones((20, width), np.float32), np.zeros(3, np.float32)
        seen[0, c] = [Glyph(Piece(place, ink, black, 200.0), {"1": 1.0}, 0) for place in places]
    return image, seen, boxes


def marked(image: Image, seen: dict[Cell, list[Glyph]], boxes: dict[Cell, Box]) -> list[list[bool]]:
    return [[g.piece.ringed for g in row] for row in marked_upon_walls(image, seen, boxes).values()]


FIRST, SECOND = (22, 74, 34, 80), (46, 74, 58, 80)


def test_a_bar_at_one_number_of_each_cell_marks_it() -> None:
    assert [row.index(True) for row in marked(*four_cells([FIRST, SECOND, SECOND, FIRST]))] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "bar",
    [
        pytest.param((22, 40, 34, 60), id="in the middle of the cell"),
        pytest.param((22, 79, 34, 80), id="one pixel"),
        pytest.param((30, 74, 72, 80), id="longer than half of the side"),
        pytest.param((24, 74, 52, 80), id="at two numbers"),
        pytest.param((4, 74, 16, 80), id="at none"),
        pytest.param((0, 68, 34, 80), id="in the corner"),
    ],
)
def test_what_is_no_bar_at_one_number_marks_none(bar: tuple[int, int, int, int]) -> None:
    assert not any(any(row) for row in marked(*four_cells([bar] * 4)))


def test_a_few_bars_mark_nothing() -> None:
    assert not any(any(row) for row in marked(*four_cells([FIRST, SECOND, FIRST], count=3)))
    some = [FIRST, SECOND, FIRST, SECOND, FIRST, (0, 0, 0, 0), (0, 0, 0, 0)]
    assert not any(any(row) for row in marked(*four_cells(some, count=7)))


def test_a_bar_may_reach_the_corner_if_others_show_its_colour() -> None:
    image, seen, boxes = four_cells([FIRST, SECOND, FIRST, (0, 74, 12, 80)])
    first, second = seen[0, 3]
    seen[0, 3] = [replace(first, piece=replace(first.piece, box=Box(320, 50, 12, 20))), second]
    image[94:100, 396:400] = 120  # the corner at the other side of the cell
    assert marked(image, seen, boxes)[3] == [True, False]
