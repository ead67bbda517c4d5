"""The complete search: known answers, agreement with trying everything, deadlines."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from autoplayer.core.deadline import Deadline, OutOfTime
from autoplayer.games.cardinal_chains.generator import generate
from autoplayer.games.cardinal_chains.puzzle import Puzzle, check, parse
from autoplayer.games.cardinal_chains.rules import explain
from autoplayer.games.cardinal_chains.solver import shared_out, solutions, solve
from autoplayer.search.sat import Sat, Verdict, enumerate_solutions
from tests.cardinal_chains.brute_chains import LEVELS, all_solutions, boards, packs

LEVEL_333 = """
3 . 3 3 3 3 .
3 3 3 3 3 3 X
3 3 3 3 3 3 .
3 3 3 3 3 3 3
3 3 3 3 3 3 3
. 3 3 3 3 3 3
"""

NO_TIME_TO_SPARE = 60.0


def open_board(height: int, width: int, *starts: tuple[int, int]) -> Puzzle:
    """All numbers equal, no holes."""
    return Puzzle(tuple(tuple(int((r, c) not in starts) for c in range(width)) for r in range(height)))


@pytest.mark.parametrize(
    ("text", "status", "unique", "why"),
    [
        (LEVEL_333, "solved", True, "the level on which the published search took nearly a minute"),
        ("X", "solved", True, "a start alone is a chain"),
        ("X X\nX X", "solved", True, "four of them"),
        ("X 1 2", "solved", True, "one way"),
        ("1 X 1", "no-solution", None, "a chain cannot go both ways"),
        ("X 2 1", "no-solution", None, "nothing may descend"),
        ("X . 1", "no-solution", None, "a cell that nothing reaches"),
        ("X . 1 1\n. . 1 1", "no-solution", None, "a ring of cells that only a closed loop would cover"),
        ("X 1\n1 1", "solved", False, "around either way"),
        ("1 X 1\n1 1 1\n1 1 1", "no-solution", None, "the start has the colour of the fewer cells"),
        ("X 1 X", "solved", False, "from either side"),
    ],
)
def test_known_answers(text, status, unique, why):
    puzzle = parse(text)
    outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
    assert (outcome.status, outcome.unique) == (status, unique), why
    assert outcome.solution is None or check(puzzle, outcome.solution) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("X 1 2 3\nX 1 2 3", "one chain could take all"),
        ("X 1 1\n. . X\n. . 1\n. . X", "one start's only neighbour is another one's, which has to take a third's end"),
    ],
)
def test_no_start_is_left_without_a_chain_where_that_can_be_helped(text, why):
    """Incident: a window waited for a start to be begun that the solution did not need."""
    puzzle = parse(text)
    solution = solve(puzzle, time_limit=NO_TIME_TO_SPARE).solution
    assert solution is not None
    assert check(puzzle, solution) == []
    assert min(map(len, solution)) > 1, why


def test_a_start_that_nothing_is_left_for_stays_alone():
    taken = shared_out((((0, 0), (0, 1), (0, 2)), ((1, 2), (2, 2)), ((3, 2),)))
    assert taken == (((0, 0), (0, 1)), ((1, 2), (0, 2)), ((3, 2), (2, 2)))
    alone = (((0, 0), (0, 1)), ((0, 2),))
    assert shared_out(alone) == alone


@settings(max_examples=200, deadline=None)
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


def test_counting_goes_on_to_the_number_asked_for():
    puzzle = open_board(4, 5, (0, 0))
    everything = all_solutions(puzzle)
    outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE, most=1000)
    assert (outcome.found, outcome.exhausted, outcome.unique) == (len(everything), True, False)
    assert solve(puzzle, time_limit=NO_TIME_TO_SPARE, most=7).found == 7


def test_asked_for_one_solution_it_leaves_open_whether_there_is_another():
    outcome = solve(parse("X 1 2"), time_limit=NO_TIME_TO_SPARE, most=1)
    assert (outcome.status, outcome.unique, outcome.found, outcome.exhausted) == ("solved", None, 1, False)


def test_a_board_without_a_start_has_no_solution():
    """The parser lets such a board pass to a reader that is not sure of a start yet."""
    for text in ("1 1\n1 1", "1 2", "1"):
        assert solve(parse(text, starts_needed=False), time_limit=NO_TIME_TO_SPARE).status == "no-solution"
        assert explain(parse(text, starts_needed=False))[-1].rule == "contradiction"


@pytest.mark.parametrize("time_limit", [0.0, -1.0])
def test_no_time_is_a_timeout(time_limit):
    outcome = solve(parse(LEVEL_333), time_limit=time_limit)
    assert (outcome.status, outcome.solution, outcome.unique) == ("timeout", None, None)


def test_no_time_for_a_second_solution_leaves_the_first():
    outcome = solve(parse(LEVEL_333), time_limit=NO_TIME_TO_SPARE, second_limit=0.0)
    assert (outcome.status, outcome.unique) == ("solved", None)
    assert outcome.solution is not None


@pytest.mark.parametrize("side", [12, 20, 30])
@pytest.mark.parametrize("start", [(0, 0), (4, 4), (5, 8)])
def test_large_open_boards_by_the_chessboard(side, start):
    """On an even board any start will do; on an odd one only a start on the colour of the corners."""
    outcome = solve(open_board(side, side, start), time_limit=NO_TIME_TO_SPARE)
    assert (outcome.status, outcome.unique) == ("solved", False)
    odd = solve(open_board(side + 1, side + 1, start), time_limit=NO_TIME_TO_SPARE)
    assert odd.status == ("solved" if sum(start) % 2 == 0 else "no-solution")


def test_two_halls_joined_by_a_door_on_the_wrong_colour():
    """21x15 with a wall: each hall must be filled by one stretch of the chain, and the door's colour decides."""
    for door, status in ((0, "solved"), (1, "no-solution")):
        rows = [[1] * 21 for _ in range(15)]
        for r in range(15):
            rows[r][10] = 1 if r == door else None  # type: ignore[call-overload]
        rows[0][0] = 0
        assert solve(Puzzle(tuple(map(tuple, rows))), time_limit=NO_TIME_TO_SPARE).status == status


