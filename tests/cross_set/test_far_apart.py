"""Boards without walls whose numbers stand far apart: what lies between two cells is no cell."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.lattice.lattices import LONG, blobs
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


FIVE = """512 534 352 123 53
125 235 1345 125 42
45 53 312 241 412
1234 134 3452 23 24
453 423 1245 4523 4512"""


def test_dots_at_the_ends_of_rows_are_no_cells() -> None:
    """Incident: dots as high as the numbers, nearer to the last cells than those are to each other, hid the lattice."""
    picture = Picture.new("RGB", (960, 760), (40, 45, 40))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(34)
    for r, row in enumerate(FIVE.splitlines()):
        for c, text in enumerate(row.split()):
            x, y = 110 + 158 * c, 90 + 124 * r
            left = x - 32 * (len(text) - 1) / 2
            for k, number in enumerate(text):
                pen.text((left + 32 * k, y), number, fill=(200, 200, 200) if k else "white", font=font, anchor="mm")
        for x, y in ((845, 90 + 124 * r), (110 + 158 * r, 676)):
            pen.ellipse((x - 14, y - 14, x + 14, y + 14), fill=(160, 110, 55))
    reading = GAME.read(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == FIVE
    assert not reading.doubts


LOCKED = {(0, 2), (2, 0), (2, 4), (3, 4)}

ASIDE = """412 23 52 21 3214
12 351 14 24 1352
3 423 245 534 513
4532 314 153 5241 2
42 15 3124 43 23541"""


@pytest.mark.parametrize("aside", [(6, 10), (-10, 6)])
@pytest.mark.parametrize("fill", [None, (235, 150, 140)], ids=["framed", "filled"])
def test_locked_cells_show_where_cells_without_walls_are(
    aside: tuple[int, int], fill: tuple[int, int, int] | None
) -> None:
    """Incident: numbers stood beside the middles of their cells, and the sides of locked ones ran through these."""
    picture = Picture.new("RGB", (410, 430), (225, 225, 225))
    pen, big, small = ImageDraw.Draw(picture), ImageFont.load_default(28), ImageFont.load_default(14)
    for r, row in enumerate(ASIDE.splitlines()):
        for c, text in enumerate(row.split()):
            x, y = 30 + 70 * c, 40 + 70 * r
            if (r, c) in LOCKED:
                pen.rectangle((x + 1, y + 1, x + 68, y + 68), fill=fill, outline=(200, 60, 50))
            pen.text((x + 35 + aside[0], y + 24 + aside[1]), text[0], fill="black", font=big, anchor="mm")
            pen.text((x + 35 + aside[0], y + 46 + aside[1]), text[1:], fill="black", font=small, anchor="mm")
    reading = GAME.read(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == ASIDE
    assert not reading.doubts
    inside = reading.extra["board"].inside[1, 1]
    assert max(abs(inside.x - 100), abs(inside.y - 110)) <= 1


IN_TWO_LINES = """1345 35 65 72 514 62 26
1235 75 342 13 2451 15 562
4571 52 16 136 7234 17 574
562 2356 13 574 17 462 76
14 62 312 756 467 35 2361
716 524 46 12 745 71 13
24 612 37 123 46 147 534"""


def test_the_lines_within_cells_are_looked_at_after_the_cells() -> None:
    """Incident: as many blocks of such lines were refused as a window without a board has."""
    pitch, line = 120, 40
    picture = Picture.new("RGB", (7 * pitch + 180, 7 * pitch + 400), (200, 140, 125))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(38)
    for r, row in enumerate(IN_TWO_LINES.splitlines()):
        for c, text in enumerate(row.split()):
            x, y, half = 90 + (c + 0.5) * pitch, 200 + (r + 0.5) * pitch, (len(text) + 1) // 2
            for k, part in enumerate((text[:half], text[half:])):
                pen.text((x, y + (k - 0.5) * line), part, fill=(20, 18, 18), font=font, anchor="mm")
    image = np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])
    long = [found.oblong >= LONG for _, found in blobs(image)]
    assert True in long
    assert long == sorted(long)
    assert format_puzzle(GAME.read(image, Layout(game="cross-set")).puzzle) == IN_TWO_LINES
