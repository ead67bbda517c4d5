"""Hatched walls: strokes on the colour of the air, perhaps also on that of the window."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.hatching import without_hatching

CELL = 26
ROOMS = (
    ("###..#######", "#..........#", "#..........#", "#....##.....", "#...........", "####........", "#..........#", "###..#######"),
    ("########..##", "#..........#", "#..........#", "........#...", "........#...", "#####......#", "#..........#", "###..#######"),
    ("###..#######", "#..........#", "#...####...#", "#..........#", "#..........#", "#....##.....", "#...........", "############"),
)  # fmt: skip
PLACES = ((0, 0), (0, 1), (1, 1))


def masks() -> Bools:
    rooms = np.array([[[mark == "#" for mark in row] for row in room] for room in ROOMS])
    return rooms.repeat(CELL, axis=1).repeat(CELL, axis=2)


def hatched(mask: Bools, paper: tuple[int, int, int], ink: tuple[int, int, int], step: int, steep: int, broad: int) -> Image:
    """One room: strokes ``broad`` pixels broad, and lines along the inner edges of its walls. ``steep``: how many pixels a
    stroke rises for each pixel to the side."""
    rows, columns = np.arange(mask.shape[0])[:, None], np.arange(mask.shape[1])[None]
    wide = np.pad(mask, 2, mode="edge").astype(np.uint8)
    inner = cv2.erode(wide, np.ones((5, 5), np.uint8))[2:-2, 2:-2] > 0
    picture = np.full((*mask.shape, 3), paper, np.uint8)
    picture[mask & ((rows + steep * columns) % (steep * step) < broad * steep)] = ink
    picture[mask & ~inner] = ink
    return picture


def window(
    ground: tuple[int, int, int], step: int = 9, steep: int = 1, gap: int = 0, broad: int = 2, paper: tuple[int,int,int]=(60,44,38)) -> Image:
    """Three rooms and an empty place, with a figure, a key, and a door of one line in the colour of the strokes."""
    ink = (235, 225, 240)
    high, wide = masks().shape[1:]
    image = np.full((2 * high + gap + 90, 2 * wide + gap + 70, 3), ground, np.uint8)
    for mask, (row, column) in zip(masks(), PLACES, strict=True):
        x, y = 30 + column * (wide + gap), 50 + row * (high + gap)
        image[y : y + high, x : x + wide] = hatched(mask, paper, ink, step, steep, broad)
    x, y = 30 + 7 * CELL, 50 + 7 * CELL  # the figure's left foot
    cv2.circle(image, (x + 6, y - 17), 4, (90, 200, 250), -1)
    cv2.rectangle(image, (x + 3, y - 14), (x + 9, y - 6), (70, 150, 60), -1)
    for leg in (3, 8):
        cv2.rectangle(image, (x + leg, y - 6), (x + leg + 1, y - 1), (70, 150, 60), -1)
    x, y = 30 + wide + gap + 6 * CELL, 50 + 7 * CELL
    cv2.rectangle(image, (x, y - 22), (x + 17, y - 1), ink, 2)
    x, y = 30 + wide + gap + 8 * CELL, 50 + high + gap + 5 * CELL
    cv2.circle(image, (x, y), 5, (40, 40, 230), -1)
    return image


@pytest.mark.parametrize(("ground", "step", "steep"), [((60, 44, 38), 9, 1), ((60, 44, 38), 8, 2), ((150, 90, 60), 9, 1)])
def test_hatched_rooms_that_touch_are_read(ground: tuple[int, int, int], step: int, steep: int) -> None:
    """Nothing but the strokes tells walls from air; the window has the air's colour, or another one. The door is a
    line in the colour of the strokes."""
    tiles = read_tiles(window(ground, step, steep))
    assert (tiles.rows, tiles.columns, tiles.cells) == (2, 2, (0, 1, -1, 2))
    assert (tiles.solid != masks()).mean() < 0.005
    assert [(thing.kind, thing.tile) for thing in tiles.things] == [("figure", 0), ("door", 1), ("key", 2)]
    assert not tiles.doubts
