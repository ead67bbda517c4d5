"""Finds lists of levels in pictures: tables and columns of boxes with numbers, boxes along a path over a map, and lines
of text below one another. Works on pixels; no text is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.frame import Box, Floats, Image, Mask, Point, around, largest_channel
from autoplayer.session.looking.boxes import (
    ALIKE,
    LEAST_LETTER,
    Control,
    colour_apart,
    colourfulness,
    controls,
    edges_of,
    highest_line,
    same_size,
    strongest,
    text_lines,
)
from autoplayer.session.looking.controls import CHANGED
from autoplayer.session.looking.signs import points_right

FEWEST, FEWEST_IN_ROW, FEWEST_IN_COLUMN = 6, 5, 3
"""The least number of boxes in a list of levels: as a table, in a single row, in a single column."""

FEWEST_WITH_LOCKS = 3
"""The least number in a single row of which the last are locked: number pads and choices of sizes have no locks."""

FEWEST_IN_SHORT, OF_ONE_HEIGHT = 2, 0.1
"""The least number of boxes in a short list, and the largest relative difference between the heights of their digits;
the heights of symbols (a gear, a speaker) vary more."""

FEWEST_SHOWN = 2
"""The least number of boxes in a table that show numbers; the others may be locked. A single one, if it looks like a
1."""

SQUARE, OBLONG, FEWEST_OBLONG = 1.25, 2.2, 3
"""The largest ratio of the sides of a box in a short list: boxes with words are wider. So may boxes with a digit be,
if there are so many: two may be any signs."""

A_ONE = 0.9
"""The largest ratio of width to height of a 1."""

TALL, ONE_DIGIT = 0.75, 1.05
"""The least height of a digit and the largest width of one digit, as shares of the line's height: a tick beside it is
lower."""

DIFFERENT = 0.8
"""The least share of a list's boxes that resemble no other box, because each has a number of its own (boards repeat
theirs), and of those that have as many digits as their position in the list."""

SAME_INK = 0.93
"""Correlation above which two boxes show the same: equal glyphs have more, a 6 and an 8 less."""

SAME_PART, PART = 0.75, 0.8
"""The same for a part of a text, and the width of such a part, as a multiple of the text's height."""

GLYPH = 24
"""Pixels: the height to which the content of a box is scaled for comparison."""

BEGINS, SAME_BEGIN = 1.5, 0.85
"""The part at the beginning of each text that is compared where texts must begin alike, as a multiple of their height,
and the correlation above which they do: centred texts begin at fractions of a pixel."""

PLAIN = 0.55
"""A locked level has at most this share of the colour and contrast of an open one."""

FEWEST_ON_MAP, MOST_UNLIKE, NEARLY = 5, 2, 0.35
"""The least number of boxes on a map of levels, the most other boxes beside them, and the largest relative difference
between their sides: the path that leads to one may be connected to it."""

ROWS_OF_MAP = 3
"""The least number of different heights at which the boxes of a map stand, unless they are a later page of a table: a
row of tools and a row of buttons are not a map."""

LEAST_PITCH, LEAST_WIDE = 1.6, 2.5
"""The least distance between the lines of a list, and their least width, as multiples of their height."""

MOST_TRIED = 3
"""How many of the levels that may be the next one are tried."""


