"""What the cells of a board hold: glyph by glyph, with what each may be, and in which order clicks bring them up. Equal
glyphs are judged once for all cells; that no number stands twice in a cell decides much. Knows no lattice.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.vision import alike, glyphs, pieces, templates
from autoplayer.vision.pieces import Piece
from autoplayer.vision.templates import Template

JUNK = ""
"""The token of a glyph that is no number."""

NO_GLYPH = 0.25
"""How likely ink of the digits' own height is to be no digit, against what the network says of ink of any size."""

HARDLY = 0.08
"""How likely a piece of exactly the digits' height in a cell is none, once the board is known."""

GONE = 0.6
"""How likely it is at most that something that looked like a digit of the digits' height is none."""

LINES = 0.065
"""The least gap between two lines of numbers, as a share of the heights of both."""

SLIM = 2.6
"""A bar that may be the foot of a 7 is this many times as high as wide: narrow digits are broader."""

TOO_CLOSE = 0.3
"""What a cell is worth with a pair that stands closer."""

OWN = 0.97
"""A glyph more probable than this is an example of its digit in the window's face."""

JUNK_LIKE = 0.05
"""A glyph less probable than this to be any digit is not compared with the examples."""

ROUNDS = 2
"""How often glyphs in doubt are compared: those that became clear are examples for the others."""

UNSEEN = 0.08
"""What a number without an example counts as lacking in likeness."""

SHARPNESS = 25.0
"""How much a difference of correlation counts: 0.1 makes a digit twelve times less likely."""

MOST_EXAMPLES = 12
"""Examples of one digit that are averaged."""

IN_LINE = 0.01
"""How likely that is where it stands in line with a digit of its height."""

LIKE_A_DIGIT = 0.3
"""Where it is not at least this likely a digit by itself, its height alone does not make it one."""

SPOKESMEN = 3
"""How many of a cluster of equal glyphs the network looks at: more say nothing new and cost time."""

LEGIBLE = 0.6
"""A glyph more probable than this counts as read when ways to see a board are compared."""

CONVINCING = 0.985
"""A way to see the glyphs that explains them this well needs no other beside it."""

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

FEW = 0.04
"""Low pieces of more kinds than this share of all pieces are not signs between numbers."""

OTHER_GROUND = 24.0
"""Grey levels in a channel: cells whose colours differ by more are of two kinds."""

LARGER_THERE = 1.06
"""As ``LARGER``, where the active one has the same place in all cells."""

LARGER = 1.12
"""An active number is larger than the others by this factor at least where size tells it."""

EVENLY = 0.35
"""The spread of how much more the active ones have at most, against its mean, logarithms both."""

MOSTLY = 0.8
"""The share of the cells in which a cue has to be seen to be the window's way."""

IN_PLACE = 0.05
"""Numbers that keep their slots stray from them by less than this share of the pitch."""

GROWN = (0.035, 0.07)
"""By how much of its shorter side a cell is widened where a glyph of it is cut off: digits close to a wall reach into
its soft edge."""

UNEQUAL = 0.12
"""By which share the heights of a face's digits of one size differ."""

SPECK = 0.15
"""A piece smaller than this share of the lowest digit beside it is a speck."""

OF_NO_SIZE = 0.4
"""What a digit is worth whose height no other has."""

ENOUGH = 0.97
"""A cell worth this much, but for the number of its digits, needs no other way to be seen."""

FEWER = 0.97
"""What a cell is worth with a further digit: a 7 is more than a bar and what is left of it."""

LOSS = 0.7
"""What a cell is worth in which a piece is left out, against one in which nothing is."""

FINE_STROKE = 0.65
"""The share of the contrast at which the segments of a digit, and digits that touch, part."""

MOST_SIZES, MOST_ATOMS, MOST_GROUPS, MOST_COVERS = 4, 40, 4000, 20_000
"""Bounds for putting digits together: sizes on a board, pieces in a cell, sets of pieces, sets of free pieces."""

LEFT_OVER = 0.02
"""How likely a piece is that belongs to no digit."""

SIMPLE = ("1", "4", "7")
"""Digits that a part of another one may look like."""

WHOLE, SMALLER = 0.9, 0.65
"""Something this likely to be another digit, and less than this share of the height of what it is a part of …"""

SWALLOWED = 0.05
"""… makes that much less likely: a digit that stands close to a larger one is no part of it."""

ANOTHER = 0.8
"""How likely a further digit is, against fewer with more in them."""

FOOT = 0.9
"""The share of small pieces that stand at the foot of the numbers beside them, where they are commas or full stops."""

KINDS = 3
"""Clusters of equal glyphs for each number at most, on a board of symbols: active ones, others, locked ones."""

LONELY = 0.1
"""The share of glyphs at most, on such a board, that are unlike all others."""

KNOWN = 0.995
"""How probable a token is whose template of the layout looks like the glyph."""

Chances = dict[str, float]
"""What a glyph may be: token to probability, adding up to 1; ``JUNK`` for no number."""


Shapes = Mapping[str, Sequence[tuple[float, float]]]
"""For each number the heights and breadths that it has on a board; for ``JUNK`` those of all numbers."""


@dataclass(frozen=True)
class Eyes:
    """By what glyphs are known: numbers up to ``size``, and the layout's own pictures of some."""

    size: int
    known: Sequence[Template] = ()


@dataclass(frozen=True)
class Glyph:
    """One glyph of a cell. ``cluster``: the same number for all that look alike."""

    piece: Piece
    chances: Chances
    cluster: int

    @cached_property
    def token(self) -> str:
        """The likeliest number, whether or not it is likelier that this is none."""
        return max((t for t in self.chances if t), key=lambda t: self.chances[t], default=JUNK)

    @cached_property
    def chance(self) -> float:
        return self.chances.get(self.token, 0.0)

    @property
    def height(self) -> int:
        return self.piece.box.height


