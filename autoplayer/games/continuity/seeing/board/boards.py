"""Finds the positions of the tiles of a board in a picture, and the empty place.

A *ground* is what lies between and around the tiles. Each ground that a picture may have is tried. What is not ground
forms runs of equal length, which give the rows and columns of a board; if tiles touch, their single run is divided by
two, three and so on, according to the empty place. A board is accepted if exactly one of its places shows nothing but
ground, or is uniform while the others are rooms. Of several hypotheses the one whose sides lie on edges of the picture
wins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.board.empties import Looks, alike
from autoplayer.games.continuity.seeing.board.outer import openings, with_outer_walls
from autoplayer.games.continuity.seeing.board.panels import panel, without_bars, without_shadows
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.borders import EDGE, Axis, Borders, divided
from autoplayer.games.continuity.seeing.walls.ground import Ground, grounds, noise
from autoplayer.games.continuity.world import BLANK
from autoplayer.vision.components import components

MOST = 5
"""The most rows and columns."""
LEAST_SIDE = 40
"""Pixels; a smaller tile has no room for details."""
LEAST_SHARE = 0.06
"""The least share of the picture that all places of a board take: a map may be small."""
SMALL = 0.1
"""What is lower and narrower than this share of the picture is text, or something else that is no tile."""
FILLED = (0.004, 0.1)
"""The shares of a row or column of pixels from which on it is no ground between tiles: 0 in a clean picture, more in a
compressed one, or if the ground is grainy."""
STANDING = 0.4
"""The same as a share of the maximum over all rows or columns: what is beside the tiles and touches them, such as
clouds behind them, takes less. The row of the empty place has half as much as the others if there are two columns."""
AIRY = (0.25, 0.33, 0.4, 0.48, 0.6, 0.8)
"""The same if the walls look like the ground: in the rows of the walls only openings are visible."""
LIT = 0.08
"""The share by which one run may be longer: a line may surround the selected tile."""
OVER = 2
"""Pixels by which the last of places of equal length may extend beyond the picture: at its rim no soft edge is seen."""
MOST_RUNS = 14
"""In a profile with more runs no board is searched."""
FEW_RUNS, OPENINGS = 5, 0.25
"""The most runs in which touching tiles may appear, and the share of their length that lies between them."""
EMPTY = 0.02
"""The share of the empty place that may be no ground: noise, a pointer."""
LINED = 0.15
"""The same including its rim, which may be drawn as a line."""
RIM = 0.04
"""The greatest thickness of such a line, as a share of a place's shorter side."""
FULL = 0.08
"""The least share of each other place that is no ground."""
BESIDE, BESIDE_ALONE = 0.3, 0.6
"""If tiles touch: the least share of the sides adjacent to the empty place that is no ground, because the ground
ends with the empty place (not so if one tile seen from near is cut into squares); and the same if no other ground is
seen."""
NONE = 0.05
"""The least share of each of these sides alone: a corner of a room. With less the ground goes on in the next place."""
DEPTHS, LENIENT = (0.0, 0.025, 0.05), 0.3
"""How far inside their sides, as shares of the shorter one, places are examined for what fills them; and the bonus for
what is not at the side itself."""
SEEN, SEEN_EMPTY = 0.55, 0.5
"""The least shares of all sides, and of those of the empty place, that lie on edges if it shows no ground."""
LEAST = 2.2
"""The least score of a board."""
ENOUGH = 3.45
"""The score of a board from which on no other ground is tried: the maximum less a tenth or two."""
GOOD = 3.3
"""The score of a board from which on bars along the sides of the picture are not removed for another attempt."""
INSIDE = -0.05
"""The bonus of a board on a panel or inside a frame; negative, because a part of a board may look like one."""
WEIGHTS = 0.6, 0.5, 0.5
"""The weights of the edges on which the sides lie: all, those of the worst direction, those of the empty place."""


