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
from autoplayer.games.cross_set.seeing.glyphs.own_face import own_face
from autoplayer.games.cross_set.seeing.one_cell import weighing
from autoplayer.games.cross_set.seeing.one_cell.assembly import shapes_of
from autoplayer.games.cross_set.seeing.one_cell.beside import is_beside
from autoplayer.games.cross_set.seeing.one_cell.neighbours import is_level
from autoplayer.layout import Layout
from bench.reading import cross_set as strange
from bench.reading.damage import POINTER_SIZE, pointer
from tests.cross_set.board_views import view_of

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
    assert is_beside(view, cell, row, weighing.Parting([g.piece for g in row], swallowed)) is beside


@pytest.mark.parametrize("token", ["3", None], ids=["a number", "a bar"])
def test_what_is_clearly_a_number_is_not_merely_beside_the_others(token: str | None) -> None:
    """Incident: under a row of tabs the number of each second tab stood at a position of its own, so that the positions
    seemed to show that it was none."""
    cell, row, view = beside_one(token)
    assert is_beside(view, cell, row, weighing.Parting([g.piece for g in row], 0)) is (token is None)


@pytest.mark.parametrize(
    ("places", "beside"),
    [
        pytest.param(((-70, -90), (-70, 90)), True, id="in two corners"),
        pytest.param(((-70, 0), (90, 0)), False, id="at both ends"),
    ],
)
def test_things_in_the_corners_of_a_cell_are_not_at_the_ends_of_its_line(
    places: tuple[tuple[int, int], ...], beside: bool
) -> None:
    """Incident: the corners of a frame hid, as it seemed, a number at either end of the line in the middle."""
    cell, row, view = beside_one(None)
    bar = view.upon_walls[cell].own[0]
    middle = row[0].piece.box
    bars = tuple(replace(bar, box=replace(bar.box, x=middle.x + x, y=middle.y + y)) for x, y in places)
    view.upon_walls[cell] = Beyond(bars)
    assert is_beside(view, cell, row, weighing.Parting([g.piece for g in row], 0)) is beside


@pytest.mark.parametrize(("width", "beside"), [(12, False), (2, True)])
def test_what_is_thinner_than_all_numbers_hides_none(width: int, beside: bool) -> None:
    """Incident: the noisy soft edge of a cursor's frame was as long as a number is high, and might have hidden one. Of
    what stands upon a wall only a thin part may be seen."""
    cell, row, view = beside_one(None)
    bar, middle = view.upon_walls[cell].own[0], row[0].piece.box
    bars = [replace(bar, ink=bar.ink[:, :width], box=replace(bar.box, x=x, width=width)) for x in (2, middle.x + 90)]
    view.upon_walls[cell] = Beyond(tuple(replace(p, box=replace(p.box, y=middle.y)) for p in bars))
    assert not is_beside(view, cell, row, weighing.Parting([g.piece for g in row], 0))
    lost = tuple(replace(p, box=replace(p.box, y=middle.y)) for p in bars)
    view.upon_walls[cell] = Beyond()
    object.__setattr__(view, "atoms", {**view.atoms, cell: [*view.atoms[cell], *lost]})
    assert is_beside(view, cell, row, weighing.Parting([*(g.piece for g in row), *lost], 0)) is beside


@pytest.mark.parametrize(
    ("lost", "beside"),
    [pytest.param(0, True, id="as high as elsewhere"), pytest.param(2, False, id="lower")],
)
def test_a_known_number_at_a_wall_is_whole_if_it_is_as_large_as_elsewhere(lost: int, beside: bool) -> None:
    """Incident: numbers that filled their cell touched its walls; all were known and stood where others do, and
    might have been parts of others all the same."""
    cell, row, view = beside_one(None)
    view.upon_walls[cell] = Beyond()
    own = row[0].piece
    box = replace(own.box, y=own.box.y + lost, height=own.box.height - lost)
    row[0] = replace(row[0], piece=replace(own, box=box, ink=own.ink[lost:], cut=True))
    place = row[0].piece.place
    object.__setattr__(view, "boxes", {**view.boxes, cell: Box(place.x - 50, place.y, 500, 500)})
    elsewhere = {(9, k): view.seen[cell] for k in range(4)}
    object.__setattr__(view, "face", own_face({**view.seen, **elsewhere}))
    assert is_beside(view, cell, row, weighing.Parting([g.piece for g in row], 0)) is beside


@pytest.mark.parametrize("inside", [False, True], ids=["a frame", "a frame that a number touches"])
def test_a_thin_frame_hides_no_number(inside: bool) -> None:
    """Incident: a cursor around the numbers of a cell might have hidden one."""
    _, row, view = beside_one(None)
    side = round(4 * view.lowest)
    ink = np.zeros((side, side), np.float32)
    ink[:2] = ink[-2:] = ink[:, :2] = 1  # open at the right
    if inside:
        ink[: side // 4, side // 2 : side // 2 + 2] = 1
    frame = replace(row[0].piece, box=Box(0, 0, side, side), ink=ink)
    assert bool(view.is_rule(frame)) == (not inside)


@pytest.mark.parametrize(
    ("breadth", "line"), [pytest.param(1.0, True, id="a line"), pytest.param(1.8, False, id="with a number on it")]
)
def test_a_long_line_as_broad_as_a_number_may_hide_one(breadth: float, line: bool) -> None:
    """Incident: a 4 with the rim of a veil below it was a line, and was missed without a doubt."""
    _, row, view = beside_one(None)
    thick = round(weighing.THINNER * view.lowest)
    ink = np.zeros((round(4 * view.lowest), round(breadth * thick)), np.float32)
    ink[:, : thick // 2] = 1
    ink[: round(view.lowest)] = 1
    assert bool(view.is_rule(replace(row[0].piece, box=Box(0, 0, *ink.shape[::-1]), ink=ink))) == line


def test_beside_nothing_everything_is_level() -> None:
    """Incident: reading a board failed at a cell in which nothing was legible."""
    _, row, _ = beside_one(None)
    assert is_level(row[0].piece, [])


def beside_one(token: str | None) -> tuple[Cell, list[Glyph], weighing.BoardView]:
    """A cell with two numbers, on whose wall a number stands, or a bar as high as one."""
    image = strange.everyday(PUZZLE, (500, 500))[0].image
    seen = GAME.read(image, LAYOUT).extra["board"].sheet.glyphs
    cell, row = next((cell, list(row)) for cell, row in seen.items() if len(row) == 2)
    like = next((g.piece for each in seen.values() for g in each if g.token == token), row[0].piece)
    width, height = (like.box.width, like.box.height) if token else (12, 20)
    box = Box(row[0].piece.right + 60, row[0].piece.box.y, width, height)
    pointing = replace(like, box=box, ink=like.ink if token else np.ones((20, 12), np.float32))
    known = {"seen": seen, "shapes": shapes_of(seen), "noise": 0.0, "eyes": Eyes(5), "way": (0.4, 0.0)}
    known |= {"split": {c: [g.piece for g in each] for c, each in seen.items()}, "apart": {}}
    known |= {
        "atoms": known["split"],
        "upon_walls": {cell: Beyond((pointing,))},
        "boxes": dict.fromkeys(seen, Box(0, 0, 500, 500)),
    }
    return cell, row, view_of(**known)
