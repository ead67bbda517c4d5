"""Chooses the segmentation of each cell of Cross Set, and lists the plausible alternatives (rivals)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import LEGIBLE, ONE_DIGIT, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN, compared
from autoplayer.games.cross_set.seeing.glyphs.signs import within
from autoplayer.games.cross_set.seeing.glyphs.tracing import traced
from autoplayer.games.cross_set.seeing.one_cell.assembly import SIMPLE, SMALLER, UNEQUAL, WHOLE
from autoplayer.games.cross_set.seeing.one_cell.judging import classified, numbers_in
from autoplayer.games.cross_set.seeing.one_cell.weighing import PLAIN, BoardView, Parting

SEVERAL_KINDS = 2
"""If at least so many different numbers were merged into larger ones, they are real numbers."""

CLEARLY = 0.02
"""By how much the score of a segmentation has to exceed another one's to replace it."""

LEFT_OUT = 0.04
"""The share of the ink of a cell's digits that a rival may leave out, on a board with numbers of two digits."""

FULLER = 1.05
"""A glyph with this many times as much ink has strokes that the other segmentation lost."""

RIVAL = 0.96
"""A segmentation is a rival if its score is larger than this share of the best one's."""


def best_of(ways: Sequence[tuple[float, Sequence[Glyph]]]) -> int:
    """The index of the best segmentation of a cell, among those with at least as many digits as the last one: a lost
    digit is worse than an additional one. So of about equally good ones it is the one with most digits, and the last
    one unless another is clearly better."""
    counts = [len(numbers_in(row)) for _, row in ways]
    last = len(ways) - 1
    full = [i for i, count in enumerate(counts) if count >= counts[last]]
    top = max(ways[i][0] for i in full)
    near = [i for i in full if ways[i][0] >= top * (1 - CLEARLY)]
    fullest = [i for i in near if counts[i] == max(counts[k] for k in near)]
    return last if last in fullest else max(fullest, key=lambda i: ways[i][0])


def rivals_of(
    seen: Mapping[Cell, Sequence[Glyph]],
    ways: Mapping[Cell, Sequence[tuple[float, list[Glyph]]]],
    worth: Mapping[Cell, float] = MappingProxyType({}),
) -> dict[Cell, list[Glyph]]:
    """The cells that have another segmentation that is nearly as good and reads other numbers, with that segmentation.
    ``worth``: the score of what is ``seen`` of a cell, judged together with all others, not alone."""
    result = {}
    for cell, parted in ways.items():
        said = numbers_in(seen[cell])
        # Glyphs are classified elsewhere: here only their boundaries matter.
        same = [numbers_in(row) == said or _same_places(row, seen[cell]) for _, row in parted]
        own = max((one[0] for one, alike in zip(parted, same, strict=True) if alike), default=0.0)
        own = max(own, worth.get(cell, 0.0))
        others = [one for one, alike in zip(parted, same, strict=True) if one[0] > RIVAL * own and not alike]
        if others:
            result[cell] = max(others, key=lambda one: one[0])[1]
    return result


def thinned(
    told: Mapping[Cell, Sequence[Glyph]], ways: Mapping[Cell, Sequence[tuple[float, list[Glyph]]]]
) -> dict[Cell, list[Glyph]]:
    """Glyphs that have more ink in another segmentation of their cell, and are another digit with it, may be either:
    what separates touching digits also loses pale strokes."""
    result = {cell: list(row) for cell, row in told.items()}
    for cell, parted in ways.items():
        for i, g in enumerate(result[cell]):
            same = [h for _, row in parted for h in row if h.token != g.token and _same_places([g], [h])]
            fuller = [h for h in same if h.chance > PLAIN and h.piece.ink.sum() > FULLER * g.piece.ink.sum()]
            if g.chance > PLAIN and fuller:
                best = max(fuller, key=lambda h: h.chance)
                result[cell][i] = replace(g, chances={g.token: 0.5, best.token: 0.5}, cluster=-id(g.piece))
    return result


