"""A board that stands elsewhere in a window of the same size: a page that is centred moves when a line or a button
appears that is wider than it was. Earlier pictures are made comparable with what it shows now. Works on pixels only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Frame, Image, Point
from autoplayer.session.looking.controls import changed

APART = 3
"""Pixels by which the shifts of two cells may differ: an island that is complete may have a broader rim."""


def shift(then: Mapping[Cell, Box], now: Mapping[Cell, Box]) -> Point | None:
    """How far ``(x, y)``, in pixels, a board has moved whose cells were at ``then`` and are at ``now``; None if it has
    not, or not as a whole."""
    if not then or then.keys() != now.keys():
        return None
    far = np.array([np.subtract(now[cell].centre, then[cell].centre) for cell in then])
    x, y = (int(v) for v in np.median(far, axis=0))
    return (x, y) if (abs(x) > APART or abs(y) > APART) and np.abs(far - (x, y)).max() <= APART else None


def as_moved(earlier: Frame, by: Point, now: Image) -> Frame:
    """``earlier`` as if everything had stood then where it is in ``now``, shape ``(height, width, 3)``: what looks
    different now is what stood ``by`` pixels away, as the board did; the rest of the window has not moved."""
    image = earlier.image
    height, width = image.shape[:2]
    rows = (np.arange(height) - by[1]).clip(0, height - 1)
    columns = (np.arange(width) - by[0]).clip(0, width - 1)
    stays = changed(image, now) == 0
    return replace(earlier, image=np.where(stays[..., None], image, image[rows[:, None], columns]))