@dataclass(frozen=True)
class Board:
    """``boxes``: the places row by row, all of one size, window pixels; ``blank``: the index of the empty one."""

    rows: int
    columns: int
    boxes: tuple[Box, ...]
    blank: int

    @property
    def cells(self) -> tuple[int, ...]:
        """The tiles numbered as they lie."""
        numbers = iter(range(len(self.boxes) - 1))
        return tuple(BLANK if place == self.blank else next(numbers) for place in range(len(self.boxes)))

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """Its rows and columns, treated as separate places."""
        first = self.boxes[0]
        rows = Axis(tuple(box.y for box in self.boxes[:: self.columns]), first.height, True)
        return rows, Axis(tuple(box.x for box in self.boxes[: self.columns]), first.width, True)

    def pictures(self, image: Image) -> tuple[Image, ...]:
        """The tiles' pictures, without the empty place."""
        return tuple(
            np.ascontiguousarray(box.crop(image)) for place, box in enumerate(self.boxes) if place != self.blank
        )


@dataclass(frozen=True)
class _Guess:
    """A board hypothesis. ``filled``: how well the tiles fill their places up to the sides; ``covered``: the share of
    what is neither ground nor text that lies in the places; ``even``: whether the empty place is uniform instead of
    ground."""

    rows: Axis
    columns: Axis
    blank: int
    kind: str
    filled: float
    covered: float
    even: bool


def find_board(image: Image) -> Board:
    """The board in ``image``. Raises UnreadableError where there is none with exactly one empty place."""
    if min(image.shape[:2]) >= 2 * LEAST_SIDE:
        borders = Borders(image, noise(image))
        best = _best(image, borders)
        if best is not None:
            board = _settled(best, borders)
            board = replace(board, boxes=without_shadows(image, board.boxes, board.blank))
            if best.even or best.kind != "flat" or not _open_out(board, image):
                return board
            return _airy(image, borders) or _walled(board, image) or board
        airy = _airy(image, borders)
        if airy is not None:
            return airy
    raise UnreadableError(
        "no board of Continuity is seen: expected tiles of equal size in rows and columns, with exactly one place "
        "empty; change to the view in which tiles are moved"
    )


def _best(image: Image, borders: Borders) -> _Guess | None:
    """The hypothesis with the highest score; once one is good enough no further grounds are tried."""
    looks, most = Looks(image), LEAST
    best: _Guess | None = None
    height, width = image.shape[:2]
    views = [Box(0, 0, width, height)]
    without: list[Box] = []
    for box in views:
        for ground in grounds(box.crop(image), few=box in without):
            field = _Field(ground)
            if box is views[0]:
                parts = [*field.parts, *_large(ground.mask)[2]] if ground.kind == "flat" else field.parts
                views += [each for part in parts if (each := panel(image, part)) and each not in views]
            for guess in _guesses(field, ground.kind, box, looks):
                worth = _plain_worth(guess, image) + INSIDE * (box is not views[0])
                if worth + sum(WEIGHTS) <= most:
                    continue
                worth += _seen(guess, borders)
                if worth > most and guess.even:
                    worth -= _like_empty(guess, image)
                if worth > most:
                    best, most = guess, worth
            if most >= ENOUGH:
                return best
        if box is views[0] and most < GOOD:
            without = [each for each in islice(without_bars(borders, width, height), 2) if each not in views]
            views += without
    return best


def _settled(guess: _Guess, borders: Borders) -> Board:
    """A board with its sides aligned to the edges of the picture."""
    rows, columns = borders.settled(guess.rows, guess.columns, guess.blank)
    return Board(len(rows.starts), len(columns.starts), boxes_of(rows, columns), guess.blank)


def _open_out(board: Board, image: Image) -> bool:
    """Whether the tiles of a board have openings that lead out of their places: then walls around them look like the
    ground."""
    return openings(~alike(image, board.boxes[board.blank]), *board.axes, board.blank) is not None


def _walled(board: Board, image: Image) -> Board | None:
    """The board including walls round its rooms that look like the ground; None if there are none."""
    other = ~alike(image, board.boxes[board.blank])
    grown = with_outer_walls(other, *board.axes, board.blank)
    if grown is None:
        return None
    boxes = boxes_of(*grown)
    empty = boxes[board.blank].crop(other)
    return replace(board, boxes=boxes) if empty.size and empty.mean() <= EMPTY else None


def _airy(image: Image, borders: Borders) -> Board | None:
    """The board of which only the air of its rooms differs from the likeliest ground; None if there is none: the
    thickness of its walls must be visible."""
    best = None
    for ground in islice(grounds(image, few=True), 1):
        field = _Field(ground)
        whole = Box(0, 0, image.shape[1], image.shape[0])
        most = LEAST
        for guess in _guesses(field, ground.kind, whole, None, AIRY):
            worth = _plain_worth(guess, image) + _seen(guess, borders)
            board = None if worth <= most else _walled(_settled(guess, borders), image)
            if board is not None:
                best, most = board, worth
    return best


