"""JPEG artefacts: ringing beside strong edges, in blocks that are even otherwise. A median over all pixels does not
detect it, because most of a window is flat. Knows no game."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image, largest_channel
from autoplayer.vision import lattice

STRONG, SOFT = 80, 40
"""Grey levels over two pixels: edges stronger than the first cause ringing; above the second a change is something
drawn."""

REACH = 6
"""Pixels: how far from a strong edge ringing is looked for (a JPEG block has a side of eight)."""

STRIP, MOST = 24, 400_000
"""The rows of a strip that is examined as a whole, and about how many pixels of a picture are examined: an image has
ringing everywhere or nowhere. Straight walls show none, and glyphs may cover few of the rows."""

FOURTH = 4
"""First one strip in this many is examined, those with most in them; where these show hardly any ringing, the others
are skipped."""

FEWEST = 500
"""Pixels beside strong edges; with fewer nothing can be said."""

STEP, SHARE = 8, 0.03
"""In the differences that are measured: the grey levels that the steps of a gradient come to, and the share of the
pixels beside edges that must exceed them. Beside straight walls without ringing none does."""


def ringing(image: Image) -> float:
    """The standard deviation of the ringing that compression has left close to strong edges of ``image`` (BGR), in grey
    levels; 0 in a picture of flat areas that was never compressed."""
    height, width = image.shape[:2]
    if image.ndim != 3 or height < STRIP or width < STRIP:
        return 0.0
    tops = _most_drawn(image, max(MOST // (STRIP * width), 1))
    some = _beside_edges(image, tops[: -(-len(tops) // FOURTH)])
    if len(some) >= FEWEST and np.count_nonzero(some > STEP) < SHARE / FOURTH * len(some):
        return 0.0
    every = _beside_edges(image, tops)
    if len(every) < FEWEST:
        return 0.0
    waving = every[every > STEP]
    return float(np.median(waving)) / 6 if len(waving) >= SHARE * len(every) else 0.0


def _most_drawn(image: Image, count: int) -> NDArray[np.int_]:
    """Where the ``count`` strips of ``image`` begin along which the colour changes most often, the first one first."""
    tops = np.linspace(0, image.shape[0] - STRIP, image.shape[0] // STRIP).astype(int)
    changes = np.zeros(len(tops), int)
    for at in (STRIP // 4, 3 * STRIP // 4):  # glyphs as high as half a strip are met
        rows = image[tops + at]
        changed = largest_channel(cv2.absdiff(rows[:, 1:], rows[:, :-1])) > SOFT
        changes = np.maximum(changes, np.count_nonzero(changed, axis=1))
    return np.asarray(tops[np.argsort(-changes, kind="stable")[:count]], int)


def _beside_edges(image: Image, tops: NDArray[np.int_]) -> NDArray[np.int16]:
    """The strength of the ringing at each pixel close to a strong edge, in strips of ``image`` that begin at
    ``tops``."""
    height, width = image.shape[:2]
    # All strips at once, with their neighbouring rows.
    rows = np.clip(tops[:, None] + np.arange(-1, STRIP + 1), 0, height - 1)
    strips = image[rows.ravel()]
    gray = np.asarray(cv2.cvtColor(strips, cv2.COLOR_BGR2GRAY), np.uint8)
    shape = len(tops), STRIP + 2, width
    waves = lattice.waves(gray).reshape(shape)[:, 1:-1]
    # Empty rows below each strip, so that none influences the next.
    strength = np.zeros((len(tops), STRIP + REACH, width), np.uint8)
    strength[:, :STRIP] = lattice.edge_strength(strips).reshape(shape)[:, 1:-1]
    strong, soft = ((strength.reshape(-1, width) > level).view(np.uint8) for level in (STRONG, SOFT))
    near = cv2.dilate(strong, np.ones((2 * REACH + 1,) * 2, np.uint8))
    drawn = cv2.dilate(soft, np.ones((3, 3), np.uint8))
    beside = (np.asarray(near) > drawn).reshape(strength.shape)
    return np.abs(waves[:, 2:-2][beside[:, 2 : STRIP - 2]])  # what is drawn is not recognised at a strip's border
