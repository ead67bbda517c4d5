"""The chart of a board: the rows and columns of its islands. Pure geometry, except for grid lines."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Mask
from autoplayer.games.hashi.seeing.places.numbers import INSIDE, Island
from autoplayer.games.hashi.seeing.places.outline import Outline, View

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

SMALLEST = 9
"""Pixels: in a smaller island no number can be read."""

SAME_LINE = 0.25
"""Of an island's size: centres of one row differ by less (glyphs' centres by more than rings')."""

CLOSEST = 0.78
"""Of an island's size: the least distance of two rows. The largest islands known have a radius of 0.6 of the pitch."""

MOST_LINES = 120

OFF_LATTICE = 0.16
"""Of the pitch: how far a row may lie from its place on the lattice."""


@dataclass(frozen=True)
class Chart:
    """The islands of one board by their place in the lattice. ``width, height``: of one island with its outline, in
    pixels of the view in which it was found, which is ``scale`` times as large as the window. ``xs, ys``: the
    coordinate of each column and row."""

    islands: dict[Cell, Island]
    width: float
    height: float
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    pitch_x: float
    pitch_y: float
    outline: Outline
    score: float = 0.0
    regular: bool = True
    """Whether all rows and all columns have distances that are multiples of one, much the same for both."""
    scale: int = 1
    node: tuple[float, float, float, float] | None = None
    """If numbers stand in badges beside their islands: the islands' middle beside that of the badge, to the right and
    down, and their width and height, in pixels of the view. All else is about the badges."""

    @property
    def pitch(self) -> float:
        return min(self.pitch_x, self.pitch_y)

    @property
    def size(self) -> float:
        return min(self.width, self.height)

    @functools.cached_property
    def number_height(self) -> float:
        """The usual height of a number, in pixels."""
        heights = [one.content.box.height for one in self.islands.values() if not one.content.bare]
        return float(np.median(heights or [0]))

    @functools.cached_property
    def contrast(self) -> float:
        """The usual contrast between a number and its ground, in grey levels."""
        return float(np.median([one.content.contrast for one in self.islands.values() if not one.content.bare] or [0]))

    @property
    def core(self) -> float:
        """The width of a disc that holds the number, and no outline, whatever state an island is in."""
        extents = [
            max(one.content.box.height, math.hypot(one.content.box.width, one.content.box.height) / DIGIT)
            for one in self.islands.values()
            if not one.content.bare
        ]
        return min(INSIDE * self.outline.inner, max(GLYPH_ROOM * float(np.median(extents or [0])), SMALLEST))

    def box(self, cell: Cell) -> Box:
        """The rectangle around an island, with its outline, in window pixels."""
        x, y = self.islands[cell].centre
        right, down, width, height = self.node or (0.0, 0.0, self.width, self.height)
        left, top = (x + right - width / 2) / self.scale, (y + down - height / 2) / self.scale
        return Box(round(left), round(top), round(width / self.scale), round(height / self.scale))

    def in_window(self) -> Chart:
        """The chart of the islands, not of badges beside them, in window pixels, except for the outline and the
        numbers' ink."""
        if self.scale == 1 and self.node is None:
            return self
        right, down, width, height = self.node or (0.0, 0.0, self.width, self.height)
        shift = (self.scale - 1) / 2  # the centre of a pixel is the centre of the pixels that it became

        def at(value: float, beside: float) -> float:
            return (value + beside - shift) / self.scale

        return replace(
            self,
            islands={
                cell: replace(one, centre=(at(one.centre[0], right), at(one.centre[1], down)))
                for cell, one in self.islands.items()
            },
            width=width / self.scale,
            height=height / self.scale,
            xs=tuple(at(x, right) for x in self.xs),
            ys=tuple(at(y, down) for y in self.ys),
            pitch_x=self.pitch_x / self.scale,
            pitch_y=self.pitch_y / self.scale,
            scale=1,
            node=None,
        )

    def glyph(self, cell: Cell) -> Box:
        """The rectangle around an island's number, in window pixels; the whole island if no number is seen."""
        here = self.islands[cell].content
        if here.bare:
            return self.box(cell)
        box, scale = here.box, self.scale
        left, top = math.floor(box.x / scale), math.floor(box.y / scale)
        right, bottom = math.ceil((box.x + box.width) / scale), math.ceil((box.y + box.height) / scale)
        return Box(left, top, right - left, bottom - top)


