"""Finds the islands in a picture of any window: what is drawn around each number, equal in size everywhere, and the
rows and columns on which they stand. Reads the numbers. Knows nothing of bridges.

Two ways to a first guess, each alone enough: *insides* (what is closed off around a number by a ring or by its own
colour) and *glyphs* (numbers of one size, where insides run together with bridges). Whatever was guessed, the islands'
common outline is learned from it and looked for at every place of the lattice, so that an island that is drawn
differently (finished, wrong, chosen) is found as well.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

import cv2
import numpy as np

from autoplayer.core.deadline import Allowance, Deadline
from autoplayer.core.frame import Floats, Image, Mask
from autoplayer.games.hashi import insides, plain, words
from autoplayer.games.hashi.chart import (
    COUNTS,
    GLYPH_ROOM,
    OFF_LATTICE,
    SAME_LINE,
    SMALLEST,
    Chart,
    charted,
    on_grid,
    placed,
    weighed,
)
from autoplayer.games.hashi.numbers import INSIDE, LEGIBLE, NUMBERS, Island, read
from autoplayer.games.hashi.others import FEW, HALF_LIKE, VERY_LIKE, by_looks, has_room, is_line, is_number, with_others
from autoplayer.games.hashi.outline import (
    Outline,
    Stretch,
    View,
    climbed,
    everywhere,
    outline_of_glyphs,
    presence,
    shared_outline,
    view,
)
from autoplayer.vision import ink, lattice
from autoplayer.vision.templates import Template

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

FEWEST = 2

FEWER = 0.4
"""Of the islands of a board that is believed: a guess of fewer boxes is not looked at. There are more counts on bridges
than islands, but not that many."""


@dataclass(frozen=True)
class Guess:
    """Boxes of equal size that may be islands' insides, or their glyphs."""

    boxes: lattice.Boxes
    inside: bool
    round: bool


def find(
    image: Image, known: tuple[Template, ...] = (), board: BoardTable | None = None, *, symbols: bool = False
) -> Sequence[tuple[View, Chart]]:
    """The islands of a picture, and the view of it in which they are seen; empty where nothing looks like some. After
    the chart that is believed come others that were thought of, the likeliest first: one of them may be right where the
    first makes no sense. ``known``: the window's own glyphs. ``board``: its lattice, where a person has given it.
    ``symbols``: whether any sign counts as a number."""
    found: tuple[View, Chart] | None = None
    tried: list[tuple[View, Chart]] = []
    deadline = Allowance(PATIENCE)
    for scale in SCALES:
        if scale > 1 and (image.shape[0] * image.shape[1] * scale**2 > LARGEST_VIEW or deadline.passed):
            break
        if scale > SCALES[1] and not tried:
            break  # of islands that are seen in the largest picture only, some are seen before
        seen = view(image, scale, known, symbols)
        charts: list[Chart] = []
        best = _best(seen, board, deadline, charts)
        tried += [(seen, chart) for chart in charts]
        # Larger numbers count for more, but not because they were made larger.
        if best is not None and (found is None or _rank(best, scale) > _rank(found[1], found[0].scale)):
            found = seen, best
        if best is not None and _convincing(best) and best.outline.inner >= SMALL:
            break
        if scale == 1 and board is None and not symbols and words.is_page(seen):
            # Letters that are strewn over a page stand on no lattice, or in words; enlarged, they look no less like
            # islands.
            if best is None or not best.regular or _is_text(best):
                found = None
            if found is None or not _promising(found[1]):
                break
    if board is None and not symbols and (found is None or not _convincing(found[1])):
        seen = view(image, 1, known)
        bare = plain.find(seen)
        if bare is not None and (found is None or len(bare.islands) > _sure(found[1])):
            return [(seen, weighed(on_grid(seen, bare)))]
    if found is None:
        return []
    seen, best = found
    best = on_grid(seen, best) if board is None else best
    whole = best if symbols else with_others(seen, best)
    if board is None and not symbols:
        whole = _relearned(seen, by_looks(seen, whole), len(whole.islands))
    first = weighed(replace(whole, scale=seen.scale))
    if board is not None or symbols:
        return [(seen, first)]
    if _strewn(first):
        return []
    return _Found((seen, first), [found] if len(whole.islands) > len(best.islands) else [], tried)


