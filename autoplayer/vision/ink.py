"""Extracts what is drawn in each place of a lattice: the ink on the place's own background (``grounds``). Knows no
game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.deadline import heed
from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.vision.grounds import (
    distance,
    distance_from_ground,
    distances,
    ground_colour,
    ground_colours,
    grounds_and_distances,
    planes_of,
)
from autoplayer.vision.inlay import inlays
from autoplayer.vision.parts import STRONG, Ints, add_beside, drop_specks, first_of_each, likely_glyphs, parts_of
from autoplayer.vision.shadow import without_shadows

__all__ = [
    "FAINTEST",
    "FOREIGN",
    "UNEVEN",
    "Content",
    "content",
    "content_in_colour",
    "contents",
    "distance_from_ground",
    "ground_colour",
    "ground_colours",
    "grounds_and_distances",
    "inside_outlines",
    "separated",
    "shrunk",
    "stacked",
    "strong_part",
]

FAINTEST = 14.0
"""Grey levels: ink that differs less from its ground cannot be distinguished from a texture."""

LEAST_INK = 4.0
"""Grey levels: a smaller difference from the ground is below the floor of even the faintest ink."""

ENOUGH = 48
"""Pixels: a place of twice this size is scaled down first; its glyph is read from fewer pixels than that anyway."""


@dataclass(frozen=True)
class Content:
    """What one place shows.

    ``ground``: its background colour, BGR, shape ``(3,)``. ``ink``: how much of each pixel is drawn, 0 to 1, cut to the
    ink's bounding box, shape ``(h, w)``; empty where the place is empty. ``box``: that bounding box in window pixels.
    ``colour``: the ink's colour, BGR, shape ``(3,)``. ``contrast``: its distance from the ground, 0 to 255. ``place``:
    the box that was examined.
    """

    ground: Floats
    ink: Floats
    box: Box
    colour: Floats
    contrast: float
    place: Box
    uneven: bool = False
    """Whether a part of the place's border has another colour than its ground: it may have two grounds (see
    ``rims``)."""

    @property
    def bare(self) -> bool:
        return self.ink.size == 0


def contents(image: Image, boxes: Sequence[Box], noise: float = 0.0, *, discs: bool = False) -> list[Content]:
    """:func:`content` of each box of ``image``; ``noise`` is the picture's standard deviation in grey levels. Boxes of
    one size are processed together, which takes a fraction of the time. ``discs``: whether a place may be filled by a
    disc, so that what is in its corners is not ink."""
    patches = [box.crop(image) for box in boxes]
    found: dict[int, Content] = {}
    for shape in {patch.shape[:2] for patch in patches}:  # those at the picture's edges are smaller
        every = [k for k, patch in enumerate(patches) if patch.shape[:2] == shape]
        stack = np.stack([patches[k] for k in every])
        first = _first_equal(stack.reshape(len(stack), -1))
        chosen = np.flatnonzero(first == np.arange(len(first)))
        seen = stacked(stack[chosen], [boxes[every[i]] for i in chosen], noise, discs=discs)
        shown = dict(zip(chosen.tolist(), seen, strict=True))
        for k, i in zip(every, first.tolist(), strict=True):
            found[k] = shown[i] if every[i] == k else _moved(shown[i], boxes[every[i]], boxes[k])
    return inside_outlines(image, [found[k] for k in range(len(boxes))])


def _first_equal(rows: NDArray[np.uint8]) -> Ints:
    """For each row, shape ``(N, bytes)``, the index of the first row that is equal to it."""
    words = np.ascontiguousarray(rows[:, : rows.shape[1] // 8 * 8]).view(np.uint64)
    # Equal rows have equal sums. Odd factors differ from place to place, so that hardly any others have.
    factors = np.arange(1, words.shape[1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)
    met: dict[int, int] = {}
    own = np.arange(len(rows))
    first = np.array([met.setdefault(key, k) for k, key in enumerate((words * factors).sum(axis=1).tolist())])
    return np.asarray(np.where((rows == rows[first]).all(axis=1), first, own))


def _moved(here: Content, place: Box, to: Box) -> Content:
    """The content of ``place``, moved to the box ``to``, which shows identical pixels."""
    x, y = max(to.x, 0) - max(place.x, 0), max(to.y, 0) - max(place.y, 0)
    box = to if here.bare else replace(here.box, x=here.box.x + x, y=here.box.y + y)
    return replace(here, box=box, place=to)


def inside_outlines(image: Image, found: Sequence[Content]) -> list[Content]:
    """The same contents; where nearly all glyphs in ``found`` have an outline of another colour (see ``inlay``) or cast
    a shadow of another colour (see ``shadow``), reduced to the glyphs themselves."""
    result = list(found)
    drawn = [here for here in found if not here.bare]
    places = [k for k, here in enumerate(found) if not here.bare]

    def patch(k: int) -> Image:
        pixels, (h, w) = drawn[k].box.crop(image), drawn[k].ink.shape
        same = pixels.shape[:2] == (h, w)
        return pixels if same else np.asarray(cv2.resize(pixels, (w, h), interpolation=cv2.INTER_AREA), np.uint8)

    inks, grounds = [here.ink for here in drawn], [here.ground for here in drawn]
    for k, one in (inlays(patch, inks, grounds) or without_shadows(patch, inks, grounds)).items():
        here, (h, w) = drawn[k], one.ink.shape
        scale = here.box.height / here.ink.shape[0]
        x, y = here.box.x + round(one.left * scale), here.box.y + round(one.top * scale)
        result[places[k]] = replace(here, ink=one.ink, box=Box(x, y, round(w * scale), round(h * scale)))
    return result


def stacked(
    patches: NDArray[np.uint8],
    boxes: Sequence[Box],
    noise: float = 0.0,
    outside: NDArray[np.bool_] | None = None,
    *,
    discs: bool = False,
) -> list[Content]:
    """As :func:`content` of each of many places of one size, at a fraction of the time.

    ``patches``: the pixels of ``boxes``, BGR, shape ``(N, h, w, 3)``. ``outside``: pixels that are no part of their
    place, such as the corners around a disc, shape ``(N, h, w)``.
    """
    found: list[Content] = []
    for first in range(0, len(patches), TOGETHER):
        heed()
        part = slice(first, first + TOGETHER)
        found += _stacked(patches[part], boxes[part], noise, None if outside is None else outside[part], discs)
    return found


TOGETHER = 64
"""Places that are processed together: more do not fit into a processor's cache."""


