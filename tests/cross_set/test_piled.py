"""Two digits close above one another, which look like one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes, Glyph
from autoplayer.games.cross_set.seeing.one_cell.assembly import unpiled
from autoplayer.vision.pieces import Piece

DARK = np.zeros(3, np.float32)


def digit(text: str, x: int, y: int, height: int = 22) -> Piece:
    """A digit, drawn large and made ``height`` pixels high, with its upper left corner at ``(x, y)``; a 1 is a bar."""
    if text == "1":
        return Piece(Box(x, y, 4, height), np.ones((height, 4), np.float32), DARK, 200.0)
    sheet = np.zeros((160, 160), np.uint8)
    cv2.putText(sheet, text, (20, 130), cv2.FONT_HERSHEY_SIMPLEX, 4, 255, 10, cv2.LINE_AA)
    rows, columns = (np.flatnonzero((sheet > 64).any(axis=by)) for by in (1, 0))
    ink = sheet[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32) / 255
    broad = round(ink.shape[1] * height / ink.shape[0])
    ink = cv2.resize(ink, (broad, height), interpolation=cv2.INTER_AREA)
    return Piece(Box(x, y, broad, height), ink, DARK, 200.0)


def piled(above: Piece, below: Piece) -> Piece:
    """Both as one piece."""
    left, right = min(above.box.x, below.box.x), max(above.right, below.right)
    box = Box(left, above.box.y, right - left, below.bottom - above.box.y)
    ink = np.zeros((box.height, box.width), np.float32)
    for one in (above, below):
        y, x = one.box.y - box.y, one.box.x - box.x
        ink[y : y + one.box.height, x : x + one.box.width] = one.ink
    return replace(above, box=box, ink=ink)


@pytest.mark.parametrize(
    ("texts", "chance", "apart"),
    [
        pytest.param("57", 0.89, True, id="two digits of one height"),
        pytest.param("57", 0.999, False, id="what is surely a digit"),
        pytest.param("11", 0.89, False, id="the two bars of a 1"),
    ],
)
def test_two_digits_of_one_height_that_are_hardly_one_stand_above_one_another(
    texts: str, chance: float, apart: bool
) -> None:
    """Incident: a 5 close above a 7 was one glyph, perhaps a 1, and both cells with it lost their 7 without a doubt."""
    known = [Glyph(digit(text, 40, 20 + 26 * k), {text: 1.0}, int(text)) for k, text in enumerate("234")]
    both = piled(digit(texts[0], 70, 20), digit(texts[1], 70, 45))
    row = [*known, Glyph(both, {"1": chance, "7": 1 - chance}, 1)]
    found = unpiled({(0, k): row for k in range(3)}, Eyes(8))
    assert bool(found) is apart
    for parts in found.values():
        assert [part.box.y for part in parts] == [20, 46, 72, 20, 45]
