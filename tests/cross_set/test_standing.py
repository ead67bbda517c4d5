"""Where the numbers of a cell stand says how many there are: what else lies in a cell hides none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing import board as board_module
from autoplayer.games.cross_set.seeing import cells, doubts
from autoplayer.games.cross_set.seeing.glyphs import standing
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision.pieces import Piece

FOUR = "3 3214 24 3412\n134 432 324 1324\n132 32 324 1324\n243 2 41 3124"


def window(text: str, left: bool = False) -> Image:
    """Numbers in rows around the middle of their cells, or from the left on."""
    rows = [line.split() for line in text.splitlines()]
    picture = Picture.new("RGB", (420, 420), (236, 230, 220))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(17)
    for r, c in np.ndindex(4, 4):
        x, y = 42 + 84 * c, 42 + 84 * r
        pen.rectangle((x, y, x + 83, y + 83), outline=(120, 110, 100))
        for k, number in enumerate(rows[r][c]):
            across = x + 12 + 18 * k if left else x + 42 + (k - (len(rows[r][c]) - 1) / 2) * 18
            colour = (20, 20, 30) if k else (190, 20, 30)
            pen.text((across, y + 42), number, fill=colour, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def pointed_at(image: Image, x: int, y: int) -> Image:
    """An arrow with its tip at (x, y)."""
    arrow = np.array([(0, 0), (0, 15), (4, 11), (7, 17), (9, 16), (6, 10), (11, 10)], np.int32)
    arrow += np.array((x, y), np.int32)
    result = image.copy()
    cv2.fillPoly(result, [arrow], (255, 255, 255))
    cv2.polylines(result, [arrow], True, (0, 0, 0), 1)
    return result


@pytest.mark.parametrize(("cell", "at"), [((0, 2), (62, 60)), ((1, 0), (6, 58)), ((0, 0), (58, 30))])
def test_a_pointer_beside_centred_numbers_hides_none(cell: Cell, at: tuple[int, int]) -> None:
    image = pointed_at(window(FOUR), 42 + 84 * cell[1] + at[0], 42 + 84 * cell[0] + at[1])
    settled = settle(GAME, GAME.read(image, Layout(game="cross-set")))
    assert settled.certain
    assert format_puzzle(settled.puzzle) == FOUR


def test_specks_beside_numbers_hide_none_and_are_no_part_of_one() -> None:
    """What is too small to hide a number, and makes no other one of that beside it, says nothing."""
    image = window(FOUR)
    for c, r, x, y in ((1, 0, 50, 36), (0, 1, 31, 52), (2, 0, 26, 44), (2, 0, 57, 36)):
        cv2.rectangle(image, (42 + 84 * c + x, 42 + 84 * r + y), (47 + 84 * c + x, 45 + 84 * r + y), (120,) * 3, -1)
    reading = GAME.read(image, Layout(game="cross-set"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == FOUR


def test_where_lines_begin_at_the_left_it_may_hide_one() -> None:
    image = pointed_at(window(FOUR, left=True), 42 + 84 * 2 + 48, 42 + 34)
    reading = GAME.read(image, Layout(game="cross-set"))
    assert ((0, 2),) in [doubt.cells for doubt in reading.doubts]


def row(*spots: tuple[float, float], junk: bool = False) -> list[Glyph]:
    """Numbers of 12 pixels, whose middles are at these places of a cell of 80."""
    ink = np.ones((12, 8), np.float32)
    placed = [Piece(Box(round(x - 4), round(y - 6), 8, 12), ink, np.zeros(3), 200.0) for x, y in spots]
    said = {JUNK: 0.9, "1": 0.1} if junk else {"1": 0.99, JUNK: 0.01}
    return [Glyph(piece, said, k) for k, piece in enumerate(placed)]


BOXES = {(r, c): Box(80 * c, 80 * r, 80, 80) for r in range(3) for c in range(3)}


def moved(seen: list[Glyph], cell: Cell) -> list[Glyph]:
    """The glyphs of a cell at the top left, in another one."""
    boxes = [replace(g.piece.box, x=g.piece.box.x + 80 * cell[1], y=g.piece.box.y + 80 * cell[0]) for g in seen]
    return [replace(g, piece=replace(g.piece, box=box)) for g, box in zip(seen, boxes, strict=True)]


def centred(count: int, step: float = 10.0) -> list[Glyph]:
    return row(*((40 + (k - (count - 1) / 2) * step, 40.0) for k in range(count)))


def from_left(count: int) -> list[Glyph]:
    return row(*((20.0 + 10 * k, 40.0) for k in range(count)))


def standing_of(
    seen: Sequence[list[Glyph]], spot: tuple[int, int] | None = None, boxes: Mapping[Cell, Box] = BOXES
) -> standing.Standing:
    """Where the numbers of a board stand, whose last cell is asked about. ``spot``: a place in that which something
    covers, 8 by 12 pixels."""
    image = np.full((240, 240, 3), 200, np.uint8)
    if spot:
        image[160 + spot[1] - 6 : 160 + spot[1] + 6, 160 + spot[0] - 4 : 160 + spot[0] + 4] = 20
    bare = standing.Ground(image, dict.fromkeys(BOXES, np.full(3, 200, np.float32)), 40.0)
    rows = {cell: moved(one, cell) for cell, one in zip(BOXES, seen, strict=True)}
    return standing.Standing.of(rows, boxes, {(2, 2)}, bare)


def told(seen: Sequence[list[Glyph]], spot: tuple[int, int] | None = None, boxes: Mapping[Cell, Box] = BOXES) -> bool:
    return standing_of(seen, spot, boxes).is_complete((2, 2))


def board(asked: list[Glyph], counts: tuple[int, ...] = (1, 1, 2, 2, 2, 3, 3, 3)) -> list[list[Glyph]]:
    return [*map(centred, counts), asked]


def test_numbers_that_stand_as_others_do_are_all_there_are() -> None:
    assert told(board(centred(2)))
    assert told(board([*centred(2), *row((70, 70), junk=True)]))
    assert not told(board(row((40, 40), (50, 40)))), "two of three"
    assert told(board(row((35, 42), (45, 42)))), "two pixels aside: what a raster does to the edges of both"
    assert not told(board(row((35, 43), (45, 43)))), "three pixels aside: IN_PLACE"


@pytest.mark.parametrize(("token", "complete"), [("12", True), ("1", False)])
def test_one_digit_where_others_have_two_may_be_half_of_a_number(token: str, complete: bool) -> None:
    """Incident: the 3 of a 13 was left out with the rounded corner of its cell."""
    *others, asked = board(centred(2))
    pairs = [[one, replace(two, chances={"12": 0.99, JUNK: 0.01})] for one, two in others[2:5]]
    last = replace(asked[1], chances={token: 0.99, JUNK: 0.01})
    assert told([*others[:2], *pairs, *others[5:], [asked[0], last]]) is complete


@pytest.mark.parametrize(
    ("asked", "others", "counts", "better"),
    [
        pytest.param(centred(3), [(30, 40), (45, 42)], (1, 1, 2, 2, 2, 3, 3, 3), True, id="two stand elsewhere"),
        pytest.param(centred(3), [(34, 40), (47, 40)], (1, 1, 2, 2, 2, 3, 3, 3), False, id="two stand as two do"),
        pytest.param(centred(3), [(30, 40), (45, 42)], (1, 1, 1, 1, 1, 3, 3, 3), False, id="no cell has two"),
        pytest.param(row((40, 40), (50, 40)), [(40, 40)], (1, 1, 2, 2, 2, 3, 3, 3), False, id="one may be missing"),
    ],
)
def test_numbers_that_stand_as_others_do_are_better_than_those_that_stand_as_none(
    asked: list[Glyph], others: list[tuple[float, float]], counts: tuple[int, ...], better: bool
) -> None:
    """Incident: two numbers close together were also tried as one of another size, and the cell was a doubt."""
    instead = moved(row(*others), (2, 2))
    assert standing_of(board(asked, counts)).is_better_than(instead, (2, 2)) is better


def test_a_way_to_see_a_cell_whose_numbers_stand_as_in_none_makes_no_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    def rivals(_: object, seen: Mapping[Cell, Sequence[Glyph]], *view: object) -> dict[Cell, Sequence[Glyph]]:
        return {(2, 3): seen[2, 3][1:]}

    monkeypatch.setattr(cells, "plausible", rivals)
    monkeypatch.setattr(board_module, "_plain", lambda *first: None)
    assert not GAME.read(window(FOUR), Layout(game="cross-set")).doubts


def test_boxes_that_end_at_other_pixels_than_the_cells_move_no_numbers() -> None:
    """Incident: where walls are hairlines the boxes were a pixel farther apart than the cells."""
    apart = {(r, c): replace(box, x=box.x + 3 * c, y=box.y + 3 * r) for (r, c), box in BOXES.items()}
    assert told(board(centred(2), (1, 3, 3, 3, 1, 2, 2, 2)), boxes=apart)
    uneven = {**BOXES, (2, 2): Box(160, 160, 170, 80)}
    assert not told(board(centred(2)), boxes=uneven), "a broader cell: its middle is elsewhere"


def test_of_more_than_any_other_cell_holds_places_tell_where_they_do_of_the_others() -> None:
    assert told(board(centred(3)))
    assert not told(board(centred(3), (1, 1, 1, 1, 2, 2, 2, 2))), "none with three is known"
    assert not told(board(centred(3), (3, 3, 3, 3, 3, 3, 3, 3)), (60, 40)), "nothing says that places tell"


@pytest.mark.parametrize("count", [2, 3])
def test_where_one_more_would_stand_the_ground_is_seen(count: int) -> None:
    lines = [*map(from_left, (1, 1, 2, 2, 2, 3, 3, 3)), from_left(count)]
    assert told(lines)
    assert not told(lines, (20 + 10 * count, 40)), "something covers the next place"
    assert not told(lines, (22 + 10 * count, 38)), "or most of it"
    assert told(lines, (40, 70)), "what lies elsewhere covers no place of a number"
    few = [*map(from_left, (1, 1, 2, 2, 2, 2, 1, 3)), from_left(3)]
    assert not told(few), "one cell does not say how many there are at most"


def test_a_lattice_is_not_fitted_to_a_few_numbers() -> None:
    cells = list(BOXES)
    apart = {cell: np.array([[40 + 82.0 * cell[1], 40 + 80.0 * cell[0]]]) for cell in cells}
    fitted = standing._origins({cell: apart[cell] for cell in cells[:6]}, BOXES)
    assert fitted[0, 1][0] - fitted[0, 0][0] == pytest.approx(82)
    few = standing._origins({cell: apart[cell] for cell in cells[:5]}, BOXES)
    assert few[0, 1][0] - few[0, 0][0] == 80, "the middles of the boxes"


def test_lines_and_columns_go_on_by_the_distance_of_their_neighbours() -> None:
    for down, columns in ((12, True), (14, False)):
        spots = np.array([(0, 0), (10, 0), (0, down), (10, down)], float)
        ahead = {tuple((spots[i] + by).tolist()) for i, by in standing._steps(spots)}
        assert {(20, 0), (20, down), (-10, 0), (-10, down)} <= ahead
        assert ({(0, 2 * down), (10, 2 * down), (0, -down), (10, -down)} <= ahead) is columns


def test_what_is_missing_stands_where_others_have_it() -> None:
    lines = [*map(from_left, (1, 1, 2, 2, 2, 3, 3, 3))]
    gap = [from_left(3)[0], from_left(3)[2]]
    assert standing_of([*lines, gap], (30, 40)).missing((2, 2)) == [(1,)]
    assert standing_of([*lines, gap], (60, 40)).missing((2, 2)) == [], "nothing lies where one is missing"
    assert standing_of([*lines, from_left(2)], (40, 40)).missing((2, 2)) == [(), (2,)], "one more, or none"
    aside = row((20, 40), (33, 40))
    assert standing_of([*lines, aside], (43, 40)).missing((2, 2)) == [()], "other cells do not have theirs there"
    assert doubts.inserted((2, 4), [(1,)], 4) == [((2, 1, 4), 0.5), ((2, 3, 4), 0.5)]
    both = doubts.inserted((2,), [(), (1,)], 3)
    assert both[0] == ((2,), pytest.approx(0.6))
    assert dict(both[1:]) == {(2, 1): pytest.approx(0.2), (2, 3): pytest.approx(0.2)}


def test_what_a_pointer_hides_has_the_place_that_is_empty() -> None:
    """Incident: which number it hides the rules knew, but not where in the order it stands."""
    reading = GAME.read(pointed_at(window(FOUR, left=True), 42 + 84 * 3 + 26, 42 + 37), Layout(game="cross-set"))
    settled = settle(GAME, reading)
    assert settled.certain
    assert format_puzzle(settled.puzzle) == FOUR


def test_two_numbers_that_cannot_be_read_at_both_ends_are_not_left_out() -> None:
    """What is left of a line of four stands in the middle as a line of two does."""
    image = window(FOUR)
    for x in (42 + 84 + 42 - 27, 42 + 84 + 42 + 27):
        cv2.rectangle(image, (x - 6, 42 + 34), (x + 6, 42 + 50), (30, 20, 20), -1)
    reading = GAME.read(image, Layout(game="cross-set"))
    assert any(spot[:2] == (0, 1) for doubt in reading.doubts for spot in doubt.cells)
