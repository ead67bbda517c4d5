"""Where the numbers of a cell stand says how many there are: what else lies in a cell hides none."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set import GAME, standing
from autoplayer.games.cross_set.glyph import JUNK, Glyph
from autoplayer.games.cross_set.puzzle import format_puzzle
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


BOXES = {(r, c): Box(0, 0, 80, 80) for r in range(3) for c in range(3)}


def centred(count: int, step: float = 10.0) -> list[Glyph]:
    return row(*((40 + (k - (count - 1) / 2) * step, 40.0) for k in range(count)))


def told(seen: Mapping[Cell, list[Glyph]], cell: Cell) -> bool:
    return cell in standing.counted(seen, BOXES, {cell})


def board(asked: list[Glyph], counts: tuple[int, ...] = (1, 1, 2, 2, 2, 3, 3, 3)) -> dict[Cell, list[Glyph]]:
    return dict(zip(BOXES, [*map(centred, counts), asked], strict=True))


def test_numbers_that_stand_as_others_do_are_all_there_are() -> None:
    assert told(board(centred(2)), (2, 2))
    assert told(board([*centred(2), *row((70, 70), junk=True)]), (2, 2))
    assert not told(board(row((40, 40), (50, 40))), (2, 2)), "two of three"
    assert not told(board(row((36, 41.5), (46, 41.5))), (2, 2)), "a little aside: IN_PLACE"


def test_of_more_than_any_other_cell_holds_places_tell_where_they_do_of_the_others() -> None:
    assert told(board(centred(3)), (2, 2))
    assert not told(board(centred(3), (1, 1, 1, 1, 2, 2, 2, 2)), (2, 2)), "none with three is known"
    assert not told(board(centred(3), (3, 3, 3, 3, 3, 3, 3, 3)), (2, 2)), "nothing says that places tell"
    lines = [row(*((20.0 + 10 * k, 40.0) for k in range(n))) for n in (1, 1, 2, 2, 2, 3, 3, 3, 3)]
    assert not told(dict(zip(BOXES, lines, strict=True)), (2, 2)), "from the left on"
    assert not told(dict(zip(BOXES, lines, strict=True)), (0, 0))


def test_two_numbers_that_cannot_be_read_at_both_ends_are_not_left_out() -> None:
    """What is left of a line of four stands in the middle as a line of two does."""
    image = window(FOUR)
    for x in (42 + 84 + 42 - 27, 42 + 84 + 42 + 27):
        cv2.rectangle(image, (x - 6, 42 + 34), (x + 6, 42 + 50), (30, 20, 20), -1)
    reading = GAME.read(image, Layout(game="cross-set"))
    assert any(spot[:2] == (0, 1) for doubt in reading.doubts for spot in doubt.cells)
