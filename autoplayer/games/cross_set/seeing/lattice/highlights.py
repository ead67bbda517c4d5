"""Handles cells of Cross Set whose active number stands in a filled box (a highlight) close to the other numbers.
Returns the picture with that number drawn without the box, in the colour of its box, so that the usual code reads these
cells too. Knows no digits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.lattice.remembered import remembered
from autoplayer.vision import ink

CLEAR, MOST = 0.25, 0.6
"""The least share of the cells in which a highlight is clearly seen, and, once its colour and height are known, in
which it is seen at all: single candidates may have none."""

COMMONEST = 4
"""So many of the most frequent colours in a cell, besides its ground, are considered as the colour of a box."""

FLAT = 14.0
"""The most grey levels by which pixels of a box differ from its colour, without noise."""

LEGIBLE = 40.0
"""Grey levels between a box and its number, and between a box and its cell's ground, at least."""

PALEST, FEWEST = 8.0, 3
"""The least difference in grey levels between a box around another number than the active one and its cell's ground;
and how many of these boxes there are at least."""

SMALLEST, SPECK = (4, 8), 6
"""Pixels: the least breadth and height of a box, and the least size of the components that determine its ends if its
height is not known."""

EDGE, ROUND = 0.85, 0.5
"""The share of each edge of a box that has its colour, two pixels from the end and at the very end, where corners may
be round."""

FILLED = 0.25, 0.95
"""The share of a box that has its colour; the remainder is the number."""

FREE = 0.1
"""The greatest share of a ring inside a box that has the box's colour, if the box is only a frame."""

LARGEST = 0.95
"""A box covers at most this share of a cell's inside in each direction."""

BROADEST = 1.5
"""How broad a box is at most, as a multiple of its height."""

BEYOND = 0.06
"""How far a box may reach beyond a cell's inside, as a share of the cell's shorter side."""

EVEN = 0.15
"""By which share the heights of the boxes of a board differ."""


class _Highlight(NamedTuple):
    """A filled box, window pixels, its colour, and that of its number and of its cell."""

    box: Box
    colour: Floats
    number: Floats
    ground: Floats


def without_highlights(image: Image, boxes: Mapping[Cell, Box], noise: float) -> Image | None:
    """``image`` (BGR) without the filled boxes around active numbers; None if most cells have none. ``boxes``: the
    inside of each cell, window pixels."""
    clear = [one for box in boxes.values() for one in _likeliest(image, box, noise)]
    if len(clear) < CLEAR * len(boxes):
        return None
    height = float(np.median([one.box.height for one in clear]))
    colour = np.median([one.colour for one in clear], axis=0)
    every = []
    for cell in boxes.values():
        # It may reach into the cell's wall.
        more = max(1, round(BEYOND * min(cell.width, cell.height)))
        wider = Box(cell.x - more, cell.y - more, cell.width + 2 * more, cell.height + 2 * more)
        found = (one for box in (wider, cell) for one in _highlights(image, box, noise, colour, height))
        every += list(islice(found, 1)) or _of_colour(_likeliest(image, cell, noise), colour)
    if len(every) < MOST * len(boxes):
        return None
    result = image.copy()
    for one in every:
        _drawn(result, one, noise, one.colour)
    _without_chips(result, boxes, noise)
    return result


def _of_colour(found: list[_Highlight], colour: Floats) -> list[_Highlight]:
    """Those that have the colour of a board's boxes: where few candidates of a cell are drawn larger, so are boxes."""
    return [one for one in found if float(np.abs(one.colour - colour).max()) <= FLAT]


