"""Title screens and lists of levels, in pictures in which no board is seen: which boxes stand there with something on
them, whether they are a list of levels, and what a person would press to begin. Pixels only, and no text is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.frame import Box, Floats, Image, Mask, Point, around
from autoplayer.session.controls import CHANGED, SOLID
from autoplayer.session.shade import unshaded

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

WIDE = 1.8
"""How many times as wide as high a control is at least whose colour may run."""

LEAST_TALL = 0.15
"""Of a control's height, what stands on it has at least."""

BARE = 0.15
"""The most of a control's ground, just inside its outline, on which something may stand."""

ALIKE = 0.12
"""How far (a share of them) the sides and the distances of the boxes of one list may differ."""

FEWEST, FEWEST_IN_ROW, FEWEST_IN_COLUMN = 6, 5, 3
"""How many boxes a list of levels has at least: as a table, in a single row, one below the other."""

FEWEST_SHOWN = 2
"""How many boxes of a table show numbers, at least: the others may be locked."""

TALL, ONE_DIGIT = 0.75, 1.05
"""The height of a digit, at least, and its width, at most, in heights of the line: a tick beside it is lower."""

DIFFERENT = 0.8
"""The part of a list's boxes that no other one resembles, each having a number of its own (boards repeat theirs), and
that have as many digits as their places in the list."""

SAME_INK = 0.93
"""Correlation above which two boxes show the same: equal glyphs have more, a 6 and an 8 less."""

SAME_PART, PART = 0.75, 0.8
"""The same for a part of a text, and how wide such a part is, in the text's heights."""

GLYPH = 24
"""Pixels: the side to which what stands on a box is brought before it is compared."""

BEGINS, SAME_BEGIN = 1.5, 0.85
"""How much of each text is compared where texts are to begin alike, in its heights, and the correlation above which
they do: texts in the middle of their boxes begin at parts of a pixel."""

RIM_ACROSS, RIM_TOP, RIM_FOOT = 0.15, 0.12, 0.04
"""The parts of the window's width and height in which no way in is looked for: bars, closing crosses, small print."""

SAME_MIDDLE = 0.2
"""How far, in cells, the middle of a box is from that of the cell which it is."""

MIDDLE, MOST_ON_DIALOG = 0.15, 2
"""How far from the window's middle that of a dialog is, in shares of its sides, and how many controls stand on it."""

MOST_BOXES = 12
"""How many boxes with something on them a title screen shows; with more it is a page, or a board that is not read."""

AS_LARGE = 0.4
"""Of the largest control's area, what another one has at least to be one of those that lead on."""

OWN_COLOUR = 40
"""How far (of 255, the largest channel) one control's colour is from the others' where it is to be noticed first."""

LETTER_GAP = 1.2
"""Of a letter's height, how far it may be from the next one of its line, or of the next word."""

UPPER = 1.7
"""How much higher one letter is than another of its line, at most."""

LEAST_LETTER, MOST_LETTER = 6, 0.3
"""The sides of letters: pixels, and of the window's."""

LETTERS = 3
"""How many letters a line of text has at least."""

STRIP, LEAST_STRIP, MOST_STRIP, MOST_ON_BANNER = 0.9, 0.06, 0.5, 3
"""Of a banner: the part of the window's width along which its rim is seen, its height as a share of the window's, and
how many controls stand on it."""

CAME, MOST_CAME = 0.02, 6
"""The part of a box that looks otherwise than before where it came or lit up, and how many do so at a level's end, at
most."""

WORD_GAP = 0.015
"""Of the window's smaller side: how far the letters and words of an entry in a list are apart, at most."""

LISTED = 4.0
"""How far right of the lines of a list, in their heights, what belongs to one of them may stand: a tick, its time."""

PLAIN = 0.55
"""How much less colour and contrast (a share) a level has that is locked."""


Outline = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


@dataclass(frozen=True)
class Control:
    """A box with something on it. ``colour``: its own (BGR), ``ink``: what stands on it, shape ``(height, width)`` of
    the box, 0 to 255, the more the farther from that colour."""

    box: Box
    colour: tuple[int, int, int]
    ink: Mask