@pytest.mark.skipif(not LEVELS.exists(), reason="the level packs are not there")
def test_level_packs():
    kinds = {"solved": 0, "no-solution": 0}
    uniques = {True: 0, False: 0}
    for name, text in packs("zx.txt"):
        puzzle = parse(text)
        outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
        assert outcome.status == "solved", name
        assert check(puzzle, outcome.solution) == [], name
        uniques[outcome.unique] += 1
    assert uniques == {True: 311, False: 2}
    for name, text in packs("clones.txt", "synthetic_hard.txt"):
        puzzle = parse(text)
        outcome = solve(puzzle, time_limit=NO_TIME_TO_SPARE)
        kinds[outcome.status] += 1
        assert outcome.solution is None or check(puzzle, outcome.solution) == [], name
    assert kinds["no-solution"] == 5


def test_one_more_number_raised_leaves_no_way():
    """A generated board whose only solution is cut in one place has none."""
    puzzle = generate(7, 7, 3)
    chain = max(solve(puzzle, time_limit=NO_TIME_TO_SPARE).solution, key=len)
    rows = [list(row) for row in puzzle.rows]
    for r, c in chain[1:-1]:
        rows[r][c] = max(puzzle.cells.values()) + 1
    assert solve(Puzzle(tuple(map(tuple, rows))), time_limit=NO_TIME_TO_SPARE).status == "no-solution"


class TestEngine:
    """The SAT engine below the solver, on numbers alone."""

    @pytest.mark.parametrize("engine", ["glucose4", "minisat22", "cadical153", "cadical195"])
    def test_the_deadline_holds_in_the_midst_of_a_search(self, engine):
        """Twelve pigeons in eleven holes keep any clause learner busy for long."""
        with Sat(pigeons(12), engine=engine) as sat, pytest.raises(OutOfTime):
            sat.solve(Deadline(0.2))

    def test_a_budget_of_conflicts_ends_a_search(self):
        with Sat(pigeons(12)) as sat:
            assert sat.solve(Deadline(math.inf), conflicts=50) is None

    def test_no_model_is_false_and_an_empty_clause_makes_it_so(self):
        with Sat(pigeons(4)) as sat:
            assert sat.solve(Deadline(math.inf)) is False
        with Sat([[1, 2]]) as sat:
            assert sat.solve(Deadline(math.inf))
            sat.add([[]])
            assert sat.solve(Deadline(math.inf)) is False

    def test_all_models_come_once(self):
        with Sat([[1, 2, 3]]) as sat:
            found = list(enumerate_solutions(sat, lambda m: Verdict([tuple(m)], [[-x for x in m]]), Deadline(math.inf)))
        assert len(found) == len(set(found)) == 7

    def test_a_verdict_that_lets_its_model_pass_is_refused(self):
        with Sat([[1, 2]]) as sat, pytest.raises(ValueError, match="breaks"):
            list(enumerate_solutions(sat, lambda m: Verdict([], []), Deadline(math.inf)))


def pigeons(count: int) -> list[list[int]]:
    """``count`` pigeons in one hole less, each in a hole of its own."""
    holes = count - 1
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(count)]
    clauses = list(at)
    for hole in range(holes):
        clauses += [[-at[a][hole], -at[b][hole]] for a in range(count) for b in range(a)]
    return clauses
