"""Lists of levels beside a board: boxes with consecutive numbers, of which a person chooses one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

import numpy as np

from autoplayer.core.frame import Cell, Image, around
from autoplayer.games.cardinal_chains.seeing.glyphs import odds, tokens
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, Place
from autoplayer.vision import glyphs
from autoplayer.vision.views import View

LISTED, COUNTING = 12, 0.9
"""So many numbers are a calendar, or a list of levels, if this share of them exceeds the number before it by the number
of places between, in reading order."""

FEW, MOST_HIDDEN = 6, 12
"""So many are a list if they stand in several rows and columns and are the numbers from 1 on; and how many more a row
may have than the window shows."""

STRIP, OTHER_PITCH = 4, 0.1
"""So many are a row or column of levels if their distance differs from that of the board's cells by this share."""

FEWEST_IN_LINE = 3
"""So many are levels if one of them is marked: 1 X 3, or 2 3 beside a mark, is hardly the whole of a board."""

MORE_KEYS = 3
"""How many of a keypad's other keys may look like numbers, a slash like a 1."""

ALL = 0.8
"""The share of a window's edges that are in the rectangle around a list of levels beside which there is no board."""


def is_one(board: Board) -> bool:
    """Whether a board that was found is a list of levels."""
    return bool(counts_on(board.places)) or (board.walled and _numbers_its_places(_possible(board.places)))


def counts_on(places: Mapping[Cell, Place]) -> int:
    """The number of numbers, if they are consecutive in reading order; else 0. Between them there may be things that
    are no legible number: a lock, or a number beside some stars. Of a place's candidates, the consecutive number is
    taken: if no start is seen, an 8 may be a B."""
    numbers: list[tuple[int, int]] = []
    for at, (_, place) in enumerate(sorted(places.items())):
        said = [int(token) for token, p in place.candidates if token.isdigit() and p >= odds.POSSIBLE]
        expected = numbers[-1][1] + at - numbers[-1][0] if numbers else 1
        if expected in said or place.candidates[0][0].isdigit():
            numbers.append((at, expected if expected in said else int(place.candidates[0][0])))
    counting = sum(later - earlier == b - a for (a, earlier), (b, later) in pairwise(numbers))
    return len(numbers) if len(numbers) >= LISTED and counting >= COUNTING * (len(numbers) - 1) else 0


