"""Crosses that strike out places without a cell, and are no starts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens
from autoplayer.vision import ink

PALE, CROSSED = 0.5, 0.97
"""Of the contrast of the numbers: crosses that strike out places have less; and the probability of such crosses if
starts are marked in another way."""


def crossed_out(seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content]) -> set[Cell]:
    """The places with something that looks like an X but is paler than the numbers and drawn far larger, or from side
    to side, as no letter is. A colour close to that of the cells may be a start's, if its mark is as large as others'
    that are not pale."""
    clear = [contents[cell] for cell in tokens.numbers(seen)]
    if not clear:
        return set()
    high, strong = np.median([(here.box.height, here.contrast) for here in clear], axis=0)
    crosses = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > 0.5]
    pale = [cell for cell in crosses if contents[cell].contrast < PALE * strong]
    starts = [contents[cell] for cell in crosses if cell not in pale and marks.colourful(contents[cell].colour)]
    return {
        cell
        for cell in pale
        if contents[cell].box.height > marks.FAR_LARGER * high or marks.fills(contents[cell])
        if not (marks.colourful(contents[cell].colour) and any(marks.as_large(contents[cell], one) for one in starts))
    }


def take_crosses_for_holes(seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content]) -> None:
    """If everything that looks like an X is pale, on one grey ground that no number has, and other marks that are no
    numbers stand out in colours, then these are the starts, and the crosses strike out holes."""
    crosses = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > 0.5]
    numbers = [cell for cell, glyph in seen.items() if glyph.chance > odds.LEGIBLE and cell not in crosses]
    unread = [cell for cell, glyph in seen.items() if glyph.chance < odds.LEGIBLE and marks.is_marked(contents[cell])]
    if not (crosses and numbers and unread):
        return
    usual = float(np.median([contents[cell].contrast for cell in numbers]))
    # A drawn chain may be as colourful as the starts, but its numbers are legible.
    starts = [
        cell for cell in unread if marks.colourful(contents[cell].ground) and contents[cell].contrast > PALE * usual
    ]
    grounds = np.stack([contents[cell].ground for cell in numbers])
    if len(starts) != len(unread) or len(starts) > max(marks.MOST_STARTS * len(numbers), 1):
        return
    for cell in crosses:
        here = contents[cell]
        alone = float(np.abs(grounds - here.ground).max(axis=1).min()) > marks.EVEN
        if not alone or marks.colourful(here.ground) or marks.colourful(here.colour) or here.contrast > PALE * usual:
            return
    first = 1 + max(glyph.cluster for glyph in seen.values())
    for cell in crosses:
        seen[cell] = tokens.Glyph((("", CROSSED), ("X", 1 - CROSSED)), first)
    for cell in starts:
        seen[cell] = tokens.Glyph((("X", CROSSED), ("", 1 - CROSSED)), first + 1)
