"""Assigns each pixel of the tiles to a surface (material): common colours for plain surfaces; for textured ones, which
colours occur together."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import largest_channel

MOST = 24
LEAST = 0.004
"""The least share of all tiles that the colour of a material covers."""
WITHIN = 5
"""Grey levels within which colours are counted as one."""
ODD = 12
"""Grey levels from which on a pixel shows none of the nearby colours, in a clean picture."""
SHADE = 13
"""Grey levels within which adjacent colours may be shades of one."""
ALONG = 1.0
"""The least length of the border between two shades, in square roots of the smaller one's area."""
PLAIN = 0.12
"""If at most this share of neighbouring pixels differ, surfaces are plain."""
FEW_PLACES = 0.03
"""The least share of all places in which the colours of a surface occur."""
REACH = 0.03
"""The radius in which a texture shows all its colours, as a share of a tile's shorter side."""


@dataclass(frozen=True, eq=False)
class Materials:
    """``labels``: shape ``(tiles, height, width)``, each pixel's material, a number below ``count``."""

    labels: NDArray[np.uint8]
    count: int
    colours: NDArray[np.float64]
    """Each material's mean colour, shape ``(count, 3)``, BGR."""
    shades: NDArray[np.uint8]
    """As ``labels``, each pixel's colour."""


def find_materials(stack: NDArray[np.uint8]) -> Materials:
    """The materials of tiles; ``stack`` has the shape ``(tiles, height, width, 3)``."""
    codes = _codes(stack)
    colours = _common(stack, codes)
    labels = _nearest(codes, colours)
    odd = _odd(stack, colours, labels)
    plain = _with_odd(stack, *_merged(stack, colours, labels), odd)
    if _changing(plain[1]) <= PLAIN:
        colours, labels = plain
        return Materials(labels, len(colours), colours, labels)
    colours, labels = _with_odd(stack, colours, labels, odd)
    surfaces = _surfaces(labels, colours)
    areas = np.maximum(np.bincount(surfaces.ravel(), minlength=3), 1)
    seen = [np.bincount(surfaces.ravel(), colours[labels][..., channel].ravel(), 3) / areas for channel in range(3)]
    return Materials(surfaces, 3, np.stack(seen, axis=1), labels)


