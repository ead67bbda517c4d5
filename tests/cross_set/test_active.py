"""Boards of Cross Set on which little says which number of a cell is the active one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.one_cell import contents
from autoplayer.games.cross_set.seeing.ordering.active import active
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision.pieces import Piece

PAIRS = "13 23 34 42\n24 1 2 43\n24 3 4 21\n32 24 14 24"


def one_above_the_other(active: tuple[int, int, int], other: tuple[int, int, int]) -> Image:
    """Cells of two candidates of one size, which stand one above the other; the active one has a colour of its own."""
    picture = Picture.new("RGB", (760, 640), (26, 20, 18))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(44)
    for r, row in enumerate(PAIRS.splitlines()):
        for c, cell in enumerate(row.split()):
            left, top = 100 + 130 * c, 50 + 130 * r
            pen.rectangle((left, top, left + 124, top + 124), fill=(46, 42, 36), outline=(150, 120, 100))
            for k, digit in enumerate(cell):
                y = top + 62 + (k - (len(cell) - 1) / 2) * 48
                pen.text((left + 62, y), digit, fill=other if k else active, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    ("active", "other"),
    [
        pytest.param((190, 220, 40), (250, 250, 250), id="coloured among white ones"),
        pytest.param((250, 250, 250), (190, 220, 40), id="white among coloured ones"),
    ],
)
def test_candidates_alone_in_their_cells_say_what_active_ones_look_like(
    active: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    settled = settle(GAME, GAME.read(one_above_the_other(active, other), Layout(game="cross-set")))
    assert format_puzzle(settled.puzzle) == PAIRS
    assert settled.certain


TWOS = "24 32 42 14\n41 34 32 34\n42 14 34 24\n34 42 41 42"


@pytest.mark.parametrize(
    ("size", "active"),
    [
        pytest.param(0.78, (0, 0, 0), id="a pixel lower"),
        pytest.param(0.78, (43, 57, 192), id="a pixel lower and coloured"),
        pytest.param(0.8, (43, 57, 192), id="a pixel higher and coloured"),
    ],
)
def test_where_all_cells_have_two_candidates_the_bolder_ones_are_active(
    size: float, active: tuple[int, int, int]
) -> None:
    """Incident: the thinner ones, which are a pixel higher, were taken without a doubt."""
    image = np.full((380, 560, 3), 239, np.uint8)
    for r, row in enumerate(TWOS.splitlines()):
        for c, cell in enumerate(row.split()):
            left, top = 40 + 110 * c, 40 + 70 * r
            cv2.rectangle(image, (left, top), (left + 106, top + 66), (253, 253, 253), -1)
            cv2.rectangle(image, (left, top), (left + 106, top + 66), (141, 140, 127), 1)
            for k, digit in enumerate(cell):
                look = (0.8, (0, 0, 0), 1) if k else (size, active, 2)
                at = left + 32 + 24 * k, top + 43
                cv2.putText(image, digit, at, cv2.FONT_HERSHEY_SIMPLEX, *look, cv2.LINE_AA)
    reading = GAME.read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == TWOS
    assert not reading.doubts


@pytest.mark.parametrize("weight", [0.3, 0.4], ids=["of one weight", "the active one bolder"])
def test_a_weight_tells_the_active_ones_where_a_colour_alone_leaves_both_halves_possible(weight: float) -> None:
    """Incident: red bold numbers among black ones, two in each cell: all cells were in doubt."""
    strong = {"1": 0.0, "2": 0.03, "3": 0.02, "4": 0.05}

    def glyph(token: str, ink: float, colour: tuple[int, int, int], x: int) -> Glyph:
        whole = np.full((14, 9), ink + strong[token], np.float32)
        away = 253.0 - min(colour)
        return Glyph(Piece(Box(x, 10, 9, 14), whole, np.array(colour, np.float32), away), {token: 1.0}, int(token))

    cells = {(r, c): cell for r, row in enumerate(TWOS.splitlines()) for c, cell in enumerate(row.split())}
    rows = {cell: [glyph(a, weight, (43, 57, 192), 10), glyph(b, 0.3, (0, 0, 0), 25)] for cell, (a, b) in cells.items()}
    first, second = ({cell: row[k] for cell, row in rows.items()} for k in (0, 1))
    found = active(rows, dict.fromkeys(rows, np.full(3, 253, np.float32)), (first, second), {})
    assert found is not None
    assert bool(found.unsure) == (weight == 0.3)
    assert found.unsure or all(found.choice[cell] is row[0] for cell, row in rows.items())


def test_what_is_cut_out_of_a_piece_has_a_colour_of_its_own() -> None:
    """Touching digits are one piece first, of the colour that most of it has."""
    image = np.full((30, 60, 3), 240, np.uint8)
    image[8:22, 10:24], image[8:22, 24:34] = (60, 200, 60), (30, 20, 30)
    ground, first = np.full(3, 240, np.float32), np.array((60, 200, 60), np.float32)
    whole = Piece(Box(10, 8, 24, 14), np.ones((14, 24), np.float32), first, 180.0)
    right = Piece(Box(24, 8, 10, 14), np.ones((14, 10), np.float32), first, 180.0)
    toned = contents.toned(image, right, [whole], ground)
    assert toned.colour.tolist() == [30, 20, 30]
    assert toned.contrast == 220
    assert contents.toned(image, whole, [whole], ground) is whole


def test_an_exception_that_looks_like_no_other_active_number_is_in_doubt() -> None:
    """Incident: in one cell a comma joined two digits, which have one contrast then; the second one was taken to be the
    active one, in that cell alone."""
    strong = {"1": 1.0, "2": 0.93, "3": 1.0, "4": 1.08}

    def glyph(token: str, contrast: float, x: int) -> Glyph:
        piece = Piece(Box(x, 10, 9, 12), np.full((12, 9), 0.5, np.float32), np.full(3, 200, np.float32), contrast)
        return Glyph(piece, {token: 1.0}, int(token))

    rows = {}
    for k in range(72):
        first, second = "1234"[k % 4], "1234"[(k + 1 + k // 24) % 4]
        wobble = 1 + 0.03 * ((k % 5) / 2 - 1)
        rows[0, k] = [glyph(first, 200 * strong[first] * wobble, 10), glyph(second, 136 * strong[second] / wobble, 25)]
    joined = (0, 72)
    rows[joined] = [glyph("4", 161, 10), glyph("2", 161, 25)]
    leading = {cell: row[0] for cell, row in rows.items()}
    found = active(rows, dict.fromkeys(rows, np.full(3, 40, np.float32)), (leading,), {})
    assert found is not None
    assert all(found.choice[cell] is row[0] for cell, row in rows.items() if cell != joined)
    assert found.choice[joined] is rows[joined][0] or joined in found.unsure


PALE, FULL = (209, 173, 68), (180, 202, 182)
SIZES = {
    (0, 0): [("1", 19, 143, 0.361, (218, 175, 63)), ("2", 16, 148, 0.463, (170, 183, 168)), ("3", 14, 130, 0.4, PALE)],
    (0, 1): [("1", 16, 122, 0.373, (202, 157, 63)), ("2", 16, 156, 0.484, (173, 190, 173)), ("3", 18, 137, 0.4, PALE)],
    (1, 0): [("1", 16, 163, 0.37, (172, 189, 172)), ("2", 20, 168, 0.4, FULL)],
    (1, 1): [("2", 16, 156, 0.484, (173, 190, 173)), ("3", 18, 137, 0.411, PALE)],
    (2, 0): [("1", 16, 138, 0.342, (212, 168, 63)), ("3", 18, 164, 0.355, (192, 202, 172))],
    (2, 2): [("2", 20, 168, 0.4, FULL), ("3", 14, 137, 0.397, PALE)],
}
"""Glyphs of a 3x3 board, each with its height in halves of a pixel, contrast, ink, colour: active ones are larger."""


def test_sizes_that_were_not_heard_make_a_doubt() -> None:
    """Incident: on a small board thin strokes told the wrong numbers, which were smaller than the others beside them in
    most cells, and larger in some."""

    def glyph(token: str, height: int, contrast: float, ink: float, colour: tuple[int, int, int]) -> Glyph:
        whole = np.full((height, height // 2), ink, np.float32)
        piece = Piece(Box(0, 0, height // 2, height), whole, np.array(colour, np.float32), float(contrast), scale=2)
        return Glyph(piece, {token: 1.0}, int(token))

    rows = {cell: [glyph(*one) for one in row] for cell, row in SIZES.items()}
    alone = {(k, 3): glyph(token, 20, 168, 0.38, FULL) for k, token in enumerate("212")}
    found = active(rows, dict.fromkeys([*rows, *alone], np.array((96, 51, 63), np.float32)), (), alone)
    if found is not None:
        tallest = {cell: max(row, key=lambda g: g.height) for cell, row in rows.items()}
        assert all(found.choice[cell] is tallest[cell] or cell in found.unsure for cell in rows)


def test_where_active_numbers_look_like_the_others_those_that_are_alone_tell_nothing() -> None:
    """Incident: cells of a whole number of pixels draw the second numbers, and those that are alone, a little bolder
    than the first ones, at another place between the pixels; the second ones were taken for active without a doubt."""

    def glyph(token: str, ink: float) -> Glyph:
        whole = np.full((20, 10), ink, np.float32)
        piece = Piece(Box(0, 0, 10, 20), whole, np.zeros(3, np.float32), 200.0, scale=2)
        return Glyph(piece, {token: 1.0}, int(token))

    second = {"1": 0.37, "2": 0.37, "3": 0.3, "4": 0.3}
    pairs = ["12", "21", "34", "43", "13", "31", "24", "42", "14", "41", "23", "32"]
    rows = {(k, 0): [glyph(first, 0.3), glyph(last, second[last])] for k, (first, last) in enumerate(pairs)}
    alone = {(k, 1): glyph(token, second[token]) for k, token in enumerate("1212")}
    places = [{cell: row[k] for cell, row in rows.items()} for k in (0, 1)]
    assert active(rows, dict.fromkeys([*rows, *alone], np.full(3, 240, np.float32)), places, alone) is None
