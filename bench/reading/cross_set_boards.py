"""What stands on a board of Cross Set: levels of remakes, and boards made here. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autoplayer.core.errors import PuzzleError
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle, faults, parse
from autoplayer.games.cross_set.solver import solve
from bench.reading import strange
from bench.reading.faces import Side
from bench.reading.strange import Random, choose

LEVELS = Path(__file__).resolve().parents[3] / "shared/levels/cross-set"
"""Levels of remakes, beside the project on some machines; boards made here take their place elsewhere."""

SOLVE_SECONDS = 2.0

SIZES_LARGE = {10: 3.0, 11: 1.0, 12: 3.0, 14: 0.6, 16: 0.6}
"""Sizes of boards with numbers of two digits: the larger ones only fit into large windows."""


@dataclass(frozen=True)
class Content:
    puzzle: Puzzle
    origin: str


@lru_cache(maxsize=1)
def _levels() -> tuple[Puzzle, ...]:
    puzzles = []
    for path in sorted(LEVELS.glob("*.txt")) if LEVELS.is_dir() else []:
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            try:
                puzzle = parse(block)
            except PuzzleError:
                continue
            if 4 <= puzzle.size <= 9 and not faults(puzzle):
                puzzles.append(puzzle)
    return tuple(puzzles)


def _square(rng: Random, size: int) -> list[list[int]]:
    """A Latin square: a cyclic one, shuffled."""
    rows, columns, numbers = (rng.permutation(size) for _ in range(3))
    return [[int(numbers[(r + c) % size]) + 1 for c in columns] for r in rows]


def made(rng: Random, size: int, most: int) -> Puzzle:
    """A board with one solution and up to ``most`` candidates in a cell: a Latin square, and further candidates as long
    as there is no second solution; each cell's in any order."""
    square = _square(rng, size)
    cells: list[list[Candidates]] = [[(n,) for n in row] for row in square]
    places = [(r, c) for r in range(size) for c in range(size)]
    for start in range(0, 3 * size):
        chosen = [places[int(i)] for i in rng.choice(len(places), max(size * most // 4, 2), replace=False)]
        before = [list(row) for row in cells]
        for r, c in chosen:
            free = [n for n in range(1, size + 1) if n not in cells[r][c]]
            if free and len(cells[r][c]) < most:
                cells[r][c] += (int(rng.choice(free)),)
        board = Puzzle(tuple(map(tuple, cells)))
        if solve(board, time_limit=SOLVE_SECONDS).unique is not True:
            cells = before
            if start > size and all(len(cell) > 1 for row in cells for cell in row):
                break
    return Puzzle(tuple(tuple(tuple(int(n) for n in rng.permutation(cell)) for cell in row) for row in cells))


def content_for(seed: int, side: Side, most: int, large: bool = False) -> Content:
    """What stands on the board of a seed, with up to ``most`` candidates in a cell. ``large``: larger than 9x9."""
    rng = strange.stream(seed, "content", side, *(("large",) if large else ()))
    if large:
        size = choose(rng, SIZES_LARGE)
        return Content(made(rng, size, min(choose(rng, {2: 1.0, 3: 3.0, 4: 2.0, 5: 1.0}), most)), "generated")
    levels = [p for p in _levels() if max(len(cell) for row in p.rows for cell in row) <= most]
    if levels and rng.random() < 0.4:
        puzzle = levels[int(rng.integers(len(levels)))]
        # Some clicks were made already: the truth is what stands there now.
        turns = rng.integers(0, 9, (puzzle.size, puzzle.size)) * (rng.random() < 0.5)
        rows = tuple(
            tuple(cell[t % len(cell) :] + cell[: t % len(cell)] for cell, t in zip(row, turn, strict=True))
            for row, turn in zip(puzzle.rows, turns.tolist(), strict=True)
        )
        return Content(Puzzle(rows), "level")
    size = choose(rng, {4: 2.0, 5: 2.0, 6: 2.0, 7: 2.0, 8: 1.5, 9: 2.0})
    return Content(
        made(rng, size, min(choose(rng, {2: 1.0, 3: 3.0, 4: 2.0, 5: 1.5, 7: 0.5, 9: 0.7}), most, size)), "generated"
    )
