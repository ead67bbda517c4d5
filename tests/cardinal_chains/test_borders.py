"""Windows that draw a border around each chain, and nothing in its cells. They are drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.player import progress
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.layout import Layout

SIDE, LEFT, TOP = 56, 50, 50
PUZZLE = parse("X 1 1 1 1\n3 . 2 . 1\n2 X 2 3 2\nX 3 2 4 5\n1 1 X 4 4")
SOLUTION = cast("Solution", solve(PUZZLE, time_limit=5).solution)
BLACK, GREY = (0, 0, 0), (204, 204, 204)
COLOURS = ((75, 25, 230), (216, 120, 60), (56, 168, 56), (0, 144, 240))


def grid(puzzle: Puzzle, chains: Sequence[Sequence[Cell]] = (), within: int = 0, own: bool = False) -> Image:
    """Dark numbers and triangles on a pale grid, and a border around each of ``chains``: ``within`` pixels from the
    cells' sides, black or of its chain's ``own`` colour."""
    height, width = 2 * TOP + SIDE * puzzle.height, 2 * LEFT + SIDE * puzzle.width
    image = np.full((height, width, 3), (247, 251, 251), np.uint8)
    for (r, c), value in puzzle.cells.items():
        x, y = LEFT + SIDE * c, TOP + SIDE * r
        cv2.rectangle(image, (x, y), (x + SIDE, y + SIDE), GREY)
        if value:
            cv2.putText(
                image, str(value), (x + 19, y + 37), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (34, 34, 34), 2, cv2.LINE_AA
            )
        else:
            colour = COLOURS[puzzle.starts.index((r, c))] if own else (34, 34, 34)
            cv2.fillConvexPoly(image, np.array([(x + 28, y + 12), (x + 14, y + 40), (x + 42, y + 40)]), colour)
    for index, chain in enumerate(chains):
        colour = COLOURS[index] if own else BLACK
        for r, c in chain:
            x, y = LEFT + SIDE * c, TOP + SIDE * r
            near, far = within, SIDE - within
            for down, right, ends in (
                (-1, 0, ((near, near), (far, near))),
                (1, 0, ((near, far), (far, far))),
                (0, -1, ((near, near), (near, far))),
                (0, 1, ((far, near), (far, far))),
            ):
                if (r + down, c + right) not in chain:
                    a, b = ((x + dx, y + dy) for dx, dy in ends)
                    cv2.line(image, a, b, colour, 4)
    return image


@pytest.mark.parametrize(("within", "own"), [(0, False), (5, True)])
@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_what_stands_within_a_border_with_a_start_is_its_chain(count: int, within: int, own: bool) -> None:
    reading = read(grid(PUZZLE, within=within, own=own), Layout(game="cardinal-chains"))
    assert reading.puzzle == PUZZLE
    now = progress(reading, PUZZLE, SOLUTION, grid(PUZZLE, SOLUTION[:count], within, own))
    assert (now.present, now.done, now.wrong) == (True, sum(len(chain) - 1 for chain in SOLUTION[:count]), 0)


def test_an_outline_around_a_start_or_a_number_is_no_chain() -> None:
    reading = read(grid(PUZZLE), Layout(game="cardinal-chains"))
    for cell in (PUZZLE.starts[0], (3, 2)):
        now = progress(reading, PUZZLE, SOLUTION, grid(PUZZLE, [[cell]]))
        assert (now.present, now.done) == (True, 0)


def test_what_chains_leave_between_them_is_no_chain_itself() -> None:
    """All chains but the last are drawn: what is left has borders, too, but none at the board's edge."""
    reading = read(grid(PUZZLE), Layout(game="cardinal-chains"))
    for left_out in range(len(SOLUTION)):
        drawn = [chain for index, chain in enumerate(SOLUTION) if index != left_out]
        now = progress(reading, PUZZLE, SOLUTION, grid(PUZZLE, drawn))
        assert (now.done, now.wrong) == (sum(len(chain) - 1 for chain in drawn), 0)
