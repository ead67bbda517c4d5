"""The way from a level to the next one, in simulated windows that behave like real ones: lists of levels beside the
board, dialogs with several buttons, sheets, crosses. Results are taken from the windows' logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Click, Gesture, Keys, Pace
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.layout import Layout, NextTable
from autoplayer.session import LevelResult, Session, limits
from autoplayer.session.looking.controls import controls_on_cover, shaded_dialog
from autoplayer.session.looking.lists_beside import entry_after
from autoplayer.session.looking.menus import controls_beside, controls_that_came
from tests.simulated import Look, SeeingGame, Simulated, several

LEVELS = ("X 1 1\n2 2 1\n3 3 3", "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3", "3 3 2\n1 1 2\n2 X X")
WIDE = Look(origin=(300, 60), size=(700, 480))
INK = (40, 40, 40)


def play(window: Simulated, levels: int, layout: Layout | None = None) -> tuple[list[LevelResult], Session]:
    session = Session(SeeingGame(window), window, layout or Layout(game="cardinal-chains"))
    return list(session.play(levels)), session


def won(window: Simulated) -> list[object]:
    return [level for kind, level in window.log if kind == "won"]


def text(picture: Image, words: str, at: Point, size: float = 0.5, colour: tuple[int, int, int] = INK) -> None:
    cv2.putText(picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


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
    results, session = play(window, 3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results[:2]] == ["won", "won"]
    assert session.layout.next.kind != "click", "the next entry is in another place each time"


def test_a_control_that_was_learned_and_brings_the_same_level_again_is_forgotten() -> None:
    """It may have been the entry of one level in a list."""
    window = Listed(LEVELS, look=WIDE, advance="stay")
    x, y = window.entry(0).centre
    way = NextTable(kind="click", place=(x / WIDE.size[0], y / WIDE.size[1]))
    _, session = play(window, 3, Layout(game="cardinal-chains", next=way))
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
    results, _ = play(window, 2)
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


class Anew(Simulated):
    """An arrow that lights up leads on, but for the last level; beside it the level may be begun anew."""

    anew = Box(40, 300, 100, 36)

    def image(self) -> Image:
        picture, box = super().image(), self.anew
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), (250, 250, 250), -1)
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
        text(picture, "Restart", (box.x + 18, box.y + 22))
        return picture

    @property
    def leads_on(self) -> bool:
        return super().leads_on and self.level + 1 < len(self.levels)

    def _press(self, point: Point) -> int | None:
        if self.anew.contains(point):
            self._begin(self.level)
            return None
        return super()._press(point)


def test_after_the_last_level_of_a_window_whose_way_on_is_known_none_is_begun_anew() -> None:
    """Incident: "Restart" was pressed for want of a next level, and the last one played once more as another."""
    window = Anew(LEVELS, look=WIDE, advance="button")
    results, _ = play(window, 5)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "played"]


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
    results, session = play(window, 4)
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


def test_of_what_stands_beside_a_board_the_right_arrow_comes_first_and_the_last_of_a_row_never() -> None:
    picture = np.full((400, 500, 3), 235, np.uint8)
    cells = [Box(170 + 40 * (k % 4), 100 + 40 * (k // 4), 40, 40) for k in range(16)]
    arrows = [Box(60, 160, 40, 40), Box(400, 160, 40, 40)]
    row = [Box(110 + 100 * k, 330, 80, 34) for k in range(3)]
    for box, words in [*zip(arrows, "<>", strict=True), *zip(row, ("New", "Undo", "Quit"), strict=True)]:
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), (250, 250, 250), -1)
        cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
        text(picture, words, (box.x + 14, box.y + 24), 0.6)

    def pressed(*, likely: bool) -> list[int]:
        named = [*arrows, *row]
        found = controls_beside(picture, cells, likely=likely)
        return [next(k for k, box in enumerate(named) if box.contains(each.centre)) for each in found]

    assert pressed(likely=True)[:2] == [1, 2]
    assert 4 not in pressed(likely=True)
    assert sorted(pressed(likely=False)) == [0, 1, 2, 3, 4]


class Again(Simulated):
    """A level that is won begins anew by itself; only a strip of numbers above the board leads to another one."""

    listed = True

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + self.flash:
            self._begin(self.level)

    def entry(self, k: int) -> Box:
        return Box(60 + 50 * k, 14, 40, 36)

    def image(self) -> Image:
        picture = super().image()
        for k in range(6 if self.listed else 0):
            box = self.entry(k)
            fill = (200, 120, 20) if k == self.level else (210, 210, 210)
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), fill, -1)
            text(picture, str(k + 1), (box.x + 13, box.y + 25), 0.6, (255,) * 3 if k == self.level else INK)
        return picture

    def _press(self, point: Point) -> int | None:
        for k in range(len(self.levels) if self.listed else 0):
            if self.entry(k).contains(point):
                self._begin(k)
                return None
        return super()._press(point)


@pytest.mark.parametrize("listed", [True, False])
def test_where_a_won_level_begins_anew_the_list_above_the_board_leads_to_another(listed: bool) -> None:
    """Incident: the first level was played three times and called three levels."""
    window = Again(LEVELS, look=WIDE, advance="stay")
    window.listed = listed
    results, _ = play(window, 3)
    # What comes again may have been refused, and is played no third time.
    assert won(window) == ([0, 1, 2] if listed else [0, 0])
    assert [r.status for r in results] == (["won", "won", "played"] if listed else ["played"] * 2)


class Strip(Again):
    """A level that is won stays; of the strip of numbers above the board the present one is highlighted."""

    def _tick(self, seconds: float) -> None:
        Simulated._tick(self, seconds)


def test_of_a_strip_above_the_board_the_number_after_the_highlighted_one_is_pressed() -> None:
    """Incident: a strip of eight levels was more boxes than are tried, and nothing else led on."""
    window = Strip(LEVELS, look=WIDE, advance="stay")
    results, session = play(window, 3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "played"]
    assert session.layout.next.kind != "click", "the next number is in another place each time"


class Lettered(Simulated):
    """A win is told beside the board, and asks for a letter; it is played by the mouse."""

    def image(self) -> Image:
        picture = super().image()
        if self.won_at is not None:
            text(picture, "Press N", (20, 420), 0.8)
        return picture

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        super().perform(gestures, pace)
        asked = self.won_at is not None and self.level + 1 < len(self.levels)
        if asked and any(isinstance(gesture, Keys) and "n" in gesture.keys for gesture in gestures):
            self._begin(self.level + 1)


def test_a_window_that_is_played_by_the_mouse_may_ask_for_a_letter() -> None:
    """Incident: "Press N for next level" was answered by Enter and Space alone."""
    window = Lettered(LEVELS, advance="stay")
    results, session = play(window, 2)
    assert [r.status for r in results] == ["won", "won"]
    assert won(window) == [0, 1]
    assert session.layout.next.key == "n"


class Sliding(Simulated):
    """The next board slides in; until it is there, two marks below it stand alone, which read as a level."""

    began = 0.0

    def _begin(self, level: int) -> None:
        super()._begin(level)
        self.began = self.clock

    @property
    def alone(self) -> bool:
        return bool(self.level) and self.clock < self.began + 0.6

    def image(self) -> Image:
        picture = super().image()
        if self.alone:
            picture[:] = self.look.ground
            text(picture, "X 1", (100, 420), 0.5)
        return picture


class Hasty(SeeingGame):
    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if isinstance(self.window, Sliding) and self.window.alone:
            places = {(0, k): Box(96 + 18 * k, 408, 16, 16) for k in range(2)}
            return Reading(parse("X 1"), places, (), 1.0, image)
        return super().read(image, layout)


def test_what_stands_below_a_board_that_slides_in_is_no_level() -> None:
    """Incident: the dots that count the levels were read as a level, and its moves pressed beside the next board."""
    window = Sliding(LEVELS)
    results = list(Session(Hasty(window), window, Layout(game="cardinal-chains")).play(3))
    assert [r.status for r in results][:2] == ["won", "won"]
    assert [r.puzzle for r in results] == [*LEVELS]


class Joyful(Simulated):
    """Something flies over the place of the button before it is there; each level's board leaves it where it was."""

    def image(self) -> Image:
        picture = super().image()
        if self.won_at is not None and not self.leads_on and self.clock > self.won_at + 0.2:
            x, y = self.button
            cv2.rectangle(picture, (x - 16, y - 10), (x + 12, y + 14), (90, 220, 250), -1)
        return picture


