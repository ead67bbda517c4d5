"""Signs of any shape between the numbers of a cell of Cross Set: what stands between any two, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.glyphs.parting import parting_signs
from autoplayer.layout import Layout
from autoplayer.vision.pieces import Piece

BOARD = "251 2431 42 543 2\n5143 4 132 25 14325\n34 253 2451 312 31\n1 354 35 4125 542\n423 12 5341 1 345"
SIDE, GROUND, WALL, INK, SIGN = 84, (238, 244, 246), (70, 90, 100), (30, 30, 30), (140, 140, 140)


def window(sign: str, height: int, lean: float) -> Image:
    """Text as a page sets it, at fractions of a pixel: ``sign`` between the numbers of a cell, which lean to the right
    by ``lean`` of their height; the active one comes first, and is larger."""
    rows = [line.split() for line in BOARD.splitlines()]
    finer = 4
    picture = Picture.new("RGB", (SIDE * 5 + 100, SIDE * 5 + 90), (250, 248, 240))
    pen = ImageDraw.Draw(picture)
    large, small = (ImageFont.load_default(size * finer) for size in (height + 6, height))
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            left, top = 50 + c * SIDE, 45 + r * SIDE
            pen.rectangle((left, top, left + SIDE, top + SIDE), fill=GROUND, outline=WALL)
            words = [(cell[0], large, INK)]
            words += [word for number in cell[1:] for word in ((sign, small, SIGN), (number, small, INK))]
            inner = Picture.new("RGB", ((SIDE - 2) * finer, 40 * finer), GROUND)
            inner_pen = ImageDraw.Draw(inner)
            x = (inner.width - sum(font.getlength(text) + finer for text, font, _ in words)) / 2
            for text, font, colour in words:
                inner_pen.text((x, 28 * finer), text, fill=colour, font=font, anchor="ls")
                x += font.getlength(text) + finer
            sloped = inner.transform(
                inner.size, Picture.Transform.AFFINE, (1, lean, -lean * 24 * finer, 0, 1, 0), fillcolor=GROUND
            )
            small_one = sloped.resize((SIDE - 2, 40), Picture.Resampling.BOX)
            picture.paste(small_one, (left + 1, top + 20))
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    ("sign", "height", "lean"),
    [("/", 14, 0.08), ("/", 15, 0.08), ("\\", 13, 0.08), ("\\", 15, 0.08)],
)
def test_slashes_between_numbers_are_no_numbers(sign: str, height: int, lean: float) -> None:
    reading = GAME.read(window(sign, height, lean), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts


def test_what_stands_alone_in_other_cells_is_no_sign() -> None:
    """Sorted candidates: a 2 or a 3 between a 1 and a 4 in all cells of several numbers."""

    def digit(token: str, x: int) -> Glyph:
        ink = np.ones((20, 12), np.float32)
        return Glyph(Piece(Box(x, 0, 12, 20), ink, np.zeros(3, np.float32), 200.0), {token: 0.999, JUNK: 0.001}, 0)

    cells = ["124", "134", "124", "134", "134", "2", "3", "2", "3"]
    seen = {(0, c): [digit(token, 30 * k) for k, token in enumerate(text)] for c, text in enumerate(cells)}
    # Of other shapes than the digits between them.
    for row in seen.values():
        for g in row:
            if g.token in "14":
                g.piece.ink[:, 4:] = 0
    assert parting_signs(seen, {cell: [g.piece for g in row] for cell, row in seen.items()}, 4) == {}
