"""Starts that show no X: one hidden by its ring or disc, or marked by a colour, a dot or a ring alone."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains import tokens
from autoplayer.games.cardinal_chains.ranking import MARKED, UNMARKED, around
from autoplayer.vision import glyphs, ink
from autoplayer.vision.views import View

LEAST_NUMBERS = 2
"""So many numbers make a board whose start has no X that can be seen; a number and a pointer beside it are none."""

MOST_STARTS = 1 / 3
"""Of places that look alike and hold no number, more than this share of the numbers are no starts but empty tiles: a
chain has more than its start."""


def numbers(seen: dict[Cell, tokens.Glyph]) -> list[Cell]:
    """The places that are more likely a number than anything else."""
    return [cell for cell, glyph in seen.items() if glyph.chance > 0.5 and glyph.candidates[0][0] != "X"]


def find_unmarked_starts(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], found: frozenset[Cell]
) -> None:
    """Where no X is seen, starts are looked for in other ways: an X that its ring or disc hid; then the places that
    differ from all others (a start may be marked by colour alone, or by a dot or ring). The latter stay doubtful; the
    rules must agree."""
    if any(glyph.candidates[0][0] in ("X", tokens.UNKNOWN) and glyph.chance > 0.5 for glyph in seen.values()):
        return
    usual_ink = np.median(np.stack([contents[cell].colour for cell in seen]), axis=0)
    unclear = [cell for cell, glyph in seen.items() if glyph.chance < tokens.LEGIBLE]
    if tokens.hopeless(len(unclear), len(seen)):
        return
    others = [
        (cell, other)
        for cell in (seen if len(seen) <= tokens.MOST_UNCLEAR else unclear)
        for _, other in tokens.other_inks(view.image, contents[cell], usual_ink, view.noise)
    ]
    hidden = {
        cell: chance
        for (cell, _), options in zip(others, glyphs.read_numbers([other for _, other in others]), strict=True)
        if (chance := tokens.possible(options).get("X", 0.0)) > 0.7
    }
    if hidden and 2 * len(hidden) <= len(seen):
        for cell, chance in hidden.items():
            rest = [(token, (1 - chance) * p) for token, p in seen[cell].candidates if token != "X"]
            seen[cell] = tokens.Glyph((("X", chance), *rest), seen[cell].cluster)
        return
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > tokens.LEGIBLE]
    if len(numbers) < LEAST_NUMBERS or 2 * len(numbers) < len(contents):
        return  # a table, a crossword: too little of it is numbers
    grounds = np.stack([contents[cell].ground for cell in numbers])
    inks = np.stack([contents[cell].colour for cell in numbers])
    odd = [
        cell
        for cell, here in contents.items()
        if cell not in numbers
        and (cell in found or sum(near in contents for near in around(cell)) > 1)
        and (
            float(np.abs(grounds - here.ground).max(axis=1).min()) > 24
            or (not here.bare and float(np.abs(inks - here.colour).max(axis=1).min()) > 48)
        )
    ]
    # A mark in the middle makes a start of a place that without one is a hole in another colour than the cells.
    marked = [cell for cell in odd if not contents[cell].bare and _central(contents[cell])]
    groups: list[list[Cell]] = []
    for cell in odd:
        like = next((group for group in groups if _same_look(contents[cell], contents[group[0]])), None)
        if like is None:
            groups.append([cell])
        else:
            like.append(cell)
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)
    groups = [group for group in groups if len(group) <= max(MOST_STARTS * len(numbers), 1)]
    for number, group in enumerate(groups, first):
        chance = UNMARKED if not marked else MARKED if group[0] in marked else 1 - MARKED
        options = (("X", chance), ("", 1 - chance))
        for cell in group:
            seen[cell] = tokens.Glyph(options if chance > 0.5 else options[::-1], number)


def _central(here: ink.Content) -> bool:
    """Whether what stands in a place stands about its middle and is no mere remnant."""
    (x, y), (u, v) = here.place.centre, here.box.centre
    size = min(here.place.width, here.place.height)
    return max(abs(x - u), abs(y - v)) < 0.2 * size and min(here.box.width, here.box.height) > 0.15 * size


def _same_look(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places without a number have one colour, and both or neither a mark."""
    return one.bare == other.bare and float(np.abs(one.ground - other.ground).max()) < 12
