"""Chains drawn as marks between the cells that they link (arrows, dots, clasps), with nothing new in the cells
themselves; and what such links, of whatever kind, mean for the cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cardinal_chains.puzzle import Puzzle

FROM, ALONG = 0.8, (0.3, 0.7)
"""The patch in which a mark is looked for: from this part of one cell across to the next one, along this part of the
side."""

LEAST_MARK = 40
"""How far (of 255) a pixel of a mark is from what was there before, at least: themes that breathe change less."""

LEAST_SHARE = 0.1
"""The least share of the patch that a mark takes: a dot of a tenth of the pitch."""

LINE_FROM, PIECES, LEAST_PIECE = 0.7, 6, 0.05
"""A line is looked for on a longer way: from this part of one cell, beside its number, as far into the next one. It is
seen in each of so many pieces of that way, in at least this share of a piece: a glow around a line through one cell
does not reach the others, and a thin wall drawn over a line hides no whole piece."""

BESIDE = 0.1, 0.25
"""The parts of the side, from each end, that are beside a line: it differs from them, while a fill is the same."""

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


def marked(
    places: Mapping[Cell, Box],
    puzzle: Puzzle,
    before: Image,
    now: Image,
    *,
    lines: bool = False,
    needed: Collection[Cell] = (),
) -> Mapping[Cell, int] | None:
    """To which start (its index in ``puzzle.starts``) each cell is linked by marks between cells that came since
    ``before`` (both BGR, of one size); without the starts. ``lines``: only marks that reach from one number to the
    next one count. None if there are more of them than chains have links, if one leads out of the board, as the
    outline around a cell does, or if none is at a cell of ``needed``: that is looked at first."""
    has = _has_line if lines else _has_mark
    beside = pairs(places, puzzle)
    looked: dict[tuple[Cell, Cell], bool] = {}

    def links(pair: tuple[Cell, Cell]) -> bool:
        if pair not in looked:
            one, other = pair
            looked[pair] = has(places[one], places[other], one[0] == other[0], before, now)
        return looked[pair]

    around: dict[Cell, list[tuple[Cell, Cell]]] = {}
    for pair in beside:
        for cell in pair:
            around.setdefault(cell, []).append(pair)
    if not all(any(map(links, around.get(cell, ()))) for cell in needed):
        return None
    for cell, (down, right), out in outside(places, puzzle):
        ends = (places[cell], out) if down + right > 0 else (out, places[cell])
        if has(*ends, right != 0, before, now):
            return None
    return linked([pair for pair in beside if links(pair)], puzzle)


def linked(links: Collection[tuple[Cell, Cell]], puzzle: Puzzle) -> Mapping[Cell, int] | None:
    """To which start (its index) each cell is linked; without the starts. None if a cell has more links than a chain
    gives it, or if two starts hang together."""
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
            elif owner[near] != owner[cell]:
                return None
    return {cell: index for cell, index in owner.items() if cell not in starts}


def _has_mark(one: Box, other: Box, level: bool, before: Image, now: Image) -> bool:
    """Whether something new stands between two boxes, the second to the right of the first (``level``) or below it."""
    new = _new(one, other, level, FROM, before, now)
    return new is not None and bool((new.max(axis=2) > LEAST_MARK).mean() >= LEAST_SHARE)


def _has_line(one: Box, other: Box, level: bool, before: Image, now: Image) -> bool:
    """Whether a new line leads from one box into the other, without a gap."""
    if _new(one, other, level, LINE_FROM, before, now) is None:
        return False  # as between most cells: the rest takes longer
    stands_off = _line(one, other, level, now)
    if not _is_whole(stands_off):
        return False
    return _is_whole(stands_off - _line(one, other, level, before))


def _is_whole(off: Floats) -> bool:
    """Whether pixels that are so far from what is beside them make a line from the left to the right."""
    across = (off > LEAST_MARK).mean(axis=0) if off.size else np.zeros(0)
    return len(across) >= PIECES and all(piece.mean() >= LEAST_PIECE for piece in np.array_split(across, PIECES))


def _new(one: Box, other: Box, level: bool, start: float, before: Image, now: Image) -> Image | None:
    """How far each pixel of the way from box to box is from what was there before; None if nothing is new."""
    was, new = (_patch(one, other, level, start, ALONG, image) for image in (before, now))
    moved = np.asarray(cv2.absdiff(was, new), np.uint8) if new.size else new
    return moved if moved.size and int(moved.max()) > LEAST_MARK else None


def _line(one: Box, other: Box, level: bool, image: Image) -> Floats:
    """How far each pixel where a line may be is from what is beside it, 0 to 255; the way from box to box is
    horizontal."""
    low, high = BESIDE
    beside = [_patch(one, other, level, LINE_FROM, ends, image) for ends in ((low, high), (1 - high, 1 - low))]
    way = _patch(one, other, level, LINE_FROM, ALONG, image)
    if not way.size or not all(part.size for part in beside):
        return np.zeros((0, 0), np.float32)
    usual = np.median(np.concatenate(beside), axis=0).astype(np.float32)
    return largest_channel(np.abs(way.astype(np.float32) - usual))


def _patch(one: Box, other: Box, level: bool, start: float, along: tuple[float, float], image: Image) -> Image:
    """What ``image`` shows from the part ``start`` of one box as far into the other, and between two parts of the side
    (``along``); turned so that the way from box to box is horizontal."""
    if not level:
        image = image.transpose(1, 0, 2)
        one, other = (Box(box.y, box.x, box.height, box.width) for box in (one, other))
    xs = one.x + start * one.width, other.x + (1 - start) * other.width
    ys = one.y + along[0] * one.height, one.y + along[1] * one.height
    left, top = max(round(xs[0]), 0), max(round(ys[0]), 0)
    return image[top : max(round(ys[1]), top + 1), left : max(round(xs[1]), left + 1)]
