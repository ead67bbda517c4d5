"""Boxes around the active numbers of Cross Set that touch what stands beside them."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.lattice.loops import without_loops
from autoplayer.layout import Layout

INCREASING = "241 23 25 12 4123\n12 135 41 24 2351\n3 342 452 453 351\n2345 341 513 1245 2\n24 51 4123 34 12345"
"""The active number first, and those behind it in an increasing line, around its end."""

PITCH, SIDE = 130, 120
GROUND, ACCENT, INK = (32, 34, 38), (255, 190, 60), (240, 240, 240)


def window(step: int, marks: bool = True) -> tuple[Image, dict[Cell, Box]]:
    """A board whose candidates stand in increasing order, ``step`` pixels apart: the active one in a box if
    that ``marks`` it. Also the inside of each cell."""
    picture = Picture.new("RGB", (5 * PITCH + 80, 5 * PITCH + 80), GROUND)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(17)
    boxes = {}
    for r, row in enumerate(INCREASING.splitlines()):
        for c, cell in enumerate(row.split()):
            left, top = 40 + PITCH * c, 40 + PITCH * r
            pen.rectangle((left, top, left + SIDE, top + SIDE), outline=(80, 84, 96), width=2)
            boxes[r, c] = Box(left + 2, top + 2, SIDE - 3, SIDE - 3)
            for k, number in enumerate(sorted(cell)):
                x, y = left + SIDE // 2 + (2 * k + 1 - len(cell)) * step // 2, top + SIDE // 2
                if number == cell[0] and marks:
                    pen.rectangle((x - 8, y - 12, x + step // 2 - 1 + step // 4, y + 12), outline=ACCENT)
                pen.text((x, y), number, fill=INK, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), boxes


def test_a_box_around_the_active_number_may_touch_the_next() -> None:
    """Incident: a box that touched the next number was left out with it, without a doubt."""
    reading = GAME.read(window(14)[0], Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == INCREASING
    assert not reading.doubts


def test_lines_that_touch_nothing_stay() -> None:
    assert without_loops(*window(30), 0.0) is None


def test_numbers_without_lines_stay() -> None:
    assert without_loops(*window(14, marks=False), 0.0) is None


def cells(count: int, boxed: int, side: int = 24, thick: int = 1, high: int = 12) -> tuple[Image, dict[Cell, Box]]:
    """So many cells (``count``) with a bar in each, so ``high``; in the first ones (``boxed``) also a box around it,
    and a stroke that touches the box. ``side``, ``thick``: the size of the boxes and of their lines."""
    image = np.full((90, 170 * count, 3), 240, np.uint8)
    boxes = {}
    for c in range(count):
        boxes[0, c] = Box(170 * c + 10, 5, 150, 80)
        x, y = 170 * c + 30, 30
        if c < boxed:
            image[y : y + side, x : x + side] = 130
            image[y + thick : y + side - thick, x + thick : x + side - thick] = 240
            image[y + 8 : y + 10, x + side : x + side + 9] = 20
        image[y + (side - high) // 2 : y + (side + high) // 2, x + side // 2 - 1 : x + side // 2 + 2] = 20
    return image, boxes


def test_a_box_is_erased_and_what_stands_in_it_is_marked() -> None:
    image = without_loops(*cells(10, 9), 0.0)
    assert image is not None
    assert not (image == 130).all(axis=2).any()
    marked = (image[..., 2].astype(int) - image[..., 0]) > 100
    assert [int(part.any(axis=0).sum()) for part in np.split(marked, 10, axis=1)] == [3] * 9 + [0]


@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param(cells(10, 8), id="in too few cells"),
        pytest.param(cells(10, 10, high=6), id="around something small"),
        pytest.param(cells(10, 10, side=40, thick=10, high=18), id="broad"),
    ],
)
def test_what_is_no_line_around_a_number_stays(drawn: tuple[Image, dict[Cell, Box]]) -> None:
    assert without_loops(*drawn, 0.0) is None
