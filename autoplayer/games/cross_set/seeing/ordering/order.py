"""Finds the order in which clicks bring up the glyphs of a cell of Cross Set: which one is active, and how the others
follow."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cross_set.seeing.glyphs.glyph import CERTAIN, JUNK, Glyph
from autoplayer.games.cross_set.seeing.glyphs.heads import named_by
from autoplayer.games.cross_set.seeing.ordering.active import Active, active
from autoplayer.games.cross_set.seeing.ordering.flow import EVIDENCE, MOSTLY, OF_ONE_SIZE, as_text, grouped, lines_of
from autoplayer.games.cross_set.seeing.ordering.looks import Choice
from autoplayer.games.cross_set.seeing.ordering.slots import in_slots

BEGINS = 0.25
"""A line that continues below the first one begins to the left of its second number, by at least this share of the
height."""

CLOSELY = 1.8
"""The greatest distance between consecutive lines of one text, as a multiple of the height of their numbers."""

FEWEST_ALONE, ALMOST_ALL = 2, 0.95
"""The number of cells with a single candidate that show the position of active ones; the share of the glyphs that stand
at one position."""

HALF = 0.5
"""What is lower than this share of the numbers beside it is no number."""

MOVED, FEWEST_MOVED = 0.1, 2
"""If the active number has no fixed position, it is not at its usual one in more than this share of the cells, and in
at least so many; in one of a few cells that may be chance."""

AT_ONE_PLACE = 0.4
"""Active numbers at one position deviate from it by less than this share of their height."""

SMALLER = 0.85
"""A glyph lower than this share of the number beside it is not the active one, even if a line is drawn around it."""

ON_A_CHIP = 0.5
"""A glyph whose colour differs from that of its cell by less than this share of its contrast stands on something
filled."""

SURROUNDED = 0.7
"""The share of the informative cells in which the others stand around the active one."""

NOON = math.radians(15)
"""A glyph above the active one, within this angle of the vertical, comes last of those around it."""

ON_A_RING, OPPOSITE = 0.2, 1.75
"""Glyphs on a ring have the same distance from its middle, to within this share; opposite ones are twice its radius
apart, and one and a half times if they are the corners of a triangle that has two lines."""

CHANCE_OF_SORTED, PERHAPS_SORTED = 10, 4
"""If the other candidates are sorted by their numbers, that is chance on one of 2 to the power of so many boards: from
the first value on that order is probably not the one of the clicks, from the second on the order may be another one."""


class Ordered(NamedTuple):
    """``rows``: the glyphs of each cell in the order of the clicks, the active one first. ``hidden``: whether that
    order cannot be seen. ``unsure``: the cells in which any of them may be the active one; ``open_order``: those in
    which the others may follow it in another order."""

    rows: dict[Cell, list[Glyph]]
    hidden: bool
    unsure: frozenset[Cell] = frozenset()
    open_order: frozenset[Cell] = frozenset()


def ordered(
    seen: Mapping[Cell, Sequence[Glyph]],
    boxes: Mapping[Cell, Box],
    grounds: Mapping[Cell, Floats],
    heads: Mapping[Cell, Glyph] | None = None,
) -> Ordered:
    """The glyphs of each cell in the order of the clicks.

    The order cannot be seen if every number has a fixed position (slot), or the others are sorted: then it is that of
    the numbers, from the active one on and around. Nor can it if the others stand around the active one: then it is
    clockwise. A doubtful number is no evidence, and comes last; if it does not stand there, any glyph may be the active
    one. If there are ``heads``, which name the active ones, the others follow in reading order.
    """
    numbers = {cell: [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5] for cell, row in seen.items()}
    found = _headed(numbers, heads) if heads else _of_numbers(numbers, boxes, grounds)
    unsure = found.unsure
    others = {cell: [g for g in lines_of(row) if g.chances.get(JUNK, 0.0) > 0.5] for cell, row in seen.items()}
    if not found.hidden:
        unsure |= {cell for cell, row in seen.items() if _stands_before(others[cell], numbers[cell], row)}
    rows = {cell: [*row, *others[cell]] for cell, row in found.rows.items()}
    return Ordered(rows, found.hidden, unsure, found.open_order - unsure)


def _stands_before(doubtful: Sequence[Glyph], numbers: Sequence[Glyph], row: Sequence[Glyph]) -> bool:
    """Whether one of the ``doubtful`` glyphs of a cell that may be a number all the same comes before one of its
    ``numbers`` in reading order."""
    if not (doubtful and numbers):
        return False
    at = {id(g): place for place, g in enumerate(lines_of(row))}
    low = HALF * min(g.height for g in numbers)
    perhaps = [at[id(g)] for g in doubtful if g.chances.get(JUNK, 0.0) < CERTAIN and g.height >= low]
    return bool(perhaps) and min(perhaps) < max(at[id(g)] for g in numbers)


def _headed(seen: Mapping[Cell, Sequence[Glyph]], heads: Mapping[Cell, Glyph]) -> Ordered:
    rows = {cell: lines_of(row) for cell, row in seen.items()}
    named = {cell: named_by(heads.get(cell), row) for cell, row in rows.items() if row}
    result = {cell: _around(row, named[cell][0] if row else None) for cell, row in rows.items()}
    return Ordered(result, False, frozenset(cell for cell, (_, sure) in named.items() if not sure))


def _of_numbers(
    seen: Mapping[Cell, Sequence[Glyph]], boxes: Mapping[Cell, Box], grounds: Mapping[Cell, Floats]
) -> Ordered:
    rows = {cell: lines_of(row) for cell, row in seen.items()}
    several = {cell: row for cell, row in rows.items() if len(row) > 1}
    if not several:
        return Ordered(rows, False)
    alone = {cell: row[0] for cell, row in rows.items() if len(row) == 1}
    if in_slots(seen, boxes):
        # Nothing comes before the lowest number, which is active until a cell is clicked.
        lowest = {cell: min(row, key=_number) for cell, row in several.items()}
        found = _ringed(several, grounds) or active(several, grounds, (lowest,), alone)
        unsure = found.unsure if found else frozenset(several)
        return Ordered(_by_number(rows, found.choice if found else {}), True, unsure)
    first = {cell: row[0] for cell, row in several.items()}
    leftmost = {cell: min(row, key=lambda g: g.piece.box.x) for cell, row in several.items()}
    rightmost = {cell: max(row, key=lambda g: g.piece.right) for cell, row in several.items()}
    central = {cell: min(row, key=lambda g: _off_centre(g, boxes[cell])) for cell, row in several.items()}
    at_foot = {cell: _at_foot(row) for cell, row in several.items()}
    found = _ringed(several, grounds) or active(several, grounds, (first, leftmost, rightmost, central, at_foot), alone)
    if found is not None:
        found = replace(found, unsure=found.unsure | _otherwise_marked(several, found.choice))
    else:
        # The looks give no evidence: the active one usually stands first, or its position tells.
        found = (
            Active(leftmost, frozenset())
            if _before_columns(several)
            else _anchored(several, boxes, first, at_foot, alone)
        )
    lead = found.choice
    told = {cell: row for cell, row in several.items() if cell not in found.unsure}
    moved, may_stay = _moves_along(told, lead, boxes)
    stays = may_stay and moved >= FEWEST_MOVED
    if not stays and on_rings(several, lead):
        # One of them comes to the top with each click; which way they turn is not to be seen.
        turning = {cell: _clockwise(row, lead[cell], *_middle_of(row)) for cell, row in several.items()}
        return Ordered(rows | turning, False, found.unsure, _with_several(turning))
    whole = stays or _flowing(several, lead)
    if not whole and _surrounded(several, lead):
        clockwise = {cell: _clockwise(row, lead[cell], *_middle_of([lead[cell]])) for cell, row in several.items()}
        around = {cell: row for cell, row in clockwise.items() if min(_lines_and_columns(row)) > 1}
        return Ordered(rows | clockwise, True, found.unsure, _with_several(around))
    # The active one is part of the text, or the others make one by themselves.
    orders, open_ones = _in_text(several, lead, whole, stays)
    result, by_number = rows | orders, None if stays else sorted_around(rows | orders)
    if by_number:
        result, open_ones = by_number[0], open_ones | by_number[1]
    if may_stay and not stays:
        # Too few of them show whether numbers stay where they are: both orders are possible.
        others = _in_text(several, lead, True, True)[0]
        open_ones |= {cell for cell, row in others.items() if [*map(id, row)] != [*map(id, result[cell])]}
    return Ordered(result, bool(by_number), found.unsure, open_ones)


def _in_text(
    several: Mapping[Cell, Sequence[Glyph]], lead: Choice, whole: bool, stays: bool
) -> tuple[dict[Cell, list[Glyph]], frozenset[Cell]]:
    """The glyphs of each cell in the order of a text, from the active one, ``lead``, on; and the cells in which another
    order is possible. ``whole``: the active one is a part of the text; ``stays``: as all others are."""
    texts = several if whole else {cell: [g for g in row if g is not lead[cell]] for cell, row in several.items()}
    orders, open_ones = as_text(texts, {} if stays or not whole else lead)
    return {c: _around(row, lead[c]) if whole else [lead[c], *row] for c, row in orders.items()}, open_ones


def _lines_and_columns(row: Sequence[Glyph]) -> tuple[int, int]:
    """The number of lines, and the number of columns, of some glyphs."""
    return len(grouped(row, False)), len(grouped(row, True))


def _with_several(rows: Mapping[Cell, Sequence[Glyph]]) -> frozenset[Cell]:
    """The cells in which several glyphs may come next."""
    return frozenset(cell for cell, row in rows.items() if len(row) > 2)


def _ringed(several: Mapping[Cell, Sequence[Glyph]], grounds: Mapping[Cell, Floats]) -> Active | None:
    """The active glyphs if a line is drawn around one in each cell, or around all, and one is filled; None if that is
    not so in most, or the line is around the smaller one."""
    marked = {cell: [g for g in row if g.piece.ringed] for cell, row in several.items()}
    if sum(len(row) > 1 for row in marked.values()) >= MOSTLY * len(marked):
        marked = {cell: [g for g in row if _is_on_a_chip(g, grounds[cell])] for cell, row in marked.items()}
    sure = {cell for cell, row in marked.items() if len(row) == 1}
    if len(sure) < MOSTLY * len(several):
        return None
    small = [marked[cell][0].height < SMALLER * max(g.height for g in several[cell]) for cell in sure]
    if np.mean(small) > 0.5:
        return None
    choice = {cell: marked[cell][0] if cell in sure else row[0] for cell, row in several.items()}
    return Active(choice, frozenset(several) - sure)


def _otherwise_marked(several: Mapping[Cell, Sequence[Glyph]], choice: Choice) -> frozenset[Cell]:
    """The cells in which something is drawn around one number alone, and another one is the active one by its looks."""
    marked = {cell: [g for g in row if g.piece.ringed] for cell, row in several.items()}
    return frozenset(cell for cell, row in marked.items() if len(row) == 1 and row[0] is not choice[cell])


def _is_on_a_chip(g: Glyph, ground: Floats) -> bool:
    """Whether a glyph differs from its cell's ground by far less than from what is around it."""
    return float(np.abs(g.piece.colour - ground).max()) < ON_A_CHIP * g.piece.contrast


