"""Walks that are stopped by walls that were not seen: the rooms have them from then on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.hands import LostError
from autoplayer.games.continuity.piloting.legs import Walk
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from tests.continuity.steered import CELL, Seeing, Steered, measured

ROOMS = """+----------+----------+
|##########|##########|
|#........#|#........#|
|#........#|#........#|
|#S...w..D#|#........#|
|##########|##########|
+----------+----------+
|__________|##########|
|__________|#........#|
|__________|#........#|
|__________|#........#|
|__________|##########|
+----------+----------+
"""
SIDE = """+----------+----------+
|##########|##########|
|#........#|#........#|
|#.........|w........#|
|#S........|w.......D#|
|##########|##########|
+----------+----------+
|__________|##########|
|__________|#........#|
|__________|#........#|
|__________|#........#|
|__________|##########|
+----------+----------+
"""


def ready(rooms: str) -> tuple[Executor, Steered]:
    """The pilot before a level whose walls ``w`` it does not see."""
    level, seen = parse(rooms.replace("w", "#")), parse(rooms.replace("w", "."))
    assert isinstance(level, Level)
    assert isinstance(seen, Level)
    window = Steered(level)
    eyes = Seeing(window)
    tiles = replace(eyes.board(), solid=Seeing(Steered(seen)).board().solid)
    watch = Watch(window, eyes, Controls(), 0.02)
    return Executor(watch, Reach(rooms_of(tiles, measured(level)))), window


def test_a_wall_that_stops_walks_is_jumped_over() -> None:
    """The figure walked against it fifteen times, in each of three attempts."""
    pilot, window = ready(ROOMS)
    pilot.play()
    assert window.engine.won


HIGH = "\n".join(row[:5] + "w" + row[6:] if 2 <= n <= 4 else row for n, row in enumerate(ROOMS.splitlines()))


@pytest.mark.parametrize("rooms", [HIGH, SIDE])
def test_a_level_is_begun_anew_where_no_way_leads_round_a_wall_that_stops_walks(rooms: str) -> None:
    pilot, _ = ready(rooms)
    with pytest.raises(LostError) as fault:
        pilot.play()
    assert fault.value.anew
    assert sum(told.startswith("walking right") for told in pilot.log) <= 3


def test_a_walk_that_ends_too_soon_once_or_elsewhere_tells_of_no_wall() -> None:
    """Its key may not have been heard."""
    pilot, window = ready(ROOMS)
    solid = pilot.reach.rooms.solid
    leg = Walk((0,), 4 * CELL, 8.5 * CELL, 1)
    for x, walls in ((2.5, 0), (3.5, 0), (2.5, 1)):
        window.engine.x = x
        pilot.watch.samples.clear()
        pilot.watch.look(0.2)
        pilot._stopped(leg)
        assert (pilot.reach.rooms.solid != solid).any() == bool(walls)
