"""Scores how well the sides of a board's places lie on edges of the picture, and locates those edges to the pixel.

A side that faces the ground shows an edge along most of it, because walls and air are seldom both like the ground. The
sides of a place that is too small, too large or shifted meet edges by chance only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image

WEAKEST = 7.0
"""The least strength of an edge in grey levels, and as a multiple of the picture's noise."""
NOISE = 3.0
NEAR = 2
"""Pixels by which a side may be off its edge before it is aligned."""
EDGE = 4
"""Pixels around sides in which edges are searched."""
OUTERMOST = 0.4
"""Of neighbouring edges the outermost is taken whose strength above the background level is at least this share of the
strongest: a line round a tile belongs to it."""
STAYS = 0.2
"""At the present position of a side this share is enough if nothing at all is seen just outside, as in a clean
picture."""
CLEAN = 0.004
"""The share of the strongest edge that counts as nothing at all."""
ROUNDED = 1.0
"""The mean difference, in grey levels, between neighbouring pixels in a picture with rounding errors only."""
BEYOND = 3
"""The number of positions outside a side that are compared with it."""
ALONG = 7
"""Pixels along a side over which steps are averaged, to suppress grain."""
MOVED = 1.15
"""How many times stronger an edge must be for a single place to be moved."""
UNSEEN = 0.4
"""The value of a side at the rim of the picture, where no edge can be."""
SHARED = 4.0
"""How many times stronger the edge of one row of tiles may count than that of the weakest row. Tiles of one board are
drawn alike, and what only the outermost row has is the line of a frame."""
HARDLY = 0.25
"""A row whose strongest edge is weaker than this share of the usual one has none: there, air looks like the ground."""
BARE = 0.2
"""If less of a side of a row of tiles lies on edges, as a share of another row's, it is in doubt."""


class Axis(NamedTuple):
    """One direction of a board: where its places begin, and their length."""

    starts: tuple[int, ...]
    length: int
    apart: bool
    """Whether there is ground between the places."""


def divided(begin: int, end: int, count: int) -> Axis:
    """So many touching places between two pixels."""
    starts = [begin + round(n * (end - begin) / count) for n in range(count + 1)]
    return Axis(tuple(starts[:-1]), min(b - a for a, b in pairwise(starts)), False)


class Evidence(NamedTuple):
    """The shares of sides that lie on edges, 0 to 1: of all, of the worst of the four directions, and of those that
    touch the empty place (as of all if there are none)."""

    mean: float
    least: float
    empty: float


class _Side(NamedTuple):
    """A side that faces ground: the index of its place in one direction, where it begins in the other; whether it is
    the end of the place, and its position; whether it touches the empty place; whether the ground before it is wider
    than a gap."""

    place: int
    across: int
    end: bool
    at: int
    beside: bool
    free: bool


