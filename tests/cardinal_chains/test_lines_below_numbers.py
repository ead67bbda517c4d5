"""Boards in the middle of play whose chains are drawn as lines below their numbers: pictures drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed

COLOURS = ((168, 30, 118), (158, 56, 26))


def window(rows: Sequence[str], chains: Sequence[Sequence[Cell]], pitch: int, breadth: float) -> Image:
    """Dark tiles with gaps between them; starts are tiles in their chains' colours, or, where ``breadth``, the lines'
    as a share of the pitch, is more than that of a number, blocks upon them."""
    image = np.full((pitch * len(rows) + 120, pitch * len(rows[0].split()) + 120, 3), (32, 34, 30), np.uint8)
    colours = {chain[0]: colour for chain, colour in zip(chains, COLOURS, strict=False)}
    half = pitch // 2

    def middle(cell: Cell) -> tuple[int, int]:
        return 60 + cell[1] * pitch + half, 60 + cell[0] * pitch + half

    def block(cell: Cell, side: int, colour: tuple[int, int, int]) -> None:
        x, y = middle(cell)
        cv2.rectangle(image, (x - side, y - side), (x + side - 1, y + side - 1), colour, -1)

    tokens = {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row.split()) if token != "."}
    for cell in tokens:
        block(cell, half - 2, colours[cell] if breadth < 0.3 and cell in colours else (77, 82, 78))
    for chain in chains:
        for one, other in pairwise(chain):
            cv2.line(image, middle(one), middle(other), colours[chain[0]], round(breadth * pitch), cv2.LINE_AA)
    for cell, token in tokens.items():
        if token == "X":
            block(cell, round(0.36 * pitch), colours[cell])
            continue
        (x, y), size = middle(cell), pitch / 52
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, size, 2)
        at = x - w // 2, y + h // 2
        cv2.putText(image, token, at, cv2.FONT_HERSHEY_DUPLEX, size, (218, 219, 217), max(pitch // 30, 1), cv2.LINE_AA)
    return image


LINES = (
    ["2 2 X 1 1 1", "1 1 1 . . 1", "1 X 1 1 1 1"],
    [
        [(0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5), (2, 4), (2, 3), (2, 2)],
        [(2, 1), (2, 0), (1, 0), (1, 1)],
    ],
    44,
    0.125,
)
TUBE = (
    [
        "7 7 7 3 3 3 3 X", "6 6 7 4 3 3 3 1", "6 4 4 4 3 2 2 1", "6 4 4 4 2 2 2 1",
        "6 5 5 5 2 1 1 1", "6 6 5 5 1 1 1 1", "6 6 5 5 5 5 5 5", "6 5 5 5 5 5 5 5",
    ],
    [[
        (0, 7), (1, 7), (2, 7), (3, 7), (4, 7), (5, 7), (5, 6), (4, 6), (4, 5), (5, 5),
        (5, 4), (4, 4), (3, 4), (3, 5), (3, 6), (2, 6), (2, 5), (2, 4), (1, 4), (1, 5),
    ]],
    36,
    0.5,
)  # fmt: skip


@pytest.mark.parametrize(("rows", "chains", "pitch", "breadth"), [LINES, TUBE], ids=["lines", "tube"])
def test_the_end_of_a_line_below_its_number_is_no_start(
    rows: list[str], chains: list[list[Cell]], pitch: int, breadth: float
) -> None:
    """Incidents: the lattice was fitted to the middles of what was drawn in its places, lines with their glyphs; and
    what is around a broad line was ink in the examples of what a number looks like. The numbers at the ends of lines
    were starts, and the starts were holes."""
    _, settled = settle_trimmed(GAME, GAME.read(window(rows, chains, pitch, breadth), Layout(game="cardinal-chains")))
    assert settled.playable, settled.reason
    assert format_puzzle(settled.puzzle).splitlines() == rows
