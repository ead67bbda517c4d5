"""Simulates many flights of a figure at once, as numpy arrays: its bounding box on the masks of tiles, tick by tick.

Flights that begin alike and are steered for different times share their course until the first of them is no longer
steered, so each is simulated separately from there on only. Collisions are looked up in masks dilated by the box.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LANDED, LOST = 4, 5
"""How flights end, besides at one of the four sides."""
DEEPEST = 64
"""The most cells by which a figure enters the ground before that is noticed."""


class Ends(NamedTuple):
    """How flights ended: a side, ``LANDED`` or ``LOST``; where, how fast downwards, after how long; and when each thing
    was first touched, infinity for never: shape ``(flights, things)``."""

    how: Ints
    x: Floats
    y: Floats
    falling: Floats
    seconds: Floats
    touched: Floats

    def part(self, which: Ints | slice) -> Ends:
        """Of some flights only."""
        x, y, falling, seconds, touched = (values[which] for values in self[1:])
        return Ends(self.how[which], x, y, falling, seconds, touched)


class Boxes:
    """Whether a box overlaps anything of a mask, for all positions of the box; beyond its sides a mask continues as in
    its last row or column. ``inner``: by how much the box is smaller at each side than the figure."""

    def __init__(self, mask: Bools, width: float, height: float, inner: float) -> None:
        """``mask``: shape ``(tiles, height, width)``, cells; the figure's width and height in cells."""
        self.half, self.high, self.inner = width / 2, height, inner
        self.tiles = len(mask)
        self.pad = math.ceil(max(width, height)) + 2
        self.wide, self.tall = math.ceil(width - 2 * inner), math.ceil(height - 2 * inner)
        padded = np.pad(mask, ((0, 0), (self.pad, self.pad), (self.pad, self.pad)), mode="edge")
        # A box touches so many columns or one more, and so many rows or one more.
        across = [_spans(padded, 2, self.wide + more) for more in (0, 1)]
        self._found = np.array([[_spans(part, 1, self.tall + more) for more in (0, 1)] for part in across])
        _, self._rows, self._columns = padded.shape
        self._tile = self._rows * self._columns
        self._taller = self.tiles * self._tile
        self._flat = self._found.reshape(-1)
        self._stands: NDArray[np.int16] | None = None

    def across(self, tile: Ints, x: Floats) -> Ints:
        """The part of an index that selects the tile and the columns of the box of figures at ``x``."""
        first = np.floor(x - self.half + self.inner).astype(np.int64)
        more = np.ceil(x + self.half - self.inner) - first > self.wide
        found: Ints = tile * self._tile + first + self.pad + more * (2 * self._taller)
        return found

    def down(self, y: Floats) -> Ints:
        """The part of an index that selects the rows of the box of figures with their feet at ``y``."""
        first = np.floor(y - self.high + self.inner).astype(np.int64)
        more = np.ceil(y - self.inner) - first > self.tall
        found: Ints = (first + self.pad) * self._columns + more * self._taller
        return found

    def any(self, across: Ints, down: Ints) -> Bools:
        """Whether there is anything in the boxes at such indices."""
        found: Bools = self._flat.take(across + down, mode="clip")
        return found

    def ground(self, across: Ints, y: Floats) -> Floats:
        """The heights of the ground that figures with their feet at ``y`` have entered."""
        rows = math.ceil(self.high - self.inner)
        if self._stands is None:
            free = ~self._found[:, int(rows > self.tall)]
            here = np.where(free, np.arange(self._rows, dtype=np.int16)[:, None], np.int16(-(1 << 14)))
            self._stands = np.maximum.accumulate(here, axis=2).reshape(-1)
        feet = np.floor(y)
        more, place = np.divmod(across, 2 * self._taller)
        at = more * self._taller + place + (feet.astype(np.int64) - rows + self.pad) * self._columns
        found: Floats = np.maximum(self._stands.take(at, mode="clip") - float(self.pad - rows), feet - DEEPEST)
        return found


def _spans(mask: Bools, axis: int, count: int) -> Bools:
    """Whether there is anything in so many cells along an axis, starting at each one."""
    if count < 1:
        return np.zeros_like(mask)
    found, have = mask.copy(), 1
    while have < count:
        step = min(have, count - have)
        rest = [slice(None)] * 3
        rest[axis] = slice(step, None)
        upto = [slice(None)] * 3
        upto[axis] = slice(None, -step)
        found[tuple(upto)] |= found[tuple(rest)].copy()
        have += step
    return found


