"""Finds what something of foreign colours, like a mouse pointer, covers in a cell of Cross Set, and tells a number that
it covers in part by what remains visible of it: compared with the board's own examples of every number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image, Mask, largest_channel
from autoplayer.games.cross_set.seeing.glyphs.crossing import tones
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.seeing.one_cell.assembly import UNEQUAL
from autoplayer.games.cross_set.seeing.one_cell.weighing import BoardView
from autoplayer.vision import pieces

FOREIGN, IN_NOISE = 48.0, 6.0
"""How many grey levels a pixel is away from all blends of the ground with the colours of numbers, if it belongs to
something else; and how many times the picture's noise at least."""

FEWEST = 12
"""So many pixels of a foreign colour are no accident of compression."""

OUTLINE = 2
"""Window pixels around what is foreign that may be its outline, in a colour that numbers have as well, and the soft
edge of that."""

EXAMPLES = 4
"""The most examples of a number of one height: each begins at other fractions of a pixel."""

FITS, CLEARLY = 0.1, 0.1
"""The greatest difference between what is visible and the number that is covered in part, as a share of the ink of
both; and by how much that of every other number is greater at least."""

VISIBLE = 0.4
"""The least share of a number's ink that is visible."""

MOST_CELLS = 4
"""A pointer lies in so many cells at most, around a corner of them."""


@dataclass(frozen=True)
class _Example:
    """A number as it looks elsewhere. ``ink``: shape ``(h, w)``, 0 to 1, in window pixels, with a soft edge of
    ``OUTLINE`` pixels around its place."""

    glyph: Glyph
    ink: Floats


@dataclass(frozen=True)
class _Remains:
    """What is visible in a cell that something covers in part, apart from the numbers that are whole. ``ink``: shape
    ``(h, w)`` of the cell, 0 to 1, 0 where it is covered; ``seen``: where it is not; ``contrast``: that of an ink of 1;
    ``colour``: BGR."""

    ink: Floats
    seen: Floats
    contrast: float
    colour: Floats


def uncovered(view: BoardView, seen: Mapping[Cell, Sequence[Glyph]], odd: Iterable[Cell]) -> dict[Cell, list[Glyph]]:
    """The numbers of those ``odd`` cells in which something of foreign colours covers at most a part of one: with that
    one, if what is visible of it is a part of no other number. Others may be covered completely. ``seen``: the glyphs
    of all cells."""
    odd = sorted(odd)
    clear = {cell: row for cell, row in seen.items() if cell not in odd}
    inks = tones(g.piece for row in clear.values() for g in row if g.chance > CERTAIN)
    covers = {cell: _around(core) for cell in odd if np.count_nonzero(core := _foreign(view, cell, inks)) >= FEWEST}
    if not covers:
        return {}
    examples = _examples(view, clear)
    rows = {cell: _numbers(view, cell, seen[cell], cover, examples) for cell, cover in covers.items()}
    return {cell: row for cell, row in rows.items() if row}


def touched(view: BoardView, seen: Mapping[Cell, Sequence[Glyph]]) -> frozenset[Cell]:
    """The cells in which something of foreign colours lies on or at a number of which something else is visible, so
    that both together may look like another number; none if it is in more cells than a pointer is. A number that is
    like several others of the board is not touched. ``seen``: the glyphs of all cells."""
    inks = _common_inks(seen)
    found = set()
    for cell, row in seen.items():
        if np.count_nonzero(_foreign(view, cell, inks)) < FEWEST:
            continue
        for g in row:
            if g.chances.get(JUNK, 0.0) > 0.5 or view.is_known(cell, g):
                continue
            others = [o.piece.colour for o in row if o is not g and o.chance > CERTAIN]
            if _is_touched(view, cell, g, _foreign(view, cell, [*inks, *others])):
                found.add(cell)
    return frozenset(found) if len(found) <= MOST_CELLS else frozenset()


def _common_inks(seen: Mapping[Cell, Sequence[Glyph]]) -> list[Floats]:
    """The colours that numbers of several cells have: what a pointer is joined with may have the pointer's."""
    sure = {cell: [g.piece.colour for g in row if g.chance > CERTAIN] for cell, row in seen.items()}
    every = tones(g.piece for row in seen.values() for g in row if g.chance > CERTAIN)

    def often(ink: Floats) -> int:
        return sum(any(np.abs(c - ink).max() <= FOREIGN for c in colours) for colours in sure.values())

    return [ink for ink in every if often(ink) > 1]


