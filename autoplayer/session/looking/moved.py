"""A board that stands elsewhere in a window of the same size: a page that is centred moves when a line or a button
appears that is wider than it was. Earlier pictures are made comparable with what it shows now. Works on pixels only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Frame, Image, Point
from autoplayer.session.looking.controls import changed

APART = 3
"""Pixels by which the shifts of two cells may differ: an island that is complete may have a broader rim."""

NEAR = 2
"""Pixels by which the middles of cells may be wrong."""


def shift(then: Mapping[Cell, Box], now: Mapping[Cell, Box]) -> Point | None:
    """How far ``(x, y)``, in pixels, a board has moved whose cells were at ``then`` and are at ``now``; None if it has
    not, or not as a whole."""
    if not then or then.keys() != now.keys():
        return None
    far = np.array([np.subtract(now[cell].centre, then[cell].centre) for cell in then])
    x, y = (int(v) for v in np.median(far, axis=0))
    return (x, y) if (abs(x) > APART or abs(y) > APART) and np.abs(far - (x, y)).max() <= APART else None


def as_moved(earlier: Sequence[Frame], by: Point, now: Image) -> list[Frame]:
    """The pictures ``earlier`` as if everything had stood then where it is in ``now``, shape ``(height, width, 3)``:
    what looks different now is what stood about ``by`` pixels away, as the board did; the rest of the window has not
    moved. How far exactly is known by the last of them."""
    last = earlier[-1].image
    near = [(by[0] + dx, by[1] + dy) for dx in range(-NEAR, NEAR + 1) for dy in range(-NEAR, NEAR + 1)]
    exactly = min(near, key=lambda each: cv2.countNonZero(changed(_shifted(last, each), now)))
    found = []
    for each in earlier:
        stays = changed(each.image, now) == 0
        image = np.where(stays[..., None], each.image, _shifted(each.image, exactly))
        found.append(replace(each, image=image))
    return found


def _shifted(image: Image, by: Point) -> Image:
    """``image`` moved by so many pixels; at its edges the last pixels are repeated."""
    height, width = image.shape[:2]
    rows, columns = np.arange(height) - by[1], np.arange(width) - by[0]
    return np.asarray(image[rows.clip(0, height - 1)[:, None], columns.clip(0, width - 1)], np.uint8)
