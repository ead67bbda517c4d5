"""Changes of views as slow windows show them: moments of them stand in several pictures."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from autoplayer.arcade.__main__ import find
from autoplayer.arcade.levels import load
from autoplayer.core.frame import Frame, Image
from autoplayer.core.gestures import Click, Gesture, Hold, Keys, Pace, Wheel
from autoplayer.games.continuity.piloting.buttons import buttons
from autoplayer.games.continuity.piloting.ending import Ending
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.hands import StuckError
from autoplayer.games.continuity.piloting.identifying import MOST_LOOKS
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.piloting.measuring import Measured
from autoplayer.games.continuity.piloting.pilot import Pilot, Size
from autoplayer.games.continuity.piloting.views import NO_KEY, Views
from autoplayer.games.continuity.piloting.watching import Controls, Watch
from autoplayer.games.continuity.seeing.sight import Sighting, Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracking.tracker import Tracker
from autoplayer.layout import ContinuityTable, Layout
from tests.continuity.seeing_window import Shown
from tests.continuity.steered import Painted, Seeing, measured
from tests.continuity.test_piloting_habits import board

pytest.importorskip("pygame")
LEVELS = load(find("continuity").levels, find("continuity").parse)


@pytest.mark.parametrize(("number", "size"), [(14, "900x700"), (14, "760x600")])
def test_a_view_is_known_by_its_size_where_the_pattern_of_moved_walls_looks_new(number: int, size: str) -> None:
    shown = Shown(LEVELS[number - 1].puzzle, "--look", "bricks", "--size", size, number=number)
    shown.tap("space")
    eyes = Looking(read_tiles(shown.image()))
    for _ in range(2):
        eyes.meet(shown.image())
        shown.tap("space")
    for _ in range(2):
        shown.tap("down")
        shown.step(times=40)
        seen = [eyes.see(shown.image()) for _ in range(4)]
        assert {each.view for each in seen} <= {"sliding", "changing"}
        assert (seen[-1].view, seen[-1].cells) == ("sliding", shown.cells)


@pytest.mark.parametrize("look", ["colours", "outlines"])
def test_a_moment_of_a_change_that_stands_in_several_pictures_is_no_view(look: str) -> None:
    shown = Shown(LEVELS[2].puzzle, "--look", look, "--size", "760x600")
    shown.tap("space")
    tracker = Tracker(read_tiles(shown.image()))
    tracker.see(shown.image())
    shown.tap("space")
    for _ in range(15):
        shown.step()
        tracker.see(shown.image())
    for _ in range(4):
        shown.play.tap("space")
        for _ in range(4):
            shown.step(times=3)
            assert {tracker.see(shown.image()).view for _ in range(4)} == {"changing"}
        shown.step(times=30)
        rests = "sliding" if shown.engine.view == "slide" else "walking"
        assert tracker.see(shown.image()).view == rests


class Clocked(Painted):
    """A window with a clock that runs, in which Tab changes the view and other keys do nothing."""

    bar = False

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        image = frame.image.copy()
        if self.bar:
            image[4:14, 4 : 14 + int(self.clock * 3) % 20] = (90, 200, 90)
        else:
            shown = f"TIME {self.clock:05.1f}"
            cv2.putText(image, shown, (10, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (90, 90, 200), 1, cv2.LINE_AA)
        return replace(frame, image=image)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Wheel | Click):
                continue
            assert isinstance(gesture, Keys | Hold)
            keys = tuple("space" if key == "tab" else "f1" for key in gesture.keys)
            super().perform([replace(gesture, keys=keys)], pace)


class Wheeled(Painted):
    """A window in which the wheel changes the view, down to the tiles and up to the rooms; keys change nothing.
    ``scrolls``: it is a page that goes up and down under the wheel, with Tab for the view."""

    scrolls = False
    gone = 0

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        return replace(frame, image=np.roll(frame.image, -self.gone, axis=0))

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Wheel):
                down = gesture.notches < 0
                if self.scrolls:
                    self.gone = 60 if down else 0
                elif down == (self.engine.view == "walk"):
                    super().perform([Keys(("space",))], pace)
            elif isinstance(gesture, Keys):
                tab = self.scrolls and gesture.keys == ("tab",)
                super().perform([Keys(("space",) if tab else ("f1",))], pace)
            elif not isinstance(gesture, Click):
                super().perform([gesture], pace)


@pytest.mark.parametrize(("begins", "known"), [("walk", False), ("slide", False), ("slide", True)])
def test_the_wheel_changes_the_view(begins: str, known: bool) -> None:
    window = Wheeled(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    if begins == "slide":
        window.perform([Wheel((9, 9), -1)], Pace())
    table = ContinuityTable(view="wheel down", walk=5, jump=1.8, gravity=30, fall=14) if known else None
    views = Ending(window, Layout(game="continuity", continuity=table))
    tiles, eyes = views._open()
    assert views._view_key == "wheel down"
    assert (tiles.rows, tiles.columns, window.engine.view) == (2, 2, "walk")
    assert not views._another(tiles)
    watch = Watch(window, eyes, Controls(view=views._view_key), 0.05)
    for wanted, now in (("walking", "walk"), ("sliding", "slide"), ("walking", "walk")):
        watch.changes_view(wanted)
        window.still()
        assert window.engine.view == now


def test_a_page_that_scrolls_under_the_wheel_shows_no_other_view() -> None:
    window = Wheeled(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    window.scrolls = True
    views = Views(window, Layout(game="continuity"))
    views._open()
    assert (views._view_key, window.gone) == ("tab", 0)


class Clicked(Painted):
    """A window in which a click changes the view, and no key does."""

    clicks = 0

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Click):
                self.clicks += 1
                super().perform([Keys(("space",))], pace)
            elif isinstance(gesture, Keys):
                super().perform([Keys(("f1",))], pace)
            elif isinstance(gesture, Hold):
                super().perform([gesture], pace)


class Sleeping(Clicked):
    """The same, which does nothing of all this before it is clicked once."""

    asleep = True

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        if not self.asleep:
            super().perform(gestures, pace)
        elif any(isinstance(gesture, Click) for gesture in gestures):
            self.asleep = False


class Unfocused(Painted):
    """A window that hears no key before it is clicked."""

    focused = False

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Click):
                self.focused = True
            elif isinstance(gesture, Keys | Hold) and self.focused:
                super().perform([gesture], pace)
            else:
                self._pass(0.1)


def test_a_click_changes_the_view() -> None:
    window = Clicked(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    views = Views(window, Layout(game="continuity"))
    tiles, eyes = views._open()
    assert (views._view_key, tiles.rows, tiles.columns, window.engine.view) == ("click", 2, 2, "walk")
    watch, before = Watch(window, eyes, Controls(view="click"), 0.05), window.clicks
    watch.changes_view("sliding")
    window.still()
    assert (window.engine.view, window.clicks) == ("slide", before + 1)
    assert ContinuityTable(view="click", walk=5, jump=1.8, gravity=30, fall=14).view == "click"


class Buttoned(Painted):
    """A window in which only a button in the corner changes the view, and in whose sliding view no key does anything.
    ``near``: the rooms of its other view lead out of the picture."""

    near = True

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        image = frame.image.copy()
        if self.near and self.engine.view == "walk":
            image = np.ascontiguousarray(cv2.resize(image, None, fx=1.6, fy=1.6)[140:560, 170:690])
        cv2.rectangle(image, (440, 6), (510, 34), (40, 60, 90), -1)
        cv2.putText(image, "Map", (452, 27), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (230, 240, 250), 1, cv2.LINE_AA)
        return replace(frame, image=image)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            on = isinstance(gesture, Click) and 440 <= gesture.at[0] <= 510 and 6 <= gesture.at[1] <= 34
            if on:
                super().perform([Keys(("space",))], pace)
            elif isinstance(gesture, Hold) and self.engine.view == "walk":
                super().perform([gesture], pace)
            else:
                self._pass(0.1)


@pytest.mark.parametrize("begins", ["walk", "slide"])
def test_a_button_changes_the_view(begins: str) -> None:
    """No level had been seen in such a window, or one in whose single view nothing walks."""
    window = Buttoned(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    if begins == "slide":
        window.perform([Click((470, 20))], Pace())
    views = Views(window, Layout(game="continuity"))
    tiles, eyes = views._open()
    assert (tiles.rows, tiles.columns, window.engine.view) == (2, 2, "walk")
    watch = Watch(window, eyes, Controls(view=views._view_key), 0.05)
    for wanted, now in (("sliding", "slide"), ("walking", "walk")):
        watch.changes_view(wanted)
        window.still()
        assert window.engine.view == now
    table = ContinuityTable(view=views._view_key, walk=5, jump=1.8, gravity=30, fall=14)
    assert table.view.startswith("click 0.9")


class Stuck(Pilot):
    """A pilot that took a window for one in which tiles are moved in the view in which the figure walks."""

    def _begun(self) -> Executor:
        self._one_view = self._midway = True
        self._found = measured(LEVELS[2].puzzle), Controls(view=NO_KEY), Size(30, 200)
        raise StuckError("no tile moved")

    def _executor(self, tiles: Tiles, watch: Watch, found: Measured) -> Executor:
        raise NotImplementedError(watch.controls.view)


def test_a_button_is_tried_where_no_tile_moves_in_what_seems_to_be_the_only_view() -> None:
    """A board that is whole in both views, and a figure that walks, had left the button out."""
    window = Buttoned(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    window.near = False
    pilot = Stuck(window, Layout(game="continuity"), lambda _: None)
    with pytest.raises(NotImplementedError, match=r"click 0\.9"):
        pilot.play()
    assert (pilot._one_view, window.engine.view) == (False, "walk")


def test_what_is_no_button_is_not_clicked() -> None:
    """A box in the middle, one without writing, and one as broad as the window are none."""
    image = np.full((400, 600, 3), 60, np.uint8)
    for left, top, wide, high, text in (
        (10, 8, 80, 30, "Menu"), (110, 8, 80, 30, ""), (260, 190, 80, 30, "Menu"), (5, 360, 590, 30, "Level 1")
    ):  # fmt: skip
        cv2.rectangle(image, (left, top), (left + wide, top + high), (40, 120, 200), -1)
        cv2.putText(image, text, (left + 14, top + 22), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (250, 250, 250), 2)
    assert buttons(image) == ("click 0.0850 0.0600",)


class Late(Painted):
    """A window in which only Ctrl changes the view."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Keys):
                super().perform([Keys(tuple("space" if key == "ctrl" else "f1" for key in gesture.keys))], pace)
            elif isinstance(gesture, Hold):
                super().perform([gesture], pace)


