"""Bridges that show through their islands: a complete island may be drawn half transparent, on bridges that run as far
as its middle."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, largest_channel
from autoplayer.vision import ink

MIDDLE = 0.4
"""Of an island's inside: how far from its middle line a bridge that ends there reaches to both sides, at most."""

EDGE = 0.08
"""Of an island's inside: the depth, at its edge, of what shows a bridge and no number."""

DIAGONAL = 0.22
"""Of an island's inside: what is farther than this from both middle lines shows neither a bridge nor a number."""

SAME = 0.8
"""The share of the places across a bridge's end that look alike a little farther in, at least: a rim that touches the
edge in its middle is not seen there."""

CLEAR = 0.75
"""The share of the places across a bridge's end that may show something at most: else it is no bridge, but a shade or
a rim."""

SMALLEST = 16
"""Pixels: in a smaller island a bridge is not told from a number."""


def without_bridges(patches: NDArray[np.uint8], is_round: bool) -> NDArray[np.uint8]:
    """``patches``, the insides of islands, shape ``(N, h, w, 3)``, BGR, without the bridges that show through them;
    ``is_round``: whether only the disc in each is inside.

    What a bridge adds to the colours is seen at the island's edge, where there is no number. The same is taken away
    from there to the island's middle, where bridges end: in an island that is transparent as a whole, the number's
    colour differs from that of its ground by as much on a bridge as beside it.
    """
    if min(patches.shape[1:3]) < SMALLEST:
        return patches
    grounds = _grounds(patches, is_round)
    added: Floats = np.zeros(patches.shape, np.float32)
    for turns in range(4):
        _add_from_the_left(np.rot90(patches, turns, (1, 2)), np.rot90(added, turns, (1, 2)), grounds, is_round)
    return np.asarray(np.clip(np.rint(patches - added), 0, 255), np.uint8) if added.any() else patches


def _grounds(patches: NDArray[np.uint8], is_round: bool) -> Floats:
    """The colour of each patch between the directions from which bridges come, shape ``(N, 3)``."""
    height, width = patches.shape[1:3]
    down, across = (np.abs(np.arange(side) - (side - 1) / 2) / side for side in (height, width))
    beside = np.minimum(down[:, None], across) > DIAGONAL
    if is_round:
        beside &= np.hypot(down[:, None], across) < 0.5 - EDGE
    return np.asarray(np.median(patches[:, beside], axis=1), np.float32)


def _add_from_the_left(patches: NDArray[np.uint8], added: Floats, grounds: Floats, is_round: bool) -> None:
    """Writes what bridges from the left add to ``patches`` into ``added``, unless others add more there."""
    height, width = patches.shape[1:3]
    depth = max(2, round(EDGE * width))
    reach = MIDDLE * height
    if is_round:  # beyond this, the middle of the edge's depth is outside the disc
        reach = min(reach, math.sqrt(max((width / 2) ** 2 - ((width - depth) / 2 - 1) ** 2, 1.0)))
    rows = slice(math.ceil(height / 2 - reach), math.floor(height / 2 + reach))
    bands = [
        np.median(patches[:, rows, left : left + depth], axis=2) - grounds[:, None]
        for left in range(1, 2 + 2 * depth, depth)
    ]
    more: Floats = np.zeros(bands[0].shape, np.float32)
    for band, deeper in itertools.pairwise(bands):  # the rim may be a part of the outermost one
        drawn = largest_channel(np.abs(band)) > ink.FAINTEST
        bridge = drawn.any(axis=1) & (drawn.mean(axis=1) <= CLEAR) & ~drawn[:, 0] & ~drawn[:, -1]
        bridge &= ~more.any(axis=(1, 2))
        if bridge.any():
            same = ~drawn | (largest_channel(np.abs(band - deeper)) <= ink.FAINTEST)
            bridge &= same.mean(axis=1) >= SAME
            more[bridge] = np.where(drawn[..., None], band, 0)[bridge]
    if not more.any():
        return
    part = added[:, rows, : (width + 1) // 2]
    stronger = largest_channel(np.abs(more))[:, :, None] > largest_channel(np.abs(part))
    part[stronger] = np.broadcast_to(more[:, :, None], part.shape)[stronger]
