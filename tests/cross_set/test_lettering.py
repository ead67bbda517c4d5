"""Numbers with outlines that touch one another, hollow ones and such with a hard shadow are read by what is inside."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import Puzzle, format_puzzle, parse
from autoplayer.games.cross_set.reader import read
from autoplayer.games.cross_set.seeing import board
from autoplayer.games.cross_set.seeing.lattice.lettering import plainly_drawn
from autoplayer.layout import Layout
from autoplayer.vision import pieces

LEVEL = "21 3 14 42\n4 12 3 31\n3 4 12 12\n13 12 42 4"
PITCH = 90
WOOD, BROWN, YELLOW, RED = (102, 168, 217), (6, 42, 75), (77, 225, 255), (60, 60, 240)
GREY, WHITE, BLACK = (141, 141, 141), (255, 255, 255), (24, 24, 24)

BOXES = {(r, c): Box(54 + c * PITCH, 24 + r * PITCH, PITCH - 8, PITCH - 8) for r in range(4) for c in range(4)}

Colour = tuple[int, int, int]


def window(puzzle: Puzzle, ground: Colour, outline: Colour, active: Colour, other: Colour, thick: int = 3) -> Image:
    """The active number above the others, so close that the outlines around them touch."""
    large = 4  # drawn larger, for soft edges
    side = PITCH * puzzle.size + 40
    image = np.full((side * large, (side + 60) * large, 3), (60, 60, 60), np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = (50 + c * PITCH) * large, (20 + r * PITCH) * large
            spot = image[y : y + PITCH * large, x : x + PITCH * large]
            cv2.rectangle(image, (x + 8, y + 8), (x + PITCH * large - 8, y + PITCH * large - 8), ground, -1)
            for rim in (thick, 0):
                for k, number in enumerate(cell):
                    at = (36 * large, 44 * large) if k == 0 else ((13 + 17 * k) * large, 70 * large)
                    own, size = (active, 4.0) if k == 0 else (other, 2.8)
                    text = np.zeros(spot.shape[:2], np.uint8)
                    cv2.putText(text, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, 8, cv2.LINE_AA)
                    if rim:
                        text = cv2.dilate(text, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * rim * large,) * 2))
                    spot[text > 127] = outline if rim else own
    return np.asarray(cv2.resize(image, (side + 60, side), interpolation=cv2.INTER_AREA), np.uint8)


LOOKS = [
    pytest.param(WOOD, BROWN, RED, YELLOW, id="yellow and red in brown on wood"),
    pytest.param(GREY, WHITE, (160, 40, 20), BLACK, id="dark in white on grey"),
]


@pytest.mark.parametrize(("ground", "outline", "active", "other"), LOOKS)
def test_numbers_whose_outlines_touch_are_read(ground: Colour, outline: Colour, active: Colour, other: Colour) -> None:
    reading = read(window(parse(LEVEL), ground, outline, active, other), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))
    assert not reading.doubts


def test_hollow_numbers_are_read_by_what_is_inside() -> None:
    reading = read(window(parse(LEVEL), WHITE, BLACK, WHITE, WHITE), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))
    assert not reading.doubts


@pytest.mark.parametrize(("ground", "outline", "active", "other"), LOOKS)
def test_each_number_stands_apart_without_its_outline(
    ground: Colour, outline: Colour, active: Colour, other: Colour
) -> None:
    puzzle = parse(LEVEL)
    image = window(puzzle, ground, outline, active, other)
    plain = plainly_drawn(image, BOXES, 0.0)
    assert plain is not None
    for (r, c), box in BOXES.items():
        assert len(pieces.find(plain, box).pieces) == len(puzzle.rows[r][c])
        near = np.abs(box.crop(plain).astype(int) - outline).max(axis=2) < 30
        assert not near.any()


def test_a_turned_cell_is_seen_in_a_later_picture() -> None:
    puzzle = parse(LEVEL)
    reading = read(window(puzzle, WOOD, BROWN, RED, YELLOW), Layout(game="cross-set"))
    turned = Puzzle((((1, 2), *puzzle.rows[0][1:]), *puzzle.rows[1:]))
    now = state(window(turned, WOOD, BROWN, RED, YELLOW), reading, puzzle)
    assert now.present
    assert now.rows == turned.rows
    assert not now.doubtful


def test_plain_numbers_are_left_as_they_are() -> None:
    image = window(parse(LEVEL), WOOD, BLACK, BLACK, BLACK)
    assert plainly_drawn(image, BOXES, 0.0) is None


def test_numbers_that_redrawing_blots_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: compression had blurred the colours of black numbers on red cells, which seemed to have an outline and
    became dotted rectangles. A 9 was read as a 5."""
    plain = np.full((4 * PITCH + 40, 4 * PITCH + 40, 3), 245, np.uint8)
    boxes = {(r, c): Box(22 + c * PITCH, 22 + r * PITCH, PITCH - 4, PITCH - 4) for r in range(4) for c in range(4)}
    rows = parse(LEVEL).rows
    for (r, c), box in boxes.items():
        cv2.rectangle(plain, (box.x - 2, box.y - 2), (box.x + PITCH - 2, box.y + PITCH - 2), (60, 60, 60), 2)
        for k, number in enumerate(rows[r][c]):
            at = box.x + 14 + 40 * k, box.y + 58
            cv2.putText(plain, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 1.3, BLACK, 2 if k else 5, cv2.LINE_AA)

    def blotted(image: np.ndarray, *_: object) -> np.ndarray:
        result = image.copy()
        for box in list(boxes.values())[::3]:
            result[box.y + 30 : box.y + 58, box.x + 14 : box.x + 36] = (40, 40, 150)
        return result

    monkeypatch.setattr(board, "_plain", lambda *_: None)
    monkeypatch.setattr(board, "plainly_drawn", blotted)
    reading = read(plain, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == LEVEL
    assert not reading.doubts
