"""Finds what may be a button on a picture of a level: some windows change their view by a button only."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.layout import CLICK

EDGE = 24
"""The least difference, in grey levels, between neighbouring pixels at the rim of a button."""
WIDE, HIGH = (0.02, 0.3), (0.025, 0.13)
"""The width and height of a button, as shares of the window's."""
FILLED = 0.85
"""The least share of its bounding box inside the rim of a button: its corners may be round."""
RIM = 0.16
"""Buttons lie near the sides of a window: at most so far from one, as a share of its width or height."""
MOST = 5
"""How many of them are tried."""


def buttons(image: Image) -> tuple[str, ...]:
    """The ways to click what looks like buttons in the picture of a window, as a layout has them, the largest first:
    boxes with something written or drawn on them, near the sides of the window."""
    height, width = image.shape[:2]
    steep = largest_channel(cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))) > EDGE
    outlines, nested = cv2.findContours(steep.astype(np.uint8), cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Box] = []
    for outline, (_, _, inner, _) in zip(outlines, [] if nested is None else nested[0], strict=True):
        box = Box(*cv2.boundingRect(outline))
        sized = all(
            low * length <= side <= high * length
            for side, length, (low, high) in ((box.width, width, WIDE), (box.height, height, HIGH))
        )
        x, y = box.centre
        near = min(x, width - x) <= RIM * width or min(y, height - y) <= RIM * height
        whole = sized and cv2.contourArea(outline) >= FILLED * box.width * box.height
        drawn = inner >= 0 and nested[0][inner][2] >= 0  # inside its rim there is another outline
        if whole and near and drawn and not any(other.contains((x, y)) for other in found):
            found.append(box)
    found.sort(key=lambda box: -box.width * box.height)
    return tuple(f"{CLICK} {box.centre[0] / width:.4f} {box.centre[1] / height:.4f}" for box in found[:MOST])
