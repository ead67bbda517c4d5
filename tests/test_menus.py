"""Title screens and lists of levels: what a session presses in simulated windows, by their logs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from autoplayer import games
from autoplayer.cli.choosing import Wanted, seen_on
from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace
from autoplayer.games.base import Doubt, Reading
from autoplayer.games.cardinal_chains.puzzle import parse
from autoplayer.layout import Layout
from autoplayer.session import Session
from autoplayer.session.looking.boxes import parts_of_letters, text_lines
from tests.menu_pictures import DONE, OPEN, button, column, table, write
from tests.simulated import Look, SeeingGame, Simulated, dimmed, several

LEVELS = ("X 1 1\n2 2 1\n3 3 3", "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3", "3 3 2\n1 1 2\n2 X X")


@dataclass
class Menued(Simulated):
    """A window that begins with a title, and shows a list of levels after each win."""

    titled: bool = True
    hears_keys: bool = False
    shut: int | None = None
    """The level of the list that cannot be opened, though it looks as the others."""

    def __post_init__(self) -> None:
        self.page = "title" if self.titled else "list"
        self.done: set[int] = set()
        super().__post_init__()
        self.log.clear()

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.page == "level" and self.won_at is not None and self.clock > self.won_at + self.flash:
            self.done.add(self.level)
            self.page, self.won_at = "list", None

    def image(self) -> Image:
        if self.page == "title":
            return column(["Play", "Help", "Quit"])
        if self.page == "list":
            return table([DONE if k in self.done else OPEN for k in range(6)])
        return super().image()

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if self.page == "level":
            super().perform(gestures, pace)
            return
        for gesture in gestures:
            self.gestures.append(gesture)
            if isinstance(gesture, Keys):
                self.log.append(("key", gesture.keys[0]))
                if self.page == "title" and self.hears_keys:
                    self.page = "list"
            elif isinstance(gesture, Click) and self.page == "title" and not self.hears_keys:
                self.log.append(("title", (gesture.at[1] - 180) // 60))
                if 180 <= gesture.at[1] < 224:
                    self.page = "list"
            elif isinstance(gesture, Click) and self.page == "list":
                k = (gesture.at[0] - 120) // 70 + 4 * ((gesture.at[1] - 100) // 70)
                self.log.append(("box", k))
                if k != self.shut and k < len(self.levels):
                    self.page = "level"
                    self._begin(k)


class Behind(Menued):
    """A level that is there from the beginning, behind something with one ``button`` that puts it away."""

    button: Box

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if self.page == "level":
            super().perform(gestures, pace)
            return
        self.gestures.extend(gestures)
        if any(isinstance(each, Click) and self.button.contains(each.at) for each in gestures):
            self.page = "level"


class Few(Menued):
    """Its list has three levels only."""

    def image(self) -> Image:
        if self.page == "list":
            return table([DONE if k in self.done else OPEN for k in range(3)])
        return super().image()


class Blind(SeeingGame):
    """Sees no level where the window shows none."""

    def read(self, image: Image, layout: Layout) -> Reading:
        if self.window.page != "level":
            raise UnreadableError("there is no board")
        return super().read(image, layout)


def session(window: Menued, **more: bool) -> Session:
    return Session(Blind(window), window, Layout(game="cardinal-chains"), **({"menus": True} | more))


def pressed(window: Menued) -> list[tuple[str, object]]:
    return [each for each in window.log if each[0] in ("title", "box", "key")]


def test_from_the_title_through_the_list_level_after_level() -> None:
    window = Menued(LEVELS, advance="stay")
    playing = session(window)
    results = list(playing.play(3))
    assert [r.status for r in results] == ["won"] * 3
    assert pressed(window) == [("title", 0), ("box", 0), ("box", 1), ("box", 2)]
    assert playing.layout.next.kind == "unknown"


def test_a_list_of_three_levels_is_known_again_after_each() -> None:
    """Incident: after the first level the third one was pressed, as what had come in place of the board."""
    window = Few(LEVELS, advance="stay", titled=False)
    results = list(session(window).play(3))
    assert pressed(window) == [("box", 0), ("box", 1), ("box", 2)]
    assert [each.status for each in results] == ["won"] * 3


@pytest.mark.parametrize("menus", [False, True])
def test_which_game_it_is_may_be_seen_behind_the_title_screen(menus: bool) -> None:
    """Without a game's name nothing could be begun on a title screen, for no game explains that."""
    window = Menued(LEVELS, advance="stay")
    wanted = Wanted((Blind(window), games.load("null")), None, bare=True)
    if menus:
        assert seen_on(wanted, "Chains", window, menus).game.name == "cardinal-chains"
        assert pressed(window) == [("title", 0), ("box", 0)]
    else:
        with pytest.raises(UnreadableError, match="try again with --menus"):
            seen_on(wanted, "Chains", window, menus)
        assert pressed(window) == []


