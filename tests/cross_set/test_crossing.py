"""Cross Set in windows whose cells are too small for what stands in them: numbers upon walls, and in the gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing.glyphs import crossing
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.one_cell import weighing
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision import pieces

FIVE = "12345 2 41 5 315\n5 412 31 12345 24\n3 351 25 41 2\n2 4 12345 3 15\n41 53 2 12345 43"
INK, TILE = (250, 220, 90), (60, 48, 20)


def window(text: str, size: int, step: float, page: tuple[int, int, int], pale: bool = False) -> Image:
    """Tiles of 50 pixels with gaps of 10, the numbers of a cell in a row around its middle, ``step`` pixels apart."""
    picture = Picture.new("RGB", (420, 400), page)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size)
    rows = [line.split() for line in text.splitlines()]
    for r, c in np.ndindex(len(rows), len(rows)):
        pen.rounded_rectangle((50 + 60 * c, 40 + 60 * r, 99 + 60 * c, 89 + 60 * r), 6, fill=TILE)
    for (r, c), cell in ((at, rows[at[0]][at[1]]) for at in np.ndindex(len(rows), len(rows))):
        for k, number in enumerate(cell):
            colour = tuple((a + b) // 2 for a, b in zip(INK, TILE, strict=True)) if pale and k else INK
            x = 75 + 60 * c + (k - (len(cell) - 1) / 2) * step
            pen.text((x, 65 + 60 * r), number, fill=colour, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize(
    ("size", "step", "page"),
    [
        pytest.param(15, 12.0, (96, 88, 30), id="outer numbers half beyond"),
        pytest.param(15, 13.2, (96, 88, 30), id="outer numbers nearly beyond"),
        pytest.param(17, 12.6, (12, 12, 14), id="a dark page"),
        pytest.param(13, 13.2, (12, 12, 14), id="what is left within is as broad as a wall's edge"),
    ],
)
def test_numbers_that_stand_upon_walls_are_read(size: int, step: float, page: tuple[int, int, int]) -> None:
    reading = GAME.read(window(FIVE, size, step, page), Layout(game="cross-set"))
    settled = settle(GAME, reading)
    assert settled.certain
    assert format_puzzle(settled.puzzle) == FIVE


def strip(*, wall: int = 120, ink: int = 230, out: int = 5, ground: int = 40) -> Image:
    """A cell of 60 pixels at (40, 40) between walls; a bar that begins within it and ends ``out`` pixels beyond."""
    image = np.full((140, 160, 3), ground, np.uint8)
    image[:, 100:108] = image[:, 32:40] = wall
    image[32:40] = image[100:108] = wall
    image[60:72, 96 : 100 + out] = ink
    image[60:72, 70:76] = ink
    return image


def seen_in(image: Image, half: float = 4.0) -> crossing.Beyond:
    return seen_at(image, (half, half, half, half))


def seen_at(image: Image, room: crossing.Rooms) -> crossing.Beyond:
    place = pieces.find(image, Box(40, 40, 60, 60), 0.0)
    return crossing.beyond(image, place, room, [], 0.0, pieces.STROKE, place.pieces[0].scale)


def spans(found: Sequence[pieces.Piece]) -> list[tuple[int, int]]:
    return [(p.place.x, p.place.x + p.place.width) for p in found]


def test_what_stands_upon_a_wall_is_the_cells_in_which_its_middle_is() -> None:
    seen = seen_in(strip())
    assert spans(seen.own) == [(96, 105)]
    assert seen.place is not None
    assert sorted(spans(seen.place.pieces)) == [(70, 76), (96, 105)]
    assert not seen.foreign
    far = seen_in(strip(out=7), half=1.0)
    assert not far.own
    assert far.foreign[0].x <= 96 * 2


def test_pixels_stronger_than_the_colour_of_most_belong_to_the_number() -> None:
    """Incident: of a thin 6 upon a wall the strongest pixels were left out, and it was read as 8 without a doubt."""
    image = strip(wall=60, ink=170)
    image[62:70, 101] = 205
    assert spans(seen_in(image).own) == [(96, 105)]
    (seen,) = seen_in(image).own
    assert (seen.ink > pieces.STROKE)[2 * seen.scale : -2 * seen.scale].all()


def test_numbers_of_two_cells_that_meet_upon_a_wall_are_one_of_each() -> None:
    """Incident: both together belonged to one of the two cells, and the other one lost its last number."""
    image = strip(out=2)
    image[62:66, 102] = image[60:72, 103:110] = 230
    seen = seen_in(image)
    assert spans(seen.own) == [(96, 102)]
    assert not seen.foreign


def test_what_ends_at_a_wall_does_not_stand_upon_it() -> None:
    assert seen_in(strip(out=0)) == crossing.Beyond()


def test_upon_a_wall_of_its_own_colour_a_stroke_goes_on_where_it_does_on_both_sides() -> None:
    assert seen_in(strip(wall=230)) == crossing.Beyond()
    assert spans(seen_in(strip(wall=230, out=12), half=9.0).own) == [(96, 112)]


def beyond(*drawn: tuple[int, int, int, int], half: float = 9.0) -> list[tuple[int, int]]:
    """What belongs to a cell in which, and upon whose walls, bars stand: left, top, width and height of each."""
    image = strip(out=0)
    image[60:72, 70:100] = 40
    for x, y, wide, high in drawn:
        image[y : y + high, x : x + wide] = 230
    return spans(seen_in(image, half).own)


def test_what_is_beside_a_cell_altogether_belongs_to_it_close_to_its_numbers_only() -> None:
    assert beyond((90, 60, 6, 12), (100, 60, 5, 12)) == [(100, 105)]
    assert beyond((74, 60, 6, 12), (100, 60, 5, 12)) == []


def test_what_is_far_larger_than_the_numbers_upon_a_wall_is_none_of_them() -> None:
    assert beyond((70, 60, 4, 5), (97, 60, 9, 5)) == [(97, 106)]
    assert beyond((70, 60, 4, 5), (97, 60, 15, 5)) == []


def test_what_hardly_enters_a_cell_upon_its_corner_is_what_a_round_corner_leaves() -> None:
    number = (70, 60, 6, 12)
    assert beyond(number, (96, 96, 10, 10)) == []
    assert beyond(number, (94, 94, 10, 10)) == [(94, 104)]
    assert beyond(number, (99, 84, 10, 10)) == [(99, 109)]  # no nearer to the corner than numbers are


@pytest.mark.parametrize("step", [12.0, 13.2])
def test_a_later_picture_says_how_cells_are_turned(step: float) -> None:
    before = window(FIVE, 15, step, (96, 88, 30), pale=True)
    turned = FIVE.replace("12345 2 41", "34512 2 41").replace("2 4 12345", "2 4 51234")
    reading = GAME.read(before, Layout(game="cross-set"))
    puzzle = settle(GAME, reading).puzzle
    now = state(window(turned, 15, step, (96, 88, 30), pale=True), reading, puzzle)
    assert now.rows == parse(turned).rows
    assert not now.doubtful


@pytest.mark.parametrize(("part", "top"), [(np.s_[:94, :], 40), (np.s_[:, :97], 40), (np.s_[46:, :], -6)])
def test_of_a_cell_in_which_the_picture_ends_nothing_is_seen_beyond(part: tuple[slice, ...], top: int) -> None:
    """The middles of other cells say where a board's cells are; its last ones may reach out of the picture."""
    image = np.ascontiguousarray(strip()[part])
    box = Box(40, top, 60, 60)
    place = pieces.find(image, box, 0.0)
    assert (
        crossing.beyond(image, replace(place, box=box), (4.0, 4.0, 4.0, 4.0), [], 0.0, pieces.STROKE, 1)
        == crossing.Beyond()
    )


