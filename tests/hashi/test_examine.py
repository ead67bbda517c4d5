"""A window with signs that nobody knows, what a person says of them, and a lattice that a person has given."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.games.base import examine
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import parse
from autoplayer.layout import BoardTable, Layout
from autoplayer.vision import templates

BOARD = parse("2.4..3\n......\n3.6.2.\n.....1\n1.3.1.")
PITCH, RADIUS, LEFT, TOP = 70, 24, 90, 80


def _star(points: int, inner: float) -> np.ndarray:
    angles = np.pi * np.arange(2 * points) / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2 == 0, 1.0, inner)
    return np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1)


SIGNS = {
    "1": _star(3, 0.5),
    "2": _star(4, 0.75),
    "3": _star(5, 0.4),
    "4": np.array([(-1, -1), (0, 0.2), (1, -1), (1, 1), (0, 0.4), (-1, 1)]) * 0.8,
    "6": np.array([(-1, -0.3), (1, -0.3), (1, 0.3), (-1, 0.3)]),
}
"""The signs of this window, as polygons within -1 to 1."""


def window(size: tuple[int, int] = (560, 460), pitch: float = PITCH) -> np.ndarray:
    """The board in rings with signs instead of numbers; BGR."""
    image = np.full((size[1], size[0], 3), (232, 236, 240), np.uint8)
    scale = pitch / PITCH
    for (r, c), number in BOARD.islands.items():
        x, y = (LEFT + c * PITCH) * scale, (TOP + r * PITCH) * scale
        centre, radius = (round(x * 16), round(y * 16)), round(RADIUS * scale * 16)
        cv2.circle(image, centre, radius, (255, 255, 255), -1, cv2.LINE_AA, 4)
        cv2.circle(image, centre, radius, (60, 40, 30), max(round(2 * scale), 1), cv2.LINE_AA, 4)
        points = (np.array([x, y]) + SIGNS[str(number)] * 11 * scale) * 16
        cv2.fillPoly(image, [np.rint(points).astype(np.int32)], (40, 30, 120), cv2.LINE_AA, 4)
    return image


def islands(puzzle) -> list[int]:
    return [number for _, number in sorted(puzzle.islands.items())]


def test_signs_that_nobody_knows_are_no_board_until_a_person_is_asked():
    image = window()
    with pytest.raises(UnreadableError):
        GAME.read(image, Layout(game="hashi"))
    reading = examine(GAME, image, Layout(game="hashi"))
    assert sorted(reading.puzzle.islands) == sorted(BOARD.islands)
    asked = [{BOARD.islands[spot[0], spot[1]] for spot in doubt.cells} for doubt in reading.doubts]
    assert all(len(numbers) == 1 for numbers in asked)
    assert len(asked) == len(SIGNS)
    assert {cell for doubt in reading.doubts for cell in doubt.cells} == set(BOARD.islands)
    for doubt in reading.doubts:
        assert sorted(token for token, _ in doubt.candidates) == list("12345678")
    for (r, c), box in reading.glyphs.items():
        assert box.contains((LEFT + c * PITCH, TOP + r * PITCH))
        assert box.width <= 26
        assert box.height <= 26


@pytest.mark.parametrize("pitch", [PITCH, 1.5 * PITCH], ids=["as it was learned", "half as large again"])
def test_what_a_person_said_of_the_signs_is_believed(tmp_path, monkeypatch, pitch):
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path))
    folder = tmp_path / "templates" / "signs"
    folder.mkdir(parents=True)
    image = window()
    reading = examine(GAME, image, Layout(game="hashi"))
    for doubt in reading.doubts:
        cell = doubt.cells[0]
        templates.save(folder, str(BOARD.islands[cell[0], cell[1]]), templates.around(image, reading.glyphs[cell]))
    layout = Layout(game="hashi", templates="signs")
    larger = window((round(560 * pitch / PITCH), round(460 * pitch / PITCH)), pitch)
    again = GAME.read(larger, layout)
    assert not again.doubts
    assert islands(again.puzzle) == islands(BOARD)
    assert not examine(GAME, larger, layout).doubts


def test_numbers_that_are_known_are_not_asked_about():
    image = GAME.draw(parse("3.5.3\n.....\n6.8.3\n.....\n2.2.."))
    assert not examine(GAME, image, Layout(game="hashi")).doubts


def test_a_picture_without_islands_is_no_board_for_a_person_either():
    with pytest.raises(UnreadableError, match="no discs or boxes"):
        examine(GAME, np.full((200, 300, 3), 90, np.uint8), Layout(game="hashi"))


def test_a_lattice_that_a_person_gave_is_used_as_it_is():
    """Two empty rows above and a column beside the islands belong to the board; words on the lattice's edge do not."""
    puzzle = parse("3.5.3\n.....\n6.8.3\n.....\n2.2..")
    picture = GAME.draw(puzzle)
    pitch = picture.shape[0] / (puzzle.height + 1)
    image = np.full((picture.shape[0] + 300, picture.shape[1] + 300, 3), 255, np.uint8)
    image[200 : 200 + picture.shape[0], 150 : 150 + picture.shape[1]] = picture
    height, width = image.shape[:2]
    left, top = 150 + pitch / 2, 200 + pitch / 2 - 2 * pitch
    columns, rows = puzzle.width + 1, puzzle.height + 2
    place = (left / width, top / height, columns * pitch / width, rows * pitch / height)
    layout = Layout(game="hashi", board=BoardTable(place=place, rows=rows, columns=columns))
    reading = GAME.read(image, layout)
    assert (reading.puzzle.height, reading.puzzle.width) == (rows, columns)
    assert {(r + 2, c): n for (r, c), n in puzzle.islands.items()} == dict(reading.puzzle.islands)
    assert not reading.doubts


def test_a_board_of_letters_is_not_the_few_of_them_that_look_like_numbers():
    signs = {"1": "I", "2": "W", "3": "H", "4": "K", "6": "M"}
    image = np.full((460, 560, 3), (232, 236, 240), np.uint8)
    for (r, c), number in BOARD.islands.items():
        x, y = LEFT + c * PITCH, TOP + r * PITCH
        cv2.circle(image, (x, y), RADIUS, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), RADIUS, (60, 40, 30), 2, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(signs[str(number)], cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
        at = (x - width // 2, y + height // 2)
        cv2.putText(image, signs[str(number)], at, cv2.FONT_HERSHEY_DUPLEX, 0.8, (40, 30, 60), 2, cv2.LINE_AA)
    assert sorted(examine(GAME, image, Layout(game="hashi")).puzzle.islands) == sorted(BOARD.islands)
