"""Handles cells of Cross Set in which straight lines stand between the numbers, as in a fraction, a table or a list.
Returns the picture without these lines, so that the usual code reads these cells too. Knows no digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered
from autoplayer.vision import ink

FAINTEST = 12.0
"""The least difference in grey levels between a line and the cell's ground; the same for the objects that it
separates."""

THICKEST, SHORTEST, SLIM = 0.05, 6, 3
"""A line is no thicker than this share of its cell's shorter side, or two pixels; it is at least so many pixels long,
and so many times as long as thick."""

CORNER = 0.25
"""What round walls leave in a corner is smaller than this share of a cell."""

CLEAR = 0.3
"""If a line is longer than the objects at one side of it by at least this share, it is no line below a number."""

UNDER = 0.5
"""A line that is closer to the number above it than this share of the distance to what is below it is an underline."""

TALLER = 1.15
"""A vertical line is so many times as long as everything beside it: a 1 is as high as other digits."""

FILLED = 0.8
"""The least share of its box that a straight line fills: a bracket fills less."""

SPECK = 0.3
"""What is lower than this share of the highest object in a cell is too small to be separated by a line."""

FEWEST, MOST = 3, 0.8
"""The number of cells that have such lines, and their share of those with anything to separate."""

STRAY = 1
"""Pixels by which a line may be too short if the others of its board are not."""

ONE_COLOUR = 40.0
"""Grey levels by which the lines of a board differ in colour."""

PLACES = ("first", "last", "every")
"""Between which of the objects in a cell its lines stand."""


class _Line(NamedTuple):
    """``box``: window pixels. ``colour``: BGR."""

    box: Box
    colour: Floats


class _Things(NamedTuple):
    """The connected components of a cell, pixels from its corner, and those of them that are ``straight``."""

    every: list[Box]
    straight: frozenset[Box]

    def turned(self) -> _Things:
        return _Things([_turned(one) for one in self.every], frozenset(map(_turned, self.straight)))


class _Parted(NamedTuple):
    """The lines of a cell in one direction, and which of ``PLACES`` they take. ``several``: whether there is anything
    to separate."""

    lines: tuple[_Line, ...]
    places: frozenset[str]
    several: bool


def without_separators(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    """``image`` (BGR) without the lines that separate the numbers of a cell; None if cells have none. ``boxes``: the
    inside of each cell, window pixels."""
    result: Image | None = None
    things = {cell: _things(image, box, noise) for cell, box in boxes.items()}
    for across in (True, False):
        parted = {cell: _parted(image, things[cell], box, across, 0) for cell, box in boxes.items()}
        lines = [one for one in parted.values() if one.lines]
        if len(lines) < FEWEST or len(lines) < MOST * sum(one.several for one in parted.values()):
            continue
        often = max(sum(place in one.places for one in lines) for place in PLACES)
        colours = np.stack([line.colour for one in lines for line in one.lines])
        if often < len(lines) or float(np.ptp(colours, axis=0).max()) > ONE_COLOUR:
            continue
        result = image.copy() if result is None else result
        places = {_place(line.box, boxes[cell], across) for cell, one in parted.items() for line in one.lines}
        for cell, box in boxes.items():
            # A fraction's line may be a pixel shorter than one of its numbers.
            one = parted[cell] if parted[cell].lines else _parted(image, things[cell], box, across, STRAY)
            ground = ink.ground_colour(box.crop(image))
            own = [line.box for line in one.lines] or _at_places(things[cell], box, places, across)
            for line in own:
                _wiped(result, box, line, ground)
    return result


def _place(line: Box, cell: Box, across: bool) -> tuple[int, int]:
    """A line's distance from its cell's side, and its length."""
    return (line.y - cell.y, line.width) if across else (line.x - cell.x, line.height)


def _at_places(things: _Things, cell: Box, places: Set[tuple[int, int]], across: bool) -> list[Box]:
    """The lines of a cell with nothing at one side of them, at the positions of those of other cells."""
    moved = (Box(cell.x + one.x, cell.y + one.y, one.width, one.height) for one in things.straight)
    lines = [one for one in moved if _is_long(one if across else _turned(one), _thickest(cell))]
    near = range(-STRAY, STRAY + 1)
    return [
        one
        for one in lines
        if any((at + i, long + k) in places for at, long in (_place(one, cell, across),) for i in near for k in near)
    ]


def _thickest(cell: Box) -> float:
    return max(2.0, THICKEST * min(cell.width, cell.height))


@remembered
def _things(image: Image, cell: Box, noise: float) -> _Things:
    """The connected components of a cell; a line that runs through it is one of them."""
    patch = cell.crop(image)
    if patch.shape[:2] != (cell.height, cell.width):
        return _Things([], frozenset())
    away = largest_channel(np.abs(patch.astype(np.float32) - ink.ground_colour(patch)))
    strong = np.asarray(away > FAINTEST + 3 * noise, np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(strong, connectivity=8)
    found = [(Box(*map(int, one[:4])), int(one[4])) for one in stats[1:] if one[4] > 1]
    straight = frozenset(box for box, area in found if area >= FILLED * box.width * box.height)
    return _Things([box for box, _ in found], straight)


def _turned(box: Box) -> Box:
    return Box(box.y, box.x, box.height, box.width)


def _parted(image: Image, things: _Things, cell: Box, across: bool, stray: int) -> _Parted:
    """``across``: lines from side to side, which stand between what is above and what is below. ``stray``: pixels by
    which they may be shorter than that."""
    if not across:  # as if it were turned
        things = things.turned()
    width, height = (cell.width, cell.height) if across else (cell.height, cell.width)
    thickest = _thickest(cell)
    # What is left of walls touches only one side.
    inner = [
        one
        for one in things.every
        if not _in_corner(one, width, height)
        and not ((one.y == 0 or one.y + one.height == height) and one.height <= thickest)
        and not ((one.x == 0 or one.x + one.width == width) and one.width <= thickest)
    ]
    lines = sorted((one for one in inner if one in things.straight and _is_long(one, thickest)), key=lambda one: one.y)
    rest = [one for one in inner if one not in lines]
    none = _Parted((), frozenset(), _several(rest))
    if not lines or not rest:
        return none
    ends = [-1, *(one.y + one.height / 2 for one in lines), height]
    between = [[one for one in rest if low < one.y + one.height / 2 < high] for low, high in pairwise(ends)]
    while len(between) > 1 and not between[-1]:
        between, lines = between[:-1], lines[:-1]
    while len(between) > 1 and not between[0]:
        between, lines = between[1:], lines[1:]
    if not lines or not all(between):
        return none
    for line, above, below in zip(lines, between, between[1:], strict=False):
        if not _parts(line, above, below, stray) or (not across and line.width < TALLER * max(o.width for o in rest)):
            return none
    found = []
    for own in lines if across else map(_turned, lines):
        box = Box(cell.x + own.x, cell.y + own.y, own.width, own.height)
        found.append(_Line(box, np.asarray(image[box.y + box.height // 2, box.x + box.width // 2], np.float32)))
    rows = [len(_rows(one)) for one in between]
    places = {"first"} if len(lines) == 1 and rows[0] == 1 else set()
    places |= {"last"} if len(lines) == 1 and rows[-1] == 1 else set()
    places |= {"every"} if max(rows) == 1 else set()
    return _Parted(tuple(found), frozenset(places), True)


def _in_corner(one: Box, width: int, height: int) -> bool:
    """Whether something is what round walls leave in a corner."""
    at_side = one.x == 0 or one.x + one.width == width
    at_end = one.y == 0 or one.y + one.height == height
    return at_side and at_end and max(one.width / width, one.height / height) < CORNER


def _is_long(one: Box, thickest: float) -> bool:
    return one.height <= thickest and one.width >= max(SHORTEST, SLIM * one.height)


def _parts(line: Box, above: Sequence[Box], below: Sequence[Box], stray: int) -> bool:
    """Whether a line stands between two objects and belongs to neither: a stroke of a segment digit is shorter than the
    objects on both sides of it, and an underline is close to its number."""

    def ends(things: Sequence[Box]) -> tuple[int, int]:
        return min(o.x for o in things), max(o.x + o.width for o in things)

    sides = ends(above), ends(below)
    if not any(line.x - stray <= left and right <= line.x + line.width + stray for left, right in sides):
        return False
    over = line.y - max(o.y + o.height for o in above)
    under = min(o.y for o in below) - line.y - line.height
    if min(over, under) < 1:
        return False
    widest = max(right - left for left, right in sides)
    return line.width > (1 + CLEAR) * widest or over > UNDER * under


def _rows(things: Sequence[Box]) -> list[tuple[int, int]]:
    """The vertical extents of objects; overlapping ones are merged."""
    found: list[tuple[int, int]] = []
    for top, end in sorted((o.y, o.y + o.height) for o in things):
        if found and top < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((top, end))
    return found


def _several(things: Sequence[Box]) -> bool:
    """Whether things stand one below the other."""
    high = max((o.height for o in things), default=0)
    return len(_rows([o for o in things if o.height > SPECK * high])) > 1


def _wiped(image: Image, cell: Box, line: Box, ground: Floats) -> None:
    """Paints over a line including its soft edge."""
    left, top = max(line.x - 1, cell.x), max(line.y - 1, cell.y)
    right, bottom = (
        min(line.x + line.width + 1, cell.x + cell.width),
        min(line.y + line.height + 1, cell.y + cell.height),
    )
    image[top:bottom, left:right] = np.rint(ground)
