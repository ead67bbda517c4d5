"""In which order clicks bring up the glyphs of a cell of Cross Set: which one is active, and how the others follow."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.glyph import LEGIBLE, Glyph

OTHER_GROUND = 24.0
"""Grey levels in a channel: cells whose colours differ by more are of two kinds."""

LARGER_THERE = 1.06
"""As ``LARGER``, where the active one has the same place in all cells."""

LARGER = 1.12
"""An active number is larger than the others by this factor at least where size tells it."""

EVENLY = 0.35
"""The spread of how much more the active ones have at most, against its mean, logarithms both."""

ALWAYS = 0.9
"""The share of its cells in which a number stands out that does so by its shape."""

RARELY = 0.05
"""The share of the cells at most in which two numbers seem to be active by mistake."""

FEW = 3
"""From fewer cells of one colour nothing is learned about their active numbers."""

MOSTLY = 0.8
"""The share of the cells in which a cue has to be seen to be the window's way."""

IN_PLACE = 0.05
"""Numbers that keep their slots stray from them by less than this share of the pitch."""


def ordered(
    seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats]
) -> tuple[dict[Cell, list[Glyph]], bool, frozenset[Cell]]:
    """The glyphs of each cell in the order of the clicks, the active one first; whether numbers have slots; and the
    cells in which any of them may be the active one.

    Where every number keeps a slot of its own the order cannot be seen: it is that of the slots, from the active one
    on and around.
    """
    rows = {cell: _lines(row) for cell, row in seen.items()}
    several = {cell: row for cell, row in rows.items() if len(row) > 1}
    if not several:
        return rows, False, frozenset()
    if _in_slots(seen, boxes):
        active = _active(rows, grounds)
        unsure = frozenset(cell for cell in several if cell not in active)
        around = {cell: _around(sorted(row, key=lambda g: g.token), active.get(cell)) for cell, row in rows.items()}
        return around, True, unsure
    lead = _leading(several)
    if lead is None and _before_columns(several):
        lead = {cell: min(row, key=lambda g: g.piece.box.x) for cell, row in several.items()}
    if lead is None:
        # The active one stands first as a rule: only a plain sign of its own in most cells says that another is it.
        active = _exceeding(rows, _contrast, True) | _exceeding(rows, lambda g: g.height, False)
        leading = [active[cell] is row[0] for cell, row in several.items() if cell in active]
        # It stands first, and may be brighter besides; what stands out in a few cells only is none.
        if len(leading) < MOSTLY * len(several) or np.mean(leading) > 0.5:
            return rows, False, frozenset()
        return {cell: _around(row, active.get(cell)) for cell, row in rows.items()}, False, frozenset()
    if _flowing(several, lead):
        return {cell: _around(row, lead.get(cell)) for cell, row in rows.items()}, False, frozenset()
    columns = _by_columns({cell: [g for g in row if g is not lead[cell]] for cell, row in several.items()})
    result = dict(rows)
    for cell, row in several.items():
        rest = [g for g in row if g is not lead[cell]]
        result[cell] = [lead[cell], *(_lines(rest, down=True) if columns else _lines(rest))]
    return result, False, frozenset()


