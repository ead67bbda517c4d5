"""What compression (JPEG) leaves in a picture: waves beside strong edges, in blocks that are even otherwise. A median
over all pixels does not know of it, for most of a window is flat. Knows no game."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image
from autoplayer.vision import lattice

STRONG, SOFT = 80, 40
"""Grey levels over two pixels: edges beside which there are waves; and what is a part of something that is drawn."""

REACH = 6
"""Pixels, for blocks are of eight: how far from a strong edge waves are looked for."""

STRIP, MOST = 24, 400_000
"""Rows that are looked at together, and about how many pixels of a picture: waves are everywhere, or nowhere."""

FOURTH = 4
"""Waves are everywhere, or nowhere: where one strip of so many shows hardly any, the others are not looked at."""

FEWEST = 500
"""Pixels beside strong edges, of fewer nothing can be said."""

STEP, SHARE = 8, 0.03
"""What the steps of a shaded ground amount to in the differences that are taken, in grey levels; and the share of the
pixels beside edges at which there is more, where there are waves: beside straight walls there are none."""


def ringing(image: Image) -> float:
    """The standard deviation of the waves that compression has left close to strong edges of ``image`` (BGR), in grey
    levels; 0 in a picture of plain areas that was never compressed."""
    height, width = image.shape[:2]
    if image.ndim != 3 or height < STRIP or width < STRIP:
        return 0.0
    count = max(MOST // (STRIP * width), 1)
    tops = np.unique(np.linspace(0, height - STRIP, min(count, height // STRIP)).astype(int))
    some = _beside_edges(image, tops[1::FOURTH])
    if len(some) >= FEWEST and np.count_nonzero(some > STEP) < SHARE / FOURTH * len(some):
        return 0.0
    every = _beside_edges(image, tops)
    if len(every) < FEWEST:
        return 0.0
    waving = every[every > STEP]
    return float(np.median(waving)) / 6 if len(waving) >= SHARE * len(every) else 0.0


def _beside_edges(image: Image, tops: NDArray[np.int_]) -> NDArray[np.int16]:
    """How strong waves are at each pixel close to a strong edge, in strips of ``image`` that begin at ``tops``."""
    height, width = image.shape[:2]
    # All strips at once, with the rows beside them.
    rows = np.clip(tops[:, None] + np.arange(-1, STRIP + 1), 0, height - 1)
    strips = image[rows.ravel()]
    gray = np.asarray(cv2.cvtColor(strips, cv2.COLOR_BGR2GRAY), np.uint8)
    shape = len(tops), STRIP + 2, width
    waves = lattice.waves(gray).reshape(shape)[:, 1:-1]
    # Free rows below each strip, so that none reaches another.
    strength = np.zeros((len(tops), STRIP + REACH, width), np.uint8)
    strength[:, :STRIP] = lattice.edge_strength(strips).reshape(shape)[:, 1:-1]
    strong, soft = ((strength.reshape(-1, width) > level).view(np.uint8) for level in (STRONG, SOFT))
    near = cv2.dilate(strong, np.ones((2 * REACH + 1,) * 2, np.uint8))
    drawn = cv2.dilate(soft, np.ones((3, 3), np.uint8))
    beside = (np.asarray(near) > drawn).reshape(strength.shape)
    return np.abs(waves[:, 2:-2][beside[:, 2 : STRIP - 2]])  # what is drawn is not seen at a strip's border
