"""Finds signs that point to the active number of a cell of Cross Set: an arrow before it, a dot below it, brackets
around it. Such a sign is no number, because each stands once in nearly every cell, and what remains without it is a
complete board. So are bullets, one beside each number, of which a filled one, or one with a dot, stands beside the
active number, as in a list of radio buttons."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, ONE_DIGIT, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.sheet import MOST_SIGNS
from autoplayer.games.cross_set.seeing.one_cell.judging import judged, shown
from autoplayer.vision import alike
from autoplayer.vision.pieces import Piece

MOST, FEWEST = 0.9, 8
"""The share of the cells in which a sign stands once, and of how many cells: the rules let a number stand once in so
many as well, but not beside another one that says the same."""

SIDES = 2
"""The most signs around a number."""

ASTRAY = 0.25
"""The share of a number's height by which its middle and that of its pointer differ in one direction."""

SIZES, LIKE = 0.15, 0.7
"""The share, plus a pixel, by which signs that look alike differ in size, because they begin at fractions of a pixel;
and their least correlation: digits of one size are less alike, and each cell has other ones."""


class Pointers(NamedTuple):
    """The ``signs`` that point to the active number of each cell, and the ``bullets`` beside its other numbers."""

    signs: Mapping[Cell, Sequence[Piece]] = {}
    bullets: Mapping[Cell, Sequence[Piece]] = {}

    def of(self, cell: Cell) -> list[Piece]:
        """All of them in one cell."""
        return [*self.signs.get(cell, ()), *self.bullets.get(cell, ())]


def pointers(atoms: Mapping[Cell, Sequence[Piece]], eyes: Eyes) -> Pointers:
    """The signs of each cell; none where there are no such ones. ``atoms``: what stands in each cell."""
    if eyes.size > ONE_DIGIT or len(atoms) < FEWEST:
        return Pointers()
    seen = judged(atoms, eyes, 1)
    kinds: dict[int, list[tuple[Cell, Glyph]]] = defaultdict(list)
    firsts: dict[int, Piece] = {}
    for cell, row in seen.items():
        for g in row:
            number = next((n for n, first in firsts.items() if _is_like(g.piece, first)), len(firsts))
            firsts.setdefault(number, g.piece)
            kinds[number].append((cell, g))
    bulleted = _bulleted(kinds.values(), seen, eyes.size)
    if bulleted is not None:
        return bulleted
    signs = [n for n, members in kinds.items() if _is_sign(members, seen)]
    if not 0 < len(signs) <= SIDES:
        return Pointers()
    found: dict[Cell, list[Piece]] = defaultdict(list)
    for n in signs:
        for cell, g in kinds[n]:
            found[cell].append(g.piece)
    rest = {
        cell: [g for g in row if g.chance > LEGIBLE and all(g.piece is not p for p in found[cell])]
        for cell, row in seen.items()
    }
    return Pointers(found) if all(rest.values()) and shown(rest, eyes.size) == 1 else Pointers()


def _bulleted(
    kinds: Iterable[Sequence[tuple[Cell, Glyph]]], seen: Mapping[Cell, Sequence[Glyph]], size: int
) -> Pointers | None:
    """The bullets of a board on which one stands beside each number, and one in each cell is more filled than all
    others, or less; None if there are no such ones."""
    marks: dict[Cell, list[tuple[float, Piece]]] = {cell: [] for cell in seen}
    fills = []
    for members in kinds:
        if sum(g.chances.get(JUNK, 0.0) > 0.5 for _, g in members) < MOST * len(members):
            continue
        fills.append(fill := float(np.mean([g.piece.ink.mean() for _, g in members])))
        for cell, g in members:
            marks[cell].append((fill, g.piece))
    rest = {
        cell: [g for g in row if g.chance > LEGIBLE and all(g.piece is not p for _, p in marks[cell])]
        for cell, row in seen.items()
    }
    several = [cell for cell, row in rest.items() if len(row) > 1]
    each = all(len(marks[cell]) == len(rest[cell]) for cell in several)
    if len(several) < FEWEST or not each or any(len(row) > 1 for cell, row in marks.items() if cell not in several):
        return None
    if not all(rest.values()) or shown(rest, size) < 1:
        return None
    for full in (True, False):  # a filled one is likelier than one that is empty beside filled ones
        for limit in sorted(fills, reverse=full)[:-1]:
            signs = {c: [p for fill, p in row if (fill >= limit) == full or fill == limit] for c, row in marks.items()}
            if all(len(signs[cell]) == 1 for cell in several):
                others = {c: [p for _, p in row if all(p is not q for q in signs[c])] for c, row in marks.items()}
                return Pointers(signs, others)
    return None


