"""Hashi: crosses that say "no bridge here" are no bridges, also where islands nearly touch."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, parse
from tests.hashi.test_ends import FILL, INK, LAYOUT, at, sheet, write

PUZZLE = parse("22.2\n2..3\n.122")
Span = tuple[Cell, Cell]
Colour = tuple[int, int, int]
CROSS = (40, 150, 20)


def board(crosses: Sequence[Span], bridges: Sequence[Span] = (), colour: Colour = CROSS) -> Image:
    """Squares that nearly touch where they are neighbours, with bridges, and with crosses in a ``colour``."""
    image = sheet((3, 4))
    for first, second in bridges:
        cv2.line(image, at(first), at(second), CROSS, 4)
    for cell, number in PUZZLE.islands.items():
        x, y = at(cell)
        cv2.rectangle(image, (x - 31, y - 31), (x + 31, y + 31), FILL, -1)
        cv2.rectangle(image, (x - 31, y - 31), (x + 31, y + 31), INK, 2)
        write(image, cell, str(number))
    for first, second in crosses:
        (x, y), (to_x, to_y) = at(first), at(second)
        x, y = (x + to_x) // 2, (y + to_y) // 2
        for sign in (-1, 1):
            cv2.line(image, (x - 6, y - 6 * sign), (x + 6, y + 6 * sign), colour, 3, cv2.LINE_AA)
    return image


NEAR = [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((2, 1), (2, 2))]
FAR = [((0, 1), (0, 3)), ((1, 0), (1, 3)), ((0, 1), (2, 1))]


@pytest.mark.parametrize("far", [2, 3])
def test_crosses_between_islands_that_nearly_touch_are_no_bridges_if_others_stand_alone(far: int) -> None:
    """They reach from one island to the other, and were taken for bridges of a window that counts down."""
    reading = GAME.read(board(NEAR + FAR[:far]), LAYOUT)
    assert reading.puzzle == PUZZLE
    assert reading.extra["bridges"] == {}


def test_short_lines_are_bridges_if_no_marks_of_their_colour_stand_alone() -> None:
    short = [((0, 0), (0, 1)), ((0, 0), (1, 0))]
    one = board(FAR[:1], short)  # it may be a pointer
    for image in (board([], short), one, board(FAR, short, (40, 40, 220))):
        assert set(GAME.read(image, LAYOUT).extra["bridges"]) == set(itertools.starmap(Bridge, short))


def test_lines_on_longer_ways_are_bridges_though_marks_have_their_colour() -> None:
    bridges = [((0, 0), (0, 1)), ((0, 3), (1, 3)), ((1, 0), (1, 3))]
    reading = GAME.read(board([FAR[0], FAR[2]], bridges), LAYOUT)
    assert set(reading.extra["bridges"]) == set(itertools.starmap(Bridge, bridges))
