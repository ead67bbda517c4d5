"""Finds a tile in a picture that shows it from near: its size is found once, its position in every picture anew. Parts
of a board of which no tile is whole are found in ``board_part``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel

Points = NDArray[np.int64]
"""Shape ``(n, 2)``: rows and columns."""
Gray = NDArray[Any]
"""Shape ``(height, width)``, 0 to 255."""

COARSE = 150
"""Pixels of the longer side of a picture scaled down for the first search."""
NEAREST, FARTHEST = 6.0, 0.6
"""How many times larger or smaller a tile may be than in the picture that it is known from."""
STEP = 1.04
"""The ratio between consecutive sizes that are tried."""
PART = 0.7
"""The middle part of a tile that is searched: its rim may be out of the picture."""
ALIKE = 0.72
"""The least correlation of a tile."""
SOME = 6
"""One point in so many is used in a coarse comparison."""
POINTS = 1500
"""The number of pixels of a tile that are compared to find its position to the pixel."""
FLAT = 4.0
"""The least variation of a tile's middle in grey levels, for it to be found anywhere."""
MOST_AWAY = 80
"""Differences in grey levels are capped at this: so a figure there does not outweigh the rest."""


CLOSEST = 3
"""Tiles that are looked at in all pixels: a small picture of bricks may be more like those of another tile, and smaller
ones, than like the tile itself in a size that is two hundredths beside its own."""
LARGER = 0.05
"""How much more likeness a tile needs than one that is e times as large."""


class Spot(NamedTuple):
    """A tile and its box; ``likeness``: the correlation."""

    tile: int
    box: Box
    likeness: float


def find_tile(image: Image, pictures: Sequence[Image]) -> Spot | None:
    """The tile that fills most of ``image``, whatever its size there; None where none is seen."""
    gray = gray_of(image)
    factor = COARSE / max(gray.shape)
    small = cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    sizes = [FARTHEST * STEP**n for n in range(int(np.log(NEAREST / FARTHEST) / np.log(STEP)) + 1)]
    best: dict[int, tuple[float, Spot]] = {}
    for tile, picture in enumerate(pictures):
        tall, wide = picture.shape[:2]
        for size in sizes:
            width, height = round(wide * size * factor), round(tall * size * factor)
            if min(width, height) < 24 or PART * width > small.shape[1] or PART * height > small.shape[0]:
                continue
            found = _matched(small, cv2.resize(gray_of(picture), (width, height), interpolation=cv2.INTER_AREA))
            if found is None:
                continue
            x, y, likeness = found
            box = Box(round(x / factor), round(y / factor), round(width / factor), round(height / factor))
            weight = _weight(likeness, size)
            if likeness > ALIKE and (tile not in best or weight > best[tile][0]):
                best[tile] = weight, Spot(tile, box, likeness)
    closest = sorted(best.values(), key=lambda each: each[0])[-CLOSEST:]
    finer = [_finer(gray, gray_of(pictures[spot.tile]), spot) for _, spot in closest]
    return max(finer, key=lambda spot: _weight(spot.likeness, spot.box.width), default=None)


def _weight(likeness: float, size: float) -> float:
    """How likely a tile is what is seen: of two that are as like the picture, the larger one."""
    return likeness + LARGER * math.log(size)


def _finer(gray: Gray, picture: Gray, spot: Spot) -> Spot:
    """``spot`` to the pixel. Proportions stay, to a pixel or two, because cells may have whole pixels."""
    slope = picture.shape[0] / picture.shape[1]
    width, x, y = spot.box.width, spot.box.x, spot.box.y
    best = (0.0, x, y, width, spot.box.height)
    for reach, step in ((0.045, 0.01), (0.01, 0.0)):
        sizes = [(each, round(each * slope)) for each in _around(best[3], reach, step)]
        if not step:
            sizes += [(best[3], best[4] + d) for d in (-2, -1, 1, 2)]
        for w, h in sizes:
            matched = _near_match(gray, picture, Box(best[1], best[2], w, h), max(w, h) * 0.05)
            if matched is not None:
                best = max(best, (matched[2], matched[0], matched[1], w, h))
    likeness, x, y, width, height = best
    return Spot(spot.tile, _by_edges(gray, picture, Box(x, y, width, height)), likeness)


