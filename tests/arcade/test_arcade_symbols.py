"""The symbols that can replace digits: each looks different from all others."""

from __future__ import annotations

import itertools

import numpy as np
import pygame
import pytest

from autoplayer.arcade.glyphs import glyph

ALL = "0123456789X"


@pytest.mark.parametrize("height", [14, 40])
def test_no_two_symbols_look_alike(height: int) -> None:
    """Laid over one another, what only one of two covers is at least an eighth of what both do."""
    covered = {}
    for char in ALL:
        picture = pygame.transform.smoothscale(glyph("symbols", char, height, (0, 0, 0)), (32, 32))
        covered[char] = pygame.surfarray.array_alpha(picture) > 128
        assert covered[char].any()
    for one, other in itertools.combinations(ALL, 2):
        either, both = covered[one] | covered[other], covered[one] & covered[other]
        assert np.count_nonzero(either & ~both) > np.count_nonzero(either) / 8, (one, other)


def test_a_symbol_is_drawn_in_its_colour_and_as_high_as_asked() -> None:
    picture = glyph("symbols", "3", 40, (10, 200, 30))
    assert picture.get_at((picture.get_width() // 2, picture.get_height() // 2))[:3] == (10, 200, 30)
    assert 30 <= picture.get_height() <= 40
