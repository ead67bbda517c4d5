"""Pictures that are shown larger than they were drawn, as pixel art and the windows of old programs are: a stone of a
wall may then be as large as a cell, and where they are enlarged smoothly no colour is what it was. They are read as
they were drawn, and what was read is said in their own pixels. A picture with more pixels than any window needs is
made smaller, for reading takes some sixty bytes a pixel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.games.continuity.seeing.sight import Bools, Tiles
from autoplayer.games.continuity.seeing.walls.cells import find_cells, straight_edges
from autoplayer.vision.resampled import as_drawn

LEAST, ENOUGH = 60, 100
"""Pixels of a tile's shorter side in the picture as it was drawn, from which on that may say more than the larger one,
and from which on it says all: things in it are a tenth as high."""
STRAIGHT = 0.97
"""The share of the edges of walls that run straight on in a picture that need not be looked at again."""
LARGEST = 3840 * 2160
"""Pixels of a picture that is read as it is: all of a usual large screen."""
WALLS = ("where tiles begin", "where the walls end", "what is wall")
"""How the doubts begin that are about walls."""


def clearer(image: Image, read: Callable[[Image], Tiles]) -> Tiles:
    """What ``read`` sees in ``image``, in its pixels: in the picture as it was drawn, if that shows its walls clearly
    or the larger one does not. ``read`` may raise UnreadableError."""
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
    return seen if _clear(seen) or min(small.solid.shape[1:]) < LEAST else found


def bounded(image: Image, read: Callable[[Image], Tiles]) -> Tiles:
    """What ``read`` sees in ``image``, in its pixels; of one with more than ``LARGEST`` it is given a smaller one."""
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
    """What was seen in the picture as it was drawn, in the larger one, so many times broader and higher. ``corner``:
    where its first pixel is there."""
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
    """Masks with so many pixels each, those of the small ones in the middles of which they are."""
    down, across = (
        ((np.arange(size) + 0.5) * drawn / size).astype(np.int64)
        for size, drawn in zip((height, width), masks.shape[1:], strict=True)
    )
    return masks[:, down[:, None], across]
