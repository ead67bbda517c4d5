"""The two text forms and the checker: what comes back, what is refused and where."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.core.errors import PuzzleError
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.generator import generate
from autoplayer.games.continuity.graph import Graph
from autoplayer.games.continuity.puzzle import Level, check, format_puzzle, parse
from autoplayer.games.continuity.puzzle import replace as replaced
from autoplayer.games.continuity.steps import Solution, Step
from tests.continuity.brute_slides import graphs

GOOD = """{
  "squares": {
    "1": "ABYZ",
    "2": "bCyz"
  },
  "openings": {"a": 1, "b": 2, "c": 1, "y": 0, "z": 0},
  "links": {
    "1": [["A1", "B1"],
          ["ledge", "A1", 3]],
    "2": [["b1", "C1"]]
  },
  "start": {"square": "1", "at": "A1"},
  "keys": {"red": {"square": "2", "at": "C1"}},
  "finish": {"square": "2", "at": "b1"},
  "board": ["1 2 _"]
}"""

ROOMS = """physics walk=4.5
+----+----+
|....|____|
|.S..|____|
|####|____|
+----+----+
|..K.|..D.|
|....|....|
|####|####|
+----+----+"""


@settings(max_examples=100, deadline=None)
@given(graph=st.one_of(graphs(), graphs(board=False)))
def test_a_graph_comes_back(graph: Graph) -> None:
    assert parse(format_puzzle(graph)) == graph


def test_a_room_level_comes_back() -> None:
    level = parse(ROOMS)
    assert isinstance(level, Level)
    assert format_puzzle(level) == ROOMS
    assert level.physics.walk == 4.5
    assert level.board.cells == (0, -1, 1, 2)
    assert list(level.found("K")) == [(1, 0, 2)]


def test_costs_and_ways_of_the_graph_form() -> None:
    world = parse(GOOD).world
    assert [(link.cost) for link in world.links] == [1, 3, 1]
    ways = {(world.places[way.a], world.places[way.b], way.side) for way in world.crossings}
    assert ways == {((0, f"B{i}"), (1, f"b{i}"), 1) for i in (1, 2)} | {((1, f"b{i}"), (0, f"B{i}"), 0) for i in (1, 2)}


def test_sides_may_come_in_another_order() -> None:
    other = json.loads(GOOD) | {"sides": ["top", "right", "bottom", "left"], "squares": {"1": "YBZA", "2": "yCzb"}}
    assert parse(json.dumps(other)) == parse(GOOD)


def test_falling_leads_from_bottom_to_top_only() -> None:
    text = GOOD.replace('"y": 0, "z": 0', '"y": 1, "z": 1').replace('"2": "bCyz"', '"2": "bCzy"')
    down = {(way.a, way.b) for way in parse(text).world.crossings if way.side > 1}
    assert all((b, a) not in down for a, b in down)
    both = parse(text.replace('"board"', '"vertical": "both", "board"')).world
    assert {(way.b, way.a) for way in both.crossings} == {(way.a, way.b) for way in both.crossings}
    assert down


def _cases() -> list[Any]:
    """What is changed in the good text, the row that is named, and a part of the sentence."""
    return [
        pytest.param('"squares": {', '"squares" {', 2, "this is no JSON", id="no JSON"),
        pytest.param('"2": "bCyz"', '"2": "bCy"', 4, "squares.2: expected four letters", id="three sides"),
        pytest.param('"2": "bCyz"', '"2": "bCyq"', 4, "has no entry 'q' in openings", id="a letter without openings"),
        pytest.param('"2": "bCyz"', '"2": "bbyz"', 4, "two sides bear b", id="one letter twice"),
        pytest.param('"c": 1', '"c": -1', 6, "openings.c: expected a whole number", id="a negative count"),
        pytest.param('"c": 1', '"c": 1.5', 6, "openings.c: expected a whole number", id="a half opening"),
        pytest.param('"c": 1', '"cc": 1', 6, "openings.cc: expected a letter", id="two letters"),
        pytest.param('["A1", "B1"]', '["A1", "B3"]', 8, "openings.b says 2", id="an opening too many"),
        pytest.param('["A1", "B1"]', '["A1", "C1"]', 8, "'C1' is no opening of square 1", id="a foreign opening"),
        pytest.param('["A1", "B1"]', '["A1"]', 8, "expected [from, to]", id="a link with one end"),
        pytest.param('["A1", "B1"]', '["A1", 7]', 8, "expected a name", id="a link to a number"),
        pytest.param('"2": [["b1"', '"9": [["b1"', 10, "links.9: there is no such square", id="links of no square"),
        pytest.param('"start": {"square": "1"', '"start": {"square": "4"', 12, "there is no square '4'", id="start"),
        pytest.param(
            '"start": {"square": "1", "at": "A1"}', '"start": "A1"', 12, "start: expected an object", id="text"
        ),
        pytest.param('"finish"', '"finsih"', 14, "did you mean 'finish'?", id="a misspelt key"),
        pytest.param('["1 2 _"]', '["1 2 3"]', 15, "there is no square '3'", id="a tile that is none"),
        pytest.param('["1 2 _"]', '["1 2"]', 15, "the board has no empty cell", id="no blank"),
        pytest.param('["1 2 _"]', '["1 2 _ _"]', 15, "more than one empty cell", id="two blanks"),
        pytest.param('["1 2 _"]', '["1 1 _"]', 15, "square 1 lies there twice", id="a tile twice"),
        pytest.param('["1 2 _"]', '["1 _"]', 15, "square 2 does not lie on the board", id="a tile is missing"),
        pytest.param('["1 2 _"]', '["1 2", "_"]', 15, "rows of equal length", id="ragged"),
    ]


@pytest.mark.parametrize(("old", "new", "row", "said"), _cases())
def test_a_malformed_graph_is_refused_with_key_and_row(old: str, new: str, row: int, said: str) -> None:
    assert old in GOOD
    with pytest.raises(PuzzleError) as caught:
        parse(GOOD.replace(old, new, 1))
    assert said in str(caught.value)
    assert caught.value.row == row


@pytest.mark.parametrize("key", ["squares", "openings", "links", "start", "finish"])
def test_a_missing_key_is_named(key: str) -> None:
    data = json.loads(GOOD)
    del data[key]
    with pytest.raises(PuzzleError, match=f"expected the key '{key}'"):
        parse(json.dumps(data))


@pytest.mark.parametrize(
    "text", ["{}", "{", "[]", '{"squares": {}}', '{"a": 1, "a": 2}', "{" * 5000, '{"x": ' + "9" * 5000]
)
def test_strange_json_is_refused(text: str) -> None:
    with pytest.raises(PuzzleError):
        parse(text)


@pytest.mark.parametrize(
    ("old", "new", "row", "column", "said"),
    [
        pytest.param("|..K.|", "|..Q.|", 7, 4, "expected one of # solid", id="an unknown character"),
        pytest.param("|..K.|..D.|", "|..K.|..D|", 7, 7, "expected 4 characters of a tile here", id="a short row"),
        pytest.param("|..K.|..D.|", "|..KD.", 7, 6, "expected | between the tiles", id="a row that ends early"),
        pytest.param("|..K.|..D.|", "|..K...D.|", 7, 6, "expected | between the tiles", id="no border"),
        pytest.param("|..K.|..D.|", "|..K.|..D.|.", 7, 0, "expected 11 characters", id="a long row"),
        pytest.param("|..K.|..D.|", "|..K.|..D.|....|", 7, 0, "expected 11 characters", id="a tile too many"),
        pytest.param("|..D.|", "|....|", 0, 0, "expected exactly one door", id="no door"),
        pytest.param("|..K.|", "|.SK.|", 7, 3, "after row 4, column 3, here is another", id="two starts"),
        pytest.param("|.S..|____|", "|.S..|__._|", 4, 9, "expected _ in all of the empty place", id="half a tile"),
        pytest.param("____", "....", 0, 0, "expected exactly one empty place", id="no empty place"),
        pytest.param("walk=4.5", "run=4.5", 1, 9, "expected name=number", id="unknown physics"),
        pytest.param("walk=4.5", "walk=fast", 1, 9, "expected walk as a number", id="no number"),
        pytest.param("walk=4.5", "walk=0", 1, 0, "expected walk between 0.1 and 1000", id="no speed"),
        pytest.param("+----+----+\n|..K.", "+----+-----+\n|..K.", 6, 0, "expected the frame", id="another frame"),
        pytest.param("|####|####|\n+", "+", 9, 0, "expected 3 rows of tiles", id="a low tile"),
    ],
)
def test_a_malformed_room_level_is_refused_with_row_and_column(
    old: str, new: str, row: int, column: int, said: str
) -> None:
    assert old in ROOMS
    with pytest.raises(PuzzleError) as caught:
        parse(ROOMS.replace(old, new))
    assert said in str(caught.value)
    assert (caught.value.row, caught.value.column) == (row, column)


def test_a_text_that_ends_early_is_refused() -> None:
    for end in range(len(ROOMS.splitlines()) - 1):
        with pytest.raises(PuzzleError):
            parse("\n".join(ROOMS.splitlines()[: end + 1]))


def test_characters_can_be_replaced() -> None:
    level = parse(ROOMS)
    other = replaced(level, {(2, 1): "K"})
    assert [(t, r, c) for t, r, c in other.found("K")] == [(0, 0, 0), (1, 0, 2)]  # type: ignore[union-attr]
    for spot, token in (((2, 1), "KK"), ((99, 0), "K"), ((2, 1), "Z"), ((3, 2), ".")):
        with pytest.raises(PuzzleError):
            replaced(level, {spot: token})
    with pytest.raises(PuzzleError):
        replaced(parse(GOOD), {(0, 0): "x"})


def _planned(level: Any) -> Solution:
    return solver.solution_of(level.world, solver.plan(level.world, 60))


def test_the_checker_sees_what_is_wrong() -> None:
    level = parse(GOOD.replace('["b1", "C1"]', '["b1", "C1"], ["C1", "b1"]'))
    solution = _planned(level)
    assert check(level, solution) == []
    assert [step.do for step in solution] == ["walk", "cross", "walk", "walk", "finish"]
    walk, cross, take, back, finish = solution
    wrong: dict[str, Solution] = {
        "does not end at the door": solution[:-1],
        "but the figure is at A1": solution[1:],
        "the door is closed: red": (walk, cross, replace(finish, total=2, leg=2, bound=0)),
        "cost is 5, but it should be 1": (replace(walk, cost=5), *solution[1:]),
        "takes is (), but it should be ('red',)": (walk, cross, replace(take, takes=()), back, finish),
        "no way leads from B1 to A1": (walk, replace(walk, start="B1", to="A1"), *solution[1:]),
        "the bottom side does not lead": (walk, replace(cross, side="bottom"), take, back, finish),
        "there is no empty cell left of tile 1": (Step("slide", "1", "left"), *solution),
        "goes on after its end": (*solution, finish),
        "there is no such tile": (Step("slide", "7", "left"), *solution),
        "does not lie at the right side": (Step("slide", "2", "right", 1, 1), *solution),
    }
    for said, steps in wrong.items():
        assert said in "; ".join(check(level, steps)), said


def test_the_checker_knows_a_level_without_a_board() -> None:
    level = parse(GOOD.replace('["b1", "C1"]', '["b1", "C1"], ["C1", "b1"]').replace(',\n  "board": ["1 2 _"]', ""))
    solution = _planned(level)
    assert check(level, solution) == []
    assert "no board" in check(level, (Step("slide", "1", "right"), *solution))[0]


def test_no_step_of_a_plan_can_be_left_out() -> None:
    level = generate(2, 2, 2)
    solution = _planned(level)
    for cut in range(len(solution)):
        assert check(level, solution[:cut] + solution[cut + 1 :])
