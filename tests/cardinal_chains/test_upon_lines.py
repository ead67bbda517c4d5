"""Boards in the middle of play whose numbers are drawn over the lines of their chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import format_puzzle
from autoplayer.games.cardinal_chains.seeing.covered.under_lines import under_lines
from autoplayer.games.cardinal_chains.seeing.covered.upon_lines import upon_lines
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place
from autoplayer.layout import Layout
from autoplayer.vision import ink

PAGE, INK, PITCH = (226, 222, 218), (40, 40, 40), 72
COLOURS = ((60, 190, 90), (220, 120, 190))

ROWS = ["7 9 8 8 4 2", "6 5 . 5 5 1", ". 4 3 X . X"]
CHAINS: list[list[Cell]] = [
    [(2, 5), (1, 5), (0, 5), (0, 4), (1, 4), (1, 3), (0, 3), (0, 2), (0, 1)],
    [(2, 3), (2, 2), (2, 1), (1, 1)],
]


def middle(cell: Cell) -> tuple[int, int]:
    return 90 + cell[1] * PITCH, 120 + cell[0] * PITCH


def window(rows: Sequence[str], chains: Sequence[Sequence[Cell]], thick: int, size: float) -> Image:
    """No walls; lines in their starts' colours, and everything else on top of them."""
    image = np.full((2 * 110 + PITCH * (len(rows) - 1), 2 * 90 + PITCH * (len(rows[0].split()) - 1), 3), PAGE, np.uint8)
    for chain, colour in zip(chains, COLOURS, strict=False):
        for one, other in pairwise(chain):
            cv2.line(image, middle(one), middle(other), colour, thick, cv2.LINE_AA)
        (x, y), half = middle(chain[0]), PITCH // 2 - 2
        cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colour, -1)
    for r, row in enumerate(rows):
        for c, token in enumerate(row.split()):
            if token != ".":
                (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_DUPLEX, size, 2)
                x, y = middle((r, c))
                cv2.putText(image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, size, INK, 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("thick", "size"), [(8, 1.1), (14, 1.5)])
