"""Executes jumps and falls under visual feedback: the figure is steered, and frozen where it enters a tile."""

from __future__ import annotations

import itertools
import math

from autoplayer.games.continuity.piloting import aiming
from autoplayer.games.continuity.piloting.course import State
from autoplayer.games.continuity.piloting.hands import ANOTHER, MOST_TRIES, VIEW_LIMIT, UnseenError, words_of
from autoplayer.games.continuity.piloting.inertia import NONE
from autoplayer.games.continuity.piloting.legs import Fly
from autoplayer.games.continuity.piloting.walking import NEAR_ENOUGH, Walker
from autoplayer.games.continuity.piloting.watching import LONGEST_FRAME
from autoplayer.games.continuity.seeing.sight import Sighting

FLIGHT_LIMIT = 8.0
"""Seconds for a flight."""
LET_GO = 0.25
"""Seconds without a figure, in addition to the lag, after which a flight is no longer steered: a lost figure may be
back at its start, and would run on from there."""
RESTED = 0.4
"""A figure that does not move for so many seconds is not in the air: it has landed on something."""
COMES_IN = 0.4
"""Seconds within which a figure completely enters the tile in which it is to be frozen."""
HELD = 3.0
"""The most pixels by which a figure moves that was frozen in a wall."""
RUN_UP, RUN_LIMIT = 0.15, 3.0
"""Seconds for which a figure with inertia runs at full speed before a jump, and the longest time of a run-up."""
MOST_STATES = 60
"""The most moments of a run-up that are predicted."""
NOWHERE = Fly(0, 0, None, False, 0.0, "land", 0, (), frozenset(), 0.0)


