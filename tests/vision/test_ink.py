"""What is drawn in a cell: its colour, the box and the colour of the ink, and what is left out (walls, specks)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.vision import ink


@pytest.mark.parametrize(
    ("ground", "colour", "why"),
    [
        ((255, 255, 255), (0, 0, 0), "black on white"),
        ((20, 20, 20), (235, 235, 235), "white on black"),
        ((60, 60, 250), (255, 255, 255), "white on red, as a start"),
        ((200, 200, 200), (170, 170, 170), "low contrast"),
        ((40, 180, 40), (200, 60, 40), "equal brightness, other hue"),
    ],
)
def test_ink_is_cut_to_its_box_whatever_the_colours(ground, colour, why):
    patch = np.full((60, 60, 3), ground, np.uint8)
    cv2.rectangle(patch, (20, 12), (33, 47), colour, -1)
    seen = ink.content(patch, Box(0, 0, 60, 60))
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (20, 12, 14, 36), why
    assert np.abs(seen.ground - ground).max() < 2
    assert np.abs(seen.colour - colour).max() < 2
    assert seen.ink.min() > 0.9


def test_a_bare_cell_is_bare_even_with_noise():
    rng = np.random.default_rng(0)
    patch = np.clip(120 + rng.normal(0, 4, (50, 50, 3)), 0, 255).astype(np.uint8)
    assert ink.content(patch, Box(0, 0, 50, 50), noise=4).bare


def test_remnants_of_walls_are_no_ink():
    patch = np.full((50, 50, 3), 240, np.uint8)
    patch[:3] = patch[:, -2:] = (10, 10, 10)
    assert ink.content(patch, Box(0, 0, 50, 50)).bare
    cv2.circle(patch, (25, 25), 8, (90, 90, 90), -1)  # fainter than the walls
    seen = ink.content(patch, Box(0, 0, 50, 50))
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (17, 17, 17, 17)


@pytest.mark.parametrize("radius", [22, 25, 28], ids=["small disc", "fitting disc", "cut-off disc"])
def test_corners_outside_a_disc_are_no_ink(radius):
    """Incident: a start's disc filled most of its cell, and the corners beside it were read as part of its X."""
    patch = np.full((54, 54, 3), 235, np.uint8)
    cv2.circle(patch, (27, 27), radius, (150, 40, 90), -1, cv2.LINE_AA)
    cv2.rectangle(patch, (20, 18), (33, 36), (255, 255, 255), -1)
    (seen,) = ink.contents(patch, [Box(0, 0, 54, 54)], discs=True)
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (20, 18, 14, 19)


@pytest.mark.parametrize(
    ("shape", "colour", "kept", "why"),
    [
        (((0, 14), (9, 35)), (20, 20, 20), True, "as high as the other digit and of its colour"),
        (((0, 14), (9, 35)), (20, 20, 230), False, "of another colour"),
        (((0, 30), (9, 40)), (20, 20, 20), False, "neither as high nor in one line"),
        (((0, 0), (9, 47)), (20, 20, 20), False, "along the whole side, as a wall"),
    ],
)
def test_a_digit_whose_edge_touches_the_border_is_kept(shape, colour, kept, why):
    """Incident: of 65 in a narrow cell only the 5 was read, for the soft edge of the 6 reached the wall's."""
    patch = np.full((48, 48, 3), 245, np.uint8)
    cv2.rectangle(patch, (22, 14), (38, 35), (20, 20, 20), 5)
    cv2.rectangle(patch, *shape, colour, -1)
    if kept:  # only its edge is at the border
        patch[:, 0] = 245
        patch[22:26, 0] = 20
    seen = ink.contents(patch, [Box(0, 0, 48, 48)])[0]
    assert (seen.box.x == 0) == kept, why


def test_a_shaded_cell_has_no_ink_of_its_own():
    ramp = np.linspace(90, 140, 60)[None, :, None]
    patch = np.broadcast_to(ramp, (60, 60, 3)).astype(np.uint8)
    assert ink.content(patch, Box(0, 0, 60, 60)).bare


