"""Numbers of segments whose lines of text are close: a number and the one below it are two digits."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.games.cross_set.seeing.glyphs.glyph import Eyes, Glyph
from autoplayer.games.cross_set.seeing.one_cell.assembly import unpiled
from autoplayer.layout import Layout
from autoplayer.vision.pieces import Piece
from bench.reading.drawn_faces import SEGMENT_FACES, Segment

PITCH, DARK = 72, np.zeros(3, np.float32)
LEVEL = "4 32 2143 1\n3124 4 124 421\n24 4321 13 423\n431 21 14 32"
SEVENS = "\n".join(
    " ".join(f"{(r + c) % 7 + 1}{(r + c + 1 + (2 * r + c) % 6) % 7 + 1}" for c in range(7)) for r in range(7)
)


def window(level: str, face: Segment, large: int, small: int, between: int) -> Image:
    """A board whose active numbers stand so many pixels above the others. ``large``, ``small``: their heights."""
    side = len(level.splitlines()) * PITCH + 60
    image = np.full((side, side, 3), 255, np.uint8)

    def put(token: str, x: float, y: int, height: int) -> None:
        drawn = face.glyph(token, height).coverage
        left = round(x - drawn.shape[1] / 2)
        part = image[y : y + drawn.shape[0], left : left + drawn.shape[1]]
        share = drawn[..., None] / 255.0
        part[:] = np.rint(part * (1 - share) + np.array((40, 30, 30)) * share)

    for r, row in enumerate(level.splitlines()):
        for c, cell in enumerate(row.split()):
            x, y = 30 + c * PITCH, 30 + r * PITCH
            cv2.rectangle(image, (x, y), (x + PITCH - 5, y + PITCH - 5), (190, 190, 190), 1)
            middle = x + (PITCH - 5) / 2
            put(cell[0], middle, y + (8 if cell[1:] else 20), large)
            for k, token in enumerate(cell[1:]):
                put(token, middle + (k - (len(cell) - 2) / 2) * 0.95 * small, y + 8 + large + between, small)
    return image


@pytest.mark.parametrize(
    ("face", "large", "small", "between"),
    [
        ("segment plain", 28, 16, 2),  # 3 above 2 was read as a tall 3, without a doubt
        ("segment fat", 28, 16, 4),  # this was in doubt
        ("segment plain", 30, 16, 3),  # and this was right: a 1 of two bars is no pile
        ("segment wide", 30, 15, 2),  # the 2 below touches a 4, and is broader with it
    ],
)
def test_a_small_digit_close_below_a_large_one_is_no_part_of_it(
    face: str, large: int, small: int, between: int
) -> None:
    drawn = next(each for each in SEGMENT_FACES if each.family == face)
    reading = GAME.read(window(LEVEL, drawn, large, small, between), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == LEVEL
    assert not reading.doubts


@pytest.mark.parametrize(("large", "small"), [(30, 16), (36, 18)])
def test_the_upper_half_of_a_7_is_no_number_above_a_1(large: int, small: int) -> None:
    """Incident: the halves of all large 7s had the heights of small digits; each was read as a 7 and a 1, and then as a
    7 and an 8, because the small number below it was a 1."""
    drawn = next(each for each in SEGMENT_FACES if each.family == "segment wide gaps")
    reading = GAME.read(window(SEVENS, drawn, large, small, 4), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == SEVENS
    assert not reading.doubts


def digit(text: str, x: int, y: int, height: int = 22) -> Piece:
    """A digit, drawn large and made ``height`` pixels high, with its upper left corner at ``(x, y)``; a 1 is a bar."""
    if text == "1":
        return Piece(Box(x, y, 4, height), np.ones((height, 4), np.float32), DARK, 200.0)
    sheet = np.zeros((160, 160), np.uint8)
    cv2.putText(sheet, text, (20, 130), cv2.FONT_HERSHEY_SIMPLEX, 4, 255, 10, cv2.LINE_AA)
    rows, columns = (np.flatnonzero((sheet > 64).any(axis=by)) for by in (1, 0))
    ink = sheet[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32) / 255
    broad = round(ink.shape[1] * height / ink.shape[0])
    ink = cv2.resize(ink, (broad, height), interpolation=cv2.INTER_AREA)
    return Piece(Box(x, y, broad, height), ink, DARK, 200.0)


def piled(above: Piece, below: Piece) -> Piece:
    """Both as one piece."""
    left, right = min(above.box.x, below.box.x), max(above.right, below.right)
    box = Box(left, above.box.y, right - left, below.bottom - above.box.y)
    ink = np.zeros((box.height, box.width), np.float32)
    for one in (above, below):
        y, x = one.box.y - box.y, one.box.x - box.x
        ink[y : y + one.box.height, x : x + one.box.width] = one.ink
    return replace(above, box=box, ink=ink)


@pytest.mark.parametrize(
    ("texts", "chance", "apart"),
    [
        pytest.param("57", 0.89, True, id="two digits of one height"),
        pytest.param("57", 0.999, False, id="what is surely a digit"),
        pytest.param("11", 0.89, False, id="the two bars of a 1"),
    ],
)
def test_two_digits_of_one_height_that_are_hardly_one_stand_above_one_another(
    texts: str, chance: float, apart: bool
) -> None:
    """Incident: a 5 close above a 7 was one glyph, perhaps a 1, and both cells with it lost their 7 without a doubt."""
    known = [Glyph(digit(text, 40, 20 + 26 * k), {text: 1.0}, int(text)) for k, text in enumerate("234")]
    both = piled(digit(texts[0], 70, 20), digit(texts[1], 70, 45))
    row = [*known, Glyph(both, {"1": chance, "7": 1 - chance}, 1)]
    found = unpiled({(0, k): row for k in range(3)}, Eyes(8))
    assert bool(found) is apart
    for parts in found.values():
        assert [part.box.y for part in parts] == [20, 46, 72, 20, 45]
