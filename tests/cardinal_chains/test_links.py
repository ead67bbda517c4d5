"""What lies between two cells: the line of a drawn chain, and what resembles one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains.seeing.lattice.links import link
from autoplayer.vision import lattice
from autoplayer.vision.views import View

GROUND, LINE, INK = (30, 30, 30), (110, 60, 100), (240, 240, 240)
LEFT, RIGHT, PITCH = (60, 80), (140, 80), 80
BETWEEN = 0.3


def two_cells() -> Image:
    """Dark cells, 70 pixels wide, with a gap of 10 between them."""
    image = np.full((160, 200, 3), GROUND, np.uint8)
    cv2.rectangle(image, (96, 0), (104, 159), (60, 60, 60), -1)
    return image


def linked(image: Image) -> bool:
    view = View(image, lattice.edge_strength(image), 2.0, 12.0, True)
    return link(view, LEFT, RIGHT, BETWEEN, np.array(GROUND, np.float32)) is not None


@pytest.mark.parametrize("reach", [0.28, 0.32])
@pytest.mark.parametrize("at_left", [True, False])
def test_a_glyph_that_reaches_farther_than_others_hides_no_line(reach: float, at_left: bool) -> None:
    image = two_cells()
    cv2.line(image, LEFT, RIGHT, LINE, 12)
    far = round(reach * PITCH)
    x = LEFT[0] + far - 3 if at_left else RIGHT[0] - far
    cv2.rectangle(image, (x, 60), (x + 3, 100), INK, -1)
    assert linked(image)


def test_a_glyph_in_the_middle_of_the_way_is_no_line() -> None:
    image = two_cells()
    cv2.line(image, LEFT, RIGHT, LINE, 12)
    cv2.rectangle(image, (98, 60), (101, 100), INK, -1)
    assert not linked(image)


def test_a_line_that_ends_before_a_cell_does_not_lead_into_it() -> None:
    image = two_cells()
    cv2.line(image, LEFT, (110, 80), LINE, 12)
    image[:, 114:] = GROUND
    assert not linked(image)


def test_a_gap_between_two_cells_is_no_line() -> None:
    image = two_cells()
    cv2.rectangle(image, (86, 0), (114, 159), (60, 60, 60), -1)
    assert not linked(image)


def test_two_filled_cells_of_different_colours_are_not_linked() -> None:
    image = two_cells()
    image[50:110, 30:97] = LINE
    image[50:110, 97:170] = (40, 140, 60)
    assert not linked(image)