@dataclass(frozen=True)
class Sheet:
    """The glyphs of every cell, in the order of the clicks. ``quality``: the share of them, 0 to 1, that is explained.
    ``grounds``: each cell's colour. ``slots``: whether numbers keep places of their own. ``way``: which of ``WAYS``
    parted them. ``boxes``: the inside of each cell. ``unsure``: the cells of which any number may be the active one.
    ``hiding``: the cells in which something hangs together with a wall."""

    glyphs: Mapping[Cell, tuple[Glyph, ...]]
    quality: float
    grounds: Mapping[Cell, Floats]
    boxes: Mapping[Cell, Box]
    slots: bool
    way: tuple[float, float]
    unsure: frozenset[Cell] = frozenset()
    hiding: frozenset[Cell] = frozenset()


def glance(image: Image, boxes: Mapping[Cell, Box], noise: float, known: Sequence[Template] = ()) -> float:
    """How well digits explain what stands in some places, 0 to 1, without looking in more than a few ways."""
    best = 0.0
    for stroke, share in WAYS[:3]:
        parts = {c: pieces.together(pieces.find(image, box, noise, stroke).pieces, share) for c, box in boxes.items()}
        best = max(best, _quality(_judged(parts, Eyes(9, known)), 9))
        if best > LEGIBLE:
            break
    return best


def read(image: Image, boxes: Mapping[Cell, Box], size: int, noise: float, known: Sequence[Template] = ()) -> Sheet:
    """The glyphs of the cells of a board with ``size`` rows; ``boxes``: the inside of each cell, window pixels;
    ``known``: the layout's own pictures of glyphs."""
    eyes = Eyes(size, known)
    some = dict(list(boxes.items())[:: max(1, round(len(boxes) / SAMPLE))])
    found: dict[tuple[float, Cell], pieces.Place] = {}

    def parts(stroke: float, share: float, chosen: Iterable[Cell]) -> dict[Cell, list[Piece]]:
        for cell in chosen:
            if (stroke, cell) not in found:
                found[stroke, cell] = pieces.find(image, boxes[cell], noise, stroke)
        return {cell: pieces.together(found[stroke, cell].pieces, share) for cell in chosen}

    best = -1.0, WAYS[0]
    counts: set[tuple[int, ...]] = set()
    for way in WAYS:
        split = parts(*way, some)
        count = tuple(map(len, split.values()))
        if count in counts:
            continue  # the same pieces
        counts.add(count)
        quality = _quality(_classified(split, eyes), size)
        best = max(best, (quality - 0.005 * len(counts), way), key=lambda one: one[0])
        if quality >= CONVINCING or best[0] < HOPELESS:
            break
    way = best[1]
    split = parts(*way, boxes)
    seen = _classified(split, eyes)
    hidden = {cell: found[way[0], cell].swallowed for cell in boxes}
    view = _View(image, boxes, eyes, noise, way, seen, split, hidden, _shapes(seen))
    if way[1]:
        # Where pieces are joined by their distance some digits are joined with their neighbours: others say more.
        places = {cell: found[way[0], cell].pieces for cell in boxes}
        assembled = _assembled(places, view.sizes, {JUNK: view.sizes}, eyes)
        view = replace(view, shapes=_shapes(_judged(assembled, eyes)) if assembled else view.shapes)
    odd = list(boxes) if way[1] else [cell for cell in boxes if view.is_odd(cell)]
    better: dict[Cell, _Parted] = {}
    if odd:
        worth = {cell: view.worth(seen[cell], _Parted(split[cell], view.swallowed[cell])) for cell in odd}
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
                quality = view.worth(again[cell], one)
                if quality > worth[cell] + 0.02:
                    better[cell], worth[cell] = one, quality
        if better:
            seen = _classified({**split, **{cell: one.pieces for cell, one in better.items()}}, eyes)
    seen = _never_silent(_exclusive(_by_own_face(seen)), seen, size)
    quality = _quality(seen, size)
    grounds = {cell: found[way[0], cell].ground for cell in boxes}
    ordered, slots, unsure = _ordered(seen, boxes, grounds)
    all_glyphs = {cell: tuple(row) for cell, row in ordered.items()}
    hiding = frozenset(c for c, count in hidden.items() if count and (c not in better or better[c].swallowed))
    return Sheet(all_glyphs, quality, grounds, dict(boxes), slots, way, unsure, hiding)


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
    way: tuple[float, float]
    seen: Mapping[Cell, Sequence[Glyph]]
    split: Mapping[Cell, Sequence[Piece]]
    swallowed: Mapping[Cell, int]
    shapes: Shapes

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        return _sizes(self.seen)

    @cached_property
    def signs(self) -> bool:
        return _has_signs(self.seen, self.split)

    def is_odd(self, cell: Cell) -> bool:
        """Whether something stands in a cell that is no digit, is cut off, or is of a height that no digit has (half of
        one, or two of them); or something was left out that is no sign between numbers."""
        row = self.seen[cell]
        heights = np.array([height for height, _ in self.sizes], float)

        def of_size(g: Glyph) -> bool:
            return not len(heights) or bool(np.abs(heights - g.height).min() <= UNEQUAL * g.height + g.piece.scale)

        if not row or self.swallowed[cell] or _stacked([g.piece for g in row]):
            return True
        if any(g.chance < LEGIBLE or g.piece.cut or not of_size(g) for g in row):
            return True
        return _lost(row, self.split[cell], self.signs) > 0

    def worth(self, row: Sequence[Glyph], parts: _Parted) -> float:
        """How well a cell is explained. What is left out counts against it, and what is broader or narrower than the
        same digit elsewhere, and every further digit a little."""
        fit = float(np.prod([_fitting(g.piece, g.token, self.shapes) for g in row]))
        lost = _lost(row, parts.pieces, self.signs) + parts.swallowed
        fit *= FEWER ** len(row) * LOSS**lost * TOO_CLOSE ** _stacked([g.piece for g in row])
        return _quality({(0, 0): row}, self.eyes.size) * fit


