"""First sight of the cells of a board of Cross Set: the segmentation that is right for most cells, tried on a sample;
the signs between numbers; and large numbers that are no candidates."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, ONE_DIGIT, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.heads import compared_heads, heads, without_heads
from autoplayer.games.cross_set.seeing.glyphs.icons import icons
from autoplayer.games.cross_set.seeing.glyphs.parting import parting_signs
from autoplayer.games.cross_set.seeing.glyphs.sheet import MOST_SIGNS
from autoplayer.games.cross_set.seeing.glyphs.signs import swallowed_signs, without
from autoplayer.games.cross_set.seeing.one_cell.choosing import not_swallowed
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in, scale_of
from autoplayer.games.cross_set.seeing.one_cell.judging import (
    classified,
    judged,
    quality_of,
)
from autoplayer.games.cross_set.seeing.one_cell.pointers import Pointers, pointers
from autoplayer.games.cross_set.seeing.one_cell.unused import least_of_candidates, without_unused
from autoplayer.games.cross_set.seeing.one_cell.ways import WAYS
from autoplayer.vision import pieces
from autoplayer.vision.pieces import Piece
from autoplayer.vision.templates import Template

CONVINCING = 0.985
"""A segmentation that explains the glyphs this well needs no alternatives."""

SAMPLE = 14
"""How many cells are segmented in every way before all are segmented in the best one."""

HOPELESS = 0.15
"""If the first segmentation explains less than this, there are no digits at all: of digits made of segments, for which
another segmentation is better, it explained at least 0.2."""

FEWEST_TWICE = 2
"""So many cells in which a number seems to stand twice, if signs between numbers may be read as a number."""

POINTED = 0.5
"""The least share of the cells with a non-number for signs to be searched that stand in each cell."""

MANY = 25
"""The most connected components for each number that a cell may hold: one of dots has about twenty. With more there is
a paragraph of text."""


@dataclass(frozen=True)
class Sight:
    """``way``: which of ``WAYS`` is right for most cells. ``some``: the cells that it was tried on. ``found``: the
    content of each cell, and ``split``, the pieces of it that may be glyphs; ``seen``: the chances of each. ``signs``:
    the positions of signs between the numbers of each cell, fine pixels, and ``examples`` of them; ``heads``: the large
    numbers that name the active ones; ``pointers``: the signs that point to those. All these are left out of the
    others, and so is what has a contrast below ``least``."""

    way: tuple[float, float]
    some: Sequence[Cell]
    found: Mapping[Cell, pieces.Place]
    split: Mapping[Cell, Sequence[Piece]]
    seen: Mapping[Cell, list[Glyph]]
    signs: Mapping[Cell, Sequence[Box]]
    examples: tuple[Piece, ...]
    heads: Mapping[Cell, Glyph]
    pointers: Pointers
    least: float


def glance(
    image: Image, boxes: Mapping[Cell, Box], noise: float, known: Sequence[Template] = (), size: int = ONE_DIGIT
) -> float:
    """How well the digits of a board with ``size`` rows explain the content of some places, 0 to 1, with only a few
    segmentations."""
    best = 0.0
    scale = scale_of(boxes)
    for stroke, share in WAYS[:3]:
        found = {c: pieces_in(image, box, noise, stroke, scale=scale) for c, box in boxes.items()}
        if np.median([len(place.pieces) for place in found.values()]) > MANY * min(size, len(boxes)):
            break
        # What crosses a place from one side to the other is a line of something larger.
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


def first_sight(image: Image, boxes: Mapping[Cell, Box], eyes: Eyes, noise: float) -> Sight:
    """The content of some cells in each segmentation, and of all cells in the best one. ``boxes``: the inside of each
    cell, window pixels; ``noise``: grey levels."""
    size, scale = eyes.size, scale_of(boxes)
    some = list(boxes)[:: max(1, round(len(boxes) / SAMPLE))]
    known: dict[tuple[float, Cell], pieces.Place] = {}

    def found(stroke: float, cell: Cell) -> pieces.Place:
        if (stroke, cell) not in known:
            known[stroke, cell] = pieces_in(image, boxes[cell], noise, stroke, scale=scale)
        return known[stroke, cell]

    way = _best_way({c: partial(found, cell=c) for c in some}, eyes)
    places = {cell: found(way[0], cell) for cell in boxes}
    split, seen = _looked(places, way, eyes)
    if least := least_of_candidates(seen, size):
        places = {cell: without_unused(place, least) for cell, place in places.items()}
        split, seen = _looked(places, way, eyes)
    large = compared_heads(heads(seen, size))
    atoms = {cell: place.pieces for cell, place in places.items()}
    parting: dict[Cell, list[Piece]] = {}
    strange = _strange(seen) >= POINTED * len(seen)
    if not large and (size > ONE_DIGIT or strange or _twice(seen) >= FEWEST_TWICE):
        parting = parting_signs(seen, atoms, size)
    signs = {cell: [p.box for p in row] for cell, row in parting.items()}
    if way[1] and size <= ONE_DIGIT and not signs and not large:
        signs = swallowed_signs(seen, atoms, boxes)
    pointing = Pointers()
    if not (signs or large) and _strange(seen) >= POINTED * len(seen):
        pointing = pointers(atoms, eyes)
    # A sign that points to the first of many numbers stands in a corner, too.
    marks = {} if pointing.signs else icons(seen, boxes)
    if signs or large or marks or pointing.signs:
        named = {cell: [head.piece.box] for cell, head in large.items()}
        pointed = {cell: [p.box for p in pointing.of(cell)] for cell in boxes}
        left_out = {c: [box for each in (signs, marks, named, pointed) for box in each.get(c, ())] for c in boxes}
        places = {c: replace(place, pieces=without(place.pieces, left_out[c])) for c, place in places.items()}
        split, seen = _looked(places, way, eyes)
    examples = tuple(itertools.islice(itertools.chain(*parting.values()), MOST_SIGNS))
    return Sight(way, some, places, split, seen, signs, examples, large, pointing, least)


def _best_way(looks: Mapping[Cell, Callable[[float], pieces.Place]], eyes: Eyes) -> tuple[float, float]:
    """The segmentation into glyphs that explains some cells best. ``looks``: the content of each of them, for a
    stroke's share of the contrast."""
    best = -1.0, WAYS[0]
    counts: set[tuple[int, ...]] = set()
    plain: dict[float, dict[Cell, list[Glyph]]] = {}
    for stroke, share in WAYS:
        split = {cell: pieces.together(look(stroke).pieces, share) for cell, look in looks.items()}
        count = tuple(map(len, split.values()))
        if count in counts:
            continue  # the same pieces
        counts.add(count)
        looked = classified(split, eyes)
        quality = _explained(looked, eyes.size)
        if not share:
            plain[stroke] = looked
        elif stroke in plain:
            quality *= not_swallowed(plain[stroke], looked)
        best = max(best, (quality - 0.005 * len(counts), (stroke, share)), key=lambda one: one[0])
        if quality >= CONVINCING or best[0] < HOPELESS:
            break
    return best[1]


def _looked(
    places: Mapping[Cell, pieces.Place], way: tuple[float, float], eyes: Eyes
) -> tuple[dict[Cell, list[Piece]], dict[Cell, list[Glyph]]]:
    """The pieces of each cell that may be glyphs, and the chances of each."""
    split = {cell: pieces.together(place.pieces, way[1]) for cell, place in places.items()}
    return split, classified(split, eyes)


def _strange(seen: Mapping[Cell, Sequence[Glyph]]) -> int:
    """In how many cells something is probably no number, or a number seems to stand twice."""
    return _twice(seen) + sum(any(g.chances.get(JUNK, 0.0) > 0.5 for g in row) for row in seen.values())


def _twice(seen: Mapping[Cell, Sequence[Glyph]]) -> int:
    """In how many cells a number seems to stand twice: slashes and bars look like a 1."""
    tokens = ([g.token for g in row if g.chance > LEGIBLE] for row in seen.values())
    return sum(len(set(each)) < len(each) for each in tokens)
