"""Uses the positions of the numbers in a cell of Cross Set to tell how many there are: most windows lay them out by
their count, so that one more would have moved the others, or would stand at a position known from other cells and be
visible there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN
from autoplayer.vision.pieces import Piece

IN_PLACE = 0.15
"""By which share of the lowest number's height numbers at most deviate from the positions in cells with the same count:
a 1 is narrower than a 4, and moves those beside it by half of the difference …"""

HALF_A_PIXEL = 0.5
"""… plus so many window pixels, because the edges of both fall on whole pixels …"""

MOVED = 0.25
"""… and by which one more would move them at least: two adjacent ones are more than half their height apart, and a
centred line moves by half of that."""

FARTHER = 2.0
"""The least ratio between the deviation from cells with more numbers and that from cells with the same count."""

FEWEST = 2
"""So many cells with more numbers are needed to know their positions; for the same count, one other cell is enough."""

TELLING = 0.9
"""The share of the certain cells whose positions distinguish them from those with more, for positions to count as
evidence in a cell when no cell has more."""

FULL = 3
"""If at least so many cells hold the maximum count, one more number is only searched a step beyond their ends."""

APART = 0.5
"""Numbers whose middles are closer than this share of the height of the lowest one are the same number."""

NEIGHBOURS = 1.3
"""What is no farther, across or down, than this multiple of the nearest number's distance is a neighbour as well: in a
line, in a column, or diagonally."""

UNEVEN, FITTED = 0.15, 5
"""If the middles of boxes deviate from a lattice by more than this share of a cell, cells have several sizes; a lattice
is fitted to the numbers of at least so many cells more than it has unknowns."""

SHOWS = 0.25
"""The least share of a number's pixels that differ from the ground where one stands; in a hairline half of them are
soft edges."""


@dataclass(frozen=True)
class Ground:
    """The look of a cell's empty ground: the ``colour`` of each cell, and by how many grey levels at least a pixel of a
    number ``differs`` from it."""

    image: Image
    colour: Mapping[Cell, Floats]
    differs: float

    def is_bare(self, cell: Cell, place: Box, inked: float) -> bool:
        """Whether no number of about so many ``inked`` pixels can stand in an area, window pixels."""
        patch = place.crop(self.image)
        if patch.shape[:2] != (place.height, place.width):
            return True  # nothing stands beyond the picture's edge
        away = largest_channel(np.abs(patch.astype(np.float32) - self.colour[cell]))
        return int(np.count_nonzero(away > self.differs)) < SHOWS * inked

    def is_bare_at(self, cell: Cell, middle: Floats | tuple[float, float], like: Piece) -> bool:
        """Whether no number ``like`` another one can stand around a point of a cell, window pixels."""
        return self.is_bare(cell, _place(middle, like), float(like.ink.sum()) / like.scale**2)


@dataclass(frozen=True)
class Standing:
    """The positions of the numbers of each cell. ``rows``: the numbers of the cells that are not empty; ``origins``: a
    reference point of each cell relative to which the positions are the same in all; ``sure``: the cells that are
    certain."""

    rows: Mapping[Cell, Sequence[Glyph]]
    boxes: Mapping[Cell, Box]
    origins: Mapping[Cell, Floats]
    sure: Collection[Cell]
    ground: Ground

    @classmethod
    def of(
        cls, seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box], asked: Collection[Cell], ground: Ground
    ) -> Standing:
        """``asked``: the cells that are not certain, though their glyphs may be."""
        rows = {cell: [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5] for cell, row in seen.items()}
        rows = {cell: row for cell, row in rows.items() if row}
        sure = [cell for cell in sorted(rows) if cell not in asked and all(g.chance > OWN for g in seen[cell])]
        return cls(rows, boxes, _origins({cell: _middles(rows[cell]) for cell in sure}, boxes), sure, ground)

    @cached_property
    def spots(self) -> dict[Cell, Floats]:
        """The middle of each number relative to the origin of its cell, shape ``(n, 2)``, window pixels."""
        return {cell: _middles(row) - self.origins[cell] for cell, row in self.rows.items()}

    @cached_property
    def by_count(self) -> dict[int, list[Cell]]:
        """The sure cells by how many numbers they hold."""
        result: dict[int, list[Cell]] = defaultdict(list)
        for cell in self.sure:
            result[len(self.rows[cell])].append(cell)
        return result

    def is_complete(self, cell: Cell) -> bool:
        """Whether no number is missing in a cell: its own stand as in others with the same count, and not as in any
        with more, unless the empty ground is seen where these have their further numbers. If every number has a fixed
        position, nothing can be said."""
        if cell not in self.rows or self._strays(cell) > self._slack(cell):
            return False
        if any(self._may_hold(cell, other) for other in self._fitting(cell)):
            return False
        if self._with_more(cell) or self._moves:
            return True
        return len(self.by_count[len(self.rows[cell])]) >= FULL and not self._may_go_on(cell)

    def is_better_than(self, others: Sequence[Glyph], cell: Cell) -> bool:
        """Whether the numbers of a cell stand as elsewhere, and none is missing, and ``others`` in it would stand as
        nowhere, though other cells have as many."""
        numbers = [g for g in others if g.chances.get(JUNK, 0.0) <= 0.5]
        if not self.by_count.get(len(numbers)) or not self.is_complete(cell):
            return False
        instead = replace(self, rows={**self.rows, cell: numbers})
        return instead._strays(cell) > FARTHER * instead._slack(cell)

    def missing(self, cell: Cell) -> list[tuple[int, ...]]:
        """Which numbers may be missing in a cell, by their index in the order of its numbers including them: those that
        other cells, ordered alike, have where something covers this one; ``()`` among them if none may be missing."""
        found = set()
        slack = self._slack(cell)
        for other in self._with_more(cell):
            away = _away(self.spots[cell], self.spots[other])
            at = away.argmin(axis=1).tolist()
            if at == sorted(set(at)) and away.min(axis=1).max() <= slack and self._may_hold(cell, other):
                found.add(tuple(sorted(set(range(len(self.rows[other]))) - set(at))))
        alike = len(self.by_count[len(self.rows[cell])])
        if alike < FEWEST or self._strays(cell) <= MOVED * self._lowest(cell):
            found.add(())
        return sorted(found)

    def _slack(self, cell: Cell) -> float:
        """By how much numbers at the same position differ."""
        return IN_PLACE * self._lowest(cell) + HALF_A_PIXEL

    def _lowest(self, cell: Cell) -> float:
        return min(g.height / g.piece.scale for g in self.rows[cell])

    def _with_more(self, cell: Cell) -> list[Cell]:
        """The sure cells with more numbers, where several hold as many."""
        own = len(self.rows[cell])
        return [one for count, each in self.by_count.items() if count > own and len(each) >= FEWEST for one in each]

    def _strays(self, cell: Cell) -> float:
        """How far the numbers of a cell at least deviate from those of another one with the same count, and as many
        digits at each position: of a 13 perhaps only the 1 is seen."""
        own = self.spots[cell]
        alike = [
            self.spots[other]
            for other in self.by_count[len(own)]
            if other != cell and self._has_as_many_digits(cell, other)
        ]
        return min((max(_farthest(own, one), _farthest(one, own)) for one in alike), default=np.inf)

    def _has_as_many_digits(self, cell: Cell, other: Cell) -> bool:
        """Whether each number of a cell has as many digits as the nearest one of another cell."""
        nearest = _away(self.spots[cell], self.spots[other]).argmin(axis=1).tolist()
        there = self.rows[other]
        return all(len(g.token) == len(there[k].token) for g, k in zip(self.rows[cell], nearest, strict=True))

    def _fitting(self, cell: Cell) -> list[Cell]:
        """The cells with more numbers, some of which stand as those of this cell do."""
        near = max(MOVED * self._lowest(cell), FARTHER * self._strays(cell))
        return [other for other in self._with_more(cell) if _farthest(self.spots[cell], self.spots[other]) < near]

    @cached_property
    def _moves(self) -> bool:
        """Whether positions distinguish the certain cells from those with more."""
        several = [cell for each in self.by_count.values() if len(each) >= FEWEST for cell in each]
        told = [
            self._strays(cell) <= self._slack(cell) and not self._fitting(cell)
            for cell in several
            if self._with_more(cell)
        ]
        return sum(told) >= max(TELLING * len(told), FEWEST)

    def _may_hold(self, cell: Cell, other: Cell) -> bool:
        """Whether numbers may stand in a cell at all positions of another one's numbers that are not seen in it."""
        free = _apart(self.spots[other], self.spots[cell], APART * self._lowest(cell))
        return all(self._shows(cell, self.origins[cell] + self.spots[other][i], self.rows[other][i]) for i in free)

    def _may_go_on(self, cell: Cell) -> bool:
        """Whether a number may stand in a cell where its lines or columns would continue."""
        row, box, middles = self.rows[cell], self.boxes[cell], _middles(self.rows[cell])
        own = [_place(middle, g.piece) for middle, g in zip(middles, row, strict=True)]
        ahead = [(row[i], middles[i] + by) for i, by in _steps(middles)]
        free = [(g, at) for g, at in ahead if not _overlaps(place := _place(at, g.piece), own) and _holds(box, place)]
        return not ahead or any(self._shows(cell, at, g) for g, at in free)

    def _shows(self, cell: Cell, at: Floats, like: Glyph) -> bool:
        """Whether a number ``like`` another one may stand at a point of a cell."""
        return not self.ground.is_bare_at(cell, at, like.piece)


