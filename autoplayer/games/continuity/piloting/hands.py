"""The hands of a pilot: slides, walks and flights carried out one at a time with eyes open, keys held as the figure is
seen to move."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from autoplayer.core.frame import Point
from autoplayer.core.gestures import Click, Drag, Keys, Pace
from autoplayer.games.continuity.piloting import aiming
from autoplayer.games.continuity.piloting.course import Course, State
from autoplayer.games.continuity.piloting.legs import Fly, Legs, Walk
from autoplayer.games.continuity.piloting.watching import LONGEST_FRAME, MOVED, Watch
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.seeing.sight import Sighting
from autoplayer.games.continuity.solver import Slide
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, OPPOSITE

PAUSE = 0.012
"""Seconds between two looks, beside what looking takes."""
SETTLED = 0.12
"""Seconds for which nothing may move, beside the lag, until the figure is at rest."""
SETTLE_LIMIT = 8.0
"""Seconds in which the figure comes to rest, or is back after it was lost."""
VIEW_LIMIT = 2.5
"""Seconds in which the other view comes."""
MOST_TRIES = 4
"""How often a key that brought nothing is pressed again."""
SLIDE_LIMIT, FIRST_SLIDE_LIMIT = 3.0, 1.5
FLIGHT_LIMIT = 8.0
WALK_LIMIT, STUCK = 12.0, 1.5
"""Seconds for a slide to be seen (the first one: it may be the wrong key), a flight, a walk; and of a walk that does
not come on."""
SlidesBy = Literal["tile", "empty", "click", "drag", "wasd", "wasd-empty"]
SLIDE_WAYS: tuple[SlidesBy, ...] = ("tile", "empty", "click", "wasd", "wasd-empty", "drag")
"""What moves a tile: an arrow the way that the tile goes, an arrow the way that the empty place goes, a click on it,
letters in place of the arrows, drawing it to the empty place."""
IN_ONE_VIEW: tuple[SlidesBy, ...] = ("click", "drag")
"""The same where the figure walks and tiles are moved in one and the same view: keys that walk are no keys that move
tiles."""
OTHERWISE: dict[SlidesBy, SlidesBy] = {
    "tile": "empty", "empty": "tile", "wasd": "wasd-empty", "wasd-empty": "wasd", "click": "tile", "drag": "tile"
}  # fmt: skip
"""What is meant where another tile moved than should."""
LETTERS = {"left": "a", "right": "d", "up": "w", "down": "s"}
DRAG_STEPS = 8
"""Stretches of a drag: windows that look at the pointer once a frame do not see a leap."""
MOST_STUCK = 6
"""Taps in a row, of which nothing comes, until a walk is given up."""
TAPPED = 0.08
"""Seconds that a key is held which is to be pressed once: longer than most windows' frames."""
ANOTHER = 1.0
"""Seconds without a figure after which a walk or a flight is over."""
LET_GO = 0.25
"""Seconds without a figure, beside the lag, after which a flight is steered no more: a figure that was lost may stand
at its start again, and would run on from there."""
BESIDE_DOOR = 0.75
"""Of the figure's width: so near is at the door, if the level ends then."""
WIN_LIMIT = 2.5
"""Seconds in which a level is seen to be over."""
AWAY = 2.5
"""Seconds without a figure after which, with all keys taken, the level is over."""
UNSEEN, NUDGE = 1.5, 0.12
"""Seconds without a figure until a key is held, and for how long, so that it shows itself."""
RESTED = 0.4
"""Seconds for which a figure does not hang still in the air: it has landed on something."""
SHORTEST_TAP = 0.01
GONE = 0.6
"""Seconds for which the board is not there until it is believed."""
COAST_WEIGHT = 0.5
"""Of how far the figure went on after the last walk, and after those before, the share of the last one."""
TOO_NEAR = 0.6
"""Of how far the shortest tap leads: what is nearer is gone to from farther off."""
KEPT_TAPS = 12
NEAR_ENOUGH = 0.3
"""Of the pitch: so near to a spot is at it."""

NOWHERE = Fly(0, 0, None, False, 0.0, "land", 0, (), frozenset(), 0.0)
PACE = Pace(TAPPED, 0.02, 0.02)


