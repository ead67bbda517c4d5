"""Boxes in pictures, and masks of the differences between pictures: shared by views and the tracker."""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools, Thing

DIFFERS, DIFFERS_GUESSED = 22, 48
"""The least grey levels by which a pixel differs from the background: if that is known, and if it is a guess."""
STILL = 12
FEW = 0.0025
"""Grey levels up to which a pixel counts as unchanged; the share of pixels that may change in a view that stands
still."""
BLOCKS, MOST_BLOCKS = 16, 28
"""The number of blocks into which a picture is divided each way; and in how many of them something changes in a view
that stands still: the figure, flames, a counter, clouds."""
NUDGE = 4
"""Pixels by which a tile may be off its expected position."""
LIKE = 24.0
"""The greatest mean difference, in grey levels, of a tile seen from near from its background."""
FITS = 0.04
"""The greatest share of a tile from near, away from edges, that may differ from its picture: the figure, and a key that
is gone. Where a tile is eight pixels beside its place, or another one is there, more does."""
RIM = 0.02
"""The width of the strips along a tile's sides that are not compared, as a share of its width: only one of the views
may have a frame there."""
THIN = 3
"""Pixels: thinner differences are no part of a figure."""


class Found(NamedTuple):
    """A spot of changed pixels: its box in window pixels, and how many they are."""

    box: Box
    area: int


def unlike(image: Image, background: Image, box: Box) -> float:
    """The mean difference, in grey levels, between the visible part of a tile at ``box`` and its background, without
    its rim."""
    part, inside = seen_part(Box(box.x + NUDGE, box.y + NUDGE, box.width - 2 * NUDGE, box.height - 2 * NUDGE), image)
    behind = Box(inside.x + NUDGE, inside.y + NUDGE, inside.width, inside.height).crop(background)
    return float(np.minimum(largest_channel(cv2.absdiff(part.crop(image), behind)), 2 * LIKE).mean())


def same_picture(one: Image, other: Image) -> bool:
    """Whether two pictures show the same, apart from something small in a few places: when a view slowly comes to rest,
    little changes too, but everywhere."""
    if one.shape != other.shape:
        return False
    changed = largest_channel(cv2.absdiff(one[::2, ::2], other[::2, ::2])) > STILL
    if float(changed.mean()) >= FEW:
        return False
    rows, columns = np.nonzero(changed)
    height, width = changed.shape
    places = np.unique(rows * BLOCKS // height * BLOCKS + columns * BLOCKS // width)
    return len(places) <= MOST_BLOCKS


def differing(image: Image, whole: Image, limits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """255 where a picture differs from another by more than the limits."""
    blue, green, red = cv2.split(cv2.absdiff(image, whole))
    return cv2.compare(cv2.max(cv2.max(blue, green), red), limits, cv2.CMP_GT).astype(np.uint8, copy=False)


def scaled_box(thing: Thing, across: float, down: float, margin: int, width: int, height: int) -> Box:
    """A thing's box in a picture of its tile in another size, wider by ``margin``."""
    x0, y0 = int(thing.x * across) - margin, int(thing.y * down) - margin
    x1, y1 = round((thing.x + thing.width) * across) + margin, round((thing.y + thing.height) * down) + margin
    return common_box(Box(x0, y0, x1 - x0, y1 - y0), Box(0, 0, width, height))


def moved_box(box: Box, place: Box) -> Box:
    return Box(box.x + place.x, box.y + place.y, box.width, box.height)


def common_box(box: Box, place: Box) -> Box:
    x0, y0 = max(box.x, place.x), max(box.y, place.y)
    x1, y1 = min(box.x + box.width, place.x + place.width), min(box.y + box.height, place.y + place.height)
    return Box(x0, y0, max(x1 - x0, 0), max(y1 - y0, 0))


def seen_part(box: Box, image: Image) -> tuple[Box, Box]:
    """The part of a box that is in the picture, and the same measured from the box's corner."""
    part = common_box(box, Box(0, 0, image.shape[1], image.shape[0]))
    return part, Box(part.x - box.x, part.y - box.y, part.width, part.height)


def clear_box(mask: NDArray[Any], box: Box) -> None:
    """Nothing is there."""
    part = common_box(box, Box(0, 0, mask.shape[1], mask.shape[0]))
    part.crop(mask)[:] = 0


def rough_limits(picture: Image) -> NDArray[np.uint8]:
    """The tolerance for a picture of another size: large, and unlimited at edges."""
    return np.where(steep_edges(picture, 7), 255, DIFFERS_GUESSED).astype(np.uint8)


def odd_share(image: Image, picture: Image, box: Box) -> float:
    """The share of a tile at ``box`` in which ``image`` differs from its ``picture``, away from edges and the tile's
    sides; 1 if nothing of it is compared."""
    part, inside = seen_part(box, image)
    if min(part.width, part.height) <= 0:
        return 1.0
    limits = rough_limits(picture)
    rim = max(round(RIM * box.width), 1)
    limits[:rim] = limits[-rim:] = limits[:, :rim] = limits[:, -rim:] = 255
    compared = inside.crop(limits)
    among = int((compared < 255).sum())
    changed = differing(part.crop(image), inside.crop(picture), compared)
    return cv2.countNonZero(changed) / among if among else 1.0


def steep_edges(picture: Image, size: int) -> Bools:
    """The pixels close to an edge."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found: Bools = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((size, size), np.uint8)) > 30
    return found


def grown_box(box: Box, across: int, down: int) -> Box:
    return Box(box.x - across, box.y - down, box.width + 2 * across, box.height + 2 * down)


def overlap(one: Box, other: Box) -> bool:
    both = common_box(one, other)
    return both.width > 0 and both.height > 0


def area_of(box: Box) -> int:
    return box.width * box.height


def distance_from(box: Box, x: float, y: float) -> float:
    """How far a point is from a box."""
    return max(box.x - x, x - box.x - box.width, 0.0) + max(box.y - y, y - box.y - box.height, 0.0)


def cut_out(ink: Bools, box: Box, figure: Box) -> None:
    """Remove what the figure covers from a key's pixels."""
    part = common_box(figure, box)
    ink[part.y - box.y : part.y - box.y + part.height, part.x - box.x : part.x - box.x + part.width] = False


def grouped(changed: NDArray[np.uint8], near: int) -> list[Found]:
    """The changed pixels in connected groups."""
    x, y, w, h = cv2.boundingRect(changed)
    if not w:
        return []
    part = changed[y : y + h, x : x + w]
    count, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(part, np.ones((2 * near + 1, 2 * near + 1), np.uint8)), connectivity=8
    )
    found = []
    for left, top, width, height, _ in stats[1:count]:
        inside = part[top : top + height, left : left + width]
        bx, by, bw, bh = cv2.boundingRect(inside)
        area = int(cv2.countNonZero(inside))
        # A tile that lies elsewhere may show its edges a pixel higher or lower: rounding.
        if area >= 4 and min(bw, bh) > 1:
            found.append(Found(Box(int(x + left + bx), int(y + top + by), bw, bh), area))
    return found
