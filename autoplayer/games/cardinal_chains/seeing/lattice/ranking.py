"""Boards that were seen on one lattice, and the comparison of two boards: which one explains the picture better."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, tokens
from autoplayer.vision import ink, lattice

STRANGE = 0.45
"""The probability that a glyph which looks like a number, but has no walls although all others have, is no part of the
board."""

UNMARKED = 0.9
"""The probability that a place of another colour, without a number, is a start, if no X is seen at all."""

MARKED = 0.94
"""The same for places with a mark in their middle, if some of the places of another colour have one; the others are
holes."""

LIKELY_START = 0.6
"""A board without a start of this probability may be a part of another one, or none."""

MANY, FEWER = 8, 3
"""A board with so many cells, nearly all legible, is not given up for one with less than a third of them, and never for
one whose glyphs are some of its own (as every second cell of a board without walls is)."""

SMALL, FILLING = 5, 0.75
"""On a board of fewer cells, a number that fills its place by at least this share of its height may be several cells
taken for one."""

FEWEST = 3
"""The least number of cells of a board for it to compete with another one by their number."""

MARGIN = 1.25
"""How much more of the picture a board without walls must explain than a full board with walls, and nothing beside it,
to be preferred."""

TWICE = 2
"""The least ratio of a board's glyphs to the closed cells that hold a part of them."""

PREVIEW = 4.0
"""The least ratio of what a board explains of the picture to what its preview does, which is at most half as high."""

DIGITS_APART = 1.6
"""The largest distance between the middles of a number's digits, as shares of a glyph's height."""

FEWEST_WALLS = 4
"""The least number of walls that are taken for ones between the rows or columns of a board."""

SQUARE = 1.25
"""How many times as long as wide a nearly square place is, less than that."""

COVERED = 0.2
"""The largest share of a board's closed cells whose content may be hidden by something."""

SAME_MARK = 0.15
"""Two boards see the same glyph if its boxes differ by no more than this share of its height."""


@dataclass(frozen=True)
class Place:
    """A place of the lattice that is not empty, with its candidates: ``(token, probability)``, best first. ``cluster``:
    the same number for places that hold the same token, whichever it is."""

    content: ink.Content
    box: Box
    candidates: odds.Candidates
    cluster: int
    told: bool
    """Whether the layout's own pictures say so."""
    apart: bool = False
    """Whether it may be no part of the board, whatever stands there."""
    crossed: bool = False
    """Whether a chain's line runs over it; then its candidates were determined by what is visible beside the line, or
    by its tile."""


@dataclass(frozen=True)
class Board:
    lattice: lattice.Lattice
    walled: bool
    places: dict[Cell, Place]
    score: float
    whole: bool
    """Whether nothing that might be a cell stands beside it."""
    spoiled: float = 0.0
    """How many glyphs of its own kind it cuts through or misses, plus the number of places to which a drawn chain leads
    out of it, per glyph that it reads."""
    partial: bool = False
    """Whether a closer look may find more of it."""
    lines_into: Callable[[Cell], Mapping[Cell, Floats]] = field(default=lambda _: {}, compare=False)
    """The places beside one from which drawn chains lead into it, with the colours of these, BGR."""

    @property
    def full(self) -> bool:
        """Whether it has many connected cells, nearly all of them legible."""
        legible = sum(odds.probability(place.candidates) > 0.5 for place in self.places.values())
        beside = sum(any(near in self.places for near in around(cell)) for cell in self.places)
        return legible >= MANY and min(legible, beside) >= 0.9 * len(self.places) and has_start(self)

    @cached_property
    def closed(self) -> frozenset[Cell]:
        """The places that were found as equal closed cells. Areas of several cells count only if some number is
        enclosed by itself as well: on a board without walls, such areas are drawn chains."""
        seen = self.lattice.cells & self.places.keys()
        alone = seen - self.lattice.joined
        return seen if any(self.places[cell].candidates[0][0] != "X" for cell in alone) else alone

    @cached_property
    def of_one_piece(self) -> bool:
        """Whether it has some connected cells, nearly all of them clear, and a start."""
        return self.hangs_together and _sees_start(self)

    @cached_property
    def hangs_together(self) -> bool:
        """The same, with a start that may be only guessed from a mark."""
        clear = {cell for cell, place in self.places.items() if odds.probability(place.candidates) > odds.LEGIBLE}
        starts = {cell for cell, place in self.places.items() if likeliest(place) == "X"}
        if len(clear) < FEWEST or len(clear | starts) < 0.9 * len(self.places) or not starts:
            return False
        return len(groups(clear | starts)) == 1


