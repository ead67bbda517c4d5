"""Generated levels, their pictures and explanations."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.core.errors import UsageError
from autoplayer.games.continuity import picture, rules, solver
from autoplayer.games.continuity.generator import FEWEST_SLIDES, generate
from autoplayer.games.continuity.puzzle import check, format_puzzle, parse, stretches
from tests.continuity.brute_slides import cheapest_cost
from tests.continuity.test_puzzle import GOOD


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 2), (3, 3)])
def test_levels_need_slides_and_have_a_plan(rows: int, columns: int) -> None:
    level = generate(rows, columns, 1)
    assert (len(level.grid), len(level.grid[0])) == (rows, columns)
    made = solver.plan(level.world, 60)
    assert made.status == "solved"
    assert made.bound == made.cost
    assert sum(isinstance(doing, solver.Slide) for doing in made.doings) >= FEWEST_SLIDES
    assert check(level, solver.solution_of(level.world, made)) == []
    assert parse(format_puzzle(level)) == level


@pytest.mark.parametrize("seed", [1, 2])
def test_a_small_level_is_planned_as_cheaply_as_by_trying_everything(seed: int) -> None:
    world = generate(2, 2, seed).world
    assert solver.plan(world, 60).cost == cheapest_cost(world)


@pytest.mark.parametrize(("rows", "columns"), [(1, 6), (5, 2), (4, 4), (2, 1)])
def test_sizes_that_are_not_made_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(UsageError, match=f"{columns}x{rows} was asked for"):
        generate(rows, columns, 1)


def test_a_plan_is_drawn_frame_by_frame() -> None:
    level = generate(2, 2, 1)
    solution = solver.solution_of(level.world, solver.plan(level.world, 60))
    frames = list(picture._frames(level.world, solution, picture._Frame(level.board.cells, 0, "r1c1", frozenset())))
    slides = sum(step.do == "slide" for step in solution)
    assert sum(frame.moved is not None for frame in frames) == slides
    assert frames[-1].caption.endswith(f"at the door: {solution[-1].total} in all")
    assert len(frames) >= slides + 2
    taken = sum(frame.caption.count("take ") for frame in frames)
    assert taken == sum(bool(step.takes) for step in solution)
    alone, sheet = picture.draw(level), picture.draw(level, solution)
    assert alone.dtype == np.uint8
    assert sheet.shape[0] * sheet.shape[1] > alone.shape[0] * alone.shape[1]
    for colour in (picture.FIGURE, picture.WAY, picture.MOVED, picture.KEYS):
        assert (sheet == np.array(colour[::-1])).all(axis=2).any(), (
            "the figure, its way, a moved tile and a key are seen"
        )


def test_a_plan_for_another_level_is_drawn_as_far_as_it_goes() -> None:
    level, graph = generate(2, 2, 1), parse(GOOD)
    solution = solver.solution_of(level.world, solver.plan(level.world, 60))
    assert picture.draw(graph, solution).shape[2] == 3


def test_the_explanation_tells_the_whole_route() -> None:
    level = generate(2, 2, 1)
    made = solver.plan(level.world, 60)
    solution = solver.solution_of(level.world, made)
    told = rules.explain(level)
    legs = [step for step in told if step.rule == "route"]
    assert len(legs) == sum(step.leg is not None for step in solution)
    slides = [group for group in stretches(solution) if group[0].do == "slide"]
    assert sum(leg.text.count("slide ") for leg in legs) == len(slides)
    assert told[-1].text.endswith(f"= {made.cost}; no plan costs less")


def test_the_explanation_of_a_hopeless_level_says_why() -> None:
    graph = parse(GOOD.replace('"b1", "C1"', '"C1", "b1"'))
    assert [step.text for step in rules.explain(graph) if step.rule == "unreachable"] == [
        "red cannot be reached, wherever the tiles lie: the figure comes to tile 2, but nothing that it can do there "
        "leads to it"
    ]
