"""How the pieces of a cell of Cross Set stand to each other, and to its walls: one below the other as the parts of a
digit, one in the other, one where the other may have more of itself; in a corner, or in the edge of a wall."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.glyphs.marks import rounds_corner
from autoplayer.games.cross_set.seeing.one_cell.assembly import stacked
from autoplayer.vision import pieces
from autoplayer.vision.pieces import Piece

INKED = 0.3
"""The least ink of a pixel that belongs to a piece, and not to its soft edge."""

ENDS = 0.12
"""By what share of a digit's height its ends are farther apart or closer, at most."""

CORNER = 0.12
"""The area of a cell, from a corner along both sides, in which no number stands."""

EDGE, SOFT = 0.06, 2
"""The soft edge of a wall reaches so far into a cell, as a share of its shorter side, and at least so many window
pixels."""


def edges(p: Piece) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a piece, fine pixels."""
    return p.box.x, p.box.y, p.right, p.bottom


def is_bar_below(low: Glyph, high: Glyph) -> bool:
    """Whether one glyph is a 1 below another one, so close that both may be a 7."""
    return low.token == "1" and low.piece.box.y > high.piece.box.y and stacked([high.piece, low.piece]) > 0


def are_ends(one: Piece, other: Piece, height: float) -> bool:
    """Whether two pieces, one above the other, stand where a digit of a ``height`` would begin and end."""
    across = min(one.right, other.right) - max(one.box.x, other.box.x)
    along = max(one.bottom, other.bottom) - min(one.box.y, other.box.y)
    return across > 0.5 * min(one.box.width, other.box.width) and abs(along - height) <= ENDS * height


def cover(one: Piece, other: Piece, upon: Piece) -> bool:
    """Whether something is nothing but two pieces that meet in it."""
    a, b, c = (np.array(edges(p)) for p in (one, other, upon))
    touches = (np.maximum(c, b)[:2] < np.minimum(c, b)[2:]).all()
    within = (c[:2] >= np.minimum(a, b)[:2] - one.scale).all() and (c[2:] <= np.maximum(a, b)[2:] + one.scale).all()
    return bool(touches and within)


def is_level(p: Piece, others: Sequence[Piece]) -> bool:
    """Whether the middle of a piece is on a level with some others, or above or below them, not diagonal to all; True
    if there are none."""
    if not others:
        return True
    x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
    beside = min(o.box.y for o in others) <= y <= max(o.bottom for o in others)
    return beside or min(o.box.x for o in others) <= x <= max(o.right for o in others)


def reaches(p: Piece, of: Piece, broadest: float) -> bool:
    """Whether something lies in the area that a glyph would cover if it were as broad as the ``broadest`` one, as a
    share of its height, and a little higher."""
    own, height = of.box, of.box.height
    aside, above = max(broadest * height - own.width, 0.0) + of.scale, ENDS * height + of.scale
    left, top = max(own.x - aside - p.box.x, 0), max(own.y - above - p.box.y, 0)
    right, bottom = own.x + own.width + aside - p.box.x, own.y + height + above - p.box.y
    # What is slanted, as the rim of a veil is, has a box that reaches farther than itself.
    within = p.ink[int(top) : max(math.ceil(bottom), 0), int(left) : max(math.ceil(right), 0)]
    return bool((within > INKED).any())


def _reach(p: Piece, box: Box) -> tuple[int, int, int, int]:
    """How far a piece reaches into its cell from the left, the right, above and below, window pixels."""
    own = p.place
    left, above = own.x - box.x, own.y - box.y
    return left + own.width, box.width - left, above + own.height, box.height - above


def in_corner(p: Piece, box: Box) -> bool:
    """Whether a piece is so far in a corner of its cell that it is the remnant of a rounded corner."""
    left, right, above, below = _reach(p, box)
    return max(min(left, right) / box.width, min(above, below) / box.height) < CORNER or rounds_corner(p, box)


def is_at_edge(p: Piece, box: Box) -> bool:
    """Whether a piece reaches no farther into its cell than the soft edge of a wall."""
    return min(_reach(p, box)) <= max(EDGE * min(box.width, box.height), SOFT)


def is_bare_within(p: Piece, thick: int) -> bool:
    """Whether a piece is drawn along the sides of its box only, no thicker than so many fine pixels. A box that has no
    room for two sides is one line."""
    narrow: int = min(p.ink.shape)
    if narrow < 2 * thick:
        return narrow <= thick
    return not bool((p.ink[thick:-thick, thick:-thick] > pieces.STROKE).any())


def overlapping(row: Sequence[Piece]) -> bool:
    """Whether most of one glyph's bounding box lies in another's: both are the same ink, or one is a part of the
    other."""
    for one, other in itertools.combinations(row, 2):
        across = min(one.right, other.right) - max(one.box.x, other.box.x)
        down = min(one.bottom, other.bottom) - max(one.box.y, other.box.y)
        least = min(one.box.width * one.box.height, other.box.width * other.box.height)
        if min(across, down) > 0 and across * down > pieces.WITHIN * least:
            return True
    return False