def around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def beside(cells: Collection[Cell]) -> list[Cell]:
    """The places beside some others that lie within their rows and columns, or have two of them beside them."""
    rows, columns = zip(*cells, strict=True)
    inside = {(r, c) for r in range(min(rows), max(rows) + 1) for c in range(min(columns), max(columns) + 1)}
    near_them = sorted({near for cell in cells for near in around(cell)} - set(cells))
    return [cell for cell in near_them if cell in inside or sum(one in cells for one in around(cell)) > 1]


def groups(cells: Iterable[Cell], joined: Callable[[Cell], Iterable[Cell]] = around) -> list[set[Cell]]:
    """The connected components of the cells; ``joined``: the neighbours of each cell."""
    found: list[set[Cell]] = []
    left = set(cells)
    while left:
        group, todo = set(), [left.pop()]
        while todo:
            cell = todo.pop()
            group.add(cell)
            near = left.intersection(joined(cell))
            left -= near
            todo += near
        found.append(group)
    return found


def outer_lines(cells: Collection[Cell], by: int) -> list[tuple[Cell, ...]]:
    """The contents of the first and of the last row (``by`` 0; columns for 1), in order."""
    ends = [end((cell[by] for cell in cells), default=0) for end in (min, max)]
    return [tuple(sorted(cell for cell in cells if cell[by] == end)) for end in ends]


def score(found: lattice.Lattice, places: dict[Cell, Place], walled: bool) -> float:
    """How much of the picture a board explains: the area of its legible cells, minus that of the others.

    By area, not by number: two digits read as a cell each must not beat the one cell that holds both. A walled cell's
    area is its own; a glyph's area is not much larger than the glyph, so that a lattice through two distant boxes
    explains no more than those.
    """
    legible = sum(1 if odds.probability(place.candidates) > 0.5 else -1 for place in places.values())
    most = (1.6 * found.width, 1.6 * found.height) if walled else (3.5 * found.height,) * 2
    across, down = min(found.pitch_x, most[0]), min(found.pitch_y, most[1])
    # If few cells have walls of their own, these may be the edges of coloured starts on a board without walls.
    trust = 1.0 if walled and 2 * len(found.cells & places.keys()) > len(places) else 0.8
    return legible * across * down * trust * (1.0 if found.oblong < SQUARE else 0.6)


def legible_among(places: Mapping[Cell, Place], cells: AbstractSet[Cell]) -> int:
    """The number of cells whose content is more likely a number or a start than anything else."""
    return sum(odds.probability(places[cell].candidates) > 0.5 for cell in cells & places.keys())


def likeliest(place: Place) -> str:
    """The likeliest token of a place."""
    return place.candidates[0][0]


def is_number(place: Place) -> bool:
    return odds.probability(place.candidates) > 0.5 and place.candidates[0][0] != "X"


def convincing(board: Board) -> bool:
    """Whether looking for a better lattice is a waste of time: enough walled cells, most of them legible, or enough
    glyphs that are beyond doubt."""
    chances = [odds.probability(place.candidates) for place in board.places.values()]
    legible, sure = sum(p > 0.5 for p in chances), sum(p > odds.LEGIBLE for p in chances)
    if (
        not board.whole
        or board.partial
        or board.spoiled
        or not any(p >= LIKELY_START for place in board.places.values() for t, p in place.candidates if t == "X")
    ):
        return False
    own = len(board.closed)
    if not board.walled:
        # A few discs of starts make a lattice as well; glyphs are lower than these, and are overlooked then.
        return 3 * own >= len(chances) and board.lattice.oblong < SQUARE and sure >= 8 and sure >= 0.95 * len(chances)
    if own >= 6 and legible >= 0.85 * len(chances):
        return True
    # Few boxes among many glyphs are perhaps every second cell.
    many = sure >= 8 and sure >= 0.95 * len(chances) and 8 * own > len(chances)
    if sure < SMALL and any(_fills_its_place(place) for place in board.places.values()):
        return False
    # Where only starts have a colour, the cells between them have none.
    numbers = any(board.places[cell].candidates[0][0] != "X" for cell in board.closed)
    return many or (numbers and sure == len(chances) and 2 * own > len(chances))


