"""Where the tiles of a board stand in a picture, and which place is empty.

A *ground* is what lies between and around the tiles. Each ground that a picture may have is tried; what is no ground,
in runs of equal length, makes the rows and columns of a board; where tiles touch, its one run is divided by two, three
and so on, as the empty place has it. A board is taken where exactly one of its places shows nothing but ground.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.ground import Ground, grounds
from autoplayer.games.continuity.seeing.masks import read_masks
from autoplayer.games.continuity.seeing.sight import Bools, Tiles, View
from autoplayer.games.continuity.seeing.things import read_things
from autoplayer.games.continuity.world import BLANK

MOST = 5
"""Rows and columns."""
LEAST_SIDE = 40
"""Pixels; in a smaller tile there is no room to be seen."""
LEAST_SHARE = 0.12
"""The share of the picture that all places of a board take at least."""
SMALL = 0.1
"""What is lower and narrower than this share of the picture is writing, or another thing that is no tile."""
EDGE = 3
"""Pixels by which the edges of tiles are looked for beside where the ground ends."""
SHADOW = 0.04
"""The same as a share of a tile's longer side, where they stand apart: they may have shadows."""
CLEARER, CLEAR = 3.0, 4.0
"""How many times stronger an edge is there, and grey levels in the mean besides, where tiles have shadows."""
MOST_RUNS = 14
"""In a profile with more of them no board is looked for."""
EMPTY = 0.02
"""The share of the empty place that may be no ground: noise, a pointer."""
FULL = 0.08
"""The share of each other place that is no ground at least."""
BESIDE, BESIDE_ALONE = 0.3, 0.6
"""Where tiles touch, the share of the sides of those beside the empty place that is no ground at least: the ground ends
with the empty place, but not where one tile from near is cut into squares; and where no ground is seen but there."""


@dataclass(frozen=True)
class Board:
    """``boxes``: the places row by row, all of one size, window pixels; ``blank``: which of them is empty."""

    rows: int
    columns: int
    boxes: tuple[Box, ...]
    blank: int
    ground: Ground
    filled: float
    """How well the tiles fill their places up to the sides, 0 to 1."""
    covered: float
    """The share of what is no ground, and no writing, that stands in the places."""

    @property
    def cells(self) -> tuple[int, ...]:
        """The tiles numbered as they lie."""
        numbers = iter(range(len(self.boxes) - 1))
        return tuple(BLANK if place == self.blank else next(numbers) for place in range(len(self.boxes)))

    def pictures(self, image: Image) -> tuple[Image, ...]:
        """The tiles' pictures, without the empty place."""
        return tuple(
            np.ascontiguousarray(box.crop(image)) for place, box in enumerate(self.boxes) if place != self.blank
        )


@dataclass(frozen=True)
class _Axis:
    """One direction of a board: where its places begin, and their length."""

    starts: tuple[int, ...]
    length: int
    apart: bool
    """Whether there is ground between the places."""


def find_board(image: Image) -> Board:
    """The board in ``image``. Raises UnreadableError where there is none with exactly one empty place."""
    found: list[tuple[float, Board]] = []
    for ground in grounds(image) if min(image.shape[:2]) >= 2 * LEAST_SIDE else ():
        field = _Field(ground)
        found += ((_worth(board, field), board) for board in _boards(field, ground))
    if not found:
        raise UnreadableError(
            "no board of Continuity is seen: expected tiles of equal size in rows and columns, with exactly one place "
            "empty; change to the view in which tiles are moved"
        )
    board = max(found, key=lambda each: each[0])[1]
    return board if board.ground.kind == "flat" else _refined(board, image)


