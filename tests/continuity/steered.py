"""A simulated window of Continuity: the arcade's engine on a clock of its own, with frames of uneven length and
a lag, and eyes that see it without looking. The pilot is tested against it without a display."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from random import Random
from typing import Any

import numpy as np

from autoplayer.arcade.continuity.engine import SLIDE, Engine
from autoplayer.arcade.live import STEP, Event
from autoplayer.core.frame import Box, Frame, Image
from autoplayer.core.gestures import Gesture, Hold, Keys, Pace
from autoplayer.games.continuity.blocks import DOOR, KEY, SOLID, SPIKES, START, Level
from autoplayer.games.continuity.piloting.inertia import Inertia
from autoplayer.games.continuity.piloting.measuring import Measured
from autoplayer.games.continuity.seeing.sight import Sighting, Thing, Tiles, View

CELL = 24
"""Pixels of a character, where nothing else is said."""
LOOK = 0.012
"""Seconds that a look takes."""
LOOK_AT_PICTURES = 0.03
"""The same where there are pictures to be painted and read, which is what such tests spend their time on."""
MOST_BEHIND = 0.25


def measured(level: Level, lag: float = 0.0) -> Measured:
    """The physics of a level as they would be measured in a window of ``CELL`` pixels a character."""
    physics = level.physics
    return Measured(physics.walk * CELL, physics.jump * CELL, physics.gravity * CELL, physics.fall * CELL, lag)


class Steered:
    """The window. ``frames``: the shortest and the longest time between two pictures; ``lag``: seconds until a key is
    heard, and ``late`` until a picture is seen. ``deaf``: of so many presses one is lost; ``look``: seconds
    that a look takes."""

    title = "steered"

    def __init__(
        self,
        level: Level,
        *,
        frames: tuple[float, float] = (0.016, 0.017),
        lag: float = 0.0,
        late: float = 0.0,
        deaf: int = 0,
        look: float = LOOK,
        seed: int = 0,
    ) -> None:
        self.level, self.engine = level, Engine(level)
        self._frames, self._lag, self._late, self._deaf = frames, lag, late, deaf
        self._random = Random(seed)
        self._look = look
        self.clock = 0.0
        self._drawn = self._owed = 0.0
        self._next = frames[0]
        self._queue: list[tuple[float, str, bool]] = []
        self._held: set[str] = set()
        self._down: set[str] = set()
        """What the hand holds."""
        self.presses = 0
        self.won_at: float | None = None
        self.log: list[tuple[str, dict[str, Any]]] = []
        self._pictures: list[tuple[float, Sighting]] = [(-1.0, self._sighting())]

    # What the pilot may do

    def now(self) -> float:
        return self.clock

    def glance(self, pause: float = 0.0) -> Frame:
        self._pass(pause + self._look)
        return Frame(np.zeros((1, 1, 3), np.uint8), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self.glance(quiet)

    def hold(self, keys: Collection[str]) -> None:
        for key in sorted(self._down - set(keys)):
            self._queue.append((self.clock + self._lag, key, False))
        for key in sorted(set(keys) - self._down):
            self.presses += 1
            if not self._deaf or self._random.randrange(self._deaf):
                self._queue.append((self.clock + self._lag, key, True))
        self._down = set(keys)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Hold):
                self.hold(gesture.keys)
                self._pass(gesture.seconds)
                self.hold(())
                continue
            assert isinstance(gesture, Keys)
            for key in gesture.keys:
                self.hold({key})
                self._pass(pace.press)
                self.hold(())
                self._pass(pace.step)
            self._pass(pace.release)

    # The window

    def _pass(self, seconds: float) -> None:
        end = self.clock + seconds
        while self._next <= end:
            self.clock = self._next
            self._frame()
            self._next += self._random.uniform(*self._frames)
        self.clock = end

    def _frame(self) -> None:
        tapped: set[str] = set()
        while self._queue and self._queue[0][0] <= self.clock:
            _, key, down = self._queue.pop(0)
            if down:
                self._held.add(key)
                tapped.add(key)
                self._note(self.engine.press(key) if key in ("space", "left", "right", "up", "down") else [])
            else:
                self._held.discard(key)
        self._owed = min(self._owed + self.clock - self._drawn, MOST_BEHIND)
        self._drawn = self.clock
        while self._owed >= STEP:
            self._owed -= STEP
            self._note(self.engine.step(self._heard(tapped)))
            tapped = set()
        if self.engine.won and self.won_at is None:
            self.won_at = self.clock
        self._pictures.append((self.clock, self._sighting()))

    def _heard(self, tapped: set[str]) -> set[str]:
        """The keys that are down for one step of the engine; ``tapped``: those that came down since the last picture,
        and perhaps went up again."""
        return self._held | tapped

    def _note(self, events: Sequence[Any]) -> None:
        self.log += [(each.event, each.data) for each in events]

    def _sighting(self) -> Sighting:
        engine = self.engine
        if self.won_at is not None and self.clock > self.won_at + 0.3:
            return Sighting("gone", None, 0.0, 0.0, None, None)
        view: View = "changing"
        if engine.sliding is None and engine.zoom in (0.0, 1.0):
            view = "sliding" if engine.view == SLIDE and engine.zoom == 1.0 else "walking"
            view = "changing" if (engine.view == SLIDE) != (engine.zoom == 1.0) else view
        cells = tuple(tile for row in engine.cells for tile in row)
        tile = None if engine.dead else engine.tile
        return Sighting(view, tile, engine.x, engine.y, None, cells, frozenset(engine.taken))

    @property
    def shown(self) -> Sighting:
        """What the newest picture that has arrived shows; lengths in characters."""
        while len(self._pictures) > 1 and self._pictures[1][0] <= self.clock - self._late:
            self._pictures.pop(0)
        return self._pictures[0][1]

    @property
    def down(self) -> set[str]:
        """The keys that the hand holds."""
        return self._down

    @property
    def deaths(self) -> int:
        return self.engine.deaths


class Stepwise(Steered):
    """The window as it is where each press of a walking key, and each one that the window system makes of a key that is
    held, moves the figure a step, for as long as the engine takes for ``ticks`` steps of its own."""

    pause, every = 0.5, 1 / 30
    """Seconds until the window system repeats a key, and between two repeats."""
    ticks = 2

    def __init__(self, level: Level, **window: Any) -> None:
        super().__init__(level, **window)
        self._repeats: dict[str, float] = {}
        """When each walking key that is down is pressed again by the window system."""
        self._walks: dict[str, int] = {}
        """For how many steps of the engine each walking key acts still."""

    def _heard(self, tapped: set[str]) -> set[str]:
        walking = {"left", "right"}
        for key in tapped & walking:
            self._repeats[key] = self.clock + self.pause
            self._walks[key] = self._walks.get(key, 0) + self.ticks
        self._repeats = {key: due for key, due in self._repeats.items() if key in self._held}
        for key, due in self._repeats.items():
            if due <= self.clock:
                self._repeats[key] = due + self.every
                self._walks[key] = self._walks.get(key, 0) + self.ticks
        acts = {key for key, steps in self._walks.items() if steps}
        self._walks = {key: self._walks[key] - 1 for key in acts}
        return super()._heard(tapped) - walking | acts


class Painted(Steered):
    """The window with its pictures: for all of the pilot, with the eyes that it has. ``options`` of the bundled window
    as on the command line."""

    def __init__(self, level: Level, *options: str, **window: Any) -> None:
        from tests.continuity.seeing_window import Shown

        super().__init__(level, **{"look": LOOK_AT_PICTURES} | window)
        self.painted = Shown(level, *options)
        self.engine = self.painted.engine

    def glance(self, pause: float = 0.0) -> Frame:
        super().glance(pause)
        return Frame(self.painted.image(), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        end = self.clock + limit
        last, since = self.glance(), self.clock
        while self.clock < end:
            frame = self.glance(0.03)
            if not np.array_equal(frame.image, last.image):
                last, since = frame, self.clock
            other = unlike is None or not np.array_equal(frame.image, unlike.image)
            if other and self.clock - since >= quiet:
                break
        return last


class Seeing:
    """Eyes that know the window. ``noise``: by how many pixels the figure is seen elsewhere than it is, at most."""

    def __init__(self, window: Steered, cell: int = CELL, noise: float = 0.0) -> None:
        self.window, self.cell, self.noise = window, cell, noise

    def board(self) -> Tiles:
        """The level as it was at first, in its sliding view."""
        level = self.window.level
        marks = np.array([[list(row) for row in block] for block in level.blocks])

        def enlarged(mark: str) -> Any:
            return (marks == mark).repeat(self.cell, axis=1).repeat(self.cell, axis=2)

        physics, cell = level.physics, self.cell
        things = [
            Thing("key" if mark == KEY else "door", tile, c * cell, r * cell, cell, cell)
            for mark in (KEY, DOOR)
            for tile, r, c in level.found(mark)
        ]
        tile, row, column = next(level.found(START))
        wide, high = physics.width * cell, physics.height * cell
        things.append(Thing("figure", tile, (column + 0.5) * cell - wide / 2, (row + 1) * cell - high, wide, high))
        board, (rows, columns) = level.board, level.size
        boxes = tuple(
            Box(c * columns * cell, r * rows * cell, columns * cell, rows * cell)
            for r in range(board.rows)
            for c in range(board.columns)
        )
        solid = enlarged(SOLID)
        pictures = tuple(np.where(mask[..., None], 0, 255).astype(np.uint8).repeat(3, axis=2) for mask in solid)
        return Tiles(board.rows, board.columns, board.cells, boxes, pictures, solid, enlarged(SPIKES), tuple(things))

    def anew(self) -> None: ...

    def expect(self, box: Box) -> None: ...

    def where(self, tile: int) -> Box | None:
        return None

    def see(self, image: Image) -> Sighting:
        seen = self.window.shown
        x, y = seen.x * self.cell, seen.y * self.cell
        if self.noise:  # the same place always looks the same
            x, y = round(x + self.noise * math.sin(1.7 * x)), round(y + self.noise * math.sin(2.3 * y))
        return seen._replace(x=float(x), y=float(y))


class Gathering(Engine):
    """The engine with a figure that gathers speed and glides."""

    inertia = Inertia()
    going = 0.0

    def _piece(self, speed: float, seconds: float, found: list[Event]) -> None:
        start, stop, air_start, air_stop = self.inertia
        times = (start if speed else stop) if self.grounded else (air_start if speed else air_stop)
        most = self.physics.walk * seconds / max(times, 1e-6)
        self.going += min(max(speed - self.going, -most), most)
        super()._piece(self.going, seconds, found)

    def _along(self, by: float) -> None:
        before = self.x
        super()._along(by)
        if abs(self.x - before - by) > 1e-6:
            self.going = 0.0

    def _return(self) -> Event:
        self.going = 0.0
        return super()._return()


class Inert(Steered):
    """The window with such a figure."""

    engine: Gathering

    def __init__(self, level: Level, **window: Any) -> None:
        super().__init__(level, **window)
        self.engine = Gathering(level)

    @property
    def inertia(self) -> Inertia:
        return self.engine.inertia

    @inertia.setter
    def inertia(self, inertia: Inertia) -> None:
        self.engine.inertia = inertia
