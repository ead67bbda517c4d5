"""Reads windows of Cross Set that show the active number of a cell large (its *head*) and all candidates small beside
or around it, the active one included. The head is no candidate of its own, but tells which of the others is active."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, LEGIBLE, ONE_DIGIT, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import compared

LARGER = 1.25
"""A head is this many times as high as the same number among the others, at least."""

SAID_AGAIN, FEWEST, MOST_OF = 0.85, 4, 0.5
"""The share of the cells in which the head is read among the others as well; in how many cells, and in which share of
the board's, that has to be known."""


def heads(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> dict[Cell, Glyph]:
    """The large glyph of each cell, if in nearly all cells another glyph of that cell shows the same number; otherwise
    empty. ``size``: the rows of the board; on boards with numbers of two digits heads are not searched."""
    if size > ONE_DIGIT:
        return {}
    found = {cell: g for cell, row in seen.items() if (g := head_of(row)) is not None}
    others = {cell: [g for g in seen[cell] if g is not head] for cell, head in found.items()}
    told = [
        any(g.token == head.token for g in others[cell])
        for cell, head in found.items()
        if all(g.chance > LEGIBLE for g in seen[cell])
    ]
    if len(told) < max(FEWEST, MOST_OF * len(seen)) or sum(told) < SAID_AGAIN * len(told):
        return {}
    return found


def found_late(seen: Mapping[Cell, Sequence[Glyph]], found: Mapping[Cell, Glyph]) -> dict[Cell, Glyph]:
    """The heads of cells that were misread when those of the others were ``found``, if there were others."""
    late = {cell: g for cell, row in seen.items() if cell not in found and (g := head_of(row)) is not None}
    told = {c: g for c, g in late.items() if any(o.token == g.token for o in seen[c] if o is not g)}
    return {**found, **told} if found else {}


def without_heads(seen: Mapping[Cell, Sequence[Glyph]], found: Mapping[Cell, Glyph]) -> dict[Cell, list[Glyph]]:
    """The glyphs of each cell without its head."""
    return {cell: [g for g in row if g is not found.get(cell)] for cell, row in seen.items()}


def compared_heads(found: Mapping[Cell, Glyph]) -> dict[Cell, Glyph]:
    """Heads with chances that also take their likeness to each other into account."""
    return {cell: row[0] for cell, row in compared({cell: [head] for cell, head in found.items()}).items()}


def named_by(head: Glyph | None, row: Sequence[Glyph]) -> tuple[Glyph, bool]:
    """Which of a cell's candidates its head names, and whether that is certain; the first one if there is no head."""
    if head is None:
        return row[0], len(row) == 1
    worth = [sum(p * head.chances.get(token, 0.0) for token, p in g.chances.items() if token) for g in row]
    best = max(range(len(row)), key=worth.__getitem__)
    return row[best], worth[best] >= CERTAIN * sum(worth) > 0


def head_of(row: Sequence[Glyph]) -> Glyph | None:
    """The glyph of a cell that is far higher than all others, or than the one with the same number, and that the others
    stand beside or around; None if there is none."""
    numbers = [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5]
    if len(numbers) < 2:
        return None
    for g in sorted(numbers, key=lambda g: -g.height)[:2]:
        others = [o for o in numbers if o is not g]
        same = [o.height for o in others if o.token == g.token] or [o.height for o in others]
        if g.height >= LARGER * max(same) and _stands_apart(g.piece.box, [o.piece.box for o in others]):
            return g
    return None


def _stands_apart(box: Box, others: Sequence[Box]) -> bool:
    """Whether the middle of each of the others is above, below or to one side of it."""
    right, foot = box.x + box.width, box.y + box.height
    middles = [(b.x + b.width / 2, b.y + b.height / 2) for b in others]
    return all(not (box.x < x < right and box.y < y < foot) for x, y in middles)
