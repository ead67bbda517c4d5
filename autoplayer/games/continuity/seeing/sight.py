"""The results of reading as plain data: the board with its rooms in a still picture, and the figure in each later
picture.

Inside a tile, positions are measured in *tile pixels*: pixels of the picture that the board was read from, relative to
the tile's left upper corner, columns before rows. A later picture may show the same tile nearer or elsewhere; its
observations are converted to the same tile pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Image

Bools = NDArray[np.bool_]
Kind = Literal["figure", "key", "door", "unknown"]
View = Literal["walking", "sliding", "changing", "gone"]
"""``changing``: between two views, or a tile is moving. ``gone``: the board is not there (a win, a menu, a cover)."""


class Thing(NamedTuple):
    """Something small that stands in a room: its tile, and its box there, cut close, in tile pixels."""

    kind: Kind
    tile: int
    x: float
    y: float
    width: float
    height: float
    sure: float = 1.0
    """The probability that it is of this kind."""


@dataclass(frozen=True, eq=False)
class Tiles:
    """A board as one picture shows it. ``cells``: row by row the number of the tile in each cell, ``world.BLANK`` in
    the empty one; tiles are numbered from 0 as they lie. ``boxes``: where each cell stands in the picture, window
    pixels, the empty one too."""

    rows: int
    columns: int
    cells: tuple[int, ...]
    boxes: tuple[Box, ...]
    pictures: tuple[Image, ...]
    """Each tile's picture, all of one size ``(height, width, 3)``."""
    solid: Bools
    """Shape ``(tiles, height, width)``: what a figure cannot pass, a pixel each."""
    spikes: Bools
    """The same shape: spikes; all False if nothing looks like them."""
    things: tuple[Thing, ...]
    view: View = "sliding"
    doubts: tuple[str, ...] = field(default=())
    """What is not certain, in sentences."""
    margins: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The parts of the rooms' places, as they were found, that belong to no room (a mat, a line): left, top, right,
    bottom, as shares of a place's width and height."""

    def room(self, place: Box) -> Box:
        """The room in a place as it is found in another picture."""
        left, top, right, bottom = self.margins
        x, y = place.x + round(left * place.width), place.y + round(top * place.height)
        return Box(
            x, y, place.x + place.width - round(right * place.width) - x,
            place.y + place.height - round(bottom * place.height) - y,
        )  # fmt: skip

    def box(self, thing: Thing) -> Box:
        """Where a thing stands in the picture, window pixels."""
        place = self.boxes[self.cells.index(thing.tile)]
        return Box(place.x + round(thing.x), place.y + round(thing.y), round(thing.width), round(thing.height))


class Sighting(NamedTuple):
    """One later picture. ``tile``, ``x``, ``y``: the figure's tile and the middle of its feet in tile pixels; None and
    0 where no figure is seen. ``cells``: where the tiles lie, as far as the picture shows it (None where it does not).
    ``keys``: of ``Tiles.things``, the indexes of those that are seen to be gone."""

    view: View
    tile: int | None
    x: float
    y: float
    box: Box | None
    """The figure in window pixels."""
    cells: tuple[int, ...] | None
    gone: frozenset[int] = frozenset()
