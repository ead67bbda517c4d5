"""Finds the exact size of a tile that is seen from near, to the pixel."""

from __future__ import annotations

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

Gray = NDArray[Any]


def sized(image: Image, picture: Image, box: Box) -> Box:
    """``box`` in the size and at the position in which all of a tile's ``picture`` is most similar to ``image``, by the
    sum of squared differences: walls that are a pixel too wide count more the longer they are."""
    gray, tile = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    reach = max(round(WRONG * box.width), 2)
    rough = range(box.width - reach, box.width + reach + 1, COARSE)
    _, first = min(_fits(gray, tile, box, rough, (0,), COARSE), key=lambda each: each[0], default=(0.0, box))
    near = range(first.width - COARSE, first.width + COARSE + 1)
    taller = range(-TALLER, TALLER + 1)
    return min(_fits(gray, tile, first, near, taller, 1), key=lambda each: each[0], default=(0.0, first))[1]


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
