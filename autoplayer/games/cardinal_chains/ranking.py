"""A board that was seen on one lattice, and which of two boards explains the picture better."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from autoplayer.core.frame import Box, Cell
from autoplayer.games.cardinal_chains import tokens
from autoplayer.vision import ink, lattice

STRANGE = 0.45
"""How probable it is that what looks like a number, but has no walls where all others have, is no part of the board."""

UNMARKED = 0.9
"""How probable it is that a place of another colour, without a number, is a start, where no X is seen at all."""

MARKED = 0.94
"""The same, where some of the places of another colour have a mark in their middle: for those; the others are holes."""

MANY, FEWER = 8, 3
"""A board with so many cells, nearly all legible, is not left for one with less than a third of them, and not at all
for one whose glyphs are some of its own (as every second cell of a board without walls is)."""

MARGIN = 1.25
"""How much more of the picture a board without walls explains than a full one with walls, beside which nothing stands,
to be preferred."""

SAME_MARK = 0.15
"""Two boards see the same glyph where its box differs by no more than this share of its height."""


@dataclass(frozen=True)
class Place:
    """A place of the lattice that holds something, with what it may be: ``(token, probability)``, best first.
    ``cluster``: the same number for places that hold the same token, whichever it is."""

    content: ink.Content
    box: Box
    candidates: tokens.Candidates
    cluster: int
    told: bool
    """Whether the layout's own pictures say so."""


@dataclass(frozen=True)
class Board:
    lattice: lattice.Lattice
    walled: bool
    places: dict[Cell, Place]
    score: float
    whole: bool
    """Whether nothing that might be a cell stands beside it."""

    @property
    def full(self) -> bool:
        """Whether it has many cells that hang together, nearly all of them legible."""
        legible = sum(tokens.probability(place.candidates) > 0.5 for place in self.places.values())
        beside = sum(any(near in self.places for near in around(cell)) for cell in self.places)
        return legible >= MANY and min(legible, beside) >= 0.9 * len(self.places) and has_start(self)


def around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def score(found: lattice.Lattice, places: dict[Cell, Place], walled: bool) -> float:
    """How much of the picture a board explains: the area of its legible cells, less that of the others.

    By area, not by number: two digits read as a cell each must not beat the one cell that they stand in. A walled
    cell's area is its own, and a glyph's not much larger than the glyph, so that a lattice through two boxes far
    apart explains no more than those.
    """
    legible = sum(1 if tokens.probability(place.candidates) > 0.5 else -1 for place in places.values())
    most = (1.6 * found.width, 1.6 * found.height) if walled else (3.5 * found.height,) * 2
    across, down = min(found.pitch_x, most[0]), min(found.pitch_y, most[1])
    # Where few cells have walls of their own, those may be the starts' colours on a board without walls.
    trust = 1.0 if walled and 2 * len(found.cells & places.keys()) > len(places) else 0.8
    return legible * across * down * trust * (1.0 if found.oblong < 1.25 else 0.6)


def legible_among(places: Mapping[Cell, Place], cells: AbstractSet[Cell]) -> int:
    """In how many of some cells there is something that is more likely a number or a start than anything else."""
    return sum(tokens.probability(places[cell].candidates) > 0.5 for cell in cells & places.keys())


def is_number(place: Place) -> bool:
    return tokens.probability(place.candidates) > 0.5 and place.candidates[0][0] != "X"


def convincing(board: Board) -> bool:
    """Whether looking for a better lattice is a waste of time: enough walled cells with something legible in most, or
    enough glyphs that are beyond doubt."""
    chances = [tokens.probability(place.candidates) for place in board.places.values()]
    legible, sure = sum(p > 0.5 for p in chances), sum(p > tokens.LEGIBLE for p in chances)
    if not board.whole or not any(
        p >= UNMARKED for place in board.places.values() for t, p in place.candidates if t == "X"
    ):
        return False
    own = len(board.lattice.cells & board.places.keys())
    if not board.walled:
        # A few discs of starts give a lattice as well, but glyphs are not as high as those, and are overlooked.
        return 3 * own >= len(chances) and board.lattice.oblong < 1.25 and sure >= 8 and sure >= 0.95 * len(chances)
    if len(board.lattice.cells) >= 6 and legible >= 0.85 * len(chances):
        return True
    # Few boxes among many glyphs are every second cell, perhaps.
    many = sure >= 8 and sure >= 0.95 * len(chances) and 8 * len(board.lattice.cells) > len(chances)
    # Where only starts have a colour, the cells between them have none.
    numbers = any(board.places[cell].candidates[0][0] != "X" for cell in board.lattice.cells & board.places.keys())
    return many or (numbers and sure == len(chances) and 2 * own > len(chances))


