"""A cell of Cross Set that is not well explained is segmented once more by the glyphs of those that are."""

from __future__ import annotations

from collections.abc import Sequence

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import parse
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes, Glyph
from autoplayer.games.cross_set.seeing.one_cell.choosing import looked_at_again
from autoplayer.games.cross_set.seeing.one_cell.weighing import BoardView, Parting
from autoplayer.layout import Layout
from autoplayer.vision.pieces import Place
from bench.reading import cross_set as strange
from tests.cross_set.board_views import view_of

PUZZLE = parse("12 23 34 41\n23 34 41 12\n34 41 12 23\n41 12 23 34")
ODD = (1, 1)


def test_what_is_looked_at_again_has_the_walls_that_were_removed_then() -> None:
    """Incident: a frame that a number touches was seen apart from it in one way of dividing a cell; in the next one, in
    which it was a wall with something on it, nothing counted as left out."""
    image = strange.everyday(PUZZLE, (400, 400))[0].image
    seen = {c: list(row) for c, row in GAME.read(image, Layout(game="cross-set")).extra["board"].sheet.glyphs.items()}
    parted = {cell: Parting([g.piece for g in row], 0) for cell, row in seen.items()}

    class View(BoardView):
        def is_unexplained(self, cell: Cell, row: Sequence[Glyph], one: Parting) -> bool:
            return cell == ODD

        def found(self, cell: Cell, stroke: float, uneven: bool = False) -> Place:
            box = seen[cell][0].piece.place
            return Place(box, seen[cell][0].piece.colour, tuple(parted[cell].pieces), swallowed=2)

        def worth(self, cell: Cell, row: Sequence[Glyph], parts: Parting) -> float:
            return float(parts is not parted[cell])

    view = view_of(View, seen=seen, way=(0.4, 0.0), eyes=Eyes(4), usual=1, reaches=9.0)
    _, again, unclear = looked_at_again(view, dict(parted))
    assert again[ODD].swallowed == 1
    assert unclear == {ODD}
