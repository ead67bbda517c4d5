"""The board's place as a person gives it: in numbers, or by two opposite cells."""

from __future__ import annotations

import re

from autoplayer.core.errors import UsageError
from autoplayer.core.frame import Point
from autoplayer.layout import MOST_CELLS, BoardTable

FORMS = "ROWSxCOLUMNS LEFT,TOP,WIDTH,HEIGHT or ROWSxCOLUMNS LEFT,TOP PITCH"
"""The forms that :func:`in_numbers` accepts; all in window pixels."""


def in_numbers(text: str, size: tuple[int, int]) -> BoardTable:
    """The board that ``text`` describes in one of :data:`FORMS`, in a window of ``size`` (width, height).

    >>> in_numbers("2x4 10,20 30", (200, 100)).place
    (0.05, 0.2, 0.6, 0.6)
    """
    number = r"(\d{1,5}(?:\.\d{1,3})?)"
    match = re.fullmatch(
        rf"\s*(\d{{1,3}})\s*[xX]\s*(\d{{1,3}})\s+{number},{number}(?:,{number},{number}|\s+{number})\s*", text
    )
    if not match:
        raise UsageError(f"expected the board's place as {FORMS}, in pixels, but found {text[:60]!r}")
    rows, columns = int(match[1]), int(match[2])
    left, top = float(match[3]), float(match[4])
    pitch = float(match[7]) if match[7] else 0.0
    wide = float(match[5]) if match[5] else columns * pitch
    high = float(match[6]) if match[6] else rows * pitch
    return _table(left, top, wide, high, rows, columns, size)


def by_cells(one: Point, other: Point, rows: int, columns: int, size: tuple[int, int]) -> BoardTable:
    """The board with ``one`` and ``other`` as the centres of opposite corner cells, window pixels.

    >>> by_cells((25, 35), (115, 65), 2, 4, (200, 100)).place
    (0.05, 0.2, 0.6, 0.6)
    """
    across = abs(other[0] - one[0]) / (columns - 1) if columns > 1 else 0.0
    down = abs(other[1] - one[1]) / (rows - 1) if rows > 1 else 0.0
    across, down = across or down, down or across
    if not across:
        raise UsageError("expected the middles of two opposite corner cells, but they are one and the same place")
    left, top = min(one[0], other[0]) - across / 2, min(one[1], other[1]) - down / 2
    return _table(left, top, columns * across, rows * down, rows, columns, size)


def _table(
    left: float, top: float, wide: float, high: float, rows: int, columns: int, size: tuple[int, int]
) -> BoardTable:
    inside = left >= 0 and top >= 0 and left + wide <= size[0] + 0.5 and top + high <= size[1] + 0.5
    fair = 1 <= rows <= 200 and 1 <= columns <= 200 and rows * columns <= MOST_CELLS
    if not inside or not fair or wide < 4 * columns or high < 4 * rows:
        raise UsageError(
            f"expected a board of at most 200 rows and columns and {MOST_CELLS} cells, of at least 4 pixels each, "
            f"inside the window of {size[0]}x{size[1]}, but found {rows} rows and {columns} columns from "
            f"{left:g},{top:g} to {left + wide:g},{top + high:g}"
        )
    place = left / size[0], top / size[1], min(wide / size[0], 1.0), min(high / size[1], 1.0)
    return BoardTable(place=place, rows=rows, columns=columns)
