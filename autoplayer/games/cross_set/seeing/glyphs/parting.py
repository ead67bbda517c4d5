"""Finds the separators between the numbers of a cell of Cross Set (commas, dots, slashes, bars) by where they occur and
where they do not. On boards larger than 9x9 adjacent digits may be one number or two; on smaller ones a slash or a bar
may look like a 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import LEGIBLE, Glyph
from autoplayer.games.cross_set.seeing.glyphs.own_face import vector
from autoplayer.games.cross_set.seeing.glyphs.signs import FEWEST_SIGNS, SIGNS, alone, within
from autoplayer.vision.pieces import Piece

KIND, ALIKE, SHAPELESS = 0.25, 0.8, 5
"""By how much of their size signs of one kind differ, their least correlation, and up to how many window pixels their
shape cannot be compared."""

PART = 0.12
"""What stands closer above or below a piece, as a share of its own height, belongs to it."""

ON_LEVEL = 0.2
"""By how much of the line's height the signs of a window differ in vertical position."""

OTHER_NUMBER = 0.75
"""Two digits, one of which is lower than this share of the other, belong to two numbers."""

REACH = 0.35
"""How far a comma's middle may be below its line, as a share of the line's height."""


@dataclass(frozen=True)
class _Met:
    """A piece that may be a sign, in its cell. ``levels``: its vertical position in its line, 0 at the top and 1 at the
    foot, relative to the digits beside it, the lower one first: the size of signs goes with that of the smaller
    numbers."""

    cell: Cell
    piece: Piece
    levels: tuple[float, ...]

    def is_at(self, level: float) -> bool:
        return any(abs(own - level) < ON_LEVEL for own in self.levels)


_Kind = dict[Cell, list[Piece]]

_Pairs = list[tuple[bool | None, list["_Met"]]]
"""For any two adjacent digits, whether they are one number, and the signs between them."""


@dataclass(frozen=True)
class _Tried:
    """What follows if pieces are signs: these ``signs``, on the line of most of them; of how many ``pairs`` of digits
    that cannot be one number exactly one stands between (``right``); and how many stand elsewhere, or alone in their
    cells (``wrong``)."""

    signs: list[_Met]
    pairs: int
    right: int
    wrong: int

    @property
    def is_only_between(self) -> bool:
        return self.wrong <= (1 - SIGNS) * len(self.signs)


def parting_signs(
    seen: Mapping[Cell, Sequence[Glyph]], atoms: Mapping[Cell, Sequence[Piece]], size: int
) -> dict[Cell, list[Piece]]:
    """The signs that separate the numbers of a board, whatever they are (commas, dots, slashes, bars): pieces that look
    alike, of which one stands between any two digits that cannot be one number, none between two that are one, and
    hardly any elsewhere. Empty if there are none. ``atoms``: the connected components."""
    free = {cell: [p for p in parts if _is_free(p, parts)] for cell, parts in atoms.items()}
    best: list[_Met] = []
    most = FEWEST_SIGNS - 1
    plain = {cell: _pairs_of(row, size) for cell, row in seen.items()}
    kinds = _kinds(free)
    for kind in kinds:
        if sum(map(len, kind.values())) < FEWEST_SIGNS:
            continue
        tried = _tried(kind, seen, size, plain)
        if tried.is_only_between:
            tried = _with_others(kind, tried, kinds, seen, size, plain)
            if tried.right > most and tried.right >= SIGNS * tried.pairs:
                best, most = tried.signs, tried.right
    return {cell: [met.piece for met in best if met.cell == cell] for cell in {met.cell for met in best}}


def _with_others(
    kind: _Kind,
    tried: _Tried,
    kinds: Sequence[_Kind],
    seen: Mapping[Cell, Sequence[Glyph]],
    size: int,
    plain: Mapping[Cell, _Pairs],
) -> _Tried:
    """The signs of a ``kind`` with those of the other kinds of its size that also stand where one is missing, and
    nowhere else: a thin stroke looks different where it falls on other pixels. A number does not: beside it a sign
    would be missing."""
    first = next(iter(kind.values()))[0]
    for other in kinds:
        if other is kind or not _is_of_size(next(iter(other.values()))[0], first):
            continue
        both = {cell: [*kind.get(cell, ()), *other.get(cell, ())] for cell in {**kind, **other}}
        after = _tried(both, seen, size, plain)
        if after.is_only_between and after.right - tried.right >= SIGNS * sum(map(len, other.values())):
            kind, tried = both, after
    return tried


