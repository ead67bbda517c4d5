"""What the cells of a board hold: glyph by glyph, with what each may be. Equal glyphs are judged once for all cells;
that no number stands twice in a cell decides much. Knows no lattice; how small pieces make digits is in ``assembly``,
in which order clicks bring them up in ``order``.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.assembly import (
    SIMPLE,
    SMALLER,
    UNEQUAL,
    WHOLE,
    Shapes,
    assembled,
    fitting,
    shapes_of,
    sizes_of,
    stacked,
)
from autoplayer.games.cross_set.glyph import JUNK, LEGIBLE, ONE_DIGIT, Chances, Eyes, Glyph, possible
from autoplayer.games.cross_set.numbers import Spacing, Ways, are_too_many, digits_of, numbers_of, ranked, spacing_of
from autoplayer.games.cross_set.order import ordered
from autoplayer.games.cross_set.own_face import OWN, OwnFace, compared, own_face
from autoplayer.games.cross_set.parting import is_unparted, like_signs, parting_signs
from autoplayer.games.cross_set.signs import above_signs, swallowed_signs, within, without
from autoplayer.games.cross_set.slots import by_place, placed
from autoplayer.games.cross_set.tracing import traced
from autoplayer.vision import alike, glyphs, pieces, templates
from autoplayer.vision.pieces import Piece
from autoplayer.vision.templates import Template

HARDLY = 0.08
"""How likely a piece of exactly the digits' height in a cell is none, once the board is known."""

GONE = 0.05
"""How likely something that looked like a digit, and is as high as one, is none, whatever else speaks against it."""

TOO_CLOSE = 0.3
"""What a cell is worth with a pair that stands closer."""

IN_LINE = 0.01
"""How likely that is where it stands in line with a digit of its height."""

LIKE_A_DIGIT = 0.3
"""Where it is not at least this likely a digit by itself, its height alone does not make it one."""

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

CONVINCING = 0.985
"""A way to see the glyphs that explains them this well needs no other beside it."""

SEVERAL_KINDS = 2
"""So many different numbers that went into larger ones are numbers indeed."""

SAMPLE = 14
"""How many cells are looked at in every way before all are in the best."""

HOPELESS = 0.15
"""Where the first way explains less than this there are no digits at all."""

WAYS = ((0.4, 0.0), (0.28, 0.0), (0.4, 0.13), (0.65, 0.0), (0.4, 0.24), (0.65, 0.13), (0.4, 0.5))
"""How the ink is parted into glyphs: the share of a piece's contrast from which on it is a stroke, and the gap up to
which pieces are one glyph, as a share of the larger one's extent: whole digits; pale ones; digits of segments; digits
that touch by their soft edges; wide gaps; dots."""

LOWEST = 0.42
"""A comma, a full stop or a speck is smaller than this share of the lowest digit; half a 1 of segments is larger."""

VANISHING = 2.0
"""Pixels of the window: signs up to this size are not seen everywhere."""

FEW = 0.04
"""Low pieces of more kinds than this share of all pieces are not signs between numbers."""

GROWN = (0.035, 0.07)
"""By how much of its shorter side a cell is widened where a glyph of it is cut off: digits close to a wall reach into
its soft edge."""

FAINT_PIXELS = 6
"""Window pixels that differ from the ground beside all that is seen, where something pale stands there too."""

SOFT = 2
"""Pixels of the window from a glyph's box within which its soft edge ends."""

SPECK = 0.15
"""A piece smaller than this share of the lowest digit beside it is a speck."""

SMALLEST_SIGN = 0.08
"""A full stop between numbers is no smaller than this share of them; it may be as small as a speck."""

ENOUGH = 0.97
"""A cell worth this much, but for the number of its digits, needs no other way to be seen."""

FEWER = 0.97
"""What a cell is worth with a further digit: a 7 is more than a bar and what is left of it."""

LACKS, STRAYS, NEARLY = 3.0, 0.5, 1.5
"""How much it counts, of two ways to part a cell, that a glyph is less like the same number elsewhere, and each pixel
by which it is larger or smaller, but for these."""

OTHER_SIZE = 0.2
"""A number that differs in height by more is of another size."""

CLEARLY = 0.02
"""By how much a way to part a cell has to be worth more than another one to take its place."""

LOSS = 0.7
"""What a cell is worth in which a piece is left out, against one in which nothing is."""

LEFT_OUT = 0.04
"""The share of the ink of a cell's digits that a rival may leave out, on a board with numbers of two digits."""

FULLER = 1.05
"""What has this many times as much ink has strokes that the other way to see it lost."""

RIVAL = 0.96
"""A way to part a cell is nearly as good as the best one where its worth is a larger share of that one's."""

CORNER = 0.12
"""The part of a cell, from a corner along both sides, in which no number stands."""

MIXED, ONE_COLOUR, SPLINTER = 0.1, 0.8, 0.25
"""What a cell is worth with a glyph of several colours; the least cosine between the directions of two colours from the
ground that are one, thin strokes paler; and the share of the largest piece's extent that makes a piece no splinter."""

CUT = 0.9
"""What a cell is worth with a digit that goes on outside of it, against one in which all are whole."""

FINE_STROKE = 0.65
"""The share of the contrast at which the segments of a digit, and digits that touch, part."""

BETWEEN = 0.6
"""The share of the cells with several numbers at least in which there is one sign between any two, where there are."""

FOOT = 0.9
"""The share of small pieces that stand at the foot of the numbers beside them, where they are commas or full stops."""

KINDS = 3
"""Clusters of equal glyphs for each number at most, on a board of symbols: active ones, others, locked ones."""

LONELY = 0.1
"""The share of glyphs at most, on such a board, that are unlike all others."""

LACKING = 0.15
"""So much less like its number's examples than usual one glyph in a hundred is."""

SMALL = 1.5
"""By how much more a glyph may be unlike others where it is one pixel high; less in proportion to its height."""

BROADER = 1.15
"""What is broader than the broadest number by this factor, in proportion to its height, is more than one."""

DOUBLE = 1.5
"""What is this many times as high as the board's lowest numbers, and of no size that they have, may be two of them."""

PLAIN = 0.9
"""A glyph less probable than this is in doubt anyway."""

FEWEST_LIKE = 3
"""Of so many others of its number and size a glyph has to be like one to be known."""

STRANGE = 0.7
"""A glyph that goes less well than this with the board's other ones may hide another."""

MOST_SIGNS = 12
"""Signs between numbers that are remembered: those of a later picture look like some of them."""

MOST_PARTINGS = 4
"""So many ways in which the digits of a cell may be numbers are weighed."""

KNOWN = 0.995
"""How probable a token is whose template of the layout looks like the glyph."""


@dataclass(frozen=True)
class Sheet:
    """The glyphs of every cell, in the order of the clicks. ``quality``: the share of them, 0 to 1, that is explained.
    ``grounds``: each cell's colour. ``slots``: whether numbers keep places of their own. ``way``: which of ``WAYS``
    parted them. ``boxes``: the inside of each cell. ``unsure``: the cells of which any number may be the active one.
    ``hiding``: the cells in which something hangs together with a wall. ``known``: the layout's own glyphs. ``rivals``:
    the glyphs of cells that can be seen in another way as well. ``parted``: the cells whose digits may make other
    numbers, with all the ways in which they do, as they are ordered, and the probability of each; ``space``: what gaps
    between digits say, on a board with numbers of two digits, and ``signs``: some of those that stand between
    numbers there."""

    glyphs: Mapping[Cell, tuple[Glyph, ...]]
    quality: float
    grounds: Mapping[Cell, Floats]
    boxes: Mapping[Cell, Box]
    slots: bool
    way: tuple[float, float]
    unsure: frozenset[Cell] = frozenset()
    hiding: frozenset[Cell] = frozenset()
    known: Sequence[Template] = ()
    rivals: Mapping[Cell, tuple[Glyph, ...]] = field(default_factory=dict)
    parted: Mapping[Cell, Sequence[tuple[float, tuple[Glyph, ...]]]] = field(default_factory=dict)
    space: Spacing | None = None
    signs: tuple[Piece, ...] = ()


