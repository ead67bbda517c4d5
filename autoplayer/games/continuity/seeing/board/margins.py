"""Finds margins round a board that were read as its outermost cells: a frame may stand exactly one cell away from it,
so that the tiles with the margin are divided into whole cells as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autoplayer.core.frame import Box
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.borders import Axis, divided

GROUND, WALLS = 0.75, 0.4
"""The least share of the outermost cells of a board that looks like the empty place, if they are a margin (a part of
them is the frame's line); and the most of the walls in all other cells."""


def without_margins(
    boxes: Sequence[Box], columns: int, blank: int, size: tuple[int, int], solid: Bools, ground: Bools
) -> tuple[Axis, Axis] | None:
    """The rows and columns of touching tiles without a margin of one cell round the board; None if there is none.

    ``boxes``: the places row by row, window pixels; ``columns``: how many are in a row; ``blank``: the empty one;
    ``size``: cells of a tile (rows, columns); ``solid``: the walls, shape ``(tiles, height, width)``; ``ground``: which
    pixels of the picture look like the empty place."""
    axes = []
    for turned, cells in ((False, size[0]), (True, size[1])):
        count = columns if turned else len(boxes) // columns
        first, last = boxes[0], boxes[-1]
        begin, end = (first.x, last.x + last.width) if turned else (first.y, last.y + last.height)
        length = first.width if turned else first.height
        touching = end - begin <= count * length + count
        if (
            touching
            and (count * cells - 2) % count == 0
            and _margin(boxes, columns, blank, cells, solid, ground, turned)
        ):
            pitch = length / cells
            axes.append(divided(round(begin + pitch), round(end - pitch), count))
        else:
            starts = [box.x for box in boxes[:columns]] if turned else [box.y for box in boxes[::columns]]
            axes.append(Axis(tuple(starts), length, not touching))
    rows, cols = axes
    unchanged = rows.length == boxes[0].height and cols.length == boxes[0].width
    return None if unchanged else (rows, cols)


def _margin(
    boxes: Sequence[Box], columns: int, blank: int, cells: int, solid: Bools, ground: Bools, turned: bool
) -> bool:
    """Whether the outermost cells at two opposite sides of the board are walls that look like the empty place, unlike
    the others. ``turned``: those at its left and right sides."""
    outer: list[Bools] = []
    inner: list[Bools] = []
    rows = len(boxes) // columns
    tiles = [place for place in range(len(boxes)) if place != blank]
    for tile, place in enumerate(tiles):
        row, column = divmod(place, columns)
        seen, walls = boxes[place].crop(ground), solid[tile]
        at, count = (column, columns) if turned else (row, rows)
        if turned:
            seen, walls = seen.T, walls.T
        cell = round(len(walls) / cells)
        begin, end = cell if at == 0 else 0, len(walls) - cell if at == count - 1 else len(walls)
        for part in (slice(0, begin), slice(end, len(walls))):
            if not walls[part].all():
                return False
            outer.append(seen[part].ravel())
        inner.append(seen[begin:end][walls[begin:end]])
    return bool(np.concatenate(outer).mean() >= GROUND and np.concatenate(inner).mean() <= WALLS)