def _tries(view: _View, odd: Sequence[Cell], in_need: Callable[[], list[Cell]]) -> Iterator[dict[Cell, _Parted]]:
    """Other ways to part what stands in the cells that are ``in_need`` of one; put together from small pieces, all that
    are ``odd``."""
    image, boxes, noise, (stroke, share) = view.image, view.boxes, view.noise, view.way

    def parted(place: pieces.Place, gap: float) -> _Parted:
        return _Parted(pieces.together(place.pieces, gap), place.swallowed)

    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        places = {c: pieces.find(image, boxes[c], noise, fine) for c in (odd if fine == stroke else in_need())}
        assembled = _assembled({c: place.pieces for c, place in places.items()}, view.sizes, view.shapes, view.eyes)
        yield {c: _Parted(row, places[c].swallowed) for c, row in assembled.items()}
        if fine != stroke:
            yield {c: parted(place, share) for c, place in places.items()}
    yield {c: parted(pieces.find(image, boxes[c], noise, stroke, uneven=True), share) for c in in_need()}
    for by in GROWN:
        cut = [c for c in odd if view.swallowed[c] or any(g.piece.cut for g in view.seen[c])]
        wider = _widened(image, {c: boxes[c] for c in cut}, noise, stroke, by)
        # A digit that touches the wall goes with it when the wall is left out: then it stays cut, and in doubt.
        whole = {c: replace(p, pieces=_without_rims(p.pieces, view.sizes)) for c, p in wider.items()}
        yield {c: parted(p, share) for c, p in whole.items() if _all_there(view.split[c], p.pieces)}
    for way in WAYS:
        if way[0] == stroke and way != view.way:
            apart = {c: parted(pieces.find(image, boxes[c], noise, stroke), way[1]) for c in in_need()}
            yield {c: one for c, one in apart.items() if len(one.pieces) != len(view.split[c])}


def _without_rims(parts: Sequence[Piece], sizes: Sequence[tuple[float, float]]) -> tuple[Piece, ...]:
    """Without what goes on outside of the place and is far smaller than a digit: the corners of its walls."""
    least = LOWEST * min((height for height, _ in sizes), default=0.0)
    return tuple(p for p in parts if not p.cut or p.extent >= least)


def _never_silent(
    now: Mapping[Cell, Sequence[Glyph]], first: Mapping[Cell, Sequence[Glyph]], size: int
) -> dict[Cell, list[Glyph]]:
    """What looked like a number at ``first``, and of the height of one, may be misread, but does not vanish: it is one
    of those that do not stand beside it, or none."""
    looked = {id(g.piece): g.chances for row in first.values() for g in row}
    heights = np.array([height for height, _ in _sizes(first)], float)
    result = {}
    for cell, row in now.items():
        result[cell] = list(row)
        for i, g in enumerate(row):
            before = looked.get(id(g.piece), {})
            if g.chances.get(JUNK, 0.0) < GONE or before.get(JUNK, 1.0) > 0.5 or not len(heights):
                continue
            if np.abs(heights - g.height).min() > UNEQUAL * g.height + g.piece.scale:
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
    found = {cell: pieces.find(image, box, noise, way[0]) for cell, box in boxes.items()}
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
    ordered, slots, unsure = _ordered(seen, boxes, grounds)
    return Sheet({c: tuple(row) for c, row in ordered.items()}, 1.0, grounds, dict(boxes), slots, way, unsure)


def read_again(image: Image, boxes: Mapping[Cell, Box], before: Sheet, noise: float) -> Sheet:
    """Some cells of a board, as they look in a later picture; ``before``: all its cells, as they were read. A glyph
    that looks like one of those is the same; only others are looked at by the network."""
    eyes = Eyes(round(len(before.boxes) ** 0.5))
    found = {cell: pieces.find(image, box, noise, before.way[0]) for cell, box in boxes.items()}
    split = {cell: pieces.together(place.pieces, before.way[1]) for cell, place in found.items()}
    split |= _whole(image, boxes, noise, before, split)
    examples = list({g.cluster: g for row in before.glyphs.values() for g in row}.values())
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
    rest = {cell: list(row) for cell, row in before.glyphs.items() if cell not in boxes}
    grounds = {cell: place.ground for cell, place in found.items()}
    ordered, _, unsure = _ordered({**rest, **seen}, before.boxes, {**before.grounds, **grounds})
    glyphs_now = {cell: tuple(ordered[cell]) for cell in boxes}
    return Sheet(glyphs_now, before.quality, grounds, dict(boxes), before.slots, before.way, unsure & set(boxes))


