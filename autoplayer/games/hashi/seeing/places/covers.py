"""Which number stands under a pointer or a hint: the strokes visible beside the cover are compared with the board's own
numbers. A cover may hide ink, but does not show clean ground where ink would be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Cell, Floats, Image
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.numbers import NUMBERS, Island
from autoplayer.games.hashi.seeing.places.outline import View
from autoplayer.vision import alike

KNOWN = 0.97
"""An island whose number is more probable than this is an example of it."""

MOST_EXAMPLES = 5
"""Examples of a number that are averaged."""

NEAR = 0.35
"""Of the contrast between a number and its ground: a pixel closer to one of them than this shows it."""

BARE_INK, STRAY_INK = 9.0, 4.0
"""The penalty, as a logarithm, for clean ground where a number has its ink, and for the ink's colour where it has none
(which the cover itself may have): for all of the number's ink."""

UNKNOWN = 0.25
"""The penalty for a number that occurs nowhere else on the board: as if this share of its ink were missing."""

SHIFTS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
"""Pixels by which an island may be displaced from its known place."""


@dataclass(frozen=True)
class Examples:
    """``inks``: the look of each number around an island's centre, shape ``(side, side)``. ``colours``: the pairs of
    ground and ink that occur, BGR."""

    side: int
    inks: dict[str, Floats]
    colours: tuple[tuple[Floats, Floats], ...]


def examples(chart: Chart) -> Examples | None:
    """The board's own numbers; None if none is sure."""
    side = 2 * math.ceil(chart.core / 2) + 1
    sheets: dict[str, list[Floats]] = {}
    colours: list[tuple[Floats, Floats]] = []
    for one in chart.islands.values():
        if one.content.bare or one.probability < KNOWN:
            continue
        pair = one.content.ground, one.content.colour
        if not any(
            max(float(np.abs(a - b).max()) for a, b in zip(pair, other, strict=True)) < ALIKE for other in colours
        ):
            colours.append(pair)
        some = sheets.setdefault(one.candidates[0][0], [])
        if len(some) < MOST_EXAMPLES:
            some.append(_sheet(one, side))
    if not sheets:
        return None
    means = {number: np.asarray(np.median(np.stack(some), axis=0), np.float32) for number, some in sheets.items()}
    # Signs at different positions in their islands have no pixels in common.
    inks = {number: mean for number, mean in means.items() if float(mean.sum()) >= LEAST_INK}
    return Examples(side, inks, tuple(colours[:MOST_COLOURS])) if inks else None


def resembling(chart: Chart, cells: Sequence[Cell]) -> dict[Cell, dict[str, float]]:
    """For each of ``cells``, the likelihood of its ink under each number, by comparison with the board's own sure
    numbers of its size: equal numbers resemble each other. Cells without ink, and boards with too few examples, are
    left out."""
    known: dict[str, list[tuple[Floats, int]]] = {}
    for one in chart.islands.values():
        some = known.setdefault(one.candidates[0][0], [])
        if not one.content.bare and one.probability >= KNOWN and len(some) < MOST_COMPARED:
            some.append((alike.vector(one.content.ink), one.content.box.height))
    usual = _usual(known)
    found: dict[Cell, dict[str, float]] = {}
    for cell in cells if usual is not None else ():
        here = chart.islands[cell].content
        if not here.bare:
            vector = alike.vector(here.ink)
            like = {number: _like(vector, here.box.height, some) for number, some in known.items()}
            found[cell] = {number: _likely(like.get(number, []), usual or 1.0) for number in NUMBERS}
    return found


def _usual(known: Mapping[str, Sequence[tuple[Floats, int]]]) -> float | None:
    """How similar equal numbers of a board usually are, as a correlation; None if too few can be compared."""
    found = [
        max(like)
        for some in known.values()
        for k, (vector, height) in enumerate(some)
        if (like := _like(vector, height, [*some[:k], *some[k + 1 :]]))
    ]
    return float(np.percentile(found, 20)) if len(found) >= FEWEST_PAIRS else None


def _like(vector: Floats, height: int, some: Sequence[tuple[Floats, int]]) -> list[float]:
    """How similar an ink is to each of ``some`` that have its height."""
    return [float(vector @ other) for other, h in some if abs(h - height) <= max(1, SIZE * height)]


def _likely(like: Sequence[float], usual: float) -> float:
    """The likelihood of an ink with this similarity to the examples of a number."""
    if not like:
        return NOT_MET
    sharp = SHARP if len(like) > 2 else SHARP / 2
    return math.exp(max(sharp * min(max(like) - usual, 0.0), MOST_UNLIKE))


MOST_COMPARED = 12
"""Examples of a number with which others are compared."""

FEWEST_PAIRS = 6
"""Numbers that must have an equal one, for it to be known how much equal ones resemble each other."""

