"""The planner: published totals, agreement with trying everything, what is said where there is no plan."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autoplayer.games.continuity import puzzle as model
from autoplayer.games.continuity import reasons, solver
from autoplayer.games.continuity.graph import Graph, parse
from autoplayer.games.continuity.routes import cheapest, routes
from autoplayer.games.continuity.steps import check
from tests.continuity.brute_slides import LEVEL31, cheapest_cost, graphs

NO_TIME_TO_SPARE = 60.0

published = pytest.mark.skipif(not LEVEL31.exists(), reason="the published level is not here")


def level31(board: list[str] | None = None) -> Graph:
    """The published level; with a board it costs 6 a link and a crossing, 1 a slide."""
    data = json.loads(LEVEL31.read_text("utf-8"))
    if board:
        data |= {"board": board, "cost": {"link": 6, "crossing": 6, "slide": 1}}
    return parse(json.dumps(data))


@published
def test_the_published_route() -> None:
    graph = level31()
    outcome = solver.solve(graph.world, time_limit=NO_TIME_TO_SPARE)
    assert outcome.solution is not None
    assert check(graph.world, outcome.solution) == []
    legs = [(step.takes, step.leg) for step in outcome.solution if step.leg is not None]
    assert legs == [(("key1",), 32), (("key3",), 21), (("key2",), 54), ((), 43)]
    assert (outcome.solution[-1].total, outcome.solution[-1].bound) == (150, 150)


@published
def test_the_second_best_order_of_the_published_level() -> None:
    ways = routes(level31().world)
    best = cheapest(ways, (0, 2, 1))
    second = cheapest(ways, (0, 1, 2))
    assert best
    assert second
    assert (best[0], second[0]) == (150, 171)
    others = [cheapest(ways, order) for order in ((1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))]
    assert all(found is None or found[0] > 171 for found in others)


@published
@pytest.mark.parametrize(
    ("board", "cost", "slides"),
    [(["1 2 3", "4 5 6", "7 8 _"], 180, 36), (["_ 7 8", "3 1 6", "5 2 4"], 188, None)],
)
def test_the_whole_problem_has_its_published_optimum(board: list[str], cost: int, slides: int | None) -> None:
    world = level31(board).world
    made = solver.plan(world, NO_TIME_TO_SPARE)
    assert (made.status, made.cost, made.bound) == ("solved", cost, cost)
    assert check(world, solver.solution_of(world, made)) == []
    if slides is not None:
        assert sum(isinstance(doing, solver.Slide) for doing in made.doings) == slides


@settings(max_examples=60, deadline=None)
@given(graph=graphs())
def test_plans_cost_no_more_than_trying_everything(graph: Graph) -> None:
    _agrees(graph)


@settings(max_examples=80, deadline=None)
@given(graph=graphs(board=False))
def test_plans_without_a_board_cost_no_more_than_trying_everything(graph: Graph) -> None:
    _agrees(graph)


def _agrees(graph: Graph) -> None:
    world = graph.world
    made = solver.plan(world, NO_TIME_TO_SPARE)
    best = cheapest_cost(world)
    if best is None:
        assert made.status == "no-solution"
        assert reasons.faults(world)
    else:
        assert (made.status, made.cost, made.bound) == ("solved", best, best)
        assert check(world, solver.solution_of(world, made)) == []
        assert reasons.faults(world) == []


LOOSE = """{
"squares": {"1": "ABYZ", "2": "bCYZ", "3": "DEYZ"},
"openings": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "y": 0, "z": 0},
"links": {"1": [["B1", "A1"]], "2": [["b1", "C1"], ["C1", "b1"]], "3": [["D1", "E1"]]},
"start": {"square": "1", "at": "A1"}, "finish": {"square": "1", "at": "A1"}, "keys": KEYS
}"""


@pytest.mark.parametrize(
    ("keys", "start", "said"),
    [
        (
            '{"red": {"square": "3", "at": "E1"}}',
            "B1",
            "red cannot be reached, wherever the tiles lie: no way of matching",
        ),
        ('{"red": {"square": "1", "at": "A1"}, "blue": {"square": "2", "at": "C1"}}', "A1", "blue cannot be reached"),
        ('{"red": {"square": "1", "at": "B1"}}', "A1", "red cannot be reached"),
    ],
)
def test_a_key_that_cannot_be_reached_is_named(keys: str, start: str, said: str) -> None:
    graph = parse(LOOSE.replace("KEYS", keys).replace('"at": "A1"}, "finish"', f'"at": "{start}"}}, "finish"'))
    assert solver.solve(graph.world, time_limit=NO_TIME_TO_SPARE).status == "no-solution"
    assert said in "; ".join(reasons.faults(graph.world))


def test_a_door_from_which_no_way_leads_back() -> None:
    graph = parse(
        '{"squares": {"1": "ABYZ"}, "openings": {"a": 1, "b": 1, "y": 0, "z": 0}, '
        '"links": {"1": [["A1", "left"], ["A1", "right"]]}, "start": {"square": "1", "at": "A1"}, '
        '"finish": {"square": "1", "at": "right"}, "keys": {"red": {"square": "1", "at": "left"}}}'
    )
    assert "there is no order that takes all" in reasons.faults(graph.world)[0]


PARITY = """{
"squares": {"1": "AbYZ", "2": "BcYZ", "3": "CdYZ"},
"openings": {"a": 0, "b": 1, "c": 1, "d": 0, "y": 0, "z": 0},
"links": {"2": [["B1", "c1"]]},
"start": {"square": "1", "at": "b1"}, "finish": {"square": "3", "at": "C1"}, "board": BOARD
}"""


def test_parity_is_told_apart_from_what_no_arrangement_allows() -> None:
    """In a single row the tiles never pass each other: 1 2 3 in this order works, another order does not."""
    good = parse(PARITY.replace("BOARD", '["1 2 3 _"]'))
    assert solver.solve(good.world, time_limit=NO_TIME_TO_SPARE).status == "solved"
    bad = parse(PARITY.replace("BOARD", '["2 1 3 _"]'))
    assert solver.solve(bad.world, time_limit=NO_TIME_TO_SPARE).status == "no-solution"
    told = "; ".join(reasons.faults(bad.world))
    assert "the door cannot be reached: no arrangement that slides lead to opens a way" in told
    assert "it could if two of the tiles were exchanged, which no slides can do (parity)" in told
    never = parse(PARITY.replace("BOARD", '["3 2 1 _"]'))
    told = "; ".join(reasons.faults(never.world))
    assert "nor would it help to exchange two tiles" in told


def test_three_tiles_around_a_corner_have_two_halves_of_arrangements() -> None:
    """On 2x2 tiles only go around: 1 left of 2 is there from the one half, and never from the other."""
    text = PARITY.replace('"C1"}', '"C1"}, "vertical": "down"')
    halves = {
        board: solver.plan(parse(text.replace("BOARD", board)).world, NO_TIME_TO_SPARE).status
        for board in ('["1 2", "_ 3"]', '["2 1", "_ 3"]')
    }
    assert sorted(halves.values()) == ["no-solution", "solved"] or set(halves.values()) == {"solved"}
    for board, status in halves.items():
        graph = parse(text.replace("BOARD", board))
        assert (cheapest_cost(graph.world) is None) == (status == "no-solution")


@settings(max_examples=30, deadline=None)
@given(graph=graphs(), seconds=st.sampled_from([1e-9, 1e-4]))
def test_a_deadline_gives_a_true_bound(graph: Graph, seconds: float) -> None:
    made = solver.plan(graph.world, seconds)
    best = cheapest_cost(graph.world)
    if made.status == "timeout":
        assert best is None or made.bound <= best
    elif made.status == "solved":
        assert best is not None
        assert made.bound <= best <= made.cost


@settings(max_examples=40, deadline=None)
@given(graph=graphs())
@example(graph=parse(PARITY.replace("BOARD", '["1 2 3 _"]')))
def test_steps_come_back_from_json(graph: Graph) -> None:
    made = solver.plan(graph.world, NO_TIME_TO_SPARE)
    if made.status == "solved":
        solution = solver.solution_of(graph.world, made)
        assert model.solution_from_json(json.loads(json.dumps(model.solution_to_json(solution)))) == solution
        assert model.show(graph, solution).endswith("no plan costs less")


def test_the_figure_rides_along() -> None:
    """The figure stands in the tile that has to move; no other tile does."""
    graph = parse(PARITY.replace("BOARD", '["1 _ 2 3"]'))
    made = solver.plan(graph.world, NO_TIME_TO_SPARE)
    assert made.doings[0] == solver.Slide(0, 1)
    assert made.status == "solved"


def test_a_slide_in_the_air() -> None:
    """A figure that falls into a tile finds ground under it only if the tile below is changed on its way."""
    graph = parse(
        """{
"squares": {"1": "KLMa", "2": "KLAb", "3": "KLBN"},
"openings": {"a": 1, "b": 1, "k": 0, "l": 0, "m": 0, "n": 0},
"links": {"2": [["A1", "b1"]]},
"start": {"square": "1", "at": "a1"}, "finish": {"square": "3", "at": "B1"},
"board": ["1 3", "2 _"]}"""
    )
    made = solver.plan(graph.world, NO_TIME_TO_SPARE)
    kinds = [type(doing).__name__ for doing in made.doings]
    assert "Slide" in kinds[kinds.index("Crossing") :], "while it is at the top of 2 and falls"
    assert kinds[-1] == "Crossing"
    assert made.status == "solved"
    assert cheapest_cost(graph.world) == made.cost


def test_bound_is_checked() -> None:
    graph = parse(PARITY.replace("BOARD", '["1 2 3 _"]'))
    solution = solver.solution_of(graph.world, solver.plan(graph.world, NO_TIME_TO_SPARE))
    wrong = (*solution[:-1], replace(solution[-1], bound=(solution[-1].total + 1)))
    assert any("nothing costs less" in fault for fault in check(graph.world, wrong))
