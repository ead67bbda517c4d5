"""The text format and the checker of Cardinal Chains."""

from __future__ import annotations

import pytest
from hypothesis import given

from autoplayer.core.errors import PuzzleError
from autoplayer.games.cardinal_chains.puzzle import (
    check,
    format_puzzle,
    parse,
    solution_from_json,
    solution_to_json,
)
from tests.cardinal_chains.brute_chains import all_solutions, boards


@given(boards())
def test_text_turns_back_into_an_equal_puzzle(puzzle):
    assert parse(format_puzzle(puzzle)) == puzzle


def test_both_ways_to_write_starts_and_holes_are_the_same_board():
    assert parse("X 1\n. 2") == parse("0 1\n-1 2") == parse("# a name\n\nx  1\n.\t2\n\n")


@pytest.mark.parametrize(
    ("text", "row", "column", "words"),
    [
        ("", 0, 0, "empty"),
        ("# only a name\n", 0, 0, "empty"),
        ("X 1 a\n1 1 1", 1, 3, "'a'"),
        ("X 1\n1 2 3", 2, 0, "expected 2 cells"),
        ("X 1\n1", 2, 0, "expected 2 cells"),
        ("1 1\n1 1", 0, 0, "no start"),
        (f"X {'9' * 300}", 1, 2, "300 digits"),
        ("X 1\n-2 1", 2, 1, "'-2'"),
        ("X 1.5", 1, 2, "'1.5'"),
        ("X 00", 1, 2, "positive"),
        ("X ٣", 1, 2, "'٣'"),
        ("X \x00", 1, 2, "no text"),
        ("X " + "1 " * 20_000, 1, 0, "more than 10000 places"),
    ],
)
def test_a_fault_is_named_with_its_place(text, row, column, words):
    with pytest.raises(PuzzleError) as caught:
        parse(text)
    assert (caught.value.row, caught.value.column) == (row, column)
    assert words in caught.value.message
    assert len(caught.value.message) < 200


@given(boards(most_cells=9))
def test_what_solves_a_board_has_no_faults_and_survives_json(puzzle):
    for solution in all_solutions(puzzle):
        assert check(puzzle, solution) == []
        assert solution_from_json(solution_to_json(solution)) == solution


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        ((((0, 0), (0, 1)),), "no chain covers (1, 0)"),
        ((((0, 0), (0, 1), (1, 0), (1, 1)),), "jumps"),
        ((((0, 0), (0, 1), (1, 1), (1, 0)),), "descends from 3"),
        ((((0, 1), (0, 0)),), "is no start"),
        ((((0, 0), (1, 0), (1, 1), (2, 1)),), "no cell"),
        ((((0, 0), (1, 0), (0, 0)),), "covers already"),
        ((), "no chain begins"),
    ],
)
def test_the_checker_names_what_is_wrong(solution, words):
    assert any(words in fault for fault in check(parse("X 1\n2 3"), solution))


@pytest.mark.parametrize("data", [None, 3, [[1]], [[[1, 2, 3]]], [[["a", 2]]], "chain"])
def test_a_solution_of_another_shape_is_refused(data):
    with pytest.raises(PuzzleError, match="list of chains"):
        solution_from_json(data)
