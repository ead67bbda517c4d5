"""Signs on buttons that mean the same in every language: a cross that closes, a triangle or an arrow to the right, one
that points down after a text (a drop-down list), five stars in a row that ask for a rating. Works on pixels only."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask, Point, around, largest_channel
from autoplayer.session.looking.boxes import Control, differing
from autoplayer.session.looking.controls import CHANGED

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

SIDE = 24
"""Pixels: the side to which a sign is scaled."""

ALONG, BESIDE = 0.16, 0.35
"""Distances from the diagonals, in sides: pixels of a cross's two strokes are at most the first from them, and its
empty parts at least the second."""

STROKE, EMPTY = 0.55, 0.1
"""The least share of the former that a cross covers, and the largest share of the latter."""

SQUARE = 0.75
"""The least ratio of the sides of a cross."""

UPPER, OFF = 0.6, 0.12
"""The upper part of the window, as a share of its height, in which a closing cross may be, and its least distance from
the window's middle, as a share of the width."""

LEAST, MOST = 7, 0.09
"""The size of a cross: at least in pixels, at most as a share of the window's smaller side."""

MOST_CROSSES = 2
"""With more of them they are not crosses that close something, but checked boxes, or letters."""

MIRRORED, LEANING = 0.8, 0.75
"""A sign points right where its vertical mirror image overlaps it by at least the first share, and its horizontal
mirror image by at most the second."""

TIP, NEAR_MIDDLE = 0.12, 0.2
"""The rightmost part of such a sign, as a share of its width, and how far all of it may be from the middle, as a share
of the height."""

LOWER, OFF_TEXT = 0.85, 0.3
"""The sign of a drop-down list has at most the first share of its text's height, and at least the second one as its
distance from the text: the v of "Prev" is closer, and the V of "Level V" is higher."""

RATED = 5
"""How many equal signs stand in a row in a request for a rating; a level's result is shown with three."""

STEPS, SIZES = 0.15, 0.1
"""The largest relative difference between the distances, and between the sizes, of such signs."""

UPON = 0.2
"""The largest distance, in cells, between the middles of a sign and of the cell that contains it."""

CAME = 0.1
"""The least share of a sign that must change for it to have appeared."""


def crosses(before: Image | None, now: Image, places: Collection[Box]) -> list[Point]:
    """The middles of the crosses that close something in ``now``: small, beside the middle of the window, in its upper
    part. Those that were there ``before`` do not count, nor do cells of a board, which are at ``places``. Empty where
    there are more than a screen has."""
    height, width = now.shape[:2]
    came = differing(before, now) if before is not None and before.shape == now.shape else None
    largest = max(MOST * min(width, height), 2 * LEAST)
    found: list[Box] = []
    signs = _signs(now)
    for box, ink in signs:
        x, y = box.centre
        if not LEAST <= max(box.width, box.height) <= largest or y > UPPER * height or abs(x - width / 2) < OFF * width:
            continue
        if came is not None and (float(box.crop(came).mean()) <= CAME or any(each.contains((x, y)) for each in places)):
            continue
        if (
            _is_cross(ink)
            and not any(each.contains((x, y)) for each in found)
            and not any(_beside(box, other) for other, _ in signs)
        ):
            found.append(box)
    return [box.centre for box in found] if len(found) <= MOST_CROSSES else []


def _signs(image: Image) -> list[tuple[Box, Mask]]:
    """The components of one colour in ``image`` that touch no edge of it, darker or lighter than their surroundings,
    each with its mask."""
    found: list[tuple[Box, Mask]] = []
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    reach = max(round(MOST * min(grey.shape)), LEAST) | 1
    for against in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        out = cv2.morphologyEx(grey, against, np.ones((reach, reach), np.uint8))
        mask = np.asarray((out > CHANGED) * np.uint8(255), np.uint8)
        found += [(box, ink) for box, ink in _parts(mask) if max(box.width, box.height) <= reach]
    return found


