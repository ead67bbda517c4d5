"""Windows in which a click on its last cell chooses a chain, and arrows extend it."""

from __future__ import annotations

import pytest

from autoplayer.core.frame import Box, Cell, Point
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import CLICK, Layout
from tests.cardinal_chains.keyed import Board, played

LAYOUT = Layout(game="cardinal-chains")
ROWS = ["2 1 1 X", "2 1 X 1", "5 4 4 3", "X 1 2 3"]


class Clicked(Board):
    """A key against the last step takes that back. ``strict``: a click beside all chains' ends chooses none."""

    def __init__(self, strict: bool) -> None:
        super().__init__(ROWS, ["up", "down", "left", "right"], "none")
        self.active, self.strict = -1, strict
        self.pressed: list[str] = []

    def click(self, at: Point) -> None:
        cell = next((cell for cell, box in self.boxes().items() if box.contains(at)), None)
        ends = [chain[-1] for chain in self.chains]
        if cell in ends:
            self.active = ends.index(cell)
        elif self.strict:
            self.active = -1

    def press(self, key: str) -> None:
        self.pressed.append(key)
        chain = self.chains[self.active]
        if self.active < 0 or key not in self.ways:
            return
        (down, right), (r, c) = self.ways[key], chain[-1]
        if len(chain) > 1 and chain[-2] == (r + down, c + right):
            chain.pop()
        else:
            super().press(key)

    def boxes(self) -> dict[Cell, Box]:
        return {(r, c): Box(60 + 48 * c, 60 + 48 * r, 48, 48) for r, c in self.cells}


@pytest.mark.parametrize("strict", [False, True], ids=["the last one stays chosen", "clicks elsewhere choose none"])
def test_clicks_that_choose_and_arrows_that_extend_are_found_out(strict: bool) -> None:
    """Incident: after Tab the arrow took the first chain back, which was drawn again, and so on until it gave up."""
    window = Clicked(strict)
    reading = GAME.read(window.image(), LAYOUT)
    solution = GAME.solve(reading.puzzle, time_limit=5, most=1).solution
    assert solution is not None
    now, layout = played(window, reading, solution, LAYOUT)
    assert now.complete
    assert (layout.controls, layout.keys.next_chain) == ("keys", CLICK)
    again = Clicked(strict)
    now, _ = played(again, GAME.read(again.image(), LAYOUT), solution, layout)
    assert now.complete
    assert len(again.pressed) == sum(len(chain) - 1 for chain in solution), "the next level needs no trials"
