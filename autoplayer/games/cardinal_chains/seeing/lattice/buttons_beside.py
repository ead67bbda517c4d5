"""A row or column of buttons with consecutive numbers (levels, a palette) that stands exactly where the next row or
column of the board would, and looks different from all of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens
from autoplayer.games.cardinal_chains.seeing.glyphs.tiles import tiles_by_number
from autoplayer.games.cardinal_chains.seeing.lattice.lines_beside import is_at_another_distance
from autoplayer.games.cardinal_chains.seeing.lattice.outside import SAME_GROUND
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import around, outer_lines
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

FEWEST, FEWEST_ELSE = 3, 6
"""The least number of buttons, since two consecutive numbers occur on any board; and of other numbers, which show what
a cell looks like."""

LOWER, ROUNDED = 0.06, 1.0
"""The share of its height by which each number is lower than all equal ones of the board, if its type is smaller; and
the pixels by which a height may be rounded."""

DEEP = 0.18
"""How far from its border inwards a place is compared, as a share of the pitch: large glyphs begin there, and the edges
of buttons, even of round ones, lie before that."""

PROBES, FEWEST_UNLIKE = 8, 4
"""A place is compared at its four sides and four corners. So many must differ: at the board's end, one side and two
corners have other surroundings."""

SAMPLE, MOST_UNLIKE = 3, 0.25
"""How many places of a line are compared with all others; and the largest share of the board's other lines that differ
from all the rest as well, as they do where colours change from row to row."""


def buttons(
    view: View,
    found: lattice.Lattice,
    seen: Mapping[Cell, tokens.Glyph],
    contents: Mapping[Cell, ink.Content],
) -> set[Cell]:
    """The first outer row or column that holds consecutive numbers in a type, or on tiles, unlike all others, or at
    another distance; empty if there is none. A colour alone says nothing if a chain may have run along the line."""
    for by in (0, 1):
        for line in outer_lines(seen, by):
            rest = seen.keys() - set(line)
            if not _counts_on(seen, line) or len(_clear(seen, rest)) < FEWEST_ELSE:
                continue
            if (
                is_at_another_distance(seen, contents, line)
                or _is_lower(seen, contents, line, rest)
                or _is_on_other_tiles(view, found, seen, contents, line, by)
            ):
                return set(line)
    return set()


def _clear(seen: Mapping[Cell, tokens.Glyph], cells: Collection[Cell]) -> list[Cell]:
    """Those of some places that clearly hold a number."""
    return [cell for cell in cells if seen[cell].candidates[0][0].isdigit() and seen[cell].chance > odds.LEGIBLE]


def _counts_on(seen: Mapping[Cell, tokens.Glyph], line: Sequence[Cell]) -> bool:
    """Whether a line holds clear consecutive numbers, and nothing else."""
    if len(line) < FEWEST or len(_clear(seen, line)) < len(line):
        return False
    first = line[0]
    told = [int(seen[cell].candidates[0][0]) for cell in line]
    return all(n - told[0] == sum(cell) - sum(first) for n, cell in zip(told, line, strict=True))


def _is_lower(
    seen: Mapping[Cell, tokens.Glyph],
    contents: Mapping[Cell, ink.Content],
    line: Sequence[Cell],
    rest: AbstractSet[Cell],
) -> bool:
    """Whether the numbers of a line are lower than equal ones in the ``rest``, or than all, if those are of one
    height; at least two of the line can be compared."""
    heights: dict[str, list[int]] = {}
    for cell in _clear(seen, rest):
        heights.setdefault(seen[cell].candidates[0][0], []).append(contents[cell].box.height)
    every = [height for some in heights.values() for height in some]
    if max(every) - min(every) <= max(LOWER * min(every), ROUNDED):
        heights = {seen[cell].candidates[0][0]: every for cell in line} | heights
    pairs = [
        (contents[cell].box.height, min(heights[token]))
        for cell in line
        if (token := seen[cell].candidates[0][0]) in heights
    ]
    return len(pairs) > 1 and all(usual - own > max(LOWER * usual, ROUNDED) for own, usual in pairs)


def _is_on_other_tiles(
    view: View,
    found: lattice.Lattice,
    seen: Mapping[Cell, tokens.Glyph],
    contents: Mapping[Cell, ink.Content],
    line: Sequence[Cell],
    by: int,
) -> bool:
    """Whether the tiles of a line differ from all others, which have their like in other lines."""
    if _are_coloured_by_number(seen, contents, line):
        return False
    looks = {cell: look for cell in seen if (look := _look(view, found, cell)) is not None}
    own = [cell for cell in line if cell in looks]
    others = looks.keys() - set(line)
    slack = SAME_GROUND + 3 * view.noise
    if len(own) < len(line) or not all(_is_unlike(looks, cell, others, slack) for cell in own):
        return False
    lines = [[cell for cell in sorted(others) if cell[by] == at] for at in {cell[by] for cell in others}]
    strange = sum(
        all(_is_unlike(looks, cell, others - set(some), slack) for cell in some[:: -(-len(some) // SAMPLE)])
        for some in lines
    )
    if strange > MOST_UNLIKE * len(lines):
        return False
    return not _may_be_a_chain(seen, contents, line)


def _are_coloured_by_number(
    seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], line: Sequence[Cell]
) -> bool:
    """Whether each number has tiles of its own colour, those of a line too: they say nothing else."""
    shown: dict[str, list[Floats]] = {}
    for cell in (*_clear(seen, seen.keys() - set(line)), *line):
        shown.setdefault(seen[cell].candidates[0][0], []).append(contents[cell].ground)
    return bool(tiles_by_number(shown))


def _may_be_a_chain(
    seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], line: Sequence[Cell]
) -> bool:
    """Whether a line may be a chain in its colour: its 1 stands beside a start."""
    if not all(marks.colourful(contents[cell].ground) for cell in line):
        return False
    ends = [cell for cell in line if seen[cell].candidates[0][0] == "1"]
    near = [seen[one] for cell in ends for one in around(cell) if one in seen]
    return any(dict(glyph.candidates).get("X", 0.0) >= odds.POSSIBLE for glyph in near)


def _look(view: View, found: lattice.Lattice, cell: Cell) -> Floats | None:
    """The colours, BGR, of a place from its border inwards, at the middle of its sides and at its corners, shape
    ``(PROBES, depth, 3)``; None for a place that is not wholly in the picture."""
    (x, y), half_x, half_y = found.box(cell).centre, round(found.pitch_x / 2), round(found.pitch_y / 2)
    depth = max(round(DEEP * min(found.pitch_x, found.pitch_y)), 2)
    patch = view.image[max(y - half_y, 0) : y + half_y, max(x - half_x, 0) : x + half_x].astype(np.float32)
    if patch.shape[:2] != (2 * half_y, 2 * half_x):
        return None
    probes = []
    for side in (patch, patch[::-1], patch.transpose(1, 0, 2), patch[:, ::-1].transpose(1, 0, 2)):
        middle = side.shape[1] // 4
        probes.append(np.median(side[:depth, middle:-middle], axis=1))
    inwards = np.arange(depth)
    for corner in (patch, patch[::-1], patch[:, ::-1], patch[::-1, ::-1]):
        probes.append(corner[inwards, inwards])
    return np.asarray(np.stack(probes), np.float32)


def _is_unlike(looks: Mapping[Cell, Floats], cell: Cell, others: Collection[Cell], slack: float) -> bool:
    """Whether the look of a place differs from each of the ``others`` in most probes: some colour of one of the two is
    not found in the other within a pixel."""
    if not others:
        return False
    own, them = looks[cell], np.stack([looks[one] for one in sorted(others)])
    depth = own.shape[1]
    near = np.full(them.shape[:3], np.inf, np.float32), np.full(them.shape[:3], np.inf, np.float32)
    for shift in (-1, 0, 1):
        mine, theirs = slice(max(shift, 0), depth + min(shift, 0)), slice(max(-shift, 0), depth + min(-shift, 0))
        away = np.abs(own[:, mine] - them[:, :, theirs]).max(axis=3)
        near[0][:, :, mine] = np.minimum(near[0][:, :, mine], away)
        near[1][:, :, theirs] = np.minimum(near[1][:, :, theirs], away)
    inner = slice(1, -1)  # beyond the last ones a colour may come that the other has
    differs = np.maximum(near[0][:, :, inner], near[1][:, :, inner]).max(axis=2) > slack
    return bool((differs.sum(axis=1) >= FEWEST_UNLIKE).all())
