"""Whether a board is still there in a later picture of its window, or has gone, or stands on another ground."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Floats, Image
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.playing.between import outside
from autoplayer.games.cardinal_chains.playing.samples import ONE_COLOUR, Compared, samples_of
from autoplayer.games.cardinal_chains.puzzle import Puzzle

GONE = 0.8
"""If the board has gone: the least share of the cells at its edge that have the colour of what is beside them. A text
may stand on the page."""

GROUND_SAMPLES = 80
"""How many points across the board and what is around it the ground is taken from."""

GROUND_REACH = 1.5
"""How far around the board, in cells, its ground is looked at."""

OTHER_GROUND = 12.0
"""The distance in CIE Lab (100 from black to white) from which two grounds count as different: a theme's breathing
stays below half of it, light and dark themes are 50 and more apart."""


def has_gone(seen: Compared, reading: Reading[Puzzle], puzzle: Puzzle, image: Image) -> bool:
    """Whether the cells at the board's edge have the colour of what is beside them, which they had not before, and no
    start has kept its own: the page that is left when a board has gone may have the colours of chains, and what comes
    next may stand between the old cells. Chains may hide all numbers."""
    if not seen.starts or (seen.shift[seen.starts] < ONE_COLOUR).any():
        return False
    height, width = image.shape[:2]
    beside = [
        (seen.index[cell], out)
        for cell, _, out in outside(reading.places, puzzle)
        if out.x >= 0 and out.y >= 0 and out.x + out.width <= width and out.y + out.height <= height
    ]
    if not beside:
        return False
    cells, boxes = [k for k, _ in beside], [out for _, out in beside]

    def as_beside(picture: Image, fills: Floats) -> float:
        there = np.median(samples_of(picture, boxes), axis=(1, 2))
        return float((np.linalg.norm(there - fills[cells], axis=1) < ONE_COLOUR).mean())

    return as_beside(image, seen.fill_now) >= GONE and as_beside(reading.image, seen.fill_before) <= 1 - GONE


def other_ground(reading: Reading[Puzzle], image: Image) -> bool:
    """Whether most of the board's surroundings have another colour than before: another level in another theme, or a
    flash. Only the near surroundings count, for the window may be a whole page with moving parts."""
    boxes = list(reading.places.values())
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    reach = round(GROUND_REACH * float(np.median([max(box.width, box.height) for box in boxes])))
    height, width = image.shape[:2]
    step = max(max(right - left, bottom - top) + 2 * reach, GROUND_SAMPLES) // GROUND_SAMPLES
    ys, xs = np.mgrid[
        max(top - reach, 0) : min(bottom + reach, height) : step,
        max(left - reach, 0) : min(right + reach, width) : step,
    ]
    outside = (ys < top) | (ys >= bottom) | (xs < left) | (xs >= right)
    if not outside.any():
        return False

    def ground(picture: Image) -> Floats:
        colours = picture[ys[outside], xs[outside]].astype(np.float32) / 255
        lab: Floats = cv2.cvtColor(colours.reshape(1, -1, 3), cv2.COLOR_BGR2Lab).reshape(-1, 3).astype(np.float32)
        return lab

    return float(np.median(np.linalg.norm(ground(image) - ground(reading.image), axis=1))) > OTHER_GROUND
