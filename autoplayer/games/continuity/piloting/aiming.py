"""How long to steer a flight so that it ends where it should: of all that would do, what leaves most room on both sides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.piloting.course import Course, Flown, State
from autoplayer.games.continuity.piloting.legs import Fly
from autoplayer.games.continuity.rooms import LANDED, LOST, Bools, Floats

GRAIN = 0.04
"""Seconds between two times of steering that are tried."""
LONGEST_STEER = 1.6
"""Seconds."""
FEET = 4.0
"""Pixels, and
"""
NEAR = 1.0
"""of the pitch, by which a flight may miss the place of its entry."""
ENOUGH = 0.12
"""Seconds of room with which nothing is corrected any more."""


class Aim(NamedTuple):
    """Steer for ``seconds`` (negative: to the left) from now; ``room``: by how much more or less would still do.
    ``still``: whether not to steer any more does as well, with room enough."""

    seconds: float
    room: float
    still: bool


def steering() -> Floats:
    """The times of steering that are tried, from the longest to the left to the longest to the right."""
    count = round(LONGEST_STEER / GRAIN)
    return np.arange(-count, count + 1) * GRAIN


def met(course: Course, leg: Fly, flown: Flown, steer: Floats, late: float, taken: frozenset[int]) -> Bools:
    """Which flights end as the leg wants, if the hand lets go up to ``late`` seconds after the landing."""
    things = [thing for thing in leg.things if thing not in taken]
    good = np.isfinite(flown.touched[:, things]).all(axis=1)
    pitch = course.rooms.pitch
    if leg.end == "land":
        good &= (flown.how == LANDED) & (flown.tile == leg.into) & (np.abs(flown.y - leg.at) <= FEET)
        over = np.clip(np.abs(steer) - (flown.seconds - late), 0, late) * np.sign(steer) * course.physics.walk
        for x in (flown.x, flown.x + over):
            good &= (x >= leg.low) & (x <= leg.high)
    elif leg.end == "enter":
        along = flown.entered_y if leg.side in (0, 1) else flown.entered_x
        good &= (flown.entered == leg.into) & (np.abs(along - leg.at) <= NEAR * pitch)
        if leg.side == 3:
            good &= flown.entered_falling < 0
    return good


def safe(flown: Flown) -> Bools:
    return flown.how != LOST


def middle(good: Bools, steer: Floats, wish: float) -> Aim | None:
    """The middle of the run of good times with most room; of equal ones that nearest to ``wish``."""
    at = np.flatnonzero(good)
    if not len(at):
        return None
    runs = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    limit = 3 * ENOUGH / GRAIN
    run = max(runs, key=lambda each: (min(len(each), limit), -abs(float(steer[each].mean()) - wish)))
    seconds = float(steer[run].mean())
    # Nothing is gained in the middle of a very long run.
    if len(run) > 2 * limit:
        low, high = float(steer[run[0]]) + limit * GRAIN / 2, float(steer[run[-1]]) - limit * GRAIN / 2
        seconds = min(max(wish, low), high)
    room = (float(steer[run[-1]]) - float(steer[run[0]])) / 2 + GRAIN / 2
    none = len(steer) // 2
    around = min(none - int(run[0]), int(run[-1]) - none) * GRAIN
    return Aim(seconds, room, around >= min(ENOUGH, room / 2))


def aim(
    course: Course, state: State, leg: Fly, *, jump: bool, late: float, taken: frozenset[int], wish: float
) -> Aim | None:
    """How to steer from ``state``; None where nothing leads to the leg's end."""
    steer = steering()
    flown = course.run(state, np.sign(steer), np.abs(steer), jump=jump)
    return middle(met(course, leg, flown, steer, late, taken), steer, wish)


def rescue(course: Course, state: State) -> Aim | None:
    """How to steer so that nothing is lost, wherever it leads."""
    steer = steering()[::2]
    flown = course.run(state, np.sign(steer), np.abs(steer))
    return middle(safe(flown) & (flown.how == LANDED), steer, 0.0)


def best_start(
    course: Course, state: State, leg: Fly, low: float, high: float, late: float, taken: frozenset[int]
) -> tuple[float, float] | None:
    """From where on the ground between ``low`` and ``high`` to jump, or step off, so that most room is left: that place,
    and the room there; None where the leg can be flown from nowhere."""
    pitch = course.rooms.pitch
    assert leg.x is not None
    grain = pitch / 6
    low, high = max(low, leg.x - 0.75 * pitch), min(high, leg.x + 0.75 * pitch)
    places = np.arange(min(low, leg.x), max(high, leg.x) + grain / 2, grain)
    steer = steering()
    flights = np.tile(steer, len(places))
    shift = np.repeat(places - state.x, len(steer))
    flown = course.run(state, np.sign(flights), np.abs(flights), jump=leg.jump, shift=shift)
    good = met(course, leg, flown, flights, late, taken).reshape(len(places), -1)
    rooms = np.zeros(len(places))
    for number, row in enumerate(good):
        found = middle(row, steer, leg.steer)
        rooms[number] = found.room if found else 0.0
    if not rooms.any():
        return None
    # The hand does not stop exactly there: what is beside it counts, too.
    wide = np.pad(np.minimum(rooms, 3 * ENOUGH), 2, mode="edge")
    worth = np.minimum.reduce([wide[n : n + len(rooms)] for n in (1, 2, 3)]) + 0.2 * wide[2:-2]
    worth += 0.1 * np.minimum(wide[:-4], wide[4:]) - 1e-3 * np.abs(places - leg.x) / pitch
    worth[rooms == 0] = -1
    best = int(np.argmax(worth))
    return float(places[best]), float(rooms[best])
