"""Buttons with the numbers 1, 2, 3 … beside the board, by which some windows give a cell its number: where they stand
in a picture. What is done with them is ``player``'s business."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Point, around
from autoplayer.vision import glyphs, ink, lattice

SURE = 0.5
"""How probable a number is at least that a button is believed to show."""

SAME_HEIGHT = 0.2
"""How far (a share of it) the heights of the numbers of one pad differ at most."""

APART = 1.3
"""Of the numbers' height, how far the middles of neighbours are apart at least: what stands closer is text."""

ASTRAY = 0.2
"""Of that distance, how far a number stands from where its row has it: it is in the middle of its button."""

LEAST, MOST = 7, 0.9
"""The height of a number: pixels, and of a cell's side."""

GROWN = 0.2
"""Of a mark's height, what is looked at around it: a button's own ground."""

CROWD = 150
"""Marks beside the board, beyond which there is a picture or a page of text and no pad is looked for."""


class _Mark(NamedTuple):
    """A number beside the board. ``x``, ``y``: its middle, ``height``: its own, window pixels."""

    number: int
    x: float
    y: float
    height: int


def find(image: Image, places: Collection[Box], size: int) -> Mapping[int, Point]:
    """The middle of the button of each number from 1 to ``size`` beside the cells at ``places``: one row or column of
    equal steps, or several such rows below one another. Empty where they are not all seen; of several pads, that of
    the widest steps."""
    marks = _numbers(image, places, size)
    named: dict[int, list[_Mark]] = {n: [each for each in marks if each.number == n] for n in range(1, size + 1)}
    if not all(named.values()):
        return {}
    found = [pad for first in named[1] for second in named[2] for pad in _pads(first, second, named, size)]
    if not found:
        return {}
    widest = max(found, key=lambda pad: abs(pad[1].x - pad[0].x) + abs(pad[1].y - pad[0].y))
    return {mark.number: (round(mark.x), round(mark.y)) for mark in widest}


def _numbers(image: Image, places: Collection[Box], size: int) -> list[_Mark]:
    """What is read as a number up to ``size`` outside the board."""
    board = around(places)
    side = min(min(box.width, box.height) for box in places)
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    boxes = []
    for x, y, width, height in lattice.side_by_side(lattice.marks(gray, 1)).tolist():
        inside = board.contains((x + width // 2, y + height // 2))
        if not inside and LEAST <= height <= MOST * side and width <= 2 * height:
            rim = max(round(GROWN * height), 2)
            left, top = max(x - rim, 0), max(y - rim, 0)
            right, foot = min(x + width + rim, image.shape[1]), min(y + height + rim, image.shape[0])
            boxes.append(Box(left, top, right - left, foot - top))
    if not size <= len(boxes) <= CROWD:
        return []
    seen = [each for each in ink.contents(image, boxes) if not each.bare]
    found = []
    for each, tokens in zip(seen, glyphs.read_numbers([each.ink for each in seen]), strict=True):
        token, chance = tokens[0]
        if token.isdecimal() and 1 <= int(token) <= size and chance >= SURE:
            (x, y), height = each.box.centre, each.box.height
            found.append(_Mark(int(token), x, y, height))
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
