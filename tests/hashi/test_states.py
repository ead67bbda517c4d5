"""Hashi: islands of which the complete ones have a strong colour, and all others hardly differ from the water."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, Link, parse
from autoplayer.layout import Layout

BOARD = parse("2...1.\n.2.3.2\n......\n......\n.1....\n3..4.2")
LINKS = [
    Link((0, 0), (0, 4), 1),
    Link((0, 0), (5, 0), 1),
    Link((1, 1), (1, 3), 1),
    Link((1, 1), (4, 1), 1),
    Link((1, 3), (1, 5), 1),
    Link((1, 3), (5, 3), 1),
    Link((5, 0), (5, 3), 2),
    Link((5, 3), (5, 5), 1),
]
PITCH, HALF = 62, 15


def middle(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def drawn(links: Collection[Link]) -> Image:
    picture = np.full((PITCH * (BOARD.height + 1), PITCH * (BOARD.width + 1), 3), (225, 238, 222), np.uint8)
    has: Counter[Cell] = Counter()
    for a, b, n in links:
        has.update({a: n, b: n})

    def island(cell: Cell, number: int, colour: tuple[int, int, int], ink: tuple[int, int, int]) -> None:
        x, y = middle(cell)
        cv2.rectangle(picture, (x - HALF, y - HALF), (x + HALF, y + HALF), colour, -1)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)

    complete = {cell: number for cell, number in BOARD.islands.items() if has[cell] == number}
    for cell in BOARD.islands.keys() - complete.keys():
        island(cell, BOARD.islands[cell], (232, 247, 229), (25, 20, 20))
    for a, b, n in links:
        (x, y), (to_x, to_y) = middle(a), middle(b)
        right, down = (1, 0) if y == to_y else (0, 1)
        for aside in (-4, 4) if n == 2 else (0,):
            first = x + 11 * right + aside * down, y + 11 * down + aside * right
            last = to_x - 11 * right + aside * down, to_y - 11 * down + aside * right
            cv2.line(picture, first, last, (98, 106, 88), 3, cv2.LINE_AA)
    for cell, number in complete.items():
        island(cell, number, (200, 140, 60), (255, 255, 255))
    return picture


def test_a_clear_number_to_which_a_bridge_leads_is_an_island_whatever_its_state() -> None:
    """Incident: of this board all complete islands were read, which have a solution by themselves, and nothing was in
    doubt; two bridges led to the others."""
    reading = GAME.read(drawn(LINKS), Layout(game="hashi"))
    assert reading.puzzle == BOARD
    assert reading.extra["bridges"] == {Bridge(a, b): n for a, b, n in LINKS}
