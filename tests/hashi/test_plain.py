"""Hashi: boards whose numbers stand on the water with nothing around them, drawn here, and what is none of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Image, Point
from autoplayer.core.gestures import Drag, Keys
from autoplayer.games.base import inherit as inherited
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, Solution, parse
from autoplayer.games.hashi.seeing.places import islands, plain
from autoplayer.games.hashi.seeing.places.outline import View, view
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import lattice

UNKNOWN = Layout(game="hashi")
PUZZLE = GAME.generate(7, 7, 3)
PITCH, HALF = 64, 17
"""Pixels from place to place, and from a number's middle to where bridges begin."""

Colour = tuple[int, int, int]
DARK, PAPER, GREY = (30, 26, 20), (250, 251, 252), (90, 90, 90)


def at(cell: Cell) -> Point:
    return PITCH * (cell[1] + 1), PITCH * (cell[0] + 1)


def text(picture: Image, words: str, middle: Point, ink: Colour = DARK) -> None:
    (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_DUPLEX, 0.9, 2)
    place = middle[0] - width // 2, middle[1] + height // 2
    cv2.putText(picture, words, place, cv2.FONT_HERSHEY_DUPLEX, 0.9, ink, 2, cv2.LINE_AA)


def sheet(puzzle: Puzzle = PUZZLE) -> Image:
    picture = np.full((PITCH * (puzzle.height + 1), PITCH * (puzzle.width + 1), 3), PAPER, np.uint8)
    for cell, number in puzzle.islands.items():
        text(picture, str(number), at(cell))
    return picture


def solution() -> Solution:
    found = GAME.solve(PUZZLE, time_limit=10).solution
    assert found is not None
    return found


def draw(picture: Image, link: tuple[Cell, Cell, int]) -> None:
    (x1, y1), (x2, y2) = at(link[0]), at(link[1])
    for aside in (0,) if link[2] == 1 else (-4, 4):
        if y1 == y2:
            cv2.line(picture, (x1 + HALF, y1 + aside), (x2 - HALF, y1 + aside), GREY, 2)
        else:
            cv2.line(picture, (x1 + aside, y1 + HALF), (x1 + aside, y2 - HALF), GREY, 2)


@pytest.mark.parametrize("drawn", [0, 4, 99])
def test_numbers_alone_are_islands_and_the_lines_between_them_bridges(drawn: int) -> None:
    picture = sheet()
    links = solution()[:drawn]
    for link in links:
        draw(picture, link)
    reading = GAME.read(picture, UNKNOWN)
    assert reading.puzzle == PUZZLE
    assert not reading.doubts
    seen = {(bridge.a, bridge.b, n) for bridge, n in reading.extra["bridges"].items() if n}
    assert seen == set(links)


def test_how_far_they_are_played_is_seen_and_that_another_board_is_another() -> None:
    reading = GAME.read(sheet(), UNKNOWN)
    links, picture = solution(), sheet()
    for link in links:
        draw(picture, link)
    for cell, number in PUZZLE.islands.items():
        text(picture, str(number), at(cell), (40, 150, 40))  # each is done
    assert GAME.progress(reading, PUZZLE, links, picture).complete
    assert not GAME.progress(reading, PUZZLE, links, np.full_like(picture, 250)).present
    assert not GAME.progress(reading, PUZZLE, links, sheet(GAME.generate(7, 7, 8))).present


