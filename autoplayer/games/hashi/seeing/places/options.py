"""The candidates of each island of a chart: numbers with their probabilities, or no island at all. Knows no bridges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.hashi.puzzle import Puzzle
from autoplayer.games.hashi.seeing.places import covers
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.games.hashi.seeing.places.numbers import LEGIBLE, NUMBERS, Island
from autoplayer.games.hashi.seeing.places.others import FAINTLY_LIKE, NUMBER, VERY_LIKE, neighbours
from autoplayer.games.hashi.seeing.places.outline import View, presence

CERTAIN = 0.95
"""A number less probable than this is a doubt."""

FEW_ISLANDS = 4
"""Islands: with so few anything is a board that has a solution."""

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""


Options = tuple[tuple[str, float], ...]
"""What an island may hold: (number, probability), the most probable first."""


def likeliest(chart: Chart, options: Mapping[Cell, Options]) -> Puzzle:
    """The likeliest number in each island."""
    grid = [[0] * len(chart.xs) for _ in chart.ys]
    for (r, c), some in options.items():
        grid[r][c] = int(some[0][0].replace(".", "0"))
    return Puzzle(tuple(map(tuple, grid)))


def may_hold(seen: View, chart: Chart) -> dict[Cell, Options]:
    """The candidates of each island. An island without a clear number may be none: improbable if it has the islands'
    outline, probable if it has nothing of it."""
    found = {cell: candidates(one) for cell, one in chart.islands.items()}
    highest = NUMBER[1] * chart.number_height
    hardly = [cell for cell, some in found.items() if some[0][1] < HARDLY_SURE]
    too_high = [cell for cell in hardly if chart.islands[cell].content.box.height > highest]
    # Where heights differ, numbers may be of several sizes, or signs.
    if len(too_high) <= FEW_TOO_HIGH * len(found) and not seen.foreign:
        found |= {cell: candidates(chart.islands[cell], COVER) for cell in too_high}
    resembling = _together(chart, covers.resembling(chart, hardly)) if hardly else {}
    for cell, fit in resembling.items():
        if found[cell][0][1] >= CERTAIN:
            found[cell] = _refined(found[cell], fit)
    doubted = [cell for cell, some in found.items() if some[0][1] < CERTAIN]
    if not doubted:
        return found
    like = presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))
    like = like / max(float(np.median(like)), 1e-6)
    for (cell, one), here in zip(chart.islands.items(), like, strict=True):
        if cell not in doubted:
            continue
        between = neighbours(one, chart)
        if between > (1 if one.probability <= LEGIBLE else 2):
            # The sides of islands that touch look like an outline at places without an island.
            found[cell] = with_none(found[cell], BETWEEN if between > 2 and one.probability <= LEGIBLE else BARE)
        elif len(chart.islands) <= FEW_ISLANDS and here >= VERY_LIKE:
            found[cell] = with_none(found[cell], 0.0)  # the board without it would have a solution too easily
        elif one.probability <= LEGIBLE or here < FAINTLY_LIKE:
            found[cell] = with_none(found[cell], max(BARE, dict(found[cell]).get(".", 0.0)))
        elif here >= VERY_LIKE:
            found[cell] = with_none(found[cell], 0.0)
    for cell, fit in resembling.items():
        if chart.islands[cell].probability < CERTAIN:
            found[cell] = _refined(found[cell], fit)
    return explained(seen, chart, found, [cell for cell in doubted if found[cell][0][1] < CERTAIN])


def _together(chart: Chart, fits: Mapping[Cell, Mapping[str, float]]) -> dict[Cell, Mapping[str, float]]:
    """``fits``, made equal for islands that show the same glyph, if they favour the same number: separately each would
    be a doubt of its own, and the rules would have to decide all of them."""
    equal: dict[tuple[Options, str], list[Cell]] = {}
    for cell, fit in fits.items():
        # The network's probabilities were determined for all glyphs of a cluster together.
        equal.setdefault((chart.islands[cell].candidates, max(fit, key=fit.__getitem__)), []).append(cell)
    result: dict[Cell, Mapping[str, float]] = dict(fits)
    for cells in equal.values():
        joint = {number: math.prod(fits[cell][number] for cell in cells) ** (1 / len(cells)) for number in NUMBERS}
        result.update((cell, joint) for cell in cells)
    return result


def explained(
    seen: View, chart: Chart, options: Mapping[Cell, Options], doubted: Sequence[Cell], *, covered: bool = False
) -> dict[Cell, Options]:
    """``options`` with the doubtful islands that something covers compared with the board's own numbers; ``covered``:
    whether they are known to be covered. If there are many, the picture is damaged, and nothing is covered."""
    known = covers.examples(chart) if 0 < len(doubted) <= MOST_EXPLAINED else None
    if known is None:
        return dict(options)
    result = dict(options)
    for cell in doubted:
        if not covered and not covers.is_covered(seen, known, chart.islands[cell].centre):
            continue
        fit = covers.chances(seen, known, chart.islands[cell].centre)
        refined = _refined(tuple((number, max(p, HARDLY)) for number, p in options[cell]), fit)
        # A number that occurs nowhere else on the board cannot be compared, and so is not ruled out.
        unknown = {number for number, _ in probable(options[cell]) if number not in known.inks}
        least = IMPROBABLE * refined[0][1]
        result[cell] = tuple((number, max(p, least) if number in unknown else p) for number, p in refined)
    return result


def _refined(some: Options, fit: Mapping[str, float]) -> Options:
    """``some`` weighted by how well each number fits; the probability that there is no island stays."""
    none = sum(p for number, p in some if number == ".") / sum(p for _, p in some)
    weighed = tuple((number, p * fit[number]) for number, p in some if number != ".")
    return with_none(weighed, none) if weighed else some


MOST_EXPLAINED = 4

HARDLY = 0.02
"""The lower limit for the network's probability of a number that explains the pixels."""


