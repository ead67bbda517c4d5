"""Boards whose numbers stand in dark discs, more than a few of them, while broad lines are drawn from disc to disc."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout

ROWS = ("...4...5", "11X44.55", "11113355", ".111.225", "X2.22225", "22.23X34", "22224.44", "..2255..")
CHAIN = ((1, 2), (1, 1), (1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3))
SIDE = 62


def window(drawn: int) -> np.ndarray:
    """A board of 50 cells between thin lines, of which a chain has gone over the first ``drawn`` ones."""
    image = np.full((600, 600, 3), 255, np.uint8)
    middles = {(r, c): (70 + SIDE * c, 60 + SIDE * r) for r in range(len(ROWS)) for c in range(len(ROWS[r]))}
    cells = {cell: middle for cell, middle in middles.items() if ROWS[cell[0]][cell[1]] != "."}
    for x, y in cells.values():
        cv2.rectangle(image, (x - 31, y - 31), (x + 31, y + 31), (201, 201, 201), 1)
    for one, other in pairwise(CHAIN[:drawn]):
        cv2.line(image, cells[one], cells[other], (22, 115, 249), 30, cv2.LINE_AA)
    colours = iter(((22, 115, 249), (233, 165, 14), (94, 197, 34)))
    for (r, c), (x, y) in cells.items():
        text = ROWS[r][c]
        cv2.circle(image, (x, y), 19, next(colours) if text == "X" else (17, 17, 17), -1, cv2.LINE_AA)
        size = 0.5 if text == "X" else 0.6
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
        spot = (x - w // 2, y + h // 2)
        cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("drawn", [0, 4, 9])
def test_numbers_in_discs_are_read_on_a_large_board_and_upon_lines(drawn):
    reading = GAME.read(window(drawn), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).replace(" ", "").split() == list(ROWS)
    assert not reading.doubts


@pytest.mark.parametrize("drawn", range(2, len(CHAIN) + 1))
def test_a_broad_line_that_turns_under_a_disc_is_followed(drawn):
    reading = GAME.read(window(0), Layout(game="cardinal-chains"))
    solution = (CHAIN, *((start,) for start in reading.puzzle.starts[1:]))
    now = GAME.progress(reading, reading.puzzle, solution, window(drawn))
    assert (now.done, now.wrong) == (drawn - 1, 0)
