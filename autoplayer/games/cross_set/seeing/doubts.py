"""Summarises what is read of each cell of Cross Set and, for doubtful cells, what they may hold: texts with their
probabilities."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.puzzle import Candidates, format_cell
from autoplayer.games.cross_set.seeing.board import Board
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.seeing.one_cell.judging import chosen
from autoplayer.vision import pieces

NEGLIGIBLE = 0.002
"""Candidates below this are not worth a solver's time."""

HIDES = 0.4
"""The probability that something as large as a digit in a cell, which is none, hides a digit or is an illegible one."""

MOST_READINGS = 8
"""The most readings of a cell that are considered if something in it is not explained …"""

LIKELY = 0.1
"""… and the least probability of a reading to which something is added."""

WEARING, LOW, WORN, FAINT_STROKE = 2.0, 9, 0.05, 0.3
"""``WEARING``: grey levels of noise from which on faint strokes are lost. ``LOW``: height in window pixels; the lines
of lower digits are hardly one pixel broad. ``WORN``: the probability, for each digit that loses all but an upright
stroke, that it looks like a 1. ``FAINT_STROKE``: the least contrast of the other strokes relative to that one; if noise
does not reach it, they would be seen."""

AS_LOW, AS_PALE, FEWEST_KEPT, NOTHING_LOST = 0.1, 1.3, 5, 0.8
"""Numbers are as low, and as pale, as a glyph if they are higher by no more than the first share, and have no more than
so many times its contrast. At least so many have to be seen; of those that have lost nothing, the one with the least
ink has at least the last share of what they have in the middle."""

AS_GOOD = 0.1
"""The probability of the second of two about equally good segmentations of a cell; of some dozens that were checked,
about one in ten was right."""

HUGE = 1.8
"""A non-number that is this many times as large as a usual number may hide several."""

MOST_HIDDEN = 2
"""The most numbers that one thing hides."""

STRAY = 1.3
"""Something that hides a number and is more than this many times as large as a usual one stands where nobody put a
number."""

Options = tuple[tuple[str, float], ...]
"""The possible contents of a cell as texts, each with its probability, the most probable first."""


class CellSeen(NamedTuple):
    """What is read of a cell: its ``numbers`` in the order of the clicks; the ``glyphs`` that show them, none if the
    doubt concerns the whole cell; and the ``options`` of that doubt, empty if there is none."""

    numbers: Candidates
    glyphs: Sequence[Glyph]
    options: Options


def seen_in(cell: Cell, row: Sequence[Glyph], board: Board, usual: float, asked: bool) -> CellSeen:
    """What is read of a cell. ``row``: its glyphs; ``usual``: the usual height of numbers, fine pixels; ``asked``: a
    person is asked about each doubtful glyph, and sees what else stands beside it."""
    size, sheet = board.size, board.sheet
    if _is_plain(cell, row, board):
        return CellSeen(tuple(int(g.token) for g in row), row, ())
    huge = [g for g in row if g.chances.get(JUNK, 0.0) > 0.5 and g.piece.extent > HUGE * usual]
    kept = [g for g in row if g not in huge] if huge else row
    kept = hiding([worn(g, board) for g in kept] if board.noise >= WEARING else kept, board, usual)
    kept = [g for g in kept if g.chances.get(JUNK, 0.0) < CERTAIN]
    said = chosen(kept)
    if not said:
        return CellSeen((1,), (), anything(size))
    whole = [g for g, token in said if token == g.token or g.chance < CERTAIN]
    if len(whole) < sum(g.token != JUNK for g in kept):  # a number surely stands there twice: one is none
        said = chosen(whole)
        return CellSeen(tuple(int(token) for _, token in said) or (1,), (), more([g for g, _ in said], size, 1))
    numbers, glyphs = tuple(int(token) for _, token in said), [g for g, _ in said]
    sure = all(g.chance >= CERTAIN for g in glyphs)
    ways = sheet.parted.get(cell, ())
    missing = 2 if huge else int(cell in sheet.hiding)
    if cell in sheet.unsure and (sure or not asked):
        options = turns(ways or [(1.0, glyphs)], size, missing)
        return CellSeen(numbers, glyphs if sure and not ways else (), options)
    if cell in sheet.open_order and sure and not ways and len(said) > 2:
        return CellSeen(numbers, glyphs, orders(numbers, size))
    if ways and (sure or not asked):
        return CellSeen(numbers, (), otherwise(ways, size))
    shown = tuple(int(g.token) for g in row if g.chances.get(JUNK, 0.0) <= 0.5)
    if shown and cell in sheet.slotted:
        return CellSeen(shown, (), slotted(shown, sheet.slotted[cell], size))
    if cell in sheet.missing and (fuller := inserted(shown, sheet.missing[cell], size)):
        return CellSeen(fuller[0][0], (), tuple((format_cell(each, size), p) for each, p in fuller))
    if huge or (missing and (sure or not asked)):
        return CellSeen(numbers, (), more(glyphs, size, missing))
    strays = [k for k, g in enumerate(glyphs) if g.chances.get(JUNK, 0.0) > 0.5 and g.piece.extent > STRAY * usual]
    others = [g for k, g in enumerate(glyphs) if k not in strays]
    if len(strays) == 1 and len(others) > 1 and all(g.chance >= CERTAIN for g in others):
        return CellSeen(numbers, others, anywhere(tuple(int(g.token) for g in others), strays[0], size))
    rival = tuple(int(token) for _, token in chosen(sheet.rivals[cell])) if sure and cell in sheet.rivals else ()
    if rival and rival != numbers:
        texts = format_cell(numbers, size), format_cell(rival, size)
        return CellSeen(numbers, glyphs, ((texts[0], 1 - AS_GOOD), (texts[1], AS_GOOD)))
    return CellSeen(numbers, glyphs, ())


