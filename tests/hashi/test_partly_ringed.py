"""Hashi: boards in which only some numbers have a ring, drawn here; the others stand on the water with nothing around
them."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.games.hashi.seeing.places import plain
from autoplayer.games.hashi.seeing.places.outline import view
from autoplayer.layout import Layout
from autoplayer.settle import settle

UNKNOWN = Layout(game="hashi")
PITCH, TOP = 60, 150
PAPER, INK, RING = (250, 246, 236), (30, 26, 20), (60, 120, 170)


def at(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), TOP + PITCH * cell[0]


def text(picture: Image, word: str, middle: Point) -> None:
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
    place = middle[0] - width // 2, middle[1] + height // 2
    cv2.putText(picture, word, place, cv2.FONT_HERSHEY_DUPLEX, 0.8, INK, 2, cv2.LINE_AA)


def sheet(puzzle: Puzzle, ringed: Collection[Cell]) -> Image:
    picture = np.full((TOP + PITCH * puzzle.height, PITCH * (puzzle.width + 1), 3), PAPER, np.uint8)
    for cell, number in puzzle.islands.items():
        if cell in ringed:
            cv2.circle(picture, at(cell), 20, RING, 2, cv2.LINE_AA)
        text(picture, str(number), at(cell))
    return picture


def read(picture: Image) -> tuple[list[list[int]], bool]:
    """The numbers in the rows and columns that hold any, and whether the board would be played."""
    settled = settle(GAME, GAME.read(picture, UNKNOWN))
    return crowded(settled.puzzle), settled.playable


def crowded(puzzle: Puzzle) -> list[list[int]]:
    """The numbers without empty rows and columns."""
    rows = [row for row in puzzle.rows if any(row)]
    return [list(row) for row in zip(*(column for column in zip(*rows, strict=True) if any(column)), strict=True)]


@pytest.mark.parametrize(
    ("size", "seed", "ringed"),
    [
        ((5, 5), 4, [(0, 4), (2, 0), (0, 0), (2, 3)]),
        ((5, 5), 18, [(0, 4), (0, 0), (2, 3), (2, 0)]),
        ((5, 5), 158, [(2, 2), (4, 2), (0, 0), (4, 0)]),  # there is a solution without a column beyond
        # A row or a column between those of the rings, and one at a quarter of the way.
        ((7, 7), 618704, [(0, 0), (2, 0), (2, 4), (4, 2), (6, 2), (6, 4), (6, 6)]),
        ((5, 5), 550035, [(0, 0), (4, 4)]),
    ],
)
def test_numbers_without_a_ring_are_islands_where_others_have_one(
    size: tuple[int, int], seed: int, ringed: list[Cell]
) -> None:
    """Incident: the numbers without a ring were left out, though they were as clear as the others."""
    puzzle = GAME.generate(*size, seed)
    assert read(sheet(puzzle, ringed)) == (crowded(puzzle), True)


@pytest.mark.parametrize(
    ("lines", "free"),
    [
        ([], True),
        ([((20, 80), (60, 80))], True),  # a bridge leads to it from the left
        ([((20, 80), (60, 80)), ((100, 80), (140, 80))], False),  # a count that is written on a bridge
        ([((80, 20), (80, 60)), ((80, 100), (80, 140))], False),
        ([((20, 20), (68, 68)), ((92, 92), (140, 140)), ((20, 140), (68, 92)), ((92, 68), (140, 20))], False),
    ],
)
def test_a_number_stands_alone_if_lines_lead_away_on_one_side_at_most(
    lines: list[tuple[Point, Point]], free: bool
) -> None:
    picture = np.full((160, 160, 3), PAPER, np.uint8)
    text(picture, "2", (80, 80))
    for begin, end in lines:
        cv2.line(picture, begin, end, RING, 3)
    assert plain._free(view(picture), np.array([(80.0, 80.0)]), 20.0).tolist() == [free]


def test_a_number_alone_above_the_board_is_no_island_though_there_is_a_solution_with_it() -> None:
    puzzle = GAME.generate(5, 5, 22)
    picture = sheet(puzzle, puzzle.islands)
    text(picture, "2", at((-2, 4)))
    assert read(picture) == (crowded(puzzle), True)
