"""A mouse pointer beside the numbers of Cross Set hides none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import parse
from autoplayer.games.cross_set.seeing.glyphs.crossing import Beyond
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes, Glyph
from autoplayer.games.cross_set.seeing.one_cell import weighing
from autoplayer.games.cross_set.seeing.one_cell.assembly import shapes_of
from autoplayer.layout import Layout
from bench.reading import cross_set as strange
from bench.reading.damage import POINTER_SIZE, pointer

PUZZLE = parse("5 341 21 34 42\n134 3 53 351 4\n423 451 135 453 51\n413 5 523 241 32\n234 312 41 12 534")


LAYOUT = Layout(game="cross-set")


@cache
def window() -> tuple[Image, Mapping[Cell, list[Box]]]:
    """A picture of a board, and where the numbers of each cell stand."""
    image = strange.everyday(PUZZLE, (500, 500))[0].image
    rows = GAME.read(image, LAYOUT).extra["board"].sheet.glyphs
    return image, {cell: [g.piece.place for g in row] for cell, row in rows.items()}


def doubts(image: Image, tip: tuple[float, float]) -> set[tuple[int, ...]]:
    pointed = image.copy()
    pointer(np.random.default_rng(1), pointed, tip)
    return {cell for doubt in GAME.read(pointed, LAYOUT).doubts for cell in doubt.cells}


def test_a_pointer_close_to_a_known_number_hides_no_other() -> None:
    """Incident: it stood where the left part of a broader number would be, of which a 3 cannot be the rest."""
    image, places = window()
    box = places[1, 1][0]
    assert not doubts(image, (box.x - POINTER_SIZE[0] - 2, box.y + 0.4 * box.height - POINTER_SIZE[1]))


def test_a_pointer_beside_what_may_be_a_part_of_a_number_may_hide_the_rest() -> None:
    """A 4 may be the rest of another number."""
    image, places = window()
    box = places[1, 4][0]
    assert doubts(image, (box.x - POINTER_SIZE[0] - 1, box.y + 0.2 * box.height)) == {(1, 4)}


@pytest.mark.parametrize(("swallowed", "beside"), [(1, True), (2, False)])
def test_what_is_left_out_with_a_wall_is_the_inner_end_of_what_stands_upon_it(swallowed: int, beside: bool) -> None:
    """Incident: a pointer upon a wall, and the end of it that was left out with the wall, counted as two things that
    may hide numbers."""
    cell, row, view = beside_one(None)
    assert view.is_beside(cell, row, weighing.Parting([g.piece for g in row], swallowed)) is beside


@pytest.mark.parametrize("token", ["3", None], ids=["a number", "a bar"])
def test_what_is_clearly_a_number_is_not_merely_beside_the_others(token: str | None) -> None:
    """Incident: under a row of tabs the number of each second tab stood at a position of its own, so that the positions
    seemed to show that it was none."""
    cell, row, view = beside_one(token)
    assert view.is_beside(cell, row, weighing.Parting([g.piece for g in row], 0)) is (token is None)


def beside_one(token: str | None) -> tuple[Cell, list[Glyph], weighing.BoardView]:
    """A cell with two numbers, on whose wall a number stands, or a bar as high as one."""
    image = strange.everyday(PUZZLE, (500, 500))[0].image
    seen = GAME.read(image, LAYOUT).extra["board"].sheet.glyphs
    cell, row = next((cell, list(row)) for cell, row in seen.items() if len(row) == 2)
    like = next((g.piece for each in seen.values() for g in each if g.token == token), row[0].piece)
    width, height = (like.box.width, like.box.height) if token else (12, 20)
    box = Box(row[0].piece.right + 40, row[0].piece.box.y - 60, width, height)
    pointing = replace(like, box=box, ink=like.ink if token else np.ones((20, 12), np.float32))
    view = weighing.BoardView.__new__(weighing.BoardView)
    fields = dict.fromkeys(weighing.BoardView.__dataclass_fields__)
    known = {"seen": seen, "shapes": shapes_of(seen), "noise": 0.0, "eyes": Eyes(5), "way": (0.4, 0.0)}
    known |= {"split": {c: [g.piece for g in each] for c, each in seen.items()}, "apart": {}}
    known |= {"atoms": known["split"], "upon_walls": {cell: Beyond((pointing,))}, "boxes": {cell: Box(0, 0, 500, 500)}}
    for name, value in (fields | known).items():
        object.__setattr__(view, name, value)
    return cell, row, view