def test_a_box_outside_the_picture_is_bare():
    assert ink.content(np.zeros((20, 20, 3), np.uint8), Box(40, 40, 10, 10)).bare


def test_one_colour_is_told_from_what_else_is_drawn():
    patch = np.full((60, 60, 3), 255, np.uint8)
    cv2.line(patch, (0, 30), (59, 30), (0, 0, 255), 14)
    cv2.rectangle(patch, (26, 15), (33, 44), (0, 0, 0), -1)
    seen = ink.content_in_colour(patch, Box(0, 0, 60, 60), np.zeros(3, np.float32))
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (26, 15, 8, 30)


@pytest.mark.parametrize("side", [40, 110], ids=["as it is", "made smaller"])
def test_many_places_at_once_show_what_each_shows_alone(side):
    """Shaded and even grounds, noise, walls, specks, nothing at all; some places are cut off by the picture's edges."""
    rng = np.random.default_rng(side)
    image = np.full((6 * side, 8 * side, 3), (90, 140, 60), np.uint8)
    image = np.clip(image + np.linspace(0, 80, image.shape[1])[None, :, None], 0, 255).astype(np.uint8)
    boxes = [Box(c * side - 7, r * side - 5, side, side) for r in range(6) for c in range(8)]
    for k, box in enumerate(boxes):
        x, y = box.x + side // 2, box.y + side // 2
        if k % 4:
            cv2.putText(image, str(k), (x - side // 4, y), cv2.FONT_HERSHEY_SIMPLEX, side / 70, (20, 20, 20 * (k % 7)))
        if k % 5 == 0:
            cv2.rectangle(image, (box.x, box.y), (box.x + side, box.y + side), (250, 250, 250), 2)
    image = np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)
    together = ink.contents(image, boxes, noise=2)
    assert sum(not one.bare for one in together) > 30
    for box, one in zip(boxes, together, strict=True):
        alone = ink.content(image, box, noise=2)
        assert (one.box, one.place, one.ink.shape) == (alone.box, alone.place, alone.ink.shape)
        assert np.allclose(one.ink, alone.ink, atol=1e-4)
        assert np.allclose(one.ground, alone.ground, atol=0.01)
        assert np.allclose(one.colour, alone.colour, atol=0.01)


def test_what_is_outside_of_a_place_is_no_ink():
    patch = np.full((40, 40, 3), 200, np.uint8)
    cv2.rectangle(patch, (18, 10), (22, 30), (0, 0, 0), -1)
    cv2.rectangle(patch, (0, 0), (14, 14), (0, 0, 0), -1)
    outside = np.zeros((1, 40, 40), bool)
    outside[0, :16, :16] = True
    box = Box(100, 50, 40, 40)
    (seen,) = ink.stacked(patch[None], [box], outside=outside)
    assert seen.box == Box(118, 60, 5, 21)
    assert not np.array_equal(seen.ink.shape, ink.stacked(patch[None], [box])[0].ink.shape)


def test_a_rounded_frame_a_pixel_inside_of_a_place_is_no_ink():
    image = np.full((52, 52, 3), 250, np.uint8)
    cv2.rectangle(image, (1, 1), (50, 50), (120, 130, 140), 2)
    cv2.rectangle(image, (22, 14), (29, 37), (20, 20, 20), -1)
    (seen,) = ink.contents(image, [Box(0, 0, 52, 52)], discs=True)
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (22, 14, 8, 24)


def test_the_soft_rim_of_a_rounded_corner_is_no_ink_though_a_pixel_of_the_page_is_outside_of_it():
    """Incident: with it many 1s of segments looked a little like a 4."""
    image = np.full((26, 26, 3), 230, np.uint8)
    for x, y in ((1, 0), (2, 0), (1, 1), (0, 1), (0, 2)):
        image[y + 1, x + 1] = 150
    image[6:20, 12:14] = 20
    (seen,) = ink.contents(image, [Box(0, 0, 26, 26)], discs=True)
    assert (seen.box.x, seen.box.y, seen.box.width, seen.box.height) == (12, 6, 2, 14)


def test_equal_pixels_in_several_places_are_seen_as_each_by_itself():
    """They are looked at once; each is said to stand where it does, also those that the picture's edge cuts off."""
    picture = np.full((130, 190, 3), 230, np.uint8)
    for x, y in ((20, 12), (80, 12), (20, 72), (140, 72)):
        cv2.rectangle(picture, (x, y), (x + 13, y + 35), (30, 60, 90), -1)
    boxes = [Box(x, y, 60, 60) for x in (0, 60, 120) for y in (0, 60)] + [Box(-5, -5, 60, 60), Box(-5, 55, 60, 60)]
    for box, seen in zip(boxes, ink.contents(picture, boxes), strict=True):
        alone = ink.contents(picture, [box])[0]
        assert (seen.place, seen.box, seen.bare, seen.contrast) == (box, alone.box, alone.bare, alone.contrast)
        assert np.array_equal(seen.ink, alone.ink)
        assert np.array_equal(seen.ground, alone.ground)
        assert np.array_equal(seen.colour, alone.colour)


def _commonest(patch: np.ndarray) -> np.ndarray:
    """The mean of what is in the fullest bin of 16 levels, of bins from 0 or from 8 on."""
    pixels = patch.reshape(-1, 3).astype(int)
    bins = [[tuple((pixel + shift) // 16) for pixel in pixels] for shift in (0, 8)]
    fullest = [max(set(each), key=each.count) for each in bins]
    most, each = max(zip(fullest, bins, strict=True), key=lambda one: one[1].count(one[0]))
    return pixels[[one == most for one in each]].mean(axis=0)


def test_the_ground_is_the_mean_of_the_fullest_bin_whether_or_not_most_of_it_is_one_colour():
    rng = np.random.default_rng(3)
    flat = np.full((30, 30, 3), (15, 128, 247), np.uint8)
    flat[5:20, 8:20] = rng.integers(0, 256, (15, 12, 3))
    flat[25:] += np.array((1, 0, 8), np.uint8)  # in another bin, but for a shift
    rough = rng.integers(110, 125, (30, 30, 3)).astype(np.uint8)
    patches = [flat, rough, flat[:20], flat[:0]]
    for patch, colour in zip(patches, ink.ground_colours(patches), strict=True):
        expected = _commonest(patch) if patch.size else np.zeros(3)
        assert colour == pytest.approx(expected, abs=1e-3)
        assert np.array_equal(colour, ink.ground_colour(patch))


def test_walls_with_ground_beyond_them_are_no_ink_but_a_digit_at_the_side_is():
    """Incident: a chain's colour reached beyond the soft rims of rounded cells, and a 7 with one of them was played as
    a 71."""
    ground = np.full((60, 60, 3), (255, 125, 100), np.uint8)
    cv2.rectangle(ground, (24, 16), (32, 43), (250, 250, 250), -1)
    walled = cv2.rectangle(ground.copy(), (55, 6), (56, 53), (230, 220, 220), -1)
    walled = cv2.rectangle(walled, (8, 3), (51, 4), (230, 220, 220), -1)
    digits = cv2.rectangle(ground.copy(), (55, 16), (57, 43), (250, 250, 250), -1)
    seen = [ink.content(image, Box(0, 0, 60, 60)).box for image in (walled, digits)]
    assert seen == [Box(24, 16, 9, 28), Box(24, 16, 34, 28)]


def test_the_strong_part_of_some_ink_is_without_paler_pixels():
    image = np.full((40, 40, 3), 200, np.uint8)
    cv2.rectangle(image, (5, 10), (20, 30), (110, 110, 110), -1)
    cv2.rectangle(image, (14, 12), (19, 28), (0, 0, 0), -1)
    here = ink.content(image, Box(0, 0, 40, 40))
    assert (here.box, ink.strong_part(here)) == (Box(5, 10, 16, 21), Box(14, 12, 6, 17))
