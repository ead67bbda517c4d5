"""Plays a level to its end: makes plans, executes them leg by leg, and replans from wherever the figure has ended up
when it is not where it should be."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autoplayer.games.continuity import reasons, solver
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.piloting.course import State
from autoplayer.games.continuity.piloting.fitting import Arc, Seen, fit_jump
from autoplayer.games.continuity.piloting.flying import Flyer
from autoplayer.games.continuity.piloting.hands import (
    GONE,
    WIN_LIMIT,
    LostError,
    SlidesBy,
    UnfinishedError,
    UnseenError,
    absent,
    words_of,
)
from autoplayer.games.continuity.piloting.inertia import NONE, Inertia, Told
from autoplayer.games.continuity.piloting.inertia import learned as learned_in_air
from autoplayer.games.continuity.piloting.legs import Fly, Leg, Legs, Slides, Walk
from autoplayer.games.continuity.piloting.measuring import Measured
from autoplayer.games.continuity.piloting.strides import Stride, learned, stride
from autoplayer.games.continuity.piloting.watching import LONGEST_FRAME, Sample, Watch
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.simulation import Rooms, Start
from autoplayer.games.continuity.solver import Plan
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, LEFT, RIGHT, World

Grounds = tuple[Hashable, Hashable]
"""Two grounds, as ``Legs.ground_of`` tells them."""
MOST_UNSEEN = 3
"""How often waiting for the figure may be in vain."""
FEWEST = 8
"""Pictures of a flight from which something is learned."""
BUMP = 4.0
"""Pixels above the highest point of a flight within which there must be no ceiling."""
EVEN = 0.15
"""Seconds of a fall over which its speed is measured."""
PLAN_SECONDS = 20.0
OFTEN = 2
"""After so many failures of a flight another way is searched."""
WHOLLY = 4
"""After so many failed flights from one ground to another none of them is tried, as long as there is another way."""
MOST_VAIN = 2
"""After the figure has been at the door in vain so often, there must be more keys."""
FEW, OFF = 3, 0.25
"""After ``FEW`` consecutive failed legs a figure that stands in the air is made to walk, for ``OFF`` seconds."""
MOST_IN_A_ROW = 15
"""After so many consecutive failed legs, without a key taken or a side crossed, the level is given up."""


class Executor(Flyer):
    """Plays one level whose rooms are known."""

    def __init__(
        self,
        watch: Watch,
        reach: Reach,
        *,
        limit: float = 300.0,
        until: float | None = None,
        sure: bool = True,
        slides_by: SlidesBy = "tile",
        another: Callable[[], bool] = lambda: False,
        deaf: Callable[[], bool] = lambda: False,
        here: Callable[[], bool] = lambda: False,
        tell: Callable[[str], object] = lambda _: None,
        one_view: bool = False,
        failed: Mapping[Grounds, int] | None = None,
        inertia: Inertia = NONE,
    ) -> None:
        """Parameters:

        - ``limit``: seconds until the level is given up, of which some may have passed: it ends at ``until``, or, if
          that is None, so many seconds from now
        - ``sure``: whether the figure's jump was measured
        - ``slides_by``: the possible ways to move a tile
        - ``another``: whether the window shows another level by now
        - ``deaf``: whether it no longer responds to any key of this level
        - ``here``: whether it still shows this level, and the figure can be moved in it
        - ``tell``: receives sentences about what is done
        - ``one_view``: whether tiles are moved in the view in which the figure walks
        - ``failed``: how often flights failed between two grounds when the level was played before
        """
        common: dict[str, Any] = {"limit": limit, "until": until, "slides_by": slides_by, "tell": tell}
        super().__init__(watch, reach, one_view=one_view, inertia=inertia, **common)
        self.sure, self._another, self._deaf, self._here = sure, another, deaf, here
        self._odd: list[Arc] = []
        """The last jumps, if they differed from the prediction."""
        self._flights: list[Told] = []
        """The evidence of the last flights about the inertia in the air."""
        self._strides: list[Stride] = []
        """The speeds of the figure in periods in which keys were held long enough to measure it."""
        self._failed: Counter[tuple[int, int]] = Counter()
        """How often the flights of links failed, by their places."""
        self._stops: list[tuple[int, int, State]] = []
        """Where walks ended before their ends: the tile that was ahead, the way (-1 left, 1 right), the figure."""
        self._before = Counter(failed or {})
        self._last_entered: tuple[tuple[int, int], ...] = ()
        """The link of the previous flight that was frozen as planned: perhaps at a dead end."""
        self._entered: tuple[tuple[int, int], ...] = ()
        """The link of the flight that was just frozen as planned."""
        self._hears_nothing = False
        """Whether the window was found to hear no key any more, with the figure at the door."""
        self._on_last_leg = False
        """Whether the last attempt was the end of a plan, which is at the door."""
        self._deaths = 0
        """How often the figure had been lost when it last stood in this level."""

    def play(self) -> None:
        """Play until the board is gone, or the figure was at the door with all keys. Raises LostError."""
        try:
            self._play()
            self.watch.losses = self._deaths  # what is seen after the win is no death
            self.watch.hold()
            if not self._hears_nothing and self._here():
                raise UnseenError("the level seemed to be over, and is not")
        finally:
            self.watch.hold()

    def _play(self) -> None:
        failures = unseen = vain = 0
        best: tuple[int, int] | None = None
        while True:
            state = self.settle()
            if state is None:
                if (self._gone and self._all_taken) or self._over():
                    return
                unseen += 1
                if unseen == MOST_UNSEEN and (self._all_taken or self._on_last_leg) and self._deaf():
                    return  # what came over the level hears none of its keys
                if unseen == MOST_UNSEEN:
                    raise UnseenError("the figure is not seen any more")
                continue
            unseen = 0
            self._deaths = self.watch.losses
            world, plan = self.plan(state)
            if plan.status != "solved":
                if self._thawed(state):
                    failures += 1
                    if failures < MOST_IN_A_ROW:
                        continue
                if self._over():
                    return  # it was over before all of it was seen to be done
                raise LostError(self._hopeless(world, plan), True)  # measuring may have led it there
            standing = (len(self.taken), -plan.cost)
            if best is not None and standing <= best:
                self._failed.update(self._entered)  # it was frozen where no better way leads on
            entered, self._entered = self._entered, ()
            if best is None or standing > best:
                best, failures = standing, 0
            elif failures >= MOST_IN_A_ROW:
                self._failed.update(dict.fromkeys(self._last_entered, WHOLLY))
                raise LostError(
                    f"{failures} times in a row what was tried came to nothing; the last was {self._last_told}",
                    True,
                )
            legs = self.legs.of(world, plan.doings)
            if failures >= FEW and not self._sliding and legs and isinstance(legs[0], Fly) and legs[0].x is None:
                # It stands where no ground was seen, perhaps on something that moves, and does not fly on.
                self._tap("right" if failures % 2 else "left", OFF)
                failures += 1
                continue
            reach = self.reach
            done = self._follow(legs)
            if not done and legs and isinstance(legs[0], Slides) and not self._sliding and self.reach is reach:
                self._failed.update(entered)  # no tile was moved while the figure was frozen there
            if (done or self._reached) and self._finished():
                return
            if (not legs or self._was_at_door) and self._into_the_door() and self._finished():
                return  # some windows want more of the figure in the door than its rim
            tried = done or self._was_at_door or (failures >= 2 and not self._sliding)
            if self._all_taken and tried:
                if self._over():
                    return
                vain += self._was_at_door
                if vain == MOST_VAIN:
                    raise UnfinishedError("the figure was at the door with all keys, and the level is not over", True)
            failures += 1

    def _thawed(self, state: State) -> bool:
        """Let a figure go on that was frozen where no way leads on; False if it was not frozen in the air."""
        if not self._sliding or state.grounded:
            return False
        self.view("walking")
        self._save()
        return True

    def _follow(self, legs: list[Leg]) -> bool:
        """Whether all legs were completed."""
        for leg in legs:
            self._on_last_leg = leg is legs[-1]
            self._last_told = told(leg)
            self.tell(self._last_told)
            self.tally.log.append(self._last_told)
            began = self.watch.window.now()
            match leg:
                case Slides(slides):
                    done = self.slide(slides)
                case Walk():
                    done = self.walk(leg)
                case Fly():
                    done = self.fly(leg)
            self._notice()
            if self._reached:
                return True
            if (isinstance(leg, Fly) and self._learn(leg.jump)) or self._learn_walk(began):
                return False  # the physics were not quite as they were thought to be: plan anew
            if not done:
                self.tell(f"{self._last_told}: missed")
                if isinstance(leg, Fly):
                    self._failed.update(leg.links[:1])
                elif isinstance(leg, Walk):
                    self._stopped(leg)
                return False
            if isinstance(leg, Fly) and leg.end == "enter":
                self._entered = self._last_entered = leg.links[:1]
                return False  # frozen: another plan is made from there
        return True

    def _stopped(self, leg: Walk) -> None:
        """Note where a walk has ended before its end. Where another one that way ended at the same spot, the rooms have
        a wall there from now on: what is ahead was taken for air, and stops every walk alike."""
        state, rooms = self.settle(), self.reach.rooms
        way = leg.way or (0 if state is None else int(np.sign(leg.x - state.x)))
        if state is None or not state.grounded or _same_spot(state, State(leg.tiles[-1], leg.x, leg.row), rooms.pitch):
            return
        tile, front, width = state.tile, state.x + way * (rooms.physics.width / 2 + 1), rooms.solid.shape[2]
        if not 0 <= front < width:
            tile, front = int(self.course.beyond[tile, RIGHT if way > 0 else LEFT]), front % width
        again = any((tile, way) == stop[:2] and _same_spot(state, stop[2], rooms.pitch) for stop in self._stops)
        self._stops.append((tile, way, state))
        if again and tile != BLANK:
            solid = rooms.solid.copy()
            solid[tile, max(round(state.y - rooms.physics.height), 0) : round(state.y), int(front)] = True
            self.tell(f"a wall that is not seen is {'right' if way > 0 else 'left'} of {words_of(state)}")
            self._live_in(replace(rooms, solid=solid))

    def hopeful(self) -> bool:
        """Whether there is a plan from where the figure stands now."""
        state = self.settle()
        return state is not None and self.plan(state)[1].status == "solved"

    def unreached(self) -> tuple[int, ...]:
        """The numbers of the keys that cannot be reached from where the figure stands now, wherever the tiles lie."""
        state = self.settle()
        left = [key for key in range(len(self.reach.rooms.keys)) if key not in self.taken]
        return () if state is None else tuple(left[n] for n in reasons.barred_keys(self.plan(state)[0]))

    @property
    def log(self) -> list[str]:
        """What was done, leg by leg, in words."""
        return self.tally.log

    def failed(self) -> Counter[Grounds]:
        """How often flights failed in this level, by the grounds that they led between."""
        found = Counter(self._before)
        for (a, b), times in self._failed.items():
            found[self.legs.ground_of(a), self.legs.ground_of(b)] += times
        return found

    def learned(self, found: Measured) -> Measured:
        """``found``, updated by what was learned about the figure."""
        physics = self.reach.rooms.physics
        lengths = {name: getattr(physics, name) for name in ("walk", "jump", "gravity", "fall")}
        error = 0.0 if self.sure else found.jump_error
        return replace(found, **lengths, inertia=self.inertia, jump_error=error)

    def _learn(self, jump: bool) -> bool:
        """Compare the last flight with the prediction, and learn; True if the figure jumps or falls differently."""
        launch, physics = self.watch.launch, self.reach.rooms.physics
        if launch is None:
            return False
        flight = [each for each in self.watch.samples if each.time >= launch.time]
        self.watch.launch = None
        if len(flight) < FEWEST or flight[0] != launch:
            return False
        gathers = self._learn_air(flight)
        top = min(flight, key=lambda each: each.down)
        found = physics
        near = np.array([top.tile]), np.array([top.x]), np.array([top.y - BUMP])
        if jump and not self.course.blocked(*near)[0]:
            arc = fit_jump([Seen(each.time, each.along, each.down) for each in flight])
            if arc is not None and arc.rough <= max(0.03 * arc.height, 1.0) and 0.4 < arc.height / physics.jump < 2.5:
                higher, heavier = arc.height / physics.jump, arc.gravity / physics.gravity
                others = not (abs(higher - 1) < 0.08 and abs(heavier - 1) < 0.12)
                self._odd = [*self._odd, arc] if others else []
                if others and (not self.sure or len(self._odd) >= 2):
                    arcs, self._odd, self.sure = self._odd, [], True
                    height = statistics.median(each.height for each in arcs)
                    found = replace(found, jump=height, gravity=statistics.median(each.gravity for each in arcs))
        limit = _greatest_fall(flight[flight.index(top) :], found.gravity)
        if limit is not None and limit > 0.6 * found.jump_speed and abs(limit / found.fall - 1) > 0.08:
            found = replace(found, fall=limit)
        if found == physics:
            return gathers
        self._believe(found)
        self.tell(
            f"the figure jumps {found.jump:.0f} px high, is drawn down by {found.gravity:.0f} px/s², and falls "
            f"{found.fall:.0f} px/s at most"
        )
        return True

    def _learn_air(self, flight: Sequence[Sample]) -> bool:
        """Compare a flight with the prediction of the inertia in the air, and learn; True if it differs."""
        watch, first = self.watch, flight[0]
        state = State(first.tile, first.x, first.y, going=watch.launch_going)
        at = max(first.time, flight[1].time - LONGEST_FRAME - watch.lag)
        seen = []
        for each in flight[1:]:
            seen.append((watch.pieces(at - watch.lag, each.time - watch.lag), each.along, each.down))
            at = each.time
        self._flights.append(self.course.tell(state, seen))
        found = learned_in_air(self._flights, self.inertia, self.course.physics.walk)
        if found is None:
            return False
        self._flights, self.inertia = [], found
        self.tell(f"in the air the figure has its speed in {found.air_start:g} s, and loses it in {found.air_stop:g} s")
        self.watch.hold()
        self._failed.clear()
        self._lay()
        return True

    def _learn_walk(self, began: float) -> bool:
        """Compare the figure's walking speed since ``began`` with the supposed one, and learn; True if it differs."""
        watch, physics = self.watch, self.reach.rooms.physics
        found = (stride(watch.samples, *held) for held in watch.stretches(began))
        self._strides = [*self._strides, *(each for each in found if each is not None)]
        walk = learned(self._strides, physics.walk)
        if walk is None:
            return False
        self._strides = []
        self.tell(f"the figure goes {walk:.0f} px/s, not {physics.walk:.0f}")
        self._believe(replace(physics, walk=walk))
        return True

    def _believe(self, physics: Physics) -> None:
        """Plan with these physics from now on."""
        self.watch.hold()
        self._live_in(replace(self.reach.rooms, physics=physics))

    def _live_in(self, rooms: Rooms) -> None:
        """Plan in these rooms from now on."""
        self.reach = Reach(rooms)
        self.legs = Legs(self.reach)
        self._failed.clear()
        self._entered = self._last_entered = ()  # their places are those of other rooms
        self._lay()

    def plan(self, state: State) -> tuple[World, Plan]:
        start = Start(state.tile, state.x, state.y, 0.0 if state.grounded else state.falling)
        if state.grounded:
            spot = self._spot(state)
            if spot is not None:
                start = spot
        board = self.reach.rooms.board
        board = type(board)(board.rows, board.columns, self._cells, board.slide)
        # What has failed before is left out, as long as there is another way.
        often = {link for link, times in self._failed.items() if times >= OFTEN}
        wholly = self._wholly()
        for left_out in dict.fromkeys(map(frozenset, (often | wholly, often, ()))):
            if not left_out and (often or wholly):
                self._failed.clear()
                self._before.clear()
            world = self.reach.world(start, board, self.taken, left_out)
            plan = solver.plan(world, PLAN_SECONDS)
            if plan.status == "solved":
                break
        return world, plan

    def _wholly(self) -> set[tuple[int, int]]:
        """The links between two grounds between which flights failed again and again, from any start."""
        out = {ends for ends, times in self.failed().items() if times >= WHOLLY and ends[0] != ends[1]}
        if not out:
            return set()
        return {(a, b) for a, b in self.reach.links if (self.legs.ground_of(a), self.legs.ground_of(b)) in out}

    def _spot(self, state: State) -> Start | None:
        """The spot that the figure stands at, or nearest to; None where it is at none."""
        pitch = self.reach.rooms.pitch
        near = [
            (abs(state.x - (column + 0.5) * pitch), row, column)
            for tile, row, column in self.reach.spots
            if tile == state.tile and abs(row - state.y) <= 5 and abs(state.x - (column + 0.5) * pitch) <= pitch
        ]
        if not near:
            return None
        _, row, column = min(near)
        return Start(state.tile, (column + 0.5) * pitch, float(row))

    def _hopeless(self, world: World, plan: Plan) -> str:
        if plan.status == "timeout":
            return f"no plan was found in {PLAN_SECONDS:g} seconds"
        faults = reasons.faults(world)
        return faults[0] if faults else "no plan leads from where the figure is to the door"

    @property
    def at_end(self) -> bool:
        """Whether the last thing that was tried was to go to the door, with all keys."""
        return self._all_taken and self._on_last_leg

    @property
    def _was_at_door(self) -> bool:
        """Whether the figure was at the door, with all keys, when it was last seen."""
        return self._at_door is not None

    def _over(self) -> bool:
        """Whether the level is over though its board, or a similar one, is still shown: the figure was at the door and
        no key has any effect (the window may wait for a key to continue), or it is another level."""
        self._hears_nothing = self._was_at_door and self._deaf()
        return self._hears_nothing or self._another()

    def _finished(self) -> bool:
        """Whether the level is over, now that the plan is: the board disappears, or none of it is left to be done."""
        self.watch.hold()
        reached, self._reached = self._reached, None
        end = self.watch.window.now() + WIN_LIMIT
        gone = None
        while self.watch.window.now() < end:
            seen = self._look()
            away = absent(seen)
            if reached is not None and not away:  # another level may look like a board of this one
                far = max(abs(seen.x - reached.x), abs(seen.y - reached.y))
                away = seen.tile != reached.tile or far > 2 * self.reach.rooms.physics.height
            if not away:
                gone = None
                continue
            gone = gone or self.watch.at
            if self.watch.at - gone > GONE:
                return True
        return False


