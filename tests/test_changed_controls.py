"""What has changed beside a board after its last move, in drawn pictures: controls that lead on, and what is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell
from autoplayer.session.looking.controls import between, controls_that_changed


def islands(*cells: Cell) -> dict[Cell, Box]:
    """Places 40 pixels apart of which most cells are no place, as in Hashi."""
    return {(r, c): Box(40 * c + 5, 40 * r + 5, 30, 30) for r, c in cells}


def test_what_lies_between_two_places_belongs_to_the_board() -> None:
    assert between(islands((0, 0), (0, 1), (1, 0))) == []
    assert set(between(islands((0, 0), (0, 3), (2, 0)))) == {Box(35, 5, 90, 30), Box(5, 35, 30, 50)}


def test_what_play_draws_between_places_is_no_control_and_what_lights_up_beside_them_is() -> None:
    places = islands((0, 0), (0, 3), (2, 0))
    before = np.full((200, 300, 3), 230, np.uint8)
    bridge, button = before.copy(), before.copy()
    bridge[18:22, 35:125] = 0
    button[150:180, 200:240] = 90
    assert controls_that_changed(before, before, bridge, places) == []
    ((x, y),) = controls_that_changed(before, before, np.minimum(bridge, button), places)
    assert Box(200, 150, 40, 30).contains((x, y))


@pytest.mark.parametrize("wide", [110, 220], ids=["narrow", "wider than a control"])
def test_of_a_dialog_beside_the_board_its_button_comes_first(wide: int) -> None:
    """The middle of the dialog, between what it says and its button, answers no press."""
    before = np.full((300, 300, 3), 200, np.uint8)
    after = before.copy()
    dialog, button = Box(20, 170, wide, 100), Box(20 + wide // 4, 225, wide // 2, 30)
    dialog.crop(after)[...] = 255
    cv2.putText(after, "Well done!", (25, 195), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (80, 60, 20), 1, cv2.LINE_AA)
    button.crop(after)[...] = (80, 160, 40)
    cv2.putText(after, "Next", (button.x + 8, 245), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255,) * 3, 1, cv2.LINE_AA)
    first, *_ = controls_that_changed(before, before, after, islands((0, 0), (0, 3), (2, 0)))
    assert button.contains(first)


@pytest.mark.parametrize(("link", "inside"), [((200, 30, 20), True), ((40, 40, 40), False)], ids=["a link", "none"])
def test_of_a_line_of_text_the_words_in_a_colour_come_first(link: tuple[int, int, int], inside: bool) -> None:
    """Incident: the middle of "Correct! Next" was pressed, between its words, and nothing led on."""
    before = np.full((200, 400, 3), 255, np.uint8)
    after = before.copy()
    cv2.putText(after, "Correct, as it seems!", (60, 170), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    cv2.putText(after, "Next", (195, 170), cv2.FONT_HERSHEY_SIMPLEX, 0.5, link, 1, cv2.LINE_AA)
    first, *_ = controls_that_changed(before, before, after, islands((0, 0), (0, 3), (2, 0)))
    assert Box(195, 155, 40, 20).contains(first) == inside


def test_what_lights_up_under_the_pointer_is_no_control() -> None:
    """A menu that the parked pointer happens to lie on."""
    before = np.full((200, 300, 3), 230, np.uint8)
    after = before.copy()
    after[150:180, 200:240] = 200
    places = islands((0, 0), (0, 3), (2, 0))
    assert len(controls_that_changed(before, before, after, places, pointer=(10, 190))) == 1
    assert controls_that_changed(before, before, after, places, pointer=(239, 151)) == []


@pytest.mark.parametrize(
    ("line", "presses"),
    [
        pytest.param(Box(20, 250, 260, 22), 1, id="a line of text"),
        pytest.param(Box(0, 250, 300, 22), 0, id="a bar across the window"),
        pytest.param(Box(20, 210, 260, 60), 0, id="higher than a line"),
    ],
)
def test_a_long_line_of_text_is_a_control(line: Box, presses: int) -> None:
    """Incident: "Solved! Click to continue" was longer than four islands, and was not pressed."""
    before = np.full((300, 300, 3), 230, np.uint8)
    after = before.copy()
    cv2.rectangle(after, (line.x, line.y), (line.x + line.width - 1, line.y + line.height - 1), (40,) * 3, 2)
    points = controls_that_changed(before, before, after, islands((0, 0), (0, 3), (2, 0)))
    assert len(points) == presses
    assert all(line.contains(at) for at in points)
