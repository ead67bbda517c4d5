"""Fits curves to walks and jumps: they give the walking speed, the height of jumps, and the response time of the
figure.

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
"""Seconds to reach, and to lose, the walking speed that are tried."""
WALKED_LATE = 0.012
"""Mean deviation of a walk, in seconds, up to which late pictures may be the only reason: less than ``LATE``, because
the best-fitting speed absorbs a part of it."""
BREAK = 2.5
"""If the time from one observed position to the next is so many times longer than usual, the window may have paused: a
single dropped picture doubles it. No shorter than a frame may be."""
NEARLY = 0.15
"""The share of the deviation of a walk without inertia that the right inertia leaves: figures that lose a share of
their speed in each frame glide longer than those with constant deceleration, which is what is fitted here."""
ROOM = 2.0
"""A ceiling within so many pixels above a figure's head counts as touched."""


class Seen(NamedTuple):
    """The figure at a time: the middle of its feet."""

    time: float
    x: float
    y: float


class Line(NamedTuple):
    """A straight walk: its speed (right is positive), when it began, the deviation of the positions from it, pixels,
    and for how many seconds it was seen: something may have been in the way."""

    speed: float
    began: float
    rough: float
    seconds: float


def fit_walk(track: Sequence[Seen]) -> Line | None:
    """The walk in a track that begins and ends at rest; None if it is too short. The first and the last step are left
    out, because they may be partial. Of a walk with interruptions the longest uninterrupted part is taken, because most
    windows do not make up for all the time of a pause. The slope is Theil and Sen's, which late pictures do not
    distort."""
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
    """The longest uninterrupted part of a track; all of it if each part is too short to measure a speed."""
    gaps = np.diff([each.time for each in track])
    breaks = np.flatnonzero(gaps > max(BREAK * float(np.median(gaps)), LONGEST_FRAME)) + 1
    ends = itertools.pairwise([0, *breaks.tolist(), len(track)])
    part = max((track[begin:end] for begin, end in ends), key=lambda each: each[-1].time - each[0].time)
    return part if len(part) >= 3 else track


class Arc(NamedTuple):
    """A jump: its height, the gravity, when it began, and the deviation of the positions from the curve, pixels."""

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
    """As :func:`fit_jump`, for a jump that was cut short ``ceiling`` pixels above the ground: the fall from there gives
    the gravity, because the root of its depth grows linearly, and with that the rise gives the initial speed."""
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
    """A walk from rest to rest: when its key was pressed and released, and what was seen."""

    pressed: float
    released: float
    track: Sequence[Seen]


def fit_inertia(
    walks: Iterable[Walked], lag: float, tried: Sequence[tuple[float, float]] = ()
) -> tuple[Inertia, float] | None:
    """The inertia on the ground that explains walks much better than none, and the speed that they reach with it; None
    if none is needed. ``lag``: seconds from a key to its effect, measured from jumps; ``tried``: the candidate pairs of
    ``start`` and ``stop``, if they are known."""
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
    """Whether some inertia explains nearly all deviations of a walk from one without inertia: not if the figure met a
    wall."""
    none, speed = _beside([walk], lag, (0.0, 0.0))
    return min(_beside([walk], lag, pair)[0] for pair in pairs) < max(WALKED_LATE * speed, NEARLY * none)


def _beside(walks: Sequence[Walked], lag: float, times: tuple[float, float]) -> tuple[float, float]:
    """The mean deviation of walks from those of a figure with this inertia, pixels, and the best-fitting speed."""
    ways, places = [], []
    for pressed, released, track in walks:
        seconds = np.array([each.time for each in track]) - pressed - lag
        ways.append(_way(seconds, max(released - pressed, 1e-3), *times))
        places.append(np.abs(np.array([each.x for each in track]) - track[0].x))
    way, place = np.concatenate(ways), np.concatenate(places)
    speed = max(float(way @ place / max(float(way @ way), 1e-9)), 1e-9)
    return float(np.abs(place - speed * way).mean()), speed


def _way(seconds: Floats, held: float, start: float, stop: float) -> Floats:
    """The distance that a figure has covered so many seconds after a key began to act that acted for ``held``, as a
    share of what it covers in a second."""
    start, stop = max(start, 1e-6), max(stop, 1e-6)
    on, after = np.clip(seconds, 0.0, held), np.maximum(seconds - held, 0.0)
    gathered = np.minimum(on, start)
    speed = min(held / start, 1.0)
    gliding = np.minimum(after, speed * stop)
    found: Floats = gathered**2 / (2 * start) + on - gathered + speed * gliding - gliding**2 / (2 * stop)
    return found