def _is_text(chart: Chart) -> bool:
    """Whether many of the numbers stand close to one another, as the digits of a larger number do."""
    boxes = [one.content.box for one in chart.islands.values() if not one.content.bare]
    close = words.in_words(np.array([(box.x, box.y, box.width, box.height) for box in boxes], np.int32).reshape(-1, 4))
    return bool(close.sum() > IN_WORDS * len(chart.islands))


IN_WORDS = 0.25
"""The part of the islands whose numbers may stand in words, as none does on a board."""


def _promising(chart: Chart) -> bool:
    """Whether there may be a board, of which more is seen in a larger picture."""
    return 2 * _sure(chart) >= max(len(chart.islands), 2 * LEAST_OTHER)


class _Found(Sequence[tuple[View, Chart]]):
    """The chart that is believed, and what else was thought of: that is sorted when somebody asks."""

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
    """``chart`` with what the outline of all its islands finds, where it was learned from much fewer of them
    (``before``): those may have had something in common that is no island's."""
    if len(chart.islands) < MANY_MORE * before:
        return chart
    old = chart.outline
    centres = [one.centre for one in chart.islands.values()]
    better = shared_outline(seen, centres, SMALLEST / 2, old.inner, old.round, old.stretch)
    if better is None:
        return chart
    better = replace(better, inner=old.inner)
    again = _completed(seen, replace(chart, outline=better), better)
    return again if again.regular and len(again.islands) > len(chart.islands) else chart


MANY_MORE = 1.2
"""How many times as many islands look alike, at least, as the outline was learned from, for it to be learned again."""

MOST_OTHERS = 4
"""Charts that are kept besides the one that is believed."""

LEAST_OTHER = 6
"""Islands of such a chart at least: with fewer anything fits together."""


