"""Hashi: windows that draw a double bridge as one line, which differs from a single one in its colour, its gaps or its
breadth: what the lines mean is learned from the first of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Image
from autoplayer.core.gestures import Click, Gesture, Pace
from autoplayer.games.base import Progress
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.player import Stands
from autoplayer.games.hashi.playing.habits import inherit, note_made, note_pens, note_single
from autoplayer.games.hashi.playing.ways import WAYS
from autoplayer.games.hashi.puzzle import Bridge, Puzzle, check
from autoplayer.games.hashi.seeing.between.lines import Line
from autoplayer.games.hashi.seeing.between.standing import Standing
from autoplayer.session import Session
from tests.hashi.test_habits import DoublingWindow, SecondByRightWindow
from tests.hashi.test_player import Window, drawn, known, session

PUZZLE = GAME.generate(6, 6, 4)
BLUE, ORANGE = (178, 114, 0), (0, 114, 230)
SINGLE, DOUBLE = Line(1, 4.0, (-60.0, -120.0, -200.0)), Line(1, 4.0, (-200.0, -120.0, -20.0))
A, B, C, D = PUZZLE.bridges[:4]


class OneLineWindow(Window):
    """``look``: what is different about double bridges."""

    look = "colour"

    def _draw(self) -> Image:
        picture = drawn(self.puzzle, ()).copy()
        for a, b, links in self.islands.solution:
            ends = np.array([(cell[1] + 1, cell[0] + 1) for cell in (a, b)]) * self.pitch
            step = np.sign(ends[1] - ends[0])
            start, end = ends[0] + step * 0.36 * self.pitch, ends[1] - step * 0.36 * self.pitch
            colour, dashed = BLUE, self.look == "gaps" and links == 1
            broad = 10 if self.look == "breadth" and links == 2 else 4
            if self.look == "colour" and links == 2:
                colour = ORANGE
            for at in np.arange(0.0, float(np.abs(end - start).sum()), 16.0 if dashed else 4.0):
                first = start + step * at
                last = np.minimum(np.abs(first + step * 5 - start), np.abs(end - start)) * step + start
                cv2.line(picture, [*map(round, first.tolist())], [*map(round, last.tolist())], colour, broad)
        return picture


@pytest.mark.parametrize("look", ["colour", "gaps"])
def test_one_line_that_became_two_links_is_known_from_then_on(look: str) -> None:
    """Incident: both were single ones, or those with gaps were hints, and their links were added again and again."""
    window = OneLineWindow(PUZZLE)
    window.look = look
    status, error, _ = session(window, known("drag"))
    assert (status, error) == ("played", None)
    assert check(PUZZLE, window.islands.solution) == []
    assert len(window.gestures) <= 2 * sum(links for *_, links in window.islands.solution)


class ThickByRightWindow(SecondByRightWindow, OneLineWindow):
    look = "breadth"


class ThickByClickWindow(DoublingWindow, OneLineWindow):
    look = "breadth"


DOUBLES = GAME.generate(5, 5, 165)
"""All its bridges but one are double."""


@pytest.mark.parametrize("controls", ["unknown", "side"])
def test_a_thick_line_alone_is_a_double_bridge_where_a_thin_one_was_seen_before(controls: str) -> None:
    """Incident: the right button built double bridges; the only line of the board, it was taken for a single one, and
    the click that was to double it took it away."""
    window = ThickByRightWindow(DOUBLES, "side")
    status, error, _ = session(window, known(controls))
    assert (status, error) == ("played", None)
    assert check(DOUBLES, window.islands.solution) == []


def test_a_bridge_that_becomes_thicker_by_a_click_on_it_is_double() -> None:
    window = ThickByClickWindow(DOUBLES)
    status, error, _ = session(window, known("drag"))
    assert (status, error) == ("played", None)
    assert check(DOUBLES, window.islands.solution) == []


@dataclass
class NextLevelWindow(ThickByRightWindow):
    """The next level comes half a second after one is solved."""

    following: list[Puzzle] = field(default_factory=list)
    pressed: list[Gesture] = field(default_factory=list)
    solved_at: float = math.inf

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        super().perform(gestures, pace)
        self.pressed.extend(gestures)
        if not check(self.puzzle, self.islands.solution):
            self.solved_at = self.clock

    def image(self) -> Image:
        if self.following and self.clock > self.solved_at + 0.5:
            self.puzzle, self.solved_at = self.following.pop(), math.inf
            self.pressed.clear()
            self.__post_init__()
        return super().image()


NEXT = GAME.generate(5, 5, 59)
"""All its bridges are double."""


def test_the_next_level_is_played_with_the_habits_that_were_learned() -> None:
    """Incident: the button for double bridges was found out again on each level."""
    window = NextLevelWindow(DOUBLES, "side", following=[NEXT])
    results = Session(GAME, window, known("side")).play(2)
    assert [result.status for result in results][-1] == "played"
    assert window.puzzle != DOUBLES
    assert check(window.puzzle, window.islands.solution) == []
    assert len(window.pressed) == sum(window.puzzle.islands.values()) // 2


MOST_IN_VAIN = 2
"""Clicks with the right button, on a level where they double nothing."""


@dataclass
class LeftThenWindow(NextLevelWindow):
    """From the second level on, a second click with the left button doubles a bridge, and the right one takes a link
    away."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if self.following:
            super().perform(gestures, pace)
        else:
            self.pressed.extend(gestures)
            Window.perform(self, gestures, pace)


