"""Reads the content of a board's cells: glyph by glyph, with the chances of each, from first sight to the order of the
clicks. Knows no lattice. The content of a single cell is found in ``contents``, glyphs are classified in ``judging``,
segmentations of a cell are compared in ``weighing``, small pieces are joined to digits in ``assembly``, and the order
is found in ``order``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set.seeing.glyphs.glyph import JUNK, LEGIBLE, ONE_DIGIT, Eyes, Glyph
from autoplayer.games.cross_set.seeing.glyphs.heads import found_late, without_heads
from autoplayer.games.cross_set.seeing.glyphs.numbers import Spacing, Ways, numbers_of, ranked, spacing_of
from autoplayer.games.cross_set.seeing.glyphs.own_face import OWN, compared, own_face
from autoplayer.games.cross_set.seeing.glyphs.parting import is_unparted
from autoplayer.games.cross_set.seeing.glyphs.sheet import Sheet
from autoplayer.games.cross_set.seeing.glyphs.signs import are_lasting
from autoplayer.games.cross_set.seeing.glyphs.standing import Ground, Standing
from autoplayer.games.cross_set.seeing.one_cell.assembly import (
    assembled,
    shapes_of,
    unpiled,
)
from autoplayer.games.cross_set.seeing.one_cell.beside import is_beside
from autoplayer.games.cross_set.seeing.one_cell.choosing import (
    CLEARLY,
    best_of,
    looked_at_again,
    plausible,
    rivals_of,
    thinned,
)
from autoplayer.games.cross_set.seeing.one_cell.contents import scale_of, toned
from autoplayer.games.cross_set.seeing.one_cell.covered import touched, uncovered
from autoplayer.games.cross_set.seeing.one_cell.judging import (
    bare,
    classified,
    exclusive,
    judged,
    never_silent,
    quality_of,
    shown,
)
from autoplayer.games.cross_set.seeing.one_cell.other_ways import other_ways
from autoplayer.games.cross_set.seeing.one_cell.pointers import pointed_at
from autoplayer.games.cross_set.seeing.one_cell.weighing import FEWER, PLAIN, BoardView, Parting
from autoplayer.games.cross_set.seeing.ordering.order import Ordered, ordered
from autoplayer.games.cross_set.seeing.ordering.patches import marked_by, patch_of
from autoplayer.games.cross_set.seeing.ordering.slots import by_place, hidden_in_slots, placed
from autoplayer.games.cross_set.seeing.ordering.upon_walls import marked_upon_walls
from autoplayer.games.cross_set.seeing.sighting import SAMPLE, Sight, first_sight
from autoplayer.vision import pieces
from autoplayer.vision.templates import Template

ENOUGH = 0.97
"""A cell with this score, apart from the factor for the number of its digits, needs no other segmentation."""


MOST_BARE = 0.3
"""Tables of other games have a larger share of empty cells than this; on boards few cells show nothing at first
sight."""

NEARLY_ALL, HARDLY_CLEAR = 0.9, 0.5
"""If less than the first share of the numbers of rows and columns is shown at first sight, and less than the second
of the content is explained, it is a calendar or some other table; on boards that are hard to read all numbers are
shown."""

TOUCHES = 0.25
"""A wall that reaches farther into a cell than in most, by this share of a usual number's ink, may hold a number that
touches it, even if something was removed with the walls of most cells."""

MOST_PARTINGS = 4
"""The most ways in which the digits of a cell are joined to numbers that are compared."""


@dataclass(frozen=True)
class _Parted:
    """What is known of the cells once all segmentations were compared. ``view``: the board as it is ``seen`` then;
    ``parts``: the segmentation of each cell; ``unclear``: the cells in which something is not explained; ``weighed``:
    all segmentations that were tried in a cell, with their scores."""

    view: BoardView
    parts: Mapping[Cell, Parting]
    unclear: frozenset[Cell]
    weighed: Mapping[Cell, Sequence[tuple[float, list[Glyph]]]]

    @property
    def seen(self) -> dict[Cell, list[Glyph]]:
        return self.view.seen


@dataclass(frozen=True)
class _Told:
    """The numbers that the glyphs of each cell are. ``rivals``: the numbers of alternative segmentations of some cells;
    ``unclear``: the cells in which something is not explained; ``ways``: for cells whose digits may form several
    numbers, all ways to form them; ``space``: the evidence of gaps between digits; ``slotted``: as in ``Sheet``;
    ``touched``: the cells in which something of foreign colours lies at a number, which may look like another one."""

    seen: dict[Cell, list[Glyph]]
    rivals: Mapping[Cell, list[Glyph]]
    unclear: frozenset[Cell]
    ways: Mapping[Cell, Ways] = field(default_factory=dict)
    space: Spacing | None = None
    slotted: Mapping[Cell, list[int]] = field(default_factory=dict)
    touched: frozenset[Cell] = frozenset()


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
    ``known``: the layout's own pictures of glyphs. ``shows``, ``explains``: returns None if at first sight less than
    this share of the numbers of rows and columns is ``shown``, less than this share of the content is explained, or, if
    either is more than 0, many cells are empty: what is hard to read is looked at again and again, which is worthwhile
    for boards only."""
    eyes = Eyes(size, known)
    sight = first_sight(image, boxes, eyes, noise)
    # Numbers of two digits are not put together yet, but every row has all digits in them.
    kinds = size if size <= ONE_DIGIT else ONE_DIGIT + 1
    there, clear = shown(sight.seen, kinds), quality_of(sight.seen, size)
    poor = there < shows or clear < explains or (there < NEARLY_ALL and clear < HARDLY_CLEAR)
    if max(shows, explains) > 0 and (poor or bare(sight.seen) > MOST_BARE):
        return None
    found = _parted(_view_of(image, boxes, eyes, noise, sight), sight)
    told = _in_digits(found, boxes) if size <= ONE_DIGIT else _in_numbers(found, boxes, sight)
    told = _counted(found, told)
    grounds, heads = found.view.grounds, found_late(told.seen, sight.heads)
    seen, unnamed = pointed_at(without_heads(told.seen, heads), sight.pointers)
    patch, of_two_grounds = patch_of(image, seen, boxes)
    seen = marked_upon_walls(image, seen, boxes) if patch is None else marked_by(image, seen, patch)
    order = ordered(seen, boxes, grounds, heads)
    other_order = ordered({**seen, **told.rivals}, boxes, grounds, heads).rows if told.rivals else {}
    sheet = Sheet(
        {cell: tuple(row) for cell, row in order.rows.items()},
        quality_of(told.seen, size),
        grounds,
        dict(boxes),
        order.hidden,
        sight.way,
        order.unsure | of_two_grounds | unnamed,
        told.unclear,
        known,
        {cell: tuple(other_order[cell]) for cell in told.rivals},
        open_order=order.open_order,
        space=told.space,
        signs=sight.examples,
        heads=heads,
        pointers=sight.pointers.signs,
        bullets=sight.pointers.bullets,
        patch=patch,
        least=sight.least,
        missing=_missing(found, told, order),
        slotted=told.slotted,
    )
    return replace(sheet, parted=_parted_otherwise(sheet, seen, told.ways)) if told.ways else sheet


