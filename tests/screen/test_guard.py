"""The guard: no gesture outside the window, none after a stop, and no button or key left pressed. Events are taken from
the window's own log."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from autoplayer.core.errors import AutoplayerError, MachineError, NotFoundError, StoppedError, UsageError
from autoplayer.core.frame import Box
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen import hands
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import VirtualDisplay
from autoplayer.screen.guard import ChangedError, CoveredError, RefusedError
from autoplayer.screen.hands import PyAutoGuiHand, XTestHand
from autoplayer.screen.motion import LONGEST_IN_DOUBLE, LONGEST_KEY, stretch
from autoplayer.screen.stopping import sigterm_stops
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, Pane, on_top, until

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


# What arrives


def test_a_click_arrives_where_it_was_meant(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Click((0, 0)), Click((399, 299), "right"), Click((5, 6), "middle")], QUICK)
    found = [(e["event"], e["button"], e["at"]) for e in pane.log() if e["event"] in ("press", "release")]
    assert found == [
        ("press", 1, [0, 0]),
        ("release", 1, [0, 0]),
        ("press", 3, [399, 299]),
        ("release", 3, [399, 299]),
        ("press", 2, [5, 6]),
        ("release", 2, [5, 6]),
    ]


def test_a_double_click_is_quick_at_any_pace(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    waits: list[float] = []
    monkeypatch.setattr(screen.guard, "_wait", waits.append)
    screen.perform([Click((30, 40), times=2)], Pace(0.4, 0.4, 0.4))
    assert waits.count(LONGEST_IN_DOUBLE) == 3  # down, up, and down again
    until(lambda: pane.names().count("release") == 2, "the second release")  # a window manager may hold it back
    found = [e for e in pane.log() if e["event"] in ("press", "release")]
    assert [e["event"] for e in found] == ["press", "release"] * 2
    assert {tuple(e["at"]) for e in found} == {(30, 40)}


def test_each_notch_of_the_wheel_arrives_where_it_was_meant(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    """X tells a notch as a button's press and release: 4 away from the person, 5 towards them."""
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Wheel((30, 40), 2), Wheel((200, 100), -1)], QUICK)
    found = [(e["event"], e["button"], e["at"]) for e in pane.log() if e["event"] in ("press", "release")]
    assert found == [(event, 4, [30, 40]) for event in ("press", "release") * 2] + [
        ("press", 5, [200, 100]),
        ("release", 5, [200, 100]),
    ]
    assert screen.hand.held == ()


