"""How much of a covered place the board's own glyphs leave unexplained."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.games.cardinal_chains.seeing.covered.compared import beside_all_of, looks_of, unexplained
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import ink

GROUND, INK, SIDE = (60, 155, 20), (30, 60, 20), 26


def row(tokens: str) -> Image:
    """One number in each place of a row without walls."""
    image = np.full((SIDE, SIDE * len(tokens), 3), GROUND, np.uint8)
    for i, token in enumerate(tokens):
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        at = i * SIDE + (SIDE - w) // 2, (SIDE + h) // 2
        cv2.putText(image, token, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    return image


def left_by(image: Image, tokens: str) -> dict[str, int]:
    """What each of ``tokens``, which stand in the first places, leaves in the last place beside the largest piece of
    what is unexplained, in pixels."""
    boxes = [Box(SIDE * i, 0, SIDE, SIDE) for i in range(len(tokens) + 1)]
    seen = ink.contents(image, boxes)
    *clear, doubted = [
        Place(here, box, ((token, 0.99),), i, False)
        for i, (here, box, token) in enumerate(zip(seen, boxes, [*tokens, "2"], strict=True))
    ]
    looks = looks_of(image, clear)
    left = unexplained(image, doubted, looks, beside_all_of(image, clear, looks), False, 0.0)
    return {token: count - largest for token, (count, largest) in left.items() if token}


def test_a_wall_in_the_place_of_the_only_equal_number_is_no_part_of_its_look() -> None:
    """Incident: a 2 under a pointer was played as a 1; the other 2 had a wall at its side."""
    image = row("232")
    cv2.rectangle(image, (0, 0), (1, SIDE - 1), INK, -1)
    cv2.fillPoly(image, [np.array([(66, 11), (66, 25), (76, 21)], np.int32)], (255, 255, 255))
    assert left_by(image, "23")["2"] == 0


def test_what_surrounds_a_place_hides_nothing_within() -> None:
    """Incident: the colours of chains spread all around a pale 4 in a compressed picture, and it was taken for an empty
    place."""
    image = row("344")
    cv2.rectangle(image, (2 * SIDE, 0), (3 * SIDE - 1, SIDE - 1), (90, 230, 110), 2)
    left = left_by(image, "34")
    assert left["4"] < left["3"]