def _view_of(image: Image, boxes: Mapping[Cell, Box], eyes: Eyes, noise: float, sight: Sight) -> BoardView:
    """The board at first sight, the reference for further segmentations of its cells."""
    usual, reaches = usual_walls(sight.found.values(), sight.seen)
    view = BoardView(
        image,
        boxes,
        eyes,
        noise,
        scale_of(boxes),
        usual,
        reaches,
        sight.way,
        dict(sight.seen),
        sight.split,
        {},
        {},
        None,
        {cell: place.pieces for cell, place in sight.found.items()},
        {cell: place.ground for cell, place in sight.found.items()},
        sight.signs,
        sight.heads,
        {cell: sight.pointers.of(cell) for cell in boxes},
        sight.least,
    ).without_specks()
    view = replace(view, swallowed={cell: view.swallowed_in(place) for cell, place in sight.found.items()})
    view = _now(view, view.seen)
    if sight.way[1]:
        # If pieces are joined by their distance, some digits are joined with their neighbours: other cells give better
        # evidence.
        digits = assembled(view.atoms, view.sizes, {JUNK: view.sizes}, eyes)
        if digits:
            looked = judged(digits, eyes)
            view = replace(view, shapes=shapes_of(looked), face=own_face(looked))
    return view


def usual_walls(found: Iterable[pieces.Place], seen: Mapping[Cell, Sequence[Glyph]]) -> tuple[int, float]:
    """How many walls were removed from most of the cells that were ``found``, and how far into a cell they reach at
    most if no number touches them, window pixels; ``seen``: the numbers of the cells."""
    # What is removed from most cells alike belongs to walls: rounded corners, a frame.
    usual, reached = np.median([(place.swallowed, place.reached) for place in found], axis=0)
    drawn = [g.piece.ink.sum() / g.piece.scale**2 for row in seen.values() for g in row if g.chance > LEGIBLE]
    return int(usual), float(reached + TOUCHES * np.median(drawn)) if drawn else np.inf


