"""Boards of Cross Set without walls, of which some cells are filled."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.games.cross_set.seeing.lattice.lattices import squares
from autoplayer.games.cross_set.seeing.lattice.tiles import tiled
from autoplayer.layout import Layout

PUZZLE = parse("42 31 25 12 51\n32 12 24 54 5\n5 2 53 15 45\n12 4 1 54 13\n51 54 4 35 42")
CORNER, PAGE, FILL = (70, 110), (90, 100, 95), (250, 150, 60)
TOUCHING = ((0, 3), (1, 2), (1, 3), (1, 4), (2, 2), (3, 2), (3, 4), (4, 4))
SOME = ((0, 3), (1, 2), (4, 1))


def window(filled: Collection[Cell], pitch: float = 60.0, buttons: bool = False) -> Image:
    """A large number and a small one beside it in each cell; nothing else but some fills and buttons above."""
    fine = 4
    image = np.full((460 * fine, 480 * fine, 3), PAGE, np.uint8)
    for r, c in filled:
        left, top = (round((o + k * pitch) * fine) for o, k in zip(CORNER, (c, r), strict=True))
        right, bottom = (round((o + (k + 1) * pitch) * fine) for o, k in zip(CORNER, (c, r), strict=True))
        image[top:bottom, left:right] = FILL
    image = np.asarray(cv2.resize(image, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA), np.uint8)
    for k in range(4 * buttons):
        cv2.rectangle(image, (31 + 81 * k, 22), (91 + 81 * k, 70), (230, 230, 230), 2)
    for r, row in enumerate(PUZZLE.rows):
        for c, cell in enumerate(row):
            x, y = round(CORNER[0] + c * pitch), round(CORNER[1] + r * pitch)
            ink = (20, 20, 20) if (r, c) in filled else (220, 235, 225)
            start = x + (5 if len(cell) > 1 else 18)
            cv2.putText(image, str(cell[0]), (start, y + 43), cv2.FONT_HERSHEY_SIMPLEX, 1.1, ink, 2, cv2.LINE_AA)
            for n in cell[1:]:
                cv2.putText(image, str(n), (x + 38, y + 43), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(
    ("filled", "pitch", "buttons"),
    [
        pytest.param(TOUCHING, 60.0, True, id="fills that touch, and buttons that stand on no lattice"),
        pytest.param(SOME, 60.0, False, id="fills by themselves"),
        pytest.param(SOME, 61.4, False, id="a lattice between the pixels"),
    ],
)
def test_a_lattice_is_found_by_the_sides_of_fills(filled: Collection[Cell], pitch: float, buttons: bool) -> None:
    """Incident: the numbers of two cells stood as close to each other as those of one, and no board was seen."""
    ((_, found),) = tiled(window(filled, pitch, buttons), 0.0)
    square = next(square for square, size in squares(found) if size == 5)
    middle = [o + pitch / 2 for o in CORNER]
    assert np.abs(np.array([square.x, square.y]) - middle).max() < 1
    assert np.abs(np.array([square.pitch_x, square.pitch_y]) - pitch).max() < 0.4
    assert square.cells >= {(r, c) for r in range(5) for c in range(5)}


def test_what_stands_beside_a_fill_is_no_part_of_it() -> None:
    """The side of a fill, half a pixel wide, is no sign of a number in the next cell."""
    ((_, found),) = tiled(window(SOME, 61.3), 0.0)
    assert found.cells == {(r, c) for r in range(5) for c in range(5)}


def test_noise_does_not_fill_cells() -> None:
    """Incident: in noise all of the page seemed to be cells in which something stands, and the board was overlooked."""
    image = window(TOUCHING)
    noisy = image + np.random.default_rng(1).normal(0, 4.0, image.shape)
    ((_, found),) = tiled(np.clip(noisy, 0, 255).astype(np.uint8), 4.0)
    assert found.cells == {(r, c) for r in range(5) for c in range(5)}


def test_sides_may_be_soft() -> None:
    image = np.asarray(cv2.GaussianBlur(window(SOME), (0, 0), 1.15), np.uint8)
    assert [len(found.cells) for _, found in tiled(image, 0.0)] == [25]


def test_strokes_are_no_sides() -> None:
    """Digits have upright and flat ones, in equal places of many cells."""
    image = np.full((460, 480, 3), PAGE, np.uint8)
    for x, y in np.ndindex(5, 5):
        image[100 + 60 * y : 116 + 60 * y, 100 + 60 * x : 102 + 60 * x] = FILL
        image[100 + 60 * y : 102 + 60 * y, 100 + 60 * x : 116 + 60 * x] = FILL
        image[130 + 60 * y : 136 + 60 * y, 130 + 60 * x : 136 + 60 * x] = FILL
    assert not list(tiled(image, 0.0))


def test_a_single_fill_shows_no_lattice() -> None:
    """Its sides are one line or two in each direction: any area has as many."""
    assert not list(tiled(window([(2, 2)]), 0.0))


@pytest.mark.parametrize("grown", [1.0, 1.5], ids=["sharp", "enlarged"])
def test_a_board_with_fills_and_without_walls_is_read(grown: float) -> None:
    image = cv2.resize(window(TOUCHING, buttons=True), None, fx=grown, fy=grown, interpolation=cv2.INTER_CUBIC)
    reading = GAME.read(np.asarray(image, np.uint8), Layout(game="cross-set"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle) == format_puzzle(PUZZLE)
