"""The guard: gestures arrive where they were meant, and none outside the window. Events are taken from the window's own
log."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import pytest

from autoplayer.core.errors import MachineError, StoppedError, UsageError
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.screen import hands
from autoplayer.screen.guard import ChangedError, CoveredError, RefusedError
from autoplayer.screen.hands import PyAutoGuiHand
from autoplayer.screen.motion import LONGEST_IN_DOUBLE, LONGEST_KEY, stretch
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, on_top, until

QUICK = Pace(0.02, 0.03, 0.01)


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