def _parted(view: BoardView, sight: Sight) -> _Parted:
    """The cells in the segmentations that are best by all that is known of the board."""
    odd = list(view.boxes) if view.way[1] else [cell for cell in view.boxes if view.is_odd(cell)]
    seen, better, ways = _tried(view, odd, sight)
    plain = {cell: Parting(view.split[cell], view.swallowed[cell]) for cell in view.boxes}
    seen, parts, unclear = looked_at_again(_now(view, seen), plain | better)
    # What the board's numbers look like is known better now than when each way was tried.
    view = _now(view, seen)
    if unclear:
        before = replace(
            view,
            split={cell: one.pieces for cell, one in parts.items()},
            swallowed={cell: one.swallowed for cell, one in parts.items()},
        )
        seen, better, more = _tried(before, sorted(unclear), sight)
        parts, view = parts | better, _now(view, seen)
        unclear = frozenset(cell for cell, one in parts.items() if view.is_unexplained(cell, seen[cell], one))
        ways = {cell: [*ways.get(cell, ()), *more.get(cell, ())] for cell in {**ways, **more}}
    tried = {cell: [*each, (parts[cell], seen[cell])] for cell, each in ways.items()}
    weighed = {cell: [(view.likelihood(cell, row, one), row) for one, row in each] for cell, each in tried.items()}
    best = {cell: best_of(each) for cell, each in weighed.items()}
    changed = {cell: tried[cell][at][0] for cell, at in best.items() if at < len(tried[cell]) - 1}
    if changed:
        parts = parts | changed
        seen = classified({cell: one.pieces for cell, one in parts.items()}, view.eyes)
        view = replace(view, seen=seen)
        unclear = frozenset(cell for cell, one in parts.items() if view.is_unexplained(cell, seen[cell], one))
    return _Parted(view, parts, unclear, weighed)


def _now(view: BoardView, seen: dict[Cell, list[Glyph]]) -> BoardView:
    """The board with what is ``seen`` of it so far."""
    return replace(view, seen=seen, shapes=shapes_of(seen), face=own_face(seen))


def _tried(
    view: BoardView, odd: Sequence[Cell], sight: Sight
) -> tuple[dict[Cell, list[Glyph]], dict[Cell, Parting], dict[Cell, list[tuple[Parting, list[Glyph]]]]]:
    """Tries other segmentations of some ``odd`` cells: what is seen of all cells then, the improved segmentation of
    each cell, and all that were tried, from the improved one on."""
    split, seen = view.split, view.seen
    ways = {cell: [(Parting(split[cell], view.swallowed[cell]), seen[cell])] for cell in odd}
    worth = {cell: view.worth(cell, row, one) for cell, [(one, row)] in ways.items()}
    better: dict[Cell, Parting] = {}
    # Some that are well read say how high digits are.
    beside = {cell: split[cell] for cell in [c for c in view.boxes if c not in ways][:SAMPLE] or sight.some}

    def in_need() -> list[Cell]:
        """The cells that are not well explained yet."""
        return [c for c in odd if worth[c] < ENOUGH * FEWER ** len(better[c].pieces if c in better else seen[c])]

    for other in other_ways(view, odd, in_need) if odd else ():
        # What is right for most cells may join two digits of one, or leave one broken.
        if not other:
            continue
        again = classified({**beside, **{cell: one.pieces for cell, one in other.items()}}, view.eyes)
        for cell, one in other.items():
            quality = view.worth(cell, again[cell], one)
            ways[cell].append((one, again[cell]))
            if quality > worth[cell] + CLEARLY:
                better[cell], worth[cell] = one, quality
    if better:
        seen = classified({**split, **{cell: one.pieces for cell, one in better.items()}}, view.eyes)
    return seen, better, ways