def is_keypad(places: Mapping[Cell, Place]) -> bool:
    """Whether the numbers of a board are those of a keypad, 1 to 9 in three rows, from above or from below, and at most
    ``MORE_KEYS`` more. No level is like that: a chain that leaves one of the rows comes to no other."""
    said = {cell: token for cell, place in places.items() if (token := place.candidates[0][0]).isdigit()}
    return 9 <= len(said) <= 9 + MORE_KEYS and any(
        all(said.get((row + down * (k // 3), column + k % 3)) == str(k + 1) for k in range(9))
        for (row, column), token in said.items()
        if token == "1"
        for down in (1, -1)
    )


def beside(seen: Mapping[Cell, tokens.Glyph]) -> set[Cell]:
    """The outer rows or columns of a lattice that are a list of levels: at least two of them, and the rest is a board.
    Of a list that the window's edge cuts off, only the first numbers of each row are seen."""
    possible = _possible(seen)
    if not seen or _numbers_its_places(possible):
        return set()  # a list by itself
    for by in (1, 0):
        lines = sorted({cell[by] for cell in seen})
        for count in range(len(lines) - 2, 1, -1):
            for some, cut_off in ((lines[-count:], True), (lines[:count], False)):
                block = {cell: said for cell, said in possible.items() if cell[by] in some}
                if _numbers_its_places(block, cut_off=cut_off):
                    return set(block)
    return set()


def _possible(seen: Mapping[Cell, tokens.Glyph] | Mapping[Cell, Place]) -> dict[Cell, set[str]]:
    """What each place may hold."""
    return {cell: {token for token, p in one.candidates if p >= odds.POSSIBLE} for cell, one in seen.items()}


def _numbers_its_places(possible: Mapping[Cell, Collection[str]], *, cut_off: bool = False) -> bool:
    """Whether some places in several rows and columns hold the numbers from 1 on, row by row or column by column, and
    nothing else: each number occurs only once, which is hardly so in any part of a board. ``cut_off``: the first
    numbers of each row or column are enough."""
    (top, bottom), (left, right) = ((min(line), max(line)) for line in zip(*possible, strict=True))
    if len(possible) < FEW or top == bottom or left == right:
        return False
    if len(set().union(*possible.values())) < COUNTING * len(possible):
        return False  # each number occurs only once
    most_others = len(possible) - COUNTING * len(possible)

    def counts(down: int, across: int) -> bool:
        others = 0
        first = 1 - down * top - across * left
        for (row, column), said in possible.items():  # most parts of boards differ in their first few places
            others += str(first + down * row + across * column) not in said
            if others > most_others:
                return False
        return True

    more = MOST_HIDDEN if cut_off else 1
    return any(counts(right - left + extra, 1) or counts(1, bottom - top + extra) for extra in range(1, more + 1))


def is_strip(places: Mapping[Cell, Place]) -> bool:
    """Whether some places are one row or column with the numbers from 1 on, which may be levels, or cells of a board
    that a chain fills."""
    if len(places) < STRIP or min(len({cell[by] for cell in places}) for by in (0, 1)) > 1:
        return False
    said = [place.candidates for _, place in sorted(places.items())]
    return all(some[0][0] == str(k) for k, some in enumerate(said, 1))


def has_one_chosen(places: Mapping[Cell, Place]) -> bool:
    """Whether some places are one row or column of consecutive numbers in which something like a start stands instead
    of one number: levels, the chosen one of which is marked. A chain would have to leave such a start both ways, or
    the board would begin with a number above 1, as a board may whose start shows an X."""
    if len(places) < FEWEST_IN_LINE or min(len({cell[by] for cell in places}) for by in (0, 1)) > 1:
        return False
    said = [place.candidates[0][0] for _, place in sorted(places.items())]
    firsts = {int(token) - at for at, token in enumerate(said) if token.isdigit()}
    counts = said.count("X") == 1 and sum(map(str.isdigit, said)) == len(said) - 1 and len(firsts) == 1
    return counts and min(firsts) > 0 and not (said[0] == "X" and _shows_an_x(places[min(places)]))


def _shows_an_x(place: Place) -> bool:
    """Whether a place's ink is an X, and not a number that was taken for a start by its colour."""
    said = glyphs.read_numbers([] if place.content.bare else [place.content.ink])
    return any(odds.possible(options).get("X", 0.0) > odds.LEGIBLE for options in said)


def cuts_through(board: Board, strip: Board) -> bool:
    """Whether a board includes some of a strip whose distances differ from those of the board's cells."""
    by = 0 if len({cell[0] for cell in strip.places}) > 1 else 1
    own, other = ((one.lattice.pitch_y, one.lattice.pitch_x)[by] for one in (board, strip))
    return abs(other / own - 1) > OTHER_PITCH and (stands_among(board, strip) or stands_among(strip, board))


def stands_among(board: Board, others: Board) -> bool:
    """Whether part of a board lies within the bounding rectangle of another one."""
    around_all = around([place.box for place in others.places.values()])
    return any(around_all.contains(place.box.centre) for place in board.places.values())


def is_all(view: View, listed: Board) -> bool:
    """Whether nearly everything drawn in a window is a list of levels: then there is no board beside it."""
    drawn = view.strength > view.threshold
    within = around([place.box for place in listed.places.values()]).crop(drawn)
    return float(within.sum()) >= ALL * max(float(drawn.sum()), 1.0)


def without(image: Image, listed: Board) -> Image:
    """``image`` with a list of levels and the walls around it painted over in the commonest colour of its rim."""
    found = listed.lattice
    reach = 2 + round(max(found.pitch_x - found.width, found.pitch_y - found.height) / 2)
    hidden_at = around([place.box for place in listed.places.values()], reach)
    bare = image.copy()
    hidden = hidden_at.crop(bare)
    rim = np.concatenate([hidden[0], hidden[-1], hidden[:, 0], hidden[:, -1]])
    colours, counts = np.unique(rim, axis=0, return_counts=True)
    hidden[...] = colours[counts.argmax()]
    return bare
