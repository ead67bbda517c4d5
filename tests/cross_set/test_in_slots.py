"""Which candidate of a cell is active where every number has a slot of its own, and hardly anything tells."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle
from autoplayer.layout import Layout

SIZE, PITCH = 9, 48


def puzzle() -> Puzzle:
    """A board as a game shows it before the first click: many candidates in a cell, the lowest one active."""
    rng = np.random.default_rng(2)
    rows = []
    for r in range(SIZE):
        row = []
        for c in range(SIZE):
            more = rng.choice(SIZE, size=5, replace=False) + 1
            row.append(tuple(sorted({(r + c) % SIZE + 1, *more.tolist()})))
        rows.append(tuple(row))
    return Puzzle(tuple(rows))


def in_slots(board: Puzzle, active: int, other: int) -> Image:
    """Small soft numbers in slots, three by three; ``active``, ``other``: their grey levels."""
    picture = Picture.new("L", (SIZE * PITCH + 40, SIZE * PITCH + 40), 215)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(13)
    for r, row in enumerate(board.rows):
        for c, cell in enumerate(row):
            x, y = 20 + PITCH * c, 20 + PITCH * r
            pen.rectangle((x, y, x + PITCH, y + PITCH), outline=80)
            for number in cell:
                at = (x + 10 + 14.3 * ((number - 1) % 3), y + 10 + 14.3 * ((number - 1) // 3))
                pen.text(at, str(number), fill=active if number == cell[0] else other, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture.convert("RGB")))


@pytest.mark.parametrize(
    ("other", "told"),
    [pytest.param(50, True, id="a little darker"), pytest.param(30, False, id="like all others")],
)
def test_the_lowest_number_is_active_where_that_explains_a_little_contrast(other: int, told: bool) -> None:
    """Each cell's own choice among six costs more than so little contrast is worth."""
    board = puzzle()
    reading = GAME.read(in_slots(board, 30, other), Layout(game="cross-set"))
    assert reading.puzzle == board
    assert bool(reading.doubts) == (not told)
