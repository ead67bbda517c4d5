"""Finds number buttons (a *pad*), by which some windows assign a number to a cell: permanently beside the board, or
near a cell that was clicked. ``player`` decides what is done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Point, around, largest_channel
from autoplayer.vision import glyphs, ink, lattice

SURE = 0.5
"""The least probability of a number that a button is believed to show."""

SAME_HEIGHT = 0.2
"""By which share the heights of the numbers of one pad differ at most."""

APART = 1.3
"""The least distance between the middles of neighbours, as a multiple of the numbers' height: what is closer is
text."""

ASTRAY = 0.2
"""How far a number deviates from its position in its row, as a share of that distance: it is in the middle of its
button."""

LEAST, MOST = 7, 0.9
"""The height of a number: at least so many pixels, and at most this share of a cell's side."""

GROWN = 0.2
"""The margin around a mark that is examined, as a share of its height: a button's own ground."""

COUNTING = 0.75
"""The share of the numbers in a row or column that count up, if it is the one with the coordinates of columns or
rows."""

CROWD = 150
"""With more marks beside the board there is a picture or a page of text, and no pad is searched."""

CHANGED = 24
"""By how much (of 255) a channel must change to count: twice the effect of compression on a still picture."""

NEAR = 4
"""Numbers that a click on a cell opens appear within so many sides of the cell."""


class _Mark(NamedTuple):
    """A number beside the board. ``x``, ``y``: its middle, ``height``: its own, window pixels."""

    number: int
    x: float
    y: float
    height: int


def find(image: Image, places: Collection[Box], size: int) -> Mapping[int, Point]:
    """The middle of the button of each number from 1 to ``size`` beside the cells at ``places``: one row or column with
    equal steps, or several such rows below each other. Empty if they are not all seen; of several pads the one with the
    widest steps."""
    board, side = around(places), min(min(box.width, box.height) for box in places)
    marks = [mark for mark, _ in _numbers(image, side, size, lambda box: not board.contains(box.centre))]
    named: dict[int, list[_Mark]] = {n: [each for each in marks if each.number == n] for n in range(1, size + 1)}
    if not all(named.values()):
        return {}
    found = [pad for first in named[1] for second in named[2] for pad in _pads(first, second, named, size)]
    if not found:
        return {}
    widest = max(found, key=lambda pad: abs(pad[1].x - pad[0].x) + abs(pad[1].y - pad[0].y))
    return {mark.number: (round(mark.x), round(mark.y)) for mark in widest}


def popped(image: Image, before: Image, cell: Box, candidates: Collection[int], size: int) -> Mapping[int, Point]:
    """The positions of the ``candidates`` that appeared near ``cell`` since the picture ``before``: each of them once,
    all of one height. Within the cell they change places as it turns, but then none appears where nothing stood. Empty
    if they did not appear, and if the number after ``size``, that of the board's rows, appeared in a line with one of
    them: it is a list of levels."""
    came = largest_channel(cv2.absdiff(image, before)) > CHANGED
    side = min(cell.width, cell.height)
    near = Box(cell.x - NEAR * side, cell.y - NEAR * side, cell.width + 2 * NEAR * side, cell.height + 2 * NEAR * side)
    if len(candidates) < 2 or not came.any():
        return {}
    seen = _numbers(image, side, size + 1, lambda box: near.contains(box.centre) and bool(box.crop(came).any()))
    stood = {mark for mark, _ in _read(before, [box for _, box in seen], size + 1)}
    marks = [mark for mark, _ in seen if mark not in stood]
    for first in marks:
        alike = [each for each in marks if abs(each.height - first.height) <= SAME_HEIGHT * first.height]
        found = [each for each in alike if each.number in candidates]
        at = {each.number: (round(each.x), round(each.y)) for each in found}
        if any(_in_line(each, one) for each in alike if each.number > size for one in found):
            continue
        if len(found) == len(at) == len(candidates):
            if not all(map(cell.contains, at.values())):
                return at
            stands = [box for mark, box in seen if mark in found]
            return at if any(each.bare for each in ink.contents(before, stands)) else {}
    return {}


