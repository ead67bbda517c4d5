"""Starts without a visible X: hidden by their ring or disc, marked only by a colour, a dot or a ring, or shown by a
sign in the numbers' own ink. Starts that show a letter are found in ``lettered``, those that show only their chain in
``begun``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cardinal_chains.seeing import beyond, lettered
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens, views
from autoplayer.games.cardinal_chains.seeing.glyphs.corners import take_corners, with_a_corner
from autoplayer.games.cardinal_chains.seeing.glyphs.crosses import CROSSED, crossed_out, take_crosses_for_holes
from autoplayer.games.cardinal_chains.seeing.lattice.outside import Look
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import MARKED, UNMARKED, around, beside
from autoplayer.games.cardinal_chains.seeing.lattice.sides import edge_shares
from autoplayer.vision import glyphs, ink, lattice
from autoplayer.vision.views import View

HIDDEN = 0.7
"""The probability of an X that is seen without the ring or disc around it."""

LIKE_A_ZERO = 0.7
"""How likely a glyph is a zero, or a ring drawn like one, that is taken for a start."""

DULL = 0.5
"""Of the vividness of the most vivid starts: the fills of holes have less than this share."""

LARGER = 0.3
"""How likely a sign that is far larger than the numbers, and looks like one, is a number that was chosen."""

WHOLE_EDGE, NO_EDGE = 0.9, 0.5
"""The share of each side from which a tile has an edge there, and of some side below which a place has none."""

MOST_SIGNS, NO_NUMBER = 2 / 3, 0.55
"""The largest ratio of signs that may be starts to numbers; and the probability that one of them is no number: a
diamond looks a little like a 4."""


def coloured(
    view: View,
    found: lattice.Lattice,
    contents: dict[Cell, ink.Content],
    look: Look,
    seen: Mapping[Cell, tokens.Glyph],
) -> dict[Cell, ink.Content]:
    """The contents of the places beside those of ``contents`` that may be starts because of their colour: they are
    filled with a colour that neither the numbers nor the page has, have a mark in the middle in a colour that no glyph
    has, or have an outline or a corner in a colour of their own. Another start among ``contents``, or a button beside
    the board, may have the same colour; ``seen``: what was read in them."""
    if not contents:
        return {}
    grounds = np.stack([contents[cell].ground for cell in tokens.numbers(seen) or contents])
    inks = np.stack([here.colour for here in contents.values() if not here.bare] or [np.full(3, np.inf)])
    tile = np.median(grounds, axis=0)[None]
    result: dict[Cell, ink.Content] = {}
    while True:  # a start may stand beside another one only
        known = contents | result
        beside_them = look(sorted({near for cell in known for near in around(cell)} - known.keys()))
        near = beside(known)
        more = {
            cell: here
            for cell, here in beside_them.items()
            if (result or cell not in near)
            and (marks.is_on_a_tile(view, here, tile) or (not view.walled and marks.is_a_block(view, found, cell)))
        }
        within = {cell: beside_them[cell] for cell in near if cell in beside_them and not result}
        outlined = marks.framed(view, found, within, known)
        for cell, here in within.items():
            marked = (
                not here.bare
                and marks.is_central(here)
                and float(np.abs(inks - here.colour).max(axis=1).min()) > marks.OTHER_INK
            )
            block = not view.walled and marks.is_a_block(view, found, cell)
            shown = with_a_corner(view, found, cell, here, grounds)
            if marked or block or cell in outlined or shown is not here or marks.is_filled(view, found, cell, grounds):
                more[cell] = here
        if not more:
            return result
        result |= more


def has_start(seen: Mapping[Cell, tokens.Glyph]) -> bool:
    """Whether some place is, or may be, an X."""
    return any(glyph.candidates[0][0] in ("X", tokens.UNKNOWN) and glyph.chance > 0.5 for glyph in seen.values())


@dataclass(frozen=True)
class _Numbers:
    """A board on which no X is seen, and the look of its clear numbers. ``closed``: the closed cells, if most are
    closed. ``grounds`` and ``inks``: the numbers' colours, BGR, shape ``(N, 3)``. ``outlined``: the places that are no
    such numbers and have an outline that no number has, ``cornered``: those with a corner in a colour."""

    view: View
    found: lattice.Lattice
    seen: dict[Cell, tokens.Glyph]
    contents: dict[Cell, ink.Content]
    cells: list[Cell]
    closed: frozenset[Cell]
    grounds: Floats
    inks: Floats
    outlined: set[Cell]
    cornered: set[Cell]

    def differs(self, cell: Cell) -> bool:
        """Whether a place has another colour than all numbers, or an outline that none has."""
        here = self.contents[cell]
        return (
            float(np.abs(self.grounds - here.ground).max(axis=1).min()) > marks.OTHER_GROUND
            or (not here.bare and float(np.abs(self.inks - here.colour).max(axis=1).min()) > marks.OTHER_INK)
            or cell in self.outlined
        )

    def among(self, cell: Cell) -> bool:
        """Whether a place was found as a cell, or stands beside two places of the board."""
        return cell in self.found.cells or sum(near in self.contents for near in around(cell)) > 1

    def empty(self, cells: Iterable[Cell]) -> None:
        """Take some places for holes."""
        for cell in cells:
            self.seen[cell] = tokens.Glyph((("", 1.0),), self.seen[cell].cluster)


def find_unmarked_starts(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], found: lattice.Lattice
) -> None:
    """If no X is seen, starts are looked for in other ways: an X hidden by its ring or disc; then the places that
    differ from all others (a start may be marked only by colour, or by a dot or ring). The latter stay doubtful; the
    rules must agree. Crosses that strike out places without a cell are not starts if other starts are seen."""
    if crossed := crossed_out(seen, contents):
        rest = {cell: glyph for cell, glyph in seen.items() if cell not in crossed}
        _find_among_signs(view, rest, {cell: here for cell, here in contents.items() if cell not in crossed}, found)
        if has_start(rest):
            number = 1 + max(glyph.cluster for glyph in (seen | rest).values())
            seen |= rest | dict.fromkeys(crossed, tokens.Glyph((("", CROSSED), ("X", 1 - CROSSED)), number))
            return
    _find_among_signs(view, seen, contents, found)
    starts = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == "X" and glyph.chance > 0.5]
    clear = [contents[cell] for cell in tokens.numbers(seen)]
    if clear and starts and all(marks.is_colourful(contents[cell]) for cell in starts):
        drawn = [cell for cell, glyph in seen.items() if glyph.candidates[0][0] == ""]
        for cell in marks.decorations(view, {cell: contents[cell] for cell in drawn}, clear):
            seen[cell] = replace(seen[cell], candidates=(("", 1.0),), told=True)


def _find_among_signs(
    view: View, seen: dict[Cell, tokens.Glyph], contents: dict[Cell, ink.Content], found: lattice.Lattice
) -> None:
    """As ``find_unmarked_starts``, where far larger numbers in colours may be signs, as flags are, which look like a 1:
    a single one is a number that is shown larger, and others may be."""
    clear = [cell for cell, glyph in seen.items() if glyph.chance > odds.LEGIBLE]
    signs = marks.far_larger(contents, clear) if clear and not has_start(seen) else set()
    if len(signs) == 1:
        signs = set()
    before = dict(seen)
    _find_unmarked(view, seen, contents, found, signs)
    for cell in signs:
        token = before[cell].candidates[0][0]
        if token != seen[cell].candidates[0][0]:
            rest = tuple((other, (1 - LARGER) * chance) for other, chance in seen[cell].candidates)
            seen[cell] = replace(seen[cell], candidates=(*rest, (token, LARGER)))


def _find_unmarked(
    view: View,
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    found: lattice.Lattice,
    large: AbstractSet[Cell],
) -> None:
    for cell in seen.keys() - found.cells:
        # A hatching all over a place may look like an X, not clearly.
        if seen[cell].candidates[0][0] == "X" and seen[cell].chance < odds.LEGIBLE and marks.fills(contents[cell]):
            seen[cell] = tokens.Glyph((("", 1.0),), seen[cell].cluster)
    if has_start(seen):
        take_crosses_for_holes(seen, contents)
        return
    unclear = [cell for cell, glyph in seen.items() if glyph.chance < odds.LEGIBLE]
    if tokens.hopeless(len(unclear), len(seen)):
        _find_in_closed_cells(view, seen, contents, found, large)
        return
    if _take_hidden(view, seen, contents, unclear):
        return
    clear = [cell for cell, glyph in seen.items() if glyph.chance > odds.LEGIBLE]
    if len(clear) < marks.LEAST_NUMBERS:
        return
    for cell in large & set(clear):
        seen[cell] = replace(seen[cell], candidates=(("", 1.0),))
        clear.remove(cell)
    cornered = take_corners(view, seen, contents, clear, found)
    zeros = _zeros(seen, contents, clear)
    if 0 < len(zeros) <= max(marks.MOST_STARTS * len(clear), 1):
        for cell, chance in zeros.items():
            seen[cell] = tokens.Glyph((("X", chance), ("", 1 - chance)), seen[cell].cluster)
        return
    grounds = np.stack([contents[cell].ground for cell in clear])
    closed = found.cells if view.walled and 2 * len(found.cells) > len(contents) else frozenset()
    holes = sum(marks.is_hole(here, grounds) for here in contents.values()) if closed else 0
    if 2 * len(clear) < len(contents) - holes:  # a table, a crossword: too little of it is numbers
        _find_in_closed_cells(view, seen, contents, found, large)
        return
    inks = np.stack([contents[cell].colour for cell in clear])
    others = [cell for cell in contents if cell not in clear]
    outlined = marks.framed(view, found, others, {cell: contents[cell] for cell in clear})
    board = _Numbers(view, found, seen, contents, clear, closed, grounds, inks, outlined, cornered)
    odd = _odd_places(board)
    tiles = _tiles_on_a_picture(board, odd)
    odd = tiles or odd
    signs = _signs(board)
    if zeros.keys() & set(signs):
        signs = []
    if signs and not any(marks.is_colourful(contents[cell]) for cell in odd):
        odd = [cell for cell in odd if cell not in signs] + signs
    if not odd:
        lettered.take_letters(view, seen, contents, clear, found)
        return
    marked = tiles or _marked(board, odd)
    if not marked and lettered.take_letters(view, seen, contents, clear, found, in_own_ink=True):
        return  # the others are holes
    odd = _without_strays(board, odd, marked)
    taken = _take_looks(board, odd, marked, signs)
    if not marked and not any(marks.colourful(contents[cell].ground) for cell in odd):
        lettered.doubt_letters(seen, taken)


def _take_hidden(
    view: View, seen: dict[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], unclear: Sequence[Cell]
) -> bool:
    """Whether an X is seen once its ring or disc is removed; it is then taken for a start."""
    usual_ink = np.median(np.stack([contents[cell].colour for cell in seen]), axis=0)
    others = [
        (cell, other)
        for cell in (seen if len(seen) <= tokens.MOST_UNCLEAR else unclear)
        for other in views.every_other_ink(view.image, contents[cell], usual_ink, view.noise)
    ]
    hidden = {
        cell: chance
        for (cell, _), options in zip(others, glyphs.read_numbers([other for _, other in others]), strict=True)
        if (chance := odds.possible(options).get("X", 0.0)) > HIDDEN
    }
    if not hidden or 2 * len(hidden) > len(seen):
        return False
    for cell, chance in hidden.items():
        rest = [(token, (1 - chance) * p) for token, p in seen[cell].candidates if token != "X"]
        seen[cell] = tokens.Glyph((("X", chance), *rest), seen[cell].cluster)
    return True


def _find_in_closed_cells(
    view: View,
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    found: lattice.Lattice,
    large: AbstractSet[Cell],
) -> None:
    """As ``_find_unmarked``, where all clear numbers stand in closed cells and much else stands beside these, such as a
    title and buttons: starts are looked for in the closed cells alone, and if there is one, the rest are holes."""
    clear = {cell for cell, glyph in seen.items() if glyph.chance > odds.LEGIBLE}
    closed = found.cells & seen.keys()
    if not view.walled or not clear <= closed or len(closed) == len(seen):
        return
    inner = {cell: seen[cell] for cell in closed}
    _find_unmarked(view, inner, {cell: contents[cell] for cell in closed}, found, large & closed)
    if has_start(inner):
        seen |= {cell: tokens.Glyph((("", 1.0),), seen[cell].cluster) for cell in seen.keys() - closed} | inner


def _odd_places(board: _Numbers) -> list[Cell]:
    """The places of a board that differ from all its numbers; those that stand beyond the numbers and look unlike what
    is within become holes."""
    contents, numbers = board.contents, board.cells
    strange = [cell for cell in contents if cell not in numbers and board.differs(cell)]
    on_tiles = {
        cell
        for cell in strange
        if marks.is_on_a_tile(board.view, contents[cell], board.grounds)
        or (not board.view.walled and marks.is_a_block(board.view, board.found, cell))
    }
    odd = [cell for cell in strange if board.among(cell) or cell in on_tiles or cell in board.outlined]
    signs = [contents[cell] for cell in odd if marks.is_marked(contents[cell])]
    odd += [cell for cell in strange if cell not in odd and any(marks.as_large(contents[cell], one) for one in signs)]
    odd += _equal_to(board, odd)
    strays = beyond.words(odd, numbers, contents, on_tiles) - board.closed
    strays |= beyond.empty_boxes(odd, numbers, contents, board.outlined)
    board.empty(strays & board.seen.keys())
    odd = [cell for cell in odd if cell not in strays]
    vain = marks.decorations(board.view, {cell: contents[cell] for cell in odd}, [contents[cell] for cell in numbers])
    if any(_has_a_colour(board, cell) for cell in odd if cell not in vain):
        board.empty(vain & board.seen.keys())
        odd = [cell for cell in odd if cell not in vain]
    if not odd and float(np.ptp(board.grounds, axis=0).max()) > marks.OTHER_GROUND:
        # A chain may have its start's colour already. A word on the colour of the window around is a heading.
        page = marks.page(board.view)
        odd = [
            cell
            for cell, here in contents.items()
            if board.among(cell)
            and cell not in numbers
            and marks.is_marked(here)
            and float(np.abs(here.ground - page).max()) > marks.OTHER_GROUND
        ]
    return odd


def _tiles_on_a_picture(board: _Numbers, odd: Sequence[Cell]) -> list[Cell]:
    """The odd places with edges just where all numbers' tiles have theirs, if others have none there: a page with a
    picture shows through those, which become holes. None if there are not both."""
    strays = [cell for cell in odd if cell not in board.closed and _least_edge(board, cell) < NO_EDGE]
    if not strays or not board.closed or min(_least_edge(board, cell) for cell in board.cells) < WHOLE_EDGE:
        return []
    if float(np.median([_spread_at_corners(board, cell) for cell in strays])) <= marks.OTHER_GROUND:
        return []  # marks on an even page
    tiles = [cell for cell in odd if cell not in strays and _least_edge(board, cell) >= WHOLE_EDGE]
    for cell in set(strays) & board.seen.keys() if tiles else ():
        board.seen[cell] = tokens.Glyph((("", 1.0),), board.seen[cell].cluster, told=True)
    return tiles


def _spread_at_corners(board: _Numbers, cell: Cell) -> float:
    """How far the colours in the corners of a place are from one another, grey levels in one channel."""
    place = board.contents[cell].place.crop(board.view.image)
    return float(np.ptp(place[[0, 0, -1, -1], [0, -1, 0, -1]].astype(np.float32), axis=0).max())


def _least_edge(board: _Numbers, cell: Cell) -> float:
    """The least share of one of a place's sides that is an edge."""
    return min(edge_shares(board.view, board.found, cell))


