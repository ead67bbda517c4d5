"""Reads the places of one lattice, once it has grown: which of them are cells of a board, their contents, and the
doubts. Lattices are found and boards compared in ``board``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from statistics import median

import numpy as np

from autoplayer.core.frame import Cell
from autoplayer.games.cardinal_chains.seeing.begun import take_where_chains_begin
from autoplayer.games.cardinal_chains.seeing.covered.overlooked import left_over
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens
from autoplayer.games.cardinal_chains.seeing.lattice import ranking
from autoplayer.games.cardinal_chains.seeing.lattice.buttons_beside import buttons
from autoplayer.games.cardinal_chains.seeing.lattice.growth import Growth
from autoplayer.games.cardinal_chains.seeing.lattice.holes import patterned
from autoplayer.games.cardinal_chains.seeing.lattice.lines_beside import drop_lines_beside
from autoplayer.games.cardinal_chains.seeing.lattice.outside import (
    drop_numbers_without_discs,
    drop_other_grounds,
    judge_other_type,
)
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import (
    STRANGE,
    Board,
    Place,
    around,
    is_number,
    legible_among,
    perhaps_none,
)
from autoplayer.games.cardinal_chains.seeing.lettered import (
    doubt_hidden_in_ink,
    doubt_letters,
    doubt_letters_beside_starts,
    take_inks_of_their_own,
)
from autoplayer.games.cardinal_chains.seeing.starts import coloured, find_unmarked_starts, has_start
from autoplayer.vision import cut, glyphs, ink, lattice
from autoplayer.vision.views import View

SPOILED = 2.0
"""A board that leaves over one of its own glyphs for every two that it reads is rejected."""

NOT_HIDDEN = 0.01
"""The probability that a closed cell through which a chain leads is empty."""

FILLED = 0.95
"""Ink that continues beyond its place takes more than this share of its width and height."""

GOES_ON = 0.9
"""Ink that extends from one side of its place to the other is larger than this share of the pitch: the rim of a place
is not examined."""

FIRST_LOOK, MANY_BRICKS, LEAST_AT_ONCE = 12, 120, 0.25
"""About how many places are looked at first, if there are so many; from how many places on, if there are walls; and the
share of them that must be legible then. Without walls it was 0.6 and more on all boards of 130 pictures."""

RUNS_ON = 0.6
"""Of the usual distance between adjacent glyphs: the parts of one word are closer than this."""

FEW_IN_A_ROW, FEW_FRAMED, AS_CLOSE, SOFT = 8, 4, 1.2, 2
"""The number of places in one row, without walls, from which they are no words; and from which they are none if a frame
is between them and what stands beside it, which fewer may have because a chain fills them; the largest gap beside a
word in a line of text, as a share of the others; and the width of a glyph's soft edge, pixels."""


