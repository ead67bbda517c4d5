"""Numbers of Cross Set that touch the round corner of their cell's frame, in its colour."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

LEVEL = "51234 3 21 45 342\n4 25134 15 3 521\n32 41 54123 12 4\n15 3 43 25 21354\n24 512 3 314 53"
PITCH, SIDE = 84, 76


def framed(last: int, down: int) -> Image:
    """Cells with thick round frames. The active number stands in the middle, the others along the upper side, ``down``
    pixels below it; the fourth of them, ``last`` pixels farther to the right than its place, touches the corner."""
    picture = Picture.new("RGB", (5 * PITCH + 60, 5 * PITCH + 60), (90, 100, 95))
    pen = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(32), ImageFont.load_default(17)
    for r, row in enumerate(LEVEL.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 30 + c * PITCH, 30 + r * PITCH
            pen.rounded_rectangle((x, y, x + SIDE, y + SIDE), 14, (60, 68, 64), (170, 220, 190), 5)
            pen.text((x + SIDE / 2, y + 50), cell[0], fill=(170, 220, 190), font=large, anchor="mm")
            for k, token in enumerate(cell[1:]):
                at = x + 15 + 15 * k + (last if k == 3 else 0), y + down
                pen.text(at, token, fill=(170, 220, 190), font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(("last", "down"), [(0, 14), (8, 14), (7, 12)])
def test_a_number_is_separated_from_the_round_corner_that_it_touches(last: int, down: int) -> None:
    """Incident: the last of five candidates was left out with its frame's corner, and every such cell was in doubt."""
    reading = GAME.read(framed(last, down), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == LEVEL
    assert not reading.doubts
