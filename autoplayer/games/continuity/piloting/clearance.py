"""How much a drawn figure may be higher than the gaps that it walks through: outlines and blurred borders make it look
a little higher than its collision box."""

from __future__ import annotations

import math

import numpy as np

from autoplayer.games.continuity.flights import Bools

CLOSE = 0.08
"""By how much the drawn figure may be higher than the gap that it passes, as a share of its height; two pixels at
most."""


def allowance(height: float) -> int:
    """The same in pixels, for a figure drawn ``height`` pixels high."""
    return min(max(round(CLOSE * height), 1), 2)


def raised(solid: Bools, height: float) -> Bools:
    """The tiles' solid masks, shape ``(tiles, height, width)``, in which the figure fits into each gap that is too low
    by no more than the allowance: the ceiling there is that much higher.

    The figure itself is not made lower: it still cannot fly into a gap that is only just as high as it is.
    """
    whole, more = math.ceil(height), allowance(height)
    rows = np.arange(solid.shape[1])[:, None]
    # For each pixel the row of the nearest solid one above it; its own if it is solid, -1 for none.
    ceiling = np.maximum.accumulate(np.where(solid, rows, -1), axis=1)[:, :-1]
    gap = rows[:-1] - ceiling
    low = solid[:, 1:] & (ceiling >= 0) & (gap >= height - more) & (gap < height)
    tile, row, column = np.nonzero(low)
    above = ceiling[tile, row, column]
    found = solid.copy()
    for step in range(more + 1):
        cut = above - step >= np.maximum(row + 1 - whole, 0)
        found[tile[cut], above[cut] - step, column[cut]] = False
    return found
