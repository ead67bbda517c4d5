"""Finds the lattice that a board stands on: equal boxes or equal marks at equal distances. Knows no game and no glyph.

There are two independent sources of evidence: *regions* (cells are flat areas, enclosed by walls or by the colour
between them) and *marks* (the glyphs themselves, where nothing is drawn around them). Both give boxes of nearly equal
size; :func:`fit` finds the pitch and origin on which most of them stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from autoplayer.core.deadline import heed
from autoplayer.core.frame import Box, Cell, Floats, Image, Mask
from autoplayer.vision.components import components

Boxes = NDArray[np.int32]
"""Shape ``(N, 4)`` as ``(x, y, width, height)``, window pixels."""

Ints = NDArray[np.integer[Any]]

MOST = 1600
"""The most boxes of one size: more are not the cells of a board."""

FINEST = 8
"""The largest distance between two cells of one row, in cells, from which a finer lattice between them is guessed."""

LONGEST = 1.45
"""The largest ratio of the longer to the shorter side of a nearly square cell's inside."""

FARTHEST = 2
"""The largest distance from a cell to the nearest other cell of the same board, in rows or columns: a hole may lie
between."""

CROWDED = 0.12
"""The least share of a cell's side that is empty, where glyphs come close to the walls."""

SMALLEST = 12
"""Pixels: a smaller box cannot hold a legible glyph."""


@dataclass(frozen=True)
class Lattice:
    """Cell ``(0, 0)`` has its centre at ``(x, y)``; the next one stands ``pitch_x`` to the right, ``pitch_y`` below.

    ``width, height``: the size of the box in each place (a cell's inner area, or a mark), in pixels. ``cells``: the
    places where a box was found. ``joined``: those of them that have no box of their own, but are a part of an area of
    several cells.
    """

    x: float
    y: float
    pitch_x: float
    pitch_y: float
    width: float
    height: float
    cells: frozenset[Cell]
    joined: frozenset[Cell] = frozenset()

    @property
    def pitch(self) -> float:
        return min(self.pitch_x, self.pitch_y)

    @property
    def oblong(self) -> float:
        """The ratio of the larger pitch to the smaller one."""
        return max(self.pitch_x, self.pitch_y) / self.pitch

    @property
    def area(self) -> float:
        """Of the rectangle around all cells, in square pixels."""
        rows, columns = zip(*self.cells, strict=True)
        down, across = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        return float(down * across * self.pitch_x * self.pitch_y)

    def scaled(self, scale: int) -> Lattice:
        """The same lattice in a picture ``scale`` times as large."""
        if scale == 1:
            return self
        shift = (scale - 1) / 2  # the centre of a pixel becomes the centre of the pixels that replace it
        x, y, pitch_x, pitch_y = (
            self.x * scale + shift,
            self.y * scale + shift,
            self.pitch_x * scale,
            self.pitch_y * scale,
        )
        width, height = self.width * scale, self.height * scale
        return replace(self, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y, width=width, height=height)

    def halved(self) -> Lattice:
        """The same lattice in a picture half as large."""
        x, y, pitch_x, pitch_y = (self.x - 0.5) / 2, (self.y - 0.5) / 2, self.pitch_x / 2, self.pitch_y / 2
        width, height = self.width / 2, self.height / 2
        return replace(self, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y, width=width, height=height)

    def box(self, cell: Cell, share: float = 1.0) -> Box:
        """The box around a cell's centre, with ``share`` of the pitch as its sides."""
        row, column = cell
        w, h = self.pitch_x * share, self.pitch_y * share
        left = round(self.x + column * self.pitch_x - w / 2)
        top = round(self.y + row * self.pitch_y - h / 2)
        return Box(left, top, round(w), round(h))


