"""Cross Set as it is played by hand: clicks and keys. Pure; no pixels and no time.

The habits are those of the windows that people know: a click moves a cell's first candidate to the end, the right
button locks the cell, and a locked cell does not rotate. A cell with a single candidate is locked from the start. The
level is won as soon as the first candidates fill every row and column, whatever is locked.
"""

from __future__ import annotations

from collections.abc import Callable

from autoplayer.arcade.play import MIDDLE, RIGHT, Happening, Spot
from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle, Solution, check, format_puzzle

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Cells:
    """One board.

    ``drops()`` is asked at each rotation and each lock, and says whether the window loses it. ``by_slots``: every
    number has a place of its own in its cell, so the order of the clicks is that of the numbers, from the active one
    on. ``singles``: whether cells with one candidate are locked.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        drops: Callable[[], bool] = lambda: False,
        *,
        by_slots: bool = False,
        singles: bool = True,
    ) -> None:
        self.puzzle = _by_number(puzzle) if by_slots else puzzle
        self._drops = drops
        cells = [(r, c) for r in range(puzzle.size) for c in range(puzzle.size)]
        self._turned = dict.fromkeys(cells, 0)
        """How many times a cell was rotated."""
        self.single = frozenset(cell for cell in cells if singles and len(puzzle.rows[cell[0]][cell[1]]) == 1)
        self.locked: set[Cell] = set(self.single)
        self.cursor: Cell = (0, 0)
        """The cell that the keys speak of."""
        self._won: bool | None = None

    @property
    def rows(self) -> int:
        return self.puzzle.size

    @property
    def columns(self) -> int:
        return self.puzzle.size

    def order(self, cell: Cell) -> Candidates:
        """The candidates of a cell as they stand now, the active one first."""
        candidates = self.puzzle.rows[cell[0]][cell[1]]
        turned = self._turned[cell] % len(candidates)
        return candidates[turned:] + candidates[:turned]

    @property
    def active(self) -> Solution:
        """The active number of every cell, in the form that the checker takes."""
        return tuple(tuple(self.order((r, c))[0] for c in range(self.columns)) for r in range(self.rows))

    @property
    def unfinished(self) -> tuple[list[int], list[int]]:
        """The rows and the columns in which a number stands twice, each counted from 0."""
        rows = self.active
        found = [
            [i for i, line in enumerate(lines) if len(set(line)) < len(line)]
            for lines in (rows, zip(*rows, strict=True))
        ]
        return found[0], found[1]

    @property
    def won(self) -> bool:
        if self._won is None:
            self._won = not check(self.puzzle, self.active)
        return self._won

    def text(self) -> str:
        return format_puzzle(self.puzzle)

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def press(self, cell: Cell, spot: Spot = MIDDLE) -> list[Happening]:
        return self._lock(cell) if spot.button == RIGHT else self._rotate(cell)

    def move(self, cell: Cell) -> list[Happening]:
        return []

    def release(self) -> list[Happening]:
        return []

    def key(self, key: str) -> list[Happening]:
        if key == "space":
            return self._rotate(self.cursor)
        if key in ("enter", "x"):
            return self._lock(self.cursor)
        if key not in DIRECTIONS:
            return []
        (row, column), (down, right) = self.cursor, DIRECTIONS[key]
        to = row + down, column + right
        if not self.holds(to):
            return [Happening("illegal", self.cursor, by="the board ends")]
        self.cursor = to
        return [Happening("selected", to)]

    def reset(self) -> None:
        self._turned = dict.fromkeys(self._turned, 0)
        self.locked = set(self.single)
        self.cursor = (0, 0)
        self._won = None

    def turn(self, clockwise: bool) -> None:
        raise NotImplementedError("a square board is never turned")

    def _rotate(self, cell: Cell) -> list[Happening]:
        if cell in self.locked:
            return [Happening("illegal", cell, by="locked")]
        if len(self.order(cell)) == 1:
            return [Happening("illegal", cell, by="one candidate")]
        if self._drops():
            return [Happening("dropped", cell, by="rotate")]
        self._turned[cell] += 1
        self._won = None
        return [Happening("rotated", cell, active=self.order(cell)[0])]

    def _lock(self, cell: Cell) -> list[Happening]:
        if cell in self.single:
            return [Happening("illegal", cell, by="one candidate")]
        if self._drops():
            return [Happening("dropped", cell, by="lock")]
        self.locked ^= {cell}
        return [Happening("locked" if cell in self.locked else "unlocked", cell, active=self.order(cell)[0])]


def _by_number(puzzle: Puzzle) -> Puzzle:
    """The same board with each cell's candidates in the order of the numbers, from the active one on and around."""

    def around(candidates: Candidates) -> Candidates:
        ordered = sorted(candidates)
        at = ordered.index(candidates[0])
        return tuple(ordered[at:] + ordered[:at])

    return Puzzle(tuple(tuple(around(cell) for cell in row) for row in puzzle.rows))