def _before_columns(several: Mapping[Cell, Sequence[Glyph]]) -> bool:
    """Whether a glyph stands alone at the left, vertically centred beside a column of others."""
    alone = []
    for row in several.values():
        if len(row) > 2:
            first, *rest = sorted((g.piece for g in row), key=lambda p: p.box.x)
            top, bottom = min(p.box.y for p in rest), max(p.bottom for p in rest)
            middle = abs(first.box.y + first.bottom - top - bottom) < 0.3 * first.box.height
            tall = bottom - top > 1.6 * max(p.box.height for p in rest)
            alone.append(middle and tall and first.right <= min(p.box.x for p in rest) + 0.1 * first.box.width)
    return bool(alone) and float(np.mean(alone)) >= MOSTLY


def _anchored(
    several: Mapping[Cell, Sequence[Glyph]],
    boxes: Mapping[Cell, Box],
    first: Choice,
    at_foot: Choice,
    alone: Choice,
) -> Active:
    """The active glyphs if all look alike: they stand where the only candidate of a cell does (``alone``), or at the
    same position for any count, or are the first. In doubt if all cells hold equally many, so that nobody can tell."""
    lone = {cell for cell in several if at_foot[cell] is not first[cell]}
    if lone and _at_one_place([alone], boxes):
        here, below = (_at_one_place([alone, place], boxes) for place in (first, at_foot))
        if here != below:
            return Active(at_foot if below else first, frozenset())
    if all(len(several[cell]) == 2 for cell in lone):
        return Active(first, frozenset())
    strays = []
    for place in (first, at_foot):
        spots: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for cell, g in place.items():
            spots[len(several[cell])].append(_spot(g, boxes[cell]))
        middles = np.array([np.median(each, axis=0) for each in spots.values()])
        height = float(np.median([g.height / g.piece.scale for g in place.values()]))
        strays.append(float(np.ptp(middles, axis=0).max()) / height)
    if strays[1] < AT_ONE_PLACE <= strays[0]:
        return Active(at_foot, frozenset())
    if max(strays) < AT_ONE_PLACE and not any(_in_one_text(several[cell], at_foot[cell]) for cell in lone):
        return Active(at_foot, frozenset())
    # Lines that follow one another closely are one text, which begins with the active one.
    steps = [
        min(at_foot[cell].piece.bottom - g.piece.bottom for g in several[cell] if g is not at_foot[cell])
        / at_foot[cell].height
        for cell in lone
    ]
    tie = max(strays) < AT_ONE_PLACE and float(np.median(steps)) > CLOSELY
    return Active(first, frozenset(lone if tie else ()))


