"""Finds the part of a board that a picture shows, even if no tile is completely visible: in the known size, or in one
that is found from the board as a whole, not from a tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.tracking.near import COARSE, Gray, gray_of

MIDDLE = 0.55
"""The middle part of a picture that is searched on the board: a line of text may be at its rim."""
ROUGH, FINE, FINEST = 200, 480, 1200
"""Pixels of the scaled board's longer side in three searches from coarse to fine."""
SMALLEST, LARGEST = 0.6, 6.0
"""How many times larger the board may be shown than it was read."""
STEP, FINER, FINEST_STEP = 1.03, 1.01, 1.0015
"""The ratios between consecutive sizes that are tried in each search."""
NEAR, NEARER, BESIDE = 1.04, 1.02, 0.05
"""The ranges of the next searches: around the size found before, and around the position, as a share of the part's
size."""
BEYOND = 0.55
"""How much of that part may lie beyond the board's side: a little more than half, if a camera keeps the figure in the
middle of its picture."""
ACROSS, DOWN = 0.8, 0.7
"""The middle part of the picture that is used if the size is unknown, or if its middle is mostly air."""
ALIKE, SOMEWHAT = 0.9, 0.7
"""The least correlation of a part of the board, and the same if its size is sought and the result is examined: thin
lines and narrower gaps may make up most of what differs in a picture of pale colours."""
LEAST = 16
"""The least size, in pixels, of what is searched."""
FLAT = 4.0
"""The least variation in grey levels."""
SELDOM = 1.0
"""The percentage of the darkest, and of the brightest, pixels of the board that is excluded from the comparison: a
bright figure, or a key that was just taken, must not outweigh dark walls. Things take less of a board than that, and
walls more, even if they are lines."""
SHOWN = 0.2
"""The least share of tiles in what is searched, if only tiles are compared: a camera that follows a figure into the
corner of a board shows tiles in a quarter of its picture."""


class Part(NamedTuple):
    """The scale of a picture relative to the board, the position of its middle part's left upper corner on the board's
    own picture (pixels there), and the correlation."""

    likeness: float
    larger: float
    x: float
    y: float


def find_part(
    image: Image, pictures: Sequence[Image | None], places: Sequence[Box], ground: int, *, tiles_only: bool = False
) -> tuple[int, int, float] | None:
    """The offset in pixels of a board from ``places`` in ``image``, which shows a part of it: columns, rows, and the
    correlation; accurate to a few pixels. ``pictures``: what each place shows, None if it is empty; ``ground``: the
    brightness around them; ``tiles_only``: the surroundings may look different here, and are not compared. None if
    nothing matches."""
    height, width = image.shape[:2]
    factor = COARSE / max(height, width)
    small = gray_of(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    tall, wide = round(MIDDLE * small.shape[0]), round(MIDDLE * small.shape[1])
    top, left = (small.shape[0] - tall) // 2, (small.shape[1] - wide) // 2
    pad = round(BEYOND * max(tall, wide))
    board, x0, y0 = _small(pictures, places, ground, factor, pad)
    middle = np.ascontiguousarray(small[top : top + tall, left : left + wide])
    if tall > board.shape[0] or wide > board.shape[1] or float(middle.std()) < FLAT:
        return None
    if tiles_only:
        full = [None if picture is None else np.full(picture.shape[:2], 255, np.uint8) for picture in pictures]
        mask = _small(full, places, 0, factor, pad)[0] > 0
        _, likeness, _, (x, y) = cv2.minMaxLoc(_correlation(board, mask, middle))
    else:
        _, likeness, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(board, middle, cv2.TM_CCOEFF_NORMED))
    # The middle of the picture is at (x, y) of the small board.
    return (
        round((left - (x - pad)) / factor) - x0,
        round((top - (y - pad)) / factor) - y0,
        float(likeness),
    )


def _correlation(board: Gray, mask: Bools, part: Gray) -> NDArray[np.float32]:
    """The correlation of ``part`` with the board at each position, over those of the board's pixels that are in
    ``mask``, and in their range of brightness; -1 if these are too few, or uniform. Shape as of
    ``cv2.matchTemplate``."""
    low, high = np.percentile(board[mask], (SELDOM, 100 - SELDOM))
    among = mask.astype(np.float32)
    mine, other = (np.clip(each, low, high).astype(np.float32) - float(low + high) / 2 for each in (board, part))
    mine *= among
    ones = np.ones_like(other)

    def summed(one: NDArray[np.float32], two: NDArray[np.float32]) -> NDArray[np.float64]:
        return cv2.matchTemplate(one, two, cv2.TM_CCORR).astype(np.float64)

    count = np.maximum(summed(among, ones), 1.0)
    sums = summed(mine, ones), summed(among, other)
    spreads = [
        squares / count - (total / count) ** 2
        for squares, total in zip((summed(mine**2, ones), summed(among, other**2)), sums, strict=True)
    ]
    together = summed(mine, other) / count - sums[0] * sums[1] / count**2
    told = (count >= SHOWN * part.size) & (np.minimum(*spreads) >= FLAT**2)
    found = np.where(told, together / np.sqrt(np.maximum(spreads[0] * spreads[1], 1.0)), -1.0)
    return found.astype(np.float32)


