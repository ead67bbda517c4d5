"""Fills hatched surfaces: walls of the air's colour under diagonal strokes. A picture in which they are flat is read as
any other. A surface is hatched where strokes follow each other at one distance, both along rows and along columns of
pixels; bricks and grids have lines that are long in one of the two directions."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from autoplayer.core.frame import Floats, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools
from autoplayer.games.continuity.seeing.walls.ground import flat_colours, noise

OFF = (64, 16)
"""Grey levels from which on a pixel differs from the paper, the colour between strokes, in a clean picture: strong
strokes, round which a compressed picture has shadows, and others."""
FARTHEST, NARROW = 0.06, 3
"""The greatest distance of strokes, along a row or a column of pixels, as a share of the picture's shorter side; and
how many times as long as a stroke is broad there it is at least. What is longer is an outline, or a joint of bricks."""
MOSTLY = 0.5
"""The least share of strokes whose distance to the next one is the usual one, a pixel more or less."""
LEAST = 0.01
"""The least share of the picture that is hatched."""
INKED, FULL, BESIDE = 0.35, 0.85, 0.2
"""The least share of ink in the colour of a pixel of a stroke, and of one that is not at its edge; and the greatest
deviation of a mixture of ink and paper from the line between both, as a share of its length."""

GRAIN = 5
"""Pixels over which grain is removed before what is broader than the distance of strokes is searched."""


def plain_and_filled(image: Image) -> Iterator[Image]:
    """The picture as it is; then, if it has hatched surfaces, the picture with these filled."""
    yield image
    filled = without_hatching(image)
    if filled is not None:
        yield filled


def without_hatching(image: Image) -> Image | None:
    """``image`` with its hatched surfaces filled with the colour of the strokes; None if it has none."""
    if round(FARTHEST * min(image.shape[:2])) < NARROW:
        return None  # no room for two strokes
    rough = noise(image)
    for paper in flat_colours(image):
        away = largest_channel(np.asarray(cv2.absdiff(image, np.full_like(image, np.round(paper))), np.uint8))
        for least in OFF:
            drawn: Bools = away > least + 3 * rough
            found = _hatched(drawn)
            if found is None or np.median(away[found[0] & ~drawn]) > OFF[-1] + 3 * rough:
                continue
            return _filled(image, paper, found, rough)
    return None


def _filled(image: Image, paper: Floats, found: tuple[Bools, Bools, int], rough: float) -> Image:
    """``image`` with the surfaces of :func:`_hatched`, as ``found``, and what strokes enclose beside them, in the
    strokes' colour. ``paper``: the colour between strokes, BGR; ``rough``: the noise, grey levels."""
    off = image.astype(np.int16) - np.round(paper).astype(np.int16)
    ink = np.median(off[found[1] & found[0]].astype(np.float64), axis=0)
    share = off @ ink / max(float(ink @ ink), 1.0)
    mixed = largest_channel(np.abs(off - share[..., None] * ink)) <= BESIDE * np.abs(ink).max() + rough
    inked = mixed & (share >= INKED)
    pale = cv2.morphologyEx((inked & (share < FULL)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    inked &= pale == 0  # broader than soft edges: a thing
    even = cv2.medianBlur(inked.astype(np.uint8), GRAIN)
    ground = cv2.morphologyEx(even, cv2.MORPH_OPEN, np.ones((found[2] + 1,) * 2, np.uint8)) > 0
    inked &= ~ground
    # Where strokes end at ground of another colour they are seen only now.
    again, _, distance = _hatched(inked) or found
    inside = found[0] | again
    near = cv2.dilate(inside.astype(np.uint8), np.ones((distance + 1,) * 2, np.uint8)) > 0
    inside = inside | _holes(inside | (near & (inked | ground)), distance) | _holes(inked, distance, together=True)
    near = cv2.dilate(inside.astype(np.uint8), np.ones((distance + 1,) * 2, np.uint8)) > 0
    whole = inside | (near & inked)
    filled = image.copy()
    filled[whole & mixed] = np.clip(np.round(ink + paper), 0, 255).astype(np.uint8)
    return filled


def _hatched(drawn: Bools) -> tuple[Bools, Bools, int] | None:
    """The surfaces in which strokes follow each other at one distance, along rows and along columns of pixels; the
    strokes; and the greater distance in pixels. None if they take too little of the picture."""
    farthest = round(FARTHEST * min(drawn.shape))
    longest = farthest // NARROW + 1
    mask = drawn.astype(np.uint8)
    lines = [cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones(size, np.uint8)) for size in ((1, longest), (longest, 1))]
    strokes: Bools = drawn & (lines[0] == 0) & (lines[1] == 0)
    across, down = _between(strokes, farthest), _between(strokes.T, farthest)
    if across is None or down is None:
        return None
    both: Bools = across[0] & down[0].T
    if both.mean() < LEAST:
        return None
    # Beside outlines, and in low platforms, the distance is seen only along rows, or only along columns.
    _, labels, stats, _ = cv2.connectedComponentsWithStats((across[0] | down[0].T).astype(np.uint8), connectivity=8)
    distance = max(across[1], down[1])
    kept = stats[:, cv2.CC_STAT_AREA] >= distance * distance
    kept[0] = False
    inside: Bools = kept[labels]
    return inside, strokes, distance


def _holes(mask: Bools, distance: int, *, together: bool = False) -> Bools:
    """What a mask surrounds and is no larger than a square with sides of so many pixels, as between two strokes.
    ``together``: only if several are that close to each other, as in a single cell; a ring has one hole."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((~mask).astype(np.uint8), connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] <= distance * distance
    small[0] = False
    found: Bools = small[labels]
    if together:
        kernel = np.ones((distance // 2 + 1,) * 2, np.uint8)
        count, groups = cv2.connectedComponents(cv2.dilate(found.astype(np.uint8), kernel))
        _, first = np.unique(labels[found], return_index=True)
        number = np.bincount(groups[found][first], minlength=count)
        found &= number[groups] > 1
    return found


def _between(strokes: Bools, farthest: int) -> tuple[Bools, int] | None:
    """What lies between strokes that follow each other along rows at the distance that most of them have, strokes
    included, and this distance; None if most have no common one."""
    ends = np.diff(np.pad(strokes.astype(np.int8), ((0, 0), (1, 1))).ravel())
    width = strokes.shape[1] + 2
    starts, stops = np.flatnonzero(ends == 1) + 1, np.flatnonzero(ends == -1) + 1
    if len(starts) < 2:
        return None
    steps, lengths = np.diff(starts), stops - starts
    good = (steps >= NARROW * np.maximum(lengths[:-1], lengths[1:])) & (steps <= farthest)
    good &= starts[:-1] // width == starts[1:] // width
    counts = np.bincount(steps[good], minlength=2)
    near = np.convolve(counts, np.ones(3, np.int64), "same")
    usual = int(near.argmax())
    if not near[usual] or near[usual] < MOSTLY * good.sum():
        return None
    even = good & (np.abs(steps - usual) <= 1)
    change = np.zeros(strokes.shape[0] * width + 1, np.int32)
    np.add.at(change, starts[:-1][even], 1)
    np.add.at(change, stops[1:][even], -1)
    inside: Bools = (np.cumsum(change)[:-1] > 0).reshape(-1, width)[:, 1:-1]
    return inside, usual
