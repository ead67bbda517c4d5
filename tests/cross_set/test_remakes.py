"""Cross Set as remakes draw it: small numbers in wide cells, an active one apart from the others, cells as broad as
what stands in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle

FOUR = parse("134 31 421 41\n4231 1342 312 34\n4312 43 12 312\n3 1 4132 4231")
FIVE = parse("5 21 341 32 42\n134 32 53 351 4\n423 451 135 453 51\n413 5 523 241 32\n234 312 41 12 534")

BACK, WALL, OPEN, HELD = (90, 60, 40), (255, 255, 255), (190, 170, 70), (110, 110, 250)

PALE, STRONG = (128, 128, 128), (140, 255, 255)

DIGITS = {
    "1": ".#. ##. .#. .#. .#. .#. ###",
    "2": ".##. #..# ...# ..#. .#.. #... ####",
    "3": ".##. #..# ...# .##. ...# #..# .##.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "#### #... ###. ...# ...# #..# .##.",
    "6": ".##. #... ###. #..# #..# #..# .##.",
    "7": "#### ...# ..#. ..#. .#.. .#.. .#..",
}
"""Glyphs of a calculator's screen, seven pixels high."""


def dotted(image: Image, x: int, y: int, text: str, colour: tuple[int, int, int]) -> int:
    """Writes with ``DIGITS``; returns where the text ends."""
    for character in text:
        rows = DIGITS[character].split()
        for j, row in enumerate(rows):
            for i, dot in enumerate(row):
                if dot == "#":
                    image[y + j, x + i] = colour
        x += len(rows[0]) + 1
    return x


def filled(image: Image, left: int, top: int, width: int, height: int, single: bool) -> None:
    cv2.rectangle(image, (left, top), (left + width - 1, top + height - 1), WALL, -1)
    colour = HELD if single else OPEN
    cv2.rectangle(image, (left + 2, top + 2), (left + width - 3, top + height - 3), colour, -1)


def calculator(puzzle: Puzzle, apart: bool, scale: int = 2) -> Image:
    """A window as a calculator draws it: digits of seven pixels in the corner of each cell, the active one stronger;
    or, with all digits alike, in the middle of its cell, ``apart`` from the others in the corner."""
    pitch = 78, 58
    image = np.full((pitch[1] * puzzle.size + 8, pitch[0] * puzzle.size + 8, 3), BACK, np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            left, top = pitch[0] * c + 6, pitch[1] * r + 6
            filled(image, left, top, pitch[0] - 5, pitch[1] - 5, len(cell) == 1)
            first, others = str(cell[0]), "".join(map(str, cell[1:]))
            if apart:
                dotted(image, left + pitch[0] // 2 - 4, top + pitch[1] // 2 - 3, first, WALL)
                dotted(image, left + 7, top + 5, others, WALL)
            else:
                end = dotted(image, left + 5, top + 5, first, STRONG)
                dotted(image, end, top + 5, others, PALE)
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST), np.uint8)


def page(puzzle: Puzzle, spare: int = 20, gap: int = 22) -> Image:
    """A page whose cells are as broad as what stands in them: what is left of each row is shared out."""
    height, margin, line = 90, 24, 120
    face, large, small = cv2.FONT_HERSHEY_SIMPLEX, 1.2, 0.75

    def breadth(text: str, size: float) -> int:
        return int(cv2.getTextSize(text, face, size, 2)[0][0])

    texts = [[(str(cell[0]), "".join(map(str, cell[1:]))) for cell in row] for row in puzzle.rows]
    widths = [[breadth(a, large) + (10 + breadth(b, small) if b else 0) + spare for a, b in row] for row in texts]
    whole = max(sum(row) + gap * (len(row) - 1) for row in widths)
    image = np.full((line * puzzle.size + 2 * margin, whole + 2 * margin, 3), (200, 225, 235), np.uint8)
    for r, (row, wide) in enumerate(zip(texts, widths, strict=True)):
        more = (whole - sum(wide) - gap * (len(row) - 1)) // len(row)
        x = margin
        for (first, others), width in zip(row, wide, strict=True):
            y = margin + line * r
            filled(image, x, y, width + more, height, not others)
            at = x + (width + more - width + spare) // 2
            cv2.putText(image, first, (at, y + 58), face, large, WALL, 2, cv2.LINE_AA)
            cv2.putText(image, others, (at + breadth(first, large) + 10, y + 58), face, small, WALL, 2, cv2.LINE_AA)
            x += width + more + gap
    return image


