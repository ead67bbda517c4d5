"""Holes that show a pattern."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing import starts
from autoplayer.games.cardinal_chains.seeing.glyphs.tokens import Glyph
from autoplayer.games.cardinal_chains.seeing.lattice.growth import Growth
from autoplayer.layout import Layout
from autoplayer.vision import ink
from autoplayer.vision.lattice import Lattice, edge_strength
from autoplayer.vision.views import View
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_without_a_doubt import WHITE, cells, middle, page

ROWS = ("X12.4", "2.34X", "334.5", "11.25")
SIDE = 54


def window(pattern: np.ndarray | None) -> np.ndarray:
    """A table with thin lines in which holes show ``pattern``; starts are white on discs."""
    image = np.full((300, 420, 3), (248, 254, 255), np.uint8)
    for r, line in enumerate(ROWS):
        for c, text in enumerate(line):
            x, y = 40 + (SIDE + 1) * c, 30 + (SIDE + 1) * r
            if text == "." and pattern is not None:
                image[y : y + SIDE, x : x + SIDE] = pattern
            elif text != ".":
                if text == "X":
                    cv2.circle(
                        image, (x + 27, y + 27), 20, (60, 60, 190) if r == 0 else (170, 110, 30), -1, cv2.LINE_AA
                    )
                (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 2)
                spot, colour = (x + 27 - w // 2, y + 27 + h // 2), (255, 255, 255) if text == "X" else (120, 20, 20)
                cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, 2, cv2.LINE_AA)
            cv2.rectangle(image, (x - 1, y - 1), (x + SIDE, y + SIDE), (150, 150, 150), 1)
    return image


def hatching(step: int) -> np.ndarray:
    y, x = np.mgrid[:SIDE, :SIDE]
    dark = ((x - y) % (2 * step)) < step
    return np.where(dark[..., None], np.uint8(34), np.uint8(119)).repeat(3, axis=2)


def bricks() -> np.ndarray:
    y, x = np.mgrid[:SIDE, :SIDE]
    gap = (y % 9 == 0) | ((x + 9 * (y // 9 % 2)) % 18 == 0)
    return np.where(gap[..., None], np.uint8(210), np.array((60, 70, 150), np.uint8))


@pytest.mark.parametrize(
    "pattern", [None, hatching(4), hatching(3), bricks()], ids=["bare", "broad", "narrow", "bricks"]
)
def test_the_same_pattern_in_several_places_is_no_cover_of_numbers(pattern):
    reading = GAME.read(window(pattern), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).replace(" ", "").split() == list(ROWS)
    assert not reading.doubts


def test_the_page_in_two_holes_without_a_wall_between_them_is_no_chain_that_hides_a_number() -> None:
    """Incident: one of the holes, of which a wall's edge was seen, was settled as a 5 by the rules."""
    rows, pitch = ["5 . 4 4 5 1 1", "5 4 4 4 . . X", "5 5 . 4 4 4 4", "5 5 . 4 4 X 1"], 40
    image, at = page(rows, pitch, (30, 24, 42)), cells(rows)
    for colour, thick in (((58, 46, 74), -1), ((180, 165, 185), 3)):
        for x, y in (middle(cell, pitch) for cell in at):
            cv2.rectangle(image, (x - 20, y - 20), (x + 20, y + 20), colour, thick)
    for cell, token in at.items():
        write(image, token, middle(cell, pitch), 0.6, WHITE)
    x, y = middle((0, 0), pitch)
    found = Lattice(x, y, pitch, pitch, 39, 39, frozenset(at) | {(1, 5)}, frozenset({(1, 5)}))
    growth = Growth(View(image, edge_strength(image), 0.0, 12.0, True), found)
    growth.learn()
    growth.grow(growth.is_walled)
    growth.look_under_lines()
    assert not growth.hidden


def test_a_black_cell_between_walls_is_a_hole_beside_starts_that_are_discs() -> None:
    """Incident: it may have been one more start, and the rules could not tell; of two side by side nothing was said."""
    image = page(["X12."], SIDE, WHITE)
    places = {cell: Box(middle(cell, SIDE)[0] - 25, middle(cell, SIDE)[1] - 25, 50, 50) for cell in np.ndindex(1, 4)}
    cv2.circle(image, places[0, 0].centre, 11, (0, 0, 0), -1, cv2.LINE_AA)
    write(image, "1", places[0, 1].centre, 0.9, (0, 0, 0))
    write(image, "2", places[0, 2].centre, 0.9, (0, 0, 0))
    places[0, 3].crop(image)[...] = 0
    view = View(image, edge_strength(image), 0.0, 12.0, True)
    lattice = Lattice(*places[0, 0].centre, SIDE, SIDE, 50, 50, frozenset(places))
    contents = {cell: ink.content(image, box) for cell, box in places.items()}
    seen = {cell: Glyph((("" if cell[1] in (0, 3) else str(cell[1]), 1.0),), cell[1]) for cell in places}
    numbers = [(0, 1), (0, 2)]
    grounds, inks = (np.stack([getattr(contents[one], of) for one in numbers]) for of in ("ground", "colour"))
    board = starts._Numbers(view, lattice, seen, contents, numbers, frozenset(places), grounds, inks, set(), set())
    starts._take_looks(board, [(0, 0), (0, 3)], [(0, 0)], [(0, 0)])
    assert board.seen[0, 0].candidates[0][0] == "X"
    assert not dict(board.seen[0, 3].candidates).get("X")
