"""Makes the dashed and dotted lines of a picture whole, so that cells between them have walls. Knows no lattice."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image, Mask

THICKEST, FARTHEST = 6, 14
"""Pixels: the thickness of a dashed line, and the distance between two of its dashes, at most."""

SHORTEST, FEWEST = 48, 8
"""The least length of a dashed line, pixels, and the least number of its gaps."""

EVEN, MOSTLY = 0.25, 0.7
"""The dashes of a line, and its gaps, differ from the median by this share or one pixel at most; this share of them
does so at least: where two lines meet, dashes may be longer."""

ALIKE, SAME_ENDS = 3, 2
"""At least so many dashed lines begin and end at the same positions, to within so many pixels."""

PALEST = 8.0
"""Grey levels between a dash and its ground, at least, without noise."""


def with_whole_lines(image: Image, noise: float) -> Image | None:
    """``image`` (BGR) with the gaps of dashed lines filled in the colour of the dashes; None if there are no such lines
    in both directions. ``noise``: grey levels."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    result = image.copy()
    found = (_filled(result, gray, noise), _filled(result.swapaxes(0, 1), np.ascontiguousarray(gray.T), noise))
    return result if all(found) else None


def _filled(image: Image, gray: Mask, noise: float) -> bool:
    """Fills the gaps of horizontal dashed lines in ``image``; whether there are any. ``gray``: the same picture."""
    kernel = np.ones((2 * THICKEST + 1, 1), np.uint8)
    thin = [cv2.morphologyEx(gray, how, kernel) for how in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT)]
    least = PALEST + 3 * noise
    found = [line for each in thin for line in _dashed(np.asarray(each > least, np.uint8))]
    ends = np.array([(x, x + gaps.shape[1]) for x, _, gaps, _ in found]).reshape(-1, 2)
    any_found = False
    for (x, y, gaps, dashes), own in zip(found, ends, strict=True):
        if np.count_nonzero(np.abs(ends - own).max(axis=1) <= SAME_ENDS) >= ALIKE:
            spot = image[y : y + gaps.shape[0], x : x + gaps.shape[1]]
            spot[gaps] = np.median(spot[dashes], axis=0)
            any_found = True
    return any_found


def _dashed(thin: Mask) -> Iterator[tuple[int, int, NDArray[np.bool_], NDArray[np.bool_]]]:
    """The horizontal dashed lines of a mask: where each begins, x and y, its gaps and its dashes."""
    closed = cv2.morphologyEx(thin, cv2.MORPH_CLOSE, np.ones((1, FARTHEST + 1), np.uint8))
    long = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((1, SHORTEST + 1), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(long, np.uint8), connectivity=8)
    for k, (x, y, width, height, _) in enumerate(stats[1:].tolist(), 1):
        if height <= THICKEST:
            spot = slice(y, y + height), slice(x, x + width)
            own, dashes = labels[spot] == k, thin[spot] > 0
            if _are_even(dashes[int(dashes.sum(axis=1).argmax())]):
                yield x, y, own & ~dashes, own & dashes


def _are_even(row: NDArray[np.bool_]) -> bool:
    """Whether a row of pixels consists of equal dashes at equal distances."""
    edges = np.flatnonzero(np.diff(row)) + 1
    lengths = np.diff(edges)
    if len(lengths) < 2 * FEWEST:
        return False
    for some in (lengths[::2], lengths[1::2]):
        middle = float(np.median(some))
        if np.mean(np.abs(some - middle) <= max(EVEN * middle, 1.0)) < MOSTLY:
            return False
    return True
