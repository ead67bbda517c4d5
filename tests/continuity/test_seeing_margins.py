"""A frame that stands one cell away from a board of touching tiles: with the margin, too, each tile has whole cells."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.continuity.seeing.board.margins import without_margins
from autoplayer.games.continuity.seeing.tiles import read_tiles
from bench.reading import continuity, continuity_remakes

CELL = 10


def test_the_rooms_in_a_frame_one_cell_away_are_read_without_the_margin() -> None:
    board = continuity_remakes.draw(10020038)
    assert continuity.faults(board, read_tiles(board.image)) == []


@pytest.mark.parametrize(
    ("margin", "walls", "found"),
    [(0.9, 0.1, True), (0.6, 0.1, False), (0.9, 0.6, False)],
    ids=["a margin", "walls that hardly look like ground", "walls that all look like ground"],
)
def test_a_margin_looks_like_the_empty_place_and_walls_do_not(margin: float, walls: float, found: bool) -> None:
    """Four places of 9 x 6 cells, of which the last is empty; ``margin`` and ``walls``: how much of the outermost cells
    above and below, and of the other walls, looks like the empty place."""
    boxes = [Box(x, y, 6 * CELL, 9 * CELL) for y in (20, 20 + 9 * CELL) for x in (30, 30 + 6 * CELL)]
    solid = np.zeros((3, 9 * CELL, 6 * CELL), np.bool_)
    solid[:, : 2 * CELL] = solid[:, -2 * CELL :] = True
    pixels = np.random.default_rng(0).random((20 + 18 * CELL + 20, 30 + 12 * CELL + 30))
    ground = pixels < walls
    for rows in (slice(20, 20 + CELL), slice(20 + 17 * CELL, 20 + 18 * CELL)):
        ground[rows] = pixels[rows] < margin
    axes = without_margins(boxes, 2, 3, (9, 6), solid, ground)
    assert (axes is not None) is found
    if axes is not None:
        down, across = axes
        assert (down.starts, down.length) == ((20 + CELL, 20 + 9 * CELL), 8 * CELL)
        assert (across.starts, across.length) == ((30, 30 + 6 * CELL), 6 * CELL)
