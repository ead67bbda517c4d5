"""Joins small pieces to digits in a cell of Cross Set: the segments and dots of which some typefaces make them, and
digits that stand close together; guided by the sizes of the board's digits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Eyes, Glyph, possible
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN
from autoplayer.vision import glyphs, pieces
from autoplayer.vision.pieces import Piece

LINES = 0.065
"""The least gap between two lines of numbers, as a share of the heights of both."""

TOUCHING = 0.5
"""The share of a board's cells from which on digits that touch the walls are drawn that way."""

SLIM = 2.3
"""The least ratio of height to width of a bar that may be the foot of a 7: even narrow digits are broader."""

LOW_ONE, FEWEST_BARS = 0.75, 3
"""The least height of a 1 or a 4 that lacks the outer segments, relative to other digits; occurring ``FEWEST_BARS``
times, it is one."""

UNEQUAL = 0.12
"""By which share the heights of a typeface's digits of one size differ."""

OF_NO_SIZE = 0.4
"""The score factor of a digit whose height no other has."""

MOST_SIZES, MOST_ATOMS, MOST_GROUPS, MOST_COVERS = 4, 40, 4000, 20_000
"""Limits for joining pieces to digits: sizes on a board, pieces in a cell, sets of pieces, sets of free pieces."""

LEFT_OVER = 0.02
"""The likelihood of a piece that belongs to no digit."""

SIMPLE = ("1", "4", "7")
"""Digits that a part of another one may look like."""

WHOLE, SMALLER = 0.9, 0.65
"""A piece this likely to be another digit, and less than this share of the height of the digit that it is joined to
…"""

LEGIBLE = 0.85
"""A half of a glyph that is two digits is at least this likely to be one of them: a 7 of segments may be a 1."""

SWALLOWED = 0.05
"""… makes that digit less likely by this factor: a digit close to a larger one is not part of it."""

ANOTHER = 0.8
"""The likelihood of a further digit, relative to fewer digits of more pieces."""

HANGING, RISING = ("3", "4", "5", "7", "9"), ("6", "8")
"""Old-style numerals: those with descenders, and those with ascenders."""

OLD_STYLE, SURELY = 1.7, 0.98
"""They are at most this many times as high as the low ones; two digits in one piece are higher. A height that only one
number has requires this certainty."""

TALLER = 1.25
"""How much taller the larger of two digits is that look like one: the two bars of a 1 are equal."""

Shapes = Mapping[str, Sequence[tuple[float, float]]]
"""For each number the heights and widths that it has on a board; for ``JUNK`` those of all numbers."""


def stacked(row: Sequence[Piece]) -> int:
    """How many pairs stand one above the other closer than lines of text do: these are parts of one digit."""
    boxes = [_edges(p) for p in row]
    return sum(any(_close(other, box) for other in boxes[i + 1 :]) for i, box in enumerate(boxes))


def unpiled(seen: Mapping[Cell, Sequence[Glyph]], eyes: Eyes) -> dict[Cell, list[Piece]]:
    """The pieces of the cells with a glyph that is two digits, one above the other, with these two apart: it has an
    empty row, and what is above and below has heights that digits of the board have, is no broader than those, and
    legible. Where digits consist of segments, the two together may look like one."""
    sizes = sizes_of(seen)
    parts = {id(g.piece): both for row in seen.values() for g in row if (both := _halves(g, sizes))}
    if not parts:
        return {}
    said = iter(glyphs.classify([p.ink for both in parts.values() for p in both]))
    legible = [[possible(next(said), eyes.size, True) for _ in both] for both in parts.values()]
    for key, chances in zip(list(parts), legible, strict=True):
        if any(max(p for token, p in each.items() if token != JUNK) < LEGIBLE for each in chances):
            del parts[key]
    return {
        cell: [part for g in row for part in parts.get(id(g.piece), (g.piece,))]
        for cell, row in seen.items()
        if any(id(g.piece) in parts for g in row)
    }


