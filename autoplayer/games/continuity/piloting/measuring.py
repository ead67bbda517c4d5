"""Measures a figure's physics: the figure is made to walk, stop and jump, and curves are fitted to its track.

Lengths are tile pixels, times seconds. The fits are in ``fitting.py``; :class:`Measuring` makes the figure move.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autoplayer.core.errors import AutoplayerError
from autoplayer.games.continuity.flights import Bools
from autoplayer.games.continuity.piloting.clearance import allowance
from autoplayer.games.continuity.piloting.fitting import (
    ROOM,
    Arc,
    Line,
    Seen,
    Walked,
    delays,
    fit_bumped_jump,
    fit_inertia,
    fit_jump,
    fit_walk,
)
from autoplayer.games.continuity.piloting.inertia import NONE, Inertia
from autoplayer.games.continuity.piloting.stepping import AS_REPEATED
from autoplayer.games.continuity.piloting.watching import MOVED, Watch
from autoplayer.games.continuity.seeing.sight import Sighting

TAPS = (0.05, 0.05, 0.12, 0.25)
"""Seconds for which a key is held, in turn, until the figure is seen to move."""
RUNS = 2
"""Walks there and back."""
EVENLY, MOST_AGAIN = 0.1, 2
"""The share by which the speeds of walks may differ before more walks are made; and how often that is done."""
LATE = 0.04
"""The timing error, in seconds, between the pictures at the ends of a walk."""
SHORTEST, LONGEST = 0.12, 0.7
"""The duration of a measured walk in seconds."""
BRIEF = 0.08
"""The least duration if there is no room for more."""
SHARE = 0.6
"""The share of the free ground that is used."""
HEARD = 0.6
"""Seconds within which a key shows an effect."""
RISE = 1.0
"""The most seconds for which the jump key is held, while the figure rises: in many windows releasing it cuts the jump
short."""
SINKS = 2.0
"""A figure that is lower than before by so many pixels is falling again."""
FLIGHT = 4.0
"""Seconds after which a jump should have ended."""
JUMPS = 2
SMOOTH = 0.06
"""The greatest deviation of a flight from its curve, as a share of the jump's height."""
FASTER = 2.0
"""Upper bound for an unknown maximum speed of a fall, as a multiple of the initial speed of a jump."""
USUAL_JUMP, USUAL_FLIGHT = 1.9, 0.7
"""Default height of a jump, in heights of the figure, and its duration in seconds, before any was seen."""
MOST_LATE = 0.3
"""Seconds from a key to its effect, at most."""
SURE, UNSURE = (0.1, 0.08, 0.15), (0.1, 0.25, 0.4)
"""Tolerances, as shares, for walk, jump and gravity when the same figure is measured again: after a complete jump, and
after one that a ceiling cut short."""
HARDLY = (0.1, 1.0, 1.0)
"""The same after a jump of which it is only known that it reached a ceiling."""
BRINK = 0.6
"""The distance to the end of the ground that is kept while the walk is not known, in widths of the figure."""
LOW = 0.5
"""Under a ceiling this low, in heights of the figure, a jump may begin and end between two pictures."""
PAUSE = 0.2
"""Seconds for which a figure moved by key repeat stands still before the repetition begins: it begins no sooner on any
system, and a playable window draws at least twice as often."""
MORE_PRESSES, FURTHER = 4, 1.5
"""The most consecutive presses that show whether each of them moves the figure; and how many times as far as one long
press they lead then at least."""
STEPS_A_SECOND = 8.0
"""The greatest speed of a figure that each press moves, in its widths per second: it has to be stopped in time."""
ROUNDS = 3
"""How often walks are repeated if too few pictures were seen to measure their speed."""


class UnmeasuredError(AutoplayerError):
    """The figure's physics could not be determined."""


class UnmovedError(UnmeasuredError):
    """No figure moves when these keys are held."""


@dataclass(frozen=True)
class Measured:
    """The result: the walking speed; the height of a jump, and the gravity; the maximum speed of a fall (an upper bound
    until one was seen); the seconds from a key to its effect. ``walk_error``, ``jump_error``: the misfit of the curves,
    as shares of the speed and of the height."""

    walk: float
    jump: float
    gravity: float
    fall: float
    lag: float
    walk_error: float = 0.0
    jump_error: float = 0.0
    inertia: Inertia = NONE

    @property
    def jump_speed(self) -> float:
        return float(np.sqrt(2 * self.gravity * self.jump))

    def scaled(self, larger: float) -> Measured:
        """The same where all lengths are so many times as large."""
        lengths = {name: larger * getattr(self, name) for name in ("walk", "jump", "gravity", "fall")}
        return replace(self, **lengths)

    def words(self) -> str:
        return (
            f"walks {self.walk:.0f} px/s (give or take {self.walk_error:.0%}), jumps {self.jump:.0f} px high in "
            f"{2 * self.jump_speed / self.gravity:.2f} s (give or take {self.jump_error:.0%}), answers after "
            f"{self.lag * 1000:.0f} ms{self.inertia.words()}"
        )


