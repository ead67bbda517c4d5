"""Lines of numbers that count on right beside a board, as far from it as its cells from one another: buttons that give
a cell its number, coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing import pad
from autoplayer.layout import Layout

BOARD = "3 21 132 45 5\n2415 123 15 4 31\n43 324 52 31 1\n1 5 43 23 423\n52 4 41 51 2"
PITCH, LEFT, TOP, SIZE = 72, 150, 120, 5
PAPER, TILE, INK, PALE = (250, 240, 220), (235, 215, 180), (90, 60, 30), (160, 135, 105)


def middle(row: float, column: float) -> tuple[float, float]:
    return LEFT + (column + 0.5) * PITCH, TOP + (row + 0.5) * PITCH


def window(*, pad: bool = False, coordinates: str = "", first: int = 1) -> Image:
    """The board, each candidate in a column of its own; ``coordinates``: on which sides, of t, l, b and r."""
    picture = Picture.new("RGB", (620, 620), PAPER)
    pen, small, large = ImageDraw.Draw(picture), ImageFont.load_default(15), ImageFont.load_default(30)
    for row, line in enumerate(BOARD.splitlines()):
        for column, cell in enumerate(line.split()):
            x, y = middle(row, column)
            box = (x - PITCH / 2, y - PITCH / 2, x + PITCH / 2, y + PITCH / 2)
            pen.rectangle(box, fill=TILE, outline=INK)
            for k, number in enumerate(cell):
                at = (x + (k - (len(cell) - 1) / 2) * 15, y)
                pen.text(at, number, fill=(40, 110, 200) if k == 0 else PALE, font=small, anchor="mm")
    for k in range(SIZE):
        if pad:
            x, y = middle(SIZE + 0.1, k)
            pen.rounded_rectangle((x - 33, y - 33, x + 33, y + 33), 8, fill=TILE, outline=INK, width=2)
            pen.text((x, y), str(k + 1), fill=INK, font=large, anchor="mm")
        for side, at in {"t": (-1, k), "b": (SIZE, k), "l": (k, -1), "r": (k, SIZE)}.items():
            if side in coordinates:
                pen.text(middle(*at), str(first + k), fill=INK, font=large, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(window(), id="nothing"),
        pytest.param(window(pad=True), id="buttons"),
        pytest.param(window(coordinates="tl"), id="above and to the left"),
        pytest.param(window(coordinates="tl", first=0), id="from 0"),
        pytest.param(window(coordinates="tlbr"), id="all around"),
        pytest.param(window(coordinates="r"), id="to the right"),
    ],
)
def test_a_board_is_read_whatever_counts_on_beside_it(image: Image) -> None:
    reading = GAME.read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts


def test_only_one_number_in_each_place_counts_on() -> None:
    line = [Box(LEFT + k * PITCH + 4, TOP - PITCH + 4, PITCH - 8, PITCH - 8) for k in range(SIZE)]
    row = [Box(LEFT + k * PITCH + 4, TOP + 4, PITCH - 8, PITCH - 8) for k in range(SIZE)]
    image = window(coordinates="t")
    assert pad.counts_on(image, line)
    assert not pad.counts_on(image, row)
    assert not pad.counts_on(image, line[::-1])
