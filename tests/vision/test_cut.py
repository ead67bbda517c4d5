"""Numbers in cells that were located a little too far to one side, so that the cell's border cuts a digit."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.vision import cut, ink

PLACE = Box(60, 40, 40, 40)


def window(*numbers: tuple[str, int], wall: bool = False) -> np.ndarray:
    """Numbers that begin at ``(text, x)`` in one line, dark on grey; ``wall``: lines around the place as well."""
    image = np.full((120, 200, 3), 200, np.uint8)
    for text, x in numbers:
        cv2.putText(image, text, (x, 68), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 30, 20), 2, cv2.LINE_AA)
    if wall:
        cv2.rectangle(image, (PLACE.x, PLACE.y), (PLACE.x + PLACE.width - 1, PLACE.y + PLACE.height - 1), (40, 30, 20))
    return image


def whole(image: np.ndarray) -> dict[str, Box]:
    return {key: here.box for key, here in cut.made_whole(image, {"it": ink.content(image, PLACE)}).items()}


@pytest.mark.parametrize("x", [57, 76], ids=["left", "right"])
def test_a_digit_that_the_border_cuts_off_is_seen_whole(x):
    image = window(("25", x))
    alone = ink.content(image, Box(0, 0, 200, 120)).box
    assert ink.content(image, PLACE).box.width < 0.8 * alone.width
    seen = whole(image)["it"]
    assert abs(seen.x - alone.x) <= 2
    assert abs(seen.width - alone.width) <= 2


@pytest.mark.parametrize("numbers", [(("25", 66),), (("5", 74), ("2", 96)), (("5", 74), ("2", 48))])
def test_numbers_inside_and_those_of_the_neighbours_stay_as_they_are(numbers):
    assert not whole(window(*numbers))


def test_a_wall_is_no_digit():
    assert not whole(window(("5", 74), wall=True))
