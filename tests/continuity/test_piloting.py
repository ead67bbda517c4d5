"""The pilot against the arcade's engine, stepped without a display: every bundled level is won, by the engine's own
word, with frames of uneven length, a lag and places that are a little wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Frame
from autoplayer.games.continuity.blocks import Level
from autoplayer.games.continuity.flights import LANDED, LOST
from autoplayer.games.continuity.generator import generate
from autoplayer.games.continuity.piloting.aiming import Aiming, middle, steering
from autoplayer.games.continuity.piloting.course import Course, State, _Moving
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.hands import LostError, UnfinishedError
from autoplayer.games.continuity.piloting.legs import Fly, Legs, Slides, Walk
from autoplayer.games.continuity.piloting.level import rooms_of
from autoplayer.games.continuity.piloting.measuring import Measured
from autoplayer.games.continuity.piloting.watching import Controls, ResizedError, Watch
from autoplayer.games.continuity.puzzle import parse
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.seeing.sight import Sighting
from autoplayer.games.continuity.solver import plan
from tests.continuity.steered import CELL, Seeing, Steered
from tests.continuity.steered import measured as measured_in

LEVELS = load(find("continuity").levels, find("continuity").parse)
SLOW = {"frames": (0.016, 0.08), "lag": 0.05, "late": 0.0, "look": 0.02}
LATE = {"frames": (0.016, 0.034), "lag": 0.06, "late": 0.04, "look": 0.012}


def executor(level: Level, *, noise: float = 1.0, wrong: float = 1.0, **window: Any) -> tuple[Executor, Steered]:
    """The pilot before a level; ``wrong``: the factor by which the speed of its walk is measured wrongly."""
    steered = Steered(level, **window)
    eyes = Seeing(steered, noise=noise)
    tiles = eyes.board()
    physics, cell = level.physics, CELL
    measured = Measured(
        physics.walk * cell * wrong, physics.jump * cell, physics.gravity * cell, physics.fall * cell, 0.0
    )
    frames = window.get("frames", (0.016, 0.016))
    lag = window.get("lag", 0.0) + window.get("late", 0.0) + sum(frames) / 4
    watch = Watch(steered, eyes, Controls(), lag)
    return Executor(watch, Reach(rooms_of(tiles, measured))), steered


@pytest.mark.parametrize("number", [1, 6, 12, 18])
def test_a_level_is_won_with_slow_uneven_frames_and_a_lag(number: int) -> None:
    pilot, window = executor(LEVELS[number - 1].puzzle, seed=number, **SLOW)
    pilot.play()
    assert window.engine.won
    assert window.deaths <= 2
    assert pilot.watch.losses == window.deaths


@pytest.mark.parametrize("number", [2, 12])
def test_a_level_is_won_with_a_lag_of_a_tenth_of_a_second(number: int) -> None:
    pilot, window = executor(LEVELS[number - 1].puzzle, seed=number, **LATE)
    pilot.play()
    assert window.engine.won


@pytest.mark.parametrize("number", [1, 13])
def test_a_level_is_won_though_the_walk_was_measured_wrongly(number: int) -> None:
    pilot, window = executor(LEVELS[number - 1].puzzle, wrong=0.94, seed=number)
    pilot.play()
    assert window.engine.won


@pytest.mark.parametrize("number", [5, 12])
def test_lost_presses_are_made_again(number: int) -> None:
    pilot, window = executor(LEVELS[number - 1].puzzle, deaf=6, seed=number)
    pilot.play()
    assert window.engine.won


@pytest.mark.parametrize(("size", "seed"), [((2, 2), 2), ((2, 3), 5)])
def test_a_generated_level_is_won(size: tuple[int, int], seed: int) -> None:
    pilot, window = executor(generate(*size, seed), seed=seed, **SLOW)
    pilot.play()
    assert window.engine.won


UNREACHABLE = """
+--------+--------+
|########|########|
|#......#|#..K...#|
|#......#|#......#|
|#S....D#|#......#|
|########|########|
+--------+--------+
|________|########|
|________|#......#|
|________|#......#|
|________|#......#|
|________|########|
+--------+--------+
"""


def test_a_key_that_no_arrangement_leads_to_is_named() -> None:
    level = parse(UNREACHABLE.strip())
    assert isinstance(level, Level)
    pilot, window = executor(level)
    with pytest.raises(LostError, match="key1 cannot be reached, wherever the tiles lie"):
        pilot.play()
    assert window.deaths == 0


def test_a_level_is_given_up_after_its_time_with_what_was_left() -> None:
    pilot, _ = executor(LEVELS[4].puzzle)
    pilot._until = 3.0
    with pytest.raises(LostError, match="2 of 2 keys were not taken"):
        pilot.play()


def test_keys_are_up_whatever_happens() -> None:
    pilot, window = executor(LEVELS[0].puzzle)
    steps = iter(range(150))

    def broken(image: object) -> Any:
        if next(steps, None) is None:
            raise RuntimeError("eyes shut")
        return see(image)

    see = pilot.watch.eyes.see
    pilot.watch.eyes.see = broken  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="eyes shut"):
        pilot.play()
    assert not window.down


GAP = """
+------------+------------+
|............|............|
|............|............|
|............|............|
|.S......D...|............|
|####...#####|############|
+------------+------------+
|____________|............|
|____________|............|
|____________|............|
|____________|............|
|____________|############|
+------------+------------+
"""


def gap() -> tuple[Reach, Course, State]:
    level = parse(GAP.strip())
    assert isinstance(level, Level)
    pilot, _ = executor(level)
    return pilot.reach, pilot.course, State(0, 3.5 * CELL, 4.0 * CELL)


def test_a_figure_that_is_lost_is_counted_and_found_again() -> None:
    level = parse(GAP.strip())
    assert isinstance(level, Level)
    pilot, window = executor(level)
    before = pilot.settle()
    for times in (1, 2):
        pilot.watch.hold("right")
        while window.deaths < times:
            pilot.watch.look(0.01)
        state = pilot.settle()
        assert before is not None
        assert state is not None
        assert (state.tile, state.y) == (before.tile, before.y)
        assert pilot.watch.losses == times


def test_a_figure_that_is_seen_only_once_it_moves_is_moved() -> None:
    pilot, window = executor(LEVELS[0].puzzle)
    hidden, place = True, window.engine.x

    def see(image: object) -> Sighting:
        nonlocal hidden
        hidden = hidden and window.engine.x == place
        shown = seen(image)
        return shown._replace(tile=None, box=None) if hidden else shown

    seen = pilot.watch.eyes.see
    pilot.watch.eyes.see = see  # type: ignore[method-assign, assignment]
    pilot.play()
    assert window.engine.won
    assert not hidden


def test_a_window_of_another_size_is_no_place_to_go_on() -> None:
    pilot, window = executor(LEVELS[0].puzzle)
    pilot.settle()
    glance = window.glance

    def larger(pause: float = 0.0) -> Frame:
        return replace(glance(pause), image=np.zeros((2, 2, 3), np.uint8))

    window.glance = larger  # type: ignore[method-assign]
    with pytest.raises(ResizedError):
        pilot.play()
    assert not window.down


def test_a_flight_is_steered_to_the_middle_of_what_does() -> None:
    reach, course, state = gap()
    world = reach.world()
    made = plan(world, 10)
    leg = next(leg for leg in Legs(reach).of(world, made.doings) if isinstance(leg, Fly))
    found = Aiming(course, leg, 0.05, frozenset()).aim(state, leg.steer, jump=True)
    assert found is not None
    flown = course.run(state, np.array([found.seconds - 0.05, found.seconds, found.seconds + 0.05]), jump=True)
    assert (flown.how == LANDED).all()
    assert (flown.x >= 7 * CELL - course.physics.width).all()


def test_what_falls_out_below_is_lost_and_a_side_that_does_not_match_is_a_wall() -> None:
    _, course, state = gap()
    flown = course.run(state, np.array([0.5, -2.0]))
    assert flown.how[0] == LOST
    assert flown.x[1] >= course.physics.width / 2


def test_a_flight_goes_on_in_the_tile_beside() -> None:
    level = parse(GAP.replace("####...#####", "############").strip())
    assert isinstance(level, Level)
    pilot, _ = executor(level)
    course = pilot.course
    flown = course.run(State(0, 11.5 * CELL, 4.0 * CELL), np.array([0.6]), jump=True)
    assert (flown.how[0], flown.tile[0], flown.entered[0]) == (LANDED, 1, 1)
    assert 0 < flown.x[0] < 6 * CELL


def test_a_state_in_the_ground_is_lifted_out_of_it() -> None:
    _, course, state = gap()
    for wrong in (-2.0, -0.4, 0.4, 2.0):
        assert course.freed(replace_y(state, state.y + wrong)).y == state.y


def replace_y(state: State, y: float) -> State:
    return state._replace(y=y)


def test_plans_are_cut_into_legs_with_slides_before_flights() -> None:
    level = LEVELS[3].puzzle
    pilot, _ = executor(level)
    world = pilot.reach.world()
    legs = Legs(pilot.reach).of(world, plan(world, 30).doings)
    assert any(isinstance(leg, Fly) and leg.end == "enter" for leg in legs)
    for one, two in pairwise(legs):
        assert not (isinstance(one, Slides) and isinstance(two, Slides))
    assert any(isinstance(leg, Walk) for leg in legs)


def test_a_door_that_stays_shut_tells_of_more_keys() -> None:
    level = LEVELS[0].puzzle
    steered = Steered(level)
    eyes = Seeing(steered)
    tiles = eyes.board()
    tiles = replace(tiles, things=tuple(thing for thing in tiles.things if thing.kind != "key"))
    physics = level.physics
    measured = Measured(physics.walk * CELL, physics.jump * CELL, physics.gravity * CELL, physics.fall * CELL, 0.0)
    watch = Watch(steered, eyes, Controls(), 0.008)
    watch.keys = {}
    with pytest.raises(UnfinishedError, match="at the door with all keys"):
        Executor(watch, Reach(rooms_of(tiles, measured))).play()


@pytest.mark.parametrize("way", [0, 1, -1])
def test_a_figure_that_no_longer_moves_is_not_simulated_further(way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a key or the door each look took the longer, the longer the figure had been standing there."""
    level = LEVELS[0].puzzle
    reach = Reach(rooms_of(Seeing(Steered(level)).board(), measured_in(level)))
    course = Course(reach.rooms, level.board.cells, reach.match)
    tile, row, column = next(level.found("S"))
    stands = course.after(State(tile, (column + 0.5) * CELL, (row + 1.0) * CELL), [(way, False, 4.0)])
    steps: list[int] = []
    step = _Moving.step
    monkeypatch.setattr(_Moving, "step", lambda self, speed: (steps.append(1), step(self, speed))[1])
    assert course.after(stands, [(way, False, 60.0)]) == stands
    assert len(steps) <= 2
    jumped = course.after(stands, [(way, False, 60 * course.tick), (0, True, 9 * course.tick)])
    assert jumped == course.after(stands, [(0, True, 9 * course.tick)])
    assert jumped.y < stands.y


