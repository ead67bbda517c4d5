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


def test_ink_that_the_border_cuts_is_not_taken_for_the_ground():
    """Bold digits in a place so narrow that they have more pixels than the ground between them."""
    image = np.full((120, 200, 3), (90, 90, 215), np.uint8)
    cv2.putText(image, "93", (52, 68), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (190, 190, 255), 4, cv2.LINE_AA)
    narrow = ink.content(image, Box(55, 53, 21, 16))
    assert np.abs(narrow.colour - (90, 90, 215)).max() < 20  # the ground is taken for the ink
    alone = ink.content(image, Box(0, 0, 200, 120)).box
    seen = cut.made_whole(image, {"it": narrow})["it"]
    assert np.abs(seen.ground - (90, 90, 215)).max() < 20
    assert abs(seen.box.x - alone.x) <= 2
    assert abs(seen.box.width - alone.width) <= 2


def test_a_frame_around_a_number_is_no_ground():
    image = window(("5", 74))
    cv2.rectangle(image, (PLACE.x, PLACE.y), (PLACE.x + PLACE.width - 1, PLACE.y + PLACE.height - 1), (0, 0, 200), 4)
    assert not whole(image)
