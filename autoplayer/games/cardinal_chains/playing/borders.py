"""Chains drawn as borders: the window draws a line around all cells of a chain, and nothing in them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cardinal_chains.playing.between import outside, pairs
from autoplayer.games.cardinal_chains.playing.samples import ONE_COLOUR, Compared
from autoplayer.games.cardinal_chains.puzzle import Puzzle

FROM, ALONG = 0.75, (0.25, 0.75)
"""The strip in which a border is looked for: from this part of one cell across to the next one, along this part of the
side. A border may run on the cells' side or within it."""

LEAST_BORDER = 40
"""How far (of 255) a pixel of a border is from what was there before, at least: themes that breathe change less."""

WHOLE = 0.9
"""The least part of the strip's length that a border takes: a chain's line that crosses the side takes less."""

MIDDLE, LEAST_CHANGE = slice(5, 15), 0.03
"""The samples in the middle of a cell, where its number stands and no border reaches; and the least share of them that
a chain changes otherwise."""


def bordered(places: Mapping[Cell, Box], puzzle: Puzzle, before: Image, now: Image) -> Mapping[Cell, int]:
    """Which cells stand within a border that came since ``before`` (both BGR, of one size), each with the start (its
    index in ``puzzle.starts``) that stands there too; without the starts. Empty if some border parts cells that hang
    together around its end, as a mark between two cells does.

    What is left between borders has none where it meets a hole or the board's edge, so it is not taken for a chain.
    """
    linked: dict[Cell, list[Cell]] = {cell: [] for cell in places}
    parted = []
    for a, b in pairs(places, puzzle):
        if _has_border(places[a], places[b], a[0] == b[0], before, now):
            parted.append((a, b))
        else:
            linked[a].append(b)
            linked[b].append(a)
    sides = outside(places, puzzle)
    open_sides = {
        cell
        for cell, (down, right), out in sides
        if not _has_border(*((places[cell], out) if down + right > 0 else (out, places[cell])), right != 0, before, now)
    }
    owner: dict[Cell, int] = {}
    for index, start in enumerate(puzzle.starts):
        part = _part(start, linked)
        if any(a in part and b in part for a, b in parted):
            return {}
        rim = {cell for cell, *_ in sides if cell in part}
        if rim and not rim & open_sides and len(part & set(puzzle.starts)) == 1:
            owner |= dict.fromkeys(part - {start}, index)
    return owner


def keep_their_middles(seen: Compared) -> bool:
    """Whether nothing has changed in the middle of any cell but the starts."""
    middles = [some[:, MIDDLE, MIDDLE] for some in (seen.before, seen.now)]
    moved = (np.linalg.norm(middles[1] - middles[0], axis=3) > ONE_COLOUR).mean(axis=(1, 2))
    moved[seen.starts] = 0
    return bool((moved < LEAST_CHANGE).all())


def _part(start: Cell, linked: Mapping[Cell, list[Cell]]) -> set[Cell]:
    """The cells that hang together with ``start``."""
    part, queue = {start}, [start]
    for cell in queue:
        for near in linked.get(cell, []):
            if near not in part:
                part.add(near)
                queue.append(near)
    return part


def _has_border(one: Box, other: Box, level: bool, before: Image, now: Image) -> bool:
    """Whether a line came between two boxes, the second to the right of the first (``level``) or below it."""
    if not level:
        before, now = before.transpose(1, 0, 2), now.transpose(1, 0, 2)
        one, other = (Box(box.y, box.x, box.height, box.width) for box in (one, other))
    left, right = round(one.x + FROM * one.width), round(other.x + (1 - FROM) * other.width)
    top, bottom = (round(one.y + part * one.height) for part in ALONG)
    strip = np.s_[max(top, 0) : max(bottom, top + 1, 1), max(left, 0) : max(right, left + 1, 1)]
    moved = np.abs(now[strip].astype(np.int16) - before[strip]).max(axis=2) > LEAST_BORDER
    return bool(moved.size and moved.mean(axis=0).max() >= WHOLE)
