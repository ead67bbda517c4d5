"""How cells of Cross Set stand in a later picture in which one of their numbers cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import parse
from autoplayer.games.cross_set.seeing.glyphs.sheet import Sheet
from autoplayer.layout import Layout

BOARD = "14352 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
SORTED_ANEW = "31245" + BOARD[5:]


def window(text: str) -> Image:
    """The active number large above the others."""
    picture = Picture.new("RGB", (560, 500), (246, 244, 240))
    pen = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(34), ImageFont.load_default(17)
    for r, row in enumerate(text.splitlines()):
        for c, cell in enumerate(row.split()):
            left, top = 70 + 84 * c, 40 + 84 * r
            pen.rectangle((left, top, left + 76, top + 76), outline=(90, 90, 90), width=2)
            pen.text((left + 38, top + 28), cell[0], fill=(190, 60, 20), font=large, anchor="mm")
            pen.text((left + 38, top + 60), " ".join(cell[1:]), fill=(60, 60, 60), font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        pytest.param({"3": 0.9, "1": 0.1}, True, id="it may be what is left"),
        pytest.param({"2": 0.9, "3": 0.1}, True, id="another one is likelier, which stands elsewhere"),
        pytest.param({"2": 0.98, "3": 0.02}, False, id="it looks like none that is left"),
    ],
)
def test_the_one_number_that_cannot_be_told_is_the_one_that_is_left(
    chances: Mapping[str, float], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: a small 1 on a disc was in doubt, so the cell was taken for one that was turned otherwise, for ever."""
    reading = GAME.read(window(BOARD), Layout(game="cross-set"))
    seen_again = turning.read_again

    def unclear(image: Image, boxes: Mapping[Cell, Box], before: Sheet, noise: float) -> Sheet:
        sheet = seen_again(image, boxes, before, noise)
        first, *others = sheet.glyphs[0, 0]
        return replace(sheet, glyphs={**sheet.glyphs, (0, 0): (replace(first, chances=chances), *others)})

    monkeypatch.setattr(turning, "read_again", unclear)
    now = turning.state(window(SORTED_ANEW), reading, parse(BOARD))
    assert ((0, 0) not in now.doubtful) == told
    assert not told or now.active((0, 0)) == 3


@pytest.mark.parametrize("across", [True, False])
def test_what_hides_the_walls_between_cells_lies_over_them_even_in_their_colour(across: bool) -> None:
    """Incident: a message in the colour of the cells lay over some, and those without words upon them were turned on
    and on in a level that was won. Numbers that are gone from two cells lie under nothing while the wall stands."""
    before, white = window(BOARD), (246, 244, 240)
    reading = GAME.read(before, Layout(game="cross-set"))
    assert not reading.doubts
    box = (160, 220, 392, 360)
    message = Picture.fromarray(np.ascontiguousarray(before[:, :, ::-1]))
    pen = ImageDraw.Draw(message)
    pen.rectangle(box, fill=white, outline=(40, 40, 40), width=2)
    pen.text((276, 240), "Well done", fill=(30, 30, 30), font=ImageFont.load_default(15), anchor="mm")
    over = np.ascontiguousarray(np.asarray(message)[:, :, ::-1])
    under = {(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)}
    assert turning.state(over, reading, reading.puzzle).covered == under
    gone = before.copy()
    for r, c in ((2, 1), (2, 2)) if across else ((2, 1), (3, 1)):
        gone[45 + 84 * r : 112 + 84 * r, 75 + 84 * c : 142 + 84 * c] = white[::-1]
    now = turning.state(gone, reading, reading.puzzle)
    assert len(now.doubtful) == 2
    assert not now.covered