class Measuring:
    """Makes the figure move where there is room for it. ``solid``: the masks of the tiles; ``width``, ``height``: the
    figure's box; ``ups``: the candidate jump keys, by default the one of ``watch``. The one that works is among the
    ``controls`` of ``watch`` afterwards."""

    def __init__(
        self, watch: Watch, solid: Bools, spikes: Bools, width: float, height: float, ups: Sequence[str] = ()
    ) -> None:
        self.watch, self.solid, self.spikes = watch, solid, spikes
        self.width, self.height = width, height
        self.ups = ups or (watch.controls.up,)
        self.speed = 0.0
        """Of a walk, once it is known."""
        self.otherwise: Measured | None = None
        """Alternative physics: what was known before, or what was measured, whichever was not chosen."""
        self._bumped = False
        """Whether a ceiling cut the last jump short."""
        self._highest = 0.0
        """The height of that jump, pixels."""
        self._tile = 0
        """The tile in which the figure last rested: while it moves, and later, it is perhaps not seen."""
        self._walked: list[Walked] = []
        """The walks that were made to be measured."""
        self._stood = False
        """Whether the figure stood still, or hardly moved, while the key of a walk was held."""

    def measure(self, known: Measured | None = None) -> Measured:
        """The figure's physics. With ``known`` values it is only checked whether they still hold, which takes a walk
        and a jump. Raises UnmeasuredError with the reason."""
        lines = self._walks_at_last(known)
        walk, walk_error = self._evenly(lines, known)
        if known is not None and walk_error > EVENLY and abs(walk - known.walk) <= walk_error * known.walk:
            walk = known.walk  # there is too little room for it here
        self.speed = walk
        self._under_the_sky()
        arcs = self._jumps_by_some_key(1 if known else JUMPS)
        jumped = bool(arcs)
        if not jumped:  # a low ceiling; the first jump elsewhere tells (see ``Executor``)
            height, gravity = (known.jump, known.gravity) if known else (USUAL_JUMP * self.height, 0.0)
            arcs = [(Arc(height, gravity or 8 * height / USUAL_FLIGHT**2, 0.0, height), 0.0)]
        risen = [arc.began - pressed for arc, pressed in arcs if jumped]
        inertia, walk, late = self._gathered(walk, delays(lines), risen, known)
        gravity = statistics.median(arc.gravity for arc, _ in arcs)
        jump = statistics.median(arc.height for arc, _ in arcs)
        found = Measured(
            walk,
            jump,
            gravity,
            FASTER * float(np.sqrt(2 * gravity * jump)),
            min(max(statistics.median(late), 0.0), MOST_LATE),
            walk_error,
            max(arc.rough for arc, _ in arcs) / jump,
            inertia,
        )
        if known is None:
            return found
        if jumped and self._bumped and known.jump > self._highest - ROOM and alike(found, known, HARDLY):
            self.otherwise = found  # half of a jump says less than what was known
            return replace(known, walk=(known.walk + walk) / 2, lag=found.lag)
        if not alike(found, known, SURE if jumped and not self._bumped else UNSURE):
            self.otherwise = known
            return found
        self.otherwise = found
        # Levels are shown in different sizes: what was seen in this one is nearer to it, if it was seen well.
        kept = replace(known, walk=(known.walk + walk) / 2, lag=found.lag)
        return replace(kept, jump=jump, gravity=gravity) if jumped and not self._bumped else kept

    def _gathered(
        self, walk: float, begun: list[float], risen: list[float], known: Measured | None
    ) -> tuple[Inertia, float, list[float]]:
        """The figure's inertia, its walking speed, and the lag. ``begun``, ``risen``: the delays measured from walks,
        and from jumps, which begin at once even with inertia; if none was seen, ``known`` values remain."""
        inertia = known.inertia if known else NONE
        tried = [] if inertia == NONE else [inertia[:2]]
        at_once = risen or ([known.lag] if known and tried else [])
        found = fit_inertia(self._walked, max(statistics.median(at_once), 0.0), tried) if at_once else None
        if found is None:
            return inertia, walk, begun + risen
        return found[0] if inertia == NONE else inertia, found[1], at_once

    # Walking

    def runs(self, known: Measured) -> float:
        """The walking speed, which may be up to twice the ``known`` one, with the keys that ``watch`` holds now. Raises
        UnmeasuredError if it cannot be measured."""
        faster = replace(known, walk=2 * known.walk)
        lines, _ = self._walks(faster)
        if not lines:
            raise UnmeasuredError("the figure has too little room to run")
        return self._evenly(lines, faster)[0]

    def _evenly(self, lines: list[tuple[Line, float]], known: Measured | None) -> tuple[float, float]:
        """As ``_speed``; more walks are made, and added to ``lines``, as long as the error may be large."""
        walk, error = self._speed(lines)
        for _ in range(MOST_AGAIN):
            if error <= EVENLY:
                break
            lines += self._walks(known)[0]
            walk, error = self._speed(lines)
        return walk, error

    @staticmethod
    def _speed(lines: Sequence[tuple[Line, float]]) -> tuple[float, float]:
        """The speed of walks, weighted towards longer ones: the mean of those that are as near their median as they are
        exact, because a walk in which the window paused is slower than the others and no walk is faster; and its
        relative error, by the deviations or by the shortness of the walks."""
        speeds, seconds = np.array(sorted((abs(line.speed), line.seconds) for line, _ in lines)).T
        weights = seconds**2
        middle = float(np.interp(weights.sum() / 2, weights.cumsum() - weights / 2, speeds))
        near = weights * (np.abs(speeds - middle) <= np.maximum(EVENLY, LATE / seconds) * middle)
        walk = float((speeds * near).sum() / near.sum()) if near.any() else middle
        apart = float(np.sqrt(((speeds - walk) ** 2 * weights).sum() / weights.sum())) / walk
        return walk, max(apart, LATE / max(line.seconds for line, _ in lines))

    def _walks_at_last(self, known: Measured | None) -> list[tuple[Line, float]]:
        """As the first of ``_walks``. On a busy machine too few pictures may come to show the course of a walk: it is
        repeated, and if that does not help, the speed follows from the distance covered. Raises UnmeasuredError."""
        rough: list[tuple[Line, float]] = []
        for _ in range(ROUNDS):
            lines, roughly = self._walks(known)
            if known is None and self._stood and not self.watch.controls.steps and self._by_presses():
                rough = []
                lines, roughly = self._walks(None)
            if lines or known is not None:  # what was known says more than a rough one
                break
            rough += roughly
        if not lines and not rough:
            raise UnmeasuredError(
                "the figure's walk could not be measured: it has too little room, or stands against a wall"
            )
        return lines or rough

    def _walks(self, known: Measured | None) -> tuple[list[tuple[Line, float]], list[tuple[Line, float]]]:
        """Walks, and when the key of each was pressed; and those of which only the beginning and the end were seen."""
        speed = known.walk if known else self._first_steps()
        brief = BRIEF
        found: list[tuple[Line, float]] = []
        rough: list[tuple[Line, float]] = []
        for _ in range(2 if known else 2 * RUNS):
            way, room = self._roomier()
            if known and room < SHORTEST * speed:
                break  # it would walk over an edge
            least = SHORTEST if room > SHORTEST * speed else brief
            seconds = min(max(SHARE * room / speed, least), LONGEST)
            pressed, track = self._held(way, seconds)
            line = fit_walk(track)
            if line is not None and (line.speed > 0) == (way == "right"):
                found.append((line, pressed))
                self._walked.append(Walked(pressed, pressed + seconds, track))
                speed = abs(line.speed)
                continue
            brief = SHORTEST  # too little was seen
            self._stood = True
            far = track[-1].x - track[0].x
            if abs(far) >= 3 * MOVED and (far > 0) == (way == "right"):
                rough.append((Line(far / seconds, pressed, abs(far), seconds), pressed))
        return found, rough

    def _first_steps(self) -> float:
        """A rough estimate of the walking speed; moves the figure a little."""
        for seconds in TAPS:
            ways = [self._roomier()[0]]
            ways.append("left" if ways[0] == "right" else "right")
            for way in ways:
                far, times = 0.0, 0
                while times == 0 or (MOVED < far < 3 * MOVED and times < MORE_PRESSES):  # a step may be as small
                    _, track = self._held(way, seconds)
                    far, times = far + max(abs(each.x - track[0].x) for each in track), times + 1
                if far >= 3 * MOVED:
                    return far / (times * (seconds + 0.02))
        keys = self.watch.controls
        raise UnmovedError(f"no figure moves when {keys.left} or {keys.right} is held")

    def _held(self, way: str, seconds: float) -> tuple[float, list[Seen]]:
        """Hold a key; when it was pressed, and what was seen until the figure rested again."""
        self._rest()
        track = [self._now()]
        pressed = self.watch.window.now()
        if seconds < BRIEF:
            self.watch.tap(way, seconds)
        else:
            self.watch.hold(way)
            while self.watch.window.now() < pressed + seconds:
                track += self._look()
                self._stood |= len(track) > 1 and self.watch.at - track[-1].time > PAUSE
            self.watch.hold()
        released = self.watch.window.now()
        while self.watch.window.now() < released + HEARD or self.watch.rested < 0.15:
            track += self._look()
            if self.watch.window.now() > released + FLIGHT or (self.watch.rested > 0.3 and len(track) > 1):
                break
        return pressed, track

    def _by_presses(self) -> bool:
        """Whether each press moves the figure a step, and holding a key moves it no further until the key repeats: then
        its keys are pressed again and again from now on."""
        way, room = self._roomier()
        _, track = self._held(way, PAUSE)
        step = abs(track[-1].x - track[0].x)
        times = min(int(SHARE * room / step), MORE_PRESSES) if step > MOVED else 0
        if times < 2:
            return False
        controls = self.watch.controls
        self.watch.steered(controls._replace(steps=AS_REPEATED))  # all together take no longer than the long one
        _, track = self._held(self._roomier()[0], times * AS_REPEATED)
        found = abs(track[-1].x - track[0].x) > FURTHER * step
        steps = max(AS_REPEATED, step / (STEPS_A_SECOND * self.width)) if found else 0.0
        self.watch.steered(controls._replace(steps=steps))
        return found

    def _roomier(self) -> tuple[str, float]:
        """The side on which the figure has more free ground, and how many pixels."""
        self._rest()
        left, right = self._ground()
        here = self._now().x
        return ("right", right - here) if right - here >= here - left else ("left", here - left)

    def _ground(self) -> tuple[float, float]:
        """The interval in which the middle of the figure can move on the ground where it stands."""
        at = (self._seen.x, self._seen.y)
        return free_ground(self.solid[self._tile], self.spikes[self._tile], at, (self.width, self.height))

    # Jumping

    def _jumps_by_some_key(self, count: int) -> list[tuple[Arc, float]]:
        """As ``_jumps``, with the first key that makes the figure jump. Raises UnmeasuredError where none does."""
        for up in self.ups:
            self.watch.steered(self.watch.controls._replace(up=up))
            found = self._jumps(count)
            if found is not None:
                return found
        self._rest()
        if self._headroom(self._now()) < LOW * self.height:  # it may have jumped between two pictures
            self.watch.steered(self.watch.controls._replace(up=self.ups[0]))
            return []
        raise UnmeasuredError(f"the figure does not jump when {' or '.join(self.ups)} is pressed")

    def _jumps(self, count: int) -> list[tuple[Arc, float]] | None:
        """Jumps straight up, and when the key of each was pressed; none if a ceiling is so low that they give no
        information. None if the key does nothing."""
        found: list[tuple[Arc, float]] = []
        deaf = 0
        for _ in range(count + 2):
            pressed, track = self._jumped()
            if max(abs(each.y - track[0].y) for each in track) < 3:
                deaf += 1
                if deaf == 2:
                    break
                continue
            ceiling = self._headroom(track[0])
            highest = max(track[0].y - each.y for each in track)
            bumped = highest > ceiling - ROOM
            arc = fit_bumped_jump(track, highest) if bumped else fit_jump(track)
            if arc is not None and arc.rough <= max(SMOOTH * arc.height, 2.0):
                self._bumped, self._highest = bumped, highest
                found.append((arc, pressed))
                if len(found) == count:
                    break
        return found if found or not deaf else None

    def _headroom(self, at: Seen) -> float:
        """Pixels that the figure's head can rise by in the tile where it last rested."""
        mask = self.solid[self._tile]
        x0, x1 = max(math.floor(at.x - self.width / 2), 0), math.ceil(at.x + self.width / 2)
        head = max(round(at.y - self.height), 0)
        over = np.flatnonzero(mask[:head, x0:x1].any(axis=1))
        return float(head - 1 - over[-1]) if len(over) else np.inf

    def _under_the_sky(self) -> None:
        """Go to where there is most room above the figure's ground."""
        self._rest()
        low, high = self._ground()
        here = self._now()
        places = np.arange(low, high + 1, max(self.width / 4, 1.0))
        if not len(places):
            return
        rooms = np.array([min(self._headroom(here._replace(x=x)), 8 * self.height) for x in places])
        beside = np.pad(rooms, 2, mode="edge")  # it does not stop exactly there
        rooms = np.minimum.reduce([beside[n : n + len(rooms)] for n in range(5)])
        good = places[rooms >= rooms.max() - ROOM]
        # In the middle of the nearest stretch: beside it there may be something to bump against.
        best = float(min(good, key=lambda x: abs(x - here.x) - 2 * min(abs(x - low), abs(x - high), self.width)))
        now = rooms[int(np.abs(places - here.x).argmin())]
        if now >= rooms.max() - ROOM or self.speed <= 0:
            return
        for _ in range(6):
            self._rest()
            far = best - self._now().x
            if abs(far) <= self.width / 4:
                return
            self._held("right" if far > 0 else "left", max(abs(far) / self.speed, 0.02))

    def _jumped(self) -> tuple[float, list[Seen]]:
        self._rest()
        track = [self._now()]
        pressed = self.watch.window.now()
        self.watch.hold("up")
        while self.watch.window.now() < pressed + RISE:
            track += self._look()
            highest = min(each.y for each in track)
            if track[-1].y > highest + SINKS or (
                track[0].y - highest < SINKS and self.watch.window.now() > pressed + HEARD / 2
            ):
                break
        self.watch.hold()
        flown = False
        while self.watch.window.now() < pressed + FLIGHT:
            track += self._look()
            flown = flown or abs(track[-1].y - track[0].y) > 3
            if self.watch.rested > 0.25 and (flown or self.watch.window.now() > pressed + HEARD):
                break
        return pressed, track

    # Looking

    @property
    def _seen(self) -> Sighting:
        assert self.watch.seen is not None
        return self.watch.seen

    def _now(self) -> Seen:
        return Seen(self.watch.at, self._seen.x, self._seen.y)

    def _look(self) -> Iterator[Seen]:
        """The observation of a look, if the figure has moved since the one before."""
        before = self.watch.samples[-1] if self.watch.samples else None
        seen = self.watch.look(0.008)
        new = self.watch.samples[-1] if self.watch.samples else None
        if seen.tile is not None and seen.view == "walking" and new is not None and new != before:
            yield Seen(new.time, new.along, new.down)

    def _rest(self) -> None:
        """Wait until the figure rests. Raises UnmeasuredError where it does not, or is not there."""
        self.watch.hold()
        end = self.watch.window.now() + 2 * FLIGHT
        while self.watch.rested < 0.2 or (tile := self._seen.tile) is None or self._seen.view != "walking":
            self.watch.look(0.01)
            if self.watch.window.now() > end:
                raise UnmeasuredError(
                    "the figure was not found" if self._seen.tile is None else "the figure does not come to rest"
                )
        self._tile = tile