def _in_line(one: _Mark, other: _Mark) -> bool:
    """Whether two numbers stand in one row or column."""
    return min(abs(one.x - other.x), abs(one.y - other.y)) <= SAME_HEIGHT * one.height


def counts_on(image: Image, places: Sequence[Box]) -> bool:
    """Whether the positions of a row or column, in order, hold numbers that count up from 0 or 1, one in each: buttons
    as close to the board as its cells are to each other, or coordinates. A 0 is not read."""
    side, band = min(min(place.width, place.height) for place in places), around(places)
    seen = _numbers(image, side, len(places), lambda box: band.contains(box.centre))
    told = [[mark.number for mark, box in seen if place.contains(box.centre)] for place in places]
    if any(len(numbers) > 1 for numbers in told):
        return False
    beginnings = Counter(numbers[0] - at for at, numbers in enumerate(told) if numbers)
    return any(beginnings[first] >= COUNTING * (len(places) - 1 + first) for first in (0, 1))


def _numbers(image: Image, side: int, size: int, wanted: Callable[[Box], bool]) -> list[tuple[_Mark, Box]]:
    """What is read as a number up to ``size`` where it is ``wanted``, next to the box that was examined for it;
    ``side``: of a cell."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    boxes = []
    for x, y, width, height in lattice.side_by_side(lattice.marks(gray, 1)).tolist():
        if wanted(Box(x, y, width, height)) and LEAST <= height <= MOST * side and width <= 2 * height:
            rim = max(round(GROWN * height), 2)
            left, top = max(x - rim, 0), max(y - rim, 0)
            right, foot = min(x + width + rim, image.shape[1]), min(y + height + rim, image.shape[0])
            boxes.append(Box(left, top, right - left, foot - top))
    return _read(image, boxes, size) if len(boxes) <= CROWD else []


def _read(image: Image, boxes: Sequence[Box], size: int) -> list[tuple[_Mark, Box]]:
    """The content of ``boxes`` that is a number up to ``size``, with its box."""
    seen = [each for each in ink.contents(image, boxes) if not each.bare]
    found = []
    for each, tokens in zip(seen, glyphs.read_numbers([each.ink for each in seen]), strict=True):
        token, chance = tokens[0]
        if token.isdecimal() and 1 <= int(token) <= size and chance >= SURE:
            (x, y), height = each.box.centre, each.box.height
            found.append((_Mark(int(token), x, y, height), each.place))
    return found


def _pads(first: _Mark, second: _Mark, named: Mapping[int, Sequence[_Mark]], size: int) -> Iterator[list[_Mark]]:
    """The pads that begin with these two: in one line, or in rows (or columns) of equal length."""
    dx, dy = second.x - first.x, second.y - first.y
    step = max(abs(dx), abs(dy))
    if step < APART * first.height or min(abs(dx), abs(dy)) > ASTRAY * step or (dx if abs(dx) == step else dy) < 0:
        return
    for length in range(size, 1, -1):
        for below in named[length + 1] if length < size else (first,):
            u, v = below.x - first.x, below.y - first.y
            if length < size and (abs(u * dx + v * dy) > ASTRAY * step * step or max(u, v) < APART * first.height):
                continue  # not below (or beside) the first
            pad = []
            for n in range(1, size + 1):
                along, rows = (n - 1) % length, (n - 1) // length
                at = first.x + along * dx + rows * u, first.y + along * dy + rows * v
                near = [each for each in named[n] if _stands(each, at, first.height, ASTRAY * step)]
                pad += near[:1]
            if len(pad) == size:
                yield pad


def _stands(mark: _Mark, at: tuple[float, float], height: int, reach: float) -> bool:
    """Whether a number of that height stands there."""
    return max(abs(mark.x - at[0]), abs(mark.y - at[1])) <= reach and abs(mark.height - height) <= SAME_HEIGHT * height