def _by_edges(gray: Gray, picture: Gray, box: Box) -> Box:
    """``box`` resized and moved so that the edges of a tile's picture lie on edges of the window's."""
    steep = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    sharp = cv2.blur(np.minimum(steep, MOST_AWAY).astype(np.float32), (3, 3))
    points = edges(picture)
    tall, wide = picture.shape
    best: tuple[float, Box] | None = None
    for width in _around(box.width, 0.015, 0.0):
        for height in (round(width * tall / wide) + d for d in (-1, 0, 1)):
            rows = (points[:, 0] + 0.5) * height / tall + box.y + (box.height - height) / 2
            columns = (points[:, 1] + 0.5) * width / wide + box.x + (box.width - width) / 2
            for dy in range(-4, 5):
                for dx in range(-4, 5):
                    r, c = (rows + dy).astype(np.int64), (columns + dx).astype(np.int64)
                    inside = (r >= 0) & (r < gray.shape[0]) & (c >= 0) & (c < gray.shape[1])
                    score = float(sharp[r[inside], c[inside]].sum()) / len(points)
                    if best is None or score > best[0]:
                        x, y = (
                            round(box.x + (box.width - width) / 2) + dx,
                            round(box.y + (box.height - height) / 2) + dy,
                        )
                        best = score, Box(x, y, width, height)
    return box if best is None else best[1]


def _around(length: int, reach: float, step: float) -> list[int]:
    pixels = max(round(length * reach), 2)
    return sorted({length + d for d in range(-pixels, pixels + 1, max(round(length * step), 1))})


def _near_match(gray: Gray, picture: Gray, box: Box, reach: float) -> tuple[int, int, float] | None:
    """The best match of ``picture`` near ``box``, scaled to its size."""
    most = round(reach)
    part = Box(box.x - most, box.y - most, box.width + 2 * most, box.height + 2 * most)
    x0, y0 = max(part.x, 0), max(part.y, 0)
    found = _matched(part.crop(gray), cv2.resize(picture, (box.width, box.height), interpolation=cv2.INTER_AREA))
    return None if found is None else (found[0] + x0, found[1] + y0, found[2])


def _matched(gray: Gray, template: Gray) -> tuple[int, int, float] | None:
    """The left upper corner of a template in a picture, and the correlation of its middle part there."""
    height, width = template.shape[:2]
    left, top = round(width * (1 - PART) / 2), round(height * (1 - PART) / 2)
    middle = template[top : height - top, left : width - left]
    if middle.shape[0] > gray.shape[0] or middle.shape[1] > gray.shape[1] or float(middle.std()) < FLAT:
        return None
    scores = cv2.matchTemplate(gray, np.ascontiguousarray(middle), cv2.TM_CCOEFF_NORMED)
    _, likeness, _, (x, y) = cv2.minMaxLoc(scores)
    return x - left, y - top, float(likeness)


def edges(picture: Image) -> Points:
    """Pixels of a tile that reveal a shift of one pixel: a random sample of those at its edges. A regular sample in row
    order would be of some edges only."""
    gray = gray_of(picture)
    steep = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    found = np.argwhere(steep >= max(np.quantile(steep, 0.98) / 3, 6))
    return np.random.default_rng(0).permutation(found)[:POINTS]


def settle(
    image: Image, background: Image, box: Box, points: Points, reach: int = 3, far: int = 0
) -> tuple[Box, float]:
    """``box`` moved by a few pixels (``reach``) to where the picture is most like the background at ``points``; the
    remaining mean difference in grey levels. Infinity if too little of it is in the picture. ``far``: the initial error
    of its position."""
    height, width = image.shape[:2]
    most = reach + far
    rows, columns = points[:, 0] + box.y, points[:, 1] + box.x
    inside = (rows >= most) & (rows < height - most) & (columns >= most) & (columns < width - most)
    if inside.sum() < 40:
        return box, math.inf
    rows, columns = rows[inside], columns[inside]
    known = background[points[inside, 0], points[inside, 1]].astype(np.int16)

    def away(dx: int, dy: int, each: int = 1) -> float:
        off = largest_channel(np.abs(image[rows[::each] + dy, columns[::each] + dx] - known[::each]))
        return float(np.minimum(off, MOST_AWAY).mean())

    at = (0, 0)
    if far:
        shifts = range(-far, far + 1, 2)
        at = min(((dx, dy) for dx in shifts for dy in shifts), key=lambda way: away(way[0], way[1], SOME))
        shifts = range(-far, far + 1)  # sharp edges look right in one place only
        at = min(shifts, key=lambda dx: away(dx, at[1], SOME)), at[1]
        at = at[0], min(shifts, key=lambda dy: away(at[0], dy, SOME))
    begin, least = at, away(*at)
    tried = {at}
    while least > 1:
        near = {(at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - tried
        tried |= near
        lower = min(
            ((away(*each), each) for each in near if max(abs(each[0] - begin[0]), abs(each[1] - begin[1])) <= reach),
            default=(least, at),
        )
        if lower[0] >= 0.97 * least:
            break
        least, at = lower
    return Box(box.x + at[0], box.y + at[1], box.width, box.height), least


def gray_of(picture: NDArray[Any]) -> Gray:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
