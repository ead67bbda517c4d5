"""Changes between two queries to the window system: the window closes or moves, a covering window goes, the machine is
busy. Each is made to happen exactly there."""

from __future__ import annotations

import _thread
import fcntl
import os
import select
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from Xlib import error

from autoplayer.core.errors import NotFoundError
from autoplayer.core.frame import Box, Point
from autoplayer.core.gestures import Button, Click, Drag, Keys, Pace
from autoplayer.screen import claim, guard, pointer
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.guard import Guard
from autoplayer.screen.stopping import ByHandError
from autoplayer.screen.windows import AwayError
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, until

PACE = Pace(0.1, 0.1, 0.1)


class Desk:
    """A simulated window, pointer and clock. ``frozen``: seconds for which a press holds the pointer's
    further events back, as a window manager does that looks at each press first."""

    id = 1
    title = "A game"
    name = "none"
    keeper = None

    def __init__(self, monkeypatch: pytest.MonkeyPatch, frozen: float = 0.0) -> None:
        self.now = 100.0
        self.done: list[tuple[str, Point]] = []
        self.over: Callable[[], str | None] = lambda: None
        self.focus: Callable[[], bool] = lambda: True
        self.asked_for_keyboard = 0
        self.held: tuple[str, ...] = ()
        self.minimised = float("inf")
        self._at: Point = (300, 300)
        self._sent: Point | None = None
        self._thaw = 0.0
        self._frozen = frozen
        clock = SimpleNamespace(perf_counter=lambda: self.now, sleep=self.spend)
        monkeypatch.setattr(guard, "time", clock)
        monkeypatch.setattr(pointer, "time", clock)

    def spend(self, seconds: float) -> None:
        self.now += seconds

    # As a target

    def area(self) -> Box:
        if self.now >= self.minimised:
            raise AwayError("minimised")
        return Box(100, 100, 400, 400)

    def covering(self, at: Point) -> str | None:
        return self.over()

    def activate(self) -> None:
        self.asked_for_keyboard += 1

    def has_focus(self) -> bool:
        return self.focus()

    def find_again(self) -> bool:
        return False

    # As a hand

    def position(self) -> Point:
        self.spend(0.001)
        if self._sent is not None and self.now >= self._thaw:
            self._at, self._sent = self._sent, None
        return self._at

    def move(self, to: Point) -> None:
        self._sent = to

    def press(self, button: Button) -> None:
        self.done.append(("press", self.position()))
        self._thaw = self.now + self._frozen

    def release(self, button: Button) -> None:
        self.done.append(("release", self.position()))

    def turn(self, up: bool) -> None:
        self.done.append((f"turn {'up' if up else 'down'}", self.position()))

    def key_down(self, name: str) -> None:
        self.done.append((f"{name} down", self.position()))

    def key_up(self, name: str) -> None:
        self.done.append((f"{name} up", self.position()))

    def release_all(self) -> None: ...

    def close(self) -> None: ...

    def guard(self, patience: float = 2.0) -> Guard:
        return Guard(self, self, lambda: [Box(0, 0, 1000, 1000)], patience=patience)


def test_a_hand_during_a_long_thought_is_felt_at_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others have moved is forgotten by half each second, but only once it was seen."""
    desk = Desk(monkeypatch)
    bot = desk.guard()
    bot.park((10, 10))
    desk.move((340, 310))
    desk.spend(30.0)
    with pytest.raises(ByHandError, match="a hand moved the mouse"):
        bot.check()


@pytest.mark.parametrize(("frozen", "far"), [(0.05, 2), (0.2, 2), (0.4, 2), (1.0, 2), (1.0, 40), (8.0, 40)])
def test_a_pointer_that_is_held_back_is_no_hand_on_the_mouse(
    frozen: float, far: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short drags too, of a pixel from event to event, while a window manager looks at each press first."""
    desk = Desk(monkeypatch, frozen)
    bot = desk.guard()
    path = ((20, 20), (20 + far, 20))
    bot.perform([Drag(path), Drag(path[::-1])] * 10, Pace(0.01, 0.02, 0.01))
    there, back = (120, 120), (120 + far, 120)
    assert desk.done == [("press", there), ("release", back), ("press", back), ("release", there)] * 10


def test_what_was_covered_long_ago_is_looked_at_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may have been busy with other things between the look and the clock."""
    desk = Desk(monkeypatch)
    looks = iter(["a message", None])

    def look() -> str | None:
        desk.spend(30.0)
        return next(looks, None)

    desk.over = look
    desk.guard(patience=2.0).perform([Click((20, 20))], PACE)
    assert [what for what, _ in desk.done] == ["press", "release"]


def test_who_has_the_keyboard_is_looked_at_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    looks = iter([False, False, True])

    def look() -> bool:
        desk.spend(30.0)
        return next(looks, True)

    desk.focus = look
    desk.guard(patience=2.0).perform([Keys(("a",))], PACE)
    assert [what for what, _ in desk.done] == ["a down", "a up"]


def test_a_window_that_is_just_being_minimised_is_not_brought_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: the keyboard is lost before the window is hidden, and asking for it brought the window back."""
    desk = Desk(monkeypatch)

    def lost() -> bool:
        desk.minimised = min(desk.minimised, desk.now + 0.02)
        return False

    desk.focus = lost
    with pytest.raises(AwayError):
        desk.guard().perform([Keys(("a",))], PACE)
    assert not desk.asked_for_keyboard


# Real windows


