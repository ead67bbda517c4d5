"""Glyphs with an outline, a glow or a shadow of another colour: only the glyph itself is read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.vision import glyphs, ink

Colour = tuple[int, int, int]

SIDE = 64
DIGITS = "1234567"
WHITE, BLACK, BLUE, ORANGE = (255, 255, 255), (20, 20, 24), (190, 110, 60), (30, 130, 240)


def window(outline: Colour, fill: Colour, ground: Colour, thick: int) -> Image:
    """Digits side by side, each in a place of ``SIDE`` pixels, with an outline of ``thick`` pixels; none where 0."""
    glyph = np.zeros((SIDE, SIDE * len(DIGITS)), np.uint8)
    for i, digit in enumerate(DIGITS):
        cv2.putText(glyph, digit, (i * SIDE + 17, SIDE - 14), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 255, 5, cv2.LINE_AA)
    around = cv2.dilate(glyph, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * thick + 1, 2 * thick + 1)))
    sheet = np.full((*glyph.shape, 3), ground, np.float32)
    for cover, colour in ((around, outline), (glyph, fill)):
        share = cover[..., None].astype(np.float32) / 255
        sheet = sheet * (1 - share) + np.array(colour, np.float32) * share
    return np.asarray(np.rint(sheet), np.uint8)


def places() -> list[Box]:
    return [Box(i * SIDE + 3, 3, SIDE - 6, SIDE - 6) for i in range(len(DIGITS))]


def said(found: list[ink.Content]) -> tuple[str, float]:
    """What the network reads, and how sure it is of the least sure one."""
    best = [options[0] for options in glyphs.read_numbers([here.ink for here in found])]
    return "".join(token for token, _ in best), min(p for _, p in best)


@pytest.mark.parametrize(
    ("outline", "fill", "ground"),
    [
        pytest.param(BLACK, WHITE, BLUE, id="white with a dark outline on a coloured tile"),
        pytest.param(BLACK, WHITE, WHITE, id="hollow: what is inside has the ground's colour"),
        pytest.param(ORANGE, WHITE, BLACK, id="light with a coloured outline on a dark tile"),
        pytest.param(WHITE, BLACK, BLUE, id="dark with a light outline"),
    ],
)
def test_a_thick_outline_is_left_out(outline: Colour, fill: Colour, ground: Colour) -> None:
    found = ink.contents(window(outline, fill, ground, 4), places())
    plain = ink.contents(window(outline, BLACK if sum(ground) > 200 else WHITE, ground, 0), places())
    for here, bare in zip(found, plain, strict=True):
        assert abs(here.box.height - bare.box.height) <= 2
        assert abs(here.box.x - bare.box.x) <= 2
        assert abs(here.box.y - bare.box.y) <= 2
    token, least = said(found)
    assert token == DIGITS
    assert least > 0.9


def test_a_hollow_glyph_is_filled() -> None:
    sheet = window(BLACK, WHITE, WHITE, 1)
    found = ink.contents(sheet, places())
    assert said(found)[0] == DIGITS
    middle = [here.ink[len(here.ink) // 2 - 4 : len(here.ink) // 2 + 4].max() for here in found]
    assert min(middle) > 0.8


def test_plain_glyphs_stay_as_they_are() -> None:
    sheet = window(BLACK, BLACK, WHITE, 0)
    boxes = places()
    one_by_one = [ink.content(sheet, box) for box in boxes]
    for here, alone in zip(ink.contents(sheet, boxes), one_by_one, strict=True):
        assert here.box == alone.box
        assert np.array_equal(here.ink, alone.ink)


def test_the_hole_of_a_four_is_no_glyph() -> None:
    sheet = np.full((SIDE, 4 * SIDE, 3), WHITE, np.uint8)
    four = np.array([[40, 56], [40, 8], [12, 46], [50, 46]], np.int32)
    for i in range(4):
        cv2.polylines(sheet, [four + np.array([i * SIDE, 0], np.int32)], False, BLACK, 2, cv2.LINE_AA)
    found = ink.contents(sheet, places()[:4])
    assert [here.box for here in found] == [ink.content(sheet, box).box for box in places()[:4]]
    assert said(found)[0] == "4444"


def test_numbers_in_rings_are_not_taken_for_outlines() -> None:
    sheet = window(BLACK, BLACK, WHITE, 0)
    for i in range(len(DIGITS)):
        cv2.circle(sheet, (i * SIDE + SIDE // 2, SIDE // 2), 26, BLACK, 2, cv2.LINE_AA)
    boxes = places()
    one_by_one = [ink.content(sheet, box) for box in boxes]
    for here, alone in zip(ink.contents(sheet, boxes), one_by_one, strict=True):
        assert here.box == alone.box
        assert np.array_equal(here.ink, alone.ink)


def shadowed(fill: Colour, shade: Colour, ground: Colour, right: int, down: int) -> Image:
    """Glyphs with a hard shadow that is moved to the right and down."""
    shadow = np.roll(window(BLACK, shade, ground, 0), (down, right), (0, 1))
    own = window(BLACK, fill, ground, 0).astype(np.float32)
    cover = np.abs(own - ground).max(axis=2, keepdims=True) / np.abs(np.subtract(fill, ground)).max()
    return np.asarray(np.rint(shadow * (1 - cover) + np.array(fill, np.float32) * cover), np.uint8)


@pytest.mark.parametrize(("right", "down"), [(3, 3), (-3, 2), (0, 4)])
@pytest.mark.parametrize(
    ("fill", "shade", "ground"), [(WHITE, ORANGE, BLACK), (BLACK, ORANGE, WHITE), (ORANGE, BLACK, WHITE)]
)
def test_a_hard_shadow_is_left_out(fill: Colour, shade: Colour, ground: Colour, right: int, down: int) -> None:
    boxes = places()
    alone = ink.contents(window(BLACK, fill, ground, 0), boxes)
    found = ink.contents(shadowed(fill, shade, ground, right, down), boxes)
    for here, bare in zip(found, alone, strict=True):
        assert abs(here.box.height - bare.box.height) <= 1
        assert abs(here.box.x - bare.box.x) <= 1
        assert abs(here.box.y - bare.box.y) <= 1
    assert said(found)[0] == DIGITS


def test_a_glyph_in_the_colour_of_the_others_shadows_stays_as_it_is() -> None:
    sheet, boxes = shadowed(WHITE, ORANGE, BLACK, 3, 3), places()
    last = boxes[-1]
    last.crop(sheet)[...] = last.crop(window(BLACK, ORANGE, BLACK, 0))
    found = ink.contents(sheet, boxes)
    assert said(found)[0] == DIGITS
    assert np.array_equal(found[-1].ink, ink.content(sheet, last).ink)


def test_glyphs_in_many_colours_have_no_shadows() -> None:
    sheet = np.concatenate(
        [window(BLACK, (BLACK, ORANGE, BLUE)[i % 3], WHITE, 0)[:, i * SIDE : (i + 1) * SIDE] for i in range(7)], axis=1
    )
    one_by_one = [ink.content(sheet, box) for box in places()]
    for here, alone in zip(ink.contents(sheet, places()), one_by_one, strict=True):
        assert here.box == alone.box
        assert np.array_equal(here.ink, alone.ink)
