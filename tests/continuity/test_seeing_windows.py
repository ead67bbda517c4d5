"""Windows as real remakes have them, drawn here: a menu above, tiles on mats with a line round each, a panel behind,
keys that hover close above the ground, shades that are seen in openings only."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core import deadline
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.reader import read
from autoplayer.games.continuity.seeing.board import trimming
from autoplayer.games.continuity.seeing.board.panels import without_bars
from autoplayer.games.continuity.seeing.board.trimming import trimmed
from autoplayer.games.continuity.seeing.sight import Bools, Thing
from autoplayer.games.continuity.seeing.things.things import read_things
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.moving import corrected
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.games.continuity.seeing.walls.borders import Borders
from autoplayer.games.continuity.seeing.walls.cells import Cells, filled_up
from autoplayer.layout import Layout

CELL = 24
ROWS, COLUMNS = 8, 12
Colour = tuple[int, int, int]
WHITE, BLACK, GREY, GREEN, BLUE, RED = (
    (255, 255, 255), (0, 0, 0), (130, 130, 130), (60, 150, 40), (150, 60, 40), (40, 40, 210),
)  # fmt: skip


def rooms() -> list[Bools]:
    """Three rooms of cells, open at some sides, with platforms."""
    found = []
    for n in range(3):
        room = np.ones((ROWS, COLUMNS), np.bool_)
        room[1:-1, 1:-1] = False
        room[5:7, -1 if n == 0 else 0] = False
        room[-1 if n == 2 else 0, 3:5] = False
        room[4, 4 + n : 7 + n] = True
        room[6, 8 - 2 * n] = True
        found.append(room)
    return found


def fill(image: Image, box: Box, colour: Colour) -> None:
    box.crop(image)[:] = colour


def room_at(image: Image, x: int, y: int, room: Bools, air: Colour, wall: Colour) -> None:
    height, width = ROWS * CELL, COLUMNS * CELL
    part = Box(x, y, width, height).crop(image)
    part[:] = air
    part[Cells(ROWS, COLUMNS).drawn(room[None], width, height)[0]] = wall


def things_at(image: Image, corners: list[tuple[int, int]]) -> None:
    """A figure with a head, a key that hovers, a door."""
    (x0, y0), (x1, y1), (x2, y2) = corners
    foot = 7 * CELL
    fill(image, Box(x0 + 60, y0 + foot - 12, 9, 12), GREEN)
    fill(image, Box(x0 + 62, y0 + foot - 18, 5, 5), GREEN)
    fill(image, Box(x1 + 230, y1 + foot - 13, 9, 9), RED)
    fill(image, Box(x2 + 200, y2 + foot - 22, 15, 22), BLUE)


def things_at_right(image: Image, corners: list[tuple[int, int]]) -> Image:
    """The same with the figure 30 pixels farther right."""
    found = image.copy()
    (x, y), *others = corners
    things_at(found, [(x + 30, y), *others])
    return found


def matted(line: Colour | None, menu: bool) -> tuple[Image, list[tuple[int, int]]]:
    """Rooms on mats of 6 pixels, in a window with a bar above that touches them; the corners of the rooms."""
    width, height, mat, gap = COLUMNS * CELL, ROWS * CELL, 6, 8
    top = 26 if menu else 12
    image = np.full((top + 2 * (height + 2 * mat + gap) + 30, 2 * (width + 2 * mat + gap) + 40, 3), 225, np.uint8)
    if menu:
        image[:top] = 250
    corners = []
    for n, room in enumerate(rooms()):
        row, column = divmod(n, 2)
        x, y = column * (width + 2 * mat + gap), top + row * (height + 2 * mat + gap)
        fill(image, Box(x, y, width + 2 * mat, height + 2 * mat), line or WHITE)
        fill(image, Box(x + 2, y + 2, width + 2 * mat - 4, height + 2 * mat - 4), WHITE)
        room_at(image, x + mat, y + mat, room, WHITE, BLACK)
        corners.append((x + mat, y + mat))
    return image, corners


@pytest.mark.parametrize("line", [BLACK, GREY])
@pytest.mark.parametrize("menu", [True, False])
def test_rooms_on_mats_begin_where_their_walls_do(line: Colour, menu: bool) -> None:
    """The mats, all open air, had been taken for a part of the rooms."""
    image, corners = matted(line, menu)
    things_at(image, corners)
    tiles = read_tiles(image)
    assert tiles.cells == (0, 1, 2, -1)
    assert [(box.x, box.y) for box in tiles.boxes[:3]] == corners
    assert {(box.width, box.height) for box in tiles.boxes} == {(COLUMNS * CELL, ROWS * CELL)}
    for mask, room in zip(tiles.solid, rooms(), strict=True):
        assert (mask == Cells(ROWS, COLUMNS).drawn(room[None], COLUMNS * CELL, ROWS * CELL)[0]).all()


def test_rooms_on_mats_are_found_again_in_another_size() -> None:
    """Their mats had become a part of them there, and the figure stood beside where it is."""
    image, corners = matted(GREY, False)
    empty = image.copy()
    things_at(image, corners)
    tiles = read_tiles(image)
    tracker = Tracker(tiles)
    figure = next(thing for thing in tiles.things if thing.kind == "figure")
    moved = things_at_right(empty, corners)
    for size in (1.0, 1.5):
        shown = cv2.resize(moved, None, fx=size, fy=size, interpolation=cv2.INTER_NEAREST)
        seen = [tracker.see(np.asarray(shown, np.uint8)) for _ in range(4)][-1]
        assert (seen.tile, seen.cells) == (0, tiles.cells)
        assert abs(seen.x - figure.x - figure.width / 2 - 30) <= 1.5
        assert abs(seen.y - figure.y - figure.height) <= 1.5


def test_a_key_that_hovers_close_above_the_ground_is_no_figure() -> None:
    image, corners = matted(GREY, True)
    things_at(image, corners)
    assert [(thing.kind, thing.tile) for thing in read_tiles(image).things] == [("figure", 0), ("key", 1), ("door", 2)]


def test_a_head_is_no_thing_of_its_own() -> None:
    image, corners = matted(GREY, False)
    things_at(image, corners)
    figure = read_tiles(image).things[0]
    assert (figure.height, figure.width) == (18, 9)


def test_a_panel_is_no_part_of_the_tiles_that_touch_on_it() -> None:
    width, height, rim = COLUMNS * CELL, ROWS * CELL, 9
    image = np.full((2 * height + 120, 2 * width + 90, 3), 40, np.uint8)
    fill(image, Box(40 - rim, 60 - rim, 2 * width + 2 * rim, 2 * height + 2 * rim), (70, 90, 90))
    corners = [(40 + c * width, 60 + r * height) for r, c in ((0, 0), (0, 1), (1, 0))]
    for (x, y), room in zip(corners, rooms(), strict=True):
        room_at(image, x, y, room, (40, 40, 40), (200, 220, 225))
    things_at(image, corners)
    tiles = read_tiles(image)
    assert [(box.x, box.y) for box in tiles.boxes[:3]] == corners
    assert tiles.doubts == ()


def test_a_lattice_tells_where_tiles_begin() -> None:
    """Tiles of 310x210 pixels with a strip of 5 round their rooms."""
    wide = [Cells(ROWS, COLUMNS).drawn(room[None], 300, 200)[0] for room in rooms()]
    solid = np.stack([np.pad(each, 5) for each in wide])
    boxes = [Box(c * 318, r * 214, 310, 210) for r in range(2) for c in range(2)]
    found = trimmed(boxes, 2, 2, (0, 1, 2, -1), solid, 0.0)
    assert found is not None
    down, across = found
    assert (down.starts, down.length, across.starts, across.length) == ((5, 219), 200, (5, 323), 300)


def test_walls_on_no_lattice_move_no_tile() -> None:
    solid = np.zeros((3, 210, 310), np.bool_)
    for n, at in enumerate(((13, 41, 88, 131), (29, 67, 151, 170), (3, 58, 97, 189))):
        solid[n, at[0] : at[1], at[2] : at[3]] = solid[n, at[3] :, : at[0] + 40] = True
    boxes = [Box(c * 318, r * 214, 310, 210) for r in range(2) for c in range(2)]
    assert trimmed(boxes, 2, 2, (0, 1, 2, -1), solid, 0.0) is None


def test_the_search_for_a_lattice_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: another game's board kept it busy for minutes, and `play` without a game's name waited for it."""
    wide = [Cells(ROWS, COLUMNS).drawn(room[None], 300, 200)[0] for room in rooms()]
    solid = np.stack([np.pad(each, 5) for each in wide])
    boxes = [Box(c * 318, r * 214, 310, 210) for r in range(2) for c in range(2)]
    with pytest.raises(deadline.OutOfTime), deadline.patience(0.0):
        trimmed(boxes, 2, 2, (0, 1, 2, -1), solid, 0.0)
    monkeypatch.setattr(trimming, "MOST_LENGTHS", 0)
    assert trimmed(boxes, 2, 2, (0, 1, 2, -1), solid, 0.0) is None


