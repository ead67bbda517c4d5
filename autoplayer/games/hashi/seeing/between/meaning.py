"""What the lines between islands mean: no link, one or two. Works for any window: the meaning is inferred from all
lines of the picture together, and from the rules.

Strips that look alike form a kind, and a kind means 0, 1 or 2 links. A kind that also occurs where no bridge can be is
a grid line; a kind that would break the rules at many places at once is a hint, such as a line for a possible bridge.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle
from autoplayer.games.hashi.seeing.between.lines import (
    SAME_BREADTH,
    Line,
    as_ink,
    as_solid,
    same_colour,
    same_kind,
    same_pen,
)

THICK = 1 / (1 - SAME_BREADTH)
"""The least ratio of a line's width to that of another kind of the same colour for it to mean two links."""

EVERYWHERE = 0.5
"""The least share of the places without a possible bridge that show a kind of line, for it to be a grid line."""

MISTAKES = 2.5
"""The number of broken rules up to which a kind of line is still believed: a person makes one or two mistakes."""

MISTAKEN = 0.25
"""The share of a kind's lines at which the rules must be broken for the kind to mean something else."""


def is_wave(kind: Line, lines: Sequence[Line], asides: Sequence[Line]) -> bool:
    """Whether a kind of line occurs beside the ways of bridges (``asides``) nearly as often as along them (``lines``):
    then it is part of the background: waves, clouds or threads."""
    met = sum(same_pen(kind, line) for line in asides)
    share = sum(same_pen(kind, line) for line in lines) / max(len(lines), 1)
    return met >= max(FEWEST_WAVES, WAVY * share * len(asides))


FEWEST_WAVES, WAVY = 2, 0.3
"""The least number of lines of a kind beside the ways of bridges for it to be waves, and how often they must occur
there relative to those along the ways."""


def kinds_of(lines: Sequence[Line]) -> list[Line]:
    """One line of each kind, the commonest kind first."""
    left = [line for line in lines if line.count]
    found: list[Line] = []
    while left:
        told = [line for line in left if not math.isnan(line.solid)] or left
        best = max(told, key=lambda one: sum(_alike(one, other) for other in left))
        found.append(best)
        left = [other for other in left if not _alike(best, other)]
    return found


def _alike(a: Line, b: Line) -> bool:
    return same_kind(a, b) and as_solid(a, b)


def members_of(kinds: Sequence[Line], lines: Sequence[Line], clear: Sequence[bool]) -> list[list[int]]:
    """For each kind the indices of its lines."""

    def distance(line: Line, kind: Line) -> tuple[bool, bool, bool, float]:
        colour = max(abs(p - q) for p, q in zip(line.colour, kind.colour, strict=True))
        apart = colour / max(line.contrast, kind.contrast, 1.0) + abs(line.breadth - kind.breadth) / line.breadth
        return not same_kind(line, kind), line.count != kind.count, not as_solid(line, kind), apart

    found: list[list[int]] = [[] for _ in kinds]
    for k, (line, good) in enumerate(zip(lines, clear, strict=True)):
        if good and line.count and kinds:
            found[min(range(len(kinds)), key=lambda i: distance(line, kinds[i]))].append(k)
    return found


