"""Finds boxes with content, and lines of text, in a picture of a window. Works on pixels; no text is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask, around, largest_channel
from autoplayer.core.remembered import remembered
from autoplayer.session.looking.controls import CHANGED, SOLID

LEAST_SIDE, LEAST = 14, 0.018
"""The least size of a control: in pixels, below which nothing on it is legible, and as a share of the window's smaller
side."""

PALE = 7
"""The change of a channel (of 255) at the outline of a pale control, or at the border between two pale screens;
gradients of a background change by less."""

WIDEST, HIGHEST = 0.85, 0.4
"""The largest share of the window's width and height that a control takes up; anything larger is a panel."""

DISC = 0.7
"""The least share of its bounding box that a control fills: a disc fills 0.785."""

RIM = 0.1
"""The width of a control's outline, as a share of its smaller side."""

LEAST_INK, MOST_INK = 0.003, 0.6
"""The share of a control that its content covers, at least and at most."""

SIGN, FEWEST_SIGNED = 0.65, 3
"""The largest size of a sign in the middle of a box, as a share of the box's smaller side; and the least number of
boxes of one size with such signs: a single one would be a dialog with a button."""

WIDE = 1.8
"""The least ratio of width to height of a control that may be filled with a gradient, and that is no letter."""

LEAST_TALL = 0.15
"""The least height of a control's content, as a share of its own height."""

BARE = 0.15
"""The largest share of a control's ground, just inside its outline, on which content may stand."""

ALIKE = 0.12
"""The largest relative difference between the sides, and between the distances, of the boxes of one list."""

LETTER_GAP = 1.2
"""The largest distance of a letter from the next one of its line, or of the next word, as a share of its height."""

UPPER = 1.7
"""The largest ratio of the heights of two letters of one line."""

LEAST_LETTER, MOST_LETTER = 6, 0.3
"""The size of letters: at least in pixels, at most as a share of the window's."""

LETTERS = 3
"""The least number of letters of a line of text."""

WORD_GAP = 0.015
"""The largest distance between the letters and words of one label, as a share of the window's smaller side."""

Outline = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


@dataclass(frozen=True)
class Control:
    """A box with content. ``colour``: its background (BGR); ``ink``: its content, shape ``(height, width)`` of the box:
    the distance of each pixel from that colour, 0 to 255."""

    box: Box
    colour: tuple[int, int, int]
    ink: Mask


@remembered
def controls(image: Image) -> Sequence[Control]:
    """All boxes in ``image`` that have an outline and content, and contain no other such box."""
    height, width = image.shape[:2]
    found = [
        (box, hull) for box, hull in outlined(image) if box.width <= WIDEST * width and box.height <= HIGHEST * height
    ]
    # The two sides of an outline, a shadow and a highlight are found as separate boxes: the largest of them is kept.
    inked: list[Control] = []
    for box, hull in sorted(found, key=lambda each: -each[0].width * each[0].height):
        if any(_same_box(box, other.box) for other in inked):
            continue
        control = _control(image, box, hull)
        if control is not None:
            inked.append(control)
    within = {one.box: [each for each in inked if each is not one and holds(one.box, each.box)] for one in inked}
    # A sign with a hole in it (a padlock) is found as a box of its own, on each box of a table.
    signed = [one for one in inked if len(within[one.box]) == 1 and _is_sign(within[one.box][0].box, one.box)]
    signed = [one for one in signed if sum(same_size(one.box, each.box) for each in signed) >= FEWEST_SIGNED]
    signs = {within[one.box][0].box for one in signed}
    alone = [one for one in inked if (not within[one.box] or one in signed) and one.box not in signs]
    return tuple(without_letters(alone, edges_of(image)))


def _is_sign(inner: Box, box: Box) -> bool:
    """Whether ``inner`` is in the middle of ``box``, which is roughly square and clearly larger."""
    apart = max(abs(a - b) for a, b in zip(inner.centre, box.centre, strict=True))
    small = max(inner.width, inner.height) <= SIGN * min(box.width, box.height)
    return small and apart <= RIM * box.height and max(box.width, box.height) <= WIDE * min(box.width, box.height)


@remembered
def outlined(image: Image) -> Sequence[tuple[Box, Outline]]:
    """The boxes with a (nearly) convex outline, each with its convex hull."""
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
    return tuple(found)


@remembered
def text_lines(image: Image) -> Sequence[Box]:
    """Bounding boxes of lines of text: components of similar height side by side."""
    return tuple(around(line) for line in _lines(edges_of(image)))


