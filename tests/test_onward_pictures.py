"""What a person would press for the next level, told from pictures of a window before and after a win."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Frame, Image
from autoplayer.session.looking.boxes import moved
from autoplayer.session.looking.dialogs import controls_on_cover, shaded_dialog
from autoplayer.session.looking.lists_beside import entry_after, tab_after
from autoplayer.session.looking.menus import controls_beside, controls_that_came
from autoplayer.session.next_level.aftermath import Aftermath
from tests.menu_pictures import button, write
from tests.simulated import INK, text


def test_of_what_stands_beside_a_board_the_right_arrow_comes_first_and_the_last_of_a_row_never() -> None:
    picture = np.full((400, 500, 3), 235, np.uint8)
    cells = [Box(170 + 40 * (k % 4), 100 + 40 * (k // 4), 40, 40) for k in range(16)]
    arrows = [Box(60, 160, 40, 40), Box(400, 160, 40, 40)]
    row = [Box(110 + 100 * k, 330, 80, 34) for k in range(3)]
    for box, words in [*zip(arrows, "<>", strict=True), *zip(row, ("New", "Undo", "Quit"), strict=True)]:
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), (250, 250, 250), -1)
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
        text(picture, words, (box.x + 14, box.y + 24), 0.6)

    def pressed(*, likely: bool) -> list[int]:
        named = [*arrows, *row]
        found = controls_beside(picture, cells, likely=likely)
        return [next(k for k, box in enumerate(named) if box.contains(each.centre)) for each in found]

    assert pressed(likely=True)[:2] == [1, 2]
    assert 4 not in pressed(likely=True)
    assert sorted(pressed(likely=False)) == [0, 1, 2, 3, 4]


def test_of_two_boxes_that_came_the_one_in_colour_comes_first_and_what_ticked_all_along_is_none() -> None:
    start = np.full((300, 400, 3), 230, np.uint8)
    cells = [Box(40 + 40 * k, 40, 40, 40) for k in range(3)]
    plain, coloured, clock = Box(40, 200, 120, 34), Box(180, 200, 110, 34), Box(320, 20, 60, 24)

    def drawn(time: str, ended: bool) -> Image:
        picture = start.copy()
        boxes = [(clock, (250, 250, 250), time)]
        if ended:
            boxes += [(plain, (250, 250, 250), "Menu"), (coloured, (200, 90, 20), "Next")]
        for box, colour, words in boxes:
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), colour, -1)
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
            text(picture, words, (box.x + 12, box.y + box.height - 10), 0.5, INK if colour[0] == 250 else (255,) * 3)
        return picture

    came = controls_that_came(drawn("0:01", False), drawn("0:07", False), drawn("0:09", True), cells)
    assert [box.contains(coloured.centre) for box in came] == [True, False]
    assert came[1].contains(plain.centre)


def test_nothing_on_a_cell_of_a_board_that_shakes_is_pressed() -> None:
    """Incident: a page shakes its cells for joy; an 8 is a box with something on it, and its cell was turned once more,
    away from its number."""
    places = [Box(40 + 110 * k, 60, 84, 92) for k in range(3)]

    def drawn(shift: int) -> Image:
        picture = np.full((240, 400, 3), 230, np.uint8)
        for box, number in zip(places, "831", strict=True):
            cv2.rectangle(picture, (box.x - 5 + shift, box.y - 5), (box.x + 88 + shift, box.y + 96), (255,) * 3, -1)
            cv2.rectangle(picture, (box.x + shift, box.y), (box.x + 83 + shift, box.y + 91), (195, 175, 68), -1)
            at = (box.x + 24 + shift, box.y + 62)
            cv2.putText(picture, number, at, cv2.FONT_HERSHEY_SIMPLEX, 1.5, (255,) * 3, 6, cv2.LINE_AA)
        return picture

    assert controls_that_came(drawn(0), drawn(0), drawn(4), places) == []


@pytest.mark.parametrize("coloured", [True, False])
def test_of_a_bar_with_two_texts_far_apart_the_one_that_leads_on_comes_first(coloured: bool) -> None:
    """Incident: the middle of a bar "Solved in 0:12 ... NEXT" was pressed, where nothing stands."""
    start = np.full((300, 480, 3), 230, np.uint8)
    ended = start.copy()
    cv2.rectangle(ended, (20, 240), (380, 280), (50, 50, 50), -1)
    text(ended, "Puzzle solved in 12 s", (36, 265), 0.5, (255,) * 3)
    text(ended, "NEXT", (310, 265), 0.5, (40, 220, 250) if coloured else (255,) * 3)
    came = controls_that_came(start, start, ended, [Box(40 + 40 * k, 40, 40, 40) for k in range(3)])
    assert [box.x > 300 for box in came] == [True, False]


@pytest.mark.parametrize("page", [0, 60], ids=["all of the window is shaded", "a page around it is not"])
def test_a_dialog_in_the_colour_of_the_page_stands_out_before_the_shade(page: int) -> None:
    """Incident: a white dialog came before a darkened white page. Where both had been white nothing had changed, so it
    had neither a body nor a button."""
    before = np.full((360, 480, 3), 255, np.uint8)
    cells = [Box(120 + 50 * (k % 5), 80 + 50 * (k // 5), 44, 44) for k in range(20)]
    for k, box in enumerate(cells):
        box.crop(before)[...] = ((200, 220, 180), (90, 60, 160), (40, 40, 40))[k % 3]
    now = before.copy()
    game = np.s_[page : 360 - page, page : 480 - page]
    now[game] = np.rint(before[game] * 0.4).astype(np.uint8)
    dialog = Box(100, page, 280, 120)
    dialog.crop(now)[...] = 255
    text(now, "You won!", (130, page + 40))
    cv2.rectangle(now, (300, page + 75), (360, page + 105), (190, 80, 10), -1)
    text(now, "OK", (318, page + 95), 0.5, (255, 255, 255))
    found = shaded_dialog(before, now, cells)
    assert found is not None
    assert abs(found.x - dialog.x) <= 2
    assert abs(found.width - dialog.width) <= 4
    assert Box(300, page + 75, 60, 30).contains(controls_on_cover(before, now, cells)[0])


def test_an_entry_has_a_next_one_only_in_a_list() -> None:
    picture = np.full((400, 400, 3), 250, np.uint8)
    for k in range(4):
        text(picture, f"Stage {k + 1}", (30, 100 + 30 * k))
    text(picture, "Solved!", (250, 60))
    text(picture, "Help", (250, 300))
    after = entry_after(picture, (60, 126))
    assert after is not None
    assert abs(after[1] - 156) <= 4
    assert 30 <= after[0] <= 120
    assert entry_after(picture, (60, 186)) is None, "the last one"
    assert entry_after(picture, (270, 56)) is None, "no list"


@pytest.mark.parametrize("joy", [False, True], ids=["a dialog", "cells that change for joy"])
def test_a_dark_dialog_that_ends_where_cells_do_is_seen_before_the_shade(joy: bool) -> None:
    """Incident: on a dark page a wish to be rated lay over the middle of a board, as dark as the shade might have left
    it, from gap to gap and not out over the board. It was taken for none, and no level came after it."""
    before = np.full((480, 480, 3), (42, 31, 27), np.uint8)
    cells = [Box(60 + 72 * (k % 5), 60 + 72 * (k // 5), 68, 68) for k in range(25)]
    for k, box in enumerate(cells):
        box.crop(before)[...] = (61, 45, 38)
        text(before, str(1 + k % 4), (box.x + 20, box.y + 48), 1.2, (239, 232, 232))
    now = np.rint(before * 0.45).astype(np.uint8)
    for box in cells if joy else [Box(128, 128, 224, 224)]:
        box.crop(now)[...] = (66, 50, 43)
    cv2.rectangle(now, (180, 260), (300, 300), (48, 160, 224), -1)
    found = shaded_dialog(before, now, cells)
    assert (found is None) == joy
    if found is not None:
        assert abs(found.x - 128) <= 5
        assert abs(found.width - 224) <= 5


def test_a_dialog_in_the_colour_that_was_there_before_stands_out_amid_the_shade() -> None:
    """Incident: of a green dialog before a green one, no lighter than a shade may leave, only the words were seen."""
    before = np.full((480, 480, 3), (40, 60, 30), np.uint8)
    cells = [Box(60 + 72 * (k % 5), 60 + 72 * (k // 5), 68, 68) for k in range(25)]
    for k, box in enumerate(cells):
        box.crop(before)[...] = (30, 40, 160) if k % 2 else (60, 90, 50)
    before[110:370, 80:400] = (102, 118, 63)
    now = np.rint(before * 0.45).astype(np.uint8)
    now[180:300, 140:340] = (102, 118, 63)
    text(now, "example.org", (190, 240), 0.5, (221, 243, 247))
    found = shaded_dialog(before, now, cells)
    assert found is not None
    assert abs(found.x - 140) <= 2
    assert abs(found.width - 200) <= 4


def test_the_button_after_a_word_came_and_the_toolbar_below_was_only_moved() -> None:
    """Incident: "Solved!" and "Next puzzle" in one line moved the toolbar down by half its height. The button counted
    as the line's last letter, and the tools as what had come: "Check", "Redo" and "Undo" were pressed."""
    places = [Box(40 + 40 * k, 40, 40, 40) for k in range(3)]

    def drawn(solved: bool) -> Image:
        picture = np.full((320, 640, 3), 238, np.uint8)
        for k, (word, width) in enumerate((("Undo", 60), ("Redo", 60), ("Check", 74))):
            box = Box(40 + 84 * k, 220 if solved else 204, width, 26)
            write(picture, word, box.centre, 0.5)
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), (110, 110, 110), 1)
        if solved:
            for k, letter in enumerate("SOLVED"):
                write(picture, letter, (40 + 28 * k, 160), 1.1, (0, 120, 0))
            write(picture, "Next puzzle", (290, 160), 0.7)
            cv2.rectangle(picture, (210, 144), (370, 178), (110, 110, 110), 1)
        return picture

    before, now = drawn(False), drawn(True)
    (came,) = controls_that_came(before, before, now, places)
    assert came.contains((290, 160))
    board: Any = SimpleNamespace(reading=SimpleNamespace(places={(0, k): box for k, box in enumerate(places)}))
    window: Any = SimpleNamespace(spot=None)
    first, last = (Frame(picture, (0, 0), 0.0) for picture in (before, now))
    changed = Aftermath(window).changed_controls(board, first, first, last)
    assert [at for at in changed if at[1] > 200] == []


