"""Words on controls, where Tesseract is installed: they count more than the control's looks."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from autoplayer.core import tesseract
from autoplayer.core.frame import Box, Image, Point
from autoplayer.session.looking import words

WHITE, INK, BLUE = (255, 255, 255), (40, 30, 30), (180, 110, 40)


def page(buttons: Mapping[str, Point]) -> Image:
    picture = np.full((400, 600, 3), (230, 235, 240), np.uint8)
    for text, (x, y) in buttons.items():
        box = Box(x - 75, y - 22, 150, 44)
        light = text.isupper()
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), BLUE if light else WHITE, -1)
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.7, 1)
        at = x - wide // 2, y + high // 2
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, 0.7, WHITE if light else INK, 1, cv2.LINE_AA)
    return picture


def order(*texts: str) -> list[str]:
    """The texts of buttons one below the other, in the order in which they may be pressed."""
    places = {text: (300, 60 + 70 * k) for k, text in enumerate(texts)}
    found = words.Words().sorted(page(places), [*places.values()])
    return [text for at in found for text, place in places.items() if place == at]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> None:
    if not tesseract.available():
        pytest.skip("the tesseract program is not installed")
    monkeypatch.setattr(words, "can_read", lambda: True)
    monkeypatch.setattr(words, "PATIENCE", 60.0)  # other tests may keep the machine busy


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(("Share", "Next", "Home"), ["Next", "Home"], id="share first"),
        pytest.param(("Play again", "Quit"), ["Play again"], id="the end"),
        pytest.param(("BUY NOW", "No thanks"), ["No thanks"], id="an offer, light on dark"),
        pytest.param(("Cancel", "Yes"), ["Yes", "Cancel"], id="a question"),
        pytest.param(("Gwxlk", "Qrtz"), ["Gwxlk", "Qrtz"], id="words that it does not know"),
    ],
)
def test_words_tell_what_leads_on_and_what_is_never_pressed(texts: tuple[str, ...], expected: list[str]) -> None:
    assert order(*texts) == expected


@pytest.mark.usefixtures("read")
def test_words_tell_that_the_last_one_of_a_row_leads_on() -> None:
    """Incident: of "Prev" and "Next" below the board only the first was pressed."""
    texts = {"Prev": (200, 200), "Next": (400, 200)}
    assert words.Words().onward(page(texts), [*texts.values()]) == [(400, 200)]


@pytest.mark.usefixtures("read")
def test_a_sentence_is_nothing_to_be_pressed() -> None:
    """Incident: "Go on to the next level?" was pressed, for it holds "next", and not "Yes" below it."""
    picture = page({"Yes": (200, 200)})
    cv2.putText(picture, "Go on to the next level?", (100, 100), cv2.FONT_HERSHEY_DUPLEX, 0.7, INK, 1, cv2.LINE_AA)
    assert words.Words().onward(picture, [(150, 95), (200, 200)]) == []


@pytest.mark.parametrize("read_as", ["unda", "shore", "restort"])
def test_a_word_read_with_one_wrong_letter_is_still_never_pressed(
    monkeypatch: pytest.MonkeyPatch, read_as: str
) -> None:
    """Incident: Tesseract reads "Undo" in small serif letters as "unda", and it was pressed after a level."""
    monkeypatch.setattr(words, "can_read", lambda: True)
    monkeypatch.setattr(tesseract, "read", lambda *_, **__: read_as)
    assert words.Words().sorted(page({"Undo": (300, 60)}), [(300, 60)]) == []


def test_a_word_of_three_letters_is_taken_as_it_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "can_read", lambda: True)
    monkeypatch.setattr(tesseract, "read", lambda *_, **__: "but")  # one letter of "buy" would do
    assert words.Words().sorted(page({"But": (300, 60)}), [(300, 60)]) == [(300, 60)]


def test_where_nothing_can_be_read_the_order_stays() -> None:
    assert order("Share", "Next") == ["Share", "Next"]


def test_a_control_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "can_read", lambda: True)
    asked: list[tuple[str, ...]] = []

    def answer(page: Image, *options: str, patience: float) -> str:
        asked.append(options)
        return "Share"

    monkeypatch.setattr(tesseract, "read", answer)
    reader, picture = words.Words(), page({"Share": (300, 60)})
    assert [reader.sorted(picture, [(300, 60)]) for _ in range(3)] == [[]] * 3
    assert len(asked) == 1
