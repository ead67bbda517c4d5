"""Which digit, or X, a piece of ink is: one glyph, or a whole number of up to three digits.

Ink is how much of a pixel is drawn, 0 to 1, whatever the colours were; finding the cells and taking their ink is for
the readers. Nothing here is certain: every answer is a distribution, and "" (not a number) is one of the answers.
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from autoplayer.core.frame import Floats
from autoplayer.vision.network import Network

CLASSES: tuple[str, ...] = (*"0123456789", "X", "")
"""What a glyph can be; "" is junk: anything but a single digit or X."""

SIZE = 28
"""Side of the network's input."""
GLYPH = 24
"""The longer side of a glyph in the network's input; the rest is an empty margin."""

JUNK = len(CLASSES) - 1
CROSS = CLASSES.index("X")

SURE = 0.95
"""A single glyph of at least this probability is not tried as several digits."""
NARROWEST_PAIR = 0.3
"""Two digits side by side are wider than this fraction of their height, even two bars."""
WIDEST_DIGIT = 1.3
"""No digit is wider than this fraction of the number's height, even in extended faces."""
LOWEST_DIGIT = 0.5
"""The lowest digit of a number (old-style numerals have low ones) is at least this fraction of the number's height."""
MOST_CUTS = 7
"""Places where a number is tried to be cut: two digits of seven segments have up to six gaps, plus one for luck."""
INKED = 0.3
"""Ink from here on belongs to a stroke; less is its soft edge."""
SPECK = 0.06
"""A piece with at most this share of the ink may be foreign: a remnant of a border, a speck."""


@functools.cache
def network() -> Network:
    """The trained network, loaded once."""
    with (
        importlib.resources.files("autoplayer.vision").joinpath("glyphs.npz").open("rb") as file,
        np.load(file) as arrays,
    ):
        return Network.from_arrays(arrays)


def normalise(ink: Floats) -> Floats:
    """One glyph's ink, cut to its bounding box, shape ``(h, w)``, as the network's input, shape ``(SIZE, SIZE)``.

    The longer side becomes ``GLYPH`` pixels, the shorter keeps its proportion, so that a 1 stays narrow; the darkest
    ink becomes 1, so that hairlines do not fade when a large glyph shrinks.
    """
    height, width = ink.shape
    longer = max(height, width)
    size = (max(round(width * GLYPH / longer), 1), max(round(height * GLYPH / longer), 1))
    way = cv2.INTER_AREA if longer > GLYPH else cv2.INTER_LINEAR
    small = cv2.resize(np.ascontiguousarray(ink, dtype=np.float32), size, interpolation=way)
    top = float(small.max())
    result = np.zeros((SIZE, SIZE), np.float32)
    if top <= 0:
        return result
    y, x = (SIZE - size[1]) // 2, (SIZE - size[0]) // 2
    result[y : y + size[1], x : x + size[0]] = np.clip(small / top, 0, 1)
    return result


def classify(inks: Sequence[Floats]) -> Floats:
    """The probabilities of ``CLASSES`` for each glyph, shape ``(N, len(CLASSES))``."""
    if not inks:
        return np.zeros((0, len(CLASSES)), np.float32)
    return network().probabilities(np.array([normalise(ink) for ink in inks]))


def read_number(ink: Floats) -> list[tuple[str, float]]:
    """What the ink of one cell says: ``(token, probability)``, the most probable first; "" for not a number.

    ``ink``: shape ``(h, w)``, cut to its bounding box; an X, or a number of up to three digits.
    """
    return read_numbers([ink])[0]


def read_numbers(inks: Sequence[Floats]) -> list[list[tuple[str, float]]]:
    """``read_number`` of each, with all glyphs that are in question at once going through the network together."""
    results: list[list[tuple[str, float]]] = []
    wholes = classify(inks)
    open_cases: list[tuple[int, list[_Split]]] = []
    pieces: list[Floats] = []
    for index, (ink, whole) in enumerate(zip(inks, wholes, strict=True)):
        results.append(_ranked({CLASSES[i]: float(p) for i, p in enumerate(whole)}))
        if whole[:JUNK].max() < SURE or ink.shape[1] > WIDEST_DIGIT * ink.shape[0]:
            splits = _splits(ink, pieces)
            if splits:
                open_cases.append((index, splits))
    read = classify(pieces)
    for index, splits in open_cases:
        results[index] = _combined(wholes[index], splits, read)
    return results


