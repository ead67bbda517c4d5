"""The connected components in a place, and which are its glyph: no walls, corners or specks. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.vision.components import components

Ints = NDArray[np.integer[Any]]

CORNER = 0.36
"""The smallest distance of a corner outside a disc from the place's middle, as a share of the place's sides. In the
corners of a smaller disc the commonest colour would not be the disc's."""

LEAST_ASIDE, RIM = 0.3, 0.55
"""The smallest distance of a rounded corner's soft rim from the place's middle, as shares of its sides: to the side as
well as up or down, and straight."""

OUTER, LONG, LONGER = 0.1, 0.5, 1.2
"""A wall within its place lies in the outer part of it, at one side, with these shares of the place's side as its
largest breadth and its least length; it is also so many times as high or as wide as the glyph, which a 1 at that side,
or the upper stroke of a sign, is not."""

LEAST_BESIDE, LEAST_SHARED, MOST_CUT, SAME_INK = 0.02, 0.6, 0.35, 40
"""A component that touches a place's left or right border is a digit beside the others, not a remnant of a wall, where
it fills at least the first share of the place, overlaps at least the second share of its height with the others, has at
most the third share of its height on the border, and differs in colour by fewer grey levels than the fourth. A pointer
that reaches in from there is cut off and has two colours."""

STRONG = 0.75
"""A pixel with more than this share of the strongest ink has the ink's own colour."""


@dataclass(frozen=True)
class Parts:
    """Connected components of patches that are stacked vertically, one entry each; the first entry is the background.
    ``labels``: each pixel's component, shape ``(N, h + 1, w)``; ``owner``: the component's patch; ``x``, ``y``:
    relative to the corner of the whole place, whose size is ``whole`` (height, width) and of which the first ``out``
    (top, left) rows and columns were left out."""

    labels: NDArray[np.int32]
    owner: Ints
    x: Ints
    y: Ints
    width: Ints
    height: Ints
    area: Ints
    whole: tuple[int, int]
    out: tuple[int, int]

    @property
    def at_sides(self) -> NDArray[np.bool_]:
        """Whether they touch their place's left or right side."""
        return np.asarray((self.x == 0) | (self.x + self.width == self.whole[1]))

    @property
    def at_ends(self) -> NDArray[np.bool_]:
        """Whether they touch its top or bottom."""
        return np.asarray((self.y == 0) | (self.y + self.height == self.whole[0]))

    @property
    def thin(self) -> NDArray[np.bool_]:
        """Whether they are a thin line at the border."""
        line = np.minimum(self.width, self.height) < 0.2 * min(self.whole)
        return np.asarray(line & (self.at_sides | self.at_ends))


def parts_of(tall: Floats, whole: tuple[int, int], out: tuple[int, int]) -> Parts:
    """The components of the ink ``tall``, shape ``(N, h + 1, w)``; the other arguments are those of
    :class:`Parts`."""
    _, rows, columns = tall.shape
    inked = (tall > 0.3).astype(np.uint8).reshape(-1, columns)
    labels, stats = components(inked, 8)
    x, y, width, height, area = stats.T
    owner, y = np.divmod(y, rows)
    return Parts(labels.reshape(tall.shape), owner, x + out[1], y + out[0], width, height, area, whole, out)


