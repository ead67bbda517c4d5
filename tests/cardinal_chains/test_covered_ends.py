"""A pointer over a cell that stands beside a single other one, or over both, in windows with walls and without. The
windows are drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.layout import Layout

LAYOUT = Layout(game=GAME.name)
BOARD = GAME.parse("4 2 3 1 . 4\n1 4 4 1 3 3\n1 X 2 1 1 .\n3 . 2 . X X")
END = (3, 2)
PITCH, LEFT, TOP = 28, 60, 50
PAGE, INK = (235, 215, 180), (30, 30, 30)
STARTS = (130, 240, 110), (80, 170, 175), (255, 125, 165)
ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (6, 12), (12, 12)], np.float64)
"""A mouse pointer's outline in pixels, its tip first."""


def window(puzzle: Puzzle, *, walls: bool = False) -> Image:
    """A board on a plain page; its starts have colours."""
    image = np.full((TOP + 6 * PITCH, LEFT + 8 * PITCH, 3), PAGE, np.uint8)
    colours = dict(zip(puzzle.starts, STARTS, strict=False))
    for (r, c), value in puzzle.cells.items():
        x, y, text = LEFT + c * PITCH, TOP + r * PITCH, str(value or "X")
        if (r, c) in colours:
            cv2.rectangle(image, (x, y), (x + PITCH - 1, y + PITCH - 1), colours[r, c], -1)
        if walls:
            cv2.rectangle(image, (x, y), (x + PITCH, y + PITCH), INK, 1)
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        at = x + (PITCH - w) // 2, y + (PITCH + h) // 2
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    return image


def with_pointer(image: Image, cell: Cell, by: tuple[float, float]) -> Image:
    """The window with a pointer whose tip stands ``by`` cell sides to the right of and below the middle of a cell."""
    tip = LEFT + (cell[1] + 0.5 + by[0]) * PITCH, TOP + (cell[0] + 0.5 + by[1]) * PITCH
    corners = np.round((ARROW + tip) * 16).astype(np.int32)
    cv2.fillPoly(image, [corners], (255, 255, 255), cv2.LINE_AA, 4)
    cv2.polylines(image, [corners], True, (0, 0, 0), 1, cv2.LINE_AA, 4)
    return image


@pytest.mark.parametrize(
    ("cell", "by", "walls"),
    [
        pytest.param(END, (-0.3, -0.3), False, id="over the end"),
        pytest.param(END, (0.0, 0.0), False, id="below its middle"),
        pytest.param(END, (-0.1, -0.4), False, id="at its left"),
        pytest.param((2, 2), (-0.15, 0.25), False, id="over the end and its neighbour"),
        pytest.param((2, 2), (0.0, 0.15), True, id="over both, with walls"),
    ],
)
def test_a_covered_cell_beside_a_single_one_is_no_hole_without_a_doubt(
    cell: Cell, by: tuple[float, float], walls: bool
) -> None:
    """Incident: the place was left out, since the only cell beside it was covered too, or because one was too few."""
    reading = GAME.read(with_pointer(window(BOARD, walls=walls), cell, by), LAYOUT)
    doubted = {spot: dict(doubt.candidates) for doubt in reading.doubts for spot in doubt.cells}
    assert str(BOARD.cells[END]) in doubted.get(END, {str(reading.puzzle.rows[3][2])})
    assert doubted.keys() <= {END, (2, 2)}
    assert all(reading.puzzle.cells[spot] == value for spot, value in BOARD.cells.items() if spot not in doubted)


def test_a_pointer_below_the_board_is_no_cell() -> None:
    reading = GAME.read(with_pointer(window(BOARD), (4, 2), (-0.2, -0.2)), LAYOUT)
    assert reading.puzzle == BOARD
    assert not reading.doubts


def test_equal_marks_in_holes_are_no_covers() -> None:
    """Only the hole between two cells may hide one."""
    board = GAME.parse("4 2 3 1 . .\n1 4 4 1 . .\n1 X 2 1 1 4\n3 3 2 2 3 X")
    image, half = window(board), 7
    for r, c in (0, 4), (0, 5), (1, 4), (1, 5):
        x, y = LEFT + c * PITCH + PITCH // 2, TOP + r * PITCH + PITCH // 2
        cv2.rectangle(image, (x - half, y - half), (x + half, y + half), INK, -1)
    reading = GAME.read(image, LAYOUT)
    assert {cell for doubt in reading.doubts for cell in doubt.cells} <= {(1, 4)}
    assert all(reading.puzzle.cells[cell] == value for cell, value in board.cells.items())