def meaning_of(
    kinds: Sequence[Line],
    members: Sequence[Sequence[int]],
    idle: Sequence[Sequence[Line]],
    bridges: Sequence[Bridge],
    puzzle: Puzzle,
    least: float,
    among: int,
) -> list[int]:
    """How many links each kind stands for. ``idle``: the lines where no bridge can be, along rows and columns.
    ``least``: the ink from which a line is hardly a hint. ``among``: the number of bridges of which enough is
    visible."""
    usual = [1 if kind.count == 1 or _is_drawn_twice(kind, kinds) else MOST_LINKS for kind in kinds]
    index = {bridge: k for k, bridge in enumerate(puzzle.bridges)}
    placed = [[index[bridges[k]] for k in each] for each in members]
    for k, kind in enumerate(kinds):
        everywhere = any(some and np.mean([same_kind(kind, line) for line in some]) >= EVERYWHERE for some in idle)
        if everywhere or kind.contrast < PALEST * least / CLEAR_LINE:
            usual[k] = 0
    usual = _without_pale(kinds, _without_dashed(kinds, usual, placed, puzzle, least))
    shown = [k for k, value in enumerate(usual) if value]
    faintest = min((kinds[k].weight for k in shown), default=0.0)
    seen = sum(len(placed[k]) for k in shown)
    pale = max((kinds[k].contrast for k in shown), default=0.0) < PALE * least / CLEAR_LINE
    everything = seen >= ALL_SHOWN * len(bridges) or (pale and seen >= MOST_SHOWN * among)
    if (
        shown
        and everything
        and (faintest < least or _breaches(_broad(kinds, usual, placed), placed, puzzle) > MISTAKES)
    ):
        # Every possible bridge is drawn, pale or so that they cannot all stand: the faintest lines are hints,
        # unless a double one is drawn with the same pen.
        faint = [k for k in shown if kinds[k].weight <= FAINT * faintest]
        if all(kinds[k].count == 1 for k in faint):
            usual = [0 if k in faint else value for k, value in enumerate(usual)]
    usual = _broad(kinds, usual, placed)
    # Which kinds are only hints? The fewest for which no more rules are broken than a person breaks by mistake.
    best: tuple[float, list[int]] | None = None
    # If two links are drawn as two lines, one link is drawn as one line.
    singles = {
        k: d for k, kind in enumerate(kinds) for d, other in enumerate(kinds) if usual[k] and _is_half(kind, other)
    }
    # A line with a rim looks like two lines.
    choices = [tuple(range(value, -1, -1)) for value in usual[:MOST_KINDS]]
    for chosen in itertools.product(*choices):
        meaning = [*chosen, *usual[MOST_KINDS:]]
        cost = float(_breaches(meaning, placed, puzzle))
        for k, (m, u) in enumerate(zip(meaning, usual, strict=True)):
            if m != u:
                least = MISTAKES * (2 if k in singles or k in singles.values() else 1)
                cost += max(least, MISTAKEN * len(placed[k]))
        cost += sum(len(placed[k]) for k in singles if not meaning[k] and meaning[singles[k]])
        if best is None or cost < best[0]:
            best = cost, meaning
    return best[1] if best else []


def _without_pale(kinds: Sequence[Line], usual: Sequence[int]) -> list[int]:
    """``usual``, with kinds that are far paler than the strongest as hints, or as the islands' glow."""
    found = list(usual)
    strongest = max((kind.contrast for kind, value in zip(kinds, usual, strict=True) if value), default=0.0)
    doubles = [kind for kind, value in zip(kinds, usual, strict=True) if value and kind.count > 1]
    single = max(
        (kind.contrast for kind, value in zip(kinds, usual, strict=True) if value and kind.count == 1), default=0
    )
    # The space between two lines may make them look stronger.
    compared = single if single >= PALE_ALONE * strongest else strongest
    for k, kind in enumerate(kinds):
        alone = kind.count == 1 and not any(same_colour(kind, double) for double in doubles)
        usually = PALE * strongest if kind.count == 1 else PALE_DOUBLE * strongest
        if kind.contrast < (PALE_ALONE * compared if alone else usually):
            found[k] = 0
    return found


def _is_drawn_twice(kind: Line, kinds: Sequence[Line]) -> bool:
    """Whether another kind is twice as many lines of the same pen: then one link is drawn as a line on each side."""
    return any(other.count == 2 * kind.count and same_pen(kind, other) for other in kinds)


def _without_dashed(
    kinds: Sequence[Line], usual: Sequence[int], placed: Sequence[Sequence[int]], puzzle: Puzzle, least: float
) -> list[int]:
    """``usual``, with kinds that have more gaps than others as hints. If all have gaps, they are bridges if they are as
    clear as bridges, or if they can all stand together and are not only an offer. ``placed``: the bridges of each
    kind."""
    shown = [k for k, value in enumerate(usual) if value]
    strongest = max((kinds[k].contrast for k in shown), default=0.0)
    few = STRAY * sum(len(placed[k]) for k in shown)
    common = [k for k in shown if len(placed[k]) > few and kinds[k].contrast >= PALE * strongest]
    firm = max((kinds[k].solid for k in common if kinds[k].solid > 0), default=1)
    if firm < SOLID:
        gaps = [k for k in shown if kinds[k].solid < SOLID]
        lines = sum(len(placed[k]) for k in gaps)
        together = SEVERAL <= lines < MOST_SHOWN * len(puzzle.bridges)
        together = together and _breaches([int(k in gaps) for k in range(len(kinds))], placed, puzzle) <= MISTAKES
        clear = [k for k in gaps if kinds[k].contrast >= (least / 2 if together else least)]
        single = {bridge for k in clear for bridge in placed[k] if kinds[k].count == 1}
        doubles = any(kinds[k].count > 1 for k in clear)
        if not clear or (not doubles and _is_offer(single, puzzle)):
            firm = 1.0
    return [0 if kind.solid < SOLID * firm else value for kind, value in zip(kinds, usual, strict=True)]


