"""Connected components of a mask."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.deadline import heed
from autoplayer.core.frame import Mask


def components(mask: Mask, connectivity: Literal[4, 8]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Label the connected components of ``mask`` (zeros and ones, shape ``(h, w)``). Returns the label of each pixel, 0
    for the background, and the ``(x, y, width, height, pixels)`` of each label, shape ``(N, 5)``, zeros for the
    background.

    Gives what ``cv2.connectedComponentsWithStats`` gives in less than half of the time: that function looks at every
    pixel to find the bounding boxes, this one only at the ends of the horizontal runs.
    """
    heed()
    count, found = cv2.connectedComponents(mask, connectivity=connectivity, ltype=cv2.CV_32S)
    labels = np.asarray(found, np.int32)
    h, w = mask.shape
    # A run begins or ends between two pixels, or at an end of its row.
    ends = np.empty((h, w + 1), np.bool_)
    ends[:, 0], ends[:, w] = mask[:, 0], mask[:, -1]
    np.not_equal(mask[:, 1:], mask[:, :-1], out=ends[:, 1:w])
    both = np.flatnonzero(ends)
    y, left = np.divmod(both[::2], w + 1)
    right = both[1::2] - y * (w + 1)
    number = labels.ravel()[y * w + left]
    stats = np.zeros((count, 5), np.int32)
    # Of several values written to one index the last one stays; rows come from top to bottom.
    stats[number, 3] = y + 1
    stats[number[::-1], 1] = y[::-1]
    first, last = np.full(count, w), np.zeros(count, np.intp)
    np.minimum.at(first, number, left)
    np.maximum.at(last, number, right)
    stats[:, 0], stats[:, 2] = first, last - first
    stats[:, 3] -= stats[:, 1]
    stats[:, 4] = np.bincount(number, weights=right - left, minlength=count)
    stats[0] = 0
    return labels, stats
