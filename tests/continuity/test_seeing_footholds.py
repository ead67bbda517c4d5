"""Which cells that look like walls are parts of things, where a thing stands in them or right above them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing import tiles
from autoplayer.games.continuity.seeing.sight import Thing
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells, without_footholds, without_one_bump
from autoplayer.games.continuity.seeing.walls.masks import Masks, read_masks

CELL = 20
CELLS = Cells(6, 8)
AIR, WALL, WOOD, RIM, CLOTH = 0, 1, 2, 3, 4


def door_beside_a_pillar(top: int = RIM, left: int = 0) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """The walls of a room in which the lower part of a door, a cell high, is taken for a wall beside a pillar, and
    each pixel's shade. The door's top, of the shade ``top``, reaches ten pixels into the cell above and ``left`` pixels
    into the one beside it."""
    walls = np.zeros((6, 8), np.bool_)
    walls[0] = walls[-1] = True
    walls[3:5, 5] = walls[4, 4] = True
    solid = walls.repeat(CELL, axis=0).repeat(CELL, axis=1)
    shades = np.where(solid, WALL, AIR).astype(np.uint8)
    shades[4 * CELL : 5 * CELL, 4 * CELL - left : 5 * CELL] = WOOD
    shades[4 * CELL : 5 * CELL, 4 * CELL : 4 * CELL + 4] = RIM
    shades[4 * CELL - 10 : 4 * CELL, 4 * CELL + 2 : 5 * CELL - 2] = top
    solid[4 * CELL : 5 * CELL, 4 * CELL - left : 4 * CELL] = True
    return solid[None], shades[None]


def thing(wide: int = 16, foot: int = 4 * CELL) -> Thing:
    """What is seen of the door: its top."""
    return Thing("door", 0, 4 * CELL + 2, foot - 6, wide, 6, 0.6)


def lower(solid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cell in which the door stands."""
    return solid[0, 4 * CELL : 5 * CELL, 4 * CELL : 5 * CELL]


def test_what_ends_above_a_cell_of_its_colours_goes_on_in_it() -> None:
    """A door beside a wall of bricks was a wall, and its round top a thing upon it."""
    solid, shades = door_beside_a_pillar()
    found = without_footholds(solid, CELLS, [thing()], shades)
    assert not lower(found).any()
    assert (found ^ solid).sum() == CELL * CELL


@pytest.mark.parametrize(
    ("top", "wide", "foot"),
    [
        (CLOTH, 16, 4 * CELL),  # another thing stands upon it
        (RIM, 8, 4 * CELL),  # it is narrow
        (RIM, 16, 4 * CELL - 4),  # it hangs above
    ],
    ids=["other colours", "narrow", "apart"],
)
def test_what_stands_upon_a_cell_leaves_it_a_wall(top: int, wide: int, foot: int) -> None:
    solid, shades = door_beside_a_pillar(top)
    assert (without_footholds(solid, CELLS, [thing(wide, foot)], shades) == solid).all()


@pytest.mark.parametrize("row", [4, 5])
def test_what_stands_upon_a_stone_of_a_wall_leaves_it(row: int) -> None:
    """Walls on both sides of the cell, or nothing below it."""
    solid, shades = door_beside_a_pillar()
    if row == 4:
        solid[0, 4 * CELL : 5 * CELL, 3 * CELL : 4 * CELL] = True
    else:
        solid[0, 5 * CELL :, 4 * CELL : 5 * CELL] = False
    assert (without_footholds(solid, CELLS, [thing()], shades) == solid).all()


@pytest.mark.parametrize(("left", "top"), [(4, 74), (0, 74), (4, 84)], ids=["round it", "beside it", "below its top"])
def test_a_cell_round_which_a_thing_is_seen_is_a_part_of_it(left: int, top: int) -> None:
    """Between the bars of a door the walls' colour is seen."""
    solid, shades = door_beside_a_pillar()
    shades[solid] = WALL
    shades[0, 4 * CELL : 5 * CELL, 4 * CELL : 5 * CELL : 5] = shades[
        0, 4 * CELL : 5 * CELL, 4 * CELL + 1 : 5 * CELL : 5
    ] = RIM
    whole = Thing("door", 0, 4 * CELL - left, top, CELL + 2 * left, 5 * CELL - top)
    found = without_footholds(solid, CELLS, [whole], shades)
    assert lower(found).all() == (left == 0 or top > 4 * CELL)
    assert found[0, 3 * CELL : 5 * CELL, 5 * CELL : 6 * CELL].all()