def read(image: Image) -> str:
    settled = settle(GAME, GAME.read(image, Layout(game="cross-set")))
    assert settled.playable
    return format_puzzle(settled.puzzle)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_small_numbers_in_the_corner_of_wide_cells(scale: int) -> None:
    """Their ink is less than a hundredth of a cell, and most of it stands outside of its middle."""
    assert read(calculator(FOUR, apart=False, scale=scale)) == format_puzzle(FOUR)


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        pytest.param(FOUR, "single candidates stand where the active ones do", id="single candidates"),
        pytest.param(
            parse("12 213 13\n231 132 12\n123 21 231"), "the others are no line of one text with it", id="none"
        ),
    ],
)
def test_the_active_number_stands_apart_in_the_middle(puzzle: Puzzle, why: str) -> None:
    assert read(calculator(puzzle, apart=True)) == format_puzzle(puzzle), why


@pytest.mark.parametrize("puzzle", [FOUR, FIVE], ids=["4x4", "5x5"])
def test_cells_as_broad_as_what_stands_in_them(puzzle: Puzzle) -> None:
    image = page(puzzle)
    assert read(image) == format_puzzle(puzzle)
    places = GAME.read(image, Layout(game="cross-set")).places
    assert len({place.width for place in places.values()}) > 2
    for (r, c), place in places.items():
        assert r == 0 or abs(place.y - places[0, c].y - 120 * r) < 4
        assert c == 0 or place.x >= places[r, c - 1].x + places[r, c - 1].width


def test_cells_as_broad_as_what_stands_in_them_may_be_far_apart() -> None:
    """Incident: in a narrow browser window the equal gaps between them were broader than half a cell, and a lattice
    that fits none of the rows was read."""
    assert read(page(FIVE, spare=4, gap=64)) == format_puzzle(FIVE)


def test_the_cells_of_a_table_are_as_broad_as_their_column() -> None:
    """Rows stand one below the other, but at no equal distances across."""
    image = np.full((4 * 70 + 20, 520, 3), WALL, np.uint8)
    breadths: Sequence[int] = (150, 80, 110, 130)
    lefts: Mapping[int, int] = {c: 20 + sum(breadths[:c]) for c in range(4)}
    for r, row in enumerate(FOUR.rows):
        for c, cell in enumerate(row):
            box = (lefts[c], 10 + 70 * r), (lefts[c] + breadths[c], 80 + 70 * r)
            cv2.rectangle(image, *box, (60, 60, 60), 2)
            x = lefts[c] + 12
            cv2.putText(image, str(cell[0]), (x, 56 + 70 * r), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (0, 0, 0), 2, cv2.LINE_AA)
            for i, n in enumerate(cell[1:]):
                at = (x + 26 + 14 * i, 56 + 70 * r)
                cv2.putText(image, str(n), at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, (0, 0, 0), 1, cv2.LINE_AA)
    assert read(image) == format_puzzle(FOUR)


