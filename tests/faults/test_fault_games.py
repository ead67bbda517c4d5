"""Faults of a game, and another user's changes to its level: frozen, slow, late, not reacting, covered by hints, reset,
changed, finished. Results are taken from the window's log, not from the bot. ``docs/faults.md`` lists what the session
does."""

from __future__ import annotations

import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from autoplayer import which
from autoplayer.screen import desktop
from autoplayer.session import limits
from tests.bundled import Bundled
from tests.faults.conftest import CHAINS, ISLANDS, Trouble

SMALL = CHAINS.split("\n\n")[1]


def repeated(window: Bundled) -> list[str]:
    """The links that were made again after they had been taken away: somebody pressed once too often."""
    counts: Counter[str] = Counter()
    again = []
    for event in window.events("link"):
        pair = str(sorted((event["cell"], event["to"])))
        if event["links"] < counts[pair]:
            again.append(pair)
        counts[pair] = event["links"]
    return again


def test_a_game_that_is_frozen_for_five_seconds(trouble: Trouble) -> None:
    """Gestures that are repeated while the game is frozen would arrive twice when it continues."""
    window = trouble.open("hashi")

    def act() -> None:
        window.process.send_signal(signal.SIGSTOP)
        time.sleep(5.0)
        window.process.send_signal(signal.SIGCONT)

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert repeated(window) == []
    assert len(window.events("press")) == played.results[0]["gestures"]


def test_a_game_that_stays_frozen(trouble: Trouble, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "AWAY_LIMIT", 1.0)
    monkeypatch.setattr(desktop, "ANSWER_LIMIT", 1.0)
    window = trouble.open("hashi")
    try:
        played = trouble.play("--levels", "1", act=lambda: window.process.send_signal(signal.SIGSTOP))
        assert (played.code, played.statuses) == (1, ["failed"])
        assert "its program hangs" in played.reason
        heard = len(window.events("press"))
    finally:
        window.process.send_signal(signal.SIGCONT)
    assert window.all_released()
    assert len(window.events("press")) <= heard + 1  # what was pressed before anybody could know


def test_a_game_at_five_frames_a_second(trouble: Trouble) -> None:
    window = trouble.open("hashi", "--fps", "5")
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert repeated(window) == []


def test_a_game_that_loses_every_tenth_press(trouble: Trouble, quick: None) -> None:
    window = trouble.open("hashi", "--lose-every", "10", "--start", "2", levels=f"{ISLANDS}\n{ISLANDS}")
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert window.events("lost")


@pytest.mark.parametrize("game", ["cardinal-chains", "hashi"])
def test_a_game_that_answers_a_second_late(trouble: Trouble, game: str) -> None:
    window = trouble.open(game, "--late", "1000")
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert repeated(window) == []


def test_a_game_with_animations_of_three_seconds(trouble: Trouble) -> None:
    window = trouble.open("hashi", "--animate", "3000", "--flash", "3000")
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert repeated(window) == []


def test_a_hint_that_lies_over_cells_for_a_while(trouble: Trouble) -> None:
    """The hint appears with the level, and once more in the middle of it."""
    window = trouble.open("hashi", "--bubble", "1200")
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    assert played.results[0]["puzzle"].split() == window.events("level")[0]["puzzle"].split()


def test_a_hint_that_stays_over_cells(trouble: Trouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_LIMIT", 1.0)
    monkeypatch.setattr(which, "candidates", list)  # whether it is another game is not asked
    window = trouble.open("cardinal-chains", "--bubble", "60000", levels=SMALL)
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses) == (1, ["failed"])
    assert "could be read" in played.reason
    assert not window.events("press")


def test_the_level_is_changed_by_somebody_else_in_the_middle(trouble: Trouble) -> None:
    window = trouble.open("cardinal-chains", "--start", "2")
    played = trouble.play("--levels", "1", act=lambda: trouble.person.type("p"))
    assert window.events("previous")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)
    first = window.events("level")[1]["puzzle"]
    assert played.results[0]["puzzle"].split() == first.split()


def test_the_level_is_set_back_by_somebody_else_in_the_middle(trouble: Trouble, quick: None) -> None:
    window = trouble.open("hashi")
    played = trouble.play("--levels", "1", act=lambda: trouble.person.type("r"))
    assert window.events("reset")
    assert (played.code, played.statuses, window.won) == (0, ["won"], 1)


def test_the_same_level_comes_again(trouble: Trouble, quick: None) -> None:
    window = trouble.open("cardinal-chains", levels="\n".join([SMALL] * 3))
    played = trouble.play("--levels", "2")
    assert (played.code, played.statuses, window.won) == (0, ["played", "played"], 2)


def test_an_end_screen_comes_after_the_last_level(trouble: Trouble, quick: None) -> None:
    window = trouble.open("cardinal-chains")
    played = trouble.play()
    assert window.events("finished")
    assert (played.code, played.statuses, window.won) == (0, ["won", "played"], 2)
    assert "no next level came" in played.said


def test_a_control_leads_to_an_end_screen(trouble: Trouble, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_LIMIT", 2.0)
    window = trouble.open("cardinal-chains", "--advance", "button")
    played = trouble.play("--levels", "5")
    assert window.events("finished")
    assert (played.code, played.statuses, window.won) == (1, ["won", "won"], 2)
    assert "after level 2 no next level came" in played.said
    names = [event["event"] for event in window.events()]
    assert "press" not in names[names.index("finished") :]  # nothing is tried on the end screen


def test_a_game_that_hears_nothing(trouble: Trouble, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way in which such a game may be played is tried, in all a few times, and each time slower."""
    monkeypatch.setattr(limits, "MOVE_LIMIT", 0.3)
    monkeypatch.setattr(limits, "LATE_LIMIT", 0.5)
    window = trouble.open("cardinal-chains", "--lose-every", "1", levels=SMALL)
    played = trouble.play("--levels", "1")
    assert (played.code, played.statuses) == (1, ["failed"])
    assert "ways and none had any effect" in played.reason
    assert len(window.events("lost")) <= 24
    assert not window.events("press")


def test_a_game_that_comes_no_further(trouble: Trouble, quick: None) -> None:
    trouble.open("cardinal-chains", "--lose-every", "1", levels=SMALL)
    played = trouble.play("--levels", "1", "--stuck-after", "1")
    assert (played.code, played.statuses) == (1, ["failed"])
    assert "nothing came further for 1 seconds" in played.reason
    assert list(Path(trouble.folder / "home").rglob("*.png")), "the last picture was not kept"


def test_escape_twice_leaves_the_game_open(trouble: Trouble) -> None:
    window = trouble.open("cardinal-chains")

    def act() -> None:
        trouble.person.type("escape", "escape")

    played = trouble.play("--levels", "1", act=act)
    assert (played.code, played.statuses) == (4, ["stopped"])
    assert "escape" in played.reason
    assert window.process.poll() is None
    assert not window.events("closed")
