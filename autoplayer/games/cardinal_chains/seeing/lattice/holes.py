"""Holes that show a pattern instead of being empty: hatching, bricks, a texture."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Place

FILLED, COPY, PHASE = 0.95, 0.9, 3
"""The least share of a place's sides that a filling pattern covers; the least correlation of two copies of it; and the
largest shift between them in pixels."""


def patterned(image: Image, places: Mapping[Cell, Place]) -> set[Cell]:
    """The places that are filled by the same illegible picture: these are holes, because no cover would look the same
    over several numbers."""
    full = {
        cell: place.content.place.crop(image).astype(np.float32)
        for cell, place in places.items()
        if not place.candidates[0][0]
        and not place.content.bare
        and not place.told
        and place.content.box.width >= FILLED * place.content.place.width
        and place.content.box.height >= FILLED * place.content.place.height
    }
    return {
        cell
        for cell, one in full.items()
        if any(cell != other and _is_copy(one, patch) for other, patch in full.items())
    }


def _is_copy(one: Floats, other: Floats) -> bool:
    """Whether two patches show the same picture, perhaps shifted by some pixels; shape ``(h, w, 3)`` each."""
    inner = np.ascontiguousarray(one[PHASE:-PHASE, PHASE:-PHASE])
    if min(inner.shape[:2]) < PHASE or any(m < n for m, n in zip(other.shape, inner.shape, strict=True)):
        return False
    return float(cv2.matchTemplate(other, inner, cv2.TM_CCOEFF_NORMED).max()) > COPY
