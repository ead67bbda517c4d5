"""The stop key, and resuming after a pause when the person asks for it. Events are taken from the window's own log."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from Xlib import XK, X

from autoplayer.core.errors import MachineError, StoppedError, UsageError
from autoplayer.core.gestures import Click, Drag, Keys, Pace
from autoplayer.screen import desktop, stopkey
from autoplayer.screen.claim import ask_to_stop, holders
from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.hands import XTestHand
from autoplayer.screen.stopkey import StopKey, watch_key
from autoplayer.screen.stopping import ByHandError
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, Pane, buttons, until

pytestmark = pytest.mark.usefixtures("own_runtime")
QUICK = Pace(0.02, 0.03, 0.01)
SLOW_DRAG = Drag(((50, 50), (350, 50), (350, 250), (50, 250)))
SLOW = Pace(0.1, 10.0, 0.1)


@pytest.fixture
def person(display: VirtualDisplay) -> Iterator[XTestHand]:
    """The person's own hand on the same display."""
    system = X11(display.name)
    hand = XTestHand(system)
    yield hand
    hand.close()
    system.close()


def tap(person: XTestHand, key: str, times: int) -> None:
    for _ in range(times):
        person.key_down(key)
        person.key_up(key)


def when_pressed(pane: Pane, act: object) -> threading.Thread:
    """Does something once the window has been pressed."""

    def watch() -> None:
        pane.wait("press")
        act()  # type: ignore[operator]

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def downs(pane: Pane) -> list[str]:
    return [e["key"] for e in pane.log() if e["event"] == "key down"]