def _with_odd(
    stack: NDArray[np.uint8], colours: NDArray[np.float64], labels: NDArray[np.uint8], odd: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """The odd pixels as an additional material."""
    if not odd.any():
        return colours, labels
    return np.vstack([colours, stack[odd].mean(axis=0)]), np.where(odd, len(colours), labels).astype(np.uint8)


def _odd(stack: NDArray[np.uint8], colours: NDArray[np.float64], labels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The pixels with none of the common colours, unless they are as thin as the soft edge between two of them."""
    away = largest_channel(np.asarray(cv2.absdiff(stack, colours.round().astype(np.uint8)[labels]), np.uint8))
    least = ODD + 3 * float(np.median(away))
    kernel = np.ones((3, 3), np.uint8)
    return np.stack([cv2.morphologyEx((each > least).astype(np.uint8), cv2.MORPH_OPEN, kernel) for each in away]) > 0


def _merged(
    stack: NDArray[np.uint8], colours: NDArray[np.float64], labels: NDArray[np.uint8]
) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Merges colours that are nearly alike and pass into each other without an edge, as on a shaded surface. Their
    border is judged where both are thicker than a pixel, if it is long enough there: elsewhere one of them may be the
    soft edge of something else."""
    count = len(colours)
    met, off_by = np.zeros((2, count * count)), np.zeros((2, count * count))
    calm = np.stack([cv2.medianBlur(each, 5) for each in stack]).astype(np.int16)
    for axis in (1, 2):
        seen, shown = np.moveaxis(labels, axis, 0), np.moveaxis(calm, axis, 0)
        same = seen[1:] == seen[:-1]
        thick = ~same
        thick[0] = thick[-1] = False
        thick[1:-1] &= same[2:] & same[:-2]
        border = ~same
        pairs = seen[1:][border].astype(np.int64) * count + seen[:-1][border]
        off = largest_channel(np.abs(shown[1:][border] - shown[:-1][border]))
        for n, some in enumerate((np.ones(len(pairs), np.bool_), thick[border])):
            met[n] += np.bincount(pairs[some], minlength=count * count)
            off_by[n] += np.bincount(pairs[some], off[some], minlength=count * count)
    beside, steps = (each.reshape(2, count, count) for each in (met, off_by))
    beside, steps = (each + each.transpose(0, 2, 1) for each in (beside, steps))
    areas = np.bincount(labels.ravel(), minlength=count)
    away = np.abs(colours[:, None] - colours[None]).max(axis=2)
    long = beside >= ALONG * np.sqrt(np.minimum(areas[:, None], areas[None]))
    steps = steps / np.maximum(beside, 1)
    linked = (away <= SHADE) & long[0] & (np.where(long[1], steps[1], steps[0]) <= 0.5 * away)
    group = np.arange(count)
    for a, b in np.argwhere(linked):
        group[group == group[a]] = group[b]
    kinds, index = np.unique(group, return_inverse=True)
    found = np.stack([np.average(colours[group == kind], axis=0, weights=areas[group == kind] + 1) for kind in kinds])
    return found, index.astype(np.uint8)[labels]


def _changing(labels: NDArray[np.uint8]) -> float:
    """The share of neighbouring pixels that show different colours."""
    return float((labels[:, :, 1:] != labels[:, :, :-1]).mean() + (labels[:, 1:] != labels[:, :-1]).mean())


def _surfaces(labels: NDArray[np.uint8], colours: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Two surfaces, distinguished by the distribution of colours near each pixel (which is uniform across a textured
    surface), with borders where the colours themselves change from those of one surface to those of the other. The
    third is whatever has colours that occur in few places only."""
    count = len(colours)
    reach = max(round(REACH * min(labels.shape[1:])), 3)
    roots = np.empty((*labels.shape, count), np.float32)  # the largest array of all that is made for a reading
    for colour in range(count):
        roots[..., colour] = _near(labels == colour, reach)
    np.sqrt(roots, out=roots)
    samples = np.ascontiguousarray(roots.reshape(-1, count)[:: max(roots[..., 0].size // 20000, 1)])
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 1e-4)
    cv2.setRNGSeed(1)
    first_guess = np.zeros((len(samples), 1), np.int32)
    _, _, centres = cv2.kmeans(samples, 2, first_guess, criteria, 4, cv2.KMEANS_PP_CENTERS)
    # The shares of all colours are 1 together, and so is the square of the roots' length.
    away = np.sqrt(np.maximum(1 + (centres**2).sum(axis=1) - roots @ (2 * centres.T), 0))
    del roots
    first = away[..., 1] < away[..., 0]
    sure = np.abs(away[..., 1] - away[..., 0]) > 0.3 * np.linalg.norm(centres[1] - centres[0])
    met = [np.bincount(labels[(first == one) & sure], minlength=count).astype(np.float64) for one in (False, True)]
    shares = [(each + 3) / (each + 3).sum() for each in met]
    lead = np.clip(np.log(shares[1]) - np.log(shares[0]), -3, 3)
    # A colour that shows only where both are near, as the kerb of a platform, goes with those that are like it.
    sides = [
        np.linalg.norm(colours[:, None] - colours[None, share >= min(0.08, share.max())], axis=2).min(axis=1)
        for share in shares
    ]
    like = 2.5 * (sides[0] - sides[1]) / np.maximum(sides[0] + sides[1], 1e-6)
    trust = np.minimum(sum(met) / np.maximum(0.5 * np.bincount(labels.ravel(), minlength=count), 1), 1)
    lead = trust * lead + (1 - trust) * like
    pixels = lead[labels].astype(np.float32)
    wide = np.stack([cv2.blur(each, (2 * reach + 1,) * 2, borderType=cv2.BORDER_REFLECT) for each in pixels])
    close = np.stack([cv2.blur(each, (3, 3), borderType=cv2.BORDER_REFLECT) for each in pixels])
    found = (pixels + close + 0.7 * wide > 0).astype(np.uint8)
    size = max(reach // 2, 1) * 2 + 1
    calm = np.stack([cv2.medianBlur(each, size) for each in found])
    for surface, rare in zip(calm, _rare(labels, count, 2 * reach)[labels], strict=True):
        closed = cv2.morphologyEx(rare.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, parts, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        large = stats[:, cv2.CC_STAT_AREA] >= reach * reach
        large[0] = False
        surface[large[parts]] = 2
    return calm


def _rare(labels: NDArray[np.uint8], count: int, step: int) -> NDArray[np.bool_]:
    """Which colours occur in few places only."""
    height, width = labels.shape[1:]
    block = (np.arange(height)[:, None] // step) * (width // step + 1) + np.arange(width) // step
    blocks = int(block.max()) + 1
    shown = np.zeros(count)
    for picture in labels:
        pairs = np.bincount((picture.astype(np.int64) * blocks + block).ravel(), minlength=count * blocks)
        shown += (pairs.reshape(count, blocks) >= 2).sum(axis=1)
    return shown < FEW_PLACES * blocks * len(labels)


def _near(shown: NDArray[np.bool_], reach: int) -> NDArray[np.float32]:
    """The share of pixels round each one for which ``shown`` is true."""
    size = (2 * reach + 1, 2 * reach + 1)
    return np.stack([cv2.blur(each.astype(np.float32), size, borderType=cv2.BORDER_REFLECT) for each in shown])


def _codes(stack: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Each pixel's colour as one number of 18 bits."""
    high = (stack >> 2).astype(np.int32)
    found: NDArray[np.int32] = (high[..., 0] << 12) + (high[..., 1] << 6) + high[..., 2]
    return found


def _places(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """The colours of such numbers, shape ``(n, 3)``."""
    return np.stack([codes >> 12, codes >> 6 & 63, codes & 63], axis=1) * 4.0 + 2


def _common(stack: NDArray[np.uint8], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """The colours that are common in pictures, the most common first; shape ``(n, 3)``."""
    every = np.bincount(codes.ravel(), minlength=1 << 18)
    values = np.flatnonzero(every)
    order = np.argsort(every[values])[::-1][:4000]
    values = values[order]
    counts, places = every[values].astype(np.float64), _places(values)
    found: list[NDArray[np.float64]] = []
    left = counts.copy()
    while len(found) < MOST:
        top = int(left.argmax())
        near = np.abs(places - places[top]).max(axis=1) <= WITHIN
        share = left[near].sum() / codes.size
        if share < LEAST:
            break
        found.append(np.average(places[near], axis=0, weights=np.maximum(left[near], 1e-9)))
        left[near] = 0
    return np.array(found) if found else stack.reshape(-1, 3).mean(axis=0, keepdims=True).astype(np.float64)


def _nearest(codes: NDArray[np.int32], colours: NDArray[np.float64]) -> NDArray[np.uint8]:
    """For each pixel the number of the colour that is nearest to it."""
    values = np.flatnonzero(np.bincount(codes.ravel(), minlength=1 << 18))
    number = np.zeros(1 << 18, np.uint8)
    number[values] = np.linalg.norm(_places(values)[:, None] - colours[None], axis=2).argmin(axis=1)
    found: NDArray[np.uint8] = number[codes]
    return found