@pytest.mark.parametrize(("size", "seed"), [(5, 4200), (7, 4202)])
@pytest.mark.parametrize("scale", [0.9, 1.2])
def test_dashed_grid_lines_between_the_numbers_are_no_islands(size: int, seed: int, scale: float) -> None:
    """Incident: a window drew fine dashes through all rows and columns, and numbers upon them. The dashes were many 1s;
    or what the numbers had around them, out to the next ones, was an island."""
    puzzle, grey, pitch = GAME.generate(size, size, seed), (150, 150, 150), 56
    picture = np.full((pitch * (size + 2), pitch * (size + 8), 3), PAPER, np.uint8)
    for line, step in itertools.product(range(1, size + 1), range(pitch, pitch * size - 1, 8)):
        cv2.line(picture, (step, pitch * line), (step + 3, pitch * line), grey, 1)
        cv2.line(picture, (pitch * line, step), (pitch * line, step + 3), grey, 1)
    for (r, c), number in puzzle.islands.items():
        x, y = pitch * (c + 1), pitch * (r + 1)
        picture[y - 14 : y + 15, x - 12 : x + 13] = PAPER
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, scale, DARK, round(3 * scale), cv2.LINE_AA)
    settled = settle(GAME, GAME.read(picture, UNKNOWN))
    assert (settled.puzzle, settled.playable) == (puzzle, True)


@pytest.mark.parametrize(
    ("seed", "pitch", "dots", "heading"),
    [(0, 44, False, True), (1, 52, False, True), (3, 52, True, True), (5, 52, False, False), (6, 52, True, False)],
)
def test_thin_numbers_with_a_heading_and_dots_are_read(seed: int, pitch: int, dots: bool, heading: bool) -> None:
    """Incident: some of the numbers had as if by agreement the same around them, were islands, and the others not; and
    with a heading's number the others stood on no lattice, so a part of them was the board."""
    puzzle, scale, ink = GAME.generate(7, 7, seed), pitch / 74, (30, 26, 20)
    picture = np.full((pitch * 8 + 60, pitch * 8, 3), PAPER, np.uint8)
    words = [("Level 4", (70, 26), 0.7)] if heading else []
    for r, c in itertools.product(range(7), range(7)):
        x, y = pitch * (c + 1), pitch * (r + 1) + 50
        if (r, c) in puzzle.islands:
            words.append((str(puzzle.islands[r, c]), (x, y), scale))
        elif dots:
            cv2.circle(picture, (x, y), 1, (150, 150, 150), -1)
    for word, (x, y), size in words:
        (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, size, 1)
        place = x - width // 2, y + height // 2
        cv2.putText(picture, word, place, cv2.FONT_HERSHEY_DUPLEX, size, ink, 1, cv2.LINE_AA)
    settled = settle(GAME, GAME.read(picture, UNKNOWN))
    assert (settled.puzzle, settled.playable) == (puzzle, True)


def test_a_number_stands_in_words_where_letters_are_beside_it_and_no_other_number_beyond() -> None:
    def in_words(letter: Box, *others: Box) -> bool:
        picture = np.full((80, 240, 3), PAPER, np.uint8)
        letter.crop(picture)[...] = DARK
        boxes = [Box(100, 30, 12, 20), *others]
        return bool(plain._in_words(view(picture), np.array([(b.x, b.y, b.width, b.height) for b in boxes]))[0])

    assert in_words(Box(80, 32, 10, 16))
    assert in_words(Box(122, 32, 10, 16))
    assert not in_words(Box(122, 32, 10, 16), Box(150, 30, 12, 20)), "a broad bridge"
    assert not in_words(Box(60, 37, 34, 5)), "a line that leads away"
    assert not in_words(Box(66, 32, 10, 16)), "too far away for a word"


@pytest.mark.parametrize("away", [24, 28, 32])
def test_numbers_beside_the_border_of_a_panel_are_in_no_words(away: int) -> None:
    """Incident: a panel's border, as near to the outer numbers as a letter, made a heading of them."""
    picture = sheet()
    (left, top), (right, bottom) = at((0, 0)), at((PUZZLE.height - 1, PUZZLE.width - 1))
    cv2.rectangle(picture, (left - away, top - away), (right + away, bottom + away), GREY, 2)
    assert GAME.read(picture, UNKNOWN).puzzle == PUZZLE


