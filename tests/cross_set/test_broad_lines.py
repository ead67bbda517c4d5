"""Where the cells of a board without walls end, if the numbers of some are as broad as the distance between cells."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

FULL = {(4, 4): "21753846", (6, 1): "85694371", (3, 1): "68193245", (5, 6): "67453812"}
PITCH, LEFT, TOP = 62, 60, 60


def numbers(r: int, c: int) -> str:
    """Every row and every column has all numbers as active ones."""
    lead = (4 * r + c) % 9 + 1
    return FULL.get((r, c)) or "".join(map(str, dict.fromkeys([lead, (lead + r + 1) % 9 + 1, (lead * 2 + c) % 9 + 1])))


def window(step: float) -> Image:
    """The active number above the others, which stand in a line around the middle, each a ``step`` beside the last."""
    picture = Picture.new("RGB", (620, 620), (66, 41, 60))
    pen, large, small = ImageDraw.Draw(picture), ImageFont.load_default(15), ImageFont.load_default(12)
    for r in range(9):
        for c in range(9):
            x, y, text = LEFT + PITCH * c, TOP + PITCH * r, numbers(r, c)
            pen.text((x, y - 8), text[0], fill=(255, 190, 230), font=large, anchor="mm")
            for k, number in enumerate(text[1:]):
                at = x + step * (k - (len(text) - 2) / 2), y + 8
                pen.text(at, number, fill=(255, 190, 230), font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    "step", [pytest.param(9.0, id="as broad as the distance"), pytest.param(9.2, id="broader than the distance")]
)
def test_the_broadest_lines_of_numbers_do_not_move_where_cells_end(step: float) -> None:
    reading = GAME.read(window(step), Layout(game="cross-set"))
    rows = [" ".join(numbers(r, c) for c in range(9)) for r in range(9)]
    assert not reading.doubts
    assert format_puzzle(reading.puzzle).splitlines() == rows
