"""Finds parts of a picture in which a board may stand on a ground of its own: a panel, or the inside of a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.games.continuity.seeing.walls.borders import Borders
from autoplayer.games.continuity.seeing.walls.lineart import on_paper

LEAST = 0.12
"""The least share of the picture that such a part takes."""
OFF = 14
"""Grey levels within which the pixels of its rim have one colour."""
FRAME = 0.06
"""The greatest thickness of a line around a tile, or around a board with the ground inside it, as a share of the
shorter side."""
SOFT = 2
"""Pixels of the soft edge of such a line."""
THROUGH = 0.97
"""The least share of a line across the picture that lies on edges, if a bar ends there."""
BAR, LEAST_BAR = 0.22, 8
"""The share of a picture's length that a bar takes at most, and pixels at least."""
ALONG = 0.97
"""The least share of each side of its rim that has that colour."""
BEYOND, THICK_MAT = 6, 2
"""Pixels outside of a place in which its mat may begin, and the least thickness of a mat."""
SHADOW, OUTSIDE = 0.12, 2
"""The greatest thickness of a soft shadow round a panel or a tile, as a share of the shorter side; and how many lines
of pixels outside of it are compared."""
STEP, ABRUPT = 12.0, 0.7
"""The grey levels of an abrupt step from one line of pixels to the next, of which a shadow changes by more than half in
all; and the least share of a side along which a shadow ends in one."""
HALFWAY = 0.6
"""The most of its whole change that a shadow has changed at half of its thickness: a pale wall changes most at its
outer side, even if it is shaded. The shadows of two tiles that meet in a gap have changed by somewhat more than half
there."""
CORNER, LINE = 0.06, 4
"""The size of a rounded corner, as a share of the shorter side, and the thickness of the line around a panel,
pixels."""


def without_bars(borders: Borders, width: int, height: int) -> Iterator[Box]:
    """The picture without the bars along its sides (a menu, a title, a score, a column of buttons), which end in an
    edge from one side of the picture to the other; there may be two of them."""
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
    """The part of the picture in which a board may stand if something large stands in ``box``: all of it if its rim is
    broad and of one colour, the inside if the rim is a line around ground or a panel; otherwise None."""
    height, width = image.shape[:2]
    if box.width * box.height < LEAST * width * height or (box.width, box.height) == (width, height):
        return None
    (box,) = without_shadows(image, [box])
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


def without_shadows(image: Image, boxes: Sequence[Box], blank: int | None = None) -> tuple[Box, ...]:
    """A panel, or the places of tiles, without the soft shadow that all of them have on a side and that was cut out
    with them. ``blank``: the index of the empty place, which has none."""
    found = np.array([_shadows(image, box) for place, box in enumerate(boxes) if place != blank])
    left, top, right, bottom = found.min(axis=0).tolist()
    return tuple(Box(box.x + left, box.y + top, box.width - left - right, box.height - top - bottom) for box in boxes)


def _shadows(image: Image, box: Box) -> tuple[int, int, int, int]:
    """The thickness of the soft shadow at the left, upper, right and lower side of one of them, pixels."""
    most = round(SHADOW * min(box.width, box.height))
    x0, y0, x1, y1 = box.x, box.y, box.x + box.width, box.y + box.height
    in_x, in_y = (max(round(CORNER * n), 1) for n in (box.width, box.height))
    turned = image.transpose(1, 0, 2)
    across, down = turned[:, y0 + in_y : y1 - in_y], image[:, x0 + in_x : x1 - in_x]
    return (
        _shadow(across[max(x0 - OUTSIDE, 0) : x0 + most]),
        _shadow(down[max(y0 - OUTSIDE, 0) : y0 + most]),
        _shadow(across[x1 - most : x1 + OUTSIDE][::-1]),
        _shadow(down[y1 - most : y1 + OUTSIDE][::-1]),
    )


def _shadow(lines: NDArray[np.uint8]) -> int:
    """The thickness of a soft shadow in lines of pixels from the ground into a panel or a tile, of which the first
    ``OUTSIDE`` lie outside of it: its colour changes slowly from that of the ground up to an abrupt step."""
    steps = largest_channel(np.abs(np.diff(lines.astype(np.int16), axis=0)))
    abrupt = np.flatnonzero((steps > STEP).mean(axis=1) >= ABRUPT)
    last = int(abrupt[0]) if len(abrupt) else 0
    if last < OUTSIDE:
        return 0
    ground, halfway, end = np.median(lines[[0, (OUTSIDE + last) // 2, last]].astype(np.int16), axis=1)
    change, before = np.abs(end - ground).max(), np.abs(halfway - ground).max()
    return last + 1 - OUTSIDE if change > STEP / 2 and before <= HALFWAY * change else 0


def without_frame(image: Image, box: Box) -> Image | None:
    """The picture without a line round a whole board that was found in ``box`` with it: the line, and all beyond it,
    has the colour of the innermost ring of pixels of one colour. None if there is no such line, or it has the colour
    of what is beyond. Touching tiles have no such ring, because the empty place and the openings lie at the board's
    sides."""
    rings = range(round(FRAME * min(box.width, box.height)))
    whole = [_one_ring(image, _wider(box, -thick)) for thick in rings]
    first = next((n for n in rings[: SOFT + 1] if whole[n]), None)  # a line may have a soft edge
    if first is None or np.abs(_around(image, _wider(box, -first)) - _around(image, _wider(box, BEYOND))).max() <= OFF:
        return None
    last = first + whole[first:].index(False) - 1 if not all(whole[first:]) else rings[-1]
    inner = _wider(box, -last - 1)
    found = np.empty_like(image)
    found[:] = _around(image, _wider(box, -last))
    inner.crop(found)[:] = inner.crop(image)
    return found


def _one_ring(image: Image, box: Box) -> bool:
    """Whether the pixels along the sides of a box have one colour."""
    part = box.crop(image)
    sides = [
        np.abs(side.astype(np.int16) - np.median(side, axis=0)) for side in (part[0], part[-1], part[:, 0], part[:, -1])
    ]
    return all(float((side.max(axis=1) <= OFF).mean()) >= ALONG for side in sides)


def _wider(box: Box, by: int) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def _around(image: Image, box: Box) -> Floats:
    """The median colour along the rim of a box, as far as it is in the picture."""
    x0, y0 = max(box.x, 0), max(box.y, 0)
    part = image[y0 : box.y + box.height, x0 : box.x + box.width]
    found: Floats = np.median(np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]]), axis=0)
    return found