def noise(image: Image | Mask) -> float:
    """The standard deviation of the noise of a picture (BGR or grey), in grey levels (Immerkaer 1996, with a median for
    robustness)."""
    height, width = image.shape[:2]
    step = max(1, round((height * width / 100_000) ** 0.5))  # a hundred thousand pixels are enough for a median
    rows = image[::step]
    rows = rows if rows.ndim == 2 else np.asarray(cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY), np.uint8)
    response = waves(np.ascontiguousarray(rows[:, ::step]))
    if 2 * cv2.countNonZero(response) < response.size:
        return 0.0
    # White and black cut half of the noise off.
    grey = np.asarray(cv2.inRange(rows[:, ::step], CUT_OFF, 255 - CUT_OFF), np.uint8)
    if np.count_nonzero(grey) < LEAST_GREY * response.size:
        grey[:] = 255
    size = int(np.count_nonzero(grey))
    # For integers a histogram takes a fraction of the time of a sort.
    counts = cv2.calcHist([np.abs(response).view(np.uint16)], [0], grey, [MOST_WAVING], [0, MOST_WAVING])
    most = np.cumsum(counts)
    middle = np.searchsorted(most, [(size + 1) // 2, size // 2 + 1]).mean()
    return float(np.float32(middle) / 0.6745 / 6)


CUT_OFF, LEAST_GREY = 6, 0.05
"""Grey levels from white and black at which noise is cut off; and the least share of a picture that is neither, for it
to be measured there alone."""

MOST_WAVING = 2048
"""An upper bound of :func:`waves`."""


def waves(gray: Mask) -> NDArray[np.int16]:
    """The second vertical difference of the second horizontal difference of a grey picture: 0 on flat areas, on
    gradients and beside straight edges, so that only noise, corners and texture remain."""
    kernel = np.array([1, -2, 1], np.float32)
    return np.asarray(cv2.sepFilter2D(gray, cv2.CV_16S, kernel, kernel), np.int16)


def edge_strength(image: Image) -> Mask:
    """How much the colour changes at each pixel, 0 to 255: over two pixels, the larger of the horizontal and the
    vertical difference in the strongest channel."""
    height, width = image.shape[:2]
    strength = np.zeros((height, width), np.uint8)
    if min(height, width) < 3:
        return strength
    # Strip by strip, so that what lies between stays in the processor's cache: a third of the time.
    high = min(max(STRIP // width, 1), height)
    apart, channels = np.zeros((high, width, 3), np.uint8), [np.empty((high, width), np.uint8) for _ in range(3)]
    below = np.empty_like(apart)
    for top in range(0, height, high):
        end = min(top + high, height)
        across = apart[: end - top]
        across[:, [0, -1]] = 0
        cv2.absdiff(image[top:end, 2:], image[top:end, :-2], dst=across[:, 1:-1])
        first, last = max(top, 1), min(end, height - 1)
        if first < last:
            down = cv2.absdiff(image[first + 1 : last + 1], image[first - 1 : last - 1], dst=below[: last - first])
            inner = across[first - top : last - top]
            cv2.max(inner, down, dst=inner)
        blue, green, red = cv2.split(across, [channel[: end - top] for channel in channels])
        cv2.max(cv2.max(blue, green, dst=blue), red, dst=strength[top:end])
    return strength


STRIP = 1 << 16
"""The pixels of a strip in which :func:`edge_strength` is computed."""


def stronger(strength: Mask, threshold: float) -> Mask:
    """1 where edges are stronger than ``threshold``, else 0: a tenth of the time in which NumPy compares bytes with a
    float."""
    return np.asarray(cv2.threshold(strength, threshold, 1, cv2.THRESH_BINARY)[1], np.uint8)


@dataclass(frozen=True)
class Areas:
    """The flat areas of a picture: connected components of the pixels that are no edges. ``labels``: the component of
    each pixel, 0 on edges, of the part of the picture that begins at ``left``, ``top``. ``stats``: shape ``(N, 5)``,
    each area's ``(x, y, width, height, pixels)`` in that part."""

    labels: NDArray[np.int32]
    stats: NDArray[np.int32]
    left: int
    top: int

    def box(self, number: int) -> tuple[int, int, int, int]:
        """The box of an area with half of the edge around it, which belongs to it: ``(x, y, width, height)`` in the
        whole picture."""
        x, y, w, h = self.stats[number, :4].tolist()
        return self.left + x - 1, self.top + y - 1, w + 2, h + 2


def areas(strength: Mask, threshold: float) -> Areas:
    """The flat areas between edges stronger than ``threshold``."""
    edges = stronger(strength, threshold)
    # Outside the bounding box of all edges there is nothing to find, and the time grows with the number of pixels.
    left, top, width, height = cv2.boundingRect(edges)
    left, top, right, bottom = max(left - 1, 0), max(top - 1, 0), left + width + 1, top + height + 1
    even = 1 - edges[top:bottom, left:right]
    return Areas(*components(even, 4), left, top)


def regions(seen: Areas, longest: float = LONGEST, bare: int = 4) -> Boxes:
    """Bounding boxes of the flat areas that fill a nearly square box up to its border, as the inside of a cell does.
    ``longest``: the largest ratio of the longer to the shorter side. ``bare``: the number of sides along which nothing
    is drawn just inside the border; glyphs may come close to the other sides."""
    area_of, left, top = seen.labels, seen.left, seen.top
    x, y, w, h, area = (seen.stats[:, i] for i in range(5))
    least = max(SMALLEST - 4, 6)
    fair = (w >= least) & (h >= least) & (w < longest * h) & (h < longest * w) & (area > 0.12 * w * h)
    fair[0] = False  # label 0: the edges themselves
    some = np.flatnonzero(fair)
    if not len(some):
        return np.empty((0, 4), np.int32)
    x, y, w, h = x[some], y[some], w[some], h[some]
    # Just inside its border a cell is empty along all four sides; a corner may be rounded.
    depth = np.maximum(np.rint(0.06 * np.minimum(w, h)).astype(np.int32), 1)
    rows, columns = np.stack([y + depth - 1, y + h - depth]), np.stack([x + depth - 1, x + w - depth])
    bare_part = np.concatenate([_share_of(area_of, some, rows, x, w), _share_of(area_of.T, some, columns, y, h)])
    shares = np.sort(bare_part, axis=0)[::-1]
    kept = (shares[bare - 1] > 0.6) & (shares[-1] > CROWDED)
    return np.asarray(np.stack([left + x - 1, top + y - 1, w + 2, h + 2], axis=1)[kept], np.int32)


def _share_of(labels: Ints, numbers: Ints, lines: Ints, first: Ints, length: Ints) -> NDArray[np.float64]:
    """For each of some segments, the share of its pixels that carry a given label. ``labels``: shape ``(height,
    width)``; ``numbers``: one label for each of ``N`` areas; ``lines``: the rows of the segments, shape ``(M, N)``; a
    segment is the ``length`` pixels from ``first`` on, shape ``(N,)`` each. The result has the shape of ``lines``."""
    ends = np.cumsum(length)
    along = np.arange(ends[-1]) - np.repeat(ends - length - first, length)
    area = np.repeat(np.arange(len(numbers)), length)
    same = labels[lines[:, area], along] == numbers[area]
    return np.asarray(np.add.reduceat(same, ends - length, axis=1, dtype=np.int64) / length, np.float64)


def marks(gray: Mask, reach: int) -> Boxes:
    """Bounding boxes of what differs from its surroundings; components closer than ``reach`` pixels are joined."""
    size = (reach * 6) | 1
    level = cv2.blur(gray, (size, size))
    away = cv2.absdiff(gray, level)
    strong, _ = cv2.threshold(away, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    ink = np.asarray(away > max(strong * 0.8, 12), np.uint8)
    if reach > 1:
        ink = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    w, h, area = (stats[1:, i] for i in (2, 3, 4))
    fair = (h >= 6) & (w >= 2) & (w < 3 * h) & (h < 8 * w) & (area > 0.12 * w * h) & (h < gray.shape[0] / 3)
    return np.asarray(stats[1:][fair, :4], np.int32)


WIDEST_GAP, SAME_ROW = 0.45, 0.25
"""Two marks are digits of one number where the gap between them is at most the first share of their height, and their
middles and heights differ by at most the second share of it."""


def side_by_side(boxes: Boxes) -> Boxes:
    """``boxes``, with those merged that stand side by side like the digits of one number."""
    if not 2 <= len(boxes) <= MOST:
        return boxes
    x, y, w, h = (boxes[:, i].astype(float) for i in range(4))
    taller = np.maximum(h[:, None], h[None])
    gap = np.maximum(x[:, None], x[None]) - np.minimum((x + w)[:, None], (x + w)[None])
    middle = y + h / 2
    near = (gap <= WIDEST_GAP * taller) & (np.abs(h[:, None] - h[None]) <= SAME_ROW * taller)
    near &= np.abs(middle[:, None] - middle[None]) <= SAME_ROW * taller
    label = np.arange(len(boxes))
    while True:
        merged = np.where(near, label[None, :], len(boxes)).min(axis=1)
        if (merged == label).all():
            break
        label = merged
    joined = []
    for one in np.unique(label):
        part = boxes[label == one]
        left, top = part[:, :2].min(axis=0)
        right, bottom = (part[:, :2] + part[:, 2:]).max(axis=0)
        joined.append((left, top, right - left, bottom - top))
    return np.array(joined, np.int32).reshape(-1, 4)


TOGETHER = 256
"""Boxes that are compared with all others in one step."""


def groups(boxes: Boxes, tolerance: float = 0.13, by_width: bool = True) -> Iterator[Boxes]:
    """The sets of boxes of nearly equal size, the largest sets first, each size once."""
    if not 2 <= len(boxes) <= 4 * MOST:
        return
    w, h = boxes[:, 2].astype(float), boxes[:, 3].astype(float)
    close = np.empty((len(boxes), len(boxes)), bool)
    for first in range(
        0, len(boxes), TOGETHER
    ):  # for all pairs at once the differences alone would fill half a gigabyte
        part = slice(first, first + TOGETHER)
        close[part] = np.abs(h[part, None] - h) <= np.maximum(tolerance * h, 2.0)
        if by_width:
            close[part] &= np.abs(w[part, None] - w) <= np.maximum(tolerance * w, 2.0)
    free = np.ones(len(boxes), bool)
    for _ in range(12):
        counts = (close & free).sum(axis=1) * free
        # Of equally large sets the one with larger boxes: cells rather than the holes inside their glyphs.
        best = int(np.lexsort((w * h, counts))[-1])
        if counts[best] < 2:
            return
        if counts[best] > MOST:  # the grain of a texture
            free &= ~close[best]
            continue
        yield boxes[close[best] & free]
        free &= ~close[best]


def fit(boxes: Boxes, slack: float, pitch: float | None = None) -> Lattice | None:
    """The lattice on which most of ``boxes`` stand; None where fewer than two do.

    ``slack``: the largest distance of a box's centre from its place, as a share of the pitch (cells are exact, glyphs
    are not). ``pitch``: the approximate pitch of both directions in pixels, where it is known.
    """
    heed()
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    width, height = (float(v) for v in np.median(boxes[:, 2:], axis=0))
    pitch_x = pitch or _pitch(centres[:, 0], centres[:, 1], width, height, slack)
    pitch_y = pitch or _pitch(centres[:, 1], centres[:, 0], height, width, slack)
    if pitch_x is None and pitch_y is None:
        return None
    # A single row or column does not tell the other pitch: cells are taken to be square there.
    pitch_x, pitch_y = pitch_x or pitch_y, pitch_y or pitch_x
    assert pitch_x is not None
    assert pitch_y is not None
    tries = []
    for anchor in centres[:: max(1, len(centres) // 24)]:
        places = (centres - anchor) / (pitch_x, pitch_y)
        whole = np.rint(places)
        near = np.abs(places - whole) <= slack
        good = near[:, 0] & near[:, 1]
        tries.append((int(good.sum()), good, whole))
        if good.all() and _linked(whole, good).all():  # no other candidate can be better
            break
    best: tuple[int, NDArray[np.bool_], NDArray[np.int64]] | None = None
    for count, good, whole in sorted(tries, key=lambda one: -one[0]):
        if best is not None and count <= best[0]:
            break
        # Only boxes near another one of the lattice count, not a far-away button that stands on it by chance.
        linked = good & _linked(whole, good)
        if best is None or linked.sum() > best[0]:
            best = int(linked.sum()), linked, whole.astype(np.int64)
    assert best is not None
    count, good, whole = best
    if count < 2:
        return None
    spots, centres = whole[good], centres[good]
    spots = spots - spots.min(axis=0)
    # Boxes that turned out not to belong to it may have given a fraction of the pitch; finer ones are tried later.
    times = np.maximum(np.gcd.reduce(spots, axis=0), 1)
    spots, pitch_x, pitch_y = spots // times, pitch_x * times[0], pitch_y * times[1]
    x, pitch_x = line(spots[:, 0], centres[:, 0], pitch_x)
    y, pitch_y = line(spots[:, 1], centres[:, 1], pitch_y)
    # In a single row or column the other pitch came from boxes that turned out not to belong to it.
    if not spots[:, 1].any():
        pitch_y = pitch_x
    if not spots[:, 0].any():
        pitch_x = pitch_y
    cells = frozenset((int(r), int(c)) for c, r in spots)
    return Lattice(x, y, pitch_x, pitch_y, width, height, cells)


def left_out(boxes: Boxes, found: Lattice) -> Boxes:
    """Those of ``boxes`` whose centre is in no cell of a lattice."""
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    places = np.rint((centres - (found.x, found.y)) / (found.pitch_x, found.pitch_y)).astype(np.int64)
    return boxes[[(r, c) not in found.cells for c, r in places.tolist()]]


def finer(found: Lattice, room: float) -> list[Lattice]:
    """``found``, and the lattices with an integer fraction of its pitch on which its boxes stand as well: where only
    some of the cells were detected, the others between them are found by trying. A pitch is at least ``room`` times the
    box."""
    across = [k for k in range(1, FINEST + 1) if found.pitch_x / k > 0.97 * room * found.width]
    down = [k for k in range(1, FINEST + 1) if found.pitch_y / k > 0.97 * room * found.height]
    result = []
    for kx in across or [1]:
        for ky in down or [1]:
            x, y = found.pitch_x / kx, found.pitch_y / ky
            # Without evidence for oblong cells only the squarest of the finer lattices is worth trying.
            if (kx, ky) == (1, 1) or max(x, y) < 1.2 * min(x, y):
                cells, joined = (frozenset((r * ky, c * kx) for r, c in some) for some in (found.cells, found.joined))
                result.append(replace(found, pitch_x=x, pitch_y=y, cells=cells, joined=joined))
    return result


def _pitch(along: Floats, across: Floats, size: float, breadth: float, slack: float) -> float | None:
    """The smallest distance that recurs between neighbours of one row; ``along`` and ``across`` are the centres'
    coordinates."""
    step = along[None, :] - along[:, None]
    same = np.abs(across[None, :] - across[:, None]) < max(0.4 * breadth, 2)
    steps = np.sort(step[same & (step > 0.8 * size)])
    if not len(steps):
        return None
    # Nearest neighbours give the pitch, unless only wider gaps recur: the smallest gap that is not alone is taken.
    for first in steps:
        near = steps[(steps >= first) & (steps <= first * (1 + slack))]
        if len(near) >= max(1, len(along) // 8):
            return float(np.median(near))
    return float(steps[0])


def _linked(whole: NDArray[np.float64], good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the good places belong to the largest cluster, in which each is at most two steps from another."""
    index = np.flatnonzero(good)
    linked = np.zeros(len(good), bool)
    if not len(index):
        return linked
    x, y = (whole[index] - whole[index].min(axis=0)).astype(np.int64).T
    # Places at most two steps apart are those whose squares of two by two pixels touch, at a corner at least.
    drawn = np.zeros((int(y.max()) + 2, int(x.max()) + 2), np.uint8)
    for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
        drawn[y + down, x + right] = 1
    label = cv2.connectedComponents(drawn, connectivity=8)[1][y, x]
    _, first, count = np.unique(label, return_index=True, return_counts=True)
    largest = first[count == count.max()].min()  # of equally large clusters that of the first box
    linked[index] = label == label[largest]
    return linked


def line(spots: ArrayLike, along: Floats, pitch: float) -> tuple[float, float]:
    """The origin and the pitch, in pixels, of a line of places: the least-squares fit of ``along = origin + pitch *
    spot``. Where all boxes are in one place, ``pitch`` stays, and the origin is extrapolated with it.

    It is computed from sums, which are exact for coordinates in whole and half pixels. The last bits of a linear
    algebra library's result differ between processors, and a centre at half a pixel would then be rounded differently.
    """
    spots = np.asarray(spots, np.int64)
    first, count = int(spots.min()), spots.size
    if first == int(spots.max()):
        return float(along.mean()) - first * pitch, pitch
    steps = spots - first
    total, squares, whole = int(steps.sum()), int((steps * steps).sum()), float(along.sum())
    slope = (count * float((steps * along).sum()) - total * whole) / (count * squares - total * total)
    return (whole - slope * total) / count - slope * first, slope
