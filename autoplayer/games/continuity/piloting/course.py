"""Predicts the figure's position: its physics on the tiles as they lie now, for many ways of holding the keys at once.

Unlike ``rooms.py``, which computes what can be reached inside tiles independent of their arrangement, a course knows
which tile is beside which, and simulates flights from one into the other. All lengths are tile pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.flights import LANDED, LOST, Bools, Floats, Ints
from autoplayer.games.continuity.piloting.inertia import AIR, NONE, Air, Inertia, Told
from autoplayer.games.continuity.simulation import INNER, LONGEST, Rooms, Simulation
from autoplayer.games.continuity.world import BLANK, BOTTOM, LEFT, RIGHT, TOP

UNDERWAY = -1
"""The flight was interrupted before it ended."""
SUNK = 4
"""Pixels by which a figure may seem to be inside a wall."""
NUDGES = sorted(
    ((dx, dy) for dx in range(-SUNK, SUNK + 1) for dy in range(-SUNK, SUNK + 1)),
    key=lambda step: (abs(step[0]) + abs(step[1]), step[1]),
)
UNENTERED = -1
SPEEDS = 17
"""The number of candidate speeds, from that of a walk to the left to that of one to the right, when a speed is
estimated."""


class State(NamedTuple):
    """The figure at a moment: its tile, the middle of its feet, its falling speed (pixels a second downwards), whether
    it stands, and its speed to the right, which matters only if it has inertia."""

    tile: int
    x: float
    y: float
    falling: float = 0.0
    grounded: bool = True
    going: float = 0.0


class Flown(NamedTuple):
    """How flights ended, an entry each: ``LANDED``, ``LOST`` or ``UNDERWAY``; where; after how many seconds; when each
    thing was first touched (infinity for never), shape ``(flights, things)``; and how they first entered another tile:
    which (``UNENTERED`` for none), where there, how fast downwards and to the right."""

    how: Ints
    tile: Ints
    x: Floats
    y: Floats
    falling: Floats
    going: Floats
    seconds: Floats
    touched: Floats
    entered: Ints
    entered_x: Floats
    entered_y: Floats
    entered_falling: Floats
    entered_going: Floats


class Course(Simulation):
    """The tiles as they lie: ``cells`` row by row, as in ``Board``."""

    def __init__(
        self, rooms: Rooms, cells: Sequence[int], match: dict[tuple[int, int], list[int]], inertia: Inertia = NONE
    ) -> None:
        """``match``: which tiles match at which sides, as :func:`rooms.matches` has it."""
        super().__init__(rooms)
        self.inertia = inertia
        self.cells = tuple(cells)
        board = rooms.board
        self.beyond = np.full((self.tiles, 4), BLANK, np.int64)
        for cell, tile in enumerate(self.cells):
            for side in range(4):
                near = board.beside[cell][side] if tile != BLANK else -1
                if near >= 0 and self.cells[near] in match[tile, side]:
                    self.beyond[tile, side] = self.cells[near]
        self._solid = self._around(rooms.solid, walls=True)
        self._spikes = self._around(rooms.spikes, walls=False)

    def _around(self, mask: Bools, walls: bool) -> Ints:
        """As ``_sums``, including what is beyond the sides: the next tile, else a wall at the left and right, and above
        and below the same as in the last row."""
        pad, (tiles, height, width) = self.pad, mask.shape
        wide = np.pad(mask, ((0, 0), (pad, pad), (pad, pad)), mode="edge")
        wide[:, :, :pad] = wide[:, :, pad + width :] = walls
        for tile in range(tiles):
            for side in (TOP, BOTTOM, LEFT, RIGHT):
                other = self.beyond[tile, side]
                if other == BLANK:
                    continue
                rows = {TOP: slice(-pad, None), BOTTOM: slice(0, pad)}.get(side, slice(None))
                columns = {LEFT: slice(-pad, None), RIGHT: slice(0, pad)}.get(side, slice(None))
                here = {TOP: slice(0, pad), BOTTOM: slice(-pad, None)}.get(side, slice(pad, pad + height))
                there = {LEFT: slice(0, pad), RIGHT: slice(-pad, None)}.get(side, slice(pad, pad + width))
                part = mask[other, rows, columns]
                wide[tile, here, there] = part
                if side in (LEFT, RIGHT):  # above and below it as in its last row
                    wide[tile, :pad, there], wide[tile, -pad:, there] = part[:1], part[-1:]
        return np.pad(wide.astype(np.int64).cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))

    def freed(self, state: State) -> State:
        """``state``, moved out of a wall that the rounding of positions has put it into; on the ground if it stands."""
        if not self._within(state.tile, state.x, state.y):
            return self._lowered(state)
        low = math.floor(state.y)
        for dx, dy in NUDGES:
            x, y = state.x + dx, float(low + dy)
            if not self._within(state.tile, x, y):
                return self._lowered(state._replace(x=x, y=y))
        return state

    def _lowered(self, state: State) -> State:
        if not state.grounded:
            return state
        foot = math.floor(state.y)
        for down in range(foot, foot + SUNK + 1):
            if self._within(state.tile, state.x, down + 1.0):
                return state._replace(y=float(down))
        return state

    def _within(self, tile: int, x: float, y: float) -> bool:
        """Whether a wall blocks one figure: :meth:`blocked`, without arrays of one entry."""
        half, top, pad = self.physics.width / 2, self.physics.height, self.pad
        _, last_y, last_x = (size - 1 for size in self._solid.shape)
        x0, x1 = (min(max(at + pad, 0), last_x) for at in (math.floor(x - half + INNER), math.ceil(x + half - INNER)))
        y0, y1 = (min(max(at + pad, 0), last_y) for at in (math.floor(y - top + INNER), math.ceil(y - INNER)))
        sums = self._solid
        return bool(sums[tile, y1, x1] - sums[tile, y0, x1] - sums[tile, y1, x0] + sums[tile, y0, x0] > 0)

    def stands(self, state: State, slack: float = 2.0) -> bool:
        """Whether there is ground right under the figure's feet, ``slack`` pixels lower at most."""
        return state.falling >= 0 and self._within(state.tile, state.x, state.y + slack)

    def after(self, state: State, held: Iterable[tuple[int, bool, float]]) -> State:
        """The figure's position after keys were held: directions (-1 left, 1 right, 0 neither), whether a jump begins,
        and for how many seconds. Fractions of ticks are rounded at the end of each."""
        moving = _Moving(self, self.freed(state), 1)
        moving.carry(held)
        return State(
            int(moving.tile[0]),
            float(moving.x[0]),
            float(moving.y[0]),
            float(moving.falling[0]),
            bool(moving.grounded[0]),
            float(moving.going[0]),
        )

    def glide(self, going: Floats) -> Floats:
        """How far to the right figures on the ground continue when no key is held."""
        return going * np.abs(going) * self.inertia.stop / (2 * self.physics.walk)

    def going(self, held: Iterable[tuple[int, bool, float]], moved: float | None, airborne: bool) -> float:
        """The speed to the right of a figure that has moved by so many pixels while keys were held as in :meth:`after`;
        if that is None, of one that was at rest before."""
        walk = self.physics.walk
        speeds = begins = np.linspace(-walk, walk, SPEEDS) if moved is not None else np.zeros(1)
        far, flies = np.zeros(len(speeds)), np.full(len(speeds), airborne)
        owed = 0.0
        for way, _, seconds in held:
            owed += seconds
            while owed > self.tick / 2:
                owed -= self.tick
                speeds = self.inertia.changed(speeds, np.full(len(far), way * walk), flies, walk, self.tick)
                far = far + speeds * self.tick
        if moved is None:
            return float(speeds[0])
        begun = float(np.interp(moved, far, begins))
        return float(np.interp(begun, begins, speeds))

    def tell(self, state: State, seen: Iterable[tuple[Iterable[tuple[int, bool, float]], float, float]]) -> Told:
        """The evidence of a flight from ``state`` about the inertia in the air: for each position the keys that were
        held until then, as in :meth:`after`, and its coordinates to the right and down on the board."""
        air_start, air_stop = np.array([self.inertia[2:], *AIR]).T
        moving = _Moving(self, self.freed(state), len(air_start), (air_start, air_stop))
        cell = np.array([self.cells.index(tile) if tile in self.cells else 0 for tile in range(self.tiles)])
        row, column = np.divmod(cell, self.rooms.board.columns)
        told = Told(np.zeros(len(air_start)), np.zeros(len(air_start)))
        owed = 0.0
        for held, along, down in seen:
            owed = moving.carry(held, owed)
            flies = ~moving.grounded & (moving.how == UNDERWAY)
            flies &= np.abs(moving.y + row[moving.tile] * self.height - down) < self.physics.height
            told.places[flies] += 1
            told.beside[flies] += np.abs(moving.x + column[moving.tile] * self.width - along)[flies]
        return told

    def run(
        self,
        state: State,
        steer: Floats,
        *,
        jump: bool = False,
        shift: Floats | None = None,
        limit: float = LONGEST,
    ) -> Flown:
        """Flights from ``state`` (``shift`` pixels beside it) to their ends, each steered for ``steer`` seconds,
        negative to the left. A walking figure's flight ends when it is no longer steered; a flying one's when it
        lands."""
        moving = _Moving(self, self.freed(state), len(steer))
        if shift is not None:
            moving.x = moving.x + shift
        if jump:
            moving.falling[:] = -self.physics.jump_speed
            moving.grounded[:] = False
        return moving.fly(steer, limit)

    def run_on(self, flown: Flown, which: Ints, steer: Floats, limit: float = LONGEST) -> Flown:
        """Flights continued from where ``flown[which]`` entered another tile."""
        moving = _Moving(self, State(0, 0.0, 0.0, 0.0, False), len(which))
        moving.tile, moving.x = flown.entered[which], flown.entered_x[which]
        moving.y, moving.falling = flown.entered_y[which], flown.entered_falling[which]
        moving.going = flown.entered_going[which]
        return moving.fly(steer, limit)


