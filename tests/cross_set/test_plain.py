"""Boards that are read at first sight: as the thorough reading has them, and left to it where anything is unusual."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.playing.turning import state
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.reader import read
from autoplayer.games.cross_set.seeing import board, cells, plain
from autoplayer.games.cross_set.seeing.lattice import insides
from autoplayer.games.cross_set.seeing.lattice.lattices import hypotheses
from autoplayer.layout import Layout
from autoplayer.vision.views import View

LEVEL = "21 3 14 42\n4 12 3 3\n3 4 2 12\n13 2 42 4"
PITCH = 96


@lru_cache(maxsize=3)
def window(foot: int = 84, head: int = 48) -> Image:
    """A window with ``LEVEL``: the active number large, ``head`` pixels below the wall above, the others small in a
    line below it, at ``foot``."""
    puzzle = parse(LEVEL)
    image = np.full((puzzle.size * PITCH + 80, puzzle.size * PITCH + 160, 3), 245, np.uint8)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            x, y = 70 + c * PITCH, 40 + r * PITCH
            cv2.rectangle(image, (x, y), (x + PITCH, y + PITCH), (60, 60, 60), 3)
            written(image, str(cell[0]), (x + 32, y + head), 1.3, 3)
            for k, number in enumerate(cell[1:]):
                written(image, str(number), (x + 20 + 24 * k, y + foot), 0.8, 2)
    return image


def written(image: Image, text: str, at: tuple[int, int], scale: float, thick: int) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), thick, cv2.LINE_AA)


def at_first_sight(image: Image) -> bool:
    first = next(hypotheses(image), None)
    return first is not None and board._plain(*first) is not None


def test_what_is_read_at_first_sight_is_what_a_thorough_look_says(monkeypatch: pytest.MonkeyPatch) -> None:
    image = window()
    quick = read(image, Layout(game="cross-set"))
    assert at_first_sight(image)
    assert format_puzzle(quick.puzzle) == format_puzzle(parse(LEVEL))
    monkeypatch.setattr(board, "_plain", lambda *_: None)
    slow = read(image, Layout(game="cross-set"))
    assert slow.puzzle == quick.puzzle
    assert slow.places == quick.places
    assert slow.extra["board"].sheet.boxes == quick.extra["board"].sheet.boxes
    for cell, row in slow.extra["board"].sheet.glyphs.items():
        same = quick.extra["board"].sheet.glyphs[cell]
        assert [g.piece.box for g in row] == [g.piece.box for g in same]
        for one, other in zip(row, same, strict=True):
            assert np.abs(one.piece.ink - other.piece.ink).max() < 0.05
            assert np.abs(one.piece.colour - other.piece.colour).max() <= 1


def test_a_plain_board_needs_no_thorough_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def thorough(*_: object, **__: object) -> None:
        raise AssertionError("the cells were looked at in many ways")

    monkeypatch.setattr(cells, "read", thorough)
    assert not read(window(), Layout(game="cross-set")).doubts


def test_numbers_close_to_the_walls_are_read_at_first_sight() -> None:
    image = window(foot=PITCH - 4)
    assert at_first_sight(image)
    assert format_puzzle(read(image, Layout(game="cross-set")).puzzle) == format_puzzle(parse(LEVEL))


def test_walls_are_looked_for_when_a_later_picture_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    find = insides.to_the_walls

    def found(view: View, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats] | None = None) -> dict[Cell, Box]:
        asked.append((view, boxes, grounds))
        return find(view, boxes, grounds)

    monkeypatch.setattr(insides, "to_the_walls", found)
    image = window()
    reading = read(image, Layout(game="cross-set"))
    boxes = reading.extra["board"].sheet.boxes
    assert list(boxes) == list(reading.places)
    assert not asked
    for _ in range(2):
        assert state(image, reading, reading.puzzle).rows == reading.puzzle.rows
    assert len(asked) == 1
    assert dict(boxes) == find(*asked[0])


def test_a_frame_along_the_walls_of_a_cell_is_no_part_of_its_numbers() -> None:
    image = window().copy()
    cv2.rectangle(image, (70 + PITCH + 4, 44), (70 + 2 * PITCH - 4, 36 + PITCH), (200, 90, 20), 4)
    assert at_first_sight(image)
    reading = read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))
    assert state(image, reading, reading.puzzle).cursor == (0, 1)


def test_numbers_that_touch_the_walls_in_all_cells_are_whole() -> None:
    reading = read(window(head=28), Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))
    assert not reading.doubts


def test_a_number_that_stands_twice_in_a_cell_is_a_doubt() -> None:
    """Incident: the halves of a 1 of segments, each surely a 1, were read as a 1 and as any other number."""
    image = window().copy()
    written(image, "1", (70 + 20 + 24, 40 + 84), 0.8, 2)
    reading = read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))
    assert [doubt.cells for doubt in reading.doubts] == [((0, 0),)]


def test_specks_far_paler_than_all_numbers_are_no_numbers() -> None:
    """As compression leaves them beside strong edges."""
    image = window().copy()
    for x, y, across, down in ((12, 20, 6, 5), (22, 22, 5, 6), (14, 31, 8, 5)):
        image[40 + y : 40 + y + down, 70 + x : 70 + x + across] = 222
    reading = read(image, Layout(game="cross-set"))
    assert format_puzzle(reading.puzzle) == format_puzzle(parse(LEVEL))
    assert not reading.doubts


@pytest.mark.parametrize(
    "unusual",
    [
        lambda image: cv2.circle(image, (70 + 80, 40 + 20), 4, (20, 20, 20), -1),
        lambda image: cv2.line(image, (70 + 3, 40 + 60), (70 + 40, 40 + 60), (20, 20, 20), 4),
        lambda image: cv2.rectangle(image, (70 + 8, 40 + 8), (70 + 88, 40 + 88), (20, 20, 200), 2),
        lambda image: cv2.putText(image, "3", (70 + 70, 40 + 84), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (215,) * 3, 2),
        lambda image: cv2.rectangle(image, (70 + 20, 40 + 10), (70 + 76, 40 + 90), (245,) * 3, -1),
    ],
    ids=["a speck", "a line from the wall", "a frame", "a pale number", "a bare cell"],
)
def test_where_something_is_unusual_nothing_is_said_at_first_sight(unusual: object) -> None:
    image = window().copy()
    assert callable(unusual)
    unusual(image)
    assert not at_first_sight(image)


def test_places_that_reach_beyond_the_picture_are_no_plain_board() -> None:
    image = window()
    right = image.shape[1] - 3 * PITCH + 20
    boxes = {(r, c): Box(right + c * PITCH, 44 + r * PITCH, 88, 88) for r in range(3) for c in range(3)}
    assert plain.read(image, boxes, 3, 0.0) is None
