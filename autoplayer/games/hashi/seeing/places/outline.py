"""What all islands of a window have around their numbers: learned from some islands, looked for in the whole picture.
Knows no numbers and no lattice."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image, Mask
from autoplayer.vision import lattice
from autoplayer.vision.templates import Template
from autoplayer.vision.views import smoothed


@dataclass(frozen=True)
class View:
    """A picture, the strength of its edges, its noise in grey levels, and its scale relative to the window; everything
    found in it is measured in its own pixels. ``window``: the same picture in the window's size. ``known``: the
    window's own glyphs, if a layout has them. ``symbols``: whether any sign in an island counts as a number, since the
    window may use unknown signs. ``foreign``: whether they are signs that the network cannot read, so that its output
    is meaningless. ``faint``: whether hardly visible edges count."""

    image: Image
    strength: Mask
    noise: float
    scale: int
    window: Image
    known: tuple[Template, ...] = ()
    symbols: bool = False
    foreign: bool = False
    faint: bool = False

    @functools.cached_property
    def edges(self) -> Mask:
        """1 at an edge and at its neighbours; with a rim of one pixel around the picture."""
        least = max(5.0, 3 * self.noise) if self.faint else max(12.0, 5 * self.noise)
        drawn = cv2.copyMakeBorder(lattice.stronger(self.strength, least), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        return np.asarray(cv2.dilate(drawn, np.ones((3, 3), np.uint8)), np.uint8)

    @functools.cached_property
    def fainter(self) -> View:
        """The same picture, with the edges between colours that hardly differ."""
        return dataclasses.replace(self, faint=True)

    @functools.cached_property
    def learned(self) -> dict[object, object]:
        """A cache of what was computed for charts in this picture, by what it depends on."""
        return {}

    @functools.cached_property
    def gray(self) -> Mask:
        return np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), np.uint8)


def view(image: Image, scale: int = 1, known: tuple[Template, ...] = (), symbols: bool = False) -> View:
    """``image`` (BGR, at least ``LEAST_PICTURE`` on each side) prepared for reading; a noisy one is smoothed, and
    enlarged ``scale`` times."""
    window, level = smoothed(image)
    image = window
    if scale > 1:
        size = image.shape[1] * scale, image.shape[0] * scale
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    return View(image, lattice.edge_strength(image), level, scale, window, known, symbols)


LEAST_PICTURE = 24
"""Pixels: a smaller picture holds no board."""


Stretch = tuple[int, int]
"""By how many pixels an oblong outline reaches farther to each side than a square, and farther up and down."""


@dataclass(frozen=True)
class Outline:
    """What all islands have around their numbers: the usual strength of the edges around a centre, at the offsets
    ``(dx, dy)`` of a belt from inside the outline to outside it. ``offsets``: shape ``(N, 2)``; ``edges``: shape
    ``(N,)``, of mean 0 and length 1. ``inner``: the width of the inside, ``width`` and ``height``: those of the whole,
    in pixels. ``likeness``: the share of the islands that have an edge on the outline, where it is clearest.
    ``strongest``: the strength of the strongest edge of an outline. ``stretch``: see there."""

    offsets: NDArray[np.int32]
    edges: Floats
    inner: float
    width: float
    height: float
    round: bool
    likeness: float
    strongest: float
    stretch: Stretch = (0, 0)

    @property
    def drawn(self) -> bool:
        """Whether there is anything around the numbers: otherwise they stand on the water."""
        return len(self.offsets) > 0


Shape = Literal["disc", "square", "diamond"]
"""What an outline is: a diamond is a square that stands on a corner."""

COMMON = 0.6
"""The least share of the islands that must have an edge at a place of their common outline; bridges cover the same
places of only some islands, and glyphs differ."""


def shared_outline(
    seen: View,
    centres: Sequence[tuple[float, float]],
    least: float,
    inside: float | None = None,
    is_disc: bool | None = None,
    stretch: Stretch = (0, 0),
) -> Outline | None:
    """The outline that is common to the surroundings of ``centres``; None if there is none.

    ``least``: the least width of an outline, in pixels. ``inside``: the width of the islands' insides if it is known;
    the outline is then looked for there and up to a third farther out. ``is_disc``: whether they are round, if that is
    known. ``stretch``: of an oblong one.
    """
    half = round(0.72 * inside if inside else FARTHEST * least) + 2 + max(stretch)
    shared = _shared(seen, centres, half)
    dy, dx = np.mgrid[-half : half + 1, -half : half + 1]
    best = _clearest(shared, least, inside, False if any(stretch) else is_disc, stretch)
    if best is None:
        return None
    peak, shape, shares, where = best
    strong = where[shares[where] >= max(COMMON, 0.75 * peak)]
    # From the innermost strong ring outwards: after a gap comes something else (a neighbour's outline, a shadow).
    breaks = np.flatnonzero(np.diff(strong) > max(2, 0.12 * strong[0]))
    strong = strong[: breaks[0] + 1] if len(breaks) else strong
    distance, _, _ = _rings(half, shape, stretch)
    belt = (distance >= 0.85 * strong[0] - 1) & (distance <= 1.1 * strong[-1] + 1)
    offsets = _thinned(np.stack([dx[belt], dy[belt]], axis=1).astype(np.int32))
    usual: Floats = np.median(around(seen.strength, offsets, np.array(centres)), axis=0)
    edges = normalised(usual)
    if not edges.any():
        return None  # edges of several sizes that run side by side: none of them is common
    # An edge is two pixels wide, and was made two wider.
    inner, outer = 2.0 * float(strong[0]) + 2, 2.0 * float(strong[-1]) - 2
    # A hexagon is broader than high: how far it reaches towards its neighbours is seen beside its axes.
    near, corner = max(1, round(0.08 * inner)), math.sqrt(2) if shape == "diamond" else 1.0
    drawn = shared >= COMMON
    width, height = (
        float(np.abs(far[drawn & (np.abs(other) <= near) & (np.abs(far) <= corner * strong[-1] + more)]).max(initial=0))
        for far, other, more in ((dx, dy, stretch[0]), (dy, dx, stretch[1]))
    )
    width, height = (
        max(min(2 * reach - 2, corner * outer + 2 * more), inner + 2 * more)
        for reach, more in zip((width, height), stretch, strict=True)
    )
    strongest, is_round = 1.5 * float(usual.max()), shape != "square"
    return Outline(offsets, edges, inner, width, height, is_round, peak, strongest, stretch)


FARTHEST = 3.0
"""How far from its centre an outline is looked for, as a multiple of its least width, where nothing else is known."""


def _shared(seen: View, centres: Sequence[tuple[float, float]], half: int) -> Floats:
    """The share of ``centres`` that have an edge at each offset up to ``half`` pixels, shape ``(side, side)``."""
    height, width = seen.strength.shape
    shared: Floats = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for cx, cy in centres:
        # a centre that is looked for beside a glyph at the picture's edge may lie outside
        left, top = (max(min(round(c), most - 1), 0) - half for c, most in ((cx, width), (cy, height)))
        x0, y0 = max(left, -1), max(top, -1)
        part = seen.edges[y0 + 1 : top + 2 * half + 2, x0 + 1 : left + 2 * half + 2]
        shared[y0 - top : y0 - top + part.shape[0], x0 - left : x0 - left + part.shape[1]] += part
    return shared / np.float32(len(centres))


def _clearest(
    shared: Floats, least: float, inside: float | None, is_disc: bool | None, stretch: Stretch = (0, 0)
) -> tuple[float, Shape, Floats, NDArray[np.intp]] | None:
    """The ring or square on which most of the ``shared`` edges lie, if it is common, or the diamond around a disc that
    has no ring: the share that has it, its shape, the share for each distance, and the distances at which an outline
    may be."""
    half = shared.shape[0] // 2
    best: tuple[float, Shape, Floats, NDArray[np.intp]] | None = None
    shapes: tuple[Shape, ...] = (
        ("disc", "square") if is_disc is None else ("disc", "diamond") if is_disc else ("square",)
    )
    for shape in shapes:
        if shape == "diamond" and best is not None and best[0] >= COMMON:
            continue
        _, ring, count = _rings(half, shape, stretch)
        mean = np.bincount(ring, weights=shared.ravel(), minlength=half + 1)[: half + 1] / np.maximum(count, 1)
        low = (0.42 * inside) if inside else 0.6 * least
        high = (0.68 * inside) if inside else half - 1
        inside_range = np.flatnonzero((np.arange(half + 1) >= low) & (np.arange(half + 1) <= high))
        if not len(inside_range):
            continue
        peak = float(mean[inside_range].max())
        if best is None or peak > best[0] + 0.05:
            best = peak, shape, np.asarray(mean), inside_range
    return None if best is None or best[0] < COMMON else best


@functools.lru_cache(maxsize=16)
def _rings(half: int, shape: Shape, stretch: Stretch) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """The distance of each offset up to ``half`` pixels from the centre, shape ``(side, side)``, or the width of the
    disc inside the shape through it; rounded to pixels, shape ``(side * side,)``; and the number of offsets at each
    distance up to ``half``. ``stretch``: of an oblong square."""
    dy, dx = np.abs(np.mgrid[-half : half + 1, -half : half + 1])
    distance: Floats = np.hypot(dx, dy)
    if shape != "disc":
        sides = np.maximum(np.maximum(dx - stretch[0], dy - stretch[1]), 0)
        distance = sides.astype(float) if shape == "square" else (dx + dy) / math.sqrt(2)
    ring = np.asarray(np.rint(distance), np.intp).ravel()
    return distance, ring, np.bincount(ring, minlength=half + 1)[: half + 1]


MOST_OFFSETS = 300
"""Places of an outline that are compared: those of a large one are more alike than different."""


def _thinned(offsets: NDArray[np.int32]) -> NDArray[np.int32]:
    """At most ``MOST_OFFSETS`` of the offsets."""
    return offsets if len(offsets) <= MOST_OFFSETS else offsets[some_of(len(offsets), MOST_OFFSETS)]


@functools.lru_cache(maxsize=16)
def some_of(count: int, few: int) -> NDArray[np.intp]:
    """The indices of ``few`` of so many places: spread evenly, but irregularly, so that no lines follow them. (Drawing
    them anew each time would take longer than what they are for.)"""
    return np.asarray(np.sort(np.random.default_rng(0).permutation(count)[:few]), np.intp)


def outline_of_glyphs(seen: View, centres: Sequence[tuple[float, float]], height: float) -> Outline | None:
    """The outline around glyphs that all stand at the same position in their islands, perhaps not in the middle."""
    steps = sorted({0, *(round(height * part) for part in (-0.25, -0.12, 0.12, 0.25))}, key=abs)
    half, far = round(FARTHEST * height) + 2, max(steps)
    side = 2 * half + 1
    shared = _shared(seen, centres, half + far)
    best: tuple[float, float, float] | None = None
    for dx in steps:
        for dy in steps:
            found = _clearest(shared[far + dy : far + dy + side, far + dx : far + dx + side], height, None, None)
            if found is not None and (best is None or found[0] > best[0]):
                best = found[0], dx, dy
    if best is None:
        return None
    return shared_outline(seen, [(x + best[1], y + best[2]) for x, y in centres], height)


def pixels(places: Floats) -> NDArray[np.int32]:
    """The pixel at each of ``places``: halves are rounded up, always. ``np.rint`` rounds them to even numbers: the
    colours of islands of an even size would be looked at a pixel higher in one row than in the next. (Where edges are
    compared with the outline, two of a hundred boards that were right became doubts in this way, and one became
    right.)"""
    return np.asarray(np.floor(places + 0.5), np.int32)


def around(strength: Mask, offsets: NDArray[np.int32], centres: Floats) -> Floats:
    """The edge strength at each offset from each centre, shape ``(centres, offsets)``; 0 outside the picture."""
    height, width = strength.shape
    spots = np.rint(centres).astype(np.int32)
    places = (spots[:, 0] + spots[:, 1] * width)[:, None] + (offsets[:, 0] + offsets[:, 1] * width)
    found: Floats = strength.ravel().take(places, mode="clip").astype(np.float32)
    # Only at the picture's edges something lies outside.
    low, high = offsets.min(axis=0, initial=0), offsets.max(axis=0, initial=0)
    for k in np.flatnonzero(((spots + low < 0) | (spots + high >= (width, height))).any(axis=1)):
        x, y = (spots[k] + offsets).T
        found[k, (x < 0) | (y < 0) | (x >= width) | (y >= height)] = 0
    return found


def normalised(edges: Floats) -> Floats:
    """``edges`` along the last axis with mean 0 and length 1: only their pattern counts, not their strength."""
    centred: Floats = edges - edges.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    result: Floats = centred / np.maximum(length, FLAT * np.sqrt(edges.shape[-1]))
    return result


FLAT = 4.0
"""Grey levels: edges whose strengths vary by less than this are the grain of an even area."""


def presence(seen: View, outline: Outline, centres: Floats) -> Floats:
    """For each of ``centres``, shape ``(N, 2)``, the correlation of the edges around it with the outline's; 1 where
    none is drawn."""
    if not outline.drawn:
        return np.ones(len(centres))
    # Strong edges of a pointer are limited: they must not hide more than they cover.
    most = np.float32(int(min(outline.strongest, 255)))
    parts = [
        normalised(np.minimum(around(seen.strength, outline.offsets, some), most)) @ outline.edges
        for some in np.array_split(centres, max(1, centres.shape[0] * len(outline.edges) // 1_000_000))
    ]
    return np.asarray(np.concatenate(parts), np.float64)


def climbed(seen: View, outline: Outline, centres: Floats, steps: Sequence[int]) -> tuple[Floats, Floats]:
    """``centres``, shape ``(N, 2)``, each moved by so many pixels at a time to where the outline matches better, as
    long as that improves; and how well it matches there."""
    at: Floats = np.rint(centres)
    found = presence(seen, outline, at)
    moves: Floats = np.array([(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy])
    for step in steps:
        tries = np.stack([presence(seen, outline, at + step * move) for move in moves])
        best = tries.argmax(axis=0)
        value = tries[best, np.arange(len(at))]
        better = value > found
        at[better] += step * moves[best[better]]
        found[better] = value[better]
    return at, found


LIKE = 0.6
"""Of the usual match of an island with the common outline: a place with more is an island, though bridges, a neighbour
or a pointer cover a part of it; crossing lines have less."""

COARSE = 20
"""Pixels: a picture is made smaller until its islands are about this wide before it is searched for others."""

PROMISING = 0.3
"""The least correlation with the outline, in the smaller picture, that is looked at closely."""

MOST_PROMISING = 1500


def everywhere(seen: View, outline: Outline, known: Floats) -> Floats:
    """The places in the whole picture, shape ``(N, 2)``, that have the outline of those at ``known``."""
    outer = max(outline.width, outline.height)
    half = math.ceil(0.55 * outer) + 1
    scale = max(round(outer / COARSE), 1)  # a whole number: shrinking is far quicker by one
    size = np.array(seen.strength.shape[::-1]) // scale
    side = max(round((2 * half + 1) / scale), 5)
    # Nothing is found where there are no edges but those of known islands; others may stand close to the window's edge.
    left, top, width, height = cv2.boundingRect(_unexplained(seen.strength, outline, known))
    if size.min() <= side or not width:
        return np.zeros((0, 2))
    model = _usual_look(seen.strength, known[:: max(1, len(known) // MOST_MODELS)], half, side)
    if float(model.std()) < 1e-3:
        return np.zeros((0, 2))
    x, y = (max(start // scale - side, 0) for start in (left, top))
    right, below = np.minimum(np.array([left + width, top + height]) // scale + side + 1, size).tolist()
    part, rim = seen.strength[y * scale : below * scale, x * scale : right * scale], side // 2
    small = cv2.resize(part, (right - x, below - y), interpolation=cv2.INTER_AREA)
    small = cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0).astype(np.float32)
    like = cv2.matchTemplate(small, model, cv2.TM_CCOEFF_NORMED)
    reach = max(3, round(0.5 * outer / scale)) | 1
    highest = (like >= cv2.dilate(like, np.ones((reach, reach), np.uint8))) & (like > PROMISING)
    ys, xs = np.nonzero(highest)
    order = np.argsort(-like[ys, xs])[:MOST_PROMISING]
    corners = np.stack([xs[order] + x, ys[order] + y], axis=1) - rim
    centres = (corners + (side - 1) / 2 + 0.5) * scale - 0.5
    centres = centres[_apart(centres, known) > 0.4 * outline.inner]
    if not len(centres):
        return np.zeros((0, 2))
    coarse = max(1, round(scale / 2))
    places, found = climbed(seen, outline, centres, (coarse, max(1, coarse // 2), 1, 1))
    places = places[found >= LIKE * float(np.median(presence(seen, outline, known)))]
    return places[_apart(places, known) > 0.5 * outline.inner]


def _unexplained(strength: Mask, outline: Outline, known: Floats) -> Mask:
    """``strength`` without the edges of the islands at ``known``."""
    result = strength.copy()
    reach = np.array([outline.width, outline.height]) / 2 + BESIDE
    first, last = np.maximum(np.rint(known - reach), 0).astype(int), np.rint(known + reach).astype(int) + 1
    for (left, top), (right, below) in zip(first.tolist(), last.tolist(), strict=True):
        result[top : max(below, 0), left : max(right, 0)] = 0
    return result


BESIDE = 2
"""Pixels: how far beside an outline its edges may reach, because its centre is known to half a pixel."""


def _apart(places: Floats, known: Floats) -> Floats:
    """How far each of ``places`` is from the nearest of ``known``, along a row or a column."""
    return np.asarray(np.abs(places[:, None] - known[None]).max(axis=2).min(axis=1), np.float64)


def _usual_look(strength: Mask, centres: Floats, half: int, side: int) -> Floats:
    """The usual edges around ``centres``, up to so many pixels to each side, in a picture of ``side`` pixels."""
    padded = cv2.copyMakeBorder(strength, half, half, half, half, cv2.BORDER_CONSTANT, value=0)
    looks = []
    for x, y in np.rint(centres).astype(int):
        part = padded[max(y, 0) : y + 2 * half + 1, max(x, 0) : x + 2 * half + 1]
        looks.append(cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA))
    return np.asarray(np.median(np.stack(looks), axis=0), np.float32)


MOST_MODELS = 24
"""Islands from which the outline's picture is made: more say nothing new."""