def _counted(found: _Parted, told: _Told) -> _Told:
    """What is read without the objects beside a cell's numbers, where the positions of the numbers show that none is
    missing; and without the other segmentations in which numbers would stand elsewhere."""
    view = _now(found.view, told.seen)
    held = touched(view, told.seen)
    told = replace(told, unclear=told.unclear | held, touched=held)
    odd = _odd(told)
    standing = Standing.of(told.seen, view.boxes, _asked(told), _bare(view))
    told = replace(told, rivals={c: row for c, row in told.rivals.items() if not standing.is_better_than(row, c)})
    whole = {
        c
        for c in odd - held
        if c not in told.rivals and is_beside(view, c, told.seen[c], found.parts[c]) and standing.is_complete(c)
    }
    freed = uncovered(view, told.seen, odd - whole) if view.eyes.size <= ONE_DIGIT else {}
    if freed:
        standing = Standing.of({**told.seen, **freed}, view.boxes, _asked(told), _bare(view))
        whole |= {c for c in freed if standing.is_complete(c)}
    told_apart = (c for c in sorted(odd - whole) if c in freed or (c not in told.rivals and _are_sure(c, told, view)))
    slotted = hidden_in_slots(told_apart, {**told.seen, **freed}, view.boxes, _bare(view), view.eyes.size)
    whole |= {c for c, hidden in slotted.items() if not hidden}
    slotted = {c: hidden for c, hidden in slotted.items() if hidden}
    known = {c: row for c, row in freed.items() if c in whole or c in slotted}
    seen = {
        c: [g for g in row if g.chances.get(JUNK, 0.0) <= 0.5] if c in whole else row
        for c, row in {**told.seen, **known}.items()
    }
    rivals = {c: row for c, row in told.rivals.items() if c not in known}
    unclear = (told.unclear | set(known)) - whole
    return replace(told, seen=seen, rivals=rivals, unclear=unclear, slotted=slotted, touched=held - set(known))


def _are_sure(cell: Cell, told: _Told, view: BoardView) -> bool:
    """Whether a cell has numbers, all sure and whole, that its digits form in one way."""
    numbers = [g for g in told.seen[cell] if g.chances.get(JUNK, 0.0) <= 0.5]
    sure = all(g.chance > OWN and view.is_whole(cell, g) and not view.is_strange(cell, g) for g in numbers)
    return bool(numbers) and sure and cell not in told.ways and cell not in told.touched


def _odd(told: _Told) -> frozenset[Cell]:
    """The cells in which something may hide a number."""
    return told.unclear | {c for c, row in told.seen.items() if any(g.chances.get(JUNK, 0.0) > 0.5 for g in row)}


def _asked(told: _Told) -> frozenset[Cell]:
    """The cells in which the positions of numbers say nothing about others."""
    return _odd(told) | set(told.rivals) | {c for c, ways in told.ways.items() if len(ways) > 1}


def _bare(view: BoardView) -> Ground:
    return Ground(view.image, view.grounds, max(view.least_contrast, pieces.FAINTEST + 3 * view.noise))


