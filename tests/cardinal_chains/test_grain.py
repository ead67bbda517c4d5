"""Tiles on a page with a grain, as wood has: what shows of it between the tiles, and in holes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_without_a_doubt import middle, page, tile

PITCH = 80
WOOD, TILE, HOLE, SKY, INK = (57, 86, 118), (106, 153, 193), (37, 56, 77), (230, 180, 60), (16, 12, 8)


def window(rows: Sequence[str], seed: int, gap: int, *, crosses: bool) -> Image:
    """Tiles that are ``gap`` pixels lower and narrower than their places; a dark disc in each hole; starts show a cross
    on a tile of their own, or a disc."""
    grain = np.random.default_rng(seed).normal(0, 1, page(rows, PITCH).shape[:2])
    grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=25, sigmaY=1.2)
    image = np.clip(np.array(WOOD) + 4 * (grain / grain.std())[..., None], 0, 255).astype(np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            at, start = middle((r, c), PITCH), token == "X"
            if token == ".":
                cv2.circle(image, at, PITCH // 5, HOLE, -1, cv2.LINE_AA)
                continue
            tile(image, at, (PITCH - gap) // 2, SKY if start and crosses else TILE)
            if start and not crosses:
                cv2.circle(image, at, 18, SKY, -1, cv2.LINE_AA)
            else:
                write(image, token, at, 0.7, INK)
    return image


def read(image: Image) -> list[str]:
    return format_puzzle(GAME.read(image, Layout(game="cardinal-chains")).puzzle).splitlines()


def test_a_hole_that_shows_a_dark_disc_on_the_page_is_no_covered_cell() -> None:
    """Incident: the disc, about as dark as the numbers, was held to cover one of them."""
    rows = ["1 1 1", "1 2 1", "1 2 .", "1 1 X"]
    assert read(window(rows, 2, 6, crosses=True)) == rows


@pytest.mark.parametrize("gap", [10, 16])
def test_the_page_between_tiles_is_no_chain_that_leads_out_of_the_board(gap: int) -> None:
    """Incident: what lies between the tiles, and goes on beside the board, was no even colour, and so was a chain's."""
    rows = ["1 1 2 2 2", "1 2 2 2 2", "1 2 2 3 3", "1 1 X 2 3", "4 4 4 4 3"]
    assert read(window(rows, 1, gap, crosses=False)) == rows
