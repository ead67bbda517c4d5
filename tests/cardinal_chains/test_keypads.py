"""Keypads, as calculators and telephones have them, are no boards."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.seeing import board
from autoplayer.games.cardinal_chains.seeing.glyphs.tokens import Eyes
from autoplayer.games.cardinal_chains.seeing.lattice.level_lists import is_keypad
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, Place
from autoplayer.layout import Layout
from autoplayer.vision import ink
from autoplayer.vision.lattice import Lattice

SIGN, KEY, PAGE, INK = (110, 140, 30), (190, 185, 175), (240, 234, 214), (30, 30, 30)


def keypad(rows: Sequence[str], pitch: int = 50) -> Image:
    """Tiles on one lattice, those with signs in another colour."""
    image = np.full((60 + pitch * len(rows), 60 + pitch * len(rows[0]), 3), PAGE, np.uint8)
    for r, row in enumerate(rows):
        for c, key in enumerate(row):
            if key != " ":
                x, y, side = 30 + c * pitch, 30 + r * pitch, pitch - 4
                cv2.rectangle(image, (x, y), (x + side, y + side), KEY if key.isdigit() and c < 3 else SIGN, -1)
                (w, h), _ = cv2.getTextSize(key, cv2.FONT_HERSHEY_DUPLEX, 0.9, 2)
                at = x + (side - w) // 2, y + (side + h) // 2
                cv2.putText(image, key, at, cv2.FONT_HERSHEY_DUPLEX, 0.9, INK, 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(["123-", "456X", "789/", "0.=+"], id="a calculator"),
        pytest.param(["123 ", "456X", "7891", "    "], id="two of its signs look like a board"),
    ],
)
def test_a_keypad_is_refused(rows: list[str]) -> None:
    """Incidents: the digits were read as a board, and where they were known as a list, the X and the slash, a 1."""
    with pytest.raises(UnreadableError):
        GAME.read(keypad(rows), Layout(game="cardinal-chains"))


def placed(rows: Sequence[str]) -> dict[tuple[int, int], Place]:
    box = Box(0, 0, 9, 9)
    nothing = ink.content(np.zeros((9, 9, 3), np.uint8), box)
    return {
        (r, c): Place(nothing, box, ((token, 0.99),), 0, False)
        for r, row in enumerate(rows)
        for c, token in enumerate(row)
    }


@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        (["123", "456", "789", "X0X"], True),
        (["789X", "4561", "1231"], True),  # a computer's keypad, and two slashes
        (["123X", "4565", "7898", "2222"], False),  # more is there than a keypad has
        (["123", "456", "788", "X0X"], False),
    ],
)
def test_what_a_keypad_is(rows: list[str], keys: bool) -> None:
    assert is_keypad(placed(rows)) == keys


@pytest.mark.parametrize(("rows", "is_board"), [(["X", "1"], False), (["X", "1", "1"], True)])
def test_beside_a_list_of_numbers_two_signs_are_no_board(
    rows: list[str], is_board: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: of a calculator, whose digits are such a list, the X and the slash below it were played."""
    cells = Lattice(30, 30, 50, 50, 44, 44, frozenset(), frozenset())
    listed = Board(cells, True, placed(["123", "456", "789"]), 9.0, True)
    beside = Board(cells, True, placed(rows), 2.0, True)
    found = iter([(beside, listed, True), (beside, None, False)])
    monkeypatch.setattr(board, "_find", lambda *_: next(found))
    assert board.find(keypad(["123"]), Eyes()) is (beside if is_board else listed)
