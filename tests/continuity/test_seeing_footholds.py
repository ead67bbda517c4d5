"""Which cells that look like walls are parts of things, where a thing stands in them or right above them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Thing
from autoplayer.games.continuity.seeing.walls.cells import Cells, without_footholds, without_one_bump

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


def test_what_reaches_out_of_a_bump_goes_with_it() -> None:
    """Of a door that is broader than its cell a strip was left that looked like a wall."""
    solid, shades = door_beside_a_pillar(left=4)
    first = next(without_one_bump(solid, solid, CELLS, shades))
    assert not first[0, 3 * CELL : 5 * CELL, : 5 * CELL].any()
    assert first[0, 3 * CELL : 5 * CELL, 5 * CELL : 6 * CELL].all()
