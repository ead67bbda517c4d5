"""Plain windows that were misread: broad buttons, letters on colours, a heading above a board without walls. They are
drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.games.cardinal_chains.seeing import board
from autoplayer.games.cardinal_chains.seeing.glyphs.tokens import Eyes
from autoplayer.layout import Layout
from autoplayer.vision.lattice import Lattice, edge_strength
from autoplayer.vision.views import View

PUZZLE = parse("3 3 1 X 2\n3 2 1 1 1\n3 2 X 2 2\n3 2 2 2 2\n3 3 3 2 2")
HOLED = parse("4 3 3 3 2 2\n4 3 3 . 2 2\n4 . 2 2 2 2\n4 4 2 2 2 2\n5 . 2 2 2 .\n2 X 1 1 X .")
FACE = cv2.FONT_HERSHEY_SIMPLEX
RED, BLUE = (80, 60, 230), (220, 120, 60)


def buttons(puzzle: Puzzle, across: int, down: int, word: str = "") -> Image:
    """Raised buttons side by side in the grey of the page, ``across`` x ``down`` pixels each; starts are discs. A
    ``word`` may stand on a button below the second column."""
    image = np.full((puzzle.height * down + 100, puzzle.width * across + 60, 3), 217, np.uint8)
    at = 30 + across, puzzle.height * down + 38
    if word:
        cv2.rectangle(image, at, (at[0] + 70, at[1] + 28), (130, 130, 130), 1)
        cv2.putText(image, word, (at[0] + 14, at[1] + 19), FACE, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    for (r, c), value in puzzle.cells.items():
        x, y = 30 + c * across, 30 + r * down
        cv2.rectangle(image, (x, y), (x + across - 1, y + down - 1), (130, 130, 130), 1)
        cv2.line(image, (x, y), (x + across - 1, y), (255, 255, 255))
        cv2.line(image, (x, y), (x, y + down - 1), (255, 255, 255))
        middle = x + across // 2, y + down // 2
        if value:
            cv2.putText(image, str(value), (middle[0] - 8, middle[1] + 9), FACE, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
        else:
            cv2.circle(image, middle, 9, (0, 0, 0), -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("puzzle", "across"), [(PUZZLE, 78), (HOLED, 78)])
def test_the_walls_between_broad_buttons_are_no_ones(puzzle: Puzzle, across: int) -> None:
    """Incident: the buttons were nearly twice as broad as high, and the walls between them were taken for a column of
    ones between any two columns; and because of a word below the board, the starts were no equal signs."""
    reading = read(buttons(puzzle, across, 44, "Clear" if puzzle is HOLED else ""), Layout(game="cardinal-chains"))
    assert reading.puzzle == puzzle
    assert {cell for doubt in reading.doubts for cell in doubt.cells} <= set(puzzle.starts)


def test_columns_of_ones_between_others_are_numbers() -> None:
    """They stand in walls of their own, or the board is as square as without them."""
    ones = parse("2 1 3 1 2\n3 1 2 1 X\n2 1 2 1 3\nX 1 3 1 2")
    reading = read(buttons(ones, 44, 44), Layout(game="cardinal-chains"))
    assert reading.puzzle == ones
    image = np.full((270, 300, 3), 250, np.uint8)
    for (r, c), value in ones.cells.items():
        cv2.putText(image, str(value or "X"), (40 + 48 * c, 60 + 48 * r), FACE, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
    assert read(image, Layout(game="cardinal-chains")).puzzle == ones


@pytest.mark.parametrize("pitch", [(-1.75, 5.25), (5.0, 30.0)])
def test_a_lattice_without_a_legible_pitch_is_not_looked_at(
    pitch: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: two joined areas of a brick wall led to a pitch below zero, and to a traceback."""
    monkeypatch.setattr(board, "Growth", lambda *_: pytest.fail("the places were looked at"))
    image = np.full((80, 120, 3), 200, np.uint8)
    found = Lattice(60.0, 40.0, *pitch, 12, 12, frozenset({(0, 0), (1, 1)}))
    view = View(image, edge_strength(image), 0.0, 12.0, False)
    assert board._look(view, found, Eyes()) is None