def _equal_to(board: _Numbers, odd: Sequence[Cell]) -> list[Cell]:
    """The other places that surely show no number, but a mark as large as an odd one: if numbers take the colour of
    their chain, only the marks of chains that have not begun have a colour of their own."""
    signs = [board.contents[cell] for cell in odd if marks.is_marked(board.contents[cell])]
    return [
        cell
        for cell, glyph in board.seen.items()
        if cell not in odd
        and board.among(cell)
        and dict(glyph.candidates).get("", 0.0) > odds.LEGIBLE
        and marks.is_marked(board.contents[cell])
        and any(marks.as_large(board.contents[cell], one) for one in signs)
    ]


def _marked(board: _Numbers, odd: Sequence[Cell]) -> list[Cell]:
    """The odd places with a mark in the middle, which makes them starts: without one, a place in another colour than
    the cells is a hole."""
    view, contents = board.view, board.contents
    if cornered := [cell for cell in odd if cell in board.cornered]:
        return cornered
    marked = [
        cell
        for cell in odd
        if (marks.is_marked(contents[cell]) and not marks.fills(contents[cell])) or cell in board.outlined
    ]
    discs = [cell for cell in odd if cell not in marked and contents[cell].bare]
    discs = [cell for cell in discs if marks.is_disc(view, contents[cell])]
    if any(_has_a_colour(board, cell) for cell in odd if cell not in discs):
        discs = [cell for cell in discs if marks.colourful(contents[cell].ground)]  # a grey one beside these is a hole
    if 2 * sum(marks.is_disc(view, contents[cell]) for cell in board.cells) >= len(board.cells):
        # On discs as large as the numbers', a smaller disc is a mark, and one that hides the whole disc is a hole.
        discs = [cell for cell in discs if marks.shows_a_ring(view, contents[cell], board.grounds)] or discs
    marked += discs
    if not marked and view.walled:  # a corner may be coloured instead
        marked = [cell for cell in odd if marks.is_coloured_in_part(contents[cell], board.grounds, board.inks)]
    return marked


