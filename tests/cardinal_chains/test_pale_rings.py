"""Starts as rings of which one has nearly the colour of the cells; drawn here."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout

ROWS = ["X 2 2 3 1", "1 3 2 X 1", "1 2 2 3 3", "1 1 2 3 X", "1 1 2 2 2"]
PAGE, TILE, WHITE = (51, 34, 17), (50, 125, 46), (255, 255, 255)
INKS = (75, 25, 230), (225, 125, 42), (85, 157, 31)
"""BGR; the last one is 35 grey levels from the tiles."""


def window() -> Image:
    image, inks = np.full((640, 640, 3), PAGE, np.uint8), iter(INKS)
    for r, line in enumerate(ROWS):
        for c, token in enumerate(line.split()):
            x, y = 110 + 105 * c, 110 + 105 * r
            cv2.rectangle(image, (x - 50, y - 50), (x + 50, y + 50), TILE, -1)
            if token == "X":
                cv2.circle(image, (x, y), 29, next(inks), 13, cv2.LINE_AA)
            else:
                cv2.putText(image, token, (x - 16, y + 18), cv2.FONT_HERSHEY_SIMPLEX, 1.6, WHITE, 4, cv2.LINE_AA)
    return image


def test_a_ring_in_nearly_the_cells_colour_is_a_start_as_others_are() -> None:
    """Incident: it was taken for what crosses out a hole, and the level had no solution."""
    assert format_puzzle(GAME.read(window(), Layout(game="cardinal-chains")).puzzle).splitlines() == ROWS