class _Moving:
    """Moving figures; an entry each."""

    def __init__(self, course: Course, state: State, count: int, air: Air | None = None) -> None:
        """``air``: as in :meth:`Inertia.changed`."""
        self.course, self.air = course, air
        self.gathers = air is not None or course.inertia != NONE
        self.tile = np.full(count, state.tile, np.int64)
        self.x, self.y = np.full(count, state.x), np.full(count, state.y)
        self.falling = np.full(count, state.falling)
        self.grounded, self.going = np.full(count, state.grounded), np.full(count, state.going)
        self.how = np.full(count, UNDERWAY, np.int64)

    def carry(self, held: Iterable[tuple[int, bool, float]], owed: float = 0.0) -> float:
        """On while keys are held as in :meth:`Course.after`; the seconds, beside ``owed``, that were no whole tick."""
        for way, jump, seconds in held:
            if jump:
                self.falling = np.where(self.grounded, -self.course.physics.jump_speed, self.falling)
                self.grounded = np.zeros_like(self.grounded)
            owed += seconds
            speed, rests = np.full(len(self.x), way * self.course.physics.walk), False
            while owed > self.course.tick / 2 and (self.how != LOST).any():
                owed -= self.course.tick
                if not rests:  # figures that one tick does not move are not moved by further ones
                    before = self._places()
                    self.step(speed)
                    rests = bool(self.grounded.all()) and all(map(np.array_equal, before, self._places()))
        return owed

    def _places(self) -> tuple[Ints | Floats | Bools, ...]:
        return self.x, self.y, self.falling, self.going, self.grounded, self.tile

    def step(self, speed: Floats) -> None:
        """One tick; whoever falls out of the board or into spikes is lost."""
        course, tick = self.course, self.course.tick
        physics = course.physics
        before = self.falling
        falling = np.minimum(before + physics.gravity * tick, physics.fall)
        if self.gathers:
            speed = course.inertia.changed(self.going, speed, ~self.grounded, physics.walk, tick, self.air)
        to = self.x + speed * tick
        wall = course.blocked(self.tile, to, self.y)
        x, self.going = np.where(wall, self.x, to), np.where(wall, 0.0, speed)
        to = self.y + (before + falling) / 2 * tick
        stopped = course.blocked(self.tile, x, to)
        down = stopped & (to > self.y)
        y = np.where(stopped, np.where(down, course.ground(self.tile, x, to, down), self.y), to)
        falling = np.where(stopped, 0.0, falling)
        self.x, self.y, self.falling, self.grounded = x, y, falling, down
        middle = y - physics.height / 2
        out = (x < 0) | (x > course.width) | (middle < 0) | (middle > course.height)
        if out.any():
            self._over(middle)
        self.how[course.pricked(self.tile, self.x, self.y)] = LOST

    def _over(self, middle: Floats) -> None:
        """Moves figures over the sides, where the next tile matches."""
        course = self.course
        for side, out, dx, dy in (
            (LEFT, self.x < 0, course.width, 0),
            (RIGHT, self.x > course.width, -course.width, 0),
            (TOP, middle < 0, 0, course.height),
            (BOTTOM, middle > course.height, 0, -course.height),
        ):
            if not out.any():
                continue
            other = course.beyond[self.tile, side]
            through = out & (other != BLANK)
            self.tile = np.where(through, other, self.tile)
            self.x = np.where(through, self.x + dx, self.x)
            self.y = np.where(through, self.y + dy, self.y)
            shut = out & ~through
            if side == TOP:  # only its head may look out
                self.y = np.where(shut, course.physics.height / 2, self.y)
                self.falling = np.where(shut, np.maximum(self.falling, 0.0), self.falling)
            else:
                self.how[shut] = LOST

    def fly(self, steer: Floats, limit: float) -> Flown:
        course, count = self.course, len(self.x)
        speed, hold = np.sign(steer) * course.physics.walk, np.abs(steer)
        flown = ~self.grounded
        touched = np.where(course.touches(self.tile, self.x, self.y), 0.0, np.inf)
        entered = np.full(count, UNENTERED, np.int64)
        into = np.zeros((4, count))
        final = [np.full(count, UNDERWAY, np.int64), self.tile.copy(), self.x.copy(), self.y.copy()]
        final += [self.falling.copy(), self.going.copy(), np.zeros(count)]
        live = np.arange(count)
        first = self.tile.copy()
        for number in range(1, math.ceil(limit / course.tick) + 1):
            seconds = number * course.tick
            self.step(np.where(seconds <= hold, speed, 0.0))
            flown = flown | ~self.grounded
            met = course.touches(self.tile, self.x, self.y)
            if met.any():
                touched[live] = np.where(met, np.minimum(touched[live], seconds), touched[live])
            new = np.flatnonzero((self.tile != first) & (entered[live] == UNENTERED))
            if len(new):
                at = live[new]
                entered[at] = self.tile[new]
                into[:, at] = self.x[new], self.y[new], self.falling[new], self.going[new]
            landed = self.grounded & (flown | (seconds > hold)) & (self.how == UNDERWAY)
            self.how[landed] = LANDED
            over = self.how != UNDERWAY
            last = number * course.tick + course.tick > limit
            if over.any() or last:
                done = np.ones(len(live), np.bool_) if last else over
                at = live[done]
                values = (self.how, self.tile, self.x, self.y, self.falling, self.going, np.full(len(live), seconds))
                for whole, now in zip(final, values, strict=True):
                    whole[at] = now[done]
                if last or over.all():
                    break
                on = ~done
                live, flown, first, speed, hold = live[on], flown[on], first[on], speed[on], hold[on]
                self.tile, self.x, self.y = self.tile[on], self.x[on], self.y[on]
                self.falling, self.grounded, self.how = self.falling[on], self.grounded[on], self.how[on]
                self.going = self.going[on]
        how, tile, x, y, falling, going, after = final
        return Flown(how, tile, x, y, falling, going, after, touched, entered, *into)
