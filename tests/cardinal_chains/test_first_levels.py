"""First levels: boards of a few cells, of which hardly any has one beside it on all sides."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout

PAGE, PANEL, TILE, DARK, INK = (238, 234, 233), (239, 206, 204), (222, 208, 202), (128, 126, 126), (30, 30, 30)
RED, BLUE, ORANGE, FAINT = (40, 60, 215), (215, 80, 25), (21, 77, 229), (238, 182, 186)


def middle(cell: Cell, pitch: int) -> tuple[int, int]:
    """Where a place's middle is, ``(x, y)`` in pixels."""
    return 90 + cell[1] * pitch, 110 + cell[0] * pitch


def window() -> Image:
    """A page with a heading."""
    image = np.full((420, 480, 3), PAGE, np.uint8)
    cv2.putText(image, "Level 3", (24, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, INK, 2, cv2.LINE_AA)
    return image


def tile(image: Image, cell: Cell, pitch: int, colour: tuple[int, ...]) -> None:
    (x, y), half = middle(cell, pitch), pitch // 2 - 2
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colour, -1)


def number(image: Image, cell: Cell, pitch: int, text: str, colour: tuple[int, ...] = INK, size: float = 1.0) -> None:
    x, y = middle(cell, pitch)
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)


def read(image: Image) -> tuple[list[str], bool]:
    """The board that is seen, and whether it is beyond doubt."""
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    return format_puzzle(reading.puzzle).split("\n"), not reading.doubts


def test_rows_with_empty_ones_between_them_do_not_become_neighbours():
    image, pitch = window(), 44
    for row, colour in ((0, RED), (3, BLUE)):
        for column, text in enumerate("X123"):
            if text == "X":
                cv2.circle(image, middle((row, column), pitch), 18, colour, -1, cv2.LINE_AA)
            cv2.circle(image, middle((row, column), pitch), 18, INK, 1, cv2.LINE_AA)
            number(image, (row, column), pitch, text, (255, 255, 255) if text == "X" else INK, 0.6)
    assert read(image) == (["X 1 2 3", ". . . .", ". . . .", "X 1 2 3"], True)


def test_small_marks_in_outer_cells_are_starts_though_dark_holes_stand_between_them():
    image, pitch, rows = window(), 80, ["X..X", "1..1", "1212"]
    colours = iter((BLUE, RED))
    for cell in np.ndindex(3, 4):
        text = rows[cell[0]][cell[1]]
        tile(image, cell, pitch, DARK if text == "." else TILE)
        x, y = middle(cell, pitch)
        if text == "X":
            cv2.rectangle(image, (x - 11, y - 11), (x + 11, y + 11), next(colours), -1)
        elif text != ".":
            number(image, cell, pitch, text)
    assert read(image) == (["X . . X", "1 . . 1", "1 2 1 2"], True)


def test_a_small_start_at_the_end_of_a_line_is_a_cell_where_its_neighbours_have_lines_as_well():
    image, pitch, rows = window(), 45, ["11X2", "1112", "2.11", "2.X1"]
    image[80:280, 60:260] = PANEL
    for cell in np.ndindex(4, 4):
        if rows[cell[0]][cell[1]] != ".":
            (x, y) = middle(cell, pitch)
            cv2.rectangle(image, (x - 17, y - 17), (x + 17, y + 17), FAINT, 1)
    line = image.copy()
    chain = [(3, 2), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1)]
    cv2.polylines(line, [np.array([middle(cell, pitch) for cell in chain], np.int32)], False, ORANGE, 9)
    image = np.asarray(cv2.addWeighted(image, 0.4, line, 0.6, 0), np.uint8)
    colours = iter((BLUE, ORANGE))
    for cell in np.ndindex(4, 4):
        text = rows[cell[0]][cell[1]]
        if text == "X":
            (x, y), colour = middle(cell, pitch), next(colours)
            for side in (-1, 1):
                cv2.line(image, (x - 4, y - 4 * side), (x + 4, y + 4 * side), colour, 2, cv2.LINE_AA)
        elif text != ".":
            number(image, cell, pitch, text)
    assert read(image) == (["1 1 X 2", "1 1 1 2", "2 . 1 1", "2 . X 1"], True)


