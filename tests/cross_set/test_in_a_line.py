"""Cells of Cross Set in which all candidates stand in one line: cells many times as broad as high, circles around the
active ones, and lines of text that begin at one place, without walls."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

ROWS = ("142 32 25 21 4321", "21 135 41 42 2135", "3 342 524 453 351", "2453 431 315 1524 2", "24 51 4312 34 12354")


def as_array(picture: Picture.Image) -> Image:
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def circled(width: int, height: int) -> Image:
    """A canvas on which the active number, the first one, is in a circle that all but touches its neighbour."""
    picture = Picture.new("RGB", (5 * width + 300, 5 * height + 200), (34, 34, 34))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(22)
    step = 26
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row.split()):
            left, top = 40 + c * width, 40 + r * height
            pen.rectangle((left, top, left + width, top + height), outline=(120, 120, 120))
            for k, digit in enumerate(text):
                x, y = left + width / 2 + (k - (len(text) - 1) / 2) * step, top + height / 2
                pen.text((x, y), digit, fill=(220, 220, 220), font=font, anchor="mm")
                if k == 0:
                    pen.ellipse((x - 14, y - 14, x + 14, y + 14), outline=(250, 210, 0), width=2)
    return as_array(picture)


def typed(pitch: int) -> Image:
    """Text in columns that begin at one place each, the active number in another colour."""
    picture = Picture.new("RGB", (5 * pitch + 260, 420), (253, 246, 227))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(24)
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row.split()):
            for k, digit in enumerate(text):
                colour = (200, 90, 0) if k == 0 else (120, 140, 140)
                pen.text((60 + c * pitch + 15 * k, 60 + 52 * r), digit, fill=colour, font=font)
    return as_array(picture)


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(circled(140, 40), id="cells three and a half times as broad as high"),
        pytest.param(circled(230, 42), id="cells five and a half times as broad as high"),
        pytest.param(typed(103), id="numbers of many digits that reach beyond the middle between two columns"),
    ],
)
def test_candidates_in_one_line_are_read(image: Image) -> None:
    reading = GAME.read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle).split() == " ".join(ROWS).split()
    assert not reading.doubts
