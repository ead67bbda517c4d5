"""What stops a gesture: signals, a hand on the mouse, corners, the window's end, a window over it; no button and no key
is left pressed. Events are taken from the window's own log."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from autoplayer.core.errors import AutoplayerError, MachineError, NotFoundError, StoppedError
from autoplayer.core.frame import Box
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Pace
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.guard import CoveredError
from autoplayer.screen.hands import XTestHand
from autoplayer.screen.stopping import sigterm_stops
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, Pane, until

QUICK = Pace(0.02, 0.03, 0.01)
SLOW_DRAG = Drag(((50, 50), (350, 50), (350, 250), (50, 250)) * 40)
SLOW = Pace(0.1, 2.0, 0.1)
ENDLESS = 300.0
"""Seconds that it takes at this pace, at least, if nothing stops it."""


def stopped(screen: DesktopScreen, pane: Pane, act: Callable[[], Any], gesture: Gesture = SLOW_DRAG) -> Exception:
    """Begin a slow gesture, act once the button or key is down, and return the error that ends the gesture."""
    down = "key down" if isinstance(gesture, Hold) else "press"

    def watch() -> None:
        pane.wait(down)
        time.sleep(0.05)  # somewhere in the middle of it
        act()

    began = time.monotonic()
    thread = threading.Thread(target=watch)
    thread.start()
    with pytest.raises((AutoplayerError, KeyboardInterrupt)) as caught:
        screen.perform([gesture], SLOW)
    thread.join()
    assert time.monotonic() - began < ENDLESS  # how soon it stops is the bench's to say
    return caught.value


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP])
def test_a_signal_stops_a_drag_with_the_button_up(
    number: int, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("who started the tests has told programs to ignore this signal, as nohup does")
    pane = open_window()
    screen = open_screen(pane)
    before = signal.getsignal(number)
    fault = stopped(screen, pane, lambda: os.kill(os.getpid(), number))
    assert isinstance(fault, StoppedError)
    assert pane.names() == ["press", "release"]
    assert screen.hand.held == ()
    assert signal.getsignal(number) == before
    with pytest.raises(StoppedError):  # it stays stopped
        screen.perform([Click((10, 10))], QUICK)
    screen.guard.resume()
    screen.perform([Click((10, 10))], QUICK)


def test_a_signal_that_is_ignored_stays_so(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    """Under nohup a closed terminal is no reason to stop."""
    pane = open_window()
    screen = open_screen(pane)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with screen.guard.stop.listening():
            os.kill(os.getpid(), signal.SIGHUP)
        screen.perform([Click((10, 10))], QUICK)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert pane.names() == ["press", "release"]


def test_a_signal_stops_held_keys(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    fault = stopped(screen, pane, lambda: os.kill(os.getpid(), signal.SIGINT), Hold(("left", "A", "ctrl+up"), ENDLESS))
    assert isinstance(fault, StoppedError)
    log = pane.log()
    keys = {e["key"] for e in log if e["event"].startswith("key")}
    for key in keys:
        assert [e["event"] for e in log if e.get("key") == key][-1] == "key up"
    assert {"Left", "Control_L"} <= keys


def test_a_hand_on_the_mouse_stops_it(
    display: VirtualDisplay, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    person = X11(display.name)
    fault = stopped(screen, pane, lambda: XTestHand(person).move((700, 600)))
    person.close()
    assert isinstance(fault, StoppedError)
    assert "moved the mouse" in str(fault)
    assert pane.names() == ["press", "release"]


def test_a_slow_hand_is_felt_though_the_bot_moves_on(
    display: VirtualDisplay, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    person = X11(display.name)

    def nudge() -> None:
        hand = XTestHand(person)
        for _ in range(60):
            x, y = hand.position()
            hand.move((x, y + 2))
            time.sleep(0.02)

    fault = stopped(screen, pane, nudge)
    person.close()
    assert isinstance(fault, StoppedError)
    assert pane.names() == ["press", "release"]


def test_a_hand_between_two_gestures_stops_it_before_the_next(
    display: VirtualDisplay, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Click((10, 10))], QUICK)
    person = X11(display.name)
    XTestHand(person).move((700, 600))
    person.close()
    for call in (lambda: screen.perform([Click((20, 20))], QUICK), screen.still, lambda: screen.park((1, 1))):
        with pytest.raises(StoppedError, match="moved the mouse"):
            call()
    assert pane.names() == ["press", "release"]


@pytest.mark.parametrize("corner", [(0, 0), (1279, 0), (0, 1023), (1278, 1022)])
def test_a_corner_stops_it(
    corner: tuple[int, int], display: VirtualDisplay, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    person = X11(display.name)
    fault = stopped(screen, pane, lambda: XTestHand(person).move(corner))
    assert isinstance(fault, StoppedError)
    assert "corner" in str(fault)
    assert pane.names() == ["press", "release"]
    # Also when the pointer waits there before anything has begun.
    with pytest.raises(StoppedError, match="corner"):
        open_screen(pane).perform([Click((10, 10))], QUICK)
    person.close()


def test_every_monitor_has_corners(
    display: VirtualDisplay, x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    """Two monitors beside each other: the corners in the middle of the desk stop it, too."""
    pane = open_window(box=(100, 400, 400, 300))
    screen = open_screen(pane)
    screen.guard._monitors._ask = lambda: [Box(0, 0, 640, 1024), Box(640, 200, 640, 824)]
    person = X11(display.name)
    hand = XTestHand(person)
    for corner in ((639, 0), (639, 1023), (640, 200), (1279, 201), (641, 1022)):
        fault = stopped(screen, pane, lambda corner=corner: hand.move(corner))  # type: ignore[misc]
        assert "corner" in str(fault)
        hand.move((300, 800))
        screen.guard.resume()
    person.close()
    assert pane.names() == ["press", "release"] * 5


def test_a_board_in_the_corner_of_the_screen_can_be_played(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window(box=(0, 0, 300, 300), kind="popup")
    screen = open_screen(pane)
    screen.perform([Click((0, 0)), Drag(((1, 1), (100, 1)))], QUICK)
    assert pane.names() == ["press", "release"] * 2


def test_a_closed_window_stops_it(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    fault = stopped(screen, pane, pane.process.kill)
    assert isinstance(fault, NotFoundError)
    assert screen.hand.held == ()


def test_a_window_that_closes_between_two_questions_was_not_covered(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard asks where the window is, then what lies over it: in between it may be gone."""
    pane = open_window()
    screen = open_screen(pane)
    target = screen.guard._target
    ask = target.covering

    def covering(at: tuple[int, int]) -> str | None:
        if pane.names() == ["press"]:
            pane.process.kill()
            until(lambda: x11.area(pane.id) is None, "the window to be gone")
        return ask(at)

    monkeypatch.setattr(target, "covering", covering)
    with pytest.raises(NotFoundError, match="gone"):
        screen.perform([SLOW_DRAG], SLOW)
    assert screen.hand.held == ()


