"""What stands in a picture of a window: boxes with something on them, and lines of text. Pixels only, and no text is
read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask, around, largest_channel
from autoplayer.session.controls import CHANGED, SOLID

LEAST_SIDE, LEAST = 14, 0.018
"""The least sides of a control: pixels, below which nothing can be read on it, and of the window's smaller side."""

PALE = 7
"""How far (of 255) a channel changes at the outline of a pale control, or where a pale screen gives way to another one;
the shading of a ground changes by less."""

WIDEST, HIGHEST = 0.85, 0.4
"""The most of the window's width and height that a control takes up; what is larger is a panel."""

DISC = 0.7
"""The least part of its rectangle that a control fills: a disc has 0.785."""

RIM = 0.1
"""Of a control's smaller side: what of it belongs to its outline."""

LEAST_INK, MOST_INK = 0.003, 0.6
"""The part of a control that is covered by what stands on it."""

SIGN, FEWEST_SIGNED = 0.65, 3
"""The sides of a sign in the middle of a box, in the box's smaller one, at most, and how many boxes of one size have
such signs at least: on a dialog the same would be a button."""

WIDE = 1.8
"""How many times as wide as high a control is at least whose colour may run."""

LEAST_TALL = 0.15
"""Of a control's height, what stands on it has at least."""

BARE = 0.15
"""The most of a control's ground, just inside its outline, on which something may stand."""

ALIKE = 0.12
"""How far (a share of them) the sides and the distances of the boxes of one list may differ."""

LETTER_GAP = 1.2
"""Of a letter's height, how far it may be from the next one of its line, or of the next word."""

UPPER = 1.7
"""How much higher one letter is than another of its line, at most."""

LEAST_LETTER, MOST_LETTER = 6, 0.3
"""The sides of letters: pixels, and of the window's."""

LETTERS = 3
"""How many letters a line of text has at least."""

Outline = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


@dataclass(frozen=True)
class Control:
    """A box with something on it. ``colour``: its own (BGR), ``ink``: what stands on it, shape ``(height, width)`` of
    the box, 0 to 255, the more the farther from that colour."""

    box: Box
    colour: tuple[int, int, int]
    ink: Mask


def controls(image: Image) -> list[Control]:
    """All boxes in ``image`` that have an outline of their own and something on them, and hold no other such box."""
    height, width = image.shape[:2]
    found = [
        (box, hull) for box, hull in outlined(image) if box.width <= WIDEST * width and box.height <= HIGHEST * height
    ]
    # The two sides of an outline, a shadow and a shine are met as boxes of their own: the largest of them is kept.
    inked: list[Control] = []
    for box, hull in sorted(found, key=lambda each: -each[0].width * each[0].height):
        if any(_same_box(box, other.box) for other in inked):
            continue
        control = _control(image, box, hull)
        if control is not None:
            inked.append(control)
    within = {one.box: [each for each in inked if each is not one and holds(one.box, each.box)] for one in inked}
    # A sign with a hole in it (a lock) is met as a box of its own, on each box of a table.
    signed = [one for one in inked if len(within[one.box]) == 1 and _is_sign(within[one.box][0].box, one.box)]
    signed = [one for one in signed if sum(same_size(one.box, each.box) for each in signed) >= FEWEST_SIGNED]
    signs = {within[one.box][0].box for one in signed}
    alone = [one for one in inked if (not within[one.box] or one in signed) and one.box not in signs]
    return without_letters(alone, edges_of(image))


def _is_sign(inner: Box, box: Box) -> bool:
    """Whether ``inner`` stands in the middle of ``box``, which is about as high as wide and clearly larger."""
    apart = max(abs(a - b) for a, b in zip(inner.centre, box.centre, strict=True))
    small = max(inner.width, inner.height) <= SIGN * min(box.width, box.height)
    return small and apart <= RIM * box.height and max(box.width, box.height) <= WIDE * min(box.width, box.height)