def _different(first: Chart, others: Sequence[tuple[View, Chart]]) -> list[tuple[View, Chart]]:
    """Some of ``others`` with islands at other places than ``first``, and than one another."""

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
texture holds more guesses than anybody waits for."""

SCALES = (1, 2, 3)
"""How many times a picture is made larger where its islands may be so small that their rims and their numbers run
together."""

SMALL = 20
"""Pixels: the insides of islands that are seen better in a larger picture, even where they are seen."""

LARGEST_VIEW = 9_000_000
"""Pixels: a picture is made no larger than that; what has so many has no islands as small as that."""


def _rank(chart: Chart, scale: int = 1) -> float:
    """How far a chart is believed: by its score, and more where it convinces. What is small is seen better enlarged;
    and what a few have around their numbers is what all of them have."""
    trust = (CONVINCES if _convincing(chart) else 1.0) * (1.0 if chart.regular else IRREGULAR)
    enlarged = ENLARGED if scale > 1 and chart.outline.inner < ENLARGED_TO * scale else 1.0
    clear = chart.outline.likeness**2 if chart.outline.drawn and len(chart.islands) <= FEW else 1.0
    return trust * enlarged * clear * chart.score / math.sqrt(scale)


CONVINCES = 3.0
"""How many times as much a chart's score counts that convinces: a few islands of a board may, though another chart has
all of them."""

ENLARGED, ENLARGED_TO = 1.15, 20
"""How many times as much the score of a chart counts that was found in an enlarged picture, where its islands are so
many pixels wide at most in the window."""

IRREGULAR = 0.7
"""What the score of islands counts that stand on no lattice: words beside a board may look like some more of them."""


def _best(seen: View, board: BoardTable | None, deadline: Deadline, tried: list[Chart]) -> Chart | None:
    """The best chart of all guesses; a later stage is only looked at where none of an earlier one convinces, and none
    after the deadline. All that were thought of are appended to ``tried``."""
    size = seen.image.shape[1], seen.image.shape[0]
    best = None if board is None else _look_at(seen, board, size)
    if best is not None and _convincing(best):
        return best
    for guesses in _stages(seen):
        for guess in guesses:
            if deadline.passed:
                return best
            if best is not None and _convincing(best) and len(guess.boxes) < FEWER * len(best.islands):
                continue  # a few of the same islands, or words
            if seen.scale > 1 and _size(guess) > SEEN_ANYHOW * seen.scale:
                continue
            charts = _look(seen, guess)
            tried += charts
            chart = charts[0] if charts else None
            if chart is not None and board is not None:
                chart = placed(chart, board, size)
            if chart is not None and (best is None or _rank(chart) > _rank(best)):
                best = chart
        if deadline.passed or (best is not None and _convincing(best)):
            break
    return best


def _size(guess: Guess) -> float:
    """How wide the islands of a guess are, or may be by their glyphs, in pixels of its view."""
    return float(np.median(guess.boxes[:, 3])) * (1.0 if guess.inside else 2.0)


SEEN_ANYHOW = 48
"""Pixels of the window: islands that are wider are seen no better in an enlarged picture."""


def _stages(seen: View) -> Iterator[Iterator[Guess]]:
    """Guesses, stage by stage; a later stage is only needed where none of an earlier one convinces."""
    level = seen.noise
    for threshold in (max(12.0, 5 * level), max(5.0, 3 * level), max(30.0, 8 * level)):
        yield _insides(seen.strength, threshold)
    for reach in (1, 2, 4):
        yield _marks(seen.gray, reach)
    yield _blobs(seen)


def _marks(gray: Mask, reach: int) -> Iterator[Guess]:
    """Groups of marks of one height: numbers; or whole islands, where a number and its disc or ring are one mark."""
    boxes = lattice.marks(gray, reach)
    square = (boxes[:, 2] < 1.3 * boxes[:, 3]) & (boxes[:, 3] < 1.3 * boxes[:, 2])
    for group in lattice.groups(boxes[square & (boxes[:, 3] >= SMALLEST)], 0.13):
        rim = np.maximum(group[:, 2:] // 8, 1)
        yield Guess(np.concatenate([group[:, :2] + rim, group[:, 2:] - 2 * rim], axis=1), True, True)
    letters = words.in_words(boxes)
    if letters.sum() >= words.PAGE:
        boxes = boxes[~letters]
    for group in lattice.groups(boxes, 0.2, by_width=False):
        yield Guess(group, False, True)


def _blobs(seen: View) -> Iterator[Guess]:
    """Groups of what is left of all that is drawn when lines are taken away, whatever their colour: islands whose
    numbers touch their rims, so that nothing inside them is closed off, on bridges that join all of them."""
    height, width = seen.gray.shape
    shrunk = cv2.resize(seen.image, (max(width // COARSER, 1), max(height // COARSER, 1)), interpolation=cv2.INTER_AREA)
    water = cv2.resize(cv2.medianBlur(shrunk, WIDE), (width, height), interpolation=cv2.INTER_LINEAR)
    planes = cv2.split(cv2.absdiff(seen.image, water))
    away = cv2.max(cv2.max(planes[0], planes[1]), planes[2])
    drawn = np.asarray(away > ink.FAINTEST / 2 + 4 * seen.noise, np.uint8)
    contours, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if len(contours) > MOST_BLOBS:
        return
    holes = [c for c, node in zip(contours, () if tree is None else tree[0], strict=True) if node[3] >= 0]
    sides = [max(cv2.boundingRect(hole)[2:]) for hole in holes]
    size, filled = float(SMALLEST), 0.0
    largest = insides.LARGEST * min(height, width)
    if seen.scale > 1:  # larger ones are not looked at in an enlarged picture
        largest = min(largest, STEP * SEEN_ANYHOW * seen.scale)
    while size <= largest:
        within = [hole for hole, side in zip(holes, sides, strict=True) if filled <= side < size]
        if within or not filled:
            cv2.drawContours(drawn, within, -1, 1, -1)
            depths = np.asarray(cv2.distanceTransform(drawn, cv2.DIST_L2, 3), np.float32)
        filled = size
        boxes = _opened(depths, THICKEST * size / 2)
        low, high = boxes[:, 2:].min(axis=1, initial=10**6), boxes[:, 2:].max(axis=1, initial=0)
        boxes = boxes[(low >= 0.8 * size) & (high <= 1.25 * STEP * size) & (high <= 1.3 * low)]
        for group in lattice.groups(boxes, 0.13):
            rim = np.maximum(group[:, 2:] // 16, 1)
            yield Guess(np.concatenate([group[:, :2] + rim, group[:, 2:] - 2 * rim], axis=1), True, True)
        size *= STEP


def _opened(depths: Floats, reach: float) -> lattice.Boxes:
    """Boxes around what is left of something drawn when an opening takes away all that a disc with the radius ``reach``
    does not fit into, in a time that does not grow with it; ``depths``: how far within it each pixel is, 0 outside."""
    x, y, width, height = cv2.boundingRect(np.asarray(depths > reach, np.uint8))
    if not width:
        return np.zeros((0, 4), np.int32)
    rim = math.ceil(reach) + 1
    left, top = max(x - rim, 0), max(y - rim, 0)
    core = np.asarray(depths[top : y + height + rim, left : x + width + rim] <= reach, np.uint8)
    blobs = np.asarray(cv2.distanceTransform(core, cv2.DIST_L2, 3) <= reach, np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(blobs, connectivity=4)
    return np.asarray(stats[1:, :4] + (left, top, 0, 0), np.int32)


COARSER, WIDE = 8, 31
"""How many times smaller a picture is in which the water is looked for, and within how many pixels of it."""

MOST_BLOBS = 5_000
"""Pieces of what is drawn: a board and what is around it have a tenth of that, and more are a texture's grain."""

