"""Other ways to look at the ink of a place: without the disc or ring around its glyph, without lines and pointers on
it, without paler pixels. Glyphs are classified by ``tokens``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel, unlike
from autoplayer.vision import ink

OTHER_COLOUR = 40
"""Grey levels in a channel: ink that differs by more is another colour, not the same one in another light."""

SHOWN = 0.02
"""The least share of a place that a glyph's ink takes."""

FULL = 0.65
"""A glyph in the usual colour has pixels at least this near to it; a fainter ink of another colour has none."""

DRAWN, THINNER, MOST_LOST = 0.3, 0.08, 0.25
"""A pixel with more ink than this belongs to a glyph; and a view in one colour that loses no more than this share of
the glyph's height on any side, and less than this share of its pixels, is the same glyph with thinner strokes."""

TRACE, FOREIGN, APART = 0.1, 0.1, 0.05
"""A pixel with more ink than this is drawn on; and if the second share of those has a colour that is no mixture of the
glyphs' and the ground's, something other than a glyph is drawn as well. Most of a thin glyph is paler than its strokes,
but no more than the third share stands beside none."""

FEWEST = 8
"""The least number of discs of one size for the assumption that all glyphs stand in such discs."""

WITHIN_DISC, LEAST_WITHIN, ROUND = 0.68, 6, 1.33
"""The side of a square inside a disc, 1 / sqrt(2) of its diameter and a little less; its least size in pixels; and the
largest ratio of a disc's length to its width."""

DISC, SAME_DISC = 0.5, 0.15
"""The least share of the square around it that a disc with a number in it fills; and the largest difference between
discs of one size, as a share of the side of the square inside."""

ALL_AROUND = 0.95
"""The least share of the width and height of some ink that a ring around the rest has."""

WITHIN_RING = 0.84
"""The share of a ring's outer radius that is inside of it, without its soft edge."""


def usual_colour(colours: Sequence[Floats]) -> Floats:
    """The colour of most glyphs, and one that some glyph really has: an average of dark and light glyphs, as there are
    where chains are drawn, would be a grey that no glyph has."""
    stacked = np.stack(colours)
    away = np.abs(stacked - np.median(stacked, axis=0)).max(axis=1)
    return np.asarray(stacked[int(away.argmin())])


def different(colours: Sequence[Floats]) -> list[Floats]:
    """One of each of the different colours among some."""
    found: list[Floats] = []
    for colour in colours:
        if all(unlike(colour, other) > OTHER_COLOUR for other in found):
            found.append(colour)
    return found


def shown(image: Image, here: ink.Content, colours: Sequence[Floats]) -> list[Floats]:
    """Those of some different ``colours`` in which something is drawn in a place."""
    patch = here.place.crop(image).astype(np.float32)
    return [
        colour
        for colour in colours
        if float((largest_channel(np.abs(patch - colour)) < OTHER_COLOUR / 2).mean()) > SHOWN
    ]


def crossing(image: Image, here: ink.Content) -> Floats | None:
    """The colour, BGR, in which something is drawn at the border of a place; None where nothing is."""
    patch = here.place.crop(image).astype(np.float32)
    rim = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
    drawn = rim[np.abs(rim - here.ground).max(axis=1) > OTHER_COLOUR]
    return np.asarray(np.median(drawn, axis=0), np.float32) if len(drawn) else None