@pytest.mark.parametrize(
    ("broader", "alike", "whole"),
    [
        pytest.param(0, 3, True, id="straight on"),
        pytest.param(0, 2, False, id="hardly known"),
        pytest.param(4, 3, False, id="a broader number"),
    ],
)
def test_a_known_number_that_seems_to_go_on_straight_through_a_wall_is_whole(
    broader: int, alike: int, whole: bool
) -> None:
    """Incident: numbers of two cells touched a wall of their own colour from both sides, and were in doubt."""
    box = Box(20, 30, 12, 20)
    piece = pieces.Piece(box, np.ones((20, 12), np.float32), np.zeros(3, np.float32), 90.0, cut=True)
    upon = replace(piece, box=replace(box, y=box.y - 4, width=box.width + broader, height=box.height + 4))
    view = weighing.BoardView.__new__(weighing.BoardView)
    face = SimpleNamespace(near=lambda *number: [number] * alike, lack=lambda *glyph: 0.0)
    known = {"upon_walls": {(0, 0): crossing.Beyond((upon,))}, "face": face, "shapes": {JUNK: [(20.0, 12.0)]}}
    for name, value in {**known, "seen": {}}.items():
        object.__setattr__(view, name, value)
    assert view.is_whole((0, 0), Glyph(piece, {"5": 0.999, JUNK: 0.001}, 1)) is whole


