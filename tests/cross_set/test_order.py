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

Places = tuple[tuple[int, int, int], ...]


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


BESIDE = ((15, 60, 48), (46, 56, 30), (38, 95, 30))
LEFT = (*BESIDE[:2], (30, 95, 30))
"""``(x, foot, height)``: the second in the active one's line, the third below both; ``LEFT`` has it further left."""

DOWN = ((5, 76, 48), (40, 58, 24), (40, 92, 24), (58, 58, 24), (58, 92, 24), (76, 58, 24), (76, 92, 24))
"""The others in columns of two behind the active one."""


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        pytest.param(("346 743 642", "532"), (BESIDE, LEFT), id="lines that begin with the active one"),
        pytest.param(
            ("516 3715246 416", "3617245 6523174 143", "5712436 2437615 326"),
            (DOWN,) * 3,
            id="columns behind the active one",
        ),
    ],
)
def test_the_others_follow_as_they_stand(rows: tuple[str, ...], places: tuple[Places, ...]) -> None:
    seen: dict[Cell, list[Glyph]] = {}
    texts = [row.split() for row in rows]
    for r, row in enumerate(texts):
        for c, cell in enumerate(row):
            seen[r, c] = [
                glyph(token, PITCH * c + x, PITCH * r + foot, height)
                for token, (x, foot, height) in zip(cell, places[r][: len(cell)], strict=True)
            ]
    boxes = {(r, c): Box(PITCH * c, PITCH * r, PITCH, PITCH) for r, c in seen}
    found, slots, _ = ordered(seen, boxes, dict.fromkeys(seen, np.zeros(3, np.float32)))
    assert not slots
    assert [["".join(g.token for g in found[r, c]) for c in range(len(row))] for r, row in enumerate(texts)] == texts
