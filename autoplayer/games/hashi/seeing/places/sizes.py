"""Boards whose islands are the larger, the larger their number is.

Their surroundings share no outline, but equal numbers have islands of one size, and a larger number never has a smaller
island. What breaks this rule is not an island: a badge, a button. The reader believes such a board only if it has a
solution.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats
from autoplayer.games.hashi.seeing.places import insides
from autoplayer.games.hashi.seeing.places.chart import OFF_LATTICE, SMALLEST, Chart, charted
from autoplayer.games.hashi.seeing.places.numbers import INSIDE, LEGIBLE, NUMBERS, Island, read
from autoplayer.games.hashi.seeing.places.outline import Outline, View, shared_outline

FEWEST = 5
"""Islands: with fewer anything follows the rule, and has a solution."""

SURE = 0.9
"""The least probability of a number that is used to learn how large its islands are."""

SAME = 0.07
"""Of an island's size: the largest difference to an island with the same number, or two pixels."""

GROWN = 1.15
"""The least ratio of the largest island's size to the smallest one's: with smaller differences the islands share one
outline."""

MOST_UNSURE = 0.3
"""Of the islands: how many others of an island's size, without a sure number, may stand on their lattice."""

RIM = 1.2
"""The width of an island with its rim, if no rim is seen: as a multiple of its inside's width."""


def find(seen: View) -> Chart | None:
    """The islands of a picture, which grow with their numbers; None if there are none."""
    for threshold in (max(12.0, 5 * seen.noise), max(5.0, 3 * seen.noise), max(30.0, 8 * seen.noise)):
        boxes, disc = insides.boxes(seen.strength, threshold)
        for is_round in (True, False):
            some = boxes[disc == is_round]
            chart = _charted(seen, some, is_round) if FEWEST <= len(some) <= MOST_BOXES else None
            if chart is not None:
                return chart
    return None


MOST_BOXES = 600
"""Insides of any size: more are a page's letters."""


def _charted(seen: View, boxes: NDArray[np.int32], is_round: bool) -> Chart | None:
    """The lattice of those of ``boxes`` that follow the rule."""
    size: Floats = boxes[:, 2:].min(axis=1).astype(np.float64)
    islands = _read(seen, boxes, size, is_round)
    number = np.array([int(one.candidates[0][0] or 0) if one.probability > SURE else 0 for one in islands])
    following = _following(number, size)
    if following is None:
        return None
    least, most = float(size[following].min()), float(size[following].max())
    if most < GROWN * least:
        return None
    chosen = [islands[k] for k in following]
    centres = [islands[k].centre for k in following if size[k] >= (1 - SAME) * most]
    rim = shared_outline(seen, centres, SMALLEST / 2, most, is_round)
    width, height = (RIM * most, RIM * most) if rim is None else (rim.width, rim.height)
    nothing = Outline(
        offsets=np.zeros((0, 2), np.int32),
        edges=np.zeros(0, np.float64),
        inner=least,
        width=width,
        height=height,
        round=is_round,
        likeness=0.0,
        strongest=0.0,
    )
    chart = charted(chosen, nothing)
    if chart is None or not chart.regular or len(chart.islands) < len(chosen):
        return None
    # A box of an island's size on the lattice may be an island whose number is hardly visible.
    slack = 1 + SAME
    there = [k for k in range(len(islands)) if least / slack <= size[k] <= most * slack and k not in set(following)]
    unsure = [islands[k] for k in there if _is_place(islands[k], chart)]
    if len(unsure) > MOST_UNSURE * len(chosen):
        return None
    whole = charted([*chosen, *unsure], nothing) if unsure else chart
    return whole if whole is not None and whole.regular else None


def _read(seen: View, boxes: NDArray[np.int32], size: Floats, is_round: bool) -> list[Island]:
    """The content of each of ``boxes``; those of about one size are read together."""
    centres: Floats = boxes[:, :2] + (boxes[:, 2:] - 1) / 2
    found: dict[int, Island] = {}
    order = np.argsort(size)
    steps = np.flatnonzero(np.diff(np.rint(np.log(np.maximum(size[order], 1)) / math.log(1 + SAME)))) + 1
    for group in np.split(order, steps):
        width = INSIDE * float(size[group].min())
        found |= zip(map(int, group), read(seen, centres[group], width, is_round), strict=True)
    return [found[k] for k in range(len(boxes))]


def _following(number: NDArray[np.int_], size: Floats) -> list[int] | None:
    """The largest set of boxes that follow the rule: one size for each number, growing with the number. None if there
    are too few. ``number``: what is read in each, 0 if that is not sure."""
    best: list[tuple[list[int], float]] = [([], 0.0)]
    for value in map(int, NUMBERS):
        own = np.flatnonzero(number == value)
        more: list[tuple[list[int], float]] = []
        for k in own:
            equal = own[np.abs(size[own] - size[k]) <= max(SAME * size[k], 2.0)]
            usual = float(np.median(size[equal]))
            before = max((some for some in best if some[1] <= (1 + SAME) * usual), key=lambda some: len(some[0]))
            more.append(([*before[0], *map(int, equal)], max(usual, before[1])))
        best += more
    chosen, _ = max(best, key=lambda some: len(some[0]))
    return chosen if len(chosen) >= FEWEST else None


def _is_place(one: Island, chart: Chart) -> bool:
    """Whether a possible number stands on the lattice of ``chart``, among its islands."""
    if one.content.bare and one.probability <= LEGIBLE:
        return False
    across = np.abs(np.array(chart.xs) - one.centre[0]).min() / chart.pitch_x
    down = np.abs(np.array(chart.ys) - one.centre[1]).min() / chart.pitch_y
    return bool(max(across, down) <= OFF_LATTICE)
