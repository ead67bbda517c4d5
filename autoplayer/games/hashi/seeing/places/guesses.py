"""First guesses at the places of islands: boxes of one size that may be their insides, or the numbers in them. Reads no
numbers.

Two methods, each sufficient alone: *insides* (areas enclosed around a number by a ring or by the island's own colour)
and *glyphs* (numbers of one size, for islands whose insides are connected with bridges).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Floats, Mask
from autoplayer.games.hashi.seeing.places import insides, words
from autoplayer.games.hashi.seeing.places.chart import SMALLEST
from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.vision import ink, lattice


@dataclass(frozen=True)
class Guess:
    """Boxes of equal size that may be islands' insides, or their glyphs."""

    boxes: lattice.Boxes
    inside: bool
    round: bool


def stages(seen: View) -> Iterator[Iterator[Guess]]:
    """Guesses, stage by stage; a later stage is only needed if none of an earlier one convinces."""
    level = seen.noise
    for threshold in (max(12.0, 5 * level), max(5.0, 3 * level), max(30.0, 8 * level)):
        yield _insides(seen.strength, threshold)
    for reach in (1, 2, 4):
        yield _marks(seen.gray, reach)
    yield _blobs(seen)


def size_of(guess: Guess) -> float:
    """The width of the islands of a guess, or an estimate by their glyphs, in pixels of its view."""
    return float(np.median(guess.boxes[:, 3])) * (1.0 if guess.inside else 2.0)


SEEN_ANYHOW = 48
"""Pixels of the window: islands that are wider are seen no better in an enlarged picture."""


def _marks(gray: Mask, reach: int) -> Iterator[Guess]:
    """Groups of marks of one height: numbers; or whole islands, if a number and its disc or ring are one mark."""
    boxes = lattice.marks(gray, reach)
    square = (boxes[:, 2] < 1.3 * boxes[:, 3]) & (boxes[:, 3] < 1.3 * boxes[:, 2])
    for group in lattice.groups(boxes[square & (boxes[:, 3] >= SMALLEST)], 0.13):
        rim = np.maximum(group[:, 2:] // 8, 1)
        yield Guess(np.concatenate([group[:, :2] + rim, group[:, 2:] - 2 * rim], axis=1), True, True)
    letters = words.in_words(boxes)
    if letters.sum() >= words.PAGE:
        boxes = boxes[~letters]
    for group in lattice.groups(boxes, 0.2, by_width=False):
        yield Guess(group, False, True)


def _blobs(seen: View) -> Iterator[Guess]:
    """Groups of what is left of the drawing, in any colour, when lines are removed: islands whose numbers touch their
    rims, so that nothing inside them is enclosed, on bridges that join all of them."""
    height, width = seen.gray.shape
    shrunk = cv2.resize(seen.image, (max(width // COARSER, 1), max(height // COARSER, 1)), interpolation=cv2.INTER_AREA)
    water = cv2.resize(cv2.medianBlur(shrunk, WIDE), (width, height), interpolation=cv2.INTER_LINEAR)
    planes = cv2.split(cv2.absdiff(seen.image, water))
    away = cv2.max(cv2.max(planes[0], planes[1]), planes[2])
    drawn = np.asarray(away > ink.FAINTEST / 2 + 4 * seen.noise, np.uint8)
    contours, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if len(contours) > MOST_BLOBS:
        return
    holes = [c for c, node in zip(contours, () if tree is None else tree[0], strict=True) if node[3] >= 0]
    sides = [max(cv2.boundingRect(hole)[2:]) for hole in holes]
    size, filled = float(SMALLEST), 0.0
    largest = insides.LARGEST * min(height, width)
    if seen.scale > 1:  # larger ones are not looked at in an enlarged picture
        largest = min(largest, STEP * SEEN_ANYHOW * seen.scale)
    while size <= largest:
        within = [hole for hole, side in zip(holes, sides, strict=True) if filled <= side < size]
        if within or not filled:
            cv2.drawContours(drawn, within, -1, 1, -1)
            depths = np.asarray(cv2.distanceTransform(drawn, cv2.DIST_L2, 3), np.float32)
        filled = size
        boxes = _opened(depths, THICKEST * size / 2)
        low, high = boxes[:, 2:].min(axis=1, initial=10**6), boxes[:, 2:].max(axis=1, initial=0)
        boxes = boxes[(low >= 0.8 * size) & (high <= 1.25 * STEP * size) & (high <= 1.3 * low)]
        for group in lattice.groups(boxes, 0.13):
            rim = np.maximum(group[:, 2:] // 16, 1)
            yield Guess(np.concatenate([group[:, :2] + rim, group[:, 2:] - 2 * rim], axis=1), True, True)
        size *= STEP


def _opened(depths: Floats, reach: float) -> lattice.Boxes:
    """Boxes around the remains of a drawing after a morphological opening with a disc of radius ``reach``, in a time
    that does not grow with the radius; ``depths``: the distance of each pixel from the drawing's border, 0 outside."""
    x, y, width, height = cv2.boundingRect(np.asarray(depths > reach, np.uint8))
    if not width:
        return np.zeros((0, 4), np.int32)
    rim = math.ceil(reach) + 1
    left, top = max(x - rim, 0), max(y - rim, 0)
    core = np.asarray(depths[top : y + height + rim, left : x + width + rim] <= reach, np.uint8)
    blobs = np.asarray(cv2.distanceTransform(core, cv2.DIST_L2, 3) <= reach, np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(blobs, connectivity=4)
    return np.asarray(stats[1:, :4] + (left, top, 0, 0), np.int32)


COARSER, WIDE = 8, 31
"""The factor by which a picture is reduced to estimate the water's colours, and the width in pixels of the median
filter that does so."""


MOST_BLOBS = 5_000
"""Pieces of what is drawn: a board and what is around it have a tenth of that, and more are a texture's grain."""


THICKEST, STEP = 0.6, 1.5
"""Of an island's size: thinner lines are removed; and the step between the sizes that are tried."""


def _insides(strength: Mask, threshold: float) -> Iterator[Guess]:
    """Groups of insides of one size."""
    boxes, disc = insides.boxes(strength, threshold)
    for is_round in (True, False):
        for group in lattice.groups(boxes[disc == is_round], 0.1):
            yield Guess(group, True, is_round)
