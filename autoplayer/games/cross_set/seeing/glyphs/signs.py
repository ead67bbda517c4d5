"""Finds commas and full stops between the numbers of a cell of Cross Set by their positions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.vision.pieces import STROKE, Piece

HIGHEST_SIGN = 0.8
"""Such signs are lower than this share of the numbers beside them: some commas reach far below the line."""

SIGNS, FEWEST_SIGNS = 0.85, 4
"""The share, and the number, of cells with several numbers in which signs have to be seen."""


SMALL_SIGN = 0.45
"""A sign that was merged into a number is smaller than this share of the numbers beside it."""


OF_SIZE, ON_LINE, OVER = 0.35, 0.15, 0.3
"""By how much of their size signs differ; by how much of the numbers' height they deviate from their line; and the
overlap of two pieces one above the other, as a share of the narrower one's width."""

VANISHING = 2.0
"""Window pixels: signs up to this size are not seen everywhere."""

SPECK = 0.15
"""A piece smaller than this share of the lowest digit beside it is a speck."""

SMALLEST_SIGN = 0.08
"""A full stop between numbers is no smaller than this share of them; it may be as small as a speck."""


def swallowed_signs(
    seen: Mapping[Cell, Sequence[Glyph]], atoms: Mapping[Cell, Sequence[Piece]], boxes: Mapping[Cell, Box]
) -> dict[Cell, list[Box]]:
    """The positions of commas and full stops that were merged into numbers when these were joined from small pieces
    (``atoms``): one at the foot between any two numbers in line, in nearly all cells, none behind the last; and what
    looks like those and stands on their line elsewhere. Empty if there is no such thing. ``boxes``: the cells."""
    found: dict[Cell, list[Piece]] = {}
    between = gaps = behind = 0
    for cell, row in seen.items():
        line = sorted((g.piece for g in row), key=lambda p: p.box.x)
        for left, right in itertools.pairwise(line):
            gaps += 1
            signs = [p for p in atoms[cell] if _swallowed_between(p, left, right, atoms[cell])]
            between += bool(signs)
            found.setdefault(cell, []).extend(signs)
        behind += bool(line) and any(_at_the_right(p, line[-1], atoms[cell]) for p in atoms[cell])
    enough = gaps >= FEWEST_SIGNS and between >= SIGNS * gaps and behind <= (1 - SIGNS) * len(seen)
    if not enough:
        return {}

    def place(cell: Cell, p: Piece) -> float:
        return p.box.y + p.box.height / 2 - boxes[cell].y * p.scale

    every = [(cell, p) for cell, signs in found.items() for p in signs]
    width, height = np.median([(p.box.width, p.box.height) for _, p in every], axis=0).tolist()
    usual_place = float(np.median([place(cell, p) for cell, p in every]))
    away = ON_LINE * float(np.median([g.height for row in seen.values() for g in row]))

    def is_sign(cell: Cell, p: Piece) -> bool:
        own = (p.box.width, width), (p.box.height, height)
        if any(abs(length - usual) > OF_SIZE * usual + 0.5 * p.scale for length, usual in own):
            return False
        on_line = alone(p, atoms[cell]) and abs(place(cell, p) - usual_place) <= away
        return on_line or any(p is one for one in found.get(cell, ()))

    return {cell: [p.box for p in parts if is_sign(cell, p)] for cell, parts in atoms.items()}


def _swallowed_between(p: Piece, left: Piece, right: Piece, atoms: Sequence[Piece]) -> bool:
    """Whether a piece stands between two numbers as a sign does, merged into one of them or by itself."""
    least = min(left.box.height, right.box.height)
    middle = p.box.x + p.box.width / 2
    if not left.box.x + left.box.width / 2 < middle < right.box.x + right.box.width / 2:
        return False
    both = [o.box for o in (left, right)]
    low = [p.box.y > o.y + 0.6 * o.height and p.bottom > o.y + 0.85 * o.height for o in both]
    if not any(low) or p.extent > SMALL_SIGN * least:
        return False
    if within(p, left):
        return _at_the_right(p, left, atoms)
    others = [o for o in atoms if o is not p and within(o, right)]
    return not within(p, right) or (alone(p, others) and all(p.box.x < o.box.x for o in others))


def alone(p: Piece, others: Sequence[Piece]) -> bool:
    """Whether nothing stands above or below a piece."""
    return not any(
        min(o.right, p.right) - max(o.box.x, p.box.x) > OVER * min(o.box.width, p.box.width)
        for o in others
        if o is not p
    )


def _at_the_right(p: Piece, number: Piece, atoms: Sequence[Piece]) -> bool:
    """Whether a piece of a number is small, at its foot, and to the right of all its other pieces."""
    others = [o for o in atoms if o is not p and within(o, number)]
    low = p.box.y > number.box.y + 0.6 * number.box.height and p.extent < SMALL_SIGN * number.box.height
    return within(p, number) and low and bool(others) and alone(p, others) and all(o.right < p.right for o in others)


def within(p: Piece, number: Piece) -> bool:
    """Whether the middle of a piece lies in another one's bounding box."""
    x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
    return number.box.x <= x <= number.right and number.box.y <= y <= number.bottom


def without(parts: Sequence[Piece], signs: Sequence[Box]) -> tuple[Piece, ...]:
    """The pieces of a cell without its ``signs``, in any segmentation."""

    def is_sign(p: Piece) -> bool:
        x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
        return any(
            box.x <= x <= box.x + box.width
            and box.y <= y <= box.y + box.height
            and p.extent <= 1.5 * max(box.width, box.height) + p.scale
            for box in signs
        )

    return tuple(p for p in parts if not is_sign(p))