THICKEST, STEP = 0.6, 1.5
"""Of an island's size: lines that are thinner are taken away; and in what steps the sizes are tried."""


def _insides(strength: Mask, threshold: float) -> Iterator[Guess]:
    """Groups of insides of one size."""
    boxes, disc = insides.boxes(strength, threshold)
    for is_round in (True, False):
        for group in lattice.groups(boxes[disc == is_round], 0.1):
            yield Guess(group, True, is_round)


def _look(seen: View, guess: Guess) -> list[Chart]:
    """Reads what a guess holds, learns the islands' outline from it, and looks for the others: the chart of all of
    them, and of those alone that the guess holds; empty where it holds none."""
    if not FEWEST <= len(guess.boxes) <= lattice.MOST:
        return []
    centres: Floats = guess.boxes[:, :2] + (guess.boxes[:, 2:] - 1) / 2
    width, height = (float(v) for v in np.median(guess.boxes[:, 2:], axis=0))
    inside = INSIDE * min(width, height) if guess.inside else GLYPH_ROOM * height
    if _hardly_legible(seen, centres, inside, guess.round):
        return []
    seeds = [one for one in read(seen, centres, inside, guess.round) if one.probability > LEGIBLE]
    if len(seeds) < FEWEST or (guess.inside and not guess.round and 2 * len(seeds) < len(guess.boxes)):
        return []
    if guess.inside:
        where, stretch = [one.centre for one in seeds], _stretch(width, height)
        most = min(width, height) if any(stretch) else max(width, height)
        outline = shared_outline(seen, where, SMALLEST / 2, most, guess.round, stretch)
        if outline is None and seen.noise <= CALM:
            outline = shared_outline(seen.fainter, where, SMALLEST / 2, most, guess.round, stretch)
    else:
        outline = outline_of_glyphs(seen, [one.centre for one in seeds], height)
    if outline is None:
        return []
    if guess.inside:  # what was seen whole is known better than what all have in common
        inner = min(width, height)
        wide, high = (inner + 2 * more for more in outline.stretch)
        outline = replace(outline, inner=inner, width=max(outline.width, wide), height=max(outline.height, high))
    else:
        # A glyph's centre is not its island's: a 1 is narrow, and a 2 may hang low.
        for _ in range(2):
            begin = np.array([one.centre for one in seeds])
            step = max(1, round(height / 12))
            centres, _ = climbed(seen, outline, begin, (2 * step, 2 * step, step, step, 1, 1))
            better = shared_outline(seen, [(float(cx), float(cy)) for cx, cy in centres], height)
            outline = outline if better is None or better.likeness < outline.likeness else better
        seeds = read(seen, centres, INSIDE * outline.inner, outline.round)
        seeds = [one for one in seeds if one.probability > LEGIBLE]
        if len(seeds) < FEWEST:
            return []
    chart = charted(seeds, outline)
    if chart is None or _strewn(chart) or _lost(chart) or _scattered(chart):
        return []
    whole = _completed(seen, chart, outline)
    if _strewn(whole):
        return [chart]
    if len(whole.islands) >= 1.5 * len(seeds):
        # The outline was learned from a few that look alike; now it is known what they all have in common.
        all_of_them = [one.centre for one in whole.islands.values()]
        better = shared_outline(seen, all_of_them, SMALLEST / 2, outline.inner, outline.round, outline.stretch)
        again = None if better is None else _completed(seen, whole, replace(better, inner=outline.inner))
        if again is not None and again.score > whole.score:
            return [again, whole, chart]
    return [whole, chart]


