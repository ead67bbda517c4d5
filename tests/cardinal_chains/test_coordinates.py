"""Boards with coordinates around them, drawn as the board's own numbers are."""

from __future__ import annotations

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


def test_a_row_that_counts_on_is_one_of_the_board() -> None:
    """A single one says nothing: boards have such rows."""
    rows = ("1234", "X234", "1222", "1111")
    assert read(window("", rows=rows, discs=False)) == ([" ".join(row) for row in rows], True)
