"""Finds the cursor in a window of Cross Set that is played by keys: the one cell around which something is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.board import Board
from autoplayer.games.cross_set.seeing.ordering.looks import OTHER_GROUND

ALONG = 33
"""Pixels along a cell's side of which the middle colour is taken."""


def cursor_of(image: Image, board: Board, grounds: Mapping[Cell, Floats]) -> Cell | None:
    """The one cell with something drawn at its border, or just outside of it, that no other cell has."""
    every, cells_ = _rings(image, board, grounds), list(board.inside)
    # Locked cells may look otherwise as well, but like one another; the cursor's cell looks like no other.
    left = list(range(len(cells_)))
    alone = []
    while left:
        near = _unlike(every[left[0]], every[left]) < OTHER_GROUND
        alone += left[:1] if near.sum() == 1 else []
        left = [k for k, one in zip(left, near.tolist(), strict=True) if not one]
    alone = [k for k in alone if np.count_nonzero(_unlike(every[k], every) < OTHER_GROUND) == 1]
    if not alone:
        return None
    unlike = np.stack([_unlike(ring, every) for ring in every])
    np.fill_diagonal(unlike, np.inf)
    marks = dict(zip(cells_, unlike.min(axis=1).tolist(), strict=True))
    usual = np.median(np.stack(list(grounds.values())), axis=0)
    # A lone locked cell is like no other as well, so the others are looked at by themselves first.
    plain = {cell: mark for cell, mark in marks.items() if np.abs(grounds[cell] - usual).max() <= OTHER_GROUND}
    return _standing_out(plain) or _standing_out(marks)


def _rings(image: Image, board: Board, grounds: Mapping[Cell, Floats]) -> Floats:
    """The colours along each cell's border: at each step from outside inwards, the median colour of each side; inside
    of the cell, its difference from the cell's own. Shape ``(cells, steps, 4, 3)``."""
    side = min(board.places[0, 0].width, board.places[0, 0].height)
    depth = max(2, round(0.08 * side))
    stride = max(1, round(0.018 * side))  # a thin line is not stepped over
    away = np.arange(-depth, depth + 1, stride)
    every = np.array([(b.x, b.y, b.x + b.width, b.y + b.height) for b in board.inside.values()])
    x0, y0 = (np.maximum(every[:, k, None] + away, 0) for k in (0, 1))
    x1, y1 = (np.minimum(every[:, k + 2, None] - 1 - away, image.shape[1 - k] - 1) for k in (0, 1))
    # The middle half of each side: corners may be round, and belong to the neighbours' frames too.
    across, down = (
        np.maximum(every[:, k, None], 0)
        + np.rint(np.linspace(0.25, 0.75, ALONG) * (every[:, k + 2] - every[:, k])[:, None])
        for k in (0, 1)
    )
    # A fraction of the time that it takes to ask the picture for rows and columns, or for three bytes each.
    top, left = int(y0.min()), int(x0.min())
    part = image[top : int(y1.max()) + 1, left : int(x1.max()) + 1]
    along, wide = cv2.cvtColor(part, cv2.COLOR_BGR2BGRA).view(np.uint32).ravel(), part.shape[1]
    x0, x1, across = x0 - left, x1 - left, across - left
    y0, y1, down = y0 - top, y1 - top, down - top
    flat = [y[:, :, None] * wide + across.astype(int)[:, None, :] for y in (y0, y1)]
    upright = [down.astype(int)[:, None, :] * wide + x[:, :, None] for x in (x0, x1)]
    strips = np.take(along, np.stack([*flat, *upright], axis=2))
    rings = _channels(strips[:, :, :, 0]).astype(np.float32)
    various = (strips != strips[:, :, :, :1]).any(axis=3)
    rings[various] = np.median(_channels(strips[various]), axis=1)
    # Inside, a ring is compared with the cell's own colour, for locked cells have another.
    own = np.stack([grounds[cell] for cell in board.inside])
    rings[:, away >= 0] -= own[:, None, None]
    return np.asarray(rings, np.float32)


def _channels(pixels: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Blue, green and red of pixels of four bytes, shape ``(..., 3)``."""
    return np.ascontiguousarray(pixels)[..., None].view(np.uint8)[..., :3]


def _unlike(ring: Floats, others: Floats) -> Floats:
    """How much some cells' rings differ from one ring. A frame is on all four sides, at the step where it shows best or
    at an adjacent one, because a thin line may be a few pixels farther out on one side; a neighbour's frame touches one
    side."""
    away = largest_channel(np.abs(others - ring))
    away = np.maximum(np.maximum(away[:, :-2], away[:, 1:-1]), away[:, 2:])
    near, far = np.minimum(away[..., :2], away[..., 2:]), np.maximum(away[..., :2], away[..., 2:])
    # The second of the four sides that are least unlike.
    second = np.minimum(np.maximum(near[..., 0], near[..., 1]), np.minimum(far[..., 0], far[..., 1]))
    return np.asarray(second.max(axis=1), np.float32)


def _standing_out(marks: Mapping[Cell, float]) -> Cell | None:
    """The cell whose score is far above all others."""
    order = sorted(marks, key=lambda cell: -marks[cell])
    if len(order) < 2 or marks[order[0]] < OTHER_GROUND or marks[order[1]] > 0.5 * marks[order[0]]:
        return None
    return order[0]