@pytest.mark.parametrize(
    ("word", "colour", "down", "expected"),
    [("Redo", 200, 16, 1), ("Reds", 200, 16, 0), ("Redo", 120, 16, 0), ("Redo", 200, 0, 0)],
    ids=["moved", "another word", "another colour", "still"],
)
def test_a_control_was_moved_where_all_but_its_place_is_the_same(
    word: str, colour: int, down: int, expected: int
) -> None:
    def drawn(word: str, colour: int, down: int) -> Image:
        picture = np.full((200, 240, 3), 238, np.uint8)
        button(picture, word, Box(60, 40 + down, 110, 44), (colour,) * 3)
        return picture

    assert len(moved(drawn("Redo", 200, 0), drawn(word, colour, down))) == expected


@pytest.mark.parametrize(
    ("lit", "pressed", "after"),
    [
        pytest.param((0, 1), 1, 2, id="a tab"),
        pytest.param((0, 2), 2, None, id="the last tab"),
        pytest.param((1, 1), 1, None, id="a button that always had a colour of its own"),
        pytest.param((None, None), 1, None, id="no tab is highlighted"),
    ],
)
def test_a_tab_is_highlighted_since_it_was_pressed(
    lit: tuple[int | None, int | None], pressed: int, after: int | None
) -> None:
    boxes = Box(60, 40, 66, 36), Box(136, 40, 94, 36), Box(240, 40, 70, 36)
    then, now = (np.full((200, 400, 3), 240, np.uint8) for _ in range(2))
    for picture, highlighted in zip((then, now), lit, strict=True):
        for k, (word, box) in enumerate(zip(("Easy", "Medium", "Hard"), boxes, strict=True)):
            button(picture, word, box, (200, 120, 20) if k == highlighted else (210, 210, 210))
    assert tab_after(then, now, boxes[pressed].centre) == (None if after is None else boxes[after].centre)
