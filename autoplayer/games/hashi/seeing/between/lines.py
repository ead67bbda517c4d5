"""Lines that run along a way across the water, and whether two of them look alike. Works without the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from autoplayer.core.frame import Floats

FAINTEST = 10.0
"""Grey levels: a line that differs less from the water is not seen by people either."""

HALF = 0.5
"""Of the strongest line's contrast: the gap between two lines is below this, however blurred they are."""

SAME_COLOUR = 0.35
"""Of the stronger one's contrast: lines whose colours differ by less, in every channel, are drawn alike."""

SAME_BREADTH = 0.35
"""Of the broader one: how much the breadth of lines of one kind may differ; a pixel is allowed always."""


@dataclass(frozen=True)
class Line:
    """What runs along a strip: ``count`` lines side by side, the sum of their widths in pixels, their colour (BGR)
    minus the water's, and the share of the way that is drawn (less than 1 for a dashed line; NaN if the way is too
    short to tell). ``whole``: whether it runs along all of the strip, and not in its middle or at its ends only.
    ``inner``: the thinner lines of another colour along the middle of each of them. ``upon``: whether it is drawn on a
    grid line of similar look."""

    count: int
    breadth: float = 0.0
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    solid: float = 1.0
    whole: bool = True
    inner: Line | None = None
    upon: bool = False

    @cached_property
    def contrast(self) -> float:
        return max(map(abs, self.colour))

    @property
    def weight(self) -> float:
        """The amount of ink of one of the lines."""
        return self.contrast * self.breadth / max(self.count, 1)


def same_pen(a: Line, b: Line, times: float = 1.0) -> bool:
    """Whether lines are drawn with the same pen, however many of them there are. ``times``: as for
    :func:`same_colour`."""
    if not (a.count and b.count):
        return False
    broad = a.breadth / a.count, b.breadth / b.count
    return abs(broad[0] - broad[1]) <= max(1.0, SAME_BREADTH * max(broad)) and same_colour(a, b, times)


def unlit(line: Line, kinds: Sequence[Line]) -> Line:
    """``line`` without the broader line that highlights it, if the inner line is drawn with the pen of another of
    ``kinds``. An inner line that falls between two rows of pixels is mixed with the line under it."""
    inner = line.inner
    if inner is None or not any(same_pen(inner, kind, MIXED) and not same_pen(line, kind) for kind in kinds):
        return line
    return replace(line, breadth=inner.breadth, colour=inner.colour, inner=None)


MIXED = 1.5
"""Factor by which the colours of lines of one pen may differ more if one of them lies on another line."""


def same_colour(a: Line, b: Line, times: float = 1.0) -> bool:
    """Whether two lines are drawn in one colour, within the limits of blur and noise. A line lighter than the water
    never equals one darker than it."""
    (blue, green, red), other = a.colour, b.colour
    apart = max(abs(blue - other[0]), abs(green - other[1]), abs(red - other[2]))
    return apart <= times * max(SAME_COLOUR * max(a.contrast, b.contrast), FAINTEST)


def same_kind(a: Line, b: Line) -> bool:
    """Whether lines are equally many and drawn alike. A thin line that falls between two rows of pixels is twice as
    broad and half as strong, with the same amount of ink."""
    broader = max(a.breadth, b.breadth)
    if a.count != b.count or a.upon != b.upon or abs(a.breadth - b.breadth) > max(1.0, SAME_BREADTH * broader):
        return False
    thin = broader <= THIN * max(a.count, 1)
    return same_colour(a, b) or (thin and same_colour(as_ink(a), as_ink(b)))


THIN = 2.2
"""Pixels: a broader line has at least one row of pixels in its own colour, at any position."""


def as_ink(line: Line) -> Line:
    """One of the lines, as it would be if one pixel wide."""
    blue, green, red = (part * line.breadth / max(line.count, 1) for part in line.colour)
    return Line(1, 1.0, (blue, green, red))


def surely_same_kind(a: Line, b: Line) -> bool:
    """As :func:`same_kind`, for a strip so short that islands' rims may be mixed with the line."""
    return same_kind(a, b) and same_colour(a, b, 0.5)


def as_solid(a: Line, b: Line) -> bool:
    """Whether it is not known that only one of two lines has gaps."""
    return not abs(a.solid - b.solid) > DASHED


DASHED = 0.25
"""The least difference between the drawn shares of two lines of which one has more gaps than the other."""


def upon_grid(lines: Sequence[Line], idle: Sequence[Line]) -> list[Line]:
    """``lines`` of one direction, with those marked that are drawn on grid lines of similar look. ``idle``: the lines
    where no bridge can be: a grid line is the same everywhere, so a bridge on it is told by its ink, even if its colour
    and width are nearly those of the grid."""
    grid = [line for line in idle if line.count == 1]
    if len(grid) < max(FEWEST_GRID, MOSTLY_GRID * len(idle)):
        return list(lines)
    usual = np.median([_inks(line) for line in grid], axis=0)
    least = OTHER_INK * float(np.abs(usual).max())
    alike = [k for k, line in enumerate(lines) if any(same_kind(line, one) for one in grid)]
    apart = {k: float(np.abs(_inks(lines[k]) - usual).max()) for k in alike}
    other = {k for k, far in apart.items() if far > least}
    same = [*(far for k, far in apart.items() if k not in other), *(np.abs(_inks(line) - usual).max() for line in grid)]
    if not other or max(same) > CLEARLY_SAME * min(apart[k] for k in other):
        return list(lines)
    return [replace(line, upon=True) if k in other else line for k, line in enumerate(lines)]


def _inks(line: Line) -> Floats:
    """The amount of ink of a line in each channel, which does not depend on whether it falls between two rows of
    pixels."""
    return np.array(line.colour, np.float64) * line.breadth


FEWEST_GRID, MOSTLY_GRID = 4, 0.5
"""The least number and share of ways without a bridge that show a grid line if there is a grid."""

OTHER_INK, CLEARLY_SAME = 0.4, 0.5
"""Of a grid line's ink: the least difference of a line drawn on it; and, as a share of that, the largest difference
among grid lines."""