def _has_a_colour(board: _Numbers, cell: Cell) -> bool:
    """Whether a place has an ink or a ground that is no grey and that neither a number nor the page has."""
    here = board.contents[cell]
    others = np.concatenate([board.grounds, marks.page(board.view)[None]])
    filled = marks.colourful(here.ground) and float(np.abs(others - here.ground).max(axis=1).min()) > marks.OTHER_GROUND
    return filled or (not here.bare and marks.is_vivid(here, board.inks))


def _without_strays(board: _Numbers, odd: Sequence[Cell], marked: Sequence[Cell]) -> list[Cell]:
    """The odd places without those that show something through between closed cells, if there are marked ones: a
    picture or a hatching is not a start."""
    contents = board.contents
    whole = {cell for cell in marked if not marks.fills_its_place(contents[cell])}
    if not board.view.walled or not whole & board.found.cells:
        return list(odd)
    strays = {cell for cell in odd if cell not in board.found.cells and cell not in board.outlined} - whole
    board.empty(
        cell
        for cell in strays & board.seen.keys()
        if marks.fills(contents[cell]) and board.seen[cell].chance < odds.LEGIBLE
    )
    return [cell for cell in odd if cell not in strays]


def _take_looks(board: _Numbers, odd: Sequence[Cell], marked: Sequence[Cell], signs: Sequence[Cell]) -> list[Cell]:
    """Take the odd places for starts, those that look alike together, unless they are too many; returns the places
    taken. ``signs``: those of them that have the numbers' ink."""
    contents = board.contents
    looks: list[list[Cell]] = []
    for cell in odd:
        like = next(
            (
                look
                for look in looks
                if (cell in marked) == (look[0] in marked) and marks.same_look(contents[cell], contents[look[0]])
            ),
            None,
        )
        if like is None:
            looks.append([cell])
        else:
            like.append(cell)

    def most(look: Sequence[Cell]) -> float:
        """The largest number of starts of one look; if each has a colour of its own, that is stronger evidence."""
        if look[0] in marked and marks.each_vivid([contents[cell] for cell in look], board.inks):
            return len(board.cells)
        return len(board.cells) if look[0] in signs else max(marks.MOST_STARTS * len(board.cells), 1)

    looks = [look for look in looks if len(look) <= most(look)]
    vivid = [look for look in looks if look[0] in marked and marks.is_vivid(contents[look[0]], board.inks)]
    filled = [] if marked else _filled(board, looks)
    several = len(vivid) > 1 or any(marks.of_several_colours([contents[cell] for cell in look]) for look in vivid)
    together = vivid if several else filled if len(filled) > 1 else []
    if together:  # marks in several colours are starts all or none, and so are places filled with several
        looks = [[cell for look in together for cell in look], *(look for look in looks if look not in together)]
    starts = {cell for look in (filled or looks) for cell in look} if not marked else set(marked)
    likely = MARKED if marked or together else UNMARKED
    first = 1 + max((glyph.cluster for glyph in board.seen.values()), default=0)
    for number, look in enumerate(looks, first):
        # Starts have marks, or colours: a place with neither, beside such starts, is a hole.
        grey = contents[look[0]].bare and not marks.colourful(contents[look[0]].ground)
        chance = likely if look[0] in starts else 0.0 if several or (marked and grey) else 1 - MARKED
        options = (("X", chance), ("", 1 - chance))
        for cell in look:
            told = cell in board.cornered  # the line of a chain that begins there is no glyph
            board.seen[cell] = tokens.Glyph(options if chance > 0.5 else options[::-1], number, told)
    return [cell for look in looks for cell in look]