def _halves(g: Glyph, sizes: Sequence[tuple[float, float]]) -> tuple[Piece, Piece] | None:
    """The upper and the lower part of a glyph where both may be digits. ``sizes``: those of the board's digits. What is
    too broad for a digit of its own height, and stands above a bar, is the upper half of a 7. Two of one height are
    the halves of one digit if they are bars, or if that digit is certain."""
    p = g.piece
    inked = np.flatnonzero(p.ink.any(axis=1))
    for k in np.flatnonzero(np.diff(inked) > 1):
        above, below = int(inked[k]) + 1, int(inked[k + 1])
        upper, lower = _cut_out(p, 0, above), _cut_out(p, below, p.box.height)
        low, high = sorted((above - int(inked[0]), int(inked[-1]) + 1 - below))
        slack = UNEQUAL * high + p.scale
        bar = _is_bar(lower)

        def is_of_size(part: Piece, slack: float = slack, most: float = 1 + UNEQUAL if bar else np.inf) -> bool:
            height, width = part.box.height, part.box.width - part.scale
            return any(LOW_ONE * height - slack <= h <= height + slack and width <= most * b for h, b in sizes)

        may_be_equal = g.chance < CERTAIN and not all(_is_bar(part) for part in (upper, lower))
        if (TALLER * low < high or may_be_equal) and is_of_size(upper) and is_of_size(lower):
            return upper, lower
    return None


def _is_bar(p: Piece) -> bool:
    return p.box.height > SLIM * p.box.width


def _cut_out(p: Piece, top: int, bottom: int) -> Piece:
    """What a piece has in some of its rows."""
    columns = np.flatnonzero(p.ink[top:bottom].any(axis=0))
    left, right = int(columns[0]), int(columns[-1]) + 1
    box = Box(p.box.x + left, p.box.y + top, right - left, bottom - top)
    return replace(p, box=box, ink=p.ink[top:bottom, left:right])


def _edges(p: Piece) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    return p.box.x, p.box.y, p.right, p.bottom


def _close(other: tuple[float, float, float, float], box: tuple[float, float, float, float]) -> bool:
    """Whether a box stands above or below another one, closer to it than lines of text do. Two of one height, the lower
    one a bar under the right end of the other, are a 7 with a gap."""
    left, top, right, bottom = other
    x0, y0, x1, y1 = box
    if min(right, x1) - max(left, x0) <= 0.5 * min(right - left, x1 - x0):
        return False
    height, own = bottom - top, y1 - y0
    gap = max(top, y0) - min(bottom, y1)
    under = top > y0
    width = right - left if under else x1 - x0
    bar = (height if under else own) > SLIM * width
    halves = bar and abs(height - own) < 0.3 * max(height, own) and abs(right - x1) < width
    return -0.1 * height < gap < (2 * LINES if halves else LINES) * (height + own)


