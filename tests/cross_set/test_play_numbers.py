"""Windows of Cross Set in which a number is chosen by a click on it or by its key; and a key that does two things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Frame, Image, Point
from autoplayer.core.gestures import Click, Gesture, Keys, Pace
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import Puzzle, check
from autoplayer.layout import NUMBER, KeyTable, Layout
from autoplayer.session import Session

UNKNOWN = Layout(game="cross-set", name="numbers")
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
LETTERS = {"w": (-1, 0), "s": (1, 0), "a": (0, -1), "d": (0, 1)}
WIDE, HIGH, EDGE = 132, 84, 30
INK, PALE, PAPER, LINE, CHOSEN = (30, 30, 30), (170, 170, 170), (250, 250, 250), (120, 120, 120), (120, 235, 255)


@dataclass
class NumberWindow:
    """``by``: ``pick``, a click on a number of a cell makes it the active one; ``type``, a click chooses the cell, and
    the key of a number its number; ``keys``, arrows bring a frame to the cell instead. ``look``: ``places``, every
    number keeps its place, and the active one is dark; ``sorted``, the active one is large, and the others are sorted
    below it."""

    puzzle: Puzzle
    by: str
    look: str
    title: str = "a window that is not there"
    clock: float = 0.0
    chosen: Cell | None = None
    gestures: list[Gesture] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.active = [[cell[0] for cell in row] for row in self.puzzle.rows]
        if self.by == "keys":
            self.chosen = (0, 0)

    def box(self, cell: Cell) -> Box:
        return Box(EDGE + cell[1] * WIDE, EDGE + cell[0] * HIGH, WIDE, HIGH)

    def numbers(self, cell: Cell) -> dict[int, tuple[Point, float]]:
        """Where the middle of each number of a cell stands, and how high it is."""
        box, (r, c) = self.box(cell), cell
        x, y = box.centre
        every = sorted(self.puzzle.rows[r][c])
        if self.look == "places":
            start = x - 14 * (len(every) - 1)
            return {n: ((start + 28 * k, y), 18.0) for k, n in enumerate(every)}
        others = [n for n in every if n != self.active[r][c]]
        start = x - 9 * (len(others) - 1)
        below = {n: ((start + 18 * k, y + 25), 11.0) for k, n in enumerate(others)}
        return below | {self.active[r][c]: ((x, y - 10), 28.0)}

    def image(self) -> Image:
        n = self.puzzle.size
        picture = np.full((2 * EDGE + n * HIGH, 2 * EDGE + n * WIDE, 3), PAPER, np.uint8)
        for r in range(n):
            for c in range(n):
                box = self.box((r, c))
                corner = box.x + box.width, box.y + box.height
                if (r, c) == self.chosen and self.by == "type":
                    cv2.rectangle(picture, (box.x, box.y), corner, CHOSEN, -1)
                cv2.rectangle(picture, (box.x, box.y), corner, LINE, 1)
                if (r, c) == self.chosen and self.by == "keys":
                    cv2.rectangle(picture, (box.x + 4, box.y + 4), (corner[0] - 4, corner[1] - 4), (40, 60, 220), 3)
                for number, ((x, y), high) in self.numbers((r, c)).items():
                    dark = number == self.active[r][c]
                    scale, thick = high / 21.5, 2 if high > 12 else 1
                    (w, h), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
                    at = x - w // 2, y + h // 2
                    colour = INK if dark else PALE if self.look == "places" else LINE
                    cv2.putText(picture, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)
        return picture

    def now(self) -> float:
        return self.clock

    def grab(self) -> Frame:
        return Frame(self.image(), (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        frame = self.grab()
        waits = unlike is not None and np.array_equal(frame.image, unlike.image)
        self.clock += limit if waits else quiet
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            self.gestures.append(gesture)
            if isinstance(gesture, Click):
                self.clock += pace.press + pace.release
                self._click(gesture.at)
            elif isinstance(gesture, Keys):
                for key in gesture.keys:
                    self.clock += pace.press + pace.step
                    self._key(key)

    def _click(self, at: Point) -> None:
        n = self.puzzle.size
        cell = next((r, c) for r in range(n) for c in range(n) if self.box((r, c)).contains(at))
        if self.by == "type":
            self.chosen = cell
        if self.by == "pick":
            for number, ((x, y), high) in self.numbers(cell).items():
                if abs(at[0] - x) <= 0.5 * high and abs(at[1] - y) <= 0.7 * high:
                    self.active[cell[0]][cell[1]] = number
                    return

    def _key(self, key: str) -> None:
        if self.chosen is None:
            return
        r, c = self.chosen
        if key.isdigit() and int(key) in self.puzzle.rows[r][c]:
            self.active[r][c] = int(key)
        elif key in ARROWS and self.by == "keys":
            n = self.puzzle.size
            self.chosen = min(max(r + ARROWS[key][0], 0), n - 1), min(max(c + ARROWS[key][1], 0), n - 1)

    def park(self, at: Point) -> None: ...

    def close(self) -> None: ...

    @property
    def solved(self) -> bool:
        return not check(self.puzzle, tuple(map(tuple, self.active)))


@pytest.mark.parametrize("look", ["places", "sorted"])
@pytest.mark.parametrize("by", ["pick", "type", "keys"])
def test_numbers_are_chosen_by_a_click_or_by_their_keys(by: str, look: str) -> None:
    """How is found out; the layout tells it for the next level."""
    window = NumberWindow(GAME.generate(4, 4, 91), by, look)
    running = Session(GAME, window, UNKNOWN)
    (result,) = running.play(1)
    assert (result.status, result.error, window.solved) == ("played", None, True)
    learned = running.layout
    assert (learned.controls, learned.keys.rotate) == (by, NUMBER if by == "keys" else KeyTable().rotate)
    again = NumberWindow(GAME.generate(5, 5, 92), by, look)
    (result,) = Session(GAME, again, learned).play(1)
    assert (result.status, result.error, again.solved) == ("played", None, True)
    assert not any(isinstance(each, Click) and each.button != "left" for each in again.gestures)
    if by == "pick":
        assert len(again.gestures) <= 25, "a click for each cell at most"


@pytest.mark.parametrize("seed", [121, 126])
def test_a_click_that_brings_up_the_number_under_it_picks_numbers(seed: int) -> None:
    """A click in the middle of a cell may come to look like a turn, and the right button opens a menu on web pages."""
    window = NumberWindow(GAME.generate(5, 5, seed), "pick", "places")
    (result,) = Session(GAME, window, UNKNOWN).play(1)
    assert (result.status, window.solved) == ("played", True)
    assert not any(isinstance(each, Click) and each.button != "left" for each in window.gestures)


class LetterWindow(NumberWindow):
    """The letters w, a, s and d bring a frame to a cell, and the key of a number chooses it. Arrows do nothing."""

    def _key(self, key: str) -> None:
        assert self.chosen is not None
        (r, c), n = self.chosen, self.puzzle.size
        if key in LETTERS:
            self.chosen = min(max(r + LETTERS[key][0], 0), n - 1), min(max(c + LETTERS[key][1], 0), n - 1)
        elif key not in ARROWS:
            super()._key(key)


def test_the_cursor_may_go_by_letters() -> None:
    """How is found out where the cell in which the cursor begins is right; the layout tells it for the next level."""
    puzzle = next(each for each in (GAME.generate(4, 4, n) for n in range(93, 200)) if _right_at_first(each))
    window = LetterWindow(puzzle, "keys", "places")
    running = Session(GAME, window, UNKNOWN)
    (result,) = running.play(1)
    assert (result.status, result.error, window.solved) == ("played", None, True)
    keys = running.layout.keys
    assert (keys.up, keys.left, keys.down, keys.right) == ("w", "a", "s", "d")
    assert keys.rotate == NUMBER


def _right_at_first(puzzle: Puzzle) -> bool:
    found = GAME.solve(puzzle, time_limit=5).solution
    assert found is not None
    return bool(found[0][0] == puzzle.rows[0][0][0])


@dataclass
class EnterWindow(NumberWindow):
    """Arrows bring a frame to a cell, and Enter marks its next number. Once all is right words stand over the board;
    Enter brings the next level, or, where there are no ``more``, turns the cell all the same."""

    more: list[Puzzle] = field(default_factory=list)
    won: int = 0
    half: int = 100
    """Half the height of what the words stand on."""

    def image(self) -> Image:
        picture = super().image()
        if self.solved:
            h, w = picture.shape[:2]
            cv2.rectangle(
                picture, (w // 2 - 150, h // 2 - self.half), (w // 2 + 150, h // 2 + self.half), (90, 60, 30), -1
            )
            at = w // 2 - 110, h // 2 + 12
            cv2.putText(picture, "WELL DONE", at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 255, 255), 3, cv2.LINE_AA)
        return picture

    def _key(self, key: str) -> None:
        if key != "enter":
            if key in ARROWS:
                super()._key(key)
            return
        if self.solved and self.more:
            self.won += 1
            self.puzzle = self.more.pop(0)
            self.__post_init__()
            return
        assert self.chosen is not None
        r, c = self.chosen
        every = sorted(self.puzzle.rows[r][c])
        self.active[r][c] = every[(every.index(self.active[r][c]) + 1) % len(every)]


@pytest.mark.parametrize("half", [45, 100])
def test_the_key_that_turns_cells_may_lead_on_as_well(half: int) -> None:
    """It is pressed after all else, and what it turned instead is put right. Cells that the words lie over are not
    turned any more, however many they are."""
    window = EnterWindow(GAME.generate(4, 4, 91), "keys", "places", more=[GAME.generate(4, 4, 93)], half=half)
    results = list(Session(GAME, window, UNKNOWN).play(3))
    assert [result.status for result in results[:2]] == ["won", "played"]
    assert (window.won, window.solved) == (1, True)
