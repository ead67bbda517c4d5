"""Handles cells of Cross Set whose active number is underlined. Returns the picture without the lines, which may touch
the numbers, and with those numbers in a colour of their own, so that the usual code reads these cells too. Knows no
digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered
from autoplayer.vision import ink

INKED = 30.0
"""The least difference in grey levels between a line, or what stands above it, and the cell's ground."""

EVEN = 30.0
"""The most grey levels by which the pixels of a line's row differ, except at its ends."""

SHORTEST, THICKEST = 3, 0.2
"""Pixels: how long a line is at least; and how thick, as a share of the height of all that stands in the cell."""

CLOSE = 0.6
"""The farthest that a line is below its number, as a share of the height of everything that stands above it."""

CENTRAL = 0.1
"""If a line may stand below all numbers of a cell: the farthest that its middle is from the middle of the content, as a
share of the content's breadth."""

FRAMED, NARROW = 0.75, 5
"""The share of the length of the other three sides that is seen if a line is the lower side of a frame; and pixels: a
frame narrower than this has no room for a number."""

SEVERAL = 1.25
"""If the content of a cell is this many times as broad as high, or as its line is long, there are several numbers."""

ONE_DIGIT = 0.9
"""A single digit is no broader than this share of its height."""

FEWEST, MOST, SEEN = 4, 0.7, 0.5
"""The number and the share of the cells with several numbers in which a line has to be seen, and the share of all."""

STRAY = 1
"""Pixels by which the height of the lines of a board in their cells differs."""

OWN_TONE = 150.0
"""The difference in grey levels, in two of three channels, between the ground and the numbers that were underlined."""


class _Line(NamedTuple):
    """Rows and columns of the window, the last ones exclusive. ``above``: the upper end of all that stands in the cell;
    ``below``: the lower end. ``low``: how far below the middle of its cell it ends. ``beside``: whether other numbers
    stand beside the one above it; ``central``: whether it is centred below all of them."""

    left: int
    right: int
    top: int
    bottom: int
    above: int
    below: int
    low: float
    ground: Floats
    beside: bool
    central: bool


