"""Levels met in the middle of play, in windows that fill a drawn chain and take away the walls that it crosses: of its
cells none is closed off by itself. The windows are drawn here."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.layout import Layout

PITCH, WALL = 60, 3
PAGE, INK = (236, 236, 236), (32, 30, 30)
FILLS = ((80, 86, 250), (220, 215, 100), (70, 210, 80))


def window(puzzle: Puzzle, chains: list[list[Cell]]) -> Image:
    """Cells with walls in a page, 500x400, the chains in colours."""
    image = np.full((400, 500, 3), PAGE, np.uint8)
    left, top = (500 - puzzle.width * PITCH) // 2, (400 - puzzle.height * PITCH) // 2
    colours = {start: FILLS[index] for index, start in enumerate(puzzle.starts)}
    colours |= {cell: colours[chain[0]] for chain in chains for cell in chain}

    def fill(one: Cell, other: Cell, colour: tuple[int, int, int], beyond: int) -> None:
        (r, c), (s, d) = min(one, other), max(one, other)
        corners = (left + c * PITCH, top + r * PITCH), (left + (d + 1) * PITCH, top + (s + 1) * PITCH)
        cv2.rectangle(
            image, *((x + by, y + by) for (x, y), by in zip(corners, (-beyond, beyond), strict=True)), colour, -1
        )

    for cell in puzzle.cells:
        fill(cell, cell, INK, WALL - 1)
    for cell in puzzle.cells:
        fill(cell, cell, colours.get(cell, PAGE), -WALL + 1)
    for one, other in (step for chain in chains for step in pairwise(chain)):
        fill(one, other, colours[one], -WALL + 1)
    for (r, c), value in puzzle.cells.items():
        text, x, y = str(value or "X"), left + c * PITCH + PITCH // 2, top + r * PITCH + PITCH // 2
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1, 2)
        cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 1, INK, 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(
    ("text", "chains"),
    [
        pytest.param("X 1 1 1 1", [[(0, c) for c in range(4)]], id="all but one cell is in a chain"),
        pytest.param(
            ". X 1 1 2\n. . . . 2\n1 2 2 2 .\n1 1 X . .",
            [[(0, 1), (0, 2), (0, 3), (0, 4), (1, 4)], [(3, 2), (3, 1)]],
            id="a chain that touches the others at a corner only",
        ),
        pytest.param(
            ". . . 1 1 X\n. . . 2 2 .\n3 . . . 3 .\n2 . . . . .\n2 1 . 2 2 .\nX 1 . 1 1 X",
            [
                [(0, 5), (0, 4), (0, 3), (1, 3)],
                [(5, 0), (5, 1), (4, 1)],
                [(5, 5), (5, 4), (5, 3), (4, 3), (4, 4)],
            ],
            id="parts that only chains join",
        ),
    ],
)
def test_cells_of_a_chain_without_walls_between_them_are_read(text: str, chains: list[list[Cell]]):
    reading = read(window(parse(text), chains), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle) == text
    assert not reading.doubts


def test_a_chain_over_the_walls_of_cells_two_columns_away_is_read():
    """Incident: a part of a first level that only a chain's line led to was left out without a doubt."""
    text, chain = "X . . X\n1 . . 1\n1 2 . 1\n. 3 3 .", [(0, 3), (1, 3), (2, 3)]
    image = np.full((400, 500, 3), (30, 44, 45), np.uint8)
    middles = {cell: (100 + 72 * cell[1], 80 + 72 * cell[0]) for cell in parse(text).cells}
    for cell, (x, y) in middles.items():
        colour = {(0, 0): (200, 80, 90), (0, 3): (200, 70, 210)}.get(cell, (66, 80, 80))
        cv2.rectangle(image, (x - 32, y - 32), (x + 31, y + 31), colour, -1)
    for one, other in pairwise(chain):
        cv2.line(image, middles[one], middles[other], (200, 70, 210), 42, cv2.LINE_AA)
    for cell, (x, y) in middles.items():
        token = str(parse(text).cells[cell] or "X")
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 2)
        cv2.putText(
            image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (245, 245, 245), 2, cv2.LINE_AA
        )
    reading = read(image, Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle) == text
    assert not reading.doubts