def test_a_window_that_comes_over_it_stops_a_drag(x11: X11, open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window(box=(200, 150, 400, 300))
    screen = open_screen(pane)
    area = x11.area(pane.id)
    assert area is not None
    popup = open_window("late news", (area.x + 300, area.y, 90, 290), kind="popup")
    popup.tell("hide")
    until(lambda: x11.area(popup.id) is None, "the popup to hide")
    fault = stopped(screen, pane, lambda: popup.tell("show"))
    assert isinstance(fault, CoveredError)
    assert "late news" in str(fault)
    assert pane.names() == ["press", "release"]


def test_a_request_from_another_thread_stops_it(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    fault = stopped(screen, pane, lambda: screen.guard.stop.request("Stopped by the panel."))
    assert str(fault) == "Stopped by the panel."
    assert pane.names() == ["press", "release"]


def test_sigterm_outside_of_gestures_is_a_stop_too() -> None:
    before = signal.getsignal(signal.SIGTERM)

    def session() -> None:
        with sigterm_stops():
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)

    with pytest.raises(StoppedError, match="SIGTERM"):
        session()
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_display_that_dies_is_a_sentence(open_window: OpenWindow) -> None:
    from autoplayer.screen.display import start_xvfb

    with start_xvfb((640, 480), window_manager=False, set_environment=False) as dying:
        system = X11(dying.name)
        hand = XTestHand(system)
        os.kill(dying.pid, signal.SIGKILL)

        def play_on() -> None:
            for n in range(1000):
                hand.move((n % 100, 5))

        with pytest.raises(MachineError, match="display went away"):
            play_on()
        hand.release_all()
        with pytest.raises(MachineError, match="display went away"):
            system.windows()
        system.close()