def test_levels_that_were_done_before_are_passed_by() -> None:
    window = Menued(LEVELS, advance="stay", titled=False)
    window.done = {0}
    assert [r.status for r in session(window).play(2)] == ["won", "won"]
    assert pressed(window) == [("box", 1), ("box", 2)]


def test_a_level_that_does_not_open_ends_it_and_is_pressed_once() -> None:
    window = Menued(LEVELS, advance="stay", shut=1)
    playing = session(window)
    assert [r.status for r in playing.play()] == ["won"]
    assert pressed(window)[1:] == [("box", 0), ("box", 1)]
    assert "no next level came" in (playing.ended or "")


class Drifting(Menued):
    """Discs drift behind the controls of its title, and rest for a moment again and again."""

    def image(self) -> Image:
        picture = super().image()
        if self.page == "title":
            ground = (picture == picture[0, 0]).all(axis=2)
            discs = picture.copy()
            gone = round(90 * (self.clock // 0.9 + min(self.clock % 0.9 / 0.6, 1)))
            for k in range(12):
                at = (53 * k + gone) % picture.shape[1], 37 * k % picture.shape[0]
                cv2.circle(discs, at, 25, (picture[0, 0] * 0.85).tolist(), -1)
            picture[ground] = discs[ground]
        return picture


def test_a_title_whose_background_never_stands_still() -> None:
    """Incident: each wait showed another picture, so nothing was pressed, and no level could be read."""
    window = Drifting(LEVELS, advance="stay")
    assert [r.status for r in session(window).play(1)] == ["won"]
    assert pressed(window) == [("title", 0), ("box", 0)]


def test_a_title_that_hears_keys_only() -> None:
    window = Menued(LEVELS, advance="stay", hears_keys=True)
    assert [r.status for r in session(window).play(1)] == ["won"]
    assert pressed(window) == [("key", "enter"), ("box", 0)]


@pytest.mark.parametrize("titled", [True, False])
def test_without_leave_nothing_is_pressed_before_the_first_level(titled: bool) -> None:
    window = Menued(LEVELS, advance="stay", titled=titled)
    (result,) = session(window, menus=False).play(1)
    assert result.status == "failed"
    assert "--menus" in (result.error or "")
    assert not window.gestures


def test_without_leave_the_list_is_gone_on_with_once_a_level_was_won() -> None:
    window = Menued(LEVELS, advance="stay", titled=False)
    window.page = "level"
    assert [r.status for r in session(window, menus=False).play(3)] == ["won"] * 3
    assert [number for kind, number in pressed(window) if kind == "box"] == [1, 2]


def test_a_title_that_leads_nowhere_is_pressed_a_few_times_only() -> None:
    window = Menued(LEVELS, advance="stay")
    window._tick = lambda seconds: Simulated._tick(window, seconds)
    playing = session(window)
    window.perform = lambda gestures, pace: window.gestures.extend(gestures)
    (result,) = playing.play(1)
    assert result.status == "failed"
    kinds = [type(gesture).__name__ for gesture in window.gestures]
    assert kinds == ["Click", "Keys", "Keys"]


def test_a_reading_in_doubt_keeps_everything_from_being_pressed() -> None:
    class Doubting(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Reading:
            both = tuple(Doubt((cell,), (("1", 0.5), ("3", 0.5))) for cell in ((0, 1), (1, 0)))
            return replace(self.window.reading(), image=image, puzzle=parse("X 1\n3 2"), doubts=both)

    window = Menued(LEVELS, advance="stay")
    (result,) = Session(Doubting(window), window, Layout(game="cardinal-chains"), menus=True).play(1)
    assert result.status == "failed"
    assert not window.gestures


def test_the_layout_that_fits_once_the_level_is_there_is_taken() -> None:
    window = Menued(LEVELS, advance="stay")
    wanted = Layout(game="cardinal-chains", name="mine", title="x")
    told: list[str] = []
    playing = Session(
        Blind(window),
        window,
        Layout(game="cardinal-chains"),
        fitting=lambda frame: wanted if window.page == "level" else None,
        listeners=[lambda event: told.append(event.text)],
        menus=True,
    )
    assert [r.status for r in playing.play(1)] == ["won"]
    assert playing.layout.name == "mine"
    assert any(re.search("'mine' fits", text) for text in told)


def test_a_line_of_text_that_is_read_as_cells_is_no_board_that_keeps_from_pressing() -> None:
    """Incident: the letters of a notice above a title screen were read as one row of a board, and "Play" was not
    pressed."""

    class Lettered(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Reading:
            if self.window.page == "level":
                return super().read(image, layout)
            puzzle = parse("2 1 2 1 2 1 2 1 2 X")
            places = {(0, k): Box(100 + 14 * k, 20, 10, 14) for k in range(10)}
            return Reading(puzzle, places, (), 1.0, image)

    window = Menued(LEVELS, advance="stay")
    results = list(Session(Lettered(window), window, Layout(game="cardinal-chains"), menus=True).play(2))
    assert [r.status for r in results] == ["won"] * 2
    assert pressed(window) == [("title", 0), ("box", 0), ("box", 1)]


def test_parts_of_a_titles_letters_are_no_board_that_keeps_from_pressing() -> None:
    """Incident: upper and lower halves of a title's letters were read as two rows of a board in doubt, and "Start" was
    not pressed."""

    class Halves(Blind):
        def read(self, image: Image, layout: Layout) -> Reading:
            if self.window.page != "title":
                return super().read(image, layout)
            places = {(r, c): Box(225 + 24 * c, 66 + 24 * r, 22, 22) for r in range(2) for c in range(8)}
            doubts = tuple(Doubt((cell,), (("1", 0.5), ("3", 0.5))) for cell in places if cell != (0, 0))
            puzzle = parse("X 1 1 1 1 1 1 1\n3 3 3 3 3 3 3 3")
            return Reading(puzzle, places, doubts, 0.01, image)

    window = Menued(LEVELS, advance="stay")
    results = list(Session(Halves(window), window, Layout(game="cardinal-chains"), menus=True).play(2))
    assert [r.status for r in results] == ["won"] * 2
    assert pressed(window) == [("title", 0), ("box", 0), ("box", 1)]


def test_a_board_of_numbers_is_no_text() -> None:
    picture = np.full((480, 640, 3), 240, np.uint8)
    places = [Box(100 + 24 * c, 66 + 30 * r, 24, 30) for r in range(4) for c in range(8)]
    for place in places:
        write(picture, "7", place.centre, 1.0)
    assert text_lines(picture)
    assert not parts_of_letters(picture, places)
    title = column(["Play"])
    assert parts_of_letters(title, [Box(225 + 24 * c, 66 + 24 * r, 22, 22) for r in range(2) for c in range(8)])


class Paged(Menued):
    """The list of levels has a page for each two of them, which a sign at its right turns."""

    turned = 0

    def image(self) -> Image:
        if self.page != "list":
            return super().image()
        numbers = range(1 + 6 * self.turned, 7 + 6 * self.turned)
        picture = table([DONE if k in self.done else OPEN for k in range(6)], [str(k) for k in numbers], across=3)
        cv2.line(picture, (520, 130), (540, 150), (60, 60, 60), 4)
        cv2.line(picture, (540, 150), (520, 170), (60, 60, 60), 4)
        return picture

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if self.page == "list" and isinstance(gesture, Click):
                x, y = gesture.at
                if abs(x - 530) < 20 and abs(y - 150) < 30:
                    self.log.append(("turned", self.turned))
                    self.turned, self.done = self.turned + 1, set()
                elif x < 400:
                    k = 6 * self.turned + (x - 120) // 70 + 3 * ((y - 100) // 70)
                    self.log.append(("box", k))
                    self.page = "level"
                    self._begin(k)
            else:
                super().perform([gesture], pace)


def test_after_the_last_level_of_a_page_the_next_page_is_turned_to() -> None:
    window = Paged(several(LEVELS, 12), advance="stay", titled=False)
    assert [r.status for r in session(window).play(8)] == ["won"] * 8
    assert [number for kind, number in window.log if kind == "box"] == [*range(8)]
    assert ("turned", 0) in window.log


@pytest.mark.parametrize("pages", [1, 4])
def test_a_dialog_over_a_board_that_is_not_read_for_it_is_answered(pages: int) -> None:
    """Incident: the board behind "How to play" was not read, and so a cell of it was pressed in place of "Got it"; and
    of several pages of help only the first was turned."""

    class Taught(Menued):
        turned = 0

        def image(self) -> Image:
            if self.page == "level":
                return super().image()
            picture = dimmed(Simulated.image(self), 0.35)
            cv2.rectangle(picture, (150, 130), (490, 330), (255, 255, 255), -1)
            write(picture, "How to play", (320, 170), 0.8)
            texts = ["Draw chains", "from each start", "to higher numbers", "on every cell"]
            write(picture, texts[self.turned % 4], (320, 220), 0.6)
            if self.turned == 1:  # a drawing, so that the page after it is more like the first one than like this
                cv2.rectangle(picture, (160, 190), (240, 320), (200, 130, 60), -1)
                cv2.rectangle(picture, (400, 190), (480, 320), (200, 130, 60), -1)
            button(picture, "Got it" if self.turned == pages - 1 else "Next", Box(260, 260, 120, 44))
            return picture

        def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
            if self.page == "level":
                super().perform(gestures, pace)
            for gesture in gestures if self.page != "level" else ():
                self.gestures.append(gesture)
                if isinstance(gesture, Click) and Box(260, 260, 120, 44).contains(gesture.at):
                    self.turned += 1
                    self.page = "level" if self.turned == pages else "title"

    window = Taught(LEVELS, advance="stay")
    (result,) = session(window).play(1)
    assert result.status in ("won", "played")
    assert isinstance(window.gestures[0], Click)
    assert Box(260, 260, 120, 44).contains(window.gestures[0].at)


@pytest.mark.parametrize("doubtful", [True, False])
@pytest.mark.parametrize("menus", [True, False])
def test_the_start_button_before_a_veil_is_pressed_with_leave(menus: bool, doubtful: bool) -> None:
    """Incidents: the board behind the veil was read, and played without effect; or it was in doubt for what lay over
    it, and nothing was pressed."""

    class Veiled(Behind):
        button = Box(260, 230, 130, 40)

        def image(self) -> Image:
            picture = Simulated.image(self)
            if self.page != "level":
                picture = cv2.addWeighted(picture, 0.2, np.full_like(picture, 60), 0.8, 0)
                write(picture, "Chains", (325, 190), 0.9, (250, 250, 250))
                button(picture, "Start", self.button, (250, 200, 110))
            return picture

    class Doubting(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Reading:
            doubts = (Doubt(((1, 1),), (("3", 0.5), ("9", 0.5))), Doubt(((2, 1),), (("3", 0.5), ("9", 0.5))))
            behind = doubtful and window.page != "level"
            return replace(super().read(image, layout), doubts=doubts if behind else ())

    window = Veiled(["X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"], Look(origin=(200, 100), pitch=70), advance="stay")
    game = Doubting(window)
    (result,) = Session(game, window, Layout(game="cardinal-chains"), menus=menus).play(1)
    assert result.status == ("played" if menus else "failed")
    assert [type(gesture) for gesture in window.gestures[:2]] == ([Click, Drag] if menus else [])


@pytest.mark.parametrize("menus", [True, False])
def test_a_banner_over_a_board_is_put_away_with_leave(menus: bool) -> None:
    """Nothing else is pressed before a board of which the rows that are seen have no solution."""

    class Bannered(Behind):
        titled = False
        button = Box(530, 280, 90, 32)

        def image(self) -> Image:
            picture = Simulated.image(self)
            if self.page != "level":
                picture[240:] = 255
                button(picture, "No", Box(430, 280, 90, 32), (239, 239, 239))
                button(picture, "Yes", self.button, (249, 127, 45))
            return picture

    class Above(SeeingGame):
        def read(self, image: Image, layout: Layout) -> Reading:
            if window.page == "level":
                return super().read(image, layout)
            places = {cell: box for cell, box in window.places.items() if cell[0] < 3}
            return Reading(parse("X 9 1 9\n1 9 1 9\n9 1 9 1"), places, (), 1.0, image)

    window = Bannered(["X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"], Look(origin=(200, 40)), advance="stay")
    (result,) = Session(Above(window), window, Layout(game="cardinal-chains"), menus=menus).play(1)
    assert result.status == ("played" if menus else "failed")
    assert [type(gesture) for gesture in window.gestures[:2]] == ([Click, Drag] if menus else [])