def test_what_lights_up_before_the_known_control_is_there_does_not_end_it() -> None:
    """Incident: confetti lit up the place of the known button. It was pressed too soon, and the game called over."""
    window = Joyful(LEVELS, look=WIDE, advance="button", late=3.0)
    place = (window.button[0] / WIDE.size[0], window.button[1] / WIDE.size[1])
    play(window, 3, Layout(game="cardinal-chains", next=NextTable(kind="click", place=place)))
    assert won(window) == [0, 1, 2]


@pytest.mark.parametrize("kind", ["cross", "sheet", "link", "scene"])
def test_what_a_person_would_press_is_among_the_first_that_are_tried(kind: str) -> None:
    """Incidents: a dialog with nothing but a cross in its corner, a sheet at the window's foot whose button is wider
    than four cells, a link without a box, a button on a screen whose colour runs from one to another."""
    window = meet(kind, 2)
    assert won(window) == [0, 1]


def test_of_two_boxes_that_came_the_one_in_colour_comes_first_and_what_ticked_all_along_is_none() -> None:
    start = np.full((300, 400, 3), 230, np.uint8)
    cells = [Box(40 + 40 * k, 40, 40, 40) for k in range(3)]
    plain, coloured, clock = Box(40, 200, 120, 34), Box(180, 200, 110, 34), Box(320, 20, 60, 24)

    def drawn(time: str, ended: bool) -> Image:
        picture = start.copy()
        boxes = [(clock, (250, 250, 250), time)]
        if ended:
            boxes += [(plain, (250, 250, 250), "Menu"), (coloured, (200, 90, 20), "Next")]
        for box, colour, words in boxes:
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), colour, -1)
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), INK, 1)
            text(picture, words, (box.x + 12, box.y + box.height - 10), 0.5, INK if colour[0] == 250 else (255,) * 3)
        return picture

    came = controls_that_came(drawn("0:01", False), drawn("0:07", False), drawn("0:09", True), cells)
    assert [box.contains(coloured.centre) for box in came] == [True, False]
    assert came[1].contains(plain.centre)


