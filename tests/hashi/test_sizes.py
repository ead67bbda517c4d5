"""Hashi: boards whose islands are the larger, the larger their number is, drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image, Point
from autoplayer.games.base import Reading
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, parse
from autoplayer.games.hashi.seeing.between.standing import standing
from autoplayer.games.hashi.seeing.places import sizes
from autoplayer.games.hashi.seeing.places.outline import view
from autoplayer.layout import Layout

UNKNOWN = Layout(game="hashi")
FULL = GAME.generate(7, 7, 3)
FEW = parse("1...1\n.....\n3...3\n.....\n2.3.3")
"""A board whose 3s and 2s have a solution without its 1s."""

Colour = tuple[int, int, int]
PAPER, INK, FILL = (246, 250, 252), (40, 30, 30), (214, 226, 236)
PITCH = 80


def at(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def radius(number: int, growth: float) -> int:
    return round(PITCH * (0.21 + growth * number))


def sheet(puzzle: Puzzle, growth: float = 0.03, badge: bool = False) -> Image:
    """The board before play; islands grow by ``growth`` of the pitch from number to number."""
    picture = np.full((PITCH * (puzzle.height + 1), PITCH * (puzzle.width + 1), 3), PAPER, np.uint8)
    for cell, number in puzzle.islands.items():
        disc(picture, at(cell), radius(number, growth), str(number))
    if badge:
        disc(picture, (picture.shape[1] - 22, 22), 18, "8")
    return picture


def disc(picture: Image, middle: Point, size: int, word: str) -> None:
    cv2.circle(picture, middle, size, FILL, -1, cv2.LINE_AA)
    cv2.circle(picture, middle, size, INK, 2, cv2.LINE_AA)
    scale = size / 28
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
    place = middle[0] - width // 2, middle[1] + height // 2
    cv2.putText(picture, word, place, cv2.FONT_HERSHEY_DUPLEX, scale, INK, 2, cv2.LINE_AA)


@pytest.mark.parametrize(("puzzle", "badge"), [(FULL, False), (FULL, True), (FEW, False)])
def test_islands_that_grow_with_their_number_are_read(puzzle: Puzzle, badge: bool) -> None:
    reading = GAME.read(sheet(puzzle, badge=badge), UNKNOWN)
    assert not reading.doubts
    assert sorted(reading.puzzle.islands.values()) == sorted(puzzle.islands.values())
    centres = {reading.places[cell].centre: number for cell, number in reading.puzzle.islands.items()}
    for cell, number in puzzle.islands.items():
        x, y = at(cell)
        assert [n for (cx, cy), n in centres.items() if abs(cx - x) <= 2 and abs(cy - y) <= 2] == [number]


def test_bridges_between_islands_of_several_sizes_are_seen() -> None:
    solution = GAME.solve(FULL, time_limit=10).solution
    assert solution is not None
    before = sheet(FULL)
    reading = GAME.read(before, UNKNOWN)
    after = before.copy()
    for a, b, links in solution[::2]:
        for aside in (0,) if links == 1 else (-4, 4):
            (x0, y0), (x1, y1) = at(a), at(b)
            dx, dy = (aside, 0) if x0 == x1 else (0, aside)
            cv2.line(after, (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), INK, 3)
    for cell, number in FULL.islands.items():
        disc(after, at(cell), radius(number, 0.03), str(number))
    shown = standing(after, reading, reading.puzzle)
    assert shown.present
    wanted = {(at(a), at(b)): links for a, b, links in solution[::2]}
    spots = {cell: min(map(at, FULL.islands), key=lambda p: _away(reading, cell, p)) for cell in reading.places}
    assert {(spots[b.a], spots[b.b]): links for b, links in shown.links.items() if links} == wanted


def _away(reading: Reading[Puzzle], cell: Cell, place: Point) -> float:
    x, y = reading.places[cell].centre
    return float(np.hypot(x - place[0], y - place[1]))


def test_discs_without_outlines_whose_edges_run_close_beside_one_another_have_no_common_one() -> None:
    """Incident: of discs of 34, 38 and 44 pixels each edge was near one of another size, which made an outline that no
    island had. The level was read, and on its own picture its board was not seen."""
    puzzle = parse("2..2.1\n......\n......\n2..3.1\n......\n.1.3.1")
    picture = np.full((620, 720, 3), (40, 34, 30), np.uint8)
    for (r, c), number in puzzle.islands.items():
        x, y, scale = 70 + 74 * c, 100 + 74 * r, 0.5 + 0.07 * number
        cv2.circle(picture, (x, y), (17, 19, 22)[number - 1], (228, 222, 220), -1)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, scale, (40, 34, 30), 2, cv2.LINE_AA)
    reading = GAME.read(picture, UNKNOWN)
    assert reading.puzzle == puzzle
    assert standing(picture, reading, puzzle).present


def test_islands_of_one_size_are_none_that_grow() -> None:
    assert sizes.find(view(sheet(FULL, growth=0.0))) is None


def test_a_larger_number_in_a_smaller_disc_is_left_out() -> None:
    chart = sizes.find(view(sheet(FULL, badge=True)))
    assert chart is not None
    assert len(chart.islands) == len(FULL.islands)
