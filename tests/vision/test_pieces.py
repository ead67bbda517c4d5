"""What is drawn in a place, piece by piece."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.vision import pieces


def test_pieces_that_hang_together_by_a_tint_have_contrasts_of_their_own() -> None:
    """Incident: the rim of a veil ran through two numbers of a cell, the active one and a pale one."""
    image = np.full((70, 70, 3), 40, np.uint8)
    image[20:50, 10:60] = 90
    image[22:48, 14:20] = 150
    image[22:48, 50:56] = 220
    pale, strong = sorted(pieces.find(image, Box(0, 0, 70, 70)).pieces, key=lambda p: p.box.x)
    assert 105 < pale.contrast < 125  # 110 and 180, and what enlarging adds
    assert 175 < strong.contrast < 200