@dataclass(frozen=True)
class LevelList:
    """The boxes of a list of levels, in reading order. ``ordered``: whether that is the order of the levels too; along
    a path over a map it may not be."""

    boxes: tuple[Control, ...]
    ordered: bool = True

    def same_places(self, other: LevelList) -> bool:
        """Whether ``other`` has its boxes in the same places."""
        reach = max(self.boxes[0].box.height // 4, 2)
        return len(self.boxes) == len(other.boxes) and all(
            abs(a.box.x - b.box.x) <= reach and abs(a.box.y - b.box.y) <= reach
            for a, b in zip(self.boxes, other.boxes, strict=True)
        )

    def again(self, found: Sequence[Control]) -> LevelList | None:
        """This list, if each of its boxes is among ``found`` in its place, and there is no other one of their size."""
        like = [each for each in found if same_size(each.box, self.boxes[0].box)]
        now = LevelList(tuple(each for row in rows_of(like) for each in row), self.ordered) if like else None
        return now if now is not None and now.same_places(self) else None

    def alike(self, other: LevelList) -> bool:
        """Whether ``other`` has its boxes in the same places, and most of them show the same: it is not another page of
        a list. A level's box may change when it is solved."""
        if not self.same_places(other):
            return False
        same = sum(_shows_same(a, b) for a, b in zip(self.boxes, other.boxes, strict=True))
        return 2 * same >= len(self.boxes) - 2

    def after(self, other: LevelList, number: int) -> list[int]:
        """The boxes to try, the most probable first, after box ``number`` of ``other``, an earlier picture of the list,
        which may have been scrolled since; empty where that was the last visible one."""
        if self.alike(other):
            if self.ordered:
                return [number + 1] if number + 1 < len(self.boxes) else []
            return self._next_on_map(other, number)
        taken = other.boxes[number]
        return [k + 1 for k, each in enumerate(self.boxes[:-1]) if self.ordered and _shows_same(each, taken)][:1]

    def _next_on_map(self, before: LevelList, number: int) -> list[int]:
        """The boxes that differ from ``before``, except that of the level just played; if there are none, the nearest
        ones."""
        x, y = self.boxes[number].box.centre
        others = [k for k in range(len(self.boxes)) if k != number]
        others.sort(key=lambda k: (self.boxes[k].box.centre[0] - x) ** 2 + (self.boxes[k].box.centre[1] - y) ** 2)
        lit = [k for k in others if colour_apart(self.boxes[k], before.boxes[k]) > CHANGED]
        return (lit or others)[:MOST_TRIED]

    def first(self, *, some_done: bool = False) -> list[int]:
        """The boxes to try, the most probable first, where it is unknown what was played: the first one that differs
        from those before it (they are solved), unless it is the paler one (then it is locked, and so are those after
        it); and the first of all. On a map, those that differ from most, the most colourful first. Where all boxes from
        there on show the same, such as a padlock, they are locked, and the one before them is the next level.
        ``some_done``: whether it is known that at least one of them is solved."""
        kinds = _kinds(self.boxes)
        if not self.ordered:
            order = sorted(range(len(kinds)), key=lambda k: (kinds.count(kinds[k]), -colourfulness(self.boxes[k])))
            return order[:MOST_TRIED]
        at = next((k for k, kind in enumerate(kinds) if kind != kinds[0]), 0)
        shut = self.boxes[at:]
        if some_done and at and len(shut) > 1 and all(_shows_same(shut[0], each) for each in shut[1:]):
            return list(dict.fromkeys([at - 1, 0]))
        locked = not some_done and _paler(self.boxes[at], self.boxes[0])
        return list(dict.fromkeys([0, at] if locked else [at, 0]))


def level_list(found: Sequence[Control]) -> LevelList | None:
    """The list of levels among ``found``: a full table of boxes of one size (its last row may be shorter) with numbers,
    or with texts that begin alike (as all in a single column must); all contents differ, except that the last ones may
    all be locked. None where there is none."""
    best: LevelList | None = None
    for seed in found:
        like = [each for each in found if same_size(seed.box, each.box)]
        if best is not None and len(like) <= len(best.boxes):
            continue
        rows = rows_of(like)
        ordered = [each for row in rows for each in row]
        single = len(rows[0]) == 1
        least = FEWEST_IN_COLUMN if single else FEWEST_IN_ROW if len(rows) == 1 else FEWEST
        if FEWEST_WITH_LOCKS <= len(ordered) < least and len(rows) == 1 and _locked(ordered):
            least = len(ordered)
        if len(ordered) < least or not is_table(rows):
            continue
        if not _begin_alike(ordered) and (single or not (_counted(ordered) or _one_open(ordered))):
            continue
        if _all_different(ordered, begin=single):
            best = LevelList(tuple(ordered))
    return best


def short_list(found: Sequence[Control]) -> LevelList | None:
    """The list of levels among ``found`` where there are too few for :func:`level_list`: a single row of nearly square
    boxes, none larger than the others, with one digit on each, all of one height, the first of which may be a 1; the
    last ones may be locked. None where there is none. Only used where no board is seen, because a row of one may look
    like that."""
    largest = max((each.box.width * each.box.height for each in found), default=0)
    row = [each for each in found if same_size(each.box, found[0].box)] if found else []
    for seed in found:
        like = [each for each in found if same_size(each.box, seed.box)]
        row = like if len(like) > len(row) else row
    rows = rows_of(row)
    if len(rows) != 1 or len(row) < FEWEST_IN_SHORT or not is_table(rows):
        return None
    ordered = rows[0]
    sides = ordered[0].box.width, ordered[0].box.height
    longest = OBLONG if len(ordered) >= FEWEST_OBLONG else SQUARE
    if max(sides) > longest * min(sides) or sides[0] * sides[1] < (1 - ALIKE) * largest:
        return None
    glyphs = [glyph for each in ordered if (glyph := _glyph(each.ink)) is not None]
    if len(glyphs) < len(ordered) or glyphs[0].shape[1] > A_ONE * glyphs[0].shape[0]:
        return None
    shown = ordered[: _open_ones(glyphs)]
    heights = [line.shape[0] for each in shown if (line := highest_line(each.ink)) is not None]
    if max(heights) - min(heights) > max(OF_ONE_HEIGHT * max(heights), 1) or any(map(points_right, shown)):
        return None
    one_digit = all(_digits(each.ink) == 1 for each in shown)
    return LevelList(tuple(ordered)) if one_digit and _all_different(ordered, begin=False) else None


def levels_shown(image: Image, found: Sequence[Control] | None = None) -> LevelList | None:
    """The list of levels in ``image``, in which the boxes ``found`` are seen: a table or a column of them, lines of
    text, or boxes along a path over a map. None where there is none."""
    found = controls(image) if found is None else found
    return level_list(found) or _list_of_lines(image) or _map(found)


def _map(found: Sequence[Control]) -> LevelList | None:
    """Nearly square boxes of one size, each with a different number, not in a table, with hardly any other boxes beside
    them."""
    for seed in found:
        side = seed.box.height
        like = [each for each in found if max(abs(each.box.width - side), abs(each.box.height - side)) <= NEARLY * side]
        rows = rows_of(like)
        if len(like) < FEWEST_ON_MAP or len(like) + MOST_UNLIKE < len(found):
            continue
        if len(rows) < ROWS_OF_MAP and not (len(rows) > 1 and is_table(rows)):
            continue
        glyphs = [_glyph(each.ink) for each in like]
        shown = [glyph for glyph in glyphs if glyph is not None]
        different = not any(_same_glyph(a, b) for k, a in enumerate(shown) for b in shown[:k])
        numbers = sum(1 <= _digits(each.ink) <= 3 for each in like)
        if len(shown) == len(like) and different and numbers >= DIFFERENT * len(like) - 1:
            return LevelList(tuple(each for row in rows for each in row), ordered=False)
    return None


def _list_of_lines(image: Image) -> LevelList | None:
    """The longest column of equidistant lines of text that begin alike and continue differently."""
    lines = [line for line in text_lines(image) if line.width >= LEAST_WIDE * line.height]
    best: LevelList | None = None
    for seed in lines:
        high = seed.height
        column = [
            line for line in lines if abs(line.x - seed.x) <= high / 4 and abs(line.height - high) <= max(high / 4, 2)
        ]
        column.sort(key=lambda line: line.y)
        steps = [b.centre[1] - a.centre[1] for a, b in pairwise(column)]
        if len(column) < FEWEST_IN_COLUMN or (best is not None and len(column) <= len(best.boxes)):
            continue
        if min(steps) < LEAST_PITCH * high or max(steps) - min(steps) > max(ALIKE * max(steps), 3):
            continue
        wide = max(line.width for line in column)
        entries = [_entry(image, Box(line.x, line.y, wide, line.height)) for line in column]
        if _begin_alike(entries) and _all_different(entries, begin=True):
            best = LevelList(tuple(entries))
    return best


def _entry(image: Image, line: Box) -> Control:
    """A line of text as a box with its background around it."""
    rim = max(line.height // 3, 2)
    box = Box(line.x - rim, line.y - rim, line.width + 2 * rim, line.height + 2 * rim)
    part = box.crop(image)
    blue, green, red = (int(v) for v in np.median(part.reshape(-1, 3), axis=0))
    ground = np.array((blue, green, red), np.uint8)
    ink = largest_channel(cv2.absdiff(part, np.broadcast_to(ground, part.shape).copy()))
    return Control(box, (blue, green, red), np.asarray(ink, np.uint8))


def page_turn(image: Image, listed: LevelList) -> list[Point]:
    """Where the next page of a list may be turned to: the largest sign or box to its right, then the one below it."""
    around_it = around([each.box for each in listed.boxes])
    height, width = image.shape[:2]
    right, foot = around_it.x + around_it.width, around_it.y + around_it.height
    beside = Box(right + 1, around_it.y, width - right - 1, around_it.height)
    below = Box(around_it.x, foot + 1, around_it.width, height - foot - 1)
    side = min(each.box.height for each in listed.boxes)
    found = [_largest_sign(image, part, side) for part in (beside, below)]
    return [at for at in found if at is not None]


def _largest_sign(image: Image, part: Box, side: int) -> Point | None:
    """The middle of the highest component in a ``part`` of the picture that is no larger than 1.5 times ``side`` and no
    smaller than a letter; None where there is none."""
    if part.width < LEAST_LETTER or part.height < LEAST_LETTER:
        return None
    joined = cv2.morphologyEx(part.crop(edges_of(image)), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    signs = [
        Box(part.x + x, part.y + y, wide, high)
        for x, y, wide, high, _ in stats[1:].tolist()
        if LEAST_LETTER <= high <= 1.5 * side and LEAST_LETTER / 2 <= wide <= 1.5 * side
    ]
    return max(signs, key=lambda box: box.height).centre if signs else None


def is_numbered(tokens: Sequence[str]) -> bool:
    """Whether ``tokens``, read in the cells of a board in reading order, are the numbers from 1 on: then it is a list
    of levels. Some of them may be replaced by other signs (a tick, a lock)."""
    numbers = [(k, int(token)) for k, token in enumerate(tokens, 1) if token.isdecimal()]
    return len(numbers) >= 6 and 2 * len(numbers) > len(tokens) and all(k == number for k, number in numbers)


def rows_of(boxes: Sequence[Control]) -> list[list[Control]]:
    """In reading order: rows from the top, each from the left."""
    rows: list[list[Control]] = []
    for each in sorted(boxes, key=lambda one: one.box.centre[1]):
        if rows and abs(rows[-1][0].box.centre[1] - each.box.centre[1]) <= each.box.height / 2:
            rows[-1].append(each)
        else:
            rows.append([each])
    return [sorted(row, key=lambda one: one.box.x) for row in rows]


def is_table(rows: Sequence[Sequence[Control]]) -> bool:
    """Whether all rows but the last one are equally long, with equal distances within the rows and between them."""
    if any(len(row) != len(rows[0]) for row in rows[:-1]) or len(rows[-1]) > len(rows[0]):
        return False
    across = [b.box.x - a.box.x for row in rows for a, b in pairwise(row)]
    down = [b[0].box.y - a[0].box.y for a, b in pairwise(rows)]
    return all(not steps or max(steps) - min(steps) <= max(ALIKE * max(steps), 3) for steps in (across, down))


def _glyph(ink: Mask) -> Floats | None:
    """The highest line of a box's content, scaled to one height."""
    part = highest_line(ink)
    if part is None:
        return None
    wide = max(round(part.shape[1] * GLYPH / part.shape[0]), 1)
    brought = cv2.resize(part, (min(wide, 12 * GLYPH), GLYPH), interpolation=cv2.INTER_AREA)
    return np.asarray(brought, np.float32)


def _shows_same(one: Control, other: Control) -> bool:
    a, b = _glyph(one.ink), _glyph(other.ink)
    return a is not None and b is not None and _same_glyph(a, b)


def _same_glyph(one: Floats, other: Floats) -> bool:
    """Whether both show the same, in every part of their width: two texts may differ in a single digit."""
    if abs(one.shape[1] - other.shape[1]) > max(0.1 * one.shape[1], 1):
        return False
    fitted = np.asarray(cv2.resize(other, (one.shape[1], one.shape[0])), np.float32)
    if _likeness(one, fitted) <= SAME_INK:
        return False
    wide = round(PART * GLYPH)
    parts = range(0, max(one.shape[1] - wide, 0) + 1, wide // 2)
    return all(_likeness(one[:, x : x + wide], fitted[:, x : x + wide]) > SAME_PART for x in parts)


def _likeness(one: Floats, other: Floats) -> float:
    """Correlation; 1 for two empty parts."""
    a, b = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    faint = max(float(np.linalg.norm(a)), float(np.linalg.norm(b))) < CHANGED * one.size**0.5 / 2
    return 1.0 if faint else float((a * b).sum()) / size if size else 0.0


def _all_different(boxes: Sequence[Control], *, begin: bool) -> bool:
    """Whether (nearly) each box differs from all others, apart from the last ones, which may all be alike."""
    glyphs = [_glyph(each.ink) for each in boxes]
    shown = [glyph for glyph in glyphs if glyph is not None]
    if len(shown) < len(boxes):
        return False
    if not begin:
        shown = shown[: _open_ones(shown)]
    # "Level 5" and "Level 6" have so much in common that one of them may seem to occur twice.
    different = sum(
        not any(_same_glyph(one, other) for k, other in enumerate(shown[:n] if begin else shown) if k != n)
        for n, one in enumerate(shown)
    )
    return different >= DIFFERENT * len(shown)


def _open_ones(shown: Sequence[Floats]) -> int:
    """How many come before the last ones that are all alike, and so locked; a single one is not a row of locks."""
    count = len(shown)
    while count > 1 and _same_glyph(shown[count - 1], shown[-1]):
        count -= 1
    return count if count < len(shown) - 1 else len(shown)


def _locked(boxes: Sequence[Control]) -> int:
    """How many of the last boxes show one and the same thing, and so are locked."""
    glyphs = [glyph for each in boxes if (glyph := _glyph(each.ink)) is not None]
    return len(boxes) - _open_ones(glyphs) if len(glyphs) == len(boxes) else 0


def _begin_alike(boxes: Sequence[Control]) -> bool:
    """Whether the texts in the boxes begin alike, as "Level 1" and "Level 2" do."""
    lines = [highest_line(each.ink) for each in boxes]
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
        searched = np.pad(line[:, : wide + 2], ((0, 0), (2, 0)))  # a paler one may seem to begin a pixel later
        if float(cv2.matchTemplate(searched, begin, cv2.TM_CCOEFF_NORMED).max()) <= SAME_BEGIN:
            return False
    return True


def _counted(boxes: Sequence[Control]) -> bool:
    """Whether most boxes show as many digits as their numbers have, except locked ones, which show none, or all the
    same."""
    glyphs = [glyph for each in boxes if (glyph := _glyph(each.ink)) is not None]
    if len(glyphs) == len(boxes):
        boxes = boxes[: _open_ones(glyphs)]
    digits = [_digits(each.ink) for each in boxes]
    shown = [(k, count) for k, count in enumerate(digits, 1) if count]
    right = sum(count == len(str(k)) for k, count in shown)
    return len(shown) >= FEWEST_SHOWN and right >= DIFFERENT * len(shown)


def _one_open(boxes: Sequence[Control]) -> bool:
    """Whether the first box shows what may be a 1, and all others, which are paler, one and the same thing: a lock."""
    glyphs = [glyph for each in boxes if (glyph := _glyph(each.ink)) is not None]
    if len(glyphs) < len(boxes) or _open_ones(glyphs) != 1 or _digits(boxes[0].ink) != 1:
        return False
    high, wide = glyphs[0].shape
    return wide <= A_ONE * high and all(_paler(each, boxes[0]) for each in boxes[1:])


def _digits(ink: Mask) -> int:
    """How many digits a box shows: components nearly as high as the line, one of which counts as two where it is too
    wide for a digit; 0 where there is nothing."""
    line = highest_line(ink)
    if line is None:
        return 0
    _, _, stats, _ = cv2.connectedComponentsWithStats((line > CHANGED).astype(np.uint8))
    high = line.shape[0]
    wide = [int(piece[cv2.CC_STAT_WIDTH]) for piece in stats[1:] if piece[cv2.CC_STAT_HEIGHT] >= TALL * high]
    return sum(1 if width <= ONE_DIGIT * high else 2 for width in wide)


def _kinds(boxes: Sequence[Control]) -> list[int]:
    """For each box the number of its kind: boxes of one colour with similar amounts of content beside the number."""
    kinds: list[int] = []
    seen: list[Control] = []
    for each in boxes:
        for number, known in enumerate(seen):
            if colour_apart(each, known) <= CHANGED and strongest(each) - strongest(known) <= 2 * CHANGED:
                kinds.append(number)
                break
        else:
            kinds.append(len(seen))
            seen.append(each)
    return kinds


def _paler(one: Control, other: Control) -> bool:
    """Whether ``one`` has less colour and less contrast than ``other``, or clearly less of either."""

    colour = colourfulness(one) < PLAIN * colourfulness(other)
    contrast = strongest(one) < PLAIN * strongest(other)
    return colour or contrast
