"""Which of two boards explains a picture better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.core.frame import Box
from autoplayer.games.cardinal_chains.seeing.lattice import ranking
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import Board, Place
from autoplayer.vision import ink
from autoplayer.vision.lattice import Lattice

SIDE = 60


def board(walled: bool, pitch: float, glyphs: dict[int, tuple[str, float, Box]]) -> Board:
    """A board of one row, 40 pixels from the left; ``glyphs``: token, probability and box by the column."""
    cells = frozenset((0, c) for c in glyphs)
    size = SIDE - 4 if walled else 30
    found = Lattice(40 + SIDE / 2, 100, pitch, pitch, size, size, cells)
    places = {}
    for number, (c, (token, chance, box)) in enumerate(glyphs.items()):
        drawn, grey = np.ones((box.height, box.width), np.float32), np.zeros(3, np.float32)
        content = ink.Content(grey, drawn, box, grey + 200, 200.0, found.box((0, c)))
        rest = (("", 1 - chance),)
        places[0, c] = Place(content, found.box((0, c)), ((token, chance), *rest), number, False)
    return Board(found, walled, places, ranking.score(found, places, walled), True)


def glyph(column: int, width: int = 18) -> Box:
    return Box(round(40 + (column + 0.5) * SIDE - width / 2), 86, width, 28)


def test_two_glyphs_far_apart_are_no_better_a_board_than_the_cells_they_stand_in():
    """A pointer lies over one of four cells; the two glyphs beside it give a lattice of twice the pitch, whose places
    hold pieces of the walls as well."""
    cells = {0: ("8", 0.99, glyph(0)), 1: ("3", 0.14, glyph(1, 33)), 2: ("X", 0.99, glyph(2)), 3: ("2", 0.99, glyph(3))}
    four = board(True, SIDE, cells)
    two = board(False, 2 * SIDE, {0: ("8", 0.99, Box(40, 66, 94, 68)), 1: ("X", 0.99, Box(141, 66, 100, 68))})
    assert two.score > four.score
    assert ranking.beats(four, two)
    assert not ranking.beats(two, four)


def test_closed_cells_are_a_board_though_something_covers_one_of_them():
    """Two buttons far apart, one at either side of them, explained more of the picture."""
    cells = {0: ("X", 0.99, glyph(0)), 1: ("7", 0.31, glyph(1, 30))}
    five = board(True, SIDE, cells | {c: ("1", 0.99, glyph(c)) for c in (2, 3, 4)})
    signs = board(False, 4 * SIDE, {0: ("X", 0.99, Box(0, 66, 40, 68)), 1: ("4", 0.99, Box(360, 66, 40, 68))})
    assert ranking.is_closed(five)
    assert signs.score > five.score
    assert ranking.beats(five, signs)
    assert not ranking.beats(signs, five)


def test_two_glyphs_in_each_of_which_lies_more_than_one_are_no_better_a_board_than_all_of_them():
    """Of two rows of two, one row with pieces of the other: its places are larger, and hold less."""
    found = {0: ("1", 0.99, Box(41, 70, 55, 62)), 1: ("X", 0.99, Box(102, 70, 55, 62))}
    two, three = board(False, 2 * SIDE, found), board(False, SIDE, {c: ("2", 0.99, glyph(c)) for c in range(3)})
    three.places[0, 1] = replace(three.places[0, 1], candidates=(("X", 0.99), ("", 0.01)))
    assert two.score > three.score
    assert ranking.beats(three, two)
    assert not ranking.beats(two, three)


def test_signs_that_are_no_digits_are_no_better_a_board_than_legible_cells():
    """Incident: of a column of icons, a pause sign looked like an 11, and so all were taken for tally marks."""
    few = board(True, SIDE, {0: ("X", 0.99, glyph(0)), 1: ("2", 0.99, glyph(1)), 2: ("4", 0.99, glyph(2))})
    signs = board(True, SIDE, {c: ("?", 1.0, glyph(c)) for c in range(5, 10)})
    assert signs.score > few.score
    assert ranking.beats(few, signs)
    assert not ranking.beats(signs, few)


@pytest.mark.parametrize(("between", "numbers"), [(SIDE, True), (24, False)], ids=["two numbers", "one of two digits"])
def test_digits_that_stand_far_apart_are_two_numbers(between, numbers):
    """X 1 1 2, or X 11 2: the digits of one number stand close to one another."""
    middle = 40 + 2 * SIDE
    ones = [Box(round(middle + side * between / 2 - 5), 86, 10, 28) for side in (-1, 1)]
    four = board(False, SIDE, {0: ("X", 0.99, glyph(0)), 1: ("1", 0.99, ones[0]), 2: ("1", 0.99, ones[1])})
    both = Box(ones[0].x, 86, ones[1].x + 10 - ones[0].x, 28)
    three = board(False, 1.5 * SIDE, {0: ("X", 0.99, Box(30, 70, 66, 60)), 1: ("11", 0.99, both)})
    three = replace(three, lattice=replace(three.lattice, x=75.0))
    places = {cell: replace(place, box=three.lattice.box(cell)) for cell, place in three.places.items()}
    places[0, 2] = replace(places[0, 0], box=Box(300, 60, 90, 90), content=four.places[0, 0].content)
    three = replace(three, places=places)
    four.places[0, 3] = four.places[0, 0]
    assert ranking.outnumbers(four, three) is numbers


def test_more_glyphs_count_where_only_starts_have_a_colour_of_their_own():
    """Cells without walls, of which some that a chain has filled give a lattice: it must not hide the others."""
    tokens = ["X", "2", "2", "1", "3", "4"]
    seen = {c: (token, 0.99, glyph(c)) for c, token in enumerate(tokens)}
    filled = board(True, SIDE, {c: seen[c] for c in range(4)})
    filled = replace(filled, lattice=replace(filled.lattice, cells=frozenset({(0, 0), (0, 1)})), whole=False)
    every = board(False, SIDE, seen)
    every = replace(every, score=0.5 * filled.score)
    assert ranking.beats(every, filled)
    assert not ranking.beats(filled, every)


@pytest.mark.parametrize("besides", ["X", "3"])
def test_crosses_that_a_stretched_board_sees_between_the_cells_of_a_square_one_are_gaps(besides: str) -> None:
    """Incident: the gaps between discs looked like an X, and a board with starts between all its numbers was read."""
    tokens = ["2", "2", "X", "1"]
    square = board(False, 2 * SIDE, {c: (token, 0.99, glyph(2 * c)) for c, token in enumerate(tokens)})
    every = {2 * c: (token, 0.99, glyph(2 * c)) for c, token in enumerate(tokens)}
    every |= {2 * c + 1: (besides, 0.99, glyph(2 * c + 1)) for c in range(3)}
    stretched = board(False, SIDE, dict(sorted(every.items())))
    stretched = replace(stretched, lattice=replace(stretched.lattice, pitch_y=2 * SIDE))
    assert ranking.beats(square, stretched) is (besides == "X")
    assert ranking.beats(stretched, square) is (besides != "X")


@pytest.mark.parametrize("walls", [3, 4])
def test_four_walls_between_broad_cells_are_no_ones_and_three_may_be_some(walls: int) -> None:
    every = {2 * c: (token, 0.99, glyph(2 * c)) for c, token in enumerate("23X24")}
    cells = board(True, 2 * SIDE, {c // 2: seen for c, seen in every.items()})
    every |= {2 * c + 1: ("1", 0.99, glyph(2 * c + 1, 8)) for c in range(walls)}
    finer = replace(board(False, SIDE, dict(sorted(every.items()))), score=2 * cells.score)
    assert ranking.beats(finer, cells) is (walls == 3)
    assert ranking.beats(cells, finer) is (walls == 4)


def test_ones_that_a_finer_board_is_only_in_doubt_about_are_no_walls() -> None:
    """Incident: a finer lattice saw no start, and so a column of ones as perhaps letters; the board that was sure of
    them was given up for it."""
    sure = {c: ("X" if c == 4 else "1", 0.99, glyph(2 * c)) for c in range(9)}
    cells = board(False, 2 * SIDE, sure)
    finer = board(False, SIDE, {2 * c: ("1", 0.6 if c > 4 else 0.99, box) for c, (_, _, box) in sure.items() if c != 4})
    assert ranking.beats(cells, finer)
    assert not ranking.beats(finer, cells)


def test_an_x_is_the_same_start_though_one_board_sees_the_mark_in_its_corner_with_it():
    """Incident: closed cells were taken for all of a board, though more numbers stood beside them, for the start of
    these was not seen elsewhere in just the same box."""
    numbers = {c: ("1", 0.99, glyph(c)) for c in (1, 2, 3)}
    corner = Box(glyph(0).x - 16, glyph(0).y - 14, 34, 42)
    closed = board(True, SIDE, {0: ("X", 0.99, corner), **numbers})
    further = board(False, SIDE, {0: ("X", 0.99, glyph(0)), **numbers, 4: ("2", 0.99, glyph(4))})
    assert ranking.sees_more_than(further, closed)
    assert not ranking.sees_more_than(further, board(True, SIDE, {0: ("3", 0.99, corner), **numbers}))


def test_some_of_the_closed_cells_are_no_better_a_board_though_only_in_them_a_start_is_seen():
    """Incident: the cells of one chain, in which an S was taken for a start, were played as the board; among all closed
    cells it may be a 5."""
    five = {c: ("5" if c == 2 else "1", 0.99, glyph(c)) for c in range(6)}
    every = board(True, SIDE, five)
    every.places[0, 2] = replace(every.places[0, 2], candidates=(("5", 0.7), ("X", 0.3)))
    part = board(True, SIDE, {c: ("X" if c == 2 else "1", 0.99, glyph(c)) for c in (1, 2, 3)})
    assert not ranking.beats(part, every)
    assert ranking.beats(every, part)
    alone = replace(every, lattice=replace(every.lattice, x=every.lattice.x + SIDE / 2))
    assert ranking.beats(part, alone)


def test_a_start_that_is_guessed_hangs_together_with_the_numbers() -> None:
    """Incident: a letter was as good as a start in a board of nine cells, which for that was no board of one piece. Of
    its rows the first one was played alone, whose tiles had been found."""
    numbers = {c: ("1", 0.99, glyph(c)) for c in range(4)}
    assert board(False, SIDE, numbers | {4: ("X", 0.9, glyph(4))}).hangs_together
    assert not board(False, SIDE, numbers | {4: ("7", 0.9, glyph(4))}).hangs_together
    assert not board(False, SIDE, numbers).hangs_together


def test_a_board_that_doubts_what_another_one_sees_does_not_step_over_it():
    """Incident: a board that saw the first row, lower than the others, as it was, and was in doubt about it, lost
    against one that had taken but a single start of it."""
    glyphs = {c: ("X" if c == 0 else "2", 0.99, glyph(c)) for c in range(5)}
    four = board(False, SIDE, {c: glyphs[c] for c in range(4)})
    five = board(False, SIDE, glyphs)
    doubted = {cell: ranking.perhaps_none(place) if cell[1] > 1 else place for cell, place in five.places.items()}
    assert ranking.outnumbers(four, board(False, 2 * SIDE, {0: glyphs[0], 1: ("2", 0.99, glyph(2))}))
    assert not ranking.outnumbers(four, replace(five, places=doubted))
