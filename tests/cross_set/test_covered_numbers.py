"""What a mouse pointer leaves visible of a number of Cross Set tells which one it is, if no other number of the board
looks like that there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout

TEXT = "124 5 34 125 23\n15 234 25 134 4\n3 145 124 2 135\n245 13 3 45 124\n2 24 135 3 15"
PITCH, LEFT, TOP, STEP = 84, 40, 40, 20
ARROW = np.array([(0, 0), (0, 16), (4, 12), (6, 18), (9, 17), (6, 11), (11, 11)])
Colours = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
BLUE: Colours = (60, 70, 110), (120, 130, 160), (214, 222, 230)
"""The ink of active numbers, of the others, and the ground."""
BLACK: Colours = (20, 20, 20), (150, 60, 60), (245, 245, 220)


def window(colours: Colours = BLUE, higher: int = 0) -> Image:
    """A board with the numbers of each cell in a row around its middle, or ``higher``; the first, which is active, is
    stronger."""
    ink, others, paper = colours
    picture = Picture.new("RGB", (500, 500), paper)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(24)
    for r, row in enumerate(TEXT.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = LEFT + PITCH * c, TOP + PITCH * r
            pen.rectangle((x, y, x + PITCH, y + PITCH), outline=(150, 150, 160))
            for k, number in enumerate(cell):
                at = x + PITCH / 2 + STEP * (k - (len(cell) - 1) / 2), y + PITCH / 2 - higher
                pen.text(at, number, fill=others if k else ink, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def pointed(
    cell: tuple[int, int], at: tuple[float, float], size: float = 1.3, colours: Colours = BLUE, higher: int = 0
) -> Image:
    """The window with a black pointer whose tip is at a point relative to the middle of a cell."""
    image, middle = window(colours, higher), (LEFT + PITCH * cell[1] + PITCH // 2, TOP + PITCH * cell[0] + PITCH // 2)
    shape = np.round((ARROW * size + middle + at) * 16).astype(np.int32)
    cv2.fillPoly(image, [shape], (0,) * 3, cv2.LINE_AA, 4)
    cv2.polylines(image, [shape], True, (255,) * 3, 1, cv2.LINE_AA, 4)
    return image


def options(image: Image) -> set[str]:
    """What the doubtful cell may hold; empty if the board is read rightly and without a doubt."""
    reading = GAME.read(image, Layout(game="cross-set"))
    if not reading.doubts:
        assert format_puzzle(reading.puzzle) == TEXT
    return {text for doubt in reading.doubts for text, _ in doubt.candidates}


@pytest.mark.parametrize(
    ("cell", "at"),
    [
        pytest.param((0, 0), (-3, 2), id="between the 2 and the 4"),
        pytest.param((0, 3), (0, 5), id="the foot of the 2"),
        pytest.param((3, 0), (-24, 1), id="the foot of the active number"),
    ],
)
def test_what_is_visible_of_a_number_tells_which_it_is(cell: tuple[int, int], at: tuple[int, int]) -> None:
    assert not options(pointed(cell, at))


def test_what_a_pointer_is_joined_with_is_told_by_what_is_visible_of_it() -> None:
    """The pointer and the upper half of the 2, the only number of its cell, look like a 4."""
    assert not options(pointed((4, 0), (-3, -4), 1.1))


def test_what_a_pointer_in_the_colours_of_the_window_is_joined_with_is_a_doubt() -> None:
    """A black pointer with a white edge makes a 2 of a black 4, on a ground that is nearly white."""
    assert "4" in options(pointed((2, 3), (3.5, -4.25), 1.1, BLACK))


def test_a_coloured_wall_beside_a_number_is_no_pointer() -> None:
    """The cell with the lone 4 has a frame of its own, close above that; the pointer is in another cell."""
    image, (x, y) = pointed((0, 0), (-3, -28), higher=30), (LEFT + 4 * PITCH, TOP + PITCH)
    cv2.rectangle(image, (x, y), (x + PITCH, y + PITCH), (60, 60, 230), 5)
    assert not options(image)


def test_too_little_of_a_number_tells_nothing() -> None:
    """Only the foot of the 2 is visible."""
    assert "124" in options(pointed((0, 0), (-8, -16)))


def test_what_looks_like_no_number_stays_a_doubt() -> None:
    """A stroke over the visible part of the 2 makes another sign of it."""
    image = pointed((0, 0), (-3, 2))
    cv2.line(image, (76, 68), (88, 68), (160, 130, 120), 2, cv2.LINE_AA)
    assert options(image)
