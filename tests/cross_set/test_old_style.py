"""Old-style numerals on a board of 3 by 3, where the 3 is the only number that is as high as it is."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

ROWS = (("13", "13", "12"), ("13", "21", "32"), ("21", "123", "12"))
CELL, LOW = 56, 15


def window(down: float, factor: float = 1.45) -> Image:
    """Each 3 is ``factor`` times as high as a 1 or a 2, and begins ``down`` pixels below their heads."""
    picture = Picture.new("RGB", (340, 300), (245, 245, 245))
    pen = ImageDraw.Draw(picture)
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row):
            x, y = 86 + CELL * c, 66 + CELL * r
            pen.rectangle((x, y, x + CELL, y + CELL), outline=(130, 130, 130))
            fonts = [ImageFont.load_default((LOW if t != "3" else LOW * factor) / 0.72) for t in text]
            left = x + (CELL - sum(font.getlength(t) for font, t in zip(fonts, text, strict=True))) / 2
            for font, t in zip(fonts, text, strict=True):
                top = font.getbbox(t)[1]
                pen.text((left, y + 18 - top + (down if t == "3" else 0)), t, fill=(20, 20, 20), font=font)
                left += font.getlength(t)
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def test_a_hanging_three_is_read() -> None:
    reading = GAME.read(window(0.0), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle).split() == [text for row in ROWS for text in row]
    assert not reading.doubts


@pytest.mark.parametrize("down", [-4.0, 5.0])
def test_what_is_higher_for_another_reason_is_in_doubt(down: float) -> None:
    reading = GAME.read(window(down), Layout(game="cross-set"))
    assert reading.doubts
