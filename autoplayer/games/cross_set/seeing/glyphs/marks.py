"""Removes what marks numbers in a cell of Cross Set without being one: a filled patch below a number (a chip), and a
thin frame around a number of which only the four straight sides are seen. Knows no digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.vision import borders, pieces
from autoplayer.vision.pieces import Piece

CORNER = 0.13
"""Remnants of a place's corner reach no farther into it than this share of its sides."""

AS_FAR = 0.6
"""What a rounded corner leaves along one of its sides is at least this share of what it leaves along the other."""

SMALLEST_CHIP = 12
"""Window pixels: a number on a smaller chip cannot be read."""

OBLONG_CHIP = 0.6, 2.4
"""How broad a chip is at least and at most, as a multiple of its height."""

CONVEX, FULL, COVERED = 0.94, 0.7, 0.5
"""The share of its convex hull that a chip with its holes filled covers; the share of its bounding box; and the share
of the chip that the number leaves visible."""

BEHIND, FLAT, SOFT = 0.5, 2.0, 2
"""A chip lies over more than the first share of the box of its shadow or glow; or what is seen of that is a strip below
the chip, more than so many times as broad as high, at most so many window pixels away."""

TALL_ON_CHIP = 0.3, 0.85
"""The height of numbers on a chip, as shares of its height."""

LEGIBLE_ON_CHIP = 40.0
"""Grey levels between a chip and what stands on it, at least."""

HOLE, HOLE_THROUGH = 0.88, 0.82
"""What covers more of its convex hull than the first share is no digit but the hole of one; if it shows the colour that
surrounds the chip, more than the second, because the rough edge of a hole lowers the share."""

SAME_COLOUR = 24.0
"""The most grey levels by which two areas of one colour differ."""

OWN_RIM = 0.33
"""The share of the pixels three within a chip's outline that have the colour of those two within it, at least. On a
small chip a number comes as near to the outline as that, but its strokes with the gaps between them cover half of the
way around at most; of the stroke of a 0, nothing is left there."""

BAR = 0.4, 0.3
"""A digit that is only a bar covers all of its hull: it is narrower than the first share of its height, and than the
second of the chip's breadth."""

THIN, SHORTEST = 2, 6
"""Window pixels: the greatest thickness, and the least length, of a frame's side."""

ROUND_CORNER = 0.35
"""The share of a frame's side at most by which a line may end before the corner."""

SAME_TONE = 1.6
"""The contrasts of the lines of one frame differ by less than this factor."""


def without_corners(parts: Sequence[Piece], box: Box) -> tuple[Piece, ...]:
    """The pieces of a place without those that lie in one of its corners and leave a rounding free: remnants of its own
    corners and their shadow, a pixel away from its border."""
    return tuple(p for p in parts if not _is_corner(p, box) and not rounds_corner(p, box))


def _is_corner(part: Piece, box: Box) -> bool:
    scale, own = part.scale, part.box
    width, height = box.width * scale, box.height * scale
    left, above = own.x - max(box.x, 0) * scale, own.y - max(box.y, 0) * scale
    right, below = width - left - own.width, height - above - own.height
    reach_x, reach_y = own.width + min(left, right), own.height + min(above, below)
    if reach_x > CORNER * width or reach_y > CORNER * height:
        return False
    ys, xs = np.nonzero(part.ink > pieces.STROKE)
    dx = xs + left if left < right else own.width - 1 - xs + right
    dy = ys + above if above < below else own.height - 1 - ys + below
    radius = max(reach_x, reach_y)
    return not bool(np.any((radius - dx) ** 2 + (radius - dy) ** 2 < (borders.ROUND * radius) ** 2))


def rounds_corner(p: Piece, box: Box) -> bool:
    """Whether something is what is left of a rounded corner of its cell: it reaches both sides there, about as far
    along one as along the other, and leaves the rounding between them empty."""
    x, y, w, h = p.box.x - box.x * p.scale, p.box.y - box.y * p.scale, box.width * p.scale, box.height * p.scale
    mask = p.ink[max(-y, 0) : max(h - y, 0), max(-x, 0) : max(w - x, 0)] > pieces.STROKE
    at_left, at_top, at_right, at_bottom = x <= 0, y <= 0, x + p.box.width >= w, y + p.box.height >= h
    if at_left == at_right or at_top == at_bottom or min(mask.shape) < AS_FAR * max(mask.shape):
        return False
    if max(mask.shape[0] / h, mask.shape[1] / w) > borders.CORNER:
        return False
    return borders.off_corner(mask, at_left, at_top, w, h) <= borders.MARKED * p.scale**2


