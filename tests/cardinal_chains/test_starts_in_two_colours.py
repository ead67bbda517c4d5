"""Chains in a colour that is only a part of what their starts show."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from tests.cardinal_chains.test_first_levels import INK, middle, number

ROWS = ["X122", "1123", "2X13", "2223"]
CHAINS: tuple[tuple[Cell, ...], ...] = (
    ((0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (3, 3)),
    ((2, 1), (2, 0), (3, 0), (3, 1), (3, 2)),
)
PITCH, SKY, SAND = 64, (230, 202, 142), (162, 180, 255)


def window(drawn: int) -> Image:
    """Numbers on white discs, and starts that are dark discs with a ring in their chain's colour; of each chain the
    first ``drawn`` cells are filled with that."""
    image = np.full((110 + PITCH * len(ROWS), 120 + PITCH * len(ROWS[0]), 3), (243, 233, 223), np.uint8)
    fills = {cell: colour for chain, colour in zip(CHAINS, (SKY, SAND), strict=True) for cell in chain[1 : drawn + 1]}
    for cell in np.ndindex(len(ROWS), len(ROWS[0])):
        text, at = ROWS[cell[0]][cell[1]], middle(cell, PITCH)
        cv2.circle(image, at, 29, INK if text == "X" else fills.get(cell, (255, 255, 255)), -1, cv2.LINE_AA)
        if text == "X":
            cv2.circle(image, at, 21, SKY if cell == (0, 0) else SAND, 3, cv2.LINE_AA)
            cv2.circle(image, at, 7, (255, 255, 255), -1, cv2.LINE_AA)
        else:
            number(image, cell, PITCH, text)
    return image


def test_chains_take_the_colour_of_their_starts_rings() -> None:
    """Incident: the discs of all starts were dark, and no chain in a ring's colour was ever seen."""
    reading = GAME.read(window(0), Layout(game="cardinal-chains"))
    assert GAME.format(reading.puzzle) == "\n".join(" ".join(row) for row in ROWS)
    for drawn in (1, 3, 8):
        seen = GAME.progress(reading, reading.puzzle, CHAINS, window(drawn))
        assert (seen.present, seen.done, seen.wrong) == (True, sum(min(drawn, len(chain) - 1) for chain in CHAINS), 0)