def _fills_its_place(place: Place) -> bool:
    """Whether a number is as high as its place, as glyphs never are (a start's disc may be)."""
    return is_number(place) and place.content.box.height > FILLING * place.content.place.height


def is_closed(board: Board) -> bool:
    """Whether cells are known by walls or a colour of their own on all sides, so that all cells must have these. If
    only starts have a colour, other cells stand beside them."""
    if not board.walled or not has_start(board):
        return False
    own = [board.places[cell].candidates for cell in board.closed]
    unclear = sum(odds.probability(options) < 0.5 for options in own)  # a pointer may cover one
    if 2 * len(own) <= len(board.places) or unclear > COVERED * len(own):
        return False
    return any(options[0][0] != "X" for options in own)


def stands_in(board: Board, closed: Board) -> bool:
    """Whether a board found by its glyphs alone has glyphs in the cells of a closed one."""
    spots = [place.content.box.centre for place in board.places.values()]
    return any(place.box.contains(spot) for place in closed.places.values() for spot in spots)


def doubted_beside(board: Board, closed: Board) -> Board:
    """A board found by its glyphs alone, with the glyphs beside the cells of a closed board as doubts."""
    places = {
        cell: place
        if any(other.box.contains(place.content.box.centre) for other in closed.places.values())
        else perhaps_none(place)
        for cell, place in board.places.items()
    }
    return replace(board, places=places)


def perhaps_none(place: Place) -> Place:
    """The same place, with the doubt whether it is part of the board at all, unless the layout says so. Several reasons
    for it are as good as one: else its number would be forgotten."""
    if place.told or place.apart:
        return place
    rest = [(token, (1 - STRANGE) * p) for token, p in place.candidates if token]
    nothing = 1 - sum(p for _, p in rest)
    return replace(place, candidates=tuple(sorted([*rest, ("", nothing)], key=lambda pair: -pair[1])), apart=True)


def beats(board: Board, best: Board) -> bool:
    """Whether a board explains the picture better than the best one so far."""
    for one, other, result in ((best, board, False), (board, best, True)):
        if _is_icons_beside(other, one):
            return result
        if (one.of_one_piece and _sees_crosses_between(other, one)) or _sees_walls_between(other, one):
            return result
    if outnumbers(best, board):
        return False
    if outnumbers(board, best):
        return True
    if not (board.walled or best.walled) and sees_all_of(board, best) and sees_all_of(best, board):
        reached = _all_have_a_start(board)
        if reached is not _all_have_a_start(best):
            return reached  # a square lattice may have columns between broad cells
    if not (board.walled and best.walled) and sees_all_of(board, best) and sees_all_of(best, board):
        for one, other, result in ((best, board, False), (board, best, True)):
            if one.walled and not one.spoiled and (one.whole or len(other.places) < MANY):
                return result  # what it sees besides may be a covered cell
            stretched = one.lattice.oblong >= SQUARE > other.lattice.oblong  # it steps over empty rows or columns
            if not (one.walled or other.walled or stretched) and one.of_one_piece and not other.of_one_piece:
                return result  # what the other sees besides may stand anywhere
    for one, other, result in ((best, board, False), (board, best, True)):
        more = not has_start(other) or (_sees_start(one) and not _sees_start(other))
        if more and one.walled and is_closed(one) and not _is_part_of_closed(one, other):
            if _is_preview(one, other):
                continue  # the start of the larger one may be drawn in a way that is not known
            return result
    here, there = (sum(odds.probability(p.candidates) > 0.5 for p in one.places.values()) for one in (board, best))
    if best.full and (FEWER * here < there or (here < there and _part_of(board, best))):
        return False
    if board.full and (FEWER * there < here or (there < here and _part_of(best, board))):
        return True
    closer = MARGIN if best.walled and best.full and best.whole and not board.walled else 1.0
    return board.score > closer * best.score


