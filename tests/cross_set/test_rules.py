"""The named deductions: each fires where it should, never takes a solution away, and the real levels need no search."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from autoplayer.games.cross_set.chains import forcing_chain, forcing_net
from autoplayer.games.cross_set.puzzle import Puzzle, parse
from autoplayer.games.cross_set.rules import FURTHER, PUBLISHED, contradiction, explain
from autoplayer.games.cross_set.sets import SIMPLE, tight_sets
from autoplayer.games.cross_set.solver import solve
from autoplayer.games.cross_set.state import Contradiction, State
from tests.cross_set.brute_squares import (
    LEVEL_2_8,
    LEVEL_3_4,
    SOLVED_2_8,
    SOLVED_3_4,
    all_solutions,
    boards,
    packs,
)


def names(puzzle: Puzzle) -> set[str]:
    return {step.rule for step in explain(puzzle) if not step.rule.startswith("iteration")}


def last_grid(puzzle: Puzzle) -> Puzzle:
    """The board after the last iteration, as it stands in the explanation."""
    grids = [step.text for step in explain(puzzle) if step.rule.startswith("iteration")]
    return parse(grids[-1].partition("\n")[2])


@pytest.mark.parametrize(("text", "solution"), [(LEVEL_2_8, SOLVED_2_8), (LEVEL_3_4, SOLVED_3_4)])
def test_published_levels_end_in_their_solution(text, solution):
    puzzle = parse(text)
    assert last_grid(puzzle) == Puzzle(tuple(tuple((n,) for n in row) for row in solution))
    assert names(puzzle) == {"elimination", "hidden-single"}
    assert sum(step.rule.startswith("iteration") for step in explain(puzzle)) <= 11


def test_every_iteration_shows_the_board_after_it():
    steps = explain(parse(LEVEL_3_4))
    (first, *_, last) = [step for step in steps if step.rule.startswith("iteration")]
    assert first.rule == "iteration 1"
    assert first.text == "\n      ".join(
        [
            "4 of 25 cells are settled.",
            "512  4   352  123  3",
            "125  235 1345 125  42",
            "45   53  312  241  412",
            "1234 1   5    23   24",
            "453  423 1245 4523 4512",
        ]
    )
    assert last is steps[-1]
    assert last.text.startswith("25 of 25 cells are settled.\n")


@settings(max_examples=200, deadline=None)
@given(boards())
def test_no_rule_takes_a_solution_away(puzzle):
    solutions = all_solutions(puzzle)
    state = State(puzzle)
    try:
        state.check_all()
        while True:
            before = len(state.candidates())
            for rule in (*PUBLISHED, *FURTHER):
                for finding in list(rule(state)):
                    for solution in solutions:
                        assert all(solution[r][c] != n + 1 for r, c, n in finding.removed), (rule, finding.text)
                    state.apply(finding)
            if len(state.candidates()) == before:
                break
    except Contradiction:
        assert not solutions
    assert not (solutions and contradiction(puzzle))


@settings(max_examples=200, deadline=None)
@given(boards())
def test_an_explanation_ends_where_it_should(puzzle):
    """In the solution, in a contradiction where there is none, or unfinished."""
    solutions = all_solutions(puzzle)
    steps = explain(puzzle)
    kinds = {step.rule for step in steps}
    if "contradiction" in kinds:
        assert not solutions
        assert steps[-1].rule == "contradiction"
        assert steps[-1].text.endswith("so the board has no solution.")
    elif "unfinished" in kinds:
        assert steps[-1].rule == "unfinished"
        assert len(solutions) != 1 or puzzle.size > 3
    elif any(len(cell) > 1 for row in puzzle.rows for cell in row):
        grid = last_grid(puzzle)
        assert solutions == {tuple(tuple(cell[0] for cell in row) for row in grid.rows)}
    else:
        assert len(solutions) == 1


def test_a_board_with_several_solutions_is_left_unfinished():
    steps = explain(parse("12 12 3\n12 3 12\n3 12 12"))
    assert [step.rule for step in steps] == ["unfinished"]
    assert (
        steps[0].text
        == "The rules end here, with 12 candidates in 6 cells.\n      12 12 3\n      12 3  12\n      3  12 12"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 1 23\n2 23 13\n3 23 12", "r1c1 and r1c2, both in row 1, can only be 1, so the board has no solution."),
        ("12 12 3\n3 13 13\n2 13 123", "no cell of row 2 can be 2, so the board has no solution."),
        ("12 1 23\n12 23 13\n23 3 12", "no cell of column 1 can be 3, so the board has no solution."),
    ],
)
def test_a_contradiction_names_the_line(text, said):
    last = explain(parse(text))[-1]
    assert (last.rule, last.text) == ("contradiction", said)


def test_tight_sets_are_short_where_there_are_too_few_places():
    (short,) = [tight for tight in tight_sets([0b011, 0b011, 0b011, 0b100]) if tight.short]
    assert (short.things, short.places) == (0b0111, 0b0011)


def test_forcing_says_its_steps():
    """On a level that nothing simpler opens; every step of the argument is named, and the candidate is wrong."""
    text = next((text for name, text in packs() if "extra ++8" in name), "")
    puzzle = parse(text)
    (solution,) = [solve(puzzle, time_limit=60).solution]
    state = State(puzzle)
    while any(state.apply(finding) for rule in SIMPLE for finding in list(rule(state))):
        pass
    for rule in (forcing_chain, forcing_net):
        (finding,) = rule(state)
        ((r, c, n),) = finding.removed
        assert finding.text.startswith(f"If r{r + 1}c{c + 1} were {n + 1}: r{r + 1}c{c + 1}={n + 1} → ")
        assert " can be " in finding.text or "no candidate left" in finding.text or "fewer" in finding.text
        assert solution is not None
        assert solution[r][c] != n + 1


def test_every_real_level_is_explained_without_search():
    """All that people typed from the game, and one generated board to which no candidate can be added."""
    for name, text in packs():
        if name.startswith("gen") and not name.endswith("seed6001 #0"):
            continue
        puzzle = parse(text)
        grid = last_grid(puzzle)
        assert tuple(tuple(cell[0] for cell in row) for row in grid.rows) == solve(puzzle, time_limit=60).solution, name
        assert all(len(cell) == 1 for row in grid.rows for cell in row), name
