"""The pilot in the bundled window on a display of its own. The window's log is asked, not the bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoplayer import layout
from autoplayer.games.continuity.piloting import views
from tests.bundled import bundled, play_json

pytestmark = pytest.mark.usefixtures("display", "own_home")
TITLE = "Rooms under test"


def test_levels_are_won_in_a_row_and_the_window_is_remembered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with bundled(tmp_path, "--size", "560x450", title=TITLE, game="continuity") as window:
        code, results, said = play_json(capsys, "continuity", "--window", TITLE, "--levels", "2")
        assert [result["status"] for result in results] == ["won"] * 2, said
        assert code == 0
        assert [event["index"] for event in window.events("won")] == [1, 2]
        assert window.all_released()
        assert all(result["solution"] for result in results)
    learned = layout.recall("continuity", TITLE)
    assert learned is not None
    assert learned.continuity is not None
    assert learned.next.kind == "auto"
    # The bundled figure is 0.9 characters high and walks 5 a second.
    assert learned.continuity.walk == pytest.approx(5 / 0.9, rel=0.2)


def test_a_window_without_a_level_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "VIEW_KEYS", ("space", "enter", "x"))  # the others are tried in the same way
    with bundled(tmp_path, title=TITLE):
        code, results, _ = play_json(capsys, "continuity", "--window", TITLE, "--levels", "1")
    assert code == 1
    assert results[0]["status"] == "failed"
    assert "no level is seen" in results[0]["error"]
