"""The active number of each cell of Cross Set in a strip of its own colour, above the others."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

TEXT = "4231 341 2413 312\n431 1 3421 341\n3124 12 3412 123\n2134 2143 32 234"
PITCH, STRIP = 84, 38

Colour = tuple[int, int, int]


def window(cell: Colour, strip: Colour, active: Colour, others: Colour) -> Image:
    picture = Picture.new("RGB", (420, 420), (243, 241, 236))
    pen, large, small = ImageDraw.Draw(picture), ImageFont.load_default(20), ImageFont.load_default(14)
    for r, row in enumerate(TEXT.splitlines()):
        for c, numbers in enumerate(row.split()):
            x, y = 42 + PITCH * c, 42 + PITCH * r
            pen.rectangle((x, y, x + PITCH - 1, y + PITCH - 1), fill=cell, outline=(140, 140, 140))
            pen.rectangle((x + 1, y + 1, x + PITCH - 2, y + STRIP), fill=strip)
            pen.text((x + PITCH / 2, y + STRIP / 2), numbers[0], fill=active, font=large, anchor="mm")
            for k, number in enumerate(numbers[1:]):
                across = x + PITCH / 2 + 14 * (k - (len(numbers) - 2) / 2)
                pen.text((across, y + 61), number, fill=others, font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    "colours",
    [
        pytest.param(((255, 255, 255), (51, 51, 51), (255, 255, 255), (30, 30, 30)), id="white on dark"),
        pytest.param(((20, 24, 30), (230, 225, 215), (30, 30, 30), (200, 200, 200)), id="dark on light"),
    ],
)
def test_pale_numbers_on_a_dark_strip_of_a_white_cell_are_read(colours: tuple[Colour, Colour, Colour, Colour]) -> None:
    """Incident: brought to the white ground of the others they were brighter than white, and none was seen."""
    settled = settle(GAME, GAME.read(window(*colours), Layout(game="cross-set")))
    assert settled.certain
    assert format_puzzle(settled.puzzle) == TEXT
