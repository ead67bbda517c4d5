"""Starts that show a letter each, in colours of their own, on the numbers' own ground: some look like an X or like a
digit, others like nothing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.glyphs import tokens
from autoplayer.games.cardinal_chains.seeing.lettered import take_inks_of_their_own
from autoplayer.layout import Layout
from autoplayer.vision import ink
from autoplayer.vision.views import View
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_first_levels import read
from tests.cardinal_chains.test_without_a_doubt import WHITE, cells, middle, page, played, tile

ROWS = ["X 1 1 1 1", "3 . 2 . 1", "2 X 2 3 2", "X 3 2 4 5", "1 1 X 4 4"]
COLOURS = (230, 25, 75), (60, 120, 216), (56, 168, 56), (240, 144, 0)
"""RGB, of the starts."""


def window(letters: str, rows: Sequence[str] = ROWS, colours: Sequence[tuple[int, int, int]] = COLOURS) -> Image:
    """Grey tiles on a white page, dark numbers, and a letter in a colour for each start; ``colours``: of the starts."""
    page = Picture.new("RGB", (420, 420), (255, 255, 255))
    draw, face = ImageDraw.Draw(page), ImageFont.load_default(26)
    starts = iter(zip(letters, colours, strict=True))
    for r, line in enumerate(rows):
        for c, token in enumerate(line.split()):
            x, y = 60 + 60 * c, 60 + 60 * r
            if token != ".":
                draw.rectangle((x + 2, y + 2, x + 57, y + 57), (244, 244, 244))
                text, colour = next(starts) if token == "X" else (token, (34, 34, 34))
                draw.text((x + 30, y + 30), text, colour, face, anchor="mm")
    return np.ascontiguousarray(np.asarray(page)[:, :, ::-1])


@pytest.mark.parametrize("letters", ["ABCX", "XBSG"])
def test_letters_in_colours_of_their_own_are_starts_beside_one_that_looks_like_it(letters: str) -> None:
    """Incident: a B was read as an 8 without a doubt beside a D that was taken for an X."""
    reading = GAME.read(window(letters), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == ROWS
    assert not reading.doubts


def test_numbers_in_the_colour_of_a_chain_are_no_letters() -> None:
    """Of two starts whose numbers take their colour; the second one's chain has begun."""
    rows = ["X 1 1 8 8", "3 2 2 3 1", "2 X 2 3 2"]
    page = window("XX", rows, COLOURS[:2])
    for r, c in ((0, 3), (0, 4)):
        patch = np.s_[60 * r + 62 : 60 * r + 118, 60 * c + 62 : 60 * c + 118]
        dark = (244 - page[patch].astype(float)) / 210
        page[patch] = (244 - dark * (244 - np.array(COLOURS[1][::-1]))).round().clip(0, 255)
    reading = GAME.read(page, Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == rows


@pytest.mark.parametrize("disc", [True, False])
def test_letters_in_the_numbers_ink_on_colours_of_their_own_are_starts(disc: bool) -> None:
    """Incident: a window with white numbers and white letters was read with an 8 for the B."""
    rows, letters = ["2 3 3", "1 X 3", "2 X 3"], iter((("A", (79, 79, 217)), ("B", (208, 127, 63))))
    image = page(rows, 60, (58, 47, 43))
    for cell, token in cells(rows).items():
        tile(image, middle(cell, 60), 28, (82, 66, 60))
        if token == "X":
            text, colour = next(letters)
            if disc:
                cv2.circle(image, middle(cell, 60), 20, colour, -1, cv2.LINE_AA)
            else:
                tile(image, middle(cell, 60), 28, colour)
        write(image, text if token == "X" else token, middle(cell, 60), 0.9, WHITE)
    assert played(image) == rows


def test_the_highest_number_is_no_letter_where_each_number_has_a_colour() -> None:
    """Without the rule, a 4 above 2s was in doubt: it might have been an A on a colour of its own."""
    rows, tints = ["X 1", "2 1", "2 X", "4 2"], {"1": (80, 50, 110), "2": (100, 120, 50), "4": (40, 90, 80)}
    image = page(rows, 76, (50, 45, 45))
    for cell, token in cells(rows).items():
        tile(image, middle(cell, 76), 34, tints.get(token, (255, 160, 50) if cell[1] else (60, 55, 55)))
        if cell == (0, 0):
            cv2.circle(image, middle(cell, 76), 31, (0, 150, 160), -1, cv2.LINE_AA)
        write(image, token, middle(cell, 76), 1.1, WHITE)
    assert read(image) == (rows, True)


def test_a_number_on_a_colour_of_its_own_is_no_letter_where_one_that_is_surely_none_has_one_too() -> None:
    """In the middle of play, when chains hide the colours of most numbers, an 8 was taken for a B, in doubt."""
    rows, green, blue = ["3 X", "6 7", "8 X", "9 7", "X 3"], (58, 194, 70), (255, 149, 128)
    own = {(1, 1): (103, 229, 229), (2, 0): (255, 255, 146), (2, 1): (232, 213, 251)}
    image = page(rows, 60, (240, 225, 250))
    for cell, token in cells(rows).items():
        tile(image, middle(cell, 60), 28, (20, 20, 20))
        tile(image, middle(cell, 60), 26, own.get(cell, green if cell[0] < 2 else blue))
        write(image, token, middle(cell, 60), 1.0, (0, 0, 0))
    assert played(image) == rows


Drawn = tuple[str, int, int, tuple[int, int, int]]
"""A token, half the height and half the breadth of its mark in pixels, and its colour, BGR."""


def taken(drawn: Sequence[Drawn]) -> dict[int, str]:
    """What some marks in a row, on a dark ground, are once those with inks of their own are taken for starts."""
    image, seen, contents = np.full((60, 60 * len(drawn) + 60, 3), 40, np.uint8), {}, {}
    for k, (token, half, across, colour) in enumerate(drawn):
        x = 30 + 60 * k
        tile(image, (x, 30), half, colour)
        box, ground, own = Box(x - across, 30 - half, 2 * across, 2 * half), np.full(3, 40.0), np.array(colour, float)
        mark = np.ones((2 * half, 2 * across), np.float32)
        contrast = float(np.abs(own - ground).max())
        contents[0, k] = ink.Content(ground, mark, box, own, contrast, Box(x - 24, 0, 48, 60))
        seen[0, k] = tokens.Glyph(((token, 0.99),), k)
    take_inks_of_their_own(View(image, np.zeros(image.shape[:2], np.uint8), 0.0, 12.0, True), seen, contents)
    return {k: seen[0, k].candidates[0][0] for k in range(len(drawn))}


@pytest.mark.parametrize("reach", [0, 4])
def test_what_reaches_the_border_of_its_place_is_no_disc_with_a_letter(reach: int) -> None:
    """A chain's line makes as large a mark of a number as a start's disc is; boards in play became wrong."""
    white = (240, 240, 240)
    said = taken(
        [("3", 8, 8, white), ("2", 8, 8, white), ("X", 20, 20, (60, 60, 220)), ("5", 20, 20 + reach, (60, 200, 60))]
    )
    assert (said[3] == "X") is (reach == 0)


@pytest.mark.parametrize("green", [194, 240])
def test_an_ink_that_thin_strokes_make_paler_in_some_cells_is_one_ink(green: int) -> None:
    """With numbers in chains' colours among them the median is none of the inks, and a 4 that was a little brighter
    than the rest was taken for a start (silently wrong)."""
    plain = [("3", (128, 180, 134)), ("6", (128, 182, 134)), ("7", (126, 160, 130)), ("8", (127, 176, 133))]
    chains = [("2", (24, 60, 90)), ("2", (90, 60, 24)), ("1", (100, 42, 96)), ("1", (24, 58, 88))]
    marks = [*plain, *chains, ("X", (30, 30, 80)), ("4", (130, green, 138))]
    said = taken([(token, 8, 5, colour) for token, colour in marks])
    assert (said[len(marks) - 1] == "X") is (green == 240)


@pytest.mark.parametrize("red", [75, 220])
def test_a_speck_of_a_texture_in_a_hole_is_no_sign_in_an_ink_of_its_own(red: int) -> None:
    """It was taken for a start beside two that had colours (silently wrong)."""
    white, signs = (240, 240, 240), [("X", 8, 5, (220, 40, 40)), ("X", 8, 5, (40, 220, 40)), ("", 8, 5, (40, 40, red))]
    assert (taken([("3", 8, 5, white), ("2", 8, 5, white), *signs])[4] == "X") is (red == 220)
