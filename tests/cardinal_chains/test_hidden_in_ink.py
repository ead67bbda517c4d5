"""Starts on discs and blocks of colour, one of them in the numbers' own ink, in which its X does not show."""

from __future__ import annotations

import cv2
import pytest

from autoplayer.core.frame import Image
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_first_levels import read
from tests.cardinal_chains.test_without_a_doubt import cells, middle, page, tile

ROWS = ["1 1 2 2 .", "1 X 2 X 1", "1 1 2 1 1", ". 1 2 1 1", ". 2 2 . 1"]
PITCH, HALF, PAGE, TILE, INK, BLUE = 60, 29, (60, 40, 20), (240, 232, 225), (30, 30, 30), (200, 120, 40)


def board(mark: str, hole: str = "", *, framed: bool = False) -> Image:
    """Tiles on a dark page, or ``framed`` in the page's colour. ``mark``: of the starts, "disc", "block" or "none"; the
    second one's has the numbers' ink. ``hole``: what the holes show in that ink, "cell", "disc" or nothing."""
    image = page(ROWS, PITCH, TILE if framed else PAGE)
    for cell, token in cells(ROWS).items():
        at = middle(cell, PITCH)
        tile(image, at, HALF - 2 * framed, INK if framed else TILE)
        tile(image, at, HALF - 2 * framed - 1, TILE)
        ink = INK if cell == (1, 3) and not hole else BLUE
        if token == "X" and mark == "disc":
            cv2.circle(image, at, 22, ink, -1, cv2.LINE_AA)
        elif token == "X" and mark == "block":
            tile(image, at, 21, ink)
        write(image, token, at, 0.9, INK)
    for cell in ((0, 4), (3, 0), (4, 0), (4, 3)) if hole else ():
        tile(image, middle(cell, PITCH), HALF, PAGE if not framed else TILE)
        if hole == "cell":
            tile(image, middle(cell, PITCH), HALF - 6 * framed, INK)
        else:
            tile(image, middle(cell, PITCH), HALF, TILE)
            cv2.circle(image, middle(cell, PITCH), 22, INK, -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("mark", ["disc", "block"])
def test_a_disc_in_the_numbers_ink_may_hide_an_x_beside_others(mark: str) -> None:
    """Without the rule, the start was a hole without a doubt, as in 41 of 80 drawn boards."""
    assert read(board(mark)) == (ROWS, False)


@pytest.mark.parametrize(
    ("mark", "hole", "framed"), [("disc", "cell", False), ("block", "cell", True), ("none", "disc", False)]
)
def test_holes_in_the_numbers_ink_are_no_starts(mark: str, hole: str, framed: bool) -> None:
    """They fill their cells, or stand beside starts that have no discs."""
    assert read(board(mark, hole, framed=framed)) == (ROWS, True)
