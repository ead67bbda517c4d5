"""Lines in nearly the colour of the numbers that they run under, where each number has a colour of its own."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.seeing.glyphs import views
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import glyphs, ink

PITCH, TILE = 100, (222, 242, 249)
BLUE, GREEN, BROWN, PURPLE = (219, 152, 52), (113, 204, 46), (50, 70, 90), (231, 92, 108)
INKS = {"1": BLUE, "2": GREEN, "3": BROWN, "X": PURPLE}
ROWS = ("3 3 3 X", "3 3 1 1", "2 2 1 1", "2 2 1 1")
CHAIN = [(0, 3), (1, 3), (1, 2), (2, 2), (2, 3), (3, 3), (3, 2)]


def middle(cell: tuple[int, int]) -> tuple[int, int]:
    return 90 + cell[1] * PITCH, 90 + cell[0] * PITCH


def window() -> Image:
    image = np.full((480, 480, 3), (235, 246, 250), np.uint8)
    cells = [((r, c), token) for r, row in enumerate(ROWS) for c, token in enumerate(row.split())]
    for cell, _ in cells:
        x, y = middle(cell)
        cv2.rectangle(image, (x - 46, y - 46), (x + 46, y + 46), TILE, -1)
        cv2.rectangle(image, (x - 46, y - 46), (x + 46, y + 46), (150, 160, 170), 1)
    for one, other in pairwise(CHAIN):
        cv2.line(image, middle(one), middle(other), PURPLE, 9, cv2.LINE_AA)
    for cell, token in cells:
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 2.0, 5)
        at = middle(cell)[0] - w // 2, middle(cell)[1] + h // 2
        cv2.putText(image, token, at, cv2.FONT_HERSHEY_DUPLEX, 2.0, INKS[token], 5, cv2.LINE_AA)
    return image


def test_the_line_is_left_out_of_the_number() -> None:
    """Incident: such a 1 was read as a 4, and one as a start, without a doubt."""
    box = Box(middle((1, 2))[0] - 44, middle((1, 2))[1] - 44, 88, 88)
    image, blue, purple = window(), np.array(BLUE, np.float32), np.array(PURPLE, np.float32)
    with_line = ink.content_in_colour(image, box, blue)
    alone = ink.content_in_colour(image, box, blue, line=purple)
    assert with_line.box.width > 60
    assert alone.box.width < 40
    assert glyphs.read_numbers([alone.ink])[0][0][0] == "1"


def test_colours_that_are_drawn_in_a_place() -> None:
    image, colours = window(), [np.array(colour, np.float32) for colour in (BLUE, GREEN, BROWN)]
    image[150:154, 250:254] = GREEN  # a speck
    here = ink.content(image, Box(middle((1, 2))[0] - 44, middle((1, 2))[1] - 44, 88, 88))
    assert [colour.tolist() for colour in views.shown(image, here, colours)] == [list(BLUE)]
    assert len(views.different([*colours, colours[0] + 5])) == 3
    line = views.crossing(image, here)
    assert line is not None
    assert np.abs(line - np.array(PURPLE)).max() < 8


def test_numbers_with_colours_of_their_own_are_read_under_lines() -> None:
    settled = settle(GAME, GAME.read(window(), Layout(game="cardinal-chains")))
    assert settled.playable
    assert GAME.format(settled.puzzle).split("\n") == list(ROWS)
