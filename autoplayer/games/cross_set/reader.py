"""Reads a board of Cross Set from a picture of any window: every candidate of every cell in order, the positions, the
doubts, and which cells are locked (``locking``). ``turning`` reads later pictures of the same window: how cells have
been turned, and where the cursor of a window played by keys stands.

The board is found first (``board``), then what each cell holds (``cells``). What is not certain becomes a doubt
(``doubts``), which the rules decide in ``settle``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.errors import LayoutError, UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.base import Doubt, Reading, Spot
from autoplayer.games.cross_set.puzzle import Candidates, Puzzle
from autoplayer.games.cross_set.seeing.board import Board, find, find_at, find_symbols
from autoplayer.games.cross_set.seeing.doubts import NEGLIGIBLE, seen_in
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.seeing.locking import locking
from autoplayer.layout import Layout, templates_folder
from autoplayer.vision import alike, templates, threads
from autoplayer.vision.signs import are_signs

LEGIBLE = 0.7
"""The least score of a board: below this it is some other table of numbers."""

MOSTLY_KNOWN = 0.5
"""The least share of glyphs that match the layout's pictures, on a board of signs."""


@threads.alone()
def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """What stands in ``image`` (BGR). Raises UnreadableError with the reason where no board is seen; LayoutError or
    NotFoundError where the layout's templates, or its board, cannot be used."""
    known = _known(layout)
    signs = _of_signs(image, layout, known)
    if signs is not None:
        return _reading(image, _of_kinds(signs))
    if layout.board is None:
        board = find(image, known)
        where = "no square lattice of cells with numbers in them"
    else:
        board = find_at(image, layout.board, known)
        where = "what stands where the layout says that the board stands cannot be read"
    if board is None or (layout.board is not None and board.worth < LEGIBLE):
        raise UnreadableError(f"no board of Cross Set is seen: {where}")
    if board.worth < LEGIBLE:
        raise UnreadableError(
            f"no board of Cross Set is seen: a lattice of {board.size} by {board.size} cells, but what stands in them"
            f" is not every number from 1 to {board.size} in every row and column"
        )
    return _reading(image, board)


def examine(image: Image, layout: Layout) -> Reading[Puzzle]:
    """As :func:`read`, for a person who can be asked: a glyph in doubt may be any number of the board, or none; and
    where the numbers are symbols that nobody knows, each cluster of equal ones is a doubt."""
    known = _known(layout)
    try:
        board = _of_signs(image, layout, known) or read(image, layout).extra["board"]
        reading = _reading(image, board, asked=True)
    except UnreadableError:
        board = find_symbols(image, layout.board, known)
        if board is None:
            raise
        return _reading(image, board, asked=True)
    numbers = [str(n) for n in range(1, reading.puzzle.size + 1)]
    doubts = []
    for doubt in reading.doubts:
        ranked = dict(doubt.candidates)
        if len(doubt.cells[0]) == 3:
            ranked |= {token: NEGLIGIBLE for token in (*numbers, JUNK) if token not in ranked}
        doubts.append(Doubt(doubt.cells, tuple(ranked.items())))
    return replace(reading, doubts=tuple(doubts))


def _of_signs(image: Image, layout: Layout, known: Sequence[templates.Template]) -> Board | None:
    """The board of a window whose numbers are signs that the layout has pictures of; None where they are digits, or not
    seen."""
    board = find_symbols(image, layout.board, known) if are_signs(known) else None
    return board if board is not None and board.worth >= MOSTLY_KNOWN else None


def _of_kinds(board: Board) -> Board:
    """``board``, with the signs without a picture merged where they are roughly alike: small signs are drawn at
    fractions of a pixel, and fewer different signs give the rules more to work with."""
    glyphs = {g.cluster: g for row in board.sheet.glyphs.values() for g in row if g.chance < CERTAIN}
    kinds = dict(zip(glyphs, templates.kinds([g.piece.ink for g in glyphs.values()]), strict=True))
    first = {kind: number for number, kind in reversed(kinds.items())}
    joined = alike.joint(list(kinds.values()), [g.chances for g in glyphs.values()])
    rows = {
        cell: tuple(
            replace(g, chances=joined[kinds[g.cluster]], cluster=first[kinds[g.cluster]]) if g.cluster in kinds else g
            for g in row
        )
        for cell, row in board.sheet.glyphs.items()
    }
    return replace(board, sheet=replace(board.sheet, glyphs=rows))


def _known(layout: Layout) -> list[templates.Template]:
    """The layout's own glyphs. Raises LayoutError also where its board is not one of Cross Set."""
    if layout.board is not None and layout.board.rows != layout.board.columns:
        raise LayoutError(
            f"expected a layout whose board has as many rows as columns, but it has {layout.board.rows} rows and"
            f" {layout.board.columns} columns"
        )
    return templates.load(templates_folder(layout.templates)) if layout.templates else []


def _reading(image: Image, board: Board, asked: bool = False) -> Reading[Puzzle]:
    """``asked``: a person is asked about each doubtful glyph, and sees what else stands beside it."""
    rows: list[list[Candidates]] = [[() for _ in range(board.size)] for _ in range(board.size)]
    spots: dict[int, list[Spot]] = {}
    clusters: dict[int, Glyph] = {}
    doubts: list[Doubt] = []
    boxes: dict[Spot, Box] = {}
    heights = [g.height for each in board.sheet.glyphs.values() for g in each if g.chance > CERTAIN]
    usual = float(np.median(heights)) if heights else 0.0
    for (r, c), glyphs in sorted(board.sheet.glyphs.items()):
        cell = seen_in((r, c), glyphs, board, usual, asked)
        rows[r][c] = cell.numbers
        # Where a cell holds every number there is nothing that something in it could hide.
        if len(cell.options) > 1:
            doubts.append(Doubt(((r, c),), cell.options))
        for index, g in enumerate(cell.glyphs):
            spots.setdefault(g.cluster, []).append((r, c, index))
            clusters[g.cluster] = g
            boxes[r, c, index] = g.piece.place
    confidence = 1.0
    for number, g in clusters.items():
        confidence *= max(g.chances.values())
        if g.chance < CERTAIN:
            ranked = sorted(((t, p) for t, p in g.chances.items() if p >= NEGLIGIBLE), key=lambda pair: -pair[1])
            doubts.append(Doubt(tuple(spots[number]), tuple(ranked)))
    puzzle = Puzzle(tuple(map(tuple, rows)))
    free, held = locking(board, puzzle)
    return Reading(
        puzzle=puzzle,
        places=dict(board.places),
        doubts=tuple(doubts),
        confidence=confidence,
        image=image,
        glyphs=boxes,
        extra={"board": board, "free": free, "locked": held, "keys": {}},
    )
