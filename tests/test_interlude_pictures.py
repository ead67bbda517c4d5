"""What is seen in pictures that come between two levels: signs, crosses, ratings, shades, lists with locks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image, around
from autoplayer.core.shade import unshaded
from autoplayer.session.looking.boxes import controls
from autoplayer.session.looking.dialogs import controls_on_cover, dialog_over, shaded_buttons
from autoplayer.session.looking.level_lists import levels_shown
from autoplayer.session.looking.menus import controls_that_came
from autoplayer.session.looking.signs import crosses, points_right, rating
from tests.dialog_pictures import INK, ORANGE, WHITE, button, cross, star
from tests.simulated import Look, Simulated, dimmed

LEVELS = ("X 1 1\n2 2 1\n3 3 3", "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3")


def discs(signs: str) -> Image:
    """White discs in a row with a sign each: ``>`` to the right, ``o`` around, ``^`` upwards, ``<`` to share."""
    picture = np.full((200, 120 + 80 * len(signs), 3), 250, np.uint8)
    for k, sign in enumerate(signs):
        x, y = 100 + 80 * k, 100
        cv2.circle(picture, (x, y), 28, ORANGE, -1, cv2.LINE_AA)
        if sign == "o":
            cv2.ellipse(picture, (x, y), (11, 11), 0, 40, 340, WHITE, 3, cv2.LINE_AA)
        elif sign == "<":
            for a in ((x - 9, y), (x + 9, y - 9), (x + 9, y + 9)):
                cv2.circle(picture, a, 4, WHITE, -1, cv2.LINE_AA)
                cv2.line(picture, (x - 9, y), a, WHITE, 2, cv2.LINE_AA)
        else:
            points = {">": ((-9, -12), (13, 0), (-9, 12)), "^": ((-12, 9), (0, -13), (12, 9))}[sign]
            cv2.fillPoly(picture, [np.array([(x + a, y + b) for a, b in points], np.int32)], WHITE, cv2.LINE_AA)
    return picture


def test_which_sign_points_to_the_right() -> None:
    found = sorted(controls(discs(">o^<")), key=lambda each: each.box.x)
    assert [points_right(each) for each in found] == [True, False, False, False]


@pytest.mark.parametrize("signs", [">o<", "o><", "<o>"])
def test_of_equal_discs_the_one_that_points_to_the_right_comes_first(signs: str) -> None:
    """Incident: of three equal discs in a row the last one was pressed, which shared."""
    now = discs(signs)
    before = np.full_like(now, 250)
    first = controls_that_came(before, before, now, ())[0]
    assert abs(first.centre[0] - 100 - 80 * signs.index(">")) < 5


def test_of_equal_buttons_in_a_column_the_upper_one_comes_first() -> None:
    """Incident: the lowest one was pressed, which shared."""
    before = np.full((400, 400, 3), 240, np.uint8)
    now = before.copy()
    for k, words in enumerate(("Next", "Again", "Share")):
        button(now, words, Box(120, 200 + 50 * k, 160, 36))
    assert [box.centre[1] // 50 for box in controls_that_came(before, before, now, ())] == [4, 5, 6]


def test_a_cross_closes_something_and_a_letter_does_not() -> None:
    picture = np.full((480, 700, 3), 240, np.uint8)
    cv2.putText(picture, "x box", (60, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2)
    before = picture.copy()
    cross(picture, Box(640, 20, 16, 16))
    cv2.putText(picture, "ax x xa", (500, 100), cv2.FONT_HERSHEY_SIMPLEX, 0.6, INK, 1)
    (at,) = crosses(before, picture, ())
    assert max(abs(at[0] - 648), abs(at[1] - 28)) <= 2


@pytest.mark.parametrize(("stars", "expected"), [(5, True), (3, False)])
def test_five_stars_ask_for_a_rating(stars: int, expected: bool) -> None:
    before = np.full((300, 400, 3), 250, np.uint8)
    now = before.copy()
    for k in range(stars):
        star(now, 100 + 40 * k, 100)
    assert (rating(before, now, ()) is not None) is expected


def test_a_row_of_the_board_behind_a_shade_is_no_rating() -> None:
    """Incident: five cells of a board that was darkened behind "You win" were five stars, so "Replay" was pressed,
    which had the colour of the dialog, and not "Next"; and again after the next level."""
    before = np.full((300, 400, 3), 250, np.uint8)
    places = [Box(80 + 50 * k, 100, 50, 50) for k in range(5)]
    for place in places:
        cv2.rectangle(before, (place.x + 3, 103), (place.x + 46, 146), (60, 60, 200), -1)
        cv2.putText(before, "2", (place.x + 18, 132), cv2.FONT_HERSHEY_SIMPLEX, 0.7, INK, 2, cv2.LINE_AA)
    now = dimmed(before, 0.5)
    assert rating(before, now, places) is None
    assert rating(before, now, [place for place in places if place.x != 80]) is not None


@pytest.mark.parametrize("opened", [2, 3])
def test_a_table_of_boxes_with_padlocks_is_a_list(opened: int) -> None:
    """Incidents: the hole of each padlock made it a box of its own, and the level after the first one was not opened;
    a locked one was pressed, and then the first level, where those that are open had one colour."""
    picture = np.full((480, 420, 3), 240, np.uint8)
    for k in range(12):
        box = Box(40 + 90 * (k % 4), 60 + 90 * (k // 4), 70, 70)
        fill = ORANGE if k == 0 and opened == 2 else WHITE if k < opened else (210, 210, 210)
        cv2.rectangle(picture, (box.x, box.y), (box.x + 70, box.y + 70), fill, -1)
        cv2.rectangle(picture, (box.x, box.y), (box.x + 70, box.y + 70), (90, 90, 90), 1)
        x, y = box.centre
        if k < opened:
            cv2.putText(picture, str(k + 1), (x - 9, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.9, INK, 2)
        else:
            cv2.ellipse(picture, (x, y - 4), (8, 12), 0, 180, 360, INK, 4)
            cv2.rectangle(picture, (x - 14, y - 4), (x + 14, y + 16), INK, -1)
    listed = levels_shown(picture)
    assert listed is not None
    assert len(listed.boxes) == 12
    assert listed.first(some_done=True)[0] == opened - 1


def test_tools_in_a_row_and_buttons_in_another_one_are_no_map_of_levels() -> None:
    """Incident: three signs of a dialog and three tools were taken for a map of six levels, and one was pressed."""
    above, below = discs("o^>"), np.full((200, 360, 3), 250, np.uint8)
    for k, words in enumerate("?$="):
        button(below, words, Box(12 + 56 * k, 120, 48, 48))
    assert levels_shown(np.concatenate([above, below])) is None


def test_a_shade_is_seen_around_a_dialog_that_hides_most_of_the_board() -> None:
    """Incident: each colour of the board but the page's was mostly hidden, and the dialog was taken for another screen,
    or for a board that had gone wrong."""
    window = Simulated(LEVELS[:1], look=Look(ground=(90, 40, 60), pitch=80))
    before = window.image()
    for k, box in enumerate(window.places.values()):
        fill = (92, 106, 226) if k % 2 else (214, 158, 86)
        cv2.rectangle(before, (box.x + 2, box.y + 2), (box.x + 77, box.y + 77), fill, -1)
    now = dimmed(before, 0.5)
    cv2.rectangle(now, (90, 60), (390, 265), (140, 70, 95), -1)
    places = window.places.values()
    clear = unshaded(before, now, places)
    assert np.array_equal(clear[:20], before[:20])
    assert dialog_over(before, now, places)


def test_on_a_dialog_in_a_colour_that_the_shade_might_have_left_the_words_are_met_too() -> None:
    """Incident: "Not now" stood beside the only button, "Rate", and that was pressed for want of anything else."""
    window = Simulated(LEVELS[:1], look=Look(ground=(32, 26, 24), pitch=80))
    places = window.places.values()
    before = window.image()
    for k, box in enumerate(places):
        fill = (92, 106, 226) if k % 2 else (214, 158, 86)
        cv2.rectangle(before, (box.x + 2, box.y + 2), (box.x + 77, box.y + 77), fill, -1)
    now = dimmed(before, 0.6)
    cv2.rectangle(now, (90, 108), (390, 212), (62, 52, 48), -1)
    button(now, "Rate", Box(260, 150, 100, 36), ORANGE)
    cv2.putText(now, "Not now", (130, 173), cv2.FONT_HERSHEY_SIMPLEX, 0.5, WHITE, 1, cv2.LINE_AA)
    points = controls_on_cover(before, now, places)
    assert Box(260, 150, 100, 36).contains(points[0])
    assert any(Box(125, 155, 75, 25).contains(at) for at in points)


PAGE = (247, 253, 255)


@pytest.mark.parametrize(
    ("veil", "share", "fill", "come"),
    [
        pytest.param(PAGE, 0.88, (79, 111, 47), True, id="a veil in the colour of the page"),
        pytest.param((40, 40, 40), 0.6, (79, 111, 47), True, id="a button that the shade might have left"),
        pytest.param((40, 40, 40), 0.6, None, False, id="no button"),
    ],
)
def test_a_button_before_a_veil_over_the_board_alone_is_seen(
    veil: tuple[int, int, int], share: float, fill: tuple[int, int, int] | None, come: bool
) -> None:
    """Incidents: a veil in the colour of the page changed only the board, and was no shade; and a button on a dark one,
    in a colour that it might have left, was not met. Both times the next level was waited for in vain."""
    window = Simulated(
        ["X 1 1 2 2 2\n1 1 1 2 2 2\n3 3 3 3 3 3\n3 4 4 4 4 4\nX 1 1 1 1 1\n1 1 1 1 1 1"],
        look=Look(pitch=60, origin=(270, 270)),
    )
    places = window.places.values()
    before = np.full((900, 900, 3), PAGE, np.uint8)
    fills = ((146, 151, 232), (163, 196, 130), (218, 156, 208), (229, 176, 137), (107, 158, 46), (79, 83, 217))
    for k, box in enumerate(places):
        cv2.rectangle(before, (box.x + 2, box.y + 2), (box.x + 57, box.y + 57), fills[k // 6], -1)
        cv2.putText(before, "1", (box.x + 22, box.y + 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    now = before.copy()
    board = around(places)
    part = board.crop(now)
    part[...] = np.rint(part * (1 - share) + np.array(veil) * share).astype(np.uint8)
    x, y = board.centre
    cv2.putText(now, "Level done", (x - 80, y - 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (51, 51, 51), 2, cv2.LINE_AA)
    if fill is not None:
        button(now, "Next level", Box(x - 70, y - 20, 140, 44), fill)
    points = shaded_buttons(before, now, places)
    assert [Box(x - 70, y - 20, 140, 44).contains(at) for at in points] == [True] * come