# ---- the ways to take a number apart ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    """One way to see a cell's ink: the indices of its pieces, in order from the left. One piece: the ink without
    specks that may be foreign."""

    pieces: tuple[int, ...]


def _cut_to_ink(ink: Floats) -> Floats | None:
    """The part inside the bounding box of the strokes; None where there is none."""
    strokes = ink > INKED
    rows, columns = np.flatnonzero(strokes.any(axis=1)), np.flatnonzero(strokes.any(axis=0))
    if not len(rows):
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _splits(ink: Floats, pieces: list[Floats]) -> list[_Split]:
    """The ways to see ``ink`` other than as a whole; their pieces are appended to ``pieces``."""
    height, width = ink.shape
    splits = []
    cleaned = _without_specks(ink)
    if cleaned is not None:
        splits.append(_Split((len(pieces),)))
        pieces.append(cleaned)
        ink = cleaned
        height, width = ink.shape
    if width < NARROWEST_PAIR * height:
        return splits
    for masks in _orders(ink):
        found: dict[tuple[int, int], int | None] = {}

        def piece(
            first: int, last: int, masks: list[Floats] = masks, found: dict[tuple[int, int], int | None] = found
        ) -> int | None:
            """The index of the piece between two cuts, or None where it cannot be a digit."""
            if (first, last) not in found:
                part = _cut_to_ink(np.max(masks[first:last], axis=0))
                fits = (
                    part is not None
                    and part.shape[0] >= LOWEST_DIGIT * height
                    and part.shape[1] <= WIDEST_DIGIT * height
                )
                found[first, last] = len(pieces) if fits else None
                if part is not None and fits:
                    pieces.append(part)
            return found[first, last]

        inner = range(1, len(masks))
        for count in (1, 2):
            for cuts in itertools.combinations(inner, count):
                bounds = (0, *cuts, len(masks))
                parts = [piece(a, b) for a, b in itertools.pairwise(bounds)]
                if None not in parts:
                    splits.append(_Split(tuple(p for p in parts if p is not None)))
    return splits


def _without_specks(ink: Floats) -> Floats | None:
    """The ink without its smallest loose pieces, cut to what is left; None where there are no such pieces."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((ink > INKED).astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    if count < 3 or areas.min() > SPECK * areas.sum():
        return None
    small = np.isin(labels, 1 + np.flatnonzero(areas <= SPECK * areas.sum()))
    if small.sum() > 2 * SPECK * areas.sum():  # many small pieces are the glyph itself: dots, segments
        return None
    around = cv2.dilate(small.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return _cut_to_ink(np.where(around & ((labels == 0) | small), np.float32(0), ink))


def _orders(ink: Floats) -> Iterable[list[Floats]]:
    """The ink as a row of slices from left to right, between any of which a number may be cut; each slice has the
    shape of ``ink``. First by loose pieces (slanted digits overlap in their columns), then by columns of little ink
    (digits that touch)."""
    count, labels, _, centres = cv2.connectedComponentsWithStats((ink > INKED).astype(np.uint8), connectivity=8)
    order = 1 + np.argsort(centres[1:, 0], kind="stable")
    if count > 2:
        steps = np.diff(centres[order, 0])
        cuts = np.sort(np.argsort(-steps, kind="stable")[:MOST_CUTS]) + 1
        bounds = [0, *cuts.tolist(), len(order)]
        rank = np.zeros(count, int)
        for number, (a, b) in enumerate(itertools.pairwise(bounds)):
            rank[order[a:b]] = number
        # soft edges belong to the stroke that they touch
        owner = cv2.dilate(np.where(labels > 0, rank[labels] + 1, 0).astype(np.uint8), np.ones((3, 3), np.uint8))
        owner = np.where(labels > 0, rank[labels] + 1, owner)
        yield [np.where(owner == number + 1, ink, np.float32(0)) for number in range(len(bounds) - 1)]
    profile = ink.sum(axis=0)
    places = _valleys(profile, ink.shape[0])
    if places:
        columns = np.arange(ink.shape[1])
        yield [
            np.where((columns >= a) & (columns < b), ink, np.float32(0))
            for a, b in itertools.pairwise([0, *places, ink.shape[1]])
        ]


def _valleys(profile: Floats, height: int) -> list[int]:
    """The columns of least ink, at least a tenth of the height apart and away from both ends, at most four."""
    reach = max(round(height * 0.1), 1)
    chosen: list[int] = []
    for column in np.argsort(profile, kind="stable").tolist():
        if reach <= column < len(profile) - reach and all(abs(column - c) >= 2 * reach for c in chosen):
            chosen.append(column)
        if len(chosen) == 4:
            break
    return sorted(chosen)


def _combined(whole: Floats, splits: list[_Split], read: Floats) -> list[tuple[str, float]]:
    """One distribution over tokens. The ink is a single glyph with the probability that the network gives, or what
    the best way to take it apart says, for the rest."""
    single = {CLASSES[i]: float(p) for i, p in enumerate(whole) if i != JUNK}
    rest = float(whole[JUNK])
    several: dict[str, float] = {}
    for split in splits:
        if len(split.pieces) == 1:
            options = [(CLASSES[i], float(p)) for i, p in enumerate(read[split.pieces[0]]) if i != JUNK]
        else:
            tops = [[int(i) for i in np.argsort(-read[p][:CROSS])[:3]] for p in split.pieces]
            options = [
                (
                    "".join(CLASSES[i] for i in digits),
                    float(np.prod([read[p][i] for p, i in zip(split.pieces, digits, strict=True)])),
                )
                for digits in itertools.product(*tops)
                if digits[0] != 0
            ]
        for token, probability in options:
            several[token] = max(several.get(token, 0.0), probability)
    total = sum(several.values())
    scale = rest / max(total, 1.0)
    tokens = dict(single)
    for token, probability in several.items():
        tokens[token] = tokens.get(token, 0.0) + probability * scale
    tokens[""] = max(rest - total * scale, 0.0)
    return _ranked(tokens)


def _ranked(tokens: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(tokens.items(), key=lambda pair: (-pair[1], pair[0]))
