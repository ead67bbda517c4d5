"""Coordinates around a board: a row of 1 2 3 4 or A B C D above or below it, a column of such beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains import tokens
from autoplayer.games.cardinal_chains.ranking import Place

FEWEST = 3
"""Coordinates of a row or column at least: two numbers that follow one another stand on any board."""

FIRST = (0, 1)
"""What coordinates begin with; a 0 is read as a start, or as what it resembles."""

COUNTING, READ = 0.75, 0.5
"""The share of the numbers in a line that count on at least; and of letters the share that is clearly read as numbers
at most (B, G and I are)."""


def drop_coordinates(places: dict[Cell, Place]) -> None:
    """Take away outer rows and columns that only say where a cell is.

    A row of a board may count on, too, so that one line alone says nothing. Two do: a row and a column that meet where
    nothing stands, one of them numbers that count on from 0 or 1, the other such numbers or letters; or the same
    numbers on both sides of the board.
    """
    rows, columns = (_outer_lines(places, by) for by in (0, 1))
    found: set[Cell] = set()
    for row, column in product(rows, columns):
        corner = (row[0][0], column[0][1])
        lines = [[cell for cell in line if cell != corner] for line in (row, column)]
        empty = corner not in places or not places[corner].candidates[0][0]
        counting = [_counts_on(places, line) for line in lines]
        if (
            empty
            and any(counting)
            and all(one or _is_lettered(places, line) for one, line in zip(counting, lines, strict=True))
        ):
            found.update(row, column)
    for first, last in (rows, columns):
        if first != last and _counts_on(places, first) and _told(places, first) == _told(places, last):
            found.update(first, last)
    left = places.keys() - found
    if any(places[cell].candidates[0][0].isdigit() for cell in left):
        for cell in found:
            del places[cell]


def _outer_lines(places: Mapping[Cell, Place], by: int) -> list[tuple[Cell, ...]]:
    """The first and the last row (``by`` 0; columns for 1)."""
    ends = [end((cell[by] for cell in places), default=0) for end in (min, max)]
    return [tuple(sorted(cell for cell in places if cell[by] == end)) for end in ends]


def _told(places: Mapping[Cell, Place], line: Sequence[Cell]) -> list[str]:
    return [places[cell].candidates[0][0] for cell in line]


def _counts_on(places: Mapping[Cell, Place], line: Sequence[Cell]) -> bool:
    """Whether nearly all numbers of a line count on from cell to cell, from 0 or 1 at its beginning."""
    if len(line) < FEWEST or not _without_gaps(line):
        return False
    starts = Counter(int(token) - at for at, token in enumerate(_told(places, line)) if token.isdigit())
    first, agreeing = starts.most_common(1)[0] if starts else (-1, 0)
    return first in FIRST and agreeing >= max(COUNTING * (len(line) - (first == 0)), FEWEST - 1)


def _is_lettered(places: Mapping[Cell, Place], line: Sequence[Cell]) -> bool:
    """Whether hardly anything in a line can be a number."""
    read = sum(
        tokens.probability(places[cell].candidates) > tokens.LEGIBLE and places[cell].candidates[0][0] != "X"
        for cell in line
    )
    return len(line) >= FEWEST and _without_gaps(line) and read <= READ * len(line)


def _without_gaps(line: Sequence[Cell]) -> bool:
    """Whether cells of one row or column stand side by side."""
    return line[-1][0] - line[0][0] + line[-1][1] - line[0][1] == len(line) - 1
