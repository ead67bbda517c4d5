"""Hashi: windows that show an island's number in a badge at its edge or corner: the islands are where bridges are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image, Point
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, Link, Puzzle, parse
from autoplayer.games.hashi.seeing.between.standing import standing
from autoplayer.layout import Layout

BOARD = parse(".....2\n3.5.1.\n......\n2..2.6\n..4.2.\n3....4")
LINKS = [Link((0, 5), (3, 5), 2), Link((1, 0), (1, 2), 1), Link((3, 0), (5, 0), 1)]
PITCH = 72


def drawn(board: Puzzle, aside: Point, links: list[Link], node: int = 23, *, filled: bool = True) -> Image:
    """``aside``: the middle of a badge beside that of its island."""
    picture = np.full((PITCH * board.height + 80, PITCH * board.width + 80, 3), (238, 230, 207), np.uint8)

    def at(row: int, column: int) -> Point:
        return 60 + PITCH * column, 60 + PITCH * row

    for a, b, n in links:
        for beside in (-6, 6) if n == 2 else (0,):
            first, last = ((x + beside * (a[1] == b[1]), y + beside * (a[0] == b[0])) for x, y in (at(*a), at(*b)))
            cv2.line(picture, first, last, (52, 91, 122), 5)
    for cell, number in board.islands.items():
        x, y = at(*cell)
        cv2.circle(picture, (x, y), node, (246, 253, 255) if filled else (238, 230, 207), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), node, (52, 91, 122), 2, cv2.LINE_AA)
        x, y = x + aside[0], y + aside[1]
        cv2.circle(picture, (x, y), 12, (43, 57, 192), -1, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 2)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(
    ("aside", "filled", "why"),
    [
        ((17, -17), True, "over the edge"),
        ((22, -22), True, "as far as the corner"),
        ((-17, 17), False, "on an island that is only a ring"),
        ((0, -24), True, "above"),
        ((27, -27), True, "touching it"),
    ],
)
def test_islands_are_found_beside_their_badges(aside: Point, filled: bool, why: str) -> None:
    """Incident: the badges were taken for the islands: no bridge was seen, and what was pressed were the badges."""
    reading = GAME.read(drawn(BOARD, aside, [], filled=filled), Layout(game="hashi"))
    assert reading.puzzle == BOARD, why
    for (row, column), box in reading.places.items():
        middle = np.array([60 + PITCH * column, 60 + PITCH * row])
        assert np.abs(np.array(box.centre) - middle).max() <= 3, why
        assert 40 <= min(box.width, box.height) <= max(box.width, box.height) <= 56, why
    seen = standing(drawn(BOARD, aside, LINKS, filled=filled), reading, BOARD)
    assert {bridge: n for bridge, n in seen.links.items() if n} == {Bridge(a, b): n for a, b, n in LINKS}, why


@pytest.mark.parametrize(
    ("aside", "node", "why"),
    [((10, -10), 13, "a card behind another one is no larger"), ((8, -8), 23, "a disc in an island is in its middle")],
)
def test_what_is_around_a_number_is_its_island(aside: Point, node: int, why: str) -> None:
    reading = GAME.read(drawn(BOARD, aside, [], node=node), Layout(game="hashi"))
    assert reading.puzzle == BOARD
    assert reading.extra["chart"].node is None, why


@pytest.mark.parametrize(
    ("island", "around", "why"),
    [
        (48, 12, "a soft light around each island is no part of it"),
        (-20, 0, "an island without an edge, hardly darker than the water"),
    ],
)
def test_islands_are_told_from_what_hardly_differs_from_the_water(island: int, around: int, why: str) -> None:
    water, with_badges = (200, 190, 170), drawn(BOARD, (17, -17), [])
    picture = np.full_like(with_badges, water)
    for row, column in BOARD.islands:
        at = 60 + PITCH * column, 60 + PITCH * row
        for radius, change in (34, around), (23, island):
            cv2.circle(picture, at, radius, [each + change for each in water], -1, cv2.LINE_AA)
        badge = np.zeros(picture.shape[:2], np.uint8)
        cv2.circle(badge, (at[0] + 17, at[1] - 17), 12, 255, -1)
        picture[badge > 0] = with_badges[badge > 0]
    reading = GAME.read(picture, Layout(game="hashi"))
    assert reading.puzzle == BOARD, why
    for (row, column), box in reading.places.items():
        assert max(abs(box.centre[0] - 60 - PITCH * column), abs(box.centre[1] - 60 - PITCH * row)) <= 3, why
        assert max(box.width, box.height) <= 56, why