def _refined(board: Board, image: Image) -> Board:
    """``board`` with its edges where the picture changes most, a few pixels beside those of a ground that is not sure
    to the pixel."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float64)
    columns = _sharp(board, gray, [(box.x, box.y, box.width, box.height) for box in board.boxes], board.columns, 1)
    upright = [(box.y, box.x, box.height, box.width) for box in board.boxes]
    rows = _sharp(board, gray.T, upright, board.rows, board.columns)
    (starts, width), (tops, height) = columns, rows
    boxes = tuple(Box(x, y, width, height) for y in tops for x in starts)
    return replace(board, boxes=boxes)


def _reach(board: Board, length: int) -> int:
    """Pixels by which an edge is looked for beside where the ground ends."""
    longer = max(board.boxes[0].width, board.boxes[0].height)
    return max(EDGE, min(round(SHADOW * longer), round(1.5 * SHADOW * length)))


def _leave(scores: NDArray[np.float64], near: int) -> None:
    """Of the edges of one direction leave those that are ``near`` pixels beside where they were found; farther inside
    only where they are far clearer there, as where tiles have shadows. ``scores``: shape ``(2, places, shifts)``."""
    reach = scores.shape[2] // 2
    shifts = np.arange(-reach, reach + 1)
    for side, inwards in ((scores[0], shifts), (scores[1], -shifts)):
        sums = side.sum(axis=0)
        close = np.abs(shifts) <= near
        clear = (inwards > near) & (sums > CLEARER * sums[close].max() + CLEAR * len(side))
        side[:, ~(clear if clear.any() else close)] = -1.0


def _sharp(
    board: Board, gray: NDArray[np.float64], boxes: Sequence[tuple[int, int, int, int]], count: int, step: int
) -> tuple[list[int], int]:
    """Where the places of one direction begin, and their length: ``boxes`` with that direction first; ``step`` from a
    place to the next in it."""
    starts = [boxes[n * step][0] for n in range(count)]
    length = boxes[0][2]
    touching = count > 1 and starts[1] - starts[0] <= length + 1
    # No farther than to the middle between two tiles, or the next one's edge is found.
    reach = EDGE if touching or count < 2 else max(min(_reach(board, length), (starts[1] - starts[0] - length) // 2), 1)
    shifts = range(-reach, reach + 1)
    scores = np.zeros((2, count, len(shifts)))
    for n, (start, across, _, breadth) in enumerate(boxes):
        if n == board.blank:
            continue
        at = n // step % count
        part = gray[across : across + breadth]
        for side, edge, beyond in ((0, start, -1), (1, start + length, 1)):
            beside = n + beyond * step
            if touching and 0 <= at + beyond < count and beside != board.blank:
                continue
            for k, shift in enumerate(shifts):
                x = edge + shift
                if 0 < x < gray.shape[1]:
                    scores[side, at, k] += np.abs(part[:, x] - part[:, x - 1]).mean() - 0.01 * abs(shift)
                elif x in (0, gray.shape[1]) and shift == 0:
                    scores[side, at, k] += 1.0
    _leave(scores, min(EDGE, reach))
    if touching:
        first, last = (shifts[int(scores[side].sum(axis=0).argmax())] for side in (0, 1))
        begin, end = starts[0] + first, starts[-1] + length + last
        starts = [begin + round(n * (end - begin) / count) for n in range(count + 1)]
        return starts[:-1], min(b - a for a, b in pairwise(starts))
    moved = scores.argmax(axis=2) - reach
    begins, ends = starts + moved[0], np.array(starts) + length + moved[1]
    pitch = float(np.median(np.diff((begins + ends) / 2))) if count > 1 else 0.0
    middle = float(np.median((begins + ends) / 2 - np.arange(count) * pitch))
    length = round(float(np.median(ends - begins)))
    return [round(middle + n * pitch - length / 2) for n in range(count)], length


def _worth(board: Board, field: _Field) -> float:
    """How much a board is to be believed: its tiles fill their places, and it takes much of the picture."""
    box, last = board.boxes[0], board.boxes[-1]
    area = (last.x + last.width - box.x) * (last.y + last.height - box.y) / field.mask.size
    inside = float(field.inside([_corners(each) for each in board.boxes]).sum())
    doubt = 0.03 * (board.ground.kind == "pressed")
    return board.filled - doubt + 0.3 * area + inside / max(field.total, 1.0) - 0.02 * len(board.boxes)


class _Field:
    """What is no ground and no writing, shape ``(height, width)``, with sums for boxes in it."""

    def __init__(self, ground: Ground) -> None:
        self.mask = _without_writing(~ground.mask)
        self.total = float(np.count_nonzero(self.mask))
        self._sums = cv2.integral(self.mask.view(np.uint8))

    def inside(self, boxes: Sequence[tuple[int, int, int, int]]) -> NDArray[np.float64]:
        """How many of the pixels of each box (left, top, right, bottom), which is cut off at the picture's edges."""
        height, width = self.mask.shape
        x0, y0, x1, y1 = np.clip(np.array(boxes).T, 0, np.array([[width], [height], [width], [height]]))
        found: NDArray[np.float64] = (
            self._sums[y1, x1] - self._sums[y0, x1] - self._sums[y1, x0] + self._sums[y0, x0]
        ).astype(np.float64)
        return found

    def columns(self, rows: _Axis) -> NDArray[np.float64]:
        """For each column its share in so many rows of places."""
        total = sum((self._sums[start + rows.length] - self._sums[start] for start in rows.starts), np.int32(0))
        found: NDArray[np.float64] = np.diff(total) / (rows.length * len(rows.starts))
        return found


