"""The model of Cross Set: its text format, what it says of wrong text and hopeless boards, and its checker."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.core.errors import PuzzleError
from autoplayer.games.cross_set import GAME, puzzle
from autoplayer.games.cross_set.puzzle import (
    Puzzle,
    check,
    faults,
    format_puzzle,
    parse,
    replace,
    show,
    solution_from_json,
    solution_to_json,
)
from tests.cross_set.brute_squares import (
    LEVEL_2_8,
    LEVEL_3_4,
    SOLVED_2_8,
    SOLVED_3_4,
    all_solutions,
    boards,
    packs,
)

TEN = "\n".join(" ".join(["1,2,10", *["10,3"] * 9]) for _ in range(10))


def test_the_examples_in_its_docstrings():
    assert doctest.testmod(puzzle).failed == 0


@settings(deadline=None)
@given(boards(largest=11))
def test_text_comes_back(board):
    assert parse(format_puzzle(board)) == board


def test_the_order_of_the_candidates_is_kept():
    assert parse("21 1\n2 12").rows == (((2, 1), (1,)), ((2,), (1, 2)))


def test_beyond_nine_numbers_are_parted_by_commas():
    board = parse(TEN)
    assert board.rows[0][:2] == ((1, 2, 10), (10, 3))
    assert format_puzzle(board) == TEN


def test_commas_are_understood_on_small_boards_too():
    assert parse("2,1 1\n1 1,2") == parse("21 1\n1 12")


def test_comments_and_blank_lines_are_passed_over():
    assert parse("# 1-1\n\n 12 1 \n# the second row\n 1 12\n") == parse("12 1\n1 12")


@pytest.mark.parametrize(
    ("text", "row", "column", "words"),
    [
        ("", 0, 0, "the text is empty"),
        ("12 1 2\n1 2", 2, 0, "expected 3 cells in this row, as in the rows above it, but it has 2"),
        ("12 1\n1 2\n1 2", 3, 0, "expected 2 rows, as many as columns, but here is one more"),
        ("12 1 3\n1 2 3", 2, 0, "expected 3 rows, as many as columns, but there are 2"),
        ("12 1", 1, 0, "expected 2 rows, as many as columns, but there is 1"),
        ("12 1\n1 23", 2, 2, "expected candidates from 1 to 2 on a board with 2 columns, but found 3 in '23'"),
        ("12 0\n1 2", 1, 2, "expected candidates from 1 to 2"),
        ("12 1\n1 212", 2, 2, "the candidate 2 stands twice in '212'"),
        ("12 .\n1 2", 1, 2, "this cell has no candidate ('.')"),
        ("12 1a\n1 2", 1, 2, "expected digits from 1 to 2, but found '1a'"),
        ("1, 2\n2 1", 1, 1, "expected numbers with commas between, but found '1,'"),
        ("1,,2 2\n2 1", 1, 1, "expected numbers with commas between"),
        ("1\u00b2 2\n2 1", 1, 1, "expected digits"),
        ("\x01 2\n2 1", 1, 1, "what is no text"),
        (TEN.replace("10,3", "310", 1), 1, 2, "larger than 9x9 commas part candidates"),
        ("9" * 400, 1, 1, "expected candidates from 1 to 1"),
        ("1,2 " * 100, 1, 0, "the board has 100 columns, and 99 is the most"),
    ],
)
def test_wrong_text_is_refused_with_its_place(text, row, column, words):
    with pytest.raises(PuzzleError) as caught:
        parse(text)
    assert (caught.value.row, caught.value.column) == (row, column)
    assert words in caught.value.message
    assert len(caught.value.message) < 200


def test_tokens_can_be_replaced():
    board = parse("21 1\n1 12")
    assert replace(board, {(1, 1): "21"}) == parse("21 1\n1 21")
    assert replace(board, {}) == board
    for cell, token in {(2, 0): "1", (0, -1): "1", (0, 0): "13", (0, 1): "."}.items():
        with pytest.raises(PuzzleError):
            replace(board, {cell: token})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12 12 3\n3 13 13\n2 13 123", ["no cell of row 2 can be 2"]),
        (
            "4 4 123 123\n123 123 4 123\n123 123 4123 4\n1234 1234 1234 1234",
            ["r1c1 and r1c2, both in row 1, can only be 4"],
        ),
        (
            "12 21 12 1234\n1234 1234 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234",
            ["r1c1, r1c2 and r1c3, all in row 1, can only be 1 and 2, fewer numbers than cells"],
        ),
        ("12 12\n12 12", []),
    ],
)
def test_hopeless_boards_are_named(text, said):
    assert faults(parse(text)) == said


@settings(deadline=None)
@given(boards())
def test_a_board_with_a_solution_has_no_faults(board):
    solutions = all_solutions(board)
    assert not (solutions and faults(board))
    assert not (solutions and GAME.faults(board))


def test_the_rules_are_not_asked_why_a_board_has_no_solution_that_is_solved_at_once(monkeypatch):
    def contradiction(_puzzle):
        pytest.fail("the board has a solution")

    monkeypatch.setattr("autoplayer.games.cross_set.rules.contradiction", contradiction)
    assert GAME.faults(parse("13 23 34 42\n24 1 2 43\n24 3 4 21\n32 24 14 24")) == []


def test_a_contradiction_that_only_the_rules_see_is_named():
    board = parse(LEVEL_3_4.replace("512 534", "52 534", 1).replace("45 53 312", "45 53 42", 1))
    assert all_solutions(board) == set()
    assert faults(board) == []
    (said,) = GAME.faults(board)
    assert said.startswith("once the rules have ruled out what they can, ")
    assert "column" in said or "row" in said


@settings(deadline=None)
@given(boards())
def test_the_checker_knows_the_solutions(board):
    for solution in all_solutions(board):
        assert check(board, solution) == []
        swapped = (*solution[1:], solution[0])
        assert bool(check(board, swapped)) == (swapped not in all_solutions(board))


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        (((2, 1), (1, 2)), []),
        (((1, 2), (2, 1)), ["r1c2 holds 2, which is none of its candidates"]),
        (((2, 1), (2, 1)), ["column 1 does not hold 1", "column 1 holds 2 times 2"]),
        (((2, 2), (1, 2)), ["r1c2 holds 2, which is none of its candidates", "row 1 does not hold 1"]),
        (((2, 1),), ["the solution has 1 rows, and the board has 2"]),
        (((2, 1), (1,)), ["row 2 of the solution has 1 numbers, and the board has 2 columns"]),
    ],
)
def test_the_checker_says_what_is_wrong(solution, said):
    found = check(parse("21 1\n12 12"), solution)
    assert found[: len(said)] == said if said else found == []


def test_known_levels():
    assert check(parse(LEVEL_2_8), SOLVED_2_8) == []
    assert check(parse(LEVEL_3_4), SOLVED_3_4) == []


def test_a_solution_is_shown_with_its_candidates():
    assert show(parse(LEVEL_2_8), SOLVED_2_8).splitlines()[0].startswith("2 7 4 5 1 6 3    51[2] [7]36 ")


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(-5, 50))))
def test_solutions_come_back_from_json(rows):
    assert solution_to_json(solution_from_json(rows)) == rows


@pytest.mark.parametrize("data", [None, 3, "12", {"a": 1}, [1], [["1"]], [[1.5]], [[True]], [[None]]])
def test_other_json_is_refused(data):
    with pytest.raises(PuzzleError):
        solution_from_json(data)


def test_every_level_of_the_packs_is_well_formed():
    for name, text in packs():
        board = parse(text)
        assert parse(format_puzzle(board)) == board, name
        assert faults(board) == [], name


def test_puzzles_are_values():
    assert len({parse(LEVEL_2_8), Puzzle(parse(LEVEL_2_8).rows)}) == 1
