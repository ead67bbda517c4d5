"""A jump whose height could not be measured, because the figure begins under a low ceiling."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.pilot import Pilot, Size
from autoplayer.games.continuity.piloting.watching import Controls
from autoplayer.games.continuity.puzzle import parse
from autoplayer.layout import Layout
from tests.continuity.steered import CELL, Seeing, Steered, measured

LEDGE = """
physics jump=2.6
+------------+------------+
|############|____________|
|#..........#|____________|
|#..........#|____________|
|#..........#|____________|
|#.....K....#|____________|
|#....###...#|____________|
|#S........D#|____________|
|############|____________|
+------------+------------+
"""


def test_a_jump_that_was_only_supposed_is_tried_higher_before_a_key_is_out_of_reach() -> None:
    """Where the figure begins under a low ceiling its jump may not be measured. The level was begun anew instead."""
    level = parse(LEDGE.strip())
    assert isinstance(level, Level)
    window = Steered(level)
    eyes = Seeing(window)
    supposed = replace(measured(level), jump=1.7 * CELL, jump_error=1.0)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    pilot._found = supposed, Controls(), Size(level.physics.height * CELL, 12 * CELL)
    begun = pilot._executor(eyes.board(), pilot._watch(eyes, Controls(), 0.01), supposed)
    pilot._begun = lambda: begun  # type: ignore[method-assign]
    done = pilot.play()
    assert window.engine.won, done.reason
    assert not any(event == "reset" for event, _ in window.log)
    assert pilot._found[0].jump == pytest.approx(2.6 * CELL, rel=0.08)
    assert pilot._found[0].jump_error == 0.0, "it is measured now"