def test_nothing_on_a_cell_of_a_board_that_shakes_is_pressed() -> None:
    """Incident: a page shakes its cells for joy; an 8 is a box with something on it, and its cell was turned once more,
    away from its number."""
    places = [Box(40 + 110 * k, 60, 84, 92) for k in range(3)]

    def drawn(shift: int) -> Image:
        picture = np.full((240, 400, 3), 230, np.uint8)
        for box, number in zip(places, "831", strict=True):
            cv2.rectangle(picture, (box.x - 5 + shift, box.y - 5), (box.x + 88 + shift, box.y + 96), (255,) * 3, -1)
            cv2.rectangle(picture, (box.x + shift, box.y), (box.x + 83 + shift, box.y + 91), (195, 175, 68), -1)
            at = (box.x + 24 + shift, box.y + 62)
            cv2.putText(picture, number, at, cv2.FONT_HERSHEY_SIMPLEX, 1.5, (255,) * 3, 6, cv2.LINE_AA)
        return picture

    assert controls_that_came(drawn(0), drawn(0), drawn(4), places) == []


@pytest.mark.parametrize("coloured", [True, False])
def test_of_a_bar_with_two_texts_far_apart_the_one_that_leads_on_comes_first(coloured: bool) -> None:
    """Incident: the middle of a bar "Solved in 0:12 ... NEXT" was pressed, where nothing stands."""
    start = np.full((300, 480, 3), 230, np.uint8)
    ended = start.copy()
    cv2.rectangle(ended, (20, 240), (380, 280), (50, 50, 50), -1)
    text(ended, "Puzzle solved in 12 s", (36, 265), 0.5, (255,) * 3)
    text(ended, "NEXT", (310, 265), 0.5, (40, 220, 250) if coloured else (255,) * 3)
    came = controls_that_came(start, start, ended, [Box(40 + 40 * k, 40, 40, 40) for k in range(3)])
    assert [box.x > 300 for box in came] == [True, False]


