"""Pictures that are shown larger than they were drawn, a square of equal pixels for each one, as pixel art and screens
with small pixels have them: a stone of a wall is then as large as a cell. What is not clear in such a picture is looked
at once more as it was drawn. A picture with more pixels than any window needs is made smaller, for reading takes some
sixty bytes a pixel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.cells import find_cells, straight_edges
from autoplayer.games.continuity.seeing.sight import Bools, Tiles

MOST = 4
"""How many times larger than it was drawn a picture may be."""
EVEN = 0.98
"""The share of the squares with an edge at or in them that have one colour at least: writing and pointers may be drawn
over it. Flat squares tell nothing: a drawing without a slope beside its straight lines has hardly others."""
LEAST_EDGES = 0.02
"""The share of the pixels, as they were drawn, at which there is an edge at least."""
LEAST = 60
"""Pixels of a tile's shorter side in the picture as it was drawn."""
STRAIGHT = 0.97
"""The share of the edges of walls that run straight on in a picture that need not be looked at again."""
LARGEST = 3840 * 2160
"""Pixels of a picture that is read as it is: all of a usual large screen."""
WALLS = ("where tiles begin", "where the walls end", "what is wall")
"""How the doubts begin that are about walls."""


def clearer(image: Image, seen: Tiles, read: Callable[[Image], Tiles]) -> Tiles:
    """``seen``, or the same board in the picture as it was drawn, where walls are clear there and were not.
    ``read``: what is seen in a picture; it may raise UnreadableError."""
    if _clear(seen):
        return seen
    for times in range(MOST, 1, -1):
        if min(seen.solid.shape[1:]) < times * LEAST:
            continue
        corner = _squares(image, times)
        if corner is None:
            continue
        x, y = corner
        try:
            small = read(np.ascontiguousarray(image[y::times, x::times]))
        except UnreadableError:
            continue
        if (seen.rows, seen.columns, seen.cells) == (small.rows, small.columns, small.cells) and _clear(small):
            return _grown(image, small, times, (x, y))
    return seen


def bounded(image: Image, read: Callable[[Image], Tiles]) -> Tiles:
    """What ``read`` sees in ``image``, in its pixels; of one with more than ``LARGEST`` it is given a smaller one."""
    height, width = image.shape[:2]
    times = math.ceil(math.sqrt(height * width / LARGEST))
    if times == 1:
        return read(image)
    whole = image[: height // times * times, : width // times * times]
    small = cv2.resize(whole, (width // times, height // times), interpolation=cv2.INTER_AREA)
    return _grown(image, read(np.asarray(small, np.uint8)), times, (0, 0))


def _squares(image: Image, times: int) -> tuple[int, int] | None:
    """Where the first whole square of ``times`` pixels each way begins, if the picture consists of such squares."""
    for y in range(times):
        for x in range(times):
            high, wide = ((size - at) // times for size, at in zip(image.shape[:2], (y, x), strict=True))
            blocks = image[y : y + high * times, x : x + wide * times].reshape(high, times, wide, times, 3)
            even = (blocks == blocks[:, :1, :, :1]).all(axis=(1, 3, 4))
            edges = _edges(blocks[:, 0, :, 0])
            if edges.mean() >= LEAST_EDGES and even[edges | ~even].mean() >= EVEN:
                return x, y
    return None


def _edges(image: Image) -> Bools:
    """Which pixels have another colour than the one above or to the left of them, shape ``(h, w)``."""
    found = np.zeros(image.shape[:2], np.bool_)
    found[1:] |= (image[1:] != image[:-1]).any(axis=2)
    found[:, 1:] |= (image[:, 1:] != image[:, :-1]).any(axis=2)
    return found


def _clear(tiles: Tiles) -> bool:
    """Whether the walls lie on cells, with straight edges, and nothing about them is in doubt."""
    solid = tiles.solid
    edges = int((solid[:, :, 1:] != solid[:, :, :-1]).sum()) + int((solid[:, 1:] != solid[:, :-1]).sum())
    return (
        not any(doubt.startswith(WALLS) for doubt in tiles.doubts)
        and straight_edges(solid) >= STRAIGHT * edges
        and find_cells(solid) is not None
    )


def _grown(image: Image, small: Tiles, times: int, corner: tuple[int, int]) -> Tiles:
    """What was seen in the picture as it was drawn, in the larger one. ``corner``: where its first pixel is there."""
    x, y = corner
    boxes = tuple(
        Box(x + box.x * times, y + box.y * times, box.width * times, box.height * times) for box in small.boxes
    )
    tiles = {tile: box for tile, box in zip(small.cells, boxes, strict=True) if tile >= 0}
    things = tuple(
        each._replace(x=each.x * times, y=each.y * times, width=each.width * times, height=each.height * times)
        for each in small.things
    )
    return replace(
        small, boxes=boxes, pictures=tuple(tiles[n].crop(image) for n in range(len(tiles))), things=things,
        solid=_large(small.solid, times), spikes=_large(small.spikes, times),
    )  # fmt: skip


def _large(masks: Bools, times: int) -> Bools:
    return masks.repeat(times, axis=1).repeat(times, axis=2)
