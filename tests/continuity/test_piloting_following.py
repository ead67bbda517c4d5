"""A camera that goes with the figure: pictures show a part of the board, larger, and none of its tiles whole."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.board_part import find_part, find_part_sized
from autoplayer.games.continuity.seeing.tracking.near import edges, settle
from autoplayer.games.continuity.seeing.tracking.views import LEAST_LIKE

WALL, AIR, GROUND = (60, 110, 70), (200, 235, 215), (45, 50, 30)
ROOMS = (
    (
        ("##########", "####..####"),
        ("#.........", ".........."),
        ("#..##.....", "......##.#"),
        ("#.........", ".........#"),
        ("##########", "####..####"),
    ),
    (
        ("__________", "####..####"),
        ("__________", "#...#....#"),
        ("__________", "#......#.#"),
        ("__________", "#..#.....#"),
        ("__________", "##########"),
    ),
)
CELL, SPACE, SIZE = 20, 8, (360, 480)


def board(larger: float, corner: tuple[float, float], figure: float, behind: Image | None = None) -> Image:
    """What a window of ``SIZE`` shows of the board, so many times larger; ``corner``: the pixels of the board at the
    left upper corner; ``figure``: how many cells the figure is from the first tile's left side; ``behind``: what is
    seen round the tiles."""
    picture = np.full((*SIZE, 3), GROUND, np.uint8) if behind is None else behind.copy()

    def fill(x: float, y: float, width: float, height: float, colour: tuple[int, int, int]) -> None:
        x0, y0 = round((x - corner[0]) * larger), round((y - corner[1]) * larger)
        x1, y1 = round((x + width - corner[0]) * larger), round((y + height - corner[1]) * larger)
        cv2.rectangle(picture, (x0, y0), (x1 - 1, y1 - 1), colour, -1)

    for r, rows in enumerate(ROOMS):
        for c in range(2):
            left, top = c * (10 * CELL + SPACE), r * (5 * CELL + SPACE)
            for y, row in enumerate(rows):
                for x, character in enumerate(row[c]):
                    if character != "_":
                        colour = WALL if character == "#" else AIR
                        fill(left + x * CELL, top + y * CELL, CELL, CELL, colour)
    ground = 4 * CELL
    fill(figure * CELL, ground - 18, 10, 18, (190, 40, 60))
    fill(figure * CELL + 2, ground - 17, 6, 6, (160, 200, 240))
    fill(6 * CELL, ground - 13, 9, 9, (30, 160, 230))
    fill(10 * CELL + SPACE + 6 * CELL, ground - 26, 15, 26, (40, 60, 120))
    return picture


WHOLE = 1.0, (-30.0, -60.0), 2.0
"""The view in which tiles are moved."""


@pytest.mark.parametrize("larger", [1.7, 2.1, 2.6])
def test_a_part_of_the_board_is_found_in_a_size_that_nobody_told(larger: float) -> None:
    tiles = read_tiles(board(*WHOLE))
    assert (tiles.rows, tiles.columns) == (2, 2)
    pictures = [None if tile < 0 else tiles.pictures[tile] for tile in tiles.cells]
    corner = 40.0, -20.0
    part = find_part_sized(board(larger, corner, 4.0), pictures, tiles.boxes, 45)
    assert part is not None
    assert part.larger == pytest.approx(larger, rel=0.02)
    assert part.x == pytest.approx(corner[0] + 30 + 0.1 * SIZE[1] / larger, abs=4)
    assert part.y == pytest.approx(corner[1] + 60 + 0.15 * SIZE[0] / larger, abs=4)


def test_another_board_is_no_part() -> None:
    tiles = read_tiles(board(*WHOLE))
    pictures = [None if tile < 0 else tiles.pictures[tile] for tile in tiles.cells]
    stripes = np.zeros((*SIZE, 3), np.uint8)
    stripes[:, ::7] = 255
    assert find_part_sized(stripes, pictures, tiles.boxes, 45) is None
    assert find_part_sized(np.full((*SIZE, 3), 90, np.uint8), pictures, tiles.boxes, 45) is None


@pytest.mark.parametrize(("larger", "before", "above"), [(2.6, 80, 0), (3.0, 60, -10), (3.4, 40, -20)])
def test_a_figure_is_followed_by_a_camera_that_goes_with_it(larger: float, before: int, above: int) -> None:
    whole = board(*WHOLE)
    tiles = read_tiles(whole)
    eyes = Looking(tiles)
    eyes.see(whole)
    for _ in range(3):
        eyes.see(board(larger, (2.0 * CELL - before, -above), 2.0))
    for step in range(24):
        figure = 2.0 + step * 0.1
        camera = (figure - 0.2 * min(step, 8)) * CELL - before  # it comes after the figure
        seen = eyes.see(board(larger, (camera, -above), figure))
        assert (seen.view, seen.tile) == ("walking", 0)
        assert seen.x == pytest.approx(figure * CELL + 5, abs=1.0), "edges across, and none along, were compared"
        assert seen.y == pytest.approx(4 * CELL, abs=1.5)


def sunset() -> Image:
    """A sky that grows brighter towards the ground, and hills before it."""
    picture = np.full((*SIZE, 3), GROUND, np.uint8)
    picture += np.linspace(0, 190, SIZE[0]).astype(np.uint8)[:, None, None]
    for x in range(0, SIZE[1], 120):
        cv2.circle(picture, (x, SIZE[0]), 100, (20, 10, 90), -1)
    return picture


@pytest.mark.parametrize("behind", [None, sunset()], ids=["plain", "sunset"])
@pytest.mark.parametrize(("figure", "tile"), [(19.0, 1), (0.4, 0)])
def test_a_board_is_found_that_takes_half_of_the_picture(figure: float, tile: int, behind: Image | None) -> None:
    """A camera that keeps a figure in the middle shows as much of what is beside the board where it stands at its side,
    and what is there is not the same everywhere."""
    whole, larger = board(*WHOLE, behind), 2.6
    eyes = Looking(read_tiles(whole))
    middle = SIZE[1] / 2 / larger, SIZE[0] / 2 / larger
    for _ in range(4):
        eyes.see(whole)
    for _ in range(8):
        eyes.see(board(larger, (6.0 * CELL - middle[0], 4 * CELL - middle[1]), 6.0, behind))
    for _ in range(3):
        seen = eyes.see(board(larger, (figure * CELL - middle[0], 4 * CELL - middle[1]), figure, behind))
    assert (seen.view, seen.tile) == ("walking", tile)
    assert seen.x == pytest.approx(figure * CELL + 5 - tile * (10 * CELL + SPACE), abs=2.5)


def test_a_bright_figure_weighs_no_more_than_dark_walls() -> None:
    """In rooms of two dark shades a figure, and a key that is not there any more, had made all places look wrong."""
    random = np.random.default_rng(3)
    rooms = [
        cv2.resize(random.choice([18, 44], (6, 8)).astype(np.uint8), (400, 300), interpolation=cv2.INTER_NEAREST)
        for _ in range(3)
    ]
    pictures = [cv2.cvtColor(room, cv2.COLOR_GRAY2BGR) for room in rooms]
    places = [Box(410 * (n % 2), 310 * (n // 2), 400, 300) for n in range(4)]
    image = np.repeat(np.linspace(0, 160, 400).astype(np.uint8)[:, None, None], 600, axis=1).repeat(3, axis=2)
    image[50:350, 180:580] = pictures[0]
    image[180:230, 290:320] = 255
    pictures[0][200:230, 240:270] = 230
    part = find_part(image, [*pictures, None], places, 30, tiles_only=True)
    assert part is not None
    assert part[:2] == pytest.approx((180, 50), abs=8)
    assert part[2] > LEAST_LIKE


@pytest.mark.parametrize("beside", [(5, 4), (4, -5), (-7, 3)])
def test_a_tile_is_found_to_the_pixel_where_only_one_place_looks_right(beside: tuple[int, int]) -> None:
    """Of every second place that was tried none looked better than the others, and the nearest of them was kept."""
    random = np.random.default_rng(8)
    room = cv2.resize(random.choice([18, 70], (6, 8)).astype(np.uint8), (400, 300), interpolation=cv2.INTER_NEAREST)
    picture = cv2.cvtColor(room, cv2.COLOR_GRAY2BGR)
    image = np.full((500, 600, 3), 30, np.uint8)
    image[90:390, 100:500] = picture
    found, away = settle(image, picture, Box(100 + beside[0], 90 + beside[1], 400, 300), edges(picture), 4, 8)
    assert (found.x, found.y, away) == (100, 90, 0)


def test_a_figure_on_a_line_that_has_moved_by_a_pixel_is_seen() -> None:
    first = board(*WHOLE)
    eyes = Looking(read_tiles(first))
    for step in range(4):
        eyes.see(board(WHOLE[0], WHOLE[1], 2.0 + 0.2 * step))
    picture = board(WHOLE[0], WHOLE[1], 3.0)
    Box(30 + CELL, 60 + 4 * CELL - 1, 8 * CELL, 1).crop(picture)[:] = WALL
    seen = eyes.see(picture)
    assert seen.tile == 0
    assert seen.x == pytest.approx(3.0 * CELL + 5, abs=1.5)
