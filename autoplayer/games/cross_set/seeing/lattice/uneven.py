"""Finds boards whose cells adapt their width or height to their content: as in a web page that distributes the width of
a row, in a table, or where text wraps. As many rows as columns, but no lattice. Knows nothing of the cells' content."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autoplayer.core.frame import Box, Cell, Mask
from autoplayer.vision import lattice

BROADEST = 4.0
"""The greatest ratio of a cell's longer side to its shorter one: a cell may hold many candidates."""

OF_ONE_HEIGHT = 0.05
"""Cells of one board differ in height by less than this share of it."""

IN_A_ROW = 0.1
"""The middles of the cells of a row differ by less than this share of their height."""

IN_A_COLUMN = 0.03
"""The left and right sides of the cells of a column, or the upper or lower sides of a row, differ by less than this
share of the usual size of a cell, or by two pixels."""

STEPS = 0.06
"""The distances between the rows of a board differ by less than this share."""

UNLIKE = 0.06
"""If the widths of cells, or the positions of a column's cells, differ by less than this share of the usual width, they
stand on a lattice."""

WIDE_GAP, IN_LINE = 0.6, 1.2
"""Two neighbours are no farther apart than the first share of a cell's usual width; or the second, if rows and columns
are aligned, or all neighbours are equally far apart."""

MOST = 3000
"""The most boxes; with more there is texture, or text."""


def cells_of_rows(strength: Mask, threshold: float, smallest: int, largest: int) -> Iterator[dict[Cell, Box]]:
    """The insides of the cells, in window pixels, of possible boards of this kind with ``smallest`` to ``largest``
    rows, the one with most cells first. ``strength``: that of the edges; ``threshold``: the least strength of a
    wall."""
    boxes = lattice.regions(lattice.areas(strength, threshold), BROADEST)
    found = [*_of_one_height(boxes, smallest, largest), *_in_columns(boxes, smallest, largest)]
    for block in sorted(found, key=len, reverse=True):
        yield {(r, c): Box(*(int(v) for v in box)) for r, row in enumerate(block) for c, box in enumerate(row)}


def _of_one_height(boxes: lattice.Boxes, smallest: int, largest: int) -> Iterator[list[lattice.Boxes]]:
    """Rows of cells of one height and of any width."""
    for group in lattice.groups(boxes, OF_ONE_HEIGHT, by_width=False):
        if len(group) < smallest**2:
            break
        rows = _rows(group)
        for size in range(smallest, min(largest, len(rows)) + 1):
            for first in range(len(rows) - size + 1):
                block = rows[first : first + size]
                if all(len(row) == size for row in block) and _is_board(np.stack(block)):
                    yield block


def _rows(boxes: lattice.Boxes) -> list[lattice.Boxes]:
    """Boxes of one height in rows from above, each from the left."""
    height = float(np.median(boxes[:, 3]))
    middles = boxes[:, 1] + boxes[:, 3] / 2
    order = np.argsort(middles, kind="stable")
    starts = np.flatnonzero(np.diff(middles[order]) > IN_A_ROW * height) + 1
    rows = [boxes[part] for part in np.split(order, starts)]
    return [row[np.argsort(row[:, 0], kind="stable")] for row in rows]


def _is_board(block: lattice.Boxes) -> bool:
    """Whether rows of cells, shape ``(n, n, 4)``, are at equal distances, have no wide gaps, and stand on no
    lattice."""
    x, y, w, h = (block[..., i].astype(float) for i in range(4))
    breadth = float(np.median(w))
    steps = np.diff(np.median(y + h / 2, axis=1))
    gaps = x[:, 1:] - (x + w)[:, :-1]
    widest = IN_LINE if np.ptp(gaps) <= STEPS * breadth else WIDE_GAP
    if np.ptp(steps) > STEPS * steps.mean() or gaps.min() < 0 or gaps.max() > widest * breadth:
        return False
    middles = x + w / 2
    pitch = np.diff(np.median(middles, axis=0))
    regular = max(np.ptp(w), np.ptp(middles, axis=0).max(), np.ptp(pitch)) < UNLIKE * breadth
    return not regular


