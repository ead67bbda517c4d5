"""Parts of what stands in an island: some windows write how many links an island has beside how many it needs, as
"1/3". Works without the picture; reads no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats
from autoplayer.vision import ink

INKED = 0.3
"""The ink from which a pixel counts as drawn."""

AS_HIGH = 0.6
"""Of the highest piece: lower ones are no digits and no slashes."""

SLANTED = -0.85
"""The correlation of across and down along a slash, at most: it leads from the upper right to the lower left."""

FEWEST_SLASHES = 2
"""Islands: a single one with a slash may be crossed by something."""


def beside_slashes(contents: Sequence[ink.Content]) -> dict[int, tuple[ink.Content, ink.Content]]:
    """By its index, what each content shows before and behind a slash, if both are about as high as it, as in "1/3";
    empty if only one content does."""
    found = {k: both for k, here in enumerate(contents) if (both := _beside_slash(here)) is not None}
    return found if len(found) >= FEWEST_SLASHES else {}


def _beside_slash(here: ink.Content) -> tuple[ink.Content, ink.Content] | None:
    if here.bare:
        return None
    _, labels, stats, _ = cv2.connectedComponentsWithStats((here.ink > INKED).astype(np.uint8), connectivity=8)
    heights = stats[1:, cv2.CC_STAT_HEIGHT]
    high = [k + 1 for k in np.flatnonzero(heights >= AS_HIGH * heights.max(initial=1)).tolist()]
    if len(high) != 3:
        return None
    first, slash, last = sorted(high, key=lambda k: int(stats[k, cv2.CC_STAT_LEFT]))
    ys, xs = np.nonzero(labels == slash)
    if min(np.ptp(xs), np.ptp(ys)) < 1 or float(np.corrcoef(xs, ys)[0, 1]) > SLANTED:
        return None
    every = np.asarray(labels, np.int32)
    return _piece(here, every, first), _piece(here, every, last)


def _piece(here: ink.Content, labels: NDArray[np.int32], which: int) -> ink.Content:
    """The content with only one piece of its ink; soft edges belong to the piece that they are next to."""
    mask = cv2.dilate((labels == which).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    mask &= (labels == 0) | (labels == which)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return cut(here, np.where(mask, here.ink, 0), rows, columns)


def in_the_middle(here: ink.Content, centre: tuple[float, float], usual: Floats) -> ink.Content:
    """The largest piece of an island's ink that reaches its middle, ``(x, y)`` in window pixels, with pieces close to
    it; detached pieces are left out. ``usual``: the share of the islands that have ink at each pixel of the area in
    which it was looked for. Returns the content itself if there is no such piece."""
    x, y = centre
    if here.bare:
        return here
    height, width = here.ink.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats((here.ink > INKED).astype(np.uint8), connectivity=8)
    if count < 3:
        return here
    lefts, tops, widths, heights, areas = stats.T
    across, down = (x - here.box.x) * width / here.box.width, (y - here.box.y) * height / here.box.height
    near = CENTRAL * max(here.place.width * width / here.box.width, 1.0)
    reaches = (lefts - near <= across) & (across <= lefts + widths + near)
    reaches &= (tops - near <= down) & (down <= tops + heights + near)
    reaches[0] = False
    if not reaches.any():
        return _middle_line(here, down)
    common = _common(here, np.asarray(labels, np.int32), count, usual)
    largest = int(np.argmax(np.where(reaches, areas, 0)))
    # A digit that all numbers begin with stands on the same line as the next one; a decoration does not.
    ends = np.abs(np.stack([tops - tops[largest], tops + heights - tops[largest] - heights[largest]]))
    common &= ends.min(axis=0) > SAME_LINE * heights[largest]
    apart = 2 * max(round(APART * heights[largest]), 1) + 1
    around = cv2.dilate((labels == largest).astype(np.uint8), np.ones((apart, apart), np.uint8))
    kept = [int(k) for k in np.unique(labels[around > 0]) if k]
    others = [k for k in range(1, count) if k not in kept]
    large = [k for k in others if not common[k] and max(widths[k], heights[k]) > SMALL_COMPANY * heights[largest]]
    # A piece as large as the number, and of its colour, may be a letter beside another one.
    if not others or any(np.percentile(here.ink[labels == k], 80) > PALE_COMPANY for k in large):
        return _middle_line(here, down)
    # Soft edges belong to the piece that they are next to.
    mask = cv2.dilate(np.isin(labels, kept).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    mask &= (labels == 0) | np.isin(labels, kept)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return cut(here, np.where(mask, here.ink, 0), rows, columns)


def _common(here: ink.Content, labels: NDArray[np.int32], count: int, usual: Floats) -> NDArray[np.bool_]:
    """Which of the pieces of an island's ink, shape ``(count,)``, most islands have at the same place."""
    box, x, y = here.box, here.box.x - max(here.place.x, 0), here.box.y - max(here.place.y, 0)
    part = usual[y : y + box.height, x : x + box.width]
    if part.shape != (box.height, box.width):  # an island at the edge of the picture
        return np.zeros(count, np.bool_)
    share = cv2.resize(part, labels.shape[::-1], interpolation=cv2.INTER_LINEAR).ravel()
    flat = labels.ravel()
    result = np.bincount(flat, share, count) > COMMON * np.bincount(flat, minlength=count)
    result[0] = False
    return result


def _middle_line(here: ink.Content, down: float) -> ink.Content:
    """The line of signs that contains the row ``down``, in rows of ink, if the other lines are less high: the thin
    strokes of a number may be missing, so that it falls into pieces. Returns the content itself if there are no such
    lines."""
    inked = (here.ink > FAINTLY_INKED).any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inked.astype(np.int8), [0]])))
    lines = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    reached = [(top, end) for top, end in lines if top <= down <= end]
    if len(lines) < 2 or not reached:
        return here
    top, end = reached[0]
    if any(other[1] - other[0] > SMALL_COMPANY * (end - top) for other in lines if other != (top, end)):
        return here
    columns = np.flatnonzero((here.ink[top:end] > FAINTLY_INKED).any(axis=0))
    return cut(here, here.ink, np.arange(top, end), columns)


FAINTLY_INKED = 0.15
"""Ink from which on a pixel is no ground: between two lines of signs is none."""

CENTRAL, APART, SMALL_COMPANY = 0.12, 0.05, 0.75
"""The largest distance of a number from an island's middle, as a share of the examined width; and, of the number's
height, the distance from it at which a piece is no part of it, and the largest size of such a piece unless it is
paler."""

COMMON, SAME_LINE = 0.7, 0.15
"""The mean share of the islands that must have ink at the pixels of a piece for it to be a decoration; and how far, in
heights of a number, its upper and lower end must be from those of the number."""

PALE_COMPANY = 0.9
"""Of the number's ink: what has more is of its colour."""


def cut(here: ink.Content, kept: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> ink.Content:
    """The content with only the ink ``kept``, cropped to some rows and columns."""
    part = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
    scale = here.box.width / here.ink.shape[1]
    box = Box(
        here.box.x + round(part[1].start * scale),
        here.box.y + round(part[0].start * scale),
        max(round((part[1].stop - part[1].start) * scale), 1),
        max(round((part[0].stop - part[0].start) * scale), 1),
    )
    return replace(here, ink=np.ascontiguousarray(kept[part]), box=box)
