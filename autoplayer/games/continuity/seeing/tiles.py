"""Reads the board in a picture with its rooms: the walls of each tile and the things in them.

The positions of the tiles are found in ``boards.py``. If their walls lie on no lattice of cells, or beside it, other
positions of the tiles are tried (``trimming.py``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, around
from autoplayer.games.continuity.seeing.board.boards import Board, boxes_of, find_board
from autoplayer.games.continuity.seeing.board.empties import alike
from autoplayer.games.continuity.seeing.board.margins import without_margins
from autoplayer.games.continuity.seeing.board.panels import frame_of, rooms_on_mats, without_frame, without_frames
from autoplayer.games.continuity.seeing.board.trimming import trimmed
from autoplayer.games.continuity.seeing.sight import Bools, Thing, Tiles, View
from autoplayer.games.continuity.seeing.things.things import read_things
from autoplayer.games.continuity.seeing.walls.borders import Axis, Borders
from autoplayer.games.continuity.seeing.walls.cells import (
    filled_up,
    off_lattice,
    without_footholds,
    without_one_bump,
    without_scraps,
)
from autoplayer.games.continuity.seeing.walls.enlarged import bounded, clearer
from autoplayer.games.continuity.seeing.walls.ground import noise
from autoplayer.games.continuity.seeing.walls.hatching import plain_and_filled
from autoplayer.games.continuity.seeing.walls.masks import UNSEEN, Masks, read_masks, straight
from autoplayer.games.continuity.world import BLANK

FINE, COARSER = 8.0, 1.9
"""A lattice with cells smaller than so many pixels is weak evidence; and how many times larger the cells of a better
one must be."""
OBLONG = 1.25
"""The ratio of the sides of a cell from which on a lattice is weak evidence as well."""
LOOSE, TIGHTER, ALIKE = 0.6, 0.3, 1.1
"""If the edges of walls deviate from the lattice by so many pixels on average, a better position is searched; by how
many pixels less they must deviate there, and by what factor its cells may differ in size."""
STRAIGHT = 0.75
"""The share of the edges of walls that run straight, if walls lie on a lattice: corners may be rounded."""
SURE = 0.9
"""The least certainty of all things, if one of them is found in what looked like a wall."""
FEWEST, TURNED = 2, "what is wall and what is air is not certain: things stand in what looks like walls only"
"""The least number of things of a level, a figure and a door; and the doubt if they stand in what looks like walls."""
WALLED = 0.12
"""The share of a thing's box that may be wall."""
STUMP, TAPERED = 3.0, 0.75
"""What is right below a thing belongs to it though it looks like a wall: it is at most so many times broader; and its
top is at most this share of its greatest width."""
LEGS, ALIGNED, FOOT = 0.75, 2, 2
"""A piece of wall that is no broader than the thing above it, by more than so many pixels at each side but for its
lowest rows, may be its lower part if it is no higher than this share of the thing's height: a pillar is higher."""
FRAME = 0.1
"""The greatest thickness of a frame that looks like the walls, as a share of a tile's width or height."""
FEW_CELLS, WALLS_END = 20, 0.45
"""Cells along a side of a room; if walls lie on a lattice of more cells, at least this share of the sides of rooms lies
on edges, because walls take most of them."""
SOFT, EVEN, WIDE = 2, 8, 0.8
"""Pixels of a soft edge, the grey levels by which a shaded wall changes over it, and the least share of a thing's width
over which a wall above it continues in it."""
UNLIKE = "where the tiles end is not certain: something beside them looks like a part of some"
"""The doubt about a board of which one row or column of tiles ends at edges and another one does not."""
FRAMED = "where the tiles end is not certain: a strip round the board looks like the empty place"
"""The doubt about a board with a margin of a cell, if rooms without it are read with cells of another size."""
Read = Callable[[Board], tuple[Tiles, Masks]]
"""Reads the rooms of a board in the picture that is being read."""


def read_tiles(image: Image, *, view: View = "sliding") -> Tiles:
    """The board in ``image`` with its rooms; the picture must show all of it, best in the view in which tiles are
    moved. Raises UnreadableError where no board is seen."""

    return bounded(image, lambda picture: clearer(picture, lambda drawn: _read_flat(drawn, view)))


