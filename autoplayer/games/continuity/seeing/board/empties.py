"""Finds the empty place of a board if it does not show the ground: it is uniform, and the others are rooms."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.borders import Axis

COMMON = 0.02
"""The least share of the empty place that a common colour covers."""
PARTS = 4
"""So many parts of a place, in each direction, are compared."""
INSET = 0.08
"""The share of a place's length at each end that is ignored: a line may be there."""
EVEN = 10.0
"""The most grey levels by which the parts of the empty place differ, apart from a linear gradient."""
LESS = 0.4
"""The same as a share of the differences in any other place."""


class Looks:
    """The mean colours of any part of a picture."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._known: dict[tuple[Axis, Axis], int | None] = {}

    @cached_property
    def _sums(self) -> Floats:
        """Eight times as large as the picture, and not asked for where nothing looks like a board."""
        return np.asarray(cv2.integral(self._image, sdepth=cv2.CV_64F))

    def even(self, rows: Axis, columns: Axis) -> int | None:
        """The index, row by row, of the only uniform place; None if there is none."""
        if (rows, columns) not in self._known:
            off = self._differences(rows, columns)
            first, second = np.argsort(off)[:2]
            found = off[first] <= min(EVEN, LESS * off[second])
            self._known[rows, columns] = int(first) if found else None
        return self._known[rows, columns]

    def _differences(self, rows: Axis, columns: Axis) -> Floats:
        """By how much the parts of each place deviate from a linear gradient across it, grey levels."""
        down, across = _cuts(rows, self._sums.shape[0] - 1), _cuts(columns, self._sums.shape[1] - 1)
        corner = self._sums[down[:, :, None, None], across[None, None]]
        sums = corner[:, 1:, :, 1:] - corner[:, :-1, :, 1:] - corner[:, 1:, :, :-1] + corner[:, :-1, :, :-1]
        area = np.diff(down, axis=1)[:, :, None, None] * np.diff(across, axis=1)
        means = (sums / np.maximum(area, 1)[..., None]).transpose(0, 2, 1, 3, 4).reshape(-1, PARTS * PARTS, 3)
        rest = _WITHOUT_SHADE @ means
        found: Floats = rest.std(axis=1).max(axis=1)
        return found


def alike(image: Image, box: Box) -> Bools:
    """Which pixels of a picture have colours that are common in a part of it; shape ``(height, width)``."""
    codes = (
        (image[..., 0].astype(np.int32) >> 3 << 10) + (image[..., 1].astype(np.int32) >> 3 << 5) + (image[..., 2] >> 3)
    )
    part = box.crop(codes)
    known = np.bincount(part.ravel(), minlength=32**3).reshape(32, 32, 32) >= COMMON * part.size
    for _ in range(3):  # and the colours beside them, of which black and white are none
        wider = known.copy()
        wider[:-1] |= known[1:]
        wider[1:] |= known[:-1]
        known = np.moveaxis(wider, 0, 2)
    found: Bools = known.ravel()[codes]
    return found


def _cuts(axis: Axis, size: int) -> NDArray[np.int64]:
    """Where the parts of each place begin and end, shape ``(places, PARTS + 1)``."""
    parts = np.linspace(INSET, 1 - INSET, PARTS + 1) * axis.length
    return np.clip(np.round(np.array(axis.starts)[:, None] + parts), 0, size).astype(np.int64)


_SHADE = np.stack([
    np.ones(PARTS * PARTS), np.repeat(np.arange(PARTS), PARTS), np.tile(np.arange(PARTS), PARTS)
], axis=1).astype(np.float64)  # fmt: skip
"""The basis of gradients along rows and columns, at the parts of a place."""
_WITHOUT_SHADE = np.eye(PARTS * PARTS) - _SHADE @ np.linalg.pinv(_SHADE)
