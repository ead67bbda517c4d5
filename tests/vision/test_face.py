"""Glyphs compared with the other glyphs of their window: which readings become more probable, and which do not."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoplayer.core.frame import Floats
from autoplayer.vision import face


def drawn(text: str, damage: float = 0.0, seed: int = 0) -> Floats:
    """A digit of OpenCV's plain face as ink, cut to its box; ``damage``: how much noise lies on it."""
    sheet = np.zeros((60, 60), np.uint8)
    cv2.putText(sheet, text, (8, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.6, 255, 4, cv2.LINE_AA)
    ys, xs = np.nonzero(sheet)
    ink = sheet[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32) / 255
    noise = np.random.default_rng(seed).normal(0, damage, ink.shape)
    return np.clip(ink + noise, 0, 1).astype(np.float32)


def test_a_glyph_like_no_example_of_a_token_is_hardly_that_token() -> None:
    """A 4 in doubt between 4 and 1: there are sure 1s, and it does not look like them; a sure 4 it resembles."""
    inks = [drawn("1"), drawn("4"), drawn("4", 0.25)]
    chances = {0: {"1": 0.99, "7": 0.01}, 1: {"4": 0.98, "9": 0.02}, 2: {"4": 0.8, "1": 0.2}}
    judged = face.compare(inks, [0, 1, 2], chances)
    assert judged[2]["4"] > 0.9
    assert judged[0]["1"] > 0.97


def test_likeness_turns_a_wrong_first_guess() -> None:
    inks = [drawn("3"), drawn("8"), drawn("3", 0.2, 1)]
    chances = {0: {"3": 0.97, "8": 0.03}, 1: {"8": 0.97, "3": 0.03}, 2: {"8": 0.51, "3": 0.49}}
    assert max(face.compare(inks, [0, 1, 2], chances)[2].items(), key=lambda pair: pair[1])[0] == "3"


def test_without_examples_nothing_is_learned() -> None:
    inks = [drawn("4"), drawn("7"), drawn("1")]
    chances = {i: {"4": 0.5, "1": 0.3, "7": 0.2} for i in range(3)}
    for judged in face.compare(inks, [0, 1, 2], chances).values():
        assert judged == pytest.approx({"4": 0.5, "1": 0.3, "7": 0.2})


def test_what_a_game_expects_counts() -> None:
    """The game says that a 2 is likelier where there is a sure 3; nothing else speaks for it."""

    def expected(token: str, sure: AbstractSet[str]) -> float:
        return 5.0 if token == "2" and "3" in sure else 1.0

    judged = face.compare([drawn("3"), drawn("5")], [0, 1], {0: {"3": 1.0}, 1: {"2": 0.5, "5": 0.5}}, expected)
    assert judged[1]["2"] == pytest.approx(5 / 6)


def test_equal_glyphs_share_one_answer_and_one_alone_stays_as_it_is() -> None:
    inks = [drawn("4"), drawn("4", 0.05), drawn("4", 0.05, 2)]
    assert face.compare(inks, [7, 7, 7], {7: {"4": 0.6, "9": 0.4}}) == {7: pytest.approx({"4": 0.6, "9": 0.4})}
    assert face.compare([], [], {}) == {}


@given(st.lists(st.lists(st.floats(0.001, 1), min_size=3, max_size=3), min_size=1, max_size=6))
def test_the_answers_are_distributions_over_the_same_tokens(weights: list[list[float]]) -> None:
    inks = [drawn("247185"[i], 0.1, i) for i in range(len(weights))]
    chances = {i: {t: w / sum(row) for t, w in zip(("2", "7", ""), row, strict=True)} for i, row in enumerate(weights)}
    judged = face.compare(inks, list(range(len(weights))), chances)
    assert judged.keys() == chances.keys()
    for number, options in judged.items():
        assert options.keys() == chances[number].keys()
        assert sum(options.values()) == pytest.approx(1)
        assert all(p >= 0 for p in options.values())
