"""Starts that are outlined in a colour, and stand at the end of a board, beside a single cell; and outlined boxes there
that are no starts."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image, Point
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_first_levels import read
from tests.cardinal_chains.test_without_a_doubt import WHITE, cells, middle, page, tile

PITCH, HALF, PAGE, TILE = 86, 41, (58, 47, 43), (82, 66, 60)
COLOURS = (79, 79, 217), (208, 127, 63), (91, 164, 63)


def test_an_outlined_cell_at_the_end_of_a_board_is_a_start_as_others_are() -> None:
    """Incident: two holes beside a corner left it with one neighbour, and it was no cell; the level had no solution."""
    rows = ["2 2 . . X", "3 1 X X 4", "3 4 3 4 5", "3 . 3 4 4", "3 3 3 . 4"]
    image, colours = page(rows, PITCH, PAGE), iter(COLOURS)
    for cell, token in cells(rows).items():
        at = middle(cell, PITCH)
        tile(image, at, HALF, TILE)
        if token != "X":
            write(image, token, at, 1.1, WHITE)
            continue
        colour = np.array(next(colours))
        soft = tuple((0.87 * colour + 0.13 * np.array(TILE)).round().astype(int).tolist())
        for half, shade in ((HALF, soft), (HALF - 1, tuple(colour.tolist())), (HALF - 7, soft), (HALF - 8, TILE)):
            tile(image, at, half, shade)
    assert read(image)[0] == rows


def outline(image: Image, at: Point, colour: tuple[int, int, int], inside: tuple[int, int, int]) -> None:
    tile(image, at, HALF, colour)
    tile(image, at, HALF - 3, inside)


@pytest.mark.parametrize("style", ["discs", "outlines", "outlines beyond"])
def test_an_outlined_box_beside_the_board_is_a_start_only_if_it_looks_like_those_within(style: str) -> None:
    """Without the rule, an empty slot on the lattice became a start beside discs or blocks of colour, and beside
    outlined cells though the page shows in it. Where no start stands within, those beyond are all that there are."""
    rows = ["1 2 2 3 3", "1 1 X 2 3", "1 2 3 3 4", ". 1 X 2 3", "2 2 1 2 2"]
    if style == "outlines beyond":
        rows = ["X . . X .", "1 2 2 3 3", "1 1 . 2 3", "1 2 3 3 4", "2 2 1 2 2"]
    image, colours = page([*rows, ". . . . ."], PITCH, PAGE), iter(COLOURS)
    for cell, token in cells(rows).items():
        at = middle(cell, PITCH)
        tile(image, at, HALF, TILE)
        if token != "X":
            write(image, token, at, 1.1, WHITE)
        elif style == "discs":
            cv2.circle(image, at, 20, next(colours), -1, cv2.LINE_AA)
        else:
            outline(image, at, next(colours), TILE)
    if style == "outlines beyond":
        tile(image, middle((2, 2), PITCH), HALF, (140, 140, 140))
    else:
        outline(image, middle((5, 4), PITCH), COLOURS[2], PAGE)
    assert read(image)[0] == rows
