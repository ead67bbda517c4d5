"""Boards on a text screen: rows of single characters without walls among lines of text, in a terminal's window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Floats, Image, largest_channel
from autoplayer.vision import ink

STANDS_OUT = 40
"""Grey levels, in one channel, by which a character differs from the screen at least."""

LOWEST, HIGHEST = 5, 80
"""Pixels: the height of characters."""

BROADEST = 2.0
"""The largest ratio of width to height of anything on a text screen; rules and the edges of panels are broader."""

APART = 1.15
"""The least distance between the middles of two of a board's numbers, in heights of a capital letter; letters side by
side are closer."""

MOST_INK = 0.7
"""The largest usual share of the box around a character that is ink: that of a disc is more."""

IN_OTHERS, MOST_LOOKED_AT = 0.25, 1000
"""The share of the characters from which those that stand in a ring or a box make a picture no text screen; and the
number of characters from which none are looked for."""

TALL = 75
"""The percentage of all characters that are no higher than a capital letter or a digit."""

MOST_DIGITS = 2
"""Characters of a number; more side by side are a word."""

FEWEST_ROWS, FEWEST_MARKS = 2, 4
"""A board on a text screen has at least so many rows, or a single one in a terminal, and so many characters."""

FULL = 0.4
"""The least length of a later run, as a share of the longest run's characters, for it to be the current board."""

OTHER_STEP = 0.2
"""The largest relative difference between two consecutive distances between lines."""

FEWEST_LINES, FEWEST_LETTERS = 2, 12
"""A terminal shows words beside a board in at least so many lines, and of so many letters: a window has its number."""

OFF_LINE, OTHER_SIZE = 0.12, 0.2
"""The largest deviation of a line of the same type from its expected position, as a share of the lines' distance; and
the largest difference in height, as a share of the characters' height."""

MOST_FREE, CLOSEST = 2, 1.2
"""So many lines are free between a board's rows at most; and the least distance between lines, in heights of a capital
letter."""

ADVANCES, IN_COLUMNS = np.linspace(0.9, 1.1, 201), 0.8
"""The possible distances between adjacent characters, as shares of the usual one that is seen; and how well (1:
exactly) characters stand at such a distance that are all equally broad. Those of other typefaces reach half of it."""

MOST_MARKS = 4000
"""More pieces are no text, but a texture."""


@dataclass(frozen=True)
class _Line:
    """A line of text: its boxes ``(x, y, width, height)``, pixels, from left to right; shape ``(N, 4)``."""

    boxes: NDArray[np.int32]

    @property
    def top(self) -> int:
        return int(self.boxes[:, 1].min())

    @property
    def bottom(self) -> int:
        return int((self.boxes[:, 1] + self.boxes[:, 3]).max())

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def base(self) -> float:
        """The baseline: where most of the characters end."""
        return float(np.median(self.boxes[:, 1] + self.boxes[:, 3]))

    def without(self, highest: float) -> _Line | None:
        """The line without what is higher; None if all is."""
        boxes = self.boxes[self.boxes[:, 3] <= highest]
        return _Line(boxes) if len(boxes) else None

    @property
    def tallest(self) -> float:
        """The height of a capital letter or a digit, if there are any."""
        heights = self.boxes[:, 3]
        return float(np.percentile(heights[2 * heights > heights.max()], TALL))

    def is_loose(self, height: float) -> bool:
        """Whether no more characters stand side by side than a number has; ``height``: that of the screen's capital
        letters, pixels."""
        middles = self.boxes[:, 0] + self.boxes[:, 2] / 2
        ends = np.flatnonzero(np.append(np.diff(middles) >= APART * height, True))
        return int(np.diff(ends, prepend=-1).max()) <= MOST_DIGITS


BLOCK, SOLID = 1.15, 0.75
"""The least height of a block in which a character stands, in heights of the characters; and the least share of its rim
that has its own colour: a broad X reaches both its sides."""

RULE = 0.25
"""What is higher than the characters, and narrower than this share of its height, is a rule or a frame's side."""