def _is_touched(view: BoardView, cell: Cell, g: Glyph, foreign: Mask) -> bool:
    """Whether something ``foreign`` (shape ``(h, w)`` of the cell) lies on or at a glyph, and not on all of it."""
    box, own, margin = view.boxes[cell], g.piece.place, OUTLINE + 1
    x, y = own.x - max(box.x, 0), own.y - max(box.y, 0)
    near = slice(max(y - margin, 0), y + own.height + margin), slice(max(x - margin, 0), x + own.width + margin)
    if np.count_nonzero(foreign[near]) < FEWEST:
        return False
    inside = slice(max(y, 0), y + own.height), slice(max(x, 0), x + own.width)
    away = _shares(view.image, box, view.grounds[cell])
    visible = (away > g.piece.contrast / 2)[inside] & (_around(foreign)[inside] == 0)
    return int(np.count_nonzero(visible)) >= FEWEST


def _foreign(view: BoardView, cell: Cell, inks: Sequence[Floats]) -> Mask:
    """The pixels of a cell that have neither its ground's colour, nor one of ``inks``, nor a blend of both; shape
    ``(h, w)``, 1 where they are."""
    patch = view.boxes[cell].crop(view.image)
    veil = view.veiled(cell)
    away = veil.away(patch) if veil else patch.astype(np.float32) - view.grounds[cell]
    least = largest_channel(np.abs(away))
    for ink in inks:
        line = np.asarray(ink - view.grounds[cell], np.float32)
        along = np.clip(away @ line / max(float(line @ line), 1.0), 0, 1)
        least = np.minimum(least, largest_channel(np.abs(away - along[..., None] * line)))
    return np.asarray(least > max(FOREIGN, IN_NOISE * view.noise), np.uint8)


def _around(foreign: Mask) -> Mask:
    """What something ``foreign`` may cover: with its outline, and all that this encloses; shape ``(h, w)``."""
    around = cv2.dilate(foreign, np.ones((2 * OUTLINE + 1, 2 * OUTLINE + 1), np.uint8))
    outer, _ = cv2.findContours(around, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(around, outer, -1, 1, cv2.FILLED), np.uint8)


def _shares(image: Image, place: Box, ground: Floats) -> Floats:
    """By how many grey levels the pixels of a place differ from the ground."""
    return np.asarray(largest_channel(np.abs(place.crop(image).astype(np.float32) - ground)), np.float32)


def _examples(view: BoardView, seen: Mapping[Cell, Sequence[Glyph]]) -> dict[str, list[_Example]]:
    """Some clear examples of each number, of all heights."""
    found: dict[tuple[str, int], list[_Example]] = defaultdict(list)
    for cell, row in sorted(seen.items()):
        for g in row:
            kept = found[g.token, g.height]
            if g.chance < CERTAIN or g.piece.cut or len(kept) >= EXAMPLES:
                continue
            own = g.piece.place
            margin = OUTLINE
            place = Box(own.x - margin, own.y - margin, own.width + 2 * margin, own.height + 2 * margin)
            away = _shares(view.image, place, view.grounds[cell])
            if away.shape == (place.height, place.width):
                kept.append(
                    _Example(g, _without_edges(_inked(away, _top(away[margin:-margin, margin:-margin])), margin))
                )
    result: dict[str, list[_Example]] = defaultdict(list)
    for (token, _), each in found.items():
        result[token] += each
    return result


def _without_edges(ink: Floats, margin: int) -> Floats:
    """An example without what a neighbour leaves in the outer half of its margin."""
    edge = margin // 2
    result = np.zeros_like(ink)
    result[edge:-edge, edge:-edge] = ink[edge:-edge, edge:-edge]
    return result


def _top(away: Floats) -> float:
    """The contrast of the strongest strokes."""
    return max(float(np.percentile(away[away > away.max() / 3], 75)), 1.0) if away.max() > 0 else 1.0


def _inked(away: Floats, top: float) -> Floats:
    return np.asarray(np.clip(away / top, 0, 1), np.float32)


def _numbers(
    view: BoardView, cell: Cell, row: Sequence[Glyph], cover: Mask, examples: Mapping[str, Sequence[_Example]]
) -> list[Glyph]:
    """The numbers of a cell, with one that is covered in part if something is left of it; none if that may be several,
    or if something else is visible."""
    box = view.boxes[cell]
    whole = [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5 and not _touches(g, box, cover)]
    if any(g.chance < CERTAIN or view.is_strange(cell, g) for g in whole):
        return []
    remains = _remains(view, cell, whole, cover)
    if remains is None:
        return whole
    taken = {g.token for g in whole}
    free = [token for token in map(str, range(1, view.eyes.size + 1)) if token not in taken]
    every = [(*_differs(remains, e), e) for token in free for e in examples.get(token, ())]
    if not every or any(not examples.get(token) for token in free):
        return []
    least, at, best = min(every, key=lambda one: one[0])
    others = [found for found, _, e in every if e.glyph.token != best.glyph.token]
    others += [_differs(remains, e)[0] for e in _enlarged(free, examples, best)]
    if least > FITS or min(others, default=np.inf) < least + CLEARLY:
        return []
    return [*whole, _moved(best.glyph, box, at, remains)]


