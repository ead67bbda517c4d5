"""Reads boards on which nothing is unusual: all cells together, and everything only once. Conditions: every glyph is
certain, similar to its number elsewhere, of a size that several numbers have, and apart from all others; nothing is
left over; every row and column shows all numbers. If one of them fails, the result is None: then ``cells`` reads the
board again, in many ways, and may end in a doubt."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set.seeing.at_once import Parts, are_apart, parts_of, without_chips
from autoplayer.games.cross_set.seeing.glyphs.crossing import stand_upon_walls
from autoplayer.games.cross_set.seeing.glyphs.glyph import ONE_DIGIT, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.numbers import Spacing, beside, numbers_of, spacing_of
from autoplayer.games.cross_set.seeing.glyphs.own_face import (
    AS_BROAD,
    FEWEST_ALIKE,
    FEWEST_LOWER,
    TALLER,
    compared,
    vector,
)
from autoplayer.games.cross_set.seeing.glyphs.parting import parting_signs, stands_between
from autoplayer.games.cross_set.seeing.glyphs.sheet import MOST_SIGNS, Sheet
from autoplayer.games.cross_set.seeing.glyphs.signs import HIGHEST_SIGN, SIGNS, above_signs
from autoplayer.games.cross_set.seeing.one_cell.assembly import UNEQUAL
from autoplayer.games.cross_set.seeing.one_cell.contents import scale_of
from autoplayer.games.cross_set.seeing.one_cell.judging import LOWEST, exclusive, judged, lowest_digit
from autoplayer.games.cross_set.seeing.one_cell.unused import least_of_candidates
from autoplayer.games.cross_set.seeing.one_cell.ways import WAYS
from autoplayer.games.cross_set.seeing.ordering.order import Ordered, on_rings, ordered, sorted_around
from autoplayer.games.cross_set.seeing.ordering.slots import all_in_place, in_slots
from autoplayer.games.cross_set.seeing.ordering.upon_walls import marked_upon_walls
from autoplayer.vision.pieces import Piece

SURE = 0.985
"""The least probability of every glyph by itself."""

ALIKE, LIKER = 0.85, 0.08
"""The least correlation of a glyph with the same number of its size elsewhere, if drawn in other pixels; or by how much
that correlation exceeds the one with any other number: a bold one is not very similar to a light one."""

SAME_SIGN = 0.4
"""A speck is smaller than this share of the signs between numbers."""

LARGER = 1.2
"""Active numbers that are higher by this factor in every cell are recognised by that alone."""

OF_ONE_SIZE = 0.08
"""By which share the heights of the others differ at most."""

LOOSE = 1.2
"""Other candidates that are farther apart than this multiple of their height may stand on a ring with the active
one."""

BARS = ("1", "7")
"""What a slash or a bar between numbers is read as."""


def read(image: Image, boxes: Mapping[Cell, Box], size: int, noise: float, scale: int = 0) -> Sheet | None:
    """The glyphs of the cells of a plain board with ``size`` rows; ``boxes``: the inside of each cell, window pixels.
    ``scale``: how many fine pixels make a pixel; 0: the usual value for such cells. None if the board is not plain."""
    scale = scale or scale_of(boxes)
    parts = parts_of(image, boxes, noise, scale)
    if parts is None or not are_apart(parts := without_chips(image, parts, noise)):
        return None
    cells = list(boxes)
    rows: dict[Cell, list[Piece]] = {cell: [] for cell in cells}
    for at, piece in zip(parts.owner.tolist(), parts.found, strict=True):
        rows[cells[at]].append(piece)
    seen = judged(rows, Eyes(size), 1)
    signs = _signs(seen, rows, size)
    if signs is None:
        return None
    if signs:
        seen = {cell: [g for g in row if g.piece.box not in signs.get(cell, ())] for cell, row in seen.items()}
    if not all(seen.values()):
        return None
    if least := least_of_candidates(seen, size):
        seen = {cell: [g for g in row if g.piece.contrast >= least] for cell, row in seen.items()}
    if min(g.chance for row in seen.values() for g in row) < SURE:
        # The others of this board's typeface are better evidence for a glyph than the glyph alone.
        seen = compared(seen)
        seen = exclusive(seen) if size <= ONE_DIGIT else seen
    flat = [g for row in seen.values() for g in row]
    if min(g.chance for g in flat) < SURE or not _of_one_face(flat):
        return None
    space: Spacing | None = None
    if size > ONE_DIGIT:
        if not signs and _may_have_signs(seen, parts):
            return None
        space = spacing_of(seen, size, bool(signs))
        apart = {cell: row for cell, row in seen.items() if _may_be_numbers(row, size)}
        ways = numbers_of(apart, size, space, signs)
        if any(len(each) > 1 for each in ways.values()) or any(
            g.token == "0" for cell, row in seen.items() if cell not in ways for g in row
        ):
            return None
        seen |= {cell: each[0][1] for cell, each in ways.items()}
    if signs and not _are_parted(seen, signs):
        return None
    slots = in_slots(seen, boxes)
    if not _is_complete(seen, size) or (slots and not all_in_place(seen, boxes)):
        return None
    if stand_upon_walls(image, boxes, parts.found, noise, scale):
        return None
    grounds = dict(zip(cells, parts.grounds, strict=True))
    order = not slots and _larger_first(seen)
    if not order:
        order = ordered(marked_upon_walls(image, seen, boxes), boxes, grounds)
    quality = fmean(fmean(g.chance for g in row) for row in seen.values())
    glyphs = {cell: tuple(row) for cell, row in order.rows.items()}
    return Sheet(
        glyphs, quality, grounds, dict(boxes), order.hidden, WAYS[0], order.unsure, open_order=order.open_order,
        space=space, signs=_examples(rows, signs), least=least,
    )  # fmt: skip


def _examples(rows: Mapping[Cell, Sequence[Piece]], signs: Mapping[Cell, Sequence[Box]]) -> tuple[Piece, ...]:
    """Some of the signs between numbers."""
    found = (p for cell, boxes in signs.items() for p in rows[cell] if p.box in boxes)
    return tuple(itertools.islice(found, MOST_SIGNS))


# ---- what makes a board plain ----------------------------------------------------------------------------------------


def _of_one_face(flat: Sequence[Glyph]) -> bool:
    """Whether all glyphs have sizes that several numbers have, and each is similar to the same number of its size."""
    flat = _some_of_each(flat)
    height = np.array([g.height for g in flat], float)
    width = np.array([g.piece.box.width for g in flat], float)
    slack = flat[0].piece.scale
    tokens = {token: i for i, token in enumerate(sorted({g.token for g in flat}))}
    token = np.array([tokens[g.token] for g in flat])
    of_size = np.abs(height[:, None] - height) <= UNEQUAL * height[:, None] + slack
    kinds = (of_size.astype(np.float32) @ np.eye(len(tokens), dtype=np.float32)[token]) > 0
    if (kinds.sum(axis=1) < 2).any() or (of_size.sum(axis=1) < 3).any():
        return False
    same = of_size & (token[:, None] == token)
    # A glyph that another number is connected with is higher than its own number is elsewhere, and hardly broader.
    tall, wide = height[:, None], width[:, None]
    lower = (token[:, None] == token) & (height < (1 - TALLER) * tall) & (np.sqrt(height / tall) * wide <= width)
    lower &= ((1 - AS_BROAD) * width <= wide + 0.5 * slack) & (height.min() < (1 - TALLER) * height)
    if (lower.sum(axis=1) >= FEWEST_LOWER).any():
        return False
    # A glyph that is connected with something is broader than nearly all of its number.
    astray = np.where(same, np.abs(width[:, None] - width), np.inf)
    rank = np.minimum(FEWEST_ALIKE, same.sum(axis=1)) - 1
    nearest = np.take_along_axis(np.sort(astray, axis=1), rank[:, None], axis=1)[:, 0]
    if (nearest > UNEQUAL * width + 1.5 * slack).any():
        return False
    index: dict[int, int] = {}
    for i, g in enumerate(flat):
        index.setdefault(g.cluster, i)
    first = np.array(list(index.values()))
    vectors = np.stack([vector(flat[i]) for i in first])
    like = vectors @ vectors.T
    np.fill_diagonal(like, np.nan)
    of_size, same = of_size[np.ix_(first, first)], same[np.ix_(first, first)]
    own = np.where(same, like, -1.0)
    best = np.nanmax(own, axis=1, initial=-1.0)
    rival = np.nanmax(np.where(of_size & ~same, like, -1.0), axis=1, initial=-1.0)
    alone = ~(same & ~np.eye(len(first), dtype=bool)).any(axis=1)
    return bool((alone | (best >= np.maximum(ALIKE, rival)) | (best >= rival + LIKER)).all())


def _some_of_each(flat: Sequence[Glyph]) -> list[Glyph]:
    """A given count of the glyphs that show one number in one size, and the first one of each cluster."""
    often: Counter[tuple[str, int, int]] = Counter()
    met: set[int] = set()
    result = []
    for g in flat:
        key = g.token, g.height, g.piece.box.width
        if often[key] < FEWEST_ALIKE or g.cluster not in met:
            result.append(g)
        often[key] += 1
        met.add(g.cluster)
    return result


def _signs(
    seen: Mapping[Cell, Sequence[Glyph]], rows: Mapping[Cell, Sequence[Piece]], size: int
) -> dict[Cell, list[Box]] | None:
    """The positions of commas and the like between the numbers of each cell, none if there are no low pieces; None if
    something is low that is no such sign."""
    lowest = lowest_digit(seen)

    def is_low(g: Glyph) -> bool:
        return g.piece.extent < (LOWEST if g.chance >= SURE else HIGHEST_SIGN) * lowest

    low = {id(g.piece) for row in seen.values() for g in row if is_low(g)}
    if not low:
        return {}
    if size > ONE_DIGIT:
        signs = parting_signs(seen, rows, size)
    else:
        highest = above_signs(seen)
        signs = {cell: [g.piece for g in row if g.piece.extent < highest] for cell, row in seen.items()}
        smallest = min((p.extent for row in signs.values() for p in row), default=0)
        if smallest < SAME_SIGN * max((p.extent for row in signs.values() for p in row), default=0):
            return None
    if not low <= {id(p) for row in signs.values() for p in row}:
        return None
    return {cell: [p.box for p in row] for cell, row in signs.items()}


def _are_parted(seen: Mapping[Cell, Sequence[Glyph]], signs: Mapping[Cell, Sequence[Box]]) -> bool:
    """Whether one of the ``signs`` stands between any two numbers of one size in a cell."""
    return all(
        any(stands_between(box, row[i].piece, row[j].piece) for box in signs.get(cell, ()))
        for (cell, row), adjacent in zip(seen.items(), beside(seen.values()), strict=True)
        for i, j in adjacent
    )


def _may_have_signs(seen: Mapping[Cell, Sequence[Glyph]], parts: Parts) -> bool:
    """Whether slashes or bars between numbers may have been read as numbers: one stands between any two. ``seen``: what
    each of the ``parts`` was read as."""
    token = {id(g.piece): g.token for row in seen.values() for g in row}
    bar = np.array([token[id(piece)] in BARS for piece in parts.found])
    if not bar.any():
        return False
    box, pairs = parts.box, parts.pairs
    x, h = box[:, 0] + box[:, 2] / 2, box[:, 3]
    behind = (x[pairs.one] < x[pairs.other]) & (pairs.down > 0.5 * np.minimum(h[pairs.one], h[pairs.other]))
    one, other = pairs.one[behind], pairs.other[behind]
    # Of those behind a number the one that is nearest to it, or overlaps it most.
    order = np.lexsort((other, -pairs.across[behind], one))
    one, first = np.unique(one[order], return_index=True)
    unparted = ~bar[one] & ~bar[other[order][first]]
    return bool(np.count_nonzero(unparted) <= (1 / SIGNS - 1) * np.count_nonzero(bar))


def _may_be_numbers(row: Sequence[Glyph], size: int) -> bool:
    """Whether some digits of a cell may be a number of two digits on a board with ``size`` rows: it begins with a 1."""
    tokens = [g.token for g in row]
    ones = tokens.count("1")
    return ones > 1 or bool(ones and any(str(d) in tokens for d in range(size - 9) if d != 1))


def _is_complete(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> bool:
    """Whether no number stands twice in a cell, and every row and column has all."""
    lines: dict[tuple[str, int], set[str]] = defaultdict(set)
    for (r, c), row in seen.items():
        tokens = {g.token for g in row}
        if len(tokens) < len(row):
            return False
        lines["row", r] |= tokens
        lines["column", c] |= tokens
    return all(len(tokens) == size for tokens in lines.values())


def _larger_first(seen: Mapping[Cell, Sequence[Glyph]]) -> Ordered | None:
    """As :func:`ordered`, for boards on which active numbers are larger than all others in every cell, and before or
    above them, and the others stand in a line; None for all other boards."""
    result: dict[Cell, list[Glyph]] = {}
    small: list[int] = []
    beside = above = 0
    loose = False
    for cell, row in seen.items():
        if len(row) == 1:
            result[cell] = list(row)
            continue
        lead = max(row, key=lambda g: g.height)
        rest = sorted((g for g in row if g is not lead), key=lambda g: g.piece.box.x)
        high = [g.height for g in rest]
        if lead.height < LARGER * max(high):
            return None
        small += high
        middles = [g.piece.box.y + g.height / 2 for g in rest]
        if max(middles) - min(middles) > 0.5 * min(high):
            return None
        loose |= len(rest) > 1 and rest[1].piece.box.x - rest[0].piece.right > LOOSE * high[0]
        own = lead.piece
        beside += own.right <= rest[0].piece.box.x and all(own.box.y <= y < own.bottom for y in middles)
        above += own.bottom <= min(g.piece.box.y for g in rest)
        result[cell] = [lead, *rest]
    several = sum(len(row) > 1 for row in result.values())
    if not several or max(beside, above) < several or max(small) > (1 + OF_ONE_SIZE) * min(small) + 1:
        return None
    if loose and on_rings(
        {c: row for c, row in result.items() if len(row) > 1}, {c: row[0] for c, row in result.items()}
    ):
        return None
    by_number = sorted_around(result)
    return Ordered(by_number[0], True, open_order=by_number[1]) if by_number else Ordered(result, False)
