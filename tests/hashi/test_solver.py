"""The complete search: known answers, agreement with trying everything, deadlines."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings

from autoplayer.core.deadline import Deadline
from autoplayer.games.hashi.generator import generate
from autoplayer.games.hashi.puzzle import Puzzle, check, parse
from autoplayer.games.hashi.solver import _exactly, solutions, solve
from tests.hashi.brute_bridges import LEVELS, all_solutions, boards, packs

NO_TIME_TO_SPARE = 60.0

RING_OF_TWOS = "2.2.2.2\n.......\n2.2.2.2\n.......\n2.2.2.2\n.......\n2.2.2.2"
"""Every closed walk through all islands: the Hamiltonian cycles of a 4x4 grid, of which there are 6."""


@pytest.mark.parametrize(
    ("text", "status", "unique", "why"),
    [
        ("1.1", "solved", True, "two 1s alone are the whole board"),
        ("2.2", "solved", True, "two 2s too"),
        ("11", "solved", True, "islands may touch"),
        ("3.3", "no-solution", None, "no third link"),
        ("1", "no-solution", None, "nothing to join it with"),
        ("1.2", "no-solution", None, "an odd sum"),
        ("1.1\n...\n1.1", "no-solution", None, "each pair would be cut off"),
        ("2.2\n...\n2.2", "solved", True, "only the ring hangs together"),
        ("3.3\n...\n3.3", "solved", False, "doubles across or upright"),
        (".1.\n1.1\n.1.", "no-solution", None, "the only two bridges cross"),
        ("1..\n...\n..1", "no-solution", None, "out of sight of each other"),
        (RING_OF_TWOS, "solved", False, "the closed walks through a grid"),
        ("1.2.1", "solved", True, "the 1s are joined through the 2"),
        ("2.2.2.2", "no-solution", None, "the 2s at the ends would close in pairs"),
    ],
)
def test_known_answers(text, status, unique, why):
    puzzle = parse(text)
    outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
    assert (outcome.status, outcome.unique) == (status, unique), why
    assert outcome.solution is None or check(puzzle, outcome.solution) == []


@settings(max_examples=300, deadline=None)
@given(boards())
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


@settings(max_examples=100, deadline=None)
@given(boards(13))
def test_it_agrees_on_larger_boards(puzzle):
    assert set(solutions(puzzle, Deadline(NO_TIME_TO_SPARE))) == all_solutions(puzzle)


def test_counting_goes_on_to_the_number_asked_for():
    outcome = solve(parse(RING_OF_TWOS), time_limit=NO_TIME_TO_SPARE, most=1000)
    assert (outcome.found, outcome.exhausted, outcome.unique) == (6, True, False)
    outcome = solve(parse(RING_OF_TWOS), time_limit=NO_TIME_TO_SPARE, most=4)
    assert (outcome.found, outcome.exhausted, outcome.unique) == (4, False, False)


def test_larger_rings_are_counted_right():
    """A 6x6 grid has 1072 Hamiltonian cycles (OEIS A003763): thousands of models that fall apart lie between."""
    grid = Puzzle(tuple(tuple(2 * (r % 2 == 0 and c % 2 == 0) for c in range(11)) for r in range(11)))
    outcome = solve(grid, time_limit=NO_TIME_TO_SPARE, most=2000)
    assert (outcome.found, outcome.exhausted) == (1072, True)


def test_asked_for_one_solution_it_leaves_open_whether_there_is_another():
    outcome = solve(parse("3.3\n...\n3.3"), time_limit=NO_TIME_TO_SPARE, most=1)
    assert (outcome.status, outcome.unique, outcome.found, outcome.exhausted) == ("solved", None, 1, False)


@pytest.mark.parametrize("time_limit", [0.0, -1.0])
def test_no_time_is_a_timeout(time_limit):
    outcome = solve(parse(RING_OF_TWOS), time_limit=time_limit)
    assert (outcome.status, outcome.solution, outcome.unique) == ("timeout", None, None)


def test_no_time_for_a_second_solution_leaves_the_first():
    outcome = solve(parse(RING_OF_TWOS), time_limit=NO_TIME_TO_SPARE, second_limit=0.0)
    assert (outcome.status, outcome.unique) == ("solved", None)
    assert outcome.solution is not None


def test_a_very_large_board_keeps_the_deadline():
    grid = Puzzle(tuple(tuple(2 * (r % 2 == 0 and c % 2 == 0) for c in range(400)) for r in range(400)))
    assert solve(grid, time_limit=0.1).status == "timeout"


def test_an_island_s_clauses_leave_just_the_right_sums():
    """All ways to give bridges up to two links each, and what the clauses say of them."""
    for gaps in [(2,), (1, 2), (2, 2, 1), (2, 2, 2, 2)]:
        ways = [()]
        for gap in gaps:
            ways = [(*way, count) for way in ways for count in range(gap + 1)]
        for need in range(sum(gaps) + 1):
            for way in ways:
                holds = all(
                    any(way[at] > step if step >= 0 else way[at] <= -step - 1 for at, step in clause)
                    for clause in _exactly(need, gaps)
                )
                assert holds == (sum(way) == need), (gaps, need, way)


def test_a_board_that_needs_no_search_does_not_load_the_engine():
    """Loading it takes longer than solving such a board."""
    code = (
        "import sys; from autoplayer.games.hashi import GAME; "
        "assert GAME.solve(GAME.parse('1.2.1'), time_limit=60).unique; sys.exit('pysat' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(not LEVELS.exists(), reason="the level packs are not there")
@pytest.mark.parametrize(
    ("pack", "only_one", "several", "none"),
    [
        ("codingame.txt", 10, 4, 0),
        ("sgt_half.txt", 123, 0, 0),
        ("hcmus.txt", 44, 2, 0),
        ("tonivrbic.txt", 37, 5, 0),
        ("noelhuibers.txt", 18, 3, 3),
        ("clones.txt", 12, 2, 0),
        ("coelho2019_sample.txt", 0, 120, 0),
    ],
)
def test_level_packs(pack, only_one, several, none):
    """The counts are those that clingo comes to as well (``make bench``)."""
    seen = {True: 0, False: 0, None: 0}
    for name, text in packs(pack):
        puzzle = parse(text)
        outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
        assert outcome.status != "timeout", name
        assert outcome.solution is None or check(puzzle, outcome.solution) == [], name
        seen[outcome.unique] += 1
    assert seen == {True: only_one, False: several, None: none}


@pytest.mark.parametrize("side", [3, 9, 15, 25])
def test_a_chessboard_argument_refutes_what_clause_learning_cannot(side):
    """A grid of an odd side has no Hamiltonian cycle: one more of its cells is black than white."""
    grid = Puzzle(tuple(tuple(2 * (r % 2 == 0 and c % 2 == 0) for c in range(2 * side)) for r in range(2 * side)))
    assert solve(grid, time_limit=NO_TIME_TO_SPARE).status == "no-solution"


@pytest.mark.parametrize("side", [4, 10, 20])
def test_a_grid_of_an_even_side_has_many(side):
    grid = Puzzle(tuple(tuple(2 * (r % 2 == 0 and c % 2 == 0) for c in range(2 * side)) for r in range(2 * side)))
    assert solve(grid, time_limit=NO_TIME_TO_SPARE).unique is False


def test_a_digit_misread_leaves_no_solution():
    """The sum becomes odd."""
    puzzle = generate(9, 9, 4)
    for (r, c), number in puzzle.islands.items():
        rows = [list(row) for row in puzzle.rows]
        rows[r][c] = number % 8 + 1
        if (number % 8 + 1 - number) % 2:
            assert solve(Puzzle(tuple(map(tuple, rows))), time_limit=NO_TIME_TO_SPARE).status == "no-solution"
