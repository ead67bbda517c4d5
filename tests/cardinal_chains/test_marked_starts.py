"""Starts that are marked by a coloured disc or block: beside numbers that took their chain's colour, and beside holes
through which the page shows."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_first_levels import read
from tests.cardinal_chains.test_without_a_doubt import cells, middle, page, tile

PITCH, HALF, MARK = 60, 28, 12
PAGE, TILE, INK, STROKE = (210, 230, 240), (235, 245, 250), (20, 40, 60), (147, 161, 168)
PURPLE, BROWN, ORANGE = (148, 40, 180), (40, 90, 140), (0, 150, 240)


def board(rows: list[str], inks: dict[Cell, tuple[int, int, int]]) -> Image:
    """Tiles with numbers, in ``inks`` of their own or in the usual one, and with discs in ``inks`` for starts."""
    image = page(rows, PITCH, PAGE)
    for cell, token in cells(rows).items():
        tile(image, middle(cell, PITCH), HALF, TILE)
        if token == "X":
            cv2.circle(image, middle(cell, PITCH), MARK, inks[cell], -1, cv2.LINE_AA)
        else:
            write(image, token, middle(cell, PITCH), 0.9, inks.get(cell, INK))
    return image


def test_a_disc_like_that_of_a_chain_not_begun_is_a_start_though_numbers_have_its_colour() -> None:
    """Without the rule, the starts of begun chains were holes or in doubt: their colours are those of numbers."""
    rows = ["1 5 4 4", "1 . 3 3", "X X 2 2", "X 2 3 ."]
    inks = dict.fromkeys([(2, 0), (0, 0), (0, 1), (0, 2), (1, 0)], PURPLE)
    inks |= {(2, 1): BROWN, (3, 1): BROWN, (3, 0): ORANGE}
    assert read(board(rows, inks)) == (rows, True)


def test_the_hatched_page_between_closed_cells_is_no_start_beside_marked_ones() -> None:
    """Without the rule, the holes were in doubt."""
    rows = ["1 1 X 2", "X 1 . 2", "2 1 X .", "1 1 2 2"]
    image = board(rows, {(0, 2): PURPLE, (1, 0): BROWN, (2, 2): ORANGE})
    hatched = np.full_like(image, PAGE)
    height, width = image.shape[:2]
    for k, x in enumerate(range(-height, width, 8)):
        cv2.line(hatched, (x, height), (x + height, 0), STROKE, 1 + k % 2, cv2.LINE_AA)
    for cell in ((1, 2), (2, 3)):
        x, y = middle(cell, PITCH)
        around = slice(y - PITCH // 2, y + PITCH // 2), slice(x - PITCH // 2, x + PITCH // 2)
        image[around] = hatched[around]
    assert read(image) == (rows, True)
