"""Cross Set on cells whose ground is not everywhere the same, as buttons have that are shaded from one colour to
another."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in


@pytest.mark.parametrize("shade", [90, 119])
def test_what_strong_numbers_are_replaced_with_on_a_shaded_cell_is_no_number(shade: int) -> None:
    """Incident: on buttons shaded from white to blue, a 6 and a 1 were several ones, and two cells were read wrong."""
    rows = np.concatenate([np.linspace(222, 255, 23), np.linspace(255, 185, 47)]).round()
    shaded = np.stack([np.minimum(rows + 10, 255), rows, rows], axis=1)[:, None].repeat(77, axis=1)
    cell = Picture.fromarray(shaded.astype(np.uint8))
    pen = ImageDraw.Draw(cell)
    pen.fontmode = "1"
    for text, at, size, colour in (("3", (37, 28), 24, 51), ("6", (30, 50), 13, shade), ("1", (40, 50), 13, shade)):
        pen.text(at, text, (colour,) * 3, ImageFont.load_default(size), anchor="mm")
    assert len(pieces_in(np.array(cell), Box(0, 0, 77, 70), 0.0, 0.4, scale=2).pieces) == 3
