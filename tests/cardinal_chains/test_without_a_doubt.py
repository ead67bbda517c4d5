"""Boards that were read without a doubt though they were others: cells left out, numbers taken for starts, and starts
for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing import places
from autoplayer.games.cardinal_chains.seeing.begun import take_where_chains_begin
from autoplayer.games.cardinal_chains.seeing.glyphs import tokens
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.games.cardinal_chains.seeing.lattice.sides import contents_of
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View
from tests.cardinal_chains.test_chains_over_starts import write

PAGE, TILE, WHITE = (34, 30, 28), (70, 62, 58), (240, 240, 240)
COLOURS = ((60, 180, 60), (40, 120, 230), (210, 60, 200))


def middle(cell: Cell, pitch: int) -> tuple[int, int]:
    return 60 + pitch * cell[1], 60 + pitch * cell[0]


def page(rows: Sequence[str], pitch: int, colour: tuple[int, int, int] = PAGE) -> Image:
    return np.full((120 + pitch * (len(rows) - 1), 120 + pitch * (len(rows[0].split()) - 1), 3), colour, np.uint8)


def cells(rows: Sequence[str]) -> dict[Cell, str]:
    return {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row.split()) if token != "."}


def tile(image: Image, at: tuple[int, int], half: int, colour: tuple[int, int, int]) -> None:
    image[at[1] - half : at[1] + half, at[0] - half : at[0] + half] = colour


def played(image: Image) -> list[str] | None:
    """The board that would be played; None where none would be."""
    try:
        _, result = settle_trimmed(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    except UnreadableError:
        return None
    return format_puzzle(result.puzzle).splitlines() if result.playable else None


def test_discs_in_the_colour_of_an_empty_one_beside_them_are_its_chain() -> None:
    """Incident: the only numbers on a colour of their own were 1s, and were taken for the letter I."""
    rows = ["2 2 2 2 2", "1 1 1 1 1", "1 1 X 1 1"]
    image = page(rows, 36, (220, 208, 200))
    for cell, token in cells(rows).items():
        held = cell in ((2, 2), (2, 3), (2, 4))
        cv2.circle(image, middle(cell, 36), 14, COLOURS[0] if held else (232, 222, 216), -1, cv2.LINE_AA)
        if token != "X":
            write(image, token, middle(cell, 36), 0.55 if held else 0.5, WHITE if held else PAGE)
    assert played(image) == rows


def test_the_round_end_of_a_line_broader_than_numbers_is_no_start() -> None:
    rows = ["2 2 3 3", "2 1 1 3", "X 1 X 4"]
    image = page(rows, 40, (224, 208, 210))
    for start, chain in (
        ((2, 0), [(1, 0), (0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]),
        ((2, 2), [(2, 1), (1, 1), (1, 2)]),
    ):
        colour = COLOURS[start[1] // 2]
        for one, other in pairwise([start, *chain]):
            cv2.line(image, middle(one, 40), middle(other, 40), colour, 28)
        for cell in chain:
            cv2.circle(image, middle(cell, 40), 14, colour, -1, cv2.LINE_AA)
        tile(image, middle(start, 40), 14, colour)
    for cell, token in cells(rows).items():
        if token != "X":
            write(image, token, middle(cell, 40), 0.55, PAGE)
    assert played(image) in (None, rows)


def test_the_page_behind_a_hole_is_no_chain() -> None:
    """Incident: below a cell that fades into the page a hole was taken for a start, and the start for a number."""
    rows = ["1 1 1", "1 . 1", "1 1 1"]
    image = page(rows, 60)
    for cell, token in cells(rows).items():
        x, y = middle(cell, 60)
        for k in range(54):
            image[y - 27 + k, x - 27 : x + 27] = PAGE if cell == (0, 1) and k > 30 else TILE
        write(image, token, (x, y), 0.5, WHITE)
    view = View(image, lattice.edge_strength(image), 0.0, 12.0, True)
    found = lattice.Lattice(60, 60, 60, 60, 54, 54, frozenset(cells(rows)))
    look = partial(contents_of, view, found)
    seen = {cell: tokens.Glyph(((token, 1.0),), 0) for cell, token in cells(rows).items()}
    take_where_chains_begin(view, found, seen, look(list(seen)), look)
    assert (1, 1) not in seen


def test_a_number_between_starts_that_show_none_is_a_cell() -> None:
    rows = ["1 X 1 .", "1 2 X .", "2 2 3 3", "2 X 3 3"]
    image = page(rows, 60, (226, 250, 214))
    starts = [cell for cell, token in cells(rows).items() if token == "X"]
    for cell, token in cells(rows).items():
        if token == "X":
            tile(image, middle(cell, 60), 22, COLOURS[starts.index(cell)])
        else:
            write(image, token, middle(cell, 60), 0.45 if cell == (0, 2) else 0.7, PAGE)
    assert played(image) == rows


def test_cells_twice_as_long_as_broad_may_be_squares_with_empty_columns_between() -> None:
    """Without walls nothing but distances tells where cells are."""
    rows = ["1 . X", "1 . 1", "X . 1"]
    image = page(rows, 60)
    for cell, token in cells(rows).items():
        write(image, token, middle(cell, 60), 1.25, WHITE)
    assert played(image) in (None, rows)
    rows = ["1 . X", "1 . 1", "1 . 1"]  # no chain reaches the first column but from the last
    image = page(rows, 60)
    for cell, token in cells(rows).items():
        write(image, token, middle(cell, 60), 1.25, WHITE)
    assert played(image) == ["1 X", "1 1", "1 1"]


def test_closed_cells_that_hardly_differ_from_the_page_are_cells() -> None:
    """Incident: of the first row, the cells whose middle has the page's colour were taken for a heading."""
    rows = ["5 4 . 4 2", "5 3 3 3 2", ". X 1 2 X", "1 1 X 1 1", "2 1 1 1 1"]
    image = page(rows, 70, (190, 202, 228))
    held = {(1, 4): 2, (2, 4): 2, (2, 1): 0, (2, 2): 0, (2, 3): 0, (3, 2): 1, (3, 3): 1, (3, 4): 1, (4, 3): 1}
    for cell, token in cells(rows).items():
        (x, y), paler = middle(cell, 70), 2 if cell[0] == 0 else -6
        colour = COLOURS[held[cell]] if cell in held else (190 + paler, 202 + paler, 228 + paler)
        for k in range(64):
            image[y - 32 + k, x - 32 : x + 32] = [int(v * (1 - 0.08 * k / 64)) for v in colour]
        write(image, token, (x, y), 0.9, (40, 30, 20))
    assert played(image) in (None, rows)