def boxes_of(rows: Axis, columns: Axis) -> tuple[Box, ...]:
    """The places of a board with these rows and columns, row by row, window pixels."""
    return tuple(Box(x, y, columns.length, rows.length) for y in rows.starts for x in columns.starts)


def _plain_worth(guess: _Guess, image: Image) -> float:
    """A score: its tiles fill their places, and it takes much of the picture."""
    size = [axis.starts[-1] + axis.length - axis.starts[0] for axis in (guess.rows, guess.columns)]
    area = size[0] * size[1] / (image.shape[0] * image.shape[1])
    doubt = 0.03 * (guess.kind == "pressed") + 0.02 * len(guess.rows.starts) * len(guess.columns.starts)
    return float(guess.filled + guess.covered + 0.3 * area - doubt)


def _seen(guess: _Guess, borders: Borders) -> float:
    """The additional score for sides on edges; minus infinity if it is no board."""
    sides = borders.evidence(guess.rows, guess.columns, guess.blank)
    if guess.even and (sides.mean < SEEN or sides.empty < SEEN_EMPTY):
        return -math.inf
    return float(sum(weight * share for weight, share in zip(WEIGHTS, sides, strict=True)))


def _like_empty(guess: _Guess, image: Image) -> float:
    """By how much less the tiles fill their places if what looks like the empty place is not one of them."""
    box = boxes_of(guess.rows, guess.columns)[guess.blank]
    field = _Field(Ground(alike(image, box), guess.kind))
    corners = [each for n, each in enumerate(_corners(guess.rows, guess.columns)) if n != guess.blank]
    return max(guess.filled - float(_sides(field, corners).mean()), 0.0)


class _Field:
    """The mask of what is neither ground nor text, shape ``(height, width)``, with an integral image; ``parts``: the
    bounding boxes of its connected components."""

    def __init__(self, ground: Ground) -> None:
        self.mask, self.parts = _without_writing(~ground.mask)
        self.total = float(np.count_nonzero(self.mask))
        self._sums = cv2.integral(self.mask.view(np.uint8))

    def inside(self, boxes: Sequence[tuple[int, int, int, int]]) -> NDArray[np.float64]:
        """How many of the pixels of each box (left, top, right, bottom), which is cut off at the picture's edges."""
        height, width = self.mask.shape
        x0, y0, x1, y1 = np.minimum(np.maximum(np.array(boxes).T, 0), [[width], [height], [width], [height]])
        found: NDArray[np.float64] = (
            self._sums[y1, x1] - self._sums[y0, x1] - self._sums[y1, x0] + self._sums[y0, x0]
        ).astype(np.float64)
        return found

    def columns(self, rows: Axis) -> NDArray[np.float64]:
        """For each column its share in so many rows of places."""
        total = sum((self._sums[start + rows.length] - self._sums[start] for start in rows.starts), np.int32(0))
        found: NDArray[np.float64] = np.diff(total) / (rows.length * len(rows.starts))
        return found


def _guesses(
    field: _Field, kind: str, view: Box, looks: Looks | None, shares: Sequence[float] = ()
) -> Iterator[_Guess]:
    """Board hypotheses on one ground in a part of the picture. ``looks``: tells an even place that is empty; None where
    the empty place must be ground. ``shares``: the share of the maximum over rows or columns of pixels from which on
    one belongs to a room, if not every non-ground pixel counts."""
    height, width = field.mask.shape
    for rows in _profiled(field.mask.mean(axis=1), height, shares):
        for columns in _profiled(field.columns(rows), width, shares):
            guess = _guess(field, kind, rows, columns, view, looks)
            if guess is not None:
                yield guess


def _profiled(shares: NDArray[np.float64], size: int, of_most: Sequence[float] = ()) -> Iterator[Axis]:
    """All interpretations of a profile as places, without duplicates."""
    seen: set[Axis] = set()
    most = float(shares.max())
    levels = [share * most for share in of_most] or FILLED
    found = [axis for least in levels for axis in _axes(shares > least, size)]
    if not of_most:  # what differs by a few pixels is the same axis: its sides are aligned to edges later
        others = _apart(_runs(shares > STANDING * most, 3))
        found += [axis for axis in others if not any(_close(axis, each) for each in found)]
    for each in found:
        over = max(each.starts[-1] + each.length - size, 0)
        axis = each._replace(length=each.length - over)
        if axis not in seen and over <= OVER:
            seen.add(axis)
            yield axis


