"""Joins the digits of a cell of Cross Set to numbers, on boards larger than 9x9. Evidence: the width of the gaps within
numbers and between numbers in this window, and the rules for a single cell.

No number begins with a zero, none is larger than the board, and none stands twice in a cell: so most pairs of digits
are decided whatever their gap is. A 0 belongs to the digit before it; a pair that would be too large is two numbers.
The gaps of these pairs calibrate the decision for the others, because a window is consistent. What remains open is left
to the rules.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, ONE_DIGIT, Chances, Glyph, percentile
from autoplayer.games.cross_set.seeing.glyphs.pairs import pairs_of
from autoplayer.games.cross_set.seeing.glyphs.parting import stands_between
from autoplayer.vision import pieces

ONE_SIZE, ONE_LINE = 0.2, 0.2
"""By which share of their height the digits of one number differ in height at most, and deviate from one line."""

LOW_ONE = 0.65
"""The least height of a 1 of segments that lacks the outer ones, relative to other digits."""

FARTHEST = 1.2
"""The widest gap that is considered, as a share of the height: a 1 of segments stands far from the digit before it."""

SURELY, HARDLY = 0.9, 0.02
"""A pair is known to be one number, or two, if the probability by its digits is at least, or at most, this."""

FEWEST = 4
"""With so many known pairs of about one size, those of other sizes are ignored."""

TWENTY = 20
"""On boards of at least this size numbers of two digits also begin with a 2."""

MET = 0.7
"""A number that every row has is read at least this often per row, even if some are misread."""

SPREAD, RASTER = 0.03, 0.3
"""The spread of gaps of one kind: a share of the height, and window pixels."""

USUAL, WIDER, UNKNOWN = 0.2, 0.3, 0.12
"""Defaults if nothing is known: the gap within numbers; how much wider those between numbers are if none of one kind is
known, and the additional spread if the known kind is the one within numbers."""

LEAST = 1e-5
"""The least likelihood of a gap, however unlike all others."""

SIGNED = 0.03
"""The probability that two numbers have no sign between them in a window that has one between most."""

TWICE = 1e-7
"""The factor for an interpretation of a cell in which a number stands twice: less than the strangest gap."""

NEGLIGIBLE = 0.002
"""An interpretation of a cell less probable than this is left out."""

MOST_OPEN = 10
"""The most pairs of one cell for which both alternatives are considered, doubtful ones first."""

MADE = 50_000
"""Offset of the cluster numbers of numbers with several digits: more than there are glyphs on a board."""

BLURRED = 0.02
"""The probability that a glyph which stands alone, but looks like a 0, is each other digit."""


class Gap(NamedTuple):
    """The space between two adjacent digits, as a share of their height. ``joined``: True if they are known to be one
    number, False if two, None if only their gap can decide. ``height``: in window pixels. ``tokens``: the digits, as
    far as they are certain, because some have more room beside them than others."""

    share: float
    height: float
    joined: bool | None
    tokens: tuple[str, str]


@dataclass(frozen=True)
class Spacing:
    """The gaps of a board that are known to be within a number, and between two; ``signs``: whether a sign stands
    between any two numbers."""

    known: tuple[Gap, ...]
    signs: bool

    def together(self, gap: Gap, sign: bool) -> float:
        """The probability that the digits on both sides of a gap are one number. ``sign``: whether a sign stands
        there."""
        if sign:
            return LEAST
        blur = RASTER / gap.height
        inner, outer = self._like(gap, True), self._like(gap, False)
        spread = float(np.hypot(SPREAD, blur)) + (0.0 if inner else UNKNOWN)
        most = percentile(inner, 0.9) if inner else USUAL
        least = percentile(outer, 0.1) if outer else most + WIDER
        most = most if inner or not outer else least - WIDER
        inside = max(float(np.exp(-0.5 * (max(gap.share - most, 0.0) / spread) ** 2)), LEAST)
        outside = max(float(np.exp(-0.5 * (max(least - gap.share, 0.0) / spread) ** 2)), LEAST)
        if self.signs:
            outside *= SIGNED
        return inside / (inside + outside)

    @cached_property
    def _memory(self) -> dict[tuple[tuple[str, str], float, bool], list[float]]:
        """Cached answers: the same digits are adjacent in many cells."""
        return {}

    def _like(self, gap: Gap, joined: bool) -> list[float]:
        """Known gaps of one kind, of digits of about that size and, if there are such, behind the same digit."""
        key = gap.tokens, gap.height, joined
        if key not in self._memory:
            found = [g for g in self.known if g.joined is joined]
            behind = gap.tokens[0] == "1"
            kept = [g for g in found if (g.tokens[0] == "1") == behind]
            found = kept if len(kept) >= FEWEST else found
            kept = [g for g in found if g.tokens == gap.tokens]
            found = kept if len(kept) >= FEWEST else found
            kept = [g for g in found if abs(g.height - gap.height) <= ONE_SIZE * gap.height]
            found = kept if len(kept) >= FEWEST else found
            self._memory[key] = [g.share for g in found]
        return self._memory[key]


def spacing_of(seen: Mapping[Cell, Sequence[Glyph]], size: int, signs: bool) -> Spacing:
    """The evidence of a board with ``size`` rows about its gaps. ``signs``: whether signs separate its numbers."""
    said = _Said(size)
    known: list[Gap] = []
    open_ones: dict[tuple[str, str], list[Gap]] = defaultdict(list)
    for row, adjacent in zip(seen.values(), beside(seen.values()), strict=True):
        gaps = {(i, j): _gap(row[i], row[j], said) for i, j in adjacent}
        for pair, gap in gaps.items():
            # No 1 stands twice: two that can go with nothing else are an 11.
            if gap.joined is not None:
                known.append(gap)
            elif gap.tokens == ("1", "1") and not any(
                set(pair) & set(other) for other, one in gaps.items() if one.joined is not False and other != pair
            ):
                known.append(gap._replace(joined=True))
            elif all(gap.tokens):
                open_ones[gap.tokens].append(gap)
    # A number is a candidate in every row: so many of the narrowest gaps between its digits are within it.
    often = round(MET * size)
    for same in open_ones.values():
        narrowest = sorted(same, key=lambda gap: gap.share)[:often]
        known += [gap._replace(joined=True) for gap in narrowest] if len(narrowest) == often else []
    return Spacing(tuple(known), signs)


Ways = list[tuple[float, list[Glyph]]]
"""The possible ways to join the digits of a cell, the most probable first, with their probabilities."""


def numbers_of(
    seen: Mapping[Cell, Sequence[Glyph]], size: int, space: Spacing, signs: Mapping[Cell, Sequence[Box]]
) -> dict[Cell, Ways]:
    """The possible ways to join the digits of each cell: no digit belongs to two numbers, and a number has at most two.
    ``signs``: the positions of signs, fine pixels."""
    said = _Said(size)
    return {
        cell: _ways(row, adjacent, said, space, signs.get(cell, ()))
        for (cell, row), adjacent in zip(seen.items(), beside(seen.values()), strict=True)
    }


def digits_of(row: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs of which the numbers of a cell are made, one by one."""
    return [part for g in row for part in (g.parts or (g,))]


