"""Chains drawn as broad round lines behind the numbers, in colours not far from a dark page's; drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.player import progress
from autoplayer.games.cardinal_chains.puzzle import parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.layout import Layout

SIDE, EDGE = 76, 60
PUZZLE = parse("2 1 X 2\n2 1 1 2\n2 1 1 2\n2 2 2 2")
CHAIN = (
    *((0, 2), (1, 2), (2, 2), (2, 1), (1, 1), (0, 1), (0, 0), (1, 0)),
    *((2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (0, 3)),
)
PAGE, RING, WHITE = (48, 40, 32), (128, 112, 96), (255, 255, 255)
BLUE = (163, 113, 36)


def window(chain: Sequence[Cell] = ()) -> Image:
    image = np.full((4 * SIDE + 2 * EDGE, 4 * SIDE + 2 * EDGE, 3), PAGE, np.uint8)

    def at(cell: Cell) -> tuple[int, int]:
        return EDGE + SIDE * cell[1] + SIDE // 2, EDGE + SIDE * cell[0] + SIDE // 2

    for one, other in pairwise(chain):
        cv2.line(image, at(one), at(other), BLUE, SIDE // 2)
    for cell, value in PUZZLE.cells.items():
        x, y = at(cell)
        cv2.circle(image, (x, y), SIDE // 2 - 1, RING, 1, cv2.LINE_AA)
        if value:
            cv2.putText(image, str(value), (x - 11, y + 6), cv2.FONT_HERSHEY_SIMPLEX, 1.1, WHITE, 2, cv2.LINE_AA)
        else:
            cv2.circle(image, (x, y), 23, BLUE, -1, cv2.LINE_AA)
    return image


def test_the_last_cells_of_a_nearly_full_board_are_seen() -> None:
    """Incident: that most cells had changed was taken for a page that breathes, so that the round end of a line in the
    last cell was none; the level was won, and played on."""
    reading = read(window(), Layout(game="cardinal-chains"))
    assert reading.puzzle == PUZZLE
    for length in (13, 14, 15):
        now = progress(reading, PUZZLE, (CHAIN,), window(CHAIN[: length + 1]))
        assert (now.present, now.done, now.wrong) == (True, length, 0)
