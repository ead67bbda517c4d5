"""The hands of a pilot: they change the view, move tiles and wait until the figure rests, under visual feedback."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from autoplayer.core.frame import Point
from autoplayer.core.gestures import Click, Drag, Keys, Pace
from autoplayer.games.continuity.piloting.course import Course, State
from autoplayer.games.continuity.piloting.inertia import NONE, Inertia
from autoplayer.games.continuity.piloting.legs import Legs
from autoplayer.games.continuity.piloting.watching import Watch
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.seeing.sight import Sighting
from autoplayer.games.continuity.solver import Slide
from autoplayer.games.continuity.world import BLANK, DIRECTIONS, OPPOSITE

PAUSE = 0.012
"""Seconds between two looks, beside what looking takes."""
SETTLED = 0.12
"""Seconds without motion, in addition to the lag, after which the figure is at rest."""
SETTLE_LIMIT = 8.0
"""Seconds within which the figure comes to rest, or returns after it was lost."""
VIEW_LIMIT = 2.5
"""Seconds in which the other view comes."""
MOST_TRIES = 4
"""How often a key without effect is pressed again."""
SLIDE_LIMIT, FIRST_SLIDE_LIMIT, UNANSWERED = 3.0, 1.5, 0.8
"""The longest time for a slide to be seen, for the first one, which may be the wrong key, and for any to begin."""
SlidesBy = str
SLIDE_WAYS: tuple[SlidesBy, ...] = ("tile", "empty", "click", "wasd", "wasd-empty", "drag")
"""The ways to move a tile: an arrow in the direction of the tile, an arrow in the direction of the empty place, a click
on it, letters instead of the arrows, dragging it to the empty place."""
BEHIND = " behind "
"""Separates the way to move tiles from the key that is pressed before and after it, for keys without a visible
effect."""
HIDDEN = ("space", "enter", "tab", "shift", "m", "z", "e", "x", "c", "ctrl", "v", "q", "f")
"""Candidates for such a key, the most common first."""
STANDS = 2.5
"""The most pixels by which a standing figure seems to move."""
IN_ONE_VIEW: tuple[SlidesBy, ...] = ("click", "drag")
"""The ways if the figure walks and tiles are moved in the same view: walking keys move no tiles then."""
OTHERWISE = {
    "tile": "empty", "empty": "tile", "wasd": "wasd-empty", "wasd-empty": "wasd", "click": "tile", "drag": "tile"
}  # fmt: skip
"""The way that is meant if another tile moved than the intended one; the same behind a key."""
LETTERS = {"left": "a", "right": "d", "up": "w", "down": "s"}
DRAG_STEPS = 8
"""Steps of a drag: windows that sample the pointer once a frame do not notice a jump."""
TAPPED = 0.08
"""Seconds that a key is held for a single press: longer than most windows' frames."""
ANOTHER = 1.0
"""Seconds without a figure after which a walk or a flight is over."""
BESIDE_DOOR = 0.75
"""A figure closer than this share of its width is at the door, if the level ends then."""
WIN_LIMIT = 2.5
"""Seconds in which a level is seen to be over."""
AWAY = 2.5
"""Seconds without a figure after which, with all keys taken, the level is over."""
UNSEEN, NUDGE = 1.5, 0.12
"""Seconds without a figure until a key is held, and for how long, so that it shows itself."""
GONE = 0.6
"""Seconds for which the board has to be absent before that is believed."""
KEPT_TAPS = 12

PACE = Pace(TAPPED, 0.02, 0.02)


class LostError(Exception):
    """The level cannot be continued; the message is a sentence for the person. ``anew``: a restart might help."""

    def __init__(self, message: str, anew: bool = False) -> None:
        super().__init__(message)
        self.anew = anew


class UnseenError(LostError):
    """What the window shows is not recognised, or does not respond as expected: it may be looked at from the
    beginning."""


class StuckError(UnseenError):
    """No tile moved in any of the ways that were tried."""


class UnfinishedError(LostError):
    """The figure was at the door with all known keys, and the level is not over."""


@dataclass
class Tally:
    """What happened in a level."""

    slides: int = 0
    log: list[str] = field(default_factory=list)


