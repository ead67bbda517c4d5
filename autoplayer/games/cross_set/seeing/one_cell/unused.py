"""Numbers of Cross Set that are no candidates: a window may show all numbers in each cell, those that cannot be chosen
there paler than all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.one_cell.judging import shown
from autoplayer.vision.pieces import Place

FULL = 0.9
"""The least share of the cells that hold as many glyphs as the board has numbers, or more where pale ones are in
pieces: no level has so many candidates."""

PALER = 1.6
"""What is no candidate differs from its ground less than all candidates do, by this factor at least."""

SEVERAL = 0.25
"""The least share of the cells that hold several candidates: where the others are pale in all, only the active one is
strong."""


def least_of_candidates(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> float:
    """The contrast below which glyphs are no candidates, grey levels; 0 if none are so pale, or rows and columns would
    not show all numbers without them. ``size``: the rows of the board. It lies half way between the two kinds: a number
    that falls on other pixels has a slightly different contrast in a later picture."""
    if np.mean([len(row) >= size for row in seen.values()]) < FULL:
        return 0.0
    contrast = np.sort([max(g.piece.contrast, 1.0) for row in seen.values() for g in row])
    for at in np.flatnonzero(contrast[1:] >= PALER * contrast[:-1]).tolist():
        least = float(contrast[at + 1])
        strong = {cell: [g for g in row if g.piece.contrast >= least] for cell, row in seen.items()}
        several = np.mean([len(row) > 1 for row in strong.values()]) >= SEVERAL
        if several and all(strong.values()) and shown(strong, size) == 1:
            return sqrt(contrast[at] * least)
    return 0.0


def without_unused(place: Place, least: float) -> Place:
    """``place`` without the pieces that have a contrast below ``least``."""
    return replace(place, pieces=tuple(p for p in place.pieces if p.contrast >= least)) if least else place