def wrapping(puzzle: Puzzle, room: int, middles: bool) -> Image:
    """A page whose columns are equally broad: after so many small numbers beside the large one the others go on in a
    line below, and the cell grows; those of a row begin at one height, or have their ``middles`` at one."""
    width, gap, line, margin = 30 + 17 * room, 16, 30, 20
    high = [[64 + line * (len(cell) - 1 > room) for cell in row] for row in puzzle.rows]
    whole = sum(map(max, high)) + gap * (puzzle.size - 1)
    image = np.full((whole + 2 * margin, (width + gap) * puzzle.size + 2 * margin, 3), (200, 225, 235), np.uint8)
    y = margin
    for row, heights in zip(puzzle.rows, high, strict=True):
        for c, (cell, height) in enumerate(zip(row, heights, strict=True)):
            x, top = margin + c * (width + gap), y + (max(heights) - height) // 2 * middles
            filled(image, x, top, width, height, len(cell) == 1)
            cv2.putText(image, str(cell[0]), (x + 6, top + 44), cv2.FONT_HERSHEY_SIMPLEX, 1.1, WALL, 2, cv2.LINE_AA)
            for i, n in enumerate(cell[1:]):
                at = (x + 32 + 15 * i, top + 44) if i < room else (x + 12 + 15 * (i - room), top + 44 + line)
                cv2.putText(image, str(n), at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, WALL, 2, cv2.LINE_AA)
        y += max(heights) + gap
    return image


@pytest.mark.parametrize("middles", [False, True], ids=["from one height on", "around one height"])
def test_cells_that_grow_with_what_has_no_room_in_a_line(middles: bool) -> None:
    assert read(wrapping(RINGS, 2, middles)) == format_puzzle(RINGS)


TURNED = parse("5 21 413 32 42\n134 32 35 351 4\n423 514 135 453 15\n413 5 523 241 32\n234 231 41 12 534")
"""``FIVE`` with some cells turned, and some locked: numbers that clash with those are red."""

LOCKED = {(0, 3), (1, 0), (1, 3), (1, 4), (2, 3), (3, 3), (3, 4)}


def test_numbers_that_clash_are_red_whether_they_are_active_or_not() -> None:
    """What has such a shade says nothing of which number is the active one: the paler others beside it do, or their
    place."""
    image = np.full((58 * 5 + 8, 78 * 5 + 8, 3), BACK, np.uint8)
    for r, row in enumerate(TURNED.rows):
        for c, cell in enumerate(row):
            left, top = 78 * c + 6, 58 * r + 6
            filled(image, left, top, 73, 53, (r, c) in LOCKED)
            taken = {TURNED.rows[i][j][0] for i, j in LOCKED - {(r, c)} if i == r or j == c}
            x = left + 5
            for i, n in enumerate(cell):
                x = dotted(image, x, top + 5, str(n), (0, 0, 255) if n in taken else PALE if i else WALL)
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    assert read(np.asarray(large, np.uint8)) == format_puzzle(TURNED)


@pytest.mark.parametrize("ring", [False, True], ids=["paler others", "a line around it"])
def test_another_number_of_a_line_is_marked_with_each_click(ring: bool) -> None:
    """The numbers stay where they are, in their order; so the ones behind the marked one come next."""
    rows = [[sorted(cell) for cell in row] for row in FIVE.rows]
    image = np.full((5 * 80 + 20, 5 * 120 + 20, 3), (60, 45, 40), np.uint8)
    marked: list[list[tuple[int, ...]]] = []
    for r, row in enumerate(rows):
        marked.append([])
        for c, cell in enumerate(row):
            left, top = 10 + 120 * c, 10 + 80 * r
            cv2.rectangle(image, (left + 3, top + 3), (left + 116, top + 76), (95, 75, 65), -1)
            at = (r + 2 * c) % len(cell)
            marked[-1].append(tuple(cell[at:] + cell[:at]))
            for i, n in enumerate(cell):
                place = left + 60 - 16 * len(cell) + 32 * i, top + 50
                colour = (255, 255, 255) if i == at or ring else (150, 140, 135)
                cv2.putText(image, str(n), place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, 2, cv2.LINE_AA)
                if ring and i == at:
                    x, y = place
                    cv2.rectangle(image, (x - 5, y - 27), (x + 23, y + 7), colour, 2)
    assert read(image) == format_puzzle(Puzzle(tuple(map(tuple, marked))))


