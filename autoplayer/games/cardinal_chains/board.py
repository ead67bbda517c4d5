"""Finds the board in a picture of any window: the lattice on which its cells stand, and which places of it are cells.

A cell is a place of the lattice in which a number or an X stands; everything else is a hole. Several lattices are
tried (``growth``); the one that explains most of the picture wins (``ranking``). What a glyph is, ``tokens`` says.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import gcd
from statistics import median
from typing import TYPE_CHECKING

from autoplayer.core.frame import Cell, Image
from autoplayer.games.cardinal_chains import level_lists, marks, ranking, tokens
from autoplayer.games.cardinal_chains.begun import take_where_chains_begin
from autoplayer.games.cardinal_chains.growth import MOST_CELLS, Growth
from autoplayer.games.cardinal_chains.holes import patterned
from autoplayer.games.cardinal_chains.lettered import doubt_letters
from autoplayer.games.cardinal_chains.lines_beside import drop_lines_beside
from autoplayer.games.cardinal_chains.outside import drop_numbers_without_discs, drop_other_grounds, judge_other_type
from autoplayer.games.cardinal_chains.overlooked import left_over
from autoplayer.games.cardinal_chains.ranking import (
    STRANGE,
    Board,
    Place,
    around,
    is_number,
    legible_among,
    perhaps_none,
)
from autoplayer.games.cardinal_chains.sides import walls
from autoplayer.games.cardinal_chains.starts import coloured, find_unmarked_starts, has_start, numbers
from autoplayer.vision import cut, glyphs, ink, lattice
from autoplayer.vision.views import View, crowded, smoothed, stages

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

REFITS = 2
"""How often a lattice that is known from a few boxes is fitted to its glyphs."""

SPOILED = 2.0
"""A board that leaves over one of its own glyphs for each two that it reads explains nothing."""

INSIDE = 0.88
"""The part of a cell's side that is inside its walls, where a person has said where the board stands."""


NOT_HIDDEN = 0.01
"""How probable it is that a closed cell through which a chain leads holds nothing."""

FILLED = 0.95
"""Of its place's width and height, what goes on beyond it takes more than this share."""

GOES_ON = 0.9
"""What reaches from one side of its place to the other is larger than this share of the pitch: of a place all but its
rim is looked at."""

RUNS_ON = 0.6
"""Of the usual distance between two glyphs side by side, parts of one word are nearer to each other."""


def find(image: Image, eyes: tokens.Eyes, elsewhere: Callable[[], bool] | None = None) -> Board | None:
    """The board that explains most of ``image`` (BGR), with what each of its cells may hold, as ``eyes`` see it; None
    where no lattice holds anything, and where ``elsewhere`` says that another way to look has found it: that is asked
    once, when no walls have been found around it. What stands beside a list of levels is looked at once more without
    it, where the list may have been in the way."""
    best, listed, mingled = _find(image, eyes, elsewhere)
    if listed is None or not mingled:
        return best or listed
    alone, _, _ = _find(level_lists.without(image, listed), eyes)
    if alone is not None and best is not None and not level_lists.stands_among(best, listed):
        return alone if _enough(alone) or alone.score > best.score else best
    return alone or best or listed


