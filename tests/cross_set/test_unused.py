"""Windows of Cross Set that show all numbers in each cell, those that cannot be chosen there in a paler colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.one_cell.unused import least_of_candidates, without_unused
from autoplayer.layout import Layout
from autoplayer.vision.pieces import Piece, Place

BOARD = "34 1 24 12\n2 341 13 42\n13 2 41 3\n4 23 3 1"
"""In the order of the slots, from the active number on and around."""
PITCH, ACTIVE, OTHER = 76, (200, 30, 40), (40, 60, 90)


def window(pale: int, other: tuple[int, int, int] = OTHER, radius: int = 0, board: str = BOARD) -> Image:
    """Each number has a slot in its cell; those that are no candidates have the grey level ``pale``. ``other``: the
    colour of candidates that are not active; ``radius``: of the cells' corners."""
    picture = Picture.new("RGB", (4 * PITCH + 60, 4 * PITCH + 60), (214, 222, 230))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(20)
    for r, row in enumerate(board.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 30 + c * PITCH, 30 + r * PITCH
            pen.rounded_rectangle((x, y, x + 70, y + 70), radius, fill="white", outline=(90, 100, 110), width=2)
            for k, number in enumerate("1234"):
                colour = ACTIVE if number == cell[0] else other if number in cell else (pale,) * 3
                pen.text((x + 20 + 32 * (k % 2), y + 20 + 32 * (k // 2)), number, fill=colour, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def in_rows() -> Image:
    """The numbers of a cell side by side, the active one underlined."""
    picture = Picture.new("RGB", (4 * 100 + 60, 4 * 76 + 60), (214, 222, 230))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(20)
    for r, row in enumerate(BOARD.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 30 + c * 100, 30 + r * 76
            pen.rectangle((x, y, x + 94, y + 70), fill="white", outline=(90, 100, 110), width=2)
            for k, number in enumerate("1234"):
                colour = ACTIVE if number == cell[0] else OTHER if number in cell else (220,) * 3
                pen.text((x + 14 + 22 * k, y + 35), number, fill=colour, font=font, anchor="mm")
                if number == cell[0]:
                    pen.line((x + 8 + 22 * k, y + 44, x + 20 + 22 * k, y + 44), fill=ACTIVE, width=2)
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize("pale", [238, 215, 190], ids=["hardly visible", "pale", "legible"])
@pytest.mark.parametrize("radius", [0, 18], ids=["square", "round"])
def test_the_palest_numbers_are_no_candidates(pale: int, radius: int) -> None:
    reading = GAME.read(window(pale, radius=radius), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(window(180, (180, 180, 180)), id="only the active one is strong"),
        pytest.param(window(160, (120, 120, 120)), id="two similar tones"),
    ],
)
def test_all_may_be_candidates(image: Image) -> None:
    reading = GAME.read(image, Layout(game="cross-set"))
    assert all(len(cell) == 4 for row in reading.puzzle.rows for cell in row)


def glyphs(
    rows: Sequence[Sequence[float]], tokens: Sequence[str] = ("123", "123", "123", "")
) -> dict[Cell, list[Glyph]]:
    """Those in some cells; ``rows``: the contrasts of each. ``tokens``: the numbers of a cell from the left."""
    ink = np.ones((8, 5), np.float32)
    return {
        (0, c): [
            Glyph(Piece(Box(9 * k, 0, 5, 8), ink, np.zeros(3), v), dict.fromkeys(tokens[k], 0.1), 0)
            for k, v in enumerate(row)
        ]
        for c, row in enumerate(rows)
    }


def left_out(rows: Sequence[Sequence[float]], tokens: Sequence[str] = ("123", "123", "123", "")) -> int:
    """How many of the glyphs in some cells of a board of three rows are left out."""
    least = least_of_candidates(glyphs(rows, tokens), 3)
    return sum(v < least for row in rows for v in row)


SEVERAL, ONE = (170.0, 170.0, 100.0), (170.0, 100.0, 100.0)


def test_the_paler_ones_of_full_cells_are_left_out() -> None:
    assert left_out([SEVERAL] * 3 + [ONE] * 7) == 17
    assert left_out([SEVERAL] * 3 + [ONE] * 6 + [(170.0, 100.0)]) == 16
    assert left_out([SEVERAL] * 3 + [(*ONE, 100.0)] * 7) == 24


def test_what_rows_and_columns_need_stays() -> None:
    assert left_out([SEVERAL] * 3 + [ONE] * 7, ("1", "2", "3")) == 0


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([SEVERAL] * 3 + [ONE] * 5 + [(170.0, 100.0)] * 2, id="too many cells hold fewer"),
        pytest.param([(150.0, 150.0, 100.0)] * 10, id="hardly paler"),
        pytest.param([SEVERAL] * 2 + [ONE] * 8, id="too few cells with several"),
        pytest.param([SEVERAL] * 9 + [(100.0, 100.0, 100.0)], id="a cell without any"),
    ],
)
def test_otherwise_all_stay(rows: Sequence[Sequence[float]]) -> None:
    assert left_out(rows) == 0


# --- later pictures


def turned(*cells: tuple[int, int]) -> str:
    """The board after a click on some cells."""
    rows = [row.split() for row in BOARD.splitlines()]
    for r, c in cells:
        rows[r][c] = rows[r][c][1:] + rows[r][c][:1]
    return "\n".join(map(" ".join, rows))


EVERY = [(r, c) for r in range(4) for c in range(4)]


@pytest.mark.parametrize("pale", [225, 190], ids=["pale", "legible"])
@pytest.mark.parametrize("cells", [[(0, 0), (1, 1)], EVERY], ids=["two", "all"])
def test_they_are_no_candidates_in_later_pictures_either(pale: int, cells: Sequence[tuple[int, int]]) -> None:
    reading = GAME.read(window(pale), Layout(game="cross-set"))
    now = turning.state(window(pale, board=turned(*cells)), reading, reading.puzzle)
    assert now.present
    assert not now.doubtful
    assert format_puzzle(Puzzle(now.rows)) == turned(*cells)


def test_a_candidate_may_be_somewhat_paler_in_a_later_picture() -> None:
    """Where it falls on other pixels."""
    box, ground = Box(0, 0, 5, 8), np.zeros(3)
    pieces = tuple(Piece(box, np.ones((8, 5), np.float32), ground, v) for v in (163, 107))
    least = least_of_candidates(glyphs([SEVERAL] * 3 + [ONE] * 7), 3)
    assert [p.contrast for p in without_unused(Place(box, ground, pieces), least).pieces] == [163]


def test_underlined_numbers_in_a_row_with_pale_ones() -> None:
    """Cells with an odd look are divided in other ways: the pale ones stay left out."""
    reading = GAME.read(in_rows(), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == BOARD
    assert not reading.doubts
