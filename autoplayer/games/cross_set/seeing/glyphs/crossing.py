"""Finds numbers that are too broad for their cell of Cross Set: they overlap its walls and end in the gap or in the
next cell. A wall looks uniform along its side, so whatever differs from the rest of its line is drawn on it. Knows no
digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.glyphs.marks import rounds_corner
from autoplayer.vision import borders, pieces
from autoplayer.vision.pieces import Piece

OUTWARDS = 0.3
"""How far beyond a wall its lines are examined, as a share of the cell's shorter side: half a number is no broader."""

ENDS = 0.04
"""The share of a side at either end where the next side's wall is."""

STRAIGHT = 0.18
"""The share of a side at either end where corners are."""

UNLIKE = 30.0
"""The least difference in grey levels between a number and a wall for it to be seen on the wall; on a wall of a similar
colour a stroke is assumed to continue if it does on both sides."""

STRONGEST = 1.5
"""Pixels that a stroke covers wholly are up to so many times as far from the wall's colour as a number's colour is:
thin strokes cover few, and its colour is that of most."""

SLANT = 2
"""The most pixels by which a stroke moves sideways for each pixel in which it is not seen."""

SHORTEST = 8
"""Pixels: a shorter side does not show what its wall looks like."""

SEEN = 0.5
"""The least window pixels by which something extends beyond a wall: less is its soft edge."""

SMALLER, LARGER = 0.25, 2.0
"""Numbers of a cell are higher than the first share of the highest thing in it, and less than so many times as
large."""

UNEQUAL, BROKEN, APART = 0.15, 0.6, 1.5
"""By which share the heights of numbers in a line differ; the share that remains at least of a broken one; and how far
apart they are at most, as a multiple of the height."""

COMPARED, PLACES, FEW = 15, 7, 3
"""The look of walls is estimated from so many cells, and so many positions along each; fewer differing pixels are no
stroke."""

ENTERS = 0.2
"""The least share of something on a corner that lies within the cell, if it is more than the rounded corner."""

BROAD, MET = 1.0, 0.25
"""What is broader than the first share of its height is more than one number; those of two cells meet no farther from
the middle of the gap between them than the second share of it."""

MOST_INKS = 4
"""The most colours of numbers that are distinguished."""


Rooms = tuple[float, float, float, float]
"""For the left, the top, the right and the bottom of a cell: how far beyond that side something is its own, window
pixels."""


@dataclass(frozen=True)
class Beyond:
    """What lies on the walls of a cell. ``own``: what belongs to it, completely; ``foreign``: where parts of the next
    cell's content reach in, fine pixels. ``place``: the picture of the cell without its walls and the next cells; None
    if nothing lies on the walls."""

    own: tuple[Piece, ...] = ()
    foreign: tuple[Box, ...] = ()
    place: pieces.Place | None = None