@pytest.mark.parametrize("page", [0, 60], ids=["all of the window is shaded", "a page around it is not"])
def test_a_dialog_in_the_colour_of_the_page_stands_out_before_the_shade(page: int) -> None:
    """Incident: a white dialog came before a darkened white page. Where both had been white nothing had changed, so it
    had neither a body nor a button."""
    before = np.full((360, 480, 3), 255, np.uint8)
    cells = [Box(120 + 50 * (k % 5), 80 + 50 * (k // 5), 44, 44) for k in range(20)]
    for k, box in enumerate(cells):
        box.crop(before)[...] = ((200, 220, 180), (90, 60, 160), (40, 40, 40))[k % 3]
    now = before.copy()
    game = np.s_[page : 360 - page, page : 480 - page]
    now[game] = np.rint(before[game] * 0.4).astype(np.uint8)
    dialog = Box(100, page, 280, 120)
    dialog.crop(now)[...] = 255
    text(now, "You won!", (130, page + 40))
    cv2.rectangle(now, (300, page + 75), (360, page + 105), (190, 80, 10), -1)
    text(now, "OK", (318, page + 95), 0.5, (255, 255, 255))
    found = shaded_dialog(before, now, cells)
    assert found is not None
    assert abs(found.x - dialog.x) <= 2
    assert abs(found.width - dialog.width) <= 4
    assert Box(300, page + 75, 60, 30).contains(controls_on_cover(before, now, cells)[0])


def test_an_entry_has_a_next_one_only_in_a_list() -> None:
    picture = np.full((400, 400, 3), 250, np.uint8)
    for k in range(4):
        text(picture, f"Stage {k + 1}", (30, 100 + 30 * k))
    text(picture, "Solved!", (250, 60))
    text(picture, "Help", (250, 300))
    after = entry_after(picture, (60, 126))
    assert after is not None
    assert abs(after[1] - 156) <= 4
    assert 30 <= after[0] <= 120
    assert entry_after(picture, (60, 186)) is None, "the last one"
    assert entry_after(picture, (270, 56)) is None, "no list"


@pytest.mark.parametrize("joy", [False, True], ids=["a dialog", "cells that change for joy"])
def test_a_dark_dialog_that_ends_where_cells_do_is_seen_before_the_shade(joy: bool) -> None:
    """Incident: on a dark page a wish to be rated lay over the middle of a board, as dark as the shade might have left
    it, from gap to gap and not out over the board. It was taken for none, and no level came after it."""
    before = np.full((480, 480, 3), (42, 31, 27), np.uint8)
    cells = [Box(60 + 72 * (k % 5), 60 + 72 * (k // 5), 68, 68) for k in range(25)]
    for k, box in enumerate(cells):
        box.crop(before)[...] = (61, 45, 38)
        text(before, str(1 + k % 4), (box.x + 20, box.y + 48), 1.2, (239, 232, 232))
    now = np.rint(before * 0.45).astype(np.uint8)
    for box in cells if joy else [Box(128, 128, 224, 224)]:
        box.crop(now)[...] = (66, 50, 43)
    cv2.rectangle(now, (180, 260), (300, 300), (48, 160, 224), -1)
    found = shaded_dialog(before, now, cells)
    assert (found is None) == joy
    if found is not None:
        assert abs(found.x - 128) <= 5
        assert abs(found.width - 224) <= 5


def test_a_dialog_in_the_colour_that_was_there_before_stands_out_amid_the_shade() -> None:
    """Incident: of a green dialog before a green one, no lighter than a shade may leave, only the words were seen."""
    before = np.full((480, 480, 3), (40, 60, 30), np.uint8)
    cells = [Box(60 + 72 * (k % 5), 60 + 72 * (k // 5), 68, 68) for k in range(25)]
    for k, box in enumerate(cells):
        box.crop(before)[...] = (30, 40, 160) if k % 2 else (60, 90, 50)
    before[110:370, 80:400] = (102, 118, 63)
    now = np.rint(before * 0.45).astype(np.uint8)
    now[180:300, 140:340] = (102, 118, 63)
    text(now, "example.org", (190, 240), 0.5, (221, 243, 247))
    found = shaded_dialog(before, now, cells)
    assert found is not None
    assert abs(found.x - 140) <= 2
    assert abs(found.width - 200) <= 4


class Announced(Simulated):
    """A win is announced in words beside the board; 5.5 seconds later the next level comes by itself."""

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is not None and self.clock > self.won_at + 5.5 and self.level + 1 < len(self.levels):
            self._begin(self.level + 1)

    def image(self) -> Image:
        picture = super().image()
        if self.won_at is not None:
            text(picture, "Solved!", (580, 240), 0.8, (60, 160, 60))
        return picture


def test_words_that_announce_a_level_which_comes_by_itself_do_not_end_the_session() -> None:
    """Incident: the words were pressed, the level came, and so they were taken for the control that leads on; after the
    next level nothing came within three seconds of the press, and that was taken for the end."""
    window = Announced((*LEVELS, LEVELS[0]), look=WIDE, advance="stay")
    results, _ = play(window, 3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "won"]


class HalfHidden(Simulated):
    """The second level is larger than the first, and another program's window lies over its right part for ``lasts``
    seconds from its beginning; nothing can be read meanwhile."""

    lasts = 15.0
    since: float | None = None

    def _begin(self, level: int) -> None:
        super()._begin(level)
        if level == 1:
            self.since = self.clock

    @property
    def hidden(self) -> Box | None:
        covered = self.since is not None and self.clock < self.since + self.lasts
        return Box(310, 20, 280, 400) if covered else None

    def image(self) -> Image:
        picture = super().image()
        if self.hidden:
            self.hidden.crop(picture)[...] = (90, 60, 40)
        return picture

    def lies_over(self, boxes: Sequence[Box]) -> str | None:
        self._tick(0.05)
        hidden = self.hidden
        if hidden is None or not any(
            box.x < hidden.x + hidden.width
            and hidden.x < box.x + box.width
            and box.y < hidden.y + hidden.height
            and hidden.y < box.y + box.height
            for box in boxes
        ):
            return None
        return "the window 'Another program'"


class HalfBlind(SeeingGame):
    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if self.window.hidden:
            raise UnreadableError("this is no board")
        return super().read(image, layout)


@pytest.mark.parametrize("lasts", [15.0, 1e9])
def test_a_next_level_of_which_a_part_is_hidden_is_no_screen_in_place_of_the_board(lasts: float) -> None:
    """Incident: a cell of the half-hidden next level was pressed like a button on a screen of congratulation, and
    remembered as the way to the next level."""
    window = HalfHidden(LEVELS, advance="auto")
    window.lasts = lasts
    session = Session(HalfBlind(window), window, Layout(game="cardinal_chains"))
    results = list(session.play(2))
    assert not any(isinstance(gesture, Click) for gesture in window.gestures)
    assert session.layout.next.kind != "click"
    if lasts < limits.AWAY_LIMIT:
        assert [r.status for r in results] == ["won", "won"]
    else:
        assert "'Another program' lies over" in (results[-1].error or "")