def _is_plain(cell: Cell, row: Sequence[Glyph], board: Board) -> bool:
    """Whether a cell certainly holds different numbers and nothing else is known of it: true of nearly all cells."""
    sheet = board.sheet
    if (
        not row
        or board.noise >= WEARING
        or any(cell in each for each in (sheet.parted, sheet.unsure, sheet.open_order))
    ):
        return False
    if cell in sheet.hiding or cell in sheet.rivals or min(g.chance for g in row) < CERTAIN:
        return False
    return "0" not in (tokens := {g.token for g in row}) and len(tokens) == len(row)


def worn(g: Glyph, board: Board) -> Glyph:
    """A glyph; if noise, or compression artefacts, are as strong as faint strokes, a low 1 may be the remnant of a
    digit with an upright stroke."""
    if board.noise < WEARING or g.token != "1" or g.parts or g.height >= LOW * g.piece.scale or g.chance < CERTAIN:
        return g
    if FAINT_STROKE * g.piece.contrast > pieces.FAINTEST + 3 * board.noise:
        return g
    others = [token for token in ("4", "7") if int(token) <= board.size and not _keeps_strokes(token, g, board)]
    return replace(g, chances={"1": 1 - WORN * len(others), **dict.fromkeys(others, WORN)}) if others else g


def _keeps_strokes(token: str, g: Glyph, board: Board) -> bool:
    """Whether nothing of a number is lost anywhere where it is about as low and as pale as a glyph: noise that takes
    all strokes of one but the upright takes some of others."""
    inks = [
        float(o.piece.ink.sum())
        for row in board.sheet.glyphs.values()
        for o in row
        if o.token == token and abs(o.height - g.height) <= AS_LOW * g.height + g.piece.scale
        if o.piece.contrast <= AS_PALE * g.piece.contrast
    ]
    return len(inks) >= FEWEST_KEPT and min(inks) >= NOTHING_LOST * float(np.median(inks))


def hiding(row: Sequence[Glyph], board: Board, usual: float) -> list[Glyph]:
    """The glyphs of a cell; a large non-number may hide any number that does not stand beside it. ``usual``: the usual
    height of numbers."""
    if all(g.chances.get(JUNK, 0.0) <= 0.5 for g in row):
        return list(row)
    beside = {g.token for g in row if g.chance > 0.5}
    free = [str(n) for n in range(1, board.size + 1) if str(n) not in beside]
    result = []
    for g in row:
        box = g.piece.box
        wide = min(box.width, box.height) > (0.2 if g.piece.cut else 0.5) * usual
        if g.chances.get(JUNK, 0.0) > 0.5 and free and wide and g.piece.extent > 0.6 * usual:
            chances = {JUNK: 1 - HIDES, **dict.fromkeys(free, HIDES / len(free))}
            result.append(replace(g, chances=chances, cluster=-id(g.piece)))
        else:
            result.append(g)
    return result


def turns(ways: Sequence[tuple[float, Sequence[Glyph]]], size: int, missing: int = 0) -> Options:
    """The options of a cell whose active number cannot be told. ``ways``: the possible sequences of its numbers;
    ``missing``: how many more it may hold at most."""
    found: dict[str, float] = {}
    for share, row in ways:
        for numbers, p in _readings(row):
            for k in range(len(numbers)):
                turned = numbers[k:] + numbers[:k]
                for text, q in _with_more(turned, size, missing, False):
                    found[text] = found.get(text, 0.0) + share * p * q / len(numbers)
    return tuple(sorted(found.items(), key=lambda one: -one[1])) or anything(size)


def orders(numbers: Candidates, size: int) -> Options:
    """The options of a cell whose active number is known, but not the next one: the others as they were read, from last
    to first, and sorted."""
    lead, rest = numbers[:1], numbers[1:]
    found = dict.fromkeys(format_cell(lead + tuple(each), size) for each in (rest, rest[::-1], sorted(rest)))
    return tuple((text, 1 / len(found)) for text in found)


