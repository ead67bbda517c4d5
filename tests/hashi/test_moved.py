"""Hashi: a page that moves when something wider appears on it, in a simulated window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from autoplayer.arcade.hashi.play import Islands
from autoplayer.core.frame import Box, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Pace
from autoplayer.games.hashi import GAME
from autoplayer.games.hashi.puzzle import Puzzle, check
from autoplayer.session import Session
from autoplayer.session.looking.moved import APART, shift
from tests.hashi.test_player import Window, known

FIRST, SECOND = GAME.generate(5, 5, 10), GAME.generate(5, 5, 9)
BAR, ROOM, EDGE = 50, 64, 30
GREY, INK = (225, 225, 225), (40, 40, 40)


@dataclass
class CentredPage(Window):
    """A row of buttons over the board, both in the middle of the window. When the level is won, one more button makes
    the row wider, so everything moves to the left. The menu at the top does not move."""

    following: Sequence[Puzzle] = ()

    @property
    def won(self) -> bool:
        return not check(self.puzzle, self.islands.solution)

    @property
    def left(self) -> int:
        return EDGE if self.won else EDGE + ROOM

    @property
    def buttons(self) -> dict[str, Box]:
        names = ["Undo", "Clear", "Check", *(["Next"] if self.won and self.following else [])]
        return {name: Box(self.left + 10 + 90 * k, BAR + 10, 80, 30) for k, name in enumerate(names)}

    def image(self) -> Image:
        board = super().image()
        height, width = board.shape[:2]
        page = np.full((height + 2 * BAR + EDGE, width + 2 * (EDGE + ROOM), 3), 205, np.uint8)
        cv2.putText(page, "File   Help", (10, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.6, INK, 1, cv2.LINE_AA)
        for name, box in self.buttons.items():
            cv2.rectangle(page, (box.x, box.y), (box.x + box.width, box.y + box.height), GREY, -1)
            at = box.x + 14, box.y + 21
            cv2.putText(page, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
        page[2 * BAR : 2 * BAR + height, self.left : self.left + width] = board
        return page

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Click):
                name = next((name for name, box in self.buttons.items() if box.contains(gesture.at)), None)
                if name == "Clear":
                    self.islands.reset()
                if name == "Next":
                    self.puzzle, *self.following = self.following
                    self.islands = Islands(self.puzzle, controls=self.controls)
            elif isinstance(gesture, Drag):
                path = tuple((x - self.left, y - 2 * BAR) for x, y in gesture.path)
                super().perform([replace(gesture, path=path)], pace)


def test_the_button_that_came_is_pressed_though_the_page_has_moved() -> None:
    """Incident: compared with the pictures before, everything beside the board had changed, so that nothing was."""
    window = CentredPage(FIRST, following=[SECOND])
    results = Session(GAME, window, known("drag")).play(2)
    assert [(result.status, result.error) for result in results] == [("won", None), ("played", None)]
    assert window.puzzle == SECOND


def test_a_board_has_moved_if_all_its_cells_have_by_the_same() -> None:
    then = {(0, 0): Box(10, 10, 20, 20), (0, 1): Box(50, 10, 20, 20)}

    def moved(*by: tuple[int, int]) -> dict[tuple[int, int], Box]:
        boxes = zip(then.items(), by, strict=True)
        return {cell: replace(box, x=box.x + x, y=box.y + y) for (cell, box), (x, y) in boxes}

    assert shift(then, moved((-40, 6), (-40, 6))) == (-40, 6)
    assert shift(then, moved((0, 0), (0, 0))) is None
    assert shift(then, moved((-40, 0), (-40 + 3 * APART, 0))) is None, "it is larger"
    assert shift(then, {(0, 0): then[0, 0]}) is None
