"""Windows with calibrated symbols: the digit network's opinion of a symbol is ignored there, also of one that has no
picture yet, and symbols are recognised at any size and at any fraction of a pixel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.calibrate import Calibration, questions
from autoplayer.core.frame import Image
from autoplayer.games.base import Game
from autoplayer.games.cardinal_chains import GAME as CHAINS
from autoplayer.games.cross_set import GAME as CROSS_SET
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.hashi import GAME as HASHI
from autoplayer.layout import Layout
from autoplayer.settle import settle, settle_trimmed
from tests.calibrate.test_runes import BRIDGES, CANDIDATES, INK, LINE, PAGE, TILE, blank, hashi, middle, rune, tile

FACE = cv2.FONT_HERSHEY_DUPLEX

Sign = Callable[[Image, str, tuple[float, float], float], None]
"""Draws a token on a page, in the middle of a place, in a size."""

pytestmark = pytest.mark.usefixtures("own_home")


def bars(page: Image, token: str, at: tuple[float, float], size: float) -> None:
    """A sign of strokes that do not hang together, as the Chinese 1 to 3; the 4 is a box with two strokes in it."""
    x, y = round(at[0]), round(at[1])
    half, thick = round(size / 2), 1 if size < 15 else 2
    if token == "4":
        cv2.rectangle(page, (x - half, y - half), (x + half, y + half), INK, thick)
        for side in (-half // 3, half // 3):
            cv2.line(page, (x + side, y - half), (x + side, y), INK, thick)
        return
    for k in range(int(token)):
        # The lowest is the longest; what is between two of them is as high as a line of small signs is far away.
        wide = half if k == int(token) - 1 else round(0.8 * half)
        down = round((k - (int(token) - 1) / 2) * size * (0.45 if token == "3" else 0.6))
        cv2.line(page, (x - wide, y + down), (x + wide, y + down), INK, thick)


def cross_set(text: str, digits: bool = False, sign: Sign = rune) -> Image:
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
                    sign(page, token, at, 10 if index else 27)
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
    """The layout of a window, after the answers for a whole picture of it."""
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
    """In a window of signs only, the digit network's opinion is ignored."""
    monkeypatch.setattr(questions, "SETTLE_LIMIT", 0.1)
    known = learned(game, first[0](first[1]), first[1])
    assert game.format(game.read(digits, known).puzzle) == text


def figures(text: str, pitch: int, ring: int, disc: int) -> Image:
    """Islands with the radius ``ring``, and filled figures in them: a ``disc`` of that radius for a 1, a square for a
    3, a star for a 4, and a triangle for every other number."""
    page = np.full((640, 640, 3), PAGE, np.uint8)
    for row, line in enumerate(text.splitlines()):
        for column, token in enumerate(line):
            if token == ".":
                continue
            x, y = 80 + pitch * column, 80 + pitch * row
            cv2.circle(page, (x, y), ring, LINE, ring // 7, cv2.LINE_AA)
            if token == "1":
                cv2.circle(page, (x, y), disc, INK, -1, cv2.LINE_AA)
            elif token == "3":
                side = round(0.4 * ring)
                cv2.rectangle(page, (x - side, y - side), (x + side, y + side), INK, -1)
            else:
                radii, corners = ([0.5 * ring, 0.2 * ring], 10) if token == "4" else ([0.5 * ring], 3)
                angles = np.arange(corners) * 2 * np.pi / corners - np.pi / 2
                reach = np.resize(radii, corners)
                points = np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], axis=1)
                cv2.fillPoly(page, [np.rint(points).astype(np.int32)], INK, cv2.LINE_AA)
    return page


@pytest.mark.parametrize(("pitch", "ring", "disc"), [(120, 42, 20), (64, 30, 17)])
def test_an_untouched_board_of_signs_is_there_and_not_begun(
    pitch: int, ring: int, disc: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: a filled disc for a 1 fills the middle of its island. Its later pictures were read as if digits were
    in it, and the board was not found in the very picture in which it had been read."""
    monkeypatch.setattr(questions, "SETTLE_LIMIT", 0.1)
    first, later = "2.1..\n.3..4\n.....\n.2.1.\n2...3", "1...\n41.1\n3.33"
    known = learned(HASHI, figures(first, pitch, ring, disc), first)
    image = figures(later, pitch, ring, disc)
    reading, settled = settle_trimmed(HASHI, HASHI.read(image, known))
    assert HASHI.format(settled.puzzle) == later
    assert settled.outcome is not None
    seen = HASHI.progress(reading, settled.puzzle, settled.outcome.solution, image)
    assert (seen.present, seen.done, seen.wrong) == (True, 0, 0)


TALLY = "3 3 3 X\n3 1 2 1\n1 1 1 1\nX . 1 ."
FOURS = "1 1 X 2\n1 . . X\n1 3 3 4\n1 2 3 4"


def tally(text: str) -> Image:
    page = blank()
    for row, line in enumerate(text.splitlines()):
        for column, token in enumerate(line.split()):
            if token == ".":
                continue
            x, y = middle(row, column)
            tile(page, (x, y))
            for k in range(int(token) if token != "X" else 0):
                left = x + round((k - (int(token) - 1) / 2) * 9)
                cv2.line(page, (left, y - 16), (left, y + 16), INK, 2)
            if token == "X":
                cv2.drawMarker(page, (x, y), INK, cv2.MARKER_TILTED_CROSS, 22, 3)
    return page


def test_a_tally_that_comes_with_a_later_level_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four strokes were read as two or three, as if something covered the others, without a doubt."""
    monkeypatch.setattr(questions, "SETTLE_LIMIT", 0.1)
    known = learned(CHAINS, tally(TALLY), TALLY)
    reading = CHAINS.read(tally(FOURS), known)
    assert [doubt.cells for doubt in reading.doubts] == [((2, 3), (3, 3))]
    assert CHAINS.format(CHAINS.replace(reading.puzzle, {(2, 3): "4", (3, 3): "4"})) == FOURS


LATER = "13 234 124 3\n24 32 31 32\n234 21 23 41\n34 2 241 31"


def test_strokes_that_do_not_hang_together_are_one_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Chinese 2 and 3 were taken apart into 1s, so that no board was found, or one with a number twice in a
    cell."""
    monkeypatch.setattr(questions, "SETTLE_LIMIT", 0.1)
    known = learned(CROSS_SET, cross_set(CANDIDATES, sign=bars), CANDIDATES)
    reading = CROSS_SET.read(cross_set(LATER, sign=bars), known)
    assert CROSS_SET.format(reading.puzzle) == LATER
    turned = state(cross_set(LATER.replace("13 234", "31 342"), sign=bars), reading, reading.puzzle)
    assert [turned.active((0, column)) for column in range(4)] == [3, 3, 1, 3]
    assert not turned.doubtful
