"""Looks of rooms that are common elsewhere, drawn here: numbers on tiles, shadows of walls and of tiles, hills behind
the rooms, stones of several colours, things of the walls' colours, doors that are smaller than the figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.reader import CERTAIN
from autoplayer.games.continuity.seeing import tiles as tiles_of
from autoplayer.games.continuity.seeing.sight import Bools, Thing, Tiles
from autoplayer.games.continuity.seeing.things.things import read_things
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls import masks as masks_of
from autoplayer.games.continuity.seeing.walls.cells import Cells, find_cells, on_cells, without_bumps, without_scraps
from autoplayer.games.continuity.seeing.walls.ground import grounds
from autoplayer.games.continuity.seeing.walls.masks import Masks
from tests.continuity.test_seeing_windows import (
    BLACK,
    BLUE,
    CELL,
    COLUMNS,
    GREEN,
    GREY,
    RED,
    ROWS,
    WHITE,
    fill,
    room_at,
    rooms,
    things_at,
)  # fmt: skip

HEIGHT, WIDTH, GAP, LEFT, TOP = ROWS * CELL, COLUMNS * CELL, 12, 30, 40
CORNERS = [(LEFT + x * (WIDTH + GAP), TOP + y * (HEIGHT + GAP)) for y, x in ((0, 0), (0, 1), (1, 0))]
PAGE = (70, 60, 50)


def window(inside: list[Bools]) -> Image:
    """Three rooms with dark walls, and things in them, two above each other; the fourth place is empty."""
    image = np.full((2 * HEIGHT + GAP + 80, 2 * WIDTH + GAP + 60, 3), PAGE, np.uint8)
    for (x, y), room in zip(CORNERS, inside, strict=True):
        room_at(image, x, y, room, WHITE, BLACK)
    things_at(image, CORNERS)
    return image


def drawn(room: Bools) -> Bools:
    return Cells(ROWS, COLUMNS).drawn(room[None], WIDTH, HEIGHT)[0]


def check(image: Image, inside: list[Bools]) -> Tiles:
    """What is read of a window is what is there."""
    tiles = read_tiles(image)
    assert tiles.cells == (0, 1, 2, -1)
    assert [(box.x, box.y, box.width, box.height) for box in tiles.boxes[:3]] == [
        (*at, WIDTH, HEIGHT) for at in CORNERS
    ]
    for seen, room in zip(tiles.solid, inside, strict=True):
        assert (seen == drawn(room)).all()
    assert Counter(thing.kind for thing in tiles.things) == Counter(("figure", "key", "door"))
    return tiles


@pytest.mark.parametrize("walled", [(), (1, 2)])
def test_the_numbers_of_tiles_are_no_keys(walled: tuple[int, ...]) -> None:
    """Where they stand on walls they are seen by their ink."""
    inside = rooms()
    for n, room in enumerate(inside):
        room[0], room[:3, 0] = n in walled, n in walled
    image = window(inside)
    for n, (x, y) in enumerate(CORNERS):
        cv2.putText(image, str(n + 1), (x + 5, y + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 120, 255), 1, cv2.LINE_AA)
    check(image, inside)


def test_a_key_in_the_corner_of_one_tile_stays_a_key() -> None:
    inside = rooms()
    inside[0][0], inside[0][:3, 0] = False, False
    image = window(inside)
    fill(image, Box(CORNERS[0][0] + 8, CORNERS[0][1] + 8, 9, 9), RED)
    assert Counter(thing.kind for thing in read_tiles(image).things)["key"] == 2


@pytest.mark.parametrize("shade", [0.55, 0.8])
@pytest.mark.parametrize("soft", [False, True])
def test_the_shadows_of_walls_are_no_walls(shade: float, soft: bool) -> None:
    inside = rooms()
    image = window(inside)
    clean = image.copy()
    for (x, y), room in zip(CORNERS, inside, strict=True):
        walls = drawn(room)
        cast = np.zeros(walls.shape, np.float32)
        cast[5:, 5:] = walls[:-5, :-5]
        if soft:
            cast = cv2.GaussianBlur(cast, (0, 0), 1.5).astype(np.float32)
        part = Box(x, y, WIDTH, HEIGHT).crop(image)
        air = (Box(x, y, WIDTH, HEIGHT).crop(clean) == 255).all(axis=2)
        part[air] = (part * (1 - (1 - shade) * cast)[..., None])[air].astype(np.uint8)
    check(image, inside)


def test_a_line_round_walls_is_no_shadow() -> None:
    """It is a darker white, too, but lies at all sides."""
    inside = rooms()
    image = window(inside)
    for (x, y), room in zip(CORNERS, inside, strict=True):
        walls = drawn(room).astype(np.uint8)
        line = (walls > 0) & (cv2.erode(walls, np.ones((5, 5), np.uint8), borderValue=1) == 0)
        Box(x, y, WIDTH, HEIGHT).crop(image)[line] = (150, 150, 150)
    check(image, inside)


def test_a_soft_shadow_below_tiles_belongs_to_none() -> None:
    inside = rooms()
    image = window(inside)
    shadow = np.zeros(image.shape[:2], np.float32)
    for x, y in CORNERS:
        fill(shadow, Box(x, y + 5, WIDTH, HEIGHT), 1)  # type: ignore[arg-type]
    shadow = cv2.GaussianBlur(shadow, (0, 0), 3).astype(np.float32)
    ground = (image == PAGE).all(axis=2)
    image[ground] = (image * (1 - 0.5 * shadow)[..., None])[ground].astype(np.uint8)
    check(image, inside)


def test_hills_behind_the_rooms_are_air() -> None:
    """In a room with little wall they are its second surface."""
    inside = rooms()
    inside[2][:] = False
    inside[2][-1] = True
    image = window(inside)
    for x, y in CORNERS:
        part = Box(x, y, WIDTH, HEIGHT).crop(image)
        hill = (np.arange(HEIGHT)[:, None] > HEIGHT * 0.55 + 9 * np.sin(np.arange(WIDTH) / 17)) & (part == 255).all(2)
        part[hill] = (215, 200, 190)
    check(image, inside)
    assert read_tiles(image).doubts == ()


def test_stones_of_several_colours_are_walls() -> None:
    inside = rooms()
    image = window(inside)
    stones = [(200, 230, 250), (150, 180, 200), (175, 200, 240)]
    for (x, y), room in zip(CORNERS, inside, strict=True):
        walls, part = drawn(room), Box(x, y, WIDTH, HEIGHT).crop(image)
        part[(part == 255).all(2)] = (40, 50, 40)
        for row in range(0, HEIGHT, 12):
            for n, column in enumerate(range(-12 * (row // 12 % 2), WIDTH, 24)):
                stone = np.zeros(walls.shape, np.bool_)
                stone[row : row + 11, max(column, 0) : column + 23] = True
                part[walls & stone] = stones[(n * 7 + row // 12 * 5) % 3]
    check(image, inside)


def test_a_thing_in_a_cell_of_walls_is_none_of_them() -> None:
    """Its parts may be as thin as lines, which belong to walls; stones of a wall look like others."""
    walls = np.zeros((1, ROWS, COLUMNS), np.bool_)
    walls[0, -1] = walls[0, -2, 3] = walls[0, -2, 8] = True
    solid = Cells(ROWS, COLUMNS).drawn(walls, WIDTH, HEIGHT)
    shades = solid.astype(np.uint8)
    shades[0, -2 * CELL : -CELL, 3 * CELL : 4 * CELL] = 2
    shades[0, -CELL:, ::2] = 3
    shades[0, -2 * CELL : -CELL, 8 * CELL : 9 * CELL : 2] = 3
    found = without_bumps(solid, Cells(ROWS, COLUMNS), shades)
    walls[0, -2, 3] = False
    assert (found == Cells(ROWS, COLUMNS).drawn(walls, WIDTH, HEIGHT)).all()


def test_what_is_smaller_than_a_cell_and_touches_a_thing_is_a_part_of_it() -> None:
    solid = drawn(rooms()[0])[None].copy()
    alone = solid.copy()
    alone[0, 100:112, 100:124] = True
    door = Thing("door", 0, 101, 111, 22, 20)
    assert (without_scraps(alone, Cells(ROWS, COLUMNS), [door]) == solid).all()
    assert (without_scraps(alone, Cells(ROWS, COLUMNS), []) == alone).all()


def test_cells_are_squares_where_nearly_all_edges_say_so() -> None:
    """The sides of a thing in the colour of walls had made them three times as broad as high."""
    solid = np.stack([drawn(room) for room in rooms()])
    solid[0, 100:116, 40:60] = True
    solid[0, 108:116, 44:56] = False
    assert find_cells(solid) == Cells(ROWS, COLUMNS)


def test_a_door_that_is_smaller_than_another_thing_is_not_certain() -> None:
    inside = np.stack([drawn(room) for room in rooms()])
    pictures = [np.where(mask[..., None], BLACK, WHITE).astype(np.uint8) for mask in inside]
    foot = HEIGHT - CELL
    fill(pictures[0], Box(60, foot - 20, 20, 20), GREEN)
    cv2.ellipse(pictures[1], (200, foot - 21), (13, 20), 0, 0, 360, BLUE, 3)
    fill(pictures[2], Box(230, foot - 40, 9, 9), GREY)
    things, _, _ = read_things(pictures, inside)
    door = next(thing for thing in things if thing.kind == "door")
    assert door.sure < CERTAIN or door.tile == 1


def test_a_frame_that_looks_like_the_walls_is_none_of_them() -> None:
    inside = rooms()
    image = window(inside)
    for x, y in CORNERS:
        cv2.rectangle(image, (x - 5, y - 5), (x + WIDTH + 4, y + HEIGHT + 4), BLACK, 5)
        cv2.rectangle(image, (x - 3, y - 3), (x + WIDTH + 2, y + HEIGHT + 2), BLACK, 5)
    for (x, y), room in zip(CORNERS, inside, strict=True):
        room_at(image, x, y, room, WHITE, BLACK)
    things_at(image, CORNERS)
    assert max(check(image, inside).margins) > 0.01


def test_the_last_rooms_may_end_with_the_picture() -> None:
    """Incident: what is soft at the sides of tiles is cut off there, and the upper row of three was left out."""
    inside = [*rooms(), *rooms()[:2]]
    corners = [*CORNERS, *((x, TOP + 2 * (HEIGHT + GAP)) for x in (LEFT, LEFT + WIDTH + GAP))]
    image = np.full((TOP + 3 * HEIGHT + 2 * GAP, 2 * WIDTH + GAP + 60, 3), WHITE, np.uint8)
    for (x, y), room in zip(corners, inside, strict=True):
        room_at(image, x, y, room, (225, 215, 235), BLACK)
        cv2.rectangle(image, (x, y), (x + WIDTH - 1, y + HEIGHT - 1), GREEN, 2)
    things_at(image, CORNERS)
    tiles = read_tiles(cv2.blur(image, (3, 3)).astype(np.uint8))
    assert tiles.cells == (0, 1, 2, -1, 3, 4)
    assert all(abs(box.y - y) <= 2 for box, (_, y) in zip(tiles.boxes[4:], corners[3:], strict=True))


def test_walls_near_the_rim_of_a_striped_page_are_not_the_page() -> None:
    """Incident: a board that was bright from one side to the other stood within the rim that shows what the page looks
    like, and no board was seen. White is not beside black, either."""
    stripes = (np.arange(300)[:, None] + np.arange(400)) // 12 % 2
    for walls in ((228, 255, 248), (255, 255, 255)):
        image = np.where(stripes[..., None], np.uint8(14), np.uint8(0)).repeat(3, axis=2)
        fill(image, Box(30, 30, 340, 265), walls)
        pages = [ground.mask for ground in grounds(image) if ground.kind == "textured"]
        assert any(not mask[40:285, 40:360].any() and mask[:20].all() for mask in pages)


@pytest.mark.parametrize(("shape", "beside"), [("ellipse", False), ("ellipse", True), ("square", False)])
def test_a_figure_in_the_colour_of_walls_that_fills_most_of_a_cell_is_no_wall(shape: str, beside: bool) -> None:
    """A round one is narrower at its top; below a square one the soft edge of the floor may reach up into its cell;
    it may stand beside a wall."""
    inside = np.stack([drawn(room) for room in rooms()])
    row, column = next(at for at in np.argwhere(rooms()[0]).tolist() if _free(rooms()[0], *at))
    foot, middle = row * CELL, round((column + 0.5) * CELL)
    inside[0, foot - CELL : foot, (column + 1) * CELL : (column + 2) * CELL] = beside
    walls = inside.copy()
    if shape == "ellipse":
        half = CELL // 2
        blob = walls[0].astype(np.uint8)
        cv2.ellipse(blob, (middle, foot - half), (half - 3, half), 0, 0, 360, 1, cv2.FILLED)
        walls[0] = blob > 0
    else:
        side = round(0.8 * CELL)
        walls[0, foot - side : foot, middle - side // 2 : middle + side // 2] = True
        walls[0, foot - 1, column * CELL : (column + 1) * CELL] = True
    assert on_cells(walls, Cells(ROWS, COLUMNS), ~walls)[0, : foot - 2].sum() == inside[0, : foot - 2].sum()


def _free(room: Bools, row: int, column: int) -> bool:
    """Whether there is air above a cell of walls, and beside that."""
    return row > 1 and 0 < column < COLUMNS - 1 and not room[row - 2 : row, column - 1 : column + 2].any()


def test_a_frame_of_the_colour_of_the_page_hides_a_part_of_the_outermost_cells() -> None:
    inside = rooms()
    image = window(inside)
    for x, y in CORNERS:
        for d in range(6):
            cv2.rectangle(image, (x + d, y + d), (x + WIDTH - 1 - d, y + HEIGHT - 1 - d), PAGE)
    tiles = read_tiles(image)
    assert tiles.cells == (0, 1, 2, -1)
    seen = [value for box in tiles.boxes[:3] for value in (box.x, box.y, box.width, box.height)]
    assert np.abs(np.subtract(seen, [value for at in CORNERS for value in (*at, WIDTH, HEIGHT)])).max() <= 1
    assert Counter(thing.kind for thing in tiles.things) == Counter(("figure", "key", "door"))


def test_rooms_without_any_opening_are_a_doubt() -> None:
    inside = rooms()
    for room in inside:
        room[0] = room[-1] = room[:, 0] = room[:, -1] = True
    assert any("opening" in doubt for doubt in read_tiles(window(inside)).doubts)


def test_things_that_stand_in_walls_only_say_that_those_are_air(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(pictures: Sequence[Image], *, turned: bool = False) -> Masks:
        masks = masks_of.read_masks(pictures)
        return masks if turned else replace(masks, solid=~masks.solid, plain=~masks.plain)

    monkeypatch.setattr(tiles_of, "read_masks", wrong)
    assert any("air" in doubt for doubt in check(window(rooms()), rooms()).doubts)


def test_a_blurred_picture_may_lie_behind_the_board() -> None:
    inside = rooms()
    image = window(inside)
    high, wide = image.shape[:2]
    spots = np.random.default_rng(3).integers(30, 200, (5, 7, 3)).astype(np.uint8)
    blurred = cv2.GaussianBlur(cv2.resize(spots, (wide, high), interpolation=cv2.INTER_CUBIC), (0, 0), 25)
    ground = np.ones((high, wide), np.bool_)
    for x, y in CORNERS:
        fill(ground, Box(x, y, WIDTH, HEIGHT), False)  # type: ignore[arg-type]
    image[ground] = np.asarray(blurred)[ground]
    check(image, inside)


@pytest.mark.parametrize("aired", [False, True])
def test_half_a_cell_of_wall_is_all_of_it_where_no_air_is_beside_it(aired: bool) -> None:
    """A stone of a rare shade had been air, without a doubt; a ledge of half a cell has air above it."""
    walls = np.zeros((1, 6 * 18, 8 * 18), np.bool_)
    walls[0, 18:36, 36:90] = walls[0, -18:] = True
    walls[0, 18:27, 54:72] = False  # the upper half of a cell
    air = ~walls
    if not aired:
        air[0, 18:27, 54:72] = False
    assert on_cells(walls, Cells(6, 8), air)[0, 18:27, 54:72].mean() == (not aired)
