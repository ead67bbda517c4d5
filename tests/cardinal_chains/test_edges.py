"""What stands where the next row or column of a board would: coordinates in the numbers' own type, buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
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
