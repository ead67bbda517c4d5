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


def page(puzzle: Puzzle, spare: int = 20) -> Image:
    """A page whose cells are as broad as what stands in them: what is left of each row is shared out."""
    height, gap, margin, line = 90, 22, 24, 120
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
