"""Finds walls around rooms that look like the ground between the tiles: only the air of such tiles is seen, and the
thickness of their walls is visible where an opening leads through one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.borders import Axis

THICK, THIN = 0.25, 0.015
"""The thickness of the wall at the side of a room, as shares of the room's length: greatest and least."""
OPENING = 0.05
"""The share of a side that an opening in it takes at least."""
WALLED = 0.35
"""If at least this share of a strip along a side looks like the ground, the wall is within the box already."""
EVEN = 1
"""Pixels by which the depths of openings differ at most."""
FEWEST = 2
"""The least number of openings that show the thickness of the walls."""


class Grown(NamedTuple):
    """A board's axes with the walls round its rooms."""

    rows: Axis
    columns: Axis


def with_outer_walls(other: Bools, rows: Axis, columns: Axis, blank: int) -> Grown | None:
    """The board whose rooms take ``rows`` and ``columns`` without walls that look like the ground; None if there is no
    evidence of such walls. ``other``: the mask of what is no ground, shape ``(height, width)``, window pixels."""
    usual = openings(other, rows, columns, blank)
    if usual is None:
        return None
    ways = (other.T, rows, columns, True), (other, columns, rows, False)
    axes = []
    for (mask, axis, cross, down), thick in zip(ways, usual, strict=True):
        at = thick or max(usual)
        sides = [at if _bare(mask, axis, cross, blank, at, side, down) else 0 for side in (0, 1)]
        starts = tuple(start - sides[0] for start in axis.starts)
        grown = axis._replace(starts=starts, length=axis.length + sum(sides))
        over = max(starts[-1] + grown.length - mask.shape[1], -starts[0])
        steps = np.diff(starts)
        if over > 0 or (len(steps) and steps.min() < grown.length - EVEN):
            return None
        axes.append(grown)
    grown_rows, grown_columns = axes
    return None if (grown_rows, grown_columns) == (rows, columns) else Grown(grown_rows, grown_columns)


def openings(other: Bools, rows: Axis, columns: Axis, blank: int) -> tuple[int, int] | None:
    """The depth of most openings that lead out of rooms up and down, and to the left and right, pixels, 0 if there are
    none; None if there are too few. The arguments are those of ``with_outer_walls``."""
    found = _seen(other.T, rows, columns, True, blank), _seen(other, columns, rows, False, blank)
    return None if sum(map(len, found)) < FEWEST else (_usual(found[0]), _usual(found[1]))


def _places(axis: Axis, cross: Axis, blank: int, down: bool) -> Iterator[tuple[int, int, int]]:
    """The index of each tile along its axis, where it begins there, and where across. ``down``: whether the axis runs
    down the board."""
    for number, start in enumerate(axis.starts):
        for other, begin in enumerate(cross.starts):
            place = number * len(cross.starts) + other if down else other * len(axis.starts) + number
            if place != blank:
                yield number, start, begin


def _seen(mask: Bools, axis: Axis, cross: Axis, down: bool, blank: int) -> list[int]:
    """The depth of each opening out of the rooms along an axis, pixels; half of the distance between two rooms if it
    leads from one into the other."""
    found: list[int] = []
    most, least = round(THICK * axis.length), max(round(THIN * axis.length), 2)
    across = max(round(OPENING * cross.length), 3)
    step = axis.starts[1] - axis.starts[0] if len(axis.starts) > 1 else 0
    for number, start, begin in _places(axis, cross, blank, down):
        lines = mask[begin : begin + cross.length]
        end = start + axis.length
        for strip, last in (
            (lines[:, max(start - step + axis.length, 0) : start][:, ::-1], number == 0),
            (lines[:, end : start + step], number == len(axis.starts) - 1),
        ):
            if not strip.shape[1] or len(strip) < across:
                continue
            depths = np.logical_and.accumulate(strip, axis=1).sum(axis=1)
            for depth, lines_of in groupby(depths.tolist()):
                through = depth == strip.shape[1] and not last
                thick = depth // 2 if through else depth
                if len(list(lines_of)) >= across and least <= thick <= most:
                    found.append(thick)
    return found


def _usual(depths: Sequence[int]) -> int:
    """The depth that most openings have, 0 where there are none."""
    if not depths:
        return 0
    values, counts = np.unique(depths, return_counts=True)
    near: NDArray[np.int64] = np.array([counts[np.abs(values - value) <= EVEN].sum() for value in values])
    return int(values[int(near.argmax())])


def _bare(mask: Bools, axis: Axis, cross: Axis, blank: int, thick: int, side: int, down: bool) -> bool:
    """Whether no wall is inside the boxes along a side, 0 where they begin and 1 where they end."""
    strips = []
    for _, start, begin in _places(axis, cross, blank, down):
        at = start if side == 0 else start + axis.length - thick
        strips.append(float(mask[begin : begin + cross.length, at : at + thick].mean()))
    return bool(1 - np.mean(strips) < WALLED)