def test_letters_alone_above_the_numbers_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: one letter that stood alone, as high as the numbers, and no board was seen. (Where numbers cast a soft
    shadow, one of the ways of looking for marks finds all of them.)"""
    monkeypatch.setattr(plain, "REACHES", (1,))
    heading = np.full((80, PITCH * (PUZZLE.width + 1), 3), PAPER, np.uint8)
    picture = np.asarray(np.vstack([heading, sheet()]), np.uint8)
    text(picture, "X", (100, 40))
    text(picture, "H", (300, 40))
    chart = plain.find(view(picture))
    assert chart is not None
    assert len(chart.islands) == len(PUZZLE.islands)


@pytest.mark.parametrize("cell", list(PUZZLE.islands)[::3])
@pytest.mark.parametrize("square", [False, True])
def test_a_chosen_number_with_a_ring_is_an_island(cell: Cell, square: bool) -> None:
    """Incident: one number had a ring around it, and there was no board of the others."""
    picture = sheet()
    (x, y), reach = at(cell), 24
    cv2.circle(picture, (x, y), 20, GREY, 2, cv2.LINE_AA)
    if square:
        cv2.rectangle(picture, (x - reach, y - reach), (x + reach, y + reach), (200, 120, 40), 2)
    reading = GAME.read(picture, UNKNOWN)
    assert (reading.puzzle, reading.doubts) == (PUZZLE, ())


def test_numbers_beside_a_few_roomy_islands_are_no_part_of_the_board() -> None:
    """Of nine numbers in rings and those beside the board more stand on a lattice, with nothing close around them."""
    puzzle = parse("212\n644\n334")
    picture = np.full((360, 640, 3), (150, 145, 170), np.uint8)
    for cell, number in puzzle.islands.items():
        middle = 148 + 172 * cell[1], 80 + 100 * cell[0]
        cv2.circle(picture, middle, 27, (95, 90, 140), 2, cv2.LINE_AA)
        text(picture, str(number), middle, (85, 80, 130))
    for k, word in enumerate("241352"):
        text(picture, word, (48 + 544 * (k // 3), 80 + 100 * (k % 3)), (85, 80, 130))
    assert GAME.read(picture, UNKNOWN).puzzle == puzzle


def test_words_beside_the_board_are_no_part_of_it() -> None:
    picture = cv2.copyMakeBorder(sheet(), 90, 60, 0, 0, cv2.BORDER_CONSTANT, value=PAPER)
    text(picture, "Hashi 12", (120, 40))
    text(picture, "Time 3:42", (PITCH * 5, picture.shape[0] - 30))
    assert GAME.read(picture, UNKNOWN).puzzle == PUZZLE


def test_a_line_of_many_words_above_the_board_is_no_board() -> None:
    picture = cv2.copyMakeBorder(sheet(), 60, 0, 0, 300, cv2.BORDER_CONSTANT, value=PAPER)
    words = "You are using an unsupported command-line flag: --no-such-box. Stability and security will suffer."
    cv2.putText(picture, words, (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 40, 40), 1, cv2.LINE_AA)
    assert GAME.read(picture, UNKNOWN).puzzle == PUZZLE


@pytest.mark.parametrize("cell", [max(PUZZLE.islands), min(PUZZLE.islands)])
def test_a_number_that_a_line_crosses_is_not_left_out(cell: Cell) -> None:
    """Without it, the others may have a solution as well."""
    picture = sheet()
    x, y = at(cell)
    cv2.line(picture, (x - 40, y + 30), (x + 40, y - 30), DARK, 2)
    try:
        reading = GAME.read(picture, UNKNOWN)
    except UnreadableError:
        return
    assert reading.puzzle == PUZZLE


def test_a_digit_that_is_lower_than_all_others_in_one_way_of_looking_is_not_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The 4s of a typeface with serifs were, where marks are closest to the ink, and the rest had no solution."""
    number = max(PUZZLE.islands.values())
    lower = {at(cell) for cell, value in PUZZLE.islands.items() if value == number}
    usual = plain._groups

    def one_way_without(seen: View) -> Iterator[lattice.Boxes]:
        first, *others = usual(seen)
        middles = first[:, :2] + first[:, 2:] // 2
        yield first[[not any(abs(x - u) + abs(y - v) < HALF for u, v in lower) for x, y in middles]]
        yield from others

    monkeypatch.setattr(plain, "_groups", one_way_without)
    assert GAME.read(sheet(), UNKNOWN).puzzle == PUZZLE


