"""Chains drawn as marks between the cells that they link (arrows, dots, clasps), with nothing new in the cells
themselves; and what such links, of whatever kind, mean for the cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains.puzzle import Puzzle

FROM, ALONG = 0.8, (0.3, 0.7)
"""The patch in which a mark is looked for: from this part of one cell across to the next one, along this part of the
side."""

LEAST_MARK = 40
"""How far (of 255) a pixel of a mark is from what was there before, at least: themes that breathe change less."""

LEAST_SHARE = 0.1
"""The least share of the patch that a mark takes: a dot of a tenth of the pitch."""

MOST_LINKS = 2
"""The largest number of links that a cell of a chain has: to the cell before it, and to the next one."""


def pairs(places: Mapping[Cell, Box], puzzle: Puzzle) -> list[tuple[Cell, Cell]]:
    """The pairs of neighbouring cells that have a place: a cell and the one to its right or below it."""
    return [
        (cell, near)
        for cell in puzzle.cells
        for near in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1]))
        if near in puzzle.cells and cell in places and near in places
    ]


def outside(places: Mapping[Cell, Box], puzzle: Puzzle) -> list[tuple[Cell, tuple[int, int], Box]]:
    """The places out of the board that lie beside its cells, each with the cell, and the steps down and to the right
    that lead from that to it."""
    cells = places.keys() & puzzle.cells.keys()
    return [
        (cell, (down, right), replace(box, x=box.x + right * box.width, y=box.y + down * box.height))
        for cell, box in places.items()
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
        if cell in cells and (cell[0] + down, cell[1] + right) not in cells
    ]


def marked(places: Mapping[Cell, Box], puzzle: Puzzle, before: Image, now: Image) -> Mapping[Cell, int] | None:
    """To which start (its index in ``puzzle.starts``) each cell is linked by marks between cells that came since
    ``before`` (both BGR, of one size); without the starts. None if there are more of them than chains have links, or if
    one leads out of the board, as the outline around a cell does."""
    for cell, (down, right), out in outside(places, puzzle):
        ends = (places[cell], out) if down + right > 0 else (out, places[cell])
        if _has_mark(*ends, right != 0, before, now):
            return None
    beside = pairs(places, puzzle)
    return linked([(a, b) for a, b in beside if _has_mark(places[a], places[b], a[0] == b[0], before, now)], puzzle)


def linked(links: Collection[tuple[Cell, Cell]], puzzle: Puzzle) -> Mapping[Cell, int] | None:
    """To which start (its index) each cell is linked; without the starts. None if a cell has more links than a chain
    gives it."""
    beside: dict[Cell, list[Cell]] = {}
    for cell, near in links:
        beside.setdefault(cell, []).append(near)
        beside.setdefault(near, []).append(cell)
    starts = {cell: index for index, cell in enumerate(puzzle.starts)}
    if any(len(others) > (1 if cell in starts else MOST_LINKS) for cell, others in beside.items()):
        return None
    owner = dict(starts)
    reached = list(starts)
    for cell in reached:
        for near in beside.get(cell, []):
            if near not in owner:
                owner[near] = owner[cell]
                reached.append(near)
    return {cell: index for cell, index in owner.items() if cell not in starts}


def _has_mark(one: Box, other: Box, level: bool, before: Image, now: Image) -> bool:
    """Whether something new stands between two boxes, the second to the right of the first (``level``) or below it."""
    if level:
        xs = one.x + FROM * one.width, other.x + (1 - FROM) * other.width
        ys = one.y + ALONG[0] * one.height, one.y + ALONG[1] * one.height
    else:
        xs = one.x + ALONG[0] * one.width, one.x + ALONG[1] * one.width
        ys = one.y + FROM * one.height, other.y + (1 - FROM) * other.height
    left, top = max(round(xs[0]), 0), max(round(ys[0]), 0)
    patch = np.s_[top : max(round(ys[1]), top + 1), left : max(round(xs[1]), left + 1)]
    moved = np.abs(now[patch].astype(np.int16) - before[patch])
    return bool(moved.size and (moved.max(axis=2) > LEAST_MARK).mean() >= LEAST_SHARE)
