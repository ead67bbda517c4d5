"""A window that shows the room of the figure alone from near, on a ground of its own, and leaps to the next one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker

ROOMS = (
    ("##########", "#........#", "#....##..#", "#........#", "..........", "....S.....", "##########"),
    ("##########", "#..##....#", "#........#", "##.......#", "...#......", "...#...D..", "##########"),
    ("##########", "#.....#..#", "#..#.....#", "#.......##", "#...K....#", "#..###...#", "##########"),
)
CELL, GAP, TIMES, MARGIN = 16, 12, 3, 200
BRIGHT = {"#": (60, 75, 65), ".": (180, 210, 200)}
DARK = {"#": (165, 135, 125), ".": (52, 46, 40)}
"""The air differs little from the ground of the window."""
GROUND = (15, 24, 20)


def room(number: int, figure: float | None, colours: dict[str, tuple[int, int, int]] = BRIGHT) -> Image:
    """A room with its things, in cells of ``CELL`` pixels; the figure's middle is at the cell ``figure``."""
    rows = ROOMS[number]
    picture = np.zeros((len(rows) * CELL, len(rows[0]) * CELL, 3), np.uint8)
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            cell = picture[y * CELL : (y + 1) * CELL, x * CELL : (x + 1) * CELL]
            cell[:] = colours["#" if mark == "#" else "."]
            if mark == "#" and colours is BRIGHT:
                cell[3:6, 3:9] = (85, 100, 90)
            elif mark == "D":
                cell[-14:, 2:14] = (120, 60, 90)
                cell[-11:, 5:11] = (40, 20, 45)
            elif mark == "K":
                cell[6:12, 2:8] = (30, 155, 200)
                cell[8:10, 8:15] = (30, 155, 200)
                cell[8:13, 12:14] = (30, 155, 200)
    if figure is not None:
        left, foot = round(figure * CELL) - 4, 6 * CELL
        picture[foot - 15 : foot - 9, max(left + 1, 0) : left + 7] = (150, 180, 230)
        picture[foot - 9 : foot - 4, max(left, 0) : left + 8] = (40, 45, 125)
        picture[foot - 4 : foot, max(left + 1, 0) : left + 3] = picture[foot - 4 : foot, left + 5 : left + 7] = 30
    return picture


def board(colours: dict[str, tuple[int, int, int]] = BRIGHT) -> Image:
    height, width = 7 * CELL, 10 * CELL
    picture = np.full((3 * GAP + 2 * height + 2 * MARGIN, 3 * GAP + 2 * width + 2 * MARGIN, 3), GROUND, np.uint8)
    for number in range(3):
        y, x = MARGIN + GAP + number // 2 * (height + GAP), MARGIN + GAP + number % 2 * (width + GAP)
        picture[y : y + height, x : x + width] = room(number, 4.5 if number == 0 else None, colours)
    return picture


def alone(number: int, figure: float, colours: dict[str, tuple[int, int, int]] = BRIGHT) -> Image:
    """The window with one room, ``TIMES`` as large, in its middle."""
    picture = np.full_like(board(), GROUND)
    large = room(number, figure, colours).repeat(TIMES, axis=0).repeat(TIMES, axis=1)
    y, x = (picture.shape[0] - large.shape[0]) // 2, (picture.shape[1] - large.shape[1]) // 2
    picture[y : y + large.shape[0], x : x + large.shape[1]] = large
    return picture


@pytest.mark.parametrize("colours", [BRIGHT, DARK], ids=["bright", "dark"])
def test_a_figure_at_the_side_of_a_room_that_is_shown_alone_is_seen(colours: dict[str, tuple[int, int, int]]) -> None:
    """What stood where the rooms beside it should be was one with it there."""
    tiles = read_tiles(board(colours))
    assert [thing.kind for thing in tiles.things].count("figure") == 1
    tracker = Tracker(tiles)
    for _ in range(2):
        tracker.see(board(colours))
    for _ in range(6):
        tracker.see(alone(0, 4.5, colours))
    for at in (*np.arange(4.5, 9.6, 0.5), 9.65):
        seen = tracker.see(alone(0, float(at), colours))
        assert (seen.view, seen.tile) == ("walking", 0)
        assert abs(seen.x / CELL - at) < 0.3
    for at in np.arange(0.35, 2.6, 0.5):
        tracker.see(alone(1, float(at), colours))
        seen = tracker.see(alone(1, float(at), colours))
        assert (seen.view, seen.tile) == ("walking", 1)
        assert abs(seen.x / CELL - at) < 0.3


def test_a_room_that_is_shown_from_near_is_found_while_clouds_drift_by() -> None:
    """No picture was like the one before, so that none was examined."""
    tracker = Tracker(read_tiles(board()))
    for _ in range(2):
        tracker.see(board())
    seen = []
    for moment in range(4):
        picture = alone(0, 4.5)
        for number in range(8):
            cv2.circle(picture, (30 + 70 * number + moment, 30 + 40 * (number % 3)), 18, (235, 230, 225), -1)
        seen.append(tracker.see(picture))
    assert (seen[-1].view, seen[-1].tile) == ("walking", 0)
