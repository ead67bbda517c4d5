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
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

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

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TICK = 1 / 60
"""Seconds between two looks at the walls, or less where something is so fast that it would skip half a cell."""
LONGEST = 4.0
"""Seconds after which a flight has failed: it hangs somewhere."""
HOLD_STEP = 0.5
"""Flights steer for a time in which the figure flies so many cells, and for all multiples of it."""
HEIGHT_STEP, SPEED_STEP = 0.5, 4.0
"""Where and how fast a side is flown across is rounded to this, in cells and cells a second."""
TOUCH = 0.15
"""A thing is touched by a figure that overlaps it by this share of its size at least, at each of its sides."""
FIRM_TOUCH = 0.3
"""The same where places are measured."""
TOE = 0.2
"""Of the figure's width, at each side: what stands on the ground with less than that is no place to stop at."""
DEEPEST = 64
"""Cells, at most, that a figure comes into the ground before that is noticed."""
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

LANDED, LOST = 4, 5
"""How flights end, besides at one of the four sides."""


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


@dataclass
class _Flights:
    """Flights, an entry each: where they begin, how they are steered, and from which place."""

    place: list[int]
    tile: list[int]
    x: list[float]
    y: list[float]
    rising: list[float]
    """Cells a second upwards."""
    way: list[int]
    """-1 left, 1 right, 0 neither."""
    hold: list[float]
    """Seconds that it is steered."""

    def add(self, place: int, tile: int, x: float, y: float, rising: float, way: int, hold: float) -> None:
        for each, value in zip(vars(self).values(), (place, tile, x, y, rising, way, hold), strict=True):
            each.append(value)


class _Ends(NamedTuple):
    """How flights ended: a side, ``LANDED`` or ``LOST``; where, how fast downwards, after how long; and when each thing
    was first touched, infinity for never: shape ``(flights, things)``."""

    how: Ints
    x: Floats
    y: Floats
    falling: Floats
    seconds: Floats
    touched: Floats


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
        self._solid = _sums(rooms.solid, self.pad)
        self._spikes = _sums(rooms.spikes, self.pad)
        self.tick = tick_of(physics)
        self.things = (*rooms.keys, rooms.door)

    def _any(
        self, sums: Ints, tile: Ints, x: Floats, y: Floats, inner: float = 1e-6, below: float | None = None
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
        half, top = self.physics.width / 2, self.physics.height
        found = np.zeros((len(tile), len(self.things)), np.bool_)
        touch = FIRM_TOUCH if self.rooms.careful else TOUCH
        for number, thing in enumerate(self.things):
            dx, dy = thing.width * touch, thing.height * touch
            across = (x + half > thing.x + dx) & (x - half < thing.x + thing.width - dx)
            upright = (y > thing.y + dy) & (y - top < thing.y + thing.height - dy)
            found[:, number] = (tile == thing.tile) & across & upright
        return found

    def fly(self, flights: _Flights, hands: Sequence[Slip] = (EXACT,)) -> list[_Ends]:
        """All flights to their ends, once for each of ``hands``."""
        times, each = len(hands), len(flights.place)
        tile, way = np.tile(np.array(flights.tile, np.int64), times), np.tile(np.array(flights.way, np.float64), times)
        x, y = (np.tile(np.array(values, np.float64), times) for values in (flights.x, flights.y))
        falling = -np.tile(np.array(flights.rising, np.float64), times)
        hold = np.maximum(
            np.tile(np.array(flights.hold, np.float64), times) + np.repeat([hand.hold for hand in hands], each), 0
        )
        speed = way * self.physics.walk * np.repeat([hand.walk for hand in hands], each)
        falling = np.where(falling < 0, falling * np.repeat([hand.jump for hand in hands], each), falling)
        beside = x + np.repeat([hand.beside for hand in hands], each)
        x = np.where(self.blocked(tile, beside, y), x, beside)
        count = len(tile)
        ends = _Ends(
            np.full(count, LOST),
            x.copy(),
            y.copy(),
            falling.copy(),
            np.zeros(count),
            np.where(self.touches(tile, x, y), 0.0, np.inf),
        )
        live = np.arange(count)
        flown = np.zeros(count, np.bool_)  # who steps over an edge walks on the ground up to there
        height, tick = self.physics.height, self.tick
        for step in range(1, math.ceil(LONGEST / tick) + 1):
            if not len(live):
                break
            seconds = step * tick
            before = falling
            falling = np.minimum(falling + self.physics.gravity * tick, self.physics.fall)
            to = x + np.where(seconds <= hold, speed * tick, 0.0)
            x = np.where(self.blocked(tile, to, y), x, to)
            # The mean of the speeds before and after makes a jump as high as it should be, whatever the tick.
            to = y + (before + falling) / 2 * tick
            stopped = self.blocked(tile, x, to)
            down = stopped & (to > y)
            y = np.where(stopped, np.where(down, self.ground(tile, x, to, down), y), to)
            falling = np.where(stopped, 0.0, falling)
            flown |= ~down
            middle = y - height / 2
            how = np.full(len(live), -1)
            for side, out in (
                (LEFT, x < 0),
                (RIGHT, x > self.width),
                (TOP, middle < 0),
                (BOTTOM, middle > self.height),
            ):
                how[out] = side
            how[down & (flown | (seconds > hold))] = LANDED
            how[self.pricked(tile, x, y)] = LOST
            touched = self.touches(tile, x, y)
            if touched.any():
                ends.touched[live] = np.where(touched, np.minimum(ends.touched[live], seconds), ends.touched[live])
            over = how >= 0
            if over.any():
                at = live[over]
                ends.how[at], ends.x[at], ends.y[at], ends.falling[at] = how[over], x[over], y[over], falling[over]
                ends.seconds[at] = seconds
                on = ~over
                live, tile, speed, x, y = live[on], tile[on], speed[on], x[on], y[on]
                falling, hold, flown = falling[on], hold[on], flown[on]
        parts = (slice(n * each, (n + 1) * each) for n in range(times))
        return [_Ends(*(cast(Any, values)[part] for values in ends)) for part in parts]


def _sums(mask: Bools, pad: int) -> Ints:
    """For each tile how many cells of a mask, continued past its sides, lie above and left of each corner."""
    wide = np.pad(mask, ((0, 0), (pad, pad), (pad, pad)), mode="edge").astype(np.int64)
    return np.pad(wide.cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))


