"""The named deductions: sound for any number of chains, and each does fire."""

from __future__ import annotations

import doctest
import random
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autoplayer.games.cardinal_chains import rules
from autoplayer.games.cardinal_chains.puzzle import parse
from autoplayer.games.cardinal_chains.rules import RULES, Finding, State, explain
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.games.deducing import Contradiction
from tests.cardinal_chains.brute_chains import LEVELS, all_solutions, boards, packs

BY_NAME = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)


def steps_of(solution):
    return {step for chain in solution for step in pairwise(chain)}


@BY_NAME
def test_each_docstring_shows_a_board_in_which_the_rule_fires(rule):
    test = doctest.DocTestFinder(recurse=False).find(rule, rule.__name__, globs=vars(rules))[0]
    assert test.examples
    assert any(example.want.strip() not in ("", "[]") for example in test.examples)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@settings(max_examples=200, deadline=None)
@given(puzzle=boards(12), seed=st.integers(0, 999), share=st.sampled_from([0.0, 0.3, 0.7, 1.0]))
def test_no_rule_removes_a_step_of_any_solution(puzzle, seed, share):
    """Also after any other true removals, not only those that the rules make: each rule stands by itself."""
    solved = all_solutions(puzzle)
    assume(solved)
    taken = set().union(*map(steps_of, solved))
    ends = {chain[-1] for solution in solved for chain in solution}
    chance = random.Random(seed)
    never = [(a, b) for a, targets in State(puzzle).exits.items() for b in targets if (a, b) not in taken]
    always_left = [cell for cell in puzzle.cells if cell not in ends]
    known = Finding(
        "",
        (),
        tuple(step for step in never if chance.random() < share),
        tuple(cell for cell in always_left if chance.random() < share),
    )
    for rule in RULES:
        state = State(puzzle)
        state.apply(known)
        for finding in rule(state):
            assert not taken & set(finding.removed), (rule.__name__, finding.text)
            assert not ends & set(finding.left), (rule.__name__, finding.text)
            assert finding.removed or finding.left


@settings(max_examples=200, deadline=None)
@given(boards())
def test_an_explanation_ends_with_how_far_it_came_and_is_right(puzzle):
    solved = all_solutions(puzzle)
    *before, last = explain(puzzle)
    assert {entry.rule for entry in before} <= {rule.__name__.replace("_", "-") for rule in RULES}
    assert last.rule in ("read-off", "contradiction", "stuck")
    if last.rule == "read-off":
        assert len(solved) == 1
        assert list(last.cells) == [cell for chain in next(iter(solved)) for cell in chain]
    elif last.rule == "contradiction":
        assert not solved
    for entry in (*before, last):
        assert entry.text.endswith(".")


@pytest.mark.parametrize(
    ("text", "end", "words"),
    [
        ("X 1 2\n. 3 2", "read-off", "r1c1 r1c2 r1c3 r2c3 r2c2"),
        ("X 1 1\n1 1 1\n1 1 1", "stuck", "can still be entered"),
        ("1 X 1", "contradiction", "no solution"),
        ("X . 1", "contradiction", "nothing can enter r1c3"),
        ("X . 1 1", "contradiction", "no solution"),
        ("X 2 1\n1 3 1", "contradiction", "no solution"),
    ],
)
def test_known_explanations(text, end, words):
    last = explain(parse(text))[-1]
    assert last.rule == end
    assert words in last.text


def test_a_published_rule_that_needs_one_chain_is_not_applied_to_two():
    """r1c2 has a single exit, but a chain may end in it: both chains of 'X 1 1 X' may take either one or two cells."""
    puzzle = parse("X 1 1 X")
    assert len(all_solutions(puzzle)) == 3
    assert explain(puzzle)[-1].rule == "stuck"


def test_a_removal_that_closes_a_cell_is_a_contradiction():
    state = State(parse("X 1"))
    with pytest.raises(Contradiction, match="r1c2"):
        state.apply(Finding("", (), (((0, 0), (0, 1)),)))


@pytest.mark.skipif(not LEVELS.exists(), reason="the level packs are not there")
def test_every_rule_is_of_use_on_real_levels():
    used = set()
    finished = 0
    for name, text in packs("zx.txt"):
        puzzle = parse(text)
        entries = explain(puzzle)
        used |= {entry.rule for entry in entries}
        if entries[-1].rule == "read-off":
            finished += 1
            assert [list(entries[-1].cells)] == [
                [cell for chain in solve(puzzle, time_limit=60).solution for cell in chain]
            ], name
    assert used >= {rule.__name__.replace("_", "-") for rule in RULES}
    assert finished >= 270
