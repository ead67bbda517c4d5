"""Starts that are a small mark in a colour of their own upon the same tile as the numbers, and first levels of a few
cells: pictures drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

MANY = (
    "4 3 2 1 X . X 3\n4 X 3 4 5 4 7 4\n4 X 2 3 X 3 6 5\n5 4 4 4 1 1 2 2\n"
    "4 3 5 3 2 X X 2\n3 3 6 6 X . 9 3\n2 3 3 3 7 7 8 3\nX . X 2 6 5 4 4"
)
FIRST = "X . . .\n1 . . .\n1 1 1 1"
TILE, WALL, TEXT = (73, 95, 53), (207, 199, 214), (207, 199, 214)

VIVID = (
    (40, 40, 235), (230, 20, 190), (20, 240, 200), (250, 130, 20), (90, 0, 250),
    (40, 250, 60), (240, 70, 100), (40, 160, 220), (150, 240, 30), (160, 40, 250),
)  # fmt: skip


def board(text: str, *, square: bool, walls: bool) -> Image:
    rows = [row.split() for row in text.splitlines()]
    pitch = 72
    image = np.full((len(rows) * pitch + 300, len(rows[0]) * pitch + 200, 3), (38, 59, 17), np.uint8)
    marks = 0
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            x, y = 90 + c * pitch, 200 + r * pitch
            if token == ".":
                continue
            cv2.rectangle(image, (x, y), (x + pitch - 1, y + pitch - 1), TILE, -1)
            if walls:
                cv2.rectangle(image, (x, y), (x + pitch - 1, y + pitch - 1), WALL, 2)
            if token != "X":
                (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 1.1, 2)
                at = x + (pitch - w) // 2, y + (pitch + h) // 2
                cv2.putText(image, token, at, cv2.FONT_HERSHEY_DUPLEX, 1.1, TEXT, 2, cv2.LINE_AA)
                continue
            colour = VIVID[marks % len(VIVID)]
            marks += 1
            if square:
                cv2.rectangle(image, (x + 25, y + 25), (x + 46, y + 46), colour, -1)
            else:
                cv2.circle(image, (x + 36, y + 36), 9, colour, -1, cv2.LINE_AA)
    return image


def test_many_small_discs_do_not_cut_the_numbers_of_the_other_cells() -> None:
    """Incident: what stood in the place of the starts' discs was looked at in every cell; a 3 was read as a 9."""
    settled = settle(GAME, GAME.read(board(MANY, square=False, walls=True), Layout(game="cardinal-chains")))
    assert format_puzzle(settled.puzzle) == MANY
    assert settled.certain


def test_a_start_at_the_end_of_a_first_level_stands_on_a_tile_of_the_board() -> None:
    """Incident: a start with one cell beside it, on a board of tiles that touch, was left out: no start was seen."""
    settled = settle(GAME, GAME.read(board(FIRST, square=True, walls=False), Layout(game="cardinal-chains")))
    assert format_puzzle(settled.puzzle) == FIRST
    assert settled.certain


def on_a_panel(heading: str, button: str) -> Image:
    """A level without walls on a panel, whose heading and button stand where the lattice has further rows."""
    image = np.full((300, 420, 3), (222, 243, 241), np.uint8)
    rows = [row.split() for row in PANEL.splitlines()]
    cv2.rectangle(image, (120, 52), (266, 198), (217, 228, 247), -1)
    cv2.rectangle(image, (120, 52), (266, 198), (16, 16, 16), 2)
    for text, at in ((heading, (128, 34)), (button, (146, 226))):
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, 0.5, (16, 16, 16), 1, cv2.LINE_AA)
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            x, y = 139 + 36 * c, 71 + 36 * r
            if token == "X":
                cv2.circle(image, (x, y), 12, (30, 200, 195), -1, cv2.LINE_AA)
            elif token != ".":
                (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 0.5, 1)
                cv2.putText(
                    image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, 0.5, (16, 16, 16), 1, cv2.LINE_AA
                )
    return image