class Things(NamedTuple):
    """What a figure touches, an entry each: its tile and the sides of its box, less what does not count."""

    tile: Ints
    left: Floats
    right: Floats
    top: Floats
    bottom: Floats

    def beneath(self, half: float, tile: Ints, x: Floats) -> Bools:
        """Which things figures of half that width would touch at some height; shape ``(n, things)``."""
        across = (x[:, None] + half > self.left) & (x[:, None] - half < self.right)
        found: Bools = (tile[:, None] == self.tile) & across
        return found

    def touched(self, half: float, high: float, tile: Ints, x: Floats, y: Floats) -> Bools:
        """Which things figures with their feet at ``(x, y)`` touch; shape ``(n, things)``."""
        upright = (y[:, None] > self.top) & (y[:, None] - high < self.bottom)
        found: Bools = self.beneath(half, tile, x) & upright
        return found


@dataclass(frozen=True, eq=False)
class Sky:
    """Everything that flights collide with or touch. Lengths in cells, times in seconds."""

    walls: Boxes
    spikes: Boxes | None
    things: Things
    width: float
    height: float
    """A tile's."""
    gravity: float
    fall: float
    tick: float
    longest: float

    def steps(self, seconds: Floats) -> Ints:
        """The number of ticks for which keys are held."""
        count = np.floor(seconds / self.tick)
        count += (count + 1) * self.tick <= seconds
        count -= count * self.tick > seconds
        found: Ints = np.maximum(count, 0).astype(np.int64)
        return found

    def fly(self, tile: Ints, x: Floats, y: Floats, falling: Floats, speed: Floats, row: Ints, held: Ints) -> Ends:
        """The ends of flights. ``tile`` to ``speed``, shape ``(beginnings,)``: how they begin, and the speed to the
        right at which they are steered; ``row``, ``held``, shape ``(flights,)``: the beginning of each flight, and for
        how many ticks it is steered."""
        return _Flying(self, tile, x, y, falling, speed, row, held).ends()


@dataclass
class _Figures:
    """Figures in the air, or on their way to an edge; arrays with an entry each."""

    name: Ints
    tile: Ints
    x: Floats
    y: Floats
    falling: Floats
    across: Ints
    down: Ints
    """These two: the parts of indices of the walls' boxes."""
    near: Bools
    """Whether it may yet touch something."""
    speed: Floats
    """Of those that are steered, to the right."""
    flown: Bools
    """Of those that are steered: whether they have left the ground."""
    stuck: Bools
    """Of those that are steered: whether they stand before a wall, so that no more steering moves them."""

    def chosen(self, which: Ints | Bools) -> _Figures:
        return _Figures(*(values[which] for values in vars(self).values()))

    def and_more(self, more: _Figures) -> _Figures:
        pairs = zip(vars(self).values(), vars(more).values(), strict=True)
        return _Figures(*(np.concatenate(pair) for pair in pairs))


