"""Starts that show no X, and boards of which the first look sees a part: pictures drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Doubt
from autoplayer.games.cardinal_chains import GAME, reader
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.layout import Layout
from autoplayer.settle import settle

LAYOUT = Layout(game="cardinal-chains")
TILE, START, TEXT = (100, 90, 69), ((60, 76, 231), (113, 204, 46)), (241, 239, 236)


def tiles(
    rows: Sequence[str],
    letter: str,
    drawn: Sequence[Cell] = (),
    pitch: int = 64,
    of_numbers: tuple[int, int, int] = TEXT,
) -> Image:
    """Dark tiles; a start shows ``letter`` upon a colour of its own, which ``drawn`` cells have too (the first's).
    ``of_numbers``: their colour, where it is another one than the letters'."""
    image = np.full((len(rows) * pitch + 160, len(rows[0].split()) * pitch + 160, 3), (56, 50, 38), np.uint8)
    starts = 0
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token == ".":
                continue
            x, y = 80 + c * pitch, 80 + r * pitch
            colour = START[starts % 2] if token == "X" else START[0] if (r, c) in drawn else TILE
            starts += token == "X"
            cv2.rectangle(image, (x + 2, y + 2), (x + pitch - 3, y + pitch - 3), colour, -1)
            shown = letter if token == "X" else token
            ink = TEXT if token == "X" else of_numbers
            (w, h), _ = cv2.getTextSize(shown, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
            cv2.putText(
                image, shown, (x + (pitch - w) // 2, y + (pitch + h) // 2), cv2.FONT_HERSHEY_DUPLEX, 1.0, ink, 2, 16
            )
    return image


def settled(image: Image) -> list[str]:
    result = settle(GAME, GAME.read(image, LAYOUT))
    assert result.playable
    return format_puzzle(result.puzzle).splitlines()


def test_starts_that_show_a_letter_upon_a_colour_of_their_own_are_found():
    """Of a phone-like window: an S is as good as a 5, and the board was refused for having no start."""
    rows = ["X 1 1 2", "X 2 2 3", "1 1 3 3"]
    assert settled(tiles(rows, "S")) == rows


def test_starts_that_show_a_letter_are_found_beside_their_chains():
    """Numbers stand upon the starts' colour as well then, in an ink of their own."""
    rows = ["X 1 1 2", "X 2 2 3", "1 1 3 3"]
    assert settled(tiles(rows, "S", [(0, 1), (0, 2), (0, 3)], of_numbers=(60, 220, 250))) == rows


def test_holes_of_another_colour_are_no_starts_beside_letters():
    rows = ["X 1 1 2", "X 2 2 3", "1 1 3 ."]
    image = tiles(rows, "S", of_numbers=(60, 220, 250))
    image[208:272, 272:336] = (120, 30, 90)
    assert settled(image) == rows


def test_numbers_in_a_chains_colour_are_no_starts():
    """Where all numbers of one colour are the same, but stand elsewhere as well, a chain may be drawn there."""
    rows = ["1 1 1 1", "1 1 2 2", "2 2 2 2"]
    try:
        reading = GAME.read(tiles(rows, "", [(0, 0), (0, 1)]), LAYOUT)
    except UnreadableError:
        return
    assert not settle(GAME, reading).playable


def test_a_start_whose_mark_is_no_letter_is_found_beside_its_chain():
    rows = ["X 1 1", "3 2 1", "3 3 3"]
    assert settled(tiles(rows, "*", [(0, 1), (0, 2), (1, 2)])) == rows


def test_pale_tiles_with_gaps_of_a_pixel_are_all_found():
    """Of a phone-like window: in half its size some gaps were lost, and a part of the board was taken for all of it."""
    rows = ["2 2 1 4 1 1", "3 X 1 4 X 1", "4 4 4 3 3 2", "1 X 4 3 3 2", "1 2 4 3 X 1", ". 2 3 2 2 1"]
    pitch, left, top = 434 / 6, 283.0, 133.0
    image = np.full((700, 1000, 3), (245, 242, 240), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token == ".":
                continue
            x, y = int(left + c * pitch + 1), int(top + r * pitch + 1)
            cv2.rectangle(image, (x, y), (x + int(pitch - 2) - 1, y + int(pitch - 2) - 1), (255, 255, 255), -1)
            middle = round(left + (c + 0.5) * pitch), round(top + (r + 0.5) * pitch)
            if token == "X":
                cv2.circle(image, middle, 23, START[r % 2], -1, cv2.LINE_AA)
            cv2.circle(image, middle, 23, START[r % 2] if token == "X" else (210, 198, 190), 4, cv2.LINE_AA)
            colour = (255, 255, 255) if token == "X" else (90, 70, 60)
            (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
            cv2.putText(
                image, token, (middle[0] - w // 2, middle[1] + h // 2), cv2.FONT_HERSHEY_DUPLEX, 0.8, colour, 2, 16
            )
    reading = GAME.read(image, LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows
    assert not reading.doubts


def test_headings_above_a_highlighted_number_are_no_starts():
    """A month: the day in a colour of its own made starts of the names above, for chains have colours, too."""
    pitch = 60
    image = np.full((460, 580, 3), (184, 213, 200), np.uint8)
    for column, name in enumerate(("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")):
        for row, shown in enumerate((name, *(str(column + 1 + 7 * week) for week in range(5)))):
            if shown.isdecimal() and int(shown) > 31:
                continue
            x, y = 80 + column * pitch, 50 + row * pitch
            if shown == "7":
                cv2.rectangle(image, (x, y), (x + pitch, y + pitch), (255, 74, 240), -1)
            (w, h), _ = cv2.getTextSize(shown, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
            at = x + (pitch - w) // 2, y + (pitch + h) // 2
            cv2.putText(image, shown, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (110, 40, 80), 2, cv2.LINE_AA)
    try:
        reading = GAME.read(image, LAYOUT)
    except UnreadableError:
        return
    assert not settle(GAME, reading).playable


def on_discs(rows: Sequence[str], heading: str = "") -> Image:
    """White discs that are hardly seen on their ground, starts coloured and with nothing on them; ``heading`` stands
    where a row above would."""
    pitch, left, top = 60, 70, 90
    image = np.full((480, 500, 3), (250, 240, 240), np.uint8)

    def write(text: str, middle: tuple[int, int], thickness: int) -> None:
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.8, thickness)
        at = middle[0] - w // 2, middle[1] + h // 2
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, 0.8, (40, 40, 40), thickness, cv2.LINE_AA)

    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            middle = left + round((c + 0.5) * pitch), top + round((r + 0.5) * pitch)
            if token != ".":
                cv2.circle(image, middle, 27, START[c % 2] if token == "X" else (255, 255, 255), -1, cv2.LINE_AA)
            if token.isdecimal():
                write(token, middle, 1)
    write(heading, (left + 3 * pitch, top - pitch // 2), 2)
    return image


def test_a_heading_at_the_place_of_a_row_above_discs_is_none_of_the_board():
    """Of a page: its words ran through two places, and each part might have been a covered start."""
    rows = [". 3 X 3 5 X", "X 2 2 3 4 4", "2 . 1 1 5 5", "2 1 1 5 5 5", "3 1 X 6 5 5"]
    assert settled(on_discs(rows, "Puzzle 4")) == rows


def diamonds(rows: Sequence[str], below: str, gap: int) -> Image:
    """Numbers within a pale dashed grid, a diamond in a colour of its own at each start, and words ``gap`` pixels below
    it, underlined."""
    colours, page, pale = (
        ((136, 54, 211), (210, 139, 38), (0, 153, 133), (22, 75, 203)),
        (227, 246, 253),
        (213, 232, 238),
    )
    pitch, left, top, starts = 60, 40, 60, 0
    image = np.full((640, 720, 3), page, np.uint8)
    for line in range(len(rows) + 1):
        for step in range(0, pitch * len(rows), 10):
            x, y, at = left + step, top + step, line * pitch
            cv2.line(image, (x, top + at), (x + 4, top + at), pale, 2)
            cv2.line(image, (left + at, y), (left + at, y + 4), pale, 2)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            x, y = left + pitch * c + pitch // 2, top + pitch * r + pitch // 2
            if token == "X":
                corners = np.array([(x - 16, y), (x, y - 16), (x + 16, y), (x, y + 16)])
                cv2.fillPoly(image, [corners], colours[starts % 4], cv2.LINE_AA)
                starts += 1
                continue
            (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, 1.0, 1)
            spot = x - w // 2, y + h // 2
            cv2.putText(image, token, spot, cv2.FONT_HERSHEY_DUPLEX, 1.0, (117, 110, 88), 1, cv2.LINE_AA)
    x, y = left, top + pitch * len(rows) + gap
    for word in below.split():
        (w, _), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.55, 1)
        cv2.putText(image, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (200, 0, 0), 1, cv2.LINE_AA)
        cv2.line(image, (x, y + 3), (x + w, y + 3), (200, 0, 0), 1)
        x += w + 10
    return image


@pytest.mark.parametrize("below", ["previous next reset", "new game help"])
@pytest.mark.parametrize("gap", [26, 34])
def test_words_below_a_board_whose_starts_are_marks_are_no_starts(below: str, gap: int):
    """They stood in a row of their own, and were played as starts without a doubt."""
    rows = ["X 1 4 5 6 X", "3 1 3 X 7 1", "2 1 2 1 8 1", "3 4 5 5 5 2", "2 6 5 5 4 2", "2 1 1 X 3 3"]
    reading = GAME.read(diamonds(rows, below, gap), LAYOUT)
    assert format_puzzle(reading.puzzle).splitlines() == rows


def test_a_part_of_many_closed_cells_is_no_text_screens_board(monkeypatch: pytest.MonkeyPatch):
    """Where lines hide most numbers, a few cells that no line crosses were cut out as a text screen's lines, and were
    played."""
    part = GAME.read(GAME.draw(GAME.parse("4 3 X\n. 2 2")), LAYOUT)
    rows = ["3 3 7 7 9", "3 7 7 9 9", "3 3 7 7 7", "7 7 9 9 9", "7 9 9 9 9"]  # no letter looks like one of these
    monkeypatch.setattr(reader, "on_a_text_screen", lambda *_, typed_only=False: None if typed_only else part)
    with pytest.raises(UnreadableError, match="no start"):
        GAME.read(tiles(rows, ""), LAYOUT)


@pytest.mark.parametrize("rows", ["X 1 1 2\n1 1 2 2\n1 2 2 3", "X 1 1 2\n1 1 2 2"])
@pytest.mark.parametrize("typed", [False, True])
def test_a_part_of_a_board_in_doubt_is_a_text_screens_board_only_among_words(
    typed: bool, rows: str, monkeypatch: pytest.MonkeyPatch
):
    """``typed``: words stand around it in the same type."""
    part = GAME.read(GAME.draw(GAME.parse("4 3 X\n. 2 2")), LAYOUT)
    board = GAME.parse(rows)
    whole = replace(GAME.read(GAME.draw(board), LAYOUT), doubts=(Doubt(((0, 1),), (("1", 0.6), ("7", 0.4))),))
    found = SimpleNamespace(walled=False, places=whole.places)
    for name in ("refuse_what_is_no_board", "refuse_what_may_stand_apart", "opened"):
        monkeypatch.setattr(reader, name, lambda _: None)
    monkeypatch.setattr(reader, "find_board", lambda *_, **__: found)
    monkeypatch.setattr(reader, "reading_of", lambda *_: whole)
    monkeypatch.setattr(
        reader, "on_a_text_screen", lambda *_, typed_only=False: part if typed or not typed_only else None
    )
    assert GAME.read(np.zeros((9, 9, 3), np.uint8), LAYOUT) is (part if typed else whole)


@pytest.mark.parametrize("pitch", [40, 56])
def test_discs_without_a_mark_are_starts_and_dark_tiles_are_holes(pitch: int) -> None:
    """Discs in several colours, one of them at the end of a row with a hole on either side."""
    rows = ["88443X", "85511X", "77329.", "65461X", "7882X."]
    colours = iter(((83, 73, 218), (60, 230, 50), (232, 38, 151), (20, 180, 200)))
    image = np.full((pitch * 5 + 120, pitch * 6 + 120, 3), (34, 90, 180), np.uint8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            x, y, reach = 60 + c * pitch + pitch // 2, 60 + r * pitch + pitch // 2, pitch // 2 - 3
            tile = (18, 49, 99) if token == "." else (34, 90, 180)
            cv2.rectangle(image, (x - reach, y - reach), (x + reach, y + reach), tile, -1)
            cv2.rectangle(image, (x - reach, y - reach), (x + reach, y + reach), (20, 40, 80), 1)
            if token == "X":
                cv2.circle(image, (x, y), round(0.8 * reach), next(colours), -1, cv2.LINE_AA)
            elif token != ".":
                (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, pitch / 60, 1)
                at = x - w // 2, y + h // 2
                cv2.putText(image, token, at, cv2.FONT_HERSHEY_DUPLEX, pitch / 60, (235, 230, 235), 1, cv2.LINE_AA)
    assert settled(image) == [" ".join(row) for row in rows]
