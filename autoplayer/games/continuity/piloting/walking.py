"""Executes walks under visual feedback: keys are held and tapped as the figure is seen to move."""

from __future__ import annotations

import math

from autoplayer.games.continuity.piloting.course import State
from autoplayer.games.continuity.piloting.hands import ANOTHER, Hands, UnseenError, absent, words_of
from autoplayer.games.continuity.piloting.legs import Walk
from autoplayer.games.continuity.piloting.watching import LONGEST_FRAME, MOVED
from autoplayer.games.continuity.solver import Slide
from autoplayer.games.continuity.world import BLANK, LEFT, RIGHT

WALK_LIMIT, STUCK = 12.0, 1.5
"""The longest time of a walk, and of one without progress."""
MOST_STUCK = 6
"""After so many consecutive taps without effect a walk is given up."""
SHORTEST_TAP = 0.01
COAST_WEIGHT = 0.5
"""The weight of the last walk in the moving average of how far the figure glides."""
TOO_NEAR = 0.6
"""A target nearer than this share of the shortest tap's distance is approached from farther away."""
BROADER = 0.15
"""By how much a window's collision box may extend beyond the drawn figure, at each side, in widths of the figure."""
INSIDE, EXACTLY = 0.35, 0.2
"""The distance from a side, and its tolerance, at which a figure is placed inside its tile, in widths of the figure;
the distance is then at least ``BROADER``."""
OVER = 1.5
"""How far the figure is walked on over a side while it is not seen there, in widths of the figure."""
NEAR_ENOUGH = 0.3
"""A position this near to a spot, in units of the pitch, is at it."""


class Walker(Hands):
    """Hands that walk."""

    def walk(self, leg: Walk) -> bool:
        """Walk to a spot."""
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

    def slide(self, slides: tuple[Slide, ...]) -> bool:
        """Move the tiles; each move is verified before the next. A figure that stands over a side first leaves it:
        otherwise many windows move neither of the two tiles, or leave a part of the figure in a wall."""
        state = self.watch.last() or self.settle()
        beside = None if state is None or not state.grounded else self._beyond(state)
        if state is not None and beside is not None and {state.tile, beside[0]} & {tile for tile, _ in slides}:
            near = EXACTLY * self.course.physics.width
            if self.view("walking") and not self._go((beside[0], state.tile), beside[1], near, state.y):
                now = self.watch.last()
                if now is None or now.tile != state.tile:
                    return False
        return super().slide(slides)

    def _beyond(self, state: State) -> tuple[int, float] | None:
        """The tile into which a figure on the ground may extend over a side, and the position where it would not; None
        if it extends into none, or has no ground there."""
        course, width = self.course, self.course.physics.width
        reach, inside = (0.5 + BROADER) * width, (0.5 + INSIDE) * width
        for side, over, x in (
            (LEFT, state.x < reach, inside),
            (RIGHT, state.x > course.width - reach, course.width - inside),
        ):
            other = int(course.beyond[state.tile, side])
            if over and other != BLANK and course.stands(course.freed(state._replace(x=x)), 3.0):
                return other, x
        return None

    def _go(self, tiles: tuple[int, ...], x: float, near: float, row: float, *, on: bool = False) -> bool:
        """Walk until the figure stands within ``near`` pixels of ``x`` in the last of ``tiles``, or is at the open
        door; ``on``: not only at its rim."""
        watch, walk = self.watch, self.course.physics.walk
        columns = self.course.rooms.board.columns
        x = min(max(x, near), self.course.width - near)  # who is near a spot at the side is in its tile
        end = watch.window.now() + WALK_LIMIT
        place = {tile: self._cells.index(tile) % columns for tile in tiles}
        tries = stuck = 0
        began = watch.window.now()
        while watch.window.now() < end:
            seen = self._look()
            self._touch(seen)
            state = watch.foreseen()
            began = began if watch.holding else watch.at
            if self._away() > ANOTHER or (self._reached and not on) or min(watch.rested, watch.at - began) > STUCK:
                break
            if state is None or absent(seen):
                if not self._between(tiles, watch.last()):
                    watch.hold()
                continue
            if state.tile not in place or (state.grounded and abs(state.y - row) > 6):
                watch.hold()
                self.tell(f"on foot it came to {words_of(state)}")
                self.settle()
                return False
            far = x + place[tiles[-1]] * self.course.width - state.x - place[state.tile] * self.course.width
            way = "right" if far > 0 else "left"
            seconds = abs(far) / walk
            if abs(far) <= near:
                rest = self._stop(state)
                if rest is None or rest.tile not in place or abs(rest.y - row) > 6:
                    self.tell(f"on foot it came to {words_of(rest)}")
                    return False
                far = x + place[tiles[-1]] * self.course.width - rest.x - place[rest.tile] * self.course.width
                if tries < 6 and rest.tile != tiles[-1] and abs(far) <= near:
                    far = math.copysign(self.course.physics.width / 2, place[tiles[-1]] - place[rest.tile])
                elif abs(far) <= near or tries >= 6:
                    if abs(far) > 3 * near:
                        self.tell(f"it does not come nearer than {abs(far):.0f} px to where it should stand")
                    return bool(abs(far) <= 3 * near) and rest.tile == tiles[-1]
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

    def _between(self, tiles: tuple[int, ...], last: State | None) -> bool:
        """Whether an invisible figure was last seen, a moment ago, walking over a side on its way through ``tiles``:
        what is between the tiles may look like a part of it."""
        physics, way = self.course.physics, self.watch.way
        if last is None or last.tile not in tiles[:-1] or not last.grounded or not way:
            return False
        left = self.course.width - last.x if way > 0 else last.x
        return left <= physics.width and self._away() * physics.walk <= left + OVER * physics.width

    def _stop(self, state: State) -> State | None:
        """Release the key when ``state`` is the predicted state, and see where the figure comes to rest."""
        way = self.watch.way
        self.watch.hold()
        rest = self.settle()
        if rest is not None and way and abs(rest.y - state.y) <= 6:
            on = min(max((self._along(rest) - self._along(state)) * way, 0.0), self.course.width / 4)
            self._coasts += COAST_WEIGHT * (on - self._coasts)
        return rest

    def _along(self, state: State) -> float:
        """The position to the right on the board, pixels."""
        column = self._cells.index(state.tile) % self.course.rooms.board.columns
        return state.x + float(column * self.course.width)

    def _step(self, state: State, far: float) -> None:
        """Tap a walking key so that a figure at rest moves by ``far`` pixels: the duration follows from previous taps,
        because it may start slowly, or glide."""
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
        """Hold a key for a moment, and wait for the result."""
        self.watch.tap(way, max(seconds, SHORTEST_TAP))
        self.settle()

    def _into_the_door(self) -> bool:
        """Go to the middle of the door, where the figure stands at its rim."""
        state, door = self.settle(), self.reach.rooms.door
        near = NEAR_ENOUGH * self.reach.rooms.pitch
        if state is None or state.tile != door.tile or not self.view("walking"):
            return False
        return self._go((door.tile,), door.x + door.width / 2, near, state.y, on=True)