SIZE = 0.12
"""By how much, as a share, the heights of two equal numbers of a board differ at most; a pixel is allowed."""

NOT_MET = 0.14
"""The likelihood of a number that occurs nowhere else on the board in its size."""

SHARP, MOST_UNLIKE = 20.0, -4.0
"""The penalty, as a logarithm, if an ink resembles a number's examples less than is usual: for a correlation of 0
instead of 1; and the largest penalty."""

ALIKE = 24.0
"""Grey levels by which the grounds and inks of two islands of one state differ at most."""

MOST_COLOURS = 8

LEAST_INK = 4.0
"""Pixels: what all examples of a number have in common, at least."""


def is_covered(seen: View, known: Examples, centre: tuple[float, float]) -> bool:
    """Whether a colour shows around ``centre`` that is neither a ground's, nor a number's, nor a mixture of these."""
    patch = _patch(seen.image, centre, known.side).reshape(-1, 3)
    foreign = np.ones(len(patch), bool)
    for ground, colour in known.colours:
        way = colour - ground
        along = np.clip((patch - ground) @ way / max(float(way @ way), 1.0), -0.1, 1.1)
        foreign &= np.abs(patch - ground - along[:, None] * way).max(axis=1) > FOREIGN + 3 * seen.noise
    return float(foreign.mean()) > COVERED


FOREIGN, COVERED = 30.0, 0.04
"""The difference in grey levels, in a channel, from which a colour is no mixture of a ground's and a number's; and the
least share of a number's area with such colours."""


def chances(seen: View, known: Examples, centre: tuple[float, float]) -> dict[str, float]:
    """How well each number explains the pixels around ``centre``; the best number has 1."""
    patch = _patch(seen.image, centre, known.side + 2)
    against: dict[str, float] = {}
    for ground, colour in known.colours:
        contrast = float(np.abs(ground - colour).max())
        # A pixel between the two may be a stroke's edge: it is no evidence.
        clean = np.abs(patch - ground).max(axis=2) < NEAR * contrast
        inked = np.abs(patch - colour).max(axis=2) < NEAR * contrast
        if clean.mean() < LEAST_GROUND:
            continue
        for number, sheet in known.inks.items():
            least = min(_against(sheet, clean, inked, shift) for shift in SHIFTS)
            against[number] = min(against.get(number, least), least)
    if not against:
        return dict.fromkeys(NUMBERS, 1.0)
    unknown = min(against.values()) + BARE_INK * UNKNOWN
    best = min(against.values())
    return {number: math.exp(best - against.get(number, unknown)) for number in NUMBERS}


LEAST_GROUND = 0.15
"""The part of a number's room that must show the ground of a state for the island to be in it."""


def _against(sheet: Floats, clean: Floats, inked: Floats, shift: tuple[int, int]) -> float:
    """The evidence against a number at a position; ``sheet``: its ink, shape ``(side, side)``; ``clean``, ``inked``:
    where ground and ink are visible, a pixel larger on each side."""
    side = len(sheet)
    x, y = 1 + shift[0], 1 + shift[1]
    ground, drawn = clean[y : y + side, x : x + side], inked[y : y + side, x : x + side]
    ink = float(sheet.sum())
    around = cv2.dilate(sheet, np.ones((3, 3), np.uint8))
    missing = float((np.where(sheet > FULL, sheet, 0) * ground).sum()) / ink
    stray = float(((around < FREE) * drawn).sum()) / ink
    return BARE_INK * missing + STRAY_INK * min(stray, 1.0)


FULL, FREE = 0.6, 0.1
"""The ink from which a pixel belongs to a stroke, and up to which it belongs to none."""


def _sheet(one: Island, side: int) -> Floats:
    """An island's ink at its position around the centre, shape ``(side, side)``."""
    box = one.content.box
    whole: Floats = np.zeros((side, side), np.float32)
    ink = cv2.resize(one.content.ink, (box.width, box.height), interpolation=cv2.INTER_LINEAR)
    left, top = box.x - round(one.centre[0]) + side // 2, box.y - round(one.centre[1]) + side // 2
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + box.width, side), min(top + box.height, side)
    if x1 > x0 and y1 > y0:
        whole[y0:y1, x0:x1] = ink[y0 - top : y1 - top, x0 - left : x1 - left]
    return whole


def _patch(image: Image, centre: tuple[float, float], side: int) -> Floats:
    """The square of ``side`` pixels around ``centre``, BGR; the nearest colour outside the picture."""
    half = side // 2
    xs = np.clip(round(centre[0]) + np.arange(-half, half + 1), 0, image.shape[1] - 1)
    ys = np.clip(round(centre[1]) + np.arange(-half, half + 1), 0, image.shape[0] - 1)
    return image[ys[:, None], xs[None, :]].astype(np.float32)