@dataclass(frozen=True)
class LevelList:
    """The boxes of a list of levels, in reading order."""

    boxes: tuple[Control, ...]

    def same_places(self, other: LevelList) -> bool:
        """Whether ``other`` has its boxes where this one has them."""
        reach = max(self.boxes[0].box.height // 4, 2)
        return len(self.boxes) == len(other.boxes) and all(
            abs(a.box.x - b.box.x) <= reach and abs(a.box.y - b.box.y) <= reach
            for a, b in zip(self.boxes, other.boxes, strict=True)
        )

    def first(self, *, some_done: bool = False) -> list[int]:
        """Which boxes to try, the likeliest first, where nothing is known of what was played: the first one that
        looks otherwise than those before it (they are solved), unless it is the paler one (then it is locked, as those
        after it); and the first of all. ``some_done``: whether it is known that at least one of them is solved."""
        kinds = _kinds(self.boxes)
        at = next((k for k, kind in enumerate(kinds) if kind != kinds[0]), 0)
        locked = not some_done and _paler(self.boxes[at], self.boxes[0])
        return list(dict.fromkeys([0, at] if locked else [at, 0]))


def controls(image: Image) -> list[Control]:
    """All boxes in ``image`` that have an outline of their own and something on them, and hold no other such box."""
    height, width = image.shape[:2]
    found = [
        (box, hull) for box, hull in _outlined(image) if box.width <= WIDEST * width and box.height <= HIGHEST * height
    ]
    # The two sides of an outline, a shadow and a shine are met as boxes of their own: the largest of them is kept.
    inked: list[Control] = []
    for box, hull in sorted(found, key=lambda each: -each[0].width * each[0].height):
        if any(_same_box(box, other.box) for other in inked):
            continue
        control = _control(image, box, hull)
        if control is not None:
            inked.append(control)
    alone = [one for one in inked if not any(_holds(one.box, other.box) for other in inked if other is not one)]
    letters = {each.box for line in _lines(_edges(image)) for each in _letters_of(line, alone)}
    return [one for one in alone if one.box not in letters]


def _outlined(image: Image) -> list[tuple[Box, Outline]]:
    """The boxes that have an outline without notches, with its hull."""
    least = max(LEAST_SIDE, LEAST * min(image.shape[:2]))
    found: list[tuple[Box, Outline]] = []
    for edges in (_edges(image), _edges(image, PALE)):
        for outline in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            x, y, wide, high = cv2.boundingRect(outline)
            if min(wide, high) < least:
                continue
            hull = cv2.convexHull(outline)
            area = cv2.contourArea(hull)
            if area >= DISC * wide * high and cv2.contourArea(outline) >= SOLID * area:
                found.append((Box(x, y, wide, high), np.asarray(hull, np.int32)))
    return found


def on_a_dialog(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Control]:
    """Those of ``found`` that stand on a box in the middle of the window which is no board: a dialog, or a page of
    help, over a board. ``places``: where the board's cells were seen, of which few lie on the box. Empty where there
    are more than two."""
    height, width = image.shape[:2]
    panels = [
        box
        for box, _ in _outlined(image)
        if box.width <= WIDEST * width
        and box.height <= WIDEST * height
        and abs(box.centre[0] - width / 2) <= MIDDLE * width
        and abs(box.centre[1] - height / 2) <= MIDDLE * height
        and 3 * sum(box.contains(place.centre) for place in places) <= len(places)
    ]

    def on(control: Control, panel: Box) -> bool:
        larger = panel.width >= 1.5 * control.box.width and panel.height >= 1.5 * control.box.height
        return larger and _holds(panel, control.box)

    cells = [each for each in found if stands_at(each, places)]
    panels = [panel for panel in panels if not any(on(each, panel) for each in cells)]
    chosen = [each for each in found if any(on(each, panel) for panel in panels)]
    return chosen if len(chosen) <= MOST_ON_DIALOG else []


def on_a_banner(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Control]:
    """Those of ``found`` that stand on a banner which hides a part of a board: a strip along the window's upper or
    lower edge, as wide as the window, at whose rim something of the board is cut off. ``places``: where the board's
    cells were seen. The one in a colour comes first; empty where there are more than three, as on a bar of tools."""
    if not places:
        return []
    height, width = image.shape[:2]
    board = around(places, max(box.height for box in places))
    left, right = max(board.x, 0), min(board.x + board.width, width)
    down = np.abs(np.diff(image.astype(np.int16), axis=0)).max(axis=2) > PALE
    across = np.abs(np.diff(image.astype(np.int16), axis=1)).max(axis=2) > CHANGED
    for y in np.flatnonzero(down.mean(axis=1) > STRIP).tolist():
        for above in (True, False):
            tall = height - 1 - y if above else y + 1
            if not LEAST_STRIP * height <= tall <= MOST_STRIP * height:
                continue
            beside = y - 1 if above else y + 2
            cut = np.count_nonzero(across[beside, left : right - 1]) if 0 <= beside < height else 0
            strip = Box(0, y + 1, width, tall) if above else Box(0, 0, width, tall)
            chosen = [each for each in found if _holds(strip, each.box) and not stands_at(each, places)]
            if cut >= 2 and 0 < len(chosen) <= MOST_ON_BANNER:
                chosen.sort(key=lambda each: -_colourful(each))
                return chosen
    return []


def stands_at(control: Control, places: Sequence[Box]) -> bool:
    """Whether ``control`` is a cell, at one of ``places``: their middles are the same, and their sizes about."""
    box = control.box
    return any(
        abs(box.centre[0] - place.centre[0]) <= SAME_MIDDLE * place.width
        and abs(box.centre[1] - place.centre[1]) <= SAME_MIDDLE * place.height
        and place.height < 2 * box.height < 4 * place.height
        for place in places
    )


def level_list(found: Sequence[Control]) -> LevelList | None:
    """The list of levels among ``found``: a full table of boxes of one size (its last row may be shorter) with numbers,
    or with texts that begin alike, which those in a single column do; each has something else on it, but for the last
    ones, which may all be locked. None where there is none."""
    best: LevelList | None = None
    for seed in found:
        like = [each for each in found if _same_size(seed.box, each.box)]
        if best is not None and len(like) <= len(best.boxes):
            continue
        rows = _rows(like)
        ordered = [each for row in rows for each in row]
        single = len(rows[0]) == 1
        least = FEWEST_IN_COLUMN if single else FEWEST_IN_ROW if len(rows) == 1 else FEWEST
        if len(ordered) < least or not _table(rows):
            continue
        if not _begin_alike(ordered) and (single or not _counted(ordered)):
            continue
        if _all_different(ordered, begin=single):
            best = LevelList(tuple(ordered))
    return best


def controls_that_came(start: Image, before: Image, now: Image, places: Collection[Box]) -> list[Box]:
    """The boxes with a line of text or a sign on them that look otherwise in ``now`` than in ``before`` (pictures of
    one shape, before and after the last move) and are no cells of the board, whose cells are at ``places``: the largest
    first, but for one of the large ones that has a colour and the others none, or not that one. What had changed
    already between ``start`` and ``before`` is a counter or a clock. Empty where there are more than a person is given
    to choose from at a level's end."""
    if not start.shape == before.shape == now.shape:
        return []
    came, restless = _far(before, unshaded(before, now, places)), _far(start, before)
    if places:
        around(places).crop(restless)[...] = False  # what was drawn there
    found = [
        each
        for each in controls(now)
        if _one_line(each)
        and not stands_at(each, [*places])
        and float(each.box.crop(came).mean()) > CAME
        and not each.box.crop(restless).any()
    ]
    return _in_order(found) if len(found) <= MOST_CAME else []


def controls_beside(image: Image, places: Collection[Box]) -> list[Box]:
    """The boxes with a line of text or a sign that stand beside the board, whose cells are at ``places``, in the order
    of :func:`controls_that_came`. Empty where there are more than a person would try."""
    board = around(places)
    found = [
        each
        for each in controls(image)
        if _one_line(each) and not board.contains(each.box.centre) and not stands_at(each, [*places])
    ]
    return _in_order(found) if len(found) <= MOST_CAME else []


def _in_order(found: Sequence[Control]) -> list[Box]:
    """The largest first, but for one of the large ones that has a colour and the others none, or not that one."""
    if not found:
        return []
    ordered = sorted(found, key=lambda each: -_area(each))
    large = [each for each in ordered if _area(each) >= AS_LARGE * _area(ordered[0])]
    colourful = [each for each in large if _colourful(each) > OWN_COLOUR]
    plain = [each for each in large if _colourful(each) < PLAIN * OWN_COLOUR]
    own = colourful if len(colourful) + len(plain) == len(large) else _own_colour(large)
    first = own if len(own) == 1 else []
    return [each.box for each in [*first, *(each for each in ordered if each not in first)]]


def entry_after(image: Image, at: Point) -> Point | None:
    """The middle of the entry after the one at ``at``, in a list that stands beside the board: boxes of one size, in
    rows of equal distances, or lines of text, one below the other. None where ``at`` is on no such entry, or on the
    last one."""
    found = controls(image)
    seed = min(
        (each for each in found if each.box.contains(at)),
        key=lambda each: each.box.width * each.box.height,
        default=None,
    )
    if seed is not None:
        rows = _rows([each for each in found if _same_size(seed.box, each.box)])
        ordered = [each.box for row in rows for each in row]
        if len(ordered) >= FEWEST_IN_COLUMN and _table(rows):
            after = ordered.index(seed.box) + 1
            return ordered[after].centre if after < len(ordered) else None
    return _line_after(text_lines(image), at) or _line_after(_closed_lines(image), at)


def _closed_lines(image: Image) -> list[Box]:
    """Boxes around what stands side by side closely, as the letters of a text do, whether they touch or not."""
    reach = max(round(WORD_GAP * min(image.shape[:2])), 5)
    joined = cv2.morphologyEx(_edges(image), cv2.MORPH_CLOSE, np.ones((1, reach), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    return [
        Box(x, y, wide, high)
        for x, y, wide, high, _ in stats[1:].tolist()
        if LEAST_LETTER <= high <= MOST_LETTER * image.shape[0] and wide >= high
    ]


def _line_after(lines: Sequence[Box], at: Point) -> Point | None:
    """The middle of the line after the one at ``at``, of at least three that begin below one another, equally far
    apart. That one itself need not be among ``lines``: it may be marked by a box around it."""
    for seed in sorted(lines, key=lambda each: abs(each.centre[1] - at[1])):
        high = seed.height
        alike = [each for each in lines if each.height < UPPER * high < UPPER**2 * each.height]
        column = sorted((each for each in alike if abs(each.x - seed.x) <= high / 2), key=lambda each: each.centre[1])
        right = max(each.x + each.width for each in column)
        if len(column) < FEWEST_IN_COLUMN - 1 or not seed.x - high <= at[0] <= right + LISTED * high:
            continue
        down = float(np.median([b.centre[1] - a.centre[1] for a, b in pairwise(column)]))
        steps = {each: (each.centre[1] - at[1]) / max(down, 1.0) for each in column}
        rows = {round(step): each for each, step in steps.items() if abs(step - round(step)) <= 2 * ALIKE}
        if 1 in rows and len({0, *rows} & {-2, -1, 0, 1, 2}) >= FEWEST_IN_COLUMN:
            return rows[1].centre
    return None


def is_numbered(tokens: Sequence[str]) -> bool:
    """Whether ``tokens``, what was read in the cells of a board in reading order, are the numbers from 1 on: that is a
    list of levels. Other signs (a tick, a lock) may stand in place of some."""
    numbers = [(k, int(token)) for k, token in enumerate(tokens, 1) if token.isdecimal()]
    return len(numbers) >= 6 and 2 * len(numbers) > len(tokens) and all(k == number for k, number in numbers)


def ways_in(image: Image, found: Sequence[Control]) -> list[Point]:
    """Where a person would press on a title screen to begin, the likeliest first: of the controls in the middle of the
    window the one in a colour of its own, else the first of the large ones; without any, the first of the lines of text
    that stand below the largest one. Empty where there is too much to choose from."""
    height, width = image.shape[:2]

    def central(box: Box) -> bool:
        x, y = box.centre
        across = RIM_ACROSS * width <= x <= (1 - RIM_ACROSS) * width
        return bool(across and RIM_TOP * height <= y <= (1 - RIM_FOOT) * height)

    if len(found) > MOST_BOXES:
        return []
    middle = [each for each in found if central(each.box)]
    if middle:
        largest = max(_area(each) for each in middle)
        large = [each for each in middle if _area(each) >= AS_LARGE * largest]
        large.sort(key=lambda each: (each.box.y, each.box.x))
        own = _own_colour(large)
        same = len(large) - len(own) > 1
        chosen = [*(own[:1] if same and len(own) == 1 else []), *large[:1]]
        return list(dict.fromkeys(each.box.centre for each in chosen))
    lines = [box for box in text_lines(image) if central(box)]
    if not lines:
        return []
    tallest = max(lines, key=lambda box: box.height)
    below = [box for box in lines if box is not tallest and box.y > tallest.y]
    if not below:
        return [tallest.centre]
    high = max(box.height for box in below)
    first = min((box for box in below if box.height >= (1 - ALIKE) * high), key=lambda box: (box.y, box.x))
    return [first.centre]


def text_lines(image: Image) -> list[Box]:
    """Boxes around lines of text: pieces of about one height side by side."""
    return [around(line) for line in _lines(_edges(image))]


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


def _letters_of(line: Sequence[Box], boxes: Sequence[Control]) -> list[Control]:
    """Those of ``boxes`` that are letters of ``line``: most of the line is no such box."""
    among = [each for each in boxes if any(_same_box(each.box, letter) for letter in line)]
    return among if 2 * len(among) < len(line) else []


def moved_on(before: Image, after: Image, at: Box | None) -> bool:
    """Whether ``after`` shows another screen than ``before``: much has changed, elsewhere than on the pressed control
    ``at``."""
    if before.shape != after.shape:
        return True
    changed = _far(before, after)
    if at is not None:
        grown = Box(at.x - at.width // 4, at.y - at.height // 4, at.width * 3 // 2, at.height * 3 // 2)
        grown.crop(changed)[...] = False
    return float(changed.mean()) > 0.02  # a line of text that blinks covers less


def _far(one: Image, other: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray(cv2.absdiff(one, other).max(axis=2) > PALE)


def _edges(image: Image, least: int = CHANGED) -> Mask:
    """Shape ``(height, width)``: 255 where neighbouring pixels differ by more than ``least``."""
    steep = cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)).max(axis=2)
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
        ink = cv2.absdiff(part, ground.copy()).max(axis=2)
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


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def _same_size(one: Box, other: Box) -> bool:
    return abs(one.width - other.width) <= max(ALIKE * one.width, 3) and abs(one.height - other.height) <= max(
        ALIKE * one.height, 3
    )


def _rows(boxes: Sequence[Control]) -> list[list[Control]]:
    """In reading order: rows from the top, each from the left."""
    rows: list[list[Control]] = []
    for each in sorted(boxes, key=lambda one: one.box.centre[1]):
        if rows and abs(rows[-1][0].box.centre[1] - each.box.centre[1]) <= each.box.height / 2:
            rows[-1].append(each)
        else:
            rows.append([each])
    return [sorted(row, key=lambda one: one.box.x) for row in rows]


def _table(rows: Sequence[Sequence[Control]]) -> bool:
    """Whether all rows but the last one are equally long, and all distances in them, and between them, are equal."""
    if any(len(row) != len(rows[0]) for row in rows[:-1]) or len(rows[-1]) > len(rows[0]):
        return False
    across = [b.box.x - a.box.x for row in rows for a, b in pairwise(row)]
    down = [b[0].box.y - a[0].box.y for a, b in pairwise(rows)]
    return all(not steps or max(steps) - min(steps) <= max(ALIKE * max(steps), 3) for steps in (across, down))


def _line(ink: Mask) -> Mask | None:
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


def _one_line(control: Control) -> bool:
    """Whether a single line stands on a box, as on a button; on a dialog there are several."""
    heights = [bottom - top for top, bottom in _runs(control.ink)]
    return sum(2 * height >= max(heights) for height in heights) == 1


def _glyph(ink: Mask) -> Floats | None:
    """The line that stands on a box, brought to one size."""
    part = _line(ink)
    if part is None:
        return None
    wide = max(round(part.shape[1] * GLYPH / part.shape[0]), 1)
    brought = cv2.resize(part, (min(wide, 12 * GLYPH), GLYPH), interpolation=cv2.INTER_AREA)
    return np.asarray(brought, np.float32)


def _same_glyph(one: Floats, other: Floats) -> bool:
    """Whether both show the same, in every part of their width: of two texts a single digit may differ."""
    if abs(one.shape[1] - other.shape[1]) > max(0.1 * one.shape[1], 1):
        return False
    fitted = np.asarray(cv2.resize(other, (one.shape[1], one.shape[0])), np.float32)
    if _likeness(one, fitted) <= SAME_INK:
        return False
    wide = round(PART * GLYPH)
    parts = range(0, max(one.shape[1] - wide, 0) + 1, wide // 2)
    return all(_likeness(one[:, x : x + wide], fitted[:, x : x + wide]) > SAME_PART for x in parts)


def _likeness(one: Floats, other: Floats) -> float:
    """Correlation; 1 for two parts in which nothing stands."""
    a, b = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    faint = max(float(np.linalg.norm(a)), float(np.linalg.norm(b))) < CHANGED * one.size**0.5 / 2
    return 1.0 if faint else float((a * b).sum()) / size if size else 0.0


def _all_different(boxes: Sequence[Control], *, begin: bool) -> bool:
    """Whether (nearly) each box shows what no other one shows, apart from those at the end that are all alike."""
    glyphs = [_glyph(each.ink) for each in boxes]
    shown = [glyph for glyph in glyphs if glyph is not None]
    if len(shown) < len(boxes):
        return False
    open_ones = len(shown)
    while open_ones > 1 and not begin and _same_glyph(shown[open_ones - 1], shown[-1]):
        open_ones -= 1
    if open_ones < len(shown) - 1:
        shown = shown[:open_ones]  # those after are locked; one alone is no row of locks
    different = sum(
        not any(_same_glyph(one, other) for k, other in enumerate(shown) if k != n) for n, one in enumerate(shown)
    )
    return different >= DIFFERENT * len(shown)


def _begin_alike(boxes: Sequence[Control]) -> bool:
    """Whether the texts on the boxes begin alike, as "Level 1" and "Level 2" do."""
    lines = [_line(each.ink) for each in boxes]
    first = lines[0]
    if first is None:
        return False
    high, wide = first.shape[0], round(BEGINS * first.shape[0])
    begin = first[1 : high - 1, :wide]  # the next one may be drawn a pixel higher or lower
    if min(begin.shape) < LEAST_LETTER:
        return False
    for line in lines[1:]:
        if line is None or min(line.shape[0], line.shape[1] - wide) < begin.shape[0]:
            return False
        if float(cv2.matchTemplate(line[:, : wide + 2], begin, cv2.TM_CCOEFF_NORMED).max()) <= SAME_BEGIN:
            return False
    return True


def _counted(boxes: Sequence[Control]) -> bool:
    """Whether most boxes show as many digits as their numbers have; those that are locked show none."""
    digits = [_digits(each.ink) for each in boxes]
    shown = [(k, count) for k, count in enumerate(digits, 1) if count]
    right = sum(count == len(str(k)) for k, count in shown)
    return len(shown) >= FEWEST_SHOWN and right >= DIFFERENT * len(shown)


def _digits(ink: Mask) -> int:
    """How many digits stand on a box, by the pieces that are nearly as high as their line, of which one that is too
    wide for a digit is two; 0 where nothing stands there."""
    line = _line(ink)
    if line is None:
        return 0
    _, _, stats, _ = cv2.connectedComponentsWithStats((line > CHANGED).astype(np.uint8))
    high = line.shape[0]
    wide = [int(piece[cv2.CC_STAT_WIDTH]) for piece in stats[1:] if piece[cv2.CC_STAT_HEIGHT] >= TALL * high]
    return sum(1 if width <= ONE_DIGIT * high else 2 for width in wide)


def _area(control: Control) -> int:
    return control.box.width * control.box.height


def _colourful(control: Control) -> int:
    return max(control.colour) - min(control.colour)


def _own_colour(boxes: Sequence[Control]) -> list[Control]:
    """Those of more than two that have a colour which none of the others has."""
    return [
        each
        for each in boxes
        if len(boxes) > 2 and all(_colour_apart(each, other) > OWN_COLOUR for other in boxes if other is not each)
    ]


def _colour_apart(one: Control, other: Control) -> int:
    return max(abs(a - b) for a, b in zip(one.colour, other.colour, strict=True))


def _kinds(boxes: Sequence[Control]) -> list[int]:
    """For each box the number of its kind: those of one colour, and with about as much on them beside the number, are
    of one kind."""
    kinds: list[int] = []
    seen: list[Control] = []
    for each in boxes:
        for number, known in enumerate(seen):
            if _colour_apart(each, known) <= CHANGED and _strongest(each) - _strongest(known) <= 2 * CHANGED:
                kinds.append(number)
                break
        else:
            kinds.append(len(seen))
            seen.append(each)
    return kinds


def _strongest(control: Control) -> int:
    return int(control.ink.max())


def _paler(one: Control, other: Control) -> bool:
    """Whether ``one`` shows less colour, and less contrast, than ``other``, or clearly less of either."""

    colour = _colourful(one) < PLAIN * _colourful(other)
    contrast = _strongest(one) < PLAIN * _strongest(other)
    return colour or contrast
