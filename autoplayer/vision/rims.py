"""Places with two grounds: the border of a veil, a highlight or a shadow runs through them, and neither that border nor
the tint is ink. Knows no game, no glyph."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.vision import ink

NEAR = 0.4
"""A pixel whose distance from a ground is less than this share of the distance between the two grounds belongs to
it."""

LEAST = 0.05
"""The least share of a place that each ground takes up."""

KNOWN = 0.45
"""The least share of a place whose pixels clearly belong to one of the two grounds."""

SOFT = 2.0
"""Pixels on both sides of the border between the two grounds in which they are mixed."""

EVEN_OUT = 0.6
"""Ink under the veil may be paler than beside it, down to this share; it is then brought to the same strength."""

SHOWS = 0.9
"""The least share of a place's border beside which its walls are seen, if nothing opaque lies over them."""

LINE = 32.0
"""The least difference, in grey levels of a channel, between the colour of a drawn line and the place's ground."""

LINE_NEAR = 12.0
"""Beyond twice the noise, the largest difference in grey levels of a pixel that still has the line's colour."""

LINE_SHARE, LINE_BREADTH = 0.06, 0.2
"""The least share of a place that a line covers, and the least share of the side by which it enters."""

ALL_AROUND = 0.9
"""Where at least this share of a place's border has one colour, that is the ground around a disc, not a line."""


@dataclass(frozen=True)
class Parting:
    """The two grounds of a place. ``ground``: the ground's colour at each pixel, BGR, shape ``(h, w, 3)``. ``other``:
    where the second ground is, shape ``(h, w)``. ``mixed``: where the two blend, shape ``(h, w)``. ``colours``: of both
    grounds, BGR, shape ``(2, 3)``."""

    ground: Floats
    other: NDArray[np.bool_]
    mixed: NDArray[np.bool_]
    colours: Floats

    def away(self, patch: Image) -> Floats:
        """The signed difference of each pixel from its ground, or, where the grounds blend, from the nearest mixture of
        both; shape ``(h, w, 3)``."""
        pixels = patch.astype(np.float32)
        away = pixels - self.ground
        first, second = self.colours
        way = second - first
        share = np.clip((pixels - first) @ way / max(float(way @ way), 1.0), 0, 1)
        from_mixture = pixels - (first + share[..., None] * way)
        nearer = self.mixed & (largest_channel(np.abs(from_mixture)) < largest_channel(np.abs(away)))
        return np.asarray(np.where(nearer[..., None], from_mixture, away), np.float32)


def parting(patch: Image, noise: float = 0.0) -> Parting | None:
    """The two grounds of a place (BGR, shape ``(h, w, 3)``); None where it has only one. ``noise``: grey levels."""
    h, w = patch.shape[:2]
    if min(h, w) < 8:
        return None
    first = ink.ground_colour(patch)
    away = _distance(patch, first)
    depth = max(1, round(0.06 * min(h, w)))
    border = np.ones((h, w), np.bool_)
    border[depth:-depth, depth:-depth] = False
    foreign = border & (away > ink.FOREIGN + 2 * noise)
    if foreign.sum() < ink.UNEVEN * border.sum():
        return None
    second = ink.ground_colour(patch[foreign].reshape(1, -1, 3))
    step = float(np.abs(first - second).max())
    if step < ink.FOREIGN + 2 * noise:
        return None
    from_second = _distance(patch, second)
    near = max(NEAR * step, 2 * noise)
    ours, theirs = (away < near) & (away <= from_second), (from_second < near) & (from_second < away)
    neither = border & ~(ours | theirs)
    ours, theirs = _of_the_border(ours, neither), _of_the_border(theirs, neither)
    if min(ours.sum(), theirs.sum()) < LEAST * h * w or (ours | theirs).sum() < KNOWN * h * w:
        return None
    if min((ours & border).sum(), (theirs & border).sum()) < ink.UNEVEN * border.sum():
        return None
    to_ours, to_theirs = _how_far(ours), _how_far(theirs)
    other = to_theirs < to_ours
    edge = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    mixed = _how_far(edge > 0) <= SOFT - 1
    ground = np.where(other[..., None], _spread(patch, theirs, second), _spread(patch, ours, first))
    return Parting(np.asarray(ground, np.float32), other, mixed, np.stack([first, second]))


def is_translucent(image: Image, box: Box, found: Parting, reach: int) -> bool:
    """Whether the walls around ``box`` of ``image`` are seen on both grounds of a place, within ``reach`` pixels of it:
    through a veil, but not through a mouse pointer."""
    grown = Box(box.x - reach, box.y - reach, box.width + 2 * reach, box.height + 2 * reach)
    around = grown.crop(image)
    if min(box.x, box.y) < reach or around.shape[:2] != (grown.height, grown.width):
        return False
    shown: list[NDArray[np.bool_]] = []
    for turn in range(4):
        # Each side in turn is the upper one.
        beyond = np.rot90(around, turn)[:reach, reach:-reach].astype(np.float32)
        ground = found.colours[np.rot90(found.other, turn)[0].astype(int)]
        shown.append(largest_channel(np.abs(beyond - ground)).max(axis=0) > LINE)
    return float(np.concatenate(shown).mean()) >= SHOWS


