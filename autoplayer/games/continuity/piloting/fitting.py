"""Walks and jumps as curves: they tell how fast a figure walks, how high it jumps, and how soon it answers.

Lengths are tile pixels, times seconds.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.flights import Floats
from autoplayer.games.continuity.piloting.inertia import BETTER, Inertia
from autoplayer.games.continuity.piloting.watching import LONGEST_FRAME, MOVED

GROUND_TIMES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 1.0)
"""Seconds to and from the speed of a walk that are tried."""
WALKED_LATE = 0.012
"""Seconds that places are beside a walk, in the mean, where no more than late pictures may be the reason: less than
``LATE``, for the speed that fits best takes up a part of that."""
BREAK = 2.5
"""How many times longer than usual it takes from one place that is seen to the next, where the window may have stood
still meanwhile: a single picture that is dropped makes it twice as long. No shorter than a frame may be."""
NEARLY = 0.15
"""Of how far the places of a walk are from those without inertia, what the right one leaves: figures that lose a share
of their speed in each frame glide on for longer than those that are slowed down evenly, as it is fitted here."""
ROOM = 2.0
"""Pixels above a figure's head by which a ceiling is said to have been touched."""


class Seen(NamedTuple):
    """The figure at a time: the middle of its feet."""

    time: float
    x: float
    y: float


class Line(NamedTuple):
    """A straight walk: its speed (right is positive), when it began, how far the places are from it, pixels, and for
    how many seconds it was seen: something may have been in the way."""

    speed: float
    began: float
    rough: float
    seconds: float


def fit_walk(track: Sequence[Seen]) -> Line | None:
    """The walk in a track that begins and ends at rest; None where it is too short to be told. The first and the last
    step are left out: they may be parts of one. Of a walk with interruptions the longest part without any is taken, for
    most windows do not make up for all the time in which they stood still. Theil and Sen's slope: late pictures do not
    bend it."""
    moving = [at for at in range(1, len(track)) if abs(track[at].x - track[at - 1].x) > MOVED]
    if len(moving) < 3:
        return None
    part = track[moving[0] : moving[-1] + 1]
    if len(part) > 4:
        part = part[:-1]
    part = _longest_unbroken(part)
    slopes = [
        (two.x - one.x) / (two.time - one.time)
        for n, one in enumerate(part)
        for two in part[n + 1 :]
        if two.time - one.time >= 0.4 * (part[-1].time - part[0].time) and two.time > one.time
    ]
    if not slopes:
        return None
    speed = statistics.median(slopes)
    if abs(speed) < 1e-9:
        return None
    offset = statistics.median(each.x - speed * each.time for each in part)
    rough = statistics.median(abs(each.x - speed * each.time - offset) for each in part)
    return Line(speed, (track[0].x - offset) / speed, rough, part[-1].time - part[0].time)


def _longest_unbroken(track: Sequence[Seen]) -> Sequence[Seen]:
    """The part of a track that lasts longest of those between its interruptions; all of it where each part is too short
    to tell a speed."""
    gaps = np.diff([each.time for each in track])
    breaks = np.flatnonzero(gaps > max(BREAK * float(np.median(gaps)), LONGEST_FRAME)) + 1
    ends = itertools.pairwise([0, *breaks.tolist(), len(track)])
    part = max((track[begin:end] for begin, end in ends), key=lambda each: each[-1].time - each[0].time)
    return part if len(part) >= 3 else track


class Arc(NamedTuple):
    """A jump: its height, the gravity, when it began, and how far the places are from the curve, pixels."""

    height: float
    gravity: float
    began: float
    rough: float


def fit_jump(track: Sequence[Seen]) -> Arc | None:
    """The jump in a track that begins and ends on the ground, at one height. None where it is too short to be told."""
    ground = track[0].y
    highest = ground - min(each.y for each in track)
    air = [each for each in track if ground - each.y > max(2 * MOVED, 0.04 * highest)]
    if len(air) < 5 or highest < 3:
        return None
    times = np.array([each.time for each in air]) - air[0].time
    heights = ground - np.array([each.y for each in air])
    keep = np.ones(len(air), np.bool_)
    for _ in range(2):
        a, b, c = np.polyfit(times[keep], heights[keep], 2)
        away = np.abs(a * times**2 + b * times + c - heights)
        keep = away <= max(2.5 * float(np.median(away)), 1.5)
        if keep.sum() < 5:
            return None
    if a >= 0:
        return None
    height = c - b * b / (4 * a)
    rise = np.sqrt(height / -a)
    return Arc(float(height), float(-2 * a), float(air[0].time - b / (2 * a) - rise), float(np.median(away)))


