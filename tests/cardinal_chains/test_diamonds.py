"""Diamonds on a page below a heading, the starts with a dot and an outline in the heading's ink: drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import player
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.games.cardinal_chains.seeing import board
from autoplayer.games.cardinal_chains.seeing.glyphs.tokens import Eyes
from autoplayer.layout import Layout
from autoplayer.vision.lattice import Lattice, edge_strength
from autoplayer.vision.views import View

LAYOUT = Layout(game="cardinal-chains")
FACE, PITCH = cv2.FONT_HERSHEY_SIMPLEX, 80
PAGE, INK, WHITE, RIM = (230, 239, 244), (68, 85, 85), (255, 255, 255), (174, 191, 201)
CHAINS = (245, 208, 154), (154, 192, 245), (164, 232, 183)
MANY = parse(". X 1 4 . X\n. . 1 4 . 1\n. 2 2 3 . 1\n. 3 . 3 2 2\n. 3 4 3 1 1\n4 4 . 2 2 X")
FIRST: tuple[Cell, ...] = ((0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (3, 1), (4, 1), (5, 1), (5, 0))
SECOND: tuple[Cell, ...] = ((0, 5), (1, 5), (2, 5), (3, 5), (3, 4), (3, 3), (2, 3), (1, 3), (0, 3))
THIRD: tuple[Cell, ...] = ((5, 5), (4, 5), (4, 4), (5, 4), (5, 3), (4, 3), (4, 2))


def diamonds(puzzle: Puzzle, heading: str, drawn: tuple[tuple[Cell, ...], ...] = ()) -> Image:
    """``drawn``: the chains."""
    image = np.full((640, 1000, 3), PAGE, np.uint8)
    cv2.putText(image, heading, (430, 40), FACE, 0.8, INK, 2, cv2.LINE_AA)
    owner = {cell: k for k, chain in enumerate(drawn) for cell in chain} | {s: k for k, s in enumerate(puzzle.starts)}
    for k, chain in enumerate(drawn):
        line = np.array([(300 + c * PITCH, 106 + r * PITCH) for r, c in chain], np.int32)
        cv2.polylines(image, [line], False, CHAINS[k], 18, cv2.LINE_AA)
    for (r, c), value in puzzle.cells.items():
        x, y, half = 300 + c * PITCH, 106 + r * PITCH, 35
        corners = np.array([(x, y - half), (x + half, y), (x, y + half), (x - half, y)], np.int32)
        cv2.fillPoly(image, [corners], CHAINS[owner[r, c]] if (r, c) in owner else WHITE)
        cv2.polylines(image, [corners], True, RIM if value else INK, 2 if value else 3, cv2.LINE_AA)
        if value:
            cv2.putText(image, str(value), (x - 7, y + 9), FACE, 0.8, (187, 123, 43), 2, cv2.LINE_AA)
        else:
            cv2.circle(image, (x, y), 10, INK, -1, cv2.LINE_AA)
    return image


def test_the_letters_of_a_heading_do_not_skew_the_lattice() -> None:
    """Incident: the heading's letters had been among the marks that gave the lattice. The board was read all the same,
    but its places were some pixels off, and a chain's fill was not seen in all of them."""
    image = diamonds(MANY, "Level 1 of 2")
    skewed = frozenset({*((r + 1, c) for r, c in MANY.cells), (0, 2), (0, 3)})
    found = Lattice(298, 32, 81, 78.4, 14, 22, skewed)
    seen = board._look(View(image, edge_strength(image), 0.0, 12.0, False), found, Eyes())
    assert seen is not None
    for r, c in MANY.cells:
        x, y = seen.lattice.box((r + 1, c)).centre
        assert max(abs(x - 300 - c * PITCH), abs(y - 106 - r * PITCH)) <= 2


@pytest.mark.parametrize("heading", ["Rhombi 1 / 2", "Level 1"])
def test_the_fill_of_a_diamond_is_seen_though_it_is_less_than_the_page_around_it(heading: str) -> None:
    """Incident: the page around a start was taken for its colour, and none of what was drawn for its chain; with two
    chains drawn the board was another one."""
    reading = read(diamonds(MANY, heading), LAYOUT)
    assert reading.puzzle == MANY
    for drawn in ((FIRST,), (FIRST, SECOND)):
        seen = player.progress(reading, MANY, (FIRST, SECOND, THIRD), diamonds(MANY, heading, drawn))
        assert (seen.present, seen.done, seen.wrong) == (True, 8 * len(drawn), 0)


def test_starts_are_diamonds_with_an_outline_that_nearly_fills_their_places() -> None:
    """Incident: on a lattice that was exact they reached from side to side, as a picture in a hole does, and 4s were
    taken for letters instead."""
    reading = read(diamonds(MANY, "Level 1"), LAYOUT)
    assert reading.puzzle == MANY
    assert {cell for doubt in reading.doubts for cell in doubt.cells} <= set(MANY.starts)
