"""The way from a level to the next one, in simulated windows that behave like real ones: lists of levels beside the
board, dialogs with several buttons, sheets, crosses. Results are taken from the windows' logs."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, Point
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.layout import Layout, NextTable
from autoplayer.session import Session
from tests.simulated import INK, LEVELS, WIDE, Look, SeeingGame, Simulated, play, several, text, won


class Listed(Simulated):
    """A list of levels beside the board, as lines of text or as boxes; those that are won are marked, and nothing else
    leads on."""

    boxes = False

    def entry(self, k: int) -> Box:
        return Box(30 + 46 * (k % 4), 60 + 46 * (k // 4), 38, 38) if self.boxes else Box(30, 60 + 26 * k, 120, 22)

    def image(self) -> Image:
        picture = super().image()
        done = {level for kind, level in self.log if kind == "won"}
        for k in range(7):
            box = self.entry(k)
            colour = (60, 140, 60) if k in done else INK
            if self.boxes:
                fill = (150, 220, 150) if k in done else (250, 250, 250)
                cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), fill, -1)
                cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
                text(picture, str(k + 1), (box.x + 13, box.y + 26), 0.6)
            else:
                text(picture, f"Level {k + 1}{' *' * (k in done)}", (box.x, box.y + 16), 0.5, colour)
        return picture

    def _press(self, point: Point) -> int | None:
        for k in range(len(self.levels)):
            if self.entry(k).contains(point):
                self._begin(k)
                return None
        return super()._press(point)


class ListedInBoxes(Listed):
    boxes = True


@pytest.mark.parametrize("kind", [Listed, ListedInBoxes])
def test_the_next_entry_of_a_list_beside_the_board_is_taken(kind: type[Listed]) -> None:
    """Incident: the entry of the level that was won got a tick. It was pressed, brought the same level once more, and
    so for ever."""
    window = kind(LEVELS, look=WIDE, advance="stay")
    results, session = play(window, levels=3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results[:2]] == ["won", "won"]
    assert session.layout.next.kind != "click", "the next entry is in another place each time"


class UnreadSecond(SeeingGame):
    """The second level is not legible."""

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if self.window.level == 1:
            raise UnreadableError("these are no digits")
        return super().read(image, layout)


class CountedSecond(Listed):
    """Counts what is pressed on the second level's board."""

    strayed = 0

    def _press(self, point: Point) -> int | None:
        self.strayed += self.level == 1 and any(box.contains(point) for box in self.places.values())
        return super()._press(point)


def test_no_move_of_the_level_before_is_made_in_one_that_cannot_be_read() -> None:
    """Incident: the entry of the level that was won began it anew, and the next entry led to a level that was refused:
    the moves of the first one were made in that."""
    window = CountedSecond(LEVELS, look=WIDE, advance="stay")
    x, y = window.entry(0).centre
    way = NextTable(kind="click", place=(x / WIDE.size[0], y / WIDE.size[1]))
    results = list(Session(UnreadSecond(window), window, Layout(game="cardinal-chains", next=way)).play(2))
    assert won(window) == [0]
    assert window.level == 1
    assert window.strayed == 0
    assert [result.status for result in results] == ["won", "failed"]
    assert "these are no digits" in (results[1].error or "")


def test_a_control_that_was_learned_and_brings_the_same_level_again_is_forgotten() -> None:
    """It may have been the entry of one level in a list."""
    window = Listed(LEVELS, look=WIDE, advance="stay")
    x, y = window.entry(0).centre
    way = NextTable(kind="click", place=(x / WIDE.size[0], y / WIDE.size[1]))
    _, session = play(window, levels=3, layout=Layout(game="cardinal-chains", next=way))
    assert won(window) == [0, 1, 2]
    assert session.layout.next.kind != "click"


