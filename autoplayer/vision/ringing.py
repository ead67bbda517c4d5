"""What compression (JPEG) leaves in a picture: waves beside strong edges, in blocks that are even otherwise. A median
over all pixels does not know of it, for most of a window is flat. Knows no game."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Image
from autoplayer.vision import lattice

STRONG, SOFT = 80, 40
"""Grey levels over two pixels: edges beside which there are waves; and what is a part of something that is drawn."""

REACH = 6
"""Pixels, for blocks are of eight: how far from a strong edge waves are looked for."""

STRIP, MOST = 24, 400_000
"""Rows that are looked at together, and about how many pixels of a picture: waves are everywhere, or nowhere."""

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
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    found = []
    for top in tops.tolist():
        strip = np.ascontiguousarray(image[top : top + STRIP])
        strength = lattice.edge_strength(strip)
        strong = strength > STRONG
        columns = np.flatnonzero(strong.any(axis=0))
        if not len(columns):
            continue
        # Farther from all strong edges nothing is looked at.
        part = slice(max(int(columns[0]) - 2 * REACH, 0), int(columns[-1]) + 2 * REACH + 1)
        strip, strength, strong = strip[:, part], strength[:, part], strong[:, part]
        near = cv2.dilate(strong.astype(np.uint8), np.ones((2 * REACH + 1,) * 2, np.uint8))
        drawn = cv2.dilate((strength > SOFT).view(np.uint8), np.ones((3, 3), np.uint8))
        gray = cv2.cvtColor(strip, cv2.COLOR_BGR2GRAY)
        waves = cv2.filter2D(gray, cv2.CV_16S, kernel)
        beside = np.asarray(near) > drawn
        found.append(np.abs(waves[2:-2][beside[2:-2]]))  # what is drawn is not seen at a strip's border
    every = np.concatenate(found) if found else np.zeros(0, np.int16)
    if len(every) < FEWEST:
        return 0.0
    waving = every[every > STEP]
    return float(np.median(waving)) / 6 if len(waving) >= SHARE * len(every) else 0.0
