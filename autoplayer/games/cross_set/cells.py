"""What the cells of a board hold: glyph by glyph, with what each may be, from a first look to the order of the clicks.
Knows no lattice. What stands in a cell is in ``contents``, which digit a glyph is in ``judging``, how ways to part a
cell compare in ``weighing``, how small pieces make digits in ``assembly``, the order in ``order``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.assembly import (
    assembled,
    shapes_of,
    sizes_of,
)
from autoplayer.games.cross_set.contents import pieces_in, scale_of, toned, widened
from autoplayer.games.cross_set.glyph import JUNK, LEGIBLE, ONE_DIGIT, Chances, Eyes, Glyph
from autoplayer.games.cross_set.heads import compared_heads, head_of, heads, without_heads
from autoplayer.games.cross_set.judging import (
    KNOWN,
    bare,
    classified,
    exclusive,
    judged,
    never_silent,
    quality_of,
    shown,
)
from autoplayer.games.cross_set.numbers import Spacing, Ways, digits_of, numbers_of, ranked, spacing_of
from autoplayer.games.cross_set.order import ordered
from autoplayer.games.cross_set.own_face import compared, own_face
from autoplayer.games.cross_set.parting import is_unparted, like_signs, parting_signs
from autoplayer.games.cross_set.signs import are_lasting, swallowed_signs, without
from autoplayer.games.cross_set.slots import by_place, placed
from autoplayer.games.cross_set.text_lines import Line, by_lines, text_lines
from autoplayer.games.cross_set.weighing import (
    CLEARLY,
    FEWER,
    FINE_STROKE,
    GROWN,
    WAYS,
    BoardView,
    Parting,
    best_of,
    looked_at_again,
    not_swallowed,
    other_ways,
    plausible,
    rivals_of,
    thinned,
)
from autoplayer.vision import alike, pieces, templates
from autoplayer.vision.pieces import Piece
from autoplayer.vision.templates import Template

CONVINCING = 0.985
"""A way to see the glyphs that explains them this well needs no other beside it."""

SAMPLE = 14
"""How many cells are looked at in every way before all are in the best."""

HOPELESS = 0.15
"""Where the first way explains less than this there are no digits at all: of those of segments, of which another way
makes more, it explained 0.2 at least."""

ENOUGH = 0.97
"""A cell worth this much, but for the number of its digits, needs no other way to be seen."""

KINDS = 3
"""Kinds of glyphs for each number at most, on a board of symbols: active ones, others, locked ones."""

LONELY = 0.1
"""The share of glyphs at most, on such a board, that are unlike all others."""

FEWEST_TWICE = 2
"""Cells in which a number seems to stand twice, where there may be signs between numbers that are read as one."""

MOST_SIGNS = 12
"""Signs between numbers that are remembered: those of a later picture look like some of them."""

MOST_BARE = 0.3
"""Tables of other games have more bare cells than this share; on boards few show nothing at first sight."""

NEARLY_ALL, HARDLY_CLEAR = 0.9, 0.5
"""Where less than the first share of the numbers of rows and columns is shown at first sight, and less than the second
of what stands there is explained, it is a calendar or some other table; on boards that are hard to read all of them
are."""

MANY = 25
"""Things that hang together for each number of a board that a cell may hold, at most: one of dots has about twenty. In
more there is a paragraph of text."""

MOST_PARTINGS = 4
"""So many ways in which the digits of a cell may be numbers are weighed."""


@dataclass(frozen=True)
class Sheet:
    """The glyphs of every cell, in the order of the clicks. ``quality``: the share of them, 0 to 1, that is explained.
    ``grounds``: each cell's colour. ``orderless``: whether the order of the clicks cannot be seen. ``way``: which of
    ``WAYS`` parted them. ``boxes``: the inside of each cell. ``unsure``: the cells of which any number may be the
    active one; ``open_order``: those in which the others may follow it in another order. ``hiding``: the cells in which
    something hangs together with a wall. ``known``: the layout's own glyphs; ``foreign``: as in :class:`Eyes`.
    ``rivals``: the glyphs of cells that can be seen in another way as well. ``parted``: the cells whose digits may make
    other numbers, with all the ways in which they do, as they are ordered, and the probability of each; ``space``: what
    gaps between digits say, on a board with numbers of two digits, and ``signs``: some of those that stand between
    numbers there. ``lines``: the lines of text by which signs were put together, none where they are not. ``heads``:
    the large numbers that say which candidate of their cell is active (see ``heads``)."""

    glyphs: Mapping[Cell, tuple[Glyph, ...]]
    quality: float
    grounds: Mapping[Cell, Floats]
    boxes: Mapping[Cell, Box]
    orderless: bool
    way: tuple[float, float]
    unsure: frozenset[Cell] = frozenset()
    open_order: frozenset[Cell] = field(default=frozenset(), kw_only=True)
    foreign: bool = field(default=False, kw_only=True)
    lines: Sequence[Line] = field(default=(), kw_only=True)
    hiding: frozenset[Cell] = frozenset()
    known: Sequence[Template] = ()
    rivals: Mapping[Cell, tuple[Glyph, ...]] = field(default_factory=dict)
    parted: Mapping[Cell, Sequence[tuple[float, tuple[Glyph, ...]]]] = field(default_factory=dict)
    space: Spacing | None = None
    signs: tuple[Piece, ...] = ()
    heads: Mapping[Cell, Glyph] = field(default_factory=dict)

    @property
    def eyes(self) -> Eyes:
        """By what the glyphs of its cells are known."""
        return Eyes(round(len(self.boxes) ** 0.5), self.known, self.foreign)


def glance(
    image: Image, boxes: Mapping[Cell, Box], noise: float, known: Sequence[Template] = (), size: int = ONE_DIGIT
) -> float:
    """How well the digits of a board with ``size`` rows explain what stands in some places, 0 to 1, without looking in
    more than a few ways."""
    best = 0.0
    scale = scale_of(boxes)
    for stroke, share in WAYS[:3]:
        found = {c: pieces_in(image, box, noise, stroke, scale=scale) for c, box in boxes.items()}
        if np.median([len(place.pieces) for place in found.values()]) > MANY * min(size, len(boxes)):
            break
        # What goes through a place from one side to the other is a line of something larger.
        whole = {c: [p for p in place.pieces if not _goes_through(p, boxes[c])] for c, place in found.items()}
        parts = {c: pieces.together(each, share) for c, each in whole.items()}
        best = max(best, _explained(judged(parts, Eyes(size, known)), size))
        if not HOPELESS <= best <= LEGIBLE:
            break
    return best


def _goes_through(p: Piece, box: Box) -> bool:
    return p.place.height >= box.height or p.place.width >= box.width


def _explained(seen: Mapping[Cell, Sequence[Glyph]], size: int) -> float:
    """How well glyphs explain the cells, 0 to 1; no number stands twice in one but where it is large as well."""
    return quality_of(without_heads(seen, heads(seen, size)), size)


def read(
    image: Image,
    boxes: Mapping[Cell, Box],
    size: int,
    noise: float,
    known: Sequence[Template] = (),
    shows: float = 0.0,
    explains: float = 0.0,
) -> Sheet | None:
    """The glyphs of the cells of a board with ``size`` rows; ``boxes``: the inside of each cell, window pixels;
    ``known``: the layout's own pictures of glyphs. ``shows``, ``explains``: None is returned where at
    first sight less than this share of the numbers of rows and columns is ``shown``, less than this share of what
    stands there is explained, or, if either is more than 0, many cells are bare: what is hard to read is looked at
    again and again, and that is for boards."""
    eyes = Eyes(size, known)
    scale = scale_of(boxes)
    some = dict(list(boxes.items())[:: max(1, round(len(boxes) / SAMPLE))])
    found: dict[tuple[float, Cell], pieces.Place] = {}

    def parts(stroke: float, share: float, chosen: Iterable[Cell]) -> dict[Cell, list[Piece]]:
        for cell in chosen:
            if (stroke, cell) not in found:
                found[stroke, cell] = pieces_in(image, boxes[cell], noise, stroke, scale=scale)
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
        looked = classified(split, eyes)
        quality = _explained(looked, size)
        if not way[1]:
            plain[way[0]] = looked
        elif way[0] in plain:
            quality *= not_swallowed(plain[way[0]], looked)
        best = max(best, (quality - 0.005 * len(counts), way), key=lambda one: one[0])
        if quality >= CONVINCING or best[0] < HOPELESS:
            break
    way = best[1]
    split = parts(*way, boxes)
    seen = classified(split, eyes)
    examples: tuple[Piece, ...] = ()
    signs: dict[Cell, list[Box]] = {}
    large = compared_heads(heads(seen, size))
    if not large and (size > ONE_DIGIT or _twice(seen) >= FEWEST_TWICE):
        parting = parting_signs(seen, {c: found[way[0], c].pieces for c in boxes}, size)
        examples = tuple(itertools.islice(itertools.chain(*parting.values()), MOST_SIGNS))
        signs = {cell: [p.box for p in row] for cell, row in parting.items()}
    if way[1] and size <= ONE_DIGIT and not signs and not large:
        signs = swallowed_signs(seen, {c: found[way[0], c].pieces for c in boxes}, boxes)
    left_out = {c: [*signs.get(c, ()), *([large[c].piece.box] if c in large else [])] for c in boxes}
    if signs or large:
        found = {(s, c): replace(p, pieces=without(p.pieces, left_out[c])) for (s, c), p in found.items()}
        split = parts(*way, boxes)
        seen = classified(split, eyes)
    # Numbers of two digits are not put together yet, but every row has all digits in them.
    kinds = size if size <= ONE_DIGIT else ONE_DIGIT + 1
    there, clear = shown(seen, kinds), quality_of(seen, size)
    poor = there < shows or clear < explains or (there < NEARLY_ALL and clear < HARDLY_CLEAR)
    if max(shows, explains) > 0 and (poor or bare(seen) > MOST_BARE):
        return None
    # What is left out in most cells alike is walls: round corners, a frame.
    usual = int(np.median([found[way[0], cell].swallowed for cell in boxes]))
    hidden = {cell: max(found[way[0], cell].swallowed - usual, 0) for cell in boxes}
    atoms = {cell: found[way[0], cell].pieces for cell in boxes}
    grounds = {cell: found[way[0], cell].ground for cell in boxes}
    shapes, face = shapes_of(seen), own_face(seen)
    view = BoardView(
        image, boxes, eyes, noise, scale, usual, way, seen, split, hidden, shapes, face, atoms, grounds, signs, large
    )
    if way[1]:
        # Where pieces are joined by their distance some digits are joined with their neighbours: others say more.
        digits = assembled(atoms, view.sizes, {JUNK: view.sizes}, eyes)
        if digits:
            looked = judged(digits, eyes)
            view = replace(view, shapes=shapes_of(looked), face=own_face(looked))
    odd = list(boxes) if way[1] else [cell for cell in boxes if view.is_odd(cell)]
    better: dict[Cell, Parting] = {}
    ways: dict[Cell, list[tuple[Parting, list[Glyph]]]] = {}
    if odd:
        worth = {cell: view.worth(cell, seen[cell], Parting(split[cell], view.swallowed[cell])) for cell in odd}
        ways = {cell: [(Parting(split[cell], view.swallowed[cell]), seen[cell])] for cell in odd}
        # Some that are well read say how high digits are.
        beside = {cell: split[cell] for cell in [c for c in boxes if c not in odd][:SAMPLE] or some}

        def in_need() -> list[Cell]:
            """The cells that are not well explained yet."""
            return [c for c in odd if worth[c] < ENOUGH * FEWER ** len(better[c].pieces if c in better else seen[c])]

        for other in other_ways(view, odd, in_need):
            # What is right for most cells may join two digits of one, or leave one broken.
            if not other:
                continue
            again = classified({**beside, **{cell: one.pieces for cell, one in other.items()}}, eyes)
            for cell, one in other.items():
                quality = view.worth(cell, again[cell], one)
                ways[cell].append((one, again[cell]))
                if quality > worth[cell] + CLEARLY:
                    better[cell], worth[cell] = one, quality
        if better:
            seen = classified({**split, **{cell: one.pieces for cell, one in better.items()}}, eyes)
    parted = {cell: better.get(cell, Parting(split[cell], view.swallowed[cell])) for cell in boxes}
    view = replace(view, seen=seen, shapes=shapes_of(seen), face=own_face(seen))
    seen, parted, unclear = looked_at_again(view, parted)
    # What the board's numbers look like is known better now than when each way was tried.
    view = replace(view, seen=seen, shapes=shapes_of(seen), face=own_face(seen))
    tried = {cell: [*each, (parted[cell], seen[cell])] for cell, each in ways.items()}
    weighed = {cell: [(view.likelihood(cell, row, one), row) for one, row in each] for cell, each in tried.items()}
    better = {cell: tried[cell][best_of(each)][0] for cell, each in weighed.items() if best_of(each) < len(each) - 1}
    if better:
        parted |= better
        seen = classified({cell: one.pieces for cell, one in parted.items()}, eyes)
        view = replace(view, seen=seen)
        unclear = frozenset(cell for cell, one in parted.items() if view.is_unexplained(cell, seen[cell], one))
    told, first, space = compared(seen), seen, None
    ways_in: dict[Cell, Ways] = {}
    if size > ONE_DIGIT:
        rivals = plausible(rivals_of(told, weighed), told, view)
        told = thinned(told, weighed)
        space = spacing_of(told, size, bool(signs))
        ways_in = numbers_of(told, size, space, signs)
        ways_in = {cell: ranked(each) or ways_in[cell] for cell, each in placed(ways_in, boxes).items()}
        told = first = {cell: each[0][1] for cell, each in ways_in.items()}
        if are_lasting(examples):
            unclear |= {cell for cell, row in told.items() if is_unparted(row, signs.get(cell, ()))}
        rivals = {cell: each[0][1] for cell, each in numbers_of(rivals, size, space, signs).items()}
    seen = never_silent(exclusive(by_place(told, boxes)), first, size)
    if size <= ONE_DIGIT:
        if weighed:
            view = replace(view, seen=seen, shapes=shapes_of(seen), face=own_face(seen))
        rivals = rivals_of(seen, weighed, {cell: view.likelihood(cell, seen[cell], parted[cell]) for cell in weighed})
        seen = {
            c: [replace(g, piece=toned(image, g.piece, parted[c].pieces, grounds[c])) for g in row]
            for c, row in seen.items()
        }
    quality = quality_of(seen, size)
    order = ordered(seen, boxes, grounds, large)
    all_glyphs = {cell: tuple(row) for cell, row in order.rows.items()}
    other_order = ordered({**seen, **rivals}, boxes, grounds, large).rows if rivals else {}
    others = {cell: tuple(other_order[cell]) for cell in rivals}
    sheet = Sheet(
        all_glyphs,
        quality,
        grounds,
        dict(boxes),
        order.hidden,
        way,
        order.unsure,
        unclear,
        known,
        others,
        open_order=order.open_order,
        space=space,
        signs=examples,
        heads=large,
    )
    return replace(sheet, parted=_parted_otherwise(sheet, seen, ways_in)) if ways_in else sheet


def _twice(seen: Mapping[Cell, Sequence[Glyph]]) -> int:
    """In how many cells a number seems to stand twice: slashes and bars look like a 1."""
    tokens = ([g.token for g in row if g.chance > LEGIBLE] for row in seen.values())
    return sum(len(set(each)) < len(each) for each in tokens)


def _parted_otherwise(
    sheet: Sheet, seen: Mapping[Cell, list[Glyph]], ways: Mapping[Cell, Ways]
) -> dict[Cell, list[tuple[float, tuple[Glyph, ...]]]]:
    """The cells whose digits may be several numbers, with each way in the order of the clicks."""
    several = {cell: list(each) for cell, each in ways.items() if len(each) > 1}
    result = {cell: [(each[0][0], tuple(sheet.glyphs[cell]))] for cell, each in several.items()}
    for rank in range(1, MOST_PARTINGS):
        others = {cell: each[rank] for cell, each in several.items() if len(each) > rank}
        rows = {cell: by_place({cell: row}, sheet.boxes)[cell] for cell, (_, row) in others.items()}
        in_order = ordered({**seen, **rows}, sheet.boxes, sheet.grounds).rows if rows else {}
        for cell, (p, _) in others.items():
            result[cell].append((p, tuple(in_order[cell])))
    return result


def symbols(
    image: Image, boxes: Mapping[Cell, Box], size: int, noise: float, known: Sequence[Template] = ()
) -> Sheet | None:
    """What stands in the cells where the network does not know what it says: every cluster of glyphs that is like none
    of the layout's own pictures may be any number. ``quality`` of what is found: the share of the glyphs that are.
    None where it is nothing that a board of this game could show: in each cell something, one to ``size`` glyphs, few
    of them unlike all others."""
    scale = scale_of(boxes)
    best: tuple[tuple[float, int], _Signs] | None = None
    met: set[tuple[int, ...]] = set()
    for way, lined in itertools.product(WAYS, (False, True)):
        found = {cell: pieces_in(image, box, noise, way[0], scale=scale) for cell, box in boxes.items()}
        lines = text_lines({cell: place.pieces for cell, place in found.items()}, boxes) if lined else ()
        split = {cell: _parted(place.pieces, boxes[cell], way, lines) for cell, place in found.items()}
        counts = tuple(map(len, split.values()))
        if counts in met or not all(1 <= count <= size for count in counts):
            continue
        met.add(counts)
        signs = _told(split, size, known)
        # A symbol of several parts, taken for several, makes more kinds of glyphs; so do two that are taken for one.
        worth = signs.quality, -len(signs.kinds)
        few = len(signs.kinds) <= KINDS * size
        lonely = sum(count == 1 for count in signs.kinds.values())
        if few and lonely <= LONELY * sum(counts) and (best is None or worth > best[0]):
            grounds = {cell: place.ground for cell, place in found.items()}
            usual = int(np.median([place.swallowed for place in found.values()]))
            hiding = frozenset(cell for cell, place in found.items() if place.swallowed > usual)
            best = worth, replace(signs, way=way, lines=lines, grounds=grounds, hiding=hiding)
    if best is None:
        return None
    _, signs = best
    order = ordered(signs.glyphs, boxes, signs.grounds)
    return Sheet(
        {c: tuple(row) for c, row in order.rows.items()}, signs.quality, signs.grounds, dict(boxes), order.hidden,
        signs.way, order.unsure, known=known, open_order=order.open_order, foreign=bool(known),
        lines=signs.lines, hiding=signs.hiding,
    )  # fmt: skip


def _parted(parts: Sequence[Piece], box: Box, way: tuple[float, float], lines: Sequence[Line]) -> list[Piece]:
    """What stands in a cell, parted in one ``way`` into glyphs: along its ``lines`` of text where they are known."""
    return by_lines(parts, box, lines, way[1]) if lines else pieces.together(parts, way[1])


@dataclass(frozen=True)
class _Signs:
    """Symbols in the cells, parted in one ``way``. ``quality``: the share of them that a layout's picture is known of
    and that stand in their cell once, 1 where it has none; ``kinds``: how often each of those stands there that are
    alike at a rough look; ``hiding``: as in :class:`Sheet`."""

    glyphs: Mapping[Cell, Sequence[Glyph]]
    quality: float
    kinds: Mapping[int, int]
    way: tuple[float, float] = WAYS[0]
    lines: Sequence[Line] = ()
    grounds: Mapping[Cell, Floats] = field(default_factory=dict)
    hiding: frozenset[Cell] = frozenset()


def _told(split: Mapping[Cell, Sequence[Piece]], size: int, known: Sequence[Template]) -> _Signs:
    """The symbols ``split`` into cells, with what each may be."""
    flat = [(cell, piece) for cell, row in split.items() for piece in row]
    cluster = alike.clusters([piece.ink for _, piece in flat])
    first = dict(zip(reversed(cluster), (piece.ink for _, piece in reversed(flat)), strict=True))
    # Small symbols that stand at parts of a pixel differ by more than a shade: what is one kind is told roughly.
    kinds = dict(zip(first, templates.kinds(list(first.values())), strict=True))
    told = {number: templates.match(ink, known) for number, ink in first.items()} if known else {}
    eyes = Eyes(size, known)
    sides = [max(ink.shape) for number, ink in first.items() if told.get(number)]
    chances: dict[int, Chances] = {}
    for number, ink in first.items():
        token = told.get(number)
        if token:
            chances[number] = {token: KNOWN, JUNK: 1 - KNOWN}
        else:
            sized = bool(sides) and min(sides) <= max(ink.shape) <= max(sides)
            chances[number] = eyes.by_looks(ink, of_size=sized) if known else dict.fromkeys(eyes.tokens, 1 / size)
    seen: dict[Cell, list[Glyph]] = {cell: [] for cell in split}
    for (cell, piece), number in zip(flat, cluster, strict=True):
        seen[cell].append(Glyph(piece, chances[number], number))
    # No number stands in a cell twice: where one seems to, a sign was taken apart, as the Chinese 2 into two 1s.
    apart = sum(len({told[g.cluster] for g in row if told.get(g.cluster)}) for row in seen.values())
    quality = apart / len(cluster) if known else 1.0
    return _Signs(seen, quality, Counter(kinds[number] for number in cluster))


def read_again(image: Image, boxes: Mapping[Cell, Box], before: Sheet, noise: float) -> Sheet:
    """Some cells of a board, as they look in a later picture; ``before``: all its cells, as they were read. A glyph
    that looks like one of those is the same; only others are looked at by the network."""
    eyes = before.eyes
    scale = scale_of(before.boxes)
    found = {cell: pieces_in(image, box, noise, before.way[0], scale=scale) for cell, box in boxes.items()}
    # Numbers are put together from digits again, for they stand elsewhere now.
    every = {cell: (*row, before.heads[cell]) if cell in before.heads else row for cell, row in before.glyphs.items()}
    digits = replace(before, glyphs={cell: tuple(digits_of(row)) for cell, row in every.items()})
    signs = {cell: like_signs(place.pieces, before.signs) for cell, place in found.items()} if before.signs else {}
    found = {cell: replace(p, pieces=without(p.pieces, signs.get(cell, ()))) for cell, p in found.items()}
    split = {cell: _parted(place.pieces, boxes[cell], before.way, before.lines) for cell, place in found.items()}
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
        seen |= classified(strange, eyes)
    if before.space is not None:
        ways = numbers_of(seen, eyes.size, before.space, signs)
        seen = {cell: each[0][1] for cell, each in ways.items()}
    else:
        seen = {
            c: [replace(g, piece=toned(image, g.piece, split[c], found[c].ground)) for g in row]
            for c, row in seen.items()
        }
    large = {cell: g for cell, g in before.heads.items() if cell not in boxes}
    large |= {cell: g for cell, row in seen.items() if cell in before.heads and (g := head_of(row)) is not None}
    seen = without_heads(seen, large)
    rest = {cell: list(row) for cell, row in before.glyphs.items() if cell not in boxes}
    grounds = {cell: place.ground for cell, place in found.items()}
    order = ordered({**rest, **seen}, before.boxes, {**before.grounds, **grounds}, large)
    glyphs_now = {cell: tuple(order.rows[cell]) for cell in boxes}
    return replace(
        before, glyphs=glyphs_now, grounds=grounds, boxes=dict(boxes), unsure=order.unsure & set(boxes),
        hiding=frozenset(), rivals={}, parted={},
    )  # fmt: skip


def _whole(
    image: Image, boxes: Mapping[Cell, Box], noise: float, before: Sheet, split: Mapping[Cell, Sequence[Piece]]
) -> dict[Cell, list[Piece]]:
    """Cells in which something is cut off, or not as many glyphs stand as before, widened or put together in another
    way until nothing is and as many do."""
    result: dict[Cell, list[Piece]] = {}
    stroke, _ = before.way
    scale = scale_of(before.boxes)
    for by in GROWN:
        cut = {c: boxes[c] for c, row in split.items() if c not in result and any(p.cut for p in row)}
        for cell, place in widened(image, cut, noise, stroke, by, scale).items() if cut else ():
            row = _parted(place.pieces, boxes[cell], before.way, before.lines)
            if not any(p.cut for p in row) and len(row) == len(before.glyphs[cell]):
                result[cell] = row
    eyes = before.eyes
    sizes, shapes = sizes_of(before.glyphs), shapes_of(before.glyphs)
    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        odd = [c for c, row in split.items() if c not in result and len(row) != len(before.glyphs[c])]
        atoms = {c: pieces_in(image, boxes[c], noise, fine, scale=scale).pieces for c in odd}
        for cell, row in assembled(atoms, sizes, shapes, eyes).items():
            if len(row) == len(before.glyphs[cell]):
                result[cell] = row
    return result
