"""The model of Hashi: its text forms, its bridges and its checker."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given

from autoplayer.core.errors import PuzzleError
from autoplayer.games.hashi import GAME, puzzle
from autoplayer.games.hashi.puzzle import (
    Link,
    Puzzle,
    check,
    faults,
    format_puzzle,
    parse,
    parse_codingame,
    replace,
    solution_from_json,
    solution_to_codingame,
    solution_to_json,
)
from tests.hashi.brute_bridges import all_solutions, boards, pairs


def test_the_examples_in_its_docstrings():
    assert doctest.testmod(puzzle).failed == 0


@given(boards())
def test_text_turns_back_into_an_equal_puzzle(puzzle):
    assert parse(format_puzzle(puzzle)) == puzzle
    size = f"{puzzle.width}\n{puzzle.height}\n"
    assert parse_codingame(size + format_puzzle(puzzle)) == puzzle


@given(boards(10))
def test_bridges_and_crossings_are_those_that_painting_shows(puzzle):
    painted = pairs(dict(puzzle.islands))
    assert [tuple(bridge) for bridge in puzzle.bridges] == sorted(pair for pair, _ in painted)
    between = dict(painted)
    for k, bridge in enumerate(puzzle.bridges):
        crossed = {j for j, other in enumerate(puzzle.bridges) if j != k and between[bridge] & between[other]}
        assert set(puzzle.crossings[k]) == crossed
        assert len(puzzle.crossings[k]) == len(crossed)
    for island, here in puzzle.at.items():
        assert list(here) == [k for k, bridge in enumerate(puzzle.bridges) if island in bridge]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2.2\n...\n1.1", "202\n000\n101"),
        ("# a name\n\n2.2\n...\n1.1\n", "2.2\n...\n1.1"),
        ("3\n3\n2.2\n...\n1.1", "2.2\n...\n1.1"),
        ("3\n1\n1.1", "1.1"),
        ("12\n2\n1..........1\n2..........2", "1..........1\n2..........2"),
    ],
)
def test_other_ways_to_write_a_board(text, same):
    assert parse(text) == parse(same)


def test_a_column_of_digits_is_no_size():
    """Only who knows that the text has the CodinGame form can tell it there."""
    assert parse_codingame("1\n3\n1\n.\n1") == parse("1\n.\n1")
    assert parse("1\n3\n1\n.\n1").height == 5
    assert parse("1\n1").rows == ((1,), (1,))
    assert parse("12\n21\n11").rows == ((1, 2), (2, 1), (1, 1))


@pytest.mark.parametrize(
    ("text", "row", "column", "words"),
    [
        ("", 0, 0, "empty"),
        ("# only a name\n", 0, 0, "empty"),
        ("2.9\n1.1", 1, 3, "found 9"),
        ("2.2\n.x.", 2, 2, "'x'"),
        ("2.2\n....", 2, 0, "expected 3 characters"),
        ("2 2\n1 1", 1, 2, "a space"),
        ("...\n...", 0, 0, "no island"),
        ("2.\x00", 1, 3, "no text"),
        ("2.٣", 1, 3, "'٣'"),
        ("3\n2\n2.2\n1..1", 4, 0, "expected 3 characters"),
        ("3\n3\n2.2\n1.1", 4, 0, "expected 3 rows"),
        ("3\n1\n2.2\n1.1", 4, 0, "there are 2"),
        ("\n".join(["1" * 600] * 600), 417, 0, "250000"),
    ],
)
def test_a_fault_is_named_with_its_place(text, row, column, words):
    with pytest.raises(PuzzleError) as caught:
        parse(text)
    assert (caught.value.row, caught.value.column) == (row, column)
    assert words in caught.value.message
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(("text", "words"), [("x\n3\n1.1", "width"), ("3\n0\n1.1", "height"), ("3", "ends before")])
def test_a_codingame_size_that_is_none_is_named(text, words):
    with pytest.raises(PuzzleError, match=words):
        parse_codingame(text)


@given(boards())
def test_what_solves_a_board_has_no_faults_and_survives_json(puzzle):
    for solution in all_solutions(puzzle):
        assert check(puzzle, solution) == []
        assert faults(puzzle) == []
        assert solution_from_json(solution_to_json(solution)) == solution
        assert len(solution_to_codingame(solution).splitlines()) == len(solution)


BOARD = parse("2.2\n...\n2.2")
TOP, LEFT, RIGHT, BOTTOM = ((0, 0), (0, 2)), ((0, 0), (2, 0)), ((0, 2), (2, 2)), ((2, 0), (2, 2))


@pytest.mark.parametrize(
    ("puzzle", "links", "words"),
    [
        (BOARD, [(*TOP, 2), (*BOTTOM, 2)], "not connected"),
        (BOARD, [(*TOP, 1), (*LEFT, 1), (*RIGHT, 1)], "has 1 links instead of 2"),
        (BOARD, [(*TOP, 3), (*BOTTOM, 2)], "carries 3 links"),
        (BOARD, [(*TOP, 0), (*BOTTOM, 2)], "carries 0 links"),
        (BOARD, [(*TOP, 1), (*TOP, 1), (*BOTTOM, 2)], "is there twice"),
        (BOARD, [(*TOP, 1), (*reversed(TOP), 1), (*BOTTOM, 2)], "is there twice"),
        (BOARD, [((0, 0), (2, 2), 1)], "neither along a row"),
        (BOARD, [((0, 0), (0, 0), 1)], "neither along a row"),
        (BOARD, [((0, 0), (0, 1), 1)], "where no island is"),
        (BOARD, [((0, 0), (0, 9), 1)], "where no island is"),
        (parse("1.1.1"), [((0, 0), (0, 4), 1)], "runs through the island at (0, 2)"),
        (parse(".1.\n1.1\n.1."), [((0, 1), (2, 1), 1), ((1, 0), (1, 2), 1)], "crosses the one from"),
    ],
)
def test_every_fault_of_a_solution_is_said(puzzle, links, words):
    assert any(words in fault for fault in check(puzzle, tuple(Link(*link) for link in links)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5.1\n...\n1..", "the island at (0, 0) needs 5 links, but its 2 neighbours can take 2 at most"),
        ("3.8", "needs 3 links, but its 1 neighbour can take 2"),
        ("1.1\n...\n.1.", "the island at (2, 1) needs 1 links, but it has none"),
        ("2.1", "add up to 3, which is odd"),
    ],
)
def test_what_makes_a_board_hopeless_is_said(text, words):
    assert any(words in fault for fault in faults(parse(text)))


def test_other_characters_in_some_places():
    assert format_puzzle(replace(parse("2.2"), {(0, 0): "1", (0, 2): ".", (0, 1): "1"})) == "11."
    for tokens, words in (({(0, 5): "1"}, "no place"), ({(0, 0): "9"}, "found 9"), ({(0, 0): "12"}, "one character")):
        with pytest.raises(PuzzleError, match=words):
            replace(parse("2.2"), tokens)


@pytest.mark.parametrize("data", [None, 3, [[0, 0, 1]], [["a", 0, 0, 1, 1]], [3]])
def test_json_of_another_shape_is_refused(data):
    with pytest.raises(PuzzleError, match="list of"):
        solution_from_json(data)


def test_links_from_json_are_put_in_order():
    assert solution_from_json([[2, 0, 0, 0, 1], [0, 2, 0, 0, 2]]) == (
        Link((0, 0), (0, 2), 2),
        Link((0, 0), (2, 0), 1),
    )


def test_the_contest_wants_columns_first():
    assert solution_to_codingame((Link((0, 1), (0, 3), 2), Link((0, 1), (4, 1), 1))) == "1 0 3 0 2\n1 0 1 4 1"


def test_a_solved_board_as_text():
    solution = GAME.solve(parse("1.2\n...\n..1"), time_limit=60).solution
    assert GAME.show(parse("1.2\n...\n..1"), solution).split() == ["1───2", "│", "│", "│", "1"]


def test_a_board_of_one_island_has_no_bridges():
    puzzle = Puzzle(((3,),))
    assert (puzzle.bridges, puzzle.crossings, dict(puzzle.at)) == ((), (), {(0, 0): ()})