def _enlarged(free: Iterable[str], examples: Mapping[str, Sequence[_Example]], like: _Example) -> list[_Example]:
    """Examples of those numbers that nowhere stand as high as another one, ``like``, enlarged or reduced to its
    height."""
    high, slack = like.glyph.height, UNEQUAL * like.glyph.height + like.glyph.piece.scale
    result = []
    for token in free:
        if all(abs(e.glyph.height - high) > slack for e in examples[token]):
            for e in examples[token]:
                share = high / e.glyph.height
                ink = cv2.resize(e.ink, None, fx=share, fy=share, interpolation=cv2.INTER_LINEAR)
                result.append(_Example(e.glyph, np.asarray(ink, np.float32)))
    return result


def _touches(g: Glyph, box: Box, cover: Mask) -> bool:
    """Whether a part of a glyph may be covered."""
    own = g.piece.place
    x, y = own.x - max(box.x, 0), own.y - max(box.y, 0)
    return bool(cover[max(y - 1, 0) : y + own.height + 1, max(x - 1, 0) : x + own.width + 1].any())


def _remains(view: BoardView, cell: Cell, whole: Sequence[Glyph], cover: Mask) -> _Remains | None:
    """What is visible in a cell besides the ``whole`` numbers; None if nothing is."""
    box = view.boxes[cell]
    away = _shares(view.image, box, view.grounds[cell])
    away[cover > 0] = 0
    for g in whole:
        own = g.piece.place
        x, y = own.x - max(box.x, 0), own.y - max(box.y, 0)
        away[max(y - OUTLINE, 0) : y + own.height + OUTLINE, max(x - OUTLINE, 0) : x + own.width + OUTLINE] = 0
    drawn = away > max(view.least_contrast, pieces.FAINTEST + 3 * view.noise)
    if not drawn.any():
        return None
    top = _top(away)
    strong = drawn & (away > 0.8 * top)
    colour = np.median(box.crop(view.image)[strong].astype(np.float32), axis=0)
    return _Remains(_inked(away, top), (1 - cover).astype(np.float32), top, np.asarray(colour, np.float32))


def _differs(remains: _Remains, example: _Example) -> tuple[float, tuple[int, int]]:
    """The difference between what is visible and an example where it fits best, as a share of the ink of both, 0 to 1;
    and the example's place there: x and y in the cell, window pixels."""
    high, wide = example.ink.shape
    ink = cv2.copyMakeBorder(remains.ink, OUTLINE, OUTLINE, OUTLINE, OUTLINE, cv2.BORDER_CONSTANT, value=0)
    seen = cv2.copyMakeBorder(remains.seen, OUTLINE, OUTLINE, OUTLINE, OUTLINE, cv2.BORDER_CONSTANT, value=1)
    if ink.shape[0] < high or ink.shape[1] < wide:
        return 1.0, (0, 0)
    squared = example.ink * example.ink
    own = float((ink * ink).sum())
    shown = cv2.matchTemplate(seen, squared, cv2.TM_CCORR)
    common = cv2.matchTemplate(ink, example.ink, cv2.TM_CCORR)
    away = (own - 2 * common + shown) / np.maximum(own + shown, 1e-6)
    away[shown < VISIBLE * float(squared.sum())] = 1.0
    y, x = np.unravel_index(int(away.argmin()), away.shape)
    return max(float(away[y, x]), 0.0), (int(x) - OUTLINE, int(y) - OUTLINE)


def _moved(g: Glyph, box: Box, at: tuple[int, int], remains: _Remains) -> Glyph:
    """A number like another one, where and in which colour it is partly visible in a cell."""
    own, scale = g.piece.place, g.piece.scale
    x = max(box.x, 0) + at[0] + OUTLINE - own.x
    y = max(box.y, 0) + at[1] + OUTLINE - own.y
    place = replace(g.piece.box, x=g.piece.box.x + x * scale, y=g.piece.box.y + y * scale)
    return g.seen_in(replace(g.piece, box=place, colour=remains.colour, contrast=remains.contrast, ringed=False))
