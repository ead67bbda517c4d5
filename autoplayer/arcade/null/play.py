"""The null game as it is played by hand: a press on a lamp turns it on or off; all off is won. Pure."""

from __future__ import annotations

from autoplayer.arcade.play import MIDDLE, Happening, Spot
from autoplayer.core.frame import Cell
from autoplayer.games.null.puzzle import Puzzle, format_puzzle


class Lamps:
    """One row of lamps."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.lit = list(puzzle.lamps)
        self.active = 0
        """The lamp that the keys speak of."""

    @property
    def rows(self) -> int:
        return 1

    @property
    def columns(self) -> int:
        return len(self.lit)

    @property
    def won(self) -> bool:
        return not any(self.lit)

    def text(self) -> str:
        return format_puzzle(self.puzzle)

    def holds(self, cell: Cell) -> bool:
        return cell[0] == 0 and 0 <= cell[1] < self.columns

    def press(self, cell: Cell, spot: Spot = MIDDLE) -> list[Happening]:
        was = self.lit[cell[1]]
        self.lit[cell[1]] = not was
        return [Happening("out" if was else "lit", cell)]

    def move(self, cell: Cell) -> list[Happening]:
        return []

    def release(self) -> list[Happening]:
        return []

    def key(self, key: str) -> list[Happening]:
        if key == "space":
            return self.press((0, self.active))
        step = {"left": -1, "right": 1, "tab": 1}.get(key, 0)
        self.active = (self.active + step) % self.columns
        return [Happening("selected", (0, self.active))] if step else []

    def reset(self) -> None:
        self.lit = list(self.puzzle.lamps)
        self.active = 0

    def turn(self, clockwise: bool) -> None:
        raise NotImplementedError("a row of lamps is never turned")
