"""Parts of a picture in which a board may stand with a ground of its own: a panel, or what a line goes round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image
from autoplayer.games.continuity.seeing.walls.borders import Borders
from autoplayer.games.continuity.seeing.walls.lineart import on_paper

LEAST = 0.12
"""The share of the picture that such a part takes at least."""
OFF = 14
"""Grey levels up to which pixels of its rim are of one colour."""
FRAME = 0.06
"""The share of a tile's shorter side that a line round it takes at most."""
THROUGH = 0.97
"""The share of a line through the picture that lies on edges at least where a bar ends."""
BAR, LEAST_BAR = 0.22, 8
"""The share of a picture's length that a bar takes at most, and pixels at least."""
ALONG = 0.97
"""The share of each side of its rim that is of that colour at least."""
CORNER, LINE = 0.06, 4
"""The share of its shorter side that a corner may take which is round, and how many pixels the line round a panel."""


def without_bars(borders: Borders, width: int, height: int) -> Iterator[Box]:
    """What is left of a picture without the bars along its sides (a menu, a title, a score, a column of buttons), which
    end in an edge from one rim of the picture to the other; there may be two above each other."""
    cuts = []
    for way, size in enumerate((width, height)):
        lines = np.flatnonzero(borders.across(way) >= THROUGH)
        lines = lines[(lines >= LEAST_BAR) & (lines <= size - LEAST_BAR)]
        lines = lines[np.diff(lines, append=size + 9) > 2]  # an edge is seen before it as well
        low, high = lines[lines <= BAR * size].tolist(), lines[lines >= (1 - BAR) * size].tolist()
        cuts.append(((low or [0])[:2], (high or [size])[-1]))
    (lefts, right), (tops, bottom) = cuts
    for top in tops:
        for left in lefts:
            if (left, top, right, bottom) != (0, 0, width, height):
                yield Box(left, top, right - left, bottom - top)


def panel(image: Image, box: Box) -> Box | None:
    """The part of a picture that a board may stand in where something large stands in ``box``: all of it where its rim
    is broad and of one colour, what is inside where the rim is a line, with the ground or a panel inside; None where it
    is neither."""
    height, width = image.shape[:2]
    if box.width * box.height < LEAST * width * height or (box.width, box.height) == (width, height):
        return None
    thick = _rim(box.crop(image))
    if not thick:  # its outermost pixels may be soft
        box = _wider(box, -1)
        thick = _rim(box.crop(image))
    if not thick:
        return None
    beyond = _wider(box, 2)
    inner = _wider(box, -thick)
    if np.abs(_around(image, beyond) - _around(image, inner)).max() <= OFF:
        return inner
    lined = _wider(inner, -1)  # the line's soft edge
    return lined if thick <= LINE and _rim(lined.crop(image)) > 1 else box


def _wider(box: Box, by: int) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def _around(image: Image, box: Box) -> Floats:
    """The usual colour along the rim of a box, as far as it is in the picture."""
    x0, y0 = max(box.x, 0), max(box.y, 0)
    part = image[y0 : box.y + box.height, x0 : box.x + box.width]
    found: Floats = np.median(np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]]), axis=0)
    return found


def _rim(part: Image) -> int:
    """How many pixels thick the rim of one colour is that goes round a part; 0 where there is none. Its corners, which
    may be round, are not looked at."""
    colour = _around(part, Box(0, 0, part.shape[1], part.shape[0]))
    most = min(part.shape[:2]) // 8
    corner = round(CORNER * min(part.shape[:2]))
    for d in range(most):
        c = max(d, corner)
        sides = part[d, c:-c], part[-1 - d, c:-c], part[c:-c, d], part[c:-c, -1 - d]
        if any((np.abs(each - colour).max(axis=1) <= OFF).mean() < ALONG for each in sides):
            return d
    return int(most)


def without_frames(pictures: Sequence[Image]) -> tuple[Image, ...]:
    """Tiles without the line that goes round each of them: what is inside goes on to their sides. No tile may have such
    a line by itself: a level has openings, where air would be at the side."""
    thick = frame_of(pictures)
    if not thick:
        return tuple(pictures)
    stack = np.stack(pictures)
    thick += 1  # its soft inner edge
    found = stack.copy()
    found[:, :thick], found[:, -thick:] = stack[:, thick, None], stack[:, -1 - thick, None]
    found[:, :, :thick], found[:, :, -thick:] = found[:, :, thick, None], found[:, :, -1 - thick, None]
    return tuple(found)


def frame_of(pictures: Sequence[Image]) -> int:
    """How many pixels a line or a mat takes that goes round each tile; 0 where none does."""
    stack = np.stack(pictures)
    thick = 0 if _one_colour(_rims(stack, 0)) else 1  # the outermost pixels may be soft
    while thick < FRAME * min(stack.shape[1:3]) and _one_colour(_rims(stack, thick)):
        if on_paper(stack, np.median(_rims(stack, thick), axis=0)):
            break  # walls and air are outlined, and both have this colour
        thick += 1
    return thick if thick > 1 else int(_one_colour(_rims(stack, 0)))


def _rims(stack: NDArray[np.uint8], d: int) -> NDArray[np.int16]:
    """The pixels that stand so many inside the sides of tiles."""
    high, wide = stack.shape[1] - d, stack.shape[2] - d
    sides = stack[:, d, d:wide], stack[:, high - 1, d:wide], stack[:, d:high, d], stack[:, d:high, wide - 1]
    return np.concatenate([side.reshape(-1, 3) for side in sides]).astype(np.int16)


def _one_colour(pixels: NDArray[np.int16]) -> bool:
    return float((np.abs(pixels - np.median(pixels, axis=0)).max(axis=1) <= OFF).mean()) >= ALONG
