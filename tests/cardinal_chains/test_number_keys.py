"""Windows in which the number keys choose a chain, and clicks on cells extend it."""

from __future__ import annotations

import pytest

from autoplayer.core.frame import Box, Cell, Point
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.puzzle import parse
from autoplayer.layout import NUMBER, Layout
from tests.cardinal_chains.keyed import Board, played

LAYOUT = Layout(game="cardinal-chains")
ROWS = ["2 1 1 X", "2 1 X 1", "5 4 4 3", "X 1 2 3"]


class Numbered(Board):
    """A click on a cell extends the chosen chain; one on a cell of that chain takes back what follows it. Starts hear
    no click."""

    def __init__(self, chosen: int) -> None:
        super().__init__(ROWS, [""] * 4, "number")
        self.active = chosen

    def click(self, at: Point) -> None:
        cell = next((cell for cell, box in self.boxes().items() if box.contains(at)), None)
        if cell is None or self.active < 0 or self.cells[cell] == 0:
            return
        chain = self.chains[self.active]
        if cell in chain:
            del chain[chain.index(cell) + 1 :]
            return
        (r, c), taken = chain[-1], any(cell in other for other in self.chains)
        if abs(cell[0] - r) + abs(cell[1] - c) == 1 and not taken and self.cells[cell] >= self.cells[chain[-1]]:
            chain.append(cell)

    def boxes(self) -> dict[Cell, Box]:
        return {(r, c): Box(60 + 48 * c, 60 + 48 * r, 48, 48) for r, c in self.cells}


@pytest.mark.parametrize("chosen", [pytest.param(-1, id="none is chosen"), pytest.param(0, id="the first is chosen")])
def test_number_keys_and_clicks_are_found_out_together(chosen: int) -> None:
    """Incident: keys alone move nothing in such a window, and clicks alone at most the chain that is chosen."""
    window = Numbered(chosen)
    reading = GAME.read(window.image(), LAYOUT)
    puzzle = parse("\n".join(ROWS))
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    now, layout = played(window, reading, solution, LAYOUT)
    assert now.complete
    assert [tuple(chain) for chain in window.chains] == list(solution)
    assert (layout.controls, layout.keys.next_chain) == ("click", NUMBER)


def test_what_was_found_out_is_used_at_once_in_the_next_level() -> None:
    window = Numbered(-1)
    reading = GAME.read(window.image(), LAYOUT)
    solution = GAME.solve(reading.puzzle, time_limit=5, most=1).solution
    assert solution is not None
    known = LAYOUT.model_copy(
        update={"controls": "click", "keys": LAYOUT.keys.model_copy(update={"next_chain": NUMBER})}
    )
    pressed: list[str] = []
    press = window.press
    window.press = lambda key: (pressed.append(key), press(key))[1]  # type: ignore[method-assign]
    now, _ = played(window, reading, solution, known)
    assert now.complete
    assert pressed == ["1", "2", "3"]