def _find(
    image: Image, eyes: tokens.Eyes, elsewhere: Callable[[], bool] | None = None
) -> tuple[Board | None, Board | None, bool]:
    """The board that explains most of ``image``, a list of levels in it, and whether boards were left that have some of
    the list in them."""
    best: Board | None = None
    closed: Board | None = None
    fenced: Board | None = None
    most: Board | None = None
    further: Board | None = None
    listed: Board | None = None
    strip: Board | None = None
    mingled = False
    for view, hypotheses in itertools.chain(stages(image, MOST_CELLS, joined=True), crowded(image, MOST_CELLS)):
        if elsewhere is not None and not view.walled:
            if elsewhere():
                return None, None, False
            elsewhere = None
        for found in hypotheses:
            if best is not None and ranking.convincing(best) and ranking.has_all_of(best, found):
                continue
            board = _look(view, found, eyes)
            if board is not None and level_lists.is_strip(board):
                strip = board
            if board is not None and level_lists.is_one(board):
                # The levels to choose from may stand beside the board; what stands among them is a part of them.
                listed = board if listed is None or board.score > listed.score else listed
                among = [one is not None and level_lists.stands_among(one, listed) for one in (best, closed, fenced)]
                mingled |= any(among)
                best, closed, fenced = (
                    None if left else one for one, left in zip((best, closed, fenced), among, strict=True)
                )
                continue
            if board is not None and listed is not None and level_lists.stands_among(board, listed):
                mingled = True
                continue
            if best is not None and board is not None and _enough(best) and not ranking.sees_all_of(board, best):
                continue  # what is looked for is more of the best one
            if board is not None and closed is not None and ranking.outnumbers(board, closed):
                closed = None
            if board is not None and not board.walled and closed is not None and ranking.stands_in(board, closed):
                if not closed.whole and ranking.sees_more_than(board, closed):
                    further = board if further is None or board.score > further.score else further
                board = None if closed.whole else ranking.doubted_beside(board, closed)
            if board is None:
                continue
            if board.walled and (most is None or len(board.closed) > len(most.closed)):
                most = board
            if best is None or ranking.beats(board, best):
                best = board
            if ranking.is_closed(board) and (closed is None or board.score > closed.score):
                closed = board
            if ranking.is_fenced(board) and (fenced is None or board.score > fenced.score):
                fenced = board
        if best is not None and (ranking.convincing(best) if view.coarse else _enough(best)):
            break
        if best is None and listed is not None and (_enough(listed) or level_lists.is_all(view, listed)):
            mingled = not level_lists.is_all(view, listed)
            break
    if best is not None and most is not None and ranking.is_crossed_beside(most, best):
        best = most
    goes_on = best is not None and fenced is not None and not best.walled and ranking.sees_all_of(best, fenced)
    if best is not None and fenced is not None and goes_on and not ranking.outnumbers(best, fenced):
        best = ranking.doubted_beside(best, fenced)  # the walls end where it does not
    in_part = best is not None and best.walled and not best.whole
    if best is not None and further is not None and in_part and ranking.sees_more_than(further, best):
        best = ranking.doubted_beside(further, best)  # only the cells that chains hold may have colours
    if best is not None and strip is not None and level_lists.cuts_through(best, strip):
        return best, strip, True
    return best, listed, mingled


def _enough(board: Board) -> bool:
    """Whether a board is convincing, though more of it may be seen by looking more closely."""
    return ranking.convincing(replace(board, partial=False) if board.partial else board)


def find_at(image: Image, table: BoardTable, eyes: tokens.Eyes) -> Board | None:
    """The board where a person has said that it stands; None where nothing stands there."""
    height, width = image.shape[:2]
    image, noise = smoothed(image)
    left, top, across, down = table.place
    pitch_x, pitch_y = across * width / table.columns, down * height / table.rows
    cells = frozenset((r, c) for r in range(table.rows) for c in range(table.columns))
    middle = left * width + pitch_x / 2, top * height + pitch_y / 2
    found = lattice.Lattice(*middle, pitch_x, pitch_y, INSIDE * pitch_x, INSIDE * pitch_y, cells)
    view = View(image, lattice.edge_strength(image), noise, max(12.0, 5 * noise), True)
    growth = Growth(view, found)
    growth.learn()
    return _read(view, found, growth, eyes)


