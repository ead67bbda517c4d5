"""Boards without walls whose glyphs stand in rings, which lines may join: how much of a place lies inside its ring."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Mask
from autoplayer.games.cardinal_chains.seeing.lattice.outside import KNOWN_LOOKS
from autoplayer.vision import lattice
from autoplayer.vision.views import View

MARGIN, CLEAN, ROOM = 0.1, 0.8, 0.75
"""The least room between a glyph and the ring around it, as a share of the glyph's height; the share of all places in
which nothing is drawn there; and the largest part of the pitch that a ring encloses."""


def inside_of_rings(view: View, found: lattice.Lattice, most: float = ROOM) -> tuple[float, float] | None:
    """The width and height of the largest box around glyphs, as shares of the pitch, on whose border nothing is drawn
    in nearly all places, or of the smallest one; None if that is larger than ``most``."""
    spots = [found.box(cell).centre for cell in sorted(found.cells)]
    least = max(round(MARGIN * found.height), 1)

    def is_clean(across: int, down: int) -> bool | None:
        """Whether nothing is drawn on the border of a box with so much room around the usual glyph."""
        w, h = round(found.width / 2) + across, round(found.height / 2) + down
        rims = [rim for x, y in spots if (rim := _rim(view.strength, x, y, w, h)).size]
        clean = sum(not (rim > view.threshold).any() for rim in rims)
        return clean >= CLEAN * len(rims) if len(rims) >= KNOWN_LOOKS else None

    best = None
    for room in range(least, round(found.pitch) // 2):
        clean = is_clean(room, room)
        if clean:
            best = room, room
        elif clean is None or room > 2 * least:
            break  # else it is the glyphs' own edges
    if best is None:  # numbers of two digits are broader than the usual one, and meet a low box only at its ends
        wide = range(2 * least, round(most * found.pitch - found.width) // 2)
        best = next(((w, h) for w in wide for h in range(w - 1, least, -1) if is_clean(w, h)), (least, least))
    size = (found.width + 2 * best[0]) / found.pitch_x, (found.height + 2 * best[1]) / found.pitch_y
    return size if max(size) < most else None


def _rim(strength: Mask, x: int, y: int, w: int, h: int) -> Mask:
    """The border of the box that extends ``w`` to both sides of ``(x, y)`` and ``h`` up and down, as one row of pixels;
    empty for a box that is not wholly in the picture. Without the middle of each side, where lines lead to other
    places."""
    height, width = strength.shape
    if x < w or y < h or x + w >= width or y + h >= height:
        return strength[:0, 0]
    box = strength[y - h : y + h + 1, x - w : x + w + 1]
    sides = (box[0], box[-1], box[:, 0], box[:, -1])
    return np.concatenate([part for side in sides for part in (side[: len(side) // 3], side[-(len(side) // 3) :])])
