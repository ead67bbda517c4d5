"""Figures that gather speed and glide, on the ground and in the air: that is measured, learned and foreseen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.piloting.course import Course, State
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.fitting import Seen, Walked, fit_inertia
from autoplayer.games.continuity.piloting.inertia import FLIGHTS, NEVER, NONE, Inertia, Told, learned
from autoplayer.games.continuity.piloting.level import breadth, rooms_of, surest
from autoplayer.games.continuity.piloting.measuring import Measured, Measuring
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from tests.continuity.steered import CELL, Inert, Seeing, measured

LEVELS = load(find("continuity").levels, find("continuity").parse)
LAG = 0.03


def walked(start: float, stop: float, late: float = 0.0, speed: float = 120.0) -> list[Walked]:
    """Two walks of a figure with so much inertia, in pictures that are up to ``late`` seconds late."""
    found = []
    for held in (0.3, 0.6):
        x = going = 0.0
        track = [Seen(10.0, 0.0, 50.0)]
        for n in range(1, 160):
            acts = LAG <= n / 100 < LAG + held
            most = speed * 0.01 / max(start if acts else stop, 1e-6)
            going += min(max(speed * acts - going, -most), most)
            x += going * 0.01
            if n % 3 == 0 and x != track[-1].x:
                track.append(Seen(10.0 + n / 100 + late * (n % 2), x, 50.0))
        found.append(Walked(10.0, 10.0 + held, track))
    return found


@pytest.mark.parametrize(("start", "stop"), [(0.15, 0.1), (0.3, 0.55), (0.55, 0.55)])
def test_walks_tell_how_soon_a_figure_has_its_speed(start: float, stop: float) -> None:
    found = fit_inertia(walked(start, stop), LAG)
    assert found is not None
    inertia, speed = found
    assert inertia[:2] == pytest.approx((start, stop), abs=0.06)
    assert inertia[2:] == inertia[:2]
    assert speed == pytest.approx(120.0, rel=0.05)


@pytest.mark.parametrize("kept", [0.95, 0.965])
def test_a_figure_that_keeps_a_share_of_its_speed_in_each_frame_has_inertia(kept: float) -> None:
    """It does not slow down evenly, and had been taken for one without any that answers late."""
    x = going = 0.0
    track = [Seen(10.0, 0.0, 50.0)]
    for n in range(1, 180):
        acts = LAG <= n / 60 < LAG + 0.7
        going = min(going + 4.0, 120.0) if acts else going * kept * (going > 2.0)
        x += going / 60
        if round(x) != track[-1].x:
            track.append(Seen(10.0 + n / 60, float(round(x)), 50.0))
    found = fit_inertia([Walked(10.0, 10.7, track)], LAG)
    assert found is not None
    inertia, speed = found
    assert inertia.start == pytest.approx(0.45, abs=0.11)
    assert inertia.stop >= 0.55
    assert speed == pytest.approx(120.0, rel=0.1)


def test_a_figure_that_has_its_speed_at_once_needs_no_inertia() -> None:
    """Pictures that are late look a little as if it had some."""
    for late in (0.0, 0.02, 0.04):
        assert fit_inertia(walked(0.0, 0.0, late), LAG) is None


def test_the_inertia_of_the_air_is_learned_from_flights_that_need_it() -> None:
    level = parse(GAP)
    assert isinstance(level, Level)
    eyes = Seeing(Inert(level))
    reach = Reach(rooms_of(eyes.board(), measured(level)))
    ground = Inertia(0.1, 0.1, 0.1, 0.1)
    start = State(0, 2.5 * CELL, 4.0 * CELL)
    for true in (Inertia(0.1, 0.1, 0.45, 0.3), Inertia(0.1, 0.1, 0.3, NEVER), ground):
        course, believed = (Course(reach.rooms, (0, -1), reach.match, each) for each in (true, ground))
        state, seen = start, []
        for n in range(14):
            held = [(int(n < 7), n == 0, 0.05)]
            state = course.after(state, held)
            seen.append((held, state.x, state.y))
        told = believed.tell(start, seen)
        assert learned([told] * (FLIGHTS - 1), ground, course.physics.walk) is None
        found = learned([told] * FLIGHTS, ground, course.physics.walk)
        assert found == (None if true == ground else true)


def test_little_that_flights_tell_changes_nothing() -> None:
    beside, places = np.full(65, 4.0), np.full(65, 4.0)
    beside[7] = 0.0
    assert learned([Told(beside, places)] * FLIGHTS, NONE, 20.0) is None  # too few places
    assert learned([Told(3 * beside, 3 * places)] * FLIGHTS, NONE, 20.0) is not None
    assert learned([Told(3 * beside, 3 * places)] * FLIGHTS, NONE, 120.0) is None  # as pictures that are late
    beside[7] = 2.0
    assert learned([Told(3 * beside, 3 * places)] * FLIGHTS, NONE, 20.0) is not None
    assert learned([Told(15 * beside, 3 * places)] * FLIGHTS, NONE, 20.0) is None  # no inertia explains that


@pytest.mark.parametrize("number", [18, 24])
def test_levels_are_won_with_figures_that_gather_speed(number: int) -> None:
    """Where it was not known, walks that begin late made all keys seem late, and flights ended beside ledges."""
    window = Inert(LEVELS[number].puzzle, frames=(0.016, 0.03), lag=LAG, seed=2)
    window.inertia = inertia = Inertia(0.12, 0.12, 0.25, 0.25)
    eyes = Seeing(window, noise=0.5)
    board = eyes.board()
    watch = Watch(window, eyes, Controls(), 0.0)
    figure = surest(board, "figure")
    assert figure is not None
    watch.look(0.2)
    found = Measuring(watch, board.solid, board.spikes, breadth(figure), figure.height).measure()
    assert found.lag == pytest.approx(LAG, abs=0.04)
    assert found.inertia.start == pytest.approx(inertia.start, abs=0.06)
    watch.lag = found.lag
    Executor(watch, Reach(rooms_of(board, found)), inertia=found.inertia).play()
    assert window.engine.won
    assert window.deaths <= 3


GAP = """
physics walk=5 jump=1.6
+------------------+------------------+
|..................|__________________|
|..................|__________________|
|..................|__________________|
|S...............KD|__________________|
|########^^^#######|__________________|
+------------------+------------------+
"""


def test_a_figure_that_gathers_speed_runs_up_to_a_wide_jump() -> None:
    """From where it stands it comes over two cells and a half, with its speed over three and more."""
    level = parse(GAP)
    assert isinstance(level, Level)
    window = Inert(level)
    window.inertia = inertia = Inertia(0.2, 0.1, 0.5, 0.5)
    eyes = Seeing(window)
    told: list[str] = []
    watch = Watch(window, eyes, Controls(), 0.0)
    Executor(watch, Reach(rooms_of(eyes.board(), measured(level))), inertia=inertia, tell=told.append).play()
    assert window.engine.won
    assert not window.deaths
    assert "with a run-up" in told


def test_what_failed_with_other_physics_is_forgotten_with_them() -> None:
    """The numbers of places are others then; they were looked up among the new ones."""
    level = parse(GAP)
    assert isinstance(level, Level)
    eyes = Seeing(window := Inert(level))
    executor = Executor(Watch(window, eyes, Controls(), 0.0), Reach(rooms_of(eyes.board(), measured(level))))
    executor._entered = executor._last_entered = ((10**6, 10**6 + 1),)
    executor._believe(replace(executor.reach.rooms.physics, jump=30.0))
    executor._failed.update((*executor._entered, *executor._last_entered))
    assert not executor.failed()


def test_inertia_that_is_known_is_kept_from_level_to_level() -> None:
    level = LEVELS[3].puzzle
    window = Inert(level)
    window.inertia = Inertia(0.3, 0.3, 0.3, 0.3)
    eyes = Seeing(window)
    board = eyes.board()
    figure = surest(board, "figure")
    assert figure is not None
    known = replace(measured(level, LAG), inertia=Inertia(0.3, 0.3, 0.45, NEVER))
    watch = Watch(window, eyes, Controls(), LAG)
    watch.look(0.2)
    found = Measuring(watch, board.solid, board.spikes, breadth(figure), figure.height).measure(known)
    assert isinstance(found, Measured)
    assert found.inertia == known.inertia
    assert found.walk == pytest.approx(known.walk, rel=0.1)


def test_short_walks_tell_the_speed_with_the_inertia_that_is_known_also_where_no_jump_was_seen() -> None:
    """Under a low ceiling a figure that gathers speed seemed to walk as slowly as its short walks are in the mean."""
    eyes = Seeing(window := Inert(LEVELS[3].puzzle))
    board = eyes.board()
    watch = Watch(window, eyes, Controls(), LAG)
    measuring = Measuring(watch, board.solid, board.spikes, 14.0, 21.0)
    measuring._walked = walked(0.3, 0.3)
    known = Measured(118.0, 40.0, 700.0, 300.0, LAG, inertia=Inertia(0.3, 0.3, 0.3, 0.3))
    inertia, walk, late = measuring._gathered(80.0, [0.1, 0.1], [], known)
    assert (inertia, late) == (known.inertia, [LAG])
    assert walk == pytest.approx(120.0, rel=0.05)