@remembered
def closed_lines(image: Image) -> Sequence[Box]:
    """Bounding boxes of components that are close together horizontally, as the letters of a text are, touching or
    not."""
    reach = max(round(WORD_GAP * min(image.shape[:2])), 5)
    joined = cv2.morphologyEx(edges_of(image), cv2.MORPH_CLOSE, np.ones((1, reach), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    return tuple(
        Box(x, y, wide, high)
        for x, y, wide, high, _ in stats[1:].tolist()
        if LEAST_LETTER <= high <= MOST_LETTER * image.shape[0] and wide >= high
    )


def parts_of_letters(image: Image, places: Sequence[Box]) -> bool:
    """Whether most of ``places``, taken for cells, are parts of letters: then several rows of them lie in the same line
    of text, while on a board a line of text is in a single row of cells."""
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
    """Those of ``boxes`` that are not letters of a line of text in ``mask`` (shape ``(height, width)``, 255 where it is
    drawn): a letter may look like a box, but not most letters of a line, and no letter is as wide as a word. The sides
    of a pale box, which may be all that the mask shows of it, are not letters."""
    letters: set[Box] = set()
    narrow = [each.box for each in boxes if each.box.width <= WIDE * each.box.height]
    for pieces in _lines(mask):
        line = [piece for piece in pieces if not any(_is_side(piece, each.box) for each in boxes)]
        among = [box for box in narrow if any(_same_box(box, letter) for letter in line)]
        if 2 * len(among) < len(line):
            letters.update(among)
    return [each for each in boxes if each.box not in letters]


def _is_side(piece: Box, box: Box) -> bool:
    """Whether ``piece`` is the left or right side of ``box``, or most of it."""
    reach = max(RIM * min(box.width, box.height), 3)
    near = piece.x - box.x <= reach or box.x + box.width - piece.x - piece.width <= reach
    return holds(box, piece) and near and piece.width <= 2 * reach and 2 * piece.height >= box.height


def differing(one: Image, other: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Shape ``(height, width)``: where two pictures of equal shape differ by more than a gradient does."""
    return np.asarray(largest_channel(cv2.absdiff(one, other)) > PALE)


@remembered
def _steepness(image: Image) -> Mask:
    """Shape ``(height, width)``: by how much (0 to 255) neighbouring pixels differ."""
    blue, green, red = cv2.split(cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def edges_of(image: Image, least: int = CHANGED) -> Mask:
    """Shape ``(height, width)``: 255 where neighbouring pixels differ by more than ``least``."""
    return np.asarray(cv2.threshold(_steepness(image), least, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _control(image: Image, box: Box, hull: Outline) -> Control | None:
    """The box with the convex hull ``hull`` as a control, with its colour and ink; None where it has no content, or no
    background of its own inside its outline (a letter has none)."""
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
    """The background of a control with a vertical gradient: in each row the median of its pixels, less than half of
    which are content. None where the colour is the same at top and bottom, and for boxes that are hardly wider than
    high, such as the insides of letters."""
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
    """``shape`` eroded by ``by`` pixels."""
    padded = np.pad(shape, 1)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1] > by)


def _same_box(one: Box, other: Box) -> bool:
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    shared = max(wide, 0) * max(high, 0)
    return shared > 0.6 * max(one.width * one.height, other.width * other.height)


def holds(outer: Box, inner: Box) -> bool:
    """Whether ``inner`` lies within ``outer``."""
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def same_size(one: Box, other: Box) -> bool:
    """Whether two boxes differ in size by no more than the boxes of one list do."""
    return abs(one.width - other.width) <= max(ALIKE * one.width, 3) and abs(one.height - other.height) <= max(
        ALIKE * one.height, 3
    )


def highest_line(ink: Mask) -> Mask | None:
    """The content of a box, cropped; of several lines the highest one."""
    lines = _runs(ink)
    if not lines:
        return None
    top, bottom = max(lines, key=lambda line: line[1] - line[0])
    columns = np.flatnonzero((ink[top:bottom] > CHANGED).any(axis=0))
    return ink[top:bottom, columns[0] : columns[-1] + 1]


def _runs(ink: Mask) -> list[tuple[int, int]]:
    """The rows of each line of text in a box: the first one, and the one after the last one."""
    lines: list[tuple[int, int]] = []
    inked_rows: list[bool] = np.asarray((ink > CHANGED).any(axis=1)).tolist()
    for y, inked in enumerate(inked_rows):
        if inked and lines and lines[-1][1] == y:
            lines[-1] = (lines[-1][0], y + 1)
        elif inked:
            lines.append((y, y + 1))
    return lines


def moved(before: Image, now: Image) -> list[Box]:
    """The boxes of the controls of ``now`` that look the same as one in ``before`` which is no longer seen at its own
    place: a message has come or gone beside them."""
    old, new = controls(before), controls(now)
    left = [each for each in old if not any(each.box == other.box and _alike(each, other) for other in new)]
    return [each.box for each in new if any(_alike(each, other) for other in left)]


def _alike(one: Control, other: Control) -> bool:
    """Whether two controls have the same size, colour and content."""
    same = one.ink.shape == other.ink.shape and colour_apart(one, other) <= CHANGED
    return same and not (cv2.absdiff(one.ink, other.ink) > CHANGED).any()


def one_line(control: Control) -> bool:
    """Whether the content is a single line, as on a button; a dialog has several."""
    heights = [bottom - top for top, bottom in _runs(control.ink)]
    return sum(2 * height >= max(heights) for height in heights) == 1


def colourfulness(control: Control) -> int:
    """The difference (of 255) between the largest and the smallest channel of the control's colour; 0 for grey."""
    return max(control.colour) - min(control.colour)


def colour_apart(one: Control, other: Control) -> int:
    """The distance (of 255, the largest channel) between the colours of two controls."""
    return max(abs(a - b) for a, b in zip(one.colour, other.colour, strict=True))


def strongest(control: Control) -> int:
    """The largest contrast (0 to 255) of the control's content."""
    return int(control.ink.max())
