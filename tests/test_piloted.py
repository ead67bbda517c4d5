"""From one level to the next in games that are steered in real time (such as Continuity): windows that wait for a key,
for their button, or for a click anywhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Frame, Image
from autoplayer.core.gestures import Click, Gesture, Keys, Pace
from autoplayer.games.base import Piloted
from autoplayer.layout import Layout, NextTable
from autoplayer.session import Session
from autoplayer.session.looking import words
from autoplayer.session.next_level.presses import NEXT_KEYS
from tests.simulated import SeeingGame, Simulated

BUTTON = Box(230, 240, 140, 36)
LEVEL = "X 1 1\n2 2 1\n3 3 3"


class Waiting(Simulated):
    """A window that shows a dialog when a level is won, and goes on when ``wants`` comes: a key, ``button``, or
    ``anywhere``. The dialog hears nothing for ``late`` presses."""

    wants = "button"
    over = False
    number = 1
    unheard = 0
    vain = 0
    """Presses of keys and clicks after a win that did nothing."""
    moves = False
    """Whether something moves under the keys that steer."""
    closed = False
    """Whether there is no level yet."""

    def picture(self) -> Image:
        picture = np.full((400, 600, 3), (210, 225, 230), np.uint8)
        picture[60:340, 80:520] = (150, 170, 150)
        if self.over:
            picture[110:300, 170:430] = (250, 250, 250)
            cv2.putText(picture, "Well done!", (215, 165), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (60, 60, 60), 2, cv2.LINE_AA)
            if self.wants == "button":
                BUTTON.crop(picture)[:] = (70, 150, 60)
                at = BUTTON.x + 14, BUTTON.y + 25
                cv2.putText(picture, "Next level", at, cv2.FONT_HERSHEY_SIMPLEX, 0.65, (255,) * 3, 2, cv2.LINE_AA)
        return picture

    def grab(self) -> Frame:
        return Frame(self.picture(), (0, 0), self.clock)

    def glance(self, pause: float = 0.0) -> Frame:
        return self.grab()

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self.grab()

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Click):
                hit = self.wants == "anywhere" or (self.wants == "button" and BUTTON.contains(gesture.at))
            else:
                hit = isinstance(gesture, Keys) and gesture.keys == (self.wants,)
            if hit and self.over and self.unheard:
                self.unheard -= 1
            elif hit and self.over:
                self.over, self.number = False, self.number + 1
            elif self.over:
                self.vain += 1


class Flyer:
    """Wins every level at once."""

    def __init__(self, window: Waiting) -> None:
        self.window, self.layout = window, Layout(game="continuity")

    def play(self) -> Piloted:
        if self.window.closed:
            return Piloted(False, "no level is seen", False)
        self.window.over = True
        return Piloted(True, "", True)

    def stirs(self) -> bool:
        return self.window.moves

    def ready(self, seconds: float) -> bool:
        self.window.clock += seconds
        return not self.window.over


class Live(SeeingGame):
    def __init__(self, window: Waiting) -> None:
        super().__init__(window, ())
        self.window = window

    def pilot(self, window: object, layout: Layout, tell: object) -> Flyer:
        return Flyer(self.window)


def played(window: Waiting, layout: Layout) -> Session:
    session = Session(Live(window), window, layout)
    assert [result.status for result in session.play(3)] == ["won"] * 3
    assert window.number == 3
    return session


@pytest.mark.parametrize("wants", ["enter", "space", "button", "anywhere"])
def test_what_leads_on_is_found_out_and_remembered(wants: str) -> None:
    window = Waiting((LEVEL,))
    window.wants = wants
    found = played(window, Layout(game="continuity")).layout.next
    assert found.kind == ("key" if wants in ("enter", "space") else "click")
    if wants == "button":
        assert found.place is not None
        assert BUTTON.contains((round(found.place[0] * 600), round(found.place[1] * 400)))


@pytest.mark.parametrize(("says", "vain"), [("", 1), ("next", 0), ("menu", len(NEXT_KEYS))])
def test_a_button_that_came_with_the_win_is_pressed_soon(monkeypatch: pytest.MonkeyPatch, says: str, vain: int) -> None:
    """All keys came first, with a wait after each. Words that lead back are the last resort."""
    monkeypatch.setattr(words, "can_read", lambda: bool(says))
    monkeypatch.setattr(words, "_read", lambda ink: frozenset({says}))
    window = Waiting((LEVEL,))
    began = window.clock
    played(window, Layout(game="continuity"))
    assert window.vain == vain
    assert window.clock - began < (10 if says == "next" else 60)  # words that lead on end the wait for the next level


def test_a_button_that_leads_on_is_pressed_again_soon_where_it_was_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was waited for 8 s."""
    monkeypatch.setattr(words, "can_read", lambda: True)
    monkeypatch.setattr(words, "_read", lambda ink: frozenset({"next"}))
    window = Waiting((LEVEL,))
    window.unheard = 1
    began = window.clock
    assert played(window, Layout(game="continuity")).layout.next.kind == "click"
    assert window.clock - began < 10


def test_what_is_known_to_lead_on_is_pressed_again_where_it_was_not_heard() -> None:
    window = Waiting((LEVEL,))
    window.wants, window.unheard = "enter", 1
    played(window, Layout(game="continuity", next=NextTable(kind="key", key="enter")))


@pytest.mark.parametrize(
    ("shows", "moves", "closed", "presses"),
    [(True, False, False, 0), (False, False, False, 1), (False, True, False, 0), (False, True, True, 1)],
    ids=["a board", "a title", "a part of a board", "a title whose mark moves"],
)
def test_before_the_first_level_a_way_in_is_pressed_where_no_board_is_seen(
    shows: bool, moves: bool, closed: bool, presses: int
) -> None:
    """With ``--menus`` title screens were left alone where a pilot plays; and a block of a board seen from near, in
    which the figure walks, was pressed as a control."""
    window, pressed = Waiting((LEVEL,)), []
    window.moves = moves

    def read(image: Image, layout: Layout) -> None:
        if not shows:
            raise UnreadableError("no board is seen")

    def enter() -> None:
        pressed.append("begin")
        window.closed = False
        raise UnreadableError("none came that can be read from its picture alone")

    game = Live(window)
    game.read = read  # type: ignore[method-assign, assignment]
    for menus in (False, True):
        window.closed = menus and closed
        session = Session(game, window, Layout(game="continuity"), menus=menus)
        session.enter = enter  # type: ignore[method-assign]
        assert [result.status for result in session.play(1)] == ["won"]
    assert pressed == ["begin"] * presses
