"""Thin strokes of small glyphs, which fall between two pixels, so that none holds them wholly. Knows no game and no
glyph."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.vision.components import components

SHARE = 0.7
"""What has this share of the ink of a stroke at least, is more than a soft edge, and no broader than two pixels of
the window is a stroke that falls between two of them, so that each holds half of its ink."""


def add(labels: NDArray[np.int32], stats: NDArray[np.integer[Any]], soft: Floats, stroke: float, scale: int) -> bool:
    """Adds to each stroke the thin ones that hang on it alone, and says whether there are any; what hangs on two
    strokes is the soft edge at which they touch. ``labels``: the strokes, shape ``(h, w)``, with their ``stats`` (x, y,
    width, height, area); both are changed. ``soft``: how much of it each pixel holds."""
    faint = soft > SHARE * stroke
    full = np.asarray(stats[:, 4] >= 2 * scale * scale, np.uint8)
    full[0] = 0
    drawn = full[labels] if not full[1:].all() else (labels > 0).view(np.uint8)
    beyond = faint & (cv2.dilate(drawn, _square(scale)) == 0)
    if not beyond.any():
        return False
    changed = False
    each, boxes = components(np.asarray(beyond, np.uint8), 8)
    for i in range(1, len(boxes)):
        x, y, w, h = (int(v) for v in boxes[i, :4])
        if breadth(each[y : y + h, x : x + w] == i) > 2 * scale + 1:
            continue  # an area that it stands upon
        left, top = max(x - scale - 1, 0), max(y - scale - 1, 0)
        spot = slice(top, y + h + scale + 1), slice(left, x + w + scale + 1)
        # With the soft edge by which it hangs on something.
        here = faint[spot] & (cv2.dilate(np.asarray(each[spot] == i, np.uint8), _square(scale + 1)) > 0)
        held = [k for k in np.unique(labels[spot][here]).tolist() if full[k]]
        if len(held) == 1:
            changed = True
            labels[spot][here] = held[0]
            ys, xs = np.nonzero(here)
            own = stats[held[0]]
            low = np.minimum(own[:2], (left + xs.min(), top + ys.min()))
            high = np.maximum(own[:2] + own[2:4], (left + xs.max() + 1, top + ys.max() + 1))
            own[:4] = *low, *(high - low)
    return changed


def breadth(drawn: NDArray[np.bool_]) -> float:
    """How broad the broadest stroke of what is ``drawn`` is, pixels."""
    padded = np.pad(np.asarray(drawn, np.uint8), 1)
    return 2 * float(cv2.distanceTransform(padded, cv2.DIST_L2, 3).max())


def _square(reach: int) -> NDArray[np.uint8]:
    """What adds ``reach`` pixels at every side."""
    return np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
