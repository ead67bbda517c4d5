"""Padlocks and the like in the corners of cells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.layout import Layout

LEVEL = parse("21 3 14 42\n4 12 3 31\n3 4 2 12\n13 2 42 4")
PITCH = 96
GREY = (120, 120, 120)


def window(corner: tuple[int, int] | None, extra: int = 0, only: int = 16, large: float = 1.3) -> Image:
    """The active number large, the others small below it; in cells with one number a padlock, its upper left corner at
    ``corner``, or so far from the end of the cell where that is negative; in ``extra`` of the others as well, but no
    more than ``only``. ``large``: the size of the active number."""
    image = np.full((LEVEL.size * PITCH + 80, LEVEL.size * PITCH + 160, 3), 245, np.uint8)
    for r, row in enumerate(LEVEL.rows):
        for c, cell in enumerate(row):
            x, y = 70 + c * PITCH, 40 + r * PITCH
            cv2.rectangle(image, (x, y), (x + PITCH, y + PITCH), (60, 60, 60), 3)
            written(image, str(cell[0]), (x + 32, y + 48), large, 3 if large > 1 else 2)
            for k, number in enumerate(cell[1:]):
                written(image, str(number), (x + 24 + 24 * k, y + 78), 0.7, 2)
            if corner is not None and (len(cell) == 1 or (extra := extra - 1) >= 0):
                if (only := only - 1) < 0:
                    continue
                padlock(image, *(at + v % PITCH for at, v in zip((x, y), corner, strict=True)))
    return image


def padlock(image: Image, x: int, y: int) -> None:
    cv2.ellipse(image, (x + 5, y + 6), (4, 5), 0, 180, 360, GREY, 2, cv2.LINE_AA)
    cv2.rectangle(image, (x, y + 6), (x + 10, y + 14), GREY, -1)


def written(image: Image, text: str, at: tuple[int, int], scale: float, thick: int) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), thick, cv2.LINE_AA)


@pytest.mark.parametrize("corner", [(-18, 6), (8, 6), (-18, -22)], ids=["right", "left", "below"])
def test_an_icon_in_the_corner_of_several_cells_is_no_number(corner: tuple[int, int]) -> None:
    reading = GAME.read(window(corner), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(LEVEL)
    assert not reading.doubts


def test_what_stands_where_numbers_do_may_be_one() -> None:
    """Such a sign may be hard to read where other cells have a number."""
    reading = GAME.read(window((24, 66)), Layout(game="cross-set"))
    assert reading.doubts


def test_an_icon_may_stand_in_one_cell_where_no_number_reaches() -> None:
    reading = GAME.read(window((-18, 6), only=1), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(LEVEL)
    assert not reading.doubts


def test_an_icon_may_be_as_high_as_numbers() -> None:
    reading = GAME.read(window((-18, 6), large=0.85), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(LEVEL)
    assert not reading.doubts


@pytest.mark.parametrize("corner", [(24, 66), (38, 70)], ids=["where a number stands", "beside it"])
def test_what_stands_in_one_cell_where_numbers_reach_may_be_one(corner: tuple[int, int]) -> None:
    reading = GAME.read(window(corner, only=1), Layout(game="cross-set"))
    assert reading.doubts
