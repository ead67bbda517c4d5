"""Finds the active numbers of cells of Cross Set in which a short bar on the cell's wall marks one: below it, above it
or beside it, as under the open tab of a window. Readers of numbers leave it out with the wall. Knows no digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image, largest_channel
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.ordering.looks import OTHER_GROUND

DEPTH = 0.13
"""How far from its side such a bar is seen in a cell, and beyond it as far as no other cell is nearer, as a share of
the cell; what is farther inside is read with the numbers."""

MOSTLY, FEWEST = 0.8, 4
"""The share and the count of the cells with several numbers in which a bar has to be at one of them."""

SAMPLE = 6
"""How many cells are looked at before all."""

THICK = 2
"""Pixels: how thick a bar is at least."""

OTHERS = 0.25
"""The most of another number, as a share of its length, that is beside a bar."""

SIDES = range(4)
"""Quarter turns that bring a side of a cell to the bottom: below, left, above, right."""


def marked_upon_walls(
    image: Image, seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]
) -> dict[Cell, list[Glyph]]:
    """The glyphs of each cell; where in most cells a bar on one side is at one number, that one is marked, like glyphs
    with a line around them. ``boxes``: the inside of each cell, window pixels."""
    several = [cell for cell, row in seen.items() if len(row) > 1]
    result = {cell: list(row) for cell, row in seen.items()}
    if len(several) < FEWEST:
        return result
    some = several[:: max(1, len(several) // SAMPLE)]
    most: dict[Cell, int] = {}
    for side in SIDES:
        bands = {cell: _band(image, [g.piece.place for g in seen[cell]], boxes, cell, side) for cell in some}
        if sum(band.at_bar() is not None for band in bands.values()) < MOSTLY / 2 * len(some):
            continue
        bands = {cell: _band(image, [g.piece.place for g in seen[cell]], boxes, cell, side) for cell in several}
        clear = [band.colour() for band in bands.values() if band.at_bar() is not None]
        # The corners of a cell do not have the colour of the bars.
        colour = np.median(clear, axis=0)
        chosen = {cell: at for cell, band in bands.items() if (at := band.at_bar(colour)) is not None}
        if len(chosen) >= max(FEWEST, MOSTLY * len(several), len(most) + 1):
            most = chosen
    for cell, at in most.items():
        row = result[cell]
        row[at] = replace(row[at], piece=replace(row[at].piece, ringed=True))
    return result


@dataclass(frozen=True)
class _Band:
    """The pixels along one side of a cell, turned so that the side is below, shape ``(h, w, 3)``; and the ``places`` of
    the cell's numbers, from the same left end."""

    pixels: NDArray[np.int16]
    places: Sequence[Box]

    @cached_property
    def _other(self) -> NDArray[np.bool_]:
        """The pixels unlike the others of their line, as the ground and a wall are not."""
        if not self.pixels.size:
            return np.zeros(self.pixels.shape[:2], np.bool_)
        usual = np.median(self.pixels, axis=1, keepdims=True)
        return np.asarray(largest_channel(np.abs(self.pixels - usual)) > OTHER_GROUND)

    def at_bar(self, colour: Floats | None = None) -> int | None:
        """Which of the numbers the only bar of the band is at; None if there is none, or several. ``colour``: the bars'
        own, if that is known; else what is at the ends of the band belongs to the corners of the cell."""
        run = self._run(colour)
        return None if run is None else _beside(self.places, *run)

    def colour(self) -> Floats:
        """The colour of the only bar, BGR, shape ``(3,)``."""
        start, end = self._run(None) or (0, 0)
        part = slice(start, end)
        return np.asarray(np.median(self.pixels[:, part][self._other[:, part]], axis=0), np.float32)

    def _run(self, colour: Floats | None) -> tuple[int, int] | None:
        other = self._other
        if colour is not None:
            other = other & (largest_channel(np.abs(self.pixels - colour)) <= OTHER_GROUND)
        width = other.shape[1]
        columns = np.concatenate(([False], np.asarray(other.sum(axis=0) >= THICK), [False]))
        runs = np.flatnonzero(columns[1:] != columns[:-1]).reshape(-1, 2).tolist()
        if colour is None:
            runs = [run for run in runs if run[0] > 0 and run[1] < width]
        return (runs[0][0], runs[0][1]) if len(runs) == 1 else None


def _band(image: Image, places: Sequence[Box], boxes: Mapping[Cell, Box], cell: Cell, side: int) -> _Band:
    """What is drawn along one side of a cell with numbers at some ``places``."""
    box, gap = boxes[cell], _gap(boxes, cell, side)
    left, top = max(box.x - gap, 0), max(box.y - gap, 0)
    around = image[top : box.y + box.height + gap, left : box.x + box.width + gap]
    turned = [_turned(Box(p.x - left, p.y - top, p.width, p.height), around, side) for p in places]
    pixels = np.rot90(around, side)
    height, width = pixels.shape[:2]
    foot = max(p.y + p.height for p in turned)
    start = max(foot + 1, height - gap - round(DEPTH * (height - 2 * gap)))
    inner = [Box(p.x - gap, p.y, p.width, p.height) for p in turned]
    return _Band(pixels[start:, gap : width - gap].astype(np.int16), inner)


def _gap(boxes: Mapping[Cell, Box], cell: Cell, side: int) -> int:
    """Pixels beyond one side of a cell to the middle between it and the next one, at most a given share of the cell."""
    own = boxes[cell]
    down, across = ((1, 0), (0, -1), (-1, 0), (0, 1))[side]
    most = round(DEPTH * min(own.width, own.height))
    beside = boxes.get((cell[0] + down, cell[1] + across))
    if beside is None:
        return most
    first, other = (own, beside) if down + across > 0 else (beside, own)
    apart = other.y - first.y - first.height if down else other.x - first.x - first.width
    return max(0, min(most, (apart + 1) // 2))


def _turned(place: Box, image: Image, side: int) -> Box:
    """A box of a picture in the picture after some quarter turns."""
    height, width = image.shape[:2]
    for _ in range(side):
        place = Box(place.y, width - place.x - place.width, place.height, place.width)
        height, width = width, height
    return place


def _beside(places: Sequence[Box], start: int, end: int) -> int | None:
    """The one number that a bar is at, in one direction; None if it reaches others too."""
    shared = [min(end, p.x + p.width) - max(start, p.x) for p in places]
    at = max(range(len(places)), key=lambda i: shared[i])
    if shared[at] < 0.5 * min(end - start, places[at].width):
        return None
    others = (i for i in range(len(places)) if i != at)
    return None if any(shared[i] > OTHERS * places[i].width for i in others) else at
