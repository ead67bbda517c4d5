"""Chooses the areas of a window to remember: those outside the board that stay the same, and one that shows a win.
Works on pixels only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Image, Mask, around
from autoplayer.core.smallpicture import LARGEST
from autoplayer.session.looking.controls import changed

MOST = 4
"""The most anchors: more give no further certainty."""

DETAIL = 30.0
"""Grey levels between neighbouring pixels from which on there is detail."""

JOINED = 0.012
"""Details closer than this share of the window's smaller side (the letters of a word) form one area."""

SMALLEST, WIDEST = 0.02, 0.45
"""The least size of an area, as a share of the window's smaller side, and its largest, as a share of the window's width
or height: a speck may be noise, and a larger area is the window's own frame."""

BOARD_MARGIN = 0.2
"""The margin around a cell, in cells, that belongs to the board: walls, glow and shadows."""

RIM = 0.15
"""The margin that an area includes, as a share of its smaller side, plus two pixels: the mere inside of a button would
be found in every window."""

ALIKE = 0.97
"""Correlation above which an area stays the same: its colours may change, but not its lines."""

TO_EDGE = 2
"""Pixels: an area this close to the window's edge is its frame, or cut off."""

SIGN, LINE, LONG, SPARSE, WHOLE = 0.03, 0.012, 0.08, 0.2, 0.9
"""A win sign: its least side, and that of a line of text, as shares of the window's smaller side; the least length of
such a line; the least share of its box that has changed; and the largest share of the window's width or height."""

PLAIN = 4.0
"""Standard deviation in grey levels below which a picture shows nothing."""


def steady_areas(pictures: Sequence[tuple[Image, Mapping[Cell, Box]]]) -> list[Box]:
    """The areas outside the board that are alike in all ``pictures`` (each with the boxes of the board's cells), the
    most distinctive first. Pictures of another size than the last one's are ignored. None from a single picture, which
    does not tell what stays the same."""
    if not pictures:
        return []
    last = pictures[-1][0]
    same = [(image, places) for image, places in pictures if image.shape == last.shape]
    if len({image.tobytes() for image, _ in same}) < 2:
        return []
    free = np.full(last.shape[:2], 255, np.uint8)
    for _, places in same:
        _board(places).crop(free)[...] = 0
    found = []
    for box in _areas(np.asarray(_detail(last) & free, np.uint8), last.shape[:2]):
        grown = _grown(box, last.shape[:2])
        small = max(grown.width, grown.height) <= LARGEST
        if small and grown.crop(free).all() and all(_alike(grown.crop(image), grown.crop(last)) for image, _ in same):
            found.append(grown)
    return _apart(last, found)[:MOST]


def win_sign(first: Image, before: Image, done: Image, places: Mapping[Cell, Box], *, covered: bool) -> Box | None:
    """Where the picture of a won level (``done``) shows the win, outside the board, or over it where something
    ``covered`` it, while neither the level's beginning (``first``) nor the picture ``before`` its last move shows it.
    None where nothing shows it, or where the first move was the last one: then a move counter would look like it."""
    if not first.shape == before.shape == done.shape or not places:
        return None
    came = changed(before, done) & changed(first, done)
    restless = changed(first, before)
    if covered:
        boxes = [box for box, mask in _came(came, done) if _covers(mask, places)]
    elif restless.any():
        _board(places).crop(came)[...] = 0
        boxes = [box for box, mask in _came(came, done) if not restless[mask].any()]  # not a counter or a clock
    else:
        return None
    return boxes[0] if boxes else None


