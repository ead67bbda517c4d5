"""How the next level comes in simulated windows: by itself, sliding in, half hidden, the same one anew. Results are
taken from the windows' logs."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Image, Point
from autoplayer.core.gestures import Click, Gesture, Keys, Pace
from autoplayer.games.base import Reading
from autoplayer.games.cardinal_chains.puzzle import Puzzle, parse
from autoplayer.layout import Layout, NextTable
from autoplayer.session import Session, limits
from autoplayer.session.looking.boxes import controls
from autoplayer.session.looking.signs import drops_down
from tests.simulated import INK, LEVELS, WIDE, SeeingGame, Simulated, play, text, won


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
    results, _ = play(window, levels=5)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "played"]


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
    results, _ = play(window, levels=3)
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
    results, session = play(window, levels=3)
    assert won(window) == [0, 1, 2]
    assert [r.status for r in results] == ["won", "won", "played"]
    assert session.layout.next.kind != "click", "the next number is in another place each time"


class Tabs(Strip):
    """Below the board a tab for each level, as wide as its word; that of the present level is highlighted."""

    words = ("Easy", "Medium", "Hard")

    def entry(self, k: int) -> Box:
        return Box((40, 150, 280)[k], 425, (96, 120, 96)[k], 40)

    def image(self) -> Image:
        picture = Simulated.image(self)
        if self.won_at is not None:
            text(picture, "Solved!", (150, 405), 0.6)
        for k, word in enumerate(self.words):
            box = self.entry(k)
            fill = (200, 120, 20) if k == self.level else (210, 210, 210)
            cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), fill, -1)
            text(picture, word, (box.x + 20, box.y + 27), 0.6, (255,) * 3 if k == self.level else INK)
        return picture


def test_of_tabs_in_a_row_the_one_after_that_which_led_on_is_pressed() -> None:
    """Incident: "Medium", which had led on from "Easy", was pressed again after its own level, and words that had come
    beside it were taken for its answer."""
    window = Tabs(LEVELS, look=WIDE, advance="stay")
    play(window, levels=4)
    # That of the first level may have been tried first, and has begun it anew.
    assert won(window) == [0, 0, 1, 2]


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
    results, session = play(window, levels=2)
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


class Waving(Simulated):
    """Waves go by below the board without end."""

    waves = 40
    """How many positions a wave has: fewer would come again at once."""

    def image(self) -> Image:
        picture = super().image()
        at = int(self.clock / 0.05) % self.waves
        cv2.line(picture, (60 + 12 * at, 440), (80 + 12 * at, 452), INK, 3, cv2.LINE_AA)
        return picture


def test_a_much_smaller_level_is_taken_though_the_background_never_rests() -> None:
    """Incident: after a board of 11 islands one of 5 was waited for until two pictures of the waves behind it happened
    to be equal, for more than three minutes."""
    window = Waving((LEVELS[1], "X 1\n2 2"))
    play(window, levels=2, layout=Layout(game="cardinal-chains", next=NextTable(kind="auto")))
    assert won(window) == [0, 1]
    assert window.clock < 90


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
    play(window, levels=3, layout=Layout(game="cardinal-chains", next=NextTable(kind="click", place=place)))
    assert won(window) == [0, 1, 2]


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
    results, _ = play(window, levels=3)
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


class DroppingDown(Simulated):
    """A drop-down list above the board starts its levels; nothing else leads on. ``name``: the word on its entries."""

    name = "Puzzle"
    shut = Box(40, 16, 110, 26)

    def __post_init__(self) -> None:
        self.open = False
        self.marked = 0
        super().__post_init__()

    def image(self) -> Image:
        picture, box = super().image(), self.shut
        for k in range(len(self.levels) + 1 if self.open else 1):
            edge = box.y + k * box.height, box.y + (k + 1) * box.height
            fill = (220, 150, 90) if self.open and k == self.marked + 1 else (250, 250, 250)
            cv2.rectangle(picture, (box.x, edge[0]), (box.x + box.width, edge[1]), fill, -1)
            cv2.rectangle(picture, (box.x, edge[0]), (box.x + box.width, edge[1]), INK, 1)
            text(picture, f"{self.name} {k or self.level + 1}", (box.x + 8, edge[0] + 18), 0.45)
        x, y = box.x + box.width - 16, box.y + 10
        cv2.polylines(picture, [np.array([(x, y), (x + 4, y + 4), (x + 8, y)])], False, INK, 2)
        return picture

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        super().perform(gestures, pace)
        keys = [key for gesture in gestures if isinstance(gesture, Keys) for key in gesture.keys]
        for key in keys if self.open else ():
            if key == "down":
                self.marked = min(self.marked + 1, len(self.levels) - 1)
            if key == "enter":
                self.open = False
                if self.marked != self.level:
                    self._begin(self.marked)

    def _press(self, point: Point) -> int | None:
        if self.shut.contains(point):
            self.open, self.marked = not self.open, self.level
            return None
        self.open = False
        return super()._press(point)


@pytest.mark.parametrize(
    ("words", "menus", "expected"),
    [
        pytest.param(True, False, [0, 1, 2], id="its entries name levels"),
        pytest.param(False, True, [0, 1, 2], id="anything may be pressed"),
        pytest.param(False, False, [0], id="what it is cannot be read"),
    ],
)
def test_the_next_entry_of_a_drop_down_list_is_chosen(
    monkeypatch: pytest.MonkeyPatch, words: bool, menus: bool, expected: list[int]
) -> None:
    monkeypatch.setattr("autoplayer.session.looking.words.can_read", lambda: words)
    monkeypatch.setattr("autoplayer.core.tesseract.read", lambda *_, **__: "Puzzle 1")
    window = DroppingDown(LEVELS, look=WIDE, advance="list")
    results, session = play(window, levels=3, menus=menus)
    assert won(window) == expected
    assert [r.status for r in results] == [*["won"] * (len(expected) - 1), "played"]
    assert session.layout.next.kind == ("list" if len(expected) > 1 else "unknown")


def test_a_list_of_levels_that_is_known_is_used_at_once_and_once_a_level() -> None:
    window = DroppingDown(LEVELS, look=WIDE, advance="list")
    x, y = window.shut.centre
    known = NextTable(kind="list", place=(x / WIDE.size[0], y / WIDE.size[1]))
    play(window, Layout(game="cardinal-chains", next=known), levels=3)
    assert won(window) == [0, 1, 2]
    assert [g.at for g in window.gestures if isinstance(g, Click)] == [(x, y)] * 3


@pytest.mark.parametrize(
    ("words", "at", "sign", "opens"),
    [
        ("Puzzle 1", 90, [(0, 0), (4, 4), (8, 0)], True),
        ("7x7", 60, [(0, 0), (10, 0), (5, 5), (0, 0)], True),
        ("Puzzle 1", 90, [(0, 4), (4, 0), (8, 4)], False),  # a list that is shut, or an upward step
        ("Pre", 29, [(0, 1), (3, 5), (6, 1)], False),  # a v as close as a letter
        ("Level", 70, [(0, -3), (4, 8), (8, -3)], False),  # a V, as high as the text
        ("Next", 60, [(0, -2), (5, 3), (0, 8)], False),  # points right
        ("", 60, [(0, 0), (4, 4), (8, 0)], False),  # an arrow without a text
    ],
)
def test_a_lower_sign_that_points_down_after_a_text_is_a_drop_down_list(
    words: str, at: int, sign: list[Point], opens: bool
) -> None:
    picture = np.full((120, 200, 3), 235, np.uint8)
    cv2.rectangle(picture, (20, 40), (150, 68), INK, 1)
    text(picture, words, (28, 59), 0.45)
    points = np.array([(20 + at + x, 52 + y) for x, y in sign])
    if sign[0] == sign[-1]:
        cv2.fillPoly(picture, [points], INK)
    else:
        cv2.polylines(picture, [points], False, INK, 2)
    (found,) = controls(picture)
    assert drops_down(found) is opens