class Borders:
    """The edges of a picture, with cumulative sums along them."""

    def __init__(self, image: Image, noise: float) -> None:
        self._least = WEAKEST + NOISE * noise
        self._size = image.shape[1], image.shape[0]
        self._image = image

    @cached_property
    def _ways(self) -> tuple[Image, Image]:
        return self._image, np.ascontiguousarray(self._image.transpose(1, 0, 2))

    # The sums take sixteen times as much memory as a grey picture, and most pictures that show no board need none.

    @cached_property
    def _strong(self) -> list[NDArray[Any]]:
        return [_summed(steps(each)) for each in self._ways]

    @cached_property
    def _marks(self) -> list[NDArray[Any]]:
        found = []
        for each in self._ways:
            change = steps(np.asarray(cv2.blur(each, (1, ALONG)), np.uint8))
            change[1:-1] = cv2.add(change[1:-1], change[2:])  # an edge may be spread over two pixels
            found.append(_summed(change >= self._least))
        return found

    def across(self, way: int) -> Floats:
        """The share of each line that lies on edges, from one side of the picture to the other: of vertical ones (0)
        from left to right, of horizontal ones (1) from top to bottom."""
        found: Floats = self._marks[way][:, -1] / self._size[1 - way]
        return found

    def evidence(self, rows: Axis, columns: Axis, blank: int) -> Evidence:
        """The evidence of the sides that face ground."""
        shares: list[list[float]] = [[], [], [], []]
        empty = []
        for way, (axis, other) in enumerate(((columns, rows), (rows, columns))):
            for side, share in self._shares(axis, other, blank, way):
                shares[2 * way + side.end].append(share)
                empty += [share] * side.beside
        means = [sum(each) / len(each) for each in shares]
        mean = sum(means) / len(means)
        return Evidence(mean, min(means), min(empty, default=mean))

    def unlike(self, rows: Axis, columns: Axis, blank: int) -> bool:
        """Whether one side of a row or column of tiles lies on edges, but the same side of another one on hardly any:
        tiles of one board have one size, so that of one row may have been measured with something that touches it.
        Rows and columns that touch each other are left out."""
        for way, (axis, other) in enumerate(((columns, rows), (rows, columns))):
            lines: dict[tuple[bool, int], list[float]] = {}
            apart = min(b - a for a, b in pairwise(axis.starts)) > axis.length
            for side, share in self._shares(axis, other, blank, way) if apart else ():
                lines.setdefault((side.end, side.place), []).append(share)
            for end in (False, True):
                means = [sum(each) / len(each) for (of_end, _), each in lines.items() if of_end is end]
                if means and min(means) < BARE * max(means):
                    return True
        return False

    def _shares(self, axis: Axis, other: Axis, blank: int, way: int) -> Iterator[tuple[_Side, float]]:
        """The sides that face ground, in one direction, and the share of each that lies on edges."""
        sides = list(_facing(axis, other, blank, way))
        beyond = [part for side in sides if side.free for part in self._by_chance(side, other.length, way)]
        chance = sum(beyond) / len(beyond) if beyond else 0.0
        for side in sides:
            yield side, self._share(side, other.length, way, chance)

    def _best(self, first: int, side: _Side, length: int, way: int) -> float:
        """The share of the best of some neighbouring lines that lies on edges."""
        marks = self._marks[way]
        low, high = max(side.across, 0), min(side.across + length, marks.shape[1] - 1)
        places = slice(max(first, 0), first + 2 * NEAR + 1)
        return int((marks[places, high] - marks[places, low]).max()) / max(length, 1)

    def _by_chance(self, side: _Side, length: int, way: int) -> Iterator[float]:
        """The share of lines just outside that lies on edges."""
        broad = 2 * NEAR + 1
        for n in range(1, BEYOND + 1):
            first = side.at - NEAR + (n * broad if side.end else -n * broad)
            if 0 <= first <= self._size[way] - broad:
                yield self._best(first, side, length, way)

    def _share(self, side: _Side, length: int, way: int, chance: float) -> float:
        """The share of a side on edges in excess of chance; where chance is high it is weak evidence."""
        x = side.at
        if not 2 <= x <= self._size[way] - 2:
            return UNSEEN
        return max(self._best(x - NEAR, side, length, way) - chance, 0.0) + UNSEEN * chance

    def settled(self, rows: Axis, columns: Axis, blank: int) -> tuple[Axis, Axis]:
        """The rows and columns with their sides aligned to nearby edges."""
        return self._settled(rows, columns, blank, 1), self._settled(columns, rows, blank, 0)

    def _settled(self, axis: Axis, other: Axis, blank: int, way: int) -> Axis:
        scores = np.zeros((2, len(axis.starts), 2 * EDGE + 1))
        for side in _facing(axis, other, blank, way):
            scores[int(side.end), side.place] += self._strength(side, other.length, way)
        return _apart(axis, scores) if axis.apart else _touching(axis, scores)

    def _strength(self, side: _Side, length: int, way: int) -> Floats:
        """The mean strength of the edge at each shift of a side, grey levels."""
        size, strong = self._size[way], self._strong[way]
        found = np.zeros(2 * EDGE + 1)
        low, high = max(side.across, 0), min(side.across + length, strong.shape[1] - 1)
        for n, place in enumerate(range(side.at - EDGE, side.at + EDGE + 1)):
            if 0 < place < size:
                found[n] = max((strong[place, high] - strong[place, low]) / max(high - low, 1) - ROUNDED, 0.0)
            elif place in (0, size) and n == EDGE:
                found[n] = 255.0
            elif not 0 <= place <= size:
                found[n] = -1e6
        return found


def _aligned(axis: Axis, scores: Floats) -> tuple[Axis, Floats]:
    """Places moved by up to ``NEAR`` pixels if their edges then match those of the first one much better: all have the
    same length, and if two were misplaced relative to each other, one edge of each would be taken for that of both."""
    starts, found = list(axis.starts), scores.copy()
    first = np.maximum(scores[:, 0], 0.0)
    for n in range(1, len(starts)):
        moved: dict[int, Floats] = {}
        for d in range(-NEAR, NEAR + 1):
            moved[d] = np.roll(scores[:, n], -d, axis=1)
            moved[d][:, max(scores.shape[2] - d, 0) :] = 0.0
            moved[d][:, : max(-d, 0)] = 0.0
        alike = {d: float((first * np.maximum(each, 0.0)).sum()) for d, each in moved.items()}
        best = max(alike, key=lambda d: alike[d])
        if alike[best] > MOVED * alike[0]:
            starts[n] += best
            found[:, n] = moved[best]
    return Axis(tuple(starts), axis.length, True), found


