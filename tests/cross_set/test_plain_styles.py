"""Ordinary pages that are read at first sight: numbers told by weight, commas between them, patches below the active
ones, a slot for each number; and what a side of a cell leaves with its round corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cross_set.reader import read
from autoplayer.games.cross_set.seeing import board, doubts
from autoplayer.games.cross_set.seeing.lattice.lattices import hypotheses
from autoplayer.layout import Layout
from autoplayer.vision import borders

LEVEL = "21 3 14 42\n4 12 3 3\n3 4 2 12\n13 2 42 4"
PITCH = 96
INK = (20, 20, 20)

Painter = Callable[[Image, int, int, tuple[int, ...]], None]


def window(puzzle: Puzzle, painter: Painter) -> Image:
    """``painter`` draws the numbers of a cell, whose corner and numbers it is given."""
    image = np.full((puzzle.size * PITCH + 80, puzzle.size * PITCH + 160, 3), 245, np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = 70 + c * PITCH, 40 + r * PITCH
            cv2.rectangle(image, (x, y), (x + PITCH, y + PITCH), (60, 60, 60), 3)
            painter(image, x, y, cell)
    return image


def written(image: Image, text: str, at: tuple[int, int], scale: float = 0.8, thick: int = 2, shade: int = 20) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (shade,) * 3, thick, cv2.LINE_AA)


def bold(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    for k, number in enumerate(cell):
        written(image, str(number), (x + 18 + 30 * k, y + 60), 1.0, 1 if k else 5)


def patched(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    cv2.rectangle(image, (x + 14, y + 30), (x + 40, y + 66), (160, 90, 20), -1)
    written(image, str(cell[0]), (x + 19, y + 56), 0.8, 2, 255)
    for k, number in enumerate(cell[1:]):
        written(image, str(number), (x + 50 + 24 * k, y + 56))


def slotted(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    for number in cell:
        across, down = 42 * ((number - 1) % 2), 42 * ((number - 1) // 2)
        written(image, str(number), (x + 18 + across, y + 40 + down), 0.9, 2, 20 if number == cell[0] else 170)


def with_commas(image: Image, x: int, y: int, cell: tuple[int, ...]) -> None:
    for k, digit in enumerate(str(cell[0])):
        written(image, digit, (x + 24 + 22 * k, y + 44), 1.1, 3)
    at = x + 8
    for k, number in enumerate(cell[1:]):
        if k:
            cv2.line(image, (at + 2, y + 75), (at, y + 81), INK, 2)
            at += 10
        for digit in str(number):
            written(image, digit, (at, y + 77), 0.8, 2)
            at += 17
        at += 4


def in_order(row: int, column: int) -> tuple[int, ...]:
    """The candidates of a cell of a board of ten: up to three numbers, some of them of two digits."""
    first = (row + column) % 10 + 1
    return tuple(dict.fromkeys((first, (first + 3 * row) % 10 + 1, (first + 4 * column) % 10 + 1)))


TEN = Puzzle(tuple(tuple(in_order(r, c) for c in range(10)) for r in range(10)))


@pytest.mark.parametrize(
    ("puzzle", "painter"),
    [
        pytest.param(parse(LEVEL), bold, id="the active one is bold"),
        pytest.param(parse(LEVEL), patched, id="the active one stands on a patch"),
        pytest.param(parse(LEVEL), slotted, id="each number has a slot"),
        pytest.param(TEN, with_commas, id="commas between numbers of two digits"),
    ],
)
def test_ordinary_pages_are_read_at_first_sight(puzzle: Puzzle, painter: Painter) -> None:
    image = window(puzzle, painter)
    first = next(hypotheses(image))
    found = board._plain(*first)
    assert found is not None
    reading = read(image, Layout(game="cross-set"))
    assert not reading.doubts
    if found.sheet.orderless:
        pairs = zip(sum(reading.puzzle.rows, ()), sum(puzzle.rows, ()), strict=True)
        assert all(read[0] == true[0] and set(read) == set(true) for read, true in pairs)
    else:
        assert format_puzzle(reading.puzzle) == format_puzzle(puzzle)


def test_a_side_with_the_round_corners_at_its_ends_is_a_wall() -> None:
    """Where a pitch is no whole number, a pixel of the wall stays in some columns, and hangs together with both."""
    whole = np.ones((90, 90), np.uint8)
    for x in (20, 69):
        for y in (20, 69):
            cv2.circle(whole, (x, y), 20, 0, -1)
    cv2.rectangle(whole, (1, 20), (89, 69), 0, -1)
    cv2.rectangle(whole, (20, 0), (69, 89), 0, -1)
    side = whole[:, :20] > 0
    assert borders.is_side_with_corners(side, (0, 0), 90, 90, 1)
    digit = side.copy()
    digit[40:56, 1:9] = True
    assert not borders.is_side_with_corners(digit, (0, 0), 90, 90, 1)


@pytest.mark.parametrize("quality", [30, 45])
def test_waves_that_compression_leaves_beside_strokes_are_no_numbers(quality: int) -> None:
    """Nor do they make thin numbers the stronger ones: those that are alone in their cells are bold."""
    image = window(parse(LEVEL), bold)
    packed = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    reading = read(np.asarray(packed, np.uint8), Layout(game="cross-set"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))


def test_a_low_1_in_much_noise_may_be_what_is_left_of_a_4() -> None:
    """Incident: of a 4 seven pixels high, in a picture packed as JPEG, the upright stroke was read as a 1, surely."""
    found = read(window(parse(LEVEL), bold), Layout(game="cross-set")).extra["board"]
    one = next(g for g in found.sheet.glyphs[0, 0] if g.token == "1")
    low = replace(one, piece=replace(one.piece, scale=3, contrast=70.0))
    assert doubts.worn(low, found) is low
    noisy = replace(found, noise=4.0)
    assert set(doubts.worn(low, noisy).chances) == {"1", "4"}
    assert doubts.worn(one, noisy) is one
    strong = replace(low, piece=replace(low.piece, contrast=160.0))
    assert doubts.worn(strong, noisy) is strong, "the faint strokes of a 4 as strong as that would be seen"

    four = next(g for row in found.sheet.glyphs.values() for g in row if g.token == "4")
    fours = [(2, 0), (3, 3), (0, 2), (2, 1), (2, 2), (0, 0)]
    for kept, expected in ((1.0, True), (0.6, False)):
        inks = [four.piece.ink] * 5 + [four.piece.ink * np.float32(kept)]
        pale = [replace(four, piece=replace(four.piece, contrast=80.0, ink=ink)) for ink in inks]
        rows = {cell: (g,) for cell, g in zip(fours, pale, strict=True)}
        like = replace(noisy, sheet=replace(found.sheet, glyphs={**found.sheet.glyphs, **rows}))
        assert (doubts.worn(low, like) is low) == expected, "nothing of the other 4s is lost"
