"""Commas, full stops and other signs between the numbers of a cell of Cross Set, known by where they stand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.glyph import LEGIBLE, Glyph
from autoplayer.games.cross_set.own_face import vector
from autoplayer.vision.pieces import Piece

HIGHEST_SIGN = 0.8
"""Such signs are lower than this share of the numbers beside them: some commas reach far below the line."""

SIGNS, FEWEST_SIGNS = 0.85, 4
"""The share, and the number, of cells with several numbers in which they have to be seen."""


SMALL_SIGN = 0.45
"""A sign that went into a number is smaller than this share of the numbers beside it."""


KIND, ALIKE, SHAPELESS = 0.25, 0.8, 5
"""By how much of their size signs of one kind differ, their correlation at least, and up to how many pixels of the
window they have no shape."""

PART = 0.12
"""What stands closer above or below a piece, as a share of its own height, belongs to it."""

ON_LEVEL = 0.2
"""By how much of the line's height the signs of a window stand higher or lower than others."""

OTHER_NUMBER = 0.75
"""Digits of which one is lower than this share of the other are two numbers."""

REACH = 0.35
"""How far a comma's middle may be below its line, as a share of that."""


OF_SIZE, ON_LINE, OVER = 0.35, 0.15, 0.3
"""By how much of their size signs differ; by how much of the numbers' height they stray from their line; and the share
of the narrower one's width that two pieces have in common where one is above the other."""


def swallowed_signs(
    seen: Mapping[Cell, Sequence[Glyph]], atoms: Mapping[Cell, Sequence[Piece]], boxes: Mapping[Cell, Box]
) -> dict[Cell, list[Box]]:
    """Where commas and full stops stand that went into numbers when these were put together from small pieces
    (``atoms``): one at the foot between any two numbers in line, in nearly all cells, none behind the last; and what
    looks like those and stands on their line elsewhere. Empty where there is no such thing. ``boxes``: the cells."""
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
        on_line = _alone(p, atoms[cell]) and abs(place(cell, p) - usual_place) <= away
        return on_line or any(p is one for one in found.get(cell, ()))

    return {cell: [p.box for p in parts if is_sign(cell, p)] for cell, parts in atoms.items()}


def _swallowed_between(p: Piece, left: Piece, right: Piece, atoms: Sequence[Piece]) -> bool:
    """Whether a piece stands between two numbers as a sign does, in one of them or by itself."""
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
    return not within(p, right) or (_alone(p, others) and all(p.box.x < o.box.x for o in others))


def _alone(p: Piece, others: Sequence[Piece]) -> bool:
    """Whether nothing stands above or below a piece."""
    return not any(
        min(o.right, p.right) - max(o.box.x, p.box.x) > OVER * min(o.box.width, p.box.width)
        for o in others
        if o is not p
    )


def _at_the_right(p: Piece, number: Piece, atoms: Sequence[Piece]) -> bool:
    """Whether a piece of a number is small, at its foot, and at the right of all others of it."""
    others = [o for o in atoms if o is not p and within(o, number)]
    low = p.box.y > number.box.y + 0.6 * number.box.height and p.extent < SMALL_SIGN * number.box.height
    return within(p, number) and low and bool(others) and _alone(p, others) and all(o.right < p.right for o in others)


def within(p: Piece, number: Piece) -> bool:
    """Whether the middle of a piece lies in another one's box."""
    x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
    return number.box.x <= x <= number.right and number.box.y <= y <= number.bottom


def without(parts: Sequence[Piece], signs: Sequence[Box]) -> tuple[Piece, ...]:
    """The pieces of a cell but for those that are its ``signs``, however they are parted."""

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
    """The extent below which everything is a comma or a full stop: one stands between any two of the others that stand
    in line, at their feet, in nearly all cells, and none by itself. 0 where there is no such thing."""
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


def parting_signs(
    seen: Mapping[Cell, Sequence[Glyph]], atoms: Mapping[Cell, Sequence[Piece]], size: int
) -> dict[Cell, list[Piece]]:
    """The signs that part the numbers of a board larger than 9x9, whatever they are (commas, dots, slashes,
    bars): pieces that look alike, of which one stands between any two digits that cannot be one number, none between
    two that are one, and hardly any elsewhere. Empty where there is no such thing. ``atoms``: what hangs together."""
    best: tuple[int, dict[Cell, list[Piece]]] = (0, {})
    free = {cell: [p for p in parts if _is_free(p, parts)] for cell, parts in atoms.items()}
    for kind in _kinds(free):
        pairs: list[tuple[bool | None, list[float]]] = []
        places: list[tuple[Cell, Piece, float]] = []
        lone: list[tuple[Cell, Piece, float]] = []
        for cell, row in seen.items():
            own = kind.get(cell, [])
            rest = [g for g in row if g.chance > LEGIBLE and not any(_same(g.piece, p) for p in own)]
            for left, right in _side_by_side(rest):
                here = [(p, _level(p, left.piece, right.piece)) for p in own]
                found = [(cell, p, at) for p, at in here if stands_between(p.box, left.piece, right.piece)]
                pairs.append((_are_one(left, right, size), [at for _, _, at in found]))
                places += found
            met = [p for c, p, _ in places if c == cell]
            lone += [(cell, p, _level_beside(p, rest)) for p in own if all(p is not one for one in met)]
        usual = float(np.median([at for _, found in pairs for at in found])) if places else 0.0
        counts = [(joined, sum(abs(at - usual) < ON_LEVEL for at in found)) for joined, found in pairs]
        between = sum(joined is False and here == 1 for joined, here in counts)
        apart = sum(joined is False for joined, _ in counts)
        # One beside which a digit is not seen yet stands on the line of the others.
        signs = [(cell, p) for cell, p, at in (*places, *lone) if abs(at - usual) < ON_LEVEL]
        wrong = len(lone) + sum(joined is True and here > 0 for joined, here in counts)
        enough = between >= FEWEST_SIGNS and between >= SIGNS * apart and wrong <= (1 - SIGNS) * len(signs)
        if enough and between > best[0]:
            best = between, {cell: [p for c, p in signs if c == cell] for cell in {c for c, _ in signs}}
    return best[1]