def _in_columns(boxes: lattice.Boxes, smallest: int, largest: int) -> Iterator[list[lattice.Boxes]]:
    """Columns of cells of one width and of any height; the cells of a row are aligned at the top, at the bottom or
    centrally."""
    if not smallest**2 <= len(boxes) <= MOST:
        return
    columns = _columns(boxes, smallest)
    for share in (0.0, 1.0, 0.5):
        places = [column[:, 1] + share * column[:, 3] for column in columns]
        met: set[tuple[int, ...]] = set()
        for column, own in zip(columns, places, strict=True):
            slack = max(IN_A_COLUMN * float(np.median(column[:, 3])), 2.0)
            beside = [np.abs(other[:, None] - own) <= slack for other in places]
            full = [k for k, near in enumerate(beside) if near.any(axis=0).sum() >= smallest]
            for some in _runs(full, columns, smallest, largest):
                rows = np.flatnonzero(np.logical_and.reduce([beside[k].any(axis=0) for k in some]))
                if len(rows) != len(some) or tuple(some) in met:
                    continue
                met.add(tuple(some))
                block = np.stack([columns[k][beside[k].argmax(axis=0)[rows]] for k in some], axis=1)
                others = [
                    columns[k][beside[k].argmax(axis=0)[rows]]
                    for k in full
                    if k not in some and beside[k].any(axis=0)[rows].all()
                ]
                if _is_grid(block) and not any(_goes_on(block, other) for other in others):
                    yield list(block)


def _columns(boxes: lattice.Boxes, smallest: int) -> list[lattice.Boxes]:
    """Boxes with the same sides, one below the other, from above; the columns from the left."""
    left, right = boxes[:, 0], boxes[:, 0] + boxes[:, 2]
    slack = np.maximum(IN_A_COLUMN * boxes[:, 2], 2.0)
    free = np.ones(len(boxes), bool)
    found = []
    for k in np.lexsort((boxes[:, 1], left)).tolist():
        if free[k]:
            same = free & (np.abs(left - left[k]) <= slack[k]) & (np.abs(right - right[k]) <= slack[k])
            free &= ~same
            column = boxes[same]
            column = column[np.argsort(column[:, 1], kind="stable")]
            if len(column) >= smallest and (np.diff(column[:, 1]) >= column[:-1, 3]).all():
                found.append(column)
    return found


def _runs(full: list[int], columns: list[lattice.Boxes], smallest: int, largest: int) -> Iterator[list[int]]:
    """Adjacent columns, the longest runs first. Columns that lie inside others do not count as adjacent to them."""
    outer = [
        k
        for k in full
        if not any(
            columns[o][0, 0] <= columns[k][0, 0]
            and columns[o][0, :3:2].sum() >= columns[k][0, :3:2].sum()
            and columns[o][0, 2] > columns[k][0, 2]
            for o in full
        )
    ]
    for size in range(min(len(outer), largest), smallest - 1, -1):
        yield from (outer[first : first + size] for first in range(len(outer) - size + 1))


def _is_grid(block: lattice.Boxes) -> bool:
    """Whether cells, shape ``(n, n, 4)``, have equal and narrow gaps between their columns, and between the lowest edge
    of one row and the highest of the next; and stand on no lattice."""
    x, y, w, h = (block[..., i].astype(float) for i in range(4))
    across = x[:, 1:].min(axis=0) - (x + w)[:, :-1].max(axis=0)
    down = y[1:].min(axis=1) - (y + h)[:-1].max(axis=1)
    for gaps, usual in ((across, float(np.median(w))), (down, float(np.median(h)))):
        if gaps.min() < 0 or gaps.max() > IN_LINE * usual or np.ptp(gaps) > STEPS * usual + 2:
            return False
    return any(np.ptp(side) >= max(UNLIKE * np.median(side), 3) for side in (w, h))


def _goes_on(block: lattice.Boxes, column: lattice.Boxes) -> bool:
    """Whether a further ``column`` of cells, shape ``(n, 4)``, stands beside those of a ``block``, shape ``(n, n, 4)``,
    as its own columns stand beside each other: then the block is part of a larger one that is not completely on the
    page."""
    left, right = block[..., 0].min(axis=0), (block[..., 0] + block[..., 2]).max(axis=0)
    usual, gap = float(np.median(block[..., 2])), float(np.median(left[1:] - right[:-1]))
    before, behind = int(column[:, 0].min()), int((column[:, 0] + column[:, 2]).max())
    beside = left[0] - behind if behind <= left[0] else before - right[-1]
    return abs(float(beside) - gap) <= STEPS * usual + 2
