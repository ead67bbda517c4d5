"""Soft shadows of panels and tiles, and lines in the air: none of them is a part of a tile or a border of a wall."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Floats, Image, around
from autoplayer.games.continuity.seeing.board.panels import without_shadows
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.lattice import find_edges
from autoplayer.games.continuity.seeing.walls.masks import read_masks

ROOMS = (
    "############ #..........# #...##.....# ...........# ...##......# #......##... #........... ####..######",
    "####..###### #..........# #....##....# #..........# ....##.....# ...........# #......###.# ############",
    "####..###### #..........# #..###.....# ...........# ...........# #..##...#### #..........# ############",
)
CELL = 16
WIDE, HIGH = 12 * CELL, 8 * CELL
Colour = tuple[int, int, int]
PAGE, WALLS, AIR = (214, 223, 201), (235, 206, 135), (12, 8, 6)


def window(
    gap: int, panel: int = 0, shade: Colour = (36, 49, 29), walls: Colour = WALLS, taller: int = 0
) -> tuple[Image, list[Box]]:
    """Three rooms and an empty place, ``gap`` pixels apart, on a panel that is so many pixels broader on each side; and
    where the places are. The rooms are by so many rows of cells ``taller``."""
    high = HIGH + taller * CELL
    places = [Box(60 + c * (WIDE + gap), 70 + r * (high + gap), WIDE, high) for r in (0, 1) for c in (0, 1)]
    image = np.full((140 + 2 * high + gap, 120 + 2 * WIDE + gap, 3), PAGE, np.uint8)
    if panel:
        grown(around(places), panel).crop(image)[:] = shade
    for place, room in zip(places, ROOMS, strict=False):
        place.crop(image)[:] = AIR
        first, second, *rest = room.split()
        for y, row in enumerate((first, *(second,) * (taller + 1), *rest)):
            for x, character in enumerate(row):
                if character == "#":
                    left, top = place.x + x * CELL, place.y + y * CELL
                    image[top : top + CELL, left : left + CELL] = walls
    for at, x, wide, tall, colour in (
        (0, 40, 9, 15, (250, 120, 40)), (1, 60, 14, 22, (60, 60, 230)), (2, 90, 8, 8, (20, 220, 240))
    ):  # fmt: skip
        box = places[at]
        foot = box.y + box.height - CELL
        image[foot - tall : foot, box.x + x : box.x + x + wide] = colour
    empty = places[3].crop(image)
    empty[:] = (79, 90, 74) if panel else PAGE
    return image, places


def grown(box: Box, by: int) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def with_shadows(image: Image, boxes: list[Box], blur: float) -> Image:
    """The picture with soft shadows of some boxes on all that lies behind them."""
    shadow = np.zeros(image.shape[:2], np.float32)
    front = np.zeros(image.shape[:2], np.bool_)
    for box in boxes:
        shadow[box.y + 4 : box.y + box.height + 4, box.x : box.x + box.width] = 0.5
        box.crop(front)[:] = True
    darker: Floats = image * (1 - cv2.GaussianBlur(shadow, (0, 0), blur))[..., None]
    return np.where(front[..., None], image, darker.round()).astype(np.uint8)


def test_the_shadow_of_a_panel_is_no_part_of_it() -> None:
    """No board was seen where the shadow is broad."""
    image, places = window(0, 4)
    found = read_tiles(with_shadows(image, [grown(around(places), 4)], 12.0))
    assert found.boxes == tuple(places)


def test_the_shadows_of_tiles_are_no_part_of_them() -> None:
    """The shadow below the tiles was a part of them, without a doubt."""
    image, places = window(30)
    found = read_tiles(with_shadows(image, places[:3], 8.0))
    assert found.boxes == tuple(places)


@pytest.mark.parametrize(
    ("begin", "share", "shade", "step", "thick"),
    [
        (0, 1.0, 40, 100, 10),
        (0, 1.0, 100, 100, 10),
        (0, 1.0, 40, 20, 10),
        (0, 0.5, 40, 100, 0),
        (0, 1.0, 4, 100, 0),
        (-10, 1.0, 40, 100, 0),
        (-11, 1.0, 40, 100, 0),
        (10, 1.0, 40, 100, 0),
    ],
    ids=[
        "a shadow",
        "a dark one",
        "a weak edge",
        "half an edge",
        "ground",
        "a shaded wall",
        "one cut off too tightly",
        "too thick",
    ],
)
def test_a_shadow_begins_at_the_ground_and_ends_at_an_edge(
    begin: int, share: float, shade: int, step: int, thick: int
) -> None:
    """A box of 100 x 100 pixels. From ``begin`` on, below its upper side, ten lines of pixels grow darker by ``shade``
    in all; then there is an edge of ``step`` along a ``share`` of the side."""
    image = np.full((140, 140, 3), 200, np.uint8)
    top = 20 + begin
    for n in range(10):
        image[top + n :, 20:120] = 200 - shade * (n + 1) // 10
    if begin < 0:
        wall = 30 + begin
        image[wall : wall + 10, 20:120] = image[top : top + 10, 20:120] - 60
        image[top:wall] = 200
    image[max(top, 20) + 10 : 120, 20 : 20 + round(100 * share)] = 200 - shade - step
    box = Box(20, 20, 100, 100)
    assert without_shadows(image, [box]) == (Box(20, 20 + thick, 100, 100 - thick),)


def test_a_shaded_wall_is_no_shadow() -> None:
    """A wall that begins with a step, and grows darker towards the room."""
    image = np.full((140, 140, 3), 200, np.uint8)
    image[20:120, 20:120] = 60
    image[20:30, 20:120] = np.arange(188, 168, -2)[:, None, None]
    box = Box(20, 20, 100, 100)
    assert without_shadows(image, [box]) == (box,)


def test_a_shadow_that_meets_another_in_a_gap_is_a_shadow() -> None:
    """It is darker half way than one that ends at the ground."""
    image = np.full((140, 140, 3), 200, np.uint8)
    image[20:120, 20:120] = 60
    image[20:30, 20:120] = 200 - np.array([5, 10, 14, 19, 23, 27, 31, 34, 37, 40])[:, None, None]
    assert without_shadows(image, [Box(20, 20, 100, 100)]) == (Box(20, 30, 100, 90),)


@pytest.mark.parametrize("gap", [10, 24])
def test_pale_walls_are_no_shadows(gap: int) -> None:
    """Walls ten grey levels darker than the page, a cell thick along all sides, were cut off without a doubt."""
    image, places = window(gap, walls=(204, 213, 191), taller=2)
    assert read_tiles(image).boxes == tuple(places)


def test_a_border_of_walls_has_another_colour_on_either_side() -> None:
    """A line in the air is an edge, and no border: its two sides look alike."""
    stack = np.full((1, 40, 60, 3), 230, np.uint8)
    stack[:, :, :20] = 60
    stack[:, :, 40] = 150
    edges = find_edges(stack, 0.0)
    columns = np.arange(60)
    for border, parted in ((20, 1.0), (40, 0.0)):
        solid = np.broadcast_to(columns < border, (1, 40, 60))
        assert (edges.support(solid), edges.parted(solid)) == (1.0, parted)


@pytest.mark.parametrize(("above", "below"), [(0, 3), (2, 2)])
def test_lines_in_the_air_do_not_make_coarser_cells(above: int, below: int) -> None:
    """Bevelled walls, air with a line between its cells, and tiles cut out with a few pixels of a dark line round them.
    Walls were told by cells of twice the size, which end at lines of the air, and most air beside walls was wall."""
    cell = 24
    wide, high = 12 * cell, 8 * cell + above + below
    pictures = []
    for rows in ROOMS:
        whole = np.zeros((high, wide, 3), np.uint8)
        room = whole[above : high - below]
        room[:] = 232
        room[::cell] = room[:, ::cell] = 216
        for y, row in enumerate(rows.split()):
            for x, character in enumerate(row):
                if character == "#":
                    block = room[y * cell : (y + 1) * cell, x * cell : (x + 1) * cell]
                    block[:] = (70, 57, 230)
                    block[:3] = block[:, :3] = (130, 120, 240)
                    block[-3:] = block[:, -3:] = (45, 37, 150)
        pictures.append(whole)
    found = read_masks(pictures)
    walls = np.array([[[character == "#" for character in row] for row in rows.split()] for rows in ROOMS])
    assert (found.solid[:, above + cell // 2 :: cell, cell // 2 :: cell][:, :8] == walls).all()
    assert found.doubts == ()
