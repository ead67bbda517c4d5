"""The mechanisms by which a session waits: whether a window answers, what covers it, whether a new window is the same
one; and the faults that the bundled windows can simulate."""

from __future__ import annotations

import signal
import time

import pytest
from Xlib import X
from Xlib.ext import xtest

from autoplayer.arcade.roughness import Bubble, Late
from autoplayer.arcade.stage import arrange
from autoplayer.core.frame import Box
from autoplayer.core.gestures import Click, Pace
from autoplayer.screen import desktop
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.pulse import LateError, Pulse, pulse
from autoplayer.screen.targets import WindowTarget
from tests.faults.conftest import Trouble
from tests.faults.person import Person
from tests.screen.panes import until


def test_a_window_that_hangs_does_not_answer_until_it_goes_on(trouble: Trouble, person: Person) -> None:
    window = trouble.open("cardinal-chains")
    asked = Pulse(person.display, trouble.id)
    try:
        asked.ask()
        until(lambda: asked.silent_for() == 0 and asked._answers, "the first answer")
        window.process.send_signal(signal.SIGSTOP)
        asked.ask()
        until(lambda: asked.silent_for() > 0.3, "no answer")
        window.process.send_signal(signal.SIGCONT)
        until(lambda: asked.silent_for() == 0, "an answer")
    finally:
        window.process.send_signal(signal.SIGCONT)
        asked.close()


def test_a_window_that_never_says_that_it_answers_is_taken_to_be_well(trouble: Trouble, person: Person) -> None:
    pane = trouble.pane("An editor", (200, 200, 300, 200))
    asked = Pulse(person.display, pane.id)
    try:
        asked.ask()
        assert asked.silent_for() == 0
    finally:
        asked.close()


def test_without_a_display_there_is_no_pulse() -> None:
    assert pulse(":4999", 1) is None


def test_nothing_is_pressed_in_a_window_that_hangs(
    trouble: Trouble, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop, "ANSWER_LIMIT", 0.5)
    window = trouble.open("cardinal-chains")
    # Over the level's number: a press there means nothing.
    press, pace = (Click((30, 300)),), Pace(0.01, 0.01, 0.01)
    with DesktopScreen(window.window, system=person.x11) as screen:
        screen.grab()
        screen.perform(press, pace)
        screen.still(1.0)
        window.process.send_signal(signal.SIGSTOP)
        try:
            screen.perform(press, pace)  # nobody can know yet
            time.sleep(desktop.SILENT)
            with pytest.raises(LateError, match="its program hangs"):
                screen.perform(press, pace)
        finally:
            window.process.send_signal(signal.SIGCONT)
    until(lambda: len(window.events("release")) == 2, "the two presses from before")
    assert len(window.events("press")) == 2


@pytest.mark.parametrize("told", [True, False])
def test_what_lies_over_a_part_of_a_window(
    trouble: Trouble, person: Person, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    """Also where the window system tells only what a press would reach."""
    window = trouble.open("cardinal-chains")
    with DesktopScreen(window.window, system=person.x11) as screen:
        if not told:
            monkeypatch.setattr(desktop, "X11", type(None))
        left, right = [Box(100, 200, 80, 80), Box(180, 280, 80, 80)], [Box(450, 200, 300, 300)]
        assert screen.lies_over(left + right) is None
        pane = trouble.over_the_board("A message", "popup")
        until(lambda: screen.lies_over(right) == "the window 'A message'", "the message")
        assert screen.lies_over(left) is None
        pane.close()
        until(lambda: screen.lies_over(right) is None, "the message to go")


def test_a_window_is_found_again_by_its_title_where_that_is_no_guess(trouble: Trouble, person: Person) -> None:
    first = trouble.pane("A game", (100, 100, 200, 150))
    window = person.x11.window(first.id)
    assert window is not None
    target = WindowTarget(person.x11, window)
    assert not target.find_again()  # it is there
    trouble.pane("Something else", (100, 400, 200, 150))
    second, third = (trouble.pane("A game", (x, 100, 200, 150)) for x in (400, 700))
    first.close()
    until(lambda: person.x11.window(first.id) is None, "the first one to be gone")
    assert not target.find_again()  # which of the two?
    third.close()
    until(lambda: person.x11.window(third.id) is None, "the third one to be gone")
    assert target.find_again()
    assert target.id == second.id


def test_a_window_is_found_again_though_its_title_counts_the_levels(trouble: Trouble, person: Person) -> None:
    first = trouble.pane("Level 3 - A game", (100, 100, 200, 150))
    window = person.x11.window(first.id)
    assert window is not None
    target = WindowTarget(person.x11, window)
    second = trouble.pane("Level 14 - A game", (400, 100, 200, 150))
    trouble.pane("Level 3 - Another game", (700, 100, 200, 150))
    first.close()
    until(lambda: person.x11.window(first.id) is None, "the first one to be gone")
    assert target.find_again()
    assert target.id == second.id


def test_an_error_of_the_server_is_no_traceback(person: Person) -> None:
    """python-xlib files an error of RandR under the number of the server's own BadValue."""
    xtest.fake_input(person.x11.display, X.KeyPress, 3)  # there is no such key
    person.x11.display.sync()
    assert person.x11.bounds().width > 0


def test_late_answers_keep_their_order() -> None:
    late, done = Late(1.0), []
    late.put(lambda now: done.append(("a", now)), 0.0)
    late.put(lambda now: done.append(("b", now)), 0.5)
    assert late.deadline == 1.0
    late.tick(0.9)
    assert done == []
    late.tick(1.2)
    late.tick(2.0)
    assert done == [("a", 1.2), ("b", 2.0)]
    assert late.deadline is None


def test_a_hint_comes_twice_a_level_and_goes_when_it_is_pressed() -> None:
    bubble, stage = Bubble(2.0), arrange((800, 600), 4, 4)
    middle = bubble.box(stage).centre
    bubble.level_came(0.0)
    assert bubble.deadline == 2.0
    assert not bubble.tick(1.9)
    assert bubble.tick(2.0)
    assert not bubble.take(middle, stage)
    bubble.gestures(1, 3.0)
    assert bubble.deadline is None
    bubble.gestures(2, 4.0)
    assert not bubble.take((1, 1), stage)
    assert bubble.take(middle, stage)
    bubble.gestures(3, 5.0)
    assert bubble.deadline is None
