"""Which of a cell's candidates is active, from their sizes and places alone."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.glyph import Glyph
from autoplayer.games.cross_set.order import ordered
from autoplayer.vision.pieces import Piece

ROWS = ("12 21 34 43", "65 56 12 31", "46 64 16 61", "13 31 26 62")
"""The active one first. Every number is met in both sizes."""

OLD_STYLE = {"1": 0.7, "2": 0.7, "6": 1.1}
"""The heights of numerals that are not as high as the others."""

PITCH = 100


def glyph(token: str, x: int, y: int, height: float) -> Glyph:
    box = Box(x, y - round(height), round(0.6 * height), round(height))
    ink = np.ones((box.height, box.width), np.float32)
    return Glyph(Piece(box, ink, np.zeros(3, np.float32), 200.0), {token: 0.99, "": 0.01}, int(token))


@pytest.mark.parametrize(
    ("faces", "places"),
    [
        pytest.param({}, (10, 55), id="lining, the active one at the left"),
        pytest.param({}, (55, 10), id="lining, the active one at the right"),
        pytest.param(OLD_STYLE, (10, 55), id="old-style, the active one at the left"),
    ],
)
def test_the_larger_one_is_active(faces: dict[str, float], places: tuple[int, int]) -> None:
    seen: dict[Cell, list[Glyph]] = {}
    for r, row in enumerate(ROWS):
        for c, cell in enumerate(row.split()):
            seen[r, c] = [
                glyph(token, PITCH * c + x, PITCH * r + 80, size * faces.get(token, 1.0))
                for token, x, size in zip(cell, places, (48, 36), strict=True)
            ]
    boxes = {(r, c): Box(PITCH * c, PITCH * r, PITCH, PITCH) for r, c in seen}
    found, slots, unsure = ordered(seen, boxes, dict.fromkeys(seen, np.zeros(3, np.float32)))
    texts = [" ".join("".join(g.token for g in found[r, c]) for c in range(4)) for r in range(4)]
    assert not slots
    assert not unsure
    assert texts == list(ROWS)
