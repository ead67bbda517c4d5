"""Signals that arrive in the middle of a query to the window system. Each is sent exactly there."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import pytest

from autoplayer.core.errors import StoppedError
from autoplayer.screen.hands import XTestHand
from autoplayer.screen.interrupts import after_questions, whole
from autoplayer.screen.stopping import sigterm_stops
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenWindow


class HeardError(Exception):
    pass


def heard(number: int, _: object) -> None:
    raise HeardError(signal.Signals(number).name)


@pytest.fixture
def handled() -> Any:
    before = signal.signal(signal.SIGTERM, after_questions(heard))
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_signal_waits_for_the_answer(handled: None) -> None:
    done = []

    @whole
    def inner() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("inner")

    @whole
    def question() -> None:
        inner()
        done.append("question")

    for _ in range(2):
        with pytest.raises(HeardError, match="SIGTERM"):
            question()
    assert done == ["inner", "question"] * 2
    whole(lambda: None)()  # it is told once


def test_a_second_signal_cuts_through(handled: None) -> None:
    """The window system may never answer."""
    done = []

    @whole
    def question() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("first")
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("second")

    for _ in range(2):
        with pytest.raises(HeardError):
            question()
    assert done == ["first"] * 2
    whole(lambda: None)()


def test_between_questions_and_beside_those_of_other_threads_it_comes_at_once(handled: None) -> None:
    asked, answered = threading.Event(), threading.Event()

    @whole
    def question() -> None:
        asked.set()
        answered.wait(60.0)

    other = threading.Thread(target=question)
    other.start()
    try:
        asked.wait(60.0)
        with pytest.raises(HeardError):
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        answered.set()
        other.join()


@pytest.mark.parametrize(("number", "error"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, StoppedError)])
def test_a_question_to_the_display_is_answered_before_it_stops(
    number: signal.Signals,
    error: type[BaseException],
    x11: X11,
    open_window: OpenWindow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Incident: a signal while an answer was being read ended the program as a fault of its own."""
    pane = open_window()
    hand = XTestHand(x11)
    wire = x11.display.display
    real = wire.parse_response
    parsed = []

    def parse(*arguments: Any) -> Any:
        if not parsed:
            os.kill(os.getpid(), number)
        parsed.append(real(*arguments))
        return parsed[-1]

    for question in (lambda: x11.area(pane.id), hand.position, lambda: hand.key_down("f9")):
        parsed.clear()
        with monkeypatch.context() as patched:
            patched.setattr(wire, "parse_response", parse)
            with sigterm_stops(), pytest.raises(error):
                question()
        assert parsed
        assert not wire.recv_active
        assert not wire.send_active
    hand.release_all()
    assert x11.area(pane.id) is not None
