"""Places in which no number is read: a mark, a disc, an outline, a colour of its own. Knows no rules of the game, and
not which of these are starts (``starts``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, largest_channel
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

LEAST_NUMBERS = 2
"""The least number of numbers on a board whose start has no visible X; a number and a pointer beside it are not a
board."""

MOST_STARTS = 1 / 3
"""Places that look alike and hold no number are empty tiles, not starts, if they are more than this share of the
numbers: a chain has more cells than its start."""

FRAME_REACH, SMALLEST, MOST_OF_A_SIDE = 0.47, 4, 0.9
"""The distance from its middle to which a place is examined for an outline, as a share of the pitch, and at least in
pixels; and the least share of a side that the outline covers."""

AROUND_A_BLOCK, LEAST_BLOCK = 1.4, 0.26
"""The box around a start that is a block of colour, as a multiple of the pitch, and the least share of it that is
filled: glyphs are not exactly in the middle of their places, and a heading's letters may have skewed the lattice."""

WHOLE = 0.95
"""Ink that takes more than this share of its place's width or height continues beyond it."""

LEAST_PART = 0.25
"""The part of a cell's side that a coloured corner takes at least."""

MIDDLE = 0.5
"""The part of a cell's width and height that is filled whatever shape stands in it."""

EVEN = 6.0
"""Grey levels by which the pixels of one colour differ."""

CLOSE = 0.15
"""How far around a glyph the colour of its disc is looked at, as a share of its height."""

OTHER_GROUND, OTHER_INK = 24.0, 48.0
"""The difference in grey levels, in one channel, from which a ground and an ink have another colour."""

AS_LARGE = 0.2
"""The largest difference between the sides of two marks of one kind, as a share of the larger one."""

RING = 0.04
"""The part of a place that a ring around a smaller disc takes at least."""

FAR_LARGER = 1.5
"""The least ratio of the height of a cross that is no letter to that of the numbers: capitals are higher than old-style
numerals by at most the ratio of these to their height without ascenders and descenders, and that is less."""

LEAST_MARK = 0.1
"""Ink smaller than this share of its place is the remnant of something else."""

CORNER = 0.1
"""How far from its place's sides a disc leaves the corners free, as a share of the shorter side."""


def framed(view: View, found: lattice.Lattice, cells: Iterable[Cell], others: Mapping[Cell, ink.Content]) -> set[Cell]:
    """Those of some ``cells`` of a board with walls that are outlined in one colour on all four sides, which none of
    the ``others`` has along its sides or in its middle."""
    frames = {cell: some for cell in cells if view.walled and (some := _frames(view, found, cell))}
    if not frames:
        return set()
    known = [frame for cell in others if cell not in frames for frame in _frames(view, found, cell)]
    known += [here.ground for cell, here in others.items() if cell not in frames]
    return {
        cell
        for cell, some in frames.items()
        if any(all(float(np.abs(frame - other).max()) > OTHER_INK for other in known) for frame in some)
    }