def are_too_many(tokens: Sequence[str], size: int) -> bool:
    """Whether a cell of a board with ``size`` rows cannot hold these digits, for no number stands in it twice.

    >>> are_too_many(["1", "1", "0", "8"], 10), are_too_many(["1", "1", "8"], 10), are_too_many(["7", "7"], 9)
    (False, True, True)
    """
    often = Counter(tokens)
    if size <= ONE_DIGIT:
        return len(often) < len(tokens)
    if size >= TWENTY:
        return False
    most = {str(d): 1 + (10 + d <= size) for d in range(2, 10)} | {"0": 1}
    # Each 1 but one begins a number of its own; two are an 11.
    most["1"] = 1 + sum(min(often[str(d)], 1) for d in range(size - 9) if d != 1) + 2 * (size > 10)
    return any(count > most.get(token, count) for token, count in often.items())


def beside(rows: Collection[Sequence[Glyph]]) -> list[list[tuple[int, int]]]:
    """For each row of glyphs, as in a cell, the pairs of one size that are adjacent in a line, with nothing between
    them; as indices in the row. All rows are examined at once."""
    found: list[list[tuple[int, int]]] = [[] for _ in rows]
    flat = [g for row in rows for g in row]
    if not flat:
        return found
    many = np.array([len(row) for row in rows])
    owner = np.repeat(np.arange(len(many)), many)
    box = np.array([(b.x, b.y, b.width, b.height) for b in (g.piece.box for g in flat)])
    scale = np.array([g.piece.scale for g in flat])
    low = np.where([g.token == "1" for g in flat], LOW_ONE, 1 - ONE_SIZE)
    x, y, w, h = box.T
    end, foot, middle, level = x + w, y + h, x + w / 2, 2 * y + h  # the level is twice the middle from above
    pairs = pairs_of(owner, box)
    one, other = pairs.one, pairs.other
    own, high, slack = h[one], h[other], scale[one]
    height = np.maximum(own, high)
    fits = (middle[other] > end[one]) & (x[other] - end[one] <= FARTHEST * height)
    fits &= np.abs(level[one] - level[other]) <= 2 * (ONE_LINE * height + slack)
    fits &= (low[one] * height - slack <= own) & (own <= high / (1 - ONE_SIZE) + slack)
    # Of those behind a glyph the one that begins first.
    some = np.flatnonzero(fits)
    some = some[np.lexsort((other[some], x[other[some]], one[some]))]
    left, first = np.unique(one[some], return_index=True)
    following = np.full(len(flat), -1)
    following[left] = other[some][first]
    # Nothing else has its middle between the two.
    right = following[one]
    between = (right >= 0) & (other != right) & (end[one] <= middle[other]) & (middle[other] <= x[right])
    between &= (2 * np.minimum(y[one], y[right]) <= level[other]) & (
        level[other] <= 2 * np.maximum(foot[one], foot[right])
    )
    following[one[between]] = -1
    start = np.cumsum(many) - many
    for k in np.flatnonzero(following >= 0).tolist():
        at = owner[k]
        found[at].append((int(k - start[at]), int(following[k] - start[at])))
    return found


