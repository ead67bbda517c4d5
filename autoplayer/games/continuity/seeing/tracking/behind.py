"""Guesses the background behind a thing: the same rows from beside it, or a blend of its surroundings."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.sight import Bools


def without(picture: Image, box: Box, solid: Bools, taken: Bools) -> Image:
    """``picture`` with the thing in ``box`` replaced by a guess of the air behind it. ``taken``: the mask of things,
    this one included; shape of ``solid``, as high and wide as the picture."""
    height, width = solid.shape
    air = ~solid
    rows = slice(box.y, box.y + box.height)
    here = box.crop(air)
    best: tuple[float, int] | None = None
    for left in range(0, width - box.width + 1):
        if abs(left - box.x) < box.width or (taken[rows, left : left + box.width] & here).any():
            continue
        if (solid[rows, left : left + box.width] & here).any():
            continue
        rim = 0.0
        seen = 0
        for side in (-1, box.width):
            x, other = box.x + side, left + side
            if 0 <= x < width and 0 <= other < width:
                both = air[rows, x] & air[rows, other]
                one, two = picture[rows, x][both].astype(np.int16), picture[rows, other][both]
                rim += float(np.abs(one - two).sum())
                seen += 3 * int(both.sum())
        cost = rim / max(seen, 1) + 0.02 * abs(left - box.x) + (20 if not seen else 0)
        if best is None or cost < best[0]:
            best = cost, left
    found = picture.copy()
    if best is not None:
        part = found[rows, box.x : box.x + box.width]
        part[here] = picture[rows, best[1] : best[1] + box.width][here]
        return found
    hole = np.zeros((height, width), np.uint8)
    box.crop(hole)[here] = 1
    # Walls must not bleed into the hole: they take the colour of the air for a moment.
    around = cv2.dilate(hole, np.ones((5, 5), np.uint8)).astype(bool) & air & (hole == 0)
    calm = picture.copy()
    if around.any():
        calm[solid] = np.median(picture[around], axis=0).astype(np.uint8)
    filled = cv2.inpaint(calm, hole, 3, cv2.INPAINT_TELEA)
    found[hole > 0] = filled[hole > 0]
    return found
