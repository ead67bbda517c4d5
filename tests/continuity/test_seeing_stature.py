"""Figures whose legs are not seen everywhere: before a sky of their colour, above the ground."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker

CELL, GAP, BORDER = 24, 12, 40
ROOMS = (
    ("############", "#...........", "#...........", "#....K......", "#..#####....", "#...........", "############"),
    ("############", "...........#", "...........#", "...........#", "......##...#", ".........D.#", "############"),
    ("############", "#..........#", "#..####....#", "#..........#", "#.......##.#", "#..........#", "############"),
)
HEIGHT, WIDTH = 7 * CELL, 12 * CELL
LEGS, BODY, HEAD = (46, 32, 28), (40, 120, 200), (170, 200, 240)


def drawn(x: int, foot: int, *, tucked: bool = False, body: tuple[int, int, int] = BODY) -> Image:
    """A window, shape ``(height, width, 3)``, in whose first room a figure of 28 pixels stands with the middle of its
    feet at (``x``, ``foot``), tile pixels. Its legs are as dark as the upper sky. ``tucked``: it crouches: all of it is
    nine pixels lower, and the legs are not drawn."""
    image = np.full((2 * (HEIGHT + BORDER) + GAP, 2 * (WIDTH + BORDER) + GAP, 3), (22, 14, 12), np.uint8)
    for number, room in enumerate(ROOMS):
        top = BORDER + number // 2 * (HEIGHT + GAP)
        left = BORDER + number % 2 * (WIDTH + GAP)
        tile = image[top : top + HEIGHT, left : left + WIDTH]
        tile[:] = (np.linspace(0, 1, HEIGHT)[:, None] * (80, 44, 30) + (44, 30, 28)).astype(np.uint8)[:, None]
        for row, line in enumerate(room):
            for column, character in enumerate(line):
                cell = tile[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
                if character == "#":
                    cell[:] = (150, 160, 150)
                elif character == "K":
                    cv2.circle(cell, (12, 7), 4, (60, 210, 250), 2)
                    cell[11:24, 11:14] = (60, 210, 250)
                    cell[19:22, 14:18] = (60, 210, 250)
                elif character == "D":
                    tile[row * CELL - 12 : (row + 1) * CELL, column * CELL + 2 : column * CELL + 22] = (40, 50, 120)
                    cv2.circle(tile, (column * CELL + 18, row * CELL + 8), 2, (60, 210, 250), -1)
    x, foot = BORDER + x, BORDER + foot
    if tucked:
        foot += 9
    else:
        image[foot - 9 : foot, x - 6 : x - 2] = image[foot - 9 : foot, x + 2 : x + 6] = LEGS
    image[foot - 19 : foot - 9, x - 7 : x + 7] = body
    image[foot - 28 : foot - 19, x - 5 : x + 5] = HEAD
    return image


@pytest.fixture
def tracker() -> Tracker:
    """One that has seen the figure stand on the ground."""
    found = Tracker(read_tiles(drawn(60, 6 * CELL)))
    found.figure = next(n for n, thing in enumerate(found.tiles.things) if thing.kind == "figure")
    for x in (60, 60, 64, 64, 64):
        found.see(drawn(x, 6 * CELL))
    return found


@pytest.mark.parametrize("up", [12, 40, 64])
def test_the_feet_are_where_the_legs_end_also_before_a_sky_of_their_colour(tracker: Tracker, up: int) -> None:
    seen = tracker.see(drawn(64, 6 * CELL - up))
    assert seen.tile == 0
    assert abs(seen.y - (6 * CELL - up)) <= 2


def test_a_figure_that_crouches_stands_where_it_ends(tracker: Tracker) -> None:
    """Its head looks as ever, and is lower; below it is the ground."""
    assert abs(tracker.see(drawn(64, 6 * CELL, tucked=True)).y - 6 * CELL) <= 2


def test_what_looks_otherwise_than_the_figure_at_rest_is_as_high_as_it_is_seen(tracker: Tracker) -> None:
    seen = tracker.see(drawn(64, 6 * CELL - 64, tucked=True, body=(40, 200, 60)))
    assert abs(seen.y - (6 * CELL - 64)) <= 2


def test_legs_in_a_colour_that_the_sky_has_above_belong_to_the_figure() -> None:
    """Without them it hovered, and the key was taken for the figure."""
    tiles = read_tiles(drawn(60, 6 * CELL))
    kinds = {thing.kind: thing for thing in tiles.things}
    figure, key = kinds["figure"], kinds["key"]
    assert (key.y, figure.y + figure.height) == (74, 6 * CELL)
    assert min(key.sure, figure.sure) > 0.9