def before(ask: Callable[..., Any], act: Callable[[], object]) -> Callable[..., Any]:
    """``ask``, but the first time ``act`` comes first."""
    acts = iter([act])

    def asked(*arguments: Any) -> Any:
        next(acts, lambda: None)()
        return ask(*arguments)

    return asked


@pytest.mark.parametrize("question", ["title", "_number", "area"])
def test_a_window_that_closes_while_it_is_described_is_gone(
    question: str, x11: X11, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be one without a title, and that would be its title from then on."""
    pane = open_window("a lost game")
    other = X11(x11.display_name)

    def close() -> None:
        pane.close()
        until(lambda: other.window(pane.id) is None, "the window to go")

    monkeypatch.setattr(x11, question, before(getattr(x11, question), close))
    assert x11.window(pane.id) is None
    other.close()


def test_a_window_that_closes_while_it_is_measured_has_no_other_size(
    x11: X11, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window()
    pane.tell("shadow")
    until(lambda: (area := x11.area(pane.id)) and area.width == 360, "the shadow")
    other = X11(x11.display_name)

    def close() -> None:
        pane.close()
        until(lambda: other.window(pane.id) is None, "the window to go")

    monkeypatch.setattr(x11, "_margin", before(x11._margin, close))
    assert x11.area(pane.id) is None
    other.close()


def test_a_window_that_had_the_keyboard_and_closed_does_not_say_who_has_it_now(
    x11: X11, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GoneError(error.XError):  # type: ignore[misc]
        def __init__(self) -> None: ...

    def gone() -> None:
        raise GoneError

    pane = open_window()
    x11.activate(pane.id)
    until(lambda: x11.has_focus(pane.id), "the window to have the keyboard")
    monkeypatch.setattr(x11, "_has_focus", before(x11._has_focus, gone))
    assert x11.has_focus(pane.id)


def test_a_window_that_moves_while_its_picture_is_taken_is_taken_again(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    old = screen.grab()

    def move() -> None:
        pane.tell("move 600 500")
        until(lambda: (area := x11.area(pane.id)) and area.x > 550, "the window to move")

    monkeypatch.setattr(screen, "_take", before(screen._take, move))
    new = screen.grab()
    assert new.origin != old.origin
    assert (new.image == old.image).all()


def test_a_window_that_closes_while_its_picture_is_taken_is_gone(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_window()
    screen = open_screen(pane)

    def close() -> None:
        pane.close()
        until(lambda: x11.window(pane.id) is None, "the window to go")

    monkeypatch.setattr(screen, "_take", before(screen._take, close))
    with pytest.raises(NotFoundError, match="gone"):
        screen.grab()


def test_what_lay_over_the_last_picture_is_told_though_it_is_gone(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    """Half a board may read as a smaller one. The session takes a picture, and asks then what lies over it."""
    pane = open_window()
    screen: DesktopScreen = open_screen(pane)
    area = x11.area(pane.id)
    assert area is not None
    popup = open_window("A message", (area.x + 200, area.y + 100, 100, 80), "c0c8d0", "popup")
    until(lambda: x11.covering(pane.id, (area.x + 250, area.y + 140)), "the message")
    taken = screen.still(60.0)
    assert (taken.image[140, 250] == (0xD0, 0xC8, 0xC0)).all()
    popup.close()
    until(lambda: x11.window(popup.id) is None, "the message to go")
    under, beside = [Box(190, 90, 20, 20), Box(290, 90, 20, 20)], [Box(10, 10, 80, 80)]
    assert screen.lies_over(under) == "the window 'A message'"
    assert screen.lies_over(beside) is None
    assert (screen.still(60.0, unlike=taken).image[140, 250] != (0xD0, 0xC8, 0xC0)).any()
    assert screen.lies_over(under) is None


@pytest.mark.parametrize("sent", [False, True])
def test_ctrl_c_in_the_midst_of_a_question_leaves_the_next_one_an_answer(
    sent: bool, x11: X11, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: python-xlib went on believing that somebody reads the answers, and whoever asked next waited for
    ever. ``sent``: the question has gone out by then."""
    pane = open_window()
    area = x11.area(pane.id)
    real = select.select

    def interrupted(reading: Any, writing: Any, *rest: Any) -> Any:
        if bool(writing) is not sent:
            raise KeyboardInterrupt
        return real(reading, writing, *rest)

    with monkeypatch.context() as patched:
        patched.setattr("Xlib.protocol.display.select", SimpleNamespace(select=interrupted, error=OSError))
        with pytest.raises(KeyboardInterrupt):
            x11.area(pane.id)
    rescue = threading.Timer(60.0, _thread.interrupt_main)
    rescue.start()
    try:
        assert x11.area(pane.id) == area
        assert "A game" in [window.title for window in x11.windows()]
    finally:
        rescue.cancel()


def test_a_display_that_others_only_look_at_is_free(own_runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks who has it holds the lock for a moment, and may have to wait for its turn just then."""
    monkeypatch.setattr(claim, "PATIENCE", -1.0)
    claim.take(":70").release()
    (path,) = own_runtime.iterdir()
    looking = os.open(path, os.O_RDWR)
    fcntl.flock(looking, fcntl.LOCK_SH)
    turns = iter([None, None, lambda: fcntl.flock(looking, fcntl.LOCK_UN)])
    monkeypatch.setattr("time.sleep", lambda seconds: (next(turns, None) or (lambda: None))())
    mine = claim.take(":70")
    assert next(turns, None) is None
    mine.release()
    os.close(looking)