def _stacked(
    patches: NDArray[np.uint8], boxes: Sequence[Box], noise: float, outside: NDArray[np.bool_] | None, discs: bool
) -> list[Content]:
    scale = max(min(patches.shape[1:3]) // ENOUGH, 1)
    h, w = patches.shape[1] // scale, patches.shape[2] // scale
    if min(h, w) < 4:
        return [_nothing(np.zeros(3, np.float32), box) for box in boxes]
    if scale > 1:
        whole = [patch[: h * scale, : w * scale] for patch in patches]
        patches = np.stack([cv2.resize(patch, (w, h), interpolation=cv2.INTER_AREA) for patch in whole])
        if outside is not None:  # a pixel partly outside shows partly what is there
            blocks = outside[:, : h * scale, : w * scale].reshape(-1, h, scale, w, scale)
            outside = np.asarray(blocks.any(axis=(2, 4)), np.bool_)
    planes = planes_of(patches)
    beside = None if outside is None else outside.reshape(len(patches), h * w)
    if beside is None and not (uneven := np.ptp(planes, axis=2).max(axis=0) >= FAINTEST).all():
        colours = planes.mean(axis=2, dtype=np.float32).T
        found = [_nothing(colour, box) for colour, box in zip(colours, boxes, strict=True)]
        chosen = np.flatnonzero(uneven).tolist()
        if chosen:
            seen = _seen(patches[chosen], scale, planes[:, chosen], None, [boxes[k] for k in chosen], noise, discs)
            for k, one in zip(chosen, seen, strict=True):
                found[k] = one
        return found
    return _seen(patches, scale, planes, beside, boxes, noise, discs)


def _seen(
    patches: NDArray[np.uint8],
    scale: int,
    planes: NDArray[np.uint8],
    beside: NDArray[np.bool_] | None,
    boxes: Sequence[Box],
    noise: float,
    discs: bool,
) -> list[Content]:
    """:func:`content` of patches that are not even; ``planes``: their blue, green and red, shape ``(3, N, h * w)``;
    ``beside``: pixels that are no part of their place, shape ``(N, h * w)``."""
    grounds, apart = distances(patches, planes, beside)
    away: Floats = np.asarray(apart, np.float32)
    if beside is not None:
        away[beside.reshape(away.shape)] = 0
    found = separated(patches, scale, away, grounds, boxes, noise, discs)
    for k in np.flatnonzero(_foreign_border(away, noise) > UNEVEN).tolist():
        found[k] = replace(found[k], uneven=True)
    return found


def _foreign_border(away: Floats, noise: float) -> Floats:
    """The share of each place's border that is far from its ground, by ``away``, shape ``(N, h, w)``."""
    depth = max(1, round(0.06 * min(away.shape[1:])))
    strips = away[:, :depth], away[:, -depth:], away[:, :, :depth], away[:, :, -depth:]
    parts = [(strip > FOREIGN + 2 * noise).sum(axis=(1, 2)) for strip in strips]
    return np.asarray(sum(parts) / sum(strip[0].size for strip in strips), np.float32)


FOREIGN, UNEVEN = 7.0, 0.08
"""Beyond twice the noise, the grey levels by which a pixel on a place's border must differ from its ground to belong to
another ground; and the share of the border that such pixels must take up for a place to count as uneven."""


def content(image: Image, box: Box, noise: float = 0.0) -> Content:
    """What ``box`` of ``image`` shows. A component that touches the box's border without reaching its middle is not ink
    but a remnant of a wall or of a neighbour."""
    patch, scale = shrunk(image, box)
    if patch.shape[0] < 4 or patch.shape[1] < 4:
        return Content(np.zeros(3, np.float32), np.empty((0, 0), np.float32), box, np.zeros(3, np.float32), 0.0, box)
    if all(int(plane.max()) - int(plane.min()) < FAINTEST for plane in cv2.split(patch)):
        colour = np.asarray(cv2.mean(patch)[:3], np.float32)
        return Content(colour, np.empty((0, 0), np.float32), box, colour, 0.0, box)
    ground = ground_colour(patch)
    return separated(patch[None], scale, distance_from_ground(patch, ground)[None], ground[None], [box], noise)[0]


def content_in_colour(
    image: Image, box: Box, colour: Floats, noise: float = 0.0, line: Floats | None = None
) -> Content:
    """What ``box`` shows in one known ink colour, whatever else is drawn there (such as a chain's line under a
    number). ``line``: the colour, BGR, of something that is drawn there and may be similar: what is rather a mixture
    of the ground and this colour is left out."""
    patch, scale = shrunk(image, box)
    ground = ground_colour(patch)
    reach = max(float(np.abs(colour - ground).max()), 1.0)
    near = distance(patch, colour)
    away = np.clip(reach - 1.5 * near, 0, None)
    if line is not None:
        away[_from_mixtures(patch, ground, line) < _from_mixtures(patch, ground, colour)] = 0
    return separated(patch[None], scale, away[None], ground[None], [box], noise)[0]


def strong_part(here: Content) -> Box | None:
    """What surrounds the ink of full strength in a place, in its picture's pixels; None where nothing is drawn."""
    ys, xs = np.nonzero(here.ink > STRONG)
    if not len(ys):
        return None
    scale = here.box.height / here.ink.shape[0]  # the ink may have been made smaller
    left, top, right, bottom = (round(v * scale) for v in (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1))
    return Box(here.box.x + left, here.box.y + top, right - left, bottom - top)


def _from_mixtures(patch: Image, one: Floats, other: Floats) -> Floats:
    """How far each pixel of ``patch``, shape ``(h, w, 3)``, is from the mixtures of two colours, shape ``(h, w)``."""
    pixels, way = patch.astype(np.float32) - one, other - one
    share = np.clip(pixels @ way / max(float(way @ way), 1.0), 0, 1)
    return largest_channel(np.abs(pixels - share[..., None] * way))


def shrunk(image: Image, box: Box) -> tuple[Image, int]:
    """The part of ``image`` in ``box``, scaled down by an integer where it is far larger than reading needs; and that
    integer."""
    patch = box.crop(image)
    scale = min(patch.shape[:2]) // ENOUGH
    if scale < 2:
        return patch, 1
    h, w = patch.shape[0] // scale, patch.shape[1] // scale
    return np.asarray(
        cv2.resize(patch[: h * scale, : w * scale], (w, h), interpolation=cv2.INTER_AREA), np.uint8
    ), scale


def _nothing(ground: Floats, box: Box) -> Content:
    return Content(ground, np.empty((0, 0), np.float32), box, ground, 0.0, box)


def _peaks(away: Floats, whole: tuple[int, int], out: tuple[int, int]) -> Floats:
    """How far each patch's strongest ink is from the ground, in grey levels. ``whole``: height and width of the
    patches; ``out``: rows and columns left out above and to the left of what ``away`` holds of them."""
    # The glyph is in the middle; walls at the border may be stronger than it and must not set the scale.
    rows, columns = (
        slice(max(n // 8 - left, 0), max(n - n // 8 - left, 0)) for n, left in zip(whole, out, strict=True)
    )
    middle = away[:, rows, columns].reshape(len(away), -1)
    rank = max(3, (whole[0] - 2 * (whole[0] // 8)) * (whole[1] - 2 * (whole[1] // 8)) // 100)
    if middle.shape[1] < rank:
        return np.zeros(len(away), np.float32)
    # In most glyphs so many pixels have the full colour; only the others need to be sorted.
    result = np.asarray(middle.max(axis=1), np.float32)
    some = np.flatnonzero(np.count_nonzero(middle == result[:, None], axis=1) < rank)
    if len(some):
        result[some] = np.partition(middle[some], -rank, axis=1)[:, -rank]
    return result


def median_colour(pixels: NDArray[np.uint8]) -> Floats:
    """The median of each channel, shape ``(N, 3)`` in, at least one pixel, ``(3,)`` out."""
    middle = (len(pixels) - 1) // 2, len(pixels) // 2
    ranked = np.partition(np.ascontiguousarray(pixels.T), middle, axis=1)[:, middle].astype(np.float32)
    return np.asarray((ranked[:, 0] + ranked[:, 1]) / 2, np.float32)


def separated(
    patches: NDArray[np.uint8],
    scale: int,
    away: Floats,
    grounds: Floats,
    boxes: Sequence[Box],
    noise: float,
    discs: bool = False,
) -> list[Content]:
    """The ink of each patch: the pixels with a large distance from the ground (``away``, shape ``(N, h, w)``).
    ``discs``: whether places may be discs."""
    _, h, w = away.shape
    found = [_nothing(ground, box) for ground, box in zip(grounds, boxes, strict=True)]
    # Columns and rows in which no patch has any ink are skipped; an empty rim keeps components from touching the
    # border.
    across, down = (np.flatnonzero(away.max(axis=axes) > LEAST_INK) for axes in ((0, 1), (0, 2)))
    if not len(across):
        return found
    left_out, top_out = max(int(across[0]) - 2, 0), max(int(down[0]) - 2, 0)
    away = away[:, top_out : int(down[-1]) + 3, left_out : int(across[-1]) + 3]
    whole, (h, w) = (h, w), away.shape[1:]
    peaks = _peaks(away, whole, (top_out, left_out))
    drawn = np.flatnonzero(peaks >= FAINTEST + 3 * noise)
    if not len(drawn):
        return found
    away, peaks = away[drawn], peaks[drawn].astype(np.float32)
    floors = np.minimum(0.12 * peaks + 2 * noise, 0.4 * peaks).astype(np.float32)
    # Stacked vertically with an empty row after each, so that all components are found in one pass.
    tall: Floats = np.zeros((len(drawn), h + 1, w), np.float32)
    tall[:, :h] = np.clip((away - floors[:, None, None]) / (0.92 * peaks - floors)[:, None, None], 0, 1)
    parts = parts_of(tall, whole, (top_out, left_out))
    labels, owner, x, y, cw, ch = parts.labels, parts.owner, parts.x, parts.y, parts.width, parts.height
    looked_at = patches[:, top_out : top_out + h, left_out : left_out + w]
    keep = likely_glyphs(parts, discs)
    add_beside(keep, parts, away, peaks, [looked_at[k] for k in drawn])
    drop_specks(keep, parts)
    kept = np.flatnonzero(keep)
    if not len(kept):
        return found
    first = first_of_each(owner[kept])
    lefts, tops = (np.minimum.reduceat(v[kept], first).tolist() for v in (x, y))
    rights, bottoms = (np.maximum.reduceat(v[kept], first).tolist() for v in (x + cw, y + ch))
    mine = keep.astype(np.uint8)[labels]
    # Soft edges belong to the glyph; other components do not.
    soft = cv2.dilate(mine.reshape(-1, w), np.ones((3, 3), np.uint8)).reshape(tall.shape)
    tall[(soft == 0) | ((labels > 0) & (mine == 0))] = 0
    strong = (mine[:, :h] > 0) & (away > STRONG * peaks[:, None, None])
    for k, left, top, right, bottom in zip(owner[kept][first].tolist(), lefts, tops, rights, bottoms, strict=True):
        ground, box = grounds[drawn[k]], boxes[drawn[k]]
        colour = median_colour(looked_at[drawn[k]][strong[k]]) if strong[k].any() else ground
        x0, y0 = max(box.x, 0) + left * scale, max(box.y, 0) + top * scale
        bounds = Box(x0, y0, (right - left) * scale, (bottom - top) * scale)
        glyph = np.ascontiguousarray(tall[k, top - top_out : bottom - top_out, left - left_out : right - left_out])
        found[drawn[k]] = Content(ground, glyph, bounds, colour, float(peaks[k]), box)
    return found
