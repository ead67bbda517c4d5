"""Boards whose cells are discs or hexagons."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cross_set.seeing.lattice.rounded import squared
from autoplayer.layout import Layout

LEVEL = parse("21 3 14 42\n4 12 3 3\n3 4 2 12\n13 2 42 4")
LAYOUT = Layout(game="cross-set")
PITCH, SIDE = 100, 88
PAGE, FACE, LOCKED, RIM = (60, 44, 40), (240, 236, 230), (200, 206, 190), (120, 60, 30)
SHAPES = ("disc", "ringed disc", "hexagon", "pale disc")


def window(puzzle: Puzzle, shape: str) -> Image:
    """The active number large, the others small below it."""
    image = np.full((puzzle.size * PITCH + 80, puzzle.size * PITCH + 140, 3), PAGE, np.uint8)
    if shape == "pale disc":
        image[:] = FACE
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = 70 + c * PITCH + SIDE // 2, 40 + r * PITCH + SIDE // 2
            face = LOCKED if len(cell) == 1 and shape != "pale disc" else FACE
            if shape == "hexagon":
                corners = [(-44, 0), (-22, -42), (22, -42), (44, 0), (22, 42), (-22, 42)]
                cv2.fillPoly(image, [np.array([(x + u, y + v) for u, v in corners], np.int32)], face, cv2.LINE_AA)
            else:
                cv2.circle(image, (x, y), SIDE // 2, face, -1, cv2.LINE_AA)
            if shape in ("ringed disc", "pale disc"):
                cv2.circle(image, (x, y), SIDE // 2, RIM, 2, cv2.LINE_AA)
            written(image, str(cell[0]), (x - 13, y + 6), 1.3, 3)
            for k, number in enumerate(cell[1:]):
                written(image, str(number), (x - 8 + 18 * k, y + 33), 0.7, 2)
    return image


def written(image: Image, text: str, at: tuple[int, int], scale: float, thick: int) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), thick, cv2.LINE_AA)


@pytest.mark.parametrize("shape", SHAPES)
def test_boards_of_such_cells_are_read_and_followed(shape: str) -> None:
    image = window(LEVEL, shape)
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle) == format_puzzle(LEVEL)
    assert not reading.doubts
    assert reading.places[1, 2].contains((70 + 2 * PITCH + SIDE // 2, 40 + PITCH + SIDE // 2))
    turned = parse("12 3 14 42\n4 12 3 3\n3 4 2 12\n13 2 24 4")
    now = state(window(turned, shape), reading, reading.puzzle)
    assert (now.present, now.rows, now.doubtful) == (True, turned.rows, frozenset())


def test_rectangles_stay_as_they_are() -> None:
    image = np.full((480, 540, 3), PAGE, np.uint8)
    boxes = GAME.read(window(LEVEL, "disc"), LAYOUT).places
    for r, row in enumerate(LEVEL.rows):
        for c, cell in enumerate(row):
            x, y = 70 + c * PITCH, 40 + r * PITCH
            cv2.rectangle(image, (x, y), (x + SIDE, y + SIDE), FACE, -1)
            written(image, str(cell[0]), (x + 32, y + 50), 1.3, 3)
    assert squared(image, boxes, 0.0) is None
