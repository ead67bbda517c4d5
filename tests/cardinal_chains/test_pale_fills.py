"""A board whose chains fill their cells with pale colours, which differ less from an empty cell than its numbers do,
which have another colour than the starts."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout

BOARD = "1 1 X 2\n1 . . X\n1 3 3 4\n1 2 3 4"
CHAINS = (
    ((0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (2, 1), (2, 2), (3, 2), (3, 3), (2, 3)),
    ((1, 3), (0, 3)),
)
COLOURS = (168, 178, 236), (228, 206, 172)
"""BGR, of the chains."""


VIVID = (75, 25, 230), (216, 120, 60)
BROAD = "4 3 3 3\n5 5 3 3\nX 6 6 2\n1 6 6 X"
SNAKE = (
    ((2, 0), (3, 0)),
    ((3, 3), (2, 3), (1, 3), (0, 3), (0, 2), (1, 2), (0, 1), (0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 1)),
)


def washed(*lengths: int) -> Image:
    """White cells, starts in vivid colours; the first ``lengths`` cells of each chain have a quarter of its colour."""
    page = np.full((480, 480, 3), 242, np.uint8)
    held = {cell: index for index, chain in enumerate(SNAKE) for cell in chain[1 : lengths[index]]}
    for row, line in enumerate(BROAD.splitlines()):
        for column, token in enumerate(line.split()):
            x, y, cell = 40 + 90 * column, 40 + 90 * row, (row, column)
            colour = np.full(3, 255.0)
            if cell in held:
                colour = 0.25 * np.array(VIVID[held[cell]]) + 0.75 * colour
            elif token == "X":
                colour = np.array(VIVID[row - 2], float)
            cv2.rectangle(page, (x, y), (x + 90, y + 90), colour.round().tolist(), -1)
            cv2.rectangle(page, (x, y), (x + 90, y + 90), (85, 85, 85), 2)
            if token != "X":
                cv2.putText(page, token, (x + 32, y + 60), cv2.FONT_HERSHEY_DUPLEX, 1.3, (17, 17, 17), 2, cv2.LINE_AA)
    return page


def window(*lengths: int) -> Image:
    """The first ``lengths`` cells of each chain are filled."""
    page = np.full((480, 480, 3), (230, 239, 243), np.uint8)
    filled: dict[Cell, tuple[int, int, int]] = {
        cell: colour for chain, length, colour in zip(CHAINS, lengths, COLOURS, strict=True) for cell in chain[:length]
    }
    for row, line in enumerate(BOARD.splitlines()):
        for column, token in enumerate(line.split()):
            if token == ".":
                continue
            x, y = 40 + 100 * column, 40 + 100 * row
            cv2.rectangle(page, (x, y), (x + 93, y + 93), filled.get((row, column), (248, 253, 255)), -1)
            cv2.rectangle(page, (x, y), (x + 93, y + 93), (178, 167, 154), 1)
            (wide, high), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 1.6, 3)
            at = x + 47 - wide // 2, y + 47 + high // 2
            ink = (60, 48, 34) if token == "X" else (43, 57, 192)
            cv2.putText(page, token, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, ink, 3, cv2.LINE_AA)
    return page


@pytest.mark.parametrize("lengths", [(1, 1), (7, 1), (12, 1), (12, 2)])
def test_pale_fills_are_seen_until_the_board_is_full(lengths: tuple[int, int]) -> None:
    """Incident: with its last cell the whole board seemed to be another one, for what had changed in nearly all cells
    was taken for a theme that breathes."""
    reading = GAME.read(window(1, 1), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).strip() == BOARD
    now = GAME.progress(reading, reading.puzzle, CHAINS, window(*lengths))
    assert (now.present, now.done, now.wrong) == (True, sum(lengths) - 2, 0)


@pytest.mark.parametrize("lengths", [(1, 1), (2, 7), (2, 14)])
def test_a_pale_wash_is_seen_though_one_chain_holds_nearly_all_cells(lengths: tuple[int, int]) -> None:
    """Incident: once it was drawn whole, none of a chain was seen; what was won was played again, on the next level."""
    reading = GAME.read(washed(1, 1), Layout(game="cardinal-chains"))
    assert format_puzzle(reading.puzzle).strip() == BROAD
    now = GAME.progress(reading, reading.puzzle, SNAKE, washed(*lengths))
    assert (now.present, now.done, now.wrong) == (True, sum(lengths) - 2, 0)
