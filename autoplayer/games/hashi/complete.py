"""Islands that show no number, for they have all their bridges: blank discs, or a tick in each.

Windows that draw these count down as a rule: the other numbers then say what remains, and not what the level asks for
(see ``remaining``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.hashi.chart import Chart, extended
from autoplayer.games.hashi.looks import free_cells
from autoplayer.games.hashi.outline import View, climbed, presence

BEYOND = 2
"""Rows and columns beyond the islands that are known in which such islands are looked for."""

SHOWS = 30.0
"""Grey levels by which, in some channel, a bridge, or an island, differs from the water beside it at least."""

EVEN = 14.0
"""Grey levels by which the inside of a blank island differs from its middle at most."""

NEARLY, THE_SAME = 0.55, 0.8
"""The correlation with the outline, as a share of the usual one, from which on a place is looked at closely, and that
of an island which is drawn as the others are."""

INSIDE, ROUND_OUTSIDE, SQUARE_OUTSIDE, LEADS = 0.3, 0.44, 0.57, 0.62
"""Of an island's size: how far from its middle is surely inside of it; outside of it, in both directions at once, where
it is round and where it is square; and on a bridge that leads away from it."""

LARGEST = 0.85
"""Of the pitch: between islands that are larger, their neighbours look like bridges, and their rims like an island."""

ASIDE, FARTHER = 0.14, 1.15
"""Of an island's size: how far from the middle of its way one of two lines runs; and how many times as far outside of
an island there still is none: a grid's line is thinner."""

_AXES = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float64)
_CORNERS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)], np.float64)
_WAYS = np.concatenate([LEADS * _AXES + k * ASIDE * _AXES[:, ::-1] for k in (-1, 0, 1)])


def without_numbers(seen: View, chart: Chart) -> tuple[Chart, list[Cell]]:
    """The places of the lattice without a number that show an island from which a bridge leads away; on the lattice
    of the chart that is returned: it may have more rows and columns than ``chart``."""
    size = seen.image.shape[1], seen.image.shape[0]
    wider = extended(chart, size, BEYOND)
    free = list(free_cells(wider))
    places = np.array([(wider.xs[c], wider.ys[r]) for r, c in free]).reshape(-1, 2)
    round_ = chart.outline.round
    far = (ROUND_OUTSIDE if round_ else SQUARE_OUTSIDE) * chart.size
    if not len(places) or chart.size > LARGEST * min(chart.pitch_x, chart.pitch_y):
        return wider, []
    water = _colours(seen.image, places, np.concatenate([far * _CORNERS, FARTHER * far * _CORNERS]))
    leads = (_away(_colours(seen.image, places, chart.size * _WAYS), water.mean(axis=1)) >= SHOWS).any(axis=1)
    places, water, index = places[leads], water[leads], np.flatnonzero(leads)
    if not len(places):
        return wider, []
    spots = INSIDE * chart.size * np.concatenate([_AXES, 0.7 * _CORNERS])
    middle = _colours(seen.image, places, np.zeros((1, 2)))
    blank = (_away(_colours(seen.image, places, spots), middle[:, 0]) <= EVEN).all(axis=1)
    blank &= (_away(water, middle[:, 0]) >= SHOWS).all(axis=1)
    known = np.array([one.centre for one in chart.islands.values()])
    least = float(np.median(presence(seen, chart.outline, known)))
    likely = ~blank & (presence(seen, chart.outline, places) >= NEARLY * least)
    _, like = climbed(seen, chart.outline, places[likely], (1, 1))
    shown = [*index[blank], *index[likely][like >= THE_SAME * least]]
    return wider, [free[int(k)] for k in sorted(shown)]


def _colours(image: Image, places: Floats, offsets: NDArray[np.float64]) -> Floats:
    """The colours at ``offsets``, shape ``(M, 2)``, from each of ``places``, shape ``(N, 2)``, BGR: ``(N, M, 3)``."""
    spots = np.rint(places[:, None] + offsets[None]).astype(int)
    xs, ys = np.clip(spots[..., 0], 0, image.shape[1] - 1), np.clip(spots[..., 1], 0, image.shape[0] - 1)
    return np.asarray(image[ys, xs], np.float64)


def _away(colours: Floats, from_: Floats) -> Floats:
    """How far ``colours``, shape ``(N, M, 3)``, are from one for each place, ``(N, 3)``, in the channel that differs
    most."""
    far: Floats = np.abs(colours - from_[:, None]).max(axis=2)
    return far
