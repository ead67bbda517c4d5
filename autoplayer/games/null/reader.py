"""Pixels to a row of lamps.

The convention that a window of this game follows: on a background of one colour stands a single row of lamps, equally
big filled squares or discs at equal distances, and nothing else of their size. A lit lamp is brighter than a dark one;
where all are equally bright, they are lit if they are brighter than two thirds of full brightness.
"""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, Mask, largest_channel
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.null.puzzle import FEWEST, MOST, Puzzle
from autoplayer.layout import Layout

CONTRAST = 24
"""A pixel belongs to a shape when a channel differs from the background by this much of 255: a tenth of the range,
above what scaling and compression smear, below what an eye needs to tell two things apart."""
FILLED = 0.6
"""The least share of its box that a lamp fills: a disc fills pi/4 = 0.785, and of few pixels a little less; a square
1, a ring or letter less."""
ALIKE = 0.25
"""How much sizes and places may differ, as a share of the lamp's size: a pixel at each edge of a small lamp."""
TWO_GROUPS = 0.2
"""Lamps are of two brightnesses when these differ by this share of the range; less is the shading of one."""
DARK_TO_LIT = (0.4, 0.9)
"""Where there is one group only: a lamp of the first brightness is dark, one of the second lit. A lit one is nearly as
bright as a screen can be, and dark ones must still stand out from a dark background."""
SURE = 0.25
"""A lamp's brightness within this share of the distance between the groups, from either of them, is certain."""


def read(image: Image, layout: Layout) -> Reading[Puzzle]:
    """The row of lamps in ``image``. Raises UnreadableError with the reason where there is none."""
    boxes = lamps(image)
    bright = np.array([np.median(largest_channel(_core(box).crop(image))) / 255 for box in boxes])
    low, high = float(bright.min()), float(bright.max())
    if high - low < TWO_GROUPS:
        low, high = DARK_TO_LIT
    lit = np.clip((bright - low) / (high - low), 0, 1)
    doubts = tuple(
        Doubt(((0, i),), tuple(sorted((("1", float(p)), ("0", 1 - float(p))), key=lambda c: -c[1])))
        for i, p in enumerate(lit)
        if SURE < p < 1 - SURE
    )
    confidence = float(np.prod([doubt.candidates[0][1] for doubt in doubts]))
    puzzle = Puzzle(tuple(bool(p > 0.5) for p in lit))
    return Reading(puzzle, {(0, i): box for i, box in enumerate(boxes)}, doubts, confidence, image)


def lamps(image: Image) -> list[Box]:
    """The boxes of the lamps, from left to right. Raises UnreadableError with the reason where there is no such row."""
    width = image.shape[1]
    edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    background = np.rint(np.median(edge, axis=0)).astype(np.uint8)
    away = cv2.absdiff(image, np.broadcast_to(background, image.shape))  # 8 bits: pictures of a whole screen are large
    mask: Mask = (largest_channel(away) > CONTRAST).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    shapes = [
        Box(int(x), int(y), int(w), int(h))
        for x, y, w, h, area in stats[1:count]
        if area >= FILLED * w * h and abs(w - h) <= ALIKE * max(w, h) and min(w, h) * 4 * MOST >= width
    ]
    if not shapes:
        raise UnreadableError("no lamps: nothing in the picture is a filled square or disc on a plain background")
    size = float(np.median([box.width for box in shapes]))
    row = sorted((box for box in shapes if abs(box.width - size) <= ALIKE * size), key=lambda box: box.x)
    if not FEWEST <= len(row) <= MOST:
        raise UnreadableError(f"no row of lamps: expected {FEWEST} to {MOST} shapes of one size, but found {len(row)}")
    if max(box.y for box in row) - min(box.y for box in row) > ALIKE * size:
        raise UnreadableError(f"no row of lamps: the {len(row)} shapes of one size do not stand in one row")
    gaps = np.diff([box.x for box in row])
    if gaps.max() - gaps.min() > ALIKE * size:
        raise UnreadableError(f"no row of lamps: the {len(row)} shapes of one size stand at unequal distances")
    return row


def _core(box: Box) -> Box:
    """The middle of a lamp, without its rim."""
    return Box(box.x + box.width // 4, box.y + box.height // 4, max(box.width // 2, 1), max(box.height // 2, 1))
