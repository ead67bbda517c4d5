"""Separates numbers of Cross Set from the frame of their cell, which they touch. A frame looks the same in all cells,
its round corners too: what is drawn at the same place in nearly all of them is the frame. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, Mask, largest_channel
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in
from autoplayer.vision import pieces

NEARLY_ALL = 0.85
"""The share of the cells in which a pixel of the frame is drawn: cells that are locked or selected may have another
one."""

FEWEST = 6
"""Of fewer cells nobody knows what is common to all."""

SOFT = 3
"""The size in window pixels of the area in which the soft edge of a pixel of the frame lies."""


def unframed(
    image: Image, boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats], some: Iterable[Cell], noise: float,
    stroke: float, scale: int,
) -> dict[Cell, pieces.Place]:  # fmt: skip
    """The content of ``some`` cells without what is drawn at the same place in nearly all cells, and begins at their
    edge; without those cells of which nothing is such a frame."""
    inside = {cell: _within(image, box) for cell, box in boxes.items()}
    drawn = {
        cell: largest_channel(np.abs(box.crop(image).astype(np.float32) - grounds[cell])) > pieces.FAINTEST + 3 * noise
        for cell, box in inside.items()
    }
    some = [cell for cell in some if cell in drawn]
    if len(drawn) < FEWEST or not some:
        return {}
    high = min(mask.shape[0] for mask in drawn.values()) // 2
    wide = min(mask.shape[1] for mask in drawn.values()) // 2
    # Boxes differ by a pixel in size; each corner of theirs is at the same corner of the frame.
    corners = [(down, across) for down in (1, -1) for across in (1, -1)]
    common = {
        (down, across): np.mean([mask[::down, ::across][:high, :wide] for mask in drawn.values()], axis=0) >= NEARLY_ALL
        for down, across in corners
    }
    result = {}
    for cell in some:
        frame = np.zeros(drawn[cell].shape, np.uint8)
        for (down, across), mask in common.items():
            frame[::down, ::across][:high, :wide] |= mask.astype(np.uint8)
        frame = _from_the_edge(frame)
        if frame.any():
            box = inside[cell]
            patch = box.crop(image).copy()
            patch[cv2.dilate(frame, np.ones((SOFT, SOFT), np.uint8)) > 0] = np.clip(grounds[cell].round(), 0, 255)
            place = pieces_in(patch, Box(0, 0, box.width, box.height), noise, stroke, scale=scale)
            result[cell] = replace(place, box=boxes[cell], pieces=tuple(_moved(p, box) for p in place.pieces))
    return result


def _within(image: Image, box: Box) -> Box:
    """The part of a box that lies in the picture."""
    left, top = max(box.x, 0), max(box.y, 0)
    height, width = image.shape[:2]
    return Box(left, top, min(box.x + box.width, width) - left, min(box.y + box.height, height) - top)


def _from_the_edge(frame: Mask) -> Mask:
    """Those components of a mask that begin at its edge: numbers stand at one place in all cells where each has a slot,
    but within the cell."""
    labels = cv2.connectedComponents(frame, connectivity=8)[1]
    at_edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return np.asarray(np.isin(labels, at_edge[at_edge > 0]), np.uint8)


def _moved(p: pieces.Piece, box: Box) -> pieces.Piece:
    """A piece of a cell's own picture, in the whole picture."""
    return replace(p, box=replace(p.box, x=p.box.x + box.x * p.scale, y=p.box.y + box.y * p.scale))