def _widened(
    image: Image, boxes: Mapping[Cell, Box], noise: float, stroke: float, by: float
) -> dict[Cell, pieces.Place]:
    """What stands in cells that are larger at every side by a share of their shorter side."""
    result = {}
    for cell, box in boxes.items():
        more = max(1, round(by * min(box.width, box.height)))
        grown = Box(box.x - more, box.y - more, box.width + 2 * more, box.height + 2 * more)
        if grown.x >= 0 and grown.y >= 0 and grown.crop(image).shape[:2] == (grown.height, grown.width):
            result[cell] = pieces.find(image, grown, noise, stroke, scale=pieces.scale_for(box.width, box.height))
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
    for by in GROWN:
        cut = {c: boxes[c] for c, row in split.items() if c not in result and any(p.cut for p in row)}
        for cell, place in _widened(image, cut, noise, stroke, by).items() if cut else ():
            row = pieces.together(place.pieces, share)
            if not any(p.cut for p in row) and len(row) == len(before.glyphs[cell]):
                result[cell] = row
    eyes = Eyes(round(len(before.boxes) ** 0.5))
    sizes, shapes = _sizes(before.glyphs), _shapes(before.glyphs)
    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        odd = [c for c, row in split.items() if c not in result and len(row) != len(before.glyphs[c])]
        atoms = {c: pieces.find(image, boxes[c], noise, fine).pieces for c in odd}
        for cell, row in _assembled(atoms, sizes, shapes, eyes).items():
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
    if _quality(rest, size) < OWN:
        return False
    at_foot = []
    for cell, row in seen.items():
        for g in row:
            if g.piece.extent < lowest and rest[cell]:
                middle = g.piece.box.x + g.piece.box.width / 2
                near = min(rest[cell], key=lambda o: abs(o.piece.box.x + o.piece.box.width / 2 - middle)).piece
                at_foot.append(g.piece.box.y > near.box.y + 0.6 * near.box.height)
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
    spoken = [_possible(row, eyes.size, 0.5 * usual < heights[i]) for i, row in zip(chosen, said, strict=True)]
    for k, i in enumerate(chosen):
        token = templates.match(inks[i], eyes.known) if eyes.known else None
        if token is not None:  # the window's own glyph: nothing knows better
            spoken[k] = {token: KNOWN, ("1" if token == JUNK else JUNK): 1 - KNOWN}
    joint = alike.joint([cluster[i] for i in chosen], spoken)
    result: dict[Cell, list[Glyph]] = {cell: [] for cell in parts}
    for (cell, piece), number in zip(flat, cluster, strict=True):
        result[cell].append(Glyph(piece, joint[number], number))
    return result


def _possible(row: Floats, size: int, of_height: bool) -> Chances:
    """What the network says of a glyph, as far as it can stand on a board with ``size`` numbers."""
    top = min(size, 9)
    least = 0 if size > 9 else 1
    chances = {str(d): float(row[d]) for d in range(least, top + 1)}
    junk = 1.0 - sum(chances.values())
    chances[JUNK] = junk * (NO_GLYPH if of_height else 1.0)
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()}


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
    doubted = [g for row in seen.values() for g in row if g.chance < LEGIBLE or g.piece.box.width > 1.2 * g.height]
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
        if size <= 9 and len(set(tokens)) < len(tokens):
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
    """Whether signs stand between numbers: then they do in most cells with several."""
    left = [
        _lost(row, split[cell], False) - _lost(row, split[cell], True) for cell, row in seen.items() if len(row) > 1
    ]
    return bool(np.mean([count > 0 for count in left]) > 0.5) if left else False


def _lost(row: Sequence[Glyph], parts: Sequence[Piece], signs: bool) -> int:
    """How many pieces of a cell are in none of its glyphs and do not look like a sign between numbers (where there are
    ``signs``), which is low and stands at the foot of a number beside it."""

    def within(p: Piece, g: Glyph) -> bool:
        x, y = p.box.x + p.box.width / 2, p.box.y + p.box.height / 2
        box = g.piece.box
        return box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height

    def sign(p: Piece) -> bool:
        middle = p.box.y + p.box.height / 2
        feet = [g.piece.bottom - 0.25 * g.height for g in row]
        return any(abs(middle - foot) < 0.5 * g.height for foot, g in zip(feet, row, strict=True) if middle > foot)

    left = [p for p in parts if not any(within(p, g) for g in row)]
    least = SPECK * min((g.height for g in row), default=0)
    return sum(p.extent >= least and not (signs and sign(p)) for p in left)


def _stacked(row: Sequence[Piece]) -> int:
    """How many pairs stand one above the other closer than lines of text do: they are parts of one digit."""
    boxes = np.array([(p.box.x, p.box.y, p.right, p.bottom) for p in row], float)
    return sum(bool(_close(boxes[i + 1 :], tuple(boxes[i])).any()) for i in range(len(row) - 1))


def _close(boxes: Floats, around: tuple[float, ...]) -> NDArray[np.bool_]:
    """Which boxes (left, top, right, bottom) stand above or below another one, closer to it than lines of text do. Two
    of one height, the lower one a bar under the right end of the other, are a 7 that has a gap."""
    x0, y0, x1, y1 = around
    height, heights = y1 - y0, boxes[:, 3] - boxes[:, 1]
    common = np.minimum(boxes[:, 2], x1) - np.maximum(boxes[:, 0], x0)
    gap = np.maximum(boxes[:, 1], y0) - np.minimum(boxes[:, 3], y1)
    under = boxes[:, 1] > y0
    width = np.where(under, boxes[:, 2] - boxes[:, 0], x1 - x0)
    bar = np.where(under, heights, height) > SLIM * width
    halves = bar & (np.abs(heights - height) < 0.3 * np.maximum(heights, height)) & (np.abs(boxes[:, 2] - x1) < width)
    least = np.where(halves, 2 * LINES, LINES) * (heights + height)
    return (common > 0.5 * np.minimum(boxes[:, 2] - boxes[:, 0], x1 - x0)) & (gap < least) & (gap > -0.1 * heights)


