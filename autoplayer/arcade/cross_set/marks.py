"""Where the candidates of a cell stand and how high they are, in each look, so that the fullest cell of the board just
fits. Numbers only, nothing is drawn; what a number takes is asked of the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import ceil, sqrt

LEGIBLE = 9
"""Pixels. Where the small numbers of a line would be lower than this, they stand in more lines and are larger."""
SMALLEST = 3
"""Pixels; the lowest that a number is drawn."""
MOST_LINES = 4
GAP = 0.38
"""Between two numbers on a line, as a share of their height."""
APART = 0.3
"""Between the active number and those beside it, as a share of its height."""
LEAD = 0.28
"""Between two lines of numbers, as a share of their height."""

IN_SLOTS = ("slots", "patches")
"""The looks in which every number has a place of its own in its cell."""

SMALL = {"beside": 25 / 40, "tiny": 10 / 25, "bright": 1.0, "below": 0.55, "slots": 0.8, "patches": 1.0}
"""How high the other candidates are beside the active one."""
LARGEST_SMALL = 0.7
"""In small windows the others do not shrink below what is legible while they are this share of the active one."""
LARGER = 1.25
"""How much higher the active number is at least than the others, where size tells it from them."""
TWO_DIGITS = 10
"""Boards of this size on have numbers of two digits."""
TIGHT = 0.4
"""The gaps between numbers that would not fit with the usual ones, as a share of those."""
LARGEST = {"beside": 0.42, "tiny": 0.5, "bright": 0.36, "below": 0.4, "slots": 0.3, "patches": 0.28}
"""How high the active candidate is at most, as a share of the pitch."""

Measure = Callable[[int], tuple[int, int]]
"""The width and the height in pixels that the widest number takes when it is asked for in some height."""


@dataclass(frozen=True)
class Mark:
    """The middle of a number, in pixels from the middle of its cell, and the height that it is asked for in."""

    right: float
    down: float
    height: int


@dataclass(frozen=True)
class Marks:
    """How the candidates of every cell of one board stand. ``lines`` of others at the most, ``columns`` in a line."""

    look: str
    big: int
    small: int
    lines: int
    columns: int
    measure: Measure
    air: float = 1.0
    """The gaps between numbers, as a share of the usual ones."""

    @property
    def clear(self) -> bool:
        """Whether size tells the active number from the others, where size should."""
        return SMALL[self.look] == 1 or self.measure(self.big)[1] >= LARGER * self.measure(self.small)[1]

    def of(self, count: int) -> tuple[Mark, ...]:
        """For each of ``count`` candidates, the active one first. Not for a look with slots."""
        if self.look == "bright":
            return self._middled(self._block(0, count, self.big))
        wide, tall = self.measure(self.big)
        active = Mark(0, 0, self.big)
        if count == 1:
            return (active,)
        others = self._block(0, count - 1, self.small)
        low, high = self.measure(self.small)[1], self._height(count - 1, self.small)
        left, right = _span(others, self.measure)
        if self.look == "below":
            shift = (tall + low) / 2 + self._gap(self.small, GAP)
            return self._middled([active, *_moved(others, -(left + right) / 2, shift)])
        # On one line with the active one, if it is one line; else beside its middle.
        down = (tall - low) / 2 if high <= low else -(high - low) / 2
        return self._middled([active, *_moved(others, wide / 2 + self._gap(self.big, APART) - left, down)])

    def slot(self, number: int, inner: int, *, active: bool) -> Mark:
        """Where a number stands in a look with slots, in a cell of which ``inner`` pixels are free."""
        row, column = divmod(number - 1, self.columns)
        across, down = inner / self.columns, inner / self.lines
        height = self.big if active else self.small
        return Mark((column - (self.columns - 1) / 2) * across, (row - (self.lines - 1) / 2) * down, height)

    def _gap(self, height: int, share: float) -> float:
        return max(height * share * self.air, 1)

    def _block(self, first: int, count: int, height: int) -> list[Mark]:
        """Lines of ``columns`` numbers, the first one's middle at (0, 0)."""
        wide, tall = self.measure(height)
        across, down = wide + self._gap(height, GAP), tall + self._gap(height, LEAD)
        places = [divmod(k, self.columns) for k in range(first, first + count)]
        return [Mark(column * across, row * down, height) for row, column in places]

    def _height(self, count: int, height: int) -> float:
        tall = self.measure(height)[1]
        return tall + (ceil(count / self.columns) - 1) * (tall + self._gap(height, LEAD))

    def _middled(self, marks: Iterable[Mark]) -> tuple[Mark, ...]:
        """The same about the middle of the cell."""
        marks = list(marks)
        left, right = _span(marks, self.measure)
        top, bottom = _reach(marks, self.measure)
        return tuple(_moved(marks, -(left + right) / 2, -(top + bottom) / 2))

    def fits(self, count: int, inner: int) -> bool:
        marks = self.of(count)
        (left, right), (top, bottom) = _span(marks, self.measure), _reach(marks, self.measure)
        return right - left <= inner and bottom - top <= inner


