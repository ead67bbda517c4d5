"""Glyphs drawn in two colours: an outline or a glow around what a person reads, as in cartoon lettering and hollow
typefaces. Both colours together are a silhouette, whose holes may be closed by a thick outline; the glyph itself is
inside. Knows no game and no place, only the pixels of some glyphs of one window."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image, Mask, largest_channel

SAMPLE, FEWEST = 8, 3
"""This many glyphs, spread over the window, are examined first, and all of them only where these have outlines; with
fewer glyphs than the second number nothing is decided."""

MOSTLY = 0.75
"""The share of the glyphs that must enclose something within their outline: in plain text the digits 1, 2, 3, 5 and 7
enclose nothing, so no window of plain digits reaches it."""

WITHOUT_HOLES = 0.4
"""The share of those that must not enclose a further hole: outlined digits have one only in a 4 or a 6, while glyphs in
rings or boxes have one everywhere."""

OPEN, HALF = 0.5, 0.5
"""The least height of what a hollow glyph encloses, as a share of the glyph's; and the ink from which on a pixel has
the glyph's own colour."""

HIGH, LARGE, SMALL_HOLE = 0.62, 0.12, 0.03
"""The least height of what is inside an outline, as a share of the whole; its least area, as a share of the
silhouette's; and the least area of a further hole, as a share of the silhouette's."""

LOPSIDED = 0.15
"""The largest difference in width between opposite sides of an outline, as a share of the height."""

OUTER, EDGE = 0.03, 0.45
"""The depth below the silhouette's border at which the outline's colour is sampled, as a share of the height; and the
largest distance of the outline's pixels from that colour, as a share of its distance from the ground."""

FARTHEST = 0.8
"""Of the border pixels, those whose distance from the ground exceeds this share of the largest distance belong to a
thin outline; the others are its soft edge."""

FAINT = 0.3
"""Pixels that differ from the ground by more than this share of a thin outline's own distance belong to it: with a
higher bound it would have gaps."""

DIFFERENT, SAME = 60.0, 45.0
"""The least difference between the two colours, and the largest difference between the outlines of most glyphs, in grey
levels."""

OTHER = 30.0
"""The least difference of the inner glyph from all mixtures of the outline's and the ground's colours, in grey
levels."""

CLEAR = 72
"""Pixels: smaller glyphs are enlarged, so that outlines of one pixel are closed."""

BORDER = 2
"""Pixels of ground that are added around each glyph."""


@dataclass(frozen=True)
class Inlay:
    """``ink``: the glyph inside its outline, 0 to 1, cut to its bounding box, shape ``(h, w)``. ``left``, ``top``: the
    corner of that box in the whole glyph, in pixels of its ink."""

    ink: Floats
    left: int
    top: int


def inlays(patch: Callable[[int], Image], inks: Sequence[Floats], grounds: Sequence[Floats]) -> dict[int, Inlay]:
    """The glyph inside the outline of each glyph, by its number, where nearly all have outlines; else nothing.

    ``inks``: the ink of each glyph, shape ``(h, w)``; ``patch``: the pixels of its box, BGR, of the same shape;
    ``grounds``: the colours around them, BGR, shape ``(3,)``.
    """
    if len(inks) < FEWEST:
        return {}
    chosen = np.unique(np.linspace(0, len(inks) - 1, SAMPLE).round().astype(int)).tolist()
    few = math.floor((1 - MOSTLY) * len(chosen))
    for k in chosen:  # most windows have plain glyphs, which the first ones show
        few -= not _perhaps(patch(k), inks[k], grounds[k])
        if few < 0:
            return {}
    zoom = max(math.ceil(CLEAR / max(float(np.median([max(inks[k].shape) for k in chosen])), 1.0)), 1)
    seen = {k: _enlarged(patch(k), inks[k], grounds[k], zoom) for k in chosen}
    for thin in (False, True):
        colours = [_outline(*one, thin) for one in seen.values()]
        outline = np.median(colours, axis=0).astype(np.float32)
        near = [np.abs(one - outline).max() < SAME for one in colours]
        if np.mean(near) >= MOSTLY and _outlined([_inside(*one, outline, thin) for one in seen.values()]):
            break
    else:
        return {}
    every = [_inside(*_enlarged(patch(k), inks[k], grounds[k], zoom), outline, thin) for k in range(len(inks))]
    if not _outlined(every):
        return {}
    found = {k: _cut(one, zoom) for k, one in enumerate(every) if one is not None}
    return {k: one for k, one in found.items() if one is not None}


