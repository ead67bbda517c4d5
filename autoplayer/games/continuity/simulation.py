"""Simulates the figure in the air of rooms: its physics on the solid masks of tiles, all flights at once in numpy.

A side lets a figure through if both profiles are equal, cell for cell; so beyond a passed side the masks continue as in
the last row or column before it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.flights import DEEPEST, Bools, Boxes, Ends, Floats, Ints, Sky, Things
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.world import Board

TICK = 1 / 60
"""Seconds between two collision checks; less if something is so fast that it would skip half a cell."""
LONGEST = 4.0
"""Seconds after which a flight has failed: it is stuck somewhere."""
INNER = 1e-6
"""Cells by which the figure's box is reduced, so that it does not touch what it stands beside."""
TOUCH = 0.15
"""A figure touches a thing if it overlaps at least this share of the thing's size, at each of its sides."""
FIRM_TOUCH = 0.3
"""The same if positions are measured."""
TOE = 0.2
"""A figure that stands on the ground with less than this share of its width, at each side, cannot stop there."""
SLIP = 0.05
"""Seconds by which a hand may release a key too early or too late; the more often that matters, the riskier the
link."""


class Slip(NamedTuple):
    """A deviation from the planned flight: additional seconds of steering, cells beside the spot where it begins, and
    the factors of the initial speeds of jumps and of walks."""

    hold: float = 0.0
    beside: float = 0.0
    jump: float = 1.0
    walk: float = 1.0


EXACT = Slip()
SLIPS = (Slip(-SLIP), Slip(SLIP))


class Thing(NamedTuple):
    """A key or the door: its box in a tile, left, top, width and height in cells."""

    tile: int
    x: float
    y: float
    width: float
    height: float


class Start(NamedTuple):
    """The figure's initial position: the middle of its feet, in cells. ``falling``: its speed, cells a second
    downwards, if it is in the air (frozen there, or on its way)."""

    tile: int
    x: float
    y: float
    falling: float = 0.0


@dataclass(frozen=True, eq=False)
class Rooms:
    """Tiles as masks. ``solid``, ``spikes``: shape ``(tiles, height, width)``, a cell each."""

    solid: Bools
    spikes: Bools
    start: Start
    keys: tuple[Thing, ...]
    door: Thing
    board: Board
    physics: Physics
    pitch: float = 1.0
    """Cells between two spots on the ground: 1 for characters; about the figure's width where a cell is a pixel."""
    careful: bool = False
    """Whether physics and positions are measured, and so not exact: then a flight must tolerate more to be no risk."""
    slack: int = 0
    """The tolerance in cells between the walls of two matching sides: 0 for characters, a few if a cell is a pixel."""

    @property
    def grain(self) -> float:
        """The resolution at which flights are distinguished, in cells: a character, or about as much."""
        return max(self.pitch, self.physics.height) if self.careful else self.pitch


class Throws(NamedTuple):
    """How flights begin, an entry each: from which place, in which tile, where, how fast upwards (cells a second), and
    in which direction they are steered: -1 left, 1 right, 0 neither."""

    place: Ints
    tile: Ints
    x: Floats
    y: Floats
    rising: Floats
    way: Ints


def throws(rows: Sequence[tuple[int, int, float, float, float, int]]) -> Throws:
    """Throws as arrays."""
    table = np.array(rows, np.float64).reshape(len(rows), 6).T
    place, tile, way = table[[0, 1, 5]].astype(np.int64)
    return Throws(place, tile, table[2], table[3], table[4], way)


class Flights(NamedTuple):
    """Throws and for how long they are steered, an entry each: the throw's number and seconds."""

    row: Ints
    hold: Floats


def tick_of(physics: Physics) -> float:
    """Seconds between two collision checks: a box that moves by less than its own size skips no wall, however thin."""
    fastest = max(physics.walk, physics.fall, physics.jump_speed)
    return min(TICK, 0.8 * min(physics.width, physics.height) / fastest)