def _middles(row: Sequence[Glyph]) -> Floats:
    """The middle of each number, shape ``(n, 2)``, window pixels."""
    places = [(g.piece.box, g.piece.scale) for g in row]
    return np.array([((b.x + b.width / 2) / s, (b.y + b.height / 2) / s) for b, s in places], np.float64)


def _origins(middles: Mapping[Cell, Floats], boxes: Mapping[Cell, Box]) -> dict[Cell, Floats]:
    """A reference point of each cell relative to which its numbers stand as in others with the same count. Numbers
    stand on the window's own lattice, exact to a pixel; the boxes end at walls that may be hairlines, or overlooked."""
    centres = {cell: np.array((box.x + box.width / 2, box.y + box.height / 2)) for cell, box in boxes.items()}
    counts = sorted({len(each) for each in middles.values()})

    def placed(cell: Cell) -> Floats:
        return np.array((cell[1], cell[0], 1.0))

    lattice = np.stack([placed(cell) for cell in boxes])
    measured = np.stack([centres[cell] for cell in boxes])
    fitted = lattice @ np.linalg.lstsq(lattice, measured, rcond=None)[0]
    pitch = max(float(np.median([box.width for box in boxes.values()])), 1.0)
    even = float(np.abs(fitted - measured).max()) < UNEVEN * pitch
    if not even or len(middles) < len(counts) + FITTED:
        return centres
    kinds = np.array([[len(middles[cell]) == count for count in counts] for cell in middles], float)
    design = np.hstack([np.stack([placed(cell)[:2] for cell in middles]), kinds])
    slopes = np.linalg.lstsq(design, np.stack([each.mean(axis=0) for each in middles.values()]), rcond=None)[0][:2]
    middle = np.mean([centres[cell] - placed(cell)[:2] @ slopes for cell in boxes], axis=0)
    return {cell: placed(cell)[:2] @ slopes + middle for cell in boxes}


