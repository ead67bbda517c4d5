"""Rooms whose walls lie on no lattice of large cells, as a canvas draws them: thin ledges, gaps, feet in the walls'
rows; rooms of letters with a mat of half a cell round each; scenery behind the rooms."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.reader import CERTAIN
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.things.things import read_things
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import find_cells
from autoplayer.games.continuity.seeing.walls.masks import read_masks
from bench.reading import continuity, continuity_remakes

AIR, WALL, INK = (70, 62, 58), (182, 174, 2), (43, 57, 192)
Rectangle = tuple[int, int, int, int]


def free(*rectangles: Rectangle, size: tuple[int, int] = (240, 320)) -> Bools:
    """A room with walls of 10 pixels, an opening at the right, and rectangles (left, top, right, bottom) in it."""
    mask = np.zeros(size, np.bool_)
    mask[:10] = mask[-10:] = mask[:, :10] = mask[:, -10:] = True
    mask[110:180, -10:] = False
    for left, top, right, bottom in rectangles:
        mask[top:bottom, left:right] = True
    return mask


def painted(mask: Bools) -> Image:
    picture = np.full((*mask.shape, 3), AIR, np.uint8)
    picture[mask] = WALL
    return picture


ROOMS = (
    free((120, 80, 180, 90), (175, 85, 320, 95), (85, 115, 155, 125)),
    free((165, 60, 240, 70), (5, 175, 75, 205), (115, 195, 200, 205)),
    free((210, 140, 310, 170), (220, 165, 320, 175)),
)


def test_walls_between_small_cells_stay_where_they_are() -> None:
    """A lattice of 56 cells of 5.7 pixels seemed to fit edges of 5 pixels, and walls were moved to it."""
    found = read_masks([painted(room) for room in ROOMS])
    assert (found.solid == np.stack(ROOMS)).all()
    assert find_cells(np.stack(ROOMS)) is not None


def test_a_gap_between_a_ledge_and_an_open_side_is_seen() -> None:
    """What is behind a line along a tile's side had been put there, where no line is."""
    rooms = [*ROOMS, free((100, 120, 315, 135))]
    assert (read_masks([painted(room) for room in rooms]).solid == np.stack(rooms)).all()


def test_thin_ledges_are_walls_where_there_is_no_lattice() -> None:
    """Ledges of 7 pixels in a tile of 240 had been cleaned away with the specks."""
    rooms = [free((61, 83, 163, 90)), free((147, 101, 231, 108), (33, 171, 90, 199)), free((203, 141, 290, 148))]
    found = read_masks([painted(room) for room in rooms])
    assert found.cells is None
    for mask, room in zip(found.solid, rooms, strict=True):
        assert not cv2.erode((mask != room).astype(np.uint8), np.ones((3, 3), np.uint8)).any()


def test_feet_and_keys_on_the_ground_are_no_small_cells_of_it() -> None:
    """Of the colour of lines and as small as cells, they had been taken for bumps of the ground."""
    rooms = ROOMS
    image = np.full((600, 700, 3), (40, 30, 34), np.uint8)
    for room, (x, y) in zip(rooms, ((20, 50), (360, 50), (20, 310)), strict=True):
        image[y : y + 240, x : x + 320] = painted(room)
    for x, y in ((90, 270), (160, 270), (420, 270)):
        cv2.circle(image, (x, y + 2), 6, INK, 3)
        cv2.line(image, (x + 6, y + 2), (x + 22, y + 2), INK, 3)
        cv2.rectangle(image, (x + 15, y + 2), (x + 19, y + 9), INK, -1)
    image[495:540, 100:130] = (43, 57, 192)
    image[500:540, 105:125] = (30, 40, 140)
    image[140:165, 110:124] = (200, 150, 40)
    image[130:140, 112:122] = (160, 200, 240)
    found = read_tiles(image)
    assert (found.solid == np.stack(rooms)).all()


def furnished(*more: Rectangle) -> tuple[list[Image], Bools]:
    """Three rooms with a figure, a key and a door, and rectangles hardly brighter than the air in the second one."""
    rooms = [free(), free((100, 120, 200, 130)), free()]
    pictures = [painted(room) for room in rooms]
    pictures[0][206:230, 60:72] = (240, 250, 250)
    pictures[0][198:206, 63:69] = (160, 200, 240)
    pictures[1][204:214, 240:252] = (40, 210, 250)
    pictures[2][190:230, 200:228] = (40, 60, 220)
    for left, top, right, bottom in more:
        pictures[1][top:bottom, left:right] = np.array(AIR) + 36
    return pictures, np.stack(rooms)


