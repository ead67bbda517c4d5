"""What is drawn inside things tells what they are where they are boxes of much the same size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.things.details import Details, detailed
from autoplayer.games.continuity.seeing.things.things import read_things

AIR, WALL, RED, BLUE, GOLD = (235, 206, 135), (40, 40, 40), (30, 30, 200), (220, 90, 60), (0, 215, 255)
GREEN, DARK = (40, 130, 40), (20, 20, 90)


def box(picture: Image, x: int, wide: int, high: int, colour: tuple[int, int, int], *details: tuple[int, ...]) -> None:
    """A box on the ground of a room; ``details``: left, top, width and height in it, and grey level."""
    top = 100 - high
    picture[top:100, x : x + wide] = colour
    for left, down, across, tall, grey in details:
        picture[top + down :, x + left :][:tall, :across] = grey


def rooms() -> tuple[list[Image], Bools]:
    """Three empty rooms, and their walls."""
    solid = np.zeros((3, 160, 240), np.bool_)
    solid[:, :20] = solid[:, 100:] = True
    pictures = [np.full((160, 240, 3), AIR, np.uint8) for _ in solid]
    for picture, walls in zip(pictures, solid, strict=True):
        picture[walls] = WALL
    return pictures, solid


@pytest.mark.parametrize(
    ("figure", "door"),
    [
        (((6, 6, 4, 4, 255), (15, 6, 4, 4, 255)), ((14, 14, 3, 3, 255),)),
        (((6, 6, 4, 4, 255), (15, 6, 4, 4, 255)), ()),
        ((), ((3, 3, 14, 20, 90),)),
    ],
    ids=["eyes and a knob", "eyes", "a panel in a frame"],
)
def test_eyes_make_a_figure_and_a_knob_or_a_panel_a_door(
    figure: tuple[tuple[int, ...], ...], door: tuple[tuple[int, ...], ...]
) -> None:
    """The larger box had been the door, whatever was drawn in it."""
    pictures, solid = rooms()
    box(pictures[0], 30, 25, 28, BLUE, *figure)
    box(pictures[1], 80, 20, 26, RED, *door)
    box(pictures[2], 130, 10, 8, GREEN)
    things, _, _ = read_things(pictures, solid)
    assert [thing.kind for thing in things] == ["figure", "door", "key"]


def test_what_is_golden_is_rather_a_key() -> None:
    sure = []
    for colour in (GREEN, GOLD):
        pictures, solid = rooms()
        box(pictures[0], 30, 14, 17, BLUE)
        box(pictures[1], 80, 16, 22, RED)
        box(pictures[2], 130, 13, 16, colour)
        things, _, _ = read_things(pictures, solid)
        sure.append(things[2].sure if things[2].kind == "key" else 0.0)
    assert sure[1] > sure[0] + 0.1


@pytest.mark.parametrize(
    ("spots", "seen"),
    [
        ([(6, 6, 4, 4), (15, 6, 4, 4)], Details(eyes=True)),
        ([(6, 6, 4, 4), (15, 14, 4, 4)], Details()),
        ([(6, 20, 4, 4), (15, 20, 4, 4)], Details()),
        ([(6, 6, 4, 4), (15, 6, 4, 4), (4, 25, 5, 3), (16, 25, 5, 3)], Details(eyes=True)),
        ([(17, 14, 3, 3)], Details(knob=True)),
        ([(11, 14, 3, 3)], Details()),
        ([(12, 6, 11, 6)], Details()),
        ([(4, 4, 17, 20)], Details(panel=True)),
    ],
    ids=[
        "eyes",
        "one is higher",
        "buttons of a coat",
        "eyes and feet",
        "a knob",
        "a button",
        "a visor at one side",
        "a panel",
    ],
)
def test_details_are_told_by_where_they_are(spots: list[tuple[int, int, int, int]], seen: Details) -> None:
    picture = np.full((28, 25, 3), BLUE, np.uint8)
    for x, y, wide, high in spots:
        cv2.rectangle(picture, (x, y), (x + wide - 1, y + high - 1), DARK, -1)
    assert detailed(picture, np.ones((28, 25), np.bool_)) == seen


def test_the_outermost_pixels_of_a_thing_say_nothing_unless_it_is_small() -> None:
    """They are a soft edge in an enlarged window, or an outline: all inside had been one spot. The frame of a small
    door may be as thin."""
    picture = np.full((28, 25, 3), [(a + b) // 2 for a, b in zip(AIR, BLUE, strict=True)], np.uint8)
    picture[1:-1, 1:-1] = BLUE
    picture[8:11, 7:10] = picture[8:11, 15:18] = DARK
    assert detailed(picture, np.ones((28, 25), np.bool_)) == Details(eyes=True)
    small = np.full((14, 12, 3), RED, np.uint8)
    small[1:-1, 1:-1] = 40
    assert detailed(small, np.ones((14, 12), np.bool_)) == Details(panel=True)


def test_the_corners_of_a_line_round_walls_are_no_things() -> None:
    """A line round walls of two pixels and a soft one, of which the walls include all but its left side: its corners
    are farther from them, and of a colour that is seen there alone. Each was a key."""
    pictures, solid = rooms()
    box(pictures[0], 30, 25, 28, BLUE, (6, 6, 4, 4, 255), (15, 6, 4, 4, 255))
    box(pictures[1], 80, 20, 26, RED, (14, 14, 3, 3, 255))
    box(pictures[2], 130, 10, 8, GREEN)
    for at, (picture, walls) in enumerate(zip(pictures, solid, strict=True)):
        for left, top in ((100 + 30 * at, 45), (40, 35 + 5 * at)):
            part = picture[top - 3 : top + 18, left - 3 : left + 43]
            corners = part[:: len(part) - 1, :: len(part[0]) - 1]
            part[:] = np.array(AIR) // 2
            corners[:] = np.array(AIR) * 3 // 4
            part[1:-1, 1:-1] = 0
            part[3:-3, 3:-3] = WALL
            walls[top - 2 : top + 17, left : left + 42] = True
    things, _, _ = read_things(pictures, solid)
    assert [thing.kind for thing in things] == ["figure", "door", "key"]


LYING = (
    ".....###.........",
    "....#####........",
    "....#####........",
    "..##########.##..",
    "..##############.",
    ".#####.#########.",
    "..#############..",
    "..#########.###..",
    "#################",
)


def test_a_key_that_lies_with_its_bit_on_the_ground_is_no_spikes() -> None:
    """Its bow and its bit were two teeth, and it was left out without a doubt."""
    pictures, solid = rooms()
    box(pictures[0], 30, 16, 26, BLUE, (3, 4, 4, 4, 255), (9, 4, 4, 4, 255))
    box(pictures[1], 70, 22, 30, RED, (16, 14, 3, 3, 255))
    key = np.array([list(row) for row in LYING]) == "#"
    pictures[2][100 - len(key) : 100, 120 : 120 + key.shape[1]][key] = GOLD
    things, spikes, _ = read_things(pictures, solid)
    assert [thing.kind for thing in things] == ["figure", "door", "key"]
    assert not spikes.any()


@pytest.mark.parametrize("high", [8, 12, 17])
def test_two_teeth_are_spikes(high: int) -> None:
    pictures, solid = rooms()
    for tooth in (0, 1):
        for row in range(high):
            half = row * high // 3 // (high - 1)
            middle = 120 + tooth * (2 * (high // 3) + 1)
            pictures[2][100 - high + row, middle - half : middle + half + 1] = RED
    things, spikes, _ = read_things(pictures, solid)
    assert not things
    assert spikes[2].any()
