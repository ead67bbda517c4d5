"""The way to the next level that only its words show, where Tesseract is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core import tesseract
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Gesture, Keys, Pace, Wheel
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.layout import Layout
from autoplayer.session import Session
from autoplayer.session.looking import words
from tests.simulated import LEVELS, Look, SeeingGame, Simulated, won


@pytest.fixture(autouse=True)
def read(monkeypatch: pytest.MonkeyPatch) -> None:
    if not tesseract.available():
        pytest.skip("the tesseract program is not installed")
    monkeypatch.setattr(words, "can_read", lambda: True)
    monkeypatch.setattr(words, "PATIENCE", 60.0)  # other tests may keep the machine busy


class Toolbar(Simulated):
    """A toolbar with words and no boxes in the middle above the board; the window is as wide as its board needs."""

    labels = ("New", "Undo", "Next")

    def _begin(self, level: int) -> None:
        self.look = replace(self.look, size=(500 + 150 * level, 420))
        super()._begin(level)

    def label(self, k: int) -> Box:
        return Box(self.look.size[0] // 2 - 120 + 70 * k, 12, 60, 20)

    def image(self) -> Image:
        picture = super().image()
        for k, each in enumerate(self.labels):
            at = self.label(k).x, self.label(k).y + 15
            cv2.putText(picture, each, at, cv2.FONT_HERSHEY_DUPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
        picture[40:42] = (190, 190, 190)
        return picture

    def _press(self, point: Point) -> int | None:
        pressed = [each for k, each in enumerate(self.labels) if self.label(k).contains(point)]
        if pressed == ["New"]:
            self._begin(self.level)
        if pressed == ["Next"] and self.won_at is not None and self.level + 1 < len(self.levels):
            self._begin(self.level + 1)
        return None if pressed else super()._press(point)


def test_a_word_in_a_toolbar_leads_on_wherever_it_stands_in_a_window_of_another_size() -> None:
    window = Toolbar(LEVELS, look=Look(origin=(120, 100)), advance="stay")
    session = Session(SeeingGame(window), window, Layout(game="cardinal-chains"))
    results = list(session.play(len(LEVELS)))
    assert won(window) == [0, 1, 2]
    assert [each.status for each in results[:-1]] == ["won", "won"]
    assert [entry for entry in window.log if entry[0] == "level"] == [("level", 0), ("level", 1), ("level", 2)]


class Page(Simulated):
    """A page that is higher than its window, which shows its upper part: below the board, out of sight, "Next level"
    appears when a level is won. Space and the wheel scroll it."""

    top, next_level = 0, Box(60, 520, 150, 36)

    def image(self) -> Image:
        width, height = self.look.size
        page = np.full((height + 200, width, 3), self.look.ground, np.uint8)
        page[:height] = super().image()
        cv2.putText(page, "Chains, a puzzle", (60, 20), cv2.FONT_HERSHEY_DUPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
        page[590:] = (200, 210, 200)
        cv2.putText(page, "Imprint", (60, 630), cv2.FONT_HERSHEY_DUPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
        if self.won_at is not None:
            box = self.next_level
            cv2.rectangle(page, (box.x, box.y), (box.x + box.width, box.y + box.height), (30, 30, 30), 1)
            at = box.x + 20, box.y + 24
            cv2.putText(page, "Next level", at, cv2.FONT_HERSHEY_DUPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
        return page[self.top : self.top + height].copy()

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if gesture == Keys(("space",)):
                self.top = 200
            if isinstance(gesture, Wheel):
                self.top = min(max(self.top - 53 * gesture.notches, 0), 200)
        super().perform([each for each in gestures if not isinstance(each, Wheel)], pace)

    def _press(self, point: Point) -> int | None:
        point = point[0], point[1] + self.top
        if self.next_level.contains(point) and self.won_at is not None and self.level + 1 < len(self.levels):
            self._begin(self.level + 1)
            return None
        return super()._press(point)


class PageGame(SeeingGame):
    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if isinstance(self.window, Page) and self.window.top:
            raise UnreadableError("a part of the board is out of sight")
        return super().read(image, layout)


def test_what_leads_on_below_a_window_is_found_by_scrolling_and_the_board_brought_back() -> None:
    window = Page(LEVELS, look=Look(origin=(120, 60)), advance="stay")
    session = Session(PageGame(window), window, Layout(game="cardinal-chains"))
    results = list(session.play(len(LEVELS)))
    assert won(window) == [0, 1, 2]
    assert [each.status for each in results[:-1]] == ["won", "won"]