def test_outlined_tiles_are_starts_though_the_page_between_tiles_differs_more_from_them_than_their_outlines_do():
    image, pitch, rows = np.full((420, 480, 3), (252, 250, 250), np.uint8), 60, ["11X1", "1222", "X122"]
    colours = iter(((50, 60, 230), (60, 190, 60)))
    for cell in np.ndindex(3, 4):
        x, y = middle(cell, pitch)
        if rows[cell[0]][cell[1]] == "X":
            cv2.rectangle(image, (x - 25, y - 25), (x + 25, y + 25), next(colours), -1)
            cv2.rectangle(image, (x - 20, y - 20), (x + 20, y + 20), (113, 75, 66), -1)
        else:
            cv2.rectangle(image, (x - 25, y - 25), (x + 25, y + 25), (113, 75, 66), -1)
            number(image, cell, pitch, rows[cell[0]][cell[1]], (255, 255, 255))
    assert read(image)[0] == ["1 1 X 1", "1 2 2 2", "X 1 2 2"]


def test_words_of_a_line_of_text_are_no_board_beside_cells_that_a_chain_hides() -> None:
    """Incident: of "Puzzle 4 of 60" below a board that one fill had covered, "4 of" was read as a number and a start
    without a doubt. A frame around a board is no text."""
    image = np.full((420, 480, 3), PAGE, np.uint8)
    cv2.putText(image, "Puzzle 4 of 60", (40, 300), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    with pytest.raises(UnreadableError):
        read(image)
    framed = np.full((420, 480, 3), PAGE, np.uint8)
    for column, text in enumerate("X123"):
        number(framed, (0, column), 44, text)
    cv2.rectangle(framed, (68, 70), (244, 150), INK, 2)
    assert read(framed) == (["X 1 2 3"], True)


@pytest.mark.parametrize(("row", "chains"), [("X 7 X 1 6 X", "001122"), ("X 1 2 5", "0000"), ("X 1 2 X 3", "00011")])
@pytest.mark.parametrize("gap", [10, 30])
def test_a_row_that_chains_fill_is_no_text_with_the_buttons_beside_it(row: str, chains: str, gap: int) -> None:
    """Incident: signs of buttons beyond the last cell stood as close to its number as the numbers to one another."""
    image = np.full((400, 960, 3), (158, 240, 182), np.uint8)
    for c, (token, chain) in enumerate(zip(row.split(), chains, strict=True)):
        x, _ = middle((0, c), 100)
        colour = ((250, 150, 70), (40, 160, 160), (50, 155, 230))[int(chain)]
        cv2.rectangle(image, (x - 50, 60), (x + 49, 159), colour, -1)
        number(image, (0, c), 100, token)
    end = middle((0, len(chains)), 100)[0] - 50 + gap
    for x in range(end, end + 150, 50):
        cv2.fillPoly(image, [np.array([(x, 120), (x + 28, 120), (x + 14, 98)], np.int32)], INK, cv2.LINE_AA)
    assert read(image) == ([row], True)


@pytest.mark.parametrize("tokens", ["5 3 X", "10 3 X", "X 2 7"])
@pytest.mark.parametrize("pitch", [44, 90])
def test_a_disc_at_the_end_of_a_row_makes_no_text_of_it(tokens: str, pitch: int) -> None:
    """Incident: rows of three with a start in a disc were refused: its edge stood as close to the X. Whether the
    last place is one of the board may be in doubt."""
    image, said = window(), tokens.split()
    image = np.ascontiguousarray(np.pad(image, ((0, 0), (0, 3 * pitch), (0, 0)), mode="edge"))
    at = said.index("X")
    cv2.circle(image, middle((0, at), pitch), round(0.4 * pitch), (160, 160, 30), -1, cv2.LINE_AA)
    for c, token in enumerate(said):
        number(image, (0, c), pitch, token, size=pitch / 70)
    assert read(image)[0] == [tokens]


@pytest.mark.parametrize("tokens", ["10 3 X", "19 12 10 3 1 X", "X 3 3 15 19 21"])
def test_a_number_far_above_the_others_at_the_end_of_a_row_is_no_doubt(tokens: str) -> None:
    """It might have been a score; but these are in another type, or on another ground."""
    said = tokens.split()
    image = np.full((260, 180 + 60 * len(said), 3), PAGE, np.uint8)
    tile(image, (0, said.index("X")), 60, ORANGE)
    for c, token in enumerate(said):
        number(image, (0, c), 60, token, size=0.8)
    assert read(image) == ([tokens], True)


def test_three_numbers_are_found_beside_as_many_signs_of_buttons() -> None:
    """Incident: signs as high as the numbers gave the only lattice."""
    image = np.full((300, 560, 3), PAGE, np.uint8)
    tile(image, (0, 0), 56, ORANGE)
    for c, token in enumerate("X13"):
        number(image, (0, c), 56, token, size=0.9)
    for x in range(400, 532, 44):
        cv2.fillPoly(image, [np.array([(x, 270), (x + 24, 270), (x + 12, 250)], np.int32)], INK, cv2.LINE_AA)
    assert read(image)[0] == ["X 1 3"]
