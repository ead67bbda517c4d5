"""Numbers of Cross Set that are far lower than the active one, and so thin that they break."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.one_cell import judging
from autoplayer.vision.pieces import Piece


def glyph(token: str, box: Box) -> Glyph:
    ink = np.ones((box.height, box.width), np.float32)
    return Glyph(Piece(box, ink, np.zeros(3, np.float32), 200.0), {token: 1.0}, box.x * 1000 + box.y)


def test_low_pieces_beside_single_numbers_are_no_signs_between_numbers() -> None:
    """Incident: the candidates beside a large active number broke into pieces; those were left out as if they were
    commas, because they stand at its foot. The board was then seen without walls, a fifth of a cell beside its
    place, and a number at the end of a cell was lost without a doubt."""
    lowest = judging.LOWEST * 60
    alone: dict[Cell, list[Glyph]] = {}
    pairs: dict[Cell, list[Glyph]] = {}
    for k in range(6):
        first, second = glyph(str(k % 5 + 1), Box(10, 10, 30, 60)), glyph(str((k + 1) % 5 + 1), Box(58, 10, 30, 60))
        low = [glyph(JUNK, Box(45 + 12 * i, 56 + i, 6 + k, 10)) for i in range(2)]
        alone[0, k] = [first, *low]
        pairs[0, k] = [first, low[0], second]
    assert not judging._at_the_foot(alone, lowest, 5)
    assert judging._at_the_foot(pairs, lowest, 5)
