"""Rooms that are shaded as vector graphics are: a sky that grows paler, walls shaded across each room, an outline and a
cap along the walls, all of it drawn smoothly in an odd size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import read_tiles

ROOMS = (
    """
############
#...........
#...........
#...........
#....K......
#..#####....
#...........
#.S....##...
############""",
    """
############
#..........#
#..###.....#
#..........#
#..........#
#.......##.#
#..........#
#..........#
############""",
    """
############
...........#
...........#
...........#
......##...#
..##.......#
...........#
.....###.D.#
############""",
)
PLACES = (0, 1, 3)
"""The places of the rooms on the board of two by two."""
FINE = 96
"""Pixels of a cell before it is made smaller."""
INK = (44, 40, 30)


def room(text: str, line: int) -> Image:
    """A room of 12 x 9 cells in ``FINE`` pixels a cell, with lines of so many pixels round the walls."""
    rows = text.split()
    height, width = len(rows) * FINE, len(rows[0]) * FINE
    down, across = np.linspace(0, 1, height)[:, None, None], np.linspace(0, 1, width)[None, :, None]
    sky = np.array([238, 228, 214]) * (1 - down) + np.array([222, 236, 240]) * down
    wall = np.array([88, 96, 74]) * (1 - (across + down) / 2) + np.array([84, 66, 52]) * (across + down) / 2
    solid = np.kron(np.array([[c == "#" for c in row] for row in rows], np.uint8), np.ones((FINE, FINE), np.uint8))
    image = np.where(solid[..., None] > 0, wall, sky).astype(np.uint8)
    lines, _ = cv2.findContours(np.pad(solid, 1), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(image, lines, -1, INK, line, offset=(-1, -1))
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            left, top = x * FINE, y * FINE
            if character == "#" and y and rows[y - 1][x] != "#":
                image[top + 3 : top + 15, left + 3 : left + FINE - 3] = (110, 170, 120)
            elif character == "S":
                figure(image, left + FINE // 2, top + FINE)
            elif character == "K":
                key(image, left + FINE // 2, top)
            elif character == "D":
                door(image, left, top)
    return image


def figure(image: Image, x: int, foot: int) -> None:
    cv2.rectangle(image, (x - 24, foot - 66), (x + 24, foot - 24), (120, 44, 40), -1)
    for leg in (-18, 3):
        cv2.rectangle(image, (x + leg, foot - 24), (x + leg + 15, foot), (120, 44, 40), -1)
    cv2.circle(image, (x, foot - 81), 21, (150, 190, 236), -1)
    cv2.rectangle(image, (x - 21, foot - 105), (x + 21, foot - 90), (30, 40, 150), -1)


def key(image: Image, x: int, top: int) -> None:
    for grown, colour in ((5, (10, 80, 120)), (0, (40, 200, 255))):
        cv2.circle(image, (x, top + 33), 18 + grown, colour, -1)
        for x0, y0, x1, y1 in ((-6, 48, 6, 91), (6, 72, 20, 80)):
            cv2.rectangle(image, (x + x0 - grown, top + y0 - grown), (x + x1 + grown, top + y1 + grown), colour, -1)


def door(image: Image, left: int, top: int) -> None:
    cv2.rectangle(image, (left + 6, top - 42), (left + 90, top + FINE), (48, 50, 150), -1)
    cv2.rectangle(image, (left + 6, top - 42), (left + 90, top + FINE), (20, 20, 60), 6)
    cv2.rectangle(image, (left + 26, top - 20), (left + 70, top + 20), (80, 90, 190), -1)
    cv2.circle(image, (left + 76, top + 40), 8, (120, 220, 250), -1)


def drawn(cell: float, gap: int, art: int | None, line: int) -> Image:
    """The board with cells of so many pixels, and so many between the rooms, on a dark ground. ``art``: the pixels of a
    cell in the pictures that the window enlarges; None: it draws in the size that is seen. ``line``: see ``room``."""
    width, height = round(12 * cell), round(9 * cell)
    image = np.full((2 * height + gap + 100, 2 * width + gap + 100, 3), (60, 46, 52), np.uint8)
    for text, place in zip(ROOMS, PLACES, strict=True):
        x, y = 50 + place % 2 * (width + gap), 50 + place // 2 * (height + gap)
        picture = room(text, line)
        if art is not None:
            picture = np.asarray(cv2.resize(picture, (12 * art, 9 * art), interpolation=cv2.INTER_AREA), np.uint8)
        way = cv2.INTER_AREA if art is None else cv2.INTER_LINEAR
        image[y : y + height, x : x + width] = cv2.resize(picture, (width, height), interpolation=way)
    return image


@pytest.mark.parametrize(
    ("cell", "gap", "art", "line"), [(35.3, 34, None, 6), (28.4, 20, None, 6), (38.6, 5, 32, 6), (38.6, 5, 32, 9)]
)
def test_walls_and_things_of_smoothly_shaded_rooms_are_told(cell: float, gap: int, art: int | None, line: int) -> None:
    """Two shades of the sky were taken for wall and air; and the key was lost that stands on a ledge's outline."""
    tiles = read_tiles(drawn(cell, gap, art, line))
    height, width = tiles.solid.shape[1:]
    for solid, text in zip(tiles.solid, ROOMS, strict=True):
        for y, row in enumerate(text.split()):
            for x, character in enumerate(row):
                middle = solid[int((y + 0.5) * height / 9), int((x + 0.5) * width / 12)]
                assert middle == (character == "#"), (x, y)
    places = sorted(
        (thing.tile, int((thing.x + thing.width / 2) * 12 / width), int((thing.y + thing.height / 2) * 9 / height))
        for thing in tiles.things
    )
    assert places == [(0, 2, 7), (0, 5, 4), (2, 9, 7)]
    assert next(thing.tile for thing in tiles.things if thing.kind == "door") == 2
