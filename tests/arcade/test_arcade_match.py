"""The course of a match: winning, advancing, going back, and what is logged. Time is an argument, so no test waits."""

from __future__ import annotations

from typing import Any

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import Level
from autoplayer.arcade.match import FLASH, Match
from autoplayer.arcade.options import read
from autoplayer.games.cardinal_chains.puzzle import parse

LEVELS = [Level("a", parse("X 1")), Level("b", parse("X 1 1")), Level("c", parse("X 1"))]


def match(*argv: str) -> tuple[Match, list[dict[str, Any]]]:
    game = find("cardinal-chains")
    told: list[dict[str, Any]] = []
    options = read(game, list(argv))
    return Match(
        game, LEVELS, options, lambda event, **data: told.append({"event": event, **data}), lambda: False
    ), told


def win(one: Match, now: float) -> None:
    one.press((0, 0), now)
    for column in range(1, one.play.columns):
        one.move((0, column), now)
    one.release(now)


def events(told: list[dict[str, Any]]) -> list[str]:
    return [record["event"] for record in told]


def test_auto_advance_waits_for_the_flash_and_then_the_next_level_comes() -> None:
    one, told = match()
    win(one, 5.0)
    assert told[-1] == {"event": "won", "index": 1, "name": "a", "gestures": 1}
    assert one.deadline == 5.0 + FLASH
    one.tick(5.0 + FLASH - 0.01)
    assert one.number == 1
    one.tick(5.0 + FLASH)
    assert (one.number, one.serial, one.won_at) == (2, 2, None)
    assert told[-1] == {"event": "next", "by": "auto"}


def test_a_won_board_takes_no_more_moves() -> None:
    one, told = match("--advance", "stay")
    win(one, 0.0)
    before = len(told)
    one.press((0, 0), 0.5)
    one.key("left", 0.5)
    assert len(told) == before
    assert one.play.won


def test_the_next_button_lights_only_where_it_is_asked_for_and_won() -> None:
    one, told = match("--advance", "button")
    assert one.lit() == {"reset"}
    one.button("next", 0.0)
    assert told == []
    win(one, 0.0)
    one.tick(100.0)
    assert (one.number, one.lit()) == (1, {"reset", "next"})
    one.button("next", 100.0)
    assert told[-1] == {"event": "next", "by": "button"}
    assert (one.number, one.lit()) == (2, {"reset", "previous"})
    stays, _ = match("--advance", "stay")
    win(stays, 0.0)
    stays.tick(100.0)
    assert (stays.number, stays.lit()) == (1, {"reset"})
    assert stays.shortcut("n", 100.0)
    assert stays.number == 2


def test_the_n_key_needs_a_win() -> None:
    one, _ = match("--advance", "button")
    assert one.shortcut("n", 0.0)
    assert one.number == 1
    assert not one.shortcut("x", 0.0)


def test_previous_goes_back_and_the_won_level_lets_on_again() -> None:
    one, told = match("--advance", "button", "--start", "2")
    assert one.number == 2
    one.button("previous", 0.0)
    assert (one.number, told[-1]) == (1, {"event": "previous", "by": "button"})
    assert one.lit() == {"reset"}
    win(one, 0.0)
    one.button("next", 2.0)
    one.button("previous", 2.0)
    assert "next" in one.lit()


def test_reset_is_logged_and_undoes_a_win() -> None:
    one, told = match("--advance", "stay")
    win(one, 0.0)
    one.button("reset", 1.0)
    assert told[-1] == {"event": "reset", "by": "button"}
    assert one.won_at is None
    assert not one.play.won
    win(one, 2.0)
    assert one.wins == 2


def test_the_last_level_finishes_and_closes_only_where_asked() -> None:
    for argv, over in (
        ((), False),
        (("--close-after-last",), True),
        (("--close-after-last", "--advance", "stay"), True),
    ):
        one, told = match("--start", "3", *argv)
        win(one, 0.0)
        one.tick(FLASH)
        assert told[-1] == {"event": "finished", "wins": 1}
        assert (one.finished, one.over) == (True, over)
        one.tick(2 * FLASH)
        assert events(told).count("finished") == 1


def test_the_limit_of_levels_closes_the_window_after_the_flash() -> None:
    one, told = match("--levels-limit", "2")
    win(one, 0.0)
    one.tick(FLASH)
    win(one, 2.0)
    assert not one.over
    one.tick(2.0 + FLASH)
    assert one.over
    assert events(told)[-1] == "finished"


def test_gestures_count_presses_and_keys_of_this_level() -> None:
    one, told = match("--start", "2", "--controls", "keys")
    one.key("right", 0.0)
    one.key("left", 0.0)
    one.press((0, 0), 0.0)
    one.key("right", 0.0)
    one.key("right", 0.0)
    assert told[-1] == {"event": "won", "index": 2, "name": "b", "gestures": 5}
