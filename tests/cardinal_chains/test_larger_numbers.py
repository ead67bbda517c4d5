"""Numbers that are shown larger and in a colour, because a person has chosen their cell, beside starts without an X.
The windows are drawn here."""

from __future__ import annotations

import cv2

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import Layout
from tests.cardinal_chains.test_decorated_holes import ROWS, colour_of, nothing, read, tile, window
from tests.cardinal_chains.test_first_levels import middle, number

CHOSEN = (160, 60, 150)


def with_larger(image: Image, cell: Cell) -> Image:
    """The window with the number of a ``cell`` drawn anew, larger and in a colour of its own."""
    tile(image, middle(cell, 60), cell)
    number(image, cell, 60, ROWS[cell[0]].split()[cell[1]], CHOSEN, 1.8)
    return image


def disc(image: Image, at: tuple[int, int], cell: Cell) -> None:
    cv2.circle(image, at, 17, colour_of(cell), -1, cv2.LINE_AA)


def test_a_larger_number_in_a_colour_is_no_start_beside_discs() -> None:
    """Incident: it was taken for a start's sign, and discs for holes, without a doubt."""
    assert read(with_larger(window(disc, nothing), (1, 1))) == list(ROWS)


def test_what_is_far_larger_may_be_a_number() -> None:
    """Two signs, of which one may be a number: the rules decide."""
    image = with_larger(with_larger(window(disc, nothing), (1, 1)), (2, 0))
    assert read(image) in ([], list(ROWS))
    reading = GAME.read(image, Layout(game="cardinal-chains"))
    for cell in ((1, 1), (2, 0)):
        said = [doubt.candidates for doubt in reading.doubts if cell in doubt.cells]
        assert reading.puzzle.cells[cell] == 2 or any(token == "2" for token, _ in said[0])
