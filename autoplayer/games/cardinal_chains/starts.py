"""Starts that show no X: one hidden by its ring or disc, or marked by a colour, a dot or a ring alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cardinal_chains import tokens
from autoplayer.games.cardinal_chains.growth import contents_of
from autoplayer.games.cardinal_chains.ranking import MARKED, UNMARKED, around
from autoplayer.vision import glyphs, ink, lattice
from autoplayer.vision.views import View

LEAST_NUMBERS = 2
"""So many numbers make a board whose start has no X that can be seen; a number and a pointer beside it are none."""

MOST_STARTS = 1 / 3
"""Of places that look alike and hold no number, more than this share of the numbers are no starts but empty tiles: a
chain has more than its start."""


LIKE_LETTERS = frozenset("124568")
"""Digits that letters look like: I, Z, A, S, G and B."""

LETTER = 0.9
"""How likely the only glyphs of their kind, which stand on colours of their own, are starts where no other is seen."""


def numbers(seen: dict[Cell, tokens.Glyph]) -> list[Cell]:
    """The places that are more likely a number than anything else."""
    return [cell for cell, glyph in seen.items() if glyph.chance > 0.5 and glyph.candidates[0][0] != "X"]


def coloured(view: View, found: lattice.Lattice, contents: dict[Cell, ink.Content]) -> dict[Cell, ink.Content]:
    """What the places beside those of ``contents`` show that may be starts by their colour: they are filled with one
    that neither the others nor the window around have, or have a mark of another colour than all glyphs in the
    middle."""
    if not contents:
        return {}
    rows, columns = zip(*contents, strict=True)
    inside = {(r, c) for r in range(min(rows), max(rows) + 1) for c in range(min(columns), max(columns) + 1)}
    beside = sorted({near for cell in contents for near in around(cell)} - contents.keys())
    near = [cell for cell in beside if cell in inside or sum(one in contents for one in around(cell)) > 1]
    grounds = np.stack([here.ground for here in contents.values()])
    inks = np.stack([here.colour for here in contents.values() if not here.bare] or [np.full(3, np.inf)])
    result = {}
    for cell, here in contents_of(view, found, near).items():
        marked = not here.bare and _central(here) and float(np.abs(inks - here.colour).max(axis=1).min()) > OTHER_INK
        if marked or _is_filled(view, found, cell, grounds):
            result[cell] = here
    return result


def _is_filled(view: View, found: lattice.Lattice, cell: Cell, grounds: Floats) -> bool:
    """Whether the middle of a place has one colour, which is none of ``grounds``, shape ``(N, 3)``, and is not met
    where the place's corners meet others."""
    (x, y), height, width = found.box(cell).centre, *view.image.shape[:2]
    reach_x, reach_y = round(MIDDLE * found.width / 2), round(MIDDLE * found.height / 2)
    middle = view.image[max(y - reach_y, 0) : y + reach_y + 1, max(x - reach_x, 0) : x + reach_x + 1].reshape(-1, 3)
    if not len(middle):
        return False
    colour = np.median(middle, axis=0)
    even = float(np.abs(middle - colour).max(axis=1).mean()) < EVEN + 3 * view.noise
    corners = [
        view.image[
            min(max(round(y + dy * found.pitch_y / 2), 0), height - 1),
            min(max(round(x + dx * found.pitch_x / 2), 0), width - 1),
        ]
        for dy in (-1, 1)
        for dx in (-1, 1)
    ]
    others = np.concatenate([grounds, np.array(corners, np.float32)])
    return even and float(np.abs(others - colour).max(axis=1).min()) > OTHER_GROUND


MIDDLE = 0.5
"""The part of a cell's width and height that is filled whatever shape stands in it."""

EVEN = 6.0
"""Grey levels by which the pixels of one colour differ."""

OTHER_GROUND, OTHER_INK = 24.0, 48.0
"""Grey levels, in one channel, from which on a ground and an ink are of another colour."""


def has_start(seen: dict[Cell, tokens.Glyph]) -> bool:
    """Whether there is what is, or may be, an X."""
    return any(glyph.candidates[0][0] in ("X", tokens.UNKNOWN) and glyph.chance > 0.5 for glyph in seen.values())


def find_unmarked_starts(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], found: frozenset[Cell]
) -> None:
    """Where no X is seen, starts are looked for in other ways: an X that its ring or disc hid; then the places that
    differ from all others (a start may be marked by colour alone, or by a dot or ring). The latter stay doubtful; the
    rules must agree."""
    if has_start(seen):
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
            float(np.abs(grounds - here.ground).max(axis=1).min()) > OTHER_GROUND
            or (not here.bare and float(np.abs(inks - here.colour).max(axis=1).min()) > OTHER_INK)
        )
    ]
    if not odd and float(np.ptp(grounds, axis=0).max()) > OTHER_GROUND:
        # A chain may have its start's colour already. A word on the colour of the window around is a heading.
        rim = np.concatenate([view.image[0], view.image[-1], view.image[:, 0], view.image[:, -1]])
        page = np.median(rim, axis=0)
        odd = [
            cell
            for cell, here in contents.items()
            if cell in found
            and cell not in numbers
            and _is_marked(here)
            and float(np.abs(here.ground - page).max()) > OTHER_GROUND
        ]
    if not odd:
        _take_letters(seen, contents, numbers)
        return
    # A mark in the middle makes a start of a place that without one is a hole in another colour than the cells.
    marked = [cell for cell in odd if _is_marked(contents[cell])]
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


def _take_letters(seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], numbers: Sequence[Cell]) -> None:
    """Where nearly all numbers stand on one ground, and a few that are all the same on others, these may be starts that
    show a letter: an S looks like a 5."""
    usual = np.median(np.stack([contents[cell].ground for cell in numbers]), axis=0)
    apart = {cell for cell in numbers if float(np.abs(contents[cell].ground - usual).max()) > OTHER_GROUND}
    said = {seen[cell].candidates[0][0] for cell in apart}
    if len(said) != 1 or not said <= LIKE_LETTERS or len(apart) > MOST_STARTS * len(numbers):
        return
    if {seen[cell].cluster for cell in apart} & {seen[cell].cluster for cell in numbers if cell not in apart}:
        return  # a chain may be drawn there
    number = 1 + max(glyph.cluster for glyph in seen.values())
    for cell in apart:
        seen[cell] = tokens.Glyph((("X", LETTER), (min(said), 1 - LETTER)), number)


def _is_marked(here: ink.Content) -> bool:
    return not here.bare and _central(here)


def _central(here: ink.Content) -> bool:
    """Whether what stands in a place stands about its middle and is no mere remnant."""
    (x, y), (u, v) = here.place.centre, here.box.centre
    size = min(here.place.width, here.place.height)
    return max(abs(x - u), abs(y - v)) < 0.2 * size and min(here.box.width, here.box.height) > 0.15 * size


def _same_look(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places without a number have one colour, and both or neither a mark."""
    return one.bare == other.bare and float(np.abs(one.ground - other.ground).max()) < 12