def _read_flat(image: Image, view: View) -> Tiles:
    """The board in ``image`` with its rooms; if they are in doubt, or no board is seen, with its hatched surfaces
    filled. Raises UnreadableError."""
    best, fault = None, UnreadableError("no board of Continuity is seen")
    for flat in plain_and_filled(image):
        try:
            tiles = _placed(_read_rooms(image, flat, view), flat)
        except UnreadableError as error:
            fault = error
            continue
        if best is None or _uncertain(tiles) < _uncertain(best):
            best = tiles
        if not _uncertain(best):
            break
    if best is None:
        raise fault
    return best


def _placed(tiles: Tiles, image: Image) -> Tiles:
    """The same board, in doubt if its tiles do not all end where edges are."""
    board = Board(tiles.rows, tiles.columns, tiles.boxes, tiles.cells.index(BLANK))
    if not Borders(image, noise(image)).unlike(*board.axes, board.blank):
        return tiles
    return replace(tiles, doubts=(*tiles.doubts, UNLIKE))


def _uncertain(tiles: Tiles) -> int:
    """The number of doubts about a board, and of things that are not certain."""
    return len(tiles.doubts) + sum(thing.sure < SURE for thing in tiles.things)


def _read_rooms(image: Image, flat: Image, view: View) -> Tiles:
    """The board in ``image`` with its rooms. ``flat``: the same picture, in which board and walls are searched."""
    read = partial(_read, image=image, flat=flat, view=view)
    board = find_board(flat)
    tiles, masks = read(board)
    board, tiles, masks = _within_a_line(board, tiles, masks, flat, read) or (board, tiles, masks)
    places = board.boxes
    pitch, oblong, off = _lattice(board, masks)
    many = masks.cells is not None and max(masks.cells.rows, masks.cells.columns) > FEW_CELLS
    poor = pitch < FINE or many or oblong
    unclear = oblong or UNSEEN in tiles.doubts
    if (poor or unclear) and (boxes := _matted(board, flat)):
        better = replace(board, boxes=boxes)
        other, again = read(better)
        new, skew, rest = _lattice(better, again)
        coarser = new >= max(pitch if unclear else COARSER * pitch, FINE)
        if coarser and not skew and rest <= LOOSE and UNSEEN not in other.doubts:
            return _opened(better, replace(other, margins=_margins(places, boxes)), read, places)
    sizes = [(COARSER * pitch, math.inf)] * poor + [(pitch / ALIKE, pitch * ALIKE)] * (off > LOOSE)
    soft = not pitch or UNSEEN in masks.doubts
    for least, most in sizes if straight(masks.plain, STRAIGHT) else ():
        axes = trimmed(board.boxes, board.rows, board.columns, board.cells, masks.plain, least, most, soft=soft)
        boxes = boxes_of(*axes) if axes else places
        if axes is None or boxes == places or not _within(boxes, flat):
            continue
        better = replace(board, boxes=boxes)
        other, again = read(better)
        new, _, rest = _lattice(better, again)
        few = again.cells is not None and max(again.cells.rows, again.cells.columns) <= FEW_CELLS
        if most == math.inf:
            taken = new >= (max(least, FINE) if pitch else 0.0) and (few or _on_edges(*axes, board.blank, flat))
        else:
            taken = least <= new <= most and rest < off - TIGHTER
        if again.cells and taken and (soft or UNSEEN not in again.doubts):
            tiles, board, masks = replace(other, margins=_margins(places, boxes)), better, again
            break
    tiles, board = _inside_a_frame(board, tiles, masks, flat, read, places) or (tiles, board)
    return _opened(board, tiles, read, places)


def _within_a_line(
    board: Board, tiles: Tiles, masks: Masks, image: Image, read: Read
) -> tuple[Board, Tiles, Masks] | None:
    """The rooms of a board that was found with a line round all of it, without that; None if there is no such line, or
    the walls lie on no coarser lattice then."""
    without = without_frame(image, around(board.boxes))
    if without is None:
        return None
    try:
        better = find_board(without)
    except UnreadableError:
        return None
    other, again = read(better)
    new, skew, _ = _lattice(better, again)
    return (better, other, again) if new >= max(FINE, _lattice(board, masks)[0] / ALIKE) and not skew else None