def _look(view: View, found: lattice.Lattice, eyes: tokens.Eyes, *, again: int = REFITS) -> Board | None:
    """Reads every place of a lattice and grows it as long as its neighbours are cells of the same kind. A lattice that
    is known from a few boxes only is fitted to all its glyphs, ``again`` so often at most."""
    growth = Growth(view, found)
    within = growth.ringed and growth.look_within()
    if not growth.promising(eyes) and (within or not (growth.look_within() and growth.promising(eyes))):
        return None
    growth.grow(growth.is_walled)
    growth.learn()
    growth.grow(
        lambda cell, here: (
            growth.is_glyph(cell, here) and max(growth.neighbours(cell), walls(view, found, cell, here)) > 1
        )
    )
    growth.grow(lambda cell, here: growth.neighbours(cell) > 2)  # something covers it, a pointer perhaps
    growth.grow(growth.is_like_another)
    growth.grow(growth.fills_a_tile)
    growth.look_under_lines()
    growth.leap()
    if growth.closed_in:
        growth.grow(growth.is_walled)  # beside those that have come since
    while growth.grow(growth.continues_chain) and growth.grow(growth.is_walled):
        pass  # what a chain hid from the other cells
    if growth.endless:
        return None
    board = _read(view, found, growth, eyes)
    if board is not None and (coarser := _coarser(board)) is not None:
        return _look(view, coarser, eyes, again=again) or board
    exact = growth.fitted() if again and board is not None else None
    other = _look(view, exact, eyes, again=again - 1) if exact is not None else None
    if board is None or other is None:
        return board
    before, after = (legible_among(one.places, one.places.keys()) for one in (board, other))
    return other if after >= before else board