ADVANCE, TOUCHING = 0.82, 1.4
"""The usual distance between adjacent characters in a terminal, in heights of a capital letter; and the least width of
touching characters, in multiples of that distance."""

SHORT = 24
"""A line of a board without spaces has so many characters at most."""

PIECES = 1.7
"""The least height of two lines of characters together, in heights of a capital letter."""

MARGIN = 3.0
"""The free space around a board that stands alone, in heights of its characters."""


class Text(NamedTuple):
    """What a reading remembers of a text screen: the position of the board's last line and the distance between its
    lines, pixels; and that between all lines of a terminal, else 0; as :class:`Cutting` has them."""

    foot: float
    step: float
    between: float

    @property
    def typed(self) -> bool:
        """Whether it is a terminal."""
        return self.between > 0


@dataclass(frozen=True)
class Cutting:
    """A part of a picture with free space around it. ``shift``: the position of ``(x, y)`` of the whole picture in
    ``image``, minus ``(x, y)``; ``lines``: the boxes ``(x, y, width, height)`` of everything in it, pixels in
    ``image``, line by line, shape ``(N, 4)`` each. ``between``: the distance between lines if words stand around it in
    characters of the same size and in lines that continue its own, as in a terminal, else 0, pixels; ``height``: that
    of the screen's capital letters; ``foot``: the position of the last line in the whole picture, and ``step``, the
    distance between the board's lines, pixels."""

    image: Image
    ground: Floats
    shift: tuple[int, int]
    lines: tuple[NDArray[np.int32], ...]
    between: float
    height: float
    foot: float
    step: float

    @property
    def text(self) -> Text:
        """What a reading keeps of it."""
        return Text(self.foot, self.step, self.between)

    @property
    def typed(self) -> bool:
        """Whether it stands in a terminal."""
        return self.text.typed

    @property
    def marks(self) -> list[tuple[int, int]]:
        """The middles ``(x, y)`` of all that stands there, pixels in ``image``."""
        return [(x + w // 2, y + h // 2) for line in self.lines for x, y, w, h in line.tolist()]

    def back(self, box: Box, whole: Image) -> Box:
        """The box in the whole picture for a box of the cutting; one that leaves the picture is made smaller around its
        middle."""
        (x, y), (height, width) = box.centre, whole.shape[:2]
        x, y = x - self.shift[0], y - self.shift[1]
        across, down = min(box.width // 2, x, width - x), min(box.height // 2, y, height - y)
        return Box(x - across, y - down, min(2 * across + box.width % 2, width), min(2 * down + box.height % 2, height))


@dataclass(frozen=True)
class _Screen:
    """The lines of a text screen, which of them hold no word, its ground's colour and its capital letters' height."""

    lines: list[_Line]
    loose: list[bool]
    ground: Floats
    height: float


def board_alone(image: Image, before: int = 0, behind: int = 0) -> Cutting | None:
    """A picture of only those lines of a text screen ``image`` (BGR) that may be a board's rows: the last long run of
    lines without a word, without its first ``before`` lines, which may hold the answer to the last prompt, and without
    its last ``behind`` ones, which may be the next prompt. None if there are no such lines, or no other text."""
    screen = _screen(image)
    if screen is None:
        return None
    runs = [run for run in _runs(screen.lines, screen.loose) if _marks_in(run) >= FEWEST_MARKS]  # no prompt
    largest = max(runs, key=_marks_in, default=[])
    # The same board may have been printed several times; the answer to a prompt may stand above it.
    copies = [one for one in runs if _marks_in(one) >= FULL * _marks_in(largest) and abs(len(one) - len(largest)) <= 1]
    if not copies:
        return None
    newer = [run for run in runs if run[0].top > copies[-1][-1].top]
    for run in reversed(newer):  # in a terminal, of the next level
        cut = _cutting(image, screen, run, before, behind)
        if cut is not None and cut.typed:
            return cut
    return _cutting(image, screen, copies[-1], before, behind)


def boards_in_words(image: Image) -> list[Callable[[int, int], Cutting | None]]:
    """As :func:`board_alone`, for each run of short lines, the last one first, whose characters may be a board's cells
    without a space between them: functions that cut it out without so many lines ``before`` and ``behind`` it."""
    screen = _screen(image, SHORT)  # all characters of a line may touch
    if screen is None:
        return []
    runs = _runs(screen.lines, [len(line.boxes) <= SHORT for line in screen.lines])
    gaps = np.concatenate([np.diff(line.boxes[:, 0] + line.boxes[:, 2] / 2) for line in screen.lines])
    gaps = gaps[gaps < APART * screen.height]
    usual = float(np.median(gaps)) if len(gaps) else ADVANCE * screen.height
    runs = [[_Line(_parted(line.boxes, usual)) for line in run] for run in reversed(runs)]
    return [partial(_cutting, image, screen, run) for run in runs]


def _screen(image: Image, broadest: float = BROADEST) -> _Screen | None:
    """The lines of a text screen, on which nothing is more than ``broadest`` times as broad as high; None if there is
    no text, or if there are other things as well."""
    ground = ink.ground_colour(np.ascontiguousarray(image[::4, ::4]))
    drawn = np.asarray(largest_channel(np.abs(image.astype(np.int16) - np.rint(ground).astype(np.int16))) > STANDS_OUT)
    _, _, stats, _ = cv2.connectedComponentsWithStats(drawn.astype(np.uint8), connectivity=8)
    boxes, areas = stats[1:, :4], stats[1:, 4]
    w, h = boxes[:, 2], boxes[:, 3]
    kept = (h <= HIGHEST) & (w <= broadest * np.maximum(h, LOWEST))
    boxes, areas = boxes[kept], areas[kept]
    if not FEWEST_MARKS <= len(boxes) <= MOST_MARKS:
        return None
    if float(np.median(areas / (boxes[:, 2] * boxes[:, 3]))) > MOST_INK:
        return None  # discs or tiles, in which the characters stand
    if _stand_in_others(np.asarray(boxes[boxes[:, 3] >= LOWEST], np.int32)):
        return None
    high = float(np.percentile(boxes[boxes[:, 3] >= LOWEST, 3], TALL)) if (boxes[:, 3] >= LOWEST).any() else 0.0
    ruled = (boxes[:, 3] > BLOCK * high) & (boxes[:, 2] < RULE * boxes[:, 3])
    lines = _lines(np.asarray(boxes[~ruled], np.int32), high)
    heights = np.concatenate([line.boxes[:, 3] for line in lines]) if lines else np.zeros(0)
    height = float(np.percentile(heights[heights >= LOWEST], TALL)) if (heights >= LOWEST).any() else 0.0
    loose = [line.is_loose(height) for line in lines]
    return None if not height or all(loose) else _Screen(lines, loose, ground, height)


def _stand_in_others(boxes: NDArray[np.int32]) -> bool:
    """Whether many of some boxes ``(x, y, width, height)`` lie within another one, as numbers do within rings."""
    if not 0 < len(boxes) <= MOST_LOOKED_AT:
        return False
    near, far = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    within = np.all(near[:, None] > near[None], axis=2) & np.all(far[:, None] < far[None], axis=2)
    return bool(within.any(axis=1).mean() >= IN_OTHERS)


def _cutting(image: Image, screen: _Screen, run: list[_Line], before: int, behind: int) -> Cutting | None:
    """A run of a text screen's lines, without the ``before`` first and the ``behind`` last ones; None where too few are
    left."""
    run = run[before : len(run) - behind]
    if not run or _marks_in(run) < FEWEST_MARKS:
        return None
    ground, height = screen.ground, screen.height
    left = min(int(line.boxes[:, 0].min()) for line in run)
    right = max(int((line.boxes[:, 0] + line.boxes[:, 2]).max()) for line in run)
    rows, columns, free = slice(run[0].top, run[-1].bottom), slice(left, right), round(MARGIN * height)
    part = image[rows, columns].copy()
    for line in run:
        for x, y, w, h in line.boxes.tolist():
            if h > BLOCK * height:
                _upright(part[y - rows.start : y - rows.start + h, x - left : x - left + w], ground)
    alone = np.empty((part.shape[0] + 2 * free, part.shape[1] + 2 * free, 3), np.uint8)
    alone[:] = np.rint(ground).astype(np.uint8)
    alone[free : free + part.shape[0], free : free + part.shape[1]] = part
    across, down = free - left, free - rows.start
    boxes = tuple(line.boxes + np.array([across, down, 0, 0], np.int32) for line in run)
    among = range(run[0].top, run[-1].bottom)
    words = [line for line, free in zip(screen.lines, screen.loose, strict=True) if not free and line.top not in among]
    # Blocks reach below their line, and are higher than its characters.
    plain = {k: rest for k, line in enumerate(run) if (rest := line.without(BLOCK * height)) is not None}
    plain = plain if len(plain) > min(len(run) - 1, 1) else dict(enumerate(run))
    foot, step = _feet(plain, len(run), words)
    between = _between(list(plain.values()), words, foot, step) if step > 0 else 0.0
    if len(run) < FEWEST_ROWS and not between:
        return None
    return Cutting(alone, ground, (across, down), boxes, between, height, foot, step)


def _feet(plain: Mapping[int, _Line], count: int, words: list[_Line]) -> tuple[float, float]:
    """Where the last one of ``count`` lines stands, of which some are ``plain``, and the distance between them, pixels;
    for a single line that between the lines of ``words``, or 0."""
    rows, bases = np.array(list(plain)), np.array([line.base for line in plain.values()])
    between = np.diff(bases) / np.diff(rows) if count > 1 else np.diff([line.base for line in words])
    step = float(np.median(between)) if len(between) else 0.0
    return float(np.median(bases + step * (count - 1 - rows))), step


def _parted(boxes: NDArray[np.int32], usual: float) -> NDArray[np.int32]:
    """The boxes of a line with those that hold several characters, which touch, cut into equal parts; ``usual``: how
    far one character is from the next, pixels."""
    parts: list[list[int]] = []
    for x, y, w, h in boxes.tolist():
        count = round(w / usual) if w > TOUCHING * usual else 1
        ends = [x + round(k * w / count) for k in range(count + 1)]
        parts += [[a, y, b - a, h] for a, b in pairwise(ends)]
    return np.array(parts, np.int32)


def _between(run: list[_Line], words: list[_Line], foot: float, step: float) -> float:
    """The distance between the lines of a terminal, pixels: that between the lines of ``run``, ``step``, if most lines
    of ``words`` stand at positions that continue them (the last one ends at ``foot``), and have their height; or a half
    or a third of it, where lines are free between the board's, if the characters of ``run`` stand in the columns of
    those of ``words``. 0 if it is none."""
    if len(words) < FEWEST_LINES:
        return 0.0
    high = float(np.median([line.tallest for line in run]))
    for between in (step / (free + 1) for free in range(MOST_FREE + 1)):
        if between < step and not (between >= CLOSEST * high and _in_their_columns(run, words, high)):
            continue
        alike = 0
        for line in words:
            off = (line.base - foot) / between
            alike += abs(off - round(off)) <= OFF_LINE and abs(line.tallest - high) <= OTHER_SIZE * high
        if alike >= FEWEST_LINES and 2 * alike > len(words) and _marks_in(words) >= FEWEST_LETTERS:
            return between
    return 0.0


def _in_their_columns(run: list[_Line], words: list[_Line], high: float) -> bool:
    """Whether the middles of the characters of ``run`` are whole numbers of characters away from those of ``words``,
    as in a typeface whose characters are all equally broad."""
    theirs, own = ([line.boxes[:, 0] + line.boxes[:, 2] / 2 for line in lines] for lines in (words, run))
    gaps = np.concatenate([np.diff(line) for line in theirs])
    advances = float(np.median(gaps[gaps < APART * high])) * ADVANCES if (gaps < APART * high).any() else np.ones(1)
    turns = np.exp(2j * np.pi * np.concatenate(theirs)[:, None] / advances).mean(axis=0)
    best = int(np.abs(turns).argmax())
    turned = np.exp(2j * np.pi * np.concatenate(own) / advances[best]).mean() * np.conj(turns[best])
    return bool(turned.real > IN_COLUMNS * abs(turns[best]) > IN_COLUMNS**2)


def moved(foot: float, step: float, rows: int, image: Image) -> int:
    """By how many pixels the board of a text screen, whose last line was at ``foot``, is lower in ``image`` than in the
    reading: a terminal may have scrolled, or have printed it anew. 0 if no board of as many ``rows`` is seen."""
    now = board_alone(image)
    if now is None or now.image.shape[0] < (rows - 1) * step:
        return 0
    return round(now.foot - foot) if abs(now.foot - foot) > step / 2 else 0


def _upright(patch: NDArray[np.uint8], ground: Floats) -> None:
    """Redraw characters in a filled block, as under a cursor, on the screen's own ``ground`` instead."""
    block = ink.ground_colour(patch)
    away = largest_channel(np.abs(patch - block))
    rim = np.concatenate([away[0], away[-1], away[:, 0], away[:, -1]])
    if float(np.abs(block - ground).max()) <= STANDS_OUT or float((rim < STANDS_OUT).mean()) < SOLID:
        return
    colour = patch.reshape(-1, 3)[int(away.argmax())].astype(np.float32)
    if float(np.abs(colour - ground).max()) <= STANDS_OUT:  # block and character have changed their colours
        colour = np.asarray(block, np.float32)
    share = (away / max(float(away.max()), 1.0))[..., None]
    patch[:] = np.rint(ground + share * (colour - ground)).astype(np.uint8)


def _lines(boxes: NDArray[np.int32], high: float) -> list[_Line]:
    """The boxes line by line, from above; within a line, boxes above each other are merged (the dot of an i, the parts
    of a block). ``high``: the height of most capital letters, pixels."""
    order = np.argsort(boxes[:, 1], kind="stable")
    groups: list[list[int]] = []
    bottom = -1
    for k in order.tolist():
        y, h = int(boxes[k, 1]), int(boxes[k, 3])
        # The parts into which a character divides its block are close together, and not as high as two lines.
        piece = groups and y <= bottom + 1 and y + h - int(boxes[groups[-1], 1].min()) <= PIECES * high
        if not groups or (y >= bottom and not piece):
            groups.append([])
        groups[-1].append(k)
        bottom = max(bottom, y + h)
    return [_Line(_joined(boxes[group])) for group in groups]


def _joined(boxes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The boxes of one line from left to right, those that overlap from side to side as one."""
    joined: list[list[int]] = []
    for x, y, w, h in boxes[np.argsort(boxes[:, 0], kind="stable")].tolist():
        if joined and x < joined[-1][2]:
            last = joined[-1]
            joined[-1] = [last[0], min(last[1], y), max(last[2], x + w), max(last[3], y + h)]
        else:
            joined.append([x, y, x + w, y + h])
    corners = np.array(joined, np.int32)
    corners[:, 2:] -= corners[:, :2]
    return corners


def _marks_in(run: list[_Line]) -> int:
    return sum(len(line.boxes) for line in run)


def _runs(lines: list[_Line], loose: list[bool]) -> list[list[_Line]]:
    """Runs of consecutive loose lines at equal distances. A line above a board, at another distance from it, does not
    take the board's first line into a run of its own."""
    runs: list[list[_Line]] = []
    for k, (line, free) in enumerate(zip(lines, loose, strict=True)):
        if not free:
            continue
        if runs and k and loose[k - 1] and runs[-1][-1] is lines[k - 1]:
            run = runs[-1]
            step = line.middle - run[-1].middle
            if len(run) < 2 or abs(step - (run[1].middle - run[0].middle)) <= OTHER_STEP * step:
                run.append(line)
                continue
            if len(run) == 2:
                runs.append([run.pop(), line])
                continue
        runs.append([line])
    return runs