def _inside_a_frame(
    board: Board, tiles: Tiles, masks: Masks, image: Image, read: Read, places: Sequence[Box]
) -> tuple[Tiles, Board] | None:
    """The rooms without a margin of a cell round the board; in doubt and with the margin, if cells of another size are
    found without it. None if there is no margin."""
    if masks.cells is None:
        return None
    size, ground = (masks.cells.rows, masks.cells.columns), alike(image, board.boxes[board.blank])
    axes = without_margins(board.boxes, board.columns, board.blank, size, tiles.solid, ground)
    if axes is None:
        return None
    better = replace(board, boxes=boxes_of(*axes))
    other, again = read(better)
    pitch, new = _lattice(board, masks)[0], _lattice(better, again)[0]
    if not pitch / ALIKE <= new <= pitch * ALIKE:
        return replace(tiles, doubts=(*tiles.doubts, FRAMED)), board
    return replace(other, margins=_margins(places, better.boxes)), better


def _matted(board: Board, image: Image) -> tuple[Box, ...] | None:
    """The places without a mat round each room; None if they have none."""
    rooms = rooms_on_mats(image, board.boxes, board.columns, board.blank)
    if rooms is None and (frame := frame_of(board.pictures(image))):
        rooms = tuple(
            Box(box.x + frame, box.y + frame, box.width - 2 * frame, box.height - 2 * frame) for box in board.boxes
        )
    return rooms


def _opened(board: Board, tiles: Tiles, read: Read, places: Sequence[Box]) -> Tiles:
    """The same rooms; but if walls go round all of every one, and things stand in several, the common thickness of
    these walls is removed as a frame that looks like walls, because a level has openings. Rooms that stay closed are a
    doubt. ``places``: the boxes of the board as it was found."""
    air = ~tiles.solid
    if any(side.any() for side in (air[:, 0], air[:, -1], air[..., 0], air[..., -1])):
        return tiles
    if len({thing.tile for thing in tiles.things}) < 2:
        return tiles
    height, width = air.shape[1:]
    rows, columns = np.flatnonzero(air.any(axis=(0, 2))), np.flatnonzero(air.any(axis=(0, 1)))
    left, top, right, bottom = columns[0], rows[0], width - 1 - columns[-1], height - 1 - rows[-1]
    if max(left, right) <= FRAME * width and max(top, bottom) <= FRAME * height:
        rooms = tuple(
            Box(box.x + int(left), box.y + int(top), width - int(left + right), height - int(top + bottom))
            for box in board.boxes
        )
        other, again = read(replace(board, boxes=rooms))
        if again.cells:
            return replace(other, margins=_margins(places, rooms))
    return replace(tiles, doubts=(*tiles.doubts, "where the rooms end is not certain: no side of any has an opening"))


def _lattice(board: Board, masks: Masks) -> tuple[float, bool, float]:
    """The shorter side of the cells on which the walls of a board lie, 0 if there are none; whether they are no
    squares; and the mean deviation of the walls' edges from them in pixels."""
    if not masks.cells:
        return 0.0, False, 0.0
    wide, high = board.boxes[0].width / masks.cells.columns, board.boxes[0].height / masks.cells.rows
    return min(wide, high), max(wide, high) > OBLONG * min(wide, high), off_lattice(masks.plain, masks.cells)


def _margins(places: Sequence[Box], rooms: Sequence[Box]) -> tuple[float, float, float, float]:
    """The mean margins of places left of, above, right of and below their rooms, as shares."""
    pairs = list(zip(places, rooms, strict=True))
    return (
        float(np.mean([(b.x - a.x) / a.width for a, b in pairs])),
        float(np.mean([(b.y - a.y) / a.height for a, b in pairs])),
        float(np.mean([(a.x + a.width - b.x - b.width) / a.width for a, b in pairs])),
        float(np.mean([(a.y + a.height - b.y - b.height) / a.height for a, b in pairs])),
    )


