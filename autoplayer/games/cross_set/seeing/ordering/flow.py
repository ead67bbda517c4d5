"""Finds the reading order of the glyphs of a cell of Cross Set as a text: line after line, or column after column."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import LEGIBLE, Glyph
from autoplayer.games.cross_set.seeing.ordering.looks import Choice

MOSTLY = 0.8
"""The share of the cells in which a cue has to be seen to be the window's way."""

OF_ONE_SIZE = 1.15
"""A glyph higher than the others by no more than this factor may belong to the same text."""

EVIDENCE, OUTWEIGHS = 2, 4
"""The least number of cells with lines or columns that the other order does not explain, and the least ratio to the
number of cells that only the other order explains."""

IN_COLUMN = 0.25
"""Numbers of one column, or line, are aligned at one side or centrally, to within this share of their height."""

NO_CHANCE, NEARLY_ALL = 16.0, 0.95
"""Numbers that rise in one way only do so by chance on one of 2 to the power of so many boards; in a few cells, one may
be misread."""

CLOSE = 0.25
"""Lines of a text that are closer than this share of a number's height, or overlap, are no lines."""

HANGING, OVERLAP = frozenset("34579"), 0.2
"""The old-style numerals that reach below the others; and how much of the lower one's height they have in common at
least: lines of a text have nothing."""


def as_text(texts: Mapping[Cell, Sequence[Glyph]], lead: Choice) -> tuple[dict[Cell, list[Glyph]], frozenset[Cell]]:
    """The glyphs of each cell line after line, or column after column, whichever is seen; and, if neither is seen, the
    cells that the two orders would sort differently. ``lead``: the first glyph of its cell in either order."""
    flat = [g for row in texts.values() for g in row]
    broad = max((g.piece.box.width / g.height for g in flat if g.chance > LEGIBLE), default=1)
    lines = {cell: grouped(row, False, broad) for cell, row in texts.items()}
    columns = {cell: grouped(row, True, broad) for cell, row in texts.items()}
    way, strange = _way(lines, columns, lead)
    groups = columns if way == "columns" else lines
    differ = {cell for cell in (strange if way else texts) if _differ(lines[cell], columns[cell])}
    if _turns_back(list(groups.values()), way == "columns"):
        differ |= {cell for cell, text in groups.items() if len(text) > 1 and len(text[1]) > 1}
    return {cell: list(itertools.chain(*text)) for cell, text in groups.items()}, frozenset(differ)


def _turns_back(texts: Sequence[Sequence[Sequence[Glyph]]], down: bool) -> bool:
    """Whether shorter last lines stand below the end of the first, as in a text that goes back and forth, or around.
    ``down``: the same for columns."""
    signs = []
    for first, *_, last in (text for text in texts if len(text) > 1):
        if len(last) < len(first):
            begin, end = (_in_line(first[k], last[k], down) for k in (0, -1))
            middles = [sum(_at(row[k], down)[2] for k in (0, -1)) / 2 for row in (first, last)]
            centred = abs(middles[0] - middles[1]) <= IN_COLUMN * first[0].height
            signs.append(end and not begin and not centred)
    return sum(signs) >= EVIDENCE and float(np.mean(signs)) >= MOSTLY


def lines_of(row: Sequence[Glyph]) -> list[Glyph]:
    """Glyphs in reading order: line after line, each from the left."""
    return list(itertools.chain(*grouped(row, False)))


