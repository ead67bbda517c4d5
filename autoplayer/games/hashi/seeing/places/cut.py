"""Islands that the window's edge cuts through."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.games.hashi.seeing.places.chart import CLOSEST, Chart
from autoplayer.games.hashi.seeing.places.looks import learn, nearest_like
from autoplayer.games.hashi.seeing.places.others import LOOKS_COVERED, LOOKS_LIKE, VERY_LIKE
from autoplayer.games.hashi.seeing.places.outline import FLAT, Outline, View, presence
from autoplayer.vision import ink

SIDES = ("top", "bottom", "left", "right")


def cut_off(seen: View, chart: Chart) -> dict[str, int]:
    """The sides of the picture at which islands of the board are cut through, with the number of these islands."""
    height, width = seen.strength.shape
    half = 0.5 * chart.outline.inner - NEARLY_WHOLE * seen.scale
    centres = np.array([one.centre for one in chart.islands.values()])
    room = {
        "top": centres[:, 1],
        "bottom": height - 1 - centres[:, 1],
        "left": centres[:, 0],
        "right": width - 1 - centres[:, 0],
    }
    found: dict[str, int] = {}
    for side in SIDES:
        cut = int((room[side] < half).sum()) + _beyond(seen, chart, side)
        if cut:
            found[side] = cut
    return found


NEARLY_WHOLE = 1.5
"""The window's pixels by which the inside of an island may seem to extend beyond the edge, since its middle and its
size are known to a pixel each. If it extends farther, its rim at that side is not visible at all."""


def _beyond(seen: View, chart: Chart, side: str) -> int:
    """How many islands beyond all known ones, in their rows or columns, the edge at that ``side`` cuts through: the
    distance between columns is not known well enough if few are seen."""
    if not chart.outline.drawn:
        return 0
    places = _seen_in_part(seen, chart, side)
    if not places:
        return 0
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    places = [place for place in places if place[1] >= VERY_LIKE * usual]
    if not places:
        return 0
    spots, met, parts = (np.array(each) for each in zip(*places, strict=True))
    much = parts >= SEEN_OF_CUT
    # Beside an island its own rim may be seen, and noise far from all of them.
    like = much | ~(_beside(chart, spots) | _far_beyond(chart, spots, side))
    looks = learn(seen, chart) if like.any() else None
    if looks is None:
        like &= much | (met >= SURELY_MET * usual)
    else:  # a button's picture may have such an outline, and a small part of one something else
        like[like] = nearest_like(seen, looks, spots[like])[1] >= np.where(much, LOOKS_COVERED, LOOKS_LIKE)[like]
    return int(like.sum())


SURELY_MET = 0.9
"""Of the usual correlation with the outline: the least for the visible part of a cut island, if colours are no
evidence."""


def _beside(chart: Chart, places: Floats) -> NDArray[np.bool_]:
    """Which of ``places`` are so close to an island that they may show its rim."""
    centres = np.array([one.centre for one in chart.islands.values()])
    away = np.abs(places.reshape(-1, 1, 2) - centres[None])
    return np.asarray((away < (NEXT * chart.width, NEXT * chart.height)).all(axis=2).any(axis=1), np.bool_)


NEXT = 1.25
"""Of an island's size: beyond this distance from the next island, nothing of that island's rim is visible."""


def _far_beyond(chart: Chart, places: Floats, side: str) -> NDArray[np.bool_]:
    """Which of ``places`` are separated from the board by more empty rows (or columns) than any two of its rows, and by
    more than one."""
    axis = int(side in ("top", "bottom"))
    centres = np.array([one.centre[axis] for one in chart.islands.values()])
    taken = np.array(sorted({cell[1 - axis] for cell in chart.islands}))
    pitch = chart.pitch_y if axis else chart.pitch_x
    widest = max(int(np.diff(taken).max(initial=0)), FARTHEST)
    away = np.abs(places.reshape(-1, 1, 2)[..., axis] - centres).min(axis=1)
    return np.asarray(away > (widest + 0.5) * pitch, np.bool_)


FARTHEST = 2
"""The largest number of rows from the last one to one that is cut by the edge, if the board's rows are closer to one
another: with one empty row between."""


def _seen_in_part(seen: View, chart: Chart, side: str) -> list[tuple[tuple[float, float], float, float]]:
    """The positions in the islands' rows or columns, beyond all of them and cut by the edge at that ``side``, at which
    the visible part of the outline matches best; how well it matches; and how large that part is. A line along the edge
    is not an island: it also matches half an island farther on."""
    strength, size, lines, last = seen.strength, chart.width, chart.ys, chart.xs
    if upright := side in ("top", "bottom"):
        strength, size, lines, last = strength.T, chart.height, chart.xs, chart.ys
    first = side in ("top", "left")
    edge, inward = (0, 1) if first else (strength.shape[1] - 1, -1)
    room = last[0] if first else edge - last[-1]
    # From where too little of an island is visible to where hardly anything is missing, or a known one stands.
    most = min(0.5 * chart.outline.inner - NEARLY_WHOLE * seen.scale, room - CLOSEST * size)
    depths = np.arange(math.ceil(-0.5 * size), math.ceil(most))
    if not len(depths):
        return []
    drawn = strength[:, :RIM] if first else strength[:, -RIM:]
    half = round(0.5 * (chart.width if upright else chart.height))
    edged = np.asarray(drawn > ink.FAINTEST / 2 + 3 * seen.noise, np.bool_).max(axis=1)
    found = []
    for line in map(round, lines):
        if not edged[max(line - half, 0) : line + half + 1].any():
            continue  # even water
        along = line + np.array([0, -1, 1, -half, half])
        spots = np.stack(np.meshgrid(edge + inward * depths, along), axis=-1)
        like, part = _likeness(seen, chart.outline, spots[..., ::-1] if upright else spots)
        shift, best = np.unravel_index(like[:3].argmax(), like[:3].shape)
        if like[3:].max() <= ELSEWHERE * like[shift, best]:
            x, y = spots[shift, best].tolist()
            place = (y, x) if upright else (x, y)
            found.append((place, float(like[shift, best]), float(part[shift, best])))
    return found


def _likeness(seen: View, outline: Outline, spots: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """How well the part of an island's outline inside the picture matches at each of ``spots``, whose last axis is
    ``(x, y)``, 0 if that part is too small; and the share of the outline inside."""
    height, width = seen.strength.shape
    x, y = np.moveaxis(spots[..., None, :] + outline.offsets, -1, 0)
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    count = np.maximum(inside.sum(axis=-1), 1)[..., None]
    here = seen.strength[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float32)
    here = np.where(inside, np.minimum(here, outline.strongest), 0)
    here = np.where(inside, here - here.sum(axis=-1, keepdims=True) / count, 0)
    edges = np.where(inside, outline.edges, 0)
    edges = np.where(inside, edges - edges.sum(axis=-1, keepdims=True) / count, 0)
    weak = FLAT * np.sqrt(count[..., 0])
    length = np.linalg.norm(edges, axis=-1) * np.maximum(np.linalg.norm(here, axis=-1), weak)
    like = (edges * here).sum(axis=-1) / np.maximum(length, 1e-6)
    part = inside.mean(axis=-1)
    like[part < LEAST_OF_CUT] = 0
    return np.asarray(like, np.float64), np.asarray(part, np.float64)


RIM = 3
"""Pixels along the picture's edge, in some of which the rim of a cut island is visible."""

ELSEWHERE = 0.7
"""Of the match of the outline at a cut island: the largest match half an island farther along the edge. The straight
side of a box covers half of the way there."""

SEEN_OF_CUT, LEAST_OF_CUT = 0.35, 0.12
"""The least visible share of an island at the window's edge for it to be recognised; and the same if all of that has
the islands' colours."""
