"""Where every number has a position of its own in the cells of Cross Set, a cover hides those whose position it covers,
and no others."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.seeing.doubts import slotted
from autoplayer.layout import Layout

TEXT = "3 3412 24 3412\n134 432 324 1234\n132 32 324 1234\n243 2 41 3412"
PITCH, PLACES = 84, ((21, 21), (63, 21), (21, 63), (63, 63))


def window() -> Image:
    """A board whose cells have the 1 and the 2 above, the 3 and the 4 below; the active one is red."""
    picture = Picture.new("RGB", (420, 420), (236, 230, 220))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(17)
    for r, row in enumerate(TEXT.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 42 + PITCH * c, 42 + PITCH * r
            pen.rectangle((x, y, x + PITCH - 1, y + PITCH - 1), outline=(120, 110, 100))
            for k, number in enumerate(cell):
                across, down = PLACES[int(number) - 1]
                colour = (20, 20, 30) if k else (190, 20, 30)
                pen.text((x + across, y + down), number, fill=colour, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    ("at", "options"),
    [
        pytest.param((42, 40), set(), id="on none"),
        pytest.param((21, 21), {"24", "241"}, id="on that of the 1"),
        pytest.param((21, 63), {"24", "234"}, id="on that of the 3"),
    ],
)
def test_what_covers_no_position_of_a_number_hides_none(at: tuple[int, int], options: set[str]) -> None:
    """Incident: a mouse pointer stood between the positions, or on one of them, and any numbers might be hidden, in any
    order."""
    image = window()
    cv2.drawMarker(image, (42 + 2 * PITCH + at[0], 42 + at[1]), (90, 140, 60), cv2.MARKER_DIAMOND, 16, 5)
    doubts = GAME.read(image, Layout(game="cross-set")).doubts
    assert {text for doubt in doubts for text, _ in doubt.candidates} == options
    assert {doubt.cells for doubt in doubts} <= {((0, 2),)}


def test_one_thing_hides_few_numbers() -> None:
    assert [text for text, _ in slotted((5, 7), (1, 6, 8), 9)] == ["57", "571", "567", "578", "5671", "5781", "5678"]
