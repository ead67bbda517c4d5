"""What compression leaves beside the numbers of Cross Set."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.seeing.board import Board
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.layout import Layout
from bench.reading import cross_set as strange
from bench.reading.strange import stream
from tests.cross_set.board_views import view_of


@functools.lru_cache
def board_read() -> Board:
    """An everyday picture as it is read."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), (700, 700))
    board: Board = GAME.read(sample.image, Layout(game="cross-set")).extra["board"]
    return board


def palest_of(board: Board) -> float:
    return min(g.piece.contrast for row in board.sheet.glyphs.values() for g in row)


@pytest.mark.parametrize(("share", "are_signs"), [(0.25, False), (1.0, True)])
def test_specks_far_paler_than_the_numbers_are_no_signs_between_them(share: float, are_signs: bool) -> None:
    """Incident: in a JPEG picture specks stood at the feet of most numbers; where one was missing, a pair was in doubt
    for the lack of a sign."""
    board = board_read()
    seen, palest = board.sheet.glyphs, palest_of(board)
    parts = {}
    for cell, row in seen.items():
        feet = [Box(g.piece.right + 1, g.piece.bottom - g.height // 5, g.height // 6, g.height // 6) for g in row]
        specks = [replace(g.piece, box=box, contrast=share * palest) for g, box in zip(row, feet, strict=True)]
        parts[cell] = [*(g.piece for g in row), *specks]
    view = view_of(seen=seen, split=parts, atoms=parts, noise=3.0, boxes=board.inside)
    assert view.signs == view.signs_last == are_signs


@pytest.mark.parametrize(
    ("at", "contrast", "drawn"),
    [
        pytest.param(2, 0.3, False, id="pale, at the wall"),
        pytest.param(2, 0.8, True, id="as strong as numbers"),
        pytest.param(9, 0.3, True, id="pale, within the cell"),
    ],
)
def test_what_a_wall_leaves_of_its_edge_is_no_1(at: int, contrast: float, drawn: bool) -> None:
    """Incident: in a low-contrast picture strips of a pixel beside the walls of most cells were read as 1s, so that the
    palest numbers seemed as pale as those; half of the board was wrong."""
    board = board_read()
    numbers, palest = board.sheet.glyphs, palest_of(board)
    seen = {}
    for cell, row in numbers.items():
        like = row[0].piece
        place = Box((board.inside[cell].x + at) * like.scale, like.box.y, like.scale, like.box.height)
        ink = np.ones((place.height, place.width), np.float32)
        strip = replace(like, box=place, ink=ink, contrast=contrast * palest)
        seen[cell] = [*row, Glyph(strip, {"1": 0.99, JUNK: 0.01}, -1)]
    parts = {cell: [g.piece for g in row] for cell, row in seen.items()}
    view = view_of(seen=seen, split=parts, atoms=parts, noise=0.0, boxes=board.inside)
    kept = view.without_specks()
    assert kept.seen == {cell: row if drawn else row[:-1] for cell, row in seen.items()}