@pytest.mark.parametrize("puzzle", [NEXT, GAME.generate(7, 7, 8)], ids=["double", "both"])
def test_a_button_that_does_not_double_on_the_next_level_is_forgotten(puzzle: Puzzle) -> None:
    """Incident: it was tried again and again, and took away what the left one had built."""
    window = LeftThenWindow(DOUBLES, "side", following=[puzzle])
    results = Session(GAME, window, known("side")).play(2)
    assert [result.status for result in results][-1] == "played"
    assert check(puzzle, window.islands.solution) == []
    right = [gesture for gesture in window.pressed if isinstance(gesture, Click) and gesture.button == "right"]
    assert 0 < len(right) <= MOST_IN_VAIN
    assert len(window.pressed) <= sum(puzzle.islands.values()) // 2 + 2 * MOST_IN_VAIN


def test_what_a_second_link_takes_away_was_a_single_bridge() -> None:
    """Incident: at five frames a second the line under a drag was seen as a single bridge, half as broad as those."""
    none, thin = dict.fromkeys(PUZZLE.bridges, 0), replace(SINGLE, breadth=2.0)
    for then, unsure, learned in ((0, False, True), (1, False, False), (2, False, False), (0, True, False)):
        noted: dict[str, Any] = {"asked": ({A: 1}, none)}
        note_single(noted, Standing(True, none | {A: 1}, lines={A: thin}))
        noted["asked"] = {A: 1}, none | {A: 1}
        note_single(noted, Standing(True, none | {A: then}, frozenset({A} if unsure else ()), lines={A: SINGLE}))
        assert noted.get("single") == (thin if learned else None)


def test_where_the_right_button_doubles_the_single_bridges_pen_is_known() -> None:
    """Incident: it was not, so that on the next level, which began with double ones, these were single."""
    noted = doubled(WAYS, {A: 1}, {B: 2}, {A: 1, B: 2})
    assert noted["adds"] == ("side", WAYS)
    assert noted["single"] == SINGLE


