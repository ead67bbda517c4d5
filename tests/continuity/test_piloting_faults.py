"""What the pilot does when its window goes away, is covered or resized in the middle of a level. The window's log is
asked, not the bot."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autoplayer.screen.display import VirtualDisplay
from autoplayer.session import limits
from tests.bundled import Bundled, bundled, play_json
from tests.faults.person import Person, meanwhile
from tests.screen.panes import Pane

pytestmark = pytest.mark.usefixtures("own_home")
TITLE = "Rooms in trouble"
UNDERWAY = 12
"""Keys that were pressed until something happens: the figure has been measured, and is on its way."""

Play = Callable[[Bundled, Callable[[], object]], tuple[int, dict[str, Any]]]


@pytest.fixture
def person(display: VirtualDisplay) -> Iterator[Person]:
    if not display.window_manager:
        pytest.skip("openbox is not installed, and without a window manager no window is minimised")
    somebody = Person(os.environ["DISPLAY"])
    yield somebody
    somebody.close()


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str]) -> Play:
    """Plays one level while something happens: the exit code, and the level's result."""

    def played(window: Bundled, act: Callable[[], object]) -> tuple[int, dict[str, Any]]:
        with meanwhile(window, act, UNDERWAY):
            code, results, said = play_json(capsys, "continuity", "--window", TITLE, "--levels", "1")
        assert "Traceback" not in said
        assert window.all_released()
        assert results, f"exit code {code}: {said}"
        return code, results[0]

    return played


@pytest.fixture
def window(person: Person, tmp_path: Path) -> Iterator[Bundled]:
    with bundled(tmp_path, "--size", "600x480", title=TITLE, game="continuity") as opened:
        yield opened


def test_a_level_is_taken_up_again_in_a_window_of_another_size(window: Bundled, person: Person, play: Play) -> None:
    code, result = play(window, lambda: person.resize(window.window.id, 740, 590))
    assert (code, result["status"], window.won) == (0, "won", 1), result["error"]
    assert result["note"] == "no deaths"


def test_a_window_that_another_one_covers_is_waited_for(window: Bundled, person: Person, play: Play) -> None:
    def act() -> None:
        area = person.x11.area(window.window.id)
        assert area is not None
        pane = Pane(person.display, "An editor", (area.x + 60, area.y + 60, 450, 350), "c0c8d0", "window")
        time.sleep(1.5)
        assert not {"press", "key down"} & set(pane.names())
        pane.close()

    code, result = play(window, act)
    assert (code, result["status"], window.won) == (0, "won", 1), result["error"]


def test_a_window_that_stays_minimised_is_handed_back(
    window: Bundled, person: Person, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "AWAY_LIMIT", 1.0)
    code, result = play(window, lambda: person.minimise(window.window.id))
    assert (code, result["status"]) == (3, "stopped")
    assert "minimised" in result["error"]