def without_underlines(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    """``image`` (BGR) without the lines below active numbers, and these in another colour; None if most cells have
    none. ``boxes``: the inside of each cell, window pixels."""
    lines = []
    crowded = 0
    for cell in boxes.values():
        line, several = _line(image, cell, noise)
        crowded += several
        if line is not None:
            lines.append(line)
    if len(lines) < SEEN * len(boxes):
        return None
    usual = float(np.median([line.low for line in lines]))
    lines = [line for line in lines if abs(line.low - usual) <= STRAY]
    beside = sum(line.beside for line in lines)
    if beside < FEWEST or beside < MOST * crowded or len(lines) < SEEN * len(boxes):
        return None
    if sum(line.central for line in lines if line.beside) > MOST * beside:
        return None  # it stands below all numbers of a cell, not below one of them
    thick = round(float(np.median([line.bottom - line.top for line in lines])))
    result = image.copy()
    for line in lines:
        # What is thicker is the foot of a number that stands on its line.
        top, ground = max(line.top, line.bottom - thick), line.ground
        result[top : line.below, line.left : line.right] = np.rint(ground)
        number = result[line.above : top, line.left + 1 : line.right - 1]
        away = largest_channel(np.abs(number - ground))
        share = (away / max(float(away.max()), 1.0))[..., None]
        tone = ground + np.where(ground > 127, -OWN_TONE, OWN_TONE) * np.array((1, 1, 0))
        number[:] = np.rint(ground + share * (tone.clip(0, 255) - ground))
    return result


@remembered
def _line(image: Image, cell: Box, noise: float) -> tuple[_Line | None, bool]:
    """The line below one of the numbers of a cell, if there is one; and whether several numbers stand there."""
    patch = np.asarray(cell.crop(image), np.float32)
    if patch.shape[:2] != (cell.height, cell.width):
        return None, False
    ground = ink.ground_colour(cell.crop(image))
    away = largest_channel(np.abs(patch - ground))
    every = away > INKED + 3 * noise
    # What comes up to the side is a wall's.
    inked = every.copy()
    edge = max(1, round(0.06 * min(inked.shape)))
    inked[:edge] = inked[-edge:] = inked[:, :edge] = inked[:, -edge:] = False
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if len(rows) < SHORTEST:
        return None, False
    above, last = int(rows[0]), int(rows[-1])
    wide, high = int(columns[-1] - columns[0] + 1), last - above + 1
    several = wide > SEVERAL * high
    # Its last row may be its soft edge.
    strong = inked & (away >= 0.5 * away[last - 1 : last + 1][inked[last - 1 : last + 1]].max())
    end = last if strong[last].any() else last - 1
    own = np.flatnonzero(strong[end])
    left, right = int(own[0]), int(own[-1])
    inner = patch[end, left + 1 : right]
    if right - left + 1 < SHORTEST or len(own) != right - left + 1 or float(np.ptp(inner, axis=0).max()) > EVEN:
        return None, several
    colour = patch[end, (left + right) // 2]
    start = end
    while start > above and _goes_on(patch, inked, start - 1, left, right, colour):
        start -= 1
    beside = wide > SEVERAL * (right - left + 1)
    over, here = (away[row, left : right + 1] for row in (max(start - 1, 0), start))
    if bool(every[start - 1, left : right + 1].all()) and float(over.min()) < float(here.min()):
        start -= 1  # its upper edge is soft
    foot = np.flatnonzero(every[above:start, left : right + 1].any(axis=1))
    close = len(foot) > 0 and start - above - 1 - int(foot[-1]) <= CLOSE * (start - above)
    if end - start + 1 > max(3, THICKEST * high) or start - above < SHORTEST or not close:
        return None, several or beside
    if _is_a_foot(every[above:start], left, right, end - start + 1):
        return None, several or beside
    central = abs(left + right - int(columns[0]) - int(columns[-1])) <= 2 * (CENTRAL * wide + STRAY)
    ends = strong[above:start, left : right + 1]
    sides = (max(ends[:, k].mean(), ends[:, m].mean()) for k, m in ((0, 1), (-1, -2)))
    if right - left >= NARROW and min(*sides, max(ends[0].mean(), ends[1].mean())) >= FRAMED:
        return None, several or beside
    left, right = max(left - 1, 0), min(right + 2, cell.width)
    while left > 0 and every[end, left - 1] and float(np.abs(patch[end, left - 1] - colour).max()) <= EVEN:
        left -= 1
    while right < cell.width and every[end, right] and float(np.abs(patch[end, right] - colour).max()) <= EVEN:
        right += 1
    x, y = cell.x, cell.y
    line = _Line(
        x + left,
        x + right,
        y + start,
        y + end + 1,
        y + above,
        y + min(last + 2, cell.height),
        end - cell.height / 2,
        ground,
        beside,
        central,
    )
    return line, several or beside


def _is_a_foot(over: NDArray[np.bool_], left: int, right: int, thick: int) -> bool:
    """Whether a line is the foot of the digit above it, which is broader, as a round digit is. ``over``: the ink above
    the line, which is so ``thick``, and part of that digit if they touch."""
    rows = np.asarray(over.any(axis=1))
    last = len(rows) - 1 - int(rows[::-1].argmax())
    gaps = np.flatnonzero(~rows[:last])
    first = int(gaps[-1]) + 1 if len(gaps) else 0
    number = np.asarray(over[first : last + 1].any(axis=0))
    begin, end = left, right
    while begin > 0 and number[begin - 1]:
        begin -= 1
    while end < len(number) - 1 and number[end + 1]:
        end += 1
    high = len(rows) - first + thick * (last == len(rows) - 1)
    return (begin < left - STRAY or end > right + STRAY) and end - begin < ONE_DIGIT * high


def _goes_on(patch: Floats, inked: NDArray[np.bool_], row: int, left: int, right: int, colour: Floats) -> bool:
    """Whether a line's row continues above it: in the same colour all along, and no longer than the line."""
    here = np.abs(patch[row, left + 1 : right] - colour).max(axis=1) <= EVEN
    return bool(here.all()) and not inked[row, max(left - 2, 0) : left - 1].any()
