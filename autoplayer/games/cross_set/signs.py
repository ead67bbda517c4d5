"""Commas and full stops between the numbers of a cell of Cross Set, known by where they stand."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.glyph import Glyph
from autoplayer.vision.pieces import Piece

HIGHEST_SIGN = 0.8
"""Such signs are lower than this share of the numbers beside them: some commas reach far below the line."""

SIGNS, FEWEST_SIGNS = 0.85, 4
"""The share, and the number, of cells with several numbers in which they have to be seen."""


def above_signs(seen: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The extent below which everything is a comma or a full stop: one stands between any two of the others that stand
    in line, at their feet, in nearly all cells, and none by itself. 0 where there is no such thing."""
    extents = sorted({g.piece.extent for row in seen.values() for g in row})
    for low, high in itertools.pairwise(extents):
        if low > HIGHEST_SIGN * extents[-1]:
            break
        if high < 1.15 * low:
            continue
        between = alone = several = 0
        for row in seen.values():
            signs = [g.piece for g in row if 0.4 * low <= g.piece.extent <= low]  # without specks
            rest = sorted((g.piece for g in row if g.piece.extent > low), key=lambda p: p.box.x)
            several += len(rest) > 1
            between += len(rest) > 1 and all(_sign_between(a, b, signs) for a, b in itertools.pairwise(rest))
            alone += bool(signs) and len(rest) < 2
        if several >= FEWEST_SIGNS and between >= SIGNS * several and alone <= (1 - SIGNS) * len(seen):
            return float(high)
    return 0.0


def _sign_between(left: Piece, right: Piece, signs: Sequence[Piece]) -> bool:
    """Whether one of the ``signs`` stands between two numbers, at the feet of both, and is far lower than each."""
    for p in signs:
        middle = p.box.x + p.box.width / 2
        lower = all(
            p.box.y > o.box.y + 0.5 * o.box.height and p.extent < HIGHEST_SIGN * o.box.height for o in (left, right)
        )
        at_foot = all(p.bottom > o.bottom - 0.15 * o.box.height for o in (left, right))
        if left.box.x + left.box.width / 2 < middle < right.box.x + right.box.width / 2 and lower and at_foot:
            return True
    return False