def _in_one_text(row: Sequence[Glyph], low: Glyph) -> bool:
    """Whether the lowest glyph may be the last line of a text: it is aligned with the line above it."""
    above = grouped([g for g in row if g is not low], False)[-1]
    left, right = above[0].piece.box.x, above[-1].piece.right
    own = low.piece.box.x, low.piece.right
    away = (own[0] - left, own[1] - right, (own[0] + own[1] - left - right) / 2)
    return min(map(abs, away)) < AT_ONE_PLACE * low.height


def _spot(g: Glyph, box: Box) -> tuple[float, float]:
    """The position of a glyph's foot in its cell, window pixels."""
    own = g.piece.box
    return (own.x + own.width / 2) / g.piece.scale - box.x, g.piece.bottom / g.piece.scale - box.y


def _centre(g: Glyph, box: Box) -> tuple[float, float]:
    """The position of a glyph's middle in its cell, window pixels."""
    x, foot = _spot(g, box)
    return x, foot - g.height / g.piece.scale / 2


def _off_centre(g: Glyph, box: Box) -> float:
    """The offset of a glyph's middle from that of its cell, window pixels."""
    x, y = _centre(g, box)
    return math.hypot(x - box.width / 2, y - box.height / 2)


def _at_one_place(choices: Sequence[Choice], boxes: Mapping[Cell, Box]) -> bool:
    """Whether glyphs of at least several cells all stand at one position of their cells."""
    every = [(g, boxes[cell]) for choice in choices for cell, g in choice.items()]
    if len(every) < FEWEST_ALONE:
        return False
    spots = np.array([_spot(g, box) for g, box in every])
    height = float(np.median([g.height / g.piece.scale for g, _ in every]))
    away = np.abs(spots - np.median(spots, axis=0)).max(axis=1) / height
    return bool(np.mean(away < AT_ONE_PLACE) >= ALMOST_ALL)