def _sign_between(left: Glyph, right: Glyph, signs: Sequence[Box]) -> bool:
    return any(stands_between(box, left.piece, right.piece) for box in signs)


def _gap(left: Glyph, right: Glyph, said: _Said) -> Gap:
    a, b = left.piece, right.piece
    height = max(a.box.height, b.box.height)
    zero, both = right.chances.get("0", 0.0), said.together(left, right).worth
    joined = True if min(zero, both) > SURELY else False if both < HARDLY else None
    first, second = (g.token if g.chance > SURELY else "" for g in (left, right))
    return Gap((b.box.x - a.right) / height, height / a.scale, joined, (first, second))


def _together(left: Chances, right: Chances, size: int) -> Chances:
    """The numbers that two digits form, with their probabilities, which add up to less than 1 if other combinations
    form none."""
    both = [str(number) for number in range(10, size + 1)]
    return {each: left[each[0]] * right[each[1]] for each in both if each[0] in left and each[1] in right}


def _alone(chances: Chances) -> Chances:
    """The chances of a glyph that is a number by itself: no zero; they do not add up to 1."""
    return {token: p for token, p in chances.items() if token != "0"}


def _normal(chances: Chances) -> Chances:
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()}


@dataclass(frozen=True)
class _Number:
    """The chances of one or two digits as a number, not normalised; their sum; and the number, if it is certain."""

    chances: Chances
    worth: float
    clear: str


def _number_of(chances: Chances) -> _Number:
    best = max(chances, key=lambda token: chances[token], default=JUNK)
    return _Number(chances, sum(chances.values()), best if best and chances[best] > SURELY else JUNK)