def _rim(part: Image) -> int:
    """The thickness, in pixels, of the rim of one colour around a part; 0 if there is none. Its corners are ignored,
    because they may be rounded."""
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
    """Tiles without the line around each of them: their inside is extended to the sides. A room cannot have such a line
    of its own: a level has openings, so air would reach the side."""
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
    """The thickness, in pixels, of a line or a mat around each tile; 0 if there is none."""
    stack = np.stack(pictures)
    thick = 0 if _one_colour(_rims(stack, 0)) else 1  # the outermost pixels may be soft
    while thick < FRAME * min(stack.shape[1:3]) and _one_colour(_rims(stack, thick)):
        if on_paper(stack, np.median(_rims(stack, thick), axis=0)):
            break  # walls and air are outlined, and both have this colour
        thick += 1
    return thick if thick > 1 else int(_one_colour(_rims(stack, 0)))


def rooms_on_mats(image: Image, boxes: Sequence[Box], columns: int, blank: int) -> tuple[Box, ...] | None:
    """The rooms in places of which each tile's has a mat of one colour all round it; None where one side of any has
    none. Beside a wall the edge of the mat is so much stronger than that between mat and ground that a place may have
    been found without its mat there: the mat may begin ``BEYOND`` pixels outside of a place. ``boxes``: the places row
    by row, window pixels, with the empty one (``blank``); ``columns``: how many are in a row."""
    colour = np.median(
        np.concatenate([_wide_rim(box.crop(image)) for n, box in enumerate(boxes) if n != blank]), axis=0
    )
    axes = []
    for turned, count in ((True, columns), (False, len(boxes) // columns)):
        ends = []
        for at in range(count):
            lines = range(at, len(boxes), columns) if turned else range(at * columns, (at + 1) * columns)
            tiles = [boxes[n] for n in lines if n != blank]
            first, last = (_mat_end(image, tiles, colour, turned=turned, far=far) for far in (False, True))
            if first is None or last is None:
                return None
            ends.append((first, last))
        length = min(last - first for first, last in ends)
        if max(last - first for first, last in ends) > length + 1:
            return None
        axes.append([(first, length) for first, _ in ends])
    return tuple(Box(x, y, wide, high) for y, high in axes[1] for x, wide in axes[0])


def _wide_rim(part: Image) -> NDArray[np.uint8]:
    """The pixels along the sides of a place."""
    d = THICK_MAT
    sides = part[:d], part[-d:], part[:, :d], part[:, -d:]
    return np.concatenate([side.reshape(-1, 3) for side in sides])


def _mat_end(image: Image, tiles: Sequence[Box], colour: Floats, *, turned: bool, far: bool) -> int | None:
    """Where the room begins behind the mat at one side of places that lie in a row, window pixels; None where one of
    them has no mat. ``turned``: that lie in a column; ``far``: where it ends, at the other side."""
    if turned:
        image, tiles = image.transpose(1, 0, 2), [Box(box.y, box.x, box.height, box.width) for box in tiles]
    box = tiles[0]
    most = max(round(FRAME * min(box.width, box.height)), THICK_MAT)
    way, first = (-1, box.y + box.height - 1 + BEYOND) if far else (1, box.y - BEYOND)
    thick = 0
    for n in range(2 * BEYOND + most):
        at = first + way * n
        lines = (
            [image[at, each.x + most : each.x + each.width - most] for each in tiles] if 0 <= at < len(image) else []
        )
        if lines and all((np.abs(line - colour).max(axis=1) <= OFF).mean() >= ALONG for line in lines):
            thick += 1
        elif thick >= THICK_MAT:
            return at + 1 if far else at
        elif n >= BEYOND + THICK_MAT:
            return None
        else:
            thick = 0
    return None


def _rims(stack: NDArray[np.uint8], d: int) -> NDArray[np.int16]:
    """The pixels that stand so many inside the sides of tiles."""
    high, wide = stack.shape[1] - d, stack.shape[2] - d
    sides = stack[:, d, d:wide], stack[:, high - 1, d:wide], stack[:, d:high, d], stack[:, d:high, wide - 1]
    return np.concatenate([side.reshape(-1, 3) for side in sides]).astype(np.int16)


def _one_colour(pixels: NDArray[np.int16]) -> bool:
    return float((np.abs(pixels - np.median(pixels, axis=0)).max(axis=1) <= OFF).mean()) >= ALONG