def _boards(field: _Field, ground: Ground) -> Iterator[Board]:
    """Boards on one ground."""
    height, width = field.mask.shape
    for rows in _axes(field.mask.mean(axis=1) > 0.004, height):
        for columns in _axes(field.columns(rows) > 0.004, width):
            board = _board(field, ground, rows, columns)
            if board is not None:
                yield board


def _without_writing(other: Bools) -> Bools:
    """``other`` without what is too small to be a part of a tile."""
    height, width = other.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(other.astype(np.uint8), connectivity=8)
    keep = (stats[:, cv2.CC_STAT_WIDTH] > SMALL * width) | (stats[:, cv2.CC_STAT_HEIGHT] > SMALL * height)
    keep &= stats[:, cv2.CC_STAT_AREA] > 30
    keep[0] = False
    kept: Bools = keep[labels]
    return kept if count > 1 else other


def _runs(filled: Bools, least: int) -> list[tuple[int, int]]:
    """``(start, length)`` of what is True in a row."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], filled.astype(np.int8), [0]))))
    return [(int(a), int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= least]


def _axes(filled: Bools, size: int) -> Iterator[_Axis]:
    """Every way to see places of one length at equal distances in a profile."""
    runs = _runs(filled, 3)
    for i in range(len(runs)):
        same = [run for run in runs if abs(run[1] - runs[i][1]) <= 2 + 0.01 * runs[i][1] and run[1] >= LEAST_SIDE]
        if not same or same[0] != runs[i]:
            continue
        for a in range(len(same)):
            for b in range(a + 2, min(a + MOST, len(same)) + 1):
                starts = [start for start, _ in same[a:b]]
                steps = np.diff(starts)
                if steps.max() - steps.min() <= 3 and steps.mean() <= 2 * runs[i][1]:
                    yield _Axis(tuple(starts), round(float(np.median([n for _, n in same[a:b]]))), True)
    if len(runs) <= MOST_RUNS:
        yield from _broken(runs, size)
    for start, length in runs:
        for count in range(2, MOST + 1):
            if length / count >= LEAST_SIDE and length >= 0.2 * size:
                starts = [start + round(k * length / count) for k in range(count + 1)]
                yield _Axis(tuple(starts[:-1]), min(b - a for a, b in pairwise(starts)), False)


def _broken(runs: Sequence[tuple[int, int]], size: int) -> Iterator[_Axis]:
    """Places at equal distances that are filled in part only, so that a run is broken where all tiles beside each other
    look like the ground: no run reaches out of a place, and each place has a run that begins or ends with it."""
    starts, ends = [a for a, _ in runs], [a + n for a, n in runs]
    for first in starts:
        for length in (end - first for end in ends if end - first >= LEAST_SIDE):
            for second in {*starts, *(end - length for end in ends)}:
                step = second - first
                if not length + 2 < step <= 1.7 * length:
                    continue
                for count in range(MOST, 1, -1):
                    places = [first + k * step for k in range(count)]
                    if places[-1] + length <= size and _kept(runs, places, length):
                        yield _Axis(tuple(places), length, True)
                        break


def _kept(runs: Sequence[tuple[int, int]], places: Sequence[int], length: int) -> bool:
    """Whether runs stay inside places, and each place has one at its begin or end."""
    touched = set()
    for start, size in runs:
        if start + size <= places[0] - 2 or start >= places[-1] + length + 2:
            continue
        inside = [n for n, at in enumerate(places) if at - 2 <= start and start + size <= at + length + 2]
        if not inside:
            return False
        at = places[inside[0]]
        if abs(start - at) <= 2 or abs(start + size - at - length) <= 2:
            touched.add(inside[0])
    return len(touched) == len(places)


def _corners(box: Box) -> tuple[int, int, int, int]:
    return box.x, box.y, box.x + box.width, box.y + box.height


def _board(field: _Field, ground: Ground, rows: _Axis, columns: _Axis) -> Board | None:
    other = field.mask
    number, area = len(rows.starts) * len(columns.starts), rows.length * columns.length
    if number * area < LEAST_SHARE * other.size or not 0.2 <= columns.length / rows.length <= 5:
        return None
    corners = [(x, y, x + columns.length, y + rows.length) for y in rows.starts for x in columns.starts]
    shares = field.inside(corners) / area
    empty = np.flatnonzero(shares <= EMPTY)
    if len(empty) != 1 or np.sort(shares)[1] < FULL:
        return None
    blank = int(empty[0])
    boxes = tuple(Box(x, y, columns.length, rows.length) for y in rows.starts for x in columns.starts)
    last = boxes[-1]
    alone = max(boxes[0].x, boxes[0].y, other.shape[1] - last.x - last.width, other.shape[0] - last.y - last.height) < 6
    if _beside_blank(other, boxes, blank, rows, columns) < (BESIDE_ALONE if alone else BESIDE):
        return None
    filled = _sides(field, [each for place, each in enumerate(corners) if place != blank])
    if filled.max(axis=0).min() < 0.3 or filled.mean() < 0.25:
        return None
    covered = float(shares.sum()) * area / max(field.total, 1.0)
    return Board(len(rows.starts), len(columns.starts), boxes, blank, ground, float(filled.mean()), covered)


def _beside_blank(other: Bools, boxes: Sequence[Box], blank: int, rows: _Axis, columns: _Axis) -> float:
    """The share that is no ground of those sides of tiles that touch the empty place; 1 where none does."""
    row, column = divmod(blank, len(columns.starts))
    found: list[Bools] = []
    for axis, at, step in ((rows, row, len(columns.starts)), (columns, column, 1)):
        for way in (-1, 1):
            if axis.apart or not 0 <= at + way < len(axis.starts):
                continue
            place = boxes[blank + way * step].crop(other)
            place = place if axis is rows else place.T
            found.append(np.logical_or.reduce(place[1:4] if way > 0 else place[-4:-1], axis=0))
    return float(np.concatenate(found).mean()) if found else 1.0


def _sides(field: _Field, corners: Sequence[tuple[int, int, int, int]]) -> NDArray[np.float64]:
    """Of each side (left, right, top, bottom) of places the share that is no ground: shape ``(places, 4)``."""
    found = []
    for strips, length in (
        ([(x, y, x + 2, v) for x, y, _, v in corners], corners[0][3] - corners[0][1]),
        ([(u - 2, y, u, v) for _, y, u, v in corners], corners[0][3] - corners[0][1]),
        ([(x, y, u, y + 2) for x, y, u, _ in corners], corners[0][2] - corners[0][0]),
        ([(x, v - 2, u, v) for x, _, u, v in corners], corners[0][2] - corners[0][0]),
    ):
        found.append(field.inside(strips) / (2 * length))
    return np.stack(found, axis=1)


def read_tiles(image: Image, *, view: View = "sliding") -> Tiles:
    """The board in ``image`` with its rooms; the picture must show all of it, best in the view in which tiles are
    moved. Raises UnreadableError where no board is seen."""
    board = find_board(image)
    pictures = board.pictures(image)
    masks = read_masks(pictures)
    things, spikes, doubts = read_things(pictures, masks.solid)
    return Tiles(
        board.rows, board.columns, board.cells, board.boxes, pictures, masks.solid, spikes, things, view,
        (*masks.doubts, *doubts),
    )  # fmt: skip
