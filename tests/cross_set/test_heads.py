"""Cells of Cross Set that show the active number large and all candidates small below it, that one among them."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.glyphs.heads import found_late
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision.pieces import Piece

BOARD = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
CLICKED = "421 23 52 21 3214\n12 351 14 24 1352\n3 423 245 534 513\n4532 314 153 5241 2\n42 15 3124 43 23541"


def window(text: str, listed: str, walls: bool) -> Image:
    """``listed``: what stands below the large numbers, as text of the same form."""
    picture = Picture.new("RGB", (640, 520), (246, 244, 240))
    pen = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(34), ImageFont.load_default(17)
    for r, (row, below) in enumerate(zip(text.splitlines(), listed.splitlines(), strict=True)):
        for c, (cell, every) in enumerate(zip(row.split(), below.split(), strict=True)):
            left, top = 100 + 84 * c, 50 + 84 * r
            if walls:
                pen.rectangle((left, top, left + 76, top + 76), outline=(90, 90, 90), width=2)
            pen.text((left + 38, top + 30), cell[0], fill=(190, 60, 20), font=large, anchor="mm")
            pen.text((left + 38, top + 60), " ".join(every), fill=(60, 60, 60), font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize("walls", [True, False], ids=["walls", "no walls"])
def test_the_large_number_is_no_candidate_of_its_own(walls: bool) -> None:
    settled = settle(GAME, GAME.read(window(BOARD, BOARD, walls), Layout(game="cross-set")))
    assert format_puzzle(settled.puzzle) == BOARD
    assert settled.certain


def test_a_list_that_stays_as_it_is_goes_on_behind_the_active_one() -> None:
    settled = settle(GAME, GAME.read(window(CLICKED, BOARD, True), Layout(game="cross-set")))
    assert format_puzzle(settled.puzzle) == CLICKED
    assert settled.certain


@pytest.mark.parametrize("listed", [BOARD, CLICKED], ids=["the list stays", "the list turns"])
def test_a_later_picture_says_how_cells_are_turned(listed: str) -> None:
    reading = GAME.read(window(BOARD, BOARD, True), Layout(game="cross-set"))
    now = turning.state(window(CLICKED, listed, True), reading, reading.puzzle)
    assert now.rows == parse(CLICKED).rows
    assert not now.doubtful


def in_the_middle(text: str) -> Image:
    """Each number has a place of its own at its cell's border; the active one stands large in the middle as well."""
    picture = Picture.new("RGB", (560, 540), (236, 232, 222))
    pen = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(34), ImageFont.load_default(15)
    for r, row in enumerate(text.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 90 + 92 * c, 80 + 92 * r
            pen.rounded_rectangle((x - 40, y - 40, x + 40, y + 40), 8, fill=(206, 190, 160))
            pen.text((x, y), cell[0], fill=(40, 40, 90), font=large, anchor="mm")
            for number in cell:
                across, down = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0))[int(number) - 1]
                pen.text((x + 29 * across, y + 28 * down), number, fill=(110, 95, 85), font=small, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def test_a_large_number_in_the_middle_of_the_candidates_is_none_of_its_own() -> None:
    """Incident: where candidates have places of their own around it, no board was seen."""
    reading = GAME.read(in_the_middle(BOARD), Layout(game="cross-set"))
    now = turning.state(in_the_middle(CLICKED), reading, reading.puzzle)
    for rows, text in ((reading.puzzle.rows, BOARD), (now.rows, CLICKED)):
        shown = [[(cell[0], set(cell)) for cell in row] for row in rows]
        assert shown == [[(cell[0], set(cell)) for cell in row] for row in parse(text).rows]
    assert not reading.doubts
    assert not now.doubtful


def glyph(token: str, left: int, top: int, high: int) -> Glyph:
    box = Box(left, top, high * 6 // 10, high)
    return Glyph(Piece(box, np.ones((high, box.width), np.float32), np.zeros(3), 200.0), {token: 0.99, "": 0.01}, 1)


def test_heads_that_were_not_seen_at_first_are_found_where_a_candidate_says_the_same() -> None:
    """Incident: in cells that as many tabs as there can be filled, the large number was one number more."""
    tabs = [glyph(token, 10 + 20 * k, 10, 14) for k, token in enumerate("1235")]
    said, unsaid = [*tabs, glyph("3", 40, 50, 40)], [*tabs, glyph("4", 40, 50, 40)]
    known = {(0, 0): glyph("2", 40, 50, 40)}
    assert found_late({(0, 0): tabs, (0, 1): said, (0, 2): unsaid}, known) == known | {(0, 1): said[-1]}
    assert found_late({(0, 1): said}, {}) == {}