def above_signs(seen: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The extent below which every piece is a comma or a full stop: one stands between any two of the others that stand
    in line, at their feet, in nearly all cells, and none by itself. 0 if there is no such extent."""
    extents = sorted({g.piece.extent for row in seen.values() for g in row})
    for low, high in itertools.pairwise(extents):
        if low > HIGHEST_SIGN * extents[-1]:
            break
        if high < 1.15 * low:
            continue
        between = alone = several = 0
        for row in seen.values():
            signs = [g.piece for g in row if 0.4 * low <= g.piece.extent <= low]  # without specks
            rest = sorted((g.piece for g in row if g.piece.extent > low), key=lambda p: p.box.x)
            several += len(rest) > 1
            between += len(rest) > 1 and all(_sign_between(a, b, signs) for a, b in itertools.pairwise(rest))
            alone += bool(signs) and len(rest) < 2
        if several >= FEWEST_SIGNS and between >= SIGNS * several and alone <= (1 - SIGNS) * len(seen):
            return float(high)
    return 0.0


def _sign_between(left: Piece, right: Piece, signs: Sequence[Piece]) -> bool:
    """Whether one of the ``signs`` stands between two numbers, at the feet of both, and is far lower than each."""
    for p in signs:
        middle = p.box.x + p.box.width / 2
        lower = all(
            p.box.y > o.box.y + 0.5 * o.box.height and p.extent < HIGHEST_SIGN * o.box.height for o in (left, right)
        )
        at_foot = all(p.bottom > o.bottom - 0.15 * o.box.height for o in (left, right))
        if left.box.x + left.box.width / 2 < middle < right.box.x + right.box.width / 2 and lower and at_foot:
            return True
    return False


def has_signs(seen: Mapping[Cell, Sequence[Glyph]], split: Mapping[Cell, Sequence[Piece]]) -> bool:
    """Whether signs stand between numbers: then there is one between any two in most cells."""
    enough = [len(signs_among(row, split[cell])) >= len(row) - 1 for cell, row in seen.items() if len(row) > 1]
    return bool(np.mean(enough) > 0.5) if enough else False


def left_over(row: Sequence[Glyph], parts: Sequence[Piece], signs: bool, lowest: float = np.inf) -> list[Piece]:
    """The pieces of a cell that are in none of its glyphs and do not look like a sign between numbers (if there are
    ``signs``); without specks. ``lowest``: the height of the board's lowest numbers, because those of this cell may be
    larger."""
    least = SPECK * min((lowest, *(g.height for g in row))) if row else 0.0
    return [p for p, beside in _outside(row, parts) if p.extent >= least and not (signs and at_a_foot(p, beside))]


def signs_among(row: Sequence[Glyph], parts: Sequence[Piece]) -> list[Piece]:
    """The pieces of a cell that are in none of its glyphs and look like a sign between numbers."""
    least = SMALLEST_SIGN * min((g.height for g in row), default=0.0)
    return [p for p, beside in _outside(row, parts) if p.extent >= least and at_a_foot(p, beside)]


def are_lasting(signs: Sequence[Piece]) -> bool:
    """Whether signs are so large that none vanishes between the pixels of the window."""
    return bool(signs) and float(np.median([p.extent / p.scale for p in signs])) > VANISHING


def _outside(row: Sequence[Glyph], parts: Sequence[Piece]) -> Iterator[tuple[Piece, Sequence[Glyph]]]:
    """The pieces of a cell that are in none of its glyphs; if a piece was divided among several glyphs, or lost a
    stroke, the remainder. With the glyphs to which each was attached; all of them if it stands alone."""
    for p in parts:
        taken = [g for g in row if within(p, g.piece) or within(g.piece, p)]
        if not any(_holds(g.piece.box, p) for g in taken):
            yield from ((left, taken or row) for left in _left_of(p, [g.piece.box for g in taken]))


def _holds(box: Box, p: Piece) -> bool:
    """Whether all of a piece except its soft edge lies in a box."""
    own, right, bottom = p.box, box.x + box.width + p.scale, box.y + box.height + p.scale
    return own.x >= box.x - p.scale and own.y >= box.y - p.scale and p.right <= right and p.bottom <= bottom


def _left_of(p: Piece, taken: Sequence[Box]) -> list[Piece]:
    """The strokes of a piece outside of some boxes, without soft edges; all of it if there are no boxes."""
    if not taken:
        return [p]
    rest = p.ink.copy()
    for box in taken:
        x, y = box.x - p.box.x, box.y - p.box.y
        reach = (
            slice(max(y - p.scale, 0), max(y + box.height + p.scale, 0)),
            slice(max(x - p.scale, 0), max(x + box.width + p.scale, 0)),
        )
        rest[reach] = 0
    count, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(rest > STROKE, np.uint8), connectivity=8)
    corners = (stats[i, :4].tolist() for i in range(1, count))
    return [
        replace(p, box=Box(p.box.x + x, p.box.y + y, w, h), ink=rest[y : y + h, x : x + w]) for x, y, w, h in corners
    ]


def at_a_foot(p: Piece, row: Sequence[Glyph]) -> bool:
    """Whether a piece is low and stands at the foot of a number beside it."""
    middle = p.box.y + p.box.height / 2
    feet = [g.piece.bottom - 0.25 * g.height for g in row]
    return any(abs(middle - foot) < 0.5 * g.height for foot, g in zip(feet, row, strict=True) if middle > foot)
