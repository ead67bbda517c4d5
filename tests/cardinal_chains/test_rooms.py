"""Windows that draw a chain as one room: the wall between two linked cells goes, and nothing else is drawn. The windows
are drawn here."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.player import progress
from autoplayer.games.cardinal_chains.playing.rooms import rooms
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.layout import Layout
from autoplayer.session.looking.controls import old_board_remains

SIDE = 50
BEFORE = parse("1 1 1\n1 X 1\n1 1 2")
NEXT = parse("2 2 2 .\n1 1 2 .\nX 1 1 1")


def window(puzzle: Puzzle, links: Collection[frozenset[Cell]] = (), at: tuple[int, int] = (220, 120)) -> Image:
    """Cells with walls of their own, two pixels wide, and small numbers; ``at``: the board's corner (x, y)."""
    image = np.full((480, 640, 3), 245, np.uint8)
    for (r, c), value in puzzle.cells.items():
        x, y = at[0] + SIDE * c, at[1] + SIDE * r
        last = SIDE - 1
        walls = {
            (r - 1, c): ((0, 0), (last, 1)),
            (r + 1, c): ((0, last - 1), (last, last)),
            (r, c - 1): ((0, 2), (1, last - 2)),
            (r, c + 1): ((last - 1, 2), (last, last - 2)),
        }
        for near, ((x0, y0), (x1, y1)) in walls.items():
            if frozenset([(r, c), near]) not in links:
                image[y + y0 : y + y1 + 1, x + x0 : x + x1 + 1] = 0
        cv2.putText(image, str(value or "X"), (x + 21, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 2, cv2.LINE_8)
    return image


@pytest.fixture(scope="module")
def seen() -> tuple[Reading[Puzzle], Solution]:
    reading = read(window(BEFORE), Layout(game="cardinal-chains"))
    assert reading.puzzle == BEFORE
    solution = solve(BEFORE, time_limit=10.0).solution
    assert solution is not None
    return reading, solution


def links(chain: Collection[Cell]) -> list[frozenset[Cell]]:
    return [frozenset(pair) for pair in pairwise(chain)]


@pytest.mark.parametrize("drawn", [1, 4, 8])
def test_cells_hang_together_where_the_wall_between_them_went(
    seen: tuple[Reading[Puzzle], Solution], drawn: int
) -> None:
    reading, solution = seen
    found = progress(reading, BEFORE, solution, window(BEFORE, links(solution[0][: drawn + 1])))
    assert (found.present, found.done, found.wrong) == (True, drawn, 0)


def test_a_link_that_does_not_reach_the_start_is_no_chain(seen: tuple[Reading[Puzzle], Solution]) -> None:
    reading, solution = seen
    found = progress(reading, BEFORE, solution, window(BEFORE, links(solution[0][2:5])))
    assert (found.present, found.done, found.wrong) == (True, 0, 0)


@pytest.mark.parametrize("shift", [(0, 0), (25, 25), (-25, 0), (0, 25)])
def test_another_board_is_not_the_old_one_with_its_walls_gone(
    seen: tuple[Reading[Puzzle], Solution], shift: tuple[int, int]
) -> None:
    reading, solution = seen
    now = window(NEXT, at=(220 + shift[0], 120 + shift[1]))
    found = progress(reading, BEFORE, solution, now)
    assert not found.present or found.done == 0
    if shift != (0, 0):
        assert not found.present
    done = window(BEFORE, links(solution[0]))
    assert not old_board_remains(reading.image, done, now, list(reading.places.values()))


def test_the_outline_of_a_cursor_that_went_is_no_wall(seen: tuple[Reading[Puzzle], Solution]) -> None:
    """Incident: a cursor left a start, and what stood there was taken for another board."""
    pale, outlined = (np.maximum(window(BEFORE), 185) for _ in range(2))
    x, y = (220 + SIDE, 120 + SIDE)
    cv2.rectangle(outlined, (x, y), (x + SIDE - 1, y + SIDE - 1), (0, 0, 0), 4)
    assert rooms(seen[0].places, BEFORE, np.asarray(outlined, np.uint8), np.asarray(pale, np.uint8)) == {}
    assert rooms(seen[0].places, BEFORE, window(BEFORE), window(BEFORE, links(seen[1][0][:3]))) == dict.fromkeys(
        seen[1][0][1:3], 0
    )


def test_small_numbers_that_went_are_another_board() -> None:
    """Of a large cell a small number is too little to be something that was drawn; that none is left there tells."""
    puzzle = parse("1 1 1\n1 X 1\n1 1 1")
    reading = read(window(puzzle), Layout(game="cardinal-chains"))
    solution = solve(puzzle, time_limit=10.0).solution
    assert reading.puzzle == puzzle
    assert solution is not None
    bare = window(puzzle)
    for cell, box in reading.places.items():
        if cell not in puzzle.starts:
            box.crop(bare)[8:-8, 8:-8] = 245
    assert not progress(reading, puzzle, solution, bare).present


def test_a_wall_where_a_thin_number_stood_is_not_that_number() -> None:
    """Incident: in a next level that stood half a cell lower, walls ran through the places of two ones, and the old
    board was taken to be there still."""
    start = np.full((120, 220, 3), 245, np.uint8)
    drawn = start.copy()
    places = [Box(10 + 60 * k, 30, 50, 50) for k in range(3)]
    for box in places:
        for picture in (start, drawn):
            picture[box.y + 18 : box.y + 32, box.x + 24 : box.x + 26] = 0
        start[box.y + 48 : box.y + 50, box.x : box.x + 50] = 0
    assert old_board_remains(start, drawn, drawn, places)
    now = np.full_like(start, 245)
    for box in places:
        now[:, box.x + 24 : box.x + 26] = 0
    assert not old_board_remains(start, drawn, now, places)
