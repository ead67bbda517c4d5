"""What lies round the tiles of a board: which pixels of a picture may be ground, for each ground that it may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Image
from autoplayer.games.continuity.seeing.sight import Bools

TOLERANCE = 3.0
"""Grey levels that a flat ground may differ in a clean picture."""
COMMON = 0.02
"""The share of the picture that a ground covers at least: the empty place alone is more."""
MOST_GROUNDS = 4


@dataclass(frozen=True, eq=False)
class Ground:
    """``mask``: shape ``(height, width)``, True where the picture may show it."""

    mask: Bools
    kind: str


def noise(image: Image) -> float:
    """How much flat areas of a picture differ from pixel to pixel, grey levels."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.int16)
    return float(np.median(np.abs(gray[:, 1:] - gray[:, :-1]))) + float(np.median(np.abs(gray[1:] - gray[:-1])))


def grounds(image: Image) -> Iterator[Ground]:
    """The grounds that ``image`` may have, the most common ones at its rim first."""
    tolerance = TOLERANCE + 3 * noise(image)
    for colour in _flat(image):
        away = np.abs(image.astype(np.int16) - colour).max(axis=2)
        yield Ground(away <= tolerance, "flat")


def _flat(image: Image) -> list[np.ndarray]:
    """Colours that cover much of the picture; those at its rim first."""
    step = 8
    bins = (image // step).astype(np.int32)
    codes = (bins[:, :, 0] * 32 + bins[:, :, 1]) * 32 + bins[:, :, 2]
    counts = np.bincount(codes.ravel(), minlength=32**3).astype(np.float64) / codes.size
    rim = max(min(image.shape[:2]) // 50, 2)
    edge = np.concatenate([codes[:rim].ravel(), codes[-rim:].ravel(), codes[:, :rim].ravel(), codes[:, -rim:].ravel()])
    at_rim = np.bincount(edge, minlength=32**3) / edge.size
    found: list[np.ndarray] = []
    for code in np.argsort(counts + 2 * at_rim)[::-1][: 3 * MOST_GROUNDS]:
        if counts[code] < COMMON or len(found) == MOST_GROUNDS:
            break
        colour = np.median(image[codes == code].astype(np.int16), axis=0).astype(np.int16)
        if all(np.abs(colour - other).max() > step for other in found):
            found.append(colour)
    return found
