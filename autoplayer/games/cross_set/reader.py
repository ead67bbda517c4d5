"""Reads a board of Cross Set from a picture of any window: every candidate of every cell in order, the places, the
doubts, which cells are locked, where the cursor of a window played by keys stands; and, in later pictures of the same
window, how the cells have been turned.

The board is found first (``board``), then what each cell holds (``cells``). What is not certain leaves here as a doubt;
the rules decide it in ``settle``.
"""

from __future__ import annotations

import itertools

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Doubt, Reading, Spot
from autoplayer.games.cross_set import cells
from autoplayer.games.cross_set.board import Board, find
from autoplayer.games.cross_set.cells import JUNK, Glyph
from autoplayer.games.cross_set.puzzle import Puzzle
from autoplayer.layout import Layout

CERTAIN = 0.985
"""A glyph less probable than this is a doubt: there are hundreds of glyphs, and the rules settle most of them."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

LEGIBLE = 0.7
"""The worth of a board at least: below this it is some other table of numbers."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). Raises UnreadableError with the reason where no board is seen."""
    board = find(image)
    if board is None:
        raise UnreadableError("no board of Cross Set is seen: no square lattice of cells with numbers in them")
    if board.worth < LEGIBLE:
        raise UnreadableError(
            f"no board of Cross Set is seen: a lattice of {board.size} by {board.size} cells, but what stands in them is"
            f" not every number from 1 to {board.size} in every row and column"
        )
    return _reading(image, board)


def _reading(image: Image, board: Board) -> Reading[Puzzle]:
    rows: list[list[tuple[int, ...]]] = [[() for _ in range(board.size)] for _ in range(board.size)]
    spots: dict[int, list[Spot]] = {}
    clusters: dict[int, Glyph] = {}
    doubts: list[Doubt] = []
    for (r, c), glyphs in sorted(board.sheet.glyphs.items()):
        kept = [g for g in glyphs if g.chances.get(JUNK, 0.0) < CERTAIN]
        said = cells.chosen(kept, board.size)
        if not said:
            rows[r][c] = (1,)
            doubts.append(Doubt(((r, c),), _anything(board.size)))
            continue
        rows[r][c] = tuple(int(token) for _, token in said)
        for index, (g, token) in enumerate(said):
            spots.setdefault(g.cluster, []).append((r, c, index))
            clusters[g.cluster] = g
            del token
    confidence = 1.0
    for number, g in clusters.items():
        top = max(g.chances.values())
        confidence *= top
        if g.chance < CERTAIN:
            ranked = sorted(((t, p) for t, p in g.chances.items() if p >= NEGLIGIBLE), key=lambda pair: -pair[1])
            doubts.append(Doubt(tuple(spots[number]), tuple(ranked)))
    return Reading(
        puzzle=Puzzle(tuple(map(tuple, rows))),
        places=dict(board.places),
        doubts=tuple(doubts),
        confidence=confidence,
        image=image,
        extra={"board": board},
    )


def _anything(size: int) -> tuple[tuple[str, float], ...]:
    """What a cell may hold in which nothing can be read: any number, or two."""
    between = "," if size > 9 else ""
    numbers = [str(n) for n in range(1, size + 1)]
    texts = numbers + [between.join(pair) for pair in itertools.permutations(numbers, 2)]
    return tuple((text, 1 / len(texts)) for text in texts)
