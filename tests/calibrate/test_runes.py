"""Windows whose numbers are runes, drawn as pages draw them: the board is found, and each rune is asked about once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.calibrate import Calibration
from autoplayer.calibrate.questions import in_turn, tokens_at
from autoplayer.cli import main
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from autoplayer.games.base import Game
from autoplayer.games.cardinal_chains import GAME as CARDINAL_CHAINS
from autoplayer.games.cross_set import GAME as CROSS_SET
from autoplayer.games.hashi import GAME as HASHI
from autoplayer.layout import Layout

pytestmark = pytest.mark.usefixtures("own_home")

PITCH, LEFT, TOP, FINE = 64, 222, 84, 8
PAGE, TILE, LINE, INK, RED = (226, 239, 244), (246, 253, 255), (80, 106, 138), (48, 48, 58), (58, 58, 208)
Stroke = tuple[tuple[float, float], ...]
RUNES: Mapping[str, tuple[Stroke, ...]] = {
    "1": (((0.3, 0), (0.3, 1)), ((0.3, 0.4), (0.7, 0.05)), ((0.3, 0.7), (0.8, 0.3))),
    "2": (((0.25, 1), (0.25, 0.05), (0.75, 0.35), (0.75, 1)),),
    "3": (((0.3, 0), (0.3, 1)), ((0.3, 0.25), (0.75, 0.5), (0.3, 0.75))),
    "4": (((0.3, 0), (0.3, 1)), ((0.3, 0.05), (0.75, 0.3)), ((0.3, 0.35), (0.75, 0.6))),
    "5": (((0.25, 1), (0.25, 0), (0.7, 0.25), (0.25, 0.5), (0.75, 1)),),
    "6": (((0.7, 0.1), (0.3, 0.5), (0.7, 0.9)),),
    "7": (((0.2, 0.1), (0.8, 0.9)), ((0.8, 0.1), (0.2, 0.9))),
    "8": (((0.2, 0), (0.2, 1), (0.8, 1), (0.8, 0.5), (0.2, 0.5)), ((0.2, 0), (0.8, 0))),
    "9": (((0.2, 0), (0.2, 1), (0.8, 1), (0.8, 0.5), (0.2, 0.5)), ((0.2, 0), (0.8, 0), (0.8, 0.2))),
}


def rune(page: Image, token: str, centre: tuple[float, float], side: float) -> None:
    for stroke in RUNES[token]:
        spots = [[16 * (centre[k] + (spot[k] - 0.5) * side) for k in (0, 1)] for spot in stroke]
        line = np.round(np.array(spots)).astype(np.int32)
        cv2.polylines(page, [line], False, INK, max(round(side / 10), 1), cv2.LINE_AA, 4)


def middle(row: int, column: int) -> tuple[int, int]:
    return LEFT + column * PITCH + PITCH // 2, TOP + row * PITCH + PITCH // 2


def blank() -> Image:
    return np.full((560, 700, 3), PAGE, np.uint8)


def tile(page: Image, centre: tuple[int, int]) -> None:
    """A tile with round corners, and a gap around it."""
    (x, y), half, corner = centre, 29, 7
    for colour, h, r in ((LINE, half, corner), (TILE, half - 2, corner - 2)):
        cv2.rectangle(page, (x - h + r, y - h), (x + h - r, y + h), colour, -1)
        cv2.rectangle(page, (x - h, y - h + r), (x + h, y + h - r), colour, -1)
        for dx in (r - h, h - r):
            for dy in (r - h, h - r):
                cv2.circle(page, (x + dx, y + dy), r, colour, -1, cv2.LINE_AA)


def tiles(page: Image, text: str) -> Iterator[tuple[str, int, int]]:
    """Draws a tile for each token, and says where its middle is."""
    for row, line in enumerate(text.splitlines()):
        for column, token in enumerate(line.split()):
            x, y = middle(row, column)
            tile(page, (x, y))
            yield token, x, y


def cardinal_chains(text: str) -> Image:
    page = blank()
    for token, x, y in tiles(page, text):
        if token == "X":
            star = [(0, -19), (6, -6), (19, 0), (6, 6), (0, 19), (-6, 6), (-19, 0), (-6, -6)]
            cv2.fillPoly(page, [np.array([(x + dx, y + dy) for dx, dy in star], np.int32)], RED, cv2.LINE_AA)
        else:
            rune(page, token, (x, y), 32)
    return page


def strokes(text: str) -> Image:
    """Numbers as so many strokes beside one another, with serifs, as Roman ones to three are."""
    page = blank()
    for token, x, y in tiles(page, text):
        if token == "X":
            cv2.putText(page, "X", (x - 11, y + 12), cv2.FONT_HERSHEY_DUPLEX, 1.1, RED, 2, cv2.LINE_AA)
        for k in range(int(token) if token != "X" else 0):
            left = x + round(13 * (k - (int(token) - 1) / 2))
            cv2.line(page, (left, y - 13), (left, y + 13), INK, 3, cv2.LINE_AA)
            for foot in (y - 13, y + 13):
                cv2.line(page, (left - 4, foot), (left + 4, foot), INK, 2, cv2.LINE_AA)
    return page


def hashi(text: str) -> Image:
    """Drawn eight times as large, and made smaller: rims as soft as a browser's."""
    page = np.full((560 * FINE, 700 * FINE, 3), PAGE, np.uint8)
    for row, line in enumerate(text.splitlines()):
        for column, token in enumerate(line):
            if token != ".":
                x, y = (FINE * place + FINE // 2 for place in middle(row, column))
                cv2.circle(page, (x, y), round(25.6 * FINE), TILE, -1)
                cv2.circle(page, (x, y), round(25.6 * FINE), LINE, round(2.5 * FINE))
                rune(page, token, (x, y), 30.7 * FINE)
    return np.asarray(cv2.resize(page, (700, 560), interpolation=cv2.INTER_AREA), np.uint8)


def cross_set(text: str) -> Image:
    """The number that is shown is large, the others of its cell stand small below it."""
    page = blank()
    for row, line in enumerate(text.splitlines()):
        for column, listed in enumerate(line.split()):
            x, y = middle(row, column)
            cv2.rectangle(page, (x - 31, y - 31), (x + 30, y + 30), LINE, 2)
            cv2.rectangle(page, (x - 29, y - 29), (x + 28, y + 28), TILE, -1)
            rune(page, listed[0], (x, y - 8), 27)
            for index, token in enumerate(listed[1:]):
                rune(page, token, (x + 16 * (index - (len(listed) - 2) / 2), y + 20), 12)
    return page


CHAINS = "3 2 2 2\n3 2 2 2\n4 4 4 4\n4 5 X 4"
BRIDGES = "3.5..1\n......\n......\n3.7..3\n......\n2.6..4"
CANDIDATES = "2134 324 2314 4321\n341 4213 234 41\n3124 312 3214 43\n3421 1 2 4132"


@pytest.mark.parametrize(
    ("game", "picture", "text"),
    [
        pytest.param(CARDINAL_CHAINS, cardinal_chains, CHAINS, id="gaps between tiles look like an X"),
        pytest.param(HASHI, hashi, BRIDGES, id="rims look like ones"),
        pytest.param(CROSS_SET, cross_set, CANDIDATES, id="large and small"),
    ],
)
def test_each_rune_is_asked_about_once(game: Game[Any, Any], picture: Any, text: str) -> None:
    image, said, given = picture(text), tokens_at(text), []
    with Calibration(game, "runes") as learning:
        for _ in range(3):
            look = learning.look(image)
            assert all(re.search(r" or 2 or 3 or 4\b", question.text) for question in look.questions)
            for question in in_turn(look.questions)[0]:
                (token,) = {said[spot] for spot in question.spots}
                learning.answer(look, question, token)
                given.append(token)
        assert look.known
        assert not look.unheard
        assert game.format(look.puzzle) == text
    assert sorted(given) == sorted({*text} - {*" .\n"})


LETTERS = {"1": "A", "2": "K", "3": "B", "4": "H", "5": "b", "6": "Z", "7": "R"}
"""Three of them look like numbers."""


def lettered(text: str) -> Image:
    page = blank()
    for row, line in enumerate(text.splitlines()):
        for column, token in enumerate(line):
            if token != ".":
                x, y = middle(row, column)
                cv2.circle(page, (x, y), 26, LINE, 2, cv2.LINE_AA)
                (width, height), _ = cv2.getTextSize(LETTERS[token], cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
                at = x - width // 2, y + height // 2
                cv2.putText(page, LETTERS[token], at, cv2.FONT_HERSHEY_DUPLEX, 1.0, INK, 2, cv2.LINE_AA)
    return page


def test_signs_that_look_like_numbers_are_not_the_whole_board() -> None:
    """Incident: these signs alone were taken for the whole board, and the right answers refused."""
    image = lettered(BRIDGES)
    with Calibration(HASHI, "letters") as learning:
        look = learning.look(image)
        assert len(look.reading.places) == sum(token not in ".\n" for token in BRIDGES)
        asked = {tokens_at(BRIDGES)[spot] for question in look.questions for spot in question.spots}
        assert asked == {*BRIDGES} - {*".\n"}
        learning.tell_puzzle(look, BRIDGES)
        look = learning.look(image)
        assert look.known
        assert HASHI.format(look.puzzle) == BRIDGES


ROMAN = "1 1 X 2\n1 2 2 2\n1 X 1 2\n1 1 1 2"


def test_strokes_are_no_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """II was read as 11 without a doubt, and with ``--yes`` a layout was kept that says so."""
    image, path = strokes(ROMAN), tmp_path / "roman.png"
    with pytest.raises(UnreadableError, match="no digits, as Roman numerals"):
        CARDINAL_CHAINS.read(image, Layout(game="cardinal-chains"))
    cv2.imwrite(str(path), image)
    assert main(["calibrate", "cardinal-chains", "--image", str(path), "--name", "roman", "--yes", "--json"]) == 1
    learned = json.loads(capsys.readouterr().out)
    assert (learned["status"], learned["templates"]) == ("doubtful", None)
    assert "3 glyphs are not known" in learned["error"]
    assert "--answers" in learned["error"]


def test_two_runes_that_differ_by_half_a_stroke_are_two() -> None:
    """Incident: one question was asked about both, and answers that distinguish them were refused."""
    text = "5 X 5 5 8\n8 X 5 5 5\n8 8 8 9 9\n8 8 9 9 9"
    image = cardinal_chains(text)
    with Calibration(CARDINAL_CHAINS, "runes") as learning:
        learning.tell_puzzle(learning.look(image), text)
        look = learning.look(image)
        assert look.known
        assert CARDINAL_CHAINS.format(look.puzzle) == text