class Flyer(Walker):
    """Hands that walk and fly: they execute all legs of a plan."""

    deep = False
    """Whether the figure must be completely inside a tile to be frozen there: if a part of it is beyond the side, and
    tiles are moved, it may get stuck in a wall."""
    _frozen_at: State | None = None

    @property
    def _late(self) -> float:
        """Seconds after a landing until the hand can release a key."""
        return self.watch.lag + LONGEST_FRAME / 2

    def fly(self, leg: Fly) -> bool:
        """Jump, or step off, or fly on, and steer until the leg's end."""
        if leg.x is None:
            found = self._aiming(leg).aim(self._airborne, leg.steer) if self._airborne is not None else None
            steer = found.seconds if found is not None else leg.steer
            if not self.view("walking", *watching_way(steer)):
                raise UnseenError(f"the walking view does not come back when {self.watch.controls.view} is pressed")
            return self._steer(leg, flying=True, begun=steer)
        if not self.view("walking"):
            raise UnseenError(f"the walking view does not come back when {self.watch.controls.view} is pressed")
        for _ in range(MOST_TRIES):
            state = self._run_up(leg)
            if state is None:
                return False
            found = self._aiming(leg).aim(state, leg.steer, jump=leg.jump)
            if found is None:
                self.tell(f"from {words_of(state)} nothing leads there")
                return False
            keys = ("right" if found.seconds > 0 else "left",) if abs(found.seconds) > aiming.GRAIN / 2 else ()
            self.watch.launched(leg.jump)
            self._rising = leg.jump
            self._hold(*keys)
            if leg.jump and not self._took_off(state):
                continue
            return self._steer(leg, flying=leg.jump, begun=found.seconds)
        return False

    def _run_up(self, leg: Fly) -> State | None:
        """Stand where the leg is best begun; None if that is not reached."""
        assert leg.x is not None
        column = int(leg.x / self.reach.rooms.pitch)
        low, high = self.legs.ground(leg.tile, leg.row, column)
        there = State(leg.tile, leg.x, float(leg.row))
        aims = self._aiming(leg)
        starts = list(itertools.islice(aims.best_start(there, low, high), 3))
        if leg.jump and self.inertia != NONE:
            state = self._running(leg, low, high, starts[0][1] if starts else 0.0)
            if state is not None:
                return state
        if not starts:
            self.tell(f"from {words_of(there)} that cannot be flown as the tiles lie")
        for place, room in starts:
            rest = self.settle()
            if rest is None or rest.tile != leg.tile or abs(rest.y - leg.row) > 6:
                self.tell(f"it is at {words_of(rest)}, not at {words_of(there)}")
                return None
            found = aims.aim(rest, leg.steer, jump=leg.jump)
            if found and found.room >= min(0.7 * room, aiming.ENOUGH):
                return rest
            if not self._go((leg.tile,), place, 0.15 * self.reach.rooms.pitch, leg.row):
                return None
            rest = self.settle()
            if rest is not None and aims.aim(rest, leg.steer, jump=leg.jump):
                return rest
            self.tell(f"from {words_of(rest)} nothing leads there")
        return None

    def _running(self, leg: Fly, low: float, high: float, room: float) -> State | None:
        """Run up to a jump, and return the state in which to begin it; None if the run-up fails, or is no better than
        starting from where the figure stands, with the margin ``room``."""
        aims, way = self._aiming(leg), math.copysign(1.0, leg.steer)
        keys = watching_way(leg.steer)
        if room >= aiming.ENOUGH or not keys or leg.x is None:
            return None
        run = self.course.physics.walk * (self.inertia.start / 2 + RUN_UP)
        back = State(leg.tile, min(max(leg.x - way * run, low), high), float(leg.row))
        states = [back]
        while states[-1].grounded and states[-1].tile == leg.tile and low <= states[-1].x <= high:
            states.append(self.course.after(states[-1], [(int(way), False, LONGEST_FRAME / 4)]))
            if len(states) > MOST_STATES:
                break
        found = [aims.aim(state, leg.steer, jump=True) for state in states[:-1]]
        rooms = [aim.room if aim else 0.0 for aim in found]
        best = max(range(len(rooms)), key=lambda n: min(rooms[max(n - 1, 0) : n + 2]))
        near = NEAR_ENOUGH * self.reach.rooms.pitch
        if rooms[best] < room + aiming.GRAIN or not self._go((leg.tile,), back.x, near, leg.row):
            return None
        self.tell("with a run-up")
        end = self.watch.window.now() + RUN_LIMIT
        while self.watch.window.now() < end:
            self.watch.hold(*keys)
            self._look()
            state = self.watch.foreseen()
            if state is None or state.tile != leg.tile or not state.grounded:
                break
            there = (state.x - states[best].x) * way >= -state.going * way * LONGEST_FRAME / 8
            if there and aims.aim(state, leg.steer, jump=True):
                return state
        self.watch.hold()
        self.settle()
        return None

    def _aiming(self, leg: Fly) -> aiming.Aiming:
        return aiming.Aiming(self.course, leg, self._late, self.taken)

    def _hold(self, *names: str) -> None:
        """Hold these, and the jump key as long as a jump rises."""
        self.watch.hold(*names, *(("up",) if self._rising else ()))

    def _took_off(self, state: State) -> bool:
        """Whether a jump is seen to begin."""
        end = self.watch.window.now() + self.watch.lag + 4 * LONGEST_FRAME
        while self.watch.window.now() < end:
            seen = self._look()
            if seen.tile is not None and (seen.tile != state.tile or abs(seen.y - state.y) > 3):
                return True
        self.tell("the jump did not begin")
        self._rising = False
        self.watch.hold()
        self.settle()
        return False

    def _steer(self, leg: Fly, *, flying: bool, begun: float = 0.0) -> bool:
        """Steer a flight that has begun (``flying``), or a walk over an edge, until its end."""
        watch, aims = self.watch, self._aiming(leg)
        end = watch.window.now() + FLIGHT_LIMIT
        began = since = watch.window.now()
        while watch.window.now() < end:
            seen = self._look()
            self._touch(seen)
            if self._reached:
                watch.hold()
                return True
            if seen.view != "walking" or seen.tile is None:
                if self._away() > ANOTHER:
                    watch.hold()
                    return leg.end == "touch"
                if seen.view == "walking" and self._away() > LET_GO + watch.lag:
                    self._rising = False
                    watch.hold()
                continue
            last, state = watch.last(), watch.foreseen()
            if last is None or state is None:
                continue
            self._rising = self._rising and state.falling < 0 and not (last.grounded and watch.at - began > self._late)
            if not flying:
                flying = not last.grounded
                if leg.leans and watch.at - began > watch.lag + RESTED and watch.rested > LONGEST_FRAME:
                    watch.hold()
                    return self._landed(leg)
            elif (last.grounded and state.grounded and watch.at - began > watch.lag + LONGEST_FRAME) or (
                watch.rested > RESTED
            ):
                watch.hold()
                return self._landed(leg)
            if leg.end == "enter" and leg.into in (seen.tile, state.tile):
                if self.deep and self._comes_in(state, leg.into):
                    continue
                if self._freeze(state, leg.into):
                    return True
                continue
            wish = math.copysign(max(abs(begun) - (watch.at - since), 0.0), begun)
            aims.taken = self.taken
            found = aims.aim(state, wish)
            if found is None and flying:
                found = aims.otherwise(state, wish)
            if found is not None:
                begun, since = found.seconds, watch.at
            if found is None or (flying and found.still):
                self._hold(*(() if flying else watching_way(begun)))
            else:
                self._hold(*watching_way(found.seconds))
        watch.hold()
        return False

    def _comes_in(self, state: State, into: int) -> bool:
        """Whether a figure in the air that reaches over a side of the tile ``into`` will soon be completely inside it,
        with the current steering."""
        course, width, height = self.course, self.course.physics.width, self.course.physics.height
        for tick in range(round(COMES_IN / course.tick)):
            along, down = width / 2 <= state.x <= course.width - width / 2, height <= state.y <= course.height
            if state.tile == into and along and down:
                return tick > 0
            state = course.after(state, [(self.watch.way, False, course.tick)])
            if state.grounded:
                break
        return False

    def _landed(self, leg: Fly) -> bool:
        rest = self.settle()
        if rest is None:
            return leg.end == "touch"
        frozen = self._frozen_at
        if leg.x is None and frozen is not None and rest.tile == frozen.tile:
            moved = max(abs(rest.x - frozen.x), abs(rest.y - frozen.y))
            self.deep |= moved <= HELD and not self.course.stands(rest, HELD)
        self._notice()
        keys = {thing for thing, _ in leg.things if thing < len(self.reach.rooms.keys)}
        if not keys <= self.taken:
            self.tell(
                f"it landed at {words_of(rest)} without key {', '.join(str(key + 1) for key in keys - self.taken)}"
            )
            return False
        if leg.end != "land":
            return leg.end == "touch"
        pitch = self.reach.rooms.pitch
        good = rest.tile == leg.into and abs(rest.y - leg.at) <= 6 and leg.low - pitch <= rest.x <= leg.high + pitch
        if not good:
            self.tell(f"it landed at {words_of(rest)}, not between {leg.low:.0f} and {leg.high:.0f} at {leg.at:.0f}")
        return good

    def _freeze(self, state: State, into: int) -> bool:
        """Change to the sliding view in the air, in the tile ``into``. Whether the figure is where it should be is
        checked after."""
        before = self.watch.last() or state
        if self._one_view:  # nothing is frozen here: it comes down, and another plan is made from there
            self._save()
            return self.watch.seen is not None and self.watch.seen.tile == into
        if not self.view("sliding"):
            return False
        end = self.watch.window.now() + VIEW_LIMIT
        while self.watch.rested < 0.05 + self.watch.lag / 2 and self.watch.window.now() < end:
            self._look()
        seen = self.watch.seen
        assert seen is not None
        if seen.tile is None:
            return False
        self._airborne = self._frozen_at = self._on_the_way(before, seen)
        self.watch.frozen(self._airborne)
        return True

    def _on_the_way(self, before: State, seen: Sighting) -> State:
        """The state in which the figure was frozen at its observed position: the nearest on its way since
        ``before``."""
        assert seen.tile is not None
        best, found = float("inf"), before
        state = before
        for way in (0, -1, 1):
            state = before
            for _ in range(round(0.5 / self.course.tick)):
                if state.tile == seen.tile and (d := abs(state.y - seen.y) + 0.1 * abs(state.x - seen.x)) < best:
                    best, found = d, state
                state = self.course.after(state, [(way, False, self.course.tick)])
        return found._replace(tile=seen.tile, x=seen.x, y=seen.y, grounded=False)

    def _save(self) -> None:
        """In the air without a target: land somewhere."""
        end = self.watch.window.now() + FLIGHT_LIMIT / 2
        while self.watch.window.now() < end:
            self._look()
            state, last = self.watch.foreseen(), self.watch.last()
            if state is None or last is None:
                continue
            if last.grounded and state.grounded:
                break
            found = aiming.Aiming(self.course, NOWHERE, self._late, self.taken).rescue(state)
            self.watch.hold(*(watching_way(found.seconds) if found and not found.still else ()))
        self.watch.hold()


def watching_way(seconds: float) -> tuple[str, ...]:
    """The key that steers so."""
    return () if abs(seconds) <= aiming.GRAIN / 2 else ("right",) if seconds > 0 else ("left",)