def _place(middle: Floats | tuple[float, float], like: Piece) -> Box:
    """The window pixels that a number ``like`` another one would cover around a point."""
    width, height = like.box.width / like.scale, like.box.height / like.scale
    left, top = middle[0] - width / 2, middle[1] - height / 2
    return Box(round(float(left)), round(float(top)), max(round(width), 1), max(round(height), 1))


def _farthest(one: Floats, other: Floats) -> float:
    """The greatest distance of a spot of one cell to the nearest one of the other."""
    return float(_away(one, other).min(axis=1).max())


def _away(one: Floats, other: Floats) -> Floats:
    """The distance of each spot of one cell to each of the other, the larger of both directions."""
    return np.asarray(np.abs(one[:, None] - other[None]).max(axis=2))


def _apart(one: Floats, other: Floats, least: float) -> list[int]:
    """Which spots of one cell are at least so far from all of the other."""
    return np.flatnonzero(_away(one, other).min(axis=1) >= least).tolist()


def _steps(spots: Floats) -> list[tuple[int, Floats]]:
    """Possible continuations of lines and columns of numbers: the index of a number, and the offset of the next one
    from it; includes steps back to the adjacent number."""
    if len(spots) < 2:
        return []
    away = _away(spots, spots) + np.where(np.eye(len(spots)) > 0, np.inf, 0)
    near = [np.flatnonzero(row <= NEIGHBOURS * row.min()).tolist() for row in away]
    return [(i, spots[i] - spots[j]) for i, each in enumerate(near) for j in each]


def _overlaps(place: Box, others: Sequence[Box]) -> bool:
    return any(
        min(place.x + place.width, o.x + o.width) > max(place.x, o.x)
        and min(place.y + place.height, o.y + o.height) > max(place.y, o.y)
        for o in others
    )


def _holds(box: Box, place: Box) -> bool:
    """Whether a place lies within a box."""
    return box.contains((place.x, place.y)) and box.contains((place.x + place.width, place.y + place.height))
