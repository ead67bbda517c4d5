"""Faults of a game's window on a real desktop during play. Results are taken from the window's log, not from the bot.
``docs/faults.md`` lists what the session does in each case, and why."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

import pytest

from autoplayer.cli import main
from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.recording import LINES, load_recording
from autoplayer.screen.x11 import X11
from autoplayer.session import limits
from tests.faults.conftest import Trouble
from tests.screen.panes import until


@pytest.fixture
def managed(display: VirtualDisplay) -> None:
    if not display.window_manager:
        pytest.skip("openbox is not installed, and without a window manager no window is minimised")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the time that is waited for faults that may pass."""
    monkeypatch.setattr(limits, "AWAY_LIMIT", 1.0)
    monkeypatch.setattr(limits, "REOPEN_LIMIT", 0.5)


def test_a_window_that_is_moved_again_and_again(trouble: Trouble) -> None:
    window = trouble.open("hashi", "--size", "600x450")

    def act() -> None:
        for step in range(8):
            trouble.person.move(trouble.id, 60 + 50 * step, 60 + 20 * step)
            time.sleep(0.1)

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_a_window_that_is_moved_half_off_the_screen_and_back(trouble: Trouble) -> None:
    window = trouble.open("cardinal-chains")

    def act() -> None:
        trouble.person.move(trouble.id, 900, 600)
        time.sleep(1.0)
        trouble.person.move(trouble.id, 100, 100)

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_a_window_that_stays_half_off_the_screen(trouble: Trouble, impatient: None) -> None:
    trouble.open("cardinal-chains")
    played = trouble.play("--levels", "1", act=lambda: trouble.person.move(trouble.id, 900, 600))
    assert (played.code, played.statuses) == (3, ["stopped"])
    assert "outside the screen" in played.reason


@pytest.mark.parametrize("game", ["cardinal-chains", "hashi"])
def test_a_window_that_is_resized(trouble: Trouble, game: str) -> None:
    """This is also what a change of the desktop's scale is for a window: it is drawn anew in another size."""
    window = trouble.open(game)
    played = trouble.play("--levels", "1", act=lambda: trouble.person.resize(trouble.id, 560, 500))
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_a_window_that_is_minimised_and_comes_back(trouble: Trouble, managed: None) -> None:
    window = trouble.open("cardinal-chains")

    def act() -> None:
        trouble.person.minimise(trouble.id)
        time.sleep(1.0)
        trouble.person.bring_back(trouble.id)

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_a_window_that_stays_minimised(trouble: Trouble, managed: None, impatient: None) -> None:
    trouble.open("cardinal-chains")
    played = trouble.play("--levels", "1", act=lambda: trouble.person.minimise(trouble.id))
    assert (played.code, played.statuses) == (3, ["stopped"])
    assert "minimised" in played.reason


def test_a_window_that_is_sent_to_another_workspace_and_comes_back(trouble: Trouble, managed: None) -> None:
    window = trouble.open("cardinal-chains")

    def act() -> None:
        trouble.person.send_to_workspace(trouble.id, 1)
        time.sleep(1.0)
        trouble.person.bring_back(trouble.id)

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_a_window_that_is_closed(trouble: Trouble, managed: None, impatient: None) -> None:
    trouble.open("cardinal-chains")
    played = trouble.play("--levels", "1", act=lambda: trouble.person.close_window(trouble.id))
    assert (played.code, played.statuses) == (3, ["stopped"])
    assert "gone" in played.reason


def test_a_window_that_is_opened_again_with_a_new_id(trouble: Trouble, managed: None) -> None:
    first = trouble.open("cardinal-chains")
    second = []
    spare: list[X11] = []

    def act() -> None:
        trouble.person.close_window(trouble.id)
        first.process.wait(120)
        # The X server gives the first one's ids to the next program, which this is not to be.
        trouble.pane("An editor", (900, 850, 250, 120))
        spare.extend(X11(trouble.person.display) for _ in range(3))  # and a program may have connections by the way
        second.append(trouble.open_again())

    played = trouble.play("--levels", "1", act=act)
    for each in spare:
        each.close()
    (window,) = second
    assert window.window.id != first.window.id
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert not window.stray