class _Flying:
    """One simulation: the beginnings, steered, and the flights that were let go."""

    def __init__(
        self, sky: Sky, tile: Ints, x: Floats, y: Floats, falling: Floats, speed: Floats, row: Ints, held: Ints
    ) -> None:
        self.sky = sky
        self.row, self.held = row, held
        count = len(tile)
        across, down = sky.walls.across(tile, x), sky.walls.down(y)
        near = np.isin(np.arange(sky.walls.tiles), sky.things.tile)[tile]
        flown = np.zeros(count, np.bool_)
        self.steered = _Figures(np.arange(count), tile, x, y, falling, across, down, near, speed, flown, flown)
        self.loose = self.steered.chosen(np.zeros(0, np.int64))
        self.begun = self._unended(count)
        self.flown = self._unended(len(row))
        self.let_go = np.zeros(len(row), np.bool_)
        first = np.flatnonzero(near)
        self.begun.touched[first] = np.where(self._touched(tile[first], x[first], y[first]), 0.0, np.inf)

    def _unended(self, count: int) -> Ends:
        x, y, falling, seconds = np.zeros((4, count))
        touched = np.full((count, len(self.sky.things.tile)), np.inf)
        return Ends(np.full(count, LOST), x, y, falling, seconds, touched)

    def _touched(self, tile: Ints, x: Floats, y: Floats) -> Bools:
        walls = self.sky.walls
        return self.sky.things.touched(walls.half, walls.high, tile, x, y)

    def ends(self) -> Ends:
        sky, row = self.sky, self.row
        order = np.argsort(self.held, kind="stable")
        turns = np.searchsorted(self.held[order], np.arange(math.ceil(sky.longest / sky.tick) + 1), "right")
        last = np.zeros(len(self.begun.how), np.int64)
        np.maximum.at(last, row, self.held)
        alive = np.ones(len(last), np.bool_)
        at = 0
        for number in range(1, len(turns)):
            if turns[number - 1] > at:
                flights = order[at : turns[number - 1]]
                at = turns[number - 1]
                self._let_go(flights[alive[row[flights]]])
                more = last[self.steered.name] >= number
                if not more.all():
                    self.steered = self.steered.chosen(more)
            if not len(self.steered.name) and not len(self.loose.name):
                break
            seconds = number * sky.tick
            if len(self.steered.name):
                over = self._step(self.steered, self.begun, seconds, steered=True)
                if over is not None:
                    alive[self.steered.name[over]] = False
                    self.steered = self.steered.chosen(~over)
                if self.steered.stuck.any():
                    alive[self.steered.name[self.steered.stuck]] = False
                    self._stay(len(turns))
            if len(self.loose.name):
                over = self._step(self.loose, self.flown, seconds, steered=False)
                if over is not None:
                    self.loose = self.loose.chosen(~over)
        for mine, theirs in zip(self.flown, self.begun, strict=True):
            mine[~self.let_go] = theirs[row[~self.let_go]]
        return self.flown

    def _let_go(self, flights: Ints) -> None:
        """These flights, all of them begun and not ended, are no longer steered."""
        if not len(flights):
            return
        where = np.full(len(self.begun.how), -1)
        where[self.steered.name] = np.arange(len(self.steered.name))
        more = self.steered.chosen(where[self.row[flights]])
        beneath = self.sky.things.beneath(self.sky.walls.half, more.tile, more.x)
        more.name, more.near = flights, np.asarray(np.any(beneath, axis=1))
        self.let_go[flights] = True
        self.flown.touched[flights] = self.begun.touched[self.row[flights]]
        self.loose = self.loose.and_more(more)

    def _stay(self, most: int) -> None:
        """Figures that are stuck stay where they are until they are no longer steered."""
        stuck = self.steered.chosen(self.steered.stuck)
        self.steered = self.steered.chosen(~self.steered.stuck)
        where = np.full(len(self.begun.how), -1)
        where[stuck.name] = np.arange(len(stuck.name))
        flights = np.flatnonzero((where[self.row] >= 0) & ~self.let_go)
        self.let_go[flights] = True
        at, row, flown = where[self.row[flights]], self.row[flights], self.flown
        flown.how[flights] = np.where(self.held[flights] + 1 < most, LANDED, LOST)
        flown.x[flights], flown.y[flights] = stuck.x[at], stuck.y[at]
        flown.falling[flights] = stuck.falling[at]
        flown.seconds[flights] = (self.held[flights] + 1) * self.sky.tick
        flown.touched[flights] = self.begun.touched[row]

    def _step(self, figures: _Figures, ends: Ends, seconds: float, *, steered: bool) -> Bools | None:
        """One tick; the flights that end in it, None for none."""
        sky, walls = self.sky, self.sky.walls
        before = figures.falling
        falling = np.minimum(before + sky.gravity * sky.tick, sky.fall)
        if steered:
            to = figures.x + figures.speed * sky.tick
            across = walls.across(figures.tile, to)
            free = ~walls.any(across, figures.down)
            figures.x = np.where(free, to, figures.x)
            figures.across = np.where(free, across, figures.across)
            figures.stuck = ~free
        # The mean of the speeds before and after makes a jump as high as it should be, whatever the tick.
        to = figures.y + (before + falling) / 2 * sky.tick
        down = walls.down(to)
        stopped = walls.any(figures.across, down)
        landed = stopped & (to > figures.y)
        if stopped.any():
            falling[stopped] = 0.0
            under = np.flatnonzero(landed)
            ground = walls.ground(figures.across[under], to[under])
            to[stopped], down[stopped] = figures.y[stopped], figures.down[stopped]
            to[under], down[under] = ground, walls.down(ground)
        if steered:
            figures.stuck &= landed & (to == figures.y)
        figures.y, figures.down, figures.falling = to, down, falling
        if steered:
            figures.flown |= ~landed
            landed &= figures.flown
        return self._over(figures, ends, landed, seconds)

    def _over(self, figures: _Figures, ends: Ends, landed: Bools, seconds: float) -> Bools | None:
        sky, x = self.sky, figures.x
        middle = figures.y - sky.walls.high / 2
        how = np.where(landed, LANDED, -1)
        for side, out in enumerate((x < 0, x > sky.width, middle < 0, middle > sky.height)):
            if out.any():
                how[out & ~landed] = side
        if sky.spikes is not None:
            how[sky.spikes.any(sky.spikes.across(figures.tile, x), sky.spikes.down(figures.y))] = LOST
        near = np.flatnonzero(figures.near)
        if len(near):
            touched = self._touched(figures.tile[near], x[near], figures.y[near])
            met = np.flatnonzero(touched.any(axis=1))
            if len(met):
                names = figures.name[near[met]]
                now = np.where(touched[met], seconds, np.inf)
                ends.touched[names] = np.minimum(ends.touched[names], now)
        over: Bools = how >= 0
        if not over.any():
            return None
        names = figures.name[over]
        ends.how[names], ends.x[names], ends.y[names] = how[over], x[over], figures.y[over]
        ends.falling[names], ends.seconds[names] = figures.falling[over], seconds
        return over
