"""What is drawn in each place of a lattice: the place's own colour, and the ink upon it. Knows no game, no glyph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image

FAINTEST = 14.0
"""Grey levels: ink that differs less from its ground is not to be told from a texture."""

ENOUGH = 48
"""Pixels: a place twice as large is made smaller first; its glyph is read from fewer pixels than that anyway."""


@dataclass(frozen=True)
class Content:
    """What one place shows.

    ``ground``: its own colour, BGR, shape ``(3,)``. ``ink``: how much of what is drawn upon it each pixel holds, 0 to
    1, cut to its bounding box, shape ``(h, w)``; empty where the place is bare. ``box``: that bounding box in window
    pixels. ``colour``: the ink's own colour, BGR, shape ``(3,)``. ``contrast``: its distance from the ground, 0 to 255.
    ``place``: the box that was looked at.
    """

    ground: Floats
    ink: Floats
    box: Box
    colour: Floats
    contrast: float
    place: Box

    @property
    def bare(self) -> bool:
        return self.ink.size == 0


def contents(image: Image, boxes: Sequence[Box], noise: float = 0.0) -> list[Content]:
    """What each box of ``image`` shows; ``noise`` is the picture's standard deviation in grey levels."""
    return [content(image, box, noise) for box in boxes]


def ground_colour(patch: NDArray[np.uint8]) -> Floats:
    """The commonest colour of a patch, BGR: the mean of the fullest bin of a coarse histogram and its neighbours."""
    pixels = patch.reshape(-1, 3)
    if len(pixels) > 1000:
        pixels = pixels[:: len(pixels) // 700]
    # Two half-shifted histograms of 16 levels: a colour that falls on the edge of a bin in one is inside in the other.
    best: NDArray[np.uint8] | None = None
    for shift in (0, 8):
        code = ((pixels.astype(np.int32) + shift) >> 4) @ _BINS
        chosen = pixels[code == np.bincount(code).argmax()]
        if best is None or len(chosen) > len(best):
            best = chosen
    assert best is not None
    return np.asarray(best.mean(axis=0), np.float32)


_BINS = np.array([17 * 17, 17, 1], np.int32)


def content(image: Image, box: Box, noise: float = 0.0) -> Content:
    """What ``box`` of ``image`` shows. Whatever touches the box's border without reaching its middle is no ink but a
    remnant of walls, or of a neighbour."""
    patch, scale = _patch(image, box)
    if patch.shape[0] < 4 or patch.shape[1] < 4:
        return Content(np.zeros(3, np.float32), np.empty((0, 0), np.float32), box, np.zeros(3, np.float32), 0.0, box)
    if all(int(plane.max()) - int(plane.min()) < FAINTEST for plane in cv2.split(patch)):
        colour = np.asarray(cv2.mean(patch)[:3], np.float32)
        return Content(colour, np.empty((0, 0), np.float32), box, colour, 0.0, box)
    ground = ground_colour(patch)
    return _separate(patch, scale, distance_from_ground(patch, ground), ground, box, noise)


def content_in_colour(image: Image, box: Box, colour: Floats, noise: float = 0.0) -> Content:
    """What ``box`` shows in one known ink colour, whatever else is drawn there (a chain's line under a number)."""
    patch, scale = _patch(image, box)
    ground = ground_colour(patch)
    reach = max(float(np.abs(colour - ground).max()), 1.0)
    near = _distance(patch, colour)
    return _separate(patch, scale, np.clip(reach - 1.5 * near, 0, None), ground, box, noise)


def _patch(image: Image, box: Box) -> tuple[Image, int]:
    """The part of ``image`` in ``box``, made smaller by a whole number where it is far larger than reading needs."""
    patch = box.crop(image)
    scale = min(patch.shape[:2]) // ENOUGH
    if scale < 2:
        return patch, 1
    h, w = patch.shape[0] // scale, patch.shape[1] // scale
    return np.asarray(
        cv2.resize(patch[: h * scale, : w * scale], (w, h), interpolation=cv2.INTER_AREA), np.uint8
    ), scale


def distance_from_ground(patch: Image, ground: Floats) -> Floats:
    """How far each pixel of a patch is from the patch's own colour, as that runs where it is shaded; shape ``(h, w)``,
    grey levels."""
    return _distance(patch, _shade(patch, ground))


def _distance(patch: Image, colour: Floats) -> Floats:
    """The largest channel's difference between a patch and a colour, or one colour a pixel; shape ``(h, w)``."""
    if colour.ndim == 1:
        planes = cv2.split(cv2.absdiff(patch, np.array([*np.rint(colour), 0], np.float64)))
    else:
        planes = cv2.split(cv2.absdiff(patch.astype(np.float32), colour))
    return np.asarray(cv2.max(cv2.max(planes[0], planes[1]), planes[2]), np.float32)


def _shade(patch: Image, ground: Floats) -> Floats:
    """The ground's colour: ``ground`` itself, or, for a shaded place, a plane through the pixels near it: one colour
    for each pixel, shape ``(h, w, 3)``."""
    h, w = patch.shape[:2]
    near = np.asarray(_distance(patch, ground) < 20, np.uint8)
    halves = (slice(0, h), slice(0, w // 2)), (slice(0, h), slice(w // 2, w)), (slice(0, h // 2),), (slice(h // 2, h),)
    if cv2.countNonZero(near) < 0.3 * h * w or not all(cv2.countNonZero(near[half]) for half in halves):
        return ground
    left, right, upper, lower = (np.array(cv2.mean(patch[half], near[half])[:3]) for half in halves)
    if max(float(np.abs(left - right).max()), float(np.abs(upper - lower).max())) < 2:
        return ground
    ys, xs = np.nonzero(near)
    if len(xs) > 600:
        ys, xs = ys[:: len(xs) // 400], xs[:: len(xs) // 400]
    values = patch[ys, xs].astype(np.float32)
    terms = np.stack([np.ones(len(xs)), xs / w - 0.5, ys / h - 0.5], axis=1).astype(np.float32)
    plane, *_ = np.linalg.lstsq(terms, values, rcond=None)
    across, down = np.arange(w, dtype=np.float32) / w - 0.5, np.arange(h, dtype=np.float32) / h - 0.5
    return np.asarray(plane[0] + across[None, :, None] * plane[1] + down[:, None, None] * plane[2], np.float32)


def _separate(patch: Image, scale: int, away: Floats, ground: Floats, box: Box, noise: float) -> Content:
    """The ink: where ``away``, the distance from the ground, is large."""
    h, w = away.shape
    nothing = Content(ground, np.empty((0, 0), np.float32), box, ground, 0.0, box)
    # The glyph is in the middle; walls at the border may be stronger than it and must not set the scale.
    middle = away[h // 8 : h - h // 8, w // 8 : w - w // 8].ravel()
    rank = max(3, middle.size // 100)
    peak = float(np.partition(middle, -rank)[-rank])
    if peak < FAINTEST + 3 * noise:
        return nothing
    floor = min(0.12 * peak + 2 * noise, 0.4 * peak)
    ink = np.clip((away - floor) / (0.92 * peak - floor), 0, 1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((ink > 0.3).astype(np.uint8), connectivity=8)
    keep = np.zeros(count, bool)
    x, y, cw, ch, area = (stats[:, i] for i in range(5))
    for i in range(1, count):
        on_border = x[i] == 0 or y[i] == 0 or x[i] + cw[i] == w or y[i] + ch[i] == h
        reaches = x[i] < 0.7 * w and x[i] + cw[i] > 0.3 * w and y[i] < 0.7 * h and y[i] + ch[i] > 0.3 * h
        thin = min(cw[i], ch[i]) < 0.2 * min(w, h) and on_border
        # A frame goes all around and leaves the middle free; a ring that touches the glyph inside it does not.
        around = on_border and cw[i] > 0.94 * w and ch[i] > 0.94 * h
        if around:
            core = labels[h // 4 : h - h // 4, w // 4 : w - w // 4] == i
            around = bool(core.sum() < 0.03 * area[i])
        keep[i] = area[i] >= max(2, 0.0015 * w * h) and not (on_border and not reaches) and not thin and not around
    if not keep.any():
        return nothing
    # A speck far smaller than the glyph is noise, not a part of it.
    largest = area[keep].max()
    keep &= area >= 0.02 * largest
    left, top = int(x[keep].min()), int(y[keep].min())
    right, bottom = int((x + cw)[keep].max()), int((y + ch)[keep].max())
    mine = keep[labels]
    # Soft edges belong to the glyph; other pieces do not.
    soft = cv2.dilate(mine.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool) & ((labels == 0) | mine)
    ink = np.where(soft, ink, 0)[top:bottom, left:right].astype(np.float32)
    full = patch[mine & (away > 0.75 * peak)]
    colour = np.median(full, axis=0).astype(np.float32) if len(full) else ground
    bounds = Box(
        max(box.x, 0) + left * scale, max(box.y, 0) + top * scale, (right - left) * scale, (bottom - top) * scale
    )
    return Content(ground, ink, bounds, colour, peak, box)
