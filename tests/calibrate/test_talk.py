"""What a person is asked while a layout is calibrated, and what becomes of the answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from autoplayer.calibrate import Calibration, questions
from autoplayer.calibrate.answers import Answers
from autoplayer.cli.talk import Talk
from autoplayer.games.cardinal_chains import GAME
from autoplayer.layout import KeyTable, Layout, NextTable
from tests.calibrate.conftest import Person
from tests.calibrate.window import Painted, SymbolGame

BOARD = "X 1 1 2\n3 3 2 2\n3 4 4 4"
DIRECTIONS = ("up", "left", "down", "right")

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize(
    ("said", "controls", "keys"),
    [
        pytest.param(["side"], "side", {}, id="by mouse"),
        pytest.param(
            ["keys up=w left=a down=s right=d"], "keys", dict(zip(DIRECTIONS, "wasd", strict=True)), id="keys"
        ),
        pytest.param(["swim", "keys jump=x", "keys up=???", "click"], "click", {}, id="asked again"),
        pytest.param([""], "unknown", {}, id="not known"),
    ],
)
def test_a_person_says_how_the_window_is_played_where_that_was_not_found_out(
    said: list[str], controls: str, keys: dict[str, str], person: Callable[..., Person]
) -> None:
    lines = iter(said)
    one = person(lambda prompt: next(lines))
    talk = Talk(Answers(game=GAME.name), yes=False, json=False, overlay=None, questions_file=None)
    with Calibration(GAME, "mine") as learning:
        assert talk.shown_how(learning) == (controls != "unknown")
        assert learning.layout.controls == controls
        assert learning.layout.keys == KeyTable(**keys)
    assert len(one.prompts) == len(said)
    assert sys.stderr.getvalue().count("but found") == len(said) - 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("said", "way"),
    [
        pytest.param(["auto"], NextTable(kind="auto"), id="by itself"),
        pytest.param(["key nn", "key n"], NextTable(kind="key", key="n"), id="asked again"),
        pytest.param(["point", ""], NextTable(kind="click", place=(0.25, 0.1)), id="a button"),
        pytest.param(["list", ""], NextTable(kind="list", place=(0.25, 0.1)), id="a drop-down list"),
        pytest.param([""], NextTable(), id="not known"),
    ],
)
def test_a_person_says_how_the_next_level_comes(said: list[str], way: NextTable, person: Callable[..., Person]) -> None:
    """The mouse points a quarter across and a tenth down the window."""
    lines = iter(said)
    one = person(lambda prompt: next(lines))
    talk = Talk(Answers(game=GAME.name), False, False, None, None, point=lambda: (200, 60))
    with Calibration(GAME, "mine") as learning:
        talk.way_on(learning, (800, 600))
        assert learning.layout.next == way
    assert len(one.prompts) == len(said)


@pytest.mark.parametrize("yes", [False, True])
def test_enter_keeps_what_was_read_without_a_doubt_and_yes_does_not(yes: bool, person: Callable[..., Person]) -> None:
    """Where most glyphs of a window cannot be read, those that look like digits are asked about too; without a person
    none of them becomes a picture of the layout."""
    painted = Painted(BOARD)
    game = SymbolGame(painted)
    reading = game.examine(painted.image(), Layout(game=GAME.name))
    look = questions.look(game, replace(reading, doubts=reading.doubts[:2]), [])
    one = person(lambda prompt: "")
    sure = next(question for question in look.questions if question.read is not None)
    with Talk(Answers(game=GAME.name), yes, False, None, None) as talk, Calibration(game, "mine") as learning:
        assert talk._question(learning, look, sure) != yes
        assert [template.token for template in learning._told] == ([] if yes else ["1"])
    assert [prompt.endswith("[1, as it was read]") for prompt in one.prompts] == ([] if yes else [True])