def test_what_reaches_out_of_a_bump_goes_with_it() -> None:
    """Of a door that is broader than its cell a strip was left that looked like a wall."""
    solid, shades = door_beside_a_pillar(left=4)
    first = next(without_one_bump(solid, solid, CELLS, shades))
    assert not first[0, 3 * CELL : 5 * CELL, : 5 * CELL].any()
    assert first[0, 3 * CELL : 5 * CELL, 5 * CELL : 6 * CELL].all()


@pytest.mark.parametrize("line", [0, 2, 3])
def test_a_line_round_all_walls_makes_no_bump_of_one(line: int) -> None:
    """Such a line reaches out of every cell of a wall: a single cell had become a door of the walls' colour."""
    walls = np.zeros((6, 8), np.bool_)
    walls[0] = walls[-1] = walls[4, 4] = True
    solid = walls.repeat(CELL, axis=0).repeat(CELL, axis=1)[None]
    size = 2 * line + 1
    plain = cv2.dilate(solid[0].astype(np.uint8), np.ones((size, size), np.uint8))[None] > 0
    shades = np.where(solid, WALL, AIR).astype(np.uint8)
    assert list(without_one_bump(solid, plain, CELLS, shades)) == []


ROOMS = (
    ("########", "#......#", "#......#", "....##..", "........", "########"),
    ("########", "#......#", ".......#", "#......#", ".......#", "########"),
    ("###..###", "#......#", "#......#", "...##..#", "#.......", "########"),
)
THINGS = ((44, 20, 16, (60, 60, 210)), (60, 20, 30, (60, 140, 60)), (64, 10, 9, (30, 200, 230)))
"""The figure, the door and a key, one a tile: left side, width and height, and the colour."""


def shaded(stone: int) -> NDArray[np.uint8]:
    """A board whose walls grow darker downwards; a single cell in the first room is darker by ``stone`` grey levels."""
    image = np.full((2 * 6 * CELL + 70, 2 * 8 * CELL + 70, 3), (24, 22, 20), np.uint8)
    for n, room in enumerate(ROOMS):
        x, y = 25 + n % 2 * (8 * CELL + 20), 25 + n // 2 * (6 * CELL + 20)
        image[y : y + 6 * CELL, x : x + 8 * CELL] = (225, 228, 230)
        for row, column in np.argwhere([[character == "#" for character in line] for line in room]).tolist():
            for line in range(row * CELL, (row + 1) * CELL):
                shade = 120 - line // 4 - (stone if (n, row, column) == (0, 2, 7) else 0)
                image[y + line, x + column * CELL : x + (column + 1) * CELL] = shade
        left, wide, high, colour = THINGS[n]
        foot = y + 5 * CELL
        image[foot - high : foot, x + left : x + left + wide] = colour
    return image


@pytest.mark.parametrize(("stone", "doubtful"), [(0, True), (30, False)], ids=["goes on", "ends"])
def test_a_thing_in_which_the_wall_above_goes_on_is_a_doubt(
    stone: int, doubtful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell of a shaded wall was not taken for one, and was a door that hangs from the ceiling."""

    def without_the_cell(pictures: Sequence[Image], **how: bool) -> Masks:
        found = read_masks(pictures, **how)
        high, wide = found.solid.shape[1] // 6, found.solid.shape[2] // 8
        found.solid[0, 2 * high : 3 * high + 1, -wide - 1 :] = False
        return found

    monkeypatch.setattr(tiles, "read_masks", without_the_cell)
    read = read_tiles(shaded(stone))
    hanging = [each for each in read.things if each.tile == 0 and each.x > 6 * CELL]
    assert len(hanging) == 1
    assert any("looks like a wall" in doubt for doubt in read.doubts) == doubtful