def test_twice_escape_stops_a_drag_and_the_game_hears_it_too(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    assert screen.guard.stop_key == "escape"
    until(lambda: x11.has_focus(pane.id), "the game to have the keyboard")
    thread = when_pressed(pane, lambda: tap(person, "escape", 2))
    with pytest.raises(ByHandError, match=r"the stop key \(escape\) was pressed twice"):
        screen.perform([SLOW_DRAG], SLOW)
    thread.join()
    assert buttons(x11) == 0
    log = pane.log()
    assert [e["event"] for e in log if e["event"] in ("press", "release")] == ["press", "release"]
    assert downs(pane) == ["Escape", "Escape"]
    with pytest.raises(ByHandError):  # it stays stopped
        screen.perform([Click((9, 9))], QUICK)
    assert [name for name in pane.names() if "key" not in name] == ["press", "release"]


def test_it_works_wherever_the_keyboard_is(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand, display: VirtualDisplay
) -> None:
    pane = open_window()
    other = open_window("A terminal", (700, 150, 200, 200))
    screen = open_screen(pane)
    x11.activate(other.id)
    until(lambda: x11.has_focus(other.id), "the terminal to have the keyboard")
    tap(person, "escape", 2)
    with pytest.raises(ByHandError):
        screen.still()
    screen.guard.resume()
    screen.still()
    # A full-screen game may hold the keyboard for itself.
    game = X11(display.name)
    assert game.root.grab_keyboard(False, 1, 1, 0) == 0
    game.display.sync()
    tap(person, "escape", 2)
    with pytest.raises(ByHandError):
        screen.still()
    game.close()


def test_once_or_another_key_does_not_stop_it(
    open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    for key, times in (("escape", 1), ("a", 4), ("f1", 2)):
        tap(person, key, times)
        screen.perform([Click((9, 9))], QUICK)
        screen.guard._key._last = None  # type: ignore[union-attr]  # a busy machine must not make two of one and one
    assert [name for name in pane.names() if "key" not in name] == ["press", "release"] * 3


def test_what_the_bot_presses_itself_does_not_stop_it(
    open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Keys(("escape",) * 4)], QUICK)
    assert downs(pane) == ["Escape"] * 4
    screen.perform([Click((9, 9))], QUICK)
    # The person's presses count among its own.
    tap(person, "escape", 2)
    with pytest.raises(ByHandError):
        screen.perform([Keys(("escape",) * 4)], QUICK)
    assert downs(pane) == ["Escape"] * 6


def test_another_key_or_none_may_be_chosen(open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand) -> None:
    pane = open_window()
    screen = open_screen(pane, stop_key=None)
    tap(person, "escape", 2)
    screen.still()
    assert screen.guard.stop_key is None
    screen.close()
    screen = open_screen(pane, stop_key="f9")
    tap(person, "escape", 2)
    screen.still()
    tap(person, "f9", 2)
    with pytest.raises(ByHandError, match="f9"):
        screen.still()
    with pytest.raises(UsageError, match="There is no key 'bogus'"):
        open_screen(pane, stop_key="bogus")
    for modified in ("ctrl+escape", "shift"):
        with pytest.raises(UsageError, match="one key that is no modifier"):
            open_screen(pane, stop_key=modified)
    with pytest.raises(UsageError, match="no key '語'"):
        open_screen(pane, stop_key="語")


def test_a_second_key_that_is_escape_counts_too() -> None:
    """Some people make Caps Lock an Esc, also while the bot runs."""
    with start_xvfb((640, 480), window_manager=False, set_environment=False) as own:
        system = X11(own.name)
        key, hand = watch_key(system), XTestHand(system)
        escape, caps = (system.display.keysym_to_keycode(keysym) for keysym in (XK.XK_Escape, XK.XK_Caps_Lock))

        def twice(code: int) -> bool:
            for event in (X.KeyPress, X.KeyRelease) * 2:
                system.display.xtest_fake_input(event, code)
            system.display.sync()
            return key.pressed()

        assert twice(escape)
        assert not twice(caps)
        system.display.change_keyboard_mapping(caps, [(XK.XK_Escape,) * 2])
        system.display.sync()
        assert twice(caps)
        assert twice(escape)
        hand.close()
        key.close()
        system.close()


@pytest.mark.parametrize(("platform", "code"), [("win32", 0x1B), ("darwin", 53)])
def test_the_key_of_windows_and_macos_is_asked_for_by_its_code(
    platform: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their libraries are stood in for: what is tried is what this program makes of the answers."""
    states = iter((False, True, True, False, True, False))

    def state(*arguments: int) -> int:
        assert arguments[-1] == code
        return next(states) and (0x8000 if platform == "win32" else 1)

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: SimpleNamespace(GetAsyncKeyState=state), raising=False)
    quartz = SimpleNamespace(CGEventSourceKeyState=state, kCGEventSourceStateHIDSystemState=1)
    monkeypatch.setitem(sys.modules, "Quartz", quartz)
    key = watch_key(SimpleNamespace(name="another"))  # type: ignore[arg-type]
    assert [key.pressed() for _ in range(6)] == [False, False, False, False, True, False]
    with pytest.raises(UsageError, match="The stop key is one of escape, "):
        watch_key(SimpleNamespace(name="another"), "a")  # type: ignore[arg-type]


def test_a_display_that_tells_no_keys_is_played_all_the_same(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> StopKey:
        raise MachineError("It tells no keys.")

    monkeypatch.setattr(desktop, "watch_key", none)
    pane = open_window()
    screen = open_screen(pane)
    screen.perform([Click((9, 9))], QUICK)
    assert screen.guard.stop_key is None
    assert pane.names() == ["press", "release"]


def test_a_display_that_dies_stops_no_key() -> None:
    with start_xvfb((640, 480), window_manager=False, set_environment=False) as dying:
        system = X11(dying.name)
        key = watch_key(system)
        os.kill(dying.pid, signal.SIGKILL)
        for _ in range(100):
            assert not key.pressed()
        key.close()
        system.close()


class Told(StopKey):
    """A stop key that is told what happened."""

    def __init__(self) -> None:
        super().__init__("escape")
        self.changes: list[tuple[bool, float]] = []

    def _changes(self) -> list[tuple[bool, float]]:
        changes, self.changes = self.changes, []
        return changes


@pytest.mark.parametrize(
    ("changes", "own", "stops"),
    [
        pytest.param([(True, 1.0), (False, 1.1), (True, 1.4)], 0, True, id="twice"),
        pytest.param([(True, 1.0), (False, 1.1), (True, 1.6)], 0, False, id="too slowly"),
        pytest.param(
            [(True, 1.0), (True, 1.1), (True, 1.2), (False, 1.3)], 0, False, id="held, and repeated by itself"
        ),
        pytest.param([(False, 0.9), (True, 1.0), (False, 1.1)], 0, False, id="once"),
        pytest.param([(True, 1.0), (False, 1.1), (True, 1.2), (False, 1.3)], 1, False, id="once, and once by the bot"),
        pytest.param(
            [(True, 1.0), (False, 1.1), (True, 1.2), (False, 1.3), (True, 1.4)], 1, True, id="twice beside one"
        ),
        pytest.param(
            [(True, 1.0), (False, 1.1), (True, 1.8), (False, 1.9), (True, 2.2)], 0, True, id="slowly, then twice"
        ),
    ],
)
def test_what_counts_as_twice(changes: list[tuple[bool, float]], own: int, stops: bool) -> None:
    whole, bit_by_bit = Told(), Told()
    for key in (whole, bit_by_bit):
        for _ in range(own):
            key.own()
    whole.changes = list(changes)
    assert whole.pressed() is stops
    found = []
    for change in changes:
        bit_by_bit.changes = [change]
        found.append(bit_by_bit.pressed())
    assert any(found) is stops


def test_an_own_press_that_was_never_told_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    key = Told()
    key.own()
    monkeypatch.setattr(stopkey, "OWN", 0.0)
    assert not key.pressed()
    key.changes = [(True, 1.0), (False, 1.1), (True, 1.2)]
    assert key.pressed()


# Going on


def stopped_by_hand(pane: Pane, open_screen: OpenScreen, person: XTestHand) -> desktop.DesktopScreen:
    """A screen whose bot was stopped by a hand on the mouse, which has left the mouse alone since."""
    screen = open_screen(pane)
    screen.perform([Click((9, 9))], QUICK)
    person.move((700, 600))
    with pytest.raises(ByHandError, match="moved the mouse"):
        screen.perform([Click((9, 9))], QUICK)
    return screen


def test_it_goes_on_when_the_stop_key_asks_for_it_and_not_before(
    open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = stopped_by_hand(pane, open_screen, person)
    looks = 0

    def look() -> bool:
        nonlocal looks
        looks += 1
        if looks == 3:
            person.move((720, 620))  # the person goes about their business; nothing is made of it
        elif looks == 6:
            assert person.position() == (720, 620)
            tap(person, "escape", 2)
        return False

    screen.guard.wait_until_asked(look)
    assert looks == 6
    assert [name for name in pane.names() if "key" not in name] == ["press", "release"]
    screen.perform([Click((20, 20))], QUICK)
    assert [e["at"] for e in pane.log() if e["event"] == "press"] == [[9, 9], [20, 20]]


def test_it_goes_on_when_the_terminal_asks_for_it(
    open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = stopped_by_hand(pane, open_screen, person)
    tap(person, "escape", 2)  # before the pause: that led to it, and does not end it
    answers = iter([False, False, True])
    screen.guard.wait_until_asked(lambda: next(answers))
    assert next(answers, None) is None
    screen.perform([Click((20, 20))], QUICK)
    assert [name for name in pane.names() if "key" not in name] == ["press", "release"] * 2


def test_a_pause_can_be_ended_from_another_terminal(
    open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = stopped_by_hand(pane, open_screen, person)

    def look() -> bool:
        (holder,) = holders()
        ask_to_stop(holder)
        return False

    with pytest.raises(StoppedError, match="`autoplayer stop`") as ended:
        screen.guard.wait_until_asked(look)
    assert not isinstance(ended.value, ByHandError)
    with pytest.raises(StoppedError):
        screen.perform([Click((20, 20))], QUICK)
    assert pane.names() == ["press", "release"]


def test_going_on_with_the_pointer_in_a_corner_stops_it_again(
    open_window: OpenWindow, open_screen: OpenScreen, person: XTestHand
) -> None:
    pane = open_window()
    screen = stopped_by_hand(pane, open_screen, person)
    person.move((0, 0))
    screen.guard.wait_until_asked(lambda: True)
    with pytest.raises(ByHandError, match="corner"):
        screen.perform([Click((20, 20))], QUICK)
    assert pane.names() == ["press", "release"]
