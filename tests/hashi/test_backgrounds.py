"""Hashi: small boards, islands that stand on a corner, and what lies behind a board: grids, waves, stripes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.games.hashi.seeing.places import charting, numbers, outline
from autoplayer.games.hashi.seeing.places.chart import charted
from autoplayer.layout import Layout
from autoplayer.settle import settle

UNKNOWN = Layout(game="hashi")


def blank(width: int, height: int, colour: tuple[int, int, int] = (225, 235, 240)) -> Image:
    return np.full((height, width, 3), colour, np.uint8)


def number(picture: Image, text: int, x: int, y: int, size: float = 1.0) -> None:
    (width, height), _ = cv2.getTextSize(str(text), cv2.FONT_HERSHEY_DUPLEX, size, 2)
    place = x - width // 2, y + height // 2
    cv2.putText(picture, str(text), place, cv2.FONT_HERSHEY_DUPLEX, size, (20, 20, 20), 2, cv2.LINE_AA)


def numbers_of(picture: Image) -> list[list[int]]:
    """The numbers that are settled on, row by row, without the rows in which none stands."""
    settled = settle(GAME, GAME.read(picture, UNKNOWN))
    assert settled.certain
    return [[n for n in row if n] for row in settled.puzzle.rows if any(row)]


def test_a_first_level_of_islands_that_stand_on_a_corner_is_read() -> None:
    picture = blank(420, 800, (30, 26, 24))
    for n, x, y in ((1, 300, 320), (1, 120, 500), (2, 300, 500)):
        corners = np.array([(x - 60, y), (x, y - 60), (x + 60, y), (x, y + 60)])
        cv2.fillPoly(picture, [corners], (190, 170, 200), cv2.LINE_AA)
        number(picture, n, x, y, 1.3)
    assert numbers_of(picture) == [[1], [1, 2]]


def test_waves_on_the_water_do_not_make_rows_closer_than_the_islands_are_high() -> None:
    picture = blank(420, 420)
    for y in range(20, 420, 20):
        cv2.line(picture, (0, y), (419, y), (200, 212, 218), 2)
    for n, x, y in ((3, 90, 110), (1, 210, 110), (4, 90, 230), (2, 330, 230)):
        cv2.rectangle(picture, (x - 40, y - 40), (x + 40, y + 40), (150, 190, 210), -1)
        cv2.rectangle(picture, (x - 40, y - 40), (x + 40, y + 40), (60, 60, 60), 3)
        number(picture, n, x, y)
    assert numbers_of(picture) == [[3, 1], [4, 2]]


@pytest.mark.parametrize(("far", "expected"), [(60, False), (400, True)])
def test_what_is_tiny_beside_the_ways_between_is_the_end_of_a_grid_line(far: int, expected: bool) -> None:
    picture = blank(far + 60, far + 60)
    centres = [(30.0, 30.0), (30.0 + far, 30.0), (30.0, 30.0 + far)]
    for x, y in centres:
        cv2.line(picture, (round(x), round(y) - 4), (round(x), round(y) + 4), (20, 20, 20), 2)
    seen = outline.view(picture)
    nothing = outline.Outline(np.zeros((0, 2), np.int32), np.zeros(0), 12, 12, 12, True, 1.0, 0.0)
    chart = charted(numbers.read(seen, centres, 12), nothing)
    assert chart is not None
    assert charting._lost(chart) is expected


def striped(puzzle: Puzzle, pitch: int = 47) -> Image:
    picture = blank(pitch * (puzzle.width + 1), pitch * (puzzle.height + 1), (200, 175, 160))
    for x in range(4, picture.shape[1], 14):
        cv2.line(picture, (x, 0), (x, picture.shape[0] - 1), (188, 162, 148), 5)
    for (r, c), n in puzzle.islands.items():
        x, y = pitch * (c + 1), pitch * (r + 1)
        cv2.circle(picture, (x, y), 18, (240, 235, 225), -1, cv2.LINE_AA)
        number(picture, n, x, y, 0.7)
    return picture


@pytest.mark.parametrize("seed", [2, 5])
def test_stripes_behind_a_board_are_no_bridges_that_lead_away(seed: int) -> None:
    puzzle = GAME.generate(9, 9, seed)
    reading = GAME.read(striped(puzzle), UNKNOWN)
    assert reading.puzzle == puzzle
    assert not reading.extra["bridges"]


@pytest.mark.parametrize("text", ["Bridges", "Loading"])
def test_a_heading_alone_is_no_board_of_two_islands(text: str) -> None:
    picture = blank(320, 120, (240, 158, 190))
    cv2.putText(picture, text, (10, 40), cv2.FONT_HERSHEY_DUPLEX, 0.7, (50, 30, 40), 1, cv2.LINE_AA)
    with pytest.raises(UnreadableError):
        GAME.read(picture, UNKNOWN)


def test_two_islands_of_a_first_level_are_read() -> None:
    picture = blank(420, 300)
    for x in (110, 310):
        cv2.circle(picture, (x, 150), 34, (170, 200, 215), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, 150), 34, (60, 60, 60), 2, cv2.LINE_AA)
        number(picture, 2, x, 150)
    assert numbers_of(picture) == [[2, 2]]