def test_no_notch_is_turned_outside_of_the_window(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    with pytest.raises(RefusedError, match="refused"):
        open_screen(pane).perform([Click((5, 5)), Wheel((400, 40), 1)], QUICK)
    assert not [e for e in pane.log() if e["event"] == "press"]


def test_a_drag_passes_every_point_with_events_between(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    path = ((20, 20), (60, 20), (60, 60), (100, 60), (20, 60), (390, 290))
    open_screen(pane).perform([Drag(path)], QUICK)
    log = pane.log()
    assert [e["event"] for e in log if e["event"] != "motion"] == ["press", "release"]
    dragged = [tuple(e["at"]) for e in log if e["event"] == "motion" and e["down"]]
    place = -1
    for start, point in pairwise(path):
        before = place
        place = dragged.index(point, place + 1)
        assert place - before > 4
        # One pixel beside, and there again: a window that loses one event still hears of the point.
        assert dragged[place + 1] == (point[0] - 1, point[1])
        assert dragged[place + 2] == point
        for x, y in dragged[before + 1 : place]:
            assert min(start[0], point[0]) - 1 <= x <= max(start[0], point[0])
            assert min(start[1], point[1]) <= y <= max(start[1], point[1])
        place += 2
    assert next(e for e in log if e["event"] == "release")["at"] == [390, 290]


def test_the_pace_is_kept(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    """Never quicker than asked for, by the display's own clock (milliseconds)."""
    pane = open_window()
    open_screen(pane).perform([Drag(((20, 20), (60, 20), (100, 20))), Click((9, 9))], Pace(0.08, 0.1, 0.05))
    log = [e for e in pane.log() if e["event"] != "motion" or e["down"]]
    press, release, press2, release2 = (e for e in log if e["event"] in ("press", "release"))
    moves = [e["time"] for e in log if e["event"] == "motion"]
    assert moves[0] - press["time"] >= 79
    assert release["time"] - press["time"] >= 80 + 2 * 100 + 50 - 2
    assert press2["time"] - release["time"] >= 49
    assert release2["time"] - press2["time"] >= 79


def test_a_slow_drag_rests_on_each_point(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    """Some windows take a point only once the pointer has been still there for a while."""
    pane = open_window()
    path = ((20, 20), (60, 20), (100, 20), (100, 60))
    open_screen(pane).perform([Drag(path)], Pace(0.05, 0.4, 0.05))
    moved = [(tuple(e["at"]), e["time"]) for e in pane.log() if e["event"] == "motion" and e["down"]]
    for point in path[1:-1]:
        last = max(k for k, (at, _) in enumerate(moved) if at == point)
        assert moved[last + 1][1] - moved[last][1] >= 200


def test_stretches_are_even_and_end_at_the_point() -> None:
    assert stretch((0, 0), (10, 0)) == [(2, 0), (4, 0), (6, 0), (8, 0), (10, 0)]
    far = stretch((0, 0), (0, 200))
    assert far[-1] == (0, 200)
    assert max(b[1] - a[1] for a, b in pairwise(far)) <= 9
    assert set(stretch((5, 5), (5, 5))) == {(5, 5)}


def test_keys_arrive_and_go_up(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    names = ("up", "down", "left", "right", "tab", "space", "enter", "escape", "backspace", "f5", "r", "R", "7", "?")
    screen.perform([Keys(names)], QUICK)
    downs = [e["key"] for e in pane.log() if e["event"] == "key down" and not e["key"].startswith("Shift")]
    expected = ["Up", "Down", "Left", "Right", "Tab", "space", "Return", "Escape", "BackSpace", "F5"]
    expected += ["r", "R", "7", "question"]
    assert downs == expected
    names_up = [e["key"] for e in pane.events if e["event"] == "key up" and not e["key"].startswith("Shift")]
    assert len(names_up) == len(expected)


def test_modifiers_are_down_around_their_key_and_only_there(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    """Incident: sgt-bridges draws bridges with Shift and Ctrl and the arrows, and no such key was known."""
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Keys(("ctrl+right", "shift+left", "ctrl+shift+up", "shift", "ctrl++"))], QUICK)
    edges = [(e["event"][4:], e["key"]) for e in pane.log() if e["event"].startswith("key")]
    ctrl, shift = "Control_L", "Shift_L"
    assert edges[:8] == [
        ("down", ctrl),
        ("down", "Right"),
        ("up", "Right"),
        ("up", ctrl),
        ("down", shift),
        ("down", "Left"),
        ("up", "Left"),
        ("up", shift),
    ]
    assert [key for _, key in edges[8:14]] == [ctrl, shift, "Up", "Up", shift, ctrl]
    assert edges[14:16] == [("down", shift), ("up", shift)]
    assert [key for _, key in edges[16:]] in ([ctrl, shift, "plus", "plus", shift, ctrl], [ctrl, "plus", "plus", ctrl])
    assert screen.hand.held == ()


def test_a_modifier_that_is_held_stays_down_while_another_key_needs_it(
    open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Hold(("shift", "A", "shift+left"), 0.05)], QUICK)
    edges = [(e["event"][4:], e["key"]) for e in pane.log() if e["event"].startswith("key")]
    assert [edge for edge in edges if edge[1] == "Shift_L"] == [("down", "Shift_L"), ("up", "Shift_L")]
    assert edges[0] == ("down", "Shift_L")
    assert edges[-1] == ("up", "Shift_L")


def test_however_slow_the_pace_a_key_is_not_held_until_it_repeats(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: at a slower pace each key moved the head of a chain by two cells."""
    pane = open_window()
    screen = open_screen(pane)
    asked: list[float] = []
    wait = screen.guard._wait
    monkeypatch.setattr(screen.guard, "_wait", lambda seconds: (asked.append(seconds), wait(seconds))[1])
    screen.perform([Keys(("left",))], Pace(0.4, 0.3, 0.2))
    assert [e["key"] for e in pane.log() if e["event"] == "key down"] == ["Left"]
    assert LONGEST_KEY in asked
    assert 0.4 not in asked


def test_keys_are_held_together(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    open_screen(pane).perform([Hold(("left", "up"), 0.1)], QUICK)
    edges = [(e["event"], e["key"]) for e in pane.log() if e["event"].startswith("key")]
    assert edges[0] == ("key down", "Left")
    assert edges[-1] == ("key up", "Left")
    assert ("key up", "Up") in edges


def test_keys_go_to_the_window_even_when_another_had_the_keyboard(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    other = open_window("another", (700, 150, 200, 200))
    x11.activate(other.id)
    until(lambda: x11.has_focus(other.id), "the other window to get the keyboard")
    screen.perform([Keys(("a",))], QUICK)
    assert [e["key"] for e in pane.log() if e["event"] == "key down"] == ["a"]
    assert "key down" not in other.names()


def test_an_unknown_key_is_refused_before_anything_happens(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    for wrong in ("bogus", "", " ", "ctrl+", "ctrl+bogus", "shift+shift", "alt+f4"):
        with pytest.raises(UsageError, match="There is no key"):
            screen.perform([Click((5, 5)), Keys((wrong,))], QUICK)
    with pytest.raises(UsageError, match="no key '語'"):
        screen.perform([Keys(("語",))], QUICK)
    assert pane.names() == []


def test_parking_moves_without_a_press(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.park((33, 44))
    assert pane.names() == []
    assert [e["at"] for e in pane.log() if e["event"] == "motion"][-1] == [33, 44]
    with pytest.raises(RefusedError):
        screen.park((400, 10))


# What is refused


@pytest.mark.parametrize(
    "gesture",
    [
        Click((400, 10)),  # the first pixel to the right
        Click((10, 300)),  # the first pixel below
        Click((-1, 10)),
        Click((10, -1)),  # the title bar
        Drag(((10, 10), (50, 10), (500, 10))),  # begins inside and leaves
        Drag(()),
    ],
)
def test_what_leaves_the_window_is_refused_as_a_whole(
    gesture: Gesture, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    with pytest.raises(RefusedError):
        screen.perform([Click((10, 10)), gesture], QUICK)
    assert pane.names() == []  # not even the good one before it


def test_a_covered_point_is_not_pressed(x11: X11, open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window(box=(200, 150, 400, 300))
    screen = open_screen(pane, patience=0.3)
    cover = open_window("the mail", (400, 300, 400, 300))
    on_top(x11, cover, pane, (390, 290))
    with pytest.raises(CoveredError, match="'the mail' lies over 'A game' at 390,290"):
        screen.perform([Click((390, 290))], QUICK)
    assert "press" not in pane.names() + cover.names()
    screen.perform([Click((10, 10))], QUICK)  # beside it all is well
    assert pane.names() == ["press", "release"]


def test_a_popup_covers_too_and_is_waited_for(x11: X11, open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window(box=(200, 150, 400, 300))
    screen = open_screen(pane)
    area = x11.area(pane.id)
    assert area is not None
    popup = open_window("a bubble", (area.x, area.y, 100, 100), kind="popup")
    away = threading.Timer(0.4, lambda: popup.tell("hide"))
    away.start()
    screen.perform([Click((10, 10))], QUICK)
    away.join()
    assert pane.names() == ["press", "release"]
    assert "press" not in popup.names()


def test_a_window_of_another_size_than_was_looked_at_is_not_pressed(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.grab()
    pane.tell("grow 450 300")
    until(lambda: (a := x11.area(pane.id)) and a.width == 450, "the window to grow")
    with pytest.raises(ChangedError, match=r"was 400x300 .* is 450x300"):
        screen.perform([Click((10, 10))], QUICK)
    screen.grab()
    screen.perform([Click((10, 10))], QUICK)
    assert pane.names() == ["press", "release"]


# What stops it, with everything up again


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


# The portable hand


def test_the_portable_hand_plays_as_well(x11: X11, open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    hand = PyAutoGuiHand()
    screen = open_screen(pane, hand=hand)
    screen.perform([Drag(((20, 20), (60, 20), (60, 60))), Keys(("up", "r", "ctrl+left"))], QUICK)
    assert pane.names() == ["press", "release", *["key down", "key up"] * 2, *["key down"] * 2, *["key up"] * 2]
    assert [e["key"] for e in pane.log() if e["event"].startswith("key")][4:] == [
        "Control_L",
        "Left",
        "Left",
        "Control_L",
    ]
    dragged = {tuple(e["at"]) for e in pane.log() if e["event"] == "motion" and e["down"]}
    assert {(60, 20), (60, 60)} <= dragged
    assert hand.held == ()


def test_the_portable_hand_keeps_its_fail_safe(x11: X11, open_window: OpenWindow) -> None:
    pane = open_window()
    hand = PyAutoGuiHand()
    area = x11.area(pane.id)
    assert area is not None
    hand.move(area.centre)
    hand.press("left")
    x11.root.warp_pointer(0, 0)
    x11.display.sync()
    # The window manager looks at the press first and holds the pointer back meanwhile.
    until(lambda: hand.position() == (0, 0), "the pointer in the corner")
    with pytest.raises(StoppedError, match="corner"):
        hand.move(area.centre)
    hand.release_all()
    assert hand.held == ()
    assert pane.names() == ["press", "release"]


def test_a_pyautogui_that_cannot_be_imported_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__
    for fault in (KeyError("DISPLAY"), ImportError("no tkinter"), SystemExit("install tkinter")):

        def broken(name: str, *args: Any, fault: BaseException = fault, **kwargs: Any) -> Any:
            if name == "pyautogui":
                raise fault
            return real(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", broken)
        with pytest.raises(MachineError, match="pyautogui"):
            hands.PyAutoGuiHand()