def _is_preview(board: Board, other: Board) -> bool:
    """Whether a board is far smaller than another one beside it that has closed cells as well, nearly all of which are
    legible: it may show the next level, or an example."""
    if not other.walled or other.score < PREVIEW * board.score:
        return False
    legible = legible_among(other.places, other.closed)
    few = len(other.closed) - legible <= max(len(other.closed) // FEWEST, 1)
    return legible >= FEWEST and few and 2 * len(other.closed) > len(other.places) and not stands_in(board, other)


def _all_have_a_start(board: Board) -> bool:
    """Whether each connected part of a board has a place that may be a start."""
    return all(
        any(dict(board.places[cell].candidates).get("X", 0.0) >= odds.POSSIBLE for cell in group)
        for group in groups(board.places)
    )


def _is_part_of_closed(board: Board, other: Board) -> bool:
    """Whether all cells of a board of closed cells are closed cells of another one that has more: that a second look
    finds something in one of them does not disprove the others."""
    if not other.walled or len(board.places) >= len(other.closed):
        return False
    boxes = [other.places[cell].box for cell in other.closed]
    middles = [place.box.centre for place in board.places.values()]
    return has_all_of(other, board.lattice) and all(any(box.contains(spot) for box in boxes) for spot in middles)


def _sees_crosses_between(board: Board, other: Board) -> bool:
    """Whether a stretched board has all clear glyphs of a square one, and apart from them only what looks like an X:
    the gaps between discs do."""
    if not board.lattice.oblong >= SQUARE > other.lattice.oblong or board.walled or not sees_all_of(board, other):
        return False
    known = [place.content.box for place in _clear(other)]
    besides = [place for place in _clear(board) if not _among([place.content.box], known)]
    return len(besides) > 0 and all(place.candidates[0][0] == "X" for place in besides)


def _sees_walls_between(board: Board, other: Board) -> bool:
    """Whether a board has all clear numbers of another one, and apart from them, and from what the other takes for no
    number, only what looks like a 1, in rows or columns of which the other has no number: between broad cells walls
    stand like ones. A number that the other sees as well, and is only in doubt about, is no wall."""
    known = [place.content.box for place in _clear(other) if is_number(place)]
    seen = {cell: place for cell, place in board.places.items() if odds.probability(place.candidates) > 0.5}
    if board.walled or not known or not _among(known, [place.content.box for place in seen.values()]):
        return False
    numbers = [place.content.box for place in other.places.values() if is_number(place)]
    besides = [cell for cell, place in seen.items() if not _among([place.content.box], numbers)]
    walls = [cell for cell in besides if dict(board.places[cell].candidates).get("1", 0.0) >= odds.POSSIBLE]
    if len(walls) < FEWEST_WALLS or len(walls) < len(besides) - len(other.places) + len(numbers):
        return False
    return any(not {cell[by] for cell in walls} & {cell[by] for cell in seen.keys() - besides} for by in (0, 1))


def outnumbers(board: Board, other: Board) -> bool:
    """Whether a connected board sees more glyphs than another one, which steps over some of them (all glyphs that the
    other sees without walls are among the board's), or has several in one place."""
    glyphs, others = _clear(board), _clear(other)
    if not len(glyphs) > len(others) or board.spoiled:
        return False
    if _among([p.content.box for p in glyphs], [p.content.box for p in other.places.values() if not p.content.bare]):
        return False  # the other one sees them all, and is only in doubt about some
    if not other.walled and len(others) < FEWEST:  # any two glyphs give a lattice by themselves
        spots = [place.content.box.centre for place in others]
        within = all(any(place.box.contains(spot) for place in glyphs) for spot in spots)
        if is_fenced(board) or (board.of_one_piece and within):
            return True
    if not board.hangs_together:
        return False
    boxes = [place.content.box for place in glyphs]
    few = 2 * len(other.closed) <= len(other.places)  # cells of its own: perhaps starts
    few |= len(glyphs) >= TWICE * len(others)  # or those that chains hold
    if board.of_one_piece and (not other.walled or few) and _among([place.content.box for place in others], boxes):
        return True
    spots = [box.centre for box in boxes]
    for place in others:
        inside = [spot for spot in spots if place.box.contains(spot)]
        high = max((box.height for box in boxes), default=0)
        if len(inside) > 2 or any(np.ptp(inside, axis=0) > (DIGITS_APART * high, 0.5 * high) if inside else ()):
            return True
    return False


def sees_all_of(board: Board, other: Board) -> bool:
    """Whether another board has clear glyphs, and all of these are clear on this board as well."""
    mine, theirs = ([place.content.box for place in _clear(one)] for one in (board, other))
    return bool(theirs) and _among(theirs, mine)


def sees_more_than(board: Board, other: Board) -> bool:
    """Whether a connected board has all clear glyphs of another one, and further clear numbers. A start may have a mark
    beside its X, which only one of the two includes."""
    starts = [place for place in _clear(board) if likeliest(place) == "X"]
    theirs = [place for place in _clear(other) if not any(_is_around(place, start) for start in starts)]
    known = [place.content.box for place in _clear(other)]
    besides = [place for place in _clear(board) if not _among([place.content.box], known)]
    mine = [place.content.box for place in _clear(board)]
    seen = bool(known) and _among([place.content.box for place in theirs], mine)
    return seen and board.hangs_together and any(is_number(place) for place in besides)


def _is_around(place: Place, start: Place) -> bool:
    """Whether one board's start is the other board's start together with something beside it."""
    box, (x, y) = place.content.box, start.content.box.centre
    return likeliest(place) == "X" and box.contains((x, y)) and box.height > start.content.box.height


def is_crossed_beside(closed: Board, board: Board) -> bool:
    """Whether a board without walls, or of a few cells of the same lattice, is a part of one whose cells are closed:
    each of its glyphs stands in one of these cells, and drawn chains, which make glyphs hard to read, lead into
    others."""
    if len(closed.places) <= len(board.places) or (board.walled and not has_all_of(board, closed.lattice)):
        return False
    spots = [place.content.box.centre for place in board.places.values()]
    within = [[cell for cell, place in closed.places.items() if place.box.contains(spot)] for spot in spots]
    known = {cell for cells in within for cell in cells}
    if len(known) < len(spots) or not all(within):
        return False
    return any(
        not closed.places[cell].content.bare and closed.lines_into(cell) for cell in closed.places.keys() - known
    )


def is_fenced(board: Board) -> bool:
    """Whether most cells are known by walls or a colour of their own, and some are clear."""
    return (
        board.walled and 2 * len(board.closed) > len(board.places) and len(_clear(board)) >= FEWEST and has_start(board)
    )


def _clear(board: Board) -> list[Place]:
    """The places whose content is drawn and clear."""
    return [p for p in board.places.values() if odds.probability(p.candidates) > odds.LEGIBLE and not p.content.bare]


def _part_of(board: Board, other: Board) -> bool:
    """Whether all glyphs of a board without walls are glyphs of another one."""
    if board.walled or other.walled:
        return False
    mine, theirs = ([place.content.box for place in one.places.values()] for one in (board, other))
    return _among(mine, theirs)


def _among(some: Sequence[Box], others: Sequence[Box]) -> bool:
    """Whether each of some glyphs is one of the others."""
    if not some or not others:
        return not some
    mine, theirs = (np.array([(box.x, box.y, box.width, box.height) for box in boxes]) for boxes in (some, others))
    off = np.abs(mine[:, None] - theirs[None]).max(axis=2).min(axis=1)
    return bool((off <= np.maximum(SAME_MARK * mine[:, 3], 2)).all())


def has_all_of(board: Board, other: lattice.Lattice) -> bool:
    """Whether a lattice has nothing to add to a board: it is the same, or much smaller. A lattice with the board's
    cells and others between them is neither: the board may have every second cell only."""
    mine = board.lattice
    steps = mine.pitch_x / other.pitch_x, mine.pitch_y / other.pitch_y
    shift = (mine.x - other.x) / other.pitch_x, (mine.y - other.y) / other.pitch_y
    aligned = all(abs(v - round(v)) < 0.15 for v in (*steps, *shift)) and min(steps) > 0.5
    if aligned:
        return max(map(round, steps)) == 1
    return other.area < 0.4 * board.score and mine.oblong < SQUARE


def _is_icons_beside(board: Board, other: Board) -> bool:
    """Whether a board without a start is signs that are no digits, as icons of buttons are, and stands apart from
    another one, on which a start is read among numbers."""
    if not _is_of_signs(board) or _is_of_signs(other) or has_start(board) or not _sees_start(other):
        return False
    return not (stands_in(board, other) or stands_in(other, board))


def _is_of_signs(board: Board) -> bool:
    """Whether most of a board is signs that are no digits."""
    return 2 * sum(place.candidates[0][0] == tokens.UNKNOWN for place in board.places.values()) > len(board.places)


def _sees_start(board: Board) -> bool:
    """Whether an X is read somewhere, and no start is only guessed from its colour or a mark."""
    return any(token == "X" and p > MARKED for place in board.places.values() for token, p in place.candidates[:1])


def has_start(board: Board) -> bool:
    return any(place.candidates[0][0] == "X" for place in board.places.values())
