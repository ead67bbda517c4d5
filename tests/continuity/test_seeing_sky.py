"""Boards under a sky: its colours change downwards, and clouds in it end behind tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import UNLIKE, read_tiles
from tests.continuity.test_seeing_pages import CORNERS, HIGH, WIDE, board, check

BROWN = (70, 100, 130)


def sky(width: int = 900, height: int = 620) -> Image:
    """Grows brighter downwards."""
    shade = np.linspace(0.0, 1.0, height)[:, None, None]
    image: Image = np.empty((height, width, 3), np.uint8)
    image[:] = np.round((215, 170, 100) + shade * np.array((20, 50, 110)))
    return image


def cloud(image: Image, x: int, y: int, size: int) -> None:
    """Three discs, of which the middle one is larger and higher."""
    for beside, above, part in ((-1.0, 0.0, 0.8), (1.0, 0.0, 0.75), (0.0, 0.3, 1.0)):
        centre = round(x + beside * size), round(y - above * size)
        cv2.circle(image, centre, round(part * size), (252, 246, 238), -1, cv2.LINE_AA)


@pytest.mark.parametrize("size", [18, 26])
def test_clouds_that_end_behind_the_first_row_are_no_part_of_it(size: int) -> None:
    """They had made its tiles higher than those of the next row, so that no two rows were alike."""
    image = sky()
    for x in (WIDE // 3, WIDE + 30):
        cloud(image, CORNERS[0][0] + x, CORNERS[0][1] - 3, size)
    check(board(image, BROWN))


@pytest.mark.parametrize("size", [18, 26])
def test_clouds_that_end_behind_the_first_column_are_no_part_of_it(size: int) -> None:
    image = sky()
    for y in (HIGH // 2, HIGH + 60):
        cloud(image, CORNERS[0][0] - 4, CORNERS[0][1] + y, size)
    check(board(image, BROWN))


def test_a_board_is_in_doubt_if_clouds_above_all_of_a_row_are_taken_for_a_part_of_it() -> None:
    """The next row, of the same size, then ends where nothing is seen. It was read wrongly without a doubt."""
    image = sky()
    for x in range(20, 2 * WIDE, 40):
        cloud(image, CORNERS[0][0] + x, CORNERS[0][1] - 3, 20)
    tiles = read_tiles(board(image, BROWN))
    assert tiles.boxes[0].y < CORNERS[0][1] - 2
    assert UNLIKE in tiles.doubts
