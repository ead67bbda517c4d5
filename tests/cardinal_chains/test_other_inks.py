"""Other ways to see what stands in a place: what the same pixels say twice is no second opinion."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.seeing.glyphs import views
from autoplayer.layout import Layout
from autoplayer.vision import ink

PLACE = Box(10, 10, 60, 60)
DARK = (40, 30, 20)


def place(*, line: bool) -> np.ndarray:
    """A place with a number, and a line of another colour under it or none."""
    image = np.full((80, 80, 3), 210, np.uint8)
    if line:
        cv2.line(image, (40, 10), (40, 69), (60, 160, 230), 8)
    cv2.putText(image, "6", (32, 52), cv2.FONT_HERSHEY_SIMPLEX, 1.0, DARK, 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("line", [True, False])
def test_what_loses_its_pale_pixels_only_is_the_same_glyph(line):
    image = place(line=line)
    here = ink.content(image, PLACE)
    in_colour = ink.content_in_colour(image, PLACE, np.array(DARK, np.float32))
    assert views.is_the_same(here, in_colour) is not line


def tiles(*, corner: bool) -> np.ndarray:
    """Tiles of a colour for each number, and starts as discs on pale tiles; one in a corner with a single neighbour."""
    image = np.full((260, 340, 3), (240, 235, 232), np.uint8)
    colours = {"1": (190, 195, 255), "2": (110, 235, 235), "3": (215, 180, 255), "4": (250, 200, 225)}
    rows = ["X1141.", ".12.12", "3.X.42", "13324X"]
    for r, line in enumerate(rows):
        for c, text in enumerate(line):
            if text == "." or ((r, c) == (0, 0) and not corner):
                continue
            x, y = 40 + 42 * c, 40 + 42 * r
            image[y + 2 : y + 40, x + 2 : x + 40] = colours.get(text, (245, 230, 222))
            if text == "X":
                cv2.circle(image, (x + 21, y + 21), 16, (60, 170, 30) if r == 0 else (130, 130, 0), -1, cv2.LINE_AA)
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
            spot = (x + 22 - w // 2, y + 21 + h // 2)
            cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (10, 10, 10), 2, cv2.LINE_AA)
    return image


def test_a_start_in_a_corner_with_one_neighbour_is_seen():
    reading = GAME.read(tiles(corner=True), Layout(game="cardinal-chains"))
    assert (0, 0) in reading.places
    assert reading.puzzle.rows[0][0] == 0 or any((0, 0) in doubt.cells for doubt in reading.doubts)


def test_where_nothing_stands_in_the_corner_no_start_is_seen():
    reading = GAME.read(tiles(corner=False), Layout(game="cardinal-chains"))
    assert (0, 0) not in reading.places
