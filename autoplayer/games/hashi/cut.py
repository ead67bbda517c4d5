"""Which islands the window's edge cuts through."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.games.hashi.chart import Chart
from autoplayer.games.hashi.looks import learn, likeness
from autoplayer.games.hashi.others import LOOKS_COVERED, LOOKS_LIKE, VERY_LIKE
from autoplayer.games.hashi.outline import FLAT, Outline, View, presence


def cut_off(seen: View, chart: Chart) -> dict[str, int]:
    """At which sides of the picture islands of the board are cut through, with how many of them:
    ``top bottom left right``."""
    height, width = seen.gray.shape
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    half = 0.45 * chart.outline.inner
    beyond: dict[str, Callable[[float, float], bool]] = {
        "top": lambda x, y: y < half,
        "bottom": lambda x, y: y > height - 1 - half,
        "left": lambda x, y: x < half,
        "right": lambda x, y: x > width - 1 - half,
    }
    found: dict[str, int] = {}
    for side, places in {
        "top": [(x, y) for y in _beyond(chart.ys[0], -chart.pitch_y, 0, chart.height) for x in chart.xs],
        "bottom": [(x, y) for y in _beyond(chart.ys[-1], chart.pitch_y, height - 1, chart.height) for x in chart.xs],
        "left": [(x, y) for x in _beyond(chart.xs[0], -chart.pitch_x, 0, chart.width) for y in chart.ys],
        "right": [(x, y) for x in _beyond(chart.xs[-1], chart.pitch_x, width - 1, chart.width) for y in chart.ys],
    }.items():
        met, part = _seen_in_part(seen, chart.outline, places)
        like = (met >= VERY_LIKE * usual) & ((part >= SEEN_OF_CUT) | ~_beside(chart, places))
        looks = learn(seen, chart) if like.any() else None
        if looks is None:
            like &= part >= SEEN_OF_CUT
        else:  # a button's picture may have such an outline, and a small part of one something else
            enough = np.where(part >= SEEN_OF_CUT, LOOKS_COVERED, LOOKS_LIKE)
            like[like] = likeness(seen, looks, np.array(places)[like]) >= enough[like]
        cut = int(like.sum())
        # Islands stand at some places only; a frame's line is met at all of them.
        if cut > MOST_CUT * len(places):
            cut = 0
        cut += sum(beyond[side](*one.centre) for one in chart.islands.values())
        if cut:
            found[side] = cut
    return found


def _beside(chart: Chart, places: Sequence[tuple[float, float]]) -> NDArray[np.bool_]:
    """Which of ``places`` are so close to an island that its own rim may be seen there."""
    centres = np.array([one.centre for one in chart.islands.values()])
    away = np.abs(np.array(places).reshape(-1, 1, 2) - centres[None])
    return np.asarray((away < (NEXT * chart.width, NEXT * chart.height)).all(axis=2).any(axis=1), np.bool_)


NEXT = 1.25
"""Of an island's size: how far from the next one an island is that has nothing of its rim."""


def _beyond(last: float, pitch: float, edge: float, size: float) -> list[float]:
    """Where on the lattice, beyond its ``last`` line, islands would be cut by the window's edge."""
    return [at for at in (last + k * pitch for k in range(1, MOST_EMPTY + 2)) if abs(at - edge) < size / 2]


def _seen_in_part(seen: View, outline: Outline, centres: Sequence[tuple[float, float]]) -> tuple[Floats, Floats]:
    """How well the part of an island's outline that lies inside the picture is met, within a pixel of each of
    ``centres``, 0 where too little of it does; and how much of it lies inside."""
    nothing = np.zeros(len(centres))
    if not centres or not outline.drawn:
        return nothing, nothing
    height, width = seen.strength.shape
    left, top = np.rint(np.min(centres, axis=0)).astype(int) + outline.offsets.min(axis=0) - 1
    right, bottom = np.rint(np.max(centres, axis=0)).astype(int) + outline.offsets.max(axis=0) + 2
    if not seen.strength[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)].any():
        return nothing, nothing  # even water
    shifts = np.array(list(itertools.product((-1, 0, 1), repeat=2)))
    spots = np.rint(np.array(centres)).astype(int)[:, None, None] + shifts[None, :, None] + outline.offsets
    x, y = spots[..., 0], spots[..., 1]
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    count = np.maximum(inside.sum(axis=2), 1)[..., None]
    here = seen.strength[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float32)
    here = np.where(inside, np.minimum(here, outline.strongest), 0)
    here = np.where(inside, here - here.sum(axis=2, keepdims=True) / count, 0)
    edges = np.where(inside, outline.edges, 0)
    edges = np.where(inside, edges - edges.sum(axis=2, keepdims=True) / count, 0)
    weak = FLAT * np.sqrt(count[..., 0])
    length = np.linalg.norm(edges, axis=2) * np.maximum(np.linalg.norm(here, axis=2), weak)
    like = (edges * here).sum(axis=2) / np.maximum(length, 1e-6)
    part = inside.mean(axis=2)
    like[part < LEAST_OF_CUT] = 0
    return np.asarray(like.max(axis=1), np.float64), np.asarray(part.max(axis=1), np.float64)


MOST_EMPTY = 2
"""Empty rows between the last one that is seen and one that is cut: more are rare, and furniture stands farther off."""

MOST_CUT = 0.6
"""The part of the places along an edge at which islands may be cut."""

SEEN_OF_CUT, LEAST_OF_CUT = 0.35, 0.12
"""The part of an island that must be seen at the window's edge to be known as one; and where all of that has the
islands' colours."""
