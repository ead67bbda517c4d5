"""Rooms of line art: walls that are outlined and not filled."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.lineart import on_paper, with_walls_filled
from autoplayer.games.continuity.seeing.walls.materials import find_materials

CELL = 22
ROOMS = (
    ("########..##", "#..........#", "#...........", "#..####.....", "#..........#", "#....#.....#", "######..####"),
    ("####..######", "#..........#", "...........#", "........####", "#..........#", "#..........#", "############"),
    ("######..####", "#..........#", "#.....###..#", "#..........#", "#...........", "#.....#.....", "####..######"),
)


def masks() -> Bools:
    rooms = np.array([[[mark == "#" for mark in row] for row in room] for room in ROOMS])
    return rooms.repeat(CELL, axis=1).repeat(CELL, axis=2)


def outlined(mask: Bools, line: int, paper: int, ink: int) -> Image:
    """One room: lines along the inner edges of walls, none along the room's sides."""
    wide = np.pad(mask, line, mode="edge").astype(np.uint8)
    inner = cv2.erode(wide, np.ones((2 * line + 1,) * 2, np.uint8))[line:-line, line:-line] > 0
    picture = np.full((*mask.shape, 3), paper, np.uint8)
    picture[mask & ~inner] = ink
    return picture


def board(line: int, paper: int, ink: int) -> Image:
    """Three rooms and an empty place, a figure, a key and a door of lines; a line round each room."""
    high, wide = masks().shape[1:]
    image = np.full((2 * high + 50, 2 * wide + 60, 3), paper, np.uint8)
    tone = (ink, ink, ink)
    corners = ((20, 20), (40 + wide, 20), (20, 35 + high))
    for mask, (x, y) in zip(masks(), corners, strict=True):
        image[y : y + high, x : x + wide] = outlined(mask, line, paper, ink)
        frame = round(0.6 * paper + 0.4 * ink)
        cv2.rectangle(image, (x - 1, y - 1), (x + wide, y + high), (frame,) * 3, 1)
    x, y = 20 + 3 * CELL, 20 + 6 * CELL  # the figure's feet
    cv2.circle(image, (x, y - 16), 3, tone, 1)
    for to in ((x - 4, y - 1), (x + 4, y - 1)):
        cv2.line(image, (x, y - 6), to, tone, 1)
    cv2.line(image, (x, y - 12), (x, y - 6), tone, 1)
    cv2.line(image, (x - 5, y - 10), (x + 5, y - 10), tone, 1)
    x, y = 40 + wide + 4 * CELL, 20 + 6 * CELL
    cv2.rectangle(image, (x, y - 20), (x + 14, y - 1), tone, 1)
    cv2.circle(image, (x + 11, y - 10), 1, tone, -1)
    x, y = 20 + 8 * CELL, 35 + high + 5 * CELL
    cv2.circle(image, (x, y - 10), 4, tone, 1)
    cv2.line(image, (x + 4, y - 10), (x + 14, y - 10), tone, 1)
    cv2.line(image, (x + 14, y - 10), (x + 14, y - 7), tone, 1)
    return image


@pytest.mark.parametrize(("line", "paper", "ink"), [(1, 255, 0), (2, 250, 40), (3, 30, 220)])
def test_walls_that_are_outlined_are_walls(line: int, paper: int, ink: int) -> None:
    """No board had been seen: between the lines there is nothing but ground."""
    tiles = read_tiles(board(line, paper, ink))
    assert tiles.cells == (0, 1, 2, -1)
    for seen, true in zip(tiles.solid, masks(), strict=True):
        same = cv2.resize(seen.astype(np.uint8), true.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        assert not cv2.erode((same != true).astype(np.uint8), np.ones((3, 3), np.uint8)).any()
    assert [(thing.kind, thing.tile) for thing in tiles.things] == [("figure", 0), ("door", 1), ("key", 2)]


def test_filled_walls_and_lines_that_part_nothing_stay_as_they_are() -> None:
    filled = np.full((3, *masks().shape[1:], 3), 255, np.uint8)
    filled[masks()] = 20
    ledges = np.full_like(filled, 255)
    ledges[:, 60:62, 20:120] = ledges[:, 100:102, 140:220] = ledges[:, ::150] = 20
    for stack in (filled, ledges):
        materials = find_materials(stack)
        assert (with_walls_filled(materials).labels == materials.labels).all()
    white = np.full(3, 255.0)
    lines = np.stack([outlined(mask, 2, 255, 0) for mask in masks()])
    assert [on_paper(stack, white) for stack in (filled, ledges, lines)] == [False, True, True]


def test_a_block_of_one_cell_with_broad_lines_is_a_wall() -> None:
    """Glowing lines leave little of it inside: it had been a thing, perhaps a key."""
    room = np.zeros((8, 12), np.bool_)
    room[[0, -1]] = room[:, [0, -1]] = room[5, 6] = True
    room[2:4, 0] = room[0, 7:9] = False
    mask = room.repeat(CELL, axis=0).repeat(CELL, axis=1)
    stack = np.stack([outlined(mask, 6, 30, 220), outlined(mask[:, ::-1], 6, 30, 220)])
    materials = find_materials(stack)
    filled = with_walls_filled(materials)
    ink = filled.labels[0, 0, 0]
    assert ((filled.labels[0] == ink) == mask).all()


def test_a_line_by_itself_is_a_ledge_if_it_is_long_and_level() -> None:
    stack = np.stack([outlined(mask, 2, 255, 0) for mask in masks()])
    ledge, short, hook, bent = (
        np.s_[0, 60:62, 120:180],
        np.s_[0, 60:62, 40:50],
        np.s_[0, 40:42, 70:110],
        np.s_[0, 40:52, 70:72],
    )
    for line in (ledge, short, hook, bent):
        stack[line] = 0
    filled = with_walls_filled(find_materials(stack)).labels
    assert (filled[ledge] == filled[0, 0, 0]).all()
    assert (filled[short] != filled[0, 0, 0]).all()
    assert (filled[hook] != filled[0, 0, 0]).all()
