"""Classifies pieces of ink as digits or X: single glyphs, or whole numbers of up to three digits.

Ink is how much of a pixel is drawn, 0 to 1, whatever the colours were; the readers find the cells and extract their
ink. Nothing here is certain: every answer is a distribution, and "" (not a number) is one of the answers.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.resources
import itertools
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import prod

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

ASK_AGAIN = 0.95
"""Where the first network is less certain than this, the second one is asked: one glyph in twenty of unknown
typefaces."""
SURE = 0.95
"""A single glyph of at least this probability is not tried as several digits."""
NARROWEST_PAIR = 0.3
"""Two digits side by side are wider than this fraction of their height, even two bars."""
WIDEST_DIGIT = 1.3
"""No digit is wider than this fraction of the number's height, even in extended faces."""
LOWEST_DIGIT = 0.5
"""The lowest digit of a number (old-style numerals have low ones) is at least this fraction of the number's height."""
MOST_CUTS = 5
"""How many gaps are tried as boundaries between digits, the widest first."""
LEAST_EASE = 0.15
"""A gap narrower than this fraction of the widest is inside a digit."""
WIDE_GAP = 0.1
"""Gaps from this fraction of the height on part two digits: segments stand closer together."""
NARROW_GAP = 0.04
"""Gaps up to this fraction of the height, or below 0 where slanted digits overlap, are all alike."""
THROUGH_INK = 0.5
"""Plausibility of a cut through a column with little ink, relative to 1 for separating loose pieces; the more ink is
cut, the lower it is."""
MOST_INK_CUT = 0.7
"""Where digits touch, at most this fraction of the height is ink: some strokes, broad ones in small blurred text."""
PRIORS = (0.45, 0.25, 0.05)
"""Prior probability that a cell whose ink is not clearly one glyph holds one, two or three digits …"""
PRIOR_NOTHING = 0.25
"""… or nothing that can be read."""
JUNK_ODDS = 1 / 3
"""The ratio of junk to glyphs in the network's training set, which is divided out of its probabilities."""
INKED = 0.3
"""Ink from here on belongs to a stroke; less is its soft edge."""
DARK = 0.65
"""Ink from here on is a stroke's core: edges that touch in small or blurred text are lighter."""
SPECK = 0.06
"""A piece with at most this share of the ink may be foreign: a remnant of a border, a speck."""


_Key = tuple[tuple[int, ...], bytes]
"""An ink's shape and bytes, as a key of the cache."""


@dataclass(frozen=True)
class _Memory:
    """Cache of results: of inks read as numbers, and of inks classified as single glyphs."""

    numbers: dict[_Key, list[tuple[str, float]]] = field(default_factory=dict)
    singles: dict[_Key, Floats] = field(default_factory=dict)


_MEMORY: ContextVar[_Memory | None] = ContextVar("glyphs", default=None)
"""The cache while :func:`remembering` is active."""


@functools.cache
def network(name: str = "glyphs") -> Network:
    """The trained network whose weights are ``NAME.npz`` here, loaded once."""
    with (
        importlib.resources.files("autoplayer.vision").joinpath(f"{name}.npz").open("rb") as file,
        np.load(file) as arrays,
    ):
        return Network(arrays)


def opinions(inputs: Floats) -> Floats:
    """The probabilities of ``CLASSES`` for normalised glyphs, shape ``(N, SIZE, SIZE)``, N at least 1, to shape ``(N,
    len(CLASSES))``.

    Where the first network is not certain which glyph it is, a second one, larger and trained on more typefaces, is
    asked too, and their probabilities are multiplied (a logarithmic opinion pool, C. Genest and J. Zidek, 1986): what
    only one of them believes stays in doubt, while averaging would keep both answers at half their strength. What the
    first takes for junk stays junk: the second knows more typefaces, but no more of what else is drawn on a screen.
    """
    said = network().probabilities(inputs)
    unsure = np.flatnonzero((said.max(axis=1) < ASK_AGAIN) & (said.argmax(axis=1) != JUNK))
    if len(unsure):
        pooled = np.sqrt(said[unsure] * network("glyphs_second").probabilities(inputs[unsure]))
        said[unsure] = pooled / pooled.sum(axis=1, keepdims=True)
    return said


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
    """The probabilities of ``CLASSES`` for each glyph, shape ``(N, len(CLASSES))``; cached while :func:`remembering`.
    The result for a glyph does not depend on the others in the batch."""
    if not inks:
        return np.zeros((0, len(CLASSES)), np.float32)
    memory = _MEMORY.get()
    if memory is None:
        return _classify(inks)
    keys = [(ink.shape, ink.tobytes()) for ink in inks]
    fresh = {key: ink for key, ink in zip(keys, inks, strict=True) if key not in memory.singles}
    if fresh:
        memory.singles.update(zip(fresh, _classify(list(fresh.values())), strict=True))
    return np.stack([memory.singles[key] for key in keys])


