"""Finds the lattice of a board of Cross Set whose cells have outlines of their own, with a gap between them, and are so
crowded that hardly an even area is left in them. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image
from autoplayer.vision import lattice
from autoplayer.vision.components import components
from autoplayer.vision.views import View

WITHIN = 0.85
"""The share of a cell, with its outline, that lies within the outline's inner edge at least."""

FEWEST = 9
"""Equal outlines: fewer are no board."""

STRONG, FAINT = (30.0, 8), (12.0, 5)
"""The least strength of an outline's edges, grey levels, and as a multiple of the noise: first the strong ones, which
hang together with nothing else."""

ALONG, EDGE = 0.6, 2
"""The least share of a side of its box along which an outline runs, with rounded corners; and the pixels of an edge."""

EQUAL = 0.12
"""The farthest that the middle of a cell is from its place, as a share of the pitch."""


def outlined(image: Image, noise: float) -> Iterator[tuple[View, lattice.Lattice]]:
    """Lattices of equal boxes around edges that hang together: each is the outline of a cell. ``noise``: grey
    levels."""
    if image.ndim != 3 or min(image.shape[:2]) < 3 * lattice.SMALLEST:
        return
    strength = lattice.edge_strength(image)
    for grey, times in (STRONG, FAINT):
        threshold = max(grey, times * noise)
        labels, stats = components(lattice.stronger(strength, threshold), 8)
        large = np.flatnonzero((stats[:, 2:4] >= 2 * lattice.SMALLEST).all(axis=1))
        around = [k for k in large.tolist() if _runs_around(labels, k, *stats[k, :4].tolist())]
        for group in lattice.groups(np.asarray(stats[around, :4], np.int32)):
            if len(group) < FEWEST:
                break
            if (found := lattice.fit(group, EQUAL)) is not None:
                inner = replace(found, width=WITHIN * found.width, height=WITHIN * found.height)
                yield View(image, strength, noise, threshold, True), inner


def _runs_around(labels: NDArray[np.int32], k: int, x: int, y: int, w: int, h: int) -> bool:
    """Whether component ``k`` runs along most of each side of its box, as a frame does, and no digit."""
    own = labels[y : y + h, x : x + w] == k
    sides = (own[:EDGE].any(axis=0), own[-EDGE:].any(axis=0), own[:, :EDGE].any(axis=1), own[:, -EDGE:].any(axis=1))
    return all(float(side.mean()) > ALONG for side in sides)
