"""The drawn board: where its colours stand."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.games.cardinal_chains.picture import CELL, PALETTE, PAPER, draw, pitch_of
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.games.cardinal_chains.solver import solve


def at(image, puzzle, row, column):
    """The colour (RGB) in the middle between a cell's centre and its upper edge, where no figure stands."""
    pitch = pitch_of(puzzle)
    return tuple(int(part) for part in image[int((row + 0.76) * pitch), int((column + 1) * pitch), ::-1])


def near(left, right):
    return max(abs(a - b) for a, b in zip(left, right, strict=True)) <= 6


def test_chains_lie_under_the_numbers_and_holes_are_absent():
    puzzle = parse("X 2 .\nX 1 1")
    plain = draw(puzzle)
    drawn = draw(puzzle, solve(puzzle, time_limit=10).solution)
    assert plain.dtype == np.uint8
    assert plain.shape == drawn.shape == (3 * pitch_of(puzzle), 4 * pitch_of(puzzle), 3)
    assert near(at(plain, puzzle, 0, 1), CELL)
    assert near(at(drawn, puzzle, 0, 1), PALETTE[0])
    assert near(at(drawn, puzzle, 1, 2), PALETTE[1])
    for image in (plain, drawn):
        assert near(at(image, puzzle, 0, 2), PAPER)
        assert near(at(image, puzzle, 0, 0), PALETTE[0])
        assert near(at(image, puzzle, 1, 0), PALETTE[1])


def test_a_number_is_ink_in_its_cell():
    image = draw(parse("X 1 88 123456789"))
    pitch = pitch_of(parse("X 1 88 123456789"))
    for column in (1, 2, 3):
        cell = image[pitch // 2 : pitch * 3 // 2, pitch // 2 + column * pitch : pitch // 2 + (column + 1) * pitch]
        assert (cell.max(axis=2) < 110).sum() > 20


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 30), (30, 30)])
def test_every_size_has_a_picture(height, width):
    puzzle = Puzzle(tuple(tuple(int((r, c) != (0, 0)) for c in range(width)) for r in range(height)))
    image = draw(puzzle, solve(puzzle, time_limit=60).solution)
    assert image.shape == ((height + 1) * pitch_of(puzzle), (width + 1) * pitch_of(puzzle), 3)
    assert pitch_of(puzzle) >= 24


def test_more_chains_than_colours_still_differ_from_their_neighbours():
    puzzle = Puzzle((tuple([0] * 20),))
    image = draw(puzzle)
    colours = [at(image, puzzle, 0, column) for column in range(20)]
    assert len(set(colours)) == 20


def test_a_wrong_solution_is_drawn_as_well():
    puzzle = parse("X 1\n1 1")
    draw(puzzle, (((0, 0), (5, 5), (1, 1)), ()))