def _at_foot(row: Sequence[Glyph]) -> Glyph:
    """The lowest glyph, if it stands by itself below the others; else the first."""
    low = max(row, key=lambda g: g.piece.box.y + 0.5 * g.height)
    middle = low.piece.box.y + 0.5 * low.height
    return low if all(o is low or o.piece.bottom < middle for o in row) else row[0]


def _flowing(several: Mapping[Cell, Sequence[Glyph]], lead: Mapping[Cell, Glyph]) -> bool:
    """Whether the active glyph is the first in its line, and what has no room in that line continues below it."""
    signs = []
    for cell, row in several.items():
        lines = grouped(row, False)
        if len(lines) > 1 and len(row) > 2:
            below = _middle(lines[1][0])
            begins = len(lines[0]) > 1 and below < _middle(lines[0][1]) - BEGINS * lines[1][0].height
            signs.append(lead[cell] is lines[0][0] and begins)
    return bool(signs) and float(np.mean(signs)) > 0.5


def _moves_along(several: Mapping[Cell, Sequence[Glyph]], lead: Choice, boxes: Mapping[Cell, Box]) -> tuple[int, bool]:
    """In how many cells the active number is not at its usual position; and whether those are so many that the numbers
    of each cell may stay where they are, in a line, a column or a text of several lines, and each click marks another
    one: then the active one has no fixed position, for any count. A larger one then stands where others do in other
    cells. ``several``: the cells whose active glyph is known."""
    seats = [_centre(g, boxes[cell]) for cell, row in several.items() for g in row if g is not lead[cell]]
    places: dict[int, list[tuple[int, Cell]]] = defaultdict(list)
    near = {}
    for cell, row in several.items():
        own = lead[cell]
        high = float(np.median([g.height for g in row if g is not own]))
        near[cell] = AT_ONE_PLACE * high / own.piece.scale
        away = np.abs(np.subtract(seats, _centre(own, boxes[cell]))).max(axis=1).min()
        if (
            len(grouped(row, False)) == 1
            or max(own.height, high) <= OF_ONE_SIZE * min(own.height, high)
            or away < near[cell]
        ):
            places[len(row)].append((next(i for i, g in enumerate(row) if g is own), cell))
    moved, total = 0, sum(map(len, places.values()))
    for each in places.values():
        usual = Counter(at for at, _ in each).most_common(1)[0][0]
        spot = np.median([_centre(lead[cell], boxes[cell]) for at, cell in each if at == usual], axis=0)
        # A slim number beside two others that stand one above the other may be read as a line between theirs.
        moved += sum(
            at != usual and np.abs(spot - _centre(lead[cell], boxes[cell])).max() >= near[cell] for at, cell in each
        )
    return moved, moved >= max(1, MOVED * total) and total >= MOSTLY * len(several)


