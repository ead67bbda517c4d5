"""Finds the islands in a picture of any window: what is drawn around each number, equal in size everywhere, and the
rows and columns on which they stand. Reads the numbers. Knows nothing of bridges.

Two ways to a first guess, each alone enough: *insides* (what is closed off around a number by a ring or by its own
colour) and *glyphs* (numbers of one size, where insides run together with bridges). Whatever was guessed, the islands'
common outline is learned from it and looked for at every place of the lattice, so that an island that is drawn
differently (finished, wrong, chosen) is found as well.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Cell, Floats, Image, Mask
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
from autoplayer.games.hashi.numbers import INSIDE, LEGIBLE, Island, read
from autoplayer.games.hashi.outline import (
    MOST_PROMISING,
    Outline,
    View,
    climbed,
    everywhere,
    outline_of_glyphs,
    presence,
    shared_outline,
    view,
)
from autoplayer.search.deadline import Deadline
from autoplayer.vision import ink, lattice
from autoplayer.vision.templates import Template

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

LARGEST = 0.4
"""Of the picture's smaller side: a larger island leaves no room for a second one and water."""

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
) -> list[tuple[View, Chart]]:
    """The islands of a picture, and the view of it in which they are seen; empty where nothing looks like some. After
    the chart that is believed come others that were thought of, the likeliest first: one of them may be right where the
    first makes no sense. ``known``: the window's own glyphs. ``board``: its lattice, where a person has given it.
    ``symbols``: whether any sign counts as a number."""
    found: tuple[View, Chart] | None = None
    tried: list[tuple[View, Chart]] = []
    deadline = Deadline(PATIENCE)
    for scale in SCALES:
        if scale > 1 and (image.shape[0] * image.shape[1] * scale**2 > LARGEST_VIEW or deadline.passed):
            break
        seen = view(image, scale, known, symbols)
        charts: list[Chart] = []
        best = _best(seen, board, deadline, charts)
        tried += [(seen, chart) for chart in charts]
        # Larger numbers count for more, but not because they were made larger.
        if best is not None and (found is None or _rank(best, scale) > _rank(found[1])):
            found = seen, best
        if best is not None and _convincing(best) and best.outline.inner >= SMALL:
            break
    if found is None:
        return []
    seen, best = found
    best = on_grid(seen, best) if board is None else best
    whole = best if symbols else _with_others(seen, best)
    first = weighed(replace(whole, scale=seen.scale))
    if board is not None or symbols:
        return [(seen, first)]
    others = [found] if len(whole.islands) > len(best.islands) else []
    others += sorted(tried, key=lambda pair: _rank(pair[1], pair[0].scale), reverse=True)
    return [(seen, first), *_different(first, others)]


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


PATIENCE = 10.0
"""Seconds after which no further guess is begun: a board takes one or two, and a picture full of text or texture holds
more guesses than anybody waits for."""

MOST_PIECES = 100_000
"""Pieces of edges: a screen full of small text has a fifth of that, and more are the grain of a texture."""

SCALES = (1, 2, 3)
"""How many times a picture is made larger where its islands may be so small that their rims and their numbers run
together."""

SMALL = 20
"""Pixels: the insides of islands that are seen better in a larger picture, even where they are seen."""

LARGEST_VIEW = 6_000_000
"""Pixels: a picture is made no larger than that; what has so many has no islands as small as that."""


def _rank(chart: Chart, scale: int = 1) -> tuple[bool, float]:
    """What of two charts is believed: one that convinces rather than one that does not, then the better score."""
    return _convincing(chart), chart.score / math.sqrt(scale) * (1.0 if chart.regular else IRREGULAR)


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


def _stages(seen: View) -> Iterator[Iterator[Guess]]:
    """Guesses, stage by stage; a later stage is only needed where none of an earlier one convinces."""
    level = seen.noise
    for threshold in (max(12.0, 5 * level), max(5.0, 3 * level), max(30.0, 8 * level)):
        yield _insides(seen.strength, threshold)
    for reach in (1, 2, 4):
        yield _marks(seen.gray, reach)


