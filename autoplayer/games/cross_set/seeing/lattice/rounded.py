"""Finds boards of Cross Set whose cells are discs, hexagons and the like, and returns the picture with the same cells
as squares, so that the usual code reads these too. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Image, largest_channel
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

FAINTEST = 12.0
"""Grey levels by which what is around a cell differs from its own colour at least."""

ROUND = 0.6, 0.91
"""The share of its bounding box that such a cell fills: a triangle fills half of it, a disc 0.79, a hexagon three
quarters, a square with rounded corners more."""

CONVEX = 0.9
"""The share of its convex hull that a cell fills, including its numbers, which may come close to its rim."""

WHOLE = 0.75
"""The least share of a bounding box's sides that such a cell extends along: its rim, and room, may be beside it."""

SOFT = 2
"""Pixels: the soft edge of a cell's rim, which may be a line."""

MOST = 0.8
"""The share of a board's cells at least that are of such a shape."""

SAMPLE = 12
"""Cells that are looked at first: those of most boards are rectangles."""

LONGEST = 1.45
"""How many times as long as broad such cells are at most."""


def round_lattices(image: Image, noise: float) -> Iterator[tuple[View, lattice.Lattice]]:
    """The lattices of equal, uniform areas of such a shape in ``image`` (BGR). ``noise``: grey levels."""
    if image.ndim != 3 or min(image.shape[:2]) < 3 * lattice.SMALLEST:
        return
    view = View(image, lattice.edge_strength(image), noise, max(FAINTEST, 5 * noise), True)
    areas = lattice.areas(view.strength, view.threshold)
    w, h = areas.stats[:, 2], areas.stats[:, 3]
    large = (np.minimum(w, h) >= 2 * lattice.SMALLEST) & (np.maximum(w, h) <= LONGEST * np.minimum(w, h))
    large &= areas.stats[:, 4] >= 0.5 * ROUND[0] * w * h
    boxes = []
    for number in np.flatnonzero(large).tolist():
        if not number:  # the edges themselves
            continue
        x, y, wide, high, _ = areas.stats[number].tolist()
        own = np.asarray(areas.labels[y : y + high, x : x + wide] == number)
        if _hull(own, (wide, high)) is not None:
            boxes.append((areas.left + x, areas.top + y, wide, high))
    for group in lattice.groups(np.array(boxes, np.int32).reshape(-1, 4)):
        found = lattice.fit(group, 0.12)
        if found is not None:
            yield view, found


def squared(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    """``image`` (BGR) with each cell's own colour in the corners around it and in place of its rim, if most cells have
    such a shape; else None. ``boxes``: the inside of each cell, window pixels; ``noise``: grey levels."""
    least = FAINTEST + 3 * noise
    around = _around(boxes)
    some = list(boxes)[:: max(1, len(boxes) // SAMPLE)]
    if sum(_own_part(image, boxes[cell], around[cell], least) is not None for cell in some) < MOST * len(some):
        return None
    parts = {cell: _own_part(image, box, around[cell], least) for cell, box in boxes.items()}
    if sum(part is not None for part in parts.values()) < MOST * len(parts):
        return None
    result = image.copy()
    for cell, part in parts.items():
        if part is not None:
            around[cell].crop(result)[~part] = np.rint(ink.ground_colour(boxes[cell].crop(image)))
    return result


def _around(boxes: Mapping[Cell, Box]) -> dict[Cell, Box]:
    """The boxes, enlarged by the gaps to their neighbours less one pixel."""
    across, down = (
        _gap([(b.x, b.x + b.width) for b in boxes.values()]),
        _gap([(b.y, b.y + b.height) for b in boxes.values()]),
    )
    x, y = max((across - 1) // 2, 0), max((down - 1) // 2, 0)
    return {cell: Box(b.x - x, b.y - y, b.width + 2 * x, b.height + 2 * y) for cell, b in boxes.items()}


def _gap(ends: Sequence[tuple[int, int]]) -> int:
    """The smallest gap between two consecutive boxes, by the beginning and end of each."""
    return min((start - end for _, end in ends for start, _ in ends if start >= end), default=0)


def _own_part(image: Image, box: Box, around: Box, least: float) -> NDArray[np.bool_] | None:
    """The part of the area ``around`` a box that belongs to a cell of such a shape; None if there is none."""
    patch = around.crop(image)
    if patch.shape[:2] != (around.height, around.width) or min(patch.shape[:2]) < 4:
        return None
    ground = ink.ground_colour(box.crop(image))
    return _hull(largest_channel(np.abs(patch.astype(np.float32) - ground)) <= least, (box.width, box.height))


def _hull(own: NDArray[np.bool_], size: tuple[int, int]) -> NDArray[np.bool_] | None:
    """The convex hull of the largest contour of the ``own`` mask, shape ``(h, w)``, without its rim, if that has such a
    shape; else None. ``size``: its approximate width and height."""
    outlines, _ = cv2.findContours(own.view(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outer = max(outlines, key=cv2.contourArea, default=None)
    if outer is None:
        return None
    hull = cv2.convexHull(outer)
    filled = np.asarray(cv2.drawContours(np.zeros(own.shape, np.uint8), [hull], -1, 1, cv2.FILLED))
    x, y, wide, high = cv2.boundingRect(outer)
    part = filled[y : y + high, x : x + wide]
    if not ROUND[0] <= part.mean() <= ROUND[1] or part[[0, 0, -1, -1], [0, -1, 0, -1]].any():
        return None
    if cv2.contourArea(outer) < CONVEX * cv2.contourArea(hull) or wide < WHOLE * size[0] or high < WHOLE * size[1]:
        return None
    return np.asarray(cv2.erode(filled, np.ones((3, 3), np.uint8), iterations=SOFT)) > 0