def _tried(kind: _Kind, seen: Mapping[Cell, Sequence[Glyph]], size: int, plain: Mapping[Cell, _Pairs]) -> _Tried:
    """What follows if the pieces of a ``kind`` are signs; ``plain``: the adjacent digits if there are none."""
    pairs, lone = _met(kind, seen, size, plain)
    levels = [met.levels[0] for _, found in pairs for met in found]
    if not levels:
        return _Tried([], len(pairs), 0, 0)
    usual = float(np.median(levels))
    between = [sum(met.is_at(usual) for met in found) for joined, found in pairs if joined is False]
    within_one = sum(any(met.is_at(usual) for met in found) for joined, found in pairs if joined)
    # One beside which a digit is not seen yet stands on the line of the others.
    astray = [met for met in lone if met.is_at(usual)]
    signs = [met for _, found in pairs for met in found if met.is_at(usual)] + astray
    # Every cell has a number: what stands in one by itself is no sign.
    alone = sum(len(seen[cell]) == 1 for cell in kind)
    return _Tried(signs, len(between), between.count(1), within_one + len(astray) + alone)


def _pairs_of(row: Sequence[Glyph], size: int) -> _Pairs:
    """The pairs of a cell without signs."""
    digits = [g for g in row if g.chance > LEGIBLE]
    return [(_are_one(left, right, size), []) for left, right in _side_by_side(digits)]


def _met(
    kind: Mapping[Cell, Sequence[Piece]], seen: Mapping[Cell, Sequence[Glyph]], size: int, plain: Mapping[Cell, _Pairs]
) -> tuple[_Pairs, list[_Met]]:
    """The pairs of adjacent digits if the pieces of this ``kind`` were no digits, with the pieces between them; and the
    pieces that stand elsewhere. ``plain``: the adjacent digits if there are no such pieces."""
    pairs: _Pairs = []
    lone: list[_Met] = []
    for cell, row in seen.items():
        own = kind.get(cell, [])
        if not own:
            pairs += plain[cell]
            continue
        rest = [g for g in row if g.chance > LEGIBLE and not any(_same(g.piece, p) for p in own)]
        used: list[Piece] = []
        for left, right in _side_by_side(rest):
            beside = sorted((left.piece, right.piece), key=lambda o: o.box.height)
            found = [p for p in own if stands_between(p.box, left.piece, right.piece)]
            met = [_Met(cell, p, tuple(_level(p, o) for o in beside)) for p in found]
            pairs.append((_are_one(left, right, size), met))
            used += found
        lone += [_Met(cell, p, _level_beside(p, rest)) for p in own if all(p is not one for one in used)]
    return pairs, lone


def _level(p: Piece, digit: Piece) -> float:
    return (p.box.y + p.box.height / 2 - digit.box.y) / digit.box.height


def _level_beside(p: Piece, row: Sequence[Glyph]) -> tuple[float, ...]:
    """The vertical position of a piece in its line by the nearest digit on it; empty if there is none."""
    x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
    line = [g.piece for g in row if g.piece.box.y < y < g.piece.bottom + REACH * g.height]
    near = min(line, key=lambda o: abs(o.box.x + o.box.width / 2 - x), default=None)
    return () if near is None else (_level(p, near),)


def is_unparted(row: Sequence[Glyph], signs: Sequence[Box]) -> bool:
    """Whether two numbers of a cell are adjacent with no sign between them, on a board that has a sign between any two:
    it was merged into a number, or is taken for one."""
    pairs = _side_by_side([g for g in row if g.chance > LEGIBLE])
    return not all(any(stands_between(box, a.piece, b.piece) for box in signs) for a, b in pairs)