def outlined(image: Image) -> list[tuple[Box, Outline]]:
    """The boxes that have an outline without notches, with its hull."""
    least = max(LEAST_SIDE, LEAST * min(image.shape[:2]))
    found: list[tuple[Box, Outline]] = []
    for edges in (edges_of(image), edges_of(image, PALE)):
        for outline in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            x, y, wide, high = cv2.boundingRect(outline)
            if min(wide, high) < least:
                continue
            hull = cv2.convexHull(outline)
            area = cv2.contourArea(hull)
            if area >= DISC * wide * high and cv2.contourArea(outline) >= SOLID * area:
                found.append((Box(x, y, wide, high), np.asarray(hull, np.int32)))
    return found


def text_lines(image: Image) -> list[Box]:
    """Boxes around lines of text: pieces of about one height side by side."""
    return [around(line) for line in _lines(edges_of(image))]


def parts_of_letters(image: Image, places: Sequence[Box]) -> bool:
    """Whether most of ``places``, taken for cells, are parts of letters: rows of them stand above one another in the
    same line of text, which in a board stands in a single row of cells."""
    within = 0
    for line in text_lines(image):
        among = [each for each in places if line.contains(each.centre)]
        if among and max(each.y for each in among) >= min(each.y + each.height for each in among):
            within += len(among)
    return 2 * within > len(places)


def _lines(edges: Mask) -> list[list[Box]]:
    """The letters of each line of text, from the left."""
    height, width = edges.shape
    _, _, stats, _ = cv2.connectedComponentsWithStats(edges)
    letters = [
        Box(x, y, wide, high)
        for x, y, wide, high, _ in stats[1:].tolist()
        if LEAST_LETTER <= high <= MOST_LETTER * height and wide <= MOST_LETTER * width
    ]
    lines: list[list[Box]] = []
    for box in sorted(letters, key=lambda each: each.x):
        for line in lines:
            high = max(line[-1].height, box.height)
            near = box.x - (line[-1].x + line[-1].width) <= LETTER_GAP * high
            like = min(line[-1].height, box.height) * UPPER > high
            if near and like and abs(box.centre[1] - line[-1].centre[1]) <= high / 2:
                line.append(box)
                break
        else:
            lines.append([box])
    return [line for line in lines if len(line) >= LETTERS]


def without_letters(boxes: Sequence[Control], mask: Mask) -> list[Control]:
    """Those of ``boxes`` that are no letters of a line of text in ``mask``, shape ``(height, width)``, 255 where it
    shows them: of a line most letters are no such box. The sides of a pale box, which are all that is seen of it there,
    are no letters."""
    letters: set[Box] = set()
    for pieces in _lines(mask):
        line = [piece for piece in pieces if not any(_is_side(piece, each.box) for each in boxes)]
        among = [each.box for each in boxes if any(_same_box(each.box, letter) for letter in line)]
        if 2 * len(among) < len(line):
            letters.update(among)
    return [each for each in boxes if each.box not in letters]


def _is_side(piece: Box, box: Box) -> bool:
    """Whether ``piece`` is the left or the right side of ``box``, or most of it."""
    reach = max(RIM * min(box.width, box.height), 3)
    near = piece.x - box.x <= reach or box.x + box.width - piece.x - piece.width <= reach
    return holds(box, piece) and near and piece.width <= 2 * reach and 2 * piece.height >= box.height