def _parts(mask: Mask) -> Iterator[tuple[Box, Mask]]:
    """The connected components of a mask, without specks, each with its own mask."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    for label, (x, y, wide, high, _) in enumerate(stats[1:].tolist(), 1):
        if min(wide, high) >= LEAST:
            box = Box(x, y, wide, high)
            yield box, np.asarray((box.crop(labels) == label) * np.uint8(255), np.uint8)


def _beside(box: Box, other: Box) -> bool:
    """Whether ``other`` is in the line of ``box``, as close as the next letter or word, and of similar height."""
    gap = max(other.x - box.x - box.width, box.x - other.x - other.width)
    level = other.y < box.centre[1] < other.y + other.height
    return level and 0 <= gap <= box.width and 3 * other.height > box.height


def _is_cross(ink: Mask) -> bool:
    """Whether a cropped mask shows two strokes from corner to corner."""
    high, wide = ink.shape
    if min(high, wide) < SQUARE * max(high, wide):
        return False
    inked = cv2.resize(ink, (SIDE, SIDE), interpolation=cv2.INTER_AREA) > 127
    along = (np.arange(SIDE) + 0.5) / SIDE
    falling = np.abs(along[:, None] - along[None, :])
    rising = np.abs(along[:, None] + along[None, :] - 1)
    arms = [falling <= ALONG / 2, rising <= ALONG / 2]
    beside = np.minimum(falling, rising) >= BESIDE
    return bool(all(inked[arm].mean() >= STROKE for arm in arms) and inked[beside].mean() <= EMPTY)


def points_right(control: Control) -> bool:
    """Whether a single sign on ``control`` points right: its upper half mirrors its lower one, its left half does not
    mirror its right one, and it ends on the right in the middle of its height."""
    return _points_right(_cropped(control.ink > CHANGED))


def drops_down(control: Control) -> bool:
    """Whether ``control`` shows a text and, at its right end, a lower sign that points down: a press opens a list, of
    which the text is one entry."""
    inked = _cropped(control.ink > CHANGED)
    empty = np.flatnonzero(~inked.any(axis=0))
    if not empty.size:
        return False
    text, sign = _cropped(inked[:, : empty[-1]]), _cropped(inked[:, empty[-1] :])
    off = inked.shape[1] - text.shape[1] - sign.shape[1]
    lower = sign.shape[0] <= LOWER * text.shape[0] and off >= OFF_TEXT * text.shape[0]
    return bool(lower and _points_right(sign.T))


def _cropped(inked: Bools) -> Bools:
    """``inked`` without empty rows and columns at its edges."""
    rows, columns = (np.flatnonzero(inked.any(axis=axis)) for axis in (1, 0))
    return inked[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if columns.size else inked[:0, :0]


def _points_right(sign: Bools) -> bool:
    """Whether the mask of a single sign, cropped, points right."""
    high, wide = sign.shape
    if not sign.size:
        return False
    if not high <= 2 * wide <= 4 * high:
        return False
    tip = np.flatnonzero(sign[:, wide - max(round(TIP * wide), 1) :].any(axis=1))
    middle = bool(np.abs((tip + 0.5) / high - 0.5).max() <= NEAR_MIDDLE)
    return middle and _covered(sign, sign[::-1]) >= MIRRORED and _covered(sign, sign[:, ::-1]) <= LEANING


def lone_sign(control: Control) -> bool:
    """Whether the content of ``control`` is a single figure, such as a plus, a minus or a gear, and not a word: one
    component, and not a script whose letters are joined."""
    inked = np.asarray((control.ink > CHANGED) * np.uint8(255), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(inked)
    pieces = stats[1:]
    if not len(pieces):
        return False
    _, _, wide, high, area = pieces[pieces[:, cv2.CC_STAT_AREA].argmax()].tolist()
    one = area >= ALONE * pieces[:, cv2.CC_STAT_AREA].sum()
    return bool(one and (wide <= WORD * high or area >= ALONE * wide * high))


ALONE, WORD = 0.9, 1.5
"""The least share of all ink that a single sign has, or of its box that a bar fills; and the least ratio of width to
height of a word whose letters are joined."""


def _covered(one: Bools, other: Bools) -> float:
    return float((one & other).sum()) / max(float((one | other).sum()), 1.0)


def rating(before: Image, now: Image, places: Collection[Box]) -> Box | None:
    """The row of five equal, equidistant signs that has appeared since ``before`` and asks for a rating; None where
    there is none. ``places``: the cells of the board."""
    came = differing(before, now) if before.shape == now.shape else None
    pieces = [(box, ink) for box, ink in _pieces(now) if came is None or float(box.crop(came).mean()) > CAME]
    for seed, shape in pieces:
        row = [
            box
            for box, ink in pieces
            if abs(box.centre[1] - seed.centre[1]) <= max(SIZES * seed.height, 1)
            and abs(box.width - seed.width) <= max(SIZES * seed.width, 1)
            and abs(box.height - seed.height) <= max(SIZES * seed.height, 1)
            and _like(ink, shape)
        ]
        row.sort(key=lambda box: box.x)
        steps = [b.x - a.x for a, b in pairwise(row)]
        if len(row) != RATED or max(steps) - min(steps) > max(STEPS * max(steps), 2):
            continue
        if came is None or not all(_upon(box, places) for box in row):  # else a row of the board, darkened by a shade
            return around(row)
    return None


def _upon(box: Box, places: Collection[Box]) -> bool:
    """Whether ``box`` is in the middle of a cell, or is one."""
    return any(
        abs(box.centre[0] - place.centre[0]) <= UPON * place.width
        and abs(box.centre[1] - place.centre[1]) <= UPON * place.height
        for place in places
    )


def _like(one: Mask, other: Mask) -> bool:
    """Whether two components have the same outline, whatever is inside."""
    small = []
    for each in (one, other):
        outlines = cv2.findContours(each, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        filled = cv2.drawContours(np.zeros_like(each), outlines, -1, 255, cv2.FILLED)
        small.append(cv2.resize(filled, (SIDE, SIDE), interpolation=cv2.INTER_AREA) > 127)
    return _covered(small[0], small[1]) >= MIRRORED


def _pieces(image: Image) -> list[tuple[Box, Mask]]:
    """As ``_signs``, by outlines alone: of any brightness."""
    edges = largest_channel(cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)))
    mask = np.asarray((edges > CHANGED) * np.uint8(255), np.uint8)
    return [(box, ink) for box, ink in _parts(mask) if max(box.width, box.height) <= 2 * min(box.width, box.height)]
