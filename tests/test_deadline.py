"""Deadlines for searching and reading: by the clock, and by the amount of work."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autoplayer.core import deadline
from autoplayer.core.deadline import Allowance, Deadline, OutOfTime


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What the clock and the processor time show, in seconds; a test may change both."""
    shown = SimpleNamespace(clock=100.0, work=7.0)
    clocks = SimpleNamespace(perf_counter=lambda: shown.clock, thread_time=lambda: shown.work)
    monkeypatch.setattr(deadline, "time", clocks)
    return shown


def test_a_deadline_is_a_point_in_time(now: SimpleNamespace) -> None:
    until = Deadline(2.0)
    now.clock += 1.5
    assert (until.spent, until.left, until.passed) == (1.5, 0.5, False)
    until.check()
    until.shorten(0.25)
    assert until.left == 0.25
    until.shorten(5.0)
    assert until.left == 0.25
    now.clock += 0.25
    assert until.passed
    with pytest.raises(OutOfTime):
        until.check()


def test_only_its_own_work_is_taken_from_an_allowance(now: SimpleNamespace) -> None:
    """The result for a picture does not change if other programs use the processor."""
    allowance = Allowance(2.0)
    now.clock += 19.0
    now.work += 1.5
    assert allowance.left == 0.5
    now.work += 0.5
    assert allowance.passed


def test_nobody_waits_for_ever_for_an_allowance(now: SimpleNamespace) -> None:
    allowance = Allowance(2.0)
    now.clock += 20.0
    assert allowance.passed


def test_work_that_heeds_its_callers_patience_is_given_up(now: SimpleNamespace) -> None:
    with deadline.patience(2.0):
        now.work += 1.5
        deadline.heed()
        now.work += 0.5
        with pytest.raises(OutOfTime):
            deadline.heed()
    deadline.heed()  # nobody waits any more


def test_without_a_callers_patience_work_takes_as_long_as_it_takes(now: SimpleNamespace) -> None:
    deadline.heed()
    now.work += 1e9
    deadline.heed()
