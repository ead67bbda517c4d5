"""The content of a lattice's places, and what is drawn along their sides: walls, edges."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Mask
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

RING = 0.62
"""The part of a cell's side that is inside of any ring around its glyph."""

OPEN_PLACE = 0.96, 0.96
"""The part of the pitch that is examined if there are no walls, across and down."""

EDGE_BAND = 0.02
"""The largest deviation of an edge's position from that of other cells, as shares of the pitch."""


def contents_of(
    view: View, found: lattice.Lattice, cells: Sequence[Cell], shares: tuple[float, float] = OPEN_PLACE
) -> dict[Cell, ink.Content]:
    """The contents of places of the lattice; without those that are not wholly in the picture. ``shares``: the part of
    the pitch that is looked at if there are no walls, across and down."""
    height, width = view.image.shape[:2]
    # Inside its walls, where there are some.
    w = round(min(found.width - 2, 0.98 * found.pitch_x) if view.walled else shares[0] * found.pitch_x)
    h = round(min(found.height - 2, 0.98 * found.pitch_y) if view.walled else shares[1] * found.pitch_y)
    boxes = {}
    for cell in cells:
        x, y = found.box(cell).centre
        inner = Box(x - w // 2, y - h // 2, w, h)
        if -0.1 * w <= inner.x <= width - 0.9 * w and -0.1 * h <= inner.y <= height - 0.9 * h:
            boxes[cell] = inner
    result = dict(zip(boxes, ink.contents(view.image, list(boxes.values()), view.noise, discs=True), strict=True))
    for cell in [one for one, here in result.items() if here.bare and view.walled]:
        # A ring that touches its cell's walls is left out with them, and may hold a start.
        x, y = boxes[cell].centre
        within = Box(round(x - RING * w / 2), round(y - RING * h / 2), round(RING * w), round(RING * h))
        if (within.crop(view.strength) > view.threshold).any():
            here = ink.content(view.image, within, view.noise)
            result[cell] = result[cell] if here.bare else here
    return result


def walls(view: View, found: lattice.Lattice, cell: Cell, here: ink.Content) -> int:
    """On how many sides a place that was not among the lattice's equal boxes has a wall. If cells have no walls, a mark
    of about the usual height counts as all four (a start's ring or disc may be as large as its place)."""
    if not view.walled:
        return 4 * (0.7 * found.height <= here.box.height <= max(1.4 * found.height, 0.93 * found.pitch_y))
    return sum(walled_sides(view, found, cell))


def walled_sides(view: View, found: lattice.Lattice, cell: Cell) -> list[bool]:
    """Whether a place has an edge along its upper, lower, left and right side, the order of ``around``."""
    box = found.box(cell)
    band = max(2, round(0.14 * found.pitch))
    above = Box(box.x + band, box.y - band, box.width - 2 * band, 2 * band)
    below = Box(above.x, above.y + box.height, above.width, above.height)
    before = Box(box.x - band, box.y + band, 2 * band, box.height - 2 * band)
    behind = Box(before.x + box.width, before.y, before.width, before.height)
    strips = [above.crop(view.strength), below.crop(view.strength)]
    strips += [before.crop(view.strength).T, behind.crop(view.strength).T]
    return [_has_line(strip, view.threshold) for strip in strips]


def edge_shares(view: View, found: lattice.Lattice, cell: Cell) -> list[float]:
    """The share of a place's upper, lower, left and right side that is an edge, 0 to 1, exactly where the equal boxes
    have theirs."""
    x, y = found.box(cell).centre
    band, trim = max(1, round(EDGE_BAND * found.pitch)), round(0.14 * found.pitch)
    w, h = round(found.width), round(found.height)
    left, top = x - w // 2, y - h // 2
    strips = [
        Box(left + trim, edge - band, w - 2 * trim, 2 * band + 1).crop(view.strength) for edge in (top, top + h - 1)
    ]
    strips += [
        Box(edge - band, top + trim, 2 * band + 1, h - 2 * trim).crop(view.strength).T for edge in (left, left + w - 1)
    ]
    # For counts NumPy takes less time than for means.
    return [int((strip > view.threshold).sum(axis=1).max()) / strip.shape[1] if strip.size else 0.0 for strip in strips]


def _has_line(strip: Mask, threshold: float) -> bool:
    """Whether one straight edge, not scattered ones, runs along most of a strip; shape ``(across, along)``."""
    if strip.size == 0:
        return False
    edges = cv2.dilate(np.asarray(strip > threshold, np.uint8), np.ones((3, 1), np.uint8))
    return bool(edges.mean(axis=1).max() > 0.75)


def at_corners(view: View, found: lattice.Lattice) -> Floats:
    """The colours, BGR, shape ``(N, 3)``, of the points at which four places meet, at the corners of the cells."""
    corners = {(r + down, c + across) for r, c in found.cells for down in (-0.5, 0.5) for across in (-0.5, 0.5)}
    height, width = view.image.shape[:2]
    spots = [(round(found.y + r * found.pitch_y), round(found.x + c * found.pitch_x)) for r, c in sorted(corners)]
    inside = [view.image[y, x] for y, x in spots if 0 <= y < height and 0 <= x < width]
    return np.array(inside, np.float32).reshape(-1, 3)
