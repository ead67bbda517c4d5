"""Starts that are outlined in a colour, and stand at the end of a board, beside a single cell."""

from __future__ import annotations

import numpy as np

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