def _classify(inks: Sequence[Floats]) -> Floats:
    # A window that draws its glyphs on whole pixels shows identical ones again and again.
    fresh: dict[bytes, int] = {}
    inputs = [normalise(ink) for ink in inks]
    index = [fresh.setdefault(one.tobytes(), len(fresh)) for one in inputs]
    first = [index.index(k) for k in range(len(fresh))]
    return np.asarray(opinions(np.array([inputs[k] for k in first]))[index], np.float32)


def read_numbers(inks: Sequence[Floats]) -> list[list[tuple[str, float]]]:
    """For the ink of each cell a list of ``(token, probability)``, the most probable first; "" for not a number.

    ``inks``: each of shape ``(h, w)``, cut to its bounding box; an X, or a number of up to three digits. All glyphs in
    question pass through the network together, in at most three rounds: the inks as wholes; those that are not
    certainly one glyph, split into their loose pieces; those still in doubt, cut where their digits touch. Cached while
    :func:`remembering`.
    """
    memory = _MEMORY.get()
    if memory is None:
        return _read_numbers(inks)
    keys = [(ink.shape, ink.tobytes()) for ink in inks]
    fresh = {key: ink for key, ink in zip(keys, inks, strict=True) if key not in memory.numbers}
    memory.numbers.update(zip(fresh, _read_numbers(list(fresh.values())), strict=True))
    return [list(memory.numbers[key]) for key in keys]


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """While this context lasts, inks that are equal bit by bit are classified once: a picture in which many lattices
    are tried shows the same glyphs again and again."""
    before = _MEMORY.set(_Memory())
    try:
        yield
    finally:
        _MEMORY.reset(before)


def _read_numbers(inks: Sequence[Floats]) -> list[list[tuple[str, float]]]:
    wholes = classify(inks)
    results = [_ranked({CLASSES[i]: float(p) for i, p in enumerate(whole)}) for whole in wholes]
    doubted = [i for i, ink in enumerate(inks) if wholes[i][:JUNK].max() < SURE or _parted(ink)]
    pieces: list[Floats] = []
    splits: dict[int, list[_Split]] = {i: [] for i in doubted}
    read = np.zeros((0, len(CLASSES)), np.float32)
    for find in (_loose_splits, _touching_splits):
        for i in doubted:
            splits[i] += find(inks[i], pieces)
        read = np.concatenate([read, classify(pieces[len(read) :])])
        for i in doubted:
            if splits[i]:
                results[i] = _combined(wholes[i], splits[i], read)
        doubted = [i for i in doubted if results[i][0][0] == "" or results[i][0][1] < SURE]
    return results


def _parted(ink: Floats) -> bool:
    """Whether a gap wider than any inside a digit runs down through the ink, or the ink is wider than any digit: then
    even a certain single glyph is doubted."""
    height, width = ink.shape
    filled = np.flatnonzero((ink > INKED).any(axis=0))
    return width > WIDEST_DIGIT * height or bool(
        len(filled) and np.diff(filled).max(initial=1) - 1 >= WIDE_GAP * height
    )