def plausible(
    rivals: Mapping[Cell, list[Glyph]], told: Mapping[Cell, Sequence[Glyph]], view: BoardView
) -> dict[Cell, list[Glyph]]:
    """The rivals that are no worse than the chosen reading of a cell: the 1s of two lines may be one bar, far higher
    than numbers are. None leaves out a number that is known by similar ones elsewhere. On a board with numbers of two
    digits, where there are many ways to join their strokes, they leave out no ink."""
    least = 1 - LEFT_OUT if view.eyes.size > ONE_DIGIT else 0.0
    heights = [g.height for row in told.values() for g in row if g.token != "1" and g.chance > OWN]
    most = (1 + 2 * UNEQUAL) * float(np.percentile(heights, 98)) if heights else np.inf

    def ink(row: Sequence[Glyph]) -> float:
        return sum(float(g.piece.ink.sum()) for g in row)

    def poor(cell: Cell, row: Sequence[Glyph]) -> bool:
        return any(g.height > most or g.chance < LEGIBLE or view.is_strange(cell, g) for g in row)

    def leaves_out(cell: Cell, row: Sequence[Glyph]) -> bool:
        legible = [h.piece for h in row if h.chance > LEGIBLE]
        lost = [g for g in told[cell] if not any(within(h, g.piece) or within(g.piece, h) for h in legible)]
        return any(view.is_known(cell, g) for g in lost)

    return {
        cell: row
        for cell, row in rivals.items()
        if ink(row) > least * ink(told[cell])
        and not leaves_out(cell, row)
        and (not poor(cell, row) or any(g.chance <= PLAIN or view.is_strange(cell, g) for g in told[cell]))
    }


def not_swallowed(before: Mapping[Cell, Sequence[Glyph]], after: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The share of the cells in which no separate number was merged into a far larger one when pieces were joined; 1 if
    the merged numbers are of few kinds: commas look like a number, and so do the bars of segments."""
    lost: dict[Cell, set[str]] = defaultdict(set)
    for cell, row in before.items():
        for g in row:
            if g.chance > WHOLE and g.token not in SIMPLE:
                larger = (o.piece for o in after[cell] if g.piece.extent < SMALLER * o.piece.extent)
                if any(within(g.piece, o) for o in larger):
                    lost[cell].add(g.token)
    kinds = set().union(*lost.values())
    return 1 - len(lost) / len(after) if len(kinds) >= SEVERAL_KINDS else 1.0


def _same_places(one: Sequence[Glyph], other: Sequence[Glyph]) -> bool:
    """Whether two segmentations have their glyphs at the same positions."""
    if len(one) != len(other):
        return False
    edges = [sorted((p.box.x, p.box.y, p.right, p.bottom) for p in (g.piece for g in row)) for row in (one, other)]
    slack = 1.5 * max((g.piece.scale for g in one), default=1)
    return bool(np.all(np.abs(np.array(edges[0], float) - np.array(edges[1], float)) <= slack))


def looked_at_again(
    view: BoardView, parted: dict[Cell, Parting]
) -> tuple[dict[Cell, list[Glyph]], dict[Cell, Parting], frozenset[Cell]]:
    """The cells that are not well explained, segmented once more, now by the glyphs of those that are; with the pieces
    of each cell, and the cells in which something is still unexplained."""

    seen = view.seen
    faced = compared(seen)
    unclear = {cell for cell, one in parted.items() if view.is_unexplained(cell, seen[cell], one)}
    poor = unclear | {cell for cell, row in faced.items() if not row or any(g.chance < OWN for g in row)}
    good = {cell: row for cell, row in faced.items() if cell not in poor}
    if not poor or not good:
        return seen, parted, frozenset(unclear)
    places = {c: view.found(c, view.way[0]) for c in sorted(poor)}
    again = traced({cell: place.pieces for cell, place in places.items()}, good)
    others = {cell: Parting(row, view.swallowed_in(places[cell])) for cell, row in again.items()}
    looked = classified(
        {**{c: parted[c].pieces for c in good}, **{c: one.pieces for c, one in others.items()}}, view.eyes
    )
    better = {
        cell: one
        for cell, one in others.items()
        if view.worth(cell, looked[cell], one) > view.worth(cell, seen[cell], parted[cell])
    }
    if not better:
        return seen, parted, frozenset(unclear)
    parted = {**parted, **better}
    seen = classified({cell: one.pieces for cell, one in parted.items()}, view.eyes)
    return seen, parted, frozenset(cell for cell, one in parted.items() if view.is_unexplained(cell, seen[cell], one))