def content(image: Image, box: Box, noise: float = 0.0) -> ink.Content | None:
    """What ``box`` of ``image`` shows on its two grounds; None where it has only one."""
    patch, scale = ink.shrunk(image, box)
    found = parting(patch, noise)
    if found is None:
        return None
    away = largest_channel(np.abs(found.away(patch)))
    tops = [float(np.percentile(away[part], 99)) for part in (found.other, ~found.other)]
    weaker, stronger = sorted(tops)
    if EVEN_OUT * stronger <= weaker:
        away = away * np.where(found.other, stronger / max(tops[0], 1.0), stronger / max(tops[1], 1.0))
    ground = found.colours[0]
    return ink.separated(patch[None], scale, away[None].astype(np.float32), ground[None], [box], noise)[0]


def upon_a_line(image: Image, box: Box, noise: float = 0.0) -> ink.Content | None:
    """What ``box`` of ``image`` shows where a broad line of one colour enters it and runs under its glyph: ink is what
    has neither the ground's colour nor the line's nor a mixture of both. None where no line enters. ``noise``: grey
    levels."""
    patch, scale = ink.shrunk(image, box)
    if min(patch.shape[:2]) < 8:
        return None
    first = ink.ground_colour(patch)
    strong = _distance(patch, first) > LINE + 2 * noise
    if strong.mean() < LINE_SHARE:
        return None
    second = ink.ground_colour(patch[strong].reshape(1, -1, 3))
    line = _distance(patch, second) < LINE_NEAR + 2 * noise
    sides = [float(side.mean()) for side in (line[0], line[-1], line[:, 0], line[:, -1])]
    if line.mean() < LINE_SHARE or max(sides) < LINE_BREADTH or float(np.abs(second - first).max()) < LINE:
        return None
    if min(sides) > ALL_AROUND:
        return None  # that surrounds a disc
    pixels, way = patch.astype(np.float32), second - first
    share = np.clip((pixels - first) @ way / float(way @ way), 0, 1)
    away = largest_channel(np.abs(pixels - (first + share[..., None] * way)))
    seen = ink.separated(patch[None], scale, away[None].astype(np.float32), first[None], [box], noise)[0]
    if not seen.bare and seen.contrast >= LINE:
        return seen
    # A glyph in the ground's own colour is a gap in the line.
    beside = np.asarray(_distance(patch, second) > LINE, np.uint8)
    _, labels = cv2.connectedComponents(beside, connectivity=4)
    outside = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    inside = np.asarray((beside > 0) & ~np.isin(labels, outside), np.uint8)
    soft = cv2.dilate(inside, np.ones((3, 3), np.uint8)) > 0
    away = np.where(soft, _distance(patch, second), 0)
    gaps = ink.separated(patch[None], scale, away[None].astype(np.float32), second[None], [box], noise)[0]
    return seen if gaps.bare else gaps


def _distance(patch: Image, colour: Floats) -> Floats:
    return np.asarray(largest_channel(np.abs(patch.astype(np.float32) - colour)), np.float32)


def _of_the_border(pixels: NDArray[np.bool_], soft: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The components that are connected to the border, directly or through ``soft`` pixels beside it, and are more than
    a soft edge. A glyph close to the border has ground between itself and the border."""
    h, w = pixels.shape
    opened = cv2.morphologyEx(pixels.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats((opened | soft).astype(np.uint8), connectivity=4)
    x, y, cw, ch = (stats[:, i] for i in range(4))
    keep = (x == 0) | (y == 0) | (x + cw == w) | (y + ch == h)
    keep &= np.bincount(labels[opened], minlength=len(keep)) >= 0.02 * h * w
    keep[0] = False
    return np.asarray(keep[labels] & opened, np.bool_)


def _how_far(pixels: NDArray[np.bool_]) -> Floats:
    """The distance of each pixel to the nearest one of ``pixels``."""
    return np.asarray(cv2.distanceTransform((~pixels).astype(np.uint8), cv2.DIST_L2, 3), np.float32)


def _spread(patch: Image, pixels: NDArray[np.bool_], colour: Floats) -> Floats:
    """For each pixel the mean colour of the nearby ``pixels`` of a patch; ``colour`` where there are none."""
    size = (max(min(patch.shape[:2]) // 2, 3) | 1,) * 2
    weight = cv2.blur(pixels.astype(np.float32), size)
    total = cv2.blur(np.where(pixels[..., None], patch, 0).astype(np.float32), size)
    return np.asarray(
        np.where(weight[..., None] > 0.05, total / np.maximum(weight, 1e-6)[..., None], colour), np.float32
    )
