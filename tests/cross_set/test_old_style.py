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


HANGING = """345 126 514 23 6 13
12 354 6 4153 25 36
6 23 134 516 42 45
534 46 2 63 13 251
21 5 435 134 36 62
43 134 25 52 415 316"""


@pytest.mark.parametrize(("four", "small"), [(1.3, 1.0), (0.7, 0.7)], ids=["a 4 hangs lowest", "small others"])
def test_what_hangs_far_below_is_no_line_of_its_own(four: float, small: float) -> None:
    """Incident: a 4 that hardly overlaps a 1 in height was taken for the beginning of the next line, without a
    doubt."""
    picture = Picture.new("RGB", (600, 440), (240, 240, 235))
    pen = ImageDraw.Draw(picture)
    for r, row in enumerate(HANGING.splitlines()):
        for c, text in enumerate(row.split()):
            x, y = 20 + 92 * c, 20 + 66 * r
            pen.rectangle((x, y, x + 87, y + 61), fill="white", outline=(110, 110, 130), width=2)
            for k, number in enumerate(text):
                size = 26 * (small if k else 1.0)
                down = {"3": 0.75, "5": 0.75, "4": 0.75 * four}.get(number, 0.0) * 0.72 * size
                font = ImageFont.load_default(size if number in "12" else 1.35 * size)
                at = x + 44 + 18 * (k - (len(text) - 1) / 2), y + 40 + down
                pen.text(at, number, fill=(40, 40, 40) if k else (190, 20, 20), font=font, anchor="ms")
    reading = GAME.read(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == HANGING
    assert not reading.doubts
