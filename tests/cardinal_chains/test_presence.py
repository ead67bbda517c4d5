"""Whether a board is still there in a later picture of its window, or the page or another level has come; the windows
are drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Progress
from autoplayer.games.cardinal_chains.player import progress
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.games.cardinal_chains.reader import read
from autoplayer.layout import Layout

SIDE, MIDDLE = 60, 210
PUZZLE = parse("2 1 X 2\n2 1 1 2\n2 1 1 2\n2 2 2 2")
CHAIN = (
    *((0, 2), (1, 2), (2, 2), (2, 1), (1, 1), (0, 1), (0, 0), (1, 0)),
    *((2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (0, 3)),
)
NEXT = parse("1 1 X 1 1\n1 1 1 1 1\n2 2 2 2 1\n2 3 3 3 4\n2 2 3 3 4")
PAGE, TILE, RED, WHITE = (27, 42, 13), (68, 119, 35), (75, 25, 230), (255, 255, 255)

Colour = tuple[int, int, int]


def window(
    puzzle: Puzzle, fills: Mapping[Cell, Colour | None] | None = None, tile: Colour = TILE, button: bool = False
) -> Image:
    """White numbers on diamonds of one colour, the starts with a square upon theirs, in the middle of a dark page.
    ``fills``: the colours of other diamonds, None where a cell has gone. ``button``: over the first cell."""
    image = np.full((2 * MIDDLE, 2 * MIDDLE, 3), PAGE, np.uint8)
    left, top = MIDDLE - SIDE * puzzle.width // 2, MIDDLE - SIDE * puzzle.height // 2
    for (r, c), value in puzzle.cells.items():
        x, y, fill = left + SIDE * c + SIDE // 2, top + SIDE * r + SIDE // 2, (fills or {}).get((r, c), tile)
        if fill is None:
            continue
        cv2.fillConvexPoly(image, np.array([(x - 29, y), (x, y - 29), (x + 29, y), (x, y + 29)]), fill, cv2.LINE_AA)
        if value:
            cv2.putText(image, str(value), (x - 9, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.9, WHITE, 2, cv2.LINE_AA)
        else:
            cv2.rectangle(image, (x - 9, y - 9), (x + 9, y + 9), RED, -1)
    if button:
        cv2.rectangle(image, (left, top), (left + SIDE, top + SIDE), WHITE, -1)
    return image


def seen(now: Image, fills: Mapping[Cell, Colour | None] | None = None, tile: Colour = TILE) -> Progress:
    """How far ``now`` has come in a window that showed its first level before, with these colours."""
    reading = read(window(PUZZLE, fills, tile), Layout(game="cardinal-chains"))
    assert reading.puzzle == PUZZLE
    return progress(reading, PUZZLE, (CHAIN,), now)


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(partial(window, NEXT), id="another level"),
        pytest.param(partial(window, PUZZLE, dict.fromkeys(PUZZLE.cells), button=True), id="the page, with a button"),
    ],
)
def test_a_page_is_no_chain(now: partial[Image]) -> None:
    """Incident: the cells of the next level stood between those of the old one. The page that was seen where these had
    been was taken for a chain in all of them, and the next level was never seen."""
    assert not seen(now()).present


def test_a_chain_may_have_the_pages_colour() -> None:
    """Its start had that from the beginning."""
    now = seen(window(PUZZLE, dict.fromkeys(CHAIN, PAGE)), {CHAIN[0]: PAGE})
    assert (now.present, now.done, now.wrong) == (True, 15, 0)


def test_cells_may_have_the_pages_colour() -> None:
    """They had that from the beginning, and only the start and the first cell have changed."""
    now = seen(window(PUZZLE, dict.fromkeys(CHAIN[:2], RED), PAGE), tile=PAGE)
    assert (now.present, now.done, now.wrong) == (True, 1, 0)
