"""Something translucent lies over a part of the board, as a tutorial's spotlight does: its rim runs through cells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout
from bench.reading import cross_set as strange
from bench.reading.strange import stream

LAYOUT = Layout(game="cross-set")


@pytest.mark.parametrize(
    ("middle", "radius", "shade", "share"),
    [
        pytest.param((300, 336), 190, (30, 160, 30), 0.25, id="green, over most of the board"),
        pytest.param((283, 380), 127, (30, 160, 30), 0.32, id="green, below the middle"),
        pytest.param((395, 168), 196, (40, 40, 220), 0.25, id="red, whose rim cuts corners off"),
        pytest.param((150, 160), 90, (90, 90, 90), 0.25, id="grey, over a few cells"),
    ],
)
def test_the_rim_of_a_veil_is_no_number(
    middle: tuple[int, int], radius: int, shade: tuple[int, int, int], share: float
) -> None:
    """Incident: the part of a cell that a veil covered was something unexplained in it, or a 1."""
    sample, _ = strange.everyday(strange.made(stream(5, "test"), 5, 4), (460, 460))
    over = sample.image.copy()
    cv2.circle(over, middle, radius, shade, -1, cv2.LINE_AA)
    image = np.asarray(cv2.addWeighted(sample.image, 1 - share, over, share, 0), np.uint8)
    reading = GAME.read(image, LAYOUT)
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == sample.text