def _stretch(width: float, height: float) -> Stretch:
    """What is oblong in insides of this size."""
    if max(width, height) < OBLONG * min(width, height):
        return 0, 0
    more = round(abs(width - height) / 2)
    return (more, 0) if width > height else (0, more)


OBLONG = 1.3
"""How many times as long as broad what is no square is at least: marks and blobs that are squares are less."""


def _strewn(chart: Chart) -> bool:
    """Whether more islands than boards have stand on no lattice, or a few on one as fine as no board's, as the letters
    and digits of a page do."""
    places = len(chart.xs) * len(chart.ys)
    sparse = places >= FINEST and len(chart.islands) < SPARSEST * places
    return sparse or (not chart.regular and len(chart.islands) >= STREWN)


def _lost(chart: Chart) -> bool:
    """Whether islands are so small beside the ways between them that they are the ends and crossings of grid lines."""
    return len(chart.islands) > FEWEST and chart.size < LOST * min(chart.pitch_x, chart.pitch_y)


def _scattered(chart: Chart) -> bool:
    """Whether many numbers stand elsewhere in their islands than most do: what stands in the squares of a grid are then
    pieces of signs that are written across its lines."""
    whole = [one for one in chart.islands.values() if not one.content.bare]
    aside = np.array([np.subtract(one.content.box.centre, one.centre) for one in whole]).reshape(-1, 2)
    apart = np.abs(aside - np.median(aside, axis=0)).max(axis=1) > ASIDE * chart.size
    return float(apart.mean()) > MOST_ASIDE


ASIDE, MOST_ASIDE = 0.25, 0.2
"""Of an island's size: how far from where most of them stand in their islands a number does at most; and the part of
the islands that may be otherwise, as those are that something covers."""

LOST = 0.07
"""Of the pitch: the size of islands of a board at least; three of a first level, far apart, had 0.12."""

STREWN = 150
"""Islands: of 240 boards of the bench none had a chart of 100 that stood on no lattice; tables had 280 to 630."""

FINEST, SPARSEST = 2500, 0.01
"""Places of a lattice, and the share of them that hold islands, at least, on a board as large as that."""


def _hardly_legible(seen: View, centres: Floats, size: float, is_round: bool) -> bool:
    """Whether so many ``centres`` with so few numbers around them are the letters of a page or the grain of a picture:
    some of them are read, taken from all over."""
    if len(centres) <= MANY:
        return False
    some = read(seen, centres[:: math.ceil(len(centres) / SAMPLE)], size, is_round)
    return sum(one.probability > LEGIBLE for one in some) < LEAST_LEGIBLE * len(some)


MANY, SAMPLE, LEAST_LEGIBLE = 40, 24, 0.1
"""How many more than some there are; how many are read of them; and the part of those that are numbers at least: boards
were found from boxes a fifth of which were, and more."""


def _look_at(seen: View, board: BoardTable, size: tuple[int, int]) -> Chart | None:
    """The islands on a lattice that a person has given; ``size``: the view's width and height."""
    boxes = [board.cell(r, c, size) for r in range(board.rows) for c in range(board.columns)]
    centres = np.array([(box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2) for box in boxes])
    pitch = min(board.place[2] * size[0] / board.columns, board.place[3] * size[1] / board.rows)
    tries = [read(seen, centres, share * pitch) for share in SHARES]
    seeds = max(([one for one in some if one.probability > LEGIBLE] for some in tries), key=len)
    if len(seeds) < FEWEST:
        return None
    outline = shared_outline(seen, [one.centre for one in seeds], NARROWEST * pitch)
    chart = None if outline is None else charted(seeds, outline)
    if outline is None or chart is None:
        return None
    again = read(seen, np.array([one.centre for one in seeds]), INSIDE * outline.inner, outline.round)
    chart = charted([one for one in again if one.probability > LEGIBLE] or seeds, outline) or chart
    return placed(_completed(seen, chart, outline), board, size)


