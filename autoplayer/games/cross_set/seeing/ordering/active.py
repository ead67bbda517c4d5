"""Finds the active glyph of each cell of Cross Set from the whole board: the size, strength, boldness and colour of
each glyph relative to the same number elsewhere, and its position in the cell.

A hypothesis (the first glyph of each cell is active, the lowest one, ...) is right when it makes the looks of the
glyphs simple: a number looks alike wherever it is not active, and active ones differ from it in one way. Each
hypothesis is fitted by least squares (the look of a number, plus the effect of being active, plus the effect of the
cell), and the variance that it explains is weighed against its description length (after Rissanen 1978): nothing for
one position in all cells, something for each cell that is an exception, and the choice of each cell if there is no
common position. Cells in which another choice is nearly as good are in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.ordering.looks import CLEAR, MARGIN, Choice, Looks

APART = 4.0
"""The least distance of active glyphs from the others, in units of the spread of glyphs that look alike: chance alone
reaches two."""

MOST_CHOICES = 40
"""The most choices that are scored for each position: they converge after a few rounds."""

MOST_ROUNDS = 3
"""How often the glyphs with a shade of their own are determined again: they depend on which ones are active."""


@dataclass(frozen=True)
class Active:
    """``choice``: the active glyph of each cell; ``unsure``: the cells in which another one may be active."""

    choice: Choice
    unsure: frozenset[Cell]


def active(
    rows: Mapping[Cell, Sequence[Glyph]],
    grounds: Mapping[Cell, Floats],
    places: Sequence[Choice],
    alone: Mapping[Cell, Glyph],
) -> Active | None:
    """The active glyph of each cell of several; None if nothing that is seen tells. ``grounds``: the colour of each
    cell. ``places``: the choices by position. ``alone``: the only glyph of each of the other cells."""
    if not rows:
        return None
    looks = Looks(rows, grounds, alone)
    worth, found = _weighed(looks, places)
    # Numbers that are marked for another reason, active or not, are no evidence of which ones are active.
    shades = looks.shades(found.choice) if found else looks.shade
    for _ in range(MOST_ROUNDS):
        if found is None or np.array_equal(shades, looks.shade):
            break
        shaded = Looks(rows, grounds, alone, shade=shades)
        other, told = _weighed(shaded, places)
        if told is None or other <= worth:
            break
        looks, worth, found = shaded, other, told
        shades = looks.shades(found.choice)
    if found is None:
        return None
    first = bool(places) and all(places[0].get(cell) is g for cell, g in found.choice.items())
    if first and not found.unsure:
        return found
    # The strength of a thin stroke's pixels depends on its position between them: the sum of the ink may tell more.
    other, by_ink = _weighed(Looks(rows, grounds, alone, by_ink=True, shade=looks.shade), places)
    if by_ink is None and not found.unsure:
        return None  # it was the raster alone
    return by_ink if by_ink is not None and found.unsure and other > worth else found


def _weighed(looks: Looks, places: Sequence[Choice]) -> tuple[float, Active | None]:
    """The choice that explains the looks best, and how well, in nats."""
    bases: list[NDArray[np.int64] | None] = [looks.chosen(place) for place in places]
    started = [base for base in bases if base is not None] + looks.outstanding()
    if not places:
        bases = []
    weighed: dict[bytes, tuple[float, NDArray[np.int64]]] = {}
    for base in (*bases, None):
        met: set[bytes] = set()
        for start in started:
            now = start
            while now.tobytes() not in met and len(met) < MOST_CHOICES:
                met.add(now.tobytes())
                worth = looks.worth(now) - looks.cost(now, base)
                if now.tobytes() not in weighed or weighed[now.tobytes()][0] < worth:
                    weighed[now.tobytes()] = worth, now
                now = looks.improved(now, base)
    worth, best = max(weighed.values(), key=lambda one: one[0])
    if worth < CLEAR and looks.apart(best) < APART:
        return worth, None
    base = min((*bases, None), key=lambda base: looks.cost(best, base))
    unsure = looks.close(best, base) | looks.strange_exceptions(best, base) | looks.against_sizes(best)
    for other, choice in weighed.values():
        if other > worth - MARGIN:
            unsure |= choice != best
    doubted = frozenset(c for c, doubt in zip(looks.cells, unsure, strict=True) if doubt)
    return worth, Active(looks.choice(best), doubted)