RINGS = parse("1 2 3 4 5\n2 412 4523 1234 3\n3 3512 4123 241 4\n4 2345 4523 4513 1\n5 1 4 3 2")
"""Cells with four candidates, so that it is seen where the others stand around the active one."""


def written(image: Image, text: str, middle: tuple[float, float], size: float, colour: tuple[int, int, int]) -> None:
    """Text of OpenCV's plain face around ``middle``, (x, y)."""
    thick = 2 if size > 0.6 else 1
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    at = round(middle[0] - wide / 2), round(middle[1] + high / 2)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)


def cards(puzzle: Puzzle, others: str, fills: Mapping[tuple[int, int], tuple[int, int, int]] | None = None) -> Image:
    """A dark window of cards, the active number in the middle and the others ``around`` it, ``sorted`` in a line below
    it, or below it on ``chips`` of their own. ``fills``: the colours of cells that have another."""
    side, gap, margin = 96, 8, 20
    image = np.full((2 * margin + puzzle.size * (side + gap),) * 2 + (3,), (30, 24, 20), np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            left, top = margin + c * (side + gap), margin + r * (side + gap)
            colour = (fills or {}).get((r, c), (64, 52, 44))
            cv2.rectangle(image, (left, top), (left + side - 1, top + side - 1), colour, -1)
            x, y = left + side / 2, top + side / 2
            rest = sorted(cell[1:]) if others == "sorted" else cell[1:]
            written(image, str(cell[0]), (x, y if others == "around" else y - 14), 1.2, (245, 240, 240))
            for i, n in enumerate(rest):
                if others == "around":
                    turn = 2 * np.pi * (i + 1) / (len(rest) + 1)
                    place = x + 37 * np.sin(turn), y - 37 * np.cos(turn)
                else:
                    place = x + 20 * (i - (len(rest) - 1) / 2), y + 28
                if others == "chips":
                    corner = round(place[0] - 8), round(place[1] - 10)
                    cv2.rectangle(image, corner, (corner[0] + 16, corner[1] + 20), (120, 104, 92), -1)
                written(image, str(n), place, 0.5, (230, 215, 200))
    return image


def test_others_around_the_active_one_hide_the_order_of_the_clicks() -> None:
    """They are told as a clock's hand meets them, and the player looks after each click."""
    reading = GAME.read(cards(RINGS, "around"), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(RINGS)
    assert reading.extra["board"].sheet.orderless


def test_others_that_are_sorted_hide_the_order_of_the_clicks() -> None:
    """Whichever is active they stand in the order of their numbers: on one board in a thousand that is chance."""
    reading = GAME.read(cards(RINGS, "sorted"), Layout(game="cross-set"))
    assert [[cell[0] for cell in row] for row in reading.puzzle.rows] == [
        [cell[0] for cell in row] for row in RINGS.rows
    ]
    assert reading.extra["board"].sheet.orderless
    few = GAME.read(cards(FOUR, "below"), Layout(game="cross-set"))
    assert not few.extra["board"].sheet.orderless


def test_a_box_around_each_of_the_smaller_numbers_marks_no_active_one() -> None:
    two = Puzzle(tuple(tuple(cell[:2] for cell in row) for row in FOUR.rows))
    reading = GAME.read(cards(two, "chips"), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(two)


@pytest.mark.parametrize("solved_rows", [1, 3], ids=["one of four", "most"])
def test_rows_that_are_right_have_another_colour_and_are_not_locked(solved_rows: int) -> None:
    """A lock is seen on single cells; the colour of a row whose numbers are all different is none."""
    puzzle = parse("12 23 34 41\n24 13 42 31\n31 42 13 24\n42 32 12 14")
    green, grey = (70, 120, 60), (110, 100, 95)
    shown = {(r, c): green for r in range(solved_rows) for c in range(4)}
    assert not GAME.read(cards(puzzle, "below", shown), Layout(game="cross-set")).extra["locked"]
    locked = GAME.read(cards(puzzle, "below", shown | {(3, 1): grey}), Layout(game="cross-set")).extra["locked"]
    assert locked == {(3, 1)}
