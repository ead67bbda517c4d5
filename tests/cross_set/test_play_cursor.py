"""The frame of a cursor in windows of Cross Set that are played by keys."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import Puzzle
from autoplayer.layout import Layout

TILE, GOLD = (64, 50, 46), (90, 200, 240)


def picture(puzzle: Puzzle, pitch: int, cursor: Cell, shift: tuple[int, int], thick: int) -> Image:
    """Dark tiles with the active number large and the others sorted below it; a line of ``thick`` pixels around one of
    them, ``shift`` pixels to the right of its border and below it."""
    n = puzzle.size
    found = np.full((n * pitch + 80, n * pitch + 80, 3), (38, 30, 28), np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = 40 + c * pitch, 40 + r * pitch
            cv2.rectangle(found, (x + 3, y + 3), (x + pitch - 4, y + pitch - 4), TILE, -1)
            texts = [(str(cell[0]), pitch * 0.42, 0.4, (245, 238, 235))]
            texts += [("  ".join(map(str, sorted(cell[1:]))), pitch * 0.17, 0.84, (150, 128, 120))]
            for text, high, down, colour in texts:
                scale = high / 30
                (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
                at = x + (pitch - w) // 2, y + round(pitch * down) + h // 2
                cv2.putText(found, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1 + (down < 0.5), cv2.LINE_AA)
    x, y = 40 + cursor[1] * pitch + shift[0], 40 + cursor[0] * pitch + shift[1]
    for k in range(thick):
        cv2.rectangle(found, (x + 3 + k, y + 3 + k), (x + pitch - 4 - k, y + pitch - 4 - k), GOLD, 1)
    return found


@pytest.mark.parametrize("shift", [(-1, -1), (0, 0), (1, 0), (1, 1)])
@pytest.mark.parametrize("pitch", [96, 106, 117])
def test_a_thin_frame_is_seen_wherever_its_sides_fall(pitch: int, shift: tuple[int, int]) -> None:
    """It may stand just inside of the cell on the left, and just outside of it on the right."""
    puzzle = GAME.generate(5, 5, 94)
    for thick in (2, 3):
        image = picture(puzzle, pitch, (2, 3), shift, thick)
        seen = GAME.read(image, Layout(game="cross-set", name="cursor"))
        assert state(image, seen, seen.puzzle).cursor == (2, 3), f"{thick} pixels"
