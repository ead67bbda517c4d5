"""The model of Cardinal Chains: its board, its text format and its checker. No solving, no pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell, Json

START = 0
"""The value of a start cell: below every number, so that the first step is always allowed."""

MAX_DIGITS = 9
MAX_CELLS = 10_000

Solution = tuple[tuple[Cell, ...], ...]
"""One chain a start, in the order of ``Puzzle.starts``; each from its start onwards."""


@dataclass(frozen=True)
class Puzzle:
    """A board: rows of equal length; ``None`` a hole, ``START`` a start, otherwise a positive number."""

    rows: tuple[tuple[int | None, ...], ...]

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @cached_property
    def cells(self) -> Mapping[Cell, int]:
        """Every cell (every place but the holes) with its value, row by row."""
        return {(r, c): v for r, row in enumerate(self.rows) for c, v in enumerate(row) if v is not None}

    @cached_property
    def starts(self) -> tuple[Cell, ...]:
        """The start cells, row by row."""
        return tuple(cell for cell, value in self.cells.items() if value == START)

    @cached_property
    def steps(self) -> Mapping[Cell, tuple[Cell, ...]]:
        """For each cell, the neighbours that a chain may go to from it: not a start, not a smaller number."""
        cells = self.cells
        return {
            (r, c): tuple(
                n
                for n in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
                if cells.get(n, START) != START and cells[n] >= value
            )
            for (r, c), value in cells.items()
        }


def parse(text: str, *, starts_needed: bool = True) -> Puzzle:
    """The board that ``text`` describes: tokens with spaces between; ``X`` or ``0`` a start, ``.`` or ``-1`` a hole.

    >>> parse("X 1\\n. 2").cells
    {(0, 0): 0, (0, 1): 1, (1, 1): 2}

    ``starts_needed=False`` lets a board without a start pass (a reader may not be sure of one yet).
    Raises PuzzleError with the row and column of the first fault.
    """
    rows: list[tuple[int | None, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or not line.strip():
            continue
        tokens = line.split(None, MAX_CELLS)  # a line may have millions, and memory an end
        if (len(rows) + 1) * len(tokens) > MAX_CELLS:
            raise PuzzleError(f"the board has more than {MAX_CELLS} places", number)
        row = tuple(_token(token, number, column) for column, token in enumerate(tokens, 1))
        if rows and len(row) != len(rows[0]):
            raise PuzzleError(
                f"expected {len(rows[0])} cells in this row, as in the rows above it, but it has {len(row)}", number
            )
        rows.append(row)
    if not rows:
        raise PuzzleError("expected a board, but the text is empty")
    puzzle = Puzzle(tuple(rows))
    if starts_needed and not puzzle.starts:
        raise PuzzleError("the board has no start; write X in the cell where a chain begins")
    return puzzle


def _token(token: str, row: int, column: int) -> int | None:
    if token in ("X", "x", "0"):
        return START
    if token in (".", "-1"):
        return None
    shown = token if len(token) <= 20 else token[:17] + "..."
    if not (token.isascii() and token.isdigit()):
        raise PuzzleError(
            f"expected X, '.' or a number, but found '{shown}'"
            if token.isprintable()
            else "expected X, '.' or a number, but found something that is no text",
            row,
            column,
        )
    if len(token) > MAX_DIGITS:
        raise PuzzleError(f"the number '{shown}' has {len(token)} digits, and {MAX_DIGITS} is the most", row, column)
    value = int(token)
    if value == 0:
        raise PuzzleError(f"expected X, '.' or a positive number, but found '{shown}'", row, column)
    return value


def format_puzzle(puzzle: Puzzle) -> str:
    """The text of a board, without a newline at its end; :func:`parse` turns it back."""
    return "\n".join(" ".join("." if v is None else str(v) if v else "X" for v in row) for row in puzzle.rows)


def replace(puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
    """``puzzle`` with other tokens in some cells; the result may have no start. Raises PuzzleError if that gives no
    board."""
    rows = [format_puzzle(Puzzle((row,))).split() for row in puzzle.rows]
    for (r, c), token in tokens.items():
        if not (0 <= r < puzzle.height and 0 <= c < puzzle.width):
            raise PuzzleError(f"the board has no place ({r}, {c})")
        rows[r][c] = token
    return parse("\n".join(map(" ".join, rows)), starts_needed=False)


def faults(puzzle: Puzzle) -> list[str]:
    """Obvious reasons why a board has no solution, in sentences: no start, or a cell that no chain can enter."""
    if not puzzle.starts:
        return ["the board has no start"]
    entered = {near for steps in puzzle.steps.values() for near in steps}
    return [
        f"no chain can enter ({r}, {c}): all its neighbours are holes or larger than {value}"
        for (r, c), value in puzzle.cells.items()
        if value != START and (r, c) not in entered
    ]


def show(puzzle: Puzzle, solution: Solution) -> str:
    """The board with its chains drawn between the cells, for a person to read.

    >>> print(show(parse("X 1\\n. 2"), (((0, 0), (0, 1), (1, 1)),)))
    X─1
      │
    . 2
    """
    steps = {frozenset(step) for chain in solution for step in pairwise(chain)}
    texts = [row.split() for row in format_puzzle(puzzle).splitlines()]
    width = max(len(token) for row in texts for token in row)
    lines: list[str] = []
    for r, row in enumerate(texts):
        line = below = ""
        for c, token in enumerate(row):
            joined = frozenset(((r, c), (r, c + 1))) in steps
            line += token.rjust(width) + ("─" if joined else " ")
            below += ("│" if frozenset(((r, c), (r + 1, c))) in steps else " ").rjust(width) + " "
        lines += [line.rstrip(), below.rstrip()]
    return "\n".join(lines[:-1])


def check(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Every fault of ``solution``, in sentences; empty where it solves ``puzzle``.

    Written from the rules alone; shares nothing with the solver, not even ``Puzzle.steps``.
    """
    faults: list[str] = []
    seen: dict[Cell, int] = {}
    begun: set[Cell] = set()
    for number, chain in enumerate(solution, 1):
        if not chain:
            faults.append(f"chain {number} is empty")
            continue
        values: list[int] = []
        for cell in chain:
            r, c = cell
            value = puzzle.rows[r][c] if 0 <= r < len(puzzle.rows) and 0 <= c < len(puzzle.rows[0]) else None
            if value is None:
                faults.append(f"chain {number} goes through {cell}, which is no cell")
            elif cell in seen:
                faults.append(f"chain {number} goes through {cell}, which chain {seen[cell]} covers already")
            seen[cell] = number
            values.append(-1 if value is None else value)
        if values[0] != 0:
            faults.append(f"chain {number} begins at {chain[0]}, which is no start")
        begun.add(chain[0])
        for a, b, low, high in zip(chain, chain[1:], values, values[1:], strict=False):
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
                faults.append(f"chain {number} jumps from {a} to {b}")
            if high == 0:
                faults.append(f"chain {number} enters the start {b}")
            elif high < low:
                faults.append(f"chain {number} descends from {low} at {a} to {high} at {b}")
    for r, row in enumerate(puzzle.rows):
        for c, value in enumerate(row):
            if value is not None and (r, c) not in seen:
                faults.append(f"no chain covers {(r, c)}")
            if value == 0 and (r, c) not in begun:
                faults.append(f"no chain begins at the start {(r, c)}")
    return faults


def solution_to_json(solution: Solution) -> Json:
    """A list of paths, each a list of ``[row, column]`` from its start."""
    return [[list(cell) for cell in chain] for chain in solution]


def solution_from_json(data: Json) -> Solution:
    """Raises PuzzleError where ``data`` is not a list of lists of ``[row, column]``."""
    chains = data if isinstance(data, list) else [data]
    for cell in (cell for chain in chains for cell in (chain if isinstance(chain, list) else [chain])):
        if not isinstance(cell, list) or len(cell) != 2 or any(type(number) is not int for number in cell):
            raise PuzzleError("expected a solution as a list of chains, each a list of [row, column], whole numbers")
    return tuple(tuple((r, c) for r, c in chain) for chain in chains)
