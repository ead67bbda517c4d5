"""Finds small things in the air, and which of them are spikes. A colour that occurs in many places of the air belongs
to the air; what has other colours is a thing. The roles of things are assigned in ``kinds.py``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Image, largest_channel
from autoplayer.games.continuity.seeing.sight import Bools, Thing
from autoplayer.games.continuity.seeing.things.details import detailed
from autoplayer.games.continuity.seeing.things.kinds import roles_of
from autoplayer.games.continuity.seeing.things.pieces import Piece
from autoplayer.games.continuity.seeing.things.standing import standing

BLOCKS = 14
"""The number of blocks along the shorter side of a tile, in which the spread of a colour is measured."""
SPREAD, SPREAD_HERE = 0.06, 0.15
"""The least share of blocks of air, in all tiles or in one, in which a colour of the air occurs."""
ALIKE_COLOUR = 14
"""Grey levels within which adjacent colours are taken for one."""
LEAST, MOST = 0.025, 0.45
"""The height or width of a thing, as shares of the tile's height. What is narrower and long may be a part of one."""
NEAR, JOINED = 0.02, 0.01
"""The greatest distance of a thing from the ground that it stands on, and between pieces of one thing, as shares of the
tile's height."""
NECK = 0.3
"""The greatest distance between a figure's head and body, as a share of the body's height."""
HAND, APART = 0.1, 0.1
"""The greatest size of a hand, as a share of the body's box, and its distance, as a share of the body's height."""
POST = 0.25
"""The greatest width of the post of a door that stands right beside the rest of it, as a share of the door's width."""
HOVERS = 0.12
"""A thing within this share of its own height above the ground stands on it: a key may hover close above it."""
STRIP, LONG = 0.04, 4
"""The greatest width of a strip along a tile's side, as a share of the tile's height, and its least ratio of length to
width."""
LINE = 2
"""The greatest width of the line of an outline along a tile's side, pixels."""
STUB = 0.06
"""The greatest length of the remnant of a line at a tile's side, as a share of the tile's height."""
FAINT, FAINT_ALL = 8, 32
"""The least difference between a thing and the air in grey levels: on average, or for nearly all of its pixels. Less is
a remnant of a wall's edge in a compressed picture."""
PLAIN = 60
"""The difference between a thing and the air, in grey levels, from which on it is no shade of a wall beside it."""
SOFT = 2
"""Pixels beside walls in which their edges may be spread."""
CORNER, SAME_SPOT = 0.25, 0.012
"""The area of a corner in which a tile's number stands, as a share of the tile's height from each side, and the
tolerance of its position."""
STRONGEST, ON_WALLS, SAME_INK = 0.15, 0.1, 60
"""The share of such a mark that shows the colour of its ink; the least share of it that is seen if it stands on walls;
and the grey levels within which a colour counts as its ink."""
ROOMS = 3
"""The least number of rooms with the same picture behind them in which a part of it is recognised."""
FAINTER, FEWEST = 0.3, 3
"""The least contrast of a thing, relative to the median of the three strongest ones: with less it is part of the
background."""
MOST_THINGS = 12
STREAK, SHORT = 3.5, 0.12
"""The greatest ratio of width to height of a thing that hangs in the air; a key that lies flat has a larger one, but is
no longer than this share of the tile's height and stands out from the air."""
SCRAP = 0.2
"""The greatest share of its breadth that is filled below the foot of a row of teeth."""
EQUAL = 0.2
"""The greatest difference between the heights of two teeth, as a share of the height."""
SECOND = 0.4
"""The greatest probability that a second figure is the one that is played, once another one is."""


def read_things(pictures: Sequence[Image], solid: Bools) -> tuple[tuple[Thing, ...], Bools, tuple[str, ...]]:
    """The things in tiles with these walls; the spikes, a mask of ``solid``'s shape; the doubts."""
    pieces, spikes = _found(pictures, solid)
    things, doubts = roles_of(pieces)
    return things, spikes, doubts


