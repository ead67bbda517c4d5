"""What stands elsewhere in a window of the same size: a page that is centred moves when a line or a button appears that
is wider than it was, a page that is larger than its window when it is scrolled. Earlier pictures are made comparable
with what it shows now. Works on pixels only."""

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

SIDE = 0.1
"""The share of a window's width, on each side, that is not compared where a page may have been scrolled: bars there
do not move with it."""

SCROLLED, LEAST_SCROLLED = 0.5, 0.03
"""The least share of the rows of pixels of a page in which something is drawn, as far as they are still in view, that
stand elsewhere once it was scrolled, and the least number of them as a share of the window's height."""


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


def scrolled(before: Image, now: Image) -> int:
    """By how many pixels what ``before`` shows stands higher in ``now``, two pictures of one shape ``(height, width,
    3)``: a page was scrolled; 0 where it was not. Bars at its sides may have stayed."""
    if before.shape != now.shape:
        return 0
    height, width = now.shape[:2]
    seen: dict[bytes, list[int]] = {}
    middle = np.s_[:, round(SIDE * width) : round((1 - SIDE) * width)]
    rows, drawn = (np.ascontiguousarray(image[middle]) for image in (before, now))
    written = [(image != image[:, :1]).any(axis=(1, 2)) for image in (rows, drawn)]
    for y in np.flatnonzero(written[0]).tolist():
        seen.setdefault(rows[y].tobytes(), []).append(y)
    votes = np.zeros(2 * height, int)
    for y in np.flatnonzero(written[1]).tolist():
        for then in seen.get(drawn[y].tobytes(), ()):
            votes[then - y + height] += 1
    by = int(votes.argmax()) - height
    there = written[0][max(by, 0) : height + min(by, 0)]
    return by if votes.max() > max(SCROLLED * int(there.sum()), LEAST_SCROLLED * height) else 0
