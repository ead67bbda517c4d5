"""A frame that stands one cell away from a board of touching tiles: with the margin, too, each tile has whole cells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.board.margins import without_margins
from autoplayer.games.continuity.seeing.board.panels import without_frame
from autoplayer.games.continuity.seeing.tiles import FRAMED, read_tiles
from bench.reading import continuity, continuity_remakes

CELL = 10


def test_the_rooms_in_a_frame_one_cell_away_are_read_without_the_margin() -> None:
    board = continuity_remakes.draw(10020038)
    assert continuity.faults(board, read_tiles(board.image)) == []


def test_a_board_whose_margin_cannot_be_taken_away_is_in_doubt() -> None:
    """Without its margin the rooms of pixel art are read with cells of half the size. The margin had counted as a part
    of the tiles without a doubt."""
    board = continuity_remakes.draw(14020010)
    tiles = read_tiles(board.image)
    assert "board" not in continuity.faults(board, tiles) or FRAMED in tiles.doubts


@pytest.mark.parametrize(
    ("margin", "walls", "found"),
    [(0.9, 0.1, True), (0.6, 0.1, False), (0.9, 0.6, False)],
    ids=["a margin", "walls that hardly look like ground", "walls that all look like ground"],
)
def test_a_margin_looks_like_the_empty_place_and_walls_do_not(margin: float, walls: float, found: bool) -> None:
    """Four places of 9 x 6 cells, of which the last is empty; ``margin`` and ``walls``: how much of the outermost cells
    above and below, and of the other walls, looks like the empty place."""
    boxes = [Box(x, y, 6 * CELL, 9 * CELL) for y in (20, 20 + 9 * CELL) for x in (30, 30 + 6 * CELL)]
    solid = np.zeros((3, 9 * CELL, 6 * CELL), np.bool_)
    solid[:, : 2 * CELL] = solid[:, -2 * CELL :] = True
    pixels = np.random.default_rng(0).random((20 + 18 * CELL + 20, 30 + 12 * CELL + 30))
    ground = pixels < walls
    for rows in (slice(20, 20 + CELL), slice(20 + 17 * CELL, 20 + 18 * CELL)):
        ground[rows] = pixels[rows] < margin
    axes = without_margins(boxes, 2, 3, (9, 6), solid, ground)
    assert (axes is not None) is found
    if axes is not None:
        down, across = axes
        assert (down.starts, down.length) == ((20 + CELL, 20 + 9 * CELL), 8 * CELL)
        assert (across.starts, across.length) == ((30, 30 + 6 * CELL), 6 * CELL)


ROOMS = (
    "############ #..........# #...##.....# ...........# ...##......# #......##... #........... ####..######",
    "####..###### #..........# #....##....# #..........# ....##.....# ...........# #......###.# ############",
    "####..###### #..........# #..###.....# ...........# ...........# #..##...#### #..........# ############",
)


def framed(thick: int, away: int) -> tuple[Image, list[Box]]:
    """Three rooms and an empty place that touch, in a line of ``thick`` pixels ``away`` from them; and where they
    are. The walls are of stones in two shades."""
    cell, wide, high = 16, 12 * 16, 8 * 16
    places = [Box(60 + c * wide, 70 + r * high, wide, high) for r in (0, 1) for c in (0, 1)]
    image = np.full((140 + 2 * high, 120 + 2 * wide, 3), (60, 40, 30), np.uint8)
    cv2.putText(image, "ROOM 3", (60, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (220, 220, 220), 1, cv2.LINE_AA)
    out = thick + away
    image[70 - out : 70 + 2 * high + out, 60 - out : 60 + 2 * wide + out] = (190, 170, 200)
    image[70 - away : 70 + 2 * high + away, 60 - away : 60 + 2 * wide + away] = (60, 40, 30)
    for place, rows in zip(places, ROOMS, strict=False):
        part = place.crop(image)
        part[:] = (150, 130, 120)
        for y, row in enumerate(rows.split()):
            for x, character in enumerate(row):
                if character == "#":
                    part[y * cell : (y + 1) * cell, x * cell : (x + 1) * cell] = (40, 90, 70 + 50 * ((x + y) % 2))
    for place, x, foot, wide, high, colour in (
        (0, 40, 7, 9, 15, (200, 60, 20)), (1, 60, 7, 14, 22, (30, 30, 200)), (2, 90, 7, 8, 8, (20, 220, 240))
    ):  # fmt: skip
        box = places[place]
        image[box.y + foot * 16 - high : box.y + foot * 16, box.x + x : box.x + x + wide] = colour
    return image, places


@pytest.mark.parametrize("soft", [False, True])
def test_a_line_round_touching_tiles_is_no_part_of_them(soft: bool) -> None:
    """The tiles had been cut out with the line and the ground inside it, without a doubt."""
    image, places = framed(3, 12)
    if soft:
        image = np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)
    assert read_tiles(image).boxes == tuple(places)


def test_the_walls_round_a_board_are_no_line_round_it() -> None:
    """Without a line there is nothing to be taken away, and neither is there where it is far away."""
    for thick, away in ((0, 0), (2, 40)):
        image, places = framed(thick, away)
        assert read_tiles(image).boxes == tuple(places)
        assert without_frame(image, Box(60, 70, 2 * 192, 2 * 128)) is None
