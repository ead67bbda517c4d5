"""Boards of touching tiles on a ground of bricks."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.board.boards import find_board
from tests.continuity.test_seeing_hatching import ROOMS

CELL = 17


def room(rows: tuple[str, ...]) -> Image:
    """Pale air and dark blocks with a light and a dark edge each."""
    picture = np.full((CELL * len(rows), CELL * len(rows[0]), 3), (185, 225, 222), np.uint8)
    for y, x in np.argwhere(np.array([list(row) for row in rows]) == "#") * CELL:
        block = picture[y : y + CELL, x : x + CELL]
        block[:] = (30, 38, 70)
        block[0] = block[:, 0] = (60, 70, 110)
        block[-1] = block[:, -1] = (12, 18, 40)
    return picture


def test_a_touching_tile_does_not_begin_with_ground() -> None:
    """Two rows of tiles, of which the sides of blocks and the joints of bricks would also make three: the place below
    the empty one would then show bricks in its upper half."""
    high, wide = room(ROOMS[0]).shape[:2]
    rows, columns = np.arange(2 * high + 100)[:, None], np.arange(2 * wide + 90)[None]
    course = rows // 10
    along = columns + 10 * (course % 2)
    image = np.full((*(rows + columns).shape, 3), (196, 200, 190), np.uint8)
    image[(along // 20 * 7 + course * 5) % 3 == 0] = (210, 214, 204)
    image[(along % 20 == 0) | (rows % 10 == 0)] = (140, 143, 138)
    for rows_of, (row, column) in zip(ROOMS, ((0, 1), (1, 0), (1, 1)), strict=True):
        y, x = 70 + row * high, 40 + column * wide
        image[y : y + high, x : x + wide] = room(rows_of)
    board = find_board(image)
    assert (board.rows, board.columns, board.blank) == (2, 2, 0)