def _scale(boxes: Mapping[Cell, Box]) -> int:
    """How many fine pixels make one in all cells alike: their glyphs are compared."""
    widths, heights = [box.width for box in boxes.values()], [box.height for box in boxes.values()]
    return pieces.scale_for(round(float(np.median(widths))), round(float(np.median(heights))))


def _found(
    image: Image, box: Box, noise: float, stroke: float, uneven: bool = False, *, scale: int = 0
) -> pieces.Place:
    """What stands in a cell; also what is so pale beside the strongest there that it is only seen without that."""
    place = pieces.find(image, box, noise, stroke, uneven, scale=scale)
    top = max((p.contrast for p in place.pieces), default=0.0)
    least = pieces.FAINTEST + 3 * noise
    if uneven or pieces.PALEST * top <= least:
        return place
    patch = box.crop(image)
    rest = patch.copy()
    for p in place.pieces:
        own = p.place
        x, y = own.x - max(box.x, 0), own.y - max(box.y, 0)
        rest[max(y - 1, 0) : y + own.height + 1, max(x - 1, 0) : x + own.width + 1] = place.ground
    inner = rest[rest.shape[0] // 8 : -(rest.shape[0] // 8) or None, rest.shape[1] // 8 : -(rest.shape[1] // 8) or None]
    away = np.abs(inner.astype(np.float32) - place.ground).max(axis=2)
    if np.count_nonzero(away > least) < FAINT_PIXELS:
        return place
    whole = Box(0, 0, rest.shape[1], rest.shape[0])
    more = pieces.find(rest, whole, noise, stroke, scale=scale, remnants=True).pieces
    x, y = (max(v, 0) * more[0].scale for v in (box.x, box.y)) if more else (0, 0)
    moved = (replace(p, box=replace(p.box, x=p.box.x + x, y=p.box.y + y)) for p in more if not p.cut)
    return replace(place, pieces=(*place.pieces, *(p for p in moved if not _is_rim(p, place.pieces))))


def _is_rim(p: Piece, strong: Sequence[Piece]) -> bool:
    """Whether something pale is a line of single pixels along a strong piece: the outermost of its soft edge."""
    own = p.place

    def along(other: Box) -> bool:
        apart_x = max(own.x, other.x) - min(own.x + own.width, other.x + other.width)
        apart_y = max(own.y, other.y) - min(own.y + own.height, other.y + other.height)
        return max(apart_x, apart_y) <= SOFT and min(apart_x, apart_y) < 0

    return min(own.width, own.height) <= 1 and any(along(one.place) for one in strong)


def glance(
    image: Image, boxes: Mapping[Cell, Box], noise: float, known: Sequence[Template] = (), size: int = ONE_DIGIT
) -> float:
    """How well the digits of a board with ``size`` rows explain what stands in some places, 0 to 1, without looking in
    more than a few ways."""
    best = 0.0
    scale = _scale(boxes)
    for stroke, share in WAYS[:3]:
        found = {c: _found(image, box, noise, stroke, scale=scale) for c, box in boxes.items()}
        parts = {c: pieces.together(place.pieces, share) for c, place in found.items()}
        best = max(best, _quality(_judged(parts, Eyes(size, known)), size))
        if best > LEGIBLE:
            break
    return best


def read(image: Image, boxes: Mapping[Cell, Box], size: int, noise: float, known: Sequence[Template] = ()) -> Sheet:
    """The glyphs of the cells of a board with ``size`` rows; ``boxes``: the inside of each cell, window pixels;
    ``known``: the layout's own pictures of glyphs."""
    eyes = Eyes(size, known)
    scale = _scale(boxes)
    some = dict(list(boxes.items())[:: max(1, round(len(boxes) / SAMPLE))])
    found: dict[tuple[float, Cell], pieces.Place] = {}

    def parts(stroke: float, share: float, chosen: Iterable[Cell]) -> dict[Cell, list[Piece]]:
        for cell in chosen:
            if (stroke, cell) not in found:
                found[stroke, cell] = _found(image, boxes[cell], noise, stroke, scale=scale)
        return {cell: pieces.together(found[stroke, cell].pieces, share) for cell in chosen}

    best = -1.0, WAYS[0]
    counts: set[tuple[int, ...]] = set()
    plain: dict[float, dict[Cell, list[Glyph]]] = {}
    for way in WAYS:
        split = parts(*way, some)
        count = tuple(map(len, split.values()))
        if count in counts:
            continue  # the same pieces
        counts.add(count)
        looked = _classified(split, eyes)
        quality = _quality(looked, size)
        if not way[1]:
            plain[way[0]] = looked
        elif way[0] in plain:
            quality *= _not_swallowed(plain[way[0]], looked)
        best = max(best, (quality - 0.005 * len(counts), way), key=lambda one: one[0])
        if quality >= CONVINCING or best[0] < HOPELESS:
            break
    way = best[1]
    split = parts(*way, boxes)
    seen = _classified(split, eyes)
    examples: tuple[Piece, ...] = ()
    if size > ONE_DIGIT:
        parting = parting_signs(seen, {c: found[way[0], c].pieces for c in boxes}, size)
        examples = tuple(itertools.islice(itertools.chain(*parting.values()), MOST_SIGNS))
        signs = {cell: [p.box for p in row] for cell, row in parting.items()}
    else:
        signs = swallowed_signs(seen, {c: found[way[0], c].pieces for c in boxes}, boxes) if way[1] else {}
    if signs:
        found = {(s, c): replace(p, pieces=without(p.pieces, signs.get(c, ()))) for (s, c), p in found.items()}
        split = parts(*way, boxes)
        seen = _classified(split, eyes)
    # What is left out in most cells alike is walls: round corners, a frame.
    usual = int(np.median([found[way[0], cell].swallowed for cell in boxes]))
    hidden = {cell: max(found[way[0], cell].swallowed - usual, 0) for cell in boxes}
    atoms = {cell: found[way[0], cell].pieces for cell in boxes}
    grounds = {cell: found[way[0], cell].ground for cell in boxes}
    shapes, face = shapes_of(seen), own_face(seen)
    view = _View(image, boxes, eyes, noise, scale, usual, way, seen, split, hidden, shapes, face, atoms, grounds, signs)
    if way[1]:
        # Where pieces are joined by their distance some digits are joined with their neighbours: others say more.
        digits = assembled(atoms, view.sizes, {JUNK: view.sizes}, eyes)
        if digits:
            judged = _judged(digits, eyes)
            view = replace(view, shapes=shapes_of(judged), face=own_face(judged))
    odd = list(boxes) if way[1] else [cell for cell in boxes if view.is_odd(cell)]
    better: dict[Cell, _Parted] = {}
    ways: dict[Cell, list[tuple[_Parted, list[Glyph]]]] = {}
    if odd:
        worth = {cell: view.worth(cell, seen[cell], _Parted(split[cell], view.swallowed[cell])) for cell in odd}
        ways = {cell: [(_Parted(split[cell], view.swallowed[cell]), seen[cell])] for cell in odd}
        # Some that are well read say how high digits are.
        beside = {cell: split[cell] for cell in [c for c in boxes if c not in odd][:SAMPLE] or some}

        def in_need() -> list[Cell]:
            """The cells that are not well explained yet."""
            return [c for c in odd if worth[c] < ENOUGH * FEWER ** len(better[c].pieces if c in better else seen[c])]

        for other in _tries(view, odd, in_need):
            # What is right for most cells may join two digits of one, or leave one broken.
            if not other:
                continue
            again = _classified({**beside, **{cell: one.pieces for cell, one in other.items()}}, eyes)
            for cell, one in other.items():
                quality = view.worth(cell, again[cell], one)
                ways[cell].append((one, again[cell]))
                if quality > worth[cell] + CLEARLY:
                    better[cell], worth[cell] = one, quality
        if better:
            seen = _classified({**split, **{cell: one.pieces for cell, one in better.items()}}, eyes)
    parted = {cell: better.get(cell, _Parted(split[cell], view.swallowed[cell])) for cell in boxes}
    view = replace(view, seen=seen, shapes=shapes_of(seen), face=own_face(seen))
    seen, parted, unclear = _traced(view, parted)
    # What the board's numbers look like is known better now than when each way was tried.
    view = replace(view, seen=seen, shapes=shapes_of(seen), face=own_face(seen))
    tried = {cell: [*each, (parted[cell], seen[cell])] for cell, each in ways.items()}
    weighed = {cell: [(view.likelihood(cell, row, one), row) for one, row in each] for cell, each in tried.items()}
    better = {cell: tried[cell][_best(each)][0] for cell, each in weighed.items() if _best(each) < len(each) - 1}
    if better:
        parted |= better
        seen = _classified({cell: one.pieces for cell, one in parted.items()}, eyes)
        view = replace(view, seen=seen)
        unclear = frozenset(cell for cell, one in parted.items() if view.is_unexplained(cell, seen[cell], one))
    told, first, space = compared(seen), seen, None
    ways_in: dict[Cell, Ways] = {}
    if size > ONE_DIGIT:
        rivals = _plausible(_rivals(told, weighed), told, view)
        told = _thinned(told, weighed)
        space = spacing_of(told, size, bool(signs))
        ways_in = numbers_of(told, size, space, signs)
        ways_in = {cell: ranked(each) or ways_in[cell] for cell, each in placed(ways_in, boxes).items()}
        told = first = {cell: each[0][1] for cell, each in ways_in.items()}
        if _lasting(examples):
            unclear |= {cell for cell, row in told.items() if is_unparted(row, signs.get(cell, ()))}
        rivals = {cell: each[0][1] for cell, each in numbers_of(rivals, size, space, signs).items()}
    seen = _never_silent(_exclusive(by_place(told, boxes)), first, size)
    if size <= ONE_DIGIT:
        rivals = _rivals(seen, weighed)
    quality = _quality(seen, size)
    in_order, slots, unsure = ordered(seen, boxes, grounds)
    all_glyphs = {cell: tuple(row) for cell, row in in_order.items()}
    other_order = ordered({**seen, **rivals}, boxes, grounds)[0] if rivals else {}
    others = {cell: tuple(other_order[cell]) for cell in rivals}
    sheet = Sheet(
        all_glyphs,
        quality,
        grounds,
        dict(boxes),
        slots,
        way,
        unsure,
        unclear,
        known,
        others,
        space=space,
        signs=examples,
    )
    return replace(sheet, parted=_parted_otherwise(sheet, seen, ways_in)) if ways_in else sheet


def _parted_otherwise(
    sheet: Sheet, seen: Mapping[Cell, list[Glyph]], ways: Mapping[Cell, Ways]
) -> dict[Cell, list[tuple[float, tuple[Glyph, ...]]]]:
    """The cells whose digits may be several numbers, with each way in the order of the clicks."""
    several = {cell: list(each) for cell, each in ways.items() if len(each) > 1}
    result = {cell: [(each[0][0], tuple(sheet.glyphs[cell]))] for cell, each in several.items()}
    for rank in range(1, MOST_PARTINGS):
        others = {cell: each[rank] for cell, each in several.items() if len(each) > rank}
        rows = {cell: by_place({cell: row}, sheet.boxes)[cell] for cell, (_, row) in others.items()}
        in_order = ordered({**seen, **rows}, sheet.boxes, sheet.grounds)[0] if rows else {}
        for cell, (p, _) in others.items():
            result[cell].append((p, tuple(in_order[cell])))
    return result


def _best(ways: Sequence[tuple[float, Sequence[Glyph]]]) -> int:
    """Which of some ways to part a cell is the best, of those with as many digits at least as the last one: one that is
    lost is worse than one too many. So of those that are about equally good it is the one with most, and the last one
    unless another is clearly better."""
    counts = [len(_numbers(row)) for _, row in ways]
    last = len(ways) - 1
    full = [i for i, count in enumerate(counts) if count >= counts[last]]
    top = max(ways[i][0] for i in full)
    near = [i for i in full if ways[i][0] >= top * (1 - CLEARLY)]
    fullest = [i for i in near if counts[i] == max(counts[k] for k in near)]
    return last if last in fullest else max(fullest, key=lambda i: ways[i][0])


def _rivals(
    seen: Mapping[Cell, Sequence[Glyph]], ways: Mapping[Cell, Sequence[tuple[float, list[Glyph]]]]
) -> dict[Cell, list[Glyph]]:
    """The cells that can be parted in another way that is nearly as good and says other numbers, in that way."""
    result = {}
    for cell, parted in ways.items():
        said = _numbers(seen[cell])
        # What number a glyph is, is asked elsewhere: here only where one ends and another begins.
        same = [_numbers(row) == said or _same_places(row, seen[cell]) for _, row in parted]
        own = max((worth for (worth, _), alike in zip(parted, same, strict=True) if alike), default=0.0)
        others = [one for one, alike in zip(parted, same, strict=True) if one[0] > RIVAL * own and not alike]
        if others:
            result[cell] = max(others, key=lambda one: one[0])[1]
    return result


def _thinned(
    told: Mapping[Cell, Sequence[Glyph]], ways: Mapping[Cell, Sequence[tuple[float, list[Glyph]]]]
) -> dict[Cell, list[Glyph]]:
    """Glyphs that have more ink in another way to part their cell, and are another digit with it, may be either: what
    parts digits that touch also loses pale strokes."""
    result = {cell: list(row) for cell, row in told.items()}
    for cell, parted in ways.items():
        for i, g in enumerate(result[cell]):
            same = [h for _, row in parted for h in row if h.token != g.token and _same_places([g], [h])]
            fuller = [h for h in same if h.chance > PLAIN and h.piece.ink.sum() > FULLER * g.piece.ink.sum()]
            if g.chance > PLAIN and fuller:
                best = max(fuller, key=lambda h: h.chance)
                result[cell][i] = replace(g, chances={g.token: 0.5, best.token: 0.5}, cluster=-id(g.piece))
    return result


def _plausible(
    rivals: Mapping[Cell, list[Glyph]], told: Mapping[Cell, Sequence[Glyph]], view: _View
) -> dict[Cell, list[Glyph]]:
    """The rivals that are no worse than what is told of a cell, on a board with numbers of two digits, where there are
    many ways to join their strokes: the 1s of two lines may be one bar, far higher than numbers are."""
    heights = [g.height for row in told.values() for g in row if g.token != "1" and g.chance > OWN]
    most = (1 + 2 * UNEQUAL) * float(np.percentile(heights, 98)) if heights else np.inf

    def ink(row: Sequence[Glyph]) -> float:
        return sum(float(g.piece.ink.sum()) for g in row)

    def poor(cell: Cell, row: Sequence[Glyph]) -> bool:
        return any(g.height > most or g.chance < LEGIBLE or view.is_strange(cell, g) for g in row)

    return {
        cell: row
        for cell, row in rivals.items()
        if ink(row) > (1 - LEFT_OUT) * ink(told[cell])
        and (not poor(cell, row) or any(g.chance <= PLAIN or view.is_strange(cell, g) for g in told[cell]))
    }


def _not_swallowed(before: Mapping[Cell, Sequence[Glyph]], after: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The share of the cells in which no number of its own went into a far larger one when pieces were put together;
    1 where that may be so with few kinds of them: commas look like a number, the bars of segments as well."""
    lost: dict[Cell, set[str]] = defaultdict(set)
    for cell, row in before.items():
        for g in row:
            if g.chance > WHOLE and g.token not in SIMPLE:
                larger = (o.piece for o in after[cell] if g.piece.extent < SMALLER * o.piece.extent)
                if any(within(g.piece, o) for o in larger):
                    lost[cell].add(g.token)
    kinds = set().union(*lost.values())
    return 1 - len(lost) / len(after) if len(kinds) >= SEVERAL_KINDS else 1.0


def _same_places(one: Sequence[Glyph], other: Sequence[Glyph]) -> bool:
    """Whether two ways to part a cell have their glyphs in the same places."""
    if len(one) != len(other):
        return False
    edges = [sorted((p.box.x, p.box.y, p.right, p.bottom) for p in (g.piece for g in row)) for row in (one, other)]
    slack = 1.5 * max((g.piece.scale for g in one), default=1)
    return bool(np.all(np.abs(np.array(edges[0], float) - np.array(edges[1], float)) <= slack))


def _traced(
    view: _View, parted: dict[Cell, _Parted]
) -> tuple[dict[Cell, list[Glyph]], dict[Cell, _Parted], frozenset[Cell]]:
    """The cells that are not well explained looked at once more, now by the glyphs of those that are; with the pieces
    of each cell, and the cells in which something is still left unexplained."""

    seen = view.seen
    faced = compared(seen)
    unclear = {cell for cell, one in parted.items() if view.is_unexplained(cell, seen[cell], one)}
    poor = unclear | {cell for cell, row in faced.items() if not row or any(g.chance < OWN for g in row)}
    good = {cell: row for cell, row in faced.items() if cell not in poor}
    if not poor or not good:
        return seen, parted, frozenset(unclear)
    places = {c: view.found(c, view.way[0]) for c in sorted(poor)}
    again = traced({cell: place.pieces for cell, place in places.items()}, good)
    others = {cell: _Parted(row, parted[cell].swallowed) for cell, row in again.items()}
    looked = _classified(
        {**{c: parted[c].pieces for c in good}, **{c: one.pieces for c, one in others.items()}}, view.eyes
    )
    better = {
        cell: one
        for cell, one in others.items()
        if view.worth(cell, looked[cell], one) > view.worth(cell, seen[cell], parted[cell])
    }
    if not better:
        return seen, parted, frozenset(unclear)
    parted = {**parted, **better}
    seen = _classified({cell: one.pieces for cell, one in parted.items()}, view.eyes)
    return seen, parted, frozenset(cell for cell, one in parted.items() if view.is_unexplained(cell, seen[cell], one))


class _Parted(NamedTuple):
    """The pieces of a cell, and how many walls with something else on them were left out."""

    pieces: Sequence[Piece]
    swallowed: int


@dataclass(frozen=True)
class _View:
    """A board as it is seen in the way that is right for most cells: what further ways are measured by."""

    image: Image
    boxes: Mapping[Cell, Box]
    eyes: Eyes
    noise: float
    scale: int
    usual: int
    """How many walls are left out in most cells."""
    way: tuple[float, float]
    seen: dict[Cell, list[Glyph]]
    split: Mapping[Cell, Sequence[Piece]]
    swallowed: Mapping[Cell, int]
    shapes: Shapes
    face: OwnFace | None
    atoms: Mapping[Cell, Sequence[Piece]]
    """What hangs together in each cell."""
    grounds: Mapping[Cell, Floats]
    apart: Mapping[Cell, Sequence[Box]] = field(default_factory=dict)
    """Where signs between numbers stand that are left out of what is found; none where they are known otherwise."""

    def found(self, cell: Cell, stroke: float, uneven: bool = False) -> pieces.Place:
        place = _found(self.image, self.boxes[cell], self.noise, stroke, uneven, scale=self.scale)
        return replace(place, pieces=without(place.pieces, self.apart.get(cell, ())))

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        return sizes_of(self.seen)

    @cached_property
    def signs(self) -> bool:
        return _has_signs(self.seen, self.split)

    @cached_property
    def signs_last(self) -> bool:
        """Whether signs stand between numbers, and are so large that none is lost between the pixels."""
        found = [p for cell, row in self.seen.items() for p in _signs(row, self.atoms[cell])]
        return self.signs and _lasting(found)

    @cached_property
    def lowest(self) -> float:
        return min((height for height, _ in self.sizes), default=np.inf)

    def is_odd(self, cell: Cell) -> bool:
        """Whether something stands in a cell that is no digit, is cut off, or is of a height that no digit has (half of
        one, or two of them); or something was left out that is no sign between numbers."""
        row = self.seen[cell]
        heights = np.array([height for height, _ in self.sizes], float)

        def of_size(g: Glyph) -> bool:
            return not len(heights) or bool(np.abs(heights - g.height).min() <= UNEQUAL * g.height + g.piece.scale)

        if not row or self.swallowed[cell] or stacked([g.piece for g in row]):
            return True
        if any(g.chance < LEGIBLE or g.piece.cut or not of_size(g) or self.going(cell, g) < STRANGE for g in row):
            return True
        return bool(_lost(row, self.split[cell], self.signs, self.lowest))

    def lost(self, cell: Cell, row: Sequence[Glyph], parts: _Parted) -> list[Piece]:
        """The pieces of a cell that are in none of its glyphs; also of those that a finer stroke does not see."""
        finer, usual = (_lost(row, each, self.signs, self.lowest) for each in (parts.pieces, self.atoms[cell]))
        return max(finer, [p for p in usual if not self.in_corner(cell, p)], key=len)

    def in_corner(self, cell: Cell, p: Piece) -> bool:
        """Whether a piece is so far in a corner of its cell that it is what a round corner leaves there."""
        box, own = self.boxes[cell], p.place
        left, above = own.x - box.x, own.y - box.y
        right, below = box.width - left - own.width, box.height - above - own.height
        far = max(min(left, right) + own.width, 0) / box.width, max(min(above, below) + own.height, 0) / box.height
        return max(far) < CORNER

    def likeness(self, cell: Cell, g: Glyph) -> float:
        """How like a glyph is to the same number elsewhere, 1 for as like as they are to one another."""
        lack = self.face.lack(cell, g) if self.face else 0.0
        return float(np.exp(-4 * max(lack - LACKING - SMALL * g.piece.scale / g.height, 0.0)))

    def going(self, cell: Cell, g: Glyph) -> float:
        """How well a glyph goes with the same number elsewhere, by its looks, height and breadth; 1 for well."""
        return fitting(g.piece, g.token, self.shapes) * self.likeness(cell, g)

    def is_known(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph is read with ease and looks like several of the same number and size elsewhere: those are no
        parts of a digit, however close they stand."""
        near = self.face.near(cell, g.height, g.token) if self.face else []
        return g.chance > OWN and len(near) >= FEWEST_LIKE and self.going(cell, g) > PLAIN

    def is_strange(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph that is read with ease may be more than one, or a part of one: it is unlike the same number
        elsewhere, of a height that no number has, broader than all, or cut off and of another breadth. One that is in
        doubt anyway may be more than one where it is larger than numbers are."""
        slack = 1.5 * g.piece.scale
        heights = [h for h, _ in (*self.shapes[JUNK], *self.shapes.get(g.token, ()))]
        of_size = any(abs(h - g.height) <= UNEQUAL * h + slack for h in heights)
        if g.chance <= PLAIN:
            return bool(heights) and not of_size and g.height > DOUBLE * min(heights) and g.chances.get(JUNK, 0.0) < 0.5
        if g.piece.cut and fitting(g.piece, g.token, self.shapes) < STRANGE:
            return True
        if not of_size:
            return bool(heights) and not (self.face and self.face.is_enlarged(cell, g))
        broadest = max(b / h for h, b in self.shapes[JUNK] or self.shapes[g.token]) * g.height
        return g.piece.box.width > BROADER * broadest + slack or self.likeness(cell, g) < STRANGE

    def is_unexplained(self, cell: Cell, row: Sequence[Glyph], one: _Parted) -> bool:
        """Whether something in a cell is left that no glyph explains, or a glyph may be more or less than one."""
        strange = any(self.is_strange(cell, g) for g in row)
        digits = [g.piece for g in row if g.chance > LEGIBLE]
        known = all(self.is_known(cell, g) for g in row)
        if strange or one.swallowed or _overlapping(digits) or (stacked(digits) and not known):
            return True
        # A comma that is nowhere went into a number.
        between = len(digits) - 1 if self.eyes.size <= ONE_DIGIT else 0
        if self.signs_last and len(row) > 1 and len(_signs(row, self.atoms[cell])) < between:
            return True
        if self.apart and len(self.apart.get(cell, ())) < between:
            return True
        # A thin stroke may break off a digit; what is as large as half of one, or falls into halves, is one itself.
        lost = pieces.together(self.lost(cell, row, one), WAYS[-1][1])
        numbers = [g for g in row if g.chance > LEGIBLE]
        junk = [g.piece for g in row if g.chances.get(JUNK, 0.0) > 0.5]
        lost += [p for p in junk if not self.in_corner(cell, p) and not _at_a_foot(p, numbers)]
        return any(p.extent >= LOWEST * min((self.lowest, *(g.height for g in row))) for p in lost)

    def is_mixed(self, cell: Cell, g: Glyph) -> bool:
        """Whether a glyph was put together from pieces of several colours; a stroke may be paler for being thin."""
        parts = [p for p in self.atoms[cell] if within(p, g.piece)]
        largest = max((p.extent for p in parts), default=0)
        away = np.array([p.colour - self.grounds[cell] for p in parts if p.extent > SPLINTER * largest])
        if len(away) < 2:
            return False
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0)
        return float((away @ away.T).min()) < ONE_COLOUR

    def worth(self, cell: Cell, row: Sequence[Glyph], parts: _Parted) -> float:
        """How well a cell is explained. What is left out counts against it, and what is broader or narrower than the
        same digit elsewhere, and every further digit a little."""
        fit = float(np.prod([self.going(cell, g) for g in row]))
        lost = len(self.lost(cell, row, parts)) + parts.swallowed
        close = 0 if all(self.is_known(cell, g) for g in row) else stacked([g.piece for g in row])
        fit *= FEWER ** len(row) * LOSS**lost * TOO_CLOSE**close
        fit *= CUT ** sum(g.piece.cut for g in row) * MIXED ** sum(self.is_mixed(cell, g) for g in row)
        return _quality({(0, 0): row}, self.eyes.size) * fit

    def likelihood(self, cell: Cell, row: Sequence[Glyph], parts: _Parted) -> float:
        """As ``worth``, for ways to part one cell that are all nearly as good: however many digits there are, and less
        the least like the same number elsewhere one of them is, in shape and in size."""
        lacking = [
            LACKS * (self.face.lack(cell, g) if self.face else 0.0) + STRAYS * max(self.astray(g) - NEARLY, 0.0)
            for g in row
            if g.chance > LEGIBLE
        ]
        return self.worth(cell, row, parts) / FEWER ** len(row) * float(np.exp(-max(lacking, default=0.0)))

    def astray(self, g: Glyph) -> float:
        """By how many pixels of the window a glyph is higher or broader, or less so, than the same number of about its
        size is elsewhere; 0 where that is not met."""
        near = [(h, w) for h, w in self.shapes.get(g.token, ()) if abs(h - g.height) <= OTHER_SIZE * g.height]
        away = [max(abs(g.height - h), abs(g.piece.box.width - w)) for h, w in near]
        return float(min(away, default=0.0) / g.piece.scale)


def _tries(view: _View, odd: Sequence[Cell], in_need: Callable[[], list[Cell]]) -> Iterator[dict[Cell, _Parted]]:
    """Other ways to part what stands in the cells that are ``in_need`` of one; put together from small pieces, all that
    are ``odd``."""
    image, boxes, noise, scale, (stroke, share) = view.image, view.boxes, view.noise, view.scale, view.way

    def parted(place: pieces.Place, gap: float) -> _Parted:
        return _Parted(pieces.together(place.pieces, gap), swallowed(place))

    def swallowed(place: pieces.Place) -> int:
        return max(place.swallowed - view.usual, 0)

    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        places = {c: view.found(c, fine) for c in (odd if fine == stroke else in_need())}
        digits = assembled({c: place.pieces for c, place in places.items()}, view.sizes, view.shapes, view.eyes)
        yield {c: _Parted(row, swallowed(places[c])) for c, row in digits.items()}
        if fine != stroke:
            yield {c: parted(place, share) for c, place in places.items()}
    yield {c: parted(view.found(c, stroke, uneven=True), share) for c in in_need()}
    for by in GROWN:
        cut = [c for c in odd if view.swallowed[c] or any(g.piece.cut for g in view.seen[c])]
        wider = _widened(image, {c: boxes[c] for c in cut}, noise, stroke, by, scale)
        # A digit that touches the wall goes with it when the wall is left out: then it stays cut, and in doubt.
        inner = {c: without(p.pieces, view.apart.get(c, ())) for c, p in wider.items()}
        whole = {c: replace(p, pieces=_without_rims(inner[c], view.sizes)) for c, p in wider.items()}
        yield {c: parted(p, share) for c, p in whole.items() if _all_there(view.split[c], p.pieces)}
        digits = assembled({c: p.pieces for c, p in whole.items()}, view.sizes, view.shapes, view.eyes)
        yield {c: _Parted(row, swallowed(whole[c])) for c, row in digits.items() if _all_there(view.split[c], row)}
    for way in WAYS:
        if way[0] == stroke and way != view.way:
            apart = {c: parted(view.found(c, stroke), way[1]) for c in in_need()}
            yield {c: one for c, one in apart.items() if len(one.pieces) != len(view.split[c])}


def _numbers(row: Sequence[Glyph]) -> list[str]:
    return sorted(g.token for g in row if g.chance > LEGIBLE)


def _overlapping(row: Sequence[Piece]) -> bool:
    """Whether most of one glyph's box lies in another's: both are the same ink, or one is a part of the other."""
    for one, other in itertools.combinations(row, 2):
        across = min(one.right, other.right) - max(one.box.x, other.box.x)
        down = min(one.bottom, other.bottom) - max(one.box.y, other.box.y)
        least = min(one.box.width * one.box.height, other.box.width * other.box.height)
        if min(across, down) > 0 and across * down > pieces.WITHIN * least:
            return True
    return False


def _without_rims(parts: Sequence[Piece], sizes: Sequence[tuple[float, float]]) -> tuple[Piece, ...]:
    """Without what goes on outside of the place and is far smaller than a digit: the corners of its walls."""
    least = LOWEST * min((height for height, _ in sizes), default=0.0)
    return tuple(p for p in parts if not p.cut or p.extent >= least)


def _never_silent(
    now: Mapping[Cell, Sequence[Glyph]], first: Mapping[Cell, Sequence[Glyph]], size: int
) -> dict[Cell, list[Glyph]]:
    """What is as high as numbers are is hardly none. What looked like one at ``first`` may be misread, but does not
    vanish: it is one of those that do not stand beside it."""
    looked = {id(g.piece): g.chances for row in first.values() for g in row}
    heights = np.array([height for height, _ in sizes_of(first)], float)
    result = {}
    for cell, row in now.items():
        result[cell] = list(row)
        for i, g in enumerate(row):
            before = looked.get(id(g.piece), {})
            if not len(heights) or np.abs(heights - g.height).min() > UNEQUAL * g.height + g.piece.scale:
                continue
            junk = g.chances.get(JUNK, 0.0)
            if junk < 0.5:
                rest = 1 - HARDLY * junk
                chances = {t: p * rest / (1 - junk) if t else HARDLY * junk for t, p in g.chances.items()}
                result[cell][i] = replace(g, chances=chances)
                continue
            if before.get(JUNK, 1.0) > 0.5:
                continue
            taken = {o.token for o in row if o is not g and o.chance > LEGIBLE}
            free = {t: before.get(t, 0.0) + 0.02 for t in map(str, range(1, size + 1)) if t not in taken}
            if free:
                chances = {t: (1 - GONE) * p / sum(free.values()) for t, p in free.items()} | {JUNK: GONE}
                result[cell][i] = replace(
                    g, chances=chances, cluster=-1_000_000 - len(looked) - id(g.piece) % 1_000_000
                )
    return result


def symbols(
    image: Image, boxes: Mapping[Cell, Box], size: int, noise: float, known: Sequence[Template] = ()
) -> Sheet | None:
    """What stands in the cells where nobody knows what it says: every cluster of equal glyphs may be any number. None
    where it is nothing that a board of this game could show: in each cell something, one to ``size`` glyphs, few of
    them unlike all others."""
    way = WAYS[0]
    scale = _scale(boxes)
    found = {cell: _found(image, box, noise, way[0], scale=scale) for cell, box in boxes.items()}
    split = {cell: pieces.together(place.pieces, way[1]) for cell, place in found.items()}
    flat = [(cell, piece) for cell, row in split.items() for piece in row]
    inks = [piece.ink for _, piece in flat]
    if not flat or not all(1 <= len(row) <= size for row in split.values()):
        return None
    cluster = alike.clusters(inks)
    often = Counter(cluster)
    if len(often) > KINDS * size or sum(1 for count in often.values() if count == 1) > LONELY * len(flat):
        return None
    chances: dict[int, Chances] = {}
    for ink, number in zip(inks, cluster, strict=True):
        if number not in chances:
            token = templates.match(ink, known) if known else None
            every = {str(n): 1 / size for n in range(1, size + 1)}
            chances[number] = {token: KNOWN, JUNK: 1 - KNOWN} if token else every
    seen: dict[Cell, list[Glyph]] = {cell: [] for cell in boxes}
    for (cell, piece), number in zip(flat, cluster, strict=True):
        seen[cell].append(Glyph(piece, chances[number], number))
    grounds = {cell: place.ground for cell, place in found.items()}
    in_order, slots, unsure = ordered(seen, boxes, grounds)
    return Sheet(
        {c: tuple(row) for c, row in in_order.items()}, 1.0, grounds, dict(boxes), slots, way, unsure, known=known
    )


def read_again(image: Image, boxes: Mapping[Cell, Box], before: Sheet, noise: float) -> Sheet:
    """Some cells of a board, as they look in a later picture; ``before``: all its cells, as they were read. A glyph
    that looks like one of those is the same; only others are looked at by the network."""
    eyes = Eyes(round(len(before.boxes) ** 0.5), before.known)
    scale = _scale(before.boxes)
    found = {cell: _found(image, box, noise, before.way[0], scale=scale) for cell, box in boxes.items()}
    # Numbers are put together from digits again, for they stand elsewhere now.
    digits = replace(before, glyphs={cell: tuple(digits_of(row)) for cell, row in before.glyphs.items()})
    signs = {cell: like_signs(place.pieces, before.signs) for cell, place in found.items()} if before.signs else {}
    found = {cell: replace(p, pieces=without(p.pieces, signs.get(cell, ()))) for cell, p in found.items()}
    split = {cell: pieces.together(place.pieces, before.way[1]) for cell, place in found.items()}
    split |= _whole(image, boxes, noise, digits, split)
    examples = list({g.cluster: g for row in digits.glyphs.values() for g in row}.values())
    new = [piece for row in split.values() for piece in row]
    cluster = alike.clusters([g.piece.ink for g in examples] + [piece.ink for piece in new])
    known = {number: g.chances for number, g in zip(cluster, examples, strict=False)}
    seen: dict[Cell, list[Glyph]] = {}
    strange: dict[Cell, list[Piece]] = {}
    at = len(examples)
    for cell, row in split.items():
        numbers = cluster[at : at + len(row)]
        at += len(row)
        if all(number in known for number in numbers):
            seen[cell] = [Glyph(p, known[n], n) for p, n in zip(row, numbers, strict=True)]
        else:
            strange[cell] = row
    if strange:
        seen |= _classified(strange, eyes)
    if before.space is not None:
        ways = numbers_of(seen, eyes.size, before.space, signs)
        seen = {cell: each[0][1] for cell, each in ways.items()}
    rest = {cell: list(row) for cell, row in before.glyphs.items() if cell not in boxes}
    grounds = {cell: place.ground for cell, place in found.items()}
    in_order, _, unsure = ordered({**rest, **seen}, before.boxes, {**before.grounds, **grounds})
    glyphs_now = {cell: tuple(in_order[cell]) for cell in boxes}
    return replace(
        before, glyphs=glyphs_now, grounds=grounds, boxes=dict(boxes), unsure=unsure & set(boxes), hiding=frozenset(),
        rivals={}, parted={},
    )  # fmt: skip


def _widened(
    image: Image, boxes: Mapping[Cell, Box], noise: float, stroke: float, by: float, scale: int
) -> dict[Cell, pieces.Place]:
    """What stands in cells that are larger at every side by a share of their shorter side."""
    result = {}
    for cell, box in boxes.items():
        more = max(1, round(by * min(box.width, box.height)))
        grown = Box(box.x - more, box.y - more, box.width + 2 * more, box.height + 2 * more)
        if grown.x >= 0 and grown.y >= 0 and grown.crop(image).shape[:2] == (grown.height, grown.width):
            result[cell] = _found(image, grown, noise, stroke, scale=scale)
    return result


def _all_there(before: Sequence[Piece], after: Sequence[Piece]) -> bool:
    """Whether something stands wherever something was cut off."""

    def common(one: Piece, other: Piece) -> bool:
        a, b, s, t = one.box, other.box, one.scale, other.scale
        across = min((a.x + a.width) / s, (b.x + b.width) / t) - max(a.x / s, b.x / t)
        down = min((a.y + a.height) / s, (b.y + b.height) / t) - max(a.y / s, b.y / t)
        return across > 0 and down > 0

    return all(any(common(cut, piece) for piece in after) for cut in before if cut.cut)


def _whole(
    image: Image, boxes: Mapping[Cell, Box], noise: float, before: Sheet, split: Mapping[Cell, Sequence[Piece]]
) -> dict[Cell, list[Piece]]:
    """Cells in which something is cut off, or not as many glyphs stand as before, widened or put together in another
    way until nothing is and as many do."""
    result: dict[Cell, list[Piece]] = {}
    stroke, share = before.way
    scale = _scale(before.boxes)
    for by in GROWN:
        cut = {c: boxes[c] for c, row in split.items() if c not in result and any(p.cut for p in row)}
        for cell, place in _widened(image, cut, noise, stroke, by, scale).items() if cut else ():
            row = pieces.together(place.pieces, share)
            if not any(p.cut for p in row) and len(row) == len(before.glyphs[cell]):
                result[cell] = row
    eyes = Eyes(round(len(before.boxes) ** 0.5), before.known)
    sizes, shapes = sizes_of(before.glyphs), shapes_of(before.glyphs)
    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        odd = [c for c, row in split.items() if c not in result and len(row) != len(before.glyphs[c])]
        atoms = {c: _found(image, boxes[c], noise, fine, scale=scale).pieces for c in odd}
        for cell, row in assembled(atoms, sizes, shapes, eyes).items():
            if len(row) == len(before.glyphs[cell]):
                result[cell] = row
    return result


# ---- which digit each glyph is ---------------------------------------------------------------------------------------


def _classified(parts: Mapping[Cell, Sequence[Piece]], eyes: Eyes) -> dict[Cell, list[Glyph]]:
    """Every piece with what it may be; signs between numbers and specks are left out, touching digits are parted."""
    seen = _judged(parts, eyes)
    lowest = LOWEST * _lowest_digit(seen)
    low = [g for row in seen.values() for g in row if g.piece.extent < lowest]
    # Signs and specks look alike or are few; what is low and various may be digits that are not yet seen rightly.
    various = len({g.cluster for g in low}) > max(3, FEW * sum(map(len, seen.values())))
    if various and not _at_the_foot(seen, lowest, eyes.size):
        lowest = 0.0
    lowest = max(lowest, above_signs(seen))
    kept = {cell: [g for g in row if g.piece.extent >= lowest] for cell, row in seen.items()}
    parted = _parted(kept)
    if parted:
        merged = {
            cell: [part for g in row for part in parted.get(id(g.piece), [g.piece])] for cell, row in kept.items()
        }
        again = _judged(merged, eyes)
        kept = {cell: again[cell] if any(id(g.piece) in parted for g in row) else row for cell, row in kept.items()}
        kept = _renumbered(kept, again)
    return kept


def _at_the_foot(seen: Mapping[Cell, Sequence[Glyph]], lowest: float, size: int) -> bool:
    """Whether what is low are commas or full stops, however they are blurred: they stand at the foot of numbers that
    are read with ease without them."""
    rest = {cell: [g for g in row if g.piece.extent >= lowest] for cell, row in seen.items()}
    counts = [(len(row) - len(rest[cell]), len(rest[cell])) for cell, row in seen.items() if len(rest[cell]) > 1]
    # One between any two numbers, or fewer where numbers are read with more ease without them.
    between = bool(counts) and float(np.mean([low == numbers - 1 for low, numbers in counts])) >= BETWEEN
    if _quality(rest, size) < (LEGIBLE if between else OWN):
        return False
    at_foot = []
    for cell, row in seen.items():
        for g in row:
            if g.piece.extent < lowest and rest[cell]:
                middle = g.piece.box.x + g.piece.box.width / 2
                near = min(rest[cell], key=lambda o: abs(o.piece.box.x + o.piece.box.width / 2 - middle)).piece
                # Below it, instead of at its foot, stands a further line of numbers.
                at_foot.append(near.box.y + 0.6 * near.box.height < g.piece.box.y < near.bottom)
    return bool(np.mean(at_foot) >= FOOT)


def _renumbered(kept: dict[Cell, list[Glyph]], again: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """The clusters of ``again`` for all glyphs, so that their numbers belong to one another."""
    return {cell: list(again[cell]) for cell in kept}


def _judged(parts: Mapping[Cell, Sequence[Piece]], eyes: Eyes) -> dict[Cell, list[Glyph]]:
    flat = [(cell, piece) for cell, row in parts.items() for piece in row]
    inks = [piece.ink for _, piece in flat]
    cluster = alike.clusters(inks)
    count: Counter[int] = Counter()
    chosen = []
    for i, number in enumerate(cluster):
        if count[number] < SPOKESMEN:
            chosen.append(i)
        count[number] += 1
    said = glyphs.classify([inks[i] for i in chosen])
    heights = np.array([piece.box.height for _, piece in flat], float)
    usual = float(np.median(heights)) if flat else 0.0
    spoken = [possible(row, eyes.size, 0.5 * usual < heights[i]) for i, row in zip(chosen, said, strict=True)]
    for k, i in enumerate(chosen):
        token = templates.match(inks[i], eyes.known) if eyes.known else None
        if token is not None:  # the window's own glyph: nothing knows better
            spoken[k] = {token: KNOWN, ("1" if token == JUNK else JUNK): 1 - KNOWN}
    joint = alike.joint([cluster[i] for i in chosen], spoken)
    result: dict[Cell, list[Glyph]] = {cell: [] for cell in parts}
    for (cell, piece), number in zip(flat, cluster, strict=True):
        result[cell].append(Glyph(piece, joint[number], number))
    return result


def _lowest_digit(seen: Mapping[Cell, Sequence[Glyph]]) -> float:
    """The height of the lowest digits: of the lowest glyphs of which at least two different ones are read with ease. A
    comma may look like a 1 or a 9, but all commas look alike."""
    clear = sorted((g.height, g.token) for row in seen.values() for g in row if g.chance > LEGIBLE)
    for height, _ in clear:
        near = {token for h, token in clear if height <= h <= 1.25 * height + 1}
        if len(near - {"1"}) >= 2:
            return float(height)
    return float(clear[0][0]) if clear else 0.0


def _parted(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[int, list[Piece]]:
    """Glyphs that are two or more digits touching side by side, by the id of their piece, with the digits' pieces."""
    shapes = [(g.height, g.piece.box.width) for row in seen.values() for g in row if g.chance > 0.9]
    least = LOWEST * _lowest_digit(seen)  # what is as low as a comma is no digits side by side
    every = [g for row in seen.values() for g in row if g.height >= least]
    doubted = [g for g in every if g.chance < LEGIBLE or g.piece.box.width > 1.2 * g.height]
    if not shapes or not doubted:
        return {}
    tries: list[tuple[Glyph, int, list[Piece]]] = []
    met: set[int] = set()
    for g in doubted:
        near = [w for h, w in shapes if abs(h - g.height) <= 0.15 * g.height + 1]
        usual = float(np.percentile(near, 70)) if near else 0.62 * g.height
        for count in range(2, 9):
            if g.cluster not in met and 0.55 * usual <= g.piece.box.width / count <= 1.35 * usual:
                tries.append((g, count, _sliced(g.piece, count)))
        met.add(g.cluster)
    said = glyphs.classify([part.ink for _, _, parts in tries for part in parts])
    best: dict[int, tuple[float, int]] = {}
    at = 0
    for g, count, parts in tries:
        rows = said[at : at + len(parts)]
        at += len(parts)
        worth = float(np.mean(rows[:, :10].max(axis=1))) if len(parts) else 0.0
        if worth > max(best.get(g.cluster, (0.0, 0))[0], LEGIBLE, g.chance):
            best[g.cluster] = worth, count
    result = {}
    for g in doubted:
        if g.cluster in best and (parts := _sliced(g.piece, best[g.cluster][1])):
            result[id(g.piece)] = parts
    return result


def _sliced(piece: Piece, count: int) -> list[Piece]:
    """A piece cut into ``count`` parts side by side, where there is least ink near the even places."""
    profile = piece.ink.sum(axis=0)
    width = piece.box.width
    step = width / count
    cuts = [0]
    for k in range(1, count):
        low, high = round((k - 0.3) * step), round((k + 0.3) * step) + 1
        low, high = max(low, cuts[-1] + 1), min(high, width - 1)
        if low >= high:
            return []
        cuts.append(low + int(np.argmin(profile[low:high])))
    cuts.append(width)
    result = []
    for a, b in itertools.pairwise(cuts):
        part = piece.ink[:, a:b]
        ys, xs = np.nonzero(part > 0.3)
        if not len(xs):
            return []
        x0, x1, y0, y1 = int(xs.min()), int(xs.max()) + 1, int(ys.min()), int(ys.max()) + 1
        box = Box(piece.box.x + a + x0, piece.box.y + y0, x1 - x0, y1 - y0)
        result.append(replace(piece, box=box, ink=np.ascontiguousarray(part[y0:y1, x0:x1])))
    return result


def _quality(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> float:
    """How well glyphs explain the cells: the mean over cells of their chances, by height; less where a number would
    stand twice, where there are more glyphs than numbers, or none."""
    worths = []
    for row in seen.values():
        if not row:
            worths.append(0.0)
            continue
        weights = [g.height for g in row]
        worth = sum(g.chance * w for g, w in zip(row, weights, strict=True)) / sum(weights)
        tokens = [g.token for g in row if g.chance > LEGIBLE]
        if are_too_many(tokens, size):
            worth *= 0.5
        worths.append(worth)
    return float(np.mean(worths)) if worths else 0.0


def _exclusive(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """The chances weighed by this: no number stands twice in a cell. Clusters that share a cell exclude one another's
    numbers; a cluster that stands twice in a cell falls apart."""
    cells = _of_known_height(seen)
    fresh = -1
    twice = {number for row in cells.values() for number, count in Counter(g.cluster for g in row).items() if count > 1}
    for row in cells.values():
        for i, g in enumerate(row):
            if g.cluster in twice:
                row[i] = replace(g, cluster=fresh)
                fresh -= 1
    base = {g.cluster: g.chances for row in cells.values() for g in row}
    beside: dict[int, set[int]] = defaultdict(set)
    for row in cells.values():
        for g in row:
            beside[g.cluster] |= {other.cluster for other in row if other is not g}
    now = dict(base)
    for _ in range(6):
        after = {}
        for number, chances in base.items():
            weighed = {
                token: p
                * (np.prod([1 - 0.98 * now[other].get(token, 0.0) for other in beside[number]]) if token else 1)
                for token, p in chances.items()
            }
            total = float(sum(weighed.values()))
            after[number] = {token: float(p) / total for token, p in weighed.items()} if total > 1e-9 else chances
        now = after
    return {cell: [replace(g, chances=now[g.cluster]) for g in row] for cell, row in cells.items()}


def _has_signs(seen: Mapping[Cell, Sequence[Glyph]], split: Mapping[Cell, Sequence[Piece]]) -> bool:
    """Whether signs stand between numbers: then there is one between any two in most cells."""
    enough = [len(_signs(row, split[cell])) >= len(row) - 1 for cell, row in seen.items() if len(row) > 1]
    return bool(np.mean(enough) > 0.5) if enough else False


def _lost(row: Sequence[Glyph], parts: Sequence[Piece], signs: bool, lowest: float = np.inf) -> list[Piece]:
    """The pieces of a cell that are in none of its glyphs and do not look like a sign between numbers (where there are
    ``signs``); without specks. ``lowest``: the height of the board's lowest numbers, for those of this cell may be
    larger."""
    least = SPECK * min((lowest, *(g.height for g in row))) if row else 0.0
    return [p for p in _outside(row, parts) if p.extent >= least and not (signs and _at_a_foot(p, row))]


def _signs(row: Sequence[Glyph], parts: Sequence[Piece]) -> list[Piece]:
    """The pieces of a cell that are in none of its glyphs and look like a sign between numbers."""
    least = SMALLEST_SIGN * min((g.height for g in row), default=0.0)
    return [p for p in _outside(row, parts) if p.extent >= least and _at_a_foot(p, row)]


def _lasting(signs: Sequence[Piece]) -> bool:
    """Whether signs are so large that none is lost between the pixels of the window."""
    return bool(signs) and float(np.median([p.extent / p.scale for p in signs])) > VANISHING


def _outside(row: Sequence[Glyph], parts: Sequence[Piece]) -> list[Piece]:
    return [p for p in parts if not any(within(p, g.piece) for g in row)]


def _at_a_foot(p: Piece, row: Sequence[Glyph]) -> bool:
    """Whether a piece is low and stands at the foot of a number beside it."""
    middle = p.box.y + p.box.height / 2
    feet = [g.piece.bottom - 0.25 * g.height for g in row]
    return any(abs(middle - foot) < 0.5 * g.height for foot, g in zip(feet, row, strict=True) if middle > foot)


def _of_known_height(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """Once the board is known: a glyph as high as others that are read with ease is hardly anything but a number; still
    less so where it stands in line with one, and where the same stands in several cells."""
    clear = np.array([g.height for row in seen.values() for g in row if g.chance > 0.9], float)
    often = Counter(number for row in seen.values() for number in {g.cluster for g in row})
    factors: dict[int, list[float]] = defaultdict(list)
    for row in seen.values():
        for g in row:
            near = np.count_nonzero(np.abs(clear - g.height) <= 0.12 * g.height + 1)
            factor = 1.0
            if near >= max(3, 0.05 * len(clear)) and not g.piece.cut and g.piece.box.width < 1.2 * g.height:
                if any(o.chance > 0.9 and _in_line(g, o) for o in row if o is not g):
                    factor = IN_LINE
                elif g.chance > LIKE_A_DIGIT:
                    factor = HARDLY
            factors[g.cluster].append(factor)
    weight = {number: float(np.median(found)) for number, found in factors.items()}
    weight = {number: w / often[number] if w < 1 else w for number, w in weight.items()}
    result: dict[Cell, list[Glyph]] = {}
    for cell, row in seen.items():
        result[cell] = []
        for g in row:
            chances = {token: p * (1.0 if token else weight[g.cluster]) for token, p in g.chances.items()}
            total = sum(chances.values())
            result[cell].append(replace(g, chances={token: p / total for token, p in chances.items()}))
    return result


def _in_line(one: Glyph, other: Glyph) -> bool:
    """Whether two glyphs are of one height and stand side by side."""
    slack = 0.12 * other.height + one.piece.scale
    return abs(one.height - other.height) <= slack and abs(one.piece.box.y - other.piece.box.y) <= slack


def chosen(row: Iterable[Glyph], size: int) -> list[tuple[Glyph, str]]:
    """The likeliest different numbers of a cell's glyphs (no glyph twice the number of another); what is surely no
    number is left out."""
    left = [g for g in row if g.token]
    best: tuple[float, tuple[str, ...]] = (-1.0, ())
    options = [
        sorted((t for t in g.chances if t and t != "0"), key=lambda t: -g.chances[t])[: max(3, len(left))] for g in left
    ]
    if not left:
        return []
    taken = [max(row_options, key=lambda t: g.chances[t]) for g, row_options in zip(left, options, strict=True)]
    if len(set(taken)) == len(taken):
        return list(zip(left, taken, strict=True))

    def search(i: int, worth: float, tokens: tuple[str, ...]) -> None:
        nonlocal best
        if worth <= best[0]:
            return
        if i == len(left):
            best = worth, tokens
            return
        for token in options[i]:
            if token not in tokens:
                search(i + 1, worth * max(left[i].chances[token], 1e-6), (*tokens, token))

    search(0, 1.0, ())
    return (
        list(zip(left, best[1], strict=True))
        if best[1]
        else [(g, t) for i, (g, t) in enumerate(zip(left, taken, strict=True)) if t not in taken[:i]]
    )