def read_places(view: View, found: lattice.Lattice, growth: Growth, eyes: tokens.Eyes) -> Board | None:
    """The board in the places of a lattice; None if it is certainly not a board."""
    growth.drop_strangers()
    if not view.walled:
        growth.on_the_page |= drop_other_grounds(view, found, growth.contents, growth.contents_at)
    if len(growth.contents) < 2 or not growth.marked() or growth.is_scattered():
        return None
    if not view.walled and _between_cells(growth.marked()):
        return None
    if not eyes.asking and _is_texture(view, growth, eyes):
        return None
    growth.contents.update(_two_digits(cut.made_whole(view.image, growth.marked(), view.noise)))
    seen = eyes.classify(view.image, growth.marked(), view.noise, found.cells)
    if not eyes.asking:  # then nothing that is no number yet is left out
        before = set(seen)
        drop_lines_beside(seen, growth.contents, growth.joined)
        while beside := buttons(view, found, seen, growth.contents):
            for cell in beside:
                del seen[cell], growth.contents[cell]
        growth.left_out |= before - seen.keys()
        for cell in growth.holes({cell for cell, glyph in seen.items() if glyph.chance < 0.5}):
            del seen[cell], growth.contents[cell]
    crosses = sum(glyph.candidates[0][0] == "X" and glyph.chance > odds.LEGIBLE for glyph in seen.values())
    read = tokens.numbers(seen)
    if len(read) < max(crosses, 1):
        return None  # gaps between rounded corners look like an X
    if not view.walled and all(_goes_through(found, growth.contents[cell]) for cell in read):
        return None  # pieces of lines look like a 1
    aside = _set_aside(view, growth, eyes)
    _find_starts(view, found, growth, eyes, seen, aside)
    places = _placed(view, found, growth, seen, aside)
    _doubt(view, found, growth, places)
    if not places or (not view.walled and 2 * legible_among(places, found.cells) < len(found.cells)):
        return None  # most boxes of which this lattice was made are no glyphs
    if not view.walled and _is_in_a_text(view, places):
        return None
    spoiled = _spoiled(view, found, growth, places)
    score = ranking.score(found, places, view.walled) * max(1 - SPOILED * spoiled, 0.0)
    # Walls of a pixel may be lost where the picture was made smaller, and cells with them.
    partial = view.coarse and (any(place.apart for place in places.values()) or growth.goes_on())
    return Board(found, view.walled, places, score, not growth.loose_glyphs(), spoiled, partial, growth.lines_into)