def _surrounded(several: Mapping[Cell, Sequence[Glyph]], lead: Mapping[Cell, Glyph]) -> bool:
    """Whether the others stand around the active glyph, not all on one side of it. What is to the right of it and below
    is a text; so at least one is to its left, or above."""
    full = max(map(len, several.values()))
    signs = []
    for cell, row in several.items():
        if len(row) >= min(full, 4) and len(row) > 2:
            sides = [_sides(g, lead[cell]) for g in row if g is not lead[cell]]
            signs.append(not set.intersection(*sides) and any(each and each <= {"left", "above"} for each in sides))
    return bool(signs) and float(np.mean(signs)) >= SURROUNDED


def _sides(g: Glyph, of: Glyph) -> set[str]:
    """The sides of another glyph on which the middle of one lies."""
    (x, y), box = (_middle(g), g.piece.box.y + g.height / 2), of.piece.box
    beyond = {"left": x < box.x, "right": x > of.piece.right, "above": y < box.y, "below": y > of.piece.bottom}
    return {side for side, is_there in beyond.items() if is_there}


def on_rings(several: Mapping[Cell, Sequence[Glyph]], lead: Choice) -> bool:
    """Whether the numbers of each cell stand on a ring at equal distances, the active one at the top. Three may also be
    a line of two below the active one: if no cell has more, two have to be a diameter apart."""
    full = max(map(len, several.values()))
    signs, radii = [], []
    for cell, row in several.items():
        if len(row) >= min(full, 4) and len(row) > 2:
            spots = np.array([(_middle(g), g.piece.box.y + g.height / 2) for g in row])
            spots -= _middle_of(row)
            if len(row) > 3:  # a ring may be as oblong as its cell
                spots /= np.maximum(spots.std(axis=0), 1.0)
            away = np.linalg.norm(spots, axis=1)
            at = np.arctan2(spots[:, 0], -spots[:, 1])
            steps = np.diff(np.sort(at), append=at.min() + 2 * math.pi) - 2 * math.pi / len(row)
            top = abs(at[next(i for i, g in enumerate(row) if g is lead[cell])])
            even = np.abs(away / away.mean() - 1).max() <= ON_A_RING
            signs.append(bool(even and max(np.abs(steps).max(), top) <= NOON))
            radii.append(float(away.mean()) / row[0].piece.scale)
    if len(signs) < EVIDENCE or float(np.mean(signs)) < MOSTLY:
        return False
    apart = [_apart(*row) / row[0].piece.scale for row in several.values() if len(row) == 2]
    return full > 3 or not apart or float(np.median(apart)) > OPPOSITE * float(np.median(radii))


