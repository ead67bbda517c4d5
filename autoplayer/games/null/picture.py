"""A row of lamps as a picture."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Image
from autoplayer.games.null.puzzle import Puzzle, Solution


def draw(puzzle: Puzzle, solution: Solution | None = None) -> Image:
    """A picture of the row, lit lamps yellow; those that the solution presses carry a dot."""
    pitch = 64
    image: Image = np.full((2 * pitch, (len(puzzle.lamps) + 1) * pitch, 3), (32, 26, 24), np.uint8)
    for i, lit in enumerate(puzzle.lamps):
        centre = ((i + 1) * pitch, pitch)
        cv2.circle(image, centre, pitch * 2 // 5, (70, 215, 255) if lit else (96, 84, 80), cv2.FILLED, cv2.LINE_AA)
        if solution and i in solution:
            cv2.circle(image, centre, pitch // 10, (40, 40, 200), cv2.FILLED, cv2.LINE_AA)
    return image
