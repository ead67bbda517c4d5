"""What surrounds a place and is left over in it: remnants of its walls and of their rounded corners, and frames. Knows
no glyph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats

THIN = 0.05
"""A component that touches the border and reaches into the place by less than this share of it is a remnant of a
wall."""

RIM = 0.13
"""A component that touches the border and stays within this share of the place from it is a remnant of a wall."""

MARKED = 4
"""Pixels: where a wall's component has more than this farther from the border than ``RIM``, something else touches
it."""

ROUND = 0.8
"""The remnant of a rounded corner stays outside a circle with this share of the corner's radius (which allows for the
line's thickness)."""

CORNER = 0.25
"""What rounded walls leave in a corner is smaller than this share of the place."""

SHORT = 0.15, 0.5
"""A strip at the border whose length is between these shares of the place's side may be a bar that belongs to the
place."""

ALONG = 0.85
"""The least share of a line's pixels that differ from the ground, for the line to be a side of a frame inside the
place."""

ROUNDED = 0.3
"""The share of a side, at either end, in which a frame's corner may be rounded."""

UNBROKEN = 0.97
"""As ``ALONG``, for all of a line but its ends, where the frame is not seen on all four sides."""

DEEP = 0.2
"""A frame inside a place (a cursor, the highlight of a cell) lies within this share of the place from its border."""


def wall(
    labels: NDArray[np.int32],
    within: NDArray[np.int32],
    i: int,
    box: tuple[int, int, int, int],
    framed: bool,
    scale: int,
) -> tuple[bool, bool, int]:
    """Whether component ``i`` of ``labels`` is a remnant of the place's walls; if so, whether it is short or reaches
    far into the place, and how many of its pixels lie there. ``within``: the labels farther from the border than
    ``RIM``."""
    x, y, cw, ch = box
    h, w = labels.shape
    corner = (x <= 0 or x + cw >= w) and (y <= 0 or y + ch >= h) and max(cw / w, ch / h) < 0.5
    own = labels[y : y + ch, x : x + cw] == i
    off = off_corner(own, x <= 0, y <= 0, w, h) if corner else 0
    if max(cw / w, ch / h) >= SHORT[1] and is_side_with_corners(own, (x, y), w, h, scale):
        return True, False, 0
    # Inside a frame only a thin component, or the remnant of a corner, is still a wall.
    left_over = corner and off <= MARKED * scale * scale and max(cw / w, ch / h) < 2.2 * RIM
    may_be = not framed or left_over or min(cw / w, ch / h) < THIN or min(cw / w, ch / h) > 0.8
    if not left_over and not (may_be and _is_wall(x, y, cw, ch, w, h, labels, i)):
        return False, False, 0
    off = off if corner else int(np.count_nonzero(within == i))
    short = not corner and SHORT[0] < max(cw / w, ch / h) < SHORT[1]
    return True, short or off > MARKED * scale * scale, off


def _is_wall(x: int, y: int, cw: int, ch: int, w: int, h: int, labels: NDArray[np.int32], i: int) -> bool:
    """Whether a component is a remnant of the place's walls: a strip along the border, a corner, or a frame all around
    that leaves the middle empty."""
    edges = (x <= 0, y <= 0, x + cw >= w, y + ch >= h)
    if cw > 0.8 * w and ch > 0.8 * h:
        core = labels[h // 4 : h - h // 4, w // 4 : w - w // 4] == i
        return bool(core.mean() < 0.02)
    if not any(edges):
        return False
    # A remnant of a wall is thin or long; a digit close to the border is neither.
    upright = (x + cw < RIM * w or x > (1 - RIM) * w) and (cw < THIN * w or ch > 0.5 * h)
    flat = (y + ch < RIM * h or y > (1 - RIM) * h) and (ch < THIN * h or cw > 0.5 * w)
    strip = upright or flat
    corner = (edges[0] or edges[2]) and (edges[1] or edges[3])
    if corner:
        strip |= min(cw / w, ch / h) < 2 * RIM and max(cw / w, ch / h) < 3 * RIM
        # along two sides, with nothing between them
        strip |= bool((labels[y : y + ch, x : x + cw] == i).mean() < 0.25 and max(cw / w, ch / h) > 0.5)
    return strip


def off_corner(mask: NDArray[np.bool_], at_left: bool, at_top: bool, w: int, h: int) -> int:
    """The number of pixels of a component in a corner, of a place of ``w`` by ``h`` pixels, that lie within the
    rounding which a wall's rounded corner would leave empty."""
    ys, xs = np.nonzero(mask)
    dx = (xs if at_left else mask.shape[1] - 1 - xs) / w
    dy = (ys if at_top else mask.shape[0] - 1 - ys) / h
    radius = max(mask.shape[1] / w, mask.shape[0] / h)
    return int(np.count_nonzero((radius - dx) ** 2 + (radius - dy) ** 2 < (ROUND * radius) ** 2))


def is_side_with_corners(own: NDArray[np.bool_], at: tuple[int, int], w: int, h: int, scale: int) -> bool:
    """Whether something that runs along a side, or far along it, is the remnant of the wall there and of the rounded
    corners at its ends. ``own``: its pixels; ``at``: where those begin, x and y in the place of ``w`` by ``h``."""
    whole = np.zeros((h, w), bool)
    whole[at[1] : at[1] + own.shape[0], at[0] : at[0] + own.shape[1]] = own
    wide, tall = (max(int(THIN * side), 1) for side in (w, h))
    inner = np.zeros((h, w), bool)
    inner[tall : h - tall, wide : w - wide] = whole[tall : h - tall, wide : w - wide]
    columns, rows = ((slice(0, int(CORNER * side)), slice(side - int(CORNER * side), side)) for side in (w, h))
    for left, across in zip((True, False), columns, strict=True):
        for top, down in zip((True, False), rows, strict=True):
            part = whole[down, across]
            if inner[down, across].any() and off_corner(part, left, top, w, h) <= MARKED * scale * scale:
                inner[down, across] = False
    return not inner.any()


def within_frame(away: Floats, least: float, scale: int) -> tuple[int, int, int, int] | None:
    """The inside of a frame, or of what is visible of one, that is drawn in the place: left, top, right, bottom, in
    window pixels from the place's corner; None where there is no frame. A line of a frame runs along nearly all of a
    side, where digits leave gaps; rounded corners are allowed where there is such a line on all four sides."""
    h, w = away.shape
    for round_share in (0.125, ROUNDED):
        depths, whole = [], []
        for lines, size in ((away.T, w), (away, h), (away.T[::-1], w), (away[::-1], h)):
            most = max(int(DEEP * size), 2)
            inked = lines[:most] > least
            length = inked.shape[1]
            straight = slice(int(round_share * length), length - int(round_share * length))
            strong = np.flatnonzero(inked[:, straight].mean(axis=1) >= ALONG)
            if not len(strong):
                depths.append(0)
                continue
            # The frame includes the soft edge of its line.
            first = int(strong[0])
            faint = (lines[first:most, straight] > 0.4 * least).mean(axis=1) < ALONG
            if not faint.any():
                depths.append(0)
                continue
            end = first + int(np.argmax(faint))
            unbroken = inked[strong, length // 16 : length - length // 16].mean(axis=1).max() >= UNBROKEN
            # A remnant of a line at the very border can be left out at no cost, however it ends.
            whole.append(bool(unbroken or (first == 0 and end < THIN * size)))
            depths.append(-(-end // scale))
        if len(whole) == 4 or (whole and all(whole)):
            left, top, right, bottom = depths
            return left, top, w // scale - right, h // scale - bottom
    return None
