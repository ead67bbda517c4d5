"""A 1 with a flag and no foot, as several common typefaces draw it, is the 7 of others."""

import cv2
import numpy as np
import pytest

from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from autoplayer.settle import settle

ROWS = ("2 1 .", "X 1 1", "1 1 1")
CELL, MARGIN, INK = 64, 30, (30, 30, 30)


def window(flag: int) -> np.ndarray:
    """A plain window with :data:`ROWS` whose 1s have a flag so many pixels wide."""
    image = np.full((3 * CELL + 2 * MARGIN, 3 * CELL + 2 * MARGIN, 3), 250, np.uint8)
    for r, row in enumerate(ROWS):
        for c, token in enumerate(row.split()):
            if token == ".":
                continue
            left, top = MARGIN + c * CELL, MARGIN + r * CELL
            x, y = left + CELL // 2, top + CELL // 2
            cv2.rectangle(image, (left, top), (left + CELL, top + CELL), INK, 2)
            if token == "X":
                cv2.circle(image, (x, y), 13, INK, 2, cv2.LINE_AA)
            elif token == "2":
                cv2.putText(image, "2", (x - 12, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 1.25, INK, 3, cv2.LINE_AA)
            else:
                stroke = np.array([(x - flag, y - 18), (x, y - 18), (x, y + 18)])
                cv2.polylines(image, [stroke], False, INK, 4, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("flag", [9, 10, 11])
def test_what_may_be_a_1_or_a_7_is_a_number_and_the_others_tell_which(flag):
    settled = settle(GAME, GAME.read(window(flag), Layout(game="cardinal-chains")))
    assert settled.playable
    assert GAME.format(settled.puzzle).split("\n") == list(ROWS)


def test_a_flag_that_a_7_may_have_as_well_is_a_doubt():
    reading = GAME.read(window(13), Layout(game="cardinal-chains"))
    (doubt,) = (each for each in reading.doubts if (1, 1) in each.cells)
    assert {token for token, _ in doubt.candidates} >= {"1", "7"}
