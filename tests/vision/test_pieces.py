"""Separate parts of what is drawn in one cell."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_a_stroke_that_covers_no_pixel_wholly_has_the_colour_of_its_strongest_pixels() -> None:
    """Incident: it counted as black, so that the joined parts of a broken digit seemed to have several colours."""
    image = np.full((70, 70, 3), 40, np.uint8)
    image[20:50, 20:40] = 40, 95, 95  # the soft edge by which both hang together
    image[20:50, 20:28] = 40, 200, 200
    image[20:50, 32:40] = 40, 120, 120
    strong, weak = sorted(pieces.find(image, Box(0, 0, 70, 70), scale=1).pieces, key=lambda p: p.box.x)
    assert strong.colour.tolist() == [40, 200, 200]
    assert weak.colour.tolist() == [40, 120, 120]


@pytest.mark.parametrize(
    ("box", "beside", "expected"),
    [
        pytest.param((21, 28, 9, 2), False, [(21, 11)], id="hangs on one stroke"),
        pytest.param((22, 28, 8, 2), True, [(20, 2), (30, 2)], id="joins two"),
        pytest.param((21, 20, 9, 14), False, [(30, 2)], id="an area"),
        pytest.param((29, 20, 1, 14), False, [(30, 2)], id="a soft edge"),
    ],
)
def test_a_thin_stroke_belongs_to_the_one_that_it_hangs_on(
    box: tuple[int, int, int, int], beside: bool, expected: list[tuple[int, int]]
) -> None:
    """Incident: the bars of small 4s fell between two pixels and were left out, and what stayed was read as 1s."""
    image = np.full((60, 60, 3), 20, np.uint8)
    x, y, w, h = box
    image[y : y + h, x : x + w] = 96
    image[20:34, 30:32] = 220
    if beside:
        image[20:34, 20:22] = 220
    for scale in (1, 3):
        found = pieces.find(image, Box(0, 0, 60, 60), 0.0, scale=scale).pieces
        assert np.abs(np.subtract(sorted((p.place.x, p.place.width) for p in found), expected)).max() <= scale // 2


def test_a_part_paler_than_any_outline_has_an_outline_of_its_own() -> None:
    """Incident: reading a board failed where the rest of a circle was all soft edge, beside something strong."""
    pale, strong = (
        pieces.Piece(Box(x, 10, 4, 4), np.full((4, 4), ink, np.float32), np.zeros(3, np.float32), contrast)
        for x, ink, contrast in ((10, 0.25, 100.0), (15, 1.0, 100.0))
    )
    assert [p.box for p in pieces.together([pale, strong], 0.5)] == [Box(10, 10, 9, 4)]