def _without_chips(image: Image, boxes: Mapping[Cell, Box], noise: float) -> None:
    """Erases the filled boxes around the other numbers, which keep their own colour: boxes of one colour, often similar
    to the cell's ground, one or several in a cell."""
    insides = {cell: np.asarray(box.crop(image), np.float32) for cell, box in boxes.items()}
    grounds = {cell: ink.ground_colour(boxes[cell].crop(image)) for cell in boxes}
    met: Counter[tuple[int, ...]] = Counter()
    for cell, patch in insides.items():
        other = largest_channel(np.abs(patch - grounds[cell])) > PALEST + 2 * noise
        colours, counts = np.unique(patch[other].astype(np.uint8) // 4, axis=0, return_counts=True)
        met.update(tuple(colours[at].tolist()) for at in np.argsort(-counts)[:COMMONEST])
    for colour, _ in met.most_common(COMMONEST):
        tone = 4.0 * np.array(colour, np.float32) + 2
        chips = [
            one for cell, patch in insides.items() for one in _chips(patch, boxes[cell], tone, grounds[cell], noise)
        ]
        if len(chips) >= max(CLEAR * len(boxes), FEWEST):
            for one in chips:
                _drawn(image, one, noise, one.number)
            return


def _chips(patch: Floats, cell: Box, colour: Floats, ground: Floats, noise: float) -> list[_Highlight]:
    """The filled boxes of one colour in a cell with something legible on them."""
    away = largest_channel(np.abs(patch - ground))
    nearer = largest_channel(np.abs(patch - colour))
    own = (nearer <= FLAT + noise) & (nearer < away)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(own.astype(np.uint8), connectivity=4)
    found = []
    for k in range(1, count):
        # What else of its colour lies in its box is seen through a number's holes.
        place = Box(*map(int, stats[k][:4]))
        if stats[k][4] < SPECK or place.x == 0 or place.y == 0:
            continue
        alone = np.zeros_like(own)
        spot = slice(place.y, place.y + place.height), slice(place.x, place.x + place.width)
        alone[spot] = own[spot]
        box = _filled(alone, 0.0, 1)
        if box is None or box != place or place.width > BROADEST * place.height:
            continue
        inner = box.crop(patch)
        tone = np.median(patch[labels == k], axis=0)
        apart = largest_channel(np.abs(inner - tone))
        if float(apart.max()) < LEGIBLE:
            continue
        number = np.median(inner[apart >= 0.8 * apart.max()], axis=0)
        if float(np.abs(number - ground).max()) < LEGIBLE:
            continue
        moved = Box(cell.x + box.x, cell.y + box.y, box.width, box.height)
        found.append(_Highlight(moved, np.asarray(tone), np.asarray(number), ground))
    return found


def _drawn(image: Image, one: _Highlight, noise: float, colour: Floats) -> None:
    """Draws the number of a highlight in a ``colour`` on its cell's ground."""
    box = one.box
    around = Box(box.x - 1, box.y - 1, box.width + 2, box.height + 2)
    spot, rim = around.crop(image), np.ones((around.height, around.width), bool)
    rim[1:-1, 1:-1] = False
    # Its soft edge: mixtures of its colour with the ground.
    away = one.colour - one.ground
    share = ((spot - one.ground) @ away / float(away @ away)).clip(0, 1)[..., None]
    mixed = largest_channel(np.abs(spot - one.ground - share * away)) <= FLAT + noise
    spot[rim & mixed] = np.rint(one.ground)
    inner, away = box.crop(image), one.number - one.colour
    share = ((inner - one.colour) @ away / float(away @ away)).clip(0, 1)[..., None]
    inner[:] = np.rint(one.ground * (1 - share) + colour * share)


@remembered
def _likeliest(image: Image, cell: Box, noise: float) -> list[_Highlight]:
    """The likeliest filled box of a cell, if there is one."""
    return _highlights(image, cell, noise)[:1]


def _highlights(
    image: Image, cell: Box, noise: float, known: Floats | None = None, height: float = 0.0
) -> list[_Highlight]:
    """The possible highlights in a cell, the likeliest first. ``known``, ``height``: their colour and height, if known;
    then the number may reach to their ends."""
    patch = np.asarray(cell.crop(image), np.float32)
    if patch.shape[:2] != (cell.height, cell.width):
        return []
    ground = ink.ground_colour(cell.crop(image))
    far = largest_channel(np.abs(patch - ground)) > LEGIBLE
    if known is None:
        colours, counts = np.unique(patch[far].astype(np.uint8) // 4, axis=0, return_counts=True)
        options = [4.0 * colours[at] + 2 for at in np.argsort(-counts)[:COMMONEST]]
    else:
        options = [known]
    result = []
    for colour in options:
        own = far & (largest_channel(np.abs(patch - colour)) <= FLAT + noise)
        box = (_filled(own, height, 1) if height else None) or _filled(own, height, SPECK)
        if box is None:
            continue
        own_colour = np.median(patch[own], axis=0)
        inner = box.crop(patch)
        apart = largest_channel(np.abs(inner - own_colour))
        if float(apart.max()) < LEGIBLE:
            continue
        number = np.median(inner[apart >= 0.8 * apart.max()], axis=0)
        moved = Box(cell.x + box.x, cell.y + box.y, box.width, box.height)
        result.append(_Highlight(moved, np.asarray(own_colour), np.asarray(number), ground))
    return result


def _filled(own: NDArray[np.bool_], height: float, least: int) -> Box | None:
    """The bounding box of an area of one colour, if it is filled except for a number in its middle; of a given height,
    unless that is 0. ``least``: the least size of the connected components that determine its ends."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(own.astype(np.uint8), connectivity=4)
    parts = [Box(*map(int, one[:4])) for one in stats[1:] if one[4] >= least]
    if not parts:
        return None
    x, y = min(p.x for p in parts), min(p.y for p in parts)
    box = Box(x, y, max(p.x + p.width for p in parts) - x, max(p.y + p.height for p in parts) - y)
    if box.width < SMALLEST[0] or box.height < SMALLEST[1]:
        return None
    if box.width > LARGEST * own.shape[1] and box.height > LARGEST * own.shape[0]:
        return None
    if not FILLED[0] <= float(box.crop(own).mean()) <= FILLED[1]:
        return None
    if _is_frame(box.crop(own)):
        return None
    if height:
        return box if abs(box.height - height) <= EVEN * height + 1 and box.width <= BROADEST * height else None
    # The strokes of a bold, narrow digit fill one of its sides, or two.
    edges = (box.crop(own).mean(axis=k) for k in (0, 1))
    return box if all(min(e[0], e[-1]) >= ROUND and min(e[1], e[-2]) >= EDGE for e in edges) else None


def _is_frame(own: NDArray[np.bool_]) -> bool:
    """Whether a box is only a line around its number: some ring inside it is free of its colour, except for the
    corners."""
    for k in range(1, min(own.shape) // 4):
        ring = own[k : own.shape[0] - k, k : own.shape[1] - k]
        sides = (ring[0], ring[-1], ring[:, 0], ring[:, -1])
        if float(np.mean([side.mean() for side in sides])) < FREE:
            return True
    return False
