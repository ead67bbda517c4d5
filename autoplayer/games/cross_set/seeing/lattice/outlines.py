"""Finds the lattice of a board of Cross Set whose cells have outlines of their own, with a gap between them, and are so
crowded that hardly an even area is left in them. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Image
from autoplayer.vision import lattice
from autoplayer.vision.views import View

WITHIN = 0.85
"""The share of a cell, with its outline, that lies within the outline's inner edge at least."""

FEWEST = 9
"""Equal outlines: fewer are no board."""

STRONG, FAINT = (30.0, 8), (12.0, 5)
"""The least strength of an outline's edges, grey levels, and as a multiple of the noise: first the strong ones, which
hang together with nothing else."""

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
        _, _, stats, _ = cv2.connectedComponentsWithStats(lattice.stronger(strength, threshold), connectivity=8)
        boxes = np.asarray(stats[1:, :4], np.int32)
        for group in lattice.groups(boxes[(boxes[:, 2:] >= 2 * lattice.SMALLEST).all(axis=1)]):
            if len(group) < FEWEST:
                break
            if (found := lattice.fit(group, EQUAL)) is not None:
                inner = replace(found, width=WITHIN * found.width, height=WITHIN * found.height)
                yield View(image, strength, noise, threshold, True), inner
