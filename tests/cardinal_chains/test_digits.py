"""Numbers of two digits, judged by the digits that the board's other numbers have."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Floats
from autoplayer.games.cardinal_chains.seeing.glyphs import digits
from autoplayer.vision import glyphs


def drawn(text: str) -> Floats:
    """A number in OpenCV's plain face as ink, cut to its box."""
    sheet = np.zeros((60, 120), np.uint8)
    cv2.putText(sheet, text, (8, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.6, 255, 4, cv2.LINE_AA)
    ys, xs = np.nonzero(sheet)
    return np.asarray(sheet[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] / 255, np.float32)


@pytest.mark.parametrize("number", ["23", "47", "80", "59"])
def test_a_number_falls_into_its_digits(number: str) -> None:
    (pair,) = glyphs.in_two([drawn(number)])
    assert pair is not None
    assert "".join(glyphs.CLASSES[int(row.argmax())] for row in glyphs.classify(list(pair))) == number


def test_a_bar_does_not_fall_in_two() -> None:
    assert glyphs.in_two([np.ones((40, 6), np.float32)]) == [None]


def test_a_number_in_doubt_has_the_digits_of_the_others() -> None:
    """One number that may be 28 or 78 shares its digits with sure ones; its probability of being no number stays."""
    inks = [drawn(number) for number in ("28", "21", "78", "7")]
    chances = {0: {"28": 0.55, "78": 0.35, "": 0.1}, 1: {"21": 0.99}, 2: {"78": 0.98}, 3: {"7": 0.99}}
    judged = digits.compare(inks, [0, 1, 2, 3], chances)
    assert judged[0]["28"] > 0.85
    assert judged[0][""] == pytest.approx(0.1)
    assert max(judged[2], key=lambda token: judged[2][token]) == "78"


def test_boards_of_one_digit_are_left_as_they_are() -> None:
    chances = {0: {"3": 0.6, "8": 0.4}, 1: {"X": 0.9, "": 0.1}}
    assert digits.compare([drawn("3"), drawn("X")], [0, 1], chances) == chances
