"""Small cells of Cross Set with outlines of their own, so crowded that no even area is left in them."""

from __future__ import annotations

import numpy as np
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Image
from autoplayer.games.cross_set.seeing.lattice.lattices import hypotheses

ACROSS, DOWN = 42, 34


def window() -> Image:
    """Five rows and columns of cells that hold six numbers each, a pixel or two from their walls."""
    picture = Picture.new("RGB", (300, 240), (222, 222, 230))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(16)
    for r, c in np.ndindex(5, 5):
        left, top = 40 + ACROSS * c, 30 + DOWN * r
        pen.rounded_rectangle((left, top, left + 36, top + 29), 4, outline=(90, 90, 96), width=2)
        for n in range(6):
            x, y = left + 7 + 11 * (n % 3), top + 9 + 12 * (n // 3)
            pen.text((x, y), str(n + 1), fill=(60, 60, 66), font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def test_a_board_of_crowded_cells_is_found_by_their_outlines() -> None:
    """Incident: no lattice was found where the numbers of most cells came to the edges of their walls on all sides."""
    found = [(size, round(one.pitch_x), round(one.pitch_y)) for view, one, size in hypotheses(window()) if view.walled]
    assert (5, ACROSS, DOWN) in found
