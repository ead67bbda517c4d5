"""What may come between a level's end and the next level: rewards, requests for ratings, advertisements, lists with
locks. Results are taken from the simulated window's log."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Frame, Image, Point
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle
from autoplayer.layout import Layout, NextTable
from autoplayer.session import Session, limits
from autoplayer.session.looking import words as texts
from autoplayer.session.next_level.interludes import _ticks
from tests.dialog_pictures import BLUE, INK, ORANGE, WHITE, button, cross, star
from tests.simulated import Look, SeeingGame, Simulated, dimmed

LEVELS = ("X 1 1\n2 2 1\n3 3 3", "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3")
LOOK = Look(origin=(220, 60), size=(700, 480))


class Interrupted(Simulated):
    """After "Next" was pressed, or at once, something else comes: ``pages``. ``pressed``: what was pressed, by page."""

    pages: tuple[str, ...] = ("win",)

    def __post_init__(self) -> None:
        self.pressed: list[str] = []
        self.page, self.since = 0, 0.0
        self._dressed: tuple[object, Image] | None = None
        """What was shown last, and the picture of that."""
        super().__post_init__()

    @property
    def shown(self) -> str | None:
        return self.pages[self.page] if self.won_at is not None else None

    def _tick(self, seconds: float) -> None:
        super()._tick(seconds)
        if self.won_at is None:
            self.page, self.since = 0, self.clock

    def things(self) -> dict[str, Box]:
        if self.shown == "win":
            return {"next": Box(320, 250, 90, 30)}
        if self.shown == "beside":
            return {"next": Box(600, 420, 70, 40)}
        if self.shown == "rate":
            return {"rate": Box(360, 250, 110, 32), "later": Box(230, 250, 110, 32), "stars": Box(260, 195, 180, 30)}
        if self.shown == "offer":
            return {"buy": Box(260, 210, 180, 32), "close": Box(474, 156, 16, 16)}
        closable = {"close": Box(664, 16, 18, 18)} if self.clock >= self.since + 8 else {}
        return {"install": Box(260, 400, 180, 48), **closable}

    def image(self) -> Image:
        picture = super().image()
        if self.shown is None or self._drawn is None:
            return picture
        left = 8 - int(self.clock - self.since) if self.shown == "ad" and "close" not in self.things() else None
        known = self._drawn[0], self.shown, tuple(self.things().items()), left
        if self._dressed is None or self._dressed[0] != known:
            self._dress(picture, left)
            self._dressed = known, picture
        return self._dressed[1].copy()

    def _dress(self, picture: Image, left: int | None) -> None:
        """Draws the page upon ``picture``. ``left``: the seconds that an advertisement still counts."""
        if self.shown == "ad":
            picture[:] = (60, 90, 20)
            cv2.putText(picture, "Super Farm", (240, 120), cv2.FONT_HERSHEY_SIMPLEX, 1.2, WHITE, 2)
            if left is not None:
                cv2.putText(picture, str(left), (664, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.7, WHITE, 2)
        elif self.shown != "beside":
            cv2.rectangle(picture, (200, 150), (500, 300), WHITE, -1)
            cv2.rectangle(picture, (200, 150), (500, 300), (160, 160, 160), 1)
        if self.shown == "rate":
            for k in range(5):
                star(picture, 275 + 38 * k, 210)
        for name, box in self.things().items():
            if name == "close":
                cross(picture, box, WHITE if self.shown == "ad" else INK)
            elif name != "stars":
                button(picture, name, box, WHITE if name == "later" else ORANGE if name == "buy" else BLUE)

    def _press(self, point: Point) -> int | None:
        if self.shown is None:
            return super()._press(point)
        name = next((name for name, box in self.things().items() if box.contains(point)), "nothing")
        self.pressed.append(name)
        if name in ("next", "later", "close"):
            self.page, self.since = self.page + 1, self.clock
            if self.page == len(self.pages):
                self.page = 0
                self._begin(min(self.level + 1, len(self.levels) - 1))
        return None


class Behind(SeeingGame):
    """The board behind the page that came is not read."""

    window: Interrupted

    def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
        if self.window.shown not in (None, "beside"):
            raise UnreadableError("there is no board")
        return super().read(image, layout)


@pytest.mark.parametrize(
    ("pages", "way"),
    [
        (("win", "rate"), ["next", "later"]),
        (("rate", "win"), ["later", "next"]),
        (("win", "offer"), ["next", "close"]),
        (("win", "ad"), ["next", "close"]),
        (("ad",), ["close"]),
        (("rate", "beside"), ["later", "next"]),
    ],
    ids=" ".join,
)
def test_what_comes_between_two_levels_is_got_past(pages: tuple[str, ...], way: list[str]) -> None:
    """Incidents: "Rate us", an offer and an advertisement that counted down were the end, or were taken up; where an
    arrow beside the board came only after the rating was refused, the level that stood there done was the end."""
    window = type("", (Interrupted,), {"pages": pages})(LEVELS, look=LOOK, advance="stay")
    result = next(Session(Behind(window), window, Layout(game="cardinal-chains")).play(2))
    assert result.status == "won"
    assert window.log[-1] == ("level", 1)
    assert window.pressed == way


class Clocked(Interrupted):
    """A clock in the upper right corner, which never stops. ``begun``: its seconds at the beginning."""

    begun = 0

    def image(self) -> Image:
        picture = super().image()
        if self.shown != "ad":
            seconds = int(self.clock) + self.begun
            time = f"{seconds // 60:02d}:{seconds % 60:02d}"
            cv2.putText(picture, time, (620, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.6, INK, 1, cv2.LINE_AA)
        return picture


@pytest.mark.parametrize(
    ("pages", "way"),
    [(("win", "rate"), ["next", "later"]), (("win", "ad"), ["next", "close"])],
    ids=" ".join,
)
@pytest.mark.parametrize("begun", [0, 58])
def test_the_clock_of_a_game_is_no_countdown(pages: tuple[str, ...], way: list[str], begun: int) -> None:
    """Incident: while a clock ran in a corner of the window, 40 seconds were waited at each screen for it to stop."""
    window = Clocked(LEVELS, look=LOOK, advance="stay")
    window.pages, window.begun = pages, begun
    results = list(Session(Behind(window), window, Layout(game="cardinal-chains")).play(2))
    assert results[0].status == "won"
    assert window.pressed[: len(way)] == way
    assert results[0].seconds["play"] < limits.COUNTDOWN_LIMIT


@pytest.mark.parametrize("moving", ["clock", "background"])
def test_what_moves_behind_a_shade_is_no_countdown(moving: str) -> None:
    """Incidents: a dialog hid the whole board, and in the shade beside it the game's clock ran on, or pale circles
    drifted: 40 seconds were waited."""

    class Hidden(Clocked):
        def image(self) -> Image:
            picture = super().image() if moving == "clock" else super(Clocked, self).image()
            if moving == "background":
                cv2.circle(picture, (40 + 9 * int(self.clock) % 200, 30), 20, (215, 225, 220), -1)
            if self.shown is None:
                return picture
            behind = dimmed(picture, 0.7)
            behind[40:420, 190:451] = WHITE
            behind[150:301, 200:501] = picture[150:301, 200:501]
            return behind

    window = Hidden(LEVELS, look=LOOK, advance="stay")
    result = next(Session(Behind(window), window, Layout(game="cardinal-chains")).play(2))
    assert (result.status, window.pressed) == ("won", ["next"])
    assert window.clock < 20.0


@pytest.mark.parametrize(("page", "ticks"), [("advertisement", True), ("the game behind a shade", False)])
def test_a_countdown_where_the_game_has_its_clock_is_told_by_all_of_the_corner(page: str, ticks: bool) -> None:
    def header(seconds: int, advertisement: bool) -> Frame:
        picture = np.full((480, 700, 3), (90, 40, 30) if advertisement else (235, 235, 235), np.uint8)
        colour = WHITE if advertisement else INK
        if advertisement:
            star(picture, 520, 30, 22)
            cv2.rectangle(picture, (560, 45), (640, 70), ORANGE, -1)
        else:
            cv2.putText(picture, "Level 3", (470, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, colour, 2, cv2.LINE_AA)
        cv2.putText(picture, str(seconds), (660, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 1, cv2.LINE_AA)
        return Frame(picture, (0, 0), float(seconds))

    def shaded(seconds: int) -> Frame:
        return replace(header(seconds, False), image=dimmed(header(seconds, False).image, 0.6))

    begun, show = header(7, False), shaded if page.startswith("the game") else lambda s: header(s, True)
    assert _ticks(show(5), show(4), begun, visible=False) is ticks


def test_what_led_on_after_one_level_is_pressed_first_after_the_next_one() -> None:
    """Incident: before a rating "Share" was pressed after every level, for it stood to the right of "Next"."""

    class Shared(Interrupted):
        pages = ("win", "rate")

        def things(self) -> dict[str, Box]:
            shares = {"share": Box(390, 250, 90, 30)} if self.shown == "win" else {}
            return {**({"next": Box(280, 250, 90, 30)} if shares else super().things()), **shares}

    window = Shared((LEVELS[0], "1 1 X\n1 2 2\n3 3 3", LEVELS[1]), look=LOOK, advance="stay")
    results = list(Session(Behind(window), window, Layout(game="cardinal-chains")).play(3))
    assert [result.status for result in results[:2]] == ["won"] * 2
    assert window.pressed[:5] == ["share", "next", "later", "next", "later"]


def test_what_led_on_in_another_window_of_that_title_is_forgotten() -> None:
    """Incident: it was pressed beside a scene that hid all of the board. That was taken for what the press had led to,
    and no further level came."""

    class Later(Interrupted):
        pages = ("ad",)

        @property
        def shown(self) -> str | None:
            return super().shown if self.won_at is not None and self.clock >= self.won_at + 0.6 else None

    window = Later(LEVELS, look=LOOK, advance="stay")
    known = NextTable(kind="click", place=(0.05, 0.9))
    session = Session(Behind(window), window, Layout(game="cardinal-chains", next=known))
    results = list(session.play(2))
    assert results[0].status == "won"
    assert ("level", 1) in window.log
    assert session.layout.next != known, "twice is enough"


def test_a_picture_without_a_level_is_read_once() -> None:
    """Incident: where a reader takes long to see that there is none, what came at a level's end was read up to four
    times, and the way past it took minutes."""
    read: list[bytes] = []

    class Slow(Behind):
        def read(self, image: Image, layout: Layout) -> Reading[Puzzle]:
            if self.window.shown is not None:
                read.append(image.tobytes())
            return super().read(image, layout)

    class Alone(Interrupted):
        """Of the board nothing is left beside its pages."""

        pages = ("rate", "win")

        def image(self) -> Image:
            picture = super().image()
            if self.shown is not None:
                picture[:150] = LOOK.ground
            return picture

    window = Alone(LEVELS, look=LOOK, advance="stay")
    assert next(Session(Slow(window), window, Layout(game="cardinal-chains")).play(2)).status == "won"
    assert read
    assert len(read) == len(set(read))


def test_a_dialog_before_the_dialog_is_put_away() -> None:
    """Incident: "Share" brought an address and a cross before the dialog at the level's end. The picture was shaded
    twice by then, and what was pressed on before stood behind; no level came any more. What began the level anew is
    not pressed again after that either."""

    green = (102, 118, 63)

    class Addressed(Interrupted):
        address = False

        def things(self) -> dict[str, Box]:
            if self.address:
                return {"close": Box(300, 225, 100, 34)}
            return {name: Box(210 + 98 * k, 250, 88, 30) for k, name in enumerate(("next", "again", "share"))}

        def image(self) -> Image:
            shown, self.address = self.address, False
            picture = super().image()
            self.address = shown
            if self.won_at is not None:
                behind = dimmed(super(Interrupted, self).image(), 0.5)
                dialog = picture[150:301, 200:501]
                dialog[(dialog == 255).all(axis=2)] = green
                behind[150:301, 200:501] = dialog
                picture = behind
            if self.address:
                picture = dimmed(picture, 0.5)
                cv2.rectangle(picture, (230, 180), (470, 270), green, -1)
                cv2.putText(picture, "example.org", (250, 205), cv2.FONT_HERSHEY_SIMPLEX, 0.6, INK, 1, cv2.LINE_AA)
                cv2.rectangle(picture, (300, 225), (399, 258), (78, 193, 242), 2)
                cross(picture, Box(343, 235, 14, 14))
            return picture

        def _press(self, point: Point) -> int | None:
            if self.address:
                self.pressed.append("close" if self.things()["close"].contains(point) else "nothing")
                self.address = self.pressed[-1] != "close"
                return None
            shown = self.shown
            told = super()._press(point)
            self.address = shown is not None and self.pressed[-1] == "share"
            if shown is not None and self.pressed[-1] == "again":
                self._begin(self.level)
            return told

    window = Addressed(LEVELS, look=LOOK, advance="stay")
    results = list(Session(Behind(window), window, Layout(game="cardinal-chains")).play(2))
    assert [result.status for result in results] == ["played", "won"]
    assert window.pressed[:6] == ["share", "close", "again", "share", "close", "next"]


def test_what_comes_after_a_control_that_lit_up_beside_the_board_is_got_past() -> None:
    """Incident: the picture after that press was taken for the one before it, so that nothing seemed to have come."""

    class Beside(Interrupted):
        pages = ("beside", "rate")

        def things(self) -> dict[str, Box]:
            return {"next": Box(40, 250, 110, 40)} if self.shown == "beside" else super().things()

        def image(self) -> Image:
            if self.shown != "beside":
                return super().image()
            picture = Simulated.image(self)
            button(picture, "next", self.things()["next"])
            return picture

    window = Beside(LEVELS, look=LOOK, advance="stay")
    result = next(Session(SeeingGame(window), window, Layout(game="cardinal-chains")).play(2))
    assert result.status == "won"
    assert window.log[-1] == ("level", 1)
    assert window.pressed == ["next", "later"]


def test_what_refused_a_rating_and_began_the_level_anew_is_not_pressed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: what only looked like a rating had two buttons, and the wrong one was pressed after each level."""

    class Replayed(Interrupted):
        pages = ("rate",)

        def _press(self, point: Point) -> int | None:
            if self.shown is not None and self.things()["later"].contains(point):
                self.pressed.append("later")
                self._begin(self.level)
                return None
            if self.shown is not None and self.things()["rate"].contains(point):
                self.pressed.append("rate")
                self._begin(self.level + 1)
                return None
            return super()._press(point)

    window = Replayed(LEVELS, look=LOOK, advance="stay")
    list(Session(Behind(window), window, Layout(game="cardinal-chains")).play(2))
    assert window.pressed[:2] == ["later", "rate"]


