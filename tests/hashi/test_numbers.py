"""Hashi: how sure a number is that stands in an island, by the typeface it has and by what equal ones show."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import parse
from autoplayer.games.hashi.seeing.places import numbers
from autoplayer.games.hashi.seeing.places.islands import find
from autoplayer.games.hashi.seeing.places.options import CERTAIN, may_hold
from autoplayer.games.hashi.seeing.places.outline import view

HANGING = {3: 5, 4: 5}
"""Pixels by which old-style numerals hang lower than a 2."""


def old_style(islands: dict[Cell, int]) -> Image:
    """Discs that the higher ones of old-style numerals nearly fill."""
    picture = np.full((420, 420, 3), (20, 16, 14), np.uint8)
    for (row, column), number in islands.items():
        x, y = 60 + 50 * column, 60 + 50 * row
        cv2.circle(picture, (x, y), 20, (80, 60, 230), -1, cv2.LINE_AA)
        size = 1.0 if number in HANGING else 0.68
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, size, 2)
        place = x - width // 2, y + height // 2 + HANGING.get(number, 0)
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, size, (235, 235, 235), 2, cv2.LINE_AA)
    return picture


def test_old_style_numerals_that_fill_their_islands_are_no_less_sure() -> None:
    """Incident: half of the numbers hung below the line, and were thought to hold a piece of a rim each."""
    islands = parse("2..3..2\n.......\n.......\n4..2..2\n.......\n.......\n2..4..3").islands
    seen, chart = find(old_style(islands))[0]
    centres = np.array([one.centre for one in chart.islands.values()])
    found = numbers.read(seen, centres, numbers.INSIDE * chart.outline.inner, chart.outline.round)
    sure = {one.candidates[0][0] for one in found if one.probability > numbers.SURE}
    assert {"2", "3", "4"} <= sure


def test_equal_numbers_are_one_doubt() -> None:
    """Incident: fourteen equal ones were as many doubts, each with a probability of its own, which were too many."""
    board = parse("6.6.3.3\n.......\n6.8.4.4\n.......\n4.5.5.2\n.......\n2.3.3.2")
    seen, chart = find(GAME.draw(board))[0]
    ranked = (("6", 0.7), ("5", 0.3))
    sixes = [cell for cell, one in chart.islands.items() if one.candidates[0][0] == "6"]
    doubted = {cell: replace(chart.islands[cell], candidates=ranked) for cell in sixes}
    # No two are equal to the last pixel.
    for turn, cell in enumerate(sixes):
        content = doubted[cell].content
        ink = np.roll(content.ink, turn, axis=1)
        doubted[cell] = replace(doubted[cell], content=replace(content, ink=ink))
    options = may_hold(seen, replace(chart, islands={**chart.islands, **doubted}))
    assert len({options[cell] for cell in sixes}) == 1
    assert options[sixes[0]][0][1] < CERTAIN


def test_a_number_in_pieces_is_told_from_the_smaller_one_below_it() -> None:
    """Incident: the thin strokes of a typeface were hardly drawn, so that its digits fell into pieces, and what each
    island has stood below them. The small numbers alone could be read, and were taken for the board."""
    picture = np.full((120, 900, 3), (250, 250, 250), np.uint8)
    for number in range(1, 9):
        x, y = 100 * number - 50, 50
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, 1.0, (0, 0, 0), 2, cv2.LINE_AA)
        picture[y - 15 : y + 15, x - 1 : x + 1] = 250
        cv2.putText(picture, "2", (x - 6, y + 30), cv2.FONT_HERSHEY_DUPLEX, 0.6, (0, 0, 0), 2, cv2.LINE_AA)
    found = numbers.read(view(picture), [(100.0 * number - 50, 50.0) for number in range(1, 9)], 70)
    assert [one.candidates[0][0] for one in found] == list(numbers.NUMBERS)
    assert min(one.probability for one in found) > 0.8


def test_a_bold_0_is_not_the_1_that_its_hole_looks_like() -> None:
    """Islands that had all their links showed a 0; without what is broader than a stroke its hole was left."""
    picture = np.full((120, 900, 3), (200, 210, 205), np.uint8)
    water, drawn = (140, 150, 145), (20, 25, 20)
    for place in range(8):
        x, y = 100 * place + 50, 50
        cv2.circle(picture, (x, y), 24, water, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 24, drawn, 2, cv2.LINE_AA)
        if place < 6:
            (width, height), _ = cv2.getTextSize(str(place + 1), cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
            where = x - width // 2, y + height // 2
            cv2.putText(picture, str(place + 1), where, cv2.FONT_HERSHEY_DUPLEX, 0.8, drawn, 2, cv2.LINE_AA)
        else:
            cv2.ellipse(picture, (x, y), (10, 12), 0, 0, 360, drawn, -1, cv2.LINE_AA)
            cv2.ellipse(picture, (x, y), (2, 9), 0, 0, 360, water, -1, cv2.LINE_AA)
    found = numbers.read(view(picture), [(100.0 * place + 50, 50.0) for place in range(8)], 40)
    assert [one.candidates[0][0] for one in found] == ["1", "2", "3", "4", "5", "6", "", ""]
    assert numbers.zeros(found)[6:] == [True, True]


def test_a_ring_that_is_larger_than_all_numbers_is_no_0() -> None:
    """Incident: the rims of two islands were two 0s, so that the board was refused as one that counts down."""
    picture = np.full((120, 500, 3), (200, 210, 205), np.uint8)
    for k, sign in enumerate("25830"):
        (width, height), _ = cv2.getTextSize(sign, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 1)
        cv2.putText(picture, sign, (50 + 90 * k - width // 2, 60 + height // 2), 0, 0.8, (0, 0, 0), 1, cv2.LINE_AA)
    places = [(50.0 + 90 * k, 60.0) for k in range(5)]
    assert numbers.zeros(numbers.read(view(picture), places, 60))[4]
    cv2.circle(picture, (410, 60), 15, (0, 0, 0), 2, cv2.LINE_AA)
    picture[50:70, 400:421] = (200, 210, 205)
    found = numbers.read(view(picture), places, 60)
    assert [one.candidates[0][0] for one in found[:4]] == list("2583")
    assert not any(numbers.zeros(found))
