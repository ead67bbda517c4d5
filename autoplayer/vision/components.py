"""Connected components of a mask."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.deadline import heed
from autoplayer.core.frame import Mask

SMALL = 16_000
"""Pixels: up to here OpenCV's own function is quicker, by far where there are only hundreds."""


def components(mask: Mask, connectivity: Literal[4, 8]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Label the connected components of ``mask`` (zeros and ones, shape ``(h, w)``). Returns the label of each pixel, 0
    for the background, and the ``(x, y, width, height, pixels)`` of each label, shape ``(N, 5)``, zeros for the
    background.

    Gives what ``cv2.connectedComponentsWithStats`` gives, for large masks in about half of the time: that function
    looks at every pixel to find the bounding boxes, this one only at the ends of the horizontal runs.
    """
    heed()
    if mask.size <= SMALL:
        _, found, parts, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity, ltype=cv2.CV_32S)
        parts[0] = 0
        return np.asarray(found, np.int32), np.asarray(parts, np.int32)
    count, found = cv2.connectedComponents(mask, connectivity=connectivity, ltype=cv2.CV_32S)
    labels = np.asarray(found, np.int32)
    h, w = mask.shape
    # A run begins or ends between two pixels, or at an end of its row: with a free pixel before the first one and
    # behind each row, all rows are one sequence.
    free = np.zeros(1 + h * (w + 1), np.uint8)
    free[1:].reshape(h, w + 1)[:, :w] = mask
    ends = np.flatnonzero(free[1:] != free[:-1])
    y, left = np.divmod(ends[::2], w + 1)
    length = ends[1::2] - ends[::2]
    number = labels.ravel()[ends[::2] - y].astype(np.intp)
    # Of several values written to one index the last one stays; rows come from top to bottom.
    top, bottom = np.zeros(count, np.intp), np.zeros(count, np.intp)
    bottom[number] = y + 1
    top[number[::-1]] = y[::-1]
    first, last = np.full(count, w), np.zeros(count, np.intp)
    np.minimum.at(first, number, left)
    np.maximum.at(last, number, left + length)
    area = np.bincount(number, weights=length, minlength=count)
    stats = np.stack([first, top, last - first, bottom - top, area], axis=1).astype(np.int32)
    stats[0] = 0
    return labels, stats
