"""The next entry in lists of levels beside the board: boxes or lines of text, one of which is known or highlighted.
Works on pixels; no text is read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from autoplayer.core.frame import Box, Image, Point
from autoplayer.session.looking.boxes import (
    ALIKE,
    UPPER,
    Control,
    closed_lines,
    colour_apart,
    controls,
    same_size,
    text_lines,
)
from autoplayer.session.looking.controls import CHANGED
from autoplayer.session.looking.level_lists import FEWEST_IN_COLUMN, is_table, level_list, rows_of

LISTED = 4.0
"""How far to the right of a list's lines something that belongs to one of them may be (a tick, its time), as a multiple
of their height."""


def entry_after(image: Image, at: Point) -> Point | None:
    """The middle of the entry after the one at ``at``, in a list beside the board: boxes of one size in equidistant
    rows, or lines of text below one another. None where ``at`` is on no such entry, or on the last one."""
    found = controls(image)
    seed = min(
        (each for each in found if each.box.contains(at)),
        key=lambda each: each.box.width * each.box.height,
        default=None,
    )
    if seed is not None:
        rows = rows_of([each for each in found if same_size(seed.box, each.box)])
        ordered = [each.box for row in rows for each in row]
        if len(ordered) >= FEWEST_IN_COLUMN and is_table(rows):
            after = ordered.index(seed.box) + 1
            return ordered[after].centre if after < len(ordered) else None
    return _line_after(text_lines(image), at) or _line_after(closed_lines(image), at)


def entry_after_marked(found: Sequence[Control]) -> Point | None:
    """The middle of the entry after the highlighted one (which differs from all others), in the list of levels among
    the boxes ``found`` beside the board. None where there is no such list."""
    listed = level_list(found)
    if listed is None:
        return None
    kinds = [[k for k, each in enumerate(listed.boxes) if colour_apart(each, seed) <= CHANGED] for seed in listed.boxes]
    marked = [kind[0] for kind in kinds if len(kind) == 1]
    after = marked[0] + 1 if len(marked) == 1 else len(listed.boxes)
    return listed.boxes[after].box.centre if after < len(listed.boxes) else None


def tab_after(before: Image, now: Image, at: Point) -> Point | None:
    """The middle of the control to the right of the one at ``at``, where that is a tab of several in a row: in
    ``before``, in which it was pressed, it looked as others of the row do, and in ``now`` it alone is highlighted. None
    where it is no tab, or the last one."""
    then, row = (_row_at(controls(image), at) for image in (before, now))
    if len(row) < FEWEST_IN_COLUMN or [each.box for each in then] != [each.box for each in row]:
        return None
    k = next(k for k, each in enumerate(row) if each.box.contains(at))
    others = [each for each in row if each is not row[k]]
    if any(colour_apart(each, others[0]) > CHANGED for each in others):
        return None
    if colour_apart(row[k], others[0]) <= CHANGED or colour_apart(then[k], others[0]) > CHANGED:
        return None
    return row[k + 1].box.centre if k + 1 < len(row) else None


def _row_at(found: Sequence[Control], at: Point) -> list[Control]:
    """The controls of one height in the row of the one at ``at``, from the left; empty where there is none."""
    seed = next((each for each in found if each.box.contains(at)), None)
    if seed is None:
        return []
    near = max(ALIKE * seed.box.height, 2)
    row = [
        each
        for each in found
        if abs(each.box.y - seed.box.y) <= near and abs(each.box.height - seed.box.height) <= near
    ]
    return sorted(row, key=lambda each: each.box.x)


def _line_after(lines: Sequence[Box], at: Point) -> Point | None:
    """The middle of the line after the one at ``at``, among at least three left-aligned, equidistant lines. The line at
    ``at`` need not be among ``lines``: it may be highlighted by a box around it."""
    for seed in sorted(lines, key=lambda each: abs(each.centre[1] - at[1])):
        high = seed.height
        alike = [each for each in lines if each.height < UPPER * high < UPPER**2 * each.height]
        column = sorted((each for each in alike if abs(each.x - seed.x) <= high / 2), key=lambda each: each.centre[1])
        right = max(each.x + each.width for each in column)
        if len(column) < FEWEST_IN_COLUMN - 1 or not seed.x - high <= at[0] <= right + LISTED * high:
            continue
        down = float(np.median([b.centre[1] - a.centre[1] for a, b in pairwise(column)]))
        steps = {each: (each.centre[1] - at[1]) / max(down, 1.0) for each in column}
        rows = {round(step): each for each, step in steps.items() if abs(step - round(step)) <= 2 * ALIKE}
        if 1 in rows and len({0, *rows} & {-2, -1, 0, 1, 2}) >= FEWEST_IN_COLUMN:
            return rows[1].centre
    return None