def test_the_middle_of_a_run_leaves_room_on_both_sides() -> None:
    steer = steering()
    good = (steer >= 0.2) & (steer <= 0.6)
    found = middle(good, steer, 0.0)
    assert found is not None
    assert found.seconds == pytest.approx(0.4, abs=0.03)
    assert not found.still
    assert middle(np.zeros(len(steer), np.bool_), steer, 0.0) is None


@pytest.mark.parametrize(("side", "away"), [(-1, 1), (1, -1)])
def test_of_two_sides_a_flight_keeps_away_from_the_deadly_one(side: int, away: int) -> None:
    steer = steering()
    good = (steer >= 0.2) & (steer <= 0.6)
    lost = ~good & (np.sign(steer - 0.4) == side)
    even, found = middle(good, steer, 0.0, ~good), middle(good, steer, 0.0, lost)
    assert even is not None
    assert found is not None
    assert even.seconds == pytest.approx(0.4, abs=0.03)
    assert 0.02 < away * (found.seconds - even.seconds) < 0.15
    assert found.room == even.room


def test_physics_that_turn_out_otherwise_are_learned() -> None:
    level = LEVELS[0].puzzle
    steered = Steered(level)
    eyes = Seeing(steered)
    tiles = eyes.board()
    physics = level.physics
    guessed = Measured(physics.walk * CELL, 2.6 * CELL, 36.0 * CELL, 20 * CELL, 0.0)
    pilot = Executor(Watch(steered, eyes, Controls(), 0.01), Reach(rooms_of(tiles, guessed)), sure=False)
    pilot.play()
    assert steered.engine.won
    assert pilot.learned(guessed).jump == pytest.approx(2.2 * CELL, rel=0.08)


@pytest.mark.parametrize("number", [12, 16, 28])
def test_after_flights_from_one_ground_to_another_have_failed_another_way_is_tried(number: int) -> None:
    pilot, _ = executor(LEVELS[number - 1].puzzle)
    state = pilot.settle()
    assert state is not None
    tried = set()
    for _ in range(12):
        world, found = pilot.plan(state)
        assert found.status == "solved"
        legs = pilot.legs.of(world, found.doings)
        flight = next(leg for leg in legs if isinstance(leg, Fly) and leg.end == "land")
        pilot._failed.update(flight.links[:1])
        tried.add((flight.tile, flight.row, flight.into, flight.at))
    assert len(tried) >= 2


@pytest.mark.parametrize("kind", ["figure", "door"])
def test_a_level_that_is_looked_at_again_without_its_figure_or_door_is_given_up(kind: str) -> None:
    """It was an AssertionError, which nothing above expects."""
    level = LEVELS[0].puzzle
    board = Seeing(Steered(level)).board()
    less = replace(board, things=tuple(thing for thing in board.things if thing.kind != kind))
    with pytest.raises(LostError, match=f"no {kind} is found"):
        rooms_of(less, measured_in(level))