def _apart(axis: Axis, scores: Floats) -> Axis:
    """Places with ground between them: first all are moved together, then each by a pixel if necessary."""
    axis, scores = _aligned(axis, scores)
    # Not farther out than to the middle between two tiles, or the next one's edge is found.
    out = EDGE - min(EDGE, (axis.starts[1] - axis.starts[0] - axis.length) // 2)
    first = _peak(_shared(scores[0, :, out:]), EDGE - out) + out - EDGE
    last = EDGE - out - _peak(_shared(scores[1, :, ::-1][:, out:]), EDGE - out)
    moved = []
    for n, start in enumerate(axis.starts):
        found = {}
        for d in (0, -1, 1):
            a, b = first + d + EDGE, last + d + EDGE
            if 0 <= a <= 2 * EDGE and 0 <= b <= 2 * EDGE:
                found[d] = scores[0, n, a] + scores[1, n, b]
        best = max(found, key=lambda d: found[d])
        moved.append(start + first + (best if found[best] > MOVED * found[0] else 0))
    return Axis(tuple(moved), axis.length - first + last, True)


def _touching(axis: Axis, scores: Floats) -> Axis:
    """Places that divide one length evenly: its two ends are chosen so that all lines with sides on them are edges."""
    count = len(axis.starts)
    lines = np.zeros((count + 1, 2 * EDGE + 1))
    lines[:-1] += scores[0]
    lines[1:] += scores[1]
    shifts = np.arange(-EDGE, EDGE + 1)
    parts = np.arange(count + 1) / count
    best, most = (0, 0), -1.0
    for first in shifts:
        for last in shifts:
            at = np.round(first + (last - first) * parts).astype(np.int64) + EDGE
            total = float(lines[np.arange(count + 1), at].sum()) - 0.01 * (abs(first) + abs(last))
            if total > most:
                best, most = (int(first), int(last)), total
    return divided(axis.starts[0] + best[0], axis.starts[-1] + axis.length + best[1], count)


def _facing(axis: Axis, other: Axis, blank: int, way: int) -> Iterator[_Side]:
    """The sides of tiles that face ground, in one direction."""
    count, across = len(axis.starts), len(other.starts)
    for n in range(count):
        for k in range(across):
            if _number(n, k, count, across, way) == blank:
                continue
            for end, beyond in ((False, n - 1), (True, n + 1)):
                beside = 0 <= beyond < count and _number(beyond, k, count, across, way) == blank
                if axis.apart or beside or not 0 <= beyond < count:
                    at = axis.starts[n] + end * axis.length
                    yield _Side(
                        n, other.starts[k], end, at, beside and not axis.apart, beside or not 0 <= beyond < count
                    )


def _number(n: int, k: int, count: int, across: int, way: int) -> int:
    """The number of a place, row by row; ``way`` 0: ``n`` is its column."""
    return k * count + n if way == 0 else n * across + k


def _shared(scores: Floats) -> Floats:
    """The edges of all places together at each shift. The line of a frame lies beside the outermost places only, so a
    place counts at most ``SHARED`` times as much as the weakest; those with hardly any edge say nothing."""
    strong = scores.max(axis=1)
    seen = scores[strong >= HARDLY * np.median(strong)]
    found: Floats = np.minimum(seen, SHARED * np.maximum(seen.min(axis=0), 0.0)).sum(axis=0)
    return found


def _peak(scores: Floats, here: int) -> int:
    """The shift, from outside to inside, of the edge: ``here`` if there is one, else the first at which it is nearly as
    strong as anywhere."""
    most, least = scores.max(), scores[scores >= 0].min(initial=0.0)
    clean = here > 0 and scores[here - 1] <= CLEAN * most
    if clean and scores[here] - least >= STAYS * (most - least):
        return here
    for n in np.flatnonzero(scores - least >= OUTERMOST * (most - least)).tolist():
        if n + 1 == len(scores) or scores[n] >= scores[n + 1]:
            return int(n)
    return int(scores.argmax())


def steps(image: Image) -> NDArray[np.uint8]:
    """The difference of each pixel from the one to its left, in the channel in which it is greatest; shape ``(width,
    height)``, transposed so that pixels along a vertical edge are contiguous."""
    found = np.zeros(image.shape[:2], np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(image[:, 1:], image[:, :-1]))
    found[:, 1:] = cv2.max(cv2.max(blue, green), red)
    return np.ascontiguousarray(found.T)


def _summed(values: NDArray[Any]) -> NDArray[Any]:
    """Sums along rows, with a zero before each."""
    found = np.zeros((values.shape[0], values.shape[1] + 1), np.int32)
    np.cumsum(values, axis=1, dtype=np.int32, out=found[:, 1:])
    return found
