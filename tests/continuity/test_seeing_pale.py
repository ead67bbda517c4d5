"""Pale rooms: walls, air and ground are nearly equally bright, and lines tell them apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.seeing.sight import Thing
from autoplayer.games.continuity.seeing.tiles import _on_stump, read_tiles

WALL, AIR, GROUND, INK = (222, 178, 196), (230, 240, 214), (211, 226, 255), (92, 60, 74)
KEY, DOOR, BODY = (130, 120, 240), (120, 205, 250), (180, 160, 140)
SIZE, ROOM, GAP = (680, 900), (180, 220), 8
"""Height and width of the window, width and height of a room on the map, and the gap between rooms in any size."""
LEDGES = {0: ((80, 150, 130, 156),), 1: ((60, 176, 120, 182),), 3: ((120, 186, 170, 210),)}
"""What stands in the rooms; the third place is empty."""
OPEN = {0: "right", 1: "left", 3: "left"}


def window(larger: float, corner: tuple[float, float], figure: float) -> Image:
    """What a window shows of the board, so many times larger than on the map; ``corner``: of the board, in window
    pixels; ``figure``: the left side of the figure in the first room."""
    picture = np.full((*SIZE, 3), GROUND, np.uint8)
    line = round(2 * larger)

    def fill(place: int, box: tuple[float, ...], colour: tuple[int, int, int], rim: int = 0) -> None:
        x, y = corner[0] + place % 2 * (ROOM[0] * larger + GAP), corner[1] + place // 2 * (ROOM[1] * larger + GAP)
        ends = [round(at + larger * side) for at, side in zip((x, y, x, y), box, strict=True)]
        cv2.rectangle(picture, (ends[0] + rim, ends[1] + rim), (ends[2] - 1 - rim, ends[3] - 1 - rim), colour, -1)

    for place, ledges in LEDGES.items():
        fill(place, (0, 0, *ROOM), INK)
        fill(place, (0, 0, *ROOM), WALL, line)
        fill(place, (10, 10, 170, 210), AIR)
        left = 170 if OPEN[place] == "right" else 0
        fill(place, (left, 156, left + 10, 210), AIR)
        for ledge in ledges:
            fill(place, ledge, INK)
            fill(place, ledge, WALL, max(line // 2, 1))
    for box, place, colour in (((95, 134, 120, 148), 0, KEY), ((133, 150, 157, 186), 3, DOOR)):
        fill(place, box, INK)
        fill(place, box, colour, line)
    fill(0, (figure, 184, figure + 14, 210), INK)
    fill(0, (figure + 2, 186, figure + 12, 200), BODY)
    fill(0, (figure + 6, 202, figure + 8, 210), AIR)
    return picture


@pytest.mark.parametrize("larger", [2.0, 2.3])
def test_a_part_of_a_pale_board_is_found_though_little_but_its_lines_is_dark(larger: float) -> None:
    """Lines and gaps were most of what differed, and the view in which the figure walks was not recognised."""
    whole = window(1.0, (266, 116), 90)
    tiles = read_tiles(whole)
    assert (tiles.rows, tiles.columns, tiles.cells) == (2, 2, (0, 1, -1, 2))
    eyes = Looking(tiles)
    eyes.meet(whole)
    for figure in (90.0, 90.0, 90.0, 94.0):
        seen = eyes.see(window(larger, (450 - figure * larger, 340 - 197 * larger), figure))
    assert (seen.view, seen.tile) == ("walking", 0)
    assert seen.x == pytest.approx(101, abs=1.5)
    assert seen.y == pytest.approx(210, abs=1.5)


def test_a_figure_is_followed_by_a_camera_through_a_pale_room() -> None:
    """The dark figure outweighed the pale room, which was lost as soon as the camera moved."""
    larger, whole = 2.3, window(1.0, (266, 116), 90)
    eyes = Looking(read_tiles(whole))
    eyes.meet(whole)
    for figure in (90.0, 90.0, 90.0, *np.arange(90.0, 150.0, 4.0)):
        seen = eyes.see(window(larger, (450 - figure * larger, 340 - 197 * larger), figure))
        if figure > 90:
            assert (seen.view, seen.tile) == ("walking", 0), figure
            assert seen.y == pytest.approx(210, abs=1.5)
            assert figure < 110 or seen.x == pytest.approx(figure + 7, abs=1.5)


@pytest.mark.parametrize(("left", "right", "doubted"), [(105, 117, True), (102, 119, True), (98, 123, False)])
def test_legs_in_the_colour_of_the_walls_lines_are_a_doubt(left: int, right: int, doubted: bool) -> None:
    """They were a low piece of wall narrower than the body, and the figure ended above them without a doubt."""
    solid = np.zeros((271, 222), np.bool_)
    solid[257:] = solid[252:, left:right] = True
    assert _on_stump(Thing("figure", 0, 102, 222, 17, 30), solid) == doubted
