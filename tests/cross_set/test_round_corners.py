"""What the round corners of a cell of Cross Set leave in it, and on its walls."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set.seeing.glyphs.marks import rounds_corner
from autoplayer.games.cross_set.seeing.one_cell.neighbours import in_corner
from autoplayer.vision import pieces

CELL = Box(10, 10, 60, 60)


def drawn(corner: str) -> Image:
    """A page on which something stands upon the walls of ``CELL``, in its upper left corner."""
    image = np.full((90, 90, 3), 230, np.uint8)
    if corner == "arc":
        cv2.ellipse(image, (22, 22), (13, 13), 0, 180, 270, (40, 40, 40), 2)
    elif corner == "bar":
        image[8:22, 9:12] = 40
    elif corner == "digit":
        cv2.putText(image, "2", (8, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 40), 2)
    elif corner == "side":
        cv2.ellipse(image, (38, 22), (13, 13), 0, 180, 270, (40, 40, 40), 2)
    return image


@pytest.mark.parametrize(("corner", "expected"), [("arc", True), ("bar", False), ("digit", False), ("side", False)])
@pytest.mark.parametrize("scale", [1, 2])
def test_an_arc_upon_both_walls_of_a_corner_is_its_rounding(corner: str, expected: bool, scale: int) -> None:
    """Incident: in JPEG pictures what was left of round corners, farther into the cell than an eighth, seemed to hide
    a number or to be one that stands upon the walls."""
    (piece,) = pieces.find(drawn(corner), Box(0, 0, 80, 80), scale=scale).pieces
    assert rounds_corner(piece, CELL) == expected
    assert in_corner(piece, CELL) == expected


@pytest.mark.parametrize("scale", [1, 3])
def test_a_number_that_touches_a_round_corner_by_its_soft_edge_is_no_wall(scale: int) -> None:
    """Incident: on a board with a slot for each number the 1 touched the round corner in most cells, and was left out
    with it; since that was so in most cells, it was not even in doubt."""
    image = drawn("arc")
    image[15:25, 17:20] = 90
    image[13:15, 17:20] = 190
    place = pieces.find(image, CELL, scale=scale)
    assert [(p.place.x, p.place.width) for p in place.pieces] == [(17, 3)]
    assert not place.swallowed


@pytest.mark.parametrize("radius", [10, 11])
def test_a_side_with_the_round_corners_at_its_ends_is_a_wall(radius: int) -> None:
    """Incident: the lower wall of one cell reached in, with its corners; it was no number in any way to divide the
    cell, and the one that joined a broken 2 was lost for it."""
    image = np.full((90, 90, 3), 230, np.uint8)
    for middle, first in ((11 + radius, 90), (68 - radius, 0)):
        cv2.ellipse(image, (middle, 69 - radius), (radius, radius), 0, first, first + 90, (40, 40, 40), 2)
    image[67:71, 11 + radius : 69 - radius] = 40
    image[30:44, 30:33] = 90
    place = pieces.find(image, CELL, scale=1)
    assert [p.place.x for p in place.pieces] == [30]
    assert not place.swallowed