class Hands:
    """The common base of walks and flights, in a level whose rooms are known. ``tell`` receives sentences about what is
    done."""

    def __init__(
        self,
        watch: Watch,
        reach: Reach,
        *,
        limit: float,
        until: float | None = None,
        slides_by: SlidesBy,
        tell: Callable[[str], object],
        one_view: bool = False,
        inertia: Inertia = NONE,
    ) -> None:
        """``limit``: seconds until the level is given up, which is at ``until``, or so long from now; ``slides_by``:
        the possible ways to move a tile; ``one_view``: whether tiles are moved in the view in which the figure
        walks."""
        self.inertia = inertia
        self.watch, self.reach, self.tell = watch, reach, tell
        self.legs = Legs(reach)
        self.tally = Tally()
        self.taken: frozenset[int] = frozenset()
        self._one_view = one_view
        self._ways = self._slide_ways() if one_view else SLIDE_WAYS
        self.slides_by = slides_by if slides_by in self._ways or BEHIND in slides_by else self._ways[0]
        self._behind = ""
        """The key that is to be pressed once a tile was moved."""
        self._sought = False
        """Whether a key was searched that changes the meaning of the others without a visible effect."""
        self._until = watch.window.now() + limit if until is None else until
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
        """Whether the figure has jumped and not reached its highest point yet: until then the jump key is held, because
        in many windows releasing it cuts the jump short."""
        self._taps: deque[tuple[float, float]] = deque(maxlen=KEPT_TAPS)
        """The last taps from rest to rest: for how many seconds a key was held, and how many pixels the figure
        moved."""
        self._coasts = reach.rooms.physics.walk * inertia.stop / 2
        """Pixels that the figure continues after a walk, beyond the prediction: it may glide."""
        self._cells = reach.rooms.board.cells
        self._lay()

    def _slide_ways(self) -> tuple[SlidesBy, ...]:
        """The possible ways to move a tile if the walking keys must not be used."""
        letters = self.watch.controls.left == LETTERS["left"]
        keys: tuple[SlidesBy, ...] = ("tile", "empty") if letters else ("wasd", "wasd-empty")
        return (*IN_ONE_VIEW, *keys)

    # What is seen

    def _lay(self) -> None:
        """The tiles lie in this arrangement now."""
        self.course = Course(self.reach.rooms, self._cells, self.reach.match, self.inertia)
        self.watch.course = self.course
        self.watch.samples.clear()

    def _notice(self) -> None:
        seen = self.watch.seen
        if seen is None:
            return
        self.taken = frozenset(seen.gone)
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
            return state._replace(falling=self._airborne.falling, going=self._airborne.going, grounded=False)
        if self.course.stands(self.course.freed(state), 3.0):
            return self.course.freed(state)
        return state._replace(grounded=seen.view == "walking")

    # Views and slides

    def view(self, wanted: str, *held: str) -> bool:
        """Change to the other view, if it is not shown; False if it does not appear. ``held``: what is to be held from
        then on."""
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
        """Move the tiles; each move is verified before the next."""
        if not self.view("sliding"):
            raise UnseenError(f"the sliding view does not come when {self.watch.controls.view} is pressed")
        for tile, side in slides:
            wanted = moved(self._cells, tile)
            if not self._slid(tile, side, wanted):
                return False
            self._cells = wanted
            self._lay()
            self.tally.slides += 1
        return True

    def _slid(self, tile: int, side: int, wanted: tuple[int, ...]) -> bool:
        tried = 0
        while tried < 2 * len(self._ways):
            moved_so = self._tried(tile, side, wanted)
            if moved_so is not None:
                return moved_so
            if self.watch.seen is not None and self.watch.seen.view == "walking" and not self.view("sliding"):
                return False
            if tried and self.tally.slides and self._airborne is not None:
                self.view("walking")  # a window may move no tile while the figure is in the air over its side
                return False
            tried += 1
            if tried == 2 * len(self._ways) and self._one_view and not self.tally.slides and not self._sought:
                self._ways += self._hidden_ways()
            if not self.tally.slides:  # where nothing moves it may be done in another way; a press may be lost, too
                at = self._ways.index(self.slides_by) + 1 if self.slides_by in self._ways else 0
                self.slides_by = self._ways[at % len(self._ways)]
        raise StuckError(f"no tile moved when tile {tile + 1} was to move {DIRECTIONS[side]}")

    def _hidden_ways(self) -> tuple[SlidesBy, ...]:
        """The ways to move a tile behind a key after which the figure no longer walks, though the key has no visible
        effect; none if there is no such key."""
        self._sought = True
        for key in HIDDEN:
            if key in self.watch.controls:
                continue
            self.watch.window.perform((Keys((key,)),), PACE)
            stood, cells = self._stood_still(), self._cells
            self.watch.window.perform((Keys((key,)),), PACE)
            if stood:
                self._cells = cells if self.watch.seen is None else self.watch.seen.cells or cells
                self._lay()
                return tuple(f"{way}{BEHIND}{key}" for way in ("tile", "empty", "wasd", "wasd-empty"))
        return ()

    def _stood_still(self) -> bool:
        """Whether the figure stays at its position in its tile when it is told to walk to and fro."""
        before = self.settle()
        for key in ("left", "right"):
            self.watch.tap(key, NUDGE)
            now = self.settle()
            if before is None or now is None or abs(now.x - before.x) + abs(now.y - before.y) > STANDS:
                return False
        return True

    def _tried(self, tile: int, side: int, wanted: tuple[int, ...]) -> bool | None:
        """Whether a tile moved as it should when one way was tried once; None if none moved."""
        before = self._cells
        self._move(tile, side)
        began = self.watch.window.now()
        end = began + (SLIDE_LIMIT if self.tally.slides else FIRST_SLIDE_LIMIT)
        try:
            while self.watch.window.now() < end:
                seen = self._look()
                if seen.view == self._slides_in and seen.cells == wanted:
                    self._look(SETTLED)  # a tile that slows down seems to have arrived while no key is heard yet
                    return True
                others = seen.view == self._slides_in and seen.cells is not None and seen.cells != before
                if others and seen.cells is not None and self.watch.rested > SETTLED:
                    if not self.tally.slides:  # where no tile has moved as it should, arrows may mean the empty place
                        self.slides_by = _otherwise(self.slides_by)
                    self._cells = seen.cells
                    self._lay()
                    return False
                if self.watch.rested > self.watch.at - began > UNANSWERED:
                    break
            return None
        finally:
            if self._behind:
                self.watch.window.perform((Keys((self._behind,)),), PACE)
                self._behind = ""

    def _move(self, tile: int, side: int) -> None:
        """Perform the gesture that may move a tile towards a side."""
        if self.slides_by in ("click", "drag"):
            place, empty = self.watch.eyes.where(tile), self.watch.eyes.where(BLANK)
            if place is not None and self.slides_by == "click":
                self.watch.window.perform((Click(place.centre),), PACE)
            elif place is not None and empty is not None:
                self.watch.window.perform((Drag(_path(place.centre, empty.centre)),), PACE)
            return
        way, _, self._behind = self.slides_by.partition(BEHIND)
        if self._behind:
            self.watch.window.perform((Keys((self._behind,)),), PACE)
        key = DIRECTIONS[side if way in ("tile", "wasd") else OPPOSITE[side]]
        self.watch.window.perform((Keys((LETTERS[key] if self.slides_by.startswith("wasd") else key,)),), PACE)


def _otherwise(by: SlidesBy) -> SlidesBy:
    way, behind, key = by.partition(BEHIND)
    return OTHERWISE[way] + behind + key


def absent(seen: Sighting) -> bool:
    """Whether there is no figure on a board at rest."""
    return seen.view not in ("walking", "sliding") or seen.tile is None


def words_of(state: State | None) -> str:
    """Where the figure is, in words."""
    return "nowhere" if state is None else f"{state.x:.0f}, {state.y:.0f} in tile {state.tile + 1}"


def _path(start: Point, end: Point) -> tuple[Point, ...]:
    """The points of a drag, window pixels."""
    (x0, y0), (x1, y1) = start, end
    steps = range(DRAG_STEPS + 1)
    return tuple((x0 + (x1 - x0) * n // DRAG_STEPS, y0 + (y1 - y0) * n // DRAG_STEPS) for n in steps)


def moved(cells: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """The board after a tile beside the empty cell has moved into it."""
    found = list(cells)
    at, empty = found.index(tile), found.index(BLANK)
    found[at], found[empty] = BLANK, tile
    return tuple(found)
