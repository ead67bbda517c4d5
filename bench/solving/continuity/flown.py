"""What a figure reaches in rooms, with flights that are simulated one after another in plain Python, and walls that are
looked for in the mask each time. It shares the physics' constants with the planner, and nothing of its simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.base import Outcome
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.flights import LANDED, LOST, Bools, Ends
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.simulation import (
    EXACT,
    FIRM_TOUCH,
    INNER,
    LONGEST,
    TOUCH,
    Flights,
    Rooms,
    Simulation,
    Slip,
    Throws,
)
from autoplayer.games.continuity.world import BOTTOM, LEFT, RIGHT, TOP, World

End = tuple[int, float, float, float, float, list[float]]
"""As in ``Ends``, of one flight."""


class OneByOne(Simulation):
    """The simulation in plain Python."""

    deadline = Deadline(math.inf)

    def __init__(self, rooms: Rooms) -> None:
        super().__init__(rooms)
        around = ((0, 0), (self.pad, self.pad), (self.pad, self.pad))
        self._walls = np.pad(rooms.solid, around, mode="edge")
        self._thorns = np.pad(rooms.spikes, around, mode="edge")

    def fly(self, begun: Throws, flights: Flights, hands: Sequence[Slip] = (EXACT,)) -> list[Ends]:
        made = []
        for hand in hands:
            ends = []
            for row, hold in zip(flights.row.tolist(), flights.hold.tolist(), strict=True):
                self.deadline.check()
                _, tile, x, y, rising, way = (values[row].item() for values in begun)
                ends.append(self._flight(tile, x, y, rising, way, hold, hand))
            how, *numbers, touched = ([end[n] for end in ends] for n in range(6))
            lengths = (np.array(values, np.float64) for values in numbers)
            made.append(Ends(np.array(how), *lengths, np.array(touched).reshape(len(ends), len(self.things))))
        return made

    def _hits(self, mask: Bools, tile: int, x: float, y: float, inner: float) -> bool:
        half, top, pad = self.physics.width / 2, self.physics.height, self.pad
        rows = slice(math.floor(y - top + inner) + pad, math.ceil(y - inner) + pad)
        columns = slice(math.floor(x - half + inner) + pad, math.ceil(x + half - inner) + pad)
        return bool(mask[tile, rows, columns].any())

    def _meets(self, tile: int, x: float, y: float) -> list[bool]:
        half, top, found = self.physics.width / 2, self.physics.height, []
        share = FIRM_TOUCH if self.rooms.careful else TOUCH
        for thing in self.things:
            dx, dy = thing.width * share, thing.height * share
            across = x + half > thing.x + dx and x - half < thing.x + thing.width - dx
            upright = y > thing.y + dy and y - top < thing.y + thing.height - dy
            found.append(tile == thing.tile and across and upright)
        return found

    def _flight(self, tile: int, x: float, y: float, rising: float, way: int, hold: float, hand: Slip) -> End:
        physics, tick = self.physics, self.tick
        hold, speed = max(hold + hand.hold, 0.0) if way else 0.0, way * physics.walk * hand.walk
        falling = -rising * (hand.jump if rising > 0 else 1.0)
        if not self._hits(self._walls, tile, x + hand.beside, y, INNER):
            x += hand.beside
        touched = [0.0 if met else math.inf for met in self._meets(tile, x, y)]
        flown = False
        for step in range(1, math.ceil(LONGEST / tick) + 1):
            seconds, before = step * tick, falling
            falling = min(falling + physics.gravity * tick, physics.fall)
            if seconds <= hold and not self._hits(self._walls, tile, x + speed * tick, y, INNER):
                x += speed * tick
            to, landed = y + (before + falling) / 2 * tick, False
            if self._hits(self._walls, tile, x, to, INNER):
                falling, landed = 0.0, to > y
                to = float(math.floor(to)) if landed else y
                while landed and self._hits(self._walls, tile, x, to, INNER):
                    to -= 1
            y, flown = to, flown or not landed
            touched = [
                min(when, seconds) if met else when for when, met in zip(touched, self._meets(tile, x, y), strict=True)
            ]
            if self._hits(self._thorns, tile, x, y, TOUCH):
                return LOST, x, y, falling, seconds, touched
            if landed and (flown or seconds > hold):
                return LANDED, x, y, falling, seconds, touched
            middle = y - physics.height / 2
            for side, out in (
                (BOTTOM, middle > self.height),
                (TOP, middle < 0),
                (RIGHT, x > self.width),
                (LEFT, x < 0),
            ):
                if out:
                    return side, x, y, falling, seconds, touched
        return LOST, x, y, falling, LONGEST, touched


def ours(level: Level, *, time_limit: float, most: int) -> Outcome[World]:
    deadline = Deadline(time_limit)
    return Outcome("solved", Reach(level.rooms).world(), None, deadline.spent, 1)


def one_by_one(level: Level, *, time_limit: float, most: int) -> Outcome[World]:
    class Timed(OneByOne):
        deadline = Deadline(time_limit)

    try:
        return Outcome("solved", Reach(level.rooms, Timed).world(), None, Timed.deadline.spent, 1)
    except OutOfTime:
        return Outcome("timeout", None, None, Timed.deadline.spent)


def check(level: Level, world: World) -> list[str]:
    """Whether a world is what the project's own simulation makes of a level."""
    known = level.world
    same = (known.places, known.links, known.crossings) == (world.places, world.links, world.crossings)
    return [] if same else ["the places, links or crossings are others"]
