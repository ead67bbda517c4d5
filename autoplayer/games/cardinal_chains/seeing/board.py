"""Finds the board in a picture of any window: the lattice of its cells, and which places of the lattice are cells.

A cell is a place of the lattice in which a number or an X stands; all other places are holes. Several lattices are
tried (``growth``) and read (``places``); the one that explains most of the picture wins (``ranking``). Glyphs are
classified by ``tokens``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING

from autoplayer.core.frame import Image
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, tokens
from autoplayer.games.cardinal_chains.seeing.lattice import level_lists, ranking
from autoplayer.games.cardinal_chains.seeing.lattice.growth import MOST_CELLS, Growth
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, legible_among
from autoplayer.games.cardinal_chains.seeing.lattice.sides import walls
from autoplayer.games.cardinal_chains.seeing.places import read_places
from autoplayer.vision import lattice
from autoplayer.vision.views import View, crowded, smoothed, stages

if TYPE_CHECKING:
    from autoplayer.layout import BoardTable

REFITS = 2
"""How often a lattice that is known from a few boxes is fitted to its glyphs."""

FEWEST_BESIDE = 3
"""A board beside a list of levels has at least so many legible cells: the X of a calculator has a 1 below it, which is
its slash."""

LEAST_PITCH = 6.0
"""Pixels: the least pitch at which digits are legible. A lattice fitted to a few odd marks may have none at all."""

INSIDE = 0.88
"""The share of a cell's side that is inside its walls, if a person has given the board's position."""


def find(image: Image, eyes: tokens.Eyes, elsewhere: Callable[[], bool] | None = None) -> Board | None:
    """The board that explains most of ``image`` (BGR), with the candidates of each cell, as ``eyes`` see it; None if no
    lattice holds anything, and if ``elsewhere`` says that another method has found the board: that is called once, if
    no walls were found around it. If there is a list of levels that may have disturbed the reading, or that was
    taken for the board, the board beside it is read once more without the list."""
    best, listed, mingled = _find(image, eyes, elsewhere)
    if best is not None and level_lists.has_one_chosen(best.places):
        best, listed, mingled = None, best, True
    if listed is None or not mingled:
        return best or listed
    alone, _, _ = _find(level_lists.without(image, listed), eyes)
    alone, best = (None if one is not None and _is_of_keys(one) else one for one in (alone, best))
    if alone is not None and best is None and not alone.walled and not _enough(alone):
        return listed  # the digits of a score, perhaps
    if alone is not None and best is not None and not level_lists.stands_among(best, listed):
        return alone if _enough(alone) or alone.score > best.score else best
    return alone or best or listed


def _find(
    image: Image, eyes: tokens.Eyes, elsewhere: Callable[[], bool] | None = None
) -> tuple[Board | None, Board | None, bool]:
    """The board that explains most of ``image``, a list of levels in it, and whether boards were rejected because they
    contain some of the list."""
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
            if board is not None and board.walled and level_lists.is_strip(board.places):
                strip = board
            if board is not None and level_lists.is_one(board):
                # A list of levels may stand beside the board; everything within the list's rectangle belongs to it.
                listed = _larger(board, listed)
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
                continue  # only an extension of the best board is looked for
            if board is not None and closed is not None and ranking.outnumbers(board, closed):
                closed = None
            if board is not None and not board.walled and closed is not None and ranking.stands_in(board, closed):
                if not closed.whole and ranking.sees_more_than(board, closed):
                    further = _larger(board, further)
                board = None if closed.whole else ranking.doubted_beside(board, closed)
            if board is None:
                continue
            if board.walled and (most is None or len(board.closed) > len(most.closed)):
                most = board
            if best is None or ranking.beats(board, best):
                best = board
            closed = _larger(board, closed) if ranking.is_closed(board) else closed
            fenced = _larger(board, fenced) if ranking.is_fenced(board) else fenced
        if best is not None and (ranking.convincing(best) if view.coarse else _enough(best)):
            break
        if best is None and listed is not None and (_enough(listed) or level_lists.is_all(view, listed)):
            mingled = not level_lists.is_all(view, listed)
            break
    best = _beside_others(best, most, fenced, further) if best is not None else None
    if best is not None and strip is not None and level_lists.cuts_through(best, strip):
        return best, strip, True
    return best, listed, mingled


def _larger(board: Board, other: Board | None) -> Board:
    return board if other is None or board.score > other.score else other


def _beside_others(best: Board, most: Board | None, fenced: Board | None, further: Board | None) -> Board:
    """The ``best`` board, with a doubt about what it has beyond another one: the one with the ``most`` closed cells,
    the ``fenced`` one, and one that was seen ``further`` than closed cells."""
    if most is not None and ranking.is_crossed_beside(most, best):
        best = most
    goes_on = fenced is not None and not best.walled and ranking.sees_all_of(best, fenced)
    if fenced is not None and goes_on and not ranking.outnumbers(best, fenced):
        best = ranking.doubted_beside(best, fenced)  # the walls end where it does not
    in_part = best.walled and not best.whole
    if further is not None and in_part and ranking.sees_more_than(further, best):
        best = ranking.doubted_beside(further, best)  # only the cells that chains hold may have colours
    return best


def _is_of_keys(board: Board) -> bool:
    """Whether what was found beside a list of numbers is too small for a board: the list is a keypad."""
    return legible_among(board.places, board.places.keys()) < FEWEST_BESIDE


def _enough(board: Board) -> bool:
    """Whether a board is convincing, though more of it may be seen by looking more closely."""
    return ranking.convincing(replace(board, partial=False) if board.partial else board)


def find_at(image: Image, table: BoardTable, eyes: tokens.Eyes) -> Board | None:
    """The board at the position that a person has given; None if nothing is there."""
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
    return read_places(view, found, growth, eyes)


def _look(view: View, found: lattice.Lattice, eyes: tokens.Eyes, *, again: int = REFITS) -> Board | None:
    """Reads every place of a lattice and grows it as long as its neighbours are cells of the same kind. A lattice that
    is known from a few boxes only is fitted to all its glyphs, at most ``again`` times."""
    if min(found.pitch_x, found.pitch_y) < LEAST_PITCH:
        return None
    growth = Growth(view, found)
    within = (growth.ringed or growth.flanked) and growth.look_within()
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
    board = read_places(view, found, growth, eyes)
    if board is not None and (coarser := _coarser(board)) is not None:
        return _look(view, coarser, eyes, again=again) or board
    exact = growth.fitted() if again and board is not None else None
    other = _look(view, exact, eyes, again=again - 1) if exact is not None else None
    if board is None or other is None:
        return board
    before, after = (legible_among(one.places, one.places.keys()) for one in (board, other))
    return other if after >= before else board


def _coarser(board: Board) -> lattice.Lattice | None:
    """The lattice of every second row or column (or of every third, and so on) if everything legible is on it, and
    nothing between its places is legible; else None."""
    found = board.lattice
    clear = {cell for cell, place in board.places.items() if odds.probability(place.candidates) > 0.5}
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