def test_a_window_that_another_one_covers_for_a_while(trouble: Trouble) -> None:
    window = trouble.open("hashi")

    def act() -> None:
        pane = trouble.over_the_board("An editor")
        time.sleep(1.5)
        assert not {"press", "key down"} & set(pane.names())
        pane.close()

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_a_window_that_stays_covered(trouble: Trouble, impatient: None) -> None:
    trouble.open("cardinal-chains")
    played = trouble.play("--levels", "1", act=lambda: trouble.over_the_board("An editor"))
    assert (played.code, played.statuses) == (4, ["stopped"])
    assert "'An editor'" in played.reason


def test_a_pop_up_over_the_board_before_it_is_read(trouble: Trouble) -> None:
    """A board that is half covered could be read as a smaller board."""
    window = trouble.open("cardinal-chains")
    pane = trouble.over_the_board("A message", "popup")

    def act() -> None:
        time.sleep(1.5)
        assert not window.events("press")
        pane.close()

    played = trouble.play("--levels", "1", act=act, after=0)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert played.results[0]["puzzle"].split() == window.events("level")[0]["puzzle"].split()


def test_pop_ups_that_come_and_go_over_the_board(trouble: Trouble, quick: None) -> None:
    """A recording of this session is replayed without a difference."""
    window = trouble.open("hashi")
    recording = trouble.folder / "recording"

    def act() -> None:
        pane = trouble.over_the_board("A message", "popup")
        until(lambda: "'A message'" in (recording / LINES).read_text("utf-8"), "the bot to meet it")
        pane.close()
        time.sleep(0.3)
        pane = trouble.over_the_board("A message", "popup")
        time.sleep(1.0)
        pane.close()

    played = trouble.play("--levels", "1", "--record", str(recording), act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    met = [step.what + str(step.error or "") for step in load_recording(recording).steps]
    assert any("'A message'" in what for what in met)
    assert main(["replay", str(recording)]) == 0


def test_the_focus_is_stolen_from_a_game_that_is_played_by_mouse(trouble: Trouble, quick: None) -> None:
    window = trouble.open("cardinal-chains")
    played = trouble.play("--levels", "1", act=lambda: trouble.pane("An editor", (900, 850, 250, 120)))
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_the_focus_is_stolen_from_a_game_that_is_played_by_keys(trouble: Trouble) -> None:
    profile = trouble.folder / "keys.toml"
    profile.write_text('version = 1\ngame = "cardinal-chains"\ncontrols = "keys"\n', encoding="utf-8")
    window = trouble.open("cardinal-chains", "--controls", "keys")
    played = trouble.play(
        "--levels", "1", "--layout", str(profile), act=lambda: trouble.pane("An editor", (900, 850, 250, 120))
    )
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


@pytest.fixture
def own_display() -> Iterator[VirtualDisplay]:
    """A display whose resolution, or life, belongs to one test."""
    with start_xvfb((1280, 1024)) as running:
        yield running


needs_xrandr = pytest.mark.skipif(shutil.which("xrandr") is None, reason="xrandr is not installed")


@needs_xrandr
def test_the_resolution_changes_and_the_window_still_fits(own_display: VirtualDisplay, trouble: Trouble) -> None:
    window = trouble.open("cardinal-chains", "--size", "600x450")
    trouble.person.move(trouble.id, 40, 40)
    played = trouble.play("--levels", "1", act=lambda: trouble.person.choose_resolution(1024, 768))
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


@needs_xrandr
def test_the_resolution_changes_and_the_window_reaches_outside_for_a_while(
    own_display: VirtualDisplay, trouble: Trouble
) -> None:
    window = trouble.open("cardinal-chains")
    trouble.person.move(trouble.id, 300, 300)
    until(lambda: trouble.person.x11.area(trouble.id).y > 290, "the window to be moved")

    def act() -> None:
        trouble.person.choose_resolution(1024, 768)
        time.sleep(1.0)
        trouble.person.choose_resolution(1280, 1024)

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