def shapes_of(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[str, list[tuple[float, float]]]:
    clear = _examples(seen)
    every = _heights(clear)
    result: dict[str, list[tuple[float, float]]] = {JUNK: every}
    tokens: dict[str, list[Glyph]] = defaultdict(list)
    for g in (g for g in clear if g.chance > OWN):  # a digit without a thin stroke may be just legible everywhere
        tokens[g.token].append(g)
    alone: list[tuple[str, float, list[int]]] = []
    for token, members in tokens.items():
        for height, _ in _heights(members, one=True):
            alike = [g for g in members if abs(g.height - height) <= 0.5 * UNEQUAL * height + 1]
            near = [g.piece.box.width for g in alike]
            # A 1 of segments is lower than all others, and often the only active number; a 4 is lower, too. A bar is no
            # two digits, for no number stands twice in a cell, and what is lower than one digit is not two.
            bar = token == "1" and max(near) * SLIM <= height
            of_segments = bar or (token == "4" and any(height < h for h, _ in every))
            of_segments = of_segments and len(near) >= FEWEST_BARS and any(height >= LOW_ONE * h for h, _ in every)
            of_size = any(abs(height - h) <= UNEQUAL * h + 1 for h, _ in every)
            if of_size or of_segments or _is_old_style(alike, seen, every):
                result.setdefault(token, []).append((height, float(np.median(near))))
            else:
                alone.append((token, height, near))
    # What only one number is as high as may be an error that is made again and again: two digits in one piece; unless
    # it is as much larger, or smaller, than the same number as others are.
    ratios = [max(both) / min(both) for t, found in result.items() if t and len(both := [h for h, _ in found]) == 2]
    for token, height, near in alone:
        for own, breadth in result.get(token, ())[:1] if ratios else ():
            ratio, by = float(np.median(ratios)), max(height, own) / min(height, own)
            broader = max(float(np.median(near)), breadth) / min(float(np.median(near)), breadth)
            if abs(by / ratio - 1) < 0.5 * UNEQUAL and abs(broader / ratio - 1) < 2 * UNEQUAL:
                result[token].append((height, float(np.median(near))))
    return result


def _is_old_style(
    members: Sequence[Glyph], seen: Mapping[Cell, Sequence[Glyph]], sizes: Sequence[tuple[float, float]]
) -> bool:
    """Whether glyphs of one number and height, which no other number has, are higher than low ones because they have a
    descender or an ascender: on a board of 3 by 3 only the 3 does. Beside low ones their tops, or their feet, are
    level."""
    token, height = members[0].token, float(np.median([g.height for g in members]))
    lower = [h for h, _ in sizes if 1 < height / h <= OLD_STYLE]
    if not lower or token not in (*HANGING, *RISING) or float(np.median([g.chance for g in members])) < SURELY:
        return False
    own = {id(g) for g in members}
    level = []
    for row in seen.values():
        low = [o for o in row if any(abs(o.height - h) <= UNEQUAL * h + 1 for h in lower) and id(o) not in own]
        for g in (g for g in row if id(g) in own):
            for o in low:
                slack = UNEQUAL * o.height + g.piece.scale
                head, foot = abs(g.piece.box.y - o.piece.box.y), abs(g.piece.bottom - o.piece.bottom)
                level.append((head if token in HANGING else foot) <= slack)
    return len(level) > 1 and all(level)


def _examples(seen: Mapping[Cell, Sequence[Glyph]]) -> list[Glyph]:
    """The clearly legible digits that are whole and no part of a larger one. If some touch the walls of most cells,
    they are drawn that way, and are whole all the same."""
    touching = sum(any(g.piece.cut and g.chance > 0.9 for g in row) for row in seen.values())
    found = []
    for row in seen.values():
        boxes = [_edges(g.piece) for g in row]
        for i, g in enumerate(row):
            others = (box for j, box in enumerate(boxes) if j != i)
            whole = not g.piece.cut or touching > TOUCHING * len(seen)
            if g.chance > 0.9 and whole and not any(_close(other, boxes[i]) for other in others):
                found.append(g)
    return found


def fitting(piece: Piece, token: str, shapes: Shapes) -> float:
    """How well a piece's width agrees with that of the same number at the same height; 1 if there is none."""
    near = [w for h, w in shapes.get(token, ()) if abs(h - piece.box.height) <= UNEQUAL * h + 1.5 * piece.scale]
    if not near:
        heights = [abs(h - piece.box.height) <= UNEQUAL * h + 1.5 * piece.scale for h, _ in shapes[JUNK]]
        return 1.0 if any(heights) or not heights else OF_NO_SIZE
    slack = 0.12 + 1.5 * piece.scale / piece.box.width
    return max(float(np.exp(-4 * max(abs(np.log(piece.box.width / w)) - slack, 0.0))) for w in near)


def sizes_of(seen: Mapping[Cell, Sequence[Glyph]]) -> list[tuple[float, float]]:
    """The heights of clearly legible digits on the board, the most frequent first, with the width of the broadest of
    each."""
    return _heights(_examples(seen))[:MOST_SIZES]


def _heights(clear: Sequence[Glyph], one: bool = False) -> list[tuple[float, float]]:
    """The heights that several glyphs, and at least two numbers unless ``one`` is set, have, the most frequent first,
    and the width of the broadest of each."""
    left = list(clear)
    result: list[tuple[float, float]] = []
    while left:
        heights = np.array([g.height for g in left], float)
        near = np.abs(heights[:, None] - heights) <= 0.5 * UNEQUAL * heights[:, None] + 1
        best = int(near.sum(axis=1).argmax())
        members = [g for g, yes in zip(left, near[best], strict=True) if yes]
        if len(members) < 3:
            break
        if one or len({g.token for g in members}) > 1:
            result.append((heights[best], float(np.percentile([g.piece.box.width for g in members], 95))))
        left = [g for g, yes in zip(left, near[best], strict=True) if not yes]
    return result


def assembled(
    atoms: Mapping[Cell, Sequence[Piece]], sizes: Sequence[tuple[float, float]], shapes: Shapes, eyes: Eyes
) -> dict[Cell, list[Piece]]:
    """Small pieces joined to digits of the sizes that occur on the board, cell by cell, so that as much as possible is
    a clearly legible digit: the segments of a digit need not be closer to each other than digits are."""
    groups: dict[Cell, dict[int, Piece]] = {}
    for cell, parts in atoms.items():
        if 1 < len(parts) <= MOST_ATOMS:
            groups[cell] = {mask: pieces.joined([parts[i] for i in _bits(mask)]) for mask in _masks(parts, sizes)}
    flat = [(cell, mask, piece) for cell, found in groups.items() for mask, piece in found.items()]
    if not flat or len(flat) > MOST_GROUPS:
        return {}
    chances: dict[Cell, dict[int, float]] = defaultdict(dict)
    whole: dict[Cell, list[tuple[int, int]]] = defaultdict(list)
    for (cell, mask, piece), row in zip(flat, glyphs.classify([piece.ink for _, _, piece in flat]), strict=True):
        said = [(p, token) for token, p in possible(row, eyes.size, True).items() if token]
        chances[cell][mask] = max(p * fitting(piece, token, shapes) for p, token in said)
        best, token = max(said)
        if best > WHOLE and token not in SIMPLE:
            whole[cell].append((mask, piece.box.height))
    result = {}
    for cell, found in groups.items():
        for mask, piece in found.items():
            smaller = (m for m, height in whole[cell] if height < SMALLER * piece.box.height)
            if any(m & mask == m for m in smaller):
                chances[cell][mask] *= SWALLOWED
        chosen, left = _cover(len(atoms[cell]), chances[cell])
        if chosen:
            result[cell] = [found[mask] for mask in chosen] + [atoms[cell][i] for i in left]
    return result


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _masks(parts: Sequence[Piece], sizes: Sequence[tuple[float, float]]) -> set[int]:
    """The sets of pieces, as bits, that fill a box of one of the ``sizes``, with nothing else in that box."""
    edges = [_edges(p) for p in parts]
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in edges]
    by_right = sorted(range(len(edges)), key=lambda i: edges[i][2])
    slack = 1.0 + parts[0].scale
    masks: set[int] = set()
    for height, width in sizes:
        met: set[int] = set()
        for left in {edge[0] for edge in edges}:
            most = left + 1.15 * width + slack
            beside = [i for i in by_right if edges[i][0] >= left and edges[i][2] <= most]
            for top in {edges[i][1] for i in beside}:
                lowest = top + (1 + UNEQUAL) * height + slack
                inside = [i for i in beside if edges[i][1] >= top and edges[i][3] <= lowest]
                mask = 0
                for n, i in enumerate(inside):
                    mask |= 1 << i
                    if mask in met or (n + 1 < len(inside) and edges[inside[n + 1]][2] == edges[i][2]):
                        continue
                    met.add(mask)
                    x0, y0 = (min(edges[j][k] for j in inside[: n + 1]) for k in (0, 1))
                    x1, y1 = (max(edges[j][k] for j in inside[: n + 1]) for k in (2, 3))
                    if abs(y1 - y0 - height) > UNEQUAL * height + slack:
                        continue
                    others = [j for j in by_right if not mask >> j & 1]
                    if any(_close(edges[j], (x0, y0, x1, y1)) for j in others):
                        continue  # there is more of this digit
                    if not any(x0 < middles[j][0] < x1 and y0 < middles[j][1] < y1 for j in others):
                        masks.add(mask)
    return masks


def _cover(count: int, chances: Mapping[int, float]) -> tuple[list[int], list[int]]:
    """The disjoint sets that leave the least unexplained, and the pieces in none of them."""
    ranked = {i: [mask for mask in chances if mask >> i & 1] for i in range(count)}
    known: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}

    def best(free: int) -> tuple[float, tuple[int, ...]]:
        if free in known:
            return known[free]
        if len(known) > MOST_COVERS:
            return -1e9, ()
        low = free & -free
        worth, chosen = best(free ^ low)
        found = worth + np.log(LEFT_OVER), chosen
        for mask in ranked[low.bit_length() - 1]:
            if mask & free == mask:
                worth, chosen = best(free ^ mask)
                found = max(found, (worth + float(np.log(ANOTHER * chances[mask] + 1e-4)), (*chosen, mask)))
        known[free] = found
        return found

    _, chosen = best((1 << count) - 1)
    used = sum(chosen)
    return list(chosen), [i for i in range(count) if not used >> i & 1]
