"""Windows in which a part of each cell has another colour: the half or third in which the active number stands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.playing import turning
from autoplayer.games.cross_set.puzzle import format_puzzle, parse
from autoplayer.layout import Layout
from autoplayer.settle import settle

LAYOUT = Layout(game="cross-set")
BOARD = "412 31 2 143\n3 142 341 24\n234 43 12 31\n12 234 413 4"
TURNED = "124 13 2 431\n3 421 413 42\n342 34 21 13\n21 342 134 4"
PAIRS = "41 31 24 13\n32 14 41 24\n24 43 12 31\n12 23 43 42"
PITCH, SIDE = 108, 100
TILE, PATCH = (96, 70, 42), (92, 66, 120)


def window(text: str, standing: str, patch: tuple[int, int, int] = PATCH, tile: tuple[int, int, int] = TILE) -> Image:
    """``standing``: how the candidates stand from above, as text of the same form; the part of a tile in which the
    active one of ``text`` stands has the colour ``patch``."""
    image = np.full((4 * PITCH + 120, 4 * PITCH + 100, 3), (56, 36, 20), np.uint8)
    for r, (row, first) in enumerate(zip(text.splitlines(), standing.splitlines(), strict=True)):
        for c, (cell, order) in enumerate(zip(row.split(), first.split(), strict=True)):
            x, y = 50 + c * PITCH, 60 + r * PITCH
            cv2.rectangle(image, (x, y), (x + SIDE - 1, y + SIDE - 1), tile, -1)
            step = SIDE // len(order)
            for k, number in enumerate(order):
                if number == cell[0] and len(cell) > 1:
                    cv2.rectangle(image, (x, y + k * step), (x + SIDE - 1, y + (k + 1) * step - 1), patch, -1)
                size = 0.028 * min(step, 40)
                foot = (x + SIDE // 2 - round(10 * size), y + round((k + 0.5) * step + 10 * size))
                cv2.putText(image, number, foot, cv2.FONT_HERSHEY_SIMPLEX, size, (215, 240, 240), 2, cv2.LINE_AA)
    return image


def test_the_number_upon_the_patch_is_the_active_one() -> None:
    """Incident: the part of another colour was something unexplained, or the number upon the darker part was taken for
    the active one, for it is the stronger one."""
    settled = settle(GAME, GAME.read(window(BOARD, BOARD), LAYOUT))
    assert settled.certain
    assert format_puzzle(settled.puzzle) == BOARD


def test_a_later_picture_says_how_the_patches_moved() -> None:
    reading = GAME.read(window(BOARD, BOARD), LAYOUT)
    now = turning.state(window(TURNED, BOARD), reading, reading.puzzle)
    assert now.rows == parse(TURNED).rows
    assert not now.doubtful


@pytest.mark.parametrize(("patch", "tile"), [(PATCH, TILE), (TILE, PATCH)])
def test_of_two_halves_alone_either_may_be_the_patch(patch: tuple[int, int, int], tile: tuple[int, int, int]) -> None:
    """Where every cell has two, nothing shows which of the two colours is the patch's."""
    reading = GAME.read(window(PAIRS, PAIRS, patch, tile), LAYOUT)
    doubted = {spot[:2] for doubt in reading.doubts for spot in doubt.cells}
    assert doubted == {(r, c) for r in range(4) for c in range(4)}