def grouped(row: Sequence[Glyph], down: bool, broad: float = 0.0) -> list[list[Glyph]]:
    """The lines of some glyphs, each from the left; or, with ``down``, their columns. ``broad``: the width of the
    broadest digits as a share of their height."""

    def span(g: Glyph) -> tuple[int, int]:
        box = g.piece.box
        return (box.x, box.x + box.width) if down else (box.y, box.y + box.height)

    lines: list[list[Glyph]] = []
    # The largest first: a line is what overlaps it, so that a low sign joins the line that it stands in.
    for g in sorted(row, key=lambda g: -(span(g)[1] - span(g)[0])):
        a, b = span(g)
        best, share = None, 0.25 if down else 0.5
        for line in lines:
            c, d = span(line[0])
            common = _share(a, b, c, d)
            # A 1 may stand at the edge of its column, or where an 8 would have its edge: a column is as broad as one.
            together = max(b, d) - min(a, c) <= broad * line[0].height + 1.5 * g.piece.scale
            if common > share or (down and together and best is None):
                best, share = line, max(common, share)
        if best is None:
            lines.append([g])
        else:
            best.append(g)
    lines.sort(key=lambda line: sum(sum(span(g)) for g in line) / len(line))
    if not down:
        lines = _with_hanging(lines)
    along = (lambda g: g.piece.box.y) if down else (lambda g: g.piece.box.x)
    return [sorted(line, key=along) for line in lines]