class Simulation:
    """The physics on the masks of all tiles."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.physics = physics = rooms.physics
        self.tiles, self.height, self.width = rooms.solid.shape
        self.pad = math.ceil(max(physics.width, physics.height)) + 2
        self.tick = tick_of(physics)
        self.things = (*rooms.keys, rooms.door)

    @cached_property
    def _solid(self) -> Ints:
        return _sums(self.rooms.solid, self.pad)

    @cached_property
    def _spikes(self) -> Ints:
        return _sums(self.rooms.spikes, self.pad)

    @cached_property
    def _has_spikes(self) -> bool:
        return bool(self.rooms.spikes.any())

    @cached_property
    def _things(self) -> Things:
        touch = FIRM_TOUCH if self.rooms.careful else TOUCH
        tile, *boxes = (np.array(values) for values in zip(*self.things, strict=True))
        x, y, width, height = boxes
        dx, dy = width * touch, height * touch
        return Things(tile, x + dx, x + width - dx, y + dy, y + height - dy)

    @cached_property
    def _sky(self) -> Sky:
        rooms, physics = self.rooms, self.physics
        walls = Boxes(rooms.solid, physics.width, physics.height, INNER)
        spikes = Boxes(rooms.spikes, physics.width, physics.height, TOUCH) if self._has_spikes else None
        size = self.width, self.height
        return Sky(walls, spikes, self._things, *size, physics.gravity, physics.fall, self.tick, LONGEST)

    def _any(
        self, sums: Ints, tile: Ints, x: Floats, y: Floats, inner: float = INNER, below: float | None = None
    ) -> Bools:
        """Whether a mask has anything in the figure's box, reduced by ``inner`` on each side, or, at its feet, by
        ``below`` if that is given."""
        half, top = self.physics.width / 2, self.physics.height
        last_x, last_y = sums.shape[2] - 1, sums.shape[1] - 1
        x0 = _within(np.floor(x - half + inner), self.pad, last_x)
        x1 = _within(np.ceil(x + half - inner), self.pad, last_x)
        y0 = _within(np.floor(y - top + inner), self.pad, last_y)
        y1 = _within(np.ceil(y - (inner if below is None else below)), self.pad, last_y)
        count = sums[tile, y1, x1] - sums[tile, y0, x1] - sums[tile, y1, x0] + sums[tile, y0, x0]
        found: Bools = count > 0
        return found

    def carried(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Whether there is ground under the feet, and not under one toe only: a hand does not stop that exactly."""
        return self._any(self._solid, tile, x, y + 0.1, TOE * self.physics.width, below=0.0)

    def blocked(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Whether a wall blocks the figure with its feet at ``(x, y)``."""
        return self._any(self._solid, tile, x, y)

    def ground(self, tile: Ints, x: Floats, y: Floats, where: Bools) -> Floats:
        """The heights of the ground that figures with their feet at ``(x, y)`` have entered; only ``where``."""
        found = np.floor(y)
        sunk = np.flatnonzero(where)
        for _ in range(DEEPEST):
            if not len(sunk):
                break
            sunk = sunk[self.blocked(tile[sunk], x[sunk], found[sunk])]
            found[sunk] -= 1
        return found

    def pricked(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Whether it stands or flies in spikes."""
        if not self._has_spikes:
            return np.zeros(len(x), np.bool_)
        return self._any(self._spikes, tile, x, y, TOUCH)

    def touches(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Which things the figure touches; shape ``(n, things)``."""
        return self._things.touched(self.physics.width / 2, self.physics.height, tile, x, y)

    def fly(self, begun: Throws, flights: Flights, hands: Sequence[Slip] = (EXACT,)) -> list[Ends]:
        """All flights to their ends, once for each of ``hands``."""
        used, row = np.unique(flights.row, return_inverse=True)
        bodies = list(dict.fromkeys(hand._replace(hold=0.0) for hand in hands))
        rising, way = begun.rising[used], begun.way[used]
        beside = np.concatenate([begun.x[used] + body.beside for body in bodies])
        tile = np.tile(begun.tile[used], len(bodies))
        x, y = (np.tile(values[used], len(bodies)) for values in (begun.x, begun.y))
        x = np.where(self.blocked(tile, beside, y), x, beside)
        jumps = [np.where(rising > 0, -rising * body.jump, -rising) for body in bodies]
        speeds = [way * self.physics.walk * body.walk for body in bodies]
        rows, held = [], []
        for hand in hands:
            rows.append(row + bodies.index(hand._replace(hold=0.0)) * len(used))
            held.append(np.where(way[row] == 0, 0, self._sky.steps(np.maximum(flights.hold + hand.hold, 0))))
        ends = self._sky.fly(
            tile, x, y, np.concatenate(jumps), np.concatenate(speeds), np.concatenate(rows), np.concatenate(held)
        )
        return [ends.part(slice(n * len(row), (n + 1) * len(row))) for n in range(len(hands))]


def _within(corner: Floats, pad: int, last: int) -> Ints:
    """The entries of sums, 0 to ``last``, for whole places. Not by ``numpy.clip``, which takes five times as long for
    a few of them."""
    return np.minimum(np.maximum(corner.astype(np.int64) + pad, 0), last)


def _sums(mask: Bools, pad: int) -> Ints:
    """For each tile how many cells of a mask, continued past its sides, lie above and left of each corner."""
    wide = np.pad(mask, ((0, 0), (pad, pad), (pad, pad)), mode="edge").astype(np.int64)
    return np.pad(wide.cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))