def outline_colour(patch: Callable[[int], Image], inks: Sequence[Floats], grounds: Sequence[Floats]) -> Floats | None:
    """The colour, BGR, of the outline that nearly all glyphs have around an inner glyph of another colour than the
    outline's and the ground's; also where the outlines of several glyphs touch. None where there is none. The arguments
    are those of :func:`inlays`."""
    if len(inks) < FEWEST:
        return None
    zoom = max(math.ceil(CLEAR / max(float(np.median([max(ink.shape) for ink in inks])), 1.0)), 1)
    seen = [_enlarged(patch(k), inks[k], grounds[k], zoom) for k in range(len(inks))]
    colours = [_outline(*one, False) for one in seen]
    outline = np.asarray(np.median(colours, axis=0), np.float32)
    if np.mean([np.abs(one - outline).max() < SAME for one in colours]) < MOSTLY:
        return None
    filled = []
    for whole, silhouette, ground in seen:
        # The coloured fringes of subpixel rendering are not an inner glyph.
        deep = cv2.distanceTransform(silhouette.astype(np.uint8), cv2.DIST_L2, 3) > 2 * OUTER * silhouette.shape[0]
        away = from_mixtures(whole[silhouette & deep], ground, outline)
        inside = float((away > OTHER).sum()) / max(float(silhouette.sum()), 1.0)
        filled.append(np.abs(outline - ground).max() >= DIFFERENT and inside >= LARGE)
    return outline if np.mean(filled) >= MOSTLY else None


def from_mixtures(pixels: Floats, ground: Floats, outline: Floats) -> Floats:
    """The distance of each of some pixels, shape ``(..., 3)``, from the ray that starts at the first colour and leads
    through the second one and beyond (sharpened edges overshoot): the largest channel difference, shape ``(...)``."""
    way = outline - ground
    share = np.maximum((pixels - ground) @ way / max(float(way @ way), 1.0), 0)
    return np.asarray(largest_channel(np.abs(pixels - ground - share[..., None] * way)), np.float32)


def _perhaps(patch: Image, ink: Floats, ground: Floats) -> bool:
    """Whether a glyph may have an outline, at first sight: it encloses something high, or has two colours."""
    drawn = np.asarray(ink > FAINT, np.uint8)
    contours, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    inner = [k for k in range(len(contours)) if tree[0][k, 3] >= 0]
    if any(cv2.boundingRect(contours[k])[3] >= OPEN * len(ink) for k in inner):
        return True
    return two_coloured(patch, ink, ground)


def two_coloured(patch: Image, ink: Floats, ground: Floats) -> bool:
    """Whether a glyph has another colour than mixtures of its strongest one and its ground. The arguments are those of
    :func:`inlays`, of one glyph."""
    pixels = patch[ink > HALF].astype(np.float32) - ground
    if not len(pixels):
        return False
    way = pixels[np.abs(pixels).max(axis=1).argmax()]
    share = np.clip(pixels @ way / max(float(way @ way), 1.0), 0, 1)
    return bool((np.abs(pixels - share[:, None] * way).max(axis=1) > SAME).mean() > LARGE)


@dataclass(frozen=True)
class _Inside:
    """``ink``: what is inside an outline, shape ``(h, w)``, enlarged; ``holes``: the area of further holes in it, as a
    share of the silhouette's."""

    ink: Floats
    holes: float


def _outlined(found: Sequence[_Inside | None]) -> bool:
    there = [one for one in found if one is not None]
    without = sum(one.holes < SMALL_HOLE for one in there)
    return len(there) >= max(MOSTLY * len(found), 1) and without >= WITHOUT_HOLES * len(there)