def like_pointers(parts: Sequence[Piece], known: Mapping[Cell, Sequence[Piece]]) -> list[Piece]:
    """The pieces of a cell in a later picture that look like signs which were ``known`` before."""
    examples = list(itertools.islice(itertools.chain(*known.values()), MOST_SIGNS))
    return [p for p in parts if any(_is_like(p, one) for one in examples)]


def _is_sign(members: Sequence[tuple[Cell, Glyph]], seen: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether objects that look alike stand once in nearly every cell, and are none of its numbers: such an object
    cannot be read, or reads like another number of the cell."""
    if len(members) < MOST * len(seen) or len({cell for cell, _ in members}) < len(members):
        return False
    said = [any(o.token == g.token and o.chance > LEGIBLE for o in seen[cell] if o is not g) for cell, g in members]
    return sum(g.chances.get(JUNK, 0.0) > 0.5 for _, g in members) >= MOST * len(members) or sum(said) > 1


def _is_like(one: Piece, other: Piece) -> bool:
    sizes = (one.box.width, other.box.width), (one.box.height, other.box.height)
    if any(abs(a - b) > SIZES * max(a, b) + one.scale for a, b in sizes):
        return False
    return float(alike.vector(one.ink) @ alike.vector(other.ink)) > LIKE


def pointed_at(
    seen: Mapping[Cell, Sequence[Glyph]], found: Pointers
) -> tuple[dict[Cell, list[Glyph]], frozenset[Cell]]:
    """The glyphs of each cell, with the one that its signs point to marked as if a line were drawn around it; and
    the cells of several numbers in which nothing is pointed to."""
    if not found.signs:
        return {cell: list(row) for cell, row in seen.items()}, frozenset()
    named = {
        cell: _beside(row, found.signs.get(cell, ()), found.of(cell))
        if found.bullets
        else _named(row, found.signs.get(cell, ()))
        for cell, row in seen.items()
    }
    result = {
        cell: [replace(g, piece=replace(g.piece, ringed=g is named[cell])) for g in row] for cell, row in seen.items()
    }
    return result, frozenset(cell for cell, row in seen.items() if len(row) > 1 and named[cell] is None)


def _named(row: Sequence[Glyph], signs: Sequence[Piece]) -> Glyph | None:
    """The number that signs point to, the only one in line with them, or between them; None if there is none."""
    if not signs:
        return None

    def in_line(across: bool) -> list[Glyph]:
        return [g for g in row if all(_away(g.piece, p, across) <= ASTRAY * g.height for p in signs)]

    if len(signs) > 1:
        left, right = min(p.right for p in signs), max(p.box.x for p in signs)
        between = [g for g in row if left <= g.piece.box.x + g.piece.box.width / 2 <= right]
        return between[0] if len(between) == 1 else None
    level, below = in_line(False), in_line(True)
    return (level or below)[0] if len(level) + len(below) == 1 else None


def _beside(row: Sequence[Glyph], signs: Sequence[Piece], bullets: Sequence[Piece]) -> Glyph | None:
    """The number whose bullet is the only one of ``signs``; None if there is none, or numbers have no bullets. All
    ``bullets`` stand at one distance from their numbers, so both have the same places around their common middles."""
    if len(signs) != 1 or len(bullets) != len(row):
        return None
    places, others = _middles([g.piece for g in row]), _middles(bullets)
    away = np.abs(places - places.mean(axis=0) + others.mean(axis=0) - _middles(signs)).max(axis=1)
    nearest = row[int(away.argmin())]
    return nearest if away.min() <= ASTRAY * nearest.height else None


def _middles(parts: Sequence[Piece]) -> Floats:
    """The middle of each piece, shape ``(n, 2)``."""
    return np.array([(p.box.x + p.box.width / 2, p.box.y + p.box.height / 2) for p in parts], np.float32)


def _away(one: Piece, other: Piece, across: bool) -> float:
    """The distance between the middles of two pieces, across or down."""
    if across:
        return abs(one.box.x + one.box.width / 2 - other.box.x - other.box.width / 2)
    return abs(one.box.y + one.box.height / 2 - other.box.y - other.box.height / 2)