class Dialog(Simulated):
    """Something comes over the window when a level is won: ``kind``. ``pressed`` is what was pressed on it."""

    kind = "again"

    def __post_init__(self) -> None:
        self.pressed: list[str] = []
        super().__post_init__()

    def things(self) -> dict[str, Box]:
        """What can be pressed."""
        width, height = self.look.size
        return {
            "again": {"again": Box(250, 250, 80, 30), "next": Box(370, 250, 80, 30)},
            "three": {name: Box(220 + 90 * k, 250, 74, 30) for k, name in enumerate(("again", "menu", "next"))},
            "cross": {"next": Box(472, 156, 20, 20)},
            "sheet": {"next": Box(width // 2 - 150, height - 60, 300, 40)},
            "link": {"next": Box(318, 264, 70, 22)},
            "scene": {"next": Box(width // 2 - 60, height // 2 + 60, 120, 40)},
        }[self.kind]

    def image(self) -> Image:
        picture = super().image()
        if not self.leads_on:
            return picture
        width, height = self.look.size
        if self.kind == "scene":
            shade = np.linspace(0, 1, height)[:, None, None]
            picture = np.rint((1 - shade) * (200, 120, 20) + shade * (120, 220, 250)).astype(np.uint8)
            picture = np.ascontiguousarray(np.broadcast_to(picture, (height, width, 3)))
            text(picture, "You win!", (width // 2 - 90, height // 2), 1.4, (255, 255, 255))
        elif self.kind == "sheet":
            picture[height - 110 :] = 255
            text(picture, "Solved in 0:12", (width // 2 - 60, height - 80))
        else:
            cv2.rectangle(picture, (200, 150), (500, 300), (255, 255, 255), -1)
            cv2.rectangle(picture, (200, 150), (500, 300), (180, 180, 180), 1)
            text(picture, "Well done!", (270, 200), 0.8)
            text(picture, "You solved it in 0:12", (270, 230), 0.45)
        for name, box in self.things().items():
            corners = (box.x, box.y), (box.x + box.width, box.y + box.height)
            if self.kind == "cross":
                cv2.line(picture, *corners, (120, 120, 120), 2)
                cv2.line(picture, (box.x + box.width, box.y), (box.x, box.y + box.height), (120, 120, 120), 2)
            elif self.kind == "link":
                text(picture, "Play on", (box.x, box.y + 16), 0.5, (160, 80, 20))
            else:
                plain = self.kind == "scene"
                cv2.rectangle(picture, *corners, (255, 255, 255) if plain else (229, 70, 79), 2 if plain else -1)
                text(picture, name, (box.x + 18, box.y + box.height // 2 + 5), 0.5, (255, 255, 255))
        return picture

    def _press(self, point: Point) -> int | None:
        if not self.leads_on:
            return super()._press(point)
        name = next((name for name, box in self.things().items() if box.contains(point)), "nothing")
        self.pressed.append(name)
        if name != "nothing":
            self._begin(min(self.level + (name == "next"), len(self.levels) - 1))
        return None


class DialogGame(SeeingGame):
    """The board is not read behind a dialog."""

    def read(self, image: Image, layout: Layout):
        advance, self.window.advance = self.window.advance, "dialog"
        try:
            return super().read(image, layout)
        finally:
            self.window.advance = advance


def meet(kind: str, levels: int) -> Dialog:
    window = type("", (Dialog,), {"kind": kind})(LEVELS, look=Look(origin=(220, 60), size=(700, 480)), advance="stay")
    list(Session(DialogGame(window), window, Layout(game="cardinal-chains")).play(levels))
    return window


def test_a_button_that_begins_the_same_level_again_is_pressed_once() -> None:
    """Incident: of two equal buttons, "Again" and "Next", the first one was pressed for ever."""
    window = meet("again", 4)
    assert window.pressed[:3].count("again") <= 1
    assert {0, 1, 2} <= set(won(window))


class AllDone(Simulated):
    """After the last level a dialog without a button says that this was all; ``shut``: a press anywhere closes it."""

    shut = False
    closed = False

    @property
    def last_one(self) -> bool:
        return self.leads_on and self.level + 1 == len(self.levels) and not self.closed

    def image(self) -> Image:
        picture = super().image()
        if self.last_one:
            cv2.rectangle(picture, (330, 150), (670, 300), (255, 255, 255), -1)
            cv2.rectangle(picture, (330, 150), (670, 300), (180, 180, 180), 1)
            text(picture, "All levels done!", (390, 220), 0.8)
            text(picture, "You solved the last one in 0:12", (390, 260), 0.45)
        return picture

    def _press(self, point: Point) -> int | None:
        if self.last_one:
            self.closed = self.shut
            return None
        return super()._press(point)


class AllDoneGame(SeeingGame):
    def read(self, image: Image, layout: Layout):
        if self.window.last_one:
            raise UnreadableError("a dialog covers the board")
        return super().read(image, layout)


@pytest.mark.parametrize(
    ("advance", "late", "shut", "last"),
    [
        ("auto", 0.0, False, "won"),
        ("auto", 1.0, False, "won"),
        ("button", 1.0, False, "won"),
        ("button", 1.0, True, "played"),
    ],
)
def test_a_dialog_without_a_button_that_stays_over_the_full_board_is_a_win(
    advance: str, late: float, shut: bool, last: str
) -> None:
    """One that a press closes may also have said that the level is wrong."""
    look = replace(WIDE, ground=(200, 205, 210))
    window = type("", (AllDone,), {"shut": shut})(LEVELS[:2], look=look, advance=advance, late=late)
    session = Session(AllDoneGame(window), window, Layout(game="cardinal-chains"))
    assert [result.status for result in session.play(3)] == ["won", last]
    assert session.ended is not None
    assert "no next level came" in session.ended


def test_of_three_equal_buttons_in_a_row_the_last_one_is_pressed() -> None:
    """Incident: "Replay" was pressed, and then "Menu"."""
    window = meet("three", 3)
    assert set(window.pressed) == {"next"}
    assert won(window) == [0, 1, 2]


class Outside(Dialog):
    """The only button leads to a screen of its own, on which another one leads on. The board's reader may still believe
    that it sees what was drawn."""

    outside = False

    def image(self) -> Image:
        if not self.outside:
            return super().image()
        picture = np.full((480, 700, 3), 235, np.uint8)
        text(picture, "Chains", (270, 90), 1.4)
        cv2.rectangle(picture, (280, 380), (420, 424), (60, 130, 200), -1)
        text(picture, "Continue", (310, 408), 0.6, (255, 255, 255))
        return picture

    @property
    def leads_on(self) -> bool:
        return super().leads_on and not self.outside

    def _press(self, point: Point) -> int | None:
        if self.outside:
            if Box(280, 380, 140, 44).contains(point):
                self.outside = False
                self._begin(min(self.level + 1, len(self.levels) - 1))
            return None
        if self.leads_on and self.things()["next"].contains(point):
            self.outside = True
            return None
        return super()._press(point)


class OutsideGame(DialogGame):
    def read(self, image: Image, layout: Layout):
        if self.window.outside:
            raise UnreadableError("there is no board")
        return super().read(image, layout)


def test_a_control_that_leads_to_a_screen_of_its_own_is_followed() -> None:
    """Incident: "Menu" led to a screen with "Continue", and that was the end."""
    window = type("", (Outside,), {"kind": "scene"})(
        LEVELS, look=Look(origin=(220, 60), size=(700, 480)), advance="stay"
    )
    list(Session(OutsideGame(window), window, Layout(game="cardinal-chains")).play(3))
    assert won(window) == [0, 1, 2]


class Told(Simulated):
    """Nothing changes when a level is won: the window wants to be told by "Done", and has an "Undo" beside it."""

    done, undo = Box(40, 200, 120, 36), Box(40, 260, 90, 30)

    def image(self) -> Image:
        picture = super().image()
        for box, words, colour in ((self.done, "Done", (60, 150, 60)), (self.undo, "Undo", (250, 250, 250))):
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), colour, -1)
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
            text(picture, words, (box.x + 20, box.y + 22))
        return picture

    def _press(self, point: Point) -> int | None:
        if self.done.contains(point) and self.won_at is not None and self.level + 1 < len(self.levels):
            self._begin(self.level + 1)
            return None
        return super()._press(point)


@pytest.mark.parametrize(
    ("levels", "menus", "expected"), [(3, False, [0, 1, 2]), (1, False, [0]), (3, True, [0, 1, 2])]
)
def test_a_window_that_wants_to_be_told_is_told_where_a_further_level_is_wanted(
    levels: int, menus: bool, expected: list[int]
) -> None:
    """After the last level that was asked for nothing is pressed that stood there all along."""
    window = Told(LEVELS, look=WIDE, advance="stay")
    session = Session(SeeingGame(window), window, Layout(game="cardinal-chains"), menus=menus)
    results = list(session.play(levels))
    assert won(window) == expected
    assert results[0].status == ("won" if levels > 1 else "played")
    assert levels > 1 or not window.stray


@pytest.mark.parametrize("advance", ["button", "dialog"])
def test_a_window_that_is_resized_while_the_next_level_is_waited_for_is_looked_at_anew(advance: str) -> None:
    """What leads on shows itself in the new size. Read there for the first time, the full board seems untouched."""

    class Resizing(Simulated):
        def _tick(self, seconds: float) -> None:
            super()._tick(seconds)
            if self.won_at is not None and self.clock > self.won_at + 0.1:
                self.look = Look(pitch=80, origin=(320, 90), size=(900, 700))

    window = Resizing(LEVELS, look=WIDE, advance=advance, late=1.0)
    results, _ = play(window, levels=2)
    assert results[0].status == "won"
    assert won(window) == [0, 1]


class Undoing(Told):
    """What looks likelier to lead on takes the last cell back."""

    done, undo = Box(40, 300, 120, 36), Box(560, 200, 90, 36)
    undone = 0

    def image(self) -> Image:
        self.done, self.undo = self.undo, self.done  # they look like one another
        try:
            return super().image()
        finally:
            self.done, self.undo = self.undo, self.done

    def _press(self, point: Point) -> int | None:
        if self.undo.contains(point) and len(self.chains[-1]) > 1:
            self.undone += 1
            self.won_at = None
            self.chains[-1].pop()
            return None
        return super()._press(point)


@pytest.mark.parametrize("menus", [False, True])
def test_a_control_that_takes_back_what_was_played_is_pressed_once_and_the_level_played_to_its_end(menus: bool) -> None:
    window = Undoing(several(LEVELS, 4), look=WIDE, advance="stay")
    session = Session(SeeingGame(window), window, Layout(game="cardinal-chains"), menus=menus)
    assert [result.status for result in session.play(2)] == ["won", "won"]
    assert won(window) == [0, 0, 1]
    assert window.undone == 1


def test_the_last_level_that_is_wanted_is_left_done_where_a_control_took_it_back() -> None:
    """With ``menus`` anything beside the board may be pressed, also after the last level."""
    window = Undoing(LEVELS[:1], look=WIDE, advance="stay")
    session = Session(SeeingGame(window), window, Layout(game="cardinal-chains"), menus=True)
    assert [result.status for result in session.play(1)] == ["played"]
    assert window.undone == 1
    assert window.won_at is not None, "the board is not done any more"


class Asking(Told):
    """After "Done" it asks once more, in a dialog."""

    asked = False
    yes = Box(300, 250, 90, 36)

    def image(self) -> Image:
        picture = super().image()
        if self.asked:
            cv2.rectangle(picture, (200, 150), (500, 320), (250, 250, 250), -1)
            cv2.rectangle(picture, (200, 150), (500, 320), INK, 2)
            text(picture, "Go on?", (300, 200))
            cv2.rectangle(picture, (300, 250), (390, 286), (60, 150, 60), -1)
            text(picture, "Yes", (320, 272))
        return picture

    def _press(self, point: Point) -> int | None:
        if self.asked:
            if self.yes.contains(point):
                self.asked = False
                self._begin(self.level + 1)
        elif self.done.contains(point) and self.won_at is not None:
            self.asked = True
        else:
            return Simulated._press(self, point)
        return None


def test_what_a_control_asks_before_the_next_level_is_answered() -> None:
    class AskingGame(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
            if window.asked:
                raise UnreadableError("a dialog covers the board")
            return super().read(image, layout)

    window = Asking(several(LEVELS, 4), look=WIDE, advance="stay")
    session = Session(AskingGame(window), window, Layout(game="cardinal-chains"))
    assert [result.status for result in session.play(3)] == ["won", "won", "played"]
    assert won(window) == [0, 1, 2]


class Rejoicing(Told):
    """After "Done" it rejoices for so long that the next level seems to come by itself."""

    told_at: float | None = None

    def _press(self, point: Point) -> int | None:
        if self.done.contains(point) and self.won_at is not None:
            self.told_at = self.told_at or self.clock
            return None
        return Simulated._press(self, point)

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.told_at is not None and self.clock > self.told_at + 3.6 and self.level + 1 < len(self.levels):
            self.told_at = None
            self._begin(self.level + 1)


def test_a_control_whose_level_comes_late_stays_known() -> None:
    """Incident: confetti fell for 3.5 s after "Done", so levels were said to come by themselves, and the third one was
    waited for in vain."""
    window = Rejoicing(several(LEVELS, 4), look=WIDE, advance="stay")
    results, session = play(window, levels=4)
    assert won(window) == [0, 1, 2, 3]
    assert [r.status for r in results[:3]] == ["won"] * 3
    assert session.layout.next.kind == "click"


def test_it_is_said_where_something_beside_the_board_was_not_pressed() -> None:
    class Above(Told):
        done, undo = Box(560, 10, 90, 36), Box(40, 10, 90, 30)

    ended = {}
    for menus in (False, True):
        window = Above(LEVELS, look=WIDE, advance="stay")
        session = Session(SeeingGame(window), window, Layout(game="cardinal-chains"), menus=menus)
        results = list(session.play(2))
        assert len(results) == (2 if menus else 1)
        ended[menus] = session.ended
    assert "--menus" in (ended[False] or "")
    assert ended[True] is None


@pytest.mark.parametrize("kind", ["cross", "sheet", "link", "scene"])
def test_what_a_person_would_press_is_among_the_first_that_are_tried(kind: str) -> None:
    """Incidents: a dialog with nothing but a cross in its corner, a sheet at the window's foot whose button is wider
    than four cells, a link without a box, a button on a screen whose colour runs from one to another."""
    window = meet(kind, 2)
    assert won(window) == [0, 1]