def _is_offer(single: set[int], puzzle: Puzzle) -> bool:
    """Whether lines lead from one island to all its neighbours, and nowhere else."""
    return len(single) > 1 and any(set(ways) == single for ways in puzzle.at.values())


def _is_half(kind: Line, other: Line) -> bool:
    """Whether ``other`` is two lines of one pen of which ``kind`` is one. The single line may fall between two rows of
    pixels: then it is broader and paler, and has the same amount of ink."""
    if kind.count != 1 or other.count != MOST_LINKS:
        return False
    same = same_colour(kind, other) or same_colour(as_ink(kind), as_ink(other))
    return same and abs(kind.breadth - other.breadth / 2) <= max(1.0, SAME_BREADTH * kind.breadth)


MOST_KINDS = 6
"""Kinds of lines that are weighed against each other; rarer ones are believed."""

FAINT = 1.6
"""The largest ratio of the ink of a kind of line to that of the faintest kind for it to be only a hint, like that
one."""

CLEAR_LINE = 0.5
"""Of the contrast of the numbers: a line of one pixel with more is as clear as a bridge."""

PALEST = 0.13
"""Of the contrast of the numbers: a line with less is the water's own pattern."""

PALE, PALE_DOUBLE, PALE_ALONE = 0.15, 0.3, 0.42
"""Of the contrast of the strongest kind of line: a kind with less is the islands' glow, or a grid; two lines with less
are the rims of a mark; and one line in a colour in which nothing is drawn twice may be a hint even with more."""

SOLID = 0.8
"""The least share of its way on which a bridge is drawn, relative to the others: a pointer may cover some of it; a
dashed line is half water."""

STRAY = 0.1
"""The share of the lines that may seem to have no gaps though all others do."""

SEVERAL = 3
"""The number of lines with gaps that can all stand together, for them to be bridges though they are only half as clear
as others must be: hints are shown everywhere, where many cannot stand together, or at one island."""

ALL_SHOWN, MOST_SHOWN = 0.95, 0.8
"""The least share of all places for links that must show a line for the faintest to be hints; and the same share of the
visible ones, if all lines are as pale relative to the numbers as glow is relative to lines."""


def _broad(kinds: Sequence[Line], usual: Sequence[int], members: Sequence[Sequence[int]]) -> list[int]:
    """``usual``, where a line that is far thicker than another stands for two links."""
    return [_thick(k, kinds, usual, members) if value == 1 else value for k, value in enumerate(usual)]


def _thick(k: int, kinds: Sequence[Line], usual: Sequence[int], members: Sequence[Sequence[int]]) -> int:
    """The links of a single line: two if it is far thicker than another kind of bridge. But if that kind is drawn twice
    for two links, in another colour, and as often as the thick one occurs, the thick one is a highlighted single line;
    in the same colour, it is two lines that run together."""
    kind = kinds[k]
    doubles = [
        other
        for other, value, some in zip(kinds, usual, members, strict=True)
        if value == MOST_LINKS and len(some) >= len(members[k]) and not same_colour(kind, other)
    ]
    thinner = (
        value
        and other.count == 1
        and not any(_is_half(other, double) for double in doubles)
        and kind.breadth >= THICK * other.breadth
        and other.contrast >= PALER * kind.contrast
        and _is_thicker(kind, other)
        for other, value in zip(kinds, usual, strict=True)
    )
    return MOST_LINKS if any(thinner) else 1


PALER = 0.5
"""Of a line's contrast: a line with less is drawn with another pen."""


def _is_thicker(kind: Line, other: Line) -> bool:
    """Whether a line that is broader than another one is drawn with a broader pen: a line that falls between two rows
    of pixels is twice as broad and half as strong."""
    return kind.breadth >= other.breadth + 1.5 or kind.weight >= THICK * other.weight


def _breaches(meaning: Sequence[int], members: Sequence[Sequence[int]], puzzle: Puzzle) -> int:
    """How often the rules are broken if each kind of line means so many links: crossings, and islands with more links
    than their number."""
    links = {k: number for number, each in zip(meaning, members, strict=True) for k in each if number}
    crossed = sum(other in links for k in links for other in puzzle.crossings[k]) // 2
    full = sum(sum(links.get(k, 0) for k in puzzle.at[cell]) > number for cell, number in puzzle.islands.items())
    return crossed + full
