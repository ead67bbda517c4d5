"""A picture's level as text, and as the rules judge it: cells that are no squares, ledges of half a cell, and jumps
higher than a figure of the usual size makes."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity import GAME, reader
from autoplayer.games.continuity.seeing.sight import Bools, Thing, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells, find_cells
from autoplayer.layout import Layout
from autoplayer.settle import settle
from bench.reading import continuity

WIDE, HIGH = 280, 180
RED, GREEN, YELLOW = (40, 50, 210), (90, 160, 30), (20, 190, 230)


def room(*walls: tuple[int, int, int, int], left: int = 0, right: int = 0) -> Bools:
    """A room with a floor, a ceiling, walls of such breadth at its sides, and others (left, top, right, bottom)."""
    mask = np.zeros((HIGH, WIDE), np.bool_)
    mask[:24] = mask[-36:] = True
    mask[:, :left] = mask[:, WIDE - right :] = True
    for x0, y0, x1, y1 in walls:
        mask[y0:y1, x0:x1] = True
    return mask


ROOMS = (room((126, 102, 161, 114), left=28), room(right=28), room((98, 120, 182, 144), (126, 96, 154, 144), right=28))


def window() -> Image:
    """Three rooms in which two figures stand, and a key above a ledge that is twice as high as they are."""
    picture = np.full((420, 620, 3), 30, np.uint8)
    for mask, (x, y) in zip(ROOMS, ((20, 20), (320, 20), (320, 220)), strict=True):
        picture[y : y + HIGH, x : x + WIDE] = np.where(mask[..., None], (120, 140, 190), (60, 40, 30))
    for x, colour in ((80, RED), (110, (235, 235, 235))):
        cv2.rectangle(picture, (20 + x + 2, 140), (20 + x + 6, 146), colour, -1)
        cv2.rectangle(picture, (20 + x, 147), (20 + x + 8, 163), colour, -1)
    cv2.circle(picture, (164, 112), 5, YELLOW, -1)
    cv2.rectangle(picture, (540, 338), (559, 363), GREEN, -1)
    return picture


def test_a_level_whose_ledges_are_high_is_not_refused() -> None:
    """A figure two cells high was thought to be one cell high and to jump 1.6 cells: no figure of the two could win."""
    seen = GAME.read(window(), Layout(game="continuity"))
    settled = settle(GAME, seen)
    assert len(settled.doubts) == 2
    assert settled.solution
    assert "more than one" in settled.reason
    assert GAME.faults(seen.puzzle) == []
    assert "physics" not in GAME.format(seen.puzzle)


def test_walls_that_end_in_the_middle_of_cells_are_drawn() -> None:
    """All but the ledge lies on cells of 14 by 6 pixels; two and a half cells of it were drawn as two."""
    things = (Thing("figure", 0, 80, 120, 9, 24), Thing("key", 0, 139, 87, 10, 10), Thing("door", 2, 220, 118, 20, 26))
    boxes = tuple(Box(300 * (n % 2), 200 * (n // 2), WIDE, HIGH) for n in range(4))
    solid = np.stack(ROOMS)
    assert find_cells(solid) == Cells(30, 20)
    tiles = Tiles(2, 2, (0, 1, -1, 2), boxes, (), solid, np.zeros_like(solid), things)
    text = reader.text(tiles)
    assert text is not None
    assert len(text.split()[0]) == 2 * 40 + 3
    assert ".#####." in text


def test_several_edges_on_cells_that_are_no_squares_are_walls() -> None:
    """Cells of 13 by 24 pixels were taken for squares of 24, beside which openings ended by a third of a cell."""
    solid = np.zeros((4, 168, 260), np.bool_)
    solid[:, :24] = solid[:, -24:] = solid[:, :, :26] = solid[:, :, -26:] = True
    solid[0, 72:96, 78:182] = solid[1, 72:96, 117:169] = True
    solid[0, -24:, 52:117] = solid[1, -24:, 169:182] = False
    assert find_cells(solid) == Cells(7, 20)


def test_cells_are_found_that_are_nearly_squares() -> None:
    """The side of a door of the walls' colour, three pixels from a wall, keeps exact cells from being found across the
    tile; the cells are a twentieth broader than high."""
    marks = np.zeros((1, 8, 12), np.bool_)
    marks[0, [0, -1]] = marks[0, 1:5, [0, -1]] = True
    marks[0, 3, 2:5] = marks[0, 5, 6:9] = marks[0, 4, 10] = True
    solid = Cells(8, 12).drawn(marks, 177, 112)
    solid[0, 28:42, 15:18] = True
    assert find_cells(solid) == Cells(8, 12)


def test_a_picture_of_squares_of_pixels_is_read_as_it_was_drawn() -> None:
    """Bricks of twice the size were as large as cells: walls began in the middle of them, and sides did not match."""
    board = continuity.draw(5301)
    once = read_tiles(board.image)
    twice = read_tiles(board.image.repeat(2, axis=0).repeat(2, axis=1)[1:])
    assert continuity.faults(board, once) == []
    assert (twice.solid == once.solid.repeat(2, axis=1).repeat(2, axis=2)).all()
    assert [(box.x, box.y) for box in twice.boxes] == [(2 * box.x, 2 * box.y - 1) for box in once.boxes]
    assert [(each.kind, each.x) for each in twice.things] == [(each.kind, 2 * each.x) for each in once.things]


def test_a_small_board_in_a_large_window_is_seen() -> None:
    """A map whose places took less than an eighth of the window was none, and was looked for in vain for seconds."""
    picture = np.full((1200, 2000, 3), 30, np.uint8)
    small = window()
    picture[400 : 400 + len(small), 700 : 700 + small.shape[1]] = small
    tiles = read_tiles(picture)
    assert tiles.cells == (0, 1, -1, 2)
    assert [(box.x, box.y) for box in tiles.boxes[:2]] == [(720, 420), (1020, 420)]
