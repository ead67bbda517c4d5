"""Groups pieces of ink that show the same glyph, so that equal glyphs are judged once and together. Knows no game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Floats

SAME_GLYPH = 0.985
"""Correlation above which two inks are the same glyph; different digits of one font stay below 0.95."""

SIDE = 20
"""Pixels: the side of the square that inks are scaled to before they are compared."""

SAME_SIZE = 0.08
"""The largest relative difference in height (and in width) between two inks of one glyph; a pixel and a half is always
allowed."""


EVEN = 0.12
"""Standard deviation below which an ink counts as an evenly filled box: in a full square there is nothing to
correlate."""


def vector(one: Floats) -> Floats:
    """The feature vector of an ink (shape ``(h, w)``), of length 1; all evenly filled inks share one vector."""
    return np.asarray(_vectors([one])[0], np.float32)


def _vectors(inks: Sequence[Floats]) -> Floats:
    """:func:`vector` of each, shape ``(N, SIDE * SIDE + 1)``."""
    small = np.empty((len(inks), SIDE, SIDE), np.float32)
    for one, place in zip(inks, small, strict=True):
        cv2.resize(np.asarray(one, np.float32), (SIDE, SIDE), dst=place, interpolation=cv2.INTER_AREA)
    flat = small.reshape(len(inks), -1)
    deviation = flat - flat.mean(axis=1, keepdims=True)
    even = np.sqrt((deviation * deviation).mean(axis=1)) < EVEN
    deviation[even] = 0
    found = np.concatenate([deviation, even[:, None].astype(np.float32)], axis=1)
    unit: Floats = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6)
    return unit


def clusters(inks: Sequence[Floats]) -> list[int]:
    """A cluster number for each ink (shape ``(h, w)``, cut to its bounding box): equal numbers for equal glyphs."""
    first: dict[tuple[tuple[int, ...], bytes], int] = {}
    places = [first.setdefault((one.shape, one.tobytes()), k) for k, one in enumerate(inks)]
    # Inks that are equal bit by bit are compared only once.
    different = sorted(first.values())
    found = dict(zip(different, _clusters([inks[k] for k in different]), strict=True))
    return [different[found[k]] for k in places]


def _clusters(inks: Sequence[Floats]) -> list[int]:
    if not inks:
        return []
    vectors = _vectors(inks)
    alike = vectors @ vectors.T
    shapes = [one.shape for one in inks]
    h, w = np.array(shapes, float).T
    for size in (h, w):
        alike[np.abs(size[:, None] - size) > np.maximum(1.5, SAME_SIZE * size)] = 0
    cluster = [-1] * len(inks)
    for i in range(len(inks)):
        if cluster[i] < 0:
            # Compared only with the first member of a cluster: a chain of small differences must not join two glyphs.
            for j in np.flatnonzero(alike[i] > SAME_GLYPH):
                if cluster[j] < 0:
                    cluster[j] = i
            cluster[i] = i
    return cluster


def joint(cluster: Sequence[int], chances: Sequence[Mapping[str, float]]) -> dict[int, dict[str, float]]:
    """The mean of the distributions (token to probability) of each cluster's members, by the cluster's number."""
    found: dict[int, dict[str, float]] = {}
    size = Counter(cluster)
    for number, options in zip(cluster, chances, strict=True):
        sums = found.setdefault(number, {})
        for token, probability in options.items():
            sums[token] = sums.get(token, 0.0) + probability / size[number]
    return found
