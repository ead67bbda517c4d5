"""What stands beside a board without walls where more of its cells would: buttons with numbers, words of a heading."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Image
from tests.cardinal_chains.test_first_levels import INK, middle, number, read

PITCH, BUTTON, PAPER = 80, (170, 60, 200), (255, 255, 255)


def board(rows: list[str]) -> Image:
    """Numbers in a large type upon the page."""
    image = np.full((420, 480, 3), (238, 234, 233), np.uint8)
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            number(image, (row, column), PITCH, text, size=1.2)
    return image


def test_buttons_with_numbers_below_a_board_are_no_row_of_it():
    image = board(["11X", "121"])
    for place, text in enumerate("12345"):
        x, y = middle((2, 0), PITCH)
        centre = (x + place * PITCH // 2, y - 4)
        cv2.circle(image, centre, 17, BUTTON, -1, cv2.LINE_AA)
        cv2.putText(image, text, (centre[0] - 6, y + 3), cv2.FONT_HERSHEY_SIMPLEX, 0.6, PAPER, 1, cv2.LINE_AA)
    assert read(image) == (["1 1 X", "1 2 1"], True)


def test_numbers_of_a_smaller_type_below_a_board_are_no_row_of_it():
    image = board(["1X2", "122", "112"])
    for column, text in enumerate("112"):
        number(image, (3, column), PITCH, text, size=0.7)
    assert read(image) == (["1 X 2", "1 2 2", "1 1 2"], True)


def test_numbers_that_are_a_little_smaller_are_no_row_either_where_they_are_several():
    image = board(["1X2", "122", "112"])
    for column, text in enumerate("112"):
        number(image, (3, column), PITCH, text, size=1.0)
    assert read(image) == (["1 X 2", "1 2 2", "1 1 2"], True)


def test_a_single_number_of_a_smaller_type_above_a_board_is_in_doubt():
    image = board(["...", "1X2", "122", "112"])
    cv2.rectangle(image, (40, 70), (340, 150), (238, 234, 233), -1)
    number(image, (0, 2), PITCH, "2", size=0.9)
    assert not read(image)[1]


def test_numbers_in_the_discs_of_a_drawn_chain_at_a_boards_end_are_cells_of_it():
    image, rows = board(["...", "...", "..."]), ["112", "122", "X12"]
    image[:] = (238, 234, 233)
    for row, column in np.ndindex(3, 3):
        if row == 2:
            cv2.circle(image, middle((row, column), PITCH), 30, BUTTON, -1, cv2.LINE_AA)
        number(image, (row, column), PITCH, rows[row][column], PAPER if row == 2 else INK)
    assert read(image) == (["1 1 2", "1 2 2", "X 1 2"], True)


def test_more_starts_than_numbers_are_no_board():
    image = np.full((420, 480, 3), (43, 32, 21), np.uint8)
    for cell in np.ndindex(4, 4):
        x, y = middle(cell, PITCH)
        cv2.rectangle(image, (x - 36, y - 36), (x + 36, y + 36), (119, 170, 51), -1)
        number(image, cell, PITCH, str(1 + cell[1]) if cell[0] == 0 else "X", PAPER)
    with pytest.raises(UnreadableError):
        read(image)


def test_levels_of_which_some_cannot_be_read_are_a_list_all_the_same():
    image = np.full((620, 620, 3), (238, 234, 233), np.uint8)
    for cell in np.ndindex(6, 6):
        x, y, level = 80 + 90 * cell[1], 80 + 90 * cell[0], 1 + cell[0] * 6 + cell[1]
        cv2.rectangle(image, (x - 38, y - 38), (x + 38, y + 38), (150, 150, 150), -1)
        text = "X" if level % 6 == 4 else str(level)
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1, 2)
        cv2.putText(image, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 1, INK, 2, cv2.LINE_AA)
    with pytest.raises(UnreadableError, match="count on"):
        read(image)


def test_a_page_that_is_shaded_from_top_to_bottom_has_no_panel():
    """Incident: the last row of a board stood on a ground that no row above it had, and was left out."""
    rows = ["1112", "1X22", "1122", "1122", "3332", "3333", "4444"]
    image = np.full((700, 480, 3), (238, 234, 233), np.uint8)
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            number(image, (row, column), PITCH, text, size=1.2)
    shade = np.linspace(0, 35, 700)[:, None, None]
    assert read(np.clip(image - shade, 0, 255).astype(np.uint8))[0] == [" ".join(row) for row in rows]


def test_a_page_with_ruled_lines_has_no_panel():
    """Incident: of the lines of a ruled page those between two rows were as strong as a wall, the others nearly."""
    image = np.full((420, 480, 3), (238, 234, 233), np.uint8)
    for y in range(28, 420, 26):
        image[y] -= 14 if 110 < y < 190 else 10
    for row, line in enumerate(["1.33", "11X3", "11X2"]):
        for column, text in enumerate(line.replace(".", " ")):
            number(image, (row, column), PITCH, text, size=1.2)
    assert read(image)[0] == ["1 . 3 3", "1 1 X 3", "1 1 X 2"]
