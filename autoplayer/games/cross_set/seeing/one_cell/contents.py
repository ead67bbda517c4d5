"""Finds the pieces of a cell of Cross Set: also pale ones beside something strong, and those that continue outside of
the cell. Knows no digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.glyphs.marks import off_chips, without_corners, without_sides
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered
from autoplayer.vision import pieces, rims
from autoplayer.vision.pieces import Piece

FAINT_PIXELS = 6
"""The least number of window pixels that differ from the ground, besides all that is seen, if something pale is there
too."""

RIM_LENGTH = 0.3
"""What continues outside of its cell and is longer than this share of a side may be the part of it that a veil
covers: a corner with such sides has the least share of a cell that counts as a ground of its own."""

SOFT = 2
"""Window pixels from a glyph's bounding box within which its soft edge ends."""

STEP = 3.0
"""Grey levels in a channel from one row to the next: a ground that changes by no more is shaded, and shows no ink."""


def scale_of(boxes: Mapping[Cell, Box]) -> int:
    """How many fine pixels make a window pixel, the same in all cells, because their glyphs are compared."""
    widths, heights = [box.width for box in boxes.values()], [box.height for box in boxes.values()]
    return pieces.scale_for(round(float(np.median(widths))), round(float(np.median(heights))))


@remembered
def pieces_in(
    image: Image, box: Box, noise: float, stroke: float, uneven: bool = False, *, scale: int = 0, overlaid: bool = False
) -> pieces.Place:
    """The pieces of a cell; also those so pale beside the strongest one that they are only seen without it. Lines
    around a number and patches below one, which mark it, are left out. ``overlaid``: a part of another colour may be
    something that lies over the cell, with words on it."""
    place = _all_in(image, box, noise, stroke, uneven, scale)
    if _is_covered(place, box):
        place = _under_veil(image, box, noise, stroke, scale, overlaid) or place
    found = pieces.without_rings(without_sides(without_corners(place.pieces, box)))
    return replace(place, pieces=off_chips(image, found, noise, stroke))


def _is_covered(place: pieces.Place, box: Box) -> bool:
    """Whether something continues outside of a cell that is large enough to be a part of a veil."""
    sides = ((p.box.width / p.scale / box.width, p.box.height / p.scale / box.height) for p in place.pieces if p.cut)
    return any(max(across, down) > RIM_LENGTH for across, down in sides)


def _under_veil(image: Image, box: Box, noise: float, stroke: float, scale: int, overlaid: bool) -> pieces.Place | None:
    """The content of a cell that something translucent covers in part, transferred to one ground; None if it has only
    one."""
    patch = box.crop(image)
    found = rims.parting(patch, noise)
    if found is None:
        return None
    flat = _on(found.colours[0], found.away(patch), mirrored=not overlaid)
    place = _all_in(flat, Box(0, 0, flat.shape[1], flat.shape[0]), noise, stroke, False, scale)
    x, y = (max(v, 0) for v in (box.x, box.y))
    moved = (replace(p, box=replace(p.box, x=p.box.x + x * p.scale, y=p.box.y + y * p.scale)) for p in place.pieces)
    return replace(place, box=box, pieces=tuple(moved))


