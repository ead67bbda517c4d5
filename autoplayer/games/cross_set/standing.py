"""Where the numbers of a cell of Cross Set stand says how many there are: most windows lay them out by their count, so
that one more would have moved the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.glyph import JUNK, Glyph
from autoplayer.games.cross_set.own_face import OWN

IN_PLACE = 0.15
"""By which share of the lowest number's height numbers stray from where as many stand elsewhere, at most: a 1 is
narrower than a 4, and moves those beside it by half of the difference …"""

MOVED = 0.25
"""… and by which one more would move them at least: two side by side are more than half their height apart, and a line
around its middle moves by half of that."""

FARTHER = 2.0
"""How many times as far those with more stand, at least."""

FEWEST = 2
"""So many cells with more numbers say where those stand; where as many stand, one other cell says."""

TELLING = 0.9
"""The share of the sure cells whose places tell them from those with more, where places tell that of a cell of which
none has more."""


def counted(
    seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box], asked: Collection[Cell]
) -> frozenset[Cell]:
    """Those of the ``asked`` cells in which no number is missing: their own stand as in others that hold as many, and
    not as in any that hold the next larger count. The others are sure; where every number has a place of its own, or
    lines begin at the left, nothing can be said."""
    rows = {cell: [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5] for cell, row in seen.items()}
    spots = {cell: _spots(row, boxes[cell]) for cell, row in rows.items() if row}
    by_count: dict[int, dict[Cell, Floats]] = defaultdict(dict)
    for cell, own in spots.items():
        if cell not in asked and all(g.chance > OWN for g in seen[cell]):
            by_count[len(own)][cell] = own

    def tells(cell: Cell) -> bool | None:
        """Whether the places say so; None where no cell has more."""
        own, height = spots[cell], min(g.height / g.piece.scale for g in rows[cell])
        alike = [one for other, one in by_count[len(own)].items() if other != cell]
        larger = [count for count, each in by_count.items() if count > len(own) and len(each) >= FEWEST]
        more = by_count[min(larger)].values() if larger else ()
        strays = min((max(_farthest(own, one), _farthest(one, own)) for one in alike), default=np.inf)
        if strays > IN_PLACE * height:
            return False
        if not more:
            return None
        return min(_farthest(own, one) for one in more) >= max(MOVED * height, FARTHER * strays)

    told = {cell: tells(cell) for cell in asked if cell in spots}
    if None in told.values():
        several = [each for each in list(by_count.values()) if len(each) >= FEWEST]
        sure = [said for each in several for cell in each if (said := tells(cell)) is not None]
        telling = sum(sure) >= max(TELLING * len(sure), FEWEST)
        told = {cell: telling if said is None else said for cell, said in told.items()}
    return frozenset(cell for cell, said in told.items() if said)


def _spots(row: Sequence[Glyph], box: Box) -> Floats:
    """The middle of each number from that of its cell, shape ``(n, 2)``, window pixels."""
    places = [(g.piece.box, g.piece.scale) for g in row]
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return np.array([((b.x + b.width / 2) / s - x, (b.y + b.height / 2) / s - y) for b, s in places], np.float32)


def _farthest(one: Floats, other: Floats) -> float:
    """How far the farthest spot of one cell is from the nearest one of the other."""
    return float(np.abs(one[:, None] - other[None]).max(axis=2).min(axis=1).max())
