"""Decides which of the surfaces of tiles are wall and which are air."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.games.continuity.seeing.walls.materials import Materials

MOSTLY, OPEN = 0.8, 0.3
"""The share of a tile from which on a surface is rather air, and how much that counts where it covers all."""
GREY = (0.114, 0.587, 0.299)
"""The weights of blue, green and red in brightness."""
MOST_SMALL = 5
"""If a surface of one tile has more small things in it, they are its grain."""
THIRD, LITTLE = 0.02, 0.005
"""The least share of a tile that its wall surface takes; and of one that is wall in another tile, beside the same
air."""


@dataclass(frozen=True)
class Votes:
    """``sure``: how much the tiles agree, 0 to 1."""

    ordered: tuple[tuple[int, int], ...]
    """For each tile its materials that are wall and air; -1 where it has none."""
    sure: float


def pair_of(labels: NDArray[np.uint8], count: int) -> tuple[int, int]:
    """The two materials that cover most of a tile; the second may be -1."""
    areas = np.bincount(labels.ravel(), minlength=count)
    first, second = (int(n) for n in np.argsort(areas)[::-1][:2]) if count > 1 else (0, -1)
    return first, second if second >= 0 and areas[second] >= THIRD * labels.size else -1


def with_seconds(pairs: Sequence[tuple[int, int]], materials: Materials) -> list[tuple[int, int]]:
    """The same pairs; a tile that shows hardly more than one material has a second one as well if that belongs to it in
    another tile: a single platform in an open room covers little of it."""
    known = {pair for one, other in pairs if other >= 0 for pair in ((one, other), (other, one))}
    found = []
    for (one, other), labels in zip(pairs, materials.labels, strict=True):
        areas = np.bincount(labels.ravel(), minlength=materials.count)
        seconds = [n for n in range(materials.count) if (one, n) in known and areas[n] >= LITTLE * labels.size]
        found.append((one, max(seconds, key=lambda n: areas[n])) if other < 0 and seconds else (one, other))
    return found


def _rim(labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The pixels along the sides of a tile, slightly inside."""
    d = max(min(labels.shape) // 60, 1)
    return np.concatenate([labels[d], labels[-1 - d], labels[:, d], labels[:, -1 - d]])


def votes_on(materials: Materials, pairs: Sequence[tuple[int, int]]) -> Votes:
    """Which of each pair is wall: by how much more of the sides than of the inside it covers, and by what surrounds
    small things. What covers nearly all of a room is rather air, because some rooms are open at all sides. A material
    has the same role in all tiles; further tiles follow by walls being brighter, or darker, than air."""
    count = materials.count
    belief = np.zeros(count)
    weight = np.zeros(count)
    for tile, (one, other) in enumerate(pairs):
        if other < 0:
            continue
        labels = materials.labels[tile]
        rim = _rim(labels)
        for material, rival in ((one, other), (other, one)):
            edge = (rim == material).mean() / max(float(((rim == material) | (rim == rival)).mean()), 1e-6)
            inside = (labels == material).mean() / max(float(((labels == material) | (labels == rival)).mean()), 1e-6)
            belief[material] += edge - inside - OPEN * max(inside - MOSTLY, 0.0) / (1 - MOSTLY)
            weight[material] += 1
            small = _islands(labels, material)
            belief[material] -= min(0.25 * small, 0.75)
    bright = materials.colours @ GREY
    sign = sum(
        np.sign(bright[one] - bright[other]) * (belief[one] - belief[other]) for one, other in pairs if other >= 0
    )
    total = sum(abs(belief[one] - belief[other]) for one, other in pairs if other >= 0)
    ordered: list[tuple[int, int]] = []
    for one, other in pairs:
        if other < 0:
            ordered.append((one, -1) if belief[one] > 0 else (-1, one))
            continue
        lead = belief[one] - belief[other] + 0.5 * np.sign(bright[one] - bright[other]) * np.sign(sign)
        ordered.append((one, other) if lead > 0 else (other, one))
    return Votes(tuple(ordered), float(abs(sign) / total) if total else 0.0)


def _islands(labels: NDArray[np.uint8], material: int) -> int:
    """The number of small things of other materials that are surrounded by ``material``, or stand on something in
    it."""
    height, width = labels.shape
    small = 0
    holes = (labels != material).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(holes, connectivity=8)
    for x, y, w, h, area in stats[1:]:
        if not (0.02 * height <= h <= 0.3 * height and w <= 0.2 * width and area >= 0.0003 * labels.size):
            continue
        if x > 0 and y > 0 and x + w < width and y + h < height and area < 0.75 * w * h:
            small += 1
    return small if small <= MOST_SMALL else 0
