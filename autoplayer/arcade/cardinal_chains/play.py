"""Cardinal Chains as it is played by hand: press, drag, keys. Pure; no pixels and no time.

The habits are those of the windows that people know: dragging back retracts; pressing inside a chain cuts it there;
pressing a start clears its chain; pressing an end continues it; dragging over another chain steals its cells.
"""

from __future__ import annotations

from collections.abc import Callable

from autoplayer.arcade.play import MIDDLE, Happening, Spot
from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.puzzle import START, Puzzle, format_puzzle

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Chains:
    """One board. ``chains`` holds, for each start, its chain from the start onwards; the numbers of the chains are
    the order of the starts in the level's file and stay when the board is turned.

    ``drops()`` is asked at each legal step of a drag, and says whether the window loses it.
    """

    def __init__(self, puzzle: Puzzle, drops: Callable[[], bool] = lambda: False) -> None:
        self.puzzle = puzzle
        self._drops = drops
        self.chains: list[list[Cell]] = [[start] for start in puzzle.starts]
        self.touched: set[int] = set()
        """Chains whose start was pressed, or that have steps."""
        self.held: int | None = None
        """The chain that the pointer draws."""
        self.active = 0
        """The chain that the arrow keys draw."""

    @property
    def rows(self) -> int:
        return self.puzzle.height

    @property
    def columns(self) -> int:
        return self.puzzle.width

    @property
    def won(self) -> bool:
        return sum(map(len, self.chains)) == len(self.puzzle.cells)

    def text(self) -> str:
        return format_puzzle(self.puzzle)

    def holds(self, cell: Cell) -> bool:
        return cell in self.puzzle.cells

    def owner(self, cell: Cell) -> int | None:
        """The number of the chain that covers ``cell``."""
        return next((number for number, chain in enumerate(self.chains) if cell in chain), None)

    def press(self, cell: Cell, spot: Spot = MIDDLE) -> list[Happening]:
        number = self.held = self.owner(cell)
        if number is None:
            return []
        chain = self.chains[number]
        self.touched.add(number)
        if cell == chain[-1]:
            return []
        del chain[chain.index(cell) + 1 :]
        return [Happening("cleared" if len(chain) == 1 else "cut", cell, number, "press")]

    def move(self, cell: Cell) -> list[Happening]:
        return [] if self.held is None else self._step(self.held, cell, self._drops)

    def release(self) -> list[Happening]:
        self.held = None
        return []

    def key(self, key: str) -> list[Happening]:
        if key == "tab":
            self.active = (self.active + 1) % len(self.chains)
            return [Happening("selected", self.chains[self.active][-1], self.active)]
        if key not in DIRECTIONS:
            return []
        (row, column), (down, right) = self.chains[self.active][-1], DIRECTIONS[key]
        return self._step(self.active, (row + down, column + right), lambda: False)

    def reset(self) -> None:
        self.chains = [chain[:1] for chain in self.chains]
        self.touched = set()
        self.held = None
        self.active = 0

    def turn(self, clockwise: bool) -> None:
        height, width = self.puzzle.height, self.puzzle.width
        rows = self.puzzle.rows

        def turned(cell: Cell) -> Cell:
            return (cell[1], height - 1 - cell[0]) if clockwise else (width - 1 - cell[1], cell[0])

        if clockwise:
            self.puzzle = Puzzle(tuple(zip(*reversed(rows), strict=True)))
        else:
            self.puzzle = Puzzle(tuple(reversed(tuple(zip(*rows, strict=True)))))
        self.chains = [[turned(cell) for cell in chain] for chain in self.chains]
        self.held = None

    def _step(self, number: int, cell: Cell, drops: Callable[[], bool]) -> list[Happening]:
        """Lead a chain to ``cell``: on, back by one, or not at all."""
        chain = self.chains[number]
        head = chain[-1]
        if cell == head:
            return []
        if len(chain) > 1 and cell == chain[-2]:
            chain.pop()
            return [Happening("retract", cell, number)]
        value = self.puzzle.cells.get(cell)
        near = abs(cell[0] - head[0]) + abs(cell[1] - head[1]) == 1
        if value is None or value == START or not near or value < self.puzzle.cells[head] or cell in chain:
            return [Happening("illegal", cell, number)]
        if drops():
            return [Happening("dropped", cell, number)]
        happenings = []
        robbed = self.owner(cell)
        if robbed is not None:
            other = self.chains[robbed]
            del other[other.index(cell) :]
            happenings.append(Happening("cut", other[-1], robbed, "steal"))
        chain.append(cell)
        self.touched.add(number)
        return [*happenings, Happening("step", cell, number)]
