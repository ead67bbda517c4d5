"""Hashi: windows that count down and were begun, of which only the first move tells what the numbers mean."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Cell, Image
from autoplayer.games import enlarging
from autoplayer.games.base import Reading
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.player import FIRST
from autoplayer.games.hashi.playing import dropping
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, check, parse
from autoplayer.games.hashi.seeing.between.remaining import links_of
from autoplayer.games.hashi.seeing.between.standing import Standing
from autoplayer.layout import Layout
from tests.hashi.test_player import UNKNOWN, Window, known, session

LEVEL = parse("3.3.1.\n......\n5.4..1\n.1..2.\n......\n2.2.2.")
BEGUN = {Bridge((0, 0), (0, 2)): 1, Bridge((2, 0), (2, 2)): 1}
SHOWN = parse("2.2.1.\n......\n4.3..1\n.1..2.\n......\n2.2.2.")
"""What the window shows when these bridges stand: as a level it has a solution, and they are a part of it."""


class CountingWindow(Window):
    """The number of an island says how many links it still needs; a complete one has none."""

    def _draw(self) -> Image:
        has: Counter[Cell] = Counter()
        for a, b, links in self.islands.solution:
            has[a] += links
            has[b] += links
        # The picture of the game with all islands, and the numbers written anew.
        picture = GAME.draw(self.puzzle, self.islands.solution)
        for (r, c), number in self.puzzle.islands.items():
            x, y = (c + 1) * self.pitch, (r + 1) * self.pitch
            cv2.circle(picture, (x, y), round(0.29 * self.pitch), (255, 255, 255), -1, cv2.LINE_AA)
            if number > has[r, c]:
                text, face = str(number - has[r, c]), cv2.FONT_HERSHEY_DUPLEX
                (width, height), _ = cv2.getTextSize(text, face, 1, 2)
                cv2.putText(picture, text, (x - width // 2, y + height // 2), face, 1, (40, 40, 40), 2, cv2.LINE_AA)
        return picture


@pytest.mark.parametrize("layout", [known("drag"), UNKNOWN])
def test_numbers_that_drop_with_the_first_bridge_say_what_remains(layout: Layout) -> None:
    """The picture of the begun level shows no complete island; the level of which its numbers would be the totals has a
    solution, which was played to its end."""
    window = CountingWindow(LEVEL)
    window.set(BEGUN)
    assert GAME.read(window.image(), UNKNOWN).puzzle == SHOWN
    status, error, _ = session(window, layout)
    assert (status, error) == ("played", None)
    assert check(LEVEL, window.islands.solution) == []


ADDED = BEGUN | {Bridge((2, 0), (5, 0)): 1}


def _seen(links: dict[Bridge, int], shown: dict[Cell, int]) -> Reading[Puzzle] | None:
    """What is made of a picture in which ``links`` stand and islands show other numbers than at first."""
    reading = Reading(SHOWN, {}, (), 1.0, np.zeros((1, 1, 3), np.uint8), extra={"bridges": BEGUN})
    return dropping.as_it_began(reading, SHOWN, Standing(True, links, shown={**SHOWN.islands, **shown}))


def test_the_level_is_what_was_shown_and_the_bridges_that_stood() -> None:
    began = _seen(ADDED, {(2, 0): 3, (5, 0): 1})
    assert began is not None
    assert began.puzzle == LEVEL
    assert links_of(BEGUN) + Counter(SHOWN.islands) == Counter(LEVEL.islands)


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ({}, "totals stay the same"),
        ({(2, 0): 3}, "a single number may be misread"),
        ({(2, 0): 3, (5, 0): 1, (3, 4): 1}, "an island without a new bridge shows another number"),
        ({(2, 0): 2, (5, 0): 1}, "one dropped by more than it got"),
    ],
)
def test_numbers_that_change_otherwise_say_nothing(shown: dict[Cell, int], why: str) -> None:
    assert _seen(ADDED, shown) is None, why


def test_where_no_bridge_stood_what_remained_was_what_the_level_asks_for() -> None:
    reading = Reading(SHOWN, {}, (), 1.0, np.zeros((1, 1, 3), np.uint8), extra={"bridges": {}})
    dropped = Standing(True, {Bridge((2, 0), (5, 0)): 1}, shown={**SHOWN.islands, (2, 0): 3, (5, 0): 1})
    assert dropping.as_it_began(reading, SHOWN, dropped) is None


def test_a_level_that_has_no_solution_as_it_began_is_given_back() -> None:
    """A bridge was misread, or the window's level is broken: nothing more is pressed."""
    window = CountingWindow(parse("3.4.2\n.....\n..2.2"))
    window.set({Bridge((0, 0), (0, 2)): 1})
    status, error, _ = session(window, known("drag"))
    assert status == "failed"
    assert error is not None
    assert "misread" in error
    assert len(window.gestures) <= FIRST


def test_in_a_small_window_the_level_as_it_began_has_the_places_of_the_window() -> None:
    large = CountingWindow(LEVEL)
    large.set(BEGUN)
    reading = GAME.read(large.image(), UNKNOWN)
    small = enlarging.as_small(reading, np.ascontiguousarray(large.image()[::2, ::2]))
    large.set(ADDED)
    outcome = GAME.solve(SHOWN, time_limit=10)
    assert outcome.solution is not None
    seen = GAME.progress(small, SHOWN, outcome.solution, np.ascontiguousarray(large.image()[::2, ::2]))
    assert seen.instead is not None
    assert seen.instead.places == small.places
