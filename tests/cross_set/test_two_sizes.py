"""Boards without walls whose active numbers stand large above their small candidates, far from one another: what stands
half way between two large ones is their own cell's."""

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
FOUR = "213 1342 32 1\n12 3 4 32\n2413 412 2 214\n432 21 14 321"


def window(text: str, pitch: int, large: int, small: int) -> Image:
    rows = [line.split() for line in text.splitlines()]
    picture = Picture.new("RGB", (len(rows) * pitch + 300, len(rows) * pitch + 60), (243, 245, 248))
    pen, fonts = ImageDraw.Draw(picture), [ImageFont.load_default(size) for size in (large, small)]
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            x, y = 150 + (c + 0.5) * pitch, 30 + (r + 0.5) * pitch
            pen.text((x, y - 0.1 * pitch), cell[0], fill=(30, 120, 140), font=fonts[0], anchor="mm")
            pen.text((x, y + 0.36 * pitch), " ".join(cell[1:]), fill=(120, 120, 120), font=fonts[1], anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(("text", "pitch", "large", "small"), [(THREE, 54, 28, 14), (FOUR, 84, 36, 19)])
def test_what_stands_half_way_between_large_numbers_is_their_own(text: str, pitch: int, large: int, small: int) -> None:
    reading = GAME.read(window(text, pitch, large, small), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == text
    assert not reading.doubts