def fit_bumped_jump(track: Sequence[Seen], ceiling: float) -> Arc | None:
    """As :func:`fit_jump`, where the jump was cut short ``ceiling`` pixels above the ground: the fall from there tells
    the gravity, for the root of its depth grows evenly, and with that the rise tells how fast it began."""
    ground = track[0].y
    heights = np.array([ground - each.y for each in track])
    times = np.array([each.time - track[0].time for each in track])
    top = int(np.argmax(heights))
    last = len(heights) - int(np.argmax(heights[::-1] >= heights[top] - ROOM)) - 1
    down = np.arange(last, len(heights))
    down = down[(heights[down] > 0.06 * ceiling) & (ceiling - heights[down] > 1.0)]
    up = np.arange(top)
    up = up[(heights[up] > max(2 * MOVED, 0.04 * ceiling)) & (heights[up] < ceiling - 1.0)]
    if len(down) < 3 or len(up) < 3:
        return None
    slope = float(np.polyfit(times[down], np.sqrt(ceiling - heights[down]), 1)[0])
    gravity = 2 * slope**2
    if gravity < 1.0:
        return None
    a, b = np.polyfit(times[up], heights[up] + gravity * times[up] ** 2 / 2, 1)
    square = float(a**2 + 2 * gravity * b)
    if square <= 2 * gravity * ceiling:
        return None
    rough = np.abs(heights[up] + gravity * times[up] ** 2 / 2 - a * times[up] - b)
    began = track[0].time + float(a - np.sqrt(square)) / gravity
    return Arc(square / (2 * gravity), gravity, began, float(np.median(rough)))


def delays(lines: Sequence[tuple[Line, float]]) -> list[float]:
    """Seconds from the keys of walks to their beginnings."""
    return [line.began - pressed for line, pressed in lines]


class Walked(NamedTuple):
    """A walk from rest to rest: when its key was pressed and let go of, and what was seen."""

    pressed: float
    released: float
    track: Sequence[Seen]


def fit_inertia(
    walks: Iterable[Walked], lag: float, tried: Sequence[tuple[float, float]] = ()
) -> tuple[Inertia, float] | None:
    """The inertia on the ground that explains walks much better than none does, and the speed to which they come with
    it; None where none is needed. ``lag``: seconds from a key to its effect, as jumps tell it; ``tried``: the pairs of
    ``start`` and ``stop`` that may be, where they are known."""
    walks, pairs = [walk for walk in walks if len(walk.track) > 3], [*itertools.product(GROUND_TIMES, GROUND_TIMES)]
    walks = [walk for walk in walks if _fits(walk, lag, pairs)]
    if not walks:
        return None
    none, speed = _beside(walks, lag, (0.0, 0.0))
    least, speed, (start, stop) = min((*_beside(walks, lag, pair), pair) for pair in tried or pairs)
    if none < WALKED_LATE * speed or least > BETTER * none:
        return None
    return Inertia(start, stop, start, stop), speed


def _fits(walk: Walked, lag: float, pairs: Iterable[tuple[float, float]]) -> bool:
    """Whether any inertia explains a walk, nearly all of what is beside it without any: not where the figure met a
    wall."""
    none, speed = _beside([walk], lag, (0.0, 0.0))
    return min(_beside([walk], lag, pair)[0] for pair in pairs) < max(WALKED_LATE * speed, NEARLY * none)


def _beside(walks: Sequence[Walked], lag: float, times: tuple[float, float]) -> tuple[float, float]:
    """How far the places of walks are from those that a figure with so much inertia comes to, pixels in the mean; and
    the speed with which they are nearest to them."""
    ways, places = [], []
    for pressed, released, track in walks:
        seconds = np.array([each.time for each in track]) - pressed - lag
        ways.append(_way(seconds, max(released - pressed, 1e-3), *times))
        places.append(np.abs(np.array([each.x for each in track]) - track[0].x))
    way, place = np.concatenate(ways), np.concatenate(places)
    speed = max(float(way @ place / max(float(way @ way), 1e-9)), 1e-9)
    return float(np.abs(place - speed * way).mean()), speed


def _way(seconds: Floats, held: float, start: float, stop: float) -> Floats:
    """How far a figure came so many seconds after a key began to act that acted for ``held``, as a share of what it
    goes in a second."""
    start, stop = max(start, 1e-6), max(stop, 1e-6)
    on, after = np.clip(seconds, 0.0, held), np.maximum(seconds - held, 0.0)
    gathered = np.minimum(on, start)
    speed = min(held / start, 1.0)
    gliding = np.minimum(after, speed * stop)
    found: Floats = gathered**2 / (2 * start) + on - gathered + speed * gliding - gliding**2 / (2 * stop)
    return found
