"""Walks and jumps as curves: they tell how fast a figure walks, how high it jumps, and how soon it answers.

Lengths are tile pixels, times seconds.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from autoplayer.games.continuity.piloting.watching import MOVED

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
    step are left out: they may be parts of one. Theil and Sen's slope: late pictures do not bend it."""
    moving = [at for at in range(1, len(track)) if abs(track[at].x - track[at - 1].x) > MOVED]
    if len(moving) < 3:
        return None
    part = track[moving[0] : moving[-1] + 1]
    if len(part) > 4:
        part = part[:-1]
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