def _frames(view: View, found: lattice.Lattice, cell: Cell) -> list[Floats]:
    """The colours, BGR, that run along all four sides of a place, just inside them, and are not in its middle: that of
    its outline, and that between the cells."""
    (x, y), (height, width) = found.box(cell).centre, view.image.shape[:2]
    half_x, half_y = round(FRAME_REACH * found.pitch_x), round(FRAME_REACH * found.pitch_y)
    if min(half_x, half_y) < SMALLEST or x < half_x or y < half_y or x + half_x >= width or y + half_y >= height:
        return []
    place = view.image[y - half_y : y + half_y + 1, x - half_x : x + half_x + 1].astype(np.float32)
    middle = np.median(place[half_y // 2 : -half_y // 2, half_x // 2 : -half_x // 2], axis=(0, 1))
    sides = []
    for side in (place, place[::-1], place.transpose(1, 0, 2), place[:, ::-1].transpose(1, 0, 2)):
        trim = side.shape[1] // 4
        lines = side[: max(side.shape[0] // 6, 1), trim:-trim]  # from the side inwards, shape (across, along, 3)
        line = np.median(lines, axis=1)
        even = (np.abs(lines - line[:, None]).max(axis=2) < OTHER_GROUND).mean(axis=1) > MOST_OF_A_SIDE
        away = np.where(even, np.abs(line - middle).max(axis=1), 0)
        broad = np.abs(np.diff(line, axis=0)).max(axis=1) < EVEN  # soft edges between two colours do not count
        sides.append([line[int(away.argmax())]] * bool(away.max() > OTHER_INK))
        sides[-1] += list(line[:-1][(away[:-1] > OTHER_INK) & (away[1:] > OTHER_INK) & broad])
    return [
        colour
        for colour in sides[0]
        if all(any(float(np.abs(colour - one).max()) <= OTHER_GROUND for one in side) for side in sides[1:])
    ]


def is_a_block(view: View, found: lattice.Lattice, cell: Cell) -> bool:
    """Whether a place is filled in one colour that is no grey and ends about at its sides, on the page."""
    box = found.box(cell, AROUND_A_BLOCK)
    place = box.crop(view.image).astype(np.float32)
    height, width = place.shape[:2]
    if (width, height) != (box.width, box.height) or min(width, height) < SMALLEST:
        return False
    colour = np.median(place[height // 3 : -(height // 3), width // 3 : -(width // 3)], axis=(0, 1))
    if not colourful(colour) or float(np.abs(page(view) - colour).max()) <= OTHER_INK:
        return False
    filled = np.asarray(largest_channel(np.abs(place - colour)) < EVEN + 3 * view.noise, np.uint8)
    _, pieces = cv2.connectedComponents(filled, connectivity=4)
    block = (pieces == pieces[height // 2, width // 2]) & (filled > 0)
    sides = (block[0], block[-1], block[:, 0], block[:, -1])
    return float(block.mean()) > LEAST_BLOCK and not any(side.any() for side in sides)


def is_filled(view: View, found: lattice.Lattice, cell: Cell, grounds: Floats) -> bool:
    """Whether the middle of a place has one colour that is none of ``grounds``, shape ``(N, 3)``, and that does not
    also lie between the cells, at the place's corners."""
    colour = filling(view, found, cell)
    if colour is None:
        return False
    (x, y), height, width = found.box(cell).centre, *view.image.shape[:2]
    corners = [
        view.image[
            min(max(round(y + dy * found.pitch_y / 2), 0), height - 1),
            min(max(round(x + dx * found.pitch_x / 2), 0), width - 1),
        ]
        for dy in (-1, 1)
        for dx in (-1, 1)
    ]
    others = np.concatenate([grounds, np.array(corners, np.float32)])
    return float(np.abs(others - colour).max(axis=1).min()) > OTHER_GROUND


def filling(view: View, found: lattice.Lattice, cell: Cell) -> Floats | None:
    """The one colour, BGR, of the middle of a place; None where there are several."""
    x, y = found.box(cell).centre
    reach_x, reach_y = round(MIDDLE * found.width / 2), round(MIDDLE * found.height / 2)
    middle = view.image[max(y - reach_y, 0) : y + reach_y + 1, max(x - reach_x, 0) : x + reach_x + 1].reshape(-1, 3)
    if not len(middle):
        return None
    colour = np.asarray(np.median(middle, axis=0), np.float32)
    return colour if float(np.abs(middle - colour).max(axis=1).mean()) < EVEN + 3 * view.noise else None


def is_hole(here: ink.Content, grounds: Floats) -> bool:
    """Whether a place is empty, with a ground that is none of ``grounds``, shape ``(N, 3)``."""
    return here.bare and float(np.abs(grounds - here.ground).max(axis=1).min()) > OTHER_GROUND


def page(view: View) -> Floats:
    """The colour, BGR, of most of the window's edge."""
    rim = np.concatenate([view.image[0], view.image[-1], view.image[:, 0], view.image[:, -1]])
    return np.asarray(np.median(rim, axis=0))


def setting(view: View, here: ink.Content) -> Floats:
    """The colour, BGR, right around the glyph of a place: the colour of the place, or of a disc or tile too pale to be
    ink."""
    by = max(round(CLOSE * here.box.height), 2)
    box = Box(here.box.x - by, here.box.y - by, here.box.width + 2 * by, here.box.height + 2 * by)
    part = box.crop(view.image).astype(np.float32)
    if here.bare or min(part.shape[:2]) < 2:
        return here.ground
    return np.asarray(np.median(np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]]), axis=0), np.float32)


def far_larger(contents: Mapping[Cell, ink.Content], clear: Sequence[Cell]) -> set[Cell]:
    """The ``clear`` places that seem to show numbers, but far larger than usual: a flag looks like a 1. Some are in a
    colour that no number has, and others as large as these. A chain's line reaches the border of its place."""
    high = FAR_LARGER * float(np.median([contents[cell].box.height for cell in clear]))
    large = [cell for cell in clear if contents[cell].box.height > high and not reaches_out(contents[cell])]
    inks = [contents[cell].colour for cell in clear if cell not in large]
    vivid = [contents[cell] for cell in large if inks and is_vivid(contents[cell], np.stack(inks))]
    return {cell for cell in large if any(as_large(contents[cell], one) for one in vivid)}


def decorations(view: View, places: Mapping[Cell, ink.Content], clear: Sequence[ink.Content]) -> set[Cell]:
    """Those of some ``places`` that show one grey mark, at least twice, on the page or another grey, and not on the
    ground of one of the ``clear`` numbers: where starts have colours, such marks fill holes, as diamonds and dots
    do."""
    grounds = np.stack([here.ground for here in clear])
    loose = {
        cell: here
        for cell, here in places.items()
        if not here.bare and not reaches_out(here) and not colourful(here.colour)
        if float(np.abs(grounds - here.ground).max(axis=1).min()) > OTHER_GROUND
        if not colourful(here.ground) or float(np.abs(page(view) - here.ground).max()) <= OTHER_INK  # a page may shade
    }
    return {
        cell
        for cell, here in loose.items()
        if any(other != cell and _is_one_mark(here, loose[other]) for other in loose)
    }


def _is_one_mark(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places show marks of one size and colour on one ground."""
    apart = max(float(np.abs(one.ground - other.ground).max()), float(np.abs(one.colour - other.colour).max()))
    return as_large(one, other) and apart <= OTHER_GROUND


def is_on_a_tile(view: View, here: ink.Content, grounds: Floats) -> bool:
    """Whether a place shows a vivid mark in its middle on the numbers' own ground, ``grounds``, which is not the
    page's, or a disc that leaves a ring of that ground visible: such a place is a cell however few cells stand beside
    it, as at the end of a board."""
    if float(np.abs(page(view) - np.median(grounds, axis=0)).max()) <= 2 * EVEN + 3 * view.noise:
        return False
    if here.bare:
        return colourful(here.ground) and is_disc(view, here) and shows_a_ring(view, here, grounds)
    same = float(np.abs(grounds - here.ground).max(axis=1).min()) <= EVEN
    return same and is_marked(here) and colourful(here.colour)


def as_large(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places show marks of the same size, or both none."""
    if one.bare or other.bare:
        return one.bare and other.bare
    sides = (one.box.width, other.box.width), (one.box.height, other.box.height)
    return all(abs(a - b) <= max(AS_LARGE * max(a, b), 2) for a, b in sides)


def colourful(colour: Floats) -> bool:
    """Whether a colour, BGR, is not grey."""
    levels = colour.tolist()  # a fraction of the time of a NumPy function
    return bool(max(levels) - min(levels) > OTHER_GROUND)


def is_colourful(here: ink.Content) -> bool:
    """Whether the ground of a place or its ink is not grey."""
    return colourful(here.ground) or colourful(here.colour)


def is_vivid(here: ink.Content, inks: Floats) -> bool:
    """Whether a mark or a disc has a colour that is not grey and that no number has."""
    colour = here.ground if here.bare else here.colour
    return colourful(colour) and float(np.abs(inks - colour).max(axis=1).min()) > OTHER_INK


def each_vivid(marks: Sequence[ink.Content], inks: Floats) -> bool:
    """Whether each of some marks or discs has a colour that no number has, and all these colours differ."""
    colours = np.stack([here.ground if here.bare else here.colour for here in marks])
    apart = np.abs(colours[:, None] - colours[None]).max(axis=2) + 256 * np.eye(len(marks))
    return all(is_vivid(here, inks) for here in marks) and float(apart.min()) > OTHER_INK


def of_several_colours(marks: Sequence[ink.Content]) -> bool:
    colours = np.stack([here.ground if here.bare else here.colour for here in marks])
    return float(np.abs(colours[:, None] - colours[None]).max()) > OTHER_INK


def is_disc(view: View, here: ink.Content) -> bool:
    """Whether the ground's colour is missing in the corners of a place: then the colour of a disc was taken for the
    ground."""
    place, by = here.place, round(CORNER * min(here.place.width, here.place.height))
    rows, columns = (place.y + by, place.y + place.height - 1 - by), (place.x + by, place.x + place.width - 1 - by)
    height, width = view.image.shape[:2]
    corners = [
        view.image[min(max(y, 0), height - 1), min(max(x, 0), width - 1)].astype(np.float32)
        for y in rows
        for x in columns
    ]
    return min(float(np.abs(corner - here.ground).max()) for corner in corners) > OTHER_GROUND


def shows_a_ring(view: View, here: ink.Content, grounds: Floats) -> bool:
    """Whether a ring of the numbers' ``grounds``, shape ``(N, 3)``, surrounds the ink of a place."""
    usual = np.median(grounds, axis=0)
    away = largest_channel(np.abs(here.place.crop(view.image).astype(np.float32) - usual))
    return float((away <= EVEN + 2 * view.noise).mean()) >= RING


def is_marked(here: ink.Content) -> bool:
    return not here.bare and is_central(here)


def is_coloured_in_part(here: ink.Content, grounds: Floats, inks: Floats) -> bool:
    """Whether a place has the numbers' ground, but a mark in another colour instead of a number."""
    if here.bare or min(here.box.width, here.box.height) < LEAST_PART * min(here.place.width, here.place.height):
        return False
    like = float(np.abs(grounds - here.ground).max(axis=1).min()) < EVEN
    return like and float(np.abs(inks - here.colour).max(axis=1).min()) > OTHER_INK


def fills_its_place(here: ink.Content) -> bool:
    """Whether ink reaches from one side of a place to the other."""
    return here.box.width > WHOLE * here.place.width or here.box.height > WHOLE * here.place.height


def reaches_out(here: ink.Content) -> bool:
    """Whether ink reaches one side of a place or more."""
    box, place = here.box, here.place
    free = box.x > place.x, box.y > place.y
    return not (all(free) and box.x + box.width < place.x + place.width and box.y + box.height < place.y + place.height)


def fills(here: ink.Content) -> bool:
    """Whether ink reaches from side to side both ways, and up to one of them at least: a tile leaves room around it."""
    whole = here.box.width > WHOLE * here.place.width and here.box.height > WHOLE * here.place.height
    return whole and reaches_out(here)


def is_central(here: ink.Content) -> bool:
    """Whether the ink of a place is about its middle and is not a mere remnant."""
    (x, y), (u, v) = here.place.centre, here.box.centre
    size = min(here.place.width, here.place.height)
    return max(abs(x - u), abs(y - v)) < 0.2 * size and min(here.box.width, here.box.height) > LEAST_MARK * size


def same_look(one: ink.Content, other: ink.Content) -> bool:
    """Whether two places without a number have the same colour, and both or neither a mark or a hatching."""
    return one.bare == other.bare and fills(one) == fills(other) and float(np.abs(one.ground - other.ground).max()) < 12