def more_than_a_glyph(image: Image, here: ink.Content, usual: Floats) -> bool:
    """Whether some of a place's ink has a colour that is no mixture of its ground and the glyphs' usual colour, or most
    of the ink has a colour far from the usual one, and not only the edges of strokes in the usual one."""
    h, w = here.ink.shape
    away = cv2.resize(here.box.crop(image), (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) - here.ground
    way = usual - here.ground
    share = np.clip(away @ way / max(float(way @ way), 1.0), 0, 1)
    drawn = here.ink > TRACE
    beside = np.abs(away - share[..., None] * way).max(axis=2)[drawn]
    if (beside > OTHER_COLOUR).sum() > FOREIGN * len(beside):
        return True
    pale, strokes = drawn & (share < FULL), np.asarray(drawn & (share >= FULL), np.uint8)
    apart = pale & (cv2.dilate(strokes, np.ones((3, 3), np.uint8)) == 0)
    return bool(2 * pale.sum() > len(beside) and apart.sum() > APART * len(beside))


def is_the_same(here: ink.Content, in_colour: ink.Content) -> bool:
    """Whether the part of a place's ink that has one colour is all of it except paler pixels: no foreign object was
    removed, since that would have extended beyond the glyph."""
    scale = here.box.height / here.ink.shape[0]
    h, w = here.ink.shape
    left, top = (round((a - b) / scale) for a, b in ((in_colour.box.x, here.box.x), (in_colour.box.y, here.box.y)))
    right, bottom = w - left - in_colour.ink.shape[1], h - top - in_colour.ink.shape[0]
    if min(left, top, right, bottom) < 0 or max(left, top, right, bottom) > max(THINNER * h, 1):
        return False
    part: Floats = np.zeros((h, w), np.float32)
    part[top : h - bottom, left : w - right] = in_colour.ink
    near = cv2.dilate(np.asarray(part > DRAWN, np.uint8), np.ones((3, 3), np.uint8)) > 0
    drawn = here.ink > DRAWN
    return bool((drawn & ~near).sum() < MOST_LOST * drawn.sum())


def other_inks(image: Image, here: ink.Content, noise: float) -> Iterator[tuple[bool, Floats]]:
    """Other looks at the ink of a place whose glyph is not clear: the inside of its disc, and the inside of its ring.
    Each with whether it was cut: the arms of an X may be cut by a start's ring, but a cut 3 would become a 4."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(here.ink > DRAWN, np.uint8), connectivity=8)
    for i in sorted(range(1, count), key=lambda i: -stats[i, 4])[:2]:
        middle = _inside_a_disc(here, stats[i, :4].tolist())
        if middle is not None:
            within = ink.content(image, middle, noise)
            if not within.bare:
                yield touches(within), within.ink
            inner = _inside_a_ring(here.ink, stats[i, :4].tolist())
            if inner is not None:
                yield True, inner
    if (rest := within_a_ring(here.ink)) is not None:
        yield False, rest


def every_other_ink(image: Image, here: ink.Content, usual: Floats, noise: float) -> Iterator[Floats]:
    """What :func:`other_inks` shows, and what of a place's ink has the ``usual`` colour."""
    for _, other in other_inks(image, here, noise):
        yield other
    in_colour = ink.content_in_colour(image, here.place, usual, noise)
    if not in_colour.bare:
        yield in_colour.ink


def within_a_ring(drawn: Floats) -> Floats | None:
    """What stands apart within the only piece of ink that reaches from side to side both ways; None if there is no such
    piece, or nothing within."""
    h, w = drawn.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(drawn > DRAWN, np.uint8), connectivity=8)
    rings = [i for i in range(1, count) if stats[i, 2] > ALL_AROUND * w and stats[i, 3] > ALL_AROUND * h]
    if count <= 2 or len(rings) != 1:
        return None
    ring = cv2.dilate(np.asarray(labels == rings[0], np.uint8), np.ones((3, 3), np.uint8)) > 0
    rest = np.where(ring, 0, drawn)
    ys, xs = np.nonzero(rest > DRAWN)
    if not len(ys):
        return None
    return np.asarray(rest[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.float32)


def _inside_a_disc(here: ink.Content, box: Sequence[int]) -> Box | None:
    """The square inside a piece of ink with the bounding box ``(x, y, width, height)``, where that may be a disc."""
    x, y, w, h = box
    scale = here.box.height / here.ink.shape[0]  # the ink may have been made smaller
    size = min(w, h)
    side = round(size * WITHIN_DISC * scale)
    if max(w, h) >= ROUND * size or side < LEAST_WITHIN:
        return None
    middle = here.box.x + (x + w / 2) * scale, here.box.y + (y + h / 2) * scale
    return Box(round(middle[0] - side / 2), round(middle[1] - side / 2), side, side)


def usual_disc(contents: Sequence[ink.Content]) -> tuple[float, float, int] | None:
    """The position of the square inside discs of one size, which stand in at least a quarter of some places: how far
    its middle is to the right of and below that of its place, and its side, in pixels; None if there are no such
    discs."""
    found = []
    for here in contents:
        stats = cv2.connectedComponentsWithStats(np.asarray(here.ink > 0.3, np.uint8), connectivity=8)[2]
        largest = stats[1 + int(stats[1:, 4].argmax())] if len(stats) > 1 else None
        filled = largest is not None and largest[4] > DISC * largest[2] * largest[3]
        middle = _inside_a_disc(here, largest[:4].tolist()) if filled and largest is not None else None
        if middle is not None:
            (x, y), (u, v) = middle.centre, here.place.centre
            found.append((x - u, y - v, middle.width))
    if len(found) < FEWEST:
        return None
    each = np.array(found, np.float32)
    alike = np.abs(each[:, None] - each[None]).max(axis=2) <= np.maximum(SAME_DISC * each[:, 2], 1)
    most = int(alike.sum(axis=0).argmax())  # what a line makes of others may look round as well
    if 4 * alike[:, most].sum() < max(len(contents), 4 * FEWEST):
        return None
    right, down, side = np.median(each[alike[:, most]], axis=0)
    return float(right), float(down), round(float(side))


def touches(within: ink.Content) -> bool:
    """Whether ink reaches the border of the area that was looked at."""
    box, place = within.box, within.place
    right, bottom = box.x + box.width >= place.x + place.width, box.y + box.height >= place.y + place.height
    return box.x <= place.x or box.y <= place.y or right or bottom


ROUNDED = 2
"""Pixels between ink and the border that it reaches: places begin at whole pixels."""


def sides_reached(within: ink.Content) -> set[Cell]:
    """The sides of the area that was looked at which ink reaches, as steps ``(down, right)`` to the places beyond."""
    box, place = within.box, within.place
    right, bottom = place.x + place.width - box.x - box.width, place.y + place.height - box.y - box.height
    rooms = {(0, -1): box.x - place.x, (-1, 0): box.y - place.y, (0, 1): right, (1, 0): bottom}
    return {step for step, room in rooms.items() if room <= ROUNDED}


def goes_through(within: ink.Content) -> bool:
    """Whether ink reaches more than one side of the area that was looked at."""
    return len(sides_reached(within)) > 1


def _inside_a_ring(drawn: Floats, box: Sequence[int]) -> Floats | None:
    """The content of the circle inside a piece of ink with the bounding box ``(x, y, width, height)``, if that piece
    may be a ring that touches the glyph; None if nothing is inside."""
    x, y, w, h = box
    part = drawn[y : y + h, x : x + w]
    across, down = (np.arange(w) + 0.5) / w - 0.5, (np.arange(h) + 0.5) / h - 0.5
    inside = across[None, :] ** 2 + down[:, None] ** 2 < (WITHIN_RING / 2) ** 2
    ys, xs = np.nonzero((part > 0.3) & inside)
    if not len(ys):
        return None
    cut = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
    return np.asarray(np.where(inside, part, 0)[cut], np.float32)
