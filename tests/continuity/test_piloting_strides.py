"""How fast a figure goes, learned while it is played."""

from __future__ import annotations

import pytest

from autoplayer.games.continuity.piloting.fitting import Line
from autoplayer.games.continuity.piloting.measuring import Measuring
from autoplayer.games.continuity.piloting.strides import Stride, learned, stride
from autoplayer.games.continuity.piloting.watching import Sample
from tests.continuity.test_piloting import LEVELS, executor


def seen(speed: float, seconds: float, *, until: float = 10.0) -> list[Sample]:
    """Pictures of a figure that walks, 30 a second, from 0; after ``until`` seconds something is in its way."""
    times = [n / 30 for n in range(round(seconds * 30))]
    return [Sample(t, 0, speed * min(t, until), 90.0, speed * min(t, until), 90.0) for t in times]


@pytest.mark.parametrize(("speed", "way"), [(80.0, 1), (-120.0, -1)])
def test_a_stride_tells_how_fast_the_figure_goes(speed: float, way: int) -> None:
    found = stride(seen(speed, 0.8), 0.0, 0.8, way)
    assert found is not None
    assert found.speed == pytest.approx(abs(speed))
    assert found.seconds == pytest.approx(0.6, abs=0.05)


@pytest.mark.parametrize(
    ("samples", "way"), [(seen(80, 0.3), 1), (seen(80, 0.8), -1), (seen(80, 0.8, until=0.4), 1)],
    ids=["too short", "the other way", "something was in the way"],
)  # fmt: skip
def test_what_is_no_even_stride_tells_nothing(samples: list[Sample], way: int) -> None:
    assert stride(samples, 0.0, 0.8, way) is None


@pytest.mark.parametrize(
    ("speeds", "walk", "found"),
    [((82.0, 78.0), 100.0, 80.0), ((97.0, 95.0), 100.0, None), ((82.0,), 100.0, None), ((60.0, 100.0), 100.0, None)],
)
def test_another_speed_is_believed_where_strides_agree(speeds: list[float], walk: float, found: float | None) -> None:
    assert learned([Stride(speed, 0.5) for speed in speeds], walk) == found


def test_a_short_walk_may_be_wrong_by_more_than_a_long_one() -> None:
    """A level in which a wall cut the walk short had been played with a speed that was a fourth too high."""
    short, long = ([(Line(100.0, 0.0, 1.0, seconds), 0.0)] * 2 for seconds in (0.14, 0.6))
    assert Measuring._speed(short)[1] > 0.2
    assert Measuring._speed(long)[1] < 0.1
    assert Measuring._speed([*short, *long])[0] == pytest.approx(100.0)


def test_a_walk_that_was_measured_wrongly_is_learned_on_the_way() -> None:
    told: list[str] = []
    played, window = executor(LEVELS[5].puzzle, wrong=1.25, seed=6)
    before = played.reach.rooms.physics.walk
    played.tell = told.append
    played.play()
    assert window.engine.won
    assert any(text.startswith("the figure goes") for text in told)
    assert played.reach.rooms.physics.walk == pytest.approx(before / 1.25, rel=0.05)
