"""Boards in a terminal with free lines between their rows, and chains that are blocks in their starts' colours."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.seeing.text.screens import board_alone
from autoplayer.layout import Layout
from tests.cardinal_chains.text_screen import HEIGHT, WIDTH

Colour = tuple[int, int, int]
LAYOUT = Layout(game="cardinal-chains")
ROWS = ["X12.", "1122", "2X13", "2223"]
CHAINS: tuple[tuple[Cell, ...], ...] = (
    ((0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 3)),
    ((2, 1), (2, 0), (3, 0), (3, 1), (3, 2)),
)
GREEN, YELLOW, GREY = (0, 205, 0), (0, 205, 205), (127, 127, 127)
WORDS = "hjkl move, c next chain, u undo"


def screen(held: Mapping[Cell, Colour], *, free: int = 1, active: Cell | None = None, spread: float = 1) -> Image:
    """The board with ``free`` lines between its rows, among lines of words; ``held``: the blocks of three characters
    behind some cells; ``active``: the cell whose character is grey; ``spread``: the distance between the characters of
    the words, in characters."""
    image = np.full((18 * HEIGHT, 44 * WIDTH, 3), 255, np.uint8)

    def put(row: int, column: float, character: str, ink: Colour = (0, 0, 0)) -> None:
        (width, _), _ = cv2.getTextSize(character, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 1)
        at = round(column * WIDTH + (WIDTH - width) / 2), (row + 1) * HEIGHT - 8
        cv2.putText(image, character, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, ink, 1, cv2.LINE_AA)

    last = 2 + (1 + free) * (len(ROWS) - 1)
    for row, text in ((0, "chains - level 1"), (last + 1 + free * 2, WORDS)):
        for column, character in enumerate(text):
            put(row, 1 + spread * column, character)
    for (r, c), colour in held.items():
        x, y = (2 + 4 * c) * WIDTH, (2 + (1 + free) * r) * HEIGHT
        image[y : y + HEIGHT, x : x + 3 * WIDTH] = colour
    for r, line in enumerate(ROWS):
        for c, character in enumerate(line.replace(".", " ")):
            put(2 + (1 + free) * r, 3 + 4 * c, character, GREY if (r, c) == active else (0, 0, 0))
    return image


STARTS = {CHAINS[0][0]: GREEN, CHAINS[1][0]: YELLOW}


@pytest.mark.parametrize("free", [0, 1, 2])
def test_a_board_with_free_lines_between_its_rows_is_a_terminals(free: int) -> None:
    """Incident: the mouse was dragged over such a board, which selected its text; no key was pressed."""
    reading = GAME.read(screen(STARTS, free=free), LAYOUT)
    assert GAME.format(reading.puzzle) == "\n".join(" ".join(row) for row in ROWS)
    assert reading.extra["text"].typed


def test_lines_of_words_in_a_typeface_of_another_width_make_no_terminal_of_a_board_with_free_lines() -> None:
    cut = board_alone(screen(STARTS))
    assert cut is not None
    assert cut.typed
    cut = board_alone(screen(STARTS, spread=0.87))
    assert cut is not None
    assert not cut.typed


@pytest.mark.parametrize("free", [0, 1])
def test_a_block_tells_its_chain_whatever_colour_its_character_has(free: int) -> None:
    """Incident: all characters were black but the active one, which was taken for another chain's."""
    reading = GAME.read(screen(STARTS, free=free, active=CHAINS[0][0]), LAYOUT)
    held = STARTS | dict.fromkeys(CHAINS[0][1:5], GREEN) | dict.fromkeys(CHAINS[1][1:3], YELLOW)
    after = screen(held, free=free, active=CHAINS[1][2])
    seen = GAME.progress(reading, reading.puzzle, CHAINS, after)
    assert (seen.present, seen.done, seen.wrong) == (True, 6, 0)
