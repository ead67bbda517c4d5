"""Ends of levels that are not wins although the board is complete: the level restarts, the board stays, the window
refuses it. And a win that is announced by a band across the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Keys, Pace
from autoplayer.layout import Layout
from autoplayer.session import Session
from autoplayer.session.ending import Ending
from autoplayer.session.looking.dialogs import band_over, controls_on_cover, dialog_over
from autoplayer.session.looking.refusals import red_came
from tests.simulated import Look, SeeingGame, Simulated
from tests.test_session import GAME, LEVELS, play, won


class Refusing(Simulated):
    """What looks right is no solution there: that is said for two seconds, and the level begins anew."""

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + 2.0:
            self._begin(self.level)

    def image(self) -> Image:
        picture = super().image()
        if self.won_at is not None:
            cv2.putText(picture, "Not solved!", (120, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (40, 40, 220), 2)
        return picture


def test_a_level_that_comes_again_after_a_while_is_played_and_not_won() -> None:
    """Incident: a mistake was told for 1.8 seconds, the level began anew, and was called won twice."""
    results, _ = play(Refusing(LEVELS[1:2], advance="stay"), levels=2)
    assert [r.status for r in results] == ["played", "played"]


class Reddening(Simulated):
    """What looks right is no solution there: the window turns red, and another level comes."""

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + 2.0:
            self._begin(self.level + 1)

    def image(self) -> Image:
        picture = super().image()
        if self.won_at is not None:
            red = np.rint(0.8 * picture + 0.2 * np.array([0, 0, 255])).astype(np.uint8)
            picture[...] = np.where((picture == self.look.ground).all(axis=2, keepdims=True), red, picture)
        return picture


@pytest.mark.parametrize("levels", [LEVELS[1:], LEVELS], ids=["several gestures", "a single gesture"])
def test_a_level_after_which_the_window_turns_red_is_played_and_not_won(levels: tuple[str, ...]) -> None:
    """Incident: a mistake cost a life, another level came for it, and the first one was called won."""
    results, _ = play(Reddening(levels, advance="stay"), levels=1)
    assert [r.status for r in results] == ["played"]


@dataclass
class Telling(Simulated):
    """After a level ``words`` are written beside its board in the colour ``ink``, then another level comes. With
    ``costly``, a red sign beside the board is gone for it."""

    words: str = ""
    ink: tuple[int, int, int] = (40, 40, 220)
    costly: bool = False

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + 1.5:
            self._begin((self.level + 1) % len(self.levels))

    def image(self) -> Image:
        picture = super().image()
        begun = sum(what == "level" for what, _ in self.log)
        for k in range(4 - begun if self.costly else 3):
            cv2.circle(picture, (500 + 30 * k, 30), 10, (50, 50, 230), -1)
        cv2.putText(picture, f"Level {begun}", (20, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (60, 60, 60), 1)
        if self.won_at is not None:
            cv2.putText(picture, self.words, (120, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, self.ink, 2)
        return picture


@pytest.mark.parametrize(
    ("words", "ink", "expected"),
    [
        ("Incorrect!", (40, 40, 220), "played"),
        ("Correct!", (40, 160, 40), "won"),
        ("Correct!", (20, 130, 240), "won"),
    ],
    ids=["red", "green", "orange"],
)
def test_words_in_red_after_a_level_may_be_a_refusal(words: str, ink: tuple[int, int, int], expected: str) -> None:
    """Incident: a refusal was told in red, another level came, and the first one was called won."""
    results, _ = play(Telling(LEVELS, words=words, ink=ink, advance="stay"), levels=2)
    assert [r.status for r in results] == [expected] * 2


@pytest.mark.parametrize(("words", "lost"), [("Too late!", True), ("", False)], ids=["lost", "the last one"])
def test_where_no_level_comes_it_is_said_whether_the_last_one_was_lost(words: str, lost: bool) -> None:
    """Incident: "no next level came" was said of a level that the window had told to be lost."""

    class Over(Telling):
        _tick = Simulated._tick

    _, session = play(Over(LEVELS[1:2], words=words, advance="stay"), levels=2)
    assert "no next level came" in session.ended
    assert ("does not take" in session.ended) == lost


def test_a_button_that_lights_up_in_red_refuses_nothing() -> None:
    box, size = Box(120, 80, 240, 240), (480, 640, 3)
    before = np.full(size, 235, np.uint8)
    lit, told = before.copy(), before.copy()
    cv2.rectangle(lit, (420, 200), (520, 240), (40, 40, 220), -1)
    cv2.putText(told, "Wrong!", (420, 220), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (40, 40, 220), 2)
    assert not red_came(before, lit, box, 60)
    assert red_came(before, told, box, 60)


def test_where_each_level_costs_a_life_it_is_not_played_on() -> None:
    """Incident: levels that were refused were played until no life was left."""
    window = Telling(LEVELS, costly=True, advance="stay")
    results, session = play(window, levels=3)
    assert [r.status for r in results] == ["played", "played"]
    assert "red" in session.ended


def test_a_level_that_comes_again_and_again_is_played_twice() -> None:
    """Incident: it was played as many times as levels were asked for, and each refusal cost a life."""
    results, session = play(Refusing(LEVELS[1:2], advance="stay"), levels=5)
    assert [r.status for r in results] == ["played", "played"]
    assert "same level" in session.ended


class Late(Simulated):
    """A win is shown for a second, which is over when the pointer has left the board; then the level begins anew."""

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + 1.0:
            self._begin(self.level)

    def park(self, at: Point) -> None:
        super().park(at)
        if self.won_at is not None:
            self._tick(1.2)


def test_a_machine_that_is_busy_does_not_make_a_win_that_is_shown_short() -> None:
    """The second time the level would be given up as one that begins anew at its last move."""
    results, _ = play(Late(LEVELS[:1], advance="stay"), levels=2)
    assert [r.status for r in results] == ["played", "played"]


class TakingBack(Simulated):
    """What looks right is no solution there: the last cell is taken back after a while."""

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + 1.5:
            self.won_at = None
            max(self.chains, key=len).pop()


def test_a_last_move_that_is_taken_back_after_a_while_is_no_win() -> None:
    results, _ = play(TakingBack(LEVELS[:1], advance="stay"), levels=1)
    assert [r.status for r in results] == ["failed"]
    assert "taken back" in (results[0].error or "")


@dataclass
class Closing(Simulated):
    """The button on the dialog only closes it, and the board stands there as it was played."""

    closed: bool = False

    @property
    def leads_on(self) -> bool:
        return super().leads_on and not self.closed

    def _press(self, point: Point) -> int | None:
        if self.leads_on and max(abs(point[0] - self.button[0]), abs(point[1] - self.button[1])) < 20:
            self.closed = True
            return None
        return super()._press(point)


def test_a_board_that_stands_there_done_is_no_further_level() -> None:
    """Incident: "Close" uncovered the board of a daily puzzle, which was then counted as a second level."""
    window = Closing(LEVELS[1:2], advance="dialog", scene=True)
    results, session = play(window, levels=3)
    assert window.closed
    assert won(window) == [0]
    assert len(results) == 1
    assert session.ended is not None
    assert "no next level came" in session.ended


class Banded(Simulated):
    """A win is told by a band across the window, through which the board is seen; Enter leads on."""

    def image(self) -> Image:
        picture = super().image()
        if self.won_at is not None:
            band = picture[200:290]
            band[...] = np.rint(band * 0.15 + 60).astype(np.uint8)
            cv2.putText(picture, "Well done! Press ENTER", (130, 252), cv2.FONT_HERSHEY_SIMPLEX, 1, (255,) * 3, 2)
        return picture

    def perform(self, gestures, pace: Pace) -> None:
        super().perform(gestures, pace)
        if Keys(("enter",)) in gestures and self.won_at is not None and self.level + 1 < len(self.levels):
            self._begin(self.level + 1)


LOW = Look(origin=(200, 110))


def test_a_band_across_the_board_is_no_part_of_it_and_enter_leads_on() -> None:
    """Incident: the cells behind the band were drawn again and again, and the level was given up."""
    window = Banded(LEVELS, look=LOW, advance="stay")
    results, _ = play(window, levels=3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "played"]


class Buttoned(Simulated):
    """As ``Banded``, with a button on the band."""

    further = Box(234, 222, 112, 46)

    @property
    def told(self) -> bool:
        return self.won_at is not None and self.clock > self.won_at + 0.6

    def image(self) -> Image:
        picture = super().image()
        if self.told:
            picture[200:290] = (90, 140, 50)
            self.further.crop(picture)[...] = self.look.ground
            cv2.putText(picture, "Next", (262, 252), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (40,) * 3, 2)
        return picture

    def _press(self, point: Point) -> int | None:
        if self.told:
            self.log.append(("next" if self.further.contains(point) else "elsewhere", self.level))
            if self.further.contains(point) and self.level + 1 < len(self.levels):
                self._begin(self.level + 1)
            return None
        return super()._press(point)


def test_a_button_on_a_band_across_the_board_is_pressed() -> None:
    window = Buttoned(LEVELS, look=LOW, advance="stay")
    results, _ = play(window, levels=3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results[:2]] == ["won", "won"]
    assert ("elsewhere", 0) not in window.log


class Again(Simulated):
    """After the last level the first one comes again."""

    def _tick(self, seconds: float) -> None:
        last = self.won_at is not None and self.level + 1 == len(self.levels)
        super()._tick(seconds)
        if last and self.won_at is not None and self.clock >= self.won_at + self.flash:
            self._begin(0)


def test_where_the_first_level_comes_again_all_have_been_played() -> None:
    """Incident: "Play again" was pressed after the last level, and all of them were played again and again."""
    window = Again(LEVELS)
    results, session = play(window)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won"] * 3
    assert session.ended is not None
    assert "the first one came again" in session.ended


def test_as_many_levels_are_played_as_were_asked_for_though_they_come_again() -> None:
    window = Again(LEVELS)
    results, _ = play(window, levels=5)
    assert won(window) == [0, 1, 2, 0, 1]
    assert [r.status for r in results] == ["won"] * 5


def test_a_small_level_may_be_drawn_by_lot_twice() -> None:
    window = Simulated(["X 1", long := "X 1 1\n3 2 2\n4 4 5", "X 1", "X 4\n5 5", "X 1", long])
    results, session = play(window)
    assert len(results) == 5, "the first two came again, one after the other"
    assert "the first one came again" in (session.ended or "")


@pytest.mark.parametrize(
    ("rows", "columns", "band"),
    [
        pytest.param((200, 290), (0, 640), True, id="a band"),
        pytest.param((0, 480), (0, 640), False, id="the whole window, for joy"),
        pytest.param((0, 60), (0, 640), False, id="a bar above the board"),
        pytest.param((0, 200), (0, 640), False, id="from the window's edge on"),
        pytest.param((200, 210), (0, 640), False, id="a line"),
        pytest.param((170, 230), (200, 440), False, id="a row of the board"),
        pytest.param((100, 400), (0, 640), False, id="all of the board"),
    ],
)
def test_what_a_band_is(rows: tuple[int, int], columns: tuple[int, int], band: bool) -> None:
    window = Simulated(LEVELS[1:2], look=LOW)
    drawn = window.image()
    now = drawn.copy()
    now[slice(*rows), slice(*columns)] = now[slice(*rows), slice(*columns)] // 3
    places = window.places.values()
    assert (band_over(drawn, now, places) is not None) == band
    if band:
        assert dialog_over(drawn, now, places)
        assert controls_on_cover(drawn, now, places) == []


def test_a_band_between_a_pages_margins_covers_the_board() -> None:
    """Incident: what it left of the board was taken for the next level, and Enter was not pressed."""
    window = Simulated(LEVELS[1:2], look=LOW)
    drawn = window.image()
    now = drawn.copy()
    now[200:290, 50:590] //= 3
    assert dialog_over(drawn, now, window.places.values()) == Box(50, 200, 540, 90)


def test_a_button_in_the_colour_of_the_cells_leaves_a_band_one() -> None:
    """Incident: a white "Next" before white cells left rows of the picture as they were, and nothing was pressed."""
    window = Simulated(LEVELS[1:2], look=LOW)
    drawn = window.image()
    now = drawn.copy()
    now[200:290] //= 3
    now[212:278, 230:380] = drawn[212:278, 230:380]
    assert band_over(drawn, now, window.places.values()) is not None


def test_lines_that_the_last_move_drew_are_no_part_of_the_dialog_that_came_with_it() -> None:
    """Incident: islands lit up, and the last bridge stood, in the picture in which the dialog came; all were one box,
    which was mostly the window's own ground, and the dialog's button was no piece upon it."""
    places = [Box(40 + 80 * c, 40 + 80 * r, 40, 40) for r in range(5) for c in range(5) if (r + c) % 2 == 0]
    drawn = np.full((420, 700, 3), 34, np.uint8)
    for box in places:
        cv2.circle(drawn, box.centre, 20, (228, 222, 220), -1)
    now = drawn.copy()
    for a, b in pairwise([box for box in places if box.x == 40]):
        for off in (-6, 6):
            cv2.line(now, (a.centre[0] + off, a.centre[1]), (b.centre[0] + off, b.centre[1]), (60, 180, 240), 4)
    for box in places:
        cv2.circle(now, box.centre, 20, (140, 200, 90), -1)
    cv2.rectangle(now, (70, 180), (450, 320), (72, 64, 60), -1)
    cv2.rectangle(now, (180, 255), (330, 303), (60, 180, 240), -1)
    cv2.putText(now, "Next", (225, 287), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (40, 34, 30), 2, cv2.LINE_AA)
    assert Box(180, 255, 150, 48).contains(controls_on_cover(drawn, now, places)[0])


def test_a_level_was_last_seen_drawn_before_a_veil_came_over_it() -> None:
    """Incident: the board was seen complete through the veil of a message. The next level's board had the same water in
    the same places, without a veil, so the old board was taken for covered still, and the next one was skipped."""
    game = Simulated(LEVELS[:1])
    session = Session(SeeingGame(game), game, Layout(game=GAME))
    board = session.look()
    first = board.frame
    drawn, veiled = (replace(first, image=first.image.copy()) for _ in range(2))
    for cell in list(board.reading.places.values())[::2]:
        cell.crop(drawn.image)[20:40] = (92, 106, 226)
    veiled.image[...] = drawn.image
    part = veiled.image[30:]
    part[...] = np.rint(0.15 * part + 0.85 * 255).astype(np.uint8)
    assert Ending(board, first, drawn, veiled, complete=True).drawn[1] is drawn
    assert Ending(board, first, first, drawn, complete=True).drawn[1] is drawn
