"""A dialog of nearly the window's own colour, which changes little of the picture but its rim."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.session.looking.dialogs import SOLE, dialog_over, stands_beside
from autoplayer.session.looking.sheets import sheet_over

Colour = tuple[int, int, int]
PAGE, WHITE, INK = (243, 238, 238), (255, 255, 255), (60, 60, 60)
PITCH, SIDE = 80, 52
CELLS = [Box(40 + PITCH * c, 40 + PITCH * r, SIDE, SIDE) for r, c in itertools.product(range(5), repeat=2)]


def board(ink: Colour = INK, fill: Colour = WHITE, first: int = 0) -> Image:
    """A page with cells that hold numbers, from the one after ``first`` on."""
    picture = np.full((460, 460, 3), PAGE, np.uint8)
    for k, (x, y) in enumerate((box.x, box.y) for box in CELLS):
        cv2.rectangle(picture, (x, y), (x + SIDE - 1, y + SIDE - 1), fill, -1)
        cv2.putText(
            picture, str(1 + (first + k) % 8), (x + 14, y + 38), cv2.FONT_HERSHEY_DUPLEX, 1, ink, 2, cv2.LINE_AA
        )
    return picture


def boxed(picture: Image, box: Box, fill: Colour = WHITE, *, rim: bool = True, words: bool = True) -> Image:
    corners = (box.x, box.y), (box.x + box.width - 1, box.y + box.height - 1)
    cv2.rectangle(picture, *corners, fill, -1)
    if rim:
        cv2.rectangle(picture, *corners, INK, 2)
    if words:
        place = box.x + 20, box.y + box.height // 2
        cv2.putText(picture, "Solved!", place, cv2.FONT_HERSHEY_DUPLEX, 0.8, INK, 1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("box", [Box(100, 150, 250, 130), Box(108, 180, 240, 190)])
@pytest.mark.parametrize("fill", [WHITE, (232, 224, 224)])
def test_a_white_dialog_on_a_pale_page_covers_the_board(box: Box, fill: Colour) -> None:
    """Incident: only its frame, its words and the cells behind it had changed, so a won level was played on. Where
    cells are not white it needs no frame."""
    assert dialog_over(board(fill=fill), boxed(board(fill=fill), box, rim=fill == WHITE), CELLS)


def test_a_dialog_of_the_page_s_own_colour_is_seen_by_its_frame() -> None:
    assert dialog_over(board(), boxed(board(), Box(100, 150, 250, 130), PAGE), CELLS)


def test_lines_around_cells_that_are_still_seen_are_no_dialog() -> None:
    """Also where these have another colour now, as complete ones do."""
    before, now = board(fill=PAGE), board((60, 160, 60), PAGE)
    cv2.rectangle(now, (66, 66), (306, 306), INK, 4)
    assert sheet_over(before, now, CELLS, SOLE * SIDE) is None
    assert not dialog_over(before, now, CELLS)


def test_a_chain_that_fills_cells_and_hides_their_numbers_is_no_dialog() -> None:
    now = boxed(board(), Box(40, 40, PITCH + SIDE, PITCH + SIDE), (200, 120, 60), rim=False, words=False)
    assert not dialog_over(board(), now, CELLS)


def test_a_panel_that_was_there_before_is_none_that_has_appeared() -> None:
    """All that stood upon it is gone, as at the change to the next level."""
    before, after = (np.full((460, 460, 3), PAGE, np.uint8) for _ in range(2))
    for picture in (before, after):
        boxed(picture, Box(20, 20, 420, 420), words=False)
    for k, box in enumerate(CELLS):
        place = box.x + 14, box.y + 38
        cv2.putText(before, str(1 + k % 8), place, cv2.FONT_HERSHEY_DUPLEX, 1, INK, 2, cv2.LINE_AA)
    assert sheet_over(before, after, CELLS, SOLE * SIDE) is None


def test_a_dialog_whose_colour_runs_may_hide_places_that_are_empty() -> None:
    before = board()
    cv2.rectangle(before, (120, 200), (171, 251), PAGE, -1)
    now = boxed(before.copy(), Box(100, 150, 250, 130), words=False)
    for y in range(152, 278):
        now[y, 102:348] = 255 - (y - 152) // 8
    assert sheet_over(before, now, CELLS, SOLE * SIDE) is not None


@pytest.mark.parametrize("part", ["small", "bent"])
def test_what_hides_a_cell_alone_or_has_not_the_form_of_a_box_is_no_dialog(part: str) -> None:
    """The chain that is bent fills three cells, and there is none in the corner between them."""
    before, now = board(), board()
    places = [box for box in CELLS if (box.x, box.y) != (120, 40)]
    boxed(now, Box(32, 32, 66, 66), rim=False, words=False)
    if part == "bent":
        boxed(now, Box(30, 30, 76, 152), rim=False, words=False)
        boxed(now, Box(30, 106, 152, 76), rim=False, words=False)
    assert sheet_over(before, now, places, SOLE * SIDE) is None


@pytest.mark.parametrize(
    ("now", "stands"),
    [
        (board(), True),
        (board((240, 240, 240), (70, 120, 60)), True),
        (board(first=2), False),
        (np.full((460, 460, 3), PAGE, np.uint8), False),
    ],
    ids=["the same", "in the colours of a finished board", "other numbers", "nothing"],
)
def test_what_a_dialog_leaves_of_a_board_is_known_by_its_signs(now: Image, stands: bool) -> None:
    dialog = Box(100, 150, 250, 130)
    assert stands_beside(dialog, board(), boxed(now.copy(), dialog), CELLS) is stands


@pytest.mark.parametrize(("cells", "rows", "stands"), [(24, 4, True), (22, 4, False), (7, 1, True), (6, 1, False)])
def test_nothing_is_said_of_a_board_of_which_a_dialog_leaves_too_little(cells: int, rows: int, stands: bool) -> None:
    """Two or one of the cells, or too small a share of them; the dialog covers the first rows."""
    dialog = Box(30, 30, 400, rows * PITCH)
    assert stands_beside(dialog, board(), boxed(board(), dialog), CELLS[:cells]) is stands


def test_a_flash_that_hides_no_number_is_no_dialog() -> None:
    """Incident: the area of a finished board flashed in other colours, as large as a dialog, and was waited for."""
    flash, dialog = board(), Box(100, 150, 250, 130)
    flash[150:280, 100:350] = 255 - flash[150:280, 100:350] // 2
    assert not stands_beside(dialog, board(), flash, CELLS)


def test_through_a_band_that_extends_beyond_the_board_the_numbers_may_be_seen() -> None:
    """Incident: only words on it hid some of them, and the other cells were taken for the next level."""
    now = board()
    now[150:280] //= 4
    now[180:250, 120:330] = 30
    assert stands_beside(Box(0, 150, 460, 130), board(), now, CELLS)
    assert not stands_beside(Box(40, 150, 372, 130), board(), now, CELLS)