DIGIT = 1.2
"""The diagonal of a digit, as a share of its height; that of a full square is 1.4, and it would fill a digit's room."""


def on_grid(seen: View, chart: Chart) -> Chart:
    """``chart`` with the rows and columns in which no island stands, if grid lines show that there are more of them
    than the islands' distances suggest."""
    level = max(6.0, 3 * seen.noise)
    rows = _water([chart.ys[r] for r in sorted({r for r, _ in chart.islands})], 0.55 * chart.height)
    columns = _water([chart.xs[c] for c in sorted({c for _, c in chart.islands})], 0.55 * chart.width)
    least = max(2 * FINEST_GRID, CLOSEST * chart.outline.inner)
    parts_x = _parts(_crossed(seen.strength, rows, 0, level), chart.xs, least) if len(rows) else 1
    parts_y = _parts(_crossed(seen.strength, columns, 1, level), chart.ys, least) if len(columns) else 1
    if (parts_x, parts_y) == (1, 1):
        return chart
    xs = np.interp(np.arange((len(chart.xs) - 1) * parts_x + 1) / parts_x, np.arange(len(chart.xs)), chart.xs)
    ys = np.interp(np.arange((len(chart.ys) - 1) * parts_y + 1) / parts_y, np.arange(len(chart.ys)), chart.ys)
    return replace(
        chart,
        islands={(r * parts_y, c * parts_x): one for (r, c), one in chart.islands.items()},
        xs=tuple(map(float, xs)),
        ys=tuple(map(float, ys)),
        pitch_x=chart.pitch_x / parts_x,
        pitch_y=chart.pitch_y / parts_y,
    )


