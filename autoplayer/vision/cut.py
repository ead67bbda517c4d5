"""Numbers that cross the left or right border of their place, so that a part of their first or last digit is cut off:
the place is widened by that digit and read again. Knows no game, no glyph."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.vision import ink

Key = TypeVar("Key", bound=Hashable)

ROOM = 0.25
"""How far beyond a place's border the rest of a cut digit is searched for, as a share of the place's width."""

HALF = 0.5
"""A pixel counts as ink from this share of the ink's contrast on."""

ABOVE = 0.12
"""The largest vertical offset between the digits of one number, as a share of its height."""

LOW = 0.6
"""The smallest height of a digit, as a share of the number's; lower pieces are remnants of a wall or a corner."""

BROAD = 1.2
"""The largest width of a digit, as a share of the number's height."""

OTHER_COLOUR = 40.0
"""Grey levels in a channel: a pixel that differs by more than this from every mixture of ground and ink is neither."""


def made_whole(image: Image, found: Mapping[Key, ink.Content], noise: float = 0.0) -> dict[Key, ink.Content]:
    """For those of ``found`` (places of ``image``, BGR) whose number crosses a border: the contents of a place that is
    wide enough. All others are left out of the result. ``noise``: grey levels."""
    result = {}
    drawn = {key: _with_ground(image, here) for key, here in found.items() if not here.bare}
    for key, cut in zip(drawn, _at_the_border(image, list(drawn.values())), strict=True):
        if not cut:
            continue
        here = drawn[key]
        place = here.place
        for left in (True, False):
            place = _broadened(image, here, place, left)
        if place != here.place:
            seen = ink.content(image, place, noise)
            old, new = here.box, seen.box
            same = here is found[key] or largest_channel(np.abs(seen.ground - here.ground)) < OTHER_COLOUR
            if same and not seen.bare and new.x <= old.x + 1 and new.x + new.width >= old.x + old.width - 1:
                result[key] = seen
    return result


def _with_ground(image: Image, here: ink.Content) -> ink.Content:
    """``here``, with ground and ink exchanged if the ink reaches all four sides: in a place so narrow that it cuts a
    number, bold digits may have more pixels than the ground between them."""
    if here.box != here.place:
        return here
    drawn = _is_ink(here.place.crop(image), here.colour, here.ground)
    x, y, w, h = cv2.boundingRect(drawn.astype(np.uint8))
    box = Box(max(here.place.x, 0) + x, max(here.place.y, 0) + y, w, h)
    return replace(here, box=box, ground=here.colour, colour=here.ground)


def _at_the_border(image: Image, found: Sequence[ink.Content]) -> list[bool]:
    """For each place, whether ink stands at its left or right border beside its glyph."""
    if not found:
        return []
    height, width = image.shape[:2]
    tops = np.array([max(here.box.y, 0) for here in found])
    ends = np.array([min(here.box.y + here.box.height, height) for here in found])
    # All are padded to the height of the highest: the last row of lower ones is repeated.
    rows = np.minimum(tops[:, None] + np.arange((ends - tops).max()), ends[:, None] - 1)
    places = [here.place for here in found]
    columns = np.array([(max(place.x, 0), min(place.x + place.width, width) - 1) for place in places])
    pixels = np.take(image.reshape(-1, 3), rows[:, :, None] * width + columns[:, None, :], axis=0)
    drawn = _is_ink(
        pixels,
        np.array([here.ground for here in found])[:, None, None],
        np.array([here.colour for here in found])[:, None, None],
    )
    return [bool(cut) for cut in np.asarray(drawn.any(axis=(1, 2)))]


def _is_ink(pixels: NDArray[np.uint8], ground: Floats, colour: Floats) -> NDArray[np.bool_]:
    """Which ``pixels``, shape ``(…, h, w, 3)``, are ink of ``colour`` on ``ground``; both broadcast to that shape. The
    result has the shape ``(…, h, w)``."""
    away, way = pixels.astype(np.float32) - ground, np.asarray(colour - ground, np.float32)
    share = (away * way).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), 1.0)
    beside = largest_channel(np.abs(away - np.clip(share, 0, 1)[..., None] * way))
    return np.asarray((share > HALF) & (beside < OTHER_COLOUR), np.bool_)


def _broadened(image: Image, here: ink.Content, place: Box, left: bool) -> Box:
    """``place`` widened on its left (or else right) side so that the cut digit fits in; unchanged where there is no cut
    digit, or where most of it lies outside."""
    box, room = here.box, max(round(ROOM * place.width), 3)
    slack = max(round(ABOVE * box.height), 1)
    x0, y0 = max(place.x - room, 0), max(box.y - slack - 1, 0)
    x1, y1 = min(place.x + place.width + room, image.shape[1]), min(box.y + box.height + slack + 1, image.shape[0])
    drawn = np.asarray(_is_ink(image[y0:y1, x0:x1], here.ground, here.colour), np.uint8)
    end = (place.x if left else place.x + place.width - 1) - x0
    if not 0 <= end < drawn.shape[1] or not drawn[:, end].any():
        return place
    _, labels, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    for i in sorted({int(label) for label in labels[:, end]} - {0}):
        x, y, w, h = (int(v) for v in stats[i, :4])
        whole = y > 0 and y + h < drawn.shape[0] and x > 0 and x + w < drawn.shape[1]
        inside = place.x <= x0 + x + w / 2 <= place.x + place.width
        if not whole or not inside or h < LOW * box.height or w > BROAD * box.height:
            continue
        if left:
            start = min(place.x, x0 + x - 2)
            return Box(start, place.y, place.x + place.width - start, place.height)
        return Box(place.x, place.y, max(place.width, x0 + x + w + 2 - place.x), place.height)
    return place
