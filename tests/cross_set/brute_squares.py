"""Trying everything, known levels and strategies: what the tests of Cross Set share. Shares nothing with the solver."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import strategies as st

from autoplayer.games.cross_set.puzzle import Puzzle, Solution

LEVELS = Path(__file__).resolve().parents[3] / "shared" / "levels" / "cross-set"

LEVEL_2_8 = """
512 736 463 524 241 256 347
756 746 136 346 423 745 614
457 235 267 235 573 673 127
513 156 623 7 625 235 462
735 564 725 137 712 524 251
361 271 413 473 356 412 257
514 513 237 462 246 125 257
"""
SOLVED_2_8 = (
    (2, 7, 4, 5, 1, 6, 3),
    (7, 4, 1, 3, 2, 5, 6),
    (4, 5, 6, 2, 3, 7, 1),
    (5, 1, 2, 7, 6, 3, 4),
    (3, 6, 5, 1, 7, 4, 2),
    (6, 2, 3, 4, 5, 1, 7),
    (1, 3, 7, 6, 4, 2, 5),
)
LEVEL_3_4 = """
512 534 352 123 53
125 235 1345 125 42
45 53 312 241 412
1234 134 3452 23 24
453 423 1245 4523 4512
"""
SOLVED_3_4 = ((5, 4, 2, 1, 3), (1, 3, 4, 5, 2), (4, 5, 3, 2, 1), (2, 1, 5, 3, 4), (3, 2, 1, 4, 5))


def packs() -> list[tuple[str, str]]:
    """Every level of the packs, with its name. Skips the test where they are not there."""
    if not LEVELS.exists():
        pytest.skip(f"the level packs are not there ({LEVELS})")
    found = []
    for path in sorted(LEVELS.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            if block.strip():
                name, _, text = block.strip().partition("\n")
                found.append((f"{path.stem} {name}", text))
    return found


def all_solutions(puzzle: Puzzle) -> set[Solution]:
    """Row by row, every order of the numbers that the cells and the columns allow."""
    found: list[Solution] = [()]
    for row in puzzle.rows:
        found = [
            (*rows, order)
            for rows in found
            for order in permutations(range(1, puzzle.size + 1))
            if all(n in cell for n, cell in zip(order, row, strict=True))
            and all(order[c] != above[c] for above in rows for c in range(puzzle.size))
        ]
    return set(found)


@st.composite
def boards(draw: st.DrawFn, largest: int = 4) -> Puzzle:
    """Boards around a Latin square, which often have one solution or a few; in half of them one cell is anything, so
    that there may be none."""
    size = draw(st.integers(1, largest))
    rows, columns, names = (draw(st.permutations(range(size))) for _ in range(3))
    square = [[names[(r + c) % size] + 1 for c in columns] for r in rows]
    others = st.sets(st.integers(1, size), max_size=draw(st.integers(0, size)))
    board = [[{number, *draw(others)} for number in line] for line in square]
    if draw(st.booleans()):
        r, c = draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))
        board[r][c] = draw(st.sets(st.integers(1, size), min_size=1))
    return Puzzle(tuple(tuple(tuple(draw(st.permutations(sorted(cell)))) for cell in line) for line in board))
