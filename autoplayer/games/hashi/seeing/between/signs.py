"""Bridges that are written, not drawn: on the way from island to island each place of the lattice holds a sign, as "-",
"=", "|" or "‖" in the cells of a table. Between two signs there is more water than a line with gaps has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.hashi.puzzle import Bridge
from autoplayer.games.hashi.seeing.between.lines import FAINTEST, HALF, Line, same_pen
from autoplayer.games.hashi.seeing.between.strips import SAMPLES, WHOLE, is_even, lines_within
from autoplayer.games.hashi.seeing.places.chart import Chart

ROOM = 0.4
"""Of the pitch: how far from the middle of its place a sign reaches at most."""

SLIM = 1.7
"""How many times as long as broad each stroke is: a square is none."""

STRAIGHT = 0.85
"""The least share of a sign's length on which a stroke has ink at one distance from the way; and of its ink, the least
that belongs to such strokes. A cross has hardly any."""

CENTRED = 0.15
"""Of the pitch: the largest distance of a sign from the middle of its place, along the way."""


def are_possible(lines: Sequence[Line]) -> bool:
    """Whether signs may be the bridges of a picture: none of its ``lines`` runs from island to island without gaps."""
    return not any(line.count and line.whole and not line.solid < WHOLE for line in lines)


def signs_between(image: Image, bridges: Sequence[Bridge], chart: Chart, noise: float) -> dict[int, Line]:
    """The lines of which the signs between the islands of each bridge are pieces, by the bridge's index; only of those
    bridges that have the same sign in each place on their way."""
    at: dict[tuple[Cell, bool], Line] = {}
    found: dict[int, Line] = {}
    for k, (a, b) in enumerate(bridges):
        upright = a[1] == b[1]
        inside = [(r, a[1]) for r in range(a[0] + 1, b[0])] if upright else [(a[0], c) for c in range(a[1] + 1, b[1])]
        signs: list[Line] = []
        for cell in inside:
            if (cell, upright) not in at:
                at[cell, upright] = _sign(image, cell, upright, chart, noise)
            if not at[cell, upright].count or (signs and not _alike(signs[0], at[cell, upright])):
                break
            signs.append(at[cell, upright])
        if signs and len(signs) == len(inside):
            found[k] = replace(signs[0], solid=math.nan)
    return found


def _alike(one: Line, other: Line) -> bool:
    return one.count == other.count and same_pen(one, other)


def _sign(image: Image, cell: Cell, upright: bool, chart: Chart, noise: float) -> Line:
    """The sign in one place, as a line along the way; ``Line(0)`` if it is not one or two strokes along it."""
    x, y = chart.xs[cell[1]], chart.ys[cell[0]]
    wide, high = (int(ROOM * pitch) for pitch in (chart.pitch_x, chart.pitch_y))
    box = Box(round(x) - wide, round(y) - high, 2 * wide + 1, 2 * high + 1)
    patch = box.crop(image)
    if patch.shape[:2] != (box.height, box.width) or is_even(image, box):
        return Line(0)
    along = patch if upright else patch.transpose(1, 0, 2)
    rim = np.concatenate([along[0], along[-1], along[:, 0], along[:, -1]])
    away = np.abs(along.astype(np.float32) - np.median(rim, axis=0)).max(axis=2)
    inked = away > max(HALF * float(away.max()), FAINTEST + 2 * noise)
    if inked[[0, -1]].any() or inked[:, [0, -1]].any() or not inked.any():
        return Line(0)
    return _strokes(along, inked, chart.pitch_y if upright else chart.pitch_x, noise)


def _strokes(along: NDArray[np.uint8], inked: NDArray[np.bool_], pitch: float, noise: float) -> Line:
    """The strokes in a place, seen ``along`` the way: shape ``(steps, offsets, 3)``; ``inked``: where ink is."""
    steps = np.flatnonzero(inked.any(axis=1))
    first, last = int(steps[0]), int(steps[-1])
    length = last - first + 1
    if length <= 2 or abs(first + last - len(along) + 1) > 2 * CENTRED * pitch:
        return Line(0)
    across = inked[first + 1 : last].sum(axis=0)  # the ends of thin strokes are soft
    if across[across >= STRAIGHT * (length - 2)].sum() < STRAIGHT * across.sum():
        return Line(0)
    reached = np.rint(np.linspace(first, last, SAMPLES)).astype(int)
    (line,) = lines_within(along[reached][None], [float(length)], 2.0 * (along.shape[1] // 2), noise)
    if line is None or not line.whole or length * line.count < SLIM * line.breadth:
        return Line(0)
    return line
