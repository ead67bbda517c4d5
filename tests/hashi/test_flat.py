"""Flat islands: without a rim between strong bridges, and a few squares below a heading with numbers in it."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, parse
from autoplayer.games.hashi.seeing.places import islands
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


WHITE, GREEN = (250, 244, 236), (190, 215, 190)


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
    assert [number for row in settled.puzzle.rows for number in row if number] == [2, 3, 1]
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
    ("half", "fill"), [(28, WHITE), (28, GREEN), (33, GREEN)], ids=["of the water", "of its own", "larger"]
)
def test_a_number_in_a_ring_a_little_smaller_or_larger_than_the_islands_is_no_island_of_a_board_of_five(
    half: int, fill: tuple[int, int, int]
) -> None:
    """It stands above the board, in line with a column. With it the board has no solution, and was refused."""
    image = np.full((460, 360, 3), WHITE, np.uint8)
    islands = {(60, 180): "2", (180, 180): "3", (300, 180): "2", (180, 300): "2", (60, 300): "1"}
    for (x, y), number in (islands | {(180, 60): "5"}).items():
        own = number == "5"
        size = half if own else 30
        cv2.circle(image, (x, y), size, fill if own else (225, 205, 190), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), size, (120, 90, 80), 2, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, 1, 2)
        place = (x - width // 2, y + height // 2)
        cv2.putText(image, number, place, cv2.FONT_HERSHEY_DUPLEX, 1, (40, 30, 30), 2, cv2.LINE_AA)
    settled = settle(GAME, GAME.read(image, Layout(game="hashi")))
    assert [number for row in settled.puzzle.rows for number in row if number] == [2, 3, 2, 1, 2]
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


SOFT = GAME.generate(8, 8, 5)


def soft(ground: tuple[int, int, int], number: tuple[int, int, int], light: int, dark: int, filled: int = 0) -> Image:
    """The board in squares of the ground's own colour, which a soft light at the top left and a soft shadow at the
    bottom right, so many grey levels, set apart from it. Every so many of them is ``filled``, with an outline."""
    size, middles = 60, {cell: (60 * (cell[1] + 1), 60 * (cell[0] + 1)) for cell in sorted(SOFT.islands)}
    shaded = np.full((size * (SOFT.height + 1), size * (SOFT.width + 1), 3), ground, np.float32)
    for (x, y), (by, levels) in itertools.product(middles.values(), ((-4, light), (4, -dark))):
        mask = np.zeros(shaded.shape[:2], np.float32)
        cv2.rectangle(mask, (x - 19 + by, y - 19 + by), (x + 19 + by, y + 19 + by), 1.0, -1)
        shaded += levels * cv2.GaussianBlur(mask, (0, 0), 4.0)[..., None]
    image = np.rint(shaded.clip(0, 255)).astype(np.uint8)
    for k, (cell, (x, y)) in enumerate(middles.items()):
        cv2.rectangle(image, (x - 19, y - 19), (x + 19, y + 19), ground, -1)
        if filled and k % filled == 0:
            cv2.rectangle(image, (x - 19, y - 19), (x + 19, y + 19), (123, 200, 123), -1)
            cv2.rectangle(image, (x - 19, y - 19), (x + 19, y + 19), (60, 140, 60), 2)
        text = str(SOFT.islands[cell])
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.7, 1)
        place = (x - width // 2, y + height // 2)
        cv2.putText(image, text, place, cv2.FONT_HERSHEY_DUPLEX, 0.7, number, 1, cv2.LINE_AA)
    return image


def test_a_few_clear_islands_among_many_faint_ones_are_not_the_whole_board() -> None:
    """Incident: complete islands were filled and outlined, the others had only a soft light and shadow; nothing else
    was looked for, and what was left of the numbers had no solution."""
    settled = settle(GAME, GAME.read(soft((236, 229, 224), (130, 107, 91), 25, 30, filled=5), Layout(game="hashi")))
    assert settled.puzzle == SOFT
    assert settled.certain


def test_numbers_have_outlines_that_are_hardly_seen() -> None:
    """Incident: only the light side of each island had an edge that was strong enough, so that its number stood alone,
    or beside something as high as a letter."""
    ((_, chart), *_) = islands.find(soft((54, 47, 43), (221, 208, 199), 22, 14))
    assert chart.outline.drawn
    assert len(chart.islands) == len(SOFT.islands)


def test_numbers_alone_without_a_solution_are_not_believed_rather_than_islands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: coordinates beside the board and a digit above it stood on a lattice with some of its numbers."""
    image = soft((236, 229, 224), (130, 107, 91), 25, 30)
    (view, chart), *_ = islands.find(image)
    none = {cell: replace(one, candidates=(("8", 1.0),)) for cell, one in chart.islands.items()}
    monkeypatch.setattr(islands, "_alone", lambda *asked: (view, replace(chart, islands=none)))
    assert islands.find(image)[0][1].islands[0, 0].candidates == chart.islands[0, 0].candidates