def with_none(some: Options, none: float) -> Options:
    """The same numbers, and no island with the probability ``none``."""
    numbers = [(number, p) for number, p in some if number != "."]
    total = sum(p for _, p in numbers)
    ranked = [(number, (1 - none) * p / total) for number, p in numbers] + ([(".", none)] if none else [])
    return tuple(sorted(ranked, key=lambda pair: -pair[1]))


def probable(some: Options) -> Options:
    """``some`` without improbable candidates: if only these give a board with a solution, something else was misread,
    perhaps overlooked, and the solution is one by chance."""
    return tuple((number, p) for number, p in some if p >= IMPROBABLE * some[0][1])


IMPROBABLE = 0.025
"""Of the likeliest number's probability. Of five boards of the bench that were silently wrong three were so by a number
less probable than that."""


def tempered(some: Options) -> Options:
    """``some`` with less confidence, because something is known to have been misread."""
    return tuple((number, math.sqrt(p)) for number, p in some)


FEW_TOO_HIGH = 0.15
"""The share of the islands that may be read together with something else, such as a bridge that shows through them."""

HARDLY_SURE = 0.99
"""A number less probable than this may be the misread one of a board without a solution."""

COVER = 0.5
"""The probability that the ink read at a covered island belongs to the cover."""

BARE, BETWEEN = 0.5, 0.95
"""The probability that a place with the islands' outline, and no legible number, is no island: anywhere, and between
three or four islands that touch it."""

NO_ISLAND = 0.1
"""The probability that there is no island if no number can be read."""


def candidates(one: Island, cover: float = 0.0) -> Options:
    """The numbers that an island may hold. An illegible one may hold any, or be none. ``cover``: the probability that
    the ink that was read belongs to a cover."""
    chances = {number: (1 - cover) * p for number, p in one.candidates if number}
    rest = max(1.0 - sum(chances.values()), 0.0)
    share = (1 - NO_ISLAND) * rest / len(NUMBERS)
    spread = {number: chances.get(number, 0.0) + share for number in NUMBERS} | {".": NO_ISLAND * rest}
    total = sum(spread.values())
    ranked = sorted(((number, p / total) for number, p in spread.items()), key=lambda pair: -pair[1])
    return tuple(pair for pair in ranked if pair[1] >= NEGLIGIBLE)
