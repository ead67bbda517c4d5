"""Handles cells of Cross Set whose numbers have an outline, a glow or a hard shadow, as in cartoons. Returns the
picture with plain numbers, so that the usual code reads these cells too. ``inlay`` and ``shadow`` detect the
lettering."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.seeing.lattice.highlights import without_highlights
from autoplayer.games.cross_set.seeing.lattice.loops import without_loops
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered
from autoplayer.games.cross_set.seeing.lattice.rounded import squared
from autoplayer.games.cross_set.seeing.lattice.separators import without_separators
from autoplayer.games.cross_set.seeing.lattice.underlines import without_underlines
from autoplayer.vision import pieces
from autoplayer.vision.inlay import OTHER, Inlay, from_mixtures, inlays, outline_colour
from autoplayer.vision.pieces import STROKE, Piece
from autoplayer.vision.shadow import without_shadows

SAMPLE = 10
"""Cells that are looked at first: in most windows their numbers are plain."""

OWN_COLOUR = 50.0
"""The least difference in grey levels between the inside of an outline and the cell's ground for the number to be drawn
in the colour of its inside; a hollow number is drawn in the colour of its outline."""

AROUND = 2
"""Pixels around a number within which its soft edge is erased together with it."""

FAINT = 0.25
"""What has more ink than this is a part of an outlined number: its inside may be paler than its outline."""

SOLID = 0.7
"""What has more ink than this has a colour of its own."""


def plainly_drawn(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    """``image`` (BGR) with plain numbers in the cells; None if they are plain already. ``boxes``: the inside of each
    cell, window pixels."""
    plain = image
    for way in (squared, without_separators):
        changed = way(plain, boxes, noise)
        plain = plain if changed is None else changed
    ways = (without_loops, _without_outlines, without_highlights, without_underlines)
    found = next((plainer for way in ways if (plainer := way(plain, boxes, noise)) is not None), plain)
    return None if found is image else found


def _without_outlines(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    some = dict(list(boxes.items())[:: max(1, len(boxes) // SAMPLE)])
    drawn = _not_within_others(_drawn(image, some, noise))
    outline = outline_colour(*_as_glyphs(image, drawn, FAINT))
    if outline is not None:
        return _filled(image, _drawn(image, boxes, noise), outline)
    if not _within(image, drawn):
        return None
    drawn = _not_within_others(_drawn(image, boxes, noise))
    within = _within(image, drawn)
    if not within:
        return None
    result = image.copy()
    for k in within:
        _wiped(result, *drawn[k])
    for k, one in within.items():
        piece, ground = drawn[k]
        x, y = piece.place.x + one.left, piece.place.y + one.top
        spot = result[y : y + one.ink.shape[0], x : x + one.ink.shape[1]]
        ink = one.ink[: spot.shape[0], : spot.shape[1], None]
        spot[:] = np.rint(spot * (1 - ink) + _colour(image, piece, ground, one) * ink)
    return result


Drawn = Sequence[tuple[Piece, Floats]]
"""Pieces as they are seen in the window, each with the colour of its ground."""


def _drawn(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Drawn:
    every: list[tuple[Piece, Floats]] = []
    for box in boxes.values():
        place = _place(image, box, noise)
        every += [(piece, place.ground) for piece in place.pieces if not piece.cut]
    return every


@remembered
def _place(image: Image, box: Box, noise: float) -> pieces.Place:
    return pieces.find(image, box, noise, scale=1)  # also what is a line around others


def _as_glyphs(image: Image, drawn: Drawn, full: float) -> tuple[Callable[[int], Image], list[Floats], list[Floats]]:
    """The input of ``inlay`` and ``shadow``. ``full``: ink from which on a pixel counts as drawn completely."""

    def patch(k: int) -> Image:
        return drawn[k][0].place.crop(image)

    inks = [np.asarray(np.minimum(piece.ink / full, 1.0), np.float32) for piece, _ in drawn]
    return patch, inks, [ground for _, ground in drawn]


def _within(image: Image, drawn: Drawn) -> dict[int, Inlay]:
    """The number within each piece, by its index; empty where they are plain."""
    glyphs = _as_glyphs(image, drawn, 1.0)
    return inlays(*glyphs) or without_shadows(*glyphs)


def _wiped(image: Image, piece: Piece, ground: Floats) -> None:
    place = piece.place
    x, y = max(place.x - AROUND, 0), max(place.y - AROUND, 0)
    image[y : place.y + place.height + AROUND, x : place.x + place.width + AROUND] = np.rint(ground)


def _not_within_others(drawn: Drawn) -> Drawn:
    """The pieces whose bounding box does not lie inside another one's: an outline contains its inside, if they do not
    touch."""

    def holds(outer: Box, inner: Box) -> bool:
        across = outer.x <= inner.x and inner.x + inner.width <= outer.x + outer.width
        down = outer.y <= inner.y and inner.y + inner.height <= outer.y + outer.height
        return across and down and outer != inner

    places = [piece.place for piece, _ in drawn]
    return [one for one, own in zip(drawn, places, strict=True) if not any(holds(other, own) for other in places)]


def _filled(image: Image, drawn: Drawn, outline: Floats) -> Image:
    """The cells without the outline's colour, the ground's, and mixtures of both; each remaining part in one colour."""
    result = image.copy()
    for piece, ground in drawn:
        _wiped(result, piece, ground)
    for piece, ground in _not_within_others(drawn):
        place = piece.place
        pixels = place.crop(image).astype(np.float32)
        away = from_mixtures(pixels, ground, outline)
        strong = away[away > OTHER / 2]
        if not len(strong):
            continue
        ink = np.clip(away / max(float(np.percentile(strong, 60)), OTHER / 2), 0, 1)
        spot = result[place.y : place.y + place.height, place.x : place.x + place.width]
        count, labels = cv2.connectedComponents(np.asarray(ink > STROKE, np.uint8), connectivity=8)
        for k in range(1, count):
            own = labels == k
            solid = pixels[own & (ink > SOLID)]
            if not len(solid):
                continue
            reach = cv2.dilate(np.asarray(own, np.uint8), np.ones((3, 3), np.uint8)) > 0
            share = np.where(reach & (own | (labels == 0)), ink, 0)[..., None]
            spot[:] = np.rint(spot * (1 - share) + np.median(solid, axis=0) * share)
    return result


def _colour(image: Image, piece: Piece, ground: Floats, one: Inlay) -> Floats:
    """The colour in which a number is drawn: its own, or, if that equals the ground's, its outline's."""
    place = piece.place
    inner = image[place.y + one.top :, place.x + one.left :][: one.ink.shape[0], : one.ink.shape[1]]
    solid = inner[one.ink[: inner.shape[0], : inner.shape[1]] > SOLID]
    own = np.asarray(np.median(solid, axis=0), np.float32) if len(solid) else piece.colour
    if float(np.abs(own - ground).max()) >= OWN_COLOUR:
        return own
    return piece.colour
