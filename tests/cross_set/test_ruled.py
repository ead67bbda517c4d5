"""Small boards with lines between their cells and none around them: of 4x4 cells four are closed, of 3x3 one."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

THREE = "3 21 132\n321 123 1\n231 312 31"
FOUR = "4 3214 24 3412\n134 432 324 1324\n132 32 324 1324\n243 2 41 3124"


def window(text: str, pitch: int, large: int, small: int) -> Image:
    """Numbers of one size in columns, or a large one above small ones."""
    rows = [line.split() for line in text.splitlines()]
    size = len(rows)
    picture = Picture.new("RGB", (size * pitch + 200, size * pitch + 60), (224, 216, 222))
    pen, (head, rest) = ImageDraw.Draw(picture), (ImageFont.load_default(v) for v in (large, small))
    for k in range(1, size):
        along = 100 + size * pitch - 1, 30 + size * pitch - 1
        pen.line((100 + k * pitch, 30, 100 + k * pitch, along[1]), fill=(196, 190, 194))
        pen.line((100, 30 + k * pitch, along[0], 30 + k * pitch), fill=(196, 190, 194))
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            x, y = 100 + (c + 0.5) * pitch, 30 + (r + 0.5) * pitch
            if large == small:
                for k, number in enumerate(cell):
                    place = x, y + (k - (len(cell) - 1) / 2) * 1.1 * large
                    pen.text(place, number, fill=(25, 25, 30), font=head, anchor="mm")
            else:
                pen.text((x, y - 0.14 * pitch), cell[0], fill=(160, 30, 40), font=head, anchor="mm")
                pen.text((x, y + 0.25 * pitch), " ".join(cell[1:]), fill=(90, 90, 90), font=rest, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    ("text", "pitch", "large", "small"),
    [
        pytest.param(FOUR, 77, 15, 15, id="columns of 4x4"),
        pytest.param(THREE, 86, 18, 18, id="columns of 3x3"),
        pytest.param(THREE, 100, 40, 19, id="large numbers above small ones"),
    ],
)
def test_a_board_with_lines_between_its_cells_only_is_read(text: str, pitch: int, large: int, small: int) -> None:
    reading = GAME.read(window(text, pitch, large, small), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == text
    assert not reading.doubts
