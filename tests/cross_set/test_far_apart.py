"""Boards without walls whose numbers stand far apart: what lies between two cells is no cell."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

ROWS = {
    3: (("13", "12", "23"), ("21", "32", "23"), ("32", "13", "21")),
    4: (("31", "14", "2", "43"), ("24", "13", "43", "1"), ("1", "32", "14", "24"), ("43", "2", "31", "14")),
}


def window(rows: tuple[tuple[str, ...], ...], pitch: int, height: int) -> Image:
    size = len(rows)
    picture = Picture.new("RGB", (size * pitch + 80, size * pitch + 80), (0, 0, 0))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(height / 0.72)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            pen.text((40 + (c + 0.5) * pitch, 40 + (r + 0.5) * pitch), text, fill=(0, 220, 90), font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(("size", "pitch", "height"), [(3, 75, 31), (3, 90, 36), (4, 75, 28), (4, 75, 31)])
def test_a_board_without_walls_is_read(size: int, pitch: int, height: int) -> None:
    reading = GAME.read(window(ROWS[size], pitch, height), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle).split() == [text for row in ROWS[size] for text in row]
    assert not reading.doubts
