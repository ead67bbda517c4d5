"""The bundled levels of Continuity: each has a plan, and the plan's key presses win it in the window's engine."""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.continuity.engine import SLIDE, WALK, Engine
from autoplayer.arcade.levels import load
from autoplayer.arcade.live import STEPS_A_SECOND
from autoplayer.games.continuity import solver
from autoplayer.games.continuity.puzzle import Level
from autoplayer.games.continuity.world import DIRECTIONS, Crossing, Link

CLOSE = 0.045
"""Cells from the middle of a spot: nearer than a step of the walk can come."""
PATIENCE = 300
"""Steps that walking to the middle of a spot, or landing, may take."""

LEVELS = load(find("continuity").levels, find("continuity").parse)


class Hand:
    """Follows a plan with keys only. Before it jumps or walks from a spot on the ground it goes to the spot's middle,
    because a plan counts from there; in the air it presses what the plan says, and looks at nothing but which tile the
    figure is in and which keys it has."""

    def __init__(self, level: Level) -> None:
        self.engine, self.world = Engine(level), level.world
        self.left: list[Collection[str]] = []
        """What is to be held in the next steps of a flight."""

    def follow(self, plan: solver.Plan) -> None:
        for doing in plan.doings:
            if self.engine.won:
                return
            if isinstance(doing, solver.Slide):
                self.turn(SLIDE)
                self.engine.press(DIRECTIONS[doing.side])
                self.settle()
            else:
                self.go(doing)
        self.turn(WALK)
        for _ in range(STEPS_A_SECOND):
            self.engine.step()

    def settle(self) -> None:
        while not self.engine.still:
            self.engine.step()

    def turn(self, view: str) -> None:
        if self.engine.view != view:
            self.engine.press("space")
        self.settle()

    def go(self, way: Link | Crossing) -> None:
        (tile, name), (_, to) = self.world.places[way.a], self.world.places[way.b]
        engine = self.engine
        if way.presses:
            assert engine.tile == tile, f"in tile {engine.tile + 1}, but {name} of tile {tile + 1} was meant"
            self.turn(WALK)
            if spot := re.fullmatch(r"r(\d+)c(\d+)", name):
                self.stand(int(spot[1]), int(spot[2]) - 0.5)
            self.left = [each.keys for each in way.presses for _ in range(round(each.seconds * STEPS_A_SECOND))]
        taken = len(engine.taken)
        if self.left:
            self.turn(WALK)
        while self.left and engine.tile == tile and not (" in flight " in to and len(engine.taken) > taken):
            engine.step(self.left.pop(0))
        if isinstance(way, Crossing):
            self.turn(WALK)
            for _ in range(PATIENCE):
                if engine.tile != tile or engine.won:
                    break
                engine.step({DIRECTIONS[way.side]} if way.side < 2 else ())
            self.left = []

    def stand(self, row: int, x: float) -> None:
        engine = self.engine
        for _ in range(PATIENCE):
            if engine.won or (engine.grounded and abs(engine.x - x) < CLOSE):
                break
            engine.step(() if not engine.grounded else {"left"} if engine.x > x else {"right"})
        assert engine.won or (round(engine.y), engine.x) == (row, pytest.approx(x, abs=CLOSE))


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_a_level_has_a_plan_and_its_presses_win_it(number: int) -> None:
    level = LEVELS[number - 1].puzzle
    plan = solver.plan(level.world, 120.0)
    assert plan.status == "solved"
    assert plan.cost <= 1.1 * plan.bound
    hand = Hand(level)
    hand.follow(plan)
    assert hand.engine.won
    assert hand.engine.deaths == 0
