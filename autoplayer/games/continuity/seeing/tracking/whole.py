"""Finds the whole board in a size, or at places, in which it was not seen before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.board.boards import find_board
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.tracking.parts import seen_part
from autoplayer.games.continuity.seeing.tracking.views import assigned, far_off, thumb_of
from autoplayer.games.continuity.seeing.walls.hatching import plain_and_filled


def find_whole(
    image: Image, tiles: Tiles, thumbs: NDArray[np.float32]
) -> tuple[tuple[Box, ...], tuple[int, ...]] | None:
    """The places of the rooms of ``tiles`` in ``image``, window pixels, and the tile in each; None if the board is not
    seen there. ``thumbs``: a small picture of each tile."""
    for picture in plain_and_filled(image):
        try:
            board = find_board(picture)
        except UnreadableError:
            continue
        if (board.rows, board.columns) != (tiles.rows, tiles.columns):
            continue
        ways: list[tuple[float, tuple[Box, ...], tuple[int, ...]]] = []
        for boxes in dict.fromkeys((board.boxes, tuple(tiles.room(box) for box in board.boxes))):
            if any(seen_part(box, image)[0] != box for box in boxes):
                continue
            seen = np.stack([thumb_of(box.crop(image)) for box in boxes])
            cells = assigned(seen, thumbs)
            if cells is not None:
                ways.append((far_off(seen, thumbs, cells), boxes, cells))
        if ways:
            _, boxes, cells = min(ways)
            return boxes, cells
    return None
