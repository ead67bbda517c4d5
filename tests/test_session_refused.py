"""Simulated windows that refuse moves, take them back or ask something in their midst. Results are taken from the
window's log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Box, Cell, Image, Point
from autoplayer.core.gestures import Drag, Gesture, Pace
from autoplayer.games.cardinal_chains.puzzle import parse
from autoplayer.games.cardinal_chains.solver import solve
from autoplayer.layout import Layout
from autoplayer.screen.guard import CoveredError
from autoplayer.session import Session
from tests.simulated import GAME, LEVELS, SeeingGame, Simulated, play, won


class Jealous(Simulated):
    """A window in which whatever is dragged brings up something that lies over the board while the drag lasts."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if any(isinstance(gesture, Drag) for gesture in gestures):
            self.log.append(("refused", len(gestures)))
            raise CoveredError("a hint lies over the board")
        super().perform(gestures, pace)


def test_a_move_that_brings_up_what_keeps_it_from_being_made_is_not_repeated_for_ever() -> None:
    window = Jealous(LEVELS)
    results, _ = play(window, levels=1)
    refused = [each for each in window.log if each[0] == "refused"]
    assert [r.status for r in results] == ["failed"]
    assert 2 < len(refused) < 30


class Counted(Simulated):
    """Each level begins behind a veil with numbers that count down, and hears nothing until they are gone."""

    def __post_init__(self) -> None:
        self.began = 0.0
        super().__post_init__()

    def _begin(self, level: int) -> None:
        super()._begin(level)
        self.began = self.clock

    @property
    def veiled(self) -> bool:
        return self.clock < self.began + 2.1

    def image(self) -> Image:
        picture = super().image()
        if self.veiled and self.level:
            picture = np.rint(picture * 0.2 + np.array([200, 215, 225]) * 0.8).astype(np.uint8)
            number = str(3 - int((self.clock - self.began) / 0.7))
            cv2.putText(picture, number, (150, 230), cv2.FONT_HERSHEY_SIMPLEX, 4, (40, 50, 200), 10)
        return picture

    def _press(self, point: Point) -> int | None:
        return None if self.veiled else super()._press(point)


def test_a_level_of_one_move_that_was_not_heard_is_not_won() -> None:
    """Incident: the move was lost behind a countdown, and the level that stood there still was called won."""
    window = Counted(("X 1 1\n2 2 1\n3 3 3", "X 1 2\n3 3 2\n3 4 4", "X 2 2\n3 3 2\n4 5 5"), advance="button")
    results, _ = play(window, levels=3)
    assert [r.status for r in results] == ["won"] * 3
    assert won(window) == [0, 1, 2]
    assert [r.puzzle for r in results] == [*window.levels]


@dataclass
class Refusing(Simulated):
    """Its time is up at the last step of a level, the first ``refused`` times: the level begins anew, and a bar above
    the board moves that down by ``bar`` pixels."""

    refused: int = 1
    bar: int = 0

    def _step(self, number: int, cell: Cell | None, pace: Pace) -> None:
        steps = sum(map(len, self.chains))
        legal = cell is not None and self._owner(cell) is None
        if self.refused and legal and steps == len(self.puzzle.cells) - 1:
            self.refused -= 1
            x, y = self.look.origin
            self.look = replace(self.look, origin=(x, y + self.bar))
            self._begin(self.level)
        else:
            super()._step(number, cell, pace)


@pytest.mark.parametrize("bar", [0, 30], ids=["in its place", "moved by a bar"])
@pytest.mark.parametrize("refused", [1, 9])
def test_a_level_that_begins_anew_at_its_last_move_is_not_won_for_that(bar: int, refused: int) -> None:
    """Incident: a page put a bar above the board when the time was up, and showed the level from its beginning; that
    was taken for the win."""
    window = Refusing(LEVELS[1:2], advance="stay", refused=refused, bar=bar)
    results, _ = play(window, levels=1)
    if refused == 1:
        assert won(window) == [0]
    else:
        assert [r.status for r in results] == ["failed"]
        assert "began anew" in results[0].error
        assert won(window) == []


@pytest.mark.parametrize(
    ("old", "begun"),
    [
        pytest.param("X 2 2 3\n1 4 4 5\n1 4 6 5\n1 2 2 X", True, id="other signs in most cells"),
        pytest.param("X 3 4 4\n2 3 1 3\n2 3 X 3\n2 1 4 3", False, id="the same signs in most cells"),
        pytest.param("X 3 4 4\n2 3 2 3\n9 9 X 9\n9 9 9 9", False, id="the same signs in more than half of the cells"),
        pytest.param("X 3 4 4\n2 3 9 9\n9 9 X 9\n9 9 9 9", True, id="the same signs in fewer than half of the cells"),
    ],
)
@pytest.mark.parametrize("seen", ["in its place", "elsewhere", "without its upper row"])
def test_a_level_that_is_mostly_drawn_is_another_one_where_most_signs_differ(old: str, begun: bool, seen: str) -> None:
    """Incident: a next level of which more than half was drawn already was taken for the old one, misread, so that the
    old one did not count as won."""
    window = Simulated((LEVELS[1],))
    solution = solve(window.puzzle, time_limit=5).solution
    window.chains = [list(solution[0]), list(solution[1][:-1])]
    window.touched = {0, 1}
    session = Session(SeeingGame(window), window, Layout(game=GAME))
    found = session.look()
    places = dict(found.reading.places)
    if seen == "elsewhere":
        places = {cell: replace(box, x=box.x + 300) for cell, box in places.items()}
    elif seen == "without its upper row":
        old = "9 9 9 9\n" + old
        places = {(r, c): replace(places[0, c], y=places[0, c].y + (r - 1) * 60) for r in range(5) for c in range(4)}
    before = replace(
        found,
        reading=replace(found.reading, puzzle=parse(old), places=places),
        settled=replace(found.settled, puzzle=parse(old)),
    )
    assert session.window.is_begun(found, before) is begun


class Asking(Simulated):
    """A win puts up a dialog in a window of its own, before the pointer has left the board; it hears Enter."""

    answered = 0

    @property
    def asks(self) -> bool:
        return self.won_at is not None

    def park(self, at: Point) -> None:
        if self.asks:
            raise CoveredError("the dialog 'Well done' lies over the board")
        super().park(at)

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        self._tick(0.05)
        return "the dialog 'Well done'" if self.asks else None

    def answer_dialog(self, pace: Pace) -> str | None:
        if not self.asks:
            return None
        self.answered += 1
        self._begin(self.level + 1)
        return "the dialog 'Well done'"


def test_a_dialog_that_keeps_the_pointer_from_leaving_the_board_is_answered() -> None:
    """Incident: it was waited for 30 seconds, and then called something that lies over the board."""
    window = Asking(LEVELS, advance="stay")
    results, _ = play(window, levels=2)
    assert [r.status for r in results] == ["won", "won"]
    assert won(window) == [0, 1]
    assert window.answered == 2