def _came(mask: Mask, done: Image) -> list[tuple[Box, NDArray[np.bool_]]]:
    """The components of ``mask`` that could be recognised in ``done``: each with its box, including a margin, and its
    pixels; the largest first."""
    smaller = min(done.shape[:2])
    reach = max(round(JOINED * smaller), 1)
    joined = cv2.morphologyEx(np.asarray(mask, np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found: list[tuple[int, Box, NDArray[np.bool_]]] = []
    for label in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[label])
        text = height >= LINE * smaller and width >= LONG * smaller
        if not (text or min(width, height) >= SIGN * smaller) or area < SPARSE * width * height:
            continue
        if max(width / done.shape[1], height / done.shape[0]) > WHOLE:
            continue  # the whole window changed: a flash, or another screen
        box = _grown(Box(x, y, width, height), done.shape[:2])
        shows = float(cv2.cvtColor(box.crop(done), cv2.COLOR_BGR2GRAY).std()) >= PLAIN
        if shows and max(box.width, box.height) <= LARGEST:
            found.append((area, box, labels == label))
    return [(box, pixels) for _, box, pixels in sorted(found, key=lambda each: -each[0])]


def fractions(box: Box, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """A box in a window of ``size`` (width, height) as fractions: left, top, width, height."""
    left, top = box.x / size[0], box.y / size[1]
    return round(left, 5), round(top, 5), round(box.width / size[0], 5), round(box.height / size[1], 5)


def _board(places: Mapping[Cell, Box], margin: float = BOARD_MARGIN) -> Box:
    """The bounding box of all cells, extended by ``margin`` of a cell on each side."""
    if not places:
        return Box(0, 0, 0, 0)
    boxes = list(places.values())
    rim = round(margin * float(np.median([max(box.width, box.height) for box in boxes])))
    return around(boxes, rim)


def _covers(mask: NDArray[np.bool_], places: Mapping[Cell, Box]) -> bool:
    """Whether the changed pixels are over cells of the board."""
    parts = [place.crop(mask) for place in places.values()]
    return any(part.size and part.mean() > 0.5 for part in parts)


def _alike(one: Image, other: Image) -> bool:
    """Whether two pictures of one area show the same, in any colours: a button may be lit in one of them."""
    a, b = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (one, other))
    return abs(float(cv2.matchTemplate(a, b, cv2.TM_CCOEFF_NORMED)[0, 0])) > ALIKE


def _detail(image: Image) -> Mask:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.25)
    return np.asarray((np.maximum(np.abs(dx), np.abs(dy)) > DETAIL) * 255, np.uint8)


def _areas(detail: Mask, shape: tuple[int, int]) -> list[Box]:
    """Boxes around the components of ``detail``, those with most detail first."""
    height, width = shape
    smaller = min(shape)
    reach = max(round(JOINED * smaller), 2)
    joined = cv2.dilate(detail, np.ones((reach, reach), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    found: list[tuple[int, Box]] = []
    for label in range(1, count):
        x, y, w, h, _ = (int(v) for v in stats[label])
        if x < TO_EDGE or y < TO_EDGE or x + w > width - TO_EDGE or y + h > height - TO_EDGE:
            continue
        if max(w, h) < SMALLEST * smaller or w > WIDEST * width or h > WIDEST * height or min(w, h) < 6:
            continue
        box = Box(x, y, w, h)
        found.append((int(np.count_nonzero(box.crop(detail))), box))
    return [box for _, box in sorted(found, key=lambda each: -each[0])]


def _grown(box: Box, shape: tuple[int, int]) -> Box:
    rim = round(RIM * min(box.width, box.height)) + 2
    left, top = max(box.x - rim, 0), max(box.y - rim, 0)
    right, bottom = min(box.x + box.width + rim, shape[1]), min(box.y + box.height + rim, shape[0])
    return Box(left, top, right - left, bottom - top)


def _apart(image: Image, boxes: Sequence[Box]) -> list[Box]:
    """``boxes`` without those that touch an earlier one, first those in different parts of the window, because one
    cover does not hide them all."""
    height, width = image.shape[:2]
    chosen: list[Box] = []
    met: set[tuple[int, int]] = set()
    later: list[Box] = []
    for box in boxes:
        if any(
            box.x < one.x + one.width
            and one.x < box.x + box.width
            and box.y < one.y + one.height
            and one.y < box.y + box.height
            for one in [*chosen, *later]
        ):
            continue
        part = 3 * box.centre[0] // max(width, 1), 3 * box.centre[1] // max(height, 1)
        (later if part in met else chosen).append(box)
        met.add(part)
    return [*chosen, *later]
