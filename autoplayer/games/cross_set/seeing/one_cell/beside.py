"""Tells whether what no number explains in a cell of Cross Set merely stands beside the numbers: it is no part of one.
Whether it hides one completely is for their positions to say (``standing``)."""

from __future__ import annotations

from collections.abc import Sequence

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.seeing.glyphs.crossing import continues_line
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph, possible
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN
from autoplayer.games.cross_set.seeing.glyphs.signs import within
from autoplayer.games.cross_set.seeing.one_cell.assembly import SIMPLE, UNEQUAL
from autoplayer.games.cross_set.seeing.one_cell.neighbours import is_level, reaches
from autoplayer.games.cross_set.seeing.one_cell.ways import WAYS
from autoplayer.games.cross_set.seeing.one_cell.weighing import BoardView, Parting
from autoplayer.vision import glyphs, pieces
from autoplayer.vision.pieces import Piece

COVERS, ANOTHER = 0.75, 0.1
"""What hides a number, or some of its strokes, is at least as long as this share of the lowest number's height, and as
broad as this share of the narrowest number's breadth. Something smaller may be a part of the number beside it, if both
together are another number with the second probability."""


def is_beside(view: BoardView, cell: Cell, row: Sequence[Glyph], one: Parting) -> bool:
    """Whether the numbers of a cell are whole and like those elsewhere, and nothing else there is a part of one: it
    lies outside of the area that the broadest number would cover at their position."""
    numbers = [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5]
    odd = any(g.chance <= OWN or view.is_strange(cell, g) for g in numbers)
    odd |= not all(view.is_whole(cell, g) or view.is_full(cell, g) for g in numbers)
    if odd or (view.lacks_sign(cell, row) and not all(_is_known_piece(view, cell, g) for g in numbers)):
        return False
    upon = [p for p in view.beyond(cell).own if not any(within(p, g.piece) for g in numbers)]
    # A line too long for its cell stands out at both ends; on a wall of its colour one end may be unseen.
    if any(continues_line(p.box, [g.piece for g in numbers], view.boxes[cell], p.scale) for p in upon):
        return False
    lost = pieces.together(view.left(cell, row, one)[1] + upon, WAYS[-1][1])
    # Of what stands upon a wall of its colour only a thin part may be seen.
    thick = COVERS * _narrowest(view)
    high = [p for p in lost if p.extent >= COVERS * view.lowest]
    large = [p for p in high if min(p.box.width, p.box.height) >= thick or any(within(q, p) for q in upon)]
    # Without one at either end a line stands in the middle as a shorter one does. What was left out with a wall is
    # the inner end of what stands upon it.
    if sum(is_level(p, [g.piece for g in numbers]) for p in large) + max(one.swallowed - len(upon), 0) > 1:
        return False
    if any(_looks_like_a_number(view, p) for p in large):
        return False
    near = [(p, g) for p in lost for g in numbers if reaches(p, g.piece, _broadest(view, cell, g))]
    return not any(p in large for p, _ in near) and not _makes_another(view, near)


def _narrowest(view: BoardView) -> float:
    """The breadth of the narrowest number of the board, 0 if there is none, fine pixels."""
    return min((b for token, found in view.shapes.items() if token != JUNK for _, b in found), default=0.0)


def _looks_like_a_number(view: BoardView, p: Piece) -> bool:
    """Whether what no glyph explains is as high as numbers are, and clearly one: where numbers stand as in no other
    cell, positions say nothing about it."""
    if not any(abs(height - p.box.height) <= UNEQUAL * height + p.scale for height, _ in view.sizes):
        return False
    chances = possible(glyphs.classify([p.ink])[0], view.eyes.size, True)
    return max(chance for token, chance in chances.items() if token) > OWN


def _broadest(view: BoardView, cell: Cell, g: Glyph) -> float:
    """The greatest ratio of breadth to height of a number of which a glyph may be all that is seen: of any, unless it
    is known, in one piece, and looks like no part of another one."""
    if g.token not in SIMPLE and _is_known_piece(view, cell, g):
        return 0.0
    return max((b / h for h, b in view.shapes[JUNK]), default=1.0)


def _is_known_piece(view: BoardView, cell: Cell, g: Glyph) -> bool:
    """Whether a glyph is a known number in one piece: nothing beside it was joined to it."""
    return sum(within(p, g.piece) for p in view.atoms[cell]) == 1 and view.is_known(cell, g)


def _makes_another(view: BoardView, near: Sequence[tuple[Piece, Glyph]]) -> bool:
    """Whether something small beside a number makes another number of it, if it is a part of it."""
    said = glyphs.classify([pieces.joined([g.piece, p]).ink for p, g in near])
    chances = (possible(row, view.eyes.size, True) for row in said)
    return any(
        token and token != g.token and p > ANOTHER
        for (_, g), each in zip(near, chances, strict=True)
        for token, p in each.items()
    )
