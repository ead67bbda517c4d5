"""Hashi: pages of text are no boards, and are not looked at for long; a board in such a page is still read."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.seeing.places import islands, words
from autoplayer.games.hashi.seeing.places.outline import View, view
from autoplayer.layout import Layout
from autoplayer.vision import lattice

UNKNOWN = Layout(game="hashi")
INK, PAPER = (40, 30, 30), (250, 250, 248)
WORDS = ("the island at", "of 24 levels", "every bridge", "3 of 8", "joins two", "score 1250", "hint", "2 moves", "all")


def page(left: int = 0, width: int = 640, height: int = 420) -> Image:
    """Lines of small text from ``left`` to the right."""
    lot = random.Random(5)
    picture = np.full((height, width, 3), PAPER, np.uint8)
    for y in range(20, height - 8, 18):
        line = "  ".join(lot.choice(WORDS) for _ in range(12))
        cv2.putText(picture, line, (left + 8, y), cv2.FONT_HERSHEY_SIMPLEX, 0.38, INK, 1, cv2.LINE_AA)
    return picture


def ring(picture: Image, x: int, y: int, number: int, size: int = 17) -> None:
    cv2.circle(picture, (x, y), size, INK, 2, cv2.LINE_AA)
    (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, 0.65, 1)
    place = x - width // 2, y + height // 2
    cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, 0.65, INK, 1, cv2.LINE_AA)


@pytest.fixture
def scales(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many times as large as the window a picture is looked at, in order."""
    found: list[int] = []

    def noted(image: Image, scale: int = 1, *others: object) -> View:
        found.append(scale)
        return view(image, scale)

    monkeypatch.setattr(islands, "view", noted)
    return found


def test_a_page_of_text_is_refused_without_a_look_at_it_enlarged(scales: list[int]) -> None:
    with pytest.raises(UnreadableError, match="no board"):
        GAME.read(page(), UNKNOWN)
    assert set(scales) == {1}


def test_where_nothing_is_seen_in_a_larger_picture_it_is_not_made_even_larger(scales: list[int]) -> None:
    picture = np.full((420, 640, 3), PAPER, np.uint8)
    for x in range(60, 600, 90):
        cv2.rectangle(picture, (x, 100), (x + 50, 140 + x // 5), INK, 2)
    with pytest.raises(UnreadableError, match="no board"):
        GAME.read(picture, UNKNOWN)
    assert set(scales) == {1, 2}


@pytest.mark.parametrize("size", [17, 9])
def test_a_board_beside_a_text_is_read(size: int) -> None:
    puzzle = GAME.generate(6, 6, 4)
    picture = page(left=340)
    picture[:, :340] = PAPER
    for (r, c), number in puzzle.islands.items():
        ring(picture, 40 + 52 * c, 60 + 52 * r, number)
    assert words.is_page(view(picture))
    if size < 17:
        picture = np.asarray(cv2.resize(picture, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA), np.uint8)
    reading = GAME.read(picture, UNKNOWN)
    assert reading.puzzle == puzzle
    assert not reading.doubts


def test_islands_that_touch_are_no_letters() -> None:
    picture = np.full((420, 420, 3), PAPER, np.uint8)
    for x in range(30, 400, 37):
        for y in range(30, 400, 37):
            ring(picture, x, y, 1 + (x * y) % 8)
    assert not words.is_page(view(picture))


def test_letters_of_a_line_are_told_from_numbers_that_stand_apart() -> None:
    boxes: lattice.Boxes = np.array(
        [(10, 10, 7, 10), (19, 12, 6, 8), (28, 10, 5, 10), (80, 10, 7, 10), (110, 10, 7, 10)], np.int32
    )
    assert words.in_words(boxes).tolist() == [True, True, True, False, False]
    assert not words.in_words(boxes[:0]).any()
