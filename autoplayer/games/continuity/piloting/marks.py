"""Tells two views of the same size apart by a mark: some windows always show the whole board, and indicate in a corner
whether the figure walks or tiles are moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image
from autoplayer.games.continuity.piloting.comparing import differing
from autoplayer.games.continuity.seeing.sight import Bools, Sighting, View

FEWEST = 30
"""Pixels of a mark, at least."""
NEAR = 6
"""Pixels around what changes by itself that may also change."""


class Marks(NamedTuple):
    """The pixels of the mark, shape ``(n,)`` each, and their colours in the two views, shape ``(n, 3)``; ``size``: the
    height and width of the window's pictures."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    walking: NDArray[np.int16]
    sliding: NDArray[np.int16]
    size: tuple[int, int]

    def view(self, image: Image) -> View | None:
        """Which view a picture shows; None where it is of another size."""
        if image.shape[:2] != self.size:
            return None
        now = image[self.rows, self.columns].astype(np.int16)
        return "walking" if _away(now, self.walking) <= _away(now, self.sliding) else "sliding"

    def told(self, seen: Sighting, image: Image) -> Sighting:
        """What is seen in a picture, assigned to the view that its mark indicates; without a board the mark says
        nothing."""
        view = self.view(image) if seen.view in ("walking", "sliding") else None
        return seen if view is None else seen._replace(view=view)


def restless(pictures: Iterable[Image]) -> Bools:
    """The mask of what changes by itself in pictures of one size between which no key is pressed, and its surroundings:
    shape ``(height, width)``."""
    return cv2.dilate(differing(pictures).astype(np.uint8), np.ones((2 * NEAR + 1, 2 * NEAR + 1), np.uint8)) > 0


def marks_between(walking: Image, sliding: Image, but: Bools | None = None) -> Marks | None:
    """The mark by which two still pictures of one size differ; None if that is negligible. ``but``: where they differ
    anyway."""
    changed = differing([walking, sliding])
    rows, columns = np.nonzero(changed if but is None else changed & ~but)
    if len(rows) < FEWEST:
        return None
    colours = [picture[rows, columns].astype(np.int16) for picture in (walking, sliding)]
    return Marks(rows, columns, colours[0], colours[1], walking.shape[:2])


def _away(one: NDArray[Any], other: NDArray[Any]) -> float:
    return float(np.abs(one - other).max(axis=1).mean())
