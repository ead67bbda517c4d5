"""The picture of a level and of a plan."""

from __future__ import annotations

import numpy as np
import pytest

from autoplayer.games import load
from autoplayer.games.continuity import picture
from autoplayer.games.continuity.picture import DOORS, KEYS, draw
from autoplayer.games.continuity.puzzle import Step

GAME = load("continuity")


def has(image: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool(np.any(np.all(image[:, :, ::-1] == colour, axis=2)))


def test_a_level_shows_its_door_and_keys_and_a_plan_has_more_frames() -> None:
    puzzle = GAME.generate(2, 2, 3)
    level, plan = draw(puzzle), draw(puzzle, GAME.solve(puzzle, time_limit=10).solution)
    assert level.dtype == np.uint8
    assert has(level, DOORS)
    assert has(level, KEYS)
    assert plan.shape > level.shape


def test_a_plan_too_long_for_a_sheet_is_drawn_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = GAME.generate(2, 2, 3)
    outcome = GAME.solve(puzzle, time_limit=10)
    assert outcome.solution is not None
    slide = next(step for step in outcome.solution if step.do == "slide")
    back = {"left": "right", "right": "left", "up": "down", "down": "up"}[slide.to]
    plan = tuple(Step(do="slide", tile=slide.tile, to=to, total=slide.total) for to in (slide.to, back) * 100)
    whole = draw(puzzle, plan[:19])
    monkeypatch.setattr(picture, "MOST_PIXELS", 4 * whole.shape[0] * whole.shape[1] + 10_000)  # drawn at twice the size
    long, longer = draw(puzzle, plan[:100]), draw(puzzle, plan)
    assert long.shape == longer.shape == whole.shape
    assert (long != longer).any()  # the last caption says how many more there are
