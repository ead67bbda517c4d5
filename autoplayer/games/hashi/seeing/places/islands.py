"""Finds the islands in a picture of any window: the outline around each number, equal in size everywhere, and the rows
and columns on which they stand. Reads the numbers. Knows nothing of bridges.

Several first guesses (``guesses``) become charts of islands (``charting``); here they are compared, in the picture as
it is and enlarged, and the chart that is believed is completed.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, overload

import numpy as np

from autoplayer.core.deadline import Allowance, Deadline
from autoplayer.core.frame import Floats, Image
from autoplayer.games.hashi.seeing.places import numbers, plain, words
from autoplayer.games.hashi.seeing.places.chart import COUNTS, SAME_LINE, SMALLEST, Chart, on_grid, placed, weighed
from autoplayer.games.hashi.seeing.places.charting import LEAST_OTHER, completed, look, look_at, strewn
from autoplayer.games.hashi.seeing.places.guesses import SEEN_ANYHOW, size_of, stages
from autoplayer.games.hashi.seeing.places.numbers import NUMBERS
from autoplayer.games.hashi.seeing.places.options import likeliest, may_hold
from autoplayer.games.hashi.seeing.places.others import FEW, by_looks, with_others
from autoplayer.games.hashi.seeing.places.outline import View, shared_outline, view
from autoplayer.games.hashi.solver import has_solution
from autoplayer.vision.templates import Template

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

FEWER = 0.4
"""Share of the islands of a board that is believed: a guess with fewer boxes is not looked at. Counts on bridges may be
more numerous than islands, but not by so much."""


def find(
    image: Image, known: tuple[Template, ...] = (), board: BoardTable | None = None, *, symbols: bool = False
) -> Sequence[tuple[View, Chart]]:
    """The charts of a picture's islands, each with the view in which they were found; empty if nothing looks like
    islands. The first chart is the one that is believed; the others follow, the likeliest first: one of them may be
    right if the first makes no sense. ``known``: the window's own glyphs. ``board``: its lattice, if a person has given
    it. ``symbols``: whether any sign counts as a number."""
    found: tuple[View, Chart] | None = None
    tried: list[tuple[View, Chart]] = []
    deadline = Allowance(PATIENCE)
    plainly = view(image, 1, known, symbols)
    for scale in SCALES:
        if scale > 1 and (image.shape[0] * image.shape[1] * scale**2 > LARGEST_VIEW or deadline.passed):
            break
        if scale > SCALES[1] and not tried:
            break  # of islands that are seen in the largest picture only, some are seen before
        seen = view(image, scale, known, symbols) if scale > 1 else plainly
        charts: list[Chart] = []
        best = _best(seen, board, deadline, charts)
        tried += [(seen, chart) for chart in charts]
        # Larger numbers count for more, but not if only the picture was enlarged.
        if best is not None and (found is None or _rank(best, scale) > _rank(found[1], found[0].scale)):
            found = seen, best
        if best is not None and _convincing(best) and best.outline.inner >= SMALL:
            break
        if scale == 1 and board is None and not symbols and words.is_page(seen):
            # The letters of a page stand on no lattice, or in words; enlarged, they look no less like
            # islands.
            if best is None or not best.regular or _is_text(best):
                found = None
            if found is None or not _promising(found[1]):
                break
        alone = _alone(seen, found) if scale == 1 and board is None and not symbols else None
        if alone is not None and has_solution(likeliest(alone[1], may_hold(*alone))):
            return [alone]  # enlarged, numbers have no more around them
    if board is None and not symbols and (alone := _alone(plainly, found)) is not None:
        sure = found is not None and _convincing(found[1])
        if not sure or has_solution(likeliest(alone[1], may_hold(*alone))):
            return [alone]
    if found is None:
        return []
    seen, best = found
    best = on_grid(seen, best) if board is None else best
    whole = best if symbols else with_others(seen, best)
    if board is None and not symbols:
        whole = _relearned(seen, by_looks(seen, whole), len(whole.islands))
        if len(whole.islands) <= FEW:  # more have no solution without others, and are looked at again
            whole = plain.with_plain(seen, whole)
    first = weighed(replace(whole, scale=seen.scale))
    if board is not None or symbols:
        return [(seen, first)]
    if strewn(first):
        return []
    return _Found((seen, first), [found] if len(whole.islands) > len(best.islands) else [], tried)


def _alone(seen: View, found: tuple[View, Chart] | None) -> tuple[View, Chart] | None:
    """The board of plain numbers that is believed rather than the islands ``found``, if there is one."""
    if found is not None and _convincing(found[1]) and not _by_chance(found[1]):
        return None
    bare = plain.find(seen)
    if bare is None or (found is not None and len(bare.islands) < _varied(found[1])):
        return None
    return seen, weighed(on_grid(seen, bare))


def _is_text(chart: Chart) -> bool:
    """Whether many of the numbers stand close to one another, as the digits of a larger number do."""
    boxes = [one.content.box for one in chart.islands.values() if not one.content.bare]
    close = words.in_words(np.array([(box.x, box.y, box.width, box.height) for box in boxes], np.int32).reshape(-1, 4))
    return bool(close.sum() > IN_WORDS * len(chart.islands))


IN_WORDS = 0.25
"""The part of the islands whose numbers may stand in words, as none does on a board."""


def _promising(chart: Chart) -> bool:
    """Whether there may be a board of which an enlarged picture shows more."""
    return 2 * _sure(chart) >= max(len(chart.islands), 2 * LEAST_OTHER)


class _Found(Sequence[tuple[View, Chart]]):
    """The chart that is believed, and the alternatives, which are sorted on demand."""

    def __init__(self, first: tuple[View, Chart], likely: list[tuple[View, Chart]], tried: list[tuple[View, Chart]]):
        self._first, self._likely, self._tried = first, likely, tried

    @functools.cached_property
    def _all(self) -> list[tuple[View, Chart]]:
        ranked = sorted(self._tried, key=lambda pair: _rank(pair[1], pair[0].scale), reverse=True)
        return [self._first, *_different(self._first[1], [*self._likely, *ranked])]

    @overload
    def __getitem__(self, index: int) -> tuple[View, Chart]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[View, Chart]]: ...

    def __getitem__(self, index: int | slice) -> tuple[View, Chart] | list[tuple[View, Chart]]:
        return self._first if index == 0 else self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return True


def _relearned(seen: View, chart: Chart, before: int) -> Chart:
    """``chart`` with the islands found by the outline of all its islands, if the outline was learned from far fewer of
    them (``before``): those may have shared something that other islands do not have."""
    if len(chart.islands) < MANY_MORE * before:
        return chart
    old = chart.outline
    centres = [one.centre for one in chart.islands.values()]
    better = shared_outline(seen, centres, SMALLEST / 2, old.inner, old.round, old.stretch)
    if better is None:
        return chart
    better = replace(better, inner=old.inner)
    again = completed(seen, replace(chart, outline=better), better)
    return again if again.regular and len(again.islands) > len(chart.islands) else chart


MANY_MORE = 1.2
"""How many times as many islands must look alike as those from which the outline was learned, for it to be learned
again."""


MOST_OTHERS = 4
"""Charts that are kept besides the one that is believed."""


def _different(first: Chart, others: Sequence[tuple[View, Chart]]) -> list[tuple[View, Chart]]:
    """Those of ``others`` whose islands are at different places than those of ``first`` and of one another."""

    def spots(chart: Chart) -> Floats:
        return np.array(sorted(one.centre for one in chart.in_window().islands.values()))

    known = [(spots(first), first.size / first.scale)]
    kept: list[tuple[View, Chart]] = []
    for seen, other in others:
        chart = weighed(replace(other, scale=seen.scale))
        here = spots(chart)
        new = all(
            len(here) != len(there) or float(np.abs(here - there).max()) > SAME_LINE * size for there, size in known
        )
        if chart.regular and len(chart.islands) >= LEAST_OTHER and new:
            kept.append((seen, on_grid(seen, chart)))
            known.append((here, chart.size / chart.scale))
        if len(kept) == MOST_OTHERS:
            break
    return kept


PATIENCE = 4.0
"""Seconds of work after which no further guess is begun: a board takes one or two, and a picture full of text or
texture has more guesses than anybody waits for."""


SCALES = (1, 2, 3)
"""How many times a picture is made larger where its islands may be so small that their rims and their numbers run
together."""


SMALL = 20
"""Pixels: smaller insides of islands are seen better in an enlarged picture, even if they were found in the
original."""


LARGEST_VIEW = 9_000_000
"""Pixels: the largest enlarged picture; a larger one would not have islands as small as that."""


def _rank(chart: Chart, scale: int = 1) -> float:
    """The rank of a chart: its score, raised if it convinces. Small islands are seen better in an enlarged picture; and
    the outline shared by a few islands is usually that of all."""
    trust = (CONVINCES if _convincing(chart) else 1.0) * (1.0 if chart.regular else IRREGULAR)
    enlarged = ENLARGED if scale > 1 and chart.outline.inner < ENLARGED_TO * scale else 1.0
    clear = chart.outline.likeness**2 if chart.outline.drawn and len(chart.islands) <= FEW else 1.0
    return trust * enlarged * clear * chart.score / math.sqrt(scale)


CONVINCES = 3.0
"""Factor for the score of a chart that convinces: it may hold a few islands of a board, though another chart has
all."""


ENLARGED, ENLARGED_TO = 1.15, 20
"""A factor for the score of a chart that was found in an enlarged picture, if its islands are at most so many pixels
wide in the window."""


IRREGULAR = 0.7
"""Weight of islands that stand on no lattice: words beside a board may look like more islands."""


def _best(seen: View, board: BoardTable | None, deadline: Deadline, tried: list[Chart]) -> Chart | None:
    """The best chart of all guesses; a later stage is only looked at if none of an earlier one convinces, and none
    after the deadline. All charts that were considered are appended to ``tried``."""
    size = seen.image.shape[1], seen.image.shape[0]
    best = None if board is None else look_at(seen, board, size)
    if best is not None and _convincing(best):
        return best
    few = 0 if seen.symbols or seen.known else FEW  # a window whose signs are known has nothing but these
    for stage, guesses in enumerate(stages(seen)):
        for guess in guesses:
            if deadline.passed:
                return best
            if best is not None and _convincing(best) and len(guess.boxes) < FEWER * len(best.islands):
                continue  # a few of the same islands, or words
            if seen.scale > 1 and size_of(guess) > SEEN_ANYHOW * seen.scale:
                continue
            charts = look(seen, guess)
            tried += charts
            chart = charts[0] if charts else None
            if chart is not None and board is not None:
                chart = placed(chart, board, size)
            if chart is None or (stage >= MARKS and best is not None and not _may_replace(chart, best)):
                continue
            if best is None or _rank(chart) > _rank(best):
                best = chart
        if deadline.passed or (best is not None and _convincing(best) and (len(best.islands) > few or stage >= MARKS)):
            break
    return best


def _may_replace(chart: Chart, best: Chart) -> bool:
    """Whether the islands of a chart, found by their numbers, may replace others that convince: those are a few with an
    outline far clearer than that of most, as complete or wrong ones may have, there are far more of the islands found
    by numbers, and most of these have some outline."""
    if not _convincing(best):
        return True
    return _sure(chart) >= FAR_MORE * len(best.islands) and chart.outline.likeness >= HAVE_IT


MARKS = 3
"""The first stage at which numbers are looked for."""

FAR_MORE, HAVE_IT = 2.0, 0.75
"""The least ratio of their number to that of the others, and the least share of them that has the outline."""


def _sure(chart: Chart) -> int:
    """The number of islands whose number is hardly in doubt: the letters of a line have few."""
    return sum(one.probability > SURE for one in chart.islands.values())


SURE = 0.9


def _by_chance(chart: Chart) -> bool:
    """Whether the outline of a chart's islands may be mere chance among many numbers that stand alone: it is not
    closed, or there are very few, or it is close to the numbers and there are few."""
    few = len(chart.islands) <= FEW and chart.outline.inner < ROOMY * chart.number_height
    return chart.outline.likeness < CLOSED or few or len(chart.islands) < plain.FEWEST


def _varied(chart: Chart) -> float:
    """The number of plain numbers that outweighs a chart's sure islands: one more if these have a closed outline.
    Islands with one and the same number count for no more than all others, since the pieces of dashed grid lines are
    1s, and all count less if they stand on no lattice."""
    kinds = Counter(one.candidates[0][0] for one in chart.islands.values() if one.probability > SURE)
    total, most = sum(kinds.values()), max(kinds.values(), default=0)
    varied = min(total, 2 * (total - most)) * (1.0 if chart.regular else IRREGULAR)
    return varied + (chart.outline.likeness >= CLOSED)


def _convincing(chart: Chart) -> bool:
    """Whether looking further is a waste of time: nearly everything that looks like an island has a number, and stands
    on one lattice."""
    sure = _sure(chart)
    read = {one.candidates[0][0] for one in chart.islands.values()}
    if chart.score <= 0 and read <= set(NUMBERS):
        return False  # many numbers that are all the same: the corners of boxes
    outline = chart.outline
    closed = outline.drawn and outline.likeness >= CLOSED and outline.inner >= ROOMY * chart.number_height
    if not chart.regular or sure < (3 if closed else 4):
        return False
    most = min(0.9 * len(chart.islands), max(len(chart.islands) - 1, 6))
    counts = not read - COUNTS  # perhaps those that are written on bridges
    if closed and sure >= max(SEVERAL_SURE, HALF_SURE * len(chart.islands)) and (counts or sure < most):
        complete = sum(numbers.zeros(list(chart.islands.values())))  # where numbers say what remains
        sure, counts = sure + complete, counts and not complete
    return sure >= most and not counts


SEVERAL_SURE, HALF_SURE = 6, 0.5
"""The least number and share of islands with a sure number for a 0 in others to mean that these are complete: if a few
are badly seen, one may look like a 0."""

CLOSED, ROOMY = 0.95, 1.5
"""The least share of three islands that have an edge on their outline, and its width as a multiple of their numbers'
height: the few islands of a first level are drawn that clearly, and the digits of a line of text are not."""