# ---- the ways to split a number into digits
# ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    """One way to split a cell's ink: the indices of its pieces from left to right, and how plausible the cuts are, 0 to
    1. With one piece it is the ink without specks that may be foreign."""

    pieces: tuple[int, ...]
    ease: float


def _cut_to_ink(ink: Floats) -> Floats | None:
    """The part inside the bounding box of the strokes; None where there are none."""
    strokes = ink > INKED
    rows, columns = np.flatnonzero(strokes.any(axis=1)), np.flatnonzero(strokes.any(axis=0))
    if not len(rows):
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _loose_splits(ink: Floats, pieces: list[Floats], level: float = INKED) -> list[_Split]:
    """The ink without specks, and the ways to split it between loose pieces, whose columns may overlap where digits are
    slanted. The pieces are appended to ``pieces``. ``level``: the ink from which on pixels are connected."""
    splits = []
    cleaned = _without_specks(ink) if level == INKED else None
    if cleaned is not None:
        splits.append(_Split((len(pieces),), 1.0))
        pieces.append(cleaned)
        ink = cleaned
    height, width = ink.shape
    count, labels, stats, centres = cv2.connectedComponentsWithStats((ink > level).astype(np.uint8), connectivity=8)
    if width < NARROWEST_PAIR * height or count < 3:
        return splits
    order = 1 + np.argsort(centres[1:, 0], kind="stable")
    lefts = stats[order, cv2.CC_STAT_LEFT]
    rights = lefts + stats[order, cv2.CC_STAT_WIDTH]
    # The gap before a piece: between all pieces to its left, and it with all pieces to its right.
    gaps = np.minimum.accumulate(lefts[::-1])[::-1][1:] - np.maximum.accumulate(rights)[:-1]
    # Gaps between digits are similar; those inside a digit, between segments or dots, are narrower.
    least = NARROW_GAP * height
    eases = np.maximum(gaps, least) / max(float(gaps.max()), least)
    best = [int(i) for i in np.argsort(-eases, kind="stable")[:MOST_CUTS] if eases[i] >= LEAST_EASE]
    cuts = sorted(best)
    rank = np.zeros(count, int)
    for number, (a, b) in enumerate(itertools.pairwise([0, *(i + 1 for i in cuts), len(order)])):
        rank[order[a:b]] = number + 1
    # Soft edges belong to the stroke that they touch.
    strokes = rank[labels]
    owner = np.where(strokes > 0, strokes, cv2.dilate(strokes.astype(np.uint8), np.ones((3, 3), np.uint8)))
    slices = [np.where(owner == number + 1, ink, np.float32(0)) for number in range(len(cuts) + 1)]
    return splits + _splits_between(slices, [float(eases[i]) for i in cuts], pieces)


def _touching_splits(ink: Floats, pieces: list[Floats]) -> list[_Split]:
    """The ways to split the ink where only soft edges touch, and to cut it at columns that hold little of it. The
    pieces are appended to ``pieces``."""
    splits = _loose_splits(ink, pieces, DARK)
    height, width = ink.shape
    profile = np.where(ink > INKED, ink, 0).sum(axis=0) / height
    places = [column for column in _valleys(profile, height) if profile[column] <= MOST_INK_CUT]
    if width < NARROWEST_PAIR * height or not places:
        return splits
    columns = np.arange(width)
    edges = itertools.pairwise([0, *places, width])
    slices = [np.where((columns >= a) & (columns < b), ink, np.float32(0)) for a, b in edges]
    return splits + _splits_between(slices, [THROUGH_INK * float(np.exp(-5 * profile[p])) for p in places], pieces)


def _splits_between(slices: list[Floats], eases: list[float], pieces: list[Floats]) -> list[_Split]:
    """The ways to combine neighbouring slices into two or three digits; ``eases[i]`` is the plausibility of the cut
    before slice ``i + 1``."""
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


def _valleys(profile: Floats, height: int) -> list[int]:
    """The columns of least ink, at least a tenth of the height apart and away from both ends: three of the middle part,
    where the boundary between two digits is, then three of any part."""
    reach = max(round(height * 0.1), 1)
    width = len(profile)
    chosen: list[int] = []
    order = np.argsort(profile, kind="stable").tolist()
    for low, high, most in ((0.3 * width, 0.7 * width, 3), (reach, width - reach, 6)):
        for column in order:
            if len(chosen) < most and low <= column < high and all(abs(column - c) >= reach for c in chosen):
                chosen.append(column)
    return sorted(chosen)


def in_two(inks: Sequence[Floats]) -> list[tuple[Floats, Floats] | None]:
    """For each ink that is seen as two digits, these two, in the most probable split; None where there is no such
    split."""
    pieces: list[Floats] = []
    splits = [_loose_splits(ink, pieces) + _touching_splits(ink, pieces) for ink in inks]
    read = classify(pieces)
    found: list[tuple[Floats, Floats] | None] = []
    for ways in splits:
        pairs = [way for way in ways if len(way.pieces) == 2]
        best = max(pairs, key=lambda way: way.ease * _glyph_odds(read[list(way.pieces)]), default=None)
        found.append(None if best is None else (pieces[best.pieces[0]], pieces[best.pieces[1]]))
    return found


def _glyph_odds(rows: Floats) -> float:
    """The likelihood ratio of "glyph" to "junk" for some pieces together."""
    junk = np.clip(rows[:, JUNK], 0.003, 0.997)
    return float(((1 - junk) / junk * JUNK_ODDS).prod())


def _combined(whole: Floats, splits: list[_Split], read: Floats) -> list[tuple[str, float]]:
    """One distribution over tokens, by Bayes' rule.

    If one split is right, its pieces are glyphs and the pieces of all other splits are junk. So the weight of a split
    is its prior times the likelihood ratios ("glyph" to "junk") of its pieces; the weight of "nothing that can be read"
    is its prior alone.
    """
    ways: list[tuple[float, Floats]] = [(PRIORS[0], whole[None])]
    total_ease = {count: sum(s.ease for s in splits if len(s.pieces) == count) for count in (1, 2, 3)}
    for split in splits:
        count = len(split.pieces)
        prior = PRIORS[count - 1] if count > 1 else PRIORS[0] / 2
        ways.append((prior * split.ease / max(total_ease[count], 1.0), read[list(split.pieces)]))
    tokens = {"": PRIOR_NOTHING}
    for prior, rows in ways:
        weight = prior * _glyph_odds(rows)
        usable = rows[:, :JUNK] if len(rows) == 1 else rows[:, :CROSS]
        shares = usable / np.maximum(rows[:, :JUNK].sum(axis=1, keepdims=True), 1e-6)
        tops = [np.argsort(-share)[: JUNK if len(rows) == 1 else 3].tolist() for share in shares]
        named = [[(CLASSES[i], share[i]) for i in top] for share, top in zip(shares, tops, strict=True)]
        for digits in itertools.product(*named):
            token = "".join(name for name, _ in digits)
            if len(digits) > 1 and token.startswith("0"):
                continue  # no number begins with 0
            tokens[token] = tokens.get(token, 0.0) + weight * float(prod(share for _, share in digits))
    total = sum(tokens.values())
    return _ranked({token: weight / total for token, weight in tokens.items()})


def _ranked(tokens: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(tokens.items(), key=lambda pair: (-pair[1], pair[0]))
