"""What stands beside a board without walls on the same lattice, and is none of it: headings, buttons, all that is
behind the rim of a panel.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.ranking import around
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

Look = Callable[[Sequence[Cell]], dict[Cell, ink.Content]]
"""Says what places of a lattice show."""

KNOWN_LOOKS = 8
"""Of so many glyphs it is known how they look and where they stand."""

WITHIN, ALL_ALONG = 0.3, 0.9
"""How far beyond the middles of its outermost cells a panel's rim runs straight, as a share of the pitch; and the part
of that way that it is seen on."""

SAME_GROUND, MOST_OURS = 10.0, 0.7
"""Grey levels up to which two places have one ground; and the share of a board's places at least that have one."""


def drop_other_grounds(view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content], look: Look) -> None:
    """Take back outer rows and columns of a board without walls that stand on another ground than nearly all of it, and
    all on the same one, or behind the only line between two of its rows: they are headings or buttons beside the
    board's panel."""
    _drop_what_is_behind_a_line(view, found, contents)
    while len(contents) >= KNOWN_LOOKS:
        grounds = {cell: here.ground for cell, here in contents.items()}
        usual = np.median(list(grounds.values()), axis=0)
        ours = {cell for cell, ground in grounds.items() if float(np.abs(ground - usual).max()) < SAME_GROUND}
        if len(ours) < MOST_OURS * len(grounds):
            return
        ends = [(by, end(cell[by] for cell in grounds)) for by in (0, 1) for end in (min, max)]
        outer = [{cell for cell in grounds if cell[by] == end} for by, end in ends]
        strange = next((line for line in outer if not line & ours and _goes_on(contents, line, look)), None)
        if strange is None:
            return
        for cell in strange:
            del contents[cell]


def _drop_what_is_behind_a_line(view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content]) -> None:
    """Take back the outermost rows and columns that a line all along the board, a panel's rim, parts from the next one,
    where none parts two others."""
    for by in (0, 1):
        numbers = sorted({cell[by] for cell in contents})
        if len(numbers) < 3:
            continue
        lined = [
            one
            for one, other in itertools.pairwise(numbers)
            if other == one + 1 and _lined(view, found, contents, one, by)
        ]
        first, last = numbers[0], numbers[-1]
        if not lined or set(lined) - {first, last - 1}:
            continue
        outer = {end for end, at in ((first, first), (last, last - 1)) if at in lined}
        for cell in [cell for cell in contents if cell[by] in outer]:
            del contents[cell]


def _lined(view: View, found: lattice.Lattice, cells: Iterable[Cell], number: int, by: int) -> bool:
    """Whether a line runs all along the board between a row (``by`` 0; a column for 1) and the next one."""
    across = 1 - by
    ends = [cell[across] for cell in cells]
    origin, pitch = ((found.y, found.x), (found.pitch_y, found.pitch_x))
    low, high = (
        round(origin[across] + (end + side) * pitch[across])
        for end, side in ((min(ends), -WITHIN), (max(ends), WITHIN))
    )
    near, far = (round(origin[by] + k * pitch[by]) for k in (number, number + 1))
    strength = view.strength if by == 0 else view.strength.T
    strip = strength[max(near, 0) : max(far, 0), max(low, 0) : max(high, 0)]
    return bool(strip.size) and float((strip > view.threshold).mean(axis=1).max()) >= ALL_ALONG


def _goes_on(contents: dict[Cell, ink.Content], line: AbstractSet[Cell], look: Look) -> bool:
    """Whether the places of an outer row or column stand on one ground, that of the places farther out as well: not on
    colours of their own, as starts do."""
    farther = sorted({near for cell in line for near in around(cell)} - line - contents.keys())
    beside = look(farther)
    grounds = [here.ground for here in beside.values()] + [contents[cell].ground for cell in line]
    return bool(beside) and float(np.ptp(grounds, axis=0).max()) < SAME_GROUND