def _shapes(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[str, list[tuple[float, float]]]:
    result: dict[str, list[tuple[float, float]]] = {JUNK: _sizes(seen)}
    tokens: dict[str, list[Glyph]] = defaultdict(list)
    for row in seen.values():
        for g in row:
            if g.chance > 0.9:
                tokens[g.token].append(g)
    for token, members in tokens.items():
        for height, _ in _sizes({(0, 0): members}):
            near = [g.piece.box.width for g in members if abs(g.height - height) <= 0.5 * UNEQUAL * height + 1]
            result.setdefault(token, []).append((height, float(np.median(near))))
    return result


def _fitting(piece: Piece, token: str, shapes: Shapes) -> float:
    """How well a piece's breadth goes with that of the same number at the same height; 1 where there is none."""
    near = [w for h, w in shapes.get(token, ()) if abs(h - piece.box.height) <= UNEQUAL * h + 1.5 * piece.scale]
    if not near:
        heights = [abs(h - piece.box.height) <= UNEQUAL * h + 1.5 * piece.scale for h, _ in shapes[JUNK]]
        return 1.0 if any(heights) or not heights else OF_NO_SIZE
    slack = 0.12 + 1.5 * piece.scale / piece.box.width
    return max(float(np.exp(-4 * max(abs(np.log(piece.box.width / w)) - slack, 0.0))) for w in near)


def _sizes(seen: Mapping[Cell, Sequence[Glyph]]) -> list[tuple[float, float]]:
    """The heights at which digits that are read with ease stand on the board, the commonest first, with the breadth of
    the broadest of each."""
    clear = [g.piece.box for row in seen.values() for g in row if g.chance > 0.9 and not g.piece.cut]
    result: list[tuple[float, float]] = []
    while clear:
        heights = np.array([box.height for box in clear], float)
        near = np.abs(heights[:, None] - heights) <= 0.5 * UNEQUAL * heights[:, None] + 1
        best = int(near.sum(axis=1).argmax())
        members = [box for box, yes in zip(clear, near[best], strict=True) if yes]
        if len(members) < 3 or (result and len(members) < 0.03 * len(heights)):
            break
        result.append((heights[best], float(np.percentile([box.width for box in members], 95))))
        clear = [box for box, yes in zip(clear, near[best], strict=True) if not yes]
    return result[:MOST_SIZES]


def _assembled(
    atoms: Mapping[Cell, Sequence[Piece]], sizes: Sequence[tuple[float, float]], shapes: Shapes, eyes: Eyes
) -> dict[Cell, list[Piece]]:
    """Small pieces put together to digits of the sizes that there are on the board, cell by cell, so that as much as
    can be is a digit that is read with ease: segments need not stand closer in a digit than digits stand together."""
    groups: dict[Cell, dict[int, Piece]] = {}
    for cell, parts in atoms.items():
        if 1 < len(parts) <= MOST_ATOMS:
            groups[cell] = {mask: pieces.joined([parts[i] for i in _bits(mask)]) for mask in _masks(parts, sizes)}
    flat = [(cell, mask, piece) for cell, found in groups.items() for mask, piece in found.items()]
    if not flat or len(flat) > MOST_GROUPS:
        return {}
    chances: dict[Cell, dict[int, float]] = defaultdict(dict)
    whole: dict[Cell, list[tuple[int, int]]] = defaultdict(list)
    for (cell, mask, piece), row in zip(flat, glyphs.classify([piece.ink for _, _, piece in flat]), strict=True):
        said = [(p, token) for token, p in _possible(row, eyes.size, True).items() if token]
        chances[cell][mask] = max(p * _fitting(piece, token, shapes) for p, token in said)
        best, token = max(said)
        if best > WHOLE and token not in SIMPLE:
            whole[cell].append((mask, piece.box.height))
    result = {}
    for cell, found in groups.items():
        for mask, piece in found.items():
            smaller = (m for m, height in whole[cell] if height < SMALLER * piece.box.height)
            if any(m & mask == m for m in smaller):
                chances[cell][mask] *= SWALLOWED
        chosen, left = _cover(len(atoms[cell]), chances[cell])
        if chosen:
            result[cell] = [found[mask] for mask in chosen] + [atoms[cell][i] for i in left]
    return result


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _masks(parts: Sequence[Piece], sizes: Sequence[tuple[float, float]]) -> set[int]:
    """The sets of pieces, as bits, that fill a box of one of the ``sizes``, with nothing else in that box."""
    boxes = np.array([(p.box.x, p.box.y, p.right, p.bottom) for p in parts], float)
    slack = 1.0 + parts[0].scale
    masks: set[int] = set()
    for height, width in sizes:
        for left in boxes[:, 0]:
            beside = (boxes[:, 0] >= left) & (boxes[:, 2] <= left + 1.15 * width + slack)
            for top in boxes[beside, 1]:
                inside = beside & (boxes[:, 1] >= top) & (boxes[:, 3] <= top + (1 + UNEQUAL) * height + slack)
                for right in np.unique(boxes[inside, 2]):
                    chosen = inside & (boxes[:, 2] <= right)
                    if not chosen.any():
                        continue
                    x0, y0 = boxes[chosen, :2].min(axis=0)
                    x1, y1 = boxes[chosen, 2:].max(axis=0)
                    if abs(y1 - y0 - height) > UNEQUAL * height + slack:
                        continue
                    if (_close(boxes, (x0, y0, x1, y1)) & ~chosen).any():
                        continue  # there is more of this digit
                    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
                    within = (middles[:, 0] > x0) & (middles[:, 0] < x1) & (middles[:, 1] > y0) & (middles[:, 1] < y1)
                    if not (within & ~chosen).any():
                        masks.add(int(sum(1 << int(i) for i in np.flatnonzero(chosen))))
    return masks


def _cover(count: int, chances: Mapping[int, float]) -> tuple[list[int], list[int]]:
    """The disjoint sets that leave least unexplained, and the pieces in none of them."""
    ranked = {i: [mask for mask in chances if mask >> i & 1] for i in range(count)}
    known: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}

    def best(free: int) -> tuple[float, tuple[int, ...]]:
        if free in known:
            return known[free]
        if len(known) > MOST_COVERS:
            return -1e9, ()
        low = free & -free
        worth, chosen = best(free ^ low)
        found = worth + np.log(LEFT_OVER), chosen
        for mask in ranked[low.bit_length() - 1]:
            if mask & free == mask:
                worth, chosen = best(free ^ mask)
                found = max(found, (worth + float(np.log(ANOTHER * chances[mask] + 1e-4)), (*chosen, mask)))
        known[free] = found
        return found

    _, chosen = best((1 << count) - 1)
    used = sum(chosen)
    return list(chosen), [i for i in range(count) if not used >> i & 1]