def test_windows_of_the_wall_behind_the_rooms_are_no_keys() -> None:
    """They stand out far less than figure, key and door; a single one is a doubt."""
    things, _, doubts = read_things(*furnished((30, 30, 44, 54), (200, 40, 214, 64), (150, 160, 164, 184)))
    assert sorted(thing.kind for thing in things) == ["door", "figure", "key"]
    assert doubts == ()
    things, _, _ = read_things(*furnished((30, 30, 44, 54)))
    assert [thing.sure < CERTAIN for thing in things if (thing.x, thing.y) == (30, 30)] == [True]


def test_a_streak_of_the_sky_is_no_key() -> None:
    pictures, rooms = furnished()
    pictures[1][60:66, 120:150] = np.array(AIR) + 120
    things, _, _ = read_things(pictures, rooms)
    assert sorted(thing.kind for thing in things) == ["door", "figure", "key"]


@pytest.mark.parametrize(
    ("size", "rooms", "keys", "sure"),
    [((6, 8), 3, 1, True), ((6, 8), 2, 3, True), ((12, 12), 3, 4, False)],
    ids=["specks", "not everywhere", "as large as a key"],
)
def test_a_speck_at_one_place_of_every_room_is_no_key(size: tuple[int, int], rooms: int, keys: int, sure: bool) -> None:
    """Stars behind the rooms were keys without a doubt. What may be a key in each room is one in doubt."""
    pictures, walls = furnished()
    for picture in pictures[:rooms]:
        picture[60 : 60 + size[1], 150 : 150 + size[0]] = (120, 140, 120)
        picture[60 : 60 + size[1] // 2, 150 : 150 + size[0]] = (140, 170, 150)
    things, _, _ = read_things(pictures, walls)
    assert sorted(thing.kind for thing in things) == ["door", "figure", *["key"] * keys]
    assert all(thing.sure >= CERTAIN for thing in things) == sure


@pytest.mark.parametrize(("wide", "high", "sure"), [(5, 20, False), (8, 20, True), (5, 12, True)])
def test_a_sliver_may_be_a_part_of_a_thing(wide: int, high: int, sure: bool) -> None:
    """A figure of which little stood out from the air was a key without a doubt, and the key the figure."""
    pictures, walls = furnished()
    pictures[2][206 : 206 + high, 60 : 60 + wide] = (240, 250, 250)
    things, _, _ = read_things(pictures, walls)
    assert all(thing.sure >= CERTAIN for thing in things) == sure


def letters(rooms: Bools, cell: int) -> Image:
    """A board of 2x2 rooms of cells with a letter in each wall, the last place empty; frames half a cell outside of the
    rooms are drawn, and touch."""
    high, wide = (n * cell for n in rooms[0].shape)
    image = np.full((2 * high + 6 * cell, 2 * wide + 3 * cell, 3), 30, np.uint8)
    for number, room in enumerate(rooms):
        y, x = 2 * cell + number // 2 * (high + cell), cell + number % 2 * (wide + cell)
        for row, column in np.argwhere(room).tolist():
            at = x + column * cell, y + row * cell
            cv2.rectangle(image, at, (at[0] + cell - 1, at[1] + cell - 1), (123, 96, 63), -1)
            cv2.putText(image, "H", (at[0] + 4, at[1] + cell - 5), cv2.FONT_HERSHEY_PLAIN, 0.9, (200, 150, 90), 1)
        half = cell // 2
        cv2.rectangle(image, (x - half, y - half), (x + wide + half, y + high + half), (110, 110, 110), 1)
    return image


@pytest.mark.parametrize("cell", [16, 20])
def test_a_mat_of_half_a_cell_round_each_room_is_left_out(cell: int) -> None:
    rooms = np.zeros((3, 8, 12), np.bool_)
    rooms[:, 0] = rooms[:, -1] = rooms[:, :, 0] = rooms[:, :, -1] = True
    rooms[0, 5:7, -1] = rooms[1, 5:7, 0] = rooms[0, -1, 2:4] = rooms[2, 0, 2:4] = rooms[2, 3:6, -1] = False
    rooms[0, 3, 4:8] = rooms[1, 4, 6:9] = rooms[1, 2, 2:4] = rooms[2, 5, 4:8] = True
    image = letters(rooms, cell)
    for (x, y), letter in (((4, 8), "A"), ((19, 8), "k"), ((6, 15), "D")):
        cv2.putText(
            image, letter, (x * cell, y * cell + cell - 2), cv2.FONT_HERSHEY_PLAIN, cell / 14, (240, 240, 240), 1
        )
    found = read_tiles(image)
    first = found.boxes[0]
    assert (first.x, first.y, first.width, first.height) == (cell, 2 * cell, 12 * cell, 8 * cell)
    tall = rooms.repeat(cell, axis=1).repeat(cell, axis=2)
    assert (found.solid == tall).all()


def test_a_stone_of_its_own_shade_is_no_thing_where_walls_go_on_at_both_sides() -> None:
    board = continuity_remakes.draw(320004)
    assert continuity.faults(board, read_tiles(board.image)) == []
