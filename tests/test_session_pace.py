"""At which pace the session plays a simulated window: slower where moves are lost, quicker where none is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from autoplayer.core.gestures import Click, Drag, Gesture, Pace
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.layout import Layout, PaceTable
from autoplayer.session import Session
from autoplayer.session.pace import Pacing
from tests.simulated import GAME, LEVELS, SeeingGame, Simulated, play, several, won


def test_dropped_steps_are_drawn_again() -> None:
    window = Simulated(LEVELS, drop_every=4)
    results, _ = play(window, levels=2)
    assert won(window) == [0, 1]
    assert [r.status for r in results] == ["won", "won"]


def test_the_pace_slows_where_cells_are_lost_and_stays_above_what_lost() -> None:
    window = Simulated(several(LEVELS, 9), least_step=0.06)
    layout = Layout(game=GAME, pace=PaceTable(press=0.02, step=0.02, release=0.02))
    results, session = play(window, layout, levels=8)
    assert [r.status for r in results] == ["won"] * 8
    assert session.layout.pace.step >= 0.06
    assert 0.02 <= session.layout.slowest_lost < 0.06
    assert all(pace.step > session.layout.slowest_lost for pace in window.paces[-5:])


class Resting(Simulated):
    """A cell counts where the pointer has rested on it for a tenth of a second: by chance on every fifth otherwise."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        quick = pace.step < 0.1
        super().perform([Drag(g.path[::5]) if quick and isinstance(g, Drag) else g for g in gestures], pace)


def test_a_drag_that_drew_a_wrong_cell_says_that_the_window_is_played_by_drags() -> None:
    """The press that cuts it off again, as the first of some clicks, does not say that it is played by clicks."""
    window = Resting([". . 2 2 .\n3 2 2 2 .\n3 2 2 2 2\n2 2 2 X 2\n2 2 2 1 1"])
    _, session = play(window, levels=1)
    assert won(window) == [0]
    assert session.layout.controls == "drag"
    assert len(window.gestures) < 12


def test_the_pace_quickens_while_nothing_is_lost() -> None:
    window = Simulated(several(LEVELS, 9))
    _, session = play(window, levels=6)
    assert session.layout.pace.step < PaceTable().step
    assert session.layout.slowest_lost is None


class Guessing(SeeingGame):
    """Before anything is drawn, it twice makes a move that may be needed and is not."""

    def __init__(self, window: Simulated, *, guess: bool) -> None:
        super().__init__(window)
        self.guess = guess

    def plan(self, reading: Reading, puzzle: Any, solution: Any, progress: Progress, layout: Layout, attempt: int = 0):
        moves = super().plan(reading, puzzle, solution, progress, layout, max(attempt - 2, 0))
        touch = Click(reading.places[0, 0].centre)
        if progress.done or attempt >= 2:
            return moves
        return [Move("touch", (touch,), ((0, 0),), guess=self.guess), *moves]


@pytest.mark.parametrize("guess", [True, False])
def test_a_move_that_may_not_be_needed_says_nothing_about_the_pace(guess: bool) -> None:
    window = Simulated(LEVELS)
    session = Session(Guessing(window, guess=guess), window, Layout(game=GAME))
    assert [result.status for result in session.play(2)] == ["won"] * 2
    assert (session.layout.slowest_lost is None) == guess


def test_a_window_that_hears_nothing_is_handed_back_after_bounded_tries() -> None:
    window = Simulated(LEVELS, deaf=True)
    results, _ = play(window)
    assert [r.status for r in results] == ["failed"]
    assert "draw chain 1" in results[0].error
    assert "(0, 1)" in results[0].error
    assert results[0].frame is not None
    assert sum(isinstance(gesture, Drag) for gesture in window.gestures) <= 4
    # Drags, clicks on all nine cells twice and after a number key, two keys and three letters, and twelve keys that may
    # move a cursor.
    assert len(window.gestures) <= 4 + 3 * 9 + 1 + 5 + 12


@pytest.mark.parametrize("step", [0.01, 0.05, 0.1])
def test_a_window_that_drops_one_step_in_twenty_at_any_speed_is_not_crawled_through(step: float) -> None:
    pacing = Pacing(Pace(step, step, step))
    rng = random.Random(7)
    for _ in range(300):
        length = rng.randint(1, 20)
        lost = any(rng.random() < 0.05 for _ in range(length))
        pacing = pacing.after_move(length, lost=lost, gained=length > 1)
        if rng.random() < 0.2:
            pacing = pacing.after_clean_level()
    assert pacing.pace.step <= max(0.1, step)
    assert (pacing.slowest_lost or 0) < 0.1


def test_a_move_that_brings_nothing_slows_at_once() -> None:
    pacing = Pacing(Pace(0.02, 0.02, 0.02)).after_move(5, lost=True, gained=False)
    assert pacing.pace.step == pytest.approx(0.04)
    assert pacing.slowest_lost == 0.02
    for _ in range(5):
        pacing = pacing.after_clean_level()
    assert pacing.pace.step > 0.02


def test_gestures_are_drags_between_the_centres_of_cells() -> None:
    window = Simulated(LEVELS)
    play(window, levels=1)
    centres = {box.centre for box in window.places.values()}
    drags = [gesture for gesture in window.gestures if isinstance(gesture, Drag)]
    assert drags
    assert all(set(drag.path) <= centres | {box.centre for box in Simulated(LEVELS).places.values()} for drag in drags)
    assert not any(isinstance(gesture, Click) for gesture in window.gestures)