def test_numbers_over_lines_are_read_without_a_doubt(thick: int, size: float) -> None:
    """Incidents: what stands on a line was taken for hidden; pieces of a line, for glyphs that the lattice cuts
    through; and the 7, for a button's number, because it stands elsewhere in its place than ink with a line."""
    reading = GAME.read(window(ROWS, CHAINS, thick, size), Layout(game="cardinal-chains"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle).splitlines() == ROWS


def crossed(how: str, thick: int) -> tuple[Image, dict[Cell, Place]]:
    """Two places of 60x60 pixels with a 5. In the first one a line leads from the left side to the middle: ``below``
    the 5, ``above`` it, or as a translucent ``veil`` over it."""
    image = np.full((60, 120, 3), PAGE, np.uint8)
    lined = cv2.line(image.copy(), (0, 30), (30, 30), COLOURS[0], thick)
    image = lined if how == "below" else image
    for x in (19, 79):
        cv2.putText(image, "5", (x, 41), cv2.FONT_HERSHEY_DUPLEX, 1.1, INK, 2, cv2.LINE_AA)
    if how != "below":
        share = 1.0 if how == "above" else 0.7
        over = cv2.line(image.copy(), (0, 30), (30, 30), COLOURS[0], thick)
        image = np.rint(share * over + (1 - share) * image).astype(np.uint8)
    left, right = Box(0, 0, 60, 60), Box(60, 0, 60, 60)
    places = {
        (0, 0): Place(ink.content(image, left), left, (("5", 0.6), ("6", 0.4)), 0, False),
        (0, 1): Place(ink.content(image, right), right, (("5", 0.99), ("6", 0.01)), 1, False),
    }
    return image, places


def upon(image: Image, places: dict[Cell, Place], line: tuple[int, int, int] = COLOURS[0]) -> list[str]:
    """The number that is read upon the line, if it is."""
    found = upon_lines(image, places, {(0, 0): np.array(line, np.float32)}, [np.array(INK, np.float32)])
    return [candidates[0][0] for candidates in found.values()]


@pytest.mark.parametrize(
    ("how", "thick", "read"),
    [
        pytest.param("below", 14, ["5"], id="the whole number is seen"),
        pytest.param("above", 6, [], id="the line hides a part of it"),
        pytest.param("veil", 6, [], id="the number shows through"),
        pytest.param("below", 1, [], id="too narrow to tell"),
    ],
)
def test_a_number_is_read_without_its_line_where_it_is_drawn_over_it(how: str, thick: int, read: list[str]) -> None:
    veiled = tuple(round(0.7 * one + 0.3 * page) for one, page in zip(COLOURS[0], PAGE, strict=True))
    line = (veiled[0], veiled[1], veiled[2]) if how == "veil" else COLOURS[0]
    assert upon(*crossed(how, thick), line) == read


@pytest.mark.parametrize(("sure", "read"), [("8", []), ("1", ["5"])])
def test_of_sure_readings_that_differ_only_a_1_is_overruled(sure: str, read: list[str]) -> None:
    """A line looks like a 1."""
    image, places = crossed("below", 14)
    places[0, 0] = replace(places[0, 0], candidates=((sure, 0.99), ("5", 0.01)))
    assert upon(image, places) == read


def test_a_sure_reading_that_is_confirmed_stays() -> None:
    """A pointer may touch the number as well, and then neither reading is as sure as of the number alone."""
    image, places = crossed("below", 14)
    cv2.fillPoly(image, [np.array([[19, 34], [30, 46], [22, 50]], np.int32)], INK)
    assert upon(image, places) == []
    places[0, 0] = replace(places[0, 0], candidates=(("5", 0.99), ("6", 0.01)))
    assert upon(image, places) == ["5"]


def test_where_no_number_stands_apart_from_lines_the_starts_tell_its_colour() -> None:
    """Incident: without a known colour nothing was looked at again, and a line under a thin 2 was played as a 1."""
    image, places = crossed("below", 14)
    places[0, 0] = replace(places[0, 0], candidates=(("1", 0.99), ("5", 0.01)))
    places[0, 1] = replace(places[0, 1], candidates=(("X", 0.99), ("", 0.01)))
    into = {(0, 0): {(0, -1): np.array(COLOURS[0], np.float32)}}
    board: Any = SimpleNamespace(lines_into=lambda cell: into.get(cell, {}))
    assert under_lines(image, board, places)[0, 0].candidates[0][0] == "5"


@pytest.mark.parametrize("line", [(225, 225, 19), (60, 230, 60)], ids=["cyan", "green"])
def test_thin_soft_numbers_over_lines_are_read(line: tuple[int, int, int]) -> None:
    """Incident: no pixel of a thin 16 has the full colour of its ink; upon a bright line its strokes were lost, and it
    was played as a 15."""
    rows, pitch = ["X 5 6 20", "18 15 16 13", "12 16 16 8"], 44
    chain = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1)]
    image = np.full((120 + 2 * pitch, 120 + 3 * pitch, 3), (168, 180, 198), np.uint8)
    at = {cell: (60 + cell[1] * pitch, 60 + cell[0] * pitch) for cell in np.ndindex(3, 4)}
    for x, y in at.values():
        cv2.rectangle(image, (x - pitch // 2, y - pitch // 2), (x + pitch // 2, y + pitch // 2), (90, 95, 100), 1)
    x, y = at[0, 0]
    cv2.rectangle(image, (x - 21, y - 21), (x + 21, y + 21), line, -1)
    for one, other in pairwise(chain):
        cv2.line(image, at[one], at[other], line, pitch // 4, cv2.LINE_AA)
    for (r, c), (x, y) in at.items():
        token = rows[r].split()[c]
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 1)
        cv2.putText(image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 22, 27), 1, cv2.LINE_AA)
    reading = GAME.read(cv2.GaussianBlur(image, (0, 0), 0.9).astype(np.uint8), Layout(game="cardinal-chains"))
    assert not reading.doubts
    assert format_puzzle(reading.puzzle).splitlines() == rows


@pytest.mark.parametrize("disc", [True, False], ids=["discs", "tiles"])
def test_a_number_at_the_end_of_a_line_that_walls_lie_over_is_no_1(disc: bool) -> None:
    """Incident: X 1 X 2 was played as X 1 X 1: below the walls the line did not reach the border, and looked like a 1
    surer than the number upon it."""
    tokens, pitch = ["X", "1", "X", "2"], 44
    image = np.full((320, 240, 3), (245, 240, 235), np.uint8)
    at = [(120, 70 + k * pitch) for k in range(4)]
    for (x, y), colour in ((at[0], (210, 120, 40)), (at[2], (60, 170, 60))):
        cv2.line(image, (x, y), (x, y + pitch), colour, 8, cv2.LINE_AA)
        if disc:
            cv2.circle(image, (x, y), 17, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(image, (x - 22, y - 22), (x + 21, y + 21), colour, -1)
    for (x, y), token in zip(at, tokens, strict=True):
        cv2.rectangle(image, (x - 22, y - 22), (x + 21, y + 21), (142, 140, 137), 1)
        (w, h), _ = cv2.getTextSize(token, cv2.FONT_HERSHEY_SIMPLEX, 0.68, 2)
        cv2.putText(image, token, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.68, INK, 2, cv2.LINE_AA)
    assert format_puzzle(GAME.read(image, Layout(game="cardinal-chains")).puzzle).split() == tokens
