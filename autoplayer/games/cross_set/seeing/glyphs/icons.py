"""Icons in the corners of cells of Cross Set, such as the padlock of a cell that cannot be turned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, Glyph

FEWEST = 2
"""An icon in fewer cells may be a number that is hard to read, if numbers of other cells stand where it does."""

CORNER = 0.3
"""The farthest that an icon's middle is from its corner, as a share of the cell's sides."""

SMALLER = 0.75
"""An icon is lower than this share of the number in its cell; or, where no number of another cell reaches, no higher
than that number."""

ASTRAY = 1.5
"""Window pixels by which equal positions differ between cells."""


def icons(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> dict[Cell, list[Box]]:
    """The positions of icons in some cells, fine pixels: the same object, probably no number, at one position near a
    corner of several cells, beside one number each; and no cell has anything else at that position. It may stand in a
    single cell, and be as high as numbers, if its cells have one number each and no number of others reaches there.
    ``boxes``: the cells."""
    alike: dict[int, list[tuple[Cell, Glyph]]] = defaultdict(list)
    for cell, row in seen.items():
        for g in row:
            alike[g.cluster].append((cell, g))
    found: dict[Cell, list[Box]] = defaultdict(list)
    for members in alike.values():
        if not all(_is_beside_a_number(g, seen[cell], boxes[cell]) for cell, g in members):
            continue
        if not (_is_usual(members, seen) or _is_aside(members, seen, boxes)):
            continue
        cell, first = members[0]
        x, y = _middle(first, boxes[cell])
        there = [
            g
            for other, row in seen.items()
            for g in row
            if max(abs(a - b) for a, b in zip(_middle(g, boxes[other]), (x, y), strict=True)) <= _reach(first)
        ]
        if len(there) == len(members) and all(g.cluster == first.cluster for g in there):
            for cell, g in members:
                found[cell].append(g.piece.box)
    return found


def _is_beside_a_number(g: Glyph, row: Sequence[Glyph], box: Box) -> bool:
    """Whether a glyph in the ``box`` of its cell is probably no number, near a corner, beside the digits of a number
    that is no lower."""
    others = [o for o in row if o is not g]
    if g.chances.get(JUNK, 0.0) <= 0.5 or not others or any(o.chance < LEGIBLE for o in others):
        return False
    near = (
        min(at, side - at) < CORNER * side for at, side in zip(_middle(g, box), (box.width, box.height), strict=True)
    )
    return g.height <= min(o.height for o in others) and all(near)


def _is_usual(members: Sequence[tuple[Cell, Glyph]], seen: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether an object stands in several cells, and is lower than all numbers there."""
    return len(members) >= FEWEST and all(
        g.height < SMALLER * min(o.height for o in seen[cell] if o is not g) for cell, g in members
    )


def _is_aside(
    members: Sequence[tuple[Cell, Glyph]], seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]
) -> bool:
    """Whether an object stands beside a single glyph in each of its cells, where no glyph of another cell reaches."""
    own = {cell for cell, _ in members}
    if any(len(seen[cell]) != 2 for cell in own):
        return False
    places = [_place(g, boxes[cell]) for cell, row in seen.items() if cell not in own for g in row]
    left, top, right, bottom = np.array(places).reshape(-1, 4).T
    return not any(
        bool(((left < x1) & (x0 < right) & (top < y1) & (y0 < bottom)).any())
        for x0, y0, x1, y1 in (_place(g, boxes[cell]) for cell, g in members)
    )


def _place(g: Glyph, box: Box) -> tuple[float, float, float, float]:
    """Where a glyph is in its cell, left, top, right, bottom, window pixels."""
    own, scale = g.piece.box, g.piece.scale
    x, y = own.x / scale - box.x, own.y / scale - box.y
    return x, y, x + own.width / scale, y + own.height / scale


def _middle(g: Glyph, box: Box) -> tuple[float, float]:
    """Where a glyph's middle is in its cell, window pixels."""
    own, scale = g.piece.box, g.piece.scale
    return (own.x + own.width / 2) / scale - box.x, (own.y + own.height / 2) / scale - box.y


def _reach(g: Glyph) -> float:
    """What is closer than this to a glyph's middle is at the same position, window pixels."""
    return g.piece.extent / g.piece.scale / 2 + ASTRAY
