"""Cells whose walls are dashed, and numbers of segments that stand beside their cells' middles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout

ROWS = ["2 2 2 2 2 3", "2 2 2 X 2 3", "2 . 3 . 3 2", "X 2 2 2 3 3"]
EDGE, DASH, GAP = 40, 12, 6
PAGE, WALL, INK, RED = (236, 230, 214), (60, 56, 50), (30, 30, 30), (30, 40, 220)
SEGMENTS = {
    "a": ((0.0, 0.0), (1.0, 0.0)),
    "b": ((1.0, 0.0), (1.0, 0.5)),
    "c": ((1.0, 0.5), (1.0, 1.0)),
    "d": ((0.0, 1.0), (1.0, 1.0)),
    "e": ((0.0, 0.5), (0.0, 1.0)),
    "g": ((0.0, 0.5), (1.0, 0.5)),
}
"""Where each segment begins and ends, ``(x, y)`` as shares of a digit's width and height."""

DIGITS = {"2": "abged", "3": "abgcd"}


def window(pitch: int, grain: float) -> Image:
    height, width = len(ROWS) * pitch + 2 * EDGE, len(ROWS[0].split()) * pitch + 2 * EDGE
    noise = np.random.default_rng(1).normal(0, 1, (height, width)).astype(np.float32)
    rough = 6 * grain * cv2.GaussianBlur(noise, (0, 0), 3)[..., None]
    image = np.clip(np.full((height, width, 3), PAGE, np.float32) + rough, 0, 255).astype(np.uint8)
    for r, row in enumerate(ROWS):
        for c, token in enumerate(row.split()):
            x, y = EDGE + c * pitch, EDGE + r * pitch
            if token == "X":
                cv2.line(image, (x + 12, y + 12), (x + pitch - 12, y + pitch - 12), RED, 4)
                cv2.line(image, (x + 12, y + pitch - 12), (x + pitch - 12, y + 12), RED, 4)
            for segment in DIGITS.get(token, ""):
                ends = np.array(SEGMENTS[segment])
                ends += 0.12 * (ends[::-1] - ends)  # segments do not touch
                spots = np.rint(ends * (0.36 * pitch, 0.56 * pitch) + (x + 0.27 * pitch, y + 0.2 * pitch)).astype(int)
                cv2.line(image, spots[0].tolist(), spots[1].tolist(), INK, 3)
    for y in range(EDGE, height - EDGE + 1, pitch):
        for x in range(EDGE, width - EDGE, DASH + GAP):
            cv2.line(image, (x, y), (min(x + DASH, width - EDGE), y), WALL, 1)
    for x in range(EDGE, width - EDGE + 1, pitch):
        for y in range(EDGE, height - EDGE, DASH + GAP):
            cv2.line(image, (x, y), (x, min(y + DASH, height - EDGE)), WALL, 1)
    return image


@pytest.mark.parametrize(("pitch", "grain"), [(56, 0.0), (64, 1.0)])
def test_dashes_are_neither_tiles_nor_digits(pitch: int, grain: float) -> None:
    """Incidents: in the corners of all cells but those of the last column were dashes, so that these looked like tiles,
    and the column, without them, like buttons beside the board; and on a rough page the dashes beside each number were
    the 1 of a 12 or a 13."""
    reading = GAME.read(window(pitch, grain), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == ROWS
    assert not reading.doubts
