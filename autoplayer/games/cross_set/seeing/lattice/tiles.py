"""Finds boards of Cross Set without walls in which some cells are filled, as locked ones are: the fills end where cells
do, also those of several cells side by side, which have no wall between them. Knows no digits."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats, Image, Mask, largest_channel
from autoplayer.vision import lattice
from autoplayer.vision.views import View

SHORTEST = 24
"""Pixels: a side of a filled cell is at least so long."""

STRONG = 2.0
"""The sides of fills are stronger than the weakest visible edge by this factor at least: the outermost pixels of a soft
edge are not."""

SAME = 2.0
"""Pixels by which lines deviate from a lattice, because of soft edges and fractions of a pixel."""

FEWEST = 3
"""The least number of lines in each direction: two cells that share a corner have so many."""

FITS = 0.9
"""The share of the length of all lines that lies on the lattice."""

LEAST = 0.005
"""A number covers more than this share of its cell's middle; noise does not."""

MIDDLE = 0.2
"""The share of a cell on each side that is ignored when it is examined for numbers."""


def tiled(image: Image, noise: float) -> Iterator[tuple[View, lattice.Lattice]]:
    """The lattices on which the sides of filled areas of ``image`` (BGR) lie: of all, and of those that touch each
    other. Their cells are the positions in which something stands. ``noise``: grey levels."""
    if image.ndim != 3 or min(image.shape[:2]) < 3 * SHORTEST:
        return
    view = View(image, lattice.edge_strength(image), noise, max(12.0, 5 * noise), False)
    upright = np.zeros(image.shape[:2], np.uint8)
    flat = np.zeros_like(upright)
    upright[:, 1:-1] = largest_channel(cv2.absdiff(image[:, 2:], image[:, :-2])) > STRONG * view.threshold
    flat[1:-1] = largest_channel(cv2.absdiff(image[2:], image[:-2])) > STRONG * view.threshold
    upright = np.asarray(cv2.morphologyEx(upright, cv2.MORPH_OPEN, np.ones((SHORTEST, 1), np.uint8)), np.uint8)
    flat = np.asarray(cv2.morphologyEx(flat, cv2.MORPH_OPEN, np.ones((1, SHORTEST), np.uint8)), np.uint8)
    _, areas = cv2.connectedComponents(cv2.dilate(upright | flat, np.ones((3, 3), np.uint8)), connectivity=8)
    touching = np.asarray(areas, np.int32)
    xs, ys = _lines(upright, touching), _lines(flat.T, touching.T)
    met: list[Floats] = []
    for whose in (None, *sorted(set(xs[:, 2]) & set(ys[:, 2]))):
        across, down = (_spaced(each if whose is None else each[each[:, 2] == whose]) for each in (xs, ys))
        if across is None or down is None:
            continue
        own = np.array([*across, *down])
        if any(np.abs(own - other).max() <= SAME for other in met):
            continue
        met.append(own)
        found = _occupied(view, across, down)
        if found is not None:
            yield view, found


def _lines(long: Mask, touching: NDArray[np.int32]) -> Floats:
    """Lines along the columns of a picture: the middle across and the length, pixels, and the number of the area in
    ``touching`` that each lies in, shape ``(n, 3)``."""
    _, labels, stats, middles = cv2.connectedComponentsWithStats(np.ascontiguousarray(long), connectivity=8)
    narrow = np.flatnonzero(stats[:, cv2.CC_STAT_WIDTH] <= 2 * SAME)
    narrow = narrow[narrow > 0]
    whose = np.zeros(len(stats), np.int32)
    whose[labels[long > 0]] = touching[long > 0]
    # A change over two pixels belongs to the border between them.
    return np.stack([middles[narrow, 0] + 0.5, stats[narrow, cv2.CC_STAT_HEIGHT], whose[narrow]], axis=1)


def _spaced(lines: Floats) -> tuple[float, float] | None:
    """The first line and the distance of equally spaced ones on which most of the ``lines`` lie, pixels; None if there
    are none."""
    groups: list[list[NDArray[np.float64]]] = []
    for line in lines[np.argsort(lines[:, 0]), :2]:
        if groups and line[0] - groups[-1][-1][0] <= SAME:
            groups[-1].append(line)
        else:
            groups.append([line])
    if len(groups) < FEWEST:
        return None
    places = np.array([np.average([a for a, _ in each], weights=[w for _, w in each]) for each in groups])
    weights = np.array([sum(w for _, w in each) for each in groups])
    best: tuple[float, float, float] | None = None
    steps = np.unique(np.round(np.diff(places), 1))
    for step in steps[steps >= SHORTEST].tolist():
        for first in places[:FEWEST].tolist():
            counts = np.rint((places - first) / step)
            fits = np.abs(places - first - counts * step) <= SAME + 0.01 * np.abs(counts) * step
            share = float(weights[fits].sum() / weights.sum())
            if share >= FITS and len(set(counts[fits])) >= FEWEST and (best is None or step > best[1] + SAME):
                pitch, start = np.polyfit(counts[fits], places[fits], 1, w=weights[fits]).tolist()
                best = start, pitch, share
    return None if best is None else (best[0] % best[1], best[1])


def _occupied(view: View, across: tuple[float, float], down: tuple[float, float]) -> lattice.Lattice | None:
    """The lattice whose cells are those in which something stands; None if there are none. ``across``, ``down``: the
    first line, and the distance of the lines."""
    (x, pitch_x), (y, pitch_y) = across, down
    height, width = view.image.shape[:2]
    rows = range(-int(y // pitch_y), int((height - y) // pitch_y))
    columns = range(-int(x // pitch_x), int((width - x) // pitch_x))
    cells = []
    for r in rows:
        for c in columns:
            left, top = x + (c + MIDDLE) * pitch_x, y + (r + MIDDLE) * pitch_y
            right, bottom = left + (1 - 2 * MIDDLE) * pitch_x, top + (1 - 2 * MIDDLE) * pitch_y
            patch = view.image[round(top) : round(bottom), round(left) : round(right)]
            if patch.size and _holds_something(patch, view.threshold):
                cells.append((r, c))
    if not cells:
        return None
    first_row, first_column = min(r for r, _ in cells), min(c for _, c in cells)
    where = frozenset((r - first_row, c - first_column) for r, c in cells)
    middle = x + (first_column + 0.5) * pitch_x, y + (first_row + 0.5) * pitch_y
    return lattice.Lattice(*middle, pitch_x, pitch_y, 0.96 * pitch_x, 0.96 * pitch_y, where)


def _holds_something(patch: Image, threshold: float) -> bool:
    """Whether more differs from the ground than single pixels in much noise."""
    ground = np.median(patch, axis=(0, 1)).astype(np.uint8)
    away = largest_channel(cv2.absdiff(patch, np.broadcast_to(ground, patch.shape).copy()))
    return int(np.count_nonzero(away > threshold)) > LEAST * away.size
