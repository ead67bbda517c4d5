"""Handles boards of Cross Set on which every number has a fixed position in the cells (its *slot*), like pencil marks:
whether a board is of this kind, and what the position of a glyph tells about its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, Chances, Glyph, percentile
from autoplayer.games.cross_set.seeing.glyphs.standing import Ground

IN_PLACE = 0.05
"""Numbers in slots deviate from them by less than this share of the pitch."""

OWN_PLACE = 0.6
"""The share of a number's glyphs at one position if that is its slot: small ones may be misread elsewhere."""

ELSEWHERE, UNKNOWN = 0.002, 0.1
"""The likelihood of a number with another slot, and of one whose slot is not known, relative to the right one."""

LEAST = ELSEWHERE
"""The least prior of the number that belongs to a position: if the looks are certain of another number, the rules
decide."""

FEWEST = 3
"""A slot is estimated from at least so many glyphs, and that numbers have slots from at least so many numbers."""

OTHER = 100_000
"""Offset of the cluster numbers of glyphs in another slot: more than there are clusters."""

Spot = tuple[float, float]


def in_slots(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> bool:
    """Whether each number has a slot, the same in all cells."""
    many = {token: spots for token, spots in _spots(seen, boxes).items() if len(spots) >= FEWEST}
    if len(many) < FEWEST:
        return False
    middles = np.array([[median(along) for along in spots.T.tolist()] for spots in many.values()])
    strays = [
        percentile(np.maximum(*np.abs(spots - middle).T).tolist(), 0.85)
        for spots, middle in zip(many.values(), middles, strict=True)
    ]
    apart = np.abs(middles[:, None] - middles[None]).max(axis=2) + np.eye(len(middles))
    return median(strays) < IN_PLACE and float(apart.min()) > 2 * IN_PLACE


def all_in_place(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> bool:
    """Whether each number has a slot, and none stands elsewhere, so that positions give no new information."""
    places = _places(seen, boxes)
    spots = ((g.token, _spot(g, boxes[cell])) for cell, row in seen.items() for g in row)
    return all(
        t in places and max(abs(v - o) for v, o in zip(at, places[t], strict=True)) < IN_PLACE for t, at in spots
    )


def by_place(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> dict[Cell, list[Glyph]]:
    """The chances of glyphs weighted by their positions, on a board with slots; otherwise unchanged."""
    rows = {cell: list(row) for cell, row in seen.items()}
    if not in_slots(seen, boxes):
        return rows
    places = _places(seen, boxes)
    for cell, row in rows.items():
        for i, g in enumerate(row):
            away = np.array([np.abs(np.subtract(_spot(g, boxes[cell]), place)).max() for place in places.values()])
            own = list(places)[int(away.argmin())] if len(away) and away.min() < IN_PLACE else None
            if own is None:
                continue
            chances = _weighed(g.chances, own, places)
            # Equal glyphs are judged once, but in another slot the same says another number.
            cluster = g.cluster + OTHER * (1 + sorted(places).index(own)) if g.cluster >= 0 else g.cluster
            row[i] = replace(g, chances=chances, cluster=cluster)
    return rows


def placed(
    ways: Mapping[Cell, Sequence[tuple[float, list[Glyph]]]], boxes: Mapping[Cell, Box]
) -> dict[Cell, list[tuple[float, list[Glyph]]]]:
    """The scores of segmentations of each cell on a board with slots: lower if a number stands in the slot of another.
    On other boards unchanged."""
    first = {cell: each[0][1] for cell, each in ways.items()}
    if not in_slots(first, boxes):
        return {cell: list(each) for cell, each in ways.items()}
    places = _places(first, boxes)

    def worth(cell: Cell, g: Glyph) -> float:
        if g.token not in places:
            return UNKNOWN
        away = np.abs(np.subtract(_spot(g, boxes[cell]), places[g.token])).max()
        return 1.0 if away < IN_PLACE else ELSEWHERE

    return {
        cell: [(p * float(np.prod([worth(cell, g) for g in row])), row) for p, row in each]
        for cell, each in ways.items()
    }


def hidden_in_slots(
    cells: Iterable[Cell], seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box], ground: Ground, size: int
) -> dict[Cell, list[int]]:
    """The numbers that something may hide in some ``cells`` of a board with slots: those whose slot is not seen bare.
    Empty on other boards; without the cells of which another number has no known slot."""
    if not in_slots(seen, boxes):
        return {}
    places = _places(seen, boxes)
    like = {g.token: g.piece for row in seen.values() for g in row if g.chance > LEGIBLE}
    result = {}
    for cell in cells:
        shown = {g.token for g in seen[cell] if g.chances.get(JUNK, 0.0) <= 0.5}
        absent = [token for token in map(str, range(1, size + 1)) if token not in shown]
        if all(token in places for token in absent):
            box = boxes[cell]
            middles = [(box.x + x * box.width, box.y + y * box.height) for x, y in (places[t] for t in absent)]
            bare = [ground.is_bare_at(cell, at, like[t]) for t, at in zip(absent, middles, strict=True)]
            result[cell] = [int(t) for t, is_bare in zip(absent, bare, strict=True) if not is_bare]
    return result


def _weighed(said: Chances, own: str, places: Mapping[str, Spot]) -> Chances:
    """The chances for each number, weighted; the position does not tell whether it is a number at all."""
    junk = said.get(JUNK, 0.0)
    weighed = {t: p * (ELSEWHERE if t in places else UNKNOWN) for t, p in said.items() if t != JUNK}
    weighed[own] = max(said.get(own, 0.0), LEAST)
    total = sum(weighed.values())
    return {JUNK: junk, **{token: (1 - junk) * p / total for token, p in weighed.items()}}


def _places(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> dict[str, Spot]:
    """The position of each number at which most of its glyphs stand, as shares of the cell; without those that have
    none, or one that is nearer to another's."""
    places: dict[str, Spot] = {}
    for token, spots in _spots(seen, boxes).items():
        near = (np.abs(spots[:, None] - spots[None]).max(axis=2) < IN_PLACE).sum(axis=1)
        best = int(near.argmax())
        if len(spots) >= FEWEST and near[best] >= OWN_PLACE * len(spots):
            places[token] = float(spots[best][0]), float(spots[best][1])

    def alone(token: str) -> bool:
        own = np.array(places[token])
        return all(t == token or np.abs(own - place).max() > 2 * IN_PLACE for t, place in places.items())

    return {token: place for token, place in places.items() if alone(token)}


def _spots(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> dict[str, Floats]:
    """The positions of the clearly legible glyphs of each number, ``(n, 2)``: x and y as shares of the cell."""
    found: dict[str, list[Spot]] = defaultdict(list)
    for cell, row in seen.items():
        for g in row:
            if g.chance > LEGIBLE:
                found[g.token].append(_spot(g, boxes[cell]))
    return {token: np.array(spots) for token, spots in found.items()}


def _spot(g: Glyph, box: Box) -> Spot:
    own, scale = g.piece.box, g.piece.scale
    x = ((own.x + own.width / 2) / scale - box.x) / box.width
    return x, ((own.y + own.height / 2) / scale - box.y) / box.height