SHARES = (0.45, 0.6, 0.78)
"""Of the pitch: the widths in which a number is looked for at each place of a given lattice."""

NARROWEST = 0.3
"""Of the pitch: no island on a given lattice is narrower."""

MOST_HIDDEN = 0.6
"""Of the islands that can be read: more that cannot be are no islands, but what crossing lines look like."""


MOST_MORE = 60
"""How many times as many places as islands are known may have their outline: what a few glyphs have in common, and a
texture or a text has everywhere, is none."""


def _completed(seen: View, chart: Chart, outline: Outline) -> Chart:
    """``chart`` with the islands that the guess did not hold. Something must stand in them; one whose number cannot be
    read must stand on the lattice of the others, so that a check box is none."""
    known = np.array([one.centre for one in chart.islands.values()])
    places = everywhere(seen, outline, known)
    if len(places) > MOST_MORE * len(known) or _hardly_legible(seen, places, INSIDE * outline.inner, outline.round):
        return chart
    there = read(seen, places, INSIDE * outline.inner, outline.round, chart.islands.values())
    added = [one for one in there if not one.content.bare and not is_line(seen, one, outline)]
    usual = float(np.median(presence(seen, outline, known)))
    like = presence(seen, outline, np.array([one.centre for one in added]).reshape(-1, 2)) >= max(
        VERY_LIKE * usual, HALF_LIKE
    )
    # What is less like the others must stand where their lattice has a place: the digits of a clock do not.
    legible = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability > LEGIBLE and (clear or (_on_lattice(one, chart) and is_number(one, chart.number_height)))
    ]
    whole = charted([*chart.islands.values(), *legible], outline)
    if whole is not None and chart.regular and not whole.regular and len(chart.islands) >= LEAST_OTHER:
        # The numbers of a list beside the board, in discs of the same size.
        whole = charted([*chart.islands.values(), *(one for one in legible if _on_lattice(one, chart))], outline)
    if whole is None or len(whole.islands) <= len(chart.islands):
        whole = chart
    others = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability <= LEGIBLE
        and clear
        and _on_lattice(one, whole)
        and has_room(one, whole.islands.values(), outline)
    ]
    if not others or len(others) > MOST_HIDDEN * len(whole.islands):
        return whole
    return charted([*whole.islands.values(), *others], outline) or whole


def _on_lattice(one: Island, chart: Chart) -> bool:
    """Whether an island stands in a row and a column of the lattice, or of what the lattice goes on to."""
    for value, lines, pitch in ((one.centre[0], chart.xs, chart.pitch_x), (one.centre[1], chart.ys, chart.pitch_y)):
        nearest = min(lines, key=lambda line: abs(value - line))
        steps = (value - nearest) / pitch
        if abs(steps - round(steps)) > OFF_LATTICE or (lines[0] <= value <= lines[-1] and round(steps)):
            return False
    return True


def _sure(chart: Chart) -> int:
    """How many islands have a number that is hardly in doubt: the letters of a line have few."""
    return sum(one.probability > SURE for one in chart.islands.values())


SURE = 0.9


def _convincing(chart: Chart) -> bool:
    """Whether looking on is a waste of time: nearly everything that looks like an island has a number, and stands on
    one lattice."""
    sure = _sure(chart)
    numbers = {one.candidates[0][0] for one in chart.islands.values()}
    if not numbers - COUNTS:
        return False  # what is written on bridges
    if chart.score <= 0 and numbers <= set(NUMBERS):
        return False  # many numbers that are all the same: the corners of boxes
    outline = chart.outline
    closed = outline.drawn and outline.likeness >= CLOSED and outline.inner >= ROOMY * chart.number_height
    return (
        chart.regular
        and sure >= (3 if closed else 4)
        and sure >= min(0.9 * len(chart.islands), max(len(chart.islands) - 1, 6))
    )


CALM = 2.5
"""The noise, in grey levels, up to which an edge that is hardly seen may be drawn there."""

CLOSED, ROOMY = 0.95, 1.5
"""The part of three islands that have an edge on their outline at least, and how wide that is, in their numbers'
height: the few of a first level are drawn as clearly as that, and the digits of a line of text are not."""
