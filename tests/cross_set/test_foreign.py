"""What lies over numbers of Cross Set in foreign colours: how much of it there is, how foreign it is, in how many cells
it lies, and how clearly the rest tells one number."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes, Glyph
from autoplayer.games.cross_set.seeing.one_cell.covered import touched, uncovered
from autoplayer.games.cross_set.seeing.one_cell.weighing import BoardView
from autoplayer.vision.pieces import Piece

SIDE, GROUND, INK, RED = 60, 240, 40, (40, 40, 230)
X, Y, WIDE, HIGH = 24, 16, 8, 30
"""The place of a number in its cell."""


def blank(cells: int) -> Image:
    return np.full((SIDE, SIDE * cells, 3), GROUND, np.uint8)


def drawn(image: Image, at: int, token: str, tab: int = 0) -> Glyph:
    """A bar in a cell, with a tab so many pixels long at the right of its upper end."""
    x = SIDE * at + X
    image[Y : Y + HIGH, x : x + WIDE] = INK
    image[Y : Y + 4, x : x + WIDE + tab] = INK
    box = Box(x, Y, WIDE + tab, HIGH)
    ink = np.asarray(box.crop(image)[..., 0] == INK, np.float32)
    return Glyph(Piece(box, ink, np.full(3, INK, np.float32), float(GROUND - INK)), {token: 1.0}, int(token))


def view_of(image: Image, size: int = 9) -> BoardView:
    """A row of cells of which no number is known to be whole."""
    cells = [(0, c) for c in range(image.shape[1] // SIDE)]
    view = SimpleNamespace(
        image=image,
        boxes={cell: Box(SIDE * cell[1], 0, SIDE, SIDE) for cell in cells},
        grounds={cell: np.full(3, GROUND, np.float32) for cell in cells},
        noise=0.0,
        eyes=Eyes(size),
        least_contrast=50.0,
        is_known=lambda cell, g: False,
        is_strange=lambda cell, g: False,
        veiled=lambda cell: None,
    )
    return cast(BoardView, view)


def spotted(cells: int, pixels: int = 30, colour: tuple[int, int, int] = RED) -> frozenset[Cell]:
    """The cells that something touches where it covers so many ``pixels`` of the feet of numbers."""
    image = blank(6)
    seen = {(0, c): [drawn(image, c, str(c % 3 + 1))] for c in range(6)}
    for c in range(cells):
        rows, rest = divmod(pixels, 6)
        x, y = SIDE * c + X + 1, Y + HIGH - rows - 1
        image[y : y + rows, x : x + 6] = colour
        image[y + rows, x : x + rest] = colour
    return touched(view_of(image), seen)


@pytest.mark.parametrize("cells", [1, 4, 5])
def test_a_pointer_lies_in_four_cells_at_most(cells: int) -> None:
    """What is at the numbers of more cells is a mark of the window."""
    assert len(spotted(cells)) == (cells if cells < 5 else 0)


@pytest.mark.parametrize(("pixels", "seen"), [(11, False), (13, True)])
def test_a_few_pixels_of_a_foreign_colour_are_no_pointer(pixels: int, seen: bool) -> None:
    assert bool(spotted(1, pixels)) is seen


@pytest.mark.parametrize(("away", "seen"), [(40, False), (56, True)])
def test_a_colour_that_hardly_differs_from_what_numbers_have_is_not_foreign(away: int, seen: bool) -> None:
    """It differs by so many grey levels from the nearest blend of the ground and the numbers."""
    assert bool(spotted(1, 30, (140 - away, 140, 140 + away))) is seen


@pytest.mark.parametrize(("tab", "told"), [(8, False), (15, True)])
def test_what_is_visible_tells_a_number_if_others_fit_clearly_less(tab: int, told: bool) -> None:
    """Something red lies over the foot of a 1. A 2 has a tab, short or long, where a 1 has none."""
    image = blank(3)
    seen = {(0, 0): [drawn(image, 0, "1")], (0, 1): [drawn(image, 1, "2", tab)], (0, 2): [drawn(image, 2, "1")]}
    image[Y + HIGH - 8 : Y + HIGH + 4, 2 * SIDE + X - 6 : 2 * SIDE + X + 14] = RED
    found = uncovered(view_of(image, 2), seen, [(0, 2)])
    assert [[g.token for g in row] for row in found.values()] == ([["1"]] if told else [])
