"""Circles around the numbers of Cross Set: around the active one, or around all, with the active one's filled."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.layout import Layout
from autoplayer.settle import settle

TEXT = "4231 341 2413 312\n431 1 3421 341\n3124 12 3412 123\n2134 2143 32 234"
PITCH, STEP, RADIUS, FINE = 84, 20, 9, 4

Colour = tuple[int, int, int]


def window(cell: Colour, ink: Colour, line: Colour, around_all: bool) -> Image:
    """The numbers of each cell stand in their order, in a line; drawn larger, so that circles are smooth."""
    side = 42 * 2 + 4 * PITCH
    picture = Picture.new("RGB", (side * FINE, side * FINE), (243, 241, 236))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(14 * FINE)
    for r, row in enumerate(TEXT.splitlines()):
        for c, numbers in enumerate(row.split()):
            x, y = 42 + PITCH * c, 42 + PITCH * r
            ends = (x * FINE, y * FINE, (x + PITCH - 1) * FINE, (y + PITCH - 1) * FINE)
            pen.rectangle(ends, fill=cell, outline=(140, 140, 140), width=FINE)
            for k, number in enumerate(sorted(numbers)):
                middle = x + PITCH / 2 + STEP * (k - (len(numbers) - 1) / 2), y + PITCH / 2
                active = number == numbers[0]
                if active or around_all:
                    left, top, right, bottom = (FINE * (v + by) for by in (-RADIUS, RADIUS) for v in middle)
                    filled = line if active and around_all else None
                    pen.ellipse((left, top, right, bottom), outline=line, width=FINE, fill=filled)
                colour = cell if active and around_all else ink
                pen.text((FINE * middle[0], FINE * middle[1]), number, fill=colour, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture.resize((side, side), Picture.Resampling.LANCZOS))[:, :, ::-1])


WHITE, BLACK, GREY = (255, 255, 255), (30, 30, 30), (90, 90, 90)


@pytest.mark.parametrize(
    "look",
    [
        pytest.param((WHITE, BLACK, BLACK, False), id="around the active one"),
        pytest.param((WHITE, BLACK, GREY, True), id="around all, one filled"),
        pytest.param(((30, 34, 50), (170, 170, 190), (110, 110, 125), True), id="the same on dark cells"),
    ],
)
def test_a_circle_marks_the_active_number(look: tuple[Colour, Colour, Colour, bool]) -> None:
    """Incidents: the lower end of a circle was taken for a line below its number, and most active numbers were lost;
    and where all numbers had circles, the first was taken for the active one, without a doubt."""
    settled = settle(GAME, GAME.read(window(*look), Layout(game="cross-set")))
    assert settled.certain
    expected = [[(cell[0], sorted(cell)) for cell in row.split()] for row in TEXT.splitlines()]
    read = [[(str(cell[0]), [str(n) for n in sorted(cell)]) for cell in row] for row in settled.puzzle.rows]
    assert read == expected