def _coarser(board: Board) -> lattice.Lattice | None:
    """The lattice of every second row or column, or farther ones, where all that is legible stands on those, and what
    stands between them is not; else None."""
    found = board.lattice
    clear = {cell for cell, place in board.places.items() if tokens.probability(place.candidates) > 0.5}
    if len(clear) < len(found.cells) or len(clear) == len(board.places):
        return None
    (row, column) = min(found.cells)
    down = gcd(*(r - row for r, _ in clear))
    across = gcd(*(c - column for _, c in clear))
    if max(down, across) < 2:
        return None
    down, across = max(down, 1), max(across, 1)
    if all((r - row) % down == 0 and (c - column) % across == 0 for r, c in board.places):
        return None
    cells, joined = (
        frozenset(((r - row) // down, (c - column) // across) for r, c in some) for some in (found.cells, found.joined)
    )
    x, y = found.x + column * found.pitch_x, found.y + row * found.pitch_y
    pitch_x, pitch_y = across * found.pitch_x, down * found.pitch_y
    return replace(found, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y, cells=cells, joined=joined)


def _read(view: View, found: lattice.Lattice, growth: Growth, eyes: tokens.Eyes) -> Board | None:
    """The board that stands in the places of a lattice."""
    growth.drop_strangers()
    if not view.walled:
        drop_other_grounds(view, found, growth.contents, growth.contents_at)
    if len(growth.contents) < 2 or not growth.marked() or growth.is_scattered():
        return None
    if not view.walled and _between_cells(growth.marked()):
        return None
    growth.contents.update(_two_digits(cut.made_whole(view.image, growth.marked(), view.noise)))
    seen = eyes.classify(view.image, growth.marked(), view.noise, found.cells)
    if not eyes.asking:  # then nothing that is no number yet is left out
        drop_lines_beside(seen, growth.contents, growth.joined)
    crosses = sum(glyph.candidates[0][0] == "X" and glyph.chance > tokens.LEGIBLE for glyph in seen.values())
    read = numbers(seen)
    if len(read) < max(crosses, 1):
        return None  # gaps between rounded corners look like an X
    if not view.walled and all(_goes_through(found, growth.contents[cell]) for cell in read):
        return None  # pieces of lines look like a 1
    known = set(growth.contents)
    # A start may look like nothing else on its board.
    aside = {
        cell: glyph
        for cell, glyph in eyes.classify(view.image, growth.set_aside, view.noise, frozenset()).items()
        if glyph.chance > tokens.LEGIBLE
        if (not growth.in_a_text(cell) if glyph.candidates[0][0] == "X" else growth.is_within(cell))
    }
    if not has_start(seen | aside):
        fresh = coloured(view, found, growth.contents, growth.contents_at)
        growth.contents.update(fresh)
        drawn = {cell: here for cell, here in fresh.items() if not here.bare}
        seen |= _numbers_among(eyes.classify(view.image, drawn, view.noise, frozenset()), seen)
    if has_start(seen) or not has_start(aside):
        find_unmarked_starts(view, seen, growth.contents, found)
    take_where_chains_begin(view, found, seen, growth.contents, growth.contents_at)
    seen |= _beside_starts(view, growth, eyes, seen, known)
    if not any(
        token == "X" and p >= tokens.POSSIBLE for glyph in (seen | aside).values() for token, p in glyph.candidates
    ):
        doubt_letters(seen)
    # What stands beside the board and is no number is no cell, whatever lines there are around it. Inside the board it
    # is one that something covers: a doubt.
    sure = found.cells | {cell for cell, glyph in seen.items() if glyph.candidates[0][0]}
    places = {
        cell: Place(growth.contents[cell], found.box(cell), glyph.candidates, glyph.cluster, glyph.told)
        for cell, glyph in sorted(seen.items())
        if cell in sure
        or sum(near in sure for near in around(cell)) > (0 if growth.has_walls(cell) else 1)
        or (not view.walled and growth.linked(cell))
    }
    for cell in patterned(view.image, places):
        del places[cell]
    _judge_beyond(growth, places)
    places |= _hidden(growth, found, places)
    for cell, glyph in aside.items():
        number = 1 + max(place.cluster for place in places.values()) if places else 0
        place = Place(growth.set_aside[cell], found.box(cell), glyph.candidates, number, glyph.told)
        places[cell] = place if growth.is_an_end(cell) else perhaps_none(place)
    unwalled = growth.unwalled()
    clear = {cell for cell, place in places.items() if tokens.probability(place.candidates) > tokens.LEGIBLE}
    for cell, place in places.items():
        odd = growth.is_odd(cell, place.content) or (cell in unwalled and not growth.is_in_line(cell, place.content))
        odd |= cell in growth.on_the_page
        if odd or (cell not in found.cells and _is_outside(cell, clear)):
            places[cell] = perhaps_none(place)
    for cell in growth.strangers() & clear:
        if is_number(places[cell]):  # starts have colours of their own
            places[cell] = perhaps_none(places[cell])
    if not view.walled:
        _drop_headings(places, clear, growth.linked)
        drop_numbers_without_discs(view, places)
        judge_other_type(view, found, places)
    if not places or (not view.walled and 2 * legible_among(places, found.cells) < len(found.cells)):
        return None  # what brought this lattice about is no glyph for the most part
    spoiled = 0.0
    if not view.walled or found.oblong >= ranking.SQUARE:  # which may step over rows or columns
        left = left_over(view.image, places, view.noise)
        spoiled = len(left) / max(legible_among(places, places.keys()), 1)
        for cell in left.cut:
            places[cell] = perhaps_none(places[cell])
    if any(marks.colourful(place.content.colour) for place in places.values()):  # else no chain is drawn
        starts = [cell for cell, place in places.items() if dict(place.candidates).get("X", 0.0) >= tokens.POSSIBLE]
        spoiled += len(growth.led_out_to(places.keys(), starts)) / max(legible_among(places, places.keys()), 1)
    score = ranking.score(found, places, view.walled) * max(1 - SPOILED * spoiled, 0.0)
    # Walls of a pixel may be lost where the picture was made smaller, and cells with them.
    partial = view.coarse and (any(place.apart for place in places.values()) or growth.goes_on())
    return Board(found, view.walled, places, score, not growth.loose_glyphs(), spoiled, partial, growth.lines_into)


def _numbers_among(odd: dict[Cell, tokens.Glyph], seen: dict[Cell, tokens.Glyph]) -> dict[Cell, tokens.Glyph]:
    """Those of some places in another colour that clearly hold a number: where chains fill nearly all cells, the others
    are the odd ones. Their clusters follow on those that are ``seen``."""
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)
    return {
        cell: replace(glyph, cluster=first + glyph.cluster)
        for cell, glyph in odd.items()
        if glyph.candidates[0][0].isdigit() and glyph.chance > tokens.LEGIBLE
    }


def _beside_starts(
    view: View, growth: Growth, eyes: tokens.Eyes, seen: dict[Cell, tokens.Glyph], known: AbstractSet[Cell]
) -> dict[Cell, tokens.Glyph]:
    """The numbers beside starts that show none: as long as only ``known`` places were cells, too few stood beside
    them."""
    cells = {cell for cell, glyph in seen.items() if glyph.candidates[0][0]}

    def belongs(cell: Cell, here: ink.Content) -> bool:
        near = cells.intersection(around(cell))
        return len(near) > 1 and not near <= known and growth.is_glyph(cell, here)

    more = {cell: growth.contents[cell] for cell in growth.grow(belongs)}
    return _numbers_among(eyes.classify(view.image, more, view.noise, frozenset()), seen)


def _hidden(growth: Growth, found: lattice.Lattice, places: dict[Cell, Place]) -> dict[Cell, Place]:
    """The cells whose numbers a chain's line hides: each may hold any that the board has, by how often it does."""
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
    """Whether what is drawn in a place reaches from one side of it to the other, where numbers without walls end: only
    a chain's line goes on there, and each chain ends upon a number."""
    return here.box.width > GOES_ON * found.pitch_x or here.box.height > GOES_ON * found.pitch_y


def _two_digits(found: dict[Cell, ink.Content]) -> dict[Cell, ink.Content]:
    """Those of some places that show a number of two digits: no other is cut between its pieces."""
    said = glyphs.read_numbers([here.ink for here in found.values()]) if found else []
    return {
        cell: here
        for (cell, here), options in zip(found.items(), said, strict=True)
        if sum(p for token, p in options if token.isdigit() and len(token) == 2) > tokens.LEGIBLE
    }


def _is_outside(cell: Cell, clear: AbstractSet[Cell]) -> bool:
    """Whether no clear place stands in a place's row or beyond it, or none in its column or beyond that."""
    rows, columns = ({one[by] for one in clear} for by in (0, 1))
    return bool(clear) and not (min(rows) <= cell[0] <= max(rows) and min(columns) <= cell[1] <= max(columns))


def _drop_headings(places: dict[Cell, Place], clear: AbstractSet[Cell], linked: Callable[[Cell], bool]) -> None:
    """Take away rows above or below all clear places of a board without walls in which a word runs on from place to
    place: of a row that cannot be read, neighbours stand much closer together than the board's own glyphs do. A row
    into which a drawn chain leads (``linked``) is none: the chain's line fills the gaps between its glyphs."""

    def gap(cell: Cell) -> int | None:
        one, other = places.get(cell), places.get((cell[0], cell[1] + 1))
        return other.content.box.x - one.content.box.x - one.content.box.width if one and other else None

    usual = [between for cell in clear if (cell[0], cell[1] + 1) in clear and (between := gap(cell)) is not None]
    if not usual:
        return
    rows = {cell[0] for cell in clear}
    for row in {cell[0] for cell in places if not min(rows) <= cell[0] <= max(rows)}:
        line = [cell for cell in places if cell[0] == row]
        if any(linked(cell) or tokens.probability(places[cell].candidates) > 0.5 for cell in line):
            continue  # starts that show nothing are guessed, and are never clear
        if any((between := gap(cell)) is not None and between < RUNS_ON * median(usual) for cell in line):
            for cell in line:
                del places[cell]


def _judge_beyond(growth: Growth, places: dict[Cell, Place]) -> None:
    """Take back, or doubt, what stands outside the rows and columns of closed cells and is no part of the board."""
    beyond = growth.beyond() & places.keys() - growth.reached()
    foreign = {cell for cell in beyond if is_number(places[cell]) and growth.is_foreign(cell, places[cell])}
    for cell in beyond:
        line = {one for one in beyond if one[growth.way(cell)] == cell[growth.way(cell)]}
        if cell in foreign and 2 * len(line & foreign) > len(line):
            del places[cell]  # of a row of buttons, or a heading; a single one among cells is only odd
        elif not growth.is_known(cell, places[cell]):
            places[cell] = perhaps_none(places[cell])
    # What cannot be read may be a covered cell, but not where no cell is seen in its line.
    read = {cell for cell in beyond & places.keys() if tokens.probability(places[cell].candidates) > STRANGE}
    for cell in beyond & places.keys() - read:
        if not growth.is_closed(cell) and not any(one[growth.way(cell)] == cell[growth.way(cell)] for one in read):
            del places[cell]