def _by_own_face(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[Glyph]]:
    """Glyphs in doubt compared with the board's own digits of about their size that are read with ease: a digit looks
    as like its examples as those look like one another."""
    vectors = {id(g.piece): _vector(g) for row in seen.values() for g in row}
    now = {cell: list(row) for cell, row in seen.items()}
    first = {id(g.piece): g.chances for row in seen.values() for g in row}
    for _ in range(ROUNDS):
        examples: dict[str, list[Glyph]] = defaultdict(list)
        for row in now.values():
            for g in row:
                if g.chance > OWN:
                    examples[g.token].append(g)
        usual = _likeness_within(examples, vectors)
        if usual is None:
            break
        compared: dict[int, Chances] = {}
        for row in now.values():
            for g in row:
                said = first[id(g.piece)]
                doubted = JUNK_LIKE < max(p for token, p in said.items() if token) <= OWN
                if doubted and g.cluster not in compared:
                    compared[g.cluster] = _compared(g, said, examples, vectors, usual)
        now = {cell: [replace(g, chances=compared.get(g.cluster, g.chances)) for g in row] for cell, row in now.items()}
    return now


def _likeness_within(examples: Mapping[str, Sequence[Glyph]], vectors: Mapping[int, Floats]) -> float | None:
    """How like the examples of one digit are to one another, as a correlation with their mean; None where there are
    too few to say."""
    found = []
    for members in examples.values():
        for g in members[:MOST_EXAMPLES]:
            near = [vectors[id(o.piece)] for o in members if o is not g and _same_size(g, o)][:MOST_EXAMPLES]
            if near:
                mean = np.mean(near, axis=0)
                found.append(float(vectors[id(g.piece)] @ mean) / max(float(np.linalg.norm(mean)), 1e-6))
    return float(np.percentile(found, 30)) if len(found) >= 5 else None


def _same_size(one: Glyph, other: Glyph) -> bool:
    return abs(one.height - other.height) <= 0.2 * one.height + 1


def _compared(
    g: Glyph,
    said: Chances,
    examples: Mapping[str, Sequence[Glyph]],
    vectors: Mapping[int, Floats],
    usual: float,
) -> Chances:
    """What a glyph may be, by what the network said and by how like it is to the examples of each number."""
    own = vectors[id(g.piece)]
    lacking = {}
    for token in said:
        near = [o for o in examples.get(token, ()) if o.cluster != g.cluster and _same_size(g, o)][:MOST_EXAMPLES]
        if not near:
            lacking[token] = UNSEEN  # a number of which there is no example may be it, or not
            continue
        mean = np.mean([vectors[id(o.piece)] for o in near], axis=0)
        alike_by = float(own @ mean) / max(float(np.linalg.norm(mean)), 1e-6)
        shape = abs(np.log((g.piece.box.width / g.height) / np.median([o.piece.box.width / o.height for o in near])))
        lacking[token] = max(usual - alike_by, 0.0) + 0.3 * max(float(shape) - 0.15, 0.0)
    chances = {token: p * float(np.exp(-SHARPNESS * lacking[token])) for token, p in said.items()}
    total = sum(chances.values())
    return {token: p / total for token, p in chances.items()} if total > 1e-9 else said


def _vector(g: Glyph) -> Floats:
    small = cv2.resize(g.piece.ink, (alike.SIDE, alike.SIDE), interpolation=cv2.INTER_AREA).ravel()
    small = small - small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)


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


# ---- in which order --------------------------------------------------------------------------------------------------


def _ordered(
    seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats]
) -> tuple[dict[Cell, list[Glyph]], bool, frozenset[Cell]]:
    """The glyphs of each cell in the order of the clicks, the active one first; whether numbers have slots; and the
    cells in which any of them may be the active one.

    Where every number keeps a slot of its own the order cannot be seen: it is that of the slots, from the active one
    on and around.
    """
    rows = {cell: _lines(row) for cell, row in seen.items()}
    several = {cell: row for cell, row in rows.items() if len(row) > 1}
    if not several:
        return rows, False, frozenset()
    if _in_slots(seen, boxes):
        active = _active(rows, grounds)
        unsure = frozenset(cell for cell in several if cell not in active)
        around = {cell: _around(sorted(row, key=lambda g: g.token), active.get(cell)) for cell, row in rows.items()}
        return around, True, unsure
    lead = _leading(several)
    if lead is None and _before_columns(several):
        lead = {cell: min(row, key=lambda g: g.piece.box.x) for cell, row in several.items()}
    if lead is None:
        active = _active(rows, grounds)
        leading = [active[cell] is row[0] for cell, row in several.items() if cell in active]
        if not active or np.mean(leading) > 0.5:  # it stands first, and may be brighter besides
            return rows, False, frozenset()
        return {cell: _around(row, active.get(cell)) for cell, row in rows.items()}, False, frozenset()
    columns = _by_columns({cell: [g for g in row if g is not lead[cell]] for cell, row in several.items()})
    result = dict(rows)
    for cell, row in several.items():
        rest = [g for g in row if g is not lead[cell]]
        result[cell] = [lead[cell], *(_lines(rest, down=True) if columns else _lines(rest))]
    return result, False, frozenset()


