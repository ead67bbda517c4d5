"""Resolving doubts by the rules: known answers, and properties that hold for any probabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.core.frame import Box, Cell
from autoplayer.games.base import Doubt, Outcome, Reading
from autoplayer.games.cardinal_chains import GAME, CardinalChains
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.settle import ENOUGH, MOST_ASSIGNMENTS, Settled, settle, settle_trimmed

IMAGE = np.zeros((4, 4, 3), np.uint8)


def reading(text: str, *doubts: Doubt) -> Reading[Puzzle]:
    return Reading(GAME.parse(text), {}, doubts, 0.9, IMAGE)


def doubt(*cells: Cell, **candidates: float) -> Doubt:
    """``doubt((0, 1), _7=0.6, _1=0.4)``."""
    return Doubt(cells, tuple((token.lstrip("_"), p) for token, p in candidates.items()))


def text(settled: Settled[Puzzle, Any]) -> str:
    return GAME.format(settled.puzzle)


def test_without_doubts_the_puzzle_is_as_it_was_read() -> None:
    settled = settle(GAME, reading("X 1\n2 2"))
    assert settled.certain
    assert settled.playable
    assert settled.solution == (((0, 0), (0, 1), (1, 1), (1, 0)),)
    assert settled.confidence == pytest.approx(0.9)
    assert not settled.reason


def test_without_doubts_and_without_a_solution_that_is_said() -> None:
    settled = settle(GAME, reading("X 2\n. 1"))
    assert settled.solution is None
    assert not settled.playable
    assert "no solution" in settled.reason


def test_the_probable_token_loses_where_only_another_has_a_solution() -> None:
    settled = settle(GAME, reading("X 7 1 2", doubt((0, 1), _7=0.8, _1=0.2)))
    assert text(settled) == "X 1 1 2"
    assert settled.certain
    assert settled.changed == {(0, 1): "1"}
    assert not settled.doubts


def test_no_further_puzzle_is_solved_once_one_is_certain() -> None:
    """Of many doubts each further puzzle would cost a search and change nothing."""
    solved = []

    class Counting(CardinalChains):
        def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Any]:
            solved.append(puzzle)
            return super().solve(puzzle, time_limit=time_limit, most=most)

    doubts = [doubt((0, c), _1=0.996, _2=0.004) for c in range(1, 5)]
    settled = settle(Counting(), reading("X 1 1 1 1", *doubts))
    assert settled.certain
    assert len(solved) == 1


def test_the_token_that_gives_one_solution_wins_over_the_one_that_gives_several() -> None:
    # with 1s all over, the ring may be gone round in both directions; with 1, 2, 3 in one only
    several = doubt((0, 1), _2=0.5, _1=0.5)
    settled = settle(GAME, reading("X 2\n2 2", several))
    assert text(settled) == "X 1\n2 2"
    assert settled.certain


def test_cells_that_look_alike_change_together() -> None:
    settled = settle(GAME, reading("X 7 7 1 2", doubt((0, 1), (0, 2), _7=0.9, _1=0.1)))
    assert text(settled) == "X 1 1 1 2"
    assert settled.changed == {(0, 1): "1", (0, 2): "1"}


def test_a_cluster_is_split_where_nothing_fits_otherwise() -> None:
    # the chain goes 1, ?, 3, ?, 9: neither 2 nor 7 fits in both places, 2 and 7 do
    settled = settle(GAME, reading("X 1 2 3 2 9", doubt((0, 2), (0, 4), _2=0.6, _7=0.4)))
    assert text(settled) == "X 1 2 3 7 9"
    assert settled.certain


def test_a_doubt_that_the_rules_do_not_decide_stays_and_is_named() -> None:
    both = [doubt(cell, _1=0.5, _3=0.5) for cell in ((0, 1), (1, 0))]
    settled = settle(GAME, reading("X 1\n1 2", *both))
    assert not settled.certain
    assert not settled.playable
    assert {cell for left in settled.doubts for cell in left.cells} == {(0, 1), (1, 0)}
    assert "(0, 1)" in settled.reason
    assert "50 %" in settled.reason or "50%" in settled.reason


def test_what_does_not_matter_for_the_solution_may_stay_open() -> None:
    settled = settle(GAME, reading("X 1 2 3", doubt((0, 2), _2=0.5, _3=0.5)))
    assert not settled.certain
    assert settled.playable
    assert settled.same_solution
    assert settled.doubts == (Doubt(((0, 2),), (("2", pytest.approx(0.5)), ("3", pytest.approx(0.5)))),)


def test_a_hole_or_a_start_may_be_among_the_candidates() -> None:
    settled = settle(GAME, reading("X 2 1", doubt((0, 2), _1=0.7, **{".": 0.3})))
    assert text(settled) == "X 2 ."
    # the only start may be nothing else: a board without one is no level
    settled = settle(GAME, reading("X 1 2", doubt((0, 0), _4=0.9, X=0.1)))
    assert text(settled) == "X 1 2"


def test_where_nothing_fits_all_stays_in_doubt() -> None:
    settled = settle(GAME, reading("X 5 1 2", doubt((0, 1), _5=0.6, _7=0.4)))
    assert not settled.certain
    assert settled.solution is None
    assert settled.confidence == 0
    assert "none of the possibilities" in settled.reason


def test_the_number_of_puzzles_that_are_solved_is_bounded() -> None:
    class Counting(CardinalChains):
        solved = 0

        def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Any]:
            Counting.solved += 1
            return Outcome("no-solution", None, None, 0.0)

    cells = [(0, c) for c in range(1, 15)]
    row = "X " + " ".join("1" for _ in cells)
    settled = settle(Counting(), reading(row, *(doubt(cell, _1=0.5, _2=0.3, _3=0.2) for cell in cells)))
    assert Counting.solved <= MOST_ASSIGNMENTS
    assert not settled.certain


def test_a_solver_that_runs_out_of_time_makes_nothing_certain() -> None:
    class Slow(CardinalChains):
        def solve(self, puzzle: Puzzle, *, time_limit: float, most: int = 2) -> Outcome[Any]:
            if puzzle.cells[0, 1] == 1:
                return super().solve(puzzle, time_limit=time_limit, most=most)
            return Outcome("timeout", None, None, time_limit)

    settled = settle(Slow(), reading("X 2 2", doubt((0, 1), _1=0.6, _2=0.4)))
    assert not settled.certain


def test_outer_rows_and_columns_that_the_rules_leave_empty_are_left_out() -> None:
    """What stands beside the board was taken for a number, which no chain can reach. The hole within stays one."""
    before = reading("5 . . .\n. X 1 3\n. . 3 2", doubt((0, 0), _5=0.6, **{"_.": 0.4}), doubt((1, 3), _3=0.6, _2=0.4))
    cells = [(0, 0), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]
    boxes = {(r, c): Box(30 * c, 30 * r, 28, 28) for r, c in cells}
    before = replace(
        before, places=boxes, glyphs={**boxes}, extra={"drawn": {(1, 2): 0}, "lines": {(1, 1): "red", (0, 0): "blue"}}
    )
    within, settled = settle_trimmed(GAME, before)
    assert text(settled) == GAME.format(within.puzzle) == "X 1 2\n. 3 2"
    assert settled.solution == (((0, 0), (0, 1), (0, 2), (1, 2), (1, 1)),)
    assert settled.outcome is not None
    assert settled.outcome.unique
    assert settled.changed == {(0, 2): "2"}
    assert within.places == within.glyphs == {(r - 1, c - 1): boxes[r, c] for r, c in cells[1:]}
    assert [each.cells for each in within.doubts] == [((0, 2),)]
    assert within.extra == {"drawn": {(0, 1): 0}, "lines": {(0, 0): "red"}}


def test_a_board_that_ends_with_its_cells_stays_whole() -> None:
    before = reading("X 1 3\n. 3 2", doubt((0, 2), _3=0.6, _2=0.4))
    within, settled = settle_trimmed(GAME, before)
    assert within is before
    assert text(settled) == "X 1 2\n. 3 2"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_settled_puzzles_have_checked_solutions_and_only_doubtful_cells_change(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 3)), data.draw(st.integers(2, 4))
    tokens = st.sampled_from(["1", "2", "3", "X", "."])
    rows = [[data.draw(tokens) for _ in range(width)] for _ in range(height)]
    rows[0][0] = "X"
    cells = data.draw(
        st.lists(st.tuples(st.integers(0, height - 1), st.integers(0, width - 1)), unique=True, max_size=4)
    )
    doubts = []
    for cell in cells:
        chosen = data.draw(st.lists(tokens, unique=True, min_size=1, max_size=3))
        weights = [data.draw(st.floats(0.05, 1)) for _ in chosen]
        ranked = sorted(zip(chosen, weights, strict=True), key=lambda pair: -pair[1])
        rows[cell[0]][cell[1]] = ranked[0][0]
        doubts.append(Doubt((cell,), tuple((token, weight / sum(weights)) for token, weight in ranked)))
    puzzle = GAME.replace(
        GAME.parse("X" + " ." * (width - 1) + ("\n" + " ".join("." * width)) * (height - 1)),
        {(r, c): rows[r][c] for r in range(height) for c in range(width)},
    )
    settled = settle(GAME, Reading(puzzle, {}, tuple(doubts), 0.9, IMAGE))
    before, after = (GAME.format(p).split() for p in (puzzle, settled.puzzle))
    different = {divmod(k, width) for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b}
    assert different == set(settled.changed)
    assert different <= set(cells)
    if settled.solution is not None:
        assert GAME.check(settled.puzzle, settled.solution) == []
    if settled.certain and doubts and settled.solution is not None:
        assert settled.confidence >= ENOUGH
        assert settled.playable
    if settled.playable:
        assert settled.solution is not None
    if not settled.certain:
        assert settled.doubts
        assert settled.reason
