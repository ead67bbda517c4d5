"""Something translucent lies over a part of the board, as a tutorial's spotlight does: its rim runs through cells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in
from autoplayer.layout import Layout
from autoplayer.vision import pieces
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


@pytest.mark.parametrize(
    ("size", "middle", "radius", "share"),
    [
        pytest.param(6, (179, 114), 278, 0.3, id="the walls of some cells"),
        pytest.param(6, (365, 46), 298, 0.3, id="a wall at a corner"),
        pytest.param(6, (307, 96), 263, 0.3, id="walls and numbers"),
        pytest.param(7, (17, 140), 277, 0.35, id="a number by half"),
    ],
)
def test_what_a_veil_covers_in_part_is_no_other_number(
    size: int, middle: tuple[int, int], radius: int, share: float
) -> None:
    """Incident: the part of a wall that a veil covered might have been a number that stands upon it, and a number half
    under a veil another one."""
    small = 10.5 if size == 6 else 9.5
    sample, _ = strange.everyday(strange.made(stream(size, "veil"), size, 4), (462, 462), {"small": small})
    over = sample.image.copy()
    cv2.circle(over, middle, radius, (90, 90, 90), -1, cv2.LINE_AA)
    image = np.asarray(cv2.addWeighted(sample.image, 1 - share, over, share, 0), np.uint8)
    reading = GAME.read(image, LAYOUT)
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == sample.text


def test_a_veil_over_a_corner_of_a_cell_is_its_ground() -> None:
    """Incident: a 4 at the rim of a veil was a part of it, and was missed without a doubt."""
    cell = np.full((60, 60, 3), 10, np.uint8)
    cv2.putText(cell, "4", (15, 53), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (220, 230, 220), 1, cv2.LINE_AA)
    over = cell.copy()
    cv2.fillPoly(over, [np.array([(0, 34), (24, 60), (0, 60)])], (255, 255, 255), cv2.LINE_AA)
    veiled = np.asarray(cv2.addWeighted(cell, 0.65, over, 0.35, 0), np.uint8)
    alone = pieces_in(cell, Box(0, 0, 60, 60), 0.0, pieces.STROKE)
    seen = pieces_in(veiled, Box(0, 0, 60, 60), 0.0, pieces.STROKE)
    assert len(alone.pieces) == len(seen.pieces) == 1
    assert abs(seen.pieces[0].place.height - alone.pieces[0].place.height) <= 1