PANEL = ". 9 8 7\n4 4 4 6\n4 X 4 5\n4 4 . ."


@pytest.mark.parametrize(("heading", "button"), [("World 2 - 22", "New game"), ("Level 1 1 2 2", "2 1 2 1")])
def test_what_stands_behind_the_rim_of_a_panel_is_no_row_of_the_board(heading: str, button: str) -> None:
    """Incident: the numbers of a heading were a row of a first level, without a doubt."""
    settled = settle(GAME, GAME.read(on_a_panel(heading, button), Layout(game="cardinal-chains")))
    assert format_puzzle(settled.puzzle) == PANEL
    assert settled.certain


def test_discs_that_hide_the_numbers_own_discs_are_holes_beside_smaller_ones() -> None:
    """Incident: marks in several colours are starts all or none, and the dark discs of holes were starts with them."""
    rows = ["4 2 . 1 X", "X 2 2 1 1", "2 2 2 2 2", "4 3 . 2 2"]
    vivid = iter([(140, 206, 34), (243, 27, 218)])
    pitch = 72
    image = np.full((4 * pitch + 200, 5 * pitch + 200, 3), (201, 244, 199), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = 100 + c * pitch + pitch // 2, 100 + r * pitch + pitch // 2
            cv2.circle(image, (x, y), 33, (110, 134, 109) if token == "." else (240, 242, 241), -1, cv2.LINE_AA)
            if token == "X":
                cv2.circle(image, (x, y), 23, next(vivid), -1, cv2.LINE_AA)
            elif token != ".":
                (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
                at = x - w // 2, y + h // 2
                cv2.putText(image, token, at, cv2.FONT_HERSHEY_DUPLEX, 0.8, (60, 62, 61), 2, cv2.LINE_AA)
    settled = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    assert format_puzzle(settled.puzzle).splitlines() == rows
    assert settled.certain


@pytest.mark.parametrize("rim", [False, True], ids=["on its tile", "in a disc"])
def test_buttons_above_a_first_level_are_no_starts_beside_a_disc_on_a_tile(rim: bool) -> None:
    """Incident: a disc with one cell beside it was left out, and the buttons in line with the columns were starts."""
    rows = [". . . 5", ". 2 2 4", ". 2 2 3", "X 1 2 2"]
    image = np.full((980, 720, 3), (41, 20, 23), np.uint8)
    cv2.rectangle(image, (42, 274), (676, 906), (66, 42, 36), -1)
    cv2.rectangle(image, (42, 274), (676, 906), (250, 215, 220), 2)
    for left, right, word in ((66, 188, "Next"), (206, 288, ">"), (306, 440, "Menu"), (456, 652, "New game")):
        cv2.rectangle(image, (left, 160), (right, 224), (110, 40, 88), -1)
        cv2.rectangle(image, (left, 160), (right, 224), (250, 215, 220), 2)
        (w, h), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 1.0, 1)
        at = (left + right - w) // 2, 192 + h // 2
        cv2.putText(image, word, at, cv2.FONT_HERSHEY_DUPLEX, 1.0, (250, 215, 220), 1, cv2.LINE_AA)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = 60 + c * 150 + 75, 290 + r * 150 + 75
            if token == ".":
                continue
            if rim:
                cv2.circle(image, (x, y), 73, (206, 208, 232), -1, cv2.LINE_AA)
            else:
                cv2.rectangle(image, (x - 75, y - 75), (x + 74, y + 74), (46, 30, 39), -1)
            if token == "X":
                cv2.circle(image, (x, y), 53, (229, 46, 71), -1, cv2.LINE_AA)
                continue
            (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 1.6, 2)
            at, ink = (x - w // 2, y + h // 2), (20, 20, 20) if rim else (250, 215, 220)
            cv2.putText(image, token, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, ink, 2, cv2.LINE_AA)
    settled = settle(GAME, GAME.read(image, Layout(game="cardinal-chains")))
    assert format_puzzle(settled.puzzle).splitlines() == rows
