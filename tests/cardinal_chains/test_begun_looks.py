"""Boards on which chains have begun in looks that make the rest odd, and starts beside what is none."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.seeing.lattice.growth import Growth
from autoplayer.layout import Layout
from autoplayer.settle import settle_trimmed
from autoplayer.vision import lattice
from autoplayer.vision.views import View
from tests.cardinal_chains.test_first_levels import INK, middle, number

PITCH = 60
PAGE, TILE, WHITE = (238, 234, 233), (205, 222, 232), (255, 255, 255)
CREAM = (220, 240, 250)
RED, BLUE, GREEN = (40, 60, 215), (215, 80, 25), (60, 160, 40)


def page(rows: list[str]) -> Image:
    return np.full((110 + 60 * len(rows), 120 + 60 * len(rows[0]), 3), PAGE, np.uint8)


def tile(image: Image, cell: Cell, colour: tuple[int, ...], half: int = 27) -> None:
    x, y = middle(cell, PITCH)
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), colour, -1)


def diamond(image: Image, cell: Cell, colour: tuple[int, ...]) -> None:
    x, y = middle(cell, PITCH)
    cv2.fillPoly(image, [np.array([(x - 12, y), (x, y - 12), (x + 12, y), (x, y + 12)])], colour, cv2.LINE_AA)


def settled(image: Image) -> tuple[list[str], bool]:
    """The board that the rules make of a picture, and whether it can be played."""
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    _, result = settle_trimmed(GAME, reading)
    return GAME.format(result.puzzle).split("\n"), result.playable


def test_a_start_that_is_a_block_as_large_as_its_place_is_seen_among_bare_numbers() -> None:
    rows = ["122", "111", "X11"]
    image = page(rows)
    for cell in np.ndindex(3, 3):
        if rows[cell[0]][cell[1]] == "X":
            tile(image, cell, GREEN, 30)
        else:
            number(image, cell, PITCH, rows[cell[0]][cell[1]])
    cv2.putText(image, "Level 7", (90, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    assert settled(image) == ([" ".join(row) for row in rows], True)


def test_a_hatched_hole_is_no_start_beside_a_small_dot() -> None:
    rows = ["33333", "3.223", "32223", "2212X", "22111"]
    image = page(rows)
    for cell in np.ndindex(5, 5):
        text, (x, y) = rows[cell[0]][cell[1]], middle(cell, PITCH)
        if text == ".":
            for k in range(-58, 59, 7):
                cv2.line(image, (x + k - 29, y + 29), (x + k + 29, y - 29), (160, 160, 160), 1)
            image[:, x + 30 : x + 90] = image[:, x - 90 : x - 30] = PAGE
        elif text == "X":
            cv2.circle(image, (x, y), 4, BLUE, -1, cv2.LINE_AA)
    for cell in np.ndindex(5, 5):
        if rows[cell[0]][cell[1]].isdigit():
            number(image, cell, PITCH, rows[cell[0]][cell[1]])
    assert settled(image) == ([" ".join(row) for row in rows], True)


def test_marks_are_starts_though_the_numbers_of_their_chains_have_their_colours() -> None:
    rows = [".333X", "43.4X", "4561X", "55.6X", "55561", "55.72"]
    image = page(rows)
    inks = {(0, 1): RED, (0, 2): RED, (0, 3): RED, (2, 3): BLUE, (4, 4): GREEN}
    starts = {(0, 4): RED, (1, 4): (180, 40, 150), (2, 4): BLUE, (3, 4): GREEN}
    for cell in np.ndindex(6, 5):
        text = rows[cell[0]][cell[1]]
        tile(image, cell, WHITE if text == "." else (60, 50, 48))
        if text == "X":
            diamond(image, cell, starts[cell])
        elif text != ".":
            number(image, cell, PITCH, text, inks.get(cell, WHITE))
    assert settled(image)[0] == [" ".join(row) for row in rows]


def test_cells_that_a_chain_outlines_are_a_part_of_a_board_without_walls() -> None:
    rows = ["55X1122", "4552122", "4552222", "4533333", "4533333", "4544443", "4443333"]
    image = page(rows)
    for cell in np.ndindex(7, 7):
        x, y = middle(cell, PITCH)
        cv2.circle(image, (x, y), 29, (90, 150, 60), -1, cv2.LINE_AA)
        if cell[0] < 4 and cell[1] > 2:
            cv2.rectangle(image, (x - 25, y - 25), (x + 25, y + 25), (200, 40, 180), 3)
        number(image, cell, PITCH, rows[cell[0]][cell[1]], (200, 40, 180) if cell == (0, 2) else WHITE)
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    assert GAME.format(reading.puzzle) == "\n".join(" ".join(row) for row in rows)


@pytest.mark.parametrize("left", [[(3, 0), (4, 0)], [(4, 0)]])
def test_the_last_cells_that_no_chain_holds_are_no_starts(left: list[Cell]) -> None:
    rows = ["11111", "122X1", ".2211", "32111", "22111"]
    image = np.full((440, 420, 3), (246, 247, 245), np.uint8)
    for cell in np.ndindex(5, 5):
        text = rows[cell[0]][cell[1]]
        if text == "X":
            diamond(image, cell, BLUE)
        elif text != ".":
            if cell not in left:
                tile(image, cell, BLUE)
            number(image, cell, PITCH, text, INK if cell in left else WHITE)
    assert settled(image) == ([" ".join(row) for row in rows], True)


def test_a_chain_begins_in_the_filled_cell_without_a_number_though_there_are_gaps() -> None:
    rows = ["111", "112", "112", "X.3"]
    image = page(rows)
    image[:] = (50, 45, 15)
    for cell in np.ndindex(4, 3):
        text = rows[cell[0]][cell[1]]
        held = cell in ((1, 0), (1, 1), (2, 0), (2, 1), (3, 0))
        if text != ".":
            tile(image, cell, (215, 90, 150) if held else (140, 115, 35))
        if text.isdigit():
            number(image, cell, PITCH, text, WHITE)
    assert settled(image) == ([" ".join(row) for row in rows], True)


def test_no_chain_leads_into_a_hole_though_its_line_hides_what_stands_there() -> None:
    rows = ["443144", "32XX33", "333143"]
    image = page(rows)
    for cell in np.ndindex(3, 6):
        text, (x, y) = rows[cell[0]][cell[1]], middle(cell, PITCH)
        if text == "X":
            tile(image, cell, {2: RED, 3: BLUE}[cell[1]], 30)
        if text == "1":
            cv2.line(image, (x, y - 10), (x, y + 10), INK, 3)
        else:
            number(image, cell, PITCH, text, WHITE if text == "X" else INK)
        cv2.rectangle(image, (x - 30, y - 30), (x + 30, y + 30), INK, 2)
    for chain, colour in (([(1, 3), (0, 3)], BLUE), ([(1, 2), (1, 1)], RED)):
        cv2.polylines(image, [np.array([middle(cell, PITCH) for cell in chain])], False, colour, 5)
    assert settled(image)[0] == [" ".join(row) for row in rows]


def test_a_hole_in_a_colour_of_its_own_is_no_cell_that_a_line_hides() -> None:
    rows = ["45222", "322X2", "X13X3", ".21X2", "32111"]
    image = page(rows)
    image[:] = (20, 29, 91)
    for cell in np.ndindex(5, 5):
        text = rows[cell[0]][cell[1]]
        starts = {(1, 3): (38, 222, 146), (2, 0): (162, 60, 250), (2, 3): (215, 92, 215), (3, 3): (30, 185, 42)}
        tile(image, cell, starts.get(cell, (30, 36, 115) if text == "." else (25, 31, 98)), 30)
        if text != ".":
            number(image, cell, PITCH, text, WHITE)
    assert settled(image)[0] == [" ".join(row) for row in rows]


def test_numbers_go_on_where_the_cells_that_chains_hold_end() -> None:
    """Incident: two numbers at the end of a row, and one of another, were left out without a doubt, for all that chains
    held had a colour and was known by it."""
    rows = ["11.33333", "1X234433", "122.333.", "12X1.2X3", "2.213233", "X1X1322X", "22.11111"]
    held = ["11.11111", "10110011", "111.111.", "1101.101", "0.000100", "01011110", "00.11111"]
    image = page(rows)
    for cell in np.ndindex(7, 8):
        text = rows[cell[0]][cell[1]]
        if text == "X":
            cv2.circle(image, middle(cell, PITCH), 11, (RED, GREEN, BLUE)[cell[1] % 3], -1, cv2.LINE_AA)
        elif text != ".":
            if held[cell[0]][cell[1]] == "1":
                tile(image, cell, TILE)
            number(image, cell, PITCH, text)
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    read = GAME.format(reading.puzzle).split("\n")
    assert read == [" ".join(row) for row in rows]


@pytest.mark.parametrize(
    ("ground", "hole"),
    [
        pytest.param(CREAM, CREAM, id="the page's"),
        pytest.param((180, 130, 70), (180, 130, 70), id="a vivid page's"),
        pytest.param(CREAM, (77, 104, 131), id="a dull one"),
    ],
)
def test_closed_cells_of_another_colour_than_the_vivid_starts_are_holes(
    ground: tuple[int, int, int], hole: tuple[int, int, int]
) -> None:
    """Incident: holes between walls were taken for starts, without a doubt, where starts are filled with a colour."""
    rows = ["33X11", "24.22", "2.22X", "222.1"]
    image = page(rows)
    image[:] = ground
    for cell in np.ndindex(4, 5):
        text = rows[cell[0]][cell[1]]
        tile(image, cell, RED if cell == (0, 2) else BLUE if text == "X" else hole if text == "." else TILE, 30)
    for cell in np.ndindex(4, 5):
        (x, y), text = middle(cell, PITCH), rows[cell[0]][cell[1]]
        cv2.rectangle(image, (x - 30, y - 30), (x + 30, y + 30), (30, 60, 90), 2)
        if text.isdigit():
            number(image, cell, PITCH, text)
    read, playable = settled(image)
    assert read == [" ".join(row) for row in rows]
    assert playable


@pytest.mark.parametrize("drawn", [True, False])
def test_a_chain_that_leads_on_from_the_last_row_shows_that_there_is_more_of_the_board(drawn: bool) -> None:
    image = page(["111", "111", "222"])
    for cell in np.ndindex(3, 3):
        number(image, cell, PITCH, "2" if cell[0] == 2 else "1")
    if drawn:
        cv2.line(image, middle((0, 1), PITCH), middle((2, 1), PITCH), RED, 4)
    (x, y), cells = middle((0, 0), PITCH), frozenset((row, column) for row in (0, 1) for column in (0, 1, 2))
    found = lattice.Lattice(x, y, PITCH, PITCH, 0.6 * PITCH, 0.6 * PITCH, cells)
    growth = Growth(View(image, lattice.edge_strength(image), 0.0, 12.0, False), found)
    growth.learn()
    assert growth.led_out_to(cells) == ({(2, 1)} if drawn else set())


def test_a_last_row_under_a_chains_line_is_never_left_out_without_a_doubt() -> None:
    """Incident: what the line crossed was hardly read, and the two rows above it were played as the board."""
    rows = ["2221", "X111", "1111"]
    image = np.full((230, 320, 3), (36, 30, 30), np.uint8)
    for cell in np.ndindex(3, 4):
        cv2.circle(image, middle(cell, 40), 16, (66, 56, 56), -1, cv2.LINE_AA)
        text = rows[cell[0]][cell[1]]
        number(image, cell, 40, text, RED if text == "X" else WHITE)
    path = [(1, 0), (2, 0), (2, 1), (1, 1), (1, 2), (2, 2), (2, 3)]
    for one, other in pairwise(path):
        cv2.line(image, middle(one, 40), middle(other, 40), RED, 3)
    try:
        read, playable = settled(image)
    except UnreadableError:
        return
    assert not playable or read == [" ".join(row) for row in rows]