def _is_texture(view: View, growth: Growth, eyes: tokens.Eyes) -> bool:
    """Whether hardly anything in many places is legible at a first look: to look closely at each brick of a wall takes
    seconds."""
    inks = [here.ink for here in growth.marked().values()]
    some = inks[:: max(len(inks) // FIRST_LOOK, 1)]
    fewest = MANY_BRICKS if view.walled else FIRST_LOOK
    return len(inks) >= fewest and eyes.legible(some) < LEAST_AT_ONCE * len(some)


def _set_aside(view: View, growth: Growth, eyes: tokens.Eyes) -> dict[Cell, tokens.Glyph]:
    """The clear starts among the places that were set aside, because a start may look like nothing else on its board,
    and the clear numbers within the board's rows and columns."""
    return {
        cell: glyph
        for cell, glyph in eyes.classify(view.image, growth.set_aside, view.noise, frozenset()).items()
        if glyph.chance > odds.LEGIBLE
        if (not growth.in_a_text(cell) if glyph.candidates[0][0] == "X" else growth.is_within(cell))
    }


def _find_starts(
    view: View,
    found: lattice.Lattice,
    growth: Growth,
    eyes: tokens.Eyes,
    seen: dict[Cell, tokens.Glyph],
    aside: Mapping[Cell, tokens.Glyph],
) -> None:
    """Add to ``seen`` the starts that show no X, and the numbers that are recognised by them; ``aside``: places that
    may belong to the board as well."""
    known = set(growth.contents)
    if not (has_start(seen) or has_start(aside)):
        fresh = coloured(view, found, growth.contents, growth.contents_at, seen)
        growth.contents.update(fresh)
        drawn = {cell: here for cell, here in fresh.items() if not here.bare}
        seen |= _numbers_among(eyes.classify(view.image, drawn, view.noise, frozenset()), seen)
    if has_start(seen) or not has_start(aside):
        find_unmarked_starts(view, seen, growth.contents, found)
    take_where_chains_begin(view, found, seen, growth.contents, growth.contents_at)
    seen |= _beside_starts(view, growth, eyes, seen, known)
    options = [option for glyph in (*seen.values(), *aside.values()) for option in glyph.candidates]
    if not any(token == "X" and p >= odds.POSSIBLE for token, p in options):
        doubt_letters(seen)
    doubt_letters_beside_starts(seen, growth.contents)
    take_inks_of_their_own(view, seen, growth.contents)
    doubt_hidden_in_ink(view, seen, growth.contents, growth.contents_at)


def _placed(
    view: View,
    found: lattice.Lattice,
    growth: Growth,
    seen: Mapping[Cell, tokens.Glyph],
    aside: Mapping[Cell, tokens.Glyph],
) -> dict[Cell, Place]:
    """The places of the board with their contents: ``seen``, set ``aside``, and hidden by chains."""
    # Beside the board, something that is no number is not a cell, whatever lines are around it. Inside the board it
    # is a covered cell: a doubt.
    sure = found.cells | {cell for cell, glyph in seen.items() if glyph.candidates[0][0]}
    kept = {
        cell
        for cell in seen
        if cell in sure
        or sum(near in sure for near in around(cell)) > (0 if growth.has_walls(cell) else 1)
        or (not view.walled and (growth.linked(cell) or growth.continues_ground(cell)))
    }
    # There one cell beside it is enough, which something may cover too; but no cover looks the same in two places.
    often = Counter(glyph.cluster for glyph in seen.values())
    odd = {cell for cell in seen.keys() - kept if often[seen[cell].cluster] == 1}
    inside = {cell for cell in odd if (growth.has_walls(cell) if view.walled else not _is_outside(cell, sure))}
    while more := {cell for cell in inside - kept if not kept.isdisjoint(around(cell))}:
        kept |= more
    places = {
        cell: Place(growth.contents[cell], found.box(cell), glyph.candidates, glyph.cluster, glyph.told)
        for cell, glyph in sorted(seen.items())
        if cell in kept
    }
    for cell in patterned(view.image, places):
        del places[cell]
    _judge_beyond(growth, places)
    places |= _hidden(growth, found, places)
    for cell, glyph in aside.items():
        number = 1 + max(place.cluster for place in places.values()) if places else 0
        place = Place(growth.set_aside[cell], found.box(cell), glyph.candidates, number, glyph.told)
        places[cell] = place if growth.is_an_end(cell) else perhaps_none(place)
    return places


def _doubt(view: View, found: lattice.Lattice, growth: Growth, places: dict[Cell, Place]) -> None:
    """Declare doubtful what may be no part of the board, and, where there are no walls, remove what is none."""
    unwalled = growth.unwalled()
    clear = {cell for cell, place in places.items() if odds.probability(place.candidates) > odds.LEGIBLE}
    for cell, place in places.items():
        odd = growth.is_odd(cell, place.content) or (cell in unwalled and not growth.is_in_line(cell, place.content))
        odd |= cell in growth.on_the_page
        if odd or (cell not in found.cells and _is_outside(cell, clear)):
            places[cell] = perhaps_none(place)
    for cell in growth.strangers() & clear:
        if is_number(places[cell]):  # starts have colours of their own
            places[cell] = perhaps_none(places[cell])
    if not view.walled:
        drop_headings(places, clear, growth.lines_into)
        drop_numbers_without_discs(view, places)
        judge_other_type(view, found, places)


def _spoiled(view: View, found: lattice.Lattice, growth: Growth, places: dict[Cell, Place]) -> float:
    """How many glyphs the board cuts through or misses, and to how many places a chain leads out of it, per glyph that
    it reads. Glyphs that it cuts through become doubts."""
    spoiled, legible = 0, max(legible_among(places, places.keys()), 1)
    if not view.walled or found.oblong >= ranking.SQUARE:  # which may step over rows or columns
        left = left_over(view.image, places, view.noise, growth.lines_into)
        spoiled += len(left)
        for cell in left.cut:
            places[cell] = perhaps_none(places[cell])
    if any(marks.colourful(place.content.colour) for place in places.values()):  # else no chain is drawn
        starts = [cell for cell, place in places.items() if dict(place.candidates).get("X", 0.0) >= odds.POSSIBLE]
        spoiled += len(growth.led_out_to(places.keys(), starts))
    return spoiled / legible


def _numbers_among(odd: dict[Cell, tokens.Glyph], seen: dict[Cell, tokens.Glyph]) -> dict[Cell, tokens.Glyph]:
    """Those of the ``odd`` places, which have another colour, that clearly hold a number: if chains fill nearly all
    cells, the unfilled ones are the odd ones. Their cluster numbers follow those of ``seen``."""
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)
    return {
        cell: replace(glyph, cluster=first + glyph.cluster)
        for cell, glyph in odd.items()
        if glyph.candidates[0][0].isdigit() and glyph.chance > odds.LEGIBLE
    }


def _beside_starts(
    view: View, growth: Growth, eyes: tokens.Eyes, seen: dict[Cell, tokens.Glyph], known: AbstractSet[Cell]
) -> dict[Cell, tokens.Glyph]:
    """The numbers beside starts that show no number: as long as only the ``known`` places were cells, these had too few
    cells beside them."""
    cells = {cell for cell, glyph in seen.items() if glyph.candidates[0][0]}

    def belongs(cell: Cell, here: ink.Content) -> bool:
        near = cells.intersection(around(cell))
        return len(near) > 1 and not near <= known and growth.is_glyph(cell, here)

    more = {cell: growth.contents[cell] for cell in growth.grow(belongs)}
    return _numbers_among(eyes.classify(view.image, more, view.noise, frozenset()), seen)


def _is_in_a_text(view: View, places: Mapping[Cell, Place]) -> bool:
    """Whether a few places in one row are characters of a line of text: beside the first or last one something of their
    height, as no side of a frame is, stands about as close to it as they stand to one another, and on this side of a
    frame."""
    if not 2 <= len(places) < FEW_IN_A_ROW or len({row for row, _ in places}) > 1:
        return False
    row = [place for _, place in sorted(places.items())]
    boxes = [place.content.box for place in row]
    near = round(AS_CLOSE * max(b.x - a.x - a.width for a, b in pairwise(boxes)))
    if near <= SOFT:
        return False
    drawn = view.strength > view.threshold
    first, last = boxes[0], boxes[-1]
    # Within its own place a disc may be around the first or last one.
    before = first.x - near, min(first.x - SOFT, row[0].box.x)
    behind = max(last.x + last.width + SOFT, row[-1].box.x + row[-1].box.width), last.x + last.width + near
    for box, (left, right) in ((first, before), (last, behind)):
        columns = slice(max(left, 0), max(right, 0))
        above = drawn[max(box.y - box.height, 0) : max(box.y - SOFT, 0), columns]
        beside = drawn[box.y : box.y + box.height, columns]
        side, within = (np.asarray(rows.any(axis=0), np.bool_) for rows in (above, beside))
        if left < box.x:  # from the glyph outwards
            side, within = side[::-1], within[::-1]
        frame = side & within & (len(places) >= FEW_FRAMED)
        if (within & ~side)[: int(frame.argmax()) if frame.any() else len(frame)].any():
            return True
    return False


def _hidden(growth: Growth, found: lattice.Lattice, places: dict[Cell, Place]) -> dict[Cell, Place]:
    """The cells whose numbers a chain's line hides: each may hold any number of the board, weighted by how often it
    occurs."""
    often = Counter(place.candidates[0][0] for place in places.values() if is_number(place))
    shares = tuple((token, (1 - NOT_HIDDEN) * count / often.total()) for token, count in often.most_common())
    first = 1 + max((place.cluster for place in places.values()), default=0)
    return {
        cell: Place(growth.contents[cell], found.box(cell), (*shares, ("", NOT_HIDDEN)), first + k, False)
        for k, cell in enumerate(sorted((growth.hidden & growth.contents.keys()) - places.keys()))
        if often
    }


def _between_cells(found: dict[Cell, ink.Content]) -> bool:
    """Whether most places are filled from side to side, as no glyph fills its own: they lie between cells, whose
    outlines meet there and look like an X."""
    filling = [min(one.box.width / one.place.width, one.box.height / one.place.height) for one in found.values()]
    return 2 * sum(share > FILLED for share in filling) > len(filling)


def _goes_through(found: lattice.Lattice, here: ink.Content) -> bool:
    """Whether ink extends from one side of a place to the other, where numbers without walls end: only a chain's line
    does, and each chain ends on a number."""
    return here.box.width > GOES_ON * found.pitch_x or here.box.height > GOES_ON * found.pitch_y


def _two_digits(found: dict[Cell, ink.Content]) -> dict[Cell, ink.Content]:
    """Those of some places that show a number of two digits: no other is cut between its pieces."""
    said = glyphs.read_numbers([here.ink for here in found.values()]) if found else []
    return {
        cell: here
        for (cell, here), options in zip(found.items(), said, strict=True)
        if sum(p for token, p in options if token.isdigit() and len(token) == 2) > odds.LEGIBLE
    }


def _is_outside(cell: Cell, clear: AbstractSet[Cell]) -> bool:
    """Whether there is no clear place in a place's row or beyond it, or none in its column or beyond that."""
    rows, columns = ({one[by] for one in clear} for by in (0, 1))
    return bool(clear) and not (min(rows) <= cell[0] <= max(rows) and min(columns) <= cell[1] <= max(columns))


def drop_headings(
    places: dict[Cell, Place], clear: AbstractSet[Cell], lines_into: Callable[[Cell], Collection[Cell]]
) -> None:
    """Remove rows above or below all clear places of a board without walls in which a word runs from place to place: in
    an illegible row, neighbours stand much closer together than the board's own glyphs do. A row into which a drawn
    chain leads from a clear row is not a heading: the chain's line fills the gaps between its glyphs. ``lines_into``:
    the places from which chains lead into a place."""

    def gap(cell: Cell) -> int | None:
        one, other = places.get(cell), places.get((cell[0], cell[1] + 1))
        return other.content.box.x - one.content.box.x - one.content.box.width if one and other else None

    usual = [between for cell in clear if (cell[0], cell[1] + 1) in clear and (between := gap(cell)) is not None]
    if not usual:
        return
    rows = {cell[0] for cell in clear}
    for row in {cell[0] for cell in places if not min(rows) <= cell[0] <= max(rows)}:
        line = [cell for cell in places if cell[0] == row]
        if any(odds.probability(places[cell].candidates) > 0.5 for cell in line):
            continue  # starts that show nothing are guessed, and are never clear
        if any(near[0] in rows for cell in line for near in lines_into(cell)):
            continue
        if any((between := gap(cell)) is not None and between < RUNS_ON * median(usual) for cell in line):
            for cell in line:
                del places[cell]


def _judge_beyond(growth: Growth, places: dict[Cell, Place]) -> None:
    """Remove, or declare doubtful, what stands outside the rows and columns of closed cells and is not part of the
    board."""
    beyond = growth.beyond() & places.keys() - growth.reached()
    foreign = {cell for cell in beyond if is_number(places[cell]) and growth.is_foreign(cell, places[cell])}
    in_line: dict[tuple[int, int], set[Cell]] = defaultdict(set)
    for cell in beyond:
        for way in (0, 1):
            in_line[way, cell[way]].add(cell)
    for cell in beyond:
        line = in_line[growth.way(cell), cell[growth.way(cell)]]
        if cell in foreign and 2 * len(line & foreign) > len(line):
            del places[cell]  # of a row of buttons, or a heading; a single one among cells is only odd
        elif not growth.is_known(cell, places[cell]):
            places[cell] = perhaps_none(places[cell])
    # An illegible place may be a covered cell, but not if no cell is seen in its row or column.
    read = {cell for cell in beyond & places.keys() if odds.probability(places[cell].candidates) > STRANGE}
    for cell in beyond & places.keys() - read:
        if not growth.is_closed(cell) and not any(one[growth.way(cell)] == cell[growth.way(cell)] for one in read):
            del places[cell]
