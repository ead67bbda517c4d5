"""Boards of Cross Set with dashed or dotted lines between their cells."""

from __future__ import annotations

from itertools import accumulate, cycle

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.lattice.dashes import with_whole_lines
from autoplayer.layout import Layout

BOARD = "3 21 132\n321 123 1\n231 312 31"
PITCH, LINE, INK = 90, (176, 184, 190), (40, 50, 60)


def window(dash: int, gap: int, thick: int) -> Image:
    """A board with numbered columns and rows, as in a sheet: a large number above small ones."""
    picture = Picture.new("RGB", (420, 420), (255, 255, 255))
    pen, (head, large, small) = ImageDraw.Draw(picture), (ImageFont.load_default(v) for v in (16, 34, 20))
    for k in range(4):
        for at in (*range(0, 3 * PITCH, dash + gap), 3 * PITCH - dash + thick):
            upon, along = 60 + k * PITCH, 60 + at
            pen.rectangle((along, upon, along + dash - 1, upon + thick - 1), fill=LINE)
            pen.rectangle((upon, along, upon + thick - 1, along + dash - 1), fill=LINE)
    for r, row in enumerate(BOARD.splitlines()):
        middle = 60 + (r + 0.5) * PITCH
        pen.text((middle, 48), str(r + 1), fill=INK, font=head, anchor="mm")
        pen.text((44, middle), str(r + 1), fill=INK, font=head, anchor="mm")
        for c, cell in enumerate(row.split()):
            x = 60 + (c + 0.5) * PITCH
            pen.text((x, middle - 16), cell[0], fill=INK, font=large, anchor="mm")
            pen.text((x, middle + 20), " ".join(cell[1:]), fill=INK, font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(("dash", "gap", "thick"), [(5, 5, 1), (8, 7, 2), (3, 3, 3)], ids=["fine", "dashed", "dotted"])
def test_cells_end_at_dashed_lines(dash: int, gap: int, thick: int) -> None:
    """The numbers of the columns, which are as far from the cells' numbers as these from each other, are outside."""
    reading = GAME.read(window(dash, gap, thick), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts


def lines(
    dashes: tuple[int, ...] = (5, 5),
    *,
    thick: int = 1,
    length: int = 150,
    count: int = 3,
    colour: int = 200,
    shift: int = 0,
    across: bool = True,
) -> Image:
    """So many (``count``) dashed lines down, and, if also ``across``, as many to the right. ``dashes``: the lengths of
    dashes and of gaps, in turn; ``shift``: how much later each begins than the one before; all in pixels."""
    image = np.full((260, 260), 255, np.uint8)
    ends = list(accumulate(zip(cycle(dashes), range(length), strict=False), lambda at, one: at + one[0], initial=0))
    for k in range(count):
        upon, first = 20 + 50 * k, 20 + k * shift
        for start, end in zip(ends[::2], ends[1::2], strict=False):
            if end <= length:
                image[first + start : first + end, upon : upon + thick] = colour
                if across:
                    image[upon : upon + thick, first + start : first + end] = colour
    return np.repeat(image[..., None], 3, axis=2)


def test_gaps_are_filled_in_the_colour_of_the_dashes() -> None:
    whole = with_whole_lines(lines(), 0.0)
    assert whole is not None
    filled = whole[..., 0] == 200
    assert filled[[20, 70, 120], 20:165].all()
    assert filled[20:165, [20, 70, 120]].all()
    assert np.count_nonzero(filled) == 6 * 145 - 9


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(lines((9, 3, *(5, 5) * 8)), id="some dashes are longer"),
        pytest.param(lines((4, 4), length=80), id="short lines with few gaps"),
        pytest.param(lines((6, 14), length=200), id="far apart"),
        pytest.param(lines((6, 6), thick=6), id="thick"),
        pytest.param(lines(shift=1), id="ends a pixel apart"),
        pytest.param(lines(colour=246), id="pale"),
    ],
)
def test_these_are_dashed_lines(image: Image) -> None:
    assert with_whole_lines(image, 0.0) is not None


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(lines((9, 9, 5, 5)), id="uneven"),
        pytest.param(lines((3, 3), length=45), id="too short"),
        pytest.param(lines((9, 9), length=140), id="too few gaps"),
        pytest.param(lines((6, 16), length=200), id="too far apart"),
        pytest.param(lines((8, 8), thick=8), id="too thick"),
        pytest.param(lines(shift=4), id="other ends"),
        pytest.param(lines(count=2), id="too few lines"),
        pytest.param(lines(colour=249), id="too pale"),
        pytest.param(lines(across=False), id="one direction only"),
    ],
)
def test_these_are_not(image: Image) -> None:
    assert with_whole_lines(image, 0.0) is None