def _before_columns(several: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether a glyph stands alone at the left, at half the height of what stands behind it one below the other."""
    alone = []
    for row in several.values():
        if len(row) > 2:
            first, *rest = sorted((g.piece for g in row), key=lambda p: p.box.x)
            top, bottom = min(p.box.y for p in rest), max(p.bottom for p in rest)
            middle = abs(first.box.y + first.bottom - top - bottom) < 0.3 * first.box.height
            tall = bottom - top > 1.6 * max(p.box.height for p in rest)
            alone.append(middle and tall and first.right <= min(p.box.x for p in rest) + 0.1 * first.box.width)
    return bool(alone) and float(np.mean(alone)) >= MOSTLY


def _leading(several: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, Glyph] | None:
    """The active glyph of each cell where it is larger than the others; None where size does not tell. It stands at the
    same place in all cells (first, at the left, alone at the foot), which decides where two are nearly as large."""
    places: list[dict[Cell, Glyph]] = [
        {cell: row[0] for cell, row in several.items()},
        {cell: min(row, key=lambda g: g.piece.box.x) for cell, row in several.items()},
        {cell: _at_foot(row) for cell, row in several.items()},
    ]

    def larger(cell: Cell, g: Glyph) -> float:
        return g.height / max(o.height for o in several[cell] if o is not g)

    for factor, place in sorted(
        ((float(np.median([larger(cell, g) for cell, g in place.items()])), place) for place in places),
        key=lambda one: -one[0],
    ):
        if factor >= LARGER_THERE and np.mean([larger(c, g) > 1 for c, g in place.items()]) > 1 - 0.5 * (1 - MOSTLY):
            return place
    largest = {cell: max(row, key=lambda g: g.height) for cell, row in several.items()}
    by_size = [larger(cell, g) >= LARGER for cell, g in largest.items()]
    return largest if np.mean(by_size) >= MOSTLY else None


def _at_foot(row: Sequence[Glyph]) -> Glyph:
    """The lowest glyph, where it stands by itself below the others; else the first."""
    low = max(row, key=lambda g: g.piece.box.y + 0.5 * g.height)
    middle = low.piece.box.y + 0.5 * low.height
    return low if all(o is low or o.piece.bottom < middle for o in row) else row[0]


def _active(rows: Mapping[Cell, Sequence[Glyph]], grounds: Mapping[Cell, Floats]) -> dict[Cell, Glyph]:
    """What stands out in each cell, as :func:`_outstanding`; by themselves the cells of one colour, for in locked cells
    an active number may look otherwise than in others."""
    kinds: list[tuple[Floats, list[Cell]]] = []
    for cell in rows:
        for colour, members in kinds:
            if float(np.abs(colour - grounds[cell]).max()) <= OTHER_GROUND:
                members.append(cell)
                break
        else:
            kinds.append((grounds[cell], [cell]))
    result = _outstanding(rows)
    if len(kinds) > 1:
        result = _outstanding(rows, in_colour=False) or result
    for _, members in kinds:
        own = {cell: rows[cell] for cell in members}
        result |= (_outstanding(own) if len(kinds) > 1 else {}) | _exceeding(own, lambda g: g.piece.contrast, True)
    return result | _exceeding(rows, lambda g: g.height, False)


def _exceeding(
    rows: Mapping[Cell, Sequence[Glyph]], measure: Callable[[Glyph], float], relative: bool
) -> dict[Cell, Glyph]:
    """The glyph of each cell that has more of something than those beside it have, about equally much more in most
    cells; or than the same number has elsewhere. Empty where there is no such thing. ``relative``: what counts is the
    share of the most in a cell, for cells have inks of their own."""
    shares: dict[Cell, list[float]] = {}
    for cell, row in rows.items():
        most = max((measure(g) for g in row), default=1.0) if relative else 1.0
        shares[cell] = [measure(g) / most for g in row]
    several = [cell for cell, row in rows.items() if len(row) > 1]
    if not several:
        return {}
    values: dict[str, list[float]] = defaultdict(list)
    for cell in rows:
        for g, share in zip(rows[cell], shares[cell], strict=True):
            values[g.token].append(share)
    usual = {token: float(np.percentile(v, 20)) for token, v in values.items()}
    for elsewhere in (False, True):
        scaled = {
            c: [v / usual[g.token] if elsewhere else v for g, v in zip(rows[c], shares[c], strict=True)]
            for c in several
        }
        factors = np.array([max(v) / sorted(v)[-2] for v in scaled.values()])
        even = elsewhere or float(np.std(np.log(factors))) < EVENLY * float(np.mean(np.log(factors)))
        if even and np.mean(factors >= LARGER) >= MOSTLY:
            return {
                cell: rows[cell][int(np.argmax(v))]
                for (cell, v), factor in zip(scaled.items(), factors, strict=True)
                if factor >= LARGER_THERE
            }
    ranges = {token: (float(np.percentile(v, 10)), max(v)) for token, v in values.items()}
    between = {token: (low * high) ** 0.5 for token, (low, high) in ranges.items() if high >= LARGER * low}
    result = {}
    for cell in several:
        pairs = list(zip(rows[cell], shares[cell], strict=True))
        more = [g for g, share in pairs if share > between.get(g.token, np.inf)]
        # A number that is met in one way only is the active one where no other can be.
        more = more or [g for g, _ in pairs if g.token not in between]
        if len(more) == 1:
            result[cell] = more[0]
    return result if len(result) >= MOSTLY * len(several) else {}


def _lines(row: Sequence[Glyph], down: bool = False) -> list[Glyph]:
    """Glyphs as one reads them: line after line, each from the left; or column after column, each ``down``."""

    def span(g: Glyph) -> tuple[int, int]:
        box = g.piece.box
        return (box.x, box.x + box.width) if down else (box.y, box.y + box.height)

    lines: list[list[Glyph]] = []
    # The largest first: a line is what overlaps it, so that a low sign joins the line that it stands in.
    for g in sorted(row, key=lambda g: -(span(g)[1] - span(g)[0])):
        a, b = span(g)
        best, share = None, 0.25 if down else 0.5  # a 1 may stand at the edge of its column
        for line in lines:
            c, d = span(line[0])
            common = (min(b, d) - max(a, c)) / max(min(b - a, d - c), 1)
            if common > share:
                best, share = line, common
        if best is None:
            lines.append([g])
        else:
            best.append(g)
    lines.sort(key=lambda line: sum(sum(span(g)) for g in line) / len(line))
    along = (lambda g: g.piece.box.y) if down else (lambda g: g.piece.box.x)
    return [g for line in lines for g in sorted(line, key=along)]


def _by_columns(rests: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether the others stand below one another rather than side by side."""

    def common(a: int, b: int, c: int, d: int) -> bool:
        return min(b, d) - max(a, c) > 0.5 * min(b - a, d - c)

    votes = 0
    for row in rests.values():
        for one, other in itertools.combinations([g.piece for g in row], 2):
            votes += common(one.box.x, one.right, other.box.x, other.right)
            votes -= common(one.box.y, one.bottom, other.box.y, other.bottom)
    return votes > 0


def _around(row: Sequence[Glyph], active: Glyph | None) -> list[Glyph]:
    at = next((i for i, g in enumerate(row) if g is active), 0)
    return [*row[at:], *row[:at]]


def _in_slots(seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box]) -> bool:
    """Whether each number stands at a place of its own, the same in all cells."""
    spots: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for cell, row in seen.items():
        box = boxes[cell]
        for g in row:
            if g.chance > LEGIBLE:
                own, scale = g.piece.box, g.piece.scale
                x = ((own.x + own.width / 2) / scale - box.x) / box.width
                y = ((own.y + own.height / 2) / scale - box.y) / box.height
                spots[g.token].append((x, y))
    many = {token: np.array(places) for token, places in spots.items() if len(places) >= 3}
    if len(many) < 3:
        return False
    middles = np.array([np.median(places, axis=0) for places in many.values()])
    strays = [
        float(np.percentile(np.abs(places - np.median(places, axis=0)).max(axis=1), 85)) for places in many.values()
    ]
    apart = np.abs(middles[:, None] - middles[None]).max(axis=2) + np.eye(len(middles))
    return float(np.median(strays)) < IN_PLACE and float(apart.min()) > 2 * IN_PLACE


