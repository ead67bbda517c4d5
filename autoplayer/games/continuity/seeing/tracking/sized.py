"""Finds the exact size of a tile that is seen from near, to the pixel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image

WRONG = 0.024
"""The relative error of a size that was found by correlation."""
TALLER = 2
"""Pixels by which a tile's height may differ from what its width implies: cells may have whole pixels."""
RIM = 8
"""Pixels at the rim of a tile that are not compared, and by which its position may be wrong."""
COARSE = 3
"""In the first search one pixel in so many is used in each direction, and one size in so many is tried."""
LEAST = 24
"""Pixels of a tile that must be seen each way."""
COVERED = 40
"""Grey levels by which most of a row or column of a tile differs where something lies over it, as a browser's bar."""

Gray = NDArray[Any]


def sized(image: Image, picture: Image, box: Box) -> Box:
    """``box`` in the size and at the position in which all of a tile's ``picture`` is most similar to ``image``, by the
    sum of squared differences: walls that are a pixel too wide count more the longer they are."""
    gray, tile = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    left, top, right, bottom = _covered(gray, tile, box)
    gray = gray[top : len(gray) - bottom, left : gray.shape[1] - right]
    box = replace(box, x=box.x - left, y=box.y - top)
    reach = max(round(WRONG * box.width), 2)
    rough = range(box.width - reach, box.width + reach + 1, COARSE)
    _, first = min(_fits(gray, tile, box, rough, (0,), COARSE), key=lambda each: each[0], default=(0.0, box))
    near = range(first.width - COARSE, first.width + COARSE + 1)
    taller = range(-TALLER, TALLER + 1)
    best = min(_fits(gray, tile, first, near, taller, 1), key=lambda each: each[0], default=(0.0, first))[1]
    return replace(best, x=best.x + left, y=best.y + top)


def _covered(gray: Gray, tile: Gray, box: Box) -> tuple[int, int, int, int]:
    """How many pixels of a picture at its left, top, right and bottom something lies over that is no part of the tile
    at ``box``: a wrong size would have less of the tile under it, and seem more similar."""
    tall, wide = gray.shape
    x0, y0, x1, y1 = max(box.x, 0), max(box.y, 0), min(box.x + box.width, wide), min(box.y + box.height, tall)
    if min(x1 - x0, y1 - y0) < LEAST:
        return 0, 0, 0, 0
    shown = cv2.resize(tile, (box.width, box.height), interpolation=cv2.INTER_LINEAR)
    away = cv2.absdiff(gray[y0:y1, x0:x1], shown[y0 - box.y : y1 - box.y, x0 - box.x : x1 - box.x])
    columns, rows = (np.flatnonzero(np.median(away, axis=axis) < COVERED) for axis in (0, 1))
    if not (len(rows) and len(columns)):
        return 0, 0, 0, 0
    return (
        (x0 + int(columns[0])) if columns[0] else 0,
        (y0 + int(rows[0])) if rows[0] else 0,
        (wide - x0 - int(columns[-1]) - 1) if columns[-1] < x1 - x0 - 1 else 0,
        (tall - y0 - int(rows[-1]) - 1) if rows[-1] < y1 - y0 - 1 else 0,
    )


def _fits(
    gray: Gray, tile: Gray, box: Box, widths: range, taller: range | tuple[int, ...], each: int
) -> list[tuple[float, Box]]:
    """The least difference of a tile from a picture near ``box`` in each of these sizes, and its position. One pixel in
    ``each`` is used."""
    tall, wide = gray.shape
    found = []
    for width in widths:
        for more in taller:
            height = round(width * tile.shape[0] / tile.shape[1]) + more
            x, y = box.x - (width - box.width) // 2, box.y - (height - box.height) // 2
            x0, x1 = max(RIM - x, 0) + RIM, min(wide - RIM - x, width) - RIM
            y0, y1 = max(RIM - y, 0) + RIM, min(tall - RIM - y, height) - RIM
            if min(x1 - x0, y1 - y0) < LEAST:
                continue
            part = cv2.resize(tile, (width, height), interpolation=cv2.INTER_LINEAR)[y0:y1:each, x0:x1:each]
            around = gray[y + y0 - RIM : y + y1 + RIM : each, x + x0 - RIM : x + x1 + RIM : each]
            away = cv2.matchTemplate(around, np.ascontiguousarray(part), cv2.TM_SQDIFF)
            least, _, (dx, dy), _ = cv2.minMaxLoc(away)
            found.append((float(least) / part.size, Box(x + dx * each - RIM, y + dy * each - RIM, width, height)))
    return found