def likely_glyphs(parts: Parts, discs: bool) -> NDArray[np.bool_]:
    """Which components may be glyphs: neither too small nor walls. ``discs``: whether their places may be discs."""
    tall, wide = parts.whole
    x, y, width, height = parts.x, parts.y, parts.width, parts.height
    on_border = parts.at_sides | parts.at_ends
    reaches_across = (x < 0.7 * wide) & (x + width > 0.3 * wide)
    reaches = reaches_across & (y < 0.7 * tall) & (y + height > 0.3 * tall)
    keep: NDArray[np.bool_] = (parts.area >= max(2, 0.0015 * wide * tall)) & ~(on_border & ~reaches) & ~parts.thin
    keep[0] = False
    keep &= ~_walls(parts, keep)
    # A frame goes all around and leaves the middle free; a ring that touches the glyph inside it does not. It fills
    # the whole patch, so that hardly anything was left out here; outside a rounded one there may be a pixel of ground.
    h, w = parts.labels.shape[1] - 1, parts.labels.shape[2]
    for i in np.flatnonzero(keep & (on_border | discs) & (width > 0.94 * wide) & (height > 0.94 * tall)):
        core = parts.labels[parts.owner[i], h // 4 : h - h // 4, w // 4 : w - w // 4] == i
        keep[i] = core.sum() >= 0.03 * parts.area[i]
    # A component in a corner, far from the middle, surrounds a disc that has the place's commonest colour, or is the
    # soft rim of a rounded corner, at which there may be a pixel of the page outside.
    cornered = parts.at_sides & parts.at_ends
    apart = np.maximum(x, wide - x - width) / wide, np.maximum(y, tall - y - height) / tall
    far = np.minimum(*apart) > 0.5 + LEAST_ASIDE
    for i in np.flatnonzero(keep & (cornered | far)) if discs else ():
        rows, columns = np.nonzero(parts.labels[parts.owner[i]] == i)
        across = (columns + parts.out[1] + 0.5) / wide - 0.5
        down = (rows + parts.out[0] + 0.5) / tall - 0.5
        keep[i] = float((across**2 + down**2).min()) < (CORNER if cornered[i] else RIM) ** 2
    return keep


def _walls(parts: Parts, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the components to ``keep`` are walls with a line of ground between them and the border, as soft or
    rounded ones have."""
    (tall, wide), x, y, width, height = parts.whole, parts.x, parts.y, parts.width, parts.height
    upright = (height > LONG * tall) & (np.minimum(x + width, wide - x) < OUTER * wide)
    level = (width > LONG * wide) & (np.minimum(y + height, tall - y) < OUTER * tall)
    inner = keep & ~upright & ~level
    widest, highest = np.zeros((2, len(parts.labels)), np.int64)
    np.maximum.at(widest, parts.owner[inner], width[inner])
    np.maximum.at(highest, parts.owner[inner], height[inner])
    along = level & (width > LONGER * widest[parts.owner])
    return np.asarray(along | (upright & (height > LONGER * highest[parts.owner])))


def add_beside(
    keep: NDArray[np.bool_], parts: Parts, away: Floats, peaks: Floats, pictures: Sequence[NDArray[np.uint8]]
) -> None:
    """Also keep components at one side of their place that are parts of its glyph: a digit may come so near its wall
    that its soft edge touches the border. ``away``, ``peaks``, ``pictures``: of each patch, as in :func:`separated`."""
    (tall, wide), x, y, width, height = parts.whole, parts.x, parts.y, parts.width, parts.height
    one_side = ~keep & ~parts.thin & ~parts.at_ends & ((x == 0) ^ (x + width == wide))
    for one in np.flatnonzero(one_side & (parts.area >= LEAST_BESIDE * wide * tall)).tolist():
        owner = parts.owner[one]
        mates = np.flatnonzero(keep & (parts.owner == owner))
        top, bottom = (int(y[mates].min()), int((y + height)[mates].max())) if len(mates) else (0, 0)
        shared = min(bottom, y[one] + height[one]) - max(top, y[one])
        if shared < LEAST_SHARED * max(bottom - top, height[one]):
            continue
        full_ink = away[owner] > STRONG * peaks[owner]
        own, others = (full_ink & np.isin(parts.labels[owner, :-1], some) for some in ([one], mates))
        if not (own.any() and others.any()):
            continue
        pixels = pictures[owner]
        apart = np.abs(np.median(pixels[own], axis=0) - np.median(pixels[others], axis=0)).max(initial=0)
        cut = own[:, 0 if x[one] == 0 else wide - 1 - parts.out[1]].sum() / height[one]
        keep[one] = cut < MOST_CUT and apart < SAME_INK


def drop_specks(keep: NDArray[np.bool_], parts: Parts) -> None:
    """Drop components far smaller than their glyph: they are noise, not a part of it."""
    kept = np.flatnonzero(keep)
    if len(kept):
        first = first_of_each(parts.owner[kept])
        largest = np.maximum.reduceat(parts.area[kept], first)
        keep[kept] = parts.area[kept] >= 0.02 * np.repeat(largest, np.diff(first, append=len(kept)))


def first_of_each(owners: Ints) -> Ints:
    """The index of each patch's first component, by the patch that each belongs to; components are ordered by patch."""
    return np.flatnonzero(np.diff(owners, prepend=-1))
