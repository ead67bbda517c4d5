"""Numbers of segments whose lines of text are close: an active number and the candidate below it are two digits."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle
from autoplayer.layout import Layout
from bench.reading.drawn_faces import SEGMENT_FACES, Segment

PITCH = 72
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
