"""Boards that were read without a doubt though most of their cells were none of it: rows between those in which chains
have a ground of their own, and lines of chains taken for ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing import board
from autoplayer.games.cardinal_chains.seeing.glyphs import tokens
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed
from autoplayer.vision import lattice
from autoplayer.vision.views import View
from tests.cardinal_chains.test_chains_over_starts import write

COLOURS = ((40, 200, 40), (230, 80, 40), (40, 40, 230))


def middle(cell: Cell, pitch: int) -> tuple[int, int]:
    return 70 + pitch * cell[1], 70 + pitch * cell[0]


def bare(rows: list[str], chains: list[list[Cell]]) -> Image:
    """Numbers without anything around them, and starts as small squares; cells that chains hold have a ground."""
    image = np.full((220, 220, 3), (140, 50, 60), np.uint8)
    for colour, chain in zip(COLOURS, chains, strict=True):
        for x, y in (middle(cell, 24) for cell in chain[1:]):
            image[y - 10 : y + 10, x - 10 : x + 10] = colour
        x, y = middle(chain[0], 24)
        image[y - 4 : y + 4, x - 4 : x + 4] = colour
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token not in "X.":
                write(image, token, middle((r, c), 24), 0.5, (255, 255, 255))
    return image


def test_rows_between_those_that_chains_fill_are_not_stepped_over() -> None:
    rows = ["1 1 X 1", "1 1 . 1", "1 1 1 X", "2 . 2 X", "2 2 1 1"]
    image = bare(rows, [[(0, 2), (0, 3)], [(2, 3), (2, 2), (2, 1)], [(3, 3), (4, 3), (4, 2)]])
    _, settled = settle_trimmed(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    assert settled.playable
    assert format_puzzle(settled.puzzle).splitlines() == rows


def tiles(thick: int, pitch: int, size: float) -> tuple[Image, list[str]]:
    """Tiles with a chain's line over their numbers."""
    rows = ["1 1 1 2", "1 1 1 2", "X 1 1 2", "1 1 1 2"]
    chain = [(2, 0), (3, 0), (3, 1), (2, 1), (1, 1), (1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2), (3, 3)]
    image, half = np.full((420, 420, 3), (36, 30, 30), np.uint8), pitch // 2 - 2
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = middle((r, c), pitch)
            image[y - half : y + half, x - half : x + half] = (60, 48, 46)
            write(image, token.replace("X", "S"), (x, y), size, (230, 230, 230))
    points = np.array([middle(cell, pitch) for cell in chain], np.int32)
    cv2.polylines(image, [points], False, (60, 60, 220), thick)
    return image, rows


@pytest.mark.parametrize("thick", [7, 9])
def test_tiles_that_a_line_leads_into_are_cells_though_it_hides_what_they_hold(thick: int) -> None:
    """Incident: of twelve equal tiles the four whose numbers were seen were taken for the board."""
    image, rows = tiles(thick, 48, 0.45)
    try:
        _, settled = settle_trimmed(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    except UnreadableError:
        return
    assert not settled.playable or format_puzzle(settled.puzzle).splitlines() == rows


def test_the_line_of_a_chain_is_no_column_of_ones() -> None:
    """Incident: on a lattice three times as fine as the board's, the pieces of a line that runs through were ones."""
    image = np.full((420, 220, 3), (36, 30, 30), np.uint8)
    for x, y in (middle((0, column), 21) for column in (0, 2)):
        for way in (-1, 1):
            cv2.line(image, (x - 4, y - 4 * way), (x + 4, y + 4 * way), COLOURS[2], 2)
        image[y + 11 : y + 200, x - 3 : x + 3] = COLOURS[2]
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, False)
    cells = frozenset((r, c) for r in (0, 1, 2, 4, 5) for c in (0, 2))
    found = lattice.Lattice(*middle((0, 0), 21), 21, 21, 6, 14, cells)
    assert board._look(view, found, tokens.Eyes()) is None