def given_out(pictures: Sequence[Image], solid: Bools, things: Sequence[Thing], figure: int) -> tuple[Thing, ...]:
    """The same things, with the roles assigned anew, given that one (``figure``, its index) is known to be the figure.
    One that looks like a second figure has a probability of at most ``SECOND`` for it. ``things`` are those that
    ``read_things`` found there."""
    pieces, _ = _found(pictures, solid)
    places = [(piece.tile, piece.x, piece.y) for piece in pieces]
    if places != [(thing.tile, thing.x, thing.y) for thing in things]:
        raise ValueError(f"the {len(things)} things are not those of these pictures, in which {len(pieces)} are seen")
    found, _ = roles_of(pieces, figure)
    return tuple(
        each._replace(sure=1.0 if n == figure else min(each.sure, SECOND)) if each.kind == "figure" else each
        for n, each in enumerate(found)
    )


def _found(pictures: Sequence[Image], solid: Bools) -> tuple[list[Piece], Bools]:
    """The pieces that are things, tile by tile, and the spikes."""
    odd = odd_pixels(np.stack(pictures), solid)
    found = [piece for tile in range(len(pictures)) for piece in _pieces(tile, pictures[tile], odd[tile], solid[tile])]
    spikes = np.zeros(solid.shape, np.bool_)
    rest: list[Piece] = []
    for piece in _rows(_whole(found)):
        if _is_spikes(piece, solid[piece.tile]):
            spikes[piece.tile, piece.y : piece.y + piece.height, piece.x : piece.x + piece.width] |= piece.mask
        else:
            rest.append(piece)
    rest = _without_pattern(_without_marks(rest, pictures, solid), solid)
    rest = _without_scenery(rest, pictures, solid)
    largest = sorted(rest, key=lambda piece: -piece.area)[:MOST_THINGS]
    looked = [replace(piece, details=detailed(piece.box.crop(pictures[piece.tile]), piece.mask)) for piece in largest]
    return sorted(looked, key=lambda piece: (piece.tile, piece.y, piece.x)), spikes


