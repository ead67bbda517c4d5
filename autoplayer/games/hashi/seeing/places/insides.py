"""The insides of islands: even areas, enclosed by a ring or by their own colour, with something in their middle. Does
not compare their sizes."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Mask
from autoplayer.games.hashi.seeing.places.chart import SMALLEST
from autoplayer.vision import lattice

LARGEST = 0.4
"""Of the picture's smaller side: a larger island leaves no room for a second one and water."""

MOST_PIECES = 50_000
"""Pieces of edges: a screen full of small text has less than half of that, and more are the grain of a texture."""


def boxes(strength: Mask, threshold: float) -> tuple[lattice.Boxes, NDArray[np.bool_]]:
    """The boxes around the even areas of a picture that have something in their middle and are as wide as high, or
    oblong, with straight or round ends; and which of them are round. ``strength``: how strong its edges are;
    ``threshold``: the strength from which an edge counts."""
    edges = lattice.stronger(strength, threshold)
    height, width = strength.shape
    # Each piece begins in some row: counting those places is far quicker than finding the pieces.
    begins = cv2.countNonZero(cv2.compare(edges[:, 1:], edges[:, :-1], cv2.CMP_GT)) + height
    if begins > MOST_PIECES and cv2.connectedComponents(edges)[0] > MOST_PIECES:
        return np.zeros((0, 4), np.int32), np.zeros(0, np.bool_)
    # A hole in the edges is an even area; its contour runs over the edges around it, as do those of things inside it.
    left, top, wide, high = cv2.boundingRect(edges)
    part = edges[top : top + high, left : left + wide]
    contours, tree = cv2.findContours(part, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE, offset=(left, top))
    following, _, inner, parents = (() if tree is None else tree[0].T.tolist()) or ((), (), (), ())
    largest = LARGEST * min(height, width)
    kept, disc = [], []
    hole: list[bool] = []
    for contour, child, parent in zip(contours, inner, parents, strict=True):
        hole.append(parent >= 0 and not hole[parent])
        if not hole[-1] or len(contour) < 4:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        if min(w, h) < SMALLEST - 2 or max(w, h) - 2 >= min(MOST_OBLONG * (min(w, h) - 2), largest):
            continue
        if not edges[y + h // 3 : y + h - h // 3, x + w // 3 : x + w - w // 3].any():
            continue  # nothing stands in it
        area, inside = cv2.contourArea(contour) - cv2.arcLength(contour, True) / 2, child
        while inside >= 0:
            area -= cv2.contourArea(contours[inside]) + cv2.arcLength(contours[inside], True) / 2 + 1
            inside = following[inside]
        full = _fullness(contour)
        oblong = max(w, h) - 2 >= UNEVEN * (min(w, h) - 2)
        if full < LEAST_FULL and not oblong:
            hull = cv2.convexHull(contour)
            if _fullness(hull) >= LEAST_FULL:
                full = _fullness_by_pixels(edges[y : y + h, x : x + w])
            elif full >= DIAMOND[0] - HOLLOW and _is_diamond(hull, (x, y, w, h)):
                # A disc that is somewhat narrower lies inside for certain.
                rim = round(w * (1 - CORE) / 2)
                kept.append((x + rim, y + rim, w - 2 * rim, h - 2 * rim))
                disc.append(True)
                continue
        if full < (PILL if oblong else LEAST_FULL) or area < 0.25 * (w - 2) * (h - 2):
            continue
        kept.append((x, y, w, h))
        disc.append(full < RECTANGLE and not oblong)
    return np.array(kept, np.int32).reshape(-1, 4), np.array(disc, np.bool_)


LEAST_FULL, RECTANGLE, PILL = 0.66, 0.88, 0.83
"""Of the box around an island's inside, the least share that it fills: a disc fills 0.79; the least for a square; and
the least for an oblong, whose ends may be round: then it fills 0.85 to 0.9, and an ellipse 0.79."""

UNEVEN, MOST_OBLONG = 1.4, 2.2
"""The ratio of length to width from which an inside is oblong, and the largest: the characters of a terminal are twice
as high as broad, and three of them are an island."""


def _is_diamond(hull: NDArray[Any], box: tuple[int, int, int, int]) -> bool:
    """Whether the area inside ``hull`` is a square that stands on a corner: it fills half of the ``box`` around it, and
    reaches the middle of each side."""
    x, y, w, h = box
    if not DIAMOND[0] <= _fullness(hull) <= DIAMOND[1]:
        return False
    xs, ys = hull[:, 0, 0], hull[:, 0, 1]
    middles = (ys[xs == x], y, h), (ys[xs == x + w - 1], y, h), (xs[ys == y], x, w), (xs[ys == y + h - 1], x, w)
    return all(
        abs(float(some.mean()) - start - (size - 1) / 2) <= MIDDLE * size + 1 and np.ptp(some) <= 2 * MIDDLE * size + 2
        for some, start, size in middles
    )


DIAMOND, HOLLOW, CORE, MIDDLE = (0.42, 0.6), 0.1, 0.7, 0.1
"""Of the box around it: the share that a diamond's inside fills; how much less if a glyph touches its side; the width
of the disc inside it; and the largest distance of its corners from the middles of the box's sides."""


def _fullness(contour: NDArray[Any]) -> float:
    """The share of its bounding box that the area inside ``contour``, which runs over its edges, fills."""
    _, _, w, h = cv2.boundingRect(contour)
    return float((cv2.contourArea(contour) - cv2.arcLength(contour, True)) / ((w - 3) * (h - 3)))


def _fullness_by_pixels(edges: Mask) -> float:
    """The same if a glyph touches its ring at a corner, and the contour runs around the glyph: for the largest even
    area of a box of ``edges``, with everything inside it."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - edges[1:-1, 1:-1], connectivity=4)
    largest = int(stats[1:, cv2.CC_STAT_AREA].argmax()) + 1 if len(stats) > 1 else 0
    area = np.asarray(labels == largest, np.uint8) if largest else np.zeros_like(edges)
    around, _ = cv2.findContours(area, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    h, w = edges.shape
    return float(max((cv2.contourArea(one) for one in around), default=0.0) / ((w - 3) * (h - 3)))