def _missing(found: _Parted, told: _Told, order: Ordered) -> dict[Cell, list[tuple[int, ...]]]:
    """Which numbers may be hidden in some cells, by their index in the order of the clicks: for cells in which only the
    pieces that hide them are in doubt, and other cells show where they would stand."""
    if order.hidden:
        return {}
    view = _now(found.view, told.seen)
    standing = Standing.of(order.rows, view.boxes, _asked(told) | order.unsure, _bare(view))
    result = {}
    for cell in sorted(_odd(told) - order.unsure - set(told.rivals)):
        if _are_sure(cell, told, view) and any(ways := standing.missing(cell)):
            result[cell] = ways
    return result


def _in_digits(found: _Parted, boxes: Mapping[Cell, Box]) -> _Told:
    """The numbers of a board whose numbers have one digit each."""
    view, parts, weighed = found.view, found.parts, found.weighed
    apart = unpiled(found.seen, view.eyes)
    split = classified(_pieces(found.seen) | apart, view.eyes) if apart else found.seen
    seen = never_silent(exclusive(by_place(compared(split), boxes)), split, view.eyes.size)
    if weighed:
        view = _now(view, seen)
    # What seemed to be no number is one if it stands as high as others do, in many cells. What is a sure number only by
    # comparison with others may be more than one, or have something attached to it.
    asked = found.unclear | {cell for cell, row in found.seen.items() if any(g.chance <= PLAIN for g in row)}
    unclear = frozenset(cell for cell in asked if view.is_unexplained(cell, seen[cell], parts[cell]))
    worth = {cell: view.likelihood(cell, seen[cell], parts[cell]) for cell in weighed}
    rivals = plausible(rivals_of(seen, weighed, worth), seen, view)
    seen = {
        c: [replace(g, piece=toned(view.image, g.piece, parts[c].pieces, view.grounds[c])) for g in row]
        for c, row in seen.items()
    }
    return _Told(seen, rivals, unclear)


def _pieces(seen: Mapping[Cell, Sequence[Glyph]]) -> dict[Cell, list[pieces.Piece]]:
    return {cell: [g.piece for g in row] for cell, row in seen.items()}


def _in_numbers(found: _Parted, boxes: Mapping[Cell, Box], sight: Sight) -> _Told:
    """The numbers of a board with numbers of two digits."""
    size, signs = found.view.eyes.size, sight.signs
    told = compared(found.seen)
    view = _now(found.view, told)
    unclear = frozenset(cell for cell in found.unclear if view.is_unexplained(cell, told[cell], found.parts[cell]))
    others = plausible(rivals_of(told, found.weighed), told, found.view)
    told = thinned(told, found.weighed)
    space = spacing_of(told, size, bool(signs))
    ways = numbers_of(told, size, space, signs)
    ways = {cell: ranked(each) or ways[cell] for cell, each in placed(ways, boxes).items()}
    told = {cell: each[0][1] for cell, each in ways.items()}
    if are_lasting(sight.examples):
        unclear |= {cell for cell, row in told.items() if is_unparted(row, signs.get(cell, ()))}
    rivals = {cell: each[0][1] for cell, each in numbers_of(others, size, space, signs).items()}
    seen = never_silent(exclusive(by_place(told, boxes)), told, size)
    return _Told(seen, rivals, unclear, ways, space)


def _parted_otherwise(
    sheet: Sheet, seen: Mapping[Cell, list[Glyph]], ways: Mapping[Cell, Ways]
) -> dict[Cell, list[tuple[float, tuple[Glyph, ...]]]]:
    """The cells whose digits may form several numbers, with each way in the order of the clicks."""
    several = {cell: list(each) for cell, each in ways.items() if len(each) > 1}
    result = {cell: [(each[0][0], tuple(sheet.glyphs[cell]))] for cell, each in several.items()}
    for rank in range(1, MOST_PARTINGS):
        others = {cell: each[rank] for cell, each in several.items() if len(each) > rank}
        rows = {cell: by_place({cell: row}, sheet.boxes)[cell] for cell, (_, row) in others.items()}
        in_order = ordered({**seen, **rows}, sheet.boxes, sheet.grounds).rows if rows else {}
        for cell, (p, _) in others.items():
            result[cell].append((p, tuple(in_order[cell])))
    return result
