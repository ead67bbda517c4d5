"""What a figure can reach inside tiles: its physics simulated on their solid masks, all flights at once in numpy.

Places are spots on the ground, a column apart; the sides where the figure flies across, by height and speed in rounded
steps; and the points of a flight that touch a key or the door. Links between them are directed and carry the key
presses that realise each. Sides let a figure through where their profiles are equal, cell for cell; so what is beyond a
side that is passed looks as the last row or column before it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.flights import DEEPEST, LANDED, LOST, Bools, Boxes, Ends, Floats, Ints, Sky, Things
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.world import (
    BOTTOM,
    LEFT,
    OPPOSITE,
    RIGHT,
    SIDES,
    TOP,
    Board,
    Crossing,
    Link,
    Press,
    World,
)

__all__ = [
    "LANDED",
    "LONGEST",
    "LOST",
    "Bools",
    "Flights",
    "Floats",
    "Ints",
    "Reach",
    "Rooms",
    "Simulation",
    "Start",
    "Thing",
    "alike",
    "matches",
    "throws",
    "tick_of",
    "world_of",
]

TICK = 1 / 60
"""Seconds between two looks at the walls, or less where something is so fast that it would skip half a cell."""
LONGEST = 4.0
"""Seconds after which a flight has failed: it hangs somewhere."""
HOLD_STEP = 0.5
"""Flights steer for a time in which the figure flies so many cells, and for all multiples of it."""
HEIGHT_STEP, SPEED_STEP = 0.5, 4.0
"""Where and how fast a side is flown across is rounded to this, in cells and cells a second."""
INNER = 1e-6
"""Cells by which a figure is smaller than it is, so that it touches nothing that it stands beside."""
TOUCH = 0.15
"""A thing is touched by a figure that overlaps it by this share of its size at least, at each of its sides."""
FIRM_TOUCH = 0.3
"""The same where places are measured."""
TOE = 0.2
"""Of the figure's width, at each side: what stands on the ground with less than that is no place to stop at."""
PRESS = 0.12
"""Seconds that the jump key is held."""
SLIP = 0.05
"""Seconds by which a hand may let go too early or too late; a link is the riskier, the more often that matters."""
RISK_SECONDS = 1.0
"""What a link that surely fails once would cost more."""

BESIDE, ROUGHLY = 0.3, 0.06
"""Of the pitch, how far beside the middle of a spot a hand stops that only sees the figure; and the share by which
measured speeds may be wrong."""
CAREFUL = 4.0
"""How many times the usual price a risk has there: what fails may cost a life."""


NOWHERE = -1
HALF = 1 << 14
"""Half as many heights and speeds as are told apart at a side."""


class Slip(NamedTuple):
    """What is otherwise than a flight was thought: seconds that it is steered longer, cells that it begins beside its
    spot, and the factors of the speeds with which it jumps and walks."""

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
    """Where the figure is at first: the middle of its feet, in cells. ``falling``: how fast, cells a second downwards,
    where it is in the air (frozen there, or on its way)."""

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
    """Whether physics and places are measured, and so not exact: then a flight must bear more to be no risk."""
    slack: int = 0
    """Cells by which the walls of two sides that match may differ: 0 for characters, a few where a cell is a pixel."""

    @property
    def grain(self) -> float:
        """Cells of what flights are told apart by: a character, or about as much."""
        return max(self.pitch, self.physics.height) if self.careful else self.pitch


