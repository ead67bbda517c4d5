"""Which small parts that look like walls are things, by the shades they show."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.walls.strangers import strangers

CELL = 12
AIR, BEVEL, THING = 0, 3, 9


def block(shades: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """What is a stranger of one part of 12 by 12 pixels below the end of a ledge; ``shades`` are those of its four
    quarters. The walls round it show the shades 1 and 2 in turn, and a third one in the upper quarter of each cell."""
    walls = np.zeros((8, 10), np.bool_)
    walls[0] = walls[-1] = walls[3, 4:] = True
    painted = (np.arange(8)[:, None] + np.arange(10)) % 2 + 1
    seen = np.where(walls, painted, AIR).astype(np.uint8).repeat(CELL, axis=0).repeat(CELL, axis=1)
    seen[(np.arange(8 * CELL)[:, None] % CELL < CELL // 4) & (seen > AIR)] = BEVEL
    part = slice(4 * CELL, 5 * CELL), slice(4 * CELL, 5 * CELL)
    seen[part] = shades.reshape(2, 2).repeat(CELL // 2, axis=0).repeat(CELL // 2, axis=1)
    found = strangers((seen > AIR)[None], seen[None])[0]
    outside = found.copy()
    outside[part] = False
    assert not outside.any()
    return found[part]


@pytest.mark.parametrize(
    "shades",
    [
        [1, 1, 1, 1],  # nearly three times as much of one shade as all walls show
        [1, 1, 1, THING],  # a stone of a shade that no other wall shows
    ],
)
def test_a_part_in_the_shades_of_walls_is_a_wall(shades: list[int]) -> None:
    assert not block(np.array(shades, np.uint8)).any()


@pytest.mark.parametrize(
    "shades",
    [
        [THING] * 4,
        [1, 1, THING, THING],  # a door in a shade of walls, of which half is dark
        [BEVEL] * 4,  # a door in a shade that walls show in lines only
    ],
)
def test_a_part_with_shades_of_its_own_is_a_thing(shades: list[int]) -> None:
    assert block(np.array(shades, np.uint8)).mean() > 0.9


def test_a_door_a_quarter_as_high_as_its_room_is_a_thing() -> None:
    """It was taken for a pillar in a colour of its own, and another thing for the door."""
    walls = np.zeros((8, 10), np.bool_)
    walls[0] = walls[-1] = walls[:4, 0] = True
    seen = walls.astype(np.uint8).repeat(CELL, axis=0).repeat(CELL, axis=1)
    door = slice(5 * CELL, 7 * CELL), slice(6 * CELL, 7 * CELL)
    seen[door] = THING
    found = strangers((seen > AIR)[None], seen[None])[0]
    assert found[door].mean() > 0.9
    found[door] = False
    assert not found.any()