class LostError(Exception):
    """The level cannot be played on; the message is a sentence for the person. ``anew``: it might be won if it were
    begun anew."""

    def __init__(self, message: str, anew: bool = False) -> None:
        super().__init__(message)
        self.anew = anew


class UnseenError(LostError):
    """What the window shows is not recognised, or does not do as it is told: it may be looked at from the beginning."""


class UnfinishedError(LostError):
    """The figure was at the door with all keys that are known, and the level is not over."""


@dataclass
class Tally:
    """What happened in a level."""

    plans: int = 0
    slides: int = 0
    flights: int = 0
    missed: int = 0
    log: list[str] = field(default_factory=list)


class Hands:
    """Carries out the legs of a way through a level whose rooms are known. ``tell`` hears in sentences what is done."""

    def __init__(
        self,
        watch: Watch,
        reach: Reach,
        *,
        limit: float,
        slides_by: SlidesBy,
        tell: Callable[[str], object],
        one_view: bool = False,
    ) -> None:
        """``limit``: seconds until the level is given up; ``slides_by``: what may move a tile; ``one_view``: whether
        tiles are moved in the view in which the figure walks."""
        self.watch, self.reach, self.tell = watch, reach, tell
        self.legs = Legs(reach)
        self.tally = Tally()
        self.taken: frozenset[int] = frozenset()
        self._one_view = one_view
        self._ways = self._slide_ways() if one_view else SLIDE_WAYS
        self.slides_by = slides_by if slides_by in self._ways else self._ways[0]
        self._until = watch.window.now() + limit
        self._limit = limit
        self._last_told = "nothing"
        self._at_door: tuple[float, Sighting] | None = None
        """When the figure was last seen at the door with all keys, and how; None where it was elsewhere since."""
        self._reached: Sighting | None = None
        """The figure at the open door."""
        self._there = 0.0
        """When the figure was last seen on a board at rest."""
        self._airborne: State | None = None
        """The figure, where it was frozen in the air."""
        self._rising = False
        """Whether the figure has jumped and not come to its highest place yet: till then the jump key is held, for in
        many windows letting go of it cuts the jump short."""
        self._taps: deque[tuple[float, float]] = deque(maxlen=KEPT_TAPS)
        """The last taps from rest to rest: for how many seconds a key was held, and how many pixels the figure went."""
        self._coasts = 0.0
        """Pixels that the figure goes on after a walk, beyond where it was foreseen: it may glide."""
        self._cells = reach.rooms.board.cells
        self._lay()

    def _slide_ways(self) -> tuple[SlidesBy, ...]:
        """What may move a tile where the walking keys must not."""
        letters = self.watch.controls.left == LETTERS["left"]
        keys: tuple[SlidesBy, ...] = ("tile", "empty") if letters else ("wasd", "wasd-empty")
        return (*IN_ONE_VIEW, *keys)

    # What is seen

    def _lay(self) -> None:
        """The tiles lie as they do now."""
        self.course = Course(self.reach.rooms, self._cells, self.reach.match)
        self.watch.course = self.course
        self.watch.samples.clear()

    def _notice(self) -> None:
        seen = self.watch.seen
        if seen is None:
            return
        things = frozenset(seen.gone)
        if things - self.taken:
            self.taken |= things
        if seen.view == self._slides_in and seen.cells is not None and seen.cells != self._cells:
            self._cells = seen.cells
            self._lay()

    @property
    def _gone(self) -> bool:
        """Whether no board is seen."""
        return self.watch.seen is not None and self.watch.seen.view == "gone"

    @property
    def _slides_in(self) -> str:
        """The view in which tiles are moved."""
        return "walking" if self._one_view else "sliding"

    @property
    def _sliding(self) -> bool:
        return self.watch.seen is not None and self.watch.seen.view == "sliding"

    @property
    def _all_taken(self) -> bool:
        return len(self.taken) == len(self.reach.rooms.keys)

    def _check_time(self) -> None:
        if self.watch.window.now() > self._until:
            left = len(self.reach.rooms.keys) - len(self.taken)
            keys = f"{left} of {len(self.reach.rooms.keys)} keys were not taken" if left else "all keys were taken"
            raise LostError(
                f"the level was not won in {self._limit:g} seconds: {keys}; the last that was tried was "
                f"{self._last_told}"
            )

    def _look(self, pause: float = PAUSE) -> Sighting:
        self._check_time()
        seen = self.watch.look(pause)
        if not absent(seen):
            self._there = self.watch.at
            if seen.view == "walking" and self._all_taken:
                self._at_door = (self.watch.at, seen) if self._beside_door(seen) else None
        elif self._reached is None and self._at_door is not None and self.watch.at - self._at_door[0] < WIN_LIMIT:
            self._reached = self._at_door[1]  # where a level ends the door may take more room than it shows
        return seen

    def _touch(self, seen: Sighting) -> None:
        """Note the keys that are gone, and whether the figure is at the open door."""
        self.taken |= frozenset(seen.gone)
        if seen.view == "walking" and seen.tile is not None and self._all_taken:
            place = np.array([seen.tile]), np.array([seen.x]), np.array([seen.y])
            if self.course.touches(*place)[0, -1]:
                self._reached = seen

    def _beside_door(self, seen: Sighting) -> bool:
        """Whether the figure is at the door, or so near that the window may think so."""
        door, physics = self.reach.rooms.door, self.reach.rooms.physics
        across = abs(seen.x - door.x - door.width / 2) - (physics.width + door.width) / 2
        upright = abs(seen.y - physics.height / 2 - door.y - door.height / 2) - (physics.height + door.height) / 2
        return seen.tile == door.tile and across <= BESIDE_DOOR * physics.width and upright <= 0

    def _away(self) -> float:
        """For how many seconds no figure is seen on a board that rests."""
        return self.watch.at - self._there

    # Resting

    def settle(self) -> State | None:
        """Wait until the figure rests, or is frozen. None where it is not seen, or no board is. Raises LostError."""
        self._rising = False
        self.watch.hold()
        end = self.watch.window.now() + SETTLE_LIMIT
        gone = None
        nudges = 0
        while True:
            seen = self._look()
            now = self.watch.at
            if absent(seen):
                gone = gone or now
                if now - gone > (GONE if seen.view == "gone" else AWAY) and (seen.view != "walking" or self._all_taken):
                    return None
                if seen.view == "walking" and not self._all_taken and now - gone > UNSEEN * (nudges + 1):
                    # What does not differ from what is behind it shows when it moves.
                    self.watch.tap("right" if nudges % 2 else "left", NUDGE)
                    nudges += 1
            else:
                gone = None
            calm = self.watch.rested > SETTLED + self.watch.lag
            if seen.view in ("walking", "sliding") and seen.tile is not None and calm:
                self._notice()
                return self._rest(seen)
            if now > end:
                if absent(seen):
                    return None
                self._notice()
                return self._rest(seen)

    def _rest(self, seen: Sighting) -> State:
        assert seen.tile is not None
        state = State(seen.tile, seen.x, seen.y)
        if seen.view == "sliding" and self._airborne is not None and self._airborne.tile == seen.tile:
            return state._replace(falling=self._airborne.falling, grounded=False)
        if self.course.stands(self.course.freed(state), 3.0):
            return self.course.freed(state)
        return state._replace(grounded=seen.view == "walking")

    # Views and slides

    def view(self, wanted: str, *held: str) -> bool:
        """Change to the other view where it is not the one; False where it does not come. ``held``: what is to be held
        from then on."""
        if self._one_view:
            self._rising = False
            self.watch.hold(*held)
            return True
        for _ in range(MOST_TRIES):
            seen = self._look()
            end = self.watch.window.now() + VIEW_LIMIT
            while seen.view not in ("walking", "sliding") and self.watch.window.now() < end:
                seen = self._look()
            if seen.view == wanted:
                return self._has(wanted)
            self.watch.changes_view(wanted, *(("up",) if self._rising else ()))
            self._look(TAPPED)
            self._rising = False
            self.watch.hold(*held)
            end = self.watch.window.now() + VIEW_LIMIT
            while self.watch.window.now() < end:
                seen = self._look()
                if seen.view == wanted:
                    return self._has(wanted)
        return False

    def _has(self, wanted: str) -> bool:
        if wanted == "walking":
            self._airborne = None
        return True

    def slide(self, slides: tuple[Slide, ...]) -> bool:
        """Move the tiles; each is looked for before the next."""
        if not self.view("sliding"):
            raise UnseenError(f"the sliding view does not come when {self.watch.controls.view} is pressed")
        for tile, side in slides:
            wanted = moved(self._cells, self.course.rooms.board.columns, tile)
            if not self._slid(tile, side, wanted):
                return False
            self._cells = wanted
            self._lay()
            self.tally.slides += 1
        return True

    def _slid(self, tile: int, side: int, wanted: tuple[int, ...]) -> bool:
        for tried in range(2 * len(self._ways)):
            before = self._cells
            self._move(tile, side)
            end = self.watch.window.now() + (SLIDE_LIMIT if self.tally.slides else FIRST_SLIDE_LIMIT)
            while self.watch.window.now() < end:
                seen = self._look()
                if seen.view == self._slides_in and seen.cells == wanted:
                    return True
                others = seen.view == self._slides_in and seen.cells is not None and seen.cells != before
                if others and seen.cells is not None and self.watch.rested > SETTLED:
                    if not self.tally.slides:  # where no tile has moved as it should, arrows may mean the empty place
                        self.slides_by = OTHERWISE[self.slides_by]
                    self._cells = seen.cells
                    self._lay()
                    return False
            if seen.view == "walking" and not self.view("sliding"):
                return False
            if tried % 2 and not self.tally.slides:  # where nothing moves it may be done in another way
                at = self._ways.index(self.slides_by) + 1
                self.slides_by = self._ways[at % len(self._ways)]
        raise UnseenError(f"no tile moved when tile {tile + 1} was to move {DIRECTIONS[side]}")

    def _move(self, tile: int, side: int) -> None:
        """Do what may move a tile towards a side."""
        if self.slides_by in ("click", "drag"):
            place, empty = self.watch.eyes.where(tile), self.watch.eyes.where(BLANK)
            if place is not None and self.slides_by == "click":
                self.watch.window.perform((Click(place.centre),), PACE)
            elif place is not None and empty is not None:
                self.watch.window.perform((Drag(_path(place.centre, empty.centre)),), PACE)
            return
        key = DIRECTIONS[side if self.slides_by in ("tile", "wasd") else OPPOSITE[side]]
        self.watch.window.perform((Keys((LETTERS[key] if self.slides_by.startswith("wasd") else key,)),), PACE)

    # Walking

    def walk(self, leg: Walk) -> bool:
        """Go to a spot on foot."""
        if not self.view("walking"):
            raise UnseenError(f"the walking view does not come back when {self.watch.controls.view} is pressed")
        near = NEAR_ENOUGH * self.reach.rooms.pitch
        keys = frozenset(thing for thing in leg.things if thing < len(self.reach.rooms.keys))
        if leg.way == 0 and keys <= self.taken and not leg.things - keys:
            return True
        if not self._go(leg.tiles, leg.x, near, leg.row):
            return False
        for _ in range(2):
            end = self.watch.window.now() + self.watch.lag + 3 * LONGEST_FRAME
            while not keys <= self.taken and self.watch.window.now() < end:
                self._touch(self._look())
            if keys <= self.taken or not self._go(leg.tiles, leg.x, near / 3, leg.row):
                break
        return keys <= self.taken

    def _go(self, tiles: tuple[int, ...], x: float, near: float, row: float) -> bool:
        """Walk until the figure stands within ``near`` pixels of ``x`` in the last of ``tiles``."""
        watch, walk = self.watch, self.course.physics.walk
        columns = self.course.rooms.board.columns
        end = watch.window.now() + WALK_LIMIT
        place = {tile: self._cells.index(tile) % columns for tile in tiles}
        tries = stuck = 0
        began = watch.window.now()
        while watch.window.now() < end:
            seen = self._look()
            self._touch(seen)
            state = watch.foreseen()
            began = began if watch.holding else watch.at
            if self._away() > ANOTHER or self._reached or min(watch.rested, watch.at - began) > STUCK:
                break
            if state is None or absent(seen):
                watch.hold()
                continue
            if state.tile not in place or (state.grounded and abs(state.y - row) > 6):
                watch.hold()
                self.tell(f"on foot it came to {_at(state)}")
                self.settle()
                return False
            far = x + place[tiles[-1]] * self.course.width - state.x - place[state.tile] * self.course.width
            way = "right" if far > 0 else "left"
            seconds = abs(far) / walk
            if abs(far) <= near:
                rest = self._stop(state)
                if rest is None or rest.tile not in place or abs(rest.y - row) > 6:
                    self.tell(f"on foot it came to {_at(rest)}")
                    return False
                far = x + place[tiles[-1]] * self.course.width - rest.x - place[rest.tile] * self.course.width
                if abs(far) <= near or tries >= 6:
                    if abs(far) > 3 * near:
                        self.tell(f"it does not come nearer than {abs(far):.0f} px to where it should stand")
                    return bool(abs(far) <= 3 * near)
                tries += 1
                self._step(rest, far)
            elif seconds > max(LONGEST_FRAME, self._coasts / walk):
                watch.hold(way)
            elif watch.holding:
                self._stop(state)
            elif stuck == MOST_STUCK:
                break  # something is in the way that was not seen
            else:
                self._step(state, far)
                now = watch.last()
                stuck = stuck + 1 if now is not None and abs(now.x - state.x) < MOVED else 0
        watch.hold()
        return False

    def _stop(self, state: State) -> State | None:
        """Let go where the figure is foreseen to be in ``state``, and see where it comes to rest."""
        way = self.watch.way
        self.watch.hold()
        rest = self.settle()
        if rest is not None and way and abs(rest.y - state.y) <= 6:
            on = min(max((self._along(rest) - self._along(state)) * way, 0.0), self.course.width / 4)
            self._coasts += COAST_WEIGHT * (on - self._coasts)
        return rest

    def _along(self, state: State) -> float:
        """How far to the right on the board, pixels."""
        column = self._cells.index(state.tile) % self.course.rooms.board.columns
        return state.x + float(column * self.course.width)

    def _step(self, state: State, far: float) -> None:
        """Tap a walking key so that a figure at rest goes ``far`` pixels: as long as the taps before tell, for it may
        start slowly, or glide."""
        seconds, way = SHORTEST_TAP, math.copysign(1.0, far)
        shortest = min((moved for held, moved in self._taps if held <= SHORTEST_TAP), default=0.0)
        if abs(far) < TOO_NEAR * shortest:
            way = -way
        elif self._taps:
            held, moved = min(self._taps, key=lambda tap: abs(tap[1] - abs(far)))
            seconds = max(held + (abs(far) - moved) / self.course.physics.walk, SHORTEST_TAP)
        else:
            seconds = max(abs(far) / self.course.physics.walk, SHORTEST_TAP)
        self._tap("right" if way > 0 else "left", seconds)
        now = self.watch.last()
        if now is not None and abs(now.y - state.y) <= 6:
            moved = (self._along(now) - self._along(state)) * way
            if moved >= MOVED:
                self._taps.append((seconds, moved))

    def _tap(self, way: str, seconds: float) -> None:
        """Hold a key for a moment, and wait for what comes of it."""
        self.watch.tap(way, max(seconds, SHORTEST_TAP))
        self.settle()

    def _into_the_door(self, state: State) -> bool:
        """Go to the middle of the door, where the figure stands at its rim."""
        door = self.reach.rooms.door
        near = NEAR_ENOUGH * self.reach.rooms.pitch
        return self.view("walking") and self._go((door.tile,), door.x + door.width / 2, near, state.y)

    # Flying

    @property
    def _late(self) -> float:
        """Seconds after a landing until the hand can let go."""
        return self.watch.lag + LONGEST_FRAME / 2

    def fly(self, leg: Fly) -> bool:
        """Jump, or step off, or fly on, and steer until the leg's end."""
        self.tally.flights += 1
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
                self.tell(f"from {_at(state)} nothing leads there")
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
        """Stand where the leg is best begun; None where that is not reached."""
        assert leg.x is not None
        column = int(leg.x / self.reach.rooms.pitch)
        low, high = self.legs.ground(leg.tile, leg.row, column)
        there = State(leg.tile, leg.x, float(leg.row))
        aims = self._aiming(leg)
        starts = list(itertools.islice(aims.best_start(there, low, high), 3))
        if not starts:
            self.tell(f"from {_at(there)} that cannot be flown as the tiles lie")
        for place, room in starts:
            rest = self.settle()
            if rest is None or rest.tile != leg.tile or abs(rest.y - leg.row) > 6:
                self.tell(f"it is at {_at(rest)}, not at {_at(there)}")
                return None
            found = aims.aim(rest, leg.steer, jump=leg.jump)
            if found and found.room >= min(0.7 * room, aiming.ENOUGH):
                return rest
            if not self._go((leg.tile,), place, 0.15 * self.reach.rooms.pitch, leg.row):
                return None
            rest = self.settle()
            if rest is not None and aims.aim(rest, leg.steer, jump=leg.jump):
                return rest
            self.tell(f"from {_at(rest)} nothing leads there")
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
        """Steer a flight that has begun (``flying``), or a walk over an edge, up to its end."""
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
            elif (last.grounded and state.grounded and watch.at - began > watch.lag + LONGEST_FRAME) or (
                watch.rested > RESTED
            ):
                watch.hold()
                return self._landed(leg)
            if leg.end == "enter" and leg.into in (seen.tile, state.tile):
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

    def _landed(self, leg: Fly) -> bool:
        rest = self.settle()
        if rest is None:
            return leg.end == "touch"
        self._notice()
        keys = {thing for thing, _ in leg.things if thing < len(self.reach.rooms.keys)}
        if not keys <= self.taken:
            self.tell(f"it landed at {_at(rest)} without key {', '.join(str(key + 1) for key in keys - self.taken)}")
            self.tally.missed += 1
            return False
        if leg.end != "land":
            return leg.end == "touch"
        pitch = self.reach.rooms.pitch
        good = rest.tile == leg.into and abs(rest.y - leg.at) <= 6 and leg.low - pitch <= rest.x <= leg.high + pitch
        self.tally.missed += not good
        if not good:
            self.tell(f"it landed at {_at(rest)}, not between {leg.low:.0f} and {leg.high:.0f} at {leg.at:.0f}")
        return good

    def _freeze(self, state: State, into: int) -> bool:
        """Change to the sliding view in the air, in the tile ``into``. Whether it came with the figure where it was
        wanted, is seen after."""
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
        self._airborne = self._on_the_way(before, seen)
        self.watch.frozen(self._airborne)
        return True

    def _on_the_way(self, before: State, seen: Sighting) -> State:
        """The state in which the figure was frozen where it is seen: the nearest on its way since ``before``."""
        assert seen.tile is not None
        best, falling = float("inf"), before.falling
        state = before
        for way in (0, -1, 1):
            state = before
            for _ in range(round(0.5 / self.course.tick)):
                if state.tile == seen.tile and (d := abs(state.y - seen.y) + 0.1 * abs(state.x - seen.x)) < best:
                    best, falling = d, state.falling
                state = self.course.after(state, [(way, False, self.course.tick)])
        return State(seen.tile, seen.x, seen.y, falling, grounded=False)

    def _save(self) -> None:
        """In the air with nowhere to go: come down somewhere."""
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


def absent(seen: Sighting) -> bool:
    """Whether there is no figure on a board that rests."""
    return seen.view not in ("walking", "sliding") or seen.tile is None


def _at(state: State | None) -> str:
    """Where the figure is, in words."""
    return "nowhere" if state is None else f"{state.x:.0f}, {state.y:.0f} in tile {state.tile + 1}"


def watching_way(seconds: float) -> tuple[str, ...]:
    """The key that steers so."""
    return () if abs(seconds) <= aiming.GRAIN / 2 else ("right",) if seconds > 0 else ("left",)


def _path(start: Point, end: Point) -> tuple[Point, ...]:
    """The points of a drag, window pixels."""
    (x0, y0), (x1, y1) = start, end
    steps = range(DRAG_STEPS + 1)
    return tuple((x0 + (x1 - x0) * n // DRAG_STEPS, y0 + (y1 - y0) * n // DRAG_STEPS) for n in steps)


def moved(cells: tuple[int, ...], columns: int, tile: int) -> tuple[int, ...]:
    """The board after a tile beside the empty cell has moved into it."""
    found = list(cells)
    at, empty = found.index(tile), found.index(BLANK)
    found[at], found[empty] = BLANK, tile
    return tuple(found)
