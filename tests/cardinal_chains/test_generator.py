"""Generated puzzles: one solution, deterministic, of many kinds."""

from __future__ import annotations

import pytest

from autoplayer.core.errors import UsageError
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import format_puzzle, parse
from autoplayer.games.cardinal_chains.solver import solve
from tests.cardinal_chains.brute_chains import all_solutions


@pytest.mark.parametrize(
    ("rows", "columns", "seeds"), [(1, 2, 3), (2, 1, 3), (1, 30, 3), (2, 2, 5), (3, 5, 8), (7, 7, 10), (9, 14, 2)]
)
def test_one_solution_and_the_size_asked_for(rows, columns, seeds):
    for seed in range(seeds):
        puzzle = generate(rows, columns, seed)
        assert (puzzle.height, puzzle.width) == (rows, columns)
        assert solve(puzzle, time_limit=60).unique is True
        assert parse(format_puzzle(puzzle)) == puzzle
        if rows * columns <= 15:
            assert len(all_solutions(puzzle)) == 1


def test_a_large_one():
    assert solve(generate(20, 20, 3), time_limit=60).unique is True


def test_equal_arguments_give_equal_puzzles_and_other_seeds_others():
    assert generate(6, 6, 1) == generate(6, 6, 1)
    assert len({generate(6, 6, seed) for seed in range(10)}) == 10


def test_variety():
    made = [generate(7, 7, seed) for seed in range(25)]
    assert {len(puzzle.starts) for puzzle in made} >= {1, 2, 3, 4}
    assert len({max(puzzle.cells.values()) for puzzle in made}) >= 4
    assert len({len(puzzle.cells) for puzzle in made}) >= 3
    chains = [chain for puzzle in made for chain in solve(puzzle, time_limit=60).solution]
    assert all(len(chain) > 1 for chain in chains)


def test_wishes_are_met():
    for seed in range(4):
        puzzle = generate(8, 8, seed, starts=3, holes=0.25, highest=9)
        assert len(puzzle.starts) == 3
        assert len(puzzle.cells) == 48
        assert max(puzzle.cells.values()) <= 9


@pytest.mark.parametrize(
    ("rows", "columns", "wishes", "words"),
    [
        (0, 5, {}, "5x0"),
        (5, -1, {}, "-1x5"),
        (1, 1, {}, "one place"),
        (31, 5, {}, "5x31"),
        (5, 5, {"starts": 0}, "0 was asked"),
        (5, 5, {"starts": 13}, "13 was asked"),
        (5, 5, {"holes": 0.9}, "0.9"),
        (5, 5, {"highest": 100}, "100"),
        (6, 6, {"starts": 1, "highest": 1, "holes": 0.0}, "higher numbers"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(rows, columns, wishes, words):
    with pytest.raises(UsageError, match=words):
        generate(rows, columns, 1, **wishes)