def doubled(way: int, before: Mapping[Bridge, int], asked: Mapping[Bridge, int], now: Mapping[Bridge, int]) -> Any:
    """What is noted after a move that was to add so many links by clicks beside islands."""
    none = dict.fromkeys(PUZZLE.bridges, 0)
    made = False, "side", way, 1, 0, np.zeros((1, 1, 3), np.uint8)
    noted: dict[str, Any] = {"came": {A: SINGLE}, "made": made, "asked": (asked, none | before)}
    note_made(noted, Progress(True, 3, 9, 0, Stands(none | now, picture=np.ones((1, 1, 3), np.uint8))))
    return noted


@pytest.mark.parametrize(
    ("way", "asked", "now", "adds", "why"),
    [
        (WAYS, {B: 1}, {A: 1, B: 1}, "unknown", "the left button adds first links in this way, too"),
        (WAYS, {A: 1, B: 1}, {A: 1, B: 1}, "unknown", "the click may have been lost"),
        (WAYS, {B: 2, C: 1}, {A: 1, C: 1}, None, "it took away what the left button had built"),
        (WAYS, {A: 1}, {A: 2}, "side", "a second one"),
        (0, {A: 1}, {A: 2}, None, "the left button does it here"),
        (0, {B: 1}, {A: 1, B: 1}, "unknown", "a first link"),
    ],
)
def test_the_button_for_second_links_is_known_by_one_that_it_added(
    way: int, asked: Mapping[Bridge, int], now: Mapping[Bridge, int], adds: str | None, why: str
) -> None:
    """Incident: the right button was to have added the link of the left click before it."""
    noted = doubled(way, {A: 1}, asked, now)
    assert noted.get("adds", ("unknown", WAYS))[0] == adds, why
    assert ("single" in noted) == (adds == "side"), why


def test_pens_grow_with_the_board() -> None:
    noted: dict[str, Any] = {}
    inherit(noted, {"adds": ("side", 4), "single": SINGLE, "lost": 2, "pens": ((SINGLE, 1), (DOUBLE, 2))}, 1.5)
    larger = replace(SINGLE, breadth=6.0), replace(DOUBLE, breadth=6.0)
    assert noted == {"adds": ("side", 4), "single": larger[0], "pens": ((larger[0], 1), (larger[1], 2))}


@pytest.mark.parametrize(
    ("aimed", "lines", "why"),
    [
        ({A: 1, B: 2}, {A: SINGLE, B: DOUBLE}, "the last one may be highlighted"),
        ({A: 1, B: 2, C: 2}, {A: SINGLE, B: SINGLE, C: SINGLE}, "the second links may have been lost"),
        ({A: 1, B: 2, C: 2}, {A: SINGLE, B: DOUBLE, C: SINGLE}, "one may have been lost"),
        ({A: 1, B: 2, C: 2, D: 1}, {A: SINGLE, B: DOUBLE, C: DOUBLE, D: DOUBLE}, "the colour says something else"),
        ({A: 1, B: 2, C: 2}, {A: SINGLE, B: Line(2, 8.0, DOUBLE.colour), C: Line(2, 8.0, DOUBLE.colour)}, "two lines"),
        ({B: 2, C: 2}, {B: DOUBLE, C: DOUBLE}, "no single one is known"),
    ],
)
def test_lines_that_may_look_so_for_another_reason_are_not_learned(
    aimed: Mapping[Bridge, int], lines: Mapping[Bridge, Line], why: str
) -> None:
    assert not note_pens({"aimed": aimed}, lines), why


def test_what_is_learned_is_learned_once() -> None:
    noted: dict[str, Any] = {"aimed": {A: 1, B: 2, C: 2}}
    lines = {A: SINGLE, B: DOUBLE, C: DOUBLE}
    assert note_pens(noted, lines)
    assert noted["pens"] == ((SINGLE, 1), (DOUBLE, 2))
    assert not note_pens(noted, lines)


def test_one_double_bridge_is_enough_where_only_single_ones_have_gaps() -> None:
    lines = {A: replace(DOUBLE, solid=0.6), B: DOUBLE}
    assert note_pens({"aimed": {A: 1, B: 2}}, lines)
