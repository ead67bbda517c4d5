"""Pages on which no Cross Set is: they are refused by what is cheap to see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.seeing import cells, sighting
from autoplayer.games.cross_set.seeing.glyphs.sheet import Sheet
from autoplayer.layout import Layout

WORDS = "every reader would have seen what stands in a cell of the grid"


def as_array(picture: Picture.Image) -> Image:
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def test_a_paragraph_is_not_looked_at_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture.new("RGB", (900, 600), "white")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(14)
    for line in range(30):
        pen.text((5, 20 * line), (WORDS + " ") * 3, fill="black", font=font)
    places = {(k, k): Box(300 * k, 200 * k, 300, 200) for k in range(3)}

    def judged(*_: object) -> None:
        pytest.fail("letters were compared with digits")

    monkeypatch.setattr(cells, "judged", judged)
    assert sighting.glance(as_array(picture), places, 0.0) == 0


def test_a_calendar_is_refused_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its days are numbers in a lattice, but with words beside them, and each row lacks most of a board's numbers."""
    picture = Picture.new("RGB", (1000, 640), "white")
    pen = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(20), ImageFont.load_default(14)
    words = WORDS.split()
    for day in range(30):
        x, y = 40 + 130 * (day % 7), 60 + 105 * (day // 7)
        pen.rectangle((x, y, x + 125, y + 100), outline=(150, 150, 150))
        pen.text((x + 6, y + 4), str(day + 1), fill="black", font=large)
        if day % 3:
            pen.text((x + 6, y + 34), f"{words[day % 13]} {words[day % 11]}", fill="black", font=small)
    looked: list[Sheet | None] = []
    read = cells.read

    def noted(*args: Any, **named: Any) -> Sheet | None:
        looked.append(read(*args, **named))
        return looked[-1]

    monkeypatch.setattr(cells, "read", noted)
    with pytest.raises(UnreadableError):
        GAME.read(as_array(picture), Layout(game="cross-set"))
    assert looked
    assert all(sheet is None for sheet in looked), "it was looked at in every way"


@pytest.mark.parametrize("rows", [4, 5])
def test_a_part_of_a_board_is_not_read(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Incident: a page that ends in the middle of a board was looked at for twenty seconds, square after square, and
    five of its columns were taken for a board whose cells are of several heights."""
    columns = 7
    picture = Picture.new("RGB", (columns * 90 + 20, rows * 70 - 25), (220, 210, 200))
    pen = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(34), ImageFont.load_default(20)
    for k in range(columns * rows):
        r, c = divmod(k, columns)
        x, y = 10 + 90 * c, 20 + 70 * r
        pen.rectangle((x, y, x + 80, y + 60), fill=(68, 175, 195), outline="white", width=3)
        pen.text((x + 12, y + 8), str(1 + (c + r) % 5), fill="white", font=large)
        pen.text((x + 42, y + 20), str(1 + (c + r + 2) % 5), fill="white", font=small)

    def read(*_: object, **__: object) -> None:
        pytest.fail("more cells stand beside every square of it")

    monkeypatch.setattr(cells, "read", read)
    with pytest.raises(UnreadableError):
        GAME.read(as_array(picture), Layout(game="cross-set"))
