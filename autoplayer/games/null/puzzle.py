"""The model of the null game: its board, its text format and its checker. No solving, no pixels.

The game: a row of lamps, some of them lit; press every lit lamp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autoplayer.core.errors import PuzzleError
from autoplayer.core.frame import Cell, Json

FEWEST = 2
MOST = 12

Solution = tuple[int, ...]
"""The lamps to press, counted from 0 at the left, in ascending order."""


@dataclass(frozen=True)
class Puzzle:
    """A row of lamps; True where one is lit."""

    lamps: tuple[bool, ...]


def parse(text: str) -> Puzzle:
    """The row that ``text`` describes: ``1`` a lit lamp, ``0`` a dark one, with spaces between.

    >>> parse("1 0 1")
    Puzzle(lamps=(True, False, True))

    Raises PuzzleError with the row and column of the first fault.
    """
    rows = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not rows:
        raise PuzzleError("expected a row of lamps, but the text is empty")
    number, tokens = rows[0]
    for column, token in enumerate(tokens, 1):
        if token not in ("0", "1"):
            shown = token if len(token) <= 20 else token[:17] + "..."
            raise PuzzleError(f"expected 1 (lit) or 0 (dark), but found {shown!r}", number, column)
    if len(rows) > 1:
        raise PuzzleError("expected a single row of lamps, but there is another", rows[1][0])
    if not FEWEST <= len(tokens) <= MOST:
        raise PuzzleError(f"expected {FEWEST} to {MOST} lamps, but there are {len(tokens)}", number)
    return Puzzle(tuple(token == "1" for token in tokens))


def format_puzzle(puzzle: Puzzle) -> str:
    """The text of a row, without a newline at its end; :func:`parse` turns it back."""
    return " ".join("1" if lit else "0" for lit in puzzle.lamps)


def show(puzzle: Puzzle, solution: Solution) -> str:
    """The row with a ``*`` in place of each lamp that is to be pressed.

    >>> show(Puzzle((True, False)), (0,))
    '* 0'
    """
    return " ".join("*" if i in solution else "1" if lit else "0" for i, lit in enumerate(puzzle.lamps))


def replace(puzzle: Puzzle, tokens: Mapping[Cell, str]) -> Puzzle:
    """``puzzle`` with other tokens in some cells; the row is row 0."""
    row = format_puzzle(puzzle).split()
    for (_, column), token in tokens.items():
        row[column] = token
    return parse(" ".join(row))


def check(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Every fault of ``solution``, in sentences; empty where it is right. Shares no code with the solver."""
    faults: list[str] = []
    for lamp in solution:
        if not 0 <= lamp < len(puzzle.lamps):
            faults.append(f"there is no lamp {lamp}")
        elif not puzzle.lamps[lamp]:
            faults.append(f"lamp {lamp} is dark, and is pressed")
        if solution.count(lamp) > 1:
            faults.append(f"lamp {lamp} is pressed {solution.count(lamp)} times")
    faults += [
        f"lamp {i} is lit, and is not pressed" for i, lit in enumerate(puzzle.lamps) if lit and i not in solution
    ]
    return faults


def solution_to_json(solution: Solution) -> Json:
    """A list of lamps, counted from 0."""
    return list(solution)


def solution_from_json(data: Json) -> Solution:
    """Raises PuzzleError where ``data`` is not a list of whole numbers."""
    if not isinstance(data, list) or not all(type(lamp) is int for lamp in data):
        raise PuzzleError("expected a solution as a list of lamps, each a whole number from 0")
    return tuple(data)
