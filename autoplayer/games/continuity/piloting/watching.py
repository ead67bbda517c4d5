"""Tracks the figure over time: what was seen of it, what was pressed since, and its predicted position when the next
key can take effect."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from autoplayer.core.frame import Box, Image
from autoplayer.core.gestures import Hold, Pace, Wheel
from autoplayer.games.base import Steerable
from autoplayer.games.continuity.flights import LOST
from autoplayer.games.continuity.piloting.course import Course, State
from autoplayer.games.continuity.piloting.inertia import NONE
from autoplayer.games.continuity.piloting.stepping import Stepping
from autoplayer.games.continuity.seeing.sight import Sighting
from autoplayer.games.continuity.world import BLANK
from autoplayer.layout import WHEELS, clicked

MOVED = 0.75
"""The least difference in pixels between two distinct positions."""
LONGEST_FRAME = 0.1
"""The longest frame time, in seconds, of a window whose figure can be steered at all."""
FITTED = 0.13
"""Seconds of a flight over which its speed is estimated."""
FREELY = 0.3
"""The relative deviation, in units of a jump's initial speed, between the observed speed of a free flight and the one
that follows from its height."""
STOOD = 2.5
"""The most pixels above the ground at which a standing figure may seem to be."""
ROUGH = 3.0
"""Pixels by which a flight may seem to be no flight."""
AT_ONCE = Pace(0.0, 0.0, 0.0)
CLICKED = Pace(0.05, 0.0, 0.0)
"""Fast, and yet long enough for a window that samples the pointer once a frame."""
FREEZING = 0.2
"""The most seconds for which a figure moves on before it is seen to be frozen."""
HARDLY = 0.01
"""Seconds in which nothing moves far."""
UNKNOWN = 1.2
"""Seconds without a recognised view until everything is looked at anew."""
BELIEVED = 1.0
"""Seconds for which a figure must be seen at a place that it cannot have reached, until it counts as having been set
back."""
HARDLY_BELIEVED = 4.0
"""The same if a key or the door is at that place."""
FAR = 2.5
"""The distance from the predicted position that counts as far, in heights of the figure."""
MOST_AHEAD = 0.5
"""The most seconds that are predicted."""
KEPT = 400


class Eyes(Protocol):
    """The interface to ``seeing/``. ``anew``: forget all that was learned since the level's first picture. ``expect``:
    what was seen last is not the figure; it is near a box of that picture. ``where``: the position of a tile in the
    last picture, window pixels."""

    def anew(self) -> None: ...

    def expect(self, box: Box) -> None: ...

    def see(self, image: Image) -> Sighting: ...

    def where(self, tile: int) -> Box | None: ...


class ResizedError(Exception):
    """The window has another size than before, so all positions have changed."""


class Controls(NamedTuple):
    """The keys of a window."""

    left: str = "left"
    right: str = "right"
    up: str = "up"
    view: str = "space"
    """A key, a click (:func:`~autoplayer.layout.clicked`), or one of :data:`~autoplayer.layout.WHEELS`: the way to the
    view in which tiles are moved."""
    run: str = ""
    """A key that is held beside the walking keys to make the figure run; empty for none."""
    steps: float = 0.0
    """Seconds after which a walking key is pressed again, if the figure moves one step for each press; 0 if it walks
    while a key is held."""

    def keys(self, names: Collection[str]) -> frozenset[str]:
        """The keys for such of ``left``, ``right``, ``up`` and ``view``."""
        runs = self.run and not {"left", "right"}.isdisjoint(names)
        return frozenset({getattr(self, name) for name in names} | ({self.run} if runs else set()))


class Sample(NamedTuple):
    """The figure in a picture that showed it at another position than the one before. ``along``, ``down``: on the
    board."""

    time: float
    tile: int
    x: float
    y: float
    along: float
    down: float


class Watch:
    """Looks and holds keys, and keeps a history of both."""

    def __init__(self, window: Steerable, eyes: Eyes, controls: Controls, lag: float) -> None:
        """``lag``: seconds from a key to what is seen of it."""
        self._window, self.eyes, self.lag = window, eyes, lag
        self.window: Steerable = window
        self.steered(controls)
        self.keys: Mapping[int, int] | None = None
        """The number of each key among the tiles' things; None where keys come first there."""
        self.course: Course | None = None
        self.seen: Sighting | None = None
        self.at = 0.0
        """When the last picture was taken."""
        self.looks = 0
        self.samples: deque[Sample] = deque(maxlen=KEPT)
        self._held: deque[tuple[float, int, bool]] = deque([(-1e9, 0, False)], maxlen=KEPT)
        self._keys: frozenset[str] = frozenset()
        self._since = 0.0
        """When the figure or the view was last seen to change."""
        self._known = 0.0
        """When a view was last recognised."""
        self._found = 0.0
        """When the figure was last seen where it may be."""
        self._instead: tuple[int, float, float] | None = None
        """The figure's position, while tiles are moved, if it is seen at an impossible one."""
        self._strange: float | None = None
        """Since when the figure is seen at a place that it cannot have reached by itself."""
        self._stands = 0.0, 0.0
        """The first such position, on the board."""
        self._box: Box | None = None
        """The figure in the last picture that was believed, window pixels."""
        self._size: tuple[int, int] | None = None
        self.shown: Image | None = None
        """The last picture that showed the figure where it walks."""
        self.losses = 0
        """How often the figure was seen to be lost and set back."""
        self._frozen: State | None = None
        """The last state in which the figure was frozen in the air."""
        self._thaws = False
        """Whether it has not moved on from that state yet."""
        self.launch: Sample | None = None
        """Where the last flight began."""
        self.launch_going = 0.0
        """The figure's speed to the right there."""
        self._begins: float | None = None
        """The conserved energy of a free flight: the square of its speed, less twice the gravity times its depth."""

    def steered(self, controls: Controls) -> None:
        """Use these controls from now on."""
        self.controls, walks = controls, (controls.left, controls.right)
        self.window = Stepping(self._window, walks, controls.steps) if controls.steps else self._window

    # Looking

    def look(self, pause: float = 0.0) -> Sighting:
        """The window as it is now, after ``pause`` seconds. Raises ResizedError."""
        frame = self.window.glance(pause)
        if self._size not in (None, frame.size):
            raise ResizedError
        self._size = frame.size
        seen = self.eyes.see(frame.image)
        if seen.view in ("walking", "sliding"):
            self._known = frame.time
        elif frame.time - self._known > UNKNOWN:
            self.eyes.anew()  # what was learned may be wrong by now
            self._known = frame.time
        if self.keys is not None:
            seen = seen._replace(gone=frozenset(self.keys[n] for n in seen.gone if n in self.keys))
        before, self.at = self.seen, frame.time
        self.looks += 1
        changed = before is None or before.view != seen.view
        if changed:
            self._since = self.at
        if seen.cells is not None and before is not None and before.cells is not None and seen.cells != before.cells:
            self._since = self.at
        if seen.view == "walking":
            if changed:
                self._resumed()
            seen = self._walking(seen)
        elif seen.view == "sliding":
            seen = self._sliding(seen, changed)
        if seen.tile is None:
            self._since = self.at
        elif seen.view == "walking":
            self.shown = frame.image
        self.seen = seen
        return seen

    def _walking(self, seen: Sighting) -> Sighting:
        """The observation in the view where the figure moves; without the figure if it is where it cannot have come by
        itself."""
        if seen.tile is None:
            return seen
        last = self.samples[-1] if self.samples else None
        along, down = self._on_board(seen)
        if last is not None and (self._leapt(last, along, down) or self._unforeseen(seen, along, down)):
            if self._strange is None:
                self._strange, self._stands = self.at, (along, down)
            if self.at - self._strange < (HARDLY_BELIEVED if self._at_thing(seen) else BELIEVED):
                if self._box is not None:
                    self.eyes.expect(self._box)
                return seen._replace(tile=None, box=None)
            self._set_back()
        elif last is not None and self._rose(last, down):
            self._set_back()
        self._strange, self._found, self._box = None, self.at, seen.box
        last = self.samples[-1] if self.samples else None
        if last is None or last.tile != seen.tile or max(abs(last.x - seen.x), abs(last.y - seen.y)) > MOVED:
            self._since = self.at
            self.samples.append(Sample(self.at, seen.tile, seen.x, seen.y, along, down))
        return seen

    def _sliding(self, seen: Sighting, changed: bool) -> Sighting:
        """The observation in the view where the figure is frozen: it is where it was, whatever else has changed."""
        last = self.samples[-1] if self.samples else None
        if last is None:
            return seen
        if changed:
            away = seen.tile is None or self._leapt(last, *self._on_board(seen), FREEZING)
            foreseen = self._ahead(last, self.at) if away else None
            self._instead = (foreseen.tile, foreseen.x, foreseen.y) if foreseen is not None else None
        if self._instead is None:
            return seen
        tile, x, y = self._instead
        return seen._replace(tile=tile, x=x, y=y)

    def _ahead(self, last: Sample, at: float) -> State | None:
        """The figure's state when the view changed at about ``at``."""
        state = self.last()
        if state is None or self.course is None or state.grounded:
            return state
        seconds = min(max(at - last.time, 0.0), LONGEST_FRAME)
        return self.course.after(state, [(0, False, seconds)])

    def _resumed(self) -> None:
        """The figure continues from where it was frozen: earlier observations say nothing about its motion now."""
        last = self.samples[-1] if self.samples else None
        self.samples.clear()
        place = None
        if self.seen is not None and self.seen.tile is not None:
            place = self.seen
        elif self._frozen is not None and self._thaws:
            place = Sighting("sliding", self._frozen.tile, self._frozen.x, self._frozen.y, None, None)
        elif last is not None:
            place = Sighting("sliding", last.tile, last.x, last.y, None, None)
        if place is None or place.tile is None:
            return
        self._found = self.at
        self.samples.append(Sample(self.at - HARDLY, place.tile, place.x, place.y, *self._on_board(place)))
        if self._frozen is not None and self._thaws and self.course is not None:
            self._goes_from(self.samples[-1].down, self._frozen.falling)
        self._thaws = False

    def _on_board(self, seen: Sighting) -> tuple[float, float]:
        course = self.course
        if course is None or seen.tile is None or seen.tile == BLANK:
            return seen.x, seen.y
        row, column = divmod(course.cells.index(seen.tile), course.rooms.board.columns)
        return seen.x + column * course.width, seen.y + row * course.height

    def _leapt(self, last: Sample, along: float, down: float, seconds: float | None = None) -> bool:
        """Whether the figure is where it cannot have come by itself (in ``seconds``): it was lost and set back, or
        something else is seen."""
        course = self.course
        if course is None:
            return False
        if seconds is None:  # until it was first seen there, however long it has stood there since
            stands = self._strange is not None and math.hypot(along - self._stands[0], down - self._stands[1]) < ROUGH
            until = self._strange if stands and self._strange is not None else self.at
            seconds = until - max(self._found, last.time) + LONGEST_FRAME
        physics = course.physics
        fastest = max(physics.fall, physics.jump_speed)
        return abs(along - last.along) > physics.walk * seconds * 1.5 or abs(down - last.down) > fastest * seconds * 1.5

    def _at_thing(self, seen: Sighting) -> bool:
        """Whether a key or the door is at the figure's apparent position: it may be that which has changed."""
        assert self.course is not None
        place = np.array([seen.tile]), np.array([seen.x]), np.array([seen.y])
        return bool(self.course.touches(*place).any())

    def _unforeseen(self, seen: Sighting, along: float, down: float) -> bool:
        """Whether the figure is seen at a key or the door, and not where the held keys should have brought it."""
        before = self.last()
        if self.course is None or before is None or not self._at_thing(seen):
            return False
        ahead = self.course.after(before, self.pieces(self.samples[-1].time - self.lag, self.at - self.lag))
        there = self._on_board(Sighting("walking", ahead.tile, ahead.x, ahead.y, None, None))
        return math.hypot(along - there[0], down - there[1]) > FAR * self.course.physics.height

    def _rose(self, last: Sample, down: float) -> bool:
        """Whether the figure is higher than it was, though it fell: it was lost and set back near by."""
        course = self.course
        if course is None or last.down - down < course.physics.height / 2:
            return False
        before = self.last()
        return before is not None and before.falling > 0.15 * course.physics.jump_speed

    def _set_back(self) -> None:
        """Earlier observations say nothing about the figure's motion from here: it was lost, if it was heading for
        that, or something else was seen."""
        self.losses += self._doomed()
        self.samples.clear()
        self.launch = self._begins = None

    def _doomed(self) -> bool:
        """Whether the figure was about to be lost when it was last seen."""
        before = self.last()
        if before is None or self.course is None:
            return False
        way = next((way for _, way, _ in reversed(self._held) if way), 0)
        return bool((self.course.run(before, np.array([0.0, way * FREEZING])).how == LOST).any())

    @property
    def rested(self) -> float:
        """For how many seconds the figure and the view have not changed."""
        return self.at - self._since

    # Holding keys

    def hold(self, *names: str) -> None:
        """Hold exactly these of ``left``, ``right``, ``up`` and ``view``."""
        keys = self.controls.keys(names)
        if keys == self._keys:
            return
        self.window.hold(sorted(keys))
        jumps = "up" in names and self.controls.up not in self._keys
        self._keys = keys
        self._held.append((self.window.now(), ("right" in names) - ("left" in names), jumps))

    def tap(self, name: str, seconds: float) -> None:
        """Hold one key for so long, and nothing else: more exact than with looks in between, and without a run key."""
        self.hold()
        way = (name == "right") - (name == "left")
        self._held.append((self.window.now(), way, name == "up"))
        self.window.perform((Hold((getattr(self.controls, name),), seconds),), AT_ONCE)
        self._held.append((self.window.now(), 0, False))

    def changes_view(self, wanted: str, *held: str) -> None:
        """Perform the change to the view ``wanted``, while ``held`` is held: a key is held from now on, the wheel or
        the mouse is used once."""
        view = self.controls.view
        click = clicked(view)
        if view not in WHEELS and click is None:
            self.hold("view", *held)
            return
        self.hold()  # the hand holds keys or has the mouse
        size = self._size or self.window.glance().size
        if click is not None:
            self.window.perform((click.within(size),), CLICKED)
            return
        notches = WHEELS[view] if wanted == "sliding" else -WHEELS[view]
        self.window.perform((Wheel((size[0] // 2, size[1] // 2), notches),), AT_ONCE)

    @property
    def holding(self) -> bool:
        return bool(self._keys)

    @property
    def way(self) -> int:
        """-1 while the figure is held to the left, 1 to the right, else 0."""
        return self._held[-1][1]

    def stretches(self, begin: float) -> list[tuple[float, float, int]]:
        """The intervals in which a walking key was held since ``begin``, as far as the effect shows by now, and the
        direction: -1 for left, 1 for right."""
        held = [*self._held, (self.at - self.lag, 0, False)]
        return [
            (since + self.lag, until + self.lag, way)
            for (since, way, _), (until, _, _) in itertools.pairwise(held)
            if way and since >= begin
        ]

    # Foreseeing

    def frozen(self, state: State) -> None:
        """The figure was frozen in this state, and continues from it when the walking view returns."""
        self._frozen, self._thaws = state, True
        self.launch = None

    def last(self) -> State | None:
        """The figure as it was last seen, with its speed; None before it was."""
        if self.course is None or not self.samples:
            return None
        last = self.samples[-1]
        state = self.course.freed(State(last.tile, last.x, last.y, going=self._going()))
        falling = self._falling()
        stands = self.course.stands(state, STOOD)
        if stands and falling > -0.15 * self.course.physics.jump_speed:
            return state._replace(falling=0.0, grounded=True)
        return state._replace(falling=falling, grounded=False)

    def launched(self, jump: bool) -> None:
        """The figure is about to jump, or to step over an edge, from where it stands."""
        self.launch = self.samples[-1] if self.samples else None
        if self.launch is not None and self.course is not None:
            self.launch_going = self._going()
            self._goes_from(self.launch.down, self.course.physics.jump_speed if jump else 0.0)

    def _goes_from(self, down: float, speed: float) -> None:
        """From now on the figure flies freely, so that its height gives its speed."""
        assert self.course is not None
        self._begins = speed**2 - 2 * self.course.physics.gravity * down

    def _falling(self) -> float:
        """The falling speed of the figure in its last picture, pixels a second: from its height in free flight, else
        from the pictures of the last moments."""
        assert self.course is not None
        physics, last = self.course.physics, self.samples[-1]
        seen = self._fallen()
        if self._begins is not None:
            speed = math.sqrt(max(self._begins + 2 * physics.gravity * last.down, 0.0))
            speed = min(speed, physics.fall) if seen is None or seen > 0 else -speed
            if seen is None:
                return -speed if self._rises else speed
            if abs(speed - seen) < FREELY * physics.jump_speed or abs(speed + seen) < FREELY * physics.jump_speed / 3:
                return speed
        return 0.0 if seen is None else min(seen, physics.fall)

    def _going(self) -> float:
        """The speed of the figure to the right in its last picture, if it has inertia: the speed that explains how far
        it has moved in the last moments with the held keys."""
        assert self.course is not None
        last = self.samples[-1]
        if self.course.inertia == NONE or self.at - last.time > LONGEST_FRAME:
            return 0.0
        before = [each for each in self.samples if HARDLY < last.time - each.time <= FITTED]
        if not before and self._frozen is not None and self.launch is None and len(self.samples) == 1:
            return self._frozen.going
        begin = before[0].time if before else last.time - FITTED
        held = self.pieces(begin - self.lag, last.time - self.lag)
        airborne = not self.course.stands(State(last.tile, last.x, last.y), STOOD)
        return self.course.going(held, last.along - before[0].along if before else None, airborne)

    @property
    def _rises(self) -> bool:
        """Whether the figure has just left the ground upwards."""
        if self.launch is None:
            return self._frozen is not None and self._frozen.falling < 0
        return self.samples[-1].down < self.launch.down - MOVED

    def _fallen(self) -> float | None:
        """The falling speed from the pictures of the last moments; None if they are too few."""
        assert self.course is not None
        physics, last = self.course.physics, self.samples[-1]
        flight = list(itertools.takewhile(lambda each: last.time - each.time <= FITTED, reversed(self.samples)))
        if self.launch is not None:  # on the ground it was not falling
            flight = [each for each in flight if each.time > self.launch.time]
        while len(flight) >= 2 and last.time - flight[-1].time > HARDLY / 2:
            times = np.array([each.time - last.time for each in flight])
            # With the gravity known, only the speed is to be found: y = y0 + v t + g t^2 / 2.
            heights = np.array([each.down for each in flight]) - physics.gravity * times**2 / 2
            speed, height = np.polyfit(times, heights, 1)
            if len(flight) == 2 or np.abs(heights - speed * times - height).max() < ROUGH:
                return float(speed)
            flight = flight[: max(len(flight) // 2, 2)]  # something was in the way
        return None

    def foreseen(self) -> State | None:
        """The predicted state of the figure when a key that is pressed now takes effect."""
        last = self.last()
        if last is None or self.course is None:
            return None
        if self.seen is not None and self.seen.view != "walking":
            return last
        begin = max(self.samples[-1].time, self.at - LONGEST_FRAME)
        end = min(self.window.now() + self.lag, begin + MOST_AHEAD)
        return self.course.after(last, self.pieces(begin - self.lag, end - self.lag))

    def pieces(self, begin: float, end: float) -> list[tuple[int, bool, float]]:
        """What was held from ``begin`` to ``end``: direction, whether a jump was begun, seconds."""
        held = list(self._held)
        found = []
        for (since, way, up), (until, _, _) in zip(held, [*held[1:], (end, 0, False)], strict=True):
            start, stop = max(since, begin), min(until, end)
            if stop > start:
                found.append((way, up and since >= begin, stop - start))
        return found
