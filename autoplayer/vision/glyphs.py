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
"""Places where a number is tried to be cut: three digits of seven segments have up to eight gaps, the widest matter."""
WIDE_GAP = 0.1
"""Gaps from this fraction of the height on part two digits: segments stand closer together."""
NARROW_GAP = 0.04
"""Gaps up to this fraction of the height, or below 0 where slanted digits overlap, are all alike."""
THROUGH_INK = 0.5
"""How natural it is to cut at a column of little ink, against 1 for parting loose pieces; less the more ink is cut."""
PRIORS = (0.45, 0.25, 0.05)
"""How often a cell whose ink is not clearly one glyph holds one, two, three digits, as far as nothing is seen …"""
PRIOR_NOTHING = 0.25
"""… or nothing that can be read."""
JUNK_ODDS = 1 / 3
"""Junk to glyphs in what the network learned from: taken out of its probabilities again."""
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
        if whole[:JUNK].max() < SURE or _parted(ink):
            splits = _splits(ink, pieces)
            if splits:
                open_cases.append((index, splits))
    read = classify(pieces)
    for index, splits in open_cases:
        results[index] = _combined(wholes[index], splits, read)
    return results


def _parted(ink: Floats) -> bool:
    """Whether a gap that is wider than any inside a digit runs down through the ink, or the ink is wider than any
    digit: then even a sure single glyph is doubted."""
    height, width = ink.shape
    filled = np.flatnonzero((ink > INKED).any(axis=0))
    return width > WIDEST_DIGIT * height or bool(
        len(filled) and np.diff(filled).max(initial=1) - 1 >= WIDE_GAP * height
    )


# ---- the ways to take a number apart ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    """One way to see a cell's ink: the indices of its pieces, in order from the left, and how natural the cuts are,
    0 to 1. One piece: the ink without specks that may be foreign."""

    pieces: tuple[int, ...]
    ease: float


def _cut_to_ink(ink: Floats) -> Floats | None:
    """The part inside the bounding box of the strokes; None where there is none."""
    strokes = ink > INKED
    rows, columns = np.flatnonzero(strokes.any(axis=1)), np.flatnonzero(strokes.any(axis=0))
    if not len(rows):
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _splits(ink: Floats, pieces: list[Floats]) -> list[_Split]:
    """The ways to see ``ink`` other than as a whole; their pieces are appended to ``pieces``."""
    splits = []
    cleaned = _without_specks(ink)
    if cleaned is not None:
        splits.append(_Split((len(pieces),), 1.0))
        pieces.append(cleaned)
        ink = cleaned
    if ink.shape[1] >= NARROWEST_PAIR * ink.shape[0]:
        for slices, eases in _orders(ink):
            splits += _splits_between(slices, eases, pieces)
    return splits


def _splits_between(slices: list[Floats], eases: list[float], pieces: list[Floats]) -> list[_Split]:
    """The ways to put neighbouring slices together into two or three digits; ``eases[i]`` belongs to the cut before
    slice ``i + 1``."""
    height = slices[0].shape[0]
    found: dict[tuple[int, int], int | None] = {}
    for first, last in itertools.combinations(range(len(slices) + 1), 2):
        part = None if last - first == len(slices) else _cut_to_ink(np.max(slices[first:last], axis=0))
        fits = part is not None and part.shape[0] >= LOWEST_DIGIT * height and part.shape[1] <= WIDEST_DIGIT * height
        found[first, last] = len(pieces) if fits else None
        if part is not None and fits:
            pieces.append(part)
    splits = []
    for count in (1, 2):
        for cuts in itertools.combinations(range(1, len(slices)), count):
            parts = [found[bounds] for bounds in itertools.pairwise((0, *cuts, len(slices)))]
            chosen = tuple(part for part in parts if part is not None)
            if len(chosen) == len(parts):
                splits.append(_Split(chosen, float(np.prod([eases[cut - 1] for cut in cuts]))))
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


def _orders(ink: Floats) -> Iterable[tuple[list[Floats], list[float]]]:
    """The ink as a row of slices from left to right, between any of which a number may be cut, and how natural each
    of these cuts is; each slice has the shape of ``ink``. First by loose pieces (slanted digits overlap in their
    columns), then by columns of little ink (digits that touch)."""
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
        yield (
            [np.where(owner == number + 1, ink, np.float32(0)) for number in range(len(bounds) - 1)],
            [1.0] * len(cuts),
        )
    profile = np.where(ink > INKED, ink, 0).sum(axis=0) / ink.shape[0]
    places = _valleys(profile, ink.shape[0])
    if places:
        columns = np.arange(ink.shape[1])
        edges = [0, *places, ink.shape[1]]
        slices = [np.where((columns >= a) & (columns < b), ink, np.float32(0)) for a, b in itertools.pairwise(edges)]
        yield slices, [THROUGH_INK * float(np.exp(-5 * profile[p])) for p in places]


def _eases(slices: list[Floats]) -> list[float]:
    """How natural the cut before each slice but the first is: the gap there, against the widest of all gaps. The gaps
    between digits are much alike; those inside a digit, between segments or dots, are narrower."""
    spans = [np.flatnonzero((part > INKED).any(axis=0)) for part in slices]
    rights = np.maximum.accumulate([span[-1] for span in spans])
    gaps = np.array([span[0] - right for span, right in zip(spans[1:], rights, strict=False)], float)
    least = NARROW_GAP * slices[0].shape[0]
    return [float(e) for e in np.clip(np.maximum(gaps, least) / max(float(gaps.max()), least), 0.05, 1)]


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
    """One distribution over tokens by Bayes' rule.

    If one way to see the ink is right, its pieces are glyphs and the pieces of all other ways are junk. So each way
    weighs its prior times, for each of its pieces, how much better "glyph" explains the piece than "junk" does; that
    nothing can be read weighs its prior alone.
    """
    ways: list[tuple[float, Floats]] = [(PRIORS[0], whole[None])]
    total_ease = {count: sum(s.ease for s in splits if len(s.pieces) == count) for count in (1, 2, 3)}
    for split in splits:
        count = len(split.pieces)
        prior = PRIORS[count - 1] if count > 1 else PRIORS[0] / 2
        ways.append((prior * split.ease / max(total_ease[count], 1.0), read[list(split.pieces)]))
    tokens = {"": PRIOR_NOTHING}
    for prior, rows in ways:
        junk = np.clip(rows[:, JUNK], 0.003, 0.997)
        weight = prior * float(np.prod((1 - junk) / junk * JUNK_ODDS))
        usable = rows[:, :JUNK] if len(rows) == 1 else rows[:, :CROSS]
        shares = usable / np.maximum(rows[:, :JUNK].sum(axis=1, keepdims=True), 1e-6)
        tops = [[int(i) for i in np.argsort(-share)[: JUNK if len(rows) == 1 else 3]] for share in shares]
        for digits in itertools.product(*tops):
            if len(digits) > 1 and digits[0] == 0:
                continue  # no number begins with 0
            token = "".join(CLASSES[i] for i in digits)
            share = float(np.prod([shares[place, i] for place, i in enumerate(digits)]))
            tokens[token] = tokens.get(token, 0.0) + weight * share
    total = sum(tokens.values())
    return _ranked({token: weight / total for token, weight in tokens.items()})


def _ranked(tokens: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(tokens.items(), key=lambda pair: (-pair[1], pair[0]))
