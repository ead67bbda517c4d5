"""A cell that is partly covered by something translucent: its two backgrounds are distinguished, and only what is drawn
on them is ink."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.vision import ink, rims

WHOLE = Box(0, 0, 48, 48)


def veiled(patch: Image, middle: tuple[int, int], radius: int, thick: int, colour: tuple[int, int, int]) -> Image:
    """``patch`` under a translucent disc, or a ring of ``thick`` pixels."""
    over = patch.copy()
    cv2.circle(over, middle, radius, colour, thick, cv2.LINE_AA)
    return np.asarray(cv2.addWeighted(patch, 0.72, over, 0.28, 0), np.uint8)


def cell(ground: tuple[int, int, int], glyph: tuple[int, int, int] | None) -> Image:
    patch = np.full((48, 48, 3), ground, np.uint8)
    if glyph is not None:
        cv2.rectangle(patch, (20, 12), (27, 35), glyph, -1)
    return patch


@pytest.mark.parametrize(
    ("ground", "glyph", "veil", "why"),
    [
        ((250, 250, 250), (20, 20, 20), (90, 90, 90), "grey on a light cell"),
        ((30, 30, 30), (240, 240, 240), (255, 255, 255), "white on a dark cell"),
        ((60, 150, 60), (250, 250, 250), (200, 60, 60), "a colour on a colour"),
    ],
)
@pytest.mark.parametrize(("middle", "radius", "thick"), [((0, 24), 23, -1), ((24, 60), 38, -1), ((-6, 24), 30, 6)])
def test_the_ink_beside_a_veils_rim_is_the_glyph_alone(ground, glyph, veil, why, middle, radius, thick):
    patch = veiled(cell(ground, glyph), middle, radius, thick, veil)
    seen = rims.content(patch, WHOLE)
    assert seen is not None, why
    assert abs(seen.box.x - 20) <= 1, why
    assert abs(seen.box.y - 12) <= 1, why
    assert abs(seen.box.width - 8) <= 2, why
    assert abs(seen.box.height - 24) <= 2, why
    assert seen.ink.mean() > 0.8, why


def test_a_rim_alone_is_no_ink():
    patch = veiled(cell((245, 240, 235), None), (0, 24), 23, -1, (60, 60, 200))
    seen = rims.content(patch, WHOLE)
    assert seen is not None
    assert seen.bare


@pytest.mark.parametrize("glyph", [None, (20, 20, 20)], ids=["bare", "with a glyph"])
def test_a_place_with_one_ground_has_no_rim(glyph):
    assert rims.content(cell((250, 250, 250), glyph), WHOLE) is None


def test_a_glyph_that_leaves_the_place_is_no_other_ground():
    patch = cell((250, 250, 250), None)
    cv2.line(patch, (24, 0), (24, 30), (20, 20, 20), 4)
    assert rims.parting(patch) is None


def test_places_with_another_colour_at_their_border_are_marked():
    plain = cell((250, 250, 250), (20, 20, 20))
    image = np.hstack([plain, veiled(plain, (0, 24), 23, -1, (90, 90, 90))])
    marked = [one.uneven for one in ink.contents(image, [WHOLE, Box(48, 0, 48, 48)])]
    assert marked == [False, True]


@pytest.mark.parametrize(
    ("ground", "line", "glyph"),
    [((30, 30, 30), (80, 220, 250), (0, 0, 0)), ((240, 240, 240), (160, 30, 120), (255, 255, 255))],
)
@pytest.mark.parametrize("end", [24, 48])
def test_a_glyph_upon_the_end_of_a_line_is_the_ink_alone(ground, line, glyph, end):
    patch = np.full((48, 48, 3), ground, np.uint8)
    cv2.line(patch, (0, 24), (end, 24), line, 24, cv2.LINE_AA)
    patch[16:33, 14:20] = glyph
    seen = rims.upon_a_line(patch, WHOLE)
    assert seen is not None
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (14, 16, 6, 17)


def test_where_no_line_comes_in_none_is_taken_away():
    patch = cell((250, 250, 250), (20, 20, 20))
    cv2.circle(patch, (24, 24), 20, (60, 150, 60), -1, cv2.LINE_AA)
    assert rims.upon_a_line(patch, WHOLE) is None


@pytest.mark.parametrize(("share", "through"), [(0.7, True), (0.0, False)], ids=["a veil", "a pointer"])
def test_through_what_is_translucent_the_walls_are_seen(share, through):
    image = np.full((60, 60, 3), 245, np.uint8)
    cv2.rectangle(image, (5, 5), (54, 54), (30, 30, 30), 2)
    over = image.copy()
    cv2.circle(over, (0, 30), 25, (150, 90, 90), -1)
    seen = np.asarray(cv2.addWeighted(image, share, over, 1 - share, 0), np.uint8)
    box = Box(8, 8, 44, 44)
    found = rims.parting(box.crop(seen))
    assert found is not None
    assert rims.is_translucent(seen, box, found, 5) == through
