"""Islands whose numbers stand beside them, in badges at their edges or corners: where the islands themselves are. What
was found before are the badges."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Floats
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.outline import View, pixels

_OPPOSITE = np.array([(1, 1), (-1, -1), (1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)])
"""Directions from a badge's middle; each is followed by the opposite one."""

JUST_OUTSIDE = np.arange(0.6, 2.0, 0.1)
"""Of a badge's size: the distances from its middle at which its surroundings are asked first."""

DIFFERS = 16.0
"""Grey levels, in any channel: what differs by more from the water belongs to an island."""

FARTHEST, ROOM = 3.0, 0.9
"""Of a badge's size, and of the pitch: how far from a badge's middle an island may reach."""

LARGER, BESIDE = 1.3, 0.3
"""Of a badge's size, the least width and height of its island; and of the island's size, the least distance of the
badge from its middle: a shadow makes an island hardly larger, and what is around a number is its island."""

MOST_ASKED, STEPS = 12, 30
"""The number of badges whose surroundings are looked at, and of places from a badge's middle to the farthest one."""


def beside_nodes(seen: View, chart: Chart) -> Chart:
    """``chart``, with the place of the islands beside their badges (``Chart.node``) if all have the same larger shape
    at the same side."""
    size = chart.size
    reach = int(min(FARTHEST * size, ROOM * min(chart.pitch_x, chart.pitch_y)))
    centres = np.array([one.centre for one in chart.islands.values()])[:: -(-len(chart.islands) // MOST_ASKED)]
    around = size * JUST_OUTSIDE[:, None] * _OPPOSITE[:, None]
    first = np.median(_colours(seen, centres, around.reshape(-1, 2)), axis=0).reshape(len(_OPPOSITE), -1)
    if reach <= size or np.abs(first[::2] - first[1::2]).max() <= DIFFERS:
        return chart
    step = max(1, reach // STEPS)
    reach -= reach % step
    side = np.arange(-reach, reach + 1, step)
    across, down = np.meshgrid(side, side)
    spots = np.stack([across, down], axis=-1)
    usual = np.median(_colours(seen, centres, spots.reshape(-1, 2).astype(np.float64)), axis=0)
    usual = usual.reshape(*across.shape, 3)
    edges = np.concatenate([usual[0], usual[-1], usual[:, 0], usual[:, -1]])
    drawn = np.abs(usual - np.median(edges, axis=0)).max(axis=2) > DIFFERS
    _, parts = cv2.connectedComponents(drawn.astype(np.uint8))
    badge = np.maximum(np.abs(across), np.abs(down)) <= 0.5 * size
    whole = drawn & (parts == np.bincount(parts[badge & drawn], minlength=1).argmax()) & (parts > 0)
    if whole[[0, -1]].any() or whole[:, [0, -1]].any():
        return chart
    rows, columns = (np.flatnonzero((whole & ~badge).any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return chart
    height, width = step * (rows[-1] - rows[0] + 1), step * (columns[-1] - columns[0] + 1)
    x, y = step * (columns[0] + columns[-1]) / 2 - reach, step * (rows[0] + rows[-1]) / 2 - reach
    if min(width, height) < LARGER * size or max(abs(x) / width, abs(y) / height) < BESIDE:
        return chart
    return replace(chart, node=(float(x), float(y), float(width), float(height)))


def _colours(seen: View, centres: Floats, around: Floats) -> Floats:
    """The colours at ``around`` each of ``centres``, both ``(x, y)``; shape ``(centres, places, 3)``, BGR."""
    spots = pixels(centres[:, None] + around)
    height, width = seen.image.shape[:2]
    return np.asarray(seen.image[spots[..., 1].clip(0, height - 1), spots[..., 0].clip(0, width - 1)], np.float32)