def find_part_nearly(
    image: Image, pictures: Sequence[Image | None], places: Sequence[Box], ground: int
) -> tuple[int, int] | None:
    """As :func:`find_part`, with more of the picture and less exactly: for a picture whose middle is mostly air."""
    left, top, wide, tall = _middle(image)
    part = _best(gray_of(image)[top : top + tall, left : left + wide], pictures, places, ground, ROUGH, (1.0,))
    return None if part is None or part.likeness < ALIKE else (round(left - part.x), round(top - part.y))


def middle_corner(image: Image) -> tuple[int, int]:
    """Column and row of a picture at which the middle part begins that :func:`find_part_sized` searches."""
    return _middle(image)[:2]


def find_part_sized(image: Image, pictures: Sequence[Image | None], places: Sequence[Box], ground: int) -> Part | None:
    """The part of a board that ``image`` shows in an unknown size; None if there is no match. ``pictures``: what each
    of ``places`` shows, None if it is empty; ``ground``: the brightness around them."""
    left, top, wide, tall = _middle(image)
    middle = gray_of(image)[top : top + tall, left : left + wide]
    if float(middle.std()) < FLAT:
        return None
    best = _best(middle, pictures, places, ground, ROUGH, _from(SMALLEST, LARGEST, STEP))
    for pixels, near, step in ((FINE, NEAR, FINER), (FINEST, NEARER, FINEST_STEP)):
        if best is None:
            return None
        sizes = _from(best.larger / near, best.larger * near, step)
        best = _best(middle, pictures, places, ground, pixels, sizes, best)
    return best if best is not None and best.likeness >= SOMEWHAT else None


def _best(
    middle: Gray,
    pictures: Sequence[Image | None],
    places: Sequence[Box],
    ground: int,
    pixels: int,
    sizes: Sequence[float],
    about: Part | None = None,
) -> Part | None:
    """The best match of a part of a board scaled to this size, over these scales; ``about``: the approximate result to
    search around."""
    sides = [[(box.x, box.x + box.width) for box in places], [(box.y, box.y + box.height) for box in places]]
    factor = pixels / max(max(end for _, end in side) - min(start for start, _ in side) for side in sides)
    pad = pixels // 2
    board, x0, y0 = _small(pictures, places, ground, factor, pad)
    left = top = 0
    if about is not None:
        width, height = (round(length * factor / about.larger) for length in middle.shape[::-1])
        more = round(BESIDE * max(width, height)) + 4
        left = max(round((about.x - x0) * factor) + pad - more, 0)
        top = max(round((about.y - y0) * factor) + pad - more, 0)
        board = board[top : top + height + 2 * more, left : left + width + 2 * more]
    found = []
    for larger in sizes:
        wide, tall = round(middle.shape[1] * factor / larger), round(middle.shape[0] * factor / larger)
        if min(wide, tall) < LEAST or tall > board.shape[0] or wide > board.shape[1]:
            continue
        small = cv2.resize(middle, (wide, tall), interpolation=cv2.INTER_AREA)
        _, likeness, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(board, small, cv2.TM_CCOEFF_NORMED))
        found.append(Part(likeness, larger, (x + left - pad) / factor + x0, (y + top - pad) / factor + y0))
    return max(found, default=None)


def _small(
    pictures: Sequence[Image | None], places: Sequence[Box], ground: int, factor: float, pad: int
) -> tuple[Gray, int, int]:
    """The board scaled down, padded by ``pad`` pixels of its ground; column and row of its left upper corner."""
    x0, y0 = min(box.x for box in places), min(box.y for box in places)
    across = max(box.x + box.width for box in places) - x0
    down = max(box.y + box.height for box in places) - y0
    board = np.full((round(down * factor) + 2 * pad, round(across * factor) + 2 * pad), ground, np.uint8)
    for picture, box in zip(pictures, places, strict=True):
        if picture is not None:
            size = max(round(box.width * factor), 1), max(round(box.height * factor), 1)
            x, y = round((box.x - x0) * factor) + pad, round((box.y - y0) * factor) + pad
            part = board[y : y + size[1], x : x + size[0]]
            shown = gray_of(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
            part[:] = shown[: part.shape[0], : part.shape[1]]
    return board, x0, y0


def _middle(image: Image) -> tuple[int, int, int, int]:
    """The middle part of a picture: left, top, width, height."""
    height, width = image.shape[:2]
    wide, tall = round(ACROSS * width), round(DOWN * height)
    return (width - wide) // 2, (height - tall) // 2, wide, tall


def _from(least: float, most: float, step: float) -> list[float]:
    return [least * step**n for n in range(int(np.log(most / least) / np.log(step)) + 1)]
