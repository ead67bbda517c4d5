"""Finds the lower part of a thing whose colour is one of the air's elsewhere, such as dark legs in a room whose sky is
dark above."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools

DEEPEST = 0.8
"""The greatest height of the lower part, as a share of that of the part above."""
OUT, EVEN = 40, 12
"""The least difference, in grey levels, of the lower part from the air beside it; and the greatest one of that air."""
ROWS, ASIDE = 0.9, 0.95
"""The least share of its rows in which something of the lower part is seen; and of the air beside it that is even."""
ON = 0.3
"""The least share of a thing's width below which there is ground."""


def standing(part: Bools, picture: Image, solid: Bools) -> Bools:
    """``part`` of a tile, with what reaches from it to the ground and is unlike the even air on both sides. All have
    the tile's shape ``(height, width)``; ``solid``: its walls."""
    ys, xs = np.nonzero(part)
    top, foot, left, right = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    ground = np.flatnonzero(solid[foot:, left:right].mean(axis=1) >= ON)
    deep = int(ground[0]) if len(ground) else 0
    if not 0 < deep <= DEEPEST * (foot - top):
        return part
    rows, wide = slice(foot, foot + deep), right - left
    aside = np.r_[max(left - wide, 0) : max(left - 1, 0), right + 1 : right + wide]
    aside = aside[aside < part.shape[1]]
    free = ~solid[rows][:, aside]
    if not free.any(axis=1).all():
        return part
    around = np.where(free[..., None], picture[rows][:, aside].astype(np.float64), np.nan)
    usual = np.nanmedian(around, axis=1, keepdims=True)
    even = largest_channel(np.abs(around - usual))[free] <= EVEN
    ink = (largest_channel(np.abs(picture[rows, left:right] - usual)) > OUT) & ~solid[rows, left:right]
    if even.mean() < ASIDE or ink.any(axis=1).mean() < ROWS:
        return part
    found = part.copy()
    found[rows, left:right] |= ink
    return found
