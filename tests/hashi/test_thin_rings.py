"""Hashi: islands that are lines of one pixel, and an even number of pixels wide, so that their middles lie between two
pixels."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.layout import Layout

GROUND, LINE, HINT = (193, 223, 221), (75, 80, 70), (160, 184, 182)
HALF, CORNER = 11, 3


def ring(picture: Image, x: int, y: int) -> None:
    """A square with round corners, of which ``x, y`` is the pixel just above and left of the middle."""
    low, high = -HALF + 1, HALF
    cv2.rectangle(picture, (x + low, y + low), (x + high, y + high), GROUND, -1)
    inner = low + CORNER, high - CORNER
    for edge in (low, high):
        cv2.line(picture, (x + inner[0], y + edge), (x + inner[1], y + edge), LINE)
        cv2.line(picture, (x + edge, y + inner[0]), (x + edge, y + inner[1]), LINE)
    for turn, (right, down) in enumerate(((1, 1), (0, 1), (0, 0), (1, 0))):
        at = x + inner[right], y + inner[down]
        cv2.ellipse(picture, at, (CORNER, CORNER), 0, 90 * turn, 90 * turn + 90, LINE)


def drawn(puzzle: Puzzle, pitch: int) -> Image:
    """Thin digits in such rings, and pale dashes where bridges may be."""
    picture = np.full((pitch * puzzle.height + 202, pitch * puzzle.width + 136, 3), GROUND, np.uint8)

    def at(row: int, column: int) -> Point:
        return 68 + pitch * column, 101 + pitch * row

    for bridge in puzzle.bridges:
        (x, y), (to_x, to_y) = at(*bridge.a), at(*bridge.b)
        dx, dy = int(np.sign(to_x - x)), int(np.sign(to_y - y))
        for far in range(0, max(to_x - x, to_y - y), 12):
            cv2.line(picture, (x + dx * far, y + dy * far), (x + dx * (far + 6), y + dy * (far + 6)), HINT)
    for cell, number in puzzle.islands.items():
        x, y = at(*cell)
        ring(picture, x, y)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 1)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    return picture


def test_thin_rings_are_seen_in_odd_and_even_rows() -> None:
    """Incident: in every second row the rings were looked for a pixel beside where they are, since halves were rounded
    to even numbers. There islands were taken for crossings of lines; the board had a solution without them."""
    puzzle = GAME.generate(4, 6, 19)
    reading = GAME.read(drawn(puzzle, 35), Layout(game="hashi"))
    assert reading.puzzle == puzzle
    assert not reading.doubts