def _outstanding(rows: Mapping[Cell, Sequence[Glyph]], in_colour: bool = True) -> dict[Cell, Glyph]:
    """The glyph of each cell that differs from the others by its colour (only ``in_colour``), contrast or size as it
    does in most cells; empty where none does. What an active glyph looks like is learned from cells of three or more
    and of one."""
    features: dict[int, Floats] = {}
    usual: dict[str, float] = {}
    for token in {g.token for row in rows.values() for g in row}:
        usual[token] = float(np.median([g.height for row in rows.values() for g in row if g.token == token]))
    strongest = {cell: max((g.piece.contrast for g in row), default=1.0) for cell, row in rows.items()}
    for cell, row in rows.items():
        for g in row:
            features[id(g)] = np.array(
                [
                    *(g.piece.colour / 128 * in_colour),
                    2 * g.piece.contrast / max(strongest[cell], 1.0),
                    2 * g.height / max(usual[g.token], 1.0),
                    1.5 * float(g.piece.ink.mean()),
                ],
                np.float32,
            )
    odd, plain = [], []
    for row in rows.values():
        if len(row) < 3:
            continue
        away = [float(min(np.abs(features[id(g)] - features[id(o)]).sum() for o in row if o is not g)) for g in row]
        at = int(np.argmax(away))
        odd.append(features[id(row[at])])
        plain += [features[id(g)] for i, g in enumerate(row) if i != at]
    if not odd:
        odd = [features[id(row[0])] for row in rows.values() if len(row) == 1]
        plain = [features[id(g)] for row in rows.values() if len(row) > 1 for g in row]
    if not odd or not plain:
        return {}
    active, other = np.median(odd, axis=0), np.median(plain, axis=0)
    if float(np.abs(active - other).sum()) < 0.25:
        return {}
    way = (active - other) / float(np.linalg.norm(active - other))
    apart = float((active - other) @ way)
    result, clear = {}, []
    for cell, row in rows.items():
        ranked = sorted(row, key=lambda g: -float(features[id(g)] @ way))
        if ranked:
            result[cell] = ranked[0]
        if len(ranked) > 1:
            clear.append(float((features[id(ranked[0])] - features[id(ranked[1])]) @ way) > 0.4 * apart)
    # A digit that differs from all others by its shape, such as the 1, does not stand in most cells.
    return result if clear and np.mean(clear) > MOSTLY else {}


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
