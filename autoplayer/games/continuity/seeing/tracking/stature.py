"""The look of a figure at rest, row by row: of a figure whose legs are not seen, as before a background of their
colour, it tells where the feet are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.tracking.parts import DIFFERS, seen_part

LESS = 0.05
"""The least share of the height that is missing: less is the rounding of a box."""
ALIKE = 16.0
"""The greatest median difference, in grey levels, of rows that show the same part of a figure."""
CLEARER = 0.5
"""The share of the rows' difference from the feet's that the difference from the head's is at most."""
USUAL = (0.85, 1.25)
"""The height of a figure at rest, as a share of the expected one."""

Rows = NDArray[np.float64]


class Stature:
    """What a figure looks like at rest, in one size."""

    def __init__(self) -> None:
        self._rows: Rows = np.zeros((0, 3))

    def rests(self, image: Image, behind: Image, figure: Box, expected: float) -> None:
        """Note what a figure of ``expected`` height looks like that rests at the box ``figure`` (window pixels) of
        ``image``, before the background ``behind``, of the same shape. The most that was seen of it is kept."""
        low, high = USUAL
        if figure.height >= len(self._rows) and low * expected <= figure.height <= high * expected:
            self._rows = _rows(image, behind, figure)

    def whole(self, image: Image, behind: Image, figure: Box) -> Box:
        """``figure`` as far down as it is seen at rest, if what is seen of it now is its upper part."""
        tall, now = len(self._rows), figure.height
        if not 0 < now < tall - max(LESS * tall, 2.0):
            return figure
        rows = _rows(image, behind, figure)
        head, feet = (_apart(rows, part[: len(rows)]) for part in (self._rows, self._rows[tall - now :]))
        if head > ALIKE or head > CLEARER * feet:
            return figure
        return Box(figure.x, figure.y, figure.width, tall)


def _rows(image: Image, behind: Image, figure: Box) -> Rows:
    """The mean colours, shape ``(height, 3)``, of what differs from the background in each row; nan if nothing does."""
    part, _ = seen_part(figure, image)
    seen, ground = part.crop(image).astype(np.float64), part.crop(behind)
    ink = largest_channel(np.abs(seen - ground)) > DIFFERS
    count = ink.sum(axis=1, keepdims=True)
    sums = (seen * ink[..., None]).sum(axis=1)
    found: Rows = np.divide(sums, count, out=np.full(sums.shape, np.nan), where=count > 0)
    return found


def _apart(some: Rows, others: Rows) -> float:
    """The median difference of rows of which both show something; infinite if none do."""
    apart = np.abs(some - others).max(axis=1)
    apart = apart[np.isfinite(apart)]
    return float(np.median(apart)) if len(apart) else np.inf
