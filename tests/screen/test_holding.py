"""Keys that are held until they are released on request: what the window receives, and that none stays pressed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from Xlib import X

from autoplayer.core.errors import MachineError, StoppedError, UsageError
from autoplayer.core.frame import Frame, Point
from autoplayer.core.gestures import Gesture, Keys, Pace
from autoplayer.screen import held
from autoplayer.screen.base import steered
from autoplayer.screen.recording import KEPT_EVERY, RecordedScreen, Recorder, load_recording
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, Pane, until


def heard(pane: Pane) -> list[tuple[str, str]]:
    return [(e["event"], e["key"]) for e in pane.log() if e["event"] in ("key down", "key up")]


@pytest.fixture
def no_repeats(x11: X11) -> Iterator[None]:
    """The X server does not repeat a key that a busy machine holds for long."""
    x11.display.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
    x11.display.sync()
    yield
    x11.display.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeDefault)
    x11.display.sync()


@pytest.mark.usefixtures("no_repeats")
def test_keys_stay_down_while_it_is_looked_and_go_up_when_told(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "UNWATCHED", 60.0)  # a busy machine does not look often enough
    pane = open_window()
    screen = open_screen(pane)
    screen.hold(["left"])
    for _ in range(5):
        screen.glance(0.01)
    assert screen.hand.held == ("key left",)
    screen.hold(["left", "up"])
    screen.hold(["up"])
    screen.hold([])
    assert screen.hand.held == ()
    assert heard(pane) == [("key down", "Left"), ("key down", "Up"), ("key up", "Left"), ("key up", "Up")]


def test_a_stop_while_keys_are_held_lets_go_of_them(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    screen = open_screen(open_window())
    screen.hold(["right"])
    screen.guard.stop.request("Stopped: enough.")
    with pytest.raises(StoppedError, match="enough"):
        screen.glance(0.05)
    assert screen.hand.held == ()


@pytest.mark.usefixtures("no_repeats")
def test_keys_go_up_while_it_is_not_looked_and_down_again_at_the_next_look(
    open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    """Incident: once in two thousand looks a pilot thought for most of a second with a key held, and heard no stop."""
    pane = open_window()
    screen = open_screen(pane)
    screen.hold(["right"])
    pane.wait("key down")
    pane.wait("key up")  # nobody told it to
    screen.glance(0.0)
    pane.wait("key down")
    pane.wait("key up")
    screen.hold(["left"])  # the other one does not come back
    screen.hold([])
    assert [key for event, key in heard(pane) if event == "key down"] == ["Right", "Right", "Left"]
    assert screen.hand.held == ()


@pytest.mark.usefixtures("no_repeats")
def test_keys_that_went_up_do_not_come_back_when_a_stop_was_asked_for(
    open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    pane = open_window()
    screen = open_screen(pane)
    screen.hold(["right"])
    pane.wait("key up")
    screen.guard.stop.request("Stopped: enough.")
    with pytest.raises(StoppedError, match="enough"):
        screen.glance(0.0)
    assert [event for event, _ in heard(pane)] == ["key down", "key up"]


def test_keys_are_not_held_for_another_window(x11: X11, open_window: OpenWindow, open_screen: OpenScreen) -> None:
    pane = open_window()
    other = open_window("Another game", (700, 150, 300, 200))
    screen = open_screen(pane)
    screen.hold(["right"])
    x11.activate(other.id)
    until(lambda: x11.has_focus(other.id), "the other window to have the keyboard")
    with pytest.raises(StoppedError, match="keyboard went to another window"):
        screen.glance(3.0)
    assert screen.hand.held == ()


def test_a_key_that_is_none_is_refused_and_nothing_is_held(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    screen = open_screen(open_window())
    screen.hold(["right"])
    with pytest.raises(UsageError, match="There is no key"):
        screen.hold(["right", "warp"])
    assert screen.hand.held == ()


def test_gestures_begin_with_nothing_held(open_window: OpenWindow, open_screen: OpenScreen) -> None:
    screen = open_screen(open_window())
    screen.hold(["right"])
    screen.perform([Keys(("space",))], Pace(0.02, 0.01, 0.01))
    assert screen.hand.held == ()


class Paper:
    """A simulated screen."""

    title = "paper"

    def __init__(self) -> None:
        self.clock = 0.0

    def now(self) -> float:
        return self.clock

    def grab(self) -> Frame:
        shade = int(self.clock * 50) % 250
        return Frame(np.full((40, 60, 3), shade, np.uint8), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self.grab()

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None: ...

    def park(self, at: Point) -> None: ...

    def close(self) -> None: ...


class Steerable(Paper):
    def glance(self, pause: float = 0.0) -> Frame:
        self.clock += pause + 0.02
        return self.grab()

    def hold(self, keys: Collection[str]) -> None: ...


def test_a_screen_that_cannot_hold_keys_is_named() -> None:
    with pytest.raises(MachineError, match="'paper' cannot hold keys"):
        steered(Paper())


def played(screen: Steerable | Recorder | RecordedScreen, keys: str = "left") -> list[int]:
    """What is seen of 100 looks while a key is held."""
    seen = []
    for _ in range(100):
        seen.append(int(screen.glance().image[0, 0, 0]))
        screen.now()
    screen.hold([keys])
    screen.hold([])
    return seen


def test_a_recording_keeps_few_of_many_looks_and_is_replayed(tmp_path: Path) -> None:
    recorder = Recorder(Steerable(), tmp_path / "session")
    seen = played(recorder)
    recorder.close()
    recording = load_recording(tmp_path / "session")
    kept = [step for step in recording.steps if step.kind == "glance" and step.frame]
    assert len([step for step in recording.steps if step.kind == "glance"]) == 100
    assert len(kept) <= 100 * 0.02 / KEPT_EVERY + 1
    again = RecordedScreen(recording)
    assert len(set(played(again)) & set(seen)) == len(kept)
    assert again.finish() == []


def test_other_keys_than_recorded_are_a_difference(tmp_path: Path) -> None:
    recorder = Recorder(Steerable(), tmp_path / "session")
    played(recorder)
    recorder.close()
    again = RecordedScreen(tmp_path / "session")
    played(again, "right")
    assert any("held was left, now it is right" in difference for difference in again.finish())
