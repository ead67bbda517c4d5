"""Dialogs in windows of their own: which of them belong to the game, and which events they receive."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoplayer.core.gestures import Click, Pace
from autoplayer.screen.base import answer_dialog
from autoplayer.screen.recording import RecordedScreen, Recorder
from autoplayer.screen.x11 import X11
from tests.screen.panes import OpenScreen, OpenWindow, Pane, until


def keys(pane: Pane) -> list[str]:
    return [e["key"] for e in pane.log() if e["event"] == "key down"]


def test_the_games_own_dialog_hears_enter_once_and_another_programs_window_nothing(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    """Incident: a game made with Qt, and one with Tk, said "Level complete!" in a message box, a window of its own, and
    the session waited for somebody to close it until it gave up."""
    game = open_window("A game")
    screen = open_screen(game)
    assert answer_dialog(screen, Pace()) is None
    stranger = open_window("A message", (250, 200, 200, 100), "806040")
    assert answer_dialog(screen, Pace()) is None
    dialog = open_window("Well done", (300, 250, 150, 80), "f0f0f0", f"dialog {game.id}")
    assert x11.dialogs(game.id) == [dialog.id]
    assert answer_dialog(screen, Pace()) == "the dialog 'Well done'"
    dialog.wait("key up")
    assert [key.lower() for key in keys(dialog)] == ["return"]
    assert keys(game) == keys(stranger) == []


def test_a_dialog_that_stays_is_answered_in_other_ways_and_then_left_to_a_person(
    open_window: OpenWindow, open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incident: Enter was pressed sixty times in a dialog none of whose buttons had the keyboard."""
    game = open_window("A game")
    screen = open_screen(game)
    dialog = open_window("Well done", (300, 250, 150, 80), "f0f0f0", f"dialog {game.id}")
    clock = [100.0]
    monkeypatch.setattr(screen._dialogs, "_now", lambda: clock[0])
    for _ in range(2):
        assert answer_dialog(screen, Pace()) == "the dialog 'Well done'"
        assert answer_dialog(screen, Pace()) is None  # it may be closing
        clock[0] += 60.0
    for _ in range(9):
        answer_dialog(screen, Pace())
        clock[0] += 60.0
    assert answer_dialog(screen, Pace()) is None
    until(lambda: len(keys(dialog)) == 6, "the keys")
    assert [key.lower() for key in keys(dialog)] == ["return", "return", "space", "space", "tab", "space"]


def test_a_menu_that_unfolded_is_closed_by_escape_once_and_another_programs_is_left_alone(
    x11: X11, open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    """Incident: "New game" asked for the difficulty, its list was unfolded, and lay over the board until the session
    was called stopped."""
    game = open_window("A game")
    screen = open_screen(game)
    x, y = screen.grab().origin
    open_window("A notice", (x + 40, y + 40, 60, 40), "f0f0f0", "popup")
    assert x11.popups(game.id) == []
    assert answer_dialog(screen, Pace()) is None
    game.tell(f"unfold {x + 150} {y + 100} 80 60")
    game.wait("unfolded")
    assert len(x11.popups(game.id)) == 1
    assert answer_dialog(screen, Pace()) == "a menu that had unfolded"
    game.wait("key up")
    assert [key.lower() for key in keys(game)] == ["escape"]
    assert answer_dialog(screen, Pace()) is None


def test_a_dialog_that_was_open_before_the_last_gesture_is_left_alone(
    open_window: OpenWindow, open_screen: OpenScreen
) -> None:
    game = open_window("A game")
    screen = open_screen(game)
    tools = open_window("Tools", (700, 500, 150, 80), "f0f0f0", f"dialog {game.id}")
    screen.perform([Click((20, 20))], Pace())
    assert answer_dialog(screen, Pace()) is None
    assert keys(tools) == []


def test_an_answered_dialog_is_recorded_and_replayed(
    open_window: OpenWindow, open_screen: OpenScreen, tmp_path: Path
) -> None:
    game = open_window("A game")
    recorder = Recorder(open_screen(game), tmp_path / "session")
    assert recorder.answer_dialog(Pace()) is None
    open_window("Well done", (300, 250, 150, 80), "f0f0f0", f"dialog {game.id}")
    assert recorder.answer_dialog(Pace()) == "the dialog 'Well done'"
    recorder.grab()
    recorder.close()
    shown = RecordedScreen(tmp_path / "session")
    assert shown.answer_dialog(Pace()) is None
    assert shown.answer_dialog(Pace()) == "the dialog 'Well done'"
    shown.grab()
    assert shown.answer_dialog(Pace()) is None
    assert shown.finish() == []