def _level(p: Piece, left: Piece, right: Piece) -> float:
    """How far down the line of two digits a piece stands between them: 0 at their top, 1 at their foot."""
    high, low = min(left.box.y, right.box.y), max(left.bottom, right.bottom)
    return (p.box.y + p.box.height / 2 - high) / (low - high)


def _level_beside(p: Piece, row: Sequence[Glyph]) -> float:
    """The same beside the nearest digit on its line; infinite where there is none."""
    x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
    line = [g.piece for g in row if g.piece.box.y < y < g.piece.bottom + REACH * g.height]
    near = min(line, key=lambda o: abs(o.box.x + o.box.width / 2 - x), default=None)
    return np.inf if near is None else _level(p, near, near)


def is_unparted(row: Sequence[Glyph], signs: Sequence[Box]) -> bool:
    """Whether two numbers of a cell stand side by side with no sign between them: it went into one, or is taken for
    one, where there is a sign between any two."""
    pairs = _side_by_side([g for g in row if g.chance > LEGIBLE])
    return not all(any(stands_between(box, a.piece, b.piece) for box in signs) for a, b in pairs)


def like_signs(parts: Sequence[Piece], signs: Sequence[Piece]) -> list[Box]:
    """Where in a cell pieces stand that look like one of the ``signs`` between the numbers of its board, and have
    something at either side."""
    found = []
    for p in parts:
        middle = p.box.x + p.box.width / 2
        between = any(o.right <= middle for o in parts) and any(o.box.x >= middle for o in parts)
        if between and any(_is_alike(p, _shape(p), one, _shape(one)) for one in signs):
            found.append(p.box)
    return found


def _is_free(p: Piece, parts: Sequence[Piece]) -> bool:
    """Whether a piece lies in no other one's box, and nothing stands above or below it as close as the parts of a digit
    do."""
    around = []
    for o in parts:
        common = min(o.bottom, p.bottom) - max(o.box.y, p.box.y)
        level = 2 * common > min(o.box.height, p.box.height)
        if -common < PART * o.box.height and not level:
            around.append(o)
    inside = any(within(p, o) and o.extent > p.extent for o in parts if o is not p)
    return not inside and _alone(p, around)


def _kinds(atoms: Mapping[Cell, Sequence[Piece]]) -> list[dict[Cell, list[Piece]]]:
    """Pieces of about one size and shape that are met often enough to be signs."""
    kinds: list[tuple[Piece, Floats, dict[Cell, list[Piece]]]] = []
    for cell, parts in atoms.items():
        for p in parts:
            own = _shape(p)
            for first, shape, members in kinds:
                if _is_alike(p, own, first, shape):
                    members.setdefault(cell, []).append(p)
                    break
            else:
                kinds.append((p, own, {cell: [p]}))
    return [members for _, _, members in kinds if sum(map(len, members.values())) >= FEWEST_SIGNS]


def _shape(p: Piece) -> Floats:
    """What signs are compared by: blurred, for thin strokes fall on other pixels in every cell."""
    return vector(Glyph(p, {}, 0))


def _is_alike(p: Piece, own: Floats, first: Piece, shape: Floats) -> bool:
    """Whether two pieces are of one size and shape; what is a few pixels large has none."""
    near = (p.box.width, first.box.width), (p.box.height, first.box.height)
    of_size = all(abs(a - b) <= KIND * b + 1.5 * p.scale for a, b in near)
    return of_size and (p.extent <= SHAPELESS * p.scale or float(own @ shape) > ALIKE)


def _same(one: Piece, other: Piece) -> bool:
    return one is other or (within(one, other) and within(other, one) and one.extent < 1.3 * other.extent)


def _side_by_side(row: Sequence[Glyph]) -> Iterator[tuple[Glyph, Glyph]]:
    """Digits that follow one another in a line, whatever their sizes."""
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
    """Whether two digits that follow one another are one number; None where that is not known."""
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