def _close(one: Axis, other: Axis) -> bool:
    """Whether two axes have as many places, and these begin and end within a few pixels of each other."""
    if len(one.starts) != len(other.starts):
        return False
    off = np.abs(np.subtract(one.starts, other.starts)).max() + abs(one.length - other.length)
    return bool(off <= EDGE)


def _without_writing(other: Bools) -> tuple[Bools, list[Box]]:
    """``other`` without components too small to be a part of a tile, and the boxes of the remaining ones."""
    keep, labels, boxes = _large(other)
    kept: Bools = keep[labels]
    return (kept, boxes) if len(keep) > 1 else (other, [])


def _large(mask: Bools) -> tuple[Bools, NDArray[np.int32], list[Box]]:
    """Which connected components of a mask are larger than text, the label of each pixel, and their boxes."""
    height, width = mask.shape
    labels, stats = components(mask.astype(np.uint8), 8)
    keep = (stats[:, cv2.CC_STAT_WIDTH] > SMALL * width) | (stats[:, cv2.CC_STAT_HEIGHT] > SMALL * height)
    keep &= stats[:, cv2.CC_STAT_AREA] > 30
    return keep, labels, [Box(*(int(n) for n in row[:4])) for row in stats[keep]]


def _runs(filled: Bools, least: int) -> list[tuple[int, int]]:
    """``(start, length)`` of what is True in a row."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], filled.astype(np.int8), [0]))))
    return [(int(a), int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= least]


def _axes(filled: Bools, size: int) -> Iterator[Axis]:
    """All ways to see places of equal length at equal distances in a profile."""
    runs = _runs(filled, 3)
    yield from _apart(runs)
    if len(runs) <= MOST_RUNS:
        yield from _broken(runs, size)
    for start, length in [*runs, *_together(runs)]:
        for count in range(2, MOST + 1):
            if length / count >= LEAST_SIDE and length >= 0.2 * size:
                yield divided(start, start + length, count)


def _apart(runs: Sequence[tuple[int, int]]) -> Iterator[Axis]:
    """Runs of equal length at equal distances: tiles with ground between them."""
    for i, (_, length) in enumerate(runs):
        beside = 2 + 0.01 * length
        if length < LEAST_SIDE or any(n >= LEAST_SIDE and abs(n - length) <= beside for _, n in runs[:i]):
            continue
        same = [run for run in runs if run[1] >= LEAST_SIDE and -beside <= run[1] - length <= max(LIT * length, beside)]
        lit = [n - length > beside for _, n in same]
        for a in range(len(same)):
            for b in range(a + 2, min(a + MOST, len(same)) + 1):
                if sum(lit[a:b]) > 1:
                    break
                few = [n for (_, n), more in zip(same[a:b], lit[a:b], strict=True) if not more]
                starts = [
                    start + more * (n - length) // 2 for (start, n), more in zip(same[a:b], lit[a:b], strict=True)
                ]
                steps = np.diff(starts)
                if steps.max() - steps.min() <= 3 and steps.mean() <= 2 * length:
                    yield Axis(tuple(starts), round(float(np.median(few))), True)


def _together(runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """All runs as one, if only short gaps are between few of them: touching tiles with a row of openings in all that
    lie side by side."""
    ends = [(start, start + length) for start, length in runs]
    gaps = sum(second[0] - first[1] for first, second in pairwise(ends))
    if 1 < len(runs) <= FEW_RUNS and gaps <= OPENINGS * (ends[-1][1] - ends[0][0]):
        yield ends[0][0], ends[-1][1] - ends[0][0]


def _broken(runs: Sequence[tuple[int, int]], size: int) -> Iterator[Axis]:
    """Places at equal distances that are filled only in part, so that a run is interrupted where all tiles in a line
    look like the ground: no run extends beyond a place, and each place has a run that begins or ends with it."""
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
                        yield Axis(tuple(places), length, True)
                        break


def _kept(runs: Sequence[tuple[int, int]], places: Sequence[int], length: int) -> bool:
    """Whether runs stay inside places, and each place has one at its beginning or end."""
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


def _corners(rows: Axis, columns: Axis, inside: int = 0) -> list[tuple[int, int, int, int]]:
    d = inside
    return [(x + d, y + d, x + columns.length - d, y + rows.length - d) for y in rows.starts for x in columns.starts]


def _guess(field: _Field, kind: str, rows: Axis, columns: Axis, view: Box, looks: Looks | None) -> _Guess | None:
    number, area = len(rows.starts) * len(columns.starts), rows.length * columns.length
    if number * area < LEAST_SHARE * field.mask.size or not 0.2 <= columns.length / rows.length <= 5:
        return None
    corners = _corners(rows, columns)
    shares = field.inside(corners) / area
    if np.sort(shares)[1] < FULL:
        return None
    empty = np.flatnonzero(shares <= LINED)
    if len(empty) > 1 or (len(empty) and shares[empty[0]] > EMPTY):
        rim = max(round(RIM * min(rows.length, columns.length)), 1)
        inner = field.inside(_corners(rows, columns, rim)) / ((rows.length - 2 * rim) * (columns.length - 2 * rim))
        empty = np.flatnonzero((inner <= EMPTY) & (shares <= LINED))
    moved = _moved(rows, view.y), _moved(columns, view.x)
    if len(empty) == 1:
        blank = int(empty[0])
        rest = (
            field.mask.shape[0] - rows.starts[-1] - rows.length,
            field.mask.shape[1] - columns.starts[-1] - columns.length,
        )
        alone = max(rows.starts[0], columns.starts[0], *rest) < 6
        if _beside_blank(field.mask, blank, rows, columns) < (BESIDE_ALONE if alone else BESIDE):
            return None
    elif not len(empty):
        even = None if looks is None else looks.even(*moved)
        if even is None:
            return None
        blank = even
    else:
        return None
    filled = _sides(field, [each for place, each in enumerate(corners) if place != blank])
    if filled.max(axis=0).min() < 0.3 or filled.mean() < 0.25:
        return None
    covered = float(shares.sum()) * area / max(field.total, 1.0)
    return _Guess(*moved, blank, kind, float(filled.mean()), covered, not len(empty))


def _moved(axis: Axis, by: int) -> Axis:
    return axis._replace(starts=tuple(start + by for start in axis.starts))


def _beside_blank(other: Bools, blank: int, rows: Axis, columns: Axis) -> float:
    """The share of non-ground along the sides of tiles that touch the empty place; 1 if none does, 0 if one of them
    shows ground only."""
    row, column = divmod(blank, len(columns.starts))
    boxes = boxes_of(rows, columns)
    found: list[Bools] = []
    for axis, at, step in ((rows, row, len(columns.starts)), (columns, column, 1)):
        for way in (-1, 1):
            if axis.apart or not 0 <= at + way < len(axis.starts):
                continue
            place = boxes[blank + way * step].crop(other)
            place = place if axis is rows else place.T
            found.append(np.logical_or.reduce(place[1:4] if way > 0 else place[-4:-1], axis=0))
    if any(side.mean() < NONE for side in found):
        return 0.0
    return float(np.concatenate(found).mean()) if found else 1.0


def _sides(field: _Field, corners: Sequence[tuple[int, int, int, int]]) -> NDArray[np.float64]:
    """For each side (left, right, top, bottom) of places the share that is no ground: shape ``(places, 4)``. Low if a
    line goes round a place and ground is inside it."""
    wide, high = corners[0][2] - corners[0][0], corners[0][3] - corners[0][1]
    found = []
    for depth in DEPTHS:
        d = round(depth * min(wide, high))
        strips = (
            [(x + d, y, x + d + 2, v) for x, y, _, v in corners],
            [(u - 2 - d, y, u - d, v) for _, y, u, v in corners],
            [(x, y + d, u, y + d + 2) for x, y, u, _ in corners],
            [(x, v - 2 - d, u, v - d) for x, _, u, v in corners],
        )
        shares = [field.inside(each) / (2 * n) for each, n in zip(strips, (high, high, wide, wide), strict=True)]
        found.append(np.stack(shares, axis=1) + LENIENT * (d > 0))
    least: NDArray[np.float64] = np.minimum.reduce(found)
    return least