def test_numbers_in_rows_that_have_no_solution_are_no_board() -> None:
    picture = sheet(Puzzle(tuple(tuple((3 * r + 5 * c) % 7 + 1 for c in range(5)) for r in range(5))))
    with pytest.raises(UnreadableError, match="no solution"):
        GAME.read(picture, UNKNOWN)


def test_numbers_alone_that_have_a_solution_are_not_looked_at_enlarged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: dashes on the ways between numbers were islands in the larger pictures, looked at for seconds."""
    scales: list[int] = []
    usual = islands.view

    def looked_at(image: Image, scale: int = 1, *more: Any) -> View:
        scales.append(scale)
        return usual(image, scale, *more)

    monkeypatch.setattr(islands, "view", looked_at)
    picture = sheet()
    for k in range(7):
        for begin in range(PITCH, 7 * PITCH, 8):
            first, last = (begin, PITCH * (k + 1)), (begin + 3, PITCH * (k + 1))
            cv2.line(picture, first, last, (150, 150, 150), 1)
            cv2.line(picture, first[::-1], last[::-1], (150, 150, 150), 1)
    for cell, number in PUZZLE.islands.items():
        x, y = at(cell)
        picture[y - 16 : y + 17, x - 14 : x + 15] = PAPER
        text(picture, str(number), at(cell))
    assert GAME.read(picture, UNKNOWN).puzzle == PUZZLE
    assert set(scales) == {1}


def close_numbers(scale: float) -> Image:
    """The numbers alone, in a type of this size."""
    picture = np.full((PITCH * (PUZZLE.height + 1), PITCH * (PUZZLE.width + 1), 3), PAPER, np.uint8)
    for cell, number in PUZZLE.islands.items():
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        place = at(cell)[0] - width // 2, at(cell)[1] + height // 2
        cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_DUPLEX, scale, DARK, 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("scale", "first"), [(0.9, Keys), (0.6, Drag)])
def test_keys_come_first_only_where_rows_are_as_close_as_lines_of_text(scale: float, first: type) -> None:
    """Of a page only the numbers were seen, and none of the islands around them: it was taken for a text screen, and
    the keys that were tried took all the time that there was."""
    picture = close_numbers(scale)
    reading = GAME.read(picture, UNKNOWN)
    assert not reading.extra["chart"].outline.drawn
    progress = GAME.progress(reading, PUZZLE, solution(), picture)
    moves = GAME.plan(reading, PUZZLE, solution(), progress, UNKNOWN)
    assert isinstance(moves[0].gestures[0], first)


def test_where_keys_scrolled_the_page_the_mouse_comes_first() -> None:
    """Incident: the arrow keys scrolled the page on which the numbers stood. Its board was read anew, and the same keys
    were tried again, and nothing else."""
    picture = close_numbers(0.9)
    reading = GAME.read(picture, UNKNOWN)
    progress = GAME.progress(reading, PUZZLE, solution(), picture)
    assert isinstance(GAME.plan(reading, PUZZLE, solution(), progress, UNKNOWN)[0].gestures[0], Keys)
    scrolled = np.roll(picture, -24, axis=0)
    again = GAME.read(scrolled, UNKNOWN)
    inherited(GAME, again, reading)
    progress = GAME.progress(again, PUZZLE, solution(), scrolled)
    assert isinstance(GAME.plan(again, PUZZLE, solution(), progress, UNKNOWN)[0].gestures[0], Drag)
