"""Rooms as a small desktop game draws them: flat colours, a mat round each, a key that lies flat in the air; and walls
with stones of other shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.things.kinds import roles_of
from autoplayer.games.continuity.seeing.things.pieces import Piece
from autoplayer.games.continuity.seeing.things.things import _without_side_lines, read_things
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells, on_cells

WIDE, HIGH, CELL, MAT, APART = 15, 10, 20, 5, 5
"""Cells of a room, pixels of a cell and of the mat round a room, and between two mats."""
PAPER, ROOM, INK, RED = (238, 238, 238), (216, 216, 204), (0, 0, 0), (40, 40, 190)


def room(*platforms: tuple[int, int, int], ground: bool = False) -> Image:
    """An open room with platforms (row, first column, length in cells), and perhaps ground along its bottom."""
    picture = np.full((HIGH * CELL, WIDE * CELL, 3), ROOM, np.uint8)
    if ground:
        picture[-CELL:] = INK
    for row, column, length in platforms:
        picture[row * CELL : (row + 1) * CELL, column * CELL : (column + length) * CELL] = INK
    return picture


def man(picture: Image, x: int, foot: int, colour: tuple[int, int, int]) -> None:
    """A thin figure of 8 x 14 pixels."""
    cv2.circle(picture, (x + 4, foot - 12), 2, colour, -1)
    picture[foot - 10 : foot - 4, x + 4] = colour
    picture[foot - 8, x : x + 8] = colour
    cv2.line(picture, (x + 4, foot - 5), (x + 1, foot - 1), colour)
    cv2.line(picture, (x + 4, foot - 5), (x + 7, foot - 1), colour)


def key(picture: Image, x: int, y: int) -> None:
    """A key of 16 x 4 pixels that lies flat."""
    picture[y : y + 4, x : x + 3] = picture[y + 1 : y + 3, x : x + 16] = RED
    picture[y + 3, x + 13] = RED


def door(picture: Image, foot: int) -> None:
    """At the right side of a room."""
    picture[foot - 20 : foot, -15:] = RED
    picture[foot - 18 : foot, -13:-2] = 250


def window(rooms: Sequence[Image], places: tuple[int, int, int], line: int = 1) -> Image:
    """Four places, of which the rooms take three in the upper left of a larger window, on white mats. ``line``: the
    height of the line that separates a menu from them, pixels."""
    picture = np.full((660, 953, 3), PAPER, np.uint8)
    for place, drawn in zip(places, rooms, strict=True):
        x = place % 2 * (WIDE * CELL + 2 * MAT + APART)
        y = 20 + place // 2 * (HIGH * CELL + 2 * MAT + APART)
        picture[y : y + HIGH * CELL + 2 * MAT, x : x + WIDE * CELL + 2 * MAT] = 255
        picture[y + MAT : y + MAT + HIGH * CELL, x + MAT : x + MAT + WIDE * CELL] = drawn
    picture[20 - line : 20] = 205
    return picture


@pytest.mark.parametrize(("places", "line"), [((0, 1, 3), 0), ((3, 2, 0), 1), ((3, 1, 2), 1)])
def test_rooms_on_mats_are_read_wherever_their_tiles_lie(places: tuple[int, int, int], line: int) -> None:
    """The edge between a mat and black ground is far stronger than that between mat and paper. A key that lies flat is
    short; the longer line in the second room is none."""
    rooms = [room((5, 9, 4), (7, 5, 4), ground=True), room(ground=True), room(ground=True)]
    key(rooms[0], 240, 20)
    rooms[1][60:64, 100:130] = RED
    man(rooms[1], 276, (HIGH - 1) * CELL, INK)
    door(rooms[2], (HIGH - 1) * CELL)
    tiles = read_tiles(window(rooms, places, line))
    assert (tiles.boxes[0].width, tiles.boxes[0].height) == (WIDE * CELL, HIGH * CELL)
    assert {(box.x, box.y) for box in tiles.boxes} == {(x, y) for x in (5, 320) for y in (25, 240)}
    found = sorted((thing.kind, tiles.cells.index(thing.tile)) for thing in tiles.things)
    assert found == [("door", places[2]), ("figure", places[1]), ("key", places[0])]


@pytest.mark.parametrize("cells", [1, 3])
def test_rooms_that_are_open_at_all_sides_have_walls_too(cells: int) -> None:
    """Hardly any wall is at a side of a room, one room has a single platform, and in that a key lies at the side. The
    smaller platform takes less of its room than walls do."""
    rooms = [
        room((2, 12, 2), (4, 4, 1), (4, 8, 1), (5, 4, 5), (7, 6, 1)),
        room((1, 5, cells)),
        room((3, 0, 15), (6, 4, 3)),
    ]
    truth = np.stack([picture[..., 0] == 0 for picture in rooms])
    man(rooms[0], 120, 5 * CELL, INK)
    key(rooms[1], 0, 100)
    door(rooms[2], 3 * CELL)
    man(rooms[2], 100, 6 * CELL, RED)
    tiles = read_tiles(window(rooms, (0, 2, 3)))
    assert sorted((thing.kind, thing.tile) for thing in tiles.things) == [
        ("door", 2), ("figure", 0), ("figure", 2), ("key", 1),
    ]  # fmt: skip
    assert (tiles.solid == truth).all()


@pytest.mark.parametrize(("size", "seen"), [(11, True), (7, False)])
def test_a_small_block_at_the_side_of_a_room_is_a_key_if_it_is_broad_both_ways(size: int, seen: bool) -> None:
    """A smaller one may be what is left of a line there."""
    picture = room(ground=True)
    solid = picture[..., 0] == 0
    picture[90 : 90 + size, :size] = RED
    man(picture, 100, (HIGH - 1) * CELL, INK)
    things, _, _ = read_things([picture, room(ground=True)], np.stack([solid, solid]))
    assert ((0, 90) in [(thing.x, thing.y) for thing in things]) is seen


@pytest.mark.parametrize("far", [False, True])
def test_an_outline_that_crosses_an_opening_is_no_part_of_a_figure_that_stands_in_it(far: bool) -> None:
    picture = room(ground=True)
    solid = picture[..., 0] == 0
    man(picture, 1, (HIGH - 1) * CELL, RED)
    picture[40 : (HIGH - 1) * CELL, 0] = (120, 120, 110)
    if far:
        picture = picture[:, ::-1].copy()
    things, _, _ = read_things([picture, room(ground=True)], np.stack([solid, solid]))
    assert [(thing.y, thing.height) for thing in things] == [(166, 14)]


@pytest.mark.parametrize(("neck", "heights"), [(3, [37]), (6, [40]), (8, [10, 24])])
def test_a_head_apart_from_a_body_belongs_to_it(neck: int, heights: list[int]) -> None:
    """What is farther above the body than a third of its height is a thing of its own."""
    picture, foot = room(ground=True), (HIGH - 1) * CELL
    solid = picture[..., 0] == 0
    picture[foot - 24 : foot, 100:114] = RED
    picture[foot - 24 - neck - 10 : foot - 24 - neck, 102:112] = RED
    things, _, _ = read_things([picture, room(ground=True)], np.stack([solid, solid]))
    assert [thing.height for thing in things] == heights


@pytest.mark.parametrize(("wide", "whole"), [(16, True), (24, False)])
def test_a_wall_cell_without_one_of_its_stones_is_whole(wide: int, whole: bool) -> None:
    """A missing rectangle that is broader than half of a cell is no stone, but a step."""
    solid = np.zeros((1, 320, 480), np.bool_)
    solid[0, :40] = solid[0, -40:] = solid[0, 160:200, 200:360] = True
    solid[0, 160:169, 280 - wide : 280] = False
    filled = on_cells(solid, Cells(8, 12), ~solid)[0, 162:166, 280 - wide + 2 : 278]
    assert filled.all() if whole else not filled.any()


@pytest.mark.parametrize("cut", [20, 24])
def test_a_wall_in_the_corner_of_a_tile_is_no_slope(cut: int) -> None:
    """Behind the last stroke of a hatched wall nothing was seen: the sides of tiles did not match, without a doubt."""
    solid = np.zeros((1, 320, 480), np.bool_)
    solid[0, :40] = solid[0, -40:] = True
    ys, xs = np.mgrid[:cut, :cut]
    solid[0, -cut:, -cut:] = ys + xs < cut
    assert on_cells(solid, Cells(8, 12), ~solid)[0, -40:].all()


def test_a_figure_broader_than_high_is_in_doubt_where_something_else_stands_upright() -> None:
    full = np.ones((12, 15), np.bool_)
    full[6:, 3:12] = False
    broad = Piece(1, 40, 68, full, np.array([160.0, 60.0, 60.0]), True)
    slim = np.ones((13, 6), np.bool_)
    slim[4:, :2] = slim[4:, 4:] = False
    upright = Piece(0, 40, 67, slim, np.array([60.0, 60.0, 60.0]), True)
    door = Piece(2, 90, 60, np.ones((20, 14), np.bool_), np.array([40.0, 40.0, 120.0]), True)
    things, _ = roles_of([upright, broad, door])
    assert all(thing.sure < 0.9 for thing in things if thing.kind == "figure" and thing.width > thing.height)
    alone, _ = roles_of([replace(upright, grounded=False), broad, door])
    assert [thing.kind for thing in alone if thing.sure > 0.9] == ["key", "figure", "door"]


def test_lines_along_two_sides_of_a_tile_that_meet_at_no_corner_are_not_cut_to_nothing() -> None:
    """Incident: in a picture of another game both were taken for an outline alone, and what was left had no extent."""
    part = np.zeros((HIGH * CELL, WIDE * CELL), bool)
    part[0, 1:] = part[1:, 0] = True
    assert (_without_side_lines(part) == part).all()