class Reach:
    """What a figure can reach in the rooms of a level: places and links, collected until no flight leads anywhere new.
    The inside of a tile is the same wherever tiles lie and the figure is, so this is worked out once; :meth:`world`
    adds where it starts."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.physics = rooms.physics
        self.simulation = Simulation(rooms)
        self.places: list[tuple[int, str]] = []
        self.number: dict[tuple[int, str], int] = {}
        self.links: dict[tuple[int, int], Link] = {}
        self.crossings: dict[tuple[int, int], Crossing] = {}
        self.touching: list[set[int]] = [set() for _ in self.simulation.things]
        self.spots: dict[tuple[int, int, int], int] = {}
        """``(tile, row of the feet, column)`` to place."""
        self.match = matches(rooms.solid, rooms.slack)
        self._stand()
        flights = _Flights([], [], [], [], [], [], [])
        for (tile, row, column), place in self.spots.items():
            self._jumps(flights, place, tile, row, column)
        self._take_all(flights)

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
        flights = _Flights([], [], [], [], [], [], [])
        first = self._start(flights, start or rooms.start)
        self._take_all(flights)
        left = [number for number in range(len(rooms.keys)) if number not in taken]
        names = tuple(f"key{number + 1}" for number in left)
        *keys, door = (tuple(sorted(self.touching[number])) for number in [*left, len(rooms.keys)])
        tiles = tuple(str(number) for number in range(1, len(rooms.solid) + 1))
        links = tuple(link for ends, link in self.links.items() if ends not in without)
        crossings = tuple(self.crossings.values())
        return World(tiles, tuple(self.places), links, crossings, first, tuple(keys), names, door, board or rooms.board)

    def _take_all(self, flights: _Flights) -> None:
        while flights.place:
            flights = self._take(flights)

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
        for at, things in zip(good.tolist(), touched, strict=True):
            t, r, c = int(tile[at]), int(row[at]), int(column[at])
            place = self.spots[t, r, c] = self.place(t, f"r{r}c{c + 1}")
            for thing in np.flatnonzero(things).tolist():
                self.touching[thing].add(place)
        seconds = pitch / self.physics.walk
        cost = self.physics.cost(seconds)
        for (t, r, c), place in self.spots.items():
            for side, way in ((LEFT, -1), (RIGHT, 1)):
                presses = (Press((SIDES[side],), seconds),)
                if (t, r, c + way) in self.spots:
                    self._link(Link(place, self.spots[t, r, c + way], cost, presses))
                elif not 0 <= c + way < columns:
                    for other in self.match[t, side]:
                        beyond = self.spots.get((other, r, columns - 1 if side == LEFT else 0))
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

    def _jumps(self, flights: _Flights, place: int, tile: int, row: int, column: int) -> None:
        """Jumps from a spot: straight up, and to both sides; and steps over an edge."""
        x, y, up = (column + 0.5) * self.rooms.pitch, float(row), self.physics.jump_speed
        flights.add(place, tile, x, y, up, 0, 0.0)
        for way in (-1, 1):
            edge = (tile, row, column + way) not in self.spots
            for hold in self._holds:
                flights.add(place, tile, x, y, up, way, hold)
                if edge:
                    flights.add(place, tile, x, y, 0.0, way, hold)

    def _start(self, flights: _Flights, start: Start) -> int:
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
        flights.add(place, tile, x, y, -falling, 0, 0.0)
        for way in (-1, 1):
            for hold in self._holds:
                flights.add(place, tile, x, y, -falling, way, hold)
        return place

    def _take(self, flights: _Flights) -> _Flights:
        """The links that flights make; the flights that begin where they newly lead."""
        ends, *others = self.simulation.fly(flights, (EXACT, *(self._slips if self.rooms.careful else SLIPS)))
        following = _Flights([], [], [], [], [], [], [])
        best: dict[tuple[int, Any, tuple[int, ...]], tuple[float, int, float]] = {}
        for at in np.flatnonzero(ends.how != LOST).tolist():
            end = self._end(flights.tile, ends, at)
            if end is None:
                continue
            ground = self._platform(flights.tile, ends, at)
            risk = sum(self._platform(flights.tile, other, at) != ground for other in others) / len(others)
            things = tuple(np.flatnonzero(np.isfinite(ends.touched[at])).tolist())
            kind = (flights.place[at], end, things)
            worth = float(ends.seconds[at]) + risk * self._risk_seconds
            if kind not in best or worth < best[kind][0]:
                best[kind] = (worth, at, risk)
        for (place, end, _), (_, at, risk) in best.items():
            on_ground = end[0] == "spot"
            last = self.spots[end[1]] if on_ground else self._exit(following, flights.tile[at], *end[1:])
            if last != place or np.isfinite(ends.touched[at]).any():
                self._flown(flights, ends, at, place, last, risk)
        return following

    def _end(self, tiles: Sequence[int], ends: _Ends, at: int) -> tuple[Any, ...] | None:
        """Where a flight ends: at a spot, or at a side that matches some tile's, in rounded steps; None for nowhere."""
        how, tile = int(ends.how[at]), tiles[at]
        pitch = self.rooms.pitch
        if how == LANDED:
            row, x = round(float(ends.y[at])), float(ends.x[at])
            columns = sorted(
                range(math.floor(x / pitch) - 1, math.floor(x / pitch) + 2), key=lambda c: abs(c + 0.5 - x / pitch)
            )
            near = (c for c in columns if (tile, row, c) in self.spots and abs((c + 0.5) * pitch - x) <= 0.85 * pitch)
            column = next(near, None)
            return None if column is None else ("spot", (tile, row, column))
        if how == LOST or not self.match[tile, how]:
            return None
        along = float(ends.y[at] if how in (LEFT, RIGHT) else ends.x[at])
        step, speed = HEIGHT_STEP * self.rooms.grain, SPEED_STEP * self.rooms.grain
        return ("side", how, round(along / step) * step, round(float(ends.falling[at]) / speed) * speed)

    def _platform(self, tiles: Sequence[int], ends: _Ends, at: int) -> tuple[Any, ...] | None:
        """As ``_end``, for telling whether another hand ended elsewhere: not which spot of the same ground."""
        end = self._end(tiles, ends, at)
        if end is None or end[0] == "side":
            return end and end[:2]
        tile, row, column = end[1]
        while (tile, row, column - 1) in self.spots:
            column -= 1
        return ("ground", tile, row, column)

    def _exit(self, following: _Flights, tile: int, side: int, along: float, falling: float) -> int:
        """The place where a side is flown across, with the ways on into every tile that matches there."""
        name = f"{SIDES[side]} {along:g} at {falling:+g}"
        new = (tile, name) not in self.number
        place = self.place(tile, name)
        if not new:
            return place
        for other in self.match[tile, side]:
            entry = self._entry(following, other, OPPOSITE[side], along, falling)
            if entry is not None:
                self._cross(Crossing(place, entry, side, 0))
        return place

    def _entry(self, following: _Flights, tile: int, side: int, along: float, falling: float) -> int | None:
        """The place where a figure comes flying in, and its flights from there; None where it does not fit."""
        simulation, inside = self.simulation, 1e-3
        if side in (LEFT, RIGHT):
            x, y = inside if side == LEFT else simulation.width - inside, along
        else:
            x = along
            y = (inside if side == TOP else simulation.height - inside) + self.physics.height / 2
        here = np.array([tile]), np.array([x]), np.array([y])
        if side in (LEFT, RIGHT) and simulation.blocked(*here)[0]:
            # Rounding put it into the ground or the ceiling, less than a step deep.
            fits = [y + d * HEIGHT_STEP * self.rooms.grain for d in (-0.5, 0.5)]
            y = next((v for v in fits if not simulation.blocked(here[0], here[1], np.array([v]))[0]), math.nan)
        elif simulation.blocked(*here)[0]:
            y = math.nan
        if math.isnan(y):
            return None
        name = f"in {SIDES[side]} {along:g} at {falling:+g}"
        if (tile, name) in self.number:
            return self.number[tile, name]
        place = self.place(tile, name)
        for thing in np.flatnonzero(simulation.touches(here[0], here[1], np.array([y]))[0]).tolist():
            self.touching[thing].add(place)
        ways = {LEFT: (1,), RIGHT: (-1,), TOP: (-1, 1), BOTTOM: (-1, 1)}[side]
        following.add(place, tile, x, y, -falling, 0, 0.0)
        for way in ways:
            for hold in self._holds:
                following.add(place, tile, x, y, -falling, way, hold)
        return place

    def _flown(self, flights: _Flights, ends: _Ends, at: int, place: int, last: int, risk: float) -> None:
        """The links of a flight: one, or more where it touches things on its way."""
        tile, seconds = flights.tile[at], float(ends.seconds[at])
        presses = tuple(_presses(flights.way[at], flights.hold[at], flights.rising[at] > 0, seconds))
        extra = self.physics.still + risk * self._risk_seconds
        times = sorted(
            (float(when), thing)
            for thing, when in enumerate(ends.touched[at])
            if 0 < when < math.inf and place not in self.touching[thing]
        )
        stops: list[tuple[float, int]] = []
        for when, thing in times:
            if last in self.touching[thing] and len(times) == 1:
                continue
            name = f"{self._thing(thing)} in flight from {self.places[place][1]} to {self.places[last][1]}"
            stop = self.place(tile, name)
            self.touching[thing].add(stop)
            stops.append((when, stop))
        if place == last and not stops:
            return
        begin, here = 0.0, place
        for when, stop in [*stops, (seconds, last)]:
            cost = self.physics.cost(when - begin + (extra if here == place else 0.0))
            first = here == place
            self._link(Link(here, stop, cost, presses if first else (), risk if first else 0.0))
            begin, here = when, stop

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
    """The level as the planner sees it; costs are hundredths of a second."""
    return Reach(rooms).world()