def _filled(board: _Numbers, looks: Sequence[list[Cell]]) -> list[list[Cell]]:
    """The looks that are plain colours. A look with the page's colour, or one much duller than others, is a hole beside
    these."""
    page = marks.page(board.view)
    grounds = [board.contents[look[0]].ground for look in looks]
    least = DULL * max((float(np.ptp(ground)) for ground in grounds), default=0.0)
    colours = [look for look, ground in zip(looks, grounds, strict=True) if marks.colourful(ground)]
    vivid = [
        look
        for look, ground in zip(looks, grounds, strict=True)
        if look in colours and np.ptp(ground) > least and np.abs(ground - page).max() > marks.OTHER_GROUND
    ]
    return vivid or colours


def _zeros(
    seen: Mapping[Cell, tokens.Glyph], contents: Mapping[Cell, ink.Content], numbers: Sequence[Cell]
) -> dict[Cell, float]:
    """The probability for each glyph that looks like a zero that it is one: no chain holds a zero, and some levels are
    written with a 0 where a chain begins. If zeros are too many for that, they stand for holes, or for empty cells."""
    others = [cell for cell in seen if cell not in numbers and not contents[cell].bare]
    read = glyphs.read_numbers([contents[cell].ink for cell in others])
    return {
        cell: chance
        for cell, options in zip(others, read, strict=True)
        if (chance := dict(options).get("0", 0.0)) > LIKE_A_ZERO
    }


