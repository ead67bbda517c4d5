"""Reads cells of a board of Cross Set whose numbers are symbols that the network does not know: clusters of glyphs that
look alike, each of which may be any number."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, Chances, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.sheet import Sheet
from autoplayer.games.cross_set.seeing.glyphs.text_lines import Line, parted, text_lines
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in, scale_of
from autoplayer.games.cross_set.seeing.one_cell.judging import KNOWN
from autoplayer.games.cross_set.seeing.one_cell.ways import WAYS
from autoplayer.games.cross_set.seeing.ordering.order import ordered
from autoplayer.vision import alike, templates
from autoplayer.vision.pieces import Piece
from autoplayer.vision.templates import Template

KINDS = 3
"""The most kinds of glyphs for each number, on a board of symbols: active ones, others, locked ones."""

LONELY = 0.1
"""The greatest share of glyphs, on such a board, that are unlike all others."""


def symbols(
    image: Image, boxes: Mapping[Cell, Box], size: int, noise: float, known: Sequence[Template] = ()
) -> Sheet | None:
    """The content of the cells where the network cannot read it: every cluster of glyphs that matches none of the
    layout's own pictures may be any number. ``quality`` of the result: the share of the glyphs that match. None if it
    cannot be a board of this game: every cell holds something, one to ``size`` glyphs, and few of them are unlike all
    others."""
    scale = scale_of(boxes)
    best: tuple[tuple[float, int], _Signs] | None = None
    met: set[tuple[int, ...]] = set()
    for way, lined in itertools.product(WAYS, (False, True)):
        found = {cell: pieces_in(image, box, noise, way[0], scale=scale) for cell, box in boxes.items()}
        lines = text_lines({cell: place.pieces for cell, place in found.items()}, boxes) if lined else ()
        split = {cell: parted(place.pieces, boxes[cell], way, lines) for cell, place in found.items()}
        counts = tuple(map(len, split.values()))
        if counts in met or not all(1 <= count <= size for count in counts):
            continue
        met.add(counts)
        signs = _told(split, size, known)
        # A symbol of several parts that is taken for several makes more kinds of glyphs; so do two that are taken for
        # one.
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


@dataclass(frozen=True)
class _Signs:
    """Symbols in the cells, segmented in one ``way``. ``quality``: the share of them that match a picture of the layout
    and stand in their cell once, 1 if it has none; ``kinds``: how often each group of roughly similar ones occurs
    there; ``hiding``: as in :class:`Sheet`."""

    glyphs: Mapping[Cell, Sequence[Glyph]]
    quality: float
    kinds: Mapping[int, int]
    way: tuple[float, float] = WAYS[0]
    lines: Sequence[Line] = ()
    grounds: Mapping[Cell, Floats] = field(default_factory=dict)
    hiding: frozenset[Cell] = frozenset()


def _told(split: Mapping[Cell, Sequence[Piece]], size: int, known: Sequence[Template]) -> _Signs:
    """The symbols ``split`` into cells, with the chances of each."""
    flat = [(cell, piece) for cell, row in split.items() for piece in row]
    cluster = alike.clusters([piece.ink for _, piece in flat])
    first = dict(zip(reversed(cluster), (piece.ink for _, piece in reversed(flat)), strict=True))
    # Small symbols at fractions of a pixel differ by more than a shade: kinds are told roughly.
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
    # No number stands in a cell twice: where one seems to, a sign was split, such as the Chinese 2 into two 1s.
    apart = sum(len({told[g.cluster] for g in row if told.get(g.cluster)}) for row in seen.values())
    quality = apart / len(cluster) if known else 1.0
    return _Signs(seen, quality, Counter(kinds[number] for number in cluster))