def odd_pixels(stack: NDArray[np.uint8], solid: Bools) -> Bools:
    """The pixels of the air with a colour that is not one of the air's."""
    tiles, height, width = solid.shape
    codes = (
        (stack[..., 0].astype(np.int32) >> 3 << 10) + (stack[..., 1].astype(np.int32) >> 3 << 5) + (stack[..., 2] >> 3)
    )
    air = ~solid
    step = max(min(height, width) // BLOCKS, 4)
    across = -(-width // step)
    block = (np.arange(height)[:, None] // step) * across + np.arange(width) // step
    blocks = int(block.max()) + 1
    odd = np.zeros(solid.shape, np.bool_)
    shown = np.zeros((tiles, 32**3), np.int32)
    filled = np.zeros(tiles)
    for tile in range(tiles):
        # What stands right beside walls is a line round them, or their soft edge.
        inside = cv2.erode(air[tile].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        filled[tile] = len(np.unique(block[inside]))
        pairs = np.unique(codes[tile][inside].astype(np.int64) * blocks + block[inside])
        shown[tile] = np.bincount(pairs // blocks, minlength=32**3)
    for tile in range(tiles):
        if not filled[tile]:
            continue
        everywhere = shown.sum(axis=0) >= SPREAD * filled.sum()
        here = shown[tile] >= max(SPREAD_HERE * filled[tile], 2)
        known = np.flatnonzero(everywhere | here)
        colours = np.stack([known >> 10, known >> 5 & 31, known & 31], axis=1) * 8.0 + 4
        values = np.flatnonzero(np.bincount(codes[tile].ravel(), minlength=32**3))
        places = np.stack([values >> 10, values >> 5 & 31, values & 31], axis=1) * 8.0 + 4
        away = np.full(32**3, 255.0)
        if len(known):
            away[values] = largest_channel(np.abs(places[:, None] - colours[None])).min(axis=1)
        odd[tile] = air[tile] & (away > ALIKE_COLOUR)[codes[tile]]
    return odd


def _pieces(tile: int, picture: Image, odd: Bools, solid: Bools) -> Iterator[Piece]:
    height = odd.shape[0]
    near, join = max(round(NEAR * height), 2), max(round(JOINED * height), 1) + 1
    free = (~solid).astype(np.uint8)
    far = cv2.distanceTransform(free, cv2.DIST_L2, 3)
    beside = cv2.distanceTransform(free, cv2.DIST_C, 3)  # the corner of a line round walls is no farther than the line
    # The soft edges of walls are of strange colours too, and lead from one thing to the next.
    core = (odd & (far > SOFT)).astype(np.uint8)
    core[_lines_beside(core, far <= near + 1, SHORT * height)] = 0
    count, labels = cv2.connectedComponents(cv2.dilate(core, np.ones((join, join), np.uint8)), connectivity=8)
    grown = np.ones((2 * SOFT + 1, 2 * SOFT + 1), np.uint8)
    usual = np.median(picture[~solid], axis=0) if count > 1 else np.zeros(3)
    for number in range(1, count):
        part = core & (labels == number)
        part = odd & ((part > 0) | ((far <= SOFT) & (cv2.dilate(part, grown) > 0)))
        part = standing(_without_side_lines(part), picture, solid)
        ys, xs = np.nonzero(part)
        x0, y0, x1, y1 = xs.min(), ys.min(), xs.max() + 1, ys.max() + 1
        longest = max(x1 - x0, y1 - y0)
        if longest < LEAST * height or (longest > MOST * height and y1 - y0 > 0.2 * height):
            continue
        at_side = x0 <= near or y0 <= near or x1 >= odd.shape[1] - near or y1 >= height - near
        thin = min(x1 - x0, y1 - y0)
        strip = (thin <= STRIP * height and longest >= LONG * thin) or longest <= STUB * height
        off = picture[(core > 0) & (labels == number)] - usual
        out = float(np.abs(off.mean(axis=0)).max())
        ends_there = out > PLAIN and far[part].max() > 2 * near and _ends_at_side(x0, y0, x1, y1, odd.shape, near)
        if at_side and (thin <= near + 1 or strip) and not ends_there:
            continue  # a line along the side of the tile, its end, or a shade that is seen in openings only
        if beside[part].max() <= (near if out > PLAIN else near + 1) or len(xs) < max(0.0002 * odd.size, 6):
            continue
        if out < FAINT and np.quantile(np.abs(off).max(axis=1), 0.9) < FAINT_ALL:
            continue
        feet = solid[y1 : y1 + min(near, max(round(HOVERS * (y1 - y0)), 1)) + 1, x0:x1]
        grounded = bool(feet.any(axis=0).mean() > 0.3)
        flat = x1 - x0 <= SHORT * height and out > PLAIN
        if not grounded and x1 - x0 > STREAK * (y1 - y0) and not flat:
            continue  # a cloud, the ridge of a hill
        sliver = thin < LEAST * height and longest >= LONG * thin
        yield Piece(tile, int(x0), int(y0), part[y0:y1, x0:x1], picture[part].mean(axis=0), grounded, faint=sliver)


def _lines_beside(core: NDArray[np.uint8], close: Bools, least: float) -> Bools:
    """The lines of at most ``LINE`` pixels among the pixels ``close`` to walls, from ``least`` pixels in length on:
    they are outlines of walls, on which things may stand. A key that lies there is shorter."""
    kernel = np.ones((LINE + 1, LINE + 1), np.uint8)
    thin = (core > 0) & close & (cv2.morphologyEx(core, cv2.MORPH_OPEN, kernel) == 0)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(thin.astype(np.uint8), connectivity=8)
    long = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) >= least
    long[0] = False
    found: Bools = long[parts]
    return found


def _without_side_lines(part: Bools) -> Bools:
    """A piece without the line along a tile's side that connects with it, as where the outline of a tile crosses an
    opening in which a figure stands: rows that show nothing but that line; the same for columns. What consists of
    such lines is returned as it is."""
    found = part
    for turned in (False, True):
        for far in (False, True):
            lines = part.T if turned else part
            lines = lines[:, ::-1] if far else lines
            at_side: Bools = np.asarray(lines[:, :LINE].any(axis=1))
            inside: Bools = np.asarray(lines[:, LINE:].any(axis=1))
            thin = at_side & ~inside
            if (at_side & inside).any() and thin.sum() > LINE:
                found = found & (~thin[None] if turned else ~thin[:, None])
    return found if found.any() else part


def _ends_at_side(x0: int, y0: int, x1: int, y1: int, shape: tuple[int, ...], near: int) -> bool:
    """Whether a box touches one side of a tile as a key there does, and no remnant of a line: with the end of its
    length, or it is broad both ways; the tile's ``shape`` is ``(height, width)``."""
    across, down = x0 <= near or x1 >= shape[1] - near, y0 <= near or y1 >= shape[0] - near
    length, thick = (x1 - x0, y1 - y0) if across else (y1 - y0, x1 - x0)
    return across != down and (length > max(STUB * shape[0], 2 * thick) or min(length, thick) > 2 * near)


def _whole(pieces: Sequence[Piece]) -> list[Piece]:
    """Joins pieces of which one stands close above another, or is a scrap beside it: a head and the body below its
    neck, a hand."""
    found: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: (each.tile, -each.y)):
        at = next(
            (n for n, other in enumerate(found) if _above(piece, other) or _hand(piece, other) or _hand(other, piece)),
            None,
        )
        if at is None:
            found.append(piece)
            continue
        low = found[at]
        left, right = min(piece.x, low.x), max(piece.x + piece.width, low.x + low.width)
        top, bottom = min(piece.y, low.y), max(piece.y + piece.height, low.y + low.height)
        mask = np.zeros((bottom - top, right - left), np.bool_)
        for each in (piece, low):
            mask[each.y - top :, each.x - left :][: each.height, : each.width] |= each.mask
        areas = [each.mask.sum() for each in (piece, low)]
        colour = np.average([piece.colour, low.colour], axis=0, weights=areas)
        found[at] = Piece(piece.tile, left, top, mask, colour, low.grounded or piece.grounded)
    return found


def _above(piece: Piece, low: Piece) -> bool:
    """Whether ``piece`` stands close above the middle of ``low``, and is no broader."""
    gap = low.y - piece.y - piece.height
    middle = piece.x + piece.width / 2
    return (
        piece.tile == low.tile
        and not piece.grounded
        and 0 <= gap <= max(NECK * low.height, 2)
        and low.x < middle < low.x + low.width
        and piece.width <= low.width
    )


def _hand(piece: Piece, body: Piece) -> bool:
    """Whether ``piece`` is far smaller than ``body`` and right beside it, within its height; or right beside it in its
    colour, like the post of a door of which a wall's edge covers a corner."""
    gap = max(piece.x - body.x - body.width, body.x - piece.x - piece.width)
    post = piece.grounded and gap <= 1 and piece.width <= POST * body.width and 2 * piece.height >= body.height
    return (
        piece.tile == body.tile
        and (not piece.grounded or float(np.abs(piece.colour - body.colour).max()) <= ALIKE_COLOUR)
        and body.y <= piece.y
        and piece.y + piece.height < body.y + body.height + piece.grounded
        and gap <= APART * body.height
        and (post or piece.area < HAND * body.area)
    )


def _rows(pieces: Sequence[Piece]) -> list[Piece]:
    """Joins similar pieces that stand close side by side: a row of teeth."""
    found: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: (each.tile, each.x)):
        at = next((n for n, other in enumerate(found) if _beside(other, piece)), None)
        if at is None:
            found.append(piece)
            continue
        last = found[at]
        width = max(piece.x + piece.width - last.x, last.width)
        top, bottom = min(last.y, piece.y), max(last.y + last.height, piece.y + piece.height)
        mask = np.zeros((bottom - top, width), np.bool_)
        for each in (last, piece):
            part = mask[each.y - top : each.y - top + each.height, each.x - last.x : each.x - last.x + each.width]
            part |= each.mask
        found[at] = Piece(piece.tile, last.x, top, mask, last.colour, True)
    return found


def _beside(one: Piece, other: Piece) -> bool:
    """Whether ``other`` stands close to the right of ``one`` on the same ground, and is like it."""
    return (
        one.tile == other.tile
        and one.grounded
        and other.grounded
        and abs(one.y + one.height - other.y - other.height) <= 2
        and abs(one.height - other.height) <= max(2, 0.2 * one.height)
        and -2 <= other.x - one.x - one.width <= 0.5 * min(one.width, other.width) + 2
        and float(np.abs(one.colour - other.colour).max()) < 40
    )


def _without_marks(pieces: Sequence[Piece], pictures: Sequence[Image], solid: Bools) -> list[Piece]:
    """Pieces without the numbers of tiles: marks in the same corner, at the same position, of all tiles in which there
    is air, and of at least two; on walls something of the same colour counts as well."""
    _, height, width = solid.shape
    marks: set[int] = set()
    for piece in pieces:
        rows, columns = slice(piece.y, piece.y + piece.height), slice(piece.x, piece.x + piece.width)
        for corner in _corners_of(piece, height, width):
            same = {n for n, each in enumerate(pieces) if _same_spot(piece, each, corner, height, width)}
            marked = {pieces[n].tile for n in same}
            walled = np.flatnonzero(solid[:, rows, columns].mean(axis=(1, 2)) >= 0.5).tolist()
            inked = {t for t in walled if _inked(pictures[t][rows, columns], pictures[piece.tile], solid, piece)}
            if len(marked | inked) >= 2 and marked.union(walled).issuperset(range(len(pictures))):
                marks |= same
    return [piece for n, piece in enumerate(pieces) if n not in marks]


def _without_pattern(pieces: Sequence[Piece], solid: Bools) -> list[Piece]:
    """Pieces without what has the same look at the same place of all rooms with air there, and of at least ``ROOMS``,
    as where all have one picture behind them. Pieces as large as the other things are kept and marked as faint: there
    may be a key in each room."""
    least = min((each.area for each in pieces if len(_everywhere(each, pieces, solid)) < ROOMS), default=0)
    found = []
    for piece in pieces:
        repeated = len(_everywhere(piece, pieces, solid)) >= ROOMS
        if not repeated or 2 * piece.area > least:
            found.append(replace(piece, faint=piece.faint or repeated))
    return found


def _everywhere(piece: Piece, pieces: Sequence[Piece], solid: Bools) -> set[int]:
    """The tiles that show the same piece at the same place; none if another one has air there and does not."""
    same = {
        each.tile for each in pieces
        if max(abs(a - b) for a, b in zip(_corners(each), _corners(piece), strict=True)) <= 1
        and float(np.abs(each.colour - piece.colour).max()) <= ALIKE_COLOUR
    }  # fmt: skip
    open_ = np.flatnonzero(piece.box.crop(solid.transpose(1, 2, 0)).mean(axis=(0, 1)) < 0.5)
    return same if same.issuperset(open_.tolist()) else set()


def _corners(piece: Piece) -> tuple[int, int, int, int]:
    return piece.x, piece.y, piece.x + piece.width, piece.y + piece.height


def _without_scenery(pieces: Sequence[Piece], pictures: Sequence[Image], solid: Bools) -> list[Piece]:
    """Pieces without those with far lower contrast than the others, if there are several: clouds, and windows of a
    background wall. A single one is marked as faint."""
    if len(pieces) <= FEWEST:
        return list(pieces)
    usual = {tile: np.median(pictures[tile][~solid[tile]], axis=0) for tile in {piece.tile for piece in pieces}}
    out = []
    for piece in pieces:
        box = pictures[piece.tile][piece.y : piece.y + piece.height, piece.x : piece.x + piece.width]
        out.append(float(np.quantile(np.abs(box[piece.mask] - usual[piece.tile]).max(axis=1), 0.75)))
    least = FAINTER * float(np.median(sorted(out)[-FEWEST:]))
    number = sum(each < least for each in out)
    return [
        replace(p, faint=p.faint or each < least)
        for p, each in zip(pieces, out, strict=True)
        if number < 2 or each >= least
    ]


def _inked(part: Image, picture: Image, solid: Bools, piece: Piece) -> bool:
    """Whether a part of a wall, as large as a thing in ``picture``, shows some of that thing's ink: of those of its
    pixels that are least like the air."""
    box = picture[piece.y : piece.y + piece.height, piece.x : piece.x + piece.width]
    own = box[piece.mask].astype(np.float64)
    away = np.abs(own - np.median(picture[~solid[piece.tile]], axis=0)).max(axis=1)
    ink = own[away >= np.quantile(away, 1 - STRONGEST)].mean(axis=0)
    off = largest_channel(np.abs(part - ink))
    return bool(np.median(off) > SAME_INK and (off <= SAME_INK).sum() >= ON_WALLS * len(own))


def _corners_of(piece: Piece, height: int, width: int) -> Iterator[tuple[bool, bool]]:
    """The corners of its tile (right or not, bottom or not) in which a thing stands."""
    for right in (False, True):
        for bottom in (False, True):
            x = width - piece.x if right else piece.x + piece.width
            y = height - piece.y if bottom else piece.y + piece.height
            if max(x, y) <= CORNER * height:
                yield right, bottom


def _same_spot(one: Piece, other: Piece, corner: tuple[bool, bool], height: int, width: int) -> bool:
    """Whether two things of one colour hang at the same distance from a corner of their tiles and are about as high."""
    right, bottom = corner
    near = max(SAME_SPOT * height, 2.0)
    across = (one.x + one.width - other.x - other.width) if right else one.x - other.x
    middle = one.x + one.width / 2 - other.x - other.width / 2
    down = (one.y + one.height - other.y - other.height) if bottom else one.y - other.y
    return (
        not one.grounded
        and not other.grounded
        and corner in _corners_of(other, height, width)
        and float(np.abs(one.colour - other.colour).max()) <= SAME_INK
        and min(abs(across), abs(middle)) <= near
        and abs(down) <= near
        and abs(one.height - other.height) <= near + 0.2 * one.height
    )


def _is_spikes(piece: Piece, solid: Bools) -> bool:
    """Teeth on a wall: pointed, more than one, as wide at their foot as the piece. A scrap below their foot, in a notch
    of an inexact wall, is no part of them."""
    ways = (
        (piece.mask, piece.y + piece.height, 1, piece.x, 0),
        (piece.mask[::-1], piece.y - 1, -1, piece.x, 0),
        (piece.mask.T, piece.x + piece.width, 1, piece.y, 1),
        (piece.mask.T[::-1], piece.x - 1, -1, piece.y, 1),
    )
    for whole, end, down, start, axis in ways:
        below = int(np.argmax(whole.mean(axis=1)[::-1]))
        below = below if 0 < below <= SOFT and whole[len(whole) - below :].mean() < SCRAP else 0
        mask, foot = whole[: len(whole) - below], end - down * below
        if not (0 <= foot < solid.shape[axis]):
            continue
        along = solid[foot] if axis == 0 else solid[:, foot]
        if along[start : start + mask.shape[1]].mean() < 0.8 or len(mask) < 4:
            continue
        share = mask.mean(axis=1)
        quarter = max(len(mask) // 4, 1)
        middle = mask[len(mask) // 3 : -(len(mask) // 3)].astype(np.int8)
        teeth = int(np.median((np.diff(middle, axis=1, prepend=0) == 1).sum(axis=1)))  # a speck beside is none
        rising = np.corrcoef(share, np.arange(len(share)))[0, 1] if share.std() else 0.0
        first, last = share[:quarter].mean(), share[-quarter:].mean()
        two = teeth == 2 and first < 0.35 and last > 0.7 and _as_high(mask)
        if rising > 0.85 and (two or (teeth > 2 and first < 0.6 * last)):
            return True
    return False


def _as_high(mask: Bools) -> bool:
    """Whether the tips of two teeth, in the outer thirds of their breadth, are equally high: the bow of a key that lies
    with its bit on the ground is higher than that."""
    third = -(-mask.shape[1] // 3)
    tips = [int(np.argmax(part.any(axis=1))) for part in (mask[:, :third], mask[:, -third:])]
    return abs(tips[0] - tips[1]) <= max(EQUAL * len(mask), 1)
