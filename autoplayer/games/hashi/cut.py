"""Which islands the window's edge cuts through."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from autoplayer.games.hashi.chart import Chart
from autoplayer.games.hashi.islands import VERY_LIKE
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
        cut = sum(_seen_in_part(seen, chart.outline, at) >= VERY_LIKE * usual for at in places)
        # Islands stand at some places only; a frame's line is met at all of them.
        if cut > MOST_CUT * len(places):
            cut = 0
        cut += sum(beyond[side](*one.centre) for one in chart.islands.values())
        if cut:
            found[side] = cut
    return found


def _beyond(last: float, pitch: float, edge: float, size: float) -> list[float]:
    """Where on the lattice, beyond its ``last`` line, islands would be cut by the window's edge."""
    return [at for at in (last + k * pitch for k in range(1, MOST_EMPTY + 2)) if abs(at - edge) < size / 2]


def _seen_in_part(seen: View, outline: Outline, centre: tuple[float, float]) -> float:
    """How well the part of an island's outline that lies inside the picture is met, within a pixel of ``centre``."""
    height, width = seen.strength.shape
    best = 0.0
    for shift in itertools.product((-1, 0, 1), repeat=2):
        x, y = (np.rint(np.array(centre)).astype(int) + shift + outline.offsets).T
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        if inside.mean() < SEEN_OF_CUT:
            continue
        here = np.minimum(seen.strength[y[inside], x[inside]].astype(np.float32), outline.strongest)
        here, edges = here - here.mean(), outline.edges[inside] - outline.edges[inside].mean()
        length = float(np.linalg.norm(edges)) * max(float(np.linalg.norm(here)), FLAT * len(here) ** 0.5)
        best = max(best, float(edges @ here) / max(length, 1e-6))
    return best


MOST_EMPTY = 2
"""Empty rows between the last one that is seen and one that is cut: more are rare, and furniture stands farther off."""

MOST_CUT = 0.6
"""The part of the places along an edge at which islands may be cut."""

SEEN_OF_CUT = 0.35
"""The part of an island that must be seen at the window's edge to be known as one."""