def off_chips(image: Image, parts: Sequence[Piece], noise: float, stroke: float) -> tuple[Piece, ...]:
    """The pieces of a cell of ``image`` (BGR); each chip is replaced by what stands on it, which then counts as
    ``ringed``, and its shadow or glow is left out."""
    outlines = {k: outline for k, part in enumerate(parts) if (outline := _chip(part)) is not None}
    upon = {k: _upon(image, parts[k], outline, noise, stroke) for k, outline in outlines.items()}
    chips = [parts[k] for k, numbers in upon.items() if numbers]
    rest = {k: [part] for k, part in enumerate(parts) if not any(_is_behind(part, chip) for chip in chips)}
    return tuple(one for k in range(len(parts)) for one in upon.get(k) or rest.get(k, []))


def _is_behind(part: Piece, chip: Piece) -> bool:
    """Whether a piece is paler than a chip, and most of its box lies under that one, or all along below it, flatter
    than any number."""
    one, other, soft = part.box, chip.box, SOFT * part.scale
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(part.bottom, chip.bottom) - max(one.y, other.y)
    under = max(across, 0) * max(down, 0) > BEHIND * one.width * one.height
    below = -soft <= down and across > BEHIND * one.width and one.width > FLAT * one.height and one.y > other.y
    return (under or below) and part.contrast < chip.contrast