class Throws(NamedTuple):
    """How flights begin, an entry each: from which place, in which tile, where, how fast upwards (cells a second), and
    which way they are steered: -1 left, 1 right, 0 neither."""

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
    """Seconds between two looks at the walls: a box that moves by less than its own size skips none, however thin."""
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
        spikes = Boxes(rooms.spikes, physics.width, physics.height, TOUCH) if rooms.spikes.any() else None
        size = self.width, self.height
        return Sky(walls, spikes, self._things, *size, physics.gravity, physics.fall, self.tick, LONGEST)

    def _any(
        self, sums: Ints, tile: Ints, x: Floats, y: Floats, inner: float = INNER, below: float | None = None
    ) -> Bools:
        """Whether a mask has anything in the figure's box, made smaller by ``inner`` on each side, but by ``below`` at
        its feet where that is given."""
        half, top = self.physics.width / 2, self.physics.height
        last_x, last_y = sums.shape[2] - 1, sums.shape[1] - 1
        x0 = np.clip(np.floor(x - half + inner).astype(np.int64) + self.pad, 0, last_x)
        x1 = np.clip(np.ceil(x + half - inner).astype(np.int64) + self.pad, 0, last_x)
        y0 = np.clip(np.floor(y - top + inner).astype(np.int64) + self.pad, 0, last_y)
        y1 = np.clip(np.ceil(y - (inner if below is None else below)).astype(np.int64) + self.pad, 0, last_y)
        count = sums[tile, y1, x1] - sums[tile, y0, x1] - sums[tile, y1, x0] + sums[tile, y0, x0]
        found: Bools = count > 0
        return found

    def carried(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Whether there is ground under the feet, and not under one toe only: a hand does not stop there."""
        return self._any(self._solid, tile, x, y + 0.1, TOE * self.physics.width, below=0.0)

    def blocked(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Whether a wall is in the way of the figure with its feet at ``(x, y)``."""
        return self._any(self._solid, tile, x, y)

    def ground(self, tile: Ints, x: Floats, y: Floats, where: Bools) -> Floats:
        """The heights of the ground that figures with their feet at ``(x, y)`` have come into; only ``where``."""
        found = np.floor(y)
        sunk = np.flatnonzero(where)
        for _ in range(DEEPEST):
            sunk = sunk[self.blocked(tile[sunk], x[sunk], found[sunk])]
            if not len(sunk):
                break
            found[sunk] -= 1
        return found

    def pricked(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Whether it stands or flies in spikes."""
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


def _sums(mask: Bools, pad: int) -> Ints:
    """For each tile how many cells of a mask, continued past its sides, lie above and left of each corner."""
    wide = np.pad(mask, ((0, 0), (pad, pad), (pad, pad)), mode="edge").astype(np.int64)
    return np.pad(wide.cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))


class Reach:
    """What a figure can reach in the rooms of a level: places and links, collected until no flight leads anywhere new.
    The inside of a tile is the same wherever tiles lie and the figure is, so this is worked out once; :meth:`world`
    adds where it starts."""

    def __init__(self, rooms: Rooms, simulated: type[Simulation] = Simulation) -> None:
        """``simulated``: by what flights are simulated."""
        self.rooms = rooms
        self.physics = rooms.physics
        self.simulation = simulated(rooms)
        self.places: list[tuple[int, str]] = []
        self.number: dict[tuple[int, str], int] = {}
        self.links: dict[tuple[int, int], Link] = {}
        self.crossings: dict[tuple[int, int], Crossing] = {}
        self.touching: list[set[int]] = [set() for _ in self.simulation.things]
        self.spots: dict[tuple[int, int, int], int] = {}
        """``(tile, row of the feet, column)`` to place."""
        self.match = matches(rooms.solid, rooms.slack)
        self._passable = np.array(
            [[bool(self.match[tile, side]) for side in range(4)] for tile in range(len(rooms.solid))]
        )
        self._entries: dict[tuple[int, int, int, int], int | None] = {}
        """The places where a figure comes flying in, by tile, side, height and speed in steps; None where it cannot."""
        self._stand()
        self._take(self._jumps())

    def place(self, tile: int, name: str) -> int:
        if (tile, name) not in self.number:
            self.number[tile, name] = len(self.places)
            self.places.append((tile, name))
        return self.number[tile, name]

    def world(
        self,
        start: Start | None = None,
        board: Board | None = None,
        taken: Collection[int] = (),
        without: Collection[tuple[int, int]] = (),
    ) -> World:
        """The level from ``start`` (else where the rooms have it) on ``board``, without the keys with the numbers
        ``taken``, and without the links between the places ``without``."""
        rooms = self.rooms
        first = self._start(start or rooms.start)
        left = [number for number in range(len(rooms.keys)) if number not in taken]
        names = tuple(f"key{number + 1}" for number in left)
        *keys, door = (tuple(sorted(self.touching[number])) for number in [*left, len(rooms.keys)])
        tiles = tuple(str(number) for number in range(1, len(rooms.solid) + 1))
        links = tuple(link for ends, link in self.links.items() if ends not in without)
        crossings = tuple(self.crossings.values())
        return World(tiles, tuple(self.places), links, crossings, first, tuple(keys), names, door, board or rooms.board)

    def _stand(self) -> None:
        """Spots on the ground, and the walks between those beside each other and across the sides."""
        pitch, simulation = self.rooms.pitch, self.simulation
        columns = max(round(simulation.width / pitch), 1)
        tile, row, column = (
            axis.ravel() for axis in np.indices((simulation.tiles, simulation.height + 1, columns), np.int64)
        )
        x, y = (column + 0.5) * pitch, row.astype(np.float64)
        free = ~simulation.blocked(tile, x, y) & ~simulation.pricked(tile, x, y) & (row > 0)
        good = np.flatnonzero(free & simulation.carried(tile, x, y))
        touched = simulation.touches(tile[good], x[good], y[good])
        tile, row, column = tile[good], row[good], column[good]
        for t, r, c in zip(tile.tolist(), row.tolist(), column.tolist(), strict=True):
            self.spots[t, r, c] = self.place(t, f"r{r}c{c + 1}")
        for spot, thing in np.argwhere(touched).tolist():
            self.touching[thing].add(spot)
        # The numbers of spots are their indices here; a column of none at both sides.
        self._spot_at = np.full((simulation.tiles, simulation.height + 1, columns + 2), -1)
        self._spot_at[tile, row, column + 1] = np.arange(len(good))
        on = np.zeros(len(good), np.bool_)
        on[1:] = (np.diff(tile) == 0) & (np.diff(row) == 0) & (np.diff(column) == 1)
        self._ground = np.cumsum(~on)
        """Which spots are on the same ground."""
        seconds = pitch / self.physics.walk
        cost = self.physics.cost(seconds)
        left, right = ((Press((SIDES[side],), seconds),) for side in (LEFT, RIGHT))
        for spot in np.flatnonzero(on).tolist():
            self.links[spot, spot - 1] = Link(spot, spot - 1, cost, left)
            self.links[spot - 1, spot] = Link(spot - 1, spot, cost, right)
        for (t, r, c), place in self.spots.items():
            for side, edge, presses in ((LEFT, 0, left), (RIGHT, columns - 1, right)):
                for other in self.match[t, side] if c == edge else ():
                    beyond = self.spots.get((other, r, columns - 1 - edge))
                    if beyond is not None:
                        self._cross(Crossing(place, beyond, side, cost, presses))

    def _link(self, link: Link) -> None:
        known = self.links.get((link.a, link.b))
        if known is None or link.cost < known.cost:
            self.links[link.a, link.b] = link

    def _cross(self, crossing: Crossing) -> None:
        known = self.crossings.get((crossing.a, crossing.b))
        if known is None or crossing.cost < known.cost:
            self.crossings[crossing.a, crossing.b] = crossing

    @property
    def _slips(self) -> tuple[Slip, ...]:
        """What may be otherwise than it was thought, where hand and physics are not known exactly."""
        aside = BESIDE * self.rooms.pitch
        return (
            Slip(-2 * SLIP),
            Slip(2 * SLIP),
            Slip(beside=-aside),
            Slip(beside=aside),
            Slip(jump=1 - ROUGHLY / 2),
            Slip(walk=1 - ROUGHLY),
            Slip(walk=1 + ROUGHLY),
        )

    @property
    def _risk_seconds(self) -> float:
        return RISK_SECONDS * (CAREFUL if self.rooms.careful else 1.0)

    @property
    def _holds(self) -> list[float]:
        """How long flights are steered: up to where the other side of a tile is reached."""
        step = HOLD_STEP * self.rooms.grain
        steps = math.ceil(self.simulation.width / step) + 1
        return [number * step / self.physics.walk for number in range(1, steps + 1)]

    def _jumps(self) -> Throws:
        """Jumps from every spot: straight up, and to both sides; and steps over an edge."""
        found = []
        up, pitch = self.physics.jump_speed, self.rooms.pitch
        for (tile, row, column), place in self.spots.items():
            x, y = (column + 0.5) * pitch, float(row)
            found.append((place, tile, x, y, up, 0))
            for way in (-1, 1):
                found.append((place, tile, x, y, up, way))
                if (tile, row, column + way) not in self.spots:
                    found.append((place, tile, x, y, 0.0, way))
        return throws(found)

    def _start(self, start: Start) -> int:
        """The place where the figure is at first, with its flights from there where that is no spot."""
        tile, x, y, falling = start
        spot = self.spots.get((tile, round(y), int(x / self.rooms.pitch)))
        if spot is not None and abs(y - round(y)) < TOUCH and falling == 0:
            return spot
        place = self.place(tile, "start")
        self.places[place] = tile, "start"
        self.links = {ends: link for ends, link in self.links.items() if ends[0] != place}
        for places in self.touching:
            places.discard(place)
        here = np.array([tile]), np.array([x]), np.array([y])
        for thing in np.flatnonzero(self.simulation.touches(*here)[0]).tolist():
            self.touching[thing].add(place)
        self._take(throws([(place, tile, x, y, -falling, way) for way in (0, -1, 1)]))
        return place

    def _take(self, begun: Throws) -> None:
        """The links that all flights of these throws make, and those from where they newly lead, and so on."""
        holds, all_throws, all_flights, all_ends, all_codes = np.array(self._holds), [], [], [], []
        count = 0
        while len(begun.place):
            times = np.where(begun.way == 0, 1, len(holds))
            row = np.repeat(np.arange(len(begun.place)), times)
            number = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
            flights = Flights(row, np.where(begun.way[row] == 0, 0.0, holds[number]))
            (ends,) = self.simulation.fly(begun, flights)
            codes = self._codes(begun.tile[row], ends)
            all_throws.append(begun)
            all_flights.append(Flights(row + count, flights.hold))
            all_ends.append(ends)
            all_codes.append(codes)
            count += len(begun.place)
            begun = self._enter(begun.tile[row], codes)
        if all_throws:
            every = Throws(*(np.concatenate(parts) for parts in zip(*all_throws, strict=True)))
            flights = Flights(*(np.concatenate(parts) for parts in zip(*all_flights, strict=True)))
            ends = Ends(*(np.concatenate(parts) for parts in zip(*all_ends, strict=True)))
            self._connect(every, flights, ends, np.concatenate(all_codes))

    def _connect(self, begun: Throws, flights: Flights, ends: Ends, codes: Ints) -> None:
        """The best link of each kind of flight: from the same place to the same place, touching the same things."""
        tile, place = begun.tile[flights.row], begun.place[flights.row]
        met = np.isfinite(ends.touched)
        bits = met @ (1 << np.arange(met.shape[1]))
        # A flight that leads back to where it began is of no use unless it touches something.
        some = np.flatnonzero((codes != NOWHERE) & ((codes != place) | (bits > 0)))
        if not len(some):
            return
        ended, touching = (np.unique(values[some], return_inverse=True)[1] for values in (codes, bits))
        kinds = (place[some] * len(some) + ended) * (1 + touching.max()) + touching
        _, first, kind = np.unique(kinds, return_index=True, return_inverse=True)
        seconds, grounds = ends.seconds[some], self._grounds(codes[some])
        order = np.lexsort((np.arange(len(some)), seconds, kind))
        quickest = order[np.searchsorted(kind[order], np.arange(len(first)))]
        risk = np.full(len(some), np.inf)
        price = self._risk_seconds
        risk[quickest] = self._risks(begun, flights, some[quickest], tile, grounds[quickest])
        # A slower flight is better where it is that much less of a risk.
        worth = seconds + risk * price
        rest = np.flatnonzero((risk[quickest] > 0)[kind] & (seconds <= worth[quickest][kind]) & np.isinf(risk))
        risk[rest] = self._risks(begun, flights, some[rest], tile, grounds[rest])
        worth = seconds + risk * price
        order = np.lexsort((np.arange(len(some)), worth, kind))
        best = order[np.searchsorted(kind[order], np.arange(len(first)))]
        chosen = best[np.argsort(first)]
        at = some[chosen]
        self._link_all(begun, flights.row[at], flights.hold[at], ends.part(at), codes[at], risk[chosen])

    def _risks(self, begun: Throws, flights: Flights, which: Ints, tile: Ints, grounds: Ints) -> Floats:
        """How many of the hands that are a little wrong end elsewhere than on ``grounds``, as a share."""
        if not len(which):
            return np.zeros(0)
        slips = self._slips if self.rooms.careful else SLIPS
        chosen = Flights(flights.row[which], flights.hold[which])
        others = self.simulation.fly(begun, chosen, slips)
        missed = [self._grounds(self._codes(tile[which], other)) != grounds for other in others]
        share: Floats = np.sum(missed, axis=0) / len(slips)
        return share

    def _codes(self, tile: Ints, ends: Ends) -> Ints:
        """Where flights end, as numbers: a spot's own; for a side that matches some tile's, a number below ``NOWHERE``
        that stands for it with height and speed in rounded steps; else ``NOWHERE``."""
        pitch = self.rooms.pitch
        found = np.full(len(tile), NOWHERE)
        at = np.flatnonzero(ends.how == LANDED)
        if len(at):
            row, along = np.rint(ends.y[at]).astype(np.int64), ends.x[at] / pitch
            row = np.clip(row, 0, self._spot_at.shape[1] - 1)
            near = np.ceil(along).astype(np.int64) - 1  # between two spots the left one
            other = near + np.where(near + 1.5 - along < along - near + 0.5, 1, -1)
            for column in (other, near):  # the nearer one comes last, and counts
                inside = np.clip(column, -1, self._spot_at.shape[2] - 2)
                spot = self._spot_at[tile[at], row, inside + 1]
                close = (spot >= 0) & (np.abs((column + 0.5) * pitch - ends.x[at]) <= 0.85 * pitch)
                found[at[close]] = spot[close]
        at = np.flatnonzero(ends.how < LANDED)
        at = at[self._passable[tile[at], ends.how[at]]]
        if len(at):
            side = ends.how[at]
            along = np.where(side <= RIGHT, ends.y[at], ends.x[at])
            step, speed = self._side_steps
            height, fast = np.rint(along / step).astype(np.int64), np.rint(ends.falling[at] / speed).astype(np.int64)
            found[at] = -2 - (((height + HALF) * 2 * HALF + fast + HALF) * 4 + side)
        return found

    @property
    def _side_steps(self) -> tuple[float, float]:
        """The steps in which heights and speeds at sides are told apart."""
        return HEIGHT_STEP * self.rooms.grain, SPEED_STEP * self.rooms.grain

    def _grounds(self, codes: Ints) -> Ints:
        """As ``_codes``, for telling whether another hand ended elsewhere: not which spot of the same ground, nor how
        a side was flown across."""
        grounds = np.append(self._ground, 0)[np.maximum(codes, 0)] if len(codes) else codes
        found: Ints = np.where(codes >= 0, grounds, np.where(codes == NOWHERE, NOWHERE, -2 - (-2 - codes) % 4))
        return found

    def _exit_name(self, code: int) -> tuple[int, int, int, str]:
        """Side, height and speed in steps, and the name of the place, of such a number."""
        rest, side = divmod(-2 - code, 4)
        height, fast = (value - HALF for value in divmod(rest, 2 * HALF))
        step, speed = self._side_steps
        return side, height, fast, f"{SIDES[side]} {height * step:g} at {fast * speed:+g}"

    def _enter(self, tiles: Ints, codes: Ints) -> Throws:
        """New places where sides are flown across, with the ways on into every tile that matches there; the flights
        that begin where a figure comes in."""
        out = codes < NOWHERE
        crossed: list[tuple[int, tuple[int, int, int, int]]] = []
        asked: dict[tuple[int, int, int, int], None] = {}
        exits = np.stack([tiles[out], codes[out]])
        first: Ints = np.unique(exits, axis=1, return_index=True)[1]
        for tile, code in exits[:, np.sort(first)].T.tolist():
            side, height, fast, name = self._exit_name(code)
            if (tile, name) in self.number:
                continue
            place = self.place(tile, name)
            for other in self.match[tile, side]:
                entry = (other, OPPOSITE[side], height, fast)
                crossed.append((place, entry))
                if entry not in self._entries:
                    asked[entry] = None
        following = self._entered(list(asked)) if asked else throws([])
        for place, entry in crossed:
            into = self._entries[entry]
            if into is not None:
                self._cross(Crossing(place, into, OPPOSITE[entry[1]], 0))
        return following

    def _entered(self, asked: Sequence[tuple[int, int, int, int]]) -> Throws:
        """The places where figures come flying in, and their flights from there; none where one does not
        fit."""
        simulation, inside = self.simulation, 1e-3
        step, speed = self._side_steps
        tile, side, height, _ = np.array(asked).T
        along = height * step
        upright = side <= RIGHT
        x = np.where(upright, np.where(side == LEFT, inside, simulation.width - inside), along)
        edge = np.where(side == TOP, inside, simulation.height - inside)
        y = np.where(upright, along, edge + self.physics.height / 2)
        fits = ~simulation.blocked(tile, x, y)
        for aside in (-0.5, 0.5):
            # Rounding put it into the ground or the ceiling, less than a step deep.
            moved = y + aside * step
            also = ~fits & upright & ~simulation.blocked(tile, x, moved)
            y = np.where(also, moved, y)
            fits |= also
        touched = simulation.touches(tile, x, y)
        found = []
        for n, entry in enumerate(asked):
            self._entries[entry] = None
            if not fits[n]:
                continue
            t, s, h, v = entry
            place = self._entries[entry] = self.place(t, f"in {SIDES[s]} {h * step:g} at {v * speed:+g}")
            for thing in np.flatnonzero(touched[n]).tolist():
                self.touching[thing].add(place)
            for way in (0, *{LEFT: (1,), RIGHT: (-1,)}.get(s, (-1, 1))):
                found.append((place, t, float(x[n]), float(y[n]), -v * speed, way))
        return throws(found)

    def _link_all(self, begun: Throws, row: Ints, hold: Floats, ends: Ends, codes: Ints, risk: Floats) -> None:
        """The links of flights: one each, or more where it touches things on its way."""
        met = set(np.flatnonzero(np.isfinite(ends.touched).any(axis=1)).tolist())
        columns = (
            begun.place[row],
            begun.tile[row],
            begun.way[row],
            begun.rising[row],
            hold,
            ends.seconds,
            codes,
            risk,
        )
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for n, (place, tile, way, rising, held, seconds, code, missed) in enumerate(rows):
            last = code if code >= 0 else self.number[tile, self._exit_name(code)[3]]
            presses = tuple(_presses(way, held, rising > 0, seconds))
            extra = self.physics.still + missed * self._risk_seconds
            if n not in met:
                self._link(Link(place, last, self.physics.cost(seconds + extra), presses, missed))
                continue
            begin, here = 0.0, place
            for when, stop in [*self._stops(tile, place, last, ends.touched[n]), (seconds, last)]:
                if here == stop:
                    continue
                first = here == place
                cost = self.physics.cost(when - begin + (extra if first else 0.0))
                self._link(Link(here, stop, cost, presses if first else (), missed if first else 0.0))
                begin, here = when, stop

    def _stops(self, tile: int, place: int, last: int, touched: Floats) -> list[tuple[float, int]]:
        """When a flight touches things on its way, and the places that this makes."""
        times = sorted(
            (float(when), thing)
            for thing, when in enumerate(touched)
            if 0 < when < math.inf and place not in self.touching[thing]
        )
        stops = []
        for when, thing in times:
            if last in self.touching[thing] and len(times) == 1:
                continue
            name = f"{self._thing(thing)} in flight from {self.places[place][1]} to {self.places[last][1]}"
            stop = self.place(tile, name)
            self.touching[thing].add(stop)
            stops.append((when, stop))
        return stops

    def _thing(self, thing: int) -> str:
        return "door" if thing == len(self.rooms.keys) else f"key{thing + 1}"


def _presses(way: int, hold: float, jump: bool, seconds: float) -> Iterator[Press]:
    """The keys for a flight, from its beginning to its end."""
    steer = () if way == 0 else (SIDES[LEFT] if way < 0 else SIDES[RIGHT],)
    hold = min(hold, seconds) if steer else 0.0
    at = 0.0
    if jump:
        first = min(PRESS, hold) if steer else PRESS
        yield Press((*steer, "up"), first)
        at = first
    if steer and hold > at:
        yield Press(steer, hold - at)
        at = hold
    if seconds > at:
        yield Press((), seconds - at)


def matches(solid: Bools, slack: int = 0) -> dict[tuple[int, int], list[int]]:
    """For each tile and side the tiles whose opposite side is equal and not all wall: cell for cell, or, with
    ``slack``, but for so many cells beside each end of a wall."""
    edges = {
        LEFT: solid[:, :, 0],
        RIGHT: solid[:, :, -1],
        TOP: solid[:, 0, :],
        BOTTOM: solid[:, -1, :],
    }
    return {
        (tile, side): [
            other
            for other in range(len(solid))
            if other != tile
            and not edges[side][tile].all()
            and alike(edges[side][tile], edges[OPPOSITE[side]][other], slack)
        ]
        for tile in range(len(solid))
        for side in range(4)
    }


def alike(one: Bools, other: Bools, slack: int) -> bool:
    """Whether two profiles are equal, but for ``slack`` cells at each end of a wall."""
    if not slack:
        return bool((one == other).all())
    changes = [np.flatnonzero(np.diff(profile.astype(np.int8))) for profile in (one, other)]
    middle = len(one) // 2
    if not all(map(len, changes)):
        return len(changes[0]) == len(changes[1]) and bool(one[middle] == other[middle])
    if len(changes[0]) != len(changes[1]) or one[0] != other[0]:
        return False
    return bool(np.abs(changes[0] - changes[1]).max() <= slack)


def world_of(rooms: Rooms) -> World:
    """The level as the planner sees it; costs are twentieths of a second."""
    return Reach(rooms).world()