def test_where_a_further_question_is_denied_first_it_is_answered_the_other_way() -> None:
    """Incident: after "Next" it was asked whether one is sure. "Cancel" was pressed, and then nothing more."""

    class Sure(Interrupted):
        pages = ("win", "sure")

        @property
        def shown(self) -> str | None:
            return super().shown if self.won_at is not None and self.clock > self.won_at + 0.6 else None

        def things(self) -> dict[str, Box]:
            asked = {"later": Box(230, 250, 110, 32), "yes": Box(360, 250, 110, 32)}
            return asked if self.shown == "sure" else super().things()

        def _press(self, point: Point) -> int | None:
            if self.shown == "sure" and self.things()["later"].contains(point):
                self.pressed.append("cancel")
                self.page = 0
                return None
            if self.shown == "sure" and self.things()["yes"].contains(point):
                self.pressed.append("yes")
                self.page = 0
                self._begin(self.level + 1)
                return None
            return super()._press(point)

    window = Sure(LEVELS, look=Look(origin=(250, 60), size=LOOK.size), advance="stay")
    result = next(Session(SeeingGame(window), window, Layout(game="cardinal-chains")).play(2))
    assert result.status == "won"
    assert window.pressed == ["next", "cancel", "next", "yes"]


def test_what_installs_something_is_not_pressed_where_a_cross_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incident: an advertisement in place of the board had its cross from the beginning, and a lone button: that was
    taken for the way on."""

    class Closable(Interrupted):
        pages = ("ad", "win")

        def things(self) -> dict[str, Box]:
            return {**super().things(), **({"close": Box(664, 16, 18, 18)} if self.shown == "ad" else {})}

    monkeypatch.setattr(texts, "can_read", lambda: True)
    monkeypatch.setattr(texts, "_read", lambda ink: frozenset({"install"} if ink.shape[1] > 150 else ()))
    window = Closable(LEVELS, look=LOOK, advance="stay")
    results = list(Session(Behind(window), window, Layout(game="cardinal-chains")).play(2))
    assert [result.status for result in results][:1] == ["won"]
    assert window.pressed[:2] == ["close", "next"]
    assert "install" not in window.pressed


def test_a_known_control_that_cannot_be_pressed_yet_is_pressed_once_it_can() -> None:
    """Incident: a dialog that counts its stars before its button can be pressed. That was pressed too soon once it was
    known, and no further level came."""

    class Counting(Interrupted):
        pages = ("win",)

        @property
        def awake(self) -> bool:
            return self.clock >= self.since + 2.7

        def image(self) -> Image:
            picture = super().image()
            if self.shown == "win":
                for k in range(min(int((self.clock - self.since) / 0.9), 3)):
                    star(picture, 300 + 50 * k, 200)
                box = self.things()["next"]
                button(picture, ">", box, WHITE)
                if not self.awake:
                    inner = Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4).crop(picture)
                    inner[:] = 255 - (255 - inner) // 3
            return picture

        def _press(self, point: Point) -> int | None:
            if self.shown == "win" and not self.awake:
                self.pressed.append("nothing")
                return None
            return super()._press(point)

    window = Counting((LEVELS[0], "1 1 X\n1 2 2\n3 3 3", LEVELS[1], LEVELS[0]), look=LOOK, advance="stay")
    results = list(Session(Behind(window), window, Layout(game="cardinal-chains")).play(4))
    assert [result.status for result in results[:3]] == ["won"] * 3
    assert window.pressed[:3] == ["next", "nothing", "next"]
    assert ("level", 3) in window.log
