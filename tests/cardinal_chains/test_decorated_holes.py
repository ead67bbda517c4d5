"""Boards whose starts show no X but a colour, beside holes that show something too. The windows are drawn here."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from autoplayer.settle import settle
from tests.cardinal_chains.test_first_levels import middle, number

PITCH, HALF = 60, 28
PAGE, DARK, SAND, TILE, CREAM = (238, 234, 233), (90, 60, 30), (200, 220, 230), (205, 222, 232), (232, 241, 255)
GREY, BLACK, WHITE = (135, 135, 135), (20, 20, 20), (255, 255, 255)
RED, BLUE, PINK = (60, 76, 231), (201, 206, 0), (168, 121, 253)
ROWS = ("2 2 2 2 X 2", ". 2 2 . . 2", "2 2 X 1 1 .", "1 1 1 1 1 .", "1 1 1 1 1 X")
"""Three starts, five holes, one solution: no hole can be a start."""

Draw = Callable[[Image, tuple[int, int], Cell], None]


def window(start: Draw, hole: Draw, *, ground: Draw | None = None, page: tuple[int, int, int] = PAGE) -> Image:
    """``ROWS``; ``start`` and ``hole`` draw what these show around a pixel (x, y), ``ground`` what is below numbers
    and starts, a tile if it is None."""
    image = np.full((410, 460, 3), page, np.uint8)
    for r, row in enumerate(ROWS):
        for c, token in enumerate(row.split()):
            at = middle((r, c), PITCH)
            if token == ".":
                hole(image, at, (r, c))
                continue
            (ground or tile)(image, at, (r, c))
            if token == "X":
                start(image, at, (r, c))
            else:
                number(image, (r, c), PITCH, token)
    return image


def tile(image: Image, at: tuple[int, int], cell: Cell, colour: tuple[int, int, int] = TILE) -> None:
    (x, y), half = at, HALF
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colour, -1)
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (120, 130, 140), 1)


def closed(image: Image, at: tuple[int, int], cell: Cell) -> None:
    (x, y), half = at, PITCH // 2
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), CREAM, -1)
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (120, 130, 140), 2)


def colour_of(cell: Cell) -> tuple[int, int, int]:
    return {0: RED, 2: BLUE, 4: PINK}[cell[0]]


def ring(image: Image, at: tuple[int, int], cell: Cell) -> None:
    cv2.circle(image, at, 15, colour_of(cell), 5, cv2.LINE_AA)


def corner(image: Image, at: tuple[int, int], cell: Cell) -> None:
    x, y = at[0] - HALF + 1, at[1] - HALF + 1
    cv2.fillPoly(image, [np.array([(x, y), (x + HALF, y), (x, y + HALF)])], colour_of(cell), cv2.LINE_AA)


def ring_on_a_colour(image: Image, at: tuple[int, int], cell: Cell) -> None:
    tile(image, at, cell, colour_of(cell))
    cv2.circle(image, at, 9, WHITE, 2, cv2.LINE_AA)


def triangle(image: Image, at: tuple[int, int], cell: Cell) -> None:
    x, y = at
    cv2.fillPoly(image, [np.array([(x - 9, y - 14), (x + 15, y), (x - 9, y + 14)])], PINK, cv2.LINE_AA)


def flag(image: Image, at: tuple[int, int], cell: Cell) -> None:
    x, y = at
    cv2.fillPoly(image, [np.array([(x - 9, y - 16), (x + 14, y - 7), (x - 9, y + 2)])], colour_of(cell), cv2.LINE_AA)
    cv2.line(image, (x - 10, y - 16), (x - 10, y + 16), BLACK, 3)


def dot(image: Image, at: tuple[int, int], cell: Cell) -> None:
    cv2.circle(image, at, 3, GREY, -1, cv2.LINE_AA)


def diamond(image: Image, at: tuple[int, int], cell: Cell) -> None:
    x, y = at
    cv2.fillPoly(image, [np.array([(x - 11, y), (x, y - 11), (x + 11, y), (x, y + 11)])], GREY, cv2.LINE_AA)


def black_disc(image: Image, at: tuple[int, int], cell: Cell) -> None:
    cv2.circle(image, at, HALF - 2, BLACK, -1, cv2.LINE_AA)


def white_disc(image: Image, at: tuple[int, int], cell: Cell) -> None:
    cv2.circle(image, at, HALF - 2, WHITE, -1, cv2.LINE_AA)
    cv2.circle(image, at, HALF - 2, BLACK, 1, cv2.LINE_AA)


def nothing(image: Image, at: tuple[int, int], cell: Cell) -> None:
    pass


def read(image: Image) -> list[str]:
    """What would be played; empty if nothing would."""
    settled = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    return GAME.format(settled.puzzle).split("\n") if settled.playable else []


@pytest.mark.parametrize(
    ("start", "hole", "page"),
    [
        pytest.param(ring, dot, DARK, id="dots, and rings"),
        pytest.param(corner, diamond, PAGE, id="diamonds, and coloured corners"),
        pytest.param(ring_on_a_colour, diamond, DARK, id="diamonds, and starts filled with colours"),
    ],
)
def test_equal_grey_marks_on_the_page_are_no_starts_beside_colours(
    start: Draw, hole: Draw, page: tuple[int, int, int]
) -> None:
    assert read(window(start, hole, page=page)) == list(ROWS)


def test_equal_black_marks_on_a_colour_are_starts_beside_holes_in_another_one() -> None:
    def start(image: Image, at: tuple[int, int], cell: Cell) -> None:
        tile(image, at, cell, (60, 210, 245))
        cv2.circle(image, at, 9, BLACK, -1, cv2.LINE_AA)

    def hole(image: Image, at: tuple[int, int], cell: Cell) -> None:
        tile(image, at, cell, (150, 70, 40))

    settled = settle(GAME, GAME.read(window(start, hole), Layout(game="cardinal-chains")))
    assert GAME.format(settled.puzzle).split("\n") == list(ROWS)


def test_grey_discs_that_hide_a_cell_are_holes_beside_vivid_marks() -> None:
    assert read(window(triangle, black_disc, ground=white_disc, page=SAND)) == list(ROWS)


def test_a_flag_that_looks_like_a_1_is_a_start_by_its_size_and_colour() -> None:
    """Incident: flags were read as 1s, and closed holes taken for starts."""
    assert read(window(flag, nothing, ground=closed, page=DARK)) == list(ROWS)


def test_a_start_is_found_though_another_one_has_its_colour() -> None:
    """Incident: the mark of a chain in the start's colour lies over the wall between two cells, so that the start is
    not found as a closed cell. It was a hole without a doubt, because starts that were found have its colour."""

    def filled(image: Image, at: tuple[int, int], cell: Cell) -> None:
        tile(image, at, cell, BLUE)

    image = window(filled, nothing)
    x, y = middle((0, 4), PITCH)
    edge = np.array([(x + 22, y - 8), (x + 22, y + 8), (x + 38, y)])
    cv2.fillPoly(image, [edge], BLUE, cv2.LINE_AA)
    assert read(image) == list(ROWS)
