"""Chooses how long to steer a flight so that it ends where it should: among all steering times that work, the one with
the largest margin on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.flights import LANDED, LOST, Bools, Floats
from autoplayer.games.continuity.piloting.course import Course, Flown, State
from autoplayer.games.continuity.piloting.legs import Entry, Fly
from autoplayer.games.continuity.world import LEFT, RIGHT, TOP

GRAIN = 0.04
"""Seconds between two steering times that are tried."""
LONGEST_STEER = 1.6
"""Seconds."""
FEET = 4.0
"""Pixels by which a landing may seem higher or lower than the ground."""
NEAR = 1.5
"""Two entry positions closer than this, in units of the pitch, are the same."""
ENOUGH = 0.12
"""With a margin of so many seconds nothing is corrected any more."""
TOES = 0.9
"""How far a landed figure may stand beyond the spots of its ground, in units of the pitch."""
MOST_FOLLOWED = 40
"""The most flights that are simulated into the next tile."""
AWAY = 0.15
"""By this share of the run of working times the middle is shifted away from the side beyond which the figure is
lost."""
COARSE = 3
"""One in so many steering times is tried in the tile after the next."""


class Aim(NamedTuple):
    """Steer for ``seconds`` (negative: to the left) from now; ``room``: the margin, by which more or less would still
    work. ``still``: whether not steering any more works as well, with enough margin."""

    seconds: float
    room: float
    still: bool


def steering() -> Floats:
    """The steering times that are tried, from the longest to the left to the longest to the right."""
    count = round(LONGEST_STEER / GRAIN)
    times: Floats = np.arange(-count, count + 1, dtype=np.float64) * GRAIN
    return times


class Aiming:
    """Aims along one leg. ``late``: seconds after a landing within which the hand releases the key; ``taken``: the keys
    that the figure has."""

    def __init__(self, course: Course, leg: Fly, late: float, taken: frozenset[int]) -> None:
        self.course, self.leg, self.late, self.taken = course, leg, late, taken
        self.steer = steering()

    def aim(self, state: State, wish: float, *, jump: bool = False) -> Aim | None:
        """How to steer from ``state``; None if nothing leads to the leg's end. ``wish``: of equally good times one near
        this."""
        flown = self.course.run(state, self.steer, jump=jump)
        passed = self._passed(state.tile)
        lost = flown.how == LOST
        found = middle(self._met(flown, self.steer, passed), self.steer, wish, lost)
        if found is None and passed < len(self.leg.entries):
            found = middle(self._leads_on(flown, passed), self.steer, wish, lost)
        return found

    def best_start(self, state: State, low: float, high: float) -> Iterator[tuple[float, float]]:
        """The positions on the ground between ``low`` and ``high`` from which to jump, or step off, with their margins,
        the best first; none if the leg cannot be flown from anywhere."""
        leg, pitch = self.leg, self.course.rooms.pitch
        assert leg.x is not None
        grain, beside = pitch / 6, 3
        low, high = min(max(low, leg.x - 0.75 * pitch), leg.x), max(min(high, leg.x + 0.75 * pitch), leg.x)
        places = np.arange(low - beside * grain, high + (beside + 0.5) * grain, grain)
        flights = np.tile(self.steer, len(places))
        shift = np.repeat(places - state.x, len(self.steer))
        flown = self.course.run(state, flights, jump=leg.jump, shift=shift)
        good = self._met(flown, flights, 0)
        if not good.any() and leg.entries:
            good = self._entered(flown, leg.entries[0], 0)
        rooms = np.zeros(len(places))
        for number, row in enumerate(good.reshape(len(places), -1)):
            found = middle(row, self.steer, leg.steer)
            rooms[number] = min(found.room, 3 * ENOUGH) if found else 0.0
        # The hand does not stop exactly there: what is beside it counts as well.
        around = np.stack([rooms[n : len(rooms) - 2 * beside + n] for n in range(2 * beside + 1)])
        worth = around.min(axis=0) + 0.5 * around[1:-1].min(axis=0) + 0.3 * around[2:-2].min(axis=0)
        worth += 0.1 * around[beside] - 1e-3 * np.abs(places[beside:-beside] - leg.x) / pitch
        for at in np.argsort(-worth):
            if around[beside][at] > 0:
                yield float(places[beside + at]), float(around[beside][at])

    def otherwise(self, state: State, wish: float) -> Aim:
        """How to steer if nothing seems to lead to the leg's end: as planned, because the observation may be slightly
        wrong; but not into what kills the figure, if anything leads elsewhere."""
        flown = self.course.run(state, np.array([wish - GRAIN, wish, wish + GRAIN]))
        meant = Aim(wish, 0.0, False)
        return meant if (flown.how != LOST).all() else self.rescue(state) or meant

    def rescue(self, state: State) -> Aim | None:
        """How to steer so that the figure is not lost, wherever that leads."""
        steer = self.steer[::2]
        flown = self.course.run(state, steer)
        return middle(flown.how == LANDED, steer, 0.0, flown.how == LOST)

    def _passed(self, tile: int) -> int:
        """How many of the entries a figure in ``tile`` has passed."""
        into = [entry.tile for entry in self.leg.entries]
        return into.index(tile) + 1 if tile in into else 0

    def _met(self, flown: Flown, steer: Floats, passed: int) -> Bools:
        """Which flights end as the leg wants."""
        leg = self.leg
        if leg.end == "enter":
            if len(leg.entries) - passed != 1:
                return np.zeros(len(steer), np.bool_)
            return self._followed(flown, self._entered(flown, leg.entries[-1], passed), self._goes_on)
        good = self._touched(flown, passed, len(leg.entries))
        if leg.end == "land":
            good &= (flown.how == LANDED) & (flown.tile == leg.into) & (np.abs(flown.y - leg.at) <= FEET)
            pitch = self.course.rooms.pitch  # it may land on a toe, and walk on
            good &= (flown.x >= leg.low - TOES * pitch) & (flown.x <= leg.high + TOES * pitch)
            if leg.leans:
                return good
            # What is held after the landing is walked.
            over = np.clip(np.abs(steer) - (flown.seconds - self.late), 0, self.late) * self.course.physics.walk
            good &= np.where(steer < 0, flown.x - over >= leg.low, flown.x + over <= leg.high) | (over == 0)
            rest = flown.x + self.course.glide(flown.going)
            firm = good & (rest >= leg.low) & (rest <= leg.high)
            return firm if firm.any() else good
        return good

    def _touched(self, flown: Flown, first: int, last: int) -> Bools:
        """Which flights touch what is to be touched between two entries."""
        things = [thing for thing, after in self.leg.things if thing not in self.taken and first <= after <= last]
        return np.asarray(np.isfinite(flown.touched[:, things]).all(axis=1), dtype=np.bool_)

    def _entered(self, flown: Flown, entry: Entry, passed: int) -> Bools:
        """Which flights enter the next tile as they should."""
        along = flown.entered_y if entry.side in (LEFT, RIGHT) else flown.entered_x
        near = np.abs(along - entry.along) <= NEAR * self.course.rooms.pitch
        good: Bools = (flown.entered == entry.tile) & near & self._touched(flown, passed, passed)
        return good

    def _leads_on(self, flown: Flown, passed: int) -> Bools:
        """Which flights enter the next tile such that others lead from there to the leg's end."""
        good = self._entered(flown, self.leg.entries[passed], passed)
        return self._followed(flown, good, lambda further, steer: self._met(further, steer, passed + 1))

    def _followed(self, flown: Flown, good: Bools, met: Callable[[Flown, Floats], Bools]) -> Bools:
        """Those of the flights ``good`` from whose entry others lead to what is to be ``met``; all if none does."""
        steer = self.steer[::COARSE]
        which = np.flatnonzero(good)
        which = which[:: len(which) // MOST_FOLLOWED + 1]
        if not len(which):
            return good
        flights = np.tile(steer, len(which))
        further = self.course.run_on(flown, np.repeat(which, len(steer)), flights)
        ends = met(further, flights).reshape(len(which), -1).sum(axis=1)
        if not ends.any():
            return good
        found = np.zeros(len(good), np.bool_)
        found[which[ends >= min(2, ends.max())]] = True
        # What lies between two that do will do.
        step = len(np.flatnonzero(good)) // MOST_FOLLOWED + 1
        for shift in range(1, step):
            found[shift:] |= found[:-shift] & good[shift:]
        return found

    def _goes_on(self, further: Flown, steer: Floats) -> Bools:
        """Which flights end, in the tile in which the figure will be frozen, as its next flight there requires."""
        onward, pitch = self.leg.onward, self.course.rooms.pitch
        here = self.leg.into
        if onward is None:
            return np.ones(len(steer), np.bool_)
        things = [thing for thing, after in onward.things if thing not in self.taken and after == 0]
        touched = np.asarray(np.isfinite(further.touched[:, things]).all(axis=1), dtype=np.bool_)
        if not onward.entries and onward.end == "land":
            good: Bools = (further.how == LANDED) & (further.tile == here) & (np.abs(further.y - onward.at) <= FEET)
            return good & touched & (further.x >= onward.low - TOES * pitch) & (further.x <= onward.high + TOES * pitch)
        if onward.entries and onward.entries[0].side == TOP:
            along = onward.entries[0].along
            out = (further.how == LOST) & (further.tile == here) & (further.y > self.course.height)
            below = np.where(further.entered >= 0, further.entered_x, np.where(out, further.x, np.inf))
            return touched & (np.abs(below - along) <= pitch)
        return touched


def middle(good: Bools, steer: Floats, wish: float, lost: Bools | None = None) -> Aim | None:
    """The middle of the run of good times with the largest margin; of equal ones the nearest to ``wish``. ``lost``:
    times with which the figure is lost: it keeps away from the side of a run with such times beyond it, because a late
    hand has no second try there."""
    at = np.flatnonzero(good)
    if not len(at):
        return None
    grain = float(steer[1] - steer[0])
    runs = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    limit = 3 * ENOUGH / grain
    run = max(runs, key=lambda each: (min(len(each), limit), -abs(float(steer[each].mean()) - wish)))
    low, high = float(steer[run[0]]), float(steer[run[-1]])
    seconds = (low + high) / 2
    if lost is not None:
        under, over = lost[max(run[0] - 1, 0)], lost[min(run[-1] + 1, len(lost) - 1)]
        seconds += AWAY * (high - low) * (int(under) - int(over))
    if len(run) > 2 * limit:  # in the middle of a very long run is no better than well inside
        seconds = min(max(wish, low + limit * grain / 2), high - limit * grain / 2)
    room = (high - low + grain) / 2
    return Aim(seconds, room, min(-low, high) >= min(ENOUGH, room / 2))
