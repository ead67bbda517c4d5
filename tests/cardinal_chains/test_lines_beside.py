"""What stands where the next row or column of a board would: coordinates in the numbers' own type, buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains.seeing.glyphs.tokens import Glyph
from autoplayer.games.cardinal_chains.seeing.lattice.growth import MOST_CELLS, Growth
from autoplayer.games.cardinal_chains.seeing.lattice.lines_beside import drop_lines_beside
from autoplayer.vision.views import stages
from tests.cardinal_chains.test_first_levels import INK, middle, number, read

PITCH = 60
BOARD = ["4322", "43X1", "1111", "2211"]


def window(coordinates: str, first: str = "1", rows: tuple[str, ...] = tuple(BOARD), discs: bool = True) -> Image:
    """The board from the second row and column on; ``coordinates``: on which sides, of t, l, b and r; ``first``: what
    those above and below begin with."""
    image = np.full((520, 480, 3), (238, 234, 233), np.uint8)
    for row, line in enumerate(rows, 1):
        for column, text in enumerate(line, 1):
            if discs:
                cv2.circle(image, middle((row, column), PITCH), 26, (200, 214, 222), -1, cv2.LINE_AA)
            number(image, (row, column), PITCH, text)
    for k in range(4):
        sides = {"t": ((0, k + 1), first), "b": ((5, k + 1), first), "l": ((k + 1, 0), "1"), "r": ((k + 1, 5), "1")}
        for side, (at, begin) in sides.items():
            if side in coordinates:
                number(image, at, PITCH, chr(ord(begin) + k), INK)
    return image


@pytest.mark.parametrize("discs", [True, False])
@pytest.mark.parametrize(("sides", "first"), [("tl", "1"), ("tl", "0"), ("tl", "A"), ("tlbr", "1"), ("lr", "1")])
def test_coordinates_are_no_cells(sides: str, first: str, discs: bool) -> None:
    assert read(window(sides, first, discs=discs)) == ([" ".join(row) for row in BOARD], True)


def test_a_single_row_of_coordinates_has_a_grey_of_its_own() -> None:
    image = window("", discs=False)
    for k in range(4):
        number(image, (0, k + 1), PITCH, str(k), (150, 148, 147))
    assert read(image) == ([" ".join(row) for row in BOARD], True)


def test_a_row_that_counts_on_is_one_of_the_board() -> None:
    """A single one says nothing: boards have such rows."""
    rows = ("1234", "X234", "1222", "1111")
    assert read(window("", rows=rows, discs=False)) == ([" ".join(row) for row in rows], True)


def test_equal_columns_that_count_on_but_for_a_clear_number_are_the_boards() -> None:
    """Incident: both outer columns of a small board were left out, without a doubt."""
    rows = ("2222", "23X2", "3323", "4X14")
    assert read(window("", rows=rows)) == ([" ".join(row) for row in rows], True)


def tiles(buttons: Sequence[str], rows: tuple[str, ...], gap: int) -> Image:
    """A board of tiles and buttons of their size below it, with an icon each."""
    image = np.full((560, 480, 3), (60, 40, 20), np.uint8)
    for row, line in enumerate((*rows, buttons)):
        for column, text in enumerate(line):
            x, y = middle((row, column), PITCH)
            y += gap * (row == len(rows))
            cv2.rectangle(image, (x - 27, y - 27), (x + 26, y + 26), (100, 70, 35), -1)
            if text == "o":
                cv2.circle(image, (x, y), 13, PALE, -1, cv2.LINE_AA)
            elif row < len(rows):
                number(image, (row, column), PITCH, text, PALE)
            else:
                ICONS[text](image, x, y)
    return image


PALE = (220, 240, 240)
ICONS: dict[str, Callable[[Image, int, int], object]] = {
    "back": lambda image, x, y: cv2.fillPoly(image, [np.array([(x + 9, y - 12), (x + 9, y + 12), (x - 12, y)])], PALE),
    "menu": lambda image, x, y: [cv2.line(image, (x - 12, y + by), (x + 12, y + by), PALE, 3) for by in (-9, 0, 9)],
    "home": lambda image, x, y: cv2.polylines(
        image,
        [np.array([(x - 12, y), (x, y - 12), (x + 12, y), (x + 12, y + 12), (x - 12, y + 12)])],
        True,
        PALE,
        2,
        cv2.LINE_AA,
    ),
    "more": lambda image, x, y: cv2.drawMarker(image, (x, y), PALE, cv2.MARKER_CROSS, 24, 3),
    "again": lambda image, x, y: cv2.ellipse(image, (x, y), (12, 12), 0, 40, 320, PALE, 3, cv2.LINE_AA),
}


@pytest.mark.parametrize("gap", [0, 8])
@pytest.mark.parametrize("rows", [("11o", "322", "41o"), ("1111", "1o22", "1112", "2211")])
@pytest.mark.parametrize("icons", [("back", "home", "more"), ("again", "menu", "home")])
def test_a_row_of_icons_is_none_of_the_board(rows: tuple[str, ...], gap: int, icons: tuple[str, ...]) -> None:
    image = tiles(icons, rows, gap)
    assert read(image) == ([" ".join(row).replace("o", "X") for row in rows], True)


def test_cells_that_no_chain_holds_yet_are_cells_beyond_those_that_have_its_colour() -> None:
    """Incident: on a board without walls only the cells of chains have a ground; the first row and the last column, in
    which no chain was, were taken for a heading and a score, as they stand on the page."""
    rows = ["2224", "2245", "1211", "X122", "1122"]
    image = np.full((480, 420, 3), (220, 240, 250), np.uint8)
    for row, column in np.ndindex(5, 4):
        cell, text = (row, column), rows[row][column]
        x, y = middle(cell, PITCH)
        if cell in ((2, 0), (2, 1), (1, 1), (1, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2)):
            cv2.rectangle(image, (x - 26, y - 26), (x + 26, y + 26), (150, 200, 175), -1)
        if text == "X":
            cv2.circle(image, (x, y), 13, (60, 60, 220), -1, cv2.LINE_AA)
        else:
            number(image, cell, PITCH, text)
    assert read(image)[0] == [" ".join(row) for row in rows]


def test_numbers_under_a_thin_line_are_no_icons() -> None:
    """Incident: the first column, each of whose numbers a chain's line crossed in another way, was taken for icons."""
    rows = ["1222", "1222", "1112", "1X12", "2222"]
    pitch, line = 80, [(3, 1), (3, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (1, 1), (1, 2), (0, 2), (0, 3)]
    image = np.full((560, 480, 3), (36, 30, 30), np.uint8)
    for row, column in np.ndindex(5, 4):
        x, y = middle((row, column), pitch)
        cv2.rectangle(image, (x - 40, y - 40), (x + 40, y + 40), (110, 110, 110), 1)
        if rows[row][column] == "X":
            cv2.rectangle(image, (x - 36, y - 36), (x + 36, y + 36), (60, 60, 220), -1)
        else:
            number(image, (row, column), pitch, rows[row][column], PALE, 1.5)
    for one, other in pairwise(line):
        cv2.line(image, middle(one, pitch), middle(other, pitch), (60, 60, 220), 6, cv2.LINE_AA)
    view, lattices = next(stages(image, MOST_CELLS, joined=True))
    growth = Growth(view, next(iter(lattices)))
    growth.grow(growth.is_walled)
    growth.learn()
    first = {(row, 0) for row in range(5)}
    assert {cell for cell in first if growth.joined(cell)} == {(0, 0), (1, 0), (2, 0)}
    # What is said of each number under the line is that it is none.
    glyphs = {
        cell: Glyph((("", 0.9), ("1", 0.1)), 100 + cell[0])
        if cell in first
        else Glyph(((rows[cell[0]][cell[1]], 1.0),), 1)
        for cell in growth.contents
    }
    for drawn, left in ((growth.joined, first), (lambda _: False, set[Cell]())):
        seen = dict(glyphs)
        drop_lines_beside(seen, dict(growth.contents), drawn)
        assert first & seen.keys() == left
    board, sure = read(image)
    assert len(board[0].split()) == 4
    assert not sure or board == [" ".join(row) for row in rows]


def test_equal_columns_that_do_not_stand_beside_every_row_are_no_coordinates() -> None:
    """Incident: of a level of three columns apart from one another only the one in the middle was read, and played. The
    starts show nothing but a colour."""
    image = np.full((480, 420, 3), 245, np.uint8)
    for column, text, start in ((0, "1234", 0), (2, "4321", 5), (4, "1234", 0)):
        for row in (start, *range(1, 5)):
            x, y = middle((row, column), PITCH)
            colour = (80, 160, 240) if row == start else (255, 255, 255)
            cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), colour, -1)
            cv2.rectangle(image, (x - 28, y - 28), (x + 28, y + 28), INK, 2)
            if row != start:
                number(image, (row, column), PITCH, text[row - 1])
    assert read(image)[0] == ["X . . . X", "1 . 4 . 1", "2 . 3 . 2", "3 . 2 . 3", "4 . 1 . 4", ". . X . ."]
