"""Where tiles stand in a window: the walking view, the sliding view, and all between. Numbers only."""

from __future__ import annotations

from dataclasses import dataclass

from autoplayer.arcade.continuity.engine import BLANK, WAYS, Engine
from autoplayer.core.frame import Box

CAPTION = 0.05
"""The share of the window's height that the line above the board takes."""
MARGIN = 0.03
"""The share of the shorter side that stays free round the board."""
NEAR = 0.74
"""The share of the window that the figure's tile takes at most, where the camera is on it."""
FOLLOWS = 0.12
"""How much nearer the camera comes to where it should be, each step."""
LEAST_CAPTION = 16
"""Pixels."""


@dataclass(frozen=True)
class View:
    """``left``, ``top``: the window's pixel of the board's corner; ``width``, ``height``: from a tile to the next;
    ``gap``: the share of that between two tiles."""

    left: float
    top: float
    width: float
    height: float
    gap: float

    def tile(self, row: float, column: float) -> Box:
        """The pixels of a tile; without a gap, tiles beside each other share their edges."""
        x0, y0 = self.left + (column + self.gap / 2) * self.width, self.top + (row + self.gap / 2) * self.height
        x1, y1 = x0 + (1 - self.gap) * self.width, y0 + (1 - self.gap) * self.height
        return Box(round(x0), round(y0), round(x1) - round(x0), round(y1) - round(y0))


def caption(size: tuple[int, int]) -> Box:
    """The line above the board."""
    return Box(0, 0, size[0], max(round(size[1] * CAPTION), LEAST_CAPTION))


def smoothly(share: float) -> float:
    """0 to 1, slow at both ends."""
    return share * share * (3 - 2 * share)


def where(engine: Engine, tile: int) -> tuple[float, float]:
    """``(row, column)`` of a tile as shown, between two places while it slides."""
    row, column = engine.place(tile)
    sliding = engine.sliding
    if sliding is None or sliding.tile != tile or tile == BLANK:
        return row, column
    dr, dc = WAYS[sliding.way]
    left = smoothly(sliding.left)
    return row - dr * left, column - dc * left


class Camera:
    """Looks at the whole board, or from near at the figure's tile while it walks. ``gap``, ``slide_gap``: shares of a
    tile's place that stay free round it, in the walking and the sliding view."""

    def __init__(self, engine: Engine, near: bool, gap: float, slide_gap: float) -> None:
        self.engine, self.near, self.gap, self.slide_gap = engine, near, gap, slide_gap
        self._at = where(engine, engine.tile)
        self._steps = engine.steps

    def view(self, size: tuple[int, int]) -> View:
        """What is seen at this moment in a window of ``size`` (width, height)."""
        row, column = where(self.engine, self.engine.tile)
        share = 1 - (1 - FOLLOWS) ** (self.engine.steps - self._steps)
        self._steps = self.engine.steps
        y, x = self._at
        self._at = y + (row - y) * share, x + (column - x) * share
        return self._between(size, smoothly(self.engine.zoom))

    def walking(self, size: tuple[int, int]) -> View:
        return self._between(size, 0.0)

    def sliding(self, size: tuple[int, int]) -> View:
        return self._between(size, 1.0)

    def _between(self, size: tuple[int, int], zoom: float) -> View:
        engine = self.engine
        rows, columns = len(engine.cells), len(engine.cells[0])
        top, margin = caption(size).height, min(size) * MARGIN
        wide, high = size[0] - 2 * margin, size[1] - top - 2 * margin
        # A whole number of pixels a cell makes all cells of one size where nothing moves.
        whole = max(min(wide // (columns * engine.width), high // (rows * engine.height)), 1.0)
        cell, y, x = whole, rows / 2, columns / 2
        if self.near:
            nearest = max(min(wide * NEAR // engine.width, high * NEAR // engine.height), whole)
            cell = nearest + (whole - nearest) * zoom
            y += (self._at[0] + 0.5 - y) * (1 - zoom)
            x += (self._at[1] + 0.5 - x) * (1 - zoom)
        width, height = cell * engine.width, cell * engine.height
        gap = self.gap + (self.slide_gap - self.gap) * zoom
        left, upper = size[0] / 2 - x * width, top + (size[1] - top) / 2 - y * height
        return View(left, upper, width, height, gap)
