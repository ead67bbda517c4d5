"""Handles cells of Cross Set whose active number is underlined. Returns the picture without the lines, which may touch
the numbers, and with those numbers in a colour of their own, so that the usual code reads these cells too. Knows no
digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
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

CIRCULAR = 0.8
"""The least ratio of the two sides of a circle's box."""

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


@dataclass(frozen=True)
class _Drawn:
    """What is drawn in a cell: its ``patch``, shape ``(h, w, 3)``, on its ``ground``; how far each pixel is ``away``
    from that; ``every`` pixel that is ink, and those that are ``inked`` apart from what comes up to a side, which is a
    wall's. ``above``, ``last``: the first and the last row of the latter; ``first``: its first column; ``wide``,
    ``high``: its size. In pixels of the cell."""

    patch: Floats
    ground: Floats
    away: Floats
    every: NDArray[np.bool_]
    inked: NDArray[np.bool_]
    above: int
    last: int
    first: int
    wide: int

    @property
    def high(self) -> int:
        return self.last - self.above + 1

    @cached_property
    def strong(self) -> NDArray[np.bool_]:
        """The pixels at least half as strong as the strongest of the last two rows: the last may be a soft edge."""
        foot = slice(self.last - 1, self.last + 1)
        return np.asarray(self.inked & (self.away >= 0.5 * self.away[foot][self.inked[foot]].max()))


class _Bar(NamedTuple):
    """A line, by its first and last row and column, in pixels of the cell; and its ``colour``."""

    start: int
    end: int
    left: int
    right: int
    colour: Floats


@remembered
def _line(image: Image, cell: Box, noise: float) -> tuple[_Line | None, bool]:
    """The line below one of the numbers of a cell, if there is one; and whether several numbers stand there."""
    drawn = _drawn_in(image, cell, noise)
    if drawn is None:
        return None, False
    several = drawn.wide > SEVERAL * drawn.high
    bar = _lowest_bar(drawn)
    if bar is None:
        return None, several
    beside = drawn.wide > SEVERAL * (bar.right - bar.left + 1)
    if not _is_below_a_number(drawn, bar):
        return None, several or beside
    aside = abs(bar.left + bar.right - 2 * drawn.first - drawn.wide + 1)
    left, right = _ends_of(drawn, bar)
    x, y = cell.x, cell.y
    line = _Line(
        x + left,
        x + right,
        y + bar.start,
        y + bar.end + 1,
        y + drawn.above,
        y + min(drawn.last + 2, cell.height),
        bar.end - cell.height / 2,
        drawn.ground,
        beside,
        central=aside <= 2 * (CENTRAL * drawn.wide + STRAY),
    )
    return line, several or beside


def _drawn_in(image: Image, cell: Box, noise: float) -> _Drawn | None:
    """What is drawn in a cell; None if there is too little for a number with a line below it."""
    patch = np.asarray(cell.crop(image), np.float32)
    if patch.shape[:2] != (cell.height, cell.width):
        return None
    ground = ink.ground_colour(cell.crop(image))
    away = largest_channel(np.abs(patch - ground))
    every = away > INKED + 3 * noise
    inked = every.copy()
    edge = max(1, round(0.06 * min(inked.shape)))
    inked[:edge] = inked[-edge:] = inked[:, :edge] = inked[:, -edge:] = False
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if len(rows) < SHORTEST:
        return None
    first, wide = int(columns[0]), int(columns[-1] - columns[0] + 1)
    return _Drawn(patch, ground, away, every, inked, int(rows[0]), int(rows[-1]), first, wide)


def _lowest_bar(drawn: _Drawn) -> _Bar | None:
    """The line of one colour at the foot of all that is drawn in a cell; None if there is none."""
    patch, away, every = drawn.patch, drawn.away, drawn.every
    end = drawn.last if drawn.strong[drawn.last].any() else drawn.last - 1
    own = np.flatnonzero(drawn.strong[end])
    left, right = int(own[0]), int(own[-1])
    inner = patch[end, left + 1 : right]
    if right - left + 1 < SHORTEST or len(own) != right - left + 1 or float(np.ptp(inner, axis=0).max()) > EVEN:
        return None
    colour = patch[end, (left + right) // 2]
    start = end
    while start > drawn.above and _goes_on(patch, drawn.inked, start - 1, left, right, colour):
        start -= 1
    over, here = (away[row, left : right + 1] for row in (max(start - 1, 0), start))
    if bool(every[start - 1, left : right + 1].all()) and float(over.min()) < float(here.min()):
        start -= 1  # its upper edge is soft
    return _Bar(start, end, left, right, colour)


def _is_below_a_number(drawn: _Drawn, bar: _Bar) -> bool:
    """Whether a bar is a line close below a number: neither a part of the number, nor the lower side of a frame."""
    start, end, left, right, _ = bar
    high = start - drawn.above
    foot = np.flatnonzero(drawn.every[drawn.above : start, left : right + 1].any(axis=1))
    close = len(foot) > 0 and high - 1 - int(foot[-1]) <= CLOSE * high
    if end - start + 1 > max(3, THICKEST * drawn.high) or high < SHORTEST or not close:
        return False
    over = drawn.every[drawn.above : start]
    if _is_a_foot(over, left, right, end - start + 1) or _is_of_a_circle(over, left, right):
        return False
    ends = drawn.strong[drawn.above : start, left : right + 1]
    sides = (max(ends[:, k].mean(), ends[:, m].mean()) for k, m in ((0, 1), (-1, -2)))
    framed = min(*sides, max(ends[0].mean(), ends[1].mean())) >= FRAMED
    return not (right - left >= NARROW and framed)


def _ends_of(drawn: _Drawn, bar: _Bar) -> tuple[int, int]:
    """Where a line begins and ends with its soft edges, and what continues it in its colour; columns of the cell."""
    row, left, right = bar.end, max(bar.left - 1, 0), min(bar.right + 2, drawn.patch.shape[1])

    def continues(column: int) -> bool:
        alike = float(np.abs(drawn.patch[row, column] - bar.colour).max()) <= EVEN
        return bool(drawn.every[row, column]) and alike

    while left > 0 and continues(left - 1):
        left -= 1
    while right < drawn.patch.shape[1] and continues(right):
        right += 1
    return left, right


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


def _is_of_a_circle(over: NDArray[np.bool_], left: int, right: int) -> bool:
    """Whether a line is the lower end of a circle: what it is connected with, of the ink ``over`` it, is about as broad
    as high, and broader than the line on both sides."""
    _, labels = cv2.connectedComponents(np.asarray(over, np.uint8), connectivity=8)
    met = labels[-1, max(left - 1, 0) : right + 2]
    rows, columns = np.nonzero(np.isin(labels, met[met > 0]))
    if not len(columns) or columns.min() >= left - STRAY or columns.max() <= right + STRAY:
        return False
    wide, high = int(np.ptp(columns)) + 1, len(over) - int(rows.min()) + 1
    return min(wide, high) >= CIRCULAR * max(wide, high)


def _goes_on(patch: Floats, inked: NDArray[np.bool_], row: int, left: int, right: int, colour: Floats) -> bool:
    """Whether a line's row continues above it: in the same colour all along, and no longer than the line."""
    here = np.abs(patch[row, left + 1 : right] - colour).max(axis=1) <= EVEN
    return bool(here.all()) and not inked[row, max(left - 2, 0) : left - 1].any()