def _chip(part: Piece) -> NDArray[np.uint8] | None:
    """The mask of a piece with its holes filled, 0 and 1, fine pixels, if it may be a chip; otherwise None."""
    box = part.box
    if part.cut or min(box.width, box.height) < SMALLEST_CHIP * part.scale:
        return None
    if not OBLONG_CHIP[0] * box.height <= box.width <= OBLONG_CHIP[1] * box.height:
        return None
    inked = np.asarray(part.ink > pieces.STROKE, np.uint8)
    outlines, _ = cv2.findContours(inked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:  # something so pale that nothing of it is a stroke
        return None
    outer = max(outlines, key=cv2.contourArea)
    filled = cv2.drawContours(np.zeros_like(inked), [outer], -1, 1, cv2.FILLED)
    area = int(np.count_nonzero(filled))
    full = area >= FULL * filled.size and np.count_nonzero(inked) >= COVERED * area
    hull = cv2.drawContours(np.zeros_like(inked), [cv2.convexHull(outer)], -1, 1, cv2.FILLED)
    if not full or area < CONVEX * np.count_nonzero(hull):
        return None
    return np.asarray(filled, np.uint8)


def _upon(image: Image, chip: Piece, outline: NDArray[np.uint8], noise: float, stroke: float) -> list[Piece]:
    """What stands on a chip; nothing if that cannot be a number."""
    place = chip.place
    patch = np.ascontiguousarray(place.crop(image))
    inside = np.zeros((place.height * chip.scale, place.width * chip.scale), np.uint8)
    x, y = chip.box.x - place.x * chip.scale, chip.box.y - place.y * chip.scale
    inside[y : y + outline.shape[0], x : x + outline.shape[1]] = outline
    inside = np.asarray(cv2.resize(inside, (place.width, place.height), interpolation=cv2.INTER_NEAREST), np.uint8)
    covered = cv2.dilate(inside, np.ones((3, 3), np.uint8)) > 0
    second, inside, deeper = (_eroded(inside, by) for by in (1, 2, 3))
    edge, rim = second > inside, inside > deeper
    if not rim.any():
        return []
    around = np.median(patch[~covered], axis=0) if not covered.all() else None
    colour = np.median(patch[edge], axis=0)
    own = largest_channel(np.abs(patch[rim] - colour)) <= SAME_COLOUR
    if own.mean() < OWN_RIM:
        return []  # it ends within two pixels of its outline: the stroke of a bold 0
    patch[inside == 0] = colour
    whole = Box(0, 0, place.width, place.height)
    found = pieces.find(patch, whole, noise, stroke, framed=True, scale=chip.scale).pieces
    found = tuple(p for p in found if p.contrast >= LEGIBLE_ON_CHIP)
    low, high = TALL_ON_CHIP
    if not found or any(p.cut for p in found) or not all(_may_be_digit(p, chip, around) for p in found):
        return []
    tall = max(p.bottom for p in found) - min(p.box.y for p in found)
    if not low * chip.box.height <= tall <= high * chip.box.height:
        return []
    dx, dy = place.x * chip.scale, place.y * chip.scale
    return [replace(p, box=replace(p.box, x=p.box.x + dx, y=p.box.y + dy), ringed=True) for p in found]


def _eroded(area: NDArray[np.uint8], by: int) -> NDArray[np.uint8]:
    """The pixels of an area that are more than ``by`` pixels within its outline."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.erode(area, kernel, iterations=by, borderType=cv2.BORDER_CONSTANT, borderValue=0.0), np.uint8)


def _may_be_digit(part: Piece, chip: Piece, around: Floats | None) -> bool:
    """Whether something on a possible chip is not just the hole of a digit. ``around``: the colour around the chip,
    BGR, as far as its corners leave any of it visible."""
    inked = np.asarray(part.ink > pieces.STROKE, np.uint8)
    outlines, _ = cv2.findContours(inked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return False
    hull = cv2.convexHull(np.concatenate(outlines))
    covered = cv2.drawContours(np.zeros_like(inked), [hull], -1, 1, cv2.FILLED)
    through = around is not None and float(np.abs(part.colour - around).max()) <= SAME_COLOUR
    if np.count_nonzero(inked) <= (HOLE_THROUGH if through else HOLE) * np.count_nonzero(covered):
        return True
    return part.box.width < min(BAR[0] * part.box.height, BAR[1] * chip.box.width)


def without_sides(parts: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces without the four straight sides of a frame around another one, which then counts as ``ringed``: if the
    frame's corners are rounded and its line is pale, no more of it is seen."""
    upright = [p for p in parts if p.box.width <= THIN * p.scale and p.box.height >= SHORTEST * p.scale]
    flat = [p for p in parts if p.box.height <= THIN * p.scale and p.box.width >= SHORTEST * p.scale]
    if len(upright) < 2 or len(flat) < 2:
        return tuple(parts)
    sides: set[int] = set()
    framed: set[int] = set()
    for part in parts:
        box = part.box
        left = [p for p in upright if p.right < box.x and _beside(p.box.y, p.bottom, box.y, part.bottom)]
        right = [p for p in upright if p.box.x > part.right and _beside(p.box.y, p.bottom, box.y, part.bottom)]
        above = [p for p in flat if p.bottom < box.y and _beside(p.box.x, p.right, box.x, part.right)]
        below = [p for p in flat if p.box.y > part.bottom and _beside(p.box.x, p.right, box.x, part.right)]
        if not (left and right and above and below):
            continue
        frame = (
            max(left, key=lambda p: p.right),
            min(right, key=lambda p: p.box.x),
            max(above, key=lambda p: p.bottom),
            min(below, key=lambda p: p.box.y),
        )
        if _is_frame(*frame):
            sides.update(map(id, frame))
            framed.add(id(part))
    return tuple(replace(p, ringed=True) if id(p) in framed else p for p in parts if id(p) not in sides)


def _beside(start: int, end: int, low: int, high: int) -> bool:
    """Whether a line from ``start`` to ``end`` runs along most of the range from ``low`` to ``high``."""
    return min(end, high) - max(start, low) >= 0.8 * (high - low)


def _is_frame(left: Piece, right: Piece, above: Piece, below: Piece) -> bool:
    """Whether four lines meet, apart from rounded corners, and have one tone."""
    tones = [p.contrast for p in (left, right, above, below)]
    if max(tones) > SAME_TONE * min(tones):
        return False
    x0, x1, y0, y1 = left.box.x, right.right, above.box.y, below.bottom
    slack, reach = left.scale, ROUND_CORNER * min(x1 - x0, y1 - y0)
    ends = [end for p in (left, right) for end in (p.box.y - y0, y1 - p.bottom)]
    ends += [end for p in (above, below) for end in (p.box.x - x0, x1 - p.right)]
    return all(-slack <= end <= reach for end in ends)
