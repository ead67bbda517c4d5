"""Where everything stands in a window of some size: board, level number, buttons. Numbers only, nothing is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import floor

from autoplayer.core.frame import Box, Cell, Point

PORTRAIT = 1.1
"""A window higher than this many times its width is laid out as a portrait."""
SIDE = 0.14
"""The share of the window that number and buttons take on either side."""
MARGIN = 0.04
"""The share of the shorter side that stays free round the board."""
LARGEST_PITCH = 120
"""Pixels; a small board in a large window does not grow beyond what a hand likes to drag over."""


@dataclass(frozen=True)
class Stage:
    """The places in one window. ``board`` is the lattice, ``pitch`` pixels a cell."""

    size: tuple[int, int]
    portrait: bool
    rows: int
    columns: int
    pitch: int
    board: Box
    number: Box
    name: Box
    buttons: dict[str, Box]

    def cell(self, cell: Cell) -> Box:
        return Box(self.board.x + cell[1] * self.pitch, self.board.y + cell[0] * self.pitch, self.pitch, self.pitch)

    def hit(self, at: Point) -> Cell | None:
        """The cell (or hole) of the lattice under a point; None outside."""
        if not self.board.contains(at):
            return None
        return (at[1] - self.board.y) // self.pitch, (at[0] - self.board.x) // self.pitch

    def _place(self, x: float, y: float) -> Cell | None:
        """As ``hit``, for a point between pixels; a whole number is the middle of its pixel."""
        return self.hit((floor(x + 0.5), floor(y + 0.5)))

    def button(self, at: Point) -> str | None:
        return next((name for name, box in self.buttons.items() if box.contains(at)), None)

    def crossed(self, start: Point, end: Point) -> list[Cell | None]:
        """The places that the straight line from ``start`` to ``end`` crosses, in order, ``start``'s left out.

        The line is cut where it crosses a line of the lattice; the middle of each piece says where the piece lies.
        A line through a corner crosses neither of the two cells beside it.
        """
        cuts = {0.0, 1.0}
        for a, b, origin, count in (
            (start[0], end[0], self.board.x, self.columns),
            (start[1], end[1], self.board.y, self.rows),
        ):
            if a != b:
                # The lines of the lattice run between two pixels, and whole numbers are the middles of pixels.
                lines = (origin + k * self.pitch - 0.5 for k in range(count + 1))
                cuts |= {t for line in lines if 0 < (t := (line - a) / (b - a)) < 1}
        places: list[Cell | None] = []
        before = self.hit(start)
        for t, u in pairwise(sorted(cuts)):
            middle = (t + u) / 2
            place = self._place(start[0] + (end[0] - start[0]) * middle, start[1] + (end[1] - start[1]) * middle)
            if place != before:
                places.append(place)
                before = place
        return places


def is_portrait(size: tuple[int, int]) -> bool:
    return size[1] > size[0] * PORTRAIT


def arrange(size: tuple[int, int], rows: int, columns: int) -> Stage:
    """The stage of a ``rows`` x ``columns`` board in a window of ``size`` (width, height)."""
    width, height = size
    portrait = is_portrait(size)
    side = round((height if portrait else width) * SIDE)
    margin = round(min(size) * MARGIN)
    free_width = width - 2 * margin - (0 if portrait else 2 * side)
    free_height = height - 2 * margin - (2 * side if portrait else 0)
    pitch = max(min(free_width // columns, free_height // rows, LARGEST_PITCH), 2)
    board = Box((width - pitch * columns) // 2, (height - pitch * rows) // 2, pitch * columns, pitch * rows)

    edge = round(min(side * 0.5, min(size) * 0.11))
    gap = round(edge * 0.45)
    span = 3 * edge + 2 * gap
    names = ("next", "reset", "previous")  # in the order in which they stand
    if portrait:
        x, y = (width - span) // 2, height - side // 2 - edge // 2
        buttons = {name: Box(x + i * (edge + gap), y, edge, edge) for i, name in enumerate(names)}
        number = Box(margin, 0, width - 2 * margin, round(side * 0.7))
        name_box = Box(margin, round(side * 0.7), width - 2 * margin, side - round(side * 0.7))
    else:
        x, y = width - side // 2 - edge // 2, (height - span) // 2
        buttons = {name: Box(x, y + i * (edge + gap), edge, edge) for i, name in enumerate(names)}
        number = Box(0, round(height * 0.17), side, round(height * 0.66))
        name_box = Box(0, round(height * 0.86), side, height - round(height * 0.86) - margin)
    return Stage(size, portrait, rows, columns, pitch, board, number, name_box, buttons)
