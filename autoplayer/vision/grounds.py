"""The background colour of a place, even where it has a gradient, and the distance of each pixel from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image

FEW, BINS = 15, 0x3F0 | 0x3F0 << 10 | 0x3F0 << 20
"""Sample size: where more than half of the pixels are equal, the middle one of a sample of this size is that colour.
And the bits of a packed colour that distinguish bins of 16 levels."""

LEVELS = 17
"""Bins of a histogram in each channel: shifted by half a bin, it needs one more than 16."""

NEAR = 20
"""Grey levels: a pixel that differs less from the ground's colour may be part of a gradient."""

SHADED = 2.0
"""The smallest difference between the halves of a place with a gradient, in grey levels."""


def ground_colour(patch: NDArray[np.uint8]) -> Floats:
    """The commonest colour of a patch, BGR: the mean of the fullest bin of a coarse histogram and its neighbours."""
    return np.asarray(_ground_colours(patch.reshape(1, -1, 3).transpose(2, 0, 1))[0], np.float32)


def ground_colours(patches: Sequence[NDArray[np.uint8]]) -> list[Floats]:
    """:func:`ground_colour` of each patch; patches of one size are computed together."""
    found: list[Floats] = [np.empty(0, np.float32)] * len(patches)
    for shape in {patch.shape for patch in patches}:
        same = [k for k, patch in enumerate(patches) if patch.shape == shape]
        some = np.stack([patches[k] for k in same]).reshape(len(same), -1, 3)
        colours = _ground_colours(np.moveaxis(some, 2, 0))
        for k, colour in zip(same, colours, strict=True):
            found[k] = colour
    return found


