"""Windows of Cross Set with buttons of numbers beside the board or that come up at a cell, and such whose cells are
drawn up or down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Image, Point, around
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace, Wheel
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle
from autoplayer.games.cross_set.seeing import pad
from autoplayer.layout import Layout
from autoplayer.session import Session
from tests.cross_set.test_play_numbers import EDGE, HIGH, INK, PAPER, UNKNOWN, WIDE, NumberWindow

BUTTON, APART, GROUND = 52, 64, (240, 232, 225)


@dataclass
class PadWindow(NumberWindow):
    """``by``: ``pair``, a click chooses the cell, and one on a button its number; ``palette``, a click on a button
    chooses the number, and one on a cell puts it there; ``carry``, the button is drawn there. ``rows``: of the
    buttons. Where there are ``more`` levels a button beside the first number tells of a level that is done, and leads
    to the next one; ``vain``: what was pressed beside the board when the level was done, but for it."""

    rows: int = 1
    more: list[Puzzle] = field(default_factory=list)
    number: int = 1
    vain: list[Point] = field(default_factory=list)

    def buttons(self) -> dict[int, Box]:
        n = self.puzzle.size
        across, x = -(-n // self.rows), EDGE + n * WIDE + 40
        return {
            k + 1: Box(x + k // across * APART, EDGE + 10 + k % across * APART, BUTTON, BUTTON - 4) for k in range(n)
        }

    def done(self) -> Box:
        return Box(EDGE + self.puzzle.size * WIDE + 190, EDGE + 10, 130, 44)

    def image(self) -> Image:
        board = super().image()
        picture = np.full((board.shape[0], board.shape[1] + 330, 3), PAPER, np.uint8)
        picture[:, : board.shape[1]] = board
        for number, box in self.buttons().items():
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), GROUND, -1)
            self._text(picture, str(number), box, 1.0, INK)
        if self.more:
            box = self.done()
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), (190, 110, 30), -1)
            self._text(picture, "Check", box, 0.8, (255, 255, 255))
        return picture

    def _text(self, picture: Image, text: str, box: Box, scale: float, colour: tuple[int, int, int]) -> None:
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
        at = box.centre[0] - w // 2, box.centre[1] + h // 2
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 2, cv2.LINE_AA)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            super().perform([gesture], pace)
            if isinstance(gesture, Drag) and self.by == "carry":
                start, end = gesture.path[0], gesture.path[-1]
                self.clock += pace.press + pace.step
                number = next((number for number, box in self.buttons().items() if box.contains(start)), None)
                n = self.puzzle.size
                self.chosen = next(((r, c) for r in range(n) for c in range(n) if self.box((r, c)).contains(end)), None)
                if number is not None and self.chosen is not None:
                    self._put(number)

    def _click(self, at: Point) -> None:
        n = self.puzzle.size
        if self.by == "carry":
            return
        if self.more and self.done().contains(at):
            if self.solved:
                self.puzzle = self.more.pop(0)
                self.__post_init__()
            return
        pressed = next((number for number, box in self.buttons().items() if box.contains(at)), None)
        cell = next(((r, c) for r in range(n) for c in range(n) if self.box((r, c)).contains(at)), None)
        if self.solved:
            self.vain.append(at)
        if pressed is not None and self.by == "palette":
            self.number = pressed
        elif pressed is not None and self.chosen is not None:
            self._put(pressed)
        elif cell is not None:
            self.chosen = cell
            if self.by == "palette":
                self._put(self.number)

    def _put(self, number: int) -> None:
        assert self.chosen is not None
        r, c = self.chosen
        if number in self.puzzle.rows[r][c]:
            self.active[r][c] = number


@dataclass
class PopupWindow(NumberWindow):
    """A click on a cell calls its numbers over the cells below it, or where it is all ``inside``, and one on a number
    gives it to the cell; any other click closes them."""

    inside: bool = False

    def buttons(self) -> dict[int, Box]:
        if self.chosen is None:
            return {}
        box, (r, c) = self.box(self.chosen), self.chosen
        every = self.puzzle.rows[r][c]
        if self.inside:
            wide, high = WIDE // 2 - 4, HIGH // (2 if len(every) < 5 else 3) - 4
            return {
                n: Box(box.x + 4 + k % 2 * wide, box.y + 4 + k // 2 * high, wide, high) for k, n in enumerate(every)
            }
        return {n: Box(box.x + 40 + 50 * k, box.y + box.height - 6, 44, 44) for k, n in enumerate(every)}

    def image(self) -> Image:
        board = super().image()
        picture = np.full((board.shape[0] + 40, board.shape[1] + 140, 3), PAPER, np.uint8)
        picture[: board.shape[0], : board.shape[1]] = board
        buttons = self.buttons()
        if self.chosen is not None:
            ground = self.box(self.chosen) if self.inside else around(buttons.values(), 7)
            cv2.rectangle(picture, (ground.x, ground.y, ground.width, ground.height), PAPER, -1)
            cv2.rectangle(picture, (ground.x, ground.y, ground.width, ground.height), INK, 1)
        for number, box in buttons.items():
            cv2.rectangle(picture, (box.x, box.y, box.width, box.height), GROUND, -1)
            (w, h), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
            at = box.centre[0] - w // 2, box.centre[1] + h // 2
            cv2.putText(picture, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
        return picture

    def _click(self, at: Point) -> None:
        pressed = next((number for number, box in self.buttons().items() if box.contains(at)), None)
        n, closed = self.puzzle.size, self.chosen is None
        if pressed is not None and self.chosen is not None:
            r, c = self.chosen
            self.active[r][c] = pressed
        cell = next(((r, c) for r in range(n) for c in range(n) if self.box((r, c)).contains(at)), None)
        self.chosen = cell if closed and cell is not None and len(self.puzzle.rows[cell[0]][cell[1]]) > 1 else None


@dataclass
class ReelWindow(NumberWindow):
    """A drag ``up`` or down, one to the left or right, or a turn of the wheel (``by``) that moves the cell so, brings
    the next candidate, one the other way the one before it. With ``double`` a double click does."""

    up: bool = True

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            match gesture, self.by:
                case Drag(path), "drag":
                    at, up, steps = path[0], path[-1][1] < path[0][1], 1
                case Drag(path), "swipe" if path[0][1] == path[-1][1]:
                    at, up, steps = path[0], path[-1][0] < path[0][0], 1
                case Wheel(at, notches), "wheel":
                    up, steps = notches < 0, abs(notches)
                case Click(at, times=2), "double":
                    up, steps = True, 1
                case Click() | Keys(), _:
                    super().perform([gesture], pace)
                    continue
                case _:
                    continue
            self.gestures.append(gesture)
            self.clock += pace.press + pace.step
            n = self.puzzle.size
            r, c = next((r, c) for r in range(n) for c in range(n) if self.box((r, c)).contains(at))
            every = self.order((r, c))
            step = steps if up == self.up else -steps
            self.active[r][c] = every[(every.index(self.active[r][c]) + step) % len(every)]

    def order(self, cell: tuple[int, int]) -> list[int]:
        return sorted(self.puzzle.rows[cell[0]][cell[1]])


@pytest.mark.parametrize(("by", "rows"), [("pair", 1), ("pair", 2), ("palette", 1), ("carry", 1)])
def test_numbers_are_chosen_by_buttons_beside_the_board(by: str, rows: int) -> None:
    """How is found out; the next level takes no more clicks than it must."""
    window = PadWindow(GAME.generate(4, 4, 8101), by, "sorted", rows=rows)
    running = Session(GAME, window, UNKNOWN)
    (result,) = running.play(1)
    assert (result.status, result.error, window.solved) == ("played", None, True)
    assert running.layout.controls == by
    again = PadWindow(GAME.generate(5, 5, 8102), by, "sorted", rows=rows)
    wrong = sum(
        cell[0] != number
        for row, solved in zip(again.puzzle.rows, _solution(again.puzzle), strict=True)
        for cell, number in zip(row, solved, strict=True)
    )
    (result,) = Session(GAME, again, running.layout).play(1)
    assert (result.status, result.error, again.solved) == ("played", None, True)
    assert len(again.gestures) <= 2 * wrong, "a click on the cell and one on the number, for each that is to change"


@pytest.mark.parametrize("inside", [False, True])
def test_numbers_are_chosen_where_a_click_calls_them(inside: bool) -> None:
    """They hide parts of the board, or their own cell, which is taken neither for progress nor for a dialog."""
    window = PopupWindow(GAME.generate(4, 4, 8111), "popup", "sorted", inside=inside)
    running = Session(GAME, window, UNKNOWN)
    (result,) = running.play(1)
    assert (result.status, result.error, window.solved) == ("played", None, True)
    assert running.layout.controls == "popup"
    again = PopupWindow(GAME.generate(5, 5, 8112), "popup", "sorted", inside=inside)
    wrong = [
        cell[0] != number
        for row, solved in zip(again.puzzle.rows, _solution(again.puzzle), strict=True)
        for cell, number in zip(row, solved, strict=True)
    ]
    (result,) = Session(GAME, again, running.layout).play(1)
    assert (result.status, result.error, again.solved) == ("played", None, True)
    assert len(again.gestures) <= 2 * sum(wrong), "a click on the cell and one on the number, for each"


@pytest.mark.parametrize("inside", [False, True])
def test_numbers_that_a_click_calls_are_chosen_where_the_layout_says_click(inside: bool) -> None:
    window = PopupWindow(GAME.generate(4, 4, 8113), "popup", "sorted", inside=inside)
    running = Session(GAME, window, Layout(game="cross-set", name="numbers", controls="click"))
    (result,) = running.play(1)
    assert (result.status, result.error, window.solved) == ("played", None, True)
    assert running.layout.controls == "popup"


@pytest.mark.parametrize(
    ("now", "called"),
    [
        pytest.param([((40, 30), "3"), ((90, 30), "1"), ((40, 64), "4")], True, id="called, as high as they were"),
        pytest.param([((32, 48), "1"), ((60, 48), "4"), ((88, 48), "3")], False, id="turned"),
        pytest.param([((34, 48), "4"), ((63, 48), "3"), ((91, 48), "1")], False, id="turned, and moved by a little"),
    ],
)
def test_a_cell_that_turns_calls_no_numbers(now: list[tuple[Point, str]], called: bool) -> None:
    """The numbers of this cell are all of one height, so that only where they stand tells."""
    pictures = []
    for shown in ([((32, 48), "3"), ((60, 48), "1"), ((88, 48), "4")], now):
        picture = np.full((160, 200, 3), PAPER, np.uint8)
        cv2.rectangle(picture, (20, 20), (140, 116), INK, 2)
        for (x, y), text in shown:
            (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
            at = x + 20 - w // 2, y + 20 + h // 2
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
        pictures.append(picture)
    before, after = pictures
    assert set(pad.popped(after, before, Box(20, 20, 120, 96), (3, 1, 4), 4)) == ({3, 1, 4} if called else set())


@pytest.mark.parametrize("last", [3, 6])
def test_a_list_of_levels_is_not_called_by_a_cell(last: int) -> None:
    """What appears on a board of three rows are the numbers 1 to 3, or levels in two columns beyond these."""
    before, after = (np.full((320, 320, 3), PAPER, np.uint8) for _ in range(2))
    cell = Box(110, 110, 100, 100)
    cv2.rectangle(before, (cell.x, cell.y), (210, 210), INK, 2)
    for n in range(1, last + 1):
        at = 100 + 60 * ((n - 1) % 2), 100 + 60 * ((n - 1) // 2)
        cv2.putText(after, str(n), at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    assert set(pad.popped(after, before, cell, (3, 2, 1), 3)) == ({1, 2, 3} if last == 3 else set())


def test_the_buttons_of_the_numbers_do_not_lead_to_the_next_level() -> None:
    levels = [GAME.generate(4, 4, seed) for seed in (8103, 8104, 8105)]
    window = PadWindow(levels[0], "pair", "sorted", more=levels[1:])
    results = list(Session(GAME, window, Layout(game="cross-set", name="numbers", controls="pair")).play(2))
    assert [result.status for result in results][:1] == ["won"]
    assert window.puzzle in levels[1:]
    assert not window.vain, "a number put there would undo what is right"


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("by", ["drag", "swipe", "wheel", "double"])
def test_cells_are_moved_like_reels(by: str, up: bool) -> None:
    window = ReelWindow(GAME.generate(4, 4, 8106), by, "places", up=up)
    running = Session(GAME, window, UNKNOWN)
    (result,) = running.play(1)
    assert (result.status, result.error, window.solved) == ("played", None, True)
    assert running.layout.controls == by
    again = ReelWindow(GAME.generate(4, 4, 8107), by, "places", up=up)
    (result,) = Session(GAME, again, running.layout).play(1)
    assert (result.status, result.error, again.solved) == ("played", None, True)


def test_text_beside_the_board_is_no_pad() -> None:
    window = PadWindow(GAME.generate(4, 4, 8108), "pair", "sorted")
    places = [window.box((r, c)) for r in range(4) for c in range(4)]
    assert set(pad.find(window.image(), places, 4)) == {1, 2, 3, 4}
    bare = NumberWindow.image(window)
    picture = np.full((bare.shape[0], bare.shape[1] + 330, 3), PAPER, np.uint8)
    picture[:, : bare.shape[1]] = bare
    for text, y in (("Level 1234", 60), ("4 x 4, 3 of 12", 140), ("1 2 3", 220)):
        cv2.putText(picture, text, (bare.shape[1] + 10, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, INK, 2, cv2.LINE_AA)
    assert not pad.find(picture, places, 4)


def _solution(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
    solution = GAME.solve(puzzle, time_limit=10).solution
    assert solution is not None
    return solution