def _signs(board: _Numbers) -> list[Cell]:
    """The places drawn like the numbers, in their ink on their ground, that are not numbers: they may be starts if
    everything else on the board is a number, because a chain must begin somewhere. They must all show one sign, among
    the numbers; empty otherwise."""
    seen, contents, numbers, closed = board.seen, board.contents, board.cells, board.closed
    signs = [
        cell
        for cell, here in contents.items()
        if cell in seen and cell not in numbers and not here.bare
        if float(np.abs(board.grounds - here.ground).max(axis=1).min()) <= marks.EVEN
    ]
    (top, left), (bottom, right) = np.min(numbers, axis=0), np.max(numbers, axis=0)
    # A word or a button beside the board has the numbers' ink as well.
    signs = [(r, c) for r, c in signs if (r, c) in closed or (top <= r <= bottom and left <= c <= right)]
    most = len(numbers) if closed.issuperset(signs) else MOST_SIGNS * len(numbers)
    if len(signs) > most or len({seen[cell].cluster for cell in signs}) > 1:
        return []
    if not any(cell in closed or sum(near in contents for near in around(cell)) > 1 for cell in signs):
        return []
    for r, c in signs:
        chances = dict(seen[r, c].candidates)
        if not (
            ((r, c) in closed or any(near in contents for near in around((r, c))))
            and marks.is_marked(contents[r, c])
            and chances.get("", 0.0) + chances.get("X", 0.0) > NO_NUMBER
        ):
            return []
    return signs