def stand_upon_walls(image: Image, boxes: Mapping[Cell, Box], parts: Sequence[Piece], noise: float, scale: int) -> bool:
    """Whether anything lies on the walls of any of many cells, all of about one size, in which there are ``parts``."""
    half, cells = halves(boxes), list(boxes)
    height, width = image.shape[:2]
    wide, tall = min(b.width for b in boxes.values()), min(b.height for b in boxes.values())
    # The whole gap between two cells is examined at once, as the part before the second one.
    across, down = (max(int(2 * v), int(v) + 2) for v in half)
    left, top = np.array([(b.x, b.y) for b in boxes.values()]).T
    last = np.array([((r, c + 1) not in boxes, (r + 1, c) not in boxes) for r, c in cells]).T
    odd: set[Cell] = set()
    for x, y, w, h, own in (
        (left - across, top, across, tall, True), (left + wide, top, across, tall, last[0]),
        (left, top - down, wide, down, True), (left, top + tall, wide, down, last[1]),
    ):  # fmt: skip
        within = np.flatnonzero((x >= 0) & (y >= 0) & (x + w <= width) & (y + h <= height) & own)
        if not len(within):
            continue
        every = sliding_window_view(image, (h, w, 3))[y[within], x[within], 0]
        upright = h >= w
        # Of walls that look exactly alike, as most do, one is examined.
        looks: dict[bytes, int] = {}
        look = np.array([looks.setdefault(strip.tobytes(), len(looks)) for strip in every])
        strips = every[np.unique(look, return_index=True)[1]]
        # Walls are a pixel off here and there, and rounded at their ends: what lies on a wall differs from both.
        unlike = _unlike(strips, _middle(every[:: -(-len(every) // COMPARED)], 0))
        some = np.flatnonzero(_count(unlike) >= FEW)
        if len(some):
            line = 1 if upright else 2
            places = np.linspace(STRAIGHT, 1 - STRAIGHT, PLACES) * (max(h, w) - 1)
            along = _middle(np.take(strips[some], places.astype(int), axis=line), line)
            both = unlike[some] & _unlike(strips[some], np.expand_dims(along, line))
            for r, c in (cells[within[i]] for i in np.flatnonzero(np.isin(look, some[_count(both) >= FEW]))):
                odd |= {(r, c), (r, c - 1) if upright else (r - 1, c)}
    odd &= boxes.keys()
    inks = tones(parts) if odd else []
    return any(
        beyond(image, found, rooms(cell, boxes, half), inks, noise, pieces.STROKE, scale).own
        for cell in sorted(odd)
        for found in [pieces.find(image, boxes[cell], noise, scale=scale)]
    )


def _middle(values: NDArray[np.uint8], axis: int) -> NDArray[np.uint8]:
    """The median, for an even number of values the larger of the two central ones: no float is needed."""
    middle = values.shape[axis] // 2
    return np.asarray(np.take(np.partition(values, middle, axis=axis), middle, axis=axis))


def _unlike(strips: NDArray[np.uint8], usual: NDArray[np.uint8]) -> NDArray[np.bool_]:
    count, high, wide, _ = strips.shape
    apart = (np.maximum(strips, usual) - np.minimum(strips, usual)).reshape(count * high, wide, 3)
    blue, green, red = cv2.split(apart)
    return np.asarray(cv2.max(cv2.max(blue, green), red) > int(UNLIKE), np.bool_).reshape(count, high, wide)


def _count(strips: NDArray[np.bool_]) -> NDArray[np.intp]:
    """How many pixels of each strip, shape ``(n, h, w)``, are true."""
    return np.asarray(np.count_nonzero(strips, axis=(1, 2)))


def halves(boxes: Mapping[Cell, Box]) -> tuple[float, float]:
    """Half of the width of the gaps between cells, across and down, window pixels."""
    across = [boxes[r, c + 1].x - b.x - b.width for (r, c), b in boxes.items() if (r, c + 1) in boxes]
    down = [boxes[r + 1, c].y - b.y - b.height for (r, c), b in boxes.items() if (r + 1, c) in boxes]
    return (max(median(across), 0) / 2 if across else 0.0), (max(median(down), 0) / 2 if down else 0.0)


def rooms(cell: Cell, boxes: Mapping[Cell, Box], half: tuple[float, float]) -> Rooms:
    """The rooms of a cell: ``half`` of the gap to the next cell, and everything where there is none."""
    r, c = cell
    left, top, right, bottom = (
        gap if beside in boxes else np.inf
        for gap, beside in zip(half * 2, ((r, c - 1), (r - 1, c), (r, c + 1), (r + 1, c)), strict=True)
    )
    return left, top, right, bottom


def beyond(
    image: Image,
    place: pieces.Place,
    room: Rooms,
    inks: Sequence[Floats],
    noise: float,
    stroke: float,
    scale: int,
) -> Beyond:
    """What lies on the walls of a cell. ``place``: what was seen in it; ``room``: something whose middle is farther
    away belongs to the next cell. ``inks``: the colours of the board's numbers, because one may lie completely beyond
    the wall."""
    box, least = place.box, pieces.FAINTEST + 3 * noise
    laid = _laid(image, place, [*tones(place.pieces), *inks], least) if place.pieces else None
    if laid is None:
        return Beyond()
    patch, grown = laid
    found = pieces.find(patch, Box(0, 0, patch.shape[1], patch.shape[0]), noise, stroke, scale=scale)
    edges = np.array([box.x, box.y, -box.x - box.width, -box.y - box.height], float) * scale
    own_rooms = edges - np.array(room) * scale
    # What lies wholly outside of the board has to be as near as where a cell is next.
    gaps = edges - np.minimum(room, np.roll(room, 2)) * scale
    corners = np.array([(box.x, box.y), (box.x + box.width, box.y + box.height)]) * scale
    tall = max(p.box.height for p in place.pieces)
    lowest = BROKEN * median(p.box.height for p in place.pieces if p.box.height >= SMALLER * tall)
    own: list[Piece] = []
    every: list[Piece] = []
    foreign: list[Box] = []
    middles = [v - grown.x * scale for v in (own_rooms[0], -own_rooms[2]) if np.isfinite(v)]
    for p in (part for whole in found.pieces for part in _at_the_gaps(whole, middles, patch)):
        b = Box(p.box.x + grown.x * scale, p.box.y + grown.y * scale, p.box.width, p.box.height)
        # Left and top, right and bottom, the latter two as if counted from the other side.
        sides = np.array([b.x, b.y, -b.x - b.width, -b.y - b.height], float)
        middle = np.array([b.x + b.width / 2, b.y + b.height / 2])
        at = np.concatenate([middle, -middle])
        mine = bool((at >= own_rooms).all())
        if (-sides[[2, 3, 0, 1]] <= edges + SEEN * scale).any() and not (
            (at >= gaps).all() and continues_line(b, place.pieces, box, scale)
        ):
            continue  # beside the cell altogether
        out = bool((edges - sides > SEEN * scale).any())
        far = np.abs([middle - corner for corner in corners]).min(axis=0)
        at_corner = (far < STRAIGHT * scale * min(box.width, box.height)).all()
        # From the left to the right, and from the top to the bottom.
        within = np.minimum(-sides[2:], -edges[2:]) - np.maximum(sides[:2], edges[:2])
        if out and (
            b.height < lowest
            or max(b.width, b.height) > LARGER * tall
            or (at_corner and within.prod() < ENTERS * b.width * b.height)
            or rounds_corner(replace(p, box=b), box)
        ):
            continue  # noise, what is left of a round corner, or a veil
        if mine:
            every.append(replace(p, box=b))
            own += every[-1:] if out else []
        elif out:
            foreign.append(b)
    if not own and not foreign:
        return Beyond()
    return Beyond(tuple(own), tuple(foreign), replace(found, box=box, ground=place.ground, pieces=tuple(every)))


def _at_the_gaps(p: Piece, middles: Sequence[float], patch: Image) -> list[Piece]:
    """A piece that is broader than a number, cut where the number of one cell meets that of the next one: near the
    middle of the gap between them (``middles``, x), where least is drawn. ``patch``: the picture that it was found
    in."""
    high, left = p.box.height, p.box.x
    if p.box.width <= BROAD * high:
        return [p]
    profile = p.ink.sum(axis=0)
    for middle in middles:
        first, last = (max(int(middle - left + way * MET * high), 0) for way in (-1, 1))
        if not 0 < first < last < len(profile):
            continue
        cut = first + int(np.argmin(profile[first : last + 1]))
        return [_part(p, slice(0, cut), patch), *_at_the_gaps(_part(p, slice(cut, None), patch), middles, patch)]
    return [p]


def _part(p: Piece, columns: slice, patch: Image) -> Piece:
    """Some columns of a piece that was found in a picture, ``patch``, in the colour of their own pixels."""
    ink = p.ink[:, columns]
    rows = np.flatnonzero((ink > pieces.STROKE).any(axis=1))
    if not len(rows):
        return replace(p, box=replace(p.box, x=p.box.x + (columns.start or 0), width=ink.shape[1]), ink=ink)
    ink = np.ascontiguousarray(ink[rows[0] : rows[-1] + 1])
    box = Box(p.box.x + columns.start, p.box.y + int(rows[0]), ink.shape[1], ink.shape[0])
    ys, xs = np.nonzero(ink >= min(pieces.COVERED, float(ink.max())))
    colour = np.median(patch[(ys + box.y) // p.scale, (xs + box.x) // p.scale].astype(np.float32), axis=0)
    return replace(p, box=box, ink=ink, colour=np.asarray(colour, np.float32))


def reaches_in(own: Box, foreign: Sequence[Box]) -> bool:
    """Whether what is seen in a cell is part of something that reaches in from the next cell."""
    x, y = own.x + own.width / 2, own.y + own.height / 2
    return any(box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height for box in foreign)


def continues_line(own: Box, parts: Sequence[Piece], box: Box, scale: int) -> bool:
    """Whether something beside a cell, or on its walls, continues a line of its content: it is about as high as the
    nearest number. What begins or ends with the wall is a part of the wall that something translucent covers."""
    if _ends_above_or_below(own, box, scale):
        return False

    def apart(p: Piece) -> int:
        return max(own.x - p.right, p.box.x - own.x - own.width)

    level = [p for p in parts if min(own.y + own.height, p.bottom) - max(own.y, p.box.y) > 0.5 * own.height]
    near = min(level, key=apart, default=None)
    if near is None or apart(near) > APART * near.box.height:
        return False
    return BROKEN * near.box.height <= own.height <= (1 + UNEQUAL) * near.box.height + near.scale


def _ends_above_or_below(own: Box, box: Box, scale: int) -> bool:
    """Whether something at the side of a cell reaches as high or as low as the cell does."""
    ends = (ENDS * box.height + 1) * scale
    return own.y <= box.y * scale + ends or own.y + own.height >= (box.y + box.height) * scale - ends


def ends_with_wall(own: Box, box: Box, scale: int) -> bool:
    """Whether something on the walls of a cell reaches into one of its corners."""
    turned = Box(own.y, own.x, own.height, own.width), Box(box.y, box.x, box.height, box.width)
    return _ends_above_or_below(own, box, scale) and _ends_above_or_below(*turned, scale)


def tones(parts: Iterable[Piece]) -> list[Floats]:
    """The colours of some pieces, those of the largest first, without repetitions."""
    found: list[Floats] = []
    left = sorted(parts, key=lambda p: -p.extent)
    colours = np.array([p.colour for p in left], np.float32).reshape(-1, 3)
    while len(colours) and len(found) < MOST_INKS:
        found.append(colours[0])
        colours = colours[np.abs(colours - colours[0]).max(axis=1) > 2 * pieces.FAINTEST]
    return found


def _laid(image: Image, place: pieces.Place, inks: Sequence[Floats], least: float) -> tuple[Image, Box] | None:
    """A cell and its surroundings on the cell's own ground: its walls, and what is beyond them, are erased except for
    what is drawn on them; and the mask of that. None if nothing is drawn there, or if the picture ends within the
    cell."""
    box, ground = place.box, place.ground
    inks = [ink for ink in inks if float(np.abs(ink - ground).max()) > least]
    bare = np.ones(box.height, np.bool_), np.ones(box.width, np.bool_)
    for own in (p.place for p in place.pieces):
        bare[0][max(own.y - box.y, 0) : max(own.y - box.y + own.height, 0)] = False
        bare[1][max(own.x - box.x, 0) : max(own.x - box.x + own.width, 0)] = False
    most = max(round(OUTWARDS * min(box.width, box.height)), 2)
    height, width = image.shape[:2]
    away = (width - box.x - box.width, height - box.y - box.height, box.x, box.y)
    if min(away) < 0:
        return None
    right, below, left, above = margins = [min(side, most) for side in away]
    grown = Box(box.x - left, box.y - above, box.width + left + right, box.height + above + below)
    raw = grown.crop(image).astype(np.float32)
    patch: Floats = np.empty_like(raw)
    patch[:] = ground
    inside = slice(above, above + box.height), slice(left, left + box.width)
    patch[inside] = _without_corners(raw[inside], ground, least)
    inner = round(borders.THIN * min(box.width, box.height)) + 2
    drawn = False
    for turn, out in enumerate(margins):
        # Each side in turn is the right one: its lines are columns.
        lines, target = np.rot90(raw, turn), np.rot90(patch, turn)
        first, last = margins[turn - 1], lines.shape[0] - margins[(turn + 1) % 4]
        ends = max(round(ENDS * (last - first)), 1)
        first, last = first + ends, last - ends
        if out < 2 or not inks or last - first < SHORTEST:
            continue
        strip = slice(first, last), slice(lines.shape[1] - out - inner, None)
        beside = bare[turn % 2][:: 1 if turn in (0, 3) else -1][ends : len(bare[turn % 2]) - ends]
        share, colour, walls = _upon(lines[strip], beside, ground, inks)
        drawn |= bool((share[:, inner:] > pieces.STROKE).any())
        laid = np.abs(walls - ground).max(axis=1) > least
        laid[inner:] = True
        target[strip][:, laid] = (ground + share[..., None] * (colour - ground))[:, laid]
    return (np.clip(patch, 0, 255).round().astype(np.uint8), grown) if drawn else None


def _upon(
    lines: Floats, bare: NDArray[np.bool_], ground: Floats, inks: Sequence[Floats]
) -> tuple[Floats, Floats, Floats]:
    """How much of each pixel is drawn over the lines along a wall, shape ``(h, n)``, in which colour, shape ``(h, n,
    3)``, and the lines' own colours, shape ``(n, 3)``. ``lines``: shape ``(h, n, 3)``, the first one within the wall;
    ``bare``: where nothing stands beside them that a stroke along the wall could belong to."""
    ends = int(STRAIGHT * len(lines))
    plain = bare.copy()
    plain[:ends] = plain[len(plain) - ends :] = False
    if np.count_nonzero(plain) < SHORTEST:
        plain[ends : len(plain) - ends] = True
    walls = np.median(lines[plain], axis=0)
    walls[0] = ground
    away = lines - walls
    share: Floats = np.zeros(lines.shape[:2], np.float32)
    colour = np.broadcast_to(ground, lines.shape).copy()
    best = np.full(lines.shape[:2], np.inf)
    for ink in inks:
        way = ink - walls
        unlike = np.abs(way).max(axis=1) >= UNLIKE
        part = np.clip(_summed(away * way) / np.maximum(_summed(way * way), 1.0), 0, STRONGEST)
        rest = np.where(unlike, largest_channel(np.abs(away - part[..., None] * way)), np.inf)
        nearer = rest < best
        best[nearer], colour[nearer] = rest[nearer], ink
        share[nearer] = np.where(rest <= UNLIKE, np.minimum(part, 1), 0)[nearer]
    known = np.flatnonzero(np.isfinite(best[0]))
    for at in np.flatnonzero(~np.isfinite(best[0])).tolist():
        before, after = known[known < at], known[known > at]
        if not len(before) or not len(after):
            continue
        reach = np.ones(2 * SLANT * int(after[0] - before[-1]) + 1, np.uint8)
        share[:, at] = np.minimum(share[:, before[-1]], cv2.dilate(share[:, after[0]], reach)[:, 0])
        colour[:, at] = colour[:, before[-1]]
    return share, colour, walls


def _summed(channels: Floats) -> Floats:
    """The sum over three channels, the last axis: many times faster than NumPy adds along so short an axis."""
    return np.asarray(channels[..., 0] + channels[..., 1] + channels[..., 2], channels.dtype)


def _without_corners(inside: Floats, ground: Floats, least: float) -> Floats:
    """The inside of a cell without the remnants of its rounded walls in the corners."""
    result = inside.copy()
    h, w = inside.shape[:2]
    differs = np.asarray(largest_channel(np.abs(inside - ground)) > least, np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(differs, connectivity=8)
    for k in range(1, count):
        x, y, cw, ch = (int(v) for v in stats[k, :4])
        if (x == 0 or x + cw == w) and (y == 0 or y + ch == h) and max(cw / w, ch / h) < borders.SHORT[1]:
            own = labels[y : y + ch, x : x + cw] == k
            if borders.off_corner(own, x == 0, y == 0, w, h) <= borders.MARKED:
                result[cv2.dilate(np.asarray(labels == k, np.uint8), np.ones((3, 3), np.uint8)) > 0] = ground
    return result
