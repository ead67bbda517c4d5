"""Rooms whose walls have the colour of the window: nothing but their air is seen, with the openings that lead out."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.board.empties import alike
from autoplayer.games.continuity.seeing.tiles import read_tiles

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
ROOMS = (
    ("##########", "#........#", "#........#", "#..###....", "#.........", "#......###", "##..######"),
    ("######..##", "#........#", "#........#", ".........#", "....##...#", "#........#", "##########"),
    ("##..######", "#........#", "#........#", "#...##...#", "#.........", "#.........", "##########"),
)
CELL = 20


def window(gap: int, ground: tuple[int, int, int], air: tuple[int, int, int]) -> tuple[Image, list[Box]]:
    """Three rooms and an empty place, with a figure, a key and a door; and where the places are."""
    width, height = 10 * CELL, 7 * CELL
    places = [Box(40 + c * (width + gap), 50 + r * (height + gap), width, height) for r in (0, 1) for c in (0, 1)]
    image = np.full((140 + 2 * height + gap, 80 + 2 * width + gap, 3), ground, np.uint8)
    for place, rows in zip(places, ROOMS, strict=False):
        part = place.crop(image)
        for y, row in enumerate(rows):
            for x, character in enumerate(row):
                if character == ".":
                    part[y * CELL : (y + 1) * CELL, x * CELL : (x + 1) * CELL] = air
    for place, (x, wide, high), colour in (
        (0, (90, 10, 16), (200, 60, 40)),
        (2, (60, 16, 20), (40, 40, 200)),
        (1, (130, 10, 8), (0, 190, 230)),
    ):
        foot = places[place].y + (5 if place == 0 else 6) * CELL + (CELL if place == 0 else 0)
        image[foot - high : foot, places[place].x + x : places[place].x + x + wide] = colour
    return image, places


@pytest.mark.parametrize("gap", [0, 3, 24])
@pytest.mark.parametrize("colours", [(BLACK, WHITE), (WHITE, (150, 190, 230))], ids=["black", "white"])
def test_walls_that_look_like_the_ground_are_walls(
    gap: int, colours: tuple[tuple[int, int, int], tuple[int, int, int]]
) -> None:
    """No board had been seen, or one without the outer walls, and no side of it matched another."""
    image, places = window(gap, *colours)
    tiles = read_tiles(image)
    assert tiles.cells == (0, 1, 2, -1)
    assert list(tiles.boxes) == places
    for solid, rows in zip(tiles.solid, ROOMS, strict=True):
        marks = np.array([[character == "#" for character in row] for row in rows])
        assert (solid[CELL // 2 :: CELL, CELL // 2 :: CELL] == marks).all()


def test_white_is_not_beside_black() -> None:
    image = np.zeros((40, 80, 3), np.uint8)
    image[:, 40:] = 255
    assert alike(image, Box(0, 0, 40, 40))[:, :40].all()
    assert not alike(image, Box(0, 0, 40, 40))[:, 40:].any()
    assert not alike(image, Box(40, 0, 40, 40))[:, :40].any()


def test_walls_that_lead_out_of_the_picture_are_no_error() -> None:
    """The rooms had been cut out a pixel beyond the side of a picture that shows less than all of the outer walls."""
    image, _ = window(24, BLACK, WHITE)
    with suppress(UnreadableError):
        tiles = read_tiles(np.ascontiguousarray(image[:, 41:]))
        assert min(box.x for box in tiles.boxes) >= 0
