"""Boards as web pages have them, drawn here: on panels with round corners, with a line round the chosen tile."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.walls.cells import Cells
from tests.continuity.test_seeing_windows import (
    BLACK,
    CELL,
    COLUMNS,
    GREY,
    ROWS,
    WHITE,
    Colour,
    fill,
    room_at,
    rooms,
    things_at,
)

PAGE, PANEL = (30, 24, 48), (96, 60, 130)
HIGH, WIDE = ROWS * CELL, COLUMNS * CELL
CORNERS = [(60, 60), (60 + WIDE + 10, 60), (60, 60 + HIGH + 10)]


def board(image: Image, wall: Colour = GREY) -> Image:
    """Three rooms ten pixels apart, and below at the right the empty place."""
    for (x, y), room in zip(CORNERS, rooms(), strict=True):
        room_at(image, x, y, room, WHITE, wall)
    things_at(image, CORNERS)
    return image


def check(image: Image, *, frame: int = 0) -> None:
    tiles = read_tiles(image)
    assert (tiles.rows, tiles.columns, tiles.cells, tiles.doubts) == (2, 2, (0, 1, 2, -1), ())
    for box, (x, y) in zip(tiles.boxes, CORNERS, strict=False):
        assert max(abs(box.x - x), abs(box.y - y), abs(box.width - WIDE), abs(box.height - HIGH)) <= 1 + frame
    for seen, room in zip(tiles.solid, rooms(), strict=True):
        truth = Cells(ROWS, COLUMNS).drawn(room[None], seen.shape[1], seen.shape[0])[0]
        assert (seen != truth).mean() < 0.01
    assert [thing.kind for thing in tiles.things] == ["figure", "key", "door"]


def panel(image: Image, box: Box, colour: Colour, corner: int) -> None:
    """A rectangle with round corners."""
    x, y, right, low = box.x, box.y, box.x + box.width - 1, box.y + box.height - 1
    cv2.rectangle(image, (x + corner, y), (right - corner, low), colour, -1)
    cv2.rectangle(image, (x, y + corner), (right, low - corner), colour, -1)
    for at in ((x + corner, y + corner), (right - corner, y + corner), (x + corner, low - corner)):
        cv2.circle(image, at, corner, colour, -1, cv2.LINE_AA)
    cv2.circle(image, (right - corner, low - corner), corner, colour, -1, cv2.LINE_AA)


def page(width: int = 760, height: int = 520) -> Image:
    return np.full((height, width, 3), PAGE, np.uint8)


BEHIND = Box(44, 44, 2 * WIDE + 10 + 32, 2 * HIGH + 10 + 32)


@pytest.mark.parametrize(("line", "more"), [(0, 500), (2, 120)])
def test_a_panel_may_have_round_corners_and_a_line_round_it(line: int, more: int) -> None:
    image = page(760 + more, 520 + more)
    outer = Box(BEHIND.x - line, BEHIND.y - line, BEHIND.width + 2 * line, BEHIND.height + 2 * line)
    panel(image, outer, WHITE, 26)
    panel(image, BEHIND, PANEL, 24)
    check(board(image))


def test_a_panel_is_seen_on_a_page_of_many_colours() -> None:
    """No ground goes round it: the panel itself is one."""
    image = page()
    r = np.random.default_rng(5)
    image[:] = cv2.resize(r.integers(30, 220, (9, 13, 3)).astype(np.uint8), (760, 520), interpolation=cv2.INTER_CUBIC)
    panel(image, BEHIND, PANEL, 12)
    check(board(image))


@pytest.mark.parametrize("chosen", range(3))
def test_a_line_round_the_tile_that_is_chosen_is_none_of_it(chosen: int) -> None:
    image = page()
    x, y = CORNERS[chosen]
    fill(image, Box(x - 3, y - 3, WIDE + 6, HIGH + 6), (240, 190, 70))
    check(board(image))


def test_a_key_that_lies_flat_on_a_block_is_a_key() -> None:
    image = board(page(), BLACK)
    x, y = CORNERS[2]
    ink = (40, 40, 210)
    top = y + 4 * CELL - 5  # on the platform
    cv2.circle(image, (x + 6 * CELL + 12, top + 2), 2, ink, 1)
    fill(image, Box(x + 6 * CELL + 15, top + 1, 8, 2), ink)
    fill(image, Box(x + 6 * CELL + 20, top + 3, 2, 2), ink)
    seen = read_tiles(image).things
    assert [(thing.kind, thing.tile) for thing in seen if thing.kind == "key"] == [("key", 1), ("key", 2)]


def test_a_surface_of_walls_may_have_a_part_that_is_like_the_air_as_well() -> None:
    """Of walls that grow brighter downwards the lowest, which hang together with no other, are no part of the air."""
    image = page()
    image[:] = (190, 182, 206)
    high = np.arange(HIGH)[:, None, None] // (CELL // 2) / (2 * ROWS)
    shade = np.uint8(np.array((110, 112, 110)) + np.array((44, 50, 46)) * high)
    for (x, y), room in zip(CORNERS, rooms(), strict=True):
        low = room.copy()
        low[4:7, [0, -1]] = low[4, 1:-1] = False
        part = Box(x, y, WIDE, HIGH).crop(image)
        walls = Cells(ROWS, COLUMNS).drawn(low[None], WIDE, HIGH)[0]
        part[walls] = np.broadcast_to(shade, part.shape)[walls]
    things_at(image, CORNERS)
    fill(image, Box(CORNERS[0][0] + WIDE + 10, CORNERS[0][1] + HIGH + 10, WIDE, HIGH), (160, 150, 176))
    seen = read_tiles(image).solid
    assert seen[:, -CELL // 2].mean() > 0.8


@pytest.mark.filterwarnings("error")
def test_cells_narrower_than_a_pixel_are_filled_by_nothing() -> None:
    """A lattice that is tried on a thumbnail can have more columns than it has pixels."""
    filled = Cells(4, 12).filled(np.ones((1, 20, 8), dtype=np.bool_))
    assert filled.shape == (1, 4, 12)
    assert set(np.unique(filled)) == {0.0, 1.0}