def _read(board: Board, image: Image, flat: Image, view: View) -> tuple[Tiles, Masks]:
    """The rooms of a board in ``image``; in ``flat``, the same picture, walls are searched."""
    pictures = board.pictures(image)
    inner = without_frames(pictures)
    plain = inner if flat is image else without_frames(board.pictures(flat))
    masks = read_masks(plain)
    things, spikes, doubts = read_things(inner, masks.solid)
    if len(things) < FEWEST:  # perhaps they stand in what was taken for walls
        turned = read_masks(plain, turned=True)
        turned = replace(turned, doubts=(*turned.doubts, TURNED))
        found = read_things(inner, turned.solid)
        if len(found[0]) >= FEWEST and sum(_stands(each, turned.solid) for each in found[0]) >= FEWEST:
            masks, (things, spikes, doubts) = turned, found
    solid = masks.solid
    if masks.cells:
        solid = without_scraps(filled_up(solid, masks.cells, things), masks.cells, things)
        solid = without_footholds(solid, masks.cells, things, masks.materials.shades)
        if (solid != masks.solid).any():
            things, spikes, doubts = read_things(inner, solid)
        if any(thing.sure < SURE for thing in things):
            for less in without_one_bump(solid, masks.plain, masks.cells, masks.materials.shades):
                found = read_things(inner, less)
                if len(found[0]) > len(things) and not found[2] and all(thing.sure >= SURE for thing in found[0]):
                    solid, (things, spikes, doubts) = less, found
                    break
    walled = tuple(
        f"a part of the thing in tile {each.tile + 1} looks like a wall"
        for each in things
        if _in_wall(each, solid)
        or _on_stump(each, solid[each.tile])
        or _under_wall(each, inner[each.tile], solid[each.tile])
    )
    return Tiles(
        board.rows, board.columns, board.cells, board.boxes, pictures, solid, spikes, things, view,
        (*masks.doubts, *doubts, *walled),
    ), masks  # fmt: skip


def _in_wall(thing: Thing, solid: Bools) -> bool:
    """Whether much of a thing's box, except for its foot, is wall."""
    top, left, foot = round(thing.y), round(thing.x), round(thing.y + thing.height) - 2
    part = solid[thing.tile, top:foot, left : round(thing.x + thing.width)]
    return bool(part.size and part.mean() > WALLED)


def _on_stump(thing: Thing, solid: Bools) -> bool:
    """Whether a thing is right above a narrow piece of wall that may be its lower part: one that is narrower at its top
    than below, such as the body below a head (a pillar is not, and a sudden widening is a step); or one that is low and
    no broader than the thing, such as legs."""
    across, top = round(thing.x + thing.width / 2), round(thing.y + thing.height)
    top += int(not solid[top : top + 1, across : across + 1].all())  # the soft edge between them
    widths: list[int] = []
    beside: list[float] = []
    for row in solid[top:]:
        ends = np.flatnonzero(~np.pad(row, 1)) - 1
        after = int(np.searchsorted(ends, across))
        left, right = int(ends[after - 1]) + 1, int(ends[min(after, len(ends) - 1)])
        widths.append(right - left if row[across] else 0)
        if widths[-1] > STUMP * thing.width or not widths[-1]:
            break
        beside.append(max(thing.x - left, right - thing.x - thing.width))
    *stump, below = widths or [0]
    tapered = len(stump) > 1 and widths[0] < TAPERED * max(stump)
    legs = FOOT < len(stump) <= LEGS * thing.height and max(beside[: len(stump) - FOOT]) <= ALIGNED
    return below > 0 and (tapered or legs)


def _under_wall(thing: Thing, picture: Image, solid: Bools) -> bool:
    """Whether the wall right above a thing continues in it without an edge."""
    top, left, right = round(thing.y), round(thing.x) + SOFT, round(thing.x + thing.width) - SOFT
    if top <= SOFT or right <= left or solid[top - SOFT - 1, left:right].mean() < WIDE:
        return False
    step = cv2.absdiff(picture[top - SOFT - 1, left:right], picture[top + SOFT, left:right])
    return bool((step.max(axis=1) <= EVEN).mean() >= WIDE)


def _stands(thing: Thing, solid: Bools) -> bool:
    """Whether there is ground right below a thing."""
    foot, left = round(thing.y + thing.height), round(thing.x)
    below = solid[thing.tile, foot : foot + 3, left : left + max(round(thing.width), 1)]
    return bool(below.size and below.any(axis=0).mean() > 0.5)


def _on_edges(rows: Axis, columns: Axis, blank: int, image: Image) -> bool:
    """Whether enough of the sides of a board lies on edges: where walls end and no air does."""
    return Borders(image, noise(image)).evidence(rows, columns, blank).mean >= WALLS_END


def _within(boxes: Sequence[Box], image: Image) -> bool:
    """Whether all boxes lie in the picture."""
    first, last = boxes[0], boxes[-1]
    return min(first.x, first.y) >= 0 and last.x + last.width <= image.shape[1] and last.y + last.height <= len(image)