def _crossed(strength: Mask, water: NDArray[np.intp], axis: int, level: float) -> Floats:
    """For each column (``axis`` 0) or row (1), the share of its pixels in the ``water``'s rows or columns that have an
    edge stronger than ``level``."""
    drawn = np.zeros((strength.shape[axis],), np.uint8)
    drawn[water] = 1
    edges = np.asarray(cv2.threshold(strength, level, 1, cv2.THRESH_BINARY)[1], np.uint8)
    count = cv2.reduce(edges & (drawn[:, None] if axis == 0 else drawn), axis, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    return np.asarray(count.ravel() / len(water), np.float64)


def _water(lines: Sequence[float], reach: float) -> NDArray[np.intp]:
    """The pixels between the first and the last of ``lines``, on which islands stand, that are farther than ``reach``
    from all of them."""
    along = np.arange(round(lines[0]), round(lines[-1]) + 1)
    return np.asarray(along[np.abs(along[:, None] - np.array(lines)).min(axis=1) > reach], np.intp)


def _parts(share: Floats, lines: Sequence[float], least: float) -> int:
    """Into how many parts, each of at least ``least`` pixels, grid lines divide the steps between ``lines``; 1 if there
    are none. ``share``: for each pixel along, the share of the board that has an edge there. Grid lines go through the
    places, or between them."""
    if len(lines) < 2:
        return 1
    drawn = share > GRID
    near = np.convolve(drawn, np.ones(3), mode="same") > 0  # a place is known to a pixel
    whole = np.arange(len(lines))
    for parts in range(MOST_PARTS, 1, -1):
        step = float(np.diff(lines).min()) / parts
        if step < least:
            continue  # waves or stripes, if there is anything
        for shift in (0.0, 0.5):
            places = np.interp((np.arange((len(lines) - 1) * parts) + shift) / parts, whole, lines)
            middles = np.interp((np.arange((len(lines) - 1) * parts) + shift + 0.5) / parts, whole, lines)
            at = np.clip(np.rint(places).astype(int), 0, len(share) - 1)
            beside = np.clip(np.rint(middles).astype(int), 0, len(share) - 1)
            # Lines at all these places, and none between them: edges everywhere would be a texture.
            if near[at].mean() > 0.9 and drawn[beside].mean() < 0.35:
                return parts
    return 1


GRID = 0.4
"""The share of a board's length on which a grid line is visible; islands and bridges cover the rest of it."""

MOST_PARTS = 6

FINEST_GRID = 4
"""Pixels: grid lines closer than twice this are a texture."""

GLYPH_ROOM = 1.5
"""Of a glyph's height: the square around its centre in which it stands whole, and its island's outline does not."""


def placed(chart: Chart, board: BoardTable, size: tuple[int, int]) -> Chart | None:
    """``chart`` on the lattice that a person has given; None if fewer than two of its islands stand on it. ``size``:
    the view's width and height."""
    row = [board.cell(0, c, size) for c in range(board.columns)]
    column = [board.cell(r, 0, size) for r in range(board.rows)]
    xs = tuple(box.x + (box.width - 1) / 2 for box in row)
    ys = tuple(box.y + (box.height - 1) / 2 for box in column)
    pitch_x, pitch_y = board.place[2] * size[0] / board.columns, board.place[3] * size[1] / board.rows
    found: dict[Cell, Island] = {}
    for one in chart.islands.values():
        r, c = int(np.abs(np.array(ys) - one.centre[1]).argmin()), int(np.abs(np.array(xs) - one.centre[0]).argmin())
        beside = max(abs(ys[r] - one.centre[1]) / pitch_y, abs(xs[c] - one.centre[0]) / pitch_x)
        if beside < BESIDE and ((r, c) not in found or found[r, c].probability < one.probability):
            found[r, c] = one
    if len(found) < 2:
        return None
    islands = dict(sorted(found.items()))
    return replace(chart, islands=islands, xs=xs, ys=ys, pitch_x=pitch_x, pitch_y=pitch_y, regular=True)


BESIDE = 0.35
"""Of the pitch: how far an island stands at most from its place on a lattice that a person has given."""


def extended(chart: Chart, size: tuple[int, int], most: int) -> Chart:
    """``chart`` with up to ``most`` more rows and columns on each side, as long as islands there would lie inside the
    view, which is ``size`` (width, height) pixels large."""
    xs, left = _longer(chart.xs, chart.pitch_x, (0.5 * chart.width, size[0] - 0.5 * chart.width), most)
    ys, top = _longer(chart.ys, chart.pitch_y, (0.5 * chart.height, size[1] - 0.5 * chart.height), most)
    return replace(chart, islands={(r + top, c + left): one for (r, c), one in chart.islands.items()}, xs=xs, ys=ys)


def _longer(
    lines: tuple[float, ...], pitch: float, bounds: tuple[float, float], most: int
) -> tuple[tuple[float, ...], int]:
    """``lines`` continued on both sides, and how many were added before the first."""
    before = [lines[0] - k * pitch for k in range(most, 0, -1) if lines[0] - k * pitch >= bounds[0]]
    after = [lines[-1] + k * pitch for k in range(1, most + 1) if lines[-1] + k * pitch <= bounds[1]]
    return (*before, *lines, *after), len(before)


def part_of(chart: Chart, top: int, left: int, bottom: int, right: int) -> Chart:
    """The given first to last rows and columns of ``chart``."""
    islands = {(r - top, c - left): one for (r, c), one in chart.islands.items()}
    return replace(chart, islands=islands, xs=chart.xs[left : right + 1], ys=chart.ys[top : bottom + 1])


def trimmed(chart: Chart) -> Chart:
    """``chart`` without empty rows and columns around its islands."""
    rows, columns = [r for r, _ in chart.islands], [c for _, c in chart.islands]
    return part_of(chart, min(rows), min(columns), max(rows), max(columns))


def weighed(chart: Chart) -> Chart:
    """``chart`` with the prior that applies once it is believed: ink of the numbers' own height is a number."""
    usual = chart.number_height
    result: dict[Cell, Island] = {}
    for cell, one in chart.islands.items():
        result[cell] = one
        if not one.content.bare and 0.7 * usual <= one.content.box.height <= 1.4 * usual:
            chances = {number: p * (1.0 if number else NO_NUMBER) for number, p in one.candidates}
            total = sum(chances.values())
            ranked = sorted(((number, p / total) for number, p in chances.items()), key=lambda pair: -pair[1])
            result[cell] = replace(one, candidates=tuple(ranked))
    return replace(chart, islands=result)


NO_NUMBER = 0.1
"""Probability that ink of the numbers' own height in an island is not a number, relative to the network's opinion on
any ink."""


def charted(islands: Sequence[Island], outline: Outline) -> Chart | None:
    """The lattice on which ``islands`` stand; None if there is none."""
    width, height = outline.width, outline.height
    least = CLOSEST * outline.inner
    centres = np.array([one.centre for one in islands])
    rows = _lines(centres[:, 1], SAME_LINE * height)
    columns = _lines(centres[:, 0], SAME_LINE * width)
    if max(len(rows), len(columns)) > MOST_LINES:
        return None
    pitch_y, pitch_x = _pitch(rows, least), _pitch(columns, least)
    if pitch_x is None and pitch_y is None:
        return None
    pitch_x, pitch_y = _agreed(pitch_x, pitch_y, least)
    row_of, ys = _places(rows, pitch_y)
    column_of, xs = _places(columns, pitch_x)
    found: dict[Cell, Island] = {}
    nearest_row, nearest_column = (
        np.abs(lines[None] - along[:, None]).argmin(axis=1).tolist()
        for lines, along in ((rows, centres[:, 1]), (columns, centres[:, 0]))
    )
    for one, row, column in zip(islands, nearest_row, nearest_column, strict=True):
        r, c = row_of[row], column_of[column]
        if (r, c) in found and found[r, c].probability >= one.probability:
            continue
        found[r, c] = one
    ordered = {cell: found[cell] for cell in sorted(found)}
    # Larger numbers count for more, so that the specks of a text do not beat the few islands of a small board; but not
    # by much, since a number that is seen together with what is around it is larger, too.
    glyph = float(np.median([one.content.box.height for one in ordered.values() if not one.content.bare] or [0]))
    worth = [2 * one.probability - 1 for one in ordered.values()]
    if glyph:
        # Ink much higher than the other numbers is not a number, but a corner of a rim and the glyph beside it.
        high = [one.content.box.height > TALLEST * glyph for one in ordered.values()]
        worth = [min(value, 0.0) if large else value for value, large in zip(worth, high, strict=True)]
    hidden = [-value for value in worth if value < 0]
    # A few illegible islands are better kept than overlooked.
    loss = max(sum(hidden) - FEW_HIDDEN * len(ordered), -SEEN * len(hidden))
    score = sum(value for value in worth if value > 0) - loss
    score *= math.sqrt(glyph)
    numbers = Counter(one.candidates[0][0] for one in ordered.values())
    others = len(ordered) - max(numbers.values())
    varied = 1 - (MONOTONOUS if len(ordered) < VERY_MANY else 0.5)
    if len(ordered) >= MANY and others < varied * len(ordered):
        score *= min(others / (varied * len(ordered)), 0.5)
    elif len(ordered) >= MANY and not numbers.keys() - COUNTS:
        score *= 0.5
    regular = max(_fits(rows, pitch_y), _fits(columns, pitch_x)) <= OFF_LATTICE
    longer, shorter = max(pitch_x, pitch_y), min(pitch_x, pitch_y)
    # In one direction every second place may be empty everywhere.
    regular &= any(longer / n <= MOST_OBLONG * shorter for n in (1, 2, 3) if n == 1 or longer / n >= least)
    if not regular:
        score *= min(len(ordered) / (CROWDED * len(xs) * len(ys)), 1.0)
    return Chart(ordered, width, height, xs, ys, pitch_x, pitch_y, outline, score, regular)


TALLEST = 1.6
"""The largest height of a number, relative to the usual one."""

SEEN = 0.1
"""What an island is worth whose number is hidden, against one whose number is sure."""

CROWDED = 0.12
"""The least share of the places that islands occupy if they fit no regular lattice; with less, the score is lowered:
things scattered over a window are text, or crossings of a grid. Words beside a board do not add many rows to it."""

MOST_OBLONG = 2.2
"""Places of a lattice are square, or, in a text screen, one character of twice the height of its width."""

FEW_HIDDEN = 0.12
"""The share of the islands whose numbers may be hidden, by a pointer for example, without lowering a chart's score."""

MANY, VERY_MANY = 8, 24

COUNTS = frozenset({"1", "2", ""})
"""What is written on bridges, where a window writes something there."""

MONOTONOUS = 0.7
"""The largest share of a board's islands with the same number: the dashes of a line, or its ends, are all 1s. More of
them are no further evidence. For very many islands, half."""


def _lines(along: Floats, slack: float) -> Floats:
    """The distinct coordinates among ``along``, each the mean of a group within ``slack``; ascending."""
    ordered = np.sort(along)
    breaks = np.flatnonzero(np.diff(ordered) > slack) + 1
    return np.array([part.mean() for part in np.split(ordered, breaks)])


def _fits(lines: Floats, pitch: float) -> float:
    """How well ``lines`` fit a lattice of this pitch: the largest distance from a place, in pitches. The lattice is
    adjusted from gap to gap, since rounding errors add up over a board."""
    gaps = np.diff(lines) / pitch
    return float(np.abs(gaps - np.rint(gaps)).max()) if len(gaps) else 0.0


def _pitch(lines: Floats, least: float) -> float | None:
    """The largest distance, at least ``least``, of which all gaps between ``lines`` are multiples; None for one line.

    If islands leave gaps of two and three pitches only, no gap equals the pitch, but the pitch divides all of them.
    """
    gaps = np.diff(lines)
    if not len(gaps):
        return None
    found: tuple[float, float] | None = None
    for parts in range(1, 5):
        pitch = float(gaps.min()) / parts
        if pitch < least:
            break
        # All gaps together give a better estimate of the pitch than one.
        whole = np.maximum(np.rint(gaps / pitch), 1)
        better = float((gaps * whole).sum() / (whole * whole).sum())
        off = _fits(lines, better)
        if off <= OFF_LATTICE and (found is None or (found[1] > NEARLY and off < 0.5 * found[1])):
            found = better, off
    return found[0] if found else max(float(gaps.min()), least)


NEARLY = 0.06
"""Of the pitch: how far a row lies from its place at most, by rounding. Gaps of five and of two pitches are nearly
three and one of a wider one."""


def _agreed(pitch_x: float | None, pitch_y: float | None, least: float) -> tuple[float, float]:
    """Both pitches. A direction in which only every second place is occupied follows the other one; otherwise each
    keeps its own, since the places of a lattice need not be square."""
    if pitch_x is None or pitch_y is None:
        only = pitch_x or pitch_y
        assert only is not None
        return only, only
    for parts in (2, 3):
        if abs(pitch_x / parts - pitch_y) < 0.1 * pitch_y and pitch_x / parts >= least:
            return pitch_x / parts, pitch_y
        if abs(pitch_y / parts - pitch_x) < 0.1 * pitch_x and pitch_y / parts >= least:
            return pitch_x, pitch_y / parts
    return pitch_x, pitch_y


def _places(lines: Floats, pitch: float) -> tuple[list[int], tuple[float, ...]]:
    """The index of each line on the lattice, counted from 0, and the coordinate of every place from the first to the
    last."""
    places = [0]
    for gap in np.diff(lines):
        places.append(places[-1] + max(1, round(float(gap) / pitch)))
    where = np.interp(np.arange(places[-1] + 1), places, lines)
    return places, tuple(float(v) for v in where)
