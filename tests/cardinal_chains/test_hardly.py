"""Tokens that the other glyphs of a board make improbable, though the network is sure of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains.seeing import judging
from autoplayer.games.cardinal_chains.seeing.glyphs import tokens
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import glyphs, ink

SIDE = 40


def judged(
    monkeypatch: pytest.MonkeyPatch, rows: Sequence[Sequence[str]], said: dict[str, dict[str, float]]
) -> dict[tuple[int, int], tokens.Glyph]:
    """The tokens of drawn ``rows`` where the network says ``said`` of each letter, told by its ink's proportion."""
    image = np.full((SIDE * len(rows), SIDE * len(rows[0]), 3), 240, np.uint8)
    contents, shapes = {}, {}
    for r, line in enumerate(rows):
        for c, text in enumerate(line):
            spot = (c * SIDE + 5, r * SIDE + 30)
            cv2.putText(image, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (10, 10, 10), 2, cv2.LINE_AA)
            here = ink.content(image, Box(c * SIDE, r * SIDE, SIDE, SIDE))
            contents[r, c] = here
            shapes[here.ink.shape] = text

    def read(inks: Sequence[np.ndarray]) -> list[list[tuple[str, float]]]:
        return [list(said[shapes[one.shape]].items()) for one in inks]

    monkeypatch.setattr(glyphs, "read_numbers", read)
    return tokens.classify(image, contents, 0.0, set(contents))


@pytest.mark.parametrize(("rows", "doubted"), [(("I2I2", "2I2I"), True), (("I222", "2222"), False)])
def test_equal_starts_that_are_too_many_are_in_doubt(monkeypatch, rows, doubted):
    seen = judged(monkeypatch, rows, {"I": {"X": 0.93, "1": 0.07}, "2": {"2": 0.999, "7": 0.001}})
    first = seen[0, 0].candidates
    assert first[0][0] == "X"
    assert (first[0][1] < judging.CERTAIN) is doubted


@pytest.mark.parametrize(("glyph", "doubted"), [("6", True), ("42", False)])
def test_the_only_number_of_two_digits_is_broader_than_one_digit(monkeypatch, glyph, doubted):
    said = {glyph: {"42": 0.998, "4": 0.002}, "2": {"2": 0.999, "7": 0.001}, "3": {"3": 0.999, "8": 0.001}}
    monkeypatch.setattr(glyphs, "in_two", lambda inks: [None] * len(inks))
    seen = judged(monkeypatch, ([glyph, *"2232"], [*"3222", glyph], "22322"), said)
    first = seen[0, 0].candidates
    assert first[0][0] == "42"
    assert (first[0][1] < judging.CERTAIN) is doubted


@pytest.mark.parametrize(("others", "asked"), [(5, False), (2, True)])
def test_no_vote_makes_two_looks_of_many_cells_the_same_number(monkeypatch, others, asked):
    calls = []

    def vote(one: np.ndarray, chances: dict[str, float]) -> dict[str, float]:
        calls.append(one)
        return {"1": 0.97, "2": 0.03}

    monkeypatch.setattr(judging.ocr, "vote", vote)
    box = Box(0, 0, SIDE, SIDE)
    image = np.full((SIDE, SIDE, 3), 240, np.uint8)
    cv2.putText(image, "1", (8, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (10, 10, 10), 2, cv2.LINE_AA)
    content = ink.content(image, box)
    places = {(0, c): Place(content, box, (("1", 0.999),), 0, False) for c in range(5)}
    places |= {(1, c): Place(content, box, (("1", 0.85), ("2", 0.15)), 1, False) for c in range(others)}
    judging.put_to_vote(places)
    assert bool(calls) is asked
    assert (places[1, 0].candidates[0][1] >= judging.CERTAIN) is asked


@pytest.mark.parametrize(
    ("likeliest", "told", "illegible"), [(0.34, False, True), (0.36, False, False), (0.34, True, False)]
)
def test_what_looks_like_no_number_in_particular_may_be_any(likeliest, told, illegible):
    """Incident: the edge of a veil parted a 92; of what it looked like, the rules left only a 7, which was played."""
    box = Box(0, 0, SIDE, SIDE)
    image = np.full((SIDE, SIDE, 3), 240, np.uint8)
    cv2.line(image, (8, 8), (30, 30), (10, 10, 10), 2)
    content = ink.content(image, box)
    rest = tuple((str(n), (1 - likeliest) / 3) for n in (2, 3, 5))
    places = {
        (0, 0): Place(content, box, (("93", 0.999),), 0, False),
        (0, 1): Place(content, box, (("7", likeliest), *rest), 1, told),
    }
    judging.doubt_what_is_illegible(places)
    assert ("92" in dict(places[0, 1].candidates)) is illegible
    assert places[0, 1].candidates[0][0] == "7"
    assert sum(p for _, p in places[0, 1].candidates) == pytest.approx(1.0)
    assert len(places[0, 0].candidates) == 1