def is_closed(board: Board) -> bool:
    """Whether cells are known by walls or a colour of their own on all sides, as all are then. Where only starts have a
    colour, other cells stand beside them."""
    if not board.walled or not has_start(board):
        return False
    own = [place.candidates for cell, place in board.places.items() if cell in board.lattice.cells]
    if 2 * len(own) <= len(board.places) or any(tokens.probability(options) < 0.5 for options in own):
        return False
    return any(options[0][0] != "X" for options in own)


def stands_in(board: Board, closed: Board) -> bool:
    """Whether a board found by its glyphs alone has some in the cells of a closed one."""
    spots = [place.content.box.centre for place in board.places.values()]
    return any(place.box.contains(spot) for place in closed.places.values() for spot in spots)


def doubted_beside(board: Board, closed: Board) -> Board:
    """A board found by its glyphs alone, in doubt about those that stand beside the cells of a closed one."""
    places = {
        cell: place
        if any(other.box.contains(place.content.box.centre) for other in closed.places.values())
        else perhaps_none(place)
        for cell, place in board.places.items()
    }
    return replace(board, places=places)


def perhaps_none(place: Place) -> Place:
    """The same, in doubt whether it is any part of the board, unless the layout says so."""
    if place.told:
        return place
    rest = [(token, (1 - STRANGE) * p) for token, p in place.candidates if token]
    nothing = 1 - sum(p for _, p in rest)
    return replace(place, candidates=tuple(sorted([*rest, ("", nothing)], key=lambda pair: -pair[1])))


def beats(board: Board, best: Board) -> bool:
    """Whether a board explains the picture better than the best one so far."""
    for one, other, result in ((best, board, False), (board, best, True)):
        if one.walled and is_closed(one) and (not has_start(other) or (_sees_start(one) and not _sees_start(other))):
            return result
    here, there = (sum(tokens.probability(p.candidates) > 0.5 for p in one.places.values()) for one in (board, best))
    if best.full and (FEWER * here < there or (here < there and _part_of(board, best))):
        return False
    if board.full and (FEWER * there < here or (there < here and _part_of(best, board))):
        return True
    closer = MARGIN if best.walled and best.full and best.whole and not board.walled else 1.0
    return board.score > closer * best.score


def _part_of(board: Board, other: Board) -> bool:
    """Whether all glyphs of a board without walls are glyphs of another one."""
    if board.walled or other.walled:
        return False
    mine, theirs = (
        np.array(
            [(box.x, box.y, box.width, box.height) for box in (place.content.box for place in one.places.values())]
        )
        for one in (board, other)
    )
    off = np.abs(mine[:, None] - theirs[None]).max(axis=2).min(axis=1)
    return bool((off <= np.maximum(SAME_MARK * mine[:, 3], 2)).all())


def has_all_of(board: Board, other: lattice.Lattice) -> bool:
    """Whether a lattice has nothing to add to a board: it is the same one, or much smaller. One with the board's cells
    and others between them is neither: the board may be every second cell only."""
    mine = board.lattice
    steps = mine.pitch_x / other.pitch_x, mine.pitch_y / other.pitch_y
    shift = (mine.x - other.x) / other.pitch_x, (mine.y - other.y) / other.pitch_y
    aligned = all(abs(v - round(v)) < 0.15 for v in (*steps, *shift)) and min(steps) > 0.5
    if aligned:
        return max(map(round, steps)) == 1
    return other.area < 0.4 * board.score and mine.oblong < 1.25


def _sees_start(board: Board) -> bool:
    """Whether an X is read somewhere, and no start only guessed from its colour or a mark."""
    return any(token == "X" and p > MARKED for place in board.places.values() for token, p in place.candidates[:1])


def has_start(board: Board) -> bool:
    return any(place.candidates[0][0] == "X" for place in board.places.values())
