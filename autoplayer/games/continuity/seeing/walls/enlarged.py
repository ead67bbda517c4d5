"""Handles pictures that are shown larger than they were drawn, such as pixel art and the windows of old programs: a
stone of a wall may then be as large as a cell, and smooth enlarging changes all colours. They are read in their
original size, and the result is converted back to their own pixels. A picture with more pixels than any window needs is
scaled down, because reading takes some sixty bytes a pixel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.sight import Bools, Kind, Tiles
from autoplayer.games.continuity.seeing.walls.cells import find_cells, straight_edges
from autoplayer.vision.resampled import as_drawn

LEAST, ENOUGH = 60, 100
"""Pixels of a tile's shorter side in the original size: from the first on, the original may be more informative than
the enlarged picture; from the second on, it is sufficient, because things in it are a tenth as high."""
STRAIGHT = 0.97
"""The share of straight edges of walls in a picture that need not be read in another size."""
LARGEST = 3840 * 2160
"""The most pixels of a picture that is read as it is: a usual large screen."""
WALLS = ("where tiles begin", "where the walls end", "what is wall")
"""The beginnings of the doubts that are about walls."""


def clearer(image: Image, read: Callable[[Image], Tiles]) -> Tiles:
    """The result of ``read`` for ``image``, in its pixels: read in the original size, if the walls are clear there or
    unclear in the enlarged picture. ``read`` may raise UnreadableError."""
    drawn = as_drawn(image)
    if drawn is None:
        return read(image)
    try:
        small = read(drawn.image)
    except UnreadableError:
        return read(image)
    found = _grown(image, small, drawn.times, drawn.corner)
    if min(small.solid.shape[1:]) >= ENOUGH and _clear(small):
        return found
    try:
        seen = read(image)
    except UnreadableError:
        return found
    fraction = any(each % 1 for each in drawn.times)  # then edges of tiles are soft in the enlarged picture
    if fraction and _clear(seen) and _clear(small) and _kinds(seen) == _kinds(small):
        return found
    return seen if _clear(seen) or min(small.solid.shape[1:]) < LEAST else found


def _kinds(tiles: Tiles) -> list[tuple[int, Kind]]:
    """The tile and the kind of each thing."""
    return sorted((thing.tile, thing.kind) for thing in tiles.things)


def bounded(image: Image, read: Callable[[Image], Tiles]) -> Tiles:
    """The result of ``read`` for ``image``, in its pixels; one with more than ``LARGEST`` pixels is scaled down for
    it."""
    height, width = image.shape[:2]
    times = math.ceil(math.sqrt(height * width / LARGEST))
    if times == 1:
        return read(image)
    whole = image[: height // times * times, : width // times * times]
    small = cv2.resize(whole, (width // times, height // times), interpolation=cv2.INTER_AREA)
    return _grown(image, read(np.asarray(small, np.uint8)), (times, times), (0, 0))


def _clear(tiles: Tiles) -> bool:
    """Whether the walls lie on cells, with straight edges, and nothing about them is in doubt."""
    solid = tiles.solid
    edges = int((solid[:, :, 1:] != solid[:, :, :-1]).sum()) + int((solid[:, 1:] != solid[:, :-1]).sum())
    return (
        not any(doubt.startswith(WALLS) for doubt in tiles.doubts)
        and straight_edges(solid) >= STRAIGHT * edges
        and find_cells(solid) is not None
    )


def _grown(image: Image, small: Tiles, times: tuple[float, float], corner: tuple[int, int]) -> Tiles:
    """The result for the picture in its original size, converted to the enlarged one, with the factors for width and
    height. ``corner``: the position of its first pixel there."""
    wide, high = times
    height, width = (round(size * each) for size, each in zip(small.solid.shape[1:], (high, wide), strict=True))
    most = image.shape[1] - width, image.shape[0] - height
    boxes = tuple(
        Box(min(corner[0] + round(box.x * wide), most[0]), min(corner[1] + round(box.y * high), most[1]), width, height)
        for box in small.boxes
    )
    tiles = {tile: box for tile, box in zip(small.cells, boxes, strict=True) if tile >= 0}
    things = tuple(
        each._replace(x=each.x * wide, y=each.y * high, width=each.width * wide, height=each.height * high)
        for each in small.things
    )
    return replace(
        small, boxes=boxes, pictures=tuple(tiles[n].crop(image) for n in range(len(tiles))), things=things,
        solid=_large(small.solid, height, width), spikes=_large(small.spikes, height, width),
    )  # fmt: skip


def _large(masks: Bools, height: int, width: int) -> Bools:
    """Masks enlarged to so many pixels each, by the nearest pixel of the small ones."""
    down, across = (
        ((np.arange(size) + 0.5) * drawn / size).astype(np.int64)
        for size, drawn in zip((height, width), masks.shape[1:], strict=True)
    )
    return masks[:, down[:, None], across]
