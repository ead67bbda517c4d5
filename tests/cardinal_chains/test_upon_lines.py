"""Boards in the middle of play whose numbers are drawn over the lines of their chains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.covered.upon_lines import upon_lines
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.layout import Layout
from autoplayer.vision import ink

PAGE, INK, PITCH = (226, 222, 218), (40, 40, 40), 72
COLOURS = ((60, 190, 90), (220, 120, 190))

ROWS = ["7 9 8 8 4 2", "6 5 . 5 5 1", ". 4 3 X . X"]
CHAINS: list[list[Cell]] = [
    [(2, 5), (1, 5), (0, 5), (0, 4), (1, 4), (1, 3), (0, 3), (0, 2), (0, 1)],
    [(2, 3), (2, 2), (2, 1), (1, 1)],
]


def middle(cell: Cell) -> tuple[int, int]:
    return 90 + cell[1] * PITCH, 120 + cell[0] * PITCH


def window(rows: Sequence[str], chains: Sequence[Sequence[Cell]], thick: int, size: float) -> Image:
    """No walls; lines in their starts' colours, and everything else on top of them."""
    image = np.full((2 * 110 + PITCH * (len(rows) - 1), 2 * 90 + PITCH * (len(rows[0].split()) - 1), 3), PAGE, np.uint8)
    for chain, colour in zip(chains, COLOURS, strict=True):
        for one, other in pairwise(chain):
            cv2.line(image, middle(one), middle(other), colour, thick, cv2.LINE_AA)
        (x, y), half = middle(chain[0]), PITCH // 2 - 2
        cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colour, -1)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token != ".":
                (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, size, 2)
                x, y = middle((r, c))
                cv2.putText(image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, size, INK, 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("thick", "size"), [(8, 1.1), (14, 1.5)])
def test_numbers_over_lines_are_read_without_a_doubt(thick: int, size: float) -> None:
    """Incidents: what stands on a line was taken for hidden; pieces of a line, for glyphs that the lattice cuts
    through; and the 7, for a button's number, because it stands elsewhere in its place than ink with a line."""
    reading = GAME.read(window(ROWS, CHAINS, thick, size), Layout(game="cardinal-chains"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle).splitlines() == ROWS


LINE = np.array(COLOURS[0], np.float32)


def crossed(*, above: bool, thick: int) -> tuple[Image, Place]:
    """A place of 60x60 pixels with a 5 and a line from its left side to its middle, ``above`` or below the 5."""
    image = np.full((60, 60, 3), PAGE, np.uint8)
    for over in (not above, above):
        if over:
            cv2.line(image, (0, 30), (30, 30), COLOURS[0], thick)
        else:
            cv2.putText(image, "5", (19, 41), cv2.FONT_HERSHEY_DUPLEX, 1.1, INK, 2, cv2.LINE_AA)
    box = Box(0, 0, 60, 60)
    return image, Place(ink.content(image, box), box, (("5", 0.6), ("6", 0.4)), 0, False)


@pytest.mark.parametrize(
    ("above", "thick", "read"),
    [
        pytest.param(False, 14, True, id="the whole number is seen"),
        pytest.param(True, 14, False, id="the line hides a part of it"),
        pytest.param(False, 1, False, id="too narrow to tell"),
    ],
)
def test_a_number_is_read_without_its_line_where_it_is_drawn_over_it(above: bool, thick: int, read: bool) -> None:
    image, place = crossed(above=above, thick=thick)
    found = upon_lines(image, {(0, 0): place}, {(0, 0): LINE}, [np.array(INK, np.float32)])
    assert [candidates[0][0] for candidates in found.values()] == (["5"] if read else [])


def test_a_sure_reading_that_differs_is_not_overruled() -> None:
    image, place = crossed(above=False, thick=14)
    sure = Place(place.content, place.box, (("8", 0.99), ("5", 0.01)), 0, False)
    assert not upon_lines(image, {(0, 0): sure}, {(0, 0): LINE}, [np.array(INK, np.float32)])


def test_a_sure_reading_that_is_confirmed_stays() -> None:
    """A pointer may touch the number as well, and then neither reading is as sure as of the number alone."""
    image, place = crossed(above=False, thick=14)
    cv2.fillPoly(image, [np.array([[19, 34], [30, 46], [22, 50]], np.int32)], INK)
    sure = Place(place.content, place.box, (("5", 0.99), ("6", 0.01)), 0, False)
    found = upon_lines(image, {(0, 0): sure}, {(0, 0): LINE}, [np.array(INK, np.float32)])
    assert found == {(0, 0): sure.candidates}
