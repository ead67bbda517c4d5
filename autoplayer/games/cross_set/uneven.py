"""Boards whose cells are as broad as what stands in them, as in a page whose rows share their breadth out: as many rows
as columns, all cells of one height, but no lattice. Knows nothing of what stands in the cells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autoplayer.core.frame import Box, Cell, Mask
from autoplayer.vision import lattice

BROADEST = 4.0
"""The longer side of such a cell at most, as a multiple of the shorter one: one may hold many candidates."""

OF_ONE_HEIGHT = 0.05
"""Cells of one board differ in height by less than this share of it."""

IN_A_ROW = 0.1
"""The middles of the cells of a row differ by less than this share of their height."""

STEPS = 0.06
"""The distances between the rows of a board differ by less than this share."""

UNLIKE = 0.06
"""Where the breadths of cells, or the places of a column's, differ by less than this share of the usual breadth they
stand on a lattice."""

WIDE_GAP = 0.6
"""Two neighbours are no farther apart than this share of a cell's usual breadth."""


def cells_of_rows(strength: Mask, threshold: float, smallest: int, largest: int) -> Iterator[dict[Cell, Box]]:
    """The insides of the cells, in window pixels, of what may be such a board with ``smallest`` to ``largest`` rows,
    the one with most cells first. ``strength``: that of the edges; ``threshold``: from which on something is a
    wall."""
    boxes = lattice.regions(lattice.areas(strength, threshold), BROADEST)
    found = []
    for group in lattice.groups(boxes, OF_ONE_HEIGHT, by_width=False):
        if len(group) < smallest**2:
            break
        rows = _rows(group)
        for size in range(smallest, min(largest, len(rows)) + 1):
            for first in range(len(rows) - size + 1):
                block = rows[first : first + size]
                if all(len(row) == size for row in block) and _is_board(np.stack(block)):
                    found.append(block)
    for block in sorted(found, key=len, reverse=True):
        yield {(r, c): Box(*(int(v) for v in box)) for r, row in enumerate(block) for c, box in enumerate(row)}


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
    if np.ptp(steps) > STEPS * steps.mean() or gaps.min() < 0 or gaps.max() > WIDE_GAP * breadth:
        return False
    middles = x + w / 2
    pitch = np.diff(np.median(middles, axis=0))
    regular = max(np.ptp(w), np.ptp(middles, axis=0).max(), np.ptp(pitch)) < UNLIKE * breadth
    return not regular
