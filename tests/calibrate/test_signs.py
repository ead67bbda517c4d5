"""Windows of signs after they were calibrated: what the network would say of a sign counts for nothing there, also of
one that has no picture yet; and signs are known however small and at whatever part of a pixel they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import pytest

from autoplayer.calibrate import Calibration, questions
from autoplayer.core.frame import Image
from autoplayer.games.base import Game
from autoplayer.games.cross_set import GAME as CROSS_SET
from autoplayer.games.hashi import GAME as HASHI
from autoplayer.layout import Layout
from autoplayer.settle import settle
from tests.calibrate.test_runes import BRIDGES, CANDIDATES, INK, LINE, TILE, blank, hashi, middle, rune

FACE = cv2.FONT_HERSHEY_DUPLEX

pytestmark = pytest.mark.usefixtures("own_home")


def cross_set(text: str, digits: bool = False) -> Image:
    """As a page lays out text: the small signs of a cell stand at parts of a pixel."""
    page = blank()
    for row, line in enumerate(text.splitlines()):
        for column, listed in enumerate(line.split()):
            x, y = middle(row, column)
            cv2.rectangle(page, (x - 31, y - 31), (x + 30, y + 30), LINE, 2)
            cv2.rectangle(page, (x - 29, y - 29), (x + 28, y + 28), TILE, -1)
            for index, token in enumerate(listed):
                part = (3 * row + 5 * column + index - 1) % 8 / 8 if index else 0
                at = (x + 13.4 * (index - len(listed) / 2) + part, y + 19 + part) if index else (x, y - 8)
                if digits:
                    corner = round(at[0]) - (4 if index else 8), round(at[1]) + (5 if index else 10)
                    cv2.putText(page, token, corner, FACE, 0.5 if index else 0.9, INK, 1 if index else 2, cv2.LINE_AA)
                else:
                    rune(page, token, at, 10 if index else 27)
    return page


def islands(text: str) -> Image:
    page = blank()
    for row, line in enumerate(text.splitlines()):
        for column, token in enumerate(line):
            if token != ".":
                x, y = middle(row, column)
                cv2.circle(page, (x, y), 26, LINE, 2, cv2.LINE_AA)
                cv2.putText(page, token, (x - 10, y + 11), FACE, 1.0, INK, 2, cv2.LINE_AA)
    return page


def learned(game: Game[Any, Any], image: Image, text: str) -> Layout:
    """The layout of a window, after a whole picture of it was told."""
    with Calibration(game, "signs", "^signs$") as learning:
        learning.tell_puzzle(learning.look(image), text)
        return learning.save().layout


EIGHT = "2.4..2\n......\n......\n4.8..3\n......\n2.4..1"
FIFTH = "15 54 21 31 321\n251 5 215 3254 3425\n41 12 314 541 54\n45 423 1542 3215 2\n34 512 2413 2 35"


@pytest.mark.parametrize(
    ("game", "picture", "first", "later"),
    [
        pytest.param(HASHI, hashi, BRIDGES, EIGHT, id="islands"),
        pytest.param(CROSS_SET, cross_set, CANDIDATES, FIFTH, id="candidates"),
    ],
)
def test_a_sign_that_comes_with_a_later_level_is_told_by_the_rules(
    game: Game[Any, Any],
    picture: Callable[[str], Image],
    first: str,
    later: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "SETTLE_LIMIT", 0.1)  # all is told
    known = learned(game, picture(first), first)
    settled = settle(game, game.read(picture(later), known))
    assert game.format(settled.puzzle) == later
    assert settled.playable


@pytest.mark.parametrize(
    ("game", "first", "text", "digits"),
    [
        pytest.param(HASHI, (hashi, BRIDGES), EIGHT, islands(EIGHT), id="islands"),
        pytest.param(CROSS_SET, (cross_set, CANDIDATES), CANDIDATES, cross_set(CANDIDATES, True), id="candidates"),
    ],
)
def test_digits_are_read_where_the_window_shows_them_instead_of_its_signs(
    game: Game[Any, Any],
    first: tuple[Callable[[str], Image], str],
    text: str,
    digits: Image,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Among signs only, what the network says counts for nothing."""
    monkeypatch.setattr(questions, "SETTLE_LIMIT", 0.1)
    known = learned(game, first[0](first[1]), first[1])
    assert game.format(game.read(digits, known).puzzle) == text
