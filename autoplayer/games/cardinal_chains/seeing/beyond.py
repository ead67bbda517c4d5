"""Places without a number beyond the rows and columns of a board's numbers: which of them are no starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.seeing.glyphs import marks
from autoplayer.vision import ink


def words(
    odd: Sequence[Cell], numbers: Sequence[Cell], contents: Mapping[Cell, ink.Content], on_tiles: AbstractSet[Cell]
) -> set[Cell]:
    """Those of the ``odd`` places beyond the ``numbers``, and not ``on_tiles`` of the board, that have no mark as large
    as one within: the words of a heading, or of links below the board, have other sizes."""
    ours = _within(odd, numbers) | (on_tiles & set(odd))
    sizes = [contents[cell] for cell in ours]
    return {
        cell
        for cell in odd
        if ours and cell not in ours and not any(marks.as_large(contents[cell], one) for one in sizes)
    }


def empty_boxes(
    odd: Sequence[Cell], numbers: Sequence[Cell], contents: Mapping[Cell, ink.Content], outlined: AbstractSet[Cell]
) -> set[Cell]:
    """Those of the ``odd`` places beyond the ``numbers`` that are ``outlined``, where what may be starts within has no
    outline, or another colour in its middle: an empty slot, or a box for the next piece."""
    within = _within(odd, numbers)
    starts = [contents[cell] for cell in within & outlined]
    if not starts and not any(
        marks.is_marked(contents[cell]) or marks.colourful(contents[cell].ground) for cell in within
    ):
        return set()
    return {
        cell
        for cell in (outlined & set(odd)) - within
        if not any(marks.same_look(contents[cell], one) for one in starts)
    }


def _within(odd: Sequence[Cell], numbers: Sequence[Cell]) -> set[Cell]:
    """The ``odd`` places within the rows and columns of the ``numbers``."""
    (top, left), (bottom, right) = np.min(numbers, axis=0), np.max(numbers, axis=0)
    return {(r, c) for r, c in odd if top <= r <= bottom and left <= c <= right}
