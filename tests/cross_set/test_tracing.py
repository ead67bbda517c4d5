"""Glyphs found in a cell by others of the board."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.glyphs.tracing import INKED, traced
from autoplayer.vision.pieces import Piece


def test_a_piece_of_just_too_little_ink_is_none_of_a_glyph():
    seven = np.zeros((24, 14), np.float32)
    seven[:4] = 1
    seven[:, 10:] = 1
    colour = np.array([20, 20, 20], np.float32)
    known = Piece(Box(10, 10, 14, 24), seven, colour, 200.0)
    faint = Piece(Box(12, 11, 4, 2), np.full((2, 4), INKED, np.float32), colour, 200.0)
    found = traced({(0, 0): [known, faint]}, {(0, 1): [Glyph(known, {"7": 1.0}, 0)]})
    assert [piece.box for piece in found[0, 0]] == [known.box]
