"""Generated puzzles: one solution, deterministic, of many kinds."""

from __future__ import annotations

import pytest

from autoplayer.core.errors import UsageError
from autoplayer.games.hashi.generator import LARGEST, generate
from autoplayer.games.hashi.puzzle import format_puzzle, parse
from autoplayer.games.hashi.solver import solve
from tests.hashi.brute_bridges import all_solutions


@pytest.mark.parametrize(
    ("rows", "columns", "seeds"),
    [(1, 2, 3), (2, 1, 3), (1, 9, 5), (2, 2, 5), (2, 9, 5), (3, 3, 8), (5, 4, 8), (7, 7, 20), (15, 15, 5), (8, 20, 3)],
)
def test_one_solution_and_the_size_asked_for(rows, columns, seeds):
    for seed in range(seeds):
        puzzle = generate(rows, columns, seed)
        assert (puzzle.height, puzzle.width) == (rows, columns)
        assert solve(puzzle, time_limit=60).unique is True
        assert parse(format_puzzle(puzzle)) == puzzle
        if len(puzzle.islands) <= 10:
            assert len(all_solutions(puzzle)) == 1


@pytest.mark.parametrize(("rows", "columns"), [(1, 7), (2, 6), (5, 5), (7, 7), (12, 9)])
def test_no_outer_row_or_column_is_water_alone(rows, columns):
    """A reader could not tell from a picture that such a row is there."""
    for seed in range(10):
        islands = generate(rows, columns, seed).islands
        assert {min(r for r, _ in islands), min(c for _, c in islands)} == {0}
        assert (max(r for r, _ in islands), max(c for _, c in islands)) == (rows - 1, columns - 1)


def test_a_large_one():
    puzzle = generate(40, 40, 1)
    assert solve(puzzle, time_limit=60).unique is True
    assert len(puzzle.islands) > 300


def test_equal_arguments_give_equal_puzzles_and_other_seeds_others():
    assert generate(6, 6, 1) == generate(6, 6, 1)
    assert len({generate(6, 6, seed) for seed in range(10)}) == 10


def test_density_and_variety():
    made = [generate(10, 10, seed) for seed in range(20)]
    assert all(20 <= len(puzzle.islands) <= 30 for puzzle in made)
    assert {n for puzzle in made for n in puzzle.islands.values()} == set(range(1, 9))
    solved = [solve(puzzle, time_limit=60).solution for puzzle in made]
    assert {link.links for solution in solved for link in solution} == {1, 2}
    assert any(len(solution) >= len(puzzle.islands) for puzzle, solution in zip(made, solved, strict=True)), "no rings"


def test_wishes_are_met():
    def beside(puzzle):
        return any((r, c + 1) in puzzle.islands or (r + 1, c) in puzzle.islands for r, c in puzzle.islands)

    assert not any(beside(generate(8, 8, seed)) for seed in range(10))
    assert any(beside(generate(8, 8, seed, touching=True)) for seed in range(10))
    sparse = [len(generate(12, 12, seed, islands=0.1).islands) for seed in range(5)]
    # The outer rows and columns may need an island each beyond the share.
    assert all(14 <= count <= 18 for count in sparse)


@pytest.mark.parametrize(
    ("rows", "columns", "wishes", "words"),
    [
        (0, 5, {}, "5x0"),
        (5, -1, {}, "-1x5"),
        (1, 1, {}, "one place"),
        (LARGEST + 1, 5, {}, f"5x{LARGEST + 1}"),
        (5, 5, {"islands": 0.0}, "0.0 was asked"),
        (5, 5, {"islands": 0.9}, "0.9 was asked"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(rows, columns, wishes, words):
    with pytest.raises(UsageError, match=words):
        generate(rows, columns, 1, **wishes)
