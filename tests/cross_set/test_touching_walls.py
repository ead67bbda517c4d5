"""Numbers of Cross Set that touch the walls of their cells, and are removed with these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set.seeing.cells import usual_walls
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.one_cell.weighing import BoardView
from autoplayer.vision import pieces

CELL = Box(0, 0, 80, 60)


def cell(*bars: tuple[int, int, int, int]) -> Image:
    """A cell with a number, and ``bars`` (left, top, width, height) of the colour of its walls."""
    image = np.full((CELL.height, CELL.width, 3), 200, np.uint8)
    for x, y, wide, high in ((20, 40, 6, 15), *bars):
        image[y : y + high, x : x + wide] = 100
    return image


def view(**known: object) -> BoardView:
    made = BoardView.__new__(BoardView)
    for name, value in known.items():
        object.__setattr__(made, name, value)
    return made


def test_a_number_that_touches_a_broken_wall_is_not_taken_for_what_most_walls_leave() -> None:
    """Incident: compression had broken the walls, of which something was removed from most cells; with one of them went
    the active number that touched it, and nobody was told."""
    broken, touched = (
        cell((20, 58, 25, 2)),
        cell((0, 0, 62, 3), (0, 0, 3, 50), (26, 0, 4, 12), (34, 0, 4, 22), (26, 10, 16, 3)),
    )
    usual, more = (pieces.find(image, CELL) for image in (broken, touched))
    assert usual.swallowed == more.swallowed == 1
    number = Glyph(usual.pieces[0], {"1": 0.99, JUNK: 0.01}, 1)
    walls, reaches = usual_walls([usual, usual, more], {(0, 0): [number]})
    made = view(usual=walls, reaches=reaches)
    assert made.swallowed_in(usual) == 0
    assert made.swallowed_in(more) == 1
    little = replace(more, reached=0.2 * number.piece.ink.sum() / number.piece.scale**2)
    assert made.swallowed_in(little) == 0