def _with_hanging(lines: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """Lines from above, with those joined that are one: a lower one has nothing but old-style numerals that hang below
    the others, and still overlaps them in height, but stands beside each of them."""
    result: list[list[Glyph]] = []
    for line in lines:
        if result and all(g.token in HANGING for g in line) and _are_side_by_side(result[-1], line):
            result[-1] = result[-1] + line
        else:
            result.append(line)
    return result


def _are_side_by_side(one: Sequence[Glyph], other: Sequence[Glyph]) -> bool:
    """Whether all glyphs of two lines overlap in height, and none across."""
    pairs = [(g.piece, h.piece) for g in one for h in other]
    high = min(_share(p.box.y, p.bottom, q.box.y, q.bottom) for p, q in pairs)
    return high > OVERLAP and all(_share(p.box.x, p.right, q.box.x, q.right) <= 0 for p, q in pairs)


def _way(
    lines: Mapping[Cell, Sequence[Sequence[Glyph]]], columns: Mapping[Cell, Sequence[Sequence[Glyph]]], lead: Choice
) -> tuple[str | None, frozenset[Cell]]:
    """Whether glyphs follow each other sideways or downwards: ``lines`` or ``columns``; None if neither is seen; and
    the cells that are filled in neither way, though their glyphs have one size. ``lead``: as for :func:`as_text`."""
    deep = max(len(group) for groups in columns.values() for group in groups)
    if deep == 1:
        return _way_of_one_line(lines, columns)
    telling = [c for c in lines if len(lines[c]) > 1 and (_differ(lines[c], columns[c]) or len(columns[c]) == 1)]
    telling += [c for c in lines if len(lines[c]) == 1 and len(lines[c][0]) > 1]
    if not telling:
        return "lines", frozenset()
    across, down = {c for c in telling if _in_lines(lines[c])}, {c for c in telling if _in_columns(columns[c], deep)}
    down -= {c for c in down if lead.get(c, columns[c][0][0]) is not columns[c][0][0]}
    fewer, more = sorted((len(across - down), len(down - across)))
    strange = frozenset(c for c in telling if c not in across | down and _of_one_size(lines[c]))
    if more < max(EVIDENCE, OUTWEIGHS * fewer):
        return _rising_way(lines, columns) or (None, strange)
    return "lines" if len(across) > len(down) else "columns", strange


def _way_of_one_line(
    lines: Mapping[Cell, Sequence[Sequence[Glyph]]], columns: Mapping[Cell, Sequence[Sequence[Glyph]]]
) -> tuple[str | None, frozenset[Cell]]:
    """As :func:`_way`, where no two glyphs of a cell stand one below the other. If each is hardly higher or lower than
    the next one, they are one line that is bent, like a fan, and follow each other from the left."""
    differ = frozenset(cell for cell in lines if _differ(lines[cell], columns[cell]))
    if sum(_is_one_line(columns[cell]) for cell in differ) >= MOSTLY * len(differ):
        return "columns", frozenset()
    if rising := _rising_way(lines, columns):
        return rising
    are_lines = sum(_in_lines(lines[cell]) for cell in differ) >= MOSTLY * len(differ)
    return ("lines", frozenset()) if are_lines else (None, differ)


def _is_one_line(columns: Sequence[Sequence[Glyph]]) -> bool:
    """Whether single glyphs, from the left, are hardly higher or lower than the next one each."""
    row = [column[0].piece for column in columns]
    return all(_share(p.box.y, p.bottom, q.box.y, q.bottom) > -CLOSE for p, q in pairwise(row))


def _rising_way(
    lines: Mapping[Cell, Sequence[Sequence[Glyph]]], columns: Mapping[Cell, Sequence[Sequence[Glyph]]]
) -> tuple[str, frozenset[Cell]] | None:
    """The way in which the numbers of nearly all cells rise, from some number on and around, if those of the other way
    do not, and that is no chance, with the cells that are exceptions; else None. Each click on a sorted list turns it,
    so something in an exception is probably misread."""
    differ = [cell for cell in lines if _differ(lines[cell], columns[cell])]
    for name, own, other in (("lines", lines, columns), ("columns", columns, lines)):
        telling = [cell for cell in differ if _rises(own[cell]) and not _rises(other[cell])]
        chance = sum(math.log2(math.factorial(sum(map(len, own[cell])) - 1)) for cell in telling)
        odd = frozenset(cell for cell in differ if not _rises(own[cell]))
        if chance >= NO_CHANCE and len(odd) <= (1 - NEARLY_ALL) * len(differ):
            return name, odd
    return None


def _rises(text: Sequence[Sequence[Glyph]]) -> bool:
    """Whether the numbers of a text are sorted, from some number on and around."""
    numbers = [int(g.token) for group in text for g in group]
    return sum(a > b for a, b in zip(numbers, numbers[1:] + numbers[:1], strict=True)) <= 1


def _in_lines(text: Sequence[Sequence[Glyph]]) -> bool:
    """Whether two fit in a line, and all lines but the last have equal length, if all glyphs are numbers."""
    sizes = list(map(len, text))
    digits = {len(g.token) for line in text for g in line}
    return sizes[0] > 1 and (len(digits) > 1 or (len(set(sizes[:-1])) < 2 and sizes[-1] <= sizes[0]))


def _in_columns(text: Sequence[Sequence[Glyph]], deep: int) -> bool:
    """Whether all columns but the last are ``deep`` numbers long, and the numbers in each are aligned."""
    full, rest = divmod(sum(map(len, text)), deep)
    return list(map(len, text)) == [deep] * full + [rest] * (rest > 0) and all(map(_is_upright, text))


def _of_one_size(text: Sequence[Sequence[Glyph]]) -> bool:
    heights = [g.height for line in text for g in line]
    return max(heights) <= OF_ONE_SIZE * min(heights)


def _is_upright(column: Sequence[Glyph]) -> bool:
    return all(_in_line(one, other, False) for one, other in pairwise(column))


def _in_line(one: Glyph, other: Glyph, down: bool) -> bool:
    """Whether two glyphs are aligned at one side or centrally, horizontally or vertically."""
    away = min(abs(a - b) for a, b in zip(_at(one, down), _at(other, down), strict=True))
    return away <= IN_COLUMN * max(one.height, other.height)


def _at(g: Glyph, down: bool) -> tuple[float, float, float]:
    """Where a glyph begins, ends and has its middle, from the left, or, with ``down``, from above."""
    box = g.piece.box
    begin, size = (box.y, box.height) if down else (box.x, box.width)
    return begin, begin + size, begin + size / 2


def _share(a: int, b: int, c: int, d: int) -> float:
    """The overlap of two intervals, as a share of the shorter one; negative if they are apart."""
    return (min(b, d) - max(a, c)) / max(min(b - a, d - c), 1)


def _differ(lines: Sequence[Sequence[Glyph]], columns: Sequence[Sequence[Glyph]]) -> bool:
    """Whether two orders of some glyphs differ."""
    pairs = zip(itertools.chain(*lines), itertools.chain(*columns), strict=True)
    return any(one is not other for one, other in pairs)