def _all_in(image: Image, box: Box, noise: float, stroke: float, uneven: bool, scale: int) -> pieces.Place:
    place = pieces.find(image, box, noise, stroke, uneven, scale=scale)
    top = max((p.contrast for p in place.pieces), default=0.0)
    least = pieces.FAINTEST + 3 * noise
    if uneven or pieces.PALEST * top <= least:
        return place
    patch = box.crop(image)
    rest = patch.copy()
    for p in place.pieces:
        own = p.place
        x, y = own.x - max(box.x, 0), own.y - max(box.y, 0)
        _erase(rest, Box(x - 1, y - 1, own.width + 2, own.height + 2), place.ground)
    inner = rest[rest.shape[0] // 8 : -(rest.shape[0] // 8) or None, rest.shape[1] // 8 : -(rest.shape[1] // 8) or None]
    away = largest_channel(np.abs(inner.astype(np.float32) - place.ground))
    if np.count_nonzero(away > least) < FAINT_PIXELS:
        return place
    whole = Box(0, 0, rest.shape[1], rest.shape[0])
    more = pieces.find(rest, whole, noise, stroke, scale=scale, remnants=True).pieces
    x, y = (max(v, 0) * more[0].scale for v in (box.x, box.y)) if more else (0, 0)
    moved = (replace(p, box=replace(p.box, x=p.box.x + x, y=p.box.y + y)) for p in more if not p.cut)
    return replace(place, pieces=(*place.pieces, *(p for p in moved if not _is_rim(p, place.pieces))))


def _erase(patch: Image, box: Box, ground: Floats) -> None:
    """Fills a part of a patch with its ``ground``; or row by row with what is left or right of it, if that changes only
    little by little, but for the edge of a shadow: a cell may be shaded, so that one colour would be seen on it."""
    x0, y0 = max(box.x, 0), max(box.y, 0)
    x1, y1 = box.x + box.width, min(box.y + box.height, patch.shape[0])
    patch[y0:y1, x0:x1] = ground
    beside = [patch[y0:y1, x].astype(np.float32) for x in (x0 - 1, x1) if 0 <= x < patch.shape[1]]
    steps = [np.abs(np.diff(each, axis=0)).max(axis=1, initial=0) for each in beside]
    gradual = [3 * ((step > 0) & (step <= STEP)).sum() >= len(step) and (step > STEP).sum() <= 1 for step in steps]
    shades = [each for each, is_shade in zip(beside, gradual, strict=True) if is_shade]
    if shades:
        patch[y0:y1, x0:x1] = min(shades, key=lambda each: float(np.abs(each - ground).max()))[:, None]


def _is_rim(p: Piece, strong: Sequence[Piece]) -> bool:
    """Whether something pale is a line of single pixels along a strong piece: the outermost of its soft edge."""
    own = p.place

    def along(other: Box) -> bool:
        apart_x = max(own.x, other.x) - min(own.x + own.width, other.x + other.width)
        apart_y = max(own.y, other.y) - min(own.y + own.height, other.y + other.height)
        return max(apart_x, apart_y) <= SOFT and min(apart_x, apart_y) < 0

    return min(own.width, own.height) <= 1 and any(along(one.place) for one in strong)


def _on(ground: Floats, away: Floats, mirrored: bool) -> Image:
    """A picture, BGR, in which each pixel differs from one ``ground`` as much as ``away`` says, in each channel.
    ``mirrored``: what would be brighter than white is darker than the ground instead, and the other way round: pale ink
    on a dark part of a white cell stays ink."""
    there = ground + away
    if mirrored:
        there = np.where((there < 0) | (there > 255), ground - away, there)
    return np.asarray(np.clip(there, 0, 255).round(), np.uint8)


def toned(image: Image, piece: Piece, parts: Sequence[Piece], ground: Floats) -> Piece:
    """A piece with the colour and the contrast of its own pixels, if it was cut out of one of the ``parts`` of its
    cell: touching neighbours may have two colours."""
    own = piece.box
    larger = (p.box for p in parts if p.extent > piece.extent)
    if not any(
        b.x <= own.x and b.y <= own.y and b.x + b.width >= piece.right and b.y + b.height >= piece.bottom
        for b in larger
    ):
        return piece
    place = piece.place
    pixels = place.crop(image).astype(np.float32)
    if pixels.shape[:2] != (place.height, place.width):
        return piece
    whole = np.zeros((place.height * piece.scale, place.width * piece.scale), np.float32)
    x, y = own.x - place.x * piece.scale, own.y - place.y * piece.scale
    whole[y : y + own.height, x : x + own.width] = piece.ink
    share = cv2.resize(whole, (place.width, place.height), interpolation=cv2.INTER_AREA)
    here = pixels[share >= min(pieces.COVERED, float(share.max()))]
    colour = np.median(here, axis=0)
    return replace(piece, colour=colour, contrast=float(np.abs(colour - ground).max()))


def widened(
    image: Image,
    boxes: Mapping[Cell, Box],
    noise: float,
    stroke: float,
    by: float,
    scale: int,
    overlaid: bool = False,
) -> dict[Cell, pieces.Place]:
    """The content of cells enlarged on every side by a share of their shorter side."""
    result = {}
    for cell, box in boxes.items():
        more = max(1, round(by * min(box.width, box.height)))
        grown = Box(box.x - more, box.y - more, box.width + 2 * more, box.height + 2 * more)
        if grown.x >= 0 and grown.y >= 0 and grown.crop(image).shape[:2] == (grown.height, grown.width):
            result[cell] = pieces_in(image, grown, noise, stroke, scale=scale, overlaid=overlaid)
    return result


def all_there(before: Sequence[Piece], after: Sequence[Piece]) -> bool:
    """Whether something stands wherever something was cut off."""

    def common(one: Piece, other: Piece) -> bool:
        a, b, s, t = one.box, other.box, one.scale, other.scale
        across = min((a.x + a.width) / s, (b.x + b.width) / t) - max(a.x / s, b.x / t)
        down = min((a.y + a.height) / s, (b.y + b.height) / t) - max(a.y / s, b.y / t)
        return across > 0 and down > 0

    return all(any(common(cut, piece) for piece in after) for cut in before if cut.cut)
