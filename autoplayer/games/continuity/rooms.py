"""Computes what a figure can reach inside tiles, by flights that are simulated all at once (``simulation.py``).

Places are spots on the ground, a column apart; positions at which the figure flies across a side, by height and speed
in rounded steps; and the points of a flight that touch a key or the door. Links between them are directed and carry the
key presses that realise each. A side lets a figure through if both profiles are equal, cell for cell; so beyond a
passed side the masks continue as in the last row or column before it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from autoplayer.games.continuity.flights import LANDED, Bools, Ends, Floats, Ints
from autoplayer.games.continuity.simulation import (
    SLIP,
    SLIPS,
    TOUCH,
    Flights,
    Rooms,
    Simulation,
    Slip,
    Start,
    Throws,
    throws,
)
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

HOLD_STEP = 0.5
"""The step of steering times, as the distance in cells that the figure flies in it; all multiples are tried."""
HEIGHT_STEP, SPEED_STEP = 0.5, 4.0
"""The rounding of the height and speed at which a side is crossed, in cells and cells a second."""
PRESS = 0.12
"""Seconds that the jump key is held."""
RISK_SECONDS = 1.0
"""The additional cost of a link that certainly fails once."""

BESIDE, ROUGHLY = 0.3, 0.06
"""Errors where a hand only sees the figure: how far from the middle of a spot it stops, in units of the pitch; and the
relative error of measured speeds."""
CAREFUL = 4.0
"""The factor on the usual price of a risk there: a failure may cost a life."""


NOWHERE = -1
HALF = 1 << 14
"""Half of the number of heights and speeds that are distinguished at a side."""


class Reach:
    """What a figure can reach in the rooms of a level: places and links, collected until no flight leads anywhere new.
    The inside of a tile is the same wherever the tiles and the figure are, so this is computed once; :meth:`world` adds
    the start."""

    def __init__(self, rooms: Rooms, simulated: type[Simulation] = Simulation) -> None:
        """``simulated``: the simulation of flights to use."""
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
        """The places where a figure enters flying, by tile, side, height and speed in steps; None if it cannot."""
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
        """Spots on the ground, and the walks between adjacent ones and across the sides."""
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
        """The possible deviations of a flight if hand and physics are not known exactly."""
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
        """The steering times: up to those that reach the other side of a tile."""
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
        """The links that all flights of these throws create, and those from the new places that they lead to, and so
        on."""
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
        """The best link of each kind of flight: with the same ends, touching the same things."""
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
        """The share of the slightly wrong hands that end elsewhere than on ``grounds``."""
        if not len(which):
            return np.zeros(0)
        slips = self._slips if self.rooms.careful else SLIPS
        chosen = Flights(flights.row[which], flights.hold[which])
        others = self.simulation.fly(begun, chosen, slips)
        missed = [self._grounds(self._codes(tile[which], other)) != grounds for other in others]
        share: Floats = np.sum(missed, axis=0) / len(slips)
        return share

    def _codes(self, tile: Ints, ends: Ends) -> Ints:
        """Where flights end, as integers: a spot's own number; for a side that matches some tile's, a number below
        ``NOWHERE`` that encodes it with height and speed in rounded steps; else ``NOWHERE``."""
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
        """The rounded steps of heights and speeds at sides."""
        return HEIGHT_STEP * self.rooms.grain, SPEED_STEP * self.rooms.grain

    def _grounds(self, codes: Ints) -> Ints:
        """As ``_codes``, for comparing the ends of two flights by ground only: spots of the same ground are equal, and
        so are all crossings of a side."""
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
        """New places where sides are crossed in flight, with the links into every tile that matches there; and the
        flights that begin where a figure enters."""
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
        """The times at which a flight touches things on its way, and the places that this creates."""
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
    ``slack``, with a tolerance of so many cells at each end of a wall."""
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
    """Whether two profiles are equal, with a tolerance of ``slack`` cells at each end of a wall."""
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
