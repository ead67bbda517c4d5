"""The stages in which a lattice is searched for in a picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.vision.views import stages

PITCH, SIDE, CELLS = 140, 118, 4


def tiles(noise: float) -> Image:
    """Pale tiles on a paler ground, with ink that comes close to their walls, and grey noise of that deviation."""
    picture = np.full((800, 800, 3), (205, 228, 205), np.float32)
    for row in range(CELLS):
        for column in range(CELLS):
            x, y = 100 + column * PITCH, 120 + row * PITCH
            cv2.rectangle(picture, (x, y), (x + SIDE - 1, y + SIDE - 1), (222, 248, 222), -1)
            cv2.rectangle(picture, (x + 14, y + 40), (x + 50, y + 80), (40, 40, 40), 5)
            cv2.rectangle(picture, (x + 86, y + 56), (x + 102, y + 80), (40, 40, 40), 4)
    picture += np.random.default_rng(7).normal(0, noise, (800, 800, 1))
    return np.asarray(picture.round().clip(0, 255), np.uint8)


@pytest.mark.parametrize("noise", [0.0, 8.0])
def test_the_walls_of_large_pale_cells_are_found_also_among_noise(noise: float) -> None:
    found = [
        one
        for view, lattices in stages(tiles(noise), 100, by_marks=False)
        for one in lattices
        if view.walled and abs(one.width - SIDE) <= 4 and abs(one.pitch_x - PITCH) <= 1 and len(one.cells) >= 12
    ]
    assert found