def test_bars_along_the_sides_are_left_out() -> None:
    image = np.full((300, 400, 3), 60, np.uint8)
    image[:30] = 200
    image[282:] = 120
    image[30:282, 345:] = 90
    found = list(without_bars(Borders(image, 0.0), 400, 300))
    assert Box(0, 30, 400, 252) in found


def test_a_shade_seen_in_an_opening_only_is_no_thing() -> None:
    """The brightest part of a sky, at the upper side of a tile that is open there."""
    room = rooms()[0]
    height, width = ROWS * CELL, COLUMNS * CELL
    solid = Cells(ROWS, COLUMNS).drawn(room[None], width, height)
    picture = np.full((height, width, 3), 90, np.uint8)
    picture[:6] = (220, 190, 150)
    picture[solid[0]] = 20
    fill(picture, Box(100, 7 * CELL - 20, 10, 20), RED)
    fill(picture, Box(230, 7 * CELL - 22, 16, 22), GREEN)
    things, _, _ = read_things([picture], solid)
    assert sorted((thing.x, thing.y) for thing in things) == [(100, 7 * CELL - 20), (230, 7 * CELL - 22)]


def test_a_menu_of_levels_is_no_level() -> None:
    """Even buttons in rows, one of them missing, have no rooms in them."""
    image = np.full((420, 560, 3), 35, np.uint8)
    for n in range(11):
        fill(image, Box(30 + n % 4 * 130, 60 + n // 4 * 110, 110, 90), (180, 120, 80))
    with pytest.raises(UnreadableError):
        read(image, Layout(game="continuity"))


def apart(corners: list[tuple[int, int]]) -> Image:
    """Rooms that stand apart, before their things."""
    image = np.full((2 * ROWS * CELL + 60, 2 * COLUMNS * CELL + 60, 3), 225, np.uint8)
    for (x, y), room in zip(corners, rooms(), strict=True):
        room_at(image, x, y, room, WHITE, BLACK)
    return image


APART = [(20 + c * (COLUMNS * CELL + 20), 20 + r * (ROWS * CELL + 20)) for r, c in ((0, 0), (0, 1), (1, 0))]


def test_a_figure_in_the_colour_of_walls_is_none() -> None:
    """It fills more than half of the cell in which it stands, with straight sides."""
    image = apart(APART)
    (x0, y0), (x1, y1), (x2, y2) = APART
    fill(image, Box(x0 + 53, y0 + 7 * CELL - 21, 15, 21), BLACK)
    fill(image, Box(x1 + 230, y1 + 7 * CELL - 16, 9, 9), RED)
    fill(image, Box(x2 + 200, y2 + 7 * CELL - 23, 18, 23), BLUE)
    tiles = read_tiles(image)
    for mask, room in zip(tiles.solid, rooms(), strict=True):
        assert (mask == Cells(ROWS, COLUMNS).drawn(room[None], COLUMNS * CELL, ROWS * CELL)[0]).all()
    assert (0, 53, 7 * CELL - 21) in [(thing.tile, thing.x, thing.y) for thing in tiles.things]


def test_a_wall_goes_on_behind_a_thing_that_overhangs_it() -> None:
    room = rooms()[0]
    solid = Cells(ROWS, COLUMNS).drawn(room[None], COLUMNS * CELL, ROWS * CELL)
    seen = solid.copy()
    seen[0, 7 * CELL - 22 : 7 * CELL, CELL - 5 : CELL] = False
    door = Thing("door", 0, CELL - 5, 7 * CELL - 22, 20, 22)
    assert (filled_up(seen, Cells(ROWS, COLUMNS), [door]) == solid).all()
    elsewhere = door._replace(x=3 * CELL)
    assert (filled_up(seen, Cells(ROWS, COLUMNS), [elsewhere]) == seen).all()


def test_what_moved_in_tiles_with_frames_is_the_figure() -> None:
    """The second time that things were looked for the frames were things as well, and play ended with an error."""
    image = apart(APART)
    for x, y in APART:
        for d in range(8):
            cv2.rectangle(image, (x + d, y + d), (x + COLUMNS * CELL - 1 - d, y + ROWS * CELL - 1 - d), GREY)
    empty = image.copy()
    things_at(image, APART)
    tiles = read_tiles(image)
    found = corrected(tiles, image, things_at_right(empty, APART))
    assert found is not None
    assert [(thing.kind, thing.tile) for thing in found.things] == [("figure", 0), ("key", 1), ("door", 2)]
