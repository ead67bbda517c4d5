"""Hashi: stripes behind a board, which run past its islands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, parse
from autoplayer.layout import Layout

BOARD = parse(".3...3..2\n1.3.6..3.\n.........\n2.2.4.1..\n.4...3.4.\n.........\n........3\n.4...5.4.\n2..2....3")
PITCH = 48


def middle(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def striped(puzzle: Puzzle, every: int) -> Image:
    picture = np.full((PITCH * (puzzle.height + 1), PITCH * (puzzle.width + 1), 3), (42, 30, 36), np.uint8)
    for x in range(7, picture.shape[1], every):
        cv2.line(picture, (x, 0), (x, picture.shape[0] - 8), (67, 55, 61), 3)
    for cell, n in puzzle.islands.items():
        cv2.circle(picture, middle(cell), 20, (86, 60, 48), -1, cv2.LINE_AA)
        cv2.circle(picture, middle(cell), 20, (140, 155, 110), 2, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(str(n), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 2)
        place = middle(cell)[0] - width // 2, middle(cell)[1] + height // 2
        cv2.putText(picture, str(n), place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (238, 238, 235), 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("every", [11, 18])
def test_stripes_that_run_on_from_islands_are_no_bridges(every: int) -> None:
    reading = GAME.read(striped(BOARD, every), Layout(game="hashi"))
    assert reading.puzzle == BOARD
    assert not any(reading.extra["bridges"].values())
