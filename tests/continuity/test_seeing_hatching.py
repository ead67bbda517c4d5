"""Hatched walls: strokes on the colour of the air, perhaps also on that of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.sight import Bools, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.games.continuity.seeing.walls.hatching import without_hatching

CELL = 26
ROOMS = (
    (
        "###..#######", "#..........#", "#..........#", "#....##.....",
        "#...........", "####........", "#..........#", "###..#######",
    ),
    (
        "########..##", "#..........#", "#..........#", "........#...",
        "........#...", "#####......#", "#..........#", "###..#######",
    ),
    (
        "###..#######", "#..........#", "#...####...#", "#..........#",
        "#..........#", "#....##.....", "#...........", "############",
    ),
)  # fmt: skip
PLACES = ((0, 0), (0, 1), (1, 1))
GAP = 20
PAPER, INK, BLUE = (60, 44, 38), (235, 225, 240), (150, 90, 60)


def masks() -> Bools:
    rooms = np.array([[[mark == "#" for mark in row] for row in room] for room in ROOMS])
    return rooms.repeat(CELL, axis=1).repeat(CELL, axis=2)


def hatched(mask: Bools, step: int, steep: int) -> Image:
    """One room: strokes two pixels broad at a distance of ``step``, which rise so many pixels for each pixel to the
    side, and lines along the inner edges of its walls."""
    rows, columns = np.arange(mask.shape[0])[:, None], np.arange(mask.shape[1])[None]
    wide = np.pad(mask, 2, mode="edge").astype(np.uint8)
    inner = cv2.erode(wide, np.ones((5, 5), np.uint8))[2:-2, 2:-2] > 0
    picture = np.full((*mask.shape, 3), PAPER, np.uint8)
    picture[mask & ((rows + steep * columns) % (steep * step) < 2 * steep)] = INK
    picture[mask & ~inner] = INK
    return picture


def window(ground: tuple[int, int, int], step: int = 9, steep: int = 1, gap: int = 0) -> Image:
    """Three rooms, so many pixels apart, and an empty place, with a figure, a key, and a door of one line in the colour
    of the strokes."""
    high, wide = masks().shape[1:]
    image = np.full((2 * high + 90 + gap, 2 * wide + 70 + gap, 3), ground, np.uint8)
    for mask, (row, column) in zip(masks(), PLACES, strict=True):
        x, y = 30 + column * (wide + gap), 50 + row * (high + gap)
        image[y : y + high, x : x + wide] = hatched(mask, step, steep)
    x, y = 30 + 7 * CELL, 50 + 7 * CELL  # the figure's left foot
    cv2.circle(image, (x + 6, y - 17), 4, (90, 200, 250), -1)
    cv2.rectangle(image, (x + 3, y - 14), (x + 9, y - 6), (70, 150, 60), -1)
    for leg in (3, 8):
        cv2.rectangle(image, (x + leg, y - 6), (x + leg + 1, y - 1), (70, 150, 60), -1)
    x, y = 30 + wide + gap + 6 * CELL, 50 + 7 * CELL
    cv2.rectangle(image, (x, y - 22), (x + 17, y - 1), INK, 2)
    x, y = 30 + wide + gap + 8 * CELL, 50 + high + gap + 5 * CELL
    cv2.circle(image, (x, y), 5, (40, 40, 230), -1)
    return image


@cache
def steep() -> Tiles:
    """The rooms where the window has the colour of the air, and strokes are steep."""
    return read_tiles(window(PAPER, 8, 2))


@cache
def compressed() -> Tiles:
    """The rooms where strokes are far from each other, in a window of another colour, compressed."""
    image = cv2.imencode(".jpg", window(BLUE, 13), [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return read_tiles(np.asarray(cv2.imdecode(image, 1), np.uint8))


@pytest.mark.parametrize("read", [steep, compressed])
def test_hatched_rooms_that_touch_are_read(read: Callable[[], Tiles]) -> None:
    """Nothing but strokes and lines tells walls from air; the door is a line in the colour of the strokes."""
    tiles = read()
    assert (tiles.rows, tiles.columns, tiles.cells) == (2, 2, (0, 1, -1, 2))
    assert (tiles.solid != masks()).mean() < 0.005
    assert [(thing.kind, thing.tile) for thing in tiles.things] == [("figure", 0), ("door", 1), ("key", 2)]
    assert not tiles.doubts


def test_a_view_in_which_hatched_rooms_are_apart_is_found() -> None:
    """It was not: only the first picture of a level was read with its surfaces filled."""
    tracker = Tracker(steep())
    apart = window(PAPER, 8, 2, GAP)
    tracker.see(apart)
    seen = tracker.see(apart)
    assert (seen.view, seen.tile, seen.cells) == ("walking", 0, (0, 1, -1, 2))
    assert (seen.x, seen.y) == pytest.approx((7 * CELL + 6, 7 * CELL), abs=3)


def test_all_of_a_hatched_wall_is_filled_and_no_thing() -> None:
    """Also a single cell, in which there is no second stroke at the usual distance; a ring and a body in mixtures of
    both colours stay, though the body touches a wall, and so does a red thing on a wall."""
    image = window(PAPER, 13)
    x, y = 30 + 8 * CELL, 50 + 2 * CELL
    mixture = tuple((a + b) // 2 for a, b in zip(PAPER, INK, strict=True))
    cv2.circle(image, (x, y), 5, mixture, 2)
    image[y + 2 * CELL : y + 3 * CELL, x : x + CELL] = hatched(np.pad(np.ones((CELL - 4,) * 2, np.bool_), 2), 13, 1)
    foot = slice(50 + 7 * CELL - 12, 50 + 7 * CELL), slice(30 + 10 * CELL, 30 + 10 * CELL + 10)
    image[foot] = tuple(round(0.25 * a + 0.75 * b) for a, b in zip(PAPER, INK, strict=True))
    red = slice(55, 67), slice(30 + 6 * CELL, 30 + 6 * CELL + 8)
    image[red] = (30, 30, 220)
    flat = without_hatching(image)
    assert flat is not None
    assert (flat[red] == image[red]).all()
    assert (flat[foot] == image[foot]).mean() > 0.8
    assert (flat[y - 8 : y + 9, x - 8 : x + 9] == image[y - 8 : y + 9, x - 8 : x + 9]).all()
    cell = flat[y + 2 * CELL + 4 : y + 3 * CELL - 4, x + 4 : x + CELL - 4]
    assert (np.abs(cell.astype(int) - INK).max(axis=2) < 8).all()


def test_grainy_ground_in_the_colour_of_strokes_is_not_hatched() -> None:
    """What surrounded its grain was filled as between strokes, and rooms seemed larger without a doubt."""
    colour, mixture = (250, 240, 250), (113, 98, 99)
    image = window(colour, 13, gap=GAP)
    grain = np.random.default_rng(1).random(image.shape[:2]) < 0.1
    ground = (image == colour).all(axis=2)
    ground[45 : 55 + 2 * masks().shape[1] + GAP, 25 : 35 + 2 * masks().shape[2] + GAP] = False
    image[grain & ground] = mixture
    flat = without_hatching(image)
    assert flat is not None
    assert (flat[ground] == image[ground]).all(axis=1).mean() > 0.99
    assert (flat[50 : 50 + CELL, 30 : 30 + 3 * CELL] == INK).mean() > 0.94


def test_what_is_not_hatched_stays() -> None:
    """Bricks, a grid, noise, broad stripes as those of an empty place, thin ones far apart, a small hatched sign."""
    rows, columns = np.arange(300)[:, None], np.arange(400)[None]
    course = rows // 12
    bricks = ((columns + 12 * (course % 2)) % 24 < 2) | (rows % 12 < 2)
    grid = (rows % 16 < 1) | (columns % 16 < 1)
    specks = np.random.default_rng(1).random((300, 400)) < 0.1
    stripes = (rows + columns) // 8 % 2 > 0
    far = (rows + columns) % 60 < 2
    sign = ((rows + columns) % 9 < 2) & (rows < 30) & (columns < 30)
    for drawn in (bricks, grid, specks, stripes, far, sign):
        image = np.full((300, 400, 3), PAPER, np.uint8)
        image[np.broadcast_to(drawn, (300, 400))] = INK
        assert without_hatching(image) is None


def test_faint_strokes_are_seen() -> None:
    """Forty grey levels from the paper."""
    image = np.full((200, 300, 3), PAPER, np.uint8)
    hatch = hatched(np.ones((60, 150), np.bool_), 9, 1) > 200
    image[60:120, 60:210][hatch] += 40
    flat = without_hatching(image)
    assert flat is not None
    assert (flat[65:115, 65:205] == np.array(PAPER) + 40).all()