def _marks(gray: Mask, reach: int) -> Iterator[Guess]:
    """Groups of marks of one height: numbers; or whole islands, where a number and its disc or ring are one mark."""
    boxes = lattice.marks(gray, reach)
    square = (boxes[:, 2] < 1.3 * boxes[:, 3]) & (boxes[:, 3] < 1.3 * boxes[:, 2])
    for group in lattice.groups(boxes[square & (boxes[:, 3] >= SMALLEST)], 0.13):
        rim = np.maximum(group[:, 2:] // 8, 1)
        yield Guess(np.concatenate([group[:, :2] + rim, group[:, 2:] - 2 * rim], axis=1), True, True)
    for group in lattice.groups(boxes, 0.2, by_width=False):
        yield Guess(group, False, True)


def _insides(strength: Mask, threshold: float) -> Iterator[Guess]:
    """Groups of even areas of one size that are as wide as high and have something in their middle."""
    edges = np.asarray(strength > threshold, np.uint8)
    height, width = strength.shape
    if cv2.connectedComponents(edges)[0] > MOST_PIECES:
        return
    # A hole in the edges is an even area; its contour runs over the edges around it, as those of what stands in it do.
    contours, tree = cv2.findContours(edges, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)
    following, _, inner, parents = (() if tree is None else tree[0].T.tolist()) or ((), (), (), ())
    largest = LARGEST * min(height, width)
    kept, disc = [], []
    hole: list[bool] = []
    for contour, child, parent in zip(contours, inner, parents, strict=True):
        hole.append(parent >= 0 and not hole[parent])
        if not hole[-1] or len(contour) < 4:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        if min(w, h) < SMALLEST - 2 or max(w, h) - 2 >= min(1.4 * (min(w, h) - 2), largest):
            continue
        if not edges[y + h // 3 : y + h - h // 3, x + w // 3 : x + w - w // 3].any():
            continue  # nothing stands in it
        area, inside = cv2.contourArea(contour) - cv2.arcLength(contour, True) / 2, child
        while inside >= 0:
            area -= cv2.contourArea(contours[inside]) + cv2.arcLength(contours[inside], True) / 2 + 1
            inside = following[inside]
        full = _fullness(contour)
        if full < LEAST_FULL <= _fullness(cv2.convexHull(contour)):
            full = _fullness_by_pixels(edges[y : y + h, x : x + w])
        if full < LEAST_FULL or area < 0.25 * (w - 2) * (h - 2):
            continue
        kept.append((x, y, w, h))
        disc.append(full < 0.88)
    boxes = np.array(kept, np.int32).reshape(-1, 4)
    for is_round in (True, False):
        for group in lattice.groups(boxes[np.array(disc, bool) == is_round], 0.1):
            yield Guess(group, True, is_round)


LEAST_FULL = 0.66
"""Of the box around an island's inside, the part that it fills at least: a disc fills 0.79 of it."""


def _fullness(contour: NDArray[Any]) -> float:
    """Which part of the box around it the area inside ``contour``, which runs over its edges, fills."""
    _, _, w, h = cv2.boundingRect(contour)
    return float((cv2.contourArea(contour) - cv2.arcLength(contour, True)) / ((w - 3) * (h - 3)))


def _fullness_by_pixels(edges: Mask) -> float:
    """The same where a glyph touches its ring at a corner, and the contour runs around the glyph: the largest even area
    of a box of ``edges``, with what stands in it."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - edges[1:-1, 1:-1], connectivity=4)
    largest = int(stats[1:, cv2.CC_STAT_AREA].argmax()) + 1 if len(stats) > 1 else 0
    area = np.asarray(labels == largest, np.uint8) if largest else np.zeros_like(edges)
    around, _ = cv2.findContours(area, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    h, w = edges.shape
    return float(max((cv2.contourArea(one) for one in around), default=0.0) / ((w - 3) * (h - 3)))


def _look(seen: View, guess: Guess) -> list[Chart]:
    """Reads what a guess holds, learns the islands' outline from it, and looks for the others: the chart of all of
    them, and of those alone that the guess holds; empty where it holds none."""
    if not FEWEST <= len(guess.boxes) <= lattice.MOST:
        return []
    centres: Floats = guess.boxes[:, :2] + (guess.boxes[:, 2:] - 1) / 2
    width, height = (float(v) for v in np.median(guess.boxes[:, 2:], axis=0))
    inside = INSIDE * min(width, height) if guess.inside else GLYPH_ROOM * height
    seeds = [one for one in read(seen, centres, inside, guess.round) if one.probability > LEGIBLE]
    if len(seeds) < FEWEST or (guess.inside and not guess.round and 2 * len(seeds) < len(guess.boxes)):
        return []
    if guess.inside:
        outline = shared_outline(seen, [one.centre for one in seeds], SMALLEST / 2, max(width, height), guess.round)
    else:
        outline = outline_of_glyphs(seen, [one.centre for one in seeds], height)
    if outline is None:
        return []
    if guess.inside:  # what was seen whole is known better than what all have in common
        inner = min(width, height)
        outline = replace(outline, inner=inner, width=max(outline.width, inner), height=max(outline.height, inner))
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
    if chart is None:
        return []
    whole = _completed(seen, chart, outline)
    if len(whole.islands) >= 1.5 * len(seeds):
        # The outline was learned from a few that look alike; now it is known what they all have in common.
        all_of_them = [one.centre for one in whole.islands.values()]
        better = shared_outline(seen, all_of_them, SMALLEST / 2, outline.inner, outline.round)
        again = None if better is None else _completed(seen, whole, replace(better, inner=outline.inner))
        if again is not None and again.score > whole.score:
            return [again, whole, chart]
    return [whole, chart]


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

VERY_LIKE = 0.72
"""The correlation with the outline, as a share of the usual one, where nothing else speaks for an island: its number
cannot be read, or it stands beside the lattice."""

HALF_LIKE = 0.5
"""The least correlation of such an island: on a texture even the usual one is low."""

MOST_HIDDEN = 0.6
"""Of the islands that can be read: more that cannot be are no islands, but what crossing lines look like."""


def _completed(seen: View, chart: Chart, outline: Outline) -> Chart:
    """``chart`` with the islands that the guess did not hold. Something must stand in them; one whose number cannot be
    read must stand on the lattice of the others, so that a check box is none."""
    known = np.array([one.centre for one in chart.islands.values()])
    places = everywhere(seen, outline, known)
    added = [
        one
        for one in read(seen, places, INSIDE * outline.inner, outline.round)
        if not one.content.bare and not _is_line(seen, one, outline)
    ]
    usual = float(np.median(presence(seen, outline, known)))
    like = presence(seen, outline, np.array([one.centre for one in added]).reshape(-1, 2)) >= max(
        VERY_LIKE * usual, HALF_LIKE
    )
    # What is less like the others must stand where their lattice has a place: the digits of a clock do not.
    legible = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability > LEGIBLE and (clear or (_on_lattice(one, chart) and _is_number(one, chart.number_height)))
    ]
    whole = charted([*chart.islands.values(), *legible], outline)
    if whole is None or len(whole.islands) <= len(chart.islands):
        whole = chart
    others = [
        one
        for one, clear in zip(added, like, strict=True)
        if one.probability <= LEGIBLE
        and clear
        and _on_lattice(one, whole)
        and _has_room(one, whole.islands.values(), outline)
    ]
    if not others or len(others) > MOST_HIDDEN * len(whole.islands):
        return whole
    return charted([*whole.islands.values(), *others], outline) or whole


def _free(seen: View, chart: Chart) -> tuple[list[Cell], Floats, Floats]:
    """The places of the lattice without an island in which something is drawn; where in each the outline is met best,
    shape ``(N, 2)``; and how well, as a share of what is usual."""
    # Where not one edge is in the middle, no number stands.
    reach = max(2, round(0.25 * chart.number_height))
    level = ink.FAINTEST / 2 + 3 * seen.noise

    def drawn(cell: Cell) -> bool:
        x, y = round(chart.xs[cell[1]]), round(chart.ys[cell[0]])
        middle = seen.strength[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
        return bool(middle.size) and cv2.minMaxLoc(middle)[1] > level

    places = itertools.product(range(len(chart.ys)), range(len(chart.xs)))
    free = [cell for cell in places if cell not in chart.islands and drawn(cell)]
    if not free:
        return [], np.zeros((0, 2)), np.zeros(0)
    centres, like = climbed(seen, chart.outline, np.array([(chart.xs[c], chart.ys[r]) for r, c in free]), (1, 1))
    usual = float(np.median(presence(seen, chart.outline, np.array([one.centre for one in chart.islands.values()]))))
    return free, centres, like / max(usual, 1e-6)


def hidden(seen: View, chart: Chart) -> dict[Cell, Island]:
    """The places of the lattice at which an island may stand that something covers: they alone have much of the
    outline. Empty where none or more than ``MOST_COVERED`` have."""
    free, centres, like = _free(seen, chart)
    order = np.argsort(-like)
    for count in range(1, MOST_COVERED + 1):
        following = float(like[order[count]]) if count < len(order) else 0.0
        if count <= len(order) and like[order[count - 1]] > max(COVERED, STANDS_OUT * following):
            chosen = order[:count]
            return dict(
                zip(
                    [free[k] for k in chosen], read(seen, centres[chosen], chart.core, chart.outline.round), strict=True
                )
            )
    return {}


MOST_COVERED = 2
"""Islands that a pointer or a hint covers at most."""

COVERED, STANDS_OUT = 0.45, 1.5
"""The correlation with the outline, as a share of the usual one, that shows of a covered island at least; and how many
times that of any other free place it is."""


def _with_others(seen: View, chart: Chart) -> Chart:
    """``chart`` with the islands that are drawn in another way than most: at a place of the lattice stands a number as
    high as the others', and something of the outline around it."""
    outline = chart.outline
    free, centres, like = _free(seen, chart)
    if not free:
        return chart
    chosen = np.flatnonzero(like >= FAINTLY_LIKE)[:MOST_PROMISING]
    found: dict[Cell, Island] = {}
    for k, one in zip(chosen, read(seen, centres[chosen], chart.core, outline.round), strict=True):
        x, y = one.content.box.centre
        central = max(abs(x - one.centre[0]), abs(y - one.centre[1])) < 0.2 * outline.inner
        room = central and _has_room(one, chart.islands.values(), outline)
        legible = one.probability > (LEGIBLE if like[k] >= HALF_LIKE else CLEARLY)
        if room and legible and _is_another(seen, one, float(like[k]), chart):
            found[free[k]] = one
    return replace(chart, islands=dict(sorted((chart.islands | found).items()))) if found else chart


def _is_another(seen: View, one: Island, like: float, chart: Chart) -> bool:
    """Whether what can be read at a free place of the lattice is the number of an island; ``like``: how well the
    outline is met there, as a share of what is usual. It may be a count on a bridge, or a piece of a line, which looks
    like a 1."""
    number, height = one.candidates[0][0], chart.number_height
    grounds = np.array([other.content.ground for other in chart.islands.values()])
    same_ground = float(np.abs(np.median(grounds, axis=0) - one.content.ground).max()) < SAME_GROUND
    if number == "1" and (not same_ground or _is_line(seen, one, chart.outline)):
        return False
    if number in COUNTS and (number == "1" or not same_ground):
        return like >= HALF_LIKE and _is_number(one, height)
    return like >= FAINTLY_LIKE and _is_number(one, height)


def _is_line(seen: View, one: Island, outline: Outline) -> bool:
    """Whether what looks like a 1 is a piece of an upright line: there is no ground above it and none below, out to
    where an island's outline would be."""
    if one.candidates[0][0] != "1" or one.content.bare:
        return False
    box, far = one.content.box, OUTSIDE * outline.inner
    height, width = seen.image.shape[:2]
    x = min(max(round(box.x + (box.width - 1) / 2), 0), width - 1)
    above = np.arange(round(one.centre[1] - far), box.y - 1)
    below = np.arange(box.y + box.height + 1, round(one.centre[1] + far) + 1)
    column = seen.image[np.clip(np.concatenate([above, below]), 0, height - 1), x].astype(np.float32)
    to_ground = np.abs(column - one.content.ground).max(axis=1)
    return not (to_ground < np.abs(column - one.content.colour).max(axis=1)).any()


OUTSIDE = 0.62
"""Of the width of an island's inside: from its centre that is outside of it."""

FAINTLY_LIKE = 0.25
"""The correlation with the outline, as a share of the usual one, that an island in another state has at least: where
its rim was, it still is, though a frame around it may be far stronger."""

SAME_GROUND = 25.0
"""Grey levels by which the grounds of two islands of one state differ at most."""

CLEARLY = 0.9
"""How probable a number must be that makes an island without the islands' own outline."""


def _is_number(one: Island, height: float) -> bool:
    """Whether what stands in an island is about as high as the other numbers: a line that runs through it is higher."""
    return NUMBER[0] * height <= one.content.box.height <= NUMBER[1] * height


NUMBER = (0.7, 1.35)
"""The least and the greatest height of a number, in the usual one's: old-style numerals differ that much."""


def _has_room(one: Island, islands: Iterable[Island], outline: Outline) -> bool:
    """Whether no island beside it in its row or column covers a part of it: between islands that touch at their
    corners their sides make a box of the same size."""
    for other in islands:
        across, down = abs(one.centre[0] - other.centre[0]), abs(one.centre[1] - other.centre[1])
        if min(across, down) < SAME_LINE * outline.inner and max(across, down) < 0.95 * outline.inner:
            return False
    return True


def _on_lattice(one: Island, chart: Chart) -> bool:
    """Whether an island stands in a row and a column of the lattice, or of what the lattice goes on to."""
    for value, lines, pitch in ((one.centre[0], chart.xs, chart.pitch_x), (one.centre[1], chart.ys, chart.pitch_y)):
        nearest = min(lines, key=lambda line: abs(value - line))
        steps = (value - nearest) / pitch
        if abs(steps - round(steps)) > OFF_LATTICE or (lines[0] <= value <= lines[-1] and round(steps)):
            return False
    return True


def _convincing(chart: Chart) -> bool:
    """Whether looking on is a waste of time: nearly everything that looks like an island has a number, and stands on
    one lattice."""
    sure = sum(one.probability > 0.9 for one in chart.islands.values())
    return chart.regular and sure >= 4 and sure >= min(0.9 * len(chart.islands), max(len(chart.islands) - 1, 6))