def inserted(numbers: Candidates, ways: Sequence[tuple[int, ...]], size: int) -> list[tuple[Candidates, float]]:
    """The possible number sequences of a cell in which something hides further numbers, with their probabilities, the
    likeliest first. ``ways``: the possible sets of indices of the hidden numbers; ``()`` if nothing may be hidden."""
    free = [n for n in range(1, size + 1) if n not in numbers]
    found: list[tuple[float, list[Candidates]]] = []
    for places in ways:
        each = []
        for more in itertools.permutations(free, len(places)):
            whole = list(numbers)
            for place, n in zip(places, more, strict=True):
                whole.insert(place, n)
            each.append(tuple(whole))
        found.append((HIDES ** len(places) * (1 if places else 1 - HIDES), each))
    total = sum(share for share, each in found if each)
    options = [(whole, share / total / len(each)) for share, each in found for whole in each]
    return sorted(options, key=lambda one: -one[1])


def slotted(numbers: Candidates, hidden: Sequence[int], size: int) -> Options:
    """The options of a cell on a board with slots in which something covers those of the ``hidden`` numbers."""
    found: dict[str, float] = {}
    for count in range(min(len(hidden), MOST_HIDDEN) + 1):
        more = list(itertools.combinations(hidden, count))
        for each in more:
            row = sorted((*numbers, *each))
            at = row.index(numbers[0])
            found[format_cell((*row[at:], *row[:at]), size)] = HIDES**count * (1 - HIDES) / len(more)
    return tuple(sorted(found.items(), key=lambda one: -one[1]))


def anywhere(numbers: Candidates, place: int, size: int) -> Options:
    """The options of a cell in which something hides at most one more number: first at the ``place`` where it stands,
    then anywhere, because the middle of a pointer says little about what its tip covers."""
    free = [n for n in range(1, size + 1) if n not in numbers]
    places = sorted(range(len(numbers) + 1), key=lambda k: k != place)
    more = [format_cell((*numbers[:k], n, *numbers[k:]), size) for k in places for n in free]
    return ((format_cell(numbers, size), 1 - HIDES), *((text, HIDES / len(more)) for text in more))


def otherwise(ways: Sequence[tuple[float, Sequence[Glyph]]], size: int) -> Options:
    """The options of a cell whose digits may be joined to numbers in several ways."""
    found: dict[str, float] = {}
    for share, row in ways:
        for numbers, p in _readings(row):
            if numbers:
                text = format_cell(numbers, size)
                found[text] = found.get(text, 0.0) + share * p
    return tuple(sorted(found.items(), key=lambda one: -one[1])) or anything(size)


def _readings(row: Sequence[Glyph]) -> list[tuple[Candidates, float]]:
    """The likeliest numbers of a cell's glyphs, with their probabilities."""
    read: list[tuple[Candidates, float]] = [((), 1.0)]
    for g in row:
        options = [(t, p) for t, p in g.chances.items() if p >= NEGLIGIBLE]
        read = [
            ((*before, int(t)) if t else before, q * p)
            for before, q in read
            for t, p in options
            if not t or int(t) not in before
        ]
        read = sorted(read, key=lambda one: -one[1])[:MOST_READINGS]
    return read


def more(row: Sequence[Glyph], size: int, most: int) -> Options:
    """The options of a cell in which something is not explained: what is read, up to ``most`` more numbers anywhere in
    it, or another number instead of one of them."""
    found: dict[str, float] = {}
    for numbers, p in _readings(row):
        for text, share in _with_more(numbers, size, most if p >= LIKELY else 0, True):
            found[text] = found.get(text, 0.0) + p * share
    return tuple(sorted(found.items(), key=lambda one: -one[1])) or anything(size)


def _with_more(numbers: Candidates, size: int, most: int, replaced: bool) -> Iterator[tuple[str, float]]:
    """The texts of a cell with some ``numbers``, with up to ``most`` more anywhere among them, and their probabilities.
    ``replaced``: the unexplained part may also belong to a number that is read as another one without it."""
    kinds = [[numbers]] if numbers else []
    last = [numbers]
    for step in range(most):
        last = [
            (*one[:i], n, *one[i:])
            for one in last
            for n in range(1, size + 1)
            if n not in one
            for i in range(len(one) + 1)
        ]
        others = [
            (*numbers[:i], n, *numbers[i + 1 :])
            for n in range(1, size + 1)
            if n not in numbers and replaced and not step
            for i in range(len(numbers))
        ]
        kinds += [last + others] if last or others else []
    for i, kind in enumerate(kinds):
        share = HIDES**i * (1 - HIDES if i + 1 < len(kinds) else 1) / len(kind)
        for each in kind:
            yield format_cell(each, size), share


def anything(size: int) -> Options:
    """The options of an illegible cell: any number, or two."""
    between = "," if size > 9 else ""
    numbers = [str(n) for n in range(1, size + 1)]
    texts = numbers + [between.join(pair) for pair in itertools.permutations(numbers, 2)]
    return tuple((text, 1 / len(texts)) for text in texts)