def lettered(letters: str, fills: tuple[tuple[int, int, int], ...], drawn: bool = False) -> Image:
    """White cells with dark numbers; each start has a fill of its own and a white letter. ``drawn``: the number beside
    the second start is an 8 in a paler shade of its fill, as of a chain that has begun."""
    image = np.full((380, 380, 3), (230, 240, 245), np.uint8)
    blue, green, red = fills[1]
    pale = (2 * blue + 255) // 3, (2 * green + 255) // 3, (2 * red + 255) // 3
    for (r, c), value in PUZZLE.cells.items():
        x, y = 30 + 64 * c, 30 + 64 * r
        which = PUZZLE.starts.index((r, c)) if not value else None
        eight = drawn and (r, c) == (3, 2)
        fill = fills[which] if which is not None else pale if eight else (255, 255, 255)
        cv2.rectangle(image, (x, y), (x + 62, y + 62), fill, -1)
        if which == 0:
            cv2.rectangle(image, (x + 1, y + 1), (x + 61, y + 61), (0, 0, 0), 3)
        text = letters[which] if which is not None else "8" if eight else str(value)
        ink = (255, 255, 255) if which is not None or eight else (40, 40, 40)
        cv2.putText(image, text, (x + 20, y + 43), cv2.FONT_HERSHEY_DUPLEX, 1.0, ink, 2, cv2.LINE_AA)
    return image


def chance_of_a_start(image: Image, cell: tuple[int, int]) -> float:
    reading = read(image, Layout(game="cardinal-chains"))
    doubts = [dict(doubt.candidates) for doubt in reading.doubts if cell in doubt.cells]
    return doubts[0].get("X", 0.0) if doubts else float(reading.puzzle.rows[cell[0]][cell[1]] == 0)


@pytest.mark.parametrize("letters", ["AB", "AS", "AG"])
def test_a_letter_on_a_colour_of_its_own_is_a_start_beside_another(letters: str) -> None:
    """Incident: the A in red was seen to be a start, and the B in blue was an 8 without a doubt."""
    assert chance_of_a_start(lettered(letters, (RED, BLUE)), (2, 2)) > 0.5
    assert chance_of_a_start(lettered(letters, (RED, BLUE)), (0, 3)) > 0.5


def test_a_number_in_the_hue_of_a_start_is_its_chains() -> None:
    image = lettered("AX", (RED, BLUE), drawn=True)
    assert chance_of_a_start(image, (3, 2)) < 0.1
    assert chance_of_a_start(image, (2, 2)) > 0.5


def test_the_only_number_of_its_colour_is_no_letter_if_others_have_its_ink() -> None:
    """Incident: the tiles had colours by their numbers, most cells had the white numbers of a chain, and the last dark
    2 became a start."""
    colours = {1: (150, 240, 200), 2: (60, 190, 190), 3: (255, 160, 200)}
    image = np.full((380, 380, 3), (255, 165, 185), np.uint8)
    for (r, c), value in PUZZLE.cells.items():
        x, y = 30 + 64 * c, 30 + 64 * r
        free = value == 3 or (r, c) == (4, 4)
        cv2.rectangle(image, (x, y), (x + 62, y + 62), colours[value] if free else RED if r < 2 else BLUE, -1)
        ink = (40, 30, 40) if free else (255, 255, 255)
        cv2.putText(image, str(value or "X"), (x + 20, y + 43), cv2.FONT_HERSHEY_DUPLEX, 1.0, ink, 2, cv2.LINE_AA)
    assert chance_of_a_start(image, (4, 4)) < 0.1


@pytest.mark.parametrize("ink", [(100, 110, 120), (200, 190, 180)])
def test_a_heading_that_is_cut_off_is_no_row(ink: tuple[int, int, int]) -> None:
    """Incident: a heading's last digit stood above a column, a third of a cell too high. If it has the numbers' ink, it
    is a doubt."""
    puzzle = parse("4 3 3 3 2\n4 3 3 . 2\n4 . 2 2 2\n4 4 2 2 2\n2 X 1 1 X")
    image = np.full((400, 400, 3), (30, 22, 18), np.uint8)
    for (r, c), value in puzzle.cells.items():
        x, y = 78 + 56 * c, 118 + 56 * r
        if value:
            cv2.putText(image, str(value), (x - 8, y + 8), FACE, 0.8, (220, 210, 200), 2, cv2.LINE_AA)
        else:
            cv2.circle(image, (x, y), 12, (RED, BLUE)[puzzle.starts.index((r, c))], -1, cv2.LINE_AA)
    cv2.putText(image, "LEVEL 3", (35, 52), FACE, 0.8, ink, 2, cv2.LINE_AA)
    reading = read(image, Layout(game="cardinal-chains"))
    if ink == (100, 110, 120):
        assert reading.puzzle == puzzle
    else:
        assert reading.puzzle.rows[1:] == puzzle.rows
        assert {(0, c) for c, value in enumerate(reading.puzzle.rows[0]) if value is not None} <= {
            cell for doubt in reading.doubts for cell in doubt.cells
        }
