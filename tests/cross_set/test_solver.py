"""The complete search: known answers, agreement with trying everything, deadlines."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.cross_set import solver
from autoplayer.games.cross_set.generator import latin_square, maximal
from autoplayer.games.cross_set.puzzle import Puzzle, check, parse
from autoplayer.games.cross_set.solver import solutions, solve
from tests.cross_set.brute_squares import (
    LEVEL_2_8,
    LEVEL_3_4,
    SOLVED_2_8,
    SOLVED_3_4,
    all_solutions,
    boards,
    packs,
)

NO_TIME_TO_SPARE = 60.0


def open_board(size: int) -> Puzzle:
    """Every cell may be everything."""
    return Puzzle(((tuple(range(1, size + 1)),) * size,) * size)


@pytest.mark.parametrize(
    ("text", "status", "unique", "why"),
    [
        ("1", "solved", True, "the smallest board"),
        ("1 2\n2 1", "solved", True, "nothing to choose"),
        ("12 12\n12 12", "solved", False, "either way"),
        ("1 12\n12 12", "solved", True, "one number decides"),
        ("1 1\n2 2", "no-solution", None, "a row lacks a number"),
        ("1 2\n1 2", "no-solution", None, "a column lacks a number"),
        ("123 12 12\n12 123 12\n12 12 123", "solved", False, "the threes are fixed, the others turn"),
        ("12 12 3\n12 3 12\n12 12 3", "no-solution", None, "two threes in a column"),
        (LEVEL_2_8, "solved", True, "a real level"),
        (LEVEL_3_4, "solved", True, "a real level"),
    ],
)
def test_known_answers(text, status, unique, why):
    puzzle = parse(text)
    outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
    assert (outcome.status, outcome.unique) == (status, unique), why
    assert outcome.solution is None or check(puzzle, outcome.solution) == []


@pytest.mark.parametrize(("text", "solution"), [(LEVEL_2_8, SOLVED_2_8), (LEVEL_3_4, SOLVED_3_4)])
def test_known_solutions(text, solution):
    assert solve(parse(text), time_limit=NO_TIME_TO_SPARE).solution == solution


@settings(max_examples=150, deadline=None)
@given(boards(largest=5))
def test_it_agrees_with_trying_everything(puzzle):
    wanted = all_solutions(puzzle)
    found = list(solutions(puzzle, Deadline(NO_TIME_TO_SPARE)))
    assert len(found) == len(wanted)
    assert set(found) == wanted
    outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
    assert outcome.status == ("solved" if wanted else "no-solution")
    assert outcome.unique == (None if not wanted else len(wanted) == 1)
    assert outcome.found == min(len(wanted), 2)
    assert outcome.exhausted == (len(wanted) < 2)


@pytest.mark.parametrize(("size", "squares"), [(1, 1), (2, 2), (3, 12), (4, 576)])
def test_it_counts_the_latin_squares(size, squares):
    """The numbers of Latin squares are known (OEIS A002860)."""
    outcome = solve(open_board(size), time_limit=NO_TIME_TO_SPARE, most=1000)
    assert (outcome.found, outcome.exhausted, outcome.unique) == (squares, True, squares == 1)
    assert solve(open_board(3), time_limit=NO_TIME_TO_SPARE, most=5).found == 5


@pytest.mark.parametrize("largest", [0, 2])
def test_large_groups_are_said_in_another_way(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are on boards beyond 40x40; here all that are larger than ``largest``."""
    monkeypatch.setattr(solver, "PAIRWISE", largest)
    assert len(set(solutions(open_board(4), Deadline(NO_TIME_TO_SPARE)))) == 576
    for text, solution in ((LEVEL_2_8, SOLVED_2_8), (LEVEL_3_4, SOLVED_3_4)):
        assert list(solutions(parse(text), Deadline(NO_TIME_TO_SPARE))) == [solution]


def test_asked_for_one_solution_it_leaves_open_whether_there_is_another():
    outcome = solve(open_board(4), time_limit=NO_TIME_TO_SPARE, most=1)
    assert (outcome.status, outcome.unique, outcome.found, outcome.exhausted) == ("solved", None, 1, False)


def test_a_deadline_in_the_past_is_a_timeout():
    outcome = solve(parse(LEVEL_2_8), time_limit=0)
    assert (outcome.status, outcome.solution, outcome.unique) == ("timeout", None, None)
    with pytest.raises(OutOfTime):
        list(solutions(parse(LEVEL_2_8), Deadline(0)))


def test_a_second_solution_may_be_given_no_time():
    outcome = solve(open_board(6), time_limit=NO_TIME_TO_SPARE, second_limit=0)
    assert (outcome.status, outcome.unique, outcome.exhausted) == ("solved", None, False)


def test_a_large_square_with_holes_is_completed():
    size, random = 25, Random(1)
    square = latin_square(size, random)
    rows = tuple(
        tuple(tuple(range(1, size + 1)) if random.random() < 0.42 else (number,) for number in row) for row in square
    )
    outcome = solve(Puzzle(rows), time_limit=NO_TIME_TO_SPARE, most=1)
    assert outcome.status == "solved"
    assert check(Puzzle(rows), outcome.solution) == []


def test_every_level_of_the_packs_has_one_solution():
    for name, text in packs():
        puzzle = parse(text)
        outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
        assert outcome.unique is True, name
        assert check(puzzle, outcome.solution) == [], name


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(puzzle=boards(largest=5))
def test_large_boards_are_searched_in_attempts(puzzle, monkeypatch):
    """As every board were large, and the first attempts too short."""
    monkeypatch.setattr(solver, "MANY_VARIABLES", 0)
    monkeypatch.setattr(solver, "FIRST_CONFLICTS", 1)
    found = list(solutions(puzzle, Deadline(NO_TIME_TO_SPARE)))
    assert len(found) == len(set(found))
    assert set(found) == all_solutions(puzzle)


def test_a_maximal_board_is_searched_in_attempts(monkeypatch):
    puzzle = maximal(8, 8, 1)
    usual = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
    monkeypatch.setattr(solver, "MANY_VARIABLES", 0)
    monkeypatch.setattr(solver, "FIRST_CONFLICTS", 1)
    outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
    assert (outcome.solution, outcome.unique) == (usual.solution, True)