def _same_spot(one: State, other: State, pitch: float) -> bool:
    """Whether two places are nearer to one spot than to the next: spots are a pitch apart."""
    return one.tile == other.tile and max(abs(one.x - other.x), abs(one.y - other.y)) <= pitch / 2


def _greatest_fall(flight: Sequence[Sample], gravity: float) -> float | None:
    """The speed at which a figure stopped accelerating, in its fall from its highest point; None if it did not reach
    that."""
    low = max(each.down for each in flight)
    flight = [each for each in flight if each.down < low - BUMP]  # on the ground it does not fall
    if len(flight) < 4:
        return None
    end = flight[-1]
    last = [each for each in flight if end.time - each.time <= EVEN]
    drop = last[0].down - flight[0].down if last else 0.0
    if len(last) < 3 or last[-1].time - last[0].time < EVEN / 2:
        return None
    speed = float(np.polyfit([each.time for each in last], [each.down for each in last], 1)[0])
    free = math.sqrt(2 * gravity * max(drop, 0.0))
    even = max(abs(each.down - last[0].down - speed * (each.time - last[0].time)) for each in last)
    return speed if drop > 0 and even < BUMP and free > 1.15 * speed else None


def told(leg: Leg) -> str:
    """A leg in words; tiles by their numbers from 1."""
    match leg:
        case Slides(slides):
            return "sliding " + ", ".join(f"tile {tile + 1} {DIRECTIONS[side]}" for tile, side in slides)
        case Walk(tiles, _, _, way):
            over = f" into tile {tiles[-1] + 1}" if len(tiles) > 1 else f" in tile {tiles[0] + 1}"
            return f"walking {'left' if way < 0 else 'right'}{over}"
        case Fly():
            do = "jumping" if leg.jump else "stepping off" if leg.x is not None else "flying on"
            end = {"land": "to land in", "enter": "to be frozen in", "touch": "to touch what is in"}[leg.end]
            return f"{do} from tile {leg.tile + 1} {end} tile {leg.into + 1}"
