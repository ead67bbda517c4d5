"""Generates puzzles of Cross Set with exactly one solution, proven by the solver. The same arguments give the same
puzzle.

First a random Latin square, then candidates around it; as long as there is another solution, one of the candidates that
it needs is removed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from random import Random

from autoplayer.core.deadline import Deadline
from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import Puzzle, Solution
from autoplayer.games.cross_set.solver import exactly_once, solutions
from autoplayer.search.sat import Sat

SMALLEST = 3
"""The game has 4 to 9 rows; a board of two is settled by its first cell."""
LARGEST = 25
LARGEST_MAXIMAL = 9
"""A maximal board of this size takes a quarter of a second, one of 10x10 may take half a minute."""
MOST_CANDIDATES = 5
"""In a cell of an ordinary board, as in the real game."""
AT_ONCE = 8
"""Other solutions that are looked for at a time, and broken together."""


def generate(rows: int, columns: int, seed: int) -> Puzzle:
    """A board like those of the real game: cells with one to five candidates; the average is drawn at random.

    Raises UsageError for a size that cannot be generated.
    """
    size = _size(rows, columns, LARGEST)
    random = Random(f"cross-set {size} {seed}")
    square = latin_square(size, random)
    mean = random.uniform(2.0, min(size, MOST_CANDIDATES))
    while True:
        cells = {cell: {number} for cell, number in _numbers(square)}
        for own in cells.values():
            count = min(max(1, round(random.gauss(mean, 1.0))), size, MOST_CANDIDATES)
            others = [n for n in range(1, size + 1) if n not in own]
            own.update(random.sample(others, count - 1))
        _carve(cells, square, random)
        puzzle = _shuffled(cells, size, random)
        if any(cell[0] != number for (r, c), number in _numbers(square) for cell in [puzzle.rows[r][c]]):
            return puzzle


def maximal(rows: int, columns: int, seed: int) -> Puzzle:
    """A board to which no candidate can be added without a second solution: the hardest kind there is.

    Raises UsageError for a size that cannot be made.
    """
    size = _size(rows, columns, LARGEST_MAXIMAL)
    random = Random(f"cross-set maximal {size} {seed}")
    square = latin_square(size, random)
    meaning, clauses = exactly_once([(1 << size) - 1] * size**2, size)
    own = {at for at, (cell, bit) in enumerate(meaning, 1) if square[cell // size][cell % size] == bit.bit_length()}
    never = Deadline(math.inf)
    away: list[int] = []
    with Sat([*clauses, [-at for at in own]]) as sat:
        while isinstance(model := sat.solve(never, assume=[-at for at in away]), list):
            away.append(random.choice([at for at in model if at > 0 and at not in own]))
        # The last ones away were needed when they went; the first ones perhaps are no more.
        random.shuffle(away)
        needed: list[int] = []
        while away:
            at = away.pop()
            if sat.solve(never, assume=[-other for other in away]):
                needed.append(at)
                sat.add([[-at]])
    gone = {meaning[at - 1] for at in needed}
    cells = {
        (i // size, i % size): {n for n in range(1, size + 1) if (i, 1 << (n - 1)) not in gone} for i in range(size**2)
    }
    return _shuffled(cells, size, random)


def latin_square(size: int, random: Random) -> Solution:
    """A random Latin square: from the cyclic one by switching cycles of two rows, on the square and on its transpose.

    In two rows, the columns in which the numbers form a cycle can swap their numbers.
    """
    square = [[(r + c) % size + 1 for c in range(size)] for r in range(size)]
    random.shuffle(square)
    for _ in range(6 * size if size > 1 else 0):
        for _ in range(4):
            first, second = random.sample(square, 2)
            place = {number: c for c, number in enumerate(first)}
            c = start = random.randrange(size)
            while True:
                first[c], second[c] = second[c], first[c]
                c = place[first[c]]
                if c == start:
                    break
        square = [list(column) for column in zip(*square, strict=True)]
    names = random.sample(range(1, size + 1), size)
    return tuple(tuple(names[number - 1] for number in row) for row in square)


def _size(rows: int, columns: int, largest: int) -> int:
    if rows != columns:
        raise UsageError(f"a board of Cross Set is square, but {columns}x{rows} was asked for")
    if not SMALLEST <= rows <= largest:
        raise UsageError(f"a board has {SMALLEST} to {largest} rows and columns, but {columns}x{rows} was asked for")
    return rows


def _numbers(square: Solution) -> Iterator[tuple[Cell, int]]:
    return (((r, c), number) for r, row in enumerate(square) for c, number in enumerate(row))


def _carve(cells: dict[Cell, set[int]], square: Solution, random: Random) -> None:
    """Remove candidates until ``square`` is the only solution: of every other solution one of its numbers in some
    cell."""
    size = len(square)
    while True:
        puzzle = Puzzle(tuple(tuple(tuple(sorted(cells[r, c])) for c in range(size)) for r in range(size)))
        rivals = list(islice((each for each in solutions(puzzle, Deadline(math.inf)) if each != square), AT_ONCE))
        if not rivals:
            return
        for rival in rivals:
            strange = [(cell, number) for cell, number in _numbers(rival) if number != square[cell[0]][cell[1]]]
            if all(number in cells[cell] for cell, number in strange):
                (r, c), number = random.choice(strange)
                cells[r, c].remove(number)


def _shuffled(cells: dict[Cell, set[int]], size: int, random: Random) -> Puzzle:
    """The candidates of each cell in a random order."""
    return Puzzle(
        tuple(
            tuple(tuple(random.sample(sorted(cells[r, c]), len(cells[r, c]))) for c in range(size)) for r in range(size)
        )
    )
