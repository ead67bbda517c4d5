"""Hashi: islands that show how many links they have beside how many they need, as "1/3"."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Bridge, parse
from autoplayer.games.hashi.seeing.places import parts
from autoplayer.vision import ink
from tests.hashi.test_ends import FILL, INK, LAYOUT, at, sheet, span

PUZZLE = parse("232\n332\n1.2")
BEGUN = {Bridge((0, 0), (0, 1)): 1, Bridge((1, 0), (1, 1)): 2, Bridge((1, 2), (2, 2)): 1}


def board(links: Mapping[Bridge, int], *, needed_first: bool = False, trees: bool = False) -> Image:
    image = sheet((2 * PUZZLE.height, 2 * PUZZLE.width))
    for bridge, number in links.items():
        span(image, _apart(bridge.a), _apart(bridge.b), number)
    for cell, needed in PUZZLE.islands.items():
        has = sum(number for bridge, number in links.items() if cell in bridge)
        cv2.circle(image, at(_apart(cell)), 31, FILL, -1, cv2.LINE_AA)
        cv2.circle(image, at(_apart(cell)), 31, INK, 2, cv2.LINE_AA)
        if trees:
            _with_a_tree(image, _apart(cell), needed)
        else:
            _write(image, _apart(cell), f"{needed}/{has}" if needed_first else f"{has}/{needed}")
    return image


def _apart(cell: Cell) -> Cell:
    return 2 * cell[0], 2 * cell[1]


def _write(image: Image, cell: Cell, word: str) -> None:
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.65, 1)
    place = at(cell)[0] - width // 2, at(cell)[1] + height // 2
    cv2.putText(image, word, place, cv2.FONT_HERSHEY_SIMPLEX, 0.65, INK, 1, cv2.LINE_AA)


@pytest.mark.parametrize("links", [{}, BEGUN])
@pytest.mark.parametrize("needed_first", [False, True])
def test_beside_the_links_that_an_island_has_the_others_are_those_that_it_needs(
    links: Mapping[Bridge, int], needed_first: bool
) -> None:
    """No number was read, because each island showed two and a slash between them."""
    reading = GAME.read(board(links, needed_first=needed_first), LAYOUT)
    assert reading.puzzle == PUZZLE
    assert reading.extra["bridges"] == links


def _content(*strokes: tuple[int, int, int, int]) -> ink.Content:
    """Lines from ``(x, y)`` to ``(x, y)``, as what stands in an island."""
    drawn = np.zeros((40, 60), np.float32)
    for x0, y0, x1, y1 in strokes:
        cv2.line(drawn, (x0, y0), (x1, y1), 1.0, 3)
    grey = np.zeros(3, np.float32)
    return ink.Content(grey, drawn, Box(0, 0, 60, 40), grey, 100.0, Box(0, 0, 60, 40))


def test_only_a_slash_between_two_pieces_of_its_height_divides() -> None:
    left, right, slash = (10, 5, 10, 35), (50, 5, 50, 35), (36, 5, 24, 35)
    divided = _content(left, slash, right)
    assert set(parts.beside_slashes([divided, divided])) == {0, 1}
    assert parts.beside_slashes([divided]) == {}, "one may be crossed by something"
    upright, turned, low = (30, 5, 30, 35), (24, 5, 36, 35), (10, 25, 10, 35)
    for other in (_content(left, upright, right), _content(left, turned, right), _content(low, slash, right)):
        assert parts.beside_slashes([other, other]) == {}


@pytest.mark.parametrize("links", [{}, BEGUN])
def test_a_picture_as_high_as_the_numbers_that_all_islands_have_is_no_part_of_them(links: Mapping[Bridge, int]) -> None:
    """A tree in the numbers' ink stands beside each number; it was read together with it, and no board was found."""
    reading = GAME.read(board(links, trees=True), LAYOUT)
    assert reading.puzzle == PUZZLE
    assert reading.extra["bridges"] == links


def _with_a_tree(image: Image, cell: Cell, needed: int) -> None:
    x, y = at(cell)
    cv2.putText(image, str(needed), (x - 14, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    cv2.line(image, (x + 14, y + 4), (x + 16, y - 14), INK, 3, cv2.LINE_AA)
    cv2.line(image, (x + 8, y - 14), (x + 24, y - 14), INK, 3, cv2.LINE_AA)


@pytest.mark.parametrize(
    ("beside", "share", "left_out"),
    [
        ((16, 6, 16, 24), 1.0, True),
        ((16, 6, 16, 24), 0.6, False),
        ((16, 12, 16, 30), 1.0, False),
        ((16, 14, 16, 32), 1.0, False),
        ((16, 12, 16, 36), 1.0, False),
        ((16, 6, 16, 30), 1.0, False),
    ],
    ids=[
        "a decoration",
        "not of most islands",
        "a digit",
        "a digit a little lower",
        "an old-style digit below",
        "one above",
    ],
)
def test_only_what_most_islands_have_above_or_below_the_numbers_line_is_a_decoration(
    beside: tuple[int, int, int, int], share: float, left_out: bool
) -> None:
    """Of 13, 14 and 15 no 3, 4 and 5 are left."""
    both = _content(beside, (26, 12, 36, 12), (36, 12, 36, 30), (26, 30, 36, 30))
    usual = np.zeros((40, 60), np.float32)
    usual[:, :20] = share
    assert (parts.in_the_middle(both, (30.0, 20.0), usual) is not both) == left_out
