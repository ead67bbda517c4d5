"""Windows in which keys move a cursor, and others take up the chain under it: the player finds them out. They are drawn
here, each with a game behind it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.player import plan, progress
from autoplayer.games.cardinal_chains.puzzle import START, parse
from autoplayer.layout import Layout
from tests.cardinal_chains.keyed import Pressable, played

ROWS = ["2 2 1 1", "X 2 1 1", "2 . X 1", "X 2 2 ."]
ARROWS = ("up", "down", "left", "right")
COLOURS = ((230, 120, 60), (80, 80, 230), (90, 190, 60))
PITCH, EDGE = 56, 50


class Window(Pressable):
    """``style``: a key that takes a chain up and lays it down; one that is pressed in each cell of it ("each"); or one
    that is held while the chain goes on ("held"). ``lets_go``: a chain that is complete is laid down by itself."""

    def __init__(self, key: str, style: str, keys: Sequence[str], *, lets_go: bool = False) -> None:
        self.cells = parse("\n".join(ROWS)).cells
        self.chains: list[list[Cell]] = [[cell] for cell, value in self.cells.items() if value == START]
        self.key, self.style, self.lets_go = key, style, lets_go
        self.ways = dict(zip(keys, ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True))
        self.at: Cell = (0, 0)
        self.held: list[Cell] | None = None
        solution = GAME.solve(parse("\n".join(ROWS)), time_limit=5, most=1).solution
        assert solution is not None
        self.solution = solution

    def press(self, pressed: str) -> None:
        *held, key = pressed.split("+")
        if key == self.key and self.style != "held":
            self._take()
        elif key in self.ways:
            cell = self.at[0] + self.ways[key][0], self.at[1] + self.ways[key][1]
            if cell not in self.cells:
                return
            chain = self.held if self.style == "toggle" else None
            if held == [self.key] and self.style == "held":
                chain = self._chain(self.at)
            if chain is None or self._goes_on(chain, cell):
                self.at = cell

    def _take(self) -> None:
        chain = self._chain(self.at)
        if self.style == "each":
            if self.held is not None and chain is None:
                self._goes_on(self.held, self.at)
            self.held = chain or self.held
        else:
            self.held = None if self.held is not None else chain

    def _chain(self, cell: Cell) -> list[Cell] | None:
        """The chain that ends in a cell."""
        return next((chain for chain in self.chains if chain[-1] == cell), None)

    def _goes_on(self, chain: list[Cell], cell: Cell) -> bool:
        near = abs(cell[0] - chain[-1][0]) + abs(cell[1] - chain[-1][1]) == 1
        free = not any(cell in other for other in self.chains)
        if not (near and free and self.cells[cell] >= self.cells[chain[-1]]):
            return False
        chain.append(cell)
        if self.lets_go and tuple(chain) in self.solution:
            self.held = None
        return True

    def image(self) -> Image:
        image = np.full((2 * EDGE + 4 * PITCH, 2 * EDGE + 4 * PITCH, 3), (43, 37, 33), np.uint8)
        middle = {(r, c): (EDGE + PITCH // 2 + c * PITCH, EDGE + PITCH // 2 + r * PITCH) for r, c in self.cells}
        for cell, (x, y) in middle.items():
            cv2.rectangle(image, (x - 25, y - 25), (x + 25, y + 25), (75, 63, 58), -1)
            text = str(self.cells[cell] or "X")
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.8, 2)
            at = x - w // 2, y + h // 2
            cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, 0.8, (238, 238, 238), 2, cv2.LINE_AA)
        for chain, colour in zip(self.chains, COLOURS, strict=True):
            cv2.polylines(image, [np.array([middle[cell] for cell in chain], np.int32)], False, colour, 6)
        x, y = middle[self.at]
        cv2.rectangle(image, (x - 27, y - 27), (x + 27, y + 27), (255, 255, 255), 3)
        return image


@pytest.mark.parametrize(
    ("key", "style", "keys", "lets_go"),
    [
        ("space", "toggle", ARROWS, False),
        ("enter", "toggle", tuple("wsad"), True),
        ("space", "each", ARROWS, False),
        ("shift", "held", ARROWS, False),
    ],
)
def test_the_key_that_takes_up_a_chain_is_found_out(
    key: str, style: str, keys: Sequence[str], *, lets_go: bool
) -> None:
    """Incident: a window with a cursor was left after the arrows, for no chain had grown."""
    window, puzzle = Window(key, style, keys, lets_go=lets_go), parse("\n".join(ROWS))
    reading = GAME.read(window.image(), Layout(game="cardinal-chains"))
    assert reading.puzzle == puzzle
    now, layout = played(window, reading, window.solution, Layout(game="cardinal-chains"))
    assert now.complete
    assert layout.keys.take == key
    again = progress(reading, puzzle, window.solution, Window(key, style, keys).image())
    known = plan(GAME.read(reading.image, layout), puzzle, window.solution, again, layout)
    assert known[0].name.startswith("look for the cursor")  # in the next level nothing else is tried before


@pytest.mark.parametrize("held", [2, 3, 9])
def test_the_last_cell_of_a_chain_is_held_though_it_is_outlined_in_the_numbers_ink(held: int) -> None:
    """Incident: a chain was drawn again and again, since its last cell never seemed to be held."""
    rows = ["3 2 2 . X", "2 2 2 2 2", "3 . 1 1 1", "2 1 1 X 1"]
    puzzle = parse("\n".join(rows))
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None

    def image(chain: Sequence[Cell]) -> Image:
        image = np.full((340, 400, 3), (233, 239, 242), np.uint8)
        for r, c in puzzle.cells:
            cv2.rectangle(image, (54 + 58 * c, 54 + 58 * r), (106 + 58 * c, 106 + 58 * r), (255, 255, 255), -1)
            cv2.rectangle(image, (54 + 58 * c, 54 + 58 * r), (106 + 58 * c, 106 + 58 * r), (187, 187, 187), 1)
        middles = [(80 + 58 * c, 80 + 58 * r) for r, c in chain]
        cv2.polylines(image, [np.array(middles, np.int32)], False, (181, 175, 238), 18)
        for (r, c), value in puzzle.cells.items():
            at = 70 + 58 * c, 88 + 58 * r
            cv2.putText(image, str(value or "X"), at, cv2.FONT_HERSHEY_DUPLEX, 0.9, (30, 30, 30), 2, cv2.LINE_AA)
        if middles:
            x, y = middles[-1]
            cv2.rectangle(image, (x - 23, y - 23), (x + 23, y + 23), (0, 0, 0), 2)
        return image

    reading = GAME.read(image([]), Layout(game="cardinal-chains"))
    assert reading.puzzle == puzzle
    long = max(solution, key=len)
    found = progress(reading, puzzle, solution, image(long[:held]))
    assert (found.present, found.done, found.wrong) == (True, min(held, len(long)) - 1, 0)
