"""Tells which cells of a board of Cross Set cannot be turned: they have another colour than those that can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle
from autoplayer.games.cross_set.seeing.board import Board
from autoplayer.games.cross_set.seeing.ordering.looks import OTHER_GROUND


def locking(board: Board, puzzle: Puzzle) -> tuple[Floats, frozenset[Cell]]:
    """The colour of the cells that can be turned, and the cells that have another: the locked ones."""
    grounds = board.sheet.grounds
    kinds = _kinds(grounds)

    def several(kind: tuple[Floats, list[Cell]]) -> int:
        return sum(len(puzzle.rows[r][c]) > 1 for r, c in kind[1])

    # A cell with a single candidate cannot be turned: where colours differ, the free colour is that of the others. But
    # most of the rows may be right already, and be coloured for it.
    open_kinds = [kind for kind in kinds if several(kind) and not _shows_lines(set(kind[1]), puzzle.rows)] or kinds
    _, members = max(open_kinds, key=lambda kind: (several(kind), len(kind[1])))
    colour = np.asarray(np.median([grounds[cell] for cell in members], axis=0), np.float32)
    return colour, locked(grounds, colour, puzzle.rows)


def locked(grounds: Mapping[Cell, Floats], free: Floats, rows: Sequence[Sequence[Candidates]]) -> frozenset[Cell]:
    """The cells that look locked: of another colour than ``free``, and not because they are in a row or column that is
    right. ``rows``: the candidates of each cell, the active one first."""
    every = np.stack(list(grounds.values()))
    unlike = np.abs(every - free).max(axis=1) > OTHER_GROUND
    other = {cell for cell, one in zip(grounds, unlike.tolist(), strict=True) if one}
    kinds = [set(members) for _, members in _kinds({cell: grounds[cell] for cell in other})]
    shown = [members for members in kinds if _shows_lines(members, rows, other)]
    return frozenset(other.difference(*shown))


def _kinds(grounds: Mapping[Cell, Floats]) -> list[tuple[Floats, list[Cell]]]:
    """The cells of each colour, row by row, with the colour of the first of them."""
    cells = sorted(grounds)
    colours = np.array([grounds[cell] for cell in cells])
    left = np.arange(len(cells))
    kinds = []
    while len(left):
        alike = np.abs(colours[left] - colours[left[0]]).max(axis=1) <= OTHER_GROUND
        kinds.append((grounds[cells[left[0]]], [cells[i] for i in left[alike]]))
        left = left[~alike]
    return kinds


def _alike(one: Floats, other: Floats) -> bool:
    """Whether two colours, BGR, belong to the same kind of cells."""
    return float(np.abs(one - other).max()) <= OTHER_GROUND


def lone(grounds: Mapping[Cell, Floats]) -> Cell | None:
    """The only cell of its colour; None if there is none, or several."""
    found = [c for c, own in grounds.items() if not any(_alike(own, other) for d, other in grounds.items() if d != c)]
    return found[0] if len(found) == 1 else None


def _shows_lines(
    members: set[Cell], rows: Sequence[Sequence[Candidates]], with_others: set[Cell] | None = None
) -> bool:
    """Whether some cells of one colour are all the turnable ones in their rows and columns, and the active numbers of
    these lines are all different: many windows colour correct lines. ``with_others``: cells that may complete those
    lines."""
    coloured = members | (with_others or set())
    turning = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if len(cell) > 1}
    n = len(rows)
    lines = [[(r, c) for c in range(n)] for r in range(n)] + [[(r, c) for r in range(n)] for c in range(n)]
    right = [line for line in lines if len({rows[r][c][0] for r, c in line}) == n]
    explained = set().union(*(line for line in right if turning.intersection(line) <= coloured))
    return len(members & turning) > 1 and members & turning <= explained