@pytest.mark.parametrize(
    ("beside", "alike", "more", "whole"),
    [
        pytest.param((26, 54), 3, 0, True, id="they meet"),
        pytest.param((60, 54), 3, 0, False, id="something else meets it"),
        pytest.param((26, 54), 2, 0, False, id="hardly known"),
        pytest.param((26, 54), 3, 4, False, id="more than both"),
    ],
)
def test_known_numbers_of_two_cells_that_meet_in_the_gap_are_whole(
    beside: tuple[int, int], alike: int, more: int, whole: bool
) -> None:
    """Incident: old-style numerals hang into the gap below their cell and touch the high ones of the next cell; what
    was seen in the gap was neither cell's, and both were in doubt."""
    piece = pieces.Piece(Box(20, 30, 12, 20), np.ones((20, 12), np.float32), np.zeros(3, np.float32), 90.0, cut=True)
    upon = replace(piece, box=Box(20 - more, 30, 18 + more, 36))
    own, other = (
        Glyph(replace(piece, box=Box(x, y, 12, 20)), {token: 0.999, JUNK: 0.001}, 1)
        for x, y, token in ((20, 30, "5"), (*beside, "8"))
    )
    view = weighing.BoardView.__new__(weighing.BoardView)
    face = SimpleNamespace(near=lambda *number: [number] * alike, lack=lambda *glyph: 0.0)
    known = {"upon_walls": {(0, 0): crossing.Beyond((upon,))}, "face": face, "shapes": {JUNK: [(20.0, 12.0)]}}
    for name, value in {**known, "seen": {(0, 0): [own], (1, 0): [other]}, "palest": 90.0}.items():
        object.__setattr__(view, name, value)
    assert view.is_whole((0, 0), own) is whole
    assert view.goes_on((0, 0), [own]) is whole


def test_what_stands_out_at_one_end_may_stand_out_at_the_other_on_a_wall_of_its_colour() -> None:
    """Five numbers in the middle of a cell too narrow for them, the first and the last on walls of their colour: the
    three between stand as three elsewhere do, and were taken for all there are."""
    text = "24 13254 24 1 325\n134 432 15 1324 52\n132 32 34521 534 1\n243 2 451 3124 35\n51 14 23 25 41325"
    rows, grey, step = [line.split() for line in text.splitlines()], (150, 150, 150), 17.5
    picture = Picture.new("RGB", (470, 470), (40, 36, 38))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(15)
    for r, c in np.ndindex(5, 5):
        x, y = 20 + 86 * c, 20 + 86 * r
        pen.rectangle((x, y, x + 69, y + 69), fill=(22, 20, 22), outline=grey, width=4)
        for k, number in enumerate(rows[r][c]):
            across = x + 35 + (k - (len(rows[r][c]) - 1) / 2) * step
            pen.text((across, y + 35), number, fill=grey, font=font, anchor="mm")
    reading = GAME.read(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), Layout(game="cross-set"))
    doubted = {cell[:2] for doubt in reading.doubts for cell in doubt.cells}
    assert {(0, 1), (2, 2), (4, 4)} <= doubted


def test_what_stands_on_the_edge_of_a_board_belongs_to_it() -> None:
    """Incident: without walls a lattice was some pixels off; of the first number in the first column more than half
    lay outside, and the board was read without it and without a doubt."""
    row = {(0, c): Box(100 * c, 0, 90, 90) for c in range(3)}
    assert [crossing.rooms(cell, row, (5.0, 4.0)) for cell in row] == [
        (np.inf, np.inf, 5.0, np.inf),
        (5.0, np.inf, 5.0, np.inf),
        (5.0, np.inf, np.inf, np.inf),
    ]
    image, outer = strip(out=14), (4.0, 4.0, np.inf, 4.0)
    assert spans(seen_at(image, outer).own) == [(96, 114)]
    image[60:72, 96:105] = 40
    assert not seen_at(image, outer).own, "a mark beside the board is none of its numbers"
