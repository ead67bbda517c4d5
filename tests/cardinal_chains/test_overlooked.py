"""What a board leaves over, on numbers drawn where they belong, through the edge of a place, and between places."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains.seeing.covered.overlooked import left_over
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.vision import ink


def window(*numbers: tuple[str, int, int]) -> np.ndarray:
    """Numbers with their middles at ``(text, x, y)``, white on blue."""
    image = np.full((200, 320, 3), (120, 70, 40), np.uint8)
    for text, x, y in numbers:
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.1, 2)
        cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (240, 240, 240), 2)
    return image


def places(image: np.ndarray, pitch: int, spots: dict[tuple[int, int], str]) -> dict[tuple[int, int], Place]:
    """Places of a lattice that begins at (20, 20), with what is read in them."""
    found = {}
    for number, ((r, c), text) in enumerate(spots.items()):
        box = Box(20 + pitch * c, 20 + pitch * r, pitch, pitch)
        found[r, c] = Place(ink.content(image, box), box, ((text, 0.99),), number, False)
    return found


def test_a_lattice_that_holds_all_numbers_leaves_nothing_over():
    image = window(("2", 50, 50), ("35", 110, 50), ("4", 170, 50), ("6", 50, 110))
    seen = places(image, 60, {(0, 0): "2", (0, 1): "35", (0, 2): "4", (1, 0): "6"})
    assert not left_over(image, seen, 0.0).cut
    assert not left_over(image, seen, 0.0).loose


def test_a_number_through_the_edge_of_its_place_is_cut():
    image = window(("2", 38, 40), ("3", 64, 40), ("4", 80, 80))
    assert left_over(image, places(image, 40, {(0, 0): "2", (0, 1): "3", (1, 1): "4"}), 0.0).cut == {(0, 1)}


@pytest.mark.parametrize(("aside", "cut"), [(12, set()), (0, {(0, 1)})], ids=["apart", "touching"])
def test_a_start_larger_than_its_place_is_cut_only_where_it_reaches_into_another(aside, cut):
    """Incident: an X in a disc reached out of places as large as the numbers, and the board was refused."""
    image = window(("2", 30, 40), ("X", 64, 40), ("4", 80, 80))
    seen = places(image, 40, {(0, 1): "X", (1, 1): "4"})
    box = Box(20 - aside, 20, 40, 40)
    seen[0, 0] = Place(ink.content(image, box), box, (("2", 0.99),), 2, False)
    assert left_over(image, seen, 0.0).cut == cut


@pytest.mark.parametrize("inside", [True, False])
def test_a_number_between_the_places_is_loose_and_one_beside_the_board_is_not(inside):
    image = window(("2", 50, 50), ("4", 170, 50), ("3", 50, 110), ("5", 170, 110), ("6", 110 if inside else 270, 50))
    seen = places(image, 60, {(0, 0): "2", (0, 2): "4", (1, 0): "3", (1, 2): "5"})
    found = left_over(image, seen, 0.0)
    assert not found.cut
    assert [box.contains((110, 50)) for box in found.loose] == ([True] if inside else [])