def like_signs(parts: Sequence[Piece], signs: Sequence[Piece]) -> list[Box]:
    """The positions in a cell of pieces that look like one of the ``signs`` between the numbers of its board, and have
    something on either side."""
    found = []
    for p in parts:
        middle = p.box.x + p.box.width / 2
        between = any(o.right <= middle for o in parts) and any(o.box.x >= middle for o in parts)
        if between and any(_is_alike(p, _shape(p), one, _shape(one)) for one in signs):
            found.append(p.box)
    return found


def _is_free(p: Piece, parts: Sequence[Piece]) -> bool:
    """Whether a piece lies in no other one's bounding box, and nothing stands above or below it as close as the parts
    of a digit do."""
    around = []
    for o in parts:
        common = min(o.bottom, p.bottom) - max(o.box.y, p.box.y)
        level = 2 * common > min(o.box.height, p.box.height)
        if -common < PART * o.box.height and not level:
            around.append(o)
    inside = any(within(p, o) and o.extent > p.extent for o in parts if o is not p)
    return not inside and alone(p, around)


def _kinds(atoms: Mapping[Cell, Sequence[Piece]]) -> list[_Kind]:
    """Groups of pieces of about one size and shape."""
    kinds: list[tuple[Piece, Floats, dict[Cell, list[Piece]]]] = []
    for cell, parts in atoms.items():
        for p in parts:
            own = _shape(p)
            alike = [kind for kind in kinds if _is_alike(p, own, kind[0], kind[1])]
            if alike:
                _, _, members = max(alike, key=lambda kind: float(own @ kind[1]))
                members.setdefault(cell, []).append(p)
            else:
                kinds.append((p, own, {cell: [p]}))
    return [members for _, _, members in kinds]


def _shape(p: Piece) -> Floats:
    """The shape by which signs are compared: blurred, because thin strokes fall on other pixels in every cell."""
    return vector(Glyph(p, {}, 0))


def _is_alike(p: Piece, own: Floats, first: Piece, shape: Floats) -> bool:
    """Whether two pieces have one size and shape; pieces of a few pixels have no shape."""
    return _is_of_size(p, first) and (p.extent <= SHAPELESS * p.scale or float(own @ shape) > ALIKE)


def _is_of_size(p: Piece, first: Piece) -> bool:
    near = (p.box.width, first.box.width), (p.box.height, first.box.height)
    return all(abs(a - b) <= KIND * b + 1.5 * p.scale for a, b in near)


def _same(one: Piece, other: Piece) -> bool:
    return one is other or (within(one, other) and within(other, one) and one.extent < 1.3 * other.extent)


def _side_by_side(row: Sequence[Glyph]) -> Iterator[tuple[Glyph, Glyph]]:
    """Digits that follow each other in a line, whatever their sizes."""
    for g in row:
        a = g.piece
        line = [
            o
            for o in row
            if o.piece.box.x + o.piece.box.width / 2 > a.right
            and min(a.bottom, o.piece.bottom) - max(a.box.y, o.piece.box.y)
            > 0.5 * min(a.box.height, o.piece.box.height)
        ]
        if line:
            yield g, min(line, key=lambda o: o.piece.box.x)


def _are_one(left: Glyph, right: Glyph, size: int) -> bool | None:
    """Whether two consecutive digits are one number; None if that is not known."""
    fits = int(left.token + right.token) <= size
    if right.token == "0":
        return True if fits else None  # else there is a digit between them that is not seen yet
    low, high = sorted((left.height, right.height))
    return False if not fits or low < OTHER_NUMBER * high else None


def stands_between(box: Box, left: Piece, right: Piece) -> bool:
    """Whether a sign stands between two digits, on their line or a little below it; ``box``: fine pixels."""
    middle = box.x + box.width / 2, box.y + box.height / 2
    high, low = min(left.box.y, right.box.y), max(left.bottom, right.bottom)
    across = left.box.x + left.box.width / 2 < middle[0] < right.box.x + right.box.width / 2
    return across and high < middle[1] < low + REACH * (low - high)
