"""Hashi: islands that are oblong, as a few characters of a terminal are."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, parse
from autoplayer.games.hashi.seeing.places import insides
from autoplayer.layout import Layout

UNKNOWN = Layout(game="hashi")
PUZZLE = GAME.generate(7, 7, 0)
GROUND, WATER = (0, 95, 95), (28, 28, 28)

Size = tuple[int, int]


def terminal(size: Size, begun: int) -> Image:
    """The board with islands of a ``size`` (width, height), and so many bridges of the solution; those that have all of
    theirs are on a ground that is hardly lighter than the water."""
    width, height = size
    picture = np.full((height * 18, width * 20, 3), WATER, np.uint8)

    def at(cell: Cell) -> tuple[int, int]:
        return width * (2 * cell[1] + 3), height * (2 * cell[0] + 2)

    has: Counter[Cell] = Counter()
    for which, links in list(solution().items())[:begun]:
        has[which.a] += links
        has[which.b] += links
        (x1, y1), (x2, y2) = at(which.a), at(which.b)
        for aside in (0,) if links == 1 else (-2, 2):
            dx, dy = (0, aside) if y1 == y2 else (aside, 0)
            cv2.line(picture, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (95, 135, 175), 1)
    for cell, number in PUZZLE.islands.items():
        x, y = at(cell)
        left, top = x - width // 2, y - height // 2
        ground, ink = ((48, 48, 48), (95, 215, 175)) if has[cell] == number else (GROUND, (175, 215, 215))
        cv2.rectangle(picture, (left, top), (left + width - 1, top + height - 1), ground, -1)
        (wide, high), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, 0.6, 1)
        place = x - wide // 2, y + high // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, 0.6, ink, 1, cv2.LINE_AA)
    return picture


def solution() -> dict[Bridge, int]:
    found = GAME.solve(PUZZLE, time_limit=5).solution
    assert found is not None
    return {Bridge(link.a, link.b): link.links for link in found}


@pytest.mark.parametrize("size", [(33, 23), (42, 30), (24, 36)])
@pytest.mark.parametrize("begun", [0, 6])
def test_oblong_islands_are_read_with_the_bridges_between_them(size: Size, begun: int) -> None:
    reading = GAME.read(terminal(size, begun), UNKNOWN)
    assert (reading.puzzle, reading.doubts) == (PUZZLE, ())
    assert reading.extra["bridges"] == dict(list(solution().items())[:begun])
    box = reading.places[min(PUZZLE.islands)]
    assert abs(box.width - size[0]) <= 4
    assert abs(box.height - size[1]) <= 4


SPARSE = parse("2..4..2\n.......\n3.1....\n.......\n2..3..1")
"""Without an island in every second row, and in two columns."""


def test_empty_rows_are_counted_by_the_grid_though_islands_fill_their_places() -> None:
    """Incident: islands as broad as their places left no water between the columns, so no grid lines were looked for
    there."""
    wide, high = 72, 64
    picture = np.full((high * 6, wide * 8, 3), 250, np.uint8)
    for k in range(8):
        cv2.line(picture, (wide * (k + 1), 0), (wide * (k + 1), high * 6), (130, 130, 130), 1)
        cv2.line(picture, (0, high * (k + 1)), (wide * 8, high * (k + 1)), (130, 130, 130), 1)
    for (r, c), number in SPARSE.islands.items():
        x, y = wide * (c + 1), high * (r + 1)
        for colour, thick in ((250, 250, 250), -1), ((0, 0, 0), 2):
            cv2.ellipse(picture, (x, y), (wide // 2, high // 2 - 2), 0, 0, 360, colour, thick, cv2.LINE_AA)
        cv2.putText(picture, str(number), (x - 10, y + 11), cv2.FONT_HERSHEY_DUPLEX, 1, (0, 0, 0), 2, cv2.LINE_AA)
    assert GAME.read(picture, UNKNOWN).puzzle == SPARSE


def pills(begun: int) -> Image:
    """The board with islands whose ends are round, and so many bridges of the solution."""
    pitch = 72, 60
    picture = np.full((pitch[1] * 8, pitch[0] * 8, 3), (230, 239, 244), np.uint8)

    def at(cell: Cell) -> tuple[int, int]:
        return pitch[0] * (cell[1] + 1), pitch[1] * (cell[0] + 1)

    for which, links in list(solution().items())[:begun]:
        (x1, y1), (x2, y2) = at(which.a), at(which.b)
        for aside in (0,) if links == 1 else (-6, 6):
            dx, dy = (0, aside) if y1 == y2 else (aside, 0)
            cv2.line(picture, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (80, 120, 160), 5)
    for cell, number in PUZZLE.islands.items():
        x, y = at(cell)
        for half, colour in ((17, (58, 92, 122)), (15, (255, 255, 255))):
            cv2.line(picture, (x - 11, y), (x + 11, y), colour, 2 * half)
            for side in (-11, 11):
                cv2.circle(picture, (x + side, y), half, colour, -1, cv2.LINE_AA)
        (wide, high), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, 0.6, 1)
        cv2.putText(picture, str(number), (x - wide // 2, y + high // 2), cv2.FONT_HERSHEY_DUPLEX, 0.6, (51, 51, 51), 1)
    return picture


@pytest.mark.parametrize("begun", [0, 9])
def test_oblong_islands_with_round_ends_are_more_than_their_numbers(begun: int) -> None:
    """Of a page only the numbers were seen: double bridges were single ones, for they lay as far apart as the numbers
    were high."""
    reading = GAME.read(pills(begun), UNKNOWN)
    assert reading.puzzle == PUZZLE
    assert reading.extra["bridges"] == dict(list(solution().items())[:begun])
    box = reading.places[min(PUZZLE.islands)]
    assert abs(box.width - 56) <= 6
    assert abs(box.height - 34) <= 6


@pytest.mark.parametrize(("fullest", "found"), [("pill", 1), ("ellipse", 0)])
def test_an_ellipse_has_no_round_ends_with_straight_sides_between(fullest: str, found: int) -> None:
    strength = np.zeros((160, 240), np.uint8)
    if fullest == "ellipse":
        cv2.ellipse(strength, (120, 80), (28, 17), 0, 0, 360, 200, 2)
    else:
        for side in (-1, 1):
            cv2.line(strength, (109, 80 + side * 17), (131, 80 + side * 17), 200, 2)
            cv2.ellipse(strength, (120 + side * 11, 80), (17, 17), 0, 90 * side - 180, 90 * side, 200, 2)
    cv2.line(strength, (120, 76), (120, 84), 200, 1)
    assert len(insides.boxes(strength, 100)[0]) == found
