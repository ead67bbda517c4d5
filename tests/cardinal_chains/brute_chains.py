"""Every solution of a small board by trying all paths, and random small boards. Shares nothing with the solver."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution

LEVELS = Path(__file__).resolve().parents[3] / "shared" / "levels" / "cardinal-chains"
"""Level packs that are not part of the project; tests that use them are skipped where they are absent."""


@functools.lru_cache(4096)  # hypothesis tries the same boards on rule after rule
def all_solutions(puzzle: Puzzle) -> set[Solution]:
    """Chains in the order of their starts, row by row."""
    board = {(r, c): v for r, row in enumerate(puzzle.rows) for c, v in enumerate(row) if v is not None}
    starts = [cell for cell, value in board.items() if value == 0]

    def extend(chains: list[list[tuple[int, int]]], free: set[tuple[int, int]]) -> Iterator[Solution]:
        # Either the last chain ends here and the next begins, or it goes on.
        if len(chains) < len(starts):
            yield from extend([*chains, [starts[len(chains)]]], free)
        elif not free:
            yield tuple(tuple(chain) for chain in chains)
        r, c = chains[-1][-1]
        for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if near in free and board[near] >= board[r, c]:
                yield from extend([*chains[:-1], [*chains[-1], near]], free - {near})

    if not starts:
        return set() if board else {()}
    return set(extend([[starts[0]]], {cell for cell, value in board.items() if value != 0}))


@st.composite
def boards(draw: st.DrawFn, most_cells: int = 14) -> Puzzle:
    """Boards of up to 4x5 with 1 to 3 starts, holes, and few different numbers, so that many have solutions."""
    height = draw(st.integers(1, 4))
    width = draw(st.integers(1, min(5, most_cells // height)))
    highest = draw(st.integers(1, 3))
    tokens = st.one_of(st.integers(1, highest), st.integers(1, highest), st.integers(1, highest), st.none())
    rows = [[draw(tokens) for _ in range(width)] for _ in range(height)]
    for _ in range(draw(st.integers(1, 3))):
        rows[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = 0
    return Puzzle(tuple(map(tuple, rows)))


def packs(*names: str) -> Iterator[tuple[str, str]]:
    """Name and text of every level in these packs."""
    for name in names:
        for number, block in enumerate((LEVELS / name).read_text(encoding="utf-8").split("\n\n"), 1):
            if block.strip():
                yield f"{name} {number}", block