def free_ground(mask: Bools, spikes: Bools, at: tuple[float, float], size: tuple[float, float]) -> tuple[float, float]:
    """The interval in which the middle of a figure with its feet ``at`` (x, y) can move on the ground where it stands,
    in a tile with these masks, shape ``(height, width)``; ``size``: its width and height. All in tile pixels. It keeps
    a distance from the ends of the ground, because a hand does not stop exactly."""
    height, width = mask.shape
    foot = min(max(round(at[1]), 1), height - 1)
    head = max(foot - round(size[1]), 0)
    upper = head + allowance(size[1])
    lower = max(foot - 3, head + 3)
    firm: Bools = np.any(mask[foot : foot + 5], axis=0) & ~np.any(mask[upper:lower], axis=0)
    firm &= ~np.any(spikes[head : foot + 2], axis=0)
    low = high = min(max(int(at[0]), 0), width - 1)
    while low > 0 and firm[low - 1]:
        low -= 1
    while high < width - 1 and firm[high + 1]:
        high += 1
    sides = []
    for beyond in (low - 1, high + 1):
        pit = 0 <= beyond < width and not mask[upper:lower, beyond].any()
        sides.append((0.5 + BRINK * pit) * size[0])
    middle = (low + high) / 2
    return min(low + sides[0], middle), max(high - sides[1], middle)


def alike(one: Measured, other: Measured, limits: tuple[float, float, float] = SURE) -> bool:
    """Whether two measurements agree."""
    pairs = ((one.walk, other.walk), (one.jump, other.jump), (one.gravity, other.gravity))
    return all(abs(a - b) <= limit * b for (a, b), limit in zip(pairs, limits, strict=True))