def _apart(one: Glyph, other: Glyph) -> float:
    """The distance between the middles of two glyphs, fine pixels."""
    down = one.piece.box.y + one.height / 2 - other.piece.box.y - other.height / 2
    return math.hypot(_middle(one) - _middle(other), down)


def _middle_of(row: Sequence[Glyph]) -> tuple[float, float]:
    """The centre of the bounding box of some glyphs, fine pixels."""
    spots = np.array([(_middle(g), g.piece.box.y + g.height / 2) for g in row])
    return float(spots[:, 0].mean()), float(spots[:, 1].mean())


def _clockwise(row: Sequence[Glyph], active: Glyph, x: float, y: float) -> list[Glyph]:
    """The active glyph, then the others clockwise around (x, y) from the top; one exactly at the top comes last, and of
    several in one direction the highest first."""

    def turn(g: Glyph) -> tuple[int, int]:
        across, down = _middle(g) - x, g.piece.box.y + g.height / 2 - y
        angle = math.atan2(across, -down) % (2 * math.pi)
        return round((angle if angle > NOON else angle + 2 * math.pi) / NOON), g.piece.box.y

    return [active, *sorted((g for g in row if g is not active), key=turn)]


def sorted_around(rows: Mapping[Cell, Sequence[Glyph]]) -> tuple[dict[Cell, list[Glyph]], frozenset[Cell]] | None:
    """The glyphs of each cell, with the active one first and the others by their numbers, if the others are sorted, so
    that the next one cannot be seen; in their positions if they may be sorted by chance; with the cells that would be
    ordered differently. None if they are not sorted."""
    several = {cell: [_number(g) for g in row] for cell, row in rows.items() if len(row) > 2}
    if any(rest != sorted(rest) for _, *rest in several.values()):
        return None
    # Numbers in a circle stand so too behind the least or the greatest: only another active one tells them from that.
    if all(row[0] in (min(row), max(row)) for row in several.values()):
        return None
    chance = sum(math.log2(math.factorial(len(row) - 1)) for row in several.values())
    if chance < PERHAPS_SORTED:
        return None
    found = _by_number(rows, {cell: row[0] for cell, row in rows.items() if row})
    other = (cell for cell, row in found.items() if any(g is not o for g, o in zip(row, rows[cell], strict=True)))
    as_they_stand = {cell: list(row) for cell, row in rows.items()}
    return found if chance >= CHANCE_OF_SORTED else as_they_stand, frozenset(other)


def _number(g: Glyph) -> tuple[int, str]:
    """The sort key of numbers."""
    return len(g.token), g.token


def _by_number(rows: Mapping[Cell, Sequence[Glyph]], lead: Mapping[Cell, Glyph]) -> dict[Cell, list[Glyph]]:
    """The glyphs of each cell in the order of their numbers, from the active one on and around."""
    return {cell: _around(sorted(row, key=_number), lead.get(cell)) for cell, row in rows.items()}


def _middle(g: Glyph) -> float:
    return g.piece.box.x + g.piece.box.width / 2


def _around(row: Sequence[Glyph], active: Glyph | None) -> list[Glyph]:
    at = next((i for i, g in enumerate(row) if g is active), 0)
    return [*row[at:], *row[:at]]