@pytest.mark.parametrize(("aside", "doubted"), [(0, False), (5, True)])
def test_a_number_that_only_one_cell_touches_is_not_left_out(aside: int, doubted: bool) -> None:
    """Incident: on tiles in two pale colours, whose edges hardly show, the last number of a row was left out, for no
    cell stands above it or below it. One that stands nearer to the next column than all others may be none."""
    rows = ["3 3 3 1 1 X .", "3 3 2 2 5 6 6", "X 3 3 3 4 X .", "3 X 2 4 4 1 2", "5 . 2 2 3 2 2", "4 4 4 4 4 2 2"]
    image = page(rows, 30, (196, 220, 206))
    for cell, token in cells(rows).items():
        tile(image, middle(cell, 30), 15, (204, 228, 214) if sum(cell) % 2 else (188, 212, 198))
        (x, y), alone = middle(cell, 30), cell == (1, 6)
        write(image, token, (x - aside if alone else x, y), 0.4, PAGE)
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert any((1, 6) in doubt.cells for doubt in reading.doubts) == doubted


def test_a_row_into_which_a_chain_leads_is_no_heading() -> None:
    """Incident: the line of a chain fills the gaps between the cells of the last row, which looked like a word."""

    def place(cell: Cell, width: int, chance: float) -> Any:
        (x, y), grey = middle(cell, 36), np.zeros(3, np.float32)
        box = Box(x - width // 2, y - 5, width, 10)
        here = ink.Content(grey, np.ones((10, width), np.float32), box, grey + 200, 200.0, Box(x - 17, y - 17, 34, 34))
        return Place(here, here.place, (("1", chance), ("", 1 - chance)), 0, False)

    above = {(r, c): place((r, c), 6, 0.99) for r in range(2) for c in range(3)}
    last = {(2, c): place((2, c), 34, 0.2) for c in range(2)}
    for near in ((2, 1), (1, 0)):  # in a word, what lies between two letters may look like a line
        found = above | last
        places.drop_headings(found, set(above), lambda cell, near=near: [near] if cell == (2, 0) else [])
        assert (last.keys() <= found.keys()) == (near == (1, 0))


@pytest.mark.parametrize(
    "rows",
    [["2 2 2", "2 2 X", "2 2 1", "1 1 1"], ["2 2 2 2", "2 2 2 X", "1 1 1 1", "1 1 1 1"]],
    ids=["narrow", "broad"],
)
def test_a_row_like_the_others_beside_cells_that_a_chain_has_filled_is_not_left_out(rows: list[str]) -> None:
    """Incident: the chain held all other cells and had coloured them, so that they looked like a panel, and the first
    row like a heading above it."""
    image = np.pad(page(rows, 60, (48, 38, 52)), ((40, 20), (0, 0), (0, 0)), mode="edge")
    for cell, token in cells(rows).items():
        x, y = middle(cell, 60)
        if cell[0]:
            tile(image, (x, y + 40), 29, (60, 196, 98))
        write(image, token, (x, y + 40), 0.9, WHITE)
    assert played(image) in (None, rows)


@pytest.mark.parametrize("pitch", [32, 42, 50])
def test_a_cell_with_walls_beside_cells_that_a_chain_has_filled_is_not_left_out(pitch: int) -> None:
    """Incident: the only cell that was left had the page's colour, and its wall looked like the rim of the others."""
    rows, paper, fill, half = ["1 2 .", "X 4 4"], (215, 221, 231), (50, 102, 112), pitch // 2
    image = np.pad(page(rows, pitch, paper), ((0, 200), (0, 300), (0, 0)), mode="edge")
    for cell in cells(rows):
        tile(image, middle(cell, pitch), half + 1, (70, 87, 96))
    for cell in cells(rows):
        tile(image, middle(cell, pitch), half - 1, paper if cell == (1, 2) else fill)
    for x, y in ((60, 60), (60 + half, 60), (60 + pitch, 60), (60, 60 + half), (60 + pitch, 60 + half)):
        tile(image, (x, y), half - 1, fill)
    for cell, token in cells(rows).items():
        write(image, token, middle(cell, pitch), 0.7, (25, 40, 50) if cell == (1, 2) else WHITE)
    assert played(cv2.GaussianBlur(image, (0, 0), 1.2)) == rows
