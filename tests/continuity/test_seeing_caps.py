"""Walls with caps of another colour, as grass and snow are: they belong to the walls, also where they are more like the
air."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.materials import find_materials
from autoplayer.games.continuity.seeing.walls.shades import all_shades

GROUND, AIR, WALL, CAP = (60, 60, 20), (80, 85, 45), (250, 225, 225), (85, 110, 110)
ROOMS = (
    ("############", "#..........#", "#..........#", "#...###....#", "...........#", "...........#", "############"),
    ("############", "#..........#", "#......##...", "#..........#", "#..##......#", "............", "####..######"),
    ("############", "#..........#", "##.........#", "............", "#....####..#", "#...........", "############"),
)
CELL, GAP = 12, 16
HIGH, WIDE = 7 * CELL, 12 * CELL


def room(rows: tuple[str, ...], thick: int, hovers: int = 0) -> tuple[np.ndarray, Bools]:
    """The picture of a room whose walls have caps ``thick`` pixels high where air is above them, and its walls with
    caps. ``hovers``: pixels between caps and walls."""
    solid = np.array([[mark == "#" for mark in row] for row in rows]).repeat(CELL, 0).repeat(CELL, 1)
    picture = np.where(solid[..., None], WALL, AIR).astype(np.uint8)
    for y, x in np.argwhere(solid[CELL::CELL, ::CELL] & ~solid[:-CELL:CELL, ::CELL]):
        top = (y + 1) * CELL - hovers
        picture[top : top + thick, x * CELL : (x + 1) * CELL] = CAP
    return picture, solid


def test_caps_that_are_more_like_the_air_belong_to_the_walls() -> None:
    """Figure, keys and door had stood in the air without a doubt."""
    picture = np.full((2 * HIGH + 3 * GAP, 2 * WIDE + 3 * GAP, 3), GROUND, np.uint8)
    walls = []
    for place, rows in enumerate(ROOMS):
        tile, solid = room(rows, 5)
        walls.append(solid)
        if place == 0:
            tile[6 * CELL - 14 : 6 * CELL, 30:38] = (40, 200, 240)
            tile[6 * CELL - 12 : 6 * CELL - 10, 32:34] = 0
        elif place == 1:
            tile[6 * CELL - 22 : 6 * CELL, 100:114] = (30, 40, 120)
        else:
            tile[6 * CELL - 7 : 6 * CELL - 1, 60:68] = (200, 60, 220)
        y, x = GAP + place // 2 * (HIGH + GAP), GAP + place % 2 * (WIDE + GAP)
        picture[y : y + HIGH, x : x + WIDE] = tile
    tiles = read_tiles(picture)
    assert tiles.solid.shape == (3, HIGH, WIDE)
    assert (tiles.solid == np.array(walls)).all()


@pytest.mark.parametrize(
    ("thick", "hovers", "walls"),
    [(3, 0, True), (2, 0, True), (1, 0, False), (8, 8, True), (9, 9, False), (3, 5, False)],
    ids=["a cap", "two pixels", "a soft edge", "a tenth of the height", "more than that", "a line above walls"],
)
def test_what_lies_on_all_tops_of_walls_is_a_cap(thick: int, hovers: int, walls: bool) -> None:
    pictures = [room(rows, thick, hovers)[0] for rows in ROOMS]
    materials = find_materials(np.stack(pictures))
    wall, air = (int(np.abs(materials.colours - colour).sum(axis=1).argmin()) for colour in (WALL, AIR))
    shades = all_shades(materials, [(wall, air)] * len(ROOMS))
    caps = np.stack([(picture == CAP).all(axis=2) for picture in pictures])
    assert (np.stack(shades)[caps] == wall).mean() == walls


def test_a_layer_on_some_walls_is_no_cap() -> None:
    """A table on a ledge, in one of the rooms."""
    pictures = [room(rows, 0)[0] for rows in ROOMS]
    pictures[0][3 * CELL - 3 : 3 * CELL, 4 * CELL : 7 * CELL] = CAP
    materials = find_materials(np.stack(pictures))
    wall, air = (int(np.abs(materials.colours - colour).sum(axis=1).argmin()) for colour in (WALL, AIR))
    shades = all_shades(materials, [(wall, air)] * len(ROOMS))
    assert not (shades[0][3 * CELL - 3 : 3 * CELL, 4 * CELL : 7 * CELL] == wall).any()
