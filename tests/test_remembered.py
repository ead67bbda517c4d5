"""What was found in a window's last pictures is remembered as long as they are equal."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.core.frame import Image, Mask
from autoplayer.core.remembered import RESULTS, Same, remembered
from autoplayer.core.shade import Shade

PICTURE = np.random.default_rng(1).integers(0, 256, (20, 30, 3), np.uint8)


class Counted:
    """A function of a picture and a place that counts how often it looks."""

    def __init__(self) -> None:
        self.looks = 0
        self.red = remembered(self._red)

    def _red(self, image: Image, places: object = ()) -> Mask:
        self.looks += 1
        return image[..., 2].copy()


def test_equal_pictures_are_looked_at_once() -> None:
    counted = Counted()
    first = counted.red(PICTURE, {1: 2}.values())
    assert counted.red(PICTURE.copy(), {1: 2}.values()) is first
    assert counted.looks == 1


def test_another_picture_or_place_is_looked_at() -> None:
    """One that was painted over since, too, and one of the same bytes in another shape."""
    counted, picture = Counted(), PICTURE.copy()
    counted.red(picture)
    picture[3, 4, 2] ^= 1
    assert counted.red(picture)[3, 4] == picture[3, 4, 2]
    counted.red(picture, (1,))
    assert counted.red(picture.reshape(30, 20, 3)).shape == (30, 20)
    assert counted.looks == 4


def test_an_object_that_cannot_be_compared_is_known_by_its_identity() -> None:
    counted, one, other = Counted(), [PICTURE], [PICTURE]
    for each in (one, other, one, other):
        counted.red(PICTURE, Same(each))
    assert counted.looks == 2


def test_only_the_last_results_are_kept() -> None:
    counted = Counted()
    for number in [*range(RESULTS + 1), 0]:
        counted.red(PICTURE, (number,))
    assert counted.looks == RESULTS + 2


def test_a_result_cannot_be_changed_for_those_who_ask_later() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Counted().red(PICTURE)[0, 0] = 1


@pytest.mark.parametrize("left", [0.1, 0.437, 0.9])
def test_a_shade_is_looked_up_as_it_is_worked_out(left: float) -> None:
    """For all pairs of values, in each channel."""
    shade = Shade(left, np.array([0.0, 17.25, 229.5], np.float32))
    now, before = (np.repeat(grid[..., None], 3, axis=2).astype(np.uint8) for grid in np.mgrid[:256, :256])
    left_of_it = left * before.astype(np.float32) + shade.added
    for off in (4.0, 8.0):
        near = (np.abs(now - left_of_it) <= off).all(axis=2)
        assert np.array_equal(shade.leaves(before, now, off) > 0, near)
        able = ((now <= 255 * left + shade.added + off) & (now >= shade.added - off)).all(axis=2)
        assert np.array_equal(shade.possible(now, off) > 0, able)
    clear = np.rint(np.clip((now - shade.added) / left, 0, 255))
    assert np.array_equal(shade.removed(now), clear)
