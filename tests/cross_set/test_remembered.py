"""What was seen in a place of a picture is not looked for again while a board is looked for in it."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered, remembering


def test_a_place_is_looked_at_once_and_in_another_picture_again():
    looked = []

    @remembered
    def look(image, box, *, scale=1):
        looked.append((box, scale))
        return int(box.crop(image).sum())

    one, other = np.zeros((8, 8, 3), np.uint8), np.ones((8, 8, 3), np.uint8)
    place = Box(1, 1, 2, 2)
    with remembering(one):
        assert [look(one, place), look(one, Box(1, 1, 2, 2)), look(one, place, scale=2)] == [0, 0, 0]
        assert len(looked) == 2
        assert look(other, place) == 12
        assert look(other, place) == 12
        assert len(looked) == 4
    one[:] = 1
    assert look(one, place) == 12
