"""How far apart tiles stand in a view from near, which may be less than a map of the whole board suggests."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker

ROOMS = (
    ("########..##", "#..........#", "#...........", "#...........", "#..##...####", "......#.....", "...K........",
     "############"),
    ("############", "#..........#", "...........#", "...........#", "#####......#", "............", "....S.......",
     "##..########"),
    ("##..########", "#..........#", "#..........#", "#...D......#", "#...##.....#", "...##......#", "...........#",
     "##..########"),
    ("########..##", "#..........#", "#...........", "#...........", "#........###", "............", "............",
     "##..########"),
    ("############", "#..........#", "#.....####.#", "#..........#", "#..........#", "#####.......", "#...........",
     "############"),
    ("############", "#...........", "#...........", "#....K......", "#....#######", "#...........", "#...........",
     "############"),
)  # fmt: skip
COLUMNS, ROWS = 12, 8
AIR, STONE, GRASS, RIM = (221, 239, 246), (60, 90, 122), (75, 174, 95), (30, 45, 61)
SKY = (225, 190, 140)


def room(number: int, cell: int, outline: int) -> Image:
    """A room with its things. ``outline``: pixels of a line round its walls."""
    picture = np.full((ROWS * cell, COLUMNS * cell, 3), AIR, np.uint8)
    walls = np.array([[mark == "#" for mark in row] for row in ROOMS[number]], np.uint8).repeat(cell, 0).repeat(cell, 1)
    picture[walls > 0] = STONE
    if outline:
        inner = cv2.erode(walls, np.ones((2 * outline + 1,) * 2, np.uint8), borderType=cv2.BORDER_CONSTANT)
        picture[(walls > 0) & (inner == 0)] = RIM
    for y, row in enumerate(ROOMS[number]):
        for x, mark in enumerate(row):
            part = picture[y * cell : (y + 1) * cell, x * cell : (x + 1) * cell]
            if mark == "#" and not outline and y and ROOMS[number][y - 1][x] != "#":
                part[: cell // 5] = GRASS
            elif mark == "S":
                part[cell // 8 :, cell // 4 : -cell // 4] = (43, 57, 192)
                part[: cell // 4, cell // 3 : -cell // 3] = (160, 200, 240)
            elif mark == "K":
                cv2.circle(part, (cell // 3, cell // 2), cell // 4, (0, 150, 215), -1)
                part[cell // 2 : cell // 2 + cell // 6, cell // 3 : cell - cell // 8] = (0, 150, 215)
            elif mark == "D":
                part[cell // 8 :, cell // 8 : -cell // 8] = (120, 60, 90)
                part[cell // 3 :, cell // 3 : -cell // 3] = (40, 20, 45)
    return picture


def window(places: tuple[tuple[int, int, int], ...], cell: int, gap: int, at: tuple[int, int], outline: int) -> Image:
    """A window of 1000x620 with rooms in their cells (room, row, column); ``at``: the corner of the first cell."""
    beyond = 1500
    picture = np.full((620 + 2 * beyond, 1000 + 2 * beyond, 3), SKY, np.uint8)
    for number, row, column in places:
        x, y = beyond + at[0] + column * (COLUMNS * cell + gap), beyond + at[1] + row * (ROWS * cell + gap)
        picture[y : y + ROWS * cell, x : x + COLUMNS * cell] = room(number, cell, outline)
    return picture[beyond:-beyond, beyond:-beyond].copy()


FIVE = ((0, 0, 0), (1, 0, 1), (2, 0, 2), (4, 1, 0), (3, 1, 1))
THREE = ((5, 0, 0), (1, 0, 1), (3, 1, 1))


@pytest.mark.parametrize(
    ("places", "cells", "gaps", "outlines"),
    [
        pytest.param(FIVE, (20, 46), (10, 18), (0, 0), id="edges two pixels off look like any others"),
        pytest.param(THREE, (17, 42), (8, 14), (1, 2), id="the tile below tells where the one beside does not"),
    ],
)
def test_tiles_from_near_are_found_where_they_stand(
    places: tuple[tuple[int, int, int], ...],
    cells: tuple[int, int],
    gaps: tuple[int, int],
    outlines: tuple[int, int],
) -> None:
    """Gaps from near that are narrower, compared with the tiles, than those on the map."""
    far, near = cells
    width, height = COLUMNS * near + gaps[1], ROWS * near + gaps[1]
    whole = window(places, far, gaps[0], (100, 150), outlines[0])
    shown = window(places, near, gaps[1], (224 - width, 100), outlines[1])
    tracker = Tracker(read_tiles(whole))
    for image in (whole, whole, shown, shown, shown):
        seen = tracker.see(image)
    assert seen.view == "walking"
    middle = tracker.where(1)
    assert middle is not None
    for tile, (_, row, column) in enumerate(places):
        place = tracker.where(tile)
        assert place is not None
        assert place.x - middle.x == pytest.approx((column - 1) * width, abs=1)
        assert place.y - middle.y == pytest.approx(row * height, abs=1)