def _ground_colours(planes: NDArray[np.uint8], inside: NDArray[np.bool_] | None = None) -> Floats:
    """:func:`ground_colour` of many patches, shape ``(N, 3)``. ``planes``: their blue, green and red, shape
    ``(3, N, pixels)``; ``inside``: which pixels count, shape ``(N, pixels)``."""
    step = planes.shape[2] // 700 if planes.shape[2] > 1000 else 1
    levels = planes[..., ::step].astype(np.int32)
    if not levels.size:
        return _of_fullest_bin(levels, None)
    packed = levels[0] | levels[1] << 10 | levels[2] << 20
    counts = np.full(len(packed), packed.shape[1])
    if inside is not None:
        inside = inside[:, ::step]
        packed, counts = np.where(inside, packed, OUTSIDE), np.count_nonzero(inside, axis=1)
    some = np.sort(packed[:, :: max(packed.shape[1] // FEW, 1)], axis=1)
    most = np.take_along_axis(some, np.count_nonzero(some != OUTSIDE, axis=1)[:, None] // 2, axis=1)
    sure = (np.count_nonzero(packed == most, axis=1) > counts // 2) & (most[:, 0] != OUTSIDE)
    if sure.all():
        return _around(levels, packed, most)
    found = np.empty((len(packed), 3), np.float32)
    found[~sure] = _of_fullest_bin(levels[:, ~sure], None if inside is None else inside[~sure])
    if sure.any():
        found[sure] = _around(levels[:, sure], packed[sure], most[sure])
    return found


OUTSIDE = 0x300 | 0x300 << 10 | 0x300 << 20
"""The packed colour of a pixel that does not count: above all others, and in no bin with any of them."""


def _around(levels: NDArray[np.int32], packed: NDArray[np.int32], most: NDArray[np.int32]) -> Floats:
    """As :func:`_of_fullest_bin`, for patches in which more than half of the pixels that count are equal, for then
    these are in the fullest bin. ``packed``: the three levels of a pixel as one number, or ``OUTSIDE``, shape ``(N,
    pixels)``; ``most``: the commonest one, shape ``(N, 1)``."""
    best = np.zeros(packed.shape, bool)
    fullest = np.zeros(len(packed), np.int64)
    for shift in (0, 8 | 8 << 10 | 8 << 20):
        own = ((packed + shift) ^ (most + shift)) & BINS == 0
        full = np.count_nonzero(own, axis=1)
        fuller = full > fullest
        best[fuller], fullest = own[fuller], np.maximum(full, fullest)
    return np.asarray(np.einsum("knp,np->kn", levels, best) / fullest, np.float32).T


def _of_fullest_bin(levels: NDArray[np.int32], counts: NDArray[np.bool_] | None) -> Floats:
    """The mean colour of the pixels in the fullest histogram bin of each patch, shape ``(N, 3)``. ``levels``: shape
    ``(3, N, pixels)``; ``counts``: which pixels count, shape ``(N, pixels)``."""
    weights = None if counts is None else counts.ravel()
    rows = np.arange(levels.shape[1])[:, None]
    fullest, best = np.full(rows.shape, -1.0), np.zeros(levels.shape[1:], bool)
    # Two histograms of 16 levels, shifted by half a bin: a colour on the edge of a bin in one is inside a bin in the
    # other.
    for shift in (0, 8):
        blue, green, red = (levels + shift) >> 4
        code = (blue * LEVELS + green) * LEVELS + red
        bins = np.bincount((code + rows * LEVELS**3).ravel(), weights, len(rows) * LEVELS**3).reshape(len(rows), -1)
        top = bins.argmax(axis=1)[:, None]
        full = bins[rows, top]
        best = np.where(full > fullest, code == top, best)
        fullest = np.maximum(full, fullest)
    if counts is not None:
        best &= counts
    return np.asarray((levels * best).sum(axis=2) / np.maximum(best.sum(axis=1), 1), np.float32).T


def distance_from_ground(patch: Image, ground: Floats, outside: NDArray[np.bool_] | None = None) -> Floats:
    """The distance of each pixel of a patch from the patch's background, which may be a gradient; shape ``(h, w)``,
    grey levels. ``outside``: pixels that are not used to find the background, shape ``(h, w)``."""
    flat = distance(patch, ground)
    shade = _shade(patch, ground, flat, outside)
    return flat if shade is ground else distance(patch, shade)


def distance(patch: Image, colour: Floats) -> Floats:
    """The largest channel difference between a patch and a colour, or one colour a pixel; shape ``(h, w)``."""
    if colour.ndim == 1:
        planes = cv2.split(cv2.absdiff(patch, np.array([*np.rint(colour), 0], np.float64)))
    else:
        planes = cv2.split(cv2.absdiff(patch.astype(np.float32), colour))
    return np.asarray(cv2.max(cv2.max(planes[0], planes[1]), planes[2]), np.float32)


def _shade(patch: Image, ground: Floats, away: Floats, outside: NDArray[np.bool_] | None) -> Floats:
    """The background as one colour a pixel, shape ``(h, w, 3)``, or ``ground`` itself where it is even: a gradient is a
    plane fitted to the pixels near ``ground``. ``away``: each pixel's distance from ``ground``."""
    h, w = patch.shape[:2]
    near = np.asarray(away < NEAR, np.uint8)
    if outside is not None:
        near[outside] = 0
    halves = (slice(0, h), slice(0, w // 2)), (slice(0, h), slice(w // 2, w)), (slice(0, h // 2),), (slice(h // 2, h),)
    if cv2.countNonZero(near) < 0.3 * h * w or not all(cv2.countNonZero(near[half]) for half in halves):
        return ground
    left, right, upper, lower = (np.array(cv2.mean(patch[half], near[half])[:3]) for half in halves)
    if max(float(np.abs(left - right).max()), float(np.abs(upper - lower).max())) < SHADED:
        return ground
    ys, xs = np.nonzero(near)
    if len(xs) > 600:
        ys, xs = ys[:: len(xs) // 400], xs[:: len(xs) // 400]
    values = patch[ys, xs].astype(np.float32)
    terms = np.stack([np.ones(len(xs)), xs / w - 0.5, ys / h - 0.5], axis=1).astype(np.float32)
    plane, *_ = np.linalg.lstsq(terms, values, rcond=None)
    across, down = np.arange(w, dtype=np.float32) / w - 0.5, np.arange(h, dtype=np.float32) / h - 0.5
    return np.asarray(plane[0] + across[None, :, None] * plane[1] + down[:, None, None] * plane[2], np.float32)


Distances = NDArray[np.uint8] | NDArray[np.floating[Any]]
"""Grey levels; whole ones where no ground has a gradient: bytes are read in a quarter of the time."""


def grounds_and_distances(patches: NDArray[np.uint8]) -> tuple[Floats, Distances]:
    """:func:`ground_colour` and :func:`distance_from_ground` of many places of one size at once, shapes ``(N, 3)`` and
    ``(N, h, w)``. ``patches``: BGR, shape ``(N, h, w, 3)``."""
    return distances(patches, planes_of(patches), None)


def planes_of(patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The blue, green and red of patches, BGR, shape ``(N, h, w, 3)``; shape ``(3, N, h * w)``."""
    count, h, w = patches.shape[:3]
    planes = np.empty((3, count, h * w), np.uint8)
    cv2.split(patches.reshape(count, h * w, 3), list(planes))
    return planes


def distances(
    patches: NDArray[np.uint8], planes: NDArray[np.uint8], beside: NDArray[np.bool_] | None
) -> tuple[Floats, Distances]:
    """As :func:`grounds_and_distances`, where the ``planes`` of the patches (:func:`planes_of`) are known already;
    ``beside``: pixels that are not used to find the background, shape ``(N, h * w)``."""
    h, w = patches.shape[1:3]
    grounds = _ground_colours(planes, None if beside is None else ~beside)
    apart = _apart(planes, np.rint(grounds).astype(np.uint8).T)
    shaded = _perhaps_shaded(planes, apart, (apart < NEAR) if beside is None else (apart < NEAR) & ~beside, h, w)
    if not shaded:
        return grounds, apart.reshape(-1, h, w)
    away = apart.reshape(-1, h, w).astype(np.float32)
    for k in shaded:
        away[k] = distance_from_ground(patches[k], grounds[k], None if beside is None else beside[k].reshape(h, w))
    return grounds, away


def _apart(planes: NDArray[np.uint8], levels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The largest channel difference between each pixel, shape ``(3, N, pixels)``, and the level of its patch, shape
    ``(3, N)``."""
    result, own = np.zeros(planes.shape[1:], np.uint8), np.empty(planes.shape[1:], np.uint8)
    for plane, level in zip(planes, levels, strict=True):
        own[:] = level[:, None]
        cv2.max(result, cv2.absdiff(plane, own), dst=result)
    return result


def _perhaps_shaded(
    planes: NDArray[np.uint8], apart: NDArray[np.uint8], near: NDArray[np.bool_], h: int, w: int
) -> list[int]:
    """The patches in which ``_shade`` may find a gradient: the mean colours of the pixels ``near`` the ground differ
    between two halves of the patch. ``planes``: shape ``(3, N, h * w)``; ``apart``, their distance from the ground, and
    ``near``: ``(N, h * w)``."""
    # Two halves differ by no more than both differ from the ground; and each half has at least so many near pixels as
    # it has pixels more than there are others. For most patches these sums over the whole patch are enough.
    astray = apart * near
    total, many = (cv2.reduce(v, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)[:, 0] for v in (astray, near.view(np.uint8)))
    fewest = min(h * (w // 2), h // 2 * w) - (h * w - many)
    some = np.flatnonzero((fewest < 1) | (total > 0.9 * SHADED * fewest))
    if not len(some):
        return []
    near = near[some]
    counts = _in_halves(near.view(np.uint8), h, w)
    most = _in_halves(astray[some], h, w) / np.maximum(counts, 1)
    most = np.maximum(most[:, 0] + most[:, 1], most[:, 2] + most[:, 3])
    kept = (most > 0.9 * SHADED) | (counts == 0).any(axis=1)
    if not kept.any():
        return []
    some, near, counts = some[kept], near[kept], counts[kept]
    means = _in_halves(planes[:, some] * near, h, w) / np.maximum(counts, 1)
    differ = np.maximum(np.abs(means[..., 0] - means[..., 1]), np.abs(means[..., 2] - means[..., 3])).max(axis=0)
    return [int(k) for k in some[differ > 0.95 * SHADED]]


def _in_halves(values: NDArray[np.uint8], h: int, w: int) -> Floats:
    """The sums over each patch's left, right, upper and lower half, shape ``(..., N, 4)``; integers, so that the order
    of addition does not change them. ``values``: shape ``(..., N, h * w)``."""
    rows = values.reshape(-1, w)
    sides = [
        cv2.reduce(np.ascontiguousarray(part), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S).reshape(*values.shape[:-1], h)
        for part in (rows[:, : w // 2], rows[:, w // 2 :])
    ]
    lines = sides[0] + sides[1]
    parts = [
        *(side.sum(axis=-1) for side in sides),
        lines[..., : h // 2].sum(axis=-1),
        lines[..., h // 2 :].sum(axis=-1),
    ]
    return np.stack(parts, axis=-1).astype(np.float32)