def _enlarged(patch: Image, ink: Floats, ground: Floats, zoom: int) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """The pixels, the silhouette and the ground of a glyph, ``zoom`` times as large, with some ground added around
    it."""
    colour = [float(v) for v in ground]
    border = (BORDER,) * 4
    whole = cv2.copyMakeBorder(patch.astype(np.float32), *border, cv2.BORDER_CONSTANT, value=colour)
    drawn = cv2.copyMakeBorder(np.asarray(ink, np.float32), *border, cv2.BORDER_CONSTANT, value=0.0)
    if zoom > 1:
        whole = cv2.resize(whole, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        drawn = cv2.resize(drawn, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
    outer, _ = cv2.findContours(np.asarray(drawn > 0.4, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    silhouette = cv2.drawContours(np.zeros(drawn.shape, np.uint8), outer, -1, 1, -1)
    return np.asarray(whole, np.float32), silhouette > 0, ground


def _outline(whole: Floats, silhouette: NDArray[np.bool_], ground: Floats, thin: bool) -> Floats:
    """The colour, BGR, a little inside the silhouette's border; or, of a ``thin`` outline, the colour there that is
    farthest from the ground."""
    depth = cv2.distanceTransform(silhouette.astype(np.uint8), cv2.DIST_L2, 3)
    first = max(OUTER * silhouette.shape[0], 1.0)
    band = (depth > 0) & (depth <= first + 0.5) if thin else (depth > first) & (depth <= 2 * first + 0.5)
    if not band.any():
        return ground
    colours = whole[band]
    if thin:
        away = np.abs(colours - ground).max(axis=1)
        colours = colours[away >= np.quantile(away, FARTHEST)]
    return np.asarray(np.median(colours, axis=0), np.float32)


def _inside(
    whole: Floats, silhouette: NDArray[np.bool_], ground: Floats, outline: Floats, thin: bool
) -> _Inside | None:
    """What is inside a glyph's outline of this colour; None where nothing like a glyph is. A ``thin`` outline has
    ground on both sides."""
    apart = float(np.abs(outline - ground).max())
    if apart < DIFFERENT:
        return None
    away = largest_channel(np.abs(whole - outline))
    drawn: Mask = np.asarray(away < EDGE * apart, np.uint8)
    if thin:  # faint where it falls between two pixels
        drawn = np.asarray(largest_channel(np.abs(whole - ground)) > FAINT * apart, np.uint8)
    contours, tree = cv2.findContours(drawn, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return None
    parents = tree[0][:, 3].tolist()
    tops = [k for k, parent in enumerate(parents) if parent < 0]
    regions = [k for k, parent in enumerate(parents) if parent in tops]
    size = int(silhouette.sum())
    rows = np.flatnonzero(silhouette.any(axis=1))
    if not regions or not len(rows):
        return None
    largest = max(regions, key=lambda k: cv2.contourArea(contours[k]))
    if cv2.boundingRect(contours[largest])[3] < HIGH * len(rows):
        return None
    region = np.zeros(drawn.shape, np.uint8)
    for k in _of_one_kind(whole, contours, regions, largest, ground):
        cv2.drawContours(region, contours, k, 1, -1)
    holes = np.zeros(drawn.shape, np.uint8)
    for k in [k for k, parent in enumerate(parents) if parent in regions]:
        cv2.drawContours(holes, contours, k, 1, -1)
    region[(holes > 0) | (drawn > 0)] = 0
    if region.sum() < LARGE * size:
        return None
    if not _in_the_middle(region, silhouette):
        return None
    own = float(np.median(away[region > 0]))
    if own < DIFFERENT:
        return None
    soft = cv2.dilate(region, np.ones((3, 3), np.uint8)) > 0
    return _Inside(np.asarray(np.clip(away / own, 0, 1) * soft, np.float32), float(holes.sum()) / size)


def _in_the_middle(region: Mask, silhouette: NDArray[np.bool_]) -> bool:
    """Whether the outline that remains around ``region`` has about the same width on opposite sides; around the hole of
    a 4 it has not."""
    beyond = []
    for axis in (0, 1):
        inner, outer = np.flatnonzero(region.any(axis=axis)), np.flatnonzero(silhouette.any(axis=axis))
        beyond.append(abs((inner[0] - outer[0]) - (outer[-1] - inner[-1])))
    return bool(max(beyond) <= LOPSIDED * np.count_nonzero(silhouette.any(axis=1)))


def _of_one_kind(
    whole: Floats, contours: Sequence[NDArray[Any]], regions: Sequence[int], largest: int, ground: Floats
) -> list[int]:
    """Those of the enclosed regions that are not ground between outlines which touch one another."""
    if len(regions) < 2:
        return list(regions)
    colours = {}
    for k in regions:
        mask = cv2.drawContours(np.zeros(whole.shape[:2], np.uint8), contours, k, 1, -1)
        cv2.drawContours(mask, contours, k, 0, 1)  # its contour belongs to the outline
        colours[k] = np.median(whole[mask > 0], axis=0) if mask.any() else ground
    own = colours[largest]
    if np.abs(own - ground).max() < DIFFERENT:
        return list(regions)
    return [k for k in regions if np.abs(colours[k] - own).max() < np.abs(colours[k] - ground).max()]


def _cut(one: _Inside, zoom: int) -> Inlay | None:
    """The same, scaled back to its own size and cut to its bounding box."""
    small = one.ink
    if zoom > 1:
        size = (small.shape[1] // zoom, small.shape[0] // zoom)
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.float32)
    rows, columns = np.flatnonzero((small > 0.3).any(axis=1)), np.flatnonzero((small > 0.3).any(axis=0))
    if not len(rows):
        return None
    cut = small[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Inlay(np.ascontiguousarray(cut), max(int(columns[0]) - BORDER, 0), max(int(rows[0]) - BORDER, 0))