class _Said:
    """What the digits of a board with ``size`` rows mean alone and together, cached, because equal glyphs have equal
    chances in every cell."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._alone: dict[int, tuple[Chances, _Number]] = {}
        self._both: dict[tuple[int, int], tuple[Chances, Chances, _Number]] = {}
        self._glyph: dict[int, tuple[Chances, Chances]] = {}
        self._made: dict[tuple[int, int], int] = {}

    def alone(self, g: Glyph) -> _Number:
        key = id(g.chances)  # which stay alive in here
        if key not in self._alone:
            self._alone[key] = g.chances, _number_of(_alone(g.chances))
        return self._alone[key][1]

    def together(self, left: Glyph, right: Glyph) -> _Number:
        key = id(left.chances), id(right.chances)
        if key not in self._both:
            both = _number_of(_together(left.chances, right.chances, self._size))
            self._both[key] = left.chances, right.chances, both
        return self._both[key][2]

    def number(self, part: tuple[Glyph, ...]) -> Glyph:
        """The glyph of a number: its digits', or the only one."""
        if len(part) == 1:
            key = id(part[0].chances)
            if key not in self._glyph:
                alone = self.alone(part[0])
                chances = alone.chances
                if alone.worth < BLURRED:  # a lone zero is something else
                    chances = {**dict.fromkeys(map(str, range(1, 10)), BLURRED), JUNK: BLURRED}
                self._glyph[key] = part[0].chances, _normal(chances)
            return Glyph(part[0].piece, self._glyph[key][1], part[0].cluster, part[0].parts)
        left, right = part
        junk = 1 - (1 - left.chances.get(JUNK, 0.0)) * (1 - right.chances.get(JUNK, 0.0))
        cluster = MADE + self._made.setdefault((left.cluster, right.cluster), len(self._made))
        chances = _normal({**self.together(left, right).chances, JUNK: junk})
        return Glyph(pieces.joined([left.piece, right.piece]), chances, cluster, part)


def _ways(
    row: Sequence[Glyph], adjacent: Sequence[tuple[int, int]], said: _Said, space: Spacing, signs: Sequence[Box]
) -> Ways:
    """``adjacent``: as in :func:`beside`."""
    chance = {}
    for i, j in adjacent:
        if said.together(row[i], row[j]).worth > HARDLY:
            gap = _gap(row[i], row[j], said)
            chance[i, j] = space.together(gap, _sign_between(row[i], row[j], signs))
    # Those that are all but certain are taken for that, where there are many.
    doubted = sorted(chance, key=lambda pair: abs(chance[pair] - 0.5))[:MOST_OPEN]
    sure = [pair for pair in chance if pair not in doubted and chance[pair] > 0.5]
    found: list[tuple[float, list[tuple[Glyph, ...]]]] = []
    for count in range(len(doubted) + 1):
        for some in itertools.combinations(doubted, count):
            pairs = [*sure, *some]
            ends = [i for pair in pairs for i in pair]
            if len(set(ends)) < len(ends):
                continue
            worth = math.prod(p if pair in pairs else 1 - p for pair, p in chance.items())
            parts: list[tuple[Glyph, ...]] = [(row[i],) for i in range(len(row)) if i not in ends]
            parts += [(row[i], row[j]) for i, j in pairs]
            found.append((worth * _worth(parts, said), parts))
    best = ranked(found) or [(1.0, [(g,) for g in row])]
    return [(chance, [said.number(part) for part in parts]) for chance, parts in best]


Row = TypeVar("Row")


def ranked(ways: Sequence[tuple[float, Row]]) -> list[tuple[float, Row]]:
    """Interpretations with their weights normalised to probabilities; empty if no weight is positive."""
    total = sum(worth for worth, _ in ways)
    found = sorted(((worth / total, row) for worth, row in ways if total), key=lambda one: -one[0])
    return [one for i, one in enumerate(found) if not i or one[0] >= NEGLIGIBLE]


def _worth(parts: Sequence[tuple[Glyph, ...]], said: _Said) -> float:
    """The probability that these digits are such numbers, by themselves."""
    worth = 1.0
    clear: list[str] = []
    for part in parts:
        number = said.together(part[0], part[1]) if len(part) > 1 else said.alone(part[0])
        worth *= number.worth
        clear += [number.clear] if number.clear else []
    return worth * TWICE ** (len(clear) - len(set(clear)))
