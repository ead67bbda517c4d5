"""Which of two boards explains a picture better."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains import ranking
from autoplayer.games.cardinal_chains.ranking import Board, Place
from autoplayer.vision import ink
from autoplayer.vision.lattice import Lattice

SIDE = 60


def board(walled: bool, pitch: float, glyphs: dict[int, tuple[str, float, Box]]) -> Board:
    """A board of one row, 40 pixels from the left; ``glyphs``: token, probability and box by the column."""
    cells = frozenset((0, c) for c in glyphs)
    size = SIDE - 4 if walled else 30
    found = Lattice(40 + SIDE / 2, 100, pitch, pitch, size, size, cells)
    places = {}
    for number, (c, (token, chance, box)) in enumerate(glyphs.items()):
        drawn, grey = np.ones((box.height, box.width), np.float32), np.zeros(3, np.float32)
        content = ink.Content(grey, drawn, box, grey + 200, 200.0, found.box((0, c)))
        rest = (("", 1 - chance),)
        places[0, c] = Place(content, found.box((0, c)), ((token, chance), *rest), number, False)
    return Board(found, walled, places, ranking.score(found, places, walled), True)


def glyph(column: int, width: int = 18) -> Box:
    return Box(round(40 + (column + 0.5) * SIDE - width / 2), 86, width, 28)


def test_two_glyphs_far_apart_are_no_better_a_board_than_the_cells_they_stand_in():
    """A pointer lies over one of four cells; the two glyphs beside it give a lattice of twice the pitch, whose places
    hold pieces of the walls as well."""
    cells = {0: ("8", 0.99, glyph(0)), 1: ("3", 0.14, glyph(1, 33)), 2: ("X", 0.99, glyph(2)), 3: ("2", 0.99, glyph(3))}
    four = board(True, SIDE, cells)
    two = board(False, 2 * SIDE, {0: ("8", 0.99, Box(40, 66, 94, 68)), 1: ("X", 0.99, Box(141, 66, 100, 68))})
    assert two.score > four.score
    assert ranking.beats(four, two)
    assert not ranking.beats(two, four)
