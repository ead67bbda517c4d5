"""The named deductions: true of every solution, and each does fire."""

from __future__ import annotations

import doctest
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autoplayer.games.deducing import Contradiction, exhaust
from autoplayer.games.hashi import rules
from autoplayer.games.hashi.puzzle import parse
from autoplayer.games.hashi.rules import RULES, explain
from autoplayer.games.hashi.solver import solve
from autoplayer.games.hashi.state import Finding, State
from tests.hashi.brute_bridges import LEVELS, all_solutions, boards, packs

BY_NAME = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)


@BY_NAME
def test_each_docstring_shows_a_board_in_which_the_rule_fires(rule):
    test = doctest.DocTestFinder(recurse=False).find(rule, rule.__name__, globs=vars(rules))[0]
    assert test.examples
    assert any(example.want.strip() not in ("", "[]") for example in test.examples)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def counts(puzzle, solution):
    """The links of each bridge, in the order of ``Puzzle.bridges``."""
    links = {(a, b): count for a, b, count in solution}
    return [links.get((a, b), 0) for a, b in puzzle.bridges]


@settings(max_examples=100, deadline=None)
@given(puzzle=boards(), seed=st.integers(0, 999), share=st.sampled_from([0.0, 0.3, 0.7, 1.0]))
def test_no_rule_contradicts_a_solution(puzzle, seed, share):
    """Also after any other true bounds, not only those that the rules find: each rule stands by itself."""
    solved = [counts(puzzle, solution) for solution in all_solutions(puzzle)]
    assume(solved)
    chance = random.Random(seed)
    true = [(k, min(each), max(each)) for k, each in enumerate(zip(*solved, strict=True))]
    known = Finding("", (), tuple(bounds for bounds in true if chance.random() < share))
    for rule in RULES:
        state = State(puzzle)
        state.apply(known)
        for finding in rule(state):
            assert finding.bounds
            for k, least, most in finding.bounds:
                assert least <= true[k][1], (rule.__name__, finding.text)
                assert most >= true[k][2], (rule.__name__, finding.text)


@settings(max_examples=200, deadline=None)
@given(boards())
def test_an_explanation_ends_with_how_far_it_came_and_is_right(puzzle):
    solved = all_solutions(puzzle)
    *before, last = explain(puzzle)
    assert {entry.rule for entry in before} <= {rule.__name__.replace("_", "-") for rule in RULES}
    assert last.rule in ("read-off", "contradiction", "stuck")
    if last.rule == "read-off":
        assert len(solved) == 1
    elif last.rule == "contradiction":
        assert not solved
    for entry in (*before, last):
        assert entry.text.endswith(".")
        assert set(entry.cells) <= puzzle.islands.keys()


@settings(max_examples=200, deadline=None)
@given(boards())
def test_what_the_deductions_read_off_is_the_solution(puzzle):
    state = State(puzzle)
    try:
        steps = list(exhaust(state, RULES))
    except Contradiction:
        return
    assert len({step.text for step in steps}) == len(steps), "nothing is said twice"
    if explain(puzzle)[-1].rule == "read-off":
        assert [state.least] == [counts(puzzle, solution) for solution in all_solutions(puzzle)]


@pytest.mark.parametrize(
    ("text", "end", "words"),
    [
        ("1.2.1", "read-off", "2 bridges stand, with 2 links in all"),
        ("1.1", "read-off", "1 bridge stands, with 1 link in all"),
        ("3.3\n...\n3.3", "stuck", "4 of 4 bridges"),
        ("3.3", "contradiction", "(0, 0) still needs 3 links, and its neighbours can take 2"),
        ("2", "contradiction", "(0, 0) gets 0 links and needs 2"),
        ("1.2", "contradiction", "the numbers add up to 3, which is odd"),
        ("1.1\n...\n1.1", "contradiction", "no solution"),
        ("1.1.1.1", "contradiction", "no solution"),
        (".1.\n1.1\n.1.", "contradiction", "no solution"),
    ],
)
def test_known_explanations(text, end, words):
    last = explain(parse(text))[-1]
    assert last.rule == end
    assert words in last.text


def test_two_equals_may_be_joined_where_they_are_all_there_is():
    assert explain(parse("2.2"))[-1].rule == "read-off"
    assert rules.fires(rules.two_equals, "1.1") == []


def test_bounds_that_cannot_both_be_are_a_contradiction():
    state = State(parse("1.2.1"))
    with pytest.raises(Contradiction, match=r"\(0, 0\) and \(0, 2\)"):
        state.apply(Finding("", (), ((0, 2, 1),)))


def test_groups_grow_with_what_is_certain():
    state = State(parse("1.2.1"))
    assert state.apply(Finding("", (), ((0, 1, 2),)))
    assert not state.apply(Finding("", (), ((0, 1, 2),)))
    assert sorted(map(sorted, state.groups.values())) == [[(0, 0), (0, 2)], [(0, 4)]]
    assert state.slack(state.group[0, 0]) == 1


@pytest.mark.skipif(not LEVELS.exists(), reason="the level packs are not there")
def test_the_rules_finish_every_level_that_has_one_solution():
    used = set()
    names = ["codingame.txt", "sgt_half.txt", "hcmus.txt", "tonivrbic.txt", "noelhuibers.txt", "clones.txt"]
    for name, text in packs(*names):
        puzzle = parse(text)
        entries = explain(puzzle)
        used |= {entry.rule for entry in entries}
        outcome = solve(puzzle, time_limit=60)
        wanted = {True: "read-off", False: "stuck", None: "contradiction"}[outcome.unique]
        assert entries[-1].rule == wanted, name
    assert used >= {rule.__name__.replace("_", "-") for rule in RULES}