def differing(one: Image, other: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Shape ``(height, width)``: whether two pictures of one shape differ in a pixel, by more than a shading does."""
    return np.asarray(largest_channel(cv2.absdiff(one, other)) > PALE)


def edges_of(image: Image, least: int = CHANGED) -> Mask:
    """Shape ``(height, width)``: 255 where neighbouring pixels differ by more than ``least``."""
    steep = largest_channel(cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)))
    return np.asarray((steep > least) * np.uint8(255), np.uint8)


def _control(image: Image, box: Box, hull: Outline) -> Control | None:
    """The box, of which ``hull`` is the outline, with its colour and ink; None where nothing stands on it, or where it
    has no ground of its own inside its outline: a letter has none."""
    shape = np.zeros((box.height, box.width), np.uint8)
    cv2.fillConvexPoly(shape, hull - np.array([box.x, box.y], np.int32), 255)
    rim = max(round(RIM * min(box.width, box.height)), 3)
    inner, deeper = (_worn(shape, width) for width in (rim, rim + 2))
    if np.count_nonzero(deeper) < LEAST_SIDE:
        return None
    part = box.crop(image)
    codes = (part[inner] // 16).astype(np.int32) @ np.array([256, 16, 1], np.int32)
    flat = np.median(part[inner][codes == np.bincount(codes).argmax()], axis=0).astype(np.uint8)
    for running in (False, True):
        ground = _rows_ground(part, inner) if running else np.broadcast_to(flat, part.shape)
        if ground is None:
            break
        ink = largest_channel(cv2.absdiff(part, ground.copy()))
        ink[~inner] = 0
        inked = ink > CHANGED
        share = float(inked[inner].mean())
        tall = int(np.count_nonzero(inked.any(axis=1)))
        if (
            tall >= max(LEAST_TALL * box.height, 5)
            and LEAST_INK <= share <= MOST_INK
            and float(inked[inner & ~deeper].mean()) <= BARE
        ):
            blue, green, red = (int(v) for v in np.median(ground[inner], axis=0))
            return Control(box, (blue, green, red), np.asarray(ink, np.uint8))
    return None


def _rows_ground(part: Image, inner: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Image | None:
    """The ground of a control whose colour runs from its top to its foot: in each row the one in the middle of those
    of its pixels, of which what stands there covers less than half. None where it is the same at the top and the
    foot, and for what is hardly wider than high, as the insides of letters are."""
    if part.shape[1] < WIDE * part.shape[0]:
        return None
    seen = np.flatnonzero(inner.any(axis=1))
    ends = [np.median(part[row][inner[row]], axis=0) for row in (seen[0], seen[-1])]
    if np.abs(ends[0] - ends[1]).max() <= PALE:
        return None
    rows = np.zeros((part.shape[0], 3), np.uint8)
    rows[seen] = np.nanmedian(np.where(inner[seen][..., None], part[seen].astype(np.float32), np.nan), axis=1)
    return np.asarray(np.broadcast_to(rows[:, None, :], part.shape), np.uint8)


def _worn(shape: Mask, by: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """``shape`` without the ``by`` outermost pixels."""
    padded = np.pad(shape, 1)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1] > by)


def _same_box(one: Box, other: Box) -> bool:
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    shared = max(wide, 0) * max(high, 0)
    return shared > 0.6 * max(one.width * one.height, other.width * other.height)


def holds(outer: Box, inner: Box) -> bool:
    """Whether all of ``inner`` lies within ``outer``."""
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def same_size(one: Box, other: Box) -> bool:
    """Whether the sides of two boxes differ by no more than a list's do."""
    return abs(one.width - other.width) <= max(ALIKE * one.width, 3) and abs(one.height - other.height) <= max(
        ALIKE * one.height, 3
    )


def highest_line(ink: Mask) -> Mask | None:
    """What stands on a box, cut close; of several lines the highest one."""
    lines = _runs(ink)
    if not lines:
        return None
    top, bottom = max(lines, key=lambda line: line[1] - line[0])
    columns = np.flatnonzero((ink[top:bottom] > CHANGED).any(axis=0))
    return ink[top:bottom, columns[0] : columns[-1] + 1]


def _runs(ink: Mask) -> list[tuple[int, int]]:
    """The rows of what stands on a box, as lines of text: the first one, and the one after the last one."""
    lines: list[tuple[int, int]] = []
    inked_rows: list[bool] = np.asarray((ink > CHANGED).any(axis=1)).tolist()
    for y, inked in enumerate(inked_rows):
        if inked and lines and lines[-1][1] == y:
            lines[-1] = (lines[-1][0], y + 1)
        elif inked:
            lines.append((y, y + 1))
    return lines


def one_line(control: Control) -> bool:
    """Whether a single line stands on a box, as on a button; on a dialog there are several."""
    heights = [bottom - top for top, bottom in _runs(control.ink)]
    return sum(2 * height >= max(heights) for height in heights) == 1


def colourfulness(control: Control) -> int:
    """How far (of 255) the channels of the control's own colour are from one another; grey has 0."""
    return max(control.colour) - min(control.colour)


def colour_apart(one: Control, other: Control) -> int:
    """How far (of 255, the largest channel) the colours of two controls are from each other."""
    return max(abs(a - b) for a, b in zip(one.colour, other.colour, strict=True))


def strongest(control: Control) -> int:
    """The contrast (0 to 255) of what stands out most on the control."""
    return int(control.ink.max())
