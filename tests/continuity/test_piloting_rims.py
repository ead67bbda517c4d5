"""A key beside the rim of a ledge: the figure leans over the rim, and neither falls nor waits for a landing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from tests.continuity.steered import Seeing, Steered, measured

BESIDE_THE_RIM = """
+------------+------------+
|############|____________|
|#..........#|____________|
|#..........#|____________|
|#D.S..K....#|____________|
|######..####|____________|
|######^^####|____________|
|############|____________|
+------------+------------+
"""


@pytest.mark.parametrize("lag", [0.0, 0.03])
def test_a_key_beside_a_rim_is_taken_from_the_rim(lag: float) -> None:
    level = parse(BESIDE_THE_RIM.strip())
    assert isinstance(level, Level)
    level = replace(level, physics=replace(level.physics, jump=0.1))
    window = Steered(level, lag=lag)
    eyes = Seeing(window, noise=1.0)
    done: list[str] = []
    hands = Executor(
        Watch(window, eyes, Controls(), lag), Reach(rooms_of(eyes.board(), measured(level, lag))), tell=done.append
    )
    hands.play()
    assert window.engine.won
    assert window.deaths == 0
    assert "stepping off from tile 1 to land in tile 1" in done
    assert window.clock < 8.0
