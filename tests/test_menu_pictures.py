"""What is found in drawn pictures of title screens, lists of levels and dialogs: controls, and in which order to try
them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image
from autoplayer.session.looking.boxes import Control, controls
from autoplayer.session.looking.level_lists import is_numbered, level_list, levels_shown, page_turn, rows_of, short_list
from autoplayer.session.looking.menus import behind_a_dialog, controls_that_came, on_a_banner, on_a_dialog, ways_in
from tests.menu_pictures import DONE, LOCKED, OPEN, Colour, button, column, table, write
from tests.simulated import Look, Simulated, dimmed


def first_way(picture: Image) -> tuple[int, int] | None:
    ways = ways_in(picture, controls(picture))
    return ways[0] if ways else None


def test_of_a_column_the_first_control_is_pressed_and_the_last_one_never() -> None:
    picture = column(["Play", "Help", "Options", "Quit"])
    found = controls(picture)
    assert len(found) == 4
    assert level_list(found) is None
    assert [(x // 10, (y - 180) // 60) for x, y in ways_in(picture, found)] == [(32, 0)]


def test_a_control_in_a_colour_of_its_own_is_pressed_before_the_first() -> None:
    grey = (200, 200, 200)
    picture = column(["Help", "Records", "Play"], [grey, grey, (80, 170, 60)])
    assert [(y - 180) // 60 for _, y in ways_in(picture, controls(picture))] == [2, 0]


@pytest.mark.parametrize("ground", [(0, 0, 0), (200, 130, 60)])
def test_what_counts_a_level_up_is_not_pressed_before_what_begins(ground: Colour) -> None:
    """Of a window that lets its level be chosen by a minus and a plus: the plus alone was pressed, and nothing came."""
    picture = column([])
    for sign, box in (("-", Box(60, 230, 120, 60)), ("+", Box(460, 230, 120, 60)), ("PLAY", Box(250, 360, 140, 70))):
        button(picture, sign, box, ground)
    write(picture, "4", (320, 260), 3.0)
    assert first_way(picture) == Box(250, 360, 140, 70).centre


def test_pale_controls_are_seen() -> None:
    assert len(controls(column(["Play", "Help"], [(225, 228, 230)] * 2))) == 2


def test_a_control_whose_colour_runs_from_top_to_foot_is_seen() -> None:
    """Incident: "Done" on a glossy button was no control, so the level was never reported."""
    picture = np.full((300, 400, 3), (130, 110, 70), np.uint8)
    box = Box(100, 120, 180, 60)
    box.crop(picture)[...] = np.linspace(210, 130, 60).astype(np.uint8)[:, None, None]
    write(picture, "Done", box.centre, 0.7, (0, 0, 0))
    (found,) = controls(picture)
    assert abs(found.box.x - box.x) <= 2
    assert abs(found.box.height - box.height) <= 4


def test_a_disc_with_a_sign_is_a_control_and_bold_letters_are_none() -> None:
    picture = np.full((480, 640, 3), 40, np.uint8)
    cv2.putText(picture, "GRID TRAILS", (60, 120), cv2.FONT_HERSHEY_DUPLEX, 2.4, (220, 220, 220), 12)
    assert not controls(picture)
    cv2.circle(picture, (320, 300), 50, (80, 170, 60), -1, cv2.LINE_AA)
    cv2.fillPoly(picture, [np.array([(305, 275), (305, 325), (348, 300)], np.int32)], (255, 255, 255))
    assert [each.box.contains((320, 300)) for each in controls(picture)] == [True]


def test_text_alone_is_pressed_below_the_title() -> None:
    picture = np.full((480, 640, 3), 240, np.uint8)
    write(picture, "Chains", (320, 100), 2.5)
    write(picture, "Click to start", (320, 330), 0.8)
    x, y = first_way(picture) or (0, 0)
    assert abs(x - 320) < 30
    assert abs(y - 330) < 15


def lines(first: int, open_ones: int, shown: int = 6) -> Image:
    """A part of a list of levels, as lines of text in a box; those that are not open are paler."""
    picture = np.full((480, 640, 3), 235, np.uint8)
    write(picture, "Choose a level", (320, 40), 0.9)
    cv2.rectangle(picture, (160, 70), (480, 70 + 60 * shown), (255, 255, 255), -1)
    for k in range(shown):
        ink = 40 if first + k < open_ones else 170
        at = (184, 108 + 60 * k)
        cv2.putText(picture, f"Level {first + k + 1}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (ink,) * 3, 2, cv2.LINE_AA)
        cv2.line(picture, (160, 130 + 60 * k), (480, 130 + 60 * k), (225, 225, 225), 1)
    return picture


def test_a_list_of_lines_is_gone_through_and_its_pale_ones_are_locked() -> None:
    """Incident: the second line was pressed, which was locked, and nothing else."""
    listed = levels_shown(lines(0, 1))
    assert listed is not None
    assert len(listed.boxes) == 6
    assert listed.first()[0] == 0
    assert listed.after(levels_shown(lines(0, 2)), 0) == [1]
    assert listed.after(listed, 5) == [], "the last one that is seen"


def test_in_a_list_that_was_scrolled_the_line_that_was_played_is_found_again() -> None:
    before, after = levels_shown(lines(0, 9)), levels_shown(lines(4, 9))
    assert before is not None
    assert after is not None
    assert not after.alike(before)
    assert after.after(before, 5) == [2]
    assert levels_shown(lines(8, 14)).after(before, 5) == []


def test_lines_of_an_explanation_and_of_a_score_are_no_list() -> None:
    picture = np.full((480, 640, 3), 240, np.uint8)
    for k, words in enumerate(("Connect all islands", "Bridges may not cross", "Press any key", "Good luck to you")):
        cv2.putText(picture, words, (100, 100 + 50 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40,) * 3, 2, cv2.LINE_AA)
    assert levels_shown(picture) is None


def path(done: int, numbers: int = 8) -> Image:
    """A map: discs along a path. Those that are done are green, the next one orange, the others grey."""
    picture = np.full((480, 640, 3), (160, 200, 150), np.uint8)
    at = [(60, 420), (150, 380), (250, 410), (350, 350), (450, 400), (550, 340), (470, 240), (360, 210)][:numbers]
    cv2.polylines(picture, [np.array(at, np.int32)], False, (230, 245, 230), 6)
    for k, middle in enumerate(at):
        cv2.circle(picture, middle, 26, DONE if k < done else (40, 150, 250) if k == done else LOCKED, -1, cv2.LINE_AA)
        write(picture, str(k + 1), middle, 0.8, (255, 255, 255))
    return picture


def test_on_a_map_the_level_that_looks_otherwise_is_taken_and_then_the_one_that_was_opened() -> None:
    """Incident: of twelve discs along a path the last one was pressed."""
    first, then = levels_shown(path(0)), levels_shown(path(1))
    assert first is not None
    assert then is not None
    one = first.first()[0]
    assert first.boxes[one].box.contains((60, 420))
    assert then.boxes[then.after(first, one)[0]].box.contains((150, 380))
    assert levels_shown(path(0, 4)) is None, "too few: they may be anything"


@pytest.mark.parametrize("texts", [["1", "2"], ["1", "2", "3"], ["1", "2", "3", "4"], ["1", "#", "#"]])
def test_a_list_of_a_few_levels_is_one(texts: list[str]) -> None:
    """Incident: of "1", two locks and "Back" the last one was pressed, for the others show no words."""
    picture = table([OPEN] * len(texts), texts)
    button(picture, "Back", Box(250, 320, 80, 34))
    listed = short_list(controls(picture))
    assert listed is not None
    assert [each.box.x for each in listed.boxes] == [120 + 70 * k for k in range(len(texts))]
    assert listed.first()[0] == 0


@pytest.mark.parametrize(
    ("texts", "side", "is_list"),
    [
        pytest.param("123", 72, True, id="three"),
        pytest.param("12", 72, False, id="two may be any signs"),
        pytest.param("123", 104, False, id="as wide as those with words"),
        pytest.param(["10", "20", "30"], 72, False, id="two digits are no level"),
    ],
)
def test_a_row_of_oblong_boxes_with_a_digit_each_is_a_short_list(
    texts: Sequence[str], side: int, is_list: bool
) -> None:
    """Incident: of three buttons as a browser draws them the one in the middle was pressed first, and the third
    never."""
    picture = np.full((480, 640, 3), 235, np.uint8)
    for k, text in enumerate(texts):
        button(picture, text, Box(20 + (side + 20) * k, 100, side, 44), OPEN)
    listed = short_list(controls(picture))
    assert (listed is not None) is is_list
    if listed is not None:
        assert listed.first() == [0]


@pytest.mark.parametrize(
    "signs",
    [
        pytest.param([], id="nothing else"),
        pytest.param(["+", "x"], id="signs of other heights"),
        pytest.param(["1", "1"], id="alike"),
    ],
)
def test_what_stands_on_a_title_screen_is_no_list_of_a_few_levels(signs: list[str]) -> None:
    picture = column(["Play", "Help"])
    assert short_list(controls(picture)) is None
    assert short_list(controls(table([OPEN] * len(signs), signs) if signs else picture)) is None
    for k in range(2):  # smaller than "Play"
        button(picture, str(k + 1), Box(20 + 60 * k, 400, 40, 40))
    assert short_list(controls(picture)) is None


def test_islands_of_a_board_are_no_map() -> None:
    picture = np.full((480, 640, 3), 240, np.uint8)
    for k, number in enumerate((3, 2, 4, 2, 1, 3)):
        middle = (100 + 110 * (k % 3), 120 + 90 * (k // 3) + 60 * (k % 2))
        cv2.circle(picture, middle, 26, (60, 60, 60), 2, cv2.LINE_AA)
        write(picture, str(number), middle, 0.8)
    assert levels_shown(picture) is None


def test_a_page_of_a_list_is_turned_by_the_sign_at_its_right() -> None:
    one, other = (table([OPEN] * 8, [str(k + n) for k in range(8)]) for n in (1, 9))
    for picture in (one, other):
        cv2.line(picture, (560, 150), (580, 170), (60, 60, 60), 4)
        cv2.line(picture, (580, 170), (560, 190), (60, 60, 60), 4)
    listed, turned = levels_shown(one), levels_shown(other)
    assert listed is not None
    assert turned is not None
    x, y = page_turn(one, listed)[0]
    assert abs(x - 570) <= 4
    assert abs(y - 170) <= 4
    assert turned.same_places(listed)
    assert not turned.alike(listed)
    assert listed.after(listed, 7) == []
    assert turned.after(listed, 7) == []


def test_nothing_is_pressed_on_an_empty_picture_nor_on_one_that_is_full_of_boxes() -> None:
    assert first_way(np.full((480, 640, 3), 90, np.uint8)) is None
    many = np.full((480, 640, 3), 240, np.uint8)
    for k in range(20):
        button(many, "word"[: 1 + k % 4], Box(20 + 120 * (k % 5), 30 + 100 * (k // 5), 70 + 2 * k, 40))
    assert first_way(many) is None


@pytest.mark.parametrize(
    ("colours", "texts", "first"),
    [
        pytest.param([OPEN] * 10, None, [0], id="all alike"),
        pytest.param([DONE] * 3 + [OPEN] * 6, None, [3, 0], id="three are done"),
        pytest.param([OPEN] + [LOCKED] * 8, None, [0, 1], id="all but the first are locked"),
        pytest.param(
            [OPEN] * 4 + [LOCKED] * 6, ["1", "2", "3", "4", *["#"] * 6], [0, 4], id="signs on those that are locked"
        ),
    ],
)
def test_a_list_of_levels_is_known_by_its_numbers(
    colours: list[Colour], texts: list[str] | None, first: list[int]
) -> None:
    listed = level_list(controls(table(colours, texts)))
    assert listed is not None
    assert len(listed.boxes) == len(colours)
    assert listed.first() == first


def test_a_dialog_over_a_board_is_told_from_the_boards_own_frame() -> None:
    picture = np.full((480, 640, 3), 60, np.uint8)
    cv2.rectangle(picture, (140, 50), (519, 429), (40, 40, 40), -1)
    places = [Box(150 + 60 * (k % 6), 60 + 60 * (k // 6), 56, 56) for k in range(36)]
    for k, box in enumerate(places):
        button(picture, str(1 + k % 5), box, (90, 90, 90))
    assert on_a_dialog(picture, controls(picture), places) == []
    cv2.rectangle(picture, (210, 180), (430, 300), (255, 255, 255), -1)
    write(picture, "How to play", (320, 205))
    button(picture, "OK", Box(340, 250, 70, 36))
    assert [each.box.contains((375, 268)) for each in on_a_dialog(picture, controls(picture), places)] == [True]


@pytest.mark.parametrize("foot", [340, 400], ids=["cuts through the board", "below it"])
def test_a_banner_is_one_where_it_hides_a_part_of_the_board(foot: int) -> None:
    """Incident: a page asked about cookies at its foot, over the last row of a board, and was left so. A bar of tools
    below a board is none."""
    picture = np.full((480, 640, 3), 243, np.uint8)
    places = [Box(150 + 58 * (k % 6), 40 + 58 * (k // 6), 50, 50) for k in range(36)]
    for k, box in enumerate(places):
        cv2.circle(picture, box.centre, 22, (60, 60, 60), 3)
        write(picture, str(1 + k % 4), box.centre)
    picture[foot:] = 255
    button(picture, "No", Box(420, foot + 30, 90, 32), (239, 239, 239))
    button(picture, "Yes", Box(520, foot + 30, 90, 32), (249, 127, 45))
    seen = [box for box in places if box.y + box.height <= foot]
    chosen = on_a_banner(picture, controls(picture), seen)
    assert [each.box.x >= 515 for each in chosen] == ([True, False] if foot == 340 else [])


def test_the_last_row_of_a_board_as_wide_as_the_window_is_no_banner() -> None:
    picture = np.full((480, 480, 3), 243, np.uint8)
    places = [Box(160 * (k % 3), 160 * (k // 3), 160, 160) for k in range(9)]
    for k, box in enumerate(places):
        cv2.rectangle(picture, (box.x, box.y), (box.x + 159, box.y + 159), (90, 90, 90), 3)
        write(picture, str(1 + k), box.centre, 2.0)
    found = controls(picture)
    assert sum(each.box.y > 300 for each in found) == 3
    assert on_a_banner(picture, found, places) == []


def test_boxes_of_one_row_may_stand_up_to_half_their_height_apart() -> None:
    def rows(shift: int) -> list[int]:
        boxes = [Box(50 * k, 100 + shift * (k % 2), 40, 40) for k in range(4)]
        return [len(row) for row in rows_of([Control(box, (0, 0, 0), np.zeros((40, 40), np.uint8)) for box in boxes])]

    assert rows(19) == [4]
    assert rows(22) == [2, 2]


@pytest.mark.parametrize(
    ("texts", "across"),
    [
        pytest.param(list("112322133123"), 4, id="a board repeats its numbers"),
        pytest.param([f"{k}{k + 3}" for k in range(1, 10)], 3, id="two numbers in each from the first on"),
        pytest.param(["New", "Undo", "Check", "Solve"], 2, id="words are no numbers"),
        pytest.param(["1", "2", "3", "4"], 4, id="a row of four is too few"),
    ],
)
def test_what_is_no_list_of_levels(texts: list[str], across: int) -> None:
    assert level_list(controls(table([OPEN] * len(texts), texts, across, 84))) is None


def test_a_column_of_texts_that_begin_alike_is_a_list_of_levels() -> None:
    listed = level_list(controls(column(["Level 1", "Level 2", "Level 3", "Level 4"])))
    assert listed is not None
    assert len(listed.boxes) == 4


@pytest.mark.parametrize(
    ("tokens", "numbered"),
    [
        ("1 2 3 4 5 6 7 8 9", True),
        ("X X 3 4 5 6 7 8", True),
        ("1 2 3 4", False),
        ("1 2 3 4 5 7 6", False),
        ("X X X X 5 6 7 8 9 X 11 12", True),
    ],
)
def test_numbers_from_one_on_are_a_list_and_no_board(tokens: str, numbered: bool) -> None:
    assert is_numbered(tokens.split()) is numbered


def test_where_a_level_was_won_the_first_box_of_another_look_is_not_locked() -> None:
    listed = level_list(controls(table([DONE] + [LOCKED] * 8)))
    assert listed is not None
    assert listed.first() == [0, 1]
    assert listed.first(some_done=True) == [1, 0]


def locks(texts: Sequence[str], ground: int = 225, count: int = 12) -> Image:
    """A list of ``count`` levels of which the first show ``texts``; on all others, which are paler, stands a lock."""
    picture = table([(190, 120, 40)] * len(texts) + [(ground,) * 3] * (count - len(texts)), [*texts, *[""] * count])
    for k in range(len(texts), count):
        x, y = 120 + 70 * (k % 4) + 28, 100 + 70 * (k // 4) + 28
        cv2.rectangle(picture, (x - 10, y - 2), (x + 10, y + 10), (ground - 45,) * 3, -1)
        cv2.ellipse(picture, (x, y - 4), (5, 9), 0, 180, 330, (ground - 45,) * 3, 2)  # not quite closed
    return picture


def test_a_list_of_which_only_the_first_level_is_open() -> None:
    """Incident: the list that a game shows who has just begun was taken for no list, and no level was opened."""
    listed = levels_shown(locks(["1"]))
    assert listed is not None
    assert len(listed.boxes) == 12
    assert listed.first()[0] == 0
    grown = levels_shown(locks(["1", "2"]))
    assert grown is not None
    assert listed.after(grown, 0) == [1]
    assert levels_shown(locks(["X"])) is None, "a board may have one start"
    assert levels_shown(locks([])) is None


def test_the_sides_of_pale_boxes_beside_a_bright_one_are_no_letters() -> None:
    """Incident: the only open level of a dark list was taken for a letter among its locked ones' sides, and a locked
    one was pressed."""
    picture = np.full((480, 640, 3), (42, 31, 27), np.uint8)
    for k in range(8):
        box = Box(120 + 90 * (k % 4), 150 + 90 * (k // 4), 78, 78)
        button(picture, "" if k else "1", box, (48, 160, 224) if k == 0 else (60, 50, 45))
        if k:
            cv2.rectangle(picture, (box.x + 30, box.y + 36), (box.x + 48, box.y + 50), (20, 20, 20), -1)
            # Round corners leave so much of an outline that is steep.
            for x in (box.x, box.x + box.width - 2):
                picture[box.y + 4 : box.y + 74, x : x + 2] = (96, 84, 78)
    assert any(each.box.contains((159, 189)) for each in controls(picture))


@pytest.mark.parametrize("open_ones", [1, 2])
def test_a_page_of_four_levels_is_a_list_where_the_last_ones_are_locked(open_ones: int) -> None:
    """Incident: of a list whose pages have four levels in a row the page was turned, and no level was opened."""
    listed = levels_shown(locks(["1", "2"][:open_ones], count=4))
    assert listed is not None
    assert listed.first()[0] == 0
    assert levels_shown(locks(["X"], count=4)) is None


@pytest.mark.parametrize(
    ("shade", "middle", "expected"),
    [
        pytest.param(0.35, 300, True, id="before a shade"),
        pytest.param(1.0, 300, False, id="a panel beside a board that is not darkened"),
    ],
)
def test_a_board_behind_a_dialog_is_not_played_through_it(shade: float, middle: int, expected: bool) -> None:
    """Incident: a page of help hid the last row of a board. The rows above it have a solution, too, and were played."""
    window = Simulated(["X 1 1\n2 2 1\n3 3 3"], Look(pitch=60, origin=(230, 40)))
    picture = dimmed(window.image(), shade)
    cv2.rectangle(picture, (150, middle - 80), (490, middle + 90), (255, 255, 255), -1)
    cv2.rectangle(picture, (150, middle - 80), (490, middle + 90), (90, 90, 90), 1)
    write(picture, "How to play", (320, middle - 40), 0.8)
    button(picture, "Got it", Box(400, middle + 20, 80, 40))
    assert behind_a_dialog(picture, [*window.places.values()][:6]) is expected


@pytest.mark.parametrize(
    ("veil", "at", "text", "expected"),
    [
        pytest.param(0.2, (260, 230, 130, 40), "Start", True, id="before a veil"),
        pytest.param(1.0, (260, 230, 130, 40), "Start", False, id="a button in a board that is clear"),
        pytest.param(0.2, (260, 430, 130, 40), "Start", False, id="a button below a board that is faint"),
        pytest.param(0.2, (300, 225, 50, 50), "3", False, id="a cell that is lit"),
    ],
)
def test_a_board_behind_a_veil_is_not_played_through_it(
    veil: float, at: tuple[int, int, int, int], text: str, expected: bool
) -> None:
    """Incident: over a board that was legible through it lay a veil with a title and a button, and no box around them;
    each way to build was tried on it, in vain."""
    window = Simulated(["X 1 1 X\n2 2 1 2\n3 3 3 3\n3 4 4 4\n5 5 5 5"], Look(pitch=60, origin=(200, 100)))
    picture = window.image()
    picture = cv2.addWeighted(picture, veil, np.full_like(picture, 60), 1 - veil, 0)
    write(picture, "Chains", (320, 190), 0.9, (250, 250, 250) if veil < 1 else (30, 30, 30))
    button(picture, text, Box(*at), (250, 200, 110))
    places = [*window.places.values()]
    assert behind_a_dialog(picture, places) is expected
    assert [each.box.contains((325, 250)) for each in on_a_dialog(picture, controls(picture), places)] == (
        [True] if expected else []
    )


def test_a_light_board_on_a_dark_page_is_behind_no_dialog() -> None:
    window = Simulated(["X 1 1\n2 2 1\n3 3 3"], Look(pitch=60, origin=(230, 150)))
    picture = np.full((480, 640, 3), 40, np.uint8)
    card = Box(200, 120, 240, 290)
    card.crop(picture)[...] = card.crop(window.image())
    button(picture, "Check", Box(280, 350, 90, 36))
    assert not behind_a_dialog(picture, [*window.places.values()])


def test_of_what_came_equals_in_a_row_are_met_from_the_right_below_a_larger_button_too() -> None:
    """Incident: below "Share", which led nowhere, "Play again" was pressed before "Next", as the wider one."""
    before = np.full((480, 640, 3), 235, np.uint8)
    now = before.copy()
    cv2.rectangle(now, (170, 140), (470, 340), (255, 255, 255), -1)
    rows = Box(190, 170, 260, 60), Box(200, 260, 130, 44), Box(350, 260, 90, 44)
    for text, box, colour in zip(("Share", "Again", "Next"), rows, ((90, 70, 230), *[(215,) * 3] * 2), strict=True):
        button(now, text, box, colour)
    came = [box for box in controls_that_came(before, before, now, [Box(250, 60, 40, 40)]) if box.width < 300]
    assert [next(k for k, row in enumerate(rows) if row.contains(box.centre)) for box in came] == [0, 2, 1]


def test_of_buttons_that_all_have_a_colour_the_filled_one_in_its_own_is_met_first() -> None:
    """Incident: on a green dialog "Share", in a thin outline, was pressed before "Next", which was yellow."""
    before = np.full((480, 640, 3), (80, 93, 47), np.uint8)
    now = before.copy()
    cv2.rectangle(now, (60, 140), (580, 340), (102, 118, 63), -1)
    for k, text in enumerate(("Next", "Again", "Share")):
        button(now, text, Box(90 + 160 * k, 260, 140, 46), (78, 193, 242) if k == 0 else (102, 118, 63))
        if k:
            cv2.rectangle(now, (90 + 160 * k, 260), (229 + 160 * k, 306), (78, 193, 242), 2)
    came = controls_that_came(before, before, now, [Box(120, 60, 60, 60)])
    assert [each.contains((160, 280)) for each in came] == [True, False, False]
