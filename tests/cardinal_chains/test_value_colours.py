"""Boards on which each number has tiles of a colour of its own, in the middle of play: opaque lines over numbers."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.covered.value_colours import by_value_colours
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.layout import Layout
from autoplayer.vision import ink

ROWS = ["3 2 2 X . 4", "3 X 1 . . 4", "3 . 2 3 3 3", "4 4 2 3 2 X", "4 4 3 3 2 .", "3 3 3 1 X 1", "2 4 4 X . 2"]
CHAINS = [
    [(0, 3), (0, 2), (0, 1), (0, 0), (1, 0)],
    [(1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (2, 3), (2, 4), (2, 5), (1, 5), (0, 5)],
    [(3, 5), (3, 4), (4, 4), (4, 3), (4, 2), (4, 1), (4, 0)],
]
STARTS = [(240, 240, 104), (98, 225, 139), (95, 162, 219), (79, 179, 183), (255, 158, 189)]
TILES = {"1": (45, 62, 28), "2": (96, 43, 69), "3": (84, 38, 38), "4": (26, 58, 42)}
"""BGR, by the start's and the number's order."""

PITCH, EDGE = 56, 70


def window(tiles: dict[str, tuple[int, int, int]], broad: int) -> Image:
    """The board with the chains' lines, ``broad`` pixels each, over the numbers."""
    image = np.full((len(ROWS) * PITCH + 2 * EDGE, 6 * PITCH + 2 * EDGE, 3), (24, 26, 36), np.uint8)

    def middle(cell: tuple[int, int]) -> tuple[int, int]:
        return EDGE + cell[1] * PITCH + PITCH // 2, EDGE + cell[0] * PITCH + PITCH // 2

    def write(cell: tuple[int, int], token: str) -> None:
        (x, y), face = middle(cell), cv2.FONT_HERSHEY_DUPLEX
        cv2.putText(image, token, (x - 11, y + 12), face, 1.1, (245, 245, 245), 3, cv2.LINE_AA)

    cells = {(r, c): token for r, row in enumerate(ROWS) for c, token in enumerate(row.split()) if token != "."}
    starts = dict.fromkeys(chain[0] for chain in CHAINS) | {cell: None for cell, token in cells.items() if token == "X"}
    colours = dict(zip(starts, STARTS, strict=True))
    for cell, token in cells.items():
        (x, y), half = middle(cell), PITCH // 2 - 1
        cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colours.get(cell) or tiles[token], -1)
        write(cell, token)
    for chain in CHAINS:
        for one, other in pairwise(chain):
            cv2.line(image, middle(one), middle(other), colours[chain[0]], broad, cv2.LINE_AA)
        write(chain[0], "X")
    return image


@pytest.mark.parametrize("broad", [16, 24])
def test_a_tile_says_which_number_a_line_hides(broad: int) -> None:
    reading = GAME.read(window(TILES, broad), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == ROWS


def test_tiles_of_one_colour_say_nothing() -> None:
    with pytest.raises(UnreadableError):
        GAME.read(window(dict.fromkeys(TILES, (84, 38, 38)), 24), Layout(game="cardinal-chains"))


def test_a_veil_that_gives_tiles_two_colours_says_nothing() -> None:
    """It lay over two ones, and a chain's line over another one beside it (a 1 became a 2 without a doubt)."""
    box, drawn = Box(0, 0, 40, 40), np.ones((20, 10), np.float32)
    ground, veiled = np.full(3, 197, np.float32), np.full(3, 173, np.float32)

    def place(token: str, chance: float, tile: np.ndarray, glyph: Box) -> Place:
        return Place(ink.Content(tile, drawn, glyph, tile - 150, 150.0, box), box, ((token, chance),), 0, False)

    inside, crossed = Box(15, 10, 10, 20), Box(15, 0, 10, 40)
    tiles = [("2", ground), ("2", ground), ("1", veiled), ("1", veiled)]
    places = {(0, c): place(token, 0.999, tile, inside) for c, (token, tile) in enumerate(tiles)}
    assert by_value_colours(places | {(1, 0): place("1", 0.9, ground, crossed)}) == {}
    third = np.full(3, 120, np.float32)
    places |= {(2, c): place("3", 0.999, third, inside) for c in range(2)}
    found = by_value_colours(places | {(1, 0): place("1", 0.9, ground, crossed)})
    assert {cell: one.candidates[0][0] for cell, one in found.items()} == {(1, 0): "2"}
