"""Parts of what stands in an island: some windows write how many links an island has beside how many it needs, as
"1/3". Works without the picture; reads no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats
from autoplayer.vision import ink

INKED = 0.3
"""The ink from which a pixel counts as drawn."""

AS_HIGH = 0.6
"""Of the highest piece: lower ones are no digits and no slashes."""

SLANTED = -0.85
"""The correlation of across and down along a slash, at most: it leads from the upper right to the lower left."""

FEWEST_SLASHES = 2
"""Islands: a single one with a slash may be crossed by something."""


def beside_slashes(contents: Sequence[ink.Content]) -> dict[int, tuple[ink.Content, ink.Content]]:
    """By its index, what each content shows before and behind a slash, if both are about as high as it, as in "1/3";
    empty if only one content does."""
    found = {k: both for k, here in enumerate(contents) if (both := _beside_slash(here)) is not None}
    return found if len(found) >= FEWEST_SLASHES else {}


def _beside_slash(here: ink.Content) -> tuple[ink.Content, ink.Content] | None:
    if here.bare:
        return None
    _, labels, stats, _ = cv2.connectedComponentsWithStats((here.ink > INKED).astype(np.uint8), connectivity=8)
    heights = stats[1:, cv2.CC_STAT_HEIGHT]
    high = [k + 1 for k in np.flatnonzero(heights >= AS_HIGH * heights.max(initial=1)).tolist()]
    if len(high) != 3:
        return None
    first, slash, last = sorted(high, key=lambda k: int(stats[k, cv2.CC_STAT_LEFT]))
    ys, xs = np.nonzero(labels == slash)
    if min(np.ptp(xs), np.ptp(ys)) < 1 or float(np.corrcoef(xs, ys)[0, 1]) > SLANTED:
        return None
    every = np.asarray(labels, np.int32)
    return _piece(here, every, first), _piece(here, every, last)


def _piece(here: ink.Content, labels: NDArray[np.int32], which: int) -> ink.Content:
    """The content with only one piece of its ink; soft edges belong to the piece that they are next to."""
    mask = cv2.dilate((labels == which).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    mask &= (labels == 0) | (labels == which)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return cut(here, np.where(mask, here.ink, 0), rows, columns)


def cut(here: ink.Content, kept: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> ink.Content:
    """The content with only the ink ``kept``, cropped to some rows and columns."""
    part = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
    scale = here.box.width / here.ink.shape[1]
    box = Box(
        here.box.x + round(part[1].start * scale),
        here.box.y + round(part[0].start * scale),
        max(round((part[1].stop - part[1].start) * scale), 1),
        max(round((part[0].stop - part[0].start) * scale), 1),
    )
    return replace(here, ink=np.ascontiguousarray(kept[part]), box=box)
