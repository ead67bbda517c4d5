"""New boards: one solution, as asked for, and the same again."""

from __future__ import annotations

from random import Random

import pytest

from autoplayer.core.errors import UsageError
from autoplayer.games.cross_set.generator import generate, latin_square, maximal
from autoplayer.games.cross_set.puzzle import Puzzle, check, faults
from autoplayer.games.cross_set.solver import solve


def assert_one_solution(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
    outcome = solve(puzzle, time_limit=60)
    assert (outcome.status, outcome.unique) == ("solved", True)
    assert outcome.solution is not None
    assert check(puzzle, outcome.solution) == []
    assert faults(puzzle) == []
    return outcome.solution


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8, 9, 12, 25])
def test_boards_are_like_those_of_the_game(size):
    puzzles = [generate(size, size, seed) for seed in range(6 if size < 10 else 1)]
    for puzzle in puzzles:
        solution = assert_one_solution(puzzle)
        assert puzzle.size == size
        assert all(1 <= len(cell) <= 5 for row in puzzle.rows for cell in row)
        active = tuple(tuple(cell[0] for cell in row) for row in puzzle.rows)
        assert active != solution, "there is something to do"
    assert len(set(puzzles)) == len(puzzles)


def test_easy_and_hard_boards_are_made():
    """The mean number of candidates differs from seed to seed."""
    means = [sum(len(cell) for row in generate(7, 7, seed).rows for cell in row) / 49 for seed in range(20)]
    assert min(means) < 2.5
    assert max(means) > 3.5


def test_the_same_seed_gives_the_same_board():
    for make in (generate, maximal):
        assert make(6, 6, 3) == make(6, 6, 3)
        assert make(6, 6, 3) != make(6, 6, 4)


@pytest.mark.parametrize("size", [3, 4, 6])
def test_nothing_can_be_added_to_a_maximal_board(size):
    puzzle = maximal(size, size, 1)
    assert_one_solution(puzzle)
    for r, row in enumerate(puzzle.rows):
        for c, cell in enumerate(row):
            for number in set(range(1, size + 1)) - set(cell):
                more = (*row[:c], (*cell, number), *row[c + 1 :])
                wider = Puzzle((*puzzle.rows[:r], more, *puzzle.rows[r + 1 :]))
                assert solve(wider, time_limit=60).unique is False


@pytest.mark.parametrize("size", [1, 2, 3, 8, 25])
def test_latin_squares_are_latin(size):
    square = latin_square(size, Random(size))
    whole = set(range(1, size + 1))
    assert all(set(line) == whole for line in (*square, *zip(*square, strict=True)))
    assert size < 3 or square != latin_square(size, Random(size + 1))


def test_all_latin_squares_come_up():
    assert len({latin_square(3, Random(seed)) for seed in range(300)}) == 12


@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (1, 1), (2, 2), (0, 0), (-3, -3), (26, 26), (100_000, 100_000)])
def test_sizes_that_cannot_be_are_refused(rows, columns):
    for make in (generate, maximal):
        with pytest.raises(UsageError, match="asked for"):
            make(rows, columns, 1)


def test_a_maximal_board_has_a_size_of_its_own():
    with pytest.raises(UsageError, match="3 to 9"):
        maximal(10, 10, 1)