def test_a_key_that_is_tried_late_is_found_soon() -> None:
    """Each of the eleven keys before it had been waited for more than a second."""
    window = Late(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    views = Views(window, Layout(game="continuity"))
    views._open()
    assert (views._view_key, window.engine.view) == ("ctrl", "walk")
    assert window.clock < 12.0


class Keyless(Late):
    """A window in which no key changes the view. With ``bobs``, something in it always goes up and down."""

    bobs = False

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        if self.bobs:
            y = 20 + round(4 * math.sin(2 * self.clock))
            cv2.rectangle(frame.image, (480, y), (500, y + 12), (60, 160, 240), -1)
        return frame

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        super().perform([each for each in gestures if not isinstance(each, Keys | Click)], pace)
        self._pass(0.1)


@pytest.mark.parametrize(("bobs", "seconds"), [(False, 26.0), (True, 36.0)])
def test_a_window_with_one_view_is_soon_known(bobs: bool, seconds: float) -> None:
    """Each key had been waited for, once they had all been pressed in vain: it took 37 and 40 s."""
    window = Keyless(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    window.bobs = bobs
    views = Views(window, Layout(game="continuity"))
    views._open()
    assert views._one_view
    assert window.clock < seconds


def test_a_window_that_is_clicked_awake_may_change_its_view_by_clicks() -> None:
    window = Sleeping(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    views = Views(window, Layout(game="continuity"))
    views._open()
    assert (views._view_key, views._one_view, window.engine.view) == ("click", False, "walk")


def test_a_window_that_hears_no_key_before_it_is_clicked_is_clicked() -> None:
    window = Unfocused(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    views = Views(window, Layout(game="continuity"))
    views._open()
    assert (views._view_key, views._one_view, window.focused) == ("space", False, True)


class Titled(Unfocused):
    """A window that shows a title until it is clicked."""

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        if self.focused:
            return frame
        image = np.full_like(frame.image, 60)
        cv2.putText(image, "Click to begin", (150, 180), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (230, 230, 230), 2)
        return replace(frame, image=image)


@pytest.mark.parametrize("camera", [(), ("--camera", "tile")], ids=["whole", "near"])
def test_a_title_that_wants_a_click_leads_to_a_level(camera: tuple[str, ...]) -> None:
    window = Titled(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420", *camera)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    tiles, _ = pilot._come_to()
    assert (pilot._view_key, tiles.rows, tiles.columns, window.engine.view) == ("space", 2, 2, "walk")


class Carded(Painted):
    """A window that shows a title until a key is pressed, and then the level's name until another one is."""

    pressed = 0

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        if self.pressed > 1:
            return frame
        image, text = np.full_like(frame.image, 60), ("press any key", "Level 1")[self.pressed]
        cv2.putText(image, text, (190, 180), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (230, 230, 230), 1)
        return replace(frame, image=image)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        heard = [gesture for gesture in gestures if isinstance(gesture, Keys | Hold)]
        if self.pressed < 2:
            self.pressed += sum(isinstance(gesture, Keys) for gesture in heard)
            self._pass(0.1)
        else:
            super().perform(heard, pace)


def test_a_title_and_a_name_that_differ_little_lead_to_a_level_whose_view_changes() -> None:
    """All that the level showed was taken for what changes by itself, and no key for one that changes the view."""
    window = Carded(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    tiles, _ = pilot._come_to()
    assert (pilot._view_key, tiles.rows, tiles.columns, window.engine.view) == ("space", 2, 2, "walk")


class Counted(Views):
    """Counts the boards that are looked for."""

    boards = 0

    def _board(self, image: Image) -> Tiles | None:
        self.boards += 1
        return super()._board(image)


@pytest.mark.parametrize("bar", [False, True])
def test_a_clock_that_runs_is_no_answer_to_a_key(bar: bool) -> None:
    window = Clocked(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    window.bar = bar
    views = Counted(window, Layout(game="continuity"))
    tiles, _ = views._open()
    assert views._view_key == "tab"
    assert (tiles.rows, tiles.columns) == (2, 2)
    assert bar or views.boards <= 4


def test_a_clock_that_runs_is_nothing_that_a_walking_key_moves() -> None:
    window = Clocked(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    tiles = read_tiles(window.still().image)
    first = window.still()
    assert pilot._stirred(tiles, Looking(tiles), first, pilot._restless(first), "a", 1) == (None, False)


class Paged:
    """A window with a title on a page, and a square that walks on D if it has one (``square``: where it stands); a
    clock ticks on it if ``ticks``."""

    def __init__(self, square: int | None, ticks: bool) -> None:
        self.clock, self.square, self.ticks = 0.0, square, ticks

    def now(self) -> float:
        return self.clock

    def glance(self, pause: float = 0.0) -> Frame:
        self.clock += pause + 0.01
        image = np.full((360, 480, 3), 70, np.uint8)
        cv2.putText(image, "Rooms", (150, 160), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (220, 230, 240), 3)
        if self.ticks:
            image[8:20, 8 : 20 + int(self.clock * 4) % 9] = (90, 200, 90)
        if self.square is not None:
            image[300:320, self.square : self.square + 16] = (60, 80, 220)
        return Frame(image, (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        end = self.clock + limit
        frame = self.glance(quiet)
        while unlike is not None and self.clock < end and np.array_equal(frame.image, unlike.image):
            frame = self.glance(0.03)
        return frame

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        for gesture in gestures:
            if isinstance(gesture, Hold):
                self.clock += gesture.seconds
                if self.square is not None and gesture.keys == ("d",):
                    self.square += 12


@pytest.mark.parametrize(
    ("square", "ticks", "seconds"),
    [(None, False, 2.2), (200, False, 5.0), (None, True, 10.0), (200, True, 10.0)],
    ids=["a title", "a figure", "a title with a clock", "a figure and a clock"],
)
def test_walking_keys_that_move_nothing_are_soon_known(square: int | None, ticks: bool, seconds: float) -> None:
    """A title that hears none of them had taken 7 s."""
    window = Paged(square, ticks)
    assert Views(window, Layout(game="continuity")).stirs() is (square is not None)
    assert window.clock < seconds


class Framed:
    """A window in which space draws a frame round all of it, and other keys do nothing."""

    def __init__(self) -> None:
        self.clock, self.on = 0.0, False
        self.pictures = [board(1.4), board(1.4)]
        cv2.rectangle(self.pictures[1], (0, 0), (959, 419), (0, 200, 255), 12)

    def now(self) -> float:
        return self.clock

    def glance(self, pause: float = 0.0) -> Frame:
        self.clock += pause + 0.01
        return Frame(self.pictures[self.on], (0, 0), self.clock)

    def still(self, limit: float = 5.0, *, unlike: Frame | None = None, quiet: float = 0.12) -> Frame:
        return self.glance(quiet)

    def hold(self, keys: Collection[str]) -> None: ...

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.on ^= Keys(("space",)) in gestures


def test_a_frame_round_the_window_tells_views_of_one_size_apart() -> None:
    """It takes more of the picture than a mark in a corner, and was taken for a view of another size."""
    window = Framed()
    views = Views(window, Layout(game="continuity"))
    _, eyes = views._open()
    assert (views._view_key, views._one_view, window.on) == ("space", False, False)
    assert [eyes.see(picture).view for picture in window.pictures] == ["walking", "sliding"]


class Unmarked(Framed):
    """A window in which Enter changes what the arrows mean, and nothing that is seen."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.on ^= Keys(("enter",)) in gestures
        self.pictures = [board(1.4)] * 2


def test_a_key_that_changes_nothing_that_is_seen_is_taken_back() -> None:
    """The arrows had moved tiles from then on, and no figure was found."""
    window = Unmarked()
    views = Views(window, Layout(game="continuity"))
    views._open()
    assert (views._one_view, window.on) == (True, False)


class Unseen(Seeing):
    """Eyes that know another level than the one that is shown."""

    def see(self, image: Image) -> Sighting:
        return super().see(image)._replace(view="changing", tile=None)


class Mistaken(Pilot):
    """A pilot that read a level in a picture that is not shown any more, each time."""

    looks = 0

    def _begun(self) -> Executor:
        self.looks += 1
        window = Painted(LEVELS[0].puzzle)
        self._wait_for_figure(self._watch(Unseen(window), Controls(), 0.0))
        raise NotImplementedError


def test_a_level_that_was_read_in_a_passing_picture_is_looked_at_again() -> None:
    """What tells that a level is won may lie over the next one for a while: the first look was the only one."""
    told: list[str] = []
    pilot = Mistaken(Painted(LEVELS[0].puzzle), Layout(game="continuity"), told.append)
    done = pilot.play()
    assert not done.won
    assert pilot.looks == MOST_LOOKS + 1


class Covered(Seeing):
    """Eyes that do not see the figure before it was moved, as where it stands at a key of its size."""

    def see(self, image: Image) -> Sighting:
        seen = super().see(image)
        return seen if self.window.presses else seen._replace(tile=None)


def test_a_figure_that_is_not_seen_where_it_stands_is_moved_a_little() -> None:
    """A first step that led to a key of the figure's size had ended the session."""
    window = Painted(LEVELS[0].puzzle)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    watch = pilot._watch(Covered(window), Controls(), 0.0)
    pilot._wait_for_figure(watch)
    assert watch.seen is not None
    assert watch.seen.tile is not None


class Unhearing(Painted):
    """A window that hears no key, as under a dialog."""

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self._pass(0.1)


@pytest.mark.parametrize(
    ("larger", "hears", "other"),
    [
        pytest.param(1.06, True, False, id="a mat"),
        pytest.param(1.15, True, True, id="another level"),
        pytest.param(1.15, False, False, id="a part from near under a dialog"),
    ],
)
def test_tiles_that_are_a_little_larger_or_never_change_are_no_other_level(
    monkeypatch: pytest.MonkeyPatch, larger: float, hears: bool, other: bool
) -> None:
    """A mat round each room that is read as a part of it makes its tiles larger: the level had seemed to be won. So it
    had where one picture, which shows a part from near, was seen twice."""
    window = (Painted if hears else Unhearing)(LEVELS[0].puzzle)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    tiles = read_tiles(window.glance().image)
    boxes = tuple(replace(box, width=round(larger * box.width)) for box in tiles.boxes)
    monkeypatch.setattr(pilot, "_board", lambda _: replace(tiles, boxes=boxes))
    assert pilot._another(tiles) is other


@pytest.mark.parametrize("other", [True, False])
def test_another_level_is_known_by_its_map_where_the_rooms_are_seen_from_near(
    monkeypatch: pytest.MonkeyPatch, other: bool
) -> None:
    """A level had been won, and its dialog left by the key that changes the view. No board is seen in a view from near,
    and the next map, of tiles in another size, did not count alone."""
    window = Painted(LEVELS[0].puzzle)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    tiles = read_tiles(window.glance().image)
    boxes = tuple(replace(box, width=round(0.7 * box.width)) for box in tiles.boxes)
    solid = ~tiles.solid if other else tiles.solid
    boards = iter([None, replace(tiles, boxes=boxes, solid=solid)])
    monkeypatch.setattr(pilot, "_board", lambda _: next(boards))
    assert pilot._another(tiles) is other


def test_what_is_searched_in_vain_is_not_searched_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a banner over a view from near each look took three seconds: the view was searched anew, as if something
    had been learned since. Stars drift behind it, so that the pictures differ."""
    shown = Shown(LEVELS[0].puzzle, "--size", "520x420")
    shown.tap("space")
    eyes = Looking(read_tiles(shown.image()))
    eyes.meet(shown.image())
    searches: list[Image] = []
    monkeypatch.setattr(Tracker, "_new_view", lambda _, image: searches.append(image))
    for moment in range(40):
        picture = np.full_like(shown.image(), 30)
        picture[:, 12 * (moment // 2) :: 60] = 90
        eyes.see(picture)
        if moment % 8 == 7:
            eyes.anew()
    assert 1 <= len(searches) <= 5
