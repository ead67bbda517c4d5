"""Where a window has a control that leads on: what changed outside the board when the level was done. Pixels only."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask, Point

CHANGED = 24
"""How far (of 255) a channel must move to count: twice what compression and blending do to a still picture."""

MARGIN = 0.25
"""What is this close to a cell (in cells) belongs to the board: walls, glow and shadows of chains."""

SMALLEST, LARGEST = 0.1, 4.0
"""The sides of a control, in cells: below is flicker, above is a whole scene that changed."""


def controls_that_changed(start: Image, before: Image, after: Image, places: Collection[Box]) -> list[Point]:
    """The centres of what looks different in ``after`` than in ``before`` (pictures of equal shape, before and after
    the last move) outside the board, the largest first. What had changed already between ``start`` and ``before``
    is a counter or a clock and is left out."""
    if not places or start.shape != after.shape or before.shape != after.shape:
        return []
    pitch = float(np.median([max(box.width, box.height) for box in places]))
    changed, restless = _changed(before, after), _changed(start, before)
    margin = round(MARGIN * pitch)
    for mask in (changed, restless):
        for box in places:
            grown = Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
            grown.crop(mask)[...] = 0
    # Pieces of one control (the two halves of an arrow, the letters of a word) stand closer than a quarter cell.
    reach = max(round(pitch / 4), 1)
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found: list[tuple[int, Point]] = []
    for label in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[label])
        if not SMALLEST * pitch <= max(width, height) <= LARGEST * pitch or min(width, height) < SMALLEST * pitch / 2:
            continue
        if restless[labels == label].any():
            continue
        found.append((area, (x + width // 2, y + height // 2)))
    return [point for _, point in sorted(found, key=lambda each: -each[0])]


def lit(before: Image, after: Image, at: Point, places: Collection[Box]) -> bool:
    """Whether the picture changed at ``at``, within half a cell."""
    if before.shape != after.shape or not places:
        return False
    half = max(round(float(np.median([max(box.width, box.height) for box in places])) / 2), 1)
    around = Box(at[0] - half, at[1] - half, 2 * half, 2 * half)
    part = around.crop(_changed(before, after))
    return bool(part.size) and float((part > 0).mean()) > 0.02  # a glyph of thin strokes covers at least this


def _changed(a: Image, b: Image) -> Mask:
    """Shape ``(height, width)``: 255 where a channel differs by more than CHANGED."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    _, mask = cv2.threshold(cv2.max(cv2.max(blue, green), red), CHANGED, 255, cv2.THRESH_BINARY)
    return np.asarray(mask, dtype=np.uint8)
