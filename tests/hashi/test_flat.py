"""Flat islands: without a rim between strong bridges, and a few squares below a heading with numbers in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle

BOARD = ".2..3.4.2\n1....2.1.\n..3.3.2.2\n.3...4.4.\n2.4.5...3\n.3.2.3.5.\n2.3.4.1.2\n...1.....\n1.4.3..2."
PITCH, WATER, ISLAND, NUMBER, BRIDGE = 64, (69, 69, 69), (46, 40, 62), (150, 145, 150), (225, 225, 210)


def solved(puzzle: Puzzle) -> Image:
    image = np.full((720, 760, 3), WATER, np.uint8)
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None

    def at(cell: tuple[int, int]) -> tuple[int, int]:
        return 110 + PITCH * cell[1], 90 + PITCH * cell[0]

    for link in solution:
        (x, y), (u, v) = at(link.a), at(link.b)
        across = (1, 0) if x == u else (0, 1)
        for by in (0,) if link.count == 1 else (-4, 4):
            dx, dy = by * across[0], by * across[1]
            cv2.line(image, (x + dx, y + dy), (u + dx, v + dy), BRIDGE, 3, cv2.LINE_AA)
    for cell, number in puzzle.islands.items():
        (x, y), text = at(cell), str(number)
        cv2.circle(image, (x, y), 20, ISLAND, -1, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
        place = (x - width // 2, y + height // 2)
        cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.7, NUMBER, 2, cv2.LINE_AA)
    return image


def test_crossings_between_bridges_are_no_islands_without_a_number() -> None:
    """Incident: a solved board was refused, as one on which complete islands show no number any more."""
    settled = settle(GAME, GAME.read(solved(parse(BOARD)), Layout(game="hashi")))
    assert GAME.format(settled.puzzle) == BOARD
    assert settled.certain


def square(image: Image, x: int, y: int, half: int, number: str, fill: tuple[int, int, int] = (79, 65, 34)) -> None:
    """A number in an outlined square whose middle is at ``x``, ``y``; ``half``: half its side, pixels."""
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), fill, -1)
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (150, 140, 110), 2)
    (width, height), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, 1, 2)
    place = (x - width // 2, y + height // 2)
    cv2.putText(image, number, place, cv2.FONT_HERSHEY_DUPLEX, 1, (232, 242, 243), 2, cv2.LINE_AA)


def first_level(heading: str, top: int = 131) -> Image:
    """``top``: where the upper islands' middles are."""
    image = np.full((top + 329, 420, 3), (59, 30, 27), np.uint8)
    cv2.putText(image, heading, (8, 38), cv2.FONT_HERSHEY_DUPLEX, 0.95, (232, 242, 243), 2, cv2.LINE_AA)
    for (x, y), number in {(74, top): "2", (218, top): "3", (218, top + 144): "1"}.items():
        square(image, x, y, 26, number)
    return image


@pytest.mark.parametrize("heading", ["World 2 - 19", "Level 2", "Puzzle 3 / 5", "1 2 3"])
def test_numbers_of_a_heading_are_no_islands_of_a_first_level(heading: str) -> None:
    """Incident: on the lattice of three islands a number of the heading had a place as well."""
    settled = settle(GAME, GAME.read(first_level(heading), Layout(game="hashi")))
    islands = [number for row in settled.puzzle.rows for number in row if number]
    assert islands == [2, 3, 1]
    assert settled.certain


@pytest.mark.parametrize("half", [20, 23, 29, 32])
@pytest.mark.parametrize("y", [47, 60])
@pytest.mark.parametrize("fill", [(59, 30, 27), (90, 40, 90)], ids=["of the water", "of its own"])
def test_a_number_in_a_box_above_a_first_level_is_no_island_of_it(
    half: int, y: int, fill: tuple[int, int, int]
) -> None:
    """Incident: it had a place on the lattice of three islands, and the board no solution."""
    image = first_level("", top=191)
    square(image, 218, y, half, "5", fill)
    settled = settle(GAME, GAME.read(image, Layout(game="hashi")))
    assert [number for row in settled.puzzle.rows for number in row if number] == [2, 3, 1]
    assert settled.certain


@pytest.mark.parametrize(
    "fill", [(211, 222, 227), (208, 208, 208), (219, 221, 228)], ids=["yellower", "darker", "lighter"]
)
@pytest.mark.parametrize("solved", [False, True], ids=["open", "solved"])
def test_squares_that_hardly_differ_from_the_water_are_islands(fill: tuple[int, int, int], solved: bool) -> None:
    """Incident: their edges were too faint, and two digits in the line below the board were read instead."""
    image = np.full((360, 480, 3), (212, 214, 221), np.uint8)
    middles = {(90, 70): "1", (160, 70): "4", (300, 70): "3", (160, 210): "4", (300, 210): "4"}
    if solved:
        cv2.line(image, (90, 70), (300, 70), (40, 34, 18), 3)
        for k in (-5, 5):
            for x in (160, 300):
                cv2.line(image, (x + k, 70), (x + k, 210), (40, 34, 18), 3)
            cv2.line(image, (160, 210 + k), (300, 210 + k), (40, 34, 18), 3)
    for (x, y), number in middles.items():
        image[y - 22 : y + 22, x - 22 : x + 22] = fill
        (width, height), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
        place = (x - width // 2, y + height // 2)
        cv2.putText(image, number, place, cv2.FONT_HERSHEY_DUPLEX, 0.8, (116, 119, 111), 2, cv2.LINE_AA)
    cv2.putText(image, "2 or 3 hints are free", (120, 330), cv2.FONT_HERSHEY_DUPLEX, 0.5, (40, 34, 18), 1, cv2.LINE_AA)
    settled = settle(GAME, GAME.read(image, Layout(game="hashi")))
    assert GAME.format(settled.puzzle) == "14.3\n....\n.4.4"
    assert settled.certain
