"""Numbers on discs and tiles that are too pale to be ink: what stands beside the board has none."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle

PITCH = 60
PAGE, DISC, LIGHT, BLUE, RED, DARK = (
    (22, 38, 24),
    (43, 70, 46),
    (245, 245, 245),
    (228, 124, 70),
    (55, 41, 230),
    (9, 9, 9),
)


def number(image: Image, text: str, x: int, y: int, colour: tuple[int, ...], size: float = 0.8) -> None:
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)


def discs(text: str, heading: str, at: int) -> Image:
    """A dark page with discs that hardly stand out, and a level's number above them."""
    image = np.full((520, 560, 3), PAGE, np.uint8)
    puzzle = parse(text)

    def middle(cell: Cell) -> tuple[int, int]:
        return 100 + PITCH * cell[1], 130 + PITCH * cell[0]

    for cell, value in puzzle.cells.items():
        colour = BLUE if value == 0 else DISC
        cv2.circle(image, middle(cell), 23, colour, -1, cv2.LINE_AA)
        number(image, str(value or "X"), *middle(cell), LIGHT)
    number(image, heading, at, 130 - PITCH, LIGHT, 0.9)
    return image


def settled(image: Image) -> tuple[str, bool]:
    """The board that is seen, and whether it is certain."""
    result = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    return format_puzzle(result.puzzle), result.certain


def test_a_level_number_above_numbers_on_pale_discs_is_no_cell():
    text = "1 1 2 2\n1 X 1 2\n1 1 1 2"
    assert settled(discs(text, "6", 100 + 2 * PITCH)) == (text, True)


def test_a_row_of_tiles_beside_a_chain_of_another_colour_is_no_heading():
    """Incident: the upper edge of the chain was taken for a panel's rim, and the tiles above it for a heading."""
    text = "1 1 2\n1 . .\n1 1 .\n. 1 .\n1 1 .\nX . ."
    image = np.full((400, 500, 3), 245, np.uint8)
    for (r, c), value in parse(text).cells.items():
        x, y = 150 + 50 * c, 60 + 50 * r
        cv2.rectangle(image, (x, y), (x + 49, y + 49), RED if r else (200, 200, 200), -1)
        number(image, str(value), x + 20, y + 22, DARK, 0.5)
    assert settled(image) == (text, True)