def _before_columns(several: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether a glyph stands alone at the left, at half the height of what stands behind it one below the other."""
    alone = []
    for row in several.values():
        if len(row) > 2:
            first, *rest = sorted((g.piece for g in row), key=lambda p: p.box.x)
            top, bottom = min(p.box.y for p in rest), max(p.bottom for p in rest)
            middle = abs(first.box.y + first.bottom - top - bottom) < 0.3 * first.box.height
            tall = bottom - top > 1.6 * max(p.box.height for p in rest)
            alone.append(middle and tall and first.right <= min(p.box.x for p in rest) + 0.1 * first.box.width)
    return bool(alone) and float(np.mean(alone)) >= MOSTLY


def _leading(several: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, Glyph] | None:
    """The active glyph of each cell where it is larger than the others; None where size does not tell. It stands at the
    same place in all cells (first, at the left, alone at the foot), which decides where two are nearly as large."""
    places: list[dict[Cell, Glyph]] = [
        {cell: row[0] for cell, row in several.items()},
        {cell: min(row, key=lambda g: g.piece.box.x) for cell, row in several.items()},
        {cell: _at_foot(row) for cell, row in several.items()},
    ]

    # In faces with old-style numerals a small 6 is higher than a large 1: sizes are compared number by number as well.
    heights: dict[str, list[int]] = defaultdict(list)
    for row in several.values():
        for g in row:
            heights[g.token].append(g.height)
    usual = {token: float(np.percentile(each, 20)) for token, each in heights.items()}

    def larger(cell: Cell, g: Glyph) -> float:
        return g.height / max(o.height for o in several[cell] if o is not g)

    def larger_than_usual(cell: Cell, g: Glyph) -> float:
        return g.height / usual[g.token] / max(o.height / usual[o.token] for o in several[cell] if o is not g)

    largest = {cell: max(row, key=lambda g: g.height) for cell, row in several.items()}

    def elsewhere(cell: Cell) -> bool:
        """Whether the largest is the active one wherever it stands; a pixel more than it usually has says nothing."""
        g = largest[cell]
        certainly = (g.height - g.piece.scale) / g.height
        return larger(cell, g) >= LARGER and certainly * larger_than_usual(cell, g) >= LARGER_THERE

    for measure in (larger, larger_than_usual):
        agreeing = [float(np.mean([measure(cell, g) > 1 for cell, g in place.items()])) for place in places]
        for share, place in sorted(zip(agreeing, places, strict=True), key=lambda one: -one[0]):
            factor = float(np.median([measure(cell, g) for cell, g in place.items()]))
            if factor >= LARGER_THERE and share > 1 - 0.5 * (1 - MOSTLY):
                return {cell: largest[cell] if elsewhere(cell) else g for cell, g in place.items()}
    by_size = [larger(cell, g) >= LARGER for cell, g in largest.items()]
    return largest if np.mean(by_size) >= MOSTLY else None


def _at_foot(row: Sequence[Glyph]) -> Glyph:
    """The lowest glyph, where it stands by itself below the others; else the first."""
    low = max(row, key=lambda g: g.piece.box.y + 0.5 * g.height)
    middle = low.piece.box.y + 0.5 * low.height
    return low if all(o is low or o.piece.bottom < middle for o in row) else row[0]


def _active(rows: Mapping[Cell, Sequence[Glyph]], grounds: Mapping[Cell, Floats]) -> dict[Cell, Glyph]:
    """What stands out in each cell, as :func:`_outstanding`; by themselves the cells of one colour, for in locked cells
    an active number may look otherwise than in others."""
    kinds: list[tuple[Floats, list[Cell]]] = []
    for cell in rows:
        for colour, members in kinds:
            if float(np.abs(colour - grounds[cell]).max()) <= OTHER_GROUND:
                members.append(cell)
                break
        else:
            kinds.append((grounds[cell], [cell]))
    if len(kinds) == 1:
        result = _outstanding(rows) | _exceeding(rows, _contrast, True)
    else:
        result = _outstanding(rows, in_colour=False)
        for _, members in kinds:
            own = {cell: rows[cell] for cell in members}
            if sum(len(row) > 1 for row in own.values()) >= FEW:
                result |= _outstanding(own) | _exceeding(own, _contrast, True)
            else:
                result = {cell: g for cell, g in result.items() if cell not in own}
        result = _exceeding(rows, _contrast, True) | result
    return result | _exceeding(rows, lambda g: g.height, False)


def _by_shape(rows: Mapping[Cell, Sequence[Glyph]], active: Mapping[Cell, Glyph]) -> bool:
    """Whether most of what stands out is a number that always does, wherever it stands: a 1 is thin, no more."""
    several = {cell: row for cell, row in rows.items() if len(row) > 1 and cell in active}
    met = Counter(g.token for row in several.values() for g in row)
    won = Counter(active[cell].token for cell in several)
    always = sum(count for token, count in won.items() if met[token] >= FEW and count > ALWAYS * met[token])
    return always > 0.5 * len(several)


def _contrast(g: Glyph) -> float:
    return g.piece.contrast


def _exceeding(
    rows: Mapping[Cell, Sequence[Glyph]], measure: Callable[[Glyph], float], relative: bool
) -> dict[Cell, Glyph]:
    """The glyph of each cell that has more of something than those beside it have, about equally much more in most
    cells; or than the same number has elsewhere. Empty where there is no such thing. ``relative``: what counts is the
    share of the most in a cell, for cells have inks of their own."""
    shares: dict[Cell, list[float]] = {}
    for cell, row in rows.items():
        most = max((measure(g) for g in row), default=1.0) if relative else 1.0
        shares[cell] = [measure(g) / most for g in row]
    several = [cell for cell, row in rows.items() if len(row) > 1]
    if not several:
        return {}
    values: dict[str, list[float]] = defaultdict(list)
    for cell in rows:
        for g, share in zip(rows[cell], shares[cell], strict=True):
            values[g.token].append(share)
    usual = {token: float(np.percentile(v, 20)) for token, v in values.items()}
    for elsewhere in (False, True):
        scaled = {
            c: [v / usual[g.token] if elsewhere else v for g, v in zip(rows[c], shares[c], strict=True)]
            for c in several
        }
        factors = np.array([max(v) / sorted(v)[-2] for v in scaled.values()])
        even = elsewhere or float(np.std(np.log(factors))) < EVENLY * float(np.mean(np.log(factors)))
        if even and np.mean(factors >= LARGER) >= MOSTLY:
            return {
                cell: rows[cell][int(np.argmax(v))]
                for (cell, v), factor in zip(scaled.items(), factors, strict=True)
                if factor >= LARGER_THERE
            }
    ranges = {token: (float(np.percentile(v, 10)), max(v)) for token, v in values.items()}
    crowded = 0
    between = {token: (low * high) ** 0.5 for token, (low, high) in ranges.items() if high >= LARGER * low}
    result = {}
    for cell in several:
        pairs = list(zip(rows[cell], shares[cell], strict=True))
        more = [g for g, share in pairs if share > between.get(g.token, np.inf)]
        # A number that is met in one way only is the active one where no other can be.
        more = more or [g for g, _ in pairs if g.token not in between]
        if len(more) == 1:
            result[cell] = more[0]
        crowded += len(more) > 1
    # Where two of a cell have more, it is not the active ones that do.
    return result if len(result) >= MOSTLY * len(several) and crowded <= RARELY * len(several) else {}


def _lines(row: Sequence[Glyph], down: bool = False) -> list[Glyph]:
    """Glyphs as one reads them: line after line, each from the left; or column after column, each ``down``."""

    def span(g: Glyph) -> tuple[int, int]:
        box = g.piece.box
        return (box.x, box.x + box.width) if down else (box.y, box.y + box.height)

    lines: list[list[Glyph]] = []
    # The largest first: a line is what overlaps it, so that a low sign joins the line that it stands in.
    for g in sorted(row, key=lambda g: -(span(g)[1] - span(g)[0])):
        a, b = span(g)
        best, share = None, 0.25 if down else 0.5  # a 1 may stand at the edge of its column
        for line in lines:
            c, d = span(line[0])
            common = _share(a, b, c, d)
            if common > share:
                best, share = line, common
        if best is None:
            lines.append([g])
        else:
            best.append(g)
    lines.sort(key=lambda line: sum(sum(span(g)) for g in line) / len(line))
    along = (lambda g: g.piece.box.y) if down else (lambda g: g.piece.box.x)
    return [g for line in lines for g in sorted(line, key=along)]


def _flowing(several: Mapping[Cell, Sequence[Glyph]], lead: Mapping[Cell, Glyph]) -> bool:
    """Whether the active one is the first in its line, and what has no room in that line goes on below it."""
    signs = []
    for cell, row in several.items():
        own = lead[cell].piece
        rest = [g.piece for g in row if g is not lead[cell]]
        if len(rest) > 1:
            beside = any(_share(own.box.y, own.bottom, p.box.y, p.bottom) > 0.5 and p.box.x > own.box.x for p in rest)
            below = any(_share(own.box.x, own.right, p.box.x, p.right) > 0 and p.box.y >= own.bottom for p in rest)
            signs.append(beside and below and lead[cell] is row[0])
    return bool(signs) and float(np.mean(signs)) > 0.5


def _share(a: int, b: int, c: int, d: int) -> float:
    """What two stretches have in common, as a share of the shorter one; negative where they are apart."""
    return (min(b, d) - max(a, c)) / max(min(b - a, d - c), 1)


def _by_columns(rests: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether the others follow one another downwards rather than to the side. Where there are two, they say it: more
    of them fill a block in either way."""
    votes = 0
    pairs = [row for row in rests.values() if len(row) == 2]
    for row in pairs if len(pairs) >= FEW else rests.values():
        for one, other in itertools.combinations([g.piece for g in row], 2):
            votes += _share(one.box.x, one.right, other.box.x, other.right) > 0.5
            votes -= _share(one.box.y, one.bottom, other.box.y, other.bottom) > 0.5
    return votes > 0


def _around(row: Sequence[Glyph], active: Glyph | None) -> list[Glyph]:
    at = next((i for i, g in enumerate(row) if g is active), 0)
    return [*row[at:], *row[:at]]


def _in_slots(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> bool:
    """Whether each number stands at a place of its own, the same in all cells."""
    spots: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for cell, row in seen.items():
        box = boxes[cell]
        for g in row:
            if g.chance > LEGIBLE:
                own, scale = g.piece.box, g.piece.scale
                x = ((own.x + own.width / 2) / scale - box.x) / box.width
                y = ((own.y + own.height / 2) / scale - box.y) / box.height
                spots[g.token].append((x, y))
    many = {token: np.array(places) for token, places in spots.items() if len(places) >= 3}
    if len(many) < 3:
        return False
    middles = np.array([np.median(places, axis=0) for places in many.values()])
    strays = [
        float(np.percentile(np.abs(places - np.median(places, axis=0)).max(axis=1), 85)) for places in many.values()
    ]
    apart = np.abs(middles[:, None] - middles[None]).max(axis=2) + np.eye(len(middles))
    return float(np.median(strays)) < IN_PLACE and float(apart.min()) > 2 * IN_PLACE


def _outstanding(rows: Mapping[Cell, Sequence[Glyph]], in_colour: bool = True) -> dict[Cell, Glyph]:
    """The glyph of each cell that differs from the others by its colour (only ``in_colour``), contrast or size as it
    does in most cells; empty where none does. What an active glyph looks like is learned from cells of three or more
    and of one."""
    features: dict[int, Floats] = {}
    usual: dict[str, float] = {}
    for token in {g.token for row in rows.values() for g in row}:
        usual[token] = float(np.median([g.height for row in rows.values() for g in row if g.token == token]))
    strongest = {cell: max((g.piece.contrast for g in row), default=1.0) for cell, row in rows.items()}
    for cell, row in rows.items():
        for g in row:
            features[id(g)] = np.array(
                [
                    *(g.piece.colour / 128 * in_colour),
                    2 * g.piece.contrast / max(strongest[cell], 1.0),
                    2 * g.height / max(usual[g.token], 1.0),
                    1.5 * float(g.piece.ink.mean()),
                ],
                np.float32,
            )
    odd, plain = [], []
    for row in rows.values():
        if len(row) < 3:
            continue
        away = [float(min(np.abs(features[id(g)] - features[id(o)]).sum() for o in row if o is not g)) for g in row]
        at = int(np.argmax(away))
        odd.append(features[id(row[at])])
        plain += [features[id(g)] for i, g in enumerate(row) if i != at]
    if not odd:
        odd = [features[id(row[0])] for row in rows.values() if len(row) == 1]
        plain = [features[id(g)] for row in rows.values() if len(row) > 1 for g in row]
    if not odd or not plain:
        return {}
    active, other = np.median(odd, axis=0), np.median(plain, axis=0)
    if float(np.abs(active - other).sum()) < 0.25:
        return {}
    way = (active - other) / float(np.linalg.norm(active - other))
    apart = float((active - other) @ way)
    result, clear = {}, []
    for cell, row in rows.items():
        ranked = sorted(row, key=lambda g: -float(features[id(g)] @ way))
        if ranked:
            result[cell] = ranked[0]
        if len(ranked) > 1:
            clear.append(float((features[id(ranked[0])] - features[id(ranked[1])]) @ way) > 0.4 * apart)
    return result if clear and np.mean(clear) > MOSTLY and not _by_shape(rows, result) else {}
