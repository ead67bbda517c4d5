"""A figure that goes a step for each press of a key: that is found out, and its keys are pressed again and again."""

from __future__ import annotations

import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Hold, Keys, Pace
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.measuring import Measuring
from autoplayer.games.continuity.piloting.stepping import Stepping
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.rooms import Reach
from tests.continuity.steered import CELL, Seeing, Steered, Stepwise

LEVELS = load(find("continuity").levels, find("continuity").parse)


def measuring(window: Steered) -> Measuring:
    eyes = Seeing(window)
    tiles = eyes.board()
    watch = Watch(window, eyes, Controls(), 0.0)
    watch.look()
    physics = window.level.physics
    return Measuring(watch, tiles.solid, tiles.spikes, physics.width * CELL, physics.height * CELL)


@pytest.mark.parametrize("number", [0, 8])
def test_steps_are_told_from_a_walk(number: int) -> None:
    level = LEVELS[number].puzzle
    window = Stepwise(level, lag=0.03)
    found = measuring(window)
    physics = found.measure()
    steps = found.watch.controls.steps
    assert steps > 0
    step = window.ticks / 60 * level.physics.walk * CELL
    assert physics.walk == pytest.approx(step / steps, rel=0.15)
    assert physics.lag < 0.1


def test_steps_that_are_hardly_seen_are_told_as_well() -> None:
    """Also where the system repeats no key, so that no walk is seen at all."""
    window = Stepwise(LEVELS[0].puzzle, lag=0.03)
    window.ticks, window.pause = 1, 9.0
    found = measuring(window)
    found.measure()
    assert found.watch.controls.steps > 0


@pytest.mark.parametrize("number", [0, 4])
def test_a_walk_is_no_steps(number: int) -> None:
    found = measuring(Steered(LEVELS[number].puzzle, lag=0.03, frames=(0.08, 0.1)))
    found.measure()
    assert found.watch.controls.steps == 0


class Counted(Steered):
    """A window that counts presses on a clock of its own."""

    def __init__(self) -> None:
        super().__init__(LEVELS[0].puzzle)
        self.pressed: list[float] = []

    def hold(self, keys: object) -> None:
        before = self.down
        super().hold(keys)  # type: ignore[arg-type]
        if "left" in self.down - before:
            self.pressed.append(self.clock)


def test_what_is_held_is_pressed_evenly_and_what_is_tapped_as_often_as_it_is_long() -> None:
    window = Counted()
    stepping = Stepping(window, {"left", "right"}, 0.05)
    stepping.hold({"left", "up"})
    while window.clock < 0.99:
        assert isinstance(stepping.glance(0.02), Frame)
        assert window.down == {"left", "up"}
    assert len(window.pressed) == 20
    stepping.hold(())
    stepping.glance(0.2)
    assert len(window.pressed) == 20
    stepping.perform((Hold(("left",), 0.21), Keys(("up",)), Hold(("left",), 0.01)), Pace(0.0, 0.0, 0.0))
    assert len(window.pressed) == 25


def test_a_level_is_won_by_steps() -> None:
    level = LEVELS[4].puzzle
    window = Stepwise(level, lag=0.03)
    found = measuring(window)
    physics = found.measure()
    tiles = Seeing(window).board()
    found.watch.lag = physics.lag
    Executor(found.watch, Reach(rooms_of(tiles, physics))).play()
    assert window.engine.won
