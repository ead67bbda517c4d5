"""Numbers in rings that lines join: how much of a place is inside of its ring."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.lattice.ringed import inside_of_rings
from autoplayer.layout import Layout
from autoplayer.vision.lattice import Lattice, edge_strength
from autoplayer.vision.views import View
from tests.cardinal_chains.test_chains_over_starts import write
from tests.cardinal_chains.test_without_a_doubt import COLOURS, WHITE, cells, middle, page, tile

PITCH, RADIUS = 52, 18
DARK, LINE, RIM = (58, 50, 46), (100, 94, 90), (170, 166, 164)


@pytest.mark.parametrize(
    ("rows", "widest"),
    [(["2 2 2 1 1", "2 2 X 9 9", "1 1 1 9 8"], 9), (["12 12 12 10 10", "12 12 X 9 9", "11 11 11 9 8"], 16)],
    ids=["one digit", "two digits"],
)
def test_what_is_looked_at_in_a_ring_holds_all_of_its_number(rows: Sequence[str], widest: int) -> None:
    """Incident: of each 10 only the 0 was seen, for no box that is higher than the numbers by as much as it is broader
    fits between a broad number and its ring."""
    image, at = page(rows, PITCH, DARK), cells(rows)
    for r, c in at:
        for near in ((r + 1, c), (r, c + 1)):
            if near in at:
                cv2.line(image, middle((r, c), PITCH), middle(near, PITCH), LINE, 2)
    for cell, token in at.items():
        cv2.circle(image, middle(cell, PITCH), RADIUS, DARK, -1, cv2.LINE_AA)
        cv2.circle(image, middle(cell, PITCH), RADIUS, RIM, 2, cv2.LINE_AA)
        write(image, token, middle(cell, PITCH), 0.42, WHITE)
    x, y = middle((0, 0), PITCH)
    inside = inside_of_rings(
        View(image, edge_strength(image), 0.0, 12.0, False), Lattice(x, y, PITCH, PITCH, 8, 9, frozenset(at))
    )
    assert inside is not None
    assert widest <= inside[0] * PITCH < 2 * RADIUS
    assert 9 <= inside[1] * PITCH < 2 * RADIUS


def test_numbers_beside_a_board_in_rings_are_not_its_lines_in_a_terminal() -> None:
    """Incident: a clock and counters as large as the board's numbers, with words above them, were taken for characters
    that a terminal's board leaves over, and the board was refused."""
    rows = ["X 1 1 2 2", "3 X 2 1 2", "3 2 1 X 3", "3 3 X 2 3"]
    image, at = np.full((400, 520, 3), (48, 32, 16), np.uint8), cells(rows)
    for (r, c), token in at.items():
        x, y = 200 + 60 * c, 80 + 60 * r
        cv2.circle(image, (x, y), 24, (40, 40, 225) if token == "X" else (76, 56, 34), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), 24, (238, 221, 204), 2, cv2.LINE_AA)
        if token != "X":
            write(image, token, (x, y), 0.8, WHITE)
    for k, (word, number) in enumerate((("TIME", "061"), ("MOVES", "0"), ("LEVEL", "2"))):
        write(image, word, (90, 70 + 90 * k), 0.5, (170, 153, 119))
        write(image, number, (90, 100 + 90 * k), 0.85, WHITE)
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == rows


def test_what_stands_in_a_ring_is_no_number_of_two_digits() -> None:
    """Incident: each 6 in a ring was read as a 60, without a doubt."""
    rows = ["1 X 1 1 1", "1 2 2 6 6", "6 6 2 X 6", "6 2 2 1 1"]
    image = page(rows, PITCH, (238, 234, 233))
    for cell, token in cells(rows).items():
        x, y = middle(cell, PITCH)
        tile(image, (x, y), 24, DARK)
        cv2.circle(image, (x, y), 16, COLOURS[0] if token == "X" else WHITE, 1, cv2.LINE_AA)
        cv2.putText(image, token, (x - 8, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.8, WHITE, 2, cv2.LINE_AA)
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    assert (format_puzzle(reading.puzzle).splitlines(), reading.doubts) == (rows, ())
