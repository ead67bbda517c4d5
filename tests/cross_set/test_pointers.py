"""Cross Set in windows in which a sign points to the active number of each cell."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing import sighting
from autoplayer.games.cross_set.seeing.glyphs.sheet import MOST_SIGNS
from autoplayer.games.cross_set.seeing.one_cell.pointers import Pointers, like_pointers
from autoplayer.layout import Layout
from autoplayer.settle import settle
from autoplayer.vision.pieces import Piece

BOARD = "142 32 25 21 4321\n21 135 41 42 2135\n3 342 524 453 351\n2453 431 315 1524 2\n24 51 4312 34 12354"
CLICKED = "421 23 52 21 3214\n12 351 14 24 1352\n3 423 245 534 513\n4532 314 153 5241 2\n42 15 3124 43 23541"


def window(text: str, listed: str, arrows: bool, low: int = 19) -> Image:
    """The numbers of each cell as they are ``listed``, one below the other with an arrow before the active one, or in a
    row with a dot so many pixels below it."""
    picture = Picture.new("RGB", (640, 640), (246, 244, 240))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(18)
    for r, (row, every) in enumerate(zip(text.splitlines(), listed.splitlines(), strict=True)):
        for c, (cell, numbers) in enumerate(zip(row.split(), every.split(), strict=True)):
            left, top = 40 + 110 * c, 40 + 110 * r
            pen.rectangle((left, top, left + 106, top + 106), outline=(90, 90, 90), width=2)
            for k, number in enumerate(numbers):
                step = (k - (len(numbers) - 1) / 2) * 20
                x, y = (left + 60, top + 53 + step) if arrows else (left + 53 + step, top + 50)
                pen.text((x, y), number, fill=(50, 50, 60), font=font, anchor="mm")
                if number == cell[0] and arrows:
                    pen.polygon([(x - 30, y - 6), (x - 30, y + 6), (x - 20, y)], fill=(40, 110, 200))
                elif number == cell[0]:
                    more = low < 0 and len(numbers) == 4 and not k  # as if it fell on other pixels there
                    pen.ellipse((x - 3, y + low - 3, x + 3 + more, y + low + 3 + more), fill=(40, 110, 200))
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


@pytest.mark.parametrize("arrows", [True, False], ids=["arrows", "dots"])
def test_a_sign_that_stands_in_each_cell_points_to_the_active_number(arrows: bool) -> None:
    reading = GAME.read(window(CLICKED, BOARD, arrows), Layout(game="cross-set"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == CLICKED


def test_a_sign_that_stands_in_a_corner_of_some_cells_is_no_icon() -> None:
    """It stands above the active number, which is the first of four or five there. Many cells were in doubt."""
    rows = zip(BOARD.splitlines(), CLICKED.splitlines(), strict=True)
    text = "\n".join(clicked if r % 2 else first for r, (first, clicked) in enumerate(rows))
    reading = GAME.read(window(text, BOARD, False, -38), Layout(game="cross-set"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == text


@pytest.mark.parametrize("arrows", [True, False], ids=["arrows", "dots"])
def test_a_later_picture_says_what_is_pointed_to_then(arrows: bool) -> None:
    reading = GAME.read(window(BOARD, BOARD, arrows), Layout(game="cross-set"))
    now = state(window(CLICKED, BOARD, arrows), reading, settle(GAME, reading).puzzle)
    assert now.rows == parse(CLICKED).rows
    assert not now.doubtful


def test_what_is_missing_in_many_cells_is_no_such_sign() -> None:
    image = window(BOARD, BOARD, True)
    blue = np.ptp(image, axis=2) > 40
    assert GAME.read(image, Layout(game="cross-set")).extra["board"].sheet.pointers
    image[150:370][blue[150:370]] = image[45, 45]
    reading = GAME.read(image, Layout(game="cross-set"))
    assert not reading.extra["board"].sheet.pointers
    assert reading.extra["board"].sheet.hiding


def test_signs_that_look_alike_are_of_one_size() -> None:
    def disc(size: int) -> Piece:
        at = (np.indices((size, size)) + 0.5 - size / 2) / (size / 2)
        return Piece(Box(0, 0, size, size), np.asarray(np.hypot(*at) <= 1, np.float32), np.zeros(3), 200.0)

    one, near, far = disc(14), disc(15), disc(24)
    assert like_pointers([near, far], {(0, 0): [one]}) == [near]
    # They look alike, so that some examples are enough.
    assert like_pointers([near], {(0, 0): [far] * MOST_SIGNS, (0, 1): [one]}) == []


def test_signs_are_looked_for_where_half_of_the_cells_hold_what_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for them all that stands in the cells is judged once more."""
    asked: list[int] = []
    monkeypatch.setattr(sighting, "pointers", lambda atoms, eyes: asked.append(len(atoms)) or Pointers())
    image = window(CLICKED, BOARD, True)
    GAME.read(image, Layout(game="cross-set"))
    assert asked
    asked.clear()
    blue = np.ptp(image, axis=2) > 40
    image[150:][blue[150:]] = image[45, 45]
    GAME.read(image, Layout(game="cross-set"))
    assert not asked


def bulleted(text: str, listed: str, look: str) -> Image:
    """The numbers of each cell as they are ``listed``, one below the other or in a row, each with a circle before it.
    That of the active one is filled, or has a dot in it."""
    picture = Picture.new("RGB", (660, 660), (252, 252, 250))
    pen, font, ink = ImageDraw.Draw(picture), ImageFont.load_default(18), (40, 40, 50)
    for r, (row, every) in enumerate(zip(text.splitlines(), listed.splitlines(), strict=True)):
        for c, (cell, numbers) in enumerate(zip(row.split(), every.split(), strict=True)):
            left, top = 30 + 120 * c, 30 + 120 * r
            pen.rectangle((left, top, left + 116, top + 116), outline=(150, 150, 160), width=2)
            for k, number in enumerate(numbers):
                step = k - (len(numbers) - 1) / 2
                x, y = (left + 66 + 36 * step, top + 58) if look == "a row" else (left + 66, top + 58 + 21 * step)
                pen.text((x, y), number, fill=ink, font=font, anchor="mm")
                active = number == cell[0]
                pen.ellipse(
                    (x - 22, y - 5, x - 12, y + 5), outline=ink, fill=ink if active and look != "dots" else None
                )
                if active and look == "dots":
                    pen.ellipse((x - 19, y - 2, x - 15, y + 2), fill=ink)
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


BULLETED = "142 32 25 21 432\n21 135 41 42 213\n3 342 524 453 351\n245 431 315 152 2\n24 51 431 34 125"
TURNED = "421 23 52 21 324\n12 351 14 24 132\n3 423 245 534 513\n452 314 153 521 2\n42 15 314 43 251"


@pytest.mark.parametrize("look", ["a list", "a row", "dots"])
def test_one_of_the_bullets_beside_all_numbers_is_that_of_the_active_one(look: str) -> None:
    """Such boards were refused, or most of their cells were in doubt."""
    reading = GAME.read(bulleted(TURNED, BULLETED, look), Layout(game="cross-set"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == TURNED


def test_a_later_picture_says_whose_bullet_is_filled_then() -> None:
    reading = GAME.read(bulleted(BULLETED, BULLETED, "a list"), Layout(game="cross-set"))
    now = state(bulleted(TURNED, BULLETED, "a list"), reading, settle(GAME, reading).puzzle)
    assert now.rows == parse(TURNED).rows
    assert not now.doubtful
