"""Rows and columns right beside the board that are not part of it: coordinates, buttons with icons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens, views
from autoplayer.games.cardinal_chains.seeing.lattice import level_lists
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import outer_lines
from autoplayer.vision import ink

FEWEST = 3
"""The least number of coordinates or icons in a row or column: two consecutive numbers occur on any board."""

FIRST = (0, 1)
"""The first coordinate; a 0 is read as a start, or as what it resembles."""

COUNTING, READ = 0.75, 0.5
"""The least share of the numbers in a line that are consecutive; and, for letters, the largest share that is clearly
read as numbers (B, G and I are)."""

OFF, APART = 0.08, 3.0
"""The least deviation of a line from its expected position, as a share of the distance between two rows or columns, and
as a multiple of the largest deviation among glyphs that belong together."""

UNLIKE, MOST_CLEAR, MOST_UNCLEAR = 0.75, 0.34, 0.15
"""The least share of icons that resemble nothing else on the board; the largest share that is clearly read as numbers
(a + is an X, a menu's bars are a 3); and the largest share of the rest of the board that is neither clear nor occurs
twice."""


def drop_lines_beside(
    seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], drawn: Callable[[Cell], bool]
) -> None:
    """Remove outer rows and columns that are coordinates or icons. ``drawn``: whether a chain leads to a place, which
    may hide its number."""
    strange: Collection[Cell] = level_lists.beside(seen) or _coordinates(seen, contents)
    while any(seen[cell].candidates[0][0].isdigit() for cell in seen.keys() - set(strange)):
        for cell in strange:
            del seen[cell], contents[cell]
        lines = [line for by in (0, 1) for line in outer_lines(seen, by)] if len(seen) > 2 * FEWEST else []
        icons = next((line for line in lines if _are_icons(seen, contents, line, drawn)), None)
        if icons is None:
            return
        strange = icons


def _coordinates(seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content]) -> set[Cell]:
    """Outer rows and columns that are coordinates.

    A row of a board may hold consecutive numbers too, so one line alone is no evidence. Two are: a row and a column
    that meet where nothing stands, one of them with consecutive numbers from 0 or 1 on, the other with such numbers or
    letters; or the same numbers on both sides of the board. A single line is enough if it has a grey of its own, as no
    chain has, or is not at the distance of the other lines, as a list of levels beside the board. Coordinates never
    leave out a row or column of the board.
    """
    every = [outer_lines(seen, by) for by in (0, 1)]
    telling = [
        {line[0][by] for line in lines if _counts_on(seen, line) or _is_lettered(seen, line)}
        for by, lines in enumerate(every)
    ]
    rest = [cell for cell in contents if all(cell[by] not in telling[by] for by in (0, 1))]
    rows, columns = ([line for line in lines if _names_all(line, rest)] for lines in every)
    found: set[Cell] = set()
    for row, column in product(rows, columns):
        corner = (row[0][0], column[0][1])
        if corner in seen and seen[corner].candidates[0][0]:
            continue
        lines = [[cell for cell in line if cell != corner] for line in (row, column)]
        counting = [_counts_on(seen, line) for line in lines]
        lettered = [_is_lettered(seen, line) for line in lines]
        if any(counting) and all(map(max, counting, lettered)):
            found.update(row, column)
    for line in (*rows, *columns):
        if _counts_on(seen, line) and (
            _is_of_another_grey(seen, contents, line) or is_at_another_distance(seen, contents, line)
        ):
            found.update(line)
    for first, last in (lines for lines in (rows, columns) if len(lines) > 1):
        if first != last and _counts_on(seen, first) and _told(seen, first) == _told(seen, last):
            found.update(first, last)
    return found


def _names_all(line: Collection[Cell], rest: Collection[Cell]) -> bool:
    """Whether an outer row or column has an entry beside every column, or row, of the ``rest`` that holds something, as
    coordinates do."""
    by = 1 if len({cell[0] for cell in line}) == 1 else 0
    return {cell[by] for cell in rest} <= {cell[by] for cell in line}


def _is_of_another_grey(
    seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], line: Collection[Cell]
) -> bool:
    """Whether all of a line has a grey ink that no number elsewhere on the board has."""
    inks = [contents[cell].colour for cell in line]
    others = [contents[cell].colour for cell in seen.keys() - set(line) if seen[cell].candidates[0][0].isdigit()]
    if not others or any(contents[cell].bare or marks.colourful(contents[cell].colour) for cell in line):
        return False
    apart = np.abs(np.stack(inks)[:, None] - np.stack(others)).max(axis=2)
    return float(apart.min()) > marks.OTHER_INK


def is_at_another_distance(
    seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], line: Collection[Cell]
) -> bool:
    """Whether all of an outer row or column is displaced from the position that the distances between the others
    predict, by far more than any clear glyph there is."""
    by = 0 if len({cell[0] for cell in line}) == 1 else 1
    spots: dict[int, list[int]] = {}
    for cell, glyph in seen.items():
        if glyph.chance > odds.LEGIBLE and not views.touches(contents[cell]):
            spots.setdefault(cell[by], []).append(contents[cell].box.centre[1 - by])
    own = spots.pop(next(iter(line))[by], [])
    rest = sorted((at, float(np.median(some))) for at, some in spots.items())
    if len(rest) < FEWEST or len(own) < FEWEST:
        return False
    at, middles = np.array(rest).T
    step, begin = np.polyfit(at, middles, 1)
    strays = [spot - begin - step * which for which, some in spots.items() for spot in some]
    stray = max(float(np.abs(strays).max()), float(np.ptp(own)) / 2)
    off = float(np.median(own)) - (begin + step * next(iter(line))[by])
    return bool(abs(off) > max(OFF * step, APART * stray))


def _are_icons(
    seen: Mapping[Cell, tokens.Glyph],
    contents: Mapping[Cell, ink.Content],
    line: Collection[Cell],
    drawn: Callable[[Cell], bool],
) -> bool:
    """Whether an outer row or column holds signs that all differ from each other and are no numbers, on a board whose
    other cells are clear."""
    often = Counter(glyph.cluster for glyph in seen.values())
    if len(line) < FEWEST or any(contents[cell].bare or seen[cell].told for cell in line):
        return False
    unlike = sum(often[seen[cell].cluster] == 1 for cell in line)
    clear = sum(seen[cell].chance > odds.LEGIBLE for cell in line)
    if unlike < UNLIKE * len(line) or clear > MOST_CLEAR * len(line):
        return False
    rest = seen.keys() - set(line)
    unclear = sum(
        seen[cell].chance <= odds.LEGIBLE and often[seen[cell].cluster] == 1 and not contents[cell].bare
        for cell in rest
    )
    return unclear <= max(MOST_UNCLEAR * len(rest), 1) and not any(map(drawn, line))


def _told(seen: Mapping[Cell, tokens.Glyph], line: Sequence[Cell]) -> list[str]:
    return [seen[cell].candidates[0][0] for cell in line]


def _counts_on(seen: Mapping[Cell, tokens.Glyph], line: Sequence[Cell]) -> bool:
    """Whether nearly all numbers of a line are consecutive from cell to cell, beginning with 0 or 1, and no clear one
    is an exception."""
    if len(line) < FEWEST or not _without_gaps(line):
        return False
    told = [(int(token) - at, seen[line[at]]) for at, token in enumerate(_told(seen, line)) if token.isdigit()]
    first, agreeing = Counter(start for start, _ in told).most_common(1)[0] if told else (-1, 0)
    if any(start != first and glyph.chance > odds.LEGIBLE for start, glyph in told):
        return False
    return first in FIRST and agreeing >= max(COUNTING * (len(line) - (first == 0)), FEWEST - 1)


def _is_lettered(seen: Mapping[Cell, tokens.Glyph], line: Sequence[Cell]) -> bool:
    """Whether hardly anything in a line can be a number."""
    read = sum(seen[cell].chance > odds.LEGIBLE and seen[cell].candidates[0][0] != "X" for cell in line)
    return len(line) >= FEWEST and _without_gaps(line) and read <= READ * len(line)


def _without_gaps(line: Sequence[Cell]) -> bool:
    """Whether cells of one row or column stand side by side."""
    return line[-1][0] - line[0][0] + line[-1][1] - line[0][1] == len(line) - 1
