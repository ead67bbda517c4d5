"""Physics from what is seen of a figure: curves through tracks with uneven pictures, a lag and noise; and the figure of
the arcade, measured without a display."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Image
from autoplayer.games.continuity.piloting.fitting import Line, Seen, fit_bumped_jump, fit_jump, fit_walk
from autoplayer.games.continuity.piloting.measuring import FLIGHT, Measured, Measuring, UnmeasuredError, alike
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.seeing.sight import Sighting
from tests.continuity.steered import CELL, Seeing, Steered

LEVELS = load(find("continuity").levels, find("continuity").parse)


def times(random: Random, longest: float, seconds: float) -> list[float]:
    """Moments of pictures that follow one another by 16 ms to ``longest``."""
    found = [0.0]
    while found[-1] < seconds:
        found.append(found[-1] + random.uniform(0.016, longest))
    return found


def walk(speed: float, began: float, ended: float, moments: list[float], noise: float, random: Random) -> list[Seen]:
    """What is seen of a walk, where it is seen to move."""
    track = [Seen(-0.01, 50.0, 100.0)]
    for moment in moments:
        x = 50.0 + speed * (min(max(moment, began), ended) - began) + random.uniform(-noise, noise)
        if abs(x - track[-1].x) > 0.75 + noise:
            track.append(Seen(moment, x, 100.0))
    return track


@settings(max_examples=60, deadline=None)
@given(
    speed=st.floats(40, 400),
    way=st.sampled_from([-1, 1]),
    lag=st.floats(0, 0.1),
    longest=st.floats(0.017, 0.08),
    seed=st.integers(0, 99),
)
def test_a_walk_is_found_in_uneven_pictures(speed: float, way: int, lag: float, longest: float, seed: int) -> None:
    random = Random(seed)
    track = walk(way * speed, lag, lag + 0.7, times(random, longest, 1.2), 0.5, random)
    found = fit_walk(track)
    assert found is not None
    assert found.speed == pytest.approx(way * speed, rel=0.12)
    assert abs(found.began - lag) < 0.06


@pytest.mark.parametrize("stood", [0.1, 0.25, 0.5])
def test_a_walk_in_which_the_window_stood_still_is_as_fast_as_the_rest_of_it(stood: float) -> None:
    """A busy machine draws nothing for a while, and the figure is no farther on then: it had seemed to be slower."""
    moments = [n / 40 for n in range(1, 17)]
    late = [moment + stood * (moment > 0.23) for moment in moments]
    seen = [Seen(late_, 50.0 + 120.0 * moment, 100.0) for moment, late_ in zip(moments, late, strict=True)]
    found = fit_walk([Seen(-0.01, 50.0, 100.0), *seen])
    assert found is not None
    assert found.speed == pytest.approx(120.0, rel=0.02)


def test_of_several_walks_a_slower_one_changes_little() -> None:
    lines = [(Line(speed, 0.0, 0.0, 0.4), 0.0) for speed in (120.0, -121.0, 40.0, 119.0)]
    walk, apart = Measuring._speed(lines)
    assert walk == pytest.approx(120.0, rel=0.01)
    assert apart > 0.1, "they are measured again"


def test_what_does_not_move_is_no_walk() -> None:
    assert fit_walk([Seen(n / 60, 10.0, 5.0) for n in range(30)]) is None


def jump(speed: float, gravity: float, began: float, moments: list[float], ceiling: float = math.inf) -> list[Seen]:
    """What is seen of a jump from the height 300, straight up; at ``ceiling`` above the ground the head stops it."""
    track = [Seen(-0.01, 50.0, 300.0)]
    bump = math.inf
    if speed**2 / (2 * gravity) > ceiling:
        bump = (speed - math.sqrt(speed**2 - 2 * gravity * ceiling)) / gravity
    for moment in moments:
        t = moment - began
        height = speed * t - gravity * t**2 / 2 if t < bump else ceiling - gravity * (t - bump) ** 2 / 2
        y = 300.0 - round(max(height, 0.0) if t > 0 else 0.0)
        if y != track[-1].y:
            track.append(Seen(moment, 50.0, y))
    return track


@settings(max_examples=60, deadline=None)
@given(
    height=st.floats(25, 150),
    seconds=st.floats(0.5, 1.3),
    lag=st.floats(0, 0.1),
    longest=st.floats(0.017, 0.08),
    seed=st.integers(0, 99),
)
def test_a_jump_is_found_in_uneven_pictures(
    height: float, seconds: float, lag: float, longest: float, seed: int
) -> None:
    gravity = 8 * height / seconds**2
    speed = math.sqrt(2 * gravity * height)
    found = fit_jump(jump(speed, gravity, lag, times(Random(seed), longest, 2.0)))
    assert found is not None
    assert found.height == pytest.approx(height, rel=0.05, abs=1.5)
    assert found.gravity == pytest.approx(gravity, rel=0.15)
    assert abs(found.began - lag) < 0.05


@settings(max_examples=40, deadline=None)
@given(share=st.floats(0.45, 0.85), height=st.floats(60, 150), seed=st.integers(0, 99))
def test_a_jump_under_a_ceiling_tells_how_high_it_would_have_been(share: float, height: float, seed: int) -> None:
    gravity = 8 * height / 0.8**2
    speed = math.sqrt(2 * gravity * height)
    track = jump(speed, gravity, 0.0, times(Random(seed), 0.018, 2.0), ceiling=share * height)
    found = fit_bumped_jump(track, 300.0 - min(each.y for each in track))
    assert found is not None
    assert found.gravity == pytest.approx(gravity, rel=0.25)
    assert found.height == pytest.approx(height, rel=0.25)


def measured(number: int, **window: object) -> tuple[Measured, Steered]:
    level = LEVELS[number - 1].puzzle
    window_ = Steered(level, **window)  # type: ignore[arg-type]
    eyes = Seeing(window_, noise=0.5)
    tiles = eyes.board()
    watch = Watch(window_, eyes, Controls(), 0.0)
    watch.look()
    physics = level.physics
    measuring = Measuring(watch, tiles.solid, tiles.spikes, physics.width * CELL, physics.height * CELL)
    return measuring.measure(), window_


@pytest.mark.parametrize("number", [1, 9, 27], ids=["usual", "moonlight", "hurry"])
@pytest.mark.parametrize(
    "window",
    [{}, {"frames": (0.016, 0.08)}, {"frames": (0.016, 0.08), "lag": 0.05, "late": 0.05}],
    ids=["smooth", "slow", "late"],
)
def test_the_figure_of_the_arcade_is_measured(number: int, window: dict[str, object]) -> None:
    found, steered = measured(number, **window)
    physics = LEVELS[number - 1].puzzle.physics
    assert found.walk == pytest.approx(physics.walk * CELL, rel=0.12)
    assert found.jump == pytest.approx(physics.jump * CELL, rel=0.06)
    assert found.gravity == pytest.approx(physics.gravity * CELL, rel=0.2)
    lag = float(window.get("lag", 0.0)) + float(window.get("late", 0.0))  # type: ignore[arg-type]
    assert lag - 0.06 <= found.lag <= lag + 0.06
    assert steered.deaths == 0


@pytest.mark.parametrize(
    "window",
    [{"frames": (0.15, 0.3), "look": 0.1}, {"look": 0.2}],
    ids=["few pictures of a walk", "a jump under a low ceiling between two pictures"],
)
def test_on_a_busy_machine_the_figure_is_measured_roughly(window: dict[str, object]) -> None:
    found, steered = measured(1, **window)
    physics = LEVELS[0].puzzle.physics
    assert found.walk == pytest.approx(physics.walk * CELL, rel=0.2)
    assert found.jump == pytest.approx(physics.jump * CELL, rel=0.4)
    assert steered.deaths == 0


class Blinking(Seeing):
    """Eyes that do not find the figure for a while after each jump."""

    jumped = -math.inf

    def see(self, image: Image) -> Sighting:
        seen, engine = super().see(image), self.window.engine
        if not engine.grounded:
            self.jumped = self.window.clock
        elif self.window.clock < self.jumped + FLIGHT:
            seen = seen._replace(tile=None, x=0.0, y=0.0)
        return seen


def test_a_figure_that_is_not_seen_after_a_jump_is_measured() -> None:
    """Something came over the window: that the tile was not known then ended all of play."""
    level = LEVELS[0].puzzle
    window = Steered(level)
    eyes = Blinking(window)
    tiles, physics = eyes.board(), level.physics
    watch = Watch(window, eyes, Controls(), 0.0)
    watch.look()
    measuring = Measuring(watch, tiles.solid, tiles.spikes, physics.width * CELL, physics.height * CELL)
    assert measuring.measure().jump == pytest.approx(physics.jump * CELL, rel=0.06)


def test_a_figure_that_no_key_moves_is_said() -> None:
    level = LEVELS[0].puzzle
    window = Steered(level, deaf=True)
    eyes = Seeing(window)
    tiles = eyes.board()
    watch = Watch(window, eyes, Controls("a", "d"), 0.0)
    watch.look()
    with pytest.raises(UnmeasuredError, match="no figure moves when a or d is held"):
        Measuring(watch, tiles.solid, tiles.spikes, 14.0, 21.0).measure()


def test_the_same_physics_measured_twice_are_alike_and_others_are_not() -> None:
    one = Measured(120, 53, 720, 336, 0.02)
    assert alike(Measured(124, 52, 700, 400, 0.05), one)
    assert not alike(Measured(150, 53, 720, 336, 0.02), one)
    assert not alike(Measured(120, 53, 1150, 336, 0.02), one)
