"""The next level: the level that was won may be shown on, under a banner or a dialog."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from autoplayer.core.frame import Frame, Image
from autoplayer.games.continuity.piloting.hands import LostError, UnseenError
from autoplayer.games.continuity.piloting.pilot import Pilot
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.layout import ContinuityTable, Layout
from tests.continuity.test_piloting_views import LEVELS, Buttoned

ROOMS = (
    ("############", "#.#........#", "#..........#", "#..........#", "...........#", "...S..#....#", "##########.#"),
    ("########.###", "#..........#", "#....##....#", "#..........#", "#...........", "#...........", "############"),
    ("##########.#", "#..........#", "#..........#", "#..##......#", "...........#", ".......D...#", "############"),
    ("############", "#..........#", "#......#...#", "#..........#", "#...........", "#..K........", "############"),
)
OTHERS = (
    ("############", "#..........#", "#...####...#", "#..........#", "#...........", "#....S......", "############"),
    ("############", "##........##", "##........##", "#..........#", "............", "............", "############"),
    ("############", "#..........#", "#.##....##.#", "#..........#", "...........#", "..K....D...#", "############"),
    ("############", "#..........#", "##########.#", "#..........#", "#...........", "#...........", "###..#######"),
)
CELL, GAP = 12, 14


def picture(
    rooms: tuple[tuple[str, ...], ...], places: tuple[int, ...], banner: bool = False, shade: float = 1.0
) -> Image:
    """Rooms in a board of two rows and three columns; ``places``: where each lies. ``banner``: with a banner over two
    of them; ``shade``: the share of the colours that remains beside it."""
    high, wide = 7 * CELL, 12 * CELL
    found = np.full((2 * high + 3 * GAP, 3 * wide + 4 * GAP, 3), (60, 50, 45), np.uint8)
    for rows, place in zip(rooms, places, strict=True):
        x, y = GAP + place % 3 * (wide + GAP), GAP + place // 3 * (high + GAP)
        found[y : y + high, x : x + wide] = (225, 235, 230)
        for (row, column), mark in np.ndenumerate(np.array([list(each) for each in rows])):
            cell = found[y + row * CELL : y + (row + 1) * CELL, x + column * CELL : x + (column + 1) * CELL]
            if mark == "#":
                cell[:] = (110, 95, 70)
            elif mark == "S":
                cell[4:, 3:8] = (30, 30, 40)
                cv2.circle(cell, (5, 3), 3, (30, 30, 40), -1)
            elif mark == "K":
                cv2.circle(cell, (3, 6), 3, (20, 170, 230), -1)
                cell[5:7, 3:11] = (20, 170, 230)
            elif mark == "D":
                cell[:, 1:11] = (40, 60, 150)
    found = np.asarray(np.rint(shade * found), np.uint8)
    if banner:
        middle = found[high // 2 + GAP : high + GAP // 2, wide + GAP : 3 * wide]
        middle[:] = (250, 250, 250)
        cv2.putText(middle, "Level done", (30, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 20), 2)
    return found


def in_other_colours() -> Image:
    """Another level, on a page that has the colour of the walls of :func:`picture`."""
    found = np.full_like(picture(ROOMS, (0, 1, 3, 4)), (110, 95, 70))
    found[: -GAP - CELL] = cv2.resize(255 - picture(OTHERS + OTHERS[:1], (0, 1, 3, 5, 4)), found.shape[1::-1])[
        : -GAP - CELL
    ]
    return found


@pytest.mark.parametrize(
    ("shown", "ready"),
    [
        (picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4)), False),
        (picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4), banner=True), False),
        (picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4), banner=True, shade=0.45), False),
        (picture(OTHERS + OTHERS[:1], (0, 1, 3, 5, 4)), True),
        (in_other_colours(), True),
    ],
    ids=["the level that was won", "the same under a banner", "the same, darkened", "another level", "its colours"],
)
def test_a_level_under_a_banner_is_not_the_next_one(monkeypatch: pytest.MonkeyPatch, shown: Image, ready: bool) -> None:
    clock = iter(range(1000))
    frame = SimpleNamespace(image=shown)
    looks = {"glance": lambda: frame, "still": lambda *_, **__: frame}
    window = SimpleNamespace(now=lambda: next(clock), **looks, hold=None, perform=None)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    first = read_tiles(picture(ROOMS + ROOMS[3:], (0, 1, 2, 4, 3)))
    pilot._first = pilot._tiles = first
    pilot._one_view, pilot._shown = True, (frame,)  # type: ignore[assignment]
    course = SimpleNamespace(cells=(0, 1, -1, 2, 3, 4))
    pilot._watches = [SimpleNamespace(course=course, shown=None)]  # type: ignore[list-item]
    other = read_tiles(picture(OTHERS + OTHERS[:1], (0, 1, 3, 5, 4)))
    monkeypatch.setattr(Pilot, "_open", lambda _: (other if ready else read_tiles(shown), None))
    assert pilot.ready(3.0) is ready


@pytest.mark.parametrize("shade", [1.0, 0.45, 0.2])
def test_under_a_dialog_nothing_is_read(monkeypatch: pytest.MonkeyPatch, shade: float) -> None:
    """Looking for a level took seven seconds there, again and again. A view from near is compared with the last picture
    that showed the figure."""
    clock = iter(range(1000))
    near = picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4))[20:-20, 60:-60]
    frame = SimpleNamespace(image=picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4), True, shade)[20:-20, 60:-60])
    window = SimpleNamespace(
        now=lambda: next(clock), still=lambda *_, **__: frame, glance=None, hold=None, perform=None
    )
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    pilot._first = pilot._tiles = read_tiles(picture(ROOMS + ROOMS[3:], (0, 1, 2, 4, 3)))
    pilot._watches = [SimpleNamespace(course=None, shown=near)]  # type: ignore[list-item]
    looks: list[str] = []
    monkeypatch.setattr(Pilot, "_open", lambda _: looks.append("read"))
    assert not pilot.ready(3.0)
    assert not looks
    frame.image = picture(OTHERS + OTHERS[:1], (0, 1, 3, 5, 4))[20:-20, 60:-60]
    assert not pilot._covered(frame)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("at_end", "other", "near"), [(True, True, False), (True, True, True), (True, False, False), (False, True, False)]
)
def test_the_next_level_is_not_played_as_the_one_that_was_won(
    monkeypatch: pytest.MonkeyPatch, at_end: bool, other: bool, near: bool
) -> None:
    """Incident: on a busy machine the next level had come before the end of the level was seen. The figure was not seen
    where it had been, the window was looked at again, and the next level was played to its end, too."""
    window = SimpleNamespace(now=lambda: 0.0, still=None, glance=None, hold=lambda _: None, perform=None)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    won = read_tiles(picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4)))
    came = read_tiles(picture(OTHERS + OTHERS[:1], (0, 1, 3, 5, 4))) if other else won
    pilot._first = pilot._met = won
    plays: list[Tiles] = []

    class Plays(SimpleNamespace):
        def play(self) -> None:
            plays.append(pilot._tiles)
            if len(plays) == 1:
                raise UnseenError("the figure is not seen any more")

    def plays_in(tiles: Tiles) -> Plays:
        pilot._tiles = tiles
        pilot._met = None if near else tiles  # the first picture may show a part of the board only
        pilot._boards = [tiles]
        pilot._midway = True
        return Plays(at_end=at_end)

    monkeypatch.setattr(Pilot, "_begun", lambda _: plays_in(won))
    monkeypatch.setattr(Pilot, "_again", lambda _: plays_in(came))
    monkeypatch.setattr(Pilot, "_kept", lambda *_: None)
    done = pilot.play()
    assert done.won
    assert plays == ([won] if at_end and other else [won, came])
    assert done.puzzle is not None or not at_end


@pytest.mark.parametrize("deaf", [True, False])
def test_a_level_that_the_look_for_its_end_has_ended_is_won(monkeypatch: pytest.MonkeyPatch, deaf: bool) -> None:
    """Incident: the figure stood at the rim of the door, whose middle the window wanted. The step by which the level
    was found not to be over led to it, and the level was given up because nothing but a banner was seen."""
    window = SimpleNamespace(now=lambda: 0.0, still=None, glance=None, hold=lambda _: None, perform=None)
    pilot = Pilot(window, Layout(game="continuity"), lambda _: None)
    pilot._first = pilot._tiles = read_tiles(picture(ROOMS + ROOMS[3:], (0, 1, 3, 5, 4)))

    def plays() -> None:
        raise UnseenError("the level seemed to be over, and is not")

    def sees_none(_: Pilot) -> None:
        raise LostError("no level is seen: space changes nothing")

    def begun(_: Pilot) -> SimpleNamespace:
        pilot._midway = True
        return SimpleNamespace(play=plays, at_end=True)

    pilot._found = None, None, None  # type: ignore[assignment]
    monkeypatch.setattr(Pilot, "_begun", begun)
    monkeypatch.setattr(Pilot, "_again", sees_none)
    monkeypatch.setattr(Pilot, "_kept", lambda *_: None)
    monkeypatch.setattr(Pilot, "_deaf", lambda *_: deaf)
    assert pilot.play().won is deaf


class Dialogued(Buttoned):
    """A window with a button for its view that is heard also under the dialog that comes after a win (``won``)."""

    near = won = False

    def glance(self, pause: float = 0.0) -> Frame:
        frame = super().glance(pause)
        if self.won:
            cv2.rectangle(frame.image, (110, 150), (410, 270), (70, 40, 40), -1)
            cv2.rectangle(frame.image, (110, 150), (410, 270), (250, 240, 230), 3)
            cv2.putText(frame.image, "Well done", (170, 222), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (250, 240, 230), 2)
        return frame


def test_a_level_under_a_dialog_is_not_the_next_one_where_a_button_still_changes_the_view() -> None:
    """Both views had been read with the dialog for walls, as another level."""
    window = Dialogued(LEVELS[2].puzzle, "--look", "outlines", "--size", "520x420")
    known = ContinuityTable(view="click 0.9135 0.0476", walk=5, jump=1.8, gravity=30, fall=14)
    pilot = Pilot(window, Layout(game="continuity", continuity=known), lambda _: None)
    pilot._tiles, _ = pilot._open()
    pilot._first = pilot._met
    course = SimpleNamespace(cells=pilot._tiles.cells)
    pilot._watches = [SimpleNamespace(course=course, shown=None)]  # type: ignore[list-item]
    window.won = True
    assert not pilot.ready(0.0)
