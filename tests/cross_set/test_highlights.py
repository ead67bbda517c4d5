"""Cells of Cross Set whose active number is highlighted as text on a page is: a filled box that leaves no room."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing.lattice.highlights import without_highlights
from autoplayer.layout import Layout
from autoplayer.settle import settle

BOARD = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
CLICKED = "421 23 52 21 3214\n12 351 14 24 1352\n3 423 245 534 513\n4532 314 153 5241 2\n42 15 3124 43 23541"

LOOKS = {
    "white on pink": ((248, 248, 248), (140, 156, 120), (240, 70, 130), (255, 255, 255)),
    "dark on lime": ((60, 76, 104), (160, 166, 180), (190, 214, 30), (20, 24, 40)),
}


def window(text: str, first: str, look: str) -> Image:
    """``first``: how the candidates stand in a line, as text of the same form; the active one of ``text`` in a box."""
    ground, pen_colour, patch, within = LOOKS[look]
    picture = Picture.new("RGB", (640, 520), ground)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(24)
    for r, (row, lines) in enumerate(zip(text.splitlines(), first.splitlines(), strict=True)):
        for c, (cell, line) in enumerate(zip(row.split(), lines.split(), strict=True)):
            left, top = 60 + 100 * c, 50 + 84 * r
            pen.rectangle((left, top, left + 92, top + 76), outline=pen_colour, width=2)
            x = left + 46 - round(font.getlength(line) / 2)
            for k, number in enumerate(line):
                at = x + round(font.getlength(line[:k]))
                wide = round(font.getlength(line[: k + 1])) - round(font.getlength(line[:k]))
                if number == cell[0]:
                    pen.rectangle((at, top + 26, at + wide - 1, top + 51), fill=patch)
                pen.text(
                    (at, top + 47), number, fill=within if number == cell[0] else pen_colour, font=font, anchor="ls"
                )
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("first", [BOARD, CLICKED], ids=["first", "within"])
def test_a_number_in_a_box_that_leaves_no_room_is_the_active_one(first: str, look: str) -> None:
    settled = settle(GAME, GAME.read(window(BOARD, first, look), Layout(game="cross-set")))
    assert format_puzzle(settled.puzzle) == BOARD
    assert settled.certain


def test_a_later_picture_says_how_cells_are_turned() -> None:
    reading = GAME.read(window(BOARD, BOARD, "white on pink"), Layout(game="cross-set"))
    now = turning.state(window(CLICKED, BOARD, "white on pink"), reading, reading.puzzle)
    assert now.rows == parse(CLICKED).rows
    assert not now.doubtful


PAIRS = "12 3 24 43\n4 21 13 32\n31 42 2 1\n23 14 34 21"


def chips(text: str) -> Image:
    """Every number in a filled box; that of the active one in a strong colour, those of the others hardly seen."""
    picture = Picture.new("RGB", (560, 480), (58, 47, 74))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(22)
    for r, row in enumerate(text.splitlines()):
        for c, cell in enumerate(row.split()):
            left, top = 40 + 118 * c, 30 + 104 * r
            pen.rectangle((left, top, left + 118, top + 104), fill=(77, 63, 96), outline=(101, 84, 124), width=2)
            for k, number in enumerate(cell):
                x, y = left + 59 + round(30 * (k - (len(cell) - 1) / 2)), top + 52
                pen.rounded_rectangle(
                    (x - 13, y - 15, x + 12, y + 15), 4, fill=(255, 138, 92) if k == 0 else (101, 84, 124)
                )
                pen.text((x, y), number, fill=(42, 31, 56) if k == 0 else (245, 233, 255), font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def test_pale_boxes_around_the_other_numbers_do_not_make_them_active() -> None:
    settled = settle(GAME, GAME.read(chips(PAIRS), Layout(game="cross-set")))
    assert format_puzzle(settled.puzzle) == PAIRS
    assert settled.certain


def test_boxes_around_all_numbers_are_wiped_away_and_the_others_keep_their_colour() -> None:
    boxes = {(r, c): Box(44 + 118 * c, 34 + 104 * r, 111, 97) for r in range(4) for c in range(4)}
    plainer = without_highlights(chips(PAIRS), boxes, 0.0)
    assert plainer is not None
    for (r, c), box in boxes.items():
        colours = box.crop(plainer).reshape(-1, 3)
        assert not (colours == (124, 84, 101)).all(axis=1).any()
        several = len(PAIRS.splitlines()[r].split()[c]) > 1
        assert (colours.min(axis=1) > 200).any() == several


def test_numbers_without_boxes_stay_as_they_are() -> None:
    picture = Picture.new("RGB", (640, 520), (248, 248, 248))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(24)
    boxes = {}
    for r, row in enumerate(BOARD.splitlines()):
        for c, cell in enumerate(row.split()):
            pen.text((106 + 100 * c, 88 + 84 * r), cell, fill=(240, 70, 130), font=font, anchor="mm")
            boxes[r, c] = Box(62 + 100 * c, 52 + 84 * r, 88, 72)
    assert without_highlights(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), boxes, 0.0) is None


def test_a_frame_around_a_number_in_its_colour_is_no_filled_box() -> None:
    picture = Picture.new("RGB", (640, 520), (243, 243, 243))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(24)
    boxes = {}
    for r, row in enumerate(BOARD.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 76 + 100 * c, 88 + 84 * r
            pen.text((x, y), cell[0], fill=(44, 26, 132), font=font, anchor="mm")
            pen.rectangle((x - 11, y - 20, x + 11, y + 20), outline=(44, 26, 132), width=2)
            pen.text((x + 18, y), cell[1:], fill=(140, 110, 146), font=font, anchor="lm")
            boxes[r, c] = Box(54 + 100 * c, 52 + 84 * r, 96, 72)
    assert without_highlights(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), boxes, 0.0) is None


def test_bold_narrow_digits_are_no_boxes() -> None:
    """Incident: of a face of straight strokes a 5 was taken for a filled box with something on it."""
    image = np.full((260, 260, 3), 240, np.uint8)
    boxes = {(r, c): Box(10 + 80 * c, 10 + 80 * r, 70, 70) for r in range(3) for c in range(3)}
    for box in boxes.values():
        x, y = box.x + 29, box.y + 12
        for left, top, right, bottom in (
            (0, 0, 12, 5),
            (0, 5, 5, 16),
            (0, 11, 12, 16),
            (7, 16, 12, 26),
            (0, 23, 12, 28),
        ):
            image[y + top : y + bottom, x + left : x + right] = (60, 50, 20)
    assert without_highlights(image, boxes, 0.0) is None


def framed(text: str) -> Image:
    """Every number in a place of its own, three beside each other; a frame around the active one leaves much room."""
    side, font = 88, ImageFont.load_default(15)
    rows = [row.split() for row in text.splitlines()]
    picture = Picture.new("RGB", (len(rows) * side + 120, len(rows) * side + 120), (243, 241, 236))
    pen = ImageDraw.Draw(picture)
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            left, top = 60 + side * c, 60 + side * r
            pen.rectangle((left, top, left + side, top + side), fill=(255, 255, 255), outline=(68, 68, 68), width=3)
            for number in cell:
                x, y = left + 4 + 27 * ((int(number) - 1) % 3), top + 4 + 40 * ((int(number) - 1) // 3)
                if number == cell[0]:
                    pen.rounded_rectangle((x, y, x + 26, y + 39), 3, outline=(210, 0, 0), width=2)
                fill = (210, 0, 0) if number == cell[0] else (150, 150, 150)
                pen.text((x + 13, y + 20), number, fill=fill, font=font, anchor="mm")
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def test_a_number_in_a_frame_that_leaves_much_room_is_the_active_one() -> None:
    settled = settle(GAME, GAME.read(framed(BOARD), Layout(game="cross-set")))
    read = [(cell[0], *sorted(cell)) for cell in format_puzzle(settled.puzzle).split()]
    assert read == [(cell[0], *sorted(cell)) for cell in BOARD.split()]


SIZES = "143 23 123 413\n341 412 23 2\n234 132 241 243\n123 412 431 213"
MARKED = "314 32 123 341\n341 412 32 2\n423 132 241 432\n123 241 143 132"


def two_sizes() -> Image:
    """A board whose cells with few candidates show them larger, the active one in a blue box as large as it."""
    picture = Picture.new("RGB", (4 * 520, 4 * 520), (255, 255, 255))
    pen = ImageDraw.Draw(picture)
    for r, (row, lines) in enumerate(zip(SIZES.splitlines(), MARKED.splitlines(), strict=True)):
        for c, (cell, line) in enumerate(zip(row.split(), lines.split(), strict=True)):
            left, top, high = 4 * (30 + 112 * c), 4 * (30 + 112 * r), 72 if len(cell) > 2 else 112
            pen.rectangle((left, top, left + 448, top + 448), outline=(225, 235, 245), width=8)
            for k, number in enumerate(line):
                x, y, active = left + 224 + 1.7 * high * (k - (len(line) - 1) / 2), top + 224, number == cell[0]
                if active:
                    box = (x - 0.6 * high, y - 0.72 * high, x + 0.6 * high, y + 0.72 * high)
                    pen.rounded_rectangle(box, high / 5, fill=(30, 110, 220))
                fill = (255, 255, 255) if active else (30, 50, 90)
                pen.text((x, y), number, fill=fill, font=ImageFont.load_default(1.4 * high), anchor="mm")
    return np.ascontiguousarray(np.asarray(picture.reduce(4))[:, :, ::-1])


def test_boxes_around_larger_numbers_are_larger() -> None:
    """Incident: the boxes of cells with few candidates, which were larger, stayed, and the other number there was the
    active one, without a doubt."""
    boxes = {(r, c): Box(33 + 112 * c, 33 + 112 * r, 106, 106) for r in range(4) for c in range(4)}
    plainer = without_highlights(two_sizes(), boxes, 0.0)
    assert plainer is not None
    # The numbers have the colour of the boxes now.
    blue = [np.count_nonzero((box.crop(plainer) == (220, 110, 30)).all(axis=2)) for box in boxes.values()]
    assert min(blue) > 0
    assert max(blue) < 300