def arranged(look: str, size: int, most: int, pitch: int, inner: int, measure: Measure) -> Marks:
    """The marks of a board of ``size`` whose fullest cell has ``most`` candidates, in cells of which ``inner`` pixels
    of the ``pitch`` are free."""
    if look in IN_SLOTS:
        return _slots(look, size, pitch, inner, measure)
    found: list[Marks] = []
    others = most if look == "bright" else most - 1
    for air in (1.0, TIGHT):
        for lines in range(2 if look == "below" and others > 2 else 1, MOST_LINES + 1):
            columns = max(ceil(others / lines), 1)
            if lines > 1 and ceil(others / columns) < lines:
                continue
            marks = _fitting(look, most, (lines, columns), pitch, inner, measure, air)
            if marks is None:
                continue
            found.append(marks)
            if marks.small >= LEGIBLE and marks.clear:
                return marks
    if found:
        return max(found, key=lambda marks: (marks.clear, marks.small, marks.air))
    # Nothing fits: as small as it goes, and over the edge, as real windows do.
    columns = ceil(sqrt(max(others, 1)))
    return Marks(look, SMALLEST, SMALLEST, ceil(others / columns), columns, measure, TIGHT)


def _fitting(
    look: str, most: int, lattice: tuple[int, int], pitch: int, inner: int, measure: Measure, air: float
) -> Marks | None:
    """The largest that fits, with so many lines and columns of others; None where nothing does."""
    for big in range(round(LARGEST[look] * pitch), SMALLEST - 1, -1):
        small = max(round(big * SMALL[look]), min(LEGIBLE, round(big * LARGEST_SMALL)), SMALLEST)
        marks = Marks(look, big, big if SMALL[look] == 1 else small, *lattice, measure, air)
        if marks.fits(most, inner):
            return marks
    return None


def _slots(look: str, size: int, pitch: int, inner: int, measure: Measure) -> Marks:
    even = ceil(sqrt(size))
    # Numbers of two digits are broader than high: fewer in a line are larger.
    options = (even,) if size < TWO_DIGITS else (even, even - 1)
    heights = {columns: _slot_height(look, size, columns, pitch, inner, measure) for columns in options}
    columns = max(heights, key=lambda columns: (heights[columns], -columns))
    height = heights[columns]
    small = max(round(height * SMALL[look]), min(LEGIBLE, height))
    return Marks(look, height, small, ceil(size / columns), columns, measure)


def _slot_height(look: str, size: int, columns: int, pitch: int, inner: int, measure: Measure) -> int:
    rows = ceil(size / columns)
    for height in range(max(round(LARGEST[look] * pitch), SMALLEST), SMALLEST, -1):
        wide, tall = measure(height)
        # So far apart that two neighbours are two, and that a patch shows round the active one.
        if wide <= inner / columns - 3 and tall <= inner / rows - 3:
            return height
    return SMALLEST


def _span(marks: Iterable[Mark], measure: Measure) -> tuple[float, float]:
    """The left and the right end of all numbers."""
    ends = [(mark.right, measure(mark.height)[0] / 2) for mark in marks]
    return min(at - half for at, half in ends), max(at + half for at, half in ends)


def _reach(marks: Iterable[Mark], measure: Measure) -> tuple[float, float]:
    """The upper and the lower end of all numbers."""
    ends = [(mark.down, measure(mark.height)[1] / 2) for mark in marks]
    return min(at - half for at, half in ends), max(at + half for at, half in ends)


def _moved(marks: Iterable[Mark], right: float, down: float) -> Iterator[Mark]:
    return (Mark(mark.right + right, mark.down + down, mark.height) for mark in marks)
